//! Ranges and slices.

use super::{Leaves, Model, part};
use crate::lowering::error::Res;
use crate::lowering::function::{Fx, Val};
use crate::lowering::iterate::{LEFT, STATE};
use crate::lowering::owner::Owner;
use numbra_ir::{Type, Types, kinds};
use numbra_lir::{IntCc, Ty, Value};

impl Model for kinds::Range<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push_types(&[*self.item; 3])
    }

    fn truth(&self, fx: &mut Fx<'_, '_>, value: &Val) -> Res<Value> {
        fx.range_truth(value)
    }

    fn iterate(&self, fx: &mut Fx<'_, '_>, value: &Val, _: Type) -> Res<Vec<Value>> {
        fx.range_iter(value, *self.item)
    }
}

impl Model for kinds::RangeIter<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push(Ty::PTR);
        leaves.push_types(&[*self.item; 2])
    }

    fn next(&self, fx: &mut Fx<'_, '_>, iter: &Val) -> Res<Vec<Value>> {
        if fx.types.is_tuple(*self.item) {
            return fx.nd_index_next(&iter.leaves);
        }
        let ty = part(fx.range_kind(*self.item)?);
        let [state, step] = [iter.leaves[0], iter.leaves[2]];
        let now = fx.load(ty, state, 0, STATE);
        let left = fx.load(ty, state, LEFT, STATE);
        let more = fx.icmp_imm(IntCc::Ne, left, 0);
        let one = fx.iconst(ty, 1);
        let fewer = fx.isub(left, one);
        let left = fx.select(more, fewer, left);
        let next = fx.iadd(now, step);
        let next = fx.select(more, next, now);
        fx.store(state, 0, next, STATE);
        fx.store(state, LEFT, left, STATE);
        Ok(vec![now, more])
    }
}

impl Model for kinds::Slice2<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.extend([Ty::I64; 2]);
        Ok(())
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Nobody)
    }
}

impl Model for kinds::Slice3<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.extend([Ty::I64; 3]);
        Ok(())
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Nobody)
    }
}
