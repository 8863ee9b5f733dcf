//! Every round of a benchmark: a plot, and the numbers for the script.

use super::html::escape;
use crate::{compare::columns, units};
use bench_shared::{
    catalogue,
    summary::{Bench, Round},
};
use std::fmt::Write as _;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 230.0;
/// Where the plot's area begins and ends; page.js reads them from the drawing.
const LEFT: f64 = 68.0;
const RIGHT: f64 = WIDTH - 12.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = HEIGHT - 34.0;

/// Id of the figure of a benchmark, which holds no space and needs no escape in a link.
pub(super) fn anchor(id: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "/._".contains(c) { c } else { '-' };
    format!("rounds-{}", id.chars().map(plain).collect::<String>())
}

/// `{benchmark: {arm: [ns, ...]}}`. Seven digits: more than any clock gives, in half the bytes.
pub(super) fn data(benches: &[Bench]) -> String {
    let text = |name: &str| serde_json::Value::from(name).to_string();
    let of = |bench: &Bench| {
        let arms = bench.arms.iter().map(|(name, arm)| {
            let rounds: Vec<_> = arm.rounds_ns.iter().map(|ns| seven_digits(*ns)).collect();
            format!("{}:[{}]", text(name), rounds.join(","))
        });
        format!("{}:{{{}}}", text(&bench.id), arms.collect::<Vec<_>>().join(","))
    };
    format!("{{{}}}", benches.iter().map(of).collect::<Vec<_>>().join(",\n"))
}

fn seven_digits(value: f64) -> String {
    let whole = value.abs().max(1.0).log10().floor() as usize + 1;
    let text = format!("{value:.*}", 7usize.saturating_sub(whole));
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// The figures of all benchmarks, closed.
pub(super) fn figures(benches: &[Bench]) -> String {
    let arms = columns(benches.iter());
    let figures: String = benches
        .iter()
        .map(|bench| {
            format!(
                "<details><summary>{}</summary>\n{}</details>\n",
                escape(&bench.id),
                figure(bench, &arms)
            )
        })
        .collect();
    format!("<section id=\"rounds\">\n<h2>Rounds</h2>\n{figures}</section>\n")
}

/// Vertical axis, logarithmic: arms may differ a hundredfold.
struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    fn of(bench: &Bench) -> Self {
        let values = bench.arms.values().flat_map(|a| &a.rounds_ns);
        let positive = values.copied().filter(|ns| *ns > 0.0 && ns.is_finite());
        let (low, high) = positive.fold((f64::INFINITY, 0.0_f64), |(l, h), v| (l.min(v), h.max(v)));
        if low > high {
            return Self { low: 1.0, high: 10.0 };
        }
        // A twentieth of the span at both ends, and never so little that wobble looks like drift.
        let margin = (high / low).powf(0.05).max(1.005);
        Self { low: low / margin, high: high * margin }
    }

    fn y(&self, ns: f64) -> f64 {
        let place = (ns.max(self.low) / self.low).ln() / (self.high / self.low).ln();
        BOTTOM - place.min(1.0) * (BOTTOM - TOP)
    }

    /// Round values to label.
    fn ticks(&self) -> Vec<f64> {
        const STEPS: [f64; 3] = [1.0, 2.0, 5.0];
        if self.high / self.low > 6.0 {
            let decades = self.low.log10().floor() as i32..=self.high.log10().ceil() as i32;
            // In a span of decades the powers of ten are enough.
            let steps: &[f64] = if self.high / self.low > 300.0 { &STEPS[..1] } else { &STEPS };
            return decades
                .flat_map(|d| steps.iter().map(move |s| s * 10f64.powi(d)))
                .filter(|t| (self.low..=self.high).contains(t))
                .collect();
        }
        // About four.
        let rough = (self.high - self.low) / 4.0;
        let power = 10f64.powf(rough.log10().floor());
        let fits = |s: &f64| s * power >= rough;
        let step = power * STEPS.into_iter().find(fits).unwrap_or(10.0);
        let first = (self.low / step).ceil() as u64;
        (first..).map(|i| i as f64 * step).take_while(|t| *t <= self.high).collect()
    }
}

