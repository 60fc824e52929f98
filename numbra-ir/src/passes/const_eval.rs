//! What constants are worth to branches and subscripts.

use super::known;
use crate::analysis::DefUse;
use crate::{BinOp, Const, Expr, Func, Rhs, UnaryOp, Var};
use std::cmp::Ordering;

/// Python's truth of a constant.
pub(super) fn truth(value: &Const) -> bool {
    match value {
        Const::None => false,
        Const::Ellipsis | Const::Slice(_) => true,
        Const::Bool(b) => *b,
        Const::Int(i) => *i != 0,
        // Only integers outside 64 bits, which are not zero.
        Const::BigInt(i) => *i != num_bigint::BigInt::from(0),
        Const::Float(bits) => f64::from_bits(*bits) != 0.0,
        Const::Complex(re, im) => f64::from_bits(*re) != 0.0 || f64::from_bits(*im) != 0.0,
        Const::Str(s) => !s.is_empty(),
        Const::Bytes(b) => !b.is_empty(),
        Const::Tuple(items) => !items.is_empty(),
    }
}

/// Order of two constants whose comparison is plain: numbers that floats hold exactly, strings.
fn compare(a: &Const, b: &Const) -> Option<Ordering> {
    let int = |c: &Const| match c {
        Const::Int(i) => Some(*i),
        Const::Bool(b) => Some(i64::from(*b)),
        _ => None,
    };
    match (a, b) {
        (Const::Str(a), Const::Str(b)) => Some(a.cmp(b)),
        (Const::Float(a), Const::Float(b)) => f64::from_bits(*a).partial_cmp(&f64::from_bits(*b)),
        (Const::Float(a), _) => f64::from_bits(*a).partial_cmp(&exact(int(b)?)?),
        (_, Const::Float(b)) => exact(int(a)?)?.partial_cmp(&f64::from_bits(*b)),
        _ => Some(int(a)?.cmp(&int(b)?)),
    }
}

/// An integer as a float, where that is the same number.
fn exact(value: i64) -> Option<f64> {
    (value.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS).then_some(value as f64)
}

/// The result of a comparison of constants, where it is the same in every typing.
pub(super) fn compare_consts(op: BinOp, a: &Const, b: &Const) -> Option<bool> {
    match op {
        BinOp::Is | BinOp::IsNot => {
            // Identity is defined for the singletons only.
            let single = |c: &Const| matches!(c, Const::None | Const::Bool(_) | Const::Ellipsis);
            if !single(a) && !single(b) {
                return None;
            }
            Some((a == b) == (op == BinOp::Is))
        }
        BinOp::Eq | BinOp::Ne if *a == Const::None || *b == Const::None => {
            Some((a == b) == (op == BinOp::Eq))
        }
        BinOp::Eq => compare(a, b).map(Ordering::is_eq),
        BinOp::Ne => compare(a, b).map(Ordering::is_ne),
        BinOp::Lt => compare(a, b).map(Ordering::is_lt),
        BinOp::Le => compare(a, b).map(Ordering::is_le),
        BinOp::Gt => compare(a, b).map(Ordering::is_gt),
        BinOp::Ge => compare(a, b).map(Ordering::is_ge),
        BinOp::Add
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

/// The constant that an expression tree of single assignments is: Numba's `infer_constant`.
/// Literals, constant globals, negated numbers, tuples of constants and `slice(...)` of constants.
pub(crate) fn infer_constant(func: &Func, defs: &DefUse, var: Var) -> Option<Const> {
    infer(func, defs, var, 0)
}

fn infer(func: &Func, defs: &DefUse, var: Var, depth: u32) -> Option<Const> {
    if depth > 32 {
        return None;
    }
    if let Some(value) = defs.constant(func, var) {
        return Some(value);
    }
    let all = |vars: &[Var]| -> Option<Vec<Const>> {
        vars.iter()
            .map(|v| infer(func, defs, *v, depth + 1))
            .collect()
    };
    match defs.definition(func, var)? {
        Rhs::Expr(Expr::BuildTuple(items)) => Some(Const::Tuple(all(items)?)),
        Rhs::Expr(Expr::Unary {
            op: UnaryOp::Neg,
            value,
        }) => match infer(func, defs, *value, depth + 1)? {
            Const::Int(i) => i.checked_neg().map(Const::Int),
            Const::Float(bits) => Some(Const::float(-f64::from_bits(bits))),
            _ => None,
        },
        Rhs::Expr(Expr::Call {
            func: callee,
            args,
            kws,
            vararg: None,
        }) if kws.is_empty() && known::is_object(func, defs, *callee, known::SLICE) => {
            let parts = match all(args)?.as_slice() {
                [stop] => [Const::None, stop.clone(), Const::None],
                [start, stop] => [start.clone(), stop.clone(), Const::None],
                [start, stop, step] => [start.clone(), stop.clone(), step.clone()],
                _ => return None,
            };
            Some(Const::Slice(Box::new(parts)))
        }
        _ => None,
    }
}
