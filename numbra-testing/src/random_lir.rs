//! Random functions: loops, branches, guards, memory and reference counting over a few variables.

use numbra_base::{Origin, Span};
use numbra_lir::interp::{Arg, Executor, LirValue, Outcome};
use numbra_lir::text::{Form, print};
use numbra_lir::{
    AliasClass, Align, BinaryOp, Block, BlockCall, Exception, ExceptionId, Func, FuncDecl, FuncRef,
    GuardKind, Inst, InstBuilder, InstKind, IntCc, Linkage, MemFlags, Module, NativeId, Signature,
    Slot, Terminator, Ty, UnaryOp, Value,
};

/// Elements of the buffer that a function works on.
pub const ELEMENTS: i128 = 16;
/// Integer variables.
const VARIABLES: usize = 5;
/// Loop rounds and statements before a function ends by itself.
const FUEL: i128 = 300;

/// Marsaglia 2003, "Xorshift RNGs".
pub struct Rng(pub u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 16) % n
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

/// A module with one function `f(buffer, i64, i64, i64) -> (i64, i64, i64)` that may raise.
pub fn module(seed: u64) -> (Module, FuncRef) {
    let mut module = Module {
        name: "random".to_owned(),
        ..Module::default()
    };
    let exception = module.exceptions.push(Exception {
        class: "builtins.IndexError".to_owned(),
        args: vec![Some("'out of range'".to_owned())],
        function: "f".to_owned(),
        span: Span::NONE,
    });
    let sig = Signature::new(
        &[Ty::PTR, Ty::I64, Ty::I64, Ty::I64],
        &[Ty::I64, Ty::I64, Ty::I64],
        true,
    );
    let func = Builder::new(
        sig.clone(),
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
        exception,
    );
    let decl = FuncDecl {
        name: "f".to_owned(),
        linkage: Linkage::Export,
        sig,
        body: Some(func.build()),
        inline_always: false,
        inline_never: false,
    };
    let id = module.functions.push(decl);
    (module, id)
}

fn flags(alias: AliasClass) -> MemFlags {
    MemFlags {
        alias,
        align: Align(8),
        readonly: false,
        volatile: false,
    }
}

struct Builder {
    func: Func,
    at: Block,
    rng: Rng,
    vars: Vec<Slot>,
    fuel: Slot,
    /// Two arrays, each a reference and the address of its elements.
    arrays: [(Slot, Slot); 2],
    error: Block,
    out_of_memory: Block,
    buffer: Value,
    /// Loops that a `break` or `continue` may leave: exits and heads.
    loops: Vec<(Block, Block)>,
    exception: ExceptionId,
}

impl InstBuilder for Builder {
    fn func(&self) -> &Func {
        &self.func
    }

    fn build(&mut self, kind: InstKind, results: &[Ty]) -> Inst {
        (self.func).push_inst(self.at, kind, results, Span::NONE, Origin::Compiler)
    }
}

impl Builder {
    fn new(sig: Signature, rng: Rng, exception: ExceptionId) -> Builder {
        let mut func = Func::new(sig, Span::NONE);
        let entry = func.entry();
        let slot = |func: &mut Func, refs: Vec<u32>| {
            func.slots.push(numbra_lir::SlotData {
                size: 8,
                align: 8,
                refs,
                undefined: false,
            })
        };
        let vars = (0..VARIABLES)
            .map(|_| slot(&mut func, Vec::new()))
            .collect();
        let fuel = slot(&mut func, Vec::new());
        // References in plain slots become values; a slot with a reference field counts by itself.
        let arrays = [0, 1].map(|_| (slot(&mut func, vec![0]), slot(&mut func, Vec::new())));
        let (error, out_of_memory) = (func.push_block(), func.push_block());
        let buffer = func.blocks[entry].params[0];
        Builder {
            func,
            at: entry,
            rng,
            vars,
            fuel,
            arrays,
            error,
            out_of_memory,
            buffer,
            loops: Vec::new(),
            exception,
        }
    }

    fn build(mut self) -> Func {
        let params = self.func.blocks[self.at].params.clone();
        for n in 0..VARIABLES {
            let value = if n < 3 {
                params[n + 1]
            } else {
                self.int(n as i128)
            };
            self.set(self.vars[n], value);
        }
        let fuel = self.int(FUEL);
        self.set(self.fuel, fuel);
        for n in 0..2 {
            self.allocate(n, false);
        }
        let statements = 3 + self.rng.below(5);
        for _ in 0..statements {
            self.statement(3);
        }
        let results = (0..3).map(|n| self.get(self.vars[n], Ty::I64)).collect();
        self.keep(0);
        self.keep(1);
        self.end(Terminator::Return(results));
        for block in [self.error, self.out_of_memory] {
            self.at = block;
            self.inst(
                InstKind::SetError {
                    exception: self.exception,
                    args: Vec::new(),
                },
                &[],
            );
            self.end(Terminator::Fail);
        }
        self.func
    }

