//! What lists and dictionaries hold at first: displays of constants, which those who ask for literals see in their types.

use crate::context::Cx;
use crate::fold::{Actual, Actuals};
use crate::network::Network;
use numbra_ir::{CallArg, Const, Expr, Rhs, Type, TypeKind, Var};

/// The type of a variable with the value of the display that it is; `None` for other variables.
pub(crate) fn initial_type(net: &Network, cx: &Cx<'_>, var: Var) -> Option<Type> {
    let of = net.type_of(var)?;
    if !cx.types.kind(of).is_container() {
        return None;
    }
    let constant = |var: &Var| match cx.types.kind(net.type_of(*var)?) {
        TypeKind::Literal(value) => Some(value.clone()),
        _ => None,
    };
    let value: Option<Vec<Const>> = match net.source(var)?.1 {
        Rhs::Arg(n) => {
            let given = net.args.get(*n as usize).copied()?;
            let is_initial = matches!(cx.types.kind(given), TypeKind::Initial { .. });
            return is_initial.then_some(given);
        }
        Rhs::Expr(Expr::BuildList(items)) => items.iter().map(constant).collect(),
        Rhs::Expr(Expr::BuildMap(entries)) => entries
            .iter()
            .map(|(key, value)| Some(Const::Tuple(vec![constant(key)?, constant(value)?])))
            .collect(),
        _ => None,
    };
    let value = value.filter(|items| !items.is_empty())?;
    Some(cx.types.intern(TypeKind::Initial {
        of,
        value: Const::Tuple(value),
    }))
}

/// The arguments of a call with what displays among them hold at first.
pub(crate) fn with_initial(net: &Network, cx: &Cx<'_>, actuals: &Actuals) -> Actuals {
    let mut shown = actuals.clone();
    let named = shown.keyword.iter_mut().map(|(_, actual)| actual);
    for actual in shown.positional.iter_mut().chain(named) {
        show(net, cx, actual);
    }
    shown
}

/// The type of an argument with what it holds at first.
pub(crate) fn show(net: &Network, cx: &Cx<'_>, actual: &mut Actual) {
    if let CallArg::Var(var) = actual.arg
        && let Some(ty) = initial_type(net, cx, var)
    {
        actual.ty = ty;
    }
}
