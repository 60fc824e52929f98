//! The pipeline of this crate's passes, in Numba's order.

use super::{Order, PassResult, PipelineState, Stage, stage};
use crate::passes::{self, EffectOf, PassContext, plain_effect};
use crate::verify::{Phase, verify};
use crate::{Func, PrintOptions, Type, Types, print_func};
use std::fmt;
use std::sync::Arc;

/// Switches of the untyped pipeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UntypedOptions {
    /// Run `reconstruct_ssa`: Numba's `enable_ssa`.
    pub ssa: bool,
    /// Run rewrites: not Numba's `no_rewrites`.
    pub rewrites: bool,
}

impl Default for UntypedOptions {
    fn default() -> UntypedOptions {
        UntypedOptions {
            ssa: true,
            rewrites: true,
        }
    }
}

/// The state of the untyped pipeline.
#[derive(Clone)]
pub struct Untyped {
    /// The function.
    pub func: Func,
    /// Types of the parameters; empty where they are not known.
    pub args: Vec<Type>,
    /// The types of the compilation.
    pub types: Types,
    /// How far the function has come.
    pub phase: Phase,
    /// Effects of statements, for dead code elimination.
    pub effect: Arc<EffectOf>,
    /// Switches.
    pub options: UntypedOptions,
}

impl fmt::Debug for Untyped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Untyped({}, {:?})", self.func.qualname, self.phase)
    }
}

impl Untyped {
    /// A function fresh from the builder.
    pub fn new(func: Func, args: Vec<Type>, types: Types) -> Untyped {
        Untyped {
            func,
            args,
            types,
            phase: Phase::Untyped,
            effect: Arc::new(plain_effect),
            options: UntypedOptions::default(),
        }
    }

    /// Runs one pass function.
    pub fn apply(&mut self, pass: fn(&mut Func, &PassContext<'_>) -> PassResult) -> PassResult {
        let cx = PassContext {
            types: &self.types,
            args: &self.args,
            effect: &*self.effect,
        };
        pass(&mut self.func, &cx)
    }
}

impl PipelineState for Untyped {
    fn verify(&self) -> Result<(), Vec<String>> {
        verify(&self.func, self.phase).map_err(|list| list.iter().map(|e| e.to_string()).collect())
    }

    fn dump(&self) -> String {
        print_func(&self.func, &self.types, PrintOptions::PLAIN)
    }
}

fn rewrites(state: &Untyped) -> bool {
    state.options.rewrites
}

/// Numba's untyped passes with their names and descriptions. `simplify_cfg` and `dead_code_elimination` are passes
/// that users add.
pub static UNTYPED: &[Stage<Untyped>] = &[
    stage("ir_processing", "processing IR", |s: &mut Untyped| {
        s.apply(passes::ir_processing)
    }),
    stage(
        "inline_closure_likes",
        "inline calls to locally defined closures",
        |s: &mut Untyped| s.apply(passes::inline_closure_likes),
    ),
    stage(
        "rewrite_semantic_constants",
        "rewrite semantic constants",
        |s: &mut Untyped| s.apply(passes::rewrite_semantic_constants),
    )
    .when(rewrites),
    stage(
        "dead_branch_prune",
        "dead branch pruning",
        |s: &mut Untyped| s.apply(passes::dead_branch_prune),
    )
    .when(rewrites),
    stage(
        "generic_rewrites",
        "nopython rewrites",
        |s: &mut Untyped| s.apply(passes::generic_rewrites),
    )
    .when(rewrites),
    stage(
        "Rewrite dynamic raises",
        "rewrite dynamic raises",
        |s: &mut Untyped| s.apply(passes::rewrite_dynamic_raises),
    ),
    stage(
        "find_literally",
        "find literally calls",
        |s: &mut Untyped| s.apply(passes::find_literally),
    ),
    stage(
        "literal_unroll",
        "handles literal_unroll",
        |s: &mut Untyped| s.apply(passes::literal_unroll),
    ),
    stage(
        "check_assigned",
        "tests of variables that may be unassigned",
        |s: &mut Untyped| s.apply(passes::check_assigned),
    ),
    stage("reconstruct_ssa", "ssa", |s: &mut Untyped| {
        let changed = s.apply(passes::reconstruct_ssa)?;
        s.phase = Phase::Ssa;
        Ok(changed)
    })
    .when(|s| s.options.ssa),
    stage(
        "dead_branch_prune",
        "dead branch pruning",
        |s: &mut Untyped| s.apply(passes::dead_branch_prune),
    )
    .when(rewrites),
];

/// Why the passes stand as they do.
pub static UNTYPED_ORDER: &[Order] = &[
    Order {
        first: "ir_processing",
        second: "inline_closure_likes",
        reason: "unreachable calls are not worth inlining",
    },
    Order {
        first: "inline_closure_likes",
        second: "dead_branch_prune",
        reason: "arguments of inlined bodies decide branches in them",
    },
    Order {
        first: "rewrite_semantic_constants",
        second: "dead_branch_prune",
        reason: "branches on ndim and len become branches on constants",
    },
    Order {
        first: "generic_rewrites",
        second: "Rewrite dynamic raises",
        reason: "raises of constants are static; the rest is dynamic",
    },
    Order {
        first: "dead_branch_prune",
        second: "find_literally",
        reason: "literally() in a dead branch asks for nothing",
    },
    Order {
        first: "dead_branch_prune",
        second: "check_assigned",
        reason: "a branch that arguments decide may be the one that does not assign",
    },
    Order {
        first: "literal_unroll",
        second: "check_assigned",
        reason: "each copy of a body has tests of its own",
    },
    Order {
        first: "check_assigned",
        second: "reconstruct_ssa",
        reason: "its flags are variables with several assignments",
    },
    Order {
        first: "literal_unroll",
        second: "reconstruct_ssa",
        reason: "copies of a body share variables until SSA tells them apart",
    },
];
