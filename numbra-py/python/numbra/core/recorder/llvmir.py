"""Types, values and constants under the names of ``llvmlite.ir``, for code that is recorded as LIR.

A type says how C lays it out and what its *leaves* are: the machine values that LIR has for a value of it, each with
its byte offset. A value is its leaves' names. Pointers have pointees, as in llvmlite; LIR's do not.
"""

import functools
import math
import struct
import sys
from operator import index

from numbra.core.errors import LoweringError, UnsupportedError

#: More leaves than any value may have.
MOST_LEAVES = 4096

Undefined = type("Undefined", (), {"__repr__": lambda self: "Undefined"})()


def where():
    """The line of Python outside of this package that is being run."""
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if not (name.startswith("numbra.core.") or name == "contextlib"):
            return f"{frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return "?"


class Type:
    """A type. Types of the same parts are equal."""

    is_pointer = False
    size = align = 0

    def as_pointer(self, addrspace=0):
        """The type of pointers to values of this type."""
        return PointerType(self, addrspace)

    def __call__(self, value):
        return Constant(self, value)

    def __eq__(self, other):
        return isinstance(other, Type) and self.key == other.key

    def __hash__(self):
        return hash(self.key)

    def __repr__(self):
        return f"<{type(self).__name__} {self}>"

    def get_abi_size(self, target_data=None, context=None):
        """Bytes that a value takes in memory."""
        return self.size

    def get_abi_alignment(self, target_data=None, context=None):
        """Bytes that addresses of values are multiples of."""
        return self.align

    @functools.cached_property
    def leaves(self):
        """Machine type and byte offset of each leaf."""
        found = tuple(self._leaves(0))
        if len(found) > MOST_LEAVES:
            raise UnsupportedError(f"a value of type {self} has more than {MOST_LEAVES} parts")
        return found

    @functools.cached_property
    def kinds(self):
        """Machine types of the leaves."""
        return tuple(kind for kind, _ in self.leaves)

    def references(self):
        """Byte offsets of the counted references in a value."""
        return [offset for kind, offset in self.leaves if kind == "ref"]

    def _leaves(self, start):
        return iter(())


class VoidType(Type):
    """No value."""

    key = ("void",)

    def __str__(self):
        return "void"


class LabelType(VoidType):
    """The type of blocks."""

    key = ("label",)


class _Scalar(Type):
    def _leaves(self, start):
        yield self.kind, start


