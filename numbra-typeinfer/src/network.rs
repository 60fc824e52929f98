//! The constraint network of one function: type variables, facts about statements, and the worklist.
//!
//! Each statement is one constraint: a function from the types of the variables it reads to the type of the variable
//! it assigns. The type of a variable is the common type of all that its assignments have given so far, those at types
//! which their operands have outgrown included: it only moves up the lattice, so the loop ends. A result may fit
//! the earlier types only (`uint64` and later `int64` are `float64`), so what comes out depends on the order of
//! evaluation, which is Numba's: sweeps over the statements in program order, until one changes nothing. A sweep leaves
//! out what reads no type that has changed.
//!
//! Blocks take part only once control can reach them: a branch on a condition whose value follows from types (`x is
//! None`, `isinstance`, `a.ndim == 2`) reaches one side only, which is how dead branches are pruned without a separate
//! pass.

use crate::context::Cx;
use crate::eval::{Eval, eval};
use crate::failure::Failure;
use crate::finish::{is_unknown_container, uses_unknown_container};
use crate::values::type_of_const;
use crate::{Reader, codes, report};
use numbra_base::{Diagnostic, ErrorClass, FxHashSet, Span};
use numbra_ir::lattice::{unify_all, unify_with};
use numbra_ir::{
    Block, CallSite, Const, Expr, Func, Inst, ObjDesc, Rhs, SecondaryMap, StmtKind, Type, TypeKind,
    Var,
};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// What is known about a statement.
#[derive(Clone, Default)]
pub(crate) struct Fact {
    /// Type of the assigned value.
    pub(crate) ty: Option<Type>,
    /// The resolved call.
    pub(crate) call: Option<Box<CallSite>>,
    /// Functions that must be in the program beside the callee: scalar bodies of elementwise calls.
    pub(crate) needs: Vec<usize>,
    /// What the statement assigns in place of what it says: `x.name` for `getattr(x, "name")`.
    pub(crate) instead: Option<Box<Rhs>>,
    /// The object that an attribute of a module stands for.
    pub(crate) object: Option<Box<ObjDesc>>,
    /// Why it has no type.
    pub(crate) failure: Option<Box<Failure>>,
    /// It waits for the return type of a function in recursion.
    pub(crate) recursive: bool,
    /// How often it was evaluated.
    evals: u32,
}

/// Evaluations of one statement after which inference gives up on it. Chains in the lattice are short: a handful of
/// steps is usual.
const MAX_EVALS: u32 = 200;

/// The network of one function at given argument types.
pub(crate) struct Network {
    pub(crate) func: Func,
    /// One per parameter.
    pub(crate) args: Vec<Type>,
    var_types: SecondaryMap<Var, Option<Type>>,
    /// Types given from outside (`locals=`).
    locked: SecondaryMap<Var, Option<Type>>,
    /// Types that the containers in variables must have: what was put in later is wider than what they were made of.
    refined: SecondaryMap<Var, Option<Type>>,
    /// Variables whose type was replaced by another one with which it has none in common. So may be what follows from it.
    replaced: SecondaryMap<Var, bool>,
    defs: SecondaryMap<Var, Defs>,
    users: SecondaryMap<Var, Vec<Inst>>,
    pub(crate) facts: SecondaryMap<Inst, Fact>,
    /// Statements in program order, and the place of each.
    order: Vec<Inst>,
    rank: SecondaryMap<Inst, u32>,
    block_of: SecondaryMap<Inst, Option<Block>>,
    live: SecondaryMap<Block, bool>,
    live_edges: FxHashSet<(Block, Block)>,
    /// What this sweep has still to evaluate, by rank.
    queue: BinaryHeap<Reverse<u32>>,
    /// What the next sweep evaluates: statements that stand before or at `at`.
    next: BinaryHeap<Reverse<u32>>,
    queued: Vec<bool>,
    /// The rank of the statement that is being evaluated; `None` between sweeps.
    at: Option<u32>,
    /// `return` statements, in program order.
    returns: Vec<Inst>,
    /// `yield` expressions, in program order.
    yields: Vec<Inst>,
    /// Statements that call a function in recursion, and wait for or use its return type.
    recursive_calls: Vec<Inst>,
    /// The declared result type.
    pub(crate) declared: Option<Type>,
    /// A body of the library: there, `x is None` for an `x` that is not None drops a branch untyped. In programs both
    /// branches are typed, as in Numba.
    pub(crate) is_library: bool,
    /// Comparisons of what types alone tell decide which branches there are, also where Numba types both.
    pub(crate) prunes: bool,
    /// A branch that such a comparison excludes was typed.
    pub(crate) has_excluded: bool,
    /// Whose code this is, where it is the Host's.
    pub(crate) reader: Option<Arc<Reader>>,
}

