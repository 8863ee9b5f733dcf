//! A side built from a directory of this machine: a workspace that is generated from a committed one,
//! with the measured crates taken from the directory.

use crate::{
    arms::Side,
    exit::Usage,
    source::Tag,
    upstream::{self, cargo_output},
    workspace::{self, Git, create_dir},
};
use anyhow::{Context as _, Result, anyhow, bail};
use bench_shared::summary;
use serde::Deserialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value, value};

/// File of a generated workspace that says what its directory was.
const SOURCE: &str = "source.json";

/// A directory with crates of a side.
#[derive(Clone, Debug)]
pub struct Checkout {
    side: Side,
    /// Its measured crates, by name.
    packages: BTreeMap<String, Package>,
}

/// A directory of the command line, with what it holds.
#[derive(Clone, Debug)]
pub struct Given {
    /// Side that is built from it.
    pub side: Side,
    /// As given.
    pub dir: PathBuf,
    /// What was found in it.
    pub checkout: Checkout,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Package {
    version: String,
    dir: PathBuf,
}

/// Crates of a side that may come from a directory.
pub(crate) const fn measured(side: Side) -> &'static [&'static str] {
    match side {
        Side::Reth => &[
            "reth-libmdbx",
            "reth-mdbx-sys",
            "reth-db",
            "reth-db-api",
            "reth-codecs",
            "reth-primitives-traits",
        ],
        Side::Signet => &[
            "signet-mdbx-sys",
            "signet-libmdbx",
            "signet-hot",
            "signet-hot-mdbx",
            "signet-storage-types",
        ],
    }
}

/// The parts of `cargo metadata` that matter here.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<MetadataPackage>,
}

#[derive(Deserialize)]
struct MetadataPackage {
    name: String,
    version: String,
    manifest_path: PathBuf,
}

impl Checkout {
    /// Looks for the measured crates of `side` in `dir`.
    ///
    /// # Errors
    /// [`Usage`] if it is no directory with a manifest, or holds none of them.
    pub fn find(side: Side, dir: &Path) -> Result<Self> {
        let refused = |reason: &str| -> anyhow::Error {
            let what = match side {
                Side::Reth => "a local checkout of reth",
                Side::Signet => "a local checkout of signet's crates",
            };
            Usage(format!("--{side}-dir {}: {reason}; name {what}", dir.display())).into()
        };
        let root = match fs::canonicalize(dir) {
            Ok(root) if root.is_dir() => root,
            Ok(_) => return Err(refused("not a directory")),
            Err(error) => return Err(refused(&error.to_string())),
        };
        let manifest = root.join("Cargo.toml");
        if !manifest.is_file() {
            return Err(refused("it has no Cargo.toml"));
        }
        let metadata = cargo_output(&["metadata", "--no-deps", "--format-version", "1"], &manifest)
            .map_err(|error| refused(&format!("cargo cannot read it: {error:#}")))?;
        let metadata: Metadata =
            serde_json::from_slice(&metadata).context("cannot parse cargo's metadata")?;
        let packages: BTreeMap<_, _> = metadata
            .packages
            .into_iter()
            .filter(|package| measured(side).contains(&package.name.as_str()))
            .filter_map(|MetadataPackage { name, version, manifest_path }| {
                let dir = manifest_path.parent()?.to_owned();
                Some((name, Package { version, dir }))
            })
            .collect();
        if packages.is_empty() {
            let wanted = measured(side).join(", ");
            return Err(refused(&format!("it has none of the packages {wanted}")));
        }
        let checkout = Self { side, packages };
        if side == Side::Reth {
            checkout.tag().map_err(|reason| refused(&reason))?;
        }
        Ok(checkout)
    }