class IntType(_Scalar):
    """An integer of some bits."""

    def __init__(self, bits):
        if bits not in (1, 8, 16, 32, 64, 128):
            raise UnsupportedError(f"integers of {bits} bits")
        self.width = bits
        self.key = ("int", bits)
        self.kind = f"i{bits}"
        self.size = self.align = max(1, bits // 8)

    def __str__(self):
        return self.kind

    def literal(self, value):
        """What stands for a Python value in LIR."""
        try:
            value = index(value)
        except TypeError:
            raise LoweringError(f"a constant of type {self} is an integer, not {value!r}") from None
        value &= (1 << self.width) - 1
        return value - (value >> (self.width - 1) << self.width) if self.width > 1 else value


class _Float(_Scalar):
    align = property(lambda self: self.size)

    def __str__(self):
        return self.name

    @property
    def key(self):
        return ("float", self.kind)

    def literal(self, value):
        """What stands for a Python value in LIR."""
        try:
            value = float(value)
        except (TypeError, ValueError):
            raise LoweringError(f"a constant of type {self} is a number, not {value!r}") from None
        if self.kind == "f64" and math.isfinite(value):
            return repr(value)
        try:
            bits = struct.pack(f"<{self.code}", value)
        except OverflowError:
            bits = struct.pack(f"<{self.code}", math.copysign(math.inf, value))
        return f"bits {int.from_bytes(bits, 'little'):#x}"


class HalfType(_Float):
    """A float of 2 bytes."""

    name, kind, code, size = "half", "f16", "e", 2


class FloatType(_Float):
    """A float of 4 bytes."""

    name, kind, code, size = "float", "f32", "f", 4


class DoubleType(_Float):
    """A float of 8 bytes."""

    name, kind, code, size = "double", "f64", "d", 8


class PointerType(_Scalar):
    """A pointer to values of a type."""

    is_pointer = True
    kind = "ptr"
    size = align = 8

    def __init__(self, pointee=None, addrspace=0):
        if not isinstance(pointee, Type):
            raise LoweringError(f"a pointer's pointee is a type, not {pointee!r}")
        if addrspace:
            raise UnsupportedError(f"address space {addrspace}")
        self.pointee = pointee
        self.addrspace = addrspace

    @functools.cached_property
    def key(self):
        return ("pointer", self.pointee.key)

    def __str__(self):
        return f"{self.pointee}*"


class ReferenceType(PointerType):
    """A reference that LIR counts. To code it is a pointer to bytes."""

    kind = "ref"

    def __init__(self):
        super().__init__(IntType(8))


class Aggregate(Type):
    """A type with parts."""

    def part(self, position):
        """Type of a part, byte offset, and which leaf is its first."""
        raise NotImplementedError


class ArrayType(Aggregate):
    """So many values of one type."""

    def __init__(self, element, count):
        self.element, self.count = element, index(count)
        self.size, self.align = element.size * self.count, element.align

    @functools.cached_property
    def key(self):
        return ("array", self.element.key, self.count)

    @property
    def elements(self):
        """The type of each part."""
        return [self.element] * self.count

    def __len__(self):
        return self.count

    def __str__(self):
        return f"[{self.count} x {self.element}]"

    def part(self, position):
        if not 0 <= position < self.count:
            raise LoweringError(f"{self} has no part {position}")
        return self.element, position * self.element.size, position * len(self.element.leaves)

    def references(self):
        found = self.element.references()
        return [n * self.element.size + offset for n in range(self.count) for offset in found] if found else []

    def _leaves(self, start):
        if self.count * len(self.element.leaves) > MOST_LEAVES:
            raise UnsupportedError(f"a value of type {self} has more than {MOST_LEAVES} parts")
        for n in range(self.count):
            yield from self.element._leaves(start + n * self.element.size)


class LiteralStructType(Aggregate):
    """Values of several types, one behind the other."""

    def __init__(self, elems, packed=False):
        self.elements, self.packed = tuple(elems), packed
        for element in self.elements:
            if not isinstance(element, Type):
                raise LoweringError(f"a field of a struct has a type, not {element!r}")
        self.offsets = []
        self.align = 1 if packed else max((e.align for e in self.elements), default=1)
        end = 0
        for element in self.elements:
            end = end if packed else -(-end // max(element.align, 1)) * max(element.align, 1)
            self.offsets.append(end)
            end += element.size
        self.size = -(-end // self.align) * self.align

    @functools.cached_property
    def key(self):
        return ("struct", self.packed, *(element.key for element in self.elements))

    def __len__(self):
        return len(self.elements)

    def __iter__(self):
        return iter(self.elements)

    def __str__(self):
        inside = ", ".join(map(str, self.elements))
        return f"<{{{inside}}}>" if self.packed else f"{{{inside}}}"

    def part(self, position):
        if not 0 <= position < len(self.elements):
            raise LoweringError(f"{self} has no part {position}")
        first = sum(len(element.leaves) for element in self.elements[:position])
        return self.elements[position], self.offsets[position], first

    def references(self):
        pairs = zip(self.elements, self.offsets, strict=True)
        return [start + offset for element, start in pairs for offset in element.references()]

    def _leaves(self, start):
        for element, offset in zip(self.elements, self.offsets, strict=True):
            yield from element._leaves(start + offset)


BaseStructType = LiteralStructType


class FunctionType(Type):
    """A function's parameters and result."""

    def __init__(self, return_type, args, var_arg=False):
        self.return_type, self.args, self.var_arg = return_type, tuple(args), var_arg
        for ty in (return_type, *self.args):
            if not isinstance(ty, Type):
                raise LoweringError(f"a function's parameters and result have types, not {ty!r}")

    @functools.cached_property
    def key(self):
        return ("function", self.return_type.key, self.var_arg, *(ty.key for ty in self.args))

    def __str__(self):
        args = [*map(str, self.args), *["..."] * self.var_arg]
        return f"{self.return_type} ({', '.join(args)})"


class _Ignored:
    """Takes hints for LLVM, which LIR has no use for."""

    def add(self, *args, **kwargs):
        """Nothing."""

    add_attribute = remove = discard = add


class Value:
    """A value of a function: the names of its leaves."""

    def __init__(self, ty, leaves=(), function=None, name=""):
        self.type, self.leaves, self.function, self.name = ty, tuple(leaves), function, name
        self.where = where()
        #: The block and the first line that compute it.
        self.parent = self.line = None
        self.attributes = _Ignored()

    add_attribute = set_metadata = lambda self, *args, **kwargs: None

    def __repr__(self):
        leaves = ", ".join(self.leaves)
        return f"<{self.type} value {leaves or self.name} of {self.where}>"


class Constant(Value):
    """A constant of a type; None is zero or null, a list holds the parts of an aggregate."""

    def __init__(self, typ, constant):
        if not isinstance(typ, Type):
            raise LoweringError(f"a constant has a type, not {typ!r}")
        super().__init__(typ)
        self.constant = constant
        self._literals = None
        if isinstance(typ, _Scalar) and not typ.is_pointer:
            self.literals()
        elif isinstance(typ, PointerType):
            if constant is not None and constant is not Undefined:
                raise LoweringError(f"a constant of type {typ} is None, not {constant!r}")
        elif not isinstance(typ, Aggregate):
            raise LoweringError(f"{typ} has no constants")

    @property
    def is_zero(self):
        """True if all its bytes may be zero."""
        return self.constant is None or self.constant is Undefined

    def literals(self):
        """For each leaf what stands for it in LIR: a literal, or for addresses a base and an offset."""
        if self._literals is None:
            self._literals = tuple(self._find_literals())
        return self._literals

    def _find_literals(self):
        ty = self.type
        if self.is_zero:
            for kind in ty.kinds:
                yield (None, 0) if kind in ("ptr", "ref") else 0 if kind[0] == "i" else "0.0"
        elif isinstance(ty, _Scalar):
            yield ty.literal(self.constant)
        else:
            for part in self.parts():
                yield from part.literals()

    def parts(self):
        """The parts of an aggregate, as constants."""
        elements = self.type.elements
        given = list(self.constant)
        if len(given) != len(elements):
            raise LoweringError(f"{len(given)} parts for a constant of type {self.type}")
        parts = [
            part if isinstance(part, Constant) else Constant(element, part)
            for part, element in zip(given, elements, strict=True)
        ]
        for part, element in zip(parts, elements, strict=True):
            if part.type != element:
                raise LoweringError(f"a part of type {part.type} where {self.type} has {element}")
        return parts

    def image(self):
        """Its bytes, and the addresses among them as (offset, base)."""
        if isinstance(self.constant, (bytes, bytearray)) and isinstance(self.type, ArrayType):
            if self.type != ArrayType(IntType(8), len(self.constant)):
                raise LoweringError(f"{len(self.constant)} bytes for a constant of type {self.type}")
            return bytes(self.constant), []
        if self.is_zero:
            return bytes(self.type.size), []
        image, bases = bytearray(self.type.size), []
        for (kind, at), literal in zip(self.type.leaves, self.literals(), strict=True):
            if kind in ("ptr", "ref"):
                base, offset = literal
                if base is not None and offset:
                    raise UnsupportedError("an address inside of other data in constant data")
                if base is not None:
                    bases.append((at, base))
                image[at : at + 8] = (offset & (1 << 64) - 1).to_bytes(8, "little")
            elif kind[0] == "i":
                size = max(1, int(kind[1:]) // 8)
                image[at : at + size] = (literal & (1 << 8 * size) - 1).to_bytes(size, "little")
            else:
                size = int(kind[1:]) // 8
                bits = literal.removeprefix("bits ")
                raw = struct.pack("<d", float(literal)) if bits == literal else int(bits, 16).to_bytes(size, "little")
                image[at : at + size] = raw if len(raw) == size else bytes(size)
        return bytes(image), bases

    @classmethod
    def literal_struct(cls, elems, packed=False):
        """A struct of these constants."""
        return cls(LiteralStructType([elem.type for elem in elems], packed), list(elems))

    @classmethod
    def literal_array(cls, elems):
        """An array of these constants."""
        return cls(ArrayType(elems[0].type, len(elems)), list(elems))

    def address(self):
        """Base and offset of a pointer; None for other constants."""
        return (None, 0) if isinstance(self.type, PointerType) and self.is_zero else None

    def bitcast(self, typ):
        """The same bits as another type."""
        if self.address() is not None and isinstance(typ, PointerType):
            return Address(typ, *self.address())
        if typ == self.type:
            return self
        raise UnsupportedError(f"bitcast of a constant of type {self.type} to {typ}")

    def inttoptr(self, typ):
        """The pointer with this number as address."""
        if not isinstance(self.type, IntType) or not isinstance(typ, PointerType):
            raise LoweringError(f"inttoptr of a constant of type {self.type} to {typ}")
        return Address(typ, None, self.literals()[0])

    def ptrtoint(self, typ):
        """The address as a number, where it is one."""
        base, offset = self.address() or (self, 0)
        if base is not None or not isinstance(typ, IntType):
            raise UnsupportedError(f"ptrtoint of a constant of type {self.type} to {typ}")
        return Constant(typ, offset)

    def gep(self, indices):
        """The address of a part of what this points to."""
        if self.address() is None:
            raise LoweringError(f"gep of a constant of type {self.type}")
        base, offset = self.address()
        ty = self.type.pointee
        for n, position in enumerate(indices):
            position = index(position.literals()[0] if isinstance(position, Constant) else position)
            if n == 0:
                offset += position * ty.size
            elif isinstance(ty, ArrayType):
                ty, offset = ty.element, offset + position * ty.element.size
            elif isinstance(ty, Aggregate):
                ty, at, _ = ty.part(position)
                offset += at
            else:
                raise LoweringError(f"gep: {ty} has no parts")
        return Address(ty.as_pointer(), base, offset)

    def __repr__(self):
        return f"<{self.type} constant {self.constant!r}>"


class Address(Constant):
    """A constant address: bytes behind global data or a function, or a number."""

    def __init__(self, typ, base, offset=0):
        Value.__init__(self, typ)
        self.base, self.offset = base, offset
        self.constant = self

    is_zero = property(lambda self: self.base is None and self.offset == 0)

    def address(self):
        return self.base, self.offset

    def literals(self):
        return ((self.base, self.offset),)

    def __repr__(self):
        return f"<{self.type} address {getattr(self.base, 'name', '')}+{self.offset}>"


#: Names of ``llvmlite.ir`` that other modules of this package have.
_ELSEWHERE = {
    "Block": "module",
    "Function": "module",
    "GlobalVariable": "module",
    "Module": "module",
    "IRBuilder": "builder",
}


def __getattr__(name):
    if name in _ELSEWHERE:
        import importlib

        return getattr(importlib.import_module(f"numbra.core.recorder.{_ELSEWHERE[name]}"), name)
    if name.startswith("__"):
        raise AttributeError(name)
    raise UnsupportedError(f"llvmlite.ir.{name} is not supported")
