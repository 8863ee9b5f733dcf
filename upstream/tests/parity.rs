//! The registry side against the real reth: each opens the databases that the other wrote and reads
//! every row. Two programs, since two libmdbx may never meet in one binary.
//!
//! Tables, pages and file sizes of both are printed (`cargo test --test parity -- --nocapture`). Where
//! both hold the same release of libmdbx they must be equal to the page.

use bench_shared::{exchange::Database, harness::Side as _};
use reth_bench::binding::RethSide;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
};

type Seen = BTreeMap<String, Database>;

/// libmdbx of the registry side.
const REGISTRY_LIBMDBX: &str = "0.13.7";

/// The program `rows` of the reth side of a workspace.
fn rows_of(workspace: &Path) -> PathBuf {
    let output = Command::new(env!("CARGO"))
        .current_dir(workspace)
        .args(["build", "--locked", "--package", "reth-bench", "--example", "rows"])
        .args(["--message-format", "json-render-diagnostics"])
        .output()
        .expect("cargo build");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let messages = String::from_utf8(output.stdout).expect("JSON");
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .expect("the path of the program")
}

fn run(program: &Path, verb: &str, dir: &Path) -> String {
    let output = Command::new(program)
        .arg(verb)
        .arg(dir)
        .arg("default")
        .output()
        .expect("a program that runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{} {verb} {}: {error}", program.display(), dir.display());
    String::from_utf8(output.stdout).expect("text")
}

fn read(program: &Path, dir: &Path) -> Seen {
    serde_json::from_str(&run(program, "read", dir)).expect("what `rows read` prints")
}

fn print(writer: &str, seen: &Seen) {
    for (set, database) in seen {
        println!("{set}, written by {writer}: {} bytes", database.file_bytes);
        for (name, t) in &database.tables {
            println!(
                "  {name}: {} entries, depth {}, {} branch, {} leaf, {} overflow pages",
                t.entries, t.depth, t.branch_pages, t.leaf_pages, t.overflow_pages
            );
        }
    }
}

/// Entries and their digest, by set and table.
fn rows(seen: &Seen) -> Vec<(&str, &str, u64, &str)> {
    seen.iter()
        .flat_map(|(set, database)| {
            database.tables.iter().map(move |(name, table)| {
                (set.as_str(), name.as_str(), table.entries, table.digest.as_str())
            })
        })
        .collect()
}

#[test]
fn each_side_reads_every_row_that_the_other_wrote() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let [registry, real] = [&own.join("../.."), &own].map(|workspace| rows_of(workspace));
    let dir = tempfile::tempdir().expect("a temporary directory");
    let [by_registry, by_real] = ["registry", "real"].map(|name| dir.path().join(name));
    run(&registry, "write", &by_registry);
    run(&real, "write", &by_real);

    // A reader compares every row with the model, so that reading at all means equal rows.
    let (own, others) = (read(&registry, &by_registry), read(&real, &by_registry));
    let (real_own, registry_others) = (read(&real, &by_real), read(&registry, &by_real));
    print("the registry side", &own);
    print("the real reth-db", &real_own);
    assert_eq!(own, others, "one database, two readers");
    assert_eq!(real_own, registry_others, "one database, two readers");
    assert_eq!(rows(&own), rows(&real_own), "the bytes of the rows");
    if RethSide::engine().version == REGISTRY_LIBMDBX {
        assert_eq!(own, real_own, "pages and sizes");
    }
}
