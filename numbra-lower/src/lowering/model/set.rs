//! Sets, and what iterates over them.

use super::list::{has_items, next_unchanged, state_of};
use super::{Leaves, Model, is_object};
use crate::lowering::error::Res;
use crate::lowering::function::{Fx, Val};
use crate::lowering::owner::Owner;
use numbra_ir::{ListClass, Type, Types, kinds};
use numbra_lir::{Ty, Value};

impl Model for kinds::Set<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push(Ty::Ref);
        Ok(())
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(match self.class {
            ListClass::Typed => Owner::Both,
            ListClass::Local | ListClass::Reflected => Owner::Value { leaf: 0 },
        })
    }

    fn is_object(&self, types: &Types) -> bool {
        is_object(types, *self.dtype)
    }

    fn truth(&self, fx: &mut Fx<'_, '_>, value: &Val) -> Res<Value> {
        has_items(fx, value)
    }

    fn iterate(&self, fx: &mut Fx<'_, '_>, value: &Val, _: Type) -> Res<Vec<Value>> {
        state_of(fx, value)
    }
}

impl Model for kinds::SetIter<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.extend([Ty::PTR, Ty::Ref]);
        Ok(())
    }

    fn next(&self, fx: &mut Fx<'_, '_>, iter: &Val) -> Res<Vec<Value>> {
        next_unchanged(fx, *self.set, iter, "Set changed size during iteration")
    }
}
