//! Publishing: a copy of a run in its directory of `results/` with its charts, and the documents made from it.

use crate::{
    document::{
        chart,
        fidelity::{self, Causes},
        headline::Beside,
        place, readme,
        results::{self, Origin},
    },
    exit::{self, Usage},
    mode::Mode,
    plan::Plan,
    source::{CHECKOUT, REGISTRY, Source, Tag},
    store,
    workspace::{self, Git, Staged, create_dir},
};
use anyhow::{Context as _, Result, bail};
use bench_shared::{scale::Scale, summary::Summary};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// A directory of published results.
pub fn directory(root: &Path, name: &str) -> PathBuf {
    root.join("results").join(name)
}

/// Refuses up front what could not be published later: a figure must be traceable to a commit.
pub fn require_clean(git: Option<&Git>) -> Result<(), Usage> {
    let reason = match git {
        Some(Git { changed: None, .. }) => return Ok(()),
        Some(Git { changed: Some(file), .. }) => {
            format!("the tree differs from its commit ({file}); commit or undo first")
        }
        None => "the suite is in no git repository; run from a clone".to_owned(),
    };
    Err(Usage(format!("--publish takes runs from a clean tree only: {reason}")))
}

/// Refuses up front a run that has no place, or would take that of one that says more: published
/// crates that of reth itself, or few rounds of two builds that of many.
///
/// # Errors
/// [`Usage`], with the way out.
pub fn require_place(plan: &Plan, root: &Path) -> Result<(), Usage> {
    if let Some(builds) = plan.fidelity() {
        let names = builds.map(Source::name);
        let name = place::of_builds(names);
        let text = fs::read_to_string(root.join(METHODOLOGY)).unwrap_or_default();
        let markers = fidelity::markers(&name);
        if markers.iter().any(|marker| !text.contains(marker)) {
            return Err(Usage(format!(
                "--publish: {METHODOLOGY} has no place for the comparison of {} and {}; add the lines `{}` \
                 and `{}` to it",
                names[0], names[1], markers[0], markers[1]
            )));
        }
        return match published(root, &name) {
            Some(summary) if summary.rounds > plan.rounds => Err(Usage(format!(
                "--publish: results/{name} has a run of {} rounds of each build, and this one would have \
                 {}; drop --quick, or remove results/{name} first",
                summary.rounds, plan.rounds
            ))),
            _ => Ok(()),
        };
    }
    if plan.contenders[0].source != Source::Registry {
        return Ok(());
    }
    let name = plan.mode.name();
    let tag = published(root, name).and_then(|summary| tag(&summary));
    match tag {
        Some(tag) => Err(Usage(format!(
            "--publish: results/{name} has a run on reth {tag}, and this one would be on published crates \
             ({REGISTRY}) that stand in for reth; add --upstream, or remove results/{name} first"
        ))),
        None => Ok(()),
    }
}

/// The published run of a directory. One that cannot be read has nothing to lose.
fn published(root: &Path, name: &str) -> Option<Summary> {
    read(root, name).ok().flatten()
}

/// The tag of reth that a run is on, if it is on one.
fn tag(summary: &Summary) -> Option<Tag> {
    Tag::named(&summary.reth.as_ref()?.provenance)
}

/// The published runs, by their directories in `results/`, and why builds of reth differ.
#[derive(Debug, Default)]
pub struct Published {
    /// By [`place::directory`].
    pub runs: BTreeMap<String, Summary>,
    /// Causes of differences between builds.
    pub causes: Causes,
}

impl Published {
    /// Those of the suite at `root`.
    pub fn read(root: &Path) -> Result<Self> {
        Self::read_but(root, None)
    }

    /// Those of the suite at `root`, but for one that need not be readable.
    fn read_but(root: &Path, but: Option<&str>) -> Result<Self> {
        let mut runs = BTreeMap::new();
        for name in place::directories().into_iter().filter(|name| Some(name.as_str()) != but) {
            if let Some(summary) = read(root, &name)? {
                runs.insert(name, summary);
            }
        }
        Ok(Self { runs, causes: Causes::read(root)? })
    }

