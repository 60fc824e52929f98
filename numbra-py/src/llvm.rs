//! LLVM as the second code generator: a shared library beside this extension module, loaded when it is first needed.
//!
//! [`numbra_abi::tier2`] is the interface. LIR goes in as JSON, artifacts come back in their binary form.

use numbra_abi::tier2::{self, Buffer, Request, SYMBOLS, Versions, output};
use numbra_driver::{DeviceTarget, Generator, GeneratorError, GeneratorText};
use numbra_lir::Module;
use numbra_lir::artifact::Artifact;
use numbra_lir::artifact::sealed::FORMAT_VERSION;
use numbra_lir::remarks::LoopRemark;
use numbra_lir::text::{LIR_DIGEST, to_json};
use std::ffi::{CStr, CString, OsString, c_void};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The library's name beside `_numbra`.
const FILE: &str = "libnumbra_llvm.so";

type VersionsFn = unsafe extern "C" fn(*mut Versions);
type HostFn = unsafe extern "C" fn(*mut Buffer);
type GenerateFn = unsafe extern "C" fn(*const Request, *mut Buffer) -> i32;
type FreeFn = unsafe extern "C" fn(*mut Buffer);

/// The loaded library. It is never unloaded.
struct Llvm {
    generate: GenerateFn,
    free: FreeFn,
    /// This machine in the library's words.
    host: String,
    level: u32,
}

static LOADED: AtomicBool = AtomicBool::new(false);

/// Whether the system has the memory that LLVM takes for a function of a usual size, and its library where it is not loaded yet.
/// LLVM ends the process where it finds none.
pub(crate) fn has_room() -> bool {
    const USUAL: usize = 64 << 20;
    let library = match LOADED.load(Ordering::Relaxed) {
        true => 0,
        false => path().map_or(0, |path| path.metadata().map_or(0, |file| file.len())),
    };
    let all = usize::try_from(library).map_or(USUAL, |library| USUAL.saturating_add(library));
    crate::room::has_room(all)
}

fn check_room() -> Result<(), GeneratorError> {
    match has_room() {
        true => Ok(()),
        false => Err(GeneratorError::NoMemory),
    }
}

/// Loads the library.
pub(crate) fn load() -> Result<Arc<dyn Generator>, GeneratorError> {
    check_room()?;
    let llvm = open().map_err(GeneratorError::Unavailable)?;
    LOADED.store(true, Ordering::Relaxed);
    Ok(Arc::new(llvm))
}

fn open() -> Result<Llvm, String> {
    let path = path()?;
    let name = CString::new(path.as_os_str().as_bytes()).map_err(|e| e.to_string())?;
    // SAFETY: a C string. The library's initialisers register LLVM's options in its own memory.
    let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW) };
    if handle.is_null() {
        return Err(last_error());
    }
    let mut addresses = [std::ptr::null_mut(); SYMBOLS.len()];
    for (address, symbol) in addresses.iter_mut().zip(SYMBOLS) {
        // SAFETY: a live handle, and a name that ends in NUL.
        *address = unsafe { libc::dlsym(handle, symbol.as_ptr().cast()) };
        if address.is_null() {
            return Err(last_error());
        }
    }
    let [versions, host, generate, free] = addresses;
    // SAFETY: `numbra_abi::tier2` gives each symbol this type; the version is checked before any other is called.
    let (versions, host, generate, free) = unsafe {
        (
            std::mem::transmute::<*mut c_void, VersionsFn>(versions),
            std::mem::transmute::<*mut c_void, HostFn>(host),
            std::mem::transmute::<*mut c_void, GenerateFn>(generate),
            std::mem::transmute::<*mut c_void, FreeFn>(free),
        )
    };
    let expected = Versions {
        abi: tier2::ABI_VERSION,
        lir: LIR_DIGEST,
        artifact: FORMAT_VERSION,
    };
    let mut found = Versions::default();
    // SAFETY: the place is writable.
    unsafe { versions(&raw mut found) };
    if found != expected {
        return Err(format!(
            "{} is of another build: {found:?}, not {expected:?}",
            path.display()
        ));
    }
    let mut buffer = empty();
    // SAFETY: the place is writable.
    unsafe { host(&raw mut buffer) };
    let mut llvm = Llvm {
        generate,
        free,
        host: String::new(),
        level: level(),
    };
    llvm.host = text(llvm.take(buffer))?;
    Ok(llvm)
}

