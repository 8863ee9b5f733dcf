//! The axis of ratios: logarithmic, so that twice as fast and twice as slow are equally far from 1.

/// Leading digits of the ticks in each decade; below 10 there are more, as most ratios lie there.
const FINE: [f64; 6] = [1.0, 1.5, 2.0, 3.0, 5.0, 7.0];
const COARSE: [f64; 3] = [1.0, 2.0, 5.0];

/// Further ticks near 1 for an axis so short that they have [`APART_NEAR`] to themselves.
const NEAR: [f64; 2] = [0.8, 1.2];
const APART_NEAR: f64 = 40.0;

/// The axis shows at least this much, so that noise alone does not fill the chart.
const LEAST: [f64; 2] = [0.7, 1.5];

/// How far beyond the outermost ratio an interval may stretch the axis, as a factor. The interval of
/// one noisy benchmark must not squeeze all the others together; beyond, it gets an arrow head.
const STRETCH: f64 = 1.5;

/// Ratios that may lie beyond an end of the axis, as a share of all, and how far beyond the rest they
/// must lie, as a factor. A few ratios of 200 would leave those between 0.9 and 1.5, which most are,
/// a tenth of the width; their figures stand at the edge, with an arrow head for the mark.
const FAR_SHARE: f64 = 0.05;
const FAR: f64 = 3.0;

/// Least distance of two labels, pixels: a label of four characters and a gap.
const APART: f64 = 30.0;

/// Positions of ratios.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    ratios: [f64; 2],
    pixels: [f64; 2],
}

impl Axis {
    /// An axis between `pixels` that shows every ratio but a few that are far out, and of the
    /// intervals what is not. Items are a ratio and its interval; what is no positive number is
    /// ignored.
    pub(super) fn new(items: impl Iterator<Item = (f64, [f64; 2])>, pixels: [f64; 2]) -> Self {
        let usable = |v: f64| v.is_finite() && v > 0.0;
        let (ratios, intervals): (Vec<f64>, Vec<[f64; 2]>) = items.unzip();
        let ratios: Vec<f64> = ratios.into_iter().filter(|r| usable(*r)).collect();
        // Both ends are treated as upper ones: the lower one as that of the reciprocals.
        let end = |side: usize, least: f64| {
            let outwards = |v: f64| if side == 0 { 1.0 / v } else { v };
            let mut sorted: Vec<f64> = ratios.iter().map(|r| outwards(*r)).collect();
            sorted.sort_by(f64::total_cmp);
            let inner = sorted.len() - (FAR_SHARE * sorted.len() as f64) as usize;
            let most = |ratios: &[f64]| ratios.last().map_or(least, |last| last.max(least));
            let (inner, all) = (most(&sorted[..inner]), most(&sorted));
            let ratio = if all > inner * FAR { inner } else { all };
            let ends = intervals.iter().map(|ends| ends[side]).filter(|end| usable(*end));
            let interval = ends.map(outwards).fold(ratio, f64::max);
            // A mark at the very end would touch the frame.
            outwards(interval.min(ratio * STRETCH) * 1.04)
        };
        Self { ratios: [end(0, 1.0 / LEAST[0]), end(1, LEAST[1])], pixels }
    }

    /// Position of a ratio, pixels, held within the axis; that of 1 for what is no number.
    pub(super) fn x(&self, ratio: f64) -> f64 {
        let [low, high] = self.ratios;
        let ratio = if ratio.is_nan() { 1.0 } else { ratio.clamp(low, high) };
        let [left, right] = self.pixels;
        left + (right - left) * (ratio / low).ln() / (high / low).ln()
    }

    /// Whether a ratio lies beyond the left end, beyond the right end.
    pub(super) fn beyond(&self, ratio: f64) -> [bool; 2] {
        [ratio < self.ratios[0], ratio > self.ratios[1]]
    }

    /// Ratios to label. 1 always is one; a tick too near to a rounder one is left out.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let [low, high] = self.ratios;
        let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
        let mut ranked = vec![1.0];
        for digits in [&FINE[..1], &COARSE, &FINE] {
            for exponent in decades.clone() {
                // Above 10, and below 0.1, few ratios lie; the fine ticks there would say nothing.
                if digits.len() == FINE.len() && !(-1..1).contains(&exponent) {
                    continue;
                }
                let decade = 10f64.powi(exponent);
                ranked.extend(digits.iter().map(|digit| digit * decade));
            }
        }
        let ranked = ranked.into_iter().map(|tick| (tick, APART));
        let mut ticks: Vec<f64> = Vec::new();
        for (tick, apart) in ranked.chain(NEAR.map(|tick| (tick, APART_NEAR))) {
            let free = ticks.iter().all(|other| (self.x(*other) - self.x(tick)).abs() >= apart);
            if free && (low..=high).contains(&tick) {
                ticks.push(tick);
            }
        }
        ticks.sort_by(f64::total_cmp);
        ticks
    }
}

