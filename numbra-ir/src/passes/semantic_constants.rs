//! `rewrite_semantic_constants`.

use super::context::PassContext;
use super::known;
use crate::analysis::DefUse;
use crate::pipeline::{Changed, PassResult};
use crate::{Const, Expr, Func, Rhs, StmtKind, Type, TypeKind, Var};

/// Replaces what the types of parameters decide by constants: `a.ndim` of an array, `len(t)` of a tuple; also
/// `float("inf")` of a constant text.
///
/// ```text
/// f(a: array(float64, 2d, C))
///   before                    after
///     a = arg(0)                a = arg(0)
///     $1 = getattr(a, ndim)     $1 = const(int, 2)
/// ```
///
/// Needs parameter types; a parameter that is assigned again is left alone. Linear.
pub fn rewrite_semantic_constants(func: &mut Func, cx: &PassContext<'_>) -> PassResult {
    let defs = DefUse::new(func);
    let mut found = Vec::new();
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            let StmtKind::Assign {
                value: Rhs::Expr(expr),
                ..
            } = &func.insts[inst].kind
            else {
                continue;
            };
            let value = match expr {
                Expr::GetAttr { value, attr } if attr == "ndim" => {
                    arg_type(func, &defs, cx, *value)
                        .and_then(|ty| cx.types.as_array(ty))
                        .map(|array| Const::Int(i64::from(array.ndim)))
                }
                Expr::Call {
                    func: callee,
                    args,
                    kws,
                    vararg: None,
                } if kws.is_empty() && known::is_object(func, &defs, *callee, known::LEN) => {
                    match args.as_slice() {
                        [of] => length(func, &defs, cx, *of).map(Const::Int),
                        _ => None,
                    }
                }
                Expr::Call {
                    func: callee,
                    args,
                    kws,
                    vararg: None,
                } if kws.is_empty() && known::is_object(func, &defs, *callee, known::FLOAT) => {
                    match args.as_slice() {
                        [of] => float_of_text(func, &defs, *of),
                        _ => None,
                    }
                }
                _ => None,
            };
            found.extend(value.map(|value| (inst, value)));
        }
    }
    let changed = !found.is_empty();
    for (inst, value) in found {
        if let StmtKind::Assign { value: rhs, .. } = &mut func.insts[inst].kind {
            *rhs = Rhs::Const(value);
        }
    }
    Ok(Changed::from(changed))
}

/// The type of the parameter that a variable is, if it is one.
pub(super) fn arg_type(func: &Func, defs: &DefUse, cx: &PassContext<'_>, var: Var) -> Option<Type> {
    match defs.definition(func, var)? {
        Rhs::Arg(n) => cx.arg_type(*n),
        _ => None,
    }
}

/// The number that `float(text)` is, if the text is constant and one.
fn float_of_text(func: &Func, defs: &DefUse, text: Var) -> Option<Const> {
    let Rhs::Const(Const::Str(text)) = defs.definition(func, text)? else {
        return None;
    };
    let text = text.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\x0b');
    // Python takes `_` between digits only.
    let bytes = text.as_bytes();
    let digit = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(u8::is_ascii_digit)
    };
    let between = |at: usize| digit(at.checked_sub(1)) && digit(Some(at + 1));
    if !text.match_indices('_').all(|(at, _)| between(at)) {
        return None;
    }
    text.replace('_', "").parse().ok().map(Const::float)
}

/// Length of a tuple parameter or of `(a, b)`.
fn length(func: &Func, defs: &DefUse, cx: &PassContext<'_>, of: Var) -> Option<i64> {
    let count = match defs.definition(func, of)? {
        Rhs::Arg(n) => match cx.types.kind(cx.arg_type(*n)?) {
            TypeKind::UniTuple(_, count) => *count as usize,
            TypeKind::Tuple(items)
            | TypeKind::NamedTuple(_, _, items)
            | TypeKind::StarArgTuple(items) => items.len(),
            _ => return None,
        },
        Rhs::Expr(Expr::BuildTuple(items)) => items.len(),
        _ => return None,
    };
    i64::try_from(count).ok()
}