/// `NUMBRA_LLVM_LIBRARY`, else the file beside this module.
pub(crate) fn path() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("NUMBRA_LLVM_LIBRARY") {
        return Ok(PathBuf::from(path));
    }
    let mut info = libc::Dl_info {
        dli_fname: std::ptr::null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null(),
        dli_saddr: std::ptr::null_mut(),
    };
    let here = load as fn() -> Result<Arc<dyn Generator>, GeneratorError>;
    // SAFETY: an address of this module, and a place to write to.
    let found = unsafe { libc::dladdr(here as *const c_void, &raw mut info) };
    if found == 0 || info.dli_fname.is_null() {
        return Err("the place of the extension module is not known".to_owned());
    }
    // SAFETY: `dladdr` gives a C string that lives as long as this module.
    let name = unsafe { CStr::from_ptr(info.dli_fname) };
    let module = PathBuf::from(OsString::from_vec(name.to_bytes().to_vec()));
    Ok(module.with_file_name(FILE))
}

/// What tells the library's code apart from others': its size, the time of its last change, and how much it does. It is
/// not loaded.
pub(crate) fn identity() -> String {
    let Ok(metadata) = path().and_then(|path| std::fs::metadata(path).map_err(|e| e.to_string()))
    else {
        return String::new();
    };
    format!(
        "{}.{}.{}.O{}",
        metadata.len(),
        metadata.mtime(),
        metadata.mtime_nsec(),
        level()
    )
}

/// How much LLVM does: all but where `NUMBA_OPT` or `NUMBRA_OPT` asks for nothing.
fn level() -> u32 {
    let none = ["NUMBA_OPT", "NUMBRA_OPT"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| value == "0"));
    if none { 0 } else { 3 }
}

impl Llvm {
    fn request(&self, module: &Module, what: u32, target: &str) -> Result<Vec<u8>, GeneratorError> {
        self.request_at(self.level, module, what, target)
    }

    fn request_at(
        &self,
        opt: u32,
        module: &Module,
        what: u32,
        target: &str,
    ) -> Result<Vec<u8>, GeneratorError> {
        check_room()?;
        let module = to_json(module).map_err(GeneratorError::Failed)?;
        let request = Request {
            output: what,
            opt,
            target: target.as_ptr(),
            target_len: target.len(),
            module: module.as_ptr(),
            module_len: module.len(),
        };
        let mut buffer = empty();
        // SAFETY: the request points to live strings, and the buffer can be written.
        let status = unsafe { (self.generate)(&raw const request, &raw mut buffer) };
        let bytes = self.take(buffer);
        let message = || String::from_utf8_lossy(&bytes).into_owned();
        match status {
            tier2::OK => Ok(bytes),
            tier2::UNSUPPORTED => Err(GeneratorError::Unsupported(message())),
            _ => Err(GeneratorError::Failed(message())),
        }
    }

    /// Copies and frees what the library wrote.
    fn take(&self, mut buffer: Buffer) -> Vec<u8> {
        let bytes = if buffer.len == 0 {
            Vec::new()
        } else {
            // SAFETY: the library wrote a buffer of this length.
            unsafe { std::slice::from_raw_parts(buffer.data, buffer.len) }.to_vec()
        };
        // SAFETY: the library's own buffer, freed once.
        unsafe { (self.free)(&raw mut buffer) };
        bytes
    }
}

impl Generator for Llvm {
    fn compile(&self, module: &Module) -> Result<Artifact, GeneratorError> {
        let bytes = self.request(module, output::ARTIFACT, &self.host)?;
        Artifact::from_bytes(&bytes).map_err(|e| GeneratorError::Failed(e.to_string()))
    }

    fn text(&self, module: &Module, what: GeneratorText) -> Result<String, GeneratorError> {
        let bytes = self.request(module, wanted(what), &self.host)?;
        text(bytes).map_err(GeneratorError::Failed)
    }

    fn device_text(
        &self,
        module: &Module,
        target: &DeviceTarget,
        what: GeneratorText,
    ) -> Result<String, GeneratorError> {
        let opt = if target.optimised { 3 } else { 0 };
        let bytes = self.request_at(opt, module, wanted(what), &target.text)?;
        text(bytes).map_err(GeneratorError::Failed)
    }

    fn remarks(&self, module: &Module) -> Result<Vec<LoopRemark>, GeneratorError> {
        let bytes = self.request(module, output::REMARKS, &self.host)?;
        serde_json::from_slice(&bytes).map_err(|e| GeneratorError::Failed(e.to_string()))
    }
}

fn wanted(what: GeneratorText) -> u32 {
    match what {
        GeneratorText::Emitted => output::LLVM,
        GeneratorText::Optimised => output::OPTIMISED,
        GeneratorText::Assembly => output::ASSEMBLY,
    }
}

fn empty() -> Buffer {
    Buffer {
        data: std::ptr::null_mut(),
        len: 0,
        capacity: 0,
    }
}

fn text(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|e| e.to_string())
}

/// What the dynamic linker last complained about.
fn last_error() -> String {
    // SAFETY: a null or a C string that stays valid until the next call on this thread.
    let message = unsafe { libc::dlerror() };
    if message.is_null() {
        return "the dynamic linker gives no reason".to_owned();
    }
    // SAFETY: as above.
    unsafe { CStr::from_ptr(message) }
        .to_string_lossy()
        .into_owned()
}
