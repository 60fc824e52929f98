//! Ranges and the iteration protocol.
//!
//! An iterator's position lives in a stack slot of the function that made it, so that copies of the iterator advance
//! together. A range iterator whose only use is one `iternext`, as a `for` statement makes it, is a counted loop: the
//! slot holds the next item alone and SROA turns it into a block parameter.

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::raise::Raise;
use numbra_ir::{Scalar, Type, TypeKind};
use numbra_lir::{AliasClass, BinaryOp, FloatCc, GuardKind, IntCc, MemFlags, Ty, UnaryOp, Value};

pub(super) const STATE: MemFlags = MemFlags {
    alias: AliasClass::STACK,
    align: numbra_lir::Align(8),
    readonly: false,
    volatile: false,
};

/// Byte of the number of items left in the state of a range iterator.
pub(super) const LEFT: i32 = 8;

/// The leaves of a range of integers of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct RangeParts {
    kind: Scalar,
    start: Value,
    stop: Value,
    /// Signed, of any kind of items.
    step: Value,
}

/// How an item compares with the stop while there are items, upwards and downwards.
fn orders(kind: Scalar) -> [IntCc; 2] {
    if kind.is_signed_int() {
        [IntCc::Slt, IntCc::Sgt]
    } else {
        [IntCc::Ult, IntCc::Ugt]
    }
}

impl Fx<'_, '_> {
    pub(super) fn range_kind(&self, item: Type) -> Res<Scalar> {
        self.kind_of(item)
    }

