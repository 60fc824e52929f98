//! CPython 3.11 to 3.15 code objects to control flow and data flow, without Python.
//!
//! [`CodeObject`] is plain data. [`Bytecode::decode`] reads its bytes into version-neutral instructions,
//! [`Cfg::build`] finds blocks and exception regions, [`Dfg::build`] executes the operand stack symbolically.
//! Nothing that reads a [`Dfg`] needs to know the Python version. Bytes are not trusted: every defect is an
//! [`Error`] value, and work is bounded by the size of the input.
#![forbid(unsafe_code)]

mod cfg;
mod code;
mod decode;
mod error;
mod exctable;
mod flow;
mod locations;
mod object_block;
mod op;
mod opcode;
mod text;

pub mod dfg;

pub use cfg::{BasicBlock, Cfg, EdgeKind};
pub use code::{CodeFlags, CodeObject, Const, F64Bits, Position, float_repr, str_repr};
pub use decode::{Bytecode, Instr, RawInstr, Variable, VariableKind};
pub use dfg::Dfg;
pub use error::{Error, Malformed};
pub use exctable::{Region, parse as parse_exception_table, visible_regions};
pub use flow::{DominatorTree, FlowGraph, Loop};
pub use locations::parse as parse_location_table;
pub use object_block::{Annotation, BlockCode, BlockExit, ObjectBlock, ObjectBlockError};
pub use op::{
    BinaryOp, Builtin, CompareOp, FunctionParts, JumpIf, Literal, LoopForm, Op, Special, UnaryOp,
};
pub use opcode::{Class, Entry, Opcode, Unsupported, Version};
