//! Whether different iterations of a loop meet at an element of an array.

use super::Hazard;
use super::accesses::{Access, Kind, Uses};
use super::indices::Dim;
use super::linear::{Iteration, Linear};
use numbra_base::{FxHashMap, FxHashSet};
use numbra_ir::analysis::{Cfg, Dominators};
use numbra_ir::{BinOp, Block, Expr, Inst, Rhs, StmtKind, Var};

/// How sure it is that iterations meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Meeting {
    Unknown,
    Likely,
    Certain,
}

/// What decides whether a statement runs in an iteration, beside the ends of its range.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Guard {
    None,
    /// Elements of arrays.
    Data,
    /// Something else, as `(i + j) % 2 == 0`: users part iterations so that they do not meet.
    Counters,
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

impl Iteration<'_, '_, '_> {
    /// How sure it is that different iterations meet at an element of an array, one of them changing it; and why.
    pub(super) fn meeting(
        &self,
        root: Var,
        uses: &Uses,
        body: &[Block],
        step: Option<i64>,
        flow: &Flow<'_>,
    ) -> (Meeting, Hazard) {
        let name = uses.name(root, self);
        let hazard = |access: &Access, reason: String| Hazard {
            reason,
            span: self.typed.func.insts[access.inst].span,
        };
        let mut found = (Meeting::Unknown, Hazard::default());
        for (at, a) in uses.accesses.iter().enumerate() {
            if a.kind == Kind::Load {
                continue;
            }
            if self.is_invariant(&a.path) {
                let reason = format!("all its iterations write the same elements of `{name}`");
                return (Meeting::Certain, hazard(a, reason));
            }
            let mut known = FxHashMap::default();
            if found.0 < Meeting::Likely
                && (self.collides(a, &mut known) && self.is_change(a, uses, body, flow)
                    || self.guard(a.inst, body, flow) < Guard::Counters && self.folds(a, step))
            {
                let reason =
                    format!("several of its iterations may change the same element of `{name}`");
                found = (Meeting::Likely, hazard(a, reason));
            }
            let differs = self.stores_differ(a) || self.is_change(a, uses, body, flow);
            for (n, b) in uses.accesses.iter().enumerate() {
                let guard = self.guard(a.inst, body, flow);
                let guard = guard.max(self.guard(b.inst, body, flow));
                if found.0 < Meeting::Likely
                    && differs
                    && (b.kind == Kind::Load || n >= at)
                    && guard < Guard::Counters
                    && self.overlap(a, b, step)
                {
                    let reason =
                        format!("the elements of `{name}` that its iterations use overlap");
                    found = (Meeting::Likely, hazard(a, reason));
                }
                let twice = b.kind != Kind::Load && n <= at;
                if twice || !(self.meet(a, b, step) || is_whole(b)) {
                    continue;
                }
                let certainty = match guard {
                    Guard::None => Meeting::Certain,
                    Guard::Data => Meeting::Likely,
                    Guard::Counters => Meeting::Unknown,
                };
                if certainty > found.0 {
                    let reason =
                        format!("its iterations use elements of `{name}` that others write");
                    found = (certainty, hazard(a, reason));
                }
            }
        }
        found
    }

    /// True if what an access leaves in memory depends on what was there: several iterations that do so with the same element
    /// need each other's result.
    fn is_change(&self, access: &Access, uses: &Uses, body: &[Block], flow: &Flow<'_>) -> bool {
        let func = &self.typed.func;
        let value = match (access.kind, &func.insts[access.inst].kind) {
            (Kind::Load, _) => return false,
            (Kind::Update(_) | Kind::Replace(_), _) => return true,
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
        let from_there = |var: Var| self.comes_from(var, &|var| loaded.contains(&var));
        if from_there(value) {
            return true;
        }
        // `if x < best[k]: best[k] = x`; of what all iterations store, any may be the last.
        let mut known = FxHashMap::default();
        let Some(block) = self.uses.block_of[access.inst] else {
            return false;
        };
        self.varies(value, &mut known, 0)
            && self.deciding(block, body, flow).into_iter().any(from_there)
    }

    /// True if iterations do not all store the same value.
    fn stores_differ(&self, access: &Access) -> bool {
        let mut known = FxHashMap::default();
        match &self.typed.func.insts[access.inst].kind {
            StmtKind::SetItem { value, .. } | StmtKind::StaticSetItem { value, .. } => {
                self.varies(*value, &mut known, 0)
            }
            _ => false,
        }
    }

    /// True if something that a variable is computed from in the loop is `wanted`.
    fn comes_from(&self, var: Var, wanted: &dyn Fn(Var) -> bool) -> bool {
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

    /// True if a linear form without the item has the same values in each iteration: invariant, or counted by inner loops.
    pub(super) fn is_stable(&self, form: &Linear) -> bool {
        let mut known = FxHashMap::default();
        form.others
            .keys()
            .all(|var| !self.varies(*var, &mut known, 0))
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
    fn collides(&self, access: &Access, known: &mut FxHashMap<Var, bool>) -> bool {
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
                    .any(|var| self.is_many_to_one(*var, known, 0)),
                Dim::Component(_) | Dim::Span(_) | Dim::Part(..) | Dim::Other(_) => false,
            })
    }

    fn is_thread_id(&self, var: Var) -> bool {
        let site = self
            .uses
            .only_def(var)
            .and_then(|def| self.typed.calls[def].as_ref());
        site.is_some_and(|site| match site.callee {
            numbra_ir::Callee::Row(row, _) => {
                let row = self.fx.mx.library.row_checked(row);
                row.is_some_and(|row| row.name == "numbra.get_thread_id")
            }
            _ => false,
        })
    }

    /// `[i // n, i % n]`; where what is changed cannot be combined, `[i // n * m + i % n]` and `[(i >> k << 8) | (i & mask)]`
    /// too.
    fn is_unravelled(&self, access: &Access) -> bool {
        let depth = match access.kind {
            Kind::Update(_) | Kind::Replace(_) => 0,
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
        out: &mut Vec<(BinOp, Linear, Linear, usize)>,
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
            out.push((*op, self.linear(*lhs), self.linear(*rhs), axis));
        }
        if depth > 0 {
            self.divisions(*lhs, axis, out, depth - 1);
            self.divisions(*rhs, axis, out, depth - 1);
        }
    }

    fn is_many_to_one(&self, var: Var, known: &mut FxHashMap<Var, bool>, depth: usize) -> bool {
        if let Some(&known) = known.get(&var) {
            return known;
        }
        known.insert(var, false);
        let mut varying = FxHashMap::default();
        if depth > 64 || !self.varies(var, &mut varying, 0) {
            return false;
        }
        let mut any = |vars: &[Var]| {
            vars.iter()
                .any(|of| self.is_many_to_one(*of, known, depth + 1))
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
                            .var_type(*value)
                            .and_then(|ty| self.fx.types.as_scalar(ty));
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

    /// True if two accesses certainly meet in different iterations, where both run.
    fn meet(&self, a: &Access, b: &Access, step: Option<i64>) -> bool {
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
            return Guard::Counters;
        };
        let is_loaded = |var: Var| {
            matches!(self.def(var), Some((_, Rhs::Expr(Expr::GetItem { value, .. } | Expr::StaticGetItem { value, .. })))
                if self.array_type(*value).is_some())
        };
        let guards = self.deciding(block, body, flow).into_iter();
        let guards = guards.map(|cond| match self.is_end_test(cond, 0) {
            true => Guard::None,
            false if self.comes_from(cond, &is_loaded) => Guard::Data,
            false => Guard::Counters,
        });
        guards.max().unwrap_or(Guard::None)
    }

    /// The conditions that decide whether a block runs.
    fn deciding(&self, block: Block, body: &[Block], flow: &Flow<'_>) -> Vec<Var> {
        let mut found = Vec::new();
        for &from in body {
            let Some(StmtKind::Branch { cond, then, other }) = self.typed.func.terminator(from)
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
        let mut known = FxHashMap::default();
        if !self.varies(cond, &mut known, 0) {
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
                    let plain = |form: Linear| self.is_stable(&form);
                    compares && plain(self.linear(*lhs)) && plain(self.linear(*rhs))
                }
                // The end of an inner loop.
                Expr::PairSecond(_) => true,
                _ => false,
            },
            _ => false,
        }
    }
}
