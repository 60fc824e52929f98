//! Simplification of one instruction: constants through the interpreter's operations, and identities that are exact.
//!
//! ```text
//! before                after
//!   v1 = iconst 0         v3 = fneg v2
//!   v2 = iadd v0, v1      (v2 is v0)
//! ```
//!
//! Float identities keep every bit of every result but the payload of NaNs. An operation that yields NaN is not folded:
//! the sign of that NaN is the machine's.

use numbra_lir::interp::{LirValue, ops};
use numbra_lir::{
    BinaryOp, ConvertOp, Func, Inst, InstKind, IntCc, OverflowOp, Ty, UnaryOp, Value,
};

/// What an instruction can become.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Folded {
    /// Its only result is this value.
    Value(Value),
    /// Another instruction with the same results.
    Kind(InstKind),
    /// The first result is this value, the second is false.
    Exact(Value),
    /// These constants, one for each result.
    Constants(Vec<LirValue>),
}

/// The scalar constant that a value is, as bits of its type.
pub(crate) fn scalar(func: &Func, value: Value) -> Option<u128> {
    let ty = func.ty(value);
    match func.def(value)? {
        InstKind::IConst(n) => Some(ops::mask(ty, *n as u128)),
        InstKind::FConst(bits) => Some(ops::mask(ty, (*bits).into())),
        InstKind::Null => Some(0),
        _ => None,
    }
}

/// The signed integer constant that a value is.
pub(crate) fn integer(func: &Func, value: Value) -> Option<i128> {
    func.integer(value)
}

/// The constant instruction of a value.
pub(crate) fn constant_kind(value: &LirValue) -> Option<InstKind> {
    match value {
        LirValue::Scalar(ty, bits) if ty.is_int() => {
            Some(InstKind::IConst(ops::signed(*ty, *bits)))
        }
        LirValue::Scalar(ty, bits) if ty.is_float() => Some(InstKind::FConst(*bits as u64)),
        LirValue::Scalar(ty, 0) if ty.is_address() => Some(InstKind::Null),
        LirValue::Scalar(..) | LirValue::Vector(..) => None,
    }
}

/// Simplifies an instruction whose operands are already simple; `None` if it stays.
pub(crate) fn fold(func: &Func, inst: Inst) -> Option<Folded> {
    let data = &func.insts[inst];
    let result = data.results.first().map(|&v| func.ty(v))?;
    if let Some(constants) = fold_constants(func, inst) {
        return Some(Folded::Constants(constants));
    }
    match &data.kind {
        InstKind::Binary { op, lhs, rhs } => binary(func, *op, *lhs, *rhs, result),
        InstKind::Unary { op, arg } => unary(func, *op, *arg),
        InstKind::Overflow { op, lhs, rhs } => overflow(func, *op, *lhs, *rhs, result),
        InstKind::Convert { op, arg } => convert(func, *op, *arg, result),
        InstKind::Icmp { cc, lhs, rhs } => icmp(func, *cc, *lhs, *rhs),
        InstKind::Select { cond, then, other } => select(func, *cond, *then, *other, result),
        InstKind::PtrAdd { base, offset } => {
            let n = integer(func, *offset)?;
            (n == 0).then_some(Folded::Value(*base))
        }
        InstKind::Load {
            addr,
            offset,
            flags,
        } => {
            let (addr, offset) = address(func, *addr, *offset)?;
            Some(Folded::Kind(InstKind::Load {
                addr,
                offset,
                flags: *flags,
            }))
        }
        InstKind::ExtractLane { vector, lane } => match func.def(*vector)? {
            InstKind::Splat(value) => Some(Folded::Value(*value)),
            InstKind::InsertLane {
                lane: set, value, ..
            } if set == lane => Some(Folded::Value(*value)),
            _ => None,
        },
        _ => None,
    }
}

/// `addr + offset` without constant additions in `addr`.
pub(crate) fn address(func: &Func, addr: Value, offset: i32) -> Option<(Value, i32)> {
    match func.def(addr)? {
        InstKind::PtrAdd { base, offset: more } => {
            let more = i32::try_from(integer(func, *more)?).ok()?;
            Some((*base, offset.checked_add(more)?))
        }
        _ => None,
    }
}

