"""``cuda_bf16.h``: what :mod:`numbra.cuda.bf16` has, by the names of C++."""

from numbra._named import names_of
from numbra.cuda import bf16

# Roundings and functions of mathematics, which have no other name in the header.
_PLAIN = ("htrunc", "hceil", "hfloor", "hrint", "hsqrt", "hrsqrt", "hrcp", "hlog", "hcos", "hsin", "hexp", "htanh")
#: Names of :mod:`numbra.cuda.bf16` by those of the header.
_NAMES = {
    name if name.startswith(_PLAIN) else f"__{name}": name
    for name in (*bf16._FUNCTIONS, *bf16._OTHERS)
    if "_to_" not in name
}
_named_only = names_of(__name__)


def __getattr__(name: str):
    """A function, by the header's name of it."""
    return getattr(bf16, _NAMES[name]) if name in _NAMES else _named_only(name)


nv_bfloat16 = bf16.bfloat16
__all__ = ["nv_bfloat16", *_NAMES]
