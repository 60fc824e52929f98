//! What loops ask of LLVM's vectoriser.
//!
//! LLVM interleaves iterations of vectorised loops, which gains nothing where each iteration calls mathematical functions: all
//! values live across the calls go to memory and back. Such loops ask for one vector at a time.
//!
//! Loops that store to some fields of records ask for none: each lane is stored alone, at an address that LLVM computes in
//! a vector and takes apart again. Slow arithmetic is worth that.
//!
//! So do loops that look up bytes or halves of words at places that they load: no instruction gathers those, and lanes that
//! are put together one by one take two to three times as long as scalars.
//!
//! And loops that store at a stride that nothing tells, or that only load so and do little with it: lanes are gathered and
//! scattered one by one. Where elements follow each other, the loop is a copy whose stride is a constant (`version_strides`).
//!
//! And loops that hardly do more than add floats up in order: the sum waits for each addition, and lanes that are taken out of
//! wide vectors for it come later than scalars would. A product or the like for each word of a row is worth vectors, as
//! those have few lanes.
//!
//! Where several pointers walk by strides that nothing tells, iterations are not unrolled: each would have pointers of its own,
//! more than there are registers. Nor are those of rows that become vectors: what these leave over is a few iterations, and code
//! for many of them takes the registers of the loops around it.

use numbra_base::{FxHashMap, FxHashSet};
use numbra_lir::analysis::{
    Cfg, Dominators, Loop, LoopId, Loops, addend, affine_address, back_edges,
};
use numbra_lir::{BinaryOp, Block, FastMath, Func, InstKind, Ty, UnaryOp, Value, ValueDef};

/// A hint of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LoopHint {
    OneVectorAtATime,
    NoVectors(NoVectorizeReason),
}

/// Why vectors would be slower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoVectorizeReason {
    SumInOrder,
    StoresWithStride,
    LoadsWithStride,
    StoresWithGaps,
    NarrowTable,
}

impl NoVectorizeReason {
    /// As remarks say it.
    pub(crate) fn text(self) -> &'static str {
        match self {
            NoVectorizeReason::SumInOrder => {
                "floats are combined in order, each with the result so far, which vectors would not make faster; \
                 `fastmath=True` allows any order"
            }
            NoVectorizeReason::StoresWithStride => {
                "elements are stored with a stride that is not known, one by one; the last axis of an array in C order \
                 has a known one"
            }
            NoVectorizeReason::LoadsWithStride => {
                "elements are loaded with a stride that is not known, and little is computed with them"
            }
            NoVectorizeReason::StoresWithGaps => {
                "some fields of records are stored, and what lies between them is not"
            }
            NoVectorizeReason::NarrowTable => {
                "small elements are looked up at places that are loaded, one by one"
            }
        }
    }
}

impl LoopHint {
    /// The metadata node that asks for it.
    pub(super) fn node(self) -> &'static str {
        match self {
            LoopHint::OneVectorAtATime => "!83",
            LoopHint::NoVectors(_) => "!84",
        }
    }
}

/// What a loop asks for.
pub(super) fn hint(func: &Func, one: &Loop) -> Option<LoopHint> {
    let kinds = || insts(func, one.blocks.iter().copied());
    let scatters = |kind: &InstKind| matches!(kind, InstKind::Store { addr, .. } if is_strided(func, one, *addr));
    if kinds().any(scatters) {
        return Some(LoopHint::NoVectors(NoVectorizeReason::StoresWithStride));
    }
    if kinds().any(|kind| matches!(kind, InstKind::Math { .. })) {
        return Some(LoopHint::OneVectorAtATime);
    }
    let slow = kinds().any(|kind| match kind {
        InstKind::Binary { op, .. } => *op == BinaryOp::FDiv,
        InstKind::Unary { op, .. } => *op == UnaryOp::Sqrt,
        _ => false,
    });
    let gathers = |kind: &InstKind| matches!(kind, InstKind::Load { addr, .. } if is_strided(func, one, *addr));
    let why = if slow {
        None
    } else if has_store_gaps(func, one) {
        Some(NoVectorizeReason::StoresWithGaps)
    } else if has_narrow_lookup(func, one) {
        Some(NoVectorizeReason::NarrowTable)
    } else if is_mostly_reduction(func, one) {
        Some(NoVectorizeReason::SumInOrder)
    } else if kinds().any(gathers) {
        Some(NoVectorizeReason::LoadsWithStride)
    } else {
        None
    };
    why.map(LoopHint::NoVectors)
}

/// What LLVM is metadata about a loop.
#[derive(Clone, Copy)]
pub(super) struct LoopMetadata {
    pub(super) header: Block,
    hint: Option<LoopHint>,
    /// LIR left it whole: see [`crate::poll_inner_loops`].
    polls_by_strip: bool,
    /// It is not to be unrolled.
    waits: bool,
    /// It is only to be unrolled as a whole.
    walks: bool,
}

