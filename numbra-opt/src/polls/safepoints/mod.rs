//! Puts polls on loops, so that an interrupt gets out of them: see [`crate::polls::interrupts`].
//!
//! A poll in each iteration doubles the time of the shortest loops, and no loop with one is vectorised. So loops without loops
//! and calls in them are cut into strips, with a poll between two strips. What counts has its bound moved:
//!
//! ```text
//! before                             after
//!   jump block1(v1)                    jump block3(v1)
//! block1(v2: i64):                   block3(v20: i64):
//!   v3 = iadd v2, v9   (v9 = 1)        v21 = iadd v20, v9
//!   v4 = icmp slt v3, v0               v22 = isub v0, v21
//!   brif v4, block1(v3), block2        v23 = umin v22, v24        (v24 = iterations of a strip)
//! block2:                              v25 = iadd v21, v23
//!                                      v26 = icmp slt v21, v0        (not where v1 has passed that)
//!                                      v27 = select v26, v25, v21
//!                                      jump block1(v20)
//!                                    block1(v2: i64):
//!                                      v3 = iadd v2, v9
//!                                      v4 = icmp slt v3, v27
//!                                      brif v4, block1(v3), block4
//!                                    block4:
//!                                      v28 = icmp slt v27, v0
//!                                      brif v28, block5, block2
//!                                    block5 cold:
//!                                      poll, then jump block3(v27)
//! ```
//!
//! After the strip its bound stands for the induction variable where steps of one reach it: LLVM runs the epilogue of a vector
//! loop in shorter vectors only if nobody asks where the variable ended.
//!
//! Other such loops count the iterations of a strip down, one more instruction an iteration. Loops around loops or calls poll
//! in each iteration. Two kinds have no poll: loops with a small constant trip count or that halve a number, and *inner loops*,
//! which lie in another loop and stream through memory. Moving the bound would cost an inner loop of a few iterations a tenth
//! of its time, so the generators strip-mine inner loops where it costs less, Cranelift's by [`inner_loops`].
//!
//! A loop around inner loops that store polls before the test at its latch, each [`POLL_EVERY`]th iteration where all of them
//! will be strip-mined later. Other loops around inner loops are strip-mined to a few iterations, or to one where an inner loop
//! is long.
//!
//! Functions without status have no polls: lowering gives one to each function with a loop. Wants rotated loops, and runs
//! before references are placed, since what fails gives them up.

mod counted;
pub(crate) mod inner_loops;
mod work;

use crate::edit::edges::{self, LayoutPosition};
use crate::host::spins;
use crate::polls::interrupts::{Exit, Polls, cell};
use counted::{is_bit_clearing_loop, is_entry_within_bound, is_strip_representable};
use cranelift_entity::SecondaryMap;
use numbra_base::Origin;
use numbra_lir::analysis::{
    Cfg, Counted, Dominators, Leading, Loop, LoopId, LoopInductions, Loops, use_counts,
};
use numbra_lir::{
    BinaryOp, Block, BlockCall, Func, InstKind, IntCc, Linkage, Module, Terminator, Ty, Value,
};
use work::{ACCESS_WEIGHT, has_strided_access, is_access, is_call, weight};

const NAME: &str = "safepoints";
const ORIGIN: Origin = Origin::Pass(NAME);

/// Work of a strip, in the units of [`weight`]: some milliseconds, a few tens where each load misses the caches.
const STRIP_WORK: u64 = 1 << 23;
/// The fewest and most iterations of a strip.
const STRIP_ITERATIONS: (u64, u64) = (1 << 8, 1 << 21);
/// Loops of at most this trip count are no loops to those around them.
const SHORT_TRIP_COUNT: u64 = 64;
/// An iteration of an inner loop of at most this work, in the units of [`weight`], is light: several share a poll.
const LIGHT_ITERATION: u64 = 64;
/// Iterations of a strip of a loop around nothing but inner loops, unless one of those has more than [`LONG_TRIP_COUNT`] iterations.
const STRIP_AROUND_INNER: u64 = 16;
/// An inner loop of more iterations is long.
const LONG_TRIP_COUNT: i128 = 1 << 16;
/// Iterations from poll to poll of a loop around short inner loops, a power of two. With a poll in each, inner loops of some 200
/// elements waited for its load: a seventh of their time.
const POLL_EVERY: i128 = 4;
/// Loops at this depth or deeper poll in each iteration: they tend to have few.
const POLL_EACH_DEPTH: u32 = 3;

