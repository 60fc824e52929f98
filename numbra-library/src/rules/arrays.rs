//! Result types of array operations.

use crate::loops::fits_output;
use crate::pattern::{count, plain};
use crate::{Elementwise, Mismatch, ResultCx, dtype_or, dtype_text, named_dtype};
use numbra_ir::{
    ArrayType, BinOp, BufferClass, Const, Layout, Scalar, Signature, Type, TypeKind, Types,
};

/// The array behind argument `i`.
pub(crate) fn array(cx: &ResultCx<'_>, i: usize) -> Result<ArrayType, Mismatch> {
    cx.types
        .as_buffer(cx.plain(i))
        .ok_or_else(|| Mismatch::rejected(format!("argument {i} is no array")))
}

/// Refuses a read-only array, in Numba's words.
pub(crate) fn check_mutable(cx: &ResultCx<'_>, ty: Type) -> Result<(), Mismatch> {
    match cx.types.as_buffer(ty) {
        Some(array) if !array.mutable => Err(Mismatch::error(format!(
            "Cannot modify readonly array of type: {}",
            cx.show(ty)
        ))),
        _ => Ok(()),
    }
}

/// `a op= b` for an array `a`: the result is `a`, whose dtype takes the computed one by same-kind casting. Nothing else is tried
/// where that does not fit: `a` would become another array, and the one that others hold would stay as it is.
pub(crate) fn in_place(cx: &ResultCx<'_>, ufunc: &Elementwise) -> Result<Signature, Mismatch> {
    let (a, b) = (cx.plain(0), cx.plain(1));
    let target = array(cx, 0)?;
    check_mutable(cx, a)?;
    // An integer has no dtype of its own beside an array of unsigned ones: NumPy computes in the array's.
    let unsigned = |ty| cx.types.as_scalar(ty).is_some_and(Scalar::is_unsigned_int);
    let operand = if b == Type::INT64 && unsigned(target.dtype) {
        target.dtype
    } else {
        b
    };
    let computed = ufunc
        .select(cx.types, &[a, operand])
        .and_then(|chosen| chosen.outs.first().copied());
    let operator = cx.row.rsplit('.').next().unwrap_or(cx.row);
    let named = |op: &BinOp| op.inplace_name() == Some(operator);
    let sign = BinOp::ALL
        .into_iter()
        .find(named)
        .map_or(operator, BinOp::symbol);
    let Some(computed) = computed else {
        return Err(Mismatch::error(format!(
            "no loop of `{sign}` takes {} and {}",
            cx.show(a),
            cx.show(b)
        )));
    };
    check_fits(cx, computed, target.dtype, |computed, dtype| {
        format!(
            "cannot write the result of `{sign}` of {} and {}, {computed}, into an array of {dtype} (casting rule 'same_kind'); \
             `x = x {sign} y` makes a new array",
            cx.show(a),
            cx.show(b),
        )
    })?;
    Ok(Signature {
        params: vec![a, operand],
        ret: a,
    })
}

/// An error with these words, of what is computed and of the array's elements, where NumPy's casting rule `same_kind` does not
/// let the one be written into the other.
fn check_fits(
    cx: &ResultCx<'_>,
    computed: Type,
    dtype: Type,
    words: impl Fn(String, String) -> String,
) -> Result<(), Mismatch> {
    if fits_output(cx.types, computed, dtype) {
        return Ok(());
    }
    Err(Mismatch::error(words(cx.show(computed), cx.show(dtype))))
}

/// Argument `i`, an array that a function writes its result into, of which `computed` are the elements: an error where it may
/// not be written or has no elements of their kind.
pub(crate) fn check_output(cx: &ResultCx<'_>, i: usize, computed: Type) -> Result<(), Mismatch> {
    let out = array(cx, i)?;
    check_mutable(cx, cx.plain(i))?;
    check_fits(cx, computed, out.dtype, |computed, dtype| {
        format!(
            "cannot write the result of `{}`, {computed}, into an array of {dtype} (casting rule 'same_kind')",
            cx.row
        )
    })
}

