//! Arguments of exceptions that only Python can hold: it makes objects of them when they are raised.

use crate::print::text;
use std::any::Any;
use std::sync::{OnceLock, PoisonError, RwLock};

/// Keeps a value, of the type with this text and these leaves, as this thread's object of a number. Number 0 is the first
/// of its exception: what was kept before goes.
type Hook = fn(i64, &str, *const [u64; 2]);

static HOOK: RwLock<Option<Hook>> = RwLock::new(None);

/// Has `hook` keep values.
pub fn set_keep_value_hook(hook: Option<Hook>) {
    *HOOK.write().unwrap_or_else(PoisonError::into_inner) = hook;
}

/// What a thread has kept, on its way to another thread.
pub type Kept = Box<dyn Any + Send>;

/// Takes what this thread keeps; gives this thread what another has kept.
type MoveHooks = (fn() -> Option<Kept>, fn(Kept));

static MOVE: OnceLock<MoveHooks> = OnceLock::new();

/// Has `take` and `put` move what is kept between threads. The first ones stay.
pub fn set_kept_hooks(take: fn() -> Option<Kept>, put: fn(Kept)) {
    let _ = MOVE.set((take, put));
}

pub(crate) fn take_kept() -> Option<Kept> {
    MOVE.get().and_then(|(take, _)| take())
}

pub(crate) fn put_kept(kept: Kept) {
    if let Some((_, put)) = MOVE.get() {
        put(kept);
    }
}

/// `keep_value(number, type, length, kind, leaves) -> number`
///
/// # Safety
/// The type is `length` characters of `kind` bytes; `leaves` are those of a value of it, one every 16 bytes.
pub(crate) unsafe extern "C" fn numbra_rt_keep_value(
    number: i64,
    ty: *const u8,
    length: i64,
    kind: i32,
    leaves: *const [u64; 2],
) -> i64 {
    // SAFETY: the caller's promise is the same.
    let ty = unsafe { text(ty, length, kind) };
    let hook = *HOOK.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(hook) = hook {
        hook(number, &ty, leaves);
    }
    number
}
