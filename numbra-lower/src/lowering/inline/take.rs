//! `x[i]` of an array with one axis by an array of integers with one axis, and `np.take` of both, where they stand: the indices
//! are looked at first, so that the loop that reads the elements has no branch. An index out of range goes to the runtime, which
//! raises, and so does what has more axes or other elements.

use super::super::array::ArrayRef;
use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use numbra_ir::{ArrayType, Scalar, Type};
use numbra_library::NativeBody;
use numbra_lir::{BinaryOp, IntCc, Ty, Value};

/// An array of elements, the indices of some of them, and the type of the array of these.
struct Picked {
    from: ArrayRef,
    at: ArrayRef,
    ty: ArrayType,
    /// Indices below 0 count from the end.
    signed: bool,
}

impl Fx<'_, '_> {
    /// What a native body that picks elements gives; `None` where it is of other values.
    pub(in super::super) fn picked_elements(
        &mut self,
        native: &NativeBody,
        args: &[Val],
        ret: Type,
    ) -> Res<Option<Vec<Value>>> {
        let Some(picked) = self.picked(args, ret)? else {
            return Ok(None);
        };
        let are_inside = self.are_inside(&picked)?;
        let tys = self.leaf_types(ret)?;
        let pick = |fx: &mut Self| fx.pick_each(&picked);
        let call = |fx: &mut Self| fx.native_in(native.symbol, args, ret, false);
        let leaves = self.if_else(are_inside, &tys, pick, call)?;
        self.keep(vec![picked.from.owner, picked.at.owner]);
        Ok(Some(leaves))
    }

    fn picked(&mut self, args: &[Val], ret: Type) -> Res<Option<Picked>> {
        let (from, at) = match args {
            [from, at] => (from, at),
            [from, at, axis] if self.types.is_none(axis.ty) => (from, at),
            _ => return Ok(None),
        };
        let types = [from.ty, at.ty, ret].map(|ty| self.types.as_array(ty).filter(|a| a.ndim == 1));
        let [Some(source), Some(indices), Some(ty)] = types else {
            return Ok(None);
        };
        let Some(kind) = self.types.as_scalar(indices.dtype) else {
            return Ok(None);
        };
        // A number of 64 bits without a sign may be too large for what is computed with it here.
        let is_index = kind.is_int() && kind != Scalar::UInt64;
        let is_number = self.types.as_scalar(source.dtype).is_some() && source.dtype == ty.dtype;
        if !is_index || !is_number {
            return Ok(None);
        }
        Ok(Some(Picked {
            from: self.array(from)?,
            at: self.array(at)?,
            ty,
            signed: kind.is_signed_int(),
        }))
    }

    /// Whether no index is out of range: by the signs of all, so that the loop runs in vectors.
    fn are_inside(&mut self, picked: &Picked) -> Res<Value> {
        let (one, none) = (self.i64(1), self.i64(0));
        let last = self.isub(picked.from.shape[0], one);
        let signs = self.count_loop(picked.at.shape[0], vec![none], |fx, n, signs| {
            let at = fx.index_at(picked, n)?;
            let left = fx.isub(last, at);
            let sign = fx.ibin(BinaryOp::Or, at, left);
            Ok::<_, Fault>(vec![fx.ibin(BinaryOp::Or, signs[0], sign)])
        })?;
        Ok(self.icmp_imm(IntCc::Sge, signs[0], 0))
    }

    /// Index `n`, from the start of the array.
    fn index_at(&mut self, picked: &Picked, n: Value) -> Res<Value> {
        let place = self.item_place(&picked.at, n);
        let item = self.load_element(&picked.at, place)?;
        let at = self.int_to(item.leaves[0], Ty::I64, picked.signed);
        if !picked.signed {
            return Ok(at);
        }
        let bits = self.i64(63);
        let sign = self.ibin(BinaryOp::AShr, at, bits);
        let from_end = self.and(sign, picked.from.shape[0]);
        Ok(self.iadd(at, from_end))
    }

    /// A new array of the elements.
    fn pick_each(&mut self, picked: &Picked) -> Res<Vec<Value>> {
        let count = picked.at.shape[0];
        let made = self.new_array(picked.ty, vec![count], false)?;
        self.count_loop(count, Vec::new(), |fx, n, _| {
            let at = fx.index_at(picked, n)?;
            let from = fx.item_place(&picked.from, at);
            let item = fx.load_element(&picked.from, from)?;
            let to = fx.item_place(&made, n);
            fx.store_element(&made, to, &item.leaves);
            Ok::<_, Fault>(Vec::new())
        })?;
        Ok(made.leaves())
    }
}