/// The assignments to a variable: one in SSA form.
#[derive(Clone, Default)]
enum Defs {
    #[default]
    None,
    One(Inst),
    Many(Vec<Inst>),
}

impl Defs {
    fn push(&mut self, inst: Inst) {
        *self = match std::mem::take(self) {
            Defs::None => Defs::One(inst),
            Defs::One(first) => Defs::Many(vec![first, inst]),
            Defs::Many(mut all) => {
                all.push(inst);
                Defs::Many(all)
            }
        };
    }
}

/// How a run of the worklist ended.
pub(crate) enum Run {
    /// Nothing is left to do.
    Settled,
    /// A call needs the function of this entry of the program first.
    Needs(usize),
}

impl Network {
    /// The network of a function, with its entry block reached.
    pub(crate) fn new(
        func: Func,
        args: Vec<Type>,
        locals: &[(String, Type)],
        declared: Option<Type>,
    ) -> Network {
        let mut network = Network {
            args,
            var_types: SecondaryMap::with_capacity(func.vars.len()),
            locked: SecondaryMap::new(),
            refined: SecondaryMap::new(),
            replaced: SecondaryMap::new(),
            defs: SecondaryMap::with_capacity(func.vars.len()),
            users: SecondaryMap::with_capacity(func.vars.len()),
            facts: SecondaryMap::with_capacity(func.insts.len()),
            order: Vec::new(),
            rank: SecondaryMap::with_capacity(func.insts.len()),
            block_of: SecondaryMap::with_capacity(func.insts.len()),
            live: SecondaryMap::with_capacity(func.blocks.len()),
            live_edges: FxHashSet::default(),
            queue: BinaryHeap::new(),
            next: BinaryHeap::new(),
            queued: Vec::new(),
            at: None,
            returns: Vec::new(),
            yields: Vec::new(),
            recursive_calls: Vec::new(),
            declared,
            is_library: false,
            prunes: false,
            has_excluded: false,
            reader: None,
            func,
        };
        network.index();
        network.lock_locals(locals);
        if let Some(entry) = network.func.entry() {
            network.reach(entry);
        }
        network
    }

    fn index(&mut self) {
        for &block in &self.func.layout {
            let Some(data) = self.func.blocks.get(block) else {
                continue;
            };
            for &inst in &data.insts {
                let Some(stmt) = self.func.insts.get(inst) else {
                    continue;
                };
                self.rank[inst] = self.order.len() as u32;
                self.order.push(inst);
                self.block_of[inst] = Some(block);
                if let Some(target) = stmt.kind.def() {
                    self.defs[target].push(inst);
                }
                let users = &mut self.users;
                stmt.kind.for_each_use(|var| {
                    if users[var].last() != Some(&inst) {
                        users[var].push(inst);
                    }
                });
                if matches!(stmt.kind, StmtKind::Return(_)) {
                    self.returns.push(inst);
                }
                if let StmtKind::Assign {
                    value: Rhs::Yield { .. },
                    ..
                } = &stmt.kind
                {
                    self.yields.push(inst);
                }
            }
        }
        self.queued = vec![false; self.order.len()];
    }

    /// True if the program assigns the variable that `var` is a version of more than once.
    pub(crate) fn has_versions(&self, var: Var) -> bool {
        let base = |var: Var| self.func.vars[var].version_of.unwrap_or(var);
        let of = base(var);
        let assigned = |var: Var| match &self.defs[var] {
            Defs::None => 0,
            Defs::One(_) => 1,
            Defs::Many(all) => all.len(),
        };
        let all = self.func.vars.keys().filter(|v| base(*v) == of);
        all.map(assigned).sum::<usize>() > 1
    }

