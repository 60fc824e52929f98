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
//! A vectoriser does not take a loop that may leave at any round. Taken are innermost loops of blocks in a row that write
//! nothing, so that they may begin again, and leave by such tests or at their end. What a failing test leaves behind must
//! not be able to do harm: addresses and the number of rounds may depend on counters alone, and what was proven about
//! other integers is forgotten.
//!
//! Wants rotated loops and addresses as an invariant base and a varying rest (`licm`).

use super::edges::{self, Place};
use crate::analysis::{Cfg, DefUse, Dominators, Loops, effects};
use crate::lir::{
    BinaryOp, Block, BlockCall, ConvertOp, Facts, Func, GuardKind, Inst, InstKind, Module,
    Terminator, Ty, UnaryOp, Value,
};
use numbra_base::{FxHashMap, FxHashSet, Origin};

const NAME: &str = "speculate";

/// Loops of more instructions are not copied.
const MOST_INSTS: usize = 200;

/// A loop to be copied.
struct Plan {
    /// All blocks in the order in which they run; the last jumps back to the first.
    chain: Vec<Block>,
    /// Sources of the edges that enter it.
    entering: Vec<Block>,
    /// Values that are used behind the loop.
    outside: Vec<Value>,
    /// Values that depend on counters alone.
    steady: FxHashSet<Value>,
    /// Which side of the last block's branch jumps back.
    back: usize,
}

pub(super) fn speculate(func: &mut Func, _: &Module) -> bool {
    let mut changed = false;
    // Copies change what is used behind other loops, so each is planned anew. The loop that stays is cold, and not taken.
    while let Some(plan) = find(func) {
        copy(func, &plan);
        changed = true;
    }
    changed
}

