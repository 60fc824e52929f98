//! The dispatcher: a type with a vectorcall slot that holds the entry wrapper of the last signature called.
//!
//! A call goes straight to machine code. An entry that does not match its arguments jumps to [`numbra_py_dispatch`],
//! which folds keywords and defaults, finds or compiles the entry for the argument types, and makes it the next one tried.

mod arguments;
mod call;
mod compile;
pub(crate) mod methods;
mod object;
mod promotion;
mod registry;
mod select;
mod state;
mod superseded;
pub(crate) mod value;

pub(crate) use call::numbra_py_dispatch;
pub(crate) use methods::{compiled, made};
pub(crate) use object::{id_of, inner, make_type, type_of};
pub(crate) use promotion::{_set_promote_after, _wait_for_promotions};
pub(crate) use registry::with;
pub(crate) use state::{Dispatcher, Entry, Needs};
pub(crate) use superseded::_code_bytes;
pub(crate) use value::{FunctionRules, capture_object, common_function_type, object_of};
