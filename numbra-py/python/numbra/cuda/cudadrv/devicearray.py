"""Arrays in device memory."""

import copy
import ctypes
import functools
import math
import warnings

import numpy as np
from numbra._named import names_of
from numbra.core import config
from numbra.cuda.cudadrv import devices, dlpack, dummyarray
from numbra.cuda.cudadrv import driver as _driver
from numbra.cuda.cudadrv.calls import driver_calls as _cuda
from numbra.cuda.cudadrv.hostmem import extents_of
from numbra.cuda.cudadrv.layout import prepare_shape_strides_dtype
from numbra.cuda.cudadrv.streams import named_stream

__getattr__ = names_of(__name__)

#: Assignments of so many bytes are spread on the host; larger ones on the device.
_HOST_ASSIGNMENT_BYTES = 1 << 16


def is_cuda_ndarray(obj) -> bool:
    """Whether an object is a device array: it says so by ``__cuda_ndarray__``."""
    return getattr(obj, "__cuda_ndarray__", False)


def require_cuda_ndarray(obj):
    """An error unless the object is a device array."""
    if not is_cuda_ndarray(obj):
        raise ValueError("require an cuda ndarray object")


def verify_cuda_ndarray_interface(obj):
    """An error unless the object has the attributes of a device array."""
    require_cuda_ndarray(obj)
    for name, expected in ("shape", tuple), ("strides", tuple), ("dtype", np.dtype), ("size", int):
        if not hasattr(obj, name):
            raise AttributeError(name)
        if not isinstance(getattr(obj, name), expected):
            raise AttributeError(f"{name} must be of type {expected}")


def _normalized_shape(shape) -> tuple:
    if isinstance(shape, (int, np.integer)):
        return (int(shape),)
    for n in shape:
        if not isinstance(n, (int, np.integer)):
            raise TypeError(f"shape elements must be integers, got {type(n).__name__}")
    return tuple(map(int, shape))


