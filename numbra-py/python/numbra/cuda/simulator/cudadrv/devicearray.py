"""Device arrays of the simulator: NumPy arrays behind the interface of those on a GPU."""

import functools
import operator
from contextlib import contextmanager

import numpy as np

DeviceRecord = None
from_record_like = None

errmsg_contiguous_buffer = (
    "Array contains non-contiguous buffer and cannot be transferred as a single memory region. "
    "Please ensure contiguous buffer with numpy .ascontiguousarray()"
)


class FakeShape(tuple):
    """A shape without negative indices, as a kernel's are."""

    __slots__ = ()

    def __getitem__(self, k):
        if isinstance(k, int) and k < 0:
            raise IndexError("tuple index out of range")
        return super().__getitem__(k)


def _array_of(value):
    """The NumPy array behind a device array; any other value as it is."""
    if isinstance(value, FakeWithinKernelCUDAArray):
        value = value._item
    return value._ary if isinstance(value, FakeCUDAArray) else value


def _call_ufunc(ufunc, method, args, kwargs):
    if kwargs.get("out"):
        kwargs["out"] = tuple(map(_array_of, kwargs["out"]))
    return getattr(ufunc, method)(*map(_array_of, args), **kwargs)


class FakeWithinKernelCUDAArray:
    """An array in a kernel, where fields of records are attributes as well."""

    def __init__(self, item):
        self.__dict__["_item"] = item

    @staticmethod
    def _wrapped(value):
        return FakeWithinKernelCUDAArray(value) if isinstance(value, FakeCUDAArray) else value

    def __getattr__(self, attrname):
        item = self.__dict__["_item"]
        names = item._ary.dtype.names
        if names is not None and attrname in names:
            return self._wrapped(item[attrname])
        return self._wrapped(getattr(item, attrname))

    def __setattr__(self, attrname, value):
        self._item[attrname] = _array_of(value)

    def __getitem__(self, idx):
        return self._wrapped(self._item[idx])

    def __setitem__(self, idx, value):
        self._item[idx] = value

    def __len__(self):
        return len(self._item)

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self._item._ary, dtype)

    def __array_ufunc__(self, ufunc, method, *args, **kwargs):
        return _call_ufunc(ufunc, method, args, kwargs)

    def __repr__(self):
        return repr(self._item)


