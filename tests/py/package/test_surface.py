"""The package: names, settings, errors, standing in for Numba, dumps, printing and the command line."""

import ast
import contextlib
import io
import json
import math
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import numbra as nb
import numpy as np
import pytest
from folders import ROOT
from numbra.core import config, errors


def python(*args, code=None, **environment):
    """Runs Python in a process of its own; gives standard output."""
    command = [sys.executable, *args] if code is None else [sys.executable, "-c", textwrap.dedent(code)]
    env = {**os.environ, **environment, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.smoke
def test_import_is_light():
    loaded = python(
        code="""
        import sys, numpy
        before = set(sys.modules)
        import numbra
        new = set(sys.modules) - before
        print(len(new), "numbra.core.types" in new)
    """
    ).split()
    assert int(loaded[0]) <= 25
    assert loaded[1] == "False"


@pytest.mark.parametrize(
    "name",
    [
        "jit",
        "njit",
        "typeof",
        "from_dtype",
        "types",
        "errors",
        "config",
        "int64",
        "float64",
        "void",
        "none",
        "boolean",
        "uint8",
        "complex128",
        "prange",
        "literally",
        "literal_unroll",
        "TypingError",
        "NumbaWarning",
        "deferred_type",
        "optional",
        "version_info",
        "extending",
    ],
)
def test_names(name):
    assert getattr(nb, name) is not None
    assert name in dir(nb) or name in nb.types.__all__ or name in errors.__all__


def test_no_other_names():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = nb.nonsense


@pytest.mark.parametrize(
    "statement",
    [
        "from numba import njit, types, int32",
        "from numba.core import types, errors, config, utils",
        "from numba.core.errors import TypingError, NumbaPerformanceWarning",
        "from numba.core.types.containers import UniTuple",
        "from numba.types import float64",
        "from numba.extending import overload, register_jitable, typeof_impl",
        "from numba.core.typing import signature",
        "from numba.core.typing.typeof import typeof, Purpose",
        "from numba.core.dispatcher import Dispatcher",
        "from numba.core.registry import CPUDispatcher",
        "from numba.core.utils import PYVERSION, pysignature",
        "from numba.core.compiler_lock import global_compiler_lock",
        "from numba.np.numpy_support import as_dtype, from_dtype, numpy_version",
        "import numba as nb; assert nb.__version__ == '0.68.1' and nb.version_info.short == (0, 68)",
    ],
)
def test_imports_of_numba(statement):
    assert python(code=f"import numbra; numbra.install_as_numba(); {statement}; print('ok')") == "ok\n"


@pytest.mark.smoke
def test_running_an_unmodified_program(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(
        "import sys\nfrom numba import njit\nimport numba\n"
        "@njit\ndef f(x):\n    return x + 1\nprint(f(1), numba.__version__, sys.argv[1])\n"
    )
    assert python("-m", "numbra", "run", str(script), "word") == "2 0.68.1 word\n"


def test_settings_follow_the_environment():
    code = "from numbra import config; print(config.DUMP_IR, config.BOUNDSCHECK, config.NUMBA_NUM_THREADS)"
    assert python(code=code, NUMBA_DUMP_IR="1", NUMBA_BOUNDSCHECK="0", NUMBA_NUM_THREADS="3") == "1 0 3\n"


@pytest.mark.parametrize(
    ("variable", "values", "setting", "default"),
    [
        ("NUMBRA_PROMOTE_AFTER", ["abc", "-1", "0", "1.5", str(2**63)], "PROMOTE_AFTER", None),
        ("NUMBA_OPT", ["abc", "4", "-1"], "OPT", 3),
        ("NUMBRA_OPT", ["fast"], "OPT", 3),
        ("NUMBA_CPU_NAME", ["skylake", "x86-64-v9"], None, None),
        ("NUMBRA_VERIFY", ["yes"], None, None),
        ("NUMBRA_GDB", ["2"], None, None),
        ("NUMBRA_PERF_MAP", ["on"], None, None),
        ("NUMBRA_CUDA_TARGET", ["tpu"], "CUDA_TARGET", "gpu"),
        ("NUMBA_DUMP_IR", ["x"], "DUMP_IR", 0),
        ("NUMBA_NUM_THREADS", ["many"], None, None),
    ],
)
def test_wrong_settings_give_a_warning_and_the_default(monkeypatch, variable, values, setting, default):
    for value in values:
        monkeypatch.setenv(variable, value)
        with pytest.warns(RuntimeWarning) as caught:
            config.reload_config()
        (warning,) = caught
        assert f"'{variable}' is defined but its associated value '{value}' could not be parsed" in str(warning.message)
        assert setting is None or getattr(config, setting) == default
    monkeypatch.undo()
    config.reload_config()


def test_right_settings_give_no_warning(monkeypatch, recwarn):
    for variable, value in (
        ("NUMBRA_PROMOTE_AFTER", "7"),
        ("NUMBA_OPT", "max"),
        ("NUMBA_CPU_NAME", "generic"),
        ("NUMBRA_GDB", "0"),
        ("NUMBRA_VERIFY", ""),
    ):
        monkeypatch.setenv(variable, value)
    config.reload_config()
    assert (config.PROMOTE_AFTER, config.OPT) == (7, 3)
    monkeypatch.undo()
    config.reload_config()
    assert config.PROMOTE_AFTER is None
    assert not list(recwarn)


def test_unknown_settings_are_named_once(monkeypatch):
    for name in ("NUMBRA_TEIR", "NUMBA_NOTHING", "NUMBA_USE_TYPEGUARD", "NUMBA_CUDA_DEBUG_POLY", "NUMBRA_FUZZ_N"):
        monkeypatch.setenv(name, "1")
    message = "numbra does not know the environment's NUMBRA_TEIR, NUMBA_NOTHING; there are NUMBRA_TIER"
    with pytest.warns(RuntimeWarning) as caught:
        config.reload_config()
        config.reload_config()
    (warning,) = caught
    assert str(warning.message) == message
    monkeypatch.undo()
    config.reload_config()


def test_settings_without_effect_are_those_that_nothing_reads():
    files = [file for folder in ROOT.glob("numbra-*") for end in ("py", "rs") for file in folder.rglob(f"*.{end}")]
    here = {"config.py", "command.rs"}
    text = "".join(file.read_text() for file in files if file.name not in here and "tests" not in file.parts)
    words = set(re.findall(r"\w+", text.replace("NUMBA_", "")))
    names = {*config._INTEGERS, *config._TEXTS, *config._CONSTANTS, *config._OTHERS}
    assert not config.NO_EFFECT - names
    silent = {name for name in names if config._plain(name) not in words and name.removeprefix("NUMBA_") not in words}
    inherited = {"DEBUG", "DEBUG_FRONTEND"}
    assert silent - config.NO_EFFECT <= inherited
    assert [config.effect(v) for v in ("NUMBA_DUMP_IR", "NUMBA_DEBUGINFO", "NUMBRA_OPT", "NUMBRA_MATH")] == [True] * 4
    assert [config.effect(v) for v in ("NUMBA_DUMP_HTML", "NUMBA_DEVELOPER_MODE")] == [False] * 2
    assert [config.effect(v) for v in ("NUMBA_TIER", "NUMBRA_CACHE_DIR", "NUMBA_")] == [None] * 3


def test_debug_information_by_environment(monkeypatch):
    monkeypatch.setenv("NUMBA_DEBUGINFO", "1")
    config.reload_config()
    assert config.DEBUGINFO_DEFAULT == 1
    monkeypatch.undo()
    config.reload_config()


def test_settings_can_be_read_again(monkeypatch):
    monkeypatch.setenv("NUMBA_DEVELOPER_MODE", "1")
    config.reload_config()
    assert (config.DEVELOPER_MODE, config.FULL_TRACEBACKS) == (1, 1)
    monkeypatch.undo()
    config.reload_config()
    assert config.DEVELOPER_MODE == 0


def test_disable_jit_by_environment():
    code = "import numbra; print(type(numbra.njit(lambda x: x)).__name__)"
    assert python(code=code, NUMBA_DISABLE_JIT="1") == "function\n"


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("TypingError", "NumbaError"),
        ("NumbaTypeError", "TypingError"),
        ("LoweringError", "NumbaError"),
        ("UnsupportedParforsError", "NumbaError"),
        ("RedefinedError", "IRError"),
        ("NumbaPerformanceWarning", "NumbaWarning"),
        ("NumbaIRAssumptionWarning", "NumbaPedanticWarning"),
        ("ForbiddenConstruct", "LoweringError"),
        ("NumbaError", "Exception"),
    ],
)
def test_error_classes(name, base):
    bases = [cls.__name__ for cls in getattr(errors, name).__mro__]
    assert base in bases


