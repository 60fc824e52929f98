//! What can be tested once in front of a loop, for all its iterations.

use crate::loops::stepping::{Stepping, stepping};
use crate::scalar::fold::integer;
use numbra_base::{Origin, Span};
use numbra_lir::analysis::{Loop, LoopInductions, is_fixed};
use numbra_lir::{
    BinaryOp, Block, Func, Inst, InstBuilder, InstKind, IntCc, OverflowOp, Terminator, Ty, UnaryOp,
    Value,
};

/// Conditions in conditions.
const MAX_CONDITION_DEPTH: u32 = 4;

/// What is added to a counter: `a[i + j + k]`.
const MAX_INDEX_OFFSETS: usize = 2;

/// A counter that starts below this and goes up by one takes years to wrap around.
const MAX_COUNTER_START: i128 = 1 << 60;

/// What makes a condition true in every iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LoopPredicate {
    /// This is true.
    Holds(Value),
    /// This is not negative, and no sum or difference with a counter wraps around.
    NonNegativeNoWrap(Value),
    /// This is never negative.
    NotNegative(Index),
    /// This is always at least zero and below a bound.
    Below(Index, Value),
}

impl LoopPredicate {
    /// True if what is tested in front of a loop must be tested again in front of each iteration.
    pub(crate) fn needs_per_iteration_check(&self) -> bool {
        match self {
            LoopPredicate::NotNegative(index) | LoopPredicate::Below(index, _) => {
                index.stepping == Stepping::Down
            }
            LoopPredicate::Holds(_) | LoopPredicate::NonNegativeNoWrap(_) => false,
        }
    }
}

/// True if an index is known to be negative in the first iteration, for one of the ways into the loop: `a[i - 1]` from 0 on.
pub(crate) fn is_statically_false(
    func: &Func,
    predicate: &LoopPredicate,
    header: Block,
    entering: &[Block],
) -> bool {
    let (LoopPredicate::NotNegative(index) | LoopPredicate::Below(index, _)) = predicate else {
        return false;
    };
    let mut offsets = index.offsets.iter().flatten();
    let offset = offsets.try_fold(0, |sum, &(op, by)| {
        let by = integer(func, by)?;
        Some(sum + if op == BinaryOp::ISub { -by } else { by })
    });
    let targets = entering.iter().flat_map(|&b| func.term(b).targets());
    let mut starts = targets
        .filter(|to| to.block == header)
        .map(|to| integer(func, to.args[index.counter]));
    offset.is_some_and(|by| starts.any(|start| start.is_some_and(|start| start + by < 0)))
}

/// A counter, or a sum or difference of it and what is fixed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Index {
    /// Position among the header's parameters.
    counter: usize,
    stepping: Stepping,
    /// From the inside out.
    offsets: [Option<(BinaryOp, Value)>; MAX_INDEX_OFFSETS],
}

/// What decides whether `inst` finds a negative number in any iteration, if it asks for the sign of an index.
pub(crate) fn predicate_of_sign(
    func: &Func,
    data: &Loop,
    known: &LoopInductions,
    inst: Inst,
) -> Option<LoopPredicate> {
    let InstKind::Icmp {
        cc: IntCc::Slt,
        lhs,
        rhs,
    } = func.insts[inst].kind
    else {
        return None;
    };
    let asks = func.ty(lhs) == Ty::I64 && integer(func, rhs) == Some(0);
    asks.then(|| index_of(func, data, known, lhs))?
        .map(LoopPredicate::NotNegative)
}

/// What makes the guard at the end of a block pass in every iteration, if that can be told in front of the loop.
pub(crate) fn predicates_of_guard(
    func: &Func,
    data: &Loop,
    known: &LoopInductions,
    block: Block,
) -> Option<Vec<LoopPredicate>> {
    let Terminator::Guard { cond, .. } = func.term(block) else {
        return None;
    };
    let mut predicates = Vec::new();
    add_predicates(
        func,
        data,
        known,
        *cond,
        MAX_CONDITION_DEPTH,
        &mut predicates,
    )
    .then_some(predicates)
}