class DeviceNDArrayBase:
    """What all arrays that a device reaches have in common."""

    __cuda_memory__ = True
    __cuda_ndarray__ = True

    @functools.cached_property
    def _dummy(self):
        return dummyarray.Array.from_desc(getattr(self, "_offset", 0), self.shape, self.strides, self.dtype.itemsize)

    @property
    def __cuda_array_interface__(self):
        stream = self.stream
        return {
            "shape": self.shape,
            "strides": None if is_contiguous(self) else tuple(self.strides),
            "data": (self.device_ctypes_pointer.value, False),
            "typestr": self.dtype.str,
            "stream": None if stream == 0 else named_stream(stream),
            "version": 3,
        }

    def __dlpack_device__(self):
        return dlpack.CUDA, devices.get_context().device.id

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return dlpack.export(self, stream, max_version, dl_device, copy)

    def bind(self, stream=0):
        """The same array with another default stream."""
        clone = copy.copy(self)
        clone.stream = stream
        return clone

    @property
    def T(self):
        """The array with its axes reversed."""
        return self.transpose()

    def transpose(self, axes=None):
        """A two-dimensional array with its axes exchanged, as a new array."""
        if axes and tuple(axes) == tuple(range(self.ndim)):
            return self
        if self.ndim != 2:
            raise NotImplementedError("transposing a non-2D DeviceNDArray isn't supported")
        if axes is not None and set(axes) != {0, 1}:
            raise ValueError(f"invalid axes list {axes!r}")
        from numbra.cuda.kernels.transpose import transpose

        return transpose(self)

    def _default_stream(self, stream):
        return stream or self.stream

    @property
    def device_ctypes_pointer(self):
        """The address of the first element as a ``ctypes.c_size_t``; ``DeadMemoryError`` if the memory was freed."""
        if self.gpu_data is not None:
            self.gpu_data._check_alive()
        return ctypes.c_size_t(self._pointer)

    @property
    def _numba_type_(self):
        from numbra.cuda.cudadrv.layout import array_type

        return array_type(self)

    @devices.require_context
    def copy_to_device(self, ary, stream=0):
        """Copies ``ary``, of the host or of a device, to this array."""
        if ary.size == 0:
            return
        sentry_contiguous(self)
        stream = self._default_stream(stream)
        core = array_core(self)
        if _driver.is_device_memory(ary):
            sentry_contiguous(ary)
            check_array_compatibility(core, array_core(ary))
            _driver.device_to_device(self, ary, self.alloc_size, stream=stream)
            return
        order = "C" if core.flags["C_CONTIGUOUS"] else "F"
        source = np.asanyarray(array_core(ary), order=order)
        check_array_compatibility(core, source)
        _driver.host_to_device(self, source, self.alloc_size, stream=stream)

    @devices.require_context
    def copy_to_host(self, ary=None, stream=0):
        """Copies this array to ``ary``, or to a new array of the host, and returns that.

        With a stream, the copy is done in its order: the array is good after ``stream.synchronize()``.
        """
        if any(stride < 0 for stride in self.strides):
            raise NotImplementedError(f"D->H copy not implemented for negative strides: {self.strides}")
        stream = self._default_stream(stream)
        if ary is None:
            target = np.empty(shape=self.alloc_size, dtype=np.byte)
        else:
            check_array_compatibility(self, ary)
            target = ary
        if self.alloc_size:
            _driver.device_to_host(target, self, self.alloc_size, stream=stream)
        if ary is not None:
            return ary
        strides = self.strides if self.size else None
        return np.ndarray(shape=self.shape, dtype=self.dtype, strides=strides, buffer=target)

    def split(self, section, stream=0):
        """Parts of ``section`` elements of a one-dimensional array; the last may be shorter."""
        stream = self._default_stream(stream)
        if self.ndim != 1:
            raise ValueError("only support 1d array")
        itemsize = self.dtype.itemsize
        if self.strides[0] != itemsize:
            raise ValueError("only support unit stride")
        for part in range(math.ceil(self.size / section)):
            begin, end = part * section, min((part + 1) * section, self.size)
            data = self.gpu_data.view(begin * itemsize, end * itemsize)
            yield DeviceNDArray((end - begin,), self.strides, self.dtype, stream=stream, gpu_data=data)

    def as_cuda_arg(self):
        """The memory of the array."""
        return self.gpu_data

    def get_ipc_handle(self):
        """An ``IpcArrayHandle`` that may be pickled and opened in another process of this machine."""
        if not _driver.SUPPORTS_IPC:
            raise OSError("OS does not support CUDA IPC")
        handle = devices.get_context().get_ipc_handle(self.gpu_data)
        return IpcArrayHandle(handle, {"shape": self.shape, "strides": self.strides, "dtype": self.dtype})

    def _view(self, dummy, stream=0, dtype=None):
        """Another array over the same memory."""
        return DeviceNDArray(
            dummy.shape,
            dummy.strides,
            self.dtype if dtype is None else dtype,
            stream=stream,
            gpu_data=self.gpu_data,
            _offset=getattr(self, "_offset", 0),
        )

    def squeeze(self, axis=None, stream=0):
        """The array without dimensions of length 1, or without those given."""
        squeezed, _ = self._dummy.squeeze(axis=axis)
        return self._view(squeezed, self._default_stream(stream))

    def view(self, dtype):
        """The same bytes as elements of another type."""
        dtype = np.dtype(dtype)
        old, new = self.dtype.itemsize, dtype.itemsize
        shape, strides = list(self.shape), list(self.strides)
        if old != new:
            if not self.is_c_contiguous():
                raise ValueError("To change to a dtype of a different size, the array must be C-contiguous")
            if not shape:
                raise ValueError("Changing the dtype of a 0d array is only supported if the itemsize is unchanged")
            shape[-1], rest = divmod(shape[-1] * old, new)
            if rest:
                raise ValueError(
                    "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the "
                    "last axis of the array."
                )
            strides[-1] = new
        return DeviceNDArray(
            shape, strides, dtype, stream=self.stream, gpu_data=self.gpu_data, _offset=getattr(self, "_offset", 0)
        )


