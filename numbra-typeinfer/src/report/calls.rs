//! Calls that nothing implements, or whose arguments do not fit.

use super::subject;
use crate::codes;
use crate::context::Cx;
use crate::fold::Actuals;
use crate::network::Network;
use crate::resolve::Rejection;
use numbra_base::{Diagnostic, ErrorClass, nearest_name};
use numbra_ir::binding::BindError;
use numbra_ir::{ArgKind, ArgSpec, BinOp, CallArg, Inst, Signature, Type, TypeKind, UnaryOp};
use numbra_library::{Body, ResultRule, Row};

/// A callee as messages name it.
pub(crate) struct What {
    /// Name in Numba's signature line: `add`.
    short: String,
    /// Qualified name, for our message.
    qualified: String,
    /// Numba's text of its type.
    type_text: String,
    /// Numba adds "During: resolving callee type" to calls, not to operators.
    is_call: bool,
}

impl What {
    /// An operator or another function that no variable holds.
    pub(crate) fn builtin(name: &str) -> What {
        let short = name.rsplit('.').next().unwrap_or(name).to_owned();
        What {
            type_text: format!("Function(<built-in function {short}>)"),
            short,
            qualified: name.to_owned(),
            is_call: false,
        }
    }

    /// A class of numbers, which converts: `numpy.int64`.
    pub(crate) fn class(name: &str) -> What {
        let short = name.rsplit('.').next().unwrap_or(name).to_owned();
        What {
            type_text: format!("Function({short})"),
            short,
            qualified: name.to_owned(),
            is_call: true,
        }
    }

    /// A function in a variable of type `ty`.
    pub(crate) fn function(cx: &Cx<'_>, name: &str, ty: Type) -> What {
        What {
            short: name.rsplit('.').next().unwrap_or(name).to_owned(),
            qualified: name.to_owned(),
            type_text: cx.show(ty),
            is_call: true,
        }
    }

    /// Its qualified name.
    fn name(&self) -> &str {
        &self.qualified
    }

    /// A method.
    pub(crate) fn method(cx: &Cx<'_>, name: &str, ty: Type) -> What {
        What::function(cx, name, ty)
    }
}

/// Nothing takes these arguments.
pub(crate) fn no_implementation(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    what: &What,
    actuals: &Actuals,
    rejections: &[Rejection],
) -> Diagnostic {
    let plain: Vec<String> = actuals.positional.iter().map(|a| cx.plain(a.ty)).collect();
    let mut message = match (
        operator_symbol(&what.short, &what.qualified),
        plain.as_slice(),
    ) {
        (Some(symbol), [container, item]) if what.short == "contains" => {
            format!("unsupported operand types for {symbol}: {item} and {container}")
        }
        (Some(symbol), [a, b]) => format!("unsupported operand types for {symbol}: {a} and {b}"),
        (Some(symbol), [a]) => format!("unsupported operand type for {symbol}: {a}"),
        _ => {
            let mut all = plain.clone();
            all.extend(
                actuals
                    .keyword
                    .iter()
                    .map(|(name, a)| format!("{name}={}", cx.plain(a.ty))),
            );
            format!(
                "no implementation of `{}` for ({})",
                what.qualified,
                all.join(", ")
            )
        }
    };
    let only_reason = match rejections {
        [only] if !only.reason.is_empty() => Some(only.reason.as_str()),
        _ => None,
    };
    if let (Some(reason), true) = (only_reason, what.is_call) {
        message = format!("`{}`: {reason}", what.qualified);
    }
    let mut diagnostic = Diagnostic::error(
        codes::NO_IMPLEMENTATION,
        ErrorClass::TypingError,
        message,
        net.span(inst),
    )
    .with_numba_phrase(no_implementation_phrase(cx, what, actuals, rejections));
    let mut named: Vec<String> = actuals
        .positional
        .iter()
        .filter_map(|a| match &a.arg {
            CallArg::Var(var) if !net.func.vars[*var].is_temp() => {
                Some(format!("{} is {}", subject(net, *var), cx.plain(a.ty)))
            }
            _ => None,
        })
        .collect();
    named.dedup();
    if !named.is_empty() {
        diagnostic = diagnostic.with_label(named.join(", "));
    }
    if let (Some(reason), false) = (only_reason, what.is_call) {
        diagnostic = diagnostic.with_note(reason.replace("<iv=None>", ""));
    } else if let ([only], Some(reason)) = (rejections, only_reason) {
        let keyword = reason.strip_prefix("got an unexpected keyword argument '");
        diagnostic = diagnostic.with_help(did_you_mean(
            keyword.map(|rest| rest.trim_end_matches('\'')),
            parameters_of(&only.candidate),
            format!("it is called as {}", only.candidate),
        ));
    }
    if let Some((help, place)) = super::mistakes::likely(net, cx, what.name(), actuals, rejections)
    {
        if let Some((span, text)) = place {
            diagnostic = diagnostic.with_secondary(span, text);
        }
        return diagnostic.with_help(help);
    }
    let nearest = nearest(rejections, 5);
    if only_reason.is_none() && !nearest.is_empty() {
        let more = rejections.len().saturating_sub(nearest.len());
        let mut help = format!("candidates:\n{}", nearest.join("\n"));
        if more > 0 {
            help.push_str(&format!("\nand {more} more"));
        }
        diagnostic = diagnostic.with_help(help);
    }
    diagnostic
}