    fn int(&mut self, n: i128) -> Value {
        self.one(InstKind::IConst(n), Ty::I64)
    }

    fn end(&mut self, term: Terminator) {
        self.func
            .set_term(self.at, term, Span::NONE, Origin::Compiler);
    }

    fn go(&mut self, to: Block) {
        self.end(Terminator::Jump(call(to)));
    }

    fn get(&mut self, slot: Slot, ty: Ty) -> Value {
        let addr = self.one(InstKind::SlotAddr(slot), Ty::PTR);
        let flags = flags(AliasClass::STACK);
        self.one(
            InstKind::Load {
                addr,
                offset: 0,
                flags,
            },
            ty,
        )
    }

    fn set(&mut self, slot: Slot, value: Value) {
        let addr = self.one(InstKind::SlotAddr(slot), Ty::PTR);
        let flags = flags(AliasClass::STACK);
        self.inst(
            InstKind::Store {
                addr,
                offset: 0,
                value,
                flags,
            },
            &[],
        );
    }

    fn var(&mut self) -> Slot {
        let n = self.rng.below(VARIABLES as u64) as usize;
        self.vars[n]
    }

    fn operand(&mut self) -> Value {
        match self.rng.below(3) {
            0 => {
                let n = self.rng.pick(&[-7, -1, 0, 1, 2, 3, 8, 15, 16, 100]);
                self.int(n)
            }
            _ => {
                let var = self.var();
                self.get(var, Ty::I64)
            }
        }
    }

    fn expression(&mut self, depth: u32) -> Value {
        if depth == 0 {
            return self.operand();
        }
        match self.rng.below(12) {
            0..=5 => {
                let op = self.rng.pick(&[
                    BinaryOp::IAdd,
                    BinaryOp::IAdd,
                    BinaryOp::ISub,
                    BinaryOp::IMul,
                    BinaryOp::And,
                    BinaryOp::Or,
                    BinaryOp::Xor,
                    BinaryOp::SDiv,
                    BinaryOp::SRem,
                    BinaryOp::UDiv,
                    BinaryOp::URem,
                    BinaryOp::SMin,
                    BinaryOp::SMax,
                    BinaryOp::UMin,
                    BinaryOp::LShr,
                    BinaryOp::AShr,
                    BinaryOp::Shl,
                ]);
                let (x, y) = (self.expression(depth - 1), self.expression(depth - 1));
                self.binary(op, x, y)
            }
            6 => {
                let op =
                    self.rng
                        .pick(&[UnaryOp::INeg, UnaryOp::INot, UnaryOp::IAbs, UnaryOp::Clz]);
                let arg = self.expression(depth - 1);
                self.one(InstKind::Unary { op, arg }, Ty::I64)
            }
            7 => {
                let cond = self.condition();
                let (then, other) = (self.expression(depth - 1), self.expression(depth - 1));
                self.one(InstKind::Select { cond, then, other }, Ty::I64)
            }
            8 | 9 => {
                let addr = self.element();
                let flags = flags(AliasClass::ARRAY);
                self.one(
                    InstKind::Load {
                        addr,
                        offset: 0,
                        flags,
                    },
                    Ty::I64,
                )
            }
            _ => self.operand(),
        }
    }

    fn condition(&mut self) -> Value {
        let cc = self.rng.pick(&[
            IntCc::Eq,
            IntCc::Ne,
            IntCc::Slt,
            IntCc::Sle,
            IntCc::Sgt,
            IntCc::Sge,
            IntCc::Ult,
            IntCc::Uge,
        ]);
        let (x, y) = (self.operand(), self.operand());
        let simple = self.icmp(cc, x, y);
        match self.rng.below(6) {
            0 => self.one(
                InstKind::Unary {
                    op: UnaryOp::INot,
                    arg: simple,
                },
                Ty::I1,
            ),
            1 => {
                let (x, y) = (self.operand(), self.operand());
                let second = self.icmp(IntCc::Slt, x, y);
                let op = self.rng.pick(&[BinaryOp::And, BinaryOp::Or]);
                self.binary(op, simple, second)
            }
            _ => simple,
        }
    }

