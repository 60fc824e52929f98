//! Lifetimes: uses of references that stand for uses of the memory behind them.
//!
//! `place_refs` releases a reference after its last use, where uses of pointers that are visibly derived from it count.
//! The data pointer of an array that a call returned, or that comes out of a block parameter or a tuple in memory, is
//! not. After each statement that works with such a value a `keep` of its reference says that the memory was in use.

use super::function::Fx;
use numbra_ir::{Expr, Rhs, StmtKind, Var};
use numbra_lir::{ConvertOp, InstKind, Ty, Value, ValueDef};

impl Fx<'_, '_> {
    /// Keeps alive what a statement has worked with. A phi reads its operands on the edges to it, not here.
    pub(super) fn keep_operands(&mut self, kind: &StmtKind) {
        if matches!(
            kind,
            StmtKind::Assign {
                value: Rhs::Expr(Expr::Phi(_)),
                ..
            }
        ) {
            return;
        }
        let mut vars: Vec<Var> = Vec::new();
        kind.for_each_use(|var| {
            if !vars.contains(&var) {
                vars.push(var);
            }
        });
        let mut live = Vec::new();
        for var in vars {
            let Some(leaves) = &self.vars[var] else {
                continue;
            };
            for (i, leaf) in leaves.iter().enumerate() {
                if self.ty(*leaf) == Ty::Ref
                    && self.needs_keep(*leaf, i.checked_sub(1).map(|i| leaves[i]))
                    && !live.contains(leaf)
                {
                    live.push(*leaf);
                }
            }
        }
        self.keep(live);
    }

    /// A use of references that does nothing.
    pub(super) fn keep(&mut self, live: Vec<Value>) {
        if live.is_empty() {
            return;
        }
        self.inst(InstKind::Keep(live), &[]);
    }

    /// True unless the reference is borrowed from the caller, or null, or the pointer in front of it is derived from it.
    fn needs_keep(&self, owner: Value, data: Option<Value>) -> bool {
        match self.func.values[owner].def {
            ValueDef::Param(block, _) if block == self.func.entry() => return false,
            ValueDef::Result(inst, _) if self.func.insts[inst].kind == InstKind::Null => {
                return false;
            }
            ValueDef::Param(..) | ValueDef::Result(..) => {}
        }
        !data.is_some_and(|data| self.is_derived(data, owner))
    }

    /// True if `pointer` is computed or loaded from `owner` by steps that ownership analysis follows.
    fn is_derived(&self, pointer: Value, owner: Value) -> bool {
        let mut at = pointer;
        for _ in 0..64 {
            let ValueDef::Result(inst, _) = self.func.values[at].def else {
                return false;
            };
            at = match &self.func.insts[inst].kind {
                InstKind::PtrAdd { base, .. } => *base,
                InstKind::Load { addr, .. } => *addr,
                InstKind::Convert {
                    op: ConvertOp::RefToPtr,
                    arg,
                } => return *arg == owner,
                _ => return false,
            };
        }
        false
    }
}