/// Where a loop polls.
enum Plan {
    /// Nowhere: it is short, or an inner loop.
    Unpolled,
    /// At its exits: an inner loop with calls after it.
    AtExits,
    /// In each iteration.
    EachIteration,
    /// Before the test at the latch: of each iteration, or, where that is true, of each [`POLL_EVERY`]th.
    BeforeLatchTest(Counted, bool),
    /// Between strips: its bound moves by so many iterations at a time, or by one, where one of these numbers is large.
    BetweenStrips(Counted, u64, Vec<Value>),
    /// Each time it has counted down so many iterations.
    CountingDown(u64),
}

pub(crate) fn safepoints(module: &mut Module) -> bool {
    let device = module.functions.values();
    if device
        .into_iter()
        .any(|f| matches!(f.linkage, Linkage::Kernel | Linkage::Device))
    {
        return false;
    }
    let mut changed = false;
    for id in module.functions.keys().collect::<Vec<_>>() {
        let Some(mut func) = module.functions[id].body.take() else {
            continue;
        };
        if func.sig.raises {
            changed |= run(&mut func, module, Exit::Fail);
        }
        module.functions[id].body = Some(func);
    }
    changed
}

/// Puts polls on the loops of kernels on the CPU and of what they call: the runtime ends a launch wherever it is.
pub(crate) fn launch_safepoints(module: &mut Module) -> bool {
    let mut changed = false;
    for id in module.functions.keys().collect::<Vec<_>>() {
        if let Some(mut func) = module.functions[id].body.take() {
            changed |= run(&mut func, module, Exit::Launch);
            module.functions[id].body = Some(func);
        }
    }
    changed
}

fn run(func: &mut Func, module: &mut Module, exit: Exit) -> bool {
    let cfg = Cfg::new(func);
    let doms = Dominators::new(&cfg);
    let loops = Loops::new(&cfg, &doms);
    let odd = odd_edges(&cfg, &doms);
    let mut plans = plan(func, &cfg, &doms, &loops, &odd);
    if exit == Exit::Launch {
        for (id, plan) in &mut plans {
            if spins::is_exchange_loop(func, loops.get(*id)) {
                *plan = Plan::Unpolled;
            }
        }
    }
    let short = |(_, plan): &(LoopId, Plan)| matches!(plan, Plan::Unpolled);
    if plans.iter().all(short) && odd.is_empty() {
        return false;
    }
    let cell = cell(module);
    let uses = use_counts(func);
    let mut polls = Polls::new(func, cell, exit, ORIGIN);
    let mut leading = Leading::new(polls.func, &cfg);
    // Outer loops first: the edge by which an inner loop is left may be the way back of an outer one.
    plans.sort_by_key(|(id, _)| loops.get(*id).depth);
    for (id, plan) in &plans {
        let data = loops.get(*id);
        let (header, latches) = (data.header, data.latches.as_slice());
        match plan {
            Plan::Unpolled => {}
            Plan::AtExits => poll_at_exits(&mut polls, &cfg, data),
            Plan::EachIteration => each(&mut polls, header, latches),
            Plan::BeforeLatchTest(counted, sparse) => {
                poll_before_latch_test(&mut polls, header, counted, *sparse)
            }
            Plan::BetweenStrips(counted, iterations, trip_counts) => {
                let entering = entering(&mut leading, polls.func, header, latches);
                let tested = is_entry_within_bound(polls.func, &cfg, header, &entering, counted);
                bound(
                    &mut polls,
                    header,
                    &entering,
                    (counted, tested),
                    (*iterations, trip_counts),
                    &uses,
                );
            }
            Plan::CountingDown(iterations) => {
                let entering = entering(&mut leading, polls.func, header, latches);
                down(&mut polls, header, &entering, latches, *iterations);
            }
        }
    }
    for (from, to) in odd {
        each(&mut polls, to, &[from]);
    }
    true
}

