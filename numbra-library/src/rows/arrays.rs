//! Subscripts, and functions that make views and copies of arrays.

use crate::row_macro::{guarded, guarded_on_gpu, guarded_prelude, moving, native, on_gpu, rule};
use crate::rows::dicts;
use crate::rules::{
    arrays, functions, indexing, lists, literal_lists, pointers, records, text, tuples,
};
use crate::{DictOp, Effects, Inline, Join, ListOp, Op, Targets, TypePattern as P};

const COPY: Effects = Effects::READ.and(Effects::ALLOC);

library! {
    /// `a[b]`: of a tuple by constant index or slice (of a homogeneous one by any integer); of an array by integers,
    /// slices, `None` and `...`, which gives an element or a view; with arrays of integers or masks among these a copy;
    /// of a record, or an array of records, by the constant name of a field; of a pointer the value so many values on.
    op operator.getitem(a, b) {
        effects: Effects::READ.and(Effects::RAISE),
        bodies: &[
            rule(&[P::Array, P::BasicIndex], arrays::getitem, Op::ArrayGet),
            rule(&[P::List, P::Int], lists::item, Op::List(ListOp::Get)),
            rule(&[P::List, P::Slice], lists::same, Op::List(ListOp::GetSlice)),
            rule(&[P::Tuple, P::LiteralInt], tuples::item, Op::TupleItem),
            rule(&[P::Tuple, P::SliceLiteral], tuples::slice, Op::TupleSlice),
            rule(&[P::UniTuple, P::Int], tuples::item_at, Op::TupleItemAt),
            rule(&[P::Flat, P::Int], arrays::flat_getitem, Op::ArrayFlatGet),
            moving(&[P::Array, P::Any], indexing::get, "numbra_np_get_index").inline(Inline::Take),
            rule(&[P::Buffer, P::BasicIndex], arrays::buffer_getitem, Op::ArrayGet),
            rule(&[P::Record, P::Literal], records::get, Op::RecordGet),
            rule(&[P::OneOf(&[P::Unicode, P::CharSeq]), P::Int], text::item, Op::TextItem),
            rule(&[P::Array, P::LiteralStr], records::array_field, Op::ArrayField),
            rule(&[P::LiteralList, P::LiteralInt], literal_lists::item, Op::TupleItem),
            rule(&[P::LiteralList, P::Any], literal_lists::no_item, Op::NoneValue),
            rule(&[P::Pointer, P::Int], pointers::get, Op::PointerGet),
            native(&[P::Text, P::Slice], text::to_text, "numbra_np_str_slice"),
            rule(&[P::Dict, P::Any], dicts::getitem, Op::Dict(DictOp::Get)),
        ],
    }
    /// `a[b] = c`: stores an element or a field, or assigns a scalar or array to the view `a[b]`.
    op operator.setitem(a, b, c) {
        effects: Effects::WRITE.and(Effects::READ).and(Effects::RAISE),
        bodies: &[
            rule(&[P::Array, P::BasicIndex, P::Any], arrays::setitem, Op::ArraySet),
            rule(&[P::Flat, P::Int, P::Scalar], arrays::flat_setitem, Op::ArrayFlatSet),
            guarded_on_gpu(&[P::Array, P::Array, P::Scalar], indexing::is_mask, "device_set_mask"),
            guarded_on_gpu(&[P::Array, P::ArrayNd(1), P::Scalar], indexing::is_mask_of_rows, "device_set_masked_rows"),
            guarded_on_gpu(&[P::Array, P::Array, P::ArrayNd(1)], indexing::is_mask, "device_set_masked_values"),
            guarded_on_gpu(&[P::ArrayNd(1), P::ArrayNd(1), P::Scalar], indexing::is_places, "device_set_places"),
            guarded_on_gpu(&[P::ArrayNd(1), P::ArrayNd(1), P::ArrayNd(1)], indexing::is_places, "device_set_values"),
            on_gpu(&[P::ArrayNd(1), P::Slice, P::UniTuple], "device_set_items"),
            guarded(&[P::Array, P::Array, P::Scalar], indexing::is_mask, indexing::set, Op::ArraySetMask),
            moving(&[P::Array, P::Any, P::Any], indexing::set, "numbra_np_set_index"),
            rule(&[P::List, P::Int, P::Any], lists::setitem, Op::List(ListOp::Set)),
            rule(&[P::List, P::Slice, P::List], lists::set_slice, Op::List(ListOp::SetSlice)),
            rule(&[P::Buffer, P::BasicIndex, P::Scalar], arrays::setitem, Op::ArraySet),
            rule(&[P::Record, P::Literal, P::Any], records::set, Op::RecordSet),
            rule(&[P::Array, P::LiteralStr, P::Any], records::set_array_field, Op::ArrayFieldSet),
            rule(&[P::Pointer, P::Int, P::Any], pointers::set, Op::PointerSet),
            rule(&[P::LiteralList, P::Any, P::Any], literal_lists::immutable, Op::NoneValue),
            rule(&[P::Dict, P::Any, P::Any], dicts::setitem, Op::Dict(DictOp::Set)),
        ],
    }
    /// `del a[b]` of a list or a dictionary.
    op operator.delitem(a, b) {
        effects: Effects::WRITE.and(Effects::RAISE),
        bodies: &[
            rule(&[P::List, P::Int], lists::nothing, Op::List(ListOp::Del)),
            rule(&[P::List, P::Slice], lists::nothing, Op::List(ListOp::DelSlice)),
            rule(&[P::LiteralList, P::Any], literal_lists::immutable, Op::NoneValue),
            rule(&[P::Dict, P::Any], dicts::delitem, Op::Dict(DictOp::Del)),
        ],
    }
    /// Joins a tuple or list of arrays along an axis.
    fn numpy.concatenate(arrays, axis = Int(0)) alias [numpy.concat] {
        effects: COPY.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[moving(&[P::OneOf(&[P::ArrayTuple, P::List]), P::Int], arrays::concatenate, "numbra_np_concatenate").inline(Inline::Join(Join::Concatenate))],
    }
    /// A contiguous copy; Fortran order stays.
    fn numpy.copy(a) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[
            rule(&[P::Array], arrays::copy_keep, Op::ArrayCopy),
            moving(&[P::Any], functions::same_shape_like, "numbra_np_array_like"),
        ],
    }
    /// A C-contiguous copy.
    method array.copy(a) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Array], arrays::copy_c, Op::ArrayCopy)],
    }
    /// The array itself if it is C-contiguous, else a copy.
    fn numpy.ascontiguousarray(a) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Array], arrays::as_c, Op::ArrayAsLayout)],
    }
    /// The array itself if it is Fortran-contiguous, else a copy.
    fn numpy.asfortranarray(a) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Array], arrays::as_f, Op::ArrayAsLayout)],
    }
    /// A copy with elements of another type.
    method array.astype(a, dtype) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Array, P::Any], arrays::astype, Op::ArrayCopy)],
    }
    /// The memory as elements of another type; ValueError where the last axis does not hold a whole number of them.
    method array.view(a, dtype) {
        effects: Effects::RAISE,
        bodies: &[rule(&[P::Array, P::Any], arrays::view_as, Op::ArrayView)],
    }
    /// The bytes of the elements in C order, as `bytes`.
    method array.tobytes(a) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Array], arrays::to_bytes, Op::ArrayToBytes)],
    }
    /// A copy with one axis, in C order.
    method array.flatten(a) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Array], arrays::flatten, Op::ArrayCopy)],
    }
    /// One axis, in C order: a view if the elements lie so in memory, else a copy.
    fn numpy.ravel(a) method [array.ravel] {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[
            rule(&[P::Array], arrays::ravel_view, Op::ArrayRavel),
            rule(&[P::Array], arrays::flatten, Op::ArrayCopy),
        ],
    }
    /// The elements in C order with another shape, of which one extent may be -1: a view if strides say where they lie, else
    /// a copy (on GPUs NotImplementedError).
    fn numpy.reshape(a, shape) {
        effects: COPY.and(Effects::RAISE),
        bodies: &[
            guarded(&[P::Array, P::ShapeLike], arrays::is_c, arrays::reshape, Op::ArrayReshape),
            rule(&[P::Array, P::ShapeLike], arrays::reshape, Op::ArrayReshapeAny),
        ],
    }
    /// The elements in C order with another shape, a tuple or integers, of which one may be -1: a view if strides say where they
    /// lie, else a copy (on GPUs NotImplementedError).
    method array.reshape(a, *shape) {
        effects: COPY.and(Effects::RAISE),
        bodies: &[
            guarded(&[P::Array, P::ShapeLike], arrays::is_c, arrays::reshape, Op::ArrayReshape),
            rule(&[P::Array, P::ShapeLike], arrays::reshape, Op::ArrayReshapeAny),
        ],
    }
    /// The axes reversed or permuted, a view.
    fn numpy.transpose(a, axes = None) {
        effects: Effects::RAISE,
        bodies: &[
            rule(&[P::Array, P::None], arrays::transpose, Op::ArrayTranspose),
            rule(&[P::Array, P::IntTuple], arrays::permute, Op::ArrayTranspose),
        ],
    }
    /// The axes reversed or permuted, a view.
    method array.transpose(a, *axes) {
        effects: Effects::RAISE,
        bodies: &[
            guarded(&[P::Array], |_, args| args.len() == 1, arrays::transpose, Op::ArrayTranspose),
            rule(&[P::Array, P::None], arrays::transpose, Op::ArrayTranspose),
            rule(&[P::Array, P::ShapeLike], arrays::permute, Op::ArrayTranspose),
        ],
    }
    /// Sets every element.
    method array.fill(a, value) {
        effects: Effects::WRITE,
        bodies: &[rule(&[P::Array, P::Any], arrays::fill, Op::ArrayFill)],
    }
    /// The shape as a tuple.
    fn numpy.shape(a) {
        bodies: &[
            rule(&[P::Array], arrays::axes, Op::ArrayAttr(crate::ArrayAttr::Shape)),
            guarded_prelude(&[P::Any], arrays::is_like, "shape_of_like"),
            rule(&[P::Any], arrays::no_array::<0>, Op::NoneValue),
        ],
    }
    /// Number of elements.
    fn numpy.size(a) {
        bodies: &[
            rule(&[P::Array], crate::rules::to_int64, Op::ArrayAttr(crate::ArrayAttr::Size)),
            guarded_prelude(&[P::Any], arrays::is_like, "size_of_like"),
            rule(&[P::Any], arrays::no_array::<1>, Op::NoneValue),
        ],
    }
}
