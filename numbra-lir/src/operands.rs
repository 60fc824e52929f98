//! What instructions and terminators use: their operands and targets, to be read and to be changed.

use crate::{Block, BlockCall, InstKind, Terminator, Value, Values};
use smallvec::{SmallVec, smallvec};

/// A few targets: those of all terminators but switches need no memory of their own.
type Targets<T> = SmallVec<[T; 2]>;

impl Terminator {
    /// The targets, in order.
    pub fn targets(&self) -> Targets<&BlockCall> {
        let mut all = Targets::new();
        self.visit_targets(|to| all.push(to));
        all
    }

    /// The first target that is this block, and which of the targets it is.
    pub fn target_to(&self, block: Block) -> Option<(usize, &BlockCall)> {
        let mut targets = self.targets().into_iter().enumerate();
        targets.find(|(_, to)| to.block == block)
    }

    /// Visits the targets, in order.
    pub fn visit_targets<'a>(&'a self, mut visit: impl FnMut(&'a BlockCall)) {
        match self {
            Terminator::Jump(to) => visit(to),
            Terminator::Brif { then, other, .. } => {
                visit(then);
                visit(other);
            }
            Terminator::Switch { cases, default, .. } => {
                cases.iter().chain([default]).for_each(visit)
            }
            Terminator::Guard { ok, err, .. } => {
                visit(ok);
                visit(err);
            }
            Terminator::Return(_) | Terminator::Fail => {}
        }
    }

    /// The targets, in order, to be changed.
    pub fn targets_mut(&mut self) -> Targets<&mut BlockCall> {
        match self {
            Terminator::Jump(to) => smallvec![to],
            Terminator::Brif { then, other, .. } => smallvec![then, other],
            Terminator::Switch { cases, default, .. } => {
                cases.iter_mut().chain([default]).collect()
            }
            Terminator::Guard { ok, err, .. } => smallvec![ok, err],
            Terminator::Return(_) | Terminator::Fail => Targets::new(),
        }
    }

    /// Visits each operand in order: condition or index first, then the arguments of each target.
    pub fn visit_operands(&self, mut visit: impl FnMut(Value)) {
        let call = |to: &BlockCall, visit: &mut dyn FnMut(Value)| {
            to.args.iter().for_each(|&v| visit(v));
        };
        match self {
            Terminator::Jump(to) => call(to, &mut visit),
            Terminator::Brif { cond, then, other } => {
                visit(*cond);
                call(then, &mut visit);
                call(other, &mut visit);
            }
            Terminator::Switch {
                index,
                cases,
                default,
            } => {
                visit(*index);
                cases.iter().for_each(|to| call(to, &mut visit));
                call(default, &mut visit);
            }
            Terminator::Guard { cond, ok, err, .. } => {
                visit(*cond);
                call(ok, &mut visit);
                call(err, &mut visit);
            }
            Terminator::Return(values) => values.iter().for_each(|&v| visit(v)),
            Terminator::Fail => {}
        }
    }

    /// Visits each operand in order, to be changed.
    pub fn for_each_operand(&mut self, mut visit: impl FnMut(&mut Value)) {
        match self {
            Terminator::Jump(to) => to.args.iter_mut().for_each(visit),
            Terminator::Brif { cond, then, other } => {
                visit(cond);
                then.args.iter_mut().for_each(&mut visit);
                other.args.iter_mut().for_each(visit);
            }
            Terminator::Switch {
                index,
                cases,
                default,
            } => {
                visit(index);
                for to in cases {
                    to.args.iter_mut().for_each(&mut visit);
                }
                default.args.iter_mut().for_each(visit);
            }
            Terminator::Guard { cond, ok, err, .. } => {
                visit(cond);
                ok.args.iter_mut().for_each(&mut visit);
                err.args.iter_mut().for_each(visit);
            }
            Terminator::Return(values) => values.iter_mut().for_each(visit),
            Terminator::Fail => {}
        }
    }
}

impl InstKind {
    /// Where an instruction accesses memory, if it is one that does and says so by an address.
    pub fn address(&self) -> Option<Value> {
        match *self {
            InstKind::Load { addr, .. }
            | InstKind::Store { addr, .. }
            | InstKind::AtomicLoad { addr, .. }
            | InstKind::AtomicStore { addr, .. }
            | InstKind::AtomicRmw { addr, .. }
            | InstKind::AtomicCas { addr, .. } => Some(addr),
            _ => None,
        }
    }

    /// Operands in order.
    pub fn operands(&self) -> Values {
        let mut out = Values::new();
        self.visit_operands(|v| out.push(v));
        out
    }
}
