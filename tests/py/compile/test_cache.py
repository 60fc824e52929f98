"""The cache of compiled code: what is found again, and what must not be."""

import importlib
import os
import random
import shutil
import subprocess
import sys
import textwrap
import traceback
import warnings

import numpy as np
import pytest
from numbra import _numbra

MODULE = "cache_fodder"


@pytest.fixture
def fodder(tmp_path, monkeypatch):
    """``fodder(text, **others)``: writes modules and imports the first anew, as a new process would."""
    monkeypatch.syspath_prepend(str(tmp_path))
    names = set()

    def load(text=None, **others):
        texts = {name: body for name, body in {MODULE: text, **others}.items() if body is not None}
        for name, body in texts.items():
            (tmp_path / f"{name}.py").write_text("import numbra as nb\nimport numpy as np\n" + textwrap.dedent(body))
        names.update(texts)
        for name in names:
            sys.modules.pop(name, None)
        # Python compares times of files in whole seconds.
        for compiled in tmp_path.glob("__pycache__/*.pyc"):
            compiled.unlink()
        importlib.invalidate_caches()
        return importlib.import_module(MODULE)

    load.directory = tmp_path / "__pycache__"
    yield load
    for name in names:
        sys.modules.pop(name, None)


def files(directory, ending):
    return sorted(path.name for path in directory.glob(f"*{ending}"))


def hits(function):
    return sum(function.stats.cache_hits.values())


def misses(function):
    return sum(function.stats.cache_misses.values())


def check_hit(function, *args):
    """Calls, from the cache."""
    value = function(*args)
    assert (hits(function), misses(function)) == (1, 0), function.stats.reasons
    return value


def check_miss(function, *args):
    """Calls, and says why the code was compiled."""
    value = function(*args)
    assert (hits(function), misses(function)) == (0, 1)
    (reason,) = function.stats.reasons.values()
    return value, reason


def test_what_was_compiled_is_found(fodder):
    text = """
    @nb.njit(cache=True)
    def f(x, y):
        return x + y
    """
    mod = fodder(text)
    assert check_miss(mod.f, 1, 2)[0] == 3
    assert mod.f.stats.cache_path == str(fodder.directory)
    assert (len(files(fodder.directory, ".nbi")), len(files(fodder.directory, ".nbc"))) == (1, 1)
    assert mod.f(1.5, 2) == 3.5
    assert len(files(fodder.directory, ".nbc")) == 2
    before = {path.name: path.stat().st_mtime_ns for path in fodder.directory.iterdir()}
    mod = fodder(text)
    assert check_hit(mod.f, 1, 2) == 3
    assert mod.f(1.5, 2) == 3.5
    assert hits(mod.f) == 2
    assert mod.f.nopython_signatures[0].return_type is nb_types().int64
    after = {name: (fodder.directory / name).stat().st_mtime_ns for name in before}
    assert after == before, "hits write nothing"


def nb_types():
    import numbra

    return numbra.types