    /// The tag whose workspace fits a checkout of reth, or why there is none.
    fn tag(&self) -> Result<Tag, String> {
        let package = self.packages.get("reth-libmdbx").ok_or("it lacks reth-libmdbx")?;
        let major = package.version.split('.').next().unwrap_or_default();
        Tag::of_major(major).ok_or_else(|| {
            format!(
                "its reth-libmdbx is of version {}, and the suite has sources for the major versions of \
                 {} only",
                package.version,
                Tag::known()
            )
        })
    }

    /// Writes the workspace into `workspace`, for the suite at `root`. Files that are as they should
    /// be stay untouched, so that cargo does not build anew.
    ///
    /// # Errors
    /// [`Usage`] if the directory lacks a crate that is nowhere else.
    pub fn generate(&self, root: &Path, workspace: &Path) -> Result<()> {
        let root =
            fs::canonicalize(root).with_context(|| format!("cannot find {}", root.display()))?;
        let (template, lock) = match self.side {
            Side::Reth => {
                let tag = self.tag().map_err(Usage)?;
                (root.join("upstream").join(tag.name()), self.lock_of_reth())
            }
            Side::Signet => (root.clone(), Some(root.join("Cargo.lock"))),
        };
        let member = format!("crates/{}-bench", self.side);
        let manifests = [
            (PathBuf::from("Cargo.toml"), self.root_manifest(&template, &member)?),
            (Path::new(&member).join("Cargo.toml"), self.manifest(&template.join(&member))?),
        ];
        create_dir(&workspace.join(&member))?;
        let mut changed = false;
        for (name, text) in manifests {
            changed |= update(&workspace.join(name), text.as_bytes())?;
        }
        // What was resolved stays, unless what it was resolved from has changed.
        let (own, start) = (workspace.join("Cargo.lock"), workspace.join("Cargo.lock.start"));
        let text = match lock.filter(|lock| lock.is_file()) {
            Some(lock) => {
                fs::read(&lock).with_context(|| format!("cannot read {}", lock.display()))?
            }
            None => b"version = 4\n".to_vec(),
        };
        changed |= update(&start, &text)?;
        if changed || !own.exists() {
            workspace::write(&own, &text)?;
        }
        Ok(())
    }

    /// The lock file of the workspace that the checkout's binding belongs to.
    fn lock_of_reth(&self) -> Option<PathBuf> {
        let package = self.packages.get("reth-libmdbx")?;
        package.dir.ancestors().map(|dir| dir.join("Cargo.lock")).find(|lock| lock.is_file())
    }

    fn root_manifest(&self, template: &Path, member: &str) -> Result<String> {
        let mut manifest = read(&template.join("Cargo.toml"))?;
        manifest["workspace"]["members"] = value(Array::from_iter([member]));
        if let Some(dependencies) = manifest["workspace"].get_mut("dependencies") {
            self.redirect(dependencies, template)?;
        }
        if self.side == Side::Signet {
            // Published crates of the side ask for each other by version.
            let mut patches = Table::new();
            for (name, package) in &self.packages {
                patches
                    .insert(name, value(InlineTable::from_iter([("path", path(&package.dir)?)])));
            }
            let mut patch = Table::new();
            patch.set_implicit(true);
            patch.insert("crates-io", Item::Table(patches));
            manifest.insert("patch", Item::Table(patch));
        }
        Ok(manifest.to_string())
    }

