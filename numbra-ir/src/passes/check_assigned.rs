//! `check_assigned`.

use super::context::PassContext;
use super::ssa_handlers::may_raise;
use super::surgery::{insert_stmt, remove_unreachable, split_block};
use crate::analysis::{Cfg, VarSet};
use crate::pipeline::{Changed, PassResult};
use crate::{
    Block, BlockData, Const, FreshNames, Func, Inst, ObjDesc, ObjKind, ObjRef, Rhs, SecondaryMap,
    Stmt, StmtKind, Var,
};
use numbra_base::{Origin, Span};

const NAME: &str = "check_assigned";

/// Makes `check_assigned` statements tests of flags where a variable may or may not have a value, exceptions where it
/// never has one, and nothing where it always has one.
///
/// ```text
///   before                             after
///     branch c, bb1, bb2                 $0 = const(bool, False)
///   bb1:                                 $1 = const(bool, True)
///     r = const(int, 3)                  r$assigned = $0
///     jump bb2                           branch c, bb1, bb2
///   bb2:                               bb1:
///     check_assigned r, local r          r = const(int, 3)
///     return r                           r$assigned = $1
///                                        jump bb2
///                                      bb2:
///                                        branch r$assigned, bb3, bb4
///                                      bb3:
///                                        return r
///                                      bb4:
///                                        raise builtins.UnboundLocalError(..)
/// ```
///
/// A flag is a variable like others: SSA, threading of jumps and the generators find out what a test knows. Behind a
/// check its variable has a value, so that the next one on the same path is none. Before SSA; linear in statements for
/// each round over the loops.
pub fn check_assigned(func: &mut Func, _: &PassContext<'_>) -> PassResult {
    let checked = checked_vars(func);
    if checked.is_empty() {
        return Ok(Changed::No);
    }
    remove_unreachable(func);
    let cfg = Cfg::new(func);
    let found = verdicts(func, &cfg, &checked);
    let mut flags = Flags {
        names: FreshNames::new(func),
        of: SecondaryMap::new(),
    };
    // From the end of each block: positions before a change stay.
    for (block, at, inst, verdict) in found.into_iter().rev() {
        match verdict {
            Verdict::Assigned => {
                func.blocks[block].insts.remove(at);
            }
            Verdict::Unassigned => {
                func.blocks[block].insts.truncate(at);
                raise(func, block, inst);
            }
            Verdict::Unknown => test(func, &mut flags, block, at, inst),
        }
    }
    flags.keep(func);
    remove_unreachable(func);
    Ok(Changed::Yes)
}

/// The variables that checks name.
fn checked_vars(func: &Func) -> VarSet {
    let mut vars = VarSet::default();
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            if let StmtKind::CheckAssigned { var, .. } = &func.insts[inst].kind {
                vars.insert(*var);
            }
        }
    }
    vars
}

/// What is known of a variable at its check.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Assigned,
    Unassigned,
    Unknown,
}

/// What paths to a point may have done.
#[derive(Clone, PartialEq, Eq, Default)]
struct State {
    /// Variables without a value on some path.
    open: VarSet,
    /// Variables with a value on some path.
    assigned: VarSet,
    is_reached: bool,
}

impl State {
    fn join(&mut self, other: &State) -> bool {
        let mut changed = !std::mem::replace(&mut self.is_reached, true);
        changed |= self.open.union(&other.open);
        changed | self.assigned.union(&other.assigned)
    }

    fn set(&mut self, var: Var, has_value: bool) {
        let (to, from) = if has_value {
            (&mut self.assigned, &mut self.open)
        } else {
            (&mut self.open, &mut self.assigned)
        };
        to.insert(var);
        from.remove(var);
    }

    fn pass(&mut self, checked: &VarSet, kind: &StmtKind) {
        match kind {
            StmtKind::Assign { target, value } if checked.contains(*target) => {
                self.set(*target, has_value(value));
            }
            StmtKind::CheckAssigned { var, .. } => self.set(*var, true),
            _ => {}
        }
    }
}

/// `undefined` is what `del x` leaves.
fn has_value(value: &Rhs) -> bool {
    !matches!(value, Rhs::Undefined)
}

