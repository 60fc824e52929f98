"""`random` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def betavariate(alpha: Any, beta: Any) -> Any:
    r"""Beta."""

def expovariate(lambd: Any = 1.0) -> Any:
    r"""Exponential with rate `lambd`."""

def gammavariate(alpha: Any, beta: Any) -> Any:
    r"""Gamma with shape `alpha` and scale `beta`."""

def gauss(mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    r"""Normal with mean `mu` and standard deviation `sigma`, from NumPy's legacy stream as in Numba."""

def getrandbits(k: Any) -> Any:
    r"""`k` random bits, 1 to 64."""

def lognormvariate(mu: Any, sigma: Any) -> Any:
    r"""A number whose logarithm is normal."""

def normalvariate(mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    r"""Normal with mean `mu` and standard deviation `sigma`, from NumPy's legacy stream as in Numba."""

def paretovariate(alpha: Any) -> Any:
    r"""Pareto with shape `alpha`."""

def randint(a: Any, b: Any) -> Any:
    r"""An integer from `a` to `b`."""

def random() -> Any:
    r"""Uniform in `[0, 1)`."""

def randrange(start: Any, stop: Any = ..., step: Any = ...) -> Any:
    r"""An integer of a range."""

def seed(a: Any) -> Any:
    r"""Starts the thread's stream of `random` anew, as `numpy.random.seed` does."""

def shuffle(x: Any) -> Any:
    r"""Brings the indices of the first axis in a random order."""

def triangular(low: Any = 0.0, high: Any = 1.0, mode: Any = None) -> Any:
    r"""Triangular between `low` and `high`, with the mode in the middle or given."""

def uniform(a: Any, b: Any) -> Any:
    r"""Uniform between `a` and `b`."""

def vonmisesvariate(mu: Any, kappa: Any) -> Any:
    r"""An angle around `mu` with concentration `kappa`."""

def weibullvariate(alpha: Any, beta: Any) -> Any:
    r"""Weibull with scale `alpha` and shape `beta`."""

