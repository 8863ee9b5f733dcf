//! Legend, axis and rows of a chart.

use super::{
    MARGIN, WIDTH,
    axis::{self, Axis},
    names,
    svg::{Anchor, Body},
    theme::KINDS,
};
use crate::{
    compare::is_verdict,
    groups::{self, Group},
    pairs::find,
    units, variant,
};
use bench_shared::summary::{Bench, Comparison};

/// Widths, pixels: of the column of ids, and of one column of ratios.
const IDS: f64 = 184.0;
const VALUES: f64 = 52.0;

/// Heights, pixels: of a comparison's lane, of the gap below a row's lanes, of a group's heading.
const LANE: f64 = 10.0;
const GAP: f64 = 4.0;
const GROUP: f64 = 25.0;

/// From the middle of a line of text of 11 pixels down to its baseline.
const BASELINE: f64 = 4.0;

/// Half the size of a mark.
const MARK: f64 = 3.4;

/// Draws below `top`; returns where the drawing ends.
pub(super) fn draw(body: &mut Body, top: f64, benches: &[Bench], pairs: &[(&str, &str)]) -> f64 {
    let left = MARGIN + IDS;
    let right = WIDTH - MARGIN - VALUES * pairs.len() as f64 - 8.0;
    let shown = benches.iter().flat_map(|b| pairs.iter().filter_map(|pair| find(b, *pair)));
    let axis = Axis::new(shown.map(|c| (c.ratio, c.ci)), [left, right]);
    let groups: Vec<Group<'_>> = groups::of(benches).collect();
    let row = LANE * pairs.len() as f64 + GAP;

    let mut y = top + 8.0;
    y = legend(body, y, pairs) + 26.0;
    directions(body, y, &axis, pairs);
    y += 17.0;
    labels(body, y, &axis);
    for kind in 0..pairs.len() {
        mark(body, kind, true, [value(right, kind) - 8.0, y - BASELINE]);
    }
    y += 6.0;
    let bottom = y + GROUP * groups.len() as f64 + row * benches.len() as f64 + 4.0;
    // Bands below lines, lines below marks.
    let mut marks = Body::default();
    let mut at = y;
    for group in groups {
        at = heading(&mut marks, at, group);
        for bench in group.benches {
            let middle = at + row / 2.0;
            let id = variant::marked(&bench.id);
            marks.text("id", [MARGIN, middle + BASELINE], Anchor::Start, &id);
            for (kind, pair) in pairs.iter().enumerate() {
                let lane = at + GAP / 2.0 + LANE * (kind as f64 + 0.5);
                let Some(c) = find(bench, *pair) else { continue };
                band(body, lane, &axis, c);
                marks.open(&tooltip(bench, c));
                comparison(&mut marks, kind, lane, &axis, c);
                ratio(&mut marks, [value(right, kind), middle + BASELINE], c);
                marks.close();
            }
            at += row;
        }
    }
    for tick in axis.ticks() {
        let x = axis.x(tick);
        body.line(if tick == 1.0 { "one" } else { "grid" }, [x, y], [x, bottom]);
    }
    body.append(marks);
    labels(body, bottom + 14.0, &axis);
    directions(body, bottom + 31.0, &axis, pairs);
    if let Some(note) = variant::footnote_line(benches.iter().map(|bench| &*bench.id)) {
        body.text("muted", [MARGIN, bottom + 54.0], Anchor::Start, &note);
        return bottom + 58.0;
    }
    bottom + 33.0
}

/// Where the digits of a column of ratios end.
fn value(right: f64, kind: usize) -> f64 {
    right + 8.0 + VALUES * kind as f64 + 34.0
}

/// Draws a symbol at a point; returns where it ends.
type Symbol<'a> = &'a dyn Fn(&mut Body, [f64; 2]) -> f64;

/// Explains every symbol, in as many lines as that takes; returns the height of the last line.
fn legend(body: &mut Body, y: f64, pairs: &[(&str, &str)]) -> f64 {
    // Wide enough for DejaVu Sans, the widest of the fonts.
    let width = |text: &str| 6.5 * text.chars().count() as f64;
    let start = MARGIN + 5.0;
    let (mut x, mut y) = (start, y);
    let mut entry = |symbol: Symbol<'_>, text: &str| {
        if x + 26.0 + width(text) > WIDTH - MARGIN {
            (x, y) = (start, y + 17.0);
        }
        let end = symbol(body, [x, y]) + 5.0;
        body.text("legend", [end, y + BASELINE], Anchor::Start, text);
        x = end + width(text) + 12.0;
        y
    };
    for (kind, (base, other)) in pairs.iter().enumerate() {
        let symbol = |body: &mut Body, at: [f64; 2]| {
            mark(body, kind, true, at);
            at[0] + MARK
        };
        entry(&symbol, &format!("{other} : {base}"));
    }
    let hollow = |body: &mut Body, [x, y]: [f64; 2]| {
        for kind in 0..pairs.len().min(2) {
            mark(body, kind, false, [x + 10.0 * kind as f64, y]);
        }
        x + 10.0 + MARK
    };
    entry(&hollow, "= no measurable difference");
    let line = |body: &mut Body, [x, y]: [f64; 2]| {
        body.line("interval k0", [x - 4.0, y], [x + 16.0, y]);
        x + 16.0
    };
    entry(&line, "95 % interval");
    let floor = |body: &mut Body, [x, y]: [f64; 2]| {
        body.rect("band", [x - 4.0, y - LANE / 2.0], [20.0, LANE]);
        x + 16.0
    };
    entry(&floor, "noise floor");
    let head = |body: &mut Body, [x, y]: [f64; 2]| {
        body.line("interval k0", [x - 4.0, y], [x + 8.0, y]);
        arrow_head(body, "head k0", [x + 12.0, y], 1.0);
        x + 12.0
    };
    entry(&head, "beyond the axis")
}