fn fold_constants(func: &Func, inst: Inst) -> Option<Vec<LirValue>> {
    let data = &func.insts[inst];
    let foldable = match &data.kind {
        InstKind::Binary { .. }
        | InstKind::Unary { .. }
        | InstKind::Convert { .. }
        | InstKind::Icmp { .. }
        | InstKind::Fcmp { .. }
        | InstKind::Select { .. }
        | InstKind::Overflow { .. }
        | InstKind::Fma { .. } => data.fast.is_empty(),
        // Math functions differ by platform and math level.
        _ => false,
    };
    if !foldable {
        return None;
    }
    let mut known = true;
    data.kind
        .visit_operands(|v| known = known && scalar(func, v).is_some());
    if !known {
        return None;
    }
    let mut operands = Vec::new();
    data.kind.visit_operands(|v| {
        operands.extend(scalar(func, v).map(|bits| LirValue::Scalar(func.ty(v), bits)));
    });
    let types: Vec<Ty> = data.results.iter().map(|&v| func.ty(v)).collect();
    let values = numbra_lir::interp::evaluate(&data.kind, &operands, &types)?;
    let good = values.iter().all(|value| match value {
        LirValue::Scalar(ty, bits) => !ops::is_nan(*ty, *bits) && constant_kind(value).is_some(),
        LirValue::Vector(..) => false,
    });
    good.then_some(values)
}

fn binary(func: &Func, op: BinaryOp, lhs: Value, rhs: Value, ty: Ty) -> Option<Folded> {
    let zero = || Some(Folded::Constants(vec![LirValue::zero(ty)]));
    let kind = |kind| Some(Folded::Kind(kind));
    // Constants stand on the right.
    if op.is_commutative() && scalar(func, lhs).is_some() && scalar(func, rhs).is_none() {
        return kind(InstKind::Binary {
            op,
            lhs: rhs,
            rhs: lhs,
        });
    }
    if lhs == rhs && matches!(ty, Ty::I1 | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128) {
        match op {
            BinaryOp::ISub | BinaryOp::Xor => return zero(),
            BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::SMin
            | BinaryOp::SMax
            | BinaryOp::UMin
            | BinaryOp::UMax => return Some(Folded::Value(lhs)),
            _ => {}
        }
    }
    if ty.is_float() {
        return float_binary(func, op, lhs, rhs, ty);
    }
    if op == BinaryOp::And && ty == Ty::I1 {
        // What is negative is not zero.
        let (x, y) = (sign_test(func, lhs), sign_test(func, rhs));
        match (x, y) {
            (Some((x, IntCc::Ne)), Some((y, IntCc::Slt))) if x == y => {
                return Some(Folded::Value(rhs));
            }
            (Some((x, IntCc::Slt)), Some((y, IntCc::Ne))) if x == y => {
                return Some(Folded::Value(lhs));
            }
            _ => {}
        }
    }
    let n = integer(func, rhs)?;
    let keep = Some(Folded::Value(lhs));
    let all_ones = n == -1 || (ty == Ty::I1 && n & 1 != 0);
    match op {
        BinaryOp::IAdd | BinaryOp::ISub | BinaryOp::Or | BinaryOp::Xor if n == 0 => keep,
        BinaryOp::And if n == 0 => zero(),
        BinaryOp::And if all_ones => keep,
        BinaryOp::Or if all_ones => Some(Folded::Value(rhs)),
        BinaryOp::Xor if all_ones => kind(InstKind::Unary {
            op: UnaryOp::INot,
            arg: lhs,
        }),
        BinaryOp::IMul if n == 0 => zero(),
        BinaryOp::IMul | BinaryOp::SDiv | BinaryOp::UDiv if n == 1 => keep,
        BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem if n == 0 => zero(),
        BinaryOp::SRem | BinaryOp::URem if n == 1 => zero(),
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr if n == 0 => keep,
        BinaryOp::UMin if n == 0 => zero(),
        BinaryOp::UMax if n == 0 => keep,
        _ => None,
    }
}

/// A comparison with zero: of what, and how.
fn sign_test(func: &Func, value: Value) -> Option<(Value, IntCc)> {
    match *func.def(value)? {
        InstKind::Icmp { cc, lhs, rhs } if integer(func, rhs) == Some(0) => Some((lhs, cc)),
        _ => None,
    }
}

fn float_binary(func: &Func, op: BinaryOp, lhs: Value, rhs: Value, ty: Ty) -> Option<Folded> {
    let bits = scalar(func, rhs)?;
    let known = |x: f64| {
        let as_ty = ops::convert(ConvertOp::FpTrunc, Ty::F64, ty, x.to_bits().into());
        bits == if ty == Ty::F64 {
            x.to_bits().into()
        } else {
            as_ty
        }
    };
    let keep = Some(Folded::Value(lhs));
    match op {
        BinaryOp::FAdd if known(-0.0) => keep,
        BinaryOp::FSub if known(0.0) => keep,
        BinaryOp::FMul | BinaryOp::FDiv if known(1.0) => keep,
        BinaryOp::FMul | BinaryOp::FDiv if known(-1.0) => Some(Folded::Kind(InstKind::Unary {
            op: UnaryOp::FNeg,
            arg: lhs,
        })),
        _ => None,
    }
}

