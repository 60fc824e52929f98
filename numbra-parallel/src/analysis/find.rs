//! Which `prange` loops run in parallel.
//!
//! A loop does if it is left where its range ends or by exceptions only, if nothing but reductions and last values goes from
//! one iteration to the next, and if it changes no container or iterator from outside. Else it runs serially, which is always
//! right, and the reason is kept. A `prange` inside a parallel loop runs serially in its thread.

use super::affine::Candidate;
use super::context::Context;
use super::dependence::Flow;
use super::shape::ParallelLoops;
use crate::{
    CarriedVar, Decision, FunctionKey, FunctionPlan, Hazard, LoopPlan, LoopShape, ParallelPlan,
    PrivateArray, Region, SerialReason,
};
use numbra_base::FxHashSet;
use numbra_ir::analysis::{Cfg, DefUse, Dominators, Loop};
use numbra_ir::{
    Block, CallArg, Callee, Expr, Inst, Rhs, StmtKind, Type, TypeKind, TypedProgram, Types, Var,
};
use numbra_library::{Effects, Library};

/// Decides for each loop over `prange` or `pndindex` of these functions how it runs.
///
/// Functions without such a loop cost one look at each statement, and have no plan.
pub fn plan(
    program: &TypedProgram,
    types: &Types,
    library: &Library,
    functions: &[FunctionKey],
) -> ParallelPlan {
    let planned = functions.iter().filter_map(|&key| {
        let (_, typed) = program.functions.get(key.instance)?;
        let cx = Context {
            program,
            typed,
            types,
            library,
            no_nans: key.no_nans,
        };
        let loops = ParallelLoops::of(cx)?.plan();
        (!loops.is_empty()).then_some(FunctionPlan { key, loops })
    });
    ParallelPlan {
        functions: planned.collect(),
    }
}

impl ParallelLoops<'_> {
    fn plan(&self) -> Vec<LoopPlan> {
        let mut nested: FxHashSet<Block> = FxHashSet::default();
        let mut plans = Vec::new();
        for (shape, natural) in &self.loops {
            let region = if self.cx.typed.func.is_generator {
                Err(SerialReason::Generator)
            } else if nested.contains(&shape.header) {
                Err(SerialReason::Nested)
            } else {
                self.region(shape, natural)
            };
            let decision = match region {
                Ok(region) => {
                    nested.extend(&region.body);
                    Decision::Parallel(region)
                }
                Err(reason) => Decision::Serial(reason),
            };
            plans.push(LoopPlan {
                shape: shape.clone(),
                decision,
            });
        }
        plans
    }

    /// The loop as a region, or the reason why it must run serially.
    fn region(&self, shape: &LoopShape, natural: &Loop) -> Result<Region, SerialReason> {
        let (cx, uses) = (&self.cx, &self.uses);
        let mut body = self.iteration(shape, natural);
        let inside: FxHashSet<Block> = body.iter().copied().collect();
        self.check_exits(shape, &body, &inside)?;
        if let Some(var) = self.read_by_handler(shape, &inside) {
            let var = cx.source_name(var);
            return Err(SerialReason::ReadByHandler { var });
        }
        body.retain(|block| *block != shape.header);
        let candidate = Candidate {
            cx: *cx,
            inside: &inside,
            uses,
            item: shape.item,
            range: shape.range,
        };
        candidate.check_statements(&body)?;
        let mut region = Region::default();
        for var in self.phis(shape) {
            let chain = cx.carried(var, &inside, uses)?;
            if chain.kind.reduce().is_some() {
                check_reducible(cx, var)?;
            }
            if chain.kind.has_flag() {
                region.flagged.extend(chain.phis);
                region.nan_resets.extend(chain.nan_resets);
            }
            let kind = chain.kind;
            region.carried.push(CarriedVar { var, kind });
        }
        region.flagged.sort_unstable();
        region.flagged.dedup();
        if self.has_live_out(shape, &inside) {
            return Err(SerialReason::LiveOut);
        }
        let reductions = region
            .carried
            .iter()
            .filter(|one| one.kind.reduce().is_some());
        let is_array = |var: &Var| {
            let ty = cx.var_type(*var);
            ty.is_some_and(|ty| cx.types.as_array(ty).is_some())
        };
        let reduced: Vec<Var> = reductions.map(|one| one.var).filter(is_array).collect();
        let (private, hazards) = self.arrays(&candidate, &body, &reduced)?;
        Ok(Region {
            body,
            private,
            hazards,
            ..region
        })
    }

    /// Checks that control leaves a loop where its range ends, or by exceptions.
    fn check_exits(
        &self,
        shape: &LoopShape,
        body: &[Block],
        inside: &FxHashSet<Block>,
    ) -> Result<(), SerialReason> {
        let handler = self.handler(shape);
        for &block in body {
            for succ in self.cfg.all_succs(block) {
                let stays = inside.contains(&succ) || Some(succ) == handler;
                if !(stays || block == shape.header && succ == shape.exit) {
                    return Err(SerialReason::LeftEarly);
                }
            }
            let end = self.cx.typed.func.terminator(block);
            if matches!(end, Some(StmtKind::Return(_))) {
                return Err(SerialReason::Returns);
            }
        }
        Ok(())
    }

    /// What is done with arrays, by the functions that the loop calls too.
    fn arrays(
        &self,
        candidate: &Candidate<'_>,
        body: &[Block],
        reduced: &[Var],
    ) -> Result<(Vec<PrivateArray>, Vec<Hazard>), SerialReason> {
        let step = candidate.range_step();
        let Some(whole) = self.cx.with_callees(body, candidate.inside) else {
            let flow = Flow {
                cfg: &self.cfg,
                dominators: &self.dominators,
            };
            return candidate.private_arrays(body, reduced, step, &flow);
        };
        let cfg = Cfg::new(&whole.typed.func);
        let flow = Flow {
            cfg: &cfg,
            dominators: &Dominators::new(&cfg),
        };
        let candidate = Candidate {
            cx: Context {
                typed: &whole.typed,
                ..candidate.cx
            },
            inside: &whole.inside,
            uses: &DefUse::new(&whole.typed.func),
            ..*candidate
        };
        candidate.check_statements(&whole.body)?;
        candidate.private_arrays(&whole.body, reduced, step, &flow)
    }
}

