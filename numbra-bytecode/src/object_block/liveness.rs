//! Which variables go into a body, and which come out.

use super::region::{Carried, With, successors};
use crate::decode::{Bytecode, Instr, VariableKind};
use crate::error::Error;
use crate::exctable::parse;
use crate::op::Op;
use std::collections::BTreeSet;

/// Variables at the borders of a body, by index, sorted.
pub(super) struct Borders {
    pub(super) inputs: Vec<u32>,
    pub(super) outputs: Vec<u32>,
    /// For each exit: which of `outputs` are read behind it.
    pub(super) live: Vec<Vec<bool>>,
}

/// Bits of all rows together.
const MAX_BITS: usize = 1 << 30;

/// `all` are the `with` statements of the code.
pub(super) fn of(bytecode: &Bytecode<'_>, with: &With, all: &[With]) -> Result<Borders, Error> {
    let (rows, columns) = (bytecode.instrs.len(), bytecode.variables.len());
    if rows.saturating_mul(columns) > MAX_BITS {
        return Err(Error::TooComplex {
            limit: "variables of a function with object mode",
        });
    }
    let flow = Flow::new(bytecode, with, all)?;
    let live = flow.live();
    let assigned = flow.assigned();
    let is_own = |i: &u32| !matches!(bytecode.variables[*i as usize].kind, VariableKind::Free(_));
    let (mut stored, mut touched) = (BTreeSet::new(), BTreeSet::new());
    for &i in &with.inside {
        match flow.effects[i] {
            Effect::Read(v) => drop(touched.insert(v)),
            Effect::Store(v) => {
                stored.insert(v);
                touched.insert(v);
            }
            Effect::Delete(v) => drop(touched.insert(v)),
            Effect::None => {}
        }
    }
    let inputs = touched
        .iter()
        .copied()
        .filter(is_own)
        .filter(|&v| live.has(with.body, v) && assigned.has(with.body, v))
        .collect();
    let read_behind = |exit: &super::region::Exit, v: u32| {
        live.has(exit.to, v) || exit.carried == Some(Carried::Local(v))
    };
    let outputs: Vec<u32> = stored
        .into_iter()
        .filter(is_own)
        .filter(|&v| with.exits.iter().any(|exit| read_behind(exit, v)))
        .collect();
    let of_exit = |exit| outputs.iter().map(|&v| read_behind(exit, v)).collect();
    Ok(Borders {
        inputs,
        live: with.exits.iter().map(of_exit).collect(),
        outputs,
    })
}

/// What an instruction does to a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    None,
    Read(u32),
    Store(u32),
    Delete(u32),
}

struct Flow<'a> {
    bytecode: &'a Bytecode<'a>,
    effects: Vec<Effect>,
    /// Successors, handlers included.
    next: Vec<Vec<usize>>,
}

impl<'a> Flow<'a> {
    fn new(bytecode: &'a Bytecode<'a>, with: &With, all: &[With]) -> Result<Flow<'a>, Error> {
        let regions = parse(&bytecode.code.exceptiontable)?;
        let handler = |offset: u32| {
            let at = regions.partition_point(|r| r.end <= offset);
            let region = regions.get(at).filter(|r| r.start <= offset)?;
            bytecode.at(region.target)
        };
        // Object mode swallows no exception. Other context managers stand in bodies only.
        let outer = all.iter().filter(|w| !with.inside.contains(&w.enter));
        let swallows: BTreeSet<usize> = outer.map(|w| w.swallow).collect();
        let count = bytecode.instrs.len();
        let next = (0..count).map(|i| {
            let normal = successors(bytecode, i);
            let all = normal.chain(handler(bytecode.instrs[i].offset));
            all.filter(|to| *to < count && !swallows.contains(to))
                .collect()
        });
        Ok(Flow {
            effects: effects(bytecode),
            next: next.collect(),
            bytecode,
        })
    }

    /// Variables that are read before they are assigned, at the start of each instruction.
    fn live(&self) -> Rows {
        let mut rows = Rows::new(self.next.len(), self.bytecode.variables.len());
        loop {
            let mut changed = false;
            for i in (0..self.next.len()).rev() {
                for &to in &self.next[i] {
                    // What an instruction stores is not live in front of it; a handler of it may still read it.
                    let except = match self.effects[i] {
                        Effect::Store(v) if to == i + 1 => Some(v),
                        _ => None,
                    };
                    changed |= rows.join(i, to, except);
                }
                if let Effect::Read(v) | Effect::Delete(v) = self.effects[i] {
                    changed |= rows.set(i, v);
                }
            }
            if !changed {
                return rows;
            }
        }
    }

    /// Variables that may have been assigned, at the start of each instruction.
    fn assigned(&self) -> Rows {
        let code = self.bytecode.code;
        let mut rows = Rows::new(self.next.len(), self.bytecode.variables.len());
        let stars = [crate::CodeFlags::VARARGS, crate::CodeFlags::VARKEYWORDS];
        let stars = stars.iter().filter(|flag| code.flags.contains(**flag));
        let params =
            u64::from(code.argcount) + u64::from(code.kwonlyargcount) + stars.count() as u64;
        for v in 0..params.min(self.bytecode.variables.len() as u64) {
            rows.set(0, v as u32);
        }
        loop {
            let mut changed = false;
            for i in 0..self.next.len() {
                for &to in &self.next[i] {
                    changed |= rows.join(to, i, None);
                    if let Effect::Store(v) = self.effects[i] {
                        changed |= rows.set(to, v);
                    }
                }
            }
            if !changed {
                return rows;
            }
        }
    }
}

