//! The canonical text of functions, types and typed programs (files `*.nir`), printed and parsed.
//!
//! ```text
//! function ramp(n, k):
//!   obj0 = builtins.range function
//! bb0:
//!   n = arg(0, name=n)
//!   k = arg(1, name=k)
//!   t = const(float, 0.0)
//!   $0 = global(builtins.range)
//!   $1 = call $0(n)
//!   $2 = getiter($1)
//!   jump bb1
//! bb1:
//!   t.2 = phi(bb0: t, bb2: t.3)
//!   ...
//! ```
//!
//! One statement a line; indentation and blank lines mean nothing; `;` starts a comment.
//! Names that are not plain identifiers, or that are words of this language, stand in back quotes.
//! Objects are named by their qualified name where that is unique in the function, else `obj3`.
//! Variables appear without declaration; their order is that of first appearance, unless `var` lines say otherwise.
//! `x.2` is read as a version of `x`. A statement may end in `@ 3:4-3:9 bc12`: its span and origin.
//! In typed text assignments read `x: int64 = ...`, and resolved calls end in `; calls operator.add#0 (int64, int64) -> int64`.
//!
//! Law: `parse(print(f, LOSSLESS)) == f` for every compact `f` (see [`crate::compact`]).

mod checked;
mod consts;
mod cursor;
mod names;
mod parse;
mod parse_stmt;
mod print;
mod program;

pub use checked::{read_func, read_program};
pub(crate) use consts::parse_const;
pub use cursor::{Cursor, Parse, ParseError};
pub use names::{NoRows, RowNames, quote_name};
pub use parse::{ParsedFunc, parse_func, parse_func_with_types, parse_typed_func};
pub use print::{
    Location, Notes, PrintOptions, print_func, print_func_with_notes, print_stmt, print_typed_func,
    print_typed_func_with_notes, span_text,
};
pub use program::{parse_program, print_program};
