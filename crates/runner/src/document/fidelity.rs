//! What a run of two builds of the reth side says: the table of METHODOLOGY.md, and the note in the
//! documents of runs on the build that stands in for the other.

use super::{markdown::Table, place, provenance, readme::between};
use crate::{
    arms::Family,
    compare::{have_one_engine, is_verdict},
    pairs,
    source::REGISTRY,
    stats::paired::Verdict,
    units,
};
use anyhow::{Context as _, Result};
use bench_shared::summary::{Bench, Comparison, Fidelity, Summary};
use std::{collections::BTreeMap, fs, io::ErrorKind, path::Path};
use toml_edit::{DocumentMut, Item};

/// Why builds differ, written by hand, in `results/`.
pub const CAUSES: &str = "fidelity-causes.toml";

/// Causes of differences by the two builds (`registry,v1.11.3`), then by id or the start of ids.
#[derive(Clone, Debug, Default)]
pub struct Causes(BTreeMap<String, BTreeMap<String, String>>);

impl Causes {
    /// Of the suite at `root`; none if there is no such file.
    pub fn read(root: &Path) -> Result<Self> {
        let file = root.join("results").join(CAUSES);
        match fs::read_to_string(&file) {
            Ok(text) => Self::parse(&text).with_context(|| file.display().to_string()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
        }
    }

    fn parse(text: &str) -> Result<Self> {
        let document: DocumentMut = text.parse()?;
        let mut all = BTreeMap::new();
        for (pair, causes) in document.iter() {
            let table = causes.as_table().with_context(|| format!("`{pair}` is no table"))?;
            let cause = |(id, text): (&str, &Item)| {
                let text = text.as_str().with_context(|| format!("`{id}` is no text"))?;
                Ok((id.to_owned(), text.to_owned()))
            };
            all.insert(pair.to_owned(), table.iter().map(cause).collect::<Result<_>>()?);
        }
        Ok(Self(all))
    }

    /// The cause of a difference: of the longest start of the id that has one.
    pub fn of(&self, pair: &Fidelity, id: &str) -> Option<&str> {
        let causes = self.0.get(&format!("{},{}", pair.base, pair.other))?;
        let fitting = causes.iter().filter(|(start, _)| id.starts_with(start.as_str()));
        fitting.max_by_key(|(start, _)| start.len()).map(|(_, cause)| cause.as_str())
    }
}

/// Differences with a verdict for which there is no cause.
pub fn without_cause<'a>(summary: &'a Summary, causes: &Causes) -> Vec<&'a str> {
    let Some(pair) = &summary.fidelity else { return Vec::new() };
    let differing = differing(summary).filter(|(bench, _)| causes.of(pair, &bench.id).is_none());
    differing.map(|(bench, _)| bench.id.as_str()).collect()
}

/// Benchmarks in which the two builds got a verdict.
fn differing(summary: &Summary) -> impl Iterator<Item = (&Bench, &Comparison)> {
    compared(summary).filter(|(_, comparison)| is_verdict(comparison))
}

/// The comparison of the two builds' wrappers in each benchmark.
fn compared(summary: &Summary) -> impl Iterator<Item = (&Bench, &Comparison)> {
    let of = |bench: &'_ Bench| {
        bench.comparisons.iter().position(|c| pairs::between_stacks((&c.base, &c.other)))
    };
    summary.benches.iter().filter_map(move |bench| Some((bench, &bench.comparisons[of(bench)?])))
}

/// By how much at most the two may differ, as a fraction, for all that the interval says.
fn bound(c: &Comparison) -> f64 {
    let furthest = c.ci.iter().map(|end| end.ln().abs()).fold(0.0, f64::max);
    // Upwards to what is shown: a bound that is rounded down is none.
    (furthest.exp_m1() * 1000.0 - 1e-6).ceil().max(0.0) / 1000.0
}

/// When, from which commit and with how many rounds a run was made.
fn made(summary: &Summary) -> String {
    format!(
        "{}, {} rounds of each build, suite at commit `{}`",
        summary.started.get(..10).unwrap_or(&summary.started),
        summary.rounds,
        summary.host.git.get(..12).unwrap_or(&summary.host.git),
    )
}

/// The text with the table of this run between the markers of its directory, if it has them.
pub fn splice(text: &str, summary: &Summary, causes: &Causes) -> Option<String> {
    let name = place::directory(summary);
    let markers = markers(&name);
    let content = render(summary, causes);
    between(text, markers.each_ref().map(String::as_str), content.trim_end())
}

