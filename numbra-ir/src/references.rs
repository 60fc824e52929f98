//! Every id that a function holds: types to translate, references to check.

use crate::{
    CallArg, CallSite, EntityRef, Expr, Func, ObjKind, ObjRef, Rhs, StmtKind, Type, TypedFunc, Var,
};

/// Replaces each type that the function names.
pub(crate) fn map_types(func: &mut Func, map: &mut dyn FnMut(Type) -> Type) {
    for desc in func.objects.values_mut() {
        match &mut desc.kind {
            ObjKind::DType(ty)
            | ObjKind::TypeObject(ty)
            | ObjKind::Typed(ty, _)
            | ObjKind::Array { ty, .. } => *ty = map(*ty),
            ObjKind::Unresolved
            | ObjKind::Undefined
            | ObjKind::Module
            | ObjKind::Function
            | ObjKind::Class
            | ObjKind::Dispatcher(_)
            | ObjKind::Value(_)
            | ObjKind::Tuple(..)
            | ObjKind::ObjectBlock(_)
            | ObjKind::Opaque { .. } => {}
        }
    }
    for stmt in func.insts.values_mut() {
        if let StmtKind::Assign {
            value: Rhs::Expr(Expr::Cast { to: Some(ty), .. }),
            ..
        } = &mut stmt.kind
        {
            *ty = map(*ty);
        }
    }
    for (_, nested) in &mut func.nested {
        map_types(nested, map);
    }
}

/// Replaces each type of a typed function.
pub(crate) fn map_types_typed(typed: &mut TypedFunc, map: &mut dyn FnMut(Type) -> Type) {
    map_types(&mut typed.func, map);
    for ty in typed.args.iter_mut().chain([&mut typed.ret]) {
        *ty = map(*ty);
    }
    for ty in typed.var_types.values_mut().flatten() {
        *ty = map(*ty);
    }
    for site in typed.calls.values_mut().flatten() {
        for ty in site.sig.params.iter_mut().chain([&mut site.sig.ret]) {
            *ty = map(*ty);
        }
    }
}

/// The first reference to something that does not exist. Data from files is checked before anything indexes by it.
pub(crate) fn dangling(func: &Func) -> Option<String> {
    let var = |v: Var| (!func.vars.is_valid(v)).then(|| format!("{}: no {v}", func.qualname));
    let obj = |o: ObjRef| (!func.objects.is_valid(o)).then(|| format!("{}: no {o}", func.qualname));
    let block = |b| (!func.blocks.is_valid(b)).then(|| format!("{}: no {b}", func.qualname));
    for data in func.vars.values() {
        if let Some(missing) = data.version_of.and_then(var) {
            return Some(missing);
        }
    }
    for desc in func.objects.values() {
        if let ObjKind::Tuple(items, _) = &desc.kind
            && let Some(missing) = items.iter().find_map(|o| obj(*o))
        {
            return Some(missing);
        }
    }
    for stmt in func.insts.values() {
        let mut missing = stmt.kind.def().and_then(var);
        if let StmtKind::Del(deleted) = stmt.kind {
            missing = missing.or(var(deleted));
        }
        stmt.kind
            .for_each_use(|v| missing = missing.take().or(var(v)));
        let more = match &stmt.kind {
            StmtKind::Jump(to) => block(*to),
            StmtKind::Branch { then, other, .. } => block(*then).or(block(*other)),
            StmtKind::EnterWith { begin, end, .. } => block(*begin).or(block(*end)),
            StmtKind::StaticRaise { class, .. } | StmtKind::DynamicRaise { class, .. } => {
                obj(*class)
            }
            StmtKind::Assign { value, .. } => match value {
                Rhs::Global(o) | Rhs::FreeVar { obj: o, .. } => obj(*o),
                Rhs::Expr(Expr::Phi(incoming)) => incoming.iter().find_map(|(b, _)| block(*b)),
                Rhs::Expr(Expr::MakeFunction { code, .. }) => obj(*code),
                Rhs::Arg(_)
                | Rhs::Const(_)
                | Rhs::Var(_)
                | Rhs::Expr(_)
                | Rhs::Yield { .. }
                | Rhs::Undefined => None,
            },
            StmtKind::Del(_)
            | StmtKind::SetItem { .. }
            | StmtKind::StaticSetItem { .. }
            | StmtKind::DelItem { .. }
            | StmtKind::SetAttr { .. }
            | StmtKind::DelAttr { .. }
            | StmtKind::StoreMap { .. }
            | StmtKind::Print { .. }
            | StmtKind::PopBlock
            | StmtKind::CheckAssigned { .. }
            | StmtKind::SetFreeVar { .. }
            | StmtKind::Return(_)
            | StmtKind::Raise(_) => None,
        };
        if missing.is_some() || more.is_some() {
            return missing.or(more);
        }
    }
    for (_, data) in &func.blocks {
        if let Some(inst) = data.insts.iter().find(|i| !func.insts.is_valid(**i)) {
            return Some(format!("{}: no {inst}", func.qualname));
        }
        if let Some(missing) = data.handler.and_then(|h| block(h.block)) {
            return Some(missing);
        }
    }
    if let Some(missing) = func.layout.iter().find_map(|b| block(*b)) {
        return Some(missing);
    }
    func.nested
        .iter()
        .find_map(|(code, nested)| obj(*code).or_else(|| dangling(nested)))
}

/// As [`dangling`], for call sites; `functions` is how many functions the program has.
pub(crate) fn dangling_typed(typed: &TypedFunc, functions: usize) -> Option<String> {
    fn arg(typed: &TypedFunc, of: &CallArg) -> Option<String> {
        match of {
            CallArg::Var(var) | CallArg::Item(var, _) => {
                (!typed.func.vars.is_valid(*var)).then(|| format!("no {var}"))
            }
            CallArg::Default(_) => None,
            CallArg::Tuple(items) => items.iter().find_map(|item| arg(typed, item)),
        }
    }
    let site = |site: &CallSite| {
        if let Some(callee) = site.callee.instance()
            && callee.index() >= functions
        {
            return Some(format!("no {callee}"));
        }
        site.args.iter().find_map(|a| arg(typed, a))
    };
    dangling(&typed.func).or_else(|| typed.calls.values().flatten().find_map(site))
}
