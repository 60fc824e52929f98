//! Finding libcuda, loading it, and its errors.

use std::borrow::Cow;
use std::ffi::{CStr, CString, OsStr, c_char, c_int, c_void};
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::call::call;

/// Where distributions and the Windows Subsystem for Linux put the driver.
const LIBRARIES: &[&str] = &[
    "libcuda.so.1",
    "libcuda.so",
    "/usr/lib/wsl/lib/libcuda.so.1",
];

/// What the driver translates PTX with, beside it.
const PTX_TRANSLATOR: &str = "libnvidia-ptxjitcompiler.so.1";

const NOT_INITIALIZED: c_int = 3;

/// How the driver is loaded, once in a process.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// No library: the driver whose device is the processor.
    pub host: bool,
    /// The library to load instead of the system's libcuda.
    pub library: Option<PathBuf>,
    /// Whether the default stream is each thread's own.
    pub per_thread_default_stream: bool,
}

/// A call of the driver that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DriverError {
    /// The driver's error code.
    pub code: i32,
    /// Its name, `CUDA_ERROR_OUT_OF_MEMORY`.
    pub name: Cow<'static, str>,
    /// The function that returned it, without the version that its symbol carries.
    pub call: &'static str,
    /// Whether the process was forked from one that had initialised the driver, which no driver supports.
    pub forked: bool,
}

impl DriverError {
    /// `CUDA_ERROR_OUT_OF_MEMORY`
    pub const OUT_OF_MEMORY: i32 = 2;
    /// `CUDA_ERROR_CONTEXT_IS_DESTROYED`
    pub const CONTEXT_IS_DESTROYED: i32 = 709;
    /// `CUDA_ERROR_NOT_READY`
    pub const NOT_READY: i32 = 600;

    /// The error that `call` gives for a handle whose context was reset.
    pub fn destroyed(call: &'static str) -> Self {
        DriverError {
            code: Self::CONTEXT_IS_DESTROYED,
            name: Cow::Borrowed("CUDA_ERROR_CONTEXT_IS_DESTROYED"),
            call,
            forked: false,
        }
    }
}

impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Call to {} results in {}", self.call, self.name)
    }
}

impl std::error::Error for DriverError {}

/// Why there is no driver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InitError {
    /// No library of that name.
    #[error(
        "\nCUDA driver library cannot be found.\nEnsure that a compatible NVIDIA driver is installed and available on your \
         system path.\n"
    )]
    NotFound,
    /// There is one, and it cannot be loaded.
    #[error("\nPossible CUDA driver libraries are found but error occurred during load:\n{0}\n")]
    Load(String),
    /// It was loaded, and `cuInit` failed.
    #[error("{} ({})", .0, .0.code)]
    Init(DriverError),
}

struct Loaded {
    process: u32,
    /// It is the one whose device is the processor.
    host: bool,
    /// The file of the library.
    file: Option<PathBuf>,
}

static DRIVER: OnceLock<Result<Loaded, InitError>> = OnceLock::new();

/// Whether [`init`] was called before, whatever came of it.
pub fn is_loaded() -> bool {
    DRIVER.get().is_some()
}

/// Whether the driver that was loaded is the one whose device is the processor.
pub fn is_host() -> bool {
    matches!(DRIVER.get(), Some(Ok(Loaded { host: true, .. })))
}

/// Loads and initialises the driver at the first call, with the options of that call; gives the outcome ever after.
pub fn init(options: impl FnOnce() -> Options) -> Result<(), &'static InitError> {
    match DRIVER.get_or_init(|| load(&options())) {
        Ok(_) => Ok(()),
        Err(error) => Err(error),
    }
}

fn load(options: &Options) -> Result<Loaded, InitError> {
    let file = if options.host {
        // SAFETY: the entries have the driver's signatures.
        unsafe { numbra_cuda_shim::fill(crate::host::entry) };
        None
    } else {
        let library = match &options.library {
            Some(path) => open(path)?,
            None => open_first()?,
        };
        let per_thread = options.per_thread_default_stream;
        // SAFETY: the library is libcuda, or what the user names as such, and is never closed.
        unsafe { numbra_cuda_shim::fill(|name| entry(library, name, per_thread)) };
        file_of(library)
    };
    // SAFETY: cuInit takes flags, which must be 0.
    unsafe { call!(cuInit(0)) }.map_err(InitError::Init)?;
    Ok(Loaded {
        process: std::process::id(),
        host: options.host,
        file,
    })
}

/// The file from which a library was loaded.
fn file_of(library: *mut c_void) -> Option<PathBuf> {
    let mut info = libc::Dl_info {
        dli_fname: core::ptr::null(),
        dli_fbase: core::ptr::null_mut(),
        dli_sname: core::ptr::null(),
        dli_saddr: core::ptr::null_mut(),
    };
    // SAFETY: an open library, a C string, a place to write to; the name that is found lives as long as the library.
    unsafe {
        let symbol = libc::dlsym(library, c"cuInit".as_ptr());
        if symbol.is_null() || libc::dladdr(symbol, &raw mut info) == 0 || info.dli_fname.is_null()
        {
            return None;
        }
        let name = CStr::from_ptr(info.dli_fname);
        Some(PathBuf::from(OsStr::from_bytes(name.to_bytes())))
    }
}

/// Where the driver's translator of PTX should be.
pub(crate) fn ptx_translator() -> Option<PathBuf> {
    let loaded = DRIVER.get()?.as_ref().ok()?;
    Some(loaded.file.as_ref()?.with_file_name(PTX_TRANSLATOR))
}