/// One part of a basic index.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Int,
    /// `true`: with a step.
    Slice(bool),
    NewAxis,
    Ellipsis,
}

fn part_of(cx: &ResultCx<'_>, ty: Type) -> Option<Part> {
    let ty = crate::pattern::plain(cx.types, ty);
    Some(match ty {
        Type::SLICE2 => Part::Slice(false),
        Type::SLICE3 => Part::Slice(true),
        Type::NONE => Part::NewAxis,
        Type::ELLIPSIS => Part::Ellipsis,
        _ if cx.types.as_scalar(ty).is_some_and(Scalar::is_int) => Part::Int,
        _ => return None,
    })
}

/// The type of an index as the compiled operation takes it: integers as `int64` or `uint64` (unsigned ones never wrap).
pub(crate) fn normal_index(cx: &ResultCx<'_>, ty: Type) -> Type {
    let ty = crate::pattern::plain(cx.types, ty);
    match cx.types.as_scalar(ty) {
        Some(s) if s.is_signed_int() => Type::INT64,
        Some(s) if s.is_unsigned_int() => Type::UINT64,
        _ => match cx.types.tuple_items(ty) {
            Some(items) => {
                let items: Vec<Type> = items.iter().map(|t| normal_index(cx, *t)).collect();
                cx.types.tuple(&items)
            }
            None => ty,
        },
    }
}

/// The type of `array[index]` and the normalised index type.
pub(crate) fn index(
    cx: &ResultCx<'_>,
    array: ArrayType,
    index: Type,
) -> Result<(Type, Type), Mismatch> {
    let plain = crate::pattern::plain(cx.types, index);
    let items = cx.types.tuple_items(plain).unwrap_or_else(|| vec![plain]);
    let mut parts = Vec::with_capacity(items.len());
    for item in &items {
        parts.push(part_of(cx, *item).ok_or_else(|| {
            Mismatch::rejected(format!(
                "Unsupported array index type {} in {}",
                cx.show(*item),
                cx.show(plain)
            ))
        })?);
    }
    if parts.iter().filter(|p| **p == Part::Ellipsis).count() > 1 {
        return Err(Mismatch::error(
            "Only one ellipsis allowed in array indices",
        ));
    }
    let indexed = parts
        .iter()
        .filter(|p| matches!(p, Part::Int | Part::Slice(_)))
        .count();
    let ndim = usize::from(array.ndim);
    if indexed > ndim {
        return Err(Mismatch::error(format!(
            "cannot index {} with {indexed} indices: {}",
            cx.show(cx.types.intern(TypeKind::Array(array))),
            cx.show(plain)
        )));
    }
    let dropped = parts.iter().filter(|p| **p == Part::Int).count();
    let added = parts.iter().filter(|p| **p == Part::NewAxis).count();
    let rank = ndim - dropped + added;
    // Numba types `z[...]` of a 0-d array as an element and has no code for it: it is NumPy's view.
    let is_view = ndim == 0 && parts.contains(&Part::Ellipsis);
    let ret = if rank == 0 && !is_view {
        array.dtype
    } else {
        let rank = u8::try_from(rank).map_err(|_| Mismatch::error("too many dimensions"))?;
        let layout = view_layout(array.layout, ndim, indexed, &parts);
        cx.types.intern(TypeKind::Array(ArrayType {
            ndim: rank,
            layout,
            ..array
        }))
    };
    Ok((ret, normal_index(cx, index)))
}

