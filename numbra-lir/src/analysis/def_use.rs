//! Definitions and uses of values.

use crate::{Block, Func, Inst, Value};
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

/// All uses of each value, over the blocks in the layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DefUse {
    uses: Lists<Use>,
}

impl DefUse {
    pub fn new(func: &Func) -> DefUse {
        let mut uses: Vec<(u32, Use)> = Vec::with_capacity(2 * func.insts.len());
        for block in &func.layout {
            let data = &func.blocks[block];
            for &inst in data.insts() {
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
        }
    }

    /// Uses in layout order; an instruction that uses a value twice is listed twice.
    pub fn uses(&self, value: Value) -> &[Use] {
        self.uses.get(value.index())
    }
}

/// Number of uses of each value in the layout.
pub fn use_counts(func: &Func) -> SecondaryMap<Value, u32> {
    let mut counts = SecondaryMap::new();
    counts.resize(func.values.len());
    for block in &func.layout {
        let data = &func.blocks[block];
        for &inst in data.insts() {
            func.insts[inst].kind.visit_operands(|v| counts[v] += 1);
        }
        if let Some(term) = &data.term {
            term.visit_operands(|v| counts[v] += 1);
        }
    }
    counts
}
