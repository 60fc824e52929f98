//! Lists, displays of lists without an item type, and what iterates over them.

use super::{Leaves, Model, is_object};
use crate::lowering::error::Res;
use crate::lowering::function::{Fx, Val};
use crate::lowering::iterate::{LEFT, STATE};
use crate::lowering::owner::Owner;
use crate::lowering::raise::Raise;
use numbra_ir::{ListClass, Type, Types, kinds};
use numbra_lir::{GuardKind, IntCc, Ty, Value};

/// A step over a list, or over what begins as one.
pub(super) fn next(fx: &mut Fx<'_, '_>, container: Type, iter: &Val) -> Res<Vec<Value>> {
    let list = fx.list(&Val::new(container, iter.leaves[1..].to_vec()))?;
    let state = iter.leaves[0];
    fx.list_iter_next(
        &list,
        |fx| fx.load(Ty::I64, state, 0, STATE),
        |fx, next| fx.store(state, 0, next, STATE),
    )
}

/// `iter(x)` of a container that may not change meanwhile: position of the next item, and how many there are.
pub(super) fn state_of(fx: &mut Fx<'_, '_>, value: &Val) -> Res<Vec<Value>> {
    let list = fx.list(value)?;
    let (zero, count) = (fx.i64(0), fx.list_len(&list));
    let mut out = vec![fx.state(&[zero, count])];
    out.extend(&value.leaves);
    Ok(out)
}

/// As [`next`], from [`state_of`]; RuntimeError where items came or went since the start.
pub(super) fn next_unchanged(
    fx: &mut Fx<'_, '_>,
    container: Type,
    iter: &Val,
    message: &'static str,
) -> Res<Vec<Value>> {
    let list = fx.list(&Val::new(container, iter.leaves[1..].to_vec()))?;
    let count = fx.list_len(&list);
    let before = fx.load(Ty::I64, iter.leaves[0], LEFT, STATE);
    let same = fx.icmp(IntCc::Eq, count, before);
    fx.guard(same, GuardKind::Check, Raise::new("RuntimeError", message))?;
    next(fx, container, iter)
}

/// True if it has items.
pub(super) fn has_items(fx: &mut Fx<'_, '_>, value: &Val) -> Res<Value> {
    let list = fx.list(value)?;
    let length = fx.list_len(&list);
    Ok(fx.icmp_imm(IntCc::Ne, length, 0))
}

impl Model for kinds::List<'_> {
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
        match self.class {
            ListClass::Typed => state_of(fx, value),
            ListClass::Local | ListClass::Reflected => Ok(fx.counted_from_zero(&value.leaves)),
        }
    }
}

impl Model for kinds::ListIter<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.extend([Ty::PTR, Ty::Ref]);
        Ok(())
    }

    fn next(&self, fx: &mut Fx<'_, '_>, iter: &Val) -> Res<Vec<Value>> {
        match fx.types.as_list(*self.list) {
            Some((_, ListClass::Typed)) => {
                next_unchanged(fx, *self.list, iter, "list was mutated during iteration")
            }
            _ => next(fx, *self.list, iter),
        }
    }
}

impl Model for kinds::LiteralList<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push_types(self.items)
    }
}
