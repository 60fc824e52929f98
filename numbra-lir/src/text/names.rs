//! Names of operations and flags in LIR text: one table each.

use crate::{
    AddrSpace, AliasClass, AtomicOp, BinaryOp, ConvertOp, DeviceOp, Facts, FastMath, FloatCc,
    GuardKind, IntCc, Lane, Linkage, MemOrder, MemScope, OverflowOp, Ty, UnaryOp,
};
use numbra_abi::{CacheHint, libdevice};

/// An enumeration with a name for each member.
pub trait Named: Copy + PartialEq + Sized + 'static {
    const NAMES: &'static [(Self, &'static str)];

    /// The name in text.
    fn name(self) -> &'static str {
        let found = Self::NAMES.iter().find(|(member, _)| *member == self);
        found.map_or("?", |(_, name)| name)
    }

    /// The member of this name.
    fn from_name(name: &str) -> Option<Self> {
        let found = Self::NAMES.iter().find(|(_, n)| *n == name);
        found.map(|(member, _)| *member)
    }
}

macro_rules! names {
    ($($ty:ident { $($member:ident $name:literal)* })*) => {
        $(impl Named for $ty {
            const NAMES: &'static [(Self, &'static str)] = &[$(($ty::$member, $name)),*];
        }
        // A missing member is a compile error.
        const _: fn($ty) = |x| match x { $($ty::$member => ()),* };)*
    };
}

names! {
    BinaryOp {
        IAdd "iadd" ISub "isub" IMul "imul" SDiv "sdiv" UDiv "udiv" SRem "srem" URem "urem"
        SMulHi "smulhi" UMulHi "umulhi" And "and" Or "or" Xor "xor" Shl "shl" LShr "lshr" AShr "ashr"
        SMin "smin" SMax "smax" UMin "umin" UMax "umax"
        FAdd "fadd" FSub "fsub" FMul "fmul" FDiv "fdiv" FMin "fmin" FMax "fmax" FCopysign "fcopysign"
    }
    UnaryOp {
        INeg "ineg" INot "inot" IAbs "iabs" Clz "clz" Ctz "ctz" Popcnt "popcnt" Bswap "bswap"
        FNeg "fneg" FAbs "fabs" Sqrt "sqrt" Floor "floor" Ceil "ceil" Trunc "ftrunc" Nearest "nearest"
    }
    ConvertOp {
        SExt "sext" ZExt "zext" Trunc "trunc" SiToFp "sitofp" UiToFp "uitofp" FpToSi "fptosi"
        FpToUi "fptoui" FpExt "fpext" FpTrunc "fptrunc" Bitcast "bitcast" PtrToInt "ptrtoint"
        IntToPtr "inttoptr" RefToPtr "ref_to_ptr" AddrSpaceCast "addrspacecast"
    }
    IntCc {
        Eq "eq" Ne "ne" Slt "slt" Sle "sle" Sgt "sgt" Sge "sge" Ult "ult" Ule "ule" Ugt "ugt" Uge "uge"
    }
    FloatCc { Eq "eq" Ne "ne" Lt "lt" Le "le" Gt "gt" Ge "ge" Ord "ord" Uno "uno" }
    OverflowOp {
        SAdd "sadd_overflow" SSub "ssub_overflow" SMul "smul_overflow"
        UAdd "uadd_overflow" USub "usub_overflow" UMul "umul_overflow"
    }
    AtomicOp {
        Add "add" Sub "sub" And "and" Or "or" Xor "xor" SMin "smin" SMax "smax" UMin "umin" UMax "umax"
        Exchange "exchange" IncWrap "inc_wrap" DecWrap "dec_wrap" FAdd "fadd" FMin "fmin" FMax "fmax"
    }
    MemOrder { Relaxed "relaxed" Acquire "acquire" Release "release" AcqRel "acq_rel" SeqCst "seq_cst" }
    MemScope { Block "block" Device "device" System "system" }
    GuardKind {
        Bounds "bounds" ZeroDivision "zero_division" Overflow "overflow" Null "null" Status "status"
        Check "check"
    }
    Linkage { Local "local" Export "export" Import "import" Kernel "kernel" Device "device" }
    AddrSpace { Generic "generic" Global "global" Shared "shared" Const "const" Local "local" }
    Lane { I8 "i8" I16 "i16" I32 "i32" I64 "i64" F32 "f32" F64 "f64" }
}

