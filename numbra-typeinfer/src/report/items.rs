//! Attributes, items, iteration and unpacking.

use super::mistakes::joined;
use super::{THIS_VALUE, source_name, subject};
use crate::codes;
use crate::context::Cx;
use crate::failure::Failure;
use crate::fold::{Actual, Actuals};
use crate::network::Network;
use crate::resolve::Rejection;
use numbra_base::{Diagnostic, ErrorClass, nearest_name};
use numbra_ir::{CallArg, Expr, Inst, Rhs, Scalar, StmtKind, Type, TypeKind, Var};

/// A type without such an attribute.
pub(crate) fn unknown_attribute(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    ty: Type,
    attr: &str,
) -> Diagnostic {
    let plain = cx.types.unliteral(ty);
    let shown = cx.show(plain);
    let phrase_type = match cx.types.kind(ty) {
        TypeKind::Module(name) => format!("Module(<module '{name}'>)"),
        _ => cx.show(ty),
    };
    let mut diagnostic = Diagnostic::error(
        codes::UNKNOWN_ATTRIBUTE,
        ErrorClass::TypingError,
        format!("unknown attribute `{attr}` of type {shown}"),
        net.span(inst),
    )
    .with_numba_phrase(format!("Unknown attribute '{attr}' of type {phrase_type}"));
    if let StmtKind::Assign {
        value: Rhs::Expr(Expr::GetAttr { value, .. }),
        ..
    } = &net.func.insts[inst].kind
        && !net.func.vars[*value].is_temp()
    {
        diagnostic = diagnostic.with_label(format!("{} is {shown}", subject(net, *value)));
    }
    let receiver = match cx.types.kind(plain) {
        TypeKind::Optional(inner) => *inner,
        _ => plain,
    };
    let mut members: Vec<String> = cx
        .lib
        .members(cx.types, receiver)
        .into_iter()
        .map(str::to_owned)
        .collect();
    if let TypeKind::NamedTuple(_, fields, _) = cx.types.kind(receiver) {
        members = fields.clone();
    }
    if let TypeKind::Record(record) = cx.types.kind(receiver) {
        members.extend(record.fields.iter().map(|field| field.name.to_string()));
    }
    // Modules have more than can be listed: only what is near is said.
    let mut others = Vec::new();
    if let TypeKind::Module(name) = cx.types.kind(receiver) {
        members = members_of_module(cx, name);
        others = cx.host.members(name);
        others.retain(|other| !other.starts_with('_'));
        if others.iter().any(|other| other == attr) {
            return exists(diagnostic, name, attr);
        }
    }
    // A member of this name is there for other types than this one.
    members.retain(|member| member != attr && !member.starts_with("__"));
    let module = matches!(cx.types.kind(receiver), TypeKind::Module(_));
    if let Some(near) = nearest_name(attr, members.iter().chain(&others)) {
        let owner = owner_text(net, inst).filter(|_| module);
        let owner = owner.map_or(String::new(), |owner| format!("{owner}."));
        diagnostic = diagnostic.with_help(format!("did you mean `{owner}{near}`?"));
    } else if !members.is_empty() && members.len() < 100 {
        let shown_members = members
            .iter()
            .take(24)
            .cloned()
            .collect::<Vec<_>>()
            .join(", ");
        let more = if members.len() > 24 { ", ..." } else { "" };
        diagnostic = diagnostic.with_help(format!("{shown} has: {shown_members}{more}"));
    }
    diagnostic
}

/// What a module has, and compiled code has not.
fn exists(mut diagnostic: Diagnostic, module: &str, attr: &str) -> Diagnostic {
    let name = format!("{module}.{attr}");
    diagnostic.message = format!("`{name}` is nothing that compiled code can use");
    let lacks = module.split('.').next() == Some("numbra");
    if lacks {
        diagnostic.class = ErrorClass::UnsupportedError;
    }
    diagnostic.with_help(match lacks {
        true => format!("numbra does not have `{name}` in compiled code yet"),
        false => "use it outside, and pass the numbers, arrays or tuples that come out".to_owned(),
    })
}

