"""`dtype` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

char: Any
r"""Character of an element's type: `d` of float64."""

itemsize: Any
r"""Bytes of an element."""

kind: Any
r"""Kind of an element: `b`, `i`, `u`, `f`, `c`, `M`, `m`, `S`, `U` or `V`."""

name: Any
r"""Name of an element's type: `float64`."""

num: Any
r"""Number of an element's type: 12 of float64."""

str: Any
r"""Byte order, kind and size of an element: `<f8`."""

type: Any
r"""The scalar class."""