# Kind of change -> the module before and after, and what `f(3)` gives.
FORMS = {
    "body": (
        "@nb.njit(cache=True)\ndef f(x):\n    return x + 1\n",
        "@nb.njit(cache=True)\ndef f(x):\n    y = x\n    return y + 1 + x\n",
        (4, 7),
    ),
    "constant": (
        "@nb.njit(cache=True)\ndef f(x):\n    return x + 1\n",
        "@nb.njit(cache=True)\ndef f(x):\n    return x + 2\n",
        (4, 5),
    ),
    "default": (
        "@nb.njit(cache=True)\ndef f(x, y=1):\n    return x + y\n",
        "@nb.njit(cache=True)\ndef f(x, y=2):\n    return x + y\n",
        (4, 5),
    ),
    "default of a callee": (
        "@nb.njit\ndef g(x, y=1):\n    return x + y\n@nb.njit(cache=True)\ndef f(x):\n    return g(x)\n",
        "@nb.njit\ndef g(x, y=2):\n    return x + y\n@nb.njit(cache=True)\ndef f(x):\n    return g(x)\n",
        (4, 5),
    ),
    "closure value": (
        "def make(n):\n    @nb.njit(cache=True)\n    def f(x):\n        return x + n\n    return f\nf = make(1)\n",
        "def make(n):\n    @nb.njit(cache=True)\n    def f(x):\n        return x + n\n    return f\nf = make(2)\n",
        (4, 5),
    ),
    "global": (
        "Z = 1\n@nb.njit(cache=True)\ndef f(x):\n    return x + Z\n",
        "Z = 2\n@nb.njit(cache=True)\ndef f(x):\n    return x + Z\n",
        (4, 5),
    ),
    "global in a tuple": (
        "Z = (1, (2, 3))\n@nb.njit(cache=True)\ndef f(x):\n    return x + Z[1][0]\n",
        "Z = (1, (4, 3))\n@nb.njit(cache=True)\ndef f(x):\n    return x + Z[1][0]\n",
        (5, 7),
    ),
    "global array": (
        "Z = np.array([1, 2])\n@nb.njit(cache=True)\ndef f(x):\n    return x + Z[1]\n",
        "Z = np.array([1, 5])\n@nb.njit(cache=True)\ndef f(x):\n    return x + Z[1]\n",
        (5, 8),
    ),
    "global record": (
        "Z = np.array([(1, 2)], 'i4,i8')[0]\n@nb.njit(cache=True)\ndef f(x):\n    return x + Z['f1']\n",
        "Z = np.array([(1, 5)], 'i4,i8')[0]\n@nb.njit(cache=True)\ndef f(x):\n    return x + Z['f1']\n",
        (5, 8),
    ),
    "type of a global": (
        "Z = 1\n@nb.njit(cache=True)\ndef f(x):\n    return x + Z\n",
        "Z = 1.0\n@nb.njit(cache=True)\ndef f(x):\n    return x + Z\n",
        (4, 4.0),
    ),
    "type that is named": (
        "T = nb.int64\n@nb.njit(cache=True)\ndef f(x):\n    return T(x / 2)\n",
        "T = nb.float64\n@nb.njit(cache=True)\ndef f(x):\n    return T(x / 2)\n",
        (1, 1.5),
    ),
    "name that was bound nowhere": (
        "@nb.njit(cache=True)\ndef f(x, y=None):\n    if y is not None:\n        return missing\n    return x\n",
        "missing = 1\n@nb.njit(cache=True)\ndef f(x, y=None):\n    if y is not None:\n        return missing\n"
        "    return x\n",
        (3, 3),
    ),
    "callee": (
        "@nb.njit\ndef g(x):\n    return x + 1\n@nb.njit(cache=True)\ndef f(x):\n    return g(x)\n",
        "@nb.njit\ndef g(x):\n    return x + 2\n@nb.njit(cache=True)\ndef f(x):\n    return g(x)\n",
        (4, 5),
    ),
    "option of a callee": (
        "@nb.njit\ndef g(x):\n    return 1.0 / (x - 4)\n@nb.njit(cache=True)\ndef f(x):\n    return g(x)\n",
        "@nb.njit(error_model='numpy')\ndef g(x):\n    return 1.0 / (x - 4)\n"
        "@nb.njit(cache=True)\ndef f(x):\n    return g(x)\n",
        (-1.0, -1.0),
    ),
    "callee that is said to have the default": (
        "@nb.njit\ndef g(x):\n    y = x + 1\n    return y\n@nb.njit(cache=True)\ndef f(x):\n    return g(x)\n",
        "@nb.njit(error_model='python')\ndef g(x):\n    y = x + 1\n    return y\n"
        "@nb.njit(cache=True)\ndef f(x):\n    return g(x)\n",
        (4, 4),
    ),
    "fastmath of a callee": (
        "@nb.njit\ndef g(x):\n    y = x + 0.5\n    return y\n@nb.njit(cache=True)\ndef f(x):\n    return g(x)\n",
        "@nb.njit(fastmath=True)\ndef g(x):\n    y = x + 0.5\n    return y\n"
        "@nb.njit(cache=True)\ndef f(x):\n    return g(x)\n",
        (3.5, 3.5),
    ),
    "callee that is said to be strict": (
        "@nb.njit\ndef g(x):\n    y = x + 0.5\n    return y\n@nb.njit(cache=True)\ndef f(x):\n    return g(x)\n",
        "@nb.njit(fastmath=False)\ndef g(x):\n    y = x + 0.5\n    return y\n"
        "@nb.njit(cache=True)\ndef f(x):\n    return g(x)\n",
        (3.5, 3.5),
    ),
    "boundscheck of a callee": (
        "@nb.njit\ndef g(x):\n    y = x + 1\n    return y\n@nb.njit(cache=True)\ndef f(x):\n    return g(x)\n",
        "@nb.njit(boundscheck=True)\ndef g(x):\n    y = x + 1\n    return y\n"
        "@nb.njit(cache=True)\ndef f(x):\n    return g(x)\n",
        (4, 4),
    ),
    "type of a variable of a callee": (
        "@nb.njit\ndef g(x):\n    y = x / 2\n    return y\n@nb.njit(cache=True)\ndef f(x):\n    return g(x)\n",
        "@nb.njit(locals={'y': nb.float32})\ndef g(x):\n    y = x / 2\n    return y\n"
        "@nb.njit(cache=True)\ndef f(x):\n    return g(x)\n",
        (1.5, 1.5),
    ),
    "overload": (
        "from numbra.extending import overload\ndef h(x):\n    return x\n@overload(h)\ndef _h(x):\n"
        "    return lambda x: x + 1\n@nb.njit(cache=True)\ndef f(x):\n    return h(x)\n",
        "from numbra.extending import overload\ndef h(x):\n    return x\n@overload(h)\ndef _h(x):\n"
        "    return lambda x: x + 2\n@nb.njit(cache=True)\ndef f(x):\n    return h(x)\n",
        (4, 5),
    ),
    "order of literal and plain types": (
        "from numbra.extending import overload\ndef h(x):\n    return x\n@overload(h)\ndef _h(x):\n"
        "    return (lambda x: 1) if isinstance(x, nb.types.Literal) else (lambda x: 2)\n"
        "@nb.njit(cache=True)\ndef f(x):\n    return h(3)\n",
        "from numbra.extending import overload\ndef h(x):\n    return x\n"
        "@overload(h, prefer_literal=True)\ndef _h(x):\n"
        "    return (lambda x: 1) if isinstance(x, nb.types.Literal) else (lambda x: 2)\n"
        "@nb.njit(cache=True)\ndef f(x):\n    return h(3)\n",
        (2, 1),
    ),
    "overload behind one that does not compile": (
        "from numbra.extending import overload\ndef h(x):\n    return x\noverload(h)(lambda x: lambda x: x.nothing)\n"
        "overload(h)(lambda x: lambda x: x + 1)\n@nb.njit(cache=True)\ndef f(x):\n    return h(x)\n",
        "from numbra.extending import overload\ndef h(x):\n    return x\noverload(h)(lambda x: lambda x: x.nothing)\n"
        "overload(h)(lambda x: lambda x: x + 2)\n@nb.njit(cache=True)\ndef f(x):\n    return h(x)\n",
        (4, 5),
    ),
    "global of an overload": (
        "from numbra.extending import overload\nZ = 1\ndef h(x):\n    return x\n@overload(h)\ndef _h(x):\n"
        "    return lambda x: x + Z\n@nb.njit(cache=True)\ndef f(x):\n    return h(x)\n",
        "from numbra.extending import overload\nZ = 2\ndef h(x):\n    return x\n@overload(h)\ndef _h(x):\n"
        "    return lambda x: x + Z\n@nb.njit(cache=True)\ndef f(x):\n    return h(x)\n",
        (4, 5),
    ),
    "function that the overload asks": (
        "from numbra.extending import overload\ndef pick():\n    return 1\ndef h(x):\n    return x\n@overload(h)\n"
        "def _h(x):\n    n = pick()\n    return lambda x: x + n\n@nb.njit(cache=True)\ndef f(x):\n    return h(x)\n",
        "from numbra.extending import overload\ndef pick():\n    return 2\ndef h(x):\n    return x\n@overload(h)\n"
        "def _h(x):\n    n = pick()\n    return lambda x: x + n\n@nb.njit(cache=True)\ndef f(x):\n    return h(x)\n",
        (4, 5),
    ),
    "flag": (
        "@nb.njit(cache=True)\ndef f(x):\n    return x + 0.5\n",
        "@nb.njit(cache=True, fastmath=True)\ndef f(x):\n    return x + 0.5\n",
        (3.5, 3.5),
    ),
    "type of a variable": (
        "@nb.njit(cache=True)\ndef f(x):\n    y = x\n    return y / 2\n",
        "@nb.njit(cache=True, locals={'y': nb.float32})\ndef f(x):\n    y = x\n    return y / 2\n",
        (1.5, 1.5),
    ),
    "member of an enumeration": (
        "import enum\nclass E(enum.Enum):\n    A = 1\n@nb.njit(cache=True)\ndef f(x):\n    return x + E.A.value\n",
        "import enum\nclass E(enum.Enum):\n    A = 2\n@nb.njit(cache=True)\ndef f(x):\n    return x + E.A.value\n",
        (4, 5),
    ),
    "default of a named tuple": (
        "import collections\nP = collections.namedtuple('P', 'a b', defaults=[1])\n"
        "@nb.njit(cache=True)\ndef f(x):\n    return P(x).b + x\n",
        "import collections\nP = collections.namedtuple('P', 'a b', defaults=[2])\n"
        "@nb.njit(cache=True)\ndef f(x):\n    return P(x).b + x\n",
        (4, 5),
    ),
    "partner of a recursion": (
        "@nb.njit(cache=True)\ndef f(x):\n    if x <= 0:\n        return 1\n    return g(x - 1)\n"
        "@nb.njit(cache=True)\ndef g(x):\n    if x <= 0:\n        return 2\n    return f(x - 1)\n",
        "@nb.njit(cache=True)\ndef f(x):\n    if x <= 0:\n        return 1\n    return g(x - 1)\n"
        "@nb.njit(cache=True)\ndef g(x):\n    if x <= 0:\n        return 7\n    return f(x - 1)\n",
        (2, 7),
    ),
}


