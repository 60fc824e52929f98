"""Ufuncs on devices: which kernel arguments fit and how they are broadcast.

Nothing here touches a device: `vectorizers` does, with the arrays and kernels of ``numbra.cuda``.
"""

import math

import numpy as np
from numbra._named import names_of
from numbra.core import types
from numbra.np.ufunc.sigparse import parse_signature

__getattr__ = names_of(__name__)


def broadcast_shapes(*shapes):
    """The shape that all broadcast to, as NumPy has it."""
    result = shapes[0]
    for number, shape in enumerate(shapes[1:], 1):
        try:
            result = np.broadcast_shapes(result, shape)
        except ValueError:
            raise ValueError(f"failed to broadcast argument #{number}") from None
    return result


def to_dtype(ty) -> np.dtype:
    """The dtype of elements of a type."""
    from numbra.np.numpy_support import as_dtype

    return np.dtype(as_dtype(ty.dtype if isinstance(ty, types.EnumMember) else ty))


def select_signature(signatures, dtypes, scalars):
    """The one of `signatures` for a ufunc's arguments: `dtypes` has None for Python's numbers, which are in `scalars`.

    Arrays are not cast. A number has the dtype that NumPy gives it, or else any.
    """
    exact = tuple(
        np.asarray(scalar).dtype if dtype is None else dtype for dtype, scalar in zip(dtypes, scalars, strict=True)
    )
    found = [signature for signature in signatures if None in dtypes and signature == exact]
    if not found:
        found = [
            signature
            for signature in signatures
            if len(signature) == len(dtypes)
            and all(dtype is None or dtype == formal for dtype, formal in zip(dtypes, signature, strict=True))
        ]
    if not found:
        raise TypeError(
            "No matching version.  GPU ufunc requires array arguments to have the exact types.  "
            "This behaves like regular ufunc with casting='no'."
        )
    if len(found) > 1:
        raise TypeError(
            "Failed to resolve ufunc due to ambiguous signature. Too many untyped scalars. "
            "Use numpy dtype object to type tag."
        )
    return found[0]


def select_gufunc_signature(signatures, dtypes):
    """The one of `signatures` for a gufunc's arguments: their dtypes, or the first that these could have come from."""
    if dtypes in signatures:
        return dtypes
    for signature in signatures:
        # Numba asks the question this way round: float64 goes to a kernel of float32.
        if all(np.can_cast(formal, actual) for formal, actual in zip(signature, dtypes, strict=True)):
            return signature
    raise TypeError("no matching signature")


def gufunc_outer_types(argtypes, dims):
    """The types of a gufunc kernel's arguments: with one axis more, along which it loops."""
    for argtype, ndim in zip(argtypes, dims, strict=True):
        if isinstance(argtype, types.Array):
            yield argtype.copy(ndim=ndim + 1)
        elif ndim > 0:
            raise ValueError("gufunc signature mismatch: ndim>0 for scalar")
        else:
            yield types.Array(dtype=argtype, ndim=1, layout="A")


class GUFuncSchedule:
    """How a gufunc loops over its arguments."""

    def __init__(self, parent, ishapes, oshapes, loopdims, pinned):
        self.parent = parent
        #: The core shapes of the inputs and of the outputs.
        self.ishapes, self.oshapes = ishapes, oshapes
        #: The shape of the loop, and how many places it has.
        self.loopdims, self.loopn = loopdims, math.prod(loopdims)
        #: For each input, whether it is the same at every place.
        self.pinned = pinned
        self.output_shapes = [loopdims + shape for shape in oshapes]

    def __str__(self):
        return str({name: getattr(self, name) for name in ("ishapes", "oshapes", "loopdims", "loopn", "pinned")})


class GUFuncEngine:
    """The layout of a gufunc: the names of the core axes of its inputs and outputs."""

    @classmethod
    def from_signature(cls, signature):
        """Of ``"(m,n),(n,p)->(m,p)"``."""
        return cls(*parse_signature(signature))

    def __init__(self, inputsig, outputsig):
        self.sin, self.sout = inputsig, outputsig
        self.nin, self.nout = len(inputsig), len(outputsig)

    def schedule(self, ishapes) -> GUFuncSchedule:
        """The loop over inputs of these shapes."""
        if len(ishapes) != self.nin:
            raise TypeError("invalid number of input argument")
        sizes: dict[str, int] = {}
        inner_shapes, outer_shapes = [], []
        for number, (given, names) in enumerate(zip(ishapes, self.sin, strict=True), 1):
            shape = tuple(given)
            outer = len(shape) - len(names)
            if outer < 0:
                raise ValueError(f"arg #{number}: insufficient inner dimension")
            for axis, name in enumerate(names, outer):
                if sizes.setdefault(name, shape[axis]) != shape[axis]:
                    raise ValueError(f"arg #{number}: shape[{axis}] mismatch argument")
            inner_shapes.append(shape[outer:])
            outer_shapes.append(shape[:outer])
        # A shape without elements is one too.
        loopdims = max(outer_shapes, key=lambda shape: (shape not in ((), (1,)), math.prod(shape)))
        pinned = [shape != loopdims for shape in outer_shapes]
        for number, shape in enumerate(outer_shapes, 1):
            if shape not in (loopdims, (1,), ()):
                raise ValueError(f"arg #{number}: outer dimension mismatch")
        oshapes = [tuple(sizes[name] for name in names) for names in self.sout]
        return GUFuncSchedule(self, inner_shapes, oshapes, loopdims, pinned)
