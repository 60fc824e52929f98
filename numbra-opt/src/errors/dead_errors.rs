//! Exceptions that a handler drops are not made, and those that code raises itself are known to be no interrupts.
//!
//! ```text
//! before                                            after
//!   set_error exc0()                                  jump block1
//!   v1 = call_native @numbra_rt_is_interrupt()      block1:      (a handler that goes on)
//!   v2 = icmp eq v1, v0
//!   brif v2, block1, block2
//! block1:      (a handler that goes on)
//! block2:
//!   fail
//! ```
//!
//! The error record is read where a function fails, and by code from outside, as that which makes Python's exception. What
//! is set there is dead where each way on sets another error first, or returns. A call that fails has set one: that is known
//! on the error edge of its status, where the call stands in the block before. (What is left of a call after inlining tests
//! the status of whatever failed in it.) Runs before `safepoints`, whose polls are no guards. Two passes over the blocks,
//! each until nothing changes.

use crate::analyses::{Analyses, Changed};
use cranelift_entity::SecondaryMap;
use numbra_abi::NativeId;
use numbra_lir::analysis::Cfg;
use numbra_lir::{
    Block, Func, GuardKind, Inst, InstKind, Linkage, Module, Terminator, Value, ValueDef,
};

pub(crate) fn dead_errors(func: &mut Func, module: &Module, known: &mut Analyses) -> Changed {
    let dropped = drop_unread(func);
    let mut insts = func.layout.iter().flat_map(|b| func.blocks[b].insts());
    if !insts.any(|&inst| matches!(func.insts[inst].kind, InstKind::SetError { .. })) {
        return Changed::insts(dropped);
    }
    let cfg = known.cfg(func);
    let answered = answer(func, module, &cfg);
    Changed::insts(remove(func, module, &cfg) | answered | dropped)
}

/// What handlers keep for an exception that cannot leave them, or for nothing at all, is not kept.
fn drop_unread(func: &mut Func) -> bool {
    let keeps = |kind: &InstKind| kind.native_id() == Some(NativeId::KeepError);
    let all: Vec<Inst> = func
        .layout
        .iter()
        .flat_map(|b| func.blocks[b].insts())
        .copied()
        .collect();
    if !all.iter().any(|&inst| keeps(&func.insts[inst].kind)) {
        return false;
    }
    let mut read: SecondaryMap<Value, bool> = SecondaryMap::new();
    for &inst in &all {
        if !matches!(func.insts[inst].kind, InstKind::Keep(_)) {
            func.insts[inst]
                .kind
                .visit_operands(|value| read[value] = true);
        }
    }
    for block in &func.layout {
        func.term(block).visit_operands(|value| read[value] = true);
    }
    let mut dropped = false;
    for inst in all {
        let data = &mut func.insts[inst];
        if keeps(&data.kind) && data.results.iter().all(|&value| !read[value]) {
            data.kind = InstKind::Null;
            dropped = true;
        }
    }
    dropped
}

/// What an instruction does to the error record.
pub(crate) enum Event {
    Set,
    /// Asks whether it is an interrupt.
    Ask,
    /// Adds to it.
    Add,
    /// Reads it, and may leave another there.
    Read,
    /// May leave another there.
    Replace,
    None,
}

pub(crate) fn event(module: &Module, kind: &InstKind) -> Event {
    match kind {
        InstKind::SetError { .. } => Event::Set,
        InstKind::Call { func, .. } if module.functions[*func].linkage == Linkage::Import => {
            Event::Read
        }
        InstKind::CallIndirect { .. } => Event::Read,
        InstKind::CallNative { .. } => match kind.native_id() {
            Some(NativeId::IsInterrupt) => Event::Ask,
            Some(NativeId::AddContext | NativeId::SetCause) => Event::Add,
            Some(NativeId::KeepError) => Event::Read,
            _ => Event::Replace,
        },
        InstKind::Call { .. } => Event::Replace,
        _ => Event::None,
    }
}

