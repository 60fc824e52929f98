"""The names of CUDA's vector types: ``float32x4``, also called ``float4``."""

from typing import NamedTuple

ATTRIBUTES = ("x", "y", "z", "w")
_BASES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
# On Linux with 64 bits, the only host that CUDA kernels are compiled on.
_C_NAMES = {
    "char": "int8",
    "short": "int16",
    "int": "int32",
    "long": "int64",
    "longlong": "int64",
    "uchar": "uint8",
    "ushort": "uint16",
    "uint": "uint32",
    "ulong": "uint64",
    "ulonglong": "uint64",
    "float": "float32",
    "double": "float64",
}


class VectorTypeName(NamedTuple):
    """A vector type: the type of its components, how many, and its names in C."""

    name: str
    base: str
    count: int
    aliases: tuple[str, ...]


def _of(base: str, count: int) -> VectorTypeName:
    aliases = tuple(f"{name}{count}" for name, scalar in _C_NAMES.items() if scalar == base)
    return VectorTypeName(f"{base}x{count}", base, count, aliases)


VECTOR_TYPES = tuple(_of(base, count) for base in _BASES for count in (1, 2, 3, 4))
