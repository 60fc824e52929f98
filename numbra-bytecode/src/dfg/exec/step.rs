//! One instruction at a time.

use super::calls::set_function_attribute;
use super::displays::is_empty_display;
use super::frame::Frame;
use super::{Exec, Slot};
use crate::code::Const;
use crate::decode::Instr;
use crate::dfg::{DfgOp, Terminator, Test, ValueId, ValueKind};
use crate::error::{Error, Malformed};
use crate::op::{JumpIf, LoopForm, Op, Special};

impl Exec<'_> {
    /// Executes one instruction; a terminator is returned where the block ends.
    pub(super) fn step(
        &mut self,
        instr: &Instr,
        frame: &mut Frame,
    ) -> Result<Option<Terminator>, Error> {
        match instr.op {
            Op::Nop => {}
            Op::LoadConst(i) => {
                let constant = self.bytecode.constant(i);
                let value = self.load_const(constant, frame);
                frame.push(value);
            }
            Op::LoadLiteral(literal) => {
                let value = self.constant(literal.into(), frame);
                frame.push(value);
            }
            Op::LoadNull => frame.stack.push(Slot::Null),
            Op::LoadBuiltin(builtin) => self.push_op(frame, DfgOp::LoadBuiltin(builtin), 0)?,
            Op::LoadLocal(i) => {
                let variable = self.variable(frame, i);
                self.push_op(frame, DfgOp::LoadVariable(variable), 0)?;
            }
            Op::LoadCell(i) => {
                let variable = self.variable(frame, i);
                self.push_op(frame, DfgOp::LoadCell(variable), 0)?;
            }
            Op::LoadLocalAndClear(i) => {
                let hidden = self.hidden_variable(instr.offset, i);
                let before = frame.rename(i, Some(hidden));
                frame.stack.push(Slot::Saved(i, before));
            }
            Op::StoreLocal(i) => match frame.pop_slot()? {
                Slot::Value(value) => {
                    let variable = self.variable(frame, i);
                    frame.push_inst(DfgOp::StoreVariable(variable), vec![value], Vec::new());
                }
                Slot::Saved(saved, before) if saved == i => {
                    frame.rename(i, before);
                }
                Slot::Saved(..) | Slot::Null | Slot::ExcInfo(_) | Slot::LastInstr => {
                    return Err(frame.malformed(Malformed::StackKind));
                }
            },
            Op::DeleteLocal(i) => {
                let variable = self.variable(frame, i);
                frame.push_inst(DfgOp::DeleteVariable(variable), Vec::new(), Vec::new());
            }
            Op::LoadGlobal(i) => self.push_op(frame, DfgOp::LoadGlobal(self.name(i)), 0)?,
            Op::LoadAttr(i) => self.push_op(frame, DfgOp::GetAttr(self.name(i)), 1)?,
            Op::StoreAttr(i) => {
                let (object, value) = (frame.pop()?, frame.pop()?);
                frame.push_inst(
                    DfgOp::SetAttr(self.name(i)),
                    vec![object, value],
                    Vec::new(),
                );
            }
            Op::DeleteAttr(i) => {
                let object = frame.pop()?;
                frame.push_inst(DfgOp::DelAttr(self.name(i)), vec![object], Vec::new());
            }
            Op::LoadSpecial(special) => self.push_op(frame, DfgOp::LoadSpecial(special), 1)?,
            Op::Binary { op, inplace: false } => self.push_op(frame, DfgOp::Binary(op), 2)?,
            Op::Binary { op, inplace: true } => self.push_op(frame, DfgOp::InplaceBinary(op), 2)?,
            Op::Unary(op) => self.push_op(frame, DfgOp::Unary(op), 1)?,
            Op::Compare(op) => self.push_op(frame, DfgOp::Compare(op), 2)?,
            Op::Is { invert } => {
                self.push_op(frame, if invert { DfgOp::IsNot } else { DfgOp::Is }, 2)?
            }
            Op::Contains { invert } => {
                self.push_op(frame, if invert { DfgOp::NotIn } else { DfgOp::In }, 2)?
            }
            Op::Subscr => self.push_op(frame, DfgOp::GetItem, 2)?,
            Op::StoreSubscr => {
                let (index, object, value) = (frame.pop()?, frame.pop()?, frame.pop()?);
                frame.push_inst(DfgOp::SetItem, vec![object, index, value], Vec::new());
            }
            Op::DeleteSubscr => {
                let (index, object) = (frame.pop()?, frame.pop()?);
                frame.push_inst(DfgOp::DelItem, vec![object, index], Vec::new());
            }
            Op::BuildSlice(count) => {
                let operands = frame.pop_n(count)?;
                let slice = self.build_slice(operands, frame);
                frame.push(slice);
            }
            Op::BuildTuple(n) => {
                self.push_display(frame, DfgOp::BuildTuple { star: Vec::new() }, n)?
            }
            Op::BuildList(n) => {
                self.push_display(frame, DfgOp::BuildList { star: Vec::new() }, n)?
            }
            Op::BuildSet(n) => self.push_display(frame, DfgOp::BuildSet { star: Vec::new() }, n)?,
            Op::BuildMap(n) => {
                let count = n
                    .checked_mul(2)
                    .ok_or_else(|| frame.malformed(Malformed::StackUnderflow))?;
                self.push_display(frame, DfgOp::BuildMap { star: Vec::new() }, count)?;
            }
            Op::BuildConstKeyMap(n) => self.build_const_key_map(frame, n)?,
            Op::BuildString(n) => self.push_op(frame, DfgOp::BuildString, n)?,
            Op::Format { spec } => self.push_op(frame, DfgOp::Format, 1 + u32::from(spec))?,
            Op::Convert { repr } => self.push_op(frame, DfgOp::Convert { repr }, 1)?,
            Op::ListAppend(depth) => self.grow(frame, DfgOp::ListAppend, depth, 1)?,
            Op::ListExtend(depth) => self.grow(frame, DfgOp::ListExtend, depth, 1)?,
            Op::SetAdd(depth) => self.grow(frame, DfgOp::SetAdd, depth, 1)?,
            Op::SetUpdate(depth) => self.grow(frame, DfgOp::SetUpdate, depth, 1)?,
            Op::MapAdd(depth) => self.grow(frame, DfgOp::MapAdd, depth, 2)?,
            Op::DictUpdate(depth) => self.grow(frame, DfgOp::DictUpdate, depth, 1)?,
            Op::DictMerge(depth) => self.grow(frame, DfgOp::DictMerge, depth, 1)?,
            Op::ListToTuple => self.list_to_tuple(frame)?,
            Op::Unpack(count) => self.unpack(frame, count)?,
            Op::UnpackStar { before, after } => self.unpack_star(frame, before, after)?,
            Op::GetLen => self.look_at(frame, DfgOp::MatchLen)?,
            Op::MatchSequence => self.look_at(frame, DfgOp::MatchSequence)?,
            Op::MatchMapping => self.look_at(frame, DfgOp::MatchMapping)?,
            Op::MatchKeys => {
                let operands = vec![frame.peek(2)?, frame.peek(1)?];
                let result = self.emit(frame, DfgOp::MatchKeys, operands);
                frame.push(result);
            }
            Op::MatchClass(positional) => {
                let names = frame.pop()?;
                let names = self.dfg.constant(names).and_then(Const::as_names);
                let names = names.ok_or_else(|| frame.malformed(Malformed::KeywordNames))?;
                self.push_op(frame, DfgOp::MatchClass { positional, names }, 2)?;
            }
            Op::MakeFunction(parts) => self.make_function(frame, parts)?,
            Op::SetFunctionAttribute(part) => set_function_attribute(frame, part)?,
            Op::KwNames(i) => {
                let names = self.bytecode.constant(i).as_names();
                frame.kwnames =
                    Some(names.ok_or_else(|| frame.malformed(Malformed::KeywordNames))?);
            }
            Op::Call(count) => {
                let kwnames = frame.kwnames.take().unwrap_or_default();
                self.call(frame, count, kwnames)?;
            }
            Op::CallKw(count) => {
                let names = frame.pop()?;
                let names = self.dfg.constant(names).and_then(Const::as_names);
                let names = names.ok_or_else(|| frame.malformed(Malformed::KeywordNames))?;
                self.call(frame, count, names)?;
            }
            Op::CallEx { kwargs } => self.call_ex(frame, kwargs)?,
            Op::GetIter => self.get_iter(frame)?,
            Op::BeforeWith => {
                let manager = frame.pop()?;
                let exit = self.emit(frame, DfgOp::LoadSpecial(Special::Exit), vec![manager]);
                let enter = self.emit(frame, DfgOp::LoadSpecial(Special::Enter), vec![manager]);
                let value = self.emit(
                    frame,
                    DfgOp::Call {
                        kwnames: Vec::new(),
                    },
                    vec![enter],
                );
                frame.push(exit);
                frame.push(value);
            }
            Op::WithExceptStart => {
                let exception = frame.peek(1)?;
                // exit function, null from 3.14 on, last instruction, exception info, exception
                let at = if frame.slot(4)? == Slot::Null { 5 } else { 4 };
                let exit = frame.peek(at)?;
                let result = self.emit(frame, DfgOp::WithExceptStart, vec![exit, exception]);
                frame.push(result);
            }
            Op::PushExcInfo => {
                let exception = frame.pop()?;
                frame.stack.push(Slot::ExcInfo(exception));
                frame.push(exception);
            }
            Op::PopExcept => {
                if !matches!(frame.pop_slot()?, Slot::ExcInfo(_)) {
                    return Err(frame.malformed(Malformed::StackKind));
                }
                frame.push_inst(DfgOp::PopExcept, Vec::new(), Vec::new());
            }
            Op::CheckExcMatch => {
                let class = frame.pop()?;
                let exception = frame.peek(1)?;
                let result = self.emit(frame, DfgOp::ExceptionMatch, vec![exception, class]);
                frame.push(result);
            }
            Op::ReturnGenerator => frame.stack.push(Slot::Null),
            // Only handlers that are left out hold it.
            Op::StopIterationError => return Err(frame.malformed(Malformed::ExceptionTable)),
            Op::Yield if !self.dfg.is_generator => return Err(frame.malformed(Malformed::Operand)),
            Op::Yield => self.push_op(frame, DfgOp::Yield, 1)?,
            Op::PopTop => {
                frame.pop_slot()?;
            }
            Op::Copy(n) => {
                let slot = frame.slot(n)?;
                if let Slot::Value(value) = slot {
                    frame.fresh.remove(&value);
                }
                frame.stack.push(slot);
            }
            Op::Swap(n) => {
                frame.slot(n)?;
                let len = frame.stack.len();
                frame.stack.swap(len - 1, len - n as usize);
            }
            Op::Jump(_)
            | Op::JumpIf { .. }
            | Op::JumpIfOrPop { .. }
            | Op::ForIter { .. }
            | Op::Return => {
                return self.end_of_block(instr, frame).map(Some);
            }
            Op::Raise(count) => {
                let mut operands = frame.pop_n(count)?.into_iter();
                return Ok(Some(Terminator::Raise {
                    exception: operands.next(),
                    cause: operands.next(),
                }));
            }
            Op::Reraise(_) => {
                let exception = frame.pop()?;
                // Behind the body of a handler: the exception that left it, the instruction that raised it, what was
                // handled there.
                let handled = match frame.stack.as_slice() {
                    [.., Slot::ExcInfo(handled), Slot::LastInstr] => Some(*handled),
                    _ => None,
                };
                return Ok(Some(Terminator::Reraise { exception, handled }));
            }
            Op::Unsupported { .. } => return Err(frame.malformed(Malformed::Operand)),
        }
        Ok(None)
    }

    /// An empty display that is made first, as 3.15 does for comprehensions, comes behind the iterator: it cannot be seen
    /// before.
    fn get_iter(&mut self, frame: &mut Frame) -> Result<(), Error> {
        let (iterable, made) = frame.pop_fresh()?;
        let iterable = match made {
            Some(at) => self.unchanging(frame, iterable, at),
            None => iterable,
        };
        let display = frame
            .insts
            .pop_if(|inst| is_empty_display(inst) && inst.results != [iterable]);
        let iterator = self.emit(frame, DfgOp::GetIter, vec![iterable]);
        if let Some(display) = display {
            for value in &display.results {
                let at = frame.insts.len();
                frame.fresh.entry(*value).and_modify(|made| *made = at);
            }
            frame.insts.push(display);
        }
        frame.push(iterator);
        Ok(())
    }

    /// True for the test whether a name still stands for its builtin (3.14 on), in front of a loop over a generator
    /// expression that does what the builtin does. The call behind the other branch, which compilers before wrote alone,
    /// says the same.
    fn asks_for_builtin(&self, cond: ValueId, otherwise: usize, frame: &Frame) -> bool {
        let [.., name, builtin, test] = frame.insts.as_slice() else {
            return false;
        };
        let (DfgOp::LoadGlobal(global), DfgOp::LoadBuiltin(known), DfgOp::Is) =
            (&name.op, &builtin.op, &test.op)
        else {
            return false;
        };
        let compared = name.results.iter().chain(&builtin.results).copied();
        let first = self.cfg.blocks[otherwise].instrs.start;
        let call = self.bytecode.instrs[first..].iter().map(|i| i.op);
        let mut call = call.filter(|op| *op != Op::Nop);
        let pushes_null = call.next() == Some(Op::LoadNull);
        let mut call = call.skip_while(|op| matches!(op, Op::LoadCell(_) | Op::BuildTuple(_)));
        let is_expression = matches!(
            call.next(),
            Some(Op::LoadConst(c))
                if matches!(self.bytecode.constant(c), Const::Code(code) if code.is_generator_expression())
        );
        global == known.name()
            && test.results == [cond]
            && test.operands.iter().copied().eq(compared)
            && pushes_null
            && is_expression
    }

    fn end_of_block(&mut self, instr: &Instr, frame: &mut Frame) -> Result<Terminator, Error> {
        let next = frame.block + 1;
        let target = match instr.op.target() {
            // Bytecode::decode checked targets, and Cfg::build starts a block at each.
            Some(offset) => self.bytecode.at(offset).and_then(|i| self.cfg.block_at(i)),
            None => None,
        };
        let target = |frame: &Frame| target.ok_or_else(|| frame.malformed(Malformed::JumpTarget));
        match instr.op {
            Op::Jump(_) => {
                let target = target(frame)?;
                Ok(Terminator::Jump(self.edge(frame, target, &frame.stack)?))
            }
            Op::JumpIf { when, target: _ } => {
                let mut cond = frame.pop()?;
                if when == JumpIf::False {
                    let target = target(frame)?;
                    if self.asks_for_builtin(cond, target, frame) {
                        frame.insts.truncate(frame.insts.len() - 2);
                        return Ok(Terminator::Jump(self.edge(frame, target, &frame.stack)?));
                    }
                }
                if let JumpIf::None | JumpIf::NotNone = when {
                    let none = self.constant(Const::None, frame);
                    cond = self.emit(frame, DfgOp::Is, vec![cond, none]);
                }
                let taken = self.edge(frame, target(frame)?, &frame.stack)?;
                let fall = self.edge(frame, next, &frame.stack)?;
                let (then, other) = match when {
                    JumpIf::True | JumpIf::None => (taken, fall),
                    JumpIf::False | JumpIf::NotNone => (fall, taken),
                };
                Ok(Terminator::Branch {
                    cond,
                    test: Test::Truth,
                    then,
                    other,
                })
            }
            Op::JumpIfOrPop { when, target: _ } => {
                let cond = frame.peek(1)?;
                frame.fresh.clear();
                let taken = self.edge(frame, target(frame)?, &frame.stack)?;
                frame.pop()?;
                let fall = self.edge(frame, next, &frame.stack)?;
                let (then, other) = if when { (taken, fall) } else { (fall, taken) };
                Ok(Terminator::Branch {
                    cond,
                    test: Test::Truth,
                    then,
                    other,
                })
            }
            Op::ForIter { form, target: _ } => {
                let counted = form == LoopForm::Counted;
                if counted && frame.slot(1)? != Slot::Null {
                    return Err(frame.malformed(Malformed::StackKind));
                }
                let iterator = frame.peek(if counted { 2 } else { 1 })?;
                let item = self.new_value(ValueKind::Result, frame.span, frame.offset);
                let has_item = self.new_value(ValueKind::Result, frame.span, frame.offset);
                frame.push_inst(DfgOp::IterNext, vec![iterator], vec![item, has_item]);
                frame.stack.push(Slot::Value(item));
                let then = self.edge(frame, next, &frame.stack)?;
                frame.stack.pop();
                match form {
                    LoopForm::Popped => drop(frame.stack.pop()),
                    LoopForm::Kept | LoopForm::Counted => frame.stack.push(Slot::Null),
                }
                let other = self.edge(frame, target(frame)?, &frame.stack)?;
                Ok(Terminator::Branch {
                    cond: has_item,
                    test: Test::HasItem,
                    then,
                    other,
                })
            }
            _ => Ok(Terminator::Return {
                value: frame.pop()?,
                implicit: false,
            }),
        }
    }
}
