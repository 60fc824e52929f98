//! Moves loop tests to the bottom: a loop that tests at the top becomes a test before it and one at its end.
//!
//! ```text
//! before                             after
//!   jump block1(v1)                    v5 = icmp slt v1, v0
//! block1(v2: i64):                     brif v5, block2(v1), block3
//!   v3 = icmp slt v2, v0             block2(v2: i64):
//!   brif v3, block2, block3            v4 = iadd v2, v9
//! block2:                              v3 = icmp slt v4, v0
//!   v4 = iadd v2, v9                   brif v3, block2(v4), block3
//!   jump block1(v4)                  block3:
//! block3:
//! ```
//!
//! The header is copied to the end of the one block that jumps back, so it must be short and hold nothing convergent;
//! `sink` has moved away what it computes for the body alone. Loops that test at the bottom already are left alone.
//! Linear.

use super::rename::Renames;
use super::ssa::{Event, construct};
use crate::analysis::{Cfg, Dominators, Loops, effects};
use crate::lir::{Block, BlockCall, Func, Inst, Module, Terminator, Ty, Value};
use cranelift_entity::SecondaryMap;
use numbra_base::{FxHashMap, Origin};

/// Headers of up to this many instructions are copied.
const MAX_HEADER: usize = 12;

/// A loop to be rotated.
struct Candidate {
    header: Block,
    latch: Block,
}

pub(super) fn rotate_loops(func: &mut Func, _: &Module) -> bool {
    let cfg = Cfg::new(func);
    let doms = Dominators::new(&cfg);
    let loops = Loops::new(&cfg, &doms);
    let mut candidates = Vec::new();
    for (id, data) in loops.iter() {
        let header = data.header;
        if header == func.entry() {
            continue;
        }
        let Some(Terminator::Brif { then, other, .. }) = &func.blocks[header].term else {
            continue;
        };
        let inside = (
            loops.contains(id, then.block),
            loops.contains(id, other.block),
        );
        let body = match inside {
            (true, false) => then.block,
            (false, true) => other.block,
            _ => continue,
        };
        if body == header || data.latches.contains(&header) {
            continue;
        }
        let fits = func.blocks[header].insts.len() <= MAX_HEADER
            && func.blocks[header].insts.iter().all(|&inst| {
                let does = effects(&func.insts[inst].kind);
                does.removable && !does.convergent
            });
        if fits {
            candidates.push((header, data.latches.clone()));
        }
    }
    if candidates.is_empty() {
        return false;
    }
    let candidates: Vec<Candidate> = candidates
        .into_iter()
        .map(|(header, latches)| Candidate {
            header,
            latch: one_latch(func, header, &latches),
        })
        .collect();
    for candidate in &candidates {
        own_targets(func, candidate);
    }
    copy_headers(func, &candidates);
    true
}

/// A block that jumps back to the header, and is the only one to do so.
fn one_latch(func: &mut Func, header: Block, latches: &[Block]) -> Block {
    if let [latch] = *latches
        && matches!(func.blocks[latch].term, Some(Terminator::Jump(_)))
    {
        return latch;
    }
    let (span, origin) = (func.blocks[header].term_span, Origin::Pass("rotate_loops"));
    let latch = new_block_after(func, latches[latches.len() - 1]);
    let types: Vec<Ty> = func.blocks[header]
        .params
        .iter()
        .map(|&v| func.ty(v))
        .collect();
    let args = types
        .into_iter()
        .map(|ty| func.push_param(latch, ty))
        .collect();
    let back = BlockCall {
        block: header,
        args,
    };
    func.set_term(latch, Terminator::Jump(back), span, origin);
    for &from in latches {
        if let Some(term) = &mut func.blocks[from].term {
            for target in term.targets_mut() {
                if target.block == header {
                    target.block = latch;
                }
            }
        }
    }
    latch
}

fn new_block_after(func: &mut Func, place: Block) -> Block {
    let block = func.push_block();
    func.layout.pop();
    let at = func.layout.iter().position(|&b| b == place).unwrap_or(0);
    func.layout.insert(at + 1, block);
    block
}

/// Gives the header's branch targets of its own, so that they are dominated by their edge.
fn own_targets(func: &mut Func, candidate: &Candidate) {
    let header = candidate.header;
    let Some(mut term) = func.blocks[header].term.clone() else {
        return;
    };
    let (span, origin) = (func.blocks[header].term_span, Origin::Pass("rotate_loops"));
    for target in term.targets_mut() {
        let middle = new_block_after(func, header);
        func.blocks[middle].cold = func.blocks[target.block].cold;
        let onward = std::mem::replace(
            target,
            BlockCall {
                block: middle,
                args: Vec::new(),
            },
        );
        func.set_term(middle, Terminator::Jump(onward), span, origin);
    }
    func.blocks[header].term = Some(term);
}

