//! The function library: one [`Row`] for each function, operator, attribute and method that programs may use.
//!
//! A row says everything the compiler, the passes and the documentation know about a function: parameters, result types,
//! bodies, effects, targets and a doc line. Nothing above this crate names a function: inference reads `result`, lowering
//! `code` (with what it may write in place of a native body, and whether that takes threads), dead-code removal and the
//! analysis of parallel loops `effects`, and `docs/supported.md` is [`render_supported`].
//!
//! No code here inspects IR. Adding a function changes one row, at most one prelude or native body, and one test line.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod catalogue;
mod constants;
mod device_fn;
mod dict_op;
mod dtype;
pub mod format;
mod inline;
mod list_op;
mod loops;
pub mod native;
mod op;
mod pattern;
pub mod prelude;
mod python_signature;
mod reduce;
mod result;
mod row;
mod set_op;
#[macro_use]
mod row_macro;
mod rows;
mod rules;
mod stubs;
mod supported;

pub use catalogue::Library;
pub use constants::constant;
pub use device_fn::{Arith, Atomic, BfloatFn, DeviceFn, FenceScope, Shuffle, Vote};
pub use dict_op::DictOp;
pub use dtype::{dtype_or, dtype_text, named_dtype, scalar_class};
pub use inline::{Few, Inline, Join};
pub use list_op::ListOp;
pub use loops::{
    Elementwise, Loop, LoopGroup, LoopMatch, LoopType, ScalarCode, broadcast_result,
    scalar_of_letter,
};
pub use numbra_abi::MathFn;
pub use op::{
    ArrayAttr, CmpOp, ComplexFn, DivModel, Fill, FloatClass, Op, Rounding, ThreadOp, TimeOp,
};
pub use pattern::{TypePattern, plain, type_of_const};
pub use python_signature::python_signature;
pub use reduce::Reduce;
pub use result::{Case, Mismatch, ResultCx, ResultRule};
pub use row::{
    Advise, Body, Code, DefaultValue, Effects, NativeBody, Param, ParamKind, Row, RowKind, Takes,
    Targets, Threads, python_name,
};
pub use rows::{
    constant_integers, limits, not_an_item, shape_of_neighbours, shape_of_numbers, slice_positions,
};
pub use set_op::SetOp;
pub use stubs::render_stubs;
pub use supported::render_supported;
