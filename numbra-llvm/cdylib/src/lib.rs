//! The shared library around numbra-llvm: the C interface of [`numbra_abi::tier2`].
//!
//! Loaded when LLVM is first needed. LIR comes in as JSON, artifacts go out in their binary form; no panic crosses the
//! edge.

use numbra_abi::tier2::{self, Buffer, Request, Versions, output};
use numbra_lir::artifact::sealed::FORMAT_VERSION;
use numbra_lir::text::{LIR_DIGEST, from_json};
use numbra_lir::verify::{Phase, verify};
use numbra_llvm::{Error, OptLevel, Target, assembly, compile, emit, optimised, remarks};
use std::panic::catch_unwind;

/// What this library was built with.
///
/// # Safety
/// `out` points to writable [`Versions`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn numbra_llvm_versions(out: *mut Versions) {
    let versions = Versions {
        abi: tier2::ABI_VERSION,
        lir: LIR_DIGEST,
        artifact: FORMAT_VERSION,
    };
    // SAFETY: by contract.
    unsafe { out.write(versions) };
}

/// The target that describes this machine, as [`Request::target`] wants it.
///
/// # Safety
/// `out` points to a writable [`Buffer`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn numbra_llvm_host(out: *mut Buffer) {
    let bytes = Target::host().to_string().into_bytes();
    // SAFETY: by contract.
    unsafe { out.write(buffer(bytes)) };
}

/// Generates what `request` asks for; returns a status of [`numbra_abi::tier2`].
///
/// # Safety
/// `request` and what it points to can be read; `out` points to a writable [`Buffer`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn numbra_llvm_generate(request: *const Request, out: *mut Buffer) -> i32 {
    // SAFETY: by contract.
    let request = unsafe { &*request };
    // SAFETY: by contract.
    let (target, module) = unsafe {
        (
            std::slice::from_raw_parts(request.target, request.target_len),
            std::slice::from_raw_parts(request.module, request.module_len),
        )
    };
    let (what, opt) = (request.output, request.opt);
    let (status, bytes) = catch_unwind(|| generate(what, opt, target, module))
        .unwrap_or_else(|_| {
            let message = "the code generator panicked".to_owned();
            Err((tier2::FAILED, message))
        })
        .map_or_else(
            |(status, message)| (status, message.into_bytes()),
            |bytes| (tier2::OK, bytes),
        );
    // SAFETY: by contract.
    unsafe { out.write(buffer(bytes)) };
    status
}

/// Frees a buffer that a function of this library wrote.
///
/// # Safety
/// `out` points to such a buffer, which was not freed yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn numbra_llvm_free(out: *mut Buffer) {
    // SAFETY: by contract.
    let held = unsafe { out.replace(buffer(Vec::new())) };
    // SAFETY: `buffer` took the parts of a vector apart.
    drop(unsafe { Vec::from_raw_parts(held.data, held.len, held.capacity) });
}

fn buffer(bytes: Vec<u8>) -> Buffer {
    let mut bytes = std::mem::ManuallyDrop::new(bytes);
    Buffer {
        data: bytes.as_mut_ptr(),
        len: bytes.len(),
        capacity: bytes.capacity(),
    }
}

fn generate(what: u32, opt: u32, target: &[u8], module: &[u8]) -> Result<Vec<u8>, (i32, String)> {
    let malformed = |message: String| (tier2::MALFORMED, message);
    let text = |bytes| std::str::from_utf8(bytes).map_err(|e| malformed(e.to_string()));
    let name = text(target)?;
    let target: Target = name
        .parse()
        .map_err(|()| malformed(format!("no target `{name}`")))?;
    let level = match opt {
        0 => OptLevel::O0,
        3 => OptLevel::O3,
        other => return Err(malformed(format!("no optimisation level {other}"))),
    };
    let module = from_json(text(module)?).map_err(malformed)?;
    verify(&module, Phase::Placed).map_err(|errors| {
        let first = errors.first().map(ToString::to_string);
        malformed(first.unwrap_or_default())
    })?;
    let made = match what {
        output::ARTIFACT => compile(&module, &target, level).map(|a| a.to_bytes()),
        output::LLVM => emit(&module, &target)
            .map(String::into_bytes)
            .map_err(Error::from),
        output::OPTIMISED => optimised(&module, &target, level).map(String::into_bytes),
        output::ASSEMBLY => assembly(&module, &target, level).map(String::into_bytes),
        output::REMARKS => {
            let found = remarks(&module, &target).map(|found| serde_json::to_vec(&found));
            match found {
                Ok(Ok(bytes)) => Ok(bytes),
                Ok(Err(error)) => return Err((tier2::FAILED, error.to_string())),
                Err(error) => Err(error),
            }
        }
        other => return Err(malformed(format!("no output {other}"))),
    };
    made.map_err(|error| {
        let status = match error {
            Error::Unsupported(_) => tier2::UNSUPPORTED,
            Error::Llvm(_) => tier2::FAILED,
        };
        (status, error.to_string())
    })
}
