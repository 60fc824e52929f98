//! The steps of handlers that raise their exception again, or another one.

use crate::row_macro::rule;
use crate::rules::{to_bytes, to_none};
use crate::{Effects, Op, TypePattern as P};

library! {
    /// Keeps the exception that a handler got: the code of the handler may handle others.
    step exception.keep() {
        effects: Effects::STATE,
        bodies: &[rule(&[], to_bytes, Op::KeepError)],
    }
    /// Makes an exception that was kept the context of the pending one, behind those that it has, unless it is pending itself.
    step exception.add_context(kept) {
        effects: Effects::STATE,
        bodies: &[rule(&[P::Any], to_none, Op::AddContext)],
    }
    /// Makes an exception that was kept the cause of the pending one.
    step exception.set_cause(kept) {
        effects: Effects::STATE,
        bodies: &[rule(&[P::Any], to_none, Op::SetCause)],
    }
    /// The pending exception hides its context: `from None`.
    step exception.no_cause() {
        effects: Effects::STATE,
        bodies: &[rule(&[], to_none, Op::SetCause)],
    }
    /// Makes an exception that was kept the pending one.
    step exception.raise_kept(kept) {
        effects: Effects::STATE,
        bodies: &[rule(&[P::Any], to_none, Op::RaiseKept)],
    }
}
