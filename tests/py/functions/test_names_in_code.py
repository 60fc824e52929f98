"""Names in code that calls functions compiled earlier: as on Numba they stand for what they stood for when the
signature that is called was compiled."""

import gc
import os
import subprocess
import sys
import textwrap
import types
import weakref

import numbra as nb
import numpy as np
import pytest

BEFORE = """
G, T, PAIR = 1, np.array([1, 2, 3]), (1, (2, np.array([3, 4])))
module.A, module.T = 1, np.array([1, 2, 3])
"""
AFTER = """
G, T, PAIR = 2, np.array([10, 20, 30]), (5, (6, np.array([7, 8])))
module.A, module.T = 5, np.array([7, 8, 9])
"""

# Definitions with `f`; how compiled code calls it, with `i` an int64 and `a` an array of them; what that gives when `f`
# was compiled before the names changed.
FORMS = {
    "globals": ("@nb.njit(**how)\ndef f(i):\n    return G + T[i]", "f(i)", 2),
    "tuples": ("@nb.njit(**how)\ndef f(i):\n    return PAIR[0] + PAIR[1][0] + PAIR[1][1][i]", "f(i)", 6),
    "attributes": ("@nb.njit(**how)\ndef f(i):\n    return module.A + module.T[i]", "f(i)", 2),
    "declared": ("@nb.njit('int64(int64)', **how)\ndef f(i):\n    return G + i", "f(i)", 1),
    "callee": ("@nb.njit(**how)\ndef g(i):\n    return G + i\n@nb.njit(**how)\ndef f(i):\n    return g(i)", "f(i)", 1),
    "callee of a callee": (
        "@nb.njit(**how)\ndef g(i):\n    return G + i\n@nb.njit(**how)\ndef f(i):\n    return g(i)",
        "g(i)",
        1,
    ),
    "recursion": ("@nb.njit(**how)\ndef f(n):\n    return G if n <= 0 else f(n - 1) + G", "f(i + 2)", 3),
    "generator": (
        "@nb.njit(**how)\ndef g(n):\n    for i in range(n):\n        yield i + G\n"
        "@nb.njit(**how)\ndef f(n):\n    return sum([x for x in g(n)])",
        "sum([x for x in g(i + 2)])",
        3,
    ),
    "local function": (
        "@nb.njit(**how)\ndef f(x):\n    def h(y):\n        return y + G + module.A\n    return h(x)",
        "f(i)",
        2,
    ),
    "local function as an argument": (
        "@nb.njit(**how)\ndef g(h, x):\n    return h(x)\n"
        "@nb.njit(**how)\ndef f(x):\n    return g(lambda y: y + G + module.A, x)",
        "f(i)",
        2,
    ),
    "ufunc": ("@nb.vectorize(['int64(int64)'])\ndef f(i):\n    return G + T[i]", "f(i)", 2),
    "ufunc of arrays": ("@nb.vectorize(['int64(int64)'])\ndef f(i):\n    return G + T[i]", "f(a).sum()", 5),
    "ufunc without signatures": ("@nb.vectorize\ndef f(i):\n    return G + T[i]", "f(i)", 2),
    "generalised ufunc": (
        "@nb.guvectorize(['void(int64[:], int64[:])'], '(n)->(n)')\n"
        "def g(a, r):\n    for i in range(a.size):\n        r[i] = a[i] + G + module.A\n"
        "@nb.njit\ndef f(i):\n    return i",
        "[r := np.empty_like(a), g(a, r)] and r.sum()",
        5,
    ),
    "cfunc": ("@nb.cfunc('int64(int64)')\ndef g(i):\n    return G + i\nf = nb.njit(lambda i: g(i))", "g(i)", 1),
    "overload": (
        "def g(x): pass\n@nb.extending.overload(g)\ndef _g(x):\n    def impl(x):\n        return x + G + module.A\n"
        "    return impl\n@nb.njit(**how)\ndef f(x):\n    return g(x)",
        "g(i)",
        2,
    ),
    "stencil": (
        "@nb.stencil\ndef g(a):\n    return a[0] + G\n@nb.njit(**how)\ndef f(i):\n    return g(np.arange(2)).sum()",
        "g(a).sum()",
        3,
    ),
    "function value": (
        "@nb.njit(**how)\ndef g(i):\n    return i + G\n@nb.njit(**how)\ndef f(i):\n    return (g, g)[i](i)",
        "f(i)",
        1,
    ),
    "inlined": ("@nb.njit(inline='always')\ndef f(i):\n    return G + T[i]", "f(i)", 12),
}


@pytest.fixture
def space():
    """Globals of functions that change. They end with the test: NumPy's ufuncs are in no collection of cycles."""
    module = types.ModuleType("names_in_code")
    sys.modules["names_in_code"] = module
    space = {"nb": nb, "np": np, "module": module, "how": {}}
    yield space
    space.clear()
    del sys.modules["names_in_code"]


