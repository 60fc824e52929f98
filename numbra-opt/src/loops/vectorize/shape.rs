//! Loops that count.

use numbra_lir::analysis::{Leading, Loop, LoopInductions};
use numbra_lir::{Block, Func, IntCc, Terminator, Ty, Value};

/// A loop of one block: `do { .. } while (++counter < bound)`.
pub(super) struct Counted {
    pub(super) block: Block,
    /// Where it is entered from, on which edge, and with what.
    pub(super) from: Block,
    pub(super) edge: usize,
    pub(super) initial: Vec<Value>,
    /// What each iteration hands to the next.
    pub(super) back: Vec<Value>,
    /// The number of the parameter that counts.
    pub(super) counter: usize,
    pub(super) bound: Value,
    /// The comparison that ends the loop.
    pub(super) test: Value,
}

/// True for a block that may go to itself, and is not cold.
pub(super) fn is_loop(func: &Func, block: Block) -> bool {
    match &func.blocks[block].term {
        Some(Terminator::Brif { then, other, .. }) => {
            (then.block == block) != (other.block == block) && !func.blocks[block].cold
        }
        _ => false,
    }
}

/// How a loop of one block counts, if it does.
pub(super) fn counted(func: &Func, leading: &mut Leading, data: &Loop) -> Option<Counted> {
    let block = data.header;
    let mut entering = leading
        .into(func, block)
        .into_iter()
        .filter(|&p| p != block);
    let (Some(from), None) = (entering.next(), entering.next()) else {
        return None;
    };
    let (edge, to) = func.term(from).target_to(block)?;
    let initial = to.args.clone();
    let known = LoopInductions::new(func, data);
    let counts = known.counted(func, data)?;
    let counter = counts.param;
    let is_it = counts.after && counts.step == 1 && counts.cc == IntCc::Slt;
    let (_, back) = func.term(block).target_to(block)?;
    let good = is_it
        && func.ty(func.blocks[block].params[counter]) == Ty::I64
        && back.args[counter] == counts.value;
    good.then(|| Counted {
        block,
        from,
        edge,
        initial,
        back: back.args.clone(),
        counter,
        bound: counts.bound,
        test: func.insts[counts.test].results[0],
    })
}
