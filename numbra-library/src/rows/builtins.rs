//! Python's builtin functions.

use super::sigs::{ABS, F32, F64, I64, POW, U64, sigs};
use super::text::MAKES;
use super::{literal_dicts, literal_lists, operators, text, tuples, ufuncs};
use crate::pattern::plain;
use crate::row_macro::{
    cases, cases_of, guarded, guarded_native, guarded_on_gpu, guarded_prelude, native, on_arrays,
    on_gpu, prelude, prelude_at, rule,
};
use crate::rules::{array, scalar_at, to_bool, to_int64};
use crate::{
    ArrayAttr, Body, DictOp, DivModel, Effects, ListOp, Mismatch, Op, ResultCx, Rounding, SetOp,
    Targets, TypePattern as P, named_dtype,
};
use numbra_ir::lattice::rate;
use numbra_ir::{BufferClass, Const, ListClass, Scalar, Signature, Type, TypeKind, Types};

/// Numbers whose text follows from their value alone.
const WIDE: &[P] = &[P::OneOf(&[
    P::Int,
    P::Is(Scalar::Float64),
    P::Is(Scalar::Complex128),
])];

/// Numbers with fewer digits.
const NARROW: &[P] = &[P::OneOf(&[
    P::Is(Scalar::Float32),
    P::Is(Scalar::Complex64),
])];

/// A format specification, if one is given.
const SPEC: P = P::OneOf(&[P::Text, P::None]);

