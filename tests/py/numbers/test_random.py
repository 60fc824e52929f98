"""Random numbers: compiled code draws NumPy's and CPython's streams, bit for bit."""

import math
import os
import random
import subprocess
import sys
import threading

import numbra as nb
import numpy as np
import pytest
from numbra import _helperlib
from numbra.core.errors import TypingError

SEEDS = [0, 1, 125, 2**32 - 1]
SIZES = ["", "5", "(2, 3)", "()", "None", "0"]


def function(parameters, *lines):
    """A function of these lines, the last of which is what it returns."""
    body = [*lines[:-1], f"return {lines[-1]}"]
    text = f"def drawn({parameters}):\n" + "".join(f"    {line}\n" for line in body)
    space = {"np": np, "random": random, "math": math}
    exec(text, space)
    return space["drawn"]


def assert_same(got, want):
    """The same numbers of the same types."""
    if isinstance(want, tuple):
        assert len(got) == len(want)
        for g, w in zip(got, want, strict=True):
            assert_same(g, w)
        return
    assert np.shape(got) == np.shape(want)
    assert np.asarray(got).dtype == np.asarray(want).dtype
    assert isinstance(got, np.ndarray) == isinstance(want, np.ndarray)
    np.testing.assert_array_equal(got, want)


def sized(call, size):
    """A call with one more argument."""
    if not size:
        return call
    name, arguments = call.split("(", 1)
    separator = "" if arguments == ")" else ", "
    return f"{name}({arguments[:-1]}{separator}size={size})"


# Streams of NumPy's legacy generator, in which Numba follows NumPy.
LEGACY = [
    "random()",
    "random_sample()",
    "ranf()",
    "sample()",
    "standard_normal()",
    "normal()",
    "normal(0.5)",
    "normal(1.5, 2.0)",
    "normal(-2, 3)",
    "uniform()",
    "uniform(-2.5, 1e3)",
    "uniform(1, 4)",
    "exponential()",
    "exponential(1.5)",
    "standard_exponential()",
    "gumbel(-1.5, 3.5)",
    "laplace()",
    "laplace(-1.5)",
    "laplace(0.5, 3.5)",
    "logistic()",
    "logistic(-1.5, 3.5)",
    "lognormal()",
    "lognormal(0.5)",
    "lognormal(1.5, 2.0)",
    "power(0.1)",
    "power(6.0)",
    "rayleigh()",
    "rayleigh(25.0)",
    "standard_cauchy()",
    "wald(1.0, 1.0)",
    "wald(2.0, 5.0)",
    "binomial(18, 0.25)",
    "binomial(60, 0.5)",
    "binomial(61, 0.5)",
    "binomial(100, 0.4)",
    "binomial(100000, 0.9)",
    "binomial(10, 0.0)",
    "binomial(0, 0.5)",
    "geometric(0.9)",
    "geometric(0.01)",
    "hypergeometric(1000, 5000, 10)",
    "hypergeometric(5000, 1000, 10)",
    "logseries(0.1)",
    "logseries(0.9999)",
    "poisson()",
    "poisson(0.0)",
    "poisson(2.0)",
    "poisson(900.5)",
    "zipf(1.5)",
    "zipf(2.5)",
    "randint(10)",
    "randint(1)",
    "randint(-5, 2**40)",
    "randint(3, 8)",
]


@pytest.mark.parametrize("call", LEGACY)
def test_the_legacy_stream_is_numpys(call):
    one_size = "None" if "randint" in call and call.count(",") == 0 else "5"
    lines = ["np.random.seed(seed)", f"a = np.random.{call}", f"b = np.random.{call}"]
    last = "a, b" if one_size == "None" else f"a, b, np.random.{sized(call, one_size)}"
    drawn = function("seed", *lines, last)
    compiled = nb.njit(drawn)
    for seed in SEEDS:
        assert_same(compiled(seed), drawn(seed))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("call", ["normal(0.5, 2.0)", "random()", "poisson(3.0)", "randint(2, 9)"])
