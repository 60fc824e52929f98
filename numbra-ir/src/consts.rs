//! Constants of the source program.

use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A Python constant. Floats are kept by bit pattern, so that equality, hashing and round trips are exact.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Const {
    /// `None`
    None,
    /// `...`
    Ellipsis,
    /// `True`, `False`
    Bool(bool),
    /// An integer that fits 64 bits, signed.
    Int(i64),
    /// Any other integer.
    BigInt(BigInt),
    /// IEEE binary64 bits.
    Float(u64),
    /// Real and imaginary part, IEEE binary64 bits.
    Complex(u64, u64),
    /// `str`
    Str(String),
    /// `bytes`
    Bytes(Vec<u8>),
    /// `(a, b, ..)`
    Tuple(Vec<Const>),
    /// `slice(start, stop, step)`
    Slice(Box<[Const; 3]>),
}

impl Const {
    /// `bool(value)`
    pub fn truth(&self) -> bool {
        match self {
            Const::None => false,
            Const::Ellipsis | Const::Slice(_) | Const::BigInt(_) => true,
            Const::Bool(value) => *value,
            Const::Int(value) => *value != 0,
            Const::Float(bits) => f64::from_bits(*bits) != 0.0,
            Const::Complex(re, im) => f64::from_bits(*re) != 0.0 || f64::from_bits(*im) != 0.0,
            Const::Str(text) => !text.is_empty(),
            Const::Bytes(bytes) => !bytes.is_empty(),
            Const::Tuple(items) => !items.is_empty(),
        }
    }

    /// A float constant of this value.
    pub fn float(value: f64) -> Const {
        Const::Float(value.to_bits())
    }

    /// The integer value, if it is one that fits (booleans are not integers here).
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Const::Int(v) => Some(*v),
            _ => None,
        }
    }

    /// Python's type name, as `const(float, 0.5)` prints it.
    pub fn type_name(&self) -> &'static str {
        match self {
            Const::None => "NoneType",
            Const::Ellipsis => "ellipsis",
            Const::Bool(_) => "bool",
            Const::Int(_) | Const::BigInt(_) => "int",
            Const::Float(_) => "float",
            Const::Complex(..) => "complex",
            Const::Str(_) => "str",
            Const::Bytes(_) => "bytes",
            Const::Tuple(_) => "tuple",
            Const::Slice(_) => "slice",
        }
    }
}

/// `repr` of a float as Python prints it (shortest digits that round-trip).
pub(crate) fn float_repr(value: f64) -> String {
    if value.is_nan() {
        // The sign and payload of a NaN are visible in bits only.
        return if value.to_bits() == f64::NAN.to_bits() {
            "nan".into()
        } else {
            format!("nan:{:#x}", value.to_bits())
        };
    }
    if value.is_infinite() {
        return if value > 0.0 {
            "inf".into()
        } else {
            "-inf".into()
        };
    }
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-4..1e16).contains(&magnitude) {
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{digits}e{sign}{:02}", exponent.abs());
    }
    let text = format!("{value}");
    if text.contains('.') {
        text
    } else {
        format!("{text}.0")
    }
}

/// Python's `repr`.
impl fmt::Display for Const {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Const::None => f.write_str("None"),
            Const::Ellipsis => f.write_str("Ellipsis"),
            Const::Bool(true) => f.write_str("True"),
            Const::Bool(false) => f.write_str("False"),
            Const::Int(v) => write!(f, "{v}"),
            Const::BigInt(v) => write!(f, "{v}"),
            Const::Float(bits) => f.write_str(&float_repr(f64::from_bits(*bits))),
            Const::Complex(re, im) => {
                write!(
                    f,
                    "complex({}, {})",
                    float_repr(f64::from_bits(*re)),
                    float_repr(f64::from_bits(*im))
                )
            }
            Const::Str(s) => write!(f, "{s:?}"),
            Const::Bytes(b) => write!(f, "b\"{}\"", b.escape_ascii()),
            Const::Tuple(items) => {
                f.write_str("(")?;
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_str(if items.len() == 1 { ",)" } else { ")" })
            }
            Const::Slice(parts) => write!(f, "slice({}, {}, {})", parts[0], parts[1], parts[2]),
        }
    }
}
