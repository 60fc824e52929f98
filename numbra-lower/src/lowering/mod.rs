//! Lowering: typed Numba IR to LIR.
//!
//! - [`leaves`]: data models, the machine values that stand for a value of a type, and their order.
//! - [`lower`]: a [`numbra_ir::TypedProgram`] as one LIR module, its loops over `prange` as a plan has them.
//!
//! One file lowers one family of operations; [`numbra_library::Op`] is matched in `intrinsic` alone.
//! Nothing here inserts reference counting: results own their references and arguments borrow them, and the pass
//! `place_refs` does the rest.

mod array;
mod bfloat;
mod call;
mod cast;
mod char_seq;
mod compare;
mod complex;
mod complex_device;
mod constant;
mod debug;
mod device;
mod device_entry;
mod device_extern;
mod device_print;
mod divide;
mod draw_inline;
mod emit;
mod error;
mod expr;
mod fields;
mod format;
mod function;
mod function_values;
mod generator;
mod inline;
mod intrinsic;
mod item;
mod iterate;
mod keep;
mod list;
mod mathematics;
mod message;
mod model;
mod module;
mod native;
mod nd_index;
mod nd_iter;
mod number;
mod object_mode;
mod objects;
mod options;
mod owner;
mod parallel;
mod pointer;
mod power;
mod print;
mod program;
mod raise;
mod random;
mod record;
mod recursion;
mod round;
mod slice;
mod stmt;
mod time;
mod tuple;

pub use device_entry::{DeviceAbi, add_device_entry, device_params, no_device_argument};
pub use fields::{FieldLayout, ObjectLayout, object_layout};
pub use function_values::FUNCTION_VALUE;
pub use item::{ItemLayout, item_layout, item_parts};
pub use model::{leaves, root_signature};
pub use options::{CalleeOptions, ErrorModel, FunctionOptions, Options};
pub use owner::{Owner, containers, owner};
pub use program::{Lowered, lower, parallel_functions};
