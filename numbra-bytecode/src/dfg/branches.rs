//! Empty blocks, branches whose outcome is known on an edge, and chains of blocks.

use super::params::{Substitution, out_edges, use_counts};
use super::{BlockId, Dfg, DfgBlock, DfgInst, DfgOp, Edge, Terminator, Test, ValueId};
use numbra_base::FxHashMap;

/// True if an exception may start in the block.
pub(super) fn may_raise(block: &DfgBlock) -> bool {
    block.insts.iter().any(|inst| inst.op.may_raise())
        || matches!(
            block.term,
            Terminator::Raise { .. } | Terminator::Reraise { .. }
        )
}

/// Replaces parameters by the arguments that an edge brings.
pub(super) fn substitute(edge: &Edge, params: &[ValueId], args: &[ValueId]) -> Edge {
    let replace = |value: &ValueId| match params.iter().position(|p| p == value) {
        Some(i) => args.get(i).copied().unwrap_or(*value),
        None => *value,
    };
    Edge {
        target: edge.target,
        args: edge.args.iter().map(replace).collect(),
    }
}

/// Sends edges past blocks that do nothing, and past tests whose outcome the edge decides:
///
/// ```text
/// before                              after
///   bb0: branch v0, bb1(v0), bb2(v0)    bb0: branch v0, bb3, bb2(v0)
///   bb1(p): branch p, bb3, bb2(p)       bb1: unreachable
/// ```
pub(super) fn thread(dfg: &mut Dfg, live: &[bool]) -> bool {
    let counts = use_counts(dfg, live);
    // Blocks whose parameters are read by their own terminator only can be passed by.
    let transparent: Vec<bool> = dfg
        .blocks
        .iter()
        .enumerate()
        .map(|(i, block)| {
            i != 0 && live[i] && block.insts.is_empty() && block.caught.is_none() && {
                let mut own: FxHashMap<ValueId, u32> =
                    block.params.iter().map(|&p| (p, 0)).collect();
                let args = out_edges(block)
                    .into_iter()
                    .flat_map(|e| e.args.iter().copied());
                for value in block.term.operands().into_iter().chain(args) {
                    if let Some(count) = own.get_mut(&value) {
                        *count += 1;
                    }
                }
                block
                    .params
                    .iter()
                    .all(|p| own.get(p) == Some(&counts[p.index()]))
            }
        })
        .collect();
    let mut changed = false;
    for (i, _) in live.iter().enumerate().filter(|(_, live)| **live) {
        let mut term = dfg.blocks[i].term.clone();
        let known = match &term {
            Terminator::Branch {
                cond,
                test: Test::Truth,
                ..
            } => Some(*cond),
            _ => None,
        };
        for (n, edge) in term.edges_mut().into_iter().enumerate() {
            // The first edge of a branch is the true one.
            let outcome = known.map(|cond| (cond, n == 0));
            // A cycle of empty blocks ends the walk.
            for _ in 0..64 {
                let target = &dfg.blocks[edge.target.index()];
                if !transparent[edge.target.index()] {
                    break;
                }
                let next = match (&target.term, outcome) {
                    (Terminator::Jump(next), _) if next.target != edge.target => next,
                    (
                        Terminator::Branch {
                            cond,
                            test: Test::Truth,
                            then,
                            other,
                        },
                        Some((value, truth)),
                    ) => {
                        let here = substitute(
                            &Edge {
                                target: edge.target,
                                args: vec![*cond],
                            },
                            &target.params,
                            &edge.args,
                        );
                        if here.args[0] != value {
                            break;
                        }
                        let next = if truth { then } else { other };
                        if next.target == edge.target {
                            break;
                        }
                        next
                    }
                    _ => break,
                };
                *edge = substitute(next, &target.params, &edge.args);
                changed = true;
            }
        }
        dfg.blocks[i].term = term;
    }
    changed
}

