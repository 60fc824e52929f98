//! Integers of an iteration as affine forms: `2 * i + n - 1`.

use super::context::Context;
use numbra_base::FxHashSet;
use numbra_ir::analysis::DefUse;
use numbra_ir::{BinOp, Block, Const, Expr, Rhs, StmtKind, UnaryOp, Var};
use std::collections::BTreeMap;

/// One loop that may run in parallel, for questions about what its iterations compute.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'a> {
    /// Of the function that the loop stands in, or of its copy with callees in place of calls.
    pub(super) cx: Context<'a>,
    /// The blocks of an iteration.
    pub(super) inside: &'a FxHashSet<Block>,
    pub(super) uses: &'a DefUse,
    /// What the loop counts in.
    pub(super) item: Option<Var>,
    /// What it goes over.
    pub(super) range: Var,
}

/// `item * i + constant + others`, where each other variable has a factor.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Affine {
    pub(super) item: i64,
    pub(super) constant: i64,
    pub(super) others: BTreeMap<Var, i64>,
}

impl Affine {
    fn constant(constant: i64) -> Affine {
        Affine {
            constant,
            ..Affine::default()
        }
    }

    fn symbol(var: Var) -> Affine {
        Affine {
            others: BTreeMap::from([(var, 1)]),
            ..Affine::default()
        }
    }

    /// `self + factor * other`; none if a number is too large.
    pub(super) fn plus(&self, factor: i64, other: &Affine) -> Option<Affine> {
        let add = |a: i64, b: i64| a.checked_add(b.checked_mul(factor)?);
        let mut others = self.others.clone();
        for (var, by) in &other.others {
            let sum = add(others.get(var).copied().unwrap_or(0), *by)?;
            match sum {
                0 => others.remove(var),
                sum => others.insert(*var, sum),
            };
        }
        Some(Affine {
            item: add(self.item, other.item)?,
            constant: add(self.constant, other.constant)?,
            others,
        })
    }

    pub(super) fn as_constant(&self) -> Option<i64> {
        (self.item == 0 && self.others.is_empty()).then_some(self.constant)
    }
}

/// Longer expressions are taken as they are.
const MAX_DEPTH: usize = 32;

impl Candidate<'_> {
    /// What defines a variable, and whether that is in the loop.
    pub(super) fn def(&self, var: Var) -> Option<(bool, &Rhs)> {
        let inst = self.uses.only_def(var)?;
        match &self.cx.typed.func.insts[inst].kind {
            StmtKind::Assign { value, .. } => {
                let within = self.uses.block_of[inst].is_some_and(|b| self.inside.contains(&b));
                Some((within, value))
            }
            _ => None,
        }
    }

    /// The variable that a variable is a copy of.
    pub(super) fn original(&self, var: Var) -> Var {
        let mut at = var;
        for _ in 0..MAX_DEPTH {
            match self.def(at) {
                Some((_, Rhs::Var(of))) => at = *of,
                _ => break,
            }
        }
        at
    }

    /// A variable's value in terms of the loop's item and of variables that nothing is known about.
    pub(super) fn affine(&self, var: Var) -> Affine {
        let var = self.original(var);
        self.form(var, 0).unwrap_or_else(|| Affine::symbol(var))
    }

    fn form(&self, var: Var, depth: usize) -> Option<Affine> {
        let var = self.original(var);
        if Some(var) == self.item.map(|item| self.original(item)) {
            return Some(Affine {
                item: 1,
                ..Affine::default()
            });
        }
        if depth > MAX_DEPTH {
            return Some(Affine::symbol(var));
        }
        let form = |of: Var| self.form(of, depth + 1);
        let found = match self.def(var) {
            Some((_, Rhs::Const(Const::Int(n)))) => Some(Affine::constant(*n)),
            Some((true, Rhs::Expr(expr))) => match expr {
                Expr::Cast { value, .. } if self.is_integer(*value) => form(*value),
                Expr::Unary {
                    op: UnaryOp::Neg,
                    value,
                } => Affine::default().plus(-1, &form(*value)?),
                Expr::BinOp { op, lhs, rhs, .. } | Expr::InplaceBinOp { op, lhs, rhs, .. } => {
                    let (a, b) = (form(*lhs)?, form(*rhs)?);
                    match op {
                        BinOp::Add => a.plus(1, &b),
                        BinOp::Sub => a.plus(-1, &b),
                        BinOp::Mul => match (a.as_constant(), b.as_constant()) {
                            (_, Some(n)) => Affine::default().plus(n, &a),
                            (Some(n), None) => Affine::default().plus(n, &b),
                            (None, None) => None,
                        },
                        _ => None,
                    }
                }
                _ => None,
            },
            _ => None,
        };
        Some(found.unwrap_or_else(|| Affine::symbol(var)))
    }

    /// Which part of the loop's item a variable is, where the item is an index of several axes.
    pub(super) fn component(&self, var: Var) -> Option<usize> {
        let Some((true, Rhs::Expr(Expr::StaticGetItem { value, index, .. }))) =
            self.def(self.original(var))
        else {
            return None;
        };
        let mut of = self.original(*value);
        if let Some((true, Rhs::Expr(Expr::ExhaustIter { value, .. }))) = self.def(of) {
            of = self.original(*value);
        }
        match index {
            Const::Int(n) if self.is_item(of) => usize::try_from(*n).ok(),
            _ => None,
        }
    }

    /// True for the loop's item.
    pub(super) fn is_item(&self, var: Var) -> bool {
        self.item
            .is_some_and(|item| self.original(item) == self.original(var))
    }

    /// The number of axes of the loop's item; 0 for a number.
    pub(super) fn axes(&self) -> usize {
        let ty = self.item.and_then(|item| self.cx.var_type(item));
        ty.and_then(|ty| self.cx.types.tuple_items(ty))
            .map_or(0, |items| items.len())
    }

    pub(super) fn is_integer(&self, var: Var) -> bool {
        let ty = self.cx.var_type(var);
        ty.and_then(|ty| self.cx.types.as_scalar(ty))
            .is_some_and(|kind| kind.is_int())
    }
}
