//! The state of one block while it is executed.

use super::{Names, Slot};
use crate::dfg::{DfgInst, DfgOp, ValueId, VariableId};
use crate::error::{Error, Malformed};
use numbra_base::{FxHashMap, Span};

/// Execution of one block.
pub(super) struct Frame {
    pub(super) block: usize,
    pub(super) stack: Vec<Slot>,
    pub(super) names: Names,
    pub(super) insts: Vec<DfgInst>,
    /// Displays under construction: the value's instruction, while the stack holds the only reference.
    pub(super) fresh: FxHashMap<ValueId, usize>,
    /// Slices by operands: `a[i:j] += x` builds one slice, whatever the compiler does.
    pub(super) slices: FxHashMap<Vec<ValueId>, ValueId>,
    pub(super) kwnames: Option<Vec<String>>,
    pub(super) limit: usize,
    pub(super) span: Span,
    pub(super) offset: u32,
}
impl Frame {
    pub(super) fn malformed(&self, what: Malformed) -> Error {
        Error::malformed(self.offset, what)
    }

    pub(super) fn push_inst(&mut self, op: DfgOp, operands: Vec<ValueId>, results: Vec<ValueId>) {
        self.insts.push(DfgInst {
            op,
            operands,
            results,
            span: self.span,
            offset: self.offset,
        });
    }

    pub(super) fn push(&mut self, value: ValueId) {
        self.stack.push(Slot::Value(value));
    }

    /// The topmost value, just made by the last instruction, is referred to from here only.
    pub(super) fn mark_fresh(&mut self) {
        if let (Some(&Slot::Value(value)), false) = (self.stack.last(), self.insts.is_empty()) {
            self.fresh.insert(value, self.insts.len() - 1);
        }
    }

    pub(super) fn pop_slot(&mut self) -> Result<Slot, Error> {
        self.stack
            .pop()
            .ok_or_else(|| self.malformed(Malformed::StackUnderflow))
    }

    pub(super) fn pop(&mut self) -> Result<ValueId, Error> {
        self.pop_fresh().map(|(value, _)| value)
    }

    /// Pops a value, and the instruction that made it if this was its only reference.
    pub(super) fn pop_fresh(&mut self) -> Result<(ValueId, Option<usize>), Error> {
        match self.pop_slot()? {
            Slot::Value(value) => Ok((value, self.fresh.remove(&value))),
            Slot::Null | Slot::Saved(..) | Slot::ExcInfo(_) | Slot::LastInstr => {
                Err(self.malformed(Malformed::StackKind))
            }
        }
    }

    /// Pops `count` values; the deepest comes first.
    pub(super) fn pop_n(&mut self, count: u32) -> Result<Vec<ValueId>, Error> {
        Ok(self
            .pop_n_fresh(count)?
            .into_iter()
            .map(|(value, _)| value)
            .collect())
    }

    pub(super) fn pop_n_fresh(
        &mut self,
        count: u32,
    ) -> Result<Vec<(ValueId, Option<usize>)>, Error> {
        if count as usize > self.stack.len() {
            return Err(self.malformed(Malformed::StackUnderflow));
        }
        let mut values = Vec::with_capacity(count as usize);
        for _ in 0..count {
            values.push(self.pop_fresh()?);
        }
        values.reverse();
        Ok(values)
    }

    /// Function and, for a method, self: two slots of which one may be null.
    pub(super) fn pop_callee(&mut self) -> Result<Vec<ValueId>, Error> {
        let (second, first) = (self.pop_slot()?, self.pop_slot()?);
        let callee = match (first, second) {
            (Slot::Value(function), Slot::Null) | (Slot::Null, Slot::Value(function)) => {
                vec![function]
            }
            (Slot::Value(function), Slot::Value(receiver)) => vec![function, receiver],
            _ => return Err(self.malformed(Malformed::StackKind)),
        };
        for value in &callee {
            self.fresh.remove(value);
        }
        Ok(callee)
    }

    /// The item at position `n` from the top, 1 being the top.
    pub(super) fn slot(&self, n: u32) -> Result<Slot, Error> {
        let at = self.stack.len().checked_sub(n as usize).filter(|_| n > 0);
        at.and_then(|at| self.stack.get(at))
            .copied()
            .ok_or_else(|| self.malformed(Malformed::StackUnderflow))
    }

    /// A value that stays on the stack and is read: it is no fresh display any more.
    pub(super) fn peek(&mut self, n: u32) -> Result<ValueId, Error> {
        match self.slot(n)? {
            Slot::Value(value) => {
                self.fresh.remove(&value);
                Ok(value)
            }
            Slot::Null | Slot::Saved(..) | Slot::ExcInfo(_) | Slot::LastInstr => {
                Err(self.malformed(Malformed::StackKind))
            }
        }
    }

    /// Changes what a variable index stands for; returns what it stood for.
    pub(super) fn rename(&mut self, i: u32, to: Option<VariableId>) -> Option<VariableId> {
        rename(&mut self.names, i, to)
    }
}

/// Changes what a variable index stands for; returns what it stood for.
pub(super) fn rename(names: &mut Names, i: u32, to: Option<VariableId>) -> Option<VariableId> {
    match (names.binary_search_by_key(&i, |(index, _)| *index), to) {
        (Ok(at), Some(to)) => Some(std::mem::replace(&mut names[at].1, to)),
        (Ok(at), None) => Some(names.remove(at).1),
        (Err(at), Some(to)) => {
            names.insert(at, (i, to));
            None
        }
        (Err(_), None) => None,
    }
}
