//! Variables and results whose types do not come out.

use super::{source_name, subject};
use crate::codes;
use crate::context::Cx;
use crate::network::Network;
use numbra_base::{Diagnostic, ErrorClass, Span};
use numbra_ir::{Block, Expr, Inst, Rhs, StmtKind, Type, TypeKind, Var};

/// A variable whose assignments have no common type.
pub(crate) fn cannot_unify(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    target: Var,
    a: Type,
    b: Type,
) -> Diagnostic {
    unify_error(net, cx, inst, target, (a, None), (b, None))
}

/// A phi whose inputs have no common type: both places are shown.
pub(crate) fn cannot_unify_phi(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    target: Var,
    incoming: &[(Block, Option<Var>)],
) -> Diagnostic {
    let mut known: Vec<(Type, Var)> = Vec::new();
    for (_, var) in incoming {
        if let Some(var) = var
            && let Some(ty) = net.type_of(*var)
        {
            known.push((ty, *var));
        }
    }
    let clash = known.iter().enumerate().find_map(|(i, (a, x))| {
        known[i + 1..]
            .iter()
            .find(|(b, _)| cx.unify(*a, *b).is_none())
            .map(|(b, y)| ((*a, Some(*x)), (*b, Some(*y))))
    });
    match clash {
        Some((a, b)) => unify_error(net, cx, inst, target, a, b),
        None => {
            let first = known.first().map_or(Type::UNDEFINED, |k| k.0);
            let last = known.last().map_or(Type::UNDEFINED, |k| k.0);
            unify_error(net, cx, inst, target, (first, None), (last, None))
        }
    }
}

/// What works instead of a variable that is one of several functions.
const CHOSEN_FUNCTIONS: &str = "these are functions, which each have a type of their own: call them on the two branches, as in \
                                `y = f(x) if flag else g(x)`, or make each a function with `@njit`, of which a variable may hold several";

fn unify_error(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    target: Var,
    (a, first): (Type, Option<Var>),
    (b, second): (Type, Option<Var>),
) -> Diagnostic {
    let name = &net.func.vars[target].name;
    let show = |ty: Type| cx.plain(ty);
    let place = |var: Option<Var>| -> Option<Span> {
        let span = net.span(net.assigned_at(var?)?);
        span.is_known().then_some(span)
    };
    let is_function = |ty: Type| {
        matches!(
            cx.types.kind(ty),
            TypeKind::Function { .. } | TypeKind::Dispatcher { .. }
        )
    };
    let tested = [first, second]
        .into_iter()
        .flatten()
        .find_map(|var| tested_array(net, cx, var));
    let help = if is_function(a) && is_function(b) {
        CHOSEN_FUNCTIONS.to_owned()
    } else if let Some(array) = tested {
        format!(
            "`and` and `or` give one of their operands: to test an array write `{array}.any()`, `{array}.all()` or \
             `{array}.size > 0`"
        )
    } else if net.func.vars[target].is_temp() {
        "convert one of the two values, so that both have one type".to_owned()
    } else {
        "give the two values different names, or convert one of them".to_owned()
    };
    let here = place(second).unwrap_or_else(|| net.span(inst));
    let mut diagnostic = Diagnostic::error(
        codes::CANNOT_UNIFY,
        ErrorClass::TypingError,
        format!(
            "{} is {} in one place and {} in another",
            subject(net, target),
            show(a),
            show(b)
        ),
        here,
    )
    .with_label(format!("{} here", show(b)))
    .with_help(help)
    .with_numba_phrase(format!(
        "Cannot unify {} and {} for '{name}', defined at {}",
        cx.show(a),
        cx.show(b),
        at(here)
    ));
    if let Some(span) = place(first)
        && span != here
    {
        diagnostic = diagnostic.with_secondary(span, format!("{} here", show(a)));
    }
    diagnostic
}

/// The name of an array that is tested and given: `x` of `x and y`.
fn tested_array(net: &Network, cx: &Cx<'_>, var: Var) -> Option<String> {
    let origin = |var: Var| net.assigned_at(var).map(|inst| &net.func.insts[inst].kind);
    let copied = |var: Var| match origin(var) {
        Some(StmtKind::Assign {
            value: Rhs::Var(from),
            ..
        }) => *from,
        _ => var,
    };
    cx.types.as_array(net.type_of(var)?)?;
    let given = copied(var);
    let is_test = |kind: &StmtKind| match kind {
        StmtKind::Assign {
            value: Rhs::Expr(Expr::Call { func, args, .. }),
            ..
        } => {
            let is_bool = net.type_of(*func).is_some_and(|ty| {
                matches!(cx.types.kind(ty), TypeKind::Function { name, .. } if name == "builtins.bool")
            });
            is_bool && matches!(args.as_slice(), [only] if copied(*only) == given)
        }
        _ => false,
    };
    let mut all = net.func.insts.values();
    let name = source_name(net, given);
    all.any(|inst| is_test(&inst.kind))
        .then(|| match name.starts_with('$') {
            true => "x".to_owned(),
            false => name.to_owned(),
        })
}

