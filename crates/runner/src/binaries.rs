//! Finds the bench binaries in cargo's messages, since their file names carry a hash.

use crate::{cli::Executable, plan::Plan, source::Binary};
use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// The parts of one line of `cargo --message-format=json` that matter here.
#[derive(Deserialize)]
struct Message {
    reason: String,
    target: Option<Target>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
}

/// Bench binaries of a run, by [`Binary::key`].
#[derive(Clone, Debug, Default)]
pub struct Binaries(BTreeMap<String, PathBuf>);

impl Binaries {
    /// Reads files of cargo's JSON messages, each about the build of one bench.
    pub fn read(files: &[Executable]) -> Result<Self> {
        let mut found = BTreeMap::new();
        for Executable { key, messages } in files {
            let text = fs::read_to_string(messages)
                .with_context(|| format!("cannot read {}", messages.display()))?;
            // Lines that are no messages of cargo's are output of a build script.
            let of_bench = |line: &str| bench_of(serde_json::from_str(line).ok()?);
            if let Some(path) = text.lines().filter(|l| l.starts_with('{')).rev().find_map(of_bench)
            {
                found.insert(key.clone(), path);
            }
        }
        Ok(Self(found))
    }

    /// Fails unless every binary that `plan` needs is there.
    pub fn require(&self, plan: &Plan) -> Result<()> {
        plan.binaries().into_iter().try_for_each(|binary| self.get(binary).map(|_| ()))
    }

    /// The file of a binary.
    pub fn get(&self, binary: Binary) -> Result<&Path> {
        let key = binary.key();
        match self.0.get(&key) {
            Some(path) => Ok(path),
            None => bail!(
                "no {} binary for the {} benches ({key}) among the executables given; \
                 run_benches.sh builds and finds them",
                binary.side,
                binary.layer
            ),
        }
    }
}

fn bench_of(message: Message) -> Option<PathBuf> {
    let is_bench = message.target?.kind.iter().any(|kind| kind == "bench");
    let built = message.reason == "compiler-artifact" && is_bench;
    message.executable.filter(|_| built)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        arms::Side,
        source::{Source, Tag},
    };
    use bench_shared::catalogue::{Build, Layer};
    use std::io::Write as _;

    #[test]
    fn binaries_are_found_among_other_messages() {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        let lines = r#"
not json
{"reason":"compiler-artifact","package_id":"registry+https://example.org#libc@0.2.1","target":{"kind":["lib"],"name":"libc"},"executable":null}
{"reason":"compiler-artifact","package_id":"path+file:///w/reth-bench#0.1.0","target":{"kind":["bench"],"name":"bindings"},"executable":"/t/bindings-1"}
{"reason":"build-finished","success":true}
"#;
        file.write_all(lines.as_bytes()).expect("written");
        let binary = |source, layer| Binary { side: Side::Reth, source, layer, build: Build::Node };
        let upstream = binary(Source::Tag(Tag::V1), Layer::Bindings);
        let given = Executable { key: upstream.key(), messages: file.path().to_owned() };
        let found = Binaries::read(&[given]).expect("read");
        assert_eq!(found.get(upstream).expect("found"), Path::new("/t/bindings-1"));
        let missing = found.get(binary(Source::Registry, Layer::Bindings)).expect_err("missing");
        assert!(missing.to_string().contains("reth-registry-bindings-node"), "{missing}");
    }
}