def caller(space, expression, **how):
    source = f"def caller(i, a):\n    return {expression}"
    exec(source, space)
    return nb.njit(**how)(space["caller"])


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("form", FORMS)
def test_a_signature_keeps_its_names(space, form, tier):
    definitions, expression, expected = FORMS[form]
    space["how"] = {"tier": tier}
    exec(BEFORE + definitions, space)
    a = np.arange(2)
    if form == "generalised ufunc":
        expression = "after(i, a)"
        exec("@nb.njit\ndef after(i, a):\n    r = np.empty_like(a)\n    g(a, r)\n    return r.sum()", space)
    if form not in ("ufunc of arrays", "declared", "generalised ufunc"):
        space["f"](0)
    exec(AFTER, space)
    assert caller(space, expression, tier=tier)(0, a) == expected
    # New signatures are compiled with what the names stand for now.
    if form in ("globals", "attributes"):
        assert caller(space, "f(np.uint8(i))")(0, a) == 12


def test_constants_as_arguments(space):
    """They are of the signature that variables are of."""
    exec(BEFORE + FORMS["globals"][0], space)
    assert space["f"](0) == 2
    exec(AFTER, space)
    assert caller(space, "f(0)")(0, None) == 2


def test_names_change_with_recompile(space):
    exec(BEFORE + FORMS["globals"][0], space)
    assert space["f"](0) == 2
    exec(AFTER, space)
    old = caller(space, "f(i)")
    assert old(0, None) == 2
    space["f"].recompile()
    assert space["f"](0) == 12
    assert caller(space, "f(i)")(0, None) == 12
    assert old(0, None) == 2


def test_arrays_that_change_in_place(space):
    exec(BEFORE + FORMS["globals"][0], space)
    assert space["f"](0) == 2
    space["T"][0] = 100
    assert caller(space, "f(i)")(0, None) == 2


def test_a_function_that_was_replaced(space):
    exec("@nb.njit\ndef g(i):\n    return i + 1\n@nb.njit\ndef f(i):\n    return g(i)", space)
    assert space["f"](0) == 1
    exec("@nb.njit\ndef g(i):\n    return i + 2", space)
    gc.collect()
    assert caller(space, "f(i)")(0, None) == 1
    assert caller(space, "g(i)")(0, None) == 2


def test_a_failed_compilation_notes_nothing(space):
    exec("@nb.njit\ndef g(i):\n    return i + LATER\n@nb.njit\ndef f(i):\n    return g(i)", space)
    with pytest.raises(nb.TypingError):
        space["f"](0)
    space["LATER"] = 3
    assert space["f"](0) == 3
    space["LATER"] = 4
    assert caller(space, "g(i)")(0, None) == 3


def test_names_go_with_the_code(space):
    class Error(Exception):
        pass

    space["Error"] = Error
    body = "    if i < 0:\n        raise Error\n    return i"
    exec(f"@nb.njit\ndef g(i):\n{body}\n@nb.njit\ndef f(i):\n    return g(i)", space)
    assert space["f"](0) == 0
    gone = weakref.ref(Error)
    del Error, space["Error"], space["f"]
    gc.collect()
    assert gone() is None
    space["Error"] = KeyError
    with pytest.raises(KeyError):
        caller(space, "g(i)")(-1, None)


PACKAGE = """
import numbra as nb
G = 1
@nb.njit(cache=True)
def f(i):
    return G + i
@nb.njit(cache=True)
def g(i):
    return f(i)
"""


def test_names_and_the_cache(tmp_path):
    (tmp_path / "names_package.py").write_text(PACKAGE)

    def run(*statements):
        body = "import names_package as p\n" + "\n".join(statements)
        done = subprocess.run([sys.executable, "-c", body], cwd=tmp_path, capture_output=True, text=True)
        assert not done.stderr, done.stderr
        return done.stdout.split()

    asked = "print(p.f(0)); p.G = 2; print(p.g(0), *p.f.stats.cache_hits.values(), *p.g.stats.cache_hits.values())"
    assert run(asked) == ["1", "1"]
    # What is found has its names from then on; what was made with old ones is not kept.
    assert run(asked) == ["1", "1", "1"]
    assert run("p.G = 2; print(p.g(0), *p.g.stats.cache_hits.values())") == ["2"]
    assert run("p.G = 2; print(p.g(0), *p.g.stats.cache_hits.values())") == ["2", "1"]


def test_names_of_device_functions():
    body = """
    import numbra as nb
    import numpy as np
    from numbra import cuda
    G = 1
    @cuda.jit(device=True)
    def d(i):
        return G + i
    @cuda.jit
    def k(out):
        out[0] = d(out[0])
    out = np.zeros(1, np.int64)
    k[1, 1](out)
    G = 2
    @cuda.jit
    def l(out):
        out[0] = d(out[0])
    l[1, 1](out)
    print(out[0])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(body)],
        env={**os.environ, "NUMBRA_CUDA_TARGET": "cpu"},
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["2"], done.stderr