def test_sizes_are_integers_tuples_or_none(call, size):
    drawn = function("seed", "np.random.seed(seed)", f"np.random.{sized(call, size)}")
    assert_same(nb.njit(drawn)(7), drawn(7))


def test_rand_and_randn_take_extents():
    drawn = function(
        "n",
        "np.random.seed(3)",
        "np.random.rand(), np.random.rand(n), np.random.rand(2, n), np.random.randn(), np.random.randn(n, 1, 2)",
    )
    assert_same(nb.njit(drawn)(3), drawn(3))


def test_keywords_are_numpys():
    drawn = function(
        "n",
        "np.random.seed(seed=3)",
        "a = np.random.normal(scale=2.0, size=n)",
        "a, np.random.uniform(high=3.0, low=1.0), np.random.poisson(lam=4.0, size=(n,))",
    )
    assert_same(nb.njit(drawn)(3), drawn(3))


def test_a_second_number_of_a_pair_is_kept():
    drawn = function(
        "n", "np.random.seed(3)", "a = np.random.normal()", "np.random.seed(3)", "a, np.random.normal(size=n)"
    )
    assert_same(nb.njit(drawn)(5), drawn(5))


def test_integers_have_the_type_of_the_bounds():
    drawn = nb.njit(function("low, high", "np.random.randint(low, high)"))
    drawn(np.int32(1), np.int32(5))
    drawn(np.int64(1), np.int32(5))
    returns = [drawn.overloads[s].signature.return_type for s in drawn.signatures]
    assert returns == [nb.int32, nb.int64]


def follow(seed, pointer):
    """CPython's generator of a seed, and ours in its state."""
    generator = random.Random(seed)
    words = generator.getstate()[1]
    _helperlib.rnd_set_state(pointer, (words[-1], list(words[:-1])))
    return generator


PYTHON = [
    "random()",
    "uniform(1.5, -2.5)",
    "uniform(1, 4)",
    "triangular(1.5, 3.5)",
    "triangular(1.5, 3.5, 2.2)",
    "triangular(1.5, 1.5)",
    "gammavariate(0.5, 2.5)",
    "gammavariate(1.0, 1.5)",
    "gammavariate(1.5, 3.5)",
    "betavariate(0.5, 2.5)",
    "expovariate(1.5)",
    "paretovariate(3.5)",
    "vonmisesvariate(0.5, 2.5)",
    "vonmisesvariate(0.5, 0.0)",
    "weibullvariate(0.5, 2.5)",
    "getrandbits(1)",
    "getrandbits(32)",
    "getrandbits(33)",
    "getrandbits(64)",
    "randrange(8)",
    "randrange(-2, 6)",
    "randrange(-2, 100, 6)",
    "randrange(100, 2, -3)",
    "randrange(2**62 + 2**61)",
    "randint(13, 5000)",
    "randint(-(2**62), 2**62)",
]


@pytest.mark.parametrize("call", PYTHON)
def test_pythons_stream_is_cpythons(call):
    drawn = nb.njit(function("", f"random.{call}"))
    space = {"r": follow(2, _helperlib.rnd_get_py_state_ptr())}
    for _ in range(20):
        assert drawn() == eval(f"r.{call}", space)


# Functions of `numpy.random` in which Numba follows CPython: as Python computes them from its generator `r`.
OF_CPYTHON = [
    ("gamma(1.5)", "r.gammavariate(1.5, 1.0)"),
    ("gamma(0.5, 2.5)", "r.gammavariate(0.5, 2.5)"),
    ("standard_gamma(2.0)", "r.gammavariate(2.0, 1.0)"),
    ("beta(0.5, 2.5)", "r.betavariate(0.5, 2.5)"),
    ("chisquare(2.5)", "2.0 * r.gammavariate(1.25, 1.0)"),
    ("pareto(3.5)", "r.paretovariate(3.5) - 1.0"),
    ("weibull(2.5)", "r.weibullvariate(1.0, 2.5)"),
    ("vonmises(0.5, 2.5)", "r.vonmisesvariate(0.5, 2.5)"),
    ("triangular(1.5, 2.2, 3.5)", "r.triangular(1.5, 3.5, 2.2)"),
]


