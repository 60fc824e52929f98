//! Makes a function of its own of blocks of a function in the making.
//!
//! LIR is the level for this: values have machine types, references are plain values that nobody counts yet, and what the
//! blocks use from outside are exactly the operands that they do not define.

use cranelift_entity::SecondaryMap;
use numbra_base::{FxHashMap, FxHashSet};
use numbra_lir::{
    AliasClass, Align, Block, ConvertOp, EntityRef, Func, InstKind, IntCc, MemFlags, Signature,
    Slot, Terminator, Ty, Value, ValueDef,
};

/// Distance of captured values in their block, in bytes.
pub(super) const STRIDE: u32 = Signature::BLOCK_STRIDE;

/// How captured values stand in their block: written before any thread reads them.
pub(super) fn captured_flags(ty: Ty) -> MemFlags {
    MemFlags {
        alias: AliasClass::ARGS,
        align: Align(ty.size().min(16) as u8),
        readonly: true,
        volatile: false,
    }
}

/// Moves `blocks` into a function of signature `sig`; also the values of `func` that it reads from the block that its first
/// parameter points to.
///
/// The first of the blocks is entered from nowhere in `func`, has the parameters of `sig`, and becomes the entry. No block
/// branches to one that is not moved.
pub(super) fn outline(
    func: &mut Func,
    blocks: &[Block],
    sig: Signature,
) -> Result<(Func, Vec<Value>), String> {
    let moved: FxHashSet<Block> = blocks.iter().copied().collect();
    let mut made = Func::new(sig, func.span);
    let mut map: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    let entry = made.entry();
    let mut block_map: FxHashMap<Block, Block> = FxHashMap::default();
    for (n, &block) in blocks.iter().enumerate() {
        let to = if n == 0 { entry } else { made.push_block() };
        block_map.insert(block, to);
        for (i, &param) in func.blocks[block].params.iter().enumerate() {
            let new = if n == 0 {
                made.blocks[entry].params[i]
            } else {
                made.push_param(to, func.ty(param))
            };
            map[param] = Some(new);
        }
        made.blocks[to].cold = func.blocks[block].cold;
    }
    let own_slots = own_slots(func, &moved);
    // What comes from outside, in order of use.
    let mut seen: SecondaryMap<Value, bool> = SecondaryMap::new();
    let mut outside = Vec::new();
    let mut note = |value: Value| {
        let inside = func.def_block(value).is_some_and(|b| moved.contains(&b));
        if !inside && !std::mem::replace(&mut seen[value], true) {
            outside.push(value);
        }
    };
    for &block in blocks {
        for &inst in func.blocks[block].insts() {
            func.insts[inst].kind.visit_operands(&mut note);
        }
        func.term(block).visit_operands(&mut note);
    }
    let mut slots: FxHashMap<Slot, Slot> = FxHashMap::default();
    let context = made.blocks[entry].params[0];
    let mut captured = Vec::new();
    for value in outside {
        let ty = func.ty(value);
        let def = match func.values[value].def {
            ValueDef::Result(inst, 0) => Some(&func.insts[inst]),
            ValueDef::Result(..) | ValueDef::Param(..) => None,
        };
        let again = def.and_then(|data| match &data.kind {
            InstKind::IConst(_)
            | InstKind::FConst(_)
            | InstKind::Null
            | InstKind::DataAddr(_)
            | InstKind::FuncAddr(_) => Some(data.kind.clone()),
            InstKind::SlotAddr(slot) if own_slots.contains(slot) => {
                let to = *slots
                    .entry(*slot)
                    .or_insert_with(|| made.slots.push(func.slots[*slot].clone()));
                Some(InstKind::SlotAddr(to))
            }
            _ => None,
        });
        let (span, origin) = (func.span, numbra_base::Origin::Compiler);
        let one = |made: &mut Func, kind: InstKind, ty: Ty| {
            let inst = made.push_inst(entry, kind, &[ty], span, origin);
            made.insts[inst].results[0]
        };
        let new = match again {
            Some(kind) => one(&mut made, kind, ty),
            None => {
                let offset = (STRIDE as usize * captured.len()) as i32;
                captured.push(value);
                let stored = if ty == Ty::I1 { Ty::I8 } else { ty };
                let flags = captured_flags(stored);
                let load = InstKind::Load {
                    addr: context,
                    offset,
                    flags,
                };
                let loaded = one(&mut made, load, stored);
                if ty == Ty::I1 {
                    let zero = one(&mut made, InstKind::IConst(0), Ty::I8);
                    let test = InstKind::Icmp {
                        cc: IntCc::Ne,
                        lhs: loaded,
                        rhs: zero,
                    };
                    one(&mut made, test, Ty::I1)
                } else {
                    loaded
                }
            }
        };
        map[value] = Some(new);
    }
    // Results first: an operand may be defined in a block that comes later in the list.
    for &block in blocks {
        let to = block_map[&block];
        for &inst in func.blocks[block].insts() {
            let data = func.insts[inst].clone();
            let tys: Vec<Ty> = data.results.iter().map(|r| func.ty(*r)).collect();
            let mut kind = data.kind;
            if let InstKind::SlotAddr(slot) = &mut kind {
                if !own_slots.contains(slot) {
                    return Err("a parallel loop that shares a variable in memory".to_owned());
                }
                *slot = *slots
                    .entry(*slot)
                    .or_insert_with(|| made.slots.push(func.slots[*slot].clone()));
            }
            let new = made.push_inst(to, kind, &tys, data.span, data.origin);
            made.insts[new].fast = data.fast;
            made.insts[new].facts = data.facts;
            for (old, new) in data.results.iter().zip(made.insts[new].results.clone()) {
                map[*old] = Some(new);
            }
        }
    }
    let rename = |value: &mut Value| {
        if let Some(new) = map[*value] {
            *value = new;
        }
    };
    for &block in blocks {
        let to = block_map[&block];
        let first_moved = made.blocks[to].insts().len() - func.blocks[block].insts().len();
        for n in first_moved..made.blocks[to].insts().len() {
            let inst = made.blocks[to].insts()[n];
            made.insts[inst].kind.for_each_operand(rename);
        }
        let data = &mut func.blocks[block];
        let mut term = data.term.take().expect("finished blocks have terminators");
        term.for_each_operand(rename);
        for target in term.targets_mut() {
            target.block = block_map[&target.block];
        }
        made.set_term(to, term, data.term_span, data.term_origin);
        data.term = Some(Terminator::Fail);
        func.take_insts(block);
    }
    made.layout.move_back(|block| made.blocks[block].cold);
    Ok((made, captured))
}

