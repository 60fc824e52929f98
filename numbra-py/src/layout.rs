//! Layouts of the Python objects that entry wrappers read in machine code, for the CPython that this build is for.
//!
//! Offsets in bytes on 64-bit builds. The smoke test of each Python passes such objects.

#[cfg(Py_GIL_DISABLED)]
compile_error!(
    "free-threaded builds of CPython are not supported: their objects have other layouts, and numbra relies on the GIL"
);

/// `PyObject`: reference count, then type.
pub(crate) const OB_TYPE: i32 = 8;
/// `PyLongObject`: 3.11 has a signed digit count here, 3.12 and later a tag (digits << 3 | sign).
pub(crate) const LONG_SIZE: i32 = 16;
/// First 30-bit digit of a `PyLongObject`.
pub(crate) const LONG_DIGITS: i32 = 24;
/// Value of a `PyFloatObject`.
pub(crate) const FLOAT_VALUE: i32 = 16;
/// Real part of a `PyComplexObject`; the imaginary part follows.
pub(crate) const COMPLEX_VALUE: i32 = 16;
/// Number of items of a `PyTupleObject`.
pub(crate) const TUPLE_SIZE: i32 = 16;
/// First item of a `PyTupleObject`.
#[cfg(not(Py_3_14))]
pub(crate) const TUPLE_ITEMS: i32 = 24;
/// First item of a `PyTupleObject` (3.14 and later keep a hash before it).
#[cfg(Py_3_14)]
pub(crate) const TUPLE_ITEMS: i32 = 32;

/// Flags of a `PyTypeObject`, and the one that classes of `bytes` have.
pub(crate) const TYPE_FLAGS: i32 = 168;
pub(crate) const TPFLAGS_BYTES_SUBCLASS: i64 = 1 << 27;
/// Length of a `PyBytesObject`.
pub(crate) const BYTES_SIZE: i32 = 16;
/// First byte of a `PyBytesObject`.
pub(crate) const BYTES_DATA: i64 = 32;

/// `PyASCIIObject`, in front of every `str`.
#[derive(Clone, Copy)]
pub(crate) struct TextLayout {
    /// Number of characters.
    pub(crate) length: i32,
    /// Bits from 2 on: three for the bytes of a character, one if the characters follow the header, one if all are ASCII.
    pub(crate) state: i32,
    /// Size of the header of ASCII text.
    pub(crate) ascii: i128,
    /// Size of that of other text.
    pub(crate) compact: i128,
}

/// Where a `str` keeps its characters.
#[cfg(not(Py_3_14))]
pub(crate) const TEXT: Option<TextLayout> = Some(TextLayout {
    length: std::mem::offset_of!(pyo3::ffi::PyASCIIObject, length) as i32,
    state: std::mem::offset_of!(pyo3::ffi::PyASCIIObject, state) as i32,
    ascii: size_of::<pyo3::ffi::PyASCIIObject>() as i128,
    compact: size_of::<pyo3::ffi::PyCompactUnicodeObject>() as i128,
});
/// 3.14 and later say less about a `str`: the helper reads it.
#[cfg(Py_3_14)]
pub(crate) const TEXT: Option<TextLayout> = None;

/// `PyArrayObject` (NumPy 1.x and 2.x).
pub(crate) const ARRAY_DATA: i32 = 16;
pub(crate) const ARRAY_NDIM: i32 = 24;
pub(crate) const ARRAY_SHAPE: i32 = 32;
pub(crate) const ARRAY_STRIDES: i32 = 40;
pub(crate) const ARRAY_DESCR: i32 = 56;
pub(crate) const ARRAY_FLAGS: i32 = 64;

/// `PyVoidScalarObject`: address of the bytes of a structured scalar.
pub(crate) const VOID_DATA: usize = 24;

/// `NPY_ARRAY_*` flag bits.
pub(crate) const NPY_C_CONTIGUOUS: i32 = 0x1;
pub(crate) const NPY_F_CONTIGUOUS: i32 = 0x2;
pub(crate) const NPY_ALIGNED: i32 = 0x100;
pub(crate) const NPY_WRITEABLE: i32 = 0x400;

/// How a small `int` is told apart and read.
#[cfg(Py_3_12)]
pub(crate) const LONG_HAS_TAG: bool = true;
/// How a small `int` is told apart and read.
#[cfg(not(Py_3_12))]
pub(crate) const LONG_HAS_TAG: bool = false;
