//! The stack of a thread: how far down functions that call themselves may go.
//!
//! Compiled code asks for the limit where it enters a recursion and compares its stack pointer with it in each call
//! (`numbra_opt`, `stack_checks`). Below the limit there is room for what is called from there and looks no more:
//! the runtime, CPython, functions that do not call themselves.

use crate::error::raise;
use crate::keeping::keeping;
use corosensei::stack::DefaultStack;
use numbra_abi::{STACK_OVERFLOW, status};
use std::cell::Cell;
use std::mem::MaybeUninit;
use std::ptr;

/// Bytes below the limit, of a small stack a quarter.
const SPARE: usize = 128 << 10;

/// Bytes below the limit at least, of the smallest stacks three quarters: CPython 3.14 and later end the process where
/// Python is called with less than 16 KiB of the stack left, and raise RecursionError with less than 32.
const LEAST: usize = 48 << 10;

/// Bytes below the limit of a stack of so many.
fn spare(size: usize) -> usize {
    (size / 4).max(LEAST.min(size / 4 * 3)).min(SPARE)
}

/// What a native body finds: those of linear algebra need the most.
const NATIVE: usize = 256 << 10;

#[derive(Clone, Copy)]
struct Stack {
    low: usize,
    high: usize,
    /// What the system allowed when this was found: the first thread's stack grows with it.
    allowed: libc::rlim_t,
}

impl Stack {
    /// Of this thread.
    fn find() -> Stack {
        // Where the system does not say, no address is below the limit.
        let mut stack = Stack {
            low: 0,
            high: 0,
            allowed: allowed(),
        };
        let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
        let (mut low, mut size) = (ptr::null_mut(), 0);
        // SAFETY: there is room for the attributes of this thread; they are read after they have been written, and given up
        // once.
        unsafe {
            if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) == 0 {
                if libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut low, &raw mut size)
                    == 0
                {
                    stack.low = low.addr();
                    stack.high = low.addr().saturating_add(size);
                }
                libc::pthread_attr_destroy(attributes.as_mut_ptr());
            }
        }
        stack
    }

    fn limit(self) -> usize {
        self.low + spare(self.high - self.low)
    }
}

/// The most bytes that the first thread's stack may grow to.
fn allowed() -> libc::rlim_t {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: there is room for the answer.
    unsafe { libc::getrlimit(libc::RLIMIT_STACK, &raw mut limit) };
    limit.rlim_cur
}

thread_local! {
    static STACK: Cell<Option<Stack>> = const { Cell::new(None) };
}

fn stack() -> Stack {
    STACK.get().unwrap_or_else(|| {
        let found = Stack::find();
        STACK.set(Some(found));
        found
    })
}

/// `stack_limit() -> address`: the stack is full for functions that call themselves where it ends below this.
pub(crate) extern "C" fn numbra_rt_stack_limit() -> *const u8 {
    ptr::without_provenance(stack().limit())
}

keeping! {
    /// `stack_full() -> status`: raises RecursionError if that is so.
    numbra_rt_stack_full => stack_full
}

extern "C" fn stack_full() -> i32 {
    if raise_if_full() {
        status::RAISED
    } else {
        status::OK
    }
}

/// `stack_short(bytes) -> status`: raises RecursionError if fewer bytes are left above the limit.
pub(crate) extern "C" fn numbra_rt_stack_short(bytes: i64) -> i32 {
    if raise_unless(usize::try_from(bytes).unwrap_or(0)) {
        status::RAISED
    } else {
        status::OK
    }
}

/// True if the stack is full, with a RecursionError pending.
pub(crate) fn raise_if_full() -> bool {
    raise_unless(0)
}

/// True if fewer than so many bytes are left above the limit, with a RecursionError pending.
fn raise_unless(bytes: usize) -> bool {
    let short = is_short(bytes);
    if short {
        raise(STACK_OVERFLOW.0, STACK_OVERFLOW.1);
    }
    short
}