/// Names of the parameters in `sum(a, axis=None, dtype=None)`.
pub(super) fn parameters_of(candidate: &str) -> impl Iterator<Item = &str> {
    let list = candidate.split_once('(').map_or("", |(_, list)| list);
    let words = list.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '=');
    words
        .filter_map(|word| word.split('=').next())
        .filter(|word| !word.is_empty())
}

/// The `n` candidates that fit best, with what is wrong with each.
fn nearest(rejections: &[Rejection], n: usize) -> Vec<String> {
    let mut sorted: Vec<&Rejection> = rejections.iter().collect();
    sorted.sort_by_key(|r| std::cmp::Reverse(r.nearness));
    sorted.dedup_by(|a, b| a.candidate == b.candidate);
    sorted
        .into_iter()
        .take(n)
        .map(|r| {
            if r.reason.is_empty() {
                format!("  {}", r.candidate)
            } else {
                format!("  {}: {}", r.candidate, r.reason)
            }
        })
        .collect()
}

fn no_implementation_phrase(
    cx: &Cx<'_>,
    what: &What,
    actuals: &Actuals,
    rejections: &[Rejection],
) -> String {
    let list = |literal: bool| -> String {
        let show = |ty: Type| cx.show(if literal { ty } else { cx.types.unliteral(ty) });
        let mut all: Vec<String> = actuals.positional.iter().map(|a| show(a.ty)).collect();
        all.extend(
            actuals
                .keyword
                .iter()
                .map(|(name, a)| format!("{name}={}", show(a.ty))),
        );
        all.join(", ")
    };
    let n = rejections.len().max(1);
    let s = if n == 1 { "" } else { "s" };
    let mut text = format!(
        "No implementation of function {} found for signature:\n \n >>> {}({})\n \nThere are {n} candidate implementation{s}:\n - Of which {n} did not match due to:\n Overload of function '{}': File: <numerous>: Line N/A.\n   With argument(s): '({})':\n",
        what.type_text,
        what.short,
        list(true),
        what.short,
        list(false),
    );
    let cases: Vec<&str> = rejections
        .iter()
        .filter_map(|r| Some(&r.candidate[r.candidate.find('(')?..]))
        .filter(|case| case.contains("->"))
        .collect();
    let reason = rejections
        .iter()
        .map(|r| r.reason.as_str())
        .find(|r| !r.is_empty());
    if !cases.is_empty() {
        text.push_str("  No match for registered cases:\n");
        for case in cases {
            text.push_str(&format!("   * {}\n", with_trailing_comma(case)));
        }
        // Bodies of other types: of arrays, lists, strings.
        let is_table = |body: &Body| matches!(body.result, ResultRule::Cases(_));
        let row = cx.lib.lookup(&what.qualified).map(|row| cx.lib.row(row));
        if row.is_some_and(|row| !row.bodies.iter().all(is_table)) {
            text.push_str("  No match.\n");
        }
    } else if let Some(reason) = reason {
        text.push_str(&format!(
            "  Rejected as the implementation raised a specific error:\n    TypingError: {reason}\n"
        ));
    } else {
        text.push_str("  No match.\n");
    }
    // Of methods both forms are met.
    if let ([receiver, given @ ..], true) = (
        actuals.positional.as_slice(),
        what.type_text.starts_with("BoundFunction("),
    ) {
        let receiver = cx.types.unliteral(receiver.ty);
        let family = cx.types.kind(receiver).family().unwrap_or("object");
        let given = given.iter().map(|a| cx.show(cx.types.unliteral(a.ty)));
        text.push_str(&format!(
            "Invalid use of BoundFunction({family}.{} for {}) with parameters ({})\n",
            what.short,
            cx.show(receiver),
            given.collect::<Vec<_>>().join(", ")
        ));
        let keyword = reason.and_then(|r| r.strip_prefix("got an unexpected keyword argument "));
        if let Some(keyword) = keyword {
            text.push_str(&format!("Unsupported keywords: [{keyword}]\n"));
        }
    }
    if what.is_call {
        text.push_str(&format!(
            "\nDuring: resolving callee type: {}",
            what.type_text
        ));
    }
    text
}

