//! Emission of single LIR instructions at the current position, with constant folding of integers.

use super::function::Fx;
use numbra_lir::{
    AliasClass, Align, BinaryOp, Block, BlockCall, ConvertOp, DataId, FloatCc, GuardKind, InstKind,
    IntCc, MathFn, MathFnName, MemFlags, OverflowOp, Slot, SlotData, Terminator, Ty, UnaryOp,
    Value, ValueDef,
};

/// Flags of an access to an element or field with known alignment.
pub(super) fn flags(alias: AliasClass, align: u32) -> MemFlags {
    MemFlags {
        alias,
        align: Align(align.min(64) as u8),
        readonly: false,
        volatile: false,
    }
}

/// The value of an integer of `bits` bits, sign-extended.
fn wrap(value: i128, bits: u32) -> i128 {
    match bits {
        1 => value & 1,
        128 => value,
        _ => (value << (128 - bits)) >> (128 - bits),
    }
}

/// The value of an integer of `bits` bits, zero-extended.
fn unsigned(value: i128, bits: u32) -> u128 {
    if bits >= 128 {
        value as u128
    } else {
        (value as u128) & ((1 << bits) - 1)
    }
}

impl Fx<'_, '_> {
    /// Appends an instruction; its results.
    pub(super) fn inst(&mut self, kind: InstKind, results: &[Ty]) -> Vec<Value> {
        let inst = self
            .func
            .push_inst(self.block, kind, results, self.span, self.origin);
        self.func.insts[inst].results.to_vec()
    }

    /// Appends an instruction of one result.
    pub(super) fn one(&mut self, kind: InstKind, ty: Ty) -> Value {
        self.inst(kind, &[ty])[0]
    }

    fn float_inst(&mut self, kind: InstKind, ty: Ty) -> Value {
        let inst = self
            .func
            .push_inst(self.block, kind, &[ty], self.span, self.origin);
        self.func.insts[inst].fast = self.mx.own.fast;
        self.func.insts[inst].results[0]
    }

    pub(super) fn ty(&self, value: Value) -> Ty {
        self.func.ty(value)
    }

    // --- constants

    /// An integer constant.
    pub(super) fn iconst(&mut self, ty: Ty, value: i128) -> Value {
        let value = wrap(value, ty.int_bits().unwrap_or(128));
        let key = (self.block, ty, value);
        if let Some(&known) = self.consts.get(&key) {
            return known;
        }
        let made = self.one(InstKind::IConst(value), ty);
        self.consts.insert(key, made);
        made
    }

    pub(super) fn i64(&mut self, value: i64) -> Value {
        self.iconst(Ty::I64, i128::from(value))
    }

    pub(super) fn bool(&mut self, value: bool) -> Value {
        self.iconst(Ty::I1, i128::from(value))
    }

    /// A float constant, rounded to the type.
    pub(super) fn fconst(&mut self, ty: Ty, value: f64) -> Value {
        match ty {
            Ty::F32 => self.one(InstKind::FConst(u64::from((value as f32).to_bits())), ty),
            Ty::F16 => {
                let wide = self.fconst(Ty::F32, value);
                self.convert(ConvertOp::FpTrunc, wide, Ty::F16)
            }
            _ => self.one(InstKind::FConst(value.to_bits()), ty),
        }
    }

    /// Zero bits of a type.
    pub(super) fn zero(&mut self, ty: Ty) -> Value {
        if ty.is_int() {
            self.iconst(ty, 0)
        } else if ty.is_address() {
            self.one(InstKind::Null, ty)
        } else {
            self.one(InstKind::FConst(0), ty)
        }
    }

    /// The constant behind a value.
    pub(super) fn const_of(&self, value: Value) -> Option<i128> {
        match self.func.values[value].def {
            ValueDef::Result(inst, _) => match self.func.insts[inst].kind {
                InstKind::IConst(value) => Some(value),
                _ => None,
            },
            ValueDef::Param(..) => None,
        }
    }

