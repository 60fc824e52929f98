//! New blocks on edges.

use numbra_base::Origin;
use numbra_lir::{Block, BlockCall, Func, Terminator, Ty};

/// Where a new block stands in the layout.
#[derive(Clone, Copy)]
pub(crate) enum LayoutPosition {
    Before(Block),
    After(Block),
}

/// A new block with the parameters of `to`, which only jumps there; all edges from `from` to `to` lead through it.
pub(crate) fn merge_edges(
    func: &mut Func,
    from: &[Block],
    to: Block,
    place: LayoutPosition,
    pass: &'static str,
) -> Block {
    let middle = match place {
        LayoutPosition::Before(block) => func.insert_block_before(block),
        LayoutPosition::After(block) => func.insert_block_after(block),
    };
    let types: Vec<Ty> = func.blocks[to].params.iter().map(|&v| func.ty(v)).collect();
    let args = types
        .into_iter()
        .map(|ty| func.push_param(middle, ty))
        .collect();
    let span = func.blocks[to].term_span;
    func.blocks[middle].cold = func.blocks[to].cold;
    let onward = BlockCall { block: to, args };
    func.set_term(middle, Terminator::Jump(onward), span, Origin::Pass(pass));
    for &from in from {
        if let Some(term) = &mut func.blocks[from].term {
            for target in term.targets_mut() {
                if target.block == to {
                    target.block = middle;
                }
            }
        }
    }
    middle
}

/// A new block on edge number `n` of `from`, behind it in the layout, which only jumps on.
pub(crate) fn split(func: &mut Func, from: Block, n: usize, pass: &'static str) -> Block {
    let middle = func.insert_block_after(from);
    let span = func.blocks[from].term_span;
    let mut onward = None;
    if let Some(term) = &mut func.blocks[from].term
        && let Some(target) = term.targets_mut().into_iter().nth(n)
    {
        let to = BlockCall {
            block: middle,
            args: Vec::new(),
        };
        onward = Some(std::mem::replace(target, to));
    }
    if let Some(onward) = onward {
        func.blocks[middle].cold = func.blocks[onward.block].cold;
        func.set_term(middle, Terminator::Jump(onward), span, Origin::Pass(pass));
    }
    middle
}