fn copy_headers(func: &mut Func, candidates: &[Candidate]) {
    let mut var_of: FxHashMap<Value, u32> = FxHashMap::default();
    let mut vars: Vec<Ty> = Vec::new();
    let mut originals: Vec<Value> = Vec::new();
    let mut at_end: SecondaryMap<Block, Vec<Event>> = SecondaryMap::new();
    let mut copied: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut home: FxHashMap<Value, Block> = FxHashMap::default();
    // A pointer may be into what a reference beside it owns, so where the one is needed, so is the other.
    let mut owners: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
    for candidate in candidates {
        let (header, latch) = (candidate.header, candidate.latch);
        let Some(Terminator::Jump(back)) = func.blocks[latch].term.clone() else {
            continue;
        };
        let mut map: FxHashMap<Value, Value> = FxHashMap::default();
        let params = func.blocks[header].params.clone();
        for (&param, &arg) in params.iter().zip(&back.args) {
            map.insert(param, arg);
        }
        let insts: Vec<Inst> = func.blocks[header].insts.clone();
        for inst in insts {
            let data = func.insts[inst].clone();
            let mut kind = data.kind;
            kind.for_each_operand(|v| *v = map.get(v).copied().unwrap_or(*v));
            let types: Vec<Ty> = data.results.iter().map(|&v| func.ty(v)).collect();
            let copy = func.push_inst(latch, kind, &types, data.span, data.origin);
            func.insts[copy].fast = data.fast;
            func.insts[copy].facts = data.facts;
            for (n, &result) in data.results.iter().enumerate() {
                map.insert(result, func.insts[copy].results[n]);
            }
        }
        let Some(mut term) = func.blocks[header].term.clone() else {
            continue;
        };
        term.for_each_operand(|v| *v = map.get(v).copied().unwrap_or(*v));
        func.blocks[latch].term = Some(term);
        func.blocks[latch].term_span = func.blocks[header].term_span;
        func.blocks[latch].term_origin = func.blocks[header].term_origin;
        copied[header] = true;
        // The header's values have two definitions now.
        let results: Vec<Value> = func.blocks[header]
            .insts
            .iter()
            .flat_map(|&i| func.insts[i].results.iter().copied())
            .collect();
        let refs: Vec<Value> = params
            .iter()
            .copied()
            .filter(|&p| func.ty(p) == Ty::Ref)
            .collect();
        for value in params.into_iter().chain(results) {
            if matches!(func.ty(value), Ty::Ptr(_)) && !refs.is_empty() {
                owners.insert(value, refs.clone());
            }
            let var = vars.len() as u32;
            vars.push(func.ty(value));
            var_of.insert(value, var);
            originals.push(value);
            home.insert(value, header);
            at_end[header].push(Event::Def { var, value });
            at_end[latch].push(Event::Def {
                var,
                value: map.get(&value).copied().unwrap_or(value),
            });
        }
    }
    let cfg = Cfg::new(func);
    let doms = Dominators::new(&cfg);
    let mut events: SecondaryMap<Block, Vec<Event>> = SecondaryMap::new();
    for &block in cfg.rpo() {
        // One stand-in for each variable that the block uses; all its definitions come after.
        let mut stand_ins: FxHashMap<Value, Value> = FxHashMap::default();
        let mut list = Vec::new();
        let mut replaced = |func: &mut Func, v: Value| -> Value {
            let Some(&var) = var_of.get(&v) else {
                return v;
            };
            if home.get(&v) == Some(&block) {
                return v;
            }
            let mut stand_in = |func: &mut Func, v: Value, var: u32| {
                *stand_ins.entry(v).or_insert_with(|| {
                    let data = func.values[v];
                    let stand_in = func.values.push(data);
                    list.push(Event::Use { var, stand_in });
                    stand_in
                })
            };
            for &owner in owners.get(&v).into_iter().flatten() {
                stand_in(func, owner, var_of[&owner]);
            }
            stand_in(func, v, var)
        };
        for n in 0..func.blocks[block].insts.len() {
            let inst = func.blocks[block].insts[n];
            let mut kind = func.insts[inst].kind.clone();
            kind.for_each_operand(|v| *v = replaced(func, *v));
            func.insts[inst].kind = kind;
        }
        if let Some(mut term) = func.blocks[block].term.take() {
            term.for_each_operand(|v| *v = replaced(func, *v));
            func.blocks[block].term = Some(term);
        }
        // The value that a copied header passes back may itself be such a variable.
        let mut ends = std::mem::take(&mut at_end[block]);
        if !copied[block] {
            for event in &mut ends {
                if let Event::Def { value, .. } = event {
                    *value = replaced(func, *value);
                }
            }
        }
        list.append(&mut ends);
        events[block] = list;
    }
    let mut renames = Renames::new();
    // Every use is dominated by the header, so no use lacks a definition.
    construct(func, &cfg, &doms, &vars, &events, &mut renames, |_, var| {
        originals[var as usize]
    });
    renames.apply(func);
}
