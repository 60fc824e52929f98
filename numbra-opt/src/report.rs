//! What each pass did: the stage `passes`.

use crate::{PassError, Pipeline};
use numbra_lir::Module;
use std::fmt::Write;

/// Runs lists one after the other on a module and says for each pass whether it changed something, the blocks and instructions
/// that there are then, and the time that it took in microseconds.
///
/// # Errors
/// The first pass after which the module breaks a rule.
pub fn pass_report(lists: &[&Pipeline], module: &mut Module) -> Result<String, PassError> {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{:<14}{:<20}{:<9}{:>8}{:>14}{:>10}",
        "list", "pass", "changed", "blocks", "instructions", "us"
    );
    let mut line = |list: &str, pass: &str, changed: &str, module: &Module, time: f64| {
        let (blocks, insts) = size(module);
        let _ = writeln!(
            out,
            "{list:<14}{pass:<20}{changed:<9}{blocks:>8}{insts:>14}{time:>10.1}"
        );
    };
    line("-", "-", "-", module, 0.0);
    for list in lists {
        list.run_observed(module, |run, module| {
            let changed = if run.changed { "yes" } else { "no" };
            let time = run.took.as_secs_f64() * 1e6;
            line(list.name, run.pass.name(), changed, module, time);
        })?;
    }
    Ok(out)
}

/// Blocks and instructions of all functions.
fn size(module: &Module) -> (usize, usize) {
    let bodies = module.functions.values().filter_map(|f| f.body.as_ref());
    bodies.fold((0, 0), |(blocks, insts), func| {
        let own: usize = func
            .layout
            .iter()
            .map(|b| func.blocks[b].insts().len())
            .sum();
        (blocks + func.layout.len(), insts + own)
    })
}
