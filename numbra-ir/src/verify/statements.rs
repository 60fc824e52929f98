//! Rules on the function's tables and on single statements.

use super::{Found, Phase};
use crate::{ArgKind, Expr, Inst, Location, ObjKind, ObjRef, Rhs, StmtKind, Var};
use numbra_base::FxHashSet;

/// Parameters, variables and objects.
pub(super) fn check_function(found: &mut Found<'_>) {
    let func = found.func;
    let mut names = FxHashSet::default();
    for arg in &func.args {
        if !names.insert(arg.name.as_str()) {
            found.add(
                Location::Func,
                format!("two parameters are named `{}`", arg.name),
            );
        }
    }
    let rank = |kind: ArgKind| match kind {
        ArgKind::PositionalOnly => 0,
        ArgKind::PositionalOrKeyword => 1,
        ArgKind::VarPositional => 2,
        ArgKind::KeywordOnly => 3,
        ArgKind::VarKeyword => 4,
    };
    for pair in func.args.windows(2) {
        let (a, b) = (rank(pair[0].kind), rank(pair[1].kind));
        if a > b || (a == b && (a == 2 || a == 4)) {
            found.add(
                Location::Func,
                format!("parameter `{}` is out of order", pair[1].name),
            );
        }
    }
    let mut names = FxHashSet::default();
    for data in func.vars.values() {
        if data.name.is_empty() {
            found.add(Location::Func, "a variable has no name");
        } else if !names.insert(data.name.as_str()) {
            found.add(
                Location::Func,
                format!("two variables are named `{}`", data.name),
            );
        }
        if let Some(of) = data.version_of
            && func.vars.get(of).is_none_or(|of| of.version_of.is_some())
        {
            let message = format!("`{}` is a version of a version, or of nothing", data.name);
            found.add(Location::Func, message);
        }
    }
    for (obj, desc) in &func.objects {
        if let ObjKind::Tuple(items, _) = &desc.kind {
            for item in items {
                if *item >= obj {
                    found.add(
                        Location::Func,
                        format!("{obj} holds {item}, which is not before it"),
                    );
                }
            }
        }
    }
}

/// Each statement by itself.
pub(super) fn check(found: &mut Found<'_>, phase: Phase) {
    let func = found.func;
    let entry = func.entry();
    let mut yields = FxHashSet::default();
    for &block in &func.layout {
        let Some(data) = func.blocks.get(block) else {
            continue;
        };
        let mut called = false;
        for &inst in &data.insts {
            let Some(stmt) = func.insts.get(inst) else {
                continue;
            };
            check_vars(found, inst, &stmt.kind);
            match &stmt.kind {
                StmtKind::Assign { value, .. } => {
                    check_rhs(found, inst, value, phase);
                    if let Rhs::Yield { index, .. } = value {
                        if !func.is_generator {
                            found.add(Location::Inst(inst), "yield outside a generator");
                        }
                        if *index == 0 || !yields.insert(*index) {
                            let message = format!("yield number {index} is 0 or taken");
                            found.add(Location::Inst(inst), message);
                        }
                    }
                    let is_arg = matches!(value, Rhs::Arg(_));
                    if is_arg && Some(block) != entry {
                        found.add(Location::Inst(inst), "arg outside the entry block");
                    }
                    // The block ends at a call that is inlined.
                    if is_arg && called {
                        found.add(Location::Inst(inst), "arg after a call");
                    }
                    called |= matches!(value, Rhs::Expr(Expr::Call { .. }));
                }
                StmtKind::Del(_) => {
                    if phase != Phase::WithDels {
                        found.add(Location::Inst(inst), "del is not allowed in this phase");
                    }
                }
                StmtKind::CheckAssigned { .. } => {
                    if phase != Phase::Untyped {
                        found.add(
                            Location::Inst(inst),
                            "check_assigned stands before SSA only",
                        );
                    }
                }
                StmtKind::StaticRaise { class, .. } | StmtKind::DynamicRaise { class, .. } => {
                    check_obj(found, inst, *class);
                }
                StmtKind::SetItem { .. }
                | StmtKind::StaticSetItem { .. }
                | StmtKind::DelItem { .. }
                | StmtKind::SetAttr { .. }
                | StmtKind::DelAttr { .. }
                | StmtKind::StoreMap { .. }
                | StmtKind::Print { .. }
                | StmtKind::EnterWith { .. }
                | StmtKind::PopBlock
                | StmtKind::SetFreeVar { .. }
                | StmtKind::Return(_)
                | StmtKind::Jump(_)
                | StmtKind::Branch { .. }
                | StmtKind::Raise(_) => {}
            }
        }
    }
}