/// Layout of a basic-index view, as Numba types it: `C` (`F`) is kept when, from the outermost axis in, there are
/// integers, then at most one slice without step as the last index, and nothing after an ellipsis (before it, for `F`).
fn view_layout(layout: Layout, ndim: usize, indexed: usize, parts: &[Part]) -> Layout {
    let split = parts.iter().position(|p| *p == Part::Ellipsis);
    let (left, right) = match split {
        Some(at) => (&parts[..at], &parts[at + 1..]),
        None => (parts, &[][..]),
    };
    let real = |p: &&Part| matches!(p, Part::Int | Part::Slice(_));
    let keeps = |outer: &mut dyn Iterator<Item = &Part>| -> bool {
        let outer: Vec<&Part> = outer.collect();
        outer.iter().enumerate().all(|(i, p)| match p {
            Part::Slice(stepped) => !stepped && i + 1 == outer.len(),
            Part::Int | Part::NewAxis | Part::Ellipsis => true,
        })
    };
    let kept = match layout {
        Layout::C if indexed == ndim => keeps(&mut left.iter().chain(right).filter(real)),
        Layout::C => right.is_empty() && keeps(&mut left.iter().filter(real)),
        Layout::F if indexed == ndim => keeps(&mut left.iter().chain(right).rev().filter(real)),
        Layout::F => left.is_empty() && keeps(&mut right.iter().rev().filter(real)),
        Layout::A => false,
    };
    if kept { layout } else { Layout::A }
}

fn intern(cx: &ResultCx<'_>, array: ArrayType) -> Type {
    cx.types.intern(TypeKind::Array(array))
}

/// `x[i]`
pub(crate) fn getitem(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (ret, index) = index(cx, array(cx, 0)?, cx.arg(1))?;
    Ok(Signature {
        params: vec![cx.plain(0), index],
        ret,
    })
}

/// `x[i] = v`: a scalar is converted to the element type; an array must not have more dimensions than `x[i]`.
pub(crate) fn setitem(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let target = array(cx, 0)?;
    check_mutable(cx, cx.plain(0))?;
    let (view, index) = index(cx, target, cx.arg(1))?;
    let value = cx.plain(2);
    let param = match cx.types.as_array(value) {
        Some(value_array) => {
            if cx.types.as_array(view).is_none() {
                return Err(Mismatch::rejected(format!(
                    "cannot assign {} to an element of {}",
                    cx.show(value),
                    cx.show(cx.plain(0))
                )));
            }
            if cx.can_convert(value_array.dtype, target.dtype).is_none() {
                return Err(Mismatch::rejected(format!(
                    "{} does not convert to {}",
                    cx.show(value_array.dtype),
                    cx.show(target.dtype)
                )));
            }
            value
        }
        None => {
            if cx.can_convert(value, target.dtype).is_none() {
                return Err(Mismatch::rejected(format!(
                    "{} does not convert to {}",
                    cx.show(value),
                    cx.show(target.dtype)
                )));
            }
            target.dtype
        }
    };
    Ok(Signature {
        params: vec![cx.plain(0), index, param],
        ret: Type::NONE,
    })
}

/// `x.fill(v)`
pub(crate) fn fill(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let target = array(cx, 0)?;
    check_mutable(cx, cx.plain(0))?;
    if cx.can_convert(cx.plain(1), target.dtype).is_none() {
        return Err(Mismatch::rejected(
            "the value does not convert to the element type",
        ));
    }
    Ok(Signature {
        params: vec![cx.plain(0), target.dtype],
        ret: Type::NONE,
    })
}

/// `x.flat[i]`
pub(crate) fn flat_getitem(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: vec![cx.arg(0), normal_index(cx, cx.arg(1))],
        ret: flat_array(cx)?.dtype,
    })
}

/// `x.flat[i] = v`
pub(crate) fn flat_setitem(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let target = flat_array(cx)?;
    check_mutable(cx, intern(cx, target))?;
    if cx.can_convert(cx.plain(2), target.dtype).is_none() {
        return Err(Mismatch::rejected(
            "the value does not convert to the element type",
        ));
    }
    Ok(Signature {
        params: vec![cx.arg(0), normal_index(cx, cx.arg(1)), target.dtype],
        ret: Type::NONE,
    })
}