library! {
    /// `|x|`
    fn builtins.abs(x) {
        bodies: &[cases(ABS, Op::Abs), on_arrays(&ufuncs::ABSOLUTE)],
    }
    /// The smallest of two or more numbers, at their common type, or strings, or of the items of one iterable. Of floats on a
    /// GPU, a NaN loses.
    fn builtins.min(*args) {
        effects: Effects::RAISE.and(Effects::READ),
        bodies: &[
            rule(&[P::Scalar], extreme, Op::Min),
            rule(&[P::Time], time_extreme, Op::Min),
            prelude_at(&[P::Text], text_extreme, "min_of_iterable"),
            rule(&[P::Tuple], tuples::extreme, Op::TupleMin),
            guarded_prelude(&[P::Iterable], is_single, "min_of_iterable"),
        ],
    }
    /// The greatest of two or more numbers, at their common type, or strings, or of the items of one iterable. Of floats on a
    /// GPU, a NaN loses.
    fn builtins.max(*args) {
        effects: Effects::RAISE.and(Effects::READ),
        bodies: &[
            rule(&[P::Scalar], extreme, Op::Max),
            rule(&[P::Time], time_extreme, Op::Max),
            prelude_at(&[P::Text], text_extreme, "max_of_iterable"),
            rule(&[P::Tuple], tuples::extreme, Op::TupleMax),
            guarded_prelude(&[P::Iterable], is_single, "max_of_iterable"),
        ],
    }
    /// The first item that is smallest by `key`; without items `default`, or ValueError.
    step extreme.min_by(iterable, key, default = Unset) {
        effects: Effects::RAISE.and(Effects::READ),
        bodies: &[
            guarded_prelude(&[P::Iterable, P::None], is_pair, "min_without_key"),
            prelude(&[P::Iterable, P::None, P::Any], "min_or"),
            guarded_prelude(&[P::Iterable, P::Any], is_pair, "min_by"),
            prelude(&[P::Iterable, P::Any, P::Any], "min_by_or"),
        ],
    }
    /// The first item that is greatest by `key`; without items `default`, or ValueError.
    step extreme.max_by(iterable, key, default = Unset) {
        effects: Effects::RAISE.and(Effects::READ),
        bodies: &[
            guarded_prelude(&[P::Iterable, P::None], is_pair, "max_without_key"),
            prelude(&[P::Iterable, P::None, P::Any], "max_or"),
            guarded_prelude(&[P::Iterable, P::Any], is_pair, "max_by"),
            prelude(&[P::Iterable, P::Any, P::Any], "max_by_or"),
        ],
    }
    /// CPython's hash of a number, of text, or of a tuple of these; that of a NaN is 0.
    fn builtins.hash(x) method [bool.__hash__, int.__hash__, float.__hash__, complex.__hash__, str.__hash__, tuple.__hash__] {
        effects: Effects::READ, targets: crate::Targets::Cpu,
        bodies: &[on_gpu(&[P::Int], "device_hash"), native(&[P::OneOf(&[P::Scalar, P::AnyText, P::Tuple])], tuples::hash, "numbra_np_hash"), rule(&[P::Time], to_int64, Op::Convert)],
    }
    /// Sum of the items of an iterable, from left to right.
    fn builtins.sum(iterable, start = Int(0)) {
        effects: Effects::READ,
        bodies: &[
            rule(&[P::Tuple, P::Scalar], tuples::sum, Op::TupleSum),
            prelude(&[P::Iterable, P::OneOf(&[P::Scalar, P::Time])], "sum_of_iterable"),
            // Each sum is a new array.
            Body { on: Targets::Cpu, ..prelude(&[P::Iterable, P::Array], "sum_of_iterable") },
            rule(&[P::Any, P::Any], sum_of_text, Op::NoneValue),
        ],
    }
    /// `getattr(object, name)` of an attribute that the object has not: AttributeError.
    step attribute.missing(object, name) {
        effects: Effects::RAISE, targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::LiteralStr], no_attribute, Op::NoAttribute)],
    }
    /// The value itself; of an optional what it holds, TypeError if that is `None`.
    step optional.value(x) {
        effects: Effects::RAISE,
        bodies: &[rule(&[P::Any], unwrapped, Op::Identity)],
    }
    /// Number of items.
    fn builtins.len(x) method [str.__len__] {
        effects: Effects::READ,
        bodies: &[
            rule(&[P::Array], to_int64, Op::ArrayLen),
            rule(&[P::Tuple], tuples::len, Op::TupleLen),
            rule(&[P::Range], to_int64, Op::RangeLen),
            rule(&[P::OneOf(&[P::Unicode, P::CharSeq])], to_int64, Op::CharSeqLen),
            rule(&[P::List], to_int64, Op::List(ListOp::Len)),
            rule(&[P::Flat], to_int64, Op::ArrayAttr(ArrayAttr::Size)),
            rule(&[P::Set], to_int64, Op::Set(SetOp::Len)),
            rule(&[P::OneOf(&[P::Dict, P::DictView])], to_int64, Op::Dict(DictOp::Len)),
            rule(&[P::Buffer], to_int64, Op::ArrayLen),
            rule(&[P::LiteralList], literal_lists::len, Op::Constant),
            rule(&[P::LiteralDict], literal_dicts::len, Op::Constant),
        ],
    }
    /// The text of a string or char sequence; other values as Python writes them.
    fn builtins.str(x, encoding = Unset, errors = Unset) method [str.__str__, bool.__str__, int.__str__, float.__str__, complex.__str__, tuple.__str__] {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[
            rule(&[P::Text], str, Op::Identity),
            guarded_native(&[P::AnyText, P::Text, P::Text], takes_bytes_with_errors, text::decode, "numbra_np_str_decode"),
            guarded_native(&[P::AnyText, P::Text], takes_bytes_in_a_codec, text::decode, "numbra_np_str_decode_strictly"),
            native(&[P::Bool], str, "numbra_np_str_of_bool"),
            native(WIDE, str, "numbra_np_str_of_number"),
            native(NARROW, str, "numbra_np_str_of_narrow_number"),
            native(&[P::None], str, "numbra_np_str_of_none"),
            prelude(&[P::Optional], "str_of_optional"),
            guarded(&[P::Any], is_written, str, Op::TextOf(false)),
        ],
    }
    /// A number or string by a format specification: `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`; a `bool`
    /// is an integer, a `float32` the `float64` of its value. What a field of an f-string makes.
    fn builtins.format(x, spec = None) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[
            native(&[P::Text, SPEC], text::to_text, "numbra_np_str_format"),
            native(&[P::Bool, SPEC], format, "numbra_np_str_format_bool"),
            native(&[P::Scalar, SPEC], format, "numbra_np_str_format"),
            native(&[P::None, SPEC], format, "numbra_np_str_format_none"),
            prelude(&[P::Optional, SPEC], "format_of_optional"),
            guarded(&[P::Any, P::None], is_written, format_as_str, Op::TextOf(false)),
        ],
    }
    /// A value as Python writes it in a program.
    fn builtins.repr(x) method [str.__repr__, bool.__repr__, int.__repr__, float.__repr__, complex.__repr__, tuple.__repr__] {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[
            native(&[P::Text], text::to_text, "numbra_np_str_repr"),
            native(&[P::Bool], str, "numbra_np_str_of_bool"),
            native(WIDE, str, "numbra_np_str_of_number"),
            native(&[P::None], str, "numbra_np_str_of_none"),
            native(&[P::AnyText], repr_of_bytes, "numbra_np_str_repr"),
            prelude(&[P::Optional], "repr_of_optional"),
            guarded(&[P::Any], is_written, str, Op::TextOf(true)),
        ],
    }
    /// The number of a character; TypeError for a string of another length than 1.
    fn builtins.ord(c) {
        effects: Effects::READ.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[native(&[P::Text], text::to_number, "numbra_np_str_ord")],
    }
    /// The string of the character with a number; ValueError for numbers that no character has.
    fn builtins.chr(i) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Int], chr, "numbra_np_str_chr")],
    }
    /// The bytes of a char sequence, without the zeros at its end, or of a buffer; those that the integers of a list, a tuple or an
    /// array are; so many zeros; a text in a codec.
    fn builtins.bytes(x, encoding = Unset, errors = Unset) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[
            rule(&[P::OneOf(&[P::CharSeq, P::Buffer])], bytes, Op::Identity),
            native(&[P::OneOf(&[P::Int, P::List, P::IntTuple, P::ArrayNd(1), P::Buffer])], bytes_of, "numbra_np_str_bytes"),
            guarded_native(&[P::Text, P::Text, P::Text], has_errors, text::encode, "numbra_np_str_encode"),
            guarded_native(&[P::Text, P::Text], has_codec, text::encode, "numbra_np_str_encode_strictly"),
        ],
    }
    /// An integer to base 16, with its prefix.
    fn builtins.hex(number) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Integral], str, "numbra_np_str_of_hex")],
    }
    /// An integer to base 8, with its prefix.
    fn builtins.oct(number) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Integral], str, "numbra_np_str_of_oct")],
    }
    /// An integer to base 2, with its prefix.
    fn builtins.bin(number) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Integral], str, "numbra_np_str_of_bin")],
    }
    /// As `repr`, with escapes for characters that are not ASCII.
    fn builtins.ascii(object) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[
            native(&[P::AnyText], repr_of_bytes, "numbra_np_str_ascii"),
            native(&[P::Bool], str, "numbra_np_str_of_bool"),
            native(WIDE, str, "numbra_np_str_of_number"),
            native(&[P::None], str, "numbra_np_str_of_none"),
        ],
    }
    /// Truth value.
    fn builtins.bool(x = Bool(false)) {
        bodies: &[rule(&[operators::TRUTHY], to_bool, Op::Truth)],
    }
    /// Nearest integer, ties to even; with `ndigits` a float rounded to that many decimals.
    fn builtins.round(x, ndigits = Unset) {
        bodies: &[
            guarded_on_gpu(&[P::Is(F64), P::Int], |_, args| args.len() == 2, "device_round_digits"), guarded_on_gpu(&[P::Is(F32), P::Int], |_, args| args.len() == 2, "device_round_single"),
            cases_of(&[P::Is(U64)], sigs![U64 => U64], Op::Identity),
            cases_of(&[P::Integral], sigs![I64 => I64], Op::Identity),
            cases(sigs![F32 => I64; F64 => I64], Op::RoundToInt(Rounding::Nearest)),
            cases(sigs![F32, I64 => F32; F64, I64 => F64], Op::RoundDigits),
        ],
    }
    /// `(x // y, x % y)`; by zero raises ZeroDivisionError under the `python` error model.
    fn builtins.divmod(x, y) {
        effects: Effects::RAISE,
        bodies: &[rule(&[P::Real, P::Real], divmod, Op::DivMod(DivModel::Python))],
    }
    /// `x ** y`
    fn builtins.pow(x, y) {
        effects: Effects::RAISE,
        bodies: &[
            cases(POW, Op::Pow(DivModel::Python)),
            on_arrays(&ufuncs::POWER),
        ],
    }
    /// True if `x` is of one of the classes, decided by type. `int`, `float` and `complex` stand for int64, float64
    /// and complex128, as in Numba.
    fn builtins.isinstance(x, classes) {
        bodies: &[rule(&[P::Any, P::Any], isinstance, Op::Constant)],
    }
    /// Whether an item is true.
    fn builtins.any(iterable) {
        effects: Effects::READ,
        bodies: &[prelude(&[P::Iterable], "any_of_iterable")],
    }
    /// Whether no item is false.
    fn builtins.all(iterable) {
        effects: Effects::READ,
        bodies: &[prelude(&[P::Iterable], "all_of_iterable")],
    }
    /// The class of a number.
    fn builtins.type(x) {
        bodies: &[rule(&[P::Scalar], type_of, Op::NoneValue)],
    }
    /// Prints its arguments separated by spaces, then a newline.
    fn builtins.print(*args) {
        effects: Effects::IO.and(Effects::READ).and(Effects::RAISE), targets: crate::Targets::Cpu,
        bodies: &[rule(&[], print, Op::Print)],
    }
    /// The only element of an array, or the number itself: `x.item()`.
    method array.item(x) {
        effects: Effects::READ.and(Effects::RAISE),
        bodies: &[rule(&[P::Array], item, Op::ArrayItem)],
    }
}

