//! The pass manager: pipelines as tables, generic in the state that passes work on.
//!
//! A pipeline is a table of [`Stage`]s plus a table of reasons ([`Order`]) that is checked when it is built.
//! The driver's state holds untyped, typed and lowered forms; [`Untyped`] is the state of the passes of this crate.
//!
//! ```
//! use numbra_ir::pipeline::{Changed, Pipeline, PipelineState, RunOptions, Stage, stage};
//! struct Counter(u32);
//! impl PipelineState for Counter {}
//! static TABLE: &[Stage<Counter>] = &[
//!     stage("add_one", "adding one", |s: &mut Counter| { s.0 += 1; Ok(Changed::Yes) }),
//!     stage("double", "doubling", |s: &mut Counter| { s.0 *= 2; Ok(Changed::Yes) }).when(|s| s.0 < 10),
//! ];
//! let pipeline = Pipeline::new("count", TABLE, &[]).unwrap();
//! let mut state = Counter(3);
//! pipeline.run(&mut state, RunOptions::default(), &mut ()).unwrap();
//! assert_eq!(state.0, 8);
//! ```

mod manager;
mod run;
mod untyped;

pub use manager::{Order, Pass, Pipeline, PipelineError, Stage, stage};
pub use run::{Cause, Failure, PassInfo, PipelineState, RunOptions, Sink, TextSink, Timing};
pub use untyped::{UNTYPED, UNTYPED_ORDER, Untyped, UntypedOptions};

use numbra_base::Diagnostic;

/// Did a pass change anything?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changed {
    /// The state is as it was.
    No,
    /// Something differs.
    Yes,
}

impl Changed {
    /// `Yes` if either is.
    #[must_use]
    pub fn or(self, other: Changed) -> Changed {
        Changed::from(self == Changed::Yes || other == Changed::Yes)
    }
}

impl From<bool> for Changed {
    fn from(changed: bool) -> Changed {
        if changed { Changed::Yes } else { Changed::No }
    }
}

/// What a pass returns: errors are the user's, as diagnostics.
pub type PassResult = Result<Changed, Vec<Diagnostic>>;
