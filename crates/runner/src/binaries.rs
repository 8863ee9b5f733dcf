//! Finds the bench binaries in cargo's messages, since their file names carry a hash.

use crate::{arms::Side, plan::Plan};
use anyhow::{Context as _, Result, bail};
use bench_shared::catalogue::Layer;
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
    #[serde(default)]
    package_id: String,
    target: Option<Target>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

/// Bench binaries of a run.
#[derive(Clone, Debug, Default)]
pub struct Binaries(BTreeMap<(Side, Layer), PathBuf>);

impl Binaries {
    /// Reads files of cargo's JSON messages; a later message for the same binary wins.
    pub fn from_messages(files: &[PathBuf]) -> Result<Self> {
        let mut found = BTreeMap::new();
        for file in files {
            let text = fs::read_to_string(file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            // Lines that are no messages of cargo's are output of a build script.
            for line in text.lines().filter(|l| l.starts_with('{')) {
                let Ok(message) = serde_json::from_str::<Message>(line) else { continue };
                if let Some((key, path)) = bench_of(message) {
                    found.insert(key, path);
                }
            }
        }
        Ok(Self(found))
    }

    /// Fails unless there is a binary of each side for each layer of `plan`.
    pub fn require(&self, plan: &Plan) -> Result<()> {
        for layer in plan.layers() {
            for side in plan.sides() {
                if !self.0.contains_key(&(side, layer)) {
                    bail!(
                        "no {side} binary for the {layer} benches among the executables given; \
                         run_benches.sh builds and finds them"
                    );
                }
            }
        }
        Ok(())
    }

    /// The binary of a side for a layer.
    pub fn get(&self, side: Side, layer: Layer) -> Result<&Path> {
        self.0
            .get(&(side, layer))
            .map(PathBuf::as_path)
            .with_context(|| format!("no {side} binary for the {layer} benches"))
    }
}

fn bench_of(message: Message) -> Option<((Side, Layer), PathBuf)> {
    let target = message.target?;
    if message.reason != "compiler-artifact" || !target.kind.iter().any(|k| k == "bench") {
        return None;
    }
    let package = package_name(&message.package_id);
    let side = Side::ALL.into_iter().find(|s| package.starts_with(&format!("{s}-bench")))?;
    let layer = [Layer::Bindings, Layer::HotDb].into_iter().find(|l| l.name() == target.name)?;
    Some(((side, layer), message.executable?))
}

/// Name in a package id: `path+file:///d/reth-bench#0.1.0`, or `path+file:///d/x#reth-bench@0.1.0`
/// where the directory has another name.
fn package_name(id: &str) -> &str {
    let (path, fragment) = id.rsplit_once('#').unwrap_or((id, ""));
    match fragment.split_once('@') {
        Some((name, _)) => name,
        None => path.rsplit('/').next().unwrap_or(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn binaries_are_found_among_other_messages() {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        let lines = r#"
not json
{"reason":"compiler-artifact","package_id":"registry+https://example.org#libc@0.2.1","target":{"kind":["lib"],"name":"libc"},"executable":null}
{"reason":"compiler-artifact","package_id":"path+file:///w/reth-bench#0.1.0","target":{"kind":["bench"],"name":"bindings"},"executable":"/t/bindings-1"}
{"reason":"compiler-artifact","package_id":"path+file:///w/up#reth-bench-upstream@0.1.0","target":{"kind":["bench"],"name":"hotdb"},"executable":"/t/hotdb-1"}
{"reason":"build-finished","success":true}
"#;
        file.write_all(lines.as_bytes()).expect("written");
        let found = Binaries::from_messages(&[file.path().to_owned()]).expect("read");
        let get = |side, layer| found.get(side, layer).ok().map(|p| p.display().to_string());
        assert_eq!(get(Side::Reth, Layer::Bindings).as_deref(), Some("/t/bindings-1"));
        assert_eq!(get(Side::Reth, Layer::HotDb).as_deref(), Some("/t/hotdb-1"));
        assert_eq!(get(Side::Signet, Layer::Bindings), None);
    }
}
