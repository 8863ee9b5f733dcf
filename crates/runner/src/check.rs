//! What must hold of one process's report. A text here ends the run.

use crate::{
    arms::Side,
    checkout,
    source::{Binary, Source},
};
use bench_shared::{
    catalogue::Layer,
    config::EnvConfig,
    job::{Check, GenesisCheck, JOB_SCHEMA, Report},
};

/// Most defects that one message lists; the rest is counted.
const LISTED: usize = 10;

/// Everything that is wrong with a report that any process of this binary makes.
pub fn any(report: &Report, binary: Binary) -> Vec<String> {
    let mut defects = Vec::new();
    if report.schema != JOB_SCHEMA {
        defects.push(format!(
            "the report has schema {}, the runner reads {JOB_SCHEMA}; build both anew",
            report.schema
        ));
    }
    if report.side != binary.side.name() {
        defects.push(format!("the binary says that it is side `{}`", report.side));
    }
    let planned = binary.source.name();
    let as_planned = match binary.source {
        // The binary goes by its binding, which need not be what the directory has.
        // The suite's own layer has no source in any build.
        Source::Checkout => report.packages.keys().any(|name| {
            checkout::measured(binary.side).contains(&name.as_str())
                && !report.sources.contains_key(name)
        }),
        _ => report.provenance == planned,
    };
    if !as_planned {
        defects.push(format!(
            "the binary says that its stack is of provenance `{}`, planned was `{planned}`; build it \
             anew",
            report.provenance
        ));
    }
    // The others have one build only, and no need to name it.
    let features = binary.build.name();
    if (binary.side, binary.layer) == (Side::Reth, Layer::Bindings) && report.build != features {
        defects.push(format!(
            "the binary says that its binding is the `{}` build, planned was `{features}`; build it \
             anew",
            report.build
        ));
    }
    if report.arms.is_empty() {
        defects.push("the report names no arms".to_owned());
    }
    let wanted = match binary.layer {
        Layer::Bindings => &EnvConfig::BINDINGS,
        Layer::HotDb => &EnvConfig::HOTDB,
    };
    for (arm, effective) in &report.configs {
        let wrong = effective.mismatches(wanted);
        defects.extend(wrong.iter().map(|m| format!("environment of arm `{arm}`: {m}")));
    }
    defects
}

/// Everything that is wrong with the verification of `ids`.
pub fn verification(report: &Report, ids: &[String], genesis: bool) -> Vec<String> {
    let mut defects = Vec::new();
    for id in ids {
        for arm in &report.arms {
            match report.checks.iter().find(|c| c.id == *id && c.arm == *arm) {
                Some(check) => defects.extend(failed(check)),
                None => defects.push(format!("{id}, arm `{arm}`: was not verified")),
            }
        }
    }
    for arm in report.arms.iter().filter(|a| !report.configs.contains_key(*a)) {
        defects.push(format!("arm `{arm}`: its environment's settings were not read back"));
    }
    if genesis {
        for arm in &report.arms {
            match report.genesis.iter().find(|g| g.arm == *arm) {
                Some(check) => defects.extend(failed_genesis(check)),
                None => defects.push(format!("arm `{arm}`: the mainnet genesis was not checked")),
            }
        }
    }
    defects
}

fn failed(check: &Check) -> Option<String> {
    let Check { id, arm, digest, expected, .. } = check;
    if !check.verified {
        let difference = match &check.first_difference {
            Some(difference) => format!("first difference: {difference}"),
            None => format!("digest {digest}, the model's is {expected}"),
        };
        return Some(format!("{id}, arm `{arm}`: does not match the model; {difference}"));
    }
    match (check.commits, check.txnid_advance) {
        // More than one each is possible: see `Bench::max_txnid_per_commit`, which the binary checks.
        (Some(commits), advance) if advance < Some(commits) => Some(format!(
            "{id}, arm `{arm}`: {commits} commits advanced the transaction id by {}, so that some \
             commit wrote nothing",
            advance.map_or_else(|| "an unknown number".to_owned(), |n| n.to_string())
        )),
        _ => None,
    }
}

