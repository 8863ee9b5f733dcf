//! The table of METHODOLOGY.md about schedules: what the noise alone did under each, from self-tests.

use super::markdown::Table;
use crate::{
    self_test::errors,
    units::{self, percent},
};
use bench_shared::summary::Summary;

/// A row for each self-test; other runs have none.
pub fn render(summaries: &[Summary]) -> String {
    let mut table = Table::new([
        "a process measures",
        "order",
        ">warm-up + measurement",
        ">rounds",
        ">wall time",
        ">comparisons",
        ">error, median",
        ">error, 90 %",
        ">half interval",
        ">noise floor",
        ">verdicts",
    ]);
    for summary in summaries {
        let (Some(errors), Some(schedule)) = (errors(summary), &summary.schedule) else { continue };
        table.row([
            format!("one {}", if schedule.interleave == "group" { "group" } else { "benchmark" }),
            if schedule.order == "random" { "random" } else { "A B B A" }.to_owned(),
            format!("{} + {} ms", schedule.warm_up_ms, schedule.measurement_ms),
            summary.rounds.to_string(),
            units::clock(summary.wall_s.round() as u64),
            errors.comparisons.to_string(),
            percent(errors.median),
            percent(errors.ninth_decile),
            percent(errors.interval),
            percent(errors.floor),
            errors.verdicts.len().to_string(),
        ]);
    }
    table.render()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;
    use bench_shared::summary::Schedule;

    #[test]
    fn a_self_test_has_a_row_and_another_run_has_none() {
        let mut summary = example::summary();
        summary.schedule = Some(Schedule {
            interleave: "group".into(),
            order: "random".into(),
            seed: Some(7),
            warm_up_ms: 5,
            measurement_ms: 20,
        });
        assert_eq!(render(std::slice::from_ref(&summary)).lines().count(), 2, "titles only");
        summary.self_test = Some("reth".into());
        let text = render(&[summary]);
        let row = text.lines().nth(2).expect("a row");
        for part in ["one group", "random", "5 + 20 ms", "1 min 02 s", "10.0 %"] {
            assert!(row.contains(part), "{part} is not in {row}");
        }
    }
}
