//! Members of enumerations.

use crate::calls::conclude;
use crate::context::Cx;
use crate::eval::{Eval, folded};
use crate::fold::{Actual, Actuals};
use crate::network::Network;
use crate::report::What;
use crate::resolve::resolve_name;
use numbra_ir::{BinOp, CallArg, Const, Expr, Inst, Rhs, Type, TypeKind, Var};

/// `is`, `==` and their negations with a member: members of one class are the same when their values are equal, those
/// of others never are. An `IntEnum` equals the number that it is.
pub(crate) fn compare(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    op: BinOp,
    (lhs, a): (Var, Type),
    (rhs, b): (Var, Type),
) -> Option<Eval> {
    let (equal, by_identity) = match op {
        BinOp::Is => (true, true),
        BinOp::IsNot => (false, true),
        BinOp::Eq => (true, false),
        BinOp::Ne => (false, false),
        _ => return None,
    };
    let (x, y) = (cx.types.as_enum(a), cx.types.as_enum(b));
    let is_int = |member: Option<(Type, bool)>| member.is_none_or(|(_, is_int)| is_int);
    let not_known = [a, b]
        .iter()
        .any(|ty| matches!(cx.types.kind(*ty), TypeKind::None | TypeKind::Optional(_)));
    if (x.is_none() && y.is_none()) || not_known || (!by_identity && is_int(x) && is_int(y)) {
        return None;
    }
    let dtype = match x {
        Some((dtype, _)) if a == b => dtype,
        _ => return Some(folded(net, cx, inst, Const::Bool(!equal))),
    };
    let actuals = Actuals::of_positional(
        [lhs, rhs]
            .into_iter()
            .map(|var| Actual {
                arg: CallArg::Var(var),
                ty: dtype,
            })
            .collect(),
    );
    let name = if equal { "operator.eq" } else { "operator.ne" };
    let resolution = resolve_name(net, cx, inst, name, &actuals);
    Some(conclude(
        net,
        cx,
        inst,
        &What::builtin(name),
        &actuals,
        resolution,
    ))
}

/// `member.value`
pub(crate) fn value(net: &mut Network, inst: Inst, member: Var, dtype: Type) -> Eval {
    net.facts[inst].instead = Some(Box::new(Rhs::Expr(Expr::Cast {
        value: member,
        to: Some(dtype),
    })));
    Eval::Typed(dtype)
}