/// Python prints tuples of one with a comma: `(int64,) -> float64`.
fn with_trailing_comma(case: &str) -> String {
    match case.split_once(") -> ") {
        Some((params, ret)) if !params.contains(',') && params.len() > 1 => {
            format!("{params},) -> {ret}")
        }
        _ => case.to_owned(),
    }
}

/// `+` of `operator.add` and of `operator.iadd`.
fn operator_symbol(short: &str, qualified: &str) -> Option<String> {
    if !qualified.starts_with("operator.") {
        return None;
    }
    let binary = BinOp::ALL.into_iter().find_map(|op| {
        if op.operator_name() == short {
            Some(op.symbol().to_owned())
        } else if op.inplace_name() == Some(short) {
            Some(format!("{}=", op.symbol()))
        } else {
            None
        }
    });
    binary.or_else(|| {
        UnaryOp::ALL
            .into_iter()
            .find(|op| op.operator_name() == short)
            .map(|op| format!("unary {}", op.symbol()))
    })
}

/// A row's own words about a wrong call.
pub(crate) fn rejected(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    row: &Row,
    given: &[Type],
    text: &str,
) -> Diagnostic {
    let short = row.name.rsplit('.').next().unwrap_or(row.name);
    let plain: Vec<Type> = given.iter().map(|ty| cx.types.unliteral(*ty)).collect();
    let callee = match numbra_library::python_name(row.name) {
        Some(name) => format!("<function {name}>"),
        None => format!("<built-in function {short}>"),
    };
    let (class, text) = match text.strip_prefix("ValueError: ") {
        Some(text) => (ErrorClass::ValueError, text),
        None => (ErrorClass::TypingError, text),
    };
    let phrase = format!(
        "No implementation of function Function({callee}) found for signature:\n \n >>> {short}({})\n \nThere are 1 candidate implementation:\n - Of which 1 did not match due to:\n Overload of function '{short}': File: <numerous>: Line N/A.\n   With argument(s): '({})':\n  Rejected as the implementation raised a specific error:\n    {class:?}: {text}\n",
        cx.show_all(given),
        cx.show_all(&plain),
    );
    Diagnostic::error(codes::REJECTED, class, text, net.span(inst))
        .with_label(format!("in `{}`", row.name))
        .with_numba_phrase(phrase)
}

/// Arguments of a jitted function that do not fit its parameters.
#[expect(clippy::too_many_arguments, reason = "the parts of one message")]
pub(crate) fn cannot_bind(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    callee: Type,
    name: &str,
    specs: &[ArgSpec],
    actuals: &Actuals,
    error: &BindError,
) -> Diagnostic {
    let args = actuals.positional_types();
    let comma = if args.len() == 1 { "," } else { "" };
    let kws: Vec<String> = actuals
        .keyword
        .iter()
        .map(|(name, a)| format!("'{name}': {}", cx.show(a.ty)))
        .collect();
    let phrase = format!(
        "Cannot bind 'args=({}{comma}) kws={{{}}}' to signature '({})' due to \"TypeError: {}\".\nDuring: resolving callee type: {}",
        cx.show_all(&args),
        kws.join(", "),
        specs_text(specs),
        error.signature_text(),
        cx.show(callee),
    );
    Diagnostic::error(
        codes::BAD_ARGUMENTS,
        ErrorClass::TypingError,
        error.text(name),
        net.span(inst),
    )
    .with_help(did_you_mean(
        match error {
            BindError::Unexpected(name) => Some(name.as_str()),
            _ => None,
        },
        specs.iter().map(|spec| spec.name.as_str()),
        format!("its parameters are ({})", specs_text(specs)),
    ))
    .with_numba_phrase(phrase)
}

/// `rest`, after what a keyword argument that nothing takes was probably meant to be.
fn did_you_mean<'a>(
    keyword: Option<&str>,
    parameters: impl Iterator<Item = &'a str>,
    rest: String,
) -> String {
    match keyword.and_then(|keyword| nearest_name(keyword, parameters)) {
        Some(near) => format!("did you mean `{near}`? {rest}"),
        None => rest,
    }
}

