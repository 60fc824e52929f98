"""The counts of native allocations, under Numba's names. They are always kept."""

from numbra import _numbra
from numbra._named import names_of


def memsys_enable_stats() -> None:
    """Numba's: counting begins. It never ends here."""


def memsys_disable_stats() -> None:
    """Numba's: counting ends. Here it goes on."""


def memsys_stats_enabled() -> bool:
    """True."""
    return True


def memsys_get_stats_alloc() -> int:
    """Allocations so far."""
    return _numbra._allocation_counts()[0]


def memsys_get_stats_free() -> int:
    """Allocations that are free again."""
    return _numbra._allocation_counts()[1]


#: A block of memory is an object of its own.
memsys_get_stats_mi_alloc = memsys_get_stats_alloc
memsys_get_stats_mi_free = memsys_get_stats_free

__getattr__ = names_of(__name__)
