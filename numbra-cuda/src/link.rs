//! Linking several pieces of device code with the driver's linker.

use core::ffi::c_void;
use core::ptr;
use std::ffi::CString;

use cust::sys::{CUjitInputType, CUlinkState};

use crate::call::call;
use crate::driver::DriverError;
use crate::module::{JitArguments, JitOptions, ModuleError};

/// What a piece of code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    Cubin,
    Ptx,
    Fatbin,
    Object,
    Library,
}

/// A piece of code to link.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    pub kind: InputKind,
    pub data: &'a [u8],
    /// For messages.
    pub name: &'a str,
}

/// The state of a linker, which goes on drop.
struct Linker(CUlinkState);

impl Drop for Linker {
    fn drop(&mut self) {
        // SAFETY: it came from cuLinkCreate and is used no more. That this can fail is of no use to anyone.
        let _ = unsafe { call!(cuLinkDestroy(self.0)) };
    }
}

/// Links for the device of the current context: the cubin, and what the linker said.
pub fn link(inputs: &[Input<'_>], options: &JitOptions) -> Result<(Vec<u8>, String), ModuleError> {
    // The options, with both logs in them, outlive the linker.
    let mut jit = JitArguments::new(options);
    let linked = link_with(inputs, &mut jit);
    linked
        .map(|image| (image, jit.info_log()))
        .map_err(|error| jit.failed(error))
}

fn link_with(inputs: &[Input<'_>], jit: &mut JitArguments) -> Result<Vec<u8>, DriverError> {
    let mut state = ptr::null_mut();
    // SAFETY: as many keys as values, each with the value that the driver expects; writes one handle.
    unsafe {
        call!(cuLinkCreate_v2(
            jit.keys.len() as u32,
            jit.keys.as_mut_ptr(),
            jit.values.as_mut_ptr(),
            &mut state,
        ))
    }?;
    let linker = Linker(state);
    for input in inputs {
        add(&linker, input)?;
    }
    let (mut image, mut size) = (ptr::null_mut::<c_void>(), 0usize);
    // SAFETY: writes address and size of an image that the linker owns.
    unsafe { call!(cuLinkComplete(linker.0, &mut image, &mut size)) }?;
    if image.is_null() {
        return Ok(Vec::new());
    }
    // SAFETY: the image is as long and stays until the linker goes.
    Ok(unsafe { core::slice::from_raw_parts(image.cast::<u8>(), size) }.to_vec())
}

fn add(linker: &Linker, input: &Input<'_>) -> Result<(), DriverError> {
    let kind = match input.kind {
        InputKind::Cubin => CUjitInputType::CU_JIT_INPUT_CUBIN,
        InputKind::Ptx => CUjitInputType::CU_JIT_INPUT_PTX,
        InputKind::Fatbin => CUjitInputType::CU_JIT_INPUT_FATBINARY,
        InputKind::Object => CUjitInputType::CU_JIT_INPUT_OBJECT,
        InputKind::Library => CUjitInputType::CU_JIT_INPUT_LIBRARY,
    };
    let mut data = input.data.to_vec();
    if input.kind == InputKind::Ptx && data.last() != Some(&0) {
        data.push(0);
    }
    let name = CString::new(input.name.replace('\0', " ")).expect("no NUL is left");
    // SAFETY: the data is as long as it says, PTX ends in NUL, and the linker copies both; there are no options.
    unsafe {
        call!(cuLinkAddData_v2(
            linker.0,
            kind,
            data.as_mut_ptr().cast::<c_void>(),
            data.len(),
            name.as_ptr(),
            0,
            ptr::null_mut(),
            ptr::null_mut(),
        ))
    }
}
