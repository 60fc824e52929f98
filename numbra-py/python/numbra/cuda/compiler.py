"""Compiling for GPUs without one: ``compile``, ``compile_ptx`` and their like."""

import functools
import inspect

from numbra import _numbra
from numbra._named import names_of
from numbra.core import config

__getattr__ = names_of(__name__)

#: Compute capabilities that code can be made for.
SUPPORTED_CC = (
    (7, 5),
    (8, 0),
    (8, 6),
    (8, 7),
    (8, 8),
    (8, 9),
    (9, 0),
    (10, 0),
    (10, 1),
    (10, 3),
    (11, 0),
    (12, 0),
    (12, 1),
)
_OPT_AND_DEBUG = (
    "debug=True with opt=True is not supported by CUDA. This may result in a crash - set debug=False or opt=False."
)
_DEBUG_AND_LINEINFO = (
    "debug and lineinfo are mutually exclusive. Use debug to get full debug info (this disables some optimizations), "
    "or lineinfo for line info only with code generation unaffected."
)


def default_cc() -> tuple[int, int]:
    """The compute capability of ``compile`` where none is given."""
    return max(SUPPORTED_CC[0], tuple(config.CUDA_DEFAULT_PTX_CC)[:2])


def architecture(cc) -> str:
    """The architecture, as ``sm_90`` or ``sm_90a``, of the newest known capability up to ``cc``."""
    cc = tuple(cc)
    known = [one for one in SUPPORTED_CC if one <= cc[:2]]
    if not known:
        from numbra.cuda.cudadrv.error import CCSupportError

        least = SUPPORTED_CC[0]
        raise CCSupportError(
            f"GPU compute capability {cc[0]}.{cc[1]} is not supported(requires >={least[0]}.{least[1]})"
        )
    suffix = cc[2] if len(cc) > 2 else ""
    if suffix and known[-1] != cc[:2]:
        raise ValueError(f"Can't use arch-specific compute_{cc[0]}{cc[1]}{suffix}")
    return f"sm_{known[-1][0]}{known[-1][1]}{suffix}"


class CodeOptions:
    """How code is made: what the options of ``jit`` and ``compile`` say."""

    def __init__(
        self,
        debug=None,
        opt=None,
        lineinfo=False,
        fastmath=False,
        launch_bounds=None,
        max_registers=None,
        boundscheck=False,
    ):
        self.debug = bool(config.CUDA_DEBUGINFO_DEFAULT if debug is None else debug)
        self.opt = bool(config.OPT != 0 if opt is None else opt)
        self.lineinfo = lineinfo
        self.fastmath = fastmath
        self.launch_bounds = _launch_bounds(launch_bounds)
        self.max_registers = max_registers
        #: Of kernels on the CPU alone.
        self.boundscheck = bool(boundscheck)
        if self.debug and self.opt:
            _warn(_OPT_AND_DEBUG)
        if self.debug and self.lineinfo:
            _warn(_DEBUG_AND_LINEINFO)

    def target(self, cc) -> str:
        """Architecture and words for the code generator."""
        words = [architecture(cc)]
        if not self.opt:
            words.append("nofma")
        if self.fastmath:
            words.append("fast")
        if self.debug:
            words.append("errors")
        names = ("maxntid", "minctasm", "maxclusterrank")
        words += [f"{name}={n}" for name, n in zip(names, self.launch_bounds, strict=False)]
        return " ".join(words)

    def driver(self, cc) -> str:
        """What the driver's compiler is asked for, on a device of this capability."""
        words = [".".join(map(str, cc)), f"opt={self.opt}", f"debug={self.debug}", f"lineinfo={self.lineinfo}"]
        return " ".join([*words, f"max_registers={self.max_registers}"])

    @property
    def debug_info(self) -> str:
        """What code says about its source: ``none``, ``lines`` or ``full``."""
        if self.debug:
            return "full"
        return "lines" if self.lineinfo else "none"


def _launch_bounds(bounds):
    if bounds is None:
        return ()
    bounds = (bounds,) if isinstance(bounds, int) else tuple(bounds)
    if len(bounds) > 3:
        raise ValueError(f"Got {len(bounds)} launch bounds: {bounds}. A maximum of three are supported")
    return bounds


def _warn(text: str) -> None:
    import warnings

    from numbra.core.errors import NumbaInvalidConfigWarning, level_of_the_user

    warnings.warn(NumbaInvalidConfigWarning(text), stacklevel=level_of_the_user())


def _look_for_source(function) -> None:
    """Warns where debuggers will find no source."""
    import warnings

    from numbra.core.errors import NumbaDebugInfoWarning, level_of_the_user

    try:
        inspect.getsourcelines(function)
    except (OSError, TypeError):
        text = f"Could not find source for function: {function}. Debug line information may be inaccurate."
        warnings.warn(NumbaDebugInfoWarning(text), stacklevel=level_of_the_user())


def kernel_name(function, args, uid=1) -> str:
    """The symbol of a kernel or device function at these argument types."""
    from numbra.core.itanium_mangler import mangle

    qualified = f"{function.__module__}.{function.__qualname__}".replace("<locals>", "_3clocals_3e")
    return mangle(qualified, args, uid=uid)


