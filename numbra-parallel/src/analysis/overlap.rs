//! Whether the elements that an iteration uses overlap with those of the next one.
//!
//! `y[i : i + 2]`, `y[i + j]` and `y[j]` for `j` of `range(i, n)` are intervals whose ends are affine forms. Where a bound of an
//! inner range is a symbol, the range is taken to be long if each iteration moves the interval by one element only: what reaches
//! over more (`y[4 * i + j]`, `j` of `range(n)`) is the user's to know.

use super::accesses::{Access, Kind};
use super::affine::{Affine, Candidate};
use super::indices::Dim;
use numbra_ir::{CallArg, Expr, Rhs, TypeKind, Var};
use numbra_library::Op;

/// The elements along an axis, from the first to the last.
struct Interval {
    low: Affine,
    high: Affine,
    /// An inner loop counts through it.
    counted: bool,
}

impl Interval {
    /// By how much an iteration moves it.
    fn stride(&self) -> i64 {
        self.low
            .item
            .saturating_abs()
            .max(self.high.item.saturating_abs())
    }
}

/// `a <= b`, if it is known.
fn at_most(a: &Affine, b: &Affine) -> Option<bool> {
    Some(b.plus(-1, a)?.as_constant()? >= 0)
}

impl Candidate<'_> {
    /// True if an element that an access uses in one iteration is one that the other uses in the iteration before or after.
    pub(super) fn is_overlapping(&self, a: &Access, b: &Access, step: Option<i64>) -> bool {
        let Some(step) = step.filter(|step| *step != 0) else {
            return false;
        };
        let moves = a
            .path
            .iter()
            .chain(&b.path)
            .any(|dim| self.interval(dim).is_some_and(|one| one.stride() > 0));
        moves
            && [step, -step].into_iter().any(|by| {
                let whole = Dim::Span(None);
                let both_update = a.kind != Kind::Load && a.kind == b.kind && a.kind != Kind::Store;
                let axes = a.path.len().max(b.path.len());
                (0..axes).all(|axis| {
                    let [x, y] = [a, b].map(|access| access.path.get(axis));
                    match (x, y) {
                        (Some(x), Some(y)) => self.has_overlap_along(x, y, by, both_update),
                        // An axis that the other uses all of, unless it is of a view.
                        (one, other) => {
                            let before =
                                &[a, b].map(|access| access.path.get(axis.wrapping_sub(1)));
                            let is_view = before
                                .iter()
                                .flatten()
                                .any(|dim| matches!(dim, Dim::Part(..)));
                            one.or(other).unwrap_or(&whole) != &Dim::Other(None) && !is_view
                        }
                    }
                })
            })
    }

    /// True if the parts of two indices overlap where the iterations are `by` apart.
    fn has_overlap_along(&self, x: &Dim, y: &Dim, by: i64, both_update: bool) -> bool {
        if let (Dim::Span(Some(x)), Dim::Span(Some(y))) = (x, y) {
            return x == y;
        }
        let (Some(mut x), Some(y)) = (self.interval(x), self.interval(y)) else {
            return false;
        };
        let single = |one: &Interval| one.low == one.high;
        if both_update && single(&x) && single(&y) && x.low.item != y.low.item {
            return x.low.item != 0 && y.low.item != 0;
        }
        for end in [&mut x.low, &mut x.high] {
            let Some(moved) = end
                .item
                .checked_mul(by)
                .and_then(|n| end.constant.checked_add(n))
            else {
                return false;
            };
            end.constant = moved;
        }
        let [x_first, y_first] = [(&x, &y), (&y, &x)].map(|(x, y)| {
            // No interval is empty.
            let known = [(&x.low, &y.high), (&x.low, &y.low), (&x.high, &y.high)]
                .map(|(a, b)| at_most(a, b));
            match known.contains(&Some(true)) {
                true => Some(true),
                false => known[0],
            }
        });
        match (x_first, y_first) {
            (Some(true), Some(true)) => true,
            (Some(true), None) | (None, Some(true)) => {
                let stride = x.stride().max(y.stride()).checked_mul(by.saturating_abs());
                (x.counted || y.counted) && stride == Some(1)
            }
            _ => false,
        }
    }

    fn interval(&self, dim: &Dim) -> Option<Interval> {
        match dim {
            Dim::At(form) => self.counted(form),
            Dim::Part(from, to) => {
                let (from, to) = (self.counted(from)?, self.counted(to.as_ref()?)?);
                let mut high = to.high;
                high.constant = high.constant.checked_sub(1)?;
                Some(Interval {
                    low: from.low,
                    high,
                    counted: from.counted || to.counted,
                })
            }
            Dim::Component(_) | Dim::Span(_) | Dim::Other(_) => None,
        }
    }

    /// The values of a form, in which induction variables of inner loops go through their ranges.
    fn counted(&self, form: &Affine) -> Option<Interval> {
        let mut plain = form.clone();
        plain.others.clear();
        let mut found = Interval {
            low: plain.clone(),
            high: plain,
            counted: false,
        };
        for (&var, &factor) in &form.others {
            let (low, high) = match self.inner_bounds(var) {
                Some((first, last)) if factor == 1 => (first, last),
                Some((first, last)) if factor == -1 => (last, first),
                // Every so many elements.
                Some(_) => return None,
                None => {
                    let symbol = self.symbol(var)?;
                    found.low = found.low.plus(factor, &symbol)?;
                    found.high = found.high.plus(factor, &symbol)?;
                    continue;
                }
            };
            found.counted = true;
            found.low = found.low.plus(factor, &low)?;
            found.high = found.high.plus(factor, &high)?;
        }
        Some(found)
    }

    /// A variable with the same value in each iteration, as a form.
    fn symbol(&self, var: Var) -> Option<Affine> {
        let mut form = Affine::default();
        form.others.insert(var, 1);
        self.is_stable(&form).then_some(form)
    }

    /// The first and the last value of the induction variable of an inner `range` with step 1.
    pub(super) fn inner_bounds(&self, var: Var) -> Option<(Affine, Affine)> {
        let expr = |var: Var| match self.def(var) {
            Some((true, Rhs::Expr(expr))) => Some(expr),
            _ => None,
        };
        let Expr::PairFirst(pair) = expr(var)? else {
            return None;
        };
        let Expr::IterNext(iter) = expr(*pair)? else {
            return None;
        };
        let Expr::GetIter(range) = expr(self.original(*iter))? else {
            return None;
        };
        self.bounds(*range)
    }

    /// The first and the last item of a `range` with step 1.
    pub(super) fn bounds(&self, range: Var) -> Option<(Affine, Affine)> {
        let range = self.original(range);
        let made = self.uses.only_def(range)?;
        let is_range = matches!(
            self.cx.types.kind(self.cx.var_type(range)?),
            TypeKind::Range(_)
        );
        let args = &self.cx.typed.calls[made].as_ref()?.args;
        if !is_range
            || !matches!(
                self.cx.intrinsic_of(made),
                Some(Op::RangeNew | Op::ParallelRangeNew)
            )
        {
            return None;
        }
        let form = |arg: &CallArg| match arg {
            CallArg::Var(var) => {
                let form = self.affine(*var);
                self.is_stable(&form).then_some(form)
            }
            _ => None,
        };
        let given: Vec<&CallArg> = args
            .iter()
            .filter(|arg| matches!(arg, CallArg::Var(_)))
            .collect();
        let (first, mut last) = match given.as_slice() {
            [stop] => (Affine::default(), form(stop)?),
            [start, stop] => (form(start)?, form(stop)?),
            [start, stop, step] if form(step)?.as_constant() == Some(1) => {
                (form(start)?, form(stop)?)
            }
            _ => return None,
        };
        last.constant = last.constant.checked_sub(1)?;
        Some((first, last))
    }
}
