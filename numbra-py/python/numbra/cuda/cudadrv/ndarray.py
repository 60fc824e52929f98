"""Allocating device memory for arrays of the host."""

from numbra.cuda.cudadrv import devices, driver


def ndarray_device_allocate_data(ary):
    """Device memory as large as the memory that ``ary`` spans."""
    return devices.get_context().memalloc(driver.host_memory_size(ary))
