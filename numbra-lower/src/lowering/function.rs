//! The state of lowering one function.

use super::array::{Gather, Gathered};
use super::debug::DebugVariables;
use super::error::{Fault, Res};
use super::module::{Mx, Site};
use super::parallel::PlannedLoop;
use numbra_base::{Diagnostic, FxHashMap, FxHashSet, Origin, Span};
use numbra_ir::{
    Block, CallSite, Expr, Inst, Rhs, SecondaryMap, StmtKind, Type, TypeKind, TypedFunc, Types, Var,
};
use numbra_library::Op;
use numbra_lir::{BlockCall, Func, Signature, Terminator, Ty, Value};

/// A value of the program: its type and leaves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Val {
    pub(super) ty: Type,
    pub(super) leaves: Vec<Value>,
}

impl Val {
    pub(super) fn new(ty: Type, leaves: Vec<Value>) -> Val {
        Val { ty, leaves }
    }
}

/// One function in the making.
pub(super) struct Fx<'a, 'm> {
    pub(super) mx: &'a mut Mx<'m>,
    pub(super) types: &'m Types,
    pub(super) typed: &'m TypedFunc,
    pub(super) func: Func,
    /// Where instructions go.
    pub(super) block: numbra_lir::Block,
    /// Position and cause of the instructions being emitted.
    pub(super) span: Span,
    pub(super) origin: Origin,
    /// The user's call, in a library body.
    pub(super) site: Option<&'a Site>,
    /// Leaves of the variables defined so far.
    pub(super) vars: SecondaryMap<Var, Option<Vec<Value>>>,
    /// The block that an IR block starts with.
    pub(super) heads: FxHashMap<Block, numbra_lir::Block>,
    /// The IR block being lowered.
    pub(super) current: Option<Block>,
    /// Blocks in the order in which they were entered.
    pub(super) placed: Vec<numbra_lir::Block>,
    /// Integer constants of each block.
    pub(super) consts: FxHashMap<(numbra_lir::Block, Ty, i128), Value>,
    /// Blocks that raise an exception and leave the function.
    pub(super) raise_blocks: FxHashMap<numbra_lir::ExceptionId, numbra_lir::Block>,
    /// The block that leaves the function with the pending exception.
    pub(super) fail_block: Option<numbra_lir::Block>,
    /// Range iterators that one `iternext` alone advances.
    pub(super) direct: FxHashSet<Var>,
    /// Variables of which statements read fields, and do nothing else.
    pub(super) only_read: FxHashSet<Var>,
    /// The variable that the statement being lowered defines.
    pub(super) target: Option<Var>,
    /// Arrays that are computed element by element in the loop of their only reader, by the statements given.
    pub(super) fused: FxHashMap<Var, Inst>,
    /// What statements do for lists that are only made for `np.array`, and the arrays begun so far.
    pub(super) gathers: FxHashMap<Inst, Gather>,
    pub(super) gathering: FxHashMap<Inst, Gathered>,
    /// Homogeneous tuples that are indexed by a variable: the address of their items in memory.
    pub(super) spilled: FxHashMap<Var, Option<Value>>,
    /// Where a generator goes on behind its yields.
    pub(super) resumes: Vec<numbra_lir::Block>,
    /// Loops that run in parallel, by header.
    pub(super) regions: FxHashMap<Block, PlannedLoop<'m>>,
    /// Flags of what loops that run in parallel carry: see [`numbra_parallel::Region::flagged`].
    pub(super) flags: FxHashMap<Var, Option<Value>>,
    /// What sets such a flag, and the version of the variable before.
    pub(super) nan_resets: FxHashMap<Var, Var>,
    /// What is lowered runs in a task of a parallel loop.
    pub(super) in_task: bool,
    /// The handler around the parallel loop whose task is lowered: its exceptions get there by way of the task's status.
    pub(super) outer_handler: Option<Block>,
    /// What debuggers see of the variables.
    pub(super) debug: Option<DebugVariables>,
    /// A `Fail` was emitted.
    pub(super) can_fail: bool,
}

impl<'a, 'm> Fx<'a, 'm> {
    /// Lowers a function; also says whether it can fail.
    pub(super) fn lower(
        mx: &'a mut Mx<'m>,
        typed: &'m TypedFunc,
        sig: Signature,
        site: Option<&'a Site>,
    ) -> Result<(Func, bool), Box<Diagnostic>> {
        let mut fx = Fx::new(mx, typed, sig, site);
        match fx.body() {
            Ok(()) => Ok((fx.func, fx.can_fail)),
            Err(fault) => Err(fault.at(fx.span, &typed.func.name)),
        }
    }

