//! The steps of patterns and starred targets, most of which types decide.

use crate::attributes::eval_getattr;
use crate::calls::conclude;
use crate::context::Cx;
use crate::eval::{Eval, folded};
use crate::fold::{Actual, Actuals};
use crate::network::Network;
use crate::report::{self, What};
use crate::resolve::resolve_name;
use numbra_ir::{BinOp, BufferClass, CallArg, Const, Expr, Inst, Rhs, Type, TypeKind, Var, steps};

/// Classes whose only positional attribute is the instance itself.
const MATCH_SELF: &[&str] = &[
    "bool",
    "bytearray",
    "bytes",
    "dict",
    "float",
    "frozenset",
    "int",
    "list",
    "set",
    "str",
    "tuple",
];

/// A call of a step; `None` for any other function.
pub(crate) fn eval_step(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    name: &str,
    actuals: &Actuals,
) -> Option<Eval> {
    let first = actuals.positional.first()?;
    let tuple = cx.types.tuple_items(first.ty);
    Some(match name {
        steps::IS_SEQUENCE => match is_sequence(cx, first.ty) {
            Some(known) => folded(net, cx, inst, Const::Bool(known)),
            None => report::unsupported(
                net.span(inst),
                "a sequence pattern for a value that may be None",
                "test `x is None` first",
            )
            .into(),
        },
        steps::MATCH_LEN => match tuple {
            Some(items) => folded(net, cx, inst, Const::Int(items.len() as i64)),
            None => call(net, cx, inst, "builtins.len", actuals),
        },
        steps::MATCH_POSITIONAL => positional(net, cx, inst, actuals)?,
        steps::IS_MAPPING => match cx.types.kind(first.ty) {
            TypeKind::Optional(_) => report::unsupported(
                net.span(inst),
                "a mapping pattern for a value that may be None",
                "test `x is None` first",
            )
            .into(),
            kind => {
                let known = matches!(kind, TypeKind::Dict { .. } | TypeKind::LiteralDict { .. });
                folded(net, cx, inst, Const::Bool(known))
            }
        },
        steps::UNPACK_SEQUENCE => match (tuple, cx.types.as_list(first.ty)) {
            (None, None) => call(net, cx, inst, "builtins.list", actuals),
            _ => itself(net, inst, first)?,
        },
        steps::UNPACK_AT_LEAST => match tuple {
            Some(items) => {
                let TypeKind::Literal(Const::Int(least)) =
                    *cx.types.kind(actuals.positional.get(1)?.ty)
                else {
                    return None;
                };
                if (items.len() as i64) < least {
                    return Some(
                        report::tuple_too_short(
                            net,
                            cx,
                            inst,
                            variable(first)?,
                            least,
                            items.len(),
                        )
                        .into(),
                    );
                }
                itself(net, inst, first)?
            }
            None => call(net, cx, inst, steps::UNPACK_AT_LEAST, actuals),
        },
        steps::UNPACK_REST => match tuple {
            Some(_) => call(net, cx, inst, steps::UNPACK_REST, actuals),
            None => itself(net, inst, first)?,
        },
        _ => return None,
    })
}

fn variable(actual: &Actual) -> Option<Var> {
    match actual.arg {
        CallArg::Var(var) => Some(var),
        _ => None,
    }
}

/// The statement is a copy of the operand.
fn itself(net: &mut Network, inst: Inst, actual: &Actual) -> Option<Eval> {
    let var = variable(actual)?;
    net.facts[inst].call = None;
    net.facts[inst].instead = Some(Box::new(Rhs::Var(var)));
    Some(Eval::Typed(actual.ty))
}

fn call(net: &mut Network, cx: &mut Cx<'_>, inst: Inst, name: &str, actuals: &Actuals) -> Eval {
    let resolution = resolve_name(net, cx, inst, name, actuals);
    conclude(net, cx, inst, &What::builtin(name), actuals, resolution)
}

/// Whether sequence patterns take values of a type; `None` where only the value tells.
fn is_sequence(cx: &Cx<'_>, ty: Type) -> Option<bool> {
    Some(match cx.types.kind(ty) {
        TypeKind::Optional(_) => return None,
        TypeKind::List { .. } | TypeKind::Range(_) => true,
        TypeKind::Array(_) => cx.host.numpy_version() >= (2, 5),
        TypeKind::Buffer { class, .. } => *class != BufferClass::ByteArray,
        _ => cx.types.tuple_items(ty).is_some(),
    })
}

/// `positional(x, class, i)`
fn positional(net: &mut Network, cx: &mut Cx<'_>, inst: Inst, actuals: &Actuals) -> Option<Eval> {
    let [subject, class, at] = actuals.positional.as_slice() else {
        return None;
    };
    let TypeKind::Literal(Const::Int(at)) = *cx.types.kind(at.ty) else {
        return None;
    };
    let name = match cx.types.kind(class.ty) {
        TypeKind::Function { name, .. } | TypeKind::Class(name) => name.clone(),
        _ => String::new(),
    };
    let takes_self = name
        .strip_prefix("builtins.")
        .is_some_and(|short| MATCH_SELF.contains(&short));
    if takes_self && at == 0 {
        return itself(net, inst, subject);
    }
    let field = match cx.types.kind(subject.ty) {
        TypeKind::NamedTuple(_, fields, _) => fields.get(at as usize).cloned(),
        _ => None,
    };
    match field {
        Some(attr) => {
            let value = variable(subject)?;
            let eval = eval_getattr(net, cx, inst, value, &attr);
            net.facts[inst].instead = Some(Box::new(Rhs::Expr(Expr::GetAttr { value, attr })));
            Some(eval)
        }
        None => Some(
            report::unsupported(
                net.span(inst),
                &format!(
                    "positional pattern {} of class {}",
                    at + 1,
                    cx.show(class.ty)
                ),
                "name the attribute: `case C(attr=x)`",
            )
            .into(),
        ),
    }
}

/// `len(x) - n` of a matched sequence, where it is known: the index of an item from the end.
pub(crate) fn index_from_end(
    net: &Network,
    op: BinOp,
    lhs: Var,
    x: &Const,
    y: &Const,
) -> Option<Const> {
    let (BinOp::Sub, Const::Int(length), Const::Int(n)) = (op, x, y) else {
        return None;
    };
    let (_, Rhs::Expr(Expr::Call { func, .. })) = net.source(lhs)? else {
        return None;
    };
    let (_, Rhs::Global(obj)) = net.source(*func)? else {
        return None;
    };
    let is_length = net.func.objects.get(*obj)?.name == steps::MATCH_LEN;
    is_length.then(|| Const::Int(length - n))
}