    /// Fixes the types of the variables named in `locals=`, in all their versions.
    fn lock_locals(&mut self, locals: &[(String, Type)]) {
        if locals.is_empty() {
            return;
        }
        for (var, data) in self.func.vars.iter() {
            let mut root = data;
            let mut steps = 0;
            while let Some(of) = root.version_of.and_then(|v| self.func.vars.get(v)) {
                root = of;
                steps += 1;
                if steps > self.func.vars.len() {
                    break;
                }
            }
            if let Some((_, ty)) = locals.iter().find(|(name, _)| *name == root.name) {
                self.locked[var] = Some(*ty);
            }
        }
    }

    /// Evaluates statements until none is left or a callee is needed.
    pub(crate) fn run(&mut self, cx: &mut Cx<'_>) -> Run {
        loop {
            let Some(at) = self.pop() else {
                if self.reach_undecided(cx) || self.refine_returned(cx) {
                    continue;
                }
                break;
            };
            let inst = self.order[at as usize];
            self.queued[at as usize] = false;
            let fact = &mut self.facts[inst];
            fact.evals += 1;
            cx.program.steps += 1;
            if fact.evals > MAX_EVALS {
                fact.failure.get_or_insert_with(|| {
                    let span = self.func.insts[inst].span;
                    Box::new(Failure::new(report::unsettled(span)))
                });
                continue;
            }
            fact.failure = None;
            fact.recursive = false;
            let outcome = eval(self, cx, inst);
            match outcome {
                Eval::Wait => {}
                Eval::Done => {}
                // An item of a container of which nothing is known yet.
                Eval::Typed(Type::UNDEFINED) => {}
                Eval::Typed(ty) => self.set_result(cx, inst, ty),
                Eval::Recursive => {
                    self.facts[inst].recursive = true;
                    self.note_recursive_call(inst);
                }
                Eval::Fail(failure) => self.facts[inst].failure = Some(failure),
                Eval::Needs(entry) => {
                    self.facts[inst].evals -= 1;
                    // The sweep goes on here.
                    self.at = at.checked_sub(1);
                    self.requeue(inst);
                    return Run::Needs(entry);
                }
            }
        }
        Run::Settled
    }

    /// Where a list or set of which nothing is known keeps conditions from having a type, both sides may be what tells about
    /// it: `if x in seen: .. else: seen.add(x)`. True if that reached anything.
    fn reach_undecided(&mut self, cx: &Cx<'_>) -> bool {
        if !self
            .failures()
            .any(|(inst, _)| uses_unknown_container(self, cx, inst))
        {
            return false;
        }
        let mut edges: Vec<(Block, Block)> = Vec::new();
        for &inst in &self.order {
            if let StmtKind::Branch { cond, then, other } = self.func.insts[inst].kind
                && let Some(from) = self.block_of[inst].filter(|block| self.live[*block])
                && self.var_types[cond].is_none()
            {
                edges.extend([(from, then), (from, other)]);
            }
        }
        edges.retain(|edge| !self.live_edges.contains(edge));
        for &(from, to) in &edges {
            self.reach_edge(from, to);
        }
        !edges.is_empty()
    }

    /// A list or set of which nothing is known, where another one is returned elsewhere, holds what that one does. True if
    /// there is one.
    fn refine_returned(&mut self, cx: &Cx<'_>) -> bool {
        let unknown: Vec<Var> = (self.returned())
            .filter(|(_, _, ty)| is_unknown_container(cx.types, *ty))
            .map(|(_, var, _)| var)
            .collect();
        if unknown.is_empty() || self.func.is_generator {
            return false;
        }
        let Some(ty) = self.declared.or(self.return_type(cx).ok().flatten()) else {
            return false;
        };
        let ty = match cx.types.kind(ty) {
            TypeKind::Optional(inner) => *inner,
            _ => ty,
        };
        let mut any = false;
        for var in unknown {
            any |= self.refine_known(cx, var, ty);
        }
        any
    }

