//! Colours and fonts.
//!
//! One file serves GitHub's light and dark themes. Inside an `<img>`, `prefers-color-scheme` follows
//! the browser or the system, not GitHub's own setting, so a transparent chart may be drawn for one
//! background and seen on the other; mid-tones that suffer both leave too little contrast for small
//! text. Therefore every chart stands on an opaque card of its own. The media query changes the card
//! and everything on it together, so whichever wins, text and marks meet the contrast they were
//! chosen for. A renderer without media queries gets the light card.

use std::fmt::Write as _;

/// Colours on one card, as `#rrggbb`.
#[derive(Clone, Copy, Debug)]
struct Theme {
    /// The card.
    card: &'static str,
    /// Its edge, and the grid.
    edge: &'static str,
    /// Text.
    text: &'static str,
    /// Text of less weight.
    muted: &'static str,
    /// The noise floor.
    band: &'static str,
    /// The line at 1.
    one: &'static str,
    /// One for each pair of arms, in order.
    marks: [&'static str; 4],
}

/// Blue and vermilion of Okabe and Ito ("Color Universal Design", 2008), which readers with any of
/// the common colour deficiencies tell apart, darkened or lightened to suit the card; then their
/// green and purple.
const LIGHT: Theme = Theme {
    card: "#ffffff",
    edge: "#d1d9e0",
    text: "#1f2328",
    muted: "#59636e",
    band: "#dfe3e8",
    one: "#59636e",
    marks: ["#0067a8", "#c24e00", "#00785a", "#a3497c"],
};

const DARK: Theme = Theme {
    card: "#0d1117",
    edge: "#3d444d",
    text: "#e6edf3",
    muted: "#9198a1",
    band: "#2b313a",
    one: "#9198a1",
    marks: ["#56b4e9", "#f0883e", "#2fbf93", "#dd93bb"],
};

/// Number of pairs of arms that look different.
pub(super) const KINDS: usize = LIGHT.marks.len();

/// The style sheet.
pub(super) fn style() -> String {
    // Names of installed fonts only: an `<img>` may load nothing.
    let mut out = String::from(
        "text { font: 11px -apple-system, \"Segoe UI\", \"Noto Sans\", Helvetica, Arial, \
         \"DejaVu Sans\", sans-serif }\n\
         .heading { font-size: 17px; font-weight: 600 }\n\
         .group { font-size: 12px; font-weight: 600 }\n\
         .value { font-size: 10.5px; font-variant-numeric: tabular-nums }\n\
         .strong { font-weight: 600 }\n\
         .mark { stroke-width: 1.6 }\n\
         .interval { stroke-width: 1.6 }\n\
         .grid { stroke-width: 1 }\n\
         .one { stroke-width: 1.4 }\n",
    );
    out.push_str(&colours(&LIGHT));
    let _ = writeln!(out, "@media (prefers-color-scheme: dark) {{\n{}}}", colours(&DARK));
    out
}

fn colours(theme: &Theme) -> String {
    let Theme { card, edge, text, muted, band, one, marks } = theme;
    let mut out = format!(
        ".card {{ fill: {card}; stroke: {edge} }}\n\
         text {{ fill: {text} }}\n\
         .muted {{ fill: {muted} }}\n\
         .grid {{ stroke: {edge} }}\n\
         .band {{ fill: {band} }}\n\
         .one {{ stroke: {one} }}\n"
    );
    for (kind, colour) in marks.iter().enumerate() {
        let _ = writeln!(
            out,
            ".k{kind} {{ stroke: {colour}; fill: {colour} }}\n.k{kind}.hollow {{ fill: {card} }}"
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance, WCAG 2.2.
    fn luminance(colour: &str) -> f64 {
        let channel = |i: usize| {
            let value = u8::from_str_radix(&colour[i..i + 2], 16).expect("#rrggbb");
            let c = f64::from(value) / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    /// Contrast ratio, WCAG 2.2: 1 to 21.
    fn contrast(a: &str, b: &str) -> f64 {
        let [a, b] = [a, b].map(luminance);
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
        assert!((contrast("#767676", "#ffffff") - 4.54).abs() < 0.01);
    }

    #[test]
    fn text_and_marks_are_legible_on_either_card() {
        for theme in [LIGHT, DARK] {
            for text in [theme.text, theme.muted] {
                assert!(contrast(text, theme.card) >= 4.5, "{text} on {}", theme.card);
            }
            // Marks lie on the card and on the band; 3:1 is WCAG's bound for graphics.
            for mark in theme.marks.into_iter().chain([theme.one]) {
                for ground in [theme.card, theme.band] {
                    assert!(contrast(mark, ground) >= 3.0, "{mark} on {ground}");
                }
            }
            assert!(contrast(theme.band, theme.card) >= 1.2, "the band is seen");
        }
    }

    #[test]
    fn the_dark_card_changes_everything_at_once() {
        let (light, dark) = (colours(&LIGHT), colours(&DARK));
        let selectors = |css: &str| -> Vec<String> {
            css.lines().filter_map(|l| l.split_once('{')).map(|(s, _)| s.to_owned()).collect()
        };
        assert_eq!(selectors(&light), selectors(&dark));
        assert!(style().contains(&dark));
    }
}
