//! Helpers that entry wrappers call: unboxing beyond the inline checks, boxing, and raising.

mod abi;
mod array_result;
mod boxing;
mod chain;
mod constant;
mod kept;
mod raise;
pub(crate) mod records;
pub(crate) mod text;
mod unbox;

pub(crate) use abi::{Leaves, Words, guarded, guarded_with_gil, release_leaves};
pub(crate) use array_result::box_array;
pub(crate) use boxing::{Boxing, box_value, numbra_py_box, text_of_value};
pub(crate) use constant::constant;
pub(crate) use kept::{Kept, keep_exception, keep_value, put_kept, take_kept};
pub(crate) use raise::{exception, numbra_py_raise, pending_error, raised, restore};
pub(crate) use text::{hash_of_bytes, numbra_py_box_text};
pub(crate) use unbox::{
    Accept, Unboxing, array_leaves, disagreement, for_argument, leniently, numbra_py_unbox,
    numbra_py_unbox_owned, numbra_py_unbox_value, set_lenient, take_unbox_error,
};
