//! Why an operator does not take its operands.

use super::mistakes::is_text;
use crate::context::Cx;
use numbra_ir::{BinOp, Scalar, Type, TypeKind, UnaryOp};

/// Advice about an operator, by its name without `operator.`, that does not take operands of these types.
pub(super) fn help(cx: &Cx<'_>, operator: &str, plain: &[Type]) -> Option<String> {
    let texts = plain.iter().filter(|ty| is_text(cx, **ty)).count();
    let other = plain.iter().copied().find(|ty| !is_text(cx, *ty));
    match operator {
        "contains" => contains(cx, plain),
        "add" | "iadd" | "mul" | "imul" | "mod" if texts > 0 => Some(of_text(cx, operator, other)),
        "eq" | "ne" | "lt" | "le" | "gt" | "ge" if texts > 0 => other.map(|other| {
            format!(
                "a string compares with strings only, not with {}",
                described(cx, other)
            )
        }),
        "is_" | "is_not" if texts > 0 => {
            Some("whether two strings are one object is not known: compare them by `==`".to_owned())
        }
        _ if texts > 0 => Some(format!(
            "strings have no operator `{}`: Python has none either",
            symbol(operator)
        )),
        "lt" | "le" | "gt" | "ge" if plain.iter().any(|ty| is(cx, *ty, Scalar::is_complex)) => {
            Some(
                "complex numbers have no order: compare `x.real`, or the absolute values `abs(x)`"
                    .to_owned(),
            )
        }
        _ if takes_integers(operator) => {
            let wrong = *plain
                .iter()
                .find(|ty| is(cx, **ty, |s| s.is_float() || s.is_complex()))?;
            let convert = match cx.types.as_array(wrong) {
                Some(_) => "`x.astype(np.int64)`",
                None => "`int(x)`",
            };
            Some(format!(
                "`{}` takes integers, not {}: convert by {convert} where that is meant",
                symbol(operator),
                cx.plain(wrong)
            ))
        }
        _ => None,
    }
}

/// `+` of `add`; `+=` of `iadd`.
fn symbol(operator: &str) -> String {
    let unary = UnaryOp::ALL.into_iter();
    let mut unary = unary.filter(|op| op.operator_name() == operator);
    if let Some(op) = unary.next() {
        return op.symbol().to_owned();
    }
    let of = |op: BinOp| match op.inplace_name() {
        _ if op.operator_name() == operator => Some(op.symbol().to_owned()),
        Some(name) if name == operator => Some(format!("{}=", op.symbol())),
        _ => None,
    };
    let found = BinOp::ALL.into_iter().find_map(of);
    found.unwrap_or_else(|| operator.to_owned())
}

fn takes_integers(operator: &str) -> bool {
    matches!(
        operator,
        "invert"
            | "lshift"
            | "rshift"
            | "and_"
            | "or_"
            | "xor"
            | "ilshift"
            | "irshift"
            | "iand"
            | "ior"
            | "ixor"
    )
}

/// Whether a number, or the elements of an array, are of some kind.
fn is(cx: &Cx<'_>, ty: Type, test: impl Fn(Scalar) -> bool) -> bool {
    let item = cx.types.as_array(ty).map_or(ty, |array| array.dtype);
    cx.types.as_scalar(item).is_some_and(test)
}

fn contains(cx: &Cx<'_>, plain: &[Type]) -> Option<String> {
    let [container, item] = *plain else {
        return None;
    };
    Some(match cx.types.kind(container) {
        TypeKind::Scalar(..) => {
            format!(
                "`in` looks in a container, and {} is none",
                described(cx, container)
            )
        }
        TypeKind::Unicode if item != Type::UNICODE => {
            format!(
                "a string contains strings only, not {}",
                described(cx, item)
            )
        }
        TypeKind::Array(array) => format!(
            "the items of the array are {}, which {} does not equal",
            cx.plain(array.dtype),
            described(cx, item)
        ),
        _ => return None,
    })
}

/// A type in words of Python, where there are some.
fn described(cx: &Cx<'_>, ty: Type) -> String {
    match cx.types.kind(ty).noun() {
        Some(noun) => noun.to_owned(),
        None => cx.plain(ty),
    }
}

/// `other` is what the string meets, if it is none.
fn of_text(cx: &Cx<'_>, operator: &str, other: Option<Type>) -> String {
    match (operator, other) {
        ("add" | "iadd", Some(other)) => format!(
            "a string and {} cannot be added: Python has no such operator either",
            described(cx, other)
        ),
        ("mod", _) => {
            "`%` takes constant formats in compiled code: write an f-string, as `f\"{x}\"`"
                .to_owned()
        }
        ("mul" | "imul", Some(other)) => format!(
            "a string is repeated so often as an integer says, not {}",
            described(cx, other)
        ),
        ("mul" | "imul", None) => {
            "a string is repeated so often as an integer says, and both are strings".to_owned()
        }
        _ => "strings are joined with strings only, not with bytes".to_owned(),
    }
}