/// What leads into a loop as it is now: loops that end right before it may have been cut.
fn entering(leading: &mut Leading, func: &Func, header: Block, latches: &[Block]) -> Vec<Block> {
    let mut out = leading.into(func, header);
    out.retain(|block| !latches.contains(block));
    out
}

/// Edges that lead back to blocks that do not dominate them, as in the steps of generators.
fn odd_edges(cfg: &Cfg, doms: &Dominators) -> Vec<(Block, Block)> {
    let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut out = Vec::new();
    for &block in cfg.rpo() {
        seen[block] = true;
        for &next in cfg.succs(block) {
            if seen[next] && !doms.dominates(next, block) && !out.contains(&(block, next)) {
                out.push((block, next));
            }
        }
    }
    out
}

/// What becomes of each loop.
fn plan(
    func: &Func,
    cfg: &Cfg,
    doms: &Dominators,
    loops: &Loops,
    odd: &[(Block, Block)],
) -> Vec<(LoopId, Plan)> {
    // Inner loops first: what they are decides about those around them.
    let mut out: Vec<(LoopId, Plan)> = Vec::new();
    // Loops around others, with whether those are short, or inner loops that soon come to an end.
    let mut around: Vec<(LoopId, bool)> = Vec::new();
    let mut rounds_of: Vec<(LoopId, u64)> = Vec::new();
    // Loops around inner loops, those, and whether they are strip-mined later.
    let mut rows_of: Vec<(LoopId, LoopId, bool)> = Vec::new();
    // What loops in others count up to.
    let mut bounds: Vec<(LoopId, Value)> = Vec::new();
    for (id, data) in loops.iter().rev() {
        // Memory that is walked through is prefetched.
        let (mut work, mut accesses) = (0, 0);
        let mut calls = false;
        for &block in &data.blocks {
            // Inner loops that are left here have few iterations.
            let inner = loops.innermost(block).filter(|&inner| inner != id);
            let times = inner.and_then(|i| Some(rounds_of.iter().find(|(of, _)| *of == i)?.1));
            for &inst in func.blocks[block].insts() {
                let kind = &func.insts[inst].kind;
                calls |= is_call(kind);
                accesses += u64::from(is_access(kind));
                work += weight(kind) * times.unwrap_or(1);
            }
        }
        let iterations = (STRIP_WORK / (work + 1)).next_power_of_two() / 2;
        let iterations = iterations.clamp(STRIP_ITERATIONS.0, STRIP_ITERATIONS.1);
        let inductions = LoopInductions::new(func, data);
        let counted = inductions.counted(func, data);
        if let (Some(parent), Some(counted)) = (data.parent, &counted)
            && counted.step > 0
            && func.ty(counted.bound) == Ty::I64
        {
            bounds.push((parent, counted.bound));
        }
        let trip = counted
            .as_ref()
            .and_then(|counted| counted.trip_count(func, cfg, data.header));
        let innermost = around.iter().all(|(of, _)| *of != id);
        let dwindles = is_bit_clearing_loop(func, data, &inductions);
        let trip = trip.or(dwindles.then_some(SHORT_TRIP_COUNT));
        let few = innermost && !calls && trip.is_some_and(|trip| trip <= SHORT_TRIP_COUNT);
        let entered = data.header != func.entry() && odd.iter().all(|edge| edge.1 != data.header);
        let bounded = trip.is_some_and(|trip| trip <= iterations) || dwindles;
        let effort = work - accesses * (ACCESS_WEIGHT - 1);
        // One that does not count is not cut later, and ends where the memory does: soon, if an iteration is quick.
        let cuts = counted
            .as_ref()
            .is_some_and(|c| is_strip_representable(func, c, iterations));
        let is_inner = data.parent.is_some()
            && (cuts || effort <= LIGHT_ITERATION)
            && has_strided_access(func, loops, id);
        let holds_inner = !innermost && !calls && around.iter().all(|of| *of != (id, false));
        let mut inner = rows_of.iter().filter(|(of, ..)| *of == id);
        let stores = holds_inner && counted.is_some() && !func.blocks[data.header].cold && {
            let mut loops_inside = inner.clone().map(|&(_, one, _)| loops.get(one));
            loops_inside
                .any(|one| has_stores(func, one) && is_in_each_iteration(cfg, doms, data, one))
        };
        let sparse = inner.all(|&(.., cut)| cut);
        let plan = if innermost && !calls && (bounded || is_inner) {
            Plan::Unpolled
        } else if let (true, Some(counted)) = (stores, &counted) {
            Plan::BeforeLatchTest(*counted, sparse && counted.step.abs() == 1)
        } else if holds_inner
            && data.depth < POLL_EACH_DEPTH
            && entered
            && counted
                .as_ref()
                .is_some_and(|c| is_strip_representable(func, c, STRIP_AROUND_INNER))
        {
            match counted {
                Some(counted) => {
                    let inner = bounds.iter().filter(|(of, _)| *of == id);
                    let inner = inner.map(|&(_, bound)| bound);
                    let fixed = inner.filter(|&bound| !func.is_defined_in(data, bound));
                    Plan::BetweenStrips(counted, STRIP_AROUND_INNER, fixed.collect())
                }
                None => Plan::EachIteration,
            }
        } else if !innermost || calls || !entered || func.blocks[data.header].cold {
            Plan::EachIteration
        } else {
            match counted {
                Some(counted) if is_strip_representable(func, &counted, iterations) => {
                    Plan::BetweenStrips(counted, iterations, Vec::new())
                }
                _ => Plan::CountingDown(iterations),
            }
        };
        if calls {
            for (of, plan) in &mut out {
                if rows_of
                    .iter()
                    .any(|&(around, one, _)| (around, one) == (id, *of))
                {
                    *plan = Plan::AtExits;
                }
            }
        }
        if is_inner && !bounded && matches!(plan, Plan::Unpolled) {
            rows_of.extend(data.parent.map(|parent| (parent, id, cuts)));
        }
        if few {
            rounds_of.push((id, trip.unwrap_or(1)));
        } else if let Some(parent) = data.parent {
            let slow = is_inner && !bounded && effort > LIGHT_ITERATION;
            around.push((parent, matches!(plan, Plan::Unpolled) && !slow));
        }
        out.push((id, plan));
    }
    out
}