class _OnDevice(DeviceNDArrayBase, _cuda.DeviceArrayBase):
    """An array whose memory is the device's alone."""

    def __init__(self, shape, strides, dtype, stream=0, gpu_data=None, _offset=0):
        shape = _normalized_shape(shape)
        strides = (strides,) if isinstance(strides, int) else tuple(map(int, strides or ()))
        dtype = np.dtype(dtype)
        if len(strides) != len(shape):
            raise ValueError("strides not match ndim")
        if min(shape, default=0) < 0:
            raise ValueError("negative dimensions are not allowed")
        self.alloc_size = 0
        pointer, epoch = 0, None
        if 0 in shape:
            gpu_data = _driver.MemoryPointer(devices.get_context(), 0, 0)
        else:
            begin, end = extents_of(shape, strides, dtype.itemsize)
            self.alloc_size = end - begin
            if gpu_data is None:
                gpu_data = devices.get_context().memalloc(self.alloc_size)
                _offset = -begin
            pointer = (gpu_data.device_pointer_value or 0) + _offset
            epoch = gpu_data._epoch
        self.gpu_data = gpu_data
        self.stream = stream
        self._offset = _offset
        self._set_array(pointer, shape, strides, dtype, dtype.itemsize, epoch, getattr(gpu_data, "_alive", None))

    def _share(self, other, shape, strides):
        """Has another array be in the same memory, from the same first element."""
        memory = self.gpu_data
        alive = getattr(memory, "_alive", None)
        other._set_array(self._pointer, shape, strides, self.dtype, self.dtype.itemsize, memory._epoch, alive)

    def __copy__(self):
        clone = type(self).__new__(type(self))
        clone.__dict__.update(self.__dict__)
        self._share(clone, self.shape, self.strides)
        return clone

    def _restrided(self, shape, strides):
        """Other axes over the same memory, from the same first element, for kernels; nothing is checked."""
        view = DeviceNDArray.__new__(DeviceNDArray)
        view.gpu_data, view.stream = self.gpu_data, self.stream
        view.alloc_size, view._offset = self.alloc_size, self._offset
        self._share(view, shape, strides)
        return view

    @property
    def flags(self) -> dict:
        """Contiguity, by NumPy's names."""
        return self._dummy.flags

    @devices.require_context
    def __getitem__(self, item):
        return self._do_getitem(item)

    @devices.require_context
    def getitem(self, item, stream=0):
        """``self[item]`` in the order of a stream."""
        return self._do_getitem(item, stream)

    @devices.require_context
    def __setitem__(self, key, value):
        self._do_setitem(key, value)

    @devices.require_context
    def setitem(self, key, value, stream=0):
        """``self[key] = value`` in the order of a stream."""
        self._do_setitem(key, value, stream)

    def _read(self, data, dtype, stream):
        """The element at the beginning of some memory."""
        element = np.empty(1, dtype=dtype)
        _driver.device_to_host(element, data, dtype.itemsize, stream=stream)
        if stream:
            # The element is looked at next.
            stream.synchronize()
        return element[0]


class DeviceRecord(_OnDevice):
    """A record in device memory: ``rec["field"]``."""

    def __init__(self, dtype, stream=0, gpu_data=None):
        super().__init__((), (), dtype, stream, gpu_data)

    @property
    def _numba_type_(self):
        from numbra.cuda.cudadrv.layout import record_type

        return record_type(self.dtype)

    def _field(self, name):
        if self.dtype.fields is None or name not in self.dtype.fields:
            raise KeyError(f"no field {name!r} in {self.dtype}")
        dtype, offset = self.dtype.fields[name][:2]
        return dtype, self.gpu_data.view(offset, offset + dtype.itemsize)

    def _do_getitem(self, item, stream=0):
        stream = self._default_stream(stream)
        dtype, data = self._field(item)
        if dtype.shape:
            shape, strides, base = prepare_shape_strides_dtype(dtype.shape, None, dtype.subdtype[0], "C")
            return DeviceNDArray(shape, strides, base, stream=stream, gpu_data=data)
        if dtype.names is not None:
            return DeviceRecord(dtype, stream=stream, gpu_data=data)
        return self._read(data, dtype, stream)

    def _do_setitem(self, key, value, stream=0):
        stream = self._default_stream(stream)
        dtype, data = self._field(key)
        if is_cuda_ndarray(value):
            if value.dtype != dtype:
                raise TypeError(f"incompatible dtype: {value.dtype} vs. {dtype}")
            _driver.device_to_device(data, value, dtype.itemsize, stream)
            return
        source = np.zeros(1, dtype=[("field", dtype)])
        source["field"] = value
        # From pageable memory the driver takes a copy before it returns, so the source may go.
        _driver.host_to_device(data, source, dtype.itemsize, stream)
        if not stream:
            devices.get_context().get_default_stream().synchronize()


