//! Ranges and the iteration protocol.
//!
//! An iterator's position lives in a stack slot of the function that made it, so that copies of the iterator advance
//! together. A range iterator whose only use is one `iternext`, as a `for` statement makes it, is a counted loop: the
//! slot holds the next item alone and SROA turns it into a block parameter.

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::raise::Raise;
use crate::lir::{AliasClass, GuardKind, IntCc, MemFlags, Ty, Value};
use numbra_ir::{Scalar, Type, TypeKind};

pub(super) const STATE: MemFlags = MemFlags {
    alias: AliasClass::STACK,
    align: crate::lir::Align(8),
    readonly: false,
    volatile: false,
};

/// Byte of the number of items left in the state of a range iterator.
const LEFT: i32 = 8;

/// Leaves of a tuple of which an iterator chooses by selects.
const CHOSEN: usize = 8;

impl Fx<'_, '_> {
    fn range_kind(&self, item: Type) -> Res<Scalar> {
        self.kind_of(item)
    }

    /// `range(..)`: start, stop, step.
    pub(super) fn range_new(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let &TypeKind::Range(item) = self.types.kind(ret) else {
            return Err(Fault::bug(format!("range() of type {}", self.show(ret))));
        };
        let mut parts = Vec::new();
        for arg in args {
            parts.push(self.num_as(arg, item)?.re);
        }
        let ty = super::model::part(self.range_kind(item)?);
        let (zero, one) = (self.iconst(ty, 0), self.iconst(ty, 1));
        match parts.as_slice() {
            [stop] => Ok(vec![zero, *stop, one]),
            [start, stop] => Ok(vec![*start, *stop, one]),
            [_, _, step] => {
                let nonzero = self.icmp_imm(IntCc::Ne, *step, 0);
                let raise = Raise::value("range() arg 3 must not be zero");
                self.guard(nonzero, GuardKind::Check, raise)?;
                Ok(parts)
            }
            _ => Err(Fault::bug("range() with another number of arguments")),
        }
    }

    /// `len(range)` as `int64`.
    pub(super) fn range_len(&mut self, range: &Val) -> Res<Value> {
        let &TypeKind::Range(item) = self.types.kind(range.ty) else {
            return Err(Fault::bug(format!(
                "{} is not a range",
                self.show(range.ty)
            )));
        };
        let kind = self.range_kind(item)?;
        let [start, stop, step] = [range.leaves[0], range.leaves[1], range.leaves[2]];
        let count = self.range_count(kind, start, stop, step);
        Ok(self.int_to(count, Ty::I64, false))
    }

    /// Number of items, as an unsigned integer of the items' width.
    fn range_count(&mut self, kind: Scalar, start: Value, stop: Value, step: Value) -> Value {
        let zero = self.iconst_like(start, 0);
        let one = self.iconst_like(start, 1);
        let less = if kind.is_signed_int() {
            IntCc::Slt
        } else {
            IntCc::Ult
        };
        let up_some = self.icmp(less, start, stop);
        let up = self.isub(stop, start);
        if self.const_of(step) == Some(1) {
            return self.select(up_some, up, zero);
        }
        let (distance, some, stride) = if kind.is_signed_int() {
            let down_some = self.icmp(less, stop, start);
            let down = self.isub(start, stop);
            let backward = self.icmp(IntCc::Slt, step, zero);
            let minus = self.isub(zero, step);
            (
                self.select(backward, down, up),
                self.select(backward, down_some, up_some),
                self.select(backward, minus, step),
            )
        } else {
            (up, up_some, step)
        };
        if self.const_of(stride) == Some(1) {
            return self.select(some, distance, zero);
        }
        let before = self.isub(distance, one);
        let steps = self.ibin(crate::lir::BinaryOp::UDiv, before, stride);
        let count = self.iadd(steps, one);
        self.select(some, count, zero)
    }

