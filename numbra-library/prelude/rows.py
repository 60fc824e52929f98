"""Rows of the library in Python: what the decorators of prelude sources say. `generate.py` makes Rust rows of them.

A function under one of these is the whole row: its name, parameters and documentation are the row's, its body the
row's body. Bodies for other types of the same function follow it under another name.
"""

from collections.abc import Callable


def function(numpy_function, *, when: str, effects: str = "read, raise") -> Callable:
    """A function of arrays and numbers.

    ``when`` has a pattern of types for each argument, as in ``numbra-library/src/pattern.rs``: ``"Array, Int | None"``.
    ``effects`` are some of read, write, alloc, raise, or ``"pure"``.
    """
    return lambda body: body


def elementwise(numpy_function, *, loops: str, out: bool = False) -> Callable:
    """A function of each element of numbers and arrays; ``loops`` as NumPy writes them: ``"ff->f dd->d"``.

    With ``out`` it takes an array for the result, as ufuncs do.
    """
    return lambda body: body


def body(of, *, when: str) -> Callable:
    """A body of a row that is written in Rust and names it: ``prelude(&[P::Int], "name")``."""
    return lambda function: function


def method_body(of, method: str, *, when: str) -> Callable:
    """As :func:`body`, of a method."""
    return lambda function: function


def static_if(predicate: str, value) -> bool:
    """Whether the type of ``value`` is one of `predicate`: the compiler takes one branch and never types the other."""
    raise NotImplementedError


def typed_list(x):
    """A list that nobody else has, as a typed list."""
    raise NotImplementedError


def typed_set(x):
    """A set that nobody else has, as a typed set."""
    raise NotImplementedError


def unwrapped(x):
    """What an optional holds, where it is not ``None``; another value as it is."""
    raise NotImplementedError
