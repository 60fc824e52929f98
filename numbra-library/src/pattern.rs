//! Patterns over argument types, as data.

use crate::dtype::named_dtype;
use numbra_ir::{Const, Scalar, Type, TypeKind, Types};

/// A set of types. Literal and omitted arguments match as the type of their value, except for the `Literal*` patterns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TypePattern {
    /// Any type.
    Any,
    /// `none`, also an omitted `None`.
    None,
    /// `bool`
    Bool,
    /// An integer, not `bool`.
    Int,
    /// An integer that counts or says where, of a body of the prelude: a `uint64` is an `int64` there, and OverflowError if it
    /// is beyond that.
    Count,
    /// An integer or `bool`.
    Integral,
    /// A real float.
    Float,
    /// `bool`, integer or float.
    Real,
    /// Complex.
    Complex,
    /// Any scalar: `bool`, integer, float, complex.
    Scalar,
    /// A date or a duration.
    Time,
    /// A duration.
    Duration,
    /// Exactly this scalar.
    Is(Scalar),
    /// A constant integer.
    LiteralInt,
    /// A constant string.
    LiteralStr,
    /// Any constant.
    Literal,
    /// `OptionalType(..)`
    Optional,
    /// A string.
    Unicode,
    /// Any array.
    Array,
    /// An array of this rank.
    ArrayNd(u8),
    /// `bytes`, `bytearray`, `memoryview`, `array.array`.
    Buffer,
    /// A record.
    Record,
    /// A char sequence of either kind.
    CharSeq,
    /// A string or a char sequence of characters.
    Text,
    /// Those, `bytes`, and char sequences of bytes.
    AnyText,
    /// An array or a scalar (a number or a time): an operand of a ufunc.
    ArrayLike,
    /// Any tuple, named ones included.
    Tuple,
    /// `UniTuple(..)`
    UniTuple,
    /// `Tuple()`
    EmptyTuple,
    /// A tuple of integers; also the empty one.
    IntTuple,
    /// An integer or a tuple of integers: a shape.
    ShapeLike,
    /// A tuple of arrays, at least one.
    ArrayTuple,
    /// A slice, constant or not.
    Slice,
    /// A slice of constants.
    SliceLiteral,
    /// `...`
    Ellipsis,
    /// A basic index: integer, slice, `None`, `...`, or a tuple of these.
    BasicIndex,
    /// `range_state_*`
    Range,
    /// A list.
    List,
    /// A list display of items without a common type.
    LiteralList,
    /// A display of a dictionary whose values have no common type.
    LiteralDict,
    /// A set.
    Set,
    /// What `bool(x)` takes.
    HasTruth,
    /// Dictionaries.
    Dict,
    /// Views of dictionaries.
    DictView,
    /// Anything with a length of its own to iterate: range, array, homogeneous tuple, list, set, iterator.
    Iterable,
    /// An iterator.
    Iterator,
    /// Something that names a dtype: `dtype(..)`, a scalar class, a constant string, `None` (float64).
    DTypeLike,
    /// `dtype(..)`
    DType,
    /// An address in memory.
    Pointer,
    /// `array.flat`
    Flat,
    /// One of these.
    OneOf(&'static [TypePattern]),
}

