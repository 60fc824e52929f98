"""Statistics of allocations in kernels. Code for GPUs allocates nothing, so once they are on, all are 0."""

from typing import NamedTuple

from numbra._named import names_of

__getattr__ = names_of(__name__)


class AllocationStats(NamedTuple):
    """How often kernels allocated and freed: blocks of memory, and objects that own them."""

    alloc: int
    free: int
    mi_alloc: int
    mi_free: int


class RuntimeSystem:
    """Counters of what kernels allocate, which can be switched on and off."""

    def __init__(self):
        self._enabled = False

    def memsys_enable_stats(self, stream=None) -> None:
        """Has allocations counted."""
        self._enabled = True

    def memsys_disable_stats(self, stream=None) -> None:
        """Has allocations counted no more."""
        self._enabled = False

    def memsys_stats_enabled(self, stream=None) -> bool:
        """Whether allocations are counted."""
        return self._enabled

    def get_allocation_stats(self, stream=None) -> AllocationStats:
        """All counters; RuntimeError if they are off."""
        if not self._enabled:
            raise RuntimeError("NRT stats are disabled.")
        return AllocationStats(0, 0, 0, 0)

    def memsys_get_stats_alloc(self, stream=None) -> int:
        """Blocks of memory that were allocated."""
        return self.get_allocation_stats(stream).alloc

    def memsys_get_stats_free(self, stream=None) -> int:
        """Blocks of memory that were freed."""
        return self.get_allocation_stats(stream).free

    def memsys_get_stats_mi_alloc(self, stream=None) -> int:
        """Owners of memory that were made."""
        return self.get_allocation_stats(stream).mi_alloc

    def memsys_get_stats_mi_free(self, stream=None) -> int:
        """Owners of memory that were given up."""
        return self.get_allocation_stats(stream).mi_free


rtsys = RuntimeSystem()