/// Slots that the moved blocks alone use.
fn own_slots(func: &Func, moved: &FxHashSet<Block>) -> FxHashSet<Slot> {
    let mut outside: FxHashSet<Slot> = FxHashSet::default();
    for (block, data) in func.blocks.iter() {
        for &inst in data.insts() {
            if let InstKind::SlotAddr(slot) = func.insts[inst].kind
                && !moved.contains(&block)
            {
                outside.insert(slot);
            }
        }
    }
    func.slots
        .keys()
        .filter(|slot| !outside.contains(slot))
        .collect()
}

/// About how many instructions an iteration of a task takes; an iteration of its inner loops where their trip count is known.
pub(super) fn weight(func: &Func, is_trip_count_known: bool) -> i64 {
    let mut weight: i64 = 0;
    let mut loops = 0;
    for block in &func.layout {
        let data = &func.blocks[block];
        if data.cold {
            continue;
        }
        for &inst in data.insts() {
            weight += match &func.insts[inst].kind {
                InstKind::Math { .. } => 40,
                InstKind::Call { .. }
                | InstKind::CallIndirect { .. }
                | InstKind::CallNative { .. } => 400,
                InstKind::Convert {
                    op: ConvertOp::RefToPtr,
                    ..
                }
                | InstKind::IConst(_)
                | InstKind::FConst(_)
                | InstKind::Keep(_) => 0,
                _ => 1,
            };
        }
        if let Some(term) = &data.term {
            let back = |to: &&&numbra_lir::BlockCall| to.block.index() <= block.index();
            loops += term.targets().iter().filter(back).count();
        }
    }
    // One is the loop over the chunk.
    if loops > 1 && !is_trip_count_known {
        weight * 100
    } else {
        weight
    }
}
