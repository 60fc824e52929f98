//! Stacks of fibers, with a guard page each, kept for the next launch.

use corosensei::stack::{DefaultStack, Stack};
use std::sync::{Mutex, PoisonError};

/// Bytes of a stack that is kept; a kernel with more local memory gets stacks of its own.
const USUAL: usize = 256 << 10;
/// What natives and a few calls need beside a kernel's local memory.
const SLACK: usize = 160 << 10;
/// What functions that call themselves have beside that.
const DEPTH: usize = 1 << 20;
/// Most stacks that are kept.
const KEPT: usize = 2048;

static POOL: Mutex<Vec<DefaultStack>> = Mutex::new(Vec::new());

/// Bytes at the end of a stack that functions which call themselves leave to what they call.
pub(super) fn reserve(local: usize) -> usize {
    local.saturating_add(SLACK / 2)
}

/// A stack for a thread that needs so many bytes of local memory, with room for functions that call themselves if `deep`.
pub(super) fn take(local: usize, deep: bool) -> std::io::Result<DefaultStack> {
    let size = local
        .saturating_add(SLACK)
        .saturating_add(if deep { DEPTH } else { 0 });
    if size <= USUAL {
        let kept = POOL.lock().unwrap_or_else(PoisonError::into_inner).pop();
        return kept.map_or_else(|| DefaultStack::new(USUAL), Ok);
    }
    if size > isize::MAX as usize / 2 {
        return Err(std::io::Error::from(std::io::ErrorKind::OutOfMemory));
    }
    DefaultStack::new(size)
}

/// Keeps a stack for later, unless there are enough of them.
pub(super) fn give(stack: DefaultStack) {
    let size = stack.base().get() - stack.limit().get();
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if size < 2 * USUAL && pool.len() < KEPT {
        pool.push(stack);
    }
}
