//! Types whose objects the extension lays out itself: made once, for as long as the process runs.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::ffi::{CStr, c_int, c_ulong, c_void};

/// What a type is made of, in CPython's terms.
pub(crate) struct HeapType<'a> {
    pub(crate) name: &'static CStr,
    /// Bytes of an object.
    pub(crate) size: usize,
    /// Beside the default ones.
    pub(crate) flags: c_ulong,
    /// Members that are only read: their name, the code of their type, and where they stand in an object.
    pub(crate) members: &'a [(&'static CStr, c_int, usize)],
    pub(crate) slots: &'a [(c_int, *mut c_void)],
}

impl HeapType<'_> {
    /// Makes the type.
    ///
    /// # Safety
    ///
    /// The slots hold functions of their kinds, and the members stand in objects of this size.
    pub(crate) unsafe fn make<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyType>> {
        let member =
            |&(name, type_code, offset): &(&'static CStr, c_int, usize)| ffi::PyMemberDef {
                name: name.as_ptr(),
                type_code,
                offset: offset as isize,
                flags: ffi::Py_READONLY,
                doc: std::ptr::null(),
            };
        let mut members: Vec<ffi::PyMemberDef> = self.members.iter().map(member).collect();
        // SAFETY: the all-zero member ends the table.
        members.push(unsafe { std::mem::zeroed() });
        let slot = |&(slot, pfunc): &(c_int, *mut c_void)| ffi::PyType_Slot { slot, pfunc };
        let mut slots: Vec<ffi::PyType_Slot> = self.slots.iter().map(slot).collect();
        let members = members.leak().as_mut_ptr();
        slots.push(slot(&(ffi::Py_tp_members, members.cast())));
        slots.push(slot(&(0, std::ptr::null_mut())));
        let mut spec = ffi::PyType_Spec {
            name: self.name.as_ptr(),
            basicsize: self.size as c_int,
            itemsize: 0,
            flags: (ffi::Py_TPFLAGS_DEFAULT | self.flags) as u32,
            slots: slots.leak().as_mut_ptr(),
        };
        // SAFETY: the spec is valid by contract; the tables are leaked on purpose, as the type lives for ever.
        let class =
            unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyType_FromSpec(&raw mut spec)) }?;
        class.cast_into().map_err(Into::into)
    }
}
