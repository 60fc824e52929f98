//! `dead_branch_prune`.

use super::const_eval::{compare_consts, truth};
use super::context::PassContext;
use super::known;
use super::semantic_constants::arg_type;
use super::surgery::{forget_predecessor, remove_unreachable};
use crate::analysis::DefUse;
use crate::pipeline::{Changed, PassResult};
use crate::{BinOp, Const, Expr, Func, Rhs, StmtKind, Type, TypeKind, UnaryOp, Var};
use numbra_base::FxHashMap;

/// Replaces branches whose condition is known by jumps, and drops what cannot be reached then.
///
/// ```text
/// f(x: none)
///   before                        after
///     $0 = const(NoneType, None)    $0 = const(NoneType, None)
///     $1 = x is $0                  $1 = const(bool, True)
///     branch $1, bb1, bb2           jump bb1
/// ```
///
/// Known are: constants and constant globals, `not` and `bool()` of them, comparisons of constants, and for parameters
/// by their types: literals, defaults, and `x is None` for `none`. As in Numba, the test of a parameter
/// that is something else stays, and both branches are typed.
/// Computed conditions become constants. Works before and after SSA.
pub fn dead_branch_prune(func: &mut Func, cx: &PassContext<'_>) -> PassResult {
    let mut any = false;
    loop {
        let defs = DefUse::new(func);
        let mut eval = Eval {
            func,
            defs: &defs,
            cx,
            known: FxHashMap::default(),
        };
        let mut decided = Vec::new();
        for &block in &func.layout {
            if let Some(StmtKind::Branch { cond, then, other }) = func.terminator(block)
                && let Some(value) = eval.truth_of(*cond, 0)
            {
                decided.push((block, *cond, value, *then, *other));
            }
        }
        if decided.is_empty() {
            return Ok(Changed::from(any));
        }
        any = true;
        for (block, cond, value, then, other) in decided {
            // The condition's one assignment becomes a constant, if it is a computation.
            if let Some(def) = defs.only_def(cond)
                && let StmtKind::Assign { value: rhs, .. } = &mut func.insts[def].kind
                && matches!(rhs, Rhs::Expr(_))
            {
                *rhs = Rhs::Const(Const::Bool(value));
            }
            let (taken, dropped) = if value { (then, other) } else { (other, then) };
            if let Some(&last) = func.blocks[block].insts.last() {
                func.insts[last].kind = StmtKind::Jump(taken);
            }
            if taken != dropped {
                forget_predecessor(func, dropped, block);
            }
        }
        remove_unreachable(func);
    }
}

/// What is known of a variable.
#[derive(Clone, PartialEq)]
enum Known {
    /// It is this constant.
    Value(Const),
    /// It is not None.
    NotNone,
}

struct Eval<'a> {
    func: &'a Func,
    defs: &'a DefUse,
    cx: &'a PassContext<'a>,
    known: FxHashMap<Var, Option<Known>>,
}

impl Eval<'_> {
    fn truth_of(&mut self, var: Var, depth: u32) -> Option<bool> {
        match self.value_of(var, depth)? {
            Known::Value(value) => Some(truth(&value)),
            Known::NotNone => None,
        }
    }

    fn value_of(&mut self, var: Var, depth: u32) -> Option<Known> {
        if let Some(known) = self.known.get(&var) {
            return known.clone();
        }
        // Chains of definitions end; the bound is for cycles in unreachable or wrong code.
        let known = if depth > 64 {
            None
        } else {
            self.compute(var, depth + 1)
        };
        self.known.insert(var, known.clone());
        known
    }

    fn compute(&mut self, var: Var, depth: u32) -> Option<Known> {
        if let Some(value) = self.defs.constant(self.func, var) {
            return Some(Known::Value(value));
        }
        if let Some(ty) = arg_type(self.func, self.defs, self.cx, var) {
            return self.of_type(ty);
        }
        let Rhs::Expr(expr) = self.defs.definition(self.func, var)? else {
            return None;
        };
        let value = match expr {
            Expr::Unary {
                op: UnaryOp::Not,
                value,
            } => !self.truth_of(*value, depth)?,
            Expr::Call {
                func: callee,
                args,
                kws,
                vararg: None,
            } if kws.is_empty()
                && args.len() == 1
                && known::is_object(self.func, self.defs, *callee, known::BOOL) =>
            {
                self.truth_of(args[0], depth)?
            }
            Expr::BinOp { op, lhs, rhs, .. } if op.is_comparison() || is_identity(*op) => {
                let (lhs, rhs) = (self.value_of(*lhs, depth)?, self.value_of(*rhs, depth)?);
                match (lhs, rhs) {
                    (Known::Value(a), Known::Value(b)) => compare_consts(*op, &a, &b)?,
                    (Known::Value(Const::None), Known::NotNone)
                    | (Known::NotNone, Known::Value(Const::None)) => match op {
                        BinOp::Is | BinOp::Eq => false,
                        BinOp::IsNot | BinOp::Ne => true,
                        _ => return None,
                    },
                    _ => return None,
                }
            }
            Expr::BuildTuple(_) | Expr::BuildList(_) | Expr::MakeFunction { .. } => {
                return Some(Known::NotNone);
            }
            _ => return None,
        };
        Some(Known::Value(Const::Bool(value)))
    }

    /// What a parameter's type says.
    fn of_type(&self, ty: Type) -> Option<Known> {
        Some(match self.cx.types.kind(ty) {
            TypeKind::None => Known::Value(Const::None),
            TypeKind::Literal(value) | TypeKind::Omitted(value) => Known::Value(value.clone()),
            _ => return None,
        })
    }
}

fn is_identity(op: BinOp) -> bool {
    matches!(op, BinOp::Is | BinOp::IsNot)
}
