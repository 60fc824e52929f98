"""``stencil``, and what it makes."""

from itertools import count

from numbra import _numbra
from numbra._named import names_of
from numbra.core.dispatcher import CPUDispatcher
from numbra.core.extending import register_jitable

_OPTIONS = ("cval", "standard_indexing", "neighborhood")


def _refused(message):
    from numbra.core.errors import NumbaValueError

    return NumbaValueError(message)


def _neighborhood(given):
    """The distances along each axis as plain integers."""
    from operator import index

    try:
        return tuple([(index(down), index(up)) for down, up in given])
    except (TypeError, ValueError):
        should = "stencil neighborhood option should be a tuple of two integers for each axis, such as ((-1, 1),)"
        raise _refused(f"{should}, not {given}") from None


class StencilFunc(CPUDispatcher):
    """A stencil. Calling it applies its kernel to every element of the first array, and gives a new array.

    With ``out=`` the result goes into that array. The element type of a new one is the type that the kernel returns.
    """

    id_counter = count()

    def __new__(cls, kernel, options=None):
        """A stencil of a kernel, with the options of :func:`stencil`."""
        options = {} if options is None else options
        compiler = {"standard_indexing": list(options.get("standard_indexing", ()))}
        if options.get("neighborhood") is not None:
            compiler["neighborhood"] = _neighborhood(options["neighborhood"])
        if "cval" in options:
            compiler["cval"] = options["cval"]
        self = super().__new__(cls, kernel, stencil=compiler)
        self.targetoptions = self.options = options
        self.id = next(cls.id_counter)
        self.mode = "constant"
        self.neighborhood = compiler.get("neighborhood")
        self.kws = []
        return self

    def __repr__(self):
        return f"<stencil {self.__module__}.{self.__qualname__}>"

    @property
    def name(self):
        """Numba's name for it in messages."""
        return f"(stencil {self.__name__})"


_numbra._enable_vectorcall(StencilFunc)


def stencil(func_or_mode="constant", **options):
    """Makes a kernel, a function of the neighbours of one element, a function over whole arrays.

    In the kernel subscripts of arrays are distances from the element: ``a[-1, 0]`` is the one above. It is called
    for each element whose neighbours all are in the array; around these the result is ``cval``.
    All spellings work: ``@stencil``, ``@stencil(...)``, ``stencil(function, ...)``, in Python and in compiled code.

    Parameters
    ----------
    func_or_mode
        The kernel; or ``"constant"``, the only mode there is.
    neighborhood : tuple
        How far the kernel reaches along each axis, ``((-1, 1), (0, 2))``. Needed where its subscripts are not constant.
    standard_indexing : tuple of str
        Parameters whose subscripts count from the start of the array, as elsewhere.
    cval : number
        What the result has where a neighbour is not in the array; 0 unless given. With ``out=``, these elements are
        left alone unless it is given.

    Returns
    -------
    StencilFunc
        Or, where no function is given, a decorator that makes one.

    Examples
    --------
    >>> import numbra as nb
    >>> import numpy as np
    >>> @nb.stencil
    ... def mean(a):
    ...     return (a[-1] + a[0] + a[1]) / 3
    >>> mean(np.array([1.0, 2.0, 6.0, 1.0]))
    array([0., 3., 3., 0.])
    """
    mode = func_or_mode if isinstance(func_or_mode, str) else "constant"
    unknown = [name for name in options if name not in _OPTIONS]
    if unknown:
        raise _refused(f"Unknown stencil option {unknown[0]}")
    if mode != "constant":
        raise _refused(f"Unsupported mode style {mode}")

    def decorate(function):
        kernel = function.py_func if isinstance(function, CPUDispatcher) else function
        if not hasattr(kernel, "__code__"):
            raise TypeError(f"The kernel of a stencil is a function (got type {type(function)}).")
        return StencilFunc(kernel, options)

    return decorate if isinstance(func_or_mode, str) else decorate(func_or_mode)


@register_jitable
def raise_if_incompatible_array_sizes(a, *args):
    """ValueError where one of ``args`` has not the axes of ``a``, or is smaller along one of them."""
    for other in args:
        if a.ndim != other.ndim:
            raise ValueError(
                "Secondary stencil array does not have same number  of dimensions as the first stencil input."
            )
        for extent, other_extent in zip(a.shape, other.shape):  # noqa: B905
            if extent > other_extent:
                raise ValueError(
                    "Secondary stencil array has some dimension smaller the same dimension in the first stencil input."
                )


def slice_addition(the_slice, addend):
    """A slice moved by ``addend``."""
    return slice(the_slice.start + addend, the_slice.stop + addend)


__getattr__ = names_of(__name__)
