//! `inline_closure_likes`.

use super::context::{Effect, PassContext};
use super::dead_code::dead_code_elimination;
use super::surgery::{insert_after, insert_stmt, jump, remove_unreachable, split_block};
use crate::analysis::DefUse;
use crate::binding::{self, Formal};
use crate::pipeline::{Changed, PassResult};
use crate::{
    ArgKind, ArgSpec, Block, BlockData, Const, Expr, FreshNames, Func, Inst, ObjDesc, ObjKind,
    ObjRef, Rhs, SecondaryMap, Stmt, StmtKind, Var,
};
use numbra_base::{Diagnostic, ErrorClass, FxHashMap, Origin, Span};

const NAME: &str = "inline_closure_likes";

/// Replaces calls of functions made in this function (`def`, `lambda`, and comprehensions on CPython 3.11) by their bodies.
///
/// ```text
///   before                                     after
///     g = make_function(g, obj0, closure=[y])    g$x = a
///     $1 = call g(a)                             jump bb1
///     return $1                                bb1:
///   nested obj0                                  $2 = y
///     function g(x):                             $3 = g$x + $2
///     bb0:                                       $1 = $3
///       x = arg(0)                               jump bb2
///       $0 = freevar(0, y)                     bb2:
///       $1 = x + $0                              return $1
///       return $1
/// ```
///
/// Captured variables have the value they have at the call. Functions that are not called, or called through
/// something that is not always the same function, stay. Each round inlines one call and is linear in the function.
pub fn inline_closure_likes(func: &mut Func, cx: &PassContext<'_>) -> PassResult {
    let mut any = false;
    // Which functions a copied call has come through: one that comes again is recursive.
    let mut chains: FxHashMap<Inst, Vec<ObjRef>> = FxHashMap::default();
    let mut errors = Vec::new();
    while let Some(site) = next_site(func) {
        let chain = chains.get(&site.call).cloned().unwrap_or_default();
        if chain.contains(&site.code) {
            errors.push(
                error(
                    "I001",
                    "an inner function that calls itself is not supported",
                    site.span,
                )
                .with_numba_phrase("Unsupported use of cell variable encountered")
                .with_help("make it a jitted function of its own"),
            );
            break;
        }
        match inline(func, &site) {
            Ok(copied) => {
                any = true;
                let mut chain = chain;
                chain.push(site.code);
                for inst in copied {
                    chains.insert(inst, chain.clone());
                }
            }
            Err(diagnostic) => {
                errors.push(*diagnostic);
                break;
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    if any {
        // What follows a call that never returns.
        remove_unreachable(func);
        let cx = PassContext {
            effect: &closures_only,
            ..*cx
        };
        dead_code_elimination(func, &cx)?;
        forget_unused(func);
    }
    Ok(Changed::from(any))
}

fn error(code: &'static str, message: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::error(code, ErrorClass::UnsupportedError, message, span)
}

/// What inlining leaves behind: functions that nobody calls, and copies.
fn closures_only(func: &Func, inst: Inst) -> Effect {
    match &func.insts[inst].kind {
        StmtKind::Assign {
            value: Rhs::Expr(Expr::MakeFunction { .. }) | Rhs::Var(_),
            ..
        } => Effect::None,
        _ => Effect::Any,
    }
}

/// Drops nested functions that no `make_function` names any more.
fn forget_unused(func: &mut Func) {
    let mut used = Vec::new();
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            if let StmtKind::Assign {
                value: Rhs::Expr(Expr::MakeFunction { code, .. }),
                ..
            } = &func.insts[inst].kind
            {
                used.push(*code);
            }
        }
    }
    func.nested.retain(|(code, _)| used.contains(code));
}

/// A call of a local function.
struct Site {
    block: Block,
    call: Inst,
    target: Var,
    span: Span,
    args: Vec<Var>,
    kws: Vec<(String, Var)>,
    name: String,
    code: ObjRef,
    body: Func,
    closure: Vec<Var>,
    defaults: Vec<Var>,
    kwdefaults: Vec<(String, Var)>,
}

/// The first call whose callee is always the same local function. `f(*args)` counts if `args` is a tuple built here.
fn next_site(func: &Func) -> Option<Site> {
    if func.nested.is_empty() {
        return None;
    }
    let defs = DefUse::new(func);
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            let stmt = &func.insts[inst];
            let StmtKind::Assign {
                target,
                value:
                    Rhs::Expr(Expr::Call {
                        func: callee,
                        args,
                        kws,
                        vararg,
                    }),
            } = &stmt.kind
            else {
                continue;
            };
            let Some(Rhs::Expr(Expr::MakeFunction {
                name,
                code,
                closure,
                defaults,
                kwdefaults,
            })) = defs.definition(func, *callee)
            else {
                continue;
            };
            let Some((_, body)) = func.nested.iter().find(|(obj, _)| obj == code) else {
                continue;
            };
            let mut args = args.clone();
            if let Some(rest) = vararg {
                match defs.definition(func, *rest) {
                    Some(Rhs::Expr(Expr::BuildTuple(items))) => args.extend(items),
                    _ => continue,
                }
            }
            return Some(Site {
                block,
                call: inst,
                target: *target,
                span: stmt.span,
                args,
                kws: kws.clone(),
                name: name.clone(),
                code: *code,
                body: body.clone(),
                closure: closure.clone(),
                defaults: defaults.clone(),
                kwdefaults: kwdefaults.clone(),
            });
        }
    }
    None
}

