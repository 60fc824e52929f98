"""Calls of compiled functions on LIR's interpreter: values to leaves and back.

LIR as lowered and after the passes both run.
"""

import ctypes
import struct

import numbra
import numpy as np
from numbra import _numbra, types

FUEL = 100_000_000  # instructions of one call


class OnInterpreter:
    """Stands for a dispatcher; calls run on the interpreter."""

    def __init__(self, dispatcher, optimised):
        self.dispatcher, self.optimised = dispatcher, optimised

    def __call__(self, *args):
        index = signature_for(self.dispatcher, args)
        kinds, result = _numbra._signatures(self.dispatcher)[index]
        leaves, arrays = [], []
        for value, kind in zip(args, kinds, strict=True):
            flatten(value, kind, leaves, arrays)
        try:
            got, memories = _numbra._interpret(self.dispatcher, index, self.optimised, leaves, FUEL)
        except SystemError as error:
            raise RuntimeError(f"the interpreter stopped: {error}") from None
        places = [at for at, leaf in enumerate(leaves) if isinstance(leaf, bytes)]
        memory = dict(zip(places, memories, strict=True))
        for at, array in arrays:
            array[...] = view(array, memory[at], 0, array.shape, array.strides)
        if isinstance(got, BaseException):
            raise got
        return build(result, iter(got), memory)


def signature_for(dispatcher, args):
    """Index of the compiled signature for these arguments, compiled if need be."""
    kinds = tuple(numbra.typeof(arg) for arg in args)
    for _ in range(2):
        for index, (known, _) in enumerate(_numbra._signatures(dispatcher)):
            if tuple(known) == kinds:
                return index
        dispatcher.compile(kinds)
    raise TypeError(f"no signature for {kinds}")


def float_bits(value, kind):
    single = kind.bitwidth == 32
    return int.from_bytes(struct.pack("<f" if single else "<d", value), "little")


def flatten(value, kind, leaves, arrays):
    """Appends the leaves of a value; arrays with the place of their pointer."""
    if isinstance(kind, types.Array):
        arrays.append((len(leaves), value))
        low, high = np.lib.array_utils.byte_bounds(value)
        if low != value.ctypes.data:
            raise TypeError("an array whose first item is not its lowest")
        leaves += [ctypes.string_at(low, high - low), None, *value.shape, *value.strides]
    elif isinstance(kind, types.BaseTuple):
        for item, inner in zip(value, kind.types, strict=True):
            flatten(item, inner, leaves, arrays)
    elif isinstance(kind, types.Float):
        leaves.append(float_bits(value, kind))
    elif isinstance(kind, types.Complex):
        part = kind.underlying_float
        leaves += [float_bits(value.real, part), float_bits(value.imag, part)]
    elif isinstance(kind, types.Integer | types.Boolean):
        leaves.append(int(value))
    else:
        raise TypeError(f"no leaves for {kind}")


def view(like, content, offset, shape, strides):
    return np.ndarray(shape, like.dtype, content, offset, strides)


def build(kind, leaves, memory):
    """The value whose leaves come next."""
    if isinstance(kind, types.Array):
        place, offset = next(leaves)
        next(leaves)  # the owner
        shape = [next(leaves) for _ in range(kind.ndim)]
        strides = [signed(next(leaves), 64) for _ in range(kind.ndim)]
        content = memory[place] if isinstance(place, int) else place
        like = np.empty(0, str(kind.dtype).replace("boolean", "bool"))
        return view(like, content, offset, shape, strides)
    if isinstance(kind, types.BaseTuple):
        return tuple([build(inner, leaves, memory) for inner in kind.types])
    if isinstance(kind, types.Optional):
        present = next(leaves)
        value = build(kind.type, leaves, memory)
        return value if present else None
    if isinstance(kind, types.Float):
        return floating(next(leaves), kind)
    if isinstance(kind, types.Complex):
        part = kind.underlying_float
        return complex(floating(next(leaves), part), floating(next(leaves), part))
    if isinstance(kind, types.Boolean):
        return bool(next(leaves))
    if isinstance(kind, types.Integer):
        bits = next(leaves)
        return signed(bits, kind.bitwidth) if kind.signed else bits
    if isinstance(kind, types.NoneType):
        return None
    raise TypeError(f"no value of {kind} from leaves")


def floating(bits, kind):
    size = kind.bitwidth // 8
    return struct.unpack("<f" if size == 4 else "<d", bits.to_bytes(size, "little"))[0]


def signed(bits, width):
    return bits - (1 << width) if bits >> (width - 1) else bits
