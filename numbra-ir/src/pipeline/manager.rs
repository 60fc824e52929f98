//! Building pipelines.

use super::PassResult;
use std::fmt;
use std::sync::Arc;

/// One row of a pipeline's table.
pub struct Stage<S: 'static> {
    /// Numba's pass name.
    pub name: &'static str,
    /// Numba's description, which errors quote as the step.
    pub description: &'static str,
    /// The pass.
    pub run: fn(&mut S) -> PassResult,
    /// Runs only if this holds.
    pub when: Option<fn(&S) -> bool>,
}

/// A row that always runs.
pub const fn stage<S>(
    name: &'static str,
    description: &'static str,
    run: fn(&mut S) -> PassResult,
) -> Stage<S> {
    Stage {
        name,
        description,
        run,
        when: None,
    }
}

impl<S> Stage<S> {
    /// The row, on a condition.
    #[must_use]
    pub const fn when(mut self, condition: fn(&S) -> bool) -> Stage<S> {
        self.when = Some(condition);
        self
    }
}

/// Why one pass stands before another; checked whenever both are in a pipeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    /// Runs before the first `second`.
    pub first: &'static str,
    /// Relies on `first`.
    pub second: &'static str,
    /// Why.
    pub reason: &'static str,
}

/// A pass that users insert.
pub trait Pass<S>: Send + Sync {
    /// Its name in dumps, timings and errors.
    fn name(&self) -> &str;
    /// What errors quote as the step.
    fn description(&self) -> &str {
        self.name()
    }
    /// Does the work.
    fn run(&self, state: &mut S) -> PassResult;
}

pub(super) enum Step<S: 'static> {
    Table(&'static Stage<S>),
    User(Arc<dyn Pass<S>>),
}

impl<S> Clone for Step<S> {
    fn clone(&self) -> Self {
        match self {
            Step::Table(stage) => Step::Table(stage),
            Step::User(pass) => Step::User(Arc::clone(pass)),
        }
    }
}

impl<S> Step<S> {
    pub(super) fn name(&self) -> &str {
        match self {
            Step::Table(stage) => stage.name,
            Step::User(pass) => pass.name(),
        }
    }

    pub(super) fn description(&self) -> &str {
        match self {
            Step::Table(stage) => stage.description,
            Step::User(pass) => pass.description(),
        }
    }
}

/// Passes in order.
pub struct Pipeline<S: 'static> {
    pub(super) name: String,
    pub(super) steps: Vec<Step<S>>,
}

impl<S> Clone for Pipeline<S> {
    fn clone(&self) -> Self {
        Pipeline {
            name: self.name.clone(),
            steps: self.steps.clone(),
        }
    }
}

impl<S> fmt::Debug for Pipeline<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        f.debug_list().entries(self.names()).finish()
    }
}

/// A pipeline that cannot be built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PipelineError {
    /// No pass of this name is in the pipeline.
    NoSuchPass(String),
    /// Two passes stand in the wrong order.
    Order(Order),
}

impl fmt::Display for PipelineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PipelineError::NoSuchPass(name) => write!(f, "no pass `{name}` in the pipeline"),
            PipelineError::Order(order) => write!(
                f,
                "`{}` must run before `{}`: {}",
                order.first, order.second, order.reason
            ),
        }
    }
}

impl std::error::Error for PipelineError {}

impl<S> Pipeline<S> {
    /// The pipeline of a table, checked against the reasons.
    pub fn new(
        name: impl Into<String>,
        table: &'static [Stage<S>],
        order: &[Order],
    ) -> Result<Pipeline<S>, PipelineError> {
        let pipeline = Pipeline {
            name: name.into(),
            steps: table.iter().map(Step::Table).collect(),
        };
        for row in order {
            let at = |name| pipeline.names().position(|n| n == name);
            if let (Some(first), Some(second)) = (at(row.first), at(row.second))
                && first > second
            {
                return Err(PipelineError::Order(*row));
            }
        }
        Ok(pipeline)
    }

    /// The name: `nopython`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names of the passes in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().map(Step::name)
    }

    fn position(&self, name: &str) -> Result<usize, PipelineError> {
        self.names()
            .position(|n| n == name)
            .ok_or_else(|| PipelineError::NoSuchPass(name.to_owned()))
    }

    /// Inserts a pass after the first one of this name.
    pub fn insert_after(
        &mut self,
        name: &str,
        pass: impl Pass<S> + 'static,
    ) -> Result<(), PipelineError> {
        let at = self.position(name)?;
        self.steps.insert(at + 1, Step::User(Arc::new(pass)));
        Ok(())
    }

    /// Inserts a pass before the first one of this name.
    pub fn insert_before(
        &mut self,
        name: &str,
        pass: impl Pass<S> + 'static,
    ) -> Result<(), PipelineError> {
        let at = self.position(name)?;
        self.steps.insert(at, Step::User(Arc::new(pass)));
        Ok(())
    }

    /// Appends a pass.
    pub fn push(&mut self, pass: impl Pass<S> + 'static) {
        self.steps.push(Step::User(Arc::new(pass)));
    }

    /// Takes out the first pass of this name.
    pub fn remove(&mut self, name: &str) -> Result<(), PipelineError> {
        let at = self.position(name)?;
        self.steps.remove(at);
        Ok(())
    }
}
