//! Result types of builtin functions and scalar classes.

use crate::pattern::plain;
use crate::{Mismatch, ResultCx, named_dtype};
use numbra_ir::lattice::rate;
use numbra_ir::{BufferClass, Const, ListClass, Scalar, Signature, Type, TypeKind, Types};

fn scalar(cx: &ResultCx<'_>, i: usize) -> Result<Scalar, Mismatch> {
    cx.types
        .as_scalar(cx.plain(i))
        .ok_or_else(|| Mismatch::rejected(format!("argument {i} is no number")))
}

/// `int(x)`: an integer keeps its type.
pub(crate) fn int(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match scalar(cx, 0)? {
        s if s.is_int() => cx.returns(cx.types.scalar(s)),
        s if s.is_complex() => Err(Mismatch::rejected("a complex number has no integer value")),
        _ => cx.returns(Type::INT64),
    }
}

/// `float(x)`: float32 stays float32.
pub(crate) fn float(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match scalar(cx, 0)? {
        s if s.is_float() => cx.returns(cx.types.scalar(s)),
        s if s.is_complex() => Err(Mismatch::rejected("a complex number has no float value")),
        _ => cx.returns(Type::FLOAT64),
    }
}

/// `complex(x)`: float32 gives complex64.
pub(crate) fn complex(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match scalar(cx, 0)? {
        Scalar::Float32 => cx.returns(Type::COMPLEX64),
        _ => cx.returns(Type::COMPLEX128),
    }
}

/// `complex(x, y)` of real numbers: complex64 for two float32, else complex128.
pub(crate) fn complex_parts(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (part, ret) = match (scalar(cx, 0)?, scalar(cx, 1)?) {
        (Scalar::Float32, Scalar::Float32) => (Type::FLOAT32, Type::COMPLEX64),
        _ => (Type::FLOAT64, Type::COMPLEX128),
    };
    Ok(Signature {
        params: vec![part; 2],
        ret,
    })
}

/// `min(x)`, `max(x)`: one argument.
pub(crate) fn is_single(_: &Types, args: &[Type]) -> bool {
    args.len() == 1
}

