//! Symbolic execution of the operand stack: from stack instructions to values.

mod calls;
mod displays;
mod frame;
mod object_mode;
mod step;

use super::comprehension::unique_name;
use super::{
    BlockId, ConstId, Dfg, DfgBlock, DfgOp, Edge, Terminator, Value, ValueId, ValueKind, Variable,
    VariableId, VariableKind,
};
use crate::cfg::Cfg;
use crate::code::Const;
use crate::decode::{Bytecode, Instr};
use crate::error::{Error, Malformed};
use crate::op::Op;
use displays::is_tombstone;
use frame::{Frame, rename};
use numbra_base::{FxHashMap, FxHashSet, Span};

/// What the interpreter keeps on its operand stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slot {
    Value(ValueId),
    Null,
    /// What a comprehension variable hid: the variable, and what it stood for.
    Saved(u32, Option<VariableId>),
    /// What was handled before, while this exception is.
    ExcInfo(ValueId),
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
        let instrs: Vec<Instr> = self.bytecode.instrs[basic.instrs.clone()].to_vec();
        if let Some(region) = basic.region {
            let handles = instrs.first().is_some_and(|i| i.op == Op::PushExcInfo);
            self.enter_handler(region, &frame, handles)?;
        }
        let mut term = None;
        for (i, instr) in instrs.iter().enumerate() {
            (frame.span, frame.offset) = (instr.span, instr.offset);
            if let Some(with) = self.cfg.with_at(basic.instrs.start + i) {
                term = self.object_mode(with, &mut frame)?;
                if term.is_some() {
                    break;
                }
            }
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

    /// Exception edge from the stack at the start of the block. `handles`: it begins to handle the exception on top, before
    /// anything may raise.
    fn enter_handler(&mut self, region: usize, frame: &Frame, handles: bool) -> Result<(), Error> {
        let region = self.cfg.regions[region];
        let depth = region.depth as usize;
        let mut raising = frame.stack.clone();
        if handles && let Some(&Slot::Value(exception)) = raising.last() {
            raising.insert(raising.len() - 1, Slot::ExcInfo(exception));
        }
        let kept = raising
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
        // Comprehensions that the exception leaves restore what they hid.
        let mut names = frame.names.clone();
        for slot in raising[depth..].iter().rev() {
            if let Slot::Saved(i, before) = *slot {
                rename(&mut names, i, before);
            }
        }
        let edge = self.edge_with(frame, target, &stack, &names, Some(caught))?;
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
        self.edge_with(frame, target, stack, &frame.names, None)
    }

    /// An edge that hands over `stack`; the first one fixes what the target starts with.
    fn edge_with(
        &mut self,
        frame: &Frame,
        target: usize,
        stack: &[Slot],
        names: &Names,
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
                    Slot::Null | Slot::Saved(..) | Slot::ExcInfo(_) | Slot::LastInstr => *slot,
                });
            }
            entry.extend(caught.map(Slot::Value));
            self.dfg.blocks[target].params = params;
            self.entries[target] = Some(Entry {
                stack: entry,
                names: names.clone(),
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
        if !same || entry.names != *names {
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

    fn name(&self, i: u32) -> String {
        self.bytecode.code.names[i as usize].clone()
    }

    fn push_op(&mut self, frame: &mut Frame, op: DfgOp, count: u32) -> Result<(), Error> {
        let operands = frame.pop_n(count)?;
        let result = self.emit(frame, op, operands);
        frame.push(result);
        Ok(())
    }
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
