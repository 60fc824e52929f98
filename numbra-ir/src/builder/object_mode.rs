//! Bodies of `with objmode` statements: calls of a function that the Host knows.

use super::Builder;
use super::ops::call;
use crate::{Const, Expr, ObjDesc, ObjKind, Rhs, Var};
use numbra_base::Diagnostic;
use numbra_bytecode::dfg::DfgInst;
use numbra_bytecode::{Error, ObjectBlockError};

impl Builder<'_> {
    /// `outputs = block(inputs)`
    pub(super) fn object_block(
        &mut self,
        inst: &DfgInst,
        index: u32,
    ) -> Result<(), Box<Diagnostic>> {
        if self.depth > 0 {
            let error = Error::ObjectBlock {
                span: inst.span,
                what: ObjectBlockError::Nested,
            };
            return Err(Box::new(error.to_diagnostic(&self.dfg.filename)));
        }
        let desc = ObjDesc {
            name: "objmode".to_owned(),
            kind: ObjKind::ObjectBlock(index),
            repr: "<body of a with statement>".to_owned(),
            digest: None,
        };
        let obj = self.func.objects.push(desc);
        let block = self.temp(Rhs::Global(obj));
        let inputs = self.values(&inst.operands)?;
        let tuple = self.temp(call(block, inputs));
        let outputs: Vec<Var> = (0..inst.results.len())
            .map(|i| {
                self.temp(Expr::StaticGetItem {
                    value: tuple,
                    index: Const::Int(i as i64),
                    index_var: None,
                })
            })
            .collect();
        self.set_results(inst, &outputs);
        Ok(())
    }
}
