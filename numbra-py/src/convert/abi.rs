//! What every helper keeps to: leaves travel in blocks, and panics stop before machine code.

use crate::python::with_gil;
use numbra_lir::Ty;
use numbra_runtime::Header;
use pyo3::Python;
use smallvec::SmallVec;

/// One leaf as the word (or two) that the block holds: 16 bytes a leaf, as the internal ABI has it.
pub(crate) type Words = [u64; 2];

/// The leaves of a value: those of most fit without memory of their own.
pub(crate) type Leaves = SmallVec<[Words; 8]>;

/// Gives up the references among leaves that were owned.
///
/// # Safety
/// `words` are leaves of these machine types, each reference is null or alive, and the caller owns it.
pub(crate) unsafe fn release_leaves(shape: &[Ty], words: &[Words]) {
    for (leaf, word) in shape.iter().zip(words) {
        if *leaf == Ty::Ref {
            // SAFETY: by contract.
            unsafe { numbra_runtime::release(word[0] as *mut Header) };
        }
    }
}

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
