//! `plan`: what a command line would do; and which benches have to be built for it.

use super::print;
use crate::{
    arms::Side,
    checkout::{Checkout, Given},
    cli::RunArgs,
    plan::Plan,
    publish, run_dir, schedule,
    source::{Binary, Source},
    upstream, workspace,
};
use anyhow::Result;
use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};
use time::OffsetDateTime;

/// Runs `plan`.
pub fn run(args: &RunArgs) -> Result<()> {
    print(&render(&check(args)?.0))
}

/// Everything that can be checked before anything is built.
pub fn check(args: &RunArgs) -> Result<(Plan, Vec<Given>)> {
    let plan = Plan::new(args)?;
    let root = workspace::root();
    if args.publish {
        publish::require_place(&plan, &root)?;
        publish::require_clean(workspace::Git::of(&root).as_ref())?;
    }
    run_dir::choose(args.out.as_deref(), &root, plan.mode, OffsetDateTime::now_utc())?;
    let found = |(side, dir): &(Side, PathBuf)| -> Result<Given> {
        let checkout = Checkout::find(*side, dir)?;
        Ok(Given { side: *side, dir: dir.clone(), checkout })
    };
    let directories = plan.checkouts.iter().map(found).collect::<Result<_>>()?;
    Ok((plan, directories))
}

/// Prepares what has to be built and writes it for run_benches.sh, a line per binary, in its order.
pub fn write_needs(args: &RunArgs, file: &Path) -> Result<()> {
    let (plan, directories) = check(args)?;
    let root = workspace::root();
    for contender in plan.contenders {
        if let Source::Tag(tag) = contender.source {
            upstream::require(&root, tag)?;
        }
    }
    for Given { side, dir, checkout } in &directories {
        let workspace = Source::Checkout.workspace(*side, &root);
        checkout.generate(&root, &workspace)?;
        checkout.resolve(&workspace)?;
        checkout.record(dir, &workspace)?;
    }
    let lines = plan.binaries().into_iter().map(|binary: Binary| binary.need(&root) + "\n");
    workspace::write(file, lines.collect::<String>().as_bytes())
}

fn render(plan: &Plan) -> String {
    let [one, other] = plan.contenders;
    let mut out = format!(
        "{one} against {other}, {} mode, {} scale: {} rounds, {} processes in all\n",
        plan.mode.name(),
        plan.scale.name(),
        plan.rounds,
        2 * (schedule::steps(plan, 0).len() + plan.parts().len())
    );
    for group in &plan.groups {
        let (name, count) = (group.group.name, group.benches.len());
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  {name}  {count} benchmarks, {}", group.group.layer);
    }
    out
}
