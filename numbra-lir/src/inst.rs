//! What instructions are made of, and terminators. Each operation carries its meaning in its documentation; every one is total.
//! The instructions themselves are the table of `ops.rs`.

use crate::{Block, Value};
use bitflags::bitflags;
pub use numbra_abi::{MathFn, MathLib};
use serde::{Deserialize, Serialize};
use std::fmt;

bitflags! {
    /// Relaxations of IEEE arithmetic that one operation allows. Empty by default.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
    pub struct FastMath: u8 {
        const NNAN = 1;
        const NINF = 2;
        const NSZ = 4;
        const ARCP = 8;
        const CONTRACT = 16;
        const AFN = 32;
        const REASSOC = 64;
    }
}

bitflags! {
    /// Proven properties of one instruction: an integer or address operation, a call. Lowering and passes add them; none
    /// may be assumed.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
    pub struct Facts: u8 {
        /// No signed wrap; of a remainder, none in its quotient.
        const NSW = 1;
        /// No unsigned wrap.
        const NUW = 2;
        /// The divisor is not zero.
        const NONZERO = 4;
        /// The callee gives the same results for the same arguments, and does nothing else that its caller could observe
        /// but take its time, or never end.
        const PURE = 8;
    }
}

/// Two operands of the same type, result of that type. Vectors work lane by lane.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum BinaryOp {
    /// `lhs + rhs` mod 2^n
    IAdd,
    /// `lhs - rhs` mod 2^n
    ISub,
    /// `lhs * rhs` mod 2^n
    IMul,
    /// Signed division toward zero; `x / 0 = 0`, `MIN / -1 = MIN`.
    SDiv,
    /// Unsigned division; `x / 0 = 0`.
    UDiv,
    /// Signed remainder with the dividend's sign; `x rem 0 = 0`, `MIN rem -1 = 0`.
    SRem,
    /// Unsigned remainder; `x rem 0 = 0`.
    URem,
    /// High half of the signed product.
    SMulHi,
    /// High half of the unsigned product.
    UMulHi,
    And,
    Or,
    Xor,
    /// `lhs << (rhs mod n)`
    Shl,
    /// Logical `lhs >> (rhs mod n)`
    LShr,
    /// Arithmetic `lhs >> (rhs mod n)`
    AShr,
    SMin,
    SMax,
    UMin,
    UMax,
    FAdd,
    FSub,
    FMul,
    FDiv,
    /// The lesser; NaN if either is NaN; `-0 < +0`.
    FMin,
    /// The greater; NaN if either is NaN; `-0 < +0`.
    FMax,
    /// Magnitude of `lhs`, sign of `rhs`.
    FCopysign,
}

impl BinaryOp {
    /// `a op b == b op a` in every bit (payloads of NaNs apart).
    pub fn is_commutative(self) -> bool {
        match self {
            BinaryOp::IAdd
            | BinaryOp::IMul
            | BinaryOp::SMulHi
            | BinaryOp::UMulHi
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::SMin
            | BinaryOp::SMax
            | BinaryOp::UMin
            | BinaryOp::UMax
            | BinaryOp::FAdd
            | BinaryOp::FMul
            | BinaryOp::FMin
            | BinaryOp::FMax => true,
            BinaryOp::ISub
            | BinaryOp::SDiv
            | BinaryOp::UDiv
            | BinaryOp::SRem
            | BinaryOp::URem
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr
            | BinaryOp::FSub
            | BinaryOp::FDiv
            | BinaryOp::FCopysign => false,
        }
    }

    /// A quotient or remainder of integers.
    pub fn is_division(self) -> bool {
        matches!(
            self,
            BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem
        )
    }
}

/// One operand, result of the same type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum UnaryOp {
    /// `0 - x` mod 2^n
    INeg,
    /// All bits flipped; on `I1` logical not.
    INot,
    /// `|x|` mod 2^n
    IAbs,
    /// Leading zero bits; n for 0.
    Clz,
    /// Trailing zero bits; n for 0.
    Ctz,
    Popcnt,
    Bswap,
    FNeg,
    FAbs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// To nearest, ties to even.
    Nearest,
}

/// Change of type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum ConvertOp {
    /// Sign extension to a wider integer.
    SExt,
    /// Zero extension to a wider integer.
    ZExt,
    /// Low bits.
    Trunc,
    /// Signed integer to float, to nearest even.
    SiToFp,
    /// Unsigned integer to float, to nearest even.
    UiToFp,
    /// Float to signed integer toward zero; out of range and NaN give what x86 `cvttsd2si` gives at the result's
    /// natural width (i64: MIN; i32: MIN; narrower: the low bits of the i32 conversion).
    FpToSi,
    /// Float to unsigned integer: as C compilers for x86 do for u64 (values at and above 2^63 offset, else signed); narrower: low bits of the i64 conversion.
    FpToUi,
    /// To a wider float.
    FpExt,
    /// To a narrower float, to nearest even.
    FpTrunc,
    /// Same bits, same size.
    Bitcast,
    PtrToInt,
    IntToPtr,
    /// The address behind a reference (null stays null). Borrows: keeps nothing alive by itself.
    RefToPtr,
    /// Generic from or to a specific address space.
    AddrSpaceCast,
}

/// Integer comparison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum IntCc {
    Eq,
    Ne,
    Slt,
    Sle,
    Sgt,
    Sge,
    Ult,
    Ule,
    Ugt,
    Uge,
}

/// Float comparison. `Ne` is true when unordered (Python's `!=`); the others are false then. `Ord`, `Uno` test for NaN.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum FloatCc {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Ord,
    Uno,
}

