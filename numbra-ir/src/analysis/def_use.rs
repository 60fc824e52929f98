//! Where variables are written and read.

use crate::{Block, Const, EntityRef, Func, Inst, ObjKind, Rhs, SecondaryMap, StmtKind, Var};
use numbra_base::Lists;

/// Definitions and uses of each variable in live blocks.
#[derive(Clone, Debug)]
pub struct DefUse {
    defs: Lists<Inst>,
    uses: Lists<Inst>,
    /// The block of each live statement.
    pub block_of: SecondaryMap<Inst, Option<Block>>,
}

impl DefUse {
    /// One walk over the function.
    pub fn new(func: &Func) -> DefUse {
        let mut block_of = SecondaryMap::new();
        block_of.resize(func.insts.len());
        let (mut defs, mut uses) = (Vec::new(), Vec::new());
        for &block in &func.layout {
            for &inst in &func.blocks[block].insts {
                block_of[inst] = Some(block);
                let kind = &func.insts[inst].kind;
                if let Some(var) = kind.def() {
                    defs.push((var.as_u32(), inst));
                }
                kind.for_each_use(|var| uses.push((var.as_u32(), inst)));
            }
        }
        DefUse {
            defs: Lists::of_pairs(&defs),
            uses: Lists::of_pairs(&uses),
            block_of,
        }
    }

    /// Assignments to a variable, in program order.
    pub fn defs(&self, var: Var) -> &[Inst] {
        self.defs.get(var.index())
    }

    /// Statements that read a variable, in program order; one that reads it twice is listed twice.
    pub fn uses(&self, var: Var) -> &[Inst] {
        self.uses.get(var.index())
    }

    /// The one assignment of a variable, if there is exactly one.
    pub fn only_def(&self, var: Var) -> Option<Inst> {
        match self.defs(var) {
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
