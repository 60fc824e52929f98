//! Addresses, methods, and blocks of object mode.

use super::{Leaves, Model};
use crate::lowering::error::Res;
use crate::lowering::function::{Fx, Val};
use crate::lowering::owner::Owner;
use numbra_ir::{Type, Types, kinds};
use numbra_lir::{Ty, Value};

/// The leaf of a function that is its owner, by position.
const FUNCTION_OWNER: usize = 2;

impl Model for kinds::FunctionType<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.extend([Ty::PTR, Ty::I64, Ty::Ref]);
        Ok(())
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Object {
            leaf: FUNCTION_OWNER,
        })
    }

    fn is_object(&self, _: &Types) -> bool {
        true
    }
}

impl Model for kinds::FunctionChoice<'_> {
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

impl Model for kinds::Pointer<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push(Ty::PTR);
        Ok(())
    }
}

impl Model for kinds::ObjectBlock<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push(Ty::I64);
        Ok(())
    }
}

impl Model for kinds::BoundMethod<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push_type(*self.receiver)
    }

    /// `array.flat`
    fn iterate(&self, fx: &mut Fx<'_, '_>, value: &Val, ret: Type) -> Res<Vec<Value>> {
        fx.flat_iter(value, ret)
    }
}
