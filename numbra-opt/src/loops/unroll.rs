//! Runs several iterations of a short loop at once where so many are left, so that their loads run side by side.
//!
//! ```text
//! before                              after
//!   jump block1(v0)                     v20 = isub stop, v0
//! block1(v1: i64):                      v21 = imul step, v19         (v19 = 4)
//!   ..                                  v22 = icmp ugt v20, v21
//!   v3 = isub stop, v1                  brif v22, block3(v0), block1(v0)
//!   v4 = icmp ugt v3, step            block3(v23: i64):              four iterations without a test
//!   v5 = iadd v1, step                  ..
//!   brif v4, block1(v5), block2         v24 = isub stop, v25
//!                                       v26 = icmp ugt v24, v21
//!                                       brif v26, block3(v25), block1(v25)
//!                                     block1(v1: i64):               the loop as it was
//! ```
//!
//! That is how the threads of a grid walk through an array: `range(start, stop, step)` with a step that is known only when
//! the kernel runs, whose number of iterations would take a division. Where the difference is larger than four steps, each of
//! the four tests would have passed, and another iteration is due behind them.
//!
//! Loads of the next iterations may run ahead only if nothing between them writes what they read, so loops are taken that write
//! nothing but shared memory. For processors with many registers; wants rotated loops.

use crate::analyses::{Analyses, Changed};
use crate::edit::copies::{self, Copied};
use crate::edit::edges::{self, LayoutPosition};
use numbra_base::{Origin, Span};
use numbra_lir::analysis::{Loop, LoopInductions, effects, is_fixed};
use numbra_lir::{
    AddrSpace, BinaryOp, Block, BlockCall, Func, Inst, InstKind, IntCc, Module, Terminator, Value,
};

const NAME: &str = "unroll";

/// Iterations at once.
const UNROLL_FACTOR: u32 = 4;
/// Loops of more instructions are left alone: four times as many want too many registers.
const MOST_INSTS: usize = 32;
/// Loops of one function.
const MOST_LOOPS: usize = 8;

/// A loop to be unrolled: one block, which leads back to itself while `stop - counter > step`, unsigned.
struct Plan {
    block: Block,
    /// Sources of the edges that enter it.
    entering: Vec<Block>,
    /// Position of the counter among the parameters.
    counter: usize,
    stop: Value,
    step: Value,
    /// Values that are used behind the loop, each with the block to which it leaves.
    leaving: Vec<(Value, Block)>,
}

pub(crate) fn unroll(func: &mut Func, module: &Module, known: &mut Analyses) -> Changed {
    let mut done: Vec<Block> = Vec::new();
    while done.len() < MOST_LOOPS
        && let Some(plan) = find(func, module, known, &done)
    {
        apply(func, &plan);
        known.note(Changed::Flow);
        done.push(plan.block);
    }
    Changed::noted(!done.is_empty())
}

fn find(func: &Func, module: &Module, known: &mut Analyses, done: &[Block]) -> Option<Plan> {
    let (cfg, doms, loops) = (known.cfg(func), known.doms(func), known.loops(func));
    let (uses, inductions) = (known.uses(func), known.inductions(func));
    loops.iter().find_map(|(id, data)| {
        let block = data.header;
        let alone = data.blocks == [block] && block != func.entry() && !done.contains(&block);
        if !alone || !has_parallel_loads(func, module, func.blocks[block].insts()) {
            return None;
        }
        let (counter, stop, step) = count(func, data, inductions.of(id))?;
        let entering = cfg.preds(block).iter().copied();
        Some(Plan {
            block,
            entering: entering.filter(|&p| p != block).collect(),
            counter,
            stop,
            step,
            leaving: copies::leaving(func, &cfg, &doms, &uses, &data.blocks)?,
        })
    })
}

/// True if the iterations of a body have loads that may run side by side.
fn has_parallel_loads(func: &Func, module: &Module, body: &[Inst]) -> bool {
    let shared = |inst: &Inst| {
        let addr = func.insts[*inst].kind.address();
        addr.is_some_and(|addr| is_shared(func, module, addr))
    };
    let mut loads = 0;
    body.len() <= MOST_INSTS
        && body.iter().all(|inst| {
            let kind = &func.insts[*inst].kind;
            let does = effects(kind);
            if does.convergent || does.counts {
                return false;
            }
            loads += usize::from(matches!(kind, InstKind::Load { .. }) && !shared(inst));
            does.writes.is_empty() || shared(inst)
        })
        && loads > 0
}

