//! Instructions with a fixed meaning.

use super::{Builder, steps};
use crate::{BinOp, Const, Expr, Rhs, StmtKind, UnaryOp, Var};
use numbra_base::Diagnostic;
use numbra_bytecode::dfg::{DfgInst, DfgOp, ValueKind};
use numbra_bytecode::{BinaryOp, CompareOp, UnaryOp as CodeUnaryOp};

impl From<Expr> for Rhs {
    fn from(expr: Expr) -> Rhs {
        Rhs::Expr(expr)
    }
}

fn binary(op: BinaryOp) -> BinOp {
    match op {
        BinaryOp::Add => BinOp::Add,
        BinaryOp::And => BinOp::And,
        BinaryOp::FloorDivide => BinOp::FloorDiv,
        BinaryOp::LShift => BinOp::LShift,
        BinaryOp::MatMul => BinOp::MatMul,
        BinaryOp::Multiply => BinOp::Mul,
        BinaryOp::Remainder => BinOp::Mod,
        BinaryOp::Or => BinOp::Or,
        BinaryOp::Power => BinOp::Pow,
        BinaryOp::RShift => BinOp::RShift,
        BinaryOp::Subtract => BinOp::Sub,
        BinaryOp::TrueDivide => BinOp::TrueDiv,
        BinaryOp::Xor => BinOp::Xor,
    }
}

fn comparison(op: CompareOp) -> BinOp {
    match op {
        CompareOp::Lt => BinOp::Lt,
        CompareOp::Le => BinOp::Le,
        CompareOp::Eq => BinOp::Eq,
        CompareOp::Ne => BinOp::Ne,
        CompareOp::Gt => BinOp::Gt,
        CompareOp::Ge => BinOp::Ge,
    }
}

fn unary(op: CodeUnaryOp) -> UnaryOp {
    match op {
        CodeUnaryOp::Negative => UnaryOp::Neg,
        CodeUnaryOp::Positive => UnaryOp::Pos,
        CodeUnaryOp::Invert => UnaryOp::Invert,
        CodeUnaryOp::Not => UnaryOp::Not,
    }
}

