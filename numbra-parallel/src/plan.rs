//! The plan as data.

use crate::{Hazard, SerialReason};
use numbra_ir::{Block, Instance, Var};
use numbra_library::Reduce;
use serde::{Deserialize, Serialize};

/// Which loops over `prange` and `pndindex` of a program run in parallel, and how.
///
/// A loop that stands in no plan runs serially, which is always right.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ParallelPlan {
    /// Functions that have such loops, in the order in which they were asked for.
    pub functions: Vec<FunctionPlan>,
}

impl ParallelPlan {
    /// The plan of a function, if it has such loops.
    pub fn of(&self, key: FunctionKey) -> Option<&FunctionPlan> {
        self.functions.iter().find(|one| one.key == key)
    }

    /// True if no function has such a loop.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }
}

/// A function of a program with the option that a plan depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct FunctionKey {
    /// Which function.
    pub instance: Instance,
    /// No float in it is NaN, as `fastmath` has it.
    pub no_nans: bool,
}

/// The loops of one function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FunctionPlan {
    /// Which function.
    pub key: FunctionKey,
    /// Its loops over `prange` and `pndindex`, outer ones before inner ones.
    pub loops: Vec<LoopPlan>,
}

/// What was decided about one loop.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoopPlan {
    /// The loop.
    pub shape: LoopShape,
    /// How it runs.
    pub decision: Decision,
}

impl LoopPlan {
    /// The loop's iterations, if they run in parallel.
    pub fn region(&self) -> Option<&Region> {
        match &self.decision {
            Decision::Parallel(region) => Some(region),
            Decision::Serial(_) => None,
        }
    }

    /// True for loops inside of one that runs in parallel: they run in its threads.
    pub fn is_nested(&self) -> bool {
        self.decision == Decision::Serial(SerialReason::Nested)
    }
}

/// The parts of `for item in prange(..)`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoopShape {
    /// The block that steps.
    pub header: Block,
    /// The `prange(..)` or `pndindex(..)`.
    pub range: Var,
    /// What the step gives: a number, or an index of several axes.
    pub item: Option<Var>,
    /// Where an iteration begins.
    pub first: Block,
    /// Where the program goes on after the loop.
    pub exit: Block,
}

/// How a loop runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Decision {
    /// In chunks of its range, each in any thread.
    Parallel(Region),
    /// As it stands.
    Serial(SerialReason),
}

/// The iterations of a loop that runs in parallel.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Region {
    /// The blocks of an iteration but the header, in reverse post-order. Those that leave the loop only to raise are among them.
    pub body: Vec<Block>,
    /// The header's phis, in order.
    pub carried: Vec<CarriedVar>,
    /// Arrays of which each chunk has its own.
    pub private: Vec<PrivateArray>,
    /// What may make results depend on the order of iterations; the user must know that it does not happen.
    pub hazards: Vec<Hazard>,
    /// Phis through which values with a flag go, by number: see [`Carried::has_flag`].
    pub flagged: Vec<Var>,
    /// Results of `min` and `max` that set such a flag.
    pub nan_resets: Vec<NanReset>,
}

/// A variable that goes from one iteration to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CarriedVar {
    /// The header's phi.
    pub var: Var,
    /// What becomes of it.
    pub kind: Carried,
}

/// What becomes of a variable that a loop carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Carried {
    /// Each chunk starts with the operator's neutral value; partial results are combined in the order of chunks.
    Reduction(#[serde(with = "crate::text::operator")] Reduce),
    /// A reduction by `min(x, s)` or `max(x, s)` of floats: where `x` is NaN, what came before is forgotten.
    NanReset(#[serde(with = "crate::text::operator")] Reduce),
    /// It has the value of the last iteration that assigned it.
    LastValue,
}

impl Carried {
    /// The operator that combines partial results.
    pub fn reduce(self) -> Option<Reduce> {
        match self {
            Carried::Reduction(reduce) | Carried::NanReset(reduce) => Some(reduce),
            Carried::LastValue => None,
        }
    }

    /// True where a flag goes with the value: whether it was assigned, or what came before was forgotten.
    pub fn has_flag(self) -> bool {
        matches!(self, Carried::LastValue | Carried::NanReset(_))
    }
}

/// An array of which each chunk has its own: the loop only combines its elements by one operator.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PrivateArray {
    /// The variables that stand for it in the loop; all are assigned before it.
    pub vars: Vec<Var>,
    /// The operator.
    #[serde(with = "crate::text::operator")]
    pub reduce: Reduce,
}

/// A result of `min(x, s)` or `max(x, s)`: if it is NaN, what `s` was is forgotten.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NanReset {
    /// The result.
    pub result: Var,
    /// The version of `s` before.
    pub before: Var,
}
