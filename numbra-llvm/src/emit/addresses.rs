//! Which addresses are for nothing but accesses, what their indices have added, and which slots stand in for others.
//!
//! A sum of a pointer and an offset wraps around in LIR. Where all that is done with it is to access memory there, or near
//! there, it may be computed without: in the lower half of the address space, where a program's memory is, a sum that
//! wrapped would not lead from one place of it to another. A base is such a place, too: the start of an array, a row of it,
//! an element. LLVM then knows how far apart the accesses of a loop's iterations are without comparing addresses before the
//! loop, and reads fields of records that lie side by side together.

use numbra_base::FxHashSet;
use numbra_lir::{BinaryOp, Block, Func, Inst, InstKind, IntCc, Slot, Value};

/// Accesses at larger offsets may be in memory where the address without the offset is not: the first page is nobody's.
const FIRST_PAGE_BYTES: u32 = 4096;

/// The addresses of which every use is an access.
pub(super) fn only_accessed(func: &Func) -> FxHashSet<Value> {
    let mut accessed: FxHashSet<Value> = FxHashSet::default();
    let mut otherwise: FxHashSet<Value> = FxHashSet::default();
    for block in &func.layout {
        let data = &func.blocks[block];
        for &inst in data.insts() {
            match func.insts[inst].kind {
                InstKind::Load { addr, offset, .. } if offset.unsigned_abs() < FIRST_PAGE_BYTES => {
                    accessed.insert(addr);
                }
                InstKind::Store {
                    addr,
                    offset,
                    value,
                    ..
                } if offset.unsigned_abs() < FIRST_PAGE_BYTES => {
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

/// The selects that count negative indices from the end, and are to be branches: those of an extent for a negative index, of
/// zero for others, which the index is added to, and those of [`from_the_end`].
///
/// The latter stay selects in loops of one block that store nothing: these add up what they look up, and no iteration waits for
/// the place that another one looked at.
pub(super) fn wraps(func: &Func) -> FxHashSet<Value> {
    let is_zero = |value: Value| matches!(func.def(value), Some(InstKind::IConst(0)));
    let wraps_around = |value: Value, index: Value| {
        let Some(&InstKind::Select { cond, other, .. }) = func.def(value) else {
            return false;
        };
        let negative = matches!(func.def(cond), Some(&InstKind::Icmp { cc: IntCc::Slt, lhs, rhs })
            if lhs == index && is_zero(rhs));
        negative && is_zero(other)
    };
    let sums = kinds(func).filter_map(|kind| match *kind {
        InstKind::Binary {
            op: BinaryOp::IAdd,
            lhs,
            rhs,
        } => [(lhs, rhs), (rhs, lhs)]
            .into_iter()
            .find(|&(value, index)| wraps_around(value, index))
            .map(|(value, _)| value),
        _ => None,
    });
    let only_looks_up = |block: Block| {
        let data = &func.blocks[block];
        let mut targets = data.term.iter().flat_map(|term| term.targets());
        let stores = |&inst: &Inst| matches!(func.insts[inst].kind, InstKind::Store { .. });
        targets.any(|to| to.block == block) && !data.insts().iter().any(stores)
    };
    let blocks = func.layout.iter().filter(|&block| !only_looks_up(block));
    let insts = blocks.flat_map(|block| func.blocks[block].insts());
    let chosen = insts.filter_map(|&inst| match func.insts[inst].kind {
        InstKind::Select { cond, then, other } => {
            from_the_end(func, cond, then, other).map(|_| func.insts[inst].results[0])
        }
        _ => None,
    });
    sums.chain(chosen).collect()
}

/// The extent `n` and the index `i` of `select(i < 0, i + n, i)`.
pub(super) fn from_the_end(
    func: &Func,
    cond: Value,
    then: Value,
    other: Value,
) -> Option<(Value, Value)> {
    let Some(&InstKind::Icmp {
        cc: IntCc::Slt,
        lhs,
        rhs,
    }) = func.def(cond)
    else {
        return None;
    };
    let zero = matches!(func.def(rhs), Some(InstKind::IConst(0)));
    let Some(&InstKind::Binary {
        op: BinaryOp::IAdd,
        lhs: x,
        rhs: y,
    }) = func.def(then)
    else {
        return None;
    };
    let extent = match (x == other, y == other) {
        (true, _) => y,
        (_, true) => x,
        _ => return None,
    };
    (zero && lhs == other).then_some((extent, other))
}

/// Slots whose address is selected for where a memory access is not wanted (`pack_stores`).
pub(super) fn stand_ins(func: &Func) -> FxHashSet<Slot> {
    kinds(func)
        .filter_map(|kind| match *kind {
            InstKind::Select { then, other, .. } => {
                slot_at(func, then).or_else(|| slot_at(func, other))
            }
            _ => None,
        })
        .collect()
}

/// The slot that an address is the start of.
pub(super) fn slot_at(func: &Func, value: Value) -> Option<Slot> {
    match func.def(value) {
        Some(&InstKind::SlotAddr(slot)) => Some(slot),
        _ => None,
    }
}

fn kinds(func: &Func) -> impl Iterator<Item = &InstKind> {
    let insts = func.layout.iter().flat_map(|b| func.blocks[b].insts());
    insts.map(|&inst| &func.insts[inst].kind)
}