# Classes and functions that are registered by name: a second one of a name in one process is another.
REGISTERED = frozenset(
    kind for kind, (text, *_) in FORMS.items() if "overload" in text or "class" in text or "P(" in text
)


@pytest.mark.parametrize("kind", sorted(FORMS.keys() - REGISTERED))
def test_a_change_misses(fodder, kind):
    before, after, (first, second) = FORMS[kind]
    assert check_miss(fodder(before).f, 3)[0] == first
    assert check_hit(fodder(before).f, 3) == first
    got, _ = check_miss(fodder(after).f, 3)
    assert got == second
    assert type(got) is type(second)
    # Both are kept: going back and forth compiles nothing.
    assert check_hit(fodder(after).f, 3) == second
    assert check_hit(fodder(before).f, 3) == first


@pytest.mark.parametrize("kind", sorted(REGISTERED))
def test_a_change_of_what_is_registered_misses(tmp_path, kind):
    before, after, (first, second) = FORMS[kind]

    def check(text, value, is_hit):
        (tmp_path / f"{MODULE}.py").write_text(f"import numbra as nb\nimport numpy as np\n{text}")
        call = f"from {MODULE} import f; print(f(3), len(f.stats.cache_hits), f.stats.reasons)"
        command = [sys.executable, "-B", "-c", call]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
        assert done.stdout.startswith(f"{value} {int(is_hit)} "), done.stdout + done.stderr

    check(before, first, False)
    check(before, first, True)
    check(after, second, False)
    check(before, first, True)


def test_a_change_in_another_file_misses(fodder):
    text = """
    import cache_callee
    from cache_callee import g

    @nb.njit(cache=True)
    def f(x):
        return g(x) + cache_callee.K
    """
    callee = "import cache_deep\nK = {k}\n@nb.njit\ndef g(x):\n    return cache_deep.h(x) + {g}\n"
    deep = "@nb.njit\ndef h(x):\n    return x + {h}\n"

    def load(k=100, g=10, h=1):
        return fodder(text, cache_callee=callee.format(k=k, g=g), cache_deep=deep.format(h=h))

    assert check_miss(load().f, 0)[0] == 111
    assert check_hit(load().f, 0) == 111
    got, why = check_miss(load(g=20).f, 0)
    assert got == 121
    assert why == "the variable 'g' has changed"
    got, why = check_miss(load(h=2).f, 0)
    assert got == 112
    assert why == "'cache_deep.h' has changed"
    got, why = check_miss(load(k=200).f, 0)
    assert got == 211
    assert why == "'cache_callee.K' has changed"
    assert check_hit(load().f, 0) == 111


