//! Patterns of `match` and starred targets.
//!
//! ```text
//!   case (x, *rest):                   a, *b, c = t
//!     $0 = call match.is_sequence(s)     $0 = call unpack.sequence(t)
//!     $1 = call match.len(s)             $1 = call unpack.at_least($0, 2)
//!     $2 = $1 >= 1                       a = static_getitem($1, 0)
//!     ...                                $2 = static_getitem($1, slice(1, -1))
//!                                        b = call unpack.rest($2, $1)
//!                                        c = static_getitem($1, -1)
//! ```

use super::Builder;
use super::ops::call;
use crate::{BinOp, Const, Expr, ObjKind, Rhs, StmtKind, Var, steps};
use numbra_base::Diagnostic;
use numbra_bytecode::Const as CodeConst;
use numbra_bytecode::dfg::{DfgInst, DfgOp, ValueId, ValueKind, VariableId};

impl<'a> Builder<'a> {
    /// The class pattern, or the keys of the mapping pattern, behind a value.
    pub(super) fn matched(&self, value: ValueId) -> Option<&'a DfgInst> {
        let dfg = self.dfg;
        self.loads
            .maker(dfg, value)
            .filter(|inst| matches!(inst.op, DfgOp::MatchClass { .. } | DfgOp::MatchKeys))
    }

    /// The keys of a mapping pattern.
    fn keys(&mut self, pattern: &DfgInst) -> Result<Vec<Var>, Box<Diagnostic>> {
        let (dfg, keys) = (self.dfg, pattern.operands[1]);
        if let Some(CodeConst::Tuple(items)) = dfg.constant(keys) {
            let items = items.iter().map(|item| self.constant(item, pattern.span));
            let items: Vec<Const> = items.collect::<Result<_, _>>()?;
            return Ok(items
                .into_iter()
                .map(|item| self.temp(Rhs::Const(item)))
                .collect());
        }
        // With names among them.
        match self.loads.maker(dfg, keys) {
            Some(display) => self.values(&display.operands),
            None => Ok(Vec::new()),
        }
    }

    /// Whether a mapping has all keys of a pattern.
    pub(super) fn matches_keys(&mut self, inst: &DfgInst) -> Result<(), Box<Diagnostic>> {
        let subject = self.value(inst.operands[0])?;
        let mut all = None;
        for key in self.keys(inst)? {
            let found = self.temp(Expr::BinOp {
                op: BinOp::In,
                lhs: key,
                rhs: subject,
                static_rhs: None,
            });
            all = Some(match all {
                None => found,
                Some(before) => self.temp(Expr::BinOp {
                    op: BinOp::And,
                    lhs: before,
                    rhs: found,
                    static_rhs: None,
                }),
            });
        }
        match all {
            Some(all) => self.result(inst, Rhs::Var(all)),
            None => self.result(inst, Rhs::Const(Const::Bool(true))),
        }
        Ok(())
    }

    /// What a pattern takes from its subject.
    pub(super) fn unpack_matched(&mut self, inst: &DfgInst) -> Result<(), Box<Diagnostic>> {
        let Some(pattern) = self.matched(inst.operands[0]) else {
            return Ok(());
        };
        if !matches!(pattern.op, DfgOp::MatchKeys) {
            return self.matched_attributes(inst, pattern);
        }
        let value = self.value(pattern.operands[0])?;
        let keys = self.keys(pattern)?;
        let get = |index| Expr::GetItem { value, index };
        let items: Vec<Var> = keys.into_iter().map(|key| self.temp(get(key))).collect();
        self.set_results(inst, &items);
        Ok(())
    }

    /// A function that inference knows, as a variable.
    pub(super) fn step_var(&mut self, name: &str) -> Var {
        let obj = self.object(name, ObjKind::Function, name);
        self.temp(Rhs::Global(obj))
    }

    /// `isinstance`
    pub(super) fn is_instance(&mut self) -> Var {
        let repr = "<built-in function isinstance>";
        let obj = self.object("builtins.isinstance", ObjKind::Function, repr);
        self.temp(Rhs::Global(obj))
    }

    /// `name(operands)`
    pub(super) fn call_step(&mut self, inst: &DfgInst, name: &str) -> Result<(), Box<Diagnostic>> {
        let func = self.step_var(name);
        let args = self.values(&inst.operands)?;
        self.result(inst, call(func, args));
        Ok(())
    }

    /// The attributes that a class pattern takes from its subject.
    fn matched_attributes(
        &mut self,
        inst: &DfgInst,
        pattern: &DfgInst,
    ) -> Result<(), Box<Diagnostic>> {
        let DfgOp::MatchClass { positional, names } = &pattern.op else {
            return Ok(());
        };
        let (subject, class) = self.two(pattern)?;
        let mut items = Vec::new();
        for i in 0..(*positional).min(inst.results.len() as u32) {
            let func = self.step_var(steps::MATCH_POSITIONAL);
            let at = self.temp(Rhs::Const(Const::Int(i64::from(i))));
            items.push(self.temp(call(func, vec![subject, class, at])));
        }
        for attr in names {
            let attr = attr.clone();
            items.push(self.temp(Expr::GetAttr {
                value: subject,
                attr,
            }));
        }
        self.set_results(inst, &items);
        Ok(())
    }

    /// `a, *b, c = value`
    pub(super) fn unpack_star(
        &mut self,
        inst: &DfgInst,
        before: u32,
        after: u32,
    ) -> Result<(), Box<Diagnostic>> {
        let (before, after) = (i64::from(before), i64::from(after));
        let value = self.value(inst.operands[0])?;
        let sequence = self.step_var(steps::UNPACK_SEQUENCE);
        let sequence = self.temp(call(sequence, vec![value]));
        let least = self.temp(Rhs::Const(Const::Int(before + after)));
        let at_least = self.step_var(steps::UNPACK_AT_LEAST);
        let items = self.temp(call(at_least, vec![sequence, least]));
        let mut results: Vec<Var> = (0..before)
            .map(|i| self.static_item(items, Const::Int(i)))
            .collect();
        let stop = if after > 0 {
            Const::Int(-after)
        } else {
            Const::None
        };
        let slice = Const::Slice(Box::new([Const::Int(before), stop, Const::None]));
        let between = self.static_item(items, slice);
        let rest = self.step_var(steps::UNPACK_REST);
        results.push(self.temp(call(rest, vec![between, items])));
        results.extend(
            (1..=after)
                .rev()
                .map(|i| self.static_item(items, Const::Int(-i))),
        );
        self.set_results(inst, &results);
        Ok(())
    }

    fn static_item(&mut self, value: Var, index: Const) -> Var {
        let index_var = Some(self.temp(Rhs::Const(index.clone())));
        self.temp(Expr::StaticGetItem {
            value,
            index,
            index_var,
        })
    }

    /// `nonlocal x; x = value`
    pub(super) fn set_free_variable(
        &mut self,
        id: VariableId,
        index: u32,
        value: ValueId,
    ) -> Result<(), Box<Diagnostic>> {
        let name = self.dfg.variables[id.0 as usize].name.clone();
        let value = match self.dfg.value(value).kind {
            ValueKind::Const(constant) => {
                let constant = &self.dfg.consts[constant.0 as usize];
                let constant = self.constant(constant, self.span)?;
                self.temp(Rhs::Const(constant))
            }
            ValueKind::Result | ValueKind::Param | ValueKind::Caught => self.value(value)?,
        };
        self.emit(StmtKind::SetFreeVar { index, name, value });
        // Handlers around a call of this function see the assignment.
        let next = self.next_block();
        self.emit(StmtKind::Jump(next));
        self.start(next);
        Ok(())
    }
}
