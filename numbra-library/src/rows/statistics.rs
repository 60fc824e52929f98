//! Sorting, searching, sets, order statistics, reductions without NaN, statistics.

use crate::row_macro::{guarded_prelude, native, on_gpu, ordered, prelude, rule};
use crate::rules::functions as f;
use crate::rules::reductions as red;
use crate::rules::statistics as st;
use crate::{Effects, Few, Inline, Op, Targets, Threads, TypePattern as P};
use numbra_ir::Scalar;

const NEW: Effects = Effects::READ.and(Effects::ALLOC).and(Effects::RAISE);

library! {
    /// A copy sorted along the last axis, NaN last.
    fn numpy.sort(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any], st::sorted, "numbra_np_sort")],
    }
    /// Sorts along the last axis in place, NaN last.
    method array.sort(a, kind = Str("quicksort")) {
        effects: NEW.and(Effects::WRITE), targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::ArrayNd(1), P::Any], "device_sort"), on_gpu(&[P::Array, P::Any], "device_sort_rows"), ordered(&[P::Array, P::Any], st::sort_in_place, "numbra_np_sort_in_place")],
    }
    /// Positions that sort along the last axis; equal elements keep their order.
    fn numpy.argsort(a, kind = Str("quicksort")) method [array.argsort] {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any, P::Any], st::argsort, "numbra_np_argsort")],
    }
    /// A copy in which the `kth` elements along the last axis stand where sorting puts them, smaller ones before.
    fn numpy.partition(a, kth) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any, P::Any], st::partition, "numbra_np_partition")],
    }
    /// Positions that partition along the last axis.
    fn numpy.argpartition(a, kth) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any, P::Any], st::argpartition, "numbra_np_argpartition")],
    }
    /// Where to insert numbers so that `a` stays sorted, before (`left`) or after (`right`) equal ones.
    fn numpy.searchsorted(a, v, side = Str("left")) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[
            guarded_prelude(&[P::ArrayNd(1), P::Real, P::Any], st::before_equals, "place_before"),
            guarded_prelude(&[P::ArrayNd(1), P::Real, P::Any], st::behind_equals, "place_behind"),
            ordered(&[P::Any, P::Any, P::Any], st::searchsorted, "numbra_np_searchsorted"),
        ],
    }
    /// The bin of each number among increasing or decreasing edges.
    fn numpy.digitize(x, bins, right = Bool(false)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Real, P::ArrayNd(1), P::Integral], "device_digitize"), native(&[P::Any, P::Any, P::Any], st::digitize, "numbra_np_digitize")],
    }
    /// The sorted elements, each once.
    fn numpy.unique(ar) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any], f::one_axis, "numbra_np_unique")],
    }
    /// The sorted elements of both arrays, each once.
    fn numpy.union1d(ar1, ar2) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any, P::Any], st::set_of_both, "numbra_np_union1d")],
    }
    /// The sorted elements that both arrays have.
    fn numpy.intersect1d(ar1, ar2, assume_unique = Bool(false)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any, P::Any, P::Bool], st::set_of_both, "numbra_np_intersect1d")],
    }
    /// The sorted elements of the first array that the second lacks.
    fn numpy.setdiff1d(ar1, ar2, assume_unique = Bool(false)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any, P::Any, P::Bool], st::set_of_first, "numbra_np_setdiff1d")],
    }
    /// The sorted elements that one of the arrays has.
    fn numpy.setxor1d(ar1, ar2, assume_unique = Bool(false)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any, P::Any, P::Bool], st::set_of_both, "numbra_np_setxor1d")],
    }
    /// Whether each element is one of `test_elements`; with `invert` whether it is none.
    fn numpy.isin(element, test_elements, assume_unique = Bool(false), invert = Bool(false)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any, P::Any, P::Bool, P::Bool], st::isin, "numbra_np_isin")],
    }
    /// The element in the middle, or the mean of the two there; NaN if there is one or the array is empty.
    fn numpy.median(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_median"), ordered(&[P::Any], st::median, "numbra_np_median")],
    }
    /// The number that `q` percent of the elements are below, in proportion between two elements.
    fn numpy.percentile(a, q) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::Real], "device_percentile"), ordered(&[P::Any, P::Any], st::quantile, "numbra_np_percentile")],
    }
    /// The number that a fraction `q` of the elements is below, in proportion between two elements.
    fn numpy.quantile(a, q) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::Real], "device_quantile"), ordered(&[P::Any, P::Any], st::quantile, "numbra_np_quantile")],
    }
    /// [`numpy.median`] of the elements that are no NaN.
    fn numpy.nanmedian(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_nanmedian"), ordered(&[P::Any], st::median, "numbra_np_nanmedian")],
    }
    /// [`numpy.percentile`] of the elements that are no NaN.
    fn numpy.nanpercentile(a, q) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::Real], "device_nanpercentile"), ordered(&[P::Any, P::Any], st::quantile, "numbra_np_nanpercentile")],
    }
    /// [`numpy.quantile`] of the elements that are no NaN.
    fn numpy.nanquantile(a, q) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::Real], "device_nanquantile"), ordered(&[P::Any, P::Any], st::quantile, "numbra_np_nanquantile")],
    }
    /// The smallest element that is no NaN; ValueError when empty.
    fn numpy.nanmin(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_nanmin"), ordered(&[P::Any], st::element, "numbra_np_nanmin")],
    }
    /// The greatest element that is no NaN; ValueError when empty.
    fn numpy.nanmax(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_nanmax"), ordered(&[P::Any], st::element, "numbra_np_nanmax")],
    }
    /// Sum of the elements that are no NaN.
    fn numpy.nansum(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_nansum"), ordered(&[P::Array], red::duration, "numbra_np_nansum"), native(&[P::Any], st::total, "numbra_np_nansum")],
    }
    /// Product of the elements that are no NaN.
    fn numpy.nanprod(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_nanprod"), native(&[P::Any], st::total, "numbra_np_nanprod")],
    }
    /// Running sums in C order that pass NaN over.
    fn numpy.nancumsum(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Array], red::durations, "numbra_np_nancumsum"), native(&[P::Any], st::running, "numbra_np_nancumsum")],
    }
    /// Running products in C order that pass NaN over.
    fn numpy.nancumprod(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], st::running, "numbra_np_nancumprod")],
    }
    /// Mean of the elements that are no NaN.
    fn numpy.nanmean(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_nanmean"), ordered(&[P::Array], red::duration, "numbra_np_mean").threads(Threads::Reduction).inline(Inline::Few(Few::Mean)), native(&[P::Any], st::mean, "numbra_np_nanmean")],
    }
    /// Variance of the elements that are no NaN, with `ddof` fewer in the divisor.
    fn numpy.nanvar(a, axis = None, dtype = None, out = None, ddof = Int(0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::None, P::None, P::None, P::Real], "device_nanvar"), native(&[P::Any, P::None, P::None, P::None, P::Real], st::spread, "numbra_np_nanvar")],
    }
    /// Standard deviation of the elements that are no NaN, with `ddof` fewer in the divisor.
    fn numpy.nanstd(a, axis = None, dtype = None, out = None, ddof = Int(0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::None, P::None, P::None, P::Real], "device_nanstd"), native(&[P::Any, P::None, P::None, P::None, P::Real], st::spread, "numbra_np_nanstd")],
    }
    /// Position in C order of the first smallest element that is no NaN.
    fn numpy.nanargmin(a, axis = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::None], "device_nanargmin"), ordered(&[P::Any, P::Any], st::position, "numbra_np_nanargmin")],
    }
    /// Position in C order of the first greatest element that is no NaN.
    fn numpy.nanargmax(a, axis = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::None], "device_nanargmax"), ordered(&[P::Any, P::Any], st::position, "numbra_np_nanargmax")],
    }
    /// The greatest element less the smallest.
    fn numpy.ptp(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_ptp"), ordered(&[P::Any], st::ptp, "numbra_np_ptp")],
    }
    /// Mean, weighted if weights are given.
    fn numpy.average(a, axis = None, weights = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::None, P::None], "device_average"), native(&[P::Array, P::None, P::None], red::mean, "numbra_np_mean").threads(Threads::Reduction).inline(Inline::Few(Few::Mean)), native(&[P::Any, P::Any, P::Any], st::average, "numbra_np_average")],
    }
    /// How often each integer from 0 on is among the elements, or the sum of its weights.
    fn numpy.bincount(a, weights = None, minlength = Int(0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Int], st::bincount, "numbra_np_bincount")],
    }
    /// Numbers of elements in bins, and the edges of the bins.
    fn numpy.histogram(a, bins = Int(10), range = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Any], st::histogram, "numbra_np_histogram")],
    }
    /// Covariances of variables, each a row (`rowvar`) or column.
    fn numpy.cov(m, y = None, rowvar = Bool(true), bias = Bool(false), ddof = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[
            native(&[P::Any, P::Any, P::Integral, P::Integral, P::Any],
                st::cov,
                "numbra_np_cov",
            ),
        ],
    }
    /// Correlation coefficients of variables, each a row (`rowvar`) or column.
    fn numpy.corrcoef(x, y = None, rowvar = Bool(true)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Integral], st::corrcoef, "numbra_np_corrcoef")],
    }
    /// Differences of neighbours along the last axis, `n` times.
    fn numpy.diff(a, n = Int(1)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any, P::Int], st::diff, "numbra_np_diff")],
    }
    /// Differences of neighbours in C order, with numbers before and after.
    fn numpy.ediff1d(ary, to_end = None, to_begin = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any, P::Any, P::Any], st::ediff1d, "numbra_np_ediff1d")],
    }
    /// Integral along the last axis by trapezoids.
    fn numpy.trapezoid(y, x = None, dx = Float(1.0)) alias [numpy.trapz] {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::ArrayNd(1), P::None, P::Real], "device_trapezoid"), on_gpu(&[P::ArrayNd(1), P::ArrayNd(1), P::Real], "device_trapezoid_over"), native(&[P::Any, P::Any, P::Scalar], st::trapezoid, "numbra_np_trapezoid")],
    }
    /// Values at `x` of the straight lines between the points (`xp`, `fp`).
    fn numpy.interp(x, xp, fp) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Real, P::ArrayNd(1), P::ArrayNd(1)], "device_interp"), native(&[P::Any, P::Any, P::Any], st::interp, "numbra_np_interp")],
    }
    /// Discrete convolution: `full`, `same` or `valid`.
    fn numpy.convolve(a, v, mode = Str("full")) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Any], st::slide, "numbra_np_convolve")],
    }
    /// Cross-correlation: `full`, `same` or `valid`.
    fn numpy.correlate(a, v, mode = Str("valid")) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Any], st::slide, "numbra_np_correlate")],
    }
    /// Cross products of vectors along the last axis.
    fn numpy.cross(a, b) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], st::cross, "numbra_np_cross").inline(Inline::Few(Few::Cross))],
    }
    /// The Kronecker product.
    fn numpy.kron(a, b) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], st::kron, "numbra_np_kron")],
    }
    /// Elements below `a_min` or above `a_max` replaced by these.
    fn numpy.clip(a, a_min, a_max, out = None) method [array.clip] {
        effects: NEW.and(Effects::WRITE), targets: Targets::Cpu,
        bodies: &[
            on_gpu(&[P::Is(Scalar::Float64), P::Real, P::Real, P::None], "device_clip"),
            on_gpu(&[P::Is(Scalar::Float32), P::Is(Scalar::Float32), P::Is(Scalar::Float32), P::None], "device_clip"),
            on_gpu(&[P::Is(Scalar::Int64), P::Is(Scalar::Int64), P::Is(Scalar::Int64), P::None], "device_clip"),
            prelude(&[P::Is(Scalar::Float64), P::Real, P::Real, P::None], "device_clip"),
            prelude(&[P::Is(Scalar::Float32), P::Is(Scalar::Float32), P::Is(Scalar::Float32), P::None], "device_clip"),
            prelude(&[P::Is(Scalar::Int64), P::Is(Scalar::Int64), P::Is(Scalar::Int64), P::None], "device_clip"),
            guarded_prelude(&[P::Array, P::Any, P::Any, P::None], st::limits_convert, "clip_to_numbers"),
            guarded_prelude(&[P::Array, P::Any, P::Any, P::None], st::limits_promote, "clip_to_wider_numbers"),
            ordered(&[P::Any, P::Any, P::Any, P::Any], st::clip, "numbra_np_clip"),
        ],
    }
    /// Rounded to `decimals` digits, ties to even.
    fn numpy.round(a, decimals = Int(0), out = None) alias [numpy.around, numpy.round_] {
        effects: NEW.and(Effects::WRITE), targets: Targets::Cpu,
        bodies: &[
            on_gpu(&[P::Is(Scalar::Float32), P::Int, P::None], "device_round_number"),
            prelude(&[P::Is(Scalar::Float64), P::Int, P::None], "round_number"),
            native(&[P::Any, P::Int, P::Any], st::round, "numbra_np_round"),
        ],
    }
    /// Whether numbers are equal within a tolerance.
    fn numpy.isclose(a, b, rtol = Float(1e-5), atol = Float(1e-8), equal_nan = Bool(false)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[
            on_gpu(&[P::Real, P::Real, P::Real, P::Real, P::Integral], "device_isclose"),
            prelude(&[P::Float, P::Real, P::Float, P::Float, P::Is(Scalar::Bool)], "device_isclose"),
            prelude(&[P::Real, P::Float, P::Float, P::Float, P::Is(Scalar::Bool)], "device_isclose"),
            native(&[P::Any], st::isclose, "numbra_np_isclose"),
        ],
    }
    /// Whether all numbers are equal within a tolerance.
    fn numpy.allclose(a, b, rtol = Float(1e-5), atol = Float(1e-8), equal_nan = Bool(false)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::Array, P::Real, P::Real, P::Integral], "device_allclose"), on_gpu(&[P::Array, P::Real, P::Real, P::Real, P::Integral], "device_allclose_to"), native(&[P::Any], st::allclose, "numbra_np_allclose")],
    }
    /// Whether arrays have the same shape and elements.
    fn numpy.array_equal(a1, a2) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::Array], "device_array_equal"), ordered(&[P::Any, P::Any], st::array_equal, "numbra_np_array_equal")],
    }
    /// NaN and infinities replaced by finite numbers.
    fn numpy.nan_to_num(x, copy = Bool(true), nan = Float(0.0), posinf = None, neginf = None) {
        effects: NEW.and(Effects::WRITE), targets: Targets::Cpu,
        bodies: &[
            on_gpu(&[P::Is(Scalar::Float64), P::Integral, P::Real, P::None, P::None], "device_nan_to_num"),
            prelude(&[P::Is(Scalar::Float64), P::Integral, P::Real, P::None, P::None], "device_nan_to_num"),
            native(
                &[P::Any, P::Integral, P::Real, P::OneOf(&[P::None, P::Real]), P::OneOf(&[P::None, P::Real])],
                st::nan_to_num,
                "numbra_np_nan_to_num",
            ),
        ],
    }
    /// Angle of complex numbers, in radians or degrees.
    fn numpy.angle(z, deg = Bool(false)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Complex, P::Integral], "device_angle"), prelude(&[P::Complex, P::Integral], "device_angle"), native(&[P::Any, P::Integral], st::angle, "numbra_np_angle")],
    }
    /// Normalised sinc, `sin(pi x) / (pi x)`, 1 at 0.
    fn numpy.sinc(x) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Is(Scalar::Float64)], "device_sinc"), prelude(&[P::Is(Scalar::Float64)], "device_sinc"), native(&[P::Any], st::sinc, "numbra_np_sinc")],
    }
    /// Whether numbers have an imaginary part.
    fn numpy.iscomplex(x) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], st::truth, "numbra_np_iscomplex")],
    }
    /// Whether numbers have no imaginary part.
    fn numpy.isreal(x) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], st::truth, "numbra_np_isreal")],
    }
    /// Whether numbers are minus infinity.
    fn numpy.isneginf(x, out = None) {
        effects: NEW.and(Effects::WRITE), targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], st::infinite, "numbra_np_isneginf")],
    }
    /// Whether numbers are plus infinity.
    fn numpy.isposinf(x, out = None) {
        effects: NEW.and(Effects::WRITE), targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], st::infinite, "numbra_np_isposinf")],
    }
    /// Jumps of more than half a period along the last axis taken out.
    fn numpy.unwrap(p, discont = None, axis = Int(-1), period = Float(std::f64::consts::TAU)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[
            native(&[P::Any], st::unwrap, "numbra_np_unwrap"),
        ],
    }
    /// `num` numbers from `10**start` to `10**stop`, each a fixed multiple of the one before.
    fn numpy.logspace(start, stop, num = Int(50)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], st::logspace, "numbra_np_logspace")],
    }
    /// `num` numbers from `start` to `stop`, each a fixed multiple of the one before.
    fn numpy.geomspace(start, stop, num = Int(50)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], st::geomspace, "numbra_np_geomspace")],
    }
    /// Powers of each number in a row, falling unless `increasing`.
    fn numpy.vander(x, N = None, increasing = Bool(false)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Integral], st::vander, "numbra_np_vander")],
    }
    /// Indices of every element of a shape, axis by axis.
    fn numpy.indices(dimensions) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], st::indices, "numbra_np_indices")],
    }
    /// The Bartlett window.
    fn numpy.bartlett(M) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], st::window, "numbra_np_bartlett")],
    }
    /// The Blackman window.
    fn numpy.blackman(M) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], st::window, "numbra_np_blackman")],
    }
    /// The Hamming window.
    fn numpy.hamming(M) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], st::window, "numbra_np_hamming")],
    }
    /// The Hann window.
    fn numpy.hanning(M) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], st::window, "numbra_np_hanning")],
    }
    /// The Kaiser window.
    fn numpy.kaiser(M, beta) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], st::window, "numbra_np_kaiser")],
    }
    /// Sum of polynomials by their coefficients.
    fn numpy.polynomial.polynomial.polyadd(c1, c2) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], st::polynomial, "numbra_np_polyadd")],
    }
    /// Difference of polynomials by their coefficients.
    fn numpy.polynomial.polynomial.polysub(c1, c2) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], st::polynomial, "numbra_np_polysub")],
    }
    /// Product of polynomials by their coefficients.
    fn numpy.polynomial.polynomial.polymul(c1, c2) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], st::polynomial, "numbra_np_polymul")],
    }
    /// Quotient and remainder of polynomials by their coefficients.
    fn numpy.polynomial.polynomial.polydiv(c1, c2) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], st::polynomial_pair, "numbra_np_polydiv")],
    }
    /// Integral of a polynomial, `m` times, 0 at 0.
    fn numpy.polynomial.polynomial.polyint(c, m = Int(1)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], st::polyint, "numbra_np_polyint")],
    }
    /// Values of a polynomial at `x`.
    fn numpy.polynomial.polynomial.polyval(x, c, tensor = Bool(true)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Any], st::polyval, "numbra_np_polyval")],
    }
    /// The polynomial of these coefficients, as float64; `domain` and `window` are both given, or both `[-1, 1]`.
    fn numpy.polynomial.polynomial.Polynomial(coef, domain = None, window = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Array, P::Any, P::Any], st::polynomial_class, "numbra_np_polynomial")],
    }
    /// Each item as an array with one axis, without zeros at the end if `trim`.
    fn numpy.polynomial.polyutils.as_series(alist, trim = Bool(true)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], st::as_series, "numbra_np_as_series")],
    }
    /// Without zeros at the end; one number at least stays.
    fn numpy.polynomial.polyutils.trimseq(seq) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], st::trimseq, "numbra_np_trimseq")],
    }
    /// Whether the argument is a number or string.
    fn numpy.isscalar(element) {
        bodies: &[rule(&[P::Any], st::is_scalar, Op::Constant)],
    }
    /// Whether the elements are of a complex type.
    fn numpy.iscomplexobj(x) {
        bodies: &[rule(&[P::Any], st::is_complex, Op::Constant)],
    }
    /// Whether the elements are of a real type.
    fn numpy.isrealobj(x) {
        bodies: &[rule(&[P::Any], st::is_real, Op::Constant)],
    }
}
