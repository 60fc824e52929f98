//! Interrupts: how Ctrl-C gets into compiled code, and compiled code out of its loops.
//!
//! Loops look at one word now and then ([`word`]; `numbra_opt::interrupts` says where). While it is 0 they go on. The
//! handler of SIGINT sets it ([`signal`], which says what becomes of other signals), as does whoever wants threads to leave
//! a parallel loop; and a thread of ours sets it each [`ticks::PERIOD`], to learn whether compiled code runs at all and to
//! have the handlers looked after.
//! A loop that finds it set calls `numbra_rt_interrupt`, which decides whether this thread is to leave. If so there is an
//! exception pending, and it travels as all exceptions do.
//!
//! Only the process's main thread runs Python's signal handlers, so only it is interrupted, and with it the threads that
//! work for it. While another thread computes with the GIL, the main thread cannot: see [`gil`].

mod cancel;
mod gil;
mod natives;
mod signal;
mod ticks;
mod word;

pub(crate) use cancel::{Cancel, replace};
pub use natives::{INTERRUPT, ask_again, interrupted, is_asked, is_interrupt, stop_asking};
pub(crate) use natives::{numbra_rt_interrupt, numbra_rt_is_interrupt, numbra_rt_leave};
pub use signal::{SignalHooks, defer_signals, deliver_signals, set_signal_hooks};
pub(crate) use word::WORD;
