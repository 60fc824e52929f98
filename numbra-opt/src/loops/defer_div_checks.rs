//! Runs loops without their tests for division by zero, and once more with them if one failed.
//!
//! ```text
//! before                                      after
//!   jump block1(v1, v2)                         jump block5(v1, v2, v20)      (v20 = false)
//! block1(v3: i64, v4: f64):                   block5(v21: i64, v22: f64, v23: i1):
//!   v5: f64 = load v6                           v24: f64 = load v25
//!   v7 = fcmp ne v5, v8                         v26 = fcmp ne v24, v8
//!   guard v7 zero_division, block2, block4      v27 = inot v26
//! block2:                                       v28 = or v23, v27
//!   v9 = fdiv v10, v5                           v29 = fdiv v10, v24
//!   v11 = fadd v4, v9                           v30 = fadd v22, v29
//!   v12 = iadd v3, v13                          v31 = iadd v21, v13
//!   v14 = icmp slt v12, v15                     v32 = icmp slt v31, v15
//!   brif v14, block1(v12, v11), block3(v11)     brif v32, block5(v31, v30, v28), block6
//!                                             block6:
//!                                               brif v28, block7, block8
//!                                             block7 (cold):
//!                                               jump block1(v1, v2)           the loop as it was
//!                                             block8:
//!                                               jump block3(v30)
//! ```
//!
//! A vectoriser does not take a loop that may leave at any iteration. Taken are innermost loops of blocks in a row that write
//! nothing, so that they may begin again, and leave by such tests or at their end; not those that are no vectors without the
//! tests either, as a variable is more than a sum of one kind. What a failing test leaves behind must
//! not be able to do harm: addresses and the number of iterations may depend on counters alone, and what was proven about
//! other integers is forgotten.
//!
//! Wants rotated loops and addresses as an invariant base and a varying rest (`licm`).

use crate::analyses::{Analyses, Changed};
use crate::edit::copies::{self, Copied};
use crate::edit::edges::{self, LayoutPosition};
use numbra_base::{FxHashMap, FxHashSet, Origin, Span};
use numbra_lir::analysis::{Cfg, DefUse, Dominators, Loop, effects};
use numbra_lir::{
    BinaryOp, Block, BlockCall, ConvertOp, Facts, Func, GuardKind, Inst, InstKind, Module,
    Terminator, Ty, UnaryOp, Value,
};

const NAME: &str = "defer_div_checks";

/// Loops of more instructions are not copied.
const MOST_INSTS: usize = 200;

/// A loop to be copied.
struct Plan {
    /// All blocks in the order in which they run; the last jumps back to the first.
    chain: Vec<Block>,
    /// Sources of the edges that enter it.
    entering: Vec<Block>,
    /// Values that are used behind the loop, each with the block to which it leaves.
    leaving: Vec<(Value, Block)>,
    /// Values that depend on counters alone.
    steady: FxHashSet<Value>,
    /// Which side of the last block's branch jumps back.
    back: usize,
}

pub(crate) fn defer_div_checks(func: &mut Func, _: &Module, known: &mut Analyses) -> Changed {
    let mut changed = false;
    // Copies change what is used behind other loops, so each is planned anew. The loop that stays is cold, and not taken.
    while let Some(plan) = find(func, known) {
        copy(func, &plan);
        known.note(Changed::Flow);
        changed = true;
    }
    Changed::noted(changed)
}

fn find(func: &Func, known: &mut Analyses) -> Option<Plan> {
    let divides = func.layout.iter().any(|block| {
        !func.blocks[block].cold
            && matches!(
                func.blocks[block].term,
                Some(Terminator::Guard {
                    kind: GuardKind::ZeroDivision,
                    ..
                })
            )
    });
    if !divides {
        return None;
    }
    let (cfg, doms, loops) = (known.cfg(func), known.doms(func), known.loops(func));
    let uses = known.uses(func);
    loops.iter_innermost().find_map(|(_, data)| {
        let size: usize = data
            .blocks
            .iter()
            .map(|&b| func.blocks[b].insts().len())
            .sum();
        if size > MOST_INSTS || func.blocks[data.header].cold {
            return None;
        }
        plan(func, &cfg, &doms, &uses, data)
    })
}

