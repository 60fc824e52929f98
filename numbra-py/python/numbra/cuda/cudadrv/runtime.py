"""The version of CUDA.

numbra compiles with its own copy of LLVM and needs no toolkit, so the version is the one that the driver supports.
"""

from numbra._named import names_of

__getattr__ = names_of(__name__)

#: Major versions that numbra is tested with.
SUPPORTED_TOOLKIT_MAJOR_VERSIONS = (11, 12, 13)


class Runtime:
    """What ``numbra.cuda.runtime`` is."""

    def get_version(self) -> tuple:
        """Major and minor version of CUDA that the driver supports."""
        from numbra.cuda.cudadrv.driver import driver

        return driver.get_version()

    def is_supported_version(self) -> bool:
        """Whether numbra is tested with this version."""
        return self.get_version()[0] in SUPPORTED_TOOLKIT_MAJOR_VERSIONS


runtime = Runtime()


def get_version() -> tuple:
    """Major and minor version of CUDA that the driver supports."""
    return runtime.get_version()
