//! The generators of a thread: one for Python's `random`, one for `numpy.random`.
//!
//! A generator that was not seeded takes its seed from the system when it is first used, and again in the child of a fork.

use super::twister::{N, Twister};
use std::cell::RefCell;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

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

struct Seeded {
    twister: Twister,
    /// The value of [`FORKS`] when it was seeded; 0: not yet.
    forks: u32,
}

/// One more than the forks between this process and the one that loaded us.
static FORKS: AtomicU32 = AtomicU32::new(1);

thread_local! {
    static PYTHON: RefCell<Seeded> = const { RefCell::new(Seeded::NEW) };
    static NUMPY: RefCell<Seeded> = const { RefCell::new(Seeded::NEW) };
}

impl Seeded {
    const NEW: Seeded = Seeded {
        twister: Twister::UNSEEDED,
        forks: 0,
    };

    #[inline]
    fn ready(&mut self) -> &mut Twister {
        let forks = FORKS.load(Ordering::Relaxed);
        if self.forks != forks {
            self.seed_from_system(forks);
        }
        &mut self.twister
    }

    #[cold]
    fn seed_from_system(&mut self, forks: u32) {
        watch_forks();
        self.twister.seed_by(&entropy());
        self.forks = forks;
    }
}

/// Runs something with a generator of this thread.
#[inline]
pub(super) fn with_stream<R>(stream: Stream, run: impl FnOnce(&mut Twister) -> R) -> R {
    let cell = match stream {
        Stream::Python => &PYTHON,
        Stream::Numpy => &NUMPY,
    };
    cell.with_borrow_mut(|seeded| run(seeded.ready()))
}

/// The state of a generator of this thread.
pub fn random_state(stream: Stream) -> RandomState {
    with_stream(stream, |twister| (twister.index, twister.words))
}

/// Sets the state of a generator of this thread; it keeps no normal number.
pub fn set_random_state(stream: Stream, (index, words): RandomState) {
    with_stream(stream, |twister| {
        *twister = Twister {
            words,
            index: index.min(N),
            gauss: None,
        };
    });
}

/// Seeds a generator of this thread: with a number as `seed` does, or with any number of words.
pub fn seed_random_state(stream: Stream, seed: Result<u32, &[u32]>) {
    with_stream(stream, |twister| match seed {
        Ok(word) => twister.seed(word),
        Err(key) => twister.seed_by(key),
    });
}

/// Makes the next state of a generator of this thread; the words used so far count as before.
pub fn twist_random_state(stream: Stream) {
    with_stream(stream, |twister| {
        let index = twister.index;
        twister.twist();
        twister.index = index;
    });
}

/// Counts forks in the child.
fn watch_forks() {
    static WATCH: Once = Once::new();
    WATCH.call_once(|| {
        #[cfg(unix)]
        {
            extern "C" fn forked() {
                FORKS.fetch_add(1, Ordering::Relaxed);
            }
            // SAFETY: the handler only adds to an atomic number. Without memory for it children repeat the parent's numbers.
            unsafe { libc::pthread_atfork(None, None, Some(forked)) };
        }
    });
}

/// Random bits of the system.
fn entropy() -> [u32; 64] {
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
