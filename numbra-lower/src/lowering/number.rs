//! Numbers: scalars with their leaves, conversions between them, truth.

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::model::part;
use super::raise::Raise;
use numbra_ir::{Const, Scalar, Type, TypeKind};
use numbra_library::Rounding;
use numbra_lir::{ConvertOp, FloatCc, GuardKind, IntCc, Ty, Value};

/// A number: its kind and leaves (two for complex).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Num {
    pub(super) kind: Scalar,
    /// The value, or the real part.
    pub(super) re: Value,
    /// The imaginary part of a complex number.
    pub(super) im: Option<Value>,
}

impl Num {
    /// A real number.
    pub(super) fn real(kind: Scalar, value: Value) -> Num {
        Num {
            kind,
            re: value,
            im: None,
        }
    }

    /// A complex number.
    pub(super) fn complex(kind: Scalar, re: Value, im: Value) -> Num {
        Num {
            kind,
            re,
            im: Some(im),
        }
    }

    pub(super) fn leaves(self) -> Vec<Value> {
        let mut out = vec![self.re];
        out.extend(self.im);
        out
    }

    /// Signedness as integers have it; `bool` is unsigned.
    pub(super) fn is_signed(self) -> bool {
        self.kind.is_signed_int()
    }
}

/// The float type of a complex number's parts.
pub(super) fn part_kind(kind: Scalar) -> Scalar {
    match kind {
        Scalar::Complex64 => Scalar::Float32,
        Scalar::Complex128 => Scalar::Float64,
        other => other,
    }
}

impl Fx<'_, '_> {
    /// The number behind a value; literals and omitted numbers become constants.
    pub(super) fn num(&mut self, value: &Val) -> Res<Num> {
        let types = self.types;
        let (kind, leaves) = match types.kind(value.ty) {
            TypeKind::Scalar(kind, _) => (*kind, value.leaves.clone()),
            TypeKind::Literal(constant) | TypeKind::Omitted(constant) => {
                let kind = match constant {
                    Const::Bool(_) => Scalar::Bool,
                    Const::Int(_) | Const::BigInt(_) => Scalar::Int64,
                    Const::Float(_) => Scalar::Float64,
                    Const::Complex(..) => Scalar::Complex128,
                    Const::None
                    | Const::Ellipsis
                    | Const::Str(_)
                    | Const::Bytes(_)
                    | Const::Tuple(_)
                    | Const::Slice(_) => return Err(self.not_a_number(value.ty)),
                };
                (kind, self.constant(constant, types.scalar(kind))?)
            }
            _ => return Err(self.not_a_number(value.ty)),
        };
        match leaves.as_slice() {
            [re] => Ok(Num::real(kind, *re)),
            [re, im] => Ok(Num::complex(kind, *re, *im)),
            _ => Err(Fault::bug("a scalar without leaves")),
        }
    }

    fn not_a_number(&self, ty: Type) -> Fault {
        Fault::unsupported(format!("{} where a number is expected", self.show(ty)))
    }

    /// The scalar kind of a type.
    pub(super) fn kind_of(&self, ty: Type) -> Res<Scalar> {
        self.mx.scalar(ty).ok_or_else(|| self.not_a_number(ty))
    }

    /// A number as another kind: integers wrap, floats truncate towards zero, complex loses its imaginary part.
    pub(super) fn as_kind(&mut self, value: Num, to: Scalar) -> Num {
        if value.kind == to {
            return value;
        }
        if let Some(im) = value.im {
            if to.is_complex() {
                let re = self.float_to(value.re, part(to));
                let im = self.float_to(im, part(to));
                return Num::complex(to, re, im);
            }
            if to == Scalar::Bool {
                let truth = self.num_truth(value);
                return Num::real(Scalar::Bool, truth);
            }
            let real = Num::real(part_kind(value.kind), value.re);
            return self.as_kind(real, to);
        }
        if value.kind == Scalar::BFloat16 {
            if to == Scalar::Bool {
                let truth = self.bfloat_truth(value.re);
                return Num::real(Scalar::Bool, truth);
            }
            let single = self.bfloat_to_single(value.re);
            return self.as_kind(Num::real(Scalar::Float32, single), to);
        }
        if to == Scalar::BFloat16 {
            let made = self.bfloat_of(value, Rounding::Nearest);
            return Num::real(to, made);
        }
        if to.is_complex() {
            let re = self.as_kind(value, part_kind(to)).re;
            let im = self.fconst(part(to), 0.0);
            return Num::complex(to, re, im);
        }
        if to == Scalar::Bool {
            let truth = self.num_truth(value);
            return Num::real(Scalar::Bool, truth);
        }
        let leaf = part(to);
        let made = match (value.kind.is_float(), to.is_float()) {
            (true, true) => self.float_to(value.re, leaf),
            (false, true) => {
                if let Some(constant) = self.const_of(value.re) {
                    let constant = if value.is_signed() {
                        constant as f64
                    } else {
                        (constant as u64 & mask(value.kind)) as f64
                    };
                    // Two roundings would differ from one: f64 holds these exactly, else convert at run time.
                    if constant.abs() <= 9e15 && leaf != Ty::F16 {
                        let made = self.fconst(leaf, constant);
                        return Num::real(to, made);
                    }
                }
                self.int_to_float(value, leaf)
            }
            (true, false) => {
                let op = if to.is_signed_int() {
                    ConvertOp::FpToSi
                } else {
                    ConvertOp::FpToUi
                };
                let wide = if self.ty(value.re) == Ty::F16 {
                    self.float_to(value.re, Ty::F32)
                } else {
                    value.re
                };
                self.convert(op, wide, leaf)
            }
            (false, false) => self.int_to(value.re, leaf, value.is_signed()),
        };
        Num::real(to, made)
    }

