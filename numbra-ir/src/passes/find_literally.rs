//! `find_literally`.

use super::context::PassContext;
use super::known;
use crate::analysis::DefUse;
use crate::pipeline::{Changed, PassResult};
use crate::{Expr, Func, Rhs, StmtKind, TypeKind};
use numbra_base::{Diagnostic, ErrorClass};

/// Parameters that `literally(x)` asks to be literal, in ascending order, and calls of it on anything else.
pub fn literally_args(func: &Func) -> (Vec<u32>, Vec<Diagnostic>) {
    let defs = DefUse::new(func);
    let (mut args, mut errors) = (Vec::new(), Vec::new());
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            let StmtKind::Assign {
                value:
                    Rhs::Expr(Expr::Call {
                        func: callee,
                        args: actual,
                        ..
                    }),
                ..
            } = &func.insts[inst].kind
            else {
                continue;
            };
            if !known::is_object(func, &defs, *callee, known::LITERALLY) {
                continue;
            }
            match actual.first().map(|var| defs.definition(func, *var)) {
                Some(Some(Rhs::Arg(n))) => args.push(*n),
                Some(Some(Rhs::Const(_))) => {}
                _ => errors.push(
                    Diagnostic::error(
                        "I006",
                        ErrorClass::CompilerError,
                        "literally() takes a parameter of the function",
                        func.insts[inst].span,
                    )
                    .with_help("pass the value as an argument and call literally() on that"),
                ),
            }
        }
    }
    args.sort_unstable();
    args.dedup();
    (args, errors)
}

/// Fails if `literally(x)` asks for a literal and parameter `x` is not one: the dispatcher then compiles again
/// with the literal type. Without parameter types, only misuse is an error. Changes nothing.
///
/// ```text
/// f(x: int64)
///   $0 = global(numba.literally)
///   $1 = call $0(x)                error: parameter 0 must be a literal
/// ```
pub fn find_literally(func: &mut Func, cx: &PassContext<'_>) -> PassResult {
    let (args, mut errors) = literally_args(func);
    for n in args {
        let Some(ty) = cx.arg_type(n) else {
            continue;
        };
        let literal = matches!(
            cx.types.kind(ty),
            TypeKind::Literal(_) | TypeKind::SliceLiteral(_) | TypeKind::Omitted(_)
        );
        if !literal {
            let name = func.args.get(n as usize).map_or("?", |a| a.name.as_str());
            errors.push(Diagnostic::error(
                "I007",
                ErrorClass::TypingError,
                format!(
                    "parameter `{name}` must be a literal, but is {}",
                    cx.types.display(ty)
                ),
                func.span,
            ));
        }
    }
    if errors.is_empty() {
        Ok(Changed::No)
    } else {
        Err(errors)
    }
}
