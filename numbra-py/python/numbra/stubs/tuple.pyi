"""`tuple` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def index(x: Any, value: Any) -> Any:
    r"""Position of the first equal item; ValueError if there is none."""

