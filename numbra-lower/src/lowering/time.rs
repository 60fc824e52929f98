//! Dates and durations: 64-bit counts of their unit, of which the least is NaT.

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::number::Num;
use numbra_ir::{Scalar, TimeType, TimeUnit, Type};
use numbra_library::{CmpOp, DivModel, TimeOp};
use numbra_lir::{BinaryOp, ConvertOp, FloatCc, IntCc, Ty, UnaryOp, Value};

/// Not a time.
const NAT: i64 = i64::MIN;

impl Fx<'_, '_> {
    /// An operation on times, of one unit where there are two.
    pub(super) fn time_operation(
        &mut self,
        op: TimeOp,
        args: &[Val],
        ret: Type,
    ) -> Res<Vec<Value>> {
        let x = self.time_leaf(args, 0)?;
        let y = match args.get(1) {
            Some(_) => self.time_leaf(args, 1)?,
            None => x,
        };
        let nat = self.i64(NAT);
        let result = match op {
            TimeOp::Add => {
                let sum = self.iadd(x, y);
                self.unless_nat(&[x, y], sum, nat)
            }
            TimeOp::Sub => {
                let difference = self.ibin(BinaryOp::ISub, x, y);
                self.unless_nat(&[x, y], difference, nat)
            }
            // NaT is its own negative.
            TimeOp::Neg => self.unary(UnaryOp::INeg, x),
            TimeOp::Abs => self.unary(UnaryOp::IAbs, x),
            TimeOp::Sign => {
                let [zero, one, minus, nan] =
                    [0.0, 1.0, -1.0, f64::NAN].map(|number| self.fconst(Ty::F64, number));
                let negative = self.icmp_imm(IntCc::Slt, x, 0);
                let positive = self.icmp_imm(IntCc::Sgt, x, 0);
                let low = self.select(negative, minus, zero);
                let sign = self.select(positive, one, low);
                self.unless_nat(&[x], sign, nan)
            }
            TimeOp::MulInt => {
                let (time, count) = if self.types.as_time(args[0].ty).is_some() {
                    (x, y)
                } else {
                    (y, x)
                };
                let product = self.imul(time, count);
                self.unless_nat(&[time], product, nat)
            }
            TimeOp::MulFloat | TimeOp::DivFloat => {
                let (time, number) = if self.types.as_time(args[0].ty).is_some() {
                    (x, y)
                } else {
                    (y, x)
                };
                let wide = self.convert(ConvertOp::SiToFp, time, Ty::F64);
                let scaled = if op == TimeOp::MulFloat {
                    self.fbin(BinaryOp::FMul, wide, number)
                } else {
                    self.fdiv(wide, number)
                };
                let difference = self.fbin(BinaryOp::FSub, scaled, scaled);
                let finite = self.fcmp_imm(FloatCc::Eq, difference, 0.0);
                let count = self.convert(ConvertOp::FpToSi, scaled, Ty::I64);
                let count = self.select(finite, count, nat);
                self.unless_nat(&[time], count, nat)
            }
            TimeOp::DivInt => {
                let quotient = self.ibin(BinaryOp::SDiv, x, y);
                let zero = self.icmp_imm(IntCc::Eq, y, 0);
                let quotient = self.select(zero, nat, quotient);
                self.unless_nat(&[x], quotient, nat)
            }
            TimeOp::Ratio => {
                let a = self.convert(ConvertOp::SiToFp, x, Ty::F64);
                let b = self.convert(ConvertOp::SiToFp, y, Ty::F64);
                let ratio = self.fdiv(a, b);
                let nan = self.fconst(Ty::F64, f64::NAN);
                self.unless_nat(&[x, y], ratio, nan)
            }
            TimeOp::FloorDiv => {
                let quotient = self.floor_counts(x, y).0;
                let zero = self.i64(0);
                self.unless_nat(&[x, y], quotient, zero)
            }
            TimeOp::Mod => {
                let rest = self.floor_counts(x, y).1;
                let none = self.icmp_imm(IntCc::Eq, y, 0);
                let rest = self.select(none, nat, rest);
                self.unless_nat(&[x, y], rest, nat)
            }
            TimeOp::Cmp(cmp) => {
                let cc = match cmp {
                    CmpOp::Eq => IntCc::Eq,
                    CmpOp::Ne => IntCc::Ne,
                    CmpOp::Lt => IntCc::Slt,
                    CmpOp::Le => IntCc::Sle,
                    CmpOp::Gt => IntCc::Sgt,
                    CmpOp::Ge => IntCc::Sge,
                };
                let holds = self.icmp(cc, x, y);
                let other = self.bool(cmp == CmpOp::Ne);
                self.unless_nat(&[x, y], holds, other)
            }
            TimeOp::Maximum | TimeOp::Minimum => {
                let better = self.better(op == TimeOp::Maximum, x, y);
                self.unless_nat(&[x, y], better, nat)
            }
            TimeOp::FMax | TimeOp::FMin => {
                let better = self.better(op == TimeOp::FMax, x, y);
                let no_x = self.icmp_imm(IntCc::Eq, x, NAT);
                let no_y = self.icmp_imm(IntCc::Eq, y, NAT);
                let known = self.select(no_y, x, better);
                self.select(no_x, y, known)
            }
            TimeOp::IsNat => self.icmp_imm(IntCc::Eq, x, NAT),
            TimeOp::IsFinite => self.icmp_imm(IntCc::Ne, x, NAT),
        };
        self.cast(
            &Val::new(self.time_result(op, args, ret), vec![result]),
            ret,
        )
    }