fn flat_array(cx: &ResultCx<'_>) -> Result<ArrayType, Mismatch> {
    match cx.types.kind(cx.arg(0)) {
        TypeKind::BoundMethod { receiver, .. } => cx.types.as_array(*receiver),
        _ => None,
    }
    .ok_or_else(|| Mismatch::rejected("flat needs an array"))
}

/// The array bound to the name `flat`.
pub(crate) fn flat(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    bound(cx, "flat")
}

/// The array bound to the name `ctypes`.
pub(crate) fn ctypes(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    bound(cx, "ctypes")
}

/// `x[i]` of a buffer: a slice is a buffer of the same class, which those that copy do not give.
pub(crate) fn buffer_getitem(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let sig = getitem(cx)?;
    let Some(view) = cx.types.as_array(sig.ret) else {
        return Ok(sig);
    };
    let ret = match cx.types.kind(cx.plain(0)) {
        TypeKind::Buffer {
            class: BufferClass::MemoryView,
            ..
        } => cx.types.intern(TypeKind::Buffer {
            class: BufferClass::MemoryView,
            array: view,
        }),
        TypeKind::Bytes if view.layout == Layout::C && view.ndim == 1 => Type::BYTES,
        _ => {
            return Err(Mismatch::rejected(format!(
                "a slice of {} would be a copy",
                cx.show(cx.plain(0))
            )));
        }
    };
    Ok(Signature { ret, ..sig })
}

/// An address as an integer.
pub(crate) fn address(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(Type::UINT64)
}

/// True for a buffer that may be written.
pub(crate) fn is_mutable(types: &Types, args: &[Type]) -> bool {
    args.first()
        .and_then(|ty| types.as_buffer(*ty))
        .is_some_and(|buffer| buffer.mutable)
}

/// `x.view(dtype)`
pub(crate) fn view_as(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let whole = array(cx, 0)?;
    let dtype = dtype_arg(cx, 1, whole.dtype)?;
    if cx.types.element(dtype).is_none() {
        return Err(Mismatch::rejected("the dtype is none of an array"));
    }
    Ok(Signature {
        params: vec![cx.plain(0), cx.arg(1)],
        ret: intern(cx, ArrayType { dtype, ..whole }),
    })
}

/// `x.tobytes()`
pub(crate) fn to_bytes(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    array(cx, 0)?;
    cx.returns(Type::BYTES)
}

/// The array bound to the name `flags`.
pub(crate) fn flags(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    bound(cx, "flags")
}

fn bound(cx: &ResultCx<'_>, method: &str) -> Result<Signature, Mismatch> {
    array(cx, 0)?;
    cx.returns(cx.types.intern(TypeKind::BoundMethod {
        receiver: cx.plain(0),
        method: method.to_owned(),
    }))
}

/// A tuple of `ndim` integers: `shape`, `strides`.
pub(crate) fn axes(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let n = array(cx, 0)?.ndim;
    cx.returns(
        cx.types
            .intern(TypeKind::UniTuple(Type::INT64, u32::from(n))),
    )
}

/// The rank, as a literal, so that branches on it are decided early.
pub(crate) fn ndim(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let n = array(cx, 0)?.ndim;
    cx.returns(cx.types.intern(TypeKind::Literal(Const::Int(i64::from(n)))))
}

/// `x.dtype`
pub(crate) fn dtype(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let item = array(cx, 0)?.dtype;
    cx.returns(cx.types.intern(TypeKind::DType(item)))
}

/// `np.dtype(dtype)`
pub(crate) fn make_dtype(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let item = dtype_arg(cx, 0, Type::FLOAT64)?;
    Ok(Signature {
        params: vec![cx.arg(0)],
        ret: cx.types.intern(TypeKind::DType(item)),
    })
}

/// Size of an element of a dtype, as a literal.
pub(crate) fn dtype_itemsize(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let size = named_dtype(cx.types, cx.arg(0))
        .and_then(|ty| cx.types.as_scalar(ty))
        .ok_or_else(|| Mismatch::rejected("no scalar dtype"))?
        .size();
    Ok(Signature {
        params: vec![cx.arg(0)],
        ret: cx
            .types
            .intern(TypeKind::Literal(Const::Int(i64::from(size)))),
    })
}