/// Which way is whose; a ratio is the base's time divided by the other's.
fn directions(body: &mut Body, y: f64, axis: &Axis, pairs: &[(&str, &str)]) {
    let [base, other] = names(pairs);
    let one = axis.x(1.0);
    body.text("strong", [one - 10.0, y], Anchor::End, &format!("← {base} faster"));
    body.text("strong", [one + 10.0, y], Anchor::Start, &format!("{other} faster →"));
}

fn labels(body: &mut Body, y: f64, axis: &Axis) {
    for tick in axis.ticks() {
        let class = if tick == 1.0 { "strong" } else { "muted" };
        body.text(class, [axis.x(tick), y], Anchor::Middle, &axis::label(tick));
    }
}

/// A group's name and title; returns where its rows begin.
fn heading(body: &mut Body, y: f64, Group { name, title, .. }: Group<'_>) -> f64 {
    body.line("grid", [MARGIN, y + 3.0], [WIDTH - MARGIN, y + 3.0]);
    body.text("group", [MARGIN, y + 18.0], Anchor::Start, format!("{name}  {title}").trim());
    y + GROUP
}

fn band(body: &mut Body, lane: f64, axis: &Axis, c: &Comparison) {
    // As in `Effect::verdict`: a difference counts from a factor of 1 + floor, either way.
    let factor = 1.0 + c.noise_floor;
    let [low, high] = [1.0 / factor, factor].map(|ratio| axis.x(ratio));
    body.rect("band", [low, lane - LANE / 2.0], [high - low, LANE]);
}

/// The interval and the ratio; what lies beyond the axis ends in an arrow head at its end.
fn comparison(body: &mut Body, kind: usize, lane: f64, axis: &Axis, c: &Comparison) {
    let [low, high] = c.ci.map(|end| axis.x(end));
    let colour = format!("k{}", kind % KINDS);
    let mut at = axis.x(c.ratio);
    let far = axis.beyond(c.ratio);
    for (i, (outwards, end)) in [(-1.0, low), (1.0, high)].into_iter().enumerate() {
        if far[i] {
            // The mark stands inside, with a piece of line to the head, and its figure beside it: it
            // must not be read off the axis.
            at -= 12.0 * outwards;
            body.line(&format!("interval {colour}"), [at, lane], [end, lane]);
            let anchor = if outwards > 0.0 { Anchor::End } else { Anchor::Start };
            let beside = [at - 7.0 * outwards, lane + BASELINE];
            body.text("value", beside, anchor, &units::ratio(c.ratio));
        }
        if far[i] || axis.beyond(c.ci[i])[i] {
            arrow_head(body, &format!("head {colour}"), [end, lane], outwards);
        }
    }
    body.line(&format!("interval {colour}"), [low, lane], [high, lane]);
    mark(body, kind, is_verdict(c), [at, lane]);
}

/// With its tip at `x`.
fn arrow_head(body: &mut Body, class: &str, [x, y]: [f64; 2], outwards: f64) {
    let back = x - 6.0 * outwards;
    body.polygon(class, &[[x, y], [back, y - 3.0], [back, y + 3.0]]);
}

/// Pairs differ in shape as well as in colour; what has no verdict is hollow.
fn mark(body: &mut Body, kind: usize, filled: bool, [x, y]: [f64; 2]) {
    let class = format!("mark k{}{}", kind % KINDS, if filled { "" } else { " hollow" });
    let (m, wide) = (MARK, MARK * 1.3);
    match kind % KINDS {
        0 => body.circle(&class, [x, y], m),
        1 => body.polygon(&class, &[[x - wide, y], [x, y - wide], [x + wide, y], [x, y + wide]]),
        2 => body.rect(&class, [x - m * 0.9, y - m * 0.9], [m * 1.8, m * 1.8]),
        _ => body.polygon(&class, &[[x, y - wide], [x + wide, y + m], [x - wide, y + m]]),
    }
}

/// The ratio in figures, with `=` for no verdict. Digits end in one column, whatever follows.
fn ratio(body: &mut Body, [x, y]: [f64; 2], c: &Comparison) {
    let text = units::ratio(c.ratio);
    if is_verdict(c) {
        body.text("value strong", [x, y], Anchor::End, &text);
    } else {
        body.text("value muted", [x, y], Anchor::End, &text);
        body.text("value muted", [x + 3.0, y], Anchor::Start, "=");
    }
}

fn tooltip(bench: &Bench, c: &Comparison) -> String {
    let [low, high] = c.ci.map(units::ratio);
    format!(
        "{}, {} : {}: {} [{low}, {high}], floor {}, {}",
        bench.id,
        c.other,
        c.base,
        units::ratio(c.ratio),
        units::percent(c.noise_floor),
        c.verdict
    )
}
