//! The workspaces of `upstream/` differ from the default one in where reth comes from and in nothing
//! else that decides a figure.

mod support;

use std::{collections::BTreeMap, fs};
use support::root;
use toml_edit::{DocumentMut, Item};

/// Each workspace with the commit of its tag.
const TAGS: [(&str, &str); 2] = [
    ("v1.11.3", "d6324d63e27ef6b7c49cdc9b1977c1b808234c7b"),
    ("v2.5.1", "6dec1b96b625584956883c34ad0eafbe550480ac"),
];

fn manifest(path: &str) -> DocumentMut {
    let text = fs::read_to_string(root().join(path)).expect(path);
    text.parse().expect(path)
}

/// Keys and values of a table, without comments and spaces.
fn entries(table: &Item) -> BTreeMap<String, String> {
    let table = table.as_table_like().expect("a table");
    let bare = |item: &Item| match item.as_array() {
        Some(array) => {
            let mut all: Vec<_> = array.iter().filter_map(|v| v.as_str()).collect();
            all.sort_unstable();
            format!("{all:?}")
        }
        None => item.to_string().trim().to_owned(),
    };
    table.iter().map(|(key, item)| (key.to_owned(), bare(item))).collect()
}

#[test]
fn binaries_are_optimised_and_linted_alike() {
    let default = manifest("Cargo.toml");
    for (tag, _) in TAGS {
        let upstream = manifest(&format!("upstream/{tag}/Cargo.toml"));
        let bench = |m: &DocumentMut| {
            let mut bench = entries(&m["profile"]["bench"]);
            // What the default workspace leaves unoptimised is on no measured path.
            bench.remove("package");
            bench
        };
        assert_eq!(bench(&upstream), bench(&default), "{tag}");
        for kind in ["rust", "clippy"] {
            let lints = |m: &DocumentMut| entries(&m["workspace"]["lints"][kind]);
            assert_eq!(lints(&upstream), lints(&default), "{tag}: {kind}");
        }
    }
}

#[test]
fn the_package_has_the_same_features_targets_and_msrv() {
    let default = manifest("crates/reth-bench/Cargo.toml");
    let msrv = manifest("Cargo.toml")["workspace"]["package"]["rust-version"].to_string();
    for (tag, _) in TAGS {
        let upstream = manifest(&format!("upstream/{tag}/crates/reth-bench/Cargo.toml"));
        let mut features = entries(&upstream["features"]);
        // reth-db's own half, which reth-typed joins in one crate.
        for feature in features.values_mut() {
            *feature = feature.replace(r#""dep:reth-db-api", "#, "");
        }
        assert_eq!(features, entries(&default["features"]), "{tag}");
        assert_eq!(upstream["package"]["rust-version"].to_string().trim(), msrv.trim(), "{tag}");
        assert_eq!(upstream["package"]["version"].as_str(), tag.strip_prefix('v'), "{tag}");
        for kind in ["bench", "test", "example"] {
            let names = |m: &DocumentMut| -> Vec<String> {
                let targets = m[kind].as_array_of_tables().expect(kind).iter();
                let name = |t: &toml_edit::Table| t["name"].as_str().expect("a name").to_owned();
                targets.map(name).filter(|name| name != "parity" && name != "binding").collect()
            };
            assert_eq!(names(&upstream), names(&default), "{tag}: {kind}");
        }
    }
}

/// `cc` sets flags of its own, which differ between its releases.
#[test]
fn the_c_code_is_compiled_by_one_release_of_cc() {
    let of = |workspace: &str| {
        let lock = manifest(&format!("{workspace}Cargo.lock"));
        let packages = lock["package"].as_array_of_tables().expect("packages").iter();
        let versions: Vec<_> = packages
            .filter(|p| p["name"].as_str() == Some("cc"))
            .map(|p| p["version"].to_string())
            .collect();
        versions
    };
    let own = of("");
    assert_eq!(own.len(), 1, "{own:?}");
    for (tag, _) in TAGS {
        assert_eq!(of(&format!("upstream/{tag}/")), own, "{tag}");
    }
}

#[test]
fn reth_is_locked_at_the_commit_of_its_tag() {
    for (tag, commit) in TAGS {
        let lock = manifest(&format!("upstream/{tag}/Cargo.lock"));
        let source = format!("git+https://github.com/paradigmxyz/reth?tag={tag}#{commit}");
        for name in ["reth-libmdbx", "reth-mdbx-sys", "reth-db", "reth-db-api"] {
            let mut packages = lock["package"].as_array_of_tables().expect("packages").iter();
            let package = packages.find(|p| p["name"].as_str() == Some(name)).expect(name);
            assert_eq!(package["source"].as_str(), Some(source.as_str()), "{name}");
            assert_eq!(package["version"].as_str(), tag.strip_prefix('v'), "{name}");
        }
    }
}
