"""Types for mypy and its like: what uses of the decorators give, and that the stubs say what there is."""

import ast
import importlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numbra
import pytest
from folders import ROOT
from numbra.core import config, errors, types

PACKAGE = Path(numbra.__file__).parent
USES = ROOT / "tests" / "typing" / "uses.py"
STUBS = [path for path in sorted(PACKAGE.rglob("*.pyi")) if "stubs" not in path.relative_to(PACKAGE).parts]


def module_of(stub):
    parts = stub.relative_to(PACKAGE.parent).with_suffix("").parts
    return importlib.import_module(".".join(part for part in parts if part != "__init__"))


def names_of(body):
    """What a stub's module or class defines or hands on."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.AnnAssign):
            yield node.target.id
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets)
        elif isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names if alias.asname == alias.name)


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: str(stub.relative_to(PACKAGE)))
def test_stubs_say_what_there_is(stub):
    module = module_of(stub)
    tree = ast.parse(stub.read_text())
    for name in names_of(tree.body):
        assert name.startswith("_") or hasattr(module, name), name
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            cls = getattr(module, node.name)
            # Types get attributes with the object; of containers there are only the names yet.
            if not issubclass(cls, types.Type) and module.__name__ != "numbra.typed":
                methods = {part.name for part in node.body if isinstance(part, ast.FunctionDef)} - {"__wrapped__"}
                assert methods <= set(dir(cls)), methods - set(dir(cls))
        elif isinstance(node, ast.FunctionDef) and not any(isinstance(d, ast.Name) for d in node.decorator_list):
            parameters = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
            function = getattr(module, node.name, None)
            code = getattr(function, "__code__", None)
            if (
                code is not None
                and function.__module__ == module.__name__
                and "args" not in code.co_varnames
                and node.name != "__getattr__"
            ):
                assert tuple(parameters) == code.co_varnames[: len(parameters)], node.name


def test_stubs_leave_nothing_out():
    said = {stub: set(names_of(ast.parse(stub.read_text()).body)) for stub in STUBS}
    top, of_types, of_config = (
        said[PACKAGE / name] for name in ("__init__.pyi", "core/types/__init__.pyi", "core/config.pyi")
    )
    assert set(numbra.__all__) - set(types.__all__) - set(errors.__all__) <= top
    assert set(types.__all__) <= of_types
    # What mypy hands on with `*`.
    assert set(types.__all__) == set(
        ast.literal_eval(
            next(
                ast.unparse(node.value)
                for node in ast.parse((PACKAGE / "core/types/__init__.pyi").read_text()).body
                if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"
            )
        )
    )
    classes = {name for name, value in vars(types).items() if isinstance(value, type) and name[0] != "_"}
    classes = {name for name in classes if not hasattr(vars(types)[name], "_numbra_lacks")}
    assert classes <= of_types | {"Type"}
    assert said[PACKAGE / "types/__init__.pyi"] >= of_types - {"__all__"}
    assert of_config >= {name for name in vars(config) if name.isupper() and name[0] != "_"}
    for module in ("core/extending", "misc/special", "np/ufunc/parallel", "core/dispatcher", "core/decorators"):
        runtime = module_of(PACKAGE / f"{module}.pyi")
        own = {
            name
            for name, value in vars(runtime).items()
            if name[0] != "_"
            and getattr(value, "__module__", None) == runtime.__name__
            # What other tests have asked for and numbra lacks.
            and not hasattr(value, "_numbra_lacks")
        }
        assert own <= said[PACKAGE / f"{module}.pyi"], own


def test_the_uses_run():
    subprocess.run([sys.executable, "-W", "ignore", str(USES)], check=True, timeout=120)


def mypy(*files, cwd):
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", *map(str, files)]
    environment = {name: value for name, value in os.environ.items() if name != "MYPYPATH"}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=300)
    return done.stdout + done.stderr


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_mypy_agrees(tmp_path):
    generated = sorted((PACKAGE / "stubs").glob("*.pyi"))
    # What the generated stubs import is not asked about.
    assert mypy("--follow-imports=silent", USES, *generated, cwd=tmp_path).startswith("Success")


def test_options_are_those_of_jit():
    from numbra.core.dispatcher import _KNOWN_OPTIONS

    tree = ast.parse((PACKAGE / "core" / "decorators.pyi").read_text())
    options = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "_Options")
    # What the registry of targets and numbra itself say.
    assert set(names_of(options.body)) == set(_KNOWN_OPTIONS) - {"target", "_target", "writable_args"}
