"""The launch for which a kernel is being compiled.

While a launch compiles its kernel, :func:`current_launch_config` gives its configuration on that thread: overloads and
other code that runs then may read the sizes. Whoever uses them says so by
``current_launch_config().dispatcher.mark_launch_config_sensitive()``, and the kernel is compiled anew for each grid,
block and size of dynamic shared memory.
"""

import contextlib
import threading

from numbra._named import names_of

__getattr__ = names_of(__name__)

_thread = threading.local()


def current_launch_config():
    """The configuration of the launch that compiles on this thread; None where none does."""
    return getattr(_thread, "config", None)


def ensure_current_launch_config():
    """As :func:`current_launch_config`; a ``RuntimeError`` where there is none."""
    config = current_launch_config()
    if config is None:
        raise RuntimeError("No launch config set for this thread")
    return config


@contextlib.contextmanager
def launching(config):
    """Has compilations in the block be for a launch."""
    before = current_launch_config()
    _thread.config = config
    try:
        yield
    finally:
        _thread.config = before


@contextlib.contextmanager
def capture_compile_config(dispatcher):
    """A dict whose ``"config"`` is that of the launch that compiles a kernel in the block; None without one."""
    if dispatcher is None:
        raise TypeError("dispatcher is required")
    record = {"config": None}
    dispatcher._compile_records.append(record)
    try:
        yield record
    finally:
        dispatcher._compile_records.remove(record)


__all__ = ["capture_compile_config", "current_launch_config", "ensure_current_launch_config"]