@pytest.mark.parametrize("call, python", OF_CPYTHON)
def test_numpy_functions_that_follow_cpython(call, python):
    one = nb.njit(function("", f"np.random.{call}"))
    many = nb.njit(function("n", f"np.random.{sized(call, 'n')}"))
    space = {"r": follow(2, _helperlib.rnd_get_np_state_ptr())}
    assert [one() for _ in range(5)] == [eval(python, space) for _ in range(5)]
    assert many(5).tolist() == [eval(python, space) for _ in range(5)]


def test_pythons_seed_is_numpys():
    drawn = nb.njit(function("seed", "random.seed(seed)", "random.random(), random.gauss(1.0, 2.0)"))
    for seed in SEEDS:
        legacy = np.random.RandomState(np.uint32(seed))
        assert drawn(seed) == (legacy.random_sample(), legacy.normal(1.0, 2.0))


def test_seeds_are_cut_to_32_bits():
    drawn = nb.njit(function("seed", "np.random.seed(seed)", "np.random.random()"))
    assert drawn(2**32 + 5) == drawn(5)
    assert drawn(-1) == drawn(2**32 - 1)


@pytest.mark.parametrize("shape", [(20,), (8, 4), (1,), (0,), (3, 2, 2)])
def test_shuffles_and_permutations_of_numpy(shape):
    drawn = function("a", "np.random.seed(5)", "np.random.shuffle(a)", "np.random.permutation(a), a")
    a = np.arange(math.prod(shape)).reshape(shape)
    assert_same(nb.njit(drawn)(a.copy()), drawn(a.copy()))
    strided = np.arange(40.0)[::2]
    assert_same(nb.njit(drawn)(strided.copy()[::-1]), drawn(strided.copy()[::-1]))
    numbers = function("n", "np.random.seed(5)", "np.random.permutation(n)")
    assert_same(nb.njit(numbers)(10), numbers(10))


def test_shuffles_of_python():
    shuffle = nb.njit(function("a", "random.shuffle(a)", "a"))
    generator = follow(3, _helperlib.rnd_get_py_state_ptr())
    got, want = shuffle(np.arange(20)), np.arange(20)
    generator.shuffle(want)
    assert_same(got, want)


@pytest.mark.parametrize("call", ["choice(a)", "choice(a, 4)", "choice(a, (2, 3))", "choice(a, 4, False)"])
@pytest.mark.parametrize("population", [50, np.arange(30) * 0.5, np.arange(20, dtype=np.int32)[::2]])
def test_choices_of_numpy(call, population):
    drawn = function("a", "np.random.seed(7)", f"np.random.{call}")
    got, want = nb.njit(drawn)(population), drawn(population)
    if call == "choice(a)":
        assert got == want
    else:
        assert_same(got, want)


def test_choices_one_after_another():
    """Code draws them where they stand, and the stream goes on as NumPy's."""
    drawn = function(
        "a, n",
        "np.random.seed(7)",
        "s = 0.0",
        "for i in range(2000):",
        "    s += float(np.random.choice(a)) * (i % 5) + float(np.random.choice(n))",
        "s, np.random.random()",
    )
    for population in (np.arange(30) * 0.5, np.arange(20, dtype=np.int8)[::-3], np.array([True, False, True])):
        for n in (1, 7, 2**33):
            assert nb.njit(drawn)(population, n) == drawn(population, n)


def test_there_is_nothing_to_choose_from_nothing():
    choose = nb.njit(function("a", "np.random.choice(a)"))
    for nothing in (np.zeros(0), 0, -3):
        with pytest.raises(ValueError, match=r"empty range for randrange\(\)"):
            choose(nothing)


