//! Where a published run is in the repository, and which document is made from it.

use crate::{
    mode::Mode,
    source::{Fidelity, Source, Tag},
};
use bench_shared::summary::Summary;

/// Directory in `results/` of the run of two builds that are compared with each other by default.
pub const FIDELITY: &str = "fidelity";

/// Directory of a run in `results/`: its mode's, for reth at another tag than the default one of its
/// own, and for two builds of reth theirs.
pub fn directory(summary: &Summary) -> String {
    match &summary.fidelity {
        Some(pair) => of_builds([&pair.base, &pair.other]),
        None => format!("{}{}", summary.mode, suffix(summary)),
    }
}

/// Document of a run in the root of the repository; a run of two builds has none of its own.
pub fn document(summary: &Summary) -> Option<String> {
    let base =
        if summary.mode == Mode::Sequential.name() { "RESULTS_SEQUENTIAL" } else { "RESULTS" };
    let suffix = suffix(summary).to_uppercase().replace('-', "_");
    summary.fidelity.is_none().then(|| format!("{base}{suffix}.md"))
}

/// Every directory that may hold a published run.
pub fn directories() -> Vec<String> {
    let tags = Tag::ALL.into_iter().filter(|tag| *tag != Tag::default());
    let suffixes: Vec<String> =
        [String::new()].into_iter().chain(tags.map(|tag| format!("-{tag}"))).collect();
    let modes = Mode::ALL.iter().map(|mode| mode.name());
    let mut all: Vec<String> = modes
        .flat_map(|mode| suffixes.iter().map(move |suffix| format!("{mode}{suffix}")))
        .collect();
    let builds = || [Source::Registry].into_iter().chain(Tag::ALL.map(Source::Tag));
    for base in builds() {
        let others = builds().filter(|other| *other != base);
        all.extend(others.map(|other| of_builds([base.name(), other.name()])));
    }
    all
}

/// Directory of the run of two builds of the reth side, the base first.
pub fn of_builds(names: [&str; 2]) -> String {
    if names == Fidelity::default().0.map(Source::name) {
        return FIDELITY.to_owned();
    }
    format!("{FIDELITY}-{}-{}", names[0], names[1])
}

/// What sets a run apart in names: a tag of reth other than the default one.
fn suffix(summary: &Summary) -> String {
    let provenance = summary.reth.as_ref().map(|side| side.provenance.as_str());
    match provenance.and_then(Tag::named) {
        Some(tag) if tag != Tag::default() => format!("-{tag}"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    fn on(provenance: &str, mode: &str) -> Summary {
        let mut summary = Summary { mode: mode.to_owned(), ..example::summary() };
        if let Some(reth) = &mut summary.reth {
            reth.provenance = provenance.to_owned();
        }
        summary
    }

    #[test]
    fn another_tag_has_places_of_its_own() {
        for (provenance, mode, dir, document) in [
            ("registry", "quick", "quick", "RESULTS.md"),
            ("v1.11.3", "quick", "quick", "RESULTS.md"),
            ("v1.11.3", "sequential", "sequential", "RESULTS_SEQUENTIAL.md"),
            ("v2.5.1", "quick", "quick-v2.5.1", "RESULTS_V2.5.1.md"),
            ("v2.5.1", "sequential", "sequential-v2.5.1", "RESULTS_SEQUENTIAL_V2.5.1.md"),
        ] {
            let summary = on(provenance, mode);
            assert_eq!(directory(&summary), dir);
            assert_eq!(self::document(&summary).as_deref(), Some(document));
            assert!(directories().contains(&dir.to_owned()));
        }
    }

    #[test]
    fn two_builds_have_a_directory_by_their_names() {
        let mut summary = example::fidelity();
        assert_eq!((directory(&summary).as_str(), document(&summary)), ("fidelity", None));
        if let Some(pair) = &mut summary.fidelity {
            pair.other = "v2.5.1".into();
        }
        assert_eq!(directory(&summary), "fidelity-registry-v2.5.1");
        assert!(directories().contains(&"fidelity-v1.11.3-v2.5.1".to_owned()));
        assert_eq!(directories().len(), 4 + 6);
    }
}
