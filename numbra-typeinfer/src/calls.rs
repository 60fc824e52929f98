//! Calls: functions, methods, classes, jitted functions and closures; operators and iteration by name.

use crate::choices::call_choice;
use crate::closures::{call_closure, call_whole};
use crate::context::Cx;
use crate::eval::{Eval, MAX_TUPLE, types_of};
use crate::fold::{Actual, Actuals, fold_specs};
use crate::host::{DispatcherForm, DispatcherInfo, NamedTupleClass, OverloadTarget};
use crate::initial::show;
use crate::network::Network;
use crate::program::{Key, Source};
use crate::report::{self, What};
use crate::resolve::{
    Callee, Rejection, Resolution, Resolved, Target, call_entry, literal_actual, require_literals,
    resolve_name, resolve_overload, resolve_row,
};
use crate::special;
use crate::stencil;
use crate::ufuncs::call_ufunc;
use numbra_ir::lattice::{Conversion, can_convert_with, rate};
use numbra_ir::stencil::STENCIL_FUNC;
use numbra_ir::{
    CallArg, CallSite, Const, DispatcherId, EntityRef, Expr, Inst, Instance, InstanceOrigin, Rhs,
    Type, TypeKind, Var,
};

/// Records a resolved call of a statement. A result that is a constant makes the statement that constant.
pub(crate) fn apply(net: &mut Network, cx: &Cx<'_>, inst: Inst, resolved: Resolved) -> Eval {
    let ret = resolved.sig.ret;
    let fact = &mut net.facts[inst];
    fact.needs = resolved.needs;
    if resolved.removable && matches!(cx.types.kind(ret), TypeKind::Literal(_)) {
        fact.call = None;
        return Eval::Typed(ret);
    }
    fact.call = Some(Box::new(CallSite {
        callee: match resolved.target {
            Target::Row(row, body) => numbra_ir::Callee::Row(row, body),
            // Renumbered when the program is put together.
            Target::Entry(at) => numbra_ir::Callee::Instance(Instance::new(at)),
            Target::Map(at) => numbra_ir::Callee::Map(Instance::new(at)),
        },
        sig: resolved.sig,
        args: resolved.args,
    }));
    refine_arguments(net, cx, inst);
    Eval::Typed(ret)
}

/// A container of which nothing is known becomes what its parameter says.
fn refine_arguments(net: &mut Network, cx: &Cx<'_>, inst: Inst) {
    let is_container = |ty: Type| cx.types.kind(ty).is_container();
    let Some(call) = &net.facts[inst].call else {
        return;
    };
    let wanted: Vec<(Var, Type)> = (call.args.iter().zip(&call.sig.params))
        .filter_map(|(arg, ty)| match arg {
            CallArg::Var(var) if is_container(*ty) => Some((*var, *ty)),
            _ => None,
        })
        .collect();
    for (var, ty) in wanted {
        net.refine_known(cx, var, ty);
    }
}

/// Finishes a resolution; `what` names the callee in errors.
pub(crate) fn conclude(
    net: &mut Network,
    cx: &Cx<'_>,
    inst: Inst,
    what: &What,
    actuals: &Actuals,
    resolution: Resolution,
) -> Eval {
    match resolution {
        Resolution::Found(resolved) => apply(net, cx, inst, *resolved),
        Resolution::Needs(at) => Eval::Needs(at),
        Resolution::Recursive => {
            net.note_recursive_call(inst);
            Eval::Recursive
        }
        Resolution::NoMatch(rejections) => {
            report::no_implementation(net, cx, inst, what, actuals, &rejections).into()
        }
        Resolution::Failed(failure) => Eval::Fail(failure),
    }
}

/// A call of a function by qualified name with variables as arguments: operators, protocol steps, builtins.
pub(crate) fn eval_named(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    name: &str,
    vars: &[Var],
) -> Eval {
    let mut args = Vec::with_capacity(vars.len());
    for var in vars {
        let ty = types_of!(net, *var);
        args.push(Actual {
            arg: CallArg::Var(*var),
            ty,
        });
    }
    let actuals = Actuals::of_positional(args);
    let resolution = resolve_name(net, cx, inst, name, &actuals);
    conclude(net, cx, inst, &What::builtin(name), &actuals, resolution)
}

