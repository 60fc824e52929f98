"""Kernels and device functions: what ``cuda.jit`` gives."""

import threading
from collections import OrderedDict
from types import GenericAlias

from numbra import _numbra
from numbra._named import names_of
from numbra.core import config
from numbra.core.cached import Cached, LikeFunction
from numbra.cuda.compiler import CodeOptions, default_cc, generate
from numbra.cuda.errors import missing_launch_config_msg

__getattr__ = names_of(__name__)

#: Launch configurations that a kernel keeps.
_CONFIGURATIONS = 128
#: Plans that a launch tries.
_PLANS = 8


class CUDADispatcher(LikeFunction, Cached, _numbra.Dispatcher):
    """A function compiled for GPUs, for each combination of argument types that it is launched or called with."""

    __class_getitem__ = classmethod(GenericAlias)

    def __new__(cls, py_func, targetoptions=None):
        targetoptions = {} if targetoptions is None else targetoptions
        compiler = {"inline": "always"} if targetoptions.get("inline") == "always" else {}
        self = super().__new__(cls, py_func, compiler)
        self.targetoptions = targetoptions
        for name in ("__module__", "__name__", "__qualname__", "__doc__", "__code__", "__defaults__"):
            setattr(self, name, getattr(py_func, name))
        self.__wrapped__ = py_func
        options = {
            name: targetoptions[name]
            for name in ("debug", "opt", "lineinfo", "fastmath", "launch_bounds", "max_registers", "boundscheck")
            if name in targetoptions
        }
        self._code_options = CodeOptions(**options)
        #: Kernels and device functions by argument types.
        self.overloads = OrderedDict()
        self.specialized = False
        #: Specialised dispatchers by compute capability and argument types.
        self.specializations = {}
        self._frozen = False
        #: Whether code depends on the launch that it was compiled for, and the sizes of that.
        self._launch_config_sensitive = False
        self._launch_config_key = None
        #: Dispatchers for launches of other sizes.
        self._launch_config_specializations = {}
        self._compile_records = []
        #: Threads compile a signature once, one after the other.
        self._compiling = threading.RLock()
        #: Plans of loaded kernels, the last used first.
        self._plans = []
        self._configurations = {}
        return self

    @property
    def py_func(self):
        """The Python function."""
        return _numbra._py_func(self)

    @property
    def extensions(self):
        """Objects that prepare arguments before a launch, the last one first."""
        return self.targetoptions.get("extensions") or []

    def __call__(self, *args, **kwargs):
        raise ValueError(missing_launch_config_msg)

    def __getitem__(self, args):
        if not isinstance(args, tuple) or not 2 <= len(args) <= 4:
            raise ValueError("must specify at least the griddim and blockdim")
        return self.configure(*args)

    def configure(self, griddim, blockdim, stream=0, sharedmem=0):
        """The kernel with a launch configuration: calling it launches."""
        from numbra.cuda.launch import LaunchConfiguration

        key = (griddim, blockdim, stream, sharedmem)
        try:
            known = self._configurations.get(key)
        except TypeError:  # lists
            return LaunchConfiguration(self, *key)
        if known is None:
            if len(self._configurations) >= _CONFIGURATIONS:
                self._configurations.clear()
            known = self._configurations[key] = LaunchConfiguration(self, *key)
        return known

    def forall(self, ntasks, tpb=0, stream=0, sharedmem=0):
        """A launch of at least ``ntasks`` threads along one axis; ``tpb=0`` leaves the size of blocks to the driver."""
        from numbra.cuda.launch import ForAll

        return ForAll(self, ntasks, tpb=tpb, stream=stream, sharedmem=sharedmem)

    def _select(self, types):
        """The kernel for arguments of these types.

        It is compiled for them, or where none may be compiled, for others to which they convert.
        """
        found = self.overloads.get(types)
        if found is not None:
            return found
        if not self._frozen:
            return self.compile(types)
        from numbra.cuda.overloads import best

        return self.overloads[best(self, types)]

    def _compile_for_args(self, *args):
        """The kernel for arguments; called in a launch that has none yet."""
        from numbra.cuda.launchconfig import current_launch_config

        launch = current_launch_config()
        if launch is None:
            from numbra.core.typing.typeof import typeof

            return self._select(tuple(map(typeof, args)))
        return self._select(launch.types)

    def mark_launch_config_sensitive(self):
        """Says that the code being compiled is good for launches of the present sizes alone.

        What compilation asks calls this, see :mod:`numbra.cuda.launchconfig`.
        """
        from numbra.cuda.launchconfig import ensure_current_launch_config

        self._launch_config_key = ensure_current_launch_config().sizes
        self._launch_config_sensitive = True

    def _for_launch(self, sizes):
        """The dispatcher for launches of these sizes."""
        if sizes == self._launch_config_key:
            return self
        with self._compiling:
            found = self._launch_config_specializations.get(sizes)
            if found is None:
                found = CUDADispatcher(self.py_func, self.targetoptions)
                if self._cache is not None:
                    found.enable_caching()
                self._launch_config_specializations[sizes] = found
        return found

    def _remember(self, plan):
        """Tries this plan first in the next launches."""
        self._plans = [plan, *(one for one in self._plans if one is not plan)][:_PLANS]

    # --- compiling

    def compile(self, sig):
        """The kernel for argument types, compiled and loaded for the present device."""
        from numbra.core import types
        from numbra.core.sigutils import normalize_signature

        args, return_type = normalize_signature(sig)
        if return_type not in (None, types.none):
            raise TypeError("CUDA kernel must have void return type.")
        found = self.overloads.get(args)
        if found is not None:
            return found
        if self._frozen:
            raise RuntimeError("Compilation disabled")
        from numbra.cuda.kernel import Kernel
        from numbra.cuda.launchconfig import current_launch_config, ensure_current_launch_config

        with self._compiling:
            found = self.overloads.get(args)
            if found is None:
                if self._launch_config_sensitive:
                    ensure_current_launch_config()
                for record in self._compile_records:
                    record["config"] = current_launch_config()
                found = self.overloads[args] = Kernel(self, args)
        return found

    def compile_device(self, args, return_type=None):
        """The device function for argument types."""
        args = tuple(args)
        with self._compiling:
            found = self.overloads.get(args)
            if found is None:
                code = generate(self, args, return_type, _present_cc(), self._code_options, abi="numba")
                found = self.overloads[args] = DeviceFunction(args, code)
        return found

    def compile_signature(self, signature):
        """A kernel or device function for a signature."""
        from numbra.core.sigutils import normalize_signature

        if self.targetoptions.get("device"):
            args, return_type = normalize_signature(signature)
            return self.compile_device(args, return_type)
        return self.compile(signature)

    def freeze(self, specialized):
        """Compiles for no other types from now on."""
        self.specialized = specialized
        self._frozen = True
        if self.targetoptions.get("device"):
            known = [(one.signature.return_type, list(one.signature.args)) for one in self.overloads.values()]
            _numbra._fix_signatures(self, known)

    def disable_compile(self, val=True):
        """Stops (or allows again) compiling for new argument types."""
        self._frozen = val

    @property
    def _can_compile(self):
        return not self._frozen

    def recompile(self):
        """Compiles all known signatures again, with the present values of globals."""
        with self._compiling:
            known, self.overloads = list(self.overloads), OrderedDict()
            self._plans = []
            _numbra._flush_cache(self)
            frozen, self._frozen = self._frozen, False
            try:
                for args in known:
                    self.compile_signature(args)
            finally:
                self._frozen = frozen

    def specialize(self, *args):
        """A dispatcher for the types of these arguments alone."""
        from numbra.core.types import Type
        from numbra.core.typing.typeof import typeof

        if self.specialized:
            raise RuntimeError("Dispatcher already specialized")
        types = tuple(arg if isinstance(arg, Type) else typeof(arg) for arg in args)
        cc = _present_cc()
        with self._compiling:
            found = self.specializations.get((cc, types))
            if found is None:
                found = CUDADispatcher(self.py_func, self.targetoptions)
                if self._cache is not None:
                    found.enable_caching()
                found.compile(types)
                found.freeze(specialized=True)
                self.specializations[cc, types] = found
        return found

    # --- what was compiled

    @property
    def signatures(self):
        """Argument types of what was compiled, in order of compilation."""
        return list(self.overloads)

    @property
    def nopython_signatures(self):
        """Compiled signatures with their return types."""
        return [one.signature for one in self.overloads.values()]

    @property
    def _numba_type_(self):
        from numbra.core import types

        return types.Dispatcher(self)

    def get_compile_result(self, sig):
        """What was compiled for a signature."""
        from numbra.core.sigutils import normalize_signature

        return self.overloads[normalize_signature(sig)[0]]

    def _each(self, ask, signature):
        """An answer of the overload of one signature, or a dict of all."""
        if signature is not None:
            args = signature.args if hasattr(signature, "args") else tuple(signature)
            return ask(self.overloads[args])
        return {args: ask(one) for args, one in self.overloads.items()}

    def _resource(self, name, signature):
        if signature is None and self.specialized:
            return getattr(next(iter(self.overloads.values())), name)
        return self._each(lambda one: getattr(one, name), signature)

    def get_regs_per_thread(self, signature=None):
        """Registers of a thread."""
        return self._resource("regs_per_thread", signature)

    def get_const_mem_size(self, signature=None):
        """Bytes of constant memory."""
        return self._resource("const_mem_size", signature)

    def get_shared_mem_per_block(self, signature=None):
        """Bytes of static shared memory of a block."""
        return self._resource("shared_mem_per_block", signature)

    def get_max_threads_per_block(self, signature=None):
        """Most threads that a block can have."""
        return self._resource("max_threads_per_block", signature)

    def get_local_mem_per_thread(self, signature=None):
        """Bytes of local memory of a thread."""
        return self._resource("local_mem_per_thread", signature)

    def inspect_llvm(self, signature=None):
        """LLVM IR of one signature, or a dict of all."""
        return self._each(lambda one: one.inspect_llvm(), signature)

    def inspect_asm(self, signature=None):
        """PTX of one signature, or a dict of all."""
        return self._each(lambda one: one.inspect_asm(), signature)

    def inspect_sass(self, signature=None):
        """Machine code of one signature, or a dict of all; needs ``nvdisasm``."""
        if self.targetoptions.get("device"):
            raise RuntimeError("Cannot inspect SASS of a device function")
        return self._each(lambda one: one.inspect_sass(), signature)

    def inspect_sass_cfg(self, signature=None):
        """The control-flow graph of the machine code of one signature, or a dict of all; needs ``nvdisasm``."""
        if self.targetoptions.get("device"):
            raise RuntimeError("Cannot get the CFG of a device function")
        return self._each(lambda one: one.inspect_sass_cfg(), signature)

    def inspect_types(self, file=None):
        """Prints the source annotated with types."""
        for one in self.overloads.values():
            one.inspect_types(file=file)

    def inspect(self, stage, signature=None):
        """Text of a stage of a signature, or the first: typed, lir, lir-opt, llvm, llvm-opt or ptx."""
        if not self.overloads:
            raise ValueError("the function has not been compiled yet")
        args = next(iter(self.overloads)) if signature is None else tuple(signature)
        return self.overloads[args].inspect(stage)

    def __reduce__(self):
        from numbra.core.serialize import reduce_function

        frozen = list(self.overloads) if self._frozen else []
        return _rebuild, (reduce_function(self.py_func), self.targetoptions, frozen, self.specialized)

    def __repr__(self):
        return f"{type(self).__name__}({self.py_func})"