/// A constant that depends on the type of an array's elements; refused where it has none.
fn of_dtype(
    cx: &ResultCx<'_>,
    find: impl FnOnce(&Types, Type) -> Option<Const>,
) -> Result<Signature, Mismatch> {
    let found = named_dtype(cx.types, cx.arg(0)).and_then(|ty| find(cx.types, ty));
    let value = found.ok_or_else(|| Mismatch::rejected("not known of this dtype"))?;
    Ok(Signature {
        params: vec![cx.arg(0)],
        ret: cx.types.intern(TypeKind::Literal(value)),
    })
}

/// NumPy's character for a scalar, its kind and the number of its type.
fn numpy_codes(scalar: Scalar) -> Option<(&'static str, &'static str, i64)> {
    Some(match scalar {
        Scalar::Bool => ("?", "b", 0),
        Scalar::Int8 => ("b", "i", 1),
        Scalar::UInt8 => ("B", "u", 2),
        Scalar::Int16 => ("h", "i", 3),
        Scalar::UInt16 => ("H", "u", 4),
        Scalar::Int32 => ("i", "i", 5),
        Scalar::UInt32 => ("I", "u", 6),
        Scalar::Int64 => ("l", "i", 7),
        Scalar::UInt64 => ("L", "u", 8),
        Scalar::Float16 => ("e", "f", 23),
        Scalar::Float32 => ("f", "f", 11),
        Scalar::Float64 => ("d", "f", 12),
        Scalar::Complex64 => ("F", "c", 14),
        Scalar::Complex128 => ("D", "c", 15),
        Scalar::BFloat16 => return None,
    })
}

/// `dtype.kind`
pub(crate) fn dtype_kind(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_dtype(cx, |types, ty| {
        let kind = match types.kind(ty) {
            TypeKind::Datetime(_) => "M",
            TypeKind::Timedelta(_) => "m",
            TypeKind::CharSeq(_) => "S",
            TypeKind::UnicodeCharSeq(_) => "U",
            TypeKind::Record(_) => "V",
            _ => numpy_codes(types.as_scalar(ty)?)?.1,
        };
        Some(Const::Str(kind.into()))
    })
}

/// `dtype.char`
pub(crate) fn dtype_char(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_dtype(cx, |types, ty| {
        Some(Const::Str(numpy_codes(types.as_scalar(ty)?)?.0.into()))
    })
}

/// `dtype.num`
pub(crate) fn dtype_num(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_dtype(cx, |types, ty| {
        Some(Const::Int(numpy_codes(types.as_scalar(ty)?)?.2))
    })
}

/// `dtype.name`
pub(crate) fn dtype_name(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_dtype(cx, |types, ty| {
        types.as_scalar(ty)?;
        Some(Const::Str(types.display(ty).to_string()))
    })
}

/// `dtype.str`
pub(crate) fn dtype_str(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_dtype(cx, |types, ty| {
        let scalar = types.as_scalar(ty)?;
        let order = if scalar.size() == 1 { '|' } else { '<' };
        let text = format!("{order}{}{}", numpy_codes(scalar)?.1, scalar.size());
        Some(Const::Str(text))
    })
}

/// The class of a dtype.
pub(crate) fn dtype_type(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let item = named_dtype(cx.types, cx.arg(0)).ok_or_else(|| Mismatch::rejected("no dtype"))?;
    Ok(Signature {
        params: vec![cx.arg(0)],
        ret: cx.types.intern(TypeKind::NumberClass(item)),
    })
}

fn reversed(layout: Layout) -> Layout {
    match layout {
        Layout::C => Layout::F,
        Layout::F => Layout::C,
        Layout::A => Layout::A,
    }
}

