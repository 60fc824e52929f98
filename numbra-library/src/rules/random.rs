//! Result types of random numbers.

use crate::rules::arrays::{array, check_mutable};
use crate::rules::functions::{Typed, is_int, is_none, like, new, want};
use crate::{Library, Mismatch, ParamKind, ResultCx, named_dtype};
use numbra_abi::{Draw, GeneratorDraw, Number, NumpyDraw, PythonDraw};
use numbra_ir::{Const, Scalar, Signature, Storage, Type, TypeKind, Types};

/// What Numba says that a real parameter may be.
const REAL_TYPES: &str = "[<class 'numba.core.types.scalars.Float'>, <class 'numba.core.types.scalars.Integer'>, <class 'int'>, <class 'float'>]";
/// What Numba says that a bound of a range may be.
const WHOLE_TYPES: &str = "[<class 'numba.core.types.scalars.Integer'>, <class 'numba.core.types.scalars.Boolean'>, <class 'bool'>, <class 'int'>]";

/// The name of parameter `i`.
fn param_name(cx: &ResultCx<'_>, i: usize) -> &'static str {
    let library = Library::standard();
    let row = library.lookup(cx.row).map(|id| library.row(id));
    row.and_then(|row| row.params.get(i)).map_or("", |p| p.name)
}

fn not_expected(name: &str, expected: &str) -> Mismatch {
    Mismatch::error(format!(
        "Argument {name} is not one of the expected type(s): {expected}"
    ))
}

/// True if argument `i` is an integer or a float.
fn is_real(cx: &ResultCx<'_>, i: usize) -> bool {
    let scalar = cx.types.as_scalar(cx.plain(i));
    scalar.is_some_and(|s| s.is_int() || s.is_float())
}

/// How many axes a shape gives: an integer, or a tuple of integers of one type. Any other type gives none.
fn axes(cx: &ResultCx<'_>, ty: Type) -> Option<u8> {
    if cx.types.as_scalar(ty).is_some_and(Scalar::is_int) {
        return Some(1);
    }
    if ty == Type::EMPTY_TUPLE {
        return Some(0);
    }
    let (item, count) = cx.types.uniform_tuple(ty)?;
    cx.types.as_scalar(item).filter(|s| s.is_int())?;
    u8::try_from(count).ok()
}

/// A random number, or an array of the shape that the arguments after the parameters give.
pub(crate) fn drawn(cx: &ResultCx<'_>, draw: Draw) -> Typed {
    let first = usize::from(matches!(draw, Draw::Generator(_)));
    let mut params: Vec<Type> = (0..first).map(|i| cx.plain(i)).collect();
    for (at, number) in draw.params().iter().enumerate() {
        let i = first + at;
        let fits = match (draw, number) {
            (Draw::Generator(_), _) | (_, Number::Float) => is_real(cx, i),
            (Draw::Python(_) | Draw::Numpy(_), Number::Int) => is_int(cx, i),
        };
        if !fits {
            let name = param_name(cx, i);
            return Err(match draw {
                Draw::Generator(_) => not_expected(name, REAL_TYPES),
                Draw::Python(_) | Draw::Numpy(_) => {
                    Mismatch::rejected(format!("`{name}` is {}", cx.show(cx.plain(i))))
                }
            });
        }
        params.push(match number {
            Number::Float => Type::FLOAT64,
            Number::Int => Type::INT64,
        });
    }
    let mut shape = None;
    for i in params.len()..cx.args.len() {
        match param_name(cx, i) {
            "dtype" => params.push(cx.arg(i)),
            "method" => params.push(cx.arg(i)),
            _ => {
                let ty = cx.plain(i);
                params.push(ty);
                if ty == Type::NONE {
                    continue;
                }
                let more = match takes_extents(cx) {
                    true => is_int(cx, i).then_some(1),
                    false => axes(cx, ty),
                };
                let more = more.ok_or_else(|| bad_size(cx, draw, ty))?;
                shape = Some(shape.unwrap_or(0) + more);
            }
        }
    }
    choose_precision(cx, draw)?;
    choose_method(cx, draw)?;
    let dtype = number_type(cx, draw);
    let ret = shape.map_or(dtype, |ndim| new(cx, dtype, ndim));
    Ok(Signature { params, ret })
}

/// True for functions of `*size`, one integer an axis.
fn takes_extents(cx: &ResultCx<'_>) -> bool {
    let library = Library::standard();
    let row = library.lookup(cx.row).map(|id| library.row(id));
    row.is_some_and(|row| row.params.iter().any(|p| p.kind == ParamKind::VarArgs))
}

fn bad_size(cx: &ResultCx<'_>, draw: Draw, size: Type) -> Mismatch {
    match draw {
        Draw::Numpy(_) if takes_extents(cx) => {
            let name = cx.row.replacen("numpy", "np", 1);
            let got = cx.show(size);
            Mismatch::error(format!(
                "{name}() takes the lengths of the axes one by one, as {name}(2, 3): each is an integer, not {got}"
            ))
        }
        Draw::Generator(_) => {
            not_expected("size", " an integer, an empty tuple or a tuple of integers")
        }
        Draw::Python(_) | Draw::Numpy(_) => {
            bad_numpy_size(cx, "int or tuple of ints or None", size)
        }
    }
}

fn bad_numpy_size(cx: &ResultCx<'_>, expected: &str, size: Type) -> Mismatch {
    let name = cx.row.replacen("numpy", "np", 1);
    let got = cx.show(size);
    Mismatch::error(format!("{name}(): size should be {expected}, got {got}"))
}

/// The argument of this name, by position.
fn named(cx: &ResultCx<'_>, name: &str) -> Option<usize> {
    (0..cx.args.len()).find(|&i| param_name(cx, i) == name)
}

fn is_single(draw: Draw) -> bool {
    matches!(
        draw,
        Draw::Generator(
            GeneratorDraw::RandomSingle
                | GeneratorDraw::StandardNormalSingle
                | GeneratorDraw::StandardExponentialSingle
                | GeneratorDraw::InverseExponentialSingle
                | GeneratorDraw::StandardGammaSingle
        )
    )
}

/// Rejects a draw of another precision than `dtype` names.
fn choose_precision(cx: &ResultCx<'_>, draw: Draw) -> Result<(), Mismatch> {
    let Some(i) = named(cx, "dtype") else {
        return Ok(());
    };
    let wants_single = if is_none(cx, i) {
        false
    } else {
        let item = named_dtype(cx.types, cx.arg(i)).and_then(|ty| cx.types.as_scalar(ty));
        match item {
            Some(Scalar::Float32) => true,
            Some(Scalar::Float64) => false,
            _ => return Err(not_expected("dtype", " np.float32 or np.float64")),
        }
    };
    if wants_single == is_single(draw) {
        Ok(())
    } else {
        Err(Mismatch::rejected("of another precision"))
    }
}

/// Rejects a draw by another method than `method` names.
fn choose_method(cx: &ResultCx<'_>, draw: Draw) -> Result<(), Mismatch> {
    let Some(i) = named(cx, "method") else {
        return Ok(());
    };
    let inverse = match cx.types.kind(cx.arg(i)) {
        TypeKind::Literal(Const::Str(text)) | TypeKind::Omitted(Const::Str(text)) => {
            match text.as_str() {
                "zig" => false,
                "inv" => true,
                _ => return Err(Mismatch::error("Method must be either 'zig' or 'inv'")),
            }
        }
        _ if cx.plain(i) == Type::UNICODE => {
            return Err(Mismatch::error("\"method\" must be a string literal"));
        }
        _ => {
            let expected = "[<class 'numba.core.types.misc.UnicodeType'>, <class 'str'>]";
            return Err(not_expected("method", expected));
        }
    };
    let is_inverse = matches!(
        draw,
        Draw::Generator(
            GeneratorDraw::InverseExponential | GeneratorDraw::InverseExponentialSingle
        )
    );
    if inverse == is_inverse {
        Ok(())
    } else {
        Err(Mismatch::rejected("by another method"))
    }
}

/// The type of a number drawn.
fn number_type(cx: &ResultCx<'_>, draw: Draw) -> Type {
    match draw {
        Draw::Python(PythonDraw::Bits) => Type::UINT64,
        Draw::Python(
            PythonDraw::Range | PythonDraw::Between | PythonDraw::Below | PythonDraw::Among,
        )
        | Draw::Numpy(NumpyDraw::Range | NumpyDraw::Below) => widest(cx, draw.params().len()),
        _ if is_single(draw) => Type::FLOAT32,
        _ => match draw.number() {
            Number::Float => Type::FLOAT64,
            Number::Int => Type::INT64,
        },
    }
}

/// The widest integer type of the first `count` arguments, signed if one of them is.
fn widest(cx: &ResultCx<'_>, count: usize) -> Type {
    let kinds: Vec<Scalar> = (0..count)
        .filter_map(|i| cx.types.as_scalar(cx.plain(i)))
        .collect();
    let size = kinds.iter().map(|s| s.size()).max().unwrap_or(8);
    let signed = kinds.iter().any(|s| s.is_signed_int());
    let fits = |s: &Scalar| s.is_int() && s.size() == size && s.is_signed_int() == signed;
    let found = Scalar::ALL.into_iter().find(fits);
    cx.types.scalar(found.unwrap_or(Scalar::Int64))
}

/// `seed(n)`
pub(crate) fn seed(cx: &ResultCx<'_>) -> Typed {
    cx.returns(Type::NONE)
}

/// `shuffle(x)`, of a generator `shuffle(x, axis)`: arrays of one axis or more.
pub(crate) fn shuffle(cx: &ResultCx<'_>) -> Typed {
    let of_generator = cx.args.len() > 1;
    let i = usize::from(of_generator);
    let Ok(shuffled) = array(cx, i) else {
        return Err(if of_generator {
            not_expected("x", "[<class 'numba.core.types.npytypes.Array'>]")
        } else {
            Mismatch::error("The argument to shuffle() should be a buffer type")
        });
    };
    check_axis(cx, 2)?;
    want(shuffled.ndim > 0, "The argument to shuffle() has no axis")?;
    check_mutable(cx, cx.plain(i))?;
    cx.returns(Type::NONE)
}

fn check_axis(cx: &ResultCx<'_>, i: usize) -> Result<(), Mismatch> {
    if i < cx.args.len() && !is_int(cx, i) {
        let expected = "[<class 'int'>, <class 'numba.core.types.scalars.Integer'>]";
        return Err(not_expected("axis", expected));
    }
    Ok(())
}

/// `permutation(x)`, of a generator `permutation(x, axis)`: of the integers below a number, or of a copy of an array.
pub(crate) fn permutation(cx: &ResultCx<'_>) -> Typed {
    let of_generator = cx.args.len() > 1;
    let i = usize::from(of_generator);
    check_axis(cx, 2)?;
    if is_int(cx, i) {
        return cx.returns(new(cx, Type::INT64, 1));
    }
    match array(cx, i) {
        Ok(array) if array.ndim > 0 => cx.returns(new(cx, array.dtype, array.ndim)),
        _ if of_generator => Err(not_expected(
            "x",
            "[<class 'numba.core.types.npytypes.Array'>, <class 'numba.core.types.scalars.Integer'>]",
        )),
        _ => Err(Mismatch::rejected(
            "neither an integer nor an array with axes",
        )),
    }
}

/// Whether the first argument is an integer or an array with one axis of what is kept as numbers.
pub(crate) fn is_population(types: &Types, args: &[Type]) -> bool {
    let Some(&first) = args.first() else {
        return false;
    };
    match types.as_array(first) {
        Some(array) => {
            array.ndim == 1 && matches!(types.element(array.dtype), Some(Storage::Scalar(_)))
        }
        None => types.as_scalar(first).is_some_and(Scalar::is_int),
    }
}

/// `np.random.choice(a, size, replace)`
pub(crate) fn choice(cx: &ResultCx<'_>) -> Typed {
    let dtype = match array(cx, 0) {
        Ok(array) if array.ndim == 1 => array.dtype,
        _ if is_int(cx, 0) => Type::INT64,
        _ => {
            return Err(Mismatch::error(format!(
                "np.random.choice() first argument should be int or array, got {}",
                cx.show(cx.plain(0))
            )));
        }
    };
    let size = cx.plain(1);
    if size == Type::NONE {
        return cx.returns(dtype);
    }
    let ndim =
        axes(cx, size).ok_or_else(|| bad_numpy_size(cx, "int or tuple of ints or None", size))?;
    cx.returns(new(cx, dtype, ndim))
}

/// `np.random.multinomial(n, pvals, size)`
pub(crate) fn multinomial(cx: &ResultCx<'_>) -> Typed {
    if !is_int(cx, 0) {
        let got = cx.show(cx.plain(0));
        return Err(Mismatch::error(format!(
            "np.random.multinomial(): n should be an integer, got {got}"
        )));
    }
    check_vector(cx, 1, "np.random.multinomial(): pvals")?;
    vectors(cx, 2, Type::INT64, "int or tuple or None")
}

/// `np.random.dirichlet(alpha, size)`
pub(crate) fn dirichlet(cx: &ResultCx<'_>) -> Typed {
    check_vector(cx, 0, "np.random.dirichlet(): alpha")?;
    vectors(cx, 1, Type::FLOAT64, "int or tuple of ints or None")
}

fn check_vector(cx: &ResultCx<'_>, i: usize, what: &str) -> Result<(), Mismatch> {
    match like(cx, i) {
        Ok((dtype, 1)) if cx.types.as_scalar(dtype).is_some_and(|s| !s.is_complex()) => Ok(()),
        _ => Err(Mismatch::error(format!(
            "{what} should be an array or sequence, got {}",
            cx.show(cx.plain(i))
        ))),
    }
}

/// One vector, or as many as the shape of argument `i` has.
fn vectors(cx: &ResultCx<'_>, i: usize, dtype: Type, expected: &str) -> Typed {
    let size = cx.plain(i);
    let ndim = if size == Type::NONE {
        0
    } else {
        axes(cx, size).ok_or_else(|| bad_numpy_size(cx, expected, size))?
    };
    cx.returns(new(cx, dtype, ndim + 1))
}

/// `Generator.integers(low, high, size, dtype, endpoint)`
pub(crate) fn integers(cx: &ResultCx<'_>) -> Typed {
    for (i, name) in [(1, "low"), (2, "high")] {
        let scalar = cx.types.as_scalar(cx.plain(i));
        let fits = scalar.is_some_and(|s| s.is_int() || s == Scalar::Bool);
        let left_out = i == 2 && is_none(cx, i);
        if !fits && !left_out {
            return Err(not_expected(name, WHOLE_TYPES));
        }
    }
    if cx.types.as_scalar(cx.plain(5)) != Some(Scalar::Bool) {
        let expected = "[<class 'numba.core.types.scalars.Boolean'>, <class 'bool'>]";
        return Err(not_expected("endpoint", expected));
    }
    let named = if is_none(cx, 4) {
        Some(Type::INT64)
    } else {
        named_dtype(cx.types, cx.arg(4))
    };
    let dtype = named
        .filter(|ty| {
            let scalar = cx.types.as_scalar(*ty);
            scalar.is_some_and(|s| s.is_int() || s == Scalar::Bool)
        })
        .ok_or_else(|| {
            not_expected(
                "dtype",
                "np.int32, np.int64, np.int16, np.int8, np.uint32, np.uint64, np.uint16, np.uint8, np.bool_",
            )
        })?;
    let size = cx.plain(3);
    let ret = if size == Type::NONE {
        dtype
    } else {
        let ndim = axes(cx, size).ok_or_else(|| {
            not_expected("size", " an integer, an empty tuple or a tuple of integers")
        })?;
        new(cx, dtype, ndim)
    };
    let mut signature = cx.returns(ret)?;
    signature.params[4] = cx.arg(4);
    Ok(signature)
}
