//! Replaces calls by the body of the callee.
//!
//! ```text
//! before                                   after
//!   v1, v2 = call @half(v0)                  v3 = <body of half>
//!   v3 = icmp eq v1, v9  (v9 = 0)            guard v4 zero_division, block1, block2
//!   guard v3 status, block1, block2        (error exits of the body go to block2)
//! ```
//!
//! Callees come first, so that a body is inlined with what was inlined into it. Inlined are bodies marked
//! `inline_always`, small bodies, and local functions with one call, and none with reference fields in slots (those live as
//! long as the activation). Loops stay where an interrupt can leave them: in functions that raise. A small function without
//! loops that calls itself takes in some levels of its calls, which need no polls of their own; other recursive calls stay.
//! Where the caller at once branches on the status, the callee's exits go to the two sides of that branch. Instructions keep
//! their span and origin, but for library bodies in functions that debuggers are told about: those stand at their calls.
//! Linear in the size of the result.

use crate::flow::simplify_cfg::constant;
use crate::polls::interrupts;
use cranelift_entity::SecondaryMap;
use numbra_base::{FxHashSet, Origin, Span};
use numbra_lir::analysis::{Cfg, DefUse, Dominators, callees, components, effects, has_loop};
use numbra_lir::{
    AliasClass, Block, BlockCall, DataId, Func, FuncDecl, FuncRef, Inst, InstKind, IntCc, Linkage,
    Module, Slot, Terminator, Ty, Value, ValueDef,
};

/// Bodies of up to this many instructions are inlined everywhere.
const MAX_SMALL_BODY_INSTS: usize = 40;
/// Local bodies with one call are inlined up to this size.
const MAX_SINGLE_CALL_INSTS: usize = 400;
/// A function takes in calls of itself while it stays this small.
const MAX_RECURSIVE_BODY_INSTS: usize = 400;
/// Levels of calls that a function takes in of itself.
const MAX_RECURSION_LEVELS: usize = 4;
/// A caller does not grow beyond this, `inline_always` apart.
const MAX_CALLER_INSTS: usize = 20_000;

pub(crate) fn inline(module: &mut Module) -> bool {
    let groups = components(module.functions.keys(), |id| {
        let body = module.functions[id].body.as_ref();
        body.into_iter().flat_map(callees)
    });
    let mut calls: SecondaryMap<FuncRef, u32> = SecondaryMap::new();
    for decl in module.functions.values() {
        let Some(func) = &decl.body else { continue };
        for inst in instructions(func) {
            if let InstKind::Call { func, .. } = &func.insts[inst].kind {
                calls[*func] += 1;
            }
        }
    }
    let mut component: SecondaryMap<FuncRef, u32> = SecondaryMap::new();
    for (group, number) in groups.iter().zip(0..) {
        for &id in group {
            component[id] = number;
        }
    }
    let cell = interrupts::known_cell(module);
    let mut changed = false;
    for &caller in groups.iter().flatten() {
        let Some(mut func) = module.functions[caller].body.take() else {
            continue;
        };
        changed |= into(module, &component, caller, &mut func, &calls);
        changed |= into_itself(&module.functions[caller], caller, cell, &mut func);
        module.functions[caller].body = Some(func);
    }
    if changed {
        drop_uncalled(module);
    }
    changed
}

fn instructions(func: &Func) -> impl Iterator<Item = Inst> + '_ {
    func.layout
        .iter()
        .flat_map(|block| func.blocks[block].insts().iter().copied())
}

