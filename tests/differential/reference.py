"""What generated programs mean, in CPython: Numba's types over Python's numbers.

Programs see these instead of NumPy's scalars and arrays, whose own rules differ: NumPy's scalars do
not raise on a zero divisor, and promote by other rules than Numba.
Signed integers of every width compute as int64; programs keep them far from its bounds.
"""

import ast
import math
import operator
import struct
import sys
from types import SimpleNamespace

import numpy as np

MASK = 2**64 - 1


class Unsigned:
    """A uint64; narrower unsigned integers compute as these."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value & MASK

    def __repr__(self):
        return f"Unsigned({self.value})"

    def __eq__(self, other):
        return self.value == other.value

    def __ne__(self, other):
        return self.value != other.value

    def __lt__(self, other):
        return self.value < other.value

    def __le__(self, other):
        return self.value <= other.value

    def __gt__(self, other):
        return self.value > other.value

    def __ge__(self, other):
        return self.value >= other.value

    __hash__ = None

    def __add__(self, other):
        return Unsigned(self.value + other.value)

    def __sub__(self, other):
        return Unsigned(self.value - other.value)

    def __mul__(self, other):
        return Unsigned(self.value * other.value)

    def __floordiv__(self, other):
        return Unsigned(self.value // other.value)

    def __mod__(self, other):
        return Unsigned(self.value % other.value)

    def __and__(self, other):
        return Unsigned(self.value & other.value)

    def __or__(self, other):
        return Unsigned(self.value | other.value)

    def __xor__(self, other):
        return Unsigned(self.value ^ other.value)

    def __lshift__(self, bits):
        return Unsigned(self.value << bits)

    def __rshift__(self, bits):
        return Unsigned(self.value >> bits)

    def __invert__(self):
        return Unsigned(~self.value)

    def __int__(self):
        return self.value

    def __float__(self):
        return float(self.value)


def to_single(value):
    """The float32 nearest to a float, as a float; too large ones become infinite."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


class Single:
    """A float32. Sums, products and quotients of two, computed in double, round to the right float32."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = to_single(value)

    def __repr__(self):
        return f"Single({self.value})"

    def __float__(self):
        return self.value

    def __neg__(self):
        return Single(-self.value)

    def __abs__(self):
        return Single(abs(self.value))

    __hash__ = None


def _mixed(name):
    operation = getattr(float, name)

    def method(self, other):
        if isinstance(other, Single):
            return Single(operation(self.value, other.value))
        return operation(self.value, float(other))

    return method


def _compared(name):
    operation = getattr(float, name)
    return lambda self, other: operation(self.value, float(other))


for _name in ("add", "sub", "mul", "truediv", "radd", "rsub", "rmul"):
    setattr(Single, f"__{_name}__", _mixed(f"__{_name}__"))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Single, f"__{_name}__", _compared(f"__{_name}__"))


def _with_complex(operation):
    def calculated(a, b):
        if type(a) is complex and isinstance(b, int | float):
            b = complex(b)
        elif type(b) is complex and isinstance(a, int | float):
            a = complex(a)
        return operation(a, b)

    return calculated


# To Numba, to NumPy, and to CPython before 3.14 a number beside a complex one is complex: 0 * (2-1j) has no -0.0.
_OPERATORS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv"}
_WITH_COMPLEX = {
    f"_{name}": _with_complex(getattr(operator, name)) for short in _OPERATORS.values() for name in (short, f"i{short}")
}


class _NamedOperators(ast.NodeTransformer):
    def visit_BinOp(self, node):
        self.generic_visit(node)
        return self.named(node, "", node.left, node.right)

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            return node
        call = self.named(node, "i", ast.Name(node.target.id, ast.Load()), node.value)
        return node if call is node else ast.Assign([node.target], call)

    def named(self, node, prefix, left, right):
        name = _OPERATORS.get(type(node.op))
        return ast.Call(ast.Name(f"_{prefix}{name}", ast.Load()), [left, right], []) if name else node


def parsed(source):
    """The program as CPython is to run it, and the names that it needs besides its own."""
    tree = ast.parse(source)
    if sys.version_info < (3, 14):
        return tree, {}
    return ast.fix_missing_locations(_NamedOperators().visit(tree)), _WITH_COMPLEX


class Kind:
    """A scalar type of NumPy: converts when called, and names the items of arrays."""

    def __init__(self, name):
        self.dtype = np.dtype(name)

    def __call__(self, value):
        if isinstance(value, Unsigned | Single):
            value = value.value
        match self.dtype.kind:
            case "i":
                bits = 8 * self.dtype.itemsize
                return (int(value) + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))
            case "u":
                return Unsigned(int(value) % (1 << (8 * self.dtype.itemsize)))
            case "f":
                return Single(value) if self.dtype.itemsize == 4 else float(value)
            case "b":
                return bool(value)
        return complex(value)


class Array:
    """An array whose items are the numbers above."""

    def __init__(self, array):
        self.array = array
        self.kind = Kind(array.dtype.name)

    size = property(lambda self: self.array.size)
    ndim = property(lambda self: self.array.ndim)
    shape = property(lambda self: self.array.shape)
    T = property(lambda self: Array(self.array.T))

    def __len__(self):
        return len(self.array)

    def __getitem__(self, index):
        got = self.array[index]
        return Array(got) if isinstance(got, np.ndarray) else self.kind(got.item())

    def __setitem__(self, index, value):
        value = self.kind(value)
        self.array[index] = value.value if isinstance(value, Unsigned | Single) else value

    def __iter__(self):
        return map(self.__getitem__, range(len(self)))


NAMES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
NAMES += ["float32", "float64", "complex128", "bool_"]
_kinds = {name: Kind(name.rstrip("_")) for name in NAMES}


def _made(maker):
    return lambda shape, kind=_kinds["float64"]: Array(maker(shape, kind.dtype))


def _zeros_like(array):
    return Array(np.zeros_like(array.array))


#: What programs see as `np`.
namespace = SimpleNamespace(zeros=_made(np.zeros), empty=_made(np.empty), zeros_like=_zeros_like, **_kinds)