impl TypePattern {
    /// True if `ty` is in the set.
    pub fn matches(&self, types: &Types, ty: Type) -> bool {
        let raw = types.kind(ty);
        match self {
            TypePattern::Any => return true,
            TypePattern::LiteralInt => {
                return matches!(raw, TypeKind::Literal(Const::Int(_)));
            }
            TypePattern::LiteralStr => return matches!(raw, TypeKind::Literal(Const::Str(_))),
            TypePattern::Literal => {
                return matches!(raw, TypeKind::Literal(_) | TypeKind::SliceLiteral(_));
            }
            TypePattern::DTypeLike => {
                return named_dtype(types, ty).is_some() || plain(types, ty) == Type::NONE;
            }
            TypePattern::Flat => {
                return matches!(raw, TypeKind::BoundMethod { method, .. } if method == "flat");
            }
            TypePattern::SliceLiteral => return matches!(raw, TypeKind::SliceLiteral(_)),
            TypePattern::OneOf(patterns) => {
                return patterns.iter().any(|p| p.matches(types, ty));
            }
            _ => {}
        }
        let ty = plain(types, ty);
        let scalar = types.as_scalar(ty);
        let is = |test: fn(Scalar) -> bool| scalar.is_some_and(test);
        match self {
            TypePattern::None => ty == Type::NONE,
            TypePattern::Bool => scalar == Some(Scalar::Bool),
            TypePattern::Int | TypePattern::Count => is(Scalar::is_int),
            TypePattern::Integral => is(|s| s.is_int() || s == Scalar::Bool),
            TypePattern::Float => is(Scalar::is_float),
            TypePattern::Real => is(|s| !s.is_complex()),
            TypePattern::Complex => is(Scalar::is_complex),
            TypePattern::Scalar => scalar.is_some(),
            TypePattern::Time => types.as_time(ty).is_some(),
            TypePattern::Duration => types.as_time(ty).is_some_and(|time| !time.is_date),
            TypePattern::Is(which) => scalar == Some(*which),
            TypePattern::Optional => matches!(types.kind(ty), TypeKind::Optional(_)),
            TypePattern::Unicode => ty == Type::UNICODE,
            TypePattern::Array => types.as_array(ty).is_some(),
            TypePattern::ArrayNd(ndim) => types.as_array(ty).is_some_and(|a| a.ndim == *ndim),
            TypePattern::Buffer => types.as_buffer(ty).is_some() && types.as_array(ty).is_none(),
            TypePattern::Record => types.as_record(ty).is_some(),
            TypePattern::AnyText => {
                ty == Type::UNICODE || ty == Type::BYTES || types.as_char_seq(ty).is_some()
            }
            TypePattern::CharSeq => types.as_char_seq(ty).is_some(),
            TypePattern::Text => {
                ty == Type::UNICODE || matches!(types.kind(ty), TypeKind::UnicodeCharSeq(_))
            }
            TypePattern::ArrayLike => {
                scalar.is_some() || types.as_array(ty).is_some() || types.as_time(ty).is_some()
            }
            TypePattern::Tuple => types.tuple_items(ty).is_some(),
            TypePattern::UniTuple => types.uniform_tuple(ty).is_some(),
            TypePattern::EmptyTuple => types.tuple_items(ty).is_some_and(|items| items.is_empty()),
            TypePattern::IntTuple => all_items(types, ty, TypePattern::Int, 0),
            TypePattern::ShapeLike => {
                is(Scalar::is_int) || all_items(types, ty, TypePattern::Int, 0)
            }
            TypePattern::ArrayTuple => all_items(types, ty, TypePattern::Array, 1),
            TypePattern::Slice => ty == Type::SLICE2 || ty == Type::SLICE3,
            TypePattern::Ellipsis => ty == Type::ELLIPSIS,
            TypePattern::BasicIndex => {
                is_basic_index(types, ty)
                    || types
                        .tuple_items(ty)
                        .is_some_and(|items| items.iter().all(|t| is_basic_index(types, *t)))
            }
            TypePattern::Range => matches!(types.kind(ty), TypeKind::Range(_)),
            TypePattern::List => types.as_list(ty).is_some(),
            TypePattern::LiteralList => matches!(types.kind(ty), TypeKind::LiteralList(_)),
            TypePattern::LiteralDict => matches!(types.kind(ty), TypeKind::LiteralDict { .. }),
            TypePattern::Set => types.as_set(ty).is_some(),
            TypePattern::HasTruth => types.has_truth(ty),
            TypePattern::Dict => types.as_dict(ty).is_some(),
            TypePattern::DictView => matches!(types.kind(ty), TypeKind::DictView { .. }),
            TypePattern::Pointer => matches!(types.kind(ty), TypeKind::Pointer(_)),
            // Arrays without axes are refused by name.
            TypePattern::Iterable => types.iterator(ty).is_some() || types.as_buffer(ty).is_some(),
            TypePattern::Iterator => types.kind(ty).is_iterator(),
            TypePattern::DType => matches!(types.kind(ty), TypeKind::DType(_)),
            TypePattern::Any
            | TypePattern::LiteralInt
            | TypePattern::LiteralStr
            | TypePattern::Literal
            | TypePattern::DTypeLike
            | TypePattern::Flat
            | TypePattern::SliceLiteral
            | TypePattern::OneOf(_) => false,
        }
    }
}

impl TypePattern {
    /// The type that an argument has in a body of the prelude.
    pub fn as_passed(&self, types: &Types, ty: Type) -> Type {
        match self {
            TypePattern::Count if plain(types, ty) == Type::UINT64 => Type::INT64,
            _ => types.unliteral(ty),
        }
    }

