//! The table at the end of a run.

use crate::{
    compare::columns,
    document::provenance,
    groups::{self, Group},
    pairs,
    stats::paired::Verdict,
    units, variant,
};
use bench_shared::summary::{Bench, Comparison, Summary};
use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, Table,
    TableComponent, Width, presets::UTF8_HORIZONTAL_ONLY,
};

/// The whole summary, grouped; a row per benchmark.
pub fn render(summary: &Summary) -> String {
    let mut out = String::new();
    // The same columns in every group, so that the eye need not search.
    let widest =
        summary.benches.iter().map(|b| variant::marked(&b.id).chars().count()).max().unwrap_or(0);
    for Group { name, title, benches } in groups::of(&summary.benches) {
        out.push_str(&format!("\n{name}  {title}\n{}\n", of_group(benches, widest)));
    }
    out.push_str("\nTime per iteration, median over rounds. The last columns: ");
    out.push_str(&match (&summary.self_test, &summary.fidelity) {
        (Some(_), _) => "the one copy's time divided by the other's;\nevery ratio ought to be 1.00, and \
                         `=` is no measurable difference.\n"
            .to_owned(),
        (None, Some(pair)) => format!(
            "{base}'s time divided by {other}'s, so that\n2.00 means that {other} is twice as fast; `=` is \
             no measurable difference.\n",
            base = pair.base,
            other = pair.other
        ),
        (None, None) => "reth's time divided by signet's, so that\n2.00 means that signet is twice as \
                         fast; `=` is no measurable difference.\n"
            .to_owned(),
    });
    if let Some(text) = variant::footnote(summary.benches.iter().map(|bench| &*bench.id)) {
        out.push_str(&format!("{text}.\n"));
    }
    for (name, side) in summary.sides() {
        out.push_str(&format!("{name} = {}\n", provenance::of(side)));
    }
    out
}

fn of_group(benches: &[Bench], widest: usize) -> Table {
    let arms = columns(benches.iter());
    let shown = pairs::stacks(benches);
    let headers = ["benchmark".to_owned()]
        .into_iter()
        .chain(arms.iter().cloned())
        .chain(shown.iter().map(|(base, other)| format!("{other} : {base}")));

    let mut table = plain(headers);
    for bench in benches {
        let times = arms.iter().map(|arm| {
            let text =
                bench.arms.get(arm).map_or_else(String::new, |a| units::duration(a.median_ns));
            Cell::new(text).set_alignment(CellAlignment::Right)
        });
        let ratios =
            shown.iter().map(|pair| pairs::find(bench, *pair).map_or_else(|| Cell::new(""), ratio));
        let id = Cell::new(format!("{:widest$}", variant::marked(&bench.id)));
        table.add_row([id].into_iter().chain(times).chain(ratios));
    }
    for (i, column) in table.column_iter_mut().enumerate().skip(1) {
        if i <= arms.len() {
            column.set_cell_alignment(CellAlignment::Right);
        }
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(15)));
    }
    table
}

/// An empty table in the style of all tables on the terminal.
pub fn plain(headers: impl IntoIterator<Item = String>) -> Table {
    let mut table = Table::new();
    // One row per benchmark at any width: a terminal wraps a row, a wrapped cell breaks columns.
    table.load_preset(UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Disabled);
    table.remove_style(TableComponent::HorizontalLines);
    table.remove_style(TableComponent::MiddleIntersections);
    table.set_header(headers.into_iter().map(|h| Cell::new(h).add_attribute(Attribute::Bold)));
    table
}

/// Aligns the columns from `first` to the right.
pub fn right(mut table: Table, first: usize) -> Table {
    for column in table.column_iter_mut().skip(first) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn ratio(comparison: &Comparison) -> Cell {
    let text = units::ratio(comparison.ratio);
    match comparison.verdict.as_str() {
        v if v == Verdict::Faster.name() => Cell::new(format!("{text} {v}")).fg(Color::Green),
        v if v == Verdict::Slower.name() => Cell::new(format!("{text} {v}")).fg(Color::Red),
        _ => Cell::new(format!("{text} =")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    #[test]
    fn a_row_has_times_ratio_and_verdict() {
        let text = render(&example::summary());
        let row = text.lines().find(|l| l.contains("B2/get/32B")).expect("a row");
        assert!(row.contains("110 µs") && row.contains("100 µs"), "{row}");
        assert!(row.contains("1.10 faster"), "{row}");
        assert!(text.contains("B2  point reads"), "{text}");
        assert!(!text.contains('†'), "{text}");
    }

    #[test]
    fn a_variant_is_marked_and_the_mark_explained() {
        let mut summary = example::summary();
        summary.benches[0].id = "B2/get/32B/plain".into();
        let text = render(&summary);
        assert!(text.contains(" B2/get/32B/plain † "), "{text}");
        assert!(text.contains("† a variant: another build"), "{text}");
    }
}