    /// `value in range`
    pub(super) fn range_contains(&mut self, range: &Val, value: &Val) -> Res<Value> {
        let &TypeKind::Range(item) = self.types.kind(range.ty) else {
            return Err(Fault::bug(format!(
                "{} is not a range",
                self.show(range.ty)
            )));
        };
        let kind = self.range_kind(item)?;
        let given = self.num(value)?;
        let x = self.as_kind(given, kind);
        let exact = self.compare(numbra_library::CmpOp::Eq, given, x);
        let [start, stop, step] = [range.leaves[0], range.leaves[1], range.leaves[2]];
        let count = self.range_count(kind, start, stop, step);
        let offset = self.isub(x.re, start);
        let (steps, rest) = if kind.is_signed_int() {
            let negative = self.icmp_imm(IntCc::Slt, step, 0);
            let minus_step = {
                let zero = self.iconst_like(step, 0);
                self.isub(zero, step)
            };
            let minus_offset = {
                let zero = self.iconst_like(step, 0);
                self.isub(zero, offset)
            };
            let stride = self.select(negative, minus_step, step);
            let distance = self.select(negative, minus_offset, offset);
            (
                self.ibin(crate::lir::BinaryOp::UDiv, distance, stride),
                self.ibin(crate::lir::BinaryOp::URem, distance, stride),
            )
        } else {
            (
                self.ibin(crate::lir::BinaryOp::UDiv, offset, step),
                self.ibin(crate::lir::BinaryOp::URem, offset, step),
            )
        };
        let whole = self.icmp_imm(IntCc::Eq, rest, 0);
        let inside = self.icmp(IntCc::Ult, steps, count);
        let hit = self.and(whole, inside);
        Ok(self.and(hit, exact))
    }

    /// A slot with these words; its address.
    pub(super) fn state(&mut self, words: &[Value]) -> Value {
        let slot = self.slot(8 * words.len().max(1) as u32, 8, Vec::new());
        let address = self.slot_addr(slot);
        for (i, word) in words.iter().enumerate() {
            self.store(address, 8 * i as i32, *word, STATE);
        }
        address
    }

    /// `iter(value)`
    pub(super) fn get_iter(&mut self, value: &Val, ret: Type) -> Res<Vec<Value>> {
        let types = self.types;
        match types.kind(value.ty) {
            TypeKind::Range(item) => {
                let kind = self.range_kind(*item)?;
                let [start, stop, step] = [value.leaves[0], value.leaves[1], value.leaves[2]];
                let direct = self.target.is_some_and(|var| self.direct.contains(&var));
                let counted = direct && self.step_compare(kind, step).is_some();
                let state = if counted {
                    self.state(&[start])
                } else if direct && self.mx.options.device {
                    let [forward, back] = if kind.is_signed_int() {
                        [IntCc::Slt, IntCc::Sgt]
                    } else {
                        [IntCc::Ult, IntCc::Ult]
                    };
                    let (up, down) = (
                        self.icmp(forward, start, stop),
                        self.icmp(back, start, stop),
                    );
                    let backward = self.goes_back(kind, step);
                    let more = self.select(backward, down, up);
                    self.state(&[start, more])
                } else {
                    let count = self.range_count(kind, start, stop, step);
                    self.state(&[start, count])
                };
                Ok(vec![state, stop, step])
            }
            TypeKind::Array(_)
            | TypeKind::Buffer { .. }
            | TypeKind::Bytes
            | TypeKind::List { .. }
            | TypeKind::Set { .. }
            | TypeKind::Tuple(_)
            | TypeKind::UniTuple(..)
            | TypeKind::StarArgTuple(_)
            | TypeKind::NamedTuple(..) => {
                let zero = self.i64(0);
                let mut out = vec![self.state(&[zero])];
                out.extend(&value.leaves);
                Ok(out)
            }
            TypeKind::BoundMethod { .. } => self.flat_iter(value, ret),
            kind if kind.is_iterator() => Ok(value.leaves.clone()),
            _ => Err(Fault::unsupported(format!(
                "iterating {}",
                self.show(value.ty)
            ))),
        }
    }

    /// How the next item of a counted loop compares with its stop while there are items: for the steps 1 and -1.
    fn step_compare(&self, kind: Scalar, step: Value) -> Option<IntCc> {
        match (self.const_of(step), kind.is_signed_int()) {
            (Some(1), true) => Some(IntCc::Slt),
            (Some(1), false) => Some(IntCc::Ult),
            (Some(-1), true) => Some(IntCc::Sgt),
            _ => None,
        }
    }

