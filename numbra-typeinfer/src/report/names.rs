//! Names, arguments, constants, and constructs that are not supported.

use crate::codes;
use crate::context::Cx;
use crate::host::python_class;
use crate::network::Network;
use numbra_base::{Diagnostic, ErrorClass, Span, nearest_name};
use numbra_ir::{Const, Expr, Inst, ObjDesc, ObjKind, Rhs, StmtKind, Type, TypeKind};

/// Names that programs use in compiled code and that come from the package.
const NOT_IMPORTED: &[&str] = &[
    "carray",
    "farray",
    "literal_unroll",
    "literally",
    "objmode",
    "pndindex",
    "prange",
];

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
        let diagnostic = Diagnostic::error(
            codes::UNDEFINED_NAME,
            ErrorClass::TypingError,
            format!("name `{short}` is not defined"),
            net.span(inst),
        )
        .with_numba_phrase(match NOT_IMPORTED.contains(&short) {
            true => format!(
                "NameError: name '{short}' is not defined\n'{short}' looks like a Numba internal function, has it been imported (i.e. 'from numba import {short}')?"
            ),
            false => format!("NameError: name '{short}' is not defined"),
        });
        if NOT_IMPORTED.contains(&short) {
            return diagnostic.with_help(format!("import it: `from numbra import {short}`"));
        }
        let mut names = names_in_sight(net, cx);
        names.push(desc.repr.clone());
        return match nearest_name(short, names) {
            Some(near) => diagnostic.with_help(format!("did you mean `{near}`?")),
            None => diagnostic,
        };
    }
    if let ObjKind::Value(Const::BigInt(wide)) = &desc.kind {
        return Diagnostic::error(
            codes::UNTYPED_GLOBAL,
            ErrorClass::TypingError,
            format!("`{short}` is an integer that does not fit 64 bits"),
            net.span(inst),
        )
        .with_help(INTEGERS)
        .with_numba_phrase(format!(
            "Untyped {what} name '{short}': Int value is too large: {wide}"
        ));
    }
    let class = python_class(desc);
    let plain_class = class_name(class).to_owned();
    let typed = plain_class
        .strip_prefix("numbra.typed.")
        .map(|name| name.rsplit('.').next().unwrap_or(name).to_owned());
    // Numba has a meaning for these, so no error of its own.
    let lacks = plain_class == "numbra.core.extending.Intrinsic"
        || plain_class == "type" && class_name(&desc.repr).starts_with("numbra.");
    let diagnostic = Diagnostic::error(
        codes::UNTYPED_GLOBAL,
        if lacks {
            ErrorClass::UnsupportedError
        } else {
            ErrorClass::TypingError
        },
        format!("`{short}` has no type that compiled code can use"),
        net.span(inst),
    )
    .with_label(match plain_class.as_str() {
        "type" => format!("the class `{}`", class_name(&desc.repr)),
        _ => format!("a Python object of class `{plain_class}`"),
    })
    .with_numba_phrase(match plain_class.as_str() {
        // Numba knows their types, but no such constants.
        "list" | "set" if what == "global" => format!(
            "Untyped {what} name '{short}': Cannot determine Numba type of {class}\nThe use of a reflected {plain_class} type, assigned to variable '{short}' in globals, is not supported as globals are considered compile-time constants and there is no known way to compile a reflected {plain_class} type as a constant."
        ),
        _ if typed.is_some() && what == "global" => format!(
            "The use of a typed {kind} type, assigned to variable '{short}' in globals, is not supported as globals are considered compile-time constants and there is no known way to compile a typed {kind} type as a constant.",
            kind = typed.as_deref().unwrap_or_default()
        ),
        _ => format!("Untyped {what} name '{short}': Cannot determine Numba type of {class}"),
    });
    if let ObjKind::Opaque { class } = &desc.kind
        && class == "<class 'numpy.ndarray'>"
        && desc.repr.starts_with("an array of dtype ")
    {
        return diagnostic.with_label(desc.repr.as_str()).with_help(format!(
            "convert `{short}` to numbers before the function is compiled"
        ));
    }
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
        _ if lacks && plain_class == "type" => diagnostic.with_help(format!(
            "numbra does not have `{}` in compiled code yet",
            class_name(&desc.repr)
        )),
        _ if plain_class == "type" => match attribute_read(net, inst) {
            Some(attr) => diagnostic.with_help(format!(
                "compiled code reads nothing from Python classes: give `{short}.{attr}` a global name, as `{attr} = {short}.{attr}`, \
                 with `numbra.njit(..)` around a function"
            )),
            None => diagnostic.with_help(NO_OBJECTS),
        },
        _ if typed.is_some() => {
            diagnostic.with_help(format!("pass `{short}` as an argument"))
        }
        _ if lacks => diagnostic.with_help(format!(
            "numbra does not have objects of `{plain_class}` in compiled code yet"
        )),
        _ if plain_class == "builtin_function_or_method" => diagnostic.with_help(format!(
            "compiled code does not have `{short}`: call it outside, and pass what comes out"
        )),
        _ if plain_class.starts_with("numpy.random.") => {
            diagnostic.with_help(format!("pass `{short}` as an argument"))
        }
        _ => diagnostic.with_help(format!(
            "pass what the function uses of `{short}` as arguments: numbers, arrays, tuples, strings"
        )),
    }
}