/// The address of an entry point; with per-thread default streams, of its variant for these if it has one.
fn entry(library: *mut c_void, name: &str, per_thread: bool) -> Option<*mut c_void> {
    let suffixes: &[&str] = if per_thread {
        &["_ptsz", "_ptds", ""]
    } else {
        &[""]
    };
    suffixes.iter().find_map(|suffix| {
        let symbol = CString::new(format!("{name}{suffix}")).expect("names of symbols have no NUL");
        // SAFETY: an open library and a C string.
        let found = unsafe { libc::dlsym(library, symbol.as_ptr()) };
        (!found.is_null()).then_some(found)
    })
}

fn open_first() -> Result<*mut c_void, InitError> {
    let mut errors = Vec::new();
    for name in LIBRARIES {
        match open(Path::new(name)) {
            Ok(library) => return Ok(library),
            Err(InitError::Load(error)) => errors.push(error),
            Err(_) => {}
        }
    }
    Err(if errors.is_empty() {
        InitError::NotFound
    } else {
        InitError::Load(errors.join("\n"))
    })
}

fn open(path: &Path) -> Result<*mut c_void, InitError> {
    let Ok(name) = CString::new(path.as_os_str().as_bytes()) else {
        return Err(InitError::Load(format!(
            "{}: a NUL in the path",
            path.display()
        )));
    };
    // SAFETY: loads a library, which runs its constructors: libcuda's, or those of what the user names.
    let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if !library.is_null() {
        return Ok(library);
    }
    // SAFETY: dlerror's text stays until the next call of the kind on this thread.
    let error = unsafe { text(libc::dlerror()) }.unwrap_or_else(|| "dlopen failed".into());
    // A bare name is searched by the loader, which says that it found nothing.
    let missing = if path.components().count() > 1 {
        !path.is_file()
    } else {
        error.contains("No such file")
    };
    Err(if missing {
        InitError::NotFound
    } else {
        InitError::Load(error.into_owned())
    })
}

/// # Safety
/// `text` is null or a C string.
unsafe fn text(text: *const c_char) -> Option<Cow<'static, str>> {
    if text.is_null() {
        return None;
    }
    // SAFETY: as the caller promises.
    let text = unsafe { CStr::from_ptr(text) };
    Some(text.to_string_lossy().into_owned().into())
}

/// An error unless `code` is `CUDA_SUCCESS`; `symbol` is the function that returned it.
#[inline]
pub(crate) fn check(symbol: &'static str, code: c_int) -> Result<(), DriverError> {
    if code == 0 {
        Ok(())
    } else {
        Err(failed(symbol, code))
    }
}

#[cold]
fn failed(symbol: &'static str, code: c_int) -> DriverError {
    let process = DRIVER
        .get()
        .and_then(|driver| driver.as_ref().ok())
        .map(|driver| driver.process);
    DriverError {
        code,
        name: error_name(code),
        call: without_version(symbol),
        forked: code == NOT_INITIALIZED
            && process.is_some_and(|process| process != std::process::id()),
    }
}

/// `cuMemAlloc` for `cuMemAlloc_v2`.
fn without_version(symbol: &'static str) -> &'static str {
    match symbol.rsplit_once("_v") {
        Some((name, version)) if version.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => symbol,
    }
}

/// The driver's name of an error code.
pub fn error_name(code: i32) -> Cow<'static, str> {
    let mut name: *const c_char = core::ptr::null();
    // SAFETY: the driver writes the address of a constant, or nothing.
    let found = unsafe { sys::cuGetErrorName(code, &mut name) } == 0;
    // SAFETY: see above.
    let name = if found { unsafe { text(name) } } else { None };
    name.unwrap_or_else(|| match code {
        3 => "CUDA_ERROR_NOT_INITIALIZED".into(),
        100 => "CUDA_ERROR_NO_DEVICE".into(),
        801 => "CUDA_ERROR_NOT_SUPPORTED".into(),
        _ => format!("error {code}").into(),
    })
}

/// The driver's version, major and minor.
pub fn version() -> Result<(i32, i32), DriverError> {
    let mut version = 0;
    // SAFETY: writes one int.
    unsafe { call!(cuDriverGetVersion(&mut version)) }?;
    Ok((version / 1000, version % 1000 / 10))
}

mod sys {
    //! cust declares it with an enum for a parameter, and not all codes are in it.
    use core::ffi::{c_char, c_int};

    unsafe extern "C" {
        pub(super) fn cuGetErrorName(error: c_int, name: *mut *const c_char) -> c_int;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_functions_carry_no_version() {
        assert_eq!(without_version("cuMemAlloc_v2"), "cuMemAlloc");
        assert_eq!(without_version("cuStreamCreate"), "cuStreamCreate");
        assert_eq!(without_version("cuMemcpy_vec"), "cuMemcpy_vec");
    }

    #[test]
    fn a_missing_library_is_not_found_and_a_broken_one_is_a_load_error() {
        assert_eq!(
            open(Path::new("/nowhere/libcuda.so.1")),
            Err(InitError::NotFound)
        );
        assert_eq!(
            open(Path::new("libnumbra_no_such_library.so")),
            Err(InitError::NotFound)
        );
        let own_source = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        assert!(matches!(open(&own_source), Err(InitError::Load(_))));
    }
}
