//! Makes the blocks that run a loop in vectors.

use super::plan::{Class, Merge, Plan, Sum, lane_of};
use super::shape::Counted;
use crate::edit::edges;
use numbra_base::{FxHashMap, Origin, Span};
use numbra_lir::{
    BinaryOp, Block, BlockCall, ConvertOp, Func, Inst, InstBuilder, InstKind, IntCc, Lane,
    Terminator, Ty, UnaryOp, Value,
};

const ORIGIN: Origin = Origin::Pass("vectorize");

pub(super) fn build(func: &mut Func, counted: &Counted, plan: &Plan) {
    let span = func.blocks[counted.block].term_span;
    // `start` tests whether there are enough iterations, `apart` whether memory overlaps; `ready` leads into the vectors.
    let start = edges::split(func, counted.from, counted.edge, "vectorize");
    let body = func.insert_block_after(start);
    let end = func.insert_block_after(body);
    let mut builder = Builder {
        func,
        counted,
        plan,
        span,
        at: start,
        scalars: FxHashMap::default(),
        vectors: FxHashMap::default(),
        setup: start,
    };
    builder.run(body, end);
}

struct Builder<'a> {
    func: &'a mut Func,
    counted: &'a Counted,
    plan: &'a Plan,
    span: Span,
    /// Where instructions go.
    at: Block,
    /// Scalars of the loop in the vector code: what is invariant, counters, addresses.
    scalars: FxHashMap<Value, Value>,
    /// Vectors for values of the loop, and for invariant ones.
    vectors: FxHashMap<Value, Value>,
    /// The block that runs once before the vectors.
    setup: Block,
}

impl InstBuilder for Builder<'_> {
    fn func(&self) -> &Func {
        self.func
    }

    fn build(&mut self, kind: InstKind, results: &[Ty]) -> Inst {
        (self.func).push_inst(self.at, kind, results, self.span, ORIGIN)
    }
}

