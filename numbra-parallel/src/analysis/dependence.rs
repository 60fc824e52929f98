//! Dependence tests: whether different iterations of a loop use the same element of an array.

use super::accesses::{Access, Kind, Uses};
use super::affine::{Affine, Candidate};
use super::indices::Dim;
use crate::{Dependence, Hazard};
use numbra_base::{FxHashMap, FxHashSet};
use numbra_ir::analysis::{Cfg, Dominators};
use numbra_ir::{BinOp, Block, Expr, Inst, Rhs, StmtKind, Var};
use numbra_library::{Op, ThreadOp};

/// How sure it is that iterations depend on each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Certainty {
    Likely,
    Certain,
}

/// What decides whether a statement runs in an iteration, beside the ends of its range.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Guard {
    None,
    /// Elements of arrays.
    Data,
    /// Something else, as `(i + j) % 2 == 0`: users keep iterations apart by them.
    Items,
}

/// True for loads of all of an array.
fn is_whole(access: &Access) -> bool {
    access.kind == Kind::Load && access.path.is_empty()
}

/// The order of blocks.
pub(super) struct Flow<'a> {
    pub(super) cfg: &'a Cfg,
    pub(super) dominators: &'a Dominators,
}

impl Candidate<'_> {
    /// How sure it is that different iterations use the same element of an array, one of them changing it; and how they come
    /// to it. None if nothing says so.
    pub(super) fn dependence(
        &self,
        root: Var,
        uses: &Uses,
        body: &[Block],
        step: Option<i64>,
        flow: &Flow<'_>,
    ) -> Option<(Certainty, Hazard)> {
        if uses.accesses.iter().all(|access| access.kind == Kind::Load) {
            return None;
        }
        let hazard = |access: &Access, kind: Dependence| Hazard {
            kind,
            array: uses.name(root, self),
            span: self.cx.typed.func.insts[access.inst].span,
        };
        let insts = uses.accesses.iter().map(|access| access.inst);
        let guards: Vec<Guard> = insts.map(|inst| self.guard(inst, body, flow)).collect();
        let mut found: Option<(Certainty, Hazard)> = None;
        for (at, a) in uses.accesses.iter().enumerate() {
            if a.kind == Kind::Load {
                continue;
            }
            if self.is_invariant(&a.path) {
                return Some((Certainty::Certain, hazard(a, Dependence::Invariant)));
            }
            let is_change = self.is_change(a, uses, body, flow);
            if found.is_none()
                && (is_change && self.has_likely_collision(a)
                    || guards[at] < Guard::Items && self.is_many_to_one_store(a, step))
            {
                found = Some((Certainty::Likely, hazard(a, Dependence::ManyToOne)));
            }
            let differs = is_change || self.has_varying_value(a);
            for (n, b) in uses.accesses.iter().enumerate() {
                let guard = guards[at].max(guards[n]);
                if found.is_none()
                    && differs
                    && (b.kind == Kind::Load || n >= at)
                    && guard < Guard::Items
                    && self.is_overlapping(a, b, step)
                {
                    found = Some((Certainty::Likely, hazard(a, Dependence::Overlap)));
                }
                let twice = b.kind != Kind::Load && n <= at;
                if twice || !(self.has_certain_dependence(a, b, step) || is_whole(b)) {
                    continue;
                }
                let certainty = match guard {
                    Guard::None => Certainty::Certain,
                    Guard::Data => Certainty::Likely,
                    Guard::Items => continue,
                };
                if found.as_ref().is_none_or(|(known, _)| certainty > *known) {
                    found = Some((certainty, hazard(a, Dependence::Carried)));
                }
            }
        }
        found
    }

    /// True if what an access leaves in memory depends on what was there: several iterations that do so with the same element
    /// need each other's result.
    fn is_change(&self, access: &Access, uses: &Uses, body: &[Block], flow: &Flow<'_>) -> bool {
        let func = &self.cx.typed.func;
        let value = match (access.kind, &func.insts[access.inst].kind) {
            (Kind::Load, _) => return false,
            (Kind::Update(_) | Kind::NanReset(_), _) => return true,
            (
                Kind::Store,
                StmtKind::SetItem { value, .. }
                | StmtKind::StaticSetItem { value, .. }
                | StmtKind::SetAttr { value, .. },
            ) => *value,
            // A method, or an operator in place.
            (Kind::Store, _) => return true,
        };
        let same_place = |load: &&Access| {
            let mut dims = load.path.iter().zip(&access.path);
            load.kind == Kind::Load && dims.all(|(a, b)| self.is_same_dim(a, b))
        };
        let loaded: FxHashSet<Var> = uses
            .accesses
            .iter()
            .filter(same_place)
            .filter_map(|load| func.insts[load.inst].kind.def())
            .collect();
        let from_there = |var: Var| self.is_computed_from(var, &|var| loaded.contains(&var));
        if from_there(value) {
            return true;
        }
        // `if x < best[k]: best[k] = x`; of what all iterations store, any may be the last.
        let Some(block) = self.uses.block_of[access.inst] else {
            return false;
        };
        self.is_varying(value) && self.deciding(block, body, flow).into_iter().any(from_there)
    }

    /// True if iterations do not all store the same value.
    fn has_varying_value(&self, access: &Access) -> bool {
        match &self.cx.typed.func.insts[access.inst].kind {
            StmtKind::SetItem { value, .. } | StmtKind::StaticSetItem { value, .. } => {
                self.is_varying(*value)
            }
            _ => false,
        }
    }

    /// True if something that a variable is computed from in the loop is `wanted`.
    fn is_computed_from(&self, var: Var, wanted: &dyn Fn(Var) -> bool) -> bool {
        let mut seen: FxHashSet<Var> = FxHashSet::default();
        let mut work = vec![var];
        while let Some(var) = work.pop() {
            if !seen.insert(var) {
                continue;
            }
            if wanted(var) {
                return true;
            }
            if let Some((true, rhs)) = self.def(var) {
                rhs.for_each_use(|of| work.push(of));
            }
        }
        false
    }

    /// True if a affine form without the item has the same values in each iteration: invariant, or an induction variable of inner loops.
    pub(super) fn is_stable(&self, form: &Affine) -> bool {
        form.others.keys().all(|var| !self.is_varying(*var))
    }

    fn is_invariant(&self, path: &[Dim]) -> bool {
        path.iter().all(|dim| match dim {
            Dim::At(form) => form.item == 0 && self.is_stable(form),
            Dim::Span(name) => name.is_some(),
            Dim::Other(places) => places.is_some(),
            Dim::Component(_) | Dim::Part(..) => false,
        })
    }

    /// True if an index maps different iterations to the same elements as a rule: it is loaded from memory, or rounded. A
    /// thread's number is for places of its own.
    fn has_likely_collision(&self, access: &Access) -> bool {
        let mut known = FxHashMap::default();
        let path = &access.path[..];
        let own = path.iter().any(|dim| match dim {
            Dim::At(form) => form.item != 0 && self.is_stable(form),
            Dim::Component(_) | Dim::Span(_) | Dim::Part(..) | Dim::Other(_) => false,
        });
        let has = |axis: usize| path.contains(&Dim::Component(axis));
        let axes = self.axes();
        if (0..axes).any(has) {
            return !(0..axes).all(has);
        }
        let of_thread = path.iter().any(|dim| match dim {
            Dim::At(form) => form.others.keys().any(|var| self.is_thread_id(*var)),
            Dim::Component(_) | Dim::Span(_) | Dim::Part(..) | Dim::Other(_) => false,
        });
        !own && !of_thread
            && !self.is_unravelled(access)
            && path.iter().any(|dim| match dim {
                Dim::At(form) => form
                    .others
                    .keys()
                    .any(|var| self.is_likely_many_to_one(*var, &mut known, 0)),
                Dim::Component(_) | Dim::Span(_) | Dim::Part(..) | Dim::Other(_) => false,
            })
    }

    fn is_thread_id(&self, var: Var) -> bool {
        let made = self.uses.only_def(var);
        made.and_then(|made| self.cx.intrinsic_of(made)) == Some(Op::Threads(ThreadOp::Id))
    }

    /// `[i // n, i % n]`; where what is changed cannot be combined, `[i // n * m + i % n]` and `[(i >> k << 8) | (i & mask)]`
    /// too.
    fn is_unravelled(&self, access: &Access) -> bool {
        let depth = match access.kind {
            Kind::Update(_) | Kind::NanReset(_) => 0,
            Kind::Load | Kind::Store => 8,
        };
        let mut found = Vec::new();
        for (axis, dim) in access.path.iter().enumerate() {
            if let Dim::At(form) = dim {
                for &var in form.others.keys() {
                    self.divisions(var, axis, &mut found, depth);
                }
            }
        }
        found.iter().any(|(op, lhs, rhs, axis)| {
            found.iter().any(|(other, left, right, at)| {
                let apart = depth > 0 || axis != at;
                apart
                    && match (op, other) {
                        (BinOp::FloorDiv, BinOp::Mod) => lhs == left && rhs == right,
                        (BinOp::RShift, BinOp::And) => depth > 0 && lhs == left,
                        _ => false,
                    }
            })
        })
    }

    /// The quotients and remainders that a part of an index is made of.
    fn divisions(
        &self,
        var: Var,
        axis: usize,
        out: &mut Vec<(BinOp, Affine, Affine, usize)>,
        depth: usize,
    ) {
        let Some((true, Rhs::Expr(expr))) = self.def(self.original(var)) else {
            return;
        };
        let (Expr::BinOp { op, lhs, rhs, .. } | Expr::InplaceBinOp { op, lhs, rhs, .. }) = expr
        else {
            return;
        };
        let parts = [BinOp::FloorDiv, BinOp::Mod, BinOp::RShift, BinOp::And];
        if parts.contains(op) {
            out.push((*op, self.affine(*lhs), self.affine(*rhs), axis));
        }
        if depth > 0 {
            self.divisions(*lhs, axis, out, depth - 1);
            self.divisions(*rhs, axis, out, depth - 1);
        }
    }

    fn is_likely_many_to_one(
        &self,
        var: Var,
        known: &mut FxHashMap<Var, bool>,
        depth: usize,
    ) -> bool {
        if let Some(&known) = known.get(&var) {
            return known;
        }
        known.insert(var, false);
        if depth > 64 || !self.is_varying(var) {
            return false;
        }
        let mut any = |vars: &[Var]| {
            vars.iter()
                .any(|of| self.is_likely_many_to_one(*of, known, depth + 1))
        };
        let found = match self.def(var) {
            Some((true, rhs)) => match rhs {
                Rhs::Var(of) => any(&[*of]),
                Rhs::Expr(expr) => match expr {
                    Expr::BinOp { op, lhs, rhs, .. } | Expr::InplaceBinOp { op, lhs, rhs, .. } => {
                        matches!(
                            op,
                            BinOp::FloorDiv | BinOp::Mod | BinOp::And | BinOp::RShift
                        ) || self.is_multiple(*op, *lhs, *rhs)
                            || any(&[*lhs, *rhs])
                    }
                    Expr::Unary { value, .. } | Expr::Cast { value, .. } => {
                        let number = self
                            .cx
                            .var_type(*value)
                            .and_then(|ty| self.cx.types.as_scalar(ty));
                        number.is_some_and(|kind| kind.is_float()) || any(&[*value])
                    }
                    Expr::GetItem { value, .. } | Expr::StaticGetItem { value, .. } => {
                        self.array_type(*value).is_some()
                    }
                    Expr::Call { .. } => true,
                    Expr::PairFirst(pair) => match self.def(*pair) {
                        // Ranges of an inner loop are the user's to know; elements of arrays are loads.
                        Some((_, Rhs::Expr(Expr::IterNext(iter)))) => match self.def(*iter) {
                            Some((_, Rhs::Expr(Expr::GetIter(of)))) => {
                                self.array_type(*of).is_some()
                            }
                            _ => false,
                        },
                        _ => false,
                    },
                    Expr::Phi(incoming) => {
                        let vars: Vec<Var> = incoming.iter().filter_map(|(_, var)| *var).collect();
                        any(&vars)
                    }
                    _ => false,
                },
                _ => false,
            },
            Some((false, _)) | None => false,
        };
        known.insert(var, found);
        found
    }

    /// True if two accesses certainly use the same element in different iterations, where both run.
    fn has_certain_dependence(&self, a: &Access, b: &Access, step: Option<i64>) -> bool {
        let mut apart = false;
        for (x, y) in a.path.iter().zip(&b.path) {
            match (x, y) {
                (Dim::At(f), Dim::At(g)) => {
                    if f.others != g.others || f.item != g.item || !self.is_stable(f) {
                        return false;
                    }
                    let Some(distance) = g.constant.checked_sub(f.constant) else {
                        return false;
                    };
                    if f.item == 0 {
                        if distance != 0 {
                            return false;
                        }
                        continue;
                    }
                    let Some(stride) = step.and_then(|step| step.checked_mul(f.item)) else {
                        return false;
                    };
                    if distance == 0 || stride == 0 || distance.checked_rem(stride) != Some(0) {
                        return false;
                    }
                    apart = true;
                }
                (Dim::Span(Some(x)), Dim::Span(Some(y))) if x == y => {}
                _ => return false,
            }
        }
        apart
    }

    /// What decides whether a statement runs in an iteration.
    fn guard(&self, inst: Inst, body: &[Block], flow: &Flow<'_>) -> Guard {
        let Some(block) = self.uses.block_of[inst] else {
            return Guard::Items;
        };
        let is_loaded = |var: Var| {
            matches!(self.def(var), Some((_, Rhs::Expr(Expr::GetItem { value, .. } | Expr::StaticGetItem { value, .. })))
                if self.array_type(*value).is_some())
        };
        let guards = self.deciding(block, body, flow).into_iter();
        let guards = guards.map(|cond| match self.is_end_test(cond, 0) {
            true => Guard::None,
            false if self.is_computed_from(cond, &is_loaded) => Guard::Data,
            false => Guard::Items,
        });
        guards.max().unwrap_or(Guard::None)
    }

    /// The conditions that decide whether a block runs.
    fn deciding(&self, block: Block, body: &[Block], flow: &Flow<'_>) -> Vec<Var> {
        let mut found = Vec::new();
        for &from in body {
            let Some(StmtKind::Branch { cond, then, other }) = self.cx.typed.func.terminator(from)
            else {
                continue;
            };
            let decides = |to: Block| {
                flow.cfg.all_preds(to).count() == 1 && flow.dominators.dominates(to, block)
            };
            if decides(*then) || decides(*other) {
                found.push(*cond);
            }
        }
        found
    }

    /// True for conditions that hold in all iterations, in none, or on one side of a bound.
    fn is_end_test(&self, cond: Var, depth: usize) -> bool {
        if !self.is_varying(cond) {
            return true;
        }
        match self.def(cond) {
            Some((true, Rhs::Var(of))) if depth < 16 => self.is_end_test(*of, depth + 1),
            Some((true, Rhs::Expr(expr))) => match expr {
                Expr::Unary { value, .. } | Expr::Cast { value, .. } if depth < 16 => {
                    self.is_end_test(*value, depth + 1)
                }
                Expr::Call { args, .. } if depth < 16 => match args.as_slice() {
                    [one] => self.is_end_test(*one, depth + 1),
                    _ => false,
                },
                Expr::BinOp { op, lhs, rhs, .. } => {
                    let compares = matches!(
                        op,
                        BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne
                    );
                    let plain = |form: Affine| self.is_stable(&form);
                    compares && plain(self.affine(*lhs)) && plain(self.affine(*rhs))
                }
                // The end of an inner loop.
                Expr::PairSecond(_) => true,
                _ => false,
            },
            _ => false,
        }
    }
}