/// Inlines into one function, whose body is taken out of the module.
fn into(
    module: &Module,
    component: &SecondaryMap<FuncRef, u32>,
    caller: FuncRef,
    func: &mut Func,
    calls: &SecondaryMap<FuncRef, u32>,
) -> bool {
    let mut wanted: Vec<(Block, Inst)> = Vec::new();
    let mut size = instructions(func).count();
    for block in &func.layout {
        for &inst in func.blocks[block].insts() {
            let InstKind::Call { func: callee, .. } = &func.insts[inst].kind else {
                continue;
            };
            let decl = &module.functions[*callee];
            let Some(body) = &decl.body else { continue };
            let counted = body.slots.values().any(|slot| !slot.refs.is_empty());
            if decl.inline_never || counted || component[*callee] == component[caller] {
                continue;
            }
            // An interrupt fails, which a wrapper cannot.
            let interrupted = !matches!(
                module.functions[caller].linkage,
                Linkage::Kernel | Linkage::Device
            );
            if interrupted && decl.sig.raises && !func.sig.raises && has_loop(body) {
                continue;
            }
            let body_size = instructions(body).count() + body.layout.len();
            let single = decl.linkage == Linkage::Local && calls[*callee] == 1;
            let fits =
                body_size <= MAX_SMALL_BODY_INSTS || (single && body_size <= MAX_SINGLE_CALL_INSTS);
            if decl.inline_always || (fits && size + body_size <= MAX_CALLER_INSTS) {
                size += body_size;
                wanted.push((block, inst));
            }
        }
    }
    if wanted.is_empty() {
        return false;
    }
    let context = Context::new(func);
    // Later calls of a block first: what precedes them stays where it is.
    let mut last = None;
    for &(block, inst) in wanted.iter().rev() {
        // A block that already holds an inlined body ends otherwise than the context says.
        let as_before = last.replace(block) != Some(block);
        let callee = match &func.insts[inst].kind {
            InstKind::Call { func, .. } => &module.functions[*func],
            _ => continue,
        };
        if let Some(body) = &callee.body {
            let raises = callee.sig.raises;
            inline_call(
                body,
                raises,
                func,
                block,
                inst,
                as_before.then_some(&context),
            );
        }
    }
    true
}

/// Inlines a small function without loops into itself, level by level.
fn into_itself(decl: &FuncDecl, id: FuncRef, cell: Option<DataId>, func: &mut Func) -> bool {
    let calls = |func: &Func| -> Vec<(Block, Inst)> {
        let mut out = Vec::new();
        for block in func.layout.iter().filter(|&b| !func.blocks[b].cold) {
            for &inst in func.blocks[block].insts() {
                if matches!(&func.insts[inst].kind, InstKind::Call { func, .. } if *func == id) {
                    out.push((block, inst));
                }
            }
        }
        out
    };
    let size = |func: &Func| instructions(func).count() + func.layout.len();
    let mut wanted = calls(func);
    let body_size = size(func);
    let counted = func.slots.values().any(|slot| !slot.refs.is_empty());
    if wanted.is_empty() || body_size > MAX_SMALL_BODY_INSTS || counted || has_loop(func) {
        return false;
    }
    let mut body = func.clone();
    if let Some(cell) = cell {
        interrupts::remove_polls_of(&mut body, cell);
    }
    let mut changed = false;
    for _ in 0..MAX_RECURSION_LEVELS {
        if size(func) + wanted.len() * body_size > MAX_RECURSIVE_BODY_INSTS {
            break;
        }
        let context = Context::new(func);
        let mut last = None;
        for &(block, inst) in wanted.iter().rev() {
            let as_before = last.replace(block) != Some(block);
            let context = as_before.then_some(&context);
            inline_call(&body, decl.sig.raises, func, block, inst, context);
        }
        changed = true;
        wanted = calls(func);
    }
    changed
}

/// Facts about the caller before anything was inlined.
struct Context {
    cfg: Cfg,
    doms: Dominators,
    uses: DefUse,
}

impl Context {
    fn new(func: &Func) -> Context {
        let cfg = Cfg::new(func);
        let doms = Dominators::new(&cfg);
        let uses = DefUse::new(func);
        Context { cfg, doms, uses }
    }
}

/// What follows a call in its block, when that is only a branch on the status.
struct StatusBranch {
    ok: BlockCall,
    err: BlockCall,
    /// Instructions between, which only compute.
    between: Vec<Inst>,
}

