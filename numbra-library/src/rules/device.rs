//! Result types of what threads of a GPU ask of it.

use super::arrays;
use crate::pattern::plain;
use crate::{Mismatch, ResultCx, named_dtype};
use numbra_abi::CType;
use numbra_abi::libdevice::{FUNCTIONS, position};
use numbra_ir::{ArrayType, Const, Layout, Scalar, Signature, Type, TypeKind};

fn fixed(params: &[Type], ret: Type) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: params.to_vec(),
        ret,
    })
}

/// `() -> none`
pub(crate) fn none(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    fixed(&[], Type::NONE)
}

/// `() -> uint32`
pub(crate) fn uint32(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    fixed(&[], Type::UINT32)
}

/// `() -> int64`
pub(crate) fn int64(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    fixed(&[], Type::INT64)
}

/// `(self) -> int32`
pub(crate) fn int32_of_self(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(Type::INT32)
}

/// `(int32) -> int32`
pub(crate) fn int32_to_int32(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    fixed(&[Type::INT32], Type::INT32)
}

/// `(mask) -> none`
pub(crate) fn mask(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    fixed(&[Type::INT32], Type::NONE)
}

/// `(uint32) -> none`
pub(crate) fn nanosleep(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    fixed(&[Type::UINT32], Type::NONE)
}

/// The type of the group of all threads: an object that is known by its name.
pub(crate) fn this_grid(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let group = TypeKind::Module("numbra.cuda.cg.GridGroup".to_owned());
    fixed(&[], cx.types.intern(group))
}

/// `int64`, or two or three of them, as the constant argument says.
pub(crate) fn grid(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let ret = match constants(cx, cx.arg(0)).as_deref() {
        Some([1]) => Type::INT64,
        Some([n @ (2 | 3)]) => cx.types.intern(TypeKind::UniTuple(Type::INT64, *n as u32)),
        Some(_) => return Err(Mismatch::error("argument can only be 1, 2, 3")),
        None => {
            return Err(Mismatch::error(format!(
                "RequireLiteralValue: ndim must be a constant integer, not {}",
                cx.show(cx.arg(0))
            )));
        }
    };
    fixed(&[cx.arg(0)], ret)
}

/// 32 or 64 bits, signed or float: what warps exchange.
fn exchanged(cx: &ResultCx<'_>) -> Result<Type, Mismatch> {
    let ty = cx.plain(1);
    match ty {
        Type::INT32 | Type::INT64 | Type::FLOAT32 | Type::FLOAT64 => Ok(ty),
        _ => Err(Mismatch::error(format!(
            "{} only supports 32- and 64-bit ints and floats, not {}",
            cx.row.rsplit('.').next().unwrap_or(cx.row),
            cx.show(ty)
        ))),
    }
}

/// `(mask, T, lane) -> T`
pub(crate) fn shuffle(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let ty = exchanged(cx)?;
    fixed(&[Type::INT32, ty, Type::INT32], ty)
}

/// What a vote takes: a mask that is an integer, and an integer or truth.
fn check_vote(cx: &ResultCx<'_>) -> Result<(), Mismatch> {
    let scalar = |n| cx.types.as_scalar(cx.plain(n));
    if !scalar(0).is_some_and(|s| s.is_int()) {
        return Err(Mismatch::error(format!(
            "Mask type must be an integer. Got {}",
            cx.show(cx.plain(0))
        )));
    }
    if !scalar(1).is_some_and(|s| s.is_int() || s == Scalar::Bool) {
        return Err(Mismatch::error(format!(
            "Predicate must be an integer or boolean. Got {}",
            cx.show(cx.plain(1))
        )));
    }
    Ok(())
}

/// `(mask, bool) -> bool`
pub(crate) fn vote(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    check_vote(cx)?;
    fixed(&[Type::INT32, Type::BOOL], Type::BOOL)
}

/// `(mask, bool) -> int32`
pub(crate) fn ballot(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    check_vote(cx)?;
    fixed(&[Type::INT32, Type::BOOL], Type::INT32)
}

/// `(mask, T) -> int32`
pub(crate) fn match_any(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    fixed(&[Type::INT32, exchanged(cx)?], Type::INT32)
}

/// `(mask, T) -> (int32, bool)`
pub(crate) fn match_all(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let ret = cx.types.tuple(&[Type::INT32, Type::BOOL]);
    fixed(&[Type::INT32, exchanged(cx)?], ret)
}

