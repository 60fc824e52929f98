//! Rules on typed functions and programs.

use super::{Found, Phase, VerifyError, verify};
use crate::analysis::{Cfg, Dominators};
use crate::{
    Block, CallArg, Callee, Expr, Inst, Location, Rhs, SecondaryMap, StmtKind, Type, TypedFunc,
    TypedProgram, Types, Var,
};

/// Checks a typed function: the rules of SSA, and those on types.
pub fn verify_typed(typed: &TypedFunc, types: &Types) -> Result<(), Vec<VerifyError>> {
    verify(&typed.func, Phase::Ssa)?;
    let mut found = Found {
        func: &typed.func,
        errors: Vec::new(),
    };
    check(&mut found, typed, types);
    if found.errors.is_empty() {
        Ok(())
    } else {
        Err(found.errors)
    }
}

/// Checks every function of a program and the calls between them.
pub fn verify_program(program: &TypedProgram, types: &Types) -> Result<(), Vec<VerifyError>> {
    let mut errors = Vec::new();
    for (_, typed) in program.functions.values() {
        if let Err(found) = verify_typed(typed, types) {
            errors.extend(found);
            continue;
        }
        let mut found = Found {
            func: &typed.func,
            errors: Vec::new(),
        };
        check_callees(&mut found, typed, program, types);
        errors.append(&mut found.errors);
    }
    if !program.functions.is_valid(program.root) {
        errors.push(VerifyError {
            func: String::new(),
            place: Location::Func,
            message: format!("the root {} is not in the program", program.root),
        });
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

fn check(found: &mut Found<'_>, typed: &TypedFunc, types: &Types) {
    let func = &typed.func;
    if typed.args.len() != func.args.len() {
        let message = format!(
            "{} parameters have {} types",
            func.args.len(),
            typed.args.len()
        );
        found.add(Location::Func, message);
        return;
    }
    let positions = Positions::new(typed);
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            let kind = &func.insts[inst].kind;
            let mut untyped: Vec<Var> = Vec::new();
            let mut see = |var: Var| {
                let known = match typed.var_types[var] {
                    Some(Type::UNDEFINED) => positions.is_void(typed, var),
                    Some(_) => true,
                    None => false,
                };
                if !known && !untyped.contains(&var) {
                    untyped.push(var);
                }
            };
            kind.def().into_iter().for_each(&mut see);
            kind.for_each_use(see);
            for var in untyped {
                let message = format!("`{}` has no type", func.var_name(var));
                found.add(Location::Inst(inst), message);
            }
            check_borders(found, typed, types, inst);
            if let Some(site) = &typed.calls[inst] {
                check_site(found, typed, types, &positions, inst, site.args.as_slice());
                if site.args.len() != site.sig.params.len() {
                    let (args, params) = (site.args.len(), site.sig.params.len());
                    let message = format!("{args} arguments for {params} parameters");
                    found.add(Location::Inst(inst), message);
                }
                if !may_call(kind) {
                    found.add(Location::Inst(inst), "this statement calls nothing");
                }
            }
        }
    }
}

/// `arg` and `return` agree with the function's type.
fn check_borders(found: &mut Found<'_>, typed: &TypedFunc, types: &Types, inst: Inst) {
    let (var, expected, what) = match &typed.func.insts[inst].kind {
        StmtKind::Assign {
            target,
            value: Rhs::Arg(n),
        } => (*target, typed.args[*n as usize], "the parameter"),
        StmtKind::Return(value) if !typed.func.is_generator => (*value, typed.ret, "the result"),
        _ => return,
    };
    if let Some(ty) = typed.var_types[var]
        && ty != expected
    {
        let name = typed.func.var_name(var);
        let message = format!(
            "`{name}` is {}, but {what} is {}",
            types.text(ty),
            types.text(expected)
        );
        found.add(Location::Inst(inst), message);
    }
}

/// Statements that may carry a call site.
fn may_call(kind: &StmtKind) -> bool {
    match kind {
        StmtKind::Assign { value, .. } => matches!(value, Rhs::Expr(_)),
        StmtKind::SetItem { .. }
        | StmtKind::StaticSetItem { .. }
        | StmtKind::DelItem { .. }
        | StmtKind::SetAttr { .. }
        | StmtKind::DelAttr { .. }
        | StmtKind::StoreMap { .. }
        | StmtKind::Print { .. }
        | StmtKind::EnterWith { .. }
        | StmtKind::PopBlock
        | StmtKind::Branch { .. }
        | StmtKind::DynamicRaise { .. } => true,
        StmtKind::Del(_)
        | StmtKind::CheckAssigned { .. }
        | StmtKind::SetFreeVar { .. }
        | StmtKind::Return(_)
        | StmtKind::Jump(_)
        | StmtKind::Raise(_)
        | StmtKind::StaticRaise { .. } => false,
    }
}

