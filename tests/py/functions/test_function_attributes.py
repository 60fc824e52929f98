"""What tools ask functions for: jitted ones answer as the Python function; and numbra's own are documented."""

import copy
import doctest
import functools
import importlib
import inspect
import operator
import pickle
import pydoc
import sys
import textwrap
import typing

import numbra as nb
import pytest

PROGRAM = '''
"""What functions with annotations compile to.

>>> jitted(1.0)
2.0
"""
import numbra as nb
from numbra import cuda

def plain(x: float, n: "int" = 2, *, k: int = 0) -> float:
    """Times `n`.

    >>> jitted(2.0, 3)
    6.0
    """
    return x * n

jitted = nb.njit(plain)
interpreted = nb.jit(plain, forceobj=True)
on_device = cuda.jit(plain, device=True)

@nb.cfunc("f8(f8)")
def callback(x: float) -> float:
    """Doc."""
    return x

@nb.vectorize
def ufunc(x: float) -> float:
    """Doc.

    >>> float(ufunc(1.0))
    1.0
    """
    return x

@nb.guvectorize("void(f8[:], f8[:])", "(n)->(n)")
def gufunc(x: list, y: list) -> None:
    """Doc."""
    y[:] = x

@nb.njit
def wrong(x):
    """
    >>> wrong(1)
    3
    """
    return x
'''


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "looked_at.py").write_text(PROGRAM)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("looked_at")
    del sys.modules["looked_at"]


KINDS = ["jitted", "interpreted", "on_device", "callback", "ufunc", "gufunc"]


@pytest.mark.parametrize("kind", KINDS)
def test_what_tools_ask(module, kind):
    made = getattr(module, kind)
    function = made.__wrapped__
    assert inspect.isfunction(function) and inspect.unwrap(made) is function
    for name in ("__name__", "__qualname__", "__module__", "__doc__", "__annotations__"):
        assert getattr(made, name) == getattr(function, name), name
    for ask in (
        inspect.signature,
        inspect.getsource,
        inspect.getsourcelines,
        inspect.getdoc,
        inspect.getmodule,
        typing.get_type_hints,
        inspect.get_annotations,
    ):
        assert ask(made) == ask(function), ask
    assert callable(made) and not inspect.iscoroutinefunction(made)
    assert function.__name__ in pydoc.render_doc(made, renderer=pydoc.plaintext)

    @functools.wraps(made)
    def wrapper(*args):
        return made(*args)

    assert inspect.signature(wrapper) == inspect.signature(function)
    assert wrapper.__name__ == function.__name__ and wrapper.__wrapped__ is made


@pytest.mark.parametrize("kind", ["jitted", "interpreted", "on_device"])
def test_what_tools_ask_functions_alone(module, kind):
    made, function = getattr(module, kind), module.plain
    for name in ("__code__", "__defaults__", "__kwdefaults__", "__globals__", "__closure__"):
        assert getattr(made, name) == getattr(function, name), name
    assert made.__type_params__ == getattr(function, "__type_params__", ())
    assert inspect.getfullargspec(made) == inspect.getfullargspec(function)
    assert copy.copy(made).__wrapped__ is copy.deepcopy(made).__wrapped__ is function
    assert made.__get__(3).__self__ == 3 and made.__get__(None, int) is made
    again = pickle.loads(pickle.dumps(made))
    assert inspect.signature(again) == inspect.signature(function)
    assert type(made)[[float], float].__origin__ is type(made)


def test_doctest_finds_examples(module):
    found = {test.name.partition(".")[2]: len(test.examples) for test in doctest.DocTestFinder().find(module)}
    assert {name: count for name, count in found.items() if count} == {
        "": 1,
        "plain": 1,
        "interpreted": 1,
        "jitted": 1,
        "on_device": 1,
        "ufunc": 1,
        "wrong": 1,
    }
    silent = doctest.DocTestRunner(verbose=False)
    tests = doctest.DocTestFinder().find(module)
    failed = {test.name for test in tests if silent.run(test, out=lambda text: None).failed}
    assert failed == {"looked_at.wrong"}


def test_help_names_options_and_shows_an_example():
    shown = pydoc.render_doc(nb.njit, renderer=pydoc.plaintext)
    for word in ("fastmath : bool", "parallel : bool", "error_model : ", "Examples", ">>> @nb.njit", "Dispatcher"):
        assert word in shown
    first = list(inspect.signature(nb.njit).parameters)
    assert first == ["signature_or_function", "locals", "cache", "pipeline_class", "boundscheck", "options"]


PUBLIC = [name for name in nb.__all__ if inspect.isroutine(getattr(nb, name)) or name in ("prange", "pndindex")]


@pytest.mark.parametrize("function", [*PUBLIC, "extending.overload", "extending.overload_method", "cuda.jit"])
def test_public_functions_say_their_parameters(function):
    found = operator.attrgetter(function)(nb)
    doc = inspect.getdoc(found)
    for name in inspect.signature(found).parameters:
        if name not in ("kws", "kwargs", "args", "options"):
            assert "Parameters\n----------" in doc, doc
            assert name in doc, name
    examples = doctest.DocTestParser().get_doctest(textwrap.dedent(doc), {}, function, None, None)
    assert doctest.DocTestRunner(verbose=False).run(examples).failed == 0
