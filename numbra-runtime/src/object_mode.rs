//! Bodies of `with objmode` statements: Python runs them.

use crate::error::raise;
use crate::print::text;
use numbra_abi::status;
use std::sync::{PoisonError, RwLock};

/// The class under which an exception of Python's own is pending; whoever set the hook keeps the exception itself.
pub const PYTHON_EXCEPTION: &str = "numbra.python_exception";

/// Runs the body with a number on a value, given the text of its type and its leaves, and writes the leaves of what comes
/// out; false when it raised.
type Hook = fn(i64, &str, *const [u64; 2], *mut [u64; 2]) -> bool;

static HOOK: RwLock<Option<Hook>> = RwLock::new(None);

/// Has `hook` run bodies.
pub fn set_object_block_hook(hook: Option<Hook>) {
    *HOOK.write().unwrap_or_else(PoisonError::into_inner) = hook;
}

/// `object_block(handle, outputs, type, length, kind, inputs) -> status`
///
/// # Safety
/// The type is `length` characters of `kind` bytes; `inputs` are the leaves of a value of it, one every 16 bytes, and
/// `outputs` has room for those of the body's result.
pub(crate) unsafe extern "C" fn numbra_rt_object_block(
    handle: i64,
    outputs: *mut [u64; 2],
    ty: *const u8,
    length: i64,
    kind: i32,
    inputs: *const [u64; 2],
) -> i32 {
    // SAFETY: the caller's promise is the same.
    let ty = unsafe { text(ty, length, kind) };
    // What compiled code has printed so far comes before what the body prints.
    crate::print::flush_print();
    let hook = *HOOK.read().unwrap_or_else(PoisonError::into_inner);
    let Some(hook) = hook else {
        raise("builtins.RuntimeError", "object mode needs Python");
        return status::RAISED;
    };
    if hook(handle, &ty, inputs, outputs) {
        return status::OK;
    }
    raise(PYTHON_EXCEPTION, "");
    status::RAISED
}
