//! `literal_unroll`.

use super::context::PassContext;
use super::known;
use super::surgery::insert_after;
use crate::analysis::{Cfg, DefUse, Dominators, Loops};
use crate::pipeline::{Changed, PassResult};
use crate::{
    Block, BlockData, Const, Expr, Func, Inst, ObjKind, Rhs, SecondaryMap, StmtKind, TypeKind, Var,
};
use numbra_base::{Diagnostic, ErrorClass, Origin};

const NAME: &str = "literal_unroll";
/// Copies of one loop body beyond this are refused.
const MAX_COPIES: usize = 1024;

/// Copies the body of `for x in literal_unroll(t)` once for each item of the tuple, so that each copy has its own types.
///
/// ```text
///   before                               after
///     $0 = global(numba.literal_unroll)    $0 = const(NoneType, None)
///     $1 = call $0(t)                      $1 = t
///     $2 = getiter($1)                     jump bb3
///     jump bb1                           bb3:
///   bb1:                                   x = static_getitem(t, 0)
///     $3 = iternext($2)                    print(x)
///     x = pair_first($3)                   jump bb5
///     $4 = pair_second($3)               bb5:
///     branch $4, bb2, bb4                  x = static_getitem(t, 1)
///   bb2:                                   ...
///     print(x)
///     jump bb1
/// ```
///
/// The tuple is one built here, a parameter of tuple type, a constant, the keys, values or items of a display of a dictionary whose
/// keys are constants, or a list display of constants, which is a tuple then wherever it is read. `for i in range(len(literal_unroll(t)))` has the positions as constants.
/// Runs before SSA; the phase makes each copy's variables distinct. `break` and `continue` need nothing special.
pub fn literal_unroll(func: &mut Func, cx: &PassContext<'_>) -> PassResult {
    let mut any = false;
    while let Some(found) = find(func, cx) {
        unroll(func, &found.map_err(|d| vec![*d])?);
        any = true;
    }
    Ok(Changed::from(any))
}

/// A loop to unroll.
struct Unroll {
    /// `$0 = global(literal_unroll)` and copies of it that only this call reads: they are no values.
    names: Vec<Inst>,
    /// `$1 = call literal_unroll(t)`, which becomes a copy.
    call: Inst,
    /// `$2 = getiter($1)`, which goes.
    getiter: Inst,
    tuple: Var,
    /// What the items are, as far as they are constants.
    items: Vec<Option<Const>>,
    /// A list literal becomes a tuple.
    list: Option<Inst>,
    count: usize,
    body: Vec<Block>,
    header: Block,
    next: Inst,
}

fn find(func: &Func, cx: &PassContext<'_>) -> Option<Result<Unroll, Box<Diagnostic>>> {
    let defs = DefUse::new(func);
    let (call, callee_target, tuple) = *find_calls(func, &defs).first()?;
    let span = func.insts[call].span;
    let fail = |message: &str| {
        let diagnostic = Diagnostic::error("I008", ErrorClass::UnsupportedError, message, span);
        Some(Err(Box::new(diagnostic.with_help(
            "write `for x in literal_unroll(t):` with a tuple `t` of known length",
        ))))
    };
    let (count, list) = match length(func, &defs, cx, tuple) {
        Ok(known) => known,
        Err(Some(phrase)) => {
            let message = "literal_unroll() takes a tuple of known length, or a list of constants";
            let diagnostic = Diagnostic::error("I008", ErrorClass::UnsupportedError, message, span);
            return Some(Err(Box::new(diagnostic.with_numba_phrase(phrase))));
        }
        Err(None) => return fail("literal_unroll() takes a tuple of known length"),
    };
    if count > MAX_COPIES {
        return fail("literal_unroll() of a tuple this long is not supported");
    }
    let iterators: Vec<Inst> = func
        .insts
        .keys()
        .filter(|inst| {
            defs.block_of[*inst].is_some()
                && matches!(
                    &func.insts[*inst].kind,
                    StmtKind::Assign { value: Rhs::Expr(Expr::GetIter(of)), .. }
                        if resolves_to(func, &defs, *of, callee_target)
                            || counts(func, &defs, *of, callee_target)
                )
        })
        .collect();
    let &[getiter] = iterators.as_slice() else {
        return fail("literal_unroll() stands in the head of one loop");
    };
    let Some(iterator) = func.insts[getiter].kind.def() else {
        return fail("literal_unroll() stands in the head of one loop");
    };
    let cfg = Cfg::new(func);
    let loops = Loops::new(&cfg, &Dominators::new(&cfg));
    for (_, found) in loops.iter() {
        let next = func.blocks[found.header].insts.iter().find(|inst| {
            matches!(
                &func.insts[**inst].kind,
                StmtKind::Assign { value: Rhs::Expr(Expr::IterNext(of)), .. }
                    if resolves_to(func, &defs, *of, iterator)
            )
        });
        if let Some(&next) = next {
            let inside = |other: &(Inst, Var, Var)| {
                other.0 != call && defs.block_of[other.0].is_some_and(|b| found.contains(b))
            };
            if find_calls(func, &defs).iter().any(inside) {
                return fail("Nesting of literal_unroll is unsupported");
            }
            let mut body = found.blocks.clone();
            body.sort_by_key(|&block| cfg.rpo_index(block));
            let by_position = match &func.insts[getiter].kind {
                StmtKind::Assign {
                    value: Rhs::Expr(Expr::GetIter(of)),
                    ..
                } => counts(func, &defs, *of, callee_target),
                _ => false,
            };
            return Some(Ok(Unroll {
                names: names(func, &defs, call),
                call,
                getiter,
                tuple,
                items: if by_position {
                    (0..count as i64).map(|k| Some(Const::Int(k))).collect()
                } else {
                    constants(func, &defs, tuple, count)
                },
                list,
                count,
                body,
                header: found.header,
                next,
            }));
        }
    }
    fail("literal_unroll() stands in the head of one loop")
}

