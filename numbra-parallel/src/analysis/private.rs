//! Elements of arrays that several iterations change.
//!
//! `h[x[i]] += 1`, `y[:] += x[i]`, `y[j] += x[i, j]` with `j` of an inner loop: different iterations may change the same
//! elements. Where all that the loop does with an array is to combine its elements by one operator, each chunk has an array of its
//! own, as in reductions of variables. Else a loop whose iterations certainly depend on each other (`a[i] = a[i - 1]`,
//! `y[0] = x[i]`) runs serially. Where they do if an index has the same value twice, or by a condition on data
//! (`h[x[i]] += 1` beside `s += h[0]`, `if x[i] < h[k]: h[k] = x[i]`), the loop runs in parallel and the array is named as a
//! *hazard*. What else cannot be told (`a[x[i]] = b[i]`) is the user's to know: `prange` says that it is so.

use super::accesses::{Kind, Uses};
use super::affine::Candidate;
use super::dependence::{Certainty, Flow};
use super::indices::{Dim, constant_dims};
use crate::{Hazard, PrivateArray, SerialReason};
use numbra_ir::{Block, CallArg, Expr, Inst, Rhs, Var};
use numbra_library::{Op, Reduce};

impl Candidate<'_> {
    /// The arrays that chunks have their own of, and the hazards of others; an error says why the loop must run serially.
    pub(super) fn private_arrays(
        &self,
        body: &[Block],
        reduced: &[Var],
        step: Option<i64>,
        flow: &Flow<'_>,
    ) -> Result<(Vec<PrivateArray>, Vec<Hazard>), SerialReason> {
        let mut arrays: Vec<(Var, Uses)> = Vec::new();
        for (var, _) in self.cx.typed.func.vars.iter() {
            let is_array = self.array_type(var).is_some();
            let outside = self.is_outside(var);
            let used = self.uses.uses(var).iter().any(|user| self.is_inside(*user));
            if !(is_array && used) {
                continue;
            }
            let (root, named, path) = match outside {
                true => (self.original(var), var, Vec::new()),
                false => match self.contained(var, 0) {
                    Some(found) => found,
                    None => continue,
                },
            };
            let at = match arrays.iter().position(|(other, _)| *other == root) {
                Some(at) => at,
                None => {
                    arrays.push((root, Uses::default()));
                    arrays.len() - 1
                }
            };
            arrays[at].1.vars.push(named);
            // Items of containers have no copies.
            arrays[at].1.escapes |= !path.is_empty();
            self.collect(var, &path, &mut arrays[at].1, 0);
        }
        for &phi in reduced {
            let Some((_, Rhs::Expr(Expr::Phi(incoming)))) = self.def(phi) else {
                continue;
            };
            let mut before = incoming.iter().filter_map(|(block, var)| {
                let enters = !self.inside.contains(block);
                var.filter(|_| enters).map(|var| self.base(var))
            });
            // The phi itself takes it.
            let own = self.uses.only_def(phi);
            let is_used = |var: &&Var| {
                let mut users = self.uses.uses(**var).iter();
                users.any(|user| Some(*user) != own && self.is_inside(*user))
            };
            let used_name = |base: Var| {
                let of_base = arrays.iter().filter(|(root, _)| self.base(*root) == base);
                of_base.flat_map(|(_, uses)| &uses.vars).find(is_used)
            };
            if let Some(used) = before.find_map(used_name) {
                let (array, var) = (self.cx.source_name(*used), self.cx.source_name(phi));
                return Err(SerialReason::AliasOfReduction { array, var });
            }
        }
        let mut private = Vec::new();
        let mut hazards = Vec::new();
        for (root, uses) in &arrays {
            let Some((certainty, hazard)) = self.dependence(*root, uses, body, step, flow) else {
                continue;
            };
            let base = self.base(*root);
            let alone = arrays
                .iter()
                .all(|(other, _)| other == root || self.base(*other) != base);
            match self.reduction(uses).filter(|_| alone) {
                Some(reduce) => private.push(PrivateArray {
                    vars: uses.vars.clone(),
                    reduce,
                }),
                None if certainty == Certainty::Certain => {
                    let Hazard { kind, array, .. } = hazard;
                    return Err(SerialReason::Dependence { kind, array });
                }
                None => match uses.nan_reset() {
                    Some(reduce) => {
                        let array = uses.name(*root, self);
                        return Err(SerialReason::NanReset { array, reduce });
                    }
                    None => hazards.push(hazard),
                },
            }
        }
        Ok((private, hazards))
    }

    /// True for variables that no iteration defines.
    fn is_outside(&self, var: Var) -> bool {
        self.uses
            .only_def(var)
            .is_none_or(|def| !self.is_inside(def))
    }

    /// The container from outside that the loop takes an object from, and where it stands there.
    fn contained(&self, var: Var, depth: usize) -> Option<(Var, Var, Vec<Dim>)> {
        let (container, dim) = match self.def(var) {
            Some((true, Rhs::Expr(expr))) => match expr {
                Expr::GetItem { value, index } => (*value, self.dims(*index)),
                Expr::StaticGetItem { value, index, .. } => (*value, constant_dims(index)),
                Expr::GetAttr { value, attr } => {
                    (*value, vec![Dim::Span(Some(format!(".{attr}")))])
                }
                // All iterations go through the same items.
                Expr::PairFirst(pair) => match self.def(*pair) {
                    Some((true, Rhs::Expr(Expr::IterNext(iter)))) => match self.def(*iter) {
                        Some((true, Rhs::Expr(Expr::GetIter(of)))) => {
                            (*of, vec![Dim::Span(Some("items".to_owned()))])
                        }
                        _ => return None,
                    },
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        let mut named = container;
        let container = self.original(container);
        // Parameters of functions that the loop calls are copies.
        while let Some((true, Rhs::Var(of))) = self.def(named) {
            named = *of;
        }
        if depth > 16 || self.array_type(container).is_some() {
            return None;
        }
        match self.def(container) {
            Some((true, _)) => {
                let (root, named, mut path) = self.contained(container, depth + 1)?;
                path.extend(dim);
                Some((root, named, path))
            }
            Some((false, _)) | None => Some((container, named, dim)),
        }
    }

    /// True if a variable, or the object whose method it is, is one that other iterations may use too.
    pub(super) fn is_shared(&self, var: Var) -> bool {
        let mut at = var;
        let mut is_item = false;
        for _ in 0..64 {
            at = match self.def(at) {
                Some((true, Rhs::Var(of))) => *of,
                Some((true, Rhs::Expr(expr))) => match expr {
                    Expr::GetAttr { value, .. } | Expr::StaticGetItem { value, .. } => *value,
                    Expr::PairFirst(value) | Expr::IterNext(value) => {
                        is_item = true;
                        *value
                    }
                    // Iterators give themselves; others a new one, of items that they hold.
                    Expr::GetIter(value) => {
                        let ty = self.cx.var_type(*value);
                        if !is_item && !ty.is_some_and(|ty| self.cx.types.kind(ty).is_iterator()) {
                            return false;
                        }
                        *value
                    }
                    // `lists[i]`
                    Expr::GetItem { index, .. } if self.is_own(&self.dims(*index)) => return false,
                    Expr::GetItem { value, .. } => *value,
                    _ => return false,
                },
                Some((true, _)) => return false,
                Some((false, _)) | None => return true,
            };
        }
        true
    }

    /// True for indices of one iteration only.
    fn is_own(&self, dims: &[Dim]) -> bool {
        let [Dim::At(form)] = dims else { return false };
        form.item != 0 && self.is_stable(form)
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
                Some((_, Rhs::Expr(Expr::Call { .. }))) => match self.viewed(at) {
                    Some(of) => of,
                    None => break,
                },
                _ => break,
            };
        }
        at
    }

    /// The array that a call gives a view of.
    fn viewed(&self, view: Var) -> Option<Var> {
        let call = self.uses.only_def(view)?;
        self.is_view(call)
            .then(|| match self.cx.typed.calls[call].as_ref()?.args.first()? {
                CallArg::Var(of) => Some(*of),
                CallArg::Item(..) | CallArg::Default(_) | CallArg::Tuple(_) => None,
            })?
    }

    /// True for calls that give a view of their first argument, with other axes.
    pub(super) fn is_view(&self, call: Inst) -> bool {
        let op = self.cx.intrinsic_of(call);
        matches!(op, Some(Op::ArrayReshape | Op::ArrayTranspose))
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