    /// True for a condition by which Numba drops no branch: a comparison whose outcome types tell, in a function that asks
    /// for no type (`isinstance`, `hasattr`). What its untyped passes decide is decided before.
    pub(crate) fn types_both(&self, cond: Var) -> bool {
        if self.is_library || self.prunes {
            return false;
        }
        match self.source(cond) {
            Some((_, Rhs::Expr(Expr::BinOp { .. } | Expr::GetAttr { .. }))) => true,
            Some((_, Rhs::Expr(Expr::Unary { value, .. }))) => self.types_both(*value),
            Some((_, Rhs::Expr(Expr::Call { args, .. }))) => {
                matches!(args[..], [value] if self.types_both(value))
            }
            _ => false,
        }
    }

    /// The rank of the statement to evaluate next.
    fn pop(&mut self) -> Option<u32> {
        if self.queue.is_empty() {
            std::mem::swap(&mut self.queue, &mut self.next);
        }
        self.at = self.queue.pop().map(|Reverse(at)| at);
        self.at
    }

    /// The type of a variable, as far as it is known.
    pub(crate) fn type_of(&self, var: Var) -> Option<Type> {
        self.var_types[var]
    }

    /// Where a statement stands.
    pub(crate) fn span(&self, inst: Inst) -> Span {
        self.func.insts[inst].span
    }

    /// The only assignment to a variable.
    pub(crate) fn def(&self, var: Var) -> Option<Inst> {
        match &self.defs[var] {
            Defs::One(inst) => Some(*inst),
            Defs::None | Defs::Many(_) => None,
        }
    }

    /// What the only assignment to a variable assigns, through copies.
    pub(crate) fn source(&self, mut var: Var) -> Option<(Inst, &Rhs)> {
        // Copies do not form cycles in valid IR; the bound keeps invalid IR from hanging us.
        for _ in 0..self.order.len() + 1 {
            let inst = self.def(var)?;
            match &self.func.insts[inst].kind {
                StmtKind::Assign {
                    value: Rhs::Var(next),
                    ..
                } => var = *next,
                StmtKind::Assign { value, .. } => return Some((inst, value)),
                _ => return None,
            }
        }
        None
    }

    /// The statement that gives a variable of the source its value: behind copies of temporaries, not of other variables.
    pub(crate) fn assigned_at(&self, mut var: Var) -> Option<Inst> {
        for _ in 0..self.order.len() + 1 {
            let inst = self.def(var)?;
            match self.func.insts[inst].kind {
                StmtKind::Assign {
                    value: Rhs::Var(next),
                    ..
                } if self.func.vars[next].is_temp() => var = next,
                _ => return Some(inst),
            }
        }
        None
    }

    /// The constant that a variable holds, if its definition or its type says so.
    pub(crate) fn constant(&self, cx: &Cx<'_>, var: Var) -> Option<Const> {
        if let Some((inst, value)) = self.source(var) {
            match value {
                Rhs::Const(value) => return Some(value.clone()),
                Rhs::Global(obj) | Rhs::FreeVar { obj, .. } => {
                    if let numbra_ir::ObjKind::Value(value) = &self.func.objects.get(*obj)?.kind {
                        return Some(value.clone());
                    }
                }
                _ => {}
            }
            if let Some(object) = &self.facts[inst].object
                && let numbra_ir::ObjKind::Value(value) = &object.kind
            {
                return Some(value.clone());
            }
        }
        match cx.types.kind(self.type_of(var)?) {
            TypeKind::Literal(value) => Some(value.clone()),
            TypeKind::None => Some(Const::None),
            _ => None,
        }
    }

    /// True if control can go from `pred` to `block`.
    pub(crate) fn is_live_edge(&self, pred: Block, block: Block) -> bool {
        if self.live_edges.contains(&(pred, block)) {
            return true;
        }
        // A phi may name a block that is no direct predecessor: then reaching it is what counts.
        let is_pred = self.func.blocks.get(pred).is_some_and(|data| {
            self.func.successors(pred).contains(&block)
                || data.handler.is_some_and(|h| h.block == block)
        });
        !is_pred && self.live.get(pred).copied().unwrap_or(false)
    }

    /// The type of a variable that the phi `inst` gets from a block behind it that was not reached yet: Numba asks for it
    /// in the first sweep, before which it gives all constants their types.
    pub(crate) fn type_ahead(
        &self,
        cx: &Cx<'_>,
        inst: Inst,
        pred: Block,
        var: Var,
    ) -> Option<Type> {
        let from = self.func.blocks.get(pred)?.insts.last()?;
        if self.is_library || self.live[pred] || self.rank[*from] < self.rank[inst] {
            return None;
        }
        match &self.func.insts[self.def(var)?].kind {
            StmtKind::Assign {
                value: Rhs::Const(value),
                ..
            } => type_of_const(cx.types, cx.opts.promotion, value),
            _ => self.type_of(var),
        }
    }

