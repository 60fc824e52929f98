//! Slice objects.
//!
//! A missing part is a bound: start 0 and stop 2^63-1 for a positive step; start 2^63-1 and stop -2^63 for a negative one.

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::raise::Raise;
use numbra_ir::{Const, Scalar, Type, TypeKind};
use numbra_lir::{BinaryOp, FloatCc, GuardKind, IntCc, Value};

/// Start, stop and step as `i64`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SliceParts {
    pub(super) start: Value,
    pub(super) stop: Value,
    pub(super) step: Value,
}

impl Fx<'_, '_> {
    /// A constant slice as a slice value.
    pub(super) fn slice_constant(&mut self, parts: &[Const; 3], to: Type) -> Res<Vec<Value>> {
        let part = |c: &Const| match c {
            Const::None => Ok(None),
            Const::Int(v) => Ok(Some(*v)),
            Const::Bool(v) => Ok(Some(i64::from(*v))),
            other => Err(Fault::unsupported(format!(
                "a slice with the bound {other}"
            ))),
        };
        let (start, stop, step) = (part(&parts[0])?, part(&parts[1])?, part(&parts[2])?);
        let step = step.unwrap_or(1);
        let (first, last) = if step < 0 {
            (i64::MAX, i64::MIN)
        } else {
            (0, i64::MAX)
        };
        let mut out = vec![
            self.i64(start.unwrap_or(first)),
            self.i64(stop.unwrap_or(last)),
        ];
        if *self.types.kind(to) == TypeKind::Slice3 {
            out.push(self.i64(step));
        }
        Ok(out)
    }

    /// `slice(..)` of integers and `None`s.
    pub(super) fn slice_new(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        if let TypeKind::SliceLiteral(_) = self.types.kind(ret) {
            return Ok(Vec::new());
        }
        let part = |fx: &mut Self, arg: Option<&Val>| -> Res<Option<Value>> {
            match arg {
                Some(arg) if !fx.types.is_none(arg.ty) => fx.slice_bound(arg).map(Some),
                _ => Ok(None),
            }
        };
        let (start, stop, step) = match args {
            [stop] => (None, Some(stop), None),
            [start, stop] => (Some(start), Some(stop), None),
            [start, stop, step] => (Some(start), Some(stop), Some(step)),
            _ => return Err(Fault::bug("slice() with another number of arguments")),
        };
        let (start, stop, step) = (part(self, start)?, part(self, stop)?, part(self, step)?);
        let step = match step {
            Some(step) => step,
            None => self.i64(1),
        };
        let negative = self.icmp_imm(IntCc::Slt, step, 0);
        let (zero, high, low) = (self.i64(0), self.i64(i64::MAX), self.i64(i64::MIN));
        let start = match start {
            Some(start) => start,
            None => self.select(negative, high, zero),
        };
        let stop = match stop {
            Some(stop) => stop,
            None => self.select(negative, low, high),
        };
        let mut out = vec![start, stop];
        if *self.types.kind(ret) == TypeKind::Slice3 {
            out.push(step);
        }
        Ok(out)
    }

    /// An integer as `i64`. A float, as integers of unlike signs join to, loses its fraction; one beyond the integers is the
    /// nearest of them.
    fn slice_bound(&mut self, value: &Val) -> Res<Value> {
        let num = self.num(value)?;
        if num.kind == Scalar::UInt64 {
            let highest = self.i64(i64::MAX);
            return Ok(self.ibin(BinaryOp::UMin, num.re, highest));
        }
        if !num.kind.is_float() {
            return self.index_value(value);
        }
        let wide = self.as_kind(num, Scalar::Float64);
        let cut = self.as_kind(wide, Scalar::Int64);
        let above = self.fcmp_imm(FloatCc::Ge, wide.re, 2_f64.powi(63));
        let highest = self.i64(i64::MAX);
        Ok(self.select(above, highest, cut.re))
    }

    /// The parts of a slice value or literal.
    pub(super) fn slice_parts(&mut self, value: &Val) -> Res<SliceParts> {
        let leaves = match self.types.kind(value.ty) {
            TypeKind::Slice2 | TypeKind::Slice3 => value.leaves.clone(),
            TypeKind::SliceLiteral(parts) => self.slice_constant(parts, Type::SLICE3)?,
            _ => {
                return Err(Fault::bug(format!(
                    "{} is not a slice",
                    self.show(value.ty)
                )));
            }
        };
        let step = match leaves.get(2) {
            Some(step) => *step,
            None => self.i64(1),
        };
        Ok(SliceParts {
            start: leaves[0],
            stop: leaves[1],
            step,
        })
    }

    /// CPython's `slice.indices(n)`, with the step: start and stop clamped into the sequence.
    pub(super) fn slice_clamp(&mut self, slice: SliceParts, n: Value) -> Res<SliceParts> {
        let nonzero = self.icmp_imm(IntCc::Ne, slice.step, 0);
        self.guard(
            nonzero,
            GuardKind::Check,
            Raise::value("slice step cannot be zero"),
        )?;
        let zero = self.i64(0);
        let one = self.i64(1);
        let backward = self.icmp_imm(IntCc::Slt, slice.step, 0);
        let last = self.isub(n, one);
        let minus = self.i64(-1);
        let low = self.select(backward, minus, zero);
        let high = self.select(backward, last, n);
        let clamp = |fx: &mut Self, v: Value| {
            match fx.const_of(v) {
                // Bounds that stand for "all of it".
                Some(v) if v == i128::from(i64::MAX) => return high,
                Some(v) if v == i128::from(i64::MIN) => return low,
                Some(0) if fx.const_of(backward) == Some(0) => return zero,
                _ => {}
            }
            let negative = fx.icmp(IntCc::Slt, v, zero);
            let wrapped = fx.iadd(v, n);
            let v = fx.select(negative, wrapped, v);
            let v = fx.ibin(BinaryOp::SMax, v, low);
            fx.ibin(BinaryOp::SMin, v, high)
        };
        let start = clamp(self, slice.start);
        let stop = clamp(self, slice.stop);
        Ok(SliceParts {
            start,
            stop,
            step: slice.step,
        })
    }

    /// Number of items of a clamped slice.
    pub(super) fn slice_length(&mut self, slice: SliceParts) -> Value {
        self.span_length(slice.start, slice.stop, slice.step)
    }

    /// `len(range(start, stop, step))` for bounds whose distance fits `i64`.
    pub(super) fn span_length(&mut self, start: Value, stop: Value, step: Value) -> Value {
        let zero = self.iconst_like(start, 0);
        match self.const_of(step) {
            Some(1) => {
                let length = self.isub(stop, start);
                return self.ibin(BinaryOp::SMax, length, zero);
            }
            Some(-1) => {
                let length = self.isub(start, stop);
                return self.ibin(BinaryOp::SMax, length, zero);
            }
            _ => {}
        }
        let one = self.iconst_like(start, 1);
        let backward = self.icmp(IntCc::Slt, step, zero);
        let up = self.isub(stop, start);
        let down = self.isub(start, stop);
        let distance = self.select(backward, down, up);
        let minus = self.isub(zero, step);
        let stride = self.select(backward, minus, step);
        let less = self.isub(distance, one);
        let steps = self.ibin(BinaryOp::UDiv, less, stride);
        let count = self.iadd(steps, one);
        let some = self.icmp(IntCc::Sgt, distance, zero);
        self.select(some, count, zero)
    }

    /// An integer constant of the type of another value.
    pub(super) fn iconst_like(&mut self, like: Value, value: i64) -> Value {
        let ty = self.ty(like);
        self.iconst(ty, i128::from(value))
    }
}
