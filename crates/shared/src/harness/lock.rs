//! What the lock file of a build says of the measured crates.

use crate::job::GitSource;
use std::collections::BTreeMap;

/// The measured crates of a build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Locked {
    /// Versions by name.
    pub(super) packages: BTreeMap<String, String>,
    /// Sources by name, as cargo writes them; a crate in a directory has none.
    pub(super) sources: BTreeMap<String, String>,
}

impl Locked {
    /// Those of `packages` that are in the text of a lock file.
    pub(super) fn of(lock: &str, packages: &[&str]) -> Self {
        let value = |line: &str, key: &str| -> Option<String> {
            Some(line.strip_prefix(key)?.strip_prefix(" = \"")?.trim_end_matches('"').to_owned())
        };
        let mut out = Self::default();
        let mut name: Option<String> = None;
        for line in lock.lines() {
            if let Some(found) = value(line, "name") {
                name = packages.contains(&found.as_str()).then_some(found);
            }
            let Some(name) = &name else { continue };
            if let Some(version) = value(line, "version") {
                out.packages.insert(name.clone(), version);
            } else if let Some(source) = value(line, "source") {
                out.sources.insert(name.clone(), source);
            }
        }
        out
    }

    /// Where the stack comes from, told by its binding, the first of `packages` that the build has:
    /// `registry`, the tag of a git repository, or `checkout` for a directory.
    pub(super) fn provenance(&self, packages: &[&str]) -> String {
        let binding = packages.iter().find(|name| self.packages.contains_key(**name));
        match binding.and_then(|name| self.sources.get(*name)) {
            None => "checkout".to_owned(),
            Some(source) => match GitSource::parse(source).and_then(|git| git.tag) {
                Some(tag) => tag.to_owned(),
                None => source.split('+').next().unwrap_or(source).to_owned(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = r#"
[[package]]
name = "binding"
version = "1.0.0"
source = "registry+https://example.org/index"
checksum = "00"

[[package]]
name = "other"
version = "9.0.0"
source = "registry+https://example.org/index"

[[package]]
name = "real-binding"
version = "1.11.3"
source = "git+https://example.org/reth?tag=v1.11.3#d6324d63"
dependencies = [
 "other",
]

[[package]]
name = "typed"
version = "0.1.0"
"#;

    #[test]
    fn versions_and_sources_come_from_the_lock_file() {
        let locked = Locked::of(LOCK, &["typed", "binding", "absent"]);
        let packages = [("binding", "1.0.0"), ("typed", "0.1.0")];
        assert_eq!(locked.packages, packages.map(|(n, v)| (n.to_owned(), v.to_owned())).into());
        let sources = [("binding", "registry+https://example.org/index")];
        assert_eq!(locked.sources, sources.map(|(n, v)| (n.to_owned(), v.to_owned())).into());
    }

    #[test]
    fn the_binding_tells_where_a_stack_comes_from() {
        let of = |packages: &[&str]| Locked::of(LOCK, packages).provenance(packages);
        assert_eq!(of(&["binding", "typed"]), "registry");
        assert_eq!(of(&["absent", "real-binding", "typed"]), "v1.11.3");
        assert_eq!(of(&["typed", "binding"]), "checkout");
    }
}