@pytest.mark.parametrize("changes", [True, False])
def test_code_from_the_cache_is_promoted_while_its_globals_are_the_same(fodder, changes):
    text = """
    K = 2
    A = np.ones(3)

    @nb.njit(cache=True, tier="auto")
    def f(n):
        s = 0.0
        for i in range(n):
            s += K * A[0]
        return s
    """
    assert check_miss(fodder(text).f, 10)[0] == 20.0
    loaded = fodder(text)
    assert check_hit(loaded.f, 10) == 20.0
    if changes:
        loaded.K = 100
        loaded.A[0] = 50.0
    for _ in range(3000):
        loaded.f(10_000)
    _numbra._wait_for_promotions()
    assert loaded.f(10) == 20.0
    (data,) = loaded.f.get_metadata().values()
    assert data["tier"] == ("cranelift" if changes else "llvm")
    # What took the place in the cache is found.
    assert check_hit(fodder(text).f, 10) == 20.0


def test_an_unrelated_edit_hits_with_the_right_lines(fodder):
    text = """
    @nb.njit
    def inner(x):
        if x > 10:
            raise ValueError("too much")
        return x

    {between}
    @nb.njit(cache=True)
    def f(x):
        y = inner(x)
        if x < 0:
            raise ValueError("negative")
        return y
    """

    def lines(function, x):
        with pytest.raises(ValueError) as caught:
            function(x)
        last = traceback.extract_tb(caught.value.__traceback__)[-1]
        return os.path.basename(last.filename), last.lineno, last.line

    mod = fodder(text.format(between=""))
    assert check_miss(mod.f, 5)[0] == 5
    assert lines(mod.f, -1) == (f"{MODULE}.py", 15, 'raise ValueError("negative")')
    for edit in ("other = 1\n\n\n\n    def unused():\n        pass\n", "other = 1"):
        mod = fodder(text.format(between=edit))
        assert check_hit(mod.f, 5) == 5
        _, line, source = lines(mod.f, -1)
        assert source == 'raise ValueError("negative")'
        assert line == 15 + edit.count("\n")
        assert lines(mod.f, 11)[2] == 'raise ValueError("too much")'


def test_code_from_the_cache_can_be_inspected(fodder, capsys):
    text = """
    @nb.njit(cache=True, parallel=True)
    def f(a):
        s = 0.0
        for i in nb.prange(len(a)):
            s += a[i] * 2
        return s, a + 1
    """
    a = np.arange(10.0)
    check_miss(fodder(text).f, a)
    mod = fodder(text)
    total, more = check_hit(mod.f, a)
    assert total == 90.0
    np.testing.assert_array_equal(more, a + 1)
    assert "prange" in mod.f.inspect("typed") or "parallel" in mod.f.inspect("lir")
    assert mod.f.inspect_asm(mod.f.signatures[0])
    mod.f.parallel_diagnostics()
    assert f"{MODULE}.py" in capsys.readouterr().out
    assert "cache" in mod.f.get_metadata(mod.f.signatures[0])["timers"]


VALUES = """
from collections import namedtuple
import enum

class Color(enum.Enum):
    RED = 1
    BLUE = 2

P = namedtuple("P", "x y")
T = np.dtype([("a", np.int8), ("b", np.float64)])
TABLE = np.array([1.0, 2.0])

class Wrong(ValueError):
    pass

@nb.njit(cache=True)
def values(a, i):
    if i < 0:
        raise Wrong("no", i)
    return a[i], P(i, "text"), Color.BLUE, TABLE, [1, 2], {3}, np.dtype("f4"), None, b"x"

@nb.njit(cache=True)
def produce(n):
    for i in range(n):
        yield i, n

@nb.njit(cache=True)
def omitted(n=1000, *rest):
    return n + len(rest)

@nb.njit(cache=True)
def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)

@nb.njit("int64(int64)", cache=True)
def fixed(n):
    return n if n < 2 else fixed(n - 1) + fixed(n - 2)

def check():
    a = np.array([(1, 2.5), (3, 4.5)], dtype=T)
    got = values(a, 1)
    assert tuple(got[0]) == (3, 4.5)
    assert type(got[1]) is P
    assert got[1:3] == (P(1, "text"), Color.BLUE)
    np.testing.assert_array_equal(got[3], TABLE)
    assert got[4:] == ([1, 2], {3}, np.dtype("f4"), None, b"x")
    try:
        values(a, -1)
    except Wrong as error:
        assert error.args == ("no", -1)
    assert list(produce(3)) == [(0, 3), (1, 3), (2, 3)]
    assert omitted() == 1000
    assert omitted(1, 2, 3) == 3
    assert factorial(10) == 3628800
    assert fixed(10) == 55
    for function in (values, produce, omitted, factorial, fixed):
        print(sum(function.stats.cache_hits.values()), *function.stats.reasons.values())
"""


