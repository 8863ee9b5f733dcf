//! What the kernel says about the machine. Everything here is for the record, so that what cannot
//! be read is left out rather than an error.

use std::{fs, path::Path};

fn read(path: &str) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

/// Value of the first `key: value` line of a file in `/proc`.
fn field(text: &str, key: &str) -> Option<String> {
    text.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.trim() == key)
        .map(|(_, value)| value.trim().to_owned())
}

/// Model name of the CPU.
pub fn cpu() -> String {
    read("/proc/cpuinfo")
        .and_then(|text| field(&text, "model name"))
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// Logical CPUs that this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Kernel release.
pub fn kernel() -> String {
    read("/proc/sys/kernel/osrelease").unwrap_or_else(|| "unknown".to_owned())
}

/// Frequency governor of the first CPU; `None` where the kernel governs none, as in most virtual
/// machines.
pub fn governor() -> Option<String> {
    read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
}

/// The three load averages.
pub fn load() -> Option<[f64; 3]> {
    let text = read("/proc/loadavg")?;
    let mut values = text.split(' ').map_while(|v| v.parse().ok());
    Some([values.next()?, values.next()?, values.next()?])
}

/// Memory, bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// Installed.
    pub total: Option<u64>,
    /// Obtainable without swapping.
    pub available: Option<u64>,
}

/// Memory of the machine.
pub fn memory() -> Memory {
    let text = read("/proc/meminfo").unwrap_or_default();
    let bytes = |key| {
        let value = field(&text, key)?;
        value.strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
    };
    Memory { total: bytes("MemTotal"), available: bytes("MemAvailable") }
}

/// Time that all CPUs together spent, in ticks, since the machine started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ticks {
    /// All of it.
    pub total: u64,
    /// Idle or waiting for a device.
    pub idle: u64,
    /// Taken by the hypervisor for other machines.
    pub steal: u64,
}

impl Ticks {
    /// Until now.
    pub fn now() -> Option<Self> {
        Self::parse(&read("/proc/stat")?)
    }

    fn parse(stat: &str) -> Option<Self> {
        let line = stat.lines().next()?.strip_prefix("cpu ")?;
        // user nice system idle iowait irq softirq steal; guest time, which follows, is in user.
        let ticks: Vec<u64> =
            line.split_whitespace().map_while(|v| v.parse().ok()).take(8).collect();
        let at = |i: usize| ticks.get(i).copied().unwrap_or(0);
        Some(Self { total: ticks.iter().sum(), idle: at(3) + at(4), steal: at(7) })
    }

    /// Share of the time since `earlier` that was not idle, and share that was stolen.
    pub fn shares_since(self, earlier: Self) -> (f64, f64) {
        let total = self.total.saturating_sub(earlier.total).max(1) as f64;
        let idle = self.idle.saturating_sub(earlier.idle) as f64;
        let steal = self.steal.saturating_sub(earlier.steal) as f64;
        (1.0 - idle / total, steal / total)
    }
}

/// Type of the file system that holds `path`, which is absolute: `tmpfs`, `ext4`.
pub fn file_system(path: &Path) -> String {
    let text = read("/proc/self/mountinfo").unwrap_or_default();
    mounted(&text, path).unwrap_or_else(|| "unknown".to_owned())
}

fn mounted(mountinfo: &str, path: &Path) -> Option<String> {
    let mounts = mountinfo.lines().filter_map(|line| {
        // id parent major:minor root mount-point options... - type source options
        let (left, right) = line.split_once(" - ")?;
        let point = left.split(' ').nth(4)?.replace("\\040", " ");
        Some((point, right.split(' ').next()?.to_owned()))
    });
    mounts
        .filter(|(point, _)| path.starts_with(point))
        // Of two mounts on one point the later hides the earlier.
        .max_by_key(|(point, _)| point.len())
        .map(|(_, fs)| fs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_mount_holds_a_path() {
        let info = "\
22 1 8:1 / / rw - ext4 /dev/sda1 rw
23 22 0:5 / /dev rw - devtmpfs none rw
24 23 0:6 / /dev/shm rw,nosuid - tmpfs tmpfs rw
25 22 0:7 / /a\\040b rw shared:1 - xfs /dev/sdb rw
";
        let fs = |path: &str| mounted(info, Path::new(path)).expect("mounted");
        assert_eq!(fs("/dev/shm/x"), "tmpfs");
        assert_eq!(fs("/dev/shmx"), "devtmpfs");
        assert_eq!(fs("/a b/c"), "xfs");
        assert_eq!(fs("/home"), "ext4");
    }

    #[test]
    fn stolen_and_busy_shares() {
        let earlier = Ticks::parse("cpu  100 0 100 800 0 0 0 0 0 0\n").expect("ticks");
        let later = Ticks::parse("cpu  130 0 110 850 5 0 0 5 30 0\n").expect("ticks");
        let (busy, steal) = later.shares_since(earlier);
        assert!((busy - 0.45).abs() < 1e-9 && (steal - 0.05).abs() < 1e-9);
    }

    #[test]
    fn this_machine_can_be_read() {
        assert!(cores() >= 1 && !kernel().is_empty() && !cpu().is_empty());
        assert!(memory().total >= memory().available);
        assert!(Ticks::now().is_some_and(|t| t.total >= t.idle));
    }
}
