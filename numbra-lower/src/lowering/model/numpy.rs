//! Records, and objects of NumPy that compiled code uses as they are.

use super::{Leaves, Model, is_object};
use crate::lowering::owner::Owner;
use numbra_ir::{Types, kinds};
use numbra_lir::Ty;

impl Model for kinds::Record<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.extend([Ty::PTR, Ty::Ref]);
        Ok(())
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Object { leaf: 1 })
    }

    fn is_object(&self, _: &Types) -> bool {
        true
    }
}

impl Model for kinds::RandomGenerator<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.extend([Ty::PTR, Ty::PTR, Ty::Ref]);
        Ok(())
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Object { leaf: 2 })
    }

    fn is_object(&self, _: &Types) -> bool {
        true
    }
}

impl Model for kinds::Polynomial<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push_types(self.parts)
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Parts(self.parts.to_vec()))
    }

    fn is_object(&self, types: &Types) -> bool {
        self.parts.iter().all(|part| is_object(types, *part))
    }
}
