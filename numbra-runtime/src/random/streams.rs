//! The generators of a thread: one for Python's `random`, one for `numpy.random`.
//!
//! A generator that was not seeded takes its seed from the system when it is first used, and again in the child of a fork.

use super::twister::{N, Twister};
use std::cell::RefCell;
use std::sync::Once;
use std::thread::LocalKey;

/// One of a thread's generators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// That of `random`.
    Python,
    /// That of `numpy.random`.
    Numpy,
}

/// A generator's state: words used since the last twist, and the words.
pub type RandomState = (usize, [u32; N]);

thread_local! {
    static PYTHON: RefCell<Twister> = const { RefCell::new(Twister::UNSEEDED) };
    static NUMPY: RefCell<Twister> = const { RefCell::new(Twister::UNSEEDED) };
}

impl Stream {
    #[inline]
    fn cell(self) -> &'static LocalKey<RefCell<Twister>> {
        match self {
            Stream::Python => &PYTHON,
            Stream::Numpy => &NUMPY,
        }
    }
}

/// Runs something with a generator of this thread.
#[inline]
pub(super) fn with_stream<R>(stream: Stream, run: impl FnOnce(&mut Twister) -> R) -> R {
    stream.cell().with_borrow_mut(run)
}

/// See `numbra_abi::NATIVES`.
pub(crate) extern "C" fn numbra_rt_random_words(stream: i32) -> *mut u8 {
    let stream = match stream {
        0 => Stream::Python,
        _ => Stream::Numpy,
    };
    stream.cell().with(|cell| cell.as_ptr().cast())
}

/// See `numbra_abi::NATIVES`.
///
/// # Safety
/// `words` is what [`numbra_rt_random_words`] gave this thread.
pub(crate) unsafe extern "C" fn numbra_rt_random_refill(words: *mut u8) {
    // SAFETY: by contract; nothing else borrows the generator while compiled code runs.
    unsafe { &mut *words.cast::<Twister>() }.refill();
}

/// The state of a generator of this thread.
pub fn random_state(stream: Stream) -> RandomState {
    with_stream(stream, Twister::state)
}

/// Sets the state of a generator of this thread; it keeps no normal number.
pub fn set_random_state(stream: Stream, (index, words): RandomState) {
    watch_forks();
    with_stream(stream, |twister| *twister = Twister::of_state(index, words));
}

/// Seeds a generator of this thread: with a number as `seed` does, or with any number of words.
pub fn seed_random_state(stream: Stream, seed: Result<u32, &[u32]>) {
    watch_forks();
    with_stream(stream, |twister| match seed {
        Ok(word) => twister.seed(word),
        Err(key) => twister.seed_by(key),
    });
}

/// Makes the next state of a generator of this thread; the words used so far count as before.
pub fn twist_random_state(stream: Stream) {
    with_stream(stream, Twister::twist);
}

/// Forgets in the child of a fork what its one thread had: children do not repeat the parent's numbers.
fn watch_forks() {
    static WATCH: Once = Once::new();
    WATCH.call_once(|| {
        #[cfg(unix)]
        {
            extern "C" fn forked() {
                for stream in [Stream::Python, Stream::Numpy] {
                    with_stream(stream, |twister| *twister = Twister::UNSEEDED);
                }
            }
            // SAFETY: the handler writes variables of its thread, which nothing borrows while it forks, and takes no memory.
            // Without memory for it children repeat the parent's numbers.
            unsafe { libc::pthread_atfork(None, None, Some(forked)) };
        }
    });
}

/// Random bits of the system, for a seed that a child of a fork must not keep.
pub(super) fn entropy() -> [u32; 64] {
    watch_forks();
    let mut words = [0_u32; 64];
    #[cfg(unix)]
    {
        // SAFETY: so many bytes are there to be written; 256 is the most that `getentropy` gives.
        let failed = unsafe { libc::getentropy(words.as_mut_ptr().cast(), size_of_val(&words)) };
        if failed == 0 {
            return words;
        }
    }
    // The standard library keys its hash tables with random bits.
    use std::hash::{BuildHasher, RandomState};
    let state = RandomState::new();
    let clock = std::time::SystemTime::now();
    for (i, word) in words.iter_mut().enumerate() {
        *word = state.hash_one((i, clock, std::process::id())) as u32;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::bits::Bits;

    #[test]
    fn threads_have_streams_of_their_own() {
        let first = || with_stream(Stream::Numpy, Twister::u64);
        let here = first();
        let there = std::thread::spawn(first).join().expect("no panic");
        assert_ne!(here, there);
        assert_ne!(with_stream(Stream::Python, Twister::u64), first());
    }

    #[test]
    fn seeding_repeats_a_stream() {
        let draw = || {
            with_stream(Stream::Numpy, |t| t.seed(7));
            with_stream(Stream::Numpy, Twister::f64)
        };
        // Of `numpy.random.RandomState(7).random_sample()`.
        assert_eq!(draw(), 0.076_308_289_373_957_17);
        assert_eq!(draw(), draw());
    }
}
