//! Operators on constants whose value decides which branches exist.

use numbra_ir::{BinOp, Const};
use std::cmp::Ordering;

/// `bool(value)`, for the constants that literal types hold.
pub(crate) fn truth(value: &Const) -> Option<bool> {
    match value {
        Const::None => Some(false),
        Const::Bool(value) => Some(*value),
        Const::Int(value) => Some(*value != 0),
        Const::Str(value) => Some(!value.is_empty()),
        Const::Ellipsis
        | Const::BigInt(_)
        | Const::Float(_)
        | Const::Complex(..)
        | Const::Bytes(_)
        | Const::Tuple(_)
        | Const::Slice(_) => None,
    }
}

/// A comparison or identity test of two constants. `None` where it is not known, or is no comparison.
pub(crate) fn compare(op: BinOp, x: &Const, y: &Const) -> Option<bool> {
    let order = match (x, y) {
        (Const::Str(x), Const::Str(y)) => Some(x.cmp(y)),
        _ => match (number(x), number(y)) {
            (Some(x), Some(y)) => Some(x.cmp(&y)),
            _ => None,
        },
    };
    let is_none = |c: &Const| *c == Const::None;
    match op {
        BinOp::Is if is_none(x) || is_none(y) => Some(is_none(x) && is_none(y)),
        BinOp::IsNot if is_none(x) || is_none(y) => Some(is_none(x) != is_none(y)),
        BinOp::Eq if is_none(x) && is_none(y) => Some(true),
        BinOp::Ne if is_none(x) && is_none(y) => Some(false),
        BinOp::Eq => Some(order? == Ordering::Equal),
        BinOp::Ne => Some(order? != Ordering::Equal),
        BinOp::Lt => Some(order? == Ordering::Less),
        BinOp::Le => Some(order? != Ordering::Greater),
        BinOp::Gt => Some(order? == Ordering::Greater),
        BinOp::Ge => Some(order? != Ordering::Less),
        BinOp::Is
        | BinOp::IsNot
        | BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::MatMul
        | BinOp::TrueDiv
        | BinOp::FloorDiv
        | BinOp::Mod
        | BinOp::Pow
        | BinOp::LShift
        | BinOp::RShift
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::In
        | BinOp::NotIn => None,
    }
}

fn number(value: &Const) -> Option<i64> {
    match value {
        Const::Bool(value) => Some(i64::from(*value)),
        Const::Int(value) => Some(*value),
        _ => None,
    }
}