    /// README.md of these runs. The headline is of the one on reth itself, if only one is, else of the
    /// longer one, whose intervals are the narrower.
    pub fn readme(&self, text: &str) -> String {
        let [quick, sequential] = Mode::ALL.map(|mode| self.runs.get(mode.name()));
        let best = [quick, sequential].into_iter().flatten();
        // The last of those that are equal.
        let best = best.max_by_key(|summary| tag(summary).is_some());
        let is_linked = |name: &String| Mode::ALL.iter().any(|mode| mode.name() == name);
        let others = self.runs.iter().filter(|(name, _)| !is_linked(name));
        let others: Vec<_> = others.filter_map(|(_, summary)| place::document(summary)).collect();
        readme::update(text, quick, best, Beside { fidelity: self.fidelity(), others: &others })
    }

    /// METHODOLOGY.md of these runs.
    pub fn methodology(&self, text: &str) -> String {
        let pairs = self.runs.values().filter(|summary| summary.fidelity.is_some());
        pairs.fold(text.to_owned(), |text, summary| {
            fidelity::splice(&text, summary, &self.causes).unwrap_or(text)
        })
    }

    /// Results documents of these runs, by file.
    pub fn documents(&self) -> BTreeMap<String, String> {
        let of = |summary| {
            let text = results::render(summary, Origin::Published(self.fidelity()));
            Some((place::document(summary)?, text))
        };
        self.runs.values().filter_map(of).collect()
    }

    /// The run that compares the published crates with the real reth.
    fn fidelity(&self) -> Option<&Summary> {
        self.runs.get(place::FIDELITY)
    }
}

/// The published run that compares the published crates with the real reth, if there is one.
pub fn fidelity(root: &Path) -> Result<Option<Summary>> {
    read(root, place::FIDELITY)
}

/// The published run of a directory, if there is one.
fn read(root: &Path, name: &str) -> Result<Option<Summary>> {
    let directory = directory(root, name);
    directory.exists().then(|| store::read(&directory)).transpose()
}

/// Copies the run in `dir`, draws its charts and writes the documents; the one that is made from the
/// run most of all is given back.
///
/// # Errors
/// If the run is not complete, verified and unfiltered, or a file cannot be written; the published
/// run and every document then stay as they were.
pub fn publish(dir: &Path, root: &Path) -> Result<PathBuf> {
    let summary = store::read(dir)?;
    if let Some(reason) = unfit(&summary) {
        bail!("{} is not published: {reason}", dir.display());
    }
    let name = place::directory(&summary);
    let target = directory(root, &name);
    // Not `with_extension`, which would take the end of a tag for one.
    let beside = |what: &str| directory(root, &format!("{name}.{what}"));
    let (new, old) = (beside("new"), beside("old"));
    for stale in [&new, &old] {
        if stale.exists() {
            remove(stale)?;
        }
    }
    let document = root.join(place::document(&summary).unwrap_or_else(|| METHODOLOGY.to_owned()));
    let replaced = stage(dir, root, &name, summary, &new)
        .and_then(|documents| replace(&new, &target, &old, documents));
    if let Err(error) = replaced {
        let tidied = if new.exists() { remove(&new) } else { Ok(()) };
        return Err(exit::and(error, tidied));
    }
    if old.exists() {
        remove(&old)?;
    }
    Ok(document)
}

const METHODOLOGY: &str = "METHODOLOGY.md";

/// Why a run is not fit to be published, if it is not.
fn unfit(summary: &Summary) -> Option<&'static str> {
    let mut sides = summary.sides();
    [
        (!summary.complete, "it was interrupted"),
        (!summary.verified, "it is not verified"),
        (!summary.filters.is_empty(), "it leaves benchmarks out"),
        (summary.self_test.is_some(), "it compares a side with itself"),
        (summary.scale != Scale::Default.name(), "its data are not of the default scale"),
        (
            sides.any(|(_, side)| side.provenance == CHECKOUT),
            "it is of a directory that nobody else has",
        ),
    ]
    .into_iter()
    .find_map(|(unfit, reason)| unfit.then_some(reason))
}