    /// The data that a value is the address of.
    pub(super) fn data_of(&self, value: Value) -> Option<DataId> {
        match self.func.values[value].def {
            ValueDef::Result(inst, _) => match self.func.insts[inst].kind {
                InstKind::DataAddr(id) => Some(id),
                _ => None,
            },
            ValueDef::Param(..) => None,
        }
    }

    /// The number that a value is known to be.
    pub(super) fn number_of(&self, value: Value) -> Option<f64> {
        let ValueDef::Result(inst, _) = self.func.values[value].def else {
            return None;
        };
        match self.func.insts[inst].kind {
            InstKind::IConst(n) => Some(n as f64),
            InstKind::FConst(bits) => Some(match self.ty(value) {
                Ty::F32 => f64::from(f32::from_bits(bits as u32)),
                _ => f64::from_bits(bits),
            }),
            InstKind::Convert { op, arg } => {
                let exact = matches!(op, ConvertOp::SiToFp | ConvertOp::UiToFp | ConvertOp::FpExt);
                self.number_of(arg).filter(|n| exact && n.abs() < 1e6)
            }
            _ => None,
        }
    }

    // --- integers

    /// An operation on two integers, folded where both or a neutral one are constant.
    pub(super) fn ibin(&mut self, op: BinaryOp, lhs: Value, rhs: Value) -> Value {
        let ty = self.ty(lhs);
        let (a, b) = (self.const_of(lhs), self.const_of(rhs));
        let bits = ty.int_bits().unwrap_or(128);
        if let (Some(a), Some(b)) = (a, b) {
            let folded = match op {
                BinaryOp::IAdd => Some(a.wrapping_add(b)),
                BinaryOp::ISub => Some(a.wrapping_sub(b)),
                BinaryOp::IMul => Some(a.wrapping_mul(b)),
                BinaryOp::And => Some(a & b),
                BinaryOp::Or => Some(a | b),
                BinaryOp::Xor => Some(a ^ b),
                BinaryOp::SMin => Some(a.min(b)),
                BinaryOp::SMax => Some(a.max(b)),
                _ => None,
            };
            if let Some(value) = folded {
                return self.iconst(ty, wrap(value, bits));
            }
        }
        match (op, a, b) {
            (BinaryOp::IAdd | BinaryOp::Or | BinaryOp::Xor, Some(0), _) => return rhs,
            (
                BinaryOp::IAdd
                | BinaryOp::ISub
                | BinaryOp::Or
                | BinaryOp::Xor
                | BinaryOp::Shl
                | BinaryOp::AShr
                | BinaryOp::LShr,
                _,
                Some(0),
            ) => return lhs,
            (BinaryOp::IMul, Some(1), _) => return rhs,
            (BinaryOp::IMul, _, Some(1)) => return lhs,
            (BinaryOp::IMul, Some(0), _) => return lhs,
            (BinaryOp::IMul, _, Some(0)) => return rhs,
            (BinaryOp::And, Some(1), _) if ty == Ty::I1 => return rhs,
            (BinaryOp::And, _, Some(1)) if ty == Ty::I1 => return lhs,
            _ => {}
        }
        self.one(InstKind::Binary { op, lhs, rhs }, ty)
    }

    pub(super) fn iadd(&mut self, lhs: Value, rhs: Value) -> Value {
        self.ibin(BinaryOp::IAdd, lhs, rhs)
    }

    pub(super) fn isub(&mut self, lhs: Value, rhs: Value) -> Value {
        self.ibin(BinaryOp::ISub, lhs, rhs)
    }

    pub(super) fn imul(&mut self, lhs: Value, rhs: Value) -> Value {
        self.ibin(BinaryOp::IMul, lhs, rhs)
    }

    pub(super) fn and(&mut self, lhs: Value, rhs: Value) -> Value {
        self.ibin(BinaryOp::And, lhs, rhs)
    }

