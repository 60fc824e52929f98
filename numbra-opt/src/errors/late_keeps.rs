//! Handlers keep their exception where another one may be raised, and not when they are entered.
//!
//! ```text
//! before                                         after
//!     set_error exc0()                               jump block1
//!     v1 = call_native @numbra_rt_keep_error()     block1:      (the handler)
//!     jump block1                                    ..
//!   block1:      (the handler)                       guard v2 check, block2, block3
//!     ..                                           block3 cold:
//!     guard v2 check, block2, block3                 set_error exc0()
//!   block3 cold:                                     v1 = call_native @numbra_rt_keep_error()
//!     set_error exc1()                               set_error exc1()
//!     call_native @numbra_rt_add_context(v1)         call_native @numbra_rt_add_context(v1)
//! ```
//!
//! The exception stays pending until then; one that this function has raised itself just before is raised there, too, and
//! `dead_errors` removes it here. Where one way through the handler may come to two such places, nothing changes. Linear for
//! each of a few handlers.

use crate::analyses::{Analyses, Changed};
use crate::edit::rename::Renames;
use crate::edit::ssa::{self, construct};
use crate::errors::dead_errors::{Event, event};
use cranelift_entity::SecondaryMap;
use numbra_abi::NativeId;
use numbra_lir::analysis::Cfg;
use numbra_lir::{Block, Func, Inst, InstKind, Module, Ty, Value};

/// Handlers of a function that are looked at.
const MAX_HANDLERS: usize = 32;
/// Places where an exception is kept instead.
const MAX_KEEP_SITES: usize = 8;
/// Blocks in a row in which what raised an exception is looked for.
const MAX_BLOCK_DISTANCE: usize = 8;

pub(crate) fn late_keeps(func: &mut Func, module: &Module, known: &mut Analyses) -> Changed {
    let mut keeps = Vec::new();
    for block in &func.layout {
        let insts = func.blocks[block].insts().iter().copied();
        keeps.extend(
            insts
                .filter(|&inst| is_keep(func, inst))
                .map(|inst| (block, inst)),
        );
    }
    let mut changed = false;
    for (block, keep) in keeps.into_iter().take(MAX_HANDLERS) {
        changed |= move_down(func, module, known, block, keep);
    }
    Changed::insts(changed)
}

fn is_keep(func: &Func, inst: Inst) -> bool {
    func.insts[inst].kind.native_id() == Some(NativeId::KeepError)
}

/// Whether an exception is kept by then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Pending,
    Kept,
    /// It depends on the way.
    Either,
}

fn move_down(
    func: &mut Func,
    module: &Module,
    known: &mut Analyses,
    home: Block,
    keep: Inst,
) -> bool {
    let kept = func.insts[keep].results[0];
    let Some(at) = func.inst_index(keep) else {
        return false;
    };
    let cfg = known.cfg(func);
    let needs = Needs::new(func, &cfg, home, kept);
    if needs.first(func, module, home, at + 1).is_some() {
        return false;
    }
    let Some(places) = needs.places(func, module, &cfg, home) else {
        return false;
    };
    let raised = raised_before(func, module, &cfg, home, at);
    let events = replace_uses(func, &needs, &places, raised, keep);
    func.remove_inst(keep);
    let doms = known.doms(func);
    let mut renames = Renames::new();
    // A place is on each way to a use.
    let nothing = |func: &mut Func, _| {
        let (span, origin) = (func.insts[keep].span, func.insts[keep].origin);
        let null = func.make_inst(InstKind::Null, &[Ty::Ref], span, origin);
        let entry = func.entry();
        func.insert_inst(entry, 0, null);
        func.insts[null].results[0]
    };
    construct(
        func,
        &cfg,
        &doms,
        &[Ty::Ref],
        &events,
        &mut renames,
        nothing,
    );
    renames.apply(func);
    true
}

/// Where a kept exception is used, and where something else may take its place before that.
struct Needs {
    kept: Value,
    /// By block: one past the last instruction that uses it; the terminator counts as one.
    last_use: SecondaryMap<Block, usize>,
    /// It is used there or behind.
    live: SecondaryMap<Block, bool>,
    live_behind: SecondaryMap<Block, bool>,
}

impl Needs {
    fn new(func: &Func, cfg: &Cfg, home: Block, kept: Value) -> Needs {
        let mut needs = Needs {
            kept,
            last_use: SecondaryMap::new(),
            live: SecondaryMap::new(),
            live_behind: SecondaryMap::new(),
        };
        let mut work = Vec::new();
        for &block in cfg.rpo() {
            let data = &func.blocks[block];
            let mut last = 0;
            for (n, &inst) in data.insts().iter().enumerate() {
                if needs.uses(&func.insts[inst].kind) {
                    last = n + 1;
                }
            }
            func.term(block).visit_operands(|value| {
                if value == kept {
                    last = data.insts().len() + 1;
                }
            });
            needs.last_use[block] = last;
            if last > 0 && block != home {
                work.push(block);
            }
        }
        while let Some(block) = work.pop() {
            if std::mem::replace(&mut needs.live[block], true) {
                continue;
            }
            for &pred in cfg.preds(block) {
                needs.live_behind[pred] = true;
                if pred != home {
                    work.push(pred);
                }
            }
        }
        needs
    }

