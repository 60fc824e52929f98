//! What loops ask of LLVM's vectoriser.
//!
//! LLVM interleaves rounds of vectorised loops, which gains nothing where each round calls mathematical functions: all
//! values live across the calls go to memory and back. Such loops ask for one vector at a time.
//!
//! Loops that store to some fields of records ask for none: each lane is stored alone, at an address that LLVM computes in
//! a vector and takes apart again. Slow arithmetic is worth that.

use numbra_base::FxHashMap;
use numbra_lower::analysis::{Cfg, Dominators, Loop, Loops};
use numbra_lower::lir::{BinaryOp, Block, Func, InstKind, UnaryOp, Value, ValueDef};

/// A wish of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wish {
    OneVectorAtATime,
    NoVectors,
}

impl Wish {
    /// The metadata node that asks for it.
    pub(super) fn node(self) -> &'static str {
        match self {
            Wish::OneVectorAtATime => "!83",
            Wish::NoVectors => "!84",
        }
    }
}

/// What a loop asks for.
pub(super) fn wish(func: &Func, one: &Loop) -> Option<Wish> {
    let kinds = || insts(func, &one.blocks);
    if kinds().any(|kind| matches!(kind, InstKind::Math { .. })) {
        return Some(Wish::OneVectorAtATime);
    }
    let slow = kinds().any(|kind| match kind {
        InstKind::Binary { op, .. } => *op == BinaryOp::FDiv,
        InstKind::Unary { op, .. } => *op == UnaryOp::Sqrt,
        _ => false,
    });
    (!slow && stores_with_gaps(func, one)).then_some(Wish::NoVectors)
}

/// The wishes of the loops of a function with their headers, by the blocks that begin their next rounds.
pub(super) fn wishes(func: &Func) -> FxHashMap<Block, (Block, Wish)> {
    let mut found = FxHashMap::default();
    // Many functions have none, and no need of an analysis.
    let mut all = insts(func, &func.layout);
    if !all.any(|kind| matches!(kind, InstKind::Math { .. } | InstKind::Store { .. })) {
        return found;
    }
    let cfg = Cfg::new(func);
    let doms = Dominators::new(&cfg);
    for (_, one) in Loops::new(&cfg, &doms).iter() {
        if let Some(wish) = wish(func, one) {
            let latches = one.latches.iter();
            found.extend(latches.map(|&latch| (latch, (one.header, wish))));
        }
    }
    found
}

fn insts<'a>(func: &'a Func, blocks: &'a [Block]) -> impl Iterator<Item = &'a InstKind> {
    let insts = blocks.iter().flat_map(|&block| &func.blocks[block].insts);
    insts.map(|&inst| &func.insts[inst].kind)
}

/// True if the stores of a round leave bytes out between one round's and the next one's.
fn stores_with_gaps(func: &Func, one: &Loop) -> bool {
    let mut stored: FxHashMap<Value, Vec<(i32, u32)>> = FxHashMap::default();
    for kind in insts(func, &one.blocks) {
        if let InstKind::Store {
            addr,
            offset,
            value,
            ..
        } = *kind
        {
            let field = (offset, func.ty(value).size());
            let fields = stored.entry(addr).or_default();
            if !fields.contains(&field) {
                fields.push(field);
            }
        }
    }
    stored.into_iter().any(|(addr, fields)| {
        let bytes: u128 = fields.iter().map(|&(_, size)| u128::from(size)).sum();
        step(func, one, addr).is_some_and(|step| bytes < step.unsigned_abs())
    })
}

/// By how many bytes an address moves when the counter of the loop changes by one, if it is a fixed address plus a constant
/// times the counter.
fn step(func: &Func, one: &Loop, addr: Value) -> Option<i128> {
    let &InstKind::PtrAdd { base, offset } = definition(func, addr)? else {
        return None;
    };
    let &InstKind::Binary { op, lhs, rhs } = definition(func, offset)? else {
        return None;
    };
    let is_counter = |value| func.blocks[one.header].params.contains(&value);
    let (counter, step) = match (op, constant(func, lhs), constant(func, rhs)) {
        (BinaryOp::IMul, _, Some(by)) => (lhs, by),
        (BinaryOp::IMul, Some(by), _) => (rhs, by),
        (BinaryOp::Shl, _, Some(by @ 0..32)) => (lhs, 1 << by),
        _ => return None,
    };
    (is_counter(counter) && !is_inside(func, one, base)).then_some(step)
}

fn definition(func: &Func, value: Value) -> Option<&InstKind> {
    match func.values[value].def {
        ValueDef::Result(inst, _) => Some(&func.insts[inst].kind),
        ValueDef::Param(..) => None,
    }
}

fn constant(func: &Func, value: Value) -> Option<i128> {
    match definition(func, value)? {
        InstKind::IConst(value) => Some(*value),
        _ => None,
    }
}

/// True if the loop defines the value.
fn is_inside(func: &Func, one: &Loop, value: Value) -> bool {
    match func.values[value].def {
        ValueDef::Param(block, _) => one.blocks.contains(&block),
        ValueDef::Result(inst, _) => {
            let mut blocks = one.blocks.iter();
            blocks.any(|&block| func.blocks[block].insts.contains(&inst))
        }
    }
}