    pub(super) fn or(&mut self, lhs: Value, rhs: Value) -> Value {
        self.ibin(BinaryOp::Or, lhs, rhs)
    }

    pub(super) fn xor(&mut self, lhs: Value, rhs: Value) -> Value {
        self.ibin(BinaryOp::Xor, lhs, rhs)
    }

    pub(super) fn icmp(&mut self, cc: IntCc, lhs: Value, rhs: Value) -> Value {
        if let (Some(a), Some(b)) = (self.const_of(lhs), self.const_of(rhs)) {
            let bits = self.ty(lhs).int_bits().unwrap_or(128);
            let (ua, ub) = (unsigned(a, bits), unsigned(b, bits));
            let result = match cc {
                IntCc::Eq => a == b,
                IntCc::Ne => a != b,
                IntCc::Slt => a < b,
                IntCc::Sle => a <= b,
                IntCc::Sgt => a > b,
                IntCc::Sge => a >= b,
                IntCc::Ult => ua < ub,
                IntCc::Ule => ua <= ub,
                IntCc::Ugt => ua > ub,
                IntCc::Uge => ua >= ub,
            };
            return self.bool(result);
        }
        self.one(InstKind::Icmp { cc, lhs, rhs }, Ty::I1)
    }

    /// `value <cc> constant`
    pub(super) fn icmp_imm(&mut self, cc: IntCc, lhs: Value, rhs: i64) -> Value {
        let ty = self.ty(lhs);
        let rhs = self.iconst(ty, i128::from(rhs));
        self.icmp(cc, lhs, rhs)
    }

    /// Logical not of an `i1`.
    pub(super) fn not(&mut self, value: Value) -> Value {
        match self.const_of(value) {
            Some(known) => self.bool(known == 0),
            None => self.unary(UnaryOp::INot, value),
        }
    }

    pub(super) fn unary(&mut self, op: UnaryOp, arg: Value) -> Value {
        let ty = self.ty(arg);
        let kind = InstKind::Unary { op, arg };
        if ty.is_float() {
            self.float_inst(kind, ty)
        } else {
            self.one(kind, ty)
        }
    }

    pub(super) fn select(&mut self, cond: Value, then: Value, other: Value) -> Value {
        if then == other {
            return then;
        }
        match self.const_of(cond) {
            Some(0) => other,
            Some(_) => then,
            None => {
                let ty = self.ty(then);
                self.one(InstKind::Select { cond, then, other }, ty)
            }
        }
    }

    /// `(value, overflowed)`
    pub(super) fn overflow(&mut self, op: OverflowOp, lhs: Value, rhs: Value) -> (Value, Value) {
        let ty = self.ty(lhs);
        let results = self.inst(InstKind::Overflow { op, lhs, rhs }, &[ty, Ty::I1]);
        (results[0], results[1])
    }

    pub(super) fn convert(&mut self, op: ConvertOp, arg: Value, to: Ty) -> Value {
        if let (Some(value), Some(from), Some(_)) =
            (self.const_of(arg), self.ty(arg).int_bits(), to.int_bits())
        {
            match op {
                ConvertOp::SExt => {
                    let value = if from == 1 { -(value & 1) } else { value };
                    return self.iconst(to, value);
                }
                ConvertOp::ZExt => return self.iconst(to, unsigned(value, from) as i128),
                ConvertOp::Trunc => return self.iconst(to, value),
                _ => {}
            }
        }
        self.one(InstKind::Convert { op, arg }, to)
    }

    /// An integer as another width.
    pub(super) fn int_to(&mut self, value: Value, to: Ty, signed: bool) -> Value {
        let (from, want) = (self.ty(value).int_bits(), to.int_bits());
        if from == want {
            return value;
        }
        if from > want {
            return self.convert(ConvertOp::Trunc, value, to);
        }
        self.convert(
            if signed {
                ConvertOp::SExt
            } else {
                ConvertOp::ZExt
            },
            value,
            to,
        )
    }

