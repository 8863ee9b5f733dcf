//! Where the figures of a run come from, as rows for a table: the machine, and the two stacks.

use crate::units::{self, percent};
use bench_shared::summary::{Side, Summary};

/// Names and values of the environment, in Markdown.
pub(super) fn environment(summary: &Summary) -> Vec<(&'static str, String)> {
    let (host, conditions) = (&summary.host, &summary.conditions);
    let pinned = host.pinned_cpu.map_or_else(|| "none".to_owned(), |cpu| format!("CPU {cpu}"));
    let unknown = || "unknown".to_owned();
    let load = |load: Option<[f64; 3]>| {
        load.map_or_else(unknown, |l| l.map(|value| format!("{value:.2}")).join(" "))
    };
    let share = |share: Option<f64>| share.map_or_else(unknown, percent);
    let flags: Vec<_> =
        conditions.flags.iter().map(|(name, value)| format!("{name}={value}")).collect();
    vec![
        ("CPU", host.cpu.clone()),
        ("logical CPUs", host.cores.to_string()),
        ("memory", conditions.memory.map_or_else(unknown, units::bytes)),
        ("kernel", host.kernel.clone()),
        (
            "frequency governor",
            conditions.governor.clone().unwrap_or_else(|| "none (the kernel sets none)".to_owned()),
        ),
        ("file system of the databases", host.db_fs.clone()),
        ("bench processes pinned to", pinned),
        ("load average before (1, 5, 15 min)", load(conditions.load_before)),
        ("load average after", load(conditions.load_after)),
        ("CPU time of other programs just before", share(conditions.other_load)),
        ("CPU time busy over the run, of all CPUs", share(conditions.busy)),
        ("CPU time stolen by the hypervisor", share(conditions.steal)),
        ("rustc", host.rustc.clone()),
        ("compiler flags set", if flags.is_empty() { "none".to_owned() } else { flags.join(" ") }),
        ("suite", format!("`{}`", host.git)),
        ("seed of the bootstrap", summary.seed.to_string()),
        (
            "seed of the order",
            summary
                .schedule
                .as_ref()
                .and_then(|s| s.seed)
                .map_or_else(|| "that of the bootstrap".to_owned(), |seed| seed.to_string()),
        ),
    ]
}

/// What stands above the table of the stacks.
pub(super) const STACKS: &str = "Provenance `registry` is built from published crates alone; for the reth side \
     those are a published fork of its binding and a typed layer over reth's own codecs \
     (METHODOLOGY.md). Checksums are those of Cargo.lock; the crates of the suite itself have \
     none.";

/// The sides' names, then a name and each side's value, in Markdown.
pub(super) fn stacks(summary: &Summary) -> Vec<Vec<String>> {
    let packages = |side: &Side| -> String {
        let package = |(name, version): (&String, &String)| match side.checksums.get(name) {
            Some(sum) => format!("{name} {version} (`{}…`)", sum.get(..8).unwrap_or(sum)),
            None => format!("{name} {version}"),
        };
        side.packages.iter().map(package).collect::<Vec<_>>().join(", ")
    };
    let sides: Vec<_> = summary.sides().collect();
    let titles = std::iter::once("").chain(sides.iter().map(|(name, _)| *name));
    let mut rows = vec![titles.map(str::to_owned).collect()];
    let mut row = |name: &str, of: &dyn Fn(&Side) -> String| {
        let values = sides.iter().map(|(_, side)| of(side));
        rows.push(std::iter::once(name.to_owned()).chain(values).collect());
    };
    row("provenance", &|s| s.provenance.clone());
    row("packages (start of the checksum)", &packages);
    row("libmdbx", &|s| format!("{} ({})", s.libmdbx, s.engine.commit));
    row("compiled by", &|s| s.engine.compiler.clone());
    row("with flags", &|s| format!("`{}`", s.engine.flags));
    row("debug assertions", &|s| if s.engine.debug { "on" } else { "off" }.to_owned());
    row("options", &|s| s.engine.options.clone());
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    #[test]
    fn the_environment_has_what_changes_a_figure() {
        let rows = environment(&example::summary());
        let value = |name: &str| {
            let row = rows.iter().find(|(title, _)| title.contains(name));
            row.map(|(_, value)| value.as_str()).unwrap_or_default()
        };
        assert_eq!(value("memory"), "24 GiB");
        assert_eq!(value("load average before"), "0.50 0.60 0.70");
        assert_eq!(value("stolen"), "0.2 %");
        assert!(value("governor").starts_with("none"));
    }

    #[test]
    fn packages_have_the_start_of_their_checksum() {
        let rows = stacks(&example::summary());
        assert_eq!(rows[0], ["", "reth", "signet"]);
        let packages = rows.iter().find(|row| row[0].starts_with("packages")).expect("packages");
        assert_eq!(packages[1], "some-mdbx 1.2.3 (`ab12ab12…`)");
    }
}