impl Event {
    /// Whether this function has set the error last, after the event.
    fn raised(&self, before: bool) -> bool {
        match self {
            Event::Set => true,
            Event::Read | Event::Replace => false,
            Event::Ask | Event::Add | Event::None => before,
        }
    }

    /// Whether a way on reads the error that is there before the event.
    fn read(&self, after: bool) -> bool {
        match self {
            Event::Set => false,
            Event::Ask | Event::Read => true,
            Event::Add | Event::Replace | Event::None => after,
        }
    }
}

/// Answers whether the pending exception is an interrupt where it is one that this function has raised.
fn answer(func: &mut Func, module: &Module, cfg: &Cfg) -> bool {
    // At the ends of blocks: whether each way there has set the error last. Assumed until a way is found that has not.
    let mut raised: SecondaryMap<Block, bool> = SecondaryMap::with_default(true);
    let at_start = |raised: &SecondaryMap<Block, bool>, block: Block, func: &Func| {
        block != func.entry() && cfg.preds(block).iter().all(|&pred| raised[pred])
    };
    let mut changed = true;
    while changed {
        changed = false;
        for &block in cfg.rpo() {
            let mut now = at_start(&raised, block, func);
            for &inst in func.blocks[block].insts() {
                now = event(module, &func.insts[inst].kind).raised(now);
            }
            changed |= raised[block] != now;
            raised[block] = now;
        }
    }
    let mut answered = false;
    for &block in cfg.rpo() {
        let mut now = at_start(&raised, block, func);
        for &inst in func.blocks[block].insts() {
            let event = event(module, &func.insts[inst].kind);
            if now && matches!(event, Event::Ask) {
                func.insts[inst].kind = InstKind::IConst(0);
                answered = true;
            }
            now = event.raised(now);
        }
    }
    answered
}

/// True if the condition compares what a call in this block gives.
fn is_status_of_call(func: &Func, block: Block, cond: Value) -> bool {
    let Some(&InstKind::Icmp { lhs, .. }) = func.def(cond) else {
        return false;
    };
    let ValueDef::Result(call, _) = func.values[lhs].def else {
        return false;
    };
    matches!(
        func.insts[call].kind,
        InstKind::CallNative { .. } | InstKind::Call { .. } | InstKind::CallIndirect { .. }
    ) && func.defines(block, lhs)
}

/// Removes errors that nothing reads.
fn remove(func: &mut Func, module: &Module, cfg: &Cfg) -> bool {
    // At the starts of blocks: whether a way from there reads the error.
    let mut read: SecondaryMap<Block, bool> = SecondaryMap::new();
    let at_end =
        |read: &SecondaryMap<Block, bool>, func: &Func, block: Block| match func.term(block) {
            Terminator::Fail => true,
            Terminator::Guard {
                cond,
                kind: GuardKind::Status,
                ok,
                ..
            } if is_status_of_call(func, block, *cond) => read[ok.block],
            term => term.targets().iter().any(|to| read[to.block]),
        };
    let mut changed = true;
    while changed {
        changed = false;
        for &block in cfg.rpo().iter().rev() {
            let mut now = at_end(&read, func, block);
            for &inst in func.blocks[block].insts().iter().rev() {
                now = event(module, &func.insts[inst].kind).read(now);
            }
            changed |= read[block] != now;
            read[block] = now;
        }
    }
    let mut removed = false;
    for &block in cfg.rpo() {
        let mut now = at_end(&read, func, block);
        let mut dead = Vec::new();
        for &inst in func.blocks[block].insts().iter().rev() {
            let event = event(module, &func.insts[inst].kind);
            if matches!(event, Event::Set) && !now {
                dead.push(inst);
            }
            now = event.read(now);
        }
        removed |= !dead.is_empty();
        for inst in dead {
            func.remove_inst(inst);
        }
    }
    removed
}
