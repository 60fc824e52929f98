//! Which `prange` loops run in parallel.
//!
//! A loop does if it is left where its range ends or by exceptions only, if nothing but reductions and last values goes from
//! one iteration to the next, and if it changes no container or iterator from outside. Else it runs serially, which is always
//! right, and the reason is reported. A `prange` inside a parallel loop runs serially in its thread.

use super::super::function::Fx;
use super::carried::Carried;
use super::linear::Iteration;
use super::meeting::Flow;
use super::shared::Private;
use super::{Hazard, LoopKind, ParallelLoop};
use numbra_base::{FxHashMap, FxHashSet};
use numbra_ir::analysis::{Cfg, DefUse, Dominators, Loops};
use numbra_ir::{Block, CallArg, Callee, Expr, Inst, Rhs, StmtKind, Type, TypeKind, Var};
use numbra_library::{Effects, Op};

/// A loop that runs in parallel.
#[derive(Clone, Debug)]
pub(in super::super) struct Region {
    pub(in super::super) header: Block,
    /// The blocks of an iteration but the header, each after its dominators.
    pub(super) body: Vec<Block>,
    /// Where the body begins, and where it goes on behind the loop.
    pub(super) first: Block,
    pub(super) exit: Block,
    /// The `prange(..)` or `pndindex(..)`.
    pub(super) range: Var,
    /// The item of the step.
    pub(super) item: Option<Var>,
    /// Phis of the header, in order.
    pub(super) carried: Vec<(Var, Carried)>,
    /// Arrays of which each chunk has its own.
    pub(super) private: Vec<Private>,
    /// What may make results depend on the order of iterations, which the user must know to be harmless.
    pub(super) hazards: Vec<Hazard>,
    /// Phis through which values with a flag go: see [`Carried::has_flag`].
    pub(in super::super) tracked: Vec<Var>,
    /// Results of `min` and `max` that set such a flag, and the version before each.
    pub(in super::super) replaced: Vec<(Var, Var)>,
}

impl Region {
    /// True for the blocks of an iteration but the header.
    pub(in super::super) fn holds(&self, block: Block) -> bool {
        self.body.contains(&block)
    }
}

/// What a loop statement is made of.
struct Parts {
    range: Var,
    item: Option<Var>,
    first: Block,
    exit: Block,
    phis: Vec<Var>,
}

impl Fx<'_, '_> {
    /// The loops of the function that run in parallel, by header; all of its `prange` loops are reported.
    pub(in super::super) fn find_parallel(&mut self) -> FxHashMap<Block, Region> {
        let mut found: FxHashMap<Block, Region> = FxHashMap::default();
        let typed = self.typed;
        let func = &typed.func;
        let ranges: Vec<Var> = func
            .layout
            .iter()
            .flat_map(|block| &func.blocks[*block].insts)
            .filter(|inst| {
                matches!(
                    self.intrinsic_of(**inst),
                    Some(Op::ParallelRangeNew | Op::ParallelNdIndexNew)
                )
            })
            .filter_map(|inst| func.insts[*inst].kind.def())
            .collect();
        if ranges.is_empty() || func.is_generator {
            return found;
        }
        let cfg = Cfg::new(func);
        let dominators = Dominators::new(&cfg);
        let loops = Loops::new(&cfg, &dominators);
        let flow = Flow {
            cfg: &cfg,
            dominators: &dominators,
        };
        let uses = DefUse::new(func);
        let mut inner: FxHashSet<Block> = FxHashSet::default();
        let mut report = Vec::new();
        for one in loops.loops.values() {
            let Some((parts, step)) = self.loop_parts(one.header, &ranges, &uses) else {
                continue;
            };
            let span = func.insts[step].span;
            let region = if inner.contains(&one.header) {
                Err("it runs inside a parallel loop".to_owned())
            } else {
                self.region(one.header, &one.body, parts, &flow, &uses)
            };
            let mut reductions = Vec::new();
            let mut hazards = Vec::new();
            let serial = match region {
                Ok(region) => {
                    for (var, carried) in &region.carried {
                        if let Some(reduce) = carried.reduce() {
                            reductions.push((self.source_name(*var), reduce.symbol()));
                        }
                    }
                    for private in &region.private {
                        let name = self.source_name(private.vars[0]);
                        reductions.push((format!("{name}[..]"), private.reduce.symbol()));
                    }
                    hazards.clone_from(&region.hazards);
                    inner.extend(&region.body);
                    found.insert(region.header, region);
                    None
                }
                Err(reason) => Some(reason),
            };
            report.push(ParallelLoop {
                function: func.name.clone(),
                span,
                kind: LoopKind::Range,
                is_inner: inner.contains(&one.header),
                serial,
                reductions,
                hazards,
            });
        }
        self.mx.parallel_loops.extend(report);
        found
    }