    fn int_to_float(&mut self, value: Num, leaf: Ty) -> Value {
        // Truth values and narrow integers go through i32 or i64, which every generator converts.
        let bits = self.ty(value.re).int_bits().unwrap_or(64);
        let wide = if bits < 32 {
            self.int_to(value.re, Ty::I32, value.is_signed())
        } else {
            value.re
        };
        let signed = value.is_signed() || bits < 32;
        let op = if signed {
            ConvertOp::SiToFp
        } else {
            ConvertOp::UiToFp
        };
        if leaf == Ty::F16 {
            let single = self.convert(op, wide, Ty::F32);
            return self.convert(ConvertOp::FpTrunc, single, leaf);
        }
        self.convert(op, wide, leaf)
    }

    /// A float as another width.
    pub(super) fn float_to(&mut self, value: Value, to: Ty) -> Value {
        let (from, want) = (self.ty(value).size(), to.size());
        match from.cmp(&want) {
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Less => self.convert(ConvertOp::FpExt, value, to),
            std::cmp::Ordering::Greater => self.convert(ConvertOp::FpTrunc, value, to),
        }
    }

    /// A value as a number of the kind of `ty`.
    pub(super) fn num_as(&mut self, value: &Val, ty: Type) -> Res<Num> {
        let kind = self.kind_of(ty)?;
        let num = self.num(value)?;
        Ok(self.as_kind(num, kind))
    }

    /// An integer value as `i64`: a size, a count or an index.
    pub(super) fn index_value(&mut self, value: &Val) -> Res<Value> {
        let message = "Python int too large to convert to C ssize_t";
        self.count_value(value, Raise::new("OverflowError", message))
    }

    /// An integer as `i64`; what to raise where one without a sign is beyond that.
    pub(super) fn count_value(&mut self, value: &Val, beyond: Raise) -> Res<Value> {
        let bits = self.integer_bits(value)?;
        if self.num(value)?.kind == Scalar::UInt64 {
            let fits = self.icmp_imm(IntCc::Sge, bits, 0);
            self.guard(fits, GuardKind::Overflow, beyond)?;
        }
        Ok(bits)
    }

    /// An integer's bits as `i64`: addresses have no sign.
    pub(super) fn integer_bits(&mut self, value: &Val) -> Res<Value> {
        let num = self.num(value)?;
        if num.kind.is_int() || num.kind == Scalar::Bool {
            return Ok(self.int_to(num.re, Ty::I64, num.is_signed()));
        }
        Err(Fault::unsupported(format!(
            "{} where an integer is expected",
            self.show(value.ty)
        )))
    }

    /// An index as `i64`, counted from the start of `length` items: one with a sign counts from the end when negative, one
    /// without never does. Compared without a sign, it is in range or not.
    pub(super) fn counted_index(&mut self, index: &Val, length: Value) -> Res<Value> {
        let signed = self.num(index)?.is_signed();
        let at = self.integer_bits(index)?;
        if !signed || self.const_of(at).is_some_and(|at| at >= 0) {
            return Ok(at);
        }
        let wrapped = self.iadd(at, length);
        let negative = self.icmp_imm(IntCc::Slt, at, 0);
        Ok(self.select(negative, wrapped, at))
    }

    /// `x != 0`
    pub(super) fn num_truth(&mut self, value: Num) -> Value {
        if let Some(im) = value.im {
            let re = self.fcmp_imm(FloatCc::Ne, value.re, 0.0);
            let im = self.fcmp_imm(FloatCc::Ne, im, 0.0);
            return self.or(re, im);
        }
        if value.kind == Scalar::Bool {
            return value.re;
        }
        if value.kind.is_float() {
            return self.fcmp_imm(FloatCc::Ne, value.re, 0.0);
        }
        if value.kind == Scalar::BFloat16 {
            return self.bfloat_truth(value.re);
        }
        self.icmp_imm(IntCc::Ne, value.re, 0)
    }
}

fn mask(kind: Scalar) -> u64 {
    match kind.size() {
        8 => u64::MAX,
        size => (1 << (8 * size)) - 1,
    }
}
