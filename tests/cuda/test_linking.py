"""Code from elsewhere: what it is, linking it, and compiling CUDA C++."""

import io

import numpy as np
import pytest
from numbra import cuda
from numbra.core import config
from numbra.cuda.cudadrv import linkable_code, nvrtc, nvvm
from numbra.cuda.cudadrv.error import LinkerError, NvrtcCompilationError, NvrtcSupportError
from numbra.cuda.cudadrv.libs import get_tool
from numbra.cuda.cudadrv.linkable_code import LTOIR, Archive, Cubin, CUSource, Fatbin, LinkableCode, Object, PTXSource
from numbra.cuda.cudadrv.linker import Linker
from numbra.cuda.cudadrv.sass import disassemble

SOURCE = 'extern "C" __device__ int twice(int *result, int x) { *result = 2 * x; return 0; }\n'


def has_nvrtc():
    """Whether the compiler of CUDA C++ is installed."""
    try:
        return nvrtc.get_version() >= (11, 2)
    except NvrtcSupportError:
        return False


class TestCode:
    @pytest.mark.parametrize(
        ("name", "cls"),
        [
            ("a.ptx", PTXSource),
            ("a.cu", CUSource),
            ("a.cubin", Cubin),
            ("a.fatbin", Fatbin),
            ("a.a", Archive),
            ("a.lib", Archive),
            ("a.o", Object),
            ("a.ltoir", LTOIR),
        ],
    )
    def test_files(self, tmp_path, name, cls):
        (tmp_path / name).write_bytes(b"code")
        for path in (tmp_path / name, str(tmp_path / name)):
            code = LinkableCode.from_path_or_obj(path)
            assert type(code) is cls
            assert code.name == str(path)
            assert code.data == ("code" if cls in (PTXSource, CUSource) else b"code")

    def test_files_of_no_kind(self, tmp_path):
        with pytest.raises(RuntimeError, match=r"Don't know how to link file with extension \.txt"):
            LinkableCode.from_path("a.txt")
        with pytest.raises(RuntimeError, match="Don't know how to link file with no extension"):
            LinkableCode.from_path("a")
        with pytest.raises(LinkerError, match=r"nowhere\.ptx not found"):
            LinkableCode.from_path("nowhere.ptx")
        with pytest.raises(TypeError, match="Expected path to file or a LinkableCode object"):
            LinkableCode.from_path_or_obj(3)

    def test_code_in_memory(self):
        assert PTXSource(io.StringIO("x")).data == "x"
        assert Cubin(io.BytesIO(b"x")).data == b"x"
        assert Cubin(b"x").name == "<unnamed-cubin>"
        assert CUSource("x", name="x.cu", nrt=True).nrt
        with pytest.raises(TypeError, match="setup_callback must be callable"):
            PTXSource("", setup_callback=3)
        with pytest.raises(TypeError, match="teardown_callback must be callable"):
            PTXSource("", teardown_callback=3)
        assert linkable_code.PTXSource is cuda.PTXSource


class TestLinker:
    def test_pieces(self, fake):
        alive = fake.alive(fake.LINKER)
        linker = Linker((9, 0), max_registers=32, lineinfo=True)
        linker.add(PTXSource("kernel"))
        linker.add(Object(b"object", name="o"))
        linker.add(Archive(b"archive"))
        image = linker.complete()
        assert image == b"1:kernel\n3:object\n4:archive\n"
        assert fake.alive(fake.LINKER) == alive
        assert cuda.current_context().create_module_image(image).get_function("kernel").name == "kernel"

    def test_errors_carry_the_log(self, fake):
        alive = fake.alive(fake.LINKER)
        linker = Linker((9, 0))
        linker.add(PTXSource("wrong", name="mine.ptx"))
        with pytest.raises(
            LinkerError, match=r"cuLinkAddData results in CUDA_ERROR_INVALID_PTX\nerror: mine.ptx is wrong"
        ):
            linker.complete()
        assert fake.alive(fake.LINKER) == alive

    def test_what_cannot_be_linked(self):
        with pytest.raises(LinkerError, match="<unnamed-ltoir>: LTOIR cannot be linked"):
            Linker((9, 0)).add(LTOIR(b""))


