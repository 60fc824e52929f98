//! Functions that call themselves: how an interrupt gets out of them.
//!
//! They look for interrupts before they call themselves. One that raises then fails, as it does with any exception. A
//! status costs a small function much of its speed, so one that only computes keeps none:
//!
//! ```text
//! function @fib.inner(i64) -> (i64)     as lowered, with polls
//! function @fib.again(i64) -> (i64)     what it returns where the word is set: 0 to leave, else as lowered
//! function @fib(i64) -> (i64) raises    calls `fib.inner`, and then looks whether the result means anything
//! ```
//!
//! What such a function computes from results without meaning nobody sees. If it reads no memory, its calls of itself are
//! pure, though not those of others, who look at the word. Equal ones are made once: with its calls taken in,
//! `fib(n - 1) + fib(n - 2)` asks for `fib(n - 3)` twice.

use super::module::{Mx, Node};
use numbra_abi::NativeId;
use numbra_base::Origin;
use numbra_lir::analysis::{AliasSet, effects};
use numbra_lir::{
    AliasClass, BlockCall, Facts, Func, FuncDecl, FuncRef, InstKind, Linkage, Module, Signature,
    Terminator, Ty, Value,
};
use numbra_opt::interrupts::{Exit, Polls, cell};

/// Ends the lowering of mutually recursive functions that do not raise; false if they are to be lowered with a status.
pub(super) fn without_status(mx: &mut Mx<'_>, group: &[Node]) -> bool {
    let functions: Vec<FuncRef> = group.iter().map(|node| mx.functions[node]).collect();
    if !functions
        .iter()
        .all(|&f| only_computes(&mx.module, f, &functions))
    {
        return false;
    }
    if functions
        .iter()
        .all(|&f| reads_nothing(&mx.module, f, &functions))
    {
        calls_are_pure(&mut mx.module, &functions);
    }
    let exits = functions
        .iter()
        .map(|&f| Exit::Zeros(add_again(&mut mx.module, f)));
    let exits: Vec<Exit> = exits.collect();
    poll_before_calls(mx, &functions, &exits);
    for (node, inner) in group.iter().zip(functions) {
        let face = add_face(&mut mx.module, inner);
        mx.functions.insert(*node, face);
    }
    true
}

/// Ends the lowering of mutually recursive functions with a status.
pub(super) fn with_status(mx: &mut Mx<'_>, group: &[Node]) {
    let functions: Vec<FuncRef> = group.iter().map(|node| mx.functions[node]).collect();
    poll_before_calls(mx, &functions, &vec![Exit::Fail; functions.len()]);
}

/// True if nobody can observe that the function runs but by its result and the time that it takes.
fn only_computes(module: &Module, func: FuncRef, group: &[FuncRef]) -> bool {
    let Some(body) = &module.functions[func].body else {
        return false;
    };
    let stack = AliasSet::of(AliasClass::STACK);
    let mut insts = body.layout.iter().flat_map(|b| body.blocks[b].insts());
    let pure = insts.all(|&inst| match &body.insts[inst].kind {
        InstKind::Call { func, .. } => {
            group.contains(func)
                || (!module.functions[*func].sig.raises && only_computes(module, *func, &[*func]))
        }
        kind => {
            let does = effects(kind);
            let unseen = does.writes.is_empty() || does.writes == stack;
            unseen && !does.convergent && !does.counts
        }
    });
    pure && !body.values.values().any(|value| value.ty == Ty::Ref)
}

/// True if a function that only computes does so from its arguments alone.
fn reads_nothing(module: &Module, func: FuncRef, group: &[FuncRef]) -> bool {
    let decl = &module.functions[func];
    let Some(body) = &decl.body else {
        return false;
    };
    let own = AliasSet::of(AliasClass::STACK);
    let mut insts = body.layout.iter().flat_map(|b| body.blocks[b].insts());
    let from_arguments = insts.all(|&inst| match &body.insts[inst].kind {
        InstKind::Call { func, .. } => {
            group.contains(func) || reads_nothing(module, *func, &[*func])
        }
        InstKind::Load { flags, .. } => {
            [AliasClass::STACK, AliasClass::CONST].contains(&flags.alias) && !flags.volatile
        }
        kind @ InstKind::CallNative { .. } => effects(kind).speculatable,
        kind => effects(kind).reads.is_empty() || effects(kind).reads == own,
    });
    // What a pointer leads to is no argument, though it be the stack of a caller.
    let params = decl.sig.params.iter().map(|param| param.ty);
    from_arguments
        && params
            .chain(decl.sig.results.iter().copied())
            .all(|ty| ty != Ty::PTR)
}

