//! Evaluation of one statement: from the types it reads to the type it gives.

use crate::calls::{self, eval_call};
use crate::context::{Cx, is_too_large};
use crate::failure::Failure;
use crate::initial::initial_type;
use crate::network::Network;
use crate::resolve::Resolution;
use crate::values::{literal_value, type_of_const};
use crate::{attributes, closures, codes, enums, fold_const, patterns, report, subscripts};
use numbra_base::{Diagnostic, ErrorClass};
use numbra_ir::lattice::{is_stored_as, unify_all};
use numbra_ir::{
    BinOp, CallArg, Const, Expr, Inst, ObjKind, ObjRef, Rhs, StmtKind, Type, TypeKind, Types,
    UnaryOp, Var,
};

/// What came of evaluating a statement.
pub(crate) enum Eval {
    /// An operand has no type yet.
    Wait,
    /// The assigned value has this type.
    Typed(Type),
    /// A statement that assigns nothing is in order.
    Done,
    /// It waits for the return type of a function in recursion.
    Recursive,
    /// It is wrong at these types.
    Fail(Box<Failure>),
    /// The function of this entry must be inferred first; evaluate again after that.
    Needs(usize),
}

impl From<Diagnostic> for Eval {
    fn from(diagnostic: Diagnostic) -> Eval {
        Eval::Fail(diagnostic.into())
    }
}

/// The types of variables, or [`Eval::Wait`].
macro_rules! types_of {
    ($net:expr, $($var:expr),+) => {
        ($(match $net.type_of($var) {
            Some(ty) => ty,
            None => return Eval::Wait,
        }),+)
    };
}
pub(crate) use types_of;

/// Evaluates a statement.
pub(crate) fn eval(net: &mut Network, cx: &mut Cx<'_>, inst: Inst) -> Eval {
    let kind = net.func.insts[inst].kind.clone();
    match kind {
        StmtKind::Assign { target, value } => eval_rhs(net, cx, inst, target, &value),
        StmtKind::Del(_) | StmtKind::PopBlock => Eval::Done,
        StmtKind::SetItem {
            target,
            index,
            value,
        } => subscripts::eval_setitem(net, cx, inst, target, CallArg::Var(index), None, value),
        StmtKind::StaticSetItem {
            target,
            index,
            index_var,
            value,
        } => {
            let arg = index_var.map_or_else(|| CallArg::Default(index.clone()), CallArg::Var);
            subscripts::eval_setitem(net, cx, inst, target, arg, Some(&index), value)
        }
        StmtKind::DelItem { target, index } => {
            subscripts::eval_delitem(net, cx, inst, target, index)
        }
        StmtKind::SetAttr {
            target,
            attr,
            value,
        } => attributes::eval_setattr(net, cx, inst, target, &attr, value),
        StmtKind::DelAttr { target, attr } => {
            let ty = types_of!(net, target);
            report::delattr(net, cx, inst, ty, &attr).into()
        }
        StmtKind::StoreMap { dict, key, value } => {
            subscripts::eval_setitem(net, cx, inst, dict, CallArg::Var(key), None, value)
        }
        StmtKind::CheckAssigned { .. } => Eval::Done,
        StmtKind::SetFreeVar { name, .. } => report::nonlocal(net, inst, &name).into(),
        StmtKind::Print { args } => calls::eval_print(net, cx, inst, &args),
        StmtKind::EnterWith { .. } => report::unsupported(
            net.span(inst),
            "`with` statement",
            "move the block into a function of its own",
        )
        .into(),
        StmtKind::Return(value) => {
            let ty = types_of!(net, value);
            if let TypeKind::Function { .. } = cx.types.kind(ty) {
                return report::returns_function(net, cx, inst, ty).into();
            }
            let returned = [CallArg::Var(value)];
            match closures::check_escape(net, cx, inst, &returned) {
                Some(Resolution::Failed(failure)) => return Eval::Fail(failure),
                Some(_) => return Eval::Wait,
                None => {}
            }
            match net.declared {
                Some(ret) if !net.func.is_generator && !cx.converts(ty, ret) => {
                    report::bad_return(net, cx, inst, value, ty, ret).into()
                }
                _ => Eval::Done,
            }
        }
        StmtKind::Jump(to) => {
            if let Some(from) = net.block_of(inst) {
                net.reach_edge(from, to);
            }
            Eval::Done
        }
        StmtKind::Branch { cond, then, other } => {
            let ty = types_of!(net, cond);
            let Some(from) = net.block_of(inst) else {
                return Eval::Done;
            };
            let mut known = literal_value(cx.types, ty).and_then(fold_const::truth);
            if known.is_some() && net.types_both(cond) {
                known = None;
                net.has_excluded = true;
            }
            if known != Some(false) {
                net.reach_edge(from, then);
            }
            if known != Some(true) {
                net.reach_edge(from, other);
            }
            if known.is_some() || cx.types.as_scalar(ty) == Some(numbra_ir::Scalar::Bool) {
                net.facts[inst].call = None;
                return Eval::Done;
            }
            // A condition of another type is tested by `not`, with the branch turned round.
            match calls::eval_named(net, cx, inst, "operator.not_", &[cond]) {
                Eval::Typed(_) => Eval::Done,
                other => other,
            }
        }
        StmtKind::Raise(None) => Eval::Done,
        StmtKind::StaticRaise { class, .. } => check_raised(net, cx, inst, class),
        StmtKind::Raise(Some(exception)) => {
            let ty = types_of!(net, exception);
            match cx.types.kind(ty) {
                TypeKind::ExceptionClass(_) | TypeKind::ExceptionInstance(_) => Eval::Done,
                _ => report::bad_raise(net, cx, inst, ty).into(),
            }
        }
        StmtKind::DynamicRaise { class, args } => {
            for arg in args {
                types_of!(net, arg);
            }
            check_raised(net, cx, inst, class)
        }
    }
}

