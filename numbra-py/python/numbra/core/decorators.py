"""``jit`` and ``njit``."""

from numbra._named import names_of
from numbra.core import config
from numbra.core.dispatcher import CPUDispatcher


def jit(signature_or_function=None, locals=None, cache=False, pipeline_class=None, boundscheck=None, **options):
    """As :func:`njit`, with two more options.

    Parameters
    ----------
    signature_or_function, locals, cache, pipeline_class, boundscheck, **options
        As of :func:`njit`.
    nopython : bool
        Nothing changes: functions are compiled whole, or the call says why not.
    forceobj : bool
        The interpreter runs the function, in Numba's words "object mode".

    Returns
    -------
    Dispatcher
        Or, where no function is given, a decorator that makes one.

    Examples
    --------
    >>> import numbra as nb
    >>> @nb.jit(nopython=True)
    ... def twice(x):
    ...     return 2 * x
    >>> twice(21)
    42
    """
    if "argtypes" in options or "restype" in options:
        from numbra.core.errors import DeprecationError

        name = "argtypes" if "argtypes" in options else "restype"
        raise DeprecationError(
            f"Deprecated keyword argument `{name}`. Signatures should be passed as the first positional argument."
        )
    nopython = options.pop("nopython", None)
    if nopython is not None:
        assert type(nopython) is bool, "nopython option must be a bool"
    if nopython is True and options.get("forceobj"):
        raise ValueError("Only one of 'nopython' or 'forceobj' can be True.")
    if nopython is False:
        import warnings

        from numbra.core.errors import NumbaDeprecationWarning

        warnings.warn(
            NumbaDeprecationWarning(
                "The keyword argument 'nopython=False' was supplied. From Numba 0.59.0 the default is True and "
                "supplying this argument has no effect. See the documentation for details."
            ),
            stacklevel=2,
        )
    options["boundscheck"] = boundscheck
    options["locals"] = locals or {}
    if cache:
        options["cache"] = True
    if pipeline_class is not None:
        options["pipeline_class"] = pipeline_class

    if signature_or_function is None:
        signatures, function = None, None
    elif isinstance(signature_or_function, list):
        signatures, function = signature_or_function, None
    else:
        from numbra.core.sigutils import is_signature

        if is_signature(signature_or_function):
            signatures, function = [signature_or_function], None
        else:
            signatures, function = None, signature_or_function

    def decorate(function):
        return _dispatcher(function, signatures, options)

    return decorate if function is None else decorate(function)


def njit(signature_or_function=None, locals=None, cache=False, pipeline_class=None, boundscheck=None, **options):
    """Compiles a function to machine code, for each combination of argument types that it is called with.

    All spellings work: ``@njit``, ``@njit(...)``, ``njit(function)``.

    Parameters
    ----------
    signature_or_function
        The function; or a signature, or a list of them, to compile at once: a text (``"float64(float64[:], int64)"``),
        ``float64(float64[:], int64)``, or a tuple of argument types. The function then takes no others.
    locals : dict
        Types of variables by their names.
    cache : bool
        Keeps machine code in files between processes.
    pipeline_class
        Accepted; a call says that numbra has no pipelines of others.
    boundscheck : bool
        Indices outside of an array raise ``IndexError``.

    Other Parameters
    ----------------
    nogil : bool
        Gives up the global interpreter lock while compiled code runs.
    parallel : bool or dict
        Loops over ``prange`` and expressions of arrays run on all processors.
    fastmath : bool, set or dict
        Floats may be reordered and contracted: sums run in vectors. A set names some of LLVM's flags.
    error_model : {"python", "numpy"}
        Whether division by zero raises, or gives infinity and NaN, which is faster.
    inline : {"never", "always"}
        Whether compiled callers take the function in.
    debug : bool
        Checks indices, and tells debuggers where code comes from.
    tier : {"auto", "cranelift", "llvm"}
        Who makes machine code: Cranelift at once, LLVM, or LLVM in the background for what is hot.
    math : str
        Whose bits mathematical functions give.

    Returns
    -------
    Dispatcher
        Or, where no function is given, a decorator that makes one. Its ``py_func`` is the Python function, its
        ``inspect`` prints any stage of the compiler.

    Examples
    --------
    >>> import numbra as nb
    >>> import numpy as np
    >>> @nb.njit(error_model="numpy")
    ... def mean(x):
    ...     total = 0.0
    ...     for v in x:
    ...         total += v
    ...     return total / x.size
    >>> mean(np.array([1.0, 2.0, 6.0]))
    3.0
    >>> mean.signatures
    [(Array(float64, 1, 'C', False, aligned=True),)]
    """
    import warnings

    for name in ("nopython", "forceobj"):
        if name in options:
            warnings.warn(f"{name} is set for njit and is ignored", RuntimeWarning, stacklevel=2)
            del options[name]
    return jit(signature_or_function, locals, cache, pipeline_class, boundscheck, nopython=True, **options)


def _dispatcher(function, signatures, options):
    if isinstance(function, CPUDispatcher):
        raise TypeError(
            "A jit decorator was called on an already jitted function "
            f"{function}.  If trying to access the original python function, use the "
            f"{function}.py_func attribute."
        )
    if not hasattr(function, "__code__"):
        raise TypeError(f"The decorated object is not a function (got type {type(function)}).")
    if config.DISABLE_JIT:
        return function
    if options.get("forceobj"):
        from numbra.core.object_mode import ObjectModeDispatcher

        dispatcher = ObjectModeDispatcher(function, options)
    else:
        dispatcher = CPUDispatcher(function, options)
        if options.get("cache"):
            dispatcher.enable_caching()
    if signatures is not None and _compiled(dispatcher, signatures):
        dispatcher.disable_compile()
    return dispatcher


def _compiled(dispatcher, signatures) -> bool:
    """Compiles signatures. What is not supported stops no module from loading: it warns, and a call raises; the
    function is not limited to its signatures then."""
    from numbra.core.errors import NumbaWarning, UnsupportedError

    try:
        for signature in signatures:
            dispatcher.compile(signature)
    except UnsupportedError as error:
        import warnings

        message = f"{dispatcher.__qualname__} is not compiled before it is called: {error}"
        warnings.warn(message, NumbaWarning, stacklevel=4)
        return False
    return True


def jit_module(**kwargs):
    """Compiles every function that the calling module has defined so far.

    Parameters
    ----------
    **kwargs
        Options of :func:`jit`.
    """
    import inspect
    import logging

    module = inspect.getmodule(inspect.stack()[1][0])
    logger = logging.getLogger("numba.core.decorators")
    for name, value in list(vars(module).items()):
        if inspect.isfunction(value) and inspect.getmodule(value) == module:
            logger.debug(
                "Auto decorating function %s from module %s with jit and options: %s", value, module.__name__, kwargs
            )
            setattr(module, name, jit(value, **kwargs))


__getattr__ = names_of(__name__)
