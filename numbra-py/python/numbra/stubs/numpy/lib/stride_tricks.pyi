"""`numpy.lib.stride_tricks` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def as_strided(x: Any, shape: Any = None, strides: Any = None) -> Any:
    r"""The same memory with other extents and byte strides, unchecked."""

def sliding_window_view(x: Any, window_shape: Any, axis: Any = None) -> Any:
    r"""Every window of a shape, a read-only view with the axes of the window last."""

