"""Device functions that other code defines, without a GPU: kernels that call them are linked by NVIDIA's ``nvlink``."""

import subprocess

import pytest
from assembler import ptxas
from numbra import cuda, types
from numbra.core.errors import NumbaError
from numbra.cuda.cudadrv.linkable_code import PTXSource

i4, i8, f4, f8, b1 = types.int32, types.int64, types.float32, types.float64, types.boolean


def linked(folder, *pieces):
    """The linker's verdict on pieces of PTX: what is undefined or does not fit is an error."""
    objects = []
    for number, ptx in enumerate(pieces):
        source = folder / f"{number}.ptx"
        source.write_text(ptx)
        objects.append(folder / f"{number}.o")
        subprocess.run([ptxas(), "-c", "-arch=sm_80", source, "-o", objects[-1]], check=True)
    command = [ptxas().with_name("nvlink"), "-arch=sm_80", *objects, "-o", folder / "all.cubin"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


SIGNATURES = [
    (i4(i4), lambda x: x * 2),
    (f8(f4, i8), lambda x, y: x * y),
    (f4(), lambda: 0.5),
    (b1(i4, b1), lambda x, y: x > 2 and y),
    (types.int8(types.uint8, types.int16), lambda x, y: x + y),
    (types.none(i4), lambda x: None),
    (types.none(types.CPointer(i4), i4), lambda p, x: None),
]


@pytest.mark.parametrize("abi", ["numba", "c"])
@pytest.mark.parametrize("number", range(len(SIGNATURES)))
def test_functions_of_each_abi_are_linked(tmp_path, abi, number):
    sig, body = SIGNATURES[number]
    theirs = cuda.declare_device("theirs", sig, abi=abi)
    args = ", ".join(f"a{i}" for i in range(len(sig.args)))
    scope = {"theirs": theirs, "cuda": cuda}
    result = "theirs" if sig.return_type == types.none else "out[0] = theirs"
    exec(f"def kernel(out{', ' * bool(args)}{args}):\n    {result}({args})\n", scope)
    out = types.Array(i8 if sig.return_type == types.none else sig.return_type, 1, "C")
    ptx, _ = cuda.compile_ptx(scope["kernel"], (out, *sig.args), cc=(8, 0))
    assert ".extern .func" in ptx
    body.__name__ = body.__qualname__ = "theirs"
    definition, result = cuda.compile(body, sig, cc=(8, 0), abi="c", abi_info={"abi_name": "theirs"})
    if abi == "numba":
        definition, result = cuda.compile(body, sig, cc=(8, 0), abi="numba")
        name = [line.split()[-1].rstrip("(") for line in definition.splitlines() if ".visible .func" in line]
        definition = definition.replace(name[0].split("(")[0], "theirs")
    assert result == sig.return_type
    done = linked(tmp_path, ptx, definition)
    assert done.returncode == 0, done.stderr + ptx + definition
    alone = linked(tmp_path, ptx)
    assert "theirs" in alone.stderr
    assert alone.returncode != 0


def test_calls_convert_and_are_not_merged():
    times = cuda.declare_device("times", "int32(int32)", abi="c")

    def kernel(out, x):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = times(x[i]) + times(x[i])

    ptx, _ = cuda.compile_ptx(kernel, (i8[::1], i8[::1]), cc=(8, 0))
    assert ptx.count("call.uni") == 2
    assert "ld.param.b32" in ptx


def test_through_device_functions():
    times = cuda.declare_device("times", i4(i4), link=PTXSource("// times"))

    @cuda.jit(device=True)
    def inner(x):
        return times(x)

    @cuda.jit(device=True)
    def outer(x):
        return inner(x) + 1

    def kernel(out):
        out[0] = outer(3)

    codes, _ = cuda.compile_all(kernel, (i4[::1],), device=False, abi="numba", cc=(8, 0))
    assert "times" in codes[0]
    assert codes[1:] == list(times.link)


def test_a_function_as_a_value():
    twice = cuda.declare_device("twice", i4(i4), abi="c")
    thrice = cuda.declare_device("thrice", i4(i4), abi="c")

    def kernel(out, x):
        f = twice if x > 0 else thrice
        out[0] = f(x)

    ptx, _ = cuda.compile_ptx(kernel, (i4[::1], i4), cc=(8, 0))
    assert "twice" in ptx
    assert "thrice" in ptx


def test_what_a_declaration_says():
    for sig in i4(f4[:]), "int32(float32[:])":
        function = cuda.declare_device("f1", sig)
        assert (function.name, function.sig.args, function.sig.return_type) == ("f1", (f4[:],), i4)
    for sig in (f4[:],), "(float32[:],)":
        with pytest.raises(TypeError, match="Return type must be provided for device declarations"):
            cuda.declare_device("f1", sig)
    with pytest.raises(NotImplementedError, match="Unsupported ABI: cuda"):
        cuda.declare_device("f1", i4(i4), abi="cuda")
    with pytest.raises(ValueError, match="'f 1' is no symbol"):
        cuda.declare_device("f 1", i4(i4))
    with pytest.raises(TypeError, match="Expected path to file or a LinkableCode object"):
        cuda.declare_device("f1", i4(i4), link=3)


@pytest.mark.parametrize(
    ("sig", "text"),
    [
        (i4(f4[:]), r"array\(float32, 1d, A\) in the signature of the declared function `f1`: pass a pointer"),
        (types.complex64(i4), r"complex64 in the signature of the declared function `f1`"),
        (types.float16(i4), "the signature of the declared function `f1`"),
    ],
)
def test_signatures_that_cannot_be(sig, text):
    f1 = cuda.declare_device("f1", sig)

    def kernel(x, out):
        out[0] = f1(x)

    out = types.Array(sig.return_type, 1, "C")
    with pytest.raises(NumbaError, match=text):
        cuda.compile_ptx(kernel, (sig.args[0], out), cc=(8, 0))


def test_one_symbol_has_one_signature():
    one, two = cuda.declare_device("f1", i4(i4)), cuda.declare_device("f1", i4(i8))

    def kernel(out):
        out[0] = one(1) + two(2)

    with pytest.raises(NumbaError, match="`f1` is declared with two signatures in one kernel"):
        cuda.compile_ptx(kernel, (i4[::1],), cc=(8, 0))


def test_wrong_calls_and_the_processor():
    from numbra import njit

    f1 = cuda.declare_device("f1", i4(i4))

    def kernel(out):
        out[0] = f1(1, 2)

    with pytest.raises(NumbaError, match="mismatch of arguments number: 2 vs 1"):
        cuda.compile_ptx(kernel, (i4[::1],), cc=(8, 0))
    with pytest.raises(NumbaError, match="ExternFunction"):
        njit(lambda: f1(1))()
