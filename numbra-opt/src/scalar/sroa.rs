//! Slots whose address does not escape become values, field by field.
//!
//! ```text
//! before                               after
//!   slot0 = slot 16 align 8            block0(v0: i64):
//! block0(v0: i64):                       return v0
//!   v1 = slot_addr slot0
//!   store v1+8, v0 stack align 8
//!   v2: i64 = load v1+8 stack align 8
//!   return v2
//! ```
//!
//! A field is a range of bytes that all accesses take as one value of one type. Slots that are accessed in parts of a
//! field, copied whole or passed on stay. A reference field of a promoted slot needs no counting by itself: the value's
//! owners are those of any value. Near linear.

use crate::analyses::{Analyses, Changed};
use crate::edit::rename::Renames;
use crate::edit::ssa::{Event, construct};
use crate::scalar::fold::integer;
use cranelift_entity::{EntitySet, SecondaryMap};
use numbra_base::{FxHashMap, Origin, Span};
use numbra_lir::analysis::Cfg;
use numbra_lir::{Block, Func, Inst, InstKind, Module, Slot, Ty, Value};

/// A field of a promoted slot.
struct Field {
    offset: i64,
    ty: Ty,
    var: u32,
}

/// Slot and byte offset that a value points to.
type Target = Option<(Slot, i64)>;

pub(crate) fn sroa(func: &mut Func, _: &Module, known: &mut Analyses) -> Changed {
    if func.slots.is_empty() {
        return Changed::Nothing;
    }
    let (cfg, doms) = (known.cfg(func), known.doms(func));
    let (targets, escaped) = addresses(func, &cfg);
    let fields = fields(func, &cfg, &targets, &escaped);
    let mut vars = Vec::new();
    let mut table: FxHashMap<(Slot, i64), Field> = FxHashMap::default();
    for (slot, list) in fields {
        for (offset, ty) in list {
            let var = vars.len() as u32;
            vars.push(ty);
            table.insert((slot, offset), Field { offset, ty, var });
        }
    }
    // A slot that is only stored to has fields too; one without accesses has none and stays for `compact`.
    let mut events: SecondaryMap<Block, Vec<Event>> = SecondaryMap::new();
    let mut gone: EntitySet<Inst> = EntitySet::new();
    for &block in cfg.rpo() {
        for &inst in func.blocks[block].insts() {
            let data = &func.insts[inst];
            let (addr, offset, stored) = match &data.kind {
                InstKind::Load { addr, offset, .. } => (*addr, *offset, None),
                InstKind::Store {
                    addr,
                    offset,
                    value,
                    ..
                } => (*addr, *offset, Some(*value)),
                _ => continue,
            };
            let Some((slot, base)) = targets[addr] else {
                continue;
            };
            let Some(field) = table.get(&(slot, base + i64::from(offset))) else {
                continue;
            };
            debug_assert_eq!(field.offset, base + i64::from(offset), "keyed by offset");
            events[block].push(match stored {
                Some(value) => Event::Def {
                    var: field.var,
                    value,
                },
                None => Event::Use {
                    var: field.var,
                    stand_in: data.results[0],
                },
            });
            gone.insert(inst);
        }
    }
    if gone.is_empty() {
        return Changed::Nothing;
    }
    let types: FxHashMap<u32, Ty> = table.values().map(|f| (f.var, f.ty)).collect();
    let mut zeros: FxHashMap<Ty, Value> = FxHashMap::default();
    let mut renames = Renames::new();
    construct(
        func,
        &cfg,
        &doms,
        &vars,
        &events,
        &mut renames,
        |func, var| {
            let ty = types[&var];
            *zeros.entry(ty).or_insert_with(|| zero(func, ty))
        },
    );
    let mut walk = func.layout.walk();
    while let Some(block) = walk.next(&func.layout) {
        func.retain_insts(block, |inst, _| !gone.contains(inst));
    }
    renames.apply(func);
    compact(func);
    Changed::Insts
}

/// The zero of a type, defined at the start of the entry.
fn zero(func: &mut Func, ty: Ty) -> Value {
    let mut at = 0;
    let mut push = |func: &mut Func, kind: InstKind, ty: Ty| {
        let inst = func.make_inst(kind, &[ty], Span::NONE, Origin::Pass("sroa"));
        let entry = func.entry();
        func.insert_inst(entry, at, inst);
        at += 1;
        func.insts[inst].results[0]
    };
    match ty {
        Ty::F16 | Ty::F32 | Ty::F64 => push(func, InstKind::FConst(0), ty),
        Ty::Ptr(_) | Ty::Ref => push(func, InstKind::Null, ty),
        Ty::I1 | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 => {
            push(func, InstKind::IConst(0), ty)
        }
        Ty::Vec(lane, _) => {
            let kind = if lane.ty().is_float() {
                InstKind::FConst(0)
            } else {
                InstKind::IConst(0)
            };
            let value = push(func, kind, lane.ty());
            push(func, InstKind::Splat(value), ty)
        }
    }
}

