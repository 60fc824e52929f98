//! Types that Python code defines.

use super::{Leaves, Model, no_model};
use crate::lowering::owner::Owner;
use numbra_ir::{ExtShape, Types, kinds};
use numbra_lir::Ty;

impl Model for kinds::Ext<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        let Some(model) = leaves.types.model_of_kind(self.kind) else {
            return Err(no_model(leaves, self.kind));
        };
        match model.shape {
            ExtShape::Object => leaves.push(Ty::Ref),
            ExtShape::Value => {
                let fields = model.fields.iter();
                let types: Vec<_> = fields.map(|field| field.ty).collect();
                leaves.push_types(&types)?;
            }
        }
        Ok(())
    }

    fn owner(&self, types: &Types) -> Option<Owner> {
        let model = types.model_of_kind(self.kind)?;
        Some(match model.shape {
            ExtShape::Object => Owner::Both,
            ExtShape::Value => Owner::Parts(model.fields.iter().map(|field| field.ty).collect()),
        })
    }

    fn is_object(&self, types: &Types) -> bool {
        let model = types.model_of_kind(self.kind);
        model.is_some_and(|model| model.shape == ExtShape::Object)
    }
}