/// What stands around the table of the run of this directory.
pub fn markers(directory: &str) -> [String; 2] {
    ["begin", "end"].map(|which| format!("<!-- {directory}:{which} -->"))
}

/// Where the figures are from, how many differ, and a row for each benchmark.
pub fn render(summary: &Summary, causes: &Causes) -> String {
    let Some(pair) = &summary.fidelity else {
        return "This run compares no two builds.\n".to_owned();
    };
    let Fidelity { base, other, .. } = pair;
    let raw = if have_one_engine(summary) {
        "is the control, the same C library under both, and ought to be 1.00".to_owned()
    } else {
        format!("compares {}", provenance::libraries(summary))
    };
    let count =
        |verdict: Verdict| compared(summary).filter(|(_, c)| c.verdict == verdict.name()).count();
    let mut out = format!(
        "{}\n\nThe {} run of {}: {}, {} logical CPUs. A ratio is `{base}`'s time divided by `{other}`'s: above 1, `{other}` takes less time. `raw` {raw}. \
         A difference was established in {} of {} benchmarks; said of `{other}`: {} faster, {} slower. \
         Where none was established there may be one all the same: `within` is the largest, either way, \
         that the interval of the ratio does not exclude.\n\n",
        provenance::caption(summary),
        summary.mode,
        made(summary),
        summary.host.cpu,
        summary.host.cores,
        differing(summary).count(),
        compared(summary).count(),
        count(Verdict::Faster),
        count(Verdict::Slower),
    );
    let mut table =
        Table::new(["benchmark", "ratio", ">within", ">floor", "verdict", ">raw", "cause"]);
    for (bench, c) in compared(summary) {
        let is_control = |c: &&Comparison| Family::of(&c.base, &c.other) == Family::Control;
        let raw = bench.comparisons.iter().find(is_control);
        let (verdict, cause) = if is_verdict(c) {
            let cause = causes.of(pair, &bench.id).unwrap_or("not known");
            (format!("**{}**", c.verdict), cause)
        } else {
            (c.verdict.clone(), "")
        };
        table.row([
            format!("`{}`", bench.id),
            units::ratio_within(c.ratio, c.ci),
            units::percent(bound(c)),
            units::noise_floor(c.noise_floor),
            verdict,
            raw.map_or_else(String::new, |c| units::ratio(c.ratio)),
            cause.to_owned(),
        ]);
    }
    out.push_str(&table.render());
    out
}

