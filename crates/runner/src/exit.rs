//! Exit codes: 0 success, 1 failure, 2 a command line that cannot be carried out, 130 interrupted.

use std::{io::Write as _, process::ExitCode};

/// A command line that cannot be carried out. The text names the input and the remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// The run was ended by Ctrl-C or by a request to terminate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// What a shell reports for a program that SIGINT ended.
const INTERRUPTED: u8 = 130;

/// Prints the error, if there is one, and gives the exit code that belongs to it.
pub fn code(result: anyhow::Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    // A reader such as `head` that has seen enough is no failure of ours.
    let closed_pipe = error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe);
    if closed_pipe {
        return ExitCode::SUCCESS;
    }
    // Not `eprintln!`, which panics when stderr is gone, as it is after a lost terminal.
    let _ = writeln!(std::io::stderr(), "error: {error:#}");
    if error.is::<Interrupted>() {
        ExitCode::from(INTERRUPTED)
    } else if error.is::<Usage>() {
        ExitCode::from(2)
    } else {
        ExitCode::FAILURE
    }
}
