//! On which CPUs the process may run.
//!
//! A thread-safe write transaction hops to a manager thread and back. What that costs depends on
//! placement more than on anything else (about 15 µs when both threads share a CPU, about 140 µs
//! when they sit on two idle virtual ones), on both stacks alike. So every bench process pins itself
//! to one CPU, and the benchmarks named `free` undo it for themselves.

use std::{io, mem};

/// The CPUs that the process was given, and the one it pins itself to.
#[derive(Clone, Copy)]
pub struct Affinity {
    all: libc::cpu_set_t,
    /// The highest CPU of the set: the lowest serves most interrupts.
    pinned: usize,
}

impl std::fmt::Debug for Affinity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Affinity").field("pinned", &self.pinned).finish_non_exhaustive()
    }
}

impl Affinity {
    /// Reads the CPUs that this thread may run on.
    ///
    /// # Errors
    /// The system's.
    pub fn current() -> io::Result<Self> {
        // SAFETY: a cpu_set_t is plain bits; the call writes at most its size.
        let all = unsafe {
            let mut set: libc::cpu_set_t = mem::zeroed();
            if libc::sched_getaffinity(0, mem::size_of_val(&set), &mut set) != 0 {
                return Err(io::Error::last_os_error());
            }
            set
        };
        let cpus = 0..libc::CPU_SETSIZE as usize;
        // SAFETY: the index is below CPU_SETSIZE.
        let pinned = cpus.rev().find(|&cpu| unsafe { libc::CPU_ISSET(cpu, &all) }).unwrap_or(0);
        Ok(Self { all, pinned })
    }

    /// The CPU of [`Self::pin`].
    pub const fn pinned_cpu(&self) -> usize {
        self.pinned
    }

    /// Restricts this thread, and those it starts from now on, to one CPU.
    ///
    /// # Errors
    /// The system's.
    pub fn pin(&self) -> io::Result<()> {
        // SAFETY: a cpu_set_t is plain bits; the index is below CPU_SETSIZE.
        let one = unsafe {
            let mut set: libc::cpu_set_t = mem::zeroed();
            libc::CPU_SET(self.pinned, &mut set);
            set
        };
        set(&one)
    }

    /// Gives this thread, and those it starts from now on, every CPU that the process was given.
    ///
    /// # Errors
    /// The system's.
    pub fn free(&self) -> io::Result<()> {
        set(&self.all)
    }
}

fn set(cpus: &libc::cpu_set_t) -> io::Result<()> {
    // SAFETY: the set is initialised and of the size given.
    match unsafe { libc::sched_setaffinity(0, mem::size_of_val(cpus), cpus) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