    /// The address of an element, as an index with wrap-around gives it; a guard where it may be out of range.
    fn element(&mut self) -> Value {
        let base = match self.rng.below(3) {
            0 => self.buffer,
            n => self.get(self.arrays[n as usize - 1].1, Ty::PTR),
        };
        let index = self.operand();
        let (zero, extent) = (self.int(0), self.int(ELEMENTS));
        let negative = self.icmp(IntCc::Slt, index, zero);
        let wrapped = self.binary(BinaryOp::IAdd, index, extent);
        let index = self.one(
            InstKind::Select {
                cond: negative,
                then: wrapped,
                other: index,
            },
            Ty::I64,
        );
        let index = if self.rng.below(2) == 0 {
            let mask = self.int(ELEMENTS - 1);
            self.binary(BinaryOp::And, index, mask)
        } else {
            let inside = self.icmp(IntCc::Ult, index, extent);
            self.guard(inside, GuardKind::Bounds, self.error);
            index
        };
        let size = self.int(8);
        let offset = self.binary(BinaryOp::IMul, index, size);
        self.one(InstKind::PtrAdd { base, offset }, Ty::PTR)
    }

    fn guard(&mut self, cond: Value, kind: GuardKind, err: Block) {
        let ok = self.func.push_block();
        self.end(Terminator::Guard {
            cond,
            kind,
            ok: call(ok),
            err: call(err),
        });
        self.at = ok;
    }

    /// A new array, in the place of an old one if there is one.
    fn allocate(&mut self, n: usize, replaces: bool) {
        let (size, align) = (self.int(8 * ELEMENTS), self.int(64));
        let kind = InstKind::native(NativeId::Alloc, vec![size, align]);
        let array = self.one(kind, Ty::Ref);
        let header = self.one(
            InstKind::Convert {
                op: numbra_lir::ConvertOp::RefToPtr,
                arg: array,
            },
            Ty::PTR,
        );
        let null = self.one(InstKind::Null, Ty::PTR);
        let there = self.icmp(IntCc::Ne, header, null);
        self.guard(there, GuardKind::Null, self.out_of_memory);
        let data = self.one(
            InstKind::Load {
                addr: header,
                offset: 24,
                flags: MemFlags {
                    readonly: true,
                    ..flags(AliasClass::HEADER)
                },
            },
            Ty::PTR,
        );
        let (byte, len) = (
            self.one(InstKind::IConst(0), Ty::I8),
            self.int(8 * ELEMENTS),
        );
        self.inst(
            InstKind::MemSet {
                dst: data,
                byte,
                len,
                alias: AliasClass::ARRAY,
            },
            &[],
        );
        if replaces {
            // The old array ends here, as lowering says where a variable is assigned anew.
            self.keep(n);
        }
        let (owner, address) = self.arrays[n];
        self.set(owner, array);
        self.set(address, data);
    }

    fn keep(&mut self, n: usize) {
        let owner = self.get(self.arrays[n].0, Ty::Ref);
        let kind = InstKind::Keep(vec![owner]);
        self.inst(kind, &[]);
    }

    fn statement(&mut self, depth: u32) {
        match self.rng.below(if depth == 0 { 8 } else { 14 }) {
            0..=3 => {
                let value = self.expression(2);
                let var = self.var();
                self.set(var, value);
            }
            4 | 5 => {
                let value = self.expression(1);
                let addr = self.element();
                let flags = flags(AliasClass::ARRAY);
                self.inst(
                    InstKind::Store {
                        addr,
                        offset: 0,
                        value,
                        flags,
                    },
                    &[],
                );
            }
            6 => self.swap(),
            7 => match self.rng.below(3) {
                0 => self.allocate(1, true),
                _ => self.leave_loop(),
            },
            8 | 9 => self.branch(depth),
            10..=12 => self.counted_loop(depth),
            _ => self.open_loop(depth),
        }
    }

    /// Exchanges the arrays.
    fn swap(&mut self) {
        let [(owner_a, data_a), (owner_b, data_b)] = self.arrays;
        let (a, b) = (self.get(owner_a, Ty::Ref), self.get(owner_b, Ty::Ref));
        let (p, q) = (self.get(data_a, Ty::PTR), self.get(data_b, Ty::PTR));
        self.set(owner_a, b);
        self.set(owner_b, a);
        self.set(data_a, q);
        self.set(data_b, p);
    }

    fn leave_loop(&mut self) {
        let Some(&(exit, head)) = self.loops.last() else {
            return;
        };
        let cond = self.condition();
        let to = if self.rng.below(2) == 0 { exit } else { head };
        let after = self.func.push_block();
        self.end(Terminator::Brif {
            cond,
            then: call(to),
            other: call(after),
        });
        self.at = after;
    }

