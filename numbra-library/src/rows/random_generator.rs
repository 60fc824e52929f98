//! Methods of `numpy.random.Generator`: NumPy's streams, bit for bit. The generator's lock is not taken, as in Numba.

use super::random;
use crate::row_macro::native;
use crate::{Effects, Targets, TypePattern as P};

/// A number; arrays allocate.
const DRAWS: Effects = Effects::STATE.and(Effects::ALLOC).and(Effects::RAISE);

library! {
    /// Uniform in `[0, 1)`.
    method generator.random(generator, size = None, dtype = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator RandomSingle), draw!(Generator Random)],
    }
    /// Uniform between `low` and `high`.
    method generator.uniform(generator, low = Float(0.0), high = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Uniform)],
    }
    /// Normal with mean 0 and standard deviation 1.
    method generator.standard_normal(generator, size = None, dtype = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator StandardNormalSingle), draw!(Generator StandardNormal)],
    }
    /// Normal with mean `loc` and standard deviation `scale`.
    method generator.normal(generator, loc = Float(0.0), scale = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Normal)],
    }
    /// Exponential with mean 1, by the ziggurat (`zig`) or by inversion (`inv`).
    method generator.standard_exponential(generator, size = None, dtype = None, method = Str("zig")) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator StandardExponentialSingle), draw!(Generator StandardExponential),
            draw!(Generator InverseExponentialSingle), draw!(Generator InverseExponential)],
    }
    /// Exponential with mean `scale`.
    method generator.exponential(generator, scale = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Exponential)],
    }
    /// Gamma with scale 1.
    method generator.standard_gamma(generator, shape, size = None, dtype = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator StandardGammaSingle), draw!(Generator StandardGamma)],
    }
    /// Gamma.
    method generator.gamma(generator, shape, scale = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Gamma)],
    }
    /// Beta.
    method generator.beta(generator, a, b, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Beta)],
    }
    /// Chi-squared.
    method generator.chisquare(generator, df, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Chisquare)],
    }
    /// Noncentral chi-squared.
    method generator.noncentral_chisquare(generator, df, nonc, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator NoncentralChisquare)],
    }
    /// F.
    method generator.f(generator, dfnum, dfden, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator F)],
    }
    /// Noncentral F.
    method generator.noncentral_f(generator, dfnum, dfden, nonc, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator NoncentralF)],
    }
    /// Cauchy.
    method generator.standard_cauchy(generator, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Cauchy)],
    }
    /// Student's t.
    method generator.standard_t(generator, df, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator StudentT)],
    }
    /// Laplace.
    method generator.laplace(generator, loc = Float(0.0), scale = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Laplace)],
    }
    /// Logistic.
    method generator.logistic(generator, loc = Float(0.0), scale = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Logistic)],
    }
    /// A number whose logarithm is normal.
    method generator.lognormal(generator, mean = Float(0.0), sigma = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Lognormal)],
    }
    /// Pareto II, which starts at 0.
    method generator.pareto(generator, a, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Pareto)],
    }
    /// A power of a uniform number.
    method generator.power(generator, a, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Power)],
    }
    /// Rayleigh.
    method generator.rayleigh(generator, scale = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Rayleigh)],
    }
    /// Triangular.
    method generator.triangular(generator, left, mode, right, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Triangular)],
    }
    /// Wald, the inverse Gaussian.
    method generator.wald(generator, mean, scale, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Wald)],
    }
    /// Weibull with scale 1.
    method generator.weibull(generator, a, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Weibull)],
    }
    /// Successes of `n` trials.
    method generator.binomial(generator, n, p, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Binomial)],
    }
    /// Trials up to the first success.
    method generator.geometric(generator, p, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Geometric)],
    }
    /// Of the logarithmic series.
    method generator.logseries(generator, p, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Logseries)],
    }
    /// Failures before `n` successes.
    method generator.negative_binomial(generator, n, p, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator NegativeBinomial)],
    }
    /// Poisson.
    method generator.poisson(generator, lam = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Poisson)],
    }
    /// Zipf.
    method generator.zipf(generator, a, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Generator Zipf)],
    }
    /// Integers from `low` to below `high`, or to `high` with `endpoint`; from 0 to below `low` without a `high`.
    method generator.integers(
        generator, low, high = None, size = None, dtype = None, endpoint = Bool(false)
    ) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], random::integers, "numbra_np_generator_integers")],
    }
    /// Brings the indices of an axis in a random order.
    method generator.shuffle(generator, x, axis = Int(0)) {
        effects: DRAWS.and(Effects::READ).and(Effects::WRITE), targets: Targets::Cpu,
        bodies: &[native(&[P::Any], random::shuffle, "numbra_np_generator_shuffle")],
    }
    /// A shuffled copy of an array, or the integers below a number in random order.
    method generator.permutation(generator, x, axis = Int(0)) {
        effects: DRAWS.and(Effects::READ), targets: Targets::Cpu,
        bodies: &[native(&[P::Any], random::permutation, "numbra_np_generator_permutation")],
    }
}
