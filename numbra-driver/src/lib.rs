//! The whole compiler without Python: the API boundary of numbra.
//!
//! A [`Session`] owns all state (types, files, finished compilations). [`Session::untyped`] takes a code object to Numba
//! IR, [`Session::compile`] takes it through inference, LIR and code generation to loaded machine code, and
//! [`Session::inspect`] prints any stage. [`command`] is the `numbra` command line over the same functions.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod advice;
pub mod cache;
pub mod command;
mod compile;
mod device;
mod dump;
mod explain;
mod inspect;
mod options;
mod pipeline;
mod recorded;
mod session;
mod sources;
mod tier2;
pub mod translate;
mod watch;

pub use advice::Advice;
pub use compile::{CompileError, Compiled, Finish, Request, Restore, Stages, Timing};
pub use device::{DeviceCode, HostKernel};
pub use dump::{Dumps, banner};
pub use explain::explain;
pub use inspect::{InspectError, STAGES, asm_text};
pub use options::Options;
pub use recorded::Callable;
pub use session::{Session, Source};
pub use tier2::{
    DeviceTarget, Generator, GeneratorError, GeneratorSource, GeneratorText, Promoted, Tier,
};
