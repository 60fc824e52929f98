"""``vectorize`` and ``guvectorize``."""

import inspect

from numbra._named import names_of
from numbra.np.ufunc.dufunc import DUFunc
from numbra.np.ufunc.gufunc import GUFunc
from numbra.np.ufunc.ufuncbuilder import ParallelGUFuncBuilder, ParallelUFuncBuilder


def _target(registry, options):
    target = options.pop("target", "cpu")
    if target not in registry:
        raise ValueError(f"Unsupported target: {target}")
    return registry[target]


def _on_device(name):
    """The class of that name for devices, loaded when it is first asked to make something."""

    def make(*args, **kws):
        from numbra.cuda import vectorizers

        return getattr(vectorizers, name)(*args, **kws)

    return make


class Vectorize:
    """Makes the ufunc object of a target; give it signatures with ``add``, then call ``build_ufunc``."""

    # Numba's name, which extensions add to.
    target_registry = {  # noqa: RUF012 - as the comment says
        "cpu": DUFunc,
        "parallel": ParallelUFuncBuilder,
        "cuda": _on_device("CUDAVectorize"),
    }

    def __new__(cls, func, **kws):
        identity, cache = kws.pop("identity", None), kws.pop("cache", False)
        make = _target(cls.target_registry, kws)
        return make(func, identity=identity, cache=cache, targetoptions=kws)


class GUVectorize:
    """Makes the generalised ufunc object of a target; give it signatures with ``add``, then call ``build_ufunc``."""

    target_registry = {  # noqa: RUF012 - as above
        "cpu": GUFunc,
        "parallel": ParallelGUFuncBuilder,
        "cuda": _on_device("CUDAGUFuncVectorize"),
    }

    def __new__(cls, func, signature, **kws):
        identity, cache = kws.pop("identity", None), kws.pop("cache", False)
        if kws.get("target") == "cuda" and "writable_args" in kws:
            raise TypeError("writable_args are not supported for target='cuda'")
        make = _target(cls.target_registry, kws)
        more = {"writable_args": kws.pop("writable_args", ())}
        if make is GUFunc:
            more["is_dynamic"] = kws.pop("is_dynamic", False)
        return make(func, signature, identity=identity, cache=cache, targetoptions=kws, **more)


def vectorize(ftylist_or_function=(), **kws):
    """A NumPy ufunc of a function of numbers.

    Parameters
    ----------
    ftylist_or_function
        The function, whose loops are compiled when it is called with new types; or a signature or a list of them,
        which are compiled at once and are then the only ones.
    target : {"cpu", "parallel", "cuda"}
        Where the loops run: in the calling thread, on all processors, on a GPU.
    identity : {None, 0, 1, "reorderable"}
        What reductions begin with.
    cache : bool
        Keeps machine code in files between processes.
    **kws
        Other options of :func:`numbra.njit`.

    Returns
    -------
    DUFunc
        Or, where no function is given, a decorator that makes one.

    Examples
    --------
    >>> import numbra as nb
    >>> import numpy as np
    >>> @nb.vectorize
    ... def clipped(x, top):
    ...     return min(x, top)
    >>> clipped(np.arange(4.0), 2.0)
    array([0., 1., 2., 2.])
    """
    if inspect.isfunction(ftylist_or_function):
        return DUFunc(ftylist_or_function, **kws)
    signatures = [ftylist_or_function] if isinstance(ftylist_or_function, str) else list(ftylist_or_function or ())

    def wrap(func):
        made = Vectorize(func, **kws)
        for signature in signatures:
            made.add(signature)
        if signatures:
            made.disable_compile()
        return made.build_ufunc()

    return wrap


def guvectorize(*args, **kwargs):
    """A NumPy generalised ufunc of a kernel that writes its last arguments: ``guvectorize([signatures,] layout)``.

    Parameters
    ----------
    signatures
        Signatures without result, ``"void(float64[:], float64[:])"``, to compile at once. Without them a loop is
        compiled when it is called with new types, with the outputs given.
    layout : str
        The core axes of the operands: ``"(m,n),(n,p)->(m,p)"``.
    writable_args
        Numbers or names of inputs that the kernel writes to.
    **kwargs
        As of :func:`vectorize`.

    Returns
    -------
    decorator
        Makes a ``GUFunc``.

    Examples
    --------
    >>> import numbra as nb
    >>> import numpy as np
    >>> @nb.guvectorize("void(float64[:], float64[:])", "(n)->()")
    ... def largest(x, out):
    ...     out[0] = x.max()
    >>> largest(np.array([[1.0, 3.0], [2.0, 0.0]]))
    array([3., 2.])
    """
    if len(args) == 1:
        signatures, layout = [], args[0]
        kwargs.setdefault("is_dynamic", True)
    elif len(args) == 2:
        signatures, layout = args
    else:
        raise TypeError("guvectorize() takes one or two positional arguments")
    signatures = [signatures] if isinstance(signatures, str) else list(signatures)

    def wrap(func):
        made = GUVectorize(func, layout, **kwargs)
        for signature in signatures:
            made.add(signature)
        if signatures:
            made.disable_compile()
        return made.build_ufunc()

    return wrap


__getattr__ = names_of(__name__)
