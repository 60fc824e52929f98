"""Values that may be ``None``."""

import operator

from rows import body, unwrapped


@body(str, when="Optional")
def str_of_optional(x):
    """The text of the value, or ``"None"``."""
    if x is None:
        return "None"
    return str(unwrapped(x))


@body(repr, when="Optional")
def repr_of_optional(x):
    """The value as Python writes it in a program, or ``"None"``."""
    if x is None:
        return "None"
    return repr(unwrapped(x))


@body(format, when="Optional, Unicode | None")
def format_of_optional(x, spec):
    """The value by a format specification; ``None`` takes an empty one only."""
    if x is None:
        return format(None, spec)
    return format(unwrapped(x), spec)


@body(operator.eq, when="Any, Any")
def optional_eq(x, y):
    """``None`` equals nothing but itself."""
    if x is None:
        return y is None
    if y is None:
        return False
    return unwrapped(x) == unwrapped(y)


@body(operator.ne, when="Any, Any")
def optional_ne(x, y):
    """``None`` equals nothing but itself."""
    if x is None:
        return y is not None
    if y is None:
        return True
    return unwrapped(x) != unwrapped(y)