def test_samples_without_replacement_are_not_larger_than_the_population():
    drawn = nb.njit(function("a, size", "np.random.choice(a, size, False)"))
    with pytest.raises(ValueError, match="Cannot take a larger sample than population when 'replace=False'"):
        drawn(3, 4)


@pytest.mark.parametrize("size", ["None", "3", "(2, 2)"])
def test_multinomials_of_numpy(size):
    drawn = function("p", "np.random.seed(7)", f"np.random.multinomial(1000, p, size={size})")
    chances = np.array([0.1, 0.2, 0.4, 0.3])
    assert_same(nb.njit(drawn)(chances), drawn(chances))
    assert_same(nb.njit(drawn)([0.5, 0.5]), drawn([0.5, 0.5]))


def test_dirichlet_numbers_are_gamma_numbers_by_their_sum():
    drawn = nb.njit(function("a, n", "np.random.dirichlet(a, n)"))
    generator = follow(2, _helperlib.rnd_get_np_state_ptr())
    shapes = (1.0, 2.5, 0.5)
    rows = [[generator.gammavariate(a, 1.0) for a in shapes] for _ in range(3)]
    want = np.array([[x / ((row[0] + row[1]) + row[2]) for x in row] for row in rows])
    assert_same(drawn(np.array(shapes), 3), want)


def test_what_is_made_of_gamma_numbers():
    def state():
        np.random.seed(11)

    seed = nb.njit(state)
    chi = nb.njit(function("d", "np.random.chisquare(d)"))
    normal = nb.njit(function("", "np.random.standard_normal()"))
    gamma = nb.njit(function("a, s", "np.random.gamma(a, s)"))
    poisson = nb.njit(function("m", "np.random.poisson(m)"))
    cases = [
        ("f(3.0, 5.0)", lambda: (chi(3.0) * 5.0) / (chi(5.0) * 3.0)),
        ("standard_t(5.0)", lambda: math.sqrt(2.5) * normal() / math.sqrt(gamma(2.5, 1.0))),
        ("negative_binomial(10, 0.1)", lambda: poisson(gamma(10.0, 0.9 / 0.1))),
        ("noncentral_chisquare(5.0, 2.0)", lambda: chi(4.0) + (normal() + math.sqrt(2.0)) ** 2),
        ("noncentral_chisquare(0.5, 2.0)", lambda: chi(0.5 + 2 * poisson(1.0))),
    ]
    for call, parts in cases:
        drawn = nb.njit(function("", f"np.random.{call}"))
        seed()
        want = parts()
        seed()
        assert drawn() == pytest.approx(want, rel=1e-15), call


ERRORS = [
    ("binomial(-1, 0.5)", ValueError, r"binomial\(\): n <= 0"),
    ("binomial(10, 1.1)", ValueError, r"binomial\(\): p outside of \[0, 1\]"),
    ("geometric(0.0)", ValueError, r"geometric\(\): p outside of \(0, 1\]"),
    ("logseries(1.1)", ValueError, r"logseries\(\): p outside of \(0, 1\]"),
    ("poisson(-0.1)", ValueError, r"poisson\(\): lambda < 0"),
    ("negative_binomial(0, 0.5)", ValueError, r"negative_binomial\(\): n <= 0"),
    ("negative_binomial(10, 1.1)", ValueError, r"negative_binomial\(\): p outside of \[0, 1\]"),
    ("negative_binomial(10, 0.0)", ZeroDivisionError, "division by zero"),
    ("power(0.0)", ValueError, r"power\(\): a <= 0"),
    ("rayleigh(-0.1)", ValueError, r"rayleigh\(\): scale <= 0"),
    ("wald(0.0, 1.0)", ValueError, r"wald\(\): mean <= 0"),
    ("wald(1.0, -1.0)", ValueError, r"wald\(\): scale <= 0"),
    ("zipf(1.0)", ValueError, r"zipf\(\): a <= 1"),
    ("gamma(0.0, 1.0)", ValueError, "gammavariate: alpha and beta must be > 0.0"),
    ("beta(1.0, -0.5)", ValueError, "gammavariate: alpha and beta must be > 0.0"),
    ("noncentral_chisquare(0.0, 1.0)", ValueError, "df <= 0"),
    ("noncentral_chisquare(1.0, -1.0)", ValueError, "nonc < 0"),
    ("randint(0)", ValueError, r"empty range for randrange\(\)"),
    ("randint(5, 5)", ValueError, r"empty range for randrange\(\)"),
    ("pareto(0.0)", ZeroDivisionError, "division by zero"),
    ("normal(0.0, 1.0, -1)", ValueError, "negative dimensions not allowed"),
    ("dirichlet((0.0, 1.0))", ValueError, "dirichlet: alpha must be > 0.0"),
]


