"""Shapes and strides of arrays without memory: slicing, reshaping and contiguity.

An :class:`Array` holds a NumPy array over addresses that nobody may touch, and has NumPy do the sums. Only operations
that cannot but give views are asked for; reshaping is not one of them.
"""

import itertools
import math
import operator
from collections import namedtuple

import numpy as np
from numbra._named import names_of
from numbra.cuda.cudadrv.layout import contiguous_strides

__getattr__ = names_of(__name__)

Extent = namedtuple("Extent", ["begin", "end"])
Extent.__doc__ = "Bytes from ``begin`` up to ``end``."

#: Where offset 0 lies: far from anything, and with room below.
_BASE = 1 << 46


class _Interface:
    def __init__(self, offset, shape, strides, itemsize):
        self.__array_interface__ = {
            "version": 3,
            "data": (_BASE + offset, True),
            "shape": shape,
            "strides": strides,
            "typestr": f"|V{itemsize}",
        }


def _basic_index(item) -> tuple:
    """An index of whole numbers, slices, ``...`` and ``None``, as a tuple."""
    items = item if isinstance(item, tuple) else (item,)
    for part in items:
        if part is None or part is Ellipsis or isinstance(part, slice):
            continue
        if isinstance(part, (bool, np.bool_, np.ndarray, list)):
            raise TypeError(f"device arrays are indexed by integers, slices and ..., not {type(part).__name__}")
        operator.index(part)
    return items


class Element:
    """One element of an array."""

    is_array = False

    def __init__(self, extent):
        self.extent = extent
        self.offset = extent.begin

    def iter_contiguous_extent(self):
        """The element's bytes."""
        yield self.extent