/// The only element.
fn item(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    cx.returns(a.dtype)
}

/// `min(x)`, `max(x)`: one argument.
fn is_single(_: &Types, args: &[Type]) -> bool {
    args.len() == 1
}

/// `min`, `max` of two or more numbers: their unified type, to which all are converted.
fn extreme(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    if cx.args.is_empty() {
        return Err(Mismatch::rejected("expected at least 1 argument, got 0"));
    }
    if cx.args.len() < 2 {
        return Err(Mismatch::rejected(
            "min and max of numbers need at least two",
        ));
    }
    let mut ret = cx.plain(0);
    for i in 0..cx.args.len() {
        if scalar_at(cx, i)?.is_complex() {
            return Err(Mismatch::rejected("complex numbers have no order"));
        }
        ret = cx
            .unify(ret, cx.plain(i))
            .ok_or_else(|| Mismatch::rejected("the arguments have no common type"))?;
    }
    Ok(Signature {
        params: vec![ret; cx.args.len()],
        ret,
    })
}

/// There are two arguments.
fn is_pair(_: &Types, args: &[Type]) -> bool {
    args.len() == 2
}

/// `min`, `max` of two or more strings, which the body takes as a tuple.
fn text_extreme(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    if cx.args.len() < 2 {
        return Err(Mismatch::rejected("there is one string only"));
    }
    let texts = vec![Type::UNICODE; cx.args.len()];
    Ok(Signature {
        params: vec![cx.types.tuple(&texts)],
        ret: Type::UNDEFINED,
    })
}

