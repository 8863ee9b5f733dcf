//! What differs between the circumstances of two runs: what a change of a ratio may be due to.

use bench_shared::summary::{Conditions, Summary};
use serde_json::Value;
use std::collections::BTreeSet;

/// Something that a run was made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Mode, number of rounds, kind of run.
    Mode,
    /// Size of the data, and what one iteration processes.
    Scale,
    /// The machine.
    Host,
    /// Rust compiler and compiler flags.
    Toolchain,
    /// Measured crates.
    Packages,
    /// The library and its build.
    Libmdbx,
    /// Commit of the suite.
    Git,
    /// Effective settings of the environments.
    Settings,
}

impl Topic {
    /// Every topic, in the order of the header.
    pub const ALL: [Self; 8] = [
        Self::Mode,
        Self::Scale,
        Self::Host,
        Self::Toolchain,
        Self::Packages,
        Self::Libmdbx,
        Self::Git,
        Self::Settings,
    ];

    /// For people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mode => "mode",
            Self::Scale => "scale",
            Self::Host => "host",
            Self::Toolchain => "toolchain",
            Self::Packages => "packages",
            Self::Libmdbx => "libmdbx",
            Self::Git => "git",
            Self::Settings => "settings",
        }
    }
}

/// One thing that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What it belongs to.
    pub topic: Topic,
    /// What it is, within the topic.
    pub name: String,
    /// In the first run.
    pub a: String,
    /// In the second run.
    pub b: String,
}

/// All differences, in the order of [`Topic::ALL`]. What one of the files does not say is unknown and
/// no difference, except for a package of a side that both have.
pub fn between(a: &Summary, b: &Summary) -> Vec<Difference> {
    let (facts_a, facts_b) = (facts(a), facts(b));
    let find = |facts: &[Fact], topic: Topic, name: &str| -> Option<String> {
        facts.iter().find(|f| f.0 == topic && f.1 == name).map(|f| f.2.clone())
    };
    let only_b = facts_b.iter().filter(|f| find(&facts_a, f.0, &f.1).is_none());
    let mut out: Vec<Difference> = facts_a
        .iter()
        .chain(only_b)
        .filter_map(|(topic, name, _)| {
            let values = (find(&facts_a, *topic, name), find(&facts_b, *topic, name));
            let (a, b) = match values {
                (Some(a), Some(b)) => (a, b),
                _ if *topic != Topic::Packages || !is_of_both(name, a, b) => return None,
                (a, b) => [a, b].map(|v| v.unwrap_or_else(|| "absent".to_owned())).into(),
            };
            (a != b).then(|| Difference { topic: *topic, name: name.clone(), a, b })
        })
        .collect();
    out.sort_by_key(|difference| difference.topic);
    out
}

/// Whether both runs have the side that a name starts with.
fn is_of_both(name: &str, a: &Summary, b: &Summary) -> bool {
    let has = |s: &Summary| s.sides().any(|(side, _)| name.split(' ').next() == Some(side));
    has(a) && has(b)
}

type Fact = (Topic, String, String);

