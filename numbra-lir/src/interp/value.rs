//! Values that go in and out of functions.

use super::ops::mask;
use crate::{Lane, Ty};
use numbra_abi::small_floats::{f16_from_f64, f16_to_f64};
use std::fmt;

/// A value of a [`Ty`]: bits, low ones first. `==` compares bits; see [`LirValue::same`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LirValue {
    Scalar(Ty, u128),
    /// Bits of each lane.
    Vector(Lane, Vec<u64>),
}

impl LirValue {
    /// An integer truncated to the type.
    pub fn int(ty: Ty, value: i128) -> LirValue {
        LirValue::Scalar(ty, mask(ty, value as u128))
    }

    pub fn i64(value: i64) -> LirValue {
        LirValue::int(Ty::I64, value.into())
    }

    pub fn f64(value: f64) -> LirValue {
        LirValue::Scalar(Ty::F64, value.to_bits().into())
    }

    pub fn f32(value: f32) -> LirValue {
        LirValue::Scalar(Ty::F32, value.to_bits().into())
    }

    /// Zero bits of a type.
    pub fn zero(ty: Ty) -> LirValue {
        match ty {
            Ty::Vec(lane, n) => LirValue::Vector(lane, vec![0; usize::from(n)]),
            _ => LirValue::Scalar(ty, 0),
        }
    }

    pub fn ty(&self) -> Ty {
        match self {
            LirValue::Scalar(ty, _) => *ty,
            LirValue::Vector(lane, lanes) => Ty::Vec(*lane, lanes.len() as u8),
        }
    }

    /// Bits of a scalar, 0 for a vector.
    pub fn bits(&self) -> u128 {
        match self {
            LirValue::Scalar(_, bits) => *bits,
            LirValue::Vector(..) => 0,
        }
    }

    /// Equal bits, where all NaNs are equal.
    pub fn same(&self, other: &LirValue) -> bool {
        let nan = |ty: Ty, bits: u128| match ty {
            Ty::F64 => f64::from_bits(bits as u64).is_nan(),
            Ty::F32 => f32::from_bits(bits as u32).is_nan(),
            Ty::F16 => f16_to_f64(bits as u16).is_nan(),
            _ => false,
        };
        match (self, other) {
            (LirValue::Scalar(a, x), LirValue::Scalar(b, y)) => {
                a == b && (x == y || (nan(*a, *x) && nan(*a, *y)))
            }
            (LirValue::Vector(a, x), LirValue::Vector(b, y)) => {
                let lane =
                    |x: u64, y: u64| x == y || (nan(a.ty(), x.into()) && nan(a.ty(), y.into()));
                a == b && x.len() == y.len() && x.iter().zip(y).all(|(&x, &y)| lane(x, y))
            }
            (LirValue::Scalar(..), LirValue::Vector(..))
            | (LirValue::Vector(..), LirValue::Scalar(..)) => false,
        }
    }

    /// Reads `5`, `-0x10`, `2.5`, `nan`, `-inf`, `bits 0x7ff8..`, or for vectors `<1, 2>`.
    pub fn parse(text: &str, ty: Ty) -> Option<LirValue> {
        let text = text.trim();
        if let Ty::Vec(lane, n) = ty {
            let inside = text.strip_prefix('<')?.strip_suffix('>')?;
            let lanes: Option<Vec<u64>> = inside
                .split(',')
                .map(|t| LirValue::parse(t, lane.ty()).map(|v| v.bits() as u64))
                .collect();
            return lanes
                .filter(|l| l.len() == usize::from(n))
                .map(|l| LirValue::Vector(lane, l));
        }
        if let Some(hex) = text.strip_prefix("bits ") {
            let bits = u128::from_str_radix(hex.trim().strip_prefix("0x")?, 16).ok()?;
            return Some(LirValue::Scalar(ty, mask(ty, bits)));
        }
        let bits = match ty {
            Ty::F64 => u128::from(text.parse::<f64>().ok()?.to_bits()),
            Ty::F32 => u128::from(text.parse::<f32>().ok()?.to_bits()),
            Ty::F16 => u128::from(f16_from_f64(text.parse().ok()?)),
            Ty::I1
            | Ty::I8
            | Ty::I16
            | Ty::I32
            | Ty::I64
            | Ty::I128
            | Ty::Ptr(_)
            | Ty::Ref
            | Ty::Vec(..) => {
                let (sign, digits) = match text.strip_prefix('-') {
                    Some(rest) => (true, rest),
                    None => (false, text),
                };
                let magnitude = match digits.strip_prefix("0x") {
                    Some(hex) => u128::from_str_radix(hex, 16).ok()?,
                    None => digits.parse::<u128>().ok()?,
                };
                mask(
                    ty,
                    if sign {
                        magnitude.wrapping_neg()
                    } else {
                        magnitude
                    },
                )
            }
        };
        Some(LirValue::Scalar(ty, bits))
    }
}

/// What [`LirValue::parse`] reads; integers signed.
impl fmt::Display for LirValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LirValue::Scalar(ty, bits) => match ty {
                Ty::F64 => write!(f, "{:?}", f64::from_bits(*bits as u64)),
                Ty::F32 => write!(f, "{:?}", f32::from_bits(*bits as u32)),
                Ty::F16 => write!(f, "{:?}", f16_to_f64(*bits as u16)),
                Ty::Ptr(_) | Ty::Ref => write!(f, "{bits:#x}"),
                Ty::I1 => write!(f, "{bits}"),
                Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 | Ty::Vec(..) => {
                    write!(f, "{}", super::ops::signed(*ty, *bits))
                }
            },
            LirValue::Vector(lane, lanes) => {
                let lanes: Vec<String> = lanes
                    .iter()
                    .map(|&bits| LirValue::Scalar(lane.ty(), bits.into()).to_string())
                    .collect();
                write!(f, "<{}>", lanes.join(", "))
            }
        }
    }
}