def generate(dispatcher, args, return_type, cc, options, *, abi, name=None):
    """The code of a function for a compute capability: an object with ``ptx``, ``name`` and ``return_type``."""
    if options.debug_info != "none":
        _look_for_source(dispatcher.py_func)
    how = _how(dispatcher, args, cc, options, abi, name)
    return _numbra._device_compile(dispatcher, list(args), return_type, how)


def generate_for_host(dispatcher, args, return_type, cc, options):
    """The code of a kernel for the CPU: an object with ``name``, ``handle`` and ``cooperative``."""
    how = _how(dispatcher, args, cc, options, "host", None)
    how |= {"boundscheck": options.boundscheck, "debug_info": "none"}
    return _numbra._host_kernel_compile(dispatcher, list(args), return_type, how)


def _how(dispatcher, args, cc, options, abi, name):
    return {
        "abi": abi,
        "name": kernel_name(dispatcher.py_func, args) if name is None else name,
        "target": options.target(cc),
        "optimised": options.opt,
        "debug": options.debug,
        "driver": options.driver(cc),
        "debug_info": options.debug_info,
    }


def _compiled(
    pyfunc,
    sig,
    debug=None,
    lineinfo=False,
    device=True,
    fastmath=False,
    cc=None,
    opt=None,
    abi="c",
    abi_info=None,
    output="ptx",
    forceinline=False,
    launch_bounds=None,
):
    from numbra.core import types
    from numbra.core.itanium_mangler import escape_string
    from numbra.core.sigutils import normalize_signature
    from numbra.cuda.dispatcher import CUDADispatcher

    if output not in ("ptx", "ltoir"):
        raise NotImplementedError(f"Unsupported output type: {output}")
    if abi not in ("numba", "c"):
        raise NotImplementedError(f"Unsupported ABI: {abi}")
    if abi == "c" and not device:
        raise NotImplementedError("The C ABI is not supported for kernels")
    if forceinline and not device:
        raise ValueError("Cannot force-inline kernels")
    if forceinline and output != "ltoir":
        raise ValueError("Can only designate forced inlining in LTO-IR")
    if output == "ltoir":
        raise NotImplementedError(
            "numbra makes PTX: LTO-IR is the private format of NVIDIA's compiler. Use output='ptx' and link that"
        )
    options = CodeOptions(debug, opt, lineinfo, fastmath, launch_bounds)
    args, return_type = normalize_signature(sig)
    dispatcher = pyfunc if isinstance(pyfunc, _numbra.Dispatcher) else CUDADispatcher(pyfunc, {"device": device})
    if not device:
        if return_type is not None and return_type != types.none:
            raise TypeError("CUDA kernel must have void return type.")
        kind, name = "kernel", None
    else:
        kind = abi
        name = (abi_info or {}).get("abi_name") or escape_string(dispatcher.py_func.__name__) if abi == "c" else None
    return generate(dispatcher, args, return_type, cc or default_cc(), options, abi=kind, name=name)


def _takes(of, without=(), **defaults):
    """Decorator: the function takes what another one does, by place or name, and gets all of it by name.

    Some parameters are left out, and some have other defaults.
    """
    parameters = inspect.signature(of).parameters.values()
    signature = inspect.Signature(
        [p.replace(default=defaults.get(p.name, p.default)) for p in parameters if p.name not in without]
    )

    def decorate(function):
        @functools.wraps(function)
        def call(*args, **options):
            bound = signature.bind(*args, **options)
            bound.apply_defaults()
            return function(**bound.arguments)

        call.__signature__ = signature
        return call

    return decorate


@_takes(_compiled)
def compile(**request):
    """``(code, return type)`` of a Python function for a GPU; neither a GPU nor a driver is needed.

    ``device``: a function for other device code, else a kernel. ``abi``: ``"c"`` or ``"numba"``;
    ``abi_info={"abi_name": ..}`` names the C function. ``output``: ``"ptx"``. ``cc``: compute capability, such as
    ``(8, 0)`` or ``(9, 0, "a")``.
    """
    code = _compiled(**request)
    return code.ptx, code.return_type


@_takes(compile, without=("output",), device=False, abi="numba")
def compile_ptx(**request):
    """``(PTX, return type)``: as :func:`compile`, of a kernel unless ``device`` is set, with Numba's ABI."""
    return compile(**request)


def _current_cc():
    from numbra.cuda.api import get_current_device

    return get_current_device().compute_capability


def compile_for_current_device(pyfunc, sig, **options):
    """As :func:`compile`, for the present device."""
    return compile(pyfunc, sig, cc=_current_cc(), **options)


def compile_ptx_for_current_device(pyfunc, sig, **options):
    """As :func:`compile_ptx`, for the present device."""
    return compile_ptx(pyfunc, sig, cc=_current_cc(), **options)


def compile_all(pyfunc, sig, output="ptx", **options):
    """As :func:`compile`, with a list: the code, then that of the declared functions that it calls.

    CUDA C++ comes as the PTX that NVRTC makes of it, all else as it was given.
    """
    from numbra.cuda.cudadrv.linkable_code import CUSource
    from numbra.cuda.cudadrv.linker import compiled_source
    from numbra.cuda.declared import pieces_of

    cc = options.get("cc") or default_cc()
    code = _compiled(pyfunc, sig, output=output, **options)
    pieces = pieces_of((), code.declared)
    others = [compiled_source(piece, cc) if isinstance(piece, CUSource) else piece for piece in pieces]
    return [code.ptx, *others], code.return_type