fn facts(summary: &Summary) -> Vec<Fact> {
    let (host, conditions) = (&summary.host, &summary.conditions);
    let sides: Vec<_> = summary.sides().map(|(name, _)| name).collect();
    let kind = match (&summary.self_test, &summary.fidelity) {
        (Some(arm), _) => format!("self-test of {arm}"),
        (None, Some(pair)) => format!("{} against {}", pair.base, pair.other),
        (None, None) => "comparison".to_owned(),
    };
    let mut facts = Vec::new();
    let mut fact = |topic, name: &str, value: String| facts.push((topic, name.to_owned(), value));

    fact(Topic::Mode, "mode", summary.mode.clone());
    fact(Topic::Mode, "rounds", summary.rounds.to_string());
    fact(Topic::Mode, "kind", kind);
    if let Some(schedule) = &summary.schedule {
        fact(Topic::Mode, "a process measures", format!("one {}", schedule.interleave));
        let times = (schedule.warm_up_ms, schedule.measurement_ms);
        fact(Topic::Mode, "warm-up + measurement", format!("{} + {} ms", times.0, times.1));
    }
    fact(Topic::Mode, "sides", sides.join(", "));
    fact(Topic::Scale, "scale", summary.scale.clone());
    for bench in &summary.benches {
        fact(Topic::Scale, &format!("{} elements", bench.id), bench.elements.to_string());
    }
    fact(Topic::Host, "CPU", host.cpu.clone());
    fact(Topic::Host, "logical CPUs", host.cores.to_string());
    fact(Topic::Host, "kernel", host.kernel.clone());
    fact(Topic::Host, "file system", host.db_fs.clone());
    let pinned = host.pinned_cpu.map_or_else(|| "none".to_owned(), |cpu| cpu.to_string());
    fact(Topic::Host, "pinned CPU", pinned);
    fact(Topic::Toolchain, "rustc", host.rustc.clone());
    fact(Topic::Git, "commit", short_commit(&host.git));
    // Files of older versions say nothing of the conditions; "no governor" is unknown there.
    if *conditions != Conditions::default() {
        if let Some(memory) = conditions.memory {
            // To whole GiB: kernels of one machine reserve slightly different amounts.
            fact(
                Topic::Host,
                "memory (GiB)",
                format!("{:.0}", memory as f64 / (1u64 << 30) as f64),
            );
        }
        let governor = conditions.governor.clone().unwrap_or_else(|| "none".to_owned());
        fact(Topic::Host, "governor", governor);
        let flags: Vec<_> =
            conditions.flags.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let flags = if flags.is_empty() { "none".to_owned() } else { flags.join(" ") };
        fact(Topic::Toolchain, "compiler flags", flags);
    }
    for (name, side) in summary.sides() {
        fact(Topic::Packages, &format!("{name} provenance"), side.provenance.clone());
        for (package, version) in &side.packages {
            fact(Topic::Packages, &format!("{name} {package}"), version.clone());
        }
        let engine = &side.engine;
        fact(Topic::Libmdbx, &format!("{name} version"), side.libmdbx.clone());
        fact(Topic::Libmdbx, &format!("{name} commit"), short_commit(&engine.commit));
        fact(Topic::Libmdbx, &format!("{name} compiler"), engine.compiler.clone());
        fact(Topic::Libmdbx, &format!("{name} flags"), engine.flags.clone());
        fact(Topic::Libmdbx, &format!("{name} options"), engine.options.clone());
        fact(Topic::Libmdbx, &format!("{name} debug"), engine.debug.to_string());
    }
    for (arm, effective) in &summary.config {
        if let Ok(Value::Object(settings)) = serde_json::to_value(effective) {
            for (setting, value) in settings {
                fact(Topic::Settings, &format!("{arm} {setting}"), value.to_string());
            }
        }
    }
    facts
}

/// Twelve digits of a commit, and whatever follows it.
fn short_commit(commit: &str) -> String {
    let digits = commit.bytes().take_while(u8::is_ascii_hexdigit).count();
    format!("{}{}", &commit[..digits.min(12)], &commit[digits..])
}

/// Most lines of one topic: another scale changes the elements of every benchmark.
const MOST: usize = 12;

/// The header: what differs, one thing a line, and what does not.
pub fn render(differences: &[Difference]) -> String {
    let of = |topic| differences.iter().filter(move |d| d.topic == topic);
    let mut out = String::new();
    for topic in Topic::ALL {
        for difference in of(topic).take(MOST) {
            let (a, b) = words(&difference.a, &difference.b);
            let label = match (topic.name(), difference.name.as_str()) {
                (topic, name) if topic == name => name.to_owned(),
                (topic, name) => format!("{topic}: {name}"),
            };
            out.push_str(&format!("  {label}: {a} → {b}\n"));
        }
        match of(topic).count().saturating_sub(MOST) {
            0 => {}
            more => out.push_str(&format!("  {}: {more} more\n", topic.name())),
        }
    }
    let same: Vec<_> =
        Topic::ALL.into_iter().filter(|t| of(*t).next().is_none()).map(Topic::name).collect();
    match (out.is_empty(), same.is_empty()) {
        (true, _) => format!("same in both: {}\n", same.join(", ")),
        (false, true) => format!("differs, A → B:\n{out}"),
        (false, false) => {
            format!("differs, A → B:\n{out}same in both: {}\n", same.join(", "))
        }
    }
}