/// The assignments that lead to the callee of a call and serve nothing else.
fn names(func: &Func, defs: &DefUse, call: Inst) -> Vec<Inst> {
    let mut found = Vec::new();
    let StmtKind::Assign {
        value: Rhs::Expr(Expr::Call { func: callee, .. }),
        ..
    } = &func.insts[call].kind
    else {
        return found;
    };
    let mut var = *callee;
    while defs.uses(var).len() == 1
        && let Some(def) = defs.only_def(var)
        && !found.contains(&def)
    {
        found.push(def);
        match &func.insts[def].kind {
            StmtKind::Assign {
                value: Rhs::Var(from),
                ..
            } => var = *from,
            _ => break,
        }
    }
    found
}

/// Is `var` a copy of `of`, or `of` itself?
fn resolves_to(func: &Func, defs: &DefUse, mut var: Var, of: Var) -> bool {
    for _ in 0..64 {
        if var == of {
            return true;
        }
        match defs.only_def(var).map(|def| &func.insts[def].kind) {
            Some(StmtKind::Assign {
                value: Rhs::Var(from),
                ..
            }) => var = *from,
            _ => return false,
        }
    }
    false
}

/// Is `var` `range(len(of))`?
fn counts(func: &Func, defs: &DefUse, var: Var, of: Var) -> bool {
    let argument = |var: Var, names: &[&str]| match defs.definition(func, var) {
        Some(Rhs::Expr(Expr::Call {
            func: callee,
            args,
            kws,
            vararg: None,
        })) if kws.is_empty() && known::is_object(func, defs, *callee, names) => {
            match args.as_slice() {
                [only] => Some(*only),
                _ => None,
            }
        }
        _ => None,
    };
    argument(var, known::RANGE)
        .and_then(|length| argument(length, known::LEN))
        .is_some_and(|sequence| resolves_to(func, defs, sequence, of))
}

/// The calls of `literal_unroll`, with their results and arguments.
fn find_calls(func: &Func, defs: &DefUse) -> Vec<(Inst, Var, Var)> {
    let mut calls = Vec::new();
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            if let StmtKind::Assign {
                target,
                value:
                    Rhs::Expr(Expr::Call {
                        func: callee, args, ..
                    }),
            } = &func.insts[inst].kind
                && let [tuple] = args.as_slice()
                && known::is_object(func, defs, *callee, known::LITERAL_UNROLL)
            {
                calls.push((inst, *target, *tuple));
            }
        }
    }
    calls
}