/// What a parameter is given.
enum Given {
    Var(Var),
    Const(Const),
    Tuple(Vec<Var>),
}

/// Binds arguments to parameters as Python does.
fn bind(site: &Site) -> Result<Vec<Given>, Box<Diagnostic>> {
    let fail = |message: String| {
        Box::new(Diagnostic::error(
            "I002",
            ErrorClass::TypingError,
            message,
            site.span,
        ))
    };
    let params = &site.body.args;
    if let Some(rest) = params.iter().find(|p| p.kind == ArgKind::VarKeyword) {
        let message = format!("`**{}` of an inner function is not supported", rest.name);
        return Err(Box::new(error("I003", message, site.span)));
    }
    let defaults: Vec<Option<Given>> = (params.iter().enumerate())
        .map(|(index, param)| default_of(site, index, param))
        .collect();
    let formals: Vec<Formal<'_>> = (params.iter().zip(&defaults))
        .map(|(param, default)| Formal {
            has_default: default.is_some(),
            ..param.formal()
        })
        .collect();
    let names: Vec<&str> = site.kws.iter().map(|(name, _)| name.as_str()).collect();
    let taken = binding::bind(&formals, site.args.len(), &names)
        .map_err(|error| fail(error.text(&site.name)))?;
    let given = |(taken, default): (binding::Given, Option<Given>)| match taken {
        binding::Given::Positional(at) => Given::Var(site.args[at]),
        binding::Given::Keyword(at) => Given::Var(site.kws[at].1),
        binding::Given::Rest(from) => Given::Tuple(site.args[from..].to_vec()),
        binding::Given::Default => {
            default.expect("binding leaves only parameters with defaults open")
        }
    };
    Ok(taken.into_iter().zip(defaults).map(given).collect())
}

/// What a parameter of a local function is without an argument.
fn default_of(site: &Site, index: usize, param: &ArgSpec) -> Option<Given> {
    let from_def = if param.kind == ArgKind::KeywordOnly {
        let default = site.kwdefaults.iter().find(|(name, _)| *name == param.name);
        default.map(|(_, var)| *var)
    } else if param.kind.takes_position() {
        let params = &site.body.args;
        let positional = params.iter().filter(|p| p.kind.takes_position()).count();
        let first = positional.saturating_sub(site.defaults.len());
        let at = index.checked_sub(first);
        at.and_then(|at| site.defaults.get(at)).copied()
    } else {
        None
    };
    match from_def {
        Some(var) => Some(Given::Var(var)),
        None => param.default.clone().map(Given::Const),
    }
}

/// Inlines one call. Returns the calls that were copied in.
fn inline(func: &mut Func, site: &Site) -> Result<Vec<Inst>, Box<Diagnostic>> {
    if site.body.is_generator {
        let message = "a generator expression or generator inside a function is not supported";
        return Err(Box::new(
            error("I004", message, site.span)
                .with_numba_phrase("The use of yield in a closure is unsupported.")
                .with_help("use a list comprehension or a loop"),
        ));
    }
    let given = bind(site)?;
    let Some(at) = func.blocks[site.block]
        .insts
        .iter()
        .position(|i| *i == site.call)
    else {
        return Ok(Vec::new());
    };
    let after = split_block(func, site.block, at);
    func.blocks[after].insts.remove(0);

    let copy = Copy::new(func, site, given);
    let blocks: Vec<Block> = site.body.layout.iter().map(|b| copy.block[*b]).collect();
    insert_after(func, site.block, &blocks);
    let mut calls = Vec::new();
    for &from in &site.body.layout {
        let to = copy.block[from];
        for &inst in &site.body.blocks[from].insts {
            let stmt = &site.body.insts[inst];
            copy.stmt(func, site, to, stmt, after, &mut calls);
        }
    }
    match blocks.first() {
        Some(&entry) => jump(func, site.block, entry, site.span, NAME),
        None => jump(func, site.block, after, site.span, NAME),
    }
    Ok(calls)
}

