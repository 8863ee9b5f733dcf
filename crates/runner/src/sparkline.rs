//! Rounds as one line of blocks.

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The range that the blocks stand for. Logarithmic, as ratios are: equal steps are equal factors, so
/// that a slow arm does not flatten a fast one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The lowest block's lower end, nanoseconds.
    pub low: f64,
    /// The highest block's upper end, nanoseconds.
    pub high: f64,
}

impl Scale {
    /// From the smallest to the largest of `values`, positive nanoseconds; `None` if there is none.
    pub fn over(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        values.into_iter().fold(None, |scale, value| {
            let Self { low, high } = scale.unwrap_or(Self { low: value, high: value });
            Some(Self { low: low.min(value), high: high.max(value) })
        })
    }

    /// Factor between one block and the next.
    pub fn step(self) -> f64 {
        (self.high / self.low).powf(1.0 / BLOCKS.len() as f64)
    }

    /// One block per value, in their order. All lowest if the scale is a single point.
    pub fn draw(self, values: &[f64]) -> String {
        let range = (self.high / self.low).ln();
        let block = |value: &f64| {
            let place = if range > 0.0 { (value / self.low).ln() / range } else { 0.0 };
            BLOCKS[((place * BLOCKS.len() as f64) as usize).min(BLOCKS.len() - 1)]
        };
        values.iter().map(block).collect()
    }
}

/// The lowest and the highest block.
pub const ENDS: [char; 2] = [BLOCKS[0], BLOCKS[BLOCKS.len() - 1]];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_the_lowest_and_the_highest_block() {
        let scale = Scale::over([3.0, 1.0, 256.0]).expect("values");
        assert_eq!(scale, Scale { low: 1.0, high: 256.0 });
        assert_eq!(scale.step(), 2.0);
        // A factor of two a block.
        assert_eq!(scale.draw(&[1.0, 3.0, 6.0, 12.0, 24.0, 48.0, 96.0, 192.0]), "▁▂▃▄▅▆▇█");
        assert_eq!(scale.draw(&[256.0, 1.0]), "█▁");
    }

    #[test]
    fn equal_rounds_are_a_flat_line() {
        let scale = Scale::over([5.0; 3]).expect("values");
        assert_eq!(scale.draw(&[5.0; 3]), "▁▁▁");
        assert_eq!(scale.step(), 1.0);
    }

    #[test]
    fn nothing_has_no_scale() {
        assert_eq!(Scale::over([]), None);
    }
}
