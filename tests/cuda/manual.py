"""Runs the code of the manual's chapter on CUDA, `docs/cuda/*.md`, page by page.

usage: manual.py [PAGE...]

The blocks of a page are one program. What follows `python` in the first line of a block says where it can run:

    python            on a GPU and in the simulator
    python device     on a GPU only
    python compile    without a GPU, but not in the simulator
    python cupy       on a GPU, with that library (or another)

Without GPU and simulator, the blocks of compilation run alone. With NUMBRA_FAKE_DRIVER, a driver that runs no kernels
(`tests/py/cuda/test_manual.py` builds it), all run without their asserts: names exist, kernels compile and launch.
"""

import ast
import importlib.util
import os
import re
import sys
import traceback
import warnings
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "cuda"
BLOCK = re.compile(r"^```python(?: (\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    """The line before each block, its condition, and its text."""
    text = page.read_text()
    for found in BLOCK.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, found[1], found[2]


def can_run(condition):
    """Whether a block runs here."""
    from numbra import cuda
    from numbra.core import config

    if condition == "compile":
        return not config.ENABLE_CUDASIM
    if not cuda.is_available():
        return False
    if config.ENABLE_CUDASIM:
        return condition is None
    return condition in (None, "device") or importlib.util.find_spec(condition) is not None


class WithoutAsserts(ast.NodeTransformer):
    """Code whose kernels do not run has nothing to compare."""

    def visit_Assert(self, node):
        return ast.copy_location(ast.Pass(), node)


def run(page, checking):
    """How many blocks ran and how many there are; an error ends the page."""
    space, ran, count = {"__name__": "manual"}, 0, 0
    for line, condition, text in blocks(page):
        count += 1
        tree = ast.parse("\n" * line + text, str(page))
        if not can_run(condition):
            continue
        # Kernels are read from the file: lines are those of the page.
        code = compile(tree if checking else ast.fix_missing_locations(WithoutAsserts().visit(tree)), page, "exec")
        exec(code, space)
        ran += 1
    return ran, count


def main():
    warnings.simplefilter("ignore")
    checking = "NUMBRA_FAKE_DRIVER" not in os.environ
    pages = [FOLDER / name for name in sys.argv[1:]] or sorted(FOLDER.glob("*.md"))
    failed, total = 0, 0
    for page in pages:
        try:
            ran, count = run(page, checking)
        except Exception:
            failed += 1
            print(f"{page.name}: FAIL")
            traceback.print_exc(file=sys.stdout)
        else:
            total += ran
            print(f"{page.name}: {ran} of {count} blocks")
    print(f"{total} blocks ran, {failed} pages failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
