"""Kernels of a statement: what many tests of kernels compile."""

import linecache
from collections.abc import Callable


def kernel(statement: str, parameters: str, names: dict[str, object]) -> Callable:
    """``def kernel(parameters): statement``, whose lines errors can show. A statement may have several lines."""
    text = f"def kernel({parameters}):\n    " + statement.replace("\n", "\n    ") + "\n"
    file = f"<kernel {statement}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space = dict(names)
    exec(compile(text, file, "exec"), space)
    return space["kernel"]