fn status_branch(
    func: &Func,
    block: Block,
    call: Inst,
    at: usize,
    context: &Context,
) -> Option<StatusBranch> {
    let data = &func.blocks[block];
    let between = data.insts()[at + 1..].to_vec();
    let pure = |&inst: &Inst| {
        let does = effects(&func.insts[inst].kind);
        does.speculatable && does.removable
    };
    if between.len() > 8 || !between.iter().all(pure) {
        return None;
    }
    let (cond, then, other) = match data.term.as_ref()? {
        Terminator::Guard { cond, ok, err, .. } => (*cond, ok, err),
        Terminator::Brif { cond, then, other } => (*cond, then, other),
        Terminator::Jump(_)
        | Terminator::Switch { .. }
        | Terminator::Return(_)
        | Terminator::Fail => {
            return None;
        }
    };
    let ValueDef::Result(test, _) = func.values[cond].def else {
        return None;
    };
    let InstKind::Icmp { cc, lhs, rhs } = func.insts[test].kind else {
        return None;
    };
    let status = *func.insts[call].results.first()?;
    if lhs != status || constant(func, rhs) != Some(0) || then.block == other.block {
        return None;
    }
    let (ok, err) = match cc {
        IntCc::Eq => (then.clone(), other.clone()),
        IntCc::Ne => (other.clone(), then.clone()),
        _ => return None,
    };
    // What is computed between is cloned for the error side, so it must not be used behind it under its own name.
    let results = func.insts[call].results.iter();
    let computed = between.iter().flat_map(|&i| func.insts[i].results.iter());
    let only_ok = context.cfg.preds(ok.block) == [block];
    let good = results.chain(computed).all(|&value| {
        context.uses.uses(value).iter().all(|used| {
            used.block() == block || (only_ok && context.doms.dominates(ok.block, used.block()))
        })
    });
    good.then_some(StatusBranch { ok, err, between })
}

fn inline_call(
    body: &Func,
    raises: bool,
    func: &mut Func,
    block: Block,
    call: Inst,
    context: Option<&Context>,
) {
    let InstKind::Call { args, .. } = func.insts[call].kind.clone() else {
        return;
    };
    let Some(at) = func.inst_index(call) else {
        return;
    };
    let (span, origin) = (func.insts[call].span, func.insts[call].origin);
    let results = func.insts[call].results.clone();
    let branch = context
        .filter(|_| raises)
        .and_then(|context| status_branch(func, block, call, at, context));

    // The rest of the block becomes a block of its own.
    let rest = func.split_block(block, at + 1);
    func.remove_inst(call);

    // Results of the call become parameters; without a failing exit the status is a constant.
    let mut exits = Exits {
        ok: rest,
        err: rest,
        raises,
        split: branch.is_some(),
    };
    let (status, values) = if raises {
        (results.first().copied(), &results[results.len().min(1)..])
    } else {
        (None, &results[..])
    };
    if let Some(branch) = branch {
        let ok_term = Terminator::Jump(branch.ok);
        func.blocks[rest].term = Some(ok_term);
        if let Some(status) = status {
            define_constant(func, rest, status, 0, span, origin);
        }
        for &value in values {
            adopt_param(func, rest, value);
        }
        // The error side computes what it needs of the rest for itself.
        let error = func.insert_block_after(rest);
        func.blocks[error].cold = true;
        func.blocks[error].term_span = func.blocks[rest].term_span;
        func.blocks[error].term_origin = func.blocks[rest].term_origin;
        let mut map: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
        if let Some(status) = status {
            map[status] = Some(constant_at(
                func,
                error,
                InstKind::IConst(1),
                Ty::I32,
                span,
                origin,
            ));
        }
        for &value in values {
            map[value] = Some(zero_at(func, error, func.ty(value), span, origin));
        }
        for inst in branch.between {
            let data = func.insts[inst].clone();
            let types: Vec<Ty> = data.results.iter().map(|&v| func.ty(v)).collect();
            let mut kind = data.kind;
            kind.for_each_operand(|v| *v = map[*v].unwrap_or(*v));
            let new = func.push_inst(error, kind, &types, data.span, data.origin);
            func.insts[new].fast = data.fast;
            func.insts[new].facts = data.facts;
            for (n, &old) in data.results.iter().enumerate() {
                map[old] = Some(func.insts[new].results[n]);
            }
        }
        let mut err = branch.err;
        for arg in &mut err.args {
            *arg = map[*arg].unwrap_or(*arg);
        }
        func.blocks[error].term = Some(Terminator::Jump(err));
        exits.err = error;
    } else {
        if let Some(status) = status {
            adopt_param(func, rest, status);
        }
        for &value in values {
            adopt_param(func, rest, value);
        }
    }
    copy_body(func, body, block, &args, &exits, span);
}

