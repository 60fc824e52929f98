"""Attributes of dtypes are constants of compiled code; a dispatcher shows what its function says of itself."""

import inspect
import typing

import numbra as nb
import numpy as np
import pytest

TIERS = ["cranelift", "llvm"]
SCALARS = [np.dtype(c).name for c in "?bhilBHILfdFD"]
OTHERS = ["M8[s]", "m8[D]", "S3", "U2", [("a", "i4"), ("b", "f8")]]


@pytest.mark.parametrize("tier", TIERS)
def test_of_scalars(tier):
    @nb.njit(tier=tier)
    def of(a):
        d = a.dtype
        return d.kind, d.char, d.name, d.str, d.num, d.itemsize, a.dtype.kind == "f"

    for name in SCALARS:
        for a in (np.zeros(3, name), np.zeros((2, 2), name)[::2], np.zeros((), name)):
            d = a.dtype
            assert of(a) == (d.kind, d.char, d.name, d.str, d.num, d.itemsize, d.kind == "f")


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("dtype", OTHERS, ids=str)
def test_kinds_of_others(dtype, tier):
    a = np.zeros(2, dtype)
    assert nb.njit(lambda a: a.dtype.kind, tier=tier)(a) == a.dtype.kind


@pytest.mark.parametrize("tier", TIERS)
def test_branches_on_kinds_are_pruned(tier):
    @nb.njit(tier=tier)
    def absolute(a):
        if a.dtype.kind == "c":
            return a.real
        return a

    assert absolute(np.array([1 + 2j])).dtype == np.float64
    assert absolute(np.array([1, 2])).tolist() == [1, 2]


def test_global_dtypes():
    dtype = np.dtype(np.float32)
    assert nb.njit(lambda: (dtype.kind, dtype.char))() == ("f", "f")


@nb.njit
def scaled(x: float, n: int = 2) -> float:
    """Doc."""
    return x * n


@nb.njit
def plain(x):
    return x


def test_a_dispatcher_looks_like_its_function():
    assert scaled.__annotations__ == {"x": float, "n": int, "return": float}
    assert typing.get_type_hints(scaled) == {"x": float, "n": int, "return": float}
    assert str(inspect.signature(scaled)) == "(x: float, n: int = 2) -> float"
    assert inspect.get_annotations(scaled) == scaled.py_func.__annotations__
    assert (scaled.__doc__, scaled.__name__, scaled.__defaults__) == ("Doc.", "scaled", (2,))
    assert plain.__annotations__ == {} and typing.get_type_hints(plain) == {}
    assert nb.jit(nopython=True)(scaled.py_func).__annotations__ is scaled.py_func.__annotations__
