//! The specification of plans, and its check.
//!
//! What lowering relies on is checked; that iterations may run in any order is what [`crate::plan`] decides.
//!
//! # Functions
//! - A plan names functions of its program, each at most once with and once without `no_nans`, and none that is a library body.
//!   It has loops.
//!
//! # Loops
//! - A loop is the header of a `for` over `prange` or `pndindex`; its range, its item, its first block and its exit are those
//!   of the `for`. Each of them stands in the plan of its function once, outer ones before inner ones.
//! - No loop of a generator runs in parallel. A loop is nested exactly if it stands in the body of one that does.
//!
//! # Regions
//! - The body has the blocks of an iteration but the header, in reverse post-order: those of the loop, and those that leave it
//!   only to raise. Control leaves an iteration to the header, or to the handler around the loop, which reads nothing that an
//!   iteration assigned.
//! - Nothing that an iteration computes is read after the loop, but by way of the carried variables.
//! - The carried variables are the header's phis, in order. Reductions are of numbers or arrays of numbers, bits are of integers
//!   and bool, extremes not of complex numbers; `nan_reset` is of `min` or `max` of a float.
//! - The variables of a private array are arrays of numbers that are assigned before the loop, each in one private array only;
//!   those of one have the same type of elements and number of axes.
//! - Flagged variables are phis of the header or of the body, by number. Of the header's, those are flagged that have a flag.
//! - The place of a hazard is a place in a file, or none.
//! - What sets a flag is a float that the body assigns; the version before it has a type.

use crate::analysis::{Context, ParallelLoops};
use crate::{Carried, Decision, FunctionPlan, LoopPlan, ParallelPlan, PrivateArray, Region};
use numbra_base::{FxHashMap, FxHashSet, Span};
use numbra_ir::analysis::Loop;
use numbra_ir::{
    Block, Expr, Instance, InstanceOrigin, Rhs, Scalar, StmtKind, Type, TypedProgram, Types, Var,
};
use numbra_library::{Library, Reduce};
use std::fmt;

/// A broken rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// The function.
    pub instance: Instance,
    /// The header of the loop, if it is about one.
    pub header: Option<Block>,
    /// What is wrong, in lower case without a full stop.
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.header {
            Some(header) => write!(f, "{} {header}: {}", self.instance, self.message),
            None => write!(f, "{}: {}", self.instance, self.message),
        }
    }
}

/// Checks a plan of this program, which is verified. All broken rules are listed, in the plan's order.
pub fn verify(
    plan: &ParallelPlan,
    program: &TypedProgram,
    types: &Types,
    library: &Library,
) -> Result<(), Vec<VerifyError>> {
    let mut found = Found::default();
    let mut seen = FxHashSet::default();
    for function in &plan.functions {
        let key = function.key;
        found.place = Some((key.instance, None));
        let Some((origin, typed)) = program.functions.get(key.instance) else {
            found.add("the program has no such function");
            continue;
        };
        found.check(seen.insert(key), "the function is listed twice");
        let is_library_body = matches!(origin, InstanceOrigin::Prelude(..));
        found.check(!is_library_body, "it is a library body");
        let cx = Context {
            program,
            typed,
            types,
            library,
            no_nans: key.no_nans,
        };
        match ParallelLoops::of(cx) {
            Some(loops) => check_function(function, &loops, &mut found),
            None => found.add("the function has no loop over `prange`"),
        }
    }
    match found.errors.is_empty() {
        true => Ok(()),
        false => Err(found.errors),
    }
}

/// Errors so far.
#[derive(Default)]
struct Found {
    place: Option<(Instance, Option<Block>)>,
    errors: Vec<VerifyError>,
}

impl Found {
    fn add(&mut self, message: impl Into<String>) {
        if let Some((instance, header)) = self.place {
            self.errors.push(VerifyError {
                instance,
                header,
                message: message.into(),
            });
        }
    }

    fn check(&mut self, holds: bool, message: &str) {
        if !holds {
            self.add(message);
        }
    }
}

