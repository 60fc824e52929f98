"""``jit`` and ``njit``."""

from numbra._named import names_of
from numbra.core import config
from numbra.core.dispatcher import CPUDispatcher


def jit(signature_or_function=None, locals=None, cache=False, pipeline_class=None, boundscheck=None, **options):
    """Compiles a function for each combination of argument types it is called with.

    ``signature_or_function``: a function, or a signature (string, tuple, ``Signature``) or a list of them to compile
    at once. Options are Numba's; see the manual.
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


def njit(*args, **kws):
    """``jit`` with ``nopython=True``."""
    import warnings

    for name in ("nopython", "forceobj"):
        if name in kws:
            warnings.warn(f"{name} is set for njit and is ignored", RuntimeWarning, stacklevel=2)
            del kws[name]
    return jit(*args, nopython=True, **kws)


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
    """Compiles every function of the calling module."""
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