    /// Matches `for item in prange(..)` at a loop's header; also the statement that steps.
    fn loop_parts(&self, header: Block, ranges: &[Var], uses: &DefUse) -> Option<(Parts, Inst)> {
        let func = &self.typed.func;
        let mut parts = Parts {
            range: *ranges.first()?,
            item: None,
            first: header,
            exit: header,
            phis: Vec::new(),
        };
        let mut step = None;
        let mut pair = None;
        let mut more = None;
        for &inst in &func.blocks[header].insts {
            match &func.insts[inst].kind {
                StmtKind::Assign { target, value } => match value {
                    Rhs::Expr(Expr::Phi(_)) => parts.phis.push(*target),
                    Rhs::Expr(Expr::IterNext(iter)) if pair.is_none() => {
                        parts.range = self.iterated(*iter, ranges, uses)?;
                        pair = Some(*target);
                        step = Some(inst);
                    }
                    Rhs::Expr(Expr::PairFirst(of)) if Some(*of) == pair => {
                        parts.item = Some(*target);
                    }
                    Rhs::Expr(Expr::PairSecond(of)) if Some(*of) == pair => more = Some(*target),
                    // Computed anew in each step, and used by nobody who could tell.
                    _ => return None,
                },
                StmtKind::Branch { cond, then, other } if Some(*cond) == more => {
                    (parts.first, parts.exit) = (*then, *other);
                }
                _ => return None,
            }
        }
        if uses.uses[pair?].len() > 2 || uses.uses[more?].len() > 1 {
            return None;
        }
        Some((parts, step?))
    }

    /// The `prange` that an iterator goes through, if nothing else advances it.
    fn iterated(&self, iter: Var, ranges: &[Var], uses: &DefUse) -> Option<Var> {
        if uses.uses[iter].len() != 1 {
            return None;
        }
        let func = &self.typed.func;
        let StmtKind::Assign { value, .. } = &func.insts[uses.only_def(iter)?].kind else {
            return None;
        };
        let Rhs::Expr(Expr::GetIter(of)) = value else {
            return None;
        };
        let mut of = *of;
        for _ in 0..func.insts.len() {
            if ranges.contains(&of) {
                return Some(of);
            }
            let StmtKind::Assign {
                value: Rhs::Var(next),
                ..
            } = &func.insts[uses.only_def(of)?].kind
            else {
                return None;
            };
            of = *next;
        }
        None
    }

