//! Calls with keywords and star-arguments.

use super::Builder;
use super::unsupported::KWARGS_CALL;
use crate::{Expr, Var};
use numbra_base::{Diagnostic, ErrorClass};
use numbra_bytecode::dfg::{DfgInst, ValueId};

impl Builder<'_> {
    pub(super) fn build_call(
        &mut self,
        inst: &DfgInst,
        kwnames: &[String],
    ) -> Result<(), Box<Diagnostic>> {
        let func = self.value(inst.operands[0])?;
        let positional = inst.operands.len() - kwnames.len();
        let args = self.values(&inst.operands[1..positional])?;
        let kws = self.keywords(kwnames, &inst.operands[positional..])?;
        self.result(
            inst,
            Expr::Call {
                func,
                args,
                kws,
                vararg: None,
            },
        );
        Ok(())
    }

    /// `f(*args)`; `f(a, *rest)` keeps `a` apart.
    pub(super) fn build_call_ex(
        &mut self,
        inst: &DfgInst,
        kwnames: &[String],
        kwargs: bool,
    ) -> Result<(), Box<Diagnostic>> {
        if kwargs {
            return Err(self.unsupported(
                ErrorClass::UnsupportedBytecodeError,
                inst.span,
                "`**kwargs` in a call is not supported",
                KWARGS_CALL,
                "name the keyword arguments: `f(x=d_x, y=d_y)`",
            ));
        }
        let func = self.value(inst.operands[0])?;
        let (args, vararg) = match self.loads.part(self.dfg, inst.operands[1]) {
            Some(tuple) => {
                let (&star, args) = tuple
                    .operands
                    .split_last()
                    .unwrap_or((&inst.operands[1], &[]));
                (self.values(args)?, self.value(star)?)
            }
            None => (Vec::new(), self.value(inst.operands[1])?),
        };
        let kws = self.keywords(kwnames, &inst.operands[2..])?;
        self.result(
            inst,
            Expr::Call {
                func,
                args,
                kws,
                vararg: Some(vararg),
            },
        );
        Ok(())
    }

    fn keywords(
        &mut self,
        names: &[String],
        values: &[ValueId],
    ) -> Result<Vec<(String, Var)>, Box<Diagnostic>> {
        let values = self.values(values)?;
        Ok(names.iter().cloned().zip(values).collect())
    }
}
