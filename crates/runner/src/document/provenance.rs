//! Where the figures of a run come from, as rows for a table: the machine, and the two stacks.

use crate::{
    source::{CHECKOUT, REGISTRY},
    units::{self, percent},
};
use bench_shared::summary::{Side, Summary};

/// Crates of a side by which it is known: the binding, then the typed layer.
const KNOWN: [&str; 6] = [
    "libmdbx-remote",
    "reth-libmdbx",
    "reth-typed",
    "reth-db",
    "signet-libmdbx",
    "signet-hot-mdbx",
];

/// What the sides of a run are, in a line: `reth = registry (libmdbx-remote 0.4.5, reth-typed); signet =
/// …`.
pub(crate) fn caption(summary: &Summary) -> String {
    let sides = summary.sides().map(|(name, side)| format!("{name} = {}", of(side)));
    sides.collect::<Vec<_>>().join("; ")
}

/// What a side is: `reth-libmdbx and reth-db v1.11.3 (upstream, commit d6324d63e27e)`.
pub(crate) fn of(side: &Side) -> String {
    let known = || KNOWN.iter().filter_map(|name| side.packages.get_key_value(*name));
    let versions = || {
        // The suite's own layer has no version that says anything.
        let one = |(name, version): (&String, &String)| match name.as_str() {
            "reth-typed" => name.clone(),
            _ => format!("{name} {version}"),
        };
        known().map(one).collect::<Vec<_>>().join(", ")
    };
    let source = side.source.clone().unwrap_or_default();
    let commit = source.commit.as_deref().map(|commit| commit.get(..12).unwrap_or(commit));
    match side.provenance.as_str() {
        provenance if known().next().is_none() => provenance.to_owned(),
        REGISTRY => format!("{REGISTRY} ({})", versions()),
        CHECKOUT => {
            let commit = commit.map_or_else(String::new, |commit| format!(", commit {commit}"));
            let changed = if source.dirty == Some(true) { ", changed since" } else { "" };
            format!("{} ({CHECKOUT}{commit}{changed})", versions())
        }
        tag => {
            let names: Vec<_> = known().map(|(name, _)| name.as_str()).collect();
            let commit = commit.map_or_else(String::new, |commit| format!(", commit {commit}"));
            format!("{} {tag} (upstream{commit})", names.join(" and "))
        }
    }
}

/// The versions of libmdbx of a run's two sides: `libmdbx 0.13.12 against 0.13.7`.
pub(crate) fn engines(summary: &Summary) -> String {
    let versions: Vec<_> = summary.sides().map(|(_, side)| side.libmdbx.as_str()).collect();
    format!("libmdbx {}", versions.join(" against "))
}

/// What two `raw` arms compare that are not on one libmdbx.
pub(crate) fn libraries(summary: &Summary) -> String {
    let mut commits = summary.sides().map(|(_, side)| &side.engine.commit);
    let first = commits.next();
    if commits.all(|commit| Some(commit) == first) {
        return "two builds of libmdbx, one from a directory whose files need not be those of its commit"
            .to_owned();
    }
    format!("two releases of libmdbx, each with its own build options, {}", engines(summary))
}

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
     (METHODOLOGY.md). A tag is that of reth's own repository. Checksums are those of Cargo.lock; the crates of the suite itself have \
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
    if summary.sides().any(|(_, side)| side.source.is_some()) {
        row("source", &source);
    }
    row("packages (start of the checksum)", &packages);
    row("libmdbx", &|s| format!("{} ({})", s.libmdbx, s.engine.commit));
    row("compiled by", &|s| s.engine.compiler.clone());
    row("with flags", &|s| format!("`{}`", s.engine.flags));
    row("debug assertions", &|s| if s.engine.debug { "on" } else { "off" }.to_owned());
    row("options", &|s| s.engine.options.clone());
    rows
}

/// Where a side's source is, as far as it is known.
fn source(side: &Side) -> String {
    let Some(source) = &side.source else { return "published crates".to_owned() };
    let dirty =
        source.dirty.map(|dirty| if dirty { "changed since" } else { "unchanged" }.to_owned());
    let parts = [
        source.repository.clone(),
        source.path.clone(),
        source.tag.as_ref().map(|tag| format!("tag {tag}")),
        source.commit.as_ref().map(|commit| format!("commit {commit}")),
        dirty,
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    #[test]
    fn a_side_is_named_by_its_crates_and_where_they_are_from() {
        let mut side = example::summary().reth.expect("a side");
        assert_eq!(of(&side), "registry", "none of the crates is known");
        let packages = |names: &[(&str, &str)]| {
            names.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect()
        };
        side.packages = packages(&[("libmdbx-remote", "0.4.5"), ("reth-typed", "0.1.0")]);
        assert_eq!(of(&side), "registry (libmdbx-remote 0.4.5, reth-typed)");
        side.packages = packages(&[("reth-db", "1.11.3"), ("reth-libmdbx", "1.11.3")]);
        side.provenance = "v1.11.3".into();
        side.source = Some(example::upstream());
        assert_eq!(of(&side), "reth-libmdbx and reth-db v1.11.3 (upstream, commit d6324d63e27e)");
        assert!(source(&side).starts_with("https://github.com/paradigmxyz/reth, tag v1.11.3"));
        side.provenance = "checkout".into();
        side.source = Some(bench_shared::summary::Source {
            path: Some("/somewhere".into()),
            dirty: Some(true),
            ..Default::default()
        });
        assert_eq!(of(&side), "reth-libmdbx 1.11.3, reth-db 1.11.3 (checkout, changed since)");
    }

    #[test]
    fn build_options_of_libmdbx_are_in_the_table_of_the_stacks() {
        let mut summary = example::summary();
        if let Some(reth) = &mut summary.reth {
            reth.engine.options = "MDBX_USE_FALLOCATE=0".into();
        }
        let rows = stacks(&summary);
        let row = rows.iter().find(|row| row[0] == "options").expect("a row");
        assert_eq!(row[1..], ["MDBX_USE_FALLOCATE=0", "MDBX_DEBUG=0"]);
    }

    #[test]
    fn two_libraries_differ_by_release_or_by_a_directory() {
        let mut summary = example::summary();
        assert!(libraries(&summary).contains("from a directory"));
        if let Some(reth) = &mut summary.reth {
            reth.engine.commit = "another".into();
        }
        let text = libraries(&summary);
        assert!(text.contains("two releases") && text.contains("build options"), "{text}");
    }

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
