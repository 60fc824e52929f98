//! Symbolic execution of the operand stack: from stack instructions to values.

use super::comprehension::unique_name;
use super::{
    BlockId, ConstId, Dfg, DfgBlock, DfgInst, DfgOp, Edge, Terminator, Test, Value, ValueId,
    ValueKind, Variable, VariableId, VariableKind,
};
use crate::cfg::Cfg;
use crate::code::Const;
use crate::decode::{Bytecode, Instr};
use crate::error::{Error, Malformed};
use crate::op::{FunctionParts, JumpIf, Op, Special};
use numbra_base::{FxHashMap, FxHashSet, Span};

/// What the interpreter keeps on its operand stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slot {
    Value(ValueId),
    Null,
    /// What a comprehension variable hid: the variable, and what it stood for.
    Saved(u32, Option<VariableId>),
    /// The exception that was being handled before.
    ExcInfo,
    /// Offset of the instruction that raised.
    LastInstr,
}

/// Stack and variable names at the start of a block.
struct Entry {
    stack: Vec<Slot>,
    names: Names,
}

/// Comprehension variables in force, by variable index, sorted.
type Names = Vec<(u32, VariableId)>;

/// Builds the graph over the blocks of `cfg`; blocks and values are not canonical yet.
pub(super) fn execute(bytecode: &Bytecode<'_>, cfg: &Cfg) -> Result<Dfg, Error> {
    let mut exec = Exec {
        bytecode,
        cfg,
        dfg: Dfg::new(bytecode.code, bytecode),
        const_ids: FxHashMap::default(),
        entries: (0..cfg.blocks.len()).map(|_| None).collect(),
        hidden: FxHashMap::default(),
        taken_names: bytecode.variables.iter().map(|v| v.name.clone()).collect(),
        budget: 1 << 16 | bytecode.instrs.len().saturating_mul(64),
        unsupported: None,
    };
    exec.entries[0] = Some(Entry {
        stack: Vec::new(),
        names: Names::new(),
    });
    exec.dfg.blocks = cfg.blocks.iter().map(|b| empty_block(b.offset)).collect();
    for &block in cfg.flow().reverse_postorder() {
        exec.run_block(block)?;
    }
    if let Some(error) = exec.unsupported {
        return Err(error);
    }
    mark_implicit_returns(&mut exec.dfg);
    keep_entry_apart(&mut exec.dfg);
    Ok(exec.dfg)
}

/// Nothing jumps to the entry block: if the code starts with a loop, an empty block goes in front.
fn keep_entry_apart(dfg: &mut Dfg) {
    let moved = BlockId(dfg.blocks.len() as u32);
    let mut entered = false;
    for block in &mut dfg.blocks {
        for edge in block.term.edges_mut().into_iter().chain(&mut block.handler) {
            if edge.target.0 == 0 {
                edge.target = moved;
                entered = true;
            }
        }
    }
    if entered {
        let mut front = empty_block(0);
        front.term = Terminator::Jump(Edge {
            target: moved,
            args: Vec::new(),
        });
        let first = std::mem::replace(&mut dfg.blocks[0], front);
        dfg.blocks.push(first);
    }
}

fn empty_block(offset: u32) -> DfgBlock {
    DfgBlock {
        params: Vec::new(),
        caught: None,
        insts: Vec::new(),
        term: Terminator::Raise {
            exception: None,
            cause: None,
        },
        span: Span::NONE,
        offset,
        handler: None,
    }
}

struct Exec<'a> {
    bytecode: &'a Bytecode<'a>,
    cfg: &'a Cfg,
    dfg: Dfg,
    const_ids: FxHashMap<Const, ConstId>,
    entries: Vec<Option<Entry>>,
    /// Comprehension variables by the offset of the instruction that starts their scope.
    hidden: FxHashMap<(u32, u32), VariableId>,
    taken_names: FxHashSet<String>,
    /// Stack items that may still cross block borders.
    budget: usize,
    /// The first unsupported instruction that is reached.
    unsupported: Option<Error>,
}

/// Execution of one block.
struct Frame {
    block: usize,
    stack: Vec<Slot>,
    names: Names,
    insts: Vec<DfgInst>,
    /// Displays under construction: the value's instruction, while the stack holds the only reference.
    fresh: FxHashMap<ValueId, usize>,
    /// Slices by operands: `a[i:j] += x` builds one slice, whatever the compiler does.
    slices: FxHashMap<Vec<ValueId>, ValueId>,
    kwnames: Option<Vec<String>>,
    limit: usize,
    span: Span,
    offset: u32,
}

