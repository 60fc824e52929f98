"""`numbra.cuda.cg.GridGroup` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def sync(self: Any) -> Any:
    r"""All threads of the grid meet; the launch is cooperative."""