/// An attribute that there is not.
fn no_attribute(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: vec![cx.plain(0), cx.arg(1)],
        ret: Type::NONE,
    })
}

/// The value in an optional.
fn unwrapped(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let ty = match cx.types.kind(cx.plain(0)) {
        TypeKind::Optional(inner) => *inner,
        _ => cx.plain(0),
    };
    Ok(Signature {
        params: vec![ty],
        ret: ty,
    })
}

/// `min`, `max` of two or more dates or durations, in the finest of their units.
fn time_extreme(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let no_order = || Mismatch::rejected("the arguments have no order");
    if cx.args.len() < 2 {
        return Err(no_order());
    }
    let mut ret = cx.plain(0);
    for i in 1..cx.args.len() {
        ret = cx.unify(ret, cx.plain(i)).ok_or_else(no_order)?;
    }
    if cx.types.as_time(ret).is_none() {
        return Err(no_order());
    }
    Ok(Signature {
        params: vec![ret; cx.args.len()],
        ret,
    })
}

/// `divmod(x, y)`: a pair of the type that `//` computes in.
fn divmod(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let candidates = [Type::INT64, Type::UINT64, Type::FLOAT32, Type::FLOAT64];
    let item = best(cx, &candidates)?;
    Ok(Signature {
        params: vec![item; cx.args.len()],
        ret: cx.types.tuple(&[item, item]),
    })
}

