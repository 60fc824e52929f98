//! Iterators over other iterators, and generators.

use super::{Leaves, Model};
use crate::lowering::error::Res;
use crate::lowering::function::{Fx, Val};
use crate::lowering::iterate::STATE;
use crate::lowering::owner::Owner;
use numbra_ir::{Types, kinds};
use numbra_lir::{Ty, Value};

impl Model for kinds::Enumerate<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push(Ty::PTR);
        leaves.push_type(*self.inner)
    }

    fn next(&self, fx: &mut Fx<'_, '_>, iter: &Val) -> Res<Vec<Value>> {
        let state = iter.leaves[0];
        let mut pair = fx.iter_next(&Val::new(*self.inner, iter.leaves[1..].to_vec()))?;
        let count = fx.load(Ty::I64, state, 0, STATE);
        let one = fx.i64(1);
        let next = fx.iadd(count, one);
        fx.store(state, 0, next, STATE);
        pair.insert(0, count);
        Ok(pair)
    }
}

impl Model for kinds::Zip<'_> {
    /// Those of the iterators, and whether they must have as many items.
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push_types(self.inners)?;
        leaves.push(Ty::I1);
        Ok(())
    }

    fn next(&self, fx: &mut Fx<'_, '_>, iter: &Val) -> Res<Vec<Value>> {
        fx.zip_next(self.inners, &iter.leaves)
    }
}

impl Model for kinds::Generator<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push(Ty::Ref);
        Ok(())
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Both)
    }

    fn next(&self, fx: &mut Fx<'_, '_>, iter: &Val) -> Res<Vec<Value>> {
        fx.generator_next(iter, *self.yields)
    }
}