/// Where each variable is assigned, for checks of variables that only call sites name.
struct Positions {
    def: SecondaryMap<Var, Option<(Block, usize)>>,
    inst: SecondaryMap<Inst, Option<(Block, usize)>>,
    dominators: Dominators,
}

impl Positions {
    fn new(typed: &TypedFunc) -> Positions {
        let func = &typed.func;
        let mut positions = Positions {
            def: SecondaryMap::new(),
            inst: SecondaryMap::new(),
            dominators: Dominators::new(&Cfg::new(func)),
        };
        for &block in &func.layout {
            for (i, &inst) in func.blocks[block].insts.iter().enumerate() {
                positions.inst[inst] = Some((block, i));
                if let Some(var) = func.insts[inst].kind.def() {
                    positions.def[var] = Some((block, i));
                }
            }
        }
        positions
    }

    /// Is the variable one without a value: `undefined` or `null`?
    fn is_void(&self, typed: &TypedFunc, var: Var) -> bool {
        let Some((block, i)) = self.def[var] else {
            return false;
        };
        let def = &typed.func.insts[typed.func.blocks[block].insts[i]].kind;
        matches!(
            def,
            StmtKind::Assign {
                value: Rhs::Undefined | Rhs::Expr(Expr::Null),
                ..
            }
        )
    }

    fn is_assigned_before(&self, var: Var, inst: Inst) -> bool {
        match (self.def[var], self.inst[inst]) {
            (Some((a, i)), Some((b, j))) if a == b => i < j,
            (Some((a, _)), Some((b, _))) => self.dominators.dominates(a, b),
            _ => false,
        }
    }
}

fn check_site(
    found: &mut Found<'_>,
    typed: &TypedFunc,
    types: &Types,
    positions: &Positions,
    inst: Inst,
    args: &[CallArg],
) {
    for arg in args {
        match arg {
            CallArg::Default(_) => {}
            CallArg::Tuple(items) => check_site(found, typed, types, positions, inst, items),
            CallArg::Var(var) | CallArg::Item(var, _) => {
                if !typed.func.vars.is_valid(*var) || !positions.is_assigned_before(*var, inst) {
                    let name = typed.func.vars.get(*var).map_or("?", |v| v.name.as_str());
                    let message = format!("argument `{name}` is not assigned before this");
                    found.add(Location::Inst(inst), message);
                    continue;
                }
                let Some(ty) = typed.var_types[*var] else {
                    continue;
                };
                if let CallArg::Item(_, index) = arg {
                    let items = types.tuple_items(ty).map_or(0, |items| items.len());
                    if *index as usize >= items {
                        let message = format!("{} has no item {index}", types.text(ty));
                        found.add(Location::Inst(inst), message);
                    }
                }
            }
        }
    }
}

fn check_callees(found: &mut Found<'_>, typed: &TypedFunc, program: &TypedProgram, types: &Types) {
    for &block in &typed.func.layout {
        for &inst in &typed.func.blocks[block].insts {
            let Some(site) = &typed.calls[inst] else {
                continue;
            };
            let Some(callee) = site.callee.instance() else {
                continue;
            };
            let Some((_, callee_func)) = program.functions.get(callee) else {
                found.add(
                    Location::Inst(inst),
                    format!("{callee} is not in the program"),
                );
                continue;
            };
            if let Callee::Map(_) = site.callee {
                let nin = callee_func.args.len();
                if ![nin, nin + 1].contains(&site.sig.params.len()) {
                    found.add(
                        Location::Inst(inst),
                        format!("{callee} maps {nin} operands"),
                    );
                }
                continue;
            }
            if site.sig.params != callee_func.args || site.sig.ret != callee_func.ret {
                let list: Vec<String> = callee_func
                    .args
                    .iter()
                    .map(|t| types.text(*t).to_string())
                    .collect();
                let message = format!(
                    "{callee} is ({}) -> {}",
                    list.join(", "),
                    types.text(callee_func.ret)
                );
                found.add(Location::Inst(inst), message);
            }
        }
    }
}
