//! Local functions: their captured values become constants of a function of its own.

use crate::context::Cx;
use crate::fold::{Actuals, fold_specs};
use crate::network::Network;
use crate::program::{Key, Source};
use crate::report;
use crate::resolve::{Callee, Resolution, call_entry};
use numbra_ir::{
    CallArg, Const, Expr, Func, Inst, InstanceOrigin, ObjDesc, Rhs, StmtKind, Type, TypeKind, Var,
};

/// What a closure captured.
enum Captured {
    Constant(Const),
    Object(ObjDesc),
}

/// Calls the local function in `func`, which is item `index` of the functions nested in this one.
pub(crate) fn call_closure(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    func: Var,
    name: &str,
    index: u32,
    actuals: &Actuals,
) -> Resolution {
    let Some((_, nested)) = net.func.nested.get(index as usize) else {
        return Resolution::NoMatch(Vec::new());
    };
    let mut body = nested.clone();
    let Some((
        _,
        Rhs::Expr(Expr::MakeFunction {
            closure,
            defaults,
            kwdefaults,
            ..
        }),
    )) = net.source(func)
    else {
        return Resolution::Failed(
            report::unsupported(
                net.span(inst),
                "local function chosen at run time",
                "call it in each branch",
            )
            .into(),
        );
    };
    let mut captured = Vec::with_capacity(closure.len());
    for var in closure {
        match capture(net, cx, *var) {
            Some(value) => captured.push(value),
            None if net.type_of(*var).is_none() => return Resolution::Recursive,
            None => {
                return Resolution::Failed(
                    report::closure_capture(net, cx, inst, *var, name).into(),
                );
            }
        }
    }
    fill_defaults(net, cx, &mut body, defaults, kwdefaults);
    substitute(&mut body, &captured);
    let at = cx.program.closure(body);
    call_whole(net, cx, inst, func, name, at, actuals)
}

/// The number in the program of item `index` of the functions nested in this one, as `made` makes it, with its captured
/// values filled in; `None` while one of them is not known, or a default is none that can be.
pub(crate) fn whole(net: &Network, cx: &mut Cx<'_>, made: &Expr, index: usize) -> Option<usize> {
    let Expr::MakeFunction {
        closure,
        defaults,
        kwdefaults,
        ..
    } = made
    else {
        return None;
    };
    let mut all_defaults = defaults.iter().chain(kwdefaults.iter().map(|(_, var)| var));
    if all_defaults.any(|var| net.constant(cx, *var).is_none()) {
        return None;
    }
    let captured: Vec<Captured> = closure
        .iter()
        .map(|var| capture(net, cx, *var))
        .collect::<Option<_>>()?;
    let mut body = net.func.nested.get(index)?.1.clone();
    fill_defaults(net, cx, &mut body, defaults, kwdefaults);
    substitute(&mut body, &captured);
    Some(cx.program.closure(body))
}

/// Why a local function among the arguments of a call cannot be passed, if one cannot: what it captures is not constant.
pub(crate) fn check_escape(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    args: &[CallArg],
) -> Option<Resolution> {
    for arg in args {
        let CallArg::Var(var) = arg else { continue };
        let Some(TypeKind::Closure {
            name, whole: false, ..
        }) = net.type_of(*var).map(|ty| cx.types.kind(ty))
        else {
            continue;
        };
        let Some((_, Rhs::Expr(Expr::MakeFunction { closure, .. }))) = net.source(*var) else {
            continue;
        };
        for captured in closure {
            if net.type_of(*captured).is_none() {
                return Some(Resolution::Recursive);
            }
            if capture(net, cx, *captured).is_none() {
                let failure = report::closure_capture(net, cx, inst, *captured, name);
                return Some(Resolution::Failed(failure.into()));
            }
        }
    }
    None
}