fn check_function(plan: &FunctionPlan, loops: &ParallelLoops<'_>, found: &mut Found) {
    let instance = plan.key.instance;
    let headers = |plan: &FunctionPlan| -> Vec<Block> {
        plan.loops.iter().map(|one| one.shape.header).collect()
    };
    let expected: Vec<Block> = loops.loops.iter().map(|(shape, _)| shape.header).collect();
    for one in &plan.loops {
        found.place = Some((instance, Some(one.shape.header)));
        let known = loops
            .loops
            .iter()
            .find(|(shape, _)| shape.header == one.shape.header);
        match known {
            None => found.add("it is not the header of a loop over `prange`"),
            Some((shape, _)) if *shape != one.shape => {
                found.add("its range, item, first block or exit are not those of the loop");
            }
            Some((_, natural)) => check_loop(plan, one, (loops, natural), found),
        }
    }
    found.place = Some((instance, None));
    found.check(!plan.loops.is_empty(), "there are no loops");
    found.check(
        headers(plan) == expected,
        "each loop over `prange` stands in it once, outer ones before inner ones",
    );
}

fn check_loop(
    plan: &FunctionPlan,
    one: &LoopPlan,
    (loops, natural): (&ParallelLoops<'_>, &Loop),
    found: &mut Found,
) {
    let mut around = plan.loops.iter().filter_map(LoopPlan::region);
    let is_inside = around.any(|region| region.body.contains(&one.shape.header));
    found.check(
        is_inside == one.is_nested(),
        "a loop is nested exactly if it stands in one that runs in parallel",
    );
    let Decision::Parallel(region) = &one.decision else {
        return;
    };
    found.check(
        !loops.cx.typed.func.is_generator,
        "a loop of a generator runs in parallel",
    );
    let mut inside = loops.iteration(&one.shape, natural);
    let handler = loops.handler(&one.shape);
    let is_left = inside.iter().any(|block| {
        let is_header = *block == one.shape.header;
        let returns = matches!(
            loops.cx.typed.func.terminator(*block),
            Some(StmtKind::Return(_))
        );
        returns
            || loops.cfg.all_succs(*block).any(|to| {
                !(inside.contains(&to) || Some(to) == handler || is_header && to == one.shape.exit)
            })
    });
    found.check(
        !is_left,
        "control leaves an iteration before the range ends",
    );
    let blocks: FxHashSet<Block> = inside.iter().copied().collect();
    found.check(
        loops.read_by_handler(&one.shape, &blocks).is_none(),
        "the handler around the loop reads what an iteration assigned",
    );
    found.check(
        !loops.has_live_out(&one.shape, &blocks),
        "what an iteration computes is read after the loop",
    );
    inside.retain(|block| *block != one.shape.header);
    if region.body != inside {
        found.add("the body has other blocks than an iteration, or in another order");
        return;
    }
    let check = RegionCheck {
        loops,
        plan: one,
        region,
    };
    for hazard in &region.hazards {
        // Texts number files up to here.
        let is_place = hazard.span.is_known() && hazard.span.file.0 < 1 << 20;
        found.check(
            is_place || hazard.span == Span::NONE,
            "a hazard has no place",
        );
    }
    check.carried(found);
    check.private(found);
    check.flags(found);
}

/// A region whose body is right.
struct RegionCheck<'a> {
    loops: &'a ParallelLoops<'a>,
    plan: &'a LoopPlan,
    region: &'a Region,
}

