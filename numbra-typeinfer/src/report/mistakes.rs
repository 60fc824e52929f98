//! Mistakes that many programs make, and what was probably meant.

use super::calls::parameters_of;
use super::{source_name, subject};
use crate::context::Cx;
use crate::fold::Actuals;
use crate::network::Network;
use crate::resolve::Rejection;
use crate::values::literal_value;
use numbra_base::Span;
use numbra_ir::{BinOp, CallArg, Const, Expr, Rhs, Scalar, Type, TypeKind, Var};

/// What to write in place of a call that nothing implements, and a second place that explains it.
type Advice = (String, Option<(Span, String)>);

/// Parameters that are a shape: an integer or a tuple of integers.
const SHAPES: &[&str] = &["shape", "newshape", "new_shape", "size"];

/// Advice about a call of `name` that nothing implements.
pub(super) fn likely(
    net: &Network,
    cx: &Cx<'_>,
    name: &str,
    actuals: &Actuals,
    rejections: &[Rejection],
) -> Option<Advice> {
    let short = name.rsplit('.').next().unwrap_or(name);
    let given = actuals.positional.iter();
    let plain: Vec<Type> = given.map(|a| cx.types.unliteral(a.ty)).collect();
    if name.starts_with("operator.") {
        return super::operands::help(cx, short, &plain).map(|help| (help, None));
    }
    let help = conversion(cx, name, &plain).map(str::to_owned);
    let help = help.or_else(|| of_function(net, cx, name, actuals, &plain, rejections));
    if let Some(help) = help {
        return Some((help, None));
    }
    let counts = matches!(name, "builtins.range" | "builtins.slice" | "numbra.prange");
    let first = rejections.first().map(|r| r.candidate.as_str());
    let is_shape = |n: usize| {
        let parameter = first.and_then(|text| parameters_of(text).nth(n));
        parameter.is_some_and(|p| SHAPES.contains(&p))
    };
    for (n, actual) in actuals.positional.iter().enumerate() {
        if !counts && !is_shape(n) {
            continue;
        }
        if let Some(advice) = of_extent(net, cx, &actual.arg, plain[n], short) {
            return Some(advice);
        }
    }
    None
}

