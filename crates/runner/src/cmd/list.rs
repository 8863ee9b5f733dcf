//! `list`: what there is.

use super::print;
use anyhow::Result;
use bench_shared::catalogue::{Bench, GROUPS};

/// Lists these benchmarks.
pub fn run(benches: &[&Bench]) -> Result<()> {
    print(&render(benches))
}

fn render(benches: &[&Bench]) -> String {
    let width = benches.iter().map(|b| b.id.len()).max().unwrap_or(0);
    let mut out = String::new();
    for group in GROUPS {
        let mut of_group = benches.iter().filter(|b| b.group() == group.name).peekable();
        if of_group.peek().is_none() {
            continue;
        }
        out.push_str(&format!("{}  {} ({})\n", group.name, group.title, group.layer));
        for bench in of_group {
            out.push_str(&format!("  {:width$}  {}\n", bench.id, bench.what));
        }
        out.push('\n');
    }
    out.push_str(&format!("{} benchmarks\n", benches.len()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use bench_shared::catalogue::BENCHES;

    #[test]
    fn groups_and_benchmarks_are_listed() {
        let all = render(&BENCHES.iter().collect::<Vec<_>>());
        assert!(GROUPS.iter().all(|g| all.contains(&format!("{}  {}", g.name, g.title))));
        assert!(BENCHES.iter().all(|b| all.contains(b.what)));
        let some = render(&[&BENCHES[0], &BENCHES[1]]);
        assert!(some.ends_with("2 benchmarks\n") && !some.contains("H1"));
    }
}
