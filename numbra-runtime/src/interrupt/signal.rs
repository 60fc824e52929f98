//! SIGINT: our handler goes before CPython's, which only notes that there was a signal, for the interpreter to act on.

use super::word::{self, GIL, SIGNAL};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

/// What numbra-py does for us.
#[derive(Clone, Copy, Debug)]
pub struct SignalHooks {
    /// Runs Python's handlers of the signals that have come, and keeps the exception if one raises; true if so. Takes the
    /// GIL where it has to. Called in the main thread.
    pub check: fn() -> bool,
    /// True if this thread holds the GIL.
    pub has_gil: fn() -> bool,
    /// Gives the GIL, which this thread holds, up for a moment.
    pub give_way: fn(),
    /// True if CPython says that a handler written in Python is set for the signal, which means that the process's handler
    /// is CPython's. Takes the GIL where it has to.
    pub handled_by_python: fn(i32) -> bool,
}

static HOOKS: OnceLock<SignalHooks> = OnceLock::new();

/// Says how Python handles signals. With the GIL: loops that run without it must know what CPython's handler is.
pub fn set_signal_hooks(hooks: SignalHooks) {
    // The first to set them stays: there is one CPython.
    let _ = HOOKS.set(hooks);
    if let Some(set) = current()
        && learn(set.sa_sigaction)
    {
        // The first loop that looks would take a handler that is not there for a signal that it missed.
        look_after_handler();
    }
}

pub(super) fn hooks() -> Option<&'static SignalHooks> {
    HOOKS.get()
}

/// True in the thread that runs Python's signal handlers. In a forked child, that is the thread that forked.
pub(super) fn is_main_thread() -> bool {
    // SAFETY: these ask the kernel, and cannot fail.
    unsafe { libc::gettid() == libc::getpid() }
}

/// CPython's handler, once it is known; 0 before.
static PYTHON: AtomicUsize = AtomicUsize::new(0);
/// A handler that is not CPython's, 0 before one was seen.
static FOREIGN: AtomicUsize = AtomicUsize::new(0);
/// The flags that CPython's was set with.
static FLAGS: AtomicI32 = AtomicI32::new(0);

fn current() -> Option<libc::sigaction> {
    let mut set = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: asks for the handler and has room for the answer.
    let failed = unsafe { libc::sigaction(libc::SIGINT, ptr::null(), set.as_mut_ptr()) } != 0;
    // SAFETY: the call succeeded.
    (!failed).then(|| unsafe { set.assume_init() })
}

/// Remembers CPython's handler, if it is set; true if so.
fn learn(handler: usize) -> bool {
    let known = hooks().is_some_and(|hooks| (hooks.handled_by_python)(libc::SIGINT));
    if known {
        PYTHON.store(handler, Ordering::SeqCst);
    }
    known
}

/// Has our handler go first, if CPython's is the one that is set. True if it was not there before: a signal may have passed
/// us by.
pub(super) fn look_after_handler() -> bool {
    let Some(mut set) = current() else {
        return false;
    };
    let handler = set.sa_sigaction;
    if handler == our_handler() || handler == libc::SIG_DFL || handler == libc::SIG_IGN {
        return false;
    }
    if handler != PYTHON.load(Ordering::SeqCst) {
        if handler == FOREIGN.load(Ordering::SeqCst) {
            return false;
        }
        // Threads that work for one that holds the GIL must not wait for it.
        let may_ask = is_main_thread() || hooks().is_some_and(|hooks| (hooks.has_gil)());
        if !may_ask {
            return false;
        }
        if !learn(handler) {
            FOREIGN.store(handler, Ordering::SeqCst);
            return false;
        }
    }
    FLAGS.store(set.sa_flags, Ordering::SeqCst);
    set.sa_sigaction = our_handler();
    set.sa_flags |= libc::SA_SIGINFO;
    // SAFETY: the handler keeps to what handlers may do; CPython's mask and flags stay.
    unsafe { libc::sigaction(libc::SIGINT, &raw const set, ptr::null_mut()) == 0 }
}

fn our_handler() -> usize {
    on_signal as *const () as usize
}

extern "C" fn on_signal(
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    word::set(SIGNAL | GIL);
    let python = PYTHON.load(Ordering::SeqCst);
    if FLAGS.load(Ordering::SeqCst) & libc::SA_SIGINFO != 0 {
        type Handler = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);
        // SAFETY: `look_after_handler` found it as the handler of this signal, with these flags.
        let python = unsafe { std::mem::transmute::<usize, Handler>(python) };
        python(signal, info, context);
    } else {
        // SAFETY: as above.
        let python = unsafe { std::mem::transmute::<usize, extern "C" fn(libc::c_int)>(python) };
        python(signal);
    }
}
