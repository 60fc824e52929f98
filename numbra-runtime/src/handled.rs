//! Exceptions that `finally` and `with` raise again when their code is done, which may have handled others.

use crate::error::{PendingError, peek_error, put_error};
use crate::kept::{Kept, put_kept, take_kept};
use crate::object::{self, Header};

/// An exception, and the arguments that Python keeps of it.
struct Handled {
    error: PendingError,
    kept: Option<Kept>,
}

/// What the data of an object hold: null once it is raised again.
type Place = *mut Handled;

/// An object that holds the pending exception, count 1; null when memory is exhausted or nothing is pending.
pub(crate) extern "C" fn numbra_rt_keep_error() -> *mut Header {
    let Some(error) = peek_error() else {
        return std::ptr::null_mut();
    };
    let made = object::new_owner(size_of::<Place>(), free);
    if !made.is_null() {
        let kept = take_kept();
        let handled = Box::into_raw(Box::new(Handled { error, kept }));
        // SAFETY: the data of the new object have room for it.
        unsafe { object::data_of(made).cast::<Place>().write(handled) };
    }
    made
}

/// # Safety
/// `object` came from [`numbra_rt_keep_error`] and is alive.
unsafe fn take(object: *mut Header) -> Option<Box<Handled>> {
    let place = object::data_of(object).cast::<Place>();
    // SAFETY: the data hold this; only one thread runs the code that handles the exception.
    let handled = unsafe { place.replace(std::ptr::null_mut()) };
    // SAFETY: it came from a box, and the object does not hold it any more.
    (!handled.is_null()).then(|| unsafe { Box::from_raw(handled) })
}

/// Makes what an object holds pending. Null changes nothing.
///
/// # Safety
/// `object` is null, or came from [`numbra_rt_keep_error`] and is alive.
pub(crate) unsafe extern "C" fn numbra_rt_raise_kept(object: *mut Header) {
    if object.is_null() {
        return;
    }
    // SAFETY: by contract.
    if let Some(handled) = unsafe { take(object) } {
        put_error(handled.error);
        if let Some(kept) = handled.kept {
            put_kept(kept);
        }
    }
}

/// # Safety
/// `object` came from [`numbra_rt_keep_error`] and its last reference is gone.
unsafe extern "C" fn free(object: *mut Header) {
    // SAFETY: the object is still whole.
    drop(unsafe { take(object) });
    // SAFETY: as any object that `new_owner` made.
    unsafe { object::free_memory(object) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{raise, take_error};
    use crate::object::release;

    #[test]
    fn another_exception_does_not_replace_it() {
        raise("builtins.ValueError", "first");
        let first = peek_error();
        let kept = numbra_rt_keep_error();
        raise("builtins.KeyError", "second");
        // SAFETY: made above.
        unsafe { numbra_rt_raise_kept(kept) };
        assert_eq!(take_error(), first);
        // Only once.
        // SAFETY: made above.
        unsafe { numbra_rt_raise_kept(kept) };
        assert_eq!(take_error(), None);
        // SAFETY: made above, and used no more.
        unsafe { release(kept) };
    }

    #[test]
    fn what_is_not_raised_again_is_given_up() {
        assert!(numbra_rt_keep_error().is_null());
        raise("builtins.ValueError", "first");
        // SAFETY: made here.
        unsafe { release(numbra_rt_keep_error()) };
        // SAFETY: null is allowed.
        unsafe { numbra_rt_raise_kept(std::ptr::null_mut()) };
        assert!(take_error().is_some());
    }
}
