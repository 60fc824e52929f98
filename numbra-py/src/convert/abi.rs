//! What every helper keeps to: leaves travel in blocks, and panics stop before machine code.

use crate::python::with_gil;
use pyo3::Python;

/// One leaf as the word (or two) that the block holds: 16 bytes a leaf, as the internal ABI has it.
pub(crate) type Words = [u64; 2];

/// Runs a helper body; a panic in it must not cross into machine code.
pub(crate) fn guarded<R>(failed: R, body: impl FnOnce() -> R) -> R {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(body)).unwrap_or(failed)
}

/// As [`guarded`], for helpers that are called with the GIL.
///
/// # Safety
/// The thread holds the GIL.
pub(crate) unsafe fn guarded_with_gil<R>(failed: R, body: impl FnOnce(Python<'_>) -> R) -> R {
    // SAFETY: by contract.
    guarded(failed, || unsafe { with_gil(body) })
}