    /// The block of a statement.
    pub(crate) fn block_of(&self, inst: Inst) -> Option<Block> {
        self.block_of[inst]
    }

    /// Statements in program order.
    pub(crate) fn order(&self) -> &[Inst] {
        &self.order
    }

    /// Marks an edge as taken.
    pub(crate) fn reach_edge(&mut self, from: Block, to: Block) {
        if !self.live_edges.insert((from, to)) {
            return;
        }
        if self.func.blocks.get(to).is_none() {
            return;
        }
        if !self.live[to] {
            self.reach(to);
            return;
        }
        // The block runs already: its phis have one more input.
        let insts = self.func.blocks[to].insts.clone();
        for inst in insts {
            let is_phi = matches!(
                self.func.insts.get(inst).map(|s| &s.kind),
                Some(StmtKind::Assign {
                    value: Rhs::Expr(Expr::Phi(_)),
                    ..
                })
            );
            if is_phi {
                self.requeue(inst);
            }
        }
    }

    fn reach(&mut self, block: Block) {
        let mut todo = vec![block];
        while let Some(block) = todo.pop() {
            if self.live[block] {
                continue;
            }
            self.live[block] = true;
            let data = self.func.blocks[block].clone();
            for inst in data.insts {
                if self.func.insts.get(inst).is_some() {
                    self.requeue(inst);
                }
            }
            if let Some(handler) = data.handler
                && self.func.blocks.get(handler.block).is_some()
                && self.live_edges.insert((block, handler.block))
            {
                todo.push(handler.block);
            }
        }
    }

    fn requeue(&mut self, inst: Inst) {
        let Some(block) = self.block_of[inst] else {
            return;
        };
        let at = self.rank[inst];
        if self.live[block] && !std::mem::replace(&mut self.queued[at as usize], true) {
            let is_ahead = self.at.is_none_or(|now| at > now);
            let queue = if is_ahead {
                &mut self.queue
            } else {
                &mut self.next
            };
            queue.push(Reverse(at));
        }
    }

    /// Evaluates again every call of a function in recursion.
    fn requeue_recursive_calls(&mut self) {
        for inst in self.recursive_calls.clone() {
            self.requeue(inst);
        }
    }

    /// Remembers that a statement's type depends on this function's own result.
    pub(crate) fn note_recursive_call(&mut self, inst: Inst) {
        if !self.recursive_calls.contains(&inst) {
            self.recursive_calls.push(inst);
        }
    }

    fn set_result(&mut self, cx: &Cx<'_>, inst: Inst, ty: Type) {
        self.facts[inst].ty = Some(ty);
        let Some(target) = self.func.insts[inst].kind.def() else {
            return;
        };
        if let Some(locked) = self.locked[target] {
            if !cx.converts(ty, locked) {
                let failure = report::no_conversion(self, cx, inst, target, ty, locked);
                self.facts[inst].failure = Some(Box::new(Failure::new(failure)));
            }
            self.set_var(cx, target, locked);
            return;
        }
        let ty = match self.refined[target] {
            Some(refined) => match self.refine_result(cx, inst, target, ty, refined) {
                Some(ty) => ty,
                None => return,
            },
            None => ty,
        };
        let Some(old) = self.var_types[target] else {
            self.set_var(cx, target, ty);
            return;
        };
        let is_only = matches!(self.defs[target], Defs::One(_));
        let follows = self.reads_replaced(inst);
        // A constant that follows from types is what these types say, not what earlier ones did.
        let is_outdated = cx.types.unliteral(old) == cx.types.unliteral(ty);
        let joined = match is_only && (is_outdated || follows) {
            true => Some(ty),
            false => cx.unify(old, ty),
        };
        // Where there is no common type, Numba gives up.
        self.replaced[target] |= is_only && !is_outdated && (follows || joined.is_none());
        let joined = joined.or(is_only.then_some(ty));
        match joined {
            Some(joined) => self.set_var(cx, target, joined),
            None => {
                let failure = report::cannot_unify(self, cx, inst, target, old, ty);
                self.facts[inst].failure = Some(Box::new(Failure::new(failure)));
            }
        }
    }

