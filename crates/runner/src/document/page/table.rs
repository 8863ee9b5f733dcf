//! The table: a row per benchmark and comparison.

use super::{html::escape, interval::Axis, rounds};
use crate::{arms::Family, groups, stats::paired::Verdict, units, variant};
use bench_shared::summary::{Bench, Comparison, Summary};

/// A comparison and what it belongs to.
pub(super) struct Row<'a> {
    pub(super) bench: &'a Bench,
    pub(super) comparison: &'a Comparison,
    /// Whether it answers what the run is for: the stacks against each other, or, in a self-test, a
    /// side against itself.
    pub(super) main: bool,
}

/// Every comparison in the order of the summary.
pub(super) fn comparisons(summary: &Summary) -> impl Iterator<Item = Row<'_>> {
    let self_test = summary.self_test.is_some();
    let asked = move |c: &Comparison| match Family::of(&c.base, &c.other) {
        Family::Stacks => true,
        Family::Control => self_test,
        Family::Wrappers => false,
    };
    // A run of one side has only what is otherwise beside the point; a table of nothing helps none.
    let any = summary.benches.iter().flat_map(|b| &b.comparisons).any(asked);
    summary.benches.iter().flat_map(move |bench| {
        let row = move |comparison| Row { bench, comparison, main: !any || asked(comparison) };
        bench.comparisons.iter().map(row)
    })
}

/// The controls and the table.
pub(super) fn render(summary: &Summary) -> String {
    let rows: Vec<_> = comparisons(summary).collect();
    let axis = Axis::of(rows.iter().filter(|row| row.main).map(|row| row.comparison));
    let body: String = rows.iter().map(|r| row(r, axis)).collect();
    let footnote = variant::footnote_line(rows.iter().map(|row| &*row.bench.id));
    format!(
        "<section>\n<h2 id=\"comparisons\">Comparisons</h2>\n{}<p class=\"note\">The axis \
         of the small plots goes from {}; the name of a benchmark opens its rounds.{}</p>\n<div class=\"scroll\">\n\
         <table id=\"results\">\n<thead><tr>\
         <th scope=\"col\" data-key=\"benchmark\">benchmark</th>\
         <th scope=\"col\" data-key=\"comparison\">comparison</th>\
         <th scope=\"col\" data-key=\"verdict\">verdict</th>\
         <th scope=\"col\" data-key=\"ratio\">ratio</th>\
         <th scope=\"col\" data-key=\"interval\">95 % interval</th>\
         <td>{}</td>\
         <th scope=\"col\" data-key=\"floor\">floor</th>\
         <th scope=\"col\" data-key=\"base\">base time</th>\
         <th scope=\"col\" data-key=\"other\">other time</th>\
         <th scope=\"col\" data-key=\"minima\">minima</th>\
         <th scope=\"col\" data-key=\"rounds\">rounds</th>\
         </tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n</div>\n</section>\n",
        controls(&rows),
        axis.ends(),
        footnote.map(|text| format!(" {}.", escape(&text))).unwrap_or_default(),
        axis.head()
    )
}

fn row(Row { bench, comparison: c, main }: &Row<'_>, axis: Axis) -> String {
    let main = if *main { " data-main" } else { "" };
    let rounds = |arm: &str| bench.arms.get(arm).map_or(0, |a| a.rounds_ns.len());
    let median = |arm: &str| bench.arms.get(arm).map_or(f64::NAN, |a| a.median_ns);
    let [low, high] = c.ci.map(units::ratio);
    let number = |value: f64, text: &str| format!("<td data-v=\"{value:.5e}\">{text}</td>");
    let (base, other) = (median(&c.base), median(&c.other));
    // The rounds that were paired.
    let paired = rounds(&c.base).min(rounds(&c.other));
    let anchor = escape(&rounds::anchor(&bench.id));
    let link = format!("<a href=\"#{anchor}\">{}</a>", escape(&bench.id));
    format!(
        "<tr data-group=\"{group}\"{main}><th scope=\"row\">{id} \
         <small>{group} {title}</small></th><td><b>{other_arm}</b> against <b>{base_arm}</b></td>\
         <td>{verdict}</td>{ratio}{interval}<td>{drawing}</td>{floor}{base}{other}{minima}\
         <td data-v=\"{paired}\">{paired}</td></tr>\n",
        group = escape(&bench.group),
        id = variant::suffixed(link, &bench.id),
        title = escape(groups::title(&bench.group)),
        other_arm = escape(&c.other),
        base_arm = escape(&c.base),
        verdict = verdict(&c.verdict),
        ratio = number(c.ratio, &units::ratio(c.ratio)),
        interval = number(c.ci[0], &format!("[{low}, {high}]")),
        drawing = axis.draw(c),
        floor = number(c.noise_floor, &units::noise_floor(c.noise_floor)),
        base = number(base, &units::duration(base)),
        other = number(other, &units::duration(other)),
        minima = number(c.ratio_of_minima, &units::ratio(c.ratio_of_minima)),
    )
}

