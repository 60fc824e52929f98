"""Allocating device memory for arrays of the host."""

from numbra._named import names_of
from numbra.cuda.cudadrv import devices, driver

__getattr__ = names_of(__name__)


def ndarray_device_allocate_data(ary):
    """Device memory as large as the memory that ``ary`` spans."""
    return devices.get_context().memalloc(driver.host_memory_size(ary))