def test_error_contexts():
    with pytest.raises(errors.LoweringError) as caught, errors.new_error_context("while {0}", "testing"):
        raise KeyError("gone")
    assert "During: while testing" in str(caught.value)
    assert errors._format_msg("{curly}", (), {}) == "{curly}"


def ramp(n):
    total = 0
    for i in range(n):
        total += i
    return total


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("DUMP_BYTECODE", "LOAD_GLOBAL"),
        ("DUMP_CFG", "CFG adjacency lists:"),
        ("DUMP_IR", "IR DUMP: ramp".center(80, "-")),
        ("DUMP_SSA", "SSA IR DUMP: ramp".center(80, "-")),
        ("DEBUG_TYPEINFER", "TYPES".center(80, "-")),
        ("DUMP_ANNOTATION", "ANNOTATION".center(80, "-")),
        ("DUMP_LIR", "LIR DUMP ramp".center(80, "-")),
        ("DUMP_LIR_OPT", "OPTIMIZED LIR DUMP ramp".center(80, "-")),
        ("DUMP_CLIF", "CLIF DUMP ramp".center(80, "-")),
        ("DUMP_ASSEMBLY", "ASSEMBLY ramp".center(80, "-")),
    ],
)
def test_dumps(setting, expected, monkeypatch, capsys):
    monkeypatch.setattr(config, setting, 1)
    nb.njit(ramp)(3)
    out = capsys.readouterr().out
    assert expected in out.splitlines() or expected in out
    monkeypatch.setattr(config, setting, 0)
    nb.njit(ramp)(3)
    assert capsys.readouterr().out == ""