    fn uses(&self, kind: &InstKind) -> bool {
        let mut found = false;
        if !matches!(kind, InstKind::Keep(_)) {
            kind.visit_operands(|value| found |= value == self.kept);
        }
        found
    }

    /// The first instruction of a block, from one on, before which the exception must be kept.
    fn first(&self, func: &Func, module: &Module, block: Block, from: usize) -> Option<usize> {
        let insts = func.blocks[block].insts();
        let found = (from..insts.len()).find(|&n| {
            let kind = &func.insts[insts[n]].kind;
            let is_needed_behind = self.live_behind[block] || self.last_use[block] > n + 1;
            let replaces = !matches!(event(module, kind), Event::None | Event::Ask);
            self.uses(kind) || is_needed_behind && replaces
        });
        found.or_else(|| (self.last_use[block] > insts.len()).then_some(insts.len()))
    }

    /// Where to keep it, each time once; `None` where that is not so on each way, or in too many places.
    fn places(
        &self,
        func: &Func,
        module: &Module,
        cfg: &Cfg,
        home: Block,
    ) -> Option<Vec<(Block, usize)>> {
        let mut ends: SecondaryMap<Block, Option<State>> = SecondaryMap::new();
        let start = |ends: &SecondaryMap<Block, Option<State>>, block: Block| {
            let mut state = None;
            for &pred in cfg.preds(block) {
                let end = match pred == home {
                    true => Some(State::Pending),
                    false => ends[pred],
                };
                state = match (state, end) {
                    (state, None) => state,
                    (None, end) => end,
                    (Some(a), Some(b)) if a == b => Some(a),
                    _ => Some(State::Either),
                };
            }
            state
        };
        let live: Vec<(Block, Option<usize>)> = cfg
            .rpo()
            .iter()
            .filter(|&&block| self.live[block])
            .map(|&block| (block, self.first(func, module, block, 0)))
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &(block, need) in &live {
                let end = match (start(&ends, block), need) {
                    (Some(State::Pending), Some(_)) => Some(State::Kept),
                    (state, _) => state,
                };
                changed |= ends[block] != end;
                ends[block] = end;
            }
        }
        let mut places = Vec::new();
        for &(block, need) in &live {
            match (start(&ends, block), need) {
                (_, None) | (Some(State::Kept), _) => {}
                (Some(State::Pending), Some(at)) => places.push((block, at)),
                (Some(State::Either) | None, Some(_)) => return None,
            }
        }
        (places.len() <= MAX_KEEP_SITES).then_some(places)
    }
}

/// What has raised the exception that is pending there, if that is an instruction on the only way there.
fn raised_before(
    func: &Func,
    module: &Module,
    cfg: &Cfg,
    mut block: Block,
    mut at: usize,
) -> Option<Inst> {
    for _ in 0..MAX_BLOCK_DISTANCE {
        for &inst in func.blocks[block].insts()[..at].iter().rev() {
            match event(module, &func.insts[inst].kind) {
                Event::Set => return Some(inst),
                Event::Ask | Event::None => {}
                Event::Add | Event::Read | Event::Replace => return None,
            }
        }
        let &[pred] = cfg.preds(block) else {
            return None;
        };
        (block, at) = (pred, func.blocks[pred].insts().len());
    }
    None
}

/// Keeps the exception in the new places, and puts stand-ins in the place of its uses.
fn replace_uses(
    func: &mut Func,
    needs: &Needs,
    places: &[(Block, usize)],
    raised: Option<Inst>,
    keep: Inst,
) -> SecondaryMap<Block, Vec<ssa::Event>> {
    let mut events: SecondaryMap<Block, Vec<ssa::Event>> = SecondaryMap::new();
    for &(block, at) in places {
        let copies = raised.into_iter().chain([keep]);
        let copies: Vec<Inst> = copies
            .map(|inst| {
                let data = func.insts[inst].clone();
                let results: Vec<Ty> = data.results.iter().map(|&v| func.ty(v)).collect();
                func.make_inst(data.kind, &results, data.span, data.origin)
            })
            .collect();
        if let Some(&copy) = copies.last() {
            let value = func.insts[copy].results[0];
            events[block].push(ssa::Event::Def { var: 0, value });
        }
        func.insert_insts(block, at, copies);
    }
    let data = func.values[needs.kept];
    let mut walk = func.layout.walk();
    while let Some(block) = walk.next(&func.layout) {
        if needs.last_use[block] > 0 {
            let stand_in = func.values.push(data);
            events[block].push(ssa::Event::Use { var: 0, stand_in });
            let replace = |value: &mut Value| {
                if *value == needs.kept {
                    *value = stand_in;
                }
            };
            for &inst in func.blocks[block].insts() {
                func.insts[inst].kind.for_each_operand(replace);
            }
            if let Some(term) = &mut func.blocks[block].term {
                term.for_each_operand(replace);
            }
        }
        for &inst in func.blocks[block].insts() {
            if let InstKind::Keep(live) = &mut func.insts[inst].kind {
                live.retain(|&value| value != needs.kept);
            }
        }
    }
    events
}
