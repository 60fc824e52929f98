"""`numpy.polynomial.polyutils` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def trimseq(seq: Any) -> Any:
    r"""Without zeros at the end; one number at least stays."""