fn figure(bench: &Bench, all_arms: &[String]) -> String {
    let axis = Axis::of(bench);
    let count = bench.arms.values().map(|a| a.rounds_ns.len()).max().unwrap_or(1).max(1);
    let x = |round: usize| match count {
        1 => f64::midpoint(LEFT, RIGHT),
        _ => LEFT + 8.0 + round as f64 / (count - 1) as f64 * (RIGHT - LEFT - 16.0),
    };
    let mut grid = String::new();
    let mut labels = String::new();
    for tick in axis.ticks() {
        let y = axis.y(tick);
        let _ = write!(grid, "M{LEFT} {y:.1}H{RIGHT}");
        let _ = write!(
            labels,
            "<text class=\"y\" x=\"{}\" y=\"{:.1}\">{}</text>",
            LEFT - 6.0,
            y + 4.0,
            units::duration(tick)
        );
    }
    let step = count.div_ceil(10).max(1);
    for round in (0..count).step_by(step) {
        let _ = write!(
            labels,
            "<text x=\"{:.1}\" y=\"{}\">{}</text>",
            x(round),
            BOTTOM + 16.0,
            round + 1
        );
    }
    let _ = write!(
        labels,
        "<text class=\"x\" x=\"{}\" y=\"{}\">round</text>",
        f64::midpoint(LEFT, RIGHT),
        HEIGHT - 3.0
    );
    let mut series = String::new();
    let mut legend = String::new();
    for (place, name) in all_arms.iter().enumerate() {
        let Some(arm) = bench.arms.get(name) else { continue };
        // Eight looks; a run has five arms.
        let look = place % 8;
        let mut line = String::new();
        let mut dots = String::new();
        for (round, ns) in arm.rounds_ns.iter().enumerate() {
            let (x, y) = (x(round), axis.y(*ns));
            let _ = write!(line, "{}{x:.1} {y:.1}", if round == 0 { "M" } else { "L" });
            let _ = write!(dots, "M{x:.1} {y:.1}h0");
        }
        let _ = write!(
            series,
            "<g class=\"arm a{look}\" data-arm=\"{}\"><path d=\"{line}\"/><path class=\"d\" d=\"{dots}\"/></g>",
            escape(name)
        );
        let _ = writeln!(
            legend,
            "<li><svg class=\"key arm a{look}\" viewBox=\"0 0 30 10\" aria-hidden=\"true\">\
             <path d=\"M0 5h30\"/><path class=\"d\" d=\"M15 5h0\"/></svg> {} <small>{}</small></li>",
            escape(name),
            units::duration(arm.median_ns)
        );
    }
    let round = |r: &Round| format!("r{:02} ({} first)", r.round, r.first);
    let rounds = escape(&bench.rounds.iter().map(round).collect::<Vec<_>>().join("|"));
    let what = catalogue::bench(&bench.id).map_or_else(String::new, |b| format!(": {}", b.what));
    format!(
        "<figure id=\"{anchor}\" data-id=\"{id}\" data-rounds=\"{rounds}\">\n<figcaption><b>{id}</b>{what}. Time per \
         iteration of each round, logarithmic.</figcaption>\n\
         <svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"Rounds of \
         {id}\" data-low=\"{low:e}\" data-high=\"{high:e}\" data-area=\"{first:.1} {last:.1} {TOP} \
         {BOTTOM}\"><path class=\"g\" d=\"{grid}\"/>{labels}{series}</svg>\n\
         <ul class=\"arms\">\n{legend}</ul>\n</figure>\n",
        anchor = escape(&anchor(&bench.id)),
        id = escape(&bench.id),
        what = escape(&what),
        low = axis.low,
        high = axis.high,
        first = x(0),
        last = x(count - 1),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    #[test]
    fn seven_digits_whatever_the_size() {
        let cases = [
            (110_123.456_789, "110123.5"),
            (0.123_456_789, "0.123457"),
            (1_234_567_890.4, "1234567890"),
            (100.0, "100"),
            (0.0, "0"),
        ];
        for (value, text) in cases {
            assert_eq!(seven_digits(value), text);
        }
    }

    #[test]
    fn ticks_are_round_and_on_the_axis() {
        assert_eq!(Axis { low: 90.0, high: 131.0 }.ticks(), [100.0, 120.0]);
        assert_eq!(Axis { low: 90.0, high: 1_100.0 }.ticks(), [100.0, 200.0, 500.0, 1_000.0]);
        assert_eq!(Axis { low: 9.0, high: 11_000.0 }.ticks(), [10.0, 100.0, 1_000.0, 10_000.0]);
    }

    #[test]
    fn a_figure_has_a_dot_for_each_round_of_each_arm() {
        let bench = &example::summary().benches[0];
        let figure = figure(bench, &columns([bench].into_iter()));
        let rounds: usize = bench.arms.values().map(|a| a.rounds_ns.len()).sum();
        // One more for each arm in the legend.
        assert_eq!(figure.matches("h0").count(), rounds + bench.arms.len());
        for arm in bench.arms.keys() {
            assert!(figure.contains(&format!("</svg> {arm} <small>")), "{arm}");
        }
    }

    #[test]
    fn rounds_are_named_as_their_raw_files() {
        let mut bench = example::summary().benches.remove(0);
        bench.rounds = vec![Round { round: 4, first: "signet".into() }];
        let figure = figure(&bench, &columns([&bench].into_iter()));
        assert!(figure.contains("data-rounds=\"r04 (signet first)\""), "{figure}");
    }

    #[test]
    fn one_round_is_drawn_too() {
        let mut bench = example::summary().benches.remove(0);
        for arm in bench.arms.values_mut() {
            arm.rounds_ns = vec![0.0];
        }
        let figure = figure(&bench, &columns([&bench].into_iter()));
        assert!(!figure.contains("NaN") && !figure.contains("inf"), "{figure}");
    }
}
