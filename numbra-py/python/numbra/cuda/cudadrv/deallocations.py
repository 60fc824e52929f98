"""Deallocations that wait.

Freeing memory waits for the device, so what goes is queued and freed in batches: when the queue is long, when it holds
much of the device's memory, or when an allocation fails.
"""

import contextlib
import sys
from collections import deque

from numbra.core import config
from numbra.cuda.cudadrv.calls import driver_calls as _cuda


class _SizeNotSet(int):
    """The size of what has none: counts as 0."""

    def __str__(self):
        return "?"


SIZE_NOT_SET = _SizeNotSet(0)


class PendingDeallocs:
    """The queue of one context, whose handle ``context`` gives when items have to go."""

    def __init__(self, capacity=SIZE_NOT_SET, context=None):
        self._items = deque()
        self._disable_count = 0
        self.memory_capacity = capacity
        self._context = context

    @property
    def _max_pending_bytes(self):
        return int(self.memory_capacity * config.CUDA_DEALLOCS_RATIO)

    def add_item(self, dtor, handle, size=SIZE_NOT_SET, epoch=None):
        """Queues ``dtor(handle)``; what was made in an ``epoch`` that ended by then is left alone."""
        self._items.append((dtor, handle, size, epoch))
        # While it is deferred, the queue may be long.
        if self.is_disabled:
            return
        if len(self._items) > config.CUDA_DEALLOCS_COUNT or self._size > self._max_pending_bytes:
            self.clear()

    @property
    def _size(self) -> int:
        """Bytes that wait. Items come from any thread, and go in several: a running sum would be wrong."""
        return sum(int(size) for _, _, size, _ in self._items.copy())

    def clear(self):
        """Frees what waits, unless that is deferred."""
        if self.is_disabled or not self._items:
            return
        with self._current_context():
            while True:
                try:
                    dtor, handle, _, epoch = self._items.popleft()
                except IndexError:  # Another thread took the last.
                    break
                if epoch is None or _cuda.is_running(epoch):
                    dtor(handle)

    @contextlib.contextmanager
    def _current_context(self):
        """Objects go on any thread, which need not have a context."""
        handle = self._context() if self._context is not None else None
        if not handle or sys.is_finalizing() or _cuda.cuCtxGetCurrent() == handle:
            yield
            return
        _cuda.cuCtxPushCurrent(handle)
        try:
            yield
        finally:
            _cuda.cuCtxPopCurrent()

    @contextlib.contextmanager
    def disable(self):
        """Defers: nothing is freed in the block. Blocks nest."""
        self._disable_count += 1
        try:
            yield
        finally:
            self._disable_count -= 1

    @property
    def is_disabled(self) -> bool:
        """Whether a block of :meth:`disable` runs."""
        return self._disable_count > 0

    def __len__(self):
        return len(self._items)