fn unary(func: &Func, op: UnaryOp, arg: Value) -> Option<Folded> {
    let inner = func.def(arg)?;
    match (op, inner) {
        (
            UnaryOp::INeg | UnaryOp::INot | UnaryOp::FNeg | UnaryOp::Bswap,
            InstKind::Unary { op: same, arg },
        ) if *same == op => Some(Folded::Value(*arg)),
        (
            UnaryOp::FAbs,
            InstKind::Unary {
                op: UnaryOp::FNeg,
                arg,
            },
        ) => Some(Folded::Kind(InstKind::Unary { op, arg: *arg })),
        (
            UnaryOp::FAbs,
            InstKind::Unary {
                op: UnaryOp::FAbs, ..
            },
        ) => Some(Folded::Value(arg)),
        (UnaryOp::INot, InstKind::Icmp { cc, lhs, rhs }) if func.ty(arg) == Ty::I1 => {
            Some(Folded::Kind(InstKind::Icmp {
                cc: cc.negated(),
                lhs: *lhs,
                rhs: *rhs,
            }))
        }
        _ => None,
    }
}

/// Adding nothing, and multiplying by one or nothing.
fn overflow(func: &Func, op: OverflowOp, lhs: Value, rhs: Value, ty: Ty) -> Option<Folded> {
    let commutes = !matches!(op, OverflowOp::SSub | OverflowOp::USub);
    let (keep, n) = match (integer(func, lhs), integer(func, rhs)) {
        (_, Some(n)) => (lhs, n),
        (Some(n), None) if commutes => (rhs, n),
        _ => return None,
    };
    let product = matches!(op, OverflowOp::SMul | OverflowOp::UMul);
    match n {
        0 if product => Some(Folded::Constants(vec![
            LirValue::zero(ty),
            LirValue::zero(Ty::I1),
        ])),
        1 if product => Some(Folded::Exact(keep)),
        0 => Some(Folded::Exact(keep)),
        _ => None,
    }
}

fn convert(func: &Func, op: ConvertOp, arg: Value, to: Ty) -> Option<Folded> {
    if func.ty(arg) == to && op != ConvertOp::RefToPtr {
        return Some(Folded::Value(arg));
    }
    let InstKind::Convert {
        op: inner_op,
        arg: inner,
    } = func.def(arg)?
    else {
        return None;
    };
    let from = func.ty(*inner);
    let again = |op| Some(Folded::Kind(InstKind::Convert { op, arg: *inner }));
    match (op, *inner_op) {
        (ConvertOp::Trunc, ConvertOp::SExt | ConvertOp::ZExt) if from == to => {
            Some(Folded::Value(*inner))
        }
        (ConvertOp::Trunc, extend @ (ConvertOp::SExt | ConvertOp::ZExt)) => {
            let (from, to) = (from.lane_ty().int_bits()?, to.lane_ty().int_bits()?);
            again(if from < to { extend } else { ConvertOp::Trunc })
        }
        (ConvertOp::SExt, ConvertOp::SExt) => again(ConvertOp::SExt),
        (ConvertOp::SExt | ConvertOp::ZExt, ConvertOp::ZExt) => again(ConvertOp::ZExt),
        (ConvertOp::Trunc, ConvertOp::Trunc) => again(ConvertOp::Trunc),
        (ConvertOp::FpTrunc, ConvertOp::FpExt) if from == to => Some(Folded::Value(*inner)),
        (ConvertOp::Bitcast, ConvertOp::Bitcast) if from == to => Some(Folded::Value(*inner)),
        (ConvertOp::IntToPtr, ConvertOp::PtrToInt) if from == to => Some(Folded::Value(*inner)),
        (ConvertOp::PtrToInt, ConvertOp::IntToPtr) => Some(Folded::Value(*inner)),
        _ => None,
    }
}

