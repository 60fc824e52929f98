"""`numpy.random` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def beta(a: Any, b: Any, size: Any = None) -> Any:
    r"""Beta, of two numbers of [`numpy.random.gamma`]."""

def binomial(n: Any, p: Any, size: Any = None) -> Any:
    r"""Successes of `n` trials."""

def chisquare(df: Any, size: Any = None) -> Any:
    r"""Chi-squared, of [`numpy.random.gamma`]."""

def choice(a: Any, size: Any = None, replace: Any = True) -> Any:
    r"""Elements of an array or integers below a number, of equal chances."""

def dirichlet(alpha: Any, size: Any = None) -> Any:
    r"""Fractions that sum to 1, of numbers of [`numpy.random.gamma`]."""

def exponential(scale: Any = 1.0, size: Any = None) -> Any:
    r"""Exponential with mean `scale`."""

def f(dfnum: Any, dfden: Any, size: Any = None) -> Any:
    r"""F, of two chi-squared numbers."""

def gamma(shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
    r"""Gamma, by CPython's algorithm as in Numba."""

def geometric(p: Any, size: Any = None) -> Any:
    r"""Trials up to the first success."""

def gumbel(loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    r"""Gumbel."""

def hypergeometric(ngood: Any, nbad: Any, nsample: Any, size: Any = None) -> Any:
    r"""Good ones in a sample; for samples over 10 another stream than NumPy's, as in Numba."""

def laplace(loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    r"""Laplace."""

def logistic(loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    r"""Logistic."""

def lognormal(mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
    r"""A number whose logarithm is normal."""

def logseries(p: Any, size: Any = None) -> Any:
    r"""Of the logarithmic series."""

def multinomial(n: Any, pvals: Any, size: Any = None) -> Any:
    r"""Successes of `n` trials by category."""

def negative_binomial(n: Any, p: Any, size: Any = None) -> Any:
    r"""Failures before `n` successes: a Poisson number of a mean by [`numpy.random.gamma`]."""

def noncentral_chisquare(df: Any, nonc: Any, size: Any = None) -> Any:
    r"""Noncentral chi-squared."""

def normal(loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    r"""Normal with mean `loc` and standard deviation `scale`."""

def pareto(a: Any, size: Any = None) -> Any:
    r"""Pareto II, which starts at 0."""

def permutation(x: Any) -> Any:
    r"""A shuffled copy of an array, or the integers below a number in random order."""

def poisson(lam: Any = 1.0, size: Any = None) -> Any:
    r"""Poisson."""

def power(a: Any, size: Any = None) -> Any:
    r"""A power of a uniform number."""

def rand(*size: Any) -> Any:
    r"""Uniform in `[0, 1)`, an array of these extents."""

def randint(low: Any, high: Any = None, size: Any = None) -> Any:
    r"""An integer from 0 or `low` to below `high`."""

def randn(*size: Any) -> Any:
    r"""Normal, an array of these extents."""

def random(size: Any = None) -> Any:
    r"""Uniform in `[0, 1)`."""

def random_sample(size: Any = None) -> Any:
    r"""Uniform in `[0, 1)`."""

def ranf(size: Any = None) -> Any:
    r"""Uniform in `[0, 1)`."""

def rayleigh(scale: Any = 1.0, size: Any = None) -> Any:
    r"""Rayleigh."""

def sample(size: Any = None) -> Any:
    r"""Uniform in `[0, 1)`."""

def seed(seed: Any) -> Any:
    r"""Starts the thread's stream of `numpy.random` anew from the low 32 bits of an integer."""

def shuffle(x: Any) -> Any:
    r"""Brings the indices of the first axis in a random order."""

def standard_cauchy(size: Any = None) -> Any:
    r"""Cauchy."""

def standard_exponential(size: Any = None) -> Any:
    r"""Exponential with mean 1."""

def standard_gamma(shape: Any, size: Any = None) -> Any:
    r"""[`numpy.random.gamma`] with scale 1."""

def standard_normal(size: Any = None) -> Any:
    r"""Normal with mean 0 and standard deviation 1."""

def standard_t(df: Any, size: Any = None) -> Any:
    r"""Student's t, of a normal number and one of [`numpy.random.gamma`]."""

def triangular(left: Any, mode: Any, right: Any, size: Any = None) -> Any:
    r"""Triangular, by CPython's algorithm as in Numba."""

def uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
    r"""Uniform between `low` and `high`."""

def vonmises(mu: Any, kappa: Any, size: Any = None) -> Any:
    r"""Von Mises, by CPython's algorithm as in Numba."""

def wald(mean: Any, scale: Any, size: Any = None) -> Any:
    r"""Wald, the inverse Gaussian."""

def weibull(a: Any, size: Any = None) -> Any:
    r"""Weibull with scale 1."""

def zipf(a: Any, size: Any = None) -> Any:
    r"""Zipf."""

