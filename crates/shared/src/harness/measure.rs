//! Timing with Criterion.

use crate::{
    binding::AnyError,
    catalogue::Bench,
    job::{FILLER, Job},
};
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput, measurement::WallTime};
use std::time::{Duration, Instant};

/// Resamples of Criterion's own analysis. The suite takes the raw samples and does its own; with
/// Criterion's default of 100,000 the analysis would outlast the measurement.
const RESAMPLES: usize = 1_000;

/// Samples per process: Criterion's smallest, since the process is the replicate and many short
/// processes beat few long ones.
const SAMPLES: usize = 10;

/// Criterion as the job wants it.
pub(super) fn criterion(job: &Job, standalone: bool) -> Criterion {
    if standalone {
        return Criterion::default().configure_from_args();
    }
    Criterion::default()
        .output_directory(&job.criterion_dir)
        .without_plots()
        .nresamples(RESAMPLES)
        .sample_size(SAMPLES)
        .warm_up_time(Duration::from_millis(job.warm_up_ms.max(1)))
        .measurement_time(Duration::from_millis(job.measurement_ms.max(1)))
}

/// Measures an arm of one benchmark.
#[allow(missing_debug_implementations)]
pub struct Bencher<'c> {
    group: BenchmarkGroup<'c, WallTime>,
}

impl<'c> Bencher<'c> {
    pub(super) fn new(
        criterion: &'c mut Criterion,
        bench: &Bench,
        job: &Job,
        is_filler: bool,
    ) -> Self {
        let prefix = if is_filler { FILLER } else { "" };
        let mut group = criterion.benchmark_group(format!("{prefix}{}", bench.id));
        group.throughput(Throughput::Elements(bench.elements(job.scale)));
        // Equal iterations in every sample, so that their median is a median of equals.
        group.sampling_mode(SamplingMode::Flat);
        Self { group }
    }

    /// Times `op`, which needs no preparation.
    ///
    /// # Panics
    /// If `op` fails: Criterion has no way to carry an error out. The process then ends with the
    /// message and a non-zero code.
    pub fn iter<T, E: std::fmt::Display>(
        &mut self,
        arm: &str,
        mut op: impl FnMut() -> Result<T, E>,
    ) {
        self.group.bench_function(arm, |bencher| {
            bencher.iter(|| op().unwrap_or_else(|error| panic!("arm {arm}: {error}")));
        });
    }

    /// Times `op` alone. Outside the timer, `prepare` runs before each iteration and `check` after
    /// it, and what `op` returns is dropped.
    ///
    /// # Panics
    /// If any of them fails.
    pub fn iter_prepared<P, T, E: std::fmt::Display>(
        &mut self,
        arm: &str,
        mut prepare: impl FnMut() -> Result<P, AnyError>,
        mut op: impl FnMut(P) -> Result<T, E>,
        mut check: impl FnMut() -> Result<(), AnyError>,
    ) {
        self.group.bench_function(arm, |bencher| {
            bencher.iter_custom(|iterations| {
                let mut total = Duration::ZERO;
                for _ in 0..iterations {
                    let input =
                        prepare().unwrap_or_else(|error| panic!("arm {arm}, preparing: {error}"));
                    let start = Instant::now();
                    let output = op(input);
                    total += start.elapsed();
                    drop(output.unwrap_or_else(|error| panic!("arm {arm}: {error}")));
                    check().unwrap_or_else(|error| panic!("arm {arm}, afterwards: {error}"));
                }
                total
            });
        });
    }
}
