//! Types used as values: `dtype=` arguments, scalar classes, `isinstance` classes.

use crate::pattern::plain;
use numbra_ir::{Const, Scalar, Type, TypeKind, Types};

/// The element type that a `dtype` argument names: `dtype(..)`, a scalar class, `float`, a constant string.
/// `None` (the default of most functions) is not a name.
pub fn named_dtype(types: &Types, ty: Type) -> Option<Type> {
    match types.kind(ty) {
        TypeKind::DType(item) | TypeKind::NumberClass(item) | TypeKind::TypeRef(item) => {
            Some(*item)
        }
        TypeKind::Function { name, .. } | TypeKind::Class(name) => {
            scalar_class(name).map(|s| types.scalar(s))
        }
        TypeKind::Literal(Const::Str(text)) | TypeKind::Omitted(Const::Str(text)) => {
            let scalar = dtype_text(text).map(|s| types.scalar(s));
            scalar.or_else(|| char_seq_text(types, text))
        }
        _ => None,
    }
}

/// As [`named_dtype`], with `default` for `None`.
pub fn dtype_or(types: &Types, ty: Type, default: Type) -> Option<Type> {
    if plain(types, ty) == Type::NONE {
        return Some(default);
    }
    named_dtype(types, ty)
}

/// The scalar of a class by qualified name: `builtins.float`, `numpy.int32`.
pub fn scalar_class(name: &str) -> Option<Scalar> {
    if let Some(short) = name.strip_prefix("builtins.") {
        return Some(match short {
            "bool" => Scalar::Bool,
            "int" => Scalar::Int64,
            "float" => Scalar::Float64,
            "complex" => Scalar::Complex128,
            _ => return None,
        });
    }
    if name == "ml_dtypes.bfloat16" {
        return Some(Scalar::BFloat16);
    }
    let short = name
        .strip_prefix("numpy.")
        .or_else(|| name.strip_prefix("numbra."))?;
    Some(match short {
        "bool_" => Scalar::Bool,
        "int_" | "intp" | "longlong" => Scalar::Int64,
        "uint" | "uintp" | "ulonglong" => Scalar::UInt64,
        "intc" => Scalar::Int32,
        "uintc" => Scalar::UInt32,
        "byte" => Scalar::Int8,
        "ubyte" => Scalar::UInt8,
        "short" => Scalar::Int16,
        "ushort" => Scalar::UInt16,
        "single" => Scalar::Float32,
        "double" => Scalar::Float64,
        "half" => Scalar::Float16,
        "csingle" => Scalar::Complex64,
        "cdouble" => Scalar::Complex128,
        _ => Scalar::ALL.into_iter().find(|s| s.name() == short)?,
    })
}

/// The char sequence of a dtype string: `U5`, `<U5`, `S3`.
fn char_seq_text(types: &Types, text: &str) -> Option<Type> {
    let code = text.trim_start_matches(['<', '=', '|']);
    let count = code.get(1..)?;
    let count: u32 = match count.bytes().all(|byte| byte.is_ascii_digit()) {
        true => count.parse().ok()?,
        false => return None,
    };
    let kind = match code.as_bytes()[0] {
        b'U' if count.checked_mul(4).is_some() => TypeKind::UnicodeCharSeq(count),
        b'S' | b'a' => TypeKind::CharSeq(count),
        _ => return None,
    };
    Some(types.intern(kind))
}

/// The scalar of a dtype string: `float64`, `f8`, `<f8`, `=i4`, `?`, `d`.
pub fn dtype_text(text: &str) -> Option<Scalar> {
    if let Some(scalar) = Scalar::ALL.into_iter().find(|s| s.name() == text) {
        return Some(scalar);
    }
    if let Some(scalar) = scalar_class(&format!("numpy.{text}")) {
        return Some(scalar);
    }
    let code = text.trim_start_matches(['<', '=', '|']);
    Some(match code {
        "?" | "b1" => Scalar::Bool,
        "i1" | "b" => Scalar::Int8,
        "i2" | "h" => Scalar::Int16,
        "i4" | "i" => Scalar::Int32,
        "i8" | "l" | "q" | "int" => Scalar::Int64,
        "u1" | "B" => Scalar::UInt8,
        "u2" | "H" => Scalar::UInt16,
        "u4" | "I" => Scalar::UInt32,
        "u8" | "L" | "Q" | "uint" => Scalar::UInt64,
        "f2" | "e" => Scalar::Float16,
        "f4" | "f" => Scalar::Float32,
        "f8" | "d" | "float" => Scalar::Float64,
        "c8" | "F" => Scalar::Complex64,
        "c16" | "D" | "complex" => Scalar::Complex128,
        _ => return None,
    })
}
