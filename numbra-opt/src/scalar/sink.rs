//! Moves computations that only one side of a branch needs to that side.
//!
//! ```text
//! before                             after
//!   v2 = icmp slt v0, v1               v2 = icmp slt v0, v1
//!   v3 = iadd v0, v9                   brif v2, block1, block2
//!   brif v2, block1, block2          block1:
//! block1:                              v3 = iadd v0, v9
//!   return v3                          return v3
//! ```
//!
//! On that side more is known, so `ranges` decides more; and what is not needed is not computed. Only speculatable
//! instructions move, into blocks with one predecessor, which are in no deeper loop. Where a side begins with a loop, there is
//! such a block in front of it: else the counter of a loop around it would be carried twice, before and after its step.
//! Linear.

use crate::analyses::{Analyses, Changed};
use crate::edit::edges;
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use numbra_base::{FxHashMap, Lists};
use numbra_lir::analysis::{Cfg, Dominators, Loops, effects};
use numbra_lir::{Block, Func, InstKind, Module, Value};

const NAME: &str = "sink";

pub(crate) fn sink(func: &mut Func, _: &Module, known: &mut Analyses) -> Changed {
    let loops = known.loops(func);
    let split = split_entries(func, &known.cfg(func), &loops);
    known.note(Changed::flow(split));
    let moved = move_to_sides(func, &known.cfg(func), &known.doms(func));
    known.note(Changed::insts(moved));
    Changed::noted(split | moved)
}

/// Gives loops that one side of a branch enters, and nothing else, a block in front; `simplify_cfg` removes it if it stays
/// empty.
fn split_entries(func: &mut Func, cfg: &Cfg, loops: &Loops) -> bool {
    let mut edges: Vec<(Block, usize)> = Vec::new();
    for (_, one) in loops.iter() {
        let preds = cfg.preds(one.header).iter();
        let mut entering = preds.filter(|pred| !one.latches.contains(pred));
        let (Some(&from), None) = (entering.next(), entering.next()) else {
            continue;
        };
        if cfg.succs(from).len() > 1 {
            let target = func.term(from).target_to(one.header);
            edges.extend(target.map(|(n, _)| (from, n)));
        }
    }
    for &(from, n) in &edges {
        edges::split(func, from, n, NAME);
    }
    !edges.is_empty()
}

fn move_to_sides(func: &mut Func, cfg: &Cfg, doms: &Dominators) -> bool {
    let mut used: Vec<(u32, Block)> = Vec::new();
    let mut last: SecondaryMap<Value, Option<Block>> = SecondaryMap::new();
    last.resize(func.values.len());
    for &block in cfg.rpo() {
        let mut mark = |v: Value| {
            if last[v].replace(block) != Some(block) {
                used.push((v.as_u32(), block));
            }
        };
        for &inst in func.blocks[block].insts() {
            func.insts[inst].kind.visit_operands(&mut mark);
        }
        if let Some(term) = &func.blocks[block].term {
            term.visit_operands(&mut mark);
        }
    }
    let used_in = Lists::of_pairs(&used);
    let mut changed = false;
    for &block in cfg.rpo().iter().rev() {
        let sides: Vec<Block> = match cfg.succs(block) {
            succs if succs.len() < 2 => continue,
            succs => succs
                .iter()
                .copied()
                .filter(|&s| cfg.preds(s).len() == 1)
                .collect(),
        };
        if sides.is_empty() {
            continue;
        }
        let mut stays: EntitySet<Value> = EntitySet::new();
        if let Some(term) = &func.blocks[block].term {
            term.visit_operands(|v| {
                stays.insert(v);
            });
        }
        let insts = func.take_insts(block);
        let mut kept = Vec::with_capacity(insts.len());
        let mut moved: Vec<Vec<_>> = vec![Vec::new(); sides.len()];
        // The side that the users in this block have moved to.
        let mut moved_use: FxHashMap<Value, usize> = FxHashMap::default();
        for inst in insts.into_iter().rev() {
            let data = &func.insts[inst];
            let movable = is_worth_moving(&data.kind) && !data.results.is_empty();
            let to = sides.iter().enumerate().position(|(n, &side)| {
                movable
                    && data.results.iter().all(|&v| {
                        !stays.contains(v)
                            && moved_use.get(&v).is_none_or(|&at| at == n)
                            && used_in
                                .get(v.index())
                                .iter()
                                .all(|&b| b == block || doms.dominates(side, b))
                    })
            });
            match to {
                Some(to) => {
                    data.kind.visit_operands(|v| {
                        if moved_use.insert(v, to).is_some_and(|at| at != to) {
                            stays.insert(v);
                        }
                    });
                    moved[to].push(inst);
                }
                None => {
                    data.kind.visit_operands(|v| {
                        stays.insert(v);
                    });
                    kept.push(inst);
                }
            }
        }
        kept.reverse();
        func.set_insts(block, kept);
        for (&side, mut list) in sides.iter().zip(moved) {
            changed |= !list.is_empty();
            list.reverse();
            func.insert_insts(side, 0, list);
        }
    }
    changed
}

/// Constants cost nothing where they are, and are shared.
fn is_worth_moving(kind: &InstKind) -> bool {
    let constant = matches!(
        kind,
        InstKind::IConst(_)
            | InstKind::FConst(_)
            | InstKind::Null
            | InstKind::SlotAddr(_)
            | InstKind::DataAddr(_)
            | InstKind::FuncAddr(_)
    );
    let does = effects(kind);
    !constant && does.speculatable && does.removable && !does.convergent
}
