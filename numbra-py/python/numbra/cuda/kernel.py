"""A kernel compiled for argument types, and loaded into the contexts that it is launched in."""

import threading
import weakref
from types import SimpleNamespace

from numbra import _numbra
from numbra.core import config
from numbra.cuda.declared import pieces_of

#: Words in which code notes the first exception: its number, and the place of its thread.
_ERROR = "numbra_error"
#: Stages that code for GPUs alone has.
_OF_GPUS = ("llvm", "llvm-opt", "ptx")

_NOT_CACHED = (
    "Cannot pickle CUDACodeLibrary with linking files: "
    "a kernel with code from elsewhere (link=, declare_device) is not cached. Leave out cache=True"
)


class Kernel:
    """The code of a kernel for argument types; loaded when it is first needed, for each context once."""

    def __init__(self, dispatcher, args):
        from numbra.core import types
        from numbra.core.typing.templates import Signature
        from numbra.cuda.dispatcher import _present_cc

        if dispatcher.targetoptions.get("device"):
            raise RuntimeError("Cannot compile a device function as a kernel")
        self._options = dispatcher._code_options
        self._carveout = dispatcher.targetoptions.get("shared_memory_carveout")
        self._link = dispatcher.targetoptions.get("link")
        if self._link and dispatcher._cache is not None:
            raise RuntimeError(_NOT_CACHED)
        self.argument_types = tuple(args)
        self.signature = Signature(types.none, args)
        # The dispatcher has the kernel; other devices need it only while it lives.
        self._dispatcher = weakref.ref(dispatcher)
        #: Code by compute capability.
        self._codes = {}
        #: Contexts have the kernel loaded once, whichever threads ask.
        self._loading = threading.RLock()
        self._loaded = {}
        if config.CUDA_TARGET == "cpu":
            self.code = self._code_for_host(_present_cc())
        else:
            self.code = self._code_for(_present_cc())
        self.entry_name = self.code.name
        #: Whether all threads of the grid meet in it.
        self.cooperative = self.code.cooperative or any(f.use_cooperative for f in self.code.declared)

    def _code_for(self, cc):
        """The code for a compute capability, made when it is first needed."""
        from numbra.core import types
        from numbra.cuda.compiler import generate

        cc = tuple(cc)
        code = self._codes.get(cc)
        if code is None:
            dispatcher = self._dispatcher()
            if dispatcher is None:
                raise RuntimeError(f"the function of the kernel {self.entry_name} is gone")
            code = generate(dispatcher, self.argument_types, types.none, cc, self._options, abi="kernel")
            if dispatcher._cache is not None and self.pieces(code):
                raise RuntimeError(_NOT_CACHED)
            self._codes[cc] = code
        return code

    @property
    def launch_config_sensitive(self) -> bool:
        """Whether the code is good for launches of the sizes alone that it was made for."""
        dispatcher = self._dispatcher()
        return dispatcher is not None and dispatcher._launch_config_sensitive

    def _code_for_host(self, cc):
        from numbra.core import types
        from numbra.cuda.compiler import generate_for_host

        if self._link:
            raise NotImplementedError("kernels on the CPU cannot link code for GPUs")
        return generate_for_host(self._dispatcher(), self.argument_types, types.none, cc, self._options)

    @property
    def _device_code(self):
        """The code for a GPU, also where the kernel runs on the CPU."""
        from numbra.cuda.dispatcher import _present_cc

        return self._code_for(_present_cc()) if config.CUDA_TARGET == "cpu" else self.code

    def bind(self):
        """The kernel in the present context."""
        from numbra.cuda.cudadrv import devices

        context = devices.get_context()
        loaded = self._loaded.get(context.handle)
        if loaded is None or not loaded.is_alive():
            with self._loading:
                loaded = self._loaded.get(context.handle)
                if loaded is None or not loaded.is_alive():
                    loaded = self._loaded[context.handle] = self._load(context)
        return loaded

    def _load(self, context):
        if config.CUDA_TARGET == "cpu":
            return _LoadedOnHost(self, self.code, context)
        code = self._code_for(config.FORCE_CUDA_CC or context.device.compute_capability)
        return _Loaded(self, code, context)

    def launch(self, args, griddim, blockdim, stream=0, sharedmem=0):
        """Launches with arguments of these types."""
        from numbra.cuda.launch import launch_shape

        loaded = self.bind()
        loaded.plan.launch(launch_shape(griddim, blockdim, stream, sharedmem), tuple(args))

    def max_cooperative_grid_blocks(self, blockdim, dynsmemsize=0):
        """Most blocks of this size that are on the device at once."""
        from math import prod

        loaded = self.bind()
        threads = prod(blockdim) if isinstance(blockdim, (tuple, list)) else blockdim
        blocks = loaded.context.get_active_blocks_per_multiprocessor(loaded.function, threads, dynsmemsize)
        return blocks * loaded.context.device.MULTIPROCESSOR_COUNT

    @property
    def regs_per_thread(self) -> int:
        """Registers of a thread."""
        return self.bind().function.attrs.regs

    @property
    def const_mem_size(self) -> int:
        """Bytes of constant memory."""
        return self.bind().function.attrs.const

    @property
    def shared_mem_per_block(self) -> int:
        """Bytes of static shared memory of a block."""
        return self.bind().function.attrs.shared

    @property
    def max_threads_per_block(self) -> int:
        """Most threads that a block can have."""
        return self.bind().function.attrs.maxthreads

    @property
    def local_mem_per_thread(self) -> int:
        """Bytes of local memory of a thread."""
        return self.bind().function.attrs.local

    @property
    def _codelibrary(self):
        """What numba-cuda's name leads to: the loaded function, and the code that is linked."""
        return CodeLibrary(self)

    @property
    def _type_annotation(self):
        """Types of the kernel's variables, by name: ``typemap``."""
        return SimpleNamespace(typemap=self.code.variable_types)

    def inspect(self, stage):
        """Text of a stage."""
        return (self._device_code if stage in _OF_GPUS else self.code).inspect(stage)

    def inspect_llvm(self):
        """LLVM IR as it was made, before LLVM's passes; ``inspect("llvm-opt")`` gives it behind them."""
        return self._device_code.inspect("llvm")

    def inspect_asm(self, cc=None):
        """PTX, for the compute capability ``cc`` if it is given."""
        return (self._device_code if cc is None else self._code_for(cc)).ptx

    def pieces(self, code):
        """The code from elsewhere that is linked to this kernel's."""
        return pieces_of(self._link, code.declared)

    def link_options(self):
        """How the driver makes machine code of the PTX."""
        options = self._options
        return {
            "max_registers": options.max_registers,
            "opt_level": 4 if options.opt else 0,
            "debug": options.debug,
            "lineinfo": options.lineinfo,
        }

    def cubin(self) -> bytes:
        """The machine code for the current device, by the driver's linker."""
        from numbra.cuda.cudadrv import devices
        from numbra.cuda.cudadrv.linkable_code import PTXSource
        from numbra.cuda.cudadrv.linker import Linker

        device = devices.get_context().device
        code = self._code_for(config.FORCE_CUDA_CC or device.compute_capability)
        linker = Linker(device.compute_capability, **self.link_options())
        for piece in (PTXSource(code.ptx, name=self.entry_name), *self.pieces(code)):
            linker.add(piece)
        return linker.complete()

    def inspect_sass(self):
        """Machine code with source lines; needs ``nvdisasm`` and the driver's linker."""
        from numbra.cuda.cudadrv.sass import disassemble

        return disassemble(self.cubin(), "-gi")

    def inspect_sass_cfg(self):
        """The control-flow graph of the machine code, as dot writes graphs; needs what :meth:`inspect_sass` does."""
        from numbra.cuda.cudadrv.sass import disassemble

        return disassemble(self.cubin(), "-cfg")

    def inspect_types(self, file=None):
        """Prints the source annotated with types."""
        print_types(self.code, self.argument_types, file)


