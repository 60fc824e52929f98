"""What stands for the driver: one device, whose memory is NumPy's."""

from numbra.cuda.simulator.cudadrv import devicearray, devices, driver, drvapi, error, nvvm, runtime

__all__ = ["devicearray", "devices", "driver", "drvapi", "error", "nvvm", "runtime"]