def test_kinds_of_values_come_back(tmp_path):
    (tmp_path / f"{MODULE}.py").write_text(f"import numbra as nb\nimport numpy as np\n{VALUES}")
    command = [sys.executable, "-c", f"import {MODULE}; {MODULE}.check()"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    for counts in ("00000", "11211"):
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
        assert done.returncode == 0, done.stderr
        assert "".join(line.split()[0] for line in done.stdout.splitlines()) == counts, done.stdout


def test_callees_are_part_of_their_callers(fodder):
    text = """
    @nb.njit(cache=True)
    def inner(x):
        return x + 1

    @nb.njit(cache=True)
    def outer(x):
        return inner(x) * 2
    """
    assert check_miss(fodder(text).outer, 1)[0] == 4
    assert len(files(fodder.directory, ".nbi")) == 1
    assert check_hit(fodder(text).outer, 1) == 4


def test_object_mode_keeps_nothing(fodder):
    mod = fodder("@nb.jit(forceobj=True, cache=True)\ndef f(x):\n    return {x}\n")
    assert mod.f(1) == {1}
    assert mod.f.stats == (None, {}, {})
    assert files(fodder.directory, ".nbi") == []


def test_closures_are_kept_apart(fodder):
    text = """
    def make(n):
        @nb.njit(cache=True)
        def f(x):
            return x + n
        return f
    fs = [make(3), make(5), make(7)]
    """
    for _ in range(2):
        assert [f(1) for f in fodder(text).fs] == [4, 6, 8]
    assert [hits(f) for f in fodder(text).fs] == [0, 0, 0]
    assert [check_hit(f, 1) for f in fodder(text).fs] == [4, 6, 8]
    assert (len(files(fodder.directory, ".nbi")), len(files(fodder.directory, ".nbc"))) == (1, 3)


def test_functions_that_are_arguments(fodder):
    text = """
    @nb.njit
    def square(x):
        return x * x

    @nb.njit
    def double(x):
        return x + x + {n}

    @nb.njit(cache=True)
    def apply(f, x):
        return f(x)

    @nb.njit(cache=True)
    def both(f, g, x):
        return f(x) - g(x)
    """
    mod = fodder(text.format(n=0))
    assert (mod.apply(mod.square, 5), mod.apply(mod.double, 5)) == (25, 10)
    assert (mod.both(mod.square, mod.double, 5), mod.both(mod.double, mod.double, 5)) == (15, 0)
    mod = fodder(text.format(n=0))
    # Numbers of functions differ between processes.
    assert (mod.apply(mod.double, 5), mod.apply(mod.square, 5)) == (10, 25)
    assert (mod.both(mod.double, mod.double, 5), mod.both(mod.square, mod.double, 5)) == (0, 15)
    assert (hits(mod.apply), hits(mod.both)) == (2, 2), (mod.apply.stats.reasons, mod.both.stats.reasons)
    mod = fodder(text.format(n=1))
    assert (mod.apply(mod.double, 5), mod.apply(mod.square, 5)) == (11, 25)
    assert (hits(mod.apply), misses(mod.apply)) == (1, 1)


def test_the_same_code_gives_the_same_files(fodder):
    text = """
    {before}
    TABLE = np.array([1.0, 2.0])

    @nb.njit
    def half(x):
        return x / 2

    @nb.njit(cache=True)
    def f(g, i):
        return g(TABLE[i])
    """
    content = []
    for before in ("", "other = nb.njit(lambda a: a[0])(np.array([5]))"):
        mod = fodder(text.format(before=before))
        assert mod.f(mod.half, 1) == 1.0
        content.append({path.name: path.read_bytes() for path in fodder.directory.glob("*.nb?")})
        shutil.rmtree(fodder.directory)
    assert content[0] == content[1]
    assert len(content[0]) == 2


def test_functions_that_call_each_other(fodder):
    text = """
    @nb.njit(cache=True)
    def even(n):
        return True if n == 0 else odd(n - 1)

    @nb.njit(cache=True)
    def odd(n):
        return False if n == 0 else even(n - {step})
    """
    for turn in (0, 1):
        mod = fodder(text.format(step=1))
        assert (mod.even(10), mod.odd(10)) == (True, False)
        assert (hits(mod.even), hits(mod.odd)) == (turn, turn)
    mod = fodder(text.format(step=2))
    assert mod.even(3) is True
    assert misses(mod.even) == 1


def test_the_code_of_llvm_is_kept(fodder):
    text = """
    @nb.njit(cache=True, tier="llvm", parallel=True)
    def f(a):
        s = 0.0
        for i in nb.prange(len(a)):
            s += a[i]
        return s

    @nb.njit(cache=True, tier="auto")
    def hot(a):
        s = 0.0
        for i in range(len(a)):
            s += a[i] * a[i]
        return s

    @nb.vectorize(["float64(float64)"], cache=True, tier="auto")
    def loop(x):
        return x * 2.0
    """
    from numbra import _numbra

    a = np.arange(1000.0)
    mod = fodder(text)
    assert check_miss(mod.f, a)[0] == a.sum()
    assert mod.f.get_metadata(mod.f.signatures[0])["tier"] == "llvm"
    mod.loop(np.ones(1_000_000))

    def heat(function):
        for _ in range(6000):
            function(a)
        _numbra._wait_for_promotions()

    heat(mod.hot)
    assert tier(mod.hot) == "llvm"
    mod = fodder(text)
    assert check_hit(mod.f, a) == a.sum()
    assert tier(mod.f) == "llvm"
    assert check_hit(mod.hot, a) == (a * a).sum()
    assert tier(mod.hot) == "llvm", "the better code has taken the other's place"
    np.testing.assert_array_equal(mod.loop(a), a * 2)
    assert hits(mod.loop._dispatcher) == 1


def test_code_from_the_cache_is_promoted(fodder):
    from numbra import _numbra

    text = """
    @nb.njit(cache=True, tier="auto")
    def hot(a):
        s = 0.0
        for i in range(len(a)):
            s += a[i] * a[i]
        return s
    """
    a = np.arange(1000.0)
    check_miss(fodder(text).hot, a)
    mod = fodder(text)
    check_hit(mod.hot, a)
    assert tier(mod.hot) == "cranelift"
    for _ in range(6000):
        mod.hot(a)
    _numbra._wait_for_promotions()
    assert tier(mod.hot) == "llvm"
    assert mod.hot(a) == (a * a).sum()
    mod = fodder(text)
    assert check_hit(mod.hot, a) == (a * a).sum()
    assert tier(mod.hot) == "llvm"
    assert len(files(fodder.directory, ".nbc")) == 1


def tier(function):
    (data,) = function.get_metadata().values()
    return data["tier"]


CARRIED = """
import pickle, sys
sys.path.insert(0, {path!r})
with open({pickled!r}, "rb") as file:
    outer, local = pickle.load(file)
assert outer(3) == 14 and local(3) == 10
print(*[sum(f.stats.cache_hits.values()) for f in (outer, local)], outer.stats.reasons, local.stats.reasons)
"""


def test_machine_code_travels_with_pickles(fodder, tmp_path):
    import pickle

    text = """
    K = 4

    @nb.njit
    def inner(x):
        return x + K

    @nb.njit(cache=True)
    def outer(x):
        return inner(x) * 2

    def make(n):
        @nb.njit(cache=True)
        def local(x):
            return inner(x) + n
        return local
    """
    mod = fodder(text)
    local = mod.make(3)
    assert (mod.outer(3), local(3)) == (14, 10)
    pickled = tmp_path / "functions.pickle"
    pickled.write_bytes(pickle.dumps((mod.outer, local)))
    script = CARRIED.format(path=str(tmp_path), pickled=str(pickled))

    def said():
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert said().startswith("1 1 ")
    # What it depends on has changed there: it is compiled.
    module = tmp_path / f"{MODULE}.py"
    module.write_text(module.read_text().replace("x + K", "K + x"))
    assert said().startswith("0 0 {(int64,): \"the variable 'inner' has changed\"}")


def test_functions_of_texts_are_kept(fodder, tmp_path, monkeypatch):
    import numbra as nb

    monkeypatch.setattr(nb.config, "CACHE_DIR", str(tmp_path / "own"))

    def made(constant):
        scope = {"nb": nb}
        exec(f"@nb.njit(cache=True)\ndef f(x):\n    return x + {constant}\n", scope)
        return scope["f"]

    assert check_miss(made(1), 1)[0] == 2
    assert check_hit(made(1), 1) == 2
    assert check_miss(made(2), 1)[0] == 3
    with pytest.raises(RuntimeError, match="no locator available for file 'gone"):
        exec(compile("@nb.njit(cache=True)\ndef f(x):\n    return x\n", "gone.py", "exec"), {"nb": nb})


def test_what_has_no_digest_is_not_kept(fodder):
    text = """
    import ctypes
    sin = ctypes.CDLL("libm.so.6").sin
    sin.argtypes, sin.restype = [ctypes.c_double], ctypes.c_double
    BIG = np.arange(10**6)

    @nb.njit(cache=True)
    def pointer(x):
        return sin(x)

    @nb.njit(cache=True)
    def big(i):
        return BIG[i]
    """
    mod = fodder(text)
    for function, value in ((mod.pointer, 0.0), (mod.big, 5)):
        with pytest.warns(nb_errors().NumbaWarning, match="as it uses dynamic globals") as warned:
            _, reason = check_miss(function, value)
        assert len(warned) == 1
        assert "address" in reason or "large" in reason
    assert files(fodder.directory, ".nbi") == []


def nb_errors():
    import numbra

    return numbra.errors


def test_what_changes_during_compilation_is_not_kept(fodder):
    text = """
    from numbra.extending import overload
    Z = 1

    def meddling(x):
        return x

    @overload(meddling)
    def _meddling(x):
        global Z
        Z = 2
        return lambda x: x

    @nb.njit(cache=True)
    def f(x):
        return meddling(x) + Z
    """
    value, reason = check_miss(fodder(text).f, 1)
    assert value == 2
    assert reason == "the variable 'Z' changed while it was compiled"
    assert files(fodder.directory, ".nbi") == []


def test_recompiling_compiles(fodder):
    text = "Z = 1\n@nb.njit(cache=True)\ndef f(x):\n    return x + Z\n"
    fodder(text).f(1)
    mod = fodder(text)
    assert check_hit(mod.f, 1) == 2
    mod.Z = 5
    mod.f.recompile()
    assert mod.f(1) == 6
    assert misses(mod.f) == 1


def test_ufuncs_and_callbacks_are_kept(fodder):
    text = """
    @nb.vectorize(["float64(float64)", "int64(int64)"], cache=True)
    def twice(x):
        return x * 2

    @nb.vectorize(cache=True)
    def dynamic(x, y):
        return x - y

    @nb.guvectorize(["void(float64[:], float64[:])"], "(n)->()", cache=True)
    def total(a, out):
        out[0] = a.sum()

    @nb.vectorize(["float64(float64)"], cache=True, target="parallel")
    def spread(x):
        return x + 0.5

    @nb.cfunc("float64(float64)", cache=True)
    def callback(x):
        return x + 1
    """
    a = np.arange(6.0)
    for turn in range(2):
        mod = fodder(text)
        np.testing.assert_array_equal(mod.twice(a), a * 2)
        np.testing.assert_array_equal(mod.dynamic(a, 1.0), a - 1)
        np.testing.assert_array_equal(mod.total(a.reshape(2, 3)), [3.0, 12.0])
        np.testing.assert_array_equal(mod.spread(a), a + 0.5)
        assert mod.callback.ctypes(1.0) == 2.0
        assert mod.callback.cache_hits == turn
        assert hits(mod.twice._dispatcher) == 2 * turn
        assert hits(mod.dynamic._dispatcher) == turn
        assert hits(mod.total._dispatcher) == turn
    assert len(files(fodder.directory, ".nbc")) == 6


def test_damaged_files_are_not_believed(fodder):
    flips = int(os.environ.get("NUMBRA_CACHE_FLIPS", "300"))
    text = """
    Z = np.array([3, 4])
    @nb.njit(cache=True)
    def f(x):
        if x < 0:
            raise ValueError("negative")
        return [x + Z[0], Z[1]]
    """
    fodder(text).f(1)
    paths = [path for path in fodder.directory.iterdir() if path.suffix in (".nbi", ".nbc")]
    whole = {path: path.read_bytes() for path in paths}
    chance = random.Random(1)
    found = 0
    for _ in range(flips):
        for path, content in whole.items():
            path.write_bytes(content)
        path = chance.choice(paths)
        damaged = bytearray(whole[path])
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        path.write_bytes(damaged)
        mod = fodder()
        assert mod.f(1) == [4, 4]
        found += hits(mod.f)
    assert found == 0, "every damage is seen"
    for path, content in whole.items():
        path.write_bytes(content[: len(content) // 2])
    assert check_miss(fodder().f, 1)[0] == [4, 4]
    assert check_hit(fodder().f, 1) == [4, 4]


@pytest.mark.parametrize("decorator", ["vectorize(cache=True)", "vectorize(['i8(i8)'], cache=True)", "jit(cache=True)"])
def test_warnings_name_the_line_of_the_user(fodder, tmp_path, monkeypatch, decorator):
    from numbra.core import caching

    taken = tmp_path / "file"
    taken.write_text("no directory")
    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [caching.UserProvidedCacheLocator])
    monkeypatch.setattr(nb_config(), "CACHE_DIR", str(taken))
    caching._warned.clear()
    with pytest.warns(nb_errors().NumbaWarning, match="is not cached") as warned:
        mod = fodder(f"Y = 1\n\n@nb.{decorator}\ndef f(x):\n    return x\n")
    assert [(w.filename, w.lineno) for w in warned] == [(mod.__file__, 5)]
    caching._warned.clear()
    with pytest.warns(nb_errors().NumbaWarning, match="is not cached") as warned:
        mod = fodder("def f(x):\n    return x\n\nf = nb.njit(\n    cache=True,\n)(f)\n")
    assert [w.filename for w in warned] == [mod.__file__]
    caching._warned.clear()


def nb_config():
    import numbra

    return numbra.config


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize("kind", ["pipe", "directory", "socket", "link to a pipe", "link to nothing"])
def test_files_that_are_none(fodder, ending, kind):
    import socket

    text = "@nb.njit(cache=True)\ndef f(x):\n    return x + 1\n"
    assert check_miss(fodder(text).f, 1)[0] == 2
    (name,) = files(fodder.directory, ending)
    path = fodder.directory / name
    path.unlink()
    other = fodder.directory / "other"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "directory":
        path.mkdir()
    elif kind == "socket":
        here = os.getcwd()
        os.chdir(fodder.directory)
        try:
            with socket.socket(socket.AF_UNIX) as made:
                made.bind(name[-60:])
        finally:
            os.chdir(here)
        os.rename(fodder.directory / name[-60:], path)
    else:
        if kind == "link to a pipe":
            os.mkfifo(other)
        path.symlink_to(other)
    # In a process of its own, which can be ended where it hangs.
    program = f"import {MODULE}\nf = {MODULE}.f\nprint(f(1), sum(f.stats.cache_hits.values()))\n"
    space = {**os.environ, "PYTHONPATH": os.pathsep.join([str(fodder.directory.parent), *filter(None, sys.path)])}
    for want in ("2 0", "2 0" if (kind, ending) == ("directory", ".nbi") else "2 1"):
        done = subprocess.run([sys.executable, "-c", program], env=space, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip() == want


def make_distrusted(path, kind):
    if kind == "link":
        aside = path.with_suffix(".aside")
        path.rename(aside)
        path.symlink_to(aside)
    elif kind == "another user":
        os.chown(path, 12345, -1)
    else:
        path.chmod(0o664 if kind == "group" else 0o646)


ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no owners of files")
@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("link", "is a link"),
        pytest.param("another user", "belongs to another user", marks=pytest.mark.skipif(not ROOT, reason="not root")),
        ("group", "can be written by other users"),
        ("world", "can be written by other users"),
    ],
)
def test_files_that_others_may_have_made(fodder, ending, kind, why):
    text = "@nb.njit(cache=True)\ndef f(x):\n    return x + 1\n"
    mask = os.umask(0)
    try:
        assert check_miss(fodder(text).f, 1)[0] == 2
    finally:
        os.umask(mask)
    assert check_hit(fodder().f, 1) == 2, "what numbra writes, nobody else may write to"
    (name,) = files(fodder.directory, ending)
    make_distrusted(fodder.directory / name, kind)
    mod = fodder()
    with pytest.warns(nb_errors().NumbaWarning, match=f"the cache does not use .*{why}"):
        value, reason = check_miss(mod.f, 1)
    assert value == 2 and why in str(reason)
    assert check_hit(fodder().f, 1) == 2, "the file has been made anew"


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
def test_large_files_are_not_read(fodder, ending):
    resource = pytest.importorskip("resource")
    text = "@nb.njit(cache=True)\ndef f(x):\n    return x + 1\n"
    fodder(text).f(1)
    (name,) = files(fodder.directory, ending)
    with open(fodder.directory / name, "r+b") as file:
        file.truncate(1 << 30)
    mod = fodder()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert check_miss(mod.f, 1)[0] == 2
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000
    assert check_hit(fodder().f, 1) == 2


def test_directories_that_cannot_be_used(fodder, tmp_path, monkeypatch):
    import numbra as nb
    from numbra.core import caching

    text = "@nb.njit(cache=True)\ndef f(x):\n    return x\n"
    taken = tmp_path / "file"
    taken.write_text("no directory")
    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [caching.UserProvidedCacheLocator])
    monkeypatch.setattr(nb.config, "CACHE_DIR", str(taken))
    with pytest.warns(nb.errors.NumbaWarning, match="is not cached") as warned:
        mod = fodder(text)
    assert len(warned) == 1
    # The line of the decorator, behind those of the imports.
    assert (warned[0].filename, warned[0].lineno) == (mod.__file__, 3)
    assert mod.f(1) == 1
    assert mod.f.stats == (None, {}, {})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fodder(text)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give directories away")