    fn reads_replaced(&self, inst: Inst) -> bool {
        let mut any = false;
        let kind = &self.func.insts[inst].kind;
        kind.for_each_use(|var| any |= self.replaced[var]);
        any
    }

    /// The type of a phi: its variable's type so far with the incoming ones, in their order.
    pub(crate) fn join(
        &self,
        cx: &Cx<'_>,
        inst: Inst,
        target: Var,
        incoming: &[Type],
    ) -> Option<Type> {
        let join = |first: Type| {
            let mut incoming = incoming.iter();
            incoming.try_fold(first, |joined, ty| cx.unify(joined, *ty))
        };
        let old = self.var_types[target].filter(|_| !self.reads_replaced(inst));
        // A constant has come from the same places, which may have another one now.
        old.filter(|old| !matches!(cx.types.kind(*old), TypeKind::Literal(_)))
            .and_then(join)
            .or_else(|| join(*incoming.first()?))
    }

    /// The type of a container that `inst` gives and that holds what `refined` says; a failure where it has a type
    /// already.
    fn refine_result(
        &mut self,
        cx: &Cx<'_>,
        inst: Inst,
        target: Var,
        ty: Type,
        refined: Type,
    ) -> Option<Type> {
        let joined = unify_with(cx.types, cx.host.ext_rules(), ty, refined)?;
        let follows = match &self.func.insts[inst].kind {
            StmtKind::Assign { value, .. } => matches!(
                value,
                Rhs::Var(_)
                    | Rhs::Expr(
                        Expr::BuildList(_)
                            | Expr::BuildSet(_)
                            | Expr::BuildMap(_)
                            | Expr::Phi(_)
                            | Expr::Cast { to: None, .. }
                    )
            ),
            _ => false,
        };
        if joined != ty && !follows && !cx.types.is_imprecise(ty) {
            let failure = report::no_conversion(self, cx, inst, target, joined, ty);
            self.facts[inst].failure = Some(Box::new(Failure::new(failure)));
            return None;
        }
        self.facts[inst].ty = Some(joined);
        Some(joined)
    }

    /// Where nothing is known of the container in `var`, it has the type `ty` of a container. True if that is new.
    pub(crate) fn refine_known(&mut self, cx: &Cx<'_>, var: Var, ty: Type) -> bool {
        let is_unknown =
            (self.type_of(var)).is_some_and(|known| is_unknown_container(cx.types, known));
        if !is_unknown || is_unknown_container(cx.types, ty) {
            return false;
        }
        let before = self.refined[var];
        self.refine(cx, var, ty);
        self.refined[var] != before
    }

    /// What is known of the container that is made here from what is done with it.
    pub(crate) fn refined(&self, inst: Inst) -> Option<Type> {
        self.refined[self.func.insts[inst].kind.def()?]
    }

    /// The container in `var` must have the type `ty`: so must what makes it, what it is a copy or a slice of, and the
    /// containers that an operator makes it of. Of an item of a list of lists the outer one follows.
    pub(crate) fn refine(&mut self, cx: &Cx<'_>, var: Var, ty: Type) {
        let mut todo = vec![(var, ty)];
        while let Some((var, ty)) = todo.pop() {
            let known = self.refined[var].unwrap_or(ty);
            let Some(joined) = unify_with(cx.types, cx.host.ext_rules(), known, ty) else {
                continue;
            };
            if self.refined[var] == Some(joined) {
                continue;
            }
            self.refined[var] = Some(joined);
            let defs = match &self.defs[var] {
                Defs::None => Vec::new(),
                Defs::One(inst) => vec![*inst],
                Defs::Many(all) => all.clone(),
            };
            for inst in defs {
                if let StmtKind::Assign { value, .. } = &self.func.insts[inst].kind {
                    match value {
                        Rhs::Var(from) | Rhs::Expr(Expr::Cast { value: from, .. }) => {
                            todo.push((*from, ty));
                        }
                        Rhs::Expr(Expr::Phi(incoming)) => {
                            todo.extend(incoming.iter().filter_map(|(_, var)| Some(((*var)?, ty))));
                        }
                        Rhs::Expr(
                            Expr::BinOp { lhs, rhs, .. } | Expr::InplaceBinOp { lhs, rhs, .. },
                        ) => {
                            let unknown = [*lhs, *rhs].into_iter().filter(|var| {
                                (self.type_of(*var))
                                    .is_some_and(|ty| is_unknown_container(cx.types, ty))
                            });
                            todo.extend(unknown.map(|var| (var, ty)));
                        }
                        // A slice.
                        Rhs::Expr(
                            Expr::GetItem { value: list, .. }
                            | Expr::StaticGetItem { value: list, .. },
                        ) if self.var_types[*list] == self.var_types[var] => {
                            todo.push((*list, ty));
                        }
                        Rhs::Expr(
                            Expr::GetItem { value: list, .. }
                            | Expr::StaticGetItem { value: list, .. },
                        ) => {
                            let known = self.var_types[*list].map(|ty| cx.types.kind(ty));
                            if let Some(&TypeKind::List { dtype, class }) = known
                                && is_unknown_container(cx.types, dtype)
                            {
                                todo.push((*list, cx.types.list_of(joined, class)));
                            }
                        }
                        _ => {}
                    }
                }
                self.requeue(inst);
            }
        }
    }