/// Everything that can fail for want of room or of rights: the run and its charts in `new`, and the
/// documents beside those that they are to replace.
fn stage(dir: &Path, root: &Path, name: &str, summary: Summary, new: &Path) -> Result<Vec<Staged>> {
    copy(dir, new)?;
    charts(&summary, new)?;
    let mut published = Published::read_but(root, Some(name))?;
    published.runs.insert(name.to_owned(), summary);
    let mut documents = Vec::new();
    for (file, text) in published.documents() {
        documents.push(Staged::new(&root.join(file), text.as_bytes())?);
    }
    type Update = fn(&Published, &str) -> String;
    let updates: [(&str, Update); 2] =
        [("README.md", Published::readme), (METHODOLOGY, Published::methodology)];
    for (name, update) in updates {
        let file = root.join(name);
        if file.exists() {
            let text = fs::read_to_string(&file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            documents.push(Staged::new(&file, update(&published, &text).as_bytes())?);
        }
    }
    Ok(documents)
}

/// Puts `new` in place of `target`, which becomes `old`, and the documents in theirs; all or nothing.
fn replace(new: &Path, target: &Path, old: &Path, documents: Vec<Staged>) -> Result<()> {
    let replaces = target.exists();
    if replaces {
        rename(target, old)?;
    }
    rename(new, target).and_then(|()| Staged::keep_all(documents)).map_err(|error| {
        let gone = if target.exists() { remove(target) } else { Ok(()) };
        exit::and(error, gone.and_then(|()| if replaces { rename(old, target) } else { Ok(()) }))
    })
}

/// Draws the charts of a run into `dir`.
///
/// # Errors
/// [`Usage`] if a file there has the name of a chart and is none; nothing is written then.
pub fn charts(summary: &Summary, dir: &Path) -> Result<()> {
    let layers = chart::layers(summary);
    let file = |layer| dir.join(chart::file_name(layer));
    for file in layers.iter().map(|layer| file(*layer)).filter(|file| file.exists()) {
        if !fs::read_to_string(&file).is_ok_and(|text| chart::is_chart(&text)) {
            let file = file.display();
            let text =
                format!("{file} exists and is no chart of this program; name another directory");
            return Err(Usage(text).into());
        }
    }
    for layer in layers {
        if let Some(svg) = chart::render(summary, layer) {
            workspace::write(&file(layer), svg.as_bytes())?;
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    create_dir(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let path = entry.with_context(|| format!("cannot read {}", from.display()))?.path();
        let Some(name) = path.file_name() else { continue };
        let target = to.join(name);
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            fs::copy(&path, &target).with_context(|| {
                format!("cannot copy {} to {}", path.display(), target.display())
            })?;
        }
    }
    Ok(())
}

fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to)
        .with_context(|| format!("cannot rename {} to {}", from.display(), to.display()))
}