class Array:
    """An array of elements of ``itemsize`` bytes, the first of which lies at ``offset``."""

    is_array = True

    @classmethod
    def from_desc(cls, offset, shape, strides, itemsize):
        """An array of a shape and strides in bytes."""
        return cls(np.asarray(_Interface(offset, tuple(shape), tuple(strides), itemsize)))

    def __init__(self, ghost):
        self._ghost = ghost

    @property
    def shape(self) -> tuple:
        """Lengths of the dimensions."""
        return self._ghost.shape

    @property
    def strides(self) -> tuple:
        """Distances of elements in bytes."""
        return self._ghost.strides

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self._ghost.ndim

    @property
    def size(self) -> int:
        """Number of elements."""
        return self._ghost.size

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return self._ghost.itemsize

    @property
    def offset(self) -> int:
        """Where the first element lies."""
        return self._ghost.__array_interface__["data"][0] - _BASE

    @property
    def extent(self) -> Extent:
        """What the array spans."""
        begin = end = self.offset
        if self.size:
            end += self.itemsize
            for length, stride in zip(self.shape, self.strides, strict=True):
                if stride < 0:
                    begin += (length - 1) * stride
                else:
                    end += (length - 1) * stride
        return Extent(begin, end)

    @property
    def is_c_contig(self) -> bool:
        """Whether the elements lie one after the other in row-major order."""
        return self._ghost.flags.c_contiguous

    @property
    def is_f_contig(self) -> bool:
        """Whether the elements lie one after the other in column-major order."""
        return self._ghost.flags.f_contiguous

    @property
    def is_contig(self) -> bool:
        """Whether the elements lie one after the other in either order."""
        return self.is_c_contig or self.is_f_contig

    @property
    def flags(self) -> dict:
        """Contiguity by NumPy's names."""
        return {"C_CONTIGUOUS": self.is_c_contig, "F_CONTIGUOUS": self.is_f_contig}

    def __repr__(self):
        return f"<Array dims={self.shape} strides={self.strides} itemsize={self.itemsize}>"

    def __getitem__(self, item):
        items = _basic_index(item)
        # With `...`, NumPy gives a view where it would read an element.
        whole = any(part is Ellipsis for part in items)
        view = self._ghost[items if whole else (*items, ...)]
        if view.ndim == 0 and not whole:
            offset = view.__array_interface__["data"][0] - _BASE
            return Element(Extent(offset, offset + self.itemsize))
        return Array(view)

    def __iter__(self):
        return (self[i] for i in range(self.shape[0]))

    def __len__(self):
        return self.shape[0]

    def iter_contiguous_extent(self):
        """The stretches of memory that the array is made of, in row-major order."""
        if self.is_contig:
            yield self.extent
            return
        # The last dimensions that lie one after the other make one stretch.
        run, inner = self.itemsize, self.ndim
        while inner and (self.shape[inner - 1] == 1 or self.strides[inner - 1] == run):
            inner -= 1
            run *= self.shape[inner]
        for index in itertools.product(*map(range, self.shape[:inner])):
            begin = self.offset + sum(i * stride for i, stride in zip(index, self.strides[:inner], strict=True))
            yield Extent(begin, begin + run)

    def reshape(self, *newdims, order="C"):
        """The same elements in another shape, and the stretches of memory they are in.

        A length of -1 is computed. ``NotImplementedError`` where elements would have to move.
        """
        if len(newdims) == 1 and isinstance(newdims[0], (tuple, list)):
            newdims = tuple(newdims[0])
        newdims = self._complete(tuple(map(operator.index, newdims)))
        if order == "F":
            turned = Array(self._ghost.T)._reshape_c(newdims[::-1])
            view = Array(turned._ghost.T)
        elif order == "C":
            view = self._reshape_c(newdims)
        else:
            raise NotImplementedError(f"order {order!r}: only 'C' and 'F' are supported")
        return view, list(self.iter_contiguous_extent()) if self.is_contig else [self.extent]

    def _complete(self, newdims):
        if newdims.count(-1) > 1:
            raise ValueError("can only specify one unknown dimension")
        if -1 in newdims:
            known = math.prod(n for n in newdims if n != -1)
            if known <= 0 or self.size % known:
                raise ValueError(
                    f"cannot infer valid shape for unknown dimension: size {self.size} into shape {newdims}"
                )
            newdims = tuple(self.size // known if n == -1 else n for n in newdims)
        if min(newdims, default=0) < 0 or math.prod(newdims) != self.size:
            raise ValueError(f"cannot reshape array of size {self.size} into shape {newdims}")
        return newdims

    def _reshape_c(self, newdims):
        strides = _strides_of_reshaped(self.shape, self.strides, newdims, self.itemsize)
        if strides is None:
            raise NotImplementedError("operation requires copying")
        return Array.from_desc(self.offset, newdims, strides, self.itemsize)

    def squeeze(self, axis=None):
        """The array without dimensions of length 1, or without those given; and the memory it is in."""
        try:
            view = self._ghost.squeeze(axis)
        except ValueError:
            raise ValueError("cannot select an axis to squeeze out which has size not equal to one") from None
        return Array(view), [self.extent]

    def ravel(self, order="C"):
        """The elements in one dimension, and the memory they are in."""
        if order == "A":
            order = "F" if self.is_f_contig and not self.is_c_contig else "C"
        if order not in ("C", "F"):
            raise NotImplementedError(f"order {order!r}: only 'C', 'F' and 'A' are supported")
        if self.ndim <= 1:
            return self, [self.extent]
        return self.reshape(self.size, order=order)


def _strides_of_reshaped(shape, strides, newshape, itemsize):
    """Strides of the same elements in another shape, in row-major order; None where elements would have to move."""
    if 0 in shape:
        return contiguous_strides(newshape, itemsize, "C")
    # Dimensions that one step runs through become one: pairs of length and step.
    runs = []
    for length, step in zip(shape, strides, strict=True):
        if length == 1:
            continue
        if runs and runs[-1][1] == length * step:
            runs[-1] = (runs[-1][0] * length, step)
        else:
            runs.append((length, step))
    # The new dimensions take from the runs, last first.
    left, step = 1, itemsize
    made = []
    for length in reversed(newshape):
        if length > 1:
            if left == 1:
                left, step = runs.pop()
            if left % length:
                return None
        made.append(step)
        step *= length
        left //= length
    return tuple(reversed(made))


def is_element_indexing(item, ndim) -> bool:
    """Whether an index of an array of ``ndim`` dimensions gives an element."""
    items = item if isinstance(item, tuple) else (item,)
    return len(items) == ndim and all(not isinstance(part, slice) and part is not Ellipsis for part in items)
