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
//! The error record is read where a function fails. What is set there is dead where each way on sets another error first, or
//! returns. A call that fails has set one: that is known on the error edge of its status. Runs before `safepoints`, whose
//! polls are no guards. Two passes over the blocks, each until nothing changes.

use crate::analysis::Cfg;
use crate::lir::{Block, Func, GuardKind, InstKind, Module, Terminator};
use cranelift_entity::SecondaryMap;

const IS_INTERRUPT: &str = "numbra_rt_is_interrupt";

pub(super) fn dead_errors(func: &mut Func, _: &Module) -> bool {
    let mut insts = func.layout.iter().flat_map(|&b| &func.blocks[b].insts);
    if !insts.any(|&inst| matches!(func.insts[inst].kind, InstKind::SetError { .. })) {
        return false;
    }
    let cfg = Cfg::new(func);
    let answered = answer(func, &cfg);
    remove(func, &cfg) | answered
}

/// What an instruction does to the error record.
enum Event {
    Set,
    Ask,
    /// A call may leave any error there.
    Unknown,
    None,
}

fn event(kind: &InstKind) -> Event {
    match kind {
        InstKind::SetError { .. } => Event::Set,
        InstKind::CallNative { name, .. } if name == IS_INTERRUPT => Event::Ask,
        InstKind::CallNative { .. } | InstKind::Call { .. } | InstKind::CallIndirect { .. } => {
            Event::Unknown
        }
        _ => Event::None,
    }
}

/// Answers whether the pending exception is an interrupt where it is one that this function has raised.
fn answer(func: &mut Func, cfg: &Cfg) -> bool {
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
            for &inst in &func.blocks[block].insts {
                match event(&func.insts[inst].kind) {
                    Event::Set => now = true,
                    Event::Unknown => now = false,
                    Event::Ask | Event::None => {}
                }
            }
            changed |= raised[block] != now;
            raised[block] = now;
        }
    }
    let mut answered = false;
    for &block in cfg.rpo() {
        let mut now = at_start(&raised, block, func);
        for &inst in &func.blocks[block].insts {
            match event(&func.insts[inst].kind) {
                Event::Set => now = true,
                Event::Unknown => now = false,
                Event::Ask if now => {
                    func.insts[inst].kind = InstKind::IConst(0);
                    answered = true;
                }
                Event::Ask | Event::None => {}
            }
        }
    }
    answered
}

/// Removes errors that nothing reads.
fn remove(func: &mut Func, cfg: &Cfg) -> bool {
    // At the starts of blocks: whether a way from there reads the error.
    let mut read: SecondaryMap<Block, bool> = SecondaryMap::new();
    let at_end = |read: &SecondaryMap<Block, bool>, term: &Terminator| match term {
        Terminator::Fail => true,
        Terminator::Guard {
            kind: GuardKind::Status,
            ok,
            ..
        } => read[ok.block],
        term => term.targets().iter().any(|to| read[to.block]),
    };
    let mut changed = true;
    while changed {
        changed = false;
        for &block in cfg.rpo().iter().rev() {
            let mut now = at_end(&read, func.term(block));
            for &inst in func.blocks[block].insts.iter().rev() {
                match event(&func.insts[inst].kind) {
                    Event::Set => now = false,
                    Event::Ask => now = true,
                    Event::Unknown | Event::None => {}
                }
            }
            changed |= read[block] != now;
            read[block] = now;
        }
    }
    let mut removed = false;
    for &block in cfg.rpo() {
        let mut now = at_end(&read, func.term(block));
        let mut kept = func.blocks[block].insts.clone();
        kept.reverse();
        kept.retain(|&inst| match event(&func.insts[inst].kind) {
            Event::Set => std::mem::replace(&mut now, false),
            Event::Ask => {
                now = true;
                true
            }
            Event::Unknown | Event::None => true,
        });
        kept.reverse();
        if kept.len() < func.blocks[block].insts.len() {
            func.blocks[block].insts = kept;
            removed = true;
        }
    }
    removed
}