/// What each instruction does to variables. Variables of comprehensions that CPython inlined (3.12 on) are not those of the
/// function, though they share their places.
fn effects(bytecode: &Bytecode<'_>) -> Vec<Effect> {
    let instrs = &bytecode.instrs;
    let mut cleared: BTreeSet<u32> = BTreeSet::new();
    let mut loop_ends: BTreeSet<usize> = BTreeSet::new();
    for instr in instrs {
        match instr.op {
            Op::LoadLocalAndClear(v) => drop(cleared.insert(v)),
            Op::ForIter { target, .. } => loop_ends.extend(bytecode.at(target)),
            _ => {}
        }
    }
    // Open comprehensions by variable.
    let mut open: Vec<u32> = Vec::new();
    let mut out = Vec::with_capacity(instrs.len());
    for (i, instr) in instrs.iter().enumerate() {
        let of = |effect: Effect, v: u32| {
            if open.contains(&v) {
                Effect::None
            } else {
                effect
            }
        };
        out.push(match instr.op {
            Op::LoadLocalAndClear(v) => {
                open.push(v);
                Effect::None
            }
            Op::StoreLocal(v) if cleared.contains(&v) && is_cleanup(bytecode, i) => Effect::None,
            Op::StoreLocal(v) => {
                let hidden = open.iter().rposition(|&one| one == v);
                match hidden.filter(|_| is_behind(instrs, &loop_ends, i)) {
                    Some(at) => {
                        open.remove(at);
                        Effect::None
                    }
                    None => of(Effect::Store(v), v),
                }
            }
            Op::LoadLocal(v) | Op::LoadCell(v) => of(Effect::Read(v), v),
            Op::DeleteLocal(v) => of(Effect::Delete(v), v),
            _ => Effect::None,
        });
    }
    out
}

/// True for stores directly behind a loop, which gives a variable back what a comprehension hid. Its result may be stored
/// before that.
fn is_behind(instrs: &[Instr], loop_ends: &BTreeSet<usize>, store: usize) -> bool {
    let moves = |op: Op| matches!(op, Op::StoreLocal(_) | Op::Swap(_) | Op::PopTop | Op::Nop);
    let before = instrs[..store].iter().rev().take_while(|i| moves(i.op));
    let first = store - before.count();
    loop_ends.range(first..=store).next().is_some()
}

/// True for stores in a handler that tidies up behind a comprehension: the value was swapped to the top.
fn is_cleanup(bytecode: &Bytecode<'_>, i: usize) -> bool {
    let before = bytecode.instrs[..i].iter().rev();
    let mut before = before.skip_while(|i| matches!(i.op, Op::StoreLocal(_) | Op::Nop));
    if !matches!(before.next().map(|i| i.op), Some(Op::Swap(_))) {
        return false;
    }
    let mut after = bytecode.instrs[i..].iter();
    let next = after.find(|i| !matches!(i.op, Op::StoreLocal(_) | Op::Nop));
    next.map(|i| i.op) == Some(Op::Reraise(0))
}

/// A set of variables for each instruction.
struct Rows {
    words: usize,
    bits: Vec<u64>,
}

impl Rows {
    fn new(rows: usize, columns: usize) -> Rows {
        let words = columns.div_ceil(64).max(1);
        Rows {
            words,
            bits: vec![0; rows * words],
        }
    }

    fn has(&self, row: usize, column: u32) -> bool {
        let word = self.bits.get(row * self.words + column as usize / 64);
        word.is_some_and(|word| word >> (column % 64) & 1 == 1)
    }

    /// True if the bit was not set.
    fn set(&mut self, row: usize, column: u32) -> bool {
        let word = &mut self.bits[row * self.words + column as usize / 64];
        let before = *word;
        *word |= 1 << (column % 64);
        before != *word
    }

    /// Adds the row `from`, but for one column, to the row `to`; true if that changed it.
    fn join(&mut self, to: usize, from: usize, except: Option<u32>) -> bool {
        let mut changed = false;
        for w in 0..self.words {
            let mut more = self.bits[from * self.words + w];
            if let Some(v) = except.filter(|v| *v as usize / 64 == w) {
                more &= !(1 << (v % 64));
            }
            let word = &mut self.bits[to * self.words + w];
            changed |= *word | more != *word;
            *word |= more;
        }
        changed
    }
}
