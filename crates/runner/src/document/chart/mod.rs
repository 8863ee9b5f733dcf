//! A chart of a run: every ratio of the two stacks with its interval, one SVG per layer.
//!
//! The tables hold the figures; the chart shows at a glance which of them differ and how far the
//! noise reaches. It is drawn with a writer of our own (`svg`): `plotters` inlines every colour and
//! measures text in fonts of the machine that draws, which rules out one file for light and dark
//! themes, a title and description for screen readers, and the same bytes on every machine.

mod axis;
mod plot;
mod svg;
mod theme;

use super::place;
use crate::{
    arms::{self, Side},
    pairs::{of_pair, stacks},
    stats::paired::Verdict,
    variant,
};
use bench_shared::{
    catalogue::Layer,
    summary::{Bench, Summary},
};
use svg::{Anchor, Body};

/// Width of a chart, pixels: that of a document's column on GitHub.
const WIDTH: f64 = 900.0;

/// Free space at the edges, pixels.
const MARGIN: f64 = 16.0;

/// Characters of a line of the head: the width in letters of 6.2 pixels, the average of DejaVu Sans
/// at 11 pixels, which is the widest of the fonts.
const LINE: usize = 140;

/// Layers that a run has a chart of: those in which stacks were compared.
pub fn layers(summary: &Summary) -> Vec<Layer> {
    let compared = |layer: &Layer| !stacks(&benches(summary, *layer)).is_empty();
    [Layer::Bindings, Layer::HotDb].into_iter().filter(compared).collect()
}

/// Name of a layer's chart, beside the summary of its run.
pub fn file_name(layer: Layer) -> String {
    format!("{}.svg", layer.name())
}

/// Whether the text of a file is a chart of this module.
pub fn is_chart(text: &str) -> bool {
    text.starts_with("<svg ") && text.contains("<rect class=\"card\"")
}

/// Markdown that shows the charts of a published run, from a document in the root of the suite.
pub fn embedded(summary: &Summary) -> String {
    let image = |layer| {
        let benches = benches(summary, layer);
        let (heading, file) = (heading(layer, &stacks(&benches)), file_name(layer));
        let directory = place::directory(summary);
        format!("![{heading}, {} run](results/{directory}/{file})\n", summary.mode)
    };
    layers(summary).into_iter().map(image).collect::<Vec<_>>().join("\n")
}

/// The chart of a layer; `None` if no stacks were compared in it.
pub fn render(summary: &Summary, layer: Layer) -> Option<String> {
    let benches = benches(summary, layer);
    let stacks = stacks(&benches);
    if stacks.is_empty() {
        return None;
    }
    let mut body = Body::default();
    let heading = heading(layer, &stacks);
    let mut y = MARGIN + 16.0;
    body.text("heading", [MARGIN, y], Anchor::Start, &heading);
    let counts = summary.complete && summary.verified;
    for (i, line) in head(summary).iter().flat_map(|line| wrapped(line)).enumerate() {
        y += if i == 0 { 20.0 } else { 15.0 };
        let class = if counts { "muted" } else { "strong" };
        body.text(class, [MARGIN, y], Anchor::Start, &line);
    }
    let height = plot::draw(&mut body, y + 12.0, &benches, &stacks) + MARGIN;

    // The card lies below everything; its edge is drawn whole only half a pixel inside.
    let mut file = Body::default();
    file.rect("card", [0.5, 0.5], [WIDTH - 1.0, height.round() - 1.0]);
    file.append(body);
    let desc = description(&benches, &stacks);
    Some(file.file([WIDTH, height], &heading, &desc, &theme::style()))
}

fn benches(summary: &Summary, layer: Layer) -> Vec<Bench> {
    summary.benches.iter().filter(|b| b.layer == layer.name()).cloned().collect()
}

/// `Raw bindings: signet against reth`.
fn heading(layer: Layer, stacks: &[(&str, &str)]) -> String {
    let name = match layer {
        Layer::Bindings => "Raw bindings",
        Layer::HotDb => "Typed hot database",
    };
    let [base, other] = names(stacks);
    format!("{name}: {other} against {base}")
}

/// What the bases and what the others are called: by their sides, or by their arms where a side is
/// compared with itself.
pub(super) fn names(pairs: &[(&str, &str)]) -> [String; 2] {
    let common = |sides: &[Side]| {
        sides.first().copied().filter(|first| sides.iter().all(|side| side == first))
    };
    let bases: Vec<Side> = pairs.iter().map(|(base, _)| arms::side(base)).collect();
    let others: Vec<Side> = pairs.iter().map(|(_, other)| arms::side(other)).collect();
    match (common(&bases), common(&others), pairs) {
        (Some(base), Some(other), _) if base != other => [base, other].map(|s| s.name().to_owned()),
        (_, _, [(base, other)]) => [base, other].map(|&arm| arm.to_owned()),
        _ => ["base", "other"].map(str::to_owned),
    }
}

/// Lines that say what was measured, where and on what.
fn head(summary: &Summary) -> Vec<String> {
    let Summary { mode, rounds, started, scale, host, .. } = summary;
    let date = started.get(..10).unwrap_or(started);
    let commit = host.git.get(..12).unwrap_or(&host.git);
    let mut lines = vec![format!(
        "{mode} run of {date}, {rounds} rounds of each side at {scale} scale; {}, {} logical CPUs; \
         commit {commit}",
        host.cpu, host.cores
    )];
    if !summary.verified {
        lines.push("NOT VERIFIED: no figure here means anything.".to_owned());
    }
    if !summary.complete {
        lines.push("Interrupted: fewer rounds than planned.".to_owned());
    }
    for (name, side) in summary.sides() {
        let packages: Vec<_> = side.packages.iter().map(|(n, v)| format!("{n}\u{a0}{v}")).collect();
        // The one provenance whose name does not say that it is no build of reth's own source.
        let stand_in = if name == Side::Reth.name() && side.provenance == "registry" {
            " (published crates that stand in for reth, not reth itself)"
        } else {
            ""
        };
        lines.push(format!(
            "{name} side: provenance {}{stand_in}: {}",
            side.provenance,
            packages.join(", ")
        ));
    }
    lines
}

/// A text in lines of at most [`LINE`] characters, unless a word is longer.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    // A package and its version have a no-break space between them and stay together.
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= LINE => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// For readers who cannot see the chart: how it reads, and what it comes to.
fn description(benches: &[Bench], stacks: &[(&str, &str)]) -> String {
    let [base, other] = names(stacks);
    let mut out = format!(
        "Ratios of times with 95 % intervals on a logarithmic axis, one row for each of {} \
         benchmarks. Above 1, {other} takes less time than {base}.",
        benches.len()
    );
    let counted = variant::counted(benches);
    let variants = benches.len() - counted.len();
    if variants > 0 {
        out.push_str(&format!(" Variants, {variants} of them, are not counted in what follows."));
    }
    for &(base, other) in stacks {
        let counts = Verdict::ALL.map(|v| {
            let said = of_pair(&counted, (base, other)).filter(|c| c.verdict == v.name());
            format!("{} {}", said.count(), v.name())
        });
        out.push_str(&format!(" {other} against {base}: {}.", counts.join(", ")));
    }
    out
}

#[cfg(test)]
mod tests;