/// As [`eval_named`], but `None` where there is no such function or it does not take the arguments.
pub(crate) fn try_named(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    name: &str,
    vars: &[Var],
) -> Option<Eval> {
    let mut args = Vec::with_capacity(vars.len());
    for var in vars {
        let Some(ty) = net.type_of(*var) else {
            return Some(Eval::Wait);
        };
        args.push(Actual {
            arg: CallArg::Var(*var),
            ty,
        });
    }
    let actuals = Actuals::of_positional(args);
    match resolve_name(net, cx, inst, name, &actuals) {
        Resolution::NoMatch(_) => None,
        resolution => Some(conclude(
            net,
            cx,
            inst,
            &What::builtin(name),
            &actuals,
            resolution,
        )),
    }
}

/// `iter(value)` and the step of an iterator.
pub(crate) fn eval_iteration(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    step: &str,
    value: Var,
) -> Eval {
    let ty = types_of!(net, value);
    let actuals = Actuals::of_positional(vec![Actual {
        arg: CallArg::Var(value),
        ty,
    }]);
    match resolve_name(net, cx, inst, &format!("iteration.{step}"), &actuals) {
        Resolution::NoMatch(_) => report::not_iterable(net, cx, inst, step, ty).into(),
        resolution => conclude(net, cx, inst, &What::builtin(step), &actuals, resolution),
    }
}

/// What iterating over a value of type `ty` yields, if it is iterable.
pub(crate) fn iterated_item(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    value: Var,
    ty: Type,
) -> Option<Type> {
    let mut step = |name: &str, ty: Type| {
        let actuals = Actuals::of_positional(vec![Actual {
            arg: CallArg::Var(value),
            ty,
        }]);
        match resolve_name(net, cx, inst, name, &actuals) {
            Resolution::Found(resolved) => Some(resolved.sig.ret),
            Resolution::Needs(_)
            | Resolution::Recursive
            | Resolution::NoMatch(_)
            | Resolution::Failed(_) => None,
        }
    };
    let iterator = step("iteration.getiter", ty)?;
    let pair = step("iteration.iternext", iterator)?;
    match cx.types.kind(pair) {
        TypeKind::Pair(item, _) => Some(*item),
        _ => None,
    }
}

/// `print(..)`
pub(crate) fn eval_print(net: &mut Network, cx: &mut Cx<'_>, inst: Inst, args: &[Var]) -> Eval {
    match eval_named(net, cx, inst, "builtins.print", args) {
        Eval::Typed(_) => Eval::Done,
        other => other,
    }
}

/// `func(*args, **kws)`
pub(crate) fn eval_call(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    func: Var,
    args: &[Var],
    kws: &[(String, Var)],
    vararg: Option<Var>,
) -> Eval {
    let callee = types_of!(net, func);
    let mut actuals = Actuals::default();
    for var in args {
        let ty = types_of!(net, *var);
        actuals.positional.push(Actual {
            arg: CallArg::Var(*var),
            ty,
        });
    }
    if let Some(var) = vararg {
        let ty = types_of!(net, var);
        let Some(items) = cx
            .types
            .tuple_items(ty)
            .filter(|items| items.len() <= MAX_TUPLE)
        else {
            return report::star_args(net, cx, inst, ty).into();
        };
        actuals
            .positional
            .extend(items.into_iter().enumerate().map(|(i, ty)| Actual {
                arg: CallArg::Item(var, i as u32),
                ty,
            }));
    }
    for (name, var) in kws {
        let ty = types_of!(net, *var);
        let actual = Actual {
            arg: CallArg::Var(*var),
            ty,
        };
        actuals.keyword.push((name.clone(), actual));
    }
    call_value(net, cx, inst, func, callee, actuals)
}

