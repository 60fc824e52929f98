"""What code for GPUs says about its source: lines for profilers and checkers, variables for debuggers.

No GPU is needed: the text of LLVM and PTX is read, and NVIDIA's assembler makes machine code with line tables of it.
"""

import enum
import inspect
import io
import linecache
import re
import struct
import warnings
from collections import namedtuple

import numpy as np
import pytest
from assembler import cubin
from cuda_kernels import KERNELS
from numbra import cuda, types
from numbra.core import errors
from numbra.cuda import compiler
from numbra.types import boolean, complex64, complex128, float16, float32, float64, int32, int64

HERE = "test_debug.py"
LINES = {"lineinfo": True}
FULL = {"debug": True, "opt": False}
Point = namedtuple("Point", "x y")
Color = enum.IntEnum("Color", "RED GREEN")


def sections(image):
    """Sizes of the sections of an ELF file, by name."""
    (at,) = struct.unpack_from("<Q", image, 0x28)
    size, count, names = struct.unpack_from("<HHH", image, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", image, at + size * n) for n in range(count)]
    texts = headers[names][4]
    return {image[texts + h[0] : image.index(b"\0", texts + h[0])].decode(): h[5] for h in headers}


def line_of(function, text):
    """The line of the source that has this text."""
    source, first = inspect.getsourcelines(function)
    (found,) = [first + n for n, line in enumerate(source) if text in line]
    return found


def lines_of(ptx, wanted):
    """The lines at which instructions stand that a pattern finds."""
    now, found = None, []
    for line in ptx.splitlines():
        if place := re.match(r"\s*\.loc\s+\d+ (\d+) \d+", line):
            now = int(place[1])
        elif re.search(wanted, line):
            found.append(now)
    return found


def node(text, number):
    """The text of a metadata node."""
    return re.search(rf"^!{number} = (.*)$", text, re.M)[1]


def debugged(function, *args, **options):
    """The LLVM IR of a kernel with full debug information."""
    return cuda.jit(args, **(FULL | options))(function).inspect_llvm(args)


def variable(text, name):
    """``(parameter, line, node of the type)`` of a variable."""
    found = re.findall(rf'!DILocalVariable\(arg: (\d+), file: !\d+, line: (\d+), name: "{name}".*type: !(\d+)\)', text)
    assert len(found) == 1, f"{name}: {found}"
    return tuple(map(int, found[0]))


def type_of(text, name):
    """The text of a variable's type."""
    return node(text, variable(text, name)[2])


def members(text, composite):
    """Name, offset, size and type of the members of a struct or union, of which the text is given."""
    listed = node(text, re.search(r"elements: !(\d+)", composite)[1])
    found = [node(text, n) for n in re.findall(r"!(\d+)", listed)]
    pattern = r'baseType: !(\d+), name: "([^"]*)"(?:, offset: (\d+))?, size: (\d+), tag: DW_TAG_member'
    parts = [re.search(pattern, one).groups() for one in found]
    return [(name, int(offset or 0), int(size), node(text, base)) for base, name, offset, size in parts]


def add_one(x, n):
    i = cuda.grid(1)
    if i < n:
        value = x[i] + 1
        x[i] = value


SIGNATURE = (float32[::1], int64)


class TestLines:
    def test_store(self):
        ptx, _ = cuda.compile_ptx(add_one, SIGNATURE, lineinfo=True)
        assert lines_of(ptx, r"\bst\.global") == [line_of(add_one, "x[i] = value")]
        assert set(lines_of(ptx, r"\bsetp")) == {line_of(add_one, "if i < n")}
        assert re.search(rf'\.file\s+1\s+"/.*/{HERE}"', ptx)
        assert ".target sm_75\n" in ptx and ".debug_info" not in ptx

    def test_code_is_the_same(self):
        def instructions(ptx):
            return [line.split("//")[0].strip() for line in ptx.splitlines() if re.match(r"\t[^.]", line)]

        for function, args in KERNELS:
            with_lines, _ = cuda.compile_ptx(function, args, lineinfo=True)
            without, _ = cuda.compile_ptx(function, args)
            assert instructions(with_lines) == instructions(without), function

    def test_nothing_without(self):
        for options in ({}, {"opt": False}, {"debug": False}):
            ptx, _ = cuda.compile_ptx(add_one, SIGNATURE, **options)
            assert ".loc" not in ptx and ".file" not in ptx and ".debug" not in ptx
            text = cuda.jit(SIGNATURE, **options)(add_one).inspect_llvm(SIGNATURE)
            assert "!DI" not in text and "!dbg" not in text

    def test_unit(self):
        text = cuda.jit(SIGNATURE, lineinfo=True)(add_one).inspect_llvm(SIGNATURE)
        assert re.search(r"!DICompileUnit\(.*emissionKind: DebugDirectivesOnly", text)
        assert "!DILocalVariable" not in text

    def test_called_functions(self):
        @cuda.jit(lineinfo=True)
        def callee(x):
            x[0] = 7

        def caller(x):
            callee(x)
            x[1] = 8

        ptx, _ = cuda.compile_ptx(caller, (int32[::1],), lineinfo=True)
        assert ".func" not in ptx
        assert lines_of(ptx, r"st\.global.*7;") == [line_of(callee.py_func, "x[0] = 7")]
        assert lines_of(ptx, r"st\.global.*8;") == [line_of(caller, "x[1] = 8")]

    def test_other_files(self):
        """Code of a function of another file, as part of this one."""
        source = "\n\n\ndef other(x):\n    x[0] = 7\n"
        linecache.cache["/elsewhere/other.py"] = (len(source), None, source.splitlines(True), "/elsewhere/other.py")
        names = {}
        exec(compile(source, "/elsewhere/other.py", "exec"), names)
        other = cuda.jit(device=True)(names["other"])

        def caller(x):
            x[1] = 8
            other(x)

        ptx, _ = cuda.compile_ptx(caller, (int32[::1],), lineinfo=True)
        files = dict(re.findall(r'\.file\s+(\d+) "(.*)"', ptx))
        (store,) = re.findall(r"\.loc\s+(\d+) 5 .*\n\s*(?:mov.*\n\s*)*st\.global", ptx)
        assert files[store] == "/elsewhere/other.py"
        assert any(path.endswith(HERE) for path in files.values())

    def test_library_code_stands_at_its_call(self):
        def kernel(x):
            x[0] = 1
            x[1] = np.float64(x.sum())

        ptx, _ = cuda.compile_ptx(kernel, (float64[::1],), lineinfo=True)
        first = line_of(kernel, "x[0] = 1")
        assert {int(line) for line in re.findall(r"\.loc\s+\d+ (\d+)", ptx)} <= {first - 1, first, first + 1}
        assert first + 1 in lines_of(ptx, r"add\S*\.f64")

    def test_error_model_stays(self):
        def kernel(x, y):
            x[0] /= y[0]

        ptx, _ = cuda.compile_ptx(kernel, (float32[::1], float32[::1]), lineinfo=True)
        assert "numbra_error" not in ptx


class TestFunctions:
    def test_unit(self):
        text = debugged(add_one, *SIGNATURE)
        unit = re.search(r"distinct !DICompileUnit\((.*)\)", text)[1]
        assert "emissionKind: FullDebug" in unit and "language: DW_LANG_C_plus_plus" in unit
        assert 'producer: "clang (Numba)"' in unit
        assert re.search(rf'!DIFile\(directory: "/.*", filename: "{HERE}"\)', text)

    def test_begins_at_def(self):
        # fmt: off
        @cuda.jit(
            (int32[::1],),
            debug=True,
            opt=False,
        )
        def kernel(x):
            # No code yet.
            x[0] = 1
        # fmt: on

        text = kernel.inspect_llvm((int32[::1],))
        definition = line_of(kernel.py_func, "def kernel")
        assert f"line: {definition}, " in re.search(r'!DISubprogram\((.*name: "kernel".*)\)', text)[1]
        places = [int(n) for n in re.findall(r"!DILocation\(column: \d+, line: (\d+)", text)]
        assert set(places) == {definition, definition + 2}

    def test_signature(self):
        def kernel(x, y):
            pass

        text = debugged(kernel, int32, float64)
        first, second = re.search(r"!{ null, !(\d+), !(\d+) }", text).groups()
        assert node(text, first) == '!DIBasicType(encoding: DW_ATE_signed, name: "int32", size: 32)'
        assert node(text, second) == '!DIBasicType(encoding: DW_ATE_float, name: "float64", size: 64)'

    def test_called_functions_are_called(self):
        @cuda.jit(device=True)
        def callee(a):
            inner = a * 2
            return inner

        def kernel(x):
            outer = callee(x[0])
            x[1] = outer

        text = debugged(kernel, int32[::1])
        names = re.findall(r'distinct !DISubprogram\(.* name: "(\w+)"', text)
        assert sorted(names) == ["callee", "kernel"]
        assert variable(text, "inner")[1] == line_of(callee.py_func, "inner = a * 2")
        assert variable(text, "a")[0] == 1 and variable(text, "outer")[0] == 0
        ptx, _ = cuda.compile_ptx(kernel, (int32[::1],), **FULL)
        assert re.search(r"\.func .*callee", ptx) and "call.uni" in ptx

    def test_what_raises_has_loops_and_variables(self):
        """Code with a status is still the kernel itself."""

        def kernel(x, n):
            for i in range(n):
                if x[i] < 0:
                    raise ValueError("negative")

        text = debugged(kernel, int32[::1], int64)
        assert len(re.findall("distinct !DISubprogram", text)) == 1
        assert variable(text, "i")[0] == 0 and variable(text, "n")[0] == 2

    def test_lambda(self):
        text = debugged(lambda x: None, int32)
        assert 'name: "<lambda>"' in text


class TestVariables:
    @pytest.mark.parametrize(
        ("ty", "encoding", "name", "bits"),
        [
            (types.int8, "signed", "int8", 8),
            (types.int16, "signed", "int16", 16),
            (int32, "signed", "int32", 32),
            (int64, "signed", "int64", 64),
            (types.uint8, "unsigned", "uint8", 8),
            (types.uint64, "unsigned", "uint64", 64),
            (float16, "float", "float16", 16),
            (float32, "float", "float32", 32),
            (float64, "float", "float64", 64),
            (boolean, "boolean", "bool", 8),
        ],
    )
    def test_numbers(self, ty, encoding, name, bits):
        def kernel(a):
            b = a  # noqa: F841

        text = debugged(kernel, ty)
        expected = f'!DIBasicType(encoding: DW_ATE_{encoding}, name: "{name}", size: {bits})'
        assert type_of(text, "a") == type_of(text, "b") == expected
        assert variable(text, "a")[:2] == (1, line_of(kernel, "def kernel"))
        assert variable(text, "b")[:2] == (0, line_of(kernel, "b = a"))

    @pytest.mark.parametrize(("ty", "part", "bits"), [(complex64, "float", 32), (complex128, "double", 64)])
    def test_complex(self, ty, part, bits):
        def kernel(a):
            pass

        text = debugged(kernel, ty)
        composite = type_of(text, "a")
        assert f'name: "{ty} ({{{part}, {part}}})", size: {2 * bits}, tag: DW_TAG_structure_type' in composite
        base = f'!DIBasicType(encoding: DW_ATE_float, name: "{part}", size: {bits})'
        assert members(text, composite) == [("real", 0, bits, base), ("imag", bits, bits, base)]

    @pytest.mark.parametrize("ndim", [1, 3])
    def test_arrays(self, ndim):
        def kernel(a):
            pass

        ty = types.Array(float32, ndim, "C")
        text = debugged(kernel, ty)
        composite = type_of(text, "a")
        machine = f"{{i8*, i8*, i64, i64, float*, [{ndim} x i64], [{ndim} x i64]}}"
        assert f'identifier: "{machine}", name: "array(float32, {ndim}d, C) ({machine})"' in composite
        found = members(text, composite)
        assert [one[0] for one in found] == ["meminfo", "parent", "nitems", "itemsize", "data", "shape", "strides"]
        assert [one[1] for one in found] == [0, 64, 128, 192, 256, 320, 320 + 64 * ndim]
        data = re.search(r"baseType: !(\d+), size: 64, tag: DW_TAG_pointer_type", found[4][3])[1]
        assert 'name: "float32"' in node(text, data)
        assert f'name: "UniTuple(int64 x {ndim}) ([{ndim} x i64])", size: {64 * ndim}' in found[5][3]

    def test_array_words(self):
        """What is stored for an array: number of items, bytes of one, data, shape, strides; no owners."""

        def kernel(a):
            pass

        text = debugged(kernel, float32[:, :])
        (slot,) = re.findall(r'"llvm.dbg.declare"\(metadata ptr (%slot\d+)', text)
        assert re.search(rf"{slot} = alloca \[72 x i8\], align 8", text)
        stores = re.findall(r"store volatile (i64|ptr) (\S+), ptr", text)
        assert len(stores) == 7 and ("i64", "4") in stores

    def test_shared_and_local_arrays(self):
        def kernel(x):
            shared = cuda.shared.array(32, float32)
            local = cuda.local.array((2, 3), int32)
            shared[0] = x
            local[0, 0] = 1
            cuda.syncthreads()

        text = debugged(kernel, float32)
        for name, kind in (("shared", "float32, 1d"), ("local", "int32, 2d")):
            composite = type_of(text, name)
            assert f'name: "array({kind}, C)' in composite
            # The address is generic, so debuggers must not be told of another space.
            assert "dwarfAddressSpace" not in members(text, composite)[4][3]

    def test_tuples(self):
        def kernel(a, b, c):
            d = (a, b)  # noqa: F841

        args = (types.UniTuple(int32, 3), types.Tuple((types.int8, float64)), types.NamedUniTuple(float32, 2, Point))
        text = debugged(kernel, *args)
        assert "size: 96, tag: DW_TAG_array_type" in type_of(text, "a")
        assert [m[:3] for m in members(text, type_of(text, "b"))] == [("f0", 0, 8), ("f1", 64, 64)]
        assert [m[:3] for m in members(text, type_of(text, "c"))] == [("x", 0, 32), ("y", 32, 32)]
        assert [m[:3] for m in members(text, type_of(text, "d"))] == [("f0", 0, 96), ("f1", 128, 128)]

    def test_records(self):
        dtype = np.dtype([("a", np.int32), ("b", np.complex64), ("c", np.float64, (2, 3))])
        record = types.numpy_support.from_dtype(dtype) if hasattr(types, "numpy_support") else None
        if record is None:
            from numbra.np.numpy_support import from_dtype

            record = from_dtype(dtype)

        def kernel(r, rs):
            r.a = 1

        text = debugged(kernel, record, types.Array(record, 1, "C"))
        pointed = re.search(r"baseType: !(\d+), size: 64, tag: DW_TAG_pointer_type", type_of(text, "r"))[1]
        fields = [m[:3] for m in members(text, node(text, pointed))]
        assert fields == [("a", 0, 32), ("b", 32, 64), ("c", 96, 384)]

    def test_enums_times_and_ranges(self):
        def kernel(when):
            color = Color.GREEN  # noqa: F841
            numbers = range(3, 9)  # noqa: F841

        text = debugged(kernel, types.NPDatetime("s"))
        assert "encoding: DW_ATE_signed" in type_of(text, "color") and "Color" in type_of(text, "color")
        assert type_of(text, "when") == '!DIBasicType(encoding: DW_ATE_signed, name: "datetime64[s]", size: 64)'
        assert [m[0] for m in members(text, type_of(text, "numbers"))] == ["start", "stop", "step"]

    def test_optional(self):
        def kernel(x):
            found = None
            if x > 3:
                found = x
            if found is not None:
                cuda.syncthreads()

        text = debugged(kernel, int32)
        assert 'name: "valid"' in text or 'name: "found"' in text

    def test_one_variable_of_several_types(self):
        def kernel(x):
            foo = 100
            x[0] = foo
            foo = 2.34
            x[1] = foo
            foo = x[2] > 3
            x[3] = foo

        text = debugged(kernel, float64[::1])
        union = type_of(text, "foo")
        assert "size: 64, tag: DW_TAG_union_type" in union
        assert [m[:3] for m in members(text, union)] == [("_bool", 0, 8), ("_float64", 0, 64), ("_int64", 0, 64)]
        assert variable(text, "foo")[1] == line_of(kernel, "foo = 100")

    def test_joined_types(self):
        """Where versions of two types meet, the slot gets the value that they have in common."""

        def kernel(x, n):
            if n > 0:
                value = 1
            else:
                value = 2.5
            x[0] = value

        text = debugged(kernel, float64[::1], int64)
        names = [m[0] for m in members(text, type_of(text, "value"))]
        assert names == ["_float64", "_int64"]

    def test_one_variable_has_one_slot(self):
        def kernel(x, n):
            total = 0
            for i in range(n):
                total += i
            x[0] = total

        text = debugged(kernel, int64[::1], int64)
        slots = re.findall(r'"llvm.dbg.declare"\(metadata ptr (%slot\d+), metadata !(\d+)', text)
        assert len(slots) == len(set(slots)) == 4
        assert {re.search(r'name: "(\w+)"', node(text, n))[1] for _, n in slots} == {"x", "n", "total", "i"}

    def test_temporaries_are_not_shown(self):
        def kernel(a, b):
            if a and b:
                x = 1
            else:
                x = 0  # noqa: F841

        text = debugged(kernel, boolean, boolean)
        assert set(re.findall(r'!DILocalVariable\(.*name: "([^"]*)"', text)) == {"a", "b", "x"}
        assert "Literal" not in text

    def test_closures(self):
        def kernel(x):
            def twice(value):
                doubled = value * 2
                return doubled

            x[0] = twice(x[1])

        text = debugged(kernel, int32[::1])
        names = re.findall(r'!DILocalVariable\(.*name: "([^"]*)"', text)
        assert "x" in names and all(re.fullmatch(r"[\w$]+", name) for name in names)

    def test_store_of_a_variable_stands_at_its_line(self):
        ptx, _ = cuda.compile_ptx(add_one, SIGNATURE, **FULL)
        assert line_of(add_one, "value = x[i] + 1") in lines_of(ptx, r"\bst\.volatile")
        assert line_of(add_one, "i = cuda.grid(1)") in lines_of(ptx, r"\bst\.volatile")

    def test_optimised(self):
        with pytest.warns(errors.NumbaInvalidConfigWarning):
            ptx, _ = cuda.compile_ptx(add_one, SIGNATURE, debug=True, opt=True)
        assert ".section\t.debug_info" in ptx


class TestAssembled:
    @pytest.mark.parametrize("sm", [75, 80, 90, 100])
    @pytest.mark.parametrize(("function", "args"), KERNELS, ids=lambda x: getattr(x, "__name__", ""))
    def test_lines(self, function, args, sm, tmp_path):
        ptx, _ = cuda.compile_ptx(function, args, cc=(sm // 10, sm % 10), lineinfo=True)
        assert f".target sm_{sm}\n" in ptx
        found = sections(cubin(tmp_path, ptx, sm, "-lineinfo"))
        assert found[".debug_line"] > 40 and ".debug_info" not in found

    @pytest.mark.parametrize("sm", [75, 80, 90, 100])
    @pytest.mark.parametrize(("function", "args"), KERNELS, ids=lambda x: getattr(x, "__name__", ""))
    def test_variables(self, function, args, sm, tmp_path):
        ptx, _ = cuda.compile_ptx(function, args, cc=(sm // 10, sm % 10), **FULL)
        assert f".target sm_{sm}, debug\n" in ptx
        found = sections(cubin(tmp_path, ptx, sm, "-g"))
        assert found[".debug_line"] > 40 and found[".debug_info"] > 100 and found[".debug_abbrev"] > 20

    @pytest.mark.parametrize("abi", ["c", "numba"])
    def test_device_functions(self, abi, tmp_path):
        def half(x):
            result = x / 2
            return result

        for options, flag in ((LINES, "-lineinfo"), (FULL, "-g")):
            ptx, _ = cuda.compile(half, float64(float64), cc=(8, 0), abi=abi, **options)
            found = sections(cubin(tmp_path, ptx, 80, flag, "-c"))
            assert found[".debug_line"] > 40
            assert line_of(half, "result = x / 2") in lines_of(ptx, r"div|mul\S*\.f64")

    def test_odd_paths(self, tmp_path):
        path = '/odd "place"\\é/<cell 1>.py'
        source = "def kernel(x):\n    x[0] = 1\n"
        linecache.cache[path] = (len(source), None, source.splitlines(True), path)
        names = {}
        exec(compile(source, path, "exec"), names)
        for options, flag in ((LINES, "-lineinfo"), (FULL, "-g")):
            ptx, _ = cuda.compile_ptx(names["kernel"], (int32[::1],), **options)
            assert sections(cubin(tmp_path, ptx, 75, flag))[".debug_line"] > 40


class TestWarnings:
    def made(self, **options):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            cuda.jit(**options)(add_one)
        return [(one.category, str(one.message)) for one in caught]

    def test_when_decorating(self):
        both = "debug and lineinfo are mutually exclusive"
        crash = "debug=True with opt=True is not supported by CUDA"
        for options, texts in (
            ({"debug": True, "opt": False}, []),
            ({"lineinfo": True}, []),
            ({"debug": True}, [crash]),
            ({"debug": True, "lineinfo": True, "opt": False}, [both]),
            ({"debug": True, "lineinfo": True, "opt": True}, [crash, both]),
        ):
            found = self.made(**options)
            assert [category for category, _ in found] == [errors.NumbaInvalidConfigWarning] * len(texts)
            assert all(message.startswith(text) for (_, message), text in zip(found, texts, strict=True))

    def test_default(self, monkeypatch):
        monkeypatch.setattr(compiler.config, "CUDA_DEBUGINFO_DEFAULT", 1)
        assert ".debug_info" in cuda.compile_ptx(add_one, SIGNATURE, opt=False)[0]
        assert ".debug_info" not in cuda.compile_ptx(add_one, SIGNATURE, debug=False)[0]

    @pytest.mark.parametrize("options", [LINES, FULL])
    def test_no_source(self, options):
        names = {}
        exec("def hidden(x):\n    x[0] = 1\n", names)
        with pytest.warns(errors.NumbaDebugInfoWarning, match="Could not find source for function: <function hidden"):
            ptx, _ = cuda.compile_ptx(names["hidden"], (int32[::1],), **options)
        assert 2 in lines_of(ptx, r"\bst\.")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            cuda.compile_ptx(names["hidden"], (int32[::1],))


class TestInspect:
    def test_texts_by_signature(self):
        def kernel(x, y):
            pass

        made = cuda.jit(kernel)
        made.compile((int64, int64))
        made.compile((float64, float64))
        for ask, expected in ((made.inspect_llvm, "define"), (made.inspect_asm, ".visible .entry")):
            texts = ask()
            assert list(texts) == [(int64, int64), (float64, float64)]
            assert texts[int64, int64] == ask((int64, int64)) != ask((float64, float64))
            assert all(expected in text and "kernel" in text for text in texts.values())
        with pytest.raises(KeyError):
            made.inspect_asm((int32,))

    def test_types(self):
        made = cuda.jit((float32, int32))(lambda x, y: None)
        file = io.StringIO()
        made.inspect_types(file=file)
        assert "lambda" in file.getvalue() and "(float32, int32)" in file.getvalue()
        device = cuda.jit(device=True)(lambda x: x)
        device.compile_device((float32,))
        file = io.StringIO()
        device.inspect_types(file=file)
        assert "(float32,)" in file.getvalue()

    def test_capability(self):
        made = cuda.jit((float32[::1], int64))(add_one)
        (kernel,) = made.overloads.values()
        assert ".target sm_90\n" in kernel.inspect_asm((9, 0)) and ".target sm_80\n" in kernel.inspect_asm((8, 0))

    def test_before_and_behind_passes(self):
        made = cuda.jit((int64[::1],))(lambda x: None)
        assert "b0:" in made.inspect_llvm((int64[::1],))
        assert made.inspect("llvm-opt").count("define") == 1
