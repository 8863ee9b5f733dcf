//! The interval of a ratio as a small drawing.

use bench_shared::summary::Comparison;

const WIDTH: f64 = 180.0;
const HEIGHT: f64 = 20.0;

/// Logarithmic axis from `1 / limit` to `limit`, the same in every row, so that rows compare.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    limit: f64,
}

impl Axis {
    /// The narrowest that holds three in four of the comparisons: a few that differ a hundredfold
    /// would leave nothing to see of the others.
    pub(super) fn of<'a>(comparisons: impl Iterator<Item = &'a Comparison>) -> Self {
        const LIMITS: [f64; 6] = [1.25, 1.5, 2.0, 3.0, 5.0, 10.0];
        let extents: Vec<f64> =
            comparisons.map(|c| (1.0 / c.ci[0]).max(c.ci[1]).max(1.0)).collect();
        let enough =
            |limit: &f64| extents.iter().filter(|e| *e <= limit).count() * 4 >= extents.len() * 3;
        Self { limit: LIMITS.into_iter().find(enough).unwrap_or(LIMITS[5]) }
    }

    /// Position of a ratio, and whether it is on the axis.
    fn x(self, ratio: f64) -> (f64, bool) {
        // No ratio of times is 0; a file may hold one all the same.
        let place = ratio.max(1e-9).ln() / self.limit.ln();
        let inside = place.abs() <= 1.0;
        // Room for an arrow at both ends.
        (WIDTH / 2.0 + place.clamp(-1.0, 1.0) * (WIDTH / 2.0 - 8.0), inside)
    }

    /// Its ends in words.
    pub(super) fn ends(self) -> String {
        format!("1/{0} to {0}", self.limit)
    }

    /// The axis itself, for the head of the column.
    pub(super) fn head(self) -> String {
        let limit = self.limit;
        let label = |ratio: f64, text: &str| {
            format!("<text x=\"{:.1}\" y=\"11\">{text}</text>", self.x(ratio).0)
        };
        format!(
            "<svg class=\"ci\" viewBox=\"0 0 {WIDTH} 14\" aria-hidden=\"true\">{}{}{}</svg>",
            label(1.0 / limit, &format!("1/{limit}")),
            label(1.0, "1"),
            label(limit, &limit.to_string())
        )
    }

    /// The drawing of a comparison. The numbers beside it say the same, so it has no text.
    pub(super) fn draw(self, c: &Comparison) -> String {
        let middle = HEIGHT / 2.0;
        let floor = 1.0 + c.noise_floor;
        let [(left, _), (right, _)] = [1.0 / floor, floor].map(|r| self.x(r));
        let [(low, low_inside), (high, high_inside)] = c.ci.map(|r| self.x(r));
        let (dot, dot_inside) = self.x(c.ratio);
        let mut marks = format!(
            "<rect x=\"{left:.1}\" width=\"{:.1}\" height=\"{HEIGHT}\"/><path class=\"g\" \
             d=\"M{:.1} 0v{HEIGHT}\"/><path d=\"M{low:.1} {middle}H{high:.1}",
            right - left,
            WIDTH / 2.0
        );
        if !low_inside {
            marks.push_str(&arrow(low, middle));
        }
        if !high_inside && (low_inside || high != low) {
            marks.push_str(&arrow(high, middle));
        }
        marks.push_str("\"/>");
        if dot_inside {
            marks.push_str(&format!("<circle cx=\"{dot:.1}\" cy=\"{middle}\" r=\"3.5\"/>"));
        }
        format!(
            "<svg class=\"ci\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" aria-hidden=\"true\">{marks}</svg>"
        )
    }
}

/// Points away from the middle of the axis.
fn arrow(x: f64, y: f64) -> String {
    let (tip, back) = if x < WIDTH / 2.0 { (x - 6.0, 6.0) } else { (x + 6.0, -6.0) };
    format!("M{:.1} {}L{tip:.1} {y}l{back:.1} 5M{x:.1} {y}H{tip:.1}", tip + back, y - 5.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparison(ratio: f64, ci: [f64; 2]) -> Comparison {
        Comparison {
            base: "a".into(),
            other: "b".into(),
            ratio,
            ci,
            ratio_of_minima: ratio,
            noise_floor: 0.1,
            p_value: None,
            verdict: "faster".into(),
        }
    }

    #[test]
    fn the_axis_fits_most_and_not_the_extremes() {
        let mut all = vec![comparison(1.1, [1.05, 1.2]); 19];
        all.push(comparison(0.004, [0.003, 0.005]));
        assert_eq!(Axis::of(all.iter()), Axis { limit: 1.25 });
        let wide = vec![comparison(0.004, [0.003, 0.005]); 3];
        assert_eq!(Axis::of(wide.iter()), Axis { limit: 10.0 });
    }

    #[test]
    fn equality_is_in_the_middle_and_ends_beyond_are_arrows() {
        let axis = Axis { limit: 2.0 };
        assert_eq!([1.0, 2.0, 0.5].map(|r| axis.x(r).0), [90.0, 172.0, 8.0]);
        let inside = axis.draw(&comparison(1.0, [0.5, 2.0]));
        assert!(inside.contains("M8.0 10H172.0\"/><circle cx=\"90.0\""), "{inside}");
        let beyond = axis.draw(&comparison(9.0, [8.0, 10.0]));
        assert!(!beyond.contains("circle") && beyond.contains("L178.0 10"), "{beyond}");
    }
}
