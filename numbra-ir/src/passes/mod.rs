//! Passes on untyped functions, each named as in Numba where Numba has it.
//!
//! A pass is a function of the [`Func`](crate::Func) and a [`PassContext`]; [`crate::pipeline::UNTYPED`] lists them in order.

mod check_assigned;
pub(crate) mod const_eval;
mod context;
mod copy_propagation;
mod dead_branch_prune;
mod dead_code;
mod dels;
mod find_literally;
mod generic_rewrites;
mod inline_closure;
pub(crate) mod known;
mod literal_unroll;
mod post_proc;
mod raises;
mod semantic_constants;
mod simplify_cfg;
mod ssa;
mod ssa_handlers;
mod surgery;

pub use check_assigned::check_assigned;
pub use context::{Effect, EffectOf, PassContext, plain_effect};
pub use copy_propagation::copy_propagation;
pub use dead_branch_prune::dead_branch_prune;
pub use dead_code::dead_code_elimination;
pub use dels::{insert_dels, remove_dels};
pub use find_literally::{find_literally, literally_args};
pub use generic_rewrites::generic_rewrites;
pub use inline_closure::inline_closure_likes;
pub use literal_unroll::literal_unroll;
pub use post_proc::{YieldPoint, generator_info, ir_processing};
pub use raises::rewrite_dynamic_raises;
pub use semantic_constants::rewrite_semantic_constants;
pub use simplify_cfg::simplify_cfg;
pub use ssa::reconstruct_ssa;
