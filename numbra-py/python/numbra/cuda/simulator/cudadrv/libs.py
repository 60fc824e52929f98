"""CUDA's libraries and headers: the simulator uses none."""


def check_static_lib(lib):
    """Raises a FileNotFoundError."""
    raise FileNotFoundError("Linking libraries not supported by cudasim")


def get_cuda_include_dir():
    """Raises a FileNotFoundError."""
    raise FileNotFoundError("CUDA includes not supported by cudasim")