    /// The loop as a region, or the reason why it must run serially.
    fn region(
        &self,
        header: Block,
        natural: &[Block],
        parts: Parts,
        flow: &Flow<'_>,
        uses: &DefUse,
    ) -> Result<Region, String> {
        let func = &self.typed.func;
        let cfg = flow.cfg;
        let mut inside: FxHashSet<Block> = natural.iter().copied().collect();
        let handler = func.blocks[header].handler.map(|handler| handler.block);
        self.add_raising(&mut inside, (parts.exit, handler), cfg);
        let mut body: Vec<Block> = inside.iter().copied().collect();
        body.sort_by_key(|b| cfg.rpo_index(*b));
        for &block in &body {
            for succ in cfg.all_succs(block) {
                let stays = inside.contains(&succ) || Some(succ) == handler;
                if !(stays || block == header && succ == parts.exit) {
                    let reason = "it is left before its range ends (`break`, `return`, or a handler outside)";
                    return Err(reason.to_owned());
                }
            }
            if matches!(func.terminator(block), Some(StmtKind::Return(_))) {
                return Err("it returns".to_owned());
            }
        }
        if let Some(handler) = handler {
            self.check_handler(handler, &inside, uses)?;
        }
        body.retain(|block| *block != header);
        let iteration = Iteration {
            fx: self,
            typed: self.typed,
            inside: &inside,
            uses,
            item: parts.item,
            range: parts.range,
        };
        iteration.check_statements(&body)?;
        let mut carried = Vec::new();
        let mut tracked = Vec::new();
        let mut replaced = Vec::new();
        for &phi in &parts.phis {
            if self.var_type(phi).is_none() {
                continue;
            }
            let chain = self.carried(phi, &inside, uses)?;
            let kind = chain.kind;
            if kind.reduce().is_some() {
                self.check_reducible(phi)?;
            }
            if kind.has_flag() {
                tracked.extend(chain.phis);
                replaced.extend(chain.replaced);
            }
            carried.push((phi, kind));
        }
        for &block in &body {
            for &inst in &func.blocks[block].insts {
                let Some(var) = func.insts[inst].kind.def() else {
                    continue;
                };
                let outside = uses.uses[var]
                    .iter()
                    .any(|user| uses.block_of[*user].is_some_and(|b| !inside.contains(&b)));
                if outside {
                    return Err("a value of its last iteration is used behind it".to_owned());
                }
            }
        }
        tracked.sort_unstable();
        tracked.dedup();
        let is_array = |var: &Var| {
            let ty = self.var_type(*var);
            ty.is_some_and(|ty| self.types.as_array(ty).is_some())
        };
        let reduced = carried.iter().filter(|(_, kind)| kind.reduce().is_some());
        let reduced: Vec<Var> = reduced.map(|(var, _)| *var).filter(is_array).collect();
        let step = self.range_step(parts.range, &iteration);
        let (private, hazards) = match self.with_callees(&body, &inside) {
            None => iteration.private_arrays(&body, &reduced, step, flow)?,
            Some(whole) => {
                let cfg = Cfg::new(&whole.typed.func);
                let flow = Flow {
                    cfg: &cfg,
                    dominators: &Dominators::new(&cfg),
                };
                let iteration = Iteration {
                    typed: &whole.typed,
                    inside: &whole.inside,
                    uses: &DefUse::new(&whole.typed.func),
                    ..iteration
                };
                iteration.check_statements(&whole.body)?;
                iteration.private_arrays(&whole.body, &reduced, step, &flow)?
            }
        };
        Ok(Region {
            private,
            hazards,
            header,
            body,
            first: parts.first,
            exit: parts.exit,
            range: parts.range,
            item: parts.item,
            carried,
            tracked,
            replaced,
        })
    }

    /// The step of a range, if it is known.
    fn range_step(&self, range: Var, iteration: &Iteration<'_, '_, '_>) -> Option<i64> {
        let inst = iteration.uses.only_def(range)?;
        match self.typed.calls[inst].as_ref()?.args.get(2) {
            None | Some(CallArg::Default(_)) => Some(1),
            Some(CallArg::Var(step)) => iteration.linear(*step).as_constant(),
            Some(CallArg::Item(..) | CallArg::Tuple(_)) => None,
        }
    }