/// True if each iteration of the loop comes to the inner loop, or to the test of whether that has iterations.
fn is_in_each_iteration(cfg: &Cfg, doms: &Dominators, data: &Loop, inner: &Loop) -> bool {
    let mut before = doms.idom(inner.header);
    while let Some(block) = before
        && block != data.header
        && cfg.succs(block).len() == 1
    {
        before = doms.idom(block);
    }
    let latches = &data.latches;
    before.is_some_and(|before| latches.iter().all(|&latch| doms.dominates(before, latch)))
}

/// True if the loop stores something.
fn has_stores(func: &Func, data: &Loop) -> bool {
    let mut insts = data.blocks.iter().flat_map(|&b| func.blocks[b].insts());
    insts.any(|&inst| matches!(func.insts[inst].kind, InstKind::Store { .. }))
}

/// Polls on the ways out of a loop.
fn poll_at_exits(polls: &mut Polls<'_>, cfg: &Cfg, data: &Loop) {
    for &from in &data.blocks {
        let span = polls.func.blocks[from].term_span;
        let ways = cfg.succs(from).iter().enumerate();
        for (n, &to) in ways {
            if !data.blocks.contains(&to) && !polls.func.blocks[to].cold {
                let middle = edges::split(polls.func, from, n, NAME);
                let onward = polls.func.term(middle).target_to(to);
                if let Some(onward) = onward.map(|(_, call)| call.clone()) {
                    polls.poll(middle, onward, span);
                }
            }
        }
    }
}

/// Polls on the ways back to a header.
fn each(polls: &mut Polls<'_>, header: Block, latches: &[Block]) {
    let last = latches[latches.len() - 1];
    let span = polls.func.blocks[last].term_span;
    let middle = edges::merge_edges(
        polls.func,
        latches,
        header,
        LayoutPosition::After(last),
        NAME,
    );
    let cold = latches.iter().all(|&latch| polls.func.blocks[latch].cold);
    polls.func.blocks[middle].cold = cold;
    let args = polls.func.blocks[middle].params.clone();
    polls.poll(
        middle,
        BlockCall {
            block: header,
            args,
        },
        span,
    );
}

