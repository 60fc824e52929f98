"""``cuda_bf16.h``: what :mod:`numbra.cuda.bf16` has, by the names of C++."""

from numbra._named import names_of
from numbra.cuda import bf16

__getattr__ = names_of(__name__)

nv_bfloat16 = bf16.bfloat16
__all__ = ["nv_bfloat16"]
# Roundings and functions of mathematics, which have no other name in the header.
_PLAIN = ("htrunc", "hceil", "hfloor", "hrint", "hsqrt", "hrsqrt", "hrcp", "hlog", "hcos", "hsin", "hexp", "htanh")
for _name, _function in vars(bf16).items():
    if _name.startswith("_") or not callable(_function) or "_to_" in _name or _name == "bfloat16":
        continue
    _own = _name if _name.startswith(_PLAIN) else f"__{_name}"
    globals()[_own] = _function
    __all__.append(_own)
