//! The operations on lists, and reading.

use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::raise::Raise;
use super::object::ListRef;
use numbra_abi::NativeId;
use numbra_ir::{ListClass, Type};
use numbra_library::ListOp;
use numbra_lir::{GuardKind, IntCc, Value};

impl Fx<'_, '_> {
    /// Runs an operation on lists.
    pub(in super::super) fn list_op(
        &mut self,
        op: ListOp,
        args: &[Val],
        ret: Type,
    ) -> Res<Vec<Value>> {
        let arg = |n: usize| {
            args.get(n)
                .ok_or_else(|| Fault::bug("an operation with too few operands"))
        };
        if op == ListOp::New {
            let Some(room) = args.get(1) else {
                return Ok(vec![self.new_list(ret, 0)?.owner]);
            };
            let room = self.index_value(room)?;
            let some = self.icmp_imm(IntCc::Sge, room, 0);
            let raise = Raise::new("RuntimeError", "expecting *allocated* to be >= 0");
            self.guard(some, GuardKind::Check, raise)?;
            return Ok(vec![self.new_list_for(ret, room)?.owner]);
        }
        if op == ListOp::OfTuple {
            let items = self.items(arg(0)?)?;
            return self.list_of(&items, ret);
        }
        if op == ListOp::Repeat && self.types.as_list(arg(0)?.ty).is_none() {
            let list = self.list(arg(1)?)?;
            return self.list_repeat(&list, arg(0)?);
        }
        let list = self.list(arg(0)?)?;
        if op.changes() {
            self.guard_mutable(&list)?;
        }
        match op {
            ListOp::New | ListOp::OfTuple => Ok(Vec::new()),
            ListOp::Allocated => Ok(vec![self.list_capacity(&list)]),
            ListOp::IsMutable => Ok(vec![self.list_is_mutable(&list)]),
            ListOp::SetMutable(mutable) => {
                self.set_list_mutable(&list, mutable);
                Ok(Vec::new())
            }
            ListOp::AtLeast => {
                let least = self.literal_int(arg(1)?)?;
                self.list_at_least(&list, least)
            }
            ListOp::Len => {
                let length = self.list_len(&list);
                self.cast(&Val::new(Type::INT64, vec![length]), ret)
            }
            ListOp::Get => {
                let at = self.list_index(&list, arg(1)?, "getitem out of range")?;
                let place = self.list_item_addr(&list, at);
                let leaves = self.load_item_at(&list.item, place);
                self.cast(&Val::new(list.dtype, leaves), ret)
            }
            ListOp::Set => {
                let at = self.list_index(&list, arg(1)?, "setitem out of range")?;
                let leaves = self.cast(arg(2)?, list.dtype)?;
                let place = self.list_item_addr(&list, at);
                self.store_item(&list.item, place, &leaves)?;
                self.list_changed(&list);
                Ok(Vec::new())
            }
            ListOp::Append => self.list_append(&list, arg(1)?),
            ListOp::Insert => self.list_insert(&list, arg(1)?, arg(2)?),
            ListOp::Pop => {
                let leaves = self.list_pop(&list, args.get(1))?;
                self.cast(&Val::new(list.dtype, leaves), ret)
            }
            ListOp::Del => {
                let at = self.list_pop_index(&list, arg(1)?)?;
                let one = self.i64(1);
                self.list_run(NativeId::ListRemove, &list, vec![at, one])
            }
            ListOp::GetSlice => self.list_get_slice(&list, arg(1)?),
            ListOp::SetSlice => {
                let source = self.list(arg(2)?)?;
                self.list_set_slice(&list, arg(1)?, &source)
            }
            ListOp::DelSlice => self.list_del_slice(&list, arg(1)?),
            ListOp::Clear => self.list_run(NativeId::ListClear, &list, Vec::new()),
            ListOp::Reverse => self.list_run(NativeId::ListReverse, &list, Vec::new()),
            ListOp::Extend => {
                let source = self.list(arg(1)?)?;
                self.list_run(NativeId::ListExtend, &list, vec![source.owner])
            }
            ListOp::ExtendInPlace => {
                let source = self.list(arg(1)?)?;
                self.list_run(NativeId::ListExtend, &list, vec![source.owner])?;
                Ok(vec![list.owner])
            }
            ListOp::Concat => {
                let other = self.list(arg(1)?)?;
                let args = vec![list.owner, other.owner];
                Ok(vec![self.list_result(NativeId::ListConcat, args)?])
            }
            ListOp::Repeat => self.list_repeat(&list, arg(1)?),
            ListOp::RepeatInPlace => {
                let length = self.list_len(&list);
                let repeated = self.list_repeat(&list, arg(1)?)?;
                let (zero, one) = (self.i64(0), self.i64(1));
                let args = vec![zero, length, one, repeated[0]];
                self.list_run(NativeId::ListAssign, &list, args)?;
                Ok(vec![list.owner])
            }
            ListOp::Copy => self.list_copy(&list),
            ListOp::Sort => self.list_sort(&list, arg(2)?),
            ListOp::Is | ListOp::IsNot => {
                let other = self.list(arg(1)?)?;
                let cc = if op == ListOp::Is {
                    IntCc::Eq
                } else {
                    IntCc::Ne
                };
                Ok(vec![self.icmp(cc, list.owner, other.owner)])
            }
        }
    }

