//! Where the body of a `with` statement begins and ends.

use super::{ObjectBlockError, is_name};
use crate::code::Const;
use crate::decode::{Bytecode, Instr};
use crate::error::Error;
use crate::exctable::{Region, parse};
use crate::op::{JumpIf, Literal, Op, Special};
use std::collections::BTreeSet;

/// `except` and `with` blocks nest less deep than this.
const MAX_NESTING: usize = 64;

/// A `with` statement in bytecode. Instructions are indices into [`Bytecode::instrs`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct With {
    /// First of the instructions that enter the context manager, which is on top of the stack.
    pub(crate) enter: usize,
    /// The instruction behind them: it takes what `__enter__` gave, and is the first of the body.
    pub(crate) body: usize,
    /// Byte offset behind that one.
    pub(crate) start: u32,
    /// Stack items below the body.
    pub(crate) depth: u32,
    /// The body: instructions that it reaches and whose exceptions go to `__exit__`.
    pub(crate) inside: BTreeSet<usize>,
    /// Where the program goes on when `__exit__` has swallowed an exception.
    pub(crate) swallow: usize,
    /// Ways out of the body that call `__exit__`.
    pub(crate) exits: Vec<Exit>,
    /// Why it cannot be outlined.
    pub(crate) error: Option<ObjectBlockError>,
}

/// A way out of a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Exit {
    /// Byte offset of the first instruction of the call of `__exit__`.
    pub(crate) sequence: u32,
    /// Where the program goes on.
    pub(crate) to: usize,
    /// What is on the stack meanwhile.
    pub(crate) carried: Option<Carried>,
}

/// The value of a `return` in the body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Carried {
    Local(u32),
    Const(u32),
    Literal(Literal),
}

/// The `with` statements that may be object mode; none where the code does not know the name.
pub(crate) fn find(bytecode: &Bytecode<'_>) -> Result<Vec<With>, Error> {
    let code = bytecode.code;
    if !code
        .names
        .iter()
        .chain(&code.freevars)
        .any(|name| is_name(name))
    {
        return Ok(Vec::new());
    }
    let regions = parse(&code.exceptiontable)?;
    let find = Find {
        bytecode,
        instrs: &bytecode.instrs,
        regions: &regions,
    };
    let all = (0..bytecode.instrs.len()).filter_map(|i| find.with(i));
    Ok(all.collect())
}

struct Find<'a> {
    bytecode: &'a Bytecode<'a>,
    instrs: &'a [Instr],
    regions: &'a [Region],
}

