//! The few functions that are forms of the language: what they give follows from types, or steers inference itself.

use crate::attributes::eval_getattr;
use crate::calls::conclude;
use crate::codes;
use crate::context::Cx;
use crate::eval::{Eval, folded};
use crate::fold::{Actual, Actuals};
use crate::fold_const::truth;
use crate::initial::initial_type;
use crate::network::Network;
use crate::patterns::eval_step;
use crate::report::{self, What};
use crate::resolve::{Resolution, literal_actual, require_literals, resolve_name};
use crate::values::literal_value;
use crate::{Reader, stencil};
use numbra_base::{Diagnostic, ErrorClass};
use numbra_ir::stencil::STENCIL;
use numbra_ir::{CallArg, Const, Expr, Inst, PrimaryMap, Rhs, Type, TypeKind, Var, steps};

/// True for the names that [`eval_special`] takes, whether or not the library has a row for them.
pub(crate) fn is_special(name: &str) -> bool {
    matches!(
        name,
        steps::IS_SEQUENCE
            | steps::IS_MAPPING
            | steps::MATCH_LEN
            | steps::MATCH_POSITIONAL
            | steps::UNPACK_SEQUENCE
            | steps::UNPACK_AT_LEAST
            | steps::UNPACK_REST
            | STENCIL
            | "builtins.hasattr"
            | "builtins.getattr"
            | "numba.literally"
            | "numbra.literally"
            | "numba.misc.special.literally"
            | "static_if"
            | "numbra.static_if"
    )
}

/// `bool(constant)`, `hasattr`, `getattr`, `literally`, `static_if`. `None` for any other call.
pub(crate) fn eval_special(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    name: &str,
    actuals: &Actuals,
) -> Option<Eval> {
    if let Some(eval) = eval_step(net, cx, inst, name, actuals) {
        return Some(eval);
    }
    let positional = actuals.positional.as_slice();
    match (name, positional) {
        (STENCIL, _) => Some(stencil::make(net, cx, inst, actuals)),
        ("builtins.bool", [only]) => {
            let known = literal_value(cx.types, only.ty).and_then(truth)?;
            Some(folded(net, cx, inst, Const::Bool(known)))
        }
        ("builtins.isinstance", [object, class]) => {
            let TypeKind::Class(class) = cx.types.kind(class.ty) else {
                return None;
            };
            let class = cx.host.named_tuple(class)?.name;
            let known = match cx.types.kind(object.ty) {
                TypeKind::NamedTuple(name, ..) => *name == class,
                TypeKind::Optional(_) => return None,
                _ => false,
            };
            Some(folded(net, cx, inst, Const::Bool(known)))
        }
        ("builtins.min" | "builtins.max", [_, ..]) if !actuals.keyword.is_empty() => {
            extreme_by(net, cx, inst, name, actuals)
        }
        ("builtins.hasattr", [object, name]) => {
            let TypeKind::Literal(Const::Str(attr)) = cx.types.kind(name.ty) else {
                return Some(report::no_constant_name(net, cx, inst, name).into());
            };
            let known = has_attribute(cx, net.reader.as_deref(), object.ty, attr);
            Some(folded(net, cx, inst, Const::Bool(known)))
        }
        ("builtins.getattr", [object, attr, default @ ..]) if default.len() < 2 => {
            let TypeKind::Literal(Const::Str(name)) = cx.types.kind(attr.ty) else {
                return Some(
                    Diagnostic::error(
                        codes::REQUIRE_LITERAL,
                        ErrorClass::TypingError,
                        "argument 'name' must be a literal string",
                        net.span(inst),
                    )
                    .into(),
                );
            };
            let CallArg::Var(value) = object.arg else {
                return None;
            };
            if !has_attribute(cx, net.reader.as_deref(), object.ty, name) {
                let [default] = default else {
                    let resolution = resolve_name(net, cx, inst, "attribute.missing", actuals);
                    let what = What::builtin("getattr");
                    return Some(conclude(net, cx, inst, &what, actuals, resolution));
                };
                let CallArg::Var(default_var) = default.arg else {
                    return None;
                };
                net.facts[inst].call = None;
                net.facts[inst].instead = Some(Box::new(Rhs::Var(default_var)));
                return Some(Eval::Typed(default.ty));
            }
            let eval = eval_getattr(net, cx, inst, value, name);
            net.facts[inst].instead = Some(Box::new(Rhs::Expr(Expr::GetAttr {
                value,
                attr: name.clone(),
            })));
            Some(eval)
        }
        ("static_if" | "numbra.static_if", [predicate, value]) => {
            let TypeKind::Literal(Const::Str(predicate)) = cx.types.kind(predicate.ty) else {
                return Some(report::require_literal(net, cx, inst, 0, predicate.ty).into());
            };
            let Some(pattern) = numbra_library::prelude::predicate(predicate) else {
                let what = format!("predicate `{predicate}`");
                let known: Vec<&str> = numbra_library::prelude::PREDICATES
                    .iter()
                    .map(|(name, _)| *name)
                    .collect();
                let help = format!("predicates are {}", known.join(", "));
                return Some(report::unsupported(net.span(inst), &what, &help).into());
            };
            let known = pattern.matches(cx.types, value.ty);
            Some(folded(net, cx, inst, Const::Bool(known)))
        }
        ("numba.literally" | "numbra.literally" | "numba.misc.special.literally", [only]) => {
            let holds = |var: Var| initial_type(net, cx, var).is_some();
            let is_known = matches!(cx.types.kind(only.ty), TypeKind::Literal(_))
                || matches!(only.arg, CallArg::Var(var) if holds(var));
            if is_known {
                net.facts[inst].call = None;
                return Some(Eval::Typed(only.ty));
            }
            match require_literals(net, cx, inst, actuals, &[0]) {
                Resolution::Failed(failure) => Some(Eval::Fail(failure)),
                Resolution::Found(_)
                | Resolution::Needs(_)
                | Resolution::Recursive
                | Resolution::NoMatch(_) => None,
            }
        }
        _ => None,
    }
}