fn icmp(func: &Func, cc: IntCc, lhs: Value, rhs: Value) -> Option<Folded> {
    let ty = func.ty(lhs);
    let boolean = |b: bool| Some(Folded::Constants(vec![LirValue::int(Ty::I1, b.into())]));
    if matches!(ty, Ty::Vec(..)) {
        return None;
    }
    if lhs == rhs {
        return boolean(ops::icmp(cc, ty, 0, 0));
    }
    if scalar(func, lhs).is_some() && scalar(func, rhs).is_none() {
        return Some(Folded::Kind(InstKind::Icmp {
            cc: cc.swapped(),
            lhs: rhs,
            rhs: lhs,
        }));
    }
    let bits = scalar(func, rhs)?;
    let equal = match cc {
        IntCc::Eq => Some(true),
        IntCc::Ne => Some(false),
        _ => None,
    };
    // A truth value, possibly extended, compared with a constant.
    if let (Some(equal), InstKind::Convert { op, arg }) = (equal, func.def(lhs)?)
        && matches!(op, ConvertOp::ZExt | ConvertOp::SExt)
        && func.ty(*arg) == Ty::I1
    {
        let one = if *op == ConvertOp::ZExt {
            1
        } else {
            ops::mask(ty, u128::MAX)
        };
        return match bits {
            0 => Some(truth(*arg, !equal)),
            b if b == one => Some(truth(*arg, equal)),
            _ => boolean(!equal),
        };
    }
    if let (Some(equal), Ty::I1) = (equal, ty) {
        return Some(truth(lhs, (bits == 1) == equal));
    }
    if let InstKind::Convert {
        op: ConvertOp::ZExt,
        ..
    } = func.def(lhs)?
        && bits == 0
    {
        match cc {
            IntCc::Slt => return boolean(false),
            IntCc::Sge => return boolean(true),
            _ => {}
        }
    }
    if equal.is_some()
        && bits == 0
        && let Some(remainder) = truncated_remainder(func, lhs)
    {
        return Some(Folded::Kind(InstKind::Icmp {
            cc,
            lhs: remainder,
            rhs,
        }));
    }
    match cc {
        IntCc::Ult if bits == 0 => boolean(false),
        IntCc::Uge if bits == 0 => boolean(true),
        _ => None,
    }
}

/// The `srem` that a remainder with the divisor's sign adds the divisor to: both are zero together.
fn truncated_remainder(func: &Func, value: Value) -> Option<Value> {
    let InstKind::Select { cond, then, other } = func.def(value)? else {
        return None;
    };
    let InstKind::Binary {
        op: BinaryOp::SRem,
        rhs: divisor,
        ..
    } = func.def(*other)?
    else {
        return None;
    };
    let added = matches!(func.def(*then)?,
        InstKind::Binary { op: BinaryOp::IAdd, lhs, rhs } if lhs == other && rhs == divisor);
    // Only where the remainder is not zero, and its sign differs from the divisor's.
    let InstKind::Binary {
        op: BinaryOp::And,
        lhs: inexact,
        rhs: differ,
    } = func.def(*cond)?
    else {
        return None;
    };
    let zero = |v: Value| scalar(func, v) == Some(0);
    let inexact = matches!(func.def(*inexact)?,
        InstKind::Icmp { cc: IntCc::Ne, lhs, rhs } if lhs == other && zero(*rhs));
    let InstKind::Icmp {
        cc: IntCc::Slt,
        lhs: signs,
        rhs,
    } = func.def(*differ)?
    else {
        return None;
    };
    let signs = zero(*rhs)
        && matches!(func.def(*signs)?,
            InstKind::Binary { op: BinaryOp::Xor, lhs, rhs } if lhs == other && rhs == divisor);
    (added && inexact && signs).then_some(*other)
}

/// `value`, or its negation.
fn truth(value: Value, positive: bool) -> Folded {
    if positive {
        Folded::Value(value)
    } else {
        Folded::Kind(InstKind::Unary {
            op: UnaryOp::INot,
            arg: value,
        })
    }
}

fn select(func: &Func, cond: Value, then: Value, other: Value, ty: Ty) -> Option<Folded> {
    if then == other {
        return Some(Folded::Value(then));
    }
    if func.ty(cond) != Ty::I1 {
        return None;
    }
    if let Some(bits) = scalar(func, cond) {
        return Some(Folded::Value(if bits != 0 { then } else { other }));
    }
    if let Some(InstKind::Unary {
        op: UnaryOp::INot,
        arg,
    }) = func.def(cond)
    {
        return Some(Folded::Kind(InstKind::Select {
            cond: *arg,
            then: other,
            other: then,
        }));
    }
    if ty == Ty::I1 {
        return match (scalar(func, then), scalar(func, other)) {
            (Some(1), Some(0)) => Some(Folded::Value(cond)),
            (Some(0), Some(1)) => Some(truth(cond, false)),
            (Some(1), None) => Some(Folded::Kind(InstKind::Binary {
                op: BinaryOp::Or,
                lhs: cond,
                rhs: other,
            })),
            (None, Some(0)) => Some(Folded::Kind(InstKind::Binary {
                op: BinaryOp::And,
                lhs: cond,
                rhs: then,
            })),
            _ => None,
        };
    }
    None
}