/// Names of alias classes; others print as `alias7`.
const ALIASES: &[(AliasClass, &str)] = &[
    (AliasClass::ANY, "any"),
    (AliasClass::STACK, "stack"),
    (AliasClass::CONST, "const"),
    (AliasClass::HEADER, "header"),
    (AliasClass::ARGS, "args"),
    (AliasClass::ARRAY, "array"),
];

/// `array`, `alias7`.
pub fn alias_name(alias: AliasClass) -> String {
    match ALIASES.iter().find(|(a, _)| *a == alias) {
        Some((_, name)) => (*name).to_owned(),
        None => format!("alias{}", alias.0),
    }
}

/// Reads what [`alias_name`] prints.
pub(super) fn alias_from_name(name: &str) -> Option<AliasClass> {
    match ALIASES.iter().find(|(_, n)| *n == name) {
        Some((alias, _)) => Some(*alias),
        None => name.strip_prefix("alias")?.parse().ok().map(AliasClass),
    }
}

/// Flags of [`FastMath`], in printing order.
pub(super) const FAST: &[(FastMath, &str)] = &[
    (FastMath::NNAN, "nnan"),
    (FastMath::NINF, "ninf"),
    (FastMath::NSZ, "nsz"),
    (FastMath::ARCP, "arcp"),
    (FastMath::CONTRACT, "contract"),
    (FastMath::AFN, "afn"),
    (FastMath::REASSOC, "reassoc"),
];

/// Flags of [`Facts`], in printing order.
pub(super) const FACTS: &[(Facts, &str)] = &[
    (Facts::NSW, "nsw"),
    (Facts::NUW, "nuw"),
    (Facts::NONZERO, "nonzero"),
    (Facts::PURE, "pure"),
];

/// `thread_idx.0`, `lane_id`, `barrier`.
pub fn device_name(op: DeviceOp) -> String {
    if let Some(function) = op.library_function() {
        return format!("{}.{}", op.name(), function.name);
    }
    if let Some((hint, bits)) = op.cached() {
        return format!("{}.{}.{bits}", op.name(), hint.name());
    }
    match op.axis() {
        Some(axis) => format!("{}.{axis}", op.name()),
        None => op.name().to_owned(),
    }
}

/// Reads what [`device_name`] prints.
pub(super) fn device_from_name(name: &str) -> Option<DeviceOp> {
    if let Some((base, axis)) = name.split_once('.') {
        if base == DeviceOp::Libdevice(0).name() {
            let is_it = |f: &libdevice::Function| f.name == axis;
            let at = libdevice::FUNCTIONS.iter().position(is_it)?;
            return u16::try_from(at).ok().map(DeviceOp::Libdevice);
        }
        if let Some((hint, bits)) = axis.split_once('.') {
            let hint = CacheHint::ALL.iter().position(|h| h.name() == hint)?;
            let (hint, bits) = (u8::try_from(hint).ok()?, bits.parse().ok()?);
            let known = [
                DeviceOp::CachedLoad(hint, bits),
                DeviceOp::CachedStore(hint, bits),
            ];
            return known.into_iter().find(|op| op.name() == base);
        }
        let axis = axis.parse().ok()?;
        return match base {
            "thread_idx" => Some(DeviceOp::ThreadIdx(axis)),
            "block_idx" => Some(DeviceOp::BlockIdx(axis)),
            "block_dim" => Some(DeviceOp::BlockDim(axis)),
            "grid_dim" => Some(DeviceOp::GridDim(axis)),
            _ => None,
        };
    }
    let named = |op: &&DeviceOp| op.name() == name;
    DeviceOp::PLAIN.iter().find(named).copied()
}

/// Reads a type: the inverse of its `Display`.
pub fn type_from_name(name: &str) -> Option<Ty> {
    Some(match name {
        "i1" => Ty::I1,
        "i8" => Ty::I8,
        "i16" => Ty::I16,
        "i32" => Ty::I32,
        "i64" => Ty::I64,
        "i128" => Ty::I128,
        "f16" => Ty::F16,
        "f32" => Ty::F32,
        "f64" => Ty::F64,
        "ptr" => Ty::PTR,
        "ref" => Ty::Ref,
        _ => {
            if let Some(space) = name.strip_prefix("ptr.") {
                let space = AddrSpace::from_name(space)?;
                return (space != AddrSpace::Generic).then_some(Ty::Ptr(space));
            }
            let (lane, n) = name.split_once('x')?;
            let lanes: u8 = n.parse().ok()?;
            let valid = (2..=64).contains(&lanes) && lanes.is_power_of_two() && !n.starts_with('0');
            return valid.then_some(Ty::Vec(Lane::from_name(lane)?, lanes));
        }
    })
}