fn plan(func: &Func, cfg: &Cfg, doms: &Dominators, uses: &DefUse, data: &Loop) -> Option<Plan> {
    let Chain {
        blocks: chain,
        conditions,
        back,
    } = chain_of(func, cfg, data)?;
    let header = data.header;
    let inside = |block: Block| data.blocks.contains(&block);
    let last = chain[chain.len() - 1];
    let steady = steady(func, cfg, &chain);
    let from_outside = |v: Value| func.def_block(v).is_none_or(|b| !inside(b));
    let is_steady = |v: Value| from_outside(v) || steady.contains(&v);
    let insts = || {
        chain
            .iter()
            .flat_map(|&b| func.blocks[b].insts().iter().copied())
    };
    for inst in insts() {
        let kind = &func.insts[inst].kind;
        let does = effects(kind);
        if !does.removable || does.convergent || !does.writes.is_empty() {
            return None;
        }
        match kind {
            InstKind::Load { addr, flags, .. } if !is_steady(*addr) || flags.volatile => {
                return None;
            }
            InstKind::Load { .. } => {}
            _ if !does.reads.is_empty() => return None,
            _ => {}
        }
    }
    let Some(Terminator::Brif { cond, .. }) = &func.blocks[last].term else {
        return None;
    };
    // A test of a counter tells about it: what was concluded from that does not hold in the copy.
    let tells = |cond: Value| match func.def(cond) {
        Some(InstKind::Fcmp { .. }) => false,
        Some(InstKind::Icmp { lhs, rhs, .. }) => is_steady(*lhs) && is_steady(*rhs),
        _ => true,
    };
    if !is_steady(*cond) || conditions.into_iter().any(tells) {
        return None;
    }
    if has_recurrence(func, header, &chain, back, &steady) {
        return None;
    }
    let leaving = copies::leaving(func, cfg, doms, uses, &chain)?;
    let entering = cfg.preds(header).iter().copied().filter(|&p| p != last);
    Some(Plan {
        entering: entering.collect(),
        chain,
        leaving,
        steady,
        back,
    })
}

/// The blocks of a loop that run one after the other in each iteration.
pub(crate) struct Chain {
    /// In the order in which they run; the last jumps back to the first.
    pub(crate) blocks: Vec<Block>,
    /// What guards test.
    pub(crate) conditions: Vec<Value>,
    /// Which side of the last block's branch jumps back.
    pub(crate) back: usize,
}

/// The blocks of a loop, if they stand in a row that is left at its end and by tests for zero, of which there is one.
pub(crate) fn chain_of(func: &Func, cfg: &Cfg, data: &Loop) -> Option<Chain> {
    let header = data.header;
    let inside = |block: Block| data.blocks.contains(&block);
    let mut blocks = vec![header];
    let mut conditions = Vec::new();
    let back = loop {
        let at = *blocks.last()?;
        let next = match func.blocks[at].term.as_ref()? {
            Terminator::Jump(to) => to.block,
            Terminator::Guard {
                cond,
                kind: GuardKind::ZeroDivision,
                ok,
                err,
            } if !inside(err.block) => {
                conditions.push(*cond);
                ok.block
            }
            Terminator::Brif { then, other, .. }
                if then.block == header && !inside(other.block) =>
            {
                break 0;
            }
            Terminator::Brif { then, other, .. }
                if other.block == header && !inside(then.block) =>
            {
                break 1;
            }
            _ => return None,
        };
        if !inside(next) || blocks.contains(&next) || cfg.preds(next) != [at] {
            return None;
        }
        blocks.push(next);
    };
    let whole = blocks.len() == data.blocks.len();
    (whole && !conditions.is_empty() && header != func.entry()).then_some(Chain {
        blocks,
        conditions,
        back,
    })
}