/// The candidate that all arguments convert to most cheaply; the earliest of equals.
pub(crate) fn best(cx: &ResultCx<'_>, candidates: &[Type]) -> Result<Type, Mismatch> {
    let args: Vec<Type> = cx.args.iter().map(|ty| plain(cx.types, *ty)).collect();
    candidates
        .iter()
        .filter_map(|item| {
            let formal = vec![*item; args.len()];
            Some((rate(cx.types, cx.ext, &args, &formal)?, *item))
        })
        .min_by_key(|(rating, _)| *rating)
        .map(|(_, item)| item)
        .ok_or_else(|| Mismatch::rejected("the arguments do not convert to one number type"))
}

/// `print(..)`: constant strings stay constants.
fn print(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let params = cx
        .args
        .iter()
        .map(|ty| match cx.types.kind(*ty) {
            TypeKind::Literal(Const::Str(_)) => *ty,
            _ => plain(cx.types, *ty),
        })
        .collect();
    Ok(Signature {
        params,
        ret: Type::NONE,
    })
}

/// `bytes(x)`
fn bytes(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match cx.types.kind(cx.plain(0)) {
        TypeKind::CharSeq(_) | TypeKind::Bytes => cx.returns(Type::BYTES),
        _ => Err(Mismatch::rejected("bytes() takes bytes")),
    }
}

/// `repr(x)` of bytes.
fn repr_of_bytes(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        ret: Type::UNICODE,
        ..text::to_text(cx)?
    })
}

/// `format(x)`
fn format_as_str(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(Type::UNICODE)
}

/// True for containers, arrays, times and the like, which `print` writes.
pub(crate) fn is_written(types: &Types, args: &[Type]) -> bool {
    fn writes(types: &Types, ty: Type) -> bool {
        if let Some(items) = types.tuple_items(ty) {
            return items.iter().all(|item| writes(types, *item));
        }
        if let Some((item, _)) = types.as_list(ty) {
            return writes(types, item);
        }
        match types.kind(ty) {
            TypeKind::Optional(inner) => writes(types, *inner),
            TypeKind::Literal(_) | TypeKind::None | TypeKind::Unicode => true,
            TypeKind::Set { dtype, .. } => writes(types, *dtype),
            TypeKind::Dict { key, value } => writes(types, *key) && writes(types, *value),
            _ => {
                let scalar = types.as_scalar(ty);
                scalar.is_some_and(|scalar| !matches!(scalar, Scalar::Float16 | Scalar::BFloat16))
                    || types.as_buffer(ty).is_some()
                    || types.as_time(ty).is_some()
                    || types.as_char_seq(ty).is_some()
                    || types.as_record(ty).is_some()
                    || types.as_enum(ty).is_some()
            }
        }
    }
    args.first()
        .is_some_and(|ty| writes(types, plain(types, *ty)))
}

