//! Where a side's stack is built from, and which bench binaries that makes.

use crate::arms::Side;
use bench_shared::catalogue::{Bench, Build, Layer};
use clap::ValueEnum;
use std::{
    env, fmt,
    path::{Path, PathBuf},
    str::FromStr,
};

/// Where reth's own source is.
pub const REPOSITORY: &str = "https://github.com/paradigmxyz/reth";

/// Provenance of a build from published crates alone.
pub const REGISTRY: &str = "registry";

/// Provenance of a build from a directory of this machine.
pub const CHECKOUT: &str = "checkout";

/// A release of reth that `upstream/` has a workspace for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Tag {
    /// The last release of reth 1, with the libmdbx of signet's binding
    #[default]
    #[value(name = "v1.11.3")]
    V1,
    /// A release of reth 2, with a later libmdbx
    #[value(name = "v2.5.1")]
    V2,
}

impl Tag {
    /// Every tag, the default first.
    pub const ALL: [Self; 2] = [Self::V1, Self::V2];

    /// Name in reth's repository, on the command line and in `upstream/`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::V1 => "v1.11.3",
            Self::V2 => "v2.5.1",
        }
    }

    /// Of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tag| tag.name() == name)
    }

    /// Of the same major version, whose manifests therefore fit it.
    pub fn of_major(major: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tag| tag.name()[1..].split('.').next() == Some(major))
    }

    /// Names of all tags for a message.
    pub fn known() -> String {
        Self::ALL.map(Self::name).join(", ")
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where a side's stack is built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// Published crates alone: the default workspace.
    Registry,
    /// reth at a release: a workspace in `upstream/`.
    Tag(Tag),
    /// A directory of this machine, wholly or in part: a generated workspace.
    Checkout,
}

impl Source {
    /// The provenance that the binary reports, in file names and in the names of arms.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Registry => REGISTRY,
            Self::Tag(tag) => tag.name(),
            Self::Checkout => CHECKOUT,
        }
    }

    /// Of this name.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Registry, Self::Checkout].into_iter().chain(Tag::ALL.map(Self::Tag));
        all.into_iter().find(|source| source.name() == name)
    }

    /// The workspace that a side is built in, for the suite at `root`.
    pub fn workspace(self, side: Side, root: &Path) -> PathBuf {
        match self {
            Self::Registry => root.to_owned(),
            Self::Tag(tag) => root.join("upstream").join(tag.name()),
            Self::Checkout => target_dir(root).join("checkout").join(side.name()),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where cargo puts what it builds; scripts/build.sh sets the same for every workspace.
pub fn target_dir(root: &Path) -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(dir) if !dir.is_empty() => dir.into(),
        _ => root.join("target"),
    }
}

/// Two builds of the reth side to compare with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fidelity(pub [Source; 2]);

impl Default for Fidelity {
    fn default() -> Self {
        Self([Source::Registry, Source::Tag(Tag::default())])
    }
}

impl FromStr for Fidelity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = || format!("known are {REGISTRY}, {}", Tag::known());
        let (base, other) =
            text.split_once(',').ok_or_else(|| format!("not BASE,OTHER; {}", known()))?;
        let source = |name: &str| match Source::named(name) {
            Some(source) if source != Source::Checkout => Ok(source),
            _ => Err(format!("there is no build `{name}`; {}", known())),
        };
        let builds = [source(base)?, source(other)?];
        if builds[0] == builds[1] {
            return Err(format!("`{base}` twice; --aa compares a build with itself"));
        }
        Ok(Self(builds))
    }
}

/// A bench binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Binary {
    /// Whose.
    pub side: Side,
    /// Where its stack comes from.
    pub source: Source,
    /// Its bench.
    pub layer: Layer,
    /// Its cargo features.
    pub build: Build,
}

impl Binary {
    /// The one that measures a benchmark. Only reth's binding has features to choose between.
    pub fn of(side: Side, source: Source, bench: &Bench) -> Self {
        let layer = bench.layer();
        let build = match (side, layer) {
            (Side::Reth, Layer::Bindings) => bench.build,
            _ => Build::Node,
        };
        Self { side, source, layer, build }
    }

    /// Name between the scripts and the runner, and of the file of cargo's messages.
    pub fn key(self) -> String {
        format!("{}-{}-{}-{}", self.side, self.source, self.layer, self.build.name())
    }

    /// What cargo is told of its features.
    pub fn features(self) -> &'static str {
        match (self.side, self.layer, self.build) {
            // The typed layer turns on what a node has.
            (_, Layer::HotDb, _) => "",
            // Without the several hundred crates of the typed layer.
            (Side::Reth, Layer::Bindings, Build::Node) => "--no-default-features --features node",
            (Side::Reth, Layer::Bindings, Build::Plain) | (Side::Signet, Layer::Bindings, _) => {
                "--no-default-features"
            }
        }
    }

    /// A line of what has to be built: key, workspace, package, bench, lock file, features. The
    /// features come last, as a shell takes empty fields between tabs for none.
    pub fn need(self, root: &Path) -> String {
        let workspace = self.source.workspace(self.side, root);
        let lock = if self.source == Source::Checkout { "unlocked" } else { "locked" };
        format!(
            "{}\t{}\t{}-bench\t{}\t{lock}\t{}",
            self.key(),
            workspace.display(),
            self.side,
            self.layer,
            self.features()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_what_they_name() {
        for tag in Tag::ALL {
            assert_eq!(Tag::named(tag.name()), Some(tag));
            assert_eq!(Source::named(tag.name()), Some(Source::Tag(tag)));
            let value = tag.to_possible_value().expect("on the command line");
            assert_eq!(value.get_name(), tag.name());
        }
        assert_eq!(Tag::of_major("2"), Some(Tag::V2));
        assert_eq!(Tag::of_major("3"), None);
        assert_eq!(Source::named("v9"), None);
    }

    #[test]
    fn two_different_builds_make_a_pair() {
        assert_eq!("registry,v1.11.3".parse(), Ok(Fidelity::default()));
        let pair: Fidelity = "v2.5.1,v1.11.3".parse().expect("a pair");
        assert_eq!(pair.0.map(Source::name), ["v2.5.1", "v1.11.3"]);
        for (text, named) in [
            ("registry", "BASE,OTHER"),
            ("registry,v9", "`v9`"),
            ("checkout,registry", "`checkout`"),
            ("registry,registry", "--aa"),
        ] {
            let error = text.parse::<Fidelity>().expect_err("refused");
            assert!(error.contains(named), "{error}");
        }
    }

    #[test]
    fn a_need_has_six_fields() {
        let binary = Binary {
            side: Side::Reth,
            source: Source::Tag(Tag::V1),
            layer: Layer::Bindings,
            build: Build::Plain,
        };
        let need = binary.need(Path::new("/suite"));
        let fields: Vec<_> = need.split('\t').collect();
        assert_eq!(
            fields,
            [
                "reth-v1.11.3-bindings-plain",
                "/suite/upstream/v1.11.3",
                "reth-bench",
                "bindings",
                "locked",
                "--no-default-features"
            ]
        );
    }
}