impl Exec<'_> {
    fn run_block(&mut self, block: usize) -> Result<(), Error> {
        let basic = &self.cfg.blocks[block];
        let Some(entry) = &self.entries[block] else {
            return Ok(());
        };
        let mut frame = Frame {
            block,
            stack: entry.stack.clone(),
            names: entry.names.clone(),
            insts: Vec::new(),
            fresh: FxHashMap::default(),
            slices: FxHashMap::default(),
            kwnames: None,
            // Method calls may need a null more than CPython's own stack.
            limit: self.bytecode.code.stacksize as usize + 8,
            span: Span::NONE,
            offset: basic.offset,
        };
        if let Some(region) = basic.region {
            self.enter_handler(region, &frame)?;
        }
        let instrs: Vec<Instr> = self.bytecode.instrs[basic.instrs.clone()].to_vec();
        let mut term = None;
        for instr in &instrs {
            (frame.span, frame.offset) = (instr.span, instr.offset);
            if let Op::Unsupported { opcode, reason } = instr.op {
                let earlier = matches!(self.unsupported, Some(Error::Unsupported { offset, .. }) if offset <= instr.offset);
                if !earlier {
                    let (offset, span) = (instr.offset, instr.span);
                    self.unsupported = Some(Error::Unsupported {
                        offset,
                        span,
                        opcode,
                        reason,
                    });
                }
                return Ok(());
            }
            term = self.step(instr, &mut frame)?;
            if frame.stack.len() > frame.limit {
                return Err(frame.malformed(Malformed::StackOverflow));
            }
        }
        if frame.kwnames.is_some() {
            return Err(frame.malformed(Malformed::KeywordNames));
        }
        let term = match term {
            Some(term) => term,
            None => Terminator::Jump(self.edge(&frame, block + 1, &frame.stack)?),
        };
        let out = &mut self.dfg.blocks[block];
        out.insts = frame.insts;
        // Displays that grew left their first instruction behind without a result.
        out.insts.retain(|inst| !is_tombstone(inst));
        (out.term, out.span, out.offset) = (term, frame.span, frame.offset);
        Ok(())
    }

    /// Exception edge from the stack at the start of the block.
    fn enter_handler(&mut self, region: usize, frame: &Frame) -> Result<(), Error> {
        let region = self.cfg.regions[region];
        let depth = region.depth as usize;
        let kept = frame
            .stack
            .get(..depth)
            .ok_or_else(|| frame.malformed(Malformed::ExceptionTable))?;
        let target = self
            .bytecode
            .at(region.target)
            .and_then(|i| self.cfg.block_at(i));
        let target = target.ok_or_else(|| frame.malformed(Malformed::ExceptionTable))?;
        let mut stack = kept.to_vec();
        if region.lasti {
            stack.push(Slot::LastInstr);
        }
        // The exception itself is no argument of the edge: the handler's block defines it.
        let caught = match self.dfg.blocks[target].caught {
            Some(value) => value,
            None if self.entries[target].is_some() => {
                return Err(frame.malformed(Malformed::StackMismatch));
            }
            None => {
                let value = self.new_value(ValueKind::Caught, frame.span, region.target);
                self.dfg.blocks[target].caught = Some(value);
                value
            }
        };
        let edge = self.edge_with(frame, target, &stack, Some(caught))?;
        self.dfg.blocks[frame.block].handler = Some(edge);
        Ok(())
    }

    fn new_value(&mut self, kind: ValueKind, span: Span, offset: u32) -> ValueId {
        let id = ValueId(self.dfg.values.len() as u32);
        self.dfg.values.push(Value { kind, span, offset });
        id
    }

    fn edge(&mut self, frame: &Frame, target: usize, stack: &[Slot]) -> Result<Edge, Error> {
        if target >= self.cfg.blocks.len() {
            return Err(frame.malformed(Malformed::FallsOffEnd));
        }
        if self.dfg.blocks[target].caught.is_some() {
            return Err(frame.malformed(Malformed::StackMismatch));
        }
        self.edge_with(frame, target, stack, None)
    }

    /// An edge that hands over `stack`; the first one fixes what the target starts with.
    fn edge_with(
        &mut self,
        frame: &Frame,
        target: usize,
        stack: &[Slot],
        caught: Option<ValueId>,
    ) -> Result<Edge, Error> {
        self.budget = self
            .budget
            .checked_sub(stack.len())
            .ok_or(Error::TooComplex {
                limit: "stack values over block borders",
            })?;
        if self.entries[target].is_none() {
            let mut params = Vec::new();
            let mut entry = Vec::with_capacity(stack.len() + 1);
            for slot in stack {
                entry.push(match slot {
                    Slot::Value(_) => {
                        let param = self.new_value(ValueKind::Param, frame.span, frame.offset);
                        params.push(param);
                        Slot::Value(param)
                    }
                    Slot::Null | Slot::Saved(..) | Slot::ExcInfo | Slot::LastInstr => *slot,
                });
            }
            entry.extend(caught.map(Slot::Value));
            self.dfg.blocks[target].params = params;
            self.entries[target] = Some(Entry {
                stack: entry,
                names: frame.names.clone(),
            });
        }
        let Some(entry) = &self.entries[target] else {
            return Err(frame.malformed(Malformed::StackMismatch));
        };
        let expected = &entry.stack[..entry.stack.len() - usize::from(caught.is_some())];
        let same = expected.len() == stack.len()
            && expected.iter().zip(stack).all(|(a, b)| match (a, b) {
                (Slot::Value(_), Slot::Value(_)) => true,
                _ => a == b,
            });
        if !same || entry.names != frame.names {
            return Err(frame.malformed(Malformed::StackMismatch));
        }
        let args = stack
            .iter()
            .filter_map(|slot| {
                if let Slot::Value(v) = slot {
                    Some(*v)
                } else {
                    None
                }
            })
            .collect();
        Ok(Edge {
            target: BlockId(target as u32),
            args,
        })
    }

    fn constant(&mut self, value: Const, frame: &Frame) -> ValueId {
        let next = ConstId(self.dfg.consts.len() as u32);
        let id = *self.const_ids.entry(value.clone()).or_insert(next);
        if id == next {
            self.dfg.consts.push(value);
        }
        self.new_value(ValueKind::Const(id), frame.span, frame.offset)
    }

    /// A constant as instructions where older compilers build it at run time: slices, and tuples of them.
    fn load_const(&mut self, value: &Const, frame: &mut Frame) -> ValueId {
        match value {
            Const::Slice(parts) => {
                let count = if parts[2] == Const::None { 2 } else { 3 };
                let operands = parts[..count]
                    .iter()
                    .map(|part| self.constant(part.clone(), frame))
                    .collect();
                self.build_slice(operands, frame)
            }
            Const::Tuple(items) if items.iter().any(holds_slice) => {
                let operands = items
                    .iter()
                    .map(|item| self.load_const(item, frame))
                    .collect();
                self.emit(frame, DfgOp::BuildTuple { star: Vec::new() }, operands)
            }
            _ => self.constant(value.clone(), frame),
        }
    }

    fn build_slice(&mut self, operands: Vec<ValueId>, frame: &mut Frame) -> ValueId {
        if let Some(&slice) = frame.slices.get(&operands) {
            return slice;
        }
        let slice = self.emit(frame, DfgOp::BuildSlice, operands.clone());
        frame.slices.insert(operands, slice);
        slice
    }

    fn emit(&mut self, frame: &mut Frame, op: DfgOp, operands: Vec<ValueId>) -> ValueId {
        let result = self.new_value(ValueKind::Result, frame.span, frame.offset);
        frame.push_inst(op, operands, vec![result]);
        result
    }

    /// The variable that index `i` stands for here.
    fn variable(&self, frame: &Frame, i: u32) -> VariableId {
        match frame.names.binary_search_by_key(&i, |(index, _)| *index) {
            Ok(at) => frame.names[at].1,
            Err(_) => VariableId(i),
        }
    }

    /// The comprehension variable whose scope starts at this instruction.
    fn hidden_variable(&mut self, offset: u32, i: u32) -> VariableId {
        if let Some(&id) = self.hidden.get(&(offset, i)) {
            return id;
        }
        let name = unique_name(
            &self.bytecode.variables[i as usize].name,
            &mut self.taken_names,
        );
        let id = VariableId(self.dfg.variables.len() as u32);
        self.dfg.variables.push(Variable {
            name,
            kind: VariableKind::Comprehension,
        });
        self.hidden.insert((offset, i), id);
        id
    }

    /// Executes one instruction; a terminator is returned where the block ends.
    fn step(&mut self, instr: &Instr, frame: &mut Frame) -> Result<Option<Terminator>, Error> {
        match instr.op {
            Op::Nop => {}
            Op::LoadConst(i) => {
                let constant = self.bytecode.constant(i);
                let value = self.load_const(constant, frame);
                frame.push(value);
            }
            Op::LoadInt(n) => {
                let value = self.constant(Const::Int(n), frame);
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
                Slot::Saved(..) | Slot::Null | Slot::ExcInfo | Slot::LastInstr => {
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
            Op::Format => self.push_op(frame, DfgOp::Format, 1)?,
            Op::ListAppend(depth) => self.grow(frame, DfgOp::ListAppend, depth, 1)?,
            Op::ListExtend(depth) => self.grow(frame, DfgOp::ListExtend, depth, 1)?,
            Op::SetAdd(depth) => self.grow(frame, DfgOp::SetAdd, depth, 1)?,
            Op::SetUpdate(depth) => self.grow(frame, DfgOp::SetUpdate, depth, 1)?,
            Op::MapAdd(depth) => self.grow(frame, DfgOp::MapAdd, depth, 2)?,
            Op::DictUpdate(depth) => self.grow(frame, DfgOp::DictUpdate, depth, 1)?,
            Op::DictMerge(depth) => self.grow(frame, DfgOp::DictMerge, depth, 1)?,
            Op::ListToTuple => self.list_to_tuple(frame)?,
            Op::Unpack(count) => self.unpack(frame, count)?,
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
            Op::GetIter => self.push_op(frame, DfgOp::GetIter, 1)?,
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
                let exception = frame.pop_slot()?;
                frame.stack.push(Slot::ExcInfo);
                frame.stack.push(exception);
            }
            Op::PopExcept => {
                if frame.pop_slot()? != Slot::ExcInfo {
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
                return Ok(Some(Terminator::Reraise {
                    exception: frame.pop()?,
                }));
            }
            Op::Unsupported { .. } => return Err(frame.malformed(Malformed::Operand)),
        }
        Ok(None)
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
            Op::ForIter { keeps, target: _ } => {
                let iterator = frame.peek(1)?;
                let item = self.new_value(ValueKind::Result, frame.span, frame.offset);
                let has_item = self.new_value(ValueKind::Result, frame.span, frame.offset);
                frame.push_inst(DfgOp::IterNext, vec![iterator], vec![item, has_item]);
                frame.stack.push(Slot::Value(item));
                let then = self.edge(frame, next, &frame.stack)?;
                frame.stack.pop();
                if keeps {
                    frame.stack.push(Slot::Null);
                } else {
                    frame.stack.pop();
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

    fn name(&self, i: u32) -> String {
        self.bytecode.code.names[i as usize].clone()
    }

    fn push_op(&mut self, frame: &mut Frame, op: DfgOp, count: u32) -> Result<(), Error> {
        let operands = frame.pop_n(count)?;
        let result = self.emit(frame, op, operands);
        frame.push(result);
        Ok(())
    }

    /// A tuple, list, set or dict display, which later instructions may extend.
    fn push_display(&mut self, frame: &mut Frame, op: DfgOp, count: u32) -> Result<(), Error> {
        self.push_op(frame, op, count)?;
        frame.mark_fresh();
        Ok(())
    }

    fn build_const_key_map(&mut self, frame: &mut Frame, count: u32) -> Result<(), Error> {
        let keys = frame.pop()?;
        let keys = match self.dfg.constant(keys) {
            Some(Const::Tuple(keys)) if keys.len() == count as usize => keys.clone(),
            _ => return Err(frame.malformed(Malformed::KeywordNames)),
        };
        let values = frame.pop_n(count)?;
        let mut operands = Vec::with_capacity(values.len() * 2);
        for (key, value) in keys.into_iter().zip(values) {
            operands.push(self.constant(key, frame));
            operands.push(value);
        }
        let map = self.emit(frame, DfgOp::BuildMap { star: Vec::new() }, operands);
        frame.push(map);
        frame.mark_fresh();
        Ok(())
    }

    /// LIST_APPEND and its kin: more operands for a display of this block, else an operation on the container
    /// `depth` items below the top.
    fn grow(&mut self, frame: &mut Frame, op: DfgOp, depth: u32, count: u32) -> Result<(), Error> {
        let added = frame.pop_n_fresh(count)?;
        let fresh = match frame.slot(depth)? {
            Slot::Value(value) if depth == 1 => frame.fresh.get(&value).copied(),
            _ => None,
        };
        let container = frame.peek(depth)?;
        let display = fresh.filter(|&at| grows(&op, &frame.insts[at].op));
        let Some(at) = display else {
            let operands = [container]
                .into_iter()
                .chain(added.iter().map(|(v, _)| *v))
                .collect();
            frame.push_inst(op, operands, Vec::new());
            return Ok(());
        };
        let (value, source) = added[0];
        let constant = self.dfg.constant(value).cloned();
        let inst = &frame.insts[at];
        let mut star = star_of(&inst.op).to_vec();
        let before = entries(inst);
        let mut items: Vec<ValueId> = Vec::new();
        let mut starred = false;
        let mut new_entries = 1;
        match (&op, constant) {
            (DfgOp::ListAppend | DfgOp::SetAdd, _) => items.push(value),
            (DfgOp::MapAdd, _) => items.extend(added.iter().map(|(v, _)| *v)),
            (DfgOp::ListExtend, Some(Const::Tuple(parts)))
            | (DfgOp::SetUpdate, Some(Const::FrozenSet(parts))) => {
                new_entries = parts.len();
                for part in parts {
                    items.push(self.load_const(&part, frame));
                }
            }
            _ => match source.filter(|&from| same_display(&op, &frame.insts[from].op)) {
                // `{**a, "k": b}` builds `{"k": b}` first.
                Some(from) => {
                    let inner = &mut frame.insts[from];
                    new_entries = entries(inner);
                    items = std::mem::take(&mut inner.operands);
                    inner.results.clear();
                }
                None => {
                    items.push(value);
                    starred = true;
                }
            },
        }
        if starred || !star.is_empty() {
            star.resize(before, false);
            star.resize(before + new_entries, starred);
        }
        // The display moves here, since its new operands are defined only now.
        let inst = &mut frame.insts[at];
        let mut operands = std::mem::take(&mut inst.operands);
        operands.extend(items);
        let results = std::mem::take(&mut inst.results);
        let mut op = inst.op.clone();
        let (span, offset) = (inst.span, inst.offset);
        set_star(&mut op, star);
        frame.insts.push(DfgInst {
            op,
            operands,
            results,
            span,
            offset,
        });
        frame.fresh.insert(container, frame.insts.len() - 1);
        Ok(())
    }

    fn list_to_tuple(&mut self, frame: &mut Frame) -> Result<(), Error> {
        let (list, display) = frame.pop_fresh()?;
        let Some(at) = display.filter(|&at| matches!(frame.insts[at].op, DfgOp::BuildList { .. }))
        else {
            let result = self.emit(frame, DfgOp::ListToTuple, vec![list]);
            frame.push(result);
            return Ok(());
        };
        let inst = &mut frame.insts[at];
        inst.op = DfgOp::BuildTuple {
            star: star_of(&inst.op).to_vec(),
        };
        frame.push(list);
        frame.fresh.insert(list, at);
        Ok(())
    }

    fn unpack(&mut self, frame: &mut Frame, count: u32) -> Result<(), Error> {
        if frame.stack.len() + count as usize > frame.limit {
            return Err(frame.malformed(Malformed::StackOverflow));
        }
        let (value, display) = frame.pop_fresh()?;
        // `a, b, c, d = d, c, b, a` needs no tuple.
        let exact = display.filter(|&at| {
            let inst = &frame.insts[at];
            matches!(&inst.op, DfgOp::BuildTuple { star } if star.is_empty())
                && inst.operands.len() == count as usize
        });
        let items = match exact {
            Some(at) => {
                frame.insts[at].results.clear();
                std::mem::take(&mut frame.insts[at].operands)
            }
            None => {
                let items: Vec<ValueId> = (0..count)
                    .map(|_| self.new_value(ValueKind::Result, frame.span, frame.offset))
                    .collect();
                frame.push_inst(DfgOp::Unpack { count }, vec![value], items.clone());
                items
            }
        };
        for item in items.into_iter().rev() {
            frame.push(item);
        }
        Ok(())
    }

    fn make_function(&mut self, frame: &mut Frame, parts: FunctionParts) -> Result<(), Error> {
        let code = frame.pop()?;
        let ValueKind::Const(code) = self.dfg.value(code).kind else {
            return Err(frame.malformed(Malformed::Operand));
        };
        if !matches!(self.dfg.consts[code.0 as usize], Const::Code(_)) {
            return Err(frame.malformed(Malformed::Operand));
        }
        let mut operands = frame.pop_n(parts.bits().count_ones())?;
        let (defaults, kwdefaults) = (
            parts.contains(FunctionParts::DEFAULTS),
            parts.contains(FunctionParts::KWDEFAULTS),
        );
        if parts.contains(FunctionParts::ANNOTATE) {
            operands.pop();
        }
        if parts.contains(FunctionParts::ANNOTATIONS) {
            operands.remove(usize::from(defaults) + usize::from(kwdefaults));
        }
        let closure = parts.contains(FunctionParts::CLOSURE);
        let op = DfgOp::MakeFunction {
            code,
            defaults,
            kwdefaults,
            closure,
        };
        let function = self.emit(frame, op, operands);
        frame.push(function);
        frame.mark_fresh();
        Ok(())
    }

    fn call(&mut self, frame: &mut Frame, count: u32, kwnames: Vec<String>) -> Result<(), Error> {
        let args = frame.pop_n(count)?;
        if kwnames.len() > args.len() || repeats(&kwnames) {
            return Err(frame.malformed(Malformed::KeywordNames));
        }
        let operands = frame.pop_callee()?.into_iter().chain(args).collect();
        let result = self.emit(frame, DfgOp::Call { kwnames }, operands);
        frame.push(result);
        Ok(())
    }

    fn call_ex(&mut self, frame: &mut Frame, has_kwargs: bool) -> Result<(), Error> {
        let kwargs = match has_kwargs {
            true if frame.slot(1)? == Slot::Null => {
                frame.pop_slot()?;
                None
            }
            true => Some(frame.pop_fresh()?),
            false => None,
        };
        let (tuple, tuple_display) = frame.pop_fresh()?;
        let callee = frame.pop_callee()?;
        let &[function] = callee.as_slice() else {
            return Err(frame.malformed(Malformed::StackKind));
        };

        // Keyword arguments that are spelled out (calls with many of them build a dict first).
        let mut kwnames = Vec::new();
        let mut kwvalues = Vec::new();
        let mut mapping = kwargs.map(|(value, _)| value);
        if let Some((_, Some(at))) = kwargs
            && let DfgOp::BuildMap { star } = &frame.insts[at].op
            && star.is_empty()
        {
            let pairs = &frame.insts[at].operands;
            let names: Option<Vec<String>> = pairs
                .chunks_exact(2)
                .map(|pair| match self.dfg.constant(pair[0]) {
                    Some(Const::Str(name)) => Some(name.clone()),
                    _ => None,
                })
                .collect();
            if let Some(names) = names {
                if repeats(&names) {
                    return Err(frame.malformed(Malformed::KeywordNames));
                }
                kwnames = names;
                kwvalues = pairs.chunks_exact(2).map(|pair| pair[1]).collect();
                mapping = None;
                frame.insts[at].results.clear();
            }
        }
        let spelled_out = tuple_display.filter(
            |&at| matches!(&frame.insts[at].op, DfgOp::BuildTuple { star } if star.is_empty()),
        );
        let empty =
            matches!(self.dfg.constant(tuple), Some(Const::Tuple(items)) if items.is_empty());
        let (op, operands) = match spelled_out {
            Some(at) if mapping.is_none() => {
                frame.insts[at].results.clear();
                let args = std::mem::take(&mut frame.insts[at].operands);
                (
                    DfgOp::Call { kwnames },
                    [function].into_iter().chain(args).chain(kwvalues).collect(),
                )
            }
            _ if empty && mapping.is_none() => (
                DfgOp::Call { kwnames },
                [function].into_iter().chain(kwvalues).collect(),
            ),
            _ => {
                let kwargs = mapping.is_some();
                let operands = [function, tuple]
                    .into_iter()
                    .chain(kwvalues)
                    .chain(mapping)
                    .collect();
                (DfgOp::CallEx { kwnames, kwargs }, operands)
            }
        };
        let result = self.emit(frame, op, operands);
        frame.push(result);
        Ok(())
    }
}

impl Frame {
    fn malformed(&self, what: Malformed) -> Error {
        Error::malformed(self.offset, what)
    }

    fn push_inst(&mut self, op: DfgOp, operands: Vec<ValueId>, results: Vec<ValueId>) {
        self.insts.push(DfgInst {
            op,
            operands,
            results,
            span: self.span,
            offset: self.offset,
        });
    }

    fn push(&mut self, value: ValueId) {
        self.stack.push(Slot::Value(value));
    }

    /// The topmost value, just made by the last instruction, is referred to from here only.
    fn mark_fresh(&mut self) {
        if let (Some(&Slot::Value(value)), false) = (self.stack.last(), self.insts.is_empty()) {
            self.fresh.insert(value, self.insts.len() - 1);
        }
    }

    fn pop_slot(&mut self) -> Result<Slot, Error> {
        self.stack
            .pop()
            .ok_or_else(|| self.malformed(Malformed::StackUnderflow))
    }

    fn pop(&mut self) -> Result<ValueId, Error> {
        self.pop_fresh().map(|(value, _)| value)
    }

    /// Pops a value, and the instruction that made it if this was its only reference.
    fn pop_fresh(&mut self) -> Result<(ValueId, Option<usize>), Error> {
        match self.pop_slot()? {
            Slot::Value(value) => Ok((value, self.fresh.remove(&value))),
            Slot::Null | Slot::Saved(..) | Slot::ExcInfo | Slot::LastInstr => {
                Err(self.malformed(Malformed::StackKind))
            }
        }
    }

    /// Pops `count` values; the deepest comes first.
    fn pop_n(&mut self, count: u32) -> Result<Vec<ValueId>, Error> {
        Ok(self
            .pop_n_fresh(count)?
            .into_iter()
            .map(|(value, _)| value)
            .collect())
    }

    fn pop_n_fresh(&mut self, count: u32) -> Result<Vec<(ValueId, Option<usize>)>, Error> {
        if count as usize > self.stack.len() {
            return Err(self.malformed(Malformed::StackUnderflow));
        }
        let mut values = Vec::with_capacity(count as usize);
        for _ in 0..count {
            values.push(self.pop_fresh()?);
        }
        values.reverse();
        Ok(values)
    }

    /// Function and, for a method, self: two slots of which one may be null.
    fn pop_callee(&mut self) -> Result<Vec<ValueId>, Error> {
        let (second, first) = (self.pop_slot()?, self.pop_slot()?);
        let callee = match (first, second) {
            (Slot::Value(function), Slot::Null) | (Slot::Null, Slot::Value(function)) => {
                vec![function]
            }
            (Slot::Value(function), Slot::Value(receiver)) => vec![function, receiver],
            _ => return Err(self.malformed(Malformed::StackKind)),
        };
        for value in &callee {
            self.fresh.remove(value);
        }
        Ok(callee)
    }

    /// The item at position `n` from the top, 1 being the top.
    fn slot(&self, n: u32) -> Result<Slot, Error> {
        let at = self.stack.len().checked_sub(n as usize).filter(|_| n > 0);
        at.and_then(|at| self.stack.get(at))
            .copied()
            .ok_or_else(|| self.malformed(Malformed::StackUnderflow))
    }

    /// A value that stays on the stack and is read: it is no fresh display any more.
    fn peek(&mut self, n: u32) -> Result<ValueId, Error> {
        match self.slot(n)? {
            Slot::Value(value) => {
                self.fresh.remove(&value);
                Ok(value)
            }
            Slot::Null | Slot::Saved(..) | Slot::ExcInfo | Slot::LastInstr => {
                Err(self.malformed(Malformed::StackKind))
            }
        }
    }

    /// Changes what a variable index stands for; returns what it stood for.
    fn rename(&mut self, i: u32, to: Option<VariableId>) -> Option<VariableId> {
        match (self.names.binary_search_by_key(&i, |(index, _)| *index), to) {
            (Ok(at), Some(to)) => Some(std::mem::replace(&mut self.names[at].1, to)),
            (Ok(at), None) => Some(self.names.remove(at).1),
            (Err(at), Some(to)) => {
                self.names.insert(at, (i, to));
                None
            }
            (Err(_), None) => None,
        }
    }
}

/// 3.13 and later attach parts one by one to the function just made.
fn set_function_attribute(frame: &mut Frame, part: FunctionParts) -> Result<(), Error> {
    let (function, made) = frame.pop_fresh()?;
    let value = frame.pop()?;
    let Some(at) = made else {
        return Err(frame.malformed(Malformed::Operand));
    };
    let DfgOp::MakeFunction {
        defaults,
        kwdefaults,
        closure,
        ..
    } = &mut frame.insts[at].op
    else {
        return Err(frame.malformed(Malformed::Operand));
    };
    // Operands stay in the order of the flags. Annotations say nothing to the compiler.
    let position = match part {
        FunctionParts::DEFAULTS => {
            *defaults = true;
            0
        }
        FunctionParts::KWDEFAULTS => {
            *kwdefaults = true;
            usize::from(*defaults)
        }
        FunctionParts::CLOSURE => {
            *closure = true;
            usize::from(*defaults) + usize::from(*kwdefaults)
        }
        _ => usize::MAX,
    };
    let operands = &mut frame.insts[at].operands;
    if position <= operands.len() {
        operands.insert(position, value);
    }
    frame.push(function);
    frame.fresh.insert(function, at);
    Ok(())
}

fn repeats(names: &[String]) -> bool {
    let mut seen = FxHashSet::default();
    !names.iter().all(|name| seen.insert(name))
}

fn star_of(op: &DfgOp) -> &[bool] {
    match op {
        DfgOp::BuildTuple { star }
        | DfgOp::BuildList { star }
        | DfgOp::BuildSet { star }
        | DfgOp::BuildMap { star } => star,
        _ => &[],
    }
}

fn set_star(op: &mut DfgOp, to: Vec<bool>) {
    if let DfgOp::BuildTuple { star }
    | DfgOp::BuildList { star }
    | DfgOp::BuildSet { star }
    | DfgOp::BuildMap { star } = op
    {
        *star = to;
    }
}

/// True if the operation adds to this kind of display.
fn grows(op: &DfgOp, display: &DfgOp) -> bool {
    match op {
        DfgOp::ListAppend | DfgOp::ListExtend => matches!(display, DfgOp::BuildList { .. }),
        DfgOp::SetAdd | DfgOp::SetUpdate => matches!(display, DfgOp::BuildSet { .. }),
        _ => matches!(display, DfgOp::BuildMap { .. }),
    }
}

/// True if the elements of display `inner` can be taken over by the update `op`.
fn same_display(op: &DfgOp, inner: &DfgOp) -> bool {
    star_of(inner).is_empty()
        && match op {
            DfgOp::ListExtend => {
                matches!(inner, DfgOp::BuildTuple { .. } | DfgOp::BuildList { .. })
            }
            DfgOp::DictUpdate | DfgOp::DictMerge => matches!(inner, DfgOp::BuildMap { .. }),
            _ => false,
        }
}

/// Number of elements of a display; a pair of a dict is one.
fn entries(inst: &DfgInst) -> usize {
    match &inst.op {
        DfgOp::BuildMap { star } if star.is_empty() => inst.operands.len() / 2,
        DfgOp::BuildMap { star } => star.len(),
        _ => inst.operands.len(),
    }
}

/// Instructions whose value was taken over have neither results nor effect.
fn is_tombstone(inst: &DfgInst) -> bool {
    inst.results.is_empty()
        && matches!(
            inst.op,
            DfgOp::BuildTuple { .. }
                | DfgOp::BuildList { .. }
                | DfgOp::BuildSet { .. }
                | DfgOp::BuildMap { .. }
        )
}

fn holds_slice(value: &Const) -> bool {
    match value {
        Const::Slice(_) => true,
        Const::Tuple(items) => items.iter().any(holds_slice),
        _ => false,
    }
}

/// A `return None` that the compiler added has no source text of its own: its span, if it has one, is that of
/// another instruction.
fn mark_implicit_returns(dfg: &mut Dfg) {
    let mut spans: FxHashSet<Span> = FxHashSet::default();
    for block in &dfg.blocks {
        spans.extend(block.insts.iter().map(|inst| inst.span));
        if matches!(block.term, Terminator::Branch { .. }) {
            spans.insert(block.span);
        }
    }
    for i in 0..dfg.blocks.len() {
        let span = dfg.blocks[i].span;
        if let Terminator::Return { value, .. } = dfg.blocks[i].term
            && dfg.constant(value) == Some(&Const::None)
            && (!span.is_known() || spans.contains(&span))
        {
            dfg.blocks[i].term = Terminator::Return {
                value,
                implicit: true,
            };
        }
    }
}
