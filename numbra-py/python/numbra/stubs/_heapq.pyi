"""`_heapq` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def heapify(heap: Any) -> Any:
    r"""Turns a list into a heap."""

def heappop(heap: Any) -> Any:
    r"""Removes the least item and gives it; IndexError when there is none."""

def heappush(heap: Any, item: Any) -> Any:
    r"""Adds an item to a heap."""

def heappushpop(heap: Any, item: Any) -> Any:
    r"""Adds an item, then removes the least one and gives it."""

def heapreplace(heap: Any, item: Any) -> Any:
    r"""Removes the least item and gives it, then adds an item; IndexError when there is none."""