/// Items of the tuple; for a list display, also its assignment, which becomes one of a tuple. Else what Numba says, if
/// it has words of its own.
fn length(
    func: &Func,
    defs: &DefUse,
    cx: &PassContext<'_>,
    tuple: Var,
) -> Result<(usize, Option<Inst>), Option<String>> {
    let known = match defs.definition(func, tuple).ok_or(None)? {
        Rhs::Expr(Expr::BuildTuple(items)) => Some(items.len()),
        Rhs::Expr(Expr::BuildList(items)) => {
            let constant = |var: &Var| {
                matches!(
                    defs.definition(func, *var),
                    Some(Rhs::Const(_) | Rhs::Global(_) | Rhs::FreeVar { .. })
                )
            };
            if let Some(at) = items.iter().position(|item| !constant(item)) {
                return Err(Some(format!(
                    "Found non-constant value at position {at} in a list argument to literal_unroll"
                )));
            }
            return Ok((items.len(), Some(list_def(func, defs, tuple).ok_or(None)?)));
        }
        Rhs::Expr(Expr::Call {
            func: callee,
            args,
            kws,
            vararg: None,
        }) if args.is_empty() && kws.is_empty() => entries(func, defs, *callee),
        Rhs::Const(Const::Tuple(items)) => Some(items.len()),
        Rhs::Global(obj) | Rhs::FreeVar { obj, .. } => {
            match func.objects.get(*obj).map(|desc| &desc.kind) {
                Some(ObjKind::Value(Const::Tuple(items))) => Some(items.len()),
                Some(ObjKind::Tuple(items, _)) => Some(items.len()),
                _ => None,
            }
        }
        Rhs::Arg(n) => match cx.types.kind(cx.arg_type(*n).ok_or(None)?) {
            TypeKind::UniTuple(_, count) => Some(*count as usize),
            TypeKind::Tuple(items)
            | TypeKind::NamedTuple(_, _, items)
            | TypeKind::StarArgTuple(items) => Some(items.len()),
            TypeKind::List { .. } => {
                return Err(Some(
                    "Invalid use of literal_unroll with a function argument, only tuples are supported as function \
                     arguments, found a list"
                        .to_owned(),
                ));
            }
            _ => None,
        },
        _ => None,
    };
    match known {
        Some(count) => Ok((count, None)),
        None => Err(Some("Invalid use of literal_unroll".to_owned())),
    }
}

/// How many entries a display of a dictionary has whose keys are constant strings, where `method` is its `items`, `keys` or
/// `values`: those of one whose values have no common type are tuples.
fn entries(func: &Func, defs: &DefUse, method: Var) -> Option<usize> {
    let Some(Rhs::Expr(Expr::GetAttr { value, attr })) = defs.definition(func, method) else {
        return None;
    };
    let Some(Rhs::Expr(Expr::BuildMap(entries))) = defs.definition(func, *value) else {
        return None;
    };
    if !matches!(attr.as_str(), "items" | "keys" | "values") {
        return None;
    }
    let mut keys = Vec::new();
    for (key, _) in entries {
        match defs.definition(func, *key) {
            Some(Rhs::Const(Const::Str(key))) => keys.push(key),
            _ => return None,
        }
    }
    keys.sort_unstable();
    keys.dedup();
    Some(keys.len())
}