/// Objects that the copied body still refers to: captured variables are no longer objects.
fn used_objects(site: &Site) -> SecondaryMap<ObjRef, bool> {
    let body = &site.body;
    let mut used: SecondaryMap<ObjRef, bool> = SecondaryMap::new();
    for &block in &body.layout {
        for &inst in &body.blocks[block].insts {
            match &body.insts[inst].kind {
                StmtKind::StaticRaise { class, .. } | StmtKind::DynamicRaise { class, .. } => {
                    used[*class] = true;
                }
                StmtKind::Assign { value, .. } => match value {
                    Rhs::FreeVar { index, .. } if (*index as usize) < site.closure.len() => {}
                    Rhs::Global(obj)
                    | Rhs::FreeVar { obj, .. }
                    | Rhs::Expr(Expr::MakeFunction { code: obj, .. }) => used[*obj] = true,
                    Rhs::Arg(_)
                    | Rhs::Const(_)
                    | Rhs::Var(_)
                    | Rhs::Expr(_)
                    | Rhs::Yield { .. }
                    | Rhs::Undefined => {}
                },
                StmtKind::Del(_)
                | StmtKind::SetItem { .. }
                | StmtKind::StaticSetItem { .. }
                | StmtKind::DelItem { .. }
                | StmtKind::SetAttr { .. }
                | StmtKind::DelAttr { .. }
                | StmtKind::StoreMap { .. }
                | StmtKind::Print { .. }
                | StmtKind::EnterWith { .. }
                | StmtKind::PopBlock
                | StmtKind::CheckAssigned { .. }
                | StmtKind::SetFreeVar { .. }
                | StmtKind::Return(_)
                | StmtKind::Jump(_)
                | StmtKind::Branch { .. }
                | StmtKind::Raise(_) => {}
            }
        }
    }
    // Tuples refer to earlier entries: one walk from the end finds what they hold.
    let mut all: Vec<ObjRef> = body.objects.keys().collect();
    all.reverse();
    for obj in all {
        if let (true, ObjKind::Tuple(items, _)) = (used[obj], &body.objects[obj].kind) {
            for item in items {
                used[*item] = true;
            }
        }
    }
    used
}

/// Ids of the callee in terms of the caller.
struct Copy {
    var: SecondaryMap<Var, Option<Var>>,
    block: SecondaryMap<Block, Block>,
    obj: SecondaryMap<ObjRef, Option<ObjRef>>,
    given: Vec<Given>,
    /// Copies of captured variables: functions made in the body share the variable itself.
    shared: SecondaryMap<Var, Option<Var>>,
}

impl Copy {
    fn new(func: &mut Func, site: &Site, given: Vec<Given>) -> Copy {
        let body = &site.body;
        let mut names = FreshNames::new(func);
        // `f.<locals>.<lambda>` gives `lambda`.
        let prefix: String = site.name.rsplit('.').next().unwrap_or("").to_owned();
        let prefix = prefix.trim_matches(|c| c == '<' || c == '>');
        let mut var = SecondaryMap::new();
        for (old, data) in &body.vars {
            let new = if data.is_temp() {
                names.temp(func)
            } else {
                names.named(func, &format!("{prefix}${}", data.name))
            };
            var[old] = Some(new);
        }
        let handler = func.blocks[site.block].handler;
        let mut block = SecondaryMap::with_default(site.block);
        for &old in &body.layout {
            block[old] = func.blocks.push(BlockData::default());
        }
        for &old in &body.layout {
            let own = body.blocks[old].handler;
            func.blocks[block[old]].handler = match own {
                Some(mut own) => {
                    own.block = block[own.block];
                    Some(own)
                }
                None => handler,
            };
        }
        let mut shared: SecondaryMap<Var, Option<Var>> = SecondaryMap::new();
        for stmt in body.insts.values() {
            if let StmtKind::Assign { target, value } = &stmt.kind
                && let Rhs::FreeVar { index, .. } = value
                && body.vars[*target].is_temp()
                && let Some(new) = var[*target]
            {
                shared[new] = site.closure.get(*index as usize).copied();
            }
        }
        let mut copy = Copy {
            var,
            block,
            obj: SecondaryMap::new(),
            given,
            shared,
        };
        let used = used_objects(site);
        for (old, desc) in &body.objects {
            if used[old] {
                copy.object(func, body, old, desc);
            }
        }
        copy
    }

