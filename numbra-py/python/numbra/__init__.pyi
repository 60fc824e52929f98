"""numbra: Numba's whole system, in Rust."""

# `bool`, `int_` and others of these names are numbra's types here.
from collections.abc import Callable
from typing import Any, overload

from numbra import core as core
from numbra import cuda as cuda
from numbra import experimental as experimental
from numbra import extending as extending
from numbra import misc as misc
from numbra import np as np
from numbra import typed as typed
from numbra import types as types
from numbra._about import explain as explain
from numbra._compat import install_as_numba as install_as_numba
from numbra._compat import version_info as version_info
from numbra.core import config as config
from numbra.core import errors as errors
from numbra.core.ccallback import cfunc as cfunc
from numbra.core.decorators import jit as jit
from numbra.core.decorators import jit_module as jit_module
from numbra.core.decorators import njit as njit
from numbra.core.dispatcher import STAGES as STAGES
from numbra.core.errors import *  # noqa: F403
from numbra.core.typeof import from_dtype as from_dtype
from numbra.core.typeof import typeof as typeof
from numbra.core.types import *  # noqa: F403
from numbra.core.withcontexts import objmode as objmode
from numbra.misc.special import carray as carray
from numbra.misc.special import farray as farray
from numbra.misc.special import gdb as gdb
from numbra.misc.special import gdb_breakpoint as gdb_breakpoint
from numbra.misc.special import gdb_init as gdb_init
from numbra.misc.special import literal_unroll as literal_unroll
from numbra.misc.special import literally as literally
from numbra.misc.special import pndindex as pndindex
from numbra.misc.special import prange as prange
from numbra.np.ufunc.decorators import guvectorize as guvectorize
from numbra.np.ufunc.decorators import vectorize as vectorize
from numbra.np.ufunc.parallel import get_num_threads as get_num_threads
from numbra.np.ufunc.parallel import get_parallel_chunksize as get_parallel_chunksize
from numbra.np.ufunc.parallel import get_thread_id as get_thread_id
from numbra.np.ufunc.parallel import parallel_chunksize as parallel_chunksize
from numbra.np.ufunc.parallel import set_num_threads as set_num_threads
from numbra.np.ufunc.parallel import set_parallel_chunksize as set_parallel_chunksize
from numbra.np.ufunc.parallel import threading_layer as threading_layer

__version__: str

class _Stencil:
    """A stencil: calling it applies it to arrays."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

@overload
def stencil(func_or_mode: Callable[..., Any], **options: Any) -> _Stencil: ...
@overload
def stencil(func_or_mode: str = "constant", **options: Any) -> Callable[[Callable[..., Any]], _Stencil]: ...