def test_directories_of_others_are_refused(fodder, tmp_path, monkeypatch):
    from numbra.core import caching

    text = "@nb.njit(cache=True)\ndef f(x):\n    return x\n"
    fodder(text).f(1)
    os.chown(fodder.directory, 12345, -1)
    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [caching.InTreeCacheLocator])
    caching._warned.clear()
    with pytest.warns(nb_errors().NumbaWarning, match="belongs to another user"):
        mod = fodder(text)
    assert mod.f(1) == 1
    assert mod.f.stats.cache_path is None


SCRIPT = """
import sys, numpy as np
sys.path.insert(0, {path!r})
import {module} as mod
a = np.arange(50.0)
for _ in range(2):
    assert mod.total(a) == 1225.0
    assert mod.twice(3) == 6
stats = [f.stats for f in (mod.total, mod.twice)]
counts = [sum(counts.values()) for one in stats for counts in (one.cache_hits, one.cache_misses)]
print(*counts, mod.total.get_metadata(mod.total.signatures[0])["tier"])
"""

WORK = """
@nb.njit(cache=True)
def total(a):
    s = 0.0
    for i in range(a.size):
        s += a[i]
    return s

@nb.njit(cache=True)
def twice(x):
    return x * 2
"""


def run(tmp_path, **environment):
    script = SCRIPT.format(path=str(tmp_path), module=MODULE)
    return subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **environment},
    )


