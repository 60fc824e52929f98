//! The process allocator: the system's, with memory held back for when that has none.
//!
//! The standard library, the compiler and its dependencies cannot go on without memory. What they need where the system
//! refuses is served from the reserve: a message of a MemoryError always, a whole small compilation usually. Who can stop
//! asks [`reserve_is_used`] at a good place and gives up with a MemoryError; what was served comes back as it is dropped.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, UnsafeCell};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Bytes held back. They are address space until they are written.
pub const RESERVE: usize = 24 << 20;

/// Every block and every header of one begins at a multiple of this.
const UNIT: usize = 64;

/// The global allocator of a library that loads compiled code.
#[derive(Clone, Copy, Default, Debug)]
pub struct Reserve;

#[repr(align(64))]
struct Memory(UnsafeCell<[u8; RESERVE]>);

// SAFETY: blocks belong to who allocated them, headers to who holds the lock.
unsafe impl Sync for Memory {}

static MEMORY: Memory = Memory(UnsafeCell::new([0; RESERVE]));

/// Blocks that somebody has.
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// Where the next search begins, and the end of all blocks there have been: bytes of the memory.
struct Places {
    next: usize,
    end: usize,
}

static PLACES: Mutex<Places> = Mutex::new(Places { next: 0, end: 0 });

/// Before each block.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Head {
    /// Bytes of the block after it.
    size: usize,
    free: bool,
}

thread_local! {
    static DATA: Cell<bool> = const { Cell::new(false) };
}

/// Runs what asks for memory and can do without: the reserve is not for it.
#[inline]
pub fn try_allocate<R>(ask: impl FnOnce() -> R) -> R {
    let outer = DATA.replace(true);
    let answer = ask();
    DATA.set(outer);
    answer
}

/// True while something that was asked for is in the reserve: the system had no memory for it.
pub fn reserve_is_used() -> bool {
    TAKEN.load(Ordering::Relaxed) > 0
}

fn start() -> *mut u8 {
    MEMORY.0.get().cast()
}

/// Whether an address is in the reserve.
#[inline]
fn holds(at: *mut u8) -> bool {
    at.addr().wrapping_sub(start().addr()) < RESERVE
}

/// # Safety
/// The lock is held, and a head is at byte `at` or nobody's block.
unsafe fn head<'a>(at: usize) -> &'a mut Head {
    // SAFETY: heads begin at multiples of their alignment inside the memory; the lock is held.
    unsafe { &mut *start().add(at).cast::<Head>() }
}

/// A block; null when there is none.
#[cold]
#[inline(never)]
fn take(layout: Layout) -> *mut u8 {
    let data = DATA.try_with(Cell::get).unwrap_or(false);
    if data || layout.align() > UNIT || layout.size() > RESERVE {
        return ptr::null_mut();
    }
    let size = layout.size().next_multiple_of(UNIT);
    let mut places = PLACES.lock().unwrap_or_else(PoisonError::into_inner);
    let begin = places.next;
    // From where the last search ended, then from the start.
    for (from, to) in [(begin, places.end), (0, begin)] {
        let mut at = from;
        while at < to.min(places.end) {
            // SAFETY: the lock is held, and blocks follow each other up to the end.
            let here = unsafe { head(at) };
            let mut after = at + UNIT + here.size;
            // Free neighbours become one.
            while here.free && after < places.end {
                // SAFETY: as above.
                let other = unsafe { *head(after) };
                if !other.free {
                    break;
                }
                here.size += UNIT + other.size;
                after = at + UNIT + here.size;
            }
            if here.free && after == places.end {
                // The last one is as if it had never been.
                places.end = at;
                break;
            }
            if here.free && here.size >= size {
                if here.size > size + UNIT {
                    let rest = here.size - size - UNIT;
                    // SAFETY: the rest of a block that is nobody's.
                    *unsafe { head(at + UNIT + size) } = Head {
                        size: rest,
                        free: true,
                    };
                    here.size = size;
                }
                here.free = false;
                places.next = at + UNIT + here.size;
                TAKEN.fetch_add(1, Ordering::Relaxed);
                return start().wrapping_add(at + UNIT);
            }
            at = after;
        }
    }
    let at = places.end;
    places.next = 0;
    if size + UNIT > RESERVE - at {
        return ptr::null_mut();
    }
    // SAFETY: no block is there yet.
    *unsafe { head(at) } = Head { size, free: false };
    places.end = at + UNIT + size;
    places.next = places.end;
    TAKEN.fetch_add(1, Ordering::Relaxed);
    start().wrapping_add(at + UNIT)
}