/// What an attribute is read of, as it is written: `np` or `np.linalg`.
fn owner_text(net: &Network, inst: Inst) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    let mut at = inst;
    // A chain of attributes is finite; the bound is for wrong IR.
    for _ in 0..net.func.insts.len() + 1 {
        let StmtKind::Assign { value, .. } = &net.func.insts[at].kind else {
            return None;
        };
        match value {
            Rhs::Expr(Expr::GetAttr { value, attr }) => {
                if at != inst {
                    names.push(attr.clone());
                }
                at = net.source(*value)?.0;
            }
            Rhs::Global(name) | Rhs::FreeVar { obj: name, .. } => {
                let name = &net.func.objects.get(*name)?.name;
                names.push(written_name(name));
                break;
            }
            _ => return None,
        }
    }
    names.reverse();
    Some(names.join("."))
}

/// Modules are mostly known by their own name, NumPy and `numbra.cuda` by those that their manuals give them.
fn written_name(module: &str) -> String {
    match module.strip_prefix("numpy") {
        Some(rest) if rest.is_empty() || rest.starts_with('.') => format!("np{rest}"),
        _ if module == "numbra.cuda" => "cuda".to_owned(),
        _ => module.to_owned(),
    }
}

/// What rows say is in a module: functions, and modules inside.
fn members_of_module(cx: &Cx<'_>, module: &str) -> Vec<String> {
    let inside = |name: &'static str| name.strip_prefix(module)?.strip_prefix('.');
    let rows = cx.lib.rows().map(|(_, row)| row);
    let mut members: Vec<String> = rows
        .filter(|row| row.is_known_on(cx.opts.device))
        .flat_map(|row| [row.name].into_iter().chain(row.aliases.iter().copied()))
        .filter_map(inside)
        .filter_map(|rest| rest.split('.').next().map(str::to_owned))
        .collect();
    members.sort_unstable();
    members.dedup();
    members
}

/// A NumPy function without a row.
pub(crate) fn unsupported_numpy(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    module: &str,
    attr: &str,
) -> Diagnostic {
    let name = format!("{module}.{attr}");
    let help = match nearest_name(attr, members_of_module(cx, module)) {
        Some(near) => {
            let owner = owner_text(net, inst).unwrap_or_else(|| written_name(module));
            format!("did you mean `{owner}.{near}`?")
        }
        None => "docs/supported.md lists the supported functions".to_owned(),
    };
    Diagnostic::error(
        codes::UNSUPPORTED_FUNCTION,
        ErrorClass::TypingError,
        format!("`{name}` is not supported"),
        net.span(inst),
    )
    .with_help(help)
    .with_numba_phrase(format!(
        "Use of unsupported NumPy function '{name}' or unsupported use of the function."
    ))
}

/// A value that cannot be iterated over.
pub(crate) fn not_iterable(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    step: &str,
    ty: Type,
) -> Diagnostic {
    let shown = cx.show(ty);
    let plain = cx.types.unliteral(ty);
    let mut diagnostic = Diagnostic::error(
        codes::NOT_ITERABLE,
        ErrorClass::TypingError,
        format!("{} is not iterable", cx.show(plain)),
        net.span(inst),
    )
    .with_numba_phrase(format!("Invalid use of {step} with parameters ({shown})"));
    match cx.types.kind(plain) {
        TypeKind::Tuple(items) if !items.is_empty() => {
            diagnostic = diagnostic
                .with_help("a tuple of several types has no one item type: use `literal_unroll`");
        }
        TypeKind::CharSeq(_) => {
            let index = "loops over the bytes of a char sequence are not supported: write `for i in range(len(s))` and use `s[i]`";
            diagnostic = diagnostic.with_help(index);
        }
        TypeKind::Scalar(..) => {
            diagnostic = diagnostic.with_help("to count up to it, iterate over `range(..)`");
        }
        _ => {}
    }
    diagnostic
}