/// A class that is raised must be an exception class.
fn check_raised(net: &Network, cx: &Cx<'_>, inst: Inst, class: ObjRef) -> Eval {
    let desc = &net.func.objects[class];
    let is_exception = match desc.kind {
        ObjKind::Class if desc.name.contains('.') => cx.host.is_exception(&desc.name),
        ObjKind::Class => cx.host.is_exception(&format!("builtins.{}", desc.name)),
        // Not described yet, as in IR from text.
        _ => true,
    };
    if is_exception {
        return Eval::Done;
    }
    let ty = cx.types.intern(TypeKind::Class(desc.name.clone()));
    report::bad_raise(net, cx, inst, ty).into()
}

fn eval_rhs(net: &mut Network, cx: &mut Cx<'_>, inst: Inst, target: Var, value: &Rhs) -> Eval {
    match value {
        Rhs::Arg(n) => eval_arg(net, cx, inst, *n as usize),
        Rhs::Const(value) => match type_of_const(cx.types, cx.opts.promotion, value) {
            Some(ty) => Eval::Typed(ty),
            None => report::int_too_large(net.span(inst), value).into(),
        },
        Rhs::Global(obj) => eval_object(net, cx, inst, *obj, "global"),
        Rhs::FreeVar { obj, .. } => eval_object(net, cx, inst, *obj, "freevar"),
        Rhs::Var(from) => Eval::Typed(types_of!(net, *from)),
        Rhs::Expr(expr) => eval_expr(net, cx, inst, target, expr),
        Rhs::Yield { value, .. } => {
            types_of!(net, *value);
            Eval::Typed(Type::NONE)
        }
        Rhs::Undefined => Eval::Done,
    }
}

/// The type of parameter `n`. An omitted argument is the constant that it defaults to.
fn eval_arg(net: &mut Network, cx: &mut Cx<'_>, inst: Inst, n: usize) -> Eval {
    let Some(ty) = net.args.get(n).copied() else {
        return Diagnostic::error(
            codes::INTERNAL,
            ErrorClass::InternalError,
            format!("parameter {n} of `{}` has no type", net.func.name),
            net.span(inst),
        )
        .into();
    };
    match cx.types.kind(ty) {
        TypeKind::Omitted(value) => match type_of_const(cx.types, cx.opts.promotion, value) {
            Some(ty) => Eval::Typed(ty),
            None => report::int_too_large(net.span(inst), value).into(),
        },
        TypeKind::PyObject | TypeKind::Undefined => {
            report::non_precise_argument(net, cx, inst, n, ty).into()
        }
        TypeKind::Initial { of, .. } => Eval::Typed(*of),
        _ => Eval::Typed(ty),
    }
}

