//! Sets, whose objects begin as lists do.

use super::super::emit::flags;
use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::item::{ItemLayout, item_layout};
use super::super::raise::Raise;
use super::object::ListRef;
use crate::lir::{AliasClass, GuardKind, IntCc, Value};
use numbra_ir::{Type, Var};
use numbra_library::SetOp;

impl Fx<'_, '_> {
    /// Runs an operation on sets.
    pub(in super::super) fn set_op(
        &mut self,
        op: SetOp,
        args: &[Val],
        ret: Type,
    ) -> Res<Vec<Value>> {
        let arg = |n: usize| {
            args.get(n)
                .ok_or_else(|| Fault::bug("an operation with too few operands"))
        };
        if op == SetOp::New {
            return Ok(vec![self.new_set(ret)?.owner]);
        }
        let set = self.list(arg(0)?)?;
        match op {
            SetOp::New => Ok(Vec::new()),
            SetOp::Len => {
                let length = self.list_len(&set);
                self.cast(&Val::new(Type::INT64, vec![length]), ret)
            }
            SetOp::Contains => {
                let at = self.set_find(&set, arg(1)?)?;
                Ok(vec![self.icmp_imm(IntCc::Sge, at, 0)])
            }
            SetOp::Add => self.set_add(&set, arg(1)?),
            SetOp::Discard => {
                let at = self.set_find(&set, arg(1)?)?;
                let found = self.icmp_imm(IntCc::Sge, at, 0);
                self.if_else(
                    found,
                    &[],
                    |fx| fx.list_run("numbra_rt_set_take", &set, vec![at]),
                    |_| Ok::<_, Fault>(Vec::new()),
                )
            }
            SetOp::Remove => {
                let at = self.set_find(&set, arg(1)?)?;
                let found = self.icmp_imm(IntCc::Sge, at, 0);
                let raise = Raise::new("KeyError", "set.remove(): key not in set");
                self.guard(found, GuardKind::Check, raise)?;
                self.list_run("numbra_rt_set_take", &set, vec![at])
            }
            SetOp::Pop => {
                let length = self.list_len(&set);
                let some = self.icmp_imm(IntCc::Ne, length, 0);
                let raise = Raise::new("KeyError", "set.pop(): empty set");
                self.guard(some, GuardKind::Check, raise)?;
                let one = self.i64(1);
                let at = self.isub(length, one);
                let place = self.list_item_addr(&set, at);
                let leaves = self.load_item_at(&set.item, place);
                self.list_run("numbra_rt_set_take", &set, vec![at])?;
                self.cast(&Val::new(set.dtype, leaves), ret)
            }
            SetOp::Clear => self.list_run("numbra_rt_set_clear", &set, Vec::new()),
            SetOp::Copy => {
                let args = vec![set.owner];
                Ok(vec![self.list_result("numbra_rt_set_copy", args)?])
            }
        }
    }

    fn new_set(&mut self, ty: Type) -> Res<ListRef> {
        let Some((dtype, _)) = self.types.as_set(ty) else {
            return Err(Fault::bug(format!("{} is not a set", self.show(ty))));
        };
        let item = item_layout(self.types, dtype).map_err(Fault::unsupported)?;
        let parts = self.item_parts(dtype, &item)?;
        let size = self.i64(i64::from(item.size));
        let owner = self.list_result("numbra_rt_set_new", vec![size, parts])?;
        self.list(&Val::new(ty, vec![owner]))
    }

    /// `{items..}`
    pub(in super::super) fn build_set(&mut self, items: &[Var], ty: Type) -> Res<Vec<Value>> {
        let values = items
            .iter()
            .map(|var| self.var(*var))
            .collect::<Res<Vec<Val>>>()?;
        let set = self.new_set(ty)?;
        for value in &values {
            self.set_add(&set, value)?;
        }
        Ok(vec![set.owner])
    }

    fn set_add(&mut self, set: &ListRef, value: &Val) -> Res<Vec<Value>> {
        let item = self.item_in_frame(set, value)?;
        self.list_run("numbra_rt_set_add", set, vec![item])
    }

    /// Position of an equal item, or -1.
    fn set_find(&mut self, set: &ListRef, value: &Val) -> Res<Value> {
        let item = self.item_in_frame(set, value)?;
        self.native_call("numbra_rt_set_find", vec![set.owner, item])?
            .ok_or_else(|| Fault::bug("`numbra_rt_set_find` gives no result"))
    }

    /// A value in the memory form of the set's items; its address.
    fn item_in_frame(&mut self, set: &ListRef, value: &Val) -> Res<Value> {
        let leaves = self.cast(value, set.dtype)?;
        let slot = self.slot(set.item.size.max(8), 8, Vec::new());
        let at = self.slot_addr(slot);
        for (&(ty, offset), leaf) in set.item.leaves.iter().zip(leaves) {
            self.store(at, offset as i32, leaf, flags(AliasClass::ARGS, ty.size()));
        }
        Ok(at)
    }

    /// The address of a description of what is compared in items: a number, then scalar and byte of each part.
    pub(super) fn item_parts(&mut self, dtype: Type, item: &ItemLayout) -> Res<Value> {
        let mut kinds = Vec::new();
        self.scalar_parts(dtype, &mut kinds)?;
        let mut words = vec![kinds.len() as i64];
        let mut leaves = item.leaves.iter();
        for (kind, count) in kinds {
            let offset = leaves.next().map_or(0, |leaf| leaf.1);
            leaves.by_ref().take(count - 1).for_each(drop);
            words.extend([kind, i64::from(offset)]);
        }
        let slot = self.slot(8 * words.len() as u32, 8, Vec::new());
        let address = self.slot_addr(slot);
        for (i, word) in words.into_iter().enumerate() {
            let word = self.i64(word);
            self.store(address, 8 * i as i32, word, flags(AliasClass::ARGS, 8));
        }
        Ok(address)
    }

    /// The scalars of an item: positions in `Scalar::ALL` and numbers of leaves.
    fn scalar_parts(&self, ty: Type, out: &mut Vec<(i64, usize)>) -> Res<()> {
        if let Some(items) = self.types.tuple_items(ty) {
            return items
                .iter()
                .try_for_each(|item| self.scalar_parts(*item, out));
        }
        let Some(kind) = self.types.as_scalar(ty) else {
            return Err(Fault::unsupported(format!(
                "comparing items of type {}",
                self.show(ty)
            )));
        };
        let position = numbra_ir::Scalar::ALL.iter().position(|s| *s == kind);
        let leaves = if kind.is_complex() { 2 } else { 1 };
        out.push((position.map_or(-1, |p| p as i64), leaves));
        Ok(())
    }
}