/// Unpacking a tuple into another number of names.
pub(crate) fn wrong_tuple_length(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    value: Var,
    expected: u32,
    got: usize,
) -> Diagnostic {
    let few = got < expected as usize;
    wrong_length(net, cx, inst, value, &expected.to_string(), got, few)
}

/// Unpacking a tuple into more names than it has items, one of them starred.
pub(crate) fn tuple_too_short(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    value: Var,
    least: i64,
    got: usize,
) -> Diagnostic {
    wrong_length(
        net,
        cx,
        inst,
        value,
        &format!("at least {least}"),
        got,
        true,
    )
}

fn wrong_length(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    value: Var,
    expected: &str,
    got: usize,
    few: bool,
) -> Diagnostic {
    let which = if few { "not enough" } else { "too many" };
    let what = match subject(net, value).as_str() {
        THIS_VALUE => String::new(),
        name => format!(" for {name}"),
    };
    let items = match got {
        1 => "1 item".to_owned(),
        _ => format!("{got} items"),
    };
    let mut diagnostic = Diagnostic::error(
        codes::UNPACK,
        ErrorClass::TypingError,
        format!("{which} values to unpack (expected {expected}, got {got})"),
        net.span(inst),
    )
    .with_help(format!(
        "the tuple has {items}: write as many names on the left of `=`"
    ))
    .with_numba_phrase(format!(
        "wrong tuple length{what}: expected {expected}, got {got}"
    ));
    if let Some((_, Rhs::Expr(Expr::GetAttr { value, attr }))) = net.source(value)
        && attr == "shape"
        && let Some(ty) = net.type_of(*value)
    {
        diagnostic = diagnostic.with_label(format!("{} is {}", subject(net, *value), cx.show(ty)));
    }
    diagnostic
}

/// Unpacking something that is no tuple.
pub(crate) fn cannot_unpack(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    value: Var,
    ty: Type,
) -> Diagnostic {
    let ty = cx.plain(ty);
    Diagnostic::error(
        codes::UNPACK,
        ErrorClass::TypingError,
        format!("cannot unpack {ty}"),
        net.span(inst),
    )
    .with_label(format!(
        "{} is {ty}, which is not iterable",
        subject(net, value)
    ))
    .with_numba_phrase(format!("failed to unpack {ty}"))
}

/// A function of the library is no value that could be returned.
pub(crate) fn returns_function(net: &Network, cx: &Cx<'_>, inst: Inst, ty: Type) -> Diagnostic {
    let ty = cx.show(ty);
    Diagnostic::error(
        codes::UNSUPPORTED_CONSTRUCT,
        ErrorClass::NumbaTypeError,
        format!("{ty} cannot be returned"),
        net.span(inst),
    )
    .with_help("call the function here, or return a number that says which one to call")
    .with_numba_phrase(format!(
        "Can't return function object ({ty}) in nopython mode"
    ))
}

/// A tuple too long to be taken apart.
pub(crate) fn tuple_too_long(net: &Network, inst: Inst, n: usize) -> Diagnostic {
    let target = net.func.insts[inst].kind.def();
    let name = target.map_or("", |var| net.func.vars[var].name.as_str());
    Diagnostic::error(
        codes::UNSUPPORTED_CONSTRUCT,
        ErrorClass::UnsupportedError,
        format!("a tuple of {n} items is too long"),
        net.span(inst),
    )
    .with_help("use an array")
    .with_numba_phrase(format!(
        "Tuple '{name}' length must be smaller than 1000.\nLarge tuples lead to the generation of a prohibitively large LLVM IR which causes excessive memory pressure and large compile times."
    ))
}