    /// `min` and `max` as CPython: a later argument in the place of an earlier one that it compares with so.
    pub(super) fn time_extreme(&mut self, args: &[Val], ret: Type, op: CmpOp) -> Res<Vec<Value>> {
        let mut best: Option<Value> = None;
        for arg in args {
            let leaves = self.cast(arg, ret)?;
            let x = self.time_leaf(&[Val::new(ret, leaves)], 0)?;
            best = Some(match best {
                None => x,
                Some(best) => {
                    let pair = [x, best].map(|leaf| Val::new(ret, vec![leaf]));
                    let better = self.time_operation(TimeOp::Cmp(op), &pair, Type::BOOL)?[0];
                    self.select(better, x, best)
                }
            });
        }
        Ok(best.into_iter().collect())
    }

    /// The type of what an operation computes: `ret` but for the unit.
    fn time_result(&self, op: TimeOp, args: &[Val], ret: Type) -> Type {
        let is_time = self.types.as_time(ret).is_some();
        let own = args.iter().find(|a| self.types.as_time(a.ty).is_some());
        match (is_time, own) {
            // A difference of dates is a duration, a date and a duration are a date.
            (true, Some(arg)) if !matches!(op, TimeOp::Add | TimeOp::Sub) => arg.ty,
            _ => ret,
        }
    }

    fn time_leaf(&self, args: &[Val], at: usize) -> Res<Value> {
        args.get(at)
            .and_then(|arg| arg.leaves.first())
            .copied()
            .ok_or_else(|| Fault::bug("an operation on times without its operand"))
    }

    /// `value`, or `other` if one of the times is NaT.
    fn unless_nat(&mut self, times: &[Value], value: Value, other: Value) -> Value {
        let mut none = self.icmp_imm(IntCc::Eq, times[0], NAT);
        for &time in &times[1..] {
            let this = self.icmp_imm(IntCc::Eq, time, NAT);
            none = self.or(none, this);
        }
        self.select(none, other, value)
    }

    fn better(&mut self, greater: bool, x: Value, y: Value) -> Value {
        let op = if greater {
            BinaryOp::SMax
        } else {
            BinaryOp::SMin
        };
        self.ibin(op, x, y)
    }

    /// Quotient towards minus infinity, and what is left.
    fn floor_counts(&mut self, x: Value, y: Value) -> (Value, Value) {
        let (x, y) = (Num::real(Scalar::Int64, x), Num::real(Scalar::Int64, y));
        let (quotient, rest) = self.floor_divmod(x, y, DivModel::Numpy);
        (quotient.re, rest.re)
    }

    fn floor_by(&mut self, x: Value, divisor: i64) -> (Value, Value) {
        let divisor = self.i64(divisor);
        self.floor_counts(x, divisor)
    }

    /// A time in another unit, which must be as fine or finer.
    pub(super) fn convert_time(
        &mut self,
        value: Value,
        from: TimeType,
        to: TimeType,
    ) -> Res<Value> {
        if from.is_date != to.is_date || !from.converts(to.unit) {
            return Err(Fault::conversion(format!(
                "cannot convert {} to {}",
                self.show(self.types.time(from)),
                self.show(self.types.time(to))
            )));
        }
        if let Some(factor) = from.unit.factor(to.unit) {
            return Ok(self.scaled_count(value, factor));
        }
        let days = self.days_of(value, from.unit);
        let converted = if to.unit == TimeUnit::Week {
            // The epoch is a Thursday, and weeks begin with it.
            self.floor_by(days, 7).0
        } else {
            let factor = TimeUnit::Day.factor(to.unit).unwrap_or(1);
            let factor = self.i64(factor);
            self.imul(days, factor)
        };
        let nat = self.i64(NAT);
        Ok(self.unless_nat(&[value], converted, nat))
    }

    fn scaled_count(&mut self, value: Value, factor: i64) -> Value {
        if factor == 1 {
            return value;
        }
        let by = self.i64(factor);
        let product = self.imul(value, by);
        let nat = self.i64(NAT);
        self.unless_nat(&[value], product, nat)
    }

    /// Days since the epoch of the first day of a year or month counted from it.
    ///
    /// Years begin in March, so that leap days come last (H. Hinnant, `days_from_civil`).
    fn days_of(&mut self, value: Value, unit: TimeUnit) -> Value {
        let epoch = self.i64(1970);
        let (years, month) = match unit {
            TimeUnit::Month => self.floor_by(value, 12),
            _ => (value, self.i64(0)),
        };
        let year = self.iadd(years, epoch);
        let early = self.icmp_imm(IntCc::Slt, month, 2);
        let (zero, one) = (self.i64(0), self.i64(1));
        let back = self.select(early, one, zero);
        let year = self.ibin(BinaryOp::ISub, year, back);
        let (ten, minus_two) = (self.i64(10), self.i64(-2));
        let shift = self.select(early, ten, minus_two);
        let month = self.iadd(month, shift);
        let factor = self.i64(153);
        let scaled = self.imul(month, factor);
        let two = self.i64(2);
        let scaled = self.iadd(scaled, two);
        let day = self.floor_by(scaled, 5).0;
        let per_year = self.i64(365);
        let mut days = self.imul(year, per_year);
        for (divisor, add) in [(4, true), (100, false), (400, true)] {
            let leap = self.floor_by(year, divisor).0;
            let op = if add { BinaryOp::IAdd } else { BinaryOp::ISub };
            days = self.ibin(op, days, leap);
        }
        let days = self.iadd(days, day);
        let before_epoch = self.i64(719_468);
        self.ibin(BinaryOp::ISub, days, before_epoch)
    }
}