fn add_predicates(
    func: &Func,
    data: &Loop,
    known: &LoopInductions,
    cond: Value,
    depth: u32,
    predicates: &mut Vec<LoopPredicate>,
) -> bool {
    if is_fixed(func, data, cond) {
        predicates.push(LoopPredicate::Holds(cond));
        return true;
    }
    match func.def(cond) {
        Some(&InstKind::Binary {
            op: BinaryOp::And,
            lhs,
            rhs,
        }) if depth > 0 => {
            add_predicates(func, data, known, lhs, depth - 1, predicates)
                && add_predicates(func, data, known, rhs, depth - 1, predicates)
        }
        Some(&InstKind::Icmp {
            cc: IntCc::Ult,
            lhs,
            rhs,
        }) if is_fixed(func, data, rhs) => {
            let Some(index) = index_of(func, data, known, lhs) else {
                return false;
            };
            match index.stepping {
                Stepping::Up { stop: None } | Stepping::Rising { .. } | Stepping::Down => {
                    return false;
                }
                Stepping::Up { stop: Some(_) } | Stepping::Counted { .. } => {}
            }
            predicates.push(LoopPredicate::Below(index, rhs));
            true
        }
        _ => false,
    }
}

/// An integer as an index, if it is one.
fn index_of(func: &Func, data: &Loop, known: &LoopInductions, value: Value) -> Option<Index> {
    let mut value = not_from_the_end(func, value);
    let params = &func.blocks[data.header].params;
    let mut offsets = [None; MAX_INDEX_OFFSETS];
    for n in (0..=MAX_INDEX_OFFSETS).rev() {
        if let Some(counter) = params.iter().position(|&p| p == value) {
            offsets.rotate_left(n);
            return Some(Index {
                counter,
                stepping: stepping(func, data, known, counter)?,
                offsets,
            });
        }
        let Some(&InstKind::Binary { op, lhs, rhs }) = func.def(value) else {
            return None;
        };
        let (inner, by) = match op {
            BinaryOp::IAdd if is_fixed(func, data, lhs) => (rhs, lhs),
            BinaryOp::IAdd | BinaryOp::ISub if is_fixed(func, data, rhs) => (lhs, rhs),
            _ => return None,
        };
        *offsets.get_mut(n.checked_sub(1)?)? = Some((op, by));
        value = inner;
    }
    None
}

/// `x` for `x < 0 ? .. : x`: what an index is unless it counts from the end.
fn not_from_the_end(func: &Func, index: Value) -> Value {
    let Some(&InstKind::Select { cond, other, .. }) = func.def(index) else {
        return index;
    };
    match func.def(cond) {
        Some(&InstKind::Icmp {
            cc: IntCc::Slt,
            lhs,
            rhs,
        }) if lhs == other && integer(func, rhs) == Some(0) => other,
        _ => index,
    }
}

/// Tests at the end of a block that enters a loop.
pub(crate) struct Tests<'a> {
    func: &'a mut Func,
    block: Block,
    span: Span,
    origin: Origin,
    /// What the loop's parameters are in the first iteration.
    entered: &'a [Value],
    /// All tests so far.
    pub(crate) all: Option<Value>,
}

impl InstBuilder for Tests<'_> {
    fn func(&self) -> &Func {
        self.func
    }

    fn build(&mut self, kind: InstKind, results: &[Ty]) -> Inst {
        (self.func).push_inst(self.block, kind, results, self.span, self.origin)
    }
}

