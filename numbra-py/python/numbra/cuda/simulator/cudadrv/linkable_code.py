"""Code to be linked into kernels: it can be described in the simulator, and not linked."""


class LinkableCode:
    """Code in memory, and a name for messages about it."""

    default_name = "<unnamed-code>"

    def __init__(self, data, name=None, setup_callback=None, teardown_callback=None, nrt=False):
        self.data, self._name, self.nrt = data, name, nrt
        self.setup_callback, self.teardown_callback = setup_callback, teardown_callback

    @property
    def name(self):
        return self._name or self.default_name


class PTXSource(LinkableCode):
    """PTX."""

    default_name = "<unnamed-ptx>"


class CUSource(LinkableCode):
    """CUDA C++."""

    default_name = "<unnamed-cu>"


class Fatbin(LinkableCode):
    """A fat binary."""

    default_name = "<unnamed-fatbin>"


class Cubin(LinkableCode):
    """Machine code."""

    default_name = "<unnamed-cubin>"


class Archive(LinkableCode):
    """An archive of object files."""

    default_name = "<unnamed-archive>"


class Object(LinkableCode):
    """An object file."""

    default_name = "<unnamed-object>"


class LTOIR(LinkableCode):
    """Code for optimisation at link time."""

    default_name = "<unnamed-ltoir>"