/// A call of a value of type `callee`, held by `func`.
fn call_value(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    func: Var,
    callee: Type,
    mut actuals: Actuals,
) -> Eval {
    let types = cx.types;
    match types.kind(callee) {
        TypeKind::Function { name, .. } if name == STENCIL_FUNC => {
            let resolution = stencil::call_made(net, cx, inst, func, &actuals);
            let what = What::function(cx, name, callee);
            conclude(net, cx, inst, &what, &actuals, resolution)
        }
        TypeKind::Function { name, .. } => {
            if let Some(eval) = special::eval_special(net, cx, inst, name, &actuals) {
                return eval;
            }
            let resolution = resolve_name(net, cx, inst, name, &actuals);
            let what = What::function(cx, name, callee);
            conclude(net, cx, inst, &what, &actuals, resolution)
        }
        TypeKind::NumberClass(of) => {
            let row = types
                .as_scalar(*of)
                .and_then(|scalar| cx.lib.scalar_class(scalar));
            let name = row.map_or_else(|| cx.show(*of), |row| cx.lib.row(row).name.to_owned());
            let what = What::class(&name);
            let resolution = match row {
                Some(row) => resolve_row(net, cx, inst, row, &actuals),
                None => Resolution::NoMatch(Vec::new()),
            };
            conclude(net, cx, inst, &what, &actuals, resolution)
        }
        TypeKind::BoundMethod { receiver, method } => {
            let Some(this) = receiver_of(net, func) else {
                return report::unsupported(
                    net.span(inst),
                    "method chosen at run time",
                    "call the method on the object in each branch",
                )
                .into();
            };
            actuals.positional.insert(
                0,
                Actual {
                    arg: CallArg::Var(this),
                    ty: *receiver,
                },
            );
            let eval = call_method(net, cx, inst, callee, *receiver, method, &actuals);
            refine_receiver(net, cx, inst, this, *receiver);
            eval
        }
        TypeKind::Dispatcher { id, name } => {
            let form = cx.host.dispatcher(*id).map(|info| info.form);
            let resolution = match form {
                Some(DispatcherForm::Ufunc) => call_ufunc(net, cx, inst, *id, name, &actuals),
                Some(DispatcherForm::CoreUfunc) => {
                    let this = Actual {
                        arg: CallArg::Var(func),
                        ty: callee,
                    };
                    actuals.positional.insert(0, this);
                    let target = OverloadTarget::Method("__call__");
                    resolve_overload(net, cx, inst, target, &actuals)
                        .unwrap_or_else(|| Resolution::NoMatch(Vec::new()))
                }
                Some(DispatcherForm::Stencil) => {
                    stencil::call_dispatcher(net, cx, inst, func, *id, name, &actuals)
                }
                Some(DispatcherForm::Function) | None => {
                    call_dispatcher(net, cx, inst, callee, *id, name, &actuals)
                }
            };
            let what = What::function(cx, name, callee);
            conclude(net, cx, inst, &what, &actuals, resolution)
        }
        TypeKind::Closure { name, index, whole } => {
            let resolution = if *whole {
                call_whole(net, cx, inst, func, name, *index as usize, &actuals)
            } else {
                call_closure(net, cx, inst, func, name, *index, &actuals)
            };
            let what = What::function(cx, name, callee);
            conclude(net, cx, inst, &what, &actuals, resolution)
        }
        TypeKind::FunctionChoice(members) => {
            let what = What::function(cx, &cx.show(callee), callee);
            let resolution = call_choice(net, cx, inst, func, (callee, members), &actuals);
            conclude(net, cx, inst, &what, &actuals, resolution)
        }
        // TypeError where there is none.
        TypeKind::Optional(inner) if types.is_function_value(*inner) => {
            let members = types.jitted_functions(*inner);
            if members.is_empty() {
                return call_value(net, cx, inst, func, *inner, actuals);
            }
            let what = What::function(cx, &cx.show(*inner), *inner);
            let resolution = call_choice(net, cx, inst, func, (*inner, &members), &actuals);
            conclude(net, cx, inst, &what, &actuals, resolution)
        }
        TypeKind::FunctionType { .. } if !actuals.keyword.is_empty() => {
            report::function_keywords(net, inst).into()
        }
        TypeKind::FunctionType { params, .. }
            if let Some(why) = unfit_arguments(cx, params, &actuals) =>
        {
            report::function_arguments(net, cx, inst, callee, &actuals, why).into()
        }
        TypeKind::FunctionType { .. } | TypeKind::ObjectBlock(_) => {
            let this = Actual {
                arg: CallArg::Var(func),
                ty: callee,
            };
            actuals.positional.insert(0, this);
            let resolution = resolve_name(net, cx, inst, "pointer.call", &actuals);
            let what = What::function(cx, &cx.show(callee), callee);
            conclude(net, cx, inst, &what, &actuals, resolution)
        }
        TypeKind::ExceptionClass(name) => {
            net.facts[inst].call = None;
            Eval::Typed(types.intern(TypeKind::ExceptionInstance(name.clone())))
        }
        TypeKind::Class(name) => {
            if let Some(class) = cx.host.named_tuple(name) {
                let resolution = new_named_tuple(net, cx, inst, &class, &actuals);
                let what = What::function(cx, name, callee);
                return conclude(net, cx, inst, &what, &actuals, resolution);
            }
            let target = OverloadTarget::Function(name);
            match resolve_overload(net, cx, inst, target, &actuals) {
                Some(resolution) => {
                    let what = What::function(cx, name, callee);
                    conclude(net, cx, inst, &what, &actuals, resolution)
                }
                None => report::not_callable(net, cx, inst, callee, &actuals).into(),
            }
        }
        _ => report::not_callable(net, cx, inst, callee, &actuals).into(),
    }
}