impl Builder<'_> {
    fn run(&mut self, body: Block, end: Block) {
        let lanes = i128::from(self.plan.lanes);
        let first = self.counted.initial[self.counted.counter];
        let bound = self.counted.bound;

        // More iterations than lanes: the last iterations stay for the loop.
        let iterations = self.binary(BinaryOp::ISub, bound, first);
        let most = self.iconst(Ty::I64, lanes);
        let counts = self.icmp(IntCc::Slt, first, bound);
        let enough = self.icmp(IntCc::Ugt, iterations, most);
        let enough = self.binary(BinaryOp::And, counts, enough);
        if !self.plan.pairs.is_empty() {
            let ready = self.func.insert_block_after(self.at);
            self.branch(enough, ready);
            self.at = ready;
        }
        let go = match self.plan.pairs.is_empty() {
            true => enough,
            false => self.apart(iterations, first),
        };
        let ready = self.func.insert_block_after(self.at);
        self.branch(go, ready);
        self.at = ready;
        self.setup = ready;
        let one = self.iconst(Ty::I64, 1);
        let before_last = self.binary(BinaryOp::ISub, iterations, one);
        let mask = self.iconst(Ty::I64, -lanes);
        let whole = self.binary(BinaryOp::And, before_last, mask);
        let last = self.binary(BinaryOp::IAdd, first, whole);
        let neutral: Vec<Value> = self.plan.sums.iter().map(|sum| self.neutral(sum)).collect();
        self.invariants();

        let counter = self.func.push_param(body, Ty::I64);
        let sums: Vec<Value> = self
            .plan
            .sums
            .iter()
            .map(|sum| {
                let ty = self.partial(sum);
                self.func.push_param(body, ty)
            })
            .collect();
        self.at = body;
        let params = self.func.blocks[self.counted.block].params.clone();
        self.scalars.insert(params[self.counted.counter], counter);
        for (sum, &partial) in self.plan.sums.iter().zip(&sums) {
            self.vectors.insert(params[sum.param], partial);
        }
        for inst in self.func.blocks[self.counted.block].insts().to_vec() {
            self.inst(inst);
        }
        let step = self.iconst(Ty::I64, lanes);
        let next = self.binary(BinaryOp::IAdd, counter, step);
        let more = self.icmp(IntCc::Ne, next, last);
        let partials: Vec<Value> = self
            .plan
            .sums
            .iter()
            .map(|sum| self.vectors[&self.counted.back[sum.param]])
            .collect();
        let again = call(body, [&[next], &partials[..]].concat());
        let term = Terminator::Brif {
            cond: more,
            then: again,
            other: call(end, Vec::new()),
        };
        self.func.set_term(body, term, self.span, ORIGIN);
        let enter = Terminator::Jump(call(body, [&[first], &neutral[..]].concat()));
        self.func.set_term(ready, enter, self.span, ORIGIN);

        self.at = end;
        let mut args = self.counted.initial.clone();
        args[self.counted.counter] = next;
        for (sum, partial) in self.plan.sums.iter().zip(partials) {
            args[sum.param] = self.total(sum, args[sum.param], partial);
        }
        let rest = Terminator::Jump(call(self.counted.block, args));
        self.func.set_term(end, rest, self.span, ORIGIN);
    }

    /// Ends the block: to `yes` under a condition, else to the loop as it was.
    fn branch(&mut self, cond: Value, yes: Block) {
        let term = Terminator::Brif {
            cond,
            then: call(yes, Vec::new()),
            other: call(self.counted.block, self.counted.initial.clone()),
        };
        self.func.set_term(self.at, term, self.span, ORIGIN);
    }

    /// Whether no two ranges of which one is written overlap.
    fn apart(&mut self, iterations: Value, first: Value) -> Value {
        let ranges = 0..self.plan.ranges.len();
        let ends: Vec<(Value, Value)> = ranges.map(|n| self.ends(n, iterations, first)).collect();
        let mut all = None;
        for &(a, b) in &self.plan.pairs {
            let ((a_low, a_high), (b_low, b_high)) = (ends[a], ends[b]);
            let before = self.icmp(IntCc::Ule, a_high, b_low);
            let behind = self.icmp(IntCc::Ule, b_high, a_low);
            let apart = self.binary(BinaryOp::Or, before, behind);
            all = Some(match all {
                None => apart,
                Some(others) => self.binary(BinaryOp::And, others, apart),
            });
        }
        all.unwrap_or_else(|| self.iconst(Ty::I1, 1))
    }

    /// The first address of a range, and the one behind it.
    fn ends(&mut self, range: usize, iterations: Value, first: Value) -> (Value, Value) {
        let range = &self.plan.ranges[range];
        let (base, scale, low, high) = (range.base, range.scale, range.low, range.high);
        let scale = self.iconst(Ty::I64, scale.into());
        let skipped = self.binary(BinaryOp::IMul, first, scale);
        let start = self.ptr_add(base, skipped);
        let one = self.iconst(Ty::I64, 1);
        let steps = self.binary(BinaryOp::ISub, iterations, one);
        let length = self.binary(BinaryOp::IMul, steps, scale);
        let (low, high) = (
            self.iconst(Ty::I64, low.into()),
            self.iconst(Ty::I64, high.into()),
        );
        let last = self.ptr_add(start, length);
        (self.ptr_add(start, low), self.ptr_add(last, high))
    }

    /// Computes what does not change before the vectors start.
    fn invariants(&mut self) {
        for inst in self.func.blocks[self.counted.block].insts().to_vec() {
            let [result] = self.func.insts[inst].results[..] else {
                continue;
            };
            if self.plan.class.get(&result) == Some(&Class::Invariant) {
                self.copy(inst);
            }
        }
    }

    /// A copy of a scalar instruction.
    fn copy(&mut self, inst: Inst) {
        let data = self.func.insts[inst].clone();
        let mut kind = data.kind;
        kind.for_each_operand(|v| *v = self.scalars.get(v).copied().unwrap_or(*v));
        let types: Vec<Ty> = data.results.iter().map(|&v| self.func.ty(v)).collect();
        let made = self
            .func
            .push_inst(self.at, kind, &types, data.span, data.origin);
        self.func.insts[made].facts = data.facts;
        self.func.insts[made].fast = data.fast;
        for (n, &result) in data.results.iter().enumerate() {
            let copy = self.func.insts[made].results[n];
            self.scalars.insert(result, copy);
        }
    }

    /// One instruction of the loop for all lanes.
    fn inst(&mut self, inst: Inst) {
        let data = self.func.insts[inst].clone();
        if let InstKind::Store {
            addr,
            offset,
            value,
            flags,
        } = data.kind
        {
            let addr = self.scalar(addr);
            let value = self.vector(value);
            let kind = InstKind::Store {
                addr,
                offset,
                value,
                flags,
            };
            self.func
                .push_inst(self.at, kind, &[], data.span, data.origin);
            return;
        }
        let [result] = data.results[..] else {
            return;
        };
        match self.plan.class[&result] {
            Class::Invariant | Class::Control => {}
            // The step and the addresses, at the first lane.
            Class::Linear { .. } | Class::Address { .. } => self.copy(inst),
            Class::Flag { mask, .. } => {
                let mask = self.vector(mask);
                self.vectors.insert(result, mask);
            }
            Class::Lanes(lane) => {
                let ty = self.vec(lane);
                self.across(inst, result, ty);
            }
            Class::Mask(bytes) => {
                let ty = self.vec(mask_lane(bytes));
                self.across(inst, result, ty);
            }
            Class::Sum(n) => self.add(inst, result, n),
        }
    }

    /// The same instruction on vectors.
    fn across(&mut self, inst: Inst, result: Value, ty: Ty) {
        let data = self.func.insts[inst].clone();
        let mut kind = data.kind;
        match &mut kind {
            InstKind::Load { addr, .. } => *addr = self.scalar(*addr),
            other => other.for_each_operand(|v| *v = self.vector(*v)),
        }
        let made = self
            .func
            .push_inst(self.at, kind, &[ty], data.span, data.origin);
        self.func.insts[made].fast = data.fast;
        let vector = self.func.insts[made].results[0];
        self.vectors.insert(result, vector);
    }

    /// One more term of a sum.
    fn add(&mut self, inst: Inst, result: Value, n: usize) {
        let sum = self.plan.sums[n];
        let ty = self.partial(&sum);
        let kind = self.func.insts[inst].kind.clone();
        let InstKind::Binary { op, lhs, rhs } = kind else {
            self.across(inst, result, ty);
            return;
        };
        let is_flag = |v: Value| matches!(self.plan.class.get(&v), Some(Class::Flag { .. }));
        let (before, flag) = match (is_flag(lhs), is_flag(rhs)) {
            (true, _) => (rhs, lhs),
            (_, true) => (lhs, rhs),
            (false, false) => {
                self.across(inst, result, ty);
                return;
            }
        };
        let (before, mask) = (self.vector(before), self.vector(flag));
        let after = match sum.bits {
            // A true lane is -1.
            None => {
                let op = match op {
                    BinaryOp::ISub => BinaryOp::IAdd,
                    _ => BinaryOp::ISub,
                };
                self.binary(op, before, mask)
            }
            Some(_) => {
                let count = self.ones(mask);
                self.binary(op, before, count)
            }
        };
        self.vectors.insert(result, after);
    }

    /// How many bits of a mask are set.
    fn ones(&mut self, mask: Value) -> Value {
        let words = (self.func.ty(mask).size() / 8) as u8;
        let ty = Ty::Vec(Lane::I64, words);
        let bitcast = InstKind::Convert {
            op: ConvertOp::Bitcast,
            arg: mask,
        };
        let vector = self.one(bitcast, ty);
        let mut total = None;
        for lane in 0..words {
            let word = self.one(InstKind::ExtractLane { vector, lane }, Ty::I64);
            let op = UnaryOp::Popcnt;
            let count = self.one(InstKind::Unary { op, arg: word }, Ty::I64);
            total = Some(match total {
                None => count,
                Some(others) => self.binary(BinaryOp::IAdd, others, count),
            });
        }
        total.unwrap_or(vector)
    }

    /// The type of a partial sum.
    fn partial(&self, sum: &Sum) -> Ty {
        match (sum.bits, lane_of(sum.ty)) {
            (None, Some(lane)) => self.vec(lane),
            _ => Ty::I64,
        }
    }

    /// What a partial sum starts from.
    fn neutral(&mut self, sum: &Sum) -> Value {
        if sum.bits.is_some() {
            return self.iconst(Ty::I64, 0);
        }
        let one = match sum.merge {
            Merge::Add | Merge::Or | Merge::Xor => self.iconst(sum.ty, 0),
            Merge::And => self.iconst(sum.ty, -1),
            // Minus zero changes nothing that it is added to.
            Merge::FAdd => {
                let bits = match sum.ty {
                    Ty::F32 => u64::from((-0.0_f32).to_bits()),
                    _ => (-0.0_f64).to_bits(),
                };
                self.one(InstKind::FConst(bits), sum.ty)
            }
        };
        let ty = self.partial(sum);
        self.one(InstKind::Splat(one), ty)
    }

    /// The sum before the loop and the partial sums of all lanes.
    fn total(&mut self, sum: &Sum, before: Value, partial: Value) -> Value {
        if let Some(bytes) = sum.bits {
            let shift = self.iconst(Ty::I64, (bytes * 8).trailing_zeros().into());
            let mut count = self.binary(BinaryOp::AShr, partial, shift);
            if sum.ty != Ty::I64 {
                let op = ConvertOp::Trunc;
                count = self.one(InstKind::Convert { op, arg: count }, sum.ty);
            }
            return self.binary(BinaryOp::IAdd, before, count);
        }
        let op = match sum.merge {
            Merge::Add => BinaryOp::IAdd,
            Merge::FAdd => BinaryOp::FAdd,
            Merge::And => BinaryOp::And,
            Merge::Or => BinaryOp::Or,
            Merge::Xor => BinaryOp::Xor,
        };
        let mut total = before;
        for lane in 0..self.plan.lanes {
            let kind = InstKind::ExtractLane {
                vector: partial,
                lane,
            };
            let one = self.one(kind, sum.ty);
            total = self.binary(op, total, one);
            if sum.merge == Merge::FAdd {
                let inst = self.func.blocks[self.at].insts().last().copied();
                if let Some(inst) = inst {
                    self.func.insts[inst].fast = sum.fast;
                }
            }
        }
        total
    }

    fn vec(&self, lane: Lane) -> Ty {
        Ty::Vec(lane, self.plan.lanes)
    }

    fn scalar(&self, value: Value) -> Value {
        self.scalars.get(&value).copied().unwrap_or(value)
    }

    /// The vector for a value of the loop; an invariant one in all lanes.
    fn vector(&mut self, value: Value) -> Value {
        if let Some(&vector) = self.vectors.get(&value) {
            return vector;
        }
        let scalar = self.scalar(value);
        let lane = lane_of(self.func.ty(scalar)).unwrap_or(Lane::I64);
        let ty = self.vec(lane);
        let at = std::mem::replace(&mut self.at, self.setup);
        let vector = self.one(InstKind::Splat(scalar), ty);
        self.at = at;
        self.vectors.insert(value, vector);
        vector
    }
}

fn call(block: Block, args: Vec<Value>) -> BlockCall {
    BlockCall { block, args }
}

/// The lane of masks whose lanes have this many bytes.
fn mask_lane(bytes: u32) -> Lane {
    match bytes {
        1 => Lane::I8,
        2 => Lane::I16,
        4 => Lane::I32,
        _ => Lane::I64,
    }
}
