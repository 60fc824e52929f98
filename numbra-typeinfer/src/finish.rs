//! From a settled network to a typed function: constants written out, dead branches gone, every variable typed.

use crate::context::Cx;
use crate::failure::Failure;
use crate::fold_const;
use crate::network::Network;
use crate::report;
use crate::values::literal_value;
use numbra_base::{FxHashMap, Origin};
use numbra_ir::{
    Block, CallSite, EntityRef, Expr, FreshNames, Func, Inst, ObjDesc, ObjRef, Rhs, SecondaryMap,
    StmtKind, Type, TypeKind, TypedFunc, Types, UnaryOp, Var, compact_typed,
};

/// A typed function whose callees are numbered by entry of the program.
pub(crate) struct Finished {
    pub(crate) typed: TypedFunc,
    /// Entries that must be in the program with it.
    pub(crate) callees: Vec<usize>,
}

/// Checks a settled network and makes the typed function of entry `at`.
pub(crate) fn finish(net: &mut Network, cx: &Cx<'_>, at: usize) -> Result<Finished, Box<Failure>> {
    if let Some(failure) = first_error(net, cx, &cx.program.entries[at].name) {
        return Err(failure);
    }
    let found = match net.return_type(cx) {
        Ok(found) => found,
        Err(diagnostic) => return Err(Box::new(Failure::new(*diagnostic))),
    };
    if net.yields_nothing() {
        return Err(Box::new(Failure::new(report::yields_nothing(net))));
    }
    if let Some(declared) = net.declared
        && net.func.is_generator
        && !found.is_some_and(|found| cx.converts(found, declared))
    {
        let diagnostic = report::declared_generator(net, cx, declared);
        return Err(Box::new(Failure::new(diagnostic)));
    }
    // A function that never returns gives None.
    let found = found.unwrap_or(Type::NONE);
    let ret = net.declared.unwrap_or(found);
    Ok(write_out(net, cx, ret))
}

/// The first error in program order: the others follow from it more often than not.
fn first_error(net: &Network, cx: &Cx<'_>, name: &str) -> Option<Box<Failure>> {
    // What fails with a container of which nothing is known follows from that.
    let caused = (net.failures()).find(|(inst, _)| !uses_unknown_container(net, cx, *inst));
    let imprecise = imprecise_variable(net, cx, is_unknown_container);
    if caused.is_none()
        && let Some(failure) = imprecise
    {
        return Some(failure);
    }
    if let Some((_, failure)) = caused.or_else(|| net.failures().next()) {
        let mut first = failure.clone();
        for (_, other) in net.failures() {
            first.force_literal.extend(&other.force_literal);
        }
        first.force_literal.sort_unstable();
        first.force_literal.dedup();
        return Some(Box::new(first));
    }
    if net.waits_for_recursion()
        && let Some(inst) = net.first_recursive_call()
    {
        return Some(report::runaway_call(net, cx, inst, name).into());
    }
    if let Some((inst, var)) = net.first_undetermined() {
        return Some(report::undetermined(net, cx, inst, var).into());
    }
    imprecise_variable(net, cx, Types::is_imprecise)
}

/// The first variable whose type has a hole.
fn imprecise_variable(
    net: &Network,
    cx: &Cx<'_>,
    is_imprecise: impl Fn(&Types, Type) -> bool,
) -> Option<Box<Failure>> {
    let imprecise = || {
        net.order().iter().filter_map(|inst| {
            let var = net.func.insts[*inst].kind.def()?;
            let ty = net.type_of(var).filter(|ty| is_imprecise(cx.types, *ty))?;
            Some((*inst, var, ty))
        })
    };
    // The name that the program gives it says more than a temporary.
    let named = imprecise().find(|(_, var, _)| !net.func.vars[*var].is_temp());
    let (inst, var, ty) = named.or_else(|| imprecise().next())?;
    Some(report::imprecise(net, cx, inst, var, ty).into())
}

/// True if a statement uses a container of which nothing says what it holds.
pub(crate) fn uses_unknown_container(net: &Network, cx: &Cx<'_>, inst: Inst) -> bool {
    let mut any = false;
    net.func.insts[inst].kind.for_each_use(|var| {
        let ty = net.type_of(var);
        any |= ty.is_some_and(|ty| is_unknown_container(cx.types, ty));
    });
    any
}

/// True for a container of which nothing says what it holds.
pub(crate) fn is_unknown_container(types: &Types, ty: Type) -> bool {
    let kind = types.kind(ty);
    match kind.view_of() {
        Some(of) => is_unknown_container(types, of),
        None => kind.is_container() && types.is_imprecise(ty),
    }
}