impl LoopMetadata {
    /// The metadata nodes, in a list.
    pub(super) fn nodes(&self) -> String {
        let hint = self.hint.map(LoopHint::node);
        let nodes = [
            hint,
            self.polls_by_strip.then_some("!85"),
            self.waits.then_some("!86"),
            self.walks.then_some("!87"),
        ];
        let nodes = nodes.into_iter().flatten();
        nodes.collect::<Vec<_>>().join(", ")
    }
}

/// What is metadata about the loops of a function, by the blocks that begin their next iterations.
pub(super) fn metadata(func: &Func) -> FxHashMap<Block, LoopMetadata> {
    let mut found = FxHashMap::default();
    // Many functions have none, and no need of an analysis.
    let mut all = insts(func, func.layout.iter());
    if !all.any(|kind| {
        matches!(
            kind,
            InstKind::Math { .. } | InstKind::Load { .. } | InstKind::Store { .. }
        )
    }) {
        return found;
    }
    let cfg = Cfg::new(func);
    let doms = Dominators::new(&cfg);
    let loops = Loops::new(&cfg, &doms);
    let innermost: FxHashSet<LoopId> = loops.iter_innermost().map(|(id, _)| id).collect();
    for (id, one) in loops.iter() {
        let hint = hint(func, one);
        let metadata = LoopMetadata {
            header: one.header,
            hint,
            polls_by_strip: innermost.contains(&id) && !is_strip(func, &loops, id),
            waits: hint == Some(LoopHint::NoVectors(NoVectorizeReason::SumInOrder))
                && is_chained_through_outer_loop(func, &cfg, &loops, id),
            walks: walks(func, one) > 1
                || one.parent.is_some() && hint.is_none() && is_map(func, one),
        };
        if metadata.hint.is_some() || metadata.polls_by_strip {
            found.extend(one.latches.iter().map(|&latch| (latch, metadata)));
        }
    }
    found
}

/// True if floats of the loop go on from where the iteration before of the loop around it left them: they wait for each
/// other all the time, and short rows suffer from the branches that more iterations at a time cost.
fn is_chained_through_outer_loop(func: &Func, cfg: &Cfg, loops: &Loops, id: LoopId) -> bool {
    let one = loops.get(id);
    let Some(parent) = one.parent else {
        return false;
    };
    let header = loops.get(parent).header;
    let carried = |mut value: Value| {
        // Through blocks that are come to on one way.
        while let ValueDef::Param(block, n) = func.values[value].def {
            if block == header {
                return true;
            }
            let [from] = cfg.preds(block) else {
                return false;
            };
            let mut calls = func.term(*from).targets().into_iter();
            let Some(call) = calls.find(|call| call.block == block) else {
                return false;
            };
            value = call.args[usize::from(n)];
        }
        false
    };
    let params = &func.blocks[one.header].params;
    let entries = cfg
        .preds(one.header)
        .iter()
        .filter(|from| !one.latches.contains(from));
    let mut calls = entries.flat_map(|&from| func.term(from).targets());
    calls.all(|call| {
        call.block != one.header
            || params
                .iter()
                .zip(&call.args)
                .all(|(param, &first)| !func.ty(*param).is_float() || carried(first))
    })
}

/// True for loops in none, and for strips: those are in loops that repeat through a poll.
fn is_strip(func: &Func, loops: &Loops, id: LoopId) -> bool {
    let cold = |&block: &Block| func.blocks[block].cold;
    let parent = loops.get(id).parent;
    parent.is_none_or(|parent| loops.get(parent).latches.iter().all(cold))
}

fn insts(func: &Func, blocks: impl Iterator<Item = Block>) -> impl Iterator<Item = &InstKind> {
    let insts = blocks.flat_map(|block| func.blocks[block].insts());
    insts.map(|&inst| &func.insts[inst].kind)
}

/// True if the stores of an iteration leave bytes out between one iteration's and the next one's.
fn has_store_gaps(func: &Func, one: &Loop) -> bool {
    // Fields by what their addresses have in common: the address before the first iteration, the counter and its step.
    let mut stored: FxHashMap<(Value, Value, i128), Vec<(i128, u32)>> = FxHashMap::default();
    for kind in insts(func, one.blocks.iter().copied()) {
        if let InstKind::Store {
            addr,
            offset,
            value,
            ..
        } = *kind
            && let Some(place) = affine_address(func, one, addr)
        {
            let index = place.index;
            let field = (index.offset + i128::from(offset), func.ty(value).size());
            let fields = stored.entry((place.base, index.param, index.scale));
            let fields = fields.or_default();
            if !fields.contains(&field) {
                fields.push(field);
            }
        }
    }
    stored.into_iter().any(|((_, _, step), fields)| {
        let bytes: u128 = fields.iter().map(|&(_, size)| u128::from(size)).sum();
        bytes < step.unsigned_abs()
    })
}