/// Arithmetic that also says whether it overflowed: results `(value, i1)`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum OverflowOp {
    SAdd,
    SSub,
    SMul,
    UAdd,
    USub,
    UMul,
}

/// Accesses of different classes other than `ANY` never overlap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct AliasClass(pub u16);

impl IntCc {
    /// The condition that holds when this does not.
    pub fn negated(self) -> IntCc {
        match self {
            IntCc::Eq => IntCc::Ne,
            IntCc::Ne => IntCc::Eq,
            IntCc::Slt => IntCc::Sge,
            IntCc::Sle => IntCc::Sgt,
            IntCc::Sgt => IntCc::Sle,
            IntCc::Sge => IntCc::Slt,
            IntCc::Ult => IntCc::Uge,
            IntCc::Ule => IntCc::Ugt,
            IntCc::Ugt => IntCc::Ule,
            IntCc::Uge => IntCc::Ult,
        }
    }

    /// The condition with operands exchanged.
    pub fn swapped(self) -> IntCc {
        match self {
            IntCc::Eq => IntCc::Eq,
            IntCc::Ne => IntCc::Ne,
            IntCc::Slt => IntCc::Sgt,
            IntCc::Sle => IntCc::Sge,
            IntCc::Sgt => IntCc::Slt,
            IntCc::Sge => IntCc::Sle,
            IntCc::Ult => IntCc::Ugt,
            IntCc::Ule => IntCc::Uge,
            IntCc::Ugt => IntCc::Ult,
            IntCc::Uge => IntCc::Ule,
        }
    }
}

impl AliasClass {
    /// May overlap anything.
    pub const ANY: AliasClass = AliasClass(0);
    /// Stack slots of this function.
    pub const STACK: AliasClass = AliasClass(1);
    /// Constants: never written.
    pub const CONST: AliasClass = AliasClass(2);
    /// Headers of counted objects.
    pub const HEADER: AliasClass = AliasClass(3);
    /// Argument and result blocks of the internal ABI, and Python objects read by entry wrappers.
    pub const ARGS: AliasClass = AliasClass(4);
    /// Elements of arrays.
    pub const ARRAY: AliasClass = AliasClass(5);
    /// How many classes the fields of objects have, which follow those above.
    pub const FIELDS: u16 = 32;

    /// The 8-byte word `at` of objects with fields. Words at different places are different memory, in whatever objects.
    pub fn field(at: u32) -> AliasClass {
        let at = u16::try_from(at).unwrap_or(u16::MAX);
        AliasClass(AliasClass::ARRAY.0 + 1 + at.min(AliasClass::FIELDS - 1))
    }
}

/// Guaranteed alignment of an access, in bytes; a power of two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Align(pub u8);

/// How an access behaves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct MemFlags {
    pub alias: AliasClass,
    pub align: Align,
    /// The memory is never written while the function runs: the load may move anywhere its operands dominate.
    pub readonly: bool,
    /// Never removed, merged or moved.
    pub volatile: bool,
}

/// What a guard protects; chooses the code layout and lets passes merge and remove guards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum GuardKind {
    Bounds,
    ZeroDivision,
    Overflow,
    /// A null reference, None in an Optional, a failed allocation.
    Null,
    /// The status of a call.
    Status,
    /// Anything else: shape mismatch, assertion, tag checks.
    Check,
}

/// A branch target with the values of its block parameters.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct BlockCall {
    pub block: Block,
    pub args: Vec<Value>,
}

/// A function of a library: whose bits it gives is part of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MathFnName {
    pub func: MathFn,
    pub lib: MathLib,
}

impl MathFnName {
    /// Reads `math.exp` and `libm.exp`, the inverse of `Display`.
    pub fn from_name(text: &str) -> Option<MathFnName> {
        let (prefix, name) = text.split_once('.')?;
        let lib = MathLib::ALL.into_iter().find(|l| l.prefix() == prefix)?;
        let func = MathFn::ALL.into_iter().find(|f| f.name() == name)?;
        Some(MathFnName { func, lib })
    }

    /// True if the text begins as the name of a function of a library does.
    pub(crate) fn has_library(text: &str) -> bool {
        let prefix = text.split('.').next();
        MathLib::ALL.iter().any(|lib| prefix == Some(lib.prefix()))
    }

    /// The runtime symbol for f64, or for f32 when `single`.
    pub fn symbol(self, single: bool) -> String {
        self.lib.symbol(self.func, single)
    }
}

/// `math.exp` in numbra's library, `libm.exp` in the platform's.
impl fmt::Display for MathFnName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.lib.prefix(), self.func.name())
    }
}

impl Serialize for MathFnName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MathFnName {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<MathFnName, D::Error> {
        let name = String::deserialize(deserializer)?;
        MathFnName::from_name(&name)
            .ok_or_else(|| serde::de::Error::custom(format!("unknown math function `{name}`")))
    }
}

/// How a block ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Terminator {
    Jump(BlockCall),
    Brif {
        cond: Value,
        then: BlockCall,
        other: BlockCall,
    },
    /// Jumps to `cases[index]`, or `default` when out of range (unsigned).
    Switch {
        index: Value,
        cases: Vec<BlockCall>,
        default: BlockCall,
    },
    /// Goes to `ok` when `cond` is true, else to `err`. The error edge is cold. Passes may merge, remove or sink a guard,
    /// and hoist it only past effect-free code.
    Guard {
        cond: Value,
        kind: GuardKind,
        ok: BlockCall,
        err: BlockCall,
    },
    /// Success with these results.
    Return(Vec<Value>),
    /// Failure: an exception is pending; results are zero bits. Only in functions that raise.
    Fail,
}
