"""`generator` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def beta(generator: Any, a: Any, b: Any, size: Any = None) -> Any:
    r"""Beta."""

def binomial(generator: Any, n: Any, p: Any, size: Any = None) -> Any:
    r"""Successes of `n` trials."""

def chisquare(generator: Any, df: Any, size: Any = None) -> Any:
    r"""Chi-squared."""

def exponential(generator: Any, scale: Any = 1.0, size: Any = None) -> Any:
    r"""Exponential with mean `scale`."""

def f(generator: Any, dfnum: Any, dfden: Any, size: Any = None) -> Any:
    r"""F."""

def gamma(generator: Any, shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
    r"""Gamma."""

def geometric(generator: Any, p: Any, size: Any = None) -> Any:
    r"""Trials up to the first success."""

def integers(generator: Any, low: Any, high: Any = None, size: Any = None, dtype: Any = None, endpoint: Any = False) -> Any:
    r"""Integers from `low` to below `high`, or to `high` with `endpoint`; from 0 to below `low` without a `high`."""

def laplace(generator: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    r"""Laplace."""

def logistic(generator: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    r"""Logistic."""

def lognormal(generator: Any, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
    r"""A number whose logarithm is normal."""

def logseries(generator: Any, p: Any, size: Any = None) -> Any:
    r"""Of the logarithmic series."""

def negative_binomial(generator: Any, n: Any, p: Any, size: Any = None) -> Any:
    r"""Failures before `n` successes."""

def noncentral_chisquare(generator: Any, df: Any, nonc: Any, size: Any = None) -> Any:
    r"""Noncentral chi-squared."""

def noncentral_f(generator: Any, dfnum: Any, dfden: Any, nonc: Any, size: Any = None) -> Any:
    r"""Noncentral F."""

def normal(generator: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    r"""Normal with mean `loc` and standard deviation `scale`."""

def pareto(generator: Any, a: Any, size: Any = None) -> Any:
    r"""Pareto II, which starts at 0."""

def permutation(generator: Any, x: Any, axis: Any = 0) -> Any:
    r"""A shuffled copy of an array, or the integers below a number in random order."""

def poisson(generator: Any, lam: Any = 1.0, size: Any = None) -> Any:
    r"""Poisson."""

def power(generator: Any, a: Any, size: Any = None) -> Any:
    r"""A power of a uniform number."""

def random(generator: Any, size: Any = None, dtype: Any = None) -> Any:
    r"""Uniform in `[0, 1)`."""

def rayleigh(generator: Any, scale: Any = 1.0, size: Any = None) -> Any:
    r"""Rayleigh."""

def shuffle(generator: Any, x: Any, axis: Any = 0) -> Any:
    r"""Brings the indices of an axis in a random order."""

def standard_cauchy(generator: Any, size: Any = None) -> Any:
    r"""Cauchy."""

def standard_exponential(generator: Any, size: Any = None, dtype: Any = None, method: Any = "zig") -> Any:
    r"""Exponential with mean 1, by the ziggurat (`zig`) or by inversion (`inv`)."""

def standard_gamma(generator: Any, shape: Any, size: Any = None, dtype: Any = None) -> Any:
    r"""Gamma with scale 1."""

def standard_normal(generator: Any, size: Any = None, dtype: Any = None) -> Any:
    r"""Normal with mean 0 and standard deviation 1."""

def standard_t(generator: Any, df: Any, size: Any = None) -> Any:
    r"""Student's t."""

def triangular(generator: Any, left: Any, mode: Any, right: Any, size: Any = None) -> Any:
    r"""Triangular."""

def uniform(generator: Any, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
    r"""Uniform between `low` and `high`."""

def wald(generator: Any, mean: Any, scale: Any, size: Any = None) -> Any:
    r"""Wald, the inverse Gaussian."""

def weibull(generator: Any, a: Any, size: Any = None) -> Any:
    r"""Weibull with scale 1."""

def zipf(generator: Any, a: Any, size: Any = None) -> Any:
    r"""Zipf."""

