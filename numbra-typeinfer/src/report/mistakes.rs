//! Mistakes that many programs make, and what was probably meant.

use super::calls::parameters_of;
use super::subject;
use crate::context::Cx;
use crate::fold::Actuals;
use crate::network::Network;
use crate::resolve::Rejection;
use numbra_base::Span;
use numbra_ir::{BinOp, CallArg, Expr, Rhs, Scalar, Type, TypeKind, Var};

/// What to write in place of a call that nothing implements, and a second place that explains it.
type Advice = (String, Option<(Span, String)>);

/// Parameters that are a shape: an integer or a tuple of integers.
const SHAPES: &[&str] = &["shape", "newshape", "new_shape", "size"];

/// Operators on strings that Python has.
const TEXT_OPERATORS: &[&str] = &["add", "mul", "mod", "iadd", "imul"];

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
        if TEXT_OPERATORS.contains(&short) && plain.iter().any(|ty| is_text(cx, *ty)) {
            return Some((text_operator(cx, short, &plain), None));
        }
        // Of operators there is nothing more to say.
        return None;
    }
    if let Some(help) = conversion(cx, name, &plain) {
        return Some((help.to_owned(), None));
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
            "compiled code makes no text of other values: `print` takes them as they are; return the value and make the text \
             outside",
        ),
        "builtins.int" | "builtins.float" | "builtins.complex" if is_text(cx, first) => Some(
            "compiled code reads no numbers from text: convert the text outside and pass the number",
        ),
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

fn is_text(cx: &Cx<'_>, ty: Type) -> bool {
    ty == Type::UNICODE || matches!(cx.types.kind(ty), TypeKind::UnicodeCharSeq(_))
}

fn text_operator(cx: &Cx<'_>, operator: &str, plain: &[Type]) -> String {
    let all = plain.iter().all(|ty| is_text(cx, *ty));
    match operator {
        "add" | "iadd" if !all => {
            "a string and a number cannot be added: Python has no such operator either".to_owned()
        }
        "mod" => {
            "compiled code does not format text: `print` takes several values, or format outside"
                .to_owned()
        }
        _ => format!(
            "compiled code makes no new strings: there is no {} of strings. It compares, indexes, slices and searches them; \
             make the text outside and pass it in, or return the parts",
            if operator.ends_with("mul") {
                "repetition"
            } else {
                "concatenation"
            }
        ),
    }
}