/// What a reader of a run on published crates must know of them, from the published run that compares
/// them with the real reth; `None` of other runs, and without such a run.
pub fn note(summary: &Summary, fidelity: Option<&Summary>) -> Option<String> {
    let is_stand_in = summary.reth.as_ref().is_some_and(|side| side.provenance == REGISTRY);
    let fidelity = fidelity.filter(|_| is_stand_in)?;
    let real = &fidelity.fidelity.as_ref()?.other;
    let all = compared(fidelity).count();
    let list: Vec<String> = differing(fidelity)
        .map(|(bench, c)| format!("`{}` ({})", bench.id, units::ratio(c.ratio)))
        .collect();
    let which = match list.as_slice() {
        [] => String::new(),
        list => format!(" (its time divided by the real one's): {}", list.join(", ")),
    };
    let others = compared(fidelity).filter(|(_, c)| !is_verdict(c)).map(|(_, c)| bound(c));
    let others = match others.max_by(f64::total_cmp) {
        Some(most) => {
            format!("; for the others, differences up to {} are not excluded", units::percent(most))
        }
        None => String::new(),
    };
    let found = format!(
        "A difference from the real one was established in {} of {all} benchmarks{which}{others}. The two were \
         compared in the {} run of {}",
        list.len(),
        fidelity.mode,
        made(fidelity)
    );
    Some(format!(
        "**The reth side of this run is built from published crates that stand in for reth {real}.** \
         {found}. [METHODOLOGY.md](METHODOLOGY.md#the-real-reth) has the figures and the causes."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    const TEXT: &str =
        "[\"registry,v1.11.3\"]\n\"B2\" = \"a layer\"\n\"B2/get/32B\" = \"one more copy\"\n";

    #[test]
    fn a_row_has_ratio_interval_floor_verdict_control_and_cause() {
        let causes = Causes::parse(TEXT).expect("causes");
        let text = render(&example::fidelity(), &causes);
        let row = text.lines().find(|l| l.starts_with("| `B2/get/32B`")).expect("a row");
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        assert_eq!(
            cells,
            [
                "",
                "`B2/get/32B`",
                "1.10 [1.10, 1.10]",
                "10.0 %",
                "1.0 %",
                "**faster**",
                "1.00",
                "one more copy",
                ""
            ]
        );
        assert!(
            text.contains("in 1 of 1 benchmarks; said of `v1.11.3`: 1 faster, 0 slower"),
            "{text}"
        );
        assert!(text.contains("ought to be 1.00"), "{text}");
        assert!(
            text.contains("v1.11.3 = reth-libmdbx v1.11.3 (upstream, commit d6324d63e27e)"),
            "{text}"
        );
    }

    #[test]
    fn two_libraries_are_no_control() {
        let mut summary = example::fidelity();
        let pair = summary.fidelity.as_mut().expect("two builds");
        let build = pair.builds.get_mut("v1.11.3").expect("a build");
        (build.engine.commit, build.libmdbx) = ("other".into(), "0.13.12".into());
        let text = render(&summary, &Causes::default());
        assert!(text.contains("libmdbx 0.13.7 against 0.13.12"), "{text}");
        assert!(text.contains("each with its own build options"), "{text}");
        assert!(!text.contains("ought to be 1.00"), "{text}");
    }

    #[test]
    fn no_difference_is_not_read_as_none() {
        let mut fidelity = example::fidelity();
        let mut all = fidelity.benches[0].comparisons.iter_mut();
        let c = all.find(|c| c.base == "reth@registry").expect("compared");
        (c.ci, c.verdict) = ([0.95, 1.02], Verdict::None.name().to_owned());
        let text = note(&example::summary(), Some(&fidelity)).expect("a note");
        for part in [
            "established in 0 of 1 benchmarks; for the others, differences up to 5.3 % are not excluded",
            "quick run of 2025-01-02, 16 rounds of each build, suite at commit `0123456789ab`",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let table = render(&fidelity, &Causes::default());
        assert!(table.contains("established in 0 of 1 benchmarks"), "{table}");
        assert!(table.contains("  5.3 % |"), "{table}");
    }

    #[test]
    fn a_cause_may_be_not_known_and_is_shown_so() {
        let causes = Causes::parse("[\"registry,v1.11.3\"]\n\"B2\" = \"not known\"\n");
        let (summary, causes) = (example::fidelity(), causes.expect("causes"));
        assert!(without_cause(&summary, &causes).is_empty());
        assert!(render(&summary, &causes).contains("| not known |"));
    }

    #[test]
    fn a_difference_without_a_cause_is_found() {
        let summary = example::fidelity();
        assert_eq!(without_cause(&summary, &Causes::default()), ["B2/get/32B"]);
        let causes = Causes::parse(TEXT).expect("causes");
        assert!(without_cause(&summary, &causes).is_empty());
        let pair = summary.fidelity.as_ref().expect("two builds");
        assert_eq!(causes.of(pair, "B2/get/256B"), Some("a layer"));
        assert_eq!(causes.of(pair, "B3/insert"), None);
        assert!(Causes::parse("B2 = 1").is_err());
    }

    #[test]
    fn only_a_run_on_the_stand_in_is_told_of_it() {
        let (mut summary, fidelity) = (example::summary(), example::fidelity());
        assert_eq!(note(&summary, None), None);
        let text = note(&summary, Some(&fidelity)).expect("a note");
        assert!(
            text.contains("in 1 of 1 benchmarks") && text.contains("`B2/get/32B` (1.10)"),
            "{text}"
        );
        if let Some(reth) = &mut summary.reth {
            reth.provenance = "v1.11.3".into();
        }
        assert_eq!(note(&summary, Some(&fidelity)), None);
    }

    #[test]
    fn only_what_is_between_the_markers_changes() {
        let text = "before\n<!-- fidelity:begin -->\nold\n<!-- fidelity:end -->\nafter\n";
        let summary = example::fidelity();
        let new = splice(text, &summary, &Causes::default()).expect("markers");
        assert!(new.starts_with("before\n") && new.ends_with("\nafter\n") && !new.contains("old"));
        assert_eq!(splice(&new, &summary, &Causes::default()).as_ref(), Some(&new));
        assert_eq!(splice("no markers", &summary, &Causes::default()), None);
    }
}
