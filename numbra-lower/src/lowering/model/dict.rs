//! Dictionaries, their views, and what iterates over them.

use super::{Leaves, Model, is_object};
use crate::lowering::error::Res;
use crate::lowering::function::{Fx, Val};
use crate::lowering::owner::Owner;
use numbra_ir::{Type, Types, kinds};
use numbra_lir::{IntCc, Ty, Value};

/// True if it has entries.
fn has_entries(fx: &mut Fx<'_, '_>, dict: Type, value: &Val) -> Res<Value> {
    let dict = fx.dict(&Val::new(dict, value.leaves.clone()))?;
    let count = fx.dict_len(&dict);
    Ok(fx.icmp_imm(IntCc::Ne, count, 0))
}

impl Model for kinds::Dict<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push(Ty::Ref);
        Ok(())
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Both)
    }

    fn is_object(&self, types: &Types) -> bool {
        is_object(types, *self.key) && is_object(types, *self.value)
    }

    fn truth(&self, fx: &mut Fx<'_, '_>, value: &Val) -> Res<Value> {
        has_entries(fx, value.ty, value)
    }

    fn iterate(&self, fx: &mut Fx<'_, '_>, value: &Val, _: Type) -> Res<Vec<Value>> {
        fx.dict_iter(value)
    }
}

impl Model for kinds::LiteralDict<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push_types(self.items)
    }

    fn truth(&self, fx: &mut Fx<'_, '_>, _: &Val) -> Res<Value> {
        Ok(fx.bool(!self.items.is_empty()))
    }
}

impl Model for kinds::DictView<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push(Ty::Ref);
        Ok(())
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Both)
    }

    fn is_object(&self, types: &Types) -> bool {
        is_object(types, *self.dict)
    }

    fn truth(&self, fx: &mut Fx<'_, '_>, value: &Val) -> Res<Value> {
        has_entries(fx, *self.dict, value)
    }

    fn iterate(&self, fx: &mut Fx<'_, '_>, value: &Val, _: Type) -> Res<Vec<Value>> {
        fx.dict_iter(&Val::new(*self.dict, value.leaves.clone()))
    }
}

impl Model for kinds::DictIter<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.extend([Ty::PTR, Ty::Ref]);
        Ok(())
    }

    fn next(&self, fx: &mut Fx<'_, '_>, iter: &Val) -> Res<Vec<Value>> {
        fx.dict_next(*self.dict, *self.part, &iter.leaves)
    }
}