    /// The pattern in words, for tables and messages.
    pub fn describe(&self) -> String {
        let text = match self {
            TypePattern::Any => "any",
            TypePattern::None => "None",
            TypePattern::Bool => "bool",
            TypePattern::Int | TypePattern::Count => "integer",
            TypePattern::Integral => "integer or bool",
            TypePattern::Float => "float",
            TypePattern::Real => "real",
            TypePattern::Complex => "complex",
            TypePattern::Scalar => "number",
            TypePattern::Time => "date or duration",
            TypePattern::Duration => "duration",
            TypePattern::Is(scalar) => scalar.name(),
            TypePattern::LiteralInt => "constant integer",
            TypePattern::LiteralStr => "constant string",
            TypePattern::Literal => "constant",
            TypePattern::Optional => "optional",
            TypePattern::Unicode => "str",
            TypePattern::Array => "array",
            TypePattern::ArrayNd(ndim) => return format!("{ndim}-d array"),
            TypePattern::Buffer => "buffer",
            TypePattern::Record => "record",
            TypePattern::CharSeq => "char sequence",
            TypePattern::Text => "str or char sequence",
            TypePattern::AnyText => "str, bytes or char sequence",
            TypePattern::ArrayLike => "number or array",
            TypePattern::Tuple => "tuple",
            TypePattern::UniTuple => "homogeneous tuple",
            TypePattern::EmptyTuple => "empty tuple",
            TypePattern::IntTuple => "tuple of integers",
            TypePattern::ShapeLike => "integer or tuple of integers",
            TypePattern::ArrayTuple => "tuple of arrays",
            TypePattern::Slice => "slice",
            TypePattern::SliceLiteral => "constant slice",
            TypePattern::Ellipsis => "`...`",
            TypePattern::BasicIndex => "basic index",
            TypePattern::Range => "range",
            TypePattern::List => "list",
            TypePattern::LiteralList => "list of items of different types",
            TypePattern::LiteralDict => "dict of values of different types",
            TypePattern::Set => "set",
            TypePattern::HasTruth => "what has a truth value",
            TypePattern::Dict => "dict",
            TypePattern::DictView => "keys, values or items of a dict",
            TypePattern::Iterable => "iterable",
            TypePattern::Iterator => "iterator",
            TypePattern::DTypeLike => "dtype or None",
            TypePattern::DType => "dtype",
            TypePattern::Pointer => "pointer",
            TypePattern::Flat => "array.flat",
            TypePattern::OneOf(patterns) => {
                let texts: Vec<String> = patterns.iter().map(TypePattern::describe).collect();
                return texts.join(" or ");
            }
        };
        text.to_owned()
    }
}

/// The type of the argument's value: without literal or omitted marks.
pub fn plain(types: &Types, ty: Type) -> Type {
    match types.kind(ty) {
        TypeKind::Omitted(value) => type_of_const(types, value),
        TypeKind::EnumMember {
            dtype,
            is_int: true,
            ..
        } => *dtype,
        // A shape of such members.
        TypeKind::UniTuple(item, n) if types.as_enum(*item).is_some_and(|(_, is_int)| is_int) => {
            types.intern(TypeKind::UniTuple(plain(types, *item), *n))
        }
        _ => types.unliteral(ty),
    }
}

/// The type that an integer which counts or says where is passed as: `int64`. A `uint64` stays what it is, for whoever uses it
/// has to say what one beyond `int64` means.
pub(crate) fn count(types: &Types, ty: Type) -> Type {
    match plain(types, ty) {
        Type::UINT64 => Type::UINT64,
        _ => Type::INT64,
    }
}

/// The type that a constant has as a value.
pub fn type_of_const(types: &Types, value: &Const) -> Type {
    match value {
        Const::None => Type::NONE,
        Const::Ellipsis => Type::ELLIPSIS,
        Const::Bool(_) => Type::BOOL,
        Const::Int(_) => Type::INT64,
        Const::BigInt(v) => {
            if u64::try_from(v).is_ok() {
                Type::UINT64
            } else {
                Type::UNDEFINED
            }
        }
        Const::Float(_) => Type::FLOAT64,
        Const::Complex(..) => Type::COMPLEX128,
        Const::Str(_) => Type::UNICODE,
        Const::Bytes(_) => Type::BYTES,
        Const::Tuple(items) => {
            let items: Vec<Type> = items.iter().map(|c| type_of_const(types, c)).collect();
            types.tuple(&items)
        }
        Const::Slice(parts) => {
            if parts[2] == Const::None {
                Type::SLICE2
            } else {
                Type::SLICE3
            }
        }
    }
}

fn all_items(types: &Types, ty: Type, pattern: TypePattern, least: usize) -> bool {
    types.tuple_items(ty).is_some_and(|items| {
        items.len() >= least && items.iter().all(|item| pattern.matches(types, *item))
    })
}

fn is_basic_index(types: &Types, ty: Type) -> bool {
    let ty = plain(types, ty);
    types.as_scalar(ty).is_some_and(Scalar::is_int)
        || ty == Type::SLICE2
        || ty == Type::SLICE3
        || ty == Type::NONE
        || ty == Type::ELLIPSIS
}
