//! Members of enumerations.

use super::{Leaves, Model, is_object};
use crate::lowering::owner::Owner;
use numbra_ir::{Types, kinds};

impl Model for kinds::EnumMember<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push_type(*self.dtype)
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Parts(vec![*self.dtype]))
    }

    fn is_object(&self, types: &Types) -> bool {
        is_object(types, *self.dtype)
    }
}