@pytest.mark.parametrize("call, error, text", ERRORS)
def test_wrong_parameters_raise(call, error, text):
    with pytest.raises(error, match=text):
        nb.njit(function("", f"np.random.{call}"))()


@pytest.mark.parametrize(
    "call, error",
    [
        ("getrandbits(0)", OverflowError),
        ("getrandbits(65)", OverflowError),
        ("getrandbits(-1)", OverflowError),
        ("randrange(0)", ValueError),
        ("randrange(5, 7, -1)", ValueError),
        ("randrange(5, 7, 0)", ValueError),
        ("randint(5, 4)", ValueError),
        ("gammavariate(0.0, 1.0)", ValueError),
        ("expovariate(0.0)", ZeroDivisionError),
    ],
)
def test_wrong_parameters_of_python_raise(call, error):
    with pytest.raises(error):
        nb.njit(function("", f"random.{call}"))()


def test_what_has_no_distribution_raises():
    with pytest.raises(ValueError, match="lambda < 0"):
        nb.njit(function("", "np.random.poisson(math.nan)"))()
    with pytest.raises(ValueError, match="a <= 1 or a is NaN"):
        nb.njit(function("rng", "rng.zipf(0.5)"))(np.random.default_rng(1))
    assert math.isnan(nb.njit(function("", "random.gammavariate(math.nan, 1.0)"))())


@pytest.mark.parametrize("size", ["True", "1.5", "(1.5, 1)", "3j", "(np.int8(3), np.int64(7))"])
def test_other_sizes_are_typing_errors(size):
    call = f"np.random.noncentral_chisquare(1.0, 1.0, {size})"
    text = r"np.random.noncentral_chisquare\(\): size should be int or tuple of ints or None, got"
    with pytest.raises(TypingError, match=text):
        nb.njit(function("", call))()


# Methods of `Generator`; `@` stands for the size.
GENERATOR = [
    "random(@)",
    "random(@, np.float32)",
    "uniform(-1.0, 3.0, @)",
    "standard_normal(@)",
    "standard_normal(@, dtype=np.float32)",
    "normal(size=@)",
    "normal(1.5, 3, @)",
    "standard_exponential(@)",
    "standard_exponential(@, np.float32)",
    "standard_exponential(@, method='inv')",
    "standard_exponential(@, np.float32, 'inv')",
    "exponential(1.5, @)",
    "standard_gamma(0.5, @)",
    "standard_gamma(1.0, @)",
    "standard_gamma(3.0, @)",
    "standard_gamma(0.5, @, np.float32)",
    "standard_gamma(3.0, @, np.float32)",
    "gamma(3.0, 0.7, @)",
    "beta(1.5, 3.0, @)",
    "beta(0.5, 0.5, @)",
    "beta(1e-200, 1e-200, @)",
    "chisquare(2.0, @)",
    "noncentral_chisquare(3.0, 1.0, @)",
    "noncentral_chisquare(0.5, 1.0, @)",
    "f(2.0, 3.0, @)",
    "noncentral_f(3.0, 2.0, 1.0, @)",
    "standard_cauchy(@)",
    "standard_t(2.0, @)",
    "laplace(1.0, 2.0, @)",
    "logistic(1.0, 2.0, @)",
    "lognormal(1.0, 0.5, @)",
    "pareto(2.0, @)",
    "power(0.75, @)",
    "rayleigh(1.5, @)",
    "triangular(0.0, 3.0, 5.0, @)",
    "wald(5.0, 1.5, @)",
    "weibull(1.5, @)",
    "binomial(50, 0.9, @)",
    "binomial(700, 0.1, @)",
    "binomial(10**7, 0.7, @)",
    "geometric(0.75, @)",
    "geometric(1e-6, @)",
    "logseries(0.3, @)",
    "logseries(0.999, @)",
    "negative_binomial(5, 0.2, @)",
    "poisson(0.5, @)",
    "poisson(15.0, @)",
    "zipf(1.5, @)",
    "integers(0, 100, @)",
    "integers(100, size=@)",
    "permutation(10)",
]


