"""Device code from elsewhere, to be linked into kernels: ``cuda.jit(link=[...])``."""

import io
import os

from numbra._named import names_of

__getattr__ = names_of(__name__)


class LinkableCode:
    """Code in memory: ``data`` is bytes, text or a file object.

    ``name`` is what messages call it. ``setup_callback`` is called with the module before the first launch of a kernel
    that has the code in it, ``teardown_callback`` before that module is unloaded.
    """

    #: How the driver's linker calls such code; None for what it does not take.
    kind = None
    default_name = "<unnamed-code>"

    def __init__(self, data, name=None, setup_callback=None, teardown_callback=None, nrt=False):
        for callback, what in (setup_callback, "setup_callback"), (teardown_callback, "teardown_callback"):
            if callback and not callable(callback):
                raise TypeError(f"{what} must be callable")
        self._data = data
        self._name = name
        self.setup_callback = setup_callback
        self.teardown_callback = teardown_callback
        self.nrt = nrt

    @property
    def name(self) -> str:
        """What messages call the code."""
        return self._name or self.default_name

    @property
    def data(self):
        """The code as bytes or text."""
        if isinstance(self._data, (io.StringIO, io.BytesIO)):
            return self._data.getvalue()
        return self._data

    @staticmethod
    def from_path(path):
        """The code in a file, of the kind that the file's name says."""
        path = os.fspath(path)
        extension = os.path.splitext(path)[1]
        if extension not in _BY_EXTENSION:
            if not extension:
                raise RuntimeError("Don't know how to link file with no extension")
            raise RuntimeError(f"Don't know how to link file with extension {extension}")
        cls = _BY_EXTENSION[extension]
        try:
            with open(path, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            from numbra.cuda.cudadrv.error import LinkerError

            raise LinkerError(f"{path} not found") from None
        return cls(data.decode() if cls in (PTXSource, CUSource) else data, name=path)

    @staticmethod
    def from_path_or_obj(path_or_obj):
        """The code itself, or that in a file."""
        if isinstance(path_or_obj, LinkableCode):
            return path_or_obj
        if isinstance(path_or_obj, (str, os.PathLike)):
            return LinkableCode.from_path(path_or_obj)
        raise TypeError("Expected path to file or a LinkableCode object")


class PTXSource(LinkableCode):
    """PTX."""

    kind = "ptx"
    default_name = "<unnamed-ptx>"


class CUSource(LinkableCode):
    """CUDA C++, which NVRTC compiles."""

    default_name = "<unnamed-cu>"


class Fatbin(LinkableCode):
    """Code for several architectures."""

    kind = "fatbin"
    default_name = "<unnamed-fatbin>"


class Cubin(LinkableCode):
    """Machine code of one architecture."""

    kind = "cubin"
    default_name = "<unnamed-cubin>"


class Archive(LinkableCode):
    """A library of objects."""

    kind = "library"
    default_name = "<unnamed-archive>"


class Object(LinkableCode):
    """An object file with device code."""

    kind = "object"
    default_name = "<unnamed-object>"


class LTOIR(LinkableCode):
    """NVIDIA's intermediate form for link-time optimisation, which numbra cannot link."""

    default_name = "<unnamed-ltoir>"


_BY_EXTENSION = {
    ".ptx": PTXSource,
    ".cu": CUSource,
    ".cubin": Cubin,
    ".fatbin": Fatbin,
    ".a": Archive,
    ".lib": Archive,
    ".o": Object,
    ".ltoir": LTOIR,
}