    /// `range(..)`: start, stop, step. The step is signed whatever the items are.
    pub(super) fn range_new(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let item = self.range_item(ret)?;
        let kind = self.range_kind(item)?;
        let mut parts = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            // What has no sign may be beyond items with one; of steps see below.
            if i < 2 && kind.is_signed_int() && self.num(arg)?.kind == Scalar::UInt64 {
                self.index_value(arg)?;
            }
            parts.push(self.whole_number(arg, kind)?);
        }
        let ty = super::model::part(kind);
        let (zero, one) = (self.iconst(ty, 0), self.iconst(ty, 1));
        match parts.as_slice() {
            [stop] => Ok(vec![zero, *stop, one]),
            [start, stop] => Ok(vec![*start, *stop, one]),
            [_, _, step] => {
                let nonzero = self.icmp_imm(IntCc::Ne, *step, 0);
                let raise = Raise::value("range() arg 3 must not be zero");
                self.guard(nonzero, GuardKind::Check, raise)?;
                if self.num(&args[2])?.kind == Scalar::UInt64 {
                    let forward = self.icmp_imm(IntCc::Sgt, *step, 0);
                    let raise = Raise::new("OverflowError", "range() arg 3 is too large");
                    self.guard(forward, GuardKind::Check, raise)?;
                }
                Ok(parts)
            }
            _ => Err(Fault::bug("range() with another number of arguments")),
        }
    }

    /// A number of a range as one of its items: a float, as integers of unlike signs join to, loses its fraction.
    fn whole_number(&mut self, value: &Val, kind: Scalar) -> Res<Value> {
        let num = self.num(value)?;
        if num.kind.is_float() {
            let wide = self.as_kind(num, Scalar::Float64).re;
            let bits = 8 * kind.size() as i32;
            // Both ends are exact in 64 bits: what is cut to the lowest or the highest integer lies between them.
            let (low, high) = if kind.is_signed_int() {
                (-(2_f64.powi(bits - 1)), 2_f64.powi(bits - 1))
            } else {
                (0.0, 2_f64.powi(bits))
            };
            let cut = self.unary(UnaryOp::Trunc, wide);
            let above = self.fcmp_imm(FloatCc::Ge, cut, low);
            let below = self.fcmp_imm(FloatCc::Lt, cut, high);
            let fits = self.and(above, below);
            let raise = Raise::new(
                "OverflowError",
                "range() of a float that is no integer of its type",
            );
            self.guard(fits, GuardKind::Check, raise)?;
        }
        Ok(self.as_kind(num, kind).re)
    }

    fn range_item(&self, range: Type) -> Res<Type> {
        match self.types.kind(range) {
            TypeKind::Range(item) => Ok(*item),
            _ => Err(Fault::bug(format!("{} is not a range", self.show(range)))),
        }
    }

    fn range_parts(&self, range: &Val) -> Res<RangeParts> {
        let kind = self.range_kind(self.range_item(range.ty)?)?;
        Ok(RangeParts {
            kind,
            start: range.leaves[0],
            stop: range.leaves[1],
            step: range.leaves[2],
        })
    }

    /// `len(range)` as `int64`, of a range that has no more items.
    pub(super) fn range_len(&mut self, range: &Val) -> Res<Value> {
        let parts = self.range_parts(range)?;
        let count = self.range_count(parts);
        Ok(self.int_to(count, Ty::I64, false))
    }

    /// As [`Fx::range_len`]; raises where CPython's `len` does.
    pub(super) fn range_len_checked(&mut self, range: &Val) -> Res<Value> {
        let length = self.range_len(range)?;
        let parts = self.range_parts(range)?;
        let from_zero = parts.kind.is_signed_int()
            && self.const_of(parts.start) == Some(0)
            && self.const_of(parts.step) == Some(1);
        if parts.kind.size() == 8 && !from_zero {
            let fits = self.icmp_imm(IntCc::Sge, length, 0);
            let message = "Python int too large to convert to C ssize_t";
            self.guard(fits, GuardKind::Check, Raise::new("OverflowError", message))?;
        }
        Ok(length)
    }

    /// Whether there are items; `bool(range)`.
    pub(super) fn range_truth(&mut self, range: &Val) -> Res<Value> {
        let parts = self.range_parts(range)?;
        Ok(self.range_some(parts))
    }

    fn range_some(&mut self, range: RangeParts) -> Value {
        let [forward, back] = orders(range.kind);
        match self.const_of(range.step) {
            Some(step) if step > 0 => self.icmp(forward, range.start, range.stop),
            Some(_) => self.icmp(back, range.start, range.stop),
            None => {
                let up = self.icmp(forward, range.start, range.stop);
                let down = self.icmp(back, range.start, range.stop);
                let backward = self.goes_back(range.step);
                self.select(backward, down, up)
            }
        }
    }

    fn goes_back(&mut self, step: Value) -> Value {
        self.icmp_imm(IntCc::Slt, step, 0)
    }

    /// A difference along the range, counted in the direction of its step.
    fn along(&mut self, range: RangeParts, from: Value, to: Value) -> Value {
        let ahead = self.isub(to, from);
        if self.const_of(range.step).is_some_and(|step| step > 0) {
            return ahead;
        }
        let behind = self.isub(from, to);
        let backward = self.goes_back(range.step);
        self.select(backward, behind, ahead)
    }

    /// Size of the step, as an unsigned integer.
    fn stride(&mut self, range: RangeParts) -> Value {
        let zero = self.iconst_like(range.step, 0);
        let minus = self.isub(zero, range.step);
        let backward = self.goes_back(range.step);
        self.select(backward, minus, range.step)
    }

    /// Number of items, as an unsigned integer of the items' width.
    fn range_count(&mut self, range: RangeParts) -> Value {
        let zero = self.iconst_like(range.start, 0);
        let one = self.iconst_like(range.start, 1);
        let some = self.range_some(range);
        let distance = self.along(range, range.start, range.stop);
        let stride = self.stride(range);
        if self.const_of(stride) == Some(1) {
            return self.select(some, distance, zero);
        }
        let before = self.isub(distance, one);
        let steps = self.ibin(BinaryOp::UDiv, before, stride);
        let count = self.iadd(steps, one);
        self.select(some, count, zero)
    }

    /// `value in range`
    pub(super) fn range_contains(&mut self, range: &Val, value: &Val) -> Res<Value> {
        let parts = self.range_parts(range)?;
        let given = self.num(value)?;
        let x = self.as_kind(given, parts.kind);
        let exact = self.compare(numbra_library::CmpOp::Eq, given, x);
        let count = self.range_count(parts);
        let distance = self.along(parts, parts.start, x.re);
        let stride = self.stride(parts);
        let steps = self.ibin(BinaryOp::UDiv, distance, stride);
        let rest = self.ibin(BinaryOp::URem, distance, stride);
        let whole = self.icmp_imm(IntCc::Eq, rest, 0);
        let inside = self.icmp(IntCc::Ult, steps, count);
        let hit = self.and(whole, inside);
        Ok(self.and(hit, exact))
    }

    /// `reversed(range)`: of signed items a range, whose stop lies one ahead of the first item; of unsigned ones, whose
    /// first item often is 0, an iterator.
    pub(super) fn range_reversed(&mut self, range: &Val) -> Res<Vec<Value>> {
        let parts = self.range_parts(range)?;
        let count = self.range_count(parts);
        let (zero, one) = (
            self.iconst_like(parts.step, 0),
            self.iconst_like(parts.step, 1),
        );
        let steps = self.isub(count, one);
        let offset = self.imul(steps, parts.step);
        let last = self.iadd(parts.start, offset);
        let step = self.isub(zero, parts.step);
        let backward = self.goes_back(parts.step);
        let minus_one = self.iconst_like(parts.step, -1);
        let sign = self.select(backward, minus_one, one);
        let stop = self.isub(parts.start, sign);
        if !parts.kind.is_signed_int() {
            let state = self.state(&[last, count]);
            return Ok(vec![state, stop, step]);
        }
        let [forward, back] = orders(parts.kind);
        let down = self.icmp(back, parts.start, stop);
        let up = self.icmp(forward, parts.start, stop);
        let ahead = self.select(backward, up, down);
        let sides = self.icmp(IntCc::Ne, parts.step, step);
        let fits = self.and(ahead, sides);
        let none = self.icmp(IntCc::Eq, count, zero);
        let fits = self.or(fits, none);
        let raise = Raise::new("OverflowError", "the reversed range has no stop");
        self.guard(fits, GuardKind::Check, raise)?;
        Ok(vec![last, stop, step])
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

    /// `iter(range)`
    pub(super) fn range_iter(&mut self, value: &Val, item: Type) -> Res<Vec<Value>> {
        let kind = self.range_kind(item)?;
        let parts = self.range_parts(value)?;
        let RangeParts {
            start, stop, step, ..
        } = parts;
        let direct = self.target.is_some_and(|var| self.direct.contains(&var));
        let counted = direct && self.step_compare(kind, step).is_some();
        let state = if counted {
            self.state(&[start])
        } else if direct && self.mx.options.device {
            let more = self.range_some(parts);
            self.state(&[start, more])
        } else {
            let count = self.range_count(parts);
            self.state(&[start, count])
        };
        Ok(vec![state, stop, step])
    }

    /// How the next item of a counted loop compares with its stop while there are items: for the steps 1 and -1.
    fn step_compare(&self, kind: Scalar, step: Value) -> Option<IntCc> {
        let [forward, back] = orders(kind);
        match self.const_of(step) {
            Some(1) => Some(forward),
            Some(-1) => Some(back),
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

    /// A step of a loop of any stride on a GPU, where the number of items, a quotient, would cost more than a test: the state
    /// holds the next item and whether it is one. The one behind is if the stop is further away than the step is long.
    fn strided_next(&mut self, kind: Scalar, [state, stop, step]: [Value; 3]) -> Vec<Value> {
        let ty = super::model::part(kind);
        let now = self.load(ty, state, 0, STATE);
        let more = self.load(Ty::I1, state, LEFT, STATE);
        let parts = RangeParts {
            kind,
            start: now,
            stop,
            step,
        };
        let distance = self.along(parts, now, stop);
        let length = self.stride(parts);
        let another = self.icmp(IntCc::Ugt, distance, length);
        let another = self.and(more, another);
        let next = self.iadd(now, step);
        self.store(state, 0, next, STATE);
        self.store(state, LEFT, another, STATE);
        vec![now, more]
    }

    /// The iterators are advanced from left to right, up to the first that is exhausted. The last leaf says whether the others
    /// must be, too.
    pub(super) fn zip_next(&mut self, inners: &[Type], leaves: &[Value]) -> Res<Vec<Value>> {
        let Some((&strict, leaves)) = leaves.split_last() else {
            return Err(Fault::bug("zip() without a flag"));
        };
        let strict = (self.const_of(strict) != Some(0)).then_some(strict);
        self.zip_step(inners, leaves, 0, strict)
    }

    /// [`Fx::zip_next`] from an iterator on, behind `before` others that had an item.
    fn zip_step(
        &mut self,
        inners: &[Type],
        leaves: &[Value],
        before: usize,
        strict: Option<Value>,
    ) -> Res<Vec<Value>> {
        let Some((first, rest)) = inners.split_first() else {
            return Ok(vec![self.bool(false)]);
        };
        let count = self.leaf_count(*first)?;
        let mut pair = self.iter_next(&Val::new(*first, leaves[..count].to_vec()))?;
        if let (Some(strict), Some(&more), 1..) = (strict, pair.last(), before) {
            let lax = self.not(strict);
            let right = self.ibin(BinaryOp::Or, more, lax);
            self.guard_zipped(right, before, "shorter")?;
        }
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
            |fx| fx.zip_step(rest, &leaves[count..], before + 1, strict),
            |fx| {
                if let (Some(strict), 0) = (strict, before) {
                    let check = |fx: &mut Self| fx.zip_exhausted(rest, &leaves[count..]);
                    fx.if_else(strict, &[], check, |_| Ok(Vec::new()))?;
                }
                Ok(tys.iter().map(|ty| fx.zero(*ty)).collect())
            },
        )?;
        pair.extend(others);
        Ok(pair)
    }

    /// ValueError unless the iterators behind the first, which is exhausted, are, too.
    fn zip_exhausted(&mut self, inners: &[Type], mut leaves: &[Value]) -> Res<Vec<Value>> {
        for (n, inner) in inners.iter().enumerate() {
            let (own, behind) = leaves.split_at(self.leaf_count(*inner)?);
            leaves = behind;
            let pair = self.iter_next(&Val::new(*inner, own.to_vec()))?;
            let Some(&more) = pair.last() else {
                return Err(Fault::bug("an iterator step without a flag"));
            };
            let done = self.not(more);
            self.guard_zipped(done, n + 1, "longer")?;
        }
        Ok(Vec::new())
    }

    /// CPython's error for an iterable of `zip(.., strict=True)` behind `before` others that has not as many items.
    fn guard_zipped(&mut self, right: Value, before: usize, how: &str) -> Res<()> {
        let others = match before {
            1 => "argument 1".to_owned(),
            many => format!("arguments 1-{many}"),
        };
        let message = format!("zip() argument {} is {how} than {others}", before + 1);
        self.guard_text(right, GuardKind::Check, "ValueError", Some(&message))
    }

    /// What an iterator yields.
    fn item_type(&self, iter: Type) -> Res<Type> {
        let item = self.types.item(iter);
        item.ok_or_else(|| Fault::bug(format!("{} is not an iterator", self.show(iter))))
    }

    /// Exactly `count` items of an iterable as a tuple; ValueError where there are more or fewer.
    pub(super) fn unpack(&mut self, value: &Val, count: u32, ret: Type) -> Res<Vec<Value>> {
        let iter_ty = self.types.iterator(value.ty).unwrap_or(value.ty);
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

    /// `zip(values.., strict)`
    pub(super) fn zip(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let types = self.types;
        let TypeKind::Zip(inners) = types.kind(ret) else {
            return Err(Fault::bug(format!("zip() of type {}", self.show(ret))));
        };
        let mut out = Vec::new();
        for (arg, inner) in args.iter().zip(inners) {
            out.extend(self.get_iter(arg, *inner)?);
        }
        let Some(&[strict]) = args.last().map(|arg| arg.leaves.as_slice()) else {
            return Err(Fault::bug("zip() without a flag"));
        };
        out.push(strict);
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
