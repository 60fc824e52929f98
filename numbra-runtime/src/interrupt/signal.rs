//! Handlers of signals: ours go before CPython's, which only notes that there was a signal, for the interpreter to act on.
//!
//! That of SIGINT sets the word. That of other signals does so only while the main thread runs a parallel loop, whose ticks
//! other threads may take: a signal that comes again and again while the main thread is in Python would have all loops of
//! other threads look each time. It says that there was one ([`is_pending`]), which the main thread looks for at each tick
//! and where it waits, with the GIL or without.

use super::word::{self, GIL, PENDING, SIGNAL};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering};

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
    if let Some(set) = current(libc::SIGINT)
        && learn(libc::SIGINT, set.sa_sigaction)
    {
        // The first loop that looks would take a handler that is not there for a signal that it missed.
        look_after_handler(libc::SIGINT);
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
/// Signals that Linux has.
const SIGNALS: i32 = 64;
/// For each signal a handler that is not CPython's, 0 before one was seen.
static FOREIGN: [AtomicUsize; SIGNALS as usize + 1] =
    [const { AtomicUsize::new(0) }; SIGNALS as usize + 1];
/// The flags that CPython's was set with.
static FLAGS: AtomicI32 = AtomicI32::new(0);

/// A signal that a handler in Python waits for has come, and the main thread has not looked for it since.
static HAS_COME: AtomicBool = AtomicBool::new(false);
/// Parallel loops that the main thread runs.
static MAIN_LOOPS: AtomicUsize = AtomicUsize::new(0);

/// Signals are kept back: the main thread compiles.
static DEFERS: AtomicBool = AtomicBool::new(false);
/// Those that are, a bit each.
static DEFERRED: AtomicU64 = AtomicU64::new(0);

/// Keeps signals back from CPython, or no longer. Called in the main thread with the GIL; nothing happens in others.
///
/// CPython runs handlers wherever code that is called asks for them, and what they raise comes out of there: of a `repr`, of
/// an attribute. A compilation calls such code all the time, to which an exception says that there is none. Signals that
/// nobody has asked for within two ticks go on: they may be meant for code that runs long.
pub fn defer_signals(now: bool) {
    if !is_main_thread() {
        return;
    }
    if now {
        look_after_handlers();
        super::ticks::start();
    }
    DEFERS.store(now, Ordering::SeqCst);
    if !now {
        deliver_signals();
    }
}

/// Hands on to CPython what is kept back. Safe in signal handlers.
pub fn deliver_signals() {
    let mut kept = DEFERRED.swap(0, Ordering::SeqCst);
    while kept != 0 {
        call_python(kept.trailing_zeros() as i32 + 1);
        kept &= kept - 1;
    }
}

/// Whether signals are kept back, and whether there are any.
pub(super) fn deferred() -> (bool, bool) {
    let some = DEFERRED.load(Ordering::SeqCst) != 0;
    (DEFERS.load(Ordering::SeqCst), some)
}

pub(super) fn is_pending() -> bool {
    HAS_COME.load(Ordering::SeqCst)
}

fn note_pending() {
    HAS_COME.store(true, Ordering::SeqCst);
    if MAIN_LOOPS.load(Ordering::SeqCst) > 0 {
        word::set(PENDING);
    }
}

/// The main thread is about to have Python's handlers run: what comes while they do is seen the next time.
pub(super) fn forget_pending() {
    word::clear(PENDING);
    HAS_COME.store(false, Ordering::SeqCst);
}

/// The main thread begins a parallel loop.
pub(super) fn begin_loop() {
    MAIN_LOOPS.fetch_add(1, Ordering::SeqCst);
    if is_pending() {
        word::set(PENDING);
    }
}

pub(super) fn end_loop() {
    // In a forked child a loop of the parent's may end that is not counted.
    let fewer = |n: usize| n.checked_sub(1);
    let _ = MAIN_LOOPS.fetch_update(Ordering::SeqCst, Ordering::SeqCst, fewer);
    forget_stale();
}

/// Takes away what is set for a loop that has ended: when one does, and at a tick, for signals that come meanwhile.
pub(super) fn forget_stale() {
    if MAIN_LOOPS.load(Ordering::SeqCst) == 0 {
        word::clear(PENDING);
    }
}

/// In a forked child, which has one thread.
pub(super) fn reset() {
    MAIN_LOOPS.store(0, Ordering::SeqCst);
    DEFERRED.store(0, Ordering::SeqCst);
}

fn current(signal: i32) -> Option<libc::sigaction> {
    let mut set = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: asks for the handler and has room for the answer.
    let failed = unsafe { libc::sigaction(signal, ptr::null(), set.as_mut_ptr()) } != 0;
    // SAFETY: the call succeeded.
    (!failed).then(|| unsafe { set.assume_init() })
}

/// Remembers CPython's handler, which is one for all signals, if it is set; true if so.
fn learn(signal: i32, handler: usize) -> bool {
    let known = hooks().is_some_and(|hooks| (hooks.handled_by_python)(signal));
    if known {
        PYTHON.store(handler, Ordering::SeqCst);
    }
    known
}

/// Has our handlers go first, where CPython's is the one that is set. True if that of SIGINT was not there before: a signal
/// may have passed us by.
pub(super) fn look_after_handlers() -> bool {
    // Faults do not wait for the interpreter.
    const FAULTS: [i32; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL];
    for signal in (1..=SIGNALS).filter(|signal| !FAULTS.contains(signal)) {
        if signal != libc::SIGINT && look_after_handler(signal) {
            note_pending();
        }
    }
    look_after_handler(libc::SIGINT)
}

fn look_after_handler(signal: i32) -> bool {
    let Some(mut set) = current(signal) else {
        return false;
    };
    let (handler, ours) = (set.sa_sigaction, our_handler(signal));
    if handler == ours || handler == libc::SIG_DFL || handler == libc::SIG_IGN {
        return false;
    }
    if handler != PYTHON.load(Ordering::SeqCst) {
        let foreign = &FOREIGN[signal as usize];
        if handler == foreign.load(Ordering::SeqCst) {
            return false;
        }
        // Threads that work for one that holds the GIL must not wait for it.
        let may_ask = is_main_thread() || hooks().is_some_and(|hooks| (hooks.has_gil)());
        if !may_ask {
            return false;
        }
        if !learn(signal, handler) {
            foreign.store(handler, Ordering::SeqCst);
            return false;
        }
    }
    FLAGS.store(set.sa_flags, Ordering::SeqCst);
    set.sa_sigaction = ours;
    set.sa_flags |= libc::SA_SIGINFO;
    // SAFETY: the handler keeps to what handlers may do; CPython's mask and flags stay.
    unsafe { libc::sigaction(signal, &raw const set, ptr::null_mut()) == 0 }
}

fn our_handler(signal: i32) -> usize {
    match signal {
        libc::SIGINT => on_interrupt as *const () as usize,
        _ => on_other as *const () as usize,
    }
}

extern "C" fn on_interrupt(
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    word::set(SIGNAL | GIL);
    go_on(signal, info, context);
}

extern "C" fn on_other(
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    go_on(signal, info, context);
    note_pending();
}

/// Calls CPython's handler, or leaves that to who keeps signals back.
fn go_on(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    if FLAGS.load(Ordering::SeqCst) & libc::SA_SIGINFO != 0 {
        type Handler = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);
        let python = PYTHON.load(Ordering::SeqCst);
        // SAFETY: `look_after_handler` found it as the handler of signals, with these flags.
        let python = unsafe { std::mem::transmute::<usize, Handler>(python) };
        python(signal, info, context);
    } else if DEFERS.load(Ordering::SeqCst) {
        DEFERRED.fetch_or(1 << (signal - 1), Ordering::SeqCst);
        // Its end may have passed by.
        if !DEFERS.load(Ordering::SeqCst) {
            deliver_signals();
        }
    } else {
        call_python(signal);
    }
}

/// Calls CPython's handler, which takes the number only and may be called anywhere: it notes that there was a signal.
fn call_python(signal: libc::c_int) {
    let python = PYTHON.load(Ordering::SeqCst);
    // SAFETY: `look_after_handler` found it as the handler of signals, without `SA_SIGINFO`: it takes one number.
    let python = unsafe { std::mem::transmute::<usize, extern "C" fn(libc::c_int)>(python) };
    python(signal);
}