def test_dumps_come_before_the_error(monkeypatch, capsys):
    monkeypatch.setattr(config, "DUMP_IR", 1)
    with pytest.raises(nb.TypingError):
        nb.njit(lambda x: x.nothing)(1)
    assert "IR DUMP: <lambda>" in capsys.readouterr().out


def test_dumps_by_numbras_own_variables():
    code = "import numbra; numbra.njit('i8(i8)')(lambda x: x)"
    assert "LIR DUMP" in python(code=code, NUMBRA_DUMP_LIR="1")


@pytest.mark.smoke
@pytest.mark.parametrize("stage", [s for s in nb.STAGES if s not in ("llvm", "llvm-opt", "remarks", "ptx")])
def test_every_stage_can_be_inspected(stage):
    f = nb.njit(ramp)
    f(3)
    assert f.inspect(stage).strip()


def test_what_each_pass_did():
    f = nb.njit(ramp)
    f(3)
    head, before, *passes = (line.split() for line in f.inspect("passes").splitlines())
    assert head == ["list", "pass", "changed", "blocks", "instructions", "us"]
    assert before[:3] == ["-", "-", "-"]
    assert {"gvn", "place_refs", "vectorize"} <= {row[1] for row in passes}
    assert {row[2] for row in passes} == {"yes", "no"}
    assert all(int(row[3]) > 0 and float(row[5]) >= 0 for row in passes)


def test_inspection_methods(tmp_path):
    f = nb.njit(ramp)
    f(3)
    (signature,) = f.signatures
    assert set(f.inspect_asm()) == {signature}
    assert "ret" in f.inspect_asm(signature)
    graph = f.inspect_cfg(signature)
    assert repr(graph).startswith("digraph")
    graph.display(tmp_path / "graph")
    assert (tmp_path / "graph.dot").read_text().startswith("digraph")
    text = io.StringIO()
    f.inspect_types(file=text)
    assert text.getvalue().startswith(f"ramp {signature}\n" + "-" * 80)
    assert "total = const(int, 0)  :: Literal[int](0)" in text.getvalue()
    assert ":: int64" in f.inspect_types(pretty=True)
    with pytest.raises(ValueError, match="`file` must be None if `pretty=True`"):
        f.inspect_types(file=text, pretty=True)
    with pytest.raises(KeyError):
        f.inspect_asm((nb.float32,))
    ((place, args), info) = next(iter(f.get_annotation_info().items()))
    assert place.endswith(f":{ramp.__code__.co_firstlineno}")
    assert args == signature
    assert "int64" in info["annotation"]


def test_printing_goes_to_sys_stdout_in_order(capsys):
    @nb.njit
    def show(x):
        print("value", x, 2.5)

    print("before")
    show(3)
    print("after")
    assert capsys.readouterr().out == "before\nvalue 3 2.5\nafter\n"
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        show(4)
    assert text.getvalue() == "value 4 2.5\n"


def test_printing_without_the_gil(capsys):
    @nb.njit(nogil=True)
    def show(n):
        for i in range(n):
            print(i)

    show(3)
    assert capsys.readouterr().out == "0\n1\n2\n"