/// Where the callee's exits go.
struct Exits {
    ok: Block,
    err: Block,
    raises: bool,
    /// `ok` takes the results only, `err` takes nothing; else both are one block that takes the status too.
    split: bool,
}

/// Makes a call's result a parameter of a block.
pub(crate) fn adopt_param(func: &mut Func, block: Block, value: Value) {
    let n = func.blocks[block].params.len() as u16;
    func.values[value].def = ValueDef::Param(block, n);
    func.blocks[block].params.push(value);
}

/// Makes a call's status a constant at the start of a block.
fn define_constant(
    func: &mut Func,
    block: Block,
    value: Value,
    n: i128,
    span: Span,
    origin: Origin,
) {
    let inst = func.make_inst(InstKind::IConst(n), &[], span, origin);
    func.insts[inst].results.push(value);
    func.values[value].def = ValueDef::Result(inst, 0);
    func.insert_inst(block, 0, inst);
}

fn constant_at(
    func: &mut Func,
    block: Block,
    kind: InstKind,
    ty: Ty,
    span: Span,
    origin: Origin,
) -> Value {
    let inst = func.push_inst(block, kind, &[ty], span, origin);
    func.insts[inst].results[0]
}

fn zero_at(func: &mut Func, block: Block, ty: Ty, span: Span, origin: Origin) -> Value {
    let kind = match ty {
        Ty::F16 | Ty::F32 | Ty::F64 => InstKind::FConst(0),
        Ty::Ptr(_) | Ty::Ref => InstKind::Null,
        Ty::I1 | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 => InstKind::IConst(0),
        Ty::Vec(lane, _) => {
            let value = zero_at(func, block, lane.ty(), span, origin);
            InstKind::Splat(value)
        }
    };
    constant_at(func, block, kind, ty, span, origin)
}

/// Copies the callee's blocks behind `block`, which goes on in the copy of its entry.
fn copy_body(
    func: &mut Func,
    body: &Func,
    block: Block,
    args: &[Value],
    exits: &Exits,
    span: Span,
) {
    let mut blocks: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
    let mut values: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    let mut slots: SecondaryMap<Slot, Option<Slot>> = SecondaryMap::new();
    let caller_cold = func.blocks[block].cold;
    for (slot, data) in body.slots.iter() {
        let new = func.slots.push(data.clone());
        slots[slot] = Some(new);
        clear_slot(func, block, new, span);
    }
    let mut last = block;
    for old in &body.layout {
        if old == body.entry() {
            blocks[old] = Some(block);
            for (&param, &arg) in body.blocks[old].params.iter().zip(args) {
                values[param] = Some(arg);
            }
            continue;
        }
        let new = func.insert_block_after(last);
        last = new;
        blocks[old] = Some(new);
        func.blocks[new].cold = body.blocks[old].cold || caller_cold;
        for &param in &body.blocks[old].params {
            values[param] = Some(func.push_param(new, body.ty(param)));
        }
    }
    let at_call = body.debug.is_none() && func.debug.is_some();
    let placed = |at: Span, origin: Origin| match origin {
        // Part of a library body.
        Origin::Prelude if at_call && span.is_known() => span,
        _ => at,
    };
    if func.debug.is_none() {
        func.debug = adopted(body, &slots);
    }
    // First all definitions, since a use may come before its definition in the layout.
    let mut made = Vec::new();
    for old in &body.layout {
        let Some(new) = blocks[old] else { continue };
        for &inst in body.blocks[old].insts() {
            let data = &body.insts[inst];
            let types: Vec<Ty> = data.results.iter().map(|&v| body.ty(v)).collect();
            let at = placed(data.span, data.origin);
            let copy = func.push_inst(new, data.kind.clone(), &types, at, data.origin);
            func.insts[copy].fast = data.fast;
            func.insts[copy].facts = data.facts;
            for (n, &result) in data.results.iter().enumerate() {
                values[result] = Some(func.insts[copy].results[n]);
            }
            made.push(copy);
        }
    }
    for copy in made {
        let kind = &mut func.insts[copy].kind;
        kind.for_each_operand(|v| *v = values[*v].unwrap_or(*v));
        if let InstKind::SlotAddr(slot) = kind {
            *slot = slots[*slot].unwrap_or(*slot);
        }
    }
    for old in &body.layout {
        let Some(new) = blocks[old] else { continue };
        let data = &body.blocks[old];
        let origin = data.term_origin;
        let span = placed(data.term_span, origin);
        let Some(mut term) = data.term.clone() else {
            continue;
        };
        term.for_each_operand(|v| *v = values[*v].unwrap_or(*v));
        for target in term.targets_mut() {
            target.block = blocks[target.block].unwrap_or(target.block);
        }
        let term = match term {
            Terminator::Return(results) => {
                let mut args = Vec::new();
                if exits.raises && !exits.split {
                    args.push(constant_at(
                        func,
                        new,
                        InstKind::IConst(0),
                        Ty::I32,
                        span,
                        origin,
                    ));
                }
                args.extend(results);
                Terminator::Jump(BlockCall {
                    block: exits.ok,
                    args,
                })
            }
            Terminator::Fail => {
                let mut args = Vec::new();
                if !exits.split {
                    args.push(constant_at(
                        func,
                        new,
                        InstKind::IConst(1),
                        Ty::I32,
                        span,
                        origin,
                    ));
                    for n in 1..func.blocks[exits.ok].params.len() {
                        let ty = func.ty(func.blocks[exits.ok].params[n]);
                        args.push(zero_at(func, new, ty, span, origin));
                    }
                }
                Terminator::Jump(BlockCall {
                    block: exits.err,
                    args,
                })
            }
            other => other,
        };
        func.set_term(new, term, span, origin);
    }
}

