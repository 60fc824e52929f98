//! LIR as data. See `docs/lir.md` for the specification in prose.

mod debug;
mod describe;
mod device;
mod func;
mod inst;
mod module;
mod operands;
mod types;
mod typing;

pub use cranelift_entity::EntityRef;
pub use debug::{DebugInfo, DebugType, Encoding, FuncDebug, Member, Variable};
pub use describe::exception_description;
#[cfg(feature = "cranelift")]
pub(crate) use describe::word_types;
pub use device::{AtomicOp, DeviceEffect, DeviceOp, MemOrder, MemScope};
pub use func::{
    Block, BlockData, Func, Inst, InstData, Slot, SlotData, Value, ValueData, ValueDef,
};
pub use inst::{
    AliasClass, Align, BinaryOp, BlockCall, ConvertOp, Facts, FastMath, FloatCc, GuardKind,
    InstKind, IntCc, KEEP_ALIVE, MathFn, MathFnName, MathLib, MemFlags, OverflowOp, Terminator,
    UnaryOp,
};
pub use module::{
    Data, DataId, Exception, ExceptionId, FuncDecl, FuncRef, KEPT_ARG, Linkage, Module, Param,
    Signature, TEXT_ARG, fill_text,
};
pub use types::{AddrSpace, Lane, Ty};
pub(crate) use typing::c_type;
pub use typing::{native_signature, result_types};
