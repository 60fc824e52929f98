//! Vectors: 128-bit pieces where the machine has the operation, lane by lane where it has not.

use crate::cranelift::abi::{lanes_per_piece, piece_type, scalar_type};
use crate::cranelift::arith::{Known, float_cc, int_cc};
use crate::cranelift::emitter::{Emit, Emitter, malformed};
use cranelift_codegen::ir::{self, InstBuilder, types};
use numbra_lir::{BinaryOp, ConvertOp, FloatCc, IntCc, Lane, MathFnName, Ty, UnaryOp, Value};

impl Emitter<'_, '_> {
    pub(super) fn vector_binary(
        &mut self,
        op: BinaryOp,
        lane: Lane,
        n: u32,
        lhs: Value,
        rhs: Value,
    ) -> Emit<Vec<ir::Value>> {
        let (a, b) = (self.parts(lhs)?, self.parts(rhs)?);
        if !has_binary(op, lane) {
            return self.by_lane(lane, lane, n, &[&a, &b], |e, x| {
                e.binary_scalar(op, lane.ty(), x[0], x[1], Known::default())
            });
        }
        let bits = integer_of(lane);
        let clif = piece_type(lane);
        let mut out = Vec::with_capacity(a.len());
        for (a, b) in a.into_iter().zip(b) {
            let ins = self.b.ins();
            out.push(match op {
                BinaryOp::IAdd => ins.iadd(a, b),
                BinaryOp::ISub => ins.isub(a, b),
                BinaryOp::IMul => ins.imul(a, b),
                BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                    let (a, b) = (self.reinterpret(a, bits), self.reinterpret(b, bits));
                    let ins = self.b.ins();
                    let result = match op {
                        BinaryOp::And => ins.band(a, b),
                        BinaryOp::Or => ins.bor(a, b),
                        _ => ins.bxor(a, b),
                    };
                    self.reinterpret(result, clif)
                }
                BinaryOp::SMin => ins.smin(a, b),
                BinaryOp::SMax => ins.smax(a, b),
                BinaryOp::UMin => ins.umin(a, b),
                BinaryOp::UMax => ins.umax(a, b),
                BinaryOp::FAdd => ins.fadd(a, b),
                BinaryOp::FSub => ins.fsub(a, b),
                BinaryOp::FMul => ins.fmul(a, b),
                BinaryOp::FDiv => ins.fdiv(a, b),
                BinaryOp::FMin => ins.fmin(a, b),
                BinaryOp::FMax => ins.fmax(a, b),
                BinaryOp::SDiv
                | BinaryOp::UDiv
                | BinaryOp::SRem
                | BinaryOp::URem
                | BinaryOp::SMulHi
                | BinaryOp::UMulHi
                | BinaryOp::Shl
                | BinaryOp::LShr
                | BinaryOp::AShr
                | BinaryOp::FCopysign => {
                    return Err(malformed(format!("{op:?} has no vector form")));
                }
            });
        }
        Ok(out)
    }

    pub(super) fn vector_unary(
        &mut self,
        op: UnaryOp,
        lane: Lane,
        n: u32,
        arg: Value,
    ) -> Emit<Vec<ir::Value>> {
        let parts = self.parts(arg)?;
        let rounds = self.has_sse42 && is_float(lane);
        let native = match op {
            UnaryOp::INeg | UnaryOp::INot => !is_float(lane),
            UnaryOp::FNeg | UnaryOp::FAbs | UnaryOp::Sqrt => is_float(lane),
            UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Trunc | UnaryOp::Nearest => rounds,
            UnaryOp::IAbs | UnaryOp::Clz | UnaryOp::Ctz | UnaryOp::Popcnt | UnaryOp::Bswap => false,
        };
        if !native {
            return self.by_lane(lane, lane, n, &[&parts], |e, x| {
                e.unary_scalar(op, lane.ty(), x[0])
            });
        }
        let mut out = Vec::with_capacity(parts.len());
        for part in parts {
            out.push(self.unary_scalar(op, lane.ty(), part)?);
        }
        Ok(out)
    }

    pub(super) fn vector_icmp(
        &mut self,
        cc: IntCc,
        lane: Lane,
        n: u32,
        lhs: Value,
        rhs: Value,
    ) -> Emit<Vec<ir::Value>> {
        let (a, b) = (self.parts(lhs)?, self.parts(rhs)?);
        let unsigned = matches!(cc, IntCc::Ult | IntCc::Ule | IntCc::Ugt | IntCc::Uge);
        let ordered = self.has_sse42 && !(unsigned && lane == Lane::I64);
        if ordered || matches!(cc, IntCc::Eq | IntCc::Ne) {
            return Ok(a
                .into_iter()
                .zip(b)
                .map(|(a, b)| self.b.ins().icmp(int_cc(cc), a, b))
                .collect());
        }
        let clif = scalar_type(lane.ty()).unwrap_or(types::I64);
        self.by_lane(lane, lane, n, &[&a, &b], |e, x| {
            let truth = e.icmp_scalar(cc, lane.ty(), x[0], x[1]);
            Ok(e.b.ins().bmask(clif, truth))
        })
    }

    pub(super) fn vector_fcmp(
        &mut self,
        cc: FloatCc,
        lhs: Value,
        rhs: Value,
    ) -> Emit<Vec<ir::Value>> {
        let (a, b) = (self.parts(lhs)?, self.parts(rhs)?);
        Ok(a.into_iter()
            .zip(b)
            .map(|(a, b)| self.b.ins().fcmp(float_cc(cc), a, b))
            .collect())
    }

    /// Lanes of the mask are all ones or all zeros.
    pub(super) fn vector_select(
        &mut self,
        mask: Value,
        then: Value,
        other: Value,
    ) -> Emit<Vec<ir::Value>> {
        let (mask, then, other) = (self.parts(mask)?, self.parts(then)?, self.parts(other)?);
        let mut out = Vec::with_capacity(then.len());
        for ((mask, a), b) in mask.into_iter().zip(then).zip(other) {
            let clif = self.b.func.dfg.value_type(a);
            let mask = self.reinterpret(mask, clif);
            out.push(self.b.ins().bitselect(mask, a, b));
        }
        Ok(out)
    }

    pub(super) fn vector_fma(
        &mut self,
        lane: Lane,
        n: u32,
        a: Value,
        b: Value,
        c: Value,
    ) -> Emit<Vec<ir::Value>> {
        let (a, b, c) = (self.parts(a)?, self.parts(b)?, self.parts(c)?);
        if !self.has_fma {
            return self.by_lane(lane, lane, n, &[&a, &b, &c], |e, x| {
                e.fma_scalar(lane.ty(), x[0], x[1], x[2])
            });
        }
        Ok(a.into_iter()
            .zip(b)
            .zip(c)
            .map(|((a, b), c)| self.b.ins().fma(a, b, c))
            .collect())
    }

    pub(super) fn vector_math(
        &mut self,
        func: MathFnName,
        lane: Lane,
        n: u32,
        args: &[Value],
    ) -> Emit<Vec<ir::Value>> {
        let mut parts = Vec::with_capacity(args.len());
        for &arg in args {
            parts.push(self.parts(arg)?);
        }
        let parts: Vec<&[ir::Value]> = parts.iter().map(Vec::as_slice).collect();
        self.by_lane(lane, lane, n, &parts, |e, x| {
            e.math_scalar(func, lane.ty(), x)
        })
    }

    pub(super) fn vector_convert(
        &mut self,
        op: ConvertOp,
        from: Lane,
        to: Lane,
        n: u32,
        arg: Value,
    ) -> Emit<Vec<ir::Value>> {
        let parts = self.parts(arg)?;
        if matches!(op, ConvertOp::SExt | ConvertOp::ZExt) && self.has_sse42 {
            return Ok(self.widen_lanes(op == ConvertOp::SExt, from, to, n, parts));
        }
        self.by_lane(from, to, n, &[&parts], |e, x| {
            e.convert_scalar(op, from.ty(), to.ty(), x[0])
        })
    }

    /// Extends integer lanes, doubling their size as often as it takes.
    fn widen_lanes(
        &mut self,
        signed: bool,
        from: Lane,
        to: Lane,
        n: u32,
        mut pieces: Vec<ir::Value>,
    ) -> Vec<ir::Value> {
        let mut size = from.ty().size();
        while size < to.ty().size() {
            size *= 2;
            let mut wider = Vec::with_capacity(2 * pieces.len());
            for piece in pieces {
                let ins = self.b.ins();
                wider.push(match signed {
                    true => ins.swiden_low(piece),
                    false => ins.uwiden_low(piece),
                });
                let ins = self.b.ins();
                wider.push(match signed {
                    true => ins.swiden_high(piece),
                    false => ins.uwiden_high(piece),
                });
            }
            // The last piece may have been half full.
            wider.truncate((n * size).div_ceil(16) as usize);
            pieces = wider;
        }
        pieces
    }

    pub(super) fn splat(&mut self, value: Value, to: Ty) -> Emit<Vec<ir::Value>> {
        let Ty::Vec(lane, _) = to else {
            return Err(malformed(format!("splat to {to}")));
        };
        let value = self.one(value)?;
        let piece = self.b.ins().splat(piece_type(lane), value);
        Ok(vec![piece; to.size().div_ceil(16) as usize])
    }

    pub(super) fn extract_lane(&mut self, vector: Value, index: u32) -> Emit<ir::Value> {
        let Some((lane, n)) = self.lanes(vector).filter(|&(_, n)| index < n) else {
            return Err(malformed(format!("lane {index} of {vector}")));
        };
        debug_assert!(index < n);
        let parts = self.parts(vector)?;
        Ok(self.lane_of(lane, &parts, index))
    }

    pub(super) fn insert_lane(
        &mut self,
        vector: Value,
        index: u32,
        value: Value,
    ) -> Emit<Vec<ir::Value>> {
        let Some((lane, _)) = self.lanes(vector).filter(|&(_, n)| index < n) else {
            return Err(malformed(format!("lane {index} of {vector}")));
        };
        let mut parts = self.parts(vector)?;
        let value = self.one(value)?;
        let per = lanes_per_piece(lane);
        let piece = &mut parts[(index / per) as usize];
        *piece = self.b.ins().insertlane(*piece, value, (index % per) as u8);
        Ok(parts)
    }

    fn lane_of(&mut self, lane: Lane, parts: &[ir::Value], index: u32) -> ir::Value {
        let per = lanes_per_piece(lane);
        let piece = parts[(index / per) as usize];
        self.b.ins().extractlane(piece, (index % per) as u8)
    }

    /// Applies `f` to each of `n` lanes.
    fn by_lane(
        &mut self,
        from: Lane,
        to: Lane,
        n: u32,
        args: &[&[ir::Value]],
        mut f: impl FnMut(&mut Self, &[ir::Value]) -> Emit<ir::Value>,
    ) -> Emit<Vec<ir::Value>> {
        let per = lanes_per_piece(to);
        let clif = piece_type(to);
        let mut out = Vec::with_capacity(n.div_ceil(per) as usize);
        for index in 0..n {
            let lanes: Vec<ir::Value> = args
                .iter()
                .map(|parts| self.lane_of(from, parts, index))
                .collect();
            let result = f(self, &lanes)?;
            if index % per == 0 {
                out.push(self.zero_of(clif));
            }
            let piece = (index / per) as usize;
            out[piece] = self
                .b
                .ins()
                .insertlane(out[piece], result, (index % per) as u8);
        }
        Ok(out)
    }
}