/// Numba's location without the file, which spans do not hold: `line (7)`.
fn at(span: Span) -> String {
    if span.is_known() {
        format!("line ({})", span.line)
    } else {
        "unknown location".to_owned()
    }
}

/// A value that does not convert to the type its variable must have.
pub(crate) fn no_conversion(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    target: Var,
    from: Type,
    to: Type,
) -> Diagnostic {
    let name = source_name(net, target);
    Diagnostic::error(
        codes::NO_CONVERSION,
        ErrorClass::TypingError,
        format!("{} does not convert to {}", cx.plain(from), cx.show(to)),
        net.span(inst),
    )
    .with_label(format!("{} must be {}", subject(net, target), cx.show(to)))
    .with_numba_phrase(format!(
        "No conversion from {} to {} for '{name}', defined at {}",
        cx.show(from),
        cx.show(to),
        at(net.span(inst))
    ))
}

/// A returned value that does not convert to the declared return type.
pub(crate) fn bad_return(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    value: Var,
    from: Type,
    to: Type,
) -> Diagnostic {
    let name = &net.func.vars[value].name;
    let diagnostic = Diagnostic::error(
        codes::NO_CONVERSION,
        ErrorClass::TypingError,
        format!(
            "returned {} does not convert to the declared {}",
            cx.plain(from),
            cx.show(to)
        ),
        net.span(inst),
    )
    .with_numba_phrase(format!(
        "No conversion from {} to {} for '{name}', defined at {}",
        cx.show(from),
        cx.show(to),
        at(net.span(inst))
    ));
    match to {
        Type::NONE if cx.opts.device => diagnostic.with_help(KERNELS_RETURN_NOTHING),
        _ => diagnostic,
    }
}

const KERNELS_RETURN_NOTHING: &str =
    "a kernel returns nothing: write into an array that is passed in";

/// A generator function whose declared type is no generator: a kernel.
pub(crate) fn declared_generator(net: &Network, cx: &Cx<'_>, to: Type) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        codes::NO_CONVERSION,
        ErrorClass::TypingError,
        format!(
            "`{}` is a generator, and declared to return {}",
            net.func.name,
            cx.show(to)
        ),
        net.func.span,
    );
    match to {
        Type::NONE if cx.opts.device => diagnostic.with_help(KERNELS_RETURN_NOTHING),
        _ => diagnostic,
    }
}

/// A generator function that never yields.
pub(crate) fn yields_nothing(net: &Network) -> Diagnostic {
    Diagnostic::error(
        codes::CANNOT_UNIFY_RETURN,
        ErrorClass::TypingError,
        format!("the generator `{}` never yields a value", net.func.name),
        net.func.span,
    )
    .with_numba_phrase("Cannot type generator: it does not yield any value")
    .with_help("let a `yield` be reached at these argument types")
}

/// Yields without a common type.
pub(crate) fn cannot_unify_yield(net: &Network, cx: &Cx<'_>, found: &[(Inst, Type)]) -> Diagnostic {
    let mut all: Vec<String> = Vec::new();
    for (_, ty) in found {
        let ty = cx.types.unliteral(*ty);
        match cx.types.kind(ty) {
            TypeKind::Optional(inner) => all.extend([cx.show(*inner), "none".to_owned()]),
            _ => all.push(cx.show(ty)),
        }
    }
    all.sort();
    all.dedup();
    let (first, first_ty) = found[0];
    let joins = |ty: Type| {
        let common = cx.unify(first_ty, ty);
        common.is_some_and(|ty| !matches!(cx.types.kind(ty), TypeKind::Optional(_)))
    };
    let clash = found
        .iter()
        .find(|(_, ty)| !joins(*ty))
        .copied()
        .unwrap_or(found[found.len() - 1]);
    let show = |ty: Type| cx.plain(ty);
    Diagnostic::error(
        codes::CANNOT_UNIFY_RETURN,
        ErrorClass::TypingError,
        format!(
            "yields {} in one place and {} in another",
            show(first_ty),
            show(clash.1)
        ),
        net.span(clash.0),
    )
    .with_label(format!("{} here", show(clash.1)))
    .with_secondary(net.span(first), format!("{} here", show(first_ty)))
    .with_help("yield values of one type, or convert one of them")
    .with_numba_phrase(format!(
        "Can't unify yield type from the following types: {}",
        all.join(", ")
    ))
}

