//! `generic_rewrites`: Numba's rewrites before inference.

use super::const_eval::infer_constant;
use super::context::PassContext;
use super::known;
use super::raises::rewrite_const_raises;
use super::surgery::insert_stmt;
use crate::analysis::DefUse;
use crate::pipeline::{Changed, PassResult};
use crate::{BinOp, Block, Const, Expr, Func, Inst, Rhs, StmtKind};
use numbra_base::{Diagnostic, ErrorClass};

/// Makes constants visible to inference:
///
/// ```text
///   before                          after
///     $1 = const(int, 0)              $1 = const(int, 0)
///     $2 = getitem(t, $1)             $2 = static_getitem(t, 0, $1)
///     a[$1] = x                       static_setitem(a, 0, $1) = x
///     $3 = const(int, 2)              $3 = const(int, 2)
///     $4 = x ** $3                    $4 = x ** $3 static 2
///     $5 = global(builtins.print)     $5 = global(builtins.print)
///     $6 = call $5(x)                 print(x)
///                                     $6 = const(NoneType, None)
///     $7 = global(ValueError)         $7 = global(ValueError)
///     $8 = call $7($msg)              $8 = call $7($msg)
///     raise $8                        raise ValueError("msg")
/// ```
///
/// Linear. `print` takes no keywords.
pub fn generic_rewrites(func: &mut Func, _: &PassContext<'_>) -> PassResult {
    let defs = DefUse::new(func);
    let mut any = false;
    for block in func.layout.clone() {
        for inst in func.blocks[block].insts.clone() {
            if let Some(error) = print_with_keywords(func, &defs, inst) {
                return Err(vec![error]);
            }
            any |= rewrite_subscript(func, &defs, inst)
                || rewrite_static_binop(func, &defs, inst)
                || rewrite_print(func, &defs, block, inst);
        }
    }
    Ok(rewrite_const_raises(func)?.or(Changed::from(any)))
}

/// Constants that make a subscript static: integers, strings, slices, tuples of those.
fn is_static_index(value: &Const) -> bool {
    match value {
        Const::Int(_) | Const::Str(_) | Const::Slice(_) | Const::Ellipsis => true,
        Const::Tuple(items) => items.iter().all(is_static_index),
        Const::None
        | Const::Bool(_)
        | Const::BigInt(_)
        | Const::Float(_)
        | Const::Complex(..)
        | Const::Bytes(_) => false,
    }
}

fn rewrite_subscript(func: &mut Func, defs: &DefUse, inst: Inst) -> bool {
    let index_var = match &func.insts[inst].kind {
        StmtKind::Assign {
            value: Rhs::Expr(Expr::GetItem { index, .. }),
            ..
        }
        | StmtKind::SetItem { index, .. } => *index,
        _ => return false,
    };
    let Some(index) = infer_constant(func, defs, index_var).filter(is_static_index) else {
        return false;
    };
    let index_var = Some(index_var);
    match &mut func.insts[inst].kind {
        StmtKind::Assign {
            value: Rhs::Expr(expr),
            ..
        } => {
            if let Expr::GetItem { value, .. } = *expr {
                *expr = Expr::StaticGetItem {
                    value,
                    index,
                    index_var,
                };
            }
        }
        kind => {
            if let StmtKind::SetItem { target, value, .. } = *kind {
                *kind = StmtKind::StaticSetItem {
                    target,
                    index,
                    index_var,
                    value,
                };
            }
        }
    }
    true
}

/// `x ** 2`: the exponent's value picks the algorithm. Numba does this for `**` only.
fn rewrite_static_binop(func: &mut Func, defs: &DefUse, inst: Inst) -> bool {
    let StmtKind::Assign {
        value:
            Rhs::Expr(
                Expr::BinOp {
                    op: BinOp::Pow,
                    rhs,
                    static_rhs: None,
                    ..
                }
                | Expr::InplaceBinOp {
                    op: BinOp::Pow,
                    rhs,
                    static_rhs: None,
                    ..
                },
            ),
        ..
    } = func.insts[inst].kind
    else {
        return false;
    };
    let Some(constant) = infer_constant(func, defs, rhs) else {
        return false;
    };
    if let StmtKind::Assign {
        value: Rhs::Expr(Expr::BinOp { static_rhs, .. } | Expr::InplaceBinOp { static_rhs, .. }),
        ..
    } = &mut func.insts[inst].kind
    {
        *static_rhs = Some(constant);
    }
    true
}

fn print_with_keywords(func: &Func, defs: &DefUse, inst: Inst) -> Option<Diagnostic> {
    let StmtKind::Assign {
        value: Rhs::Expr(Expr::Call {
            func: callee, kws, ..
        }),
        ..
    } = &func.insts[inst].kind
    else {
        return None;
    };
    if kws.is_empty() || !known::is_object(func, defs, *callee, known::PRINT) {
        return None;
    }
    let diagnostic = Diagnostic::error(
        "I010",
        ErrorClass::UnsupportedError,
        "print() takes no keyword arguments here",
        func.insts[inst].span,
    );
    Some(diagnostic.with_numba_phrase(
        "Numba's print() function implementation does not support keyword arguments.",
    ))
}

fn rewrite_print(func: &mut Func, defs: &DefUse, block: Block, inst: Inst) -> bool {
    let StmtKind::Assign {
        value:
            Rhs::Expr(Expr::Call {
                func: callee,
                args,
                kws,
                vararg: None,
            }),
        ..
    } = &func.insts[inst].kind
    else {
        return false;
    };
    if !kws.is_empty() || !known::is_object(func, defs, *callee, known::PRINT) {
        return false;
    }
    let print = StmtKind::Print { args: args.clone() };
    let span = func.insts[inst].span;
    let origin = func.insts[inst].origin;
    let Some(at) = func.blocks[block].insts.iter().position(|i| *i == inst) else {
        return false;
    };
    let print = insert_stmt(func, block, at, print, span, "generic_rewrites");
    func.insts[print].origin = origin;
    if let StmtKind::Assign { value, .. } = &mut func.insts[inst].kind {
        *value = Rhs::Const(Const::None);
    }
    true
}
