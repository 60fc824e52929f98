//! Expressions of generated functions in LIR.

use super::{Maker, Parts};
use numbra_abi::NativeId;
use numbra_lir::{
    AliasClass, BinaryOp, ConvertOp, GuardKind, InstBuilder, InstKind, IntCc, Slot, Ty, UnaryOp,
    Value,
};

impl Maker<'_> {
    pub(super) fn int_var(&mut self) -> Slot {
        let n = self.random.below(self.ints.len());
        self.ints[n]
    }

    pub(super) fn float_var(&mut self) -> Slot {
        let n = self.random.below(self.floats.len());
        self.floats[n]
    }

    pub(super) fn int(&mut self, depth: usize) -> Value {
        let leaf = depth == 0 || self.random.once_in(4);
        match self.random.below(if leaf { 3 } else { 11 }) {
            0 => {
                let n = self
                    .random
                    .pick(&[-7, -1, 0, 1, 2, 3, 8, 15, 63, 100, 1 << 40]);
                self.code.int(n)
            }
            1 | 2 => {
                let var = self.int_var();
                self.code.get(var, Ty::I64)
            }
            3..=5 => {
                use BinaryOp::{
                    AShr, And, IAdd, IMul, ISub, LShr, Or, SDiv, SMax, SMin, SMulHi, SRem, Shl,
                    UDiv, UMax, UMin, UMulHi, URem, Xor,
                };
                let op = self.random.pick(&[
                    IAdd, IAdd, ISub, IMul, SDiv, UDiv, SRem, URem, SMulHi, UMulHi, And, Or, Xor,
                    Shl, LShr, AShr, SMin, SMax, UMin, UMax,
                ]);
                let (x, y) = (self.int(depth - 1), self.int(depth - 1));
                // Now and then in another width.
                let ty = self
                    .random
                    .pick(&[Ty::I64, Ty::I64, Ty::I64, Ty::I32, Ty::I16, Ty::I8]);
                let (x, y) = (self.code.resize(x, ty, true), self.code.resize(y, ty, true));
                let result = self.code.binary(op, x, y);
                let signed = self.random.once_in(2);
                self.code.resize(result, Ty::I64, signed)
            }
            6 => {
                let op = self.random.pick(&[
                    UnaryOp::INeg,
                    UnaryOp::INot,
                    UnaryOp::IAbs,
                    UnaryOp::Clz,
                    UnaryOp::Ctz,
                    UnaryOp::Popcnt,
                    UnaryOp::Bswap,
                ]);
                let arg = self.int(depth - 1);
                self.code.one(InstKind::Unary { op, arg }, Ty::I64)
            }
            7 => {
                let cond = self.condition();
                let (then, other) = (self.int(depth - 1), self.int(depth - 1));
                self.code.select(cond, then, other)
            }
            8 => {
                let x = self.float(depth - 1);
                let op = self.random.pick(&[ConvertOp::FpToSi, ConvertOp::FpToUi]);
                self.code.convert(op, x, Ty::I64)
            }
            _ => {
                let value = self.element();
                self.as_int(value)
            }
        }
    }

    pub(super) fn float(&mut self, depth: usize) -> Value {
        let leaf = depth == 0 || self.random.once_in(4);
        match self.random.below(if leaf { 3 } else { 8 }) {
            0 => {
                let x = self
                    .random
                    .pick(&[0.0, -0.0, 1.0, -2.5, 0.1, 1e300, f64::INFINITY]);
                self.code.float(x)
            }
            1 | 2 => {
                let var = self.float_var();
                self.code.get(var, Ty::F64)
            }
            3 | 4 => {
                use BinaryOp::{FAdd, FDiv, FMax, FMin, FMul, FSub};
                let op = self.random.pick(&[FAdd, FSub, FMul, FDiv, FMin, FMax]);
                let (x, y) = (self.float(depth - 1), self.float(depth - 1));
                self.code.binary(op, x, y)
            }
            5 => {
                let op = self.random.pick(&[
                    UnaryOp::FNeg,
                    UnaryOp::FAbs,
                    UnaryOp::Floor,
                    UnaryOp::Trunc,
                ]);
                let arg = self.float(depth - 1);
                self.code.one(InstKind::Unary { op, arg }, Ty::F64)
            }
            6 => {
                let x = self.int(depth - 1);
                self.code.convert(ConvertOp::SiToFp, x, Ty::F64)
            }
            _ => {
                let value = self.element();
                self.as_float(value)
            }
        }
    }

    pub(super) fn condition(&mut self) -> Value {
        use IntCc::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ult};
        let cc = self.random.pick(&[Eq, Ne, Slt, Sle, Sgt, Sge, Ult, Uge]);
        let (x, y) = (self.int(1), self.int(0));
        let simple = self.code.icmp(cc, x, y);
        if !self.random.once_in(4) {
            return simple;
        }
        let (x, y) = (self.int(0), self.int(0));
        let second = self.code.icmp(Slt, x, y);
        let op = self
            .random
            .pick(&[BinaryOp::And, BinaryOp::Or, BinaryOp::Xor]);
        self.code.binary(op, simple, second)
    }

    /// An element as an i64: the bits of floats without NaN's.
    pub(super) fn as_int(&mut self, value: Value) -> Value {
        match self.elem {
            Ty::F64 => self.code.convert(ConvertOp::FpToSi, value, Ty::I64),
            Ty::F32 => {
                let wide = self.code.convert(ConvertOp::FpExt, value, Ty::F64);
                self.code.convert(ConvertOp::FpToSi, wide, Ty::I64)
            }
            _ => self.code.resize(value, Ty::I64, true),
        }
    }

    pub(super) fn as_float(&mut self, value: Value) -> Value {
        match self.elem {
            Ty::F64 => value,
            Ty::F32 => self.code.convert(ConvertOp::FpExt, value, Ty::F64),
            _ => {
                let wide = self.code.resize(value, Ty::I64, true);
                self.code.convert(ConvertOp::SiToFp, wide, Ty::F64)
            }
        }
    }

    /// A number as an element.
    pub(super) fn new_element(&mut self, depth: usize) -> Value {
        match self.elem {
            Ty::F64 => self.float(depth),
            Ty::F32 => {
                let x = self.float(depth);
                self.code.convert(ConvertOp::FpTrunc, x, Ty::F32)
            }
            ty => {
                let n = self.int(depth);
                self.code.resize(n, ty, true)
            }
        }
    }

    pub(super) fn element(&mut self) -> Value {
        let array = self.some_array();
        let parts = self.parts(array);
        let at = self.index(parts.extent);
        let addr = self.address(parts, at);
        self.load(addr)
    }

    /// An index in bounds: as wrap-around gives it, behind a guard.
    pub(super) fn index(&mut self, extent: Value) -> Value {
        let wanted = self.int(1);
        let zero = self.code.int(0);
        let negative = self.code.icmp(IntCc::Slt, wanted, zero);
        let wrapped = self.code.binary(BinaryOp::IAdd, wanted, extent);
        let index = self.code.select(negative, wrapped, wanted);
        let index = if self.random.once_in(2) {
            self.code.binary(BinaryOp::URem, index, extent)
        } else {
            index
        };
        let inside = self.code.icmp(IntCc::Ult, index, extent);
        self.code.guard(inside, GuardKind::Bounds, self.error);
        index
    }

    pub(super) fn address(&mut self, parts: Parts, index: Value) -> Value {
        let offset = self.code.binary(BinaryOp::IMul, index, parts.stride);
        let kind = InstKind::PtrAdd {
            base: parts.data,
            offset,
        };
        self.code.one(kind, Ty::PTR)
    }

    pub(super) fn load(&mut self, addr: Value) -> Value {
        let (ty, align) = (self.elem, self.elem.size());
        self.code.load(addr, 0, ty, AliasClass::ARRAY, align)
    }

    pub(super) fn store(&mut self, addr: Value, value: Value) {
        let align = self.elem.size();
        self.code.store(addr, value, AliasClass::ARRAY, align);
    }

    /// A new array of up to eight elements.
    pub(super) fn allocate(&mut self) -> Parts {
        let (wanted, seven) = (self.int(0), self.code.int(7));
        let extent = self.code.binary(BinaryOp::And, wanted, seven);
        let stride = self.size();
        let (stride, align) = (self.code.int(stride), self.code.int(64));
        let bytes = self.code.binary(BinaryOp::IMul, extent, stride);
        let id = self.random.pick(&[NativeId::Alloc, NativeId::AllocZeroed]);
        let kind = InstKind::native(id, vec![bytes, align]);
        let owner = self.code.one(kind, Ty::Ref);
        let header = self.code.convert(ConvertOp::RefToPtr, owner, Ty::PTR);
        let null = self.code.one(InstKind::Null, Ty::PTR);
        let there = self.code.icmp(IntCc::Ne, header, null);
        self.code.guard(there, GuardKind::Null, self.error);
        let data = self.code.load(header, 24, Ty::PTR, AliasClass::HEADER, 8);
        let byte = self.code.one(InstKind::IConst(0), Ty::I8);
        let kind = InstKind::MemSet {
            dst: data,
            byte,
            len: bytes,
            alias: AliasClass::ARRAY,
        };
        self.code.inst(kind, &[]);
        Parts {
            data,
            owner,
            extent,
            stride,
        }
    }
}
