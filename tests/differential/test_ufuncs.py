"""Every loop of every universal function against NumPy: dtypes, layouts, edge values.

The functions and loops are those of the library (`numbra._numbra._ufunc_loops`): a new row is tested because it exists.
What NumPy computes by element without a ufunc (`np.fix`) is in test_array_functions.py.
"""

import numbra as nb
import numpy as np
import pytest
from numbra import _numbra

LOOPS = dict(_numbra._ufunc_loops())
NAMES = sorted(
    name for name in LOOPS if name.startswith("numpy.") and isinstance(getattr(np, name[6:], None), np.ufunc)
)

#: Units in the last place by which a result may differ from NumPy's, where it is not the same. NumPy computes many
#: functions with vector code of its own, whose last bits depend on the machine.
ULPS = 4
#: Complex functions near a zero or a branch cut of one of their parts.
COMPLEX_ULPS = 64
EXACT = frozenset("?bBhHiIlLqQmM")

EDGES = {
    "f": [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.7, 100.25, np.inf, -np.inf, np.nan, 1e-30, 1e30],
    "F": [0j, complex(-0.0, 0.0), 1 + 0j, -1 + 0j, 1j, -1j, 0.5 + 0.25j, -2.5 - 3.5j, 3 - 4j, complex(np.nan, 1)],
    "?": [True, False],
    "m": [0, 1, -1, 7, -13, 100, np.iinfo("i8").min],
}


def values(letter):
    """Edge values of a type letter."""
    if letter in "mM":
        return np.array(EDGES["m"], "i8").view(f"{letter}8[D]")
    dtype = np.dtype(letter)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return np.array([0, 1, 2, 3, 7, 13, info.max, info.min, info.max - 1, info.max // 2], dtype)
    return np.array(EDGES[{"f": "f", "c": "F", "b": "?"}[dtype.kind]], dtype)


def operands(letters):
    """All combinations of edge values."""
    each = [values(letter) for letter in letters]
    grid = np.meshgrid(*each, indexing="ij")
    return [part.ravel() for part in grid]


def defined(name, args):
    """What NumPy leaves undefined or refuses is not asked for."""
    keep = np.ones(args[0].shape, bool)
    kinds = "".join(a.dtype.kind for a in args)
    if name in ("left_shift", "right_shift"):
        bits = args[0].dtype.itemsize * 8
        keep &= (args[1] >= 0) & (args[1] < bits)
    if name == "power" and kinds[0] in "iu":
        keep &= (args[1] >= 0) & (args[1] < 64)
    if name == "reciprocal" and kinds[0] in "iu":
        keep &= args[0] != 0
    if name == "ldexp":
        keep &= np.abs(args[1].astype("f8")) < 2000
    if name in ("gcd", "lcm") and kinds[0] == "i":
        least = np.iinfo(args[0].dtype).min
        keep &= (args[0] != least) & (args[1] != least)
    if name == "multiply" and sorted(kinds) == ["i", "m"]:
        # NumPy 2.5 raises where the product does not fit.
        x, y = (a.astype("f8") for a in args)
        keep &= (np.abs(x * y) < 2.0**63) | np.isnat(args[kinds.index("m")])
    if name == "floor_divide" and kinds == "ii":
        keep &= ~((args[0] == np.iinfo(args[0].dtype).min) & (args[1] == -1))
    return [a[keep] for a in args]


def check(name, got, want, args):
    assert got.dtype == want.dtype and got.shape == want.shape, name
    letter = want.dtype.char
    if letter in EXACT or letter in "mM":
        same = got == want
        if letter in "mM":
            same |= np.isnat(got) & np.isnat(want)
    else:
        ulps = COMPLEX_ULPS if letter in "FD" else ULPS
        same = np.ones(want.shape, bool)
        for a, b in [(got.real, want.real), (got.imag, want.imag)] if letter in "FD" else [(got, want)]:
            with np.errstate(all="ignore"):
                near = np.abs(a - b) <= ulps * np.spacing(np.maximum(np.abs(a), np.abs(b)))
            if letter in "FD":
                # A part that is tiny beside the other has fewer digits.
                with np.errstate(all="ignore"):
                    near |= np.abs(a - b) <= ulps * np.spacing(np.abs(want))
            same &= near | (a == b) | (np.isnan(a) & np.isnan(b))
    if not same.all():
        at = int(np.flatnonzero(~same)[0])
        values = [a.ravel()[at] for a in args]
        pytest.fail(f"{name}{tuple(values)}: got {got.ravel()[at]!r}, NumPy says {want.ravel()[at]!r}")


@pytest.mark.parametrize("name", NAMES)
def test_loops_give_numpys_values(name):
    ufunc = getattr(np, name[6:])
    jitted = nb.njit(eval(f"lambda {', '.join('abc'[: ufunc.nin])}: np.{name[6:]}({', '.join('abc'[: ufunc.nin])})"))
    for loop in LOOPS[name]:
        args = defined(name[6:], operands(loop.partition("->")[0]))
        with np.errstate(all="ignore"):
            want = ufunc(*args)
        if name == "numpy.sign" and want.dtype.kind == "m":
            want = np.where(np.isnat(want), np.nan, want.astype("f8"))  # As NumPy has it from 2.5 on.
        got = jitted(*args)
        if ufunc.nout == 1:
            got, want = (got,), (want,)
        for g, w in zip(got, want, strict=True):
            check(name, g, w, args)


@pytest.mark.parametrize("name", NAMES)
def test_layouts_and_outputs(name):
    ufunc = getattr(np, name[6:])
    letters = "abc"[: ufunc.nin]
    jitted = nb.njit(eval(f"lambda {', '.join(letters)}: np.{name[6:]}({', '.join(letters)})"))
    outs = ", ".join(f"o{k}" for k in range(ufunc.nout))
    written = nb.njit(eval(f"lambda {', '.join(letters)}, {outs}: np.{name[6:]}({', '.join(letters)}, {outs})"))
    loop = next((t for t in LOOPS[name] if t[0] in "dlm"), LOOPS[name][0])
    args = [a[:12] for a in defined(name[6:], operands(loop.partition("->")[0]))]
    args = [np.resize(a, 12).reshape(3, 4) for a in args]
    shapes = [
        args,
        [np.asfortranarray(a) for a in args],
        [a[:, ::2] for a in args],
        [a[::-1] for a in args],
        [args[0], *(a[:1] for a in args[1:])],
        [args[0], *(a[0] for a in args[1:])],
        [args[0][:, :1], *(a[:1] for a in args[1:])],
        [args[0], *(a[0, 0] for a in args[1:])],
        [a[:0] for a in args],
        [a[0, :1].reshape(()) for a in args],
    ]
    for given in shapes:
        with np.errstate(all="ignore"):
            want = ufunc(*given)
        got = jitted(*given)
        many = ufunc.nout > 1
        for g, w in zip(got if many else (got,), want if many else (want,), strict=True):
            w = np.asarray(w)
            check(name, np.asarray(g), w, np.broadcast_arrays(*given))
        out = [np.zeros_like(np.asarray(w)) for w in (want if many else (want,))]
        written(*given, *out)
        for o, w in zip(out, want if many else (want,), strict=True):
            check(name, o, np.asarray(w), np.broadcast_arrays(*given))
