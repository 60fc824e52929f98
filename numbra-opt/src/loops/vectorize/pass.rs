//! Finds loops that vectors can run.

use super::{build, plan, shape};
use crate::analyses::{Analyses, Changed};
use numbra_lir::analysis::{Leading, Loop};
use numbra_lir::{Block, Func, Module};

pub(crate) fn vectorize(func: &mut Func, _: &Module, known: &mut Analyses) -> Changed {
    let blocks: Vec<Block> = func.layout.iter().collect();
    let mut changed = false;
    let mut leading = None;
    for block in blocks {
        if !shape::is_loop(func, block) {
            continue;
        }
        let leading = leading.get_or_insert_with(|| Leading::new(func, &known.cfg(func)));
        let Some(counted) = shape::counted(func, leading, &Loop::of_block(block)) else {
            continue;
        };
        let Some(plan) = plan::plan(func, &counted) else {
            continue;
        };
        build::build(func, &counted, &plan);
        changed = true;
    }
    Changed::flow(changed)
}