impl RegionCheck<'_> {
    fn carried(&self, found: &mut Found) {
        let vars: Vec<Var> = self.region.carried.iter().map(|one| one.var).collect();
        found.check(
            vars == self.loops.phis(&self.plan.shape),
            "the carried variables are not the header's phis in order",
        );
        for one in self
            .region
            .carried
            .iter()
            .filter(|one| self.is_var(one.var))
        {
            let ty = self.loops.cx.var_type(one.var);
            let fits = match one.kind {
                Carried::LastValue => true,
                Carried::Reduction(reduce) => ty.is_some_and(|ty| self.is_reducible_by(reduce, ty)),
                Carried::NanReset(reduce) => {
                    matches!(reduce, Reduce::Min | Reduce::Max) && self.is_float(one.var)
                }
            };
            found.check(fits, "a carried variable has no such reduction");
        }
    }

    fn private(&self, found: &mut Found) {
        let mut seen = FxHashSet::default();
        for PrivateArray { vars, reduce } in &self.region.private {
            found.check(!vars.is_empty(), "a private array has no variable");
            let mut kinds: FxHashMap<_, ()> = FxHashMap::default();
            for &var in vars {
                found.check(seen.insert(var), "a variable is of two private arrays");
                let is_assigned_before = self.is_var(var)
                    && self.loops.uses.only_def(var).is_some_and(|def| {
                        let block = self.loops.uses.block_of[def];
                        block.is_some_and(|block| {
                            self.loops
                                .dominators
                                .dominates(block, self.plan.shape.header)
                                && block != self.plan.shape.header
                        })
                    });
                found.check(
                    is_assigned_before,
                    "a private array is not assigned before the loop",
                );
                let cx = &self.loops.cx;
                let ty = self.is_var(var).then(|| cx.var_type(var)).flatten();
                match ty.and_then(|ty| cx.types.as_array(ty)) {
                    Some(array) if self.is_reducible_by(*reduce, array.dtype) => {
                        kinds.insert((array.dtype, array.ndim), ());
                    }
                    _ => found.add("a private array is no array of numbers"),
                }
            }
            found.check(
                kinds.len() < 2,
                "the variables of a private array have different types",
            );
        }
    }

    fn flags(&self, found: &mut Found) {
        let flagged = &self.region.flagged;
        found.check(
            flagged.is_sorted_by(|a, b| a < b),
            "flagged variables are not in order",
        );
        let header = self.plan.shape.header;
        for &var in flagged {
            let block = self.phi_block(var);
            let is_inside = block.is_some_and(|at| at == header || self.region.body.contains(&at));
            found.check(is_inside, "a flagged variable is no phi of the loop");
        }
        for one in &self.region.carried {
            found.check(
                flagged.contains(&one.var) == one.kind.has_flag(),
                "exactly the carried variables that have a flag are flagged",
            );
        }
        for one in &self.region.nan_resets {
            let def = self
                .is_var(one.result)
                .then(|| self.loops.uses.only_def(one.result))
                .flatten();
            let block = def.and_then(|def| self.loops.uses.block_of[def]);
            let is_inside = block.is_some_and(|at| self.region.body.contains(&at));
            found.check(
                is_inside && self.is_float(one.result),
                "what sets a flag is no float that the body assigns",
            );
            let is_typed = self.is_var(one.before) && self.loops.cx.var_type(one.before).is_some();
            found.check(is_typed, "the version before what sets a flag has no type");
        }
    }

    /// True if partial results of this type can be combined by the operator.
    fn is_reducible_by(&self, reduce: Reduce, ty: Type) -> bool {
        let cx = &self.loops.cx;
        let element = cx.types.as_array(ty).map_or(ty, |array| array.dtype);
        let fits = |kind: Scalar| match reduce {
            Reduce::Sum | Reduce::Product => true,
            Reduce::Min | Reduce::Max => !kind.is_complex(),
            Reduce::And | Reduce::Or | Reduce::Xor => kind.is_int() || kind == Scalar::Bool,
        };
        cx.is_reducible(ty) && cx.types.as_scalar(element).is_some_and(fits)
    }

    fn is_var(&self, var: Var) -> bool {
        self.loops.cx.typed.func.vars.is_valid(var)
    }

    /// The block in which a variable is a phi that has a type.
    fn phi_block(&self, var: Var) -> Option<Block> {
        if !self.is_var(var) {
            return None;
        }
        self.loops.cx.var_type(var)?;
        let def = self.loops.uses.only_def(var)?;
        match &self.loops.cx.typed.func.insts[def].kind {
            StmtKind::Assign {
                value: Rhs::Expr(Expr::Phi(_)),
                ..
            } => self.loops.uses.block_of[def],
            _ => None,
        }
    }

    fn is_float(&self, var: Var) -> bool {
        let cx = &self.loops.cx;
        let ty = self.is_var(var).then(|| cx.var_type(var)).flatten();
        ty.and_then(|ty| cx.types.as_scalar(ty))
            .is_some_and(|kind| kind.is_float() || kind.is_complex())
    }
}
