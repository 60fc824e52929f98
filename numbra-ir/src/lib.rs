//! Numba IR: the types, the untyped function, the typed function, and the passes over them.
//!
//! A [`Func`] is data with side tables; nothing here knows a library function, a target or Python.
//! Node kinds and pass names are Numba's, so that readers of Numba's dumps can read ours.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

#[macro_use]
mod types;

pub mod analysis;
pub mod binding;
pub mod builder;
mod compact;
mod consts;
pub mod dump;
mod expr;
mod fresh_names;
mod func;
pub mod lattice;
mod objects;
pub mod passes;
pub mod pipeline;
mod records;
mod references;
mod side_table;
pub mod stencil;
pub mod steps;
mod text;
mod times;
mod type_table;
mod typed;
mod uses;
pub mod verify;

pub use compact::{canonicalize, compact, compact_typed};
pub use consts::Const;
pub use expr::{BinOp, Expr, Rhs, UnaryOp};
pub use fresh_names::FreshNames;
pub use func::{
    ArgKind, ArgSpec, Block, BlockData, Func, Handler, Inst, Stmt, StmtKind, Var, VarData,
};
pub use objects::{DispatcherId, ObjDesc, ObjKind, ObjRef, TupleClass};
pub use records::{RecordField, RecordType, Storage};
pub use text::{
    Cursor, Location, NoRows, Notes, Parse, ParseError, ParsedFunc, PrintOptions, RowNames,
    parse_func, parse_func_with_types, parse_program, parse_typed_func, print_func,
    print_func_with_notes, print_program, print_stmt, print_typed_func,
    print_typed_func_with_notes, quote_name, read_func, read_program, span_text,
};
pub use times::{TimeType, TimeUnit};
pub use typed::{
    BodyIx, CallArg, CallSite, Callee, Instance, InstanceOrigin, RowId, Signature, TypedFunc,
    TypedProgram,
};
pub use types::{
    ArrayType, BufferClass, DictPart, ExtField, ExtModel, ExtShape, Flavor, Layout, ListClass,
    ModelSource, Scalar, Type, TypeKind, TypeText, Types, kinds,
};

pub use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