@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.MT19937, np.random.Philox])
@pytest.mark.parametrize("call", GENERATOR)
def test_the_streams_of_generators_are_numpys(call, bits):
    drawn = function(
        "rng, n",
        f"one = rng.{call.replace('@', 'None')}",
        f"one, rng.{call.replace('@', 'n')}, rng.{call.replace('@', '(2, n)')}",
    )
    ours, numpys = np.random.Generator(bits(7)), np.random.Generator(bits(7))
    got, want = nb.njit(drawn)(ours, 500), drawn(numpys, 500)
    assert float(got[0] if np.ndim(got[0]) == 0 else 0) == float(want[0] if np.ndim(want[0]) == 0 else 0)
    assert_same(got[1:], want[1:])
    assert ours.random() == numpys.random()


RANGES = [
    (low, high, dtype)
    for dtype in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)
    for info in [np.iinfo(dtype)]
    for low, high in [
        (5, 6),
        (5, 100),
        (0, info.max),
        (info.min, info.max),
        (0, info.max // 2 + 2),
    ]
]


@pytest.mark.parametrize("low, high, dtype", RANGES)
def test_integers_of_generators(low, high, dtype):
    drawn = function("rng, low, high, dtype", "rng.integers(low, high, 200, dtype, endpoint=True)")
    ours, numpys = np.random.default_rng(1), np.random.default_rng(1)
    assert_same(nb.njit(drawn)(ours, low, high, dtype), drawn(numpys, low, high, dtype))
    assert ours.random() == numpys.random()


def test_booleans_of_generators():
    drawn = function("rng", "rng.integers(0, 2, 100, np.bool_)")
    assert_same(nb.njit(drawn)(np.random.default_rng(1)), drawn(np.random.default_rng(1)))


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_shuffles_of_generators(axis):
    drawn = function("rng, a, axis", "rng.shuffle(a, axis)", "a, rng.permutation(a, axis)")
    a = np.arange(60.0).reshape(5, 4, 3)
    got = nb.njit(drawn)(np.random.default_rng(1), a.copy(), axis)
    assert_same(got, drawn(np.random.default_rng(1), a.copy(), axis))
    with pytest.raises(IndexError, match="Axis is out of bounds for the given array"):
        nb.njit(drawn)(np.random.default_rng(1), a.copy(), 3)


def test_generators_pass_through():
    rng = np.random.default_rng(1)
    assert nb.njit(lambda g: g)(rng) is rng
    assert nb.njit(lambda g: (1, g))(rng)[1] is rng
    assert nb.typeof(rng) is nb.types.npy_rng
    assert str(nb.types.npy_rng) == "NumPyRandomGeneratorType"


