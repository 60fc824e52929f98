"""What LLVM made of the loops of a compiled function."""

from typing import NamedTuple


class LoopRemark(NamedTuple):
    """What LLVM made of a loop."""

    #: the function of the compiled code that holds it: callees that were inlined are no functions any more
    function: str
    filename: str
    line: int
    #: 1 for outermost loops
    depth: int
    #: a copy that was made for what rarely happens
    rare: bool
    #: rounds in one vector; 1 if they are only interleaved, None if neither
    width: int | None
    #: vectors in one round of the new loop
    interleave: int | None
    #: lines, and what LLVM says about them
    notes: list


def loop_remarks(rows):
    """Remarks from the rows that the extension module gives."""
    return [
        LoopRemark(function, file, line, depth, rare, *(vectors or (None, None)), notes)
        for function, file, line, depth, rare, vectors, notes in rows
    ]