/// `bytes(x)` of a number, or of integers.
fn bytes_of(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let ty = cx.plain(0);
    let item = match (cx.types.as_list(ty), cx.types.as_buffer(ty)) {
        (Some((item, _)), _) => item,
        (_, Some(array)) => array.dtype,
        _ if P::Int.matches(cx.types, ty) => return takes(cx.count(0)),
        _ => return takes(ty),
    };
    fn takes(param: Type) -> Result<Signature, Mismatch> {
        Ok(Signature {
            params: vec![param],
            ret: Type::BYTES,
        })
    }
    match cx.types.as_scalar(item).is_some_and(Scalar::is_int) {
        true => takes(match cx.types.as_buffer(ty) {
            Some(array) if cx.types.as_array(ty).is_none() => {
                cx.types.intern(TypeKind::Array(array))
            }
            _ => ty,
        }),
        false => Err(Mismatch::rejected("bytes() takes integers")),
    }
}

/// True for a call with an encoding.
fn has_codec(_: &Types, args: &[Type]) -> bool {
    args.len() == 2
}

/// True for a call with an encoding and what is done with errors.
fn has_errors(_: &Types, args: &[Type]) -> bool {
    args.len() == 3
}

/// True for a call on bytes with an encoding and what is done with errors.
fn takes_bytes_with_errors(types: &Types, args: &[Type]) -> bool {
    args.len() == 3 && text::takes_bytes(types, args)
}

/// True for a call on bytes with an encoding.
fn takes_bytes_in_a_codec(types: &Types, args: &[Type]) -> bool {
    args.len() == 2 && text::takes_bytes(types, args)
}

/// `str(x)`
fn str(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(Type::UNICODE)
}

/// `format(x, spec)` of a number: at the width that Python's numbers have.
pub(crate) fn format(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let scalar = cx.types.as_scalar(cx.plain(0));
    let spec = match cx.plain(1) {
        Type::NONE => Type::NONE,
        _ => Type::UNICODE,
    };
    let number = match scalar {
        Some(scalar) if scalar.is_complex() => Type::COMPLEX128,
        Some(scalar) if scalar.is_float() => Type::FLOAT64,
        _ => cx.plain(0),
    };
    Ok(Signature {
        params: vec![number, spec],
        ret: Type::UNICODE,
    })
}

/// `chr(x)`
fn chr(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: vec![cx.count(0)],
        ret: Type::UNICODE,
    })
}

/// `isinstance(x, classes)`: known by type.
fn isinstance(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let classes = match cx.types.tuple_items(cx.arg(1)) {
        Some(items) => items,
        None => vec![cx.arg(1)],
    };
    let mut found = false;
    // As in Python, the first that fits decides.
    for class in classes {
        found = found || is_instance(cx, cx.plain(0), class)?;
    }
    Ok(Signature {
        params: vec![cx.plain(0), cx.arg(1)],
        ret: cx.types.intern(TypeKind::Literal(Const::Bool(found))),
    })
}

