//! Hands what a loop stores to the load that reads it in the next iteration.
//!
//! ```text
//! before                                 after
//!   jump block1(v0)                        v20: i64 = load v1         (v0 is 0)
//! block1(v2: i64):                         jump block1(v0, v20)
//!   v3 = ptr_add v1, v9    (8 * v2)      block1(v2: i64, v21: i64):
//!   v4: i64 = load v3                      v5 = iadd v21, v2
//!   v5 = iadd v4, v2                       v3 = ptr_add v1, v9
//!   store v3+8, v5                         store v3+8, v5
//!   v6 = iadd v2, v8       (v8 = 1)        v6 = iadd v2, v8
//!   v7 = icmp slt v6, v10                  v7 = icmp slt v6, v10
//!   brif v7, block1(v6), block2            brif v7, block1(v6, v5), block2
//! ```
//!
//! A load waits for a store to its address for several cycles. Taken are loops of one block that write memory of the
//! load's class at one place only. Wants rotated loops and addresses as an invariant base and a varying rest (`licm`).
//! LLVM does this itself, so only Cranelift's pipeline has it. Linear.

use crate::analyses::{Analyses, Changed};
use crate::edit::edges;
use crate::edit::rename::Renames;
use crate::scalar::fold::integer;
use numbra_base::FxHashMap;
use numbra_lir::analysis::{AliasSet, Loop, LoopInductions, affine, effects};
use numbra_lir::{Block, Func, Inst, InstKind, Module, Ty, Value, ValueDef};

/// Loops of more instructions are not looked at, and sums of more parts.
const MOST_INSTS: usize = 64;
const MOST_PARTS: usize = 4;

/// `base + scale * counter + offset`, where `counter` is a parameter of the loop.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Address {
    base: Value,
    counter: Value,
    scale: i64,
    offset: i64,
}

/// A load of what the iteration before has stored.
struct Carried {
    load: Inst,
    stored: Value,
}

pub(crate) fn scalar_promotion(func: &mut Func, _: &Module, known: &mut Analyses) -> Changed {
    let mut renames = Renames::new();
    let blocks: Vec<Block> = func.layout.iter().collect();
    for block in blocks {
        let loops = func.blocks[block].term.iter().flat_map(|t| t.targets());
        if loops.filter(|to| to.block == block).count() != 1 {
            continue;
        }
        let Some(carried) = find(func, block) else {
            continue;
        };
        let cfg = known.cfg(func);
        let mut entering = cfg.preds(block).iter().filter(|&&p| p != block);
        let (Some(&from), None) = (entering.next(), entering.next()) else {
            continue;
        };
        carry(func, block, from, &carried, &mut renames);
        known.note(Changed::Flow);
    }
    let changed = !renames.is_empty();
    renames.apply(func);
    Changed::flow(changed)
}

/// The first load that reads what the only store of its class wrote one iteration before.
fn find(func: &Func, block: Block) -> Option<Carried> {
    let insts = func.blocks[block].insts();
    if insts.len() > MOST_INSTS {
        return None;
    }
    let writes = |&&inst: &&Inst| !effects(&func.insts[inst].kind).writes.is_empty();
    let mut writers = insts.iter().filter(writes);
    let &store = writers.next()?;
    let InstKind::Store {
        addr,
        offset,
        value,
        flags,
    } = func.insts[store].kind
    else {
        return None;
    };
    let class = AliasSet::of(flags.alias);
    let alone = writers.all(|&other| !effects(&func.insts[other].kind).writes.overlaps(class));
    if !alone || flags.volatile {
        return None;
    }
    let ty = func.ty(value);
    let data = &Loop::of_block(block);
    let target = address(func, data, addr, offset)?;
    let step = step(func, data, target.counter)?;
    let ahead = target.scale.checked_mul(step)?;
    if ahead.unsigned_abs() < u64::from(ty.size()) {
        return None;
    }
    insts.iter().find_map(|&inst| {
        let InstKind::Load {
            addr,
            offset,
            flags,
        } = func.insts[inst].kind
        else {
            return None;
        };
        let result = func.insts[inst].results[0];
        let source = address(func, data, addr, offset)?;
        let next = Address {
            offset: source.offset.checked_add(ahead)?,
            ..source
        };
        let good = next == target && func.ty(result) == ty && !flags.volatile && result != value;
        good.then_some(Carried {
            load: inst,
            stored: value,
        })
    })
}

