//! Attributes, and methods of numbers, tuples, ranges and slices.

use super::{elementwise, shape};
use crate::row_macro::{guarded, rule};
use crate::rules::{array, to_bool, to_int64};
use crate::{ArrayAttr as A, Effects, Fill, Mismatch, Op, ResultCx, Targets, TypePattern as P};
use numbra_ir::{Const, Signature, Type, TypeKind, Types};

library! {
    /// Tuple of extents.
    attr array.shape(a) alias [buffer.shape] { bodies: &[rule(&[P::OneOf(&[P::Array, P::Buffer])], axes, Op::ArrayAttr(A::Shape))] }
    /// Tuple of byte strides.
    attr array.strides(a) alias [buffer.strides] { bodies: &[rule(&[P::OneOf(&[P::Array, P::Buffer])], axes, Op::ArrayAttr(A::Strides))] }
    /// Number of axes, a constant of the type.
    attr array.ndim(a) alias [buffer.ndim] { bodies: &[rule(&[P::OneOf(&[P::Array, P::Buffer])], ndim, Op::Constant)] }
    /// Number of elements.
    attr array.size(a) { bodies: &[rule(&[P::Array], to_int64, Op::ArrayAttr(A::Size))] }
    /// Bytes of an element.
    attr array.itemsize(a) alias [buffer.itemsize] { bodies: &[rule(&[P::OneOf(&[P::Array, P::Buffer])], to_int64, Op::ArrayAttr(A::ItemSize))] }
    /// Bytes of all elements.
    attr array.nbytes(a) alias [buffer.nbytes] { bodies: &[rule(&[P::OneOf(&[P::Array, P::Buffer])], to_int64, Op::ArrayAttr(A::NBytes))] }
    /// Type of the elements.
    attr array.dtype(a) { bodies: &[rule(&[P::Array], dtype, Op::ArrayAttr(A::DType))] }
    /// The axes reversed, a view.
    attr array.T(a) {
        bodies: &[rule(&[P::Array], shape::transpose, Op::ArrayAttr(A::T))],
    }
    /// All elements in C order: for iteration and for an integer index.
    attr array.flat(a) { bodies: &[rule(&[P::Array], flat, Op::Identity)] }
    /// Contiguity.
    attr array.flags(a) { bodies: &[rule(&[P::Array], flags, Op::Identity)] }
    /// Real parts: a view of a complex array, else the array.
    attr array.real(a) {
        bodies: &[rule(&[P::Array], elementwise::part, Op::Real)],
    }
    /// Imaginary parts: a view of a complex array; read-only zeros for a contiguous real one.
    attr array.imag(a) {
        effects: Effects::ALLOC, targets: Targets::Cpu,
        bodies: &[
            rule(&[P::Array], elementwise::imag, Op::Imag),
            rule(&[P::Array], elementwise::imag_zeros, Op::ArrayNewLike(Fill::Zero)),
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
            guarded(&[P::Buffer], is_mutable, to_bool, Op::Bool(false)),
            rule(&[P::Buffer], to_bool, Op::Bool(true)),
        ],
    }
    /// True if C- or Fortran-contiguous.
    attr buffer.contiguous(a) { bodies: &[rule(&[P::Buffer], to_bool, Op::ArrayAttr(A::FlagsContiguous))] }
    /// True if C-contiguous.
    attr buffer.c_contiguous(a) { bodies: &[rule(&[P::Buffer], to_bool, Op::ArrayAttr(A::FlagsC))] }
    /// True if Fortran-contiguous.
    attr buffer.f_contiguous(a) { bodies: &[rule(&[P::Buffer], to_bool, Op::ArrayAttr(A::FlagsF))] }
    /// What C functions see of the array.
    attr array.ctypes(a) { bodies: &[rule(&[P::Array], ctypes, Op::Identity)] }
    /// Address of the first element.
    attr ctypes.data(a) { bodies: &[rule(&[P::Any], address, Op::ArrayAttr(A::Data))] }
    /// Number of elements.
    attr flat.size(a) { bodies: &[rule(&[P::Flat], to_int64, Op::ArrayAttr(A::Size))] }
}

/// The array bound to the name `flat`.
fn flat(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    bound(cx, "flat")
}

/// The array bound to the name `ctypes`.
fn ctypes(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    bound(cx, "ctypes")
}

/// An address as an integer.
fn address(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(Type::UINT64)
}

/// True for a buffer that may be written.
fn is_mutable(types: &Types, args: &[Type]) -> bool {
    args.first()
        .and_then(|ty| types.as_buffer(*ty))
        .is_some_and(|buffer| buffer.mutable)
}

/// The array bound to the name `flags`.
fn flags(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
fn ndim(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let n = array(cx, 0)?.ndim;
    cx.returns(cx.types.intern(TypeKind::Literal(Const::Int(i64::from(n)))))
}

/// `x.dtype`
fn dtype(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let item = array(cx, 0)?.dtype;
    cx.returns(cx.types.intern(TypeKind::DType(item)))
}