class DeviceNDArray(_OnDevice):
    """An array in device memory."""

    def is_c_contiguous(self) -> bool:
        """Whether the elements lie one after the other in row-major order."""
        return self._dummy.is_c_contig

    def is_f_contiguous(self) -> bool:
        """Whether the elements lie one after the other in column-major order."""
        return self._dummy.is_f_contig

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("`copy=False` is not supported. A copy is always created.")
        ary = self.copy_to_host()
        return ary.astype(dtype, copy=False) if dtype is not None else ary

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def reshape(self, *newshape, order="C"):
        """The same elements in another shape; ``NotImplementedError`` where they would have to move."""
        reshaped, _ = self._dummy.reshape(*newshape, order=order)
        return self._view(reshaped)

    def ravel(self, order="C", stream=0):
        """The elements in one dimension; ``NotImplementedError`` where they would have to move."""
        if not self._dummy.is_contig:
            raise NotImplementedError("operation requires copying")
        flat, _ = self._dummy.ravel(order=order)
        return self._view(flat, self._default_stream(stream))

    def _part(self, dummy):
        """Memory of a part of the array, and where in it the first element lies."""
        begin, end = dummy.extent
        return self.gpu_data.view(begin, end), dummy.offset - begin

    def _do_getitem(self, item, stream=0):
        stream = self._default_stream(stream)
        part = self._dummy[item]
        data, offset = self._part(part)
        if part.is_array:
            return type(self)(part.shape, part.strides, self.dtype, stream=stream, gpu_data=data, _offset=offset)
        if self.dtype.names is not None:
            return DeviceRecord(self.dtype, stream=stream, gpu_data=data)
        return self._read(data, self.dtype, stream)

    def _do_setitem(self, key, value, stream=0):
        stream = self._default_stream(stream)
        part = self._dummy[key]
        if not part.is_array:
            part = dummyarray.Array.from_desc(part.offset, (), (), self.dtype.itemsize)
        data, offset = self._part(part)
        left = DeviceNDArray(part.shape, part.strides, self.dtype, stream=stream, gpu_data=data, _offset=offset)
        shape = value.shape if hasattr(value, "shape") else np.shape(value)
        _check_assignable(shape, left.shape)
        if left.size == 0:
            return
        on_device = is_cuda_ndarray(value) or hasattr(value, "__cuda_array_interface__")
        if (
            not on_device
            and part.is_contig
            and (math.prod(shape) == left.size or left.nbytes <= _HOST_ASSIGNMENT_BYTES)
        ):
            _assign_from_host(left, value, stream)
            return
        from numbra.cuda.kernels.assign import assign

        right, _ = auto_device(value, stream=stream, user_explicit=True)
        assign(left, right, stream)


def _check_assignable(right, left):
    """An error unless an array of shape ``right`` spreads over one of shape ``left``."""
    if len(right) > len(left):
        raise ValueError(f"Can't assign {len(right)}-D array to {len(left)}-D self")
    padded = (1,) * (len(left) - len(right)) + tuple(right)
    for axis, (to, of) in enumerate(zip(left, padded, strict=True)):
        if of not in (1, to):
            raise ValueError(f"Can't copy sequence with size {of} to array axis {axis} with dimension {to}")


def _assign_from_host(left, value, stream):
    """Copies a value of the host, spread over the shape, to a contiguous array."""
    order = "C" if left.is_c_contiguous() else "F"
    source = np.empty(left.shape, dtype=left.dtype, order=order)
    source[...] = value
    # From pageable memory the driver takes a copy before it returns, so the source may go.
    _driver.host_to_device(left, source, left.nbytes, stream=stream)
    if not stream:
        devices.get_context().get_default_stream().synchronize()


class IpcArrayHandle:
    """A handle of a device array that may be pickled; in another process, ``with handle as array`` opens it."""

    def __init__(self, ipc_handle, array_desc):
        self._ipc_handle = ipc_handle
        self._array_desc = array_desc

    def open(self):
        """The array, sharing its memory with the process that it is of."""
        data = self._ipc_handle.open(devices.get_context())
        return DeviceNDArray(gpu_data=data, **self._array_desc)

    def close(self):
        """Unmaps the memory. The array can be used no more."""
        self._ipc_handle.close()

    def __enter__(self):
        return self.open()

    def __exit__(self, type, value, traceback):
        self.close()


class _OnBoth(DeviceNDArrayBase, np.ndarray):
    """An array of the host that the device reaches."""

    stream = 0
    gpu_data = None

    def device_setup(self, gpu_data, stream=0):
        """Says what memory the array is over."""
        self.gpu_data = gpu_data
        self.stream = stream
        self._begin = self.__array_interface__["data"][0]

    def __array_finalize__(self, parent):
        # Slices of the host's array are over the same memory.
        if isinstance(parent, _OnBoth):
            self.gpu_data = parent.gpu_data
            self.stream = parent.stream
            self._begin = getattr(parent, "_begin", None)

    @property
    def alloc_size(self):
        """Bytes that the array spans."""
        return _driver.memory_size_from_info(self.shape, self.strides, self.dtype.itemsize) if self.size else 0

    @property
    def _pointer(self):
        if self.gpu_data is None or not self.size:
            return 0
        offset = self.__array_interface__["data"][0] - self._begin
        return (self.gpu_data.device_pointer_value or 0) + offset

    def as_device_array(self):
        """The array as kernels take it: a device array over the same memory."""
        offset = self._pointer - (self.gpu_data.device_pointer_value or 0) if self.size else 0
        return DeviceNDArray(
            self.shape, self.strides, self.dtype, stream=self.stream, gpu_data=self.gpu_data, _offset=offset
        )

    __getitem__ = np.ndarray.__getitem__
    __dlpack__ = DeviceNDArrayBase.__dlpack__
    squeeze = np.ndarray.squeeze
    view = np.ndarray.view
    T = np.ndarray.T
    transpose = np.ndarray.transpose