fn is_float(lane: Lane) -> bool {
    match lane {
        Lane::F32 | Lane::F64 => true,
        Lane::I8 | Lane::I16 | Lane::I32 | Lane::I64 => false,
    }
}

fn integer_of(lane: Lane) -> ir::Type {
    match lane {
        Lane::F32 => types::I32X4,
        Lane::F64 => types::I64X2,
        Lane::I8 | Lane::I16 | Lane::I32 | Lane::I64 => piece_type(lane),
    }
}

/// True where x86-64 up from SSE2 does the operation on whole pieces.
fn has_binary(op: BinaryOp, lane: Lane) -> bool {
    match op {
        BinaryOp::IAdd | BinaryOp::ISub => !is_float(lane),
        BinaryOp::IMul => matches!(lane, Lane::I16 | Lane::I32 | Lane::I64),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => true,
        // pminsw, pminub and their kin; the other widths came with SSE4.1.
        BinaryOp::SMin | BinaryOp::SMax => lane == Lane::I16,
        BinaryOp::UMin | BinaryOp::UMax => lane == Lane::I8,
        BinaryOp::FAdd
        | BinaryOp::FSub
        | BinaryOp::FMul
        | BinaryOp::FDiv
        | BinaryOp::FMin
        | BinaryOp::FMax => is_float(lane),
        BinaryOp::SDiv
        | BinaryOp::UDiv
        | BinaryOp::SRem
        | BinaryOp::URem
        | BinaryOp::SMulHi
        | BinaryOp::UMulHi
        | BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr
        | BinaryOp::FCopysign => false,
    }
}