    /// A step of a range iterator that is used nowhere else.
    pub(super) fn iter_next_direct(&mut self, iter: &Val) -> Res<Vec<Value>> {
        let &TypeKind::RangeIter(item) = self.types.kind(iter.ty) else {
            return self.iter_next(iter);
        };
        if self.types.tuple_items(item).is_some() {
            return self.iter_next(iter);
        }
        let kind = self.range_kind(item)?;
        let ty = super::model::part(kind);
        let [state, stop, step] = [iter.leaves[0], iter.leaves[1], iter.leaves[2]];
        let Some(cc) = self.step_compare(kind, step) else {
            if self.mx.options.device {
                return Ok(self.strided_next(kind, [state, stop, step]));
            }
            return self.iter_next(iter);
        };
        let now = self.load(ty, state, 0, STATE);
        let more = self.icmp(cc, now, stop);
        let next = self.iadd(now, step);
        self.store(state, 0, next, STATE);
        Ok(vec![now, more])
    }

    fn goes_back(&mut self, kind: Scalar, step: Value) -> Value {
        if kind.is_signed_int() {
            self.icmp_imm(IntCc::Slt, step, 0)
        } else {
            self.bool(false)
        }
    }

    /// A step of a loop of any stride on a GPU, where the number of items, a quotient, would cost more than a test: the state
    /// holds the next item and whether it is one. The one behind is if the stop is further away than the step is long.
    fn strided_next(&mut self, kind: Scalar, [state, stop, step]: [Value; 3]) -> Vec<Value> {
        let ty = super::model::part(kind);
        let now = self.load(ty, state, 0, STATE);
        let more = self.load(Ty::I1, state, LEFT, STATE);
        let backward = self.goes_back(kind, step);
        let (up, down) = (self.isub(stop, now), self.isub(now, stop));
        let distance = self.select(backward, down, up);
        let zero = self.iconst_like(step, 0);
        let minus = self.isub(zero, step);
        let length = self.select(backward, minus, step);
        let another = self.icmp(IntCc::Ugt, distance, length);
        let another = self.and(more, another);
        let next = self.iadd(now, step);
        self.store(state, 0, next, STATE);
        self.store(state, LEFT, another, STATE);
        vec![now, more]
    }

    /// A step of an iterator: the leaves of the item, then whether there was one.
    pub(super) fn iter_next(&mut self, iter: &Val) -> Res<Vec<Value>> {
        let types = self.types;
        match types.kind(iter.ty) {
            TypeKind::RangeIter(item) if types.tuple_items(*item).is_some() => {
                self.nd_index_next(&iter.leaves)
            }
            TypeKind::RangeIter(item) => {
                let ty = super::model::part(self.range_kind(*item)?);
                let [state, step] = [iter.leaves[0], iter.leaves[2]];
                let now = self.load(ty, state, 0, STATE);
                let left = self.load(ty, state, LEFT, STATE);
                let more = self.icmp_imm(IntCc::Ne, left, 0);
                let one = self.iconst(ty, 1);
                let fewer = self.isub(left, one);
                let left = self.select(more, fewer, left);
                let next = self.iadd(now, step);
                let next = self.select(more, next, now);
                self.store(state, 0, next, STATE);
                self.store(state, LEFT, left, STATE);
                Ok(vec![now, more])
            }
            TypeKind::ListIter(list_ty) | TypeKind::SetIter(list_ty) => {
                let list = self.list(&Val::new(*list_ty, iter.leaves[1..].to_vec()))?;
                let state = iter.leaves[0];
                self.list_iter_next(
                    &list,
                    |fx| fx.load(Ty::I64, state, 0, STATE),
                    |fx, next| fx.store(state, 0, next, STATE),
                )
            }
            TypeKind::NdIter { ndim, items } => {
                self.nd_iter_next(&iter.leaves, usize::from(*ndim), items.len())
            }
            TypeKind::FlatIter { array, indexed } => {
                let array = self.array(&Val::new(*array, iter.leaves[1..].to_vec()))?;
                self.flat_next(iter.leaves[0], &array, *indexed)
            }
            TypeKind::ArrayIter(array_ty) => {
                let array = self.array(&Val::new(*array_ty, iter.leaves[1..].to_vec()))?;
                let state = iter.leaves[0];
                let at = self.load(Ty::I64, state, 0, STATE);
                let more = self.icmp(IntCc::Slt, at, array.shape[0]);
                let (item_ty, tys) = self.row_type(&array)?;
                let one = self.i64(1);
                let item = self.if_else(
                    more,
                    &tys,
                    |fx| {
                        let next = fx.iadd(at, one);
                        fx.store(state, 0, next, STATE);
                        fx.array_row(&array, at, item_ty)
                    },
                    |fx| Ok::<_, Fault>(tys.iter().map(|ty| fx.zero(*ty)).collect()),
                )?;
                let mut out = item;
                out.push(more);
                Ok(out)
            }
            // Nothing to tell: its type says that it yields nothing.
            TypeKind::UniTupleIter(tuple) if self.is_empty_tuple(*tuple) => Ok(Vec::new()),
            TypeKind::UniTupleIter(tuple) => {
                let Some((item, n)) = types.uniform_tuple(*tuple) else {
                    return Err(Fault::bug(
                        "an iterator over something that is not a UniTuple",
                    ));
                };
                let state = iter.leaves[0];
                let at = self.load(Ty::I64, state, 0, STATE);
                let more = self.icmp_imm(IntCc::Slt, at, i64::from(n));
                let tys = self.leaf_types(item)?;
                let value = Val::new(*tuple, iter.leaves[1..].to_vec());
                // Of a few items one is chosen: without memory, loops over `(-1, 0, 1)` are unrolled.
                let few = value.leaves.len() <= CHOSEN && !tys.contains(&Ty::Ref);
                let spilled = if few { None } else { Some(self.spill(&value)?) };
                let one = self.i64(1);
                let mut out = self.if_else(
                    more,
                    &tys,
                    |fx| {
                        let next = fx.iadd(at, one);
                        fx.store(state, 0, next, STATE);
                        match spilled {
                            Some(address) => fx.load_item(*tuple, address, at),
                            None => Ok(fx.choose_item(&value.leaves, tys.len(), at)),
                        }
                    },
                    |fx| Ok::<_, Fault>(tys.iter().map(|ty| fx.zero(*ty)).collect()),
                )?;
                out.push(more);
                Ok(out)
            }
            TypeKind::Enumerate(inner) => {
                let state = iter.leaves[0];
                let mut pair = self.iter_next(&Val::new(*inner, iter.leaves[1..].to_vec()))?;
                let count = self.load(Ty::I64, state, 0, STATE);
                let one = self.i64(1);
                let next = self.iadd(count, one);
                self.store(state, 0, next, STATE);
                pair.insert(0, count);
                Ok(pair)
            }
            TypeKind::Zip(inners) => self.zip_next(inners, &iter.leaves),
            &TypeKind::Generator { yields, .. } => self.generator_next(iter, yields),
            _ => Err(Fault::unsupported(format!(
                "iterating {}",
                self.show(iter.ty)
            ))),
        }
    }

