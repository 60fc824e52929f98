//! Copies of instructions and of loops.
//!
//! A loop is copied in three steps: [`leaving`] and [`hand_over`] make what is used behind it an argument of its exits,
//! so that a second loop may lead there, too; [`Copied::blocks_of`] copies its blocks; and the pass ends each copy, with
//! [`Copied::term`] or its own terminator. Where a test in front of both chooses one, [`branch`] makes the choice. Serves
//! `block_copies`, `defer_div_checks`, `hoist_div_checks`, `version_loops` and `version_strides`.

use numbra_base::{FxHashMap, Origin, Span};
use numbra_lir::analysis::{Cfg, DefUse, Dominators};
use numbra_lir::{Block, BlockCall, Func, Inst, Terminator, Ty, Value};

/// What stands for values and blocks in a copy.
#[derive(Default)]
pub(crate) struct Copied {
    values: FxHashMap<Value, Value>,
    blocks: FxHashMap<Block, Block>,
}

impl Copied {
    /// New blocks with the parameters and instructions of `blocks`, and without terminators.
    pub(crate) fn blocks_of(func: &mut Func, blocks: &[Block]) -> Copied {
        let mut copied = Copied::default();
        for &block in blocks {
            let made = func.push_block();
            func.blocks[made].cold = func.blocks[block].cold;
            copied.blocks.insert(block, made);
            for param in func.blocks[block].params.clone() {
                let ty = func.ty(param);
                copied.values.insert(param, func.push_param(made, ty));
            }
        }
        // All before any is renamed: a loop may use results in a block that stands before theirs.
        let mut made = Vec::new();
        for &block in blocks {
            made.extend(copied.push_insts(func, block, copied.block(block)));
        }
        copied.rename(func, &made);
        copied
    }

    /// Puts copies of a block's instructions at the end of `into`; `stand_ins` stand for the block's parameters.
    pub(crate) fn into_block(
        func: &mut Func,
        block: Block,
        into: Block,
        stand_ins: Vec<Value>,
    ) -> Copied {
        let params = func.blocks[block].params.iter().copied();
        let mut copied = Copied {
            values: params.zip(stand_ins).collect(),
            blocks: FxHashMap::default(),
        };
        let insts = copied.push_insts(func, block, into);
        copied.rename(func, &insts);
        copied
    }

    /// Copies the instructions with the operands they have.
    fn push_insts(&mut self, func: &mut Func, block: Block, into: Block) -> Vec<Inst> {
        let mut made = Vec::new();
        for inst in func.blocks[block].insts().to_vec() {
            let data = func.insts[inst].clone();
            let types: Vec<Ty> = data.results.iter().map(|&v| func.ty(v)).collect();
            let copy = func.push_inst(into, data.kind, &types, data.span, data.origin);
            func.insts[copy].fast = data.fast;
            func.insts[copy].facts = data.facts;
            let copies = func.insts[copy].results.iter().copied();
            self.values.extend(data.results.into_iter().zip(copies));
            made.push(copy);
        }
        made
    }

    fn rename(&self, func: &mut Func, insts: &[Inst]) {
        for &inst in insts {
            func.insts[inst]
                .kind
                .for_each_operand(|v| *v = self.value(*v));
        }
    }

    /// What stands for `value`.
    pub(crate) fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }

    /// What stands for `block`.
    pub(crate) fn block(&self, block: Block) -> Block {
        self.blocks.get(&block).copied().unwrap_or(block)
    }

    /// The terminator of the copy of `block`.
    pub(crate) fn term(&self, func: &Func, block: Block) -> Terminator {
        let mut term = func.term(block).clone();
        term.for_each_operand(|v| *v = self.value(*v));
        for target in term.targets_mut() {
            target.block = self.block(target.block);
        }
        term
    }
}

/// The values of a loop that are used behind it, each with the block to which it leaves.
///
/// `None` if a value leaves to no one block, or to one where other ways lead, too.
pub(crate) fn leaving(
    func: &Func,
    cfg: &Cfg,
    doms: &Dominators,
    uses: &DefUse,
    blocks: &[Block],
) -> Option<Vec<(Value, Block)>> {
    let inside = |b: &Block| blocks.contains(b);
    let succs = blocks.iter().flat_map(|&b| cfg.succs(b).iter().copied());
    let exits: Vec<Block> = succs.filter(|b| !inside(b)).collect();
    let mut found: Vec<(Value, Block)> = Vec::new();
    for &block in blocks {
        let insts = func.blocks[block].insts().iter();
        let results = insts.flat_map(|&i| func.insts[i].results.iter());
        for &value in func.blocks[block].params.iter().chain(results) {
            for at in uses.uses(value).iter().map(|u| u.block()) {
                if inside(&at) {
                    continue;
                }
                let exit = *exits.iter().find(|&&exit| doms.dominates(exit, at))?;
                let own = cfg.preds(exit).iter().all(inside);
                if !own || !doms.dominates(block, exit) {
                    return None;
                }
                if !found.contains(&(value, exit)) {
                    found.push((value, exit));
                }
            }
        }
    }
    Some(found)
}

/// Makes values that are used behind a loop parameters of the blocks to which they leave.
pub(crate) fn hand_over(func: &mut Func, blocks: &[Block], leaving: &[(Value, Block)]) {
    if leaving.is_empty() {
        return;
    }
    let cfg = Cfg::new(func);
    let doms = Dominators::new(&cfg);
    for &(value, exit) in leaving {
        let ty = func.ty(value);
        let param = func.push_param(exit, ty);
        let renamed = |v: &mut Value| {
            if *v == value {
                *v = param;
            }
        };
        let mut walk = func.layout.walk();
        while let Some(block) = walk.next(&func.layout) {
            if blocks.contains(&block) || !doms.dominates(exit, block) {
                continue;
            }
            for inst in func.blocks[block].insts().to_vec() {
                func.insts[inst].kind.for_each_operand(renamed);
            }
            if let Some(term) = &mut func.blocks[block].term {
                term.for_each_operand(renamed);
            }
        }
        for &block in blocks {
            let term = func.blocks[block].term.iter_mut();
            let targets = term.flat_map(|t| t.targets_mut());
            for target in targets.filter(|to| to.block == exit) {
                target.args.push(value);
            }
        }
    }
}

/// Ends `start` by a choice between two loops, which take its parameters: the first where `cond` holds, else, or without a
/// condition, the second.
pub(crate) fn branch(
    func: &mut Func,
    start: Block,
    cond: Option<Value>,
    headers: [Block; 2],
    (span, origin): (Span, Origin),
) {
    let entered = func.blocks[start].params.clone();
    let [then, other] = headers.map(|block| {
        let way = func.push_block();
        func.blocks[way].cold = func.blocks[block].cold;
        let args = entered.clone();
        func.set_term(
            way,
            Terminator::Jump(BlockCall { block, args }),
            span,
            origin,
        );
        BlockCall {
            block: way,
            args: Vec::new(),
        }
    });
    let term = match cond {
        Some(cond) => Terminator::Brif { cond, then, other },
        None => Terminator::Jump(other),
    };
    func.set_term(start, term, span, origin);
}
