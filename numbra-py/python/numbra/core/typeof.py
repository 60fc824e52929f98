"""``typeof`` and ``from_dtype``."""

from numbra.core.typing.typeof import typeof
from numbra.np.numpy_support import from_dtype

__all__ = ["from_dtype", "typeof"]
