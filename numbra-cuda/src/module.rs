//! Modules: PTX or machine code loaded into a context, and the functions and globals in it.

use core::ffi::{c_int, c_void};
use core::ptr;
use std::ffi::CString;

use cust::sys::{CUfunction, CUjit_option, CUmodule};

use crate::call::call;
use crate::driver::DriverError;
use crate::memory::DevicePtr;

/// A loaded module's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Module(pub usize);

/// A kernel's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Function(pub usize);

impl Function {
    pub(crate) fn raw(self) -> CUfunction {
        self.0 as CUfunction
    }
}

/// How the driver compiles PTX.
#[derive(Clone, Debug)]
pub struct JitOptions {
    /// At most so many registers for a thread.
    pub max_registers: Option<u32>,
    /// 0 to 4.
    pub opt_level: u32,
    /// Keep what a debugger needs.
    pub debug: bool,
    /// Keep lines of the source for profilers.
    pub line_info: bool,
    /// Have the information log say what each kernel uses.
    pub verbose: bool,
    /// Room for each log, in bytes.
    pub log_size: usize,
}

impl Default for JitOptions {
    fn default() -> Self {
        JitOptions {
            max_registers: None,
            opt_level: 4,
            debug: false,
            line_info: false,
            verbose: false,
            log_size: 1024,
        }
    }
}

/// A module and what the driver said while compiling it.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub module: Module,
    pub info_log: String,
}

/// A module that could not be loaded, or code that could not be linked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}{}{log}", if .log.is_empty() { "" } else { "\n" })]
pub struct ModuleError {
    pub error: DriverError,
    /// What the driver's compiler says is wrong.
    pub log: String,
}

/// Options in the driver's form, and the logs that they point to.
pub(crate) struct JitArguments {
    pub(crate) keys: Vec<CUjit_option>,
    pub(crate) values: Vec<*mut c_void>,
    info: Vec<u8>,
    errors: Vec<u8>,
}

impl JitArguments {
    pub(crate) fn new(options: &JitOptions) -> Self {
        use CUjit_option::*;
        let size = options.log_size.max(1);
        let (mut info, mut errors) = (vec![0u8; size], vec![0u8; size]);
        let number = |value: usize| value as *mut c_void;
        let mut all = vec![
            (CU_JIT_INFO_LOG_BUFFER, info.as_mut_ptr().cast::<c_void>()),
            (CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, number(size)),
            (
                CU_JIT_ERROR_LOG_BUFFER,
                errors.as_mut_ptr().cast::<c_void>(),
            ),
            (CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, number(size)),
            (CU_JIT_LOG_VERBOSE, number(usize::from(options.verbose))),
            (
                CU_JIT_OPTIMIZATION_LEVEL,
                number(options.opt_level.min(4) as usize),
            ),
        ];
        if let Some(registers) = options.max_registers {
            all.push((CU_JIT_MAX_REGISTERS, number(registers as usize)));
        }
        if options.debug {
            all.push((CU_JIT_GENERATE_DEBUG_INFO, number(1)));
        }
        if options.line_info {
            all.push((CU_JIT_GENERATE_LINE_INFO, number(1)));
        }
        let (keys, values) = all.into_iter().unzip();
        JitArguments {
            keys,
            values,
            info,
            errors,
        }
    }

    pub(crate) fn info_log(&self) -> String {
        log(&self.info)
    }

    pub(crate) fn failed(&self, error: DriverError) -> ModuleError {
        ModuleError {
            error,
            log: log(&self.errors),
        }
    }
}

fn log(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).trim_end().to_owned()
}

/// Loads PTX, a cubin or a fat binary into the current context.
pub fn load_module(image: &[u8], options: &JitOptions) -> Result<Loaded, ModuleError> {
    // PTX is text that ends in NUL; binaries carry their length.
    let mut image = image.to_vec();
    image.push(0);
    let mut jit = JitArguments::new(options);
    let mut module: CUmodule = ptr::null_mut();
    // SAFETY: the image ends in NUL; as many keys as values, each with the value that the driver expects, and both logs
    // outlive the call; writes one handle.
    let outcome = unsafe {
        call!(cuModuleLoadDataEx(
            &mut module,
            image.as_ptr().cast::<c_void>(),
            jit.keys.len() as u32,
            jit.keys.as_mut_ptr(),
            jit.values.as_mut_ptr(),
        ))
    };
    match outcome {
        Ok(()) => Ok(Loaded {
            module: Module(module as usize),
            info_log: jit.info_log(),
        }),
        Err(error) => Err(jit.failed(error)),
    }
}