fn check_vars(found: &mut Found<'_>, inst: Inst, kind: &StmtKind) {
    let mut unknown: Vec<Var> = Vec::new();
    let vars = &found.func.vars;
    let mut check = |var: Var| {
        if !vars.is_valid(var) {
            unknown.push(var);
        }
    };
    kind.def().into_iter().for_each(&mut check);
    if let StmtKind::Del(var) = kind {
        check(*var);
    }
    kind.for_each_use(check);
    for var in unknown {
        found.add(Location::Inst(inst), format!("{var} does not exist"));
    }
}

fn check_obj(found: &mut Found<'_>, inst: Inst, obj: ObjRef) {
    if !found.func.objects.is_valid(obj) {
        found.add(
            Location::Inst(inst),
            format!("{obj} is not in the object table"),
        );
    }
}

fn check_rhs(found: &mut Found<'_>, inst: Inst, rhs: &Rhs, phase: Phase) {
    let func = found.func;
    match rhs {
        Rhs::Arg(n) => {
            if func.args.get(*n as usize).is_none() {
                found.add(Location::Inst(inst), format!("there is no parameter {n}"));
            }
        }
        Rhs::Global(obj) | Rhs::FreeVar { obj, .. } => check_obj(found, inst, *obj),
        Rhs::Const(_) | Rhs::Var(_) | Rhs::Yield { .. } | Rhs::Undefined => {}
        Rhs::Expr(expr) => match expr {
            Expr::InplaceBinOp { op, .. } => {
                if op.inplace_name().is_none() {
                    let message = format!("`{}` has no in-place form", op.symbol());
                    found.add(Location::Inst(inst), message);
                }
            }
            Expr::Call { kws, .. } => {
                let mut names = FxHashSet::default();
                for (name, _) in kws {
                    if !names.insert(name.as_str()) {
                        found.add(
                            Location::Inst(inst),
                            format!("keyword `{name}` is given twice"),
                        );
                    }
                }
            }
            Expr::Phi(_) => {
                if phase != Phase::Ssa {
                    found.add(Location::Inst(inst), "phi is not allowed in this phase");
                }
            }
            Expr::MakeFunction { code, .. } => {
                check_obj(found, inst, *code);
                if !func.nested.iter().any(|(obj, _)| obj == code) {
                    found.add(
                        Location::Inst(inst),
                        format!("{code} is not a nested function"),
                    );
                }
            }
            Expr::BinOp { .. }
            | Expr::Unary { .. }
            | Expr::BuildTuple(_)
            | Expr::BuildList(_)
            | Expr::BuildSet(_)
            | Expr::BuildMap(_)
            | Expr::BuildString(_)
            | Expr::PairFirst(_)
            | Expr::PairSecond(_)
            | Expr::GetIter(_)
            | Expr::IterNext(_)
            | Expr::ExhaustIter { .. }
            | Expr::GetAttr { .. }
            | Expr::GetItem { .. }
            | Expr::StaticGetItem { .. }
            | Expr::Cast { .. }
            | Expr::ExceptionMatch { .. }
            | Expr::Null => {}
        },
    }
}
