"""For tests of code that uses CUDA: a base class, and decorators which skip."""

import cmath
import enum
import os
import platform
import shutil
import unittest
from io import StringIO
from pathlib import Path

import numpy as np
from numbra.core import config

numba_cuda_dir = Path(__file__).parent
test_data_dir = numba_cuda_dir / "tests" / "data"

_BOOLS = (bool, np.bool_)
_DATES = (np.datetime64, np.timedelta64)
_BITS = {"single": 24, "double": 53}
# What compares with what; the first that fits.
_FAMILIES = (
    ("ndarray", np.ndarray),
    ("enum", enum.Enum),
    ("exact", (int, np.integer, *_BOOLS, *_DATES)),
    ("complex", (complex, np.complexfloating)),
    ("approximate", (float, np.floating)),
    ("sequence", (list, tuple)),
)


def _family(value) -> str:
    return next((name for name, kinds in _FAMILIES if isinstance(value, kinds)), "unknown")


def _used_strides(array) -> list[int]:
    """The strides that say where an element lies: others may have any value."""
    return [stride for size, stride in zip(array.shape, array.strides, strict=True) if size > 1 and array.size]


class CUDATestCase(unittest.TestCase):
    """A test of kernels; it is not told of small grids and of copies of host arrays."""

    FLOAT16_RTOL = np.finfo(np.float16).eps
    _QUIET = ("CUDA_LOW_OCCUPANCY_WARNINGS", "CUDA_WARN_ON_IMPLICIT_COPY")

    # Tests of other classes call the two with themselves.
    def setUp(self):
        self._settings = {name: getattr(config, name) for name in CUDATestCase._QUIET}
        for name in CUDATestCase._QUIET:
            setattr(config, name, 0)

    def tearDown(self):
        for name, value in self._settings.items():
            setattr(config, name, value)

    @property
    def random(self):
        """A generator of NumPy that gives the same numbers in every test."""
        if not hasattr(self, "_random"):
            self._random = np.random.RandomState(42)
        return self._random

    def assertPreciseEqual(
        self, first, second, prec="exact", ulps=1, msg=None, ignore_sign_on_zero=False, abs_tol=None
    ):
        """The two are equal, of one kind, and for arrays of one type, shape and layout.

        Numbers that are not integers may differ by some units in the last place of `prec`, ``"single"`` or
        ``"double"``, or by less than `abs_tol`, which ``"eps"`` makes the precision of the first.
        """
        if prec != "exact" and prec not in _BITS:
            raise ValueError(f"unsupported precision {prec!r}")

        def same(a, b):
            family = _family(a)
            self.assertEqual(family, _family(b), f"kinds of {a!r} and {b!r} differ")
            if family == "ndarray":
                for what in ("dtype", "shape"):
                    self.assertEqual(getattr(a, what), getattr(b, what), f"{what} differ")
                self.assertEqual(_used_strides(a), _used_strides(b), "strides differ")
                self.assertEqual(a.flags.writeable, b.flags.writeable, "one is read-only")
                for pair in zip(a.flat, b.flat, strict=True):
                    same(*pair)
            elif family == "sequence":
                self.assertEqual(len(a), len(b), msg)
                for pair in zip(a, b, strict=True):
                    same(*pair)
            elif family == "enum":
                self.assertIs(type(a), type(b))
                same(a.value, b.value)
            else:
                same_scalar(a, b, family)

        def same_scalar(a, b, family):
            if family == "unknown":
                self.assertIs(type(a), type(b))
            if hasattr(a, "dtype") and hasattr(b, "dtype"):
                self.assertEqual(a.dtype, b.dtype)
            self.assertEqual(isinstance(a, _BOOLS), isinstance(b, _BOOLS), "one is a bool")
            if isinstance(a, _DATES):
                if np.isnat(a):
                    self.assertTrue(np.isnat(b))
                    return
            elif family in ("complex", "approximate"):
                if cmath.isnan(a) and cmath.isnan(b):
                    return
                tolerance = np.finfo(type(a)).eps if abs_tol == "eps" else abs_tol
                if tolerance is not None and abs(a - b) < tolerance:
                    return
                delta = None if prec == "exact" else 2.0 ** (ulps - _BITS[prec] - 1) * (abs(a) + abs(b))
                for part, other in [(a.real, b.real), (a.imag, b.imag)] if family == "complex" else [(a, b)]:
                    same_float(part, other, delta)
                return
            self.assertEqual(a, b, msg)

        def same_float(a, b, delta):
            if delta is None or a == b == 0 or np.isinf(a) or np.isinf(b):
                self.assertEqual(a, b, msg)
                if not ignore_sign_on_zero:
                    self.assertEqual(np.signbit(a), np.signbit(b), f"signs of {a!r} and {b!r} differ")
            else:
                self.assertAlmostEqual(a, b, delta=delta, msg=msg)

        try:
            same(first, second)
        except AssertionError as error:
            reason = str(error)
        else:
            return
        self.fail(f"when comparing {first} and {second}: {reason}")

    def _assertFileCheckKernel(self, produced, kernel, signature, prefixes, options):
        texts = list(produced.values()) if isinstance(produced, dict) else [produced]
        if signature is not None:
            texts = [produced[signature]]
        self.assertTrue(texts, "there is no code of the kernel for the signature")
        self.assertIsNotNone(kernel.__doc__, "the checks stand in the kernel's docstring, and it has none")
        for text in texts:
            self.assertFileCheckMatches(text, kernel.__doc__, prefixes, **options)

    def assertFileCheckAsm(self, ir_producer, signature=None, check_prefixes=("ASM",), **options):
        """The kernel's PTX matches the checks of FileCheck in its docstring."""
        self._assertFileCheckKernel(ir_producer.inspect_asm(), ir_producer, signature, check_prefixes, options)

    def assertFileCheckLLVM(self, ir_producer, signature=None, check_prefixes=("LLVM",), **options):
        """The kernel's LLVM code matches the checks of FileCheck in its docstring."""
        self._assertFileCheckKernel(ir_producer.inspect_llvm(), ir_producer, signature, check_prefixes, options)

    def assertFileCheckMatches(self, ir_content, check_patterns, check_prefixes=("CHECK",), **options):
        """The text matches the checks; needs the package filecheck."""
        try:
            from filecheck.finput import FInput
            from filecheck.matcher import Matcher
            from filecheck.options import Options
            from filecheck.parser import Parser, pattern_for_opts
        except ImportError:
            self.skipTest("the package filecheck is not installed")
        opts = Options(match_filename="-", check_prefixes=list(check_prefixes), **options)
        parser = Parser(opts, StringIO(check_patterns), *pattern_for_opts(opts))
        matcher = Matcher(opts, FInput(fname="-", content=ir_content), parser)
        matcher.stderr = StringIO()
        if matcher.run() != 0:
            self.fail(f"FileCheck failed:\n{matcher.stderr.getvalue()}")