class DeviceFunction:
    """A device function compiled for argument types."""

    def __init__(self, args, code):
        from numbra.core.typing.templates import Signature

        self.code = code
        self.signature = Signature(code.return_type, args)

    @property
    def fndesc(self):
        """Numba's: symbol and types."""
        from types import SimpleNamespace

        name, signature = self.code.name, self.signature
        return SimpleNamespace(mangled_name=name, restype=signature.return_type, argtypes=signature.args)

    def inspect(self, stage):
        """Text of a stage."""
        return self.code.inspect(stage)

    def inspect_llvm(self):
        """LLVM IR as it was made, before LLVM's passes."""
        return self.code.inspect("llvm")

    def inspect_asm(self):
        """PTX."""
        return self.code.ptx

    def inspect_types(self, file=None):
        """Prints the source annotated with types."""
        from numbra.cuda.kernel import print_types

        print_types(self.code, self.signature.args, file)


def _present_cc():
    """Of the present device; of :func:`cuda.compile` where there is none."""
    forced = config.FORCE_CUDA_CC
    if forced:
        return forced
    from numbra.cuda.api import get_current_device, is_available

    return get_current_device().compute_capability if is_available() else default_cc()


def _rebuild(reduced, options, frozen, specialized):
    from numbra.core.serialize import rebuild_function

    made = CUDADispatcher(rebuild_function(reduced), options)
    if options.get("cache"):
        made.enable_caching()
    for args in frozen:
        made.compile_signature(args)
    if frozen:
        made.freeze(specialized)
    return made