fn failed_genesis(check: &GenesisCheck) -> Option<String> {
    (!check.verified).then(|| {
        format!(
            "arm `{}`: {} accounts of the mainnet genesis fold into the state root {}, which is not \
             mainnet's",
            check.arm, check.accounts, check.state_root
        )
    })
}

/// One message of several defects.
pub fn message(defects: &[String]) -> String {
    let mut text = defects.iter().take(LISTED).map(|d| format!("\n  {d}")).collect::<String>();
    if defects.len() > LISTED {
        text.push_str(&format!("\n  and {} more", defects.len() - LISTED));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{document::example, source::Tag};
    use bench_shared::catalogue::Build;

    fn binary(side: Side) -> Binary {
        Binary { side, source: Source::Registry, layer: Layer::Bindings, build: Build::Node }
    }

    #[test]
    fn another_build_than_the_planned_one_is_a_defect() {
        let report = example::report("reth", &["raw", "reth"], &ids());
        let upstream = Binary { source: Source::Tag(Tag::V1), ..binary(Side::Reth) };
        let text = message(&any(&report, upstream));
        assert!(text.contains("`registry`") && text.contains("`v1.11.3`"), "{text}");
        let checkout = Binary { source: Source::Checkout, ..binary(Side::Reth) };
        let mut local = report.clone();
        local.packages = [("reth-libmdbx".to_owned(), "1.11.3".to_owned())].into();
        assert!(any(&local, checkout).is_empty(), "a crate of it has no source but the directory");
        let mut published = local;
        published.sources.insert("reth-libmdbx".into(), "registry+x".into());
        assert!(message(&any(&published, checkout)).contains("`checkout`"));
        published.packages.insert("reth-typed".into(), "0.1.0".into());
        assert!(message(&any(&published, checkout)).contains("`checkout`"), "never has a source");
        let plain = Binary { build: Build::Plain, ..binary(Side::Reth) };
        let text = message(&any(&report, plain));
        assert!(text.contains("`node`") && text.contains("`plain`"), "{text}");
    }

    fn ids() -> Vec<String> {
        vec!["B2/get/32B".to_owned()]
    }

    #[test]
    fn a_sound_report_has_no_defect() {
        let report = example::report("reth", &["raw", "reth"], &ids());
        assert_eq!(any(&report, binary(Side::Reth)), Vec::<String>::new());
        assert_eq!(verification(&report, &ids(), false), Vec::<String>::new());
    }

    #[test]
    fn an_unverified_arm_is_named_with_benchmark_and_key() {
        let mut report = example::report("reth", &["raw", "reth"], &ids());
        report.checks[1].verified = false;
        report.checks[1].first_difference = Some("key 0xabc: read 1, expected 2".into());
        let text = message(&verification(&report, &ids(), false));
        assert!(text.contains("`reth`") && text.contains("B2/get/32B"), "{text}");
        assert!(text.contains("0xabc"), "{text}");
    }

    #[test]
    fn what_was_left_out_is_a_defect() {
        let mut report = example::report("reth", &["raw", "reth"], &ids());
        report.checks.pop();
        report.configs.remove("raw");
        let defects = verification(&report, &ids(), true);
        assert_eq!(defects.len(), 4, "{defects:?}");
    }

    #[test]
    fn a_commit_that_writes_nothing_is_a_defect() {
        let mut report = example::report("reth", &["reth"], &ids());
        report.checks[0].commits = Some(10);
        report.checks[0].txnid_advance = Some(9);
        assert!(verification(&report, &ids(), false)[0].contains("transaction id"));
    }

    #[test]
    fn a_setting_that_did_not_take_is_a_defect() {
        let mut report = example::report("reth", &["reth"], &ids());
        report.configs.get_mut("reth").expect("a configuration").write_map = false;
        let defects = any(&report, binary(Side::Reth));
        assert!(defects[0].contains("WRITEMAP") && defects[0].contains("`reth`"), "{defects:?}");
        assert!(any(&report, binary(Side::Signet)).len() == 2);
    }
}
