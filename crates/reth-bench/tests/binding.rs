//! The binding adapters of the reth side.

use reth_bench::binding::RethSide as Tested;

/// Version and commit. The package has the version of its reth where that is reth's own.
const LIBMDBX: [&str; 2] = match env!("CARGO_PKG_VERSION_MAJOR").as_bytes() {
    b"2" => ["0.13.12", "f619d43dfbc36cbc9a1832503ce43f2e5223996e"],
    _ => ["0.13.7", "566b0f93c7c9a3bdffb8fb3dc0ce8ca42641bd72"],
};

#[path = "../../shared/side_tests/binding.rs"]
mod side;

/// The features of the binding cannot be asked for. What they do can be seen.
#[test]
fn the_binding_is_built_as_the_binary_says() {
    use bench_shared::{
        binding::BindingSide,
        catalogue::{Build, Timeout},
        config::EnvConfig,
        harness::Side,
    };
    use reth_libmdbx::WriteFlags;
    use std::{borrow::Cow, fs};

    let dir = tempfile::tempdir().unwrap();
    let env = Tested::open(dir.path(), &EnvConfig::BINDINGS, Timeout::AsRethDb).unwrap();
    let tx = env.begin_rw_txn().unwrap();
    let dbi = tx.open_db(None).unwrap().dbi();
    tx.put(dbi, b"key", b"value", WriteFlags::UPSERT).unwrap();
    let dirty = tx.get::<Cow<'_, [u8]>>(dbi, b"key").unwrap().unwrap();
    assert_eq!(matches!(dirty, Cow::Borrowed(_)), Tested::BUILD == Build::Node);

    // The kernel keeps the first 15 bytes of a thread's name.
    let names = fs::read_dir("/proc/self/task")
        .unwrap()
        .map(|task| fs::read_to_string(task.unwrap().path().join("comm")).unwrap_or_default());
    let watched = names.into_iter().any(|name| name.starts_with("mdbx-rs-read-tx"));
    assert_eq!(watched, Tested::BUILD == Build::Node);
}
