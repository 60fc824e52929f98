"""NVRTC: the simulator compiles nothing."""


def compile(src, name, cc, ltoir=False):
    """Raises a RuntimeError."""
    raise RuntimeError("NVRTC is not supported in the simulator")