/// Integers that counters and what lies outside of the loop determine.
fn steady(func: &Func, cfg: &Cfg, chain: &[Block]) -> FxHashSet<Value> {
    let mut found: FxHashSet<Value> = FxHashSet::default();
    let mut values: Vec<(Value, Vec<Value>)> = Vec::new();
    let mut unsteady: FxHashSet<Value> = FxHashSet::default();
    for &block in chain {
        for (n, &param) in func.blocks[block].params.iter().enumerate() {
            // Blocks behind the header have one predecessor, the header its last block in the loop.
            let preds = cfg.preds(block).iter().filter(|p| chain.contains(p));
            let terms = preds.filter_map(|&p| func.blocks[p].term.as_ref());
            let targets = terms.flat_map(|t| t.targets());
            let given = targets.filter(|to| to.block == block).map(|to| to.args[n]);
            values.push((param, given.collect()));
        }
        for &inst in func.blocks[block].insts() {
            let data = &func.insts[inst];
            let pure = match data.kind {
                InstKind::IConst(_) | InstKind::Icmp { .. } | InstKind::Select { .. } => true,
                InstKind::PtrAdd { .. } => true,
                InstKind::Binary { op, .. } => matches!(
                    op,
                    BinaryOp::IAdd
                        | BinaryOp::ISub
                        | BinaryOp::IMul
                        | BinaryOp::And
                        | BinaryOp::Or
                        | BinaryOp::Xor
                        | BinaryOp::Shl
                ),
                InstKind::Convert { op, .. } => {
                    matches!(op, ConvertOp::SExt | ConvertOp::ZExt | ConvertOp::Trunc)
                }
                _ => false,
            };
            let mut operands = Vec::new();
            data.kind.visit_operands(|v| operands.push(v));
            for &result in &data.results {
                if pure {
                    values.push((result, operands.clone()));
                } else {
                    unsteady.insert(result);
                }
            }
        }
    }
    found.extend(values.iter().map(|(value, _)| *value));
    unsteady.extend(values.iter().map(|(value, _)| *value).filter(|&v| {
        !matches!(
            func.ty(v),
            Ty::I1 | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::Ptr(_)
        )
    }));
    loop {
        let before = unsteady.len();
        for (value, given) in &values {
            if given.iter().any(|v| unsteady.contains(v)) {
                unsteady.insert(*value);
            }
        }
        if unsteady.len() == before {
            found.retain(|v| !unsteady.contains(v));
            return found;
        }
    }
}

/// Whether an iteration takes from the one before what no vectoriser sums up: not by one operation, which a condition may skip.
fn has_recurrence(
    func: &Func,
    header: Block,
    chain: &[Block],
    back: usize,
    steady: &FxHashSet<Value>,
) -> bool {
    let next = func.term(chain[chain.len() - 1]).targets()[back];
    let carried = func.blocks[header].params.iter().zip(&next.args);
    // Blocks behind the header have one predecessor: what their parameters stand for.
    let mut given: FxHashMap<Value, Value> = FxHashMap::default();
    for pair in chain.windows(2) {
        let to = func.term(pair[0]).targets();
        let args = to.into_iter().find(|to| to.block == pair[1]);
        let params = func.blocks[pair[1]].params.iter().copied();
        given.extend(params.zip(args.into_iter().flat_map(|to| to.args.iter().copied())));
    }
    carried
        .filter(|(param, _)| !steady.contains(param))
        .any(|(&param, &next)| {
            let mut from_it: FxHashSet<Value> = [param].into_iter().collect();
            for &block in chain {
                let params = func.blocks[block].params.iter();
                from_it.extend(
                    params
                        .filter(|v| given.get(v).is_some_and(|v| from_it.contains(v)))
                        .copied()
                        .collect::<Vec<_>>(),
                );
                for &inst in func.blocks[block].insts() {
                    let mut depends = false;
                    func.insts[inst]
                        .kind
                        .visit_operands(|v| depends |= from_it.contains(&v));
                    if depends {
                        from_it.extend(&func.insts[inst].results);
                    }
                }
            }
            // Back from what the next iteration gets, by what is computed from this one's.
            let (mut ops, mut work) = (FxHashSet::default(), vec![next]);
            let mut seen: FxHashSet<Value> = FxHashSet::default();
            while let Some(value) = work.pop() {
                if value == param || !from_it.contains(&value) || !seen.insert(value) {
                    continue;
                }
                if let Some(&value) = given.get(&value) {
                    work.push(value);
                    continue;
                }
                let Some(kind) = func.def(value) else {
                    return true;
                };
                match kind {
                    InstKind::Binary { op, .. } => {
                        ops.insert(match op {
                            BinaryOp::FSub => BinaryOp::FAdd,
                            BinaryOp::ISub => BinaryOp::IAdd,
                            _ => *op,
                        });
                    }
                    InstKind::Select { .. } | InstKind::Fcmp { .. } | InstKind::Icmp { .. } => {}
                    _ => return true,
                }
                kind.visit_operands(|v| work.push(v));
            }
            ops.len() > 1
        })
}

