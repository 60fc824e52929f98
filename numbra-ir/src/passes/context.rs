//! What passes know beside the function.

use crate::{Expr, Func, Inst, Rhs, StmtKind, Type, Types};

/// What a statement does beside assigning, as callers know it who know callees.
pub type EffectOf = dyn Fn(&Func, Inst) -> Effect + Send + Sync;

/// Facts for passes.
#[derive(Clone, Copy)]
pub struct PassContext<'a> {
    /// The Session's types.
    pub types: &'a Types,
    /// Types of the parameters; empty where they are not known yet.
    pub args: &'a [Type],
    /// May a statement be dropped when nobody reads what it assigns? [`plain_effect`] knows no callee.
    pub effect: &'a EffectOf,
}

impl<'a> PassContext<'a> {
    /// A context without knowledge of callees.
    pub fn new(types: &'a Types, args: &'a [Type]) -> PassContext<'a> {
        PassContext {
            types,
            args,
            effect: &plain_effect,
        }
    }

    /// The type of parameter `n`, if known.
    pub fn arg_type(&self, n: u32) -> Option<Type> {
        self.args.get(n as usize).copied()
    }
}

/// What a statement does beside assigning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Effect {
    /// Nothing: it may be dropped when nobody reads what it assigns.
    None,
    /// It may raise, but nothing else.
    MayRaise,
    /// Anything.
    Any,
}

/// The effect of a statement as far as its kind says: operators, calls, attributes and subscripts may do anything.
pub fn plain_effect(func: &Func, inst: Inst) -> Effect {
    let StmtKind::Assign { value, .. } = &func.insts[inst].kind else {
        return Effect::Any;
    };
    match value {
        Rhs::Arg(_)
        | Rhs::Const(_)
        | Rhs::Global(_)
        | Rhs::FreeVar { .. }
        | Rhs::Var(_)
        | Rhs::Undefined => Effect::None,
        Rhs::Yield { .. } => Effect::Any,
        Rhs::Expr(expr) => match expr {
            Expr::BuildTuple(_)
            | Expr::PairFirst(_)
            | Expr::PairSecond(_)
            | Expr::Phi(_)
            | Expr::MakeFunction { .. }
            | Expr::ExceptionMatch { .. }
            | Expr::Null => Effect::None,
            // Allocation only.
            Expr::BuildList(_) => Effect::None,
            // Hashing and conversion to text call methods.
            Expr::BuildSet(_) | Expr::BuildMap(_) | Expr::BuildString(_) => Effect::Any,
            Expr::ExhaustIter { .. } | Expr::Cast { .. } => Effect::MayRaise,
            Expr::BinOp { .. }
            | Expr::InplaceBinOp { .. }
            | Expr::Unary { .. }
            | Expr::Call { .. }
            | Expr::GetIter(_)
            | Expr::IterNext(_)
            | Expr::GetAttr { .. }
            | Expr::GetItem { .. }
            | Expr::StaticGetItem { .. } => Effect::Any,
        },
    }
}
