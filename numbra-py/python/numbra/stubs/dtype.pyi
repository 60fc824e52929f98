"""`dtype` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

@property
def char(a: Any) -> Any:
    r"""Character of an element's type: `d` of float64."""

@property
def itemsize(a: Any) -> Any:
    r"""Bytes of an element."""

@property
def kind(a: Any) -> Any:
    r"""Kind of an element: `b`, `i`, `u`, `f`, `c`, `M`, `m`, `S`, `U` or `V`."""

@property
def name(a: Any) -> Any:
    r"""Name of an element's type: `float64`."""

@property
def num(a: Any) -> Any:
    r"""Number of an element's type: 12 of float64."""

@property
def str(a: Any) -> Any:
    r"""Byte order, kind and size of an element: `<f8`."""

@property
def type(a: Any) -> Any:
    r"""The scalar class."""