    // --- floats

    pub(super) fn fbin(&mut self, op: BinaryOp, lhs: Value, rhs: Value) -> Value {
        let ty = self.ty(lhs);
        self.float_inst(InstKind::Binary { op, lhs, rhs }, ty)
    }

    pub(super) fn fadd(&mut self, lhs: Value, rhs: Value) -> Value {
        self.fbin(BinaryOp::FAdd, lhs, rhs)
    }

    pub(super) fn fsub(&mut self, lhs: Value, rhs: Value) -> Value {
        self.fbin(BinaryOp::FSub, lhs, rhs)
    }

    pub(super) fn fmul(&mut self, lhs: Value, rhs: Value) -> Value {
        self.fbin(BinaryOp::FMul, lhs, rhs)
    }

    pub(super) fn fdiv(&mut self, lhs: Value, rhs: Value) -> Value {
        self.fbin(BinaryOp::FDiv, lhs, rhs)
    }

    pub(super) fn fcmp(&mut self, cc: FloatCc, lhs: Value, rhs: Value) -> Value {
        self.one(InstKind::Fcmp { cc, lhs, rhs }, Ty::I1)
    }

    /// `value <cc> constant`
    pub(super) fn fcmp_imm(&mut self, cc: FloatCc, lhs: Value, rhs: f64) -> Value {
        let ty = self.ty(lhs);
        let rhs = self.fconst(ty, rhs);
        self.fcmp(cc, lhs, rhs)
    }

    pub(super) fn math(&mut self, func: MathFn, args: &[Value]) -> Value {
        let ty = self.ty(args[0]);
        self.float_inst(
            InstKind::Math {
                func: MathFnName {
                    func,
                    lib: self.mx.options.math,
                },
                args: args.to_vec(),
            },
            ty,
        )
    }

    // --- memory

    /// A new stack slot.
    pub(super) fn slot(&mut self, size: u32, align: u32, refs: Vec<u32>) -> Slot {
        self.func.slots.push(SlotData {
            size,
            align,
            refs,
            undefined: false,
        })
    }

    pub(super) fn slot_addr(&mut self, slot: Slot) -> Value {
        self.one(InstKind::SlotAddr(slot), Ty::PTR)
    }

    pub(super) fn ptr_add(&mut self, base: Value, offset: Value) -> Value {
        if self.const_of(offset) == Some(0) {
            return base;
        }
        let ty = self.ty(base);
        self.one(InstKind::PtrAdd { base, offset }, ty)
    }

    /// A machine value at `addr + offset`; `i1` is held as `i8`.
    pub(super) fn load(&mut self, ty: Ty, addr: Value, offset: i32, flags: MemFlags) -> Value {
        if ty == Ty::I1 {
            let byte = self.load(Ty::I8, addr, offset, flags);
            return self.icmp_imm(IntCc::Ne, byte, 0);
        }
        self.one(
            InstKind::Load {
                addr,
                offset,
                flags,
            },
            ty,
        )
    }

    pub(super) fn store(&mut self, addr: Value, offset: i32, value: Value, flags: MemFlags) {
        let value = if self.ty(value) == Ty::I1 {
            self.convert(ConvertOp::ZExt, value, Ty::I8)
        } else {
            value
        };
        self.inst(
            InstKind::Store {
                addr,
                offset,
                value,
                flags,
            },
            &[],
        );
    }

    // --- control flow

    /// A new block that is placed when it is entered.
    pub(super) fn new_block(&mut self) -> Block {
        self.func.push_block()
    }

    /// Continues in a block.
    pub(super) fn enter(&mut self, block: Block) {
        self.block = block;
        self.placed.push(block);
    }

    /// The block that is written seldom runs.
    pub(super) fn mark_cold(&mut self) {
        self.func.blocks[self.block].cold = true;
    }

    fn term(&mut self, term: Terminator) {
        self.func.set_term(self.block, term, self.span, self.origin);
    }