    /// A function with its entry block.
    pub(super) fn new(
        mx: &'a mut Mx<'m>,
        typed: &'m TypedFunc,
        sig: Signature,
        site: Option<&'a Site>,
    ) -> Fx<'a, 'm> {
        let types = mx.types;
        let span = site.map_or(typed.func.span, |s| s.span);
        let func = Func::new(sig, span);
        let entry = func.entry();
        Fx {
            mx,
            types,
            typed,
            func,
            block: entry,
            span,
            origin: if site.is_some() {
                Origin::Prelude
            } else {
                Origin::Compiler
            },
            site,
            vars: SecondaryMap::new(),
            heads: FxHashMap::default(),
            current: None,
            placed: vec![entry],
            consts: FxHashMap::default(),
            raise_blocks: FxHashMap::default(),
            fail_block: None,
            direct: FxHashSet::default(),
            only_read: FxHashSet::default(),
            fused: FxHashMap::default(),
            gathers: FxHashMap::default(),
            gathering: FxHashMap::default(),
            target: None,
            spilled: FxHashMap::default(),
            resumes: Vec::new(),
            regions: FxHashMap::default(),
            flags: FxHashMap::default(),
            nan_resets: FxHashMap::default(),
            in_task: false,
            outer_handler: None,
            debug: None,
            can_fail: false,
        }
    }

    /// Lowers the statements.
    pub(super) fn body(&mut self) -> Res<()> {
        let Some(entry) = self.typed.func.entry() else {
            return Err(Fault::bug("the function has no blocks"));
        };
        self.check_types()?;
        self.begin_debug();
        self.find_uses();
        self.fused = self.find_fused();
        self.gathers = self.find_gathered();
        self.take_plan();
        let order = self.block_order(entry);
        for &block in &order {
            let head = self.new_block();
            self.heads.insert(block, head);
        }
        self.phi_params(&order)?;
        let first = self.heads[&entry];
        self.jump(first, Vec::new());
        let regions = self.regions.clone();
        for block in order {
            if let Some(region) = regions.get(&block) {
                self.parallel_loop(*region)?;
            } else if !regions.values().any(|one| one.region.body.contains(&block)) {
                self.lower_block(block)?;
            }
        }
        self.finish();
        Ok(())
    }

    /// Refuses what kernels alone compute with.
    fn check_types(&self) -> Res<()> {
        let mut types = self.typed.var_types.values().flatten();
        if !self.mx.options.device && types.any(|ty| holds_bfloat(self.types, *ty)) {
            return Err(Fault::unsupported(
                "bfloat16 is a type of kernels: use it in functions compiled with `cuda.jit`",
            ));
        }
        Ok(())
    }

    pub(super) fn lower_block(&mut self, block: Block) -> Res<()> {
        let head = self.heads[&block];
        self.enter(head);
        self.current = Some(block);
        let typed = self.typed;
        let insts = &typed.func.blocks[block].insts;
        let ended = insts
            .last()
            .is_some_and(|i| typed.func.insts[*i].kind.is_terminator());
        if !ended {
            return Err(Fault::bug("a block without terminator"));
        }
        for &inst in insts {
            let stmt = &typed.func.insts[inst];
            if self.site.is_none() {
                self.span = stmt.span;
                self.origin = stmt.origin;
            }
            self.target = stmt.kind.def();
            self.stmt(inst, &stmt.kind)?;
            if let Some(target) = stmt.kind.def() {
                self.note_nan_reset(target)?;
            }
            if !stmt.kind.is_terminator() {
                self.keep_operands(&stmt.kind);
                self.keep_fused(&stmt.kind);
            }
        }
        Ok(())
    }

    /// Blocks that control reaches, each after its dominators; `then` sides follow their branch.
    fn block_order(&self, entry: Block) -> Vec<Block> {
        let func = &self.typed.func;
        let next = |block: Block| -> Vec<Block> {
            let mut to: Vec<Block> = func.blocks[block].handler.iter().map(|h| h.block).collect();
            to.extend(func.successors(block).into_iter().rev());
            to
        };
        let mut seen: FxHashSet<Block> = FxHashSet::default();
        let mut post = Vec::new();
        let mut work = vec![(entry, next(entry), 0)];
        seen.insert(entry);
        while let Some((block, to, at)) = work.last_mut() {
            if let Some(&successor) = to.get(*at) {
                *at += 1;
                if seen.insert(successor) {
                    let successors = next(successor);
                    work.push((successor, successors, 0));
                }
            } else {
                post.push(*block);
                work.pop();
            }
        }
        post.reverse();
        post
    }