/// Reductions work on numbers and on arrays of numbers.
fn check_reducible(cx: &Context<'_>, var: Var) -> Result<(), SerialReason> {
    let ty = cx.var_type(var).unwrap_or(Type::UNDEFINED);
    if cx.is_reducible(ty) {
        return Ok(());
    }
    let (var, ty) = (cx.source_name(var), cx.show(ty));
    Err(SerialReason::NotReducible { var, ty })
}

impl Candidate<'_> {
    /// The step of the range, if it is known.
    fn range_step(&self) -> Option<i64> {
        let inst = self.uses.only_def(self.range)?;
        match self.cx.typed.calls[inst].as_ref()?.args.get(2) {
            None | Some(CallArg::Default(_)) => Some(1),
            Some(CallArg::Var(step)) => self.affine(*step).as_constant(),
            Some(CallArg::Item(..) | CallArg::Tuple(_)) => None,
        }
    }

    /// Checks that iterations do not change what they share, arrays apart.
    fn check_statements(&self, body: &[Block]) -> Result<(), SerialReason> {
        for &block in body {
            for &inst in &self.cx.typed.func.blocks[block].insts {
                self.check_statement(inst)?;
            }
        }
        Ok(())
    }

    fn check_statement(&self, inst: Inst) -> Result<(), SerialReason> {
        let kind = &self.cx.typed.func.insts[inst].kind;
        match kind {
            StmtKind::EnterWith { .. } | StmtKind::PopBlock => {
                return Err(SerialReason::WithBlock);
            }
            StmtKind::Assign {
                value: Rhs::Expr(Expr::IterNext(of) | Expr::ExhaustIter { value: of, .. }),
                ..
            } => self.check_own(*of)?,
            _ => {}
        }
        let Some(site) = &self.cx.typed.calls[inst] else {
            return Ok(());
        };
        let Callee::Row(row, _) = site.callee else {
            return Ok(());
        };
        let effects = self.cx.row(row).map(|row| row.effects);
        let changes = effects.is_some_and(|e| e.has(Effects::WRITE) || e.has(Effects::STATE));
        if !changes {
            return Ok(());
        }
        for arg in &site.args {
            if let CallArg::Var(var) = arg {
                self.check_own(*var)?;
            }
        }
        Ok(())
    }

    /// Checks that an object that iterations change is not one that they share.
    fn check_own(&self, var: Var) -> Result<(), SerialReason> {
        let Some(ty) = self.cx.var_type(var) else {
            return Ok(());
        };
        if !(has_state(&self.cx, ty) && self.is_shared(var)) {
            return Ok(());
        }
        let (var, ty) = (self.cx.source_name(var), self.cx.show(ty));
        Err(SerialReason::SharedState { var, ty })
    }
}

/// True for objects that threads must not change at once: containers that grow, iterators.
fn has_state(cx: &Context<'_>, ty: Type) -> bool {
    let kind = cx.types.kind(ty);
    match kind.view_of() {
        Some(_) if kind.is_iterator() => true,
        Some(of) => has_state(cx, of),
        None => {
            kind.is_container() || kind.is_iterator() || matches!(kind, TypeKind::RandomGenerator)
        }
    }
}