/// The type of a global or free variable. Unresolved ones are described by the Host, once.
fn eval_object(net: &mut Network, cx: &mut Cx<'_>, inst: Inst, obj: ObjRef, what: &str) -> Eval {
    if net.func.objects[obj].kind == ObjKind::Unresolved {
        let resolved = cx.host.resolve(&net.func, obj);
        if resolved.kind != ObjKind::Unresolved {
            net.func.objects[obj] = resolved;
        }
    }
    let desc = &net.func.objects[obj];
    match cx.names().type_of_object(&net.func, desc) {
        Some(ty) => Eval::Typed(ty),
        None => report::untyped_object(net, cx, inst, desc, what).into(),
    }
}

fn eval_expr(net: &mut Network, cx: &mut Cx<'_>, inst: Inst, target: Var, expr: &Expr) -> Eval {
    match expr {
        Expr::BinOp {
            op,
            lhs,
            rhs,
            static_rhs: _,
        } => eval_binop(net, cx, inst, *op, *lhs, *rhs, false),
        Expr::InplaceBinOp {
            op,
            lhs,
            rhs,
            static_rhs: _,
        } => eval_binop(net, cx, inst, *op, *lhs, *rhs, true),
        Expr::Unary { op, value } => {
            let ty = types_of!(net, *value);
            if *op == UnaryOp::Not
                && let Some(known) = literal_value(cx.types, ty).and_then(fold_const::truth)
            {
                return folded(net, cx, inst, Const::Bool(!known));
            }
            let name = format!("operator.{}", op.operator_name());
            calls::eval_named(net, cx, inst, &name, &[*value])
        }
        Expr::Call {
            func,
            args,
            kws,
            vararg,
        } => eval_call(net, cx, inst, *func, args, kws, *vararg),
        Expr::BuildTuple(items) => {
            let mut types = Vec::with_capacity(items.len());
            for item in items {
                types.push(types_of!(net, *item));
            }
            if types.len() > MAX_TUPLE {
                return report::tuple_too_long(net, inst, types.len()).into();
            }
            let tuple = cx.types.tuple(&types);
            if is_too_large(cx.types, tuple) {
                return report::type_too_large(net.span(inst)).into();
            }
            Eval::Typed(tuple)
        }
        Expr::BuildList(items) => eval_items(net, cx, inst, items, "list", Types::list),
        Expr::BuildSet(items) => eval_items(net, cx, inst, items, "set", Types::set),
        Expr::BuildMap(entries) => eval_entries(net, cx, inst, entries),
        Expr::BuildString(parts) => {
            for part in parts {
                let part = types_of!(net, *part);
                if cx.types.unliteral(part) != Type::UNICODE {
                    return report::unsupported(
                        net.span(inst),
                        "f-string of other parts than strings",
                        "convert the parts by `str` first",
                    )
                    .into();
                }
            }
            Eval::Typed(Type::UNICODE)
        }
        Expr::PairFirst(pair) => match cx.types.kind(types_of!(net, *pair)) {
            TypeKind::Pair(first, _) => Eval::Typed(*first),
            _ => not_a_pair(net, inst),
        },
        Expr::PairSecond(pair) => match cx.types.kind(types_of!(net, *pair)) {
            TypeKind::Pair(_, second) => Eval::Typed(*second),
            _ => not_a_pair(net, inst),
        },
        Expr::GetIter(value) => calls::eval_iteration(net, cx, inst, "getiter", *value),
        Expr::IterNext(value) => calls::eval_iteration(net, cx, inst, "iternext", *value),
        Expr::ExhaustIter { value, count } => eval_exhaust(net, cx, inst, *value, *count),
        Expr::GetAttr { value, attr } => attributes::eval_getattr(net, cx, inst, *value, attr),
        Expr::GetItem { value, index } => {
            subscripts::eval_getitem(net, cx, inst, *value, CallArg::Var(*index), None)
        }
        Expr::StaticGetItem {
            value,
            index,
            index_var,
        } => {
            let arg = index_var.map_or_else(|| CallArg::Default(index.clone()), CallArg::Var);
            subscripts::eval_getitem(net, cx, inst, *value, arg, Some(index))
        }
        Expr::Cast { value, to } => {
            let from = types_of!(net, *value);
            match to {
                None => Eval::Typed(from),
                Some(to) if cx.converts(from, *to) => Eval::Typed(*to),
                Some(to) => report::no_conversion(net, cx, inst, target, from, *to).into(),
            }
        }
        Expr::Phi(incoming) => {
            let Some(block) = net.block_of(inst) else {
                return Eval::Wait;
            };
            let known: Vec<Type> = incoming
                .iter()
                .filter_map(|(pred, var)| match net.is_live_edge(*pred, block) {
                    true => net.type_of((*var)?),
                    false => net.type_ahead(cx, inst, *pred, (*var)?),
                })
                .collect();
            if known.is_empty() {
                return Eval::Wait;
            }
            match net.join(cx, inst, target, &known) {
                Some(ty) => {
                    // A container of which nothing is known holds what the other one does.
                    for var in incoming.iter().filter_map(|(_, var)| *var) {
                        net.refine_known(cx, var, ty);
                    }
                    Eval::Typed(ty)
                }
                None => report::cannot_unify_phi(net, cx, inst, target, incoming).into(),
            }
        }
        Expr::MakeFunction { name, code, .. } => {
            let index = net.func.nested.iter().position(|(obj, _)| obj == code);
            match index {
                Some(index) => {
                    let whole = closures::whole(net, cx, expr, index);
                    Eval::Typed(cx.types.intern(TypeKind::Closure {
                        name: name.clone(),
                        index: whole.unwrap_or(index) as u32,
                        whole: whole.is_some(),
                    }))
                }
                None => report::unsupported(
                    net.span(inst),
                    "local function without a body",
                    "define it at module level",
                )
                .into(),
            }
        }
        Expr::ExceptionMatch { class } => {
            if let Some(class) = class {
                let ty = types_of!(net, *class);
                // As in Numba: a handler takes every exception.
                let is_exception = matches!(
                    cx.types.kind(ty),
                    TypeKind::ExceptionClass(name) if name == "builtins.Exception"
                );
                if !is_exception {
                    return report::bad_except(net, cx, inst, ty).into();
                }
            }
            Eval::Typed(Type::BOOL)
        }
        Expr::Null => Eval::Done,
    }
}