/// The attribute that is read of what a statement gives.
fn attribute_read(net: &Network, inst: Inst) -> Option<&str> {
    let object = net.func.insts[inst].kind.def()?;
    net.func.insts.values().find_map(|inst| match &inst.kind {
        StmtKind::Assign {
            value: Rhs::Expr(Expr::GetAttr { value, attr }),
            ..
        } if *value == object => Some(attr.as_str()),
        _ => None,
    })
}

/// What classes are for compiled code.
pub(super) const NO_OBJECTS: &str = "compiled code makes no objects of Python classes: make them outside, and pass the numbers, arrays and tuples that they hold";

/// `numpy.ndarray` of `<class 'numpy.ndarray'>`.
pub(super) fn class_name(repr: &str) -> &str {
    repr.trim_start_matches("<class '").trim_end_matches("'>")
}

/// Names that code could have meant: its variables, the globals that it uses, builtin functions.
fn names_in_sight(net: &Network, cx: &Cx<'_>) -> Vec<String> {
    let vars = net.func.vars.values().filter(|var| !var.is_temp());
    let vars = vars.filter(|var| var.version_of.is_none());
    let globals = net.func.objects.values();
    let globals =
        globals.filter(|desc| !matches!(desc.kind, ObjKind::Undefined | ObjKind::Unresolved));
    let rows = cx.lib.rows().map(|(_, row)| row.name);
    let builtins = rows.filter_map(|name| name.strip_prefix("builtins."));
    vars.map(|var| var.name.clone())
        .chain(globals.map(|desc| desc.name.clone()))
        .chain(builtins.map(str::to_owned))
        .collect()
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

const INTEGERS: &str = "integers are from -2**63 to 2**64 - 1: write a float, as `1e30`";

/// An integer constant that fits no integer type.
pub(crate) fn int_too_large(span: Span, value: &Const) -> Diagnostic {
    Diagnostic::error(
        codes::UNSUPPORTED_CONSTRUCT,
        ErrorClass::NumbaValueError,
        "integer does not fit 64 bits",
        span,
    )
    .with_help(INTEGERS)
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

/// A display of a set or a dict of what it cannot hold.
pub(crate) fn no_item(net: &Network, inst: Inst, why: &str, help: &str) -> Diagnostic {
    Diagnostic::error(
        codes::UNSUPPORTED_CONSTRUCT,
        ErrorClass::TypingError,
        why,
        net.span(inst),
    )
    .with_help(help)
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
            cx.plain(ty)
        ),
        net.span(inst),
    )
    .with_numba_phrase(format!(
        "Encountered unsupported constant type used for exception: {}",
        cx.plain(ty)
    ))
}

/// `except` of anything but `Exception`.
pub(crate) fn bad_except(net: &Network, cx: &Cx<'_>, inst: Inst, ty: Type) -> Diagnostic {
    let shown = match cx.types.kind(ty) {
        TypeKind::ExceptionClass(name) => name.trim_start_matches("builtins.").to_owned(),
        _ => cx.plain(ty),
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