/// A subscript that nothing implements.
pub(crate) fn bad_getitem(
    net: &Network,
    cx: &Cx<'_>,
    mut diagnostic: Diagnostic,
    actuals: &Actuals,
) -> Diagnostic {
    let (container, index) = (actuals.positional[0].ty, actuals.positional[1].ty);
    let joined = match (cx.types.kind(index), &actuals.positional[1].arg) {
        (TypeKind::Scalar(Scalar::Float64, _), CallArg::Var(var)) => joined(net, cx, *var),
        _ => None,
    };
    let plain = cx.types.unliteral(container);
    // The types that the reason names are in the message.
    diagnostic.notes.clear();
    diagnostic.message = format!("cannot index {} with {}", cx.show(plain), cx.plain(index));
    diagnostic.help = match cx.types.kind(plain) {
        TypeKind::Tuple(items) if !items.is_empty() => {
            Some("a tuple of several types can be indexed by constants only".to_owned())
        }
        TypeKind::Optional(_) => Some("test it with `is not None` first".to_owned()),
        TypeKind::Array(_) | TypeKind::List { .. } | TypeKind::UniTuple(..) | TypeKind::Unicode => {
            match cx.types.kind(cx.types.unliteral(index)) {
                TypeKind::Scalar(Scalar::Float32 | Scalar::Float64, _) => {
                    Some("an index is an integer: write `int(i)`, and `//` to divide".to_owned())
                }
                TypeKind::Unicode => {
                    Some("an index is an integer or a slice; only arrays of records have names of fields".to_owned())
                }
                TypeKind::List { .. } => Some(list_index(net, &actuals.positional)),
                _ => None,
            }
        }
        TypeKind::Dispatcher { .. } if cx.opts.device => {
            Some("a kernel launches no kernels: make it a function of `cuda.jit(device=True)` and call it".to_owned())
        }
        _ => None,
    };
    if let Some((help, place)) = joined {
        if let Some((span, text)) = place {
            diagnostic = diagnostic.with_secondary(span, text);
        }
        return diagnostic.with_help(help);
    }
    diagnostic
}

/// What to write for an index that is a list.
fn list_index(net: &Network, given: &[Actual]) -> String {
    let list = match &given[1].arg {
        CallArg::Var(list) => written_list(net, *list),
        _ => None,
    };
    let x = match &given[0].arg {
        CallArg::Var(x) if !net.func.vars[*x].is_temp() => source_name(net, *x),
        _ => "x",
    };
    match list {
        Some(list) => format!("an array takes an array of indices: write `{x}[np.array({list})]`"),
        None => "an index is an integer, a slice, or an array of integers: `np.array(list)` makes one of a list".to_owned(),
    }
}

/// A variable with a list, or the list as it is written if its items are constants.
fn written_list(net: &Network, list: Var) -> Option<String> {
    if !net.func.vars[list].is_temp() {
        return Some(source_name(net, list).to_owned());
    }
    let Rhs::Expr(Expr::BuildList(items)) = net.source(list)?.1 else {
        return None;
    };
    let item = |item: &Var| match net.source(*item)?.1 {
        Rhs::Const(value) => Some(value.to_string()),
        _ => None,
    };
    let items: Vec<String> = items.iter().map(item).collect::<Option<_>>()?;
    Some(format!("[{}]", items.join(", ")))
}

fn setitem_phrase(cx: &Cx<'_>, actuals: &Actuals, reason: Option<&str>) -> String {
    let given = actuals.positional_types();
    let plain: Vec<Type> = given.iter().map(|ty| cx.types.unliteral(*ty)).collect();
    let why = match reason {
        Some(reason) => format!(
            "  Rejected as the implementation raised a specific error:\n    TypingError: {reason}\n"
        ),
        None => "  No match.\n".to_owned(),
    };
    format!(
        "No implementation of function Function(<built-in function setitem>) found for signature:\n \n >>> setitem({})\n \nThere are 1 candidate implementation:\n - Of which 1 did not match due to:\n Overload of function 'setitem': File: <numerous>: Line N/A.\n   With argument(s): '({})':\n{why}",
        cx.show_all(&given),
        cx.show_all(&plain)
    )
}

