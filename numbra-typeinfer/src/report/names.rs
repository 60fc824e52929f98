//! Names, arguments, constants, and constructs that are not supported.

use crate::codes;
use crate::context::Cx;
use crate::host::python_class;
use crate::network::Network;
use numbra_base::{Diagnostic, ErrorClass, Span};
use numbra_ir::{Const, Inst, ObjDesc, ObjKind, Type, TypeKind};

/// A global or free variable without a type, or that does not exist.
pub(crate) fn untyped_object(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    desc: &ObjDesc,
    what: &str,
) -> Diagnostic {
    let short = desc.name.rsplit('.').next().unwrap_or(&desc.name);
    if matches!(desc.kind, ObjKind::Undefined | ObjKind::Unresolved) {
        return Diagnostic::error(
            codes::UNDEFINED_NAME,
            ErrorClass::TypingError,
            format!("name `{short}` is not defined"),
            net.span(inst),
        )
        .with_numba_phrase(format!("NameError: name '{short}' is not defined"));
    }
    let class = python_class(desc);
    let plain_class = class
        .trim_start_matches("<class '")
        .trim_end_matches("'>")
        .to_owned();
    let diagnostic = Diagnostic::error(
        codes::UNTYPED_GLOBAL,
        ErrorClass::TypingError,
        format!("`{short}` has no type that compiled code can use"),
        net.span(inst),
    )
    .with_label(format!("a Python object of class `{plain_class}`"))
    .with_numba_phrase(format!(
        "Untyped {what} name '{short}': Cannot determine Numba type of {class}"
    ));
    match desc.kind {
        ObjKind::Function if desc.repr.starts_with("<function ") || desc.repr.is_empty() => {
            let decorator = if cx.opts.device {
                "`@cuda.jit(device=True)`"
            } else {
                "`@njit`"
            };
            diagnostic.with_help(format!("decorate `{short}` with {decorator}"))
        }
        _ if matches!(plain_class.as_str(), "list" | "dict" | "set") => diagnostic.with_help(
            format!("make `{short}` a tuple or a NumPy array, or pass it as an argument"),
        ),
        _ => diagnostic,
    }
}

/// An argument that is a Python object.
pub(crate) fn non_precise_argument(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    n: usize,
    ty: Type,
) -> Diagnostic {
    let name = net.func.args.get(n).map_or("", |a| a.name.as_str());
    Diagnostic::error(
        codes::NON_PRECISE_ARGUMENT,
        ErrorClass::TypingError,
        format!("argument `{name}` has no native type"),
        net.span(inst),
    )
    .with_help("pass numbers, arrays, tuples or strings")
    .with_numba_phrase(format!("non-precise type {}", cx.show(ty)))
}

/// An integer constant that fits no integer type.
pub(crate) fn int_too_large(span: Span, value: &Const) -> Diagnostic {
    Diagnostic::error(
        codes::UNSUPPORTED_CONSTRUCT,
        ErrorClass::NumbaValueError,
        "integer does not fit 64 bits",
        span,
    )
    .with_numba_phrase(format!("Int value is too large: {value}"))
}

/// A construct that is not supported, with an alternative.
pub(crate) fn unsupported(span: Span, what: &str, instead: &str) -> Diagnostic {
    Diagnostic::error(
        codes::UNSUPPORTED_CONSTRUCT,
        ErrorClass::UnsupportedError,
        format!("{what} is not supported here"),
        span,
    )
    .with_help(instead)
}

/// An assignment to a captured variable in a function that is not inlined.
pub(crate) fn nonlocal(net: &Network, inst: Inst, name: &str) -> Diagnostic {
    unsupported(
        net.span(inst),
        &format!("assignment to the nonlocal variable `{name}`"),
        "call the inner function by its name in the function that defines it",
    )
    .with_numba_phrase(format!(
        "Reassigning the nonlocal variable '{name}' inside an inlined closure is unsupported. Assign it once instead"
    ))
}

/// `raise` of something that is no exception.
pub(crate) fn bad_raise(net: &Network, cx: &Cx<'_>, inst: Inst, ty: Type) -> Diagnostic {
    Diagnostic::error(
        codes::BAD_RAISE,
        ErrorClass::UnsupportedError,
        format!(
            "exceptions must derive from BaseException, not {}",
            cx.show(cx.types.unliteral(ty))
        ),
        net.span(inst),
    )
    .with_numba_phrase(format!(
        "Encountered unsupported constant type used for exception: {}",
        cx.show(cx.types.unliteral(ty))
    ))
}

/// `except` of anything but `Exception`.
pub(crate) fn bad_except(net: &Network, cx: &Cx<'_>, inst: Inst, ty: Type) -> Diagnostic {
    let shown = match cx.types.kind(ty) {
        TypeKind::ExceptionClass(name) => name.trim_start_matches("builtins.").to_owned(),
        _ => cx.show(cx.types.unliteral(ty)),
    };
    Diagnostic::error(
        codes::BAD_EXCEPT,
        ErrorClass::TypingError,
        format!("`except` takes only `Exception`, not {shown}"),
        net.span(inst),
    )
    .with_help("write `except Exception:` or `except:`, which take every exception")
    .with_numba_phrase(format!(
        "No implementation of function Function(<intrinsic exception_match>) found for signature:\n \n \
         >>> exception_match(none, {shown})\n \n\
         Exception matching is limited to <class 'Exception'>"
    ))
}
