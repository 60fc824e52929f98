//! Memory whose size the data of a program decide, and which may not be there.
//!
//! The standard library's vectors end the process where the system has no memory for them. What native bodies allocate comes
//! from here instead: where there is none, [`refuse`] unwinds to who entered the body, which makes a MemoryError of it. What
//! is allocated on the way is dropped as by `?`, and closures, iterators and bodies need no second kind of result.
//! The functions that begin with `try` are for natives that nobody enters in that way.
//!
//! What is small whatever the data are (messages, axes of an array, the record of an exception) may come from the standard
//! library: the process allocator holds memory back for it ([`Reserve`]).

mod reserve;

pub use reserve::{RESERVE, Reserve, reserve_is_used, try_allocate};

use std::any::Any;
use std::panic::resume_unwind;

/// What unwinds where memory is exhausted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory;

/// Unwinds with [`OutOfMemory`]. Nothing is printed.
#[cold]
#[inline(never)]
pub fn refuse() -> ! {
    resume_unwind(Box::new(OutOfMemory))
}

/// True if a caught unwinding is that of [`refuse`].
pub fn is_refusal(caught: &(dyn Any + Send)) -> bool {
    caught.is::<OutOfMemory>()
}

/// An empty vector with room for `n` items, or none.
#[inline]
pub fn try_room<T>(n: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut all = Vec::new();
    match try_allocate(|| all.try_reserve_exact(n)) {
        Ok(()) => Ok(all),
        Err(_) => Err(OutOfMemory),
    }
}

/// As [`filled`], or none.
#[inline]
pub fn try_filled<T: Clone>(n: usize, item: T) -> Result<Vec<T>, OutOfMemory> {
    let mut all = try_room(n)?;
    all.resize(n, item);
    Ok(all)
}

/// An empty vector with room for `n` items.
#[inline]
pub fn room<T>(n: usize) -> Vec<T> {
    try_room(n).unwrap_or_else(|_| refuse())
}

/// `n` times an item.
#[inline]
pub fn filled<T: Clone>(n: usize, item: T) -> Vec<T> {
    try_filled(n, item).unwrap_or_else(|_| refuse())
}

/// `n` items whose bits are all 0. Pages that nobody writes take no memory.
///
/// # Safety
/// Such bits are a `T`.
#[inline]
pub unsafe fn zeroed<T: Copy>(n: usize) -> Vec<T> {
    let Ok(layout) = std::alloc::Layout::array::<T>(n) else {
        refuse()
    };
    if layout.size() == 0 {
        // Items without a size, or none at all.
        // SAFETY: the caller says that bits of 0, of which there may be none, are a `T`.
        return filled(n, unsafe { std::mem::zeroed() });
    }
    // SAFETY: the layout has a size.
    let memory = try_allocate(|| unsafe { std::alloc::alloc_zeroed(layout) });
    if memory.is_null() {
        refuse()
    }
    // SAFETY: the allocation is that of a vector with such a capacity, and the caller says that its zeros are items.
    unsafe { Vec::from_raw_parts(memory.cast(), n, n) }
}

/// The items of a slice.
#[inline]
pub fn copied<T: Clone>(items: &[T]) -> Vec<T> {
    let mut all = room(items.len());
    all.extend_from_slice(items);
    all
}

/// The items of slices, one after another.
pub fn joined<T: Clone>(parts: &[&[T]]) -> Vec<T> {
    let mut all = room(parts.iter().map(|part| part.len()).sum());
    for part in parts {
        all.extend_from_slice(part);
    }
    all
}

/// Vectors that grow.
pub trait Grow<T> {
    /// Adds an item.
    fn put(&mut self, item: T);

    /// Adds items.
    fn put_all(&mut self, items: impl IntoIterator<Item = T>);

    /// Has room for `n` items more.
    fn make_room(&mut self, n: usize);
}

impl<T> Grow<T> for Vec<T> {
    #[inline]
    fn put(&mut self, item: T) {
        if self.len() == self.capacity() {
            self.make_room(1);
        }
        self.push(item);
    }