    pub(super) fn jump(&mut self, block: Block, args: Vec<Value>) {
        self.term(Terminator::Jump(BlockCall { block, args }));
    }

    pub(super) fn brif(
        &mut self,
        cond: Value,
        then: (Block, Vec<Value>),
        other: (Block, Vec<Value>),
    ) {
        self.term(Terminator::Brif {
            cond,
            then: BlockCall {
                block: then.0,
                args: then.1,
            },
            other: BlockCall {
                block: other.0,
                args: other.1,
            },
        });
    }

    /// As [`Self::brif`], where `err` is an error block.
    pub(super) fn check(&mut self, cond: Value, ok: (Block, Vec<Value>), err: (Block, Vec<Value>)) {
        self.term(Terminator::Guard {
            cond,
            kind: GuardKind::Check,
            ok: BlockCall {
                block: ok.0,
                args: ok.1,
            },
            err: BlockCall {
                block: err.0,
                args: err.1,
            },
        });
    }

    pub(super) fn ret(&mut self, values: Vec<Value>) {
        self.term(Terminator::Return(values));
    }

    pub(super) fn fail(&mut self) {
        self.can_fail = true;
        self.term(Terminator::Fail);
    }

    /// Goes on when `cond` is true, else to the error block `err`.
    pub(super) fn guard_to(&mut self, cond: Value, kind: GuardKind, err: Block) {
        let ok = self.new_block();
        self.term(Terminator::Guard {
            cond,
            kind,
            ok: BlockCall {
                block: ok,
                args: Vec::new(),
            },
            err: BlockCall {
                block: err,
                args: Vec::new(),
            },
        });
        self.enter(ok);
    }

    /// `if cond { then() } else { other() }`, each giving values of the types `tys`.
    pub(super) fn if_else<E>(
        &mut self,
        cond: Value,
        tys: &[Ty],
        then: impl FnOnce(&mut Self) -> Result<Vec<Value>, E>,
        other: impl FnOnce(&mut Self) -> Result<Vec<Value>, E>,
    ) -> Result<Vec<Value>, E> {
        match self.const_of(cond) {
            Some(0) => return other(self),
            Some(_) => return then(self),
            None => {}
        }
        let (yes, no, done) = (self.new_block(), self.new_block(), self.new_block());
        let params: Vec<Value> = tys
            .iter()
            .map(|ty| self.func.push_param(done, *ty))
            .collect();
        self.brif(cond, (yes, Vec::new()), (no, Vec::new()));
        self.enter(yes);
        let values = then(self)?;
        self.jump(done, values);
        self.enter(no);
        let values = other(self)?;
        self.jump(done, values);
        self.enter(done);
        Ok(params)
    }

    /// `for i in 0..count { body(i, state) -> state }`; the final state.
    pub(super) fn count_loop<E>(
        &mut self,
        count: Value,
        state: Vec<Value>,
        body: impl FnOnce(&mut Self, Value, &[Value]) -> Result<Vec<Value>, E>,
    ) -> Result<Vec<Value>, E> {
        let (head, inside, done) = (self.new_block(), self.new_block(), self.new_block());
        let index = self.func.push_param(head, Ty::I64);
        let tys: Vec<Ty> = state.iter().map(|v| self.ty(*v)).collect();
        let inner: Vec<Value> = tys
            .iter()
            .map(|ty| self.func.push_param(head, *ty))
            .collect();
        let zero = self.i64(0);
        let mut first = vec![zero];
        first.extend(state);
        self.jump(head, first);
        self.enter(head);
        let more = self.icmp(IntCc::Slt, index, count);
        self.brif(more, (inside, Vec::new()), (done, Vec::new()));
        self.enter(inside);
        let next_state = body(self, index, &inner)?;
        let one = self.i64(1);
        let next = self.iadd(index, one);
        let mut args = vec![next];
        args.extend(next_state);
        self.jump(head, args);
        self.enter(done);
        Ok(inner)
    }
}
