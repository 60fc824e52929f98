//! The body of a `with objmode(..):` statement as one instruction.

use super::frame::Frame;
use super::{Exec, Slot};
use crate::code::Const;
use crate::decode::VariableKind;
use crate::dfg::{
    BlockId, DfgBlock, DfgInst, DfgOp, Edge, Terminator, Test, ValueId, ValueKind, VariableId,
};
use crate::error::{Error, Malformed};
use crate::object_block::{
    Annotation, Carried, Exit, ObjectBlock, ObjectBlockError, With, is_name,
};
use crate::op::CompareOp;

/// A global or free variable and attributes of it.
struct Path {
    names: Vec<String>,
    free: bool,
    /// Instructions that only compute it, by position in the block.
    made: Vec<usize>,
}

impl Exec<'_> {
    /// The end of a block that enters `with`, if that is object mode; the context manager is on top of the stack.
    pub(super) fn object_mode(
        &mut self,
        with: &With,
        frame: &mut Frame,
    ) -> Result<Option<Terminator>, Error> {
        let Some(&Slot::Value(manager)) = frame.stack.last() else {
            return Ok(None);
        };
        let call =
            maker(frame, manager).filter(|&i| matches!(frame.insts[i].op, DfgOp::Call { .. }));
        let callee = call.map_or(manager, |i| frame.insts[i].operands[0]);
        let Some(path) = self.path(frame, callee) else {
            return Ok(None);
        };
        if !path.names.last().is_some_and(|name| is_name(name)) {
            return Ok(None);
        }
        let span = frame.span;
        let failed = |what| Error::ObjectBlock { span, what };
        if let Some(what) = with.error.clone() {
            return Err(failed(what));
        }
        let mut block = ObjectBlock::of_with(self.bytecode, with, &self.cfg.withs)?;
        block.manager = path.names;
        let mut unneeded = path.made;
        if let Some(at) = call {
            let DfgInst { op, operands, .. } = frame.insts[at].clone();
            let DfgOp::Call { kwnames } = op else {
                return Ok(None);
            };
            if operands.len() > 1 + kwnames.len() {
                return Err(failed(ObjectBlockError::PositionalArguments));
            }
            unneeded.push(at);
            for (name, &value) in kwnames.into_iter().zip(&operands[1..]) {
                let annotation = match (self.constant_of(value), self.path(frame, value)) {
                    (Some(Const::Str(text)), _) => Annotation::Text(text.clone()),
                    (_, Some(path)) => {
                        unneeded.extend(path.made);
                        match path.free {
                            true => Annotation::Free(path.names),
                            false => Annotation::Global(path.names),
                        }
                    }
                    _ => Annotation::Other,
                };
                block.annotations.push((name, annotation));
            }
        }
        frame.pop_slot()?;
        unneeded.sort_unstable();
        for at in unneeded.into_iter().rev() {
            frame.insts.remove(at);
        }
        self.enter_object_mode(with, block, frame).map(Some)
    }

    /// The step itself, and where control goes behind it.
    fn enter_object_mode(
        &mut self,
        with: &With,
        block: ObjectBlock,
        frame: &mut Frame,
    ) -> Result<Terminator, Error> {
        frame.fresh.clear();
        let mut operands = Vec::with_capacity(block.inputs.len());
        for &input in &block.inputs {
            let variable = self.variable(frame, input);
            operands.push(self.emit(frame, DfgOp::LoadVariable(variable), Vec::new()));
        }
        let targets: Vec<VariableId> = block
            .outputs
            .iter()
            .map(|&output| self.variable(frame, output))
            .collect();
        let number = (with.exits.len() > 1)
            .then(|| self.new_value(ValueKind::Result, frame.span, frame.offset));
        let outputs: Vec<ValueId> = targets
            .iter()
            .map(|_| self.new_value(ValueKind::Result, frame.span, frame.offset))
            .collect();
        let index = self.dfg.object_blocks.len() as u32;
        self.dfg.object_blocks.push(block);
        let results = number.iter().chain(&outputs).copied().collect();
        frame.push_inst(DfgOp::ObjectBlock(index), operands, results);
        for (variable, value) in targets.into_iter().zip(outputs) {
            frame.push_inst(DfgOp::StoreVariable(variable), vec![value], Vec::new());
        }
        let mut exits = with.exits.iter().rev();
        let last = exits
            .next()
            .ok_or_else(|| frame.malformed(Malformed::JumpTarget))?;
        let mut other = self.object_exit(last, frame)?;
        let Some(number) = number else {
            return Ok(Terminator::Jump(other));
        };
        // The exit with the number 0 is tested first, in this block; each later one in a block of its own.
        for (i, exit) in with.exits.iter().enumerate().rev().skip(1) {
            let then = self.object_exit(exit, frame)?;
            let test = |exec: &mut Self, frame: &mut Frame| {
                let wanted = exec.constant(Const::Int(i as i64), frame);
                exec.emit(frame, DfgOp::Compare(CompareOp::Eq), vec![number, wanted])
            };
            if i == 0 {
                let cond = test(self, frame);
                return Ok(branch(cond, then, other));
            }
            let before = std::mem::take(&mut frame.insts);
            let cond = test(self, frame);
            let insts = std::mem::replace(&mut frame.insts, before);
            let target = BlockId(self.dfg.blocks.len() as u32);
            self.dfg.blocks.push(DfgBlock {
                params: Vec::new(),
                caught: None,
                insts,
                term: branch(cond, then, other),
                span: frame.span,
                offset: frame.offset,
                handler: None,
            });
            other = Edge {
                target,
                args: Vec::new(),
            };
        }
        Ok(Terminator::Jump(other))
    }

    /// The edge to where control goes behind an exit.
    fn object_exit(&mut self, exit: &Exit, frame: &mut Frame) -> Result<Edge, Error> {
        let target = self.cfg.block_at(exit.to);
        let target = target.ok_or_else(|| frame.malformed(Malformed::JumpTarget))?;
        let mut stack = frame.stack.clone();
        match exit.carried {
            None => {}
            Some(Carried::Local(i)) => {
                let variable = self.variable(frame, i);
                let value = self.emit(frame, DfgOp::LoadVariable(variable), Vec::new());
                stack.push(Slot::Value(value));
            }
            Some(Carried::Const(i)) => {
                let constant = self.bytecode.constant(i).clone();
                stack.push(Slot::Value(self.load_const(&constant, frame)));
            }
            Some(Carried::Literal(literal)) => {
                stack.push(Slot::Value(self.constant(literal.into(), frame)));
            }
        }
        self.edge(frame, target, &stack)
    }

    fn constant_of(&self, value: ValueId) -> Option<&Const> {
        self.dfg.constant(value)
    }

    /// The path that a value was read by, if its instructions are in this block.
    fn path(&self, frame: &Frame, value: ValueId) -> Option<Path> {
        let at = maker(frame, value)?;
        let inst = &frame.insts[at];
        let mut path = match &inst.op {
            DfgOp::LoadGlobal(name) => Path {
                names: vec![name.clone()],
                free: false,
                made: Vec::new(),
            },
            DfgOp::LoadVariable(id) => {
                let variable = self.bytecode.variables.get(id.0 as usize)?;
                if !matches!(variable.kind, VariableKind::Free(_)) {
                    return None;
                }
                Path {
                    names: vec![variable.name.clone()],
                    free: true,
                    made: Vec::new(),
                }
            }
            DfgOp::GetAttr(name) => {
                let mut path = self.path(frame, *inst.operands.first()?)?;
                path.names.push(name.clone());
                path
            }
            _ => return None,
        };
        path.made.push(at);
        Some(path)
    }
}

fn branch(cond: ValueId, then: Edge, other: Edge) -> Terminator {
    Terminator::Branch {
        cond,
        test: Test::Truth,
        then,
        other,
    }
}

/// The instruction of this block that made a value, by position.
fn maker(frame: &Frame, value: ValueId) -> Option<usize> {
    frame
        .insts
        .iter()
        .rposition(|inst| inst.results.contains(&value))
}