    /// The bench crate's manifest, with everything that it names where it really is.
    fn manifest(&self, template: &Path) -> Result<String> {
        let mut manifest = read(&template.join("Cargo.toml"))?;
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            if let Some(dependencies) = manifest.get_mut(kind) {
                self.redirect(dependencies, template)?;
            }
        }
        let lib = manifest.entry("lib").or_insert_with(toml_edit::table);
        if let Some(lib) = lib.as_table_like_mut() {
            locate(lib, template, "src/lib.rs")?;
        }
        // Nothing of it is run but the benches.
        for kind in ["test", "example"] {
            manifest.remove(kind);
        }
        let targets = manifest.get_mut("bench").and_then(Item::as_array_of_tables_mut);
        for target in targets.into_iter().flat_map(|targets| targets.iter_mut()) {
            let name = target.get("name").and_then(Item::as_str).unwrap_or_default();
            let usual = format!("benches/{name}.rs");
            locate(target, template, &usual)?;
        }
        Ok(manifest.to_string())
    }

    /// Lets dependencies that the directory has come from there, and the paths of others be absolute.
    fn redirect(&self, dependencies: &mut Item, template: &Path) -> Result<()> {
        let Some(dependencies) = dependencies.as_table_like_mut() else { return Ok(()) };
        for (key, item) in dependencies.iter_mut() {
            let key = key.get().to_owned();
            // A version alone.
            if item.is_str() {
                if let Some(package) = self.packages.get(&key) {
                    *item = value(InlineTable::from_iter([("path", path(&package.dir)?)]));
                }
                continue;
            }
            let Some(dependency) = item.as_table_like_mut() else { continue };
            if dependency.contains_key("workspace") {
                continue;
            }
            let name = dependency.get("package").and_then(Item::as_str).unwrap_or(&key);
            if let Some(package) = self.packages.get(name) {
                for source in ["git", "tag", "rev", "branch", "version", "registry"] {
                    dependency.remove(source);
                }
                dependency.insert("path", Item::Value(path(&package.dir)?));
            } else if dependency.contains_key("git") {
                return Err(Usage(format!(
                    "--{}-dir: the directory lacks the package {name}; name a whole checkout",
                    self.side
                ))
                .into());
            } else if dependency.contains_key("path") {
                locate(dependency, template, "")?;
            }
        }
        Ok(())
    }

    /// Lets cargo choose what the generated workspace is built from, and refuses what
    /// [`Self::require_one_of_each`] does, before a long build and not after it.
    pub fn resolve(&self, workspace: &Path) -> Result<()> {
        let host = upstream::host();
        let mut args = vec!["metadata", "--format-version", "1"];
        // What only other machines need is not downloaded.
        args.extend(host.iter().flat_map(|host| ["--filter-platform", host.as_str()]));
        cargo_output(&args, &workspace.join("Cargo.toml")).map_err(|error| {
            let side = self.side;
            anyhow!("--{side}-dir: cargo finds no dependencies that fit the directory: {error:#}")
        })?;
        self.require_one_of_each(workspace)
    }

    /// What a summary says of the directory `dir`, which these are the crates of.
    pub fn source(&self, dir: &Path) -> summary::Source {
        let path = fs::canonicalize(dir).unwrap_or_else(|_| dir.to_owned());
        let git = Git::of(&path).filter(|_| self.is_tracked(&path));
        summary::Source {
            path: Some(path.display().to_string()),
            commit: git.as_ref().map(|git| git.commit.clone()),
            dirty: git.map(|git| git.changed.is_some()),
            ..summary::Source::default()
        }
    }

    /// Whether the repository around `dir` has these crates. A directory that was unpacked inside some
    /// other repository is not of its commit.
    fn is_tracked(&self, dir: &Path) -> bool {
        let manifests = self.packages.values().map(|package| package.dir.join("Cargo.toml"));
        let manifests: Option<Vec<_>> =
            manifests.map(|path| Some(path.to_str()?.to_owned())).collect();
        manifests.is_some_and(|manifests| {
            let mut args = vec!["ls-files", "--error-unmatch", "--"];
            args.extend(manifests.iter().map(String::as_str));
            workspace::output("git", &args, dir).is_some()
        })
    }

    /// Keeps in `workspace` what the directory is before the build.
    pub fn record(&self, dir: &Path, workspace: &Path) -> Result<()> {
        let text = serde_json::to_vec_pretty(&self.source(dir)).context("cannot encode JSON")?;
        workspace::write(&workspace.join(SOURCE), &text)
    }

    /// What the directory was before the build, or is now if that was not kept.
    pub fn recorded(&self, dir: &Path, workspace: &Path) -> summary::Source {
        let kept = fs::read(workspace.join(SOURCE)).ok();
        kept.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_else(|| self.source(dir))
    }

    /// Refuses a build in which a measured crate is there twice: two libmdbx in one binary would be
    /// linked without a word, and only one of them measured.
    pub fn require_one_of_each(&self, workspace: &Path) -> Result<()> {
        let file = workspace.join("Cargo.lock");
        let lock = read(&file)?;
        let packages = lock.get("package").and_then(Item::as_array_of_tables);
        let mut found: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for package in packages.into_iter().flatten() {
            let text = |key| package.get(key).and_then(Item::as_str).unwrap_or_default();
            let name = text("name");
            let of_side = measured(self.side).contains(&name);
            // Any crate that brings a libmdbx along counts as one.
            let key =
                if name.contains("mdbx") && name.ends_with("-sys") { "a libmdbx" } else { name };
            if of_side || key != name {
                let source = if text("source").is_empty() { "the directory" } else { "elsewhere" };
                let one = format!("{name} {} from {source}", text("version"));
                found.entry(key).or_default().insert(one);
            }
        }
        if let Some((name, all)) = found.into_iter().find(|(_, all)| all.len() > 1) {
            let all = all.into_iter().collect::<Vec<_>>().join(" and ");
            bail!(
                "the build of the {} side holds {name} twice, {all}: a published crate asks for another \
                 version than the directory has; check out the release that fits, or have all of \
                 the side's crates in the directory",
                self.side
            );
        }
        Ok(())
    }
}

