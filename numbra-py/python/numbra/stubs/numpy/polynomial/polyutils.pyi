"""`numpy.polynomial.polyutils` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def as_series(alist: Any, trim: Any = True) -> Any:
    r"""Each item as an array with one axis, without zeros at the end if `trim`."""

def trimseq(seq: Any) -> Any:
    r"""Without zeros at the end; one number at least stays."""

