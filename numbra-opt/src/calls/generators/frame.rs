//! What has to be in the frame, and where it stands there.

use super::{FrameLayout, Yield};
use crate::refs::ref_roots::{RefRoots, slot_of};
use cranelift_entity::SecondaryMap;
use numbra_abi::FRAME;
use numbra_base::FxHashMap;
use numbra_lir::analysis::{Cfg, LivenessBuilder};
use numbra_lir::{Block, Func, InstKind, Slot, Ty, Value, ValueDef};

/// True for values that a step can make again.
fn is_constant(func: &Func, value: Value) -> bool {
    match func.values[value].def {
        ValueDef::Result(inst, _) => matches!(
            func.insts[inst].kind,
            InstKind::IConst(_)
                | InstKind::FConst(_)
                | InstKind::Null
                | InstKind::SlotAddr(_)
                | InstKind::DataAddr(_)
                | InstKind::FuncAddr(_)
        ),
        ValueDef::Param(..) => false,
    }
}

/// For each yield the values that are needed behind it, in order.
pub(super) fn crossing(
    func: &Func,
    cfg: &Cfg,
    roots: &RefRoots,
    params: &[Value],
    yields: &[Yield],
) -> Vec<Vec<Value>> {
    let mut uses: SecondaryMap<Value, Vec<Block>> = SecondaryMap::new();
    let mut defs: Vec<(Value, Block)> = Vec::new();
    for &block in cfg.rpo() {
        let data = &func.blocks[block];
        defs.extend(data.params.iter().map(|&v| (v, block)));
        let mut mark = |value: Value| {
            let mut add = |value: Value| {
                if uses[value].last() != Some(&block) {
                    uses[value].push(block);
                }
            };
            add(value);
            roots.visit(value, add);
        };
        for &inst in data.insts() {
            func.insts[inst].kind.visit_operands(&mut mark);
            defs.extend(func.insts[inst].results.iter().map(|&v| (v, block)));
        }
        if let Some(term) = &data.term {
            term.visit_operands(&mut mark);
        }
    }
    let mut builder = LivenessBuilder::new();
    for (value, def) in defs {
        builder.add(cfg, value, Some(def), uses[value].iter().copied());
    }
    let alive = |at: &Yield| {
        let mut values: Vec<Value> = builder
            .liveness
            .live_in(at.resume)
            .iter()
            .copied()
            .filter(|v| !params.contains(v))
            .collect();
        values.sort();
        values
    };
    yields.iter().map(alive).collect()
}

/// Slots whose memory is needed behind a yield: an address of theirs is, or stands in memory that is.
pub(super) fn slots_in_frame(func: &Func, crossing: &[Vec<Value>]) -> Vec<bool> {
    let mut kept = vec![false; func.slots.len()];
    let mut merged = false;
    for &value in crossing.iter().flatten() {
        if !matches!(func.ty(value), Ty::Ptr(_)) {
            continue;
        }
        match (slot_of(func, value), func.values[value].def) {
            (Some(slot), _) => kept[slot.as_u32() as usize] = true,
            (None, ValueDef::Param(..)) => merged = true,
            (None, ValueDef::Result(..)) => {}
        }
    }
    // Which slots' addresses stand in which memory, and which are merged into block parameters.
    let mut stored: Vec<(Option<Slot>, Slot)> = Vec::new();
    for block in &func.layout {
        for &inst in func.blocks[block].insts() {
            if let InstKind::Store { addr, value, .. } = func.insts[inst].kind
                && let Some(slot) = slot_of(func, value)
            {
                stored.push((slot_of(func, addr), slot));
            }
        }
        if let Some(term) = &func.blocks[block].term {
            for &arg in term.targets().iter().flat_map(|to| &to.args) {
                if let Some(slot) = slot_of(func, arg).filter(|_| merged) {
                    kept[slot.as_u32() as usize] = true;
                }
            }
        }
    }
    loop {
        let mut changed = false;
        for &(place, slot) in &stored {
            let known = place.is_some_and(|place| !kept[place.as_u32() as usize]);
            if !known && !std::mem::replace(&mut kept[slot.as_u32() as usize], true) {
                changed = true;
            }
        }
        if !changed {
            return kept;
        }
    }
}

/// Where things stand in the frame.
pub(super) struct Fields {
    pub(super) layout: FrameLayout,
    pub(super) values: FxHashMap<Value, u32>,
    /// `None` for slots that stay slots.
    pub(super) slots: Vec<Option<u32>>,
}

impl Fields {
    pub(super) fn new(
        func: &Func,
        params: &[Value],
        crossing: &[Vec<Value>],
        kept: &[bool],
    ) -> Result<Fields, &'static str> {
        let mut all: Vec<Value> = params.to_vec();
        for &value in crossing.iter().flatten() {
            if !is_constant(func, value) && !all.contains(&value) {
                all.push(value);
            }
        }
        let mut values = FxHashMap::default();
        let mut at = FRAME.size;
        let (refs, plain): (Vec<Value>, Vec<Value>) =
            all.into_iter().partition(|&v| func.ty(v) == Ty::Ref);
        for &value in &refs {
            values.insert(value, at);
            at += 8;
        }
        let mut refs = refs.len() as u32;
        let mut slots = vec![None; func.slots.len()];
        let moved = || func.slots.values().enumerate().filter(|(n, _)| kept[*n]);
        // References in slots are counted fields as those of values.
        for (n, slot) in moved().filter(|(_, slot)| !slot.refs.is_empty()) {
            if slot.align > 8 || slot.size as usize != 8 * slot.refs.len() {
                return Err("a yield beside memory that mixes references with other values");
            }
            slots[n] = Some(at);
            at += slot.size;
            refs += slot.refs.len() as u32;
        }
        for value in plain {
            let size = func.ty(value).size();
            at = at.next_multiple_of(size);
            values.insert(value, at);
            at += size;
        }
        for (n, slot) in moved().filter(|(_, slot)| slot.refs.is_empty()) {
            if slot.align > 64 {
                return Err("a yield beside memory of an alignment above 64");
            }
            at = at.next_multiple_of(slot.align);
            slots[n] = Some(at);
            at = at
                .checked_add(slot.size)
                .filter(|at| *at < i32::MAX as u32 / 2)
                .ok_or("a generator with a frame of more than 1 GiB")?;
        }
        let layout = FrameLayout {
            size: at.next_multiple_of(8),
            refs,
            params: params.iter().map(|v| values[v]).collect(),
        };
        Ok(Fields {
            layout,
            values,
            slots,
        })
    }
}