impl Find<'_> {
    fn op(&self, i: usize) -> Option<Op> {
        self.instrs.get(i).map(|instr| instr.op)
    }

    /// The statement that is entered at instruction `i`.
    fn with(&self, i: usize) -> Option<With> {
        let body = match self.op(i)? {
            Op::BeforeWith => i + 1,
            // 3.14
            Op::Copy(1) => {
                let rest: Vec<Op> = self
                    .instrs
                    .get(i + 1..i + 8)?
                    .iter()
                    .map(|i| i.op)
                    .collect();
                let entering = [
                    Op::LoadSpecial(Special::Exit),
                    Op::LoadNull,
                    Op::Swap(2),
                    Op::Swap(3),
                    Op::LoadSpecial(Special::Enter),
                    Op::LoadNull,
                    Op::Call(0),
                ];
                (rest == entering).then_some(i + 8)?
            }
            _ => return None,
        };
        let region = *self.covering(self.instrs.get(body)?.offset)?;
        let handler = self.bytecode.at(region.target)?;
        let ops = self.instrs[handler..].iter().filter(|i| i.op != Op::Nop);
        let ops: Vec<Op> = ops.take(3).map(|i| i.op).collect();
        let [
            Op::PushExcInfo,
            Op::WithExceptStart,
            Op::JumpIf {
                when: JumpIf::True,
                target,
            },
        ] = ops[..]
        else {
            return None;
        };
        // `with .. as x` stores what `__enter__` gave.
        if self.op(body) != Some(Op::PopTop) {
            return None;
        }
        let mut with = With {
            enter: i,
            body,
            start: self.instrs.get(body + 1)?.offset,
            depth: region.depth,
            inside: BTreeSet::new(),
            swallow: self.bytecode.at(target)?,
            exits: Vec::new(),
            error: None,
        };
        self.walk(&mut with, region.target);
        Some(with)
    }

    fn covering(&self, offset: u32) -> Option<&Region> {
        let at = self.regions.partition_point(|r| r.end <= offset);
        self.regions.get(at).filter(|r| r.start <= offset)
    }

    /// True if an exception at an offset ends at `handler` when nothing else catches it.
    fn inside(&self, mut offset: u32, handler: u32) -> bool {
        for _ in 0..MAX_NESTING {
            match self.covering(offset) {
                Some(region) if region.target == handler => return true,
                Some(region) => offset = region.target,
                None => return false,
            }
        }
        false
    }

    /// Finds the body and its exits.
    fn walk(&self, with: &mut With, handler: u32) {
        let mut work = vec![with.body];
        while let Some(i) = work.pop() {
            if !with.inside.insert(i) {
                continue;
            }
            let instr = self.instrs[i];
            match instr.op {
                Op::Raise(_) => with.error = Some(ObjectBlockError::Raise),
                Op::Yield => with.error = Some(ObjectBlockError::Yield),
                _ => {}
            }
            for mut next in successors(self.bytecode, i) {
                // Where a `try` begins, a no-operation stands that no region covers.
                while self.op(next) == Some(Op::Nop) && self.op(next + 1).is_some() {
                    next += 1;
                }
                match self.instrs.get(next) {
                    Some(to) if self.inside(to.offset, handler) => work.push(next),
                    Some(_) => match self.exit(i, next) {
                        Ok(exit) => self.add_exit(with, exit),
                        Err(error) => with.error = Some(error),
                    },
                    None => with.error = Some(ObjectBlockError::ControlFlow),
                }
            }
            if let Some(region) = self.covering(instr.offset)
                && region.target != handler
                && let Some(inner) = self.bytecode.at(region.target)
                && self.inside(region.target, handler)
            {
                work.push(inner);
            }
        }
        with.exits.sort_by_key(|exit| exit.sequence);
        if with.exits.is_empty() {
            // It never ends, or it always raises.
            with.error = with.error.take().or(Some(ObjectBlockError::ControlFlow));
        }
    }

    fn add_exit(&self, with: &mut With, exit: Exit) {
        match with.exits.iter().find(|e| e.sequence == exit.sequence) {
            None => with.exits.push(exit),
            Some(known) if *known == exit => {}
            Some(_) => with.error = Some(ObjectBlockError::ReturnedValue),
        }
    }

    /// The exit that control takes from instruction `from` of the body to `next` outside.
    fn exit(&self, from: usize, next: usize) -> Result<Exit, ObjectBlockError> {
        const BAD: ObjectBlockError = ObjectBlockError::ControlFlow;
        let mut at = next;
        for _ in 0..16 {
            match self.op(at) {
                Some(Op::Nop) => at += 1,
                Some(Op::Jump(target)) => at = self.bytecode.at(target).ok_or(BAD)?,
                _ => break,
            }
        }
        let start = at;
        let swaps = (0..2)
            .take_while(|n| matches!(self.op(at + n), Some(Op::Swap(_))))
            .count();
        at += swaps;
        let mut take = |wanted: &dyn Fn(Op) -> bool| -> Result<(), ObjectBlockError> {
            while self.op(at) == Some(Op::Nop) {
                at += 1;
            }
            let found = self.op(at).is_some_and(wanted);
            at += 1;
            found.then_some(()).ok_or(BAD)
        };
        for _ in 0..3 {
            take(&|op| match op {
                Op::LoadConst(c) => *self.bytecode.constant(c) == Const::None,
                op => op == Op::LoadLiteral(Literal::None),
            })?;
        }
        take(&|op| matches!(op, Op::Call(2 | 3)))?;
        take(&|op| op == Op::PopTop)?;
        if at >= self.instrs.len() {
            return Err(BAD);
        }
        let carried = match (swaps, self.op(from)) {
            (0, _) => None,
            (_, Some(Op::LoadLocal(i))) => Some(Carried::Local(i)),
            (_, Some(Op::LoadConst(c))) => Some(Carried::Const(c)),
            (_, Some(Op::LoadLiteral(literal))) => Some(Carried::Literal(literal)),
            _ => return Err(ObjectBlockError::ReturnedValue),
        };
        let offset = self.instrs[start].offset;
        let unit = self
            .bytecode
            .raw
            .partition_point(|unit| unit.offset < offset);
        let unit = self.bytecode.raw.get(unit).ok_or(BAD)?;
        Ok(Exit {
            sequence: unit.start,
            to: at,
            carried,
        })
    }
}

/// Instructions that may follow one, exceptions apart. Other than in the graph, instructions outside the language are
/// passed: the interpreter knows them.
pub(super) fn successors(bytecode: &Bytecode<'_>, i: usize) -> impl Iterator<Item = usize> {
    let op = bytecode.instrs[i].op;
    let falls = !op.ends_flow() || matches!(op, Op::Unsupported { .. });
    let target = op.target().and_then(|target| bytecode.at(target));
    falls.then_some(i + 1).into_iter().chain(target)
}
