"""Code that depends on the launch that it is compiled for."""

import numpy as np
import pytest
from numbra import cuda
from numbra.core import config
from numbra.cuda import launchconfig
from numbra.cuda.cudadrv import nvvm
from numbra.extending import overload

pytestmark = [
    pytest.mark.skipif(not nvvm.is_available(), reason="the LLVM library is not installed"),
    pytest.mark.filterwarnings("ignore:Grid size"),
]

seen = []


def block_size():
    """Threads of a block, as a constant."""


@overload(block_size, target="cuda")
def _block_size():
    config = launchconfig.ensure_current_launch_config()
    seen.append((config.griddim, config.blockdim, config.sharedmem))
    config.dispatcher.mark_launch_config_sensitive()
    size = config.blockdim[0] * 1000 + config.sharedmem + 7
    return lambda: size


def kernel_of_sizes(**options):
    @cuda.jit(**options)
    def kernel(out):
        out[0] = block_size()

    return kernel


@pytest.fixture
def out(fake):
    seen.clear()
    return cuda.to_device(np.zeros(1, np.int64))


def code_of(dispatcher):
    (ptx,) = dispatcher.inspect_asm().values()
    return ptx


def test_code_for_each_size(out, fake):
    kernel = kernel_of_sizes()
    # The second launch of each size goes the quick way.
    for _ in range(2):
        kernel[1, 32](out)
        first = fake.last_launch().name
        kernel[1, 64](out)
        kernel[1, 32, 0, 16](out)
        assert list(fake.last_launch().block) == [32, 1, 1]
    assert first
    assert len(kernel.overloads) == 1
    assert len(kernel._launch_config_specializations) == 2
    assert "32007" in code_of(kernel)
    other, small = kernel._launch_config_specializations.values()
    assert "64007" in code_of(other)
    assert "32023" in code_of(small)
    assert seen == [((1, 1, 1), (32, 1, 1), 0), ((1, 1, 1), (64, 1, 1), 0), ((1, 1, 1), (32, 1, 1), 16)]


def test_other_kernels_know_of_no_launch(out):
    assert launchconfig.current_launch_config() is None
    with pytest.raises(RuntimeError, match="No launch config set for this thread"):
        launchconfig.ensure_current_launch_config()
    kernel = kernel_of_sizes()
    with pytest.raises(RuntimeError, match="No launch config set for this thread"):
        kernel.compile((out._numba_type_,))
    kernel[1, 32](out)
    with pytest.raises(RuntimeError, match="No launch config set for this thread"):
        kernel.compile((cuda.to_device(np.zeros(1))._numba_type_,))

    @cuda.jit
    def plain(out):
        out[0] = 1

    for block in 32, 64:
        plain[1, block](out)
    assert plain._launch_config_specializations == {}
    assert len(plain.overloads) == 1


def test_which_launch_compiles(out):
    kernel = kernel_of_sizes()
    with launchconfig.capture_compile_config(kernel) as record:
        kernel[1, 96](out)
    assert record["config"].blockdim == (96, 1, 1)
    with launchconfig.capture_compile_config(kernel) as record:
        kernel[1, 96](out)
    assert record["config"] is None
    with pytest.raises(TypeError, match="dispatcher is required"), launchconfig.capture_compile_config(None):
        pass


def test_kept_by_size(out, tmp_path, monkeypatch):
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    for expected in (0, 1), (1, 0):
        kernel = kernel_of_sizes(cache=True)
        kernel[1, 32](out)
        kernel[1, 64](out)
        (other,) = kernel._launch_config_specializations.values()
        for one, size in (kernel, "32007"), (other, "64007"):
            stats = one.stats
            assert (sum(stats.cache_hits.values()), sum(stats.cache_misses.values())) == expected
            assert size in code_of(one)
