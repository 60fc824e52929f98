//! `random` and `numpy.random`: streams of the thread that Numba defines (`numbra-runtime/src/random`).

use crate::row_macro::{guarded, native};
use crate::rules::random as r;
use crate::{Effects, Op, Targets, TypePattern as P};

/// A number; arrays allocate.
const DRAWS: Effects = Effects::STATE.and(Effects::ALLOC).and(Effects::RAISE);
const MIXES: Effects = DRAWS.and(Effects::READ).and(Effects::WRITE);
const CHOOSES: Effects = DRAWS.and(Effects::READ);

/// Draws of `random`, which give one number each.
const ONE: Effects = Effects::STATE.and(Effects::RAISE);

library! {
    /// Starts the thread's stream of `random` anew, as `numpy.random.seed` does.
    fn random.seed(a) {
        effects: ONE, targets: Targets::Cpu,
        bodies: &[native(&[P::Int], r::seed, "numbra_np_python_seed")],
    }
    /// Uniform in `[0, 1)`.
    fn random.random() { effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Random)] }
    /// Uniform between `a` and `b`.
    fn random.uniform(a, b) { effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Uniform)] }
    /// Normal with mean `mu` and standard deviation `sigma`, from NumPy's legacy stream as in Numba.
    fn random.gauss(mu = Float(0.0), sigma = Float(1.0)) alias [random.normalvariate] {
        effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Gauss)],
    }
    /// Triangular between `low` and `high`, with the mode in the middle or given.
    fn random.triangular(low = Float(0.0), high = Float(1.0), mode = None) {
        effects: ONE, targets: Targets::Cpu,
        bodies: &[draw!(Python TriangularAt), draw!(Python Triangular)],
    }
    /// Gamma with shape `alpha` and scale `beta`.
    fn random.gammavariate(alpha, beta) { effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Gamma)] }
    /// Beta.
    fn random.betavariate(alpha, beta) { effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Beta)] }
    /// Exponential with rate `lambd`.
    fn random.expovariate(lambd = Float(1.0)) { effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Expo)] }
    /// A number whose logarithm is normal.
    fn random.lognormvariate(mu, sigma) { effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Lognorm)] }
    /// Pareto with shape `alpha`.
    fn random.paretovariate(alpha) { effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Pareto)] }
    /// An angle around `mu` with concentration `kappa`.
    fn random.vonmisesvariate(mu, kappa) { effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python VonMises)] }
    /// Weibull with scale `alpha` and shape `beta`.
    fn random.weibullvariate(alpha, beta) { effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Weibull)] }
    /// `k` random bits, 1 to 64.
    fn random.getrandbits(k) { effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Bits)] }
    /// An integer of a range.
    fn random.randrange(start, stop = Unset, step = Unset) {
        effects: ONE, targets: Targets::Cpu,
        bodies: &[
            draw!(Python Range),
            draw!(Python Between),
            draw!(Python Below),
        ],
    }
    /// An integer from `a` to `b`.
    fn random.randint(a, b) {
        effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Among)],
    }
    /// Brings the indices of the first axis in a random order.
    fn random.shuffle(x) {
        effects: MIXES, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], r::shuffle, "numbra_np_python_shuffle")],
    }

    /// Starts the thread's stream of `numpy.random` anew from the low 32 bits of an integer.
    fn numpy.random.seed(seed) {
        effects: ONE, targets: Targets::Cpu,
        bodies: &[native(&[P::Int], r::seed, "numbra_np_random_seed")],
    }
    /// Uniform in `[0, 1)`.
    fn numpy.random.random(size = None)
        alias [numpy.random.random_sample, numpy.random.ranf, numpy.random.sample]
    { effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Random)] }
    /// Uniform in `[0, 1)`, an array of these extents.
    fn numpy.random.rand(*size) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Random)],
    }
    /// Normal, an array of these extents.
    fn numpy.random.randn(*size) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Numpy StandardNormal)],
    }
    /// Normal with mean 0 and standard deviation 1.
    fn numpy.random.standard_normal(size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Numpy StandardNormal)],
    }
    /// Normal with mean `loc` and standard deviation `scale`.
    fn numpy.random.normal(loc = Float(0.0), scale = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Normal)],
    }
    /// Uniform between `low` and `high`.
    fn numpy.random.uniform(low = Float(0.0), high = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Uniform)],
    }
    /// An integer from 0 or `low` to below `high`.
    fn numpy.random.randint(low, high = None, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Numpy Range), draw!(Numpy Below)],
    }
    /// Exponential with mean `scale`.
    fn numpy.random.exponential(scale = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Numpy Exponential)],
    }
    /// Exponential with mean 1.
    fn numpy.random.standard_exponential(size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Numpy StandardExponential)],
    }
    /// Gamma, by CPython's algorithm as in Numba.
    fn numpy.random.gamma(shape, scale = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Gamma)],
    }
    /// [`numpy.random.gamma`] with scale 1.
    fn numpy.random.standard_gamma(shape, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Numpy StandardGamma)],
    }
    /// Beta, of two numbers of [`numpy.random.gamma`].
    fn numpy.random.beta(a, b, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Beta)],
    }
    /// Chi-squared, of [`numpy.random.gamma`].
    fn numpy.random.chisquare(df, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Chisquare)],
    }
    /// Noncentral chi-squared.
    fn numpy.random.noncentral_chisquare(df, nonc, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Numpy NoncentralChisquare)],
    }
    /// F, of two chi-squared numbers.
    fn numpy.random.f(dfnum, dfden, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy F)],
    }
    /// Gumbel.
    fn numpy.random.gumbel(loc = Float(0.0), scale = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Gumbel)],
    }
    /// Laplace.
    fn numpy.random.laplace(loc = Float(0.0), scale = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Laplace)],
    }
    /// Logistic.
    fn numpy.random.logistic(loc = Float(0.0), scale = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Logistic)],
    }
    /// A number whose logarithm is normal.
    fn numpy.random.lognormal(mean = Float(0.0), sigma = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Lognormal)],
    }
    /// Pareto II, which starts at 0.
    fn numpy.random.pareto(a, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Pareto)],
    }
    /// A power of a uniform number.
    fn numpy.random.power(a, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Power)],
    }
    /// Rayleigh.
    fn numpy.random.rayleigh(scale = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Rayleigh)],
    }
    /// Cauchy.
    fn numpy.random.standard_cauchy(size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Cauchy)],
    }
    /// Student's t, of a normal number and one of [`numpy.random.gamma`].
    fn numpy.random.standard_t(df, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy StudentT)],
    }
    /// Triangular, by CPython's algorithm as in Numba.
    fn numpy.random.triangular(left, mode, right, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Triangular)],
    }
    /// Von Mises, by CPython's algorithm as in Numba.
    fn numpy.random.vonmises(mu, kappa, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy VonMises)],
    }
    /// Wald, the inverse Gaussian.
    fn numpy.random.wald(mean, scale, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Wald)],
    }
    /// Weibull with scale 1.
    fn numpy.random.weibull(a, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Weibull)],
    }
    /// Successes of `n` trials.
    fn numpy.random.binomial(n, p, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Binomial)],
    }
    /// Trials up to the first success.
    fn numpy.random.geometric(p, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Geometric)],
    }
    /// Good ones in a sample; for samples over 10 another stream than NumPy's, as in Numba.
    fn numpy.random.hypergeometric(ngood, nbad, nsample, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Numpy Hypergeometric)],
    }
    /// Of the logarithmic series.
    fn numpy.random.logseries(p, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Logseries)],
    }
    /// Failures before `n` successes: a Poisson number of a mean by [`numpy.random.gamma`].
    fn numpy.random.negative_binomial(n, p, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Numpy NegativeBinomial)],
    }
    /// Poisson.
    fn numpy.random.poisson(lam = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Poisson)],
    }
    /// Zipf.
    fn numpy.random.zipf(a, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Zipf)],
    }
    /// Brings the indices of the first axis in a random order.
    fn numpy.random.shuffle(x) {
        effects: MIXES, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], r::shuffle, "numbra_np_random_shuffle")],
    }
    /// A shuffled copy of an array, or the integers below a number in random order.
    fn numpy.random.permutation(x) {
        effects: CHOOSES, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], r::permutation, "numbra_np_random_permutation")],
    }
    /// Elements of an array or integers below a number, of equal chances.
    fn numpy.random.choice(a, size = None, replace = Bool(true)) {
        effects: CHOOSES, targets: Targets::Cpu,
        bodies: &[
            guarded(&[P::Any, P::None, P::Bool], r::is_population, r::choice, Op::DrawItem),
            native(&[P::Any, P::Any, P::Bool], r::choice, "numbra_np_random_choice"),
        ],
    }
    /// Successes of `n` trials by category.
    fn numpy.random.multinomial(n, pvals, size = None) {
        effects: CHOOSES, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], r::multinomial, "numbra_np_random_multinomial")],
    }
    /// Fractions that sum to 1, of numbers of [`numpy.random.gamma`].
    fn numpy.random.dirichlet(alpha, size = None) {
        effects: CHOOSES, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], r::dirichlet, "numbra_np_random_dirichlet")],
    }
}
