//! `ir_processing`: Numba's post-processing of what the builder made.

use super::context::PassContext;
use super::surgery::remove_unreachable;
use crate::analysis::{Cfg, Liveness, VarSet};
use crate::pipeline::{Changed, PassResult};
use crate::{Func, Inst, Rhs, StmtKind, Var};

/// Drops unreachable blocks and numbers the `yield`s of a generator from 1, in layout order.
///
/// ```text
///   before               after
///     $1 = yield(x, 0)     $1 = yield(x, 1)
///     $2 = yield(y, 0)     $2 = yield(y, 2)
/// ```
pub fn ir_processing(func: &mut Func, _: &PassContext<'_>) -> PassResult {
    let mut any = remove_unreachable(func);
    let mut next = 0;
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            if let StmtKind::Assign {
                value: Rhs::Yield { index, .. },
                ..
            } = &mut func.insts[inst].kind
            {
                next += 1;
                any |= *index != next;
                *index = next;
            }
        }
    }
    Ok(Changed::from(any))
}

/// Where a generator waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct YieldPoint {
    /// The statement.
    pub inst: Inst,
    /// Its number.
    pub index: u32,
    /// Variables that are needed after it: the generator's state.
    pub live: Vec<Var>,
}

/// The yield points of a generator in layout order. What is assigned by a yield is not part of its state.
pub fn generator_info(func: &Func) -> Vec<YieldPoint> {
    let liveness = Liveness::new(func, &Cfg::new(func));
    let mut points = Vec::new();
    for &block in &func.layout {
        let mut live: VarSet = liveness.live_out(block).iter().copied().collect();
        let mut here = Vec::new();
        for &inst in func.blocks[block].insts.iter().rev() {
            let kind = &func.insts[inst].kind;
            if let Some(var) = kind.def() {
                live.remove(var);
            }
            if let StmtKind::Assign {
                value: Rhs::Yield { index, .. },
                ..
            } = kind
            {
                here.push(YieldPoint {
                    inst,
                    index: *index,
                    live: live.iter().collect(),
                });
            }
            kind.for_each_use(|var| {
                live.insert(var);
            });
        }
        points.extend(here.into_iter().rev());
    }
    points
}