/// The types in C of a function of libdevice. What it writes through pointers are results: several are a tuple.
pub(crate) fn libdevice(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let found = position(cx.row).and_then(|i| FUNCTIONS.get(usize::from(i)));
    let Some(function) = found else {
        return Err(Mismatch::rejected("libdevice has no such function"));
    };
    let params: Vec<Type> = function.params.iter().copied().map(c_number).collect();
    if params.len() != cx.args.len() {
        return Err(Mismatch::rejected(format!(
            "takes {} arguments",
            params.len()
        )));
    }
    for (i, param) in params.iter().enumerate() {
        if cx.can_convert(cx.plain(i), *param).is_none() {
            return Err(Mismatch::rejected(format!(
                "{} does not convert to {}",
                cx.show(cx.plain(i)),
                cx.show(*param)
            )));
        }
    }
    let results: Vec<Type> = function.results().map(c_number).collect();
    let ret = match results[..] {
        [one] => one,
        _ => cx.types.tuple(&results),
    };
    fixed(&params, ret)
}

/// `math.modf(x)`: two floats of its type, of integers `float64`.
pub(crate) fn modf(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let float = match cx.plain(0) {
        Type::FLOAT32 => Type::FLOAT32,
        _ => Type::FLOAT64,
    };
    fixed(&[float], cx.types.tuple(&[float, float]))
}

/// Numbers of a vector type by its name: `float32x4`.
fn components(name: &str) -> Option<(Scalar, usize)> {
    let (base, count) = name.rsplit('.').next()?.rsplit_once('x')?;
    let base = Scalar::ALL.into_iter().find(|s| s.name() == base)?;
    Some((base, count.parse().ok()?))
}

/// A vector of numbers and shorter vectors, which have as many components together.
pub(crate) fn vector(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let Some((base, count)) = components(cx.row) else {
        return Err(Mismatch::rejected("no vector type"));
    };
    let mut given = 0;
    for i in 0..cx.args.len() {
        given += match cx.types.kind(cx.plain(i)) {
            TypeKind::NamedTuple(name, fields, _) if components(name).is_some() => fields.len(),
            _ if cx
                .types
                .as_scalar(cx.plain(i))
                .is_some_and(|s| !s.is_complex()) =>
            {
                1
            }
            _ => {
                return Err(Mismatch::rejected(format!(
                    "{} is neither a number nor a vector",
                    cx.show(cx.plain(i))
                )));
            }
        };
    }
    if given != count {
        return Err(Mismatch::rejected(format!(
            "the arguments have {given} components together, not {count}"
        )));
    }
    let name = cx.row.rsplit('.').next().unwrap_or(cx.row).to_owned();
    let fields = ["x", "y", "z", "w"][..count.min(4)]
        .iter()
        .map(|f| (*f).to_owned());
    let items = vec![cx.types.scalar(base); count];
    let ret = cx
        .types
        .intern(TypeKind::NamedTuple(name, fields.collect(), items));
    cx.returns(ret)
}

/// The element that an access with a hint for caches names: memory, index and type.
fn cached(cx: &ResultCx<'_>) -> Result<(Type, Type, Type), Mismatch> {
    let short = cx.row.rsplit('.').next().unwrap_or(cx.row);
    let memory = cx.plain(0);
    let items = cx.types.tuple_items(cx.plain(1));
    let indices = cx.types.tuple_items(cx.plain(1));
    for index in indices.unwrap_or_else(|| vec![cx.plain(1)]) {
        let plain = cx.types.unliteral(index);
        if !cx.types.as_scalar(plain).is_some_and(|s| s.is_int()) {
            return Err(Mismatch::error(format!(
                "{} is not a valid index",
                cx.show(plain)
            )));
        }
    }
    let (index, dtype) = match cx.types.kind(memory) {
        TypeKind::Pointer(Some(to)) => match items {
            Some(items) if items.len() != 1 => {
                return Err(Mismatch::error(format!(
                    "Pointers only support scalar indexing, got tuple of {}",
                    items.len()
                )));
            }
            _ => (Type::INT64, *to),
        },
        TypeKind::Array(array) => {
            let given = items.map_or(1, |items| items.len());
            if given != usize::from(array.ndim) {
                let got = match cx.types.tuple_items(cx.plain(1)) {
                    None => "a scalar".to_owned(),
                    Some(items) => items.len().to_string(),
                };
                return Err(Mismatch::error(format!(
                    "Expected {} indices, got {got}",
                    array.ndim
                )));
            }
            let (found, index) = arrays::index(cx, *array, cx.arg(1))?;
            if found != array.dtype {
                return Err(Mismatch::rejected("the index does not name one element"));
            }
            (index, array.dtype)
        }
        _ => {
            return Err(Mismatch::error(format!(
                "{short} operates on arrays or pointers. Got type {}",
                cx.show(memory)
            )));
        }
    };
    match cx.types.as_scalar(dtype) {
        Some(s) if s.is_int() || s.is_float() => Ok((memory, index, dtype)),
        _ => Err(Mismatch::error(format!(
            "{short} requires array of integer or float type, got {}",
            cx.show(dtype)
        ))),
    }
}