/// True if the stack is full for functions that call themselves.
#[must_use]
pub fn is_stack_full() -> bool {
    let here = 0_u8;
    let here = (&raw const here).addr();
    // What was found before is looked at again only where it says that.
    let stack = stack();
    (stack.low..stack.limit()).contains(&here) && is_short(0)
}

/// Bytes between here and the end of this thread's stack; many where it is another that a program made itself.
#[must_use]
pub fn stack_left() -> usize {
    let here = 0_u8;
    (&raw const here).addr().wrapping_sub(stack().low)
}

/// True if fewer than so many bytes are left above the limit.
fn is_short(bytes: usize) -> bool {
    let here = 0_u8;
    let here = (&raw const here).addr();
    if stack().allowed != allowed() {
        STACK.set(None);
    }
    let stack = stack();
    // Elsewhere it is no stack of ours to judge: one that a program made itself.
    let limit = stack.limit().saturating_add(bytes);
    (stack.low..stack.high.min(limit)).contains(&here)
}

/// Runs a native body: on a stack of its own where too little is left of this thread's. None if there is no memory for one.
#[inline]
pub(crate) fn with_room<R>(mut run: impl FnMut() -> R) -> Option<R> {
    let here = 0_u8;
    let here = (&raw const here).addr();
    // Elsewhere it is no stack of ours to judge: a fiber's, whose size is known to be enough.
    if here.wrapping_sub(stack().low) >= NATIVE {
        return Some(framed(&mut run));
    }
    let mut answer = None;
    elsewhere(&mut || answer = Some(framed(&mut run)));
    answer
}

/// In a frame of its own: inlined, a body's locals would be on the stack ahead of the look at what is left.
#[inline(never)]
fn framed<R>(run: &mut impl FnMut() -> R) -> R {
    run()
}

#[cold]
#[inline(never)]
fn elsewhere(run: &mut dyn FnMut()) {
    if let Ok(own) = DefaultStack::new(2 * NATIVE) {
        corosensei::on_stack(own, run);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::take_error;
    use std::thread;

    /// Uses some stack until it is full; how much.
    fn deep(from: usize) -> usize {
        let block = std::hint::black_box([0_u8; 1024]);
        let here = block.as_ptr().addr();
        if raise_if_full() {
            return from - here;
        }
        let used = deep(from);
        std::hint::black_box(block);
        used
    }

    #[test]
    fn native_bodies_have_room_at_the_end_of_a_stack() {
        let use_all = || {
            // By reference: by value, there may be a second copy on the stack.
            let mut block = [1_u8; NATIVE - (16 << 10)];
            std::hint::black_box(&mut block);
            block.iter().map(|&b| u64::from(b)).sum::<u64>()
        };
        let run = move || {
            let near = (deep_with(use_all), take_error());
            (near, with_room(use_all))
        };
        for asked in [128 << 10, 1 << 20] {
            let thread = thread::Builder::new().stack_size(asked).spawn(run);
            let (near, here) = thread.expect("a thread").join().expect("it ends");
            let sum = (NATIVE - (16 << 10)) as u64;
            assert_eq!((near.0, here), (Some(sum), Some(sum)));
            assert!(near.1.is_some());
        }
    }

    /// Runs a body where the stack is full.
    fn deep_with(run: fn() -> u64) -> Option<u64> {
        let block = std::hint::black_box([0_u8; 1024]);
        let answer = match raise_if_full() {
            true => with_room(run),
            false => deep_with(run),
        };
        std::hint::black_box(block);
        answer
    }

    #[test]
    fn a_stack_is_full_before_it_ends() {
        for asked in [128 << 10, 1 << 20] {
            // The system may give a thread the larger stack of one that has ended.
            let run = || {
                let top = 0_u8;
                let used = deep((&raw const top).addr());
                assert!(take_error().is_some());
                (used, stack().high - stack().low)
            };
            let thread = thread::Builder::new().stack_size(asked).spawn(run);
            let (used, size) = thread.expect("a thread").join().expect("it ends");
            assert!(size >= asked, "{size}");
            let spare = spare(size);
            assert!(used < size - spare / 2, "{used} of {size}");
            assert!(used > size - 2 * spare, "{used} of {size}");
        }
    }
}