/// Warns of a directory that is another at the end than when its side was built.
pub fn changed(side: Side, before: &summary::Source, after: &summary::Source) -> Option<String> {
    let text = |source: &summary::Source| {
        let commit = source.commit.as_deref().unwrap_or("no commit");
        let state = match source.dirty {
            Some(true) => ", with changes",
            Some(false) => ", without changes",
            None => "",
        };
        format!("{commit}{state}")
    };
    (before != after).then(|| {
        format!(
            "--{side}-dir: the directory was at {} when its side was built, and at {} at the end; the \
             figures are of the former; run anew if that is not what was meant",
            text(before),
            text(after)
        )
    })
}

/// Makes the path of a target or a dependency absolute; without one it is the usual one.
fn locate(table: &mut dyn TableLike, template: &Path, usual: &str) -> Result<()> {
    let relative = table.get("path").and_then(Item::as_str).unwrap_or(usual);
    let absolute = template.join(relative);
    let found = fs::canonicalize(&absolute)
        .with_context(|| format!("cannot find {}", absolute.display()))?;
    table.insert("path", Item::Value(path(&found)?));
    Ok(())
}

fn path(path: &Path) -> Result<Value> {
    let text = path.to_str().with_context(|| format!("{} is not UTF-8", path.display()))?;
    Ok(text.into())
}

fn read(file: &Path) -> Result<DocumentMut> {
    let text =
        fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    text.parse().with_context(|| format!("cannot parse {}", file.display()))
}

