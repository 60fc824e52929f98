//! Exceptions that handlers handle. `finally` and `with` raise them again when their code is done, which may have handled
//! others; what leaves a handler otherwise has the one that it handles as its context.

use crate::error::{self, Cause, Handled, is_error_pending, put_error, take_error};
use crate::kept::{put_kept, take_kept};
use crate::object::{self, Header};

/// What the data of an object hold: nothing once it is raised again, or is a context or a cause.
type Place = Option<Handled>;

/// An object that holds the pending exception, which is no longer pending, count 1. Null when nothing is pending, or when
/// memory is exhausted: it then is pending still.
pub(crate) extern "C" fn numbra_rt_keep_error() -> *mut Header {
    if !is_error_pending() {
        return std::ptr::null_mut();
    }
    let made = object::new_owner(size_of::<Place>(), free);
    if !made.is_null()
        && let Some(error) = take_error()
    {
        let kept = take_kept();
        let handled = Some(Handled { error, kept });
        // SAFETY: the data of the new object have room for it.
        unsafe { object::data_of(made).cast::<Place>().write(handled) };
    }
    made
}

/// # Safety
/// `object` came from [`numbra_rt_keep_error`] and is alive.
unsafe fn take(object: *mut Header) -> Option<Handled> {
    let place = object::data_of(object).cast::<Place>();
    // SAFETY: the data hold this; only one thread runs the code that handles the exception.
    unsafe { place.replace(None) }
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

/// Makes what an object holds the last context of the pending exception. Null, or what has been raised again, changes nothing.
///
/// # Safety
/// `object` is null, or came from [`numbra_rt_keep_error`] and is alive.
pub(crate) unsafe extern "C" fn numbra_rt_add_context(object: *mut Header) {
    if object.is_null() {
        return;
    }
    // SAFETY: by contract.
    if let Some(handled) = unsafe { take(object) } {
        error::add_context(handled);
    }
}

/// Makes what an object holds the cause of the pending exception; null says that it has none.
///
/// # Safety
/// As for [`numbra_rt_add_context`].
pub(crate) unsafe extern "C" fn numbra_rt_set_cause(object: *mut Header) {
    let cause = match object.is_null() {
        true => None,
        // SAFETY: by contract.
        false => unsafe { take(object) },
    };
    error::set_cause(cause.map_or(Cause::None, |cause| Cause::Exception(Box::new(cause))));
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
    use crate::error::raise;
    use crate::object::release;

    /// The class of an exception.
    fn class(error: &error::PendingError) -> String {
        let text = String::from_utf8_lossy(error.description()).into_owned();
        let class = text.split('"').nth(3).unwrap_or_default();
        class.trim_start_matches("builtins.").to_owned()
    }

    fn pending() -> Option<String> {
        take_error().map(|error| class(&error))
    }

    #[test]
    fn another_exception_does_not_replace_it() {
        raise("builtins.ValueError", "first");
        let kept = numbra_rt_keep_error();
        raise("builtins.KeyError", "second");
        // SAFETY: made above.
        unsafe { numbra_rt_raise_kept(kept) };
        assert_eq!(pending().as_deref(), Some("ValueError"));
        // Only once.
        // SAFETY: made above.
        unsafe { numbra_rt_raise_kept(kept) };
        assert_eq!(pending(), None);
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
        assert_eq!(pending(), None);
    }

    #[test]
    fn contexts_are_in_the_order_of_handlers() {
        raise("builtins.ValueError", "first");
        let first = numbra_rt_keep_error();
        raise("builtins.KeyError", "second");
        let second = numbra_rt_keep_error();
        raise("builtins.IndexError", "third");
        for handled in [second, first, first, std::ptr::null_mut()] {
            // SAFETY: made above, or null.
            unsafe { numbra_rt_add_context(handled) };
        }
        let mut error = take_error().expect("one is pending");
        let contexts = error.take_contexts();
        let classes: Vec<String> = contexts.iter().map(|c| class(&c.error)).collect();
        assert_eq!(
            (class(&error), classes),
            (
                "IndexError".to_owned(),
                vec!["KeyError".to_owned(), "ValueError".to_owned()]
            )
        );
        for object in [first, second] {
            // SAFETY: made above, and used no more.
            unsafe { release(object) };
        }
    }

    #[test]
    fn an_exception_is_not_its_own_context() {
        raise("builtins.ValueError", "first");
        let kept = numbra_rt_keep_error();
        // SAFETY: made above.
        unsafe { numbra_rt_raise_kept(kept) };
        // SAFETY: made above.
        unsafe { numbra_rt_add_context(kept) };
        assert!(
            take_error()
                .expect("one is pending")
                .take_contexts()
                .is_empty()
        );
        // SAFETY: made above, and used no more.
        unsafe { release(kept) };
    }
}
