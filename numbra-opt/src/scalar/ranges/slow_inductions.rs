//! Values that can only be large after a very long time.
//!
//! A variable that starts at a small constant and only ever changes by small constants, `i = 0 ... i += 1`, would have to be
//! changed 2^56 times, which takes years, before it is larger than 2^60: it does not wrap, though nothing in the program
//! bounds it. What is added to it or to another such variable, as in `a[i + j]`, does not wrap either.
//! Only that is concluded, never a bound: comparisons are decided by intervals alone.

use super::*;

/// Constants that a counter starts at, and by which it changes, are no larger.
const MAX_COUNTER_START: i128 = 1 << 40;
const MAX_COUNTER_STEP: i128 = 16;

/// A counter is smaller than two to this.
const COUNTER_BITS: u32 = 60;
/// What is smaller than two to this may be the result of a 64-bit operation that does not wrap.
const MAX_RESULT_BITS: u32 = 62;
/// Operations that are looked through.
const MAX_OPERATION_DEPTH: u32 = 4;

/// The 64-bit integers that are counters: closed under changes by constants, choices and block parameters.
pub(super) fn slow_inductions(func: &Func, cfg: &Cfg) -> FxHashSet<Value> {
    let mut found: FxHashSet<Value> = FxHashSet::default();
    let mut params: Vec<(Value, Vec<Value>)> = Vec::new();
    let mut steps: Vec<(Value, Vec<Value>)> = Vec::new();
    for &block in cfg.rpo() {
        for (n, &param) in func.blocks[block].params.iter().enumerate() {
            if block == func.entry() || func.ty(param) != Ty::I64 {
                continue;
            }
            let mut given = Vec::new();
            for &pred in cfg.preds(block) {
                let term = func.blocks[pred].term.iter();
                let targets = term.flat_map(|t| t.targets());
                given.extend(targets.filter(|to| to.block == block).map(|to| to.args[n]));
            }
            params.push((param, given));
        }
        for &inst in func.blocks[block].insts() {
            let data = &func.insts[inst];
            let [result] = data.results[..] else {
                continue;
            };
            if func.ty(result) != Ty::I64 {
                continue;
            }
            let small = |v: Value| integer(func, v).is_some_and(|n| n.abs() <= MAX_COUNTER_STEP);
            match data.kind {
                InstKind::Binary {
                    op: BinaryOp::IAdd,
                    lhs,
                    rhs,
                } if small(lhs) => steps.push((result, vec![rhs])),
                InstKind::Binary {
                    op: BinaryOp::IAdd | BinaryOp::ISub,
                    lhs,
                    rhs,
                } if small(rhs) => steps.push((result, vec![lhs])),
                InstKind::Select { then, other, .. } => steps.push((result, vec![then, other])),
                _ => {}
            }
        }
    }
    params.append(&mut steps);
    found.extend(params.iter().map(|(value, _)| *value));
    // What depends on anything else is none; until nothing changes.
    loop {
        let before = found.len();
        params.retain(|(value, given)| {
            let stays = given.iter().all(|v| {
                found.contains(v) || integer(func, *v).is_some_and(|n| n.abs() <= MAX_COUNTER_START)
            });
            if !stays {
                found.remove(value);
            }
            stays
        });
        if found.len() == before {
            return found;
        }
    }
}

impl Walk<'_> {
    /// True if a 64-bit addition, subtraction or product does not wrap, because it would take years to.
    pub(super) fn never_wraps(&self, op: BinaryOp, lhs: Value, rhs: Value) -> bool {
        self.func.ty(lhs) == Ty::I64
            && self
                .bits_of(op, lhs, rhs, MAX_OPERATION_DEPTH)
                .is_some_and(|bits| bits <= MAX_RESULT_BITS)
    }

    fn bits_of(&self, op: BinaryOp, lhs: Value, rhs: Value, depth: u32) -> Option<u32> {
        let (x, y) = (self.bits(lhs, depth)?, self.bits(rhs, depth)?);
        match op {
            BinaryOp::IAdd | BinaryOp::ISub => Some(x.max(y) + 1),
            BinaryOp::IMul => Some(x + y),
            _ => None,
        }
    }

    /// The magnitude of a value is below two to this.
    fn bits(&self, value: Value, depth: u32) -> Option<u32> {
        let range = self.range[value];
        if !range.is_empty() {
            let top = range.lo.unsigned_abs().max(range.hi.unsigned_abs());
            let bits = u128::BITS - top.leading_zeros();
            if bits <= MAX_RESULT_BITS {
                return Some(bits);
            }
        }
        if self.counters.slow.contains(&value) {
            return Some(COUNTER_BITS);
        }
        match self.func.def(value) {
            Some(&InstKind::Binary { op, lhs, rhs }) if depth > 0 => self
                .bits_of(op, lhs, rhs, depth - 1)
                .filter(|&bits| bits <= MAX_RESULT_BITS),
            _ => None,
        }
    }
}
