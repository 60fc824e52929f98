//! Where variables are written and read.

use crate::{Block, Const, Func, Inst, ObjKind, Rhs, SecondaryMap, StmtKind, Var};

/// Definitions and uses of each variable in live blocks, in program order.
#[derive(Clone, Debug)]
pub struct DefUse {
    /// Assignments to a variable.
    pub defs: SecondaryMap<Var, Vec<Inst>>,
    /// Statements that read a variable; one that reads it twice is listed twice.
    pub uses: SecondaryMap<Var, Vec<Inst>>,
    /// The block of each live statement.
    pub block_of: SecondaryMap<Inst, Option<Block>>,
}

impl DefUse {
    /// One walk over the function.
    pub fn new(func: &Func) -> DefUse {
        let mut table = DefUse {
            defs: SecondaryMap::new(),
            uses: SecondaryMap::new(),
            block_of: SecondaryMap::new(),
        };
        for &block in &func.layout {
            for &inst in &func.blocks[block].insts {
                table.block_of[inst] = Some(block);
                let kind = &func.insts[inst].kind;
                if let Some(var) = kind.def() {
                    table.defs[var].push(inst);
                }
                kind.for_each_use(|var| table.uses[var].push(inst));
            }
        }
        table
    }

    /// The one assignment of a variable, if there is exactly one.
    pub fn only_def(&self, var: Var) -> Option<Inst> {
        match self.defs[var].as_slice() {
            [def] => Some(*def),
            _ => None,
        }
    }

    /// What a variable is: the right-hand side of its one assignment, looking through copies.
    /// Numba's `get_definition`.
    pub fn definition<'f>(&self, func: &'f Func, var: Var) -> Option<&'f Rhs> {
        let mut var = var;
        // A cycle of copies is at most as long as the function.
        for _ in 0..=func.insts.len() {
            let StmtKind::Assign { value, .. } = &func.insts[self.only_def(var)?].kind else {
                return None;
            };
            match value {
                Rhs::Var(of) => var = *of,
                value => return Some(value),
            }
        }
        None
    }

    /// The constant that a variable always holds: a literal, or a global whose value is one.
    pub fn constant(&self, func: &Func, var: Var) -> Option<Const> {
        match self.definition(func, var)? {
            Rhs::Const(value) => Some(value.clone()),
            Rhs::Global(obj) | Rhs::FreeVar { obj, .. } => match &func.objects.get(*obj)?.kind {
                ObjKind::Value(value) => Some(value.clone()),
                _ => None,
            },
            _ => None,
        }
    }
}
