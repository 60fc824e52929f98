//! `with parallel_chunksize(n):`, the one context manager that compiled code enters itself.
//!
//! ```text
//!   $0 = call with.parallel_chunksize(parallel_chunksize, n)
//!   ...                                       ; the block
//!   $1 = call numbra.set_parallel_chunksize($0)
//! ```
//!
//! The manager, its `__enter__` and its `__exit__` are all `$0`. As for `with objmode`, the name says what it is, and
//! inference checks that it stands for numbra's.

use super::Builder;
use super::ops::call;
use crate::{Const, Rhs, steps};
use numbra_base::{Diagnostic, ErrorClass};
use numbra_bytecode::Special;
use numbra_bytecode::dfg::{DfgInst, DfgOp, ValueId, VariableKind};

const NAME: &str = "parallel_chunksize";

/// What a call in a `with` statement is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// `parallel_chunksize(n)`
    Make,
    Enter,
    Exit,
}

impl<'a> Builder<'a> {
    /// Builds a call that a `with` statement over chunk sizes is made of; false for other calls.
    pub(super) fn context_call(
        &mut self,
        block: usize,
        inst: &DfgInst,
    ) -> Result<bool, Box<Diagnostic>> {
        let Some(step) = self.context_step(inst) else {
            return Ok(false);
        };
        match step {
            Step::Make => {
                let named = matches!(&inst.op, DfgOp::Call { kwnames } if !kwnames.is_empty());
                let (&[manager, size], false) = (inst.operands.as_slice(), named) else {
                    return Err(self.unsupported(
                        ErrorClass::TypingError,
                        inst.span,
                        "`parallel_chunksize` takes one integer",
                        "parallel_chunksize takes only a single integer argument.",
                        "write `with parallel_chunksize(n):`",
                    ));
                };
                let enter = self.step_var(steps::WITH_CHUNKSIZE);
                let args = self.values(&[manager, size])?;
                self.result(inst, call(enter, args));
            }
            Step::Enter if inst.results.iter().any(|v| self.is_read(*v)) => {
                return Err(self.unsupported_with(block, inst));
            }
            Step::Enter => self.result(inst, Rhs::Const(Const::None)),
            Step::Exit => {
                self.leave_context(inst.operands[0])?;
                self.result(inst, Rhs::Const(Const::None));
            }
        }
        Ok(true)
    }

    /// Builds `__enter__` or `__exit__` of a manager of chunk sizes; false for others.
    pub(super) fn context_method(&mut self, inst: &DfgInst) -> Result<bool, Box<Diagnostic>> {
        if !self.is_context(inst.operands[0]) {
            return Ok(false);
        }
        let before = self.value(inst.operands[0])?;
        self.set_results(inst, &[before]);
        Ok(true)
    }

    /// Builds `__exit__` with an exception, which goes on; false for other managers.
    pub(super) fn context_exception(&mut self, inst: &DfgInst) -> Result<bool, Box<Diagnostic>> {
        let exit = inst.operands[0];
        if !self.is_method(exit, Special::Exit) {
            return Ok(false);
        }
        self.leave_context(exit)?;
        self.result(inst, Rhs::Const(Const::Bool(false)));
        Ok(true)
    }

    fn leave_context(&mut self, exit: ValueId) -> Result<(), Box<Diagnostic>> {
        let set = self.step_var(steps::SET_CHUNKSIZE);
        let before = self.value(exit)?;
        self.temp(call(set, vec![before]));
        Ok(())
    }

    fn context_step(&self, inst: &DfgInst) -> Option<Step> {
        let callee = *inst.operands.first()?;
        if self.is_method(callee, Special::Enter) {
            return Some(Step::Enter);
        }
        if self.is_method(callee, Special::Exit) {
            return Some(Step::Exit);
        }
        let entered = self.is_named(callee) && inst.results.iter().any(|r| self.is_entered(*r));
        entered.then_some(Step::Make)
    }

    /// True for `__enter__` or `__exit__` of a manager of chunk sizes.
    fn is_method(&self, value: ValueId, method: Special) -> bool {
        self.maker(value).is_some_and(|inst| {
            matches!(inst.op, DfgOp::LoadSpecial(special) if special == method)
                && self.is_context(inst.operands[0])
        })
    }

    /// True for `parallel_chunksize(..)`.
    fn is_context(&self, manager: ValueId) -> bool {
        self.maker(manager).is_some_and(|inst| {
            let made = matches!(inst.op, DfgOp::Call { .. });
            made && inst
                .operands
                .first()
                .is_some_and(|callee| self.is_named(*callee))
        })
    }

    /// True for what is read from a global, a free variable or an attribute with the manager's name.
    fn is_named(&self, value: ValueId) -> bool {
        self.maker(value).is_some_and(|inst| match &inst.op {
            DfgOp::LoadGlobal(name) | DfgOp::GetAttr(name) => name == NAME,
            DfgOp::LoadVariable(id) => {
                let variable = &self.dfg.variables[id.0 as usize];
                matches!(variable.kind, VariableKind::Free(_)) && variable.name == NAME
            }
            _ => false,
        })
    }

    fn is_entered(&self, manager: ValueId) -> bool {
        self.dfg.blocks.iter().flat_map(|b| &b.insts).any(|inst| {
            matches!(inst.op, DfgOp::LoadSpecial(_)) && inst.operands.contains(&manager)
        })
    }

    fn maker(&self, value: ValueId) -> Option<&'a DfgInst> {
        self.loads.maker(self.dfg, value)
    }
}
