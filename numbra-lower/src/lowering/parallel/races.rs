//! Stores of several iterations to the same elements.
//!
//! `y[0] += x[i]` in a `prange` over `i`, or `y[j] += x[i, j]` with `j` of an inner loop: the elements that an iteration
//! writes do not depend on which iteration it is, so that iterations overwrite each other's results.

use super::super::function::Fx;
use numbra_base::{FxHashMap, FxHashSet};
use numbra_ir::analysis::DefUse;
use numbra_ir::{Block, Expr, Inst, Rhs, StmtKind, Var};

impl Fx<'_, '_> {
    /// The reason against a store to an array from outside that every iteration does to the same elements.
    pub(super) fn check_store(
        &self,
        inst: Inst,
        inside: &FxHashSet<Block>,
        uses: &DefUse,
    ) -> Result<(), String> {
        let (target, index) = match &self.typed.func.insts[inst].kind {
            StmtKind::SetItem { target, index, .. } => (*target, Some(*index)),
            StmtKind::StaticSetItem { target, .. } => (*target, None),
            _ => return Ok(()),
        };
        let is_array = self
            .var_type(target)
            .is_some_and(|ty| self.types.as_array(ty).is_some());
        if !is_array || !self.is_from_outside(target, inside, uses) {
            return Ok(());
        }
        let mut known = FxHashMap::default();
        if index.is_some_and(|index| self.varies(index, inside, uses, &mut known, 0)) {
            return Ok(());
        }
        let name = self.source_name(target);
        Err(format!(
            "all its iterations write the same elements of `{name}`"
        ))
    }

    /// True unless a variable has the same values in each iteration.
    fn varies(
        &self,
        var: Var,
        inside: &FxHashSet<Block>,
        uses: &DefUse,
        known: &mut FxHashMap<Var, bool>,
        depth: usize,
    ) -> bool {
        if let Some(&known) = known.get(&var) {
            return known;
        }
        let Some(def) = uses.only_def(var) else {
            return true;
        };
        if depth > 100 {
            return true;
        }
        if !uses.block_of[def].is_some_and(|block| inside.contains(&block)) {
            return false;
        }
        let StmtKind::Assign { value, .. } = &self.typed.func.insts[def].kind else {
            return true;
        };
        // Loops lead back here; what they add decides.
        known.insert(var, false);
        let mut any = |vars: &[Var]| {
            vars.iter()
                .any(|of| self.varies(*of, inside, uses, known, depth + 1))
        };
        let varies = match value {
            Rhs::Const(_) | Rhs::Global(_) | Rhs::FreeVar { .. } => false,
            Rhs::Var(of) => any(&[*of]),
            Rhs::Expr(expr) => match expr {
                Expr::BinOp { lhs, rhs, .. } | Expr::InplaceBinOp { lhs, rhs, .. } => {
                    any(&[*lhs, *rhs])
                }
                Expr::Unary { value, .. }
                | Expr::Cast { value, .. }
                | Expr::GetIter(value)
                | Expr::PairFirst(value)
                | Expr::PairSecond(value)
                | Expr::GetAttr { value, .. }
                | Expr::StaticGetItem { value, .. }
                | Expr::ExhaustIter { value, .. } => any(&[*value]),
                // The loop's own item comes from its step, in the header.
                Expr::IterNext(iter) => {
                    let own = uses
                        .only_def(*iter)
                        .and_then(|def| uses.block_of[def])
                        .is_none_or(|block| !inside.contains(&block));
                    own || any(&[*iter])
                }
                Expr::BuildTuple(items) => any(items),
                Expr::Phi(incoming) => {
                    let vars: Vec<Var> = incoming.iter().filter_map(|(_, var)| *var).collect();
                    any(&vars)
                }
                // Pure functions of what does not vary.
                Expr::Call {
                    args, kws, vararg, ..
                } => {
                    let pure = self.typed.calls[def].as_ref().is_some_and(|site| {
                        matches!(site.callee, numbra_ir::Callee::Row(row, _)
                        if self.mx.library.row_checked(row).is_some_and(|row| {
                            use numbra_library::Effects as E;
                            !(row.effects.has(E::READ)
                                || row.effects.has(E::WRITE)
                                || row.effects.has(E::IO)
                                || row.effects.has(E::STATE))
                        }))
                    });
                    let mut vars = args.clone();
                    vars.extend(kws.iter().map(|(_, var)| *var));
                    vars.extend(vararg);
                    !pure || any(&vars)
                }
                Expr::BuildList(_)
                | Expr::BuildSet(_)
                | Expr::BuildMap(_)
                | Expr::BuildString(_)
                | Expr::GetItem { .. }
                | Expr::MakeFunction { .. }
                | Expr::ExceptionMatch { .. }
                | Expr::Null => true,
            },
            Rhs::Arg(_) | Rhs::Yield { .. } | Rhs::Undefined => true,
        };
        known.insert(var, varies);
        varies
    }
}