/// Advice about the conversions between numbers and text, and about counts that are no numbers.
fn conversion(cx: &Cx<'_>, name: &str, plain: &[Type]) -> Option<&'static str> {
    let first = *plain.first()?;
    match name {
        "builtins.str" | "builtins.repr" => Some(
            "compiled code makes text of numbers, strings, `None`, arrays and containers of these: write the parts of the \
             value, as `f\"{x.y}\"`, or make the text outside",
        ),
        _ if is_text(cx, first) && is_number_class(name) => {
            Some("compiled code reads numbers from text by `int` and `float`")
        }
        "builtins.int" | "builtins.float" | "builtins.complex"
            if cx.types.as_array(first).is_some() =>
        {
            Some(
                "`x.item()` is the element of an array of one, `x.astype(..)` converts all elements",
            )
        }
        "builtins.range" if plain.iter().any(|ty| is_text(cx, *ty)) => {
            Some("`range` takes integers; `len(s)` is the number of characters of a string")
        }
        _ => None,
    }
}

/// `int`, `np.int64` and the like.
fn is_number_class(name: &str) -> bool {
    matches!(name, "builtins.int" | "builtins.float" | "builtins.complex")
        || (name.strip_prefix("numpy."))
            .is_some_and(|class| Scalar::named(class.trim_end_matches('_')).is_some())
}

/// Advice about what is given for an integer or a shape.
fn of_extent(net: &Network, cx: &Cx<'_>, arg: &CallArg, ty: Type, called: &str) -> Option<Advice> {
    match cx.types.kind(ty) {
        TypeKind::List { .. } | TypeKind::LiteralList(_) => {
            let shown =
                "a shape is a tuple, of which the compiler knows the length, and not a list: write";
            Some((format!("{shown} `{called}((n, m))`"), None))
        }
        TypeKind::Scalar(Scalar::Float32 | Scalar::Float64, _) => {
            let CallArg::Var(var) = arg else {
                return Some((WHOLE.to_owned(), None));
            };
            Some(joined(net, cx, *var).unwrap_or_else(|| (whole(net, *var), None)))
        }
        _ => match cx.types.tuple_items(ty) {
            Some(items) if items.iter().any(|ty| is_float(cx, *ty)) => {
                Some((WHOLE.to_owned(), None))
            }
            _ => None,
        },
    }
}

const WHOLE: &str = "integers are wanted here, and `/` gives a float: write `n // 2`, or `int(x)`";

fn whole(net: &Network, var: Var) -> String {
    let divides = net.source(var).is_some_and(|(_, value)| {
        matches!(
            value,
            Rhs::Expr(
                Expr::BinOp {
                    op: BinOp::TrueDiv,
                    ..
                } | Expr::InplaceBinOp {
                    op: BinOp::TrueDiv,
                    ..
                }
            )
        )
    });
    match divides {
        true => "`/` gives a float: write `//` for an integer".to_owned(),
        false => WHOLE.to_owned(),
    }
}

/// Where uint64 and int64 met, of which Python's numbers make a float.
pub(super) fn joined(net: &Network, cx: &Cx<'_>, var: Var) -> Option<Advice> {
    let (inst, value) = net.source(var)?;
    let operands: Vec<Var> = match value {
        Rhs::Expr(Expr::Phi(incoming)) => incoming.iter().filter_map(|(_, var)| *var).collect(),
        Rhs::Expr(Expr::BinOp { lhs, rhs, .. } | Expr::InplaceBinOp { lhs, rhs, .. }) => {
            vec![*lhs, *rhs]
        }
        _ => return None,
    };
    let is = |var: &Var, unsigned: bool| {
        let ty = net.type_of(*var).map(|ty| cx.types.unliteral(ty));
        ty.is_some_and(|ty| match cx.types.kind(ty) {
            TypeKind::Scalar(scalar, _) if unsigned => *scalar == Scalar::UInt64,
            TypeKind::Scalar(scalar, _) => scalar.is_signed_int(),
            _ => false,
        })
    };
    let wide = operands.iter().find(|var| is(var, true))?;
    let signed = operands.iter().find(|var| is(var, false))?;
    let what = subject(net, var);
    let place = match value {
        Rhs::Expr(Expr::Phi(_)) => net.assigned_at(*signed)?,
        _ => inst,
    };
    let other = match net.func.vars[*wide].is_temp() {
        true => "the value of type uint64".to_owned(),
        false => subject(net, *wide),
    };
    let span = net.span(place);
    Some((
        format!(
            "{what} is a float because uint64 and int64 meet in it: convert {other} by `np.int64(..)` first"
        ),
        span.is_known()
            .then(|| (span, "int64 meets uint64 here".to_owned())),
    ))
}

fn is_float(cx: &Cx<'_>, ty: Type) -> bool {
    let ty = cx.types.unliteral(ty);
    matches!(
        cx.types.kind(ty),
        TypeKind::Scalar(Scalar::Float32 | Scalar::Float64, _)
    )
}

/// A string, or a char sequence.
pub(super) fn is_text(cx: &Cx<'_>, ty: Type) -> bool {
    ty == Type::UNICODE || matches!(cx.types.kind(ty), TypeKind::UnicodeCharSeq(_))
}

/// Parameters of functions of NumPy that join arrays, which are one argument.
const JOINED: &[&str] = &["arrays", "tup"];

/// True for functions that join arrays.
fn joins(cx: &Cx<'_>, name: &str) -> bool {
    let row = cx.lib.lookup(name).map(|id| cx.lib.row(id));
    let first = row.and_then(|row| row.params.first());
    name.starts_with("numpy.") && first.is_some_and(|param| JOINED.contains(&param.name))
}

/// Advice about functions of which users expect that they take other arguments.
fn of_function(
    net: &Network,
    cx: &Cx<'_>,
    name: &str,
    actuals: &Actuals,
    plain: &[Type],
    rejections: &[Rejection],
) -> Option<String> {
    let is_array = |ty: &Type| cx.types.as_array(*ty).is_some();
    let short = name.rsplit('.').next().unwrap_or(name);
    let written = |n: usize, other: &str| written(net, actuals, n, other);
    let first = *plain.first()?;
    match name {
        "builtins.tuple" => Some(format!(
            "the length of a tuple must be known when the function is compiled, and that of {} is not: make the tuple outside, \
             or write its items, `(x[0], x[1])`",
            cx.plain(first)
        )),
        "builtins.min" | "builtins.max" if plain.len() > 1 && plain.iter().any(is_array) => {
            Some(format!(
                "`{short}` gives one of its arguments: `np.{short}imum({}, {})` compares item by item",
                written(0, "a"),
                written(1, "b")
            ))
        }
        "builtins.min" | "builtins.max" if plain.len() > 1 => {
            let all: Vec<String> = plain.iter().map(|ty| cx.plain(*ty)).collect();
            Some(format!(
                "`{short}` compares real numbers: there is no order of {}",
                all.join(" and ")
            ))
        }
        "numpy.arange" if is_array(&first) => Some(format!(
            "`np.arange` takes numbers: `np.arange({}.size)` counts the items of an array",
            written(0, "x")
        )),
        "numpy.random.seed" | "random.seed" => {
            Some("a seed is an integer, from 0 to 2**32 - 1".to_owned())
        }
        _ if is_array(&first) && joins(cx, name) && plain.get(1).is_some_and(is_array) => {
            Some(format!(
                "the arrays are one argument: pass a tuple, `np.{short}(({}, {}))`",
                written(0, "a"),
                written(1, "b")
            ))
        }
        _ => without_axis(net, cx, name, actuals, first, rejections),
    }
}

/// An argument as it is written, where it is a variable.
fn written(net: &Network, actuals: &Actuals, n: usize, other: &str) -> String {
    match actuals.positional.get(n).map(|a| &a.arg) {
        Some(CallArg::Var(var)) if !net.func.vars[*var].is_temp() => {
            source_name(net, *var).to_owned()
        }
        _ => other.to_owned(),
    }
}

/// Advice about an axis of a function that takes none.
fn without_axis(
    net: &Network,
    cx: &Cx<'_>,
    name: &str,
    actuals: &Actuals,
    array: Type,
    rejections: &[Rejection],
) -> Option<String> {
    let array = cx.types.as_array(array)?;
    let short = name.rsplit('.').next().unwrap_or(name);
    // Functions have their whole name, methods a short one.
    let is_method = short == name;
    let [only] = rejections else { return None };
    if parameters_of(&only.candidate).any(|parameter| parameter == "axis") {
        return None;
    }
    let named = actuals.keyword.iter().find(|(name, _)| name == "axis");
    let by_position = REDUCTIONS.contains(&short)
        && parameters_of(&only.candidate).count() == 1
        && actuals.positional.len() == 2;
    let axis = match named {
        Some((_, axis)) => axis.ty,
        None if by_position => actuals.positional[1].ty,
        None => return None,
    };
    let refused = format!("`axis` is not supported for `{short}`");
    let x = written(net, actuals, 0, "x");
    let axis = match literal_value(cx.types, axis) {
        Some(Const::Int(axis)) => *axis,
        _ => 0,
    };
    let whole = i64::from(array.ndim);
    Some(
        match (if axis < 0 { axis + whole } else { axis }, array.ndim) {
            (0 | 1, 2) if short == "mean" => {
                format!("{refused}: write `np.sum({x}, axis={axis}) / {x}.shape[{axis}]`")
            }
            (at @ (0 | 1), 2) => {
                let (item, other) = match at {
                    0 => (format!("{x}[:, i]"), 1),
                    _ => (format!("{x}[i]"), 0),
                };
                let call = match is_method {
                    true => format!("{item}.{short}()"),
                    false => format!("np.{short}({item})"),
                };
                format!("{refused}: write `np.array([{call} for i in range({x}.shape[{other}])])`")
            }
            (_, 1) => format!("{refused}: leave it out, as the array has one axis"),
            _ => format!("{refused}: write a loop over the other axes"),
        },
    )
}

/// Functions of NumPy with `axis` as their second parameter.
const REDUCTIONS: &[&str] = &[
    "all",
    "any",
    "max",
    "min",
    "amax",
    "amin",
    "mean",
    "prod",
    "ptp",
    "std",
    "var",
    "nanmax",
    "nanmin",
    "nanmean",
    "nanmedian",
    "nanprod",
    "nanstd",
    "nansum",
    "nanvar",
    "median",
];
