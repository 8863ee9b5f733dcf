//! Ctrl-C and requests to terminate: the running child is killed at once, and the runner then
//! returns by the ordinary way, so that everything it made is removed.

use crate::exit::Interrupted;
use anyhow::{Context as _, Result};
use rustix::process::{Pid, Signal, kill_process_group};
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

/// Whether the run was interrupted, and the child to kill when it is.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<State>);

#[derive(Debug, Default)]
struct State {
    raised: AtomicBool,
    /// Leader of the process group of the child that runs now. It is cleared before the child is
    /// reaped, so that its number cannot have passed to another process.
    child: Mutex<Option<Pid>>,
}

impl Interrupt {
    /// Catches SIGINT, SIGTERM and SIGHUP from now on.
    pub fn install() -> Result<Self> {
        let interrupt = Self::default();
        let handler = interrupt.clone();
        ctrlc::set_handler(move || {
            handler.0.raised.store(true, Ordering::SeqCst);
            handler.kill_child();
        })
        .context("cannot install a signal handler")?;
        Ok(interrupt)
    }

    /// [`Interrupted`] if a signal has come.
    pub fn check(&self) -> Result<(), Interrupted> {
        if self.0.raised.load(Ordering::SeqCst) { Err(Interrupted) } else { Ok(()) }
    }

    /// Names the child that runs now, or that none does. A signal that came before kills it here.
    pub fn set_child(&self, child: Option<Pid>) {
        *self.child() = child;
        if self.check().is_err() {
            self.kill_child();
        }
    }

    /// Kills the running child and whatever it started.
    pub fn kill_child(&self) {
        if let Some(pid) = *self.child() {
            // It may have ended by itself in the meantime, which is as well.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    fn child(&self) -> std::sync::MutexGuard<'_, Option<Pid>> {
        self.0.child.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
