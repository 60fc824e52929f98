//! Affine forms: integers that are a constant multiple of a parameter of a loop's header plus a constant.

use super::Loop;
use crate::{BinaryOp, Func, InstKind, Value};

/// Operations that are looked through.
const MAX_OPERATIONS: usize = 8;

/// `scale * param + offset`, as numbers without wrap-around; neither constant is larger than 64 bits hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Affine {
    /// A parameter of the loop's header.
    pub param: Value,
    pub scale: i128,
    pub offset: i128,
}

/// The address `base + scale * param + offset`, with a base that the loop does not define.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AffineAddress {
    pub base: Value,
    pub index: Affine,
}

/// An integer as an affine form of a loop, if it is one.
pub fn affine(func: &Func, data: &Loop, value: Value) -> Option<Affine> {
    let (mut scale, mut offset) = (1_i128, 0_i128);
    let mut at = value;
    // From the outside in.
    for _ in 0..=MAX_OPERATIONS {
        if func.blocks[data.header].params.contains(&at) {
            return Some(Affine {
                param: at,
                scale,
                offset,
            });
        }
        let &InstKind::Binary { op, lhs, rhs } = func.def(at)? else {
            return None;
        };
        let (inner, by) = match (func.integer(lhs), func.integer(rhs)) {
            (_, Some(by)) => (lhs, by),
            (Some(by), _) if op != BinaryOp::ISub && op != BinaryOp::Shl => (rhs, by),
            _ => return None,
        };
        match op {
            BinaryOp::IAdd => offset = offset.checked_add(scale.checked_mul(by)?)?,
            BinaryOp::ISub => offset = offset.checked_sub(scale.checked_mul(by)?)?,
            BinaryOp::IMul => scale = scale.checked_mul(by)?,
            BinaryOp::Shl if (0..32).contains(&by) => scale <<= by,
            _ => return None,
        }
        if [scale, offset].iter().any(|n| i64::try_from(*n).is_err()) {
            return None;
        }
        at = inner;
    }
    None
}

/// An address as a fixed one plus an affine form, if it is that.
pub fn affine_address(func: &Func, data: &Loop, addr: Value) -> Option<AffineAddress> {
    let &InstKind::PtrAdd { base, offset } = func.def(addr)? else {
        return None;
    };
    let index = affine(func, data, offset)?;
    (!func.is_defined_in(data, base)).then_some(AffineAddress { base, index })
}
