//! Subscripts: reading, writing and deleting items.

use crate::attributes::object_attribute;
use crate::calls::{conclude, eval_named, refine_receiver};
use crate::context::Cx;
use crate::eval::{Eval, types_of};
use crate::fold::{Actual, Actuals};
use crate::network::Network;
use crate::report::{self, What};
use crate::resolve::{Resolution, literal_actual, resolve_name};
use numbra_base::FxHashSet;
use numbra_ir::{CallArg, Const, Expr, Inst, Rhs, TypeKind, Var};

/// The index of a subscript: a variable, or a constant where one is known.
fn index_actual(
    net: &Network,
    cx: &Cx<'_>,
    arg: CallArg,
    constant: Option<&Const>,
) -> Option<Actual> {
    if let Some(actual) = constant.and_then(|c| literal_actual(cx, c)) {
        return Some(Actual { arg, ..actual });
    }
    let CallArg::Var(var) = arg else { return None };
    Some(Actual {
        ty: net.type_of(var)?,
        arg,
    })
}

/// `value[index]`
pub(crate) fn eval_getitem(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    value: Var,
    index: CallArg,
    constant: Option<&Const>,
) -> Eval {
    let ty = types_of!(net, value);
    let Some(index) = index_actual(net, cx, index, constant) else {
        return Eval::Wait;
    };
    // A member of an enumeration by its name.
    if let (TypeKind::Class(class), TypeKind::Literal(Const::Str(name))) =
        (cx.types.kind(ty), cx.types.kind(index.ty))
        && cx.host.is_enum(class)
        && let Some(member) = object_attribute(net, cx, inst, class, name)
    {
        return member;
    }
    let actuals = Actuals::of_positional(vec![
        Actual {
            arg: CallArg::Var(value),
            ty,
        },
        index,
    ]);
    let what = What::builtin("operator.getitem");
    match resolve_name(net, cx, inst, "operator.getitem", &actuals) {
        Resolution::NoMatch(rejections) => {
            let plain = report::no_implementation(net, cx, inst, &what, &actuals, &rejections);
            report::bad_getitem(net, cx, plain, &actuals).into()
        }
        resolution => conclude(net, cx, inst, &what, &actuals, resolution),
    }
}

/// True for arrays that are read-only, records that are globals or from closures, and what visibly is a part of either: an
/// element that is a record, or a nested array.
fn is_constant(net: &Network, cx: &Cx<'_>, target: Var) -> bool {
    let mut todo = vec![target];
    let mut seen = FxHashSet::default();
    while let Some(var) = todo.pop() {
        if !seen.insert(var) {
            continue;
        }
        let Some(ty) = net.type_of(var) else { continue };
        let kind = cx.types.kind(ty);
        if matches!(kind, TypeKind::Array(array) if !array.mutable) {
            return true;
        }
        let Some((_, source)) = net.source(var) else {
            continue;
        };
        match source {
            Rhs::Global(_) | Rhs::FreeVar { .. } if cx.types.as_record(ty).is_some() => {
                return true;
            }
            Rhs::Expr(
                Expr::GetAttr { value, .. }
                | Expr::GetItem { value, .. }
                | Expr::StaticGetItem { value, .. }
                | Expr::PairFirst(value)
                | Expr::IterNext(value)
                | Expr::GetIter(value),
            ) => todo.push(*value),
            Rhs::Expr(Expr::Phi(incoming)) => {
                todo.extend(incoming.iter().filter_map(|(_, var)| *var))
            }
            _ => {}
        }
    }
    false
}

/// `target[index] = value`
pub(crate) fn eval_setitem(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    target: Var,
    index: CallArg,
    constant: Option<&Const>,
    value: Var,
) -> Eval {
    let (ty, value_ty) = types_of!(net, target, value);
    let Some(index) = index_actual(net, cx, index, constant) else {
        return Eval::Wait;
    };
    let actuals = Actuals::of_positional(vec![
        Actual {
            arg: CallArg::Var(target),
            ty,
        },
        index,
        Actual {
            arg: CallArg::Var(value),
            ty: value_ty,
        },
    ]);
    if is_constant(net, cx, target) {
        return report::readonly_setitem(net, cx, inst, ty, &actuals).into();
    }
    match resolve_name(net, cx, inst, "operator.setitem", &actuals) {
        Resolution::NoMatch(rejections) => {
            report::bad_setitem(net, cx, inst, ty, &actuals, &rejections).into()
        }
        resolution => {
            let what = What::builtin("operator.setitem");
            match conclude(net, cx, inst, &what, &actuals, resolution) {
                Eval::Typed(_) => {
                    refine_receiver(net, cx, inst, target, ty);
                    Eval::Done
                }
                other => other,
            }
        }
    }
}

/// `del target[index]`
pub(crate) fn eval_delitem(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    target: Var,
    index: Var,
) -> Eval {
    match eval_named(net, cx, inst, "operator.delitem", &[target, index]) {
        Eval::Typed(_) => Eval::Done,
        Eval::Fail(failure) => match net.type_of(target) {
            Some(ty) => report::bad_delitem(net, cx, inst, ty, *failure).into(),
            None => Eval::Fail(failure),
        },
        other => other,
    }
}
