//! Copies loops whose counter may be below zero or an index out of bounds, for where it is not.
//!
//! ```text
//! before                              after
//!   jump block1(v0)                     v20 = icmp sge v0, v3       (v3 = 0)
//! block1(v1: i64):                      brif v20, block5, block6
//!   v2 = icmp slt v1, v3              block5:
//!   v4 = iadd v1, v5                    jump block7(v0)             the copy: its counter is never negative
//!   v6 = select v2, v4, v1            block6 (cold):
//!   v7 = ptr_add v8, v6                 jump block1(v0)             the loop as it was
//! ```
//!
//! `range(start, stop)` of arguments counts from anything, and negative indices count from the end: a select in each access
//! that a vectoriser takes for an arbitrary address. Taken are innermost loops that test the sign of such a counter.
//! Afterwards `ranges` removes what the test before the copy decides.
//!
//! Where the counter changes by another step than 1, `range(start, stop, step)`, the loop has a second counter, of the
//! iterations that are left. Then the first and the last value are tested, which all others lie between:
//!
//! ```text
//!   v21 = isub v9, v5                                 (v9 iterations; v5 = 1)
//!   v22, v23 = smul_overflow v21, v10                 (v10 the step)
//!   v24 = iadd v0, v22                                the last value
//! ```
//!
//! A counter that goes down until something is found is tested in front of each iteration of the copy, from where the loop goes
//! on as it was once the counter is below zero.
//!
//! Where a test in the loop tells that a difference is not negative (`if i >= w: a[i - w]`), it is tested in front of the loop
//! that what is taken away is not; `ranges` then finds what follows.
//!
//! In the same way loops are copied whose every guard can be tested in front of them: bounds of indices that are a counter
//! plus or minus something fixed, and what does not change. The copy has no guards; what a failing program has written
//! before is up to the loop as it was.
//!
//! Wants rotated loops.

use crate::analyses::{Analyses, Changed};
use crate::edit::copies::{self, Copied};
use crate::edit::edges::{self, LayoutPosition};
use crate::loops::loop_predicates::{
    LoopPredicate, Tests, is_statically_false, predicate_of_sign, predicates_of_guard,
};
use crate::scalar::differences;
use crate::scalar::fold::integer;
use crate::scalar::ranges;
use numbra_base::Origin;
use numbra_lir::analysis::effects;
use numbra_lir::{
    Block, BlockCall, Func, Inst, InstKind, IntCc, Module, Terminator, Value, ValueDef,
};

const NAME: &str = "version_loops";

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
    /// Instructions that ask for the sign of an index, and what decides them.
    signs: Vec<(Inst, LoopPredicate)>,
    /// What lets tests in the loop tell the signs of differences.
    moderate: Vec<LoopPredicate>,
    /// What makes all guards pass; none if the copy keeps them.
    guards: Vec<LoopPredicate>,
    /// Values that are used behind the loop, each with the block to which it leaves.
    leaving: Vec<(Value, Block)>,
}

pub(crate) fn version_loops(func: &mut Func, module: &Module, known: &mut Analyses) -> Changed {
    // The headers of copies. What was copied is cold and not looked at again.
    let mut copies: Vec<Block> = Vec::new();
    while copies.len() < MOST_LOOPS
        && let Some(plan) = find(func, known, &copies)
    {
        copies.push(copy(func, &plan));
        known.note(Changed::Flow);
    }
    if !copies.is_empty() {
        let changed = ranges::ranges(func, module, known);
        known.note(changed);
    }
    Changed::noted(!copies.is_empty())
}