/// Writes a file unless it has this content; whether it had another.
fn update(file: &Path, content: &[u8]) -> Result<bool> {
    let stale = !fs::read(file).is_ok_and(|old| old == content);
    if stale {
        workspace::write(file, content)?;
    }
    Ok(stale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;
    use tempfile::TempDir;

    /// A suite with one workspace for reth 1, and a directory beside it with these packages.
    struct Fixture {
        dir: TempDir,
    }

    impl Fixture {
        fn new(packages: &[(&str, &str)]) -> Self {
            let fixture = Self { dir: TempDir::new().expect("a temporary directory") };
            fixture.write(
                "suite/Cargo.toml",
                "[workspace]\nmembers = [\"crates/shared\", \"crates/signet-bench\"]\n\
                 [workspace.package]\nversion = \"0.1.0\"\n\
                 [workspace.dependencies]\n\
                 bench-shared = { path = \"crates/shared\", default-features = false }\n\
                 signet-libmdbx = \"=0.8.3\"\n\
                 signet-hot = { version = \"=0.10.0\", features = [\"x\"] }\n\
                 [profile.bench]\nlto = \"fat\"\n",
            );
            fixture.write("suite/Cargo.lock", "version = 4\n# ours\n");
            fixture.write(
                "suite/crates/shared/Cargo.toml",
                "[package]\nname = \"bench-shared\"\nversion.workspace = true\nedition = \"2024\"\n\
                 [features]\nrun = []\n",
            );
            for dir in ["shared", "signet-bench", "reth-bench"] {
                fixture.write(&format!("suite/crates/{dir}/src/lib.rs"), "");
                fixture.write(&format!("suite/crates/{dir}/benches/bindings.rs"), "fn main() {}");
            }
            fixture.write(
                "suite/crates/signet-bench/Cargo.toml",
                "[package]\nname = \"signet-bench\"\nversion.workspace = true\nedition = \"2024\"\n\
                 [dependencies]\nbench-shared = { workspace = true, features = [\"run\"] }\n\
                 signet-libmdbx.workspace = true\n\
                 [lib]\nbench = false\n[[bench]]\nname = \"bindings\"\nharness = false\n",
            );
            fixture.write(
                "suite/upstream/v1.11.3/Cargo.toml",
                "[workspace]\nmembers = [\"crates/reth-bench\"]\n[profile.bench]\nlto = \"off\"\n",
            );
            fixture.write(
                "suite/upstream/v1.11.3/crates/reth-bench/Cargo.toml",
                "[package]\nname = \"reth-bench\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
                 [dependencies]\nbench-shared = { path = \"../../../../crates/shared\" }\n\
                 reth-libmdbx = { git = \"https://example.org/reth\", tag = \"v1.11.3\", optional = true }\n\
                 reth-db = { git = \"https://example.org/reth\", tag = \"v1.11.3\", features = [\"y\"] }\n\
                 [lib]\npath = \"../../../../crates/reth-bench/src/lib.rs\"\n\
                 [[bench]]\nname = \"bindings\"\npath = \"../../../../crates/reth-bench/benches/bindings.rs\"\n",
            );
            let members: Vec<_> = packages.iter().map(|(name, _)| format!("\"{name}\"")).collect();
            fixture.write(
                "checkout/Cargo.toml",
                &format!("[workspace]\nmembers = [{}]\n", members.join(", ")),
            );
            fixture.write("checkout/Cargo.lock", "version = 4\n# theirs\n");
            for (name, version) in packages {
                fixture.write(
                    &format!("checkout/{name}/Cargo.toml"),
                    &format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2024\"\n"),
                );
                fixture.write(&format!("checkout/{name}/src/lib.rs"), "");
            }
            fixture
        }

        fn path(&self, name: &str) -> PathBuf {
            let root = fs::canonicalize(self.dir.path()).expect("a directory");
            root.join(name)
        }

        fn write(&self, name: &str, text: &str) {
            let path = self.dir.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("created");
            fs::write(path, text).expect("written");
        }

        fn find(&self, side: Side) -> Result<Checkout> {
            Checkout::find(side, &self.path("checkout"))
        }

        /// The two manifests that are generated.
        fn generate(&self, side: Side) -> [DocumentMut; 2] {
            let workspace = self.path("target/checkout");
            let checkout = self.find(side).expect("found");
            checkout.generate(&self.path("suite"), &workspace).expect("generated");
            let member = format!("crates/{side}-bench/Cargo.toml");
            ["Cargo.toml", &member].map(|name| read(&workspace.join(name)).expect("a manifest"))
        }
    }

    fn usage(result: Result<Checkout>) -> String {
        let error = result.expect_err("refused");
        assert!(error.is::<Usage>(), "{error:#}");
        error.to_string()
    }

    #[test]
    fn a_checkout_of_reth_takes_the_place_of_its_repository() {
        let fixture = Fixture::new(&[("reth-libmdbx", "1.12.0"), ("reth-db", "1.12.0")]);
        let [root, member] = fixture.generate(Side::Reth);
        assert_eq!(root["profile"]["bench"]["lto"].as_str(), Some("off"), "the template's profile");
        let at = |name: &str| fixture.path(name).display().to_string();
        let dependency = &member["dependencies"]["reth-libmdbx"];
        assert_eq!(dependency["path"].as_str(), Some(at("checkout/reth-libmdbx").as_str()));
        assert_eq!(dependency["optional"].as_bool(), Some(true));
        assert!(!member.to_string().contains("git ="), "{member}");
        let shared = &member["dependencies"]["bench-shared"]["path"];
        assert_eq!(shared.as_str(), Some(at("suite/crates/shared").as_str()));
        let lib = &member["lib"]["path"];
        assert_eq!(lib.as_str(), Some(at("suite/crates/reth-bench/src/lib.rs").as_str()));
        let lock = fs::read_to_string(fixture.path("target/checkout/Cargo.lock")).expect("a lock");
        assert!(lock.contains("# theirs"));

        // What cargo resolved is kept, until something changes that it was resolved from.
        fixture.write("target/checkout/Cargo.lock", "version = 4\n# resolved\n");
        fixture.generate(Side::Reth);
        let lock = || fs::read_to_string(fixture.path("target/checkout/Cargo.lock")).expect("read");
        assert!(lock().contains("# resolved"));
        fixture.write("checkout/Cargo.lock", "version = 4\n# newer\n");
        fixture.generate(Side::Reth);
        assert!(lock().contains("# newer"));
    }

    #[test]
    fn a_checkout_of_some_of_signets_crates_leaves_the_others_published() {
        let fixture = Fixture::new(&[("signet-libmdbx", "0.9.0"), ("something-else", "1.0.0")]);
        let [root, member] = fixture.generate(Side::Signet);
        let here = fixture.path("checkout/signet-libmdbx").display().to_string();
        let dependencies = &root["workspace"]["dependencies"];
        assert_eq!(dependencies["signet-libmdbx"]["path"].as_str(), Some(here.as_str()));
        assert!(dependencies["signet-libmdbx"].get("version").is_none());
        assert_eq!(dependencies["signet-hot"]["version"].as_str(), Some("=0.10.0"));
        let patches = root["patch"]["crates-io"].as_table().expect("patches");
        assert_eq!(patches.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["signet-libmdbx"]);
        assert_eq!(root["workspace"]["members"].as_array().map(Array::len), Some(1));
        let bench = member["bench"].as_array_of_tables().expect("benches").get(0).expect("one");
        let file = fixture.path("suite/crates/signet-bench/benches/bindings.rs");
        assert_eq!(bench["path"].as_str(), file.to_str());
    }

    /// What cargo says of the generated workspace is the last word on whether it is one.
    #[test]
    fn cargo_reads_the_generated_workspace() {
        for (side, name) in [(Side::Signet, "signet-libmdbx"), (Side::Reth, "reth-libmdbx")] {
            let fixture = Fixture::new(&[(name, "1.0.0"), ("reth-db", "1.0.0")]);
            fixture.generate(side);
            let output = Command::new(crate::upstream::cargo())
                .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
                .current_dir(fixture.path("target/checkout"))
                .output()
                .expect("cargo");
            let [out, err] = [&output.stdout, &output.stderr].map(|b| String::from_utf8_lossy(b));
            assert!(output.status.success(), "{err}");
            assert!(out.contains(&format!("\"name\":\"{side}-bench\"")), "{out}");
        }
    }

    #[test]
    fn the_committed_workspaces_can_be_generated_from() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let tags = Tag::ALL.iter().filter(|tag| root.join("upstream").join(tag.name()).exists());
        let reth = tags.map(|tag| (Side::Reth, &tag.name()[1..]));
        for (side, version) in [(Side::Signet, "9.0.0")].into_iter().chain(reth) {
            let packages: Vec<_> = measured(side).iter().map(|name| (*name, version)).collect();
            let fixture = Fixture::new(&packages);
            let workspace = fixture.path("target/checkout");
            fixture.find(side).expect("found").generate(&root, &workspace).expect("generated");
            let printed = cargo_output(
                &["metadata", "--no-deps", "--offline"],
                &workspace.join("Cargo.toml"),
            );
            let printed = String::from_utf8(printed.expect("a workspace")).expect("UTF-8");
            let metadata: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
            let here = fixture.path("checkout").display().to_string();
            let dependencies = metadata["packages"][0]["dependencies"].as_array().expect("a list");
            let of_side = |d: &&serde_json::Value| {
                d["name"].as_str().is_some_and(|name| measured(side).contains(&name))
            };
            let paths: Vec<_> = dependencies.iter().filter(of_side).map(|d| &d["path"]).collect();
            assert!(!paths.is_empty(), "{printed}");
            for path in paths {
                assert!(path.as_str().is_some_and(|path| path.starts_with(&here)), "{path}");
            }
            let profile = |file: &Path| read(file).expect("a manifest")["profile"].to_string();
            let template = match side {
                Side::Signet => root.clone(),
                Side::Reth => root.join("upstream").join(format!("v{version}")),
            };
            let template = profile(&template.join("Cargo.toml"));
            assert_eq!(profile(&workspace.join("Cargo.toml")), template);
            let member = read(&workspace.join(format!("crates/{side}-bench/Cargo.toml")));
            let member = member.expect("a manifest");
            assert!(member.get("bench").is_some() && member.get("test").is_none(), "{member}");
        }
    }

    #[test]
    fn directories_that_do_not_fit_are_refused_with_a_remedy() {
        let fixture = Fixture::new(&[("reth-libmdbx", "3.0.0")]);
        let missing = usage(Checkout::find(Side::Reth, Path::new("/no/such/dir")));
        assert!(
            missing.contains("--reth-dir /no/such/dir") && missing.contains("checkout of reth")
        );
        let file = usage(Checkout::find(Side::Reth, &fixture.path("checkout/Cargo.toml")));
        assert!(file.contains("not a directory"), "{file}");
        let empty = usage(Checkout::find(Side::Signet, fixture.dir.path()));
        assert!(empty.contains("--signet-dir") && empty.contains("no Cargo.toml"), "{empty}");
        let none = usage(fixture.find(Side::Signet));
        assert!(
            none.contains("none of the packages") && none.contains("signet-hot-mdbx"),
            "{none}"
        );
        let newer = usage(fixture.find(Side::Reth));
        assert!(newer.contains("3.0.0") && newer.contains("v1.11.3, v2.5.1"), "{newer}");

        let fixture = Fixture::new(&[("reth-libmdbx", "1.0.0")]);
        let part = fixture.find(Side::Reth).expect("found");
        let error = part.generate(&fixture.path("suite"), &fixture.path("t")).expect_err("refused");
        assert!(error.is::<Usage>() && error.to_string().contains("package reth-db"), "{error:#}");
    }

    fn git(dir: &Path, args: &[&str]) {
        let name =
            ["-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false"];
        let output =
            Command::new("git").args(name).args(args).current_dir(dir).output().expect("git");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    #[test]
    fn a_directory_is_of_the_commit_of_its_own_repository() {
        let fixture = Fixture::new(&[("signet-libmdbx", "0.9.0")]);
        let (dir, checkout) =
            (fixture.path("checkout"), fixture.find(Side::Signet).expect("found"));
        assert_eq!(checkout.source(&dir).commit, None);
        // Unpacked inside another repository.
        let outer = fixture.path("");
        fixture.write("outer", "");
        git(&outer, &["init", "-q"]);
        git(&outer, &["add", "outer"]);
        git(&outer, &["commit", "-qm", "outer"]);
        let source = checkout.source(&dir);
        assert_eq!((source.commit, source.dirty), (None, None));

        git(&dir, &["init", "-q"]);
        git(&dir, &["add", "."]);
        git(&dir, &["commit", "-qm", "own"]);
        let clean = checkout.source(&dir);
        assert!(clean.commit.is_some() && clean.dirty == Some(false), "{clean:?}");

        // What was kept before the build stays, and a change since is warned of.
        let workspace = fixture.path("kept");
        fs::create_dir(&workspace).expect("created");
        checkout.record(&dir, &workspace).expect("kept");
        fixture.write("checkout/signet-libmdbx/src/lib.rs", "// changed");
        let (before, after) = (checkout.recorded(&dir, &workspace), checkout.source(&dir));
        assert_eq!(before, clean);
        assert_eq!(changed(Side::Signet, &before, &before), None);
        let warning = changed(Side::Signet, &before, &after).expect("a warning");
        assert!(
            warning.contains("without changes when") && warning.contains("with changes at the end")
        );
    }

    #[test]
    fn two_of_a_measured_crate_are_refused_before_the_build() {
        let fixture = Fixture::new(&[("signet-libmdbx", "0.9.0"), ("signet-mdbx-sys", "0.1.0")]);
        fixture.write(
            "w/Cargo.toml",
            "[workspace]\n[package]\nname = \"w\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
             [dependencies]\nsignet-libmdbx = { path = \"../checkout/signet-libmdbx\" }\n\
             signet-mdbx-sys = { path = \"../checkout/signet-mdbx-sys\" }\n",
        );
        fixture.write("w/src/lib.rs", "");
        let checkout = fixture.find(Side::Signet).expect("found");
        checkout.resolve(&fixture.path("w")).expect("one of each");
        fixture.write("other/src/lib.rs", "");
        fixture.write(
            "other/Cargo.toml",
            "[package]\nname = \"mdbx-remote-sys\"\nversion = \"1.0.0\"\nedition = \"2024\"\n",
        );
        let manifest = fs::read_to_string(fixture.path("w/Cargo.toml")).expect("read");
        let manifest = format!("{manifest}mdbx-remote-sys = {{ path = \"../other\" }}\n");
        fixture.write("w/Cargo.toml", &manifest);
        let error = checkout.resolve(&fixture.path("w")).expect_err("two").to_string();
        assert!(error.contains("a libmdbx twice"), "{error}");
        fixture.write("w/Cargo.toml", &manifest.replace("../other", "../none"));
        let error = checkout.resolve(&fixture.path("w")).expect_err("missing").to_string();
        assert!(error.contains("--signet-dir"), "{error}");
    }

    #[test]
    fn two_of_a_measured_crate_are_refused() {
        let fixture = Fixture::new(&[("signet-libmdbx", "0.9.0")]);
        let checkout = fixture.find(Side::Signet).expect("found");
        let package = |name: &str, version: &str, source: &str| {
            let source =
                if source.is_empty() { String::new() } else { format!("source = \"{source}\"\n") };
            format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n{source}\n")
        };
        let refusal = |packages: &[String]| {
            fixture.write("w/Cargo.lock", &packages.concat());
            checkout.require_one_of_each(&fixture.path("w")).map_err(|error| error.to_string())
        };
        let own = package("signet-libmdbx", "0.9.0", "");
        let sys = package("signet-mdbx-sys", "0.1.0", "registry");
        assert_eq!(
            refusal(&[own.clone(), sys.clone(), package("libc", "1.0.0", "registry")]),
            Ok(())
        );
        let published = package("signet-libmdbx", "0.8.3", "registry");
        let twice = refusal(&[own, published, sys.clone()]).expect_err("refused");
        assert!(twice.contains("signet-libmdbx 0.9.0 from the directory"), "{twice}");
        let other = package("reth-mdbx-sys", "1.0.0", "");
        assert!(refusal(&[sys, other]).expect_err("refused").contains("a libmdbx twice"));
    }
}
