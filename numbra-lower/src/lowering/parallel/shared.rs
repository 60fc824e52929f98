//! Elements of arrays that several iterations change.
//!
//! `h[x[i]] += 1`, `y[:] += x[i]`, `y[j] += x[i, j]` with `j` of an inner loop: different iterations may change the same
//! elements. Where all that the loop does with an array is to combine its elements by one operator, each chunk has an array of its
//! own, as in reductions of variables. Else a loop whose iterations certainly depend on each other (`a[i] = a[i - 1]`,
//! `y[0] = x[i]`) runs serially. What cannot be told (`a[x[i]] = b[i]`) is the user's to know: `prange` says that it is so.

use super::accesses::{Kind, Uses};
use super::linear::Iteration;
use super::meeting::{Flow, Meeting};
use numbra_ir::{Block, Expr, Rhs, Var};
use numbra_library::Reduce;

/// An array of which each chunk has its own.
#[derive(Clone, Debug)]
pub(in super::super) struct Private {
    /// The variables that stand for it in the loop.
    pub(super) vars: Vec<Var>,
    pub(super) reduce: Reduce,
}

impl Iteration<'_, '_, '_> {
    /// The arrays that chunks have their own of; an error says why the loop must run serially.
    pub(super) fn private_arrays(
        &self,
        body: &[Block],
        step: Option<i64>,
        flow: &Flow<'_>,
    ) -> Result<Vec<Private>, String> {
        let mut arrays: Vec<(Var, Uses)> = Vec::new();
        for (var, _) in self.fx.typed.func.vars.iter() {
            let is_array = self.array_type(var).is_some();
            let outside = self.uses.only_def(var).is_none_or(|def| {
                !self.uses.block_of[def].is_some_and(|block| self.inside.contains(&block))
            });
            let used = self.uses.uses[var].iter().any(|user| self.is_inside(*user));
            if !(is_array && outside && used) {
                continue;
            }
            let root = self.original(var);
            let at = match arrays.iter().position(|(other, _)| *other == root) {
                Some(at) => at,
                None => {
                    arrays.push((root, Uses::default()));
                    arrays.len() - 1
                }
            };
            arrays[at].1.vars.push(var);
            self.collect(var, &[], &mut arrays[at].1, 0);
        }
        let mut private = Vec::new();
        for (root, uses) in &arrays {
            let (meeting, reason) = self.meeting(*root, uses, body, step, flow);
            if meeting == Meeting::Unknown {
                continue;
            }
            let base = self.base(*root);
            let alone = arrays
                .iter()
                .all(|(other, _)| other == root || self.base(*other) != base);
            match self.reduction(uses).filter(|_| alone) {
                Some(reduce) => private.push(Private {
                    vars: uses.vars.clone(),
                    reduce,
                }),
                None if meeting == Meeting::Certain => return Err(reason),
                None => {}
            }
        }
        Ok(private)
    }

    /// The array that a variable is, or is a view of.
    fn base(&self, var: Var) -> Var {
        let mut at = var;
        for _ in 0..64 {
            at = match self.def(at) {
                Some((_, Rhs::Var(of))) => *of,
                Some((
                    _,
                    Rhs::Expr(
                        Expr::GetItem { value, .. }
                        | Expr::StaticGetItem { value, .. }
                        | Expr::GetAttr { value, .. },
                    ),
                )) if self.array_type(*value).is_some() => *value,
                _ => break,
            };
        }
        at
    }

    /// The operator of all that is done with an array.
    fn reduction(&self, uses: &Uses) -> Option<Reduce> {
        if uses.escapes {
            return None;
        }
        let mut found = None;
        for access in &uses.accesses {
            let Kind::Update(reduce) = access.kind else {
                return None;
            };
            if found.is_some_and(|known| known != reduce) {
                return None;
            }
            found = Some(reduce);
        }
        found
    }
}
