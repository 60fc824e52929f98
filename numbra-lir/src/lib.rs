//! LIR: the one low-level IR that every code generator and the interpreter read. It knows neither Python nor where it came from.
//!
//! The data is here at the root; `docs/lir.md` introduces it, and the documentation of [`verify`] is its specification.
//!
//! - [`text`]: printing and reading it; [`verify`]: its rules; [`interp`]: its meaning, executed.
//! - [`analysis`]: facts about it.
//! - [`artifact`]: machine code as every generator yields it: sections, relocations by name, line table.
//! - [`remarks`]: what a generator says about loops.
//!
//! ```
//! use numbra_lir::interp::{Arg, Executor, InterpreterExecutor, LirValue};
//! use numbra_lir::{text, verify};
//!
//! let module = text::parse(
//!     "function export @twice(i64) -> (i64) {\n\
//!      block0(v0: i64):\n\
//!      v1: i64 = iadd v0, v0\n\
//!      return v1\n\
//!      }\n",
//! )?;
//! verify::verify(&module, verify::Phase::Built).expect("it keeps the rules");
//! let twice = module.functions.keys().next().expect("there is one");
//! let outcome = InterpreterExecutor::default().run(&module, twice, &[Arg::Value(LirValue::i64(21))])?;
//! println!("{:?}", outcome);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod analysis;
pub mod artifact;
mod builder;
mod debug;
mod describe;
mod device;
mod func;
mod inst;
pub mod interp;
mod layout;
mod merge;
mod module;
mod native;
mod operands;
mod ops;
pub mod remarks;
pub mod text;
mod types;
mod typing;
pub mod verify;

pub use builder::{Cursor, InstBuilder};
pub use cranelift_entity::EntityRef;
pub use debug::{DebugInfo, DebugType, Encoding, FuncDebug, Member, Variable};
pub use describe::exception_description;
pub use describe::word_types;
pub use device::{AtomicOp, DeviceEffect, DeviceOp, MemOrder, MemScope};
pub use func::{
    Block, BlockData, Func, Inst, InstData, Slot, SlotData, Value, ValueData, ValueDef, Values,
};
pub use inst::{
    AliasClass, Align, BinaryOp, BlockCall, ConvertOp, Facts, FastMath, FloatCc, GuardKind, IntCc,
    MathFn, MathFnName, MathLib, MemFlags, OverflowOp, Terminator, UnaryOp,
};
pub use layout::{Blocks, Layout, Walk};
pub use module::{
    Data, DataId, Exception, ExceptionId, FuncDecl, FuncRef, KEPT_ARG, Linkage, Module, Param,
    SigRef, Signature, TEXT_ARG, fill_text,
};
pub use native::{NativeFn, NativeId};
pub use ops::{InstKind, result_types};
pub use types::{AddrSpace, Lane, Ty};

pub use typing::c_type;
