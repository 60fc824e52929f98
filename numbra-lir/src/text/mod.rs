//! LIR as text (`.lir`) and as JSON.
//!
//! [`print`] is canonical: blocks in layout order are `block0..`, values in order of definition `v0..`. In the lossless
//! form `parse(print(m)) == canonical(m)`, spans and origins included. [`to_json`] and [`from_json`] carry the same
//! data with a schema version.
//!
//! ```text
//! exception exc0 = "builtins.ZeroDivisionError"("'division by zero'") in "f"
//!
//! function export @f(i64, ptr noalias) -> (i64) raises {
//!   slot0 = slot 16 align 8 refs 0
//! block0(v0: i64, v1: ptr):
//!   v2: i64 = iconst 1
//!   v3 = iadd v0, v2 nsw
//!   v4: i64 = load v1+8 array align 8
//!   v5 = icmp ne v4, v2
//!   guard v5 zero_division, block1, block2
//! block1:
//!   return v3
//! block2 cold:
//!   set_error exc0()
//!   fail
//! }
//! ```
//!
//! Result types are written where operands do not determine them. In the lossless form a line may end in
//! `@ 3:4-3:9 !bc12` (span, origin), with `file2` before the span when the file is not 0. A line `debug lines` or
//! `debug full` says how much the module tells about its source, and behind the slots of a function `debug ".."` holds
//! what debuggers are told about it, as JSON.

mod canonical;
mod checked;
mod fields;
mod json;
mod lexer;
mod names;
mod parser;
mod print;
mod resolve;
mod statement;

pub use canonical::{canonical, canonical_func};
pub use checked::{read, read_json};
pub(crate) use fields::{TextField, Word};
pub use json::{LIR_DIGEST, SCHEMA, SCHEMA_VERSION, from_json, to_json};
pub use names::{Named, alias_name, device_name, type_from_name};
pub(crate) use parser::Parser;
pub use parser::{Lines, parse, parse_with_lines};
pub(crate) use print::InstText;
pub use print::{Form, print, print_func};

use std::fmt;

/// Why a text could not be read, and where: 1-based line, 1-based column in bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    pub line: u32,
    pub col: u32,
    pub message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.col, self.message)
    }
}

impl std::error::Error for TextError {}
