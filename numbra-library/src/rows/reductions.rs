//! Reductions of arrays. Sums of floats follow NumPy's pairwise order over contiguous runs, so that the bits agree.

use crate::row_macro::{native, on_gpu, ordered, rule};
use crate::rules::{builtins, reductions as red, to_bool};
use crate::{CmpOp, Effects, Few, Inline, Op, Targets, Threads, TypePattern as P};

const REDUCE: Effects = Effects::READ;
const BY_AXIS: Effects = Effects::READ.and(Effects::ALLOC).and(Effects::RAISE);
const NON_EMPTY: Effects = Effects::READ.and(Effects::RAISE);

library! {
    /// Sum of the elements, over all axes, one or a tuple of them. Integers and booleans add in 64 bits.
    fn numpy.sum(a, axis = None, dtype = None) method [array.sum] {
        effects: BY_AXIS, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::None, P::None], "device_sum"), on_gpu(&[P::Array, P::None, P::DTypeLike], "device_sum_as"), on_gpu(&[P::ArrayNd(1), P::Int, P::None], "device_sum_of_axis"), ordered(&[P::Array, P::Any, P::DTypeLike], red::sum, "numbra_np_sum").threads(Threads::Reduction).inline(Inline::Few(Few::Sum))],
    }
    /// Product of the elements. Integers and booleans multiply in 64 bits.
    fn numpy.prod(a) method [array.prod] {
        effects: REDUCE, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_prod"), native(&[P::Array], red::prod, "numbra_np_prod").threads(Threads::Reduction).inline(Inline::Few(Few::Product))],
    }
    /// Arithmetic mean; NaN when empty.
    fn numpy.mean(a) method [array.mean] {
        effects: REDUCE, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_mean"), ordered(&[P::Array], red::mean, "numbra_np_mean").threads(Threads::Reduction).inline(Inline::Few(Few::Mean))],
    }
    /// Variance of the population.
    fn numpy.var(a) method [array.var] {
        effects: REDUCE, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_var"), native(&[P::Array], red::spread, "numbra_np_var").threads(Threads::Reduction)],
    }
    /// Standard deviation of the population.
    fn numpy.std(a) method [array.std] {
        effects: REDUCE, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_std"), native(&[P::Array], red::spread, "numbra_np_std").threads(Threads::Reduction)],
    }
    /// The smallest element; NaN if there is one; ValueError when empty.
    fn numpy.min(a) alias [numpy.amin] method [array.min] {
        effects: NON_EMPTY, targets: Targets::Cpu,
        bodies: &[
            on_gpu(&[P::Array], "device_min"),
            ordered(&[P::Array], red::extreme, "numbra_np_min").threads(Threads::Reduction).inline(Inline::Few(Few::Extreme(CmpOp::Le))),
            rule(&[P::OneOf(&[P::Scalar, P::Time])], builtins::same, Op::Identity),
            native(&[P::Any], red::extreme_like, "numbra_np_min").threads(Threads::Reduction),
        ],
    }
    /// The greatest element; NaN if there is one; ValueError when empty.
    fn numpy.max(a) alias [numpy.amax] method [array.max] {
        effects: NON_EMPTY, targets: Targets::Cpu,
        bodies: &[
            on_gpu(&[P::Array], "device_max"),
            ordered(&[P::Array], red::extreme, "numbra_np_max").threads(Threads::Reduction).inline(Inline::Few(Few::Extreme(CmpOp::Ge))),
            rule(&[P::OneOf(&[P::Scalar, P::Time])], builtins::same, Op::Identity),
            native(&[P::Any], red::extreme_like, "numbra_np_max").threads(Threads::Reduction),
        ],
    }
    /// Position of the first smallest element; ValueError when empty.
    fn numpy.argmin(a, axis = None) method [array.argmin] {
        effects: BY_AXIS, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::None], "device_argmin"), on_gpu(&[P::ArrayNd(1), P::Int], "device_argmin_of_axis"), ordered(&[P::Array, P::Any], red::arg_extreme, "numbra_np_argmin").threads(Threads::Reduction).inline(Inline::Few(Few::Place(CmpOp::Le)))],
    }
    /// Position of the first greatest element; ValueError when empty.
    fn numpy.argmax(a, axis = None) method [array.argmax] {
        effects: BY_AXIS, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::None], "device_argmax"), on_gpu(&[P::ArrayNd(1), P::Int], "device_argmax_of_axis"), ordered(&[P::Array, P::Any], red::arg_extreme, "numbra_np_argmax").threads(Threads::Reduction).inline(Inline::Few(Few::Place(CmpOp::Ge)))],
    }
    /// True if any element is.
    fn numpy.any(a) method [array.any] {
        effects: REDUCE, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_any"), ordered(&[P::Array], to_bool, "numbra_np_any").threads(Threads::Reduction).inline(Inline::Few(Few::Any)), rule(&[P::Scalar], to_bool, Op::Truth)],
    }
    /// True if every element is.
    fn numpy.all(a) method [array.all] {
        effects: REDUCE, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_all"), ordered(&[P::Array], to_bool, "numbra_np_all").threads(Threads::Reduction).inline(Inline::Few(Few::All)), rule(&[P::Scalar], to_bool, Op::Truth)],
    }
    /// Number of elements that are not zero.
    fn numpy.count_nonzero(a, axis = None) {
        effects: BY_AXIS, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::None], "device_count_nonzero"), ordered(&[P::Array, P::Any], red::count, "numbra_np_count_nonzero").threads(Threads::Reduction)],
    }
    /// Running sums of the elements, in C order or along an axis.
    fn numpy.cumsum(a, axis = None, dtype = None) method [array.cumsum] {
        effects: BY_AXIS, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Array, P::Any, P::DTypeLike], red::cumsum, "numbra_np_cumsum")],
    }
    /// Running products of the elements in C order.
    fn numpy.cumprod(a) method [array.cumprod] {
        effects: BY_AXIS, targets: Targets::Cpu,
        bodies: &[native(&[P::Array], red::cumulative, "numbra_np_cumprod")],
    }
}