/// Assignment to an item of a read-only array or to a field of a constant record.
pub(crate) fn readonly_setitem(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    ty: Type,
    actuals: &Actuals,
) -> Diagnostic {
    let (what, help) = match cx.types.as_record(ty) {
        None => ("array", "copy the array first; global arrays are constants"),
        Some(_) => (
            "record",
            "global records are constants: pass it as an argument",
        ),
    };
    let reason = format!("Cannot modify readonly {what} of type: {}", cx.show(ty));
    Diagnostic::error(
        codes::BAD_SETITEM,
        ErrorClass::TypingError,
        format!("cannot assign to an item of a {}", cx.show(ty)),
        net.span(inst),
    )
    .with_help(help)
    .with_numba_phrase(setitem_phrase(cx, actuals, Some(&reason)))
}

/// An item that cannot be assigned.
pub(crate) fn bad_setitem(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    ty: Type,
    actuals: &Actuals,
    rejections: &[Rejection],
) -> Diagnostic {
    let plain = cx.plain(ty);
    let is_tuple = cx.types.tuple_items(ty).is_some();
    let is_array = cx.types.as_array(ty).is_some();
    let list = cx.types.as_list(ty);
    let message = if is_array {
        let value = actuals.positional.last().map_or(Type::UNDEFINED, |a| a.ty);
        let index = actuals.positional.get(1).map_or(Type::UNDEFINED, |a| a.ty);
        format!(
            "cannot assign {} to {plain} at index {}",
            cx.plain(value),
            cx.plain(index)
        )
    } else if let Some((item, _)) = list {
        let value = actuals.positional.last().map_or(Type::UNDEFINED, |a| a.ty);
        format!(
            "cannot assign {} to an item of a list of {}",
            cx.plain(value),
            cx.plain(item)
        )
    } else {
        format!("{plain} does not support item assignment")
    };
    let reason = rejections
        .iter()
        .map(|r| r.reason.as_str())
        .find(|r| !r.is_empty());
    let mut diagnostic = Diagnostic::error(
        codes::BAD_SETITEM,
        ErrorClass::TypingError,
        message,
        net.span(inst),
    )
    .with_numba_phrase(setitem_phrase(cx, actuals, reason));
    if let Some(reason) = reason {
        diagnostic = diagnostic.with_label(reason);
    }
    if is_tuple {
        diagnostic =
            diagnostic.with_help("tuples cannot be changed: build a new one, or use an array");
    }
    match list {
        Some((Type::NONE, _)) => {
            diagnostic = diagnostic.with_help(
                "the items of a list are of one type, and None is no number: start with numbers, `[0] * n`, or `np.zeros(n)`",
            );
        }
        Some((item, _)) => {
            diagnostic = diagnostic.with_help(format!(
                "the items of a list are of one type, here {}: convert the value, or start with items of the type that is meant",
                cx.plain(item)
            ));
        }
        None => {}
    }
    diagnostic
}

/// An item that cannot be deleted.
pub(crate) fn bad_delitem(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    ty: Type,
    failure: Failure,
) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(
        codes::BAD_DELITEM,
        ErrorClass::TypingError,
        format!("{} does not support item deletion", cx.plain(ty)),
        net.span(inst),
    );
    diagnostic.numba_phrase = failure.diagnostic.numba_phrase;
    diagnostic
}

/// `del x.attr`
pub(crate) fn delattr(net: &Network, cx: &Cx<'_>, inst: Inst, ty: Type, attr: &str) -> Diagnostic {
    Diagnostic::error(
        codes::BAD_SETATTR,
        ErrorClass::TypingError,
        format!("attribute `{attr}` of {} cannot be deleted", cx.plain(ty)),
        net.span(inst),
    )
}

/// An attribute that cannot be assigned.
pub(crate) fn bad_setattr(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    ty: Type,
    attr: &str,
    value: Type,
) -> Diagnostic {
    Diagnostic::error(
        codes::BAD_SETATTR,
        ErrorClass::TypingError,
        format!("attribute `{attr}` of {} cannot be assigned", cx.plain(ty)),
        net.span(inst),
    )
    .with_numba_phrase(format!(
        "Cannot resolve setattr: ({}).{attr} = {}",
        cx.show(ty),
        cx.show(value)
    ))
}
