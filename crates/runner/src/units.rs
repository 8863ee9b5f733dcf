//! Numbers for people.

use crate::stats::noise_floor::HIGH;

/// Time of one iteration with a unit, three significant digits: `304 ns`, `1.23 ms`.
pub fn duration(ns: f64) -> String {
    const UNITS: [(&str, f64); 4] = [("s", 1e9), ("ms", 1e6), ("µs", 1e3), ("ns", 1.0)];
    if !ns.is_finite() {
        return "–".to_owned();
    }
    // A value that would round to 1000 of a unit belongs to the next one.
    let unit = UNITS.into_iter().find(|(_, size)| ns >= 0.9995 * size).unwrap_or(UNITS[3]);
    format!("{} {}", significant(ns / unit.1), unit.0)
}

/// Three significant digits, at most two of them decimals.
fn significant(value: f64) -> String {
    let decimals = match value {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    format!("{value:.decimals$}")
}

/// A ratio: `1.08`, `0.012`, `12.3`, `366`.
pub fn ratio(ratio: f64) -> String {
    if ratio < 0.1 { format!("{ratio:.3}") } else { significant(ratio) }
}

/// A ratio with its interval: `1.10 [1.05, 1.16]`.
pub fn ratio_within(value: f64, interval: [f64; 2]) -> String {
    let [low, high] = interval.map(ratio);
    format!("{} [{low}, {high}]", ratio(value))
}

/// A fraction as a percentage: `1.0 %`.
pub fn percent(fraction: f64) -> String {
    format!("{:.1} %", fraction * 100.0)
}

/// A noise floor as a percentage, marked if it is so high that the benchmark says little.
pub fn noise_floor(fraction: f64) -> String {
    let mark = if fraction > HIGH { " ⚠" } else { "" };
    format!("{}{mark}", percent(fraction))
}

/// Bytes in binary units: `2 GiB`, `1.5 GiB`.
pub fn bytes(bytes: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match UNITS.into_iter().find(|(_, size)| bytes >= *size) {
        Some((unit, size)) if bytes.is_multiple_of(size) => format!("{} {unit}", bytes / size),
        Some((unit, size)) => format!("{:.1} {unit}", bytes as f64 / size as f64),
        None => format!("{bytes} B"),
    }
}

/// Whole seconds as `1 h 02 min`, `3 min 20 s` or `7 s`.
pub fn clock(seconds: u64) -> String {
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m} min {s:02} s"),
        (h, m, _) => format!("{h} h {m:02} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_high_floor_is_marked() {
        assert_eq!(noise_floor(0.10), "10.0 %");
        assert_eq!(noise_floor(0.101), "10.1 % ⚠");
    }

    #[test]
    fn three_significant_digits() {
        let cases = [
            (0.5, "0.50 ns"),
            (304.4, "304 ns"),
            (999.6, "1.00 µs"),
            (1_234.0, "1.23 µs"),
            (12_345.0, "12.3 µs"),
            (99_960.0, "100 µs"),
            (5e6, "5.00 ms"),
            (2.5e9, "2.50 s"),
            (f64::NAN, "–"),
        ];
        for (ns, text) in cases {
            assert_eq!(duration(ns), text);
        }
    }

    #[test]
    fn sizes_shares_and_times() {
        assert_eq!(bytes(2 << 30), "2 GiB");
        assert_eq!(bytes(3 << 29), "1.5 GiB");
        assert_eq!(bytes(0), "0 B");
        assert_eq!(percent(0.0123), "1.2 %");
        assert_eq!([clock(7), clock(200), clock(3720)], ["7 s", "3 min 20 s", "1 h 02 min"]);
        assert_eq!([1.0, 0.0123, 12.34, 366.4].map(ratio), ["1.00", "0.012", "12.3", "366"]);
    }
}