/// `x.T`, `x.transpose()`: fewer than two axes stay as they are.
pub(crate) fn transpose(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let array = array(cx, 0)?;
    let layout = if array.ndim < 2 {
        array.layout
    } else {
        reversed(array.layout)
    };
    cx.returns(intern(cx, ArrayType { layout, ..array }))
}

/// `x.transpose(*axes)`: a permutation is known at run time only.
pub(crate) fn permute(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let array = array(cx, 0)?;
    let given = match cx.types.tuple_items(cx.plain(1)) {
        Some(items) => items.len(),
        None => cx.args.len() - 1,
    };
    if given != usize::from(array.ndim) {
        return Err(Mismatch::error("axes don't match array"));
    }
    let layout = if array.ndim < 2 {
        array.layout
    } else {
        Layout::A
    };
    cx.returns(intern(cx, ArrayType { layout, ..array }))
}

/// `x.real`, `x.imag` of an array: a strided view of complex numbers, the array itself of real ones.
pub(crate) fn part(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let array = array(cx, 0)?;
    let dtype = match cx.types.as_scalar(array.dtype) {
        Some(Scalar::Complex64) => Type::FLOAT32,
        Some(Scalar::Complex128) => Type::FLOAT64,
        _ => return cx.returns(cx.plain(0)),
    };
    cx.returns(intern(
        cx,
        ArrayType {
            dtype,
            layout: Layout::A,
            ..array
        },
    ))
}

fn fresh(cx: &ResultCx<'_>, dtype: Type, ndim: u8, layout: Layout) -> Type {
    cx.types.array(dtype, ndim, layout)
}

/// The order of a copy.
pub(crate) fn tight(layout: Layout) -> Layout {
    match layout {
        Layout::A => Layout::C,
        kept => kept,
    }
}

/// `np.copy(x)`: F stays F.
pub(crate) fn copy_keep(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    cx.returns(fresh(cx, a.dtype, a.ndim, tight(a.layout)))
}

/// `x.copy()`: C.
pub(crate) fn copy_c(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    cx.returns(fresh(cx, a.dtype, a.ndim, Layout::C))
}

/// `np.ascontiguousarray`: C, one axis at least.
pub(crate) fn as_c(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    as_layout(cx, Layout::C)
}

/// `np.asfortranarray`: F, one axis at least.
pub(crate) fn as_f(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    as_layout(cx, Layout::F)
}

fn as_layout(cx: &ResultCx<'_>, layout: Layout) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    cx.returns(intern(
        cx,
        ArrayType {
            ndim: a.ndim.max(1),
            layout,
            aligned: true,
            mutable: true,
            ..a
        },
    ))
}

/// `x.astype(dtype)`
pub(crate) fn astype(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    let dtype = dtype_arg(cx, 1, Type::FLOAT64)?;
    if cx.can_convert(a.dtype, dtype).is_none() {
        return Err(Mismatch::rejected(format!(
            "cannot convert {} to {}",
            cx.show(a.dtype),
            cx.show(dtype)
        )));
    }
    Ok(Signature {
        params: vec![cx.plain(0), cx.arg(1)],
        ret: fresh(cx, dtype, a.ndim, tight(a.layout)),
    })
}

/// `x.flatten()`
pub(crate) fn flatten(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    cx.returns(fresh(cx, a.dtype, 1, Layout::C))
}

/// `x.ravel()`: a view if the elements turn out to lie in C order. What may be a copy must be of a writable array, as
/// the copy is writable.
pub(crate) fn ravel_view(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    if a.layout != Layout::C && !a.mutable {
        return Err(Mismatch::rejected("not C-contiguous and read-only"));
    }
    let view = ArrayType {
        ndim: 1,
        layout: Layout::C,
        ..a
    };
    cx.returns(intern(cx, view))
}