fn write_out(net: &mut Network, cx: &Cx<'_>, ret: Type) -> Finished {
    let live = live_blocks(net, cx);
    let mut func = net.func.clone();
    let mut objects: FxHashMap<ObjKey, ObjRef> = FxHashMap::default();
    let mut var_types: SecondaryMap<Var, Option<Type>> =
        SecondaryMap::with_capacity(func.vars.len());
    let mut calls: SecondaryMap<Inst, Option<CallSite>> =
        SecondaryMap::with_capacity(func.insts.len());
    let mut callees = Vec::new();
    let mut names = None;
    let layout = std::mem::take(&mut func.layout);
    for &block in &layout {
        let insts = std::mem::take(&mut func.blocks[block].insts);
        if !live.blocks[block] {
            continue;
        }
        func.layout.push(block);
        for inst in insts {
            let mut kind = rewrite(net, cx, &live, block, inst, &mut func, &mut objects);
            match &mut kind {
                StmtKind::Assign { target, value } => {
                    var_types[*target] = match value {
                        Rhs::Expr(Expr::Cast { to: None, .. }) if !func.is_generator => Some(ret),
                        Rhs::Undefined | Rhs::Expr(Expr::Null) => Some(Type::UNDEFINED),
                        _ => net.type_of(*target),
                    };
                }
                // What a generator returns is of no interest.
                StmtKind::Return(value) if !func.is_generator && var_types[*value] != Some(ret) => {
                    let cast = Expr::Cast {
                        value: *value,
                        to: None,
                    };
                    *value = insert(&mut func, &mut names, block, inst, Rhs::Expr(cast)).1;
                    var_types[*value] = Some(ret);
                }
                StmtKind::Branch { cond, then, other } => {
                    if let Some(call) = &net.facts[inst].call {
                        // `not` tests a condition that is no boolean; the branch is turned round.
                        let not = Expr::Unary {
                            op: UnaryOp::Not,
                            value: *cond,
                        };
                        let (test, var) =
                            insert(&mut func, &mut names, block, inst, Rhs::Expr(not));
                        var_types[var] = Some(Type::BOOL);
                        calls[test] = Some((**call).clone());
                        *cond = var;
                        std::mem::swap(then, other);
                    }
                }
                _ => {}
            }
            let fact = &net.facts[inst];
            let is_call = !kind.is_terminator()
                && !matches!(
                    kind,
                    StmtKind::Assign {
                        value: Rhs::Const(_) | Rhs::Global(_),
                        ..
                    }
                );
            if let (Some(call), true) = (&fact.call, is_call) {
                if let Some(at) = call.callee.instance() {
                    callees.push(at.index());
                }
                callees.extend(&fact.needs);
                let mut call = (**call).clone();
                // A new container takes the type that follows from what is put in.
                if cx.types.is_imprecise(call.sig.ret)
                    && let Some(ty) = kind.def().and_then(|target| net.type_of(target))
                {
                    call.sig.ret = ty;
                }
                calls[inst] = Some(call);
            }
            func.insts[inst].kind = kind;
            func.blocks[block].insts.push(inst);
        }
    }
    let mut typed = TypedFunc {
        func,
        args: net.args.clone(),
        ret,
        var_types,
        calls,
    };
    compact_typed(&mut typed);
    Finished { typed, callees }
}

/// Appends an assignment of a new temporary to a block, at the place of `like`.
fn insert(
    func: &mut Func,
    names: &mut Option<FreshNames>,
    block: Block,
    like: Inst,
    value: Rhs,
) -> (Inst, Var) {
    let target = names
        .get_or_insert_with(|| FreshNames::new(func))
        .temp(func);
    let span = func.insts[like].span;
    let kind = StmtKind::Assign { target, value };
    let inst = func.push_stmt(block, kind, span, Origin::Pass("nopython_type_inference"));
    (inst, target)
}

/// A described object by what makes it the same.
type ObjKey = (String, String);

fn object_ref(func: &mut Func, objects: &mut FxHashMap<ObjKey, ObjRef>, desc: &ObjDesc) -> ObjRef {
    let key = (desc.name.clone(), desc.repr.clone());
    if let Some(obj) = objects.get(&key)
        && func.objects[*obj] == *desc
    {
        return *obj;
    }
    let known = func
        .objects
        .iter()
        .find(|(_, known)| *known == desc)
        .map(|(obj, _)| obj);
    let obj = known.unwrap_or_else(|| func.objects.push(desc.clone()));
    objects.insert(key, obj);
    obj
}

