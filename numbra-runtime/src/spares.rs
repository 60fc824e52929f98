//! Small objects that a thread freed lately, for the next ones that it makes: malloc would take longer than what is done with
//! them.

use crate::object::Header;
use std::cell::Cell;
use std::ptr;

/// Data have room for a multiple of this.
const STEP: usize = 64;
/// Sizes of data, in steps, that are kept.
const CLASSES: usize = 9;
/// How many objects of a class are kept: none where each use of a freed one is to be found (`tests/sanitize.sh`).
const MOST: u32 = if cfg!(feature = "sanitize") { 0 } else { 32 };

/// So many steps of room for data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Class(usize);

impl Class {
    /// The most room that a class has.
    pub(crate) const MOST_ROOM: usize = (CLASSES - 1) * STEP;

    /// That of the smallest room for data of `size` bytes; none if it is not kept.
    #[inline]
    pub(crate) fn of(size: usize) -> Option<Class> {
        let steps = size.div_ceil(STEP);
        (steps < CLASSES).then_some(Class(steps))
    }

    /// Bytes for data.
    #[inline]
    pub(crate) fn room(self) -> usize {
        self.0 * STEP
    }
}

/// The kept objects of a class, each of which has the next one's address for its data's.
struct Kept {
    first: Cell<*mut Header>,
    count: Cell<u32>,
}

/// What a thread keeps.
pub(crate) struct Spares([Kept; CLASSES]);

impl Spares {
    pub(crate) const fn new() -> Spares {
        Spares(
            [const {
                Kept {
                    first: Cell::new(ptr::null_mut()),
                    count: Cell::new(0),
                }
            }; CLASSES],
        )
    }

    /// The object of a class that was kept last.
    #[inline]
    pub(crate) fn take(&self, class: Class) -> Option<*mut Header> {
        let kept = &self.0[class.0];
        let first = kept.first.get();
        // SAFETY: null, or an object that was kept, whose memory only this list knows.
        let next = unsafe { first.as_ref() }?.data_address();
        kept.first.set(next.cast());
        kept.count.set(kept.count.get() - 1);
        Some(first)
    }

    /// Keeps an object, unless there are enough of its class.
    ///
    /// # Safety
    /// It has the room of its class, was made by [`crate::object`] and is used no more; what [`Spares::take`] gives is it.
    #[inline]
    pub(crate) unsafe fn keep(&self, class: Class, object: *mut Header) -> bool {
        let kept = &self.0[class.0];
        if kept.count.get() == MOST {
            return false;
        }
        // SAFETY: nobody else uses it.
        unsafe { (*object).set_data(kept.first.get().cast(), 0) };
        kept.first.set(object);
        kept.count.set(kept.count.get() + 1);
        true
    }
}

impl Drop for Spares {
    fn drop(&mut self) {
        for steps in 0..CLASSES {
            while let Some(object) = self.take(Class(steps)) {
                // SAFETY: the list was the only one that knew it.
                unsafe { Header::give_back(object) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::{numbra_rt_alloc, numbra_rt_alloc_zeroed, release};

    #[test]
    fn classes_have_room() {
        for size in 0..2000 {
            match Class::of(size) {
                Some(class) => {
                    assert!((size..size + STEP).contains(&class.room()), "{size}");
                    assert_eq!(Class::of(class.room()), Some(class));
                }
                None => assert!(size > Class::MOST_ROOM, "{size}"),
            }
        }
    }

    #[test]
    fn few_objects_are_kept_the_last_one_first() {
        let spares = Spares::new();
        let (class, other) = (Class(1), Class(2));
        let objects: Vec<_> = (0..=MOST).map(|_| numbra_rt_alloc(64, 8)).collect();
        let (last, kept) = objects.split_last().expect("there is one more");
        for object in kept {
            // SAFETY: with the room of the class, and not used while it is kept.
            assert!(unsafe { spares.keep(class, *object) });
        }
        // SAFETY: not kept, since there are enough.
        assert!(!unsafe { spares.keep(class, *last) });
        assert_eq!(spares.take(other), None);
        for object in kept.iter().rev() {
            assert_eq!(spares.take(class), Some(*object));
        }
        assert_eq!(spares.take(class), None);
        for object in objects {
            // SAFETY: this owns the only reference.
            unsafe { release(object) };
        }
    }

    #[test]
    fn what_is_used_again_is_as_new() {
        for size in [0, 1, 63, 64, 65, 512, 513, 4000] {
            for _ in 0..3 {
                let object = numbra_rt_alloc_zeroed(size, 8);
                // SAFETY: alive, and nobody else's.
                let data = unsafe {
                    let data = (*object).data_address();
                    std::slice::from_raw_parts_mut(data, size as usize)
                };
                assert!(data.iter().all(|byte| *byte == 0), "{size}");
                assert!(data.as_ptr().addr().is_multiple_of(STEP));
                data.fill(7);
                // SAFETY: this owns the only reference.
                unsafe { release(object) };
            }
        }
    }
}
