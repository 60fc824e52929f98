//! What the builder refuses, with Numba's classes and phrases.

use super::Builder;
use numbra_base::{Diagnostic, ErrorClass, Span};
use numbra_bytecode::Special;
use numbra_bytecode::dfg::{DfgInst, DfgOp, ValueId, VariableId};

pub(super) const KWARGS_CALL: &str = "CALL_FUNCTION_EX with **kwargs not supported";

impl Builder<'_> {
    fn name(&self, variable: VariableId) -> &str {
        &self.dfg.variables[variable.0 as usize].name
    }

    pub(super) fn unsupported_exception_variable(
        &self,
        variable: VariableId,
        span: Span,
    ) -> Box<Diagnostic> {
        let name = self.name(variable);
        self.unsupported(
            ErrorClass::UnsupportedBytecodeError,
            span,
            format!("the exception cannot be stored in `{name}`"),
            &format!("Exception object cannot be stored into variable ({name})."),
            "write `except Exception:` without `as`",
        )
    }

    pub(super) fn unsupported_exception_value(&self) -> Box<Diagnostic> {
        self.unsupported(
            ErrorClass::UnsupportedBytecodeError,
            self.span,
            "a caught exception cannot be used as a value",
            "Exception object cannot be stored into variable.",
            "write `except Exception:` without `as`",
        )
    }

    pub(super) fn unsupported_cell(&self, span: Span) -> Box<Diagnostic> {
        self.unsupported(
            ErrorClass::NumbaNotImplementedError,
            span,
            "unsupported use of a variable that an inner function captures",
            "Unsupported use of cell variable encountered",
            "pass the variable to the inner function as an argument",
        )
    }

    pub(super) fn unsupported_closure(&self, span: Span) -> Box<Diagnostic> {
        self.unsupported(
            ErrorClass::NumbaNotImplementedError,
            span,
            "inner function with defaults or captured variables that are not spelled out",
            "Unsupported use of closure. Probably caused by complex control-flow constructs; e.g. try-except",
            "define the function at module level",
        )
    }

    pub(super) fn unsupported_del(&self, variable: VariableId, span: Span) -> Box<Diagnostic> {
        let name = self.name(variable);
        self.unsupported(
            ErrorClass::CompilerError,
            span,
            format!("`del {name}` of a local variable is not supported"),
            &format!("Illegal IR, del found at: del {name}"),
            "leave it out: the variable ends with its last use",
        )
    }

    pub(super) fn unsupported_constant(&self, what: &str, span: Span) -> Box<Diagnostic> {
        self.unsupported(
            ErrorClass::UnsupportedBytecodeError,
            span,
            format!("constant that has no type: {what}"),
            "Unsupported constant",
            "make it outside the function and pass it in",
        )
    }

    /// True if an instruction reads a value.
    pub(super) fn is_read(&self, value: ValueId) -> bool {
        let mut all = self.dfg.blocks.iter().flat_map(|b| &b.insts);
        all.any(|inst| inst.operands.contains(&value))
    }

    /// A `with` statement; whether it has an `as` part decides what Numba says.
    pub(super) fn unsupported_with(&self, block: usize, inst: &DfgInst) -> Box<Diagnostic> {
        let insts = &self.dfg.blocks[block].insts;
        let entered = insts.iter().find_map(|i| match i.op {
            DfgOp::LoadSpecial(Special::Enter) => i.results.first().copied(),
            _ => None,
        });
        let value = insts
            .iter()
            .find(|i| entered.is_some() && i.operands.first().copied() == entered);
        let value = value.and_then(|call| call.results.first());
        if value.is_some_and(|v| self.is_read(*v)) {
            self.unsupported(
                ErrorClass::UnsupportedBytecodeError,
                inst.span,
                "`with ... as ...` is not supported",
                "The 'with (context manager) as (variable):' construct is not supported.",
                "enter the context manager in Python and call the compiled function inside",
            )
        } else {
            self.unsupported(
                ErrorClass::CompilerError,
                inst.span,
                "context managers are not supported",
                "Unsupported context manager in use",
                "enter the context manager in Python and call the compiled function inside",
            )
        }
    }
}