/// Each check with its place, in the order of the layout.
fn verdicts(func: &Func, cfg: &Cfg, checked: &VarSet) -> Vec<(Block, usize, Inst, Verdict)> {
    let mut before: SecondaryMap<Block, State> = SecondaryMap::new();
    if let Some(entry) = func.entry() {
        before[entry] = State {
            open: checked.clone(),
            assigned: VarSet::default(),
            is_reached: true,
        };
    }
    let mut again = true;
    while std::mem::take(&mut again) {
        for (number, &block) in cfg.rpo().iter().enumerate() {
            let mut state = before[block].clone();
            let mut join = |to: Block, state: &State| {
                let back = cfg.rpo_index(to).is_some_and(|at| at as usize <= number);
                again |= before[to].join(state) && back;
            };
            for &inst in &func.blocks[block].insts {
                if let Some(handler) = cfg.handler(block)
                    && may_raise(func, inst)
                {
                    join(handler, &state);
                }
                state.pass(checked, &func.insts[inst].kind);
            }
            for &succ in cfg.succs(block) {
                join(succ, &state);
            }
        }
    }
    let mut found = Vec::new();
    for &block in &func.layout {
        let mut state = before[block].clone();
        for (at, &inst) in func.blocks[block].insts.iter().enumerate() {
            let kind = &func.insts[inst].kind;
            if let StmtKind::CheckAssigned { var, .. } = kind {
                let verdict = match (state.assigned.contains(*var), state.open.contains(*var)) {
                    (true, true) => Verdict::Unknown,
                    (false, true) => Verdict::Unassigned,
                    (_, false) => Verdict::Assigned,
                };
                found.push((block, at, inst, verdict));
            }
            state.pass(checked, kind);
        }
    }
    found
}

/// Ends a block with the exception of a check.
fn raise(func: &mut Func, block: Block, check: Inst) {
    let Stmt {
        kind: StmtKind::CheckAssigned { name, captured, .. },
        span,
        ..
    } = &func.insts[check]
    else {
        return;
    };
    let (span, captured) = (*span, *captured);
    let (class, text) = match captured {
        true => (
            "NameError",
            format!(
                "cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
            ),
        ),
        false => (
            "UnboundLocalError",
            format!(
                "cannot access local variable '{name}' where it is not associated with a value"
            ),
        ),
    };
    let kind = StmtKind::StaticRaise {
        class: class_object(func, class),
        args: vec![Const::Str(text)],
    };
    func.push_stmt(block, kind, span, Origin::Pass(NAME));
}

/// The description of an exception class among the function's objects.
fn class_object(func: &mut Func, class: &str) -> ObjRef {
    let desc = ObjDesc {
        name: format!("builtins.{class}"),
        kind: ObjKind::Class,
        repr: format!("<class '{class}'>"),
        digest: None,
    };
    let known = func.objects.iter().find(|(_, known)| **known == desc);
    match known.map(|(obj, _)| obj) {
        Some(obj) => obj,
        None => func.objects.push(desc),
    }
}

/// Replaces a check by a branch on its variable's flag.
fn test(func: &mut Func, flags: &mut Flags, block: Block, at: usize, check: Inst) {
    let StmtKind::CheckAssigned { var, name, .. } = &func.insts[check].kind else {
        return;
    };
    let (var, name) = (*var, name.clone());
    let span = func.insts[check].span;
    let cond = flags.of_var(func, var, &name);
    let then = split_block(func, block, at);
    func.blocks[then].insts.remove(0);
    let other = func.blocks.push(BlockData {
        insts: Vec::new(),
        handler: func.blocks[block].handler,
    });
    func.layout.push(other);
    raise(func, other, check);
    let branch = StmtKind::Branch { cond, then, other };
    func.push_stmt(block, branch, span, Origin::Pass(NAME));
}

/// The variables that say whether others have a value.
struct Flags {
    names: FreshNames,
    of: SecondaryMap<Var, Option<Var>>,
}

impl Flags {
    fn of_var(&mut self, func: &mut Func, var: Var, name: &str) -> Var {
        match self.of[var] {
            Some(flag) => flag,
            None => {
                let flag = self.names.named(func, &format!("{name}$assigned"));
                self.of[var] = Some(flag);
                flag
            }
        }
    }

    /// Has each flag follow its variable, from the entry on. What flags hold is made there once: a block that only
    /// assigns a variable stays without instructions of its own, so that choosing between values needs no branch.
    fn keep(&mut self, func: &mut Func) {
        let vars: Vec<Var> = func.vars.keys().collect();
        let flags: Vec<Var> = vars.into_iter().filter_map(|var| self.of[var]).collect();
        let Some(entry) = func.entry().filter(|_| !flags.is_empty()) else {
            return;
        };
        let [yes, no] = [true, false].map(|_| self.names.temp(func));
        for block in func.layout.clone() {
            let mut at = 0;
            while let Some(&inst) = func.blocks[block].insts.get(at) {
                at += 1;
                let stmt = &func.insts[inst];
                if let StmtKind::Assign { target, value } = &stmt.kind
                    && let Some(flag) = self.of[*target]
                {
                    let (is_set, span) = (has_value(value), stmt.span);
                    let value = Rhs::Var(if is_set { yes } else { no });
                    set(func, block, at, flag, value, span);
                    at += 1;
                }
            }
        }
        let span = func.span;
        for flag in flags {
            set(func, entry, 0, flag, Rhs::Var(no), span);
        }
        for (temp, value) in [(yes, true), (no, false)] {
            set(func, entry, 0, temp, Rhs::Const(Const::Bool(value)), span);
        }
    }
}

fn set(func: &mut Func, block: Block, at: usize, target: Var, value: Rhs, span: Span) {
    let kind = StmtKind::Assign { target, value };
    insert_stmt(func, block, at, kind, span, NAME);
}