/// None of the explicit signatures of a jitted function takes the arguments.
pub(crate) fn no_signature(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    callee: Type,
    name: &str,
    known: &[Signature],
    actuals: &Actuals,
) -> Diagnostic {
    let plain: Vec<Type> = (actuals.positional_types().iter())
        .map(|ty| cx.types.unliteral(*ty))
        .collect();
    let (given, shown) = (cx.show_all(&plain), cx.show(callee));
    let case = |sig: &Signature| {
        let case = format!("({}) -> {}", cx.show_all(&sig.params), cx.show(sig.ret));
        format!(" * {}", with_trailing_comma(&case))
    };
    let cases: Vec<String> = known.iter().map(case).collect();
    let cases = cases.join("\n");
    Diagnostic::error(
        codes::NO_IMPLEMENTATION,
        ErrorClass::TypingError,
        format!("no signature of `{name}` takes ({given})"),
        net.span(inst),
    )
    .with_help(format!(
        "`{name}` is compiled for its explicit signatures alone:\n{cases}"
    ))
    .with_numba_phrase(format!(
        "Invalid use of {shown} with parameters ({given})\nKnown signatures:\n{cases}\nDuring: resolving callee type: {shown}"
    ))
}

/// `a, b=1, *args`
fn specs_text(specs: &[ArgSpec]) -> String {
    let texts: Vec<String> = specs
        .iter()
        .map(|spec| {
            let star = match spec.kind {
                ArgKind::VarPositional => "*",
                ArgKind::VarKeyword => "**",
                ArgKind::PositionalOnly | ArgKind::PositionalOrKeyword | ArgKind::KeywordOnly => "",
            };
            match &spec.default {
                Some(default) => format!("{star}{}={default}", spec.name),
                None => format!("{star}{}", spec.name),
            }
        })
        .collect();
    texts.join(", ")
}

/// What stands after `*` is no tuple.
pub(crate) fn star_args(net: &Network, cx: &Cx<'_>, inst: Inst, ty: Type) -> Diagnostic {
    let shown = cx.show(ty);
    Diagnostic::error(
        codes::STAR_ARGS,
        ErrorClass::TypingError,
        format!("what follows `*` in a call must be a tuple, not {shown}"),
        net.span(inst),
    )
    .with_help("the number of arguments must be known when the call is compiled")
    .with_numba_phrase(format!(
        "*args in function call should be a tuple, got {shown}"
    ))
}

/// Arguments that the parameters of a function value do not take.
pub(crate) fn function_arguments(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    callee: Type,
    actuals: &Actuals,
    why: String,
) -> Diagnostic {
    let (shown, given) = (cx.show(callee), cx.show_all(&actuals.positional_types()));
    let phrase = format!(
        "No implementation of function ExternalFunctionPointer({shown}) found for signature:\n \n >>> {shown}({given})\n \n{why}"
    );
    let error = ErrorClass::TypingError;
    Diagnostic::error(codes::BAD_ARGUMENTS, error, why, net.span(inst)).with_numba_phrase(phrase)
}

/// Arguments by name for a function of which only its signature is known.
pub(crate) fn function_keywords(net: &Network, inst: Inst) -> Diagnostic {
    let message =
        "a call of a function value takes no arguments by name: only its signature is known";
    let error = ErrorClass::UnsupportedError;
    Diagnostic::error(codes::BAD_ARGUMENTS, error, message, net.span(inst))
        .with_help("pass them by position")
        .with_numba_phrase("first-class function call cannot use keyword arguments".to_owned())
}

/// A value that cannot be called.
pub(crate) fn not_callable(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    callee: Type,
    actuals: &Actuals,
) -> Diagnostic {
    let shown = cx.show(callee);
    let class = match cx.types.kind(callee) {
        TypeKind::Class(name) => Some(name.trim_start_matches("builtins.")),
        _ => None,
    };
    let message = match class {
        Some(class) => format!("compiled code makes no objects of class `{class}`"),
        None => format!("{} is not callable", cx.plain(callee)),
    };
    let mut diagnostic = Diagnostic::error(
        codes::NOT_CALLABLE,
        ErrorClass::TypingError,
        message,
        net.span(inst),
    )
    .with_numba_phrase(match class {
        // To Numba it is an object like any other.
        Some(class) => format!("Untyped global name '{class}': Cannot determine Numba type of <class 'type'>"),
        None => format!(
            "Invalid use of {shown} with parameters ({})\nNo type info available for {shown} as a callable.\nDuring: resolving callee type: {shown}",
            cx.show_all(&actuals.positional_types())
        ),
    });
    if let TypeKind::Optional(_) = cx.types.kind(callee) {
        diagnostic = diagnostic.with_help("test it with `is not None` first");
    }
    match class {
        Some("dict" | "frozenset") => {
            diagnostic = diagnostic
                .with_help("use a NumPy array, or a tuple where the number of items is fixed");
        }
        Some(_) => diagnostic = diagnostic.with_help(super::names::NO_OBJECTS),
        None => {}
    }
    diagnostic
}
