//! Addresses that come from C: calling them, and the memory at them as an array.

use crate::row_macro::rule;
use crate::rules::pointers;
use crate::{Effects, Op, Targets, TypePattern as P};

const VIEW: Effects = Effects::READ.and(Effects::RAISE);

library! {
    /// A call of the C function at an address.
    step pointer.call(*operands) {
        effects: Effects::READ.and(Effects::WRITE).and(Effects::IO), targets: Targets::Cpu,
        bodies: &[rule(&[P::Any], pointers::call, Op::CallPointer)],
    }
    /// The memory at a pointer as an array in C order; `dtype` must be given for a `void*`. The memory stays its owner's.
    fn numbra.carray(ptr, shape, dtype = None) {
        effects: VIEW,
        bodies: &[rule(&[P::Any, P::ShapeLike, P::Any], pointers::carray, Op::ArrayAt)],
    }
    /// As `carray`, in Fortran order.
    fn numbra.farray(ptr, shape, dtype = None) {
        effects: VIEW,
        bodies: &[rule(&[P::Any, P::ShapeLike, P::Any], pointers::farray, Op::ArrayAt)],
    }
}