class FakeCUDAArray:
    """A device array, or a record of one, over NumPy's."""

    __cuda_ndarray__ = True

    def __init__(self, ary, stream=0):
        self._ary = ary
        self.stream = stream

    @functools.cached_property
    def _numba_type_(self):
        from numbra.core import types
        from numbra.np.numpy_support import from_dtype

        broadcast = 0 in self._ary.strides and self._ary.size != 0
        layout = "A" if broadcast else "C" if self.is_c_contiguous() else "F" if self.is_f_contiguous() else "A"
        return types.Array(from_dtype(self._ary.dtype), self._ary.ndim, layout)

    def __getattr__(self, attrname):
        if attrname == "_ary":  # not made yet: while it is copied or unpickled
            raise AttributeError(attrname)
        try:
            return getattr(self._ary, attrname)
        except AttributeError as error:
            raise AttributeError(f"Wrapped array has no attribute '{attrname}'") from error

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("`copy=False` is not supported. A copy is always created.")
        return np.array(self._ary, dtype)

    def __array_ufunc__(self, ufunc, method, *args, **kwargs):
        return _call_ufunc(ufunc, method, args, kwargs)

    @property
    def alloc_size(self):
        return self._ary.nbytes

    @property
    def nbytes(self):
        return self._ary.nbytes

    @property
    def shape(self):
        return FakeShape(self._ary.shape)

    @property
    def T(self):
        return self.transpose()

    def bind(self, stream=0):
        """The array on another stream."""
        return FakeCUDAArray(self._ary, stream)

    def transpose(self, axes=None):
        """As NumPy's."""
        return FakeCUDAArray(np.transpose(self._ary, axes=axes))

    def ravel(self, *args, **kwargs):
        """As NumPy's."""
        return FakeCUDAArray(self._ary.ravel(*args, **kwargs))

    def reshape(self, *args, **kwargs):
        """As NumPy's."""
        return FakeCUDAArray(self._ary.reshape(*args, **kwargs))

    def view(self, *args, **kwargs):
        """As NumPy's."""
        return FakeCUDAArray(self._ary.view(*args, **kwargs))

    def squeeze(self, axis=None, stream=0):
        """As NumPy's."""
        return FakeCUDAArray(self._ary.squeeze(axis))

    def split(self, section, stream=0):
        """Parts of `section` elements."""
        return [FakeCUDAArray(part) for part in np.split(self._ary, range(section, len(self), section))]

    def is_c_contiguous(self):
        """Whether it is laid out as C has it."""
        return self._ary.flags.c_contiguous

    def is_f_contiguous(self):
        """Whether it is laid out as Fortran has it."""
        return self._ary.flags.f_contiguous

    def __getitem__(self, idx):
        value = self._ary[idx]
        return FakeCUDAArray(value, self.stream) if isinstance(value, (np.ndarray, np.void)) else value

    def __setitem__(self, idx, value):
        self._ary[idx] = _array_of(value)

    def getitem(self, item, stream=0):
        """The same as indexing."""
        return self[item]

    def setitem(self, key, value, stream=0):
        """The same as assigning to an index."""
        self[key] = value

    def copy_to_host(self, ary=None, stream=0):
        """Copies to `ary`, or to a new array; gives it."""
        if ary is None:
            ary = np.empty_like(self._ary)
        else:
            check_array_compatibility(self, ary)
        np.copyto(ary, self._ary)
        return ary

    def copy_to_device(self, ary, stream=0):
        """Copies `ary` in, of the same shape and layout."""
        sentry_contiguous(self._ary)
        target, source = array_core(self._ary), array_core(_array_of(ary))
        if isinstance(ary, FakeCUDAArray):
            sentry_contiguous(source)
        else:
            source = np.asarray(source, order="C" if target.flags.c_contiguous else "F")
        check_array_compatibility(target, source)
        np.copyto(target, source)

    def __len__(self):
        return len(self._ary)

    def __str__(self):
        return str(self._ary)

    def __repr__(self):
        return repr(self._ary)

    __hash__ = None


def _binary(function):
    def method(self, other):
        return FakeCUDAArray(function(self._ary, _array_of(other)))

    return method


for _name in ["eq", "ne", "lt", "le", "gt", "ge", "add", "sub", "mul", "floordiv", "truediv", "mod", "pow"]:
    setattr(FakeCUDAArray, f"__{_name}__", _binary(getattr(operator, _name)))


def array_core(ary):
    """The array without its repeated parts: one element of each axis that is broadcast."""
    if not ary.strides or not ary.size:
        return ary
    return ary[tuple(0 if stride == 0 else slice(None) for stride in ary.strides)]


def is_contiguous(ary) -> bool:
    """Whether it is laid out as C has it, broadcast axes and those of one element left out."""
    expected = ary.dtype.itemsize
    for size, stride in zip(reversed(ary.shape), reversed(ary.strides), strict=True):
        if size > 1 and stride != 0:
            if stride != expected:
                return False
            expected *= size
    return True


def sentry_contiguous(ary) -> None:
    """Raises a ValueError where the array is not one stretch of memory."""
    flags = array_core(ary).flags
    if not flags["C_CONTIGUOUS"] and not flags["F_CONTIGUOUS"]:
        raise ValueError(errmsg_contiguous_buffer)


def check_array_compatibility(ary1, ary2) -> None:
    """Raises where one cannot be copied to the other byte by byte."""
    first, second = ary1.squeeze(), ary2.squeeze()
    if ary1.dtype != ary2.dtype:
        raise TypeError(f"incompatible dtype: {ary1.dtype} vs. {ary2.dtype}")
    if tuple(first.shape) != tuple(second.shape):
        raise ValueError(f"incompatible shape: {ary1.shape} vs. {ary2.shape}")
    if first.strides != second.strides:
        raise ValueError(f"incompatible strides: {ary1.strides} vs. {ary2.strides}")