    /// Gives each block its phis as parameters.
    fn phi_params(&mut self, order: &[Block]) -> Res<()> {
        let typed = self.typed;
        for block in order {
            for &inst in &typed.func.blocks[*block].insts {
                if let StmtKind::Assign {
                    target,
                    value: Rhs::Expr(Expr::Phi(_)),
                } = &typed.func.insts[inst].kind
                    && let Some(ty) = self.var_type(*target)
                {
                    let head = self.heads[block];
                    let params = self
                        .leaf_types(ty)?
                        .into_iter()
                        .map(|leaf| self.func.push_param(head, leaf))
                        .collect();
                    self.vars[*target] = Some(params);
                    if self.flags.contains_key(target) {
                        let flag = self.func.push_param(head, Ty::I1);
                        self.flags.insert(*target, Some(flag));
                    }
                }
            }
        }
        Ok(())
    }

    /// Finds the range iterators that one statement advances, the tuples that are indexed by a variable, and the records of
    /// which only fields are read.
    fn find_uses(&mut self) {
        let typed = self.typed;
        let mut uses: FxHashMap<Var, (u32, bool)> = FxHashMap::default();
        let mut reads: FxHashMap<Var, u32> = FxHashMap::default();
        let mut made: FxHashSet<Var> = FxHashSet::default();
        for &block in &typed.func.layout {
            for &inst in &typed.func.blocks[block].insts {
                let kind = &typed.func.insts[inst].kind;
                let op = self.intrinsic_of(inst);
                if op == Some(Op::GetIter)
                    && let Some(var) = kind.def()
                    && let Some(site) = &typed.calls[inst]
                    && matches!(self.types.kind(site.sig.params[0]), TypeKind::Range(_))
                {
                    made.insert(var);
                }
                if op == Some(Op::TupleItemAt)
                    && let Some(site) = &typed.calls[inst]
                    && let Some(numbra_ir::CallArg::Var(var)) = site.args.first()
                    && self.var_type(*var) == site.sig.params.first().copied()
                {
                    self.spilled.insert(*var, None);
                }
                if op == Some(Op::RecordGet)
                    && let Some(site) = &typed.calls[inst]
                    && let Some(numbra_ir::CallArg::Var(var)) = site.args.first()
                    && !self.is_part_of_record(site.sig.ret)
                {
                    *reads.entry(*var).or_default() += 1;
                }
                let advances = op == Some(Op::IterNext);
                kind.for_each_use(|var| {
                    let entry = uses.entry(var).or_insert((0, true));
                    entry.0 += 1;
                    entry.1 &= advances;
                });
            }
        }
        made.retain(|var| uses.get(var) == Some(&(1, true)));
        self.direct = made;
        reads.retain(|var, count| uses.get(var).is_some_and(|(all, _)| all == count));
        self.only_read = reads.into_keys().collect();
    }

    /// The operation that a statement's call runs.
    pub(super) fn intrinsic_of(&self, inst: Inst) -> Option<Op> {
        self.intrinsic_at(self.typed.calls[inst].as_ref()?)
    }

    /// The intrinsic that a call is.
    pub(super) fn intrinsic_at(&self, site: &CallSite) -> Option<Op> {
        self.mx.library.operation(site.callee)
    }

    /// The type of a variable; `None` for dead ones.
    pub(super) fn var_type(&self, var: Var) -> Option<Type> {
        self.typed.var_types[var].filter(|ty| *ty != Type::UNDEFINED)
    }

    /// The value of a variable.
    pub(super) fn var(&self, var: Var) -> Res<Val> {
        let name = self.typed.func.var_name(var);
        let ty = self
            .var_type(var)
            .ok_or_else(|| Fault::bug(format!("variable `{name}` is used but has no type")))?;
        let leaves = self.vars[var].clone().ok_or_else(|| {
            Fault::bug(format!("variable `{name}` is used before its definition"))
        })?;
        Ok(Val { ty, leaves })
    }

    /// Leaves of a type.
    pub(super) fn leaf_types(&self, ty: Type) -> Res<Vec<Ty>> {
        super::model::leaves(self.types, ty).map_err(Fault::unsupported)
    }