class TestNvrtc:
    @pytest.mark.skipif(has_nvrtc(), reason="NVRTC is installed")
    def test_where_it_is_missing(self):
        with pytest.raises(NvrtcSupportError, match="NVRTC, which compiles CUDA C\\+\\+, cannot be found; install"):
            Linker((9, 0)).add(CUSource(SOURCE))

    @pytest.mark.skipif(not has_nvrtc(), reason="NVRTC is not installed")
    def test_compiling(self):
        ptx, log = nvrtc.compile(SOURCE, "twice.cu", (9, 0))
        assert ".target sm_90" in ptx
        assert ".visible .func" in ptx
        assert "twice" in ptx
        assert log == ""
        assert (9, 0) in nvrtc.get_supported_archs()
        linker = Linker((9, 0))
        linker.add(CUSource(SOURCE))
        assert b"twice" in linker.complete()
        with pytest.raises(NvrtcCompilationError, match=r"(?s)whilst compiling bad.cu.*bad.cu\(1\): error"):
            nvrtc.compile("nonsense", "bad.cu", (9, 0))
        with pytest.warns(UserWarning, match="NVRTC log messages"):
            Linker((9, 0)).add(CUSource("__device__ void f() { int unused; }\n"))


class TestSass:
    @staticmethod
    def program(folder, text):
        path = folder / "nvdisasm"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def test_machine_code_is_disassembled(self, tmp_path, monkeypatch):
        self.program(tmp_path, 'echo "$1"; cat "$2"')
        monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
        kernel = cuda.jit("void(float32[::1])")(lambda x: None)  # the driver of the tests links to text
        (args,) = kernel.signatures
        text = kernel.inspect_sass(args)
        assert text.startswith("-gi\n1:") and ".visible .entry" in text
        assert kernel.inspect_sass() == {args: text}
        assert kernel.inspect_sass_cfg(args).startswith("-cfg\n")

    def test_where_it_fails(self, tmp_path, monkeypatch):
        self.program(tmp_path, "echo no cubin >&2; exit 3")
        monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
        with pytest.raises(RuntimeError, match="nvdisasm failed: no cubin"):
            disassemble(b"x", "-gi")

    def test_where_it_is_missing(self, monkeypatch):
        monkeypatch.setattr("numbra.cuda.cudadrv.sass.get_tool", lambda name: None)
        with pytest.raises(RuntimeError, match="nvdisasm was not found or could not be executed"):
            disassemble(b"x")
        with pytest.raises(RuntimeError, match="device function"):
            cuda.jit(device=True)(lambda x: x).inspect_sass()

    def test_tools_of_toolkits(self, tmp_path, monkeypatch):
        (tmp_path / "bin").mkdir()
        self.program(tmp_path / "bin", "true")
        monkeypatch.setenv("PATH", "/nowhere")
        monkeypatch.setenv("CUDA_HOME", str(tmp_path))
        assert get_tool("nvdisasm") == str(tmp_path / "bin" / "nvdisasm")
        assert get_tool("no-such-tool-of-cuda") is None


@pytest.mark.skipif(not nvvm.is_available(), reason="the LLVM library is not installed")
@pytest.mark.filterwarnings("ignore:Grid size")
class TestDeclaredFunctions:
    def test_their_code_is_linked_to_those_who_call_them(self, fake):
        calls = []
        code = PTXSource("// twice", name="twice.ptx", setup_callback=calls.append)
        twice = cuda.declare_device("twice", "int32(int32)", link={code})
        thrice = cuda.declare_device("thrice", "int32(int32)", link=[code, PTXSource("// thrice")], abi="c")

        @cuda.jit(device=True)
        def both(x):
            return twice(x) + thrice(x)

        @cuda.jit(link=[PTXSource("// own")])
        def kernel(out):
            out[0] = both(out[0])

        @cuda.jit
        def alone(out):
            out[0] = 1

        array = cuda.to_device(np.zeros(1, np.int32))
        added, linked = fake.count("cuLinkAddData"), fake.count("cuLinkComplete")
        kernel[1, 1](array)
        kernel[1, 1](array)
        assert fake.count("cuLinkComplete") == linked + 1
        # The kernel, its own piece, and each other piece once.
        assert fake.count("cuLinkAddData") == added + 4
        assert len(calls) == 1
        assert fake.last_launch().cooperative == 0
        alone[1, 1](array)
        assert fake.count("cuLinkComplete") == linked + 1

    def test_cooperative_ones(self, fake):
        barrier = cuda.declare_device("barrier", "void()", link=PTXSource("// barrier"), use_cooperative=True)

        @cuda.jit
        def kernel(out):
            barrier()

        array = cuda.to_device(np.zeros(1))
        for _ in range(2):
            kernel[1, 1](array)
            assert fake.last_launch().cooperative == 1

    @pytest.mark.filterwarnings("ignore:Cannot cache compiled function")
    def test_they_are_not_cached(self, fake, tmp_path, monkeypatch):
        monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
        twice = cuda.declare_device("twice", "int32(int32)", link=PTXSource("// twice"))

        @cuda.jit(cache=True)
        def kernel(out):
            out[0] = twice(out[0])

        with pytest.raises(RuntimeError, match="Cannot pickle CUDACodeLibrary with linking files"):
            kernel[1, 1](cuda.to_device(np.zeros(1, np.int32)))
        assert not any(tmp_path.rglob("*.nbc"))