/// Returns without a common type.
pub(crate) fn cannot_unify_return(
    net: &Network,
    cx: &Cx<'_>,
    found: &[(Inst, Type)],
) -> Diagnostic {
    let all: Vec<Type> = found.iter().map(|(_, ty)| *ty).collect();
    let mut distinct: Vec<Type> = Vec::new();
    for ty in &all {
        if !distinct.contains(ty) {
            distinct.push(*ty);
        }
    }
    let mut phrase = format!(
        "Can't unify return type from the following types: {}",
        cx.show_all(&distinct)
    );
    for (inst, ty) in found.iter().rev() {
        if let StmtKind::Return(var) = net.func.insts[*inst].kind {
            phrase.push_str(&format!(
                "\nReturn of: IR name '{}', type '{}', location: {}",
                net.func.vars[var].name,
                cx.show(*ty),
                at(net.span(*inst))
            ));
        }
    }
    let show = |ty: Type| cx.plain(ty);
    let (first, first_ty) = found[0];
    let clash = found
        .iter()
        .find(|(_, ty)| cx.unify(first_ty, *ty).is_none())
        .copied()
        .unwrap_or(found[found.len() - 1]);
    Diagnostic::error(
        codes::CANNOT_UNIFY_RETURN,
        ErrorClass::TypingError,
        format!(
            "returns {} in one place and {} in another",
            show(first_ty),
            show(clash.1)
        ),
        net.span(clash.0),
    )
    .with_label(format!("{} here", show(clash.1)))
    .with_secondary(net.span(first), format!("{} here", show(first_ty)))
    .with_help("return values of one type, or convert one of them")
    .with_numba_phrase(phrase)
}

/// A variable that got no type though nothing else is wrong.
pub(crate) fn undetermined(net: &Network, cx: &Cx<'_>, inst: Inst, var: Var) -> Diagnostic {
    let operation = numbra_ir::print_stmt(&net.func, inst, cx.types);
    let operation = operation
        .split_once(" = ")
        .map_or(operation.as_str(), |(_, rhs)| rhs);
    Diagnostic::error(
        codes::UNDETERMINED,
        ErrorClass::TypingError,
        format!("the type of {} cannot be determined", subject(net, var)),
        net.span(inst),
    )
    .with_help("a variable is used that no path assigns")
    .with_numba_phrase(format!(
        "Type of variable '{}' cannot be determined, operation: {operation}, location: {}",
        net.func.vars[var].name,
        at(net.span(inst))
    ))
}

/// A variable whose type has a hole.
pub(crate) fn imprecise(net: &Network, cx: &Cx<'_>, inst: Inst, var: Var, ty: Type) -> Diagnostic {
    let data = &net.func.vars[var];
    let temporary = if data.is_temp() {
        " (temporary variable)"
    } else {
        ""
    };
    Diagnostic::error(
        codes::IMPRECISE,
        ErrorClass::TypingError,
        format!(
            "the type of {} is known in part only: {}",
            subject(net, var),
            cx.plain(ty)
        ),
        net.span(inst),
    )
    .with_numba_phrase(format!(
        "Cannot infer the type of variable '{}'{temporary}, have imprecise type: {}.{}",
        data.name,
        cx.show(ty),
        untyped_container(cx, ty)
    ))
}

/// What Numba says of a container that stays untyped.
fn untyped_container(cx: &Cx<'_>, ty: Type) -> String {
    let kind = cx.types.kind(ty);
    let Some(name) = kind.family().filter(|_| kind.is_container()) else {
        return String::new();
    };
    format!(
        " \n\nFor Numba to be able to compile a {name}, the {name} must have a known and\nprecise type that can be \
         inferred from the other variables."
    )
}

/// A statement whose type keeps changing.
pub(crate) fn unsettled(span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::CANNOT_UNIFY,
        ErrorClass::TypingError,
        "the type of this value grows without end",
        span,
    )
    .with_help(
        "a variable is assigned a type that contains its own, such as `t = (t, 1)` in a loop",
    )
}
