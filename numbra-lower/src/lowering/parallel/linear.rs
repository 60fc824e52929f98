//! Integers of an iteration as linear forms: `2 * i + n - 1`.

use super::super::function::Fx;
use numbra_base::FxHashSet;
use numbra_ir::analysis::DefUse;
use numbra_ir::{BinOp, Block, Const, Expr, Inst, Rhs, StmtKind, Type, TypedFunc, UnaryOp, Var};
use numbra_library::Op;
use std::collections::BTreeMap;

/// One parallel loop, for questions about what its iterations compute.
#[derive(Clone, Copy)]
pub(super) struct Iteration<'a, 'f, 'm> {
    pub(super) fx: &'a Fx<'f, 'm>,
    /// The function that the loop stands in, or its copy with callees in place of calls.
    pub(super) typed: &'a TypedFunc,
    pub(super) inside: &'a FxHashSet<Block>,
    pub(super) uses: &'a DefUse,
    /// What the loop counts in.
    pub(super) item: Option<Var>,
    /// What it goes over.
    pub(super) range: Var,
}

/// `item * i + constant + others`, where each other variable has a factor.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Linear {
    pub(super) item: i64,
    pub(super) constant: i64,
    pub(super) others: BTreeMap<Var, i64>,
}

impl Linear {
    fn constant(constant: i64) -> Linear {
        Linear {
            constant,
            ..Linear::default()
        }
    }

    fn symbol(var: Var) -> Linear {
        Linear {
            others: BTreeMap::from([(var, 1)]),
            ..Linear::default()
        }
    }

    /// `self + factor * other`; none if a number is too large.
    pub(super) fn plus(&self, factor: i64, other: &Linear) -> Option<Linear> {
        let add = |a: i64, b: i64| a.checked_add(b.checked_mul(factor)?);
        let mut others = self.others.clone();
        for (var, by) in &other.others {
            let sum = add(others.get(var).copied().unwrap_or(0), *by)?;
            match sum {
                0 => others.remove(var),
                sum => others.insert(*var, sum),
            };
        }
        Some(Linear {
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

impl Iteration<'_, '_, '_> {
    pub(super) fn var_type(&self, var: Var) -> Option<Type> {
        self.typed.var_types[var].filter(|ty| *ty != Type::UNDEFINED)
    }

    /// The intrinsic that a statement is.
    pub(super) fn intrinsic_of(&self, inst: Inst) -> Option<Op> {
        self.fx.intrinsic_at(self.typed.calls[inst].as_ref()?)
    }

    /// The name that the user gave a variable.
    pub(super) fn source_name(&self, var: Var) -> String {
        let func = &self.typed.func;
        let origin = func.vars[var].version_of.unwrap_or(var);
        func.var_name(origin).to_owned()
    }

    /// What defines a variable, and whether that is in the loop.
    pub(super) fn def(&self, var: Var) -> Option<(bool, &Rhs)> {
        let inst = self.uses.only_def(var)?;
        match &self.typed.func.insts[inst].kind {
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
    pub(super) fn linear(&self, var: Var) -> Linear {
        let var = self.original(var);
        self.form(var, 0).unwrap_or_else(|| Linear::symbol(var))
    }

    fn form(&self, var: Var, depth: usize) -> Option<Linear> {
        let var = self.original(var);
        if Some(var) == self.item.map(|item| self.original(item)) {
            return Some(Linear {
                item: 1,
                ..Linear::default()
            });
        }
        if depth > MAX_DEPTH {
            return Some(Linear::symbol(var));
        }
        let form = |of: Var| self.form(of, depth + 1);
        let found = match self.def(var) {
            Some((_, Rhs::Const(Const::Int(n)))) => Some(Linear::constant(*n)),
            Some((true, Rhs::Expr(expr))) => match expr {
                Expr::Cast { value, .. } if self.is_integer(*value) => form(*value),
                Expr::Unary {
                    op: UnaryOp::Neg,
                    value,
                } => Linear::default().plus(-1, &form(*value)?),
                Expr::BinOp { op, lhs, rhs, .. } | Expr::InplaceBinOp { op, lhs, rhs, .. } => {
                    let (a, b) = (form(*lhs)?, form(*rhs)?);
                    match op {
                        BinOp::Add => a.plus(1, &b),
                        BinOp::Sub => a.plus(-1, &b),
                        BinOp::Mul => match (a.as_constant(), b.as_constant()) {
                            (_, Some(n)) => Linear::default().plus(n, &a),
                            (Some(n), None) => Linear::default().plus(n, &b),
                            (None, None) => None,
                        },
                        _ => None,
                    }
                }
                _ => None,
            },
            _ => None,
        };
        Some(found.unwrap_or_else(|| Linear::symbol(var)))
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
        let ty = self.item.and_then(|item| self.var_type(item));
        ty.and_then(|ty| self.fx.types.tuple_items(ty))
            .map_or(0, |items| items.len())
    }

    pub(super) fn is_integer(&self, var: Var) -> bool {
        let ty = self.var_type(var);
        ty.and_then(|ty| self.fx.types.as_scalar(ty))
            .is_some_and(|kind| kind.is_int())
    }
}
