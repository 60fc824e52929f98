"""``cuda.jit`` and ``cuda.declare_device``."""

from numbra._named import names_of
from numbra.core import config

__getattr__ = names_of(__name__)

_DEPRECATED = "Deprecated keyword argument `{0}`. Signatures should be passed as the first positional argument."


def jit(
    func_or_sig=None,
    device=False,
    inline="never",
    forceinline=False,
    link=(),
    debug=None,
    opt=None,
    lineinfo=False,
    cache=False,
    launch_bounds=None,
    lto=None,
    shared_memory_carveout=None,
    **kws,
):
    """Compiles a function for GPUs: a kernel, or with ``device=True`` a function that kernels call.

    Parameters
    ----------
    func_or_sig
        A function; or a signature, or a list of them, to compile at once.
    device : bool
        The function is called by kernels.
    inline : {"never", "always"}
        Whether callers take the function in as Numba IR; ``forceinline`` as machine code.
    link
        Files or sources with functions that the code calls.
    debug, lineinfo : bool
        Tell debuggers and profilers where code comes from; with ``debug`` launches raise the exceptions of kernels.
    opt : bool
        Whether code is optimised.
    cache : bool
        Keeps code in files between processes.
    launch_bounds : int or tuple
        Threads of a block at most, blocks of a multiprocessor at least.
    shared_memory_carveout : int or str
        Share of the cache that is to be shared memory.
    lto
        Refused: kernels are compiled whole.
    **kws
        ``fastmath``, ``max_registers``, ``extensions``, ``boundscheck`` (for kernels on the CPU).

    Returns
    -------
    CUDADispatcher
        Or, where no function is given, a decorator that makes one. ``kernel[blocks, threads](...)`` launches.

    Examples
    --------
    >>> from numbra import cuda
    >>> @cuda.jit
    ... def axpy(a, x, y):
    ...     i = cuda.grid(1)
    ...     if i < x.size:
    ...         y[i] += a * x[i]
    """
    from numbra.core import errors

    for name in ("argtypes", "restype", "bind"):
        if name in kws:
            raise errors.DeprecationError(_DEPRECATED.format(name))
    if kws.get("boundscheck") and config.CUDA_TARGET != "cpu":
        raise NotImplementedError("bounds checking is not supported for CUDA")
    if link and config.ENABLE_CUDASIM:
        raise NotImplementedError("Cannot link PTX in the simulator")
    if device and kws.get("link"):
        raise ValueError("link keyword invalid for device function")
    if lto:
        raise RuntimeError(
            "LTO requires nvjitlink, which is not available: numbra compiles kernels to PTX, whole, and links nothing"
        )
    options = {
        "device": device,
        "link": _linkable(link),
        "inline": _inline(inline),
        "forceinline": forceinline,
        "debug": debug,
        "opt": opt,
        "lineinfo": lineinfo,
        "cache": cache,
        "launch_bounds": launch_bounds,
        "shared_memory_carveout": _carveout(shared_memory_carveout),
        "fastmath": kws.pop("fastmath", False),
        "max_registers": kws.pop("max_registers", None),
        "boundscheck": kws.pop("boundscheck", None),
        "extensions": kws.pop("extensions", None) or [],
    }
    # The last two are Numba's own, of how LLVM treats code that is debugged.
    for ignored in ("nopython", "_dbg_optnone", "_dbg_extend_lifetimes"):
        kws.pop(ignored, None)
    if kws:
        raise KeyError(f"Unrecognized options: {kws}. Known options are {sorted(options)}")

    def decorate(function, signatures=None):
        from numbra.cuda.dispatcher import CUDADispatcher

        if isinstance(function, CUDADispatcher):
            function = function.py_func
        made = CUDADispatcher(function, options)
        if cache and not config.ENABLE_CUDASIM:
            made.enable_caching()
        if signatures is not None:
            many = isinstance(signatures, list)
            for signature in signatures if many else [signatures]:
                made.compile_signature(signature)
            made.freeze(specialized=not many and not device)
        return made

    if func_or_sig is None:
        return decorate
    if isinstance(func_or_sig, list):
        return lambda function: decorate(function, func_or_sig)
    from numbra.core.sigutils import is_signature

    if is_signature(func_or_sig):
        return lambda function: decorate(function, func_or_sig)
    return decorate(func_or_sig)


def _inline(inline):
    if isinstance(inline, bool):
        return "always" if inline else "never"
    if inline not in ("always", "never") and not callable(inline):
        raise ValueError(f"inline must be 'always', 'never' or a callable, not {inline!r}")
    return inline


def _carveout(value):
    """Percent of the L1 cache that is to be shared memory; -1 leaves it to the driver."""
    if value is None:
        return None
    if isinstance(value, str):
        named = {"default": -1, "maxl1": 0, "maxshared": 100}
        if value.lower() not in named:
            raise ValueError(f"Invalid carveout value: {value}. Must be 'default', 'MaxL1', 'MaxShared' or -1..100")
        return named[value.lower()]
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"shared_memory_carveout must be str or int, not {type(value).__name__}")
    if not -1 <= value <= 100:
        raise ValueError(f"Invalid carveout value: {value}: it must be between -1 and 100")
    return value


def _linkable(link):
    """Code to be linked into kernels, from files or in memory."""
    if not link:
        return ()
    from numbra.cuda.cudadrv.linkable_code import LinkableCode

    return tuple(LinkableCode.from_path_or_obj(item) for item in link)


def declare_device(name, sig, link=None, use_cooperative=False, abi="numba"):
    """A device function that other code defines, for kernels to call.

    ``sig`` has its result type, as in ``"int32(float32, int64)"``. ``abi`` is ``"c"``, for ``result name(args..)``,
    or ``"numba"``, for ``int name(result *, args..)``. ``link`` is the code, one piece or several, of files or in
    memory; it is linked to the kernels that call it. With ``use_cooperative`` these are launched cooperatively.
    """
    from numbra.cuda.declared import declared

    return declared(name, sig, link, use_cooperative, abi)
