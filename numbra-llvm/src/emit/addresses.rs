//! Which addresses are for nothing but accesses, and what their indices have added.
//!
//! A sum of a pointer and an offset wraps around in LIR. Where all that is done with it is to access memory there, or near
//! there, it may be computed without: in the lower half of the address space, where a program's memory is, a sum that
//! wrapped would not lead from one place of it to another. A base is such a place, too: the start of an array, a row of it,
//! an element. LLVM then knows how far apart the accesses of a loop's rounds are without comparing addresses before the
//! loop, and reads fields of records that lie side by side together.

use numbra_base::FxHashSet;
use numbra_lower::lir::{BinaryOp, Func, InstKind, IntCc, Value, ValueDef};

/// Accesses at larger offsets may be in memory where the address without the offset is not: the first page is nobody's.
const NEAR: u32 = 4096;

/// The addresses of which every use is an access.
pub(super) fn only_accessed(func: &Func) -> FxHashSet<Value> {
    let mut accessed: FxHashSet<Value> = FxHashSet::default();
    let mut otherwise: FxHashSet<Value> = FxHashSet::default();
    for &block in &func.layout {
        let data = &func.blocks[block];
        for &inst in &data.insts {
            match func.insts[inst].kind {
                InstKind::Load { addr, offset, .. } if offset.unsigned_abs() < NEAR => {
                    accessed.insert(addr);
                }
                InstKind::Store {
                    addr,
                    offset,
                    value,
                    ..
                } if offset.unsigned_abs() < NEAR => {
                    accessed.insert(addr);
                    otherwise.insert(value);
                }
                ref kind => kind.visit_operands(|value| {
                    otherwise.insert(value);
                }),
            }
        }
        if let Some(term) = &data.term {
            term.visit_operands(|value| {
                otherwise.insert(value);
            });
        }
    }
    accessed.retain(|value| !otherwise.contains(value));
    accessed
}

/// Selects of an extent for a negative index, of zero for others, which the index is added to.
pub(super) fn wraps(func: &Func) -> FxHashSet<Value> {
    let kind_of = |value: Value| match func.values[value].def {
        ValueDef::Result(inst, _) => Some(&func.insts[inst].kind),
        ValueDef::Param(..) => None,
    };
    let is_zero = |value: Value| matches!(kind_of(value), Some(InstKind::IConst(0)));
    let wraps_around = |value: Value, index: Value| {
        let Some(&InstKind::Select { cond, other, .. }) = kind_of(value) else {
            return false;
        };
        let negative = matches!(kind_of(cond), Some(&InstKind::Icmp { cc: IntCc::Slt, lhs, rhs })
            if lhs == index && is_zero(rhs));
        negative && is_zero(other)
    };
    let insts = func
        .layout
        .iter()
        .flat_map(|&block| &func.blocks[block].insts);
    insts
        .filter_map(|&inst| match func.insts[inst].kind {
            InstKind::Binary {
                op: BinaryOp::IAdd,
                lhs,
                rhs,
            } => [(lhs, rhs), (rhs, lhs)]
                .into_iter()
                .find(|&(value, index)| wraps_around(value, index))
                .map(|(value, _)| value),
            _ => None,
        })
        .collect()
}