    fn branch(&mut self, depth: u32) {
        let cond = self.condition();
        let (then, other, after) = (
            self.func.push_block(),
            self.func.push_block(),
            self.func.push_block(),
        );
        self.end(Terminator::Brif {
            cond,
            then: call(then),
            other: call(other),
        });
        for (block, always) in [(then, true), (other, false)] {
            self.at = block;
            if always || self.rng.below(2) == 0 {
                self.statement(depth - 1);
            }
            self.go(after);
        }
        self.at = after;
    }

    /// `for v in range(a, b)`, with the item in a variable.
    fn counted_loop(&mut self, depth: u32) {
        let down = self.rng.below(4) == 0;
        let (start, stop) = match self.rng.below(3) {
            0 => (self.int(0), self.int(ELEMENTS)),
            1 => (self.int(1), self.operand()),
            _ => (self.operand(), self.operand()),
        };
        let next = self.func.slots.push(numbra_lir::SlotData {
            size: 8,
            align: 8,
            refs: Vec::new(),
            undefined: false,
        });
        self.set(next, start);
        let (head, body, exit) = (
            self.func.push_block(),
            self.func.push_block(),
            self.func.push_block(),
        );
        self.go(head);
        self.at = head;
        let now = self.get(next, Ty::I64);
        let more = self.icmp(if down { IntCc::Sgt } else { IntCc::Slt }, now, stop);
        let step = self.int(if down { -1 } else { 1 });
        let following = self.binary(BinaryOp::IAdd, now, step);
        self.set(next, following);
        self.end(Terminator::Brif {
            cond: more,
            then: call(body),
            other: call(exit),
        });
        self.at = body;
        let var = self.var();
        self.set(var, now);
        self.body(depth, head, exit);
    }

    /// `while condition`, or `while True`.
    fn open_loop(&mut self, depth: u32) {
        let (head, body, exit) = (
            self.func.push_block(),
            self.func.push_block(),
            self.func.push_block(),
        );
        self.go(head);
        self.at = head;
        if self.rng.below(3) == 0 {
            self.go(body);
        } else {
            let cond = self.condition();
            self.end(Terminator::Brif {
                cond,
                then: call(body),
                other: call(exit),
            });
        }
        self.at = body;
        self.body(depth, head, exit);
    }

    fn body(&mut self, depth: u32, head: Block, exit: Block) {
        // Every round costs one of the fuel, so that the program ends.
        let (fuel, one) = (self.get(self.fuel, Ty::I64), self.int(1));
        let less = self.binary(BinaryOp::ISub, fuel, one);
        self.set(self.fuel, less);
        let zero = self.int(0);
        let some = self.icmp(IntCc::Sgt, less, zero);
        let go_on = self.func.push_block();
        self.end(Terminator::Brif {
            cond: some,
            then: call(go_on),
            other: call(exit),
        });
        self.at = go_on;
        self.loops.push((exit, head));
        let statements = 1 + self.rng.below(3);
        for _ in 0..statements {
            self.statement(depth - 1);
        }
        self.loops.pop();
        self.go(head);
        self.at = exit;
    }
}

fn call(block: Block) -> BlockCall {
    BlockCall {
        block,
        args: Vec::new(),
    }
}

/// Functions that each test makes.
pub const FUNCTIONS: u64 = 400;

fn arguments(seed: u64) -> Vec<Vec<Arg>> {
    let mut rng = Rng(seed * 2 + 1);
    let words = [-17, -1, 0, 1, 2, 7, 15, 16, i64::MAX, i64::MIN];
    (0..4)
        .map(|_| {
            let buffer = (0..ELEMENTS as u64)
                .flat_map(|n| (n as i64 - 3).to_le_bytes())
                .collect();
            let mut args = vec![Arg::Buffer(buffer)];
            for _ in 0..3 {
                let n = words[rng.below(words.len() as u64) as usize];
                args.push(Arg::Value(LirValue::i64(n)));
            }
            args
        })
        .collect()
}

/// What a function does for each of four argument lists.
///
/// # Panics
/// When it cannot be run, or an object leaks.
pub fn outcomes(executor: &dyn Executor, module: &Module, f: FuncRef, seed: u64) -> Vec<Outcome> {
    arguments(seed)
        .iter()
        .map(|args| match executor.run(module, f, args) {
            Ok(outcome) => {
                assert_eq!(outcome.leaked, 0, "seed {seed}, {}: leak", executor.name());
                outcome
            }
            Err(error) => panic!(
                "seed {seed}, {}: {error}\n{}",
                executor.name(),
                print(module, Form::Plain)
            ),
        })
        .collect()
}
