"""The runtime's counters."""

from collections import namedtuple

from numbra._named import names_of
from numbra._numbra import _allocation_counts

nrt_mstats = namedtuple("nrt_mstats", ["alloc", "free", "mi_alloc", "mi_free"])


class _Runtime:
    """Counts of native allocations."""

    def get_allocation_stats(self):
        """Allocations and releases so far. Every allocation of numbra is one counted object."""
        allocated, freed = _allocation_counts()
        return nrt_mstats(allocated, freed, allocated, freed)


rtsys = _Runtime()

__getattr__ = names_of(__name__)