/// Tuples become registers; Numba has the same bound.
pub(crate) const MAX_TUPLE: usize = 1000;

/// A result that is known without running: the statement will be that constant.
pub(crate) fn folded(net: &mut Network, cx: &Cx<'_>, inst: Inst, value: Const) -> Eval {
    net.facts[inst].call = None;
    Eval::Typed(cx.types.intern(TypeKind::Literal(value)))
}

fn eval_binop(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    op: BinOp,
    lhs: Var,
    rhs: Var,
    in_place: bool,
) -> Eval {
    let (a, b) = types_of!(net, lhs, rhs);
    if let (Some(x), Some(y)) = (literal_value(cx.types, a), literal_value(cx.types, b))
        && let Some(known) = fold_const::compare(op, x, y)
    {
        return folded(net, cx, inst, Const::Bool(known));
    }
    if let (Some(x), Some(y)) = (literal_value(cx.types, a), literal_value(cx.types, b))
        && let Some(index) = patterns::index_from_end(net, op, lhs, x, y)
    {
        return folded(net, cx, inst, index);
    }
    if let Some(eval) = enums::compare(net, cx, inst, op, (lhs, a), (rhs, b)) {
        return eval;
    }
    if net.is_library
        && let Some(known) = identity_with_none(cx, op, a, b)
    {
        return folded(net, cx, inst, Const::Bool(known));
    }
    let (first, second) = match op {
        BinOp::In | BinOp::NotIn => (rhs, lhs),
        _ => (lhs, rhs),
    };
    let plain = format!("operator.{}", op.operator_name());
    if in_place && let Some(name) = op.inplace_name() {
        let name = format!("operator.{name}");
        if let Some(done) = calls::try_named(net, cx, inst, &name, &[first, second]) {
            return done;
        }
    }
    calls::eval_named(net, cx, inst, &plain, &[first, second])
}

