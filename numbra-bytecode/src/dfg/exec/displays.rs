//! Displays: tuples, lists, sets and dicts that several instructions build.

use super::frame::Frame;
use super::{Exec, Slot};
use crate::code::Const;
use crate::dfg::{DfgInst, DfgOp, ValueId, ValueKind};
use crate::error::{Error, Malformed};

impl Exec<'_> {
    /// A tuple, list, set or dict display, which later instructions may extend.
    pub(super) fn push_display(
        &mut self,
        frame: &mut Frame,
        op: DfgOp,
        count: u32,
    ) -> Result<(), Error> {
        self.push_op(frame, op, count)?;
        frame.mark_fresh();
        Ok(())
    }

    /// The display made at `at` where nothing can change it: a tuple for a list, and a constant where all elements are.
    /// Compilers before 3.15 did so for every `for`, 3.15 does so in statements only.
    pub(super) fn unchanging(&mut self, frame: &mut Frame, display: ValueId, at: usize) -> ValueId {
        let inst = &mut frame.insts[at];
        let items: Option<Vec<Const>> = inst
            .operands
            .iter()
            .map(|&item| self.dfg.constant(item).cloned())
            .collect();
        let constant = match (&inst.op, items) {
            (DfgOp::BuildList { star }, Some(items)) if star.is_empty() => Const::Tuple(items),
            (DfgOp::BuildSet { star }, Some(items)) if star.is_empty() && !items.is_empty() => {
                Const::FrozenSet(items)
            }
            (DfgOp::BuildList { star }, None) if star.is_empty() => {
                inst.op = DfgOp::BuildTuple { star: Vec::new() };
                return display;
            }
            _ => return display,
        };
        inst.operands.clear();
        inst.results.clear();
        self.constant(constant, frame)
    }

    pub(super) fn build_const_key_map(
        &mut self,
        frame: &mut Frame,
        count: u32,
    ) -> Result<(), Error> {
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
    pub(super) fn grow(
        &mut self,
        frame: &mut Frame,
        op: DfgOp,
        depth: u32,
        count: u32,
    ) -> Result<(), Error> {
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

    pub(super) fn list_to_tuple(&mut self, frame: &mut Frame) -> Result<(), Error> {
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

    pub(super) fn unpack(&mut self, frame: &mut Frame, count: u32) -> Result<(), Error> {
        if frame.stack.len() + count as usize > frame.limit {
            return Err(frame.malformed(Malformed::StackOverflow));
        }
        let (value, display) = frame.pop_fresh()?;
        // `a, b = 0, 0` and `a, b, c, d = d, c, b, a` need no tuple.
        if let Some(Const::Tuple(parts)) = self.dfg.constant(value)
            && parts.len() == count as usize
        {
            let parts = parts.clone();
            for part in parts.iter().rev() {
                let part = self.load_const(part, frame);
                frame.push(part);
            }
            return Ok(());
        }
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

    /// `a, *b, c = value`
    pub(super) fn unpack_star(
        &mut self,
        frame: &mut Frame,
        before: u32,
        after: u32,
    ) -> Result<(), Error> {
        let count = before as usize + 1 + after as usize;
        if frame.stack.len() + count > frame.limit + 1 {
            return Err(frame.malformed(Malformed::StackOverflow));
        }
        let value = frame.pop()?;
        let items: Vec<ValueId> = (0..count)
            .map(|_| self.new_value(ValueKind::Result, frame.span, frame.offset))
            .collect();
        let op = DfgOp::UnpackStar { before, after };
        frame.push_inst(op, vec![value], items.clone());
        for item in items.into_iter().rev() {
            frame.push(item);
        }
        Ok(())
    }

    /// Pushes what an operation says of the topmost value, which stays.
    pub(super) fn look_at(&mut self, frame: &mut Frame, op: DfgOp) -> Result<(), Error> {
        let value = frame.peek(1)?;
        let result = self.emit(frame, op, vec![value]);
        frame.push(result);
        Ok(())
    }
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
pub(super) fn is_tombstone(inst: &DfgInst) -> bool {
    inst.results.is_empty() && is_display(inst)
}

/// `[]` and its kin, before anything is added.
pub(super) fn is_empty_display(inst: &DfgInst) -> bool {
    inst.operands.is_empty() && !inst.results.is_empty() && is_display(inst)
}

fn is_display(inst: &DfgInst) -> bool {
    matches!(
        inst.op,
        DfgOp::BuildTuple { .. }
            | DfgOp::BuildList { .. }
            | DfgOp::BuildSet { .. }
            | DfgOp::BuildMap { .. }
    )
}