def _capability() -> tuple[int, int]:
    from numbra.cuda.cudadrv import devices

    return devices.get_context().device.compute_capability


def cc_X_or_above(major, minor) -> bool:
    """Whether the device has that compute capability; the simulator has any."""
    return bool(config.ENABLE_CUDASIM) or _capability() >= (major, minor)


def _skip_if(condition):
    """A decorator that takes the reason to skip for."""

    def decorator(reason):
        if not isinstance(reason, str):
            raise TypeError(f"a reason is needed, as text: got {reason!r}")
        return unittest.skipIf(condition(), reason)

    return decorator


def _skip_unless_cc(major, minor):
    def decorator(fn):
        return unittest.skipUnless(cc_X_or_above(major, minor), f"requires cc >= {major}.{minor}")(fn)

    return decorator


skip_on_cudasim = _skip_if(lambda: config.ENABLE_CUDASIM)
skip_unless_cudasim = _skip_if(lambda: not config.ENABLE_CUDASIM)
skip_unless_conda_cudatoolkit = _skip_if(lambda: not os.environ.get("CONDA_PREFIX") or shutil.which("nvcc") is None)
skip_if_external_memmgr = _skip_if(lambda: config.CUDA_MEMORY_MANAGER != "default")
skip_under_cuda_memcheck = _skip_if(lambda: os.environ.get("CUDA_MEMCHECK") is not None)
skip_without_nvdisasm = _skip_if(lambda: shutil.which("nvdisasm") is None)
skip_with_nvdisasm = _skip_if(lambda: shutil.which("nvdisasm") is not None)
skip_on_arm = _skip_if(lambda: platform.processor().startswith(("arm", "aarch")))
skip_on_wsl2 = _skip_if(lambda: "wsl2" in platform.release().lower())
skip_if_mvc_enabled = _skip_if(lambda: config.CUDA_ENABLE_MINOR_VERSION_COMPATIBILITY)