    fn object(&mut self, func: &mut Func, body: &Func, old: ObjRef, desc: &ObjDesc) {
        let mut desc = desc.clone();
        if let ObjKind::Tuple(items, _) = &mut desc.kind {
            for item in items {
                // Tuples refer to earlier entries.
                *item = self.obj[*item].unwrap_or(*item);
            }
        }
        let nested = body.nested.iter().find(|(code, _)| *code == old);
        let is_code = |o: ObjRef| func.nested.iter().any(|(code, _)| *code == o);
        let same = func
            .objects
            .iter()
            .find(|(o, d)| **d == desc && !is_code(*o))
            .map(|(o, _)| o);
        self.obj[old] = Some(match (nested, same) {
            (None, Some(same)) => same,
            _ => func.objects.push(desc),
        });
        if let (Some((_, inner)), Some(new)) = (nested, self.obj[old]) {
            func.nested.push((new, inner.clone()));
        }
    }

    fn stmt(
        &self,
        func: &mut Func,
        site: &Site,
        to: Block,
        stmt: &Stmt,
        after: Block,
        calls: &mut Vec<Inst>,
    ) {
        let mut kind = stmt.kind.clone();
        kind.for_each_use_mut(|var| *var = self.var[*var].unwrap_or(*var));
        kind.for_each_block_mut(|block| *block = self.block[*block]);
        let obj = |o: ObjRef| self.obj[o].unwrap_or(o);
        match &mut kind {
            StmtKind::Return(value) => {
                let value = Rhs::Var(*value);
                let target = site.target;
                let origin = Origin::Pass(NAME);
                func.push_stmt(to, StmtKind::Assign { target, value }, stmt.span, origin);
                kind = StmtKind::Jump(after);
            }
            StmtKind::Del(var) => *var = self.var[*var].unwrap_or(*var),
            StmtKind::SetFreeVar { index, value, .. } => {
                let (index, value) = (*index as usize, *value);
                if let Some(&target) = site.closure.get(index) {
                    let value = Rhs::Var(value);
                    kind = StmtKind::Assign { target, value };
                }
            }
            StmtKind::StaticRaise { class, .. } | StmtKind::DynamicRaise { class, .. } => {
                *class = obj(*class);
            }
            StmtKind::Assign { target, value } => {
                *target = self.var[*target].unwrap_or(*target);
                match value {
                    Rhs::Arg(n) => match self.given.get(*n as usize) {
                        Some(Given::Var(var)) => *value = Rhs::Var(*var),
                        Some(Given::Const(constant)) => *value = Rhs::Const(constant.clone()),
                        Some(Given::Tuple(items)) => {
                            *value = Rhs::Expr(Expr::BuildTuple(items.clone()));
                        }
                        None => {}
                    },
                    Rhs::Global(o) => *o = obj(*o),
                    Rhs::FreeVar { index, obj: o } => match site.closure.get(*index as usize) {
                        Some(var) => {
                            let check = StmtKind::CheckAssigned {
                                var: *var,
                                name: site.body.objects[*o].name.clone(),
                                captured: true,
                            };
                            func.push_stmt(to, check, stmt.span, Origin::Pass(NAME));
                            *value = Rhs::Var(*var);
                        }
                        None => *o = obj(*o),
                    },
                    // The caller's result type is not the callee's.
                    Rhs::Expr(Expr::Cast {
                        value: of,
                        to: None,
                    }) => *value = Rhs::Var(*of),
                    Rhs::Expr(Expr::MakeFunction { code, closure, .. }) => {
                        *code = obj(*code);
                        for var in closure {
                            *var = self.shared[*var].unwrap_or(*var);
                        }
                    }
                    Rhs::Const(_)
                    | Rhs::Var(_)
                    | Rhs::Expr(_)
                    | Rhs::Yield { .. }
                    | Rhs::Undefined => {}
                }
            }
            StmtKind::SetItem { .. }
            | StmtKind::StaticSetItem { .. }
            | StmtKind::DelItem { .. }
            | StmtKind::SetAttr { .. }
            | StmtKind::DelAttr { .. }
            | StmtKind::StoreMap { .. }
            | StmtKind::Print { .. }
            | StmtKind::EnterWith { .. }
            | StmtKind::PopBlock
            | StmtKind::CheckAssigned { .. }
            | StmtKind::Jump(_)
            | StmtKind::Branch { .. }
            | StmtKind::Raise(_) => {}
        }
        let at = func.blocks[to].insts.len();
        let is_call = matches!(
            kind,
            StmtKind::Assign {
                value: Rhs::Expr(Expr::Call { .. }),
                ..
            }
        );
        let inst = insert_stmt(func, to, at, kind, stmt.span, NAME);
        if is_call {
            calls.push(inst);
        }
    }
}