/// Puts defaults that are constants into the parameter list.
fn fill_defaults(
    net: &Network,
    cx: &Cx<'_>,
    body: &mut Func,
    defaults: &[Var],
    kwdefaults: &[(String, Var)],
) {
    let positional = body
        .args
        .iter()
        .filter(|a| {
            matches!(
                a.kind,
                numbra_ir::ArgKind::PositionalOnly | numbra_ir::ArgKind::PositionalOrKeyword
            )
        })
        .count();
    let first_default = positional.saturating_sub(defaults.len());
    let defaults: Vec<Option<Const>> = defaults.iter().map(|var| net.constant(cx, *var)).collect();
    let kwdefaults: Vec<(String, Option<Const>)> = kwdefaults
        .iter()
        .map(|(name, var)| (name.clone(), net.constant(cx, *var)))
        .collect();
    for (i, spec) in body.args.iter_mut().enumerate() {
        if i >= first_default && i < positional && spec.default.is_none() {
            spec.default = defaults.get(i - first_default).cloned().flatten();
        }
        if let Some((_, default)) = kwdefaults.iter().find(|(name, _)| *name == spec.name) {
            spec.default = default.clone();
        }
    }
}

/// Calls the local function in `func`, which is number `at` of the program's.
pub(crate) fn call_whole(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    func: Var,
    name: &str,
    at: usize,
    actuals: &Actuals,
) -> Resolution {
    let Some(body) = cx.program.closure_func(at).cloned() else {
        return Resolution::NoMatch(Vec::new());
    };
    let folded = match fold_specs(cx.types, &body.args, actuals) {
        Ok(folded) => folded,
        Err(error) => {
            let callee = net.type_of(func).unwrap_or(Type::UNDEFINED);
            let failure =
                report::cannot_bind(net, cx, inst, callee, name, &body.args, actuals, &error);
            return Resolution::Failed(failure.into());
        }
    };
    let args: Vec<CallArg> = folded.iter().map(|a| a.arg.clone()).collect();
    let params: Vec<Type> = folded.iter().map(|a| cx.types.unliteral(a.ty)).collect();
    let callee = Callee {
        key: Key {
            source: Source::Closure(at),
            args: params,
        },
        origin: InstanceOrigin::Closure(name.to_owned()),
        name,
    };
    call_entry(net, cx, inst, callee, args, move |cx, types| {
        cx.host.prepare(body, types, cx.types)
    })
}

/// A captured variable as a constant or an object without run-time value.
fn capture(net: &Network, cx: &Cx<'_>, var: Var) -> Option<Captured> {
    // A local function sees what a variable holds when it is called, not when it is made.
    if net.has_versions(var) {
        return None;
    }
    if let Some(value) = net.constant(cx, var) {
        return Some(Captured::Constant(value));
    }
    let (inst, value) = net.source(var)?;
    match value {
        Rhs::Global(obj) | Rhs::FreeVar { obj, .. } => {
            Some(Captured::Object(net.func.objects[*obj].clone()))
        }
        _ => {
            let object = net.facts[inst].object.as_deref()?;
            let is_static = matches!(
                cx.types.kind(net.type_of(var)?),
                TypeKind::Function { .. } | TypeKind::Module(_) | TypeKind::NumberClass(_)
            );
            is_static.then(|| Captured::Object(object.clone()))
        }
    }
}

/// Replaces the free variables of a function by what they hold.
fn substitute(func: &mut Func, captured: &[Captured]) {
    for stmt in func.insts.values_mut() {
        let StmtKind::Assign { value, .. } = &mut stmt.kind else {
            continue;
        };
        let Rhs::FreeVar { index, obj } = value else {
            continue;
        };
        match captured.get(*index as usize) {
            Some(Captured::Constant(constant)) => *value = Rhs::Const(constant.clone()),
            Some(Captured::Object(desc)) => {
                let obj = *obj;
                func.objects[obj] = desc.clone();
                *value = Rhs::Global(obj);
            }
            None => {}
        }
    }
}
