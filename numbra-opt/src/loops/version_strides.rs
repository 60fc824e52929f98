//! Copies loops over arrays of any layout for where the elements that they go through follow each other.
//!
//! ```text
//! before                              after
//!   jump block1(v0)                     v20 = icmp eq v5, v21       (v21 = 8)
//! block1(v1: i64):                      brif v20, block5, block6
//!   v4 = imul v1, v5                  block5:
//!   v7 = ptr_add v8, v4                 jump block7(v0)             the copy: v24 = imul v22, v21
//!   v9: f64 = load v7                 block6:
//!   ..                                  jump block1(v0)             the loop as it was
//! ```
//!
//! The stride of an array whose layout its type does not tell is a number of bytes that the loop does not change. Most such
//! arrays are parts of others, and their last axis is as dense as ever. LLVM asks on its own only whether a stride is one
//! byte, which no array of numbers has (`-enable-mem-access-versioning` is off therefore): what it vectorises without the
//! copy it gathers. An iteration may access several elements, as the rows of an array of points; they follow each other where
//! the stride is as long as what the iteration accesses, without gaps.
//!
//! Taken are innermost loops that can be vectorised: of one exit, without calls. For LLVM. Wants rotated loops.

use crate::analyses::{Analyses, Changed};
use crate::edit::copies::{self, Copied};
use crate::edit::edges::{self, LayoutPosition};
use crate::scalar::fold::integer;
use numbra_base::{FxHashMap, Origin};
use numbra_lir::analysis::{DefUse, Loop, Use, effects, is_fixed};
use numbra_lir::{BinaryOp, Block, Func, Inst, InstKind, IntCc, Module, Ty, Value};

const NAME: &str = "version_strides";

/// Loops of more instructions are not copied.
const MOST_INSTS: usize = 80;
/// Copies in one function.
const MOST_LOOPS: usize = 16;

/// A loop to be copied.
struct Plan {
    header: Block,
    blocks: Vec<Block>,
    /// Sources of the edges that enter it.
    entering: Vec<Block>,
    /// Strides, and what they are where elements follow each other.
    strides: Vec<(Value, i128)>,
    /// Values that are used behind the loop, each with the block to which it leaves.
    leaving: Vec<(Value, Block)>,
}

pub(crate) fn version_strides(func: &mut Func, _: &Module, known: &mut Analyses) -> Changed {
    // The headers of loops that were copied and of their copies.
    let mut done: Vec<Block> = Vec::new();
    while done.len() < 2 * MOST_LOOPS
        && let Some(plan) = find(func, known, &done)
    {
        let copy = copy(func, &plan);
        known.note(Changed::Flow);
        done.extend([plan.header, copy]);
    }
    Changed::noted(!done.is_empty())
}

fn find(func: &Func, known: &mut Analyses, done: &[Block]) -> Option<Plan> {
    let mut products = func.layout.iter().flat_map(|b| func.blocks[b].insts());
    if !products.any(|&inst| stride(func, inst).is_some()) {
        return None;
    }
    let (cfg, doms, loops) = (known.cfg(func), known.doms(func), known.loops(func));
    let uses = known.uses(func);
    loops.iter_innermost().find_map(|(_, data)| {
        let header = data.header;
        if func.blocks[header].cold || done.contains(&header) || header == func.entry() {
            return None;
        }
        let insts = || data.blocks.iter().flat_map(|&b| func.blocks[b].insts());
        let vectorises = |&inst: &Inst| {
            let kind = &func.insts[inst].kind;
            let called = matches!(kind, InstKind::Call { .. } | InstKind::CallIndirect { .. });
            let native = matches!(kind, InstKind::CallNative { .. });
            !called && !native && !effects(kind).convergent
        };
        let succs = data.blocks.iter().flat_map(|&b| cfg.succs(b));
        let exits = succs.filter(|b| !data.blocks.contains(b)).count();
        // References are placed: whoever hands one on from iteration to iteration counts it.
        let is_counted = |value: Value| func.ty(value) == Ty::Ref;
        let params = func.blocks[header].params.iter();
        if insts().count() > MOST_INSTS
            || !insts().all(vectorises)
            || exits != 1
            || params.clone().any(|&param| is_counted(param))
        {
            return None;
        }
        let strides = strides(func, data, &uses);
        if strides.is_empty() {
            return None;
        }
        let leaving = copies::leaving(func, &cfg, &doms, &uses, &data.blocks)?;
        let entering = cfg.preds(header).iter().copied();
        let plan = Plan {
            header,
            entering: entering.filter(|p| !data.blocks.contains(p)).collect(),
            blocks: data.blocks.clone(),
            strides,
            leaving,
        };
        (!plan.leaving.iter().any(|&(value, _)| is_counted(value))).then_some(plan)
    })
}

/// What a product multiplies an index by, if that is not a constant: the index, and the factor.
fn stride(func: &Func, inst: Inst) -> Option<(Value, Value)> {
    match func.insts[inst].kind {
        InstKind::Binary {
            op: BinaryOp::IMul,
            lhs,
            rhs,
        } if func.ty(lhs) == Ty::I64
            && integer(func, lhs).is_none()
            && integer(func, rhs).is_none() =>
        {
            Some((lhs, rhs))
        }
        _ => None,
    }
}

