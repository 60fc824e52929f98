//! Functions that give the same elements in another shape, and join arrays.

use crate::row_macro::{
    elementwise_where, guarded_moving, moving, native, on_gpu, prelude, rule, rule_on_gpu,
};
use crate::rows::ufuncs::WHERE;
use crate::rules::functions as f;
use crate::rules::{arrays, builtins};
use crate::{Effects, Fill, Inline, Join, Op, Targets, TypePattern as P};

const VIEW: Effects = Effects::READ.and(Effects::ALLOC).and(Effects::RAISE);

library! {
    /// With new axes of one index.
    fn numpy.expand_dims(a, axis) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[rule(&[P::Array, P::LiteralInt], f::expand_dims, Op::ArrayExpandDims), rule_on_gpu(&[P::Array, P::Int], f::expand_dims, Op::ArrayExpandDims), moving(&[P::Any, P::Any], f::expand_dims, "numbra_np_expand_dims")],
    }
    /// Two axes exchanged, a view.
    fn numpy.swapaxes(a, axis1, axis2) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[rule(&[P::Array, P::Int, P::Int], f::swapaxes, Op::ArraySwapAxes), moving(&[P::Any, P::Any, P::Any], f::swapaxes, "numbra_np_swapaxes")],
    }
    /// Axes moved to other places, a view.
    fn numpy.moveaxis(a, source, destination) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any, P::Any], f::moveaxis, "numbra_np_moveaxis")],
    }
    /// Every axis in the other direction, a view.
    fn numpy.flip(m) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[prelude(&[P::ArrayNd(1)], "device_flip"), prelude(&[P::ArrayNd(2)], "device_flip_both"), prelude(&[P::ArrayNd(3)], "device_flip_three"), moving(&[P::Any], f::flip, "numbra_np_flip")],
    }
    /// The first axis in the other direction, a view.
    fn numpy.flipud(m) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[prelude(&[P::Array], "device_flipud"), moving(&[P::Any], f::flip_along::<0>, "numbra_np_flipud")],
    }
    /// The second axis in the other direction, a view.
    fn numpy.fliplr(m) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[prelude(&[P::ArrayNd(2)], "device_fliplr"), moving(&[P::Any], f::flip_along::<1>, "numbra_np_fliplr")],
    }
    /// Turned by `k` right angles in the plane of the first two axes, a view.
    fn numpy.rot90(m, k = Int(1)) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], f::rot90, "numbra_np_rot90")],
    }
    /// A read-only view in a shape that the array broadcasts to.
    fn numpy.broadcast_to(array, shape) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[rule(&[P::Array, P::ShapeLike], f::broadcast_to, Op::ArrayBroadcastTo), moving(&[P::Any, P::Any], f::broadcast_to, "numbra_np_broadcast_to")],
    }
    /// Read-only views of one shape.
    fn numpy.broadcast_arrays(*args) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], f::broadcast_arrays, "numbra_np_broadcast_arrays")],
    }
    /// Coordinates of a grid: for each argument, as one axis, an array over all axes; the first two change places unless
    /// `indexing` is `ij`.
    fn numpy.meshgrid(*xi, indexing = Str("xy")) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], f::meshgrid, "numbra_np_meshgrid")],
    }
    /// The shape that arrays of these shapes have together.
    fn numpy.broadcast_shapes(*args) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], f::broadcast_shapes, "numbra_np_broadcast_shapes")],
    }
    /// With at least one axis; a tuple for several arrays.
    fn numpy.atleast_1d(*args) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], f::atleast::<1>, "numbra_np_atleast_1d")],
    }
    /// With at least two axes; a tuple for several arrays.
    fn numpy.atleast_2d(*args) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], f::atleast::<2>, "numbra_np_atleast_2d")],
    }
    /// With at least three axes; a tuple for several arrays.
    fn numpy.atleast_3d(*args) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], f::atleast::<3>, "numbra_np_atleast_3d")],
    }
    /// Every window of a shape, a read-only view with the axes of the window last.
    fn numpy.lib.stride_tricks.sliding_window_view(x, window_shape, axis = None) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[
            moving(&[P::Array, P::Any, P::Any], f::sliding_window_view, "numbra_np_sliding_window_view"),
        ],
    }
    /// The elements in C order, over and over, in a new shape.
    fn numpy.resize(a, new_shape) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], f::resize, "numbra_np_resize")],
    }
    /// The elements in C order moved on by `shift`, from the end to the beginning.
    fn numpy.roll(a, shift) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], f::roll, "numbra_np_roll")],
    }
    /// Each element in C order as often as `repeats` says.
    fn numpy.repeat(a, repeats) method [array.repeat] {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], f::repeat, "numbra_np_repeat")],
    }
    /// The arrays one after another, in C order or along an axis.
    fn numpy.append(arr, values, axis = None) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any, P::Any], f::append, "numbra_np_append")],
    }
    /// The elements in C order without those at `obj`.
    fn numpy.delete(arr, obj) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], f::delete, "numbra_np_delete")],
    }
    /// The elements in C order with values before those at `obj`.
    fn numpy.insert(arr, obj, values, axis = None) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Any, P::Any], f::insert, "numbra_np_insert")],
    }
    /// Without zeros at the front (`f`) and back (`b`), a view.
    fn numpy.trim_zeros(filt, trim = Str("fb")) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], f::trim_zeros, "numbra_np_trim_zeros")],
    }
    /// Arrays of one shape along a new axis.
    fn numpy.stack(arrays, axis = Int(0)) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Int], f::stack, "numbra_np_stack").inline(Inline::Join(Join::Stack))],
    }
    /// Arrays side by side: along the second axis, or the only one.
    fn numpy.hstack(tup) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], f::hstack, "numbra_np_hstack").inline(Inline::Join(Join::Horizontal))],
    }
    /// Arrays below each other: along the first axis, one-dimensional ones as rows.
    fn numpy.vstack(tup) alias [numpy.row_stack] {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], f::stack_up::<2>, "numbra_np_vstack").inline(Inline::Join(Join::Vertical))],
    }
    /// Arrays behind each other: along the third axis.
    fn numpy.dstack(tup) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], f::stack_up::<3>, "numbra_np_dstack").inline(Inline::Join(Join::Depth))],
    }
    /// Arrays side by side, one-dimensional ones as columns.
    fn numpy.column_stack(tup) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], f::column_stack, "numbra_np_column_stack").inline(Inline::Join(Join::Columns))],
    }
    /// Views of the parts of an axis, of one size or between places.
    fn numpy.split(ary, indices_or_sections, axis = Int(0)) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any, P::Int], f::split, "numbra_np_split")],
    }
    /// Views of the parts of an axis, of nearly one size or between places.
    fn numpy.array_split(ary, indices_or_sections, axis = Int(0)) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any, P::Int], f::split, "numbra_np_array_split")],
    }
    /// [`numpy.split`] along the second axis, or the only one.
    fn numpy.hsplit(ary, indices_or_sections) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], f::split, "numbra_np_hsplit")],
    }
    /// [`numpy.split`] along the first axis.
    fn numpy.vsplit(ary, indices_or_sections) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], f::split, "numbra_np_vsplit")],
    }
    /// [`numpy.split`] along the third axis.
    fn numpy.dsplit(ary, indices_or_sections) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], f::split, "numbra_np_dsplit")],
    }
    /// A new array of a number or nested tuples and lists of numbers or arrays.
    fn numpy.array(object, dtype = None) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[
            rule(&[P::List, P::Any], f::make_of_numbers, Op::ArrayOfList),
            rule(&[P::Any, P::Any], f::make_of_nested, Op::ArrayOfNested),
            native(&[P::Any, P::Any], f::make, "numbra_np_array"),
        ],
    }
    /// An array as it is where it has the dtype, else a converted copy; numbers and tuples become arrays.
    fn numpy.asarray(a, dtype = None) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[
            rule(&[P::Array, P::DTypeLike], f::as_is, Op::Identity),
            rule(&[P::List, P::Any], f::make_of_numbers, Op::ArrayOfList),
            rule(&[P::Any, P::Any], f::make_of_nested, Op::ArrayOfNested),
            native(&[P::Any, P::Any], f::make, "numbra_np_array"),
        ],
    }
    /// The matrix with this diagonal, or a copy of the diagonal of this matrix.
    fn numpy.diag(v, k = Int(0)) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[prelude(&[P::ArrayNd(2), P::Count], "diagonal_copy"), moving(&[P::Any, P::Any], f::diag, "numbra_np_diag")],
    }
    /// The matrix with the elements in C order on a diagonal.
    fn numpy.diagflat(v, k = Int(0)) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], f::diagflat, "numbra_np_diagflat")],
    }
    /// Sets the diagonal; with `wrap` it goes on below in a tall matrix.
    fn numpy.fill_diagonal(a, val, wrap = Bool(false)) {
        effects: VIEW.and(Effects::WRITE), targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Bool], f::fill_diagonal, "numbra_np_fill_diagonal")],
    }
    /// Ones at and below a diagonal, zeros above.
    fn numpy.tri(N, M = None, k = Int(0)) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Int, P::OneOf(&[P::None, P::Int]), P::Any], f::tri, "numbra_np_tri")],
    }
    /// A copy with zeros above a diagonal.
    fn numpy.tril(m, k = Int(0)) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], f::triangle, "numbra_np_tril")],
    }
    /// A copy with zeros below a diagonal.
    fn numpy.triu(m, k = Int(0)) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], f::triangle, "numbra_np_triu")],
    }
    /// Indices of the elements at and below a diagonal.
    fn numpy.tril_indices(n, k = Int(0), m = None) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[
            native(&[P::Any, P::Any, P::Any], f::triangle_indices, "numbra_np_tril_indices"),
        ],
    }
    /// Indices of the elements at and above a diagonal.
    fn numpy.triu_indices(n, k = Int(0), m = None) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[
            native(&[P::Any, P::Any, P::Any], f::triangle_indices, "numbra_np_triu_indices"),
        ],
    }
    /// Indices of the elements of a matrix at and below a diagonal.
    fn numpy.tril_indices_from(arr, k = Int(0)) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[
            prelude(&[P::ArrayNd(2), P::Count], "tril_indices_from"),
            rule(&[P::Any, P::Any], f::no_matrix, Op::NoneValue),
        ],
    }
    /// Indices of the elements of a matrix at and above a diagonal.
    fn numpy.triu_indices_from(arr, k = Int(0)) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[
            prelude(&[P::ArrayNd(2), P::Count], "triu_indices_from"),
            rule(&[P::Any, P::Any], f::no_matrix, Op::NoneValue),
        ],
    }
    /// The elements at places of an axis, or of the elements in C order.
    fn numpy.take(a, indices, axis = None) method [array.take] {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::Int, P::None], "device_take"), moving(&[P::Any, P::Any, P::OneOf(&[P::None, P::Int])], f::take, "numbra_np_take").inline(Inline::Take)],
    }
    /// The elements at places along an axis, line by line.
    fn numpy.take_along_axis(arr, indices, axis) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any, P::Any], f::take_along_axis, "numbra_np_take_along_axis")],
    }
    /// Indices of the elements that are not 0, an array for each axis.
    fn numpy.nonzero(a) method [array.nonzero] {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], f::nonzero, "numbra_np_nonzero")],
    }
    /// Positions in C order of the elements that are not 0.
    fn numpy.flatnonzero(a) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], f::places, "numbra_np_flatnonzero")],
    }
    /// Indices of the elements that are not 0, a row for each.
    fn numpy.argwhere(a) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], f::argwhere, "numbra_np_argwhere")],
    }
    /// `x` where the condition holds, else `y`; with the condition alone [`numpy.nonzero`].
    fn numpy.where(condition, x = Unset, y = Unset) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[
            on_gpu(&[P::Scalar, P::Scalar, P::Scalar], "device_where"),
            guarded_moving(&[P::Any], |_, args| args.len() == 1, f::nonzero, "numbra_np_nonzero"),
            elementwise_where(f::is_plain_choice, &WHERE),
            guarded_moving(&[P::Any], |_, args| args.len() == 3, f::choose, "numbra_np_where"),
        ],
    }
    /// Each element from the first choice whose condition holds.
    fn numpy.select(condlist, choicelist, default = Int(0)) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any, P::Any], f::select, "numbra_np_select")],
    }
    /// The elements of `arr` where the condition, both in C order, holds.
    fn numpy.extract(condition, arr) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], f::extract, "numbra_np_extract")],
    }
    /// The same memory with other extents and byte strides, unchecked.
    fn numpy.lib.stride_tricks.as_strided(x, shape = None, strides = None) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Array, P::Any, P::Any], f::as_strided, "numbra_np_as_strided")],
    }
    /// [`numpy.asarray`]; ValueError if an element is NaN or infinite.
    fn numpy.asarray_chkfinite(a, dtype = None) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[prelude(&[P::Any, P::DTypeLike], "asarray_chkfinite")],
    }
    /// Real parts: a view of a complex array, else the array or number.
    fn numpy.real(val) {
        bodies: &[
            rule(&[P::Array], arrays::part, Op::Real),
            rule(&[P::Scalar], builtins::part, Op::Real),
        ],
    }
    /// Imaginary parts: a view of a complex array, else zeros.
    fn numpy.imag(val) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[
            rule(&[P::Array], arrays::imag, Op::Imag),
            rule(&[P::Array], arrays::imag_zeros, Op::ArrayNewLike(Fill::Zero)),
            rule(&[P::Scalar], builtins::part, Op::Imag),
        ],
    }
    /// The bytes of a contiguous array from `offset` on as elements of another type, a view with one axis.
    fn numpy.frombuffer(buffer, dtype = None, count = Int(-1), offset = Int(0)) {
        effects: VIEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Int, P::Int], f::frombuffer, "numbra_np_frombuffer")],
    }
}