    fn set_var(&mut self, cx: &Cx<'_>, var: Var, ty: Type) {
        if self.var_types[var] == Some(ty) {
            return;
        }
        self.var_types[var] = Some(ty);
        let mut returns_changed = false;
        for i in 0..self.users[var].len() {
            let user = self.users[var][i];
            returns_changed |= matches!(self.func.insts[user].kind, StmtKind::Return(_));
            self.requeue(user);
        }
        if returns_changed && !self.recursive_calls.is_empty() {
            self.requeue_recursive_calls();
        }
        let _ = cx;
    }

    /// The generator that calling this generator function gives, once a yielded value has a type.
    fn generator_type(&self, cx: &Cx<'_>) -> Result<Option<Type>, Box<Diagnostic>> {
        let mut found: Vec<(Inst, Type)> = Vec::new();
        for &inst in &self.yields {
            let live = self.block_of[inst].is_some_and(|b| self.live[b]);
            if let StmtKind::Assign {
                value: Rhs::Yield { value, .. },
                ..
            } = &self.func.insts[inst].kind
                && live
                && let Some(ty) = self.var_types[*value]
            {
                found.push((inst, ty));
            }
        }
        let all: Vec<Type> = found.iter().map(|(_, ty)| *ty).collect();
        let common = unify_all(cx.types, cx.host.ext_rules(), &all);
        // As in Numba, what is yielded is not optional.
        let common = common.filter(|ty| !matches!(cx.types.kind(*ty), TypeKind::Optional(_)));
        let Some(common) = common else {
            return match found.as_slice() {
                [] => Ok(None),
                _ => Err(Box::new(report::cannot_unify_yield(self, cx, &found))),
            };
        };
        Ok(Some(cx.types.intern(TypeKind::Generator {
            name: self.func.name.clone(),
            yields: cx.types.unliteral(common),
            args: self.args.clone(),
        })))
    }

    /// True if no `yield` of this generator function can be reached.
    pub(crate) fn yields_nothing(&self) -> bool {
        let live = |inst: &Inst| self.block_of[*inst].is_some_and(|b| self.live[b]);
        self.func.is_generator && !self.yields.iter().any(live)
    }

    /// The common type of the returned values known so far; `Ok(None)` if none is known.
    pub(crate) fn return_type(&self, cx: &Cx<'_>) -> Result<Option<Type>, Box<Diagnostic>> {
        if self.func.is_generator {
            return self.generator_type(cx);
        }
        let found: Vec<(Inst, Type)> = (self.returned()).map(|(inst, _, ty)| (inst, ty)).collect();
        if found.is_empty() {
            return Ok(None);
        }
        let all: Vec<Type> = found.iter().map(|(_, ty)| *ty).collect();
        match unify_all(cx.types, cx.host.ext_rules(), &all) {
            Some(ty) => Ok(Some(cx.types.unliteral(ty))),
            None => Err(Box::new(report::cannot_unify_return(self, cx, &found))),
        }
    }