class MappedNDArray(_OnBoth):
    """An array of the host in page-locked memory that the device sees as well."""


class ManagedNDArray(_OnBoth):
    """An array in memory that moves between host and device as it is used."""


def from_array_like(ary, stream=0, gpu_data=None):
    """A device array of the same shape, strides and type."""
    return DeviceNDArray(ary.shape, ary.strides, ary.dtype, stream=stream, gpu_data=gpu_data)


def from_record_like(rec, stream=0, gpu_data=None):
    """A device record of the same type."""
    return DeviceRecord(rec.dtype, stream=stream, gpu_data=gpu_data)


def array_core(ary):
    """The array without the repetitions of dimensions with stride 0."""
    if not ary.strides or not ary.size or 0 not in ary.strides:
        return ary
    return ary[tuple(0 if stride == 0 else slice(None) for stride in ary.strides)]


def is_contiguous(ary) -> bool:
    """Whether the elements lie one after the other in row-major order, but for repetitions."""
    expected = ary.dtype.itemsize
    for length, stride in zip(reversed(ary.shape), reversed(ary.strides), strict=True):
        if length > 1 and stride != 0:
            if stride != expected:
                return False
            expected *= length
    return True


errmsg_contiguous_buffer = (
    "Array contains non-contiguous buffer and cannot be transferred as a single memory region. Please ensure "
    "contiguous buffer with numpy .ascontiguousarray()"
)


def sentry_contiguous(ary):
    """An error unless the array is one stretch of memory."""
    flags = array_core(ary).flags
    if not flags["C_CONTIGUOUS"] and not flags["F_CONTIGUOUS"]:
        raise ValueError(errmsg_contiguous_buffer)


def check_array_compatibility(ary1, ary2):
    """An error unless one array can be copied to the other byte by byte."""
    if ary1.dtype != ary2.dtype:
        raise TypeError(f"incompatible dtype: {ary1.dtype} vs. {ary2.dtype}")
    one, two = ary1.squeeze(), ary2.squeeze()
    if one.shape != two.shape:
        raise ValueError(f"incompatible shape: {ary1.shape} vs. {ary2.shape}")
    if ary1.size and one.strides != two.strides:
        raise ValueError(f"incompatible strides: {ary1.strides} vs. {ary2.strides}")


def warn_on_implicit_copy():
    """Warns that a kernel was called with an array of the host, unless the settings say not to."""
    if config.CUDA_WARN_ON_IMPLICIT_COPY and not config.DISABLE_PERFORMANCE_WARNINGS:
        from numbra.core.errors import NumbaPerformanceWarning

        text = "Host array used in CUDA kernel will incur copy overhead to/from device."
        warnings.warn(NumbaPerformanceWarning(text), stacklevel=4)


def auto_device(obj, stream=0, copy=True, user_explicit=False):
    """An array on the device like ``obj``, and whether it is a new one.

    What is on a device already is given as it is. ``copy`` says whether a new array gets the contents; unless
    ``user_explicit``, that of an array of the host gives a warning.
    """
    if _driver.is_device_memory(obj):
        return obj, False
    interface = getattr(obj, "__cuda_array_interface__", None)
    if interface is not None:
        from numbra.cuda.api import from_cuda_array_interface

        return from_cuda_array_interface(interface, owner=obj), False
    if not isinstance(obj, (np.ndarray, np.generic)) and dlpack.is_on_device(obj):
        return dlpack.from_dlpack(obj, stream=stream), False
    if isinstance(obj, np.void):
        target = from_record_like(obj, stream=stream)
    else:
        obj = np.asanyarray(obj)
        if obj.dtype.hasobject:
            raise TypeError(f"arrays of Python objects cannot be on a device: {obj.dtype}")
        sentry_contiguous(obj)
        target = from_array_like(obj, stream=stream)
    if copy:
        if not user_explicit and isinstance(obj, np.ndarray):
            warn_on_implicit_copy()
        target.copy_to_device(obj, stream=stream)
    return target, True
