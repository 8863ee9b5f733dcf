//! Reading an environment's settings from a second process, for stacks that hide their handle.

use super::{Side, exit};
use crate::binding::{AnyError, EnvState};
use std::{
    env, fs,
    path::Path,
    process::{Command, ExitCode},
};

/// Set to a directory, it turns a bench binary into a probe: it prints the settings and ends.
const PROBE_ENV: &str = "BENCH_PROBE";

/// If this process was started as a probe, does its work and yields the code to end with. Every
/// `main` that opens a typed database calls it first, since the probe is the same executable.
pub fn probe<S: Side>() -> Option<ExitCode> {
    let dir = env::var_os(PROBE_ENV)?;
    Some(exit(|| {
        let seen = S::state_from_outside(Path::new(&dir))?;
        println!("{}", serde_json::to_string(&seen)?);
        Ok(ExitCode::SUCCESS)
    }))
}

/// State of the environment in `dir`, which this process has open.
#[cfg_attr(
    not(feature = "hotdb"),
    allow(dead_code, reason = "only typed stacks hide their handle")
)]
pub(super) fn state(dir: &Path) -> Result<EnvState, AnyError> {
    let output = Command::new(env::current_exe()?).env(PROBE_ENV, dir).output()?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(format!("the settings probe failed: {}", text.trim()).into());
    }
    let mut seen: EnvState = serde_json::from_slice(&output.stdout)?;
    seen.effective.no_rdahead = mapping_has_no_rdahead(dir)?;
    Ok(seen)
}

/// Whether the mapping of this process's data file is marked for random access, which is how
/// NORDAHEAD shows (`madvise(MADV_RANDOM)`, flag `rr`: proc_pid_smaps(5)).
#[cfg_attr(not(feature = "hotdb"), allow(dead_code, reason = "as above"))]
fn mapping_has_no_rdahead(dir: &Path) -> Result<bool, AnyError> {
    let data_file = dir.join("mdbx.dat").canonicalize()?;
    let data_file = data_file.to_string_lossy();
    let smaps = fs::read_to_string("/proc/self/smaps")?;
    let mut ours = false;
    for line in smaps.lines() {
        if line.ends_with(&*data_file) {
            ours = true;
        } else if let (true, Some(flags)) = (ours, line.strip_prefix("VmFlags:")) {
            return Ok(flags.split_whitespace().any(|flag| flag == "rr"));
        }
    }
    Err(format!("{data_file} is not mapped").into())
}
