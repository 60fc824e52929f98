"""Cases from Numba's own tutorials: what compiles, to which type, and what the errors say.

PYTEST_DONT_REWRITE
"""

import hashlib

import numbra as nb
import numpy as np
import pytest
from numbra import types
from numbra.core.errors import TypingError


def result_type(function, *signature):
    """The type that a function returns for these argument types."""
    compiled = nb.njit(function)
    compiled.compile(signature)
    return compiled.overloads[signature].signature.return_type


def raises(text, function, *args):
    with pytest.raises(TypingError) as caught:
        function(*args)
    message = str(caught.value)
    assert "Failed in nopython mode pipeline (step: nopython frontend)" in message
    for line in text.splitlines():
        assert line in message, message


@pytest.mark.parametrize("decorator", [nb.jit, nb.jit(nopython=True), nb.njit])
def test_a_dict_argument_has_no_type(decorator):
    @decorator
    def lookup(x):
        return x["key"]

    expected = "argument 0\nannot determine Numba type of <class 'dict'>"
    raises(expected, lookup, {"key": "value"})


def mandelbrot(x, y, max_iters):
    c = complex(x, y)
    z = 0j
    for i in range(max_iters):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag >= 4:
            return 255 * i // max_iters
    return 255


def create_fractal(point, min_x, max_x, min_y, max_y, image, iters):
    height, width = image.shape
    step_x = (max_x - min_x) / width
    step_y = (max_y - min_y) / height
    for x in range(width):
        for y in range(height):
            image[y, x] = point(min_x + x * step_x, min_y + y * step_y, iters)


@pytest.mark.smoke
def test_mandelbrot_is_the_image_of_the_interpreter():
    compiled = nb.njit(mandelbrot)

    @nb.njit
    def fractal(min_x, max_x, min_y, max_y, image, iters):
        height, width = image.shape
        step_x = (max_x - min_x) / width
        step_y = (max_y - min_y) / height
        for x in range(width):
            for y in range(height):
                image[y, x] = compiled(min_x + x * step_x, min_y + y * step_y, iters)

    got, want = np.zeros((40, 60), np.uint8), np.zeros((40, 60), np.uint8)
    fractal(-2.0, 1.0, -1.0, 1.0, got, 20)
    create_fractal(mandelbrot, -2.0, 1.0, -1.0, 1.0, want, 20)
    np.testing.assert_array_equal(got, want)


def either(cond, a, b):
    if cond:
        r = a
    else:
        r = b
    return r


@pytest.mark.parametrize(
    ("a", "b", "unified"),
    [
        (types.float32, types.float32, types.float32),
        (types.float32, types.float64, types.float64),
        (types.float32, types.int32, types.float64),
        (types.int32, types.int64, types.int64),
        (types.uint8, types.int8, types.int16),
        (types.int64, types.complex64, types.complex128),
    ],
)
def test_branches_unify(a, b, unified):
    assert result_type(either, types.boolean, a, b) == unified


def test_branches_that_do_not_unify():
    raises("annot unify", nb.njit(either), True, (1, 2), 1.5)


def test_a_conversion_keeps_float32():
    def narrow(cond, a, b):
        if cond:
            r = a
        else:
            r = np.float32(b)
        return r

    got = result_type(narrow, types.boolean, types.float32, types.int32)
    assert got == types.float32


def test_an_array_and_a_number_do_not_unify():
    def mixed(x):
        if x.size > 3:
            x = 10
        else:
            x = x
        return x

    raises("annot unify", nb.njit(mixed), np.ones(3, np.int64))


def test_two_indices_for_one_dimension():
    def write(x):
        x[0] = 10.0
        x[0, 0] = 2.0

    raises("setitem\narray(int64, 1d, C)", nb.njit(write), np.ones(3, np.int64))


def prune(a, b, cond):
    if cond is None:
        return a
    else:
        return b


def test_a_branch_on_none_is_pruned():
    assert nb.njit(prune)(1, (1, 2), None) == 1


def test_without_none_the_branches_must_unify():
    raises("unify return type", nb.njit(prune), 1, (1, 2), True)


def test_integers_start_big():
    def add(a, b):
        return a + b

    def last(n):
        k = 0
        for i in range(3):
            k = i
        return k

    def length(x):
        return x.shape[0]

    assert result_type(add, types.int32, types.int32) == types.int64
    assert result_type(last, types.int32) == types.int64
    assert result_type(length, types.float64[:]) == types.int64


def test_an_unknown_attribute_of_a_module():
    @nb.jit
    def digest(x):
        total = 0
        for i in range(3):
            total += i
        return hashlib.md5(x).digest(), total

    raises("Unknown attribute 'md5' of type Module(<module 'hashlib'", digest, 1)
