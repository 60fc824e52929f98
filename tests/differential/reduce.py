"""Makes a program on which its oracle and numbra differ small: `reduce.py KIND SEED [WAY]`, as in worker.py.

Drops statements and replaces expressions by their parts while the two still differ.
"""

import ast
import copy
import os
import sys

os.environ.setdefault("NUMBRA_MATH", "libm")

import numpy as np
import worker
from compare import ORACLES


def differs(program, oracle, how):
    """True if both run and do not agree; a program that does not compile is no smaller example."""
    try:
        want = list(worker.outcomes(program, oracle))
        got = list(worker.outcomes(program, how))
    except Exception:
        return False
    wrong = ("NameError", "UnboundLocalError", "TypingError", "TypeError", "SyntaxError")
    bad = any(text.startswith((*wrong, "AttributeError", "CompilerError")) for text in want + got)
    return not bad and want != got


def smaller(tree):
    """Trees with one statement or expression less."""
    nodes = list(ast.walk(tree))
    for at, node in enumerate(nodes):
        for field, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                for index in range(len(value)):
                    yield at, field, index, None
                    if hasattr(value[index], "body"):
                        yield at, field, index, "body"
            elif isinstance(value, ast.expr):
                inner = [n for n in ast.walk(value) if isinstance(n, ast.expr) and n is not value]
                for index in range(min(len(inner), 12)):
                    yield at, field, index, "part"
            elif isinstance(value, list) and len(value) > 1 and isinstance(value[0], ast.expr):
                for index in range(len(value)):
                    yield at, field, index, None


def changed(tree, at, field, index, how):
    tree = copy.deepcopy(tree)
    node = list(ast.walk(tree))[at]
    value = getattr(node, field)
    if how == "part":
        inner = [n for n in ast.walk(value) if isinstance(n, ast.expr) and n is not value]
        setattr(node, field, inner[index])
    elif how == "body":
        value[index : index + 1] = value[index].body
    else:
        del value[index]
        if not value:
            value.append(ast.Pass())
    return tree


def main():
    kind, seed, *way = sys.argv[1:]
    program = worker.KINDS[kind](int(seed))
    oracle = worker.ways()[ORACLES[kind]]
    how = worker.ways()[way[0] if way else "cranelift"]
    np.seterr(all="ignore")
    if not differs(program, oracle, how):
        print("no difference")
        return
    tree, progress = ast.parse(program.source), True
    while progress:
        progress = False
        for step in smaller(tree):
            try:
                candidate = changed(tree, *step)
                program.source = ast.unparse(ast.fix_missing_locations(candidate))
                defined = {n.name for n in candidate.body if isinstance(n, ast.FunctionDef)}
                program.helpers = sorted(defined - {"main"})
                compile(program.source, "reduced", "exec")
            except Exception:
                continue
            if "main" in defined and differs(program, oracle, how):
                tree, progress = candidate, True
                break
    program.source = ast.unparse(tree)
    program.helpers = [n.name for n in tree.body if isinstance(n, ast.FunctionDef)]
    program.helpers.remove("main")
    print(program.source)
    for way in (oracle, how):
        print(f"# {type(way).__name__:12}", *worker.outcomes(program, way), sep="\n#   ")


if __name__ == "__main__":
    main()