class CodeLibrary:
    """The code of a kernel as numba-cuda's programs ask for it."""

    def __init__(self, kernel):
        self._kernel = kernel

    @property
    def _linking_files(self):
        """Names of the code from elsewhere that is linked to the kernel's."""
        kernel = self._kernel
        return {piece.name for piece in kernel.pieces(kernel.code)}

    def get_cufunc(self):
        """The kernel's function in the present context."""
        return self._kernel.bind().function


def print_types(code, args, file):
    """Prints the source of code at argument types, annotated with types."""
    print(f"{code.name} {args}", file=file)
    print("-" * 80, file=file)
    print(code.inspect("annotation"), file=file)
    print("=" * 80, file=file)


class _Loaded:
    """A kernel in a context."""

    def __init__(self, kernel, code, context):
        options = kernel._options
        self.context = context
        self.code = code
        for array in code.captured:
            # The code has its address: raises an error if that is no good any more.
            _ = array.__cuda_array_interface__
        self.module = self._module(kernel, kernel.link_options())
        self.function = self.module.get_function(kernel.entry_name)
        if kernel._carveout is not None:
            self.function.set_shared_memory_carveout(kernel._carveout)
        #: Where the code notes what it raises, under ``debug=True``.
        self.error = None
        if options.debug and _ERROR in code.ptx:
            self.error, _ = self.module.get_global_symbol(_ERROR)
        self.plan = _numbra.LaunchPlan(list(kernel.argument_types), int(self.function.handle), kernel.cooperative)

    def _module(self, kernel, how):
        """The code in the context, as machine code if there is some or the cache wants it."""
        from numbra.cuda.cudadrv.error import CudaAPIError, LinkerError
        from numbra.cuda.cudadrv.linkable_code import PTXSource
        from numbra.cuda.cudadrv.linker import Linker, linked_module

        code, context = self.code, self.context
        pieces = kernel.pieces(code)
        if pieces:
            return linked_module(context, code.ptx, kernel.entry_name, pieces, **how)
        if code.cubin is not None:
            try:
                return context.create_module_image(code.cubin, debug=how["debug"], lineinfo=how["lineinfo"])
            except (LinkerError, CudaAPIError):
                pass  # A newer driver made it: this one compiles the PTX.
        if code.wants_cubin:
            linker = Linker(context.device.compute_capability, **how)
            linker.add(PTXSource(code.ptx, name=kernel.entry_name))
            cubin = linker.complete()
            module = context.create_module_image(cubin, debug=how["debug"], lineinfo=how["lineinfo"])
            code.keep_cubin(cubin)
            return module
        return context.create_module_ptx(code.ptx, **how)

    def is_alive(self) -> bool:
        """False once the context was reset."""
        return _numbra._cuda.is_running(self.module._epoch)

    def raise_noted(self) -> None:
        """Raises what a thread has raised, and forgets it."""
        import numpy as np
        from numbra.cuda.cudadrv import driver

        words = np.zeros(7, np.int32)
        driver.device_to_host(words, self.error, words.nbytes)
        if not words[0]:
            return
        driver.device_memset(self.error, 0, words.nbytes)
        from numbra.cuda.errors import exception_of

        number, *places = words.tolist()
        raise exception_of(self.code.exceptions[number - 1], places[:3], places[3:])


class _LoadedOnHost:
    """A kernel for the CPU: its launches raise what its threads do."""

    error = None

    def __init__(self, kernel, code, context):
        from numbra.cuda.cudadrv.modules import HostModule

        self.context = context
        self.code = code
        for array in code.captured:
            # The code has its address: raises an error if that is no good any more.
            _ = array.__cuda_array_interface__
        self.module = HostModule(context, code)
        self.function = self.module.get_function(kernel.entry_name)
        self.plan = _numbra.LaunchPlan(list(kernel.argument_types), int(self.function.handle), kernel.cooperative)

    def is_alive(self) -> bool:
        """False once the context was reset."""
        return _numbra._cuda.is_running(self.module._epoch)