/// True if an iteration hardly does more with floats than to combine them, in order, with what earlier iterations had: less arithmetic
/// than there are sums, for each of which every lane would be taken out of a vector, or little and few sums.
fn is_mostly_reduction(func: &Func, one: &Loop) -> bool {
    // More sums hide each other's latency. Lanes that are not in a row have to be put together, too.
    let (most, cheap) = match reads(func, one) {
        Reads::WordsInARow => (2, 0),
        Reads::InARow => (2, 1),
        Reads::Apart => (4, 5),
    };
    let params = &func.blocks[one.header].params;
    let floats = params.iter().filter(|&&value| func.ty(value).is_float());
    // What has a parameter in it, by additions, subtractions and products that keep their order.
    let mut holds: FxHashMap<Value, Value> = floats.map(|&value| (value, value)).collect();
    let (sums, mut arithmetic) = (holds.len(), 0);
    let blocks = func
        .layout
        .iter()
        .filter(|block| one.blocks.contains(block));
    for inst in blocks.flat_map(|block| func.blocks[block].insts()) {
        let data = &func.insts[*inst];
        let (lhs, rhs) = match data.kind {
            InstKind::Store { .. } => return false,
            InstKind::Binary { op, lhs, rhs } => match op {
                BinaryOp::FAdd | BinaryOp::FMul => (lhs, Some(rhs)),
                BinaryOp::FSub => (lhs, None),
                _ => continue,
            },
            _ => continue,
        };
        let held = [Some(lhs), rhs].into_iter().flatten();
        let param = held.filter_map(|value| holds.get(&value).copied()).next();
        match param.filter(|_| !data.fast.contains(FastMath::REASSOC)) {
            Some(param) => holds.extend(data.results.iter().map(|&result| (result, param))),
            None => arithmetic += 1,
        }
    }
    let again = one.latches.iter().flat_map(|&latch| {
        let term = func.blocks[latch].term.iter();
        term.flat_map(|term| term.targets())
            .filter(|call| call.block == one.header)
    });
    ((1..=most).contains(&sums) && arithmetic <= cheap || arithmetic < sums)
        && again
            .flat_map(|call| params.iter().zip(&call.args))
            .all(|(param, next)| {
                !func.ty(*param).is_float() || (next != param && holds.get(next) == Some(param))
            })
}

/// How what the iterations load lies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// Words that follow each other.
    WordsInARow,
    /// Other elements that do, or elements at any places.
    InARow,
    /// Elements with others between them.
    Apart,
}

fn reads(func: &Func, one: &Loop) -> Reads {
    const WORD: u128 = 8;
    let blocks = one.blocks.iter();
    let insts = blocks.flat_map(|&block| func.blocks[block].insts());
    let loads = insts.filter_map(|&inst| match func.insts[inst].kind {
        InstKind::Load { addr, .. } => {
            let size = func.ty(*func.insts[inst].results.first()?).size();
            Some((u128::from(size), step(func, one, addr)))
        }
        _ => None,
    });
    let mut found = Reads::WordsInARow;
    for (size, step) in loads {
        match step {
            Some(step) if step.unsigned_abs() > size => return Reads::Apart,
            Some(step) if size == WORD && step == WORD as i128 => {}
            _ => found = Reads::InARow,
        }
    }
    found
}

/// True if an iteration loads less than a word from an address that depends on what else it loads.
fn has_narrow_lookup(func: &Func, one: &Loop) -> bool {
    let blocks = one.blocks.iter();
    let insts = blocks.flat_map(|&block| func.blocks[block].insts());
    let loads: FxHashMap<Value, Value> = insts
        .filter_map(|&inst| match func.insts[inst].kind {
            InstKind::Load { addr, .. } => Some((*func.insts[inst].results.first()?, addr)),
            _ => None,
        })
        .collect();
    let narrow = |value: &Value| matches!(func.ty(*value), Ty::I8 | Ty::I16);
    loads
        .iter()
        .filter(|(value, _)| narrow(value))
        .any(|(_, addr)| {
            let (mut seen, mut todo) = (FxHashSet::default(), vec![*addr]);
            while let Some(value) = todo.pop() {
                if loads.contains_key(&value) {
                    return true;
                }
                if seen.insert(value)
                    && let Some(kind) = func.def(value)
                {
                    kind.visit_operands(|operand| todo.push(operand));
                }
            }
            false
        })
}

