"""Types of Python values and of dtypes."""

from numbra.core.typing.typeof import typeof as typeof
from numbra.np.numpy_support import from_dtype as from_dtype
