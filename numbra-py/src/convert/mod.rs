//! Helpers that entry wrappers call: unboxing beyond the inline checks, boxing, and raising.

mod abi;
mod array_result;
mod boxing;
mod constant;
mod kept;
mod raise;
mod records;
mod text;
mod unbox;

pub(crate) use abi::{Words, guarded, guarded_with_gil};
pub(crate) use boxing::{box_value, numbra_py_box, str_of_value};
pub(crate) use constant::constant;
pub(crate) use kept::{Kept, keep_exception, keep_value, put_kept, take_kept};
pub(crate) use raise::{exception, numbra_py_raise, pending_error, raised, restore};
pub(crate) use records::numbra_py_unbox_chars;
pub(crate) use text::leaves as unbox_text;
pub(crate) use unbox::{
    array_leaves, leniently, numbra_py_unbox, set_lenient, set_unbox_error, take_unbox_error,
    unbox, unbox_scalar,
};