/// `x.reshape(shape)`, `x.reshape(n, ..)`: of a C-contiguous array a view, of others a view or a copy, whose strides only one
/// axis of a contiguous array says.
pub(crate) fn reshape(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    let mut params = vec![cx.plain(0)];
    let rank = match cx.args.len() {
        0 | 1 => return Err(Mismatch::rejected("reshape needs a shape")),
        2 => {
            let (shape, rank) = shape_of(cx, cx.plain(1))?;
            params.push(shape);
            rank
        }
        n => {
            for i in 1..n {
                match cx.types.as_scalar(cx.plain(i)) {
                    Some(s) if s.is_int() => params.push(cx.count(i)),
                    _ => return Err(Mismatch::rejected("reshape needs integers or one tuple")),
                }
            }
            u8::try_from(n - 1).map_err(|_| Mismatch::error("too many dimensions"))?
        }
    };
    let layout = match (a.layout, rank) {
        (Layout::C, _) | (Layout::F | Layout::A, 0) | (Layout::F, 1) => Layout::C,
        (Layout::F | Layout::A, _) => Layout::A,
    };
    let reshaped = ArrayType {
        ndim: rank,
        layout,
        ..a
    };
    Ok(Signature {
        params,
        ret: intern(cx, reshaped),
    })
}

/// True if the array's type says that its elements lie in C order.
pub(crate) fn is_c(types: &Types, args: &[Type]) -> bool {
    args.first()
        .and_then(|ty| types.as_buffer(plain(types, *ty)))
        .is_some_and(|array| array.layout == Layout::C)
}

/// The normalised type of a shape and its rank.
pub(crate) fn shape_of(cx: &ResultCx<'_>, ty: Type) -> Result<(Type, u8), Mismatch> {
    let int = |ty: Type| {
        cx.types
            .as_scalar(plain(cx.types, ty))
            .is_some_and(Scalar::is_int)
    };
    if int(ty) {
        return Ok((count(cx.types, ty), 1));
    }
    match cx.types.tuple_items(ty) {
        Some(items) if items.iter().all(|t| int(*t)) => {
            let rank =
                u8::try_from(items.len()).map_err(|_| Mismatch::error("too many dimensions"))?;
            let items: Vec<Type> = items.iter().map(|ty| count(cx.types, *ty)).collect();
            Ok((cx.types.tuple(&items), rank))
        }
        _ => Err(Mismatch::rejected(format!(
            "a shape is an integer or a tuple of integers, not {}",
            cx.show(ty)
        ))),
    }
}

/// The element type that argument `i` names, `default` for `None`.
pub(crate) fn dtype_arg(cx: &ResultCx<'_>, i: usize, default: Type) -> Result<Type, Mismatch> {
    if let TypeKind::Literal(Const::Str(text)) = cx.types.kind(cx.arg(i))
        && dtype_text(text).is_none()
    {
        return Err(Mismatch::error(format!(
            "Invalid NumPy dtype specified: '{text}'"
        )));
    }
    if cx.plain(i) == Type::UNICODE && !matches!(cx.types.kind(cx.arg(i)), TypeKind::Literal(_)) {
        return Err(Mismatch::error(match cx.row.strip_prefix("numpy.") {
            Some(name) => format!("If np.{name} dtype is a string it must be a string constant."),
            None => format!("{} if dtype is a string it must be constant", cx.row),
        }));
    }
    dtype_or(cx.types, cx.arg(i), default)
        .ok_or_else(|| Mismatch::rejected("the dtype is not a known scalar type"))
}

/// `np.empty(shape, dtype)` and its kin.
pub(crate) fn create(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (shape, rank) = shape_of(cx, cx.plain(0))?;
    let dtype = dtype_arg(cx, 1, Type::FLOAT64)?;
    Ok(Signature {
        params: vec![shape, cx.arg(1)],
        ret: fresh(cx, dtype, rank, Layout::C),
    })
}

/// `np.full(shape, value, dtype)`
pub(crate) fn full(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (shape, rank) = shape_of(cx, cx.plain(0))?;
    let dtype = dtype_arg(cx, 2, cx.plain(1))?;
    check_fill(cx, dtype)?;
    Ok(Signature {
        params: vec![shape, dtype, cx.arg(2)],
        ret: fresh(cx, dtype, rank, Layout::C),
    })
}