fn find(func: &Func, known: &mut Analyses, copies: &[Block]) -> Option<Plan> {
    let is_guarded = |block: Block| matches!(func.term(block), Terminator::Guard { .. });
    let mut blocks = func.layout.iter();
    if !blocks.any(|block| is_guarded(block) || has_sign_test(func, block)) {
        return None;
    }
    let (cfg, doms, loops) = (known.cfg(func), known.doms(func), known.loops(func));
    let (uses, inductions) = (known.uses(func), known.inductions(func));
    loops.iter_innermost().find_map(|(id, data)| {
        let inductions = inductions.of(id);
        let header = data.header;
        let insts = || {
            let blocks = data.blocks.iter();
            blocks.flat_map(|&b| func.blocks[b].insts().iter().map(|&i| &func.insts[i].kind))
        };
        let fits = insts().count() <= MOST_INSTS && insts().all(|k| !effects(k).convergent);
        let done = func.blocks[header].cold || copies.contains(&header);
        if !fits || done || header == func.entry() {
            return None;
        }
        let entering = cfg.preds(header).iter().copied();
        let entering: Vec<Block> = entering.filter(|p| !data.blocks.contains(p)).collect();
        let in_vain =
            |predicate: &LoopPredicate| is_statically_false(func, predicate, header, &entering);
        let insts = data.blocks.iter().flat_map(|&b| func.blocks[b].insts());
        let mut moderate: Vec<LoopPredicate> = Vec::new();
        let mut signs: Vec<(Inst, LoopPredicate)> = Vec::new();
        for &inst in insts {
            if let Some(taken) = differences::taken_away(func, (&cfg, &doms), data, inst) {
                moderate.push(LoopPredicate::NonNegativeNoWrap(taken));
            } else if let Some(predicate) =
                predicate_of_sign(func, data, inductions, inst).filter(|h| !in_vain(h))
            {
                signs.push((inst, predicate));
            }
        }
        let guarded = data.blocks.iter().filter(|&&b| is_guarded(b));
        let guards = guarded.map(|&b| predicates_of_guard(func, data, inductions, b));
        let guards: Option<Vec<LoopPredicate>> = guards
            .collect::<Option<Vec<_>>>()
            .map(|predicates| predicates.into_iter().flatten().collect());
        let guards = guards.filter(|predicates| !predicates.iter().any(in_vain));
        let guards = guards.unwrap_or_default();
        if signs.is_empty() && moderate.is_empty() && guards.is_empty() {
            return None;
        }
        let leaving = copies::leaving(func, &cfg, &doms, &uses, &data.blocks)?;
        Some(Plan {
            header,
            entering,
            blocks: data.blocks.clone(),
            signs,
            moderate,
            guards,
            leaving,
        })
    })
}

/// Where a block leads back to the header of a copy, leads to the loop as it was if the predicates are vain.
fn test_each_round(
    func: &mut Func,
    latch: Block,
    fast: Block,
    slow: Block,
    predicates: &[LoopPredicate],
) {
    let (span, origin) = (func.blocks[latch].term_span, Origin::Pass(NAME));
    let latch_origin = func.blocks[latch].term_origin;
    let mut term = func.term(latch).clone();
    for target in term.targets_mut() {
        if target.block != fast {
            continue;
        }
        let check = func.push_block();
        let args = std::mem::take(&mut target.args);
        target.block = check;
        let mut tests = Tests::new(func, check, &args, span, origin);
        predicates.iter().for_each(|predicate| tests.add(predicate));
        let Some(cond) = tests.all else { continue };
        let call = |block| BlockCall {
            block,
            args: args.clone(),
        };
        let way = func.push_block();
        func.blocks[way].cold = true;
        func.set_term(way, Terminator::Jump(call(slow)), span, origin);
        let term = Terminator::Brif {
            cond,
            then: call(fast),
            other: BlockCall {
                block: way,
                args: Vec::new(),
            },
        };
        func.set_term(check, term, span, origin);
    }
    func.set_term(latch, term, span, latch_origin);
}

/// True if the block asks whether anything is negative.
fn has_sign_test(func: &Func, block: Block) -> bool {
    let mut insts = func.blocks[block].insts().iter();
    insts.any(|&inst| match func.insts[inst].kind {
        InstKind::Icmp {
            cc: IntCc::Slt,
            rhs,
            ..
        } => integer(func, rhs) == Some(0),
        _ => false,
    })
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
    let entered = func.blocks[start].params.clone();

    let copied = Copied::blocks_of(func, &plan.blocks);
    for &block in &plan.blocks {
        let mut term = copied.term(func, block);
        if let Terminator::Guard { ok, .. } = &term
            && !plan.guards.is_empty()
        {
            term = Terminator::Jump(ok.clone());
        }
        let data = &func.blocks[block];
        let (span, origin) = (data.term_span, data.term_origin);
        func.set_term(copied.block(block), term, span, origin);
    }

    // The choice.
    let mut tests = Tests::new(func, start, &entered, span, origin);
    let signs = plan.signs.iter().map(|(_, predicate)| predicate);
    let mut added: Vec<LoopPredicate> = Vec::new();
    for &predicate in signs.chain(&plan.moderate).chain(&plan.guards) {
        if !added.contains(&predicate) {
            tests.add(&predicate);
            added.push(predicate);
        }
    }
    let all = tests.all;
    for (inst, _) in &plan.signs {
        if let [asked] = func.insts[*inst].results[..]
            && let ValueDef::Result(inst, _) = func.values[copied.value(asked)].def
        {
            func.insts[inst].kind = InstKind::IConst(0);
        }
    }
    let waning: Vec<LoopPredicate> = added
        .into_iter()
        .filter(LoopPredicate::needs_per_iteration_check)
        .collect();
    if !waning.is_empty() {
        for &block in &plan.blocks {
            test_each_round(
                func,
                copied.block(block),
                copied.block(header),
                header,
                &waning,
            );
        }
    }
    for &block in &plan.blocks {
        func.blocks[block].cold = true;
    }
    let headers = [copied.block(header), header];
    copies::branch(func, start, all, headers, (span, origin));
    copied.block(header)
}
