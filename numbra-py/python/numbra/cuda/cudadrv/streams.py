"""Streams and events."""

import contextlib
import warnings

from numbra.core import config
from numbra.cuda.cudadrv import enums
from numbra.cuda.cudadrv.calls import driver_calls as _cuda
from numbra.cuda.cudadrv.error import CudaAPIError

_NAMED = {
    enums.CU_STREAM_DEFAULT: "<Default CUDA stream>",
    enums.CU_STREAM_LEGACY: "<Legacy default CUDA stream>",
    enums.CU_STREAM_PER_THREAD: "<Per-thread default CUDA stream>",
}


class Handle(int):
    """An address of the driver's, which ctypes-minded programs read by ``value``."""

    @property
    def value(self):
        return int(self) or None


class Stream(_cuda.StreamBase):
    """A queue of work on a device. What is in one stream runs in order."""

    def __new__(cls, handle, finalizer=None, external=False, epoch=None):
        self = super().__new__(cls, int(handle), epoch)
        self._finalizer = finalizer
        self.external = external
        return self

    def __del__(self):
        finalizer = getattr(self, "_finalizer", None)
        if finalizer is not None:
            finalizer()

    @property
    def handle(self):
        """The driver's handle. Raises ``CudaAPIError`` if the stream's context was reset."""
        return Handle(self.pointer)

    def __int__(self):
        return self.pointer

    def __cuda_stream__(self):
        return 0, self.pointer

    def __repr__(self):
        try:
            pointer = self.pointer
        except CudaAPIError:
            return "<CUDA stream of a context that was reset>"
        if pointer in _NAMED:
            return _NAMED[pointer]
        return f"<{'External ' if self.external else ''}CUDA stream {pointer}>"

    def synchronize(self):
        """Waits until all work in the stream is done."""
        _cuda.cuStreamSynchronize(self.pointer)

    @contextlib.contextmanager
    def auto_synchronize(self):
        """Waits for the stream at the end of the block."""
        yield self
        self.synchronize()

    def add_callback(self, callback, arg=None):
        """Calls ``callback(stream, status, arg)`` when the work before it is done.

        It runs on a thread of the driver's and must not use CUDA; work behind it waits. An exception becomes a warning.
        """

        def call(status):
            try:
                callback(self, status, arg)
            except Exception as error:
                warnings.warn(f"Exception in stream callback: {error}", stacklevel=1)

        _cuda.cuStreamAddCallback(self.pointer, call)

    def async_done(self):
        """A future of the running event loop that gives the stream when the work before it is done."""
        import asyncio

        loop = asyncio.get_running_loop()
        future = loop.create_future()

        def resolve(status):
            if future.done():
                return
            if status == 0:
                future.set_result(self)
            else:
                future.set_exception(Exception(f"Stream error {status}"))

        self.add_callback(lambda stream, status, arg: loop.call_soon_threadsafe(resolve, status))
        return future


def stream_handle(stream) -> int:
    """The handle of a stream: one of ours, of another library's with ``__cuda_stream__``, or 0 for the default."""
    if isinstance(stream, _cuda.StreamBase):
        return stream.pointer
    if isinstance(stream, int) and not stream:
        return 0
    if hasattr(stream, "__cuda_stream__"):
        version, pointer = stream.__cuda_stream__()
        if version != 0:
            raise TypeError(f"version {version} of __cuda_stream__ is not known")
        return int(pointer)
    raise TypeError(f"Expected a Stream object or 0, got {type(stream).__name__}")


def named_stream(stream) -> int:
    """The handle of a stream as other libraries are told it: the default stream is one of the two that have names."""
    handle = stream_handle(stream)
    if handle:
        return handle
    return enums.CU_STREAM_PER_THREAD if config.CUDA_PER_THREAD_DEFAULT_STREAM else enums.CU_STREAM_LEGACY


class Event:
    """A mark in a stream."""

    def __init__(self, handle, finalizer=None, epoch=None):
        self._pointer = int(handle)
        self._finalizer = finalizer
        self._epoch = epoch

    def __del__(self):
        finalizer = getattr(self, "_finalizer", None)
        if finalizer is not None:
            finalizer()

    @property
    def handle(self):
        """The driver's handle. Raises ``CudaAPIError`` if the event's context was reset."""
        return Handle(self._alive("cuEventQuery"))

    def _alive(self, call):
        if self._epoch is not None and not _cuda.is_running(self._epoch):
            code = enums.CUDA_ERROR_CONTEXT_IS_DESTROYED
            raise CudaAPIError(code, f"Call to {call} results in CUDA_ERROR_CONTEXT_IS_DESTROYED")
        return self._pointer

    def query(self) -> bool:
        """Whether the work before the mark is done."""
        return _cuda.cuEventQuery(self._alive("cuEventQuery"))

    def record(self, stream=0):
        """Puts the mark behind what is in the stream now."""
        _cuda.cuEventRecord(self._alive("cuEventRecord"), stream_handle(stream))

    def synchronize(self):
        """Waits for the work before the mark."""
        _cuda.cuEventSynchronize(self._alive("cuEventSynchronize"))

    def wait(self, stream=0):
        """Has later work in the stream wait for the mark."""
        _cuda.cuStreamWaitEvent(stream_handle(stream), self._alive("cuStreamWaitEvent"), 0)

    def elapsed_time(self, evtend) -> float:
        """Milliseconds from this mark to ``evtend``."""
        return event_elapsed_time(self, evtend)


def event_elapsed_time(evtstart, evtend) -> float:
    """Milliseconds between two marks."""
    call = "cuEventElapsedTime"
    return _cuda.cuEventElapsedTime(evtstart._alive(call), evtend._alive(call))
