//! The steps of handlers that raise their exception again.

use crate::row_macro::rule;
use crate::rules;
use crate::{Effects, Op, TypePattern as P};

library! {
    /// Keeps the exception that a handler got: the code of the handler may handle others.
    step exception.keep() {
        effects: Effects::STATE,
        bodies: &[rule(&[], rules::to_bytes, Op::KeepError)],
    }
    /// Makes an exception that was kept the pending one.
    step exception.raise_kept(kept) {
        effects: Effects::STATE,
        bodies: &[rule(&[P::Any], rules::to_none, Op::RaiseKept)],
    }
}