impl<'a> Tests<'a> {
    pub(crate) fn new(
        func: &'a mut Func,
        block: Block,
        entered: &'a [Value],
        span: Span,
        origin: Origin,
    ) -> Tests<'a> {
        Tests {
            func,
            block,
            span,
            origin,
            entered,
            all: None,
        }
    }

    pub(crate) fn add(&mut self, predicate: &LoopPredicate) {
        match *predicate {
            LoopPredicate::Holds(cond) => {
                let cond = self.fixed(cond);
                self.and(cond);
            }
            LoopPredicate::NonNegativeNoWrap(value) => {
                let value = self.fixed(value);
                self.moderate(value);
            }
            LoopPredicate::NotNegative(index) => match index.stepping {
                Stepping::Up { .. } => {
                    let first = self.first(index);
                    self.moderate(first);
                }
                // Nothing goes further than from the start to the stop and a step.
                Stepping::Rising { step, stop } => {
                    let first = self.first(index);
                    let start = self.entered[index.counter];
                    let step = self.fixed(step);
                    self.moderate(first);
                    if first != start {
                        self.moderate(start);
                    }
                    self.moderate(step);
                    let stop = self.fixed(stop);
                    let far = self.iconst(Ty::I64, MAX_COUNTER_START);
                    let near = self.icmp(IntCc::Slt, stop, far);
                    self.and(near);
                }
                Stepping::Down => {
                    let first = self.first(index);
                    self.not_negative(first);
                }
                Stepping::Counted { .. } => {
                    self.between(index);
                }
            },
            LoopPredicate::Below(index, bound) => {
                let (first, last) = self.between(index);
                let bound = self.fixed(bound);
                for index in [first, last] {
                    let fits = self.icmp(IntCc::Ult, index, bound);
                    self.and(fits);
                }
            }
        }
    }

    /// Tests that a counter with an offset is not negative in the first and in the last iteration, and that all others lie
    /// between: the way from one to the other does not wrap around, and its sum with a positive start would be negative
    /// if it did.
    fn between(&mut self, index: Index) -> (Value, Value) {
        let start = self.entered[index.counter];
        let one = self.iconst(Ty::I64, 1);
        let way = match index.stepping {
            Stepping::Up { stop } => {
                // Without a stop the first iteration is the last that is known; nobody asks for that.
                let stop = stop.map_or(start, |stop| self.fixed(stop));
                self.not_negative(start);
                let runs = self.icmp(IntCc::Slt, start, stop);
                self.and(runs);
                let iterations = self.binary(BinaryOp::ISub, stop, start);
                self.binary(BinaryOp::ISub, iterations, one)
            }
            Stepping::Counted { step, iterations } => {
                let again = self.binary(BinaryOp::ISub, self.entered[iterations], one);
                self.not_negative(again);
                let kind = InstKind::Overflow {
                    op: OverflowOp::SMul,
                    lhs: again,
                    rhs: self.fixed(step),
                };
                let product = self.inst(kind, &[Ty::I64, Ty::I1]);
                let not = InstKind::Unary {
                    op: UnaryOp::INot,
                    arg: product[1],
                };
                let fits = self.inst(not, &[Ty::I1])[0];
                self.and(fits);
                product[0]
            }
            // Nobody predicates for more than the sign of these.
            Stepping::Rising { .. } | Stepping::Down => self.iconst(Ty::I64, 0),
        };
        let first = self.first(index);
        let last = self.binary(BinaryOp::IAdd, first, way);
        self.not_negative(first);
        self.not_negative(last);
        (first, last)
    }

    /// An index in the first iteration.
    fn first(&mut self, index: Index) -> Value {
        let mut first = self.entered[index.counter];
        for &(op, by) in index.offsets.iter().flatten() {
            let by = self.fixed(by);
            first = self.binary(op, first, by);
        }
        first
    }

    fn moderate(&mut self, value: Value) {
        let far = self.iconst(Ty::I64, MAX_COUNTER_START);
        let fits = self.icmp(IntCc::Ult, value, far);
        self.and(fits);
    }

    fn not_negative(&mut self, value: Value) {
        let zero = self.iconst(Ty::I64, 0);
        let fits = self.icmp(IntCc::Sge, value, zero);
        self.and(fits);
    }

    /// A constant of the loop once more; other values stand outside.
    fn fixed(&mut self, value: Value) -> Value {
        match integer(self.func, value) {
            Some(constant) => self.iconst(self.func.ty(value), constant),
            None => value,
        }
    }

    fn and(&mut self, test: Value) {
        self.all = Some(match self.all {
            None => test,
            Some(all) => self.binary(BinaryOp::And, all, test),
        });
    }
}
