//! Functions that give the same elements in another shape.

use super::attributes;
use crate::pattern::plain;
use crate::row_macro::{guarded, guarded_prelude, moving, native, prelude, rule, rule_on_gpu};
use crate::rules::{
    NEW, Typed, array, count_of, fresh, intern, is_array, is_int, is_like, is_none, like, new,
    scalar, shape_of, view, want,
};
use crate::{Effects, Mismatch, Op, ResultCx, Targets, TypePattern as P};
use numbra_ir::{ArrayType, Layout, Scalar, Signature, Type, TypeKind, Types};

const COPY: Effects = Effects::READ.and(Effects::ALLOC);

library! {
    /// A copy with one axis, in C order.
    method array.flatten(a) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Array], flatten, Op::ArrayCopy)],
    }
    /// One axis, in C order: a view if the elements lie so in memory, else a copy.
    fn numpy.ravel(a) method [array.ravel] {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[
            rule(&[P::Array], ravel_view, Op::ArrayRavel),
            rule(&[P::Array], flatten, Op::ArrayCopy),
        ],
    }
    /// The elements in C order with another shape, of which one extent may be -1: a view if strides say where they lie, else
    /// a copy (on GPUs NotImplementedError).
    fn numpy.reshape(a, shape) {
        effects: COPY.and(Effects::RAISE),
        bodies: &[
            guarded(&[P::Array, P::ShapeLike], is_c, reshape, Op::ArrayReshape),
            rule(&[P::Array, P::ShapeLike], reshape, Op::ArrayReshapeAny),
        ],
    }
    /// The elements in C order with another shape, a tuple or integers, of which one may be -1: a view if strides say where they
    /// lie, else a copy (on GPUs NotImplementedError).
    method array.reshape(a, *shape) {
        effects: COPY.and(Effects::RAISE),
        bodies: &[
            guarded(&[P::Array, P::ShapeLike], is_c, reshape, Op::ArrayReshape),
            rule(&[P::Array, P::ShapeLike], reshape, Op::ArrayReshapeAny),
        ],
    }
    /// The axes reversed or permuted, a view.
    fn numpy.transpose(a, axes = None) {
        effects: Effects::RAISE,
        bodies: &[
            rule(&[P::Array, P::None], transpose, Op::ArrayTranspose),
            rule(&[P::Array, P::IntTuple], permute, Op::ArrayTranspose),
        ],
    }
    /// The axes reversed or permuted, a view.
    method array.transpose(a, *axes) {
        effects: Effects::RAISE,
        bodies: &[
            guarded(&[P::Array], |_, args| args.len() == 1, transpose, Op::ArrayTranspose),
            rule(&[P::Array, P::None], transpose, Op::ArrayTranspose),
            rule(&[P::Array, P::ShapeLike], permute, Op::ArrayTranspose),
        ],
    }
    /// The shape as a tuple.
    fn numpy.shape(a) {
        bodies: &[
            rule(&[P::Array], attributes::axes, Op::ArrayAttr(crate::ArrayAttr::Shape)),
            guarded_prelude(&[P::Any], is_array_like, "shape_of_like"),
            rule(&[P::Any], no_array::<0>, Op::NoneValue),
        ],
    }
    /// Number of elements.
    fn numpy.size(a) {
        bodies: &[
            rule(&[P::Array], crate::rules::to_int64, Op::ArrayAttr(crate::ArrayAttr::Size)),
            guarded_prelude(&[P::Any], is_array_like, "size_of_like"),
            rule(&[P::Any], no_array::<1>, Op::NoneValue),
        ],
    }
    /// With new axes of one index.
    fn numpy.expand_dims(a, axis) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[rule(&[P::Array, P::LiteralInt], expand_dims, Op::ArrayExpandDims), rule_on_gpu(&[P::Array, P::Int], expand_dims, Op::ArrayExpandDims), moving(&[P::Any, P::Any], expand_dims, "numbra_np_expand_dims")],
    }
    /// Two axes exchanged, a view.
    fn numpy.swapaxes(a, axis1, axis2) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[rule(&[P::Array, P::Int, P::Int], swapaxes, Op::ArraySwapAxes), moving(&[P::Any, P::Any, P::Any], swapaxes, "numbra_np_swapaxes")],
    }
    /// Axes moved to other places, a view.
    fn numpy.moveaxis(a, source, destination) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any, P::Any], moveaxis, "numbra_np_moveaxis")],
    }
    /// Every axis in the other direction, a view.
    fn numpy.flip(m) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[prelude(&[P::ArrayNd(1)], "device_flip"), prelude(&[P::ArrayNd(2)], "device_flip_both"), prelude(&[P::ArrayNd(3)], "device_flip_three"), moving(&[P::Any], flip, "numbra_np_flip")],
    }
    /// The first axis in the other direction, a view.
    fn numpy.flipud(m) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[prelude(&[P::Array], "device_flipud"), moving(&[P::Any], flip_along::<0>, "numbra_np_flipud")],
    }
    /// The second axis in the other direction, a view.
    fn numpy.fliplr(m) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[prelude(&[P::ArrayNd(2)], "device_fliplr"), moving(&[P::Any], flip_along::<1>, "numbra_np_fliplr")],
    }
    /// Turned by `k` right angles in the plane of the first two axes, a view.
    fn numpy.rot90(m, k = Int(1)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], rot90, "numbra_np_rot90")],
    }
    /// A read-only view in a shape that the array broadcasts to.
    fn numpy.broadcast_to(array, shape) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[rule(&[P::Array, P::ShapeLike], broadcast_to, Op::ArrayBroadcastTo), moving(&[P::Any, P::Any], broadcast_to, "numbra_np_broadcast_to")],
    }
    /// Read-only views of one shape.
    fn numpy.broadcast_arrays(*args) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], broadcast_arrays, "numbra_np_broadcast_arrays")],
    }
    /// The shape that arrays of these shapes have together.
    fn numpy.broadcast_shapes(*args) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], broadcast_shapes, "numbra_np_broadcast_shapes")],
    }
    /// With at least one axis; a tuple for several arrays.
    fn numpy.atleast_1d(*args) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], atleast::<1>, "numbra_np_atleast_1d")],
    }
    /// With at least two axes; a tuple for several arrays.
    fn numpy.atleast_2d(*args) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], atleast::<2>, "numbra_np_atleast_2d")],
    }
    /// With at least three axes; a tuple for several arrays.
    fn numpy.atleast_3d(*args) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], atleast::<3>, "numbra_np_atleast_3d")],
    }
    /// Every window of a shape, a read-only view with the axes of the window last.
    fn numpy.lib.stride_tricks.sliding_window_view(x, window_shape, axis = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[
            moving(&[P::Array, P::Any, P::Any], sliding_window_view, "numbra_np_sliding_window_view"),
        ],
    }
    /// The elements in C order, over and over, in a new shape.
    fn numpy.resize(a, new_shape) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], resize, "numbra_np_resize")],
    }
    /// The elements in C order moved on by `shift`, from the end to the beginning.
    fn numpy.roll(a, shift) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], roll, "numbra_np_roll")],
    }
    /// The same memory with other extents and byte strides, unchecked.
    fn numpy.lib.stride_tricks.as_strided(x, shape = None, strides = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Array, P::Any, P::Any], as_strided, "numbra_np_as_strided")],
    }
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
fn permute(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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

/// `x.flatten()`
fn flatten(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    cx.returns(fresh(cx, a.dtype, 1, Layout::C))
}

/// `x.ravel()`: a view if the elements turn out to lie in C order. What may be a copy must be of a writable array, as
/// the copy is writable.
fn ravel_view(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
fn reshape(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
fn is_c(types: &Types, args: &[Type]) -> bool {
    args.first()
        .and_then(|ty| types.as_buffer(plain(types, *ty)))
        .is_some_and(|array| array.layout == Layout::C)
}

/// True for numbers, tuples and lists, which are arrays to `np.shape` and `np.size`.
fn is_array_like(types: &numbra_ir::Types, args: &[Type]) -> bool {
    args.first().is_some_and(|ty| {
        let ty = plain(types, *ty);
        types.as_scalar(ty).is_some()
            || types.tuple_items(ty).is_some()
            || types.as_list(ty).is_some()
    })
}

/// What is no array.
fn no_array<const SIZE: u8>(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let name = if SIZE == 0 { "shape" } else { "size" };
    Err(Mismatch::error(format!(
        "The argument to np.{name} must be array-like"
    )))
}

/// The array behind an argument, or the type that its elements have as one.
fn array_or_like(cx: &ResultCx<'_>, i: usize) -> Result<ArrayType, Mismatch> {
    if let Ok(array) = array(cx, i) {
        return Ok(array);
    }
    let (dtype, ndim) = like(cx, i)?;
    Ok(ArrayType {
        dtype,
        ndim,
        layout: Layout::C,
        mutable: true,
        aligned: true,
    })
}

/// A new array of the argument's shape and type.
pub(crate) fn same_shape(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) = like(cx, 0)?;
    cx.returns(new(cx, dtype, ndim))
}

/// A view of any strides and the same rank.
fn any_view(cx: &ResultCx<'_>) -> Typed {
    let array = array_or_like(cx, 0)?;
    let layout = Layout::A;
    cx.returns(view(cx, ArrayType { layout, ..array }))
}

/// `np.flip(m)`: of an array without axes its element.
fn flip(cx: &ResultCx<'_>) -> Typed {
    let message = format!("Cannot np.flip on {} type", flipped_name(cx));
    want(is_array(cx, 0), &message)?;
    let array = array_or_like(cx, 0)?;
    let is_number =
        cx.types.as_scalar(array.dtype).is_some() || cx.types.as_time(array.dtype).is_some();
    if array.ndim == 0 && is_number {
        return cx.returns(array.dtype);
    }
    any_view(cx)
}

/// `np.flipud` and `np.fliplr`: as [`any_view`], with that axis.
fn flip_along<const AXIS: u8>(cx: &ResultCx<'_>) -> Typed {
    let name = if AXIS == 0 { "flipud" } else { "fliplr" };
    let message = format!("Cannot np.{name} on {} type", flipped_name(cx));
    want(is_like(cx, 0), &message)?;
    let array = array_or_like(cx, 0)?;
    let message = format!(
        "cannot index {} with {} indices",
        cx.show(cx.plain(0)),
        AXIS + 1
    );
    want(array.ndim > AXIS, &message)?;
    any_view(cx)
}

fn flipped_name(cx: &ResultCx<'_>) -> String {
    cx.show(cx.plain(0))
}

/// `np.swapaxes(a, axis1, axis2)`
fn swapaxes(cx: &ResultCx<'_>) -> Typed {
    want(is_array(cx, 0), "The first argument \"a\" must be an array")?;
    want(
        is_int(cx, 1),
        "The second argument \"axis1\" must be an integer",
    )?;
    want(
        is_int(cx, 2),
        "The third argument \"axis2\" must be an integer",
    )?;
    any_view(cx)
}

/// `np.moveaxis(a, source, destination)`
fn moveaxis(cx: &ResultCx<'_>) -> Typed {
    want(is_array(cx, 0), "The first argument \"a\" must be an array")?;
    let axes = |i: usize| {
        like(cx, i).is_ok_and(|(ty, n)| n < 2 && scalar(cx, ty).is_ok_and(Scalar::is_int))
    };
    let words = "must be an integer or sequence";
    want(axes(1), &format!("The second argument \"source\" {words}"))?;
    want(
        axes(2),
        &format!("The third argument \"destination\" {words}"),
    )?;
    any_view(cx)
}

/// `np.roll(a, shift)`
fn roll(cx: &ResultCx<'_>) -> Typed {
    want(is_int(cx, 1), "shift must be an integer")?;
    same_shape(cx)
}

/// `np.rot90`
fn rot90(cx: &ResultCx<'_>) -> Typed {
    want(is_array(cx, 0), "The first argument \"m\" must be an array")?;
    want(
        is_int(cx, 1),
        "The second argument \"k\" must be an integer",
    )?;
    let array = array_or_like(cx, 0)?;
    if array.ndim < 2 {
        return Err(Mismatch::error("Input must be >= 2-d."));
    }
    any_view(cx)
}

/// `np.expand_dims(a, axis)`
fn expand_dims(cx: &ResultCx<'_>) -> Typed {
    want(is_array(cx, 0), "First argument \"a\" must be an array")?;
    want(
        count_of(cx, 1).is_ok(),
        "Argument \"axis\" must be an integer",
    )?;
    let array = array_or_like(cx, 0)?;
    let ndim = array.ndim + count_of(cx, 1)?;
    let layout = if array.ndim == 0 {
        Layout::C
    } else {
        array.layout
    };
    cx.returns(view(
        cx,
        ArrayType {
            ndim,
            layout,
            ..array
        },
    ))
}

/// `np.broadcast_to(array, shape)`: read-only.
fn broadcast_to(cx: &ResultCx<'_>) -> Typed {
    let array = array_or_like(cx, 0)
        .map_err(|_| Mismatch::error("The first argument \"array\" must be array-like"))?;
    let ndim = count_of(cx, 1).map_err(|_| {
        Mismatch::error("The second argument \"shape\" must be a tuple of integers")
    })?;
    if array.ndim > 0 && ndim == 0 {
        return Err(Mismatch::error(
            "Cannot broadcast a non-scalar to a scalar array",
        ));
    }
    let array = ArrayType {
        ndim,
        layout: Layout::A,
        mutable: false,
        ..array
    };
    cx.returns(view(cx, array))
}

/// `np.broadcast_arrays(*arrays)`
fn broadcast_arrays(cx: &ResultCx<'_>) -> Typed {
    for i in 0..cx.args.len() {
        want(
            is_like(cx, i),
            &format!("Argument \"{i}\" must be array-like"),
        )?;
    }
    let arrays = (0..cx.args.len())
        .map(|i| array_or_like(cx, i))
        .collect::<Result<Vec<_>, _>>()?;
    let mixed = arrays.iter().any(|a| a.dtype != arrays[0].dtype);
    want(!mixed, "Mismatch of argument types")?;
    // Numbers alone become arrays with one axis, as Numba's.
    let least = u8::from((0..cx.args.len()).all(|i| cx.types.as_array(cx.plain(i)).is_none()));
    let ndim = arrays.iter().map(|a| a.ndim).max().unwrap_or(0).max(least);
    let views: Vec<Type> = arrays
        .into_iter()
        .map(|a| {
            view(
                cx,
                ArrayType {
                    ndim,
                    layout: Layout::A,
                    mutable: false,
                    ..a
                },
            )
        })
        .collect();
    cx.returns(cx.types.tuple(&views))
}

/// `np.broadcast_shapes(*shapes)`
fn broadcast_shapes(cx: &ResultCx<'_>) -> Typed {
    let mut rank = 0;
    for i in 0..cx.args.len() {
        let message = format!("Argument {i} must be either an int or tuple[int]");
        rank = rank.max(count_of(cx, i).map_err(|_| Mismatch::error(message))?);
    }
    cx.returns(
        cx.types
            .intern(TypeKind::UniTuple(Type::INT64, u32::from(rank))),
    )
}

/// `np.atleast_1d` and its kin: one array, or a tuple of them.
fn atleast<const RANK: u8>(cx: &ResultCx<'_>) -> Typed {
    let mut views = Vec::with_capacity(cx.args.len());
    for i in 0..cx.args.len() {
        let array = array_or_like(cx, i)?;
        let ndim = array.ndim.max(RANK);
        let layout = match array.ndim {
            0 | 1 if array.layout != Layout::A => Layout::C,
            _ if ndim == array.ndim => array.layout,
            _ if array.layout == Layout::C => Layout::C,
            _ => Layout::A,
        };
        views.push(view(
            cx,
            ArrayType {
                ndim,
                layout,
                ..array
            },
        ));
    }
    match views[..] {
        [] => Err(Mismatch::rejected("no array is given")),
        [one] => cx.returns(one),
        _ => cx.returns(cx.types.tuple(&views)),
    }
}

/// `np.lib.stride_tricks.sliding_window_view(x, window_shape, axis)`
fn sliding_window_view(cx: &ResultCx<'_>) -> Typed {
    let array = array(cx, 0)?;
    let windows = count_of(cx, 1)
        .map_err(|_| Mismatch::error("window_shape must be an integer or tuple of integer"))?;
    want(
        is_none(cx, 2) || count_of(cx, 2).is_ok(),
        "axis must be None, an integer or tuple of integer",
    )?;
    let array = ArrayType {
        ndim: array.ndim + windows,
        layout: Layout::A,
        mutable: false,
        ..array
    };
    cx.returns(view(cx, array))
}

/// `np.resize(a, new_shape)`
fn resize(cx: &ResultCx<'_>) -> Typed {
    want(is_like(cx, 0), "The argument \"a\" must be array-like")?;
    want(
        count_of(cx, 1).is_ok(),
        "The argument \"new_shape\" must be an integer or a tuple of integers",
    )?;
    let (dtype, _) = like(cx, 0)?;
    let ndim = count_of(cx, 1)?;
    cx.returns(new(cx, dtype, ndim))
}

/// `np.lib.stride_tricks.as_strided(x, shape, strides)`
fn as_strided(cx: &ResultCx<'_>) -> Typed {
    let array = array(cx, 0)?;
    let mut ndim = array.ndim;
    for (i, name) in [(1, "shape"), (2, "strides")] {
        if is_none(cx, i) {
            continue;
        }
        let count = count_of(cx, i)?;
        if i == 2 && !is_none(cx, 1) && count != ndim {
            return Err(Mismatch::error(format!(
                "{name} has another length than shape"
            )));
        }
        ndim = count;
    }
    let layout = Layout::A;
    cx.returns(view(
        cx,
        ArrayType {
            ndim,
            layout,
            ..array
        },
    ))
}
