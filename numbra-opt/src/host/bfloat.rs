//! bfloat16 in kernels on the CPU, as operations of integers and floats.

use crate::host::threads::Writer;
use numbra_lir::{
    BinaryOp, ConvertOp, DeviceOp, FloatCc, InstBuilder, InstKind, IntCc, Ty, UnaryOp, Value,
};

impl Writer<'_> {
    /// Writes an operation of bfloat16.
    pub(crate) fn bfloat(&mut self, op: DeviceOp, args: &[Value]) {
        match op {
            DeviceOp::BfloatToFloat => {
                let bits = self.bfloat_bits(args[0]);
                let op = ConvertOp::Bitcast;
                self.become_(InstKind::Convert { op, arg: bits });
            }
            DeviceOp::BfloatOfFloat => self.become_bfloat(args[0]),
            DeviceOp::BfloatOfDouble => {
                let odd = self.odd_single(args[0]);
                self.become_bfloat(odd);
            }
            _ => {
                let sum = self.odd_sum(args);
                let odd = self.odd_single(sum);
                self.become_bfloat(odd);
            }
        }
    }

    /// The bits of the float32 that is the same number.
    fn bfloat_bits(&mut self, value: Value) -> Value {
        let wide = self.convert(ConvertOp::ZExt, value, Ty::I32);
        let half = self.iconst(Ty::I32, 16);
        self.binary(BinaryOp::Shl, wide, half)
    }

    /// A float32 to nearest, ties to even: half a place less than one is added, and in front of an odd place one more.
    fn become_bfloat(&mut self, single: Value) {
        let bits = self.convert(ConvertOp::Bitcast, single, Ty::I32);
        let (half, one) = (self.iconst(Ty::I32, 16), self.iconst(Ty::I32, 1));
        let kept = self.binary(BinaryOp::LShr, bits, half);
        let last = self.binary(BinaryOp::And, kept, one);
        let below = self.iconst(Ty::I32, 0x7fff);
        let sum = self.binary(BinaryOp::IAdd, bits, below);
        let sum = self.binary(BinaryOp::IAdd, sum, last);
        let rounded = self.binary(BinaryOp::LShr, sum, half);
        let other = self.convert(ConvertOp::Trunc, rounded, Ty::I16);
        let cond = self.fcmp(FloatCc::Uno, single, single);
        let then = self.iconst(Ty::I16, 0x7fff);
        self.become_(InstKind::Select { cond, then, other });
    }

    /// The float32 that equals a float64, or of the two around it the one whose last bit is set.
    fn odd_single(&mut self, double: Value) -> Value {
        let near = self.convert(ConvertOp::FpTrunc, double, Ty::F32);
        let back = self.convert(ConvertOp::FpExt, near, Ty::F64);
        let size = |w: &mut Self, arg| {
            let op = UnaryOp::FAbs;
            w.one(InstKind::Unary { op, arg }, Ty::F64)
        };
        let (found, want) = (size(self, back), size(self, double));
        let bits = self.convert(ConvertOp::Bitcast, near, Ty::I32);
        let beyond = self.fcmp(FloatCc::Gt, found, want);
        let beyond = self.convert(ConvertOp::ZExt, beyond, Ty::I32);
        let below = self.binary(BinaryOp::ISub, bits, beyond);
        let one = self.iconst(Ty::I32, 1);
        let odd = self.binary(BinaryOp::Or, below, one);
        // Not of NaN, which is neither.
        let (less, more) = (
            self.fcmp(FloatCc::Lt, back, double),
            self.fcmp(FloatCc::Gt, back, double),
        );
        let inexact = self.one(
            InstKind::Binary {
                op: BinaryOp::Or,
                lhs: less,
                rhs: more,
            },
            Ty::I1,
        );
        let bits = self.select(inexact, odd, bits);
        self.convert(ConvertOp::Bitcast, bits, Ty::F32)
    }

    /// `a * b + c` of bfloat16 as float64: the exact sum, or of the two numbers around it the one whose last bit is set.
    fn odd_sum(&mut self, args: &[Value]) -> Value {
        let wide: Vec<Value> = args
            .iter()
            .map(|&arg| {
                let bits = self.bfloat_bits(arg);
                let single = self.convert(ConvertOp::Bitcast, bits, Ty::F32);
                self.convert(ConvertOp::FpExt, single, Ty::F64)
            })
            .collect();
        let c = wide[2];
        // Exact.
        let product = self.binary(BinaryOp::FMul, wide[0], wide[1]);
        let sum = self.binary(BinaryOp::FAdd, product, c);
        // What the sum has lost, exactly.
        let part = self.binary(BinaryOp::FSub, sum, product);
        let own = self.binary(BinaryOp::FSub, sum, part);
        let of_product = self.binary(BinaryOp::FSub, product, own);
        let of_c = self.binary(BinaryOp::FSub, c, part);
        let error = self.binary(BinaryOp::FAdd, of_product, of_c);
        let zero = self.one(InstKind::FConst(0), Ty::F64);
        let more = self.fcmp(FloatCc::Gt, error, zero);
        let less = self.fcmp(FloatCc::Lt, error, zero);
        let lost = self.binary(BinaryOp::Or, more, less);
        let bits = self.convert(ConvertOp::Bitcast, sum, Ty::I64);
        let one = self.iconst(Ty::I64, 1);
        let last = self.binary(BinaryOp::And, bits, one);
        let none = self.iconst(Ty::I64, 0);
        let cc = IntCc::Eq;
        let (lhs, rhs) = (last, none);
        let even = self.one(InstKind::Icmp { cc, lhs, rhs }, Ty::I1);
        let moves = self.binary(BinaryOp::And, lost, even);
        let positive = self.fcmp(FloatCc::Gt, sum, zero);
        let inwards = self.binary(BinaryOp::Xor, more, positive);
        let up = self.binary(BinaryOp::IAdd, bits, one);
        let down = self.binary(BinaryOp::ISub, bits, one);
        let moved = self.select(inwards, down, up);
        let bits = self.select(moves, moved, bits);
        self.convert(ConvertOp::Bitcast, bits, Ty::F64)
    }
}
