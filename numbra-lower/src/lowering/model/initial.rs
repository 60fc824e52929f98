//! Displays of constants, whose types say what they hold at first.

use super::{Leaves, Model, is_object};
use crate::lowering::error::Res;
use crate::lowering::function::{Fx, Val};
use crate::lowering::owner::Owner;
use numbra_ir::{Types, kinds};
use numbra_lir::Value;

impl Model for kinds::Initial<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push_type(*self.of)
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Parts(vec![*self.of]))
    }

    fn is_object(&self, types: &Types) -> bool {
        is_object(types, *self.of)
    }

    fn truth(&self, fx: &mut Fx<'_, '_>, value: &Val) -> Res<Value> {
        fx.truth(&Val::new(*self.of, value.leaves.clone()))
    }
}
