//! Errors inside called functions, recursion, closures and literal requests.

use super::subject;
use crate::codes;
use crate::context::Cx;
use crate::failure::Failure;
use crate::fold::Actual;
use crate::host::HostError;
use crate::network::Network;
use numbra_base::{Diagnostic, ErrorClass, Span};
use numbra_ir::{CallArg, Expr, Func, Inst, InstanceOrigin, Rhs, Type, Var};

/// First line of an error of Numba's pipeline.
const FAILED: &str = "Failed in nopython mode pipeline (step: nopython frontend)";

/// An error of a callee, as the caller reports it. Inside library bodies and overloads it points at the user's call;
/// inside the user's own functions it points at the cause and names the call.
pub(crate) fn in_callee(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    origin: &InstanceOrigin,
    name: &str,
    failure: &Failure,
) -> Box<Failure> {
    let inner = &failure.diagnostic;
    let span = net.span(inst);
    let inner_phrase = inner
        .numba_phrase
        .clone()
        .unwrap_or_else(|| inner.message.clone());
    let mut diagnostic = match origin {
        InstanceOrigin::Prelude(..) | InstanceOrigin::Overload(_) => {
            let mut outer = inner.clone();
            outer.span = span;
            outer.secondary.clear();
            outer.label = Some(format!("in `{name}`"));
            outer
        }
        InstanceOrigin::Dispatcher(_) | InstanceOrigin::Closure(_) | InstanceOrigin::Text(_) => {
            let mut outer = inner.clone();
            if !outer.secondary.iter().any(|l| l.span == span) && span != outer.span {
                outer = outer.with_secondary(span, format!("`{name}` is called here"));
            }
            outer
        }
    };
    let callee = match net.func.insts[inst].kind {
        numbra_ir::StmtKind::Assign {
            value: numbra_ir::Rhs::Expr(numbra_ir::Expr::Call { func, .. }),
            ..
        } => net.type_of(func),
        _ => None,
    };
    let during = callee.map_or_else(|| format!("Function({name})"), |ty| cx.show(ty));
    // Numba stops at five levels, too.
    let nested = inner_phrase.matches(FAILED).count();
    diagnostic.numba_phrase = Some(if nested < 5 {
        format!("{FAILED}\n{inner_phrase}\nDuring: resolving callee type: {during}")
    } else {
        inner_phrase
    });
    Box::new(Failure {
        diagnostic,
        force_literal: failure.force_literal.clone(),
    })
}

/// What the Host could not do.
pub(crate) fn host_error(error: &HostError, name: &str, span: Span) -> Box<Failure> {
    match error {
        HostError::Diagnostic(diagnostic) => Box::new(Failure::new((**diagnostic).clone())),
        HostError::Failed(text) => Diagnostic::error(
            codes::CALLEE_FAILED,
            ErrorClass::TypingError,
            format!("`{name}` cannot be compiled: {text}"),
            span,
        )
        .into(),
        HostError::ForceLiteral(positions) => {
            let mut failure = Failure::new(Diagnostic::error(
                codes::REQUIRE_LITERAL,
                ErrorClass::TypingError,
                format!("`{name}` needs literal arguments"),
                span,
            ));
            failure.force_literal = positions.clone();
            Box::new(failure)
        }
    }
}

/// Recursion without a way out, found in the recursive function.
pub(crate) fn runaway(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::RUNAWAY_RECURSION,
        ErrorClass::TypingError,
        format!("the return type of `{name}` cannot be inferred: every path recurses"),
        span,
    )
    .with_help("return a value on a path that does not recurse")
    .with_numba_phrase("cannot type infer runaway recursion")
}

/// As [`runaway`], at the recursive call.
pub(crate) fn runaway_call(net: &Network, cx: &Cx<'_>, inst: Inst, name: &str) -> Diagnostic {
    let callee = match net.func.insts[inst].kind {
        numbra_ir::StmtKind::Assign {
            value: numbra_ir::Rhs::Expr(numbra_ir::Expr::Call { func, .. }),
            ..
        } => net.type_of(func),
        _ => None,
    };
    let mut diagnostic = runaway(name, net.span(inst)).with_label("recursive call");
    if let Some(callee) = callee {
        diagnostic.numba_phrase = Some(format!(
            "cannot type infer runaway recursion\nDuring: resolving callee type: recursive({})",
            cx.show(callee)
        ));
    }
    diagnostic
}

/// A chain of calls at ever new types.
pub(crate) fn too_deep(name: &str, func: Option<&Func>) -> Diagnostic {
    let span = func.map(|f| f.span).unwrap_or_default();
    Diagnostic::error(
        codes::RUNAWAY_RECURSION,
        ErrorClass::TypingError,
        format!("calls of `{name}` nest too deeply while types are inferred"),
        span,
    )
    .with_help("a recursion whose argument types grow at each call has no types")
    .with_numba_phrase("cannot type infer runaway recursion")
}

/// A type that is too large to be handled.
pub(crate) fn type_too_large(span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::UNSUPPORTED_CONSTRUCT,
        ErrorClass::UnsupportedError,
        "a tuple type has too many parts",
        span,
    )
    .with_help("use an array")
}

/// A captured variable that is no constant.
pub(crate) fn closure_capture(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    var: Var,
    name: &str,
) -> Diagnostic {
    let source = super::source_name(net, var);
    let ty = net
        .type_of(var)
        .map_or_else(String::new, |ty| format!(" ({})", cx.show(ty)));
    Diagnostic::error(
        codes::CLOSURE_CAPTURE,
        ErrorClass::TypingError,
        format!("`{name}` captures {}{ty}, which is not a constant", subject(net, var)),
        net.span(inst),
    )
    .with_help(format!("pass `{source}` as an argument"))
    .with_numba_phrase(if net.has_versions(var) {
        format!(
            "Cannot capture a constant value for variable '{source}' as there are multiple definitions present."
        )
    } else {
        format!(
            "Cannot capture the non-constant value associated with variable '{source}' in a function that may escape."
        )
    })
}

/// The name of an attribute that `hasattr` looks for and that is no constant: branches may have assigned it.
pub(crate) fn no_constant_name(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    name: &Actual,
) -> Diagnostic {
    let diagnostic = require_literal(net, cx, inst, 1, name.ty);
    let CallArg::Var(var) = name.arg else {
        return diagnostic;
    };
    let Some((at, Rhs::Expr(Expr::Phi(_)))) = net.source(var) else {
        return diagnostic;
    };
    let from = net.func.insts[at].kind.def().unwrap_or(var);
    let name = net.func.vars[from].name.as_str();
    let name = name.split('.').next().unwrap_or(name);
    let text =
        format!("hasattr() cannot determine the type of variable \"{name}\" due to a branch.");
    Diagnostic {
        class: ErrorClass::NumbaTypeError,
        ..diagnostic
    }
    .with_numba_phrase(text)
}

/// An argument that must be a literal.
pub(crate) fn require_literal(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    position: usize,
    ty: Type,
) -> Diagnostic {
    Diagnostic::error(
        codes::REQUIRE_LITERAL,
        ErrorClass::TypingError,
        format!(
            "argument {} must be a constant, not {}",
            position + 1,
            cx.show(ty)
        ),
        net.span(inst),
    )
    .with_help("pass a literal, or a global that does not change")
    .with_numba_phrase("Cannot request literal type.")
}
