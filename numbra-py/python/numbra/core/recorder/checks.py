"""What must hold of a recorded function before it is written: blocks end, and values are there where they are used."""

import re

from numbra.core.errors import LoweringError

_NAMES = re.compile(r"\bv\d+\b")


def reachable(function):
    """The blocks that control may come to, the entry first; all have a terminator."""
    for block in function.blocks:
        if block.terminator is None:
            raise LoweringError(
                f"block {block.name or block.label} of function `{function.name}`, made at {block.where}, "
                "has no terminator"
            )
    entry = function.blocks[0]
    if entry.phis:
        raise LoweringError(f"the entry of function `{function.name}` has a phi")
    seen, open_ = {entry}, [entry]
    while open_:
        for target in open_.pop().terminator.targets:
            if target is entry:
                raise LoweringError(f"a branch to the entry of function `{function.name}`")
            if target not in seen:
                seen.add(target)
                open_.append(target)
    return [block for block in function.blocks if block in seen]


def dominance(function, blocks, ends):
    """Every value is computed on each way to where it is used; ``ends`` are the texts of the terminators."""
    over = _dominators(blocks)
    home = {name: (blocks[0], -1) for name in function.leaves_in}
    home |= {name: (blocks[0], -1) for line in function._prelude for name, _ in line.results}
    for block in blocks:
        home |= {name: (block, -1) for name, _ in block.params}
        home |= {name: (block, n) for n, line in enumerate(block.lines) for name, _ in line.results}
    for block, end in zip(blocks, ends, strict=True):
        made_here = {name for line in end if " = " in line for name in _NAMES.findall(line.split(":")[0])}
        for n, text in enumerate([*(line.body for line in block.lines), *(_used(line) for line in end)]):
            for name in [] if text.startswith(";") else _NAMES.findall(text):
                if name in made_here:
                    continue
                source, at = home.get(name, (None, 0))
                if (source is block and at < n) or (source is not block and source in over[block]):
                    continue
                place = function.places.get(name, "an unreachable block")
                raise LoweringError(
                    f"the value of {place} is used in block {block.name or block.label} of function "
                    f"`{function.name}`, where it may not have been computed"
                )


def _used(line):
    return line.split(" = ", 1)[-1]


def _dominators(blocks):
    """For each block the blocks that every way to it goes through."""
    sources = {block: [] for block in blocks}
    for block in blocks:
        for target in block.terminator.targets:
            sources[target].append(block)
    over = {block: set(blocks) for block in blocks}
    over[blocks[0]] = {blocks[0]}
    changed = True
    while changed:
        changed = False
        for block in blocks[1:]:
            found = set.intersection(*(over[source] for source in sources[block])) | {block}
            if found != over[block]:
                over[block] = found
                changed = True
    return over