    fn is_empty_tuple(&self, ty: Type) -> bool {
        self.types
            .tuple_items(ty)
            .is_some_and(|items| items.is_empty())
    }

    /// The iterators are advanced from left to right, up to the first that is exhausted.
    fn zip_next(&mut self, inners: &[Type], leaves: &[Value]) -> Res<Vec<Value>> {
        let Some((first, rest)) = inners.split_first() else {
            return Ok(vec![self.bool(false)]);
        };
        let count = self.leaf_count(*first)?;
        let mut pair = self.iter_next(&Val::new(*first, leaves[..count].to_vec()))?;
        if rest.is_empty() {
            return Ok(pair);
        }
        let more = pair
            .pop()
            .ok_or_else(|| Fault::bug("an iterator step without a flag"))?;
        let mut tys: Vec<Ty> = Vec::new();
        for inner in rest {
            let item = self.item_type(*inner)?;
            tys.extend(self.leaf_types(item)?);
        }
        tys.push(Ty::I1);
        let others = self.if_else(
            more,
            &tys,
            |fx| fx.zip_next(rest, &leaves[count..]),
            |fx| Ok(tys.iter().map(|ty| fx.zero(*ty)).collect()),
        )?;
        pair.extend(others);
        Ok(pair)
    }

    /// What an iterator yields.
    fn item_type(&mut self, iter: Type) -> Res<Type> {
        let types = self.types;
        Ok(match types.kind(iter) {
            TypeKind::RangeIter(item) => *item,
            TypeKind::Generator { yields, .. } => *yields,
            TypeKind::ArrayIter(array) => {
                let array = types
                    .as_array(*array)
                    .ok_or_else(|| Fault::bug("iterates no array"))?;
                self.row_type_of(array)
            }
            TypeKind::FlatIter { array, indexed } => {
                let array = types
                    .as_array(*array)
                    .ok_or_else(|| Fault::bug("iterates no array"))?;
                match indexed {
                    true => {
                        let index = vec![Type::INT64; usize::from(array.ndim)];
                        types.tuple(&[types.tuple(&index), array.dtype])
                    }
                    false => array.dtype,
                }
            }
            TypeKind::ListIter(list) => match types.as_list(*list) {
                Some((dtype, _)) => dtype,
                None => return Err(Fault::bug("iterates no list")),
            },
            TypeKind::SetIter(set) => match types.as_set(*set) {
                Some((dtype, _)) => dtype,
                None => return Err(Fault::bug("iterates no set")),
            },
            TypeKind::UniTupleIter(tuple) => match types.uniform_tuple(*tuple) {
                Some((item, _)) => item,
                None => return Err(Fault::bug("iterates no tuple")),
            },
            TypeKind::Enumerate(inner) => {
                let item = self.item_type(*inner)?;
                types.tuple(&[Type::INT64, item])
            }
            TypeKind::Zip(inners) => {
                let items: Vec<Type> = inners
                    .iter()
                    .map(|it| self.item_type(*it))
                    .collect::<Res<_>>()?;
                types.tuple(&items)
            }
            _ => {
                return Err(Fault::bug(format!(
                    "{} is not an iterator",
                    self.show(iter)
                )));
            }
        })
    }