/// The strides of what the loop goes through, each with the bytes that an iteration accesses there without gaps.
fn strides(func: &Func, data: &Loop, uses: &DefUse) -> Vec<(Value, i128)> {
    let mut found: FxHashMap<Value, Option<i128>> = FxHashMap::default();
    let mut order: Vec<Value> = Vec::new();
    for &inst in data.blocks.iter().flat_map(|&b| func.blocks[b].insts()) {
        let Some((x, y)) = stride(func, inst) else {
            continue;
        };
        let by =
            match [(x, y), (y, x)].map(|(index, by)| is_induction_offset(func, data, index, by)) {
                [true, _] => y,
                [false, true] => x,
                [false, false] => continue,
            };
        let bytes = accessed(func, data, uses, func.insts[inst].results[0]);
        let known = found.entry(by).or_insert_with(|| {
            order.push(by);
            bytes
        });
        if *known != bytes {
            *known = None;
        }
    }
    let known = order.into_iter().map(|by| (by, found[&by]));
    known.filter_map(|(by, bytes)| Some((by, bytes?))).collect()
}

/// True if `index` is a counter of the loop, maybe with something fixed added, and `by` is fixed.
fn is_induction_offset(func: &Func, data: &Loop, index: Value, by: Value) -> bool {
    let is_counter = |value| func.blocks[data.header].params.contains(&value);
    let counter = match func.def(index) {
        Some(&InstKind::Binary {
            op: BinaryOp::IAdd | BinaryOp::ISub,
            lhs,
            rhs,
        }) => {
            is_counter(lhs) && is_fixed(func, data, rhs)
                || is_counter(rhs) && is_fixed(func, data, lhs)
        }
        _ => is_counter(index),
    };
    counter && is_fixed(func, data, by)
}

/// How many bytes are accessed at the addresses that a distance is part of; `None` if there are gaps between them or other
/// uses.
fn accessed(func: &Func, data: &Loop, uses: &DefUse, distance: Value) -> Option<i128> {
    let mut bytes: Vec<(i64, i64)> = Vec::new();
    let mut todo: Vec<(Value, i64)> = vec![(distance, 0)];
    while let Some((value, at)) = todo.pop() {
        for used in uses.uses(value) {
            let &Use::Inst(block, inst) = used else {
                return None;
            };
            if !data.blocks.contains(&block) {
                return None;
            }
            let data = &func.insts[inst];
            let (offset, ty) = match data.kind {
                InstKind::PtrAdd { base, offset } => {
                    let further = match base == value {
                        true => integer(func, offset).unwrap_or(0),
                        false => 0,
                    };
                    let further = i64::try_from(further).ok()?;
                    todo.push((data.results[0], at.checked_add(further)?));
                    continue;
                }
                InstKind::Load { addr, offset, .. } if addr == value => {
                    (offset, func.ty(data.results[0]))
                }
                InstKind::Store {
                    addr,
                    offset,
                    value: stored,
                    ..
                } if addr == value => (offset, func.ty(stored)),
                _ => return None,
            };
            let start = at.checked_add(offset.into())?;
            bytes.push((start, start + i64::from(ty.size())));
        }
    }
    bytes.sort_unstable();
    let (&(first, mut end), rest) = bytes.split_first()?;
    for &(start, stop) in rest {
        if start > end {
            return None;
        }
        end = end.max(stop);
    }
    Some(i128::from(end - first))
}

/// Copies the loop and returns the header of the copy.
fn copy(func: &mut Func, plan: &Plan) -> Block {
    let header = plan.header;
    let (span, origin) = (func.blocks[header].term_span, Origin::Pass(NAME));
    copies::hand_over(func, &plan.blocks, &plan.leaving);
    let start = edges::merge_edges(
        func,
        &plan.entering,
        header,
        LayoutPosition::Before(header),
        NAME,
    );
    let copied = Copied::blocks_of(func, &plan.blocks);
    for &block in &plan.blocks {
        let term = copied.term(func, block);
        let data = &func.blocks[block];
        let (span, origin) = (data.term_span, data.term_origin);
        func.set_term(copied.block(block), term, span, origin);
    }

    let mut at_start = |kind: InstKind, ty: Ty| {
        let inst = func.push_inst(start, kind, &[ty], span, origin);
        func.insts[inst].results[0]
    };
    let mut all: Option<Value> = None;
    let mut dense: FxHashMap<Value, Value> = FxHashMap::default();
    for &(lhs, bytes) in &plan.strides {
        let rhs = at_start(InstKind::IConst(bytes), Ty::I64);
        dense.insert(lhs, rhs);
        let cc = IntCc::Eq;
        let same = at_start(InstKind::Icmp { cc, lhs, rhs }, Ty::I1);
        let both = |lhs| InstKind::Binary {
            op: BinaryOp::And,
            lhs,
            rhs: same,
        };
        all = Some(match all {
            Some(others) => at_start(both(others), Ty::I1),
            None => same,
        });
    }
    for &block in &plan.blocks {
        for inst in func.blocks[copied.block(block)].insts().to_vec() {
            if stride(func, inst).is_some() {
                let kind = &mut func.insts[inst].kind;
                kind.for_each_operand(|v| *v = dense.get(v).copied().unwrap_or(*v));
            }
        }
    }
    copies::branch(
        func,
        start,
        all,
        [copied.block(header), header],
        (span, origin),
    );
    copied.block(header)
}
