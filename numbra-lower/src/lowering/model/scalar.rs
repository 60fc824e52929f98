//! Numbers, booleans and times.

use super::{Leaves, Model};
use crate::lowering::error::Res;
use crate::lowering::function::{Fx, Val};
use crate::lowering::owner::Owner;
use numbra_ir::{Scalar, Types, kinds};
use numbra_lir::{Ty, Value};

/// The machine type of a real scalar, or of one part of a complex one.
pub(in crate::lowering) fn part(scalar: Scalar) -> Ty {
    match scalar {
        Scalar::Bool => Ty::I1,
        Scalar::Int8 | Scalar::UInt8 => Ty::I8,
        // Its bits: it computes in single precision.
        Scalar::Int16 | Scalar::UInt16 | Scalar::BFloat16 => Ty::I16,
        Scalar::Int32 | Scalar::UInt32 => Ty::I32,
        Scalar::Int64 | Scalar::UInt64 => Ty::I64,
        Scalar::Float16 => Ty::F16,
        Scalar::Float32 | Scalar::Complex64 => Ty::F32,
        Scalar::Float64 | Scalar::Complex128 => Ty::F64,
    }
}

impl Model for kinds::Scalar<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push(part(*self.scalar));
        if self.scalar.is_complex() {
            leaves.push(part(*self.scalar));
        }
        Ok(())
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Nobody)
    }

    fn is_object(&self, _: &Types) -> bool {
        *self.scalar != Scalar::Float16
    }

    fn truth(&self, fx: &mut Fx<'_, '_>, value: &Val) -> Res<Value> {
        let num = fx.num(value)?;
        Ok(fx.num_truth(num))
    }
}

impl Model for kinds::Datetime<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push(Ty::I64);
        Ok(())
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Nobody)
    }

    fn is_object(&self, _: &Types) -> bool {
        true
    }
}

impl Model for kinds::Timedelta<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push(Ty::I64);
        Ok(())
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Nobody)
    }

    fn is_object(&self, _: &Types) -> bool {
        true
    }
}
