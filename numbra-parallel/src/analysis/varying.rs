//! Values that differ from iteration to iteration.

use super::affine::Candidate;
use numbra_base::FxHashMap;
use numbra_ir::{Expr, Rhs, StmtKind, Var};

impl Candidate<'_> {
    /// True unless a variable has the same values in each iteration.
    pub(super) fn is_varying(&self, var: Var) -> bool {
        self.is_varying_in(var, &mut FxHashMap::default(), 0)
    }

    /// As [`Candidate::is_varying`], with what is known so far.
    fn is_varying_in(&self, var: Var, known: &mut FxHashMap<Var, bool>, depth: usize) -> bool {
        let (inside, uses) = (self.inside, self.uses);
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
        let StmtKind::Assign { value, .. } = &self.cx.typed.func.insts[def].kind else {
            return true;
        };
        // Loops lead back here; what they add decides.
        known.insert(var, false);
        let mut any = |vars: &[Var]| {
            vars.iter()
                .any(|of| self.is_varying_in(*of, known, depth + 1))
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
                    let pure = self.cx.typed.calls[def].as_ref().is_some_and(|site| {
                        matches!(site.callee, numbra_ir::Callee::Row(row, _)
                        if self.cx.row(row).is_some_and(|row| {
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