/// Polls before the test at the latch. The loop's last exit is then where it repeats from, and LLVM knows the trip count: it
/// hoists the tests of whether the memory of inner loops overlaps.
fn poll_before_latch_test(polls: &mut Polls<'_>, header: Block, counted: &Counted, sparse: bool) {
    let (func, mut from) = (&mut *polls.func, counted.latch);
    let insts = func.blocks[from].insts();
    let at = insts.iter().position(|&inst| inst == counted.test);
    let span = func.blocks[from].term_span;
    let block = func.split_block(from, at.unwrap_or(insts.len()));
    let onward = || BlockCall {
        block,
        args: Vec::new(),
    };
    if sparse {
        let counter = func.blocks[header].params[counted.param];
        let ty = func.ty(counter);
        let poll = func.insert_block_after(from);
        let mask = polls.one(from, InstKind::IConst(POLL_EVERY - 1), ty, span);
        let (op, lhs, rhs) = (BinaryOp::And, counter, mask);
        let lhs = polls.one(from, InstKind::Binary { op, lhs, rhs }, ty, span);
        let cc = IntCc::Eq;
        let cond = polls.one(from, InstKind::Icmp { cc, lhs, rhs }, Ty::I1, span);
        let then = BlockCall {
            block: poll,
            args: Vec::new(),
        };
        let other = onward();
        let term = Terminator::Brif { cond, then, other };
        polls.func.set_term(from, term, span, ORIGIN);
        from = poll;
    }
    // Rows that store want all registers, and have time for a load.
    let before = std::mem::replace(&mut polls.afresh, true);
    polls.poll(from, onward(), span);
    polls.afresh = before;
}

/// A block before the header that all ways into the loop lead through; it has the header's parameters.
fn strip_head(polls: &mut Polls<'_>, header: Block, entering: &[Block]) -> Block {
    edges::merge_edges(
        polls.func,
        entering,
        header,
        LayoutPosition::Before(header),
        NAME,
    )
}

