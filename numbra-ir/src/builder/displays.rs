//! Tuple, list, set and dict displays, with unpacked parts.

use super::Builder;
use crate::{BinOp, Expr, StmtKind, Var};
use numbra_base::Diagnostic;
use numbra_bytecode::dfg::{DfgInst, DfgOp, ValueId};

impl Builder<'_> {
    pub(super) fn build_tuple(
        &mut self,
        inst: &DfgInst,
        star: &[bool],
    ) -> Result<(), Box<Diagnostic>> {
        let taken_apart = inst
            .results
            .iter()
            .any(|&r| self.loads.part(self.dfg, r).is_some());
        let of_cells = |v: &ValueId| {
            matches!(
                self.loads.maker(self.dfg, *v).map(|i| &i.op),
                Some(DfgOp::LoadCell(_))
            )
        };
        if taken_apart || (!inst.operands.is_empty() && inst.operands.iter().all(of_cells)) {
            return Ok(());
        }
        if star.is_empty() {
            let items = self.values(&inst.operands)?;
            self.result(inst, Expr::BuildTuple(items));
            return Ok(());
        }
        let tuple = self.concatenate(&inst.operands, star)?;
        if let Some(result) = inst.results.first() {
            self.values[result.index()] = Some(tuple);
        }
        Ok(())
    }

    /// `(a, *b, c)` is `(a,) + b + (c,)`.
    fn concatenate(&mut self, operands: &[ValueId], star: &[bool]) -> Result<Var, Box<Diagnostic>> {
        let mut sum: Option<Var> = None;
        let mut at = 0;
        while at < operands.len() {
            let run = star[at..].iter().take_while(|s| !**s).count();
            let part = if run > 0 {
                let items = self.values(&operands[at..at + run])?;
                at += run;
                self.temp(Expr::BuildTuple(items))
            } else {
                at += 1;
                self.value(operands[at - 1])?
            };
            sum = Some(match sum {
                None => part,
                Some(lhs) => self.temp(Expr::BinOp {
                    op: BinOp::Add,
                    lhs,
                    rhs: part,
                    static_rhs: None,
                }),
            });
        }
        Ok(match sum {
            Some(sum) => sum,
            None => self.temp(Expr::BuildTuple(Vec::new())),
        })
    }

    pub(super) fn build_list(
        &mut self,
        inst: &DfgInst,
        star: &[bool],
    ) -> Result<(), Box<Diagnostic>> {
        self.build_growing(inst, star, Expr::BuildList, "append", "extend")
    }

    pub(super) fn build_set(
        &mut self,
        inst: &DfgInst,
        star: &[bool],
    ) -> Result<(), Box<Diagnostic>> {
        self.build_growing(inst, star, Expr::BuildSet, "add", "update")
    }

    /// The elements up to the first star, then one call for each further one.
    fn build_growing(
        &mut self,
        inst: &DfgInst,
        star: &[bool],
        build: fn(Vec<Var>) -> Expr,
        add: &str,
        extend: &str,
    ) -> Result<(), Box<Diagnostic>> {
        let plain = star.iter().position(|s| *s).unwrap_or(inst.operands.len());
        let items = self.values(&inst.operands[..plain])?;
        self.result(inst, build(items));
        let Some(container) = inst.results.first().and_then(|r| self.values[r.index()]) else {
            return Ok(());
        };
        for (&operand, &starred) in inst.operands.iter().zip(star).skip(plain) {
            let value = self.value(operand)?;
            self.method(container, if starred { extend } else { add }, value);
        }
        Ok(())
    }

    pub(super) fn build_map(
        &mut self,
        inst: &DfgInst,
        star: &[bool],
    ) -> Result<(), Box<Diagnostic>> {
        if inst
            .results
            .iter()
            .any(|&r| self.loads.part(self.dfg, r).is_some())
        {
            return Ok(());
        }
        let plain = star
            .iter()
            .position(|s| *s)
            .map_or(inst.operands.len(), |entries| entries * 2);
        let items = self.values(&inst.operands[..plain])?;
        let pairs = items
            .chunks_exact(2)
            .map(|pair| (pair[0], pair[1]))
            .collect();
        self.result(inst, Expr::BuildMap(pairs));
        let Some(dict) = inst.results.first().and_then(|r| self.values[r.index()]) else {
            return Ok(());
        };
        let mut rest = inst.operands[plain..].iter();
        for &starred in star.iter().skip(plain / 2) {
            let Some(&first) = rest.next() else { break };
            if starred {
                let other = self.value(first)?;
                self.method(dict, "update", other);
            } else if let Some(&second) = rest.next() {
                let (key, value) = (self.value(first)?, self.value(second)?);
                self.emit(StmtKind::StoreMap { dict, key, value });
            }
        }
        Ok(())
    }
}