/// `min(.., key=, default=)` and `max`; `None` with any other keyword.
fn extreme_by(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    name: &str,
    actuals: &Actuals,
) -> Option<Eval> {
    let short = name.trim_start_matches("builtins.");
    let named = |wanted: &str| {
        let found = actuals.keyword.iter().find(|(name, _)| name == wanted);
        found.map(|(_, actual)| actual.clone())
    };
    let (key, default) = (named("key"), named("default"));
    if actuals.keyword.len() != usize::from(key.is_some()) + usize::from(default.is_some()) {
        return None;
    }
    let key = match key {
        Some(key) => key,
        None => literal_actual(cx, &Const::None)?,
    };
    let iterable = match actuals.positional.as_slice() {
        [only] => only.clone(),
        many => {
            if default.is_some() {
                let message = format!(
                    "Cannot specify a default for {short}() with multiple positional arguments"
                );
                let span = net.span(inst);
                let class = ErrorClass::TypingError;
                let diagnostic = Diagnostic::error(codes::REJECTED, class, message, span);
                return Some(diagnostic.into());
            }
            let types: Vec<Type> = many.iter().map(|a| cx.types.unliteral(a.ty)).collect();
            Actual {
                ty: cx.types.tuple(&types),
                arg: CallArg::Tuple(many.iter().map(|a| a.arg.clone()).collect()),
            }
        }
    };
    let given = [iterable, key].into_iter().chain(default);
    let given = Actuals::of_positional(given.collect());
    let step = format!("extreme.{short}_by");
    let resolution = resolve_name(net, cx, inst, &step, &given);
    let what = What::builtin(short);
    Some(conclude(net, cx, inst, &what, &given, resolution))
}

/// True if `object.attr` has a type.
fn has_attribute(cx: &Cx<'_>, reader: Option<&Reader>, object: Type, attr: &str) -> bool {
    if attr == "__hash__" {
        // Every object has it, if only as `None`.
        return true;
    }
    let plain = match cx.types.kind(object) {
        TypeKind::Optional(inner) => *inner,
        _ => object,
    };
    match cx.types.kind(plain) {
        TypeKind::Module(name) | TypeKind::Class(name) => {
            return cx
                .host
                .attribute(name, attr, reader, &mut PrimaryMap::new())
                .is_some();
        }
        TypeKind::NamedTuple(_, fields, _) if fields.iter().any(|field| field == attr) => {
            return true;
        }
        _ => {}
    }
    cx.lib.attribute(cx.types, plain, attr).is_some()
        || cx.lib.method(cx.types, plain, attr).is_some()
        || cx.host.has_method(plain, attr, cx.types)
        || cx.host.ext_attribute(plain, attr, cx.types).is_some()
}