    #[inline]
    fn put_all(&mut self, items: impl IntoIterator<Item = T>) {
        let mut items = items.into_iter();
        let (least, most) = items.size_hint();
        self.make_room(least);
        if most == Some(least) {
            // The number is known: the loop asks for no room.
            return self.extend(items);
        }
        // In place of `for`, which would not let the number of those that are left be asked for.
        while let Some(item) = items.next() {
            if self.len() == self.capacity() {
                self.make_room(items.size_hint().0.saturating_add(1));
            }
            self.push(item);
        }
    }

    #[inline]
    fn make_room(&mut self, n: usize) {
        if try_allocate(|| self.try_reserve(n)).is_err() {
            refuse()
        }
    }
}

/// Iterators whose items are kept.
pub trait Gather: Iterator + Sized {
    /// All items.
    #[inline]
    fn gathered(self) -> Vec<Self::Item> {
        let mut all = Vec::new();
        all.put_all(self);
        all
    }
}

impl<I: Iterator> Gather for I {}

/// All items, or the first error.
pub fn gathered_or<T, E>(items: impl Iterator<Item = Result<T, E>>) -> Result<Vec<T>, E> {
    let mut all = room(items.size_hint().0);
    for item in items {
        all.put(item?);
    }
    Ok(all)
}

/// Says whether the standard library's stable sort has the memory that it takes for `n` items: as much as they have.
///
/// It is given back before the sort takes it, so that another thread may be faster.
#[inline]
pub fn try_room_for_sort<T>(n: usize) -> Result<(), OutOfMemory> {
    /// Up to so many bytes it sorts on the stack.
    const ON_STACK: usize = 4096;
    if n.saturating_mul(size_of::<T>()) <= ON_STACK {
        return Ok(());
    }
    try_room::<T>(n).map(drop)
}

/// Sorts; equal items keep their order.
#[inline]
pub fn sort_stable<T>(items: &mut [T], compare: impl FnMut(&T, &T) -> std::cmp::Ordering) {
    if try_room_for_sort::<T>(items.len()).is_err() {
        refuse()
    }
    items.sort_by(compare);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;
    use std::panic::catch_unwind;

    /// More than any system gives. Allocations that nobody looks at are optimised away.
    const MUCH: usize = isize::MAX as usize / 16;

    #[test]
    fn what_is_not_there_unwinds() {
        let wants: [fn(); 7] = [
            || drop(black_box(room::<u64>(MUCH))),
            || drop(black_box(filled(MUCH, 1_u64))),
            // SAFETY: integers.
            || drop(black_box(unsafe { zeroed::<u64>(MUCH) })),
            || drop(black_box((0..MUCH).map(|n| n as u64).gathered())),
            || black_box(vec![1_u64]).make_room(MUCH),
            || vec![1_u64].put_all(0..MUCH as u64),
            || drop(black_box(gathered_or((0..MUCH).map(Ok::<_, ()>)))),
        ];
        for want in wants {
            let caught = catch_unwind(want).expect_err("there is not so much");
            assert!(is_refusal(&*caught));
        }
        assert_eq!(try_room_for_sort::<u64>(MUCH), Err(OutOfMemory));
        assert_eq!(try_filled(MUCH, 0_u64), Err(OutOfMemory));
    }

    #[test]
    fn vectors_have_what_the_standard_library_would_put_there() {
        assert_eq!(filled(3, 7), [7, 7, 7]);
        // SAFETY: integers.
        assert_eq!(unsafe { zeroed::<u16>(3) }, [0, 0, 0]);
        // SAFETY: a unit has no bits.
        assert_eq!(unsafe { zeroed::<()>(2) }.len(), 2);
        // SAFETY: integers.
        assert!(unsafe { zeroed::<u16>(0) }.is_empty());
        assert_eq!((0..5).filter(|n| n % 2 == 0).gathered(), [0, 2, 4]);
        assert_eq!((0..100).gathered().len(), 100);
        assert_eq!(joined(&[&[1, 2], &[], &[3]]), [1, 2, 3]);
        let mut all = copied(&[1]);
        all.put(2);
        all.put_all([3, 4]);
        assert_eq!(all, [1, 2, 3, 4]);
        assert_eq!(
            gathered_or([Ok(1), Err("no"), Ok(2)].into_iter()),
            Err("no")
        );
        let mut pairs = [(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd')];
        sort_stable(&mut pairs, |a, b| a.0.cmp(&b.0));
        assert_eq!(pairs.map(|p| p.1), ['b', 'd', 'a', 'c']);
    }
}