fn check_fill(cx: &ResultCx<'_>, dtype: Type) -> Result<(), Mismatch> {
    match cx.types.element(dtype) {
        Some(_) if cx.can_convert(cx.plain(1), dtype).is_some() => Ok(()),
        _ => Err(Mismatch::rejected(format!(
            "{} does not convert to {}",
            cx.show(cx.plain(1)),
            cx.show(dtype)
        ))),
    }
}

/// Element type, rank and layout of what an argument is like: a scalar counts as a 0-d array.
fn prototype(cx: &ResultCx<'_>) -> Result<(Type, u8, Layout), Mismatch> {
    let ty = cx.plain(0);
    if cx.types.element(ty).is_some() {
        return Ok((ty, 0, Layout::C));
    }
    let a = array(cx, 0)?;
    Ok((a.dtype, a.ndim, tight(a.layout)))
}

/// `np.empty_like(x, dtype)` and its kin.
pub(crate) fn create_like(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (dtype, ndim, layout) = prototype(cx)?;
    let dtype = dtype_arg(cx, 1, dtype)?;
    Ok(Signature {
        params: vec![cx.plain(0), cx.arg(1)],
        ret: fresh(cx, dtype, ndim, layout),
    })
}

/// `np.full_like(x, value, dtype)`
pub(crate) fn full_like(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (dtype, ndim, layout) = prototype(cx)?;
    let dtype = dtype_arg(cx, 2, dtype)?;
    check_fill(cx, dtype)?;
    Ok(Signature {
        params: vec![cx.plain(0), dtype, cx.arg(2)],
        ret: fresh(cx, dtype, ndim, layout),
    })
}

/// The only element.
pub(crate) fn item(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    cx.returns(a.dtype)
}

/// `np.concatenate(arrays, axis)`: the promoted dtype; F if all are F, else C.
pub(crate) fn concatenate(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (dtype, arrays) = crate::rules::functions::joined(cx)?;
    let Some(first) = arrays.first() else {
        return Err(Mismatch::error("need at least one array to concatenate"));
    };
    if first.ndim == 0 {
        return Err(Mismatch::error(
            "zero-dimensional arrays cannot be concatenated",
        ));
    }
    if arrays.iter().any(|a| a.ndim != first.ndim) {
        return Err(Mismatch::error(
            "all the input arrays must have same number of dimensions",
        ));
    }
    let layout = if arrays.iter().all(|a| a.layout == Layout::F) {
        Layout::F
    } else {
        Layout::C
    };
    Ok(Signature {
        params: vec![cx.plain(0), cx.count(1)],
        ret: fresh(cx, dtype, first.ndim, layout),
    })
}

/// `x.imag` of a complex array; of a real one there is nothing to view.
pub(crate) fn imag(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match cx.types.as_scalar(array(cx, 0)?.dtype) {
        Some(s) if s.is_complex() => part(cx),
        _ => Err(Mismatch::rejected("the elements are real")),
    }
}

/// `x.imag` of a real array: zeros that cannot be written.
pub(crate) fn imag_zeros(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    cx.returns(intern(
        cx,
        ArrayType {
            layout: tight(a.layout),
            mutable: false,
            aligned: true,
            ..a
        },
    ))
}

/// True for numbers, tuples and lists, which are arrays to `np.shape` and `np.size`.
pub(crate) fn is_like(types: &numbra_ir::Types, args: &[Type]) -> bool {
    args.first().is_some_and(|ty| {
        let ty = plain(types, *ty);
        types.as_scalar(ty).is_some()
            || types.tuple_items(ty).is_some()
            || types.as_list(ty).is_some()
    })
}

/// What is no array.
pub(crate) fn no_array<const SIZE: u8>(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let name = if SIZE == 0 { "shape" } else { "size" };
    Err(Mismatch::error(format!(
        "The argument to np.{name} must be array-like"
    )))
}
