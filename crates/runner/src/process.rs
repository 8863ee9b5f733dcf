//! Runs one bench process to its end.

use crate::interrupt::Interrupt;
use anyhow::{Context as _, Result, bail};
use bench_shared::job::JOB_ENV;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::{
    fs::File,
    os::unix::process::CommandExt as _,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

/// Longest time for one process. The slowest one of a run at ten times the default scale takes a
/// few minutes; a deadlock inside a stack would otherwise hang the run for ever.
const LIMIT: Duration = Duration::from_secs(30 * 60);

/// Starts `executable` on `job`, with both of its output streams in the file `output`, and waits.
///
/// # Errors
/// If the process cannot be started, takes longer than half an hour or is interrupted.
pub fn run(
    executable: &Path,
    job: &Path,
    output: &Path,
    interrupt: &Interrupt,
) -> Result<ExitStatus> {
    interrupt.check()?;
    let file =
        File::create(output).with_context(|| format!("cannot create {}", output.display()))?;
    let errors = file.try_clone().context("cannot duplicate a file handle")?;
    let mut child = Command::new(executable)
        .env(JOB_ENV, job)
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(errors)
        // A group of its own, so that it can be killed together with what it started, and so that
        // Ctrl-C reaches the runner alone, which then ends the child.
        .process_group(0)
        .spawn()
        .with_context(|| format!("cannot start {}", executable.display()))?;

    interrupt.set_child(Some(Pid::from_child(&child)));
    let timed_out = wait_within(&child, LIMIT, interrupt);
    interrupt.set_child(None);
    let status = child.wait().with_context(|| format!("lost {}", executable.display()))?;

    interrupt.check()?;
    if timed_out? {
        bail!("{} did not end within {} minutes", executable.display(), LIMIT.as_secs() / 60);
    }
    Ok(status)
}

/// Waits without reaping; whether the child had to be killed since `limit` was over.
///
/// The runner sleeps in the kernel meanwhile: polling would disturb what is being measured.
fn wait_within(child: &Child, limit: Duration, interrupt: &Interrupt) -> Result<bool> {
    let (ended, end) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let watch = scope.spawn(move || {
            let late = end.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout);
            if late {
                interrupt.kill_child();
            }
            late
        });
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        let id = WaitId::Pid(Pid::from_child(child));
        let waited = rustix::io::retry_on_intr(|| waitid(id.clone(), options));
        drop(ended);
        let late = watch.join().unwrap_or(false);
        waited.context("cannot wait for a bench process")?;
        Ok(late)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn a_process_that_hangs_is_killed() {
        let mut child =
            Command::new("sleep").arg("60").process_group(0).spawn().expect("sleep starts");
        let interrupt = Interrupt::default();
        interrupt.set_child(Some(Pid::from_child(&child)));
        let start = Instant::now();
        let late = wait_within(&child, Duration::from_millis(50), &interrupt).expect("waited");
        child.wait().expect("reaped");
        assert!(late && start.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn status_and_output_are_kept() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let output = dir.path().join("output");
        let status = run(Path::new("false"), dir.path(), &output, &Interrupt::default());
        assert_eq!(status.expect("run").code(), Some(1));
        assert!(output.exists());
        let missing = run(Path::new("/no/such"), dir.path(), &output, &Interrupt::default());
        assert!(format!("{:#}", missing.expect_err("missing")).contains("/no/such"));
    }
}