def test_generators_live_as_long_as_what_draws_from_them():
    @nb.njit
    def numbers(rng, others):
        yield rng.random()
        yield others[0].random()

    drawn = numbers(np.random.default_rng(1), [np.random.default_rng(2)])
    others = [np.random.default_rng(7) for _ in range(100)]
    want = [np.random.default_rng(seed).random() for seed in (1, 2)]
    assert list(drawn) == want
    assert len(others) == 100


def test_generators_go_to_jitted_functions():
    @nb.njit
    def two(g, n):
        return g.normal(0.0, 1.0, n), g.random()

    outer = nb.njit(lambda g, n: two(g, n))
    numpys = np.random.default_rng(3)
    assert_same(outer(np.random.default_rng(3), 4), (numpys.normal(0.0, 1.0, 4), numpys.random()))


@pytest.mark.parametrize(
    "call, text",
    [
        ("integers(100, 200, dtype=np.int8)", "high is out of bounds"),
        ("integers(-1, 2, dtype=np.uint8)", "low is out of bounds"),
        ("integers(105, 100)", "low is greater than high in given interval"),
        ("logseries(1.0)", "p < 0, p >= 1 or p is NaN"),
        ("noncentral_f(0.0, 1.0, 1.0)", "dfnum <= 0"),
        ("noncentral_f(1.0, 0.0, 1.0)", "dfden <= 0"),
        ("noncentral_chisquare(1.0, -1.0)", "nonc < 0"),
    ],
)
def test_wrong_parameters_of_generators_raise(call, text):
    with pytest.raises(ValueError, match=text):
        nb.njit(function("rng", f"rng.{call}"))(np.random.default_rng(1))


@pytest.mark.parametrize(
    "call, name",
    [
        ("normal('x')", "loc"),
        ("normal(1.0, 1.0, ('x',))", "size"),
        ("random(dtype=np.int32)", "dtype"),
        ("standard_exponential(method=0)", "method"),
        ("integers('x', 5)", "low"),
        ("integers(0, 5, dtype=np.float64)", "dtype"),
        ("integers(0, 5, endpoint='x')", "endpoint"),
        ("shuffle(1)", "x"),
    ],
)
def test_arguments_of_other_types_are_typing_errors(call, name):
    with pytest.raises(TypingError, match=rf"Argument {name} is not one of the expected type\(s\)"):
        nb.njit(function("rng", f"rng.{call}"))(np.random.default_rng(1))


def test_the_states_of_random_and_numpy_are_apart():
    both = nb.njit(function("", "random.seed(1)", "np.random.seed(2)", "random.random(), np.random.random()"))
    first, second = np.random.RandomState(1).random_sample(), np.random.RandomState(2).random_sample()
    assert both() == (first, second)


def test_threads_have_streams_of_their_own():
    drawn = nb.njit(nogil=True)(function("n", "np.random.random(n)"))
    seeded = nb.njit(nogil=True)(function("n", "np.random.seed(42)", "np.random.random(n)"))
    for compiled, distinct in ((drawn, 5), (seeded, 1)):
        compiled(1)
        results = [None] * 5

        def run(i, compiled=compiled, results=results):
            results[i] = tuple(compiled(1000))

        threads = [threading.Thread(target=run, args=(i,)) for i in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(results)) == distinct


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_children_do_not_repeat_their_parent():
    drawn = nb.njit(function("", "np.random.random()"))
    drawn()
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.write(write, repr(drawn()).encode())
        os._exit(0)
    os.waitpid(pid, 0)
    child = float(os.read(read, 100))
    os.close(read)
    os.close(write)
    assert 0.0 <= child < 1.0
    assert child != drawn()


def test_states_are_read_and_set():
    pointer = _helperlib.rnd_get_np_state_ptr()
    words = [3 * i for i in range(624)]
    _helperlib.rnd_set_state(pointer, (17, words))
    assert _helperlib.rnd_get_state(pointer) == (17, words)
    _helperlib.rnd_seed(pointer, 5)
    assert _helperlib.rnd_get_state(pointer)[1] == np.random.RandomState(5).get_state()[1].tolist()
    with pytest.raises(ValueError, match="no state of random numbers"):
        _helperlib.rnd_get_state(0)


