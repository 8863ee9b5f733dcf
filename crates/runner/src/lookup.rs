//! Finds a benchmark of a run by its id.

use crate::exit::Usage;
use bench_shared::summary::{Bench, Summary};

/// Most ids that an error lists: what a terminal shows at once.
const MOST: usize = 20;

/// The benchmark of this id, or the only one whose id starts with it.
///
/// # Errors
/// Names the id and lists near ones: those that start with or contain it, else those of its group,
/// else the groups of the run.
pub fn bench<'a>(summary: &'a Summary, id: &str) -> Result<&'a Bench, Usage> {
    let benches = &summary.benches;
    if let Some(exact) = benches.iter().find(|bench| bench.id == id) {
        return Ok(exact);
    }
    let (starting, others): (Vec<_>, Vec<_>) =
        benches.iter().partition(|bench| bench.id.starts_with(id));
    if let ([only], false) = (starting.as_slice(), id.is_empty()) {
        return Ok(only);
    }
    let why = match starting.len() {
        0 => format!("no benchmark `{id}` in this run"),
        several => format!("`{id}` is the start of {several} benchmarks of this run"),
    };
    Err(Usage(format!("{why}; {}", near(summary, &starting, &others, id))))
}

fn near(summary: &Summary, starting: &[&Bench], others: &[&Bench], id: &str) -> String {
    let containing = others.iter().filter(|bench| bench.id.contains(id));
    let close: Vec<&str> = starting.iter().chain(containing).map(|b| b.id.as_str()).collect();
    if !close.is_empty() {
        return listed("near ones", &close);
    }
    let group = id.split('/').next().unwrap_or(id);
    let of_group: Vec<&str> = summary
        .benches
        .iter()
        .filter(|b| b.group.eq_ignore_ascii_case(group))
        .map(|b| b.id.as_str())
        .collect();
    if !of_group.is_empty() {
        return listed(&format!("those of group {}", group.to_uppercase()), &of_group);
    }
    let mut groups: Vec<&str> = summary.benches.iter().map(|b| b.group.as_str()).collect();
    groups.dedup();
    if groups.is_empty() {
        return "it has none at all".to_owned();
    }
    listed("its groups", &groups)
}

fn listed(title: &str, names: &[&str]) -> String {
    let shown = &names[..names.len().min(MOST)];
    let more = match names.len() - shown.len() {
        0 => String::new(),
        more => format!("\n  and {more} more"),
    };
    format!("{title}:\n  {}{more}", shown.join("\n  "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    fn run(ids: &[&str]) -> Summary {
        let mut summary = example::summary();
        let one = summary.benches.remove(0);
        summary.benches = ids
            .iter()
            .map(|id| Bench {
                id: (*id).to_owned(),
                group: id.split('/').next().unwrap_or_default().to_owned(),
                ..one.clone()
            })
            .collect();
        summary
    }

    const IDS: [&str; 5] =
        ["B1/begin", "B1/begin/unbounded", "B2/get/32B", "B2/get/4KiB", "H1/get"];

    fn error(id: &str) -> String {
        bench(&run(&IDS), id).expect_err(id).to_string()
    }

    #[test]
    fn an_id_or_the_only_start_of_one_is_found() {
        let summary = run(&IDS);
        for (id, found) in [
            ("B1/begin", "B1/begin"),
            ("B1/begin/", "B1/begin/unbounded"),
            ("B2/get/3", "B2/get/32B"),
            ("H1", "H1/get"),
        ] {
            assert_eq!(bench(&summary, id).expect(id).id, found);
        }
    }

    #[test]
    fn near_ones_are_listed() {
        let ambiguous = error("B2");
        assert!(ambiguous.starts_with("`B2` is the start of 2"), "{ambiguous}");
        assert!(ambiguous.ends_with(":\n  B2/get/32B\n  B2/get/4KiB"), "{ambiguous}");
        let part = error("unbounded");
        assert!(part.contains("`unbounded`") && part.ends_with("\n  B1/begin/unbounded"), "{part}");
        let group = error("b2/put");
        assert!(group.ends_with("group B2:\n  B2/get/32B\n  B2/get/4KiB"), "{group}");
        assert!(error("X9/put").ends_with("groups:\n  B1\n  B2\n  H1"), "{}", error("X9/put"));
        assert!(error("").starts_with("`` is the start of 5"));
    }

    #[test]
    fn long_lists_are_cut() {
        let ids: Vec<String> = (0..25).map(|i| format!("B1/{i}x")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let text = bench(&run(&ids), "x").expect_err("several").to_string();
        assert!(text.ends_with("B1/19x\n  and 5 more"), "{text}");
        let empty = bench(&run(&[]), "B1").expect_err("none").to_string();
        assert!(empty.contains("`B1`") && empty.contains("none at all"), "{empty}");
    }
}