/// Why a function with these parameters does not take these arguments, in Numba's words: no float becomes an integer, no
/// complex number a float.
fn unfit_arguments(cx: &Cx<'_>, params: &[Type], actuals: &Actuals) -> Option<String> {
    let given = actuals.positional_types();
    if given.len() != params.len() {
        return Some(format!(
            "mismatch of arguments number: {} vs {}",
            given.len(),
            params.len()
        ));
    }
    let is_passed = |from: Type, to: Type| {
        let whole = |ty| {
            cx.types
                .as_scalar(ty)
                .map(|s| !(s.is_float() || s.is_complex()))
        };
        let rules = cx.host.ext_rules();
        let Some(cost) = can_convert_with(cx.types, rules, from, to) else {
            return false;
        };
        cost <= Conversion::Safe || whole(from) != Some(false) || whole(to) != Some(true)
    };
    let mut pairs = given.iter().map(|ty| cx.types.unliteral(*ty)).zip(params);
    let (from, to) = pairs.find(|(from, to)| !is_passed(*from, **to))?;
    let (from, to) = (cx.show(from), cx.show(*to));
    Some(format!("mismatch of argument types: {from} vs {to}"))
}

/// `Point(x, y=..)` of a named tuple class.
fn new_named_tuple(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    class: &NamedTupleClass,
    actuals: &Actuals,
) -> Resolution {
    let NamedTupleClass { name, fields } = class;
    let items = match fold_specs(cx.types, fields, actuals) {
        Ok(items) => items,
        Err(error) => {
            let names: Vec<&str> = fields.iter().map(|f| f.name.as_str()).collect();
            return Resolution::NoMatch(vec![Rejection {
                candidate: format!("{name}({})", names.join(", ")),
                reason: error.signature_text(),
                nearness: 0,
            }]);
        }
    };
    let items = Actuals::of_positional(items);
    match resolve_name(net, cx, inst, "namedtuple.new", &items) {
        Resolution::Found(mut made) => {
            let names = fields.iter().map(|f| f.name.clone()).collect();
            let types = made.sig.params.clone();
            let kind = TypeKind::NamedTuple(name.clone(), names, types);
            made.sig.ret = cx.types.intern(kind);
            Resolution::Found(made)
        }
        other => other,
    }
}

/// The object that a bound method was read from.
fn receiver_of(net: &Network, func: Var) -> Option<Var> {
    let (inst, read) = net.source(func)?;
    // `getattr(x, "name")` reads as `x.name`.
    match net.facts[inst].instead.as_deref().unwrap_or(read) {
        Rhs::Expr(Expr::GetAttr { value, .. }) => Some(*value),
        _ => None,
    }
}

/// A method that is called on a wider container than its receiver is known to be says what the receiver is.
pub(crate) fn refine_receiver(
    net: &mut Network,
    cx: &Cx<'_>,
    inst: Inst,
    this: Var,
    receiver: Type,
) {
    let is_container = cx.types.kind(receiver).is_container();
    let wanted = net.facts[inst].call.as_ref().map(|call| &call.sig.params);
    if let (true, Some(&wanted)) = (is_container, wanted.and_then(|params| params.first()))
        && wanted != receiver
    {
        net.refine(cx, this, wanted);
    }
}

fn call_method(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    callee: Type,
    receiver: Type,
    method: &str,
    actuals: &Actuals,
) -> Eval {
    let what = What::method(cx, method, callee);
    let target = OverloadTarget::Method(method);
    let mut user = resolve_overload(net, cx, inst, target, actuals);
    if user.is_none()
        && let Some(inner) = object_behind(cx, receiver)
    {
        let mut unwrapped = actuals.clone();
        if let Some(this) = unwrapped.positional.first_mut() {
            this.ty = inner;
        }
        user = resolve_overload(net, cx, inst, target, &unwrapped);
    }
    if let Some(resolution) = user {
        return conclude(net, cx, inst, &what, actuals, resolution);
    }
    let plain = match cx.types.kind(receiver) {
        TypeKind::Optional(inner) => *inner,
        _ => receiver,
    };
    let numbered = match method {
        "format" => numbered_format(cx, receiver, actuals),
        _ => None,
    };
    let actuals = numbered.as_ref().unwrap_or(actuals);
    let resolution = match cx.lib.method(cx.types, plain, method) {
        Some(row) => resolve_row(net, cx, inst, row, actuals),
        None => Resolution::NoMatch(Vec::new()),
    };
    conclude(net, cx, inst, &what, actuals, resolution)
}