fn find(func: &Func) -> Option<Plan> {
    let divides = func.layout.iter().any(|&block| {
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
    let cfg = Cfg::new(func);
    let doms = Dominators::new(&cfg);
    let loops = Loops::new(&cfg, &doms);
    let uses = DefUse::new(func);
    loops.iter().find_map(|(id, data)| {
        let innermost = loops.iter().all(|(_, other)| other.parent != Some(id));
        let size: usize = data
            .blocks
            .iter()
            .map(|&b| func.blocks[b].insts.len())
            .sum();
        if !innermost || size > MOST_INSTS || func.blocks[data.header].cold {
            return None;
        }
        plan(func, &cfg, &uses, data.header, &data.blocks)
    })
}

fn plan(func: &Func, cfg: &Cfg, uses: &DefUse, header: Block, blocks: &[Block]) -> Option<Plan> {
    let inside = |block: Block| blocks.contains(&block);
    let mut chain = vec![header];
    let mut conditions = Vec::new();
    let back = loop {
        let at = *chain.last()?;
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
        if !inside(next) || chain.contains(&next) || cfg.preds(next) != [at] {
            return None;
        }
        chain.push(next);
    };
    if conditions.is_empty() || chain.len() != blocks.len() || header == func.entry() {
        return None;
    }
    let last = chain[chain.len() - 1];
    let steady = steady(func, cfg, &chain);
    let from_outside = |v: Value| uses.def_block(func, v).is_none_or(|b| !inside(b));
    let is_steady = |v: Value| from_outside(v) || steady.contains(&v);
    let insts = || {
        chain
            .iter()
            .flat_map(|&b| func.blocks[b].insts.iter().copied())
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
    let tells = |cond: Value| match super::fold::def(func, cond) {
        Some(InstKind::Fcmp { .. }) => false,
        Some(InstKind::Icmp { lhs, rhs, .. }) => is_steady(*lhs) && is_steady(*rhs),
        _ => true,
    };
    if !is_steady(*cond) || conditions.into_iter().any(tells) {
        return None;
    }
    let outside = outside(func, cfg, uses, &chain, back)?;
    let entering = cfg.preds(header).iter().copied().filter(|&p| p != last);
    Some(Plan {
        entering: entering.collect(),
        chain,
        outside,
        steady,
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
        for &inst in &func.blocks[block].insts {
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

/// The values of the loop that are used behind it; `None` if they are used where other ways lead, too.
fn outside(
    func: &Func,
    cfg: &Cfg,
    uses: &DefUse,
    chain: &[Block],
    back: usize,
) -> Option<Vec<Value>> {
    let last = chain[chain.len() - 1];
    let exit = func.term(last).targets()[1 - back].block;
    let doms = Dominators::new(cfg);
    let mut found = Vec::new();
    for &block in chain {
        let insts = func.blocks[block].insts.iter();
        let results = insts.flat_map(|&i| func.insts[i].results.iter());
        for &value in func.blocks[block].params.iter().chain(results) {
            let mut behind = uses
                .uses(value)
                .iter()
                .map(|u| u.block())
                .filter(|b| !chain.contains(b))
                .peekable();
            if behind.peek().is_none() {
                continue;
            }
            if cfg.preds(exit) != [last] || !behind.all(|b| doms.dominates(exit, b)) {
                return None;
            }
            found.push(value);
        }
    }
    Some(found)
}

fn copy(func: &mut Func, plan: &Plan) {
    let header = plan.chain[0];
    let last = plan.chain[plan.chain.len() - 1];
    let (span, origin) = (func.blocks[header].term_span, Origin::Pass(NAME));
    let start = edges::gather(func, &plan.entering, header, Place::Before(header), NAME);
    let entered = func.blocks[start].params.clone();

    // Both loops lead here with the values that are used behind them, and then the arguments of the exit.
    let merge = func.push_block();
    let exit = func.term(last).targets()[1 - plan.back].clone();
    let mut renames = FxHashMap::default();
    for &value in &plan.outside {
        let ty = func.ty(value);
        renames.insert(value, func.push_param(merge, ty));
    }
    let onward: Vec<Value> = exit
        .args
        .iter()
        .map(|&value| {
            let ty = func.ty(value);
            func.push_param(merge, ty)
        })
        .collect();
    rename_outside(func, &plan.chain, &renames);
    let term = Terminator::Jump(BlockCall {
        block: exit.block,
        args: onward,
    });
    func.set_term(merge, term, span, origin);
    let leaving: Vec<Value> = plan.outside.iter().chain(&exit.args).copied().collect();

    // The copy.
    let mut map: FxHashMap<Value, Value> = FxHashMap::default();
    let mut copies = Vec::new();
    for &block in &plan.chain {
        let made = func.push_block();
        for param in func.blocks[block].params.clone() {
            let ty = func.ty(param);
            map.insert(param, func.push_param(made, ty));
        }
        copies.push(made);
    }
    let mut failed = func.push_param(copies[0], Ty::I1);
    let failed_at_start = {
        let no = func.push_inst(start, InstKind::IConst(0), &[Ty::I1], span, origin);
        func.insts[no].results[0]
    };
    let check = func.push_block();
    for (n, &block) in plan.chain.iter().enumerate() {
        for inst in func.blocks[block].insts.clone() {
            copy_inst(func, inst, copies[n], plan, &mut map);
        }
        let mapped = |v: &Value| map.get(v).copied().unwrap_or(*v);
        let term = func.term(block).clone();
        let (term_span, term_origin) =
            (func.blocks[block].term_span, func.blocks[block].term_origin);
        let jump = |to: &BlockCall, to_block: Block| BlockCall {
            block: to_block,
            args: to.args.iter().map(mapped).collect(),
        };
        let term = match term {
            Terminator::Jump(to) => Terminator::Jump(jump(&to, copies[n + 1])),
            Terminator::Guard { cond, ok, .. } => {
                let cond = mapped(&cond);
                let onward = jump(&ok, copies[n + 1]);
                let not = InstKind::Unary {
                    op: UnaryOp::INot,
                    arg: cond,
                };
                let wrong = one(func, copies[n], not, span);
                failed = one(
                    func,
                    copies[n],
                    InstKind::Binary {
                        op: BinaryOp::Or,
                        lhs: failed,
                        rhs: wrong,
                    },
                    span,
                );
                Terminator::Jump(onward)
            }
            Terminator::Brif { cond, then, other } => {
                let again = if plan.back == 0 { &then } else { &other };
                let mut again = jump(again, copies[0]);
                again.args.push(failed);
                let done = BlockCall {
                    block: check,
                    args: Vec::new(),
                };
                let cond = mapped(&cond);
                if plan.back == 0 {
                    Terminator::Brif {
                        cond,
                        then: again,
                        other: done,
                    }
                } else {
                    Terminator::Brif {
                        cond,
                        then: done,
                        other: again,
                    }
                }
            }
            other => other,
        };
        func.set_term(copies[n], term, term_span, term_origin);
    }
    let call = |block, args| BlockCall { block, args };
    let redo = func.push_block();
    func.blocks[redo].cold = true;
    let term = Terminator::Jump(call(header, entered.clone()));
    func.set_term(redo, term, span, origin);
    let fine = func.push_block();
    let left = leaving.iter().map(|v| map.get(v).copied().unwrap_or(*v));
    let term = Terminator::Jump(call(merge, left.collect()));
    func.set_term(fine, term, span, origin);
    let term = Terminator::Brif {
        cond: failed,
        then: call(redo, Vec::new()),
        other: call(fine, Vec::new()),
    };
    func.set_term(check, term, span, origin);
    let mut args = entered;
    args.push(failed_at_start);
    func.set_term(start, Terminator::Jump(call(copies[0], args)), span, origin);

    // The loop as it was.
    for &block in &plan.chain {
        func.blocks[block].cold = true;
    }
    if let Some(term) = &mut func.blocks[last].term
        && let Some(exit) = term.targets_mut().into_iter().nth(1 - plan.back)
    {
        *exit = call(merge, leaving);
    }
}

fn one(func: &mut Func, block: Block, kind: InstKind, span: numbra_base::Span) -> Value {
    let inst = func.push_inst(block, kind, &[Ty::I1], span, Origin::Pass(NAME));
    func.insts[inst].results[0]
}

/// Puts a copy of an instruction at the end of `into`.
fn copy_inst(
    func: &mut Func,
    inst: Inst,
    into: Block,
    plan: &Plan,
    map: &mut FxHashMap<Value, Value>,
) {
    let data = func.insts[inst].clone();
    let mut kind = data.kind;
    kind.for_each_operand(|v| *v = map.get(v).copied().unwrap_or(*v));
    let types: Vec<Ty> = data.results.iter().map(|&v| func.ty(v)).collect();
    let made = func.push_inst(into, kind, &types, data.span, data.origin);
    func.insts[made].fast = data.fast;
    let steady = data.results.iter().all(|v| plan.steady.contains(v));
    func.insts[made].facts = if steady { data.facts } else { Facts::empty() };
    for (n, &result) in data.results.iter().enumerate() {
        map.insert(result, func.insts[made].results[n]);
    }
}

/// Renames values everywhere but in the loop.
fn rename_outside(func: &mut Func, chain: &[Block], renames: &FxHashMap<Value, Value>) {
    let renamed = |v: &mut Value| *v = renames.get(v).copied().unwrap_or(*v);
    for block in func.layout.clone() {
        if chain.contains(&block) {
            continue;
        }
        for inst in func.blocks[block].insts.clone() {
            func.insts[inst].kind.for_each_operand(renamed);
        }
        if let Some(term) = &mut func.blocks[block].term {
            term.for_each_operand(renamed);
        }
    }
}