/// `ldca(array, i)` and its like.
pub(crate) fn cached_load(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (memory, index, dtype) = cached(cx)?;
    fixed(&[memory, index], dtype)
}

/// `stcg(array, i, value)` and its like.
pub(crate) fn cached_store(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (memory, index, dtype) = cached(cx)?;
    if cx.types.as_array(memory).is_some() {
        arrays::check_mutable(cx, memory)?;
    }
    if cx.can_convert(cx.plain(2), dtype).is_none() {
        return Err(Mismatch::rejected(format!(
            "{} does not convert to {}",
            cx.show(cx.plain(2)),
            cx.show(dtype)
        )));
    }
    fixed(&[memory, index, dtype], Type::NONE)
}

/// The type of a number in C.
fn c_number(c: CType) -> Type {
    match c {
        CType::I8 => Type::INT8,
        CType::I16 => Type::INT16,
        CType::I32 => Type::INT32,
        CType::I64 => Type::INT64,
        CType::F32 => Type::FLOAT32,
        CType::F64 => Type::FLOAT64,
        CType::Void | CType::Ptr | CType::Ref => Type::NONE,
    }
}

/// The constant array itself.
pub(crate) fn same_array(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(cx.plain(0))
}

/// Constant integers: one, or a tuple of them.
fn constants(cx: &ResultCx<'_>, ty: Type) -> Option<Vec<i64>> {
    constant_integers(cx.types, ty)
}

/// The integers that a type stands for: a constant, or a tuple of constants.
pub fn constant_integers(types: &numbra_ir::Types, ty: Type) -> Option<Vec<i64>> {
    let integer = |value: &Const| match value {
        Const::Int(n) => Some(*n),
        Const::Bool(b) => Some(i64::from(*b)),
        _ => None,
    };
    match types.kind(ty) {
        TypeKind::Literal(Const::Tuple(items)) => items.iter().map(integer).collect(),
        TypeKind::Literal(value) | TypeKind::Omitted(value) => Some(vec![integer(value)?]),
        _ => {
            let items = types.tuple_items(ty)?;
            let one = |item: &Type| match constant_integers(types, *item)?[..] {
                [n] => Some(n),
                _ => None,
            };
            items.iter().map(one).collect()
        }
    }
}

/// An array that the block shares; one of no elements along its only axis takes what the launch gives.
pub(crate) fn shared_array(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    static_array(cx, true)
}

/// An array of the thread.
pub(crate) fn local_array(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    static_array(cx, false)
}

fn static_array(cx: &ResultCx<'_>, dynamic: bool) -> Result<Signature, Mismatch> {
    let Some(shape) = constants(cx, cx.arg(0)) else {
        let launched = if dynamic {
            "; one of shape 0 is as large as the launch says"
        } else {
            ""
        };
        return Err(Mismatch::rejected(format!(
            "the shape must be a constant integer or a tuple of them, not {}: compute it outside of the kernel{launched}",
            cx.show(cx.arg(0))
        )));
    };
    let empty = shape.iter().any(|&n| n <= 0);
    if empty && !(dynamic && shape == [0]) {
        return Err(Mismatch::error("ValueError: array length <= 0"));
    }
    let Some(dtype) = named_dtype(cx.types, cx.arg(1)) else {
        if let TypeKind::Literal(Const::Str(text)) = cx.types.kind(cx.arg(1)) {
            return Err(Mismatch::error(format!(
                "Invalid NumPy dtype specified: '{text}'"
            )));
        }
        return Err(Mismatch::error(format!(
            "TypeError: unsupported type: {}",
            cx.show(cx.plain(1))
        )));
    };
    check_alignment(cx)?;
    let ndim = u8::try_from(shape.len()).map_err(|_| Mismatch::error("too many dimensions"))?;
    let ret = cx.types.intern(TypeKind::Array(ArrayType {
        dtype,
        ndim,
        layout: Layout::C,
        mutable: true,
        aligned: true,
    }));
    fixed(&[cx.arg(0), cx.arg(1), cx.arg(2)], ret)
}

