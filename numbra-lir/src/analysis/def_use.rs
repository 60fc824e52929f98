//! Definitions and uses of values.

use crate::{Block, Func, Inst, Value, ValueDef};
use cranelift_entity::SecondaryMap;

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
#[derive(Clone, Debug)]
pub struct DefUse {
    uses: SecondaryMap<Value, Vec<Use>>,
    block_of: SecondaryMap<Inst, Option<Block>>,
}

impl DefUse {
    pub fn new(func: &Func) -> DefUse {
        let mut out = DefUse {
            uses: SecondaryMap::new(),
            block_of: SecondaryMap::new(),
        };
        for &block in &func.layout {
            let data = &func.blocks[block];
            for &inst in &data.insts {
                out.block_of[inst] = Some(block);
                func.insts[inst]
                    .kind
                    .visit_operands(|v| out.uses[v].push(Use::Inst(block, inst)));
            }
            if let Some(term) = &data.term {
                term.visit_operands(|v| out.uses[v].push(Use::Term(block)));
            }
        }
        out
    }

    /// Uses in layout order; an instruction that uses a value twice is listed twice.
    pub fn uses(&self, value: Value) -> &[Use] {
        &self.uses[value]
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
    for &block in &func.layout {
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