class TestCommand:
    """`numbra FILE --to STAGE`, also as `python -m numbra`."""

    def test_help(self):
        text = python("-m", "numbra", "--help")
        for word in ("--to", "--args", "--run", "lir-opt", "asm", ".nir", "examples"):
            assert word in text

    def test_from_bytecode_to_machine_code(self, tmp_path):
        from numbra import _numbra

        file = tmp_path / "ramp.code.json"
        file.write_text(_numbra._export_code(ramp.__code__))
        assert json.loads(file.read_text())["name"] == "ramp"
        for stage, word in [
            ("bytecode", "RETURN"),
            ("cfg", "CFG back edges"),
            ("ir", "getiter"),
            ("typed", "n: int64"),
            ("parallel", "; no loop over `prange`"),
            ("lir", "function"),
            ("clif", "block0"),
            ("asm", "ret"),
        ]:
            text = python("-m", "numbra", str(file), "--to", stage, "--args", "int64")
            assert word in text, stage

    def test_a_stage_starts_where_another_ended(self, tmp_path):
        from numbra import _numbra

        code = tmp_path / "ramp.code.json"
        code.write_text(_numbra._export_code(ramp.__code__))
        direct = python("-m", "numbra", str(code), "--to", "lir", "--args", "int64")
        typed = tmp_path / "ramp.nir"
        typed.write_text(python("-m", "numbra", str(code), "--to", "typed", "--args", "int64"))
        assert "function" in python("-m", "numbra", str(typed), "--to", "lir")
        lir = tmp_path / "ramp.lir"
        lir.write_text(direct)
        assert "ret" in python("-m", "numbra", str(lir), "--to", "asm")
        assert python("-m", "numbra", str(lir), "--run", "ramp", "5").strip().endswith("10")

    @pytest.mark.parametrize(("stage", "suffix"), [("ir", "nir"), ("typed", "nir"), ("lir", "lir")])
    def test_json_is_read_again(self, stage, suffix, tmp_path):
        from numbra import _numbra

        code, out = tmp_path / "ramp.code.json", tmp_path / f"ramp.{suffix}.json"
        code.write_text(_numbra._export_code(ramp.__code__))
        arguments = "--args", "int64", "--json", "-o", str(out)
        assert python("-m", "numbra", str(code), "--to", stage, *arguments) == ""
        json.loads(out.read_text())
        assert "ret" in python("-m", "numbra", str(out), "--to", "asm", "--args", "int64")

    @pytest.mark.parametrize(
        ("args", "status", "message"),
        [
            (["--to", "ir"], 2, "no file"),
            (["missing.nir", "--to", "ir"], 1, "missing.nir"),
            (["x.txt", "--to", "ir"], 1, "x.txt"),
            (["explain"], 2, "explain takes a code, such as T004"),
        ],
    )
    def test_wrong_calls(self, args, status, message, tmp_path):
        done = subprocess.run(
            [sys.executable, "-m", "numbra", *args],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == status
        assert message in done.stderr


def test_allocation_statistics():
    from numbra.core.runtime import rtsys

    before = rtsys.get_allocation_stats()
    kept = nb.njit(lambda n: np.zeros(n))(10)
    after = rtsys.get_allocation_stats()
    assert after.alloc - before.alloc == 1 + (after.free - before.free)
    assert kept.sum() == 0


def test_math_names_the_library_whose_bits_are_wanted(monkeypatch):
    @nb.njit(math="libm")
    def f(x):
        return math.sin(x) + math.exp(x)

    for x in (0.1, 1.7, 33.3):
        assert f(x) == math.sin(x) + math.exp(x)
    with pytest.raises(ValueError, match="no mathematics library 'svml'"):
        nb.njit(math="svml")(f.py_func)
    monkeypatch.setattr(nb.core.config, "MATH", "svml")
    with pytest.raises(ValueError, match="no mathematics library 'svml'"):
        nb.njit(f.py_func)


def test_stub_files_are_python():
    stubs = sorted((Path(nb.__file__).parent / "stubs").rglob("*.pyi"))
    assert stubs
    functions = {}
    for path in stubs:
        tree = ast.parse(path.read_text(), path)
        functions[path.stem] = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert {"sum", "sort", "full"} <= functions["numpy"]
    assert {"hypot", "sqrt"} <= functions["math"]


def test_everything_is_imported_by_a_star():
    space = {}
    exec("from numbra import *", space)
    wanted = (
        "njit jit vectorize guvectorize cfunc prange int32 float64 boolean void TypingError NumbaError objmode typeof"
    )
    assert set(wanted.split()) <= space.keys()
    assert space["int32"] is nb.int32 and space["NumbaError"] is errors.NumbaError
