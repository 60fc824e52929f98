//! Copies of small loops in loops, for where one has many rounds: the copy is cut into strips, the loop stays whole.

use super::counted::{Counted, counted};
use super::{NAME, ORIGIN, entering};
use crate::analysis::{Cfg, DefUse, Dominators, LoopId, Loops};
use crate::lir::{BinaryOp, Block, Func, InstKind, IntCc, Ty};
use crate::passes::copies::{self, Copied};
use crate::passes::edges::{self, Place};

/// Rounds of a loop that stays whole.
const WHOLE: i128 = 1 << 18;

/// Loops that are decided: their headers.
#[derive(Default)]
pub(super) struct Decided {
    /// They have no polls; the copy takes what would be long.
    pub(super) whole: Vec<Block>,
    /// They are cut into strips.
    pub(super) strips: Vec<Block>,
}

/// Copies loops, each behind a test of its rounds. One whose values cannot be handed on by two loops is cut into strips
/// itself.
pub(super) fn copy(
    func: &mut Func,
    cfg: &Cfg,
    doms: &Dominators,
    loops: &Loops,
    long: &[LoopId],
) -> Decided {
    let uses = DefUse::new(func);
    let leaving = |&id: &LoopId| copies::leaving(func, cfg, doms, &uses, &loops.get(id).blocks);
    let leaving: Vec<_> = long.iter().map(leaving).collect();
    let mut decided = Decided::default();
    for (&id, leaving) in long.iter().zip(leaving) {
        let header = loops.get(id).header;
        let (Some(leaving), Some(counted)) = (leaving, counted(func, loops, id)) else {
            decided.strips.push(header);
            continue;
        };
        let data = loops.get(id);
        copies::hand_over(func, &data.blocks, &leaving);
        let entering = entering(cfg, header, &data.latches);
        let start = edges::gather(func, &entering, header, Place::Before(header), NAME);
        let copied = Copied::blocks_of(func, &data.blocks);
        for &block in &data.blocks {
            let term = copied.term(func, block);
            let (span, origin) = (func.blocks[block].term_span, func.blocks[block].term_origin);
            func.set_term(copied.block(block), term, span, origin);
            func.blocks[copied.block(block)].cold = true;
        }
        choose(func, start, &counted, [copied.block(header), header]);
        decided.whole.push(header);
        decided.strips.push(copied.block(header));
    }
    decided
}

/// Ends `start` by the choice of the loop for its number of rounds: the first for many.
fn choose(func: &mut Func, start: Block, counted: &Counted, headers: [Block; 2]) {
    let span = func.blocks[headers[1]].term_span;
    let ty = func.ty(counted.bound);
    // From the counter before its first step: a round more or less is nothing.
    let first = func.blocks[start].params[counted.param];
    let mut at = |kind, ty| {
        let inst = func.push_inst(start, kind, &[ty], span, ORIGIN);
        func.insts[inst].results[0]
    };
    let most = at(InstKind::IConst(WHOLE * counted.step.abs()), ty);
    let (lhs, rhs) = match counted.step > 0 {
        true => (counted.bound, first),
        false => (first, counted.bound),
    };
    let op = BinaryOp::ISub;
    let lhs = at(InstKind::Binary { op, lhs, rhs }, ty);
    // A counter may be beyond the bound, where a loop tests after its only round.
    let cc = match counted.cc {
        IntCc::Ult | IntCc::Ule | IntCc::Ugt | IntCc::Uge | IntCc::Ne | IntCc::Eq => IntCc::Ugt,
        IntCc::Slt | IntCc::Sle | IntCc::Sgt | IntCc::Sge => IntCc::Sgt,
    };
    let cond = at(InstKind::Icmp { cc, lhs, rhs: most }, Ty::I1);
    copies::branch(func, start, Some(cond), headers, (span, ORIGIN));
}