fn bound(
    polls: &mut Polls<'_>,
    header: Block,
    entering: &[Block],
    (counted, tested): (&Counted, bool),
    (iterations, trip_counts): (u64, &[Value]),
    uses: &SecondaryMap<Value, u32>,
) {
    let Counted {
        latch,
        back,
        cc,
        value,
        step,
        after: advanced,
        ..
    } = *counted;
    let span = polls.func.blocks[latch].term_span;
    let end = counted.bound;
    let ty = polls.func.ty(end);
    let head = strip_head(polls, header, entering);
    let mut at = |kind, ty| polls.one(head, kind, ty, span);
    let binary = |op, lhs, rhs| InstKind::Binary { op, lhs, rhs };

    // The value that is tested first; how far the strip may go from there.
    let far = i128::from(iterations) * step.abs();
    let constants = (
        at(InstKind::IConst(step), ty),
        at(InstKind::IConst(far), ty),
    );
    let (step_value, mut far) = constants;
    if !trip_counts.is_empty() && ty == Ty::I64 {
        let long = at(InstKind::IConst(LONG_TRIP_COUNT), ty);
        let one = at(InstKind::IConst(step.abs()), ty);
        for &trip_count in trip_counts {
            let cc = IntCc::Sgt;
            let cond = at(
                InstKind::Icmp {
                    cc,
                    lhs: trip_count,
                    rhs: long,
                },
                Ty::I1,
            );
            let (then, other) = (one, far);
            far = at(InstKind::Select { cond, then, other }, ty);
        }
    }
    let mut first = polls.func.blocks[head].params[counted.param];
    let mut at = |kind, ty| polls.one(head, kind, ty, span);
    if advanced {
        first = at(binary(BinaryOp::IAdd, first, step_value), ty);
    }
    let (from, to, go) = match step > 0 {
        true => (first, end, BinaryOp::IAdd),
        false => (end, first, BinaryOp::ISub),
    };
    let left = at(binary(BinaryOp::ISub, to, from), ty);
    let left = at(binary(BinaryOp::UMin, left, far), ty);
    let moved = at(binary(go, first, left), ty);
    let test = |cc, lhs, rhs| InstKind::Icmp { cc, lhs, rhs };
    let is_reached = counted.is_bound_final();
    let limit = if is_reached && (tested || cc == IntCc::Ne) {
        moved
    } else {
        // What begins after the end stays there.
        let (then, other) = (moved, if is_reached { first } else { end });
        let cond = at(test(cc, first, end), Ty::I1);
        at(InstKind::Select { cond, then, other }, ty)
    };
    let (ended, next) = match (is_reached, advanced) {
        (true, true) => (limit, limit),
        (true, false) => (limit, at(binary(BinaryOp::IAdd, limit, step_value), ty)),
        (false, _) => (
            value,
            polls.func.term(latch).targets()[back].args[counted.param],
        ),
    };

    // The test of the strip, in the place of the loop's.
    let tested = polls.func.insts[counted.test].results[0];
    let cond = if uses[tested] == 1 {
        polls.func.insts[counted.test].kind = test(cc, value, limit);
        tested
    } else {
        polls.one(latch, test(cc, value, limit), Ty::I1, span)
    };

    let after = polls.func.insert_block_after(latch);
    polls.func.blocks[after].cold = polls.func.blocks[latch].cold;
    let mut targets = polls.func.term(latch).targets().into_iter().cloned();
    let (Some(then), Some(other)) = (targets.next(), targets.next()) else {
        return;
    };
    drop(targets);
    let (again, exit) = if back == 0 {
        (then, other)
    } else {
        (other, then)
    };
    let mut args = again.args.clone();
    args[counted.param] = next;
    let call = |block| BlockCall {
        block,
        args: Vec::new(),
    };
    let term = Terminator::Brif {
        cond,
        then: again,
        other: call(after),
    };
    let origin = polls.func.blocks[latch].term_origin;
    polls.func.set_term(latch, term, span, origin);

    let more = polls.one(after, test(cc, ended, end), Ty::I1, span);
    let between = polls.func.push_block();
    polls.func.blocks[between].cold = true;
    let term = Terminator::Brif {
        cond: more,
        then: call(between),
        other: exit,
    };
    polls.func.set_term(after, term, span, ORIGIN);
    polls.poll(between, BlockCall { block: head, args }, span);
}

fn down(
    polls: &mut Polls<'_>,
    header: Block,
    entering: &[Block],
    latches: &[Block],
    iterations: u64,
) {
    let last = latches[latches.len() - 1];
    let span = polls.func.blocks[last].term_span;
    let head = strip_head(polls, header, entering);
    let next = edges::merge_edges(
        polls.func,
        latches,
        header,
        LayoutPosition::After(last),
        NAME,
    );
    polls.func.blocks[next].cold = false;
    let iterations = polls.one(head, InstKind::IConst(iterations.into()), Ty::I32, span);
    let left = polls.func.push_param(header, Ty::I32);
    let enter = |polls: &mut Polls<'_>, from: Block, left: Value| {
        let mut args = polls.func.blocks[from].params.clone();
        args.push(left);
        BlockCall {
            block: header,
            args,
        }
    };
    let first = enter(polls, head, iterations);
    polls
        .func
        .set_term(head, Terminator::Jump(first), span, ORIGIN);

    let one = polls.one(next, InstKind::IConst(1), Ty::I32, span);
    let zero = polls.one(next, InstKind::IConst(0), Ty::I32, span);
    let (op, lhs, rhs) = (BinaryOp::ISub, left, one);
    let fewer = polls.one(next, InstKind::Binary { op, lhs, rhs }, Ty::I32, span);
    let (cc, lhs, rhs) = (IntCc::Ne, fewer, zero);
    let more = polls.one(next, InstKind::Icmp { cc, lhs, rhs }, Ty::I1, span);
    let between = polls.func.push_block();
    polls.func.blocks[between].cold = true;
    let again = enter(polls, next, fewer);
    let term = Terminator::Brif {
        cond: more,
        then: again,
        other: BlockCall {
            block: between,
            args: Vec::new(),
        },
    };
    polls.func.set_term(next, term, span, ORIGIN);
    let args = polls.func.blocks[next].params.clone();
    polls.poll(between, BlockCall { block: head, args }, span);
}