/// `x is None` where the type of `x` excludes `None`.
fn identity_with_none(cx: &Cx<'_>, op: BinOp, a: Type, b: Type) -> Option<bool> {
    let other = match (a == Type::NONE, b == Type::NONE) {
        (true, false) => b,
        (false, true) => a,
        _ => return None,
    };
    let may_be_none = matches!(
        cx.types.kind(other),
        TypeKind::Optional(_) | TypeKind::PyObject | TypeKind::Undefined | TypeKind::Ext { .. }
    );
    match op {
        BinOp::Is if !may_be_none => Some(false),
        BinOp::IsNot if !may_be_none => Some(true),
        _ => None,
    }
}

/// A tuple of exactly `count` items. A tuple is its own result.
fn eval_exhaust(net: &mut Network, cx: &mut Cx<'_>, inst: Inst, value: Var, count: u32) -> Eval {
    let ty = types_of!(net, value);
    let inner = match cx.types.kind(ty) {
        TypeKind::Optional(inner) => *inner,
        _ => ty,
    };
    match cx.types.tuple_items(inner) {
        Some(items) if items.len() == count as usize => Eval::Typed(inner),
        Some(items) => report::wrong_tuple_length(net, cx, inst, value, count, items.len()).into(),
        None => match calls::iterated_item(net, cx, inst, value, inner) {
            Some(item) => {
                let items = vec![item; count as usize];
                Eval::Typed(cx.types.tuple(&items))
            }
            None => report::cannot_unpack(net, cx, inst, value, ty).into(),
        },
    }
}

/// `[items..]`, `{items..}`: of the common type; an empty list takes the type of what is put in later.
fn eval_items(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    items: &[Var],
    what: &str,
    container: fn(&Types, Type) -> Type,
) -> Eval {
    let mut types = Vec::with_capacity(items.len());
    for item in items {
        types.push(cx.types.unliteral(types_of!(net, *item)));
    }
    if types.is_empty() {
        return Eval::Typed(container(cx.types, Type::UNDEFINED));
    }
    let refused = |ty: &Type| numbra_library::not_an_item(cx.types, *ty);
    if what == "set"
        && let Some(why) = types.iter().find_map(refused)
    {
        return report::no_item(
            net,
            inst,
            &why,
            "use a list or a tuple, or an array with `np.unique`",
        )
        .into();
    }
    match unify_all(cx.types, cx.host.ext_rules(), &types) {
        Some(dtype) => {
            let known = net
                .refined(inst)
                .and_then(|ty| Some(cx.types.as_list(ty)?.0));
            for item in items {
                net.refine_known(cx, *item, known.unwrap_or(dtype));
            }
            Eval::Typed(container(cx.types, dtype))
        }
        None if what == "list" => {
            let items = items
                .iter()
                .filter_map(|item| item_type(net, cx, *item))
                .collect();
            Eval::Typed(cx.types.intern(TypeKind::LiteralList(items)))
        }
        None => report::unsupported(
            net.span(inst),
            &format!("{what} of items of different types"),
            "use a tuple, whose items may have any types",
        )
        .into(),
    }
}