/// A statement as the typed function has it.
fn rewrite(
    net: &Network,
    cx: &Cx<'_>,
    live: &Live,
    block: Block,
    inst: Inst,
    func: &mut Func,
    objects: &mut FxHashMap<ObjKey, ObjRef>,
) -> StmtKind {
    let kind = &net.func.insts[inst].kind;
    let fact = &net.facts[inst];
    match kind {
        StmtKind::Assign { target, value } => {
            let target = *target;
            if let Some(desc) = &fact.object {
                let value = Rhs::Global(object_ref(func, objects, desc));
                return StmtKind::Assign { target, value };
            }
            let value = fact.instead.as_deref().unwrap_or(value);
            let value = match value {
                Rhs::Arg(n) => match net.args.get(*n as usize).map(|ty| cx.types.kind(*ty)) {
                    Some(TypeKind::Omitted(default)) => Rhs::Const(default.clone()),
                    _ => value.clone(),
                },
                Rhs::Expr(expr) => {
                    rewrite_expr(cx, live, block, fact.ty, fact.call.is_some(), expr)
                }
                Rhs::Const(_)
                | Rhs::Global(_)
                | Rhs::FreeVar { .. }
                | Rhs::Var(_)
                | Rhs::Yield { .. }
                | Rhs::Undefined => value.clone(),
            };
            StmtKind::Assign { target, value }
        }
        StmtKind::Branch { then, other, .. } => {
            match (live.has_edge(block, *then), live.has_edge(block, *other)) {
                (true, false) => StmtKind::Jump(*then),
                (false, true) => StmtKind::Jump(*other),
                (true, true) | (false, false) => kind.clone(),
            }
        }
        _ => kind.clone(),
    }
}

fn rewrite_expr(
    cx: &Cx<'_>,
    live: &Live,
    block: Block,
    ty: Option<Type>,
    has_call: bool,
    expr: &Expr,
) -> Rhs {
    let constant = ty.and_then(|ty| match cx.types.kind(ty) {
        TypeKind::Literal(value) => Some(value.clone()),
        _ => None,
    });
    match expr {
        Expr::BinOp { .. }
        | Expr::InplaceBinOp { .. }
        | Expr::Unary { .. }
        | Expr::Call { .. }
        | Expr::GetAttr { .. }
        | Expr::GetItem { .. }
        | Expr::StaticGetItem { .. } => match constant {
            Some(value) if !has_call => Rhs::Const(value),
            _ => Rhs::Expr(expr.clone()),
        },
        Expr::Phi(incoming) => {
            let kept = incoming
                .iter()
                .filter(|(pred, _)| live.has_edge(*pred, block))
                .copied()
                .collect();
            Rhs::Expr(Expr::Phi(kept))
        }
        Expr::BuildTuple(_)
        | Expr::BuildList(_)
        | Expr::BuildSet(_)
        | Expr::BuildMap(_)
        | Expr::BuildString(_)
        | Expr::PairFirst(_)
        | Expr::PairSecond(_)
        | Expr::GetIter(_)
        | Expr::IterNext(_)
        | Expr::ExhaustIter { .. }
        | Expr::Cast { .. }
        | Expr::MakeFunction { .. }
        | Expr::ExceptionMatch { .. }
        | Expr::Null => Rhs::Expr(expr.clone()),
    }
}

/// What control reaches at the final types.
struct Live {
    blocks: SecondaryMap<Block, bool>,
    edges: numbra_base::FxHashSet<(Block, Block)>,
    /// Predecessors that phis may name though no edge leads from them.
    preds: SecondaryMap<Block, Vec<Block>>,
}

impl Live {
    fn has_edge(&self, from: Block, to: Block) -> bool {
        self.edges.contains(&(from, to))
            || (!self.preds[to].contains(&from) && self.blocks.get(from).copied().unwrap_or(false))
    }
}

fn live_blocks(net: &Network, cx: &Cx<'_>) -> Live {
    let func = &net.func;
    let mut live = Live {
        blocks: SecondaryMap::with_capacity(func.blocks.len()),
        edges: Default::default(),
        preds: SecondaryMap::with_capacity(func.blocks.len()),
    };
    for &block in &func.layout {
        for to in func.successors(block) {
            live.preds[to].push(block);
        }
        if let Some(handler) = func.blocks[block].handler {
            live.preds[handler.block].push(block);
        }
    }
    let mut todo: Vec<Block> = func.entry().into_iter().collect();
    while let Some(block) = todo.pop() {
        if std::mem::replace(&mut live.blocks[block], true) {
            continue;
        }
        let mut targets = match func.terminator(block) {
            Some(StmtKind::Branch { cond, then, other }) => {
                let known = net
                    .type_of(*cond)
                    .and_then(|ty| literal_value(cx.types, ty))
                    .and_then(fold_const::truth);
                match known {
                    Some(true) => vec![*then],
                    Some(false) => vec![*other],
                    None => vec![*then, *other],
                }
            }
            _ => func.successors(block),
        };
        targets.extend(func.blocks[block].handler.map(|h| h.block));
        for to in targets {
            live.edges.insert((block, to));
            todo.push(to);
        }
    }
    live
}
