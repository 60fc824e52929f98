//! Result rules: functions from argument types to signatures, by area.

pub(crate) mod arrays;
pub(crate) mod builtins;
pub(crate) mod device;
pub(crate) mod fourier;
pub(crate) mod functions;
pub(crate) mod indexing;
pub(crate) mod iteration;
pub(crate) mod limits;
pub(crate) mod linalg;
pub(crate) mod lists;
pub(crate) mod literal_lists;
pub(crate) mod object_mode;
pub(crate) mod operators;
pub(crate) mod pointers;
pub(crate) mod random;
pub(crate) mod records;
pub(crate) mod reductions;
pub(crate) mod sets;
pub(crate) mod statistics;
pub(crate) mod text;
pub(crate) mod threads;
pub(crate) mod tuples;

pub use device::constant_integers;
pub use functions::{shape_of_neighbours, shape_of_numbers};
pub use limits::limits;
pub use tuples::slice_positions;

use crate::{Mismatch, ResultCx};
use numbra_ir::{Signature, Type};

/// A fixed result; parameters are the plain argument types.
macro_rules! returns {
    ($($(#[$doc:meta])* $name:ident => $ty:expr;)*) => {
        $($(#[$doc])* pub(crate) fn $name(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
            cx.returns($ty)
        })*
    };
}

returns! {
    /// `bool`
    to_bool => Type::BOOL;
    /// `int64`
    to_int64 => Type::INT64;
    /// `bytes`
    to_bytes => Type::BYTES;
    /// `none`
    to_none => Type::NONE;
}
