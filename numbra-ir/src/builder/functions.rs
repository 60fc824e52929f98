//! Nested functions and lambdas: `make_function`.

use super::{Builder, build_at};
use crate::{Expr, ObjDesc, ObjKind, Var};
use numbra_base::{Diagnostic, ErrorClass};
use numbra_bytecode::dfg::{Dfg, DfgInst, DfgOp, ValueId, VariableId};
use numbra_bytecode::{CodeObject, Const as CodeConst};

/// Functions nested deeper are refused.
const MAX_DEPTH: u32 = 32;

impl Builder<'_> {
    pub(super) fn make_function(
        &mut self,
        block: usize,
        at: usize,
        inst: &DfgInst,
    ) -> Result<(), Box<Diagnostic>> {
        let DfgOp::MakeFunction {
            code,
            defaults,
            kwdefaults,
            closure,
        } = inst.op
        else {
            return Ok(());
        };
        let CodeConst::Code(code) = &self.dfg.consts[code.0 as usize] else {
            return Err(self.unsupported_constant("a code object", inst.span));
        };
        let mut operands = inst.operands.iter().copied();
        let defaults = if defaults {
            self.default_values(operands.next(), inst)?
        } else {
            Vec::new()
        };
        let kwdefaults = if kwdefaults {
            self.keyword_defaults(operands.next(), inst)?
        } else {
            Vec::new()
        };
        let closure = match operands.next().filter(|_| closure) {
            Some(cells) => self.captured(cells, inst)?,
            None => Vec::new(),
        };
        let stored = self.stored_to(block, at, inst);
        if let Some(own) = closure.iter().find(|&&variable| Some(variable) == stored) {
            let name = &self.dfg.variables[own.0 as usize].name;
            return Err(self.unsupported(
                ErrorClass::NumbaNotImplementedError,
                inst.span,
                format!("inner function `{name}` refers to itself"),
                "Unsupported use of cell variable encountered",
                "define the recursive function at module level, with a decorator of its own",
            ));
        }
        let closure = closure
            .into_iter()
            .map(|variable| self.captured_var(variable))
            .collect();
        let func = self.nested(code, inst)?;
        let desc = ObjDesc {
            name: code.qualname.clone(),
            kind: ObjKind::Opaque {
                class: "<class 'code'>".to_owned(),
            },
            repr: format!("<code object {}>", code.name),
            digest: None,
        };
        let code_ref = self.func.objects.push(desc);
        self.func.nested.push((code_ref, func));
        let name = code.qualname.clone();
        self.result(
            inst,
            Expr::MakeFunction {
                name,
                code: code_ref,
                closure,
                defaults,
                kwdefaults,
            },
        );
        Ok(())
    }

    fn nested(&self, code: &CodeObject, inst: &DfgInst) -> Result<crate::Func, Box<Diagnostic>> {
        if self.depth >= MAX_DEPTH {
            return Err(Box::new(Diagnostic::error(
                "B004",
                ErrorClass::UnsupportedBytecodeError,
                format!("functions are nested deeper than {MAX_DEPTH}"),
                inst.span,
            )));
        }
        let dfg = Dfg::of_code(code, self.dfg.span.file)
            .map_err(|e| Box::new(e.to_diagnostic(&self.dfg.filename)))?;
        if dfg.is_generator {
            return Err(self.unsupported(
                ErrorClass::UnsupportedError,
                inst.span,
                "generator expressions and inner generators are not supported",
                "The use of yield in a closure is unsupported.",
                "use a list comprehension, or a loop",
            ));
        }
        build_at(&dfg, &self.func.module, self.depth + 1)
    }

    /// The variable that the function is bound to by the next instruction that reads it.
    fn stored_to(&self, block: usize, at: usize, inst: &DfgInst) -> Option<VariableId> {
        self.dfg.blocks[block].insts[at + 1..]
            .iter()
            .find_map(|next| match next.op {
                DfgOp::StoreVariable(variable) if next.operands == inst.results => Some(variable),
                _ => None,
            })
    }

    /// Defaults as variables: the tuple is not built.
    fn default_values(
        &mut self,
        tuple: Option<ValueId>,
        inst: &DfgInst,
    ) -> Result<Vec<Var>, Box<Diagnostic>> {
        let Some(tuple) = tuple else {
            return Ok(Vec::new());
        };
        if let Some(CodeConst::Tuple(items)) = self.dfg.constant(tuple) {
            return items
                .iter()
                .map(|item| {
                    let constant = self.constant(item, inst.span)?;
                    Ok(self.temp(crate::Rhs::Const(constant)))
                })
                .collect();
        }
        match self.loads.part(self.dfg, tuple) {
            Some(display) => {
                // A default is what the variable holds now.
                let values = self.values(&display.operands)?;
                Ok(values.into_iter().map(|var| self.kept(var)).collect())
            }
            None => Err(self.unsupported_closure(inst.span)),
        }
    }

    /// A copy of a variable that may change.
    fn kept(&mut self, var: Var) -> Var {
        if self.func.vars[var].is_temp() {
            var
        } else {
            self.temp(crate::Rhs::Var(var))
        }
    }

    fn keyword_defaults(
        &mut self,
        map: Option<ValueId>,
        inst: &DfgInst,
    ) -> Result<Vec<(String, Var)>, Box<Diagnostic>> {
        let Some(display) = map.and_then(|map| self.loads.part(self.dfg, map)) else {
            return Err(self.unsupported_closure(inst.span));
        };
        let mut pairs = Vec::new();
        for pair in display.operands.chunks_exact(2) {
            let Some(CodeConst::Str(name)) = self.dfg.constant(pair[0]) else {
                return Err(self.unsupported_closure(inst.span));
            };
            let value = self.value(pair[1])?;
            pairs.push((name.clone(), self.kept(value)));
        }
        Ok(pairs)
    }

    /// The variables behind the tuple of cells.
    fn captured(&self, cells: ValueId, inst: &DfgInst) -> Result<Vec<VariableId>, Box<Diagnostic>> {
        let tuple = self
            .loads
            .maker(self.dfg, cells)
            .filter(|i| matches!(i.op, DfgOp::BuildTuple { .. }));
        let cell = |value: &ValueId| match self.loads.maker(self.dfg, *value).map(|i| &i.op) {
            Some(DfgOp::LoadCell(variable)) => Some(*variable),
            _ => None,
        };
        let variables = tuple.and_then(|tuple| tuple.operands.iter().map(cell).collect());
        variables.ok_or_else(|| self.unsupported_closure(inst.span))
    }

    fn captured_var(&mut self, variable: VariableId) -> Var {
        match self.is_free(variable) {
            Some(index) => {
                let obj = self.unresolved(&self.dfg.variables[variable.0 as usize].name);
                self.temp(crate::Rhs::FreeVar { index, obj })
            }
            None => self.variable(variable),
        }
    }
}
