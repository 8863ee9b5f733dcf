//! What stands around the table: the run, its warnings, how to read it, the machine, the stacks.

use super::{
    html::{blocks, escape, inline},
    table,
};
use crate::{
    document::{provenance, results},
    stats::paired::Verdict,
    variant,
};
use bench_shared::summary::Summary;

/// Title of the page.
pub(super) fn title(summary: &Summary) -> String {
    format!("Benchmark results: {}", results::title(summary))
}

/// What the run was.
pub(super) fn facts(summary: &Summary) -> String {
    let mut facts = vec![
        ("mode", summary.mode.clone()),
        ("started", summary.started.clone()),
        ("provenance", provenance::caption(summary)),
        ("rounds of each side", summary.rounds.to_string()),
        ("benchmarks", summary.benches.len().to_string()),
        ("machine", format!("{}, {} logical CPUs", summary.host.cpu, summary.host.cores)),
    ];
    if let Some(side) = &summary.self_test {
        facts.insert(
            1,
            ("self-test", format!("{side} against itself: any verdict but none is a false one")),
        );
    }
    let facts: String = facts
        .iter()
        .map(|(name, value)| {
            format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escape(name), escape(value))
        })
        .collect();
    format!("<dl class=\"facts\">\n{facts}</dl>\n{}", blocks(&results::standing(summary)))
}

/// What the run warns of.
pub(super) fn warnings(summary: &Summary) -> String {
    if summary.warnings.is_empty() {
        return String::new();
    }
    let list: String =
        summary.warnings.iter().map(|w| format!("<li>{}</li>\n", escape(w))).collect();
    format!("<section class=\"warnings\">\n<h2>Warnings</h2>\n<ul>\n{list}</ul>\n</section>\n")
}

/// The verdicts, how often each was given, and how to read the rest.
pub(super) fn legend(summary: &Summary) -> String {
    let main = table::comparisons(summary).filter(|row| row.main);
    let main: Vec<_> = main.filter(|row| !variant::is_variant(&row.bench.id)).collect();
    let verdicts: String = Verdict::ALL
        .iter()
        .map(|verdict| {
            let meaning = match verdict {
                Verdict::Faster => "the first arm of the comparison takes less time",
                Verdict::Slower => "the first arm takes more time",
                Verdict::None => "the rounds do not tell the two apart",
            };
            let name = verdict.name();
            let count = main.iter().filter(|row| row.comparison.verdict == name).count();
            format!("<li>{} {meaning} <small>({count})</small></li>\n", table::verdict(name))
        })
        .collect();
    format!(
        "<section>\n<h2>Verdicts</h2>\n<ul class=\"legend\">\n{verdicts}</ul>\n\
         <p>In brackets how many of the {} comparisons {}, without those of variants. In the small plot of a row the line is the \
         95 % interval of the ratio on a logarithmic axis, the dot the ratio, the grey band the \
         noise floor; an arrow is an end beyond the axis.</p>\n\
         <details>\n<summary>How to read the figures</summary>\n{}</details>\n</section>\n",
        main.len(),
        match (&summary.self_test, &summary.fidelity) {
            (Some(_), _) => "of the self-test",
            (None, Some(_)) => "of build against build",
            (None, None) => "of stack against stack",
        },
        blocks(&results::reading(summary))
    )
}

/// The machine and its state.
pub(super) fn environment(summary: &Summary) -> String {
    let rows: String = provenance::environment(summary)
        .iter()
        .map(|(name, value)| {
            format!("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escape(name), inline(value))
        })
        .collect();
    format!(
        "<section>\n<h2>Environment</h2>\n<table class=\"plain\">\n{rows}</table>\n</section>\n"
    )
}

/// The code that was measured.
pub(super) fn stacks(summary: &Summary) -> String {
    let rows = provenance::stacks(summary);
    let mut out = String::new();
    for (i, row) in rows.iter().enumerate() {
        out.push_str("<tr>");
        for (j, value) in row.iter().enumerate() {
            out.push_str(&match (i, j) {
                (0, 0) => "<td></td>".to_owned(),
                (0, _) => format!("<th scope=\"col\">{}</th>", inline(value)),
                (_, 0) => format!("<th scope=\"row\">{}</th>", inline(value)),
                _ => format!("<td>{}</td>", inline(value)),
            });
        }
        out.push_str("</tr>\n");
    }
    format!(
        "<section>\n<h2>Stacks</h2>\n{}<div class=\"scroll\">\n<table class=\"plain stacks\">\n\
         {out}</table>\n</div>\n</section>\n",
        blocks(provenance::STACKS)
    )
}