/// True for addresses in shared memory.
fn is_shared(func: &Func, module: &Module, mut addr: Value) -> bool {
    while let Some(&InstKind::PtrAdd { base, .. }) = func.def(addr) {
        addr = base;
    }
    match func.def(addr) {
        Some(&InstKind::DataAddr(data)) => module.data[data].space == AddrSpace::Shared,
        _ => false,
    }
}

/// The position of the counter, the stop and the step: another iteration while `stop - counter` is above the step, unsigned.
fn count(func: &Func, data: &Loop, known: &LoopInductions) -> Option<(usize, Value, Value)> {
    let test = known.test()?;
    let (left, step) = match test.cc {
        IntCc::Ugt => (test.lhs, test.rhs),
        IntCc::Ult => (test.rhs, test.lhs),
        _ => return None,
    };
    let &InstKind::Binary {
        op: BinaryOp::ISub,
        lhs: stop,
        rhs: counter,
    } = func.def(left)?
    else {
        return None;
    };
    let params = &func.blocks[data.header].params;
    let n = params.iter().position(|&p| p == counter)?;
    let added = known.var(n)?.step;
    let adds = added.value == step && !added.is_subtracted;
    (adds && is_fixed(func, data, stop)).then_some((n, stop, step))
}

fn apply(func: &mut Func, plan: &Plan) {
    let block = plan.block;
    let at = (func.blocks[block].term_span, Origin::Pass(NAME));
    copies::hand_over(func, &[block], &plan.leaving);
    let start = edges::merge_edges(
        func,
        &plan.entering,
        block,
        LayoutPosition::Before(block),
        NAME,
    );
    let entered = func.blocks[start].params.clone();

    // Four steps, and whether the product is the true one.
    let ty = func.ty(plan.step);
    let constant = |func: &mut Func, n| result(func, start, InstKind::IConst(n), &[ty], at);
    let iterations = constant(func, i128::from(UNROLL_FACTOR));
    let most = constant(func, 1 << (8 * ty.size() - UNROLL_FACTOR.ilog2()));
    let all = result(
        func,
        start,
        InstKind::Binary {
            op: BinaryOp::IMul,
            lhs: plan.step,
            rhs: iterations,
        },
        &[ty],
        at,
    );
    let fits = compare(func, start, (IntCc::Ult, plan.step, most), at);

    let body = func.push_block();
    let mut args: Vec<Value> = entered.clone();
    for arg in &mut args {
        *arg = func.push_param(body, func.ty(*arg));
    }
    for _ in 0..UNROLL_FACTOR {
        let copied = Copied::into_block(func, block, body, args);
        let term = func.term(block).clone();
        let back = term.targets().into_iter().find(|to| to.block == block);
        let next = back.map(|to| to.args.as_slice()).unwrap_or_default();
        args = next.iter().map(|&v| copied.value(v)).collect();
    }
    for (from, args) in [(start, entered), (body, args)] {
        let left = InstKind::Binary {
            op: BinaryOp::ISub,
            lhs: plan.stop,
            rhs: args[plan.counter],
        };
        let left = result(func, from, left, &[ty], at);
        let more = compare(func, from, (IntCc::Ugt, left, all), at);
        let both = InstKind::Binary {
            op: BinaryOp::And,
            lhs: fits,
            rhs: more,
        };
        let bit = func.ty(more);
        let cond = result(func, from, both, &[bit], at);
        let call = |block| BlockCall {
            block,
            args: args.clone(),
        };
        let term = Terminator::Brif {
            cond,
            then: call(body),
            other: call(block),
        };
        func.set_term(from, term, at.0, at.1);
    }
}

/// The result of a new instruction at the end of a block.
fn result(
    func: &mut Func,
    block: Block,
    kind: InstKind,
    types: &[numbra_lir::Ty],
    (span, origin): (Span, Origin),
) -> Value {
    let inst = func.push_inst(block, kind, types, span, origin);
    func.insts[inst].results[0]
}

fn compare(
    func: &mut Func,
    block: Block,
    (cc, lhs, rhs): (IntCc, Value, Value),
    at: (Span, Origin),
) -> Value {
    let kind = InstKind::Icmp { cc, lhs, rhs };
    result(func, block, kind, &[numbra_lir::Ty::I1], at)
}