/// `{key: value, ..}`
fn eval_entries(net: &mut Network, cx: &mut Cx<'_>, inst: Inst, entries: &[(Var, Var)]) -> Eval {
    let (mut keys, mut values) = (Vec::new(), Vec::new());
    for (key, value) in entries {
        keys.push(cx.types.unliteral(types_of!(net, *key)));
        values.push(cx.types.unliteral(types_of!(net, *value)));
    }
    if entries.is_empty() {
        return Eval::Typed(cx.types.dict(Type::UNDEFINED, Type::UNDEFINED));
    }
    let no_key = keys.iter().find_map(|ty| cx.types.not_a_key(*ty));
    let no_value = values.iter().find_map(|ty| cx.types.not_a_value(*ty));
    if no_value.is_some()
        && let Some(literal) = literal_entries(net, cx, entries)
    {
        return literal;
    }
    if let Some(why) = no_key.or(no_value) {
        return report::no_item(
            net,
            inst,
            &why,
            "keys are numbers, strings, or tuples of them; values are anything but None",
        )
        .into();
    }
    let common = |all: &[Type]| unify_all(cx.types, cx.host.ext_rules(), all);
    let value = common(&values).filter(|_| are_stored_as(cx, &values, values[0]));
    let (value, literal) = match value {
        Some(value) => (Some(value), None),
        None => match literal_entries(net, cx, entries) {
            Some(literal) => (None, Some(literal)),
            // Several functions, which are one of several in each entry.
            None if values.iter().all(|ty| cx.types.is_function_value(*ty)) => {
                (common(&values), None)
            }
            None => (None, None),
        },
    };
    match (common(&keys), value) {
        (Some(key), Some(value)) => {
            for (_, item) in entries {
                net.refine_known(cx, *item, value);
            }
            Eval::Typed(cx.types.dict(key, value))
        }
        _ => literal
            .or_else(|| literal_entries(net, cx, entries))
            .unwrap_or_else(|| {
                let stored = |all: &[Type]| {
                    let other = all.iter().find(|ty| !are_stored_as(cx, &[**ty], all[0]));
                    other.map(|other| (cx.show(*other), cx.show(all[0])))
                };
                let diagnostic = Diagnostic::error(
                    codes::CANNOT_UNIFY,
                    ErrorClass::TypingError,
                    "a dict has keys of one type and values of one type, these are of several",
                    net.span(inst),
                )
                .with_help("keep values of several types in a tuple or a record");
                match stored(&keys).or_else(|| stored(&values)) {
                    Some((from, to)) => diagnostic
                        .with_numba_phrase(format!("Cannot cast {from} to {to}"))
                        .into(),
                    None => diagnostic.into(),
                }
            }),
    }
}

/// The type of a value in a display, with what it holds at first.
fn item_type(net: &Network, cx: &Cx<'_>, var: Var) -> Option<Type> {
    initial_type(net, cx, var).or_else(|| net.type_of(var))
}

/// Types of entries that a dictionary of the first one's holds: what is stored as that, and real numbers, which join.
fn are_stored_as(cx: &Cx<'_>, all: &[Type], first: Type) -> bool {
    let is_real = |ty: Type| cx.types.as_scalar(ty).is_some_and(|s| !s.is_complex());
    all.iter().all(|ty| {
        is_stored_as(cx.types, cx.host.ext_rules(), *ty, first) || (is_real(*ty) && is_real(first))
    })
}

/// The type of a display of a dictionary whose keys are constant strings: each value keeps its type.
fn literal_entries(net: &Network, cx: &Cx<'_>, entries: &[(Var, Var)]) -> Option<Eval> {
    let (mut keys, mut items) = (Vec::new(), Vec::new());
    for (key, value) in entries {
        let (key, value) = (net.type_of(*key)?, item_type(net, cx, *value)?);
        if !matches!(cx.types.kind(key), TypeKind::Literal(Const::Str(_))) {
            return None;
        }
        match keys.iter().position(|known| *known == key) {
            Some(at) => items[at] = value,
            None => {
                keys.push(key);
                items.push(value);
            }
        }
    }
    let ty = cx.types.intern(TypeKind::LiteralDict { keys, items });
    Some(Eval::Typed(ty))
}

fn not_a_pair(net: &Network, inst: Inst) -> Eval {
    Diagnostic::error(
        codes::INTERNAL,
        ErrorClass::InternalError,
        "iteration step of a value that is no iteration state",
        net.span(inst),
    )
    .into()
}
