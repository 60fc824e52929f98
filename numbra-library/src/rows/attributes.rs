//! Attributes, and methods of numbers, tuples, ranges and slices.

use crate::row_macro::{guarded, rule};
use crate::rules::statistics as st;
use crate::rules::{arrays, builtins, to_bool, to_int64, tuples};
use crate::{ArrayAttr as A, Effects, Fill, Op, Targets, TypePattern as P};

library! {
    /// Tuple of extents.
    attr array.shape(a) alias [buffer.shape] { bodies: &[rule(&[P::OneOf(&[P::Array, P::Buffer])], arrays::axes, Op::ArrayAttr(A::Shape))] }
    /// Tuple of byte strides.
    attr array.strides(a) alias [buffer.strides] { bodies: &[rule(&[P::OneOf(&[P::Array, P::Buffer])], arrays::axes, Op::ArrayAttr(A::Strides))] }
    /// Number of axes, a constant of the type.
    attr array.ndim(a) alias [buffer.ndim] { bodies: &[rule(&[P::OneOf(&[P::Array, P::Buffer])], arrays::ndim, Op::Constant)] }
    /// Number of elements.
    attr array.size(a) { bodies: &[rule(&[P::Array], to_int64, Op::ArrayAttr(A::Size))] }
    /// Bytes of an element.
    attr array.itemsize(a) alias [buffer.itemsize] { bodies: &[rule(&[P::OneOf(&[P::Array, P::Buffer])], to_int64, Op::ArrayAttr(A::ItemSize))] }
    /// Bytes of all elements.
    attr array.nbytes(a) alias [buffer.nbytes] { bodies: &[rule(&[P::OneOf(&[P::Array, P::Buffer])], to_int64, Op::ArrayAttr(A::NBytes))] }
    /// Type of the elements.
    attr array.dtype(a) { bodies: &[rule(&[P::Array], arrays::dtype, Op::ArrayAttr(A::DType))] }
    /// The axes reversed, a view.
    attr array.T(a) {
        bodies: &[rule(&[P::Array], arrays::transpose, Op::ArrayAttr(A::T))],
    }
    /// All elements in C order: for iteration and for an integer index.
    attr array.flat(a) { bodies: &[rule(&[P::Array], arrays::flat, Op::Identity)] }
    /// Contiguity.
    attr array.flags(a) { bodies: &[rule(&[P::Array], arrays::flags, Op::Identity)] }
    /// Real parts: a view of a complex array, else the array.
    attr array.real(a) {
        bodies: &[rule(&[P::Array], arrays::part, Op::Real)],
    }
    /// Imaginary parts: a view of a complex array; read-only zeros for a contiguous real one.
    attr array.imag(a) {
        effects: Effects::ALLOC, targets: Targets::Cpu,
        bodies: &[
            rule(&[P::Array], arrays::imag, Op::Imag),
            rule(&[P::Array], arrays::imag_zeros, Op::ArrayNewLike(Fill::Zero)),
        ],
    }
    /// True if C-contiguous.
    attr flags.contiguous(a) { bodies: &[rule(&[P::Any], to_bool, Op::ArrayAttr(A::FlagsC))] }
    /// True if C-contiguous.
    attr flags.c_contiguous(a) { bodies: &[rule(&[P::Any], to_bool, Op::ArrayAttr(A::FlagsC))] }
    /// True if Fortran-contiguous.
    attr flags.f_contiguous(a) { bodies: &[rule(&[P::Any], to_bool, Op::ArrayAttr(A::FlagsF))] }
    /// True if the memory cannot be written.
    attr buffer.readonly(a) {
        bodies: &[
            guarded(&[P::Buffer], arrays::is_mutable, to_bool, Op::Bool(false)),
            rule(&[P::Buffer], to_bool, Op::Bool(true)),
        ],
    }
    /// True if C- or Fortran-contiguous.
    attr buffer.contiguous(a) { bodies: &[rule(&[P::Buffer], to_bool, Op::ArrayAttr(A::FlagsContiguous))] }
    /// True if C-contiguous.
    attr buffer.c_contiguous(a) { bodies: &[rule(&[P::Buffer], to_bool, Op::ArrayAttr(A::FlagsC))] }
    /// True if Fortran-contiguous.
    attr buffer.f_contiguous(a) { bodies: &[rule(&[P::Buffer], to_bool, Op::ArrayAttr(A::FlagsF))] }
    /// The dtype that a class, a constant string or a dtype names.
    fn numpy.dtype(dtype) { bodies: &[rule(&[P::DTypeLike], arrays::make_dtype, Op::Identity)] }
    /// What C functions see of the array.
    attr array.ctypes(a) { bodies: &[rule(&[P::Array], arrays::ctypes, Op::Identity)] }
    /// Address of the first element.
    attr ctypes.data(a) { bodies: &[rule(&[P::Any], arrays::address, Op::ArrayAttr(A::Data))] }
    /// Number of elements.
    attr flat.size(a) { bodies: &[rule(&[P::Flat], to_int64, Op::ArrayAttr(A::Size))] }
    /// Bytes of an element.
    attr dtype.itemsize(a) { bodies: &[rule(&[P::DTypeLike], arrays::dtype_itemsize, Op::Constant)] }
    /// Kind of an element: `b`, `i`, `u`, `f`, `c`, `M`, `m`, `S`, `U` or `V`.
    attr dtype.kind(a) { bodies: &[rule(&[P::DTypeLike], arrays::dtype_kind, Op::Constant)] }
    /// Character of an element's type: `d` of float64.
    attr dtype.char(a) { bodies: &[rule(&[P::DTypeLike], arrays::dtype_char, Op::Constant)] }
    /// Number of an element's type: 12 of float64.
    attr dtype.num(a) { bodies: &[rule(&[P::DTypeLike], arrays::dtype_num, Op::Constant)] }
    /// Name of an element's type: `float64`.
    attr dtype.name(a) { bodies: &[rule(&[P::DTypeLike], arrays::dtype_name, Op::Constant)] }
    /// Byte order, kind and size of an element: `<f8`.
    attr dtype.str(a) { bodies: &[rule(&[P::DTypeLike], arrays::dtype_str, Op::Constant)] }
    /// The scalar class.
    attr dtype.type(a) { bodies: &[rule(&[P::DTypeLike], arrays::dtype_type, Op::NoneValue)] }
    /// Real part.
    attr complex.real(x) alias [float.real, int.real] {
        bodies: &[rule(&[P::Scalar], builtins::part, Op::Real)],
    }
    /// Imaginary part; 0 for real numbers.
    attr complex.imag(x) alias [float.imag, int.imag] {
        bodies: &[rule(&[P::Scalar], builtins::part, Op::Imag)],
    }
    /// Complex conjugate.
    method complex.conjugate(x) alias [float.conjugate, int.conjugate] {
        bodies: &[rule(&[P::Scalar], builtins::same, Op::Conjugate)],
    }
    /// The same bits as another type of the same width.
    method float.view(x, dtype) alias [int.view] {
        bodies: &[rule(&[P::Real, P::Any], builtins::view, Op::Reinterpret)],
    }
    /// The number itself.
    method complex.item(x) alias [float.item, int.item, bool.item] {
        bodies: &[rule(&[P::Scalar], builtins::same, Op::Identity)],
    }
    /// Position of the first equal item; ValueError if there is none.
    method tuple.index(x, value) {
        effects: Effects::RAISE, bodies: &[rule(&[P::UniTuple, P::Any], tuples::index_of, Op::TupleIndexOf)],
    }
    /// First number.
    attr range.start(x) { bodies: &[rule(&[P::Range], builtins::range_field, Op::RangeField(0))] }
    /// Bound that is not reached.
    attr range.stop(x) { bodies: &[rule(&[P::Range], builtins::range_field, Op::RangeField(1))] }
    /// Increment.
    attr range.step(x) { bodies: &[rule(&[P::Range], builtins::range_step, Op::RangeField(2))] }
    /// Coefficients, the lowest first.
    attr polynomial.coef(x) { bodies: &[rule(&[P::Any], st::polynomial_coef, Op::PolynomialPart(0))] }
    /// The interval that is mapped to the window.
    attr polynomial.domain(x) { bodies: &[rule(&[P::Any], st::polynomial_domain, Op::PolynomialPart(1))] }
    /// The interval that the domain is mapped to.
    attr polynomial.window(x) { bodies: &[rule(&[P::Any], st::polynomial_window, Op::PolynomialPart(2))] }
    /// Lower bound.
    attr slice.start(x) { bodies: &[rule(&[P::Slice], to_int64, Op::SliceField(0))] }
    /// Upper bound.
    attr slice.stop(x) { bodies: &[rule(&[P::Slice], to_int64, Op::SliceField(1))] }
    /// Increment.
    attr slice.step(x) { bodies: &[rule(&[P::Slice], to_int64, Op::SliceField(2))] }
    /// `(start, stop, step)` for a sequence of length `n`; ValueError for a zero step or a negative length.
    method slice.indices(x, n) {
        effects: Effects::RAISE, bodies: &[rule(&[P::Slice, P::Int], builtins::slice_indices, Op::SliceIndices)],
    }
}
