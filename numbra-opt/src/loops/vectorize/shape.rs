//! Loops that count.

use crate::scalar::fold::integer;
use numbra_lir::analysis::Leading;
use numbra_lir::{BinaryOp, Block, Func, InstKind, IntCc, Terminator, Ty, Value};

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

pub(super) fn counted(func: &Func, leading: &mut Leading, block: Block) -> Option<Counted> {
    let Some(Terminator::Brif { cond, then, other }) = &func.blocks[block].term else {
        return None;
    };
    let test = *cond;
    let (back, when) = match then.block == block {
        true => (then, true),
        false => (other, false),
    };
    let mut entering = leading
        .into(func, block)
        .into_iter()
        .filter(|&p| p != block);
    let (Some(from), None) = (entering.next(), entering.next()) else {
        return None;
    };
    let (edge, to) = func.term(from).target_to(block)?;
    let initial = to.args.clone();

    let &InstKind::Icmp { cc, lhs, rhs } = func.def(test)? else {
        return None;
    };
    let cc = if when { cc } else { cc.negated() };
    let (next, bound) = match cc {
        IntCc::Slt => (lhs, rhs),
        IntCc::Sgt => (rhs, lhs),
        _ => return None,
    };
    let &InstKind::Binary {
        op: BinaryOp::IAdd,
        lhs,
        rhs,
    } = func.def(next)?
    else {
        return None;
    };
    let one = |v: Value| integer(func, v) == Some(1);
    let count = match (one(lhs), one(rhs)) {
        (_, true) => lhs,
        (true, false) => rhs,
        (false, false) => return None,
    };
    let counter = func.blocks[block].params.iter().position(|&p| p == count)?;
    let good = func.ty(count) == Ty::I64
        && back.args[counter] == next
        && !func.defines(block, bound)
        && func.defines(block, test);
    good.then(|| Counted {
        block,
        from,
        edge,
        initial,
        back: back.args.clone(),
        counter,
        bound,
        test,
    })
}