/// Joins a block with its only successor when that has no other predecessor. Exception regions stay apart,
/// but operations that cannot raise belong to the block before a border.
pub(super) fn join_chains(dfg: &mut Dfg, live: &[bool], order: &[usize]) -> bool {
    let mut entries = vec![0u32; dfg.blocks.len()];
    entries[0] = 1;
    for (i, block) in dfg.blocks.iter().enumerate() {
        if live[i] {
            out_edges(block)
                .into_iter()
                .for_each(|e| entries[e.target.index()] += 1);
        }
    }
    let mut subst = Substitution::new(dfg.values.len());
    let mut joined = vec![false; dfg.blocks.len()];
    let mut changed = false;
    for &a in order {
        if joined[a] {
            continue;
        }
        while let Terminator::Jump(edge) = &dfg.blocks[a].term {
            let b = edge.target.index();
            if b == a || entries[b] != 1 || dfg.blocks[b].caught.is_some() {
                break;
            }
            let args = edge.args.clone();
            let params = std::mem::take(&mut dfg.blocks[b].params);
            for (&param, &arg) in params.iter().zip(&args) {
                subst.set(param, arg);
            }
            let (a_raises, b_raises) = (may_raise(&dfg.blocks[a]), may_raise(&dfg.blocks[b]));
            let same_handler =
                same_edge(&mut subst, &dfg.blocks[a].handler, &dfg.blocks[b].handler);
            // A handler does not see what is stored in front of its region change.
            let stores = dfg.blocks[b].handler.is_some() && stores(&dfg.blocks[a]);
            if (a_raises || stores) && b_raises && !same_handler {
                dfg.blocks[a].term = Terminator::Jump(Edge {
                    target: BlockId(b as u32),
                    args: Vec::new(),
                });
                changed |= settle_border(dfg, &mut subst, a, b) || !params.is_empty();
                break;
            }
            // A handler's arguments are taken at the start of its block.
            if !a_raises && makes_args(&mut subst, &dfg.blocks[a].insts, &dfg.blocks[b].handler) {
                dfg.blocks[a].term = Terminator::Jump(Edge {
                    target: BlockId(b as u32),
                    args: Vec::new(),
                });
                changed |= !params.is_empty();
                break;
            }
            let handler = if a_raises {
                dfg.blocks[a].handler.clone()
            } else {
                dfg.blocks[b].handler.clone()
            };
            let insts = std::mem::take(&mut dfg.blocks[b].insts);
            let (term, span, offset) = (
                dfg.blocks[b].term.clone(),
                dfg.blocks[b].span,
                dfg.blocks[b].offset,
            );
            let block = &mut dfg.blocks[a];
            block.insts.extend(insts);
            (block.term, block.span, block.offset, block.handler) = (term, span, offset, handler);
            joined[b] = true;
            changed = true;
        }
    }
    if changed {
        subst.apply(&mut dfg.blocks);
    }
    changed
}

/// Places what cannot raise at the border of an exception region between `a` and its only successor `b`:
/// stores go with the block that raised before them, loads with the block that uses them.
fn settle_border(dfg: &mut Dfg, subst: &mut Substitution, a: usize, b: usize) -> bool {
    let loads_from = |insts: &[DfgInst]| {
        insts
            .iter()
            .rposition(|i| !is_load(i))
            .map_or(0, |last| last + 1)
    };
    let insts = &mut dfg.blocks[b].insts;
    let quiet = insts
        .iter()
        .position(|i| i.op.may_raise())
        .unwrap_or(insts.len());
    let up: Vec<DfgInst> = insts.drain(..loads_from(&insts[..quiet])).collect();
    if !up.is_empty() {
        dfg.blocks[a].insts.extend(up);
        return true;
    }
    let at = loads_from(&dfg.blocks[a].insts);
    if makes_args(subst, &dfg.blocks[a].insts[at..], &dfg.blocks[b].handler) {
        return false;
    }
    let down = dfg.blocks[a].insts.split_off(at);
    let moved = !down.is_empty();
    dfg.blocks[b].insts.splice(0..0, down);
    moved
}

/// True if one of the instructions makes an argument of the exception edge.
fn makes_args(subst: &mut Substitution, insts: &[DfgInst], handler: &Option<Edge>) -> bool {
    let args: Vec<ValueId> = handler
        .iter()
        .flat_map(|e| &e.args)
        .map(|&arg| subst.find(arg))
        .collect();
    !args.is_empty()
        && insts
            .iter()
            .any(|inst| inst.results.iter().any(|r| args.contains(r)))
}

fn stores(block: &DfgBlock) -> bool {
    block
        .insts
        .iter()
        .any(|inst| matches!(inst.op, DfgOp::StoreVariable(_) | DfgOp::DeleteVariable(_)))
}

fn is_load(inst: &DfgInst) -> bool {
    matches!(inst.op, DfgOp::LoadVariable(_) | DfgOp::LoadCell(_))
}

fn same_edge(subst: &mut Substitution, a: &Option<Edge>, b: &Option<Edge>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => {
            a.target == b.target
                && a.args.len() == b.args.len()
                && a.args
                    .iter()
                    .zip(&b.args)
                    .all(|(&x, &y)| subst.find(x) == subst.find(y))
        }
        _ => false,
    }
}
