//! Scalar classes as functions: `np.float32(x)`. Any number converts to any class; values wrap and truncate.

use crate::row_macro::rule;
use crate::rules::{builtins, limits};
use crate::{Body, Op, Targets, TypePattern as P};

library! {
    /// Limits of an integer type.
    fn numpy.iinfo(int_type) {
        bodies: &[rule(&[P::Any], limits::iinfo, Op::Limits)],
    }
    /// Limits and precision of a float type.
    fn numpy.finfo(dtype) {
        bodies: &[rule(&[P::Any], limits::finfo, Op::Limits)],
    }
    /// Converts a number to bool.
    fn numpy.bool_(x) alias [numpy.bool] { bodies: &[rule(&[P::ArrayLike], builtins::bool_, Op::Truth)] }
    /// Converts a number to int8.
    fn numpy.int8(x) alias [numpy.byte] { bodies: &[rule(&[P::ArrayLike], builtins::int8, Op::Convert)] }
    /// Converts a number to int16.
    fn numpy.int16(x) alias [numpy.short] { bodies: &[rule(&[P::ArrayLike], builtins::int16, Op::Convert)] }
    /// Converts a number to int32.
    fn numpy.int32(x) alias [numpy.intc] { bodies: &[rule(&[P::ArrayLike], builtins::int32, Op::Convert)] }
    /// Converts a number to int64.
    fn numpy.int64(x) alias [numpy.int_, numpy.intp, numpy.longlong] { bodies: &[rule(&[P::ArrayLike], builtins::int64, Op::Convert)] }
    /// Converts a number to uint8.
    fn numpy.uint8(x) alias [numpy.ubyte] { bodies: &[rule(&[P::ArrayLike], builtins::uint8, Op::Convert)] }
    /// Converts a number to uint16.
    fn numpy.uint16(x) alias [numpy.ushort] { bodies: &[rule(&[P::ArrayLike], builtins::uint16, Op::Convert)] }
    /// Converts a number to uint32.
    fn numpy.uint32(x) alias [numpy.uintc] { bodies: &[rule(&[P::ArrayLike], builtins::uint32, Op::Convert)] }
    /// Converts a number to uint64.
    fn numpy.uint64(x) alias [numpy.uint, numpy.uintp, numpy.ulonglong] { bodies: &[rule(&[P::ArrayLike], builtins::uint64, Op::Convert)] }
    /// Converts a number to float16, on GPUs.
    fn numpy.float16(x) alias [numpy.half] {
        targets: Targets::Gpu, bodies: &[Body { on: Targets::Gpu, ..rule(&[P::Scalar], builtins::float16, Op::Convert) }],
    }
    /// Converts a number to float32.
    fn numpy.float32(x) alias [numpy.single] { bodies: &[rule(&[P::ArrayLike], builtins::float32, Op::Convert)] }
    /// Converts a number to float64.
    fn numpy.float64(x) alias [numpy.double] { bodies: &[rule(&[P::ArrayLike], builtins::float64, Op::Convert)] }
    /// Converts a number to complex64.
    fn numpy.complex64(x) alias [numpy.csingle] { bodies: &[rule(&[P::ArrayLike], builtins::complex64, Op::Convert)] }
    /// Converts a number to complex128.
    fn numpy.complex128(x) alias [numpy.cdouble] { bodies: &[rule(&[P::ArrayLike], builtins::complex128, Op::Convert)] }
}
