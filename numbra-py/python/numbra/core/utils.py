"""Small facts that programs import from ``numba.core.utils``."""

import builtins
import functools
import inspect
import operator
import sys

from numbra._named import names_of

PYVERSION = sys.version_info[:2]

#: Bits of an address.
MACHINE_BITS = 64

pysignature = inspect.signature


def bit_length(intval: int) -> int:
    """The number of binary digits of an integer."""
    return int(intval).bit_length()


unified_function_type = None

BINOPS_TO_OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "/": operator.truediv,
    "%": operator.mod,
    "**": operator.pow,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": operator.contains,
    "@": operator.matmul,
}

INPLACE_BINOPS_TO_OPERATORS = {
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "//=": operator.ifloordiv,
    "/=": operator.itruediv,
    "%=": operator.imod,
    "**=": operator.ipow,
    "&=": operator.iand,
    "|=": operator.ior,
    "^=": operator.ixor,
    "<<=": operator.ilshift,
    ">>=": operator.irshift,
    "@=": operator.imatmul,
}

UNARY_BUITINS_TO_OPERATORS = {
    "+": operator.pos,
    "-": operator.neg,
    "~": operator.invert,
    "not": operator.not_,
    "is_true": operator.truth,
}

OPERATORS_TO_BUILTINS = {
    function: text
    for table in (BINOPS_TO_OPERATORS, INPLACE_BINOPS_TO_OPERATORS, UNARY_BUITINS_TO_OPERATORS)
    for text, function in table.items()
}

BUILTINS = builtins.__dict__.keys()


def stream_list(lst):
    """Yields what has been added to ``lst`` since the last time, for ever."""
    start = 0
    while True:
        yield iter(lst[start:])
        start = len(lst)


def order_by_target_specificity(target, templates, fnkey=""):
    """The candidates as they are: there is one target."""
    return list(templates)


def format_time(seconds):
    """``1.5 ms``"""
    for unit, scale in (("s", 1), ("ms", 1e3), ("us", 1e6), ("ns", 1e9)):
        if seconds * scale >= 1 or unit == "ns":
            return f"{seconds * scale:.1f} {unit}"
    return None


def get_nargs_range(pyfunc):
    """Least and largest number of positional arguments."""
    params = pysignature(pyfunc).parameters.values()
    required = sum(p.default is p.empty for p in params)
    return required, len(params)


def runonce(fn):
    """The function runs at its first call; later calls give the same result."""
    return functools.lru_cache(maxsize=None)(fn)


class UniqueDict(dict):
    """A dict whose keys are set once."""

    def __setitem__(self, key, value):
        if key in self:
            raise AssertionError(f"key already in dictionary: {key!r}")
        super().__setitem__(key, value)


class ConfigStack:
    """A stack of values, the last of which is in force."""

    def __init__(self):
        self._stack = []

    def top(self):
        """The value in force."""
        return self._stack[-1]

    def __len__(self):
        return len(self._stack)

    def top_or_none(self):
        """The value in force, if there is one."""
        return self._stack[-1] if self._stack else None

    def enter(self, value):
        """A context in which ``value`` is in force."""
        import contextlib

        @contextlib.contextmanager
        def entered():
            self._stack.append(value)
            try:
                yield
            finally:
                self._stack.pop()

        return entered()


class ThreadLocalStack(ConfigStack):
    """As :class:`ConfigStack`."""


__getattr__ = names_of(__name__)