/// Of two long texts only the words that the other has not: flags and options are a paragraph each.
fn words(a: &str, b: &str) -> (String, String) {
    const LONG: usize = 60;
    if a.len().max(b.len()) <= LONG {
        return (a.to_owned(), b.to_owned());
    }
    let without = |text: &str, other: &str| {
        let other: BTreeSet<_> = other.split_whitespace().collect();
        let own: Vec<_> = text.split_whitespace().filter(|word| !other.contains(word)).collect();
        if own.is_empty() { "(none)".to_owned() } else { own.join(" ") }
    };
    match (without(a, b), without(b, a)) {
        // The same words in another order or number.
        (own_a, own_b) if own_a == own_b => (a.to_owned(), b.to_owned()),
        own => own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    fn rendered(a: &Summary, b: &Summary) -> String {
        render(&between(a, b))
    }

    #[test]
    fn equal_runs_have_everything_in_common() {
        let summary = example::summary();
        let text = rendered(&summary, &summary);
        assert_eq!(
            text,
            "same in both: mode, scale, host, toolchain, packages, libmdbx, git, settings\n"
        );
    }

    #[test]
    fn each_difference_is_named_with_both_values() {
        let a = example::summary();
        let mut b = example::summary();
        b.mode = "sequential".into();
        b.scale = "large".into();
        b.host.cpu = "another CPU".into();
        b.host.git = format!("{}-dirty", "f".repeat(40));
        let signet = b.signet.as_mut().expect("a side");
        signet.packages.insert("some-mdbx".into(), "1.3.0".into());
        signet.packages.insert("new-mdbx".into(), "0.1.0".into());
        signet.libmdbx = "0.13.8".into();
        let text = rendered(&a, &b);
        for line in [
            "  mode: quick → sequential\n",
            "  scale: default → large\n",
            "  host: CPU: a CPU → another CPU\n",
            "  packages: signet some-mdbx: 1.2.3 → 1.3.0\n",
            "  packages: signet new-mdbx: absent → 0.1.0\n",
            "  libmdbx: signet version: 0.13.7 → 0.13.8\n",
            "  git: commit: 0123456789ab → ffffffffffff-dirty\n",
            "same in both: toolchain, settings\n",
        ] {
            assert!(text.contains(line), "{line:?} is not in\n{text}");
        }
    }

    #[test]
    fn what_an_older_file_does_not_say_is_no_difference() {
        let mut old = example::summary();
        old.conditions = Conditions::default();
        let mut new = example::summary();
        new.conditions.governor = Some("performance".into());
        assert_eq!(between(&old, &new), []);
        let powersave = Some("powersave".into());
        let other = Conditions { governor: powersave, ..new.conditions.clone() };
        assert_eq!(between(&Summary { conditions: other, ..new.clone() }, &new).len(), 1);
    }

    #[test]
    fn a_self_test_lacks_a_side_and_not_its_packages() {
        let ordinary = example::summary();
        let own = Summary { self_test: Some("reth".into()), signet: None, ..example::summary() };
        let names: Vec<_> = between(&ordinary, &own).into_iter().map(|d| d.name).collect();
        assert_eq!(names, ["kind", "sides"]);
    }

    #[test]
    fn long_texts_are_cut_to_what_differs() {
        let flags = "-O3 -fPIC ".repeat(10);
        let (a, b) = words(&flags, &format!("{flags} -march=native"));
        assert_eq!((a.as_str(), b.as_str()), ("(none)", "-march=native"));
    }
}