/// A tick's label: `0.5`, `1`, `1.5`, `200`.
pub(super) fn label(tick: f64) -> String {
    // Ticks have at most two significant digits; the product with the decade may have more.
    let decimals = if tick >= 10.0 { 0 } else { 1 - tick.log10().floor() as i32 };
    let text = format!("{tick:.*}", decimals.max(0) as usize);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(items: &[(f64, [f64; 2])]) -> Axis {
        Axis::new(items.iter().copied(), [100.0, 700.0])
    }

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks().into_iter().map(label).collect()
    }

    #[test]
    fn ticks_are_readable_at_any_range() {
        assert_eq!(labels(&axis(&[])), ["0.7", "0.8", "1", "1.2", "1.5"]);
        let narrow = axis(&[(0.6, [0.5, 0.7]), (2.3, [2.0, 3.1])]);
        assert_eq!(labels(&narrow), ["0.5", "0.7", "0.8", "1", "1.2", "1.5", "2", "3"]);
        let wide = axis(&[(0.6, [0.5, 0.7]), (234.0, [210.0, 260.0])]);
        let expected = ["0.5", "0.7", "1", "2", "3", "5", "7", "10", "20", "50", "100", "200"];
        assert_eq!(labels(&wide), expected);
        let huge = axis(&[(0.0001, [0.0001; 2]), (1e6, [1e6; 2])]);
        let ticks = huge.ticks();
        assert!(ticks.contains(&1.0) && ticks.contains(&1e6), "{ticks:?}");
        assert!(ticks.windows(2).all(|w| huge.x(w[1]) - huge.x(w[0]) >= APART), "{ticks:?}");
    }

    #[test]
    fn a_few_far_ratios_do_not_squeeze_the_rest() {
        let many = |far: &[f64]| {
            let near = (0..20).map(|i| 0.9 + 0.1 * f64::from(i));
            let ratios: Vec<_> = near.chain(far.iter().copied()).map(|r| (r, [r; 2])).collect();
            axis(&ratios)
        };
        // The largest near ratio is 2.8, and one of 21 or 22 is 5 %.
        assert_eq!(many(&[200.0]).beyond(200.0), [false, true]);
        assert_eq!(many(&[200.0]).beyond(2.8), [false; 2]);
        assert_eq!(many(&[0.01]).beyond(0.01), [true, false]);
        assert_eq!(many(&[8.0]).beyond(8.0), [false; 2], "not far");
        assert_eq!(many(&[200.0, 200.0]).beyond(200.0), [false; 2], "not few");
    }

    #[test]
    fn equal_factors_are_equally_far_from_one() {
        let axis = axis(&[(0.25, [0.2, 0.3]), (4.0, [3.0, 5.0])]);
        let one = axis.x(1.0);
        assert!((axis.x(2.0) - one - (one - axis.x(0.5))).abs() < 1e-9);
    }

    #[test]
    fn every_ratio_is_shown_and_a_far_interval_is_cut() {
        let axis = axis(&[(2.0, [0.01, 90.0]), (f64::NAN, [f64::NAN; 2]), (0.0, [0.0; 2])]);
        assert_eq!(axis.beyond(2.0), [false, false]);
        assert_eq!(axis.beyond(0.01), [true, false]);
        assert_eq!(axis.beyond(90.0), [false, true]);
        assert!((axis.x(90.0) - 700.0).abs() < 1e-9 && (axis.x(0.01) - 100.0).abs() < 1e-9);
        assert_eq!(axis.x(f64::NAN), axis.x(1.0));
    }

    #[test]
    fn labels_have_no_spare_digits() {
        let ticks = [0.05, 0.5, 0.7, 1.0, 1.5, 7.0, 10.0, 200.0];
        let expected = ["0.05", "0.5", "0.7", "1", "1.5", "7", "10", "200"];
        assert_eq!(ticks.map(label), expected);
    }
}