def test_both_tiers_draw_the_same():
    drawn = function(
        "rng, n",
        "np.random.seed(5)",
        "np.random.normal(0.5, 2.0), np.random.poisson(3.0, n), rng.normal(size=(n, 2)), rng.integers(0, 9, n)",
    )
    for options in ({}, {"tier": "llvm"}):
        got = nb.njit(**options)(drawn)(np.random.default_rng(2), 5)
        assert_same(got[1:], drawn(np.random.default_rng(2), 5)[1:])


LAZY = """
import sys

import numbra as nb
import numpy as np


@nb.njit
def drawn():
    np.random.seed(3)
    return np.random.normal(), np.random.random_sample()


@nb.njit
def unknown():
    return np.random.nothing()


assert "numpy.random" not in sys.modules
got = drawn()
try:
    unknown()
except nb.errors.TypingError as error:
    assert "numpy.random.nothing" in str(error)
np.random.seed(3)
assert got == (np.random.normal(), np.random.random_sample())


class Own:
    @staticmethod
    def normal():
        return 1.0


np.random = Own


@nb.njit
def replaced():
    return np.random.normal()


try:
    print(replaced())
except nb.errors.TypingError:
    print("no library function")
"""


def test_numpys_generators_are_not_imported():
    done = subprocess.run([sys.executable, "-c", LAZY], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "no library function\n"


RANGES = [
    *[(0, 1), (0, 2), (0, 3), (-5, 5), (7, 8), (0, 2**31), (0, 2**32 - 1), (0, 2**32), (0, 2**32 + 1)],
    *[(-(2**63), 2**63 - 1), (2**63 - 9, 2**63 - 1), (-(2**63), -(2**63) + 3), (-(2**40), 2**40)],
]


def one_by_one(low, high, n):
    floats, ints, python = np.empty(n), np.empty(n, np.int64), np.empty(n, np.int64)
    for i in range(n):
        floats[i] = np.random.random()
        ints[i] = np.random.randint(low, high)
        python[i] = random.randint(low, high)
    return floats, ints, python


def by_the_array(low, high, n):
    floats, ints, python = np.empty(n), np.empty(n, np.int64), np.empty(n, np.int64)
    for i in range(n):
        floats[i] = np.random.random(1)[0]
        ints[i] = np.random.randint(low, high, 1)[0]
        python[i] = random.randrange(low, high + 1, 1 + 0 * i) if high < 2**62 else random.randint(low, high)
    return floats, ints, python


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize(("low", "high"), RANGES)
def test_numbers_drawn_in_compiled_code_are_the_runtimes(tier, low, high):
    """Floats and integers share words: what one takes moves the other, also where a stream makes its next words."""
    seed = nb.njit(tier=tier)(seeds)
    seed(5)
    got = nb.njit(tier=tier)(one_by_one)(low, high, 1000)
    seed(5)
    want = nb.njit(tier=tier)(by_the_array)(low, high, 1000)
    for x, y in zip(got, want, strict=True):
        assert np.array_equal(x, y)
    assert all(low <= x < high for x in got[1]) and all(low <= x <= high for x in got[2])


def seeds(n):
    np.random.seed(n)
    random.seed(n)


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize(("low", "high"), [(3, 3), (4, 3), (2**63 - 2, -(2**63) + 5)])
def test_an_empty_range_raises_in_compiled_code(tier, low, high):
    numpy = nb.njit(tier=tier)(lambda a, b: np.random.randint(a, b))
    with pytest.raises(ValueError, match="empty range"):
        numpy(low, high)
    if low > high:
        python = nb.njit(tier=tier)(lambda a, b: random.randint(a, b))
        with pytest.raises(ValueError, match="empty range"):
            python(low, high)