    /// Calls a native function whose first argument is the list.
    pub(super) fn list_run(
        &mut self,
        native: NativeId,
        list: &ListRef,
        rest: Vec<Value>,
    ) -> Res<Vec<Value>> {
        let mut args = vec![list.owner];
        args.extend(rest);
        self.native_call(native, args)?;
        Ok(Vec::new())
    }

    /// An index as `i64`, counted from the start.
    pub(super) fn list_position(&mut self, list: &ListRef, index: &Val) -> Res<(Value, Value)> {
        let length = self.list_len(list);
        Ok((self.counted_index(index, length)?, length))
    }

    /// An index in range, counted from the start; IndexError otherwise, which a typed list says in its own words.
    pub(super) fn list_index(
        &mut self,
        list: &ListRef,
        index: &Val,
        message: &'static str,
    ) -> Res<Value> {
        let message = match list.class {
            ListClass::Typed => "list index out of range",
            ListClass::Local | ListClass::Reflected => message,
        };
        let (at, length) = self.list_position(list, index)?;
        let inside = self.icmp(IntCc::Ult, at, length);
        self.guard(inside, GuardKind::Bounds, Raise::new("IndexError", message))?;
        Ok(at)
    }

    /// The list itself; ValueError unless it has so many items.
    fn list_at_least(&mut self, list: &ListRef, least: i64) -> Res<Vec<Value>> {
        let length = self.list_len(list);
        for got in 0..least {
            let more = self.icmp_imm(IntCc::Sgt, length, got);
            let message =
                format!("not enough values to unpack (expected at least {least}, got {got})");
            self.guard_text(more, GuardKind::Check, "ValueError", Some(&message))?;
        }
        Ok(vec![list.owner])
    }

    fn list_repeat(&mut self, list: &ListRef, times: &Val) -> Res<Vec<Value>> {
        let times = self.index_value(times)?;
        let args = vec![list.owner, times];
        Ok(vec![self.list_result(NativeId::ListRepeat, args)?])
    }

    fn list_copy(&mut self, list: &ListRef) -> Res<Vec<Value>> {
        let length = self.list_len(list);
        let args = vec![list.owner, self.i64(0), self.i64(1), length];
        Ok(vec![self.list_result(NativeId::ListSlice, args)?])
    }

    /// A step of an iterator over a list: the item, then whether there was one.
    pub(in super::super) fn list_iter_next(
        &mut self,
        list: &ListRef,
        load: impl FnOnce(&mut Self) -> Value,
        advance: impl FnOnce(&mut Self, Value),
    ) -> Res<Vec<Value>> {
        let at = load(self);
        let length = self.list_len(list);
        // A list may shrink while it is iterated.
        let more = self.icmp(IntCc::Ult, at, length);
        let tys = self.leaf_types(list.dtype)?;
        let one = self.i64(1);
        let mut out = self.if_else(
            more,
            &tys,
            |fx| {
                let next = fx.iadd(at, one);
                advance(fx, next);
                let place = fx.list_item_addr(list, at);
                Ok::<_, Fault>(fx.load_item_at(&list.item, place))
            },
            |fx| Ok(tys.iter().map(|ty| fx.zero(*ty)).collect()),
        )?;
        out.push(more);
        Ok(out)
    }
}
