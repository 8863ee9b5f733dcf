//! What every side answers alike, from its own `-sys` crate and its own constants.

/// Implements [`bench_shared::harness::Side`] for `$side`.
macro_rules! side {
    ($side:ty, $name:literal, $builds:expr) => {
        impl bench_shared::harness::Side for $side {
            const NAME: &'static str = $name;
            const PACKAGES: &'static [&'static str] = crate::PACKAGES;
            const LOCK: &'static str = crate::LOCK;
            const BUILDS: &'static [bench_shared::catalogue::Build] = $builds;

            fn engine() -> bench_shared::job::Engine {
                $crate::raw::probe::engine()
            }

            fn state_from_outside(
                dir: &std::path::Path,
            ) -> Result<bench_shared::binding::EnvState, bench_shared::binding::AnyError> {
                Ok($crate::raw::probe::state_from_outside(dir)?)
            }
        }
    };
}

pub(crate) use side;
