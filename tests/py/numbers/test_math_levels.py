"""Mathematical functions: the same bits in every tier and in vectors, and the platform's on request."""

import math
import os
import subprocess
import sys

import numbra as nb
import numpy as np
import pytest

# fmt: off
ONE = [
    "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh",
    "cosh", "tanh", "asinh", "acosh", "atanh", "cbrt", "erf", "erfc", "gamma", "lgamma",
]
# fmt: on
TWO = ["pow", "atan2", "hypot"]
# CPython computes these itself.
OWN = ("gamma", "lgamma", "hypot")
EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0, 1e-310, -5e-324, 1e300, math.inf, -math.inf, math.nan]


def arguments(name, dtype):
    rng = np.random.default_rng(5)
    low = {"acosh": 1, "log": 0, "log2": 0, "log10": 0, "pow": 0, "log1p": -1}.get(name, -6)
    high = 1 if name in ("asin", "acos", "atanh") else 9
    points = np.concatenate([EDGES, rng.uniform(low, high, 1003)])
    with np.errstate(over="ignore"):
        return points.astype(dtype), points[::-1].astype(dtype)


def loop(name):
    call = f"math.{name}(a[i], b[i])" if name in TWO else f"math.{name}(a[i])"
    space = {"math": math}
    exec(f"def loop(a, b, out):\n    for i in range(a.size):\n        out[i] = {call}\n", space)
    return space["loop"]


def bits(array):
    """NaNs are one value."""
    return np.where(np.isnan(array), 0, array.view(f"i{array.itemsize}"))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", [n for n in ONE + TWO if hasattr(math, n)])
def test_tiers_agree(name, dtype):
    a, b = arguments(name, dtype)
    results = []
    for tier in ("cranelift", "llvm"):
        out = np.empty_like(a)
        nb.njit(tier=tier)(loop(name))(a, b, out)
        results.append(out)
    assert np.array_equal(bits(results[0]), bits(results[1]))


@pytest.mark.parametrize("name", ["exp", "log", "tanh", "sin", "cos", "pow"])
def test_loops_vectorise(name):
    function = nb.njit(tier="llvm")(loop(name))
    a = np.linspace(0.5, 2, 64)
    function(a, a, a.copy())
    code = function.inspect_llvm(function.signatures[0])
    assert any(f"call <{n} x double> @numbra_math_{name}_{n}(" in code for n in (4, 8))


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("name", [n for n in ONE + TWO if hasattr(math, n) and n not in OWN])
def test_libm_has_the_bits_of_the_platform(name, tier):
    a, b = arguments(name, "float64")
    out = np.empty_like(a)
    function = nb.njit(tier=tier, math="libm")(loop(name))
    function(a, b, out)
    python = getattr(math, name)
    for x, y, got in zip(a.tolist(), b.tolist(), out.tolist(), strict=True):
        try:
            want = python(x, y) if name in TWO else python(x)
        except (ValueError, OverflowError):
            continue  # CPython raises where C99 gives NaN or infinity.
        assert got == want or (got != got and want != want), (x, y)


def test_the_library_is_part_of_the_code():
    function = nb.njit(math="libm")(lambda x: math.sin(x))
    own = nb.njit(math="numbra")(lambda x: math.sin(x))
    function(1.0), own(1.0)
    assert "libm.sin" in function.inspect("lir", function.signatures[0])
    assert "math.sin" in own.inspect("lir", own.signatures[0])


def test_environment_names_the_library():
    program = (
        "import numbra as nb, math\n"
        "f = nb.njit(lambda x: math.tan(x))\n"
        "xs = [i * 0.37 for i in range(2000)]\n"
        "print(sum(f(x) != math.tan(x) for x in xs))\n"
    )

    def differing(**names):
        env = {**os.environ, **names}
        done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
        return int(done.stdout)

    assert differing(NUMBRA_MATH="libm") == 0
    # numbra's tan is within one unit of the true value, as the platform's is, and not always the same.
    assert 0 < differing(NUMBRA_MATH="numbra") < 200
