"""The names of CUDA's vector types: ``float32x4``, also called ``float4``."""

from typing import NamedTuple

import numpy as np

ATTRIBUTES = ("x", "y", "z", "w")
_BASES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
_C_NAMES = {
    "char": np.byte,
    "short": np.short,
    "int": np.intc,
    "long": np.long if hasattr(np, "long") else np.int_,
    "longlong": np.longlong,
    "uchar": np.ubyte,
    "ushort": np.ushort,
    "uint": np.uintc,
    "ulong": np.ulong if hasattr(np, "ulong") else np.uint,
    "ulonglong": np.ulonglong,
    "float": np.single,
    "double": np.double,
}


class VectorTypeName(NamedTuple):
    """A vector type: the type of its components, how many, and its names in C."""

    name: str
    base: str
    count: int
    aliases: tuple[str, ...]


def _of(base: str, count: int) -> VectorTypeName:
    aliases = tuple(f"{name}{count}" for name, scalar in _C_NAMES.items() if np.dtype(scalar).name == base)
    return VectorTypeName(f"{base}x{count}", base, count, aliases)


VECTOR_TYPES = tuple(_of(base, count) for base in _BASES for count in (1, 2, 3, 4))
