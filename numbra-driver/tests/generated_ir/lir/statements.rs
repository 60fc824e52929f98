//! Statements of generated functions in LIR.

use super::{Array, Callee, Maker, Parts, signature};
use crate::lir_code::to;
use numbra_lir::{
    AliasClass, BinaryOp, Block, GuardKind, InstBuilder, InstKind, IntCc, Terminator, Ty, Value,
};

impl Maker<'_> {
    pub(super) fn statements(&mut self, depth: usize) {
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth);
        }
    }

    pub(super) fn statement(&mut self, depth: usize) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        match self.random.below(if depth == 0 { 13 } else { 21 }) {
            0 | 1 => {
                let (var, value) = (self.int_var(), self.int(2));
                self.code.set(var, value);
            }
            2 => {
                let (var, value) = (self.float_var(), self.float(2));
                self.code.set(var, value);
            }
            3 | 4 => {
                let array = self.some_array();
                let parts = self.parts(array);
                let at = self.index(parts.extent);
                let value = self.new_element(1);
                let addr = self.address(parts, at);
                self.store(addr, value);
            }
            5 => {
                let (array, parts) = (self.some_array(), self.allocate());
                self.assign(array, parts, true);
            }
            6 => {
                let (array, other) = (self.some_array(), self.some_array());
                let parts = self.parts(other);
                self.assign(array, parts, true);
            }
            7 | 8 => self.slice(),
            9 => self.copy_bytes(),
            10 | 11 => self.call_some(),
            12 => self.leave(),
            13 | 14 => self.two_ways(depth),
            15 => self.many_ways(depth),
            16 => self.open_loop(depth),
            17 => self.counted(depth),
            _ => self.over_elements(),
        }
    }

    /// `a = b[start:start + count:step]`, backwards too.
    pub(super) fn slice(&mut self) {
        let (array, other) = (self.some_array(), self.some_array());
        let mut parts = self.parts(other);
        let (zero, one) = (self.code.int(0), self.code.int(1));
        if self.random.once_in(3) {
            // From the last element to the first.
            let last = self.code.binary(BinaryOp::ISub, parts.extent, one);
            let last = self.code.binary(BinaryOp::SMax, last, zero);
            parts.data = self.address(parts, last);
            parts.stride = self.code.binary(BinaryOp::ISub, zero, parts.stride);
        } else {
            let start = self.int(1);
            let start = self.code.binary(BinaryOp::SMax, start, zero);
            let start = self.code.binary(BinaryOp::SMin, start, parts.extent);
            parts.data = self.address(parts, start);
            let left = self.code.binary(BinaryOp::ISub, parts.extent, start);
            let step = self.random.pick(&[1, 1, 2, 3]);
            let (step, up) = (self.code.int(step), self.code.int(step - 1));
            let left = self.code.binary(BinaryOp::IAdd, left, up);
            parts.extent = self.code.binary(BinaryOp::SDiv, left, step);
            parts.stride = self.code.binary(BinaryOp::IMul, parts.stride, step);
        }
        self.assign(array, parts, true);
    }

    /// Copies between arrays whose elements follow each other, which may overlap.
    pub(super) fn copy_bytes(&mut self) {
        let (array, other) = (self.some_array(), self.some_array());
        let (to, from) = (self.parts(array), self.parts(other));
        let size = self.size();
        let (size, zero) = (self.code.int(size), self.code.int(0));
        let count = self.code.binary(BinaryOp::SMin, to.extent, from.extent);
        let mut len = self.code.binary(BinaryOp::IMul, count, size);
        for stride in [to.stride, from.stride] {
            let dense = self.code.icmp(IntCc::Eq, stride, size);
            len = self.code.select(dense, len, zero);
        }
        let kind = InstKind::MemCopy {
            dst: to.data,
            src: from.data,
            len,
            overlap: true,
            alias: AliasClass::ARRAY,
        };
        self.code.inst(kind, &[]);
    }

    pub(super) fn call_some(&mut self) {
        let known: Vec<Callee> = self
            .callees
            .iter()
            .filter(|c| !c.recursive)
            .cloned()
            .collect();
        let own: Vec<Callee> = self
            .callees
            .iter()
            .filter(|c| c.recursive)
            .cloned()
            .collect();
        match (known.is_empty(), own.is_empty()) {
            (true, true) => {}
            (false, _) if self.random.once_in(2) || own.is_empty() => {
                let callee = self.random.pick(&known);
                self.call(&callee, None);
            }
            _ => {
                let callee = self.random.pick(&own);
                // What may be this function itself is called once, at its end.
                let sig = signature(callee.arrays, callee.gives_array);
                if self.code.func.sig == sig {
                    return;
                }
                let depth = self.random.below(5) as i128;
                let depth = self.code.int(depth);
                self.call(&callee, Some(depth));
            }
        }
    }

    /// A call; where it fails, so does this function, or it goes on.
    pub(super) fn call(&mut self, callee: &Callee, depth: Option<Value>) {
        let mut args = Vec::new();
        for _ in 0..callee.arrays {
            let array = self.some_array();
            let parts = self.parts(array);
            args.extend([parts.data, parts.owner, parts.extent, parts.stride]);
        }
        let first = depth.unwrap_or_else(|| self.code.int(3));
        let second = self.int(1);
        args.extend([first, second]);
        let types: &[Ty] = if callee.gives_array {
            &[Ty::I32, Ty::PTR, Ty::Ref, Ty::I64, Ty::I64]
        } else {
            &[Ty::I32, Ty::I64]
        };
        let kind = InstKind::Call {
            func: callee.id,
            args,
        };
        let results = self.code.inst(kind, types);
        let zero = self.code.one(InstKind::IConst(0), Ty::I32);
        let fine = self.code.icmp(IntCc::Eq, results[0], zero);
        let after = self.code.block();
        if self.random.once_in(2) {
            // A handler.
            let (well, caught) = (self.code.block(), self.code.block());
            self.code.branch(fine, well, caught);
            self.code.at = caught;
            let (var, value) = (self.int_var(), self.int(1));
            self.code.set(var, value);
            self.code.end(Terminator::Jump(to(after)));
            self.code.at = well;
        } else {
            let failed = self.code.block();
            self.code.guard(fine, GuardKind::Status, failed);
            let ok = self.code.at;
            self.code.at = failed;
            self.code.end(Terminator::Fail);
            self.code.at = ok;
        }
        if let [_, data, owner, extent, stride] = results[..] {
            let array = self.some_array();
            let parts = Parts {
                data,
                owner,
                extent,
                stride,
            };
            self.assign(array, parts, true);
        } else {
            let var = self.int_var();
            self.code.set(var, results[1]);
        }
        self.code.go(after);
    }

    /// `break`, `continue` or an exception.
    pub(super) fn leave(&mut self) {
        let cond = self.condition();
        let after = self.code.block();
        match self.loops.last().copied() {
            Some((end, head)) if !self.random.once_in(3) => {
                let to = if self.random.once_in(2) { end } else { head };
                self.code.branch(cond, to, after);
            }
            _ => {
                let bad = self.code.block();
                self.code.branch(cond, bad, after);
                self.code.at = bad;
                let word = self.int(1);
                let kind = InstKind::SetError {
                    exception: self.errors[1],
                    args: vec![word],
                };
                self.code.inst(kind, &[]);
                self.code.end(Terminator::Fail);
            }
        }
        self.code.at = after;
    }

    pub(super) fn two_ways(&mut self, depth: usize) {
        let cond = self.condition();
        let (then, other, after) = (self.code.block(), self.code.block(), self.code.block());
        self.code.branch(cond, then, other);
        for (block, always) in [(then, true), (other, false)] {
            self.code.at = block;
            if always || self.random.once_in(2) {
                self.statements(depth - 1);
            }
            self.code.end(Terminator::Jump(to(after)));
        }
        self.code.at = after;
    }

    pub(super) fn many_ways(&mut self, depth: usize) {
        let index = self.int(1);
        let cases: Vec<Block> = (0..3).map(|_| self.code.block()).collect();
        let after = self.code.block();
        self.code.end(Terminator::Switch {
            index,
            cases: cases.iter().map(|block| to(*block)).collect(),
            default: to(after),
        });
        for block in cases {
            self.code.at = block;
            self.statements(depth - 1);
            self.code.end(Terminator::Jump(to(after)));
        }
        self.code.at = after;
    }

    /// The body of a loop that costs fuel.
    pub(super) fn rounds(&mut self, head: Block, end: Block, depth: usize) {
        let (fuel, one, zero) = (
            self.code.get(self.fuel, Ty::I64),
            self.code.int(1),
            self.code.int(0),
        );
        let less = self.code.binary(BinaryOp::ISub, fuel, one);
        self.code.set(self.fuel, less);
        let some = self.code.icmp(IntCc::Sgt, less, zero);
        let go_on = self.code.block();
        self.code.branch(some, go_on, end);
        self.code.at = go_on;
        self.loops.push((end, head));
        self.statements(depth - 1);
        self.loops.pop();
        self.code.end(Terminator::Jump(to(head)));
        self.code.at = end;
    }

    pub(super) fn open_loop(&mut self, depth: usize) {
        let (head, body, end) = (self.code.block(), self.code.block(), self.code.block());
        self.code.go(head);
        let cond = self.condition();
        self.code.branch(cond, body, end);
        self.code.at = body;
        self.rounds(head, end, depth);
    }

    pub(super) fn counted(&mut self, depth: usize) {
        let (counter, stop) = (self.code.slot(Ty::I64), self.int(1));
        let start = self.random.pick(&[0, 0, 1, -3]);
        let start = self.code.int(start);
        self.code.set(counter, start);
        let (head, body, end) = (self.code.block(), self.code.block(), self.code.block());
        self.code.go(head);
        let now = self.code.get(counter, Ty::I64);
        let more = self.code.icmp(IntCc::Slt, now, stop);
        let step = self.random.pick(&[1, 1, 2]);
        let step = self.code.int(step);
        let next = self.code.binary(BinaryOp::IAdd, now, step);
        self.code.set(counter, next);
        self.code.branch(more, body, end);
        self.code.at = body;
        let var = self.int_var();
        self.code.set(var, now);
        self.rounds(head, end, depth);
    }

    /// A loop over all indices of an array.
    pub(super) fn each_index(&mut self, array: Array, body: impl FnOnce(&mut Self, Parts, Value)) {
        let counter = self.code.slot(Ty::I64);
        let zero = self.code.int(0);
        self.code.set(counter, zero);
        let parts = self.parts(array);
        let (head, inside, end) = (self.code.block(), self.code.block(), self.code.block());
        self.code.go(head);
        let now = self.code.get(counter, Ty::I64);
        let more = self.code.icmp(IntCc::Slt, now, parts.extent);
        self.code.branch(more, inside, end);
        self.code.at = inside;
        body(self, parts, now);
        let one = self.code.int(1);
        let next = self.code.binary(BinaryOp::IAdd, now, one);
        self.code.set(counter, next);
        self.code.end(Terminator::Jump(to(head)));
        self.code.at = end;
        self.code.keep(vec![parts.owner]);
    }

    /// Loops that can run in vectors: `a[i] = b[i] op x`, sums, and what is kept of an array.
    pub(super) fn over_elements(&mut self) {
        let (array, other) = (self.some_array(), self.some_array());
        let form = self.random.below(4);
        let limit = self.new_element(1);
        let source = self.parts(other);
        self.each_index(array, |maker, parts, at| {
            let inside = maker.code.icmp(IntCc::Ult, at, source.extent);
            let (read, after) = (maker.code.block(), maker.code.block());
            maker.code.branch(inside, read, after);
            maker.code.at = read;
            let from = maker.address(source, at);
            let value = maker.load(from);
            let target = maker.address(parts, at);
            let sum = if maker.elem.is_float() {
                BinaryOp::FAdd
            } else {
                BinaryOp::IAdd
            };
            match form {
                0 => {
                    let result = maker.code.binary(sum, value, limit);
                    maker.store(target, result);
                }
                1 => {
                    let wide = maker.as_int(value);
                    let var = maker.ints[1];
                    let before = maker.code.get(var, Ty::I64);
                    let result = maker.code.binary(BinaryOp::IAdd, before, wide);
                    maker.code.set(var, result);
                }
                2 => {
                    let wide = maker.as_float(value);
                    let var = maker.floats[1];
                    let before = maker.code.get(var, Ty::F64);
                    let result = maker.code.binary(BinaryOp::FAdd, before, wide);
                    maker.code.set(var, result);
                }
                _ => {
                    // Stored where a test holds.
                    let (wide, bound) = (maker.as_int(value), maker.as_int(limit));
                    let less = maker.code.icmp(IntCc::Slt, wide, bound);
                    let write = maker.code.block();
                    maker.code.branch(less, write, after);
                    maker.code.at = write;
                    maker.store(target, value);
                }
            }
            maker.code.go(after);
        });
        self.code.keep(vec![source.owner]);
    }
}