/// A verdict in words, with a sign and a colour for the eye.
pub(super) fn verdict(name: &str) -> String {
    let class = match name {
        v if v == Verdict::Faster.name() => "faster",
        v if v == Verdict::Slower.name() => "slower",
        _ => "none",
    };
    format!("<span class=\"{class}\">{}</span>", escape(name))
}

/// Hidden until the script is there to obey them.
fn controls(rows: &[Row<'_>]) -> String {
    let options = |values: Vec<&str>| -> String {
        let mut seen = Vec::new();
        for value in values {
            if !seen.contains(&value) {
                seen.push(value);
            }
        }
        seen.iter().map(|v| format!("<option>{}</option>", escape(v))).collect()
    };
    let select = |id: &str, title: &str, options: String| {
        format!(
            "<label>{title} <select id=\"{id}\"><option value=\"\">all</option>{options}</select>\
             </label>\n"
        )
    };
    let pairs: Vec<String> = rows
        .iter()
        .map(|r| format!("{} against {}", r.comparison.other, r.comparison.base))
        .collect();
    let all = if rows.iter().all(|row| row.main) {
        ""
    } else {
        "<label class=\"check\"><input type=\"checkbox\" id=\"all\"> control and floors too</label>\n"
    };
    format!(
        "<form id=\"controls\" hidden>\n\
         <label>benchmark <input id=\"q\" type=\"search\" placeholder=\"part of the id\" \
         autocomplete=\"off\" spellcheck=\"false\"></label>\n{}{}{}\
         <label class=\"narrow\">order <select id=\"sort\"></select></label>\n{all}\
         <button type=\"reset\">reset</button>\n\
         <output id=\"count\"></output>\n</form>\n",
        select("group", "group", options(rows.iter().map(|r| r.bench.group.as_str()).collect())),
        select("pair", "comparison", options(pairs.iter().map(String::as_str).collect())),
        select("verdict", "verdict", {
            let given = rows.iter().map(|r| r.comparison.verdict.as_str());
            options(Verdict::ALL.iter().map(|v| v.name()).chain(given).collect())
        }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    #[test]
    fn a_row_has_the_figures_of_its_comparison() {
        let html = render(&example::summary());
        let row = html.lines().find(|l| l.contains("signet-unsync</b> against <b>reth<"));
        let row = row.expect("a row");
        for part in [
            "B2/get/32B</a>",
            "B2 point reads",
            "<span class=\"faster\">faster</span>",
            "<td data-v=\"1.10000e0\">1.10</td>",
            ">[1.10, 1.10]<",
            ">1.0 %<",
            ">110 µs<",
            ">100 µs<",
            "<td data-v=\"16\">16</td>",
            "data-main",
        ] {
            assert!(row.contains(part), "{part} is not in {row}");
        }
    }

    #[test]
    fn a_variant_is_marked_and_explained() {
        let mut summary = example::summary();
        assert!(!render(&summary).contains(variant::MARK));
        summary.benches[0].id = "B2/get/32B/plain".into();
        let html = render(&summary);
        assert!(html.contains("B2/get/32B/plain</a> † <small>"), "{html}");
        assert!(html.contains("† a variant: another build"), "{html}");
    }

    #[test]
    fn control_and_floors_are_not_main() {
        let summary = example::summary();
        let main: Vec<_> = comparisons(&summary).map(|row| row.main).collect();
        assert_eq!(main, [true, false, false, false]);
        assert!(render(&summary).contains("id=\"all\""));
    }
}