fn check_alignment(cx: &ResultCx<'_>) -> Result<(), Mismatch> {
    if cx.plain(2) == Type::NONE {
        return Ok(());
    }
    let n = match constants(cx, cx.arg(2)).as_deref() {
        Some(&[n]) => n,
        _ => {
            return Err(Mismatch::error(
                "RequireLiteralValue: alignment must be a constant integer",
            ));
        }
    };
    if n <= 0 {
        return Err(Mismatch::error("ValueError: Alignment must be positive"));
    }
    if n & (n - 1) != 0 {
        return Err(Mismatch::error(
            "ValueError: Alignment must be a power of 2",
        ));
    }
    if n % 8 != 0 {
        return Err(Mismatch::error(
            "ValueError: Alignment must be a multiple of 8",
        ));
    }
    Ok(())
}

/// The array, the index as the element access takes it, and the type of its elements.
fn element(cx: &ResultCx<'_>, allowed: fn(Scalar) -> bool) -> Result<(Type, Type, Type), Mismatch> {
    let array = arrays::array(cx, 0)?;
    arrays::check_mutable(cx, cx.plain(0))?;
    let (found, index) = arrays::index(cx, array, cx.arg(1))?;
    if found != array.dtype {
        return Err(Mismatch::rejected("the index does not name one element"));
    }
    match cx.types.as_scalar(array.dtype) {
        Some(scalar) if allowed(scalar) => Ok((cx.plain(0), index, array.dtype)),
        _ => Err(Mismatch::rejected(format!(
            "Unimplemented atomic {} with {} array",
            cx.row.rsplit('.').next().unwrap_or(cx.row),
            cx.show(array.dtype)
        ))),
    }
}

fn is_wide_integer(scalar: Scalar) -> bool {
    matches!(
        scalar,
        Scalar::Int32 | Scalar::UInt32 | Scalar::Int64 | Scalar::UInt64
    )
}

fn atomic(cx: &ResultCx<'_>, allowed: fn(Scalar) -> bool) -> Result<Signature, Mismatch> {
    let (array, index, item) = element(cx, allowed)?;
    let mut params = vec![array, index];
    params.resize(cx.args.len(), item);
    for (i, param) in params.iter().enumerate().skip(2) {
        if cx.can_convert(cx.plain(i), *param).is_none() {
            return Err(Mismatch::rejected(format!(
                "{} does not convert to {}",
                cx.show(cx.plain(i)),
                cx.show(*param)
            )));
        }
    }
    fixed(&params, item)
}

/// Numbers of 32 and 64 bits, and half floats.
pub(crate) fn atomic_sum(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    atomic(cx, |scalar| is_wide_integer(scalar) || scalar.is_float())
}

/// Numbers of 32 and 64 bits.
pub(crate) fn atomic_number(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    atomic(cx, |scalar| {
        is_wide_integer(scalar) || matches!(scalar, Scalar::Float32 | Scalar::Float64)
    })
}

/// Integers of 32 and 64 bits.
pub(crate) fn atomic_integer(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    atomic(cx, is_wide_integer)
}

/// Unsigned integers of 32 and 64 bits.
pub(crate) fn atomic_unsigned(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    atomic(cx, |scalar| {
        matches!(scalar, Scalar::UInt32 | Scalar::UInt64)
    })
}

/// `(array, index, old, value)`
pub(crate) fn atomic_cas(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    atomic(cx, is_wide_integer)
}

/// `(array, old, value)`
pub(crate) fn compare_and_swap(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let array = arrays::array(cx, 0)?;
    arrays::check_mutable(cx, cx.plain(0))?;
    let item = plain(cx.types, array.dtype);
    if !cx.types.as_scalar(item).is_some_and(is_wide_integer) {
        return Err(Mismatch::rejected(format!(
            "Unimplemented atomic compare_and_swap with {} array",
            cx.show(item)
        )));
    }
    fixed(&[cx.plain(0), item, item], item)
}
