//! BENCH_SPEC.md: the definition of every benchmark, from the catalogue.

use super::markdown::Table;
use crate::{
    mode::{Mode, rounds_of},
    units,
};
use bench_shared::{
    catalogue::{BENCHES, GROUPS, Layer, block_line},
    config::EnvConfig,
    scale::{DUPS, Scale},
};

/// The command that writes the document.
pub const COMMAND: &str = "cargo run -p bench-runner -- spec > BENCH_SPEC.md";

/// The document.
pub fn render() -> String {
    let mut out = format!(
        "<!-- Generated from the catalogue in crates/shared/src/catalogue.rs by
     `{COMMAND}`: do not edit. -->

# Benchmark specification

The definition of every benchmark: what one iteration does, what of it is timed, and what a
difference between the stacks would mean. The suite runs from the same catalogue that this document
is generated from. METHODOLOGY.md says how the figures are made, and why so.

- A **group** is named by its layer and number: B for the raw bindings, H for the typed hot
  database. All benchmarks of a group run in one process of each side, on freshly written databases.
- **Elements** are what one iteration processes at the default scale; `--scale smoke` has a
  hundredth of the data, `--scale large` ten times as much (4 KiB values excepted).
- **Rounds** are those of a quick and of a sequential run. Operations too long for every round take
  part in some of them, spread evenly.
- Every arm of every benchmark is verified against the model before anything is timed.

"
    );
    out.push_str(&data());
    out.push_str(&configuration());
    for layer in [Layer::Bindings, Layer::HotDb] {
        let name = match layer {
            Layer::Bindings => "Raw bindings",
            Layer::HotDb => "Typed hot database",
        };
        out.push_str(&format!("## {name}\n\n"));
        for group in GROUPS.iter().filter(|g| g.layer == layer) {
            out.push_str(&format!(
                "### {}: {}\n\n- **Timed:** {}.\n- **A difference means:** {}.\n\n{}\n",
                group.name,
                group.title,
                group.timed,
                group.meaning,
                of_group(group.name)
            ));
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn of_group(name: &str) -> String {
    let mut table = Table::new(["id", "one iteration", ">elements", "rounds"]);
    for bench in BENCHES.iter().filter(|b| b.group() == name) {
        let elements = bench.elements(Scale::Default);
        let plural = if elements == 1 { "" } else { plural(bench.unit()) };
        let rounds = Mode::ALL.map(|m| rounds_of(bench.cost, m.rounds()).to_string());
        table.row([
            format!("`{}`", bench.id),
            bench.what.to_owned(),
            format!("{} {}{plural}", thousands(elements), stem(bench.unit(), elements)),
            rounds.join(" / "),
        ]);
    }
    table.render()
}

/// English has two plurals among the units of the catalogue.
fn plural(unit: &str) -> &'static str {
    if unit.ends_with('y') { "ies" } else { "s" }
}

fn stem(unit: &str, count: u64) -> &str {
    match unit.strip_suffix('y') {
        Some(stem) if count != 1 => stem,
        _ => unit,
    }
}

fn data() -> String {
    let scale = Scale::Default;
    format!(
        "## Data

Made from one documented seed, the same on every machine: uniform 32-byte keys, independent values,
accounts mixed as on mainnet, post-Cancun headers.

- A large table has {} entries, a medium one {} keys, addresses or headers.
- Each key of a table with duplicates, and each address with storage, has {DUPS} of them.
- One iteration makes {} random look-ups, or reads {} entries of a range.
- A block of H4 and H6: {}.

",
        thousands(scale.large() as u64),
        thousands(scale.medium() as u64),
        thousands(scale.lookups() as u64),
        thousands(scale.range() as u64),
        block_line(scale)
    )
}

fn configuration() -> String {
    let text = |config: &EnvConfig| {
        let sync_bytes = config.sync_bytes.map(|b| units::bytes(b as u64));
        [
            "SAFE_NOSYNC, WRITEMAP, NORDAHEAD".to_owned(),
            units::bytes(config.max_size as u64),
            units::bytes(config.growth_step as u64),
            config.shrink_threshold.to_string(),
            units::bytes(config.page_size as u64),
            config.max_dbs.to_string(),
            thousands(config.max_readers),
            thousands(config.rp_augment_limit),
            sync_bytes.unwrap_or_else(|| "libmdbx's default".to_owned()),
        ]
    };
    const NAMES: [&str; 9] = [
        "flags",
        "upper size",
        "growth step",
        "shrink threshold",
        "page size",
        "max_dbs",
        "max_readers",
        "rp_augment_limit",
        "sync_bytes",
    ];
    let mut table = Table::new(["setting", "raw bindings", "typed hot database"]);
    let (bindings, hotdb) = (text(&EnvConfig::BINDINGS), text(&EnvConfig::HOTDB));
    for ((name, bindings), hotdb) in NAMES.into_iter().zip(bindings).zip(hotdb) {
        table.row([name.to_owned(), bindings, hotdb]);
    }
    format!(
        "## Configuration\n\nThe same for every arm, and read back from each open environment; a run \
         with any other ends at once.\n\n{}\n",
        table.render()
    )
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_and_benchmark_is_in_it() {
        let text = render();
        for bench in BENCHES {
            assert!(text.contains(&format!("`{}`", bench.id)), "{}", bench.id);
        }
        for group in GROUPS {
            assert!(text.contains(&format!("### {}: {}", group.name, group.title)));
        }
        assert!(text.contains("10,000 entries") || text.contains("100,000 entries"));
        assert!(!text.contains("entrys"));
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([1, 999, 1_000, 262_144].map(thousands), ["1", "999", "1,000", "262,144"]);
    }
}
