//! Stores at places that several iterations have in common, by how the places are computed.
//!
//! `y[i % 5] = x[i]`, `y[i // 2] = x[i]` and `y[i * j] = x[j]`, with `j` of an inner loop, leave what the last of several
//! iterations stores. What is the user's to know: places that are loaded (`y[order[i]] = x[i]`), that iterations of some kind
//! only store to (`if i % 2 == 0: y[i // 2] = x[i]`), indices that are taken apart (`y[i // n, i % n]`), and rotations
//! (`y[(i + k) % n]` for `i` of `range(n)`).

use super::accesses::{Access, Kind};
use super::affine::{Affine, Candidate};
use super::indices::Dim;
use numbra_ir::{BinOp, CallArg, Expr, Rhs, StmtKind, Var};
use numbra_library::Op;

/// Depth of expressions in expressions that are followed.
const MAX_DEPTH: usize = 8;

impl Candidate<'_> {
    /// True for stores of different values whose place is folded: several iterations compute the same one.
    pub(super) fn is_many_to_one_store(&self, access: &Access, step: Option<i64>) -> bool {
        let value = match &self.cx.typed.func.insts[access.inst].kind {
            StmtKind::SetItem { value, .. }
            | StmtKind::StaticSetItem { value, .. }
            | StmtKind::SetAttr { value, .. } => *value,
            _ => return false,
        };
        let mut folded = None;
        for dim in &access.path {
            let form = match dim {
                Dim::At(form) | Dim::Part(form, _) => form,
                Dim::Span(_) | Dim::Other(Some(_)) => continue,
                Dim::Component(_) | Dim::Other(None) => return false,
            };
            // What branches choose may tell iterations apart: `y[i // 2, 0 if i % 2 == 0 else 1]`.
            if form.item != 0 || form.others.keys().any(|var| self.is_chosen(*var)) {
                return false;
            }
            for &var in form.others.keys().filter(|var| self.is_varying(**var)) {
                // Indices of several parts are taken apart.
                if folded.is_some_and(|known| known != var) {
                    return false;
                }
                folded = Some(var);
            }
        }
        let Some(place) = folded else { return false };
        access.kind == Kind::Store
            && self.is_many_to_one(place, step, 0)
            && !self.is_value_at(value, place, 0)
    }

    fn is_chosen(&self, var: Var) -> bool {
        matches!(
            self.def(self.original(var)),
            Some((true, Rhs::Expr(Expr::Phi(_))))
        )
    }

    /// True for products of the loop's item and of the induction variable of an inner loop: `2 * 3` is `3 * 2`.
    pub(super) fn is_multiple(&self, op: BinOp, lhs: Var, rhs: Var) -> bool {
        let counted = |form: &Affine| {
            let is_induction = |var: &Var| self.inner_bounds(*var).is_some();
            form.item == 0 && self.is_stable(form) && form.others.keys().any(is_induction)
        };
        let (a, b) = (self.affine(lhs), self.affine(rhs));
        let plain = |form: &Affine| form.item != 0 && self.is_stable(form);
        op == BinOp::Mul && (plain(&a) && counted(&b) || plain(&b) && counted(&a))
    }

    /// True if different iterations compute the same value of a variable that varies.
    fn is_many_to_one(&self, var: Var, step: Option<i64>, depth: usize) -> bool {
        let Some((true, Rhs::Expr(expr))) = self.def(self.original(var)) else {
            return false;
        };
        if depth > MAX_DEPTH {
            return false;
        }
        match expr {
            Expr::BinOp { op, lhs, rhs, .. } | Expr::InplaceBinOp { op, lhs, rhs, .. } => {
                let (a, by) = (self.affine(*lhs), self.affine(*rhs));
                if !self.is_stable(&by) || by.item != 0 {
                    return self.is_multiple(*op, *lhs, *rhs);
                }
                let known = by.as_constant();
                match (op, known) {
                    (BinOp::Mod, Some(n)) => !self.is_below(&a, n, step),
                    (BinOp::And, Some(mask)) => {
                        mask >= 0
                            && mask
                                .checked_add(1)
                                .is_some_and(|n| !self.is_below(&a, n, step))
                    }
                    (BinOp::Mod, None) => self.is_wrapping(&a, *rhs),
                    (BinOp::FloorDiv, _) => self.is_divided(&a, known, step, depth),
                    (BinOp::RShift, _) => {
                        let by = known.map(|by| u32::try_from(by).ok());
                        match by {
                            None => self.is_divided(&a, None, step, depth),
                            Some(by) => by
                                .and_then(|by| 1i64.checked_shl(by))
                                .is_some_and(|n| self.is_divided(&a, Some(n), step, depth)),
                        }
                    }
                    _ => self.is_multiple(*op, *lhs, *rhs),
                }
            }
            Expr::Cast { value, .. } => self.is_rounded(*value, step, depth),
            Expr::Call { .. } => {
                let Some(def) = self.uses.only_def(self.original(var)) else {
                    return false;
                };
                let args = self.cx.typed.calls[def].as_ref().map(|site| &site.args[..]);
                match (self.cx.intrinsic_of(def), args) {
                    (Some(Op::Convert), Some([CallArg::Var(of)])) => {
                        self.is_rounded(*of, step, depth)
                    }
                    // The distance from a place within the range.
                    (Some(Op::Abs), Some([CallArg::Var(of)])) => {
                        let form = self.affine(*of);
                        let moved = form.constant != 0 || !form.others.is_empty();
                        form.item != 0 && moved && self.is_stable(&form)
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// `int(i / 2)`
    fn is_rounded(&self, value: Var, step: Option<i64>, depth: usize) -> bool {
        if self.is_integer(value) {
            return self.is_many_to_one(value, step, depth + 1);
        }
        match self.def(self.original(value)) {
            Some((
                true,
                Rhs::Expr(Expr::BinOp {
                    op: BinOp::TrueDiv,
                    lhs,
                    rhs,
                    ..
                }),
            )) => {
                let by = self.affine(*rhs).as_constant();
                by.is_some() && self.is_divided(&self.affine(*lhs), by, step, depth)
            }
            _ => false,
        }
    }

    /// True if `a // by` is the same in neighbouring iterations.
    fn is_divided(&self, a: &Affine, by: Option<i64>, step: Option<i64>, depth: usize) -> bool {
        if a.item == 0 {
            let mut varying = a.others.keys().filter(|var| self.is_varying(**var));
            return match (varying.next(), varying.next()) {
                (Some(one), None) => self.is_many_to_one(*one, step, depth + 1),
                _ => false,
            };
        }
        let Some(stride) = step.and_then(|step| step.checked_mul(a.item)) else {
            return false;
        };
        self.is_stable(a)
            && match by {
                Some(by) => stride.unsigned_abs() < by.unsigned_abs(),
                None => stride.unsigned_abs() == 1,
            }
    }

    /// True if a form is known to have `n` values at most, and these different for different iterations.
    fn is_below(&self, a: &Affine, n: i64, step: Option<i64>) -> bool {
        let count = self.trip_count().and_then(|(_, trips)| trips.as_constant());
        let near = a.item.unsigned_abs() == 1 && step.is_some_and(|step| step.unsigned_abs() == 1);
        near && count.is_some_and(|count| count <= n)
    }

    /// True for `a % size` where iterations go around more than once, as far as it can be told.
    fn is_wrapping(&self, a: &Affine, size: Var) -> bool {
        let Some((first, count)) = self
            .trip_count()
            .filter(|_| a.item != 0 && self.is_stable(a))
        else {
            return false;
        };
        let size = self.affine(size);
        if size == count {
            return false;
        }
        let starts_at_0 = first.as_constant() == Some(0);
        if a.constant == 0 && a.others.is_empty() && starts_at_0 {
            return true;
        }
        // Sizes of arrays that are written as a whole.
        let is_size = |form: &Affine| form.others.keys().any(|var| self.is_of_size(*var));
        !(is_size(&size) || is_size(&count))
    }

    /// The first item of the loop's range and its length, if it has step 1.
    fn trip_count(&self) -> Option<(Affine, Affine)> {
        let (first, last) = self.bounds(self.range)?;
        let mut count = last.plus(-1, &first)?;
        count.constant = count.constant.checked_add(1)?;
        Some((first, count))
    }

    /// True for what is computed from the size of an array.
    fn is_of_size(&self, var: Var) -> bool {
        let is_size = |var: Var| match self.def(var) {
            Some((_, Rhs::Expr(Expr::GetAttr { attr, .. }))) => attr == "size" || attr == "shape",
            Some((_, Rhs::Expr(Expr::Call { .. }))) => {
                let def = self.uses.only_def(var);
                def.and_then(|def| self.cx.intrinsic_of(def)) == Some(Op::ArrayLen)
            }
            _ => false,
        };
        let mut work = vec![var];
        for _ in 0..64 {
            let Some(var) = work.pop() else { return false };
            if is_size(var) {
                return true;
            }
            if let Some((_, rhs)) = self.def(var) {
                rhs.for_each_use(|of| work.push(of));
            }
        }
        true
    }

    /// True if what a store leaves is told by its place: `y[i // 2] = x[i // 2]`.
    fn is_value_at(&self, value: Var, place: Var, depth: usize) -> bool {
        let value = self.original(value);
        if depth > MAX_DEPTH || self.is_same(value, place) {
            return depth <= MAX_DEPTH;
        }
        if !self.is_varying(value) {
            return true;
        }
        let at_place = |of: Var| self.is_value_at(of, place, depth + 1);
        match self.def(value) {
            Some((true, Rhs::Expr(expr))) => match expr {
                Expr::BinOp { lhs, rhs, .. } => at_place(*lhs) && at_place(*rhs),
                Expr::Unary { value, .. } | Expr::Cast { value, .. } => at_place(*value),
                Expr::BuildTuple(items) => items.iter().all(|item| at_place(*item)),
                Expr::GetItem { value, index } => {
                    self.is_only_read(self.original(*value)) && at_place(*index)
                }
                _ => false,
            },
            _ => false,
        }
    }
}