/// Notes that calls within the group are pure.
fn calls_are_pure(module: &mut Module, group: &[FuncRef]) {
    for &id in group {
        let Some(body) = &mut module.functions[id].body else {
            continue;
        };
        for data in body.insts.values_mut() {
            if matches!(&data.kind, InstKind::Call { func, .. } if group.contains(func)) {
                data.facts |= Facts::PURE;
            }
        }
    }
}

/// Puts a poll before the first call of a member of the group in each block.
fn poll_before_calls(mx: &mut Mx<'_>, group: &[FuncRef], exits: &[Exit]) {
    let cell = cell(&mut mx.module);
    for (&id, &exit) in group.iter().zip(exits) {
        let Some(body) = &mut mx.module.functions[id].body else {
            continue;
        };
        let mut polls = Polls::new(body, cell, exit, Origin::Compiler);
        let blocks: Vec<_> = polls.func.layout.iter().collect();
        for block in blocks {
            let calls = |kind: &InstKind| matches!(kind, InstKind::Call { func, .. } if group.contains(func));
            let insts = polls.func.blocks[block].insts();
            let Some(at) = insts.iter().position(|&i| calls(&polls.func.insts[i].kind)) else {
                continue;
            };
            let span = polls.func.insts[insts[at]].span;
            let rest = polls.func.split_block(block, at);
            let onward = BlockCall {
                block: rest,
                args: Vec::new(),
            };
            polls.poll(block, onward, span);
        }
    }
}

/// Adds a copy of the function that first asks whether to leave.
fn add_again(module: &mut Module, func: FuncRef) -> FuncRef {
    let cell = cell(module);
    let mut decl = module.functions[func].clone();
    if let Some(body) = &mut decl.body {
        let (entry, span) = (body.entry(), body.span);
        let onward = BlockCall {
            block: body.split_block(entry, 0),
            args: Vec::new(),
        };
        let mut polls = Polls::new(body, cell, Exit::Zeros(func), Origin::Compiler);
        polls.ask(entry, NativeId::Leave, onward, span);
    }
    module.functions.push(FuncDecl {
        name: format!("{}.again", decl.name),
        linkage: Linkage::Local,
        inline_never: true,
        ..decl
    })
}

/// Gives the function's name to a new one, which calls it and looks whether it was interrupted.
fn add_face(module: &mut Module, inner: FuncRef) -> FuncRef {
    let cell = cell(module);
    let decl = &mut module.functions[inner];
    let linkage = std::mem::replace(&mut decl.linkage, Linkage::Local);
    decl.inline_never = true;
    let mut name = format!("{}.inner", decl.name);
    std::mem::swap(&mut name, &mut decl.name);
    let span = decl
        .body
        .as_ref()
        .map_or(numbra_base::Span::NONE, |b| b.span);
    let sig = Signature {
        raises: true,
        ..decl.sig.clone()
    };
    let mut func = Func::new(sig.clone(), span);
    let entry = func.entry();
    let args = func.blocks[entry].params.clone();
    let call = InstKind::Call { func: inner, args };
    let call = func.push_inst(entry, call, &sig.results, span, Origin::Compiler);
    let results: Vec<Value> = func.insts[call].results.to_vec();
    let done = func.push_block();
    func.set_term(done, Terminator::Return(results), span, Origin::Compiler);
    let onward = BlockCall {
        block: done,
        args: Vec::new(),
    };
    Polls::new(&mut func, cell, Exit::Fail, Origin::Compiler).poll(entry, onward, span);
    module.functions.push(FuncDecl {
        name,
        linkage,
        sig,
        body: Some(func),
        inline_always: false,
        inline_never: false,
    })
}