/// `min`, `max` of two or more numbers: their unified type, to which all are converted.
pub(crate) fn extreme(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
        if scalar(cx, i)?.is_complex() {
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

/// `min`, `max` of two or more strings, which the body takes as a tuple.
pub(crate) fn text_extreme(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
pub(crate) fn no_attribute(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: vec![cx.plain(0), cx.arg(1)],
        ret: Type::NONE,
    })
}

/// The value in an optional.
pub(crate) fn unwrapped(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
pub(crate) fn time_extreme(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
pub(crate) fn divmod(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let candidates = [Type::INT64, Type::UINT64, Type::FLOAT32, Type::FLOAT64];
    let item = best(cx, &candidates)?;
    Ok(Signature {
        params: vec![item; cx.args.len()],
        ret: cx.types.tuple(&[item, item]),
    })
}

/// The candidate that all arguments convert to most cheaply; the earliest of equals.
fn best(cx: &ResultCx<'_>, candidates: &[Type]) -> Result<Type, Mismatch> {
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

/// Whether an argument is a signed integer, and no constant from 0 on.
fn may_be_negative(cx: &ResultCx<'_>, i: usize) -> bool {
    let constant = match cx.types.kind(cx.args[i]) {
        TypeKind::Literal(Const::Int(value)) => Some(*value),
        _ => None,
    };
    let signed = scalar(cx, i).is_ok_and(Scalar::is_signed_int);
    signed && constant.is_none_or(|value| value < 0)
}

/// `range(..)`: int32, int64 or, of bounds that are not below 0, uint64, whichever the arguments convert to best. Lowering
/// converts floats, as integers of
/// unlike signs join to, and what has no sign, and looks at the sign of the step.
pub(crate) fn range(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    for i in 0..cx.args.len() {
        if scalar(cx, i)?.is_complex() {
            return Err(Mismatch::rejected("range takes integers"));
        }
    }
    let unsigned = (0..cx.args.len()).any(|i| cx.plain(i) == Type::UINT64);
    let below_zero = (0..cx.args.len().min(2)).any(|i| may_be_negative(cx, i));
    let item = match (unsigned, below_zero) {
        (true, true) => best(cx, &[Type::INT64])?,
        _ => best(cx, &[Type::INT32, Type::INT64, Type::UINT64])?,
    };
    let params = (0..cx.args.len())
        .map(|i| match scalar(cx, i)? {
            s if s.is_float() => Ok(cx.plain(i)),
            Scalar::UInt64 => Ok(Type::UINT64),
            _ if i == 2 && item == Type::UINT64 => Ok(Type::INT64),
            _ => Ok(item),
        })
        .collect::<Result<Vec<Type>, Mismatch>>()?;
    Ok(Signature {
        params,
        ret: cx.types.intern(TypeKind::Range(item)),
    })
}

/// `reversed(range)`: an iterator of unsigned items, whose range may have no stop below 0, else a range.
pub(crate) fn range_reversed(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match cx.types.kind(cx.plain(0)) {
        TypeKind::Range(item)
            if cx
                .types
                .as_scalar(*item)
                .is_some_and(Scalar::is_unsigned_int) =>
        {
            cx.returns(cx.types.intern(TypeKind::RangeIter(*item)))
        }
        TypeKind::Range(_) => cx.returns(cx.plain(0)),
        _ => Err(Mismatch::rejected("no range")),
    }
}

/// `slice(..)`: with a step only if one is given. Floats, as integers of unlike signs join to, and
/// what is too large for an int64 are converted by lowering.
pub(crate) fn slice(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let params = (0..cx.args.len())
        .map(|i| match cx.plain(i) {
            Type::NONE => Ok(Type::NONE),
            ty => match cx.types.as_scalar(ty) {
                Some(Scalar::UInt64) => Ok(Type::UINT64),
                Some(s) if s.is_int() => Ok(Type::INT64),
                Some(s) if s.is_float() => Ok(ty),
                _ => Err(Mismatch::rejected("slice bounds are integers or None")),
            },
        })
        .collect::<Result<Vec<Type>, Mismatch>>()?;
    let ret = match params.len() {
        1 | 2 => Type::SLICE2,
        3 if params[2] == Type::NONE => Type::SLICE2,
        3 => Type::SLICE3,
        _ => return Err(Mismatch::rejected("slice takes one to three arguments")),
    };
    Ok(Signature { params, ret })
}

/// `slice.indices(n)`
pub(crate) fn slice_indices(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: vec![cx.plain(0), cx.count(1)],
        ret: cx.types.tuple(&[Type::INT64; 3]),
    })
}

/// `range.start` and its kin.
pub(crate) fn range_field(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match cx.types.kind(cx.plain(0)) {
        TypeKind::Range(item) => cx.returns(*item),
        _ => Err(Mismatch::rejected("no range")),
    }
}

/// `range.step`: signed, also where the items are not.
pub(crate) fn range_step(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match cx.types.kind(cx.plain(0)) {
        TypeKind::Range(Type::UINT64) => cx.returns(Type::INT64),
        _ => range_field(cx),
    }
}

/// `print(..)`: constant strings stay constants.
pub(crate) fn print(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
pub(crate) fn bytes(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match cx.types.kind(cx.plain(0)) {
        TypeKind::CharSeq(_) | TypeKind::Bytes => cx.returns(Type::BYTES),
        _ => Err(Mismatch::rejected("bytes() takes bytes")),
    }
}

/// `str(x)`
pub(crate) fn str(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
pub(crate) fn chr(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: vec![cx.count(0)],
        ret: Type::UNICODE,
    })
}

/// `isinstance(x, classes)`: known by type.
pub(crate) fn isinstance(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
        "builtins.set" => matches!(cx.types.kind(ty), TypeKind::Set { .. }),
        "numbra.typed.typedlist.List" => {
            (cx.types.as_list(ty)).is_some_and(|(_, class)| class == ListClass::Typed)
        }
        "builtins.dict" | "numbra.typed.typeddict.Dict" => cx.types.as_dict(ty).is_some(),
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
pub(crate) fn type_of(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let ty = cx.plain(0);
    if cx.types.as_scalar(ty).is_none() {
        return Err(Mismatch::rejected("type() takes a number"));
    }
    cx.returns(cx.types.intern(TypeKind::NumberClass(ty)))
}

/// `math.frexp`
pub(crate) fn frexp(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let item = match scalar(cx, 0)? {
        Scalar::Float32 => Type::FLOAT32,
        s if s.is_complex() => return Err(Mismatch::rejected("no real number")),
        _ => Type::FLOAT64,
    };
    Ok(Signature {
        params: vec![item],
        ret: cx.types.tuple(&[item, Type::INT32]),
    })
}

/// `cmath.polar`
pub(crate) fn polar(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (param, part) = match scalar(cx, 0)? {
        Scalar::Complex64 => (Type::COMPLEX64, Type::FLOAT32),
        _ => (Type::COMPLEX128, Type::FLOAT64),
    };
    Ok(Signature {
        params: vec![param],
        ret: cx.types.tuple(&[part, part]),
    })
}

/// `x.real`, `x.imag` of a number: the part type; a real number's own type.
pub(crate) fn part(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match scalar(cx, 0)? {
        Scalar::Complex64 => cx.returns(Type::FLOAT32),
        Scalar::Complex128 => cx.returns(Type::FLOAT64),
        s => cx.returns(cx.types.scalar(s)),
    }
}

/// `x.view(dtype)`
pub(crate) fn view(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let from = scalar(cx, 0)?;
    let Some(to) = named_dtype(cx.types, cx.arg(1)) else {
        return Err(Mismatch::rejected("the dtype is not a known scalar type"));
    };
    match cx.types.as_scalar(to) {
        Some(s) if s.size() == from.size() && !s.is_complex() => Ok(Signature {
            params: vec![cx.plain(0), cx.arg(1)],
            ret: to,
        }),
        _ => Err(Mismatch::error(
            "Changing the dtype of a 0d array is only supported if the itemsize is unchanged",
        )),
    }
}

/// `sum` does not join text.
pub(crate) fn sum_of_text(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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

/// A scalar class does not convert arrays.
pub(crate) fn cast_of_array(cx: &ResultCx<'_>, to: Type) -> Mismatch {
    Mismatch::error(format!(
        "Casting {} to {} directly is unsupported.",
        cx.show(cx.plain(0)),
        cx.show(to)
    ))
}

/// The argument's own type.
pub(crate) fn same(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(cx.plain(0))
}

macro_rules! classes {
    ($($name:ident => $ty:ident;)*) => {
        $(/// A call of this scalar class.
        pub(crate) fn $name(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
            match cx.types.as_array(cx.plain(0)) {
                Some(_) => Err(cast_of_array(cx, Type::$ty)),
                None => cx.returns(Type::$ty),
            }
        })*
    };
}

classes! {
    bool_ => BOOL; int8 => INT8; int16 => INT16; int32 => INT32; int64 => INT64;
    uint8 => UINT8; uint16 => UINT16; uint32 => UINT32; uint64 => UINT64;
    float16 => FLOAT16; float32 => FLOAT32; float64 => FLOAT64; complex64 => COMPLEX64; complex128 => COMPLEX128;
    bfloat16 => BFLOAT16;
}
