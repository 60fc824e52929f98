//! Generator expressions of CPython 3.15, which are called with an iterable, are called with its iterator as before.
//!
//! ```text
//! before                                     after
//!   v0 = function <code <genexpr>>             v0 = function <code <genexpr>>
//!   v2 = call v0(v1)                           v3 = iter v1
//!                                              v2 = call v0(v3)
//! ```
//!
//! The decoder leaves the iterator out of the expression's own code, which makes it before the generator is made.

use super::params::simplify;
use super::tails::reachable;
use super::{Dfg, DfgInst, DfgOp, Value, ValueId, ValueKind};
use crate::code::Const;
use numbra_base::FxHashSet;

/// Makes the iterators of all calls.
pub(super) fn make_iterators(dfg: &mut Dfg) {
    let takes_iterable =
        |constant: &Const| matches!(constant, Const::Code(code) if code.takes_iterable());
    if !dfg.consts.iter().any(takes_iterable) {
        return;
    }
    // The function is the only value of the parameters that it comes by where the iterable has branches.
    simplify(dfg, &reachable(dfg).0);
    let made: FxHashSet<ValueId> = dfg
        .blocks
        .iter()
        .flat_map(|block| &block.insts)
        .filter(|inst| match inst.op {
            DfgOp::MakeFunction { code, .. } => takes_iterable(&dfg.consts[code.0 as usize]),
            _ => false,
        })
        .flat_map(|inst| inst.results.iter().copied())
        .collect();
    let Dfg { blocks, values, .. } = dfg;
    for block in blocks {
        let mut insts = Vec::with_capacity(block.insts.len());
        for mut inst in std::mem::take(&mut block.insts) {
            if let (DfgOp::Call { .. }, [function, iterable]) =
                (&inst.op, inst.operands.as_mut_slice())
                && made.contains(function)
            {
                let iterator = ValueId(values.len() as u32);
                let span = values[iterable.index()].span;
                values.push(Value {
                    kind: ValueKind::Result,
                    span,
                    offset: inst.offset,
                });
                insts.push(DfgInst {
                    op: DfgOp::GetIter,
                    operands: vec![std::mem::replace(iterable, iterator)],
                    results: vec![iterator],
                    span,
                    offset: inst.offset,
                });
            }
            insts.push(inst);
        }
        block.insts = insts;
    }
}
