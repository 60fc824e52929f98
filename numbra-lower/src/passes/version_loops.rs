//! Copies loops whose counter may start below zero, for where it does not.
//!
//! ```text
//! before                              after
//!   jump block1(v0)                     v20 = icmp sge v0, v3       (v3 = 0)
//! block1(v1: i64):                      brif v20, block5, block6
//!   v2 = icmp slt v1, v3              block5:
//!   v4 = iadd v1, v5                    jump block7(v0)             the copy: its counter is never negative
//!   v6 = select v2, v4, v1            block6 (cold):
//!   v7 = ptr_add v8, v6                 jump block1(v0)             the loop as it was
//! ```
//!
//! `range(start, stop)` of arguments counts from anything, and negative indices count from the end: a select in each access
//! that a vectoriser takes for an arbitrary address. Taken are innermost loops that test the sign of such a counter.
//! Afterwards `ranges` removes what the test before the copy decides.
//!
//! Wants rotated loops.

use super::copies::{self, Copied};
use super::edges::{self, Place};
use super::fold::{def, integer};
use super::ranges;
use crate::analysis::{Cfg, DefUse, Dominators, Loops, effects};
use crate::lir::{
    BinaryOp, Block, BlockCall, Func, InstKind, IntCc, Module, Terminator, Ty, Value,
};
use numbra_base::Origin;

const NAME: &str = "version_loops";

/// Loops of more instructions are not copied.
const MOST_INSTS: usize = 80;
/// Copies in one function.
const MOST_LOOPS: usize = 16;

/// A loop to be copied.
struct Plan {
    header: Block,
    blocks: Vec<Block>,
    /// Sources of the edges that enter it.
    entering: Vec<Block>,
    /// Positions of the counters among the header's parameters.
    counters: Vec<usize>,
    /// Values that are used behind the loop, each with the block to which it leaves.
    leaving: Vec<(Value, Block)>,
}

pub(super) fn version_loops(func: &mut Func, module: &Module) -> bool {
    // The headers of copies. What was copied is cold and not looked at again.
    let mut copies: Vec<Block> = Vec::new();
    while copies.len() < MOST_LOOPS
        && let Some(plan) = find(func, &copies)
    {
        copies.push(copy(func, &plan));
    }
    if !copies.is_empty() {
        ranges::ranges(func, module);
    }
    !copies.is_empty()
}

fn find(func: &Func, copies: &[Block]) -> Option<Plan> {
    if !func
        .layout
        .iter()
        .any(|&block| tests_sign(func, block, None))
    {
        return None;
    }
    let cfg = Cfg::new(func);
    let doms = Dominators::new(&cfg);
    let loops = Loops::new(&cfg, &doms);
    let uses = DefUse::new(func);
    loops.iter().find_map(|(id, data)| {
        let header = data.header;
        let innermost = loops.iter().all(|(_, other)| other.parent != Some(id));
        let insts = || {
            let blocks = data.blocks.iter();
            blocks.flat_map(|&b| func.blocks[b].insts.iter().map(|&i| &func.insts[i].kind))
        };
        let fits = insts().count() <= MOST_INSTS && insts().all(|k| !effects(k).convergent);
        let done = func.blocks[header].cold || copies.contains(&header);
        if !innermost || !fits || done || header == func.entry() {
            return None;
        }
        let counters: Vec<usize> = (0..func.blocks[header].params.len())
            .filter(|&n| {
                let param = func.blocks[header].params[n];
                let mut blocks = data.blocks.iter();
                blocks.any(|&b| tests_sign(func, b, Some(param)))
                    && counts_up(func, header, n, &data.latches)
            })
            .collect();
        if counters.is_empty() {
            return None;
        }
        let leaving = copies::leaving(func, &cfg, &doms, &uses, &data.blocks)?;
        let entering = cfg.preds(header).iter().copied();
        Some(Plan {
            header,
            entering: entering.filter(|p| !data.blocks.contains(p)).collect(),
            blocks: data.blocks.clone(),
            counters,
            leaving,
        })
    })
}

/// True if the block asks whether this value, or any, is negative.
fn tests_sign(func: &Func, block: Block, value: Option<Value>) -> bool {
    func.blocks[block]
        .insts
        .iter()
        .any(|&inst| match func.insts[inst].kind {
            InstKind::Icmp {
                cc: IntCc::Slt,
                lhs,
                rhs,
            } => {
                value.is_none_or(|v| v == lhs)
                    && func.ty(lhs) == Ty::I64
                    && integer(func, rhs) == Some(0)
            }
            _ => false,
        })
}

/// True if the loop hands the parameter on one larger.
fn counts_up(func: &Func, header: Block, n: usize, latches: &[Block]) -> bool {
    let param = func.blocks[header].params[n];
    func.ty(param) == Ty::I64
        && latches.iter().all(|&latch| {
            let targets = func.term(latch).targets();
            let mut back = targets.into_iter().filter(|to| to.block == header);
            back.all(|to| match def(func, to.args[n]) {
                Some(&InstKind::Binary {
                    op: BinaryOp::IAdd,
                    lhs,
                    rhs,
                }) => lhs == param && integer(func, rhs) == Some(1),
                _ => false,
            })
        })
}

/// Copies the loop and returns the header of the copy.
fn copy(func: &mut Func, plan: &Plan) -> Block {
    let header = plan.header;
    let (span, origin) = (func.blocks[header].term_span, Origin::Pass(NAME));
    copies::hand_over(func, &plan.blocks, &plan.leaving);
    let start = edges::gather(func, &plan.entering, header, Place::Before(header), NAME);
    let entered = func.blocks[start].params.clone();

    let copied = Copied::blocks_of(func, &plan.blocks);
    for &block in &plan.blocks {
        let term = copied.term(func, block);
        let data = &func.blocks[block];
        let (span, origin) = (data.term_span, data.term_origin);
        func.set_term(copied.block(block), term, span, origin);
    }

    // The choice.
    let push = |func: &mut Func, kind, ty| {
        let inst = func.push_inst(start, kind, &[ty], span, origin);
        func.insts[inst].results[0]
    };
    let zero = push(func, InstKind::IConst(0), Ty::I64);
    let mut counted = None;
    for &n in &plan.counters {
        let kind = InstKind::Icmp {
            cc: IntCc::Sge,
            lhs: entered[n],
            rhs: zero,
        };
        let fits = push(func, kind, Ty::I1);
        counted = Some(match counted {
            None => fits,
            Some(lhs) => {
                let kind = InstKind::Binary {
                    op: BinaryOp::And,
                    lhs,
                    rhs: fits,
                };
                push(func, kind, Ty::I1)
            }
        });
    }
    let [fast, slow] = [copied.block(header), header].map(|block| {
        let way = func.push_block();
        let call = BlockCall {
            block,
            args: entered.clone(),
        };
        func.set_term(way, Terminator::Jump(call), span, origin);
        way
    });
    func.blocks[slow].cold = true;
    for &block in &plan.blocks {
        func.blocks[block].cold = true;
    }
    let call = |block| BlockCall {
        block,
        args: Vec::new(),
    };
    let term = match counted {
        Some(cond) => Terminator::Brif {
            cond,
            then: call(fast),
            other: call(slow),
        },
        None => Terminator::Jump(call(slow)),
    };
    func.set_term(start, term, span, origin);
    copied.block(header)
}
