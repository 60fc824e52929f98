//! The entry wrapper of a compiled signature: a LIR function with the vectorcall signature that checks exact argument
//! types, unboxes, calls the compiled function and boxes its results, all in machine code.
//!
//! ```text
//! PyObject *entry(PyObject *callable, PyObject *const *args, size_t nargsf, PyObject *kwnames)
//! ```
//!
//! What an inline check does not recognise goes to a helper (`numbra_py_unbox`), which accepts every object that
//! `typeof` gives the parameter's type; only then does the call miss and go to `numbra_py_dispatch`.

mod boxing;
mod builder;
pub(crate) mod callback;
pub(crate) mod core_loops;
mod lists;
pub(crate) mod loops;
mod unbox;
mod unbox_array;
pub(crate) mod value;
mod wrapper;

pub(crate) use wrapper::{COUNTDOWN, INSIDE, Protocol, build};
