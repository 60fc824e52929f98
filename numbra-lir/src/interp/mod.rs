//! The interpreter: what LIR means, executed. It is the oracle of every code generator and the constant folder of every
//! pass.
//!
//! - [`ops`]: the value of each operation on bits; nothing else defines what an operation computes.
//! - [`Memory`]: an address space of its own, in which every access is checked.
//! - [`Interpreter`]: runs functions of a module under a fuel limit; whatever is wrong with the LIR it runs (a bad
//!   access, a false fact, a missing import) is a [`Trap`].
//! - [`Executor`]: how tests run a function on this and on every generator.

mod device;
mod executor;
mod frame;
mod machine;
mod memory;
mod natives;
pub mod ops;
mod trap;
mod value;

pub use executor::{Arg, Executor, InterpreterExecutor, Outcome, RunError};
pub use frame::evaluate;
pub use machine::{Completion, Interpreter, Raised};
pub use memory::Memory;
pub use natives::{DefaultNatives, NativeResult, Natives};
pub use trap::Trap;
pub use value::LirValue;