/// What debuggers are told about a function that had no source of its own: that it is the one inlined.
fn adopted(
    body: &Func,
    slots: &SecondaryMap<Slot, Option<Slot>>,
) -> Option<Box<numbra_lir::FuncDebug>> {
    let mut debug = body.debug.clone()?;
    for variable in &mut debug.variables {
        variable.slot = slots[variable.slot].unwrap_or(variable.slot);
    }
    Some(debug)
}

/// Slots of an inlined activation are zero each time it starts.
fn clear_slot(func: &mut Func, block: Block, slot: Slot, span: Span) {
    let origin = Origin::Pass("inline");
    let size = func.slots[slot].size;
    let addr = constant_at(func, block, InstKind::SlotAddr(slot), Ty::PTR, span, origin);
    let byte = constant_at(func, block, InstKind::IConst(0), Ty::I8, span, origin);
    let len = constant_at(
        func,
        block,
        InstKind::IConst(size.into()),
        Ty::I64,
        span,
        origin,
    );
    let kind = InstKind::MemSet {
        dst: addr,
        byte,
        len,
        alias: AliasClass::STACK,
    };
    func.push_inst(block, kind, &[], span, origin);
}

/// Drops bodies of local functions that nothing refers to any more: they become empty imports of no use to anybody, so
/// their declarations stay only to keep ids stable.
pub(crate) fn drop_uncalled(module: &mut Module) {
    // How often other functions name each function, and how often it names itself but to call itself.
    let mut named: SecondaryMap<FuncRef, u32> = SecondaryMap::new();
    for (id, decl) in module.functions.iter() {
        for to in decl.body.iter().flat_map(|func| names(id, func)) {
            named[to] += 1;
        }
    }
    let relocs = module.data.values().flat_map(|data| &data.relocs);
    let by_name: FxHashSet<&str> = relocs.map(|(_, name)| name.as_str()).collect();
    let mut unused: Vec<FuncRef> = module.functions.keys().collect();
    while let Some(id) = unused.pop() {
        let decl = &mut module.functions[id];
        let is_needed =
            decl.linkage != Linkage::Local || named[id] > 0 || by_name.contains(decl.name.as_str());
        if is_needed {
            continue;
        }
        let Some(func) = decl.body.take() else {
            continue;
        };
        decl.linkage = Linkage::Import;
        for to in names(id, &func) {
            named[to] -= 1;
            unused.push(to);
        }
    }
}

/// The functions that a body names, calls of itself apart.
fn names(id: FuncRef, func: &Func) -> impl Iterator<Item = FuncRef> + '_ {
    instructions(func).filter_map(move |inst| match &func.insts[inst].kind {
        InstKind::Call { func: callee, .. } if *callee != id => Some(*callee),
        InstKind::FuncAddr(of) => Some(*of),
        _ => None,
    })
}
