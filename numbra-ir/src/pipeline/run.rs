//! Running pipelines: verification, timing, dumps.

use super::manager::{Pipeline, Step};
use super::{Changed, PassResult};
use numbra_base::Diagnostic;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// What passes work on.
pub trait PipelineState {
    /// Checks the state as it is after some pass; errors are bugs of that pass.
    fn verify(&self) -> Result<(), Vec<String>> {
        Ok(())
    }

    /// The text that dumps show.
    fn dump(&self) -> String {
        String::new()
    }
}

/// How to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunOptions {
    /// Verify after every pass. On by default in debug builds.
    pub verify: bool,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        let verify = cfg!(debug_assertions);
        RunOptions { verify }
    }
}

/// Which pass it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PassInfo<'a> {
    /// The pipeline's name.
    pub pipeline: &'a str,
    /// Position in the pipeline, from 0.
    pub index: usize,
    /// The pass's name.
    pub name: &'a str,
    /// The pass's description.
    pub description: &'a str,
}

/// Is told of every pass that runs. `()` is a sink that does nothing.
pub trait Sink<S> {
    /// Before a pass.
    fn before(&mut self, _pass: PassInfo<'_>, _state: &S) {}
    /// After a pass that succeeded.
    fn after(&mut self, _pass: PassInfo<'_>, _changed: Changed, _state: &S) {}
}

impl<S> Sink<S> for () {}

/// Collects dumps of the passes that are asked for.
#[derive(Clone, Debug, Default)]
pub struct TextSink {
    /// Names of passes to dump before; `all` stands for all.
    pub before: Vec<String>,
    /// Names of passes to dump after; `all` stands for all.
    pub after: Vec<String>,
    /// `(nopython: AFTER dead_branch_prune, text)`
    pub dumps: Vec<(String, String)>,
}

fn wanted(names: &[String], name: &str) -> bool {
    names.iter().any(|n| n == "all" || n == name)
}

impl<S: PipelineState> Sink<S> for TextSink {
    fn before(&mut self, pass: PassInfo<'_>, state: &S) {
        if wanted(&self.before, pass.name) {
            let title = format!("{}: BEFORE {}", pass.pipeline, pass.name);
            self.dumps.push((title, state.dump()));
        }
    }

    fn after(&mut self, pass: PassInfo<'_>, _changed: Changed, state: &S) {
        if wanted(&self.after, pass.name) {
            let title = format!("{}: AFTER {}", pass.pipeline, pass.name);
            self.dumps.push((title, state.dump()));
        }
    }
}

/// How long one pass took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timing {
    /// Position in the pipeline.
    pub index: usize,
    /// The pass's name.
    pub name: String,
    /// Wall time, without verification and dumps.
    pub run: Duration,
    /// What it returned.
    pub changed: Changed,
}

/// Why a run stopped.
#[derive(Clone, PartialEq, Debug)]
pub enum Cause {
    /// The user's errors.
    Diagnostics(Vec<Diagnostic>),
    /// Rules that the pass broke: a bug of ours, or of a user's pass.
    Verify(Vec<String>),
    /// The pass panicked: a bug.
    Panic(String),
}

/// A run that stopped.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// The pipeline's name.
    pub pipeline: String,
    /// The pass that failed.
    pub pass: String,
    /// Its description.
    pub description: String,
    /// Why.
    pub cause: Cause,
}

/// First line as Numba prints it: `Failed in nopython mode pipeline (step: nopython frontend)`.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Failed in {} mode pipeline (step: {})",
            self.pipeline, self.description
        )?;
        match &self.cause {
            Cause::Diagnostics(list) => list.iter().try_for_each(|d| write!(f, "\n{}", d.message)),
            Cause::Verify(rules) => {
                write!(f, "\nafter pass `{}`:", self.pass)?;
                rules.iter().try_for_each(|rule| write!(f, "\n  {rule}"))
            }
            Cause::Panic(message) => write!(f, "\npass `{}` panicked: {message}", self.pass),
        }
    }
}

impl std::error::Error for Failure {}

impl<S: PipelineState> Pipeline<S> {
    /// Runs all passes whose conditions hold. After a failure the state is not to be used further.
    pub fn run(
        &self,
        state: &mut S,
        options: RunOptions,
        sink: &mut dyn Sink<S>,
    ) -> Result<Vec<Timing>, Failure> {
        let mut timings = Vec::with_capacity(self.steps.len());
        for (index, step) in self.steps.iter().enumerate() {
            if let Step::Table(stage) = step
                && stage.when.is_some_and(|condition| !condition(state))
            {
                continue;
            }
            let pass = PassInfo {
                pipeline: &self.name,
                index,
                name: step.name(),
                description: step.description(),
            };
            let failed = |cause| Failure {
                pipeline: self.name.clone(),
                pass: pass.name.to_owned(),
                description: pass.description.to_owned(),
                cause,
            };
            sink.before(pass, state);
            let start = Instant::now();
            // A broken pass is reported with its name, not unwound through the caller.
            let result: PassResult = catch_unwind(AssertUnwindSafe(|| match step {
                Step::Table(stage) => (stage.run)(state),
                Step::User(user) => user.run(state),
            }))
            .map_err(|payload| failed(Cause::Panic(panic_text(payload.as_ref()))))?;
            let run = start.elapsed();
            let changed = result.map_err(|list| failed(Cause::Diagnostics(list)))?;
            if options.verify {
                state
                    .verify()
                    .map_err(|rules| failed(Cause::Verify(rules)))?;
            }
            sink.after(pass, changed, state);
            timings.push(Timing {
                index,
                name: pass.name.to_owned(),
                run,
                changed,
            });
        }
        Ok(timings)
    }
}

fn panic_text(payload: &(dyn std::any::Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "unknown panic".to_owned()
    }
}
