//! Tuples of every kind, pairs, and what iterates over them.

use super::{Leaves, MAX_LEAVES, Model, is_object, leaves};
use crate::lowering::error::{Fault, Res};
use crate::lowering::function::{Fx, Val};
use crate::lowering::iterate::STATE;
use crate::lowering::owner::Owner;
use numbra_ir::{Type, Types, kinds};
use numbra_lir::{IntCc, Ty, Value};

/// Leaves of a tuple of which an iterator chooses by selects.
const CHOSEN: usize = 8;

fn are_objects(types: &Types, items: &[Type]) -> bool {
    items.iter().all(|item| is_object(types, *item))
}

impl Model for kinds::UniTuple<'_> {
    fn leaves(&self, all: &mut Leaves<'_>) -> Result<(), String> {
        let each = leaves(all.types, *self.item)?;
        if each.len().saturating_mul(*self.count as usize) > MAX_LEAVES {
            return Err("a tuple of more than 4096 machine words is not supported".to_owned());
        }
        for _ in 0..*self.count {
            all.extend(each.iter().copied());
        }
        Ok(())
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Parts(vec![*self.item; *self.count as usize]))
    }

    fn is_object(&self, types: &Types) -> bool {
        is_object(types, *self.item)
    }

    fn truth(&self, fx: &mut Fx<'_, '_>, _: &Val) -> Res<Value> {
        Ok(fx.bool(*self.count > 0))
    }

    fn iterate(&self, fx: &mut Fx<'_, '_>, value: &Val, _: Type) -> Res<Vec<Value>> {
        Ok(fx.counted_from_zero(&value.leaves))
    }
}

impl Model for kinds::Tuple<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push_types(self.items)
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Parts(self.items.clone()))
    }

    fn is_object(&self, types: &Types) -> bool {
        are_objects(types, self.items)
    }

    fn truth(&self, fx: &mut Fx<'_, '_>, _: &Val) -> Res<Value> {
        Ok(fx.bool(!self.items.is_empty()))
    }

    fn iterate(&self, fx: &mut Fx<'_, '_>, value: &Val, _: Type) -> Res<Vec<Value>> {
        Ok(fx.counted_from_zero(&value.leaves))
    }
}

impl Model for kinds::StarArgTuple<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push_types(self.items)
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Parts(self.items.clone()))
    }

    fn is_object(&self, types: &Types) -> bool {
        are_objects(types, self.items)
    }

    fn truth(&self, fx: &mut Fx<'_, '_>, _: &Val) -> Res<Value> {
        Ok(fx.bool(!self.items.is_empty()))
    }

    fn iterate(&self, fx: &mut Fx<'_, '_>, value: &Val, _: Type) -> Res<Vec<Value>> {
        Ok(fx.counted_from_zero(&value.leaves))
    }
}

impl Model for kinds::NamedTuple<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push_types(self.items)
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Parts(self.items.clone()))
    }

    fn is_object(&self, types: &Types) -> bool {
        are_objects(types, self.items)
    }

    fn truth(&self, fx: &mut Fx<'_, '_>, _: &Val) -> Res<Value> {
        Ok(fx.bool(!self.items.is_empty()))
    }

    fn iterate(&self, fx: &mut Fx<'_, '_>, value: &Val, _: Type) -> Res<Vec<Value>> {
        Ok(fx.counted_from_zero(&value.leaves))
    }
}

impl Model for kinds::Pair<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push_types(&[*self.first, *self.second])
    }
}

impl Model for kinds::UniTupleIter<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push(Ty::PTR);
        leaves.push_type(*self.tuple)
    }

    fn next(&self, fx: &mut Fx<'_, '_>, iter: &Val) -> Res<Vec<Value>> {
        let tuple = *self.tuple;
        let Some((item, n)) = fx.types.uniform_tuple(tuple) else {
            // Nothing to tell: its type says that it yields nothing.
            let is_empty = fx.types.tuple_items(tuple).is_some_and(|t| t.is_empty());
            let message = "an iterator over something that is not a UniTuple";
            return is_empty.then(Vec::new).ok_or_else(|| Fault::bug(message));
        };
        let state = iter.leaves[0];
        let at = fx.load(Ty::I64, state, 0, STATE);
        let more = fx.icmp_imm(IntCc::Slt, at, i64::from(n));
        let tys = fx.leaf_types(item)?;
        let value = Val::new(tuple, iter.leaves[1..].to_vec());
        // Of a few items one is chosen: without memory, loops over `(-1, 0, 1)` are unrolled.
        let few = value.leaves.len() <= CHOSEN && !tys.contains(&Ty::Ref);
        let spilled = if few { None } else { Some(fx.spill(&value)?) };
        let one = fx.i64(1);
        let mut out = fx.if_else(
            more,
            &tys,
            |fx| {
                let next = fx.iadd(at, one);
                fx.store(state, 0, next, STATE);
                match spilled {
                    Some(address) => fx.load_item(tuple, address, at),
                    None => Ok(fx.choose_item(&value.leaves, tys.len(), at)),
                }
            },
            |fx| Ok::<_, Fault>(tys.iter().map(|ty| fx.zero(*ty)).collect()),
        )?;
        out.push(more);
        Ok(out)
    }
}