/// Where values point to, and which slots are used otherwise than by loads and stores.
fn addresses(func: &Func, cfg: &Cfg) -> (SecondaryMap<Value, Target>, EntitySet<Slot>) {
    let mut targets: SecondaryMap<Value, Target> = SecondaryMap::new();
    let mut escaped = EntitySet::new();
    for &block in cfg.rpo() {
        for &inst in func.blocks[block].insts() {
            let data = &func.insts[inst];
            match &data.kind {
                InstKind::SlotAddr(slot) => targets[data.results[0]] = Some((*slot, 0)),
                InstKind::PtrAdd { base, offset } => {
                    if let Some((slot, at)) = targets[*base] {
                        match integer(func, *offset).and_then(|n| i64::try_from(n).ok()) {
                            Some(n) => {
                                targets[data.results[0]] = Some((slot, at.saturating_add(n)));
                            }
                            None => {
                                escaped.insert(slot);
                            }
                        }
                    }
                }
                InstKind::Load { flags, addr, .. } => {
                    if let (true, Some((slot, _))) = (flags.volatile, targets[*addr]) {
                        escaped.insert(slot);
                    }
                }
                InstKind::Store {
                    addr, value, flags, ..
                } => {
                    if let Some((slot, _)) = targets[*value] {
                        escaped.insert(slot);
                    }
                    if let (true, Some((slot, _))) = (flags.volatile, targets[*addr]) {
                        escaped.insert(slot);
                    }
                }
                other => other.visit_operands(|v| {
                    if let Some((slot, _)) = targets[v] {
                        escaped.insert(slot);
                    }
                }),
            }
        }
        if let Some(term) = &func.blocks[block].term {
            term.visit_operands(|v| {
                if let Some((slot, _)) = targets[v] {
                    escaped.insert(slot);
                }
            });
        }
    }
    (targets, escaped)
}

/// Fields of each slot that can become values, by offset.
fn fields(
    func: &Func,
    cfg: &Cfg,
    targets: &SecondaryMap<Value, Target>,
    escaped: &EntitySet<Slot>,
) -> Vec<(Slot, Vec<(i64, Ty)>)> {
    let mut accesses: SecondaryMap<Slot, Vec<(i64, Ty)>> = SecondaryMap::new();
    for &block in cfg.rpo() {
        for &inst in func.blocks[block].insts() {
            let data = &func.insts[inst];
            let (addr, offset, ty) = match &data.kind {
                InstKind::Load { addr, offset, .. } => (*addr, *offset, func.ty(data.results[0])),
                InstKind::Store {
                    addr,
                    offset,
                    value,
                    ..
                } => (*addr, *offset, func.ty(*value)),
                _ => continue,
            };
            if let Some((slot, base)) = targets[addr] {
                accesses[slot].push((base + i64::from(offset), ty));
            }
        }
    }
    let mut out = Vec::new();
    for (slot, data) in func.slots.iter() {
        if escaped.contains(slot) {
            continue;
        }
        let mut list = std::mem::take(&mut accesses[slot]);
        list.sort();
        list.dedup();
        let mut end = 0;
        let mut good = true;
        for &(offset, ty) in &list {
            // Overlapping accesses are of different fields or types.
            good &= offset >= end && offset + i64::from(ty.size()) <= i64::from(data.size);
            end = offset + i64::from(ty.size());
            let counted = u32::try_from(offset).is_ok_and(|o| data.refs.contains(&o));
            good &= !counted || ty == Ty::Ref;
        }
        if good && !list.is_empty() {
            out.push((slot, list));
        }
    }
    out
}

/// Drops slots that nothing addresses.
pub(crate) fn compact(func: &mut Func) {
    let mut used: EntitySet<Slot> = EntitySet::new();
    let counts = numbra_lir::analysis::use_counts(func);
    for block in &func.layout {
        for &inst in func.blocks[block].insts() {
            if let InstKind::SlotAddr(slot) = func.insts[inst].kind
                && func.insts[inst].results.iter().any(|&v| counts[v] > 0)
            {
                used.insert(slot);
            }
        }
    }
    let mut map: SecondaryMap<Slot, Option<Slot>> = SecondaryMap::new();
    let mut kept = cranelift_entity::PrimaryMap::new();
    for (slot, data) in func.slots.iter() {
        if used.contains(slot) {
            map[slot] = Some(kept.push(data.clone()));
        }
    }
    func.slots = kept;
    if let Some(debug) = &mut func.debug {
        debug.variables.retain_mut(|variable| {
            let kept = map[variable.slot];
            variable.slot = kept.unwrap_or(variable.slot);
            kept.is_some()
        });
    }
    let mut walk = func.layout.walk();
    while let Some(block) = walk.next(&func.layout) {
        let mut insts = func.take_insts(block);
        insts.retain(|&inst| match &mut func.insts[inst].kind {
            InstKind::SlotAddr(slot) => match map[*slot] {
                Some(new) => {
                    *slot = new;
                    true
                }
                None => false,
            },
            _ => true,
        });
        func.set_insts(block, insts);
    }
}
