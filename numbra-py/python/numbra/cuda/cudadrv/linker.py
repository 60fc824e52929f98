"""Linking kernels with code from elsewhere, by the driver's linker."""

import warnings

from numbra.core import config
from numbra.cuda.cudadrv.calls import driver_calls as _cuda
from numbra.cuda.cudadrv.error import LinkerError
from numbra.cuda.cudadrv.linkable_code import CUSource, LinkableCode, PTXSource


class Linker:
    """Pieces of code, which :meth:`complete` makes a cubin of for the current device."""

    def __init__(self, cc, max_registers=None, opt_level=4, debug=False, lineinfo=False):
        self.cc = cc
        self._options = {
            "max_registers": max_registers,
            "opt_level": opt_level,
            "debug": debug,
            "lineinfo": lineinfo,
            "log_size": config.CUDA_LOG_SIZE,
        }
        self._pieces = []
        #: What the linker said.
        self.info_log = ""

    def add(self, path_or_code):
        """Adds a file or a ``LinkableCode``, and returns the latter."""
        code = LinkableCode.from_path_or_obj(path_or_code)
        added = compiled_source(code, self.cc) if isinstance(code, CUSource) else code
        if added.kind is None:
            raise LinkerError(
                f"{code.name}: {type(code).__name__} cannot be linked; build it as PTX, cubin, fatbin or object"
            )
        data = added.data.encode() if isinstance(added.data, str) else bytes(added.data)
        self._pieces.append((added.kind, data, added.name))
        return code

    def complete(self) -> bytes:
        """The cubin. Raises ``LinkerError`` with the linker's log."""
        image, self.info_log = _cuda.link(self._pieces, **self._options)
        return image


def linked_module(context, ptx, name, link, **options):
    """A kernel's PTX and code from elsewhere as one module of the context, whose setup functions have run."""
    linker = Linker(context.device.compute_capability, **options)
    linker.add(PTXSource(ptx, name=name))
    codes = [linker.add(code) for code in link]
    module = context.create_module_image(
        linker.complete(),
        [code.setup_callback for code in codes if code.setup_callback],
        [code.teardown_callback for code in codes if code.teardown_callback],
        debug=options.get("debug", False),
        lineinfo=options.get("lineinfo", False),
    )
    module.setup()
    return module


def compiled_source(code, cc):
    """PTX of CUDA C++; what NVRTC warns of is a warning."""
    from numbra.cuda.cudadrv import nvrtc

    source = code.data if isinstance(code.data, str) else bytes(code.data).decode()
    ptx, log = nvrtc.compile(source, code.name, cc)
    if log:
        warnings.warn(f"NVRTC log messages: {log}", stacklevel=4)
    return PTXSource(ptx, name=code.name)