def answer(process):
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 0, out
    return out.split()


def test_processes_share_it(fodder, tmp_path):
    fodder(WORK)
    assert answer(run(tmp_path)) == ["0", "1", "0", "1", "cranelift"]
    assert answer(run(tmp_path)) == ["1", "0", "1", "0", "cranelift"]
    # Another processor, another build: other entries.
    generic = {"NUMBA_CPU_NAME": "generic"}
    assert answer(run(tmp_path, **generic)) == ["0", "1", "0", "1", "cranelift"]
    assert answer(run(tmp_path, **generic)) == ["1", "0", "1", "0", "cranelift"]
    assert answer(run(tmp_path, NUMBRA_CACHE_SALT="x")) == ["0", "1", "0", "1", "cranelift"]
    assert answer(run(tmp_path)) == ["1", "0", "1", "0", "cranelift"]


def test_processes_that_start_together(fodder, tmp_path):
    count = int(os.environ.get("NUMBRA_CACHE_PROCESSES", "4"))
    fodder(WORK)
    for process in [run(tmp_path) for _ in range(count)]:
        hits_and_misses = list(map(int, answer(process)[:4]))
        assert hits_and_misses[0] + hits_and_misses[1] == 1
        assert hits_and_misses[2] + hits_and_misses[3] == 1
    assert answer(run(tmp_path))[:4] == ["1", "0", "1", "0"]
    assert not list(fodder.directory.glob("*.tmp"))
    assert not list(fodder.directory.glob(".*.tmp"))


