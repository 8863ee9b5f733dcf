//! The parts of README.md that come from published runs: the headline, and the sample, two groups of
//! the quick run as the terminal shows them.

use super::headline::{self, Beside};
use crate::table;
use bench_shared::summary::Summary;

/// Groups that the sample shows: one of each layer.
const GROUPS: [&str; 2] = ["B2", "H2"];

const BEGIN: &str = "<!-- sample:begin -->";
const END: &str = "<!-- sample:end -->";

/// The text with its sample taken from `summary`; `None` if it has no markers for one.
pub fn splice(text: &str, summary: &Summary) -> Option<String> {
    between(text, [BEGIN, END], &format!("```text\n{}\n```", sample(summary)))
}

/// The text with the sample of the quick run and the headline of another or the same, each if there
/// is a run and a place for it; the headline with what stands beside it.
pub fn update(
    text: &str,
    quick: Option<&Summary>,
    headline: Option<&Summary>,
    beside: Beside<'_>,
) -> String {
    let mut text = text.to_owned();
    if let Some(new) = quick.and_then(|summary| splice(&text, summary)) {
        text = new;
    }
    headline.and_then(|summary| headline::splice(&text, summary, beside)).unwrap_or(text)
}

/// The text with `content` on lines of its own between two markers; `None` if it lacks one.
pub(super) fn between(text: &str, [begin, end]: [&str; 2], content: &str) -> Option<String> {
    let (before, rest) = text.split_once(begin)?;
    let (_, after) = rest.split_once(end)?;
    Some(format!("{before}{begin}\n{content}\n{end}{after}"))
}

fn sample(summary: &Summary) -> String {
    let shown = |b: &&bench_shared::summary::Bench| GROUPS.contains(&b.group.as_str());
    let benches = summary.benches.iter().filter(shown).cloned().collect();
    let table = table::render(&Summary { benches, ..summary.clone() });
    let lines: Vec<&str> = table.trim_matches('\n').lines().map(str::trim_end).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    #[test]
    fn only_the_sample_changes() {
        let text = format!("before\n{BEGIN}\nold\n{END}\nafter\n");
        let new = splice(&text, &example::summary()).expect("markers");
        assert!(new.starts_with("before\n") && new.ends_with("\nafter\n"), "{new}");
        assert!(new.contains("B2/get/32B") && !new.contains("old"), "{new}");
        assert_eq!(splice(&new, &example::summary()).as_ref(), Some(&new));
        assert_eq!(splice("no markers", &example::summary()), None);
    }
}
