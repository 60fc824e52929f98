//! Local functions: their captured values become constants of a function of its own.

use crate::context::Cx;
use crate::fold::{Actuals, fold_specs};
use crate::network::Network;
use crate::program::{Key, Source};
use crate::report;
use crate::resolve::{Callee, Resolution, call_entry};
use numbra_ir::{
    ArgKind, ArgSpec, CallArg, Const, Expr, Func, Inst, InstanceOrigin, ObjDesc, Rhs, StmtKind,
    Type, TypeKind, Var,
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
    let made = match made_here(net, inst, func, index) {
        Ok(made) => made,
        Err(resolution) => return resolution,
    };
    let mut captured = Vec::with_capacity(made.closure.len());
    for var in &made.closure {
        match capture(net, cx, *var) {
            Some(value) => captured.push(Some(value)),
            None if net.type_of(*var).is_none() => return Resolution::Recursive,
            None => {
                return Resolution::Failed(
                    report::closure_capture(net, cx, inst, *var, name).into(),
                );
            }
        }
    }
    let body = made.filled(net, cx, &captured);
    let at = cx.program.closure(body, net.reader.clone());
    call_whole(net, cx, inst, func, name, at, actuals)
}

/// A local function where it is made.
struct MadeHere {
    body: Func,
    closure: Vec<Var>,
    defaults: Vec<Var>,
    kwdefaults: Vec<(String, Var)>,
}

impl MadeHere {
    /// The function with its defaults, and what it captures where that is known.
    fn filled(self, net: &Network, cx: &Cx<'_>, captured: &[Option<Captured>]) -> Func {
        let mut body = self.body;
        fill_defaults(net, cx, &mut body, &self.defaults, &self.kwdefaults);
        substitute(&mut body, captured);
        body
    }
}

/// The local function in `func`, which is item `index` of the functions nested in this one.
fn made_here(net: &Network, inst: Inst, func: Var, index: u32) -> Result<MadeHere, Resolution> {
    let Some((_, nested)) = net.func.nested.get(index as usize) else {
        return Err(Resolution::NoMatch(Vec::new()));
    };
    match net.source(func) {
        Some((
            _,
            Rhs::Expr(Expr::MakeFunction {
                closure,
                defaults,
                kwdefaults,
                ..
            }),
        )) => Ok(MadeHere {
            body: nested.clone(),
            closure: closure.clone(),
            defaults: defaults.clone(),
            kwdefaults: kwdefaults.clone(),
        }),
        _ => {
            let help = "call it in each branch";
            let what = "local function chosen at run time";
            let diagnostic = report::unsupported(net.span(inst), what, help);
            Err(Resolution::Failed(diagnostic.into()))
        }
    }
}

/// The local function in `func`: its name, its body with what it captures where that is constant, and the variables that it
/// captures otherwise, which are its last parameters.
pub(crate) fn open_body(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    func: Var,
) -> Result<(String, Func, Vec<Var>), Resolution> {
    let ty = net.type_of(func).ok_or(Resolution::Recursive)?;
    let TypeKind::Closure { name, index, whole } = cx.types.kind(ty) else {
        return Err(Resolution::NoMatch(Vec::new()));
    };
    if *whole {
        let body = cx.program.closure_func(*index as usize).cloned();
        let body = body.ok_or_else(|| Resolution::NoMatch(Vec::new()))?;
        return Ok((name.clone(), body, Vec::new()));
    }
    let made = made_here(net, inst, func, *index)?;
    let (mut captured, mut open) = (Vec::new(), Vec::new());
    for (at, &var) in made.closure.iter().enumerate() {
        let value = capture(net, cx, var);
        if value.is_none() {
            if net.type_of(var).is_none() {
                return Err(Resolution::Recursive);
            }
            if net.has_versions(var) {
                let failure = report::closure_capture(net, cx, inst, var, name);
                return Err(Resolution::Failed(failure.into()));
            }
            open.push((at as u32, var));
        }
        captured.push(value);
    }
    let mut body = made.filled(net, cx, &captured);
    for (at, _) in &open {
        add_parameter(&mut body, *at);
    }
    Ok((
        name.clone(),
        body,
        open.into_iter().map(|(_, var)| var).collect(),
    ))
}

/// Makes a free variable of a function its last parameter.
fn add_parameter(func: &mut Func, cell: u32) {
    let n = func.args.len() as u32;
    let mut name = format!("captured{n}");
    for stmt in func.insts.values_mut() {
        if let StmtKind::Assign { value, .. } = &mut stmt.kind
            && let Rhs::FreeVar { index, obj } = value
            && *index == cell
        {
            name.clone_from(&func.objects[*obj].name);
            *value = Rhs::Arg(n);
        }
    }
    func.args.push(ArgSpec {
        name,
        kind: ArgKind::PositionalOrKeyword,
        default: None,
    });
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
    let captured: Vec<Option<Captured>> = closure
        .iter()
        .map(|var| capture(net, cx, *var).map(Some))
        .collect::<Option<_>>()?;
    let mut body = net.func.nested.get(index)?.1.clone();
    fill_defaults(net, cx, &mut body, defaults, kwdefaults);
    substitute(&mut body, &captured);
    Some(cx.program.closure(body, net.reader.clone()))
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
        let made = match net.source(*var) {
            // What is returned.
            Some((_, Rhs::Expr(Expr::Cast { value, .. }))) => net.source(*value),
            made => made,
        };
        let Some((_, Rhs::Expr(Expr::MakeFunction { closure, .. }))) = made else {
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
                ArgKind::PositionalOnly | ArgKind::PositionalOrKeyword
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

/// Replaces the free variables of a function by what they hold, where that is known.
fn substitute(func: &mut Func, captured: &[Option<Captured>]) {
    for stmt in func.insts.values_mut() {
        let StmtKind::Assign { value, .. } = &mut stmt.kind else {
            continue;
        };
        let Rhs::FreeVar { index, obj } = value else {
            continue;
        };
        match captured.get(*index as usize).and_then(Option::as_ref) {
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