    /// Live `return` statements with their variables, as far as these have types.
    fn returned(&self) -> impl Iterator<Item = (Inst, Var, Type)> {
        self.returns.iter().filter_map(|&inst| {
            let live = self.block_of[inst].is_some_and(|b| self.live[b]);
            match self.func.insts[inst].kind {
                StmtKind::Return(var) if live => Some((inst, var, self.var_types[var]?)),
                _ => None,
            }
        })
    }

    /// True if some live statement waits for a function in recursion.
    pub(crate) fn waits_for_recursion(&self) -> bool {
        self.recursive_calls.iter().any(|inst| {
            self.facts[*inst].recursive && self.block_of[*inst].is_some_and(|b| self.live[b])
        })
    }

    /// The first call that waits for a function in recursion.
    pub(crate) fn first_recursive_call(&self) -> Option<Inst> {
        self.recursive_calls
            .iter()
            .copied()
            .filter(|inst| self.facts[*inst].recursive)
            .min_by_key(|inst| self.rank[*inst])
    }

    /// Failures of live statements in program order.
    pub(crate) fn failures(&self) -> impl Iterator<Item = (Inst, &Failure)> {
        self.order.iter().filter_map(|inst| {
            let live = self.block_of[*inst].is_some_and(|b| self.live[b]);
            let failure = self.facts[*inst].failure.as_deref()?;
            live.then_some((*inst, failure))
        })
    }

    /// Live statements whose value or operands never got a type, though nothing failed: the first is the cause.
    pub(crate) fn first_undetermined(&self) -> Option<(Inst, Var)> {
        self.order.iter().find_map(|inst| {
            let live = self.block_of[*inst].is_some_and(|b| self.live[b]);
            let target = self.func.insts[*inst].kind.def()?;
            let untyped = self.var_types[target].is_none()
                && !matches!(
                    self.func.insts[*inst].kind,
                    StmtKind::Assign {
                        value: Rhs::Undefined | Rhs::Expr(Expr::Null),
                        ..
                    }
                );
            (live && untyped).then_some((*inst, target))
        })
    }

    /// Checks what later stages take for granted, before anything indexes by it.
    pub(crate) fn malformed(func: &Func) -> Option<Diagnostic> {
        let bad = |text: &str| {
            Some(Diagnostic::error(
                codes::INTERNAL,
                ErrorClass::InternalError,
                format!("malformed function `{}`: {text}", func.name),
                func.span,
            ))
        };
        if func.layout.is_empty() {
            return bad("it has no blocks");
        }
        let mut placed: SecondaryMap<Block, bool> = SecondaryMap::new();
        for &block in &func.layout {
            if func.blocks.get(block).is_none() {
                return bad("its layout names a block that does not exist");
            }
            placed[block] = true;
        }
        for &block in &func.layout {
            let data = &func.blocks[block];
            for (i, &inst) in data.insts.iter().enumerate() {
                let Some(stmt) = func.insts.get(inst) else {
                    return bad("a block names a statement that does not exist");
                };
                if stmt.kind.is_terminator() != (i + 1 == data.insts.len()) {
                    return bad("a block does not end in its only terminator");
                }
                let mut missing = false;
                stmt.kind
                    .for_each_use(|var| missing |= func.vars.get(var).is_none());
                missing |= stmt
                    .kind
                    .def()
                    .is_some_and(|var| func.vars.get(var).is_none());
                if missing {
                    return bad("a statement names a variable that does not exist");
                }
                let objects_exist = match &stmt.kind {
                    StmtKind::Assign {
                        value: Rhs::Global(obj) | Rhs::FreeVar { obj, .. },
                        ..
                    }
                    | StmtKind::StaticRaise { class: obj, .. }
                    | StmtKind::DynamicRaise { class: obj, .. } => func.objects.get(*obj).is_some(),
                    _ => true,
                };
                if !objects_exist {
                    return bad("a statement names an object that does not exist");
                }
            }
            if data.insts.is_empty() {
                return bad("a block is empty");
            }
            let targets_exist = func
                .successors(block)
                .into_iter()
                .chain(data.handler.map(|h| h.block))
                .all(|to| placed.get(to) == Some(&true));
            if !targets_exist {
                return bad("a jump leaves the function");
            }
        }
        None
    }
}