impl Builder<'_> {
    /// Statements of one instruction. `block` and `at` say where it is in the graph.
    pub(super) fn build_inst(
        &mut self,
        block: usize,
        at: usize,
        inst: &DfgInst,
    ) -> Result<(), Box<Diagnostic>> {
        match &inst.op {
            DfgOp::LoadVariable(id) => match self.is_free(*id) {
                Some(index) => {
                    let obj = self.unresolved(&self.dfg.variables[id.0 as usize].name);
                    self.result(inst, Rhs::FreeVar { index, obj });
                }
                None if inst.results.iter().all(|&r| self.loads.alias(r).is_some()) => {}
                None => {
                    let variable = self.variable(*id);
                    self.result(inst, Rhs::Var(variable));
                }
            },
            DfgOp::StoreVariable(id) => {
                if self.caught[inst.operands[0].index()] {
                    return Err(self.unsupported_exception_variable(*id, inst.span));
                }
                if let Some(index) = self.is_free(*id) {
                    return self.set_free_variable(*id, index, inst.operands[0]);
                }
                let target = self.variable(*id);
                match self.dfg.value(inst.operands[0]).kind {
                    ValueKind::Const(constant) => {
                        let constant =
                            self.constant(&self.dfg.consts[constant.0 as usize], inst.span)?;
                        self.assign(target, Rhs::Const(constant));
                    }
                    ValueKind::Result | ValueKind::Param | ValueKind::Caught => {
                        let value = self.value(inst.operands[0])?;
                        self.assign(target, Rhs::Var(value));
                    }
                }
            }
            DfgOp::DeleteVariable(id) => {
                if self.is_free(*id).is_some() {
                    return Err(self.unsupported_del(*id, inst.span));
                }
                let variable = self.variable(*id);
                self.assign(variable, Rhs::Undefined);
            }
            DfgOp::CheckVariable { variable, captured } => {
                self.check_assigned(*variable, *captured)
            }
            // A cell is no value: `make_function` reads the variable.
            DfgOp::LoadCell(_) => {}
            DfgOp::LoadGlobal(name) => {
                let obj = self.unresolved(name);
                self.result(inst, Rhs::Global(obj));
            }
            DfgOp::LoadBuiltin(builtin) => {
                let obj = self.builtin(builtin.name());
                self.result(inst, Rhs::Global(obj));
            }
            DfgOp::GetAttr(attr) => {
                let value = self.value(inst.operands[0])?;
                self.result(
                    inst,
                    Expr::GetAttr {
                        value,
                        attr: attr.clone(),
                    },
                );
            }
            DfgOp::SetAttr(attr) => {
                let (target, value) = self.two(inst)?;
                self.emit(StmtKind::SetAttr {
                    target,
                    attr: attr.clone(),
                    value,
                });
            }
            DfgOp::DelAttr(attr) => {
                let target = self.value(inst.operands[0])?;
                self.emit(StmtKind::DelAttr {
                    target,
                    attr: attr.clone(),
                });
            }
            DfgOp::Binary(op) => self.bin_op(inst, binary(*op))?,
            DfgOp::Compare(op) => self.bin_op(inst, comparison(*op))?,
            DfgOp::Is => match self.matched(inst.operands[0]) {
                Some(_) => {
                    let value = self.value(inst.operands[0])?;
                    let op = UnaryOp::Not;
                    self.result(inst, Expr::Unary { op, value });
                }
                None => self.bin_op(inst, BinOp::Is)?,
            },
            DfgOp::IsNot => self.bin_op(inst, BinOp::IsNot)?,
            DfgOp::In => self.bin_op(inst, BinOp::In)?,
            DfgOp::NotIn => {
                // `not (a in b)`, as Numba has it: there is no operator of its own.
                let (lhs, rhs) = self.two(inst)?;
                let value = self.temp(Expr::BinOp {
                    op: BinOp::In,
                    lhs,
                    rhs,
                    static_rhs: None,
                });
                let op = UnaryOp::Not;
                self.result(inst, Expr::Unary { op, value });
            }
            DfgOp::InplaceBinary(op) => {
                let (lhs, rhs) = self.two(inst)?;
                self.result(
                    inst,
                    Expr::InplaceBinOp {
                        op: binary(*op),
                        lhs,
                        rhs,
                        static_rhs: None,
                    },
                );
            }
            DfgOp::Unary(op) => {
                let value = self.value(inst.operands[0])?;
                self.result(
                    inst,
                    Expr::Unary {
                        op: unary(*op),
                        value,
                    },
                );
            }
            DfgOp::GetItem => {
                let (value, index) = self.two(inst)?;
                self.result(inst, Expr::GetItem { value, index });
            }
            DfgOp::SetItem => {
                let vars = self.values(&inst.operands)?;
                self.emit(StmtKind::SetItem {
                    target: vars[0],
                    index: vars[1],
                    value: vars[2],
                });
            }
            DfgOp::DelItem => {
                let (target, index) = self.two(inst)?;
                self.emit(StmtKind::DelItem { target, index });
            }
            DfgOp::BuildTuple { star } => self.build_tuple(inst, star)?,
            DfgOp::BuildList { star } => self.build_list(inst, star)?,
            DfgOp::BuildSet { star } => self.build_set(inst, star)?,
            DfgOp::BuildMap { star } => self.build_map(inst, star)?,
            DfgOp::BuildSlice => {
                let func = self.builtin_var("slice");
                let args = self.values(&inst.operands)?;
                self.result(inst, call(func, args));
            }
            DfgOp::BuildString => {
                let parts = self.values(&inst.operands)?;
                self.result(inst, Expr::BuildString(parts));
            }
            DfgOp::Format => {
                let func = self.builtin_var("format");
                let args = self.values(&inst.operands)?;
                self.result(inst, call(func, args));
            }
            DfgOp::Convert { repr } => {
                let func = self.builtin_var(if *repr { "repr" } else { "str" });
                let value = self.value(inst.operands[0])?;
                self.result(inst, call(func, vec![value]));
            }
            DfgOp::ListAppend => self.call_method(inst, "append")?,
            DfgOp::ListExtend => self.call_method(inst, "extend")?,
            DfgOp::SetAdd => self.call_method(inst, "add")?,
            DfgOp::SetUpdate | DfgOp::DictUpdate | DfgOp::DictMerge => {
                self.call_method(inst, "update")?
            }
            DfgOp::MapAdd => {
                let vars = self.values(&inst.operands)?;
                self.emit(StmtKind::StoreMap {
                    dict: vars[0],
                    key: vars[1],
                    value: vars[2],
                });
            }
            DfgOp::ListToTuple => {
                let func = self.builtin_var("tuple");
                let list = self.value(inst.operands[0])?;
                self.result(inst, call(func, vec![list]));
            }
            DfgOp::Call { .. } if self.context_call(block, inst)? => {}
            DfgOp::Call { kwnames } => self.build_call(inst, kwnames)?,
            DfgOp::CallEx { kwnames, kwargs } => self.build_call_ex(inst, kwnames, *kwargs)?,
            DfgOp::GetIter => {
                let value = self.value(inst.operands[0])?;
                self.result(inst, Expr::GetIter(value));
            }
            DfgOp::IterNext => {
                let iterator = self.value(inst.operands[0])?;
                let pair = self.temp(Expr::IterNext(iterator));
                let (item, has_item) = (
                    self.temp(Expr::PairFirst(pair)),
                    self.temp(Expr::PairSecond(pair)),
                );
                self.set_results(inst, &[item, has_item]);
            }
            DfgOp::MatchSequence => self.call_step(inst, steps::IS_SEQUENCE)?,
            DfgOp::MatchMapping => self.call_step(inst, steps::IS_MAPPING)?,
            // What stands for the values is whether all are there.
            DfgOp::MatchKeys => self.matches_keys(inst)?,
            DfgOp::MatchLen => self.call_step(inst, steps::MATCH_LEN)?,
            // What stands for the attributes is whether there are any.
            DfgOp::MatchClass { .. } => {
                let func = self.is_instance();
                let (subject, class) = self.two(inst)?;
                self.result(inst, call(func, vec![subject, class]));
            }
            DfgOp::UnpackStar { before, after } => self.unpack_star(inst, *before, *after)?,
            DfgOp::Unpack { .. } if self.matched(inst.operands[0]).is_some() => {
                self.unpack_matched(inst)?;
            }
            DfgOp::Unpack { count } => {
                let value = self.value(inst.operands[0])?;
                let tuple = self.temp(Expr::ExhaustIter {
                    value,
                    count: *count,
                });
                let items: Vec<Var> = (0..*count)
                    .map(|i| {
                        let index = Const::Int(i64::from(i));
                        self.temp(Expr::StaticGetItem {
                            value: tuple,
                            index,
                            index_var: None,
                        })
                    })
                    .collect();
                self.set_results(inst, &items);
            }
            DfgOp::MakeFunction { .. } => self.make_function(block, at, inst)?,
            DfgOp::ObjectBlock(index) => self.object_block(inst, *index)?,
            DfgOp::Yield => {
                let value = self.value(inst.operands[0])?;
                self.yields += 1;
                self.result(
                    inst,
                    Rhs::Yield {
                        value,
                        index: self.yields,
                    },
                );
            }
            DfgOp::ExceptionMatch => {
                let class = self.value(inst.operands[1])?;
                self.result(inst, Expr::ExceptionMatch { class: Some(class) });
            }
            DfgOp::PopExcept => {}
            DfgOp::LoadSpecial(_) if self.context_method(inst)? => {}
            DfgOp::WithExceptStart if self.context_exception(inst)? => {}
            DfgOp::LoadSpecial(_) | DfgOp::WithExceptStart => {
                return Err(self.unsupported_with(block, inst));
            }
        }
        Ok(())
    }

    fn bin_op(&mut self, inst: &DfgInst, op: BinOp) -> Result<(), Box<Diagnostic>> {
        let (lhs, rhs) = self.two(inst)?;
        self.result(
            inst,
            Expr::BinOp {
                op,
                lhs,
                rhs,
                static_rhs: None,
            },
        );
        Ok(())
    }

    pub(super) fn two(&mut self, inst: &DfgInst) -> Result<(Var, Var), Box<Diagnostic>> {
        Ok((self.value(inst.operands[0])?, self.value(inst.operands[1])?))
    }

    pub(super) fn set_results(&mut self, inst: &DfgInst, vars: &[Var]) {
        for (result, &var) in inst.results.iter().zip(vars) {
            self.values[result.index()] = Some(var);
        }
    }

    /// A builtin as a variable.
    pub(super) fn builtin_var(&mut self, name: &str) -> Var {
        let obj = self.builtin(name);
        self.temp(Rhs::Global(obj))
    }

    /// `operand0.method(operand1)` for its effect.
    fn call_method(&mut self, inst: &DfgInst, method: &str) -> Result<(), Box<Diagnostic>> {
        let (object, arg) = self.two(inst)?;
        self.method(object, method, arg);
        Ok(())
    }

    pub(super) fn method(&mut self, object: Var, method: &str, arg: Var) {
        let func = self.temp(Expr::GetAttr {
            value: object,
            attr: method.to_owned(),
        });
        self.temp(call(func, vec![arg]));
    }
}

/// A call with positional arguments.
pub(super) fn call(func: Var, args: Vec<Var>) -> Expr {
    Expr::Call {
        func,
        args,
        kws: Vec::new(),
        vararg: None,
    }
}