/// By how many bytes an address moves when the counter of the loop changes by one, if it is a fixed address plus a constant
/// times the counter.
fn step(func: &Func, one: &Loop, addr: Value) -> Option<i128> {
    let place = affine_address(func, one, addr)?.index;
    (place.offset == 0).then_some(place.scale)
}

/// Pointers that walk through memory by strides that nothing tells. Each iteration that is unrolled has its own, in a register.
fn walks(func: &Func, one: &Loop) -> usize {
    let addr = |kind: &InstKind| match *kind {
        InstKind::Load { addr, .. } | InstKind::Store { addr, .. } => Some(addr),
        _ => None,
    };
    let addrs: FxHashSet<Value> = insts(func, one.blocks.iter().copied())
        .filter_map(addr)
        .collect();
    addrs
        .into_iter()
        .filter(|&addr| is_strided(func, one, addr))
        .count()
}

/// True if each iteration stores something of its own, computed of elements that follow each other: vectors take such loops.
fn is_map(func: &Func, one: &Loop) -> bool {
    let [block] = one.blocks[..] else {
        return false;
    };
    // A counter, and nothing else that goes from iteration to iteration.
    if func.blocks[block].params.len() != 1 {
        return false;
    }
    let (mut stored, mut loaded) = (Vec::new(), Vec::new());
    for &inst in func.blocks[block].insts() {
        let data = &func.insts[inst];
        let (addr, offset, ty, accesses) = match data.kind {
            InstKind::Store {
                addr,
                offset,
                value,
                ..
            } => (addr, offset, func.ty(value), &mut stored),
            InstKind::Load { addr, offset, .. } if func.is_defined_in(one, addr) => {
                let Some(&value) = data.results.first() else {
                    return false;
                };
                (addr, offset, func.ty(value), &mut loaded)
            }
            _ => continue,
        };
        match affine_address(func, one, addr) {
            Some(place) if place.index.scale.unsigned_abs() == u128::from(ty.size()) => {
                accesses.push((place.base, place.index.offset + i128::from(offset)));
            }
            _ => return false,
        }
    }
    // What one iteration stores may be what another one loads.
    let meets = |(base, offset): &(Value, i128)| {
        let mut stored = stored.iter();
        stored.any(|(other, at)| other == base && at != offset)
    };
    !stored.is_empty() && !loaded.iter().any(meets)
}

/// True for addresses that a counter of the loop, maybe with something added, is multiplied into by what is no constant, or
/// to which what is no constant is added each iteration.
fn is_strided(func: &Func, one: &Loop, addr: Value) -> bool {
    let mut todo = vec![addr];
    while let Some(value) = todo.pop() {
        match func.def(value) {
            None if has_variable_step(func, one, value) => return true,
            Some(&InstKind::PtrAdd { base, offset }) => todo.extend([base, offset]),
            Some(&InstKind::Binary {
                op: BinaryOp::Shl | BinaryOp::IAdd,
                lhs,
                rhs,
            }) => todo.extend([lhs, rhs]),
            // Counted from the end where it is negative.
            Some(&InstKind::Select { then, other, .. }) => todo.extend([then, other]),
            Some(&InstKind::Binary {
                op: BinaryOp::IMul,
                lhs,
                rhs,
            }) if constant(func, lhs).is_none()
                && constant(func, rhs).is_none()
                && [lhs, rhs]
                    .iter()
                    .any(|&index| is_affine_counter(func, one, index)) =>
            {
                return true;
            }
            _ => {}
        }
    }
    false
}

/// True for variables of the loop to which each iteration adds what is no constant, and the same in all iterations.
fn has_variable_step(func: &Func, one: &Loop, value: Value) -> bool {
    let params = &func.blocks[one.header].params;
    params.contains(&value)
        && back_edges(func, one).all(|to| {
            let next = params
                .iter()
                .zip(&to.args)
                .find(|(param, _)| **param == value);
            let added = next.and_then(|(_, &next)| addend(func, value, next));
            added.is_some_and(|by| {
                !by.is_subtracted && by.constant.is_none() && !func.is_defined_in(one, by.value)
            })
        })
}

/// True for counters of the loop, and for sums and differences of one.
fn is_affine_counter(func: &Func, one: &Loop, index: Value) -> bool {
    let is_counter = |value: &Value| func.blocks[one.header].params.contains(value);
    match func.def(index) {
        Some(InstKind::Binary {
            op: BinaryOp::IAdd | BinaryOp::ISub,
            lhs,
            rhs,
        }) => [lhs, rhs].into_iter().any(is_counter),
        _ => is_counter(&index),
    }
}

fn constant(func: &Func, value: Value) -> Option<i128> {
    match func.def(value)? {
        InstKind::IConst(value) => Some(*value),
        _ => None,
    }
}
