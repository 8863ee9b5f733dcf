//! The rows of whole databases, against those that the real reth-db wrote: the suite's own state, plain
//! and hashed, and mainnet's genesis allocation, table by table.
//!
//! Every build of the reth side runs this test. `rows.json` was printed by the build on reth v1.11.3
//! (`rows read DIR default`, of a directory that it had written).

use bench_shared::{
    exchange::{self, Database},
    scale::Scale,
};
use reth_bench::{binding::RethSide, raw::tables::tables};
use std::collections::BTreeMap;

const GOLDEN: &str = include_str!("rows.json");

#[test]
fn databases_hold_the_rows_of_reth_db() {
    let golden: BTreeMap<String, Database> = serde_json::from_str(GOLDEN).unwrap();
    let dir = tempfile::tempdir().unwrap();
    exchange::write::<RethSide>(dir.path(), Scale::Default).unwrap();
    let seen = exchange::read::<RethSide>(dir.path(), Scale::Default, tables).unwrap();

    assert_eq!(seen.keys().collect::<Vec<_>>(), ["genesis", "hashed", "state"]);
    for (set, golden) in golden {
        let seen = &seen[&set];
        assert_eq!(seen.rows, golden.rows, "{set}");
        let names = |database: &Database| database.tables.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(seen), names(&golden), "{set}");
        for (name, golden) in golden.tables {
            // Pages are libmdbx's own business, which differs between its releases.
            let row =
                |t: &exchange::Table| (t.entries, t.key_bytes, t.value_bytes, t.digest.clone());
            assert_eq!(row(&seen.tables[&name]), row(&golden), "{set}: {name}");
        }
    }
}