skip_unless_cc_32 = _skip_unless_cc(3, 2)
skip_unless_cc_50 = _skip_unless_cc(5, 0)
skip_unless_cc_53 = _skip_unless_cc(5, 3)
skip_unless_cc_60 = _skip_unless_cc(6, 0)
skip_unless_cc_75 = _skip_unless_cc(7, 5)
skip_unless_cc_90 = _skip_unless_cc(9, 0)


def _have_nvjitlink() -> bool:
    from numbra.cuda.cudadrv import driver

    known = getattr(driver, "_have_nvjitlink", None)
    return known is not None and known()


skip_if_nvjitlink_missing = _skip_if(lambda: not _have_nvjitlink())


def _nvjitlink_13_1_on_sm_120() -> bool:
    if config.ENABLE_CUDASIM:
        return False
    try:
        from cuda.bindings import nvjitlink

        return tuple(nvjitlink.version()[:2]) == (13, 1) and _capability() == (12, 0)
    except (ImportError, AttributeError, RuntimeError):
        return False


skip_on_nvjitlink_13_1_sm_120 = _skip_if(_nvjitlink_13_1_on_sm_120)


def skip_on_standalone_numba_cuda(fn):
    """The test itself: the front end for the CPU is always there."""
    return fn


def xfail_unless_cudasim(fn):
    """The test is expected to fail on a device."""
    return fn if config.ENABLE_CUDASIM else unittest.expectedFailure(fn)


def _header_missing(name: str) -> bool:
    from numbra.cuda.cudadrv import libs

    try:
        return not Path(libs.get_cuda_include_dir(), name).is_file()
    except FileNotFoundError:
        return True


def skip_if_cuda_includes_missing(fn):
    """Skips where CUDA's headers are not installed."""
    return unittest.skipIf(_header_missing("cuda.h"), "CUDA include dir not available on this system")(fn)


def skip_if_curand_kernel_missing(fn):
    """Skips where cuRAND's headers are not installed."""
    missing = _header_missing("curand_kernel.h")
    return unittest.skipIf(missing, "curand_kernel.h not available on this system")(fn)


def cudadevrt_missing() -> bool:
    """Whether the library of cooperative launches is missing."""
    if config.ENABLE_CUDASIM:
        return False
    from numbra.cuda.cudadrv import libs

    try:
        libs.check_static_lib(libs.get_cudalib("cudadevrt", static=True))
    except FileNotFoundError:
        return True
    return False


def skip_if_cudadevrt_missing(fn):
    """Skips where the library of cooperative launches is missing."""
    return unittest.skipIf(cudadevrt_missing(), "cudadevrt missing")(fn)


class ForeignArray:
    """A device array as another library would hand it over: it has the CUDA array interface and nothing else."""

    def __init__(self, arr):
        self._arr = arr
        self.__cuda_array_interface__ = arr.__cuda_array_interface__
