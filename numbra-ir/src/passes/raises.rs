//! Raises: `RewriteConstRaises` (part of `generic_rewrites`) and `Rewrite dynamic raises`.

use super::const_eval::infer_constant;
use super::context::PassContext;
use crate::analysis::DefUse;
use crate::pipeline::{Changed, PassResult};
use crate::{Const, Expr, Func, Inst, ObjKind, ObjRef, Rhs, StmtKind, Var};
use numbra_base::{Diagnostic, ErrorClass};

/// What `raise x` raises.
enum Raised {
    /// `raise ValueError` or `raise ValueError(..)`.
    Class { class: ObjRef, args: Vec<Var> },
    /// `raise ValueError(msg="..")`: an error.
    Keywords,
}

/// The class and arguments of a raised variable, if it is a class or a call of one.
fn raised(func: &Func, defs: &DefUse, exception: Var) -> Option<Raised> {
    let class_of = |var: Var| match defs.definition(func, var)? {
        Rhs::Global(obj) | Rhs::FreeVar { obj, .. }
            if matches!(func.objects.get(*obj)?.kind, ObjKind::Class) =>
        {
            Some(*obj)
        }
        _ => None,
    };
    if let Some(class) = class_of(exception) {
        return Some(Raised::Class {
            class,
            args: Vec::new(),
        });
    }
    match defs.definition(func, exception)? {
        Rhs::Expr(Expr::Call {
            func: callee,
            args,
            kws,
            vararg,
        }) => {
            let class = class_of(*callee)?;
            if !kws.is_empty() || vararg.is_some() {
                return Some(Raised::Keywords);
            }
            Some(Raised::Class {
                class,
                args: args.clone(),
            })
        }
        _ => None,
    }
}

fn raises(func: &Func) -> Vec<(Inst, Var)> {
    let mut found = Vec::new();
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            if let StmtKind::Raise(Some(exception)) = func.insts[inst].kind {
                found.push((inst, exception));
            }
        }
    }
    found
}

/// `raise ValueError("constant")` becomes one statement with its constants.
pub(super) fn rewrite_const_raises(func: &mut Func) -> PassResult {
    let defs = DefUse::new(func);
    let mut any = false;
    let mut errors = Vec::new();
    for (inst, exception) in raises(func) {
        let Some(Raised::Class { class, args }) = raised(func, &defs, exception) else {
            if let Some(Const::Str(_)) = infer_constant(func, &defs, exception) {
                errors.push(
                    Diagnostic::error(
                        "I009",
                        ErrorClass::UnsupportedError,
                        "a string is no exception",
                        func.insts[inst].span,
                    )
                    .with_help("raise an exception with the text: `raise ValueError(\"...\")`")
                    .with_numba_phrase(
                        "Directly raising a string constant as an exception is not supported.",
                    ),
                );
            }
            continue;
        };
        let consts: Option<Vec<Const>> = args
            .iter()
            .map(|var| infer_constant(func, &defs, *var))
            .collect();
        if let Some(args) = consts {
            func.insts[inst].kind = StmtKind::StaticRaise { class, args };
            any = true;
        }
    }
    if errors.is_empty() {
        Ok(Changed::from(any))
    } else {
        Err(errors)
    }
}

/// `raise ValueError(x)` with arguments known at run time becomes one statement.
///
/// ```text
///   before                    after
///     $1 = call $0(x)           $1 = call $0(x)
///     raise $1                  dynamic_raise ValueError(x)
/// ```
///
/// The call stays; it is dead, and inference types exception instances.
pub fn rewrite_dynamic_raises(func: &mut Func, _: &PassContext<'_>) -> PassResult {
    let defs = DefUse::new(func);
    let mut any = false;
    let mut errors = Vec::new();
    for (inst, exception) in raises(func) {
        match raised(func, &defs, exception) {
            Some(Raised::Class { class, args }) => {
                func.insts[inst].kind = StmtKind::DynamicRaise { class, args };
                any = true;
            }
            Some(Raised::Keywords) => errors.push(
                Diagnostic::error(
                    "I005",
                    ErrorClass::UnsupportedError,
                    "exceptions are raised with positional arguments only",
                    func.insts[inst].span,
                )
                .with_numba_phrase("kwargs are not supported in the exception constructor"),
            ),
            None => {}
        }
    }
    if errors.is_empty() {
        Ok(Changed::from(any))
    } else {
        Err(errors)
    }
}