fn is_instance(cx: &ResultCx<'_>, ty: Type, class: Type) -> Result<bool, Mismatch> {
    if matches!(cx.types.kind(ty), TypeKind::Optional(_)) {
        return Err(Mismatch::error(format!(
            "isinstance cannot handle optional types. Found: {}",
            cx.show(ty)
        )));
    }
    let scalar = cx.types.as_scalar(ty);
    let name = match cx.types.kind(class) {
        TypeKind::Class(name) | TypeKind::Function { name, .. } => name.as_str(),
        TypeKind::NumberClass(item) | TypeKind::TypeRef(item) | TypeKind::DType(item) => {
            return Ok(*item == ty);
        }
        TypeKind::Dispatcher { id, .. } if cx.made_by(*id).is_some() => {
            return Ok(cx.made_by(*id) == Some(ty));
        }
        _ => {
            return Err(Mismatch::error(format!(
                "Cannot infer Numba type of Python type {}",
                cx.show(class)
            )));
        }
    };
    let is = |test: fn(Scalar) -> bool| scalar.is_some_and(test);
    Ok(match name {
        // Python's classes stand for one type each, as in Numba.
        "builtins.int" => scalar == Some(Scalar::Int64),
        "builtins.float" => scalar == Some(Scalar::Float64),
        "builtins.complex" => scalar == Some(Scalar::Complex128),
        "builtins.bool" | "numpy.bool_" | "numpy.bool" => scalar == Some(Scalar::Bool),
        "builtins.str" => ty == Type::UNICODE,
        "builtins.bytes" => ty == Type::BYTES,
        "builtins.tuple" => cx.types.tuple_items(ty).is_some(),
        "builtins.list" => {
            (cx.types.as_list(ty)).is_some_and(|(_, class)| class != ListClass::Typed)
        }
        "builtins.range" => matches!(cx.types.kind(ty), TypeKind::Range(_)),
        "builtins.slice" => ty == Type::SLICE2 || ty == Type::SLICE3,
        "builtins.NoneType" | "types.NoneType" => ty == Type::NONE,
        "builtins.set" => (cx.types.as_set(ty)).is_some_and(|(_, class)| class != ListClass::Typed),
        "numbra.typed.typedset.Set" => {
            (cx.types.as_set(ty)).is_some_and(|(_, class)| class == ListClass::Typed)
        }
        "numbra.typed.typedlist.List" => {
            (cx.types.as_list(ty)).is_some_and(|(_, class)| class == ListClass::Typed)
        }
        "builtins.dict" => cx.types.as_dict(ty).is_some() || P::LiteralDict.matches(cx.types, ty),
        "numbra.typed.typeddict.Dict" => cx.types.as_dict(ty).is_some(),
        "numpy.ndarray" => cx.types.as_array(ty).is_some(),
        "numpy.integer" => is(Scalar::is_int),
        "numpy.signedinteger" => is(Scalar::is_signed_int),
        "numpy.unsignedinteger" => is(Scalar::is_unsigned_int),
        "numpy.floating" => is(Scalar::is_float),
        "numpy.complexfloating" => is(Scalar::is_complex),
        "numpy.number" => scalar.is_some_and(|s| s != Scalar::Bool),
        "numpy.generic" | "numbers.Number" => scalar.is_some(),
        _ => match named_dtype(cx.types, class) {
            Some(item) => item == ty,
            None => {
                return Err(Mismatch::error(format!(
                    "Cannot infer Numba type of Python type {}",
                    cx.show(class)
                )));
            }
        },
    })
}

/// `type(x)`: the class of a scalar.
fn type_of(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let ty = cx.plain(0);
    if cx.types.as_scalar(ty).is_none() {
        return Err(Mismatch::rejected("type() takes a number"));
    }
    cx.returns(cx.types.intern(TypeKind::NumberClass(ty)))
}

/// `sum` does not join text.
fn sum_of_text(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Err(Mismatch::error(match cx.types.kind(cx.plain(1)) {
        TypeKind::Unicode => "sum() can't sum strings [use ''.join(seq) instead]",
        TypeKind::Bytes => "sum() can't sum bytes [use b''.join(seq) instead]",
        TypeKind::Buffer {
            class: BufferClass::ByteArray,
            ..
        } => "sum() can't sum bytearray [use b''.join(seq) instead]",
        _ => return Err(Mismatch::rejected("sum needs numbers")),
    }))
}