/// The items of the tuple that are constants: they keep their literal types.
fn constants(func: &Func, defs: &DefUse, tuple: Var, count: usize) -> Vec<Option<Const>> {
    let mut items: Vec<Option<Const>> = match defs.definition(func, tuple) {
        Some(Rhs::Const(Const::Tuple(items))) => items.iter().cloned().map(Some).collect(),
        Some(Rhs::Global(obj) | Rhs::FreeVar { obj, .. }) => {
            match func.objects.get(*obj).map(|desc| &desc.kind) {
                Some(ObjKind::Value(Const::Tuple(items))) => {
                    items.iter().cloned().map(Some).collect()
                }
                _ => Vec::new(),
            }
        }
        Some(Rhs::Expr(Expr::BuildTuple(vars) | Expr::BuildList(vars))) => vars
            .iter()
            .map(|var| match defs.definition(func, *var) {
                Some(Rhs::Const(value)) => Some(value.clone()),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    items.resize(count, None);
    items
}

/// The assignment that builds the list.
fn list_def(func: &Func, defs: &DefUse, mut var: Var) -> Option<Inst> {
    loop {
        let def = defs.only_def(var)?;
        match &func.insts[def].kind {
            StmtKind::Assign {
                value: Rhs::Var(from),
                ..
            } => var = *from,
            _ => return Some(def),
        }
    }
}

fn unroll(func: &mut Func, found: &Unroll) {
    let set = |func: &mut Func, inst: Inst, rhs: Rhs| {
        if let StmtKind::Assign { value, .. } = &mut func.insts[inst].kind {
            *value = rhs;
        }
    };
    for &name in &found.names {
        set(func, name, Rhs::Const(Const::None));
    }
    set(func, found.call, Rhs::Var(found.tuple));
    set(func, found.getiter, Rhs::Var(found.tuple));
    if let Some(list) = found.list
        && let StmtKind::Assign { value, .. } = &mut func.insts[list].kind
        && let Rhs::Expr(Expr::BuildList(items)) = value
    {
        *value = Rhs::Expr(Expr::BuildTuple(std::mem::take(items)));
    }
    let Some(pair) = func.insts[found.next].kind.def() else {
        return;
    };
    // The header of each copy; the last copy is the header alone, which leaves the loop.
    let mut copies: Vec<SecondaryMap<Block, Option<Block>>> = Vec::new();
    for k in 0..=found.count {
        let mut map: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
        for &block in &found.body {
            if k < found.count || block == found.header {
                map[block] = Some(func.blocks.push(BlockData::default()));
            }
        }
        copies.push(map);
    }
    let mut layout = Vec::new();
    for k in 0..=found.count {
        for &from in &found.body {
            let Some(to) = copies[k][from] else { continue };
            layout.push(to);
            func.blocks[to].handler = func.blocks[from].handler.map(|mut handler| {
                handler.block = copies[k][handler.block].unwrap_or(handler.block);
                handler
            });
            for inst in func.blocks[from].insts.clone() {
                if inst == found.next {
                    continue;
                }
                let mut stmt = func.insts[inst].clone();
                stmt.origin = Origin::Pass(NAME);
                stmt.kind.for_each_block_mut(|block| {
                    let copy = if *block == found.header { k + 1 } else { k };
                    let target = copies.get(copy).and_then(|map| map[*block]);
                    *block = target.unwrap_or(*block);
                });
                if !item(&mut stmt.kind, pair, found, k) {
                    continue;
                }
                let new = func.insts.push(stmt);
                func.blocks[to].insts.push(new);
            }
            if from == found.header {
                leave_or_go_on(func, to, k < found.count);
            }
        }
    }
    insert_after(func, found.header, &layout);
    let entry = copies[0][found.header];
    for &block in &func.layout.clone() {
        if found.body.contains(&block) || layout.contains(&block) {
            continue;
        }
        if let (Some(&last), Some(entry)) = (func.blocks[block].insts.last(), entry) {
            func.insts[last].kind.for_each_block_mut(|target| {
                if *target == found.header {
                    *target = entry;
                }
            });
        }
    }
    func.layout.retain(|block| !found.body.contains(block));
}

/// Rewrites what reads the pair of item and flag. False drops the statement.
fn item(kind: &mut StmtKind, pair: Var, found: &Unroll, k: usize) -> bool {
    let StmtKind::Assign { value, .. } = kind else {
        return true;
    };
    match value {
        Rhs::Expr(Expr::PairFirst(of)) if *of == pair => {
            if k == found.count {
                return false;
            }
            *value = match found.items.get(k) {
                Some(Some(constant)) => Rhs::Const(constant.clone()),
                _ => Rhs::Expr(Expr::StaticGetItem {
                    value: found.tuple,
                    index: Const::Int(k as i64),
                    index_var: None,
                }),
            };
        }
        Rhs::Expr(Expr::PairSecond(of)) if *of == pair => {
            *value = Rhs::Const(Const::Bool(k < found.count));
        }
        _ => {}
    }
    true
}

/// The branch at the end of a copied header, which is decided.
fn leave_or_go_on(func: &mut Func, copy: Block, go_on: bool) {
    if let Some(&last) = func.blocks[copy].insts.last()
        && let StmtKind::Branch { then, other, .. } = func.insts[last].kind
    {
        func.insts[last].kind = StmtKind::Jump(if go_on { then } else { other });
    }
}