def test_the_log(fodder, monkeypatch, capsys):
    import numbra as nb

    monkeypatch.setattr(nb.config, "DEBUG_CACHE", 1)
    text = "@nb.njit(cache=True)\ndef f(x):\n    return x\n"
    fodder(text).f(1)
    said = capsys.readouterr().out
    assert said.count("[cache] data saved to") == said.count("[cache] index saved to") == 1
    fodder(text).f(1)
    said = capsys.readouterr().out
    assert said.count("[cache] index loaded from") == said.count("[cache] data loaded from") == 1
    shutil.rmtree(fodder.directory)
    assert check_miss(fodder(text).f, 1)[0] == 1


@pytest.mark.parametrize(
    "declare",
    ["f = nb.njit('{}(int64)')(plain)", "f = nb.njit(plain)\nf.compile('{}(int64)')"],
    ids=["alone", "among others"],
)
def test_the_declared_result_of_a_callee_is_part_of_the_key(fodder, declare):
    def load(result):
        text = "def plain(x):\n    return x\n\n" + declare.format(result)
        return fodder(text + "\n\n@nb.njit(cache=True)\ndef g(x):\n    return f(x)\n")

    assert load("int8").g(300) == 44
    check_hit(load("int8").g, 300)
    again = load("int16").g
    assert (again(300), hits(again), misses(again)) == (300, 0, 1)


def test_recursion_with_a_declared_result_is_kept(fodder):
    text = """
    @nb.njit(["int8(int64)", "int16(float64)"], cache=True)
    def f(n):
        return 1 if n <= 1 else n * f(n - 1)
    """
    for count in [(0, 2), (2, 0)]:
        f = fodder(text).f
        assert (f(6), f(6.0)) == (-48, 720)
        assert (hits(f), misses(f)) == count