    /// Exactly `count` items of an iterable as a tuple; ValueError where there are more or fewer.
    pub(super) fn unpack(&mut self, value: &Val, count: u32, ret: Type) -> Res<Vec<Value>> {
        let types = self.types;
        let iter_ty = match types.kind(value.ty) {
            TypeKind::Range(item) => types.intern(TypeKind::RangeIter(*item)),
            TypeKind::Array(_) => types.intern(TypeKind::ArrayIter(value.ty)),
            TypeKind::List { .. } => types.intern(TypeKind::ListIter(value.ty)),
            TypeKind::Set { .. } => types.intern(TypeKind::SetIter(value.ty)),
            _ => value.ty,
        };
        let item = self.item_type(iter_ty)?;
        // What the iterator is made for is not the variable of this statement.
        let target = self.target.take();
        let leaves = self.get_iter(value, iter_ty)?;
        self.target = target;
        let iter = Val::new(iter_ty, leaves);
        let mut items = Vec::new();
        for got in 0..count {
            let mut pair = self.iter_next(&iter)?;
            let more = pair
                .pop()
                .ok_or_else(|| Fault::bug("an iterator step without a flag"))?;
            let message = format!("not enough values to unpack (expected {count}, got {got})");
            self.guard_text(more, GuardKind::Check, "ValueError", Some(&message))?;
            items.push(Val::new(item, pair));
        }
        let last = self.iter_next(&iter)?;
        if let Some(&more) = last.last() {
            let done = self.not(more);
            let message = format!("too many values to unpack (expected {count})");
            self.guard_text(done, GuardKind::Check, "ValueError", Some(&message))?;
        }
        self.tuple_of(items, ret)
    }

    /// `next(iter)`: the item, or StopIteration.
    pub(super) fn next_item(&mut self, iter: &Val) -> Res<Vec<Value>> {
        let mut pair = self.iter_next(iter)?;
        let more = pair
            .pop()
            .ok_or_else(|| Fault::bug("an iterator step without a flag"))?;
        let raise = Raise {
            class: "StopIteration",
            message: None,
        };
        self.guard(more, GuardKind::Check, raise)?;
        Ok(pair)
    }

    /// `enumerate(value[, start])`
    pub(super) fn enumerate(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let &TypeKind::Enumerate(inner) = self.types.kind(ret) else {
            return Err(Fault::bug(format!(
                "enumerate() of type {}",
                self.show(ret)
            )));
        };
        let start = match args.get(1) {
            Some(start) => self.index_value(start)?,
            None => self.i64(0),
        };
        let mut out = vec![self.state(&[start])];
        out.extend(self.get_iter(&args[0], inner)?);
        Ok(out)
    }

    /// `zip(values..)`
    pub(super) fn zip(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let types = self.types;
        let TypeKind::Zip(inners) = types.kind(ret) else {
            return Err(Fault::bug(format!("zip() of type {}", self.show(ret))));
        };
        let mut out = Vec::new();
        for (arg, inner) in args.iter().zip(inners) {
            out.extend(self.get_iter(arg, *inner)?);
        }
        Ok(out)
    }

    /// An iterator over a 1-d array, from its start.
    pub(super) fn array_iter(&mut self, leaves: &[Value]) -> Vec<Value> {
        let zero = self.i64(0);
        let mut out = vec![self.state(&[zero])];
        out.extend(leaves);
        out
    }
}