fn remove(dir: &Path) -> Result<()> {
    fs::remove_dir_all(dir).with_context(|| format!("cannot remove {}", dir.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cli::RunArgs, document::example};

    #[test]
    fn another_drawing_is_not_overwritten_by_a_chart() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let summary = example::summary();
        charts(&summary, dir.path()).expect("drawn");
        charts(&summary, dir.path()).expect("its own chart is replaced");
        let file = dir.path().join("bindings.svg");
        fs::write(&file, "<svg>mine</svg>").expect("written");
        let error = charts(&summary, dir.path()).expect_err("refused");
        assert!(error.is::<Usage>() && error.to_string().contains("bindings.svg"), "{error}");
        assert_eq!(fs::read_to_string(&file).expect("read"), "<svg>mine</svg>");
    }

    #[test]
    fn only_a_clean_tree_is_published_from() {
        let git = |changed: Option<&str>| Git {
            commit: "abc".into(),
            changed: changed.map(str::to_owned),
        };
        require_clean(Some(&git(None))).expect("clean");
        let dirty = require_clean(Some(&git(Some("M src/x.rs")))).expect_err("dirty");
        assert!(dirty.0.contains("src/x.rs"));
        assert!(require_clean(None).is_err());
    }

    #[test]
    fn a_published_run_replaces_the_last_one_and_its_document() {
        let root = tempfile::tempdir().expect("a temporary directory");
        let run = root.path().join("run");
        fs::create_dir_all(run.join("raw")).expect("created");
        fs::write(run.join("raw/B2.tar.gz"), "raw").expect("written");
        let old = directory(root.path(), "quick");
        fs::create_dir_all(&old).expect("created");
        fs::write(old.join("stale"), "").expect("written");

        let filtered = example::summary();
        store::write(&run, &filtered).expect("written");
        assert!(publish(&run, root.path()).is_err());
        assert!(old.join("stale").exists(), "a refused run leaves the published one alone");

        let summary = Summary { filters: Vec::new(), ..filtered };
        store::write(&run, &summary).expect("written");
        // What cannot be read as text cannot be given a sample.
        let readme = root.path().join("README.md");
        fs::write(&readme, [0xff]).expect("written");
        assert!(publish(&run, root.path()).is_err());
        assert!(old.join("stale").exists(), "a failure leaves the published run alone");
        assert_eq!(names(root.path()), ["README.md", "results", "run"]);
        assert_eq!(names(&root.path().join("results")), ["quick"]);
        fs::remove_file(&readme).expect("removed");

        let document = publish(&run, root.path()).expect("published");
        assert_eq!(document, root.path().join("RESULTS.md"));
        assert_eq!(
            fs::read_to_string(document).expect("read"),
            results::render(&summary, Origin::Published(None))
        );
        assert_eq!(names(&old), ["bindings.svg", "raw", "summary.json"]);
        assert!(old.join("raw/B2.tar.gz").exists());
        assert_eq!(names(&root.path().join("results")), ["quick"]);
    }

    #[test]
    fn the_headline_is_of_the_longer_run_and_the_sample_of_the_quick_one() {
        const README: &str = "<!-- headline:begin -->\n<!-- headline:end -->\n\
                              <!-- sample:begin -->\n<!-- sample:end -->\n";
        let root = tempfile::tempdir().expect("a temporary directory");
        let readme = root.path().join("README.md");
        fs::write(&readme, README).expect("written");
        let published = |mode: Mode, rounds: u32| {
            let run = root.path().join(format!("run-{}", mode.name()));
            fs::create_dir_all(&run).expect("created");
            let summary = Summary {
                mode: mode.name().into(),
                rounds,
                filters: Vec::new(),
                ..example::summary()
            };
            store::write(&run, &summary).expect("written");
            publish(&run, root.path()).expect("published");
            fs::read_to_string(&readme).expect("read")
        };
        let text = published(Mode::Quick, 16);
        assert!(text.contains("quick run of") && text.contains("results/quick/bindings.svg"));
        assert!(text.contains("```text\nB2  point reads"), "{text}");
        let text = published(Mode::Sequential, 50);
        assert!(text.contains("sequential run of") && text.contains("50 rounds"), "{text}");
        assert!(text.contains("```text\nB2  point reads"), "{text}");
        assert_eq!(published(Mode::Quick, 16), text, "a quick run leaves the headline");
        let runs = Published::read(root.path()).expect("read");
        assert_eq!(runs.readme(README), text);
    }

    #[test]
    fn the_headline_is_rather_of_reth_itself_than_of_the_longer_run() {
        let on = |mode: &str, provenance: &str| {
            let mut summary = Summary { mode: mode.into(), ..example::summary() };
            summary.reth.as_mut().expect("a side").provenance = provenance.into();
            (mode.to_owned(), summary)
        };
        for (quick, sequential, expected) in [
            ("registry", "registry", "sequential"),
            ("v1.11.3", "registry", "quick"),
            ("registry", "v1.11.3", "sequential"),
            ("v1.11.3", "v1.11.3", "sequential"),
        ] {
            let runs = [on("quick", quick), on("sequential", sequential)].into();
            let published = Published { runs, ..Published::default() };
            let text = published.readme("<!-- headline:begin -->\n<!-- headline:end -->\n");
            assert!(text.contains(&format!("The published {expected} run")), "{text}");
        }
    }

    #[test]
    fn a_run_that_says_less_does_not_take_the_place_of_one_that_says_more() {
        let root = tempfile::tempdir().expect("a temporary directory");
        let plan = |change: &dyn Fn(&mut RunArgs)| {
            let mut args = RunArgs { publish: true, quick: true, ..RunArgs::default() };
            change(&mut args);
            Plan::new(&args).expect("a plan")
        };
        let refused = |plan: &Plan| require_place(plan, root.path()).expect_err("refused").0;
        let accepted = |plan: &Plan| require_place(plan, root.path()).expect("accepted");
        let publish = |name: &str, summary: &Summary| {
            let dir = directory(root.path(), name);
            fs::create_dir_all(&dir).expect("created");
            store::write(&dir, summary).expect("written");
        };
        let registry = plan(&|_| ());
        accepted(&registry);
        let mut summary = example::summary();
        publish("quick", &summary);
        accepted(&registry);
        summary.reth.as_mut().expect("a side").provenance = "v1.11.3".into();
        publish("quick", &summary);
        let text = refused(&registry);
        assert!(text.contains("add --upstream, or remove results/quick first"), "{text}");
        accepted(&plan(&|args| args.upstream = Some(None)));
        accepted(&plan(&|args| args.quick = false));

        let pair = plan(&|args| args.fidelity = Some(None));
        let text = refused(&pair);
        assert!(text.contains("`<!-- fidelity:begin -->` and `<!-- fidelity:end -->`"), "{text}");
        let markers = "<!-- fidelity:begin -->\n<!-- fidelity:end -->\n";
        fs::write(root.path().join(METHODOLOGY), markers).expect("written");
        accepted(&pair);
        publish("fidelity", &example::fidelity());
        accepted(&pair);
        publish("fidelity", &Summary { rounds: 104, ..example::fidelity() });
        let text = refused(&pair);
        assert!(text.contains("104 rounds") && text.contains("drop --quick"), "{text}");
        accepted(&plan(&|args| (args.fidelity, args.quick) = (Some(None), false)));
    }

    #[test]
    fn documents_that_cannot_be_kept_put_the_old_run_back() {
        let root = tempfile::tempdir().expect("a temporary directory");
        let [new, target, old] = ["new", "run", "old"].map(|name| root.path().join(name));
        for dir in [&new, &target] {
            fs::create_dir(dir).expect("created");
            fs::write(dir.join("which"), dir.as_os_str().as_encoded_bytes()).expect("written");
        }
        let staged = || {
            let file = root.path().join("document");
            Staged::new(&file, b"new").expect("staged")
        };
        let documents = vec![staged()];
        fs::remove_file(root.path().join("document.partial")).expect("removed");
        replace(&new, &target, &old, documents).expect_err("nothing to keep");
        assert_eq!(names(root.path()), ["run"]);
        let which = fs::read(target.join("which")).expect("read");
        assert_eq!(which, target.as_os_str().as_encoded_bytes());
    }

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).expect("read").flatten();
        let mut names: Vec<_> =
            entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_run_of_two_builds_goes_into_the_methodology_and_the_documents_that_it_concerns() {
        let root = tempfile::tempdir().expect("a temporary directory");
        let write = |name: &str, text: &str| {
            fs::write(root.path().join(name), text).expect("written");
        };
        write("METHODOLOGY.md", "<!-- fidelity:begin -->\n<!-- fidelity:end -->\n");
        write("README.md", "<!-- headline:begin -->\n<!-- headline:end -->\n");
        let run = |name: &str, summary: &Summary| {
            let run = root.path().join(name);
            fs::create_dir_all(&run).expect("created");
            store::write(&run, summary).expect("written");
            publish(&run, root.path())
        };
        let text = |name: &str| fs::read_to_string(root.path().join(name)).expect("read");
        let quick = Summary { filters: Vec::new(), ..example::summary() };
        run("quick", &quick).expect("published");
        assert!(!text("RESULTS.md").contains("stand in for"));
        let document = run("pair", &example::fidelity()).expect("published");
        assert_eq!(document, root.path().join("METHODOLOGY.md"));
        assert!(text("METHODOLOGY.md").contains("| `B2/get/32B`"));
        for name in ["RESULTS.md", "README.md"] {
            assert!(text(name).contains("stand in for reth v1.11.3"), "{name}: {}", text(name));
        }
        assert_eq!(names(&root.path().join("results")), ["fidelity", "quick"]);

        let mut newer = quick.clone();
        newer.reth.as_mut().expect("a side").provenance = "v2.5.1".into();
        let document = run("newer", &newer).expect("published");
        assert_eq!(document, root.path().join("RESULTS_V2.5.1.md"));
        assert!(text("README.md").contains("](results/quick/bindings.svg)"));
        let link = "Other published runs: [RESULTS_V2.5.1.md](RESULTS_V2.5.1.md).";
        assert!(text("README.md").contains(link), "{}", text("README.md"));
        let results = names(&root.path().join("results"));
        assert_eq!(results, ["fidelity", "quick", "quick-v2.5.1"]);

        let mut own = quick;
        own.signet.as_mut().expect("a side").provenance = "checkout".into();
        let error = run("own", &own).expect_err("refused").to_string();
        assert!(error.contains("nobody else has"), "{error}");
    }
}