/// Takes back a block.
///
/// # Safety
/// It came from [`take`], and nobody uses it any more.
#[cold]
#[inline(never)]
unsafe fn give_back(block: *mut u8) {
    let _places = PLACES.lock().unwrap_or_else(PoisonError::into_inner);
    let at = block.addr() - start().addr() - UNIT;
    // SAFETY: the lock is held, and a block's head stands before it.
    unsafe { head(at) }.free = true;
    TAKEN.fetch_sub(1, Ordering::Relaxed);
}

// SAFETY: blocks are the system's or the reserve's, which gives each to one who asks, large and aligned as asked; nothing
// unwinds.
unsafe impl GlobalAlloc for Reserve {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is the same.
        let block = unsafe { System.alloc(layout) };
        if block.is_null() {
            return take(layout);
        }
        block
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is the same.
        let block = unsafe { System.alloc_zeroed(layout) };
        if block.is_null() {
            let block = take(layout);
            if !block.is_null() {
                // SAFETY: a block of that size.
                unsafe { ptr::write_bytes(block, 0, layout.size()) };
            }
            return block;
        }
        block
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if holds(block) {
            // SAFETY: what is in the reserve came from there.
            return unsafe { give_back(block) };
        }
        // SAFETY: what is not in the reserve is the system's.
        unsafe { System.dealloc(block, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !holds(block) {
            // SAFETY: the caller's promise is the same, and the block is the system's.
            let grown = unsafe { System.realloc(block, layout, size) };
            if !grown.is_null() {
                return grown;
            }
        }
        // SAFETY: the caller says that the size is a layout's.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: as above.
        let other = unsafe { self.alloc(wanted) };
        if !other.is_null() {
            // SAFETY: both blocks have so many bytes, and the new one is nobody else's.
            unsafe { ptr::copy_nonoverlapping(block, other, size.min(layout.size())) };
            // SAFETY: the block is the caller's, who gives it up.
            unsafe { self.dealloc(block, layout) };
        }
        other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(size: usize) -> Layout {
        Layout::from_size_align(size, 16).expect("a layout")
    }

    #[test]
    fn blocks_do_not_meet_and_come_back() {
        let mut seed = 7_u64;
        let mut random = move |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % n
        };
        let mut held: Vec<(*mut u8, usize, u8)> = Vec::new();
        for round in 0..20_000 {
            if random(5) < 3 {
                let (size, mark) = (1 + random(5000) as usize, round as u8);
                let block = take(layout(size));
                assert!(!block.is_null() && holds(block) && block.addr().is_multiple_of(UNIT));
                // SAFETY: a block of that size.
                unsafe { ptr::write_bytes(block, mark, size) };
                held.push((block, size, mark));
            } else if !held.is_empty() {
                let (block, size, mark) = held.swap_remove(random(held.len() as u64) as usize);
                // SAFETY: a block of that size.
                let bytes = unsafe { std::slice::from_raw_parts(block, size) };
                assert!(bytes.iter().all(|&b| b == mark));
                // SAFETY: from above, and used no more.
                unsafe { give_back(block) };
            }
            if held.len() > 1000 {
                for (block, _, _) in held.drain(..) {
                    // SAFETY: from above, and used no more.
                    unsafe { give_back(block) };
                }
            }
        }
        for (block, _, _) in held {
            // SAFETY: from above, and used no more.
            unsafe { give_back(block) };
        }
        assert!(!reserve_is_used());
        // All of it is there again, in one piece.
        let whole = take(layout(RESERVE - UNIT));
        assert!(!whole.is_null());
        assert!(take(layout(1)).is_null(), "there is no more");
        // SAFETY: from above, and used no more.
        unsafe { give_back(whole) };
        assert!(take(layout(RESERVE)).is_null(), "a head needs room too");
    }
}
