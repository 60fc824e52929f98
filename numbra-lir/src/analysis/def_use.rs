//! Definitions and uses of values.

use crate::{Block, Func, Inst, Value, ValueDef};
use cranelift_entity::{EntityRef, SecondaryMap};
use numbra_base::Lists;

/// Where a value is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// By an instruction of the block.
    Inst(Block, Inst),
    /// By the terminator of the block.
    Term(Block),
}

impl Use {
    /// The block that holds the use.
    pub fn block(self) -> Block {
        match self {
            Use::Inst(block, _) | Use::Term(block) => block,
        }
    }
}

/// All uses of each value and the block of each definition, over the blocks in the layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DefUse {
    uses: Lists<Use>,
    block_of: SecondaryMap<Inst, Option<Block>>,
}

impl DefUse {
    pub fn new(func: &Func) -> DefUse {
        let mut block_of = SecondaryMap::new();
        block_of.resize(func.insts.len());
        let mut uses: Vec<(u32, Use)> = Vec::with_capacity(2 * func.insts.len());
        for block in &func.layout {
            let data = &func.blocks[block];
            for &inst in &data.insts {
                block_of[inst] = Some(block);
                let used = Use::Inst(block, inst);
                let kind = &func.insts[inst].kind;
                kind.visit_operands(|v| uses.push((v.as_u32(), used)));
            }
            if let Some(term) = &data.term {
                term.visit_operands(|v| uses.push((v.as_u32(), Use::Term(block))));
            }
        }
        DefUse {
            uses: Lists::of_pairs(&uses),
            block_of,
        }
    }

    /// Uses in layout order; an instruction that uses a value twice is listed twice.
    pub fn uses(&self, value: Value) -> &[Use] {
        self.uses.get(value.index())
    }

    /// The block that holds an instruction; `None` if none does.
    pub fn block_of(&self, inst: Inst) -> Option<Block> {
        self.block_of[inst]
    }

    /// The block that defines a value.
    pub fn def_block(&self, func: &Func, value: Value) -> Option<Block> {
        match func.values[value].def {
            ValueDef::Result(inst, _) => self.block_of[inst],
            ValueDef::Param(block, _) => Some(block),
        }
    }
}

/// Number of uses of each value in the layout.
pub fn use_counts(func: &Func) -> SecondaryMap<Value, u32> {
    let mut counts = SecondaryMap::new();
    counts.resize(func.values.len());
    for block in &func.layout {
        let data = &func.blocks[block];
        for &inst in &data.insts {
            func.insts[inst].kind.visit_operands(|v| counts[v] += 1);
        }
        if let Some(term) = &data.term {
            term.visit_operands(|v| counts[v] += 1);
        }
    }
    counts
}