/// Makes the copy, and leads to it what led to the loop.
fn copy(func: &mut Func, plan: &Plan) {
    let header = plan.chain[0];
    let (span, origin) = (func.blocks[header].term_span, Origin::Pass(NAME));
    copies::hand_over(func, &plan.chain, &plan.leaving);
    let start = edges::merge_edges(
        func,
        &plan.entering,
        header,
        LayoutPosition::Before(header),
        NAME,
    );
    let entered = func.blocks[start].params.clone();
    let copied = Copied::blocks_of(func, &plan.chain);
    forget(func, plan, &copied);
    let failed = func.push_param(copied.block(header), Ty::I1);
    let check = func.push_block();
    let failed = join(func, plan, &copied, failed, check);
    leave(func, plan, &copied, check, failed, &entered);
    for &block in &plan.chain {
        func.blocks[block].cold = true;
    }
    let mut args = entered;
    args.push(one(func, start, InstKind::IConst(0), span));
    let into = call(copied.block(header), args);
    func.set_term(start, Terminator::Jump(into), span, origin);
}

/// Takes from the copy what was concluded from tests that it does not make.
fn forget(func: &mut Func, plan: &Plan, copied: &Copied) {
    for &block in &plan.chain {
        let pairs = func.blocks[block].insts().iter().copied();
        let pairs: Vec<(Inst, Inst)> = pairs
            .zip(func.blocks[copied.block(block)].insts().iter().copied())
            .collect();
        for (inst, copy) in pairs {
            if !func.insts[inst]
                .results
                .iter()
                .all(|v| plan.steady.contains(v))
            {
                func.insts[copy].facts = Facts::empty();
            }
        }
    }
}

/// Ends the blocks of the copy: each jumps to the next, and the last one back or to `check`. Returns whether a test failed
/// so far, as of the last block.
fn join(func: &mut Func, plan: &Plan, copied: &Copied, mut failed: Value, check: Block) -> Value {
    for &block in &plan.chain {
        let at = copied.block(block);
        let data = &func.blocks[block];
        let (span, origin) = (data.term_span, data.term_origin);
        let term = match copied.term(func, block) {
            Terminator::Guard { cond, ok, .. } => {
                let op = UnaryOp::INot;
                let rhs = one(func, at, InstKind::Unary { op, arg: cond }, span);
                let (op, lhs) = (BinaryOp::Or, failed);
                failed = one(func, at, InstKind::Binary { op, lhs, rhs }, span);
                Terminator::Jump(ok)
            }
            mut term @ Terminator::Brif { .. } => {
                let targets = term.targets_mut().into_iter().enumerate();
                for (n, target) in targets {
                    if n == plan.back {
                        target.args.push(failed);
                    } else {
                        *target = call(check, Vec::new());
                    }
                }
                term
            }
            other => other,
        };
        func.set_term(at, term, span, origin);
    }
    failed
}

/// Leads from `check` behind the loop, or to the loop as it was if a test failed.
fn leave(
    func: &mut Func,
    plan: &Plan,
    copied: &Copied,
    check: Block,
    failed: Value,
    entered: &[Value],
) {
    let (header, last) = (plan.chain[0], plan.chain[plan.chain.len() - 1]);
    let (span, origin) = (func.blocks[header].term_span, Origin::Pass(NAME));
    let redo = func.push_block();
    func.blocks[redo].cold = true;
    let again = call(header, entered.to_vec());
    func.set_term(redo, Terminator::Jump(again), span, origin);
    let fine = func.push_block();
    let mut exit = func.term(last).targets()[1 - plan.back].clone();
    exit.args.iter_mut().for_each(|v| *v = copied.value(*v));
    func.set_term(fine, Terminator::Jump(exit), span, origin);
    let term = Terminator::Brif {
        cond: failed,
        then: call(redo, Vec::new()),
        other: call(fine, Vec::new()),
    };
    func.set_term(check, term, span, origin);
}

fn call(block: Block, args: Vec<Value>) -> BlockCall {
    BlockCall { block, args }
}

/// An instruction with a result of one bit.
fn one(func: &mut Func, block: Block, kind: InstKind, span: Span) -> Value {
    let inst = func.push_inst(block, kind, &[Ty::I1], span, Origin::Pass(NAME));
    func.insts[inst].results[0]
}
