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

/// An error, and another one that came while tidying up after it.
#[derive(Debug, thiserror::Error)]
#[error("{original:#}\nalso: {later:#}")]
struct Followed {
    original: anyhow::Error,
    later: anyhow::Error,
}

/// `original`, and the error of `later` behind it if it has one.
pub fn and(original: anyhow::Error, later: anyhow::Result<()>) -> anyhow::Error {
    match later {
        Ok(()) => original,
        Err(later) => Followed { original, later }.into(),
    }
}

/// Whether the error, or the original of several, is [`Interrupted`].
pub fn is_interrupted(error: &anyhow::Error) -> bool {
    original(error).is::<Interrupted>()
}

fn original(error: &anyhow::Error) -> &anyhow::Error {
    error.downcast_ref::<Followed>().map_or(error, |both| original(&both.original))
}

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
    if is_interrupted(&error) {
        ExitCode::from(INTERRUPTED)
    } else if original(&error).is::<Usage>() {
        ExitCode::from(2)
    } else {
        ExitCode::FAILURE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::{Context as _, anyhow};

    #[test]
    fn an_error_while_tidying_up_hides_nothing() {
        let first: anyhow::Result<()> = Err(Interrupted).context("round 1 failed");
        let error = and(first.expect_err("an error"), Err(anyhow!("disk full")));
        let error = and(error, Err(anyhow!("no such directory")));
        let text = "round 1 failed: interrupted\nalso: disk full\nalso: no such directory";
        assert_eq!(format!("{error:#}"), text);
        assert!(is_interrupted(&error));
        assert!(!is_interrupted(&and(anyhow!("crash"), Err(Interrupted.into()))));
        assert_eq!(format!("{:#}", and(anyhow!("crash"), Ok(()))), "crash");
    }
}