def to_device(obj, stream=0, copy=True, to=None):
    """A device array with a copy of `obj` in it, laid out alike; or a copy to `to`."""
    if to is not None:
        to.copy_to_device(obj, stream=stream)
        return to
    ary = np.asanyarray(_array_of(obj))
    sentry_contiguous(ary)
    core = array_core(ary)
    # Dates have no buffer that an array could be made over.
    memory = np.copy(core).view(np.int64) if ary.dtype.kind in "mM" else np.copy(core)
    device = np.ndarray(ary.shape, ary.dtype, memory, strides=ary.strides).view(type=type(ary))
    return FakeCUDAArray(device, stream)


def auto_device(obj, stream=0, copy=True):
    """The device array, and whether it had to be made."""
    if isinstance(obj, FakeCUDAArray):
        return obj, False
    return to_device(obj, stream, copy), True


def device_array(shape, dtype=np.float64, strides=None, order="C", stream=0):
    """A device array with any values in it."""
    return FakeCUDAArray(np.ndarray(shape, dtype, strides=strides, order=order), stream=stream)


def pinned_array(shape, dtype=np.float64, strides=None, order="C"):
    """An array."""
    return np.ndarray(shape, dtype, strides=strides, order=order)


managed_array = pinned_array


def mapped_array(shape, dtype=np.float64, strides=None, order="C", stream=0, portable=False, wc=False):
    """A device array with any values in it."""
    return device_array(shape, dtype, strides, order, stream)


@contextmanager
def pinned(*arylist):
    """Nothing to do: no memory is moved."""
    yield


@contextmanager
def mapped(*arylist, stream=0):
    """Device arrays over the arrays themselves."""
    devices = [FakeCUDAArray(ary, stream) for ary in arylist]
    yield devices[0] if len(devices) == 1 else devices


def _layout_like(ary) -> dict:
    """The strides and the order of a new contiguous array whose axes lie in memory as those of `ary`."""
    flags = ary.flags
    if flags["C_CONTIGUOUS"] or flags["F_CONTIGUOUS"] or ary.ndim <= 1:
        only_f = flags["F_CONTIGUOUS"] and not flags["C_CONTIGUOUS"]
        return {"strides": None, "order": "F" if only_f else "C"}
    strides, step = [0] * ary.ndim, ary.dtype.itemsize
    for axis in sorted(range(ary.ndim), key=lambda axis: ary.strides[axis]):
        strides[axis] = step
        step *= ary.shape[axis]
    return {"strides": tuple(strides), "order": "C"}


def device_array_like(ary, stream=0):
    """A device array of the same shape and type, laid out alike."""
    return device_array(tuple(ary.shape), ary.dtype, stream=stream, **_layout_like(ary))


def pinned_array_like(ary):
    """An array of the same shape and type, laid out alike."""
    return pinned_array(tuple(ary.shape), ary.dtype, **_layout_like(ary))


def mapped_array_like(ary, stream=0, portable=False, wc=False):
    """A device array of the same shape and type, laid out alike."""
    return device_array_like(ary, stream)


def is_cuda_ndarray(obj) -> bool:
    """Whether it is a device array."""
    return getattr(obj, "__cuda_ndarray__", False)


def require_cuda_ndarray(obj) -> None:
    """Raises a ValueError where it is no device array."""
    if not is_cuda_ndarray(obj):
        raise ValueError("require an cuda ndarray object")


def verify_cuda_ndarray_interface(obj) -> None:
    """Raises where it lacks what a device array has."""
    require_cuda_ndarray(obj)
    for name, kind in {"shape": tuple, "strides": tuple, "dtype": np.dtype, "size": int}.items():
        if not hasattr(obj, name):
            raise AttributeError(name)
        if not isinstance(getattr(obj, name), kind):
            raise AttributeError(f"{name} must be of type {kind}")
