"""`numbra.cuda.atomic` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def add(ary: Any, idx: Any, val: Any) -> Any:
    r"""`array[index] += value` at once; the old element."""

def and_(ary: Any, idx: Any, val: Any) -> Any:
    r"""`array[index] &= value` at once; the old element."""

def cas(ary: Any, idx: Any, old: Any, val: Any) -> Any:
    r"""`array[index] = value` at once if it is `old`; the old element."""

def compare_and_swap(ary: Any, old: Any, val: Any) -> Any:
    r"""`array[0] = value` at once if it is `old`; the old element."""

def dec(ary: Any, idx: Any, val: Any) -> Any:
    r"""`array[index] = value if array[index] == 0 or array[index] > value else array[index] - 1` at once; the old element."""

def exch(ary: Any, idx: Any, val: Any) -> Any:
    r"""`array[index] = value` at once; the old element."""

def inc(ary: Any, idx: Any, val: Any) -> Any:
    r"""`array[index] = 0 if array[index] >= value else array[index] + 1` at once; the old element."""

def max(ary: Any, idx: Any, val: Any) -> Any:
    r"""`array[index] = max(array[index], value)` at once; the old element, which stays if either is NaN."""

def min(ary: Any, idx: Any, val: Any) -> Any:
    r"""`array[index] = min(array[index], value)` at once; the old element, which stays if either is NaN."""

def nanmax(ary: Any, idx: Any, val: Any) -> Any:
    r"""As `max`, ignoring NaN."""

def nanmin(ary: Any, idx: Any, val: Any) -> Any:
    r"""As `min`, ignoring NaN."""

def or_(ary: Any, idx: Any, val: Any) -> Any:
    r"""`array[index] |= value` at once; the old element."""

def sub(ary: Any, idx: Any, val: Any) -> Any:
    r"""`array[index] -= value` at once; the old element."""

def xor(ary: Any, idx: Any, val: Any) -> Any:
    r"""`array[index] ^= value` at once; the old element."""