fn address(func: &Func, data: &Loop, addr: Value, offset: i32) -> Option<Address> {
    let mut offset = i64::from(offset);
    let mut at = addr;
    let mut varying = None;
    for _ in 0..MOST_PARTS {
        if !func.is_defined_in(data, at) {
            break;
        }
        let &InstKind::PtrAdd {
            base, offset: part, ..
        } = func.def(at)?
        else {
            return None;
        };
        match integer(func, part) {
            Some(n) => offset = offset.checked_add(n.try_into().ok()?)?,
            None if func.ty(part) == Ty::I64 && varying.is_none() => {
                varying = Some(affine(func, data, part)?);
            }
            None => return None,
        }
        at = base;
    }
    let varying = varying?;
    let address = Address {
        base: at,
        counter: varying.param,
        scale: varying.scale.try_into().ok()?,
        offset: offset.checked_add(varying.offset.try_into().ok()?)?,
    };
    (!func.is_defined_in(data, at)).then_some(address)
}

/// What an iteration adds to a counter.
fn step(func: &Func, data: &Loop, counter: Value) -> Option<i64> {
    let ValueDef::Param(_, n) = func.values[counter].def else {
        return None;
    };
    let known = LoopInductions::new(func, data);
    let by = known.var(usize::from(n))?.step.constant?;
    by.try_into().ok()
}

fn carry(func: &mut Func, block: Block, from: Block, carried: &Carried, renames: &mut Renames) {
    let Some((edge, to)) = func.term(from).target_to(block) else {
        return;
    };
    let initial = to.args.clone();
    let before = edges::split(func, from, edge, "scalar_promotion");
    // The first load, and what its address is computed from.
    let params = func.blocks[block].params.iter().copied();
    let mut map: FxHashMap<Value, Value> = params.zip(initial).collect();
    let insts = func.blocks[block].insts().to_vec();
    let mut needed = vec![carried.load];
    let mut at = 0;
    while let Some(&inst) = needed.get(at) {
        at += 1;
        func.insts[inst].kind.visit_operands(|v| {
            if let ValueDef::Result(of, _) = func.values[v].def
                && func.inst_block(of) == Some(block)
                && !needed.contains(&of)
            {
                needed.push(of);
            }
        });
    }
    let mut first = None;
    for inst in insts.into_iter().filter(|i| needed.contains(i)) {
        let data = func.insts[inst].clone();
        let mut kind = data.kind;
        kind.for_each_operand(|v| *v = map.get(v).copied().unwrap_or(*v));
        let types: Vec<Ty> = data.results.iter().map(|&v| func.ty(v)).collect();
        let copy = func.push_inst(before, kind, &types, data.span, data.origin);
        func.insts[copy].facts = data.facts;
        for (n, &result) in data.results.iter().enumerate() {
            map.insert(result, func.insts[copy].results[n]);
        }
        if inst == carried.load {
            first = func.insts[copy].results.first().copied();
        }
    }
    let Some(first) = first else {
        return;
    };
    let loaded = func.insts[carried.load].results[0];
    let param = func.push_param(block, func.ty(loaded));
    for (of, value) in [(before, first), (block, carried.stored)] {
        if let Some(term) = &mut func.blocks[of].term {
            let back = term
                .targets_mut()
                .into_iter()
                .filter(|to| to.block == block);
            back.for_each(|to| to.args.push(value));
        }
    }
    func.remove_inst(carried.load);
    renames.replace(loaded, param);
}
