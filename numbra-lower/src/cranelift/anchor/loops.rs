//! Values that do not change in a loop. Cranelift computes them in front of the loop that needs them, but where it has
//! lost sight of the loop: it walks the dominator tree with a stack of the loops around a block, and a block that is in
//! none of them (the `raise` or `return` of a loop) empties the stack for good. What only the rest of the loop needs
//! would then be computed in every iteration.
//!
//! ```text
//! block1:  v5 = isub v2, v1             the loop's limit
//!          jump block2
//! block2:  brif v6, block3, block5      the loop: 2, 3, 5
//! block3:  brif v7, block4, block5
//! block4:  call raise                   dominated by block3: visited before block5
//! block5:  brif (icmp v8, v5), ..       Cranelift no longer knows the loop: v5 is computed here
//! ```

use super::{floats, is_constant};
use cranelift_codegen::Context;
use cranelift_codegen::dominator_tree::DominatorTree;
use cranelift_codegen::ir::{Block, Function, Inst, Opcode};
use cranelift_codegen::loop_analysis::{Loop, LoopAnalysis};
use cranelift_entity::SecondaryMap;

/// Pure instructions outside a loop whose results only blocks need for which Cranelift forgets the loop.
pub(super) fn invariant_values(context: &mut Context) -> Vec<Inst> {
    if !goes_back(&context.func) {
        return Vec::new();
    }
    context.compute_cfg();
    context.compute_domtree();
    context.compute_loop_analysis();
    let (func, loops) = (&context.func, &context.loop_analysis);
    let Some(forgotten) = forgotten_loops(func, &context.domtree, loops) else {
        return Vec::new();
    };
    let mut found = needed_inside(func, loops, &forgotten);
    settle(func, loops, &forgotten, &mut found);
    found.into_iter().map(|(inst, _)| inst).collect()
}

/// Whether a block leads to itself or to one before it.
fn goes_back(func: &Function) -> bool {
    let mut seen = SecondaryMap::with_default(false);
    func.layout.blocks().any(|block| {
        seen[block] = true;
        func.block_successors(block).any(|next| seen[next])
    })
}

/// For each block the innermost loop around it that is not on Cranelift's stack when it comes to the block; `None` if
/// there is no such block.
fn forgotten_loops(
    func: &Function,
    domtree: &DominatorTree,
    loops: &LoopAnalysis,
) -> Option<SecondaryMap<Block, Option<Loop>>> {
    let entry = func.layout.entry_block()?;
    let mut forgotten = SecondaryMap::new();
    let (mut open, mut any) = (Vec::new(), false);
    let mut waiting = vec![entry];
    while let Some(block) = waiting.pop() {
        while open
            .pop_if(|around| !loops.is_in_loop(block, *around))
            .is_some()
        {}
        if block != entry {
            open.extend(loops.is_loop_header(block));
        }
        let around = std::iter::successors(loops.innermost_loop(block), |&inner| {
            loops.loop_parent(inner)
        });
        forgotten[block] = around.into_iter().find(|around| !open.contains(around));
        any |= forgotten[block].is_some();
        let first = waiting.len();
        waiting.extend(domtree.children(block));
        waiting[first..].reverse();
    }
    any.then_some(forgotten)
}

/// Pure instructions outside the loop that a block needs for which the loop is forgotten, with that loop, in the order
/// of the layout.
fn needed_inside(
    func: &Function,
    loops: &LoopAnalysis,
    forgotten: &SecondaryMap<Block, Option<Loop>>,
) -> Vec<(Inst, Loop)> {
    let mut found = Vec::new();
    // The last loop for which an instruction was looked at.
    let mut seen: SecondaryMap<Inst, Option<Loop>> = SecondaryMap::new();
    let mut waiting = Vec::new();
    for block in func.layout.blocks() {
        let Some(lost) = forgotten[block] else {
            continue;
        };
        for inst in func.layout.block_insts(block) {
            if floats(func, inst).is_none() {
                waiting.extend(func.dfg.inst_values(inst));
            }
            while let Some(value) = waiting.pop() {
                let Some(def) = definition(func, value) else {
                    continue;
                };
                if seen[def] == Some(lost) || floats(func, def).is_none() {
                    continue;
                }
                seen[def] = Some(lost);
                let home = func.layout.inst_block(def);
                if home.is_some_and(|home| loops.is_in_loop(home, lost)) {
                    waiting.extend(func.dfg.inst_values(def));
                } else if !is_made_again(func, def) {
                    found.push((def, lost));
                }
            }
        }
    }
    found.sort_by(|a, b| func.layout.pp_cmp(a.0, b.0));
    found.dedup_by_key(|(inst, _)| *inst);
    found
}

/// Leaves out what is in its place for another reason: an instruction that stays needs it in its block, or in a part of
/// the loop that Cranelift sees as such, or another value of its block is kept that is made from it.
fn settle(
    func: &Function,
    loops: &LoopAnalysis,
    forgotten: &SecondaryMap<Block, Option<Loop>>,
    found: &mut Vec<(Inst, Loop)>,
) {
    let mut of: SecondaryMap<Inst, Option<Loop>> = SecondaryMap::new();
    for &(inst, lost) in &*found {
        of[inst] = Some(lost);
    }
    for block in func.layout.blocks() {
        for inst in func.layout.block_insts(block) {
            if floats(func, inst).is_some() {
                continue;
            }
            for def in func
                .dfg
                .inst_values(inst)
                .filter_map(|value| definition(func, value))
            {
                let in_sight = |lost| loops.is_in_loop(block, lost) && forgotten[block].is_none();
                if of[def].is_some_and(in_sight) || func.layout.inst_block(def) == Some(block) {
                    of[def] = None;
                }
            }
        }
    }
    for &(inst, _) in found.iter().rev() {
        if of[inst].is_none() {
            continue;
        }
        let home = func.layout.inst_block(inst);
        for def in func
            .dfg
            .inst_values(inst)
            .filter_map(|value| definition(func, value))
        {
            if func.layout.inst_block(def) == home {
                of[def] = None;
            }
        }
    }
    found.retain(|&(inst, _)| of[inst].is_some());
}

fn definition(func: &Function, value: cranelift_codegen::ir::Value) -> Option<Inst> {
    func.dfg.value_def(func.dfg.resolve_aliases(value)).inst()
}

/// Whether Cranelift makes a value anew in each block that needs it: constants, and the cheapest instructions with one.
fn is_made_again(func: &Function, inst: Inst) -> bool {
    let mut values = func.dfg.inst_values(inst).peekable();
    if values.peek().is_none() {
        return true;
    }
    match func.dfg.insts[inst].opcode() {
        Opcode::Bnot => true,
        Opcode::Iadd | Opcode::Isub | Opcode::Band | Opcode::Bor | Opcode::Bxor => {
            values.any(|value| is_constant(func, func.dfg.resolve_aliases(value)))
        }
        _ => false,
    }
}
