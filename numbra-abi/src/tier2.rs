//! The C interface of the shared library that holds the second code generator.
//!
//! The library exports four functions; [`SYMBOLS`] names them in this order:
//!
//! ```c
//! void    numbra_llvm_versions(struct Versions *out);
//! void    numbra_llvm_host(struct Buffer *out);
//! int32_t numbra_llvm_generate(const struct Request *request, struct Buffer *out);
//! void    numbra_llvm_free(struct Buffer *buffer);
//! ```
//!
//! Any thread may call them. `out` receives a buffer that the caller gives back to `free`: what was asked for when the
//! status is [`OK`], else a message in UTF-8.

/// Names of the exported functions, each with a NUL.
pub const SYMBOLS: [&str; 4] = [
    "numbra_llvm_versions\0",
    "numbra_llvm_host\0",
    "numbra_llvm_generate\0",
    "numbra_llvm_free\0",
];

/// Version of this interface.
pub const ABI_VERSION: u32 = 3;

/// What both sides must agree on; see `numbra_llvm_versions`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Versions {
    /// [`ABI_VERSION`].
    pub abi: u32,
    /// Version of the binary form of artifacts.
    pub artifact: u32,
    /// Digest of the definition of LIR.
    pub lir: u64,
}

/// Bytes that the library owns.
#[repr(C)]
#[derive(Debug)]
pub struct Buffer {
    pub data: *mut u8,
    pub len: usize,
    pub capacity: usize,
}

/// What to generate, from which module.
#[repr(C)]
#[derive(Debug)]
pub struct Request {
    /// One of [`output`].
    pub output: u32,
    /// 0 for none, 3 for all.
    pub opt: u32,
    /// A target in UTF-8: `x86-64-v3`, `x86-64-v4 znver4` (tuned for a processor), `sm_90`, and words.
    pub target: *const u8,
    pub target_len: usize,
    /// A LIR module as JSON dump.
    pub module: *const u8,
    pub module_len: usize,
}

/// What [`Request`] asks for.
pub mod output {
    /// An artifact in binary form.
    pub const ARTIFACT: u32 = 0;
    /// LLVM IR as emitted.
    pub const LLVM: u32 = 1;
    /// LLVM IR after its passes.
    pub const OPTIMISED: u32 = 2;
    /// Assembly; PTX for a GPU.
    pub const ASSEMBLY: u32 = 3;
    /// What LLVM says about the module's loops, as JSON.
    pub const REMARKS: u32 = 4;
}

/// Done.
pub const OK: i32 = 0;
/// The target has not what the module uses.
pub const UNSUPPORTED: i32 = 1;
/// The request makes no sense: unknown target or output, a module that does not verify.
pub const MALFORMED: i32 = 2;
/// The generator failed: a bug.
pub const FAILED: i32 = 3;