    /// Number of leaves of a type.
    pub(super) fn leaf_count(&self, ty: Type) -> Res<usize> {
        super::model::count(self.types, ty).map_err(Fault::unsupported)
    }

    /// Zero bits for every leaf of a type.
    pub(super) fn zeros(&mut self, ty: Type) -> Res<Vec<Value>> {
        let tys = self.leaf_types(ty)?;
        Ok(tys.into_iter().map(|ty| self.zero(ty)).collect())
    }

    /// Text of a type, for messages.
    pub(super) fn show(&self, ty: Type) -> String {
        self.types.display(ty).to_string()
    }

    /// Arguments for the phis of `to`, entered from the IR block being lowered.
    pub(super) fn phi_args(&mut self, to: Block, on_raise: bool) -> Res<Vec<Value>> {
        let typed = self.typed;
        let mut args = Vec::new();
        for &inst in &typed.func.blocks[to].insts {
            let StmtKind::Assign {
                target,
                value: Rhs::Expr(Expr::Phi(incoming)),
            } = &typed.func.insts[inst].kind
            else {
                continue;
            };
            let Some(ty) = self.var_type(*target) else {
                continue;
            };
            let from = incoming
                .iter()
                .find(|(block, _)| Some(*block) == self.current)
                .and_then(|(_, var)| *var)
                .filter(|var| self.var_type(*var).is_some());
            let leaves = match from {
                // Raised before the variable got its value: nothing can be read from it.
                Some(var) if on_raise && self.vars[var].is_none() => self.zeros(ty)?,
                Some(var) => {
                    let value = self.var(var)?;
                    self.cast(&value, ty)?
                }
                None => self.zeros(ty)?,
            };
            args.extend(leaves);
            if self.flags.contains_key(target) {
                let enters = self.regions.get(&to).is_some_and(|one| {
                    !self.current.is_some_and(|at| one.region.body.contains(&at))
                });
                args.push(match from {
                    Some(var) if !enters => self.flag(var),
                    _ => self.bool(false),
                });
            }
        }
        Ok(args)
    }

    /// Jumps to an IR block.
    pub(super) fn jump_to(&mut self, to: Block) -> Res<()> {
        let args = self.phi_args(to, false)?;
        let head = self.head(to)?;
        self.jump(head, args);
        Ok(())
    }

    /// The first LIR block of an IR block.
    pub(super) fn head(&self, block: Block) -> Res<numbra_lir::Block> {
        self.heads
            .get(&block)
            .copied()
            .ok_or_else(|| Fault::bug("a jump to a block outside the function"))
    }

    /// Orders the blocks: as entered, then those out of line; drops the jump from the entry where it is all there is.
    pub(super) fn finish(&mut self) {
        let (warm, cold): (Vec<_>, Vec<_>) = self
            .placed
            .iter()
            .copied()
            .partition(|b| !self.func.blocks[*b].cold);
        self.func.layout = warm.into_iter().chain(cold).collect();
        self.merge_entry();
    }

    /// Moves the body of the first block into the entry when nothing else jumps there.
    fn merge_entry(&mut self) {
        let entry = self.func.entry();
        if !self.func.blocks[entry].insts().is_empty() {
            return;
        }
        let Some(Terminator::Jump(BlockCall { block: first, args })) =
            self.func.blocks[entry].term.clone()
        else {
            return;
        };
        if !args.is_empty() || !self.func.blocks[first].params.is_empty() || first == entry {
            return;
        }
        let jumps = self
            .func
            .layout
            .iter()
            .filter_map(|b| self.func.blocks[b].term.as_ref())
            .flat_map(|term| term.targets())
            .filter(|to| to.block == first)
            .count();
        if jumps != 1 {
            return;
        }
        self.func.move_insts(first, entry);
        let data = &mut self.func.blocks[first];
        let (term, span, origin) = (data.term.take(), data.term_span, data.term_origin);
        let entry_data = &mut self.func.blocks[entry];
        entry_data.term = term;
        entry_data.term_span = span;
        entry_data.term_origin = origin;
        self.func.layout.remove(first);
    }
}

/// Whether values of a type are, or hold, bfloat16.
fn holds_bfloat(types: &Types, ty: Type) -> bool {
    let mut found = ty == Type::BFLOAT16;
    let mut part = |part: Type| found |= part != ty && holds_bfloat(types, part);
    types.kind(ty).for_each_part(&mut part);
    found
}
