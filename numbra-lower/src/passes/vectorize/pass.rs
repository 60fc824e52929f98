//! Finds loops that vectors can run.

use super::{build, plan, shape};
use crate::analysis::Cfg;
use crate::lir::{Block, Func, Module};

pub(in crate::passes) fn vectorize(func: &mut Func, _: &Module) -> bool {
    let blocks: Vec<Block> = func.layout.clone();
    let mut changed = false;
    let mut cfg = None;
    for block in blocks {
        if !shape::is_loop(func, block) {
            continue;
        }
        let known = cfg.get_or_insert_with(|| Cfg::new(func));
        let Some(counted) = shape::counted(func, known, block) else {
            continue;
        };
        let Some(plan) = plan::plan(func, &counted) else {
            continue;
        };
        build::build(func, &counted, &plan);
        changed = true;
        cfg = None;
    }
    changed
}
