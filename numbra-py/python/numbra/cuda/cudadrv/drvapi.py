"""ctypes types of the driver API, for programs that call it themselves."""

from ctypes import CFUNCTYPE, Structure, c_byte, c_int, c_size_t, c_void_p, py_object

from numbra._named import names_of
from numbra.cuda.cudadrv.enums import CU_STREAM_DEFAULT, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD

__getattr__ = names_of(__name__)

cu_device = c_int
cu_device_attribute = c_int
cu_context = c_void_p
cu_module = c_void_p
cu_jit_option = c_int
cu_jit_input_type = c_int
cu_function = c_void_p
cu_device_ptr = c_size_t
cu_stream = c_void_p
cu_event = c_void_p
cu_link_state = c_void_p
cu_function_attribute = c_int
cu_uuid = c_byte * 16
cu_stream_callback_pyobj = CFUNCTYPE(None, cu_stream, c_int, py_object)

CU_IPC_HANDLE_SIZE = 64


class cu_ipc_mem_handle(Structure):
    """A handle of memory for other processes."""

    _fields_ = [("reserved", c_byte * CU_IPC_HANDLE_SIZE)]


__all__ = [
    "CU_IPC_HANDLE_SIZE",
    "CU_STREAM_DEFAULT",
    "CU_STREAM_LEGACY",
    "CU_STREAM_PER_THREAD",
    "cu_context",
    "cu_device",
    "cu_device_attribute",
    "cu_device_ptr",
    "cu_event",
    "cu_function",
    "cu_function_attribute",
    "cu_ipc_mem_handle",
    "cu_jit_input_type",
    "cu_jit_option",
    "cu_link_state",
    "cu_module",
    "cu_stream",
    "cu_stream_callback_pyobj",
    "cu_uuid",
]