    /// A handler around the loop sees the variables as they were before it: threads have none in common.
    fn check_handler(
        &self,
        handler: Block,
        inside: &FxHashSet<Block>,
        uses: &DefUse,
    ) -> Result<(), String> {
        let func = &self.typed.func;
        for &inst in &func.blocks[handler].insts {
            let StmtKind::Assign {
                value: Rhs::Expr(Expr::Phi(incoming)),
                ..
            } = &func.insts[inst].kind
            else {
                continue;
            };
            let within = incoming.iter().filter(|(from, _)| inside.contains(from));
            for var in within.filter_map(|(_, var)| *var) {
                let def = uses.only_def(var).and_then(|def| uses.block_of[def]);
                if def.is_none_or(|block| inside.contains(&block)) {
                    let name = self.source_name(var);
                    return Err(format!(
                        "`{name}` is used where exceptions of the loop are handled"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Adds the blocks that leave the loop only to raise; `around` is where the loop is left for.
    fn add_raising(
        &self,
        inside: &mut FxHashSet<Block>,
        around: (Block, Option<Block>),
        cfg: &Cfg,
    ) {
        let (exit, handler) = around;
        loop {
            let mut more = Vec::new();
            for &block in cfg.rpo() {
                if inside.contains(&block) || block == exit || Some(block) == handler {
                    continue;
                }
                let mut preds = cfg.all_preds(block).peekable();
                let entered_here = preds.peek().is_some() && preds.all(|p| inside.contains(&p));
                if entered_here && self.only_raises(block, cfg) {
                    more.push(block);
                }
            }
            if more.is_empty() {
                return;
            }
            inside.extend(more);
        }
    }

    /// True if every way on from a block ends in a raise.
    fn only_raises(&self, block: Block, cfg: &Cfg) -> bool {
        let func = &self.typed.func;
        let mut seen: FxHashSet<Block> = FxHashSet::default();
        let mut work = vec![block];
        while let Some(block) = work.pop() {
            if !seen.insert(block) {
                continue;
            }
            if seen.len() > 64 || matches!(func.terminator(block), Some(StmtKind::Return(_))) {
                return false;
            }
            work.extend(cfg.all_succs(block));
        }
        // A cycle without a raise never ends; where it stands makes no difference.
        true
    }

    /// True for objects that threads must not change at once: containers that grow, iterators.
    fn has_state(&self, ty: Type) -> bool {
        match self.types.kind(ty) {
            TypeKind::List { .. } | TypeKind::Set { .. } | TypeKind::RandomGenerator => true,
            TypeKind::BoundMethod { receiver, .. } => self.has_state(*receiver),
            kind => kind.is_iterator(),
        }
    }

    /// Reductions work on numbers and on arrays of numbers.
    fn check_reducible(&self, var: Var) -> Result<(), String> {
        let ty = self.var_type(var).unwrap_or(Type::UNDEFINED);
        let element = self.types.as_array(ty).map_or(ty, |array| array.dtype);
        let number = self.types.as_scalar(element).is_some_and(|kind| {
            kind.is_int() || kind.is_float() || kind.is_complex() || kind == numbra_ir::Scalar::Bool
        });
        if number {
            return Ok(());
        }
        Err(format!(
            "there is no reduction of `{}`, which is {}",
            self.source_name(var),
            self.show(ty)
        ))
    }
}

impl Iteration<'_, '_, '_> {
    /// Checks that iterations do not change what they share, arrays apart.
    fn check_statements(&self, body: &[Block]) -> Result<(), String> {
        for &block in body {
            for &inst in &self.typed.func.blocks[block].insts {
                self.check_statement(inst)?;
            }
        }
        Ok(())
    }

    fn check_statement(&self, inst: Inst) -> Result<(), String> {
        let kind = &self.typed.func.insts[inst].kind;
        match kind {
            StmtKind::EnterWith { .. } | StmtKind::PopBlock => {
                return Err("there is a `with` block in it".to_owned());
            }
            StmtKind::Assign {
                value: Rhs::Yield { .. },
                ..
            } => {
                return Err("it yields".to_owned());
            }
            StmtKind::Assign {
                value: Rhs::Expr(Expr::IterNext(of) | Expr::ExhaustIter { value: of, .. }),
                ..
            } => self.check_own(*of)?,
            _ => {}
        }
        let Some(site) = &self.typed.calls[inst] else {
            return Ok(());
        };
        let Callee::Row(row, _) = site.callee else {
            return Ok(());
        };
        let effects = self.fx.mx.library.row_checked(row).map(|row| row.effects);
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
    fn check_own(&self, var: Var) -> Result<(), String> {
        let Some(ty) = self.var_type(var) else {
            return Ok(());
        };
        if !(self.fx.has_state(ty) && self.is_shared(var)) {
            return Ok(());
        }
        let name = self.source_name(var);
        let what = match name.starts_with('$') {
            true => self.fx.show(ty),
            false => format!("`{name}`"),
        };
        Err(format!("its iterations change {what}, which they share"))
    }
}