/// Unloads a module.
///
/// # Safety
/// Its context was not reset, no kernel of it runs, and nothing of it is used again.
pub unsafe fn unload_module(module: Module) -> Result<(), DriverError> {
    // SAFETY: as the caller promises.
    unsafe { call!(cuModuleUnload(module.0 as CUmodule)) }
}

/// The kernel of a name.
///
/// # Safety
/// The module is loaded and its context was not reset.
pub unsafe fn function(module: Module, name: &str) -> Result<Function, DriverError> {
    let name = c_name(name, "cuModuleGetFunction")?;
    let mut function = ptr::null_mut();
    // SAFETY: as the caller promises; writes one handle.
    unsafe {
        call!(cuModuleGetFunction(
            &mut function,
            module.0 as CUmodule,
            name.as_ptr()
        ))
    }?;
    Ok(Function(function as usize))
}

/// Address and size of the global variable of a name.
///
/// # Safety
/// As for [`function`].
pub unsafe fn global(module: Module, name: &str) -> Result<(DevicePtr, usize), DriverError> {
    let name = c_name(name, "cuModuleGetGlobal")?;
    let (mut pointer, mut bytes) = (0, 0);
    // SAFETY: as the caller promises; writes an address and a size.
    unsafe {
        call!(cuModuleGetGlobal_v2(
            &mut pointer,
            &mut bytes,
            module.0 as CUmodule,
            name.as_ptr()
        ))
    }?;
    Ok((pointer, bytes))
}

/// No symbol has a NUL in its name.
fn c_name(name: &str, call: &'static str) -> Result<CString, DriverError> {
    CString::new(name).map_err(|_| DriverError {
        code: 500,
        name: "CUDA_ERROR_NOT_FOUND".into(),
        call,
        forked: false,
    })
}

/// A `CU_FUNC_ATTRIBUTE_*` of a kernel, by its number.
///
/// # Safety
/// The function's module is loaded and its context was not reset.
pub unsafe fn function_attribute(function: Function, attribute: i32) -> Result<i32, DriverError> {
    let mut value = 0;
    // SAFETY: as the caller promises; writes one int, and unknown attributes are an error.
    unsafe { call!(in sys, cuFuncGetAttribute(&mut value, attribute, function.raw())) }?;
    Ok(value)
}

/// Sets a `CU_FUNC_ATTRIBUTE_*` of a kernel.
///
/// # Safety
/// As for [`function_attribute`].
pub unsafe fn set_function_attribute(
    function: Function,
    attribute: i32,
    value: i32,
) -> Result<(), DriverError> {
    // SAFETY: as the caller promises.
    unsafe { call!(in sys, cuFuncSetAttribute(function.raw(), attribute, value)) }
}

/// Allows launches with so many bytes of dynamic shared memory, beyond 48 KiB.
///
/// # Safety
/// As for [`function_attribute`].
pub unsafe fn allow_dynamic_shared(function: Function, bytes: u32) -> Result<(), DriverError> {
    const MAX_DYNAMIC_SHARED_SIZE_BYTES: i32 = 8;
    let bytes = i32::try_from(bytes).unwrap_or(i32::MAX);
    // SAFETY: as the caller promises.
    unsafe { set_function_attribute(function, MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes) }
}

/// Says what the memory that the L1 cache and shared memory divide shall rather be: 0 either, 1 shared memory, 2 cache,
/// 3 half and half.
///
/// # Safety
/// As for [`function_attribute`].
pub unsafe fn set_cache_config(function: Function, preference: i32) -> Result<(), DriverError> {
    // SAFETY: as the caller promises; unknown preferences are an error.
    unsafe { call!(in sys, cuFuncSetCacheConfig(function.raw(), preference)) }
}

mod sys {
    //! cust declares them with an enum for a parameter, and not all attributes are in it.
    use super::{CUfunction, c_int};

    unsafe extern "C" {
        pub(super) fn cuFuncGetAttribute(
            value: *mut c_int,
            attribute: c_int,
            function: CUfunction,
        ) -> c_int;
        pub(super) fn cuFuncSetCacheConfig(function: CUfunction, preference: c_int) -> c_int;
        pub(super) fn cuFuncSetAttribute(
            function: CUfunction,
            attribute: c_int,
            value: c_int,
        ) -> c_int;
    }
}