/// The type that Python code defines behind one that may be None.
pub(crate) fn object_behind(cx: &Cx<'_>, ty: Type) -> Option<Type> {
    match cx.types.kind(ty) {
        TypeKind::Optional(inner) if matches!(cx.types.kind(*inner), TypeKind::Ext { .. }) => {
            Some(*inner)
        }
        _ => None,
    }
}

/// The arguments of `format.format(..)` of a constant format without names: the named ones follow the others.
fn numbered_format(cx: &Cx<'_>, receiver: Type, actuals: &Actuals) -> Option<Actuals> {
    let TypeKind::Literal(Const::Str(format)) = cx.types.kind(receiver) else {
        return None;
    };
    if actuals.keyword.is_empty() {
        return None;
    }
    let (names, named): (Vec<&str>, Vec<Actual>) = (actuals.keyword.iter())
        .map(|(name, actual)| (name.as_str(), actual.clone()))
        .unzip();
    let count = actuals.positional.len() - 1 + names.len();
    // A format that is wrong is refused with its arguments.
    let format = numbra_library::format::numbered(format, count, &names).ok()?;
    let mut positional = vec![literal_actual(cx, &Const::Str(format))?];
    positional.extend(actuals.positional.iter().skip(1).cloned());
    positional.extend(named);
    Some(Actuals::of_positional(positional))
}

/// A call of a jitted function: at plain types, and at literal types where that fails.
fn call_dispatcher(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    callee: Type,
    id: DispatcherId,
    name: &str,
    actuals: &Actuals,
) -> Resolution {
    let Some(info) = cx.host.dispatcher(id) else {
        return Resolution::NoMatch(Vec::new());
    };
    let folded = match fold_specs(cx.types, &info.args, actuals) {
        Ok(folded) => folded,
        Err(error) => {
            let failure =
                report::cannot_bind(net, cx, inst, callee, name, &info.args, actuals, &error);
            return Resolution::Failed(failure.into());
        }
    };
    let args: Vec<CallArg> = folded.iter().map(|a| a.arg.clone()).collect();
    let mut shown = folded.clone();
    shown.iter_mut().for_each(|actual| show(net, cx, actual));
    let literal: Vec<Type> = shown.iter().map(|a| a.ty).collect();
    let plain: Vec<Type> = literal.iter().map(|ty| cx.types.unliteral(*ty)).collect();
    if let Some(frozen) = &info.frozen {
        return match best_frozen(cx, &info, &plain) {
            Some(params) => at_types(net, cx, inst, id, name, args, params),
            None => {
                let failure = report::no_signature(net, cx, inst, callee, name, frozen, actuals);
                Resolution::Failed(failure.into())
            }
        };
    }
    let first = at_types(net, cx, inst, id, name, args.clone(), plain.clone());
    let Resolution::Failed(failure) = first else {
        return first;
    };
    if literal != plain {
        let second = at_types(net, cx, inst, id, name, args, literal);
        if !matches!(second, Resolution::Failed(_)) {
            return second;
        }
    } else if !failure.force_literal.is_empty() {
        let as_given = Actuals::of_positional(folded);
        return require_literals(net, cx, inst, &as_given, &failure.force_literal);
    }
    Resolution::Failed(failure)
}

pub(crate) fn at_types(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    id: DispatcherId,
    name: &str,
    args: Vec<CallArg>,
    params: Vec<Type>,
) -> Resolution {
    let callee = Callee {
        key: Key {
            source: Source::Dispatcher(id),
            args: params,
        },
        origin: InstanceOrigin::Dispatcher(id),
        name,
    };
    call_entry(net, cx, inst, callee, args, |cx, types| {
        cx.host.dispatcher_func(id, types, cx.types)
    })
}

/// The explicit signature that fits best.
fn best_frozen(cx: &Cx<'_>, info: &DispatcherInfo, actual: &[Type]) -> Option<Vec<Type>> {
    info.frozen
        .iter()
        .flatten()
        .filter_map(|sig| {
            Some((
                rate(cx.types, cx.host.ext_rules(), actual, &sig.params)?,
                sig,
            ))
        })
        .min_by_key(|(rating, _)| *rating)
        .map(|(_, sig)| sig.params.clone())
}
