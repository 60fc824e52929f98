//! Values that may be `None`, and what has no native form.

use super::{Leaves, Model, is_object, no_model};
use crate::lowering::error::Res;
use crate::lowering::function::{Fx, Val};
use crate::lowering::owner::Owner;
use numbra_ir::{Types, kinds};
use numbra_lir::{Ty, Value};

impl Model for kinds::Optional<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push(Ty::I1);
        leaves.push_type(*self.inner)
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Optional(*self.inner))
    }

    fn is_object(&self, types: &Types) -> bool {
        is_object(types, *self.inner)
    }

    fn truth(&self, fx: &mut Fx<'_, '_>, value: &Val) -> Res<Value> {
        let payload = Val::new(*self.inner, value.leaves[1..].to_vec());
        let truth = fx.truth(&payload)?;
        Ok(fx.and(value.leaves[0], truth))
    }
}

impl Model for kinds::Undefined<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        Err(no_model(leaves, self.kind))
    }
}

impl Model for kinds::PyObject<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        Err(no_model(leaves, self.kind))
    }
}

impl Model for kinds::NestedArray<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        Err(no_model(leaves, self.kind))
    }
}
