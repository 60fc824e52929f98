//! Tuples.

use super::emit::flags;
use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::raise::Raise;
use numbra_ir::{Const, Scalar, Type, TypeKind};
use numbra_library::CmpOp;
use numbra_lir::{AliasClass, GuardKind, IntCc, Ty, Value};

impl Fx<'_, '_> {
    /// The items of a tuple, or of a list or a dictionary whose type says its items, as values.
    pub(super) fn items(&self, tuple: &Val) -> Res<Vec<Val>> {
        let listed = match self.types.kind(tuple.ty) {
            TypeKind::LiteralList(items) | TypeKind::LiteralDict { items, .. } => {
                Some(items.clone())
            }
            _ => self.types.tuple_items(tuple.ty),
        };
        let tys =
            listed.ok_or_else(|| Fault::bug(format!("{} is not a tuple", self.show(tuple.ty))))?;
        let mut at = 0;
        let mut out = Vec::with_capacity(tys.len());
        for ty in tys {
            let count = self.leaf_count(ty)?;
            out.push(Val::new(ty, tuple.leaves[at..at + count].to_vec()));
            at += count;
        }
        Ok(out)
    }

    /// `tuple[index]` for a constant in range, negative from the end.
    pub(super) fn tuple_item(&self, tuple: &Val, index: i64) -> Res<Val> {
        let mut items = self.items(tuple)?;
        let at = if index < 0 {
            index + items.len() as i64
        } else {
            index
        };
        match usize::try_from(at) {
            Ok(at) if at < items.len() => Ok(items.swap_remove(at)),
            _ => Err(Fault::bug(format!(
                "index {index} of {}",
                self.show(tuple.ty)
            ))),
        }
    }

    /// The constant in the type of a literal argument.
    pub(super) fn literal_int(&self, value: &Val) -> Res<i64> {
        match self.types.kind(value.ty) {
            TypeKind::Literal(Const::Int(v)) | TypeKind::Omitted(Const::Int(v)) => Ok(*v),
            _ => Err(Fault::bug(format!(
                "{} is not a constant integer",
                self.show(value.ty)
            ))),
        }
    }

    /// `tuple[slice]` for a literal slice.
    pub(super) fn tuple_slice(&self, tuple: &Val, slice: &Val) -> Res<Vec<Value>> {
        let TypeKind::SliceLiteral(parts) = self.types.kind(slice.ty) else {
            return Err(Fault::bug(format!(
                "{} is not a constant slice",
                self.show(slice.ty)
            )));
        };
        let items = self.items(tuple)?;
        let picked = numbra_library::slice_positions(parts, items.len())
            .ok_or_else(|| Fault::bug("a slice whose parts are not integers"))?;
        Ok(picked
            .into_iter()
            .flat_map(|at| items[at].leaves.iter().copied())
            .collect())
    }

    /// Stores a homogeneous tuple in a slot, item after item; its address.
    pub(super) fn spill(&mut self, tuple: &Val) -> Res<Value> {
        let Some((item, n)) = self.types.uniform_tuple(tuple.ty) else {
            return Err(Fault::bug(format!(
                "{} is not a homogeneous tuple",
                self.show(tuple.ty)
            )));
        };
        let tys = self.leaf_types(item)?;
        let each = 8 * tys.len() as u32;
        let refs = (0..n)
            .flat_map(|i| {
                tys.iter()
                    .enumerate()
                    .filter(|(_, ty)| **ty == Ty::Ref)
                    .map(move |(j, _)| i * each + 8 * j as u32)
            })
            .collect();
        let slot = self.slot((each * n).max(8), 8, refs);
        let address = self.slot_addr(slot);
        let flags = flags(AliasClass::STACK, 8);
        for (i, leaf) in tuple.leaves.iter().enumerate() {
            self.store(address, 8 * i as i32, *leaf, flags);
        }
        Ok(address)
    }

    /// Item `index`, in range, of a spilled tuple.
    pub(super) fn load_item(
        &mut self,
        tuple: Type,
        address: Value,
        index: Value,
    ) -> Res<Vec<Value>> {
        let Some((item, _)) = self.types.uniform_tuple(tuple) else {
            return Err(Fault::bug(format!(
                "{} is not a homogeneous tuple",
                self.show(tuple)
            )));
        };
        let tys = self.leaf_types(item)?;
        let each = self.i64(8 * tys.len() as i64);
        let offset = self.imul(index, each);
        let at = self.ptr_add(address, offset);
        let flags = flags(AliasClass::STACK, 8);
        Ok(tys
            .iter()
            .enumerate()
            .map(|(i, ty)| self.load(*ty, at, 8 * i as i32, flags))
            .collect())
    }

    /// Item `index`, in range, of a homogeneous tuple whose items have `each` leaves.
    pub(super) fn choose_item(
        &mut self,
        leaves: &[Value],
        each: usize,
        index: Value,
    ) -> Vec<Value> {
        let mut items = leaves.chunks(each.max(1)).enumerate().rev();
        let Some((_, last)) = items.next() else {
            return Vec::new();
        };
        let mut chosen = last.to_vec();
        for (n, item) in items {
            let this = self.icmp_imm(IntCc::Eq, index, n as i64);
            for (leaf, &own) in chosen.iter_mut().zip(item) {
                *leaf = self.select(this, own, *leaf);
            }
        }
        chosen
    }

    /// `tuple[index]` for a variable index; IndexError when it is out of range.
    pub(super) fn tuple_item_at(
        &mut self,
        tuple: Type,
        address: Value,
        index: &Val,
    ) -> Res<Vec<Value>> {
        let n = self.types.tuple_items(tuple).map_or(0, |items| items.len()) as i64;
        let count = self.i64(n);
        let at = self.counted_index(index, count)?;
        let inside = self.icmp_imm(IntCc::Ult, at, n);
        let raise = Raise::new("IndexError", "tuple index out of range");
        self.guard(inside, GuardKind::Bounds, raise)?;
        self.load_item(tuple, address, at)
    }

    /// `x + y`
    pub(super) fn tuple_concat(&mut self, x: &Val, y: &Val, ret: Type) -> Res<Vec<Value>> {
        let mut items = self.items(x)?;
        items.extend(self.items(y)?);
        self.tuple_of(items, ret)
    }

    /// `x * n` for a constant `n`.
    pub(super) fn tuple_repeat(&mut self, x: &Val, n: &Val, ret: Type) -> Res<Vec<Value>> {
        let n = self.literal_int(n)?.max(0);
        let items = self.items(x)?;
        let wanted = self.types.tuple_items(ret).map_or(0, |t| t.len());
        if items.len().saturating_mul(n as usize) != wanted {
            return Err(Fault::bug(
                "a repeated tuple of another length than its type",
            ));
        }
        let all = (0..n).flat_map(|_| items.iter().cloned()).collect();
        self.tuple_of(all, ret)
    }

    /// A tuple of type `ret` from items, converted.
    pub(super) fn tuple_of(&mut self, items: Vec<Val>, ret: Type) -> Res<Vec<Value>> {
        let tys = self
            .types
            .tuple_items(ret)
            .ok_or_else(|| Fault::bug(format!("{} is not a tuple", self.show(ret))))?;
        if tys.len() != items.len() {
            return Err(Fault::bug("a tuple of another length than its type"));
        }
        let mut out = Vec::new();
        for (item, ty) in items.iter().zip(tys) {
            out.extend(self.cast(item, ty)?);
        }
        Ok(out)
    }

    /// Lexicographic comparison.
    pub(super) fn tuple_compare(&mut self, op: CmpOp, x: &Val, y: &Val) -> Res<Value> {
        let (a, b) = (self.items(x)?, self.items(y)?);
        let equal_only = matches!(op, CmpOp::Eq | CmpOp::Ne);
        if equal_only {
            if a.len() != b.len() {
                return Ok(self.bool(op == CmpOp::Ne));
            }
            let mut all = self.bool(true);
            for (x, y) in a.iter().zip(&b) {
                let same = self.item_compare(CmpOp::Eq, x, y)?;
                all = self.and(all, same);
            }
            return Ok(if op == CmpOp::Eq { all } else { self.not(all) });
        }
        // From the last pair backwards: the first pair that differs decides, else the lengths do.
        let tie = match op {
            CmpOp::Lt => a.len() < b.len(),
            CmpOp::Le => a.len() <= b.len(),
            CmpOp::Gt => a.len() > b.len(),
            CmpOp::Ge | CmpOp::Eq | CmpOp::Ne => a.len() >= b.len(),
        };
        let mut result = self.bool(tie);
        let pairs: Vec<(&Val, &Val)> = a.iter().zip(&b).collect();
        for (x, y) in pairs.into_iter().rev() {
            let same = self.item_compare(CmpOp::Eq, x, y)?;
            let here = self.item_compare(op, x, y)?;
            result = self.select(same, result, here);
        }
        Ok(result)
    }

    /// A comparison of two items: numbers, strings, `None`, or tuples.
    pub(super) fn item_compare(&mut self, op: CmpOp, x: &Val, y: &Val) -> Res<Value> {
        let is_tuple = |fx: &Self, v: &Val| fx.types.tuple_items(v.ty).is_some();
        if is_tuple(self, x) && is_tuple(self, y) {
            return self.tuple_compare(op, x, y);
        }
        if self.mx.scalar(x.ty).is_some() && self.mx.scalar(y.ty).is_some() {
            let (x, y) = (self.num(x)?, self.num(y)?);
            return Ok(self.compare(op, x, y));
        }
        if [x, y]
            .iter()
            .all(|v| self.types.unliteral(v.ty) == Type::UNICODE)
        {
            return self
                .char_seq_compare(op, x, y)?
                .first()
                .copied()
                .ok_or_else(|| Fault::bug("a comparison without a result"));
        }
        if matches!(op, CmpOp::Eq | CmpOp::Ne)
            && self.leaf_count(x.ty)? == 0
            && self.leaf_count(y.ty)? == 0
        {
            return Ok(self.bool((x.ty == y.ty) == (op == CmpOp::Eq)));
        }
        if matches!(op, CmpOp::Eq | CmpOp::Ne)
            && let (Some(a), Some(b)) = (self.kind_of_item(x), self.kind_of_item(y))
            && a != b
        {
            return Ok(self.bool(op == CmpOp::Ne));
        }
        Err(Fault::unsupported(format!(
            "comparing {} with {}",
            self.show(x.ty),
            self.show(y.ty)
        )))
    }

    /// Number, text, `None` or tuple: values of different kinds are never equal.
    fn kind_of_item(&self, x: &Val) -> Option<u8> {
        match self.types.unliteral(x.ty) {
            Type::UNICODE => Some(0),
            Type::NONE => Some(1),
            ty if self.types.tuple_items(ty).is_some() => Some(2),
            _ => self.mx.scalar(x.ty).map(|_| 3),
        }
    }

    /// `value in tuple`
    pub(super) fn tuple_contains(&mut self, tuple: &Val, value: &Val) -> Res<Value> {
        let mut any = self.bool(false);
        for item in self.items(tuple)? {
            let same = self.item_compare(CmpOp::Eq, &item, value)?;
            any = self.or(any, same);
        }
        Ok(any)
    }

    /// Number of items that equal a value.
    pub(super) fn tuple_count(&mut self, tuple: &Val, value: &Val) -> Res<Value> {
        let mut count = self.i64(0);
        for item in self.items(tuple)? {
            let same = self.item_compare(CmpOp::Eq, &item, value)?;
            let one = self.int_to(same, Ty::I64, false);
            count = self.iadd(count, one);
        }
        Ok(count)
    }

    /// `tuple.index(value)`
    pub(super) fn tuple_index_of(&mut self, tuple: &Val, value: &Val) -> Res<Value> {
        let mut found = self.bool(false);
        let mut at = self.i64(0);
        for (i, item) in self.items(tuple)?.into_iter().enumerate().rev() {
            let same = self.item_compare(CmpOp::Eq, &item, value)?;
            let here = self.i64(i as i64);
            at = self.select(same, here, at);
            found = self.or(found, same);
        }
        let raise = Raise::value("tuple.index(x): x not in tuple");
        self.guard(found, GuardKind::Check, raise)?;
        Ok(at)
    }

    /// `min(tuple)`, `max(tuple)`
    pub(super) fn tuple_extreme(&mut self, tuple: &Val, ret: Type, op: CmpOp) -> Res<Vec<Value>> {
        let items = self.items(tuple)?;
        if items.is_empty() {
            let raise = match op {
                CmpOp::Lt => Raise::value("min() iterable argument is empty"),
                _ => Raise::value("max() iterable argument is empty"),
            };
            let never = self.bool(false);
            self.guard(never, GuardKind::Check, raise)?;
            return self.zeros(ret);
        }
        self.py_extreme(&items, ret, op)
    }

    /// `sum(tuple[, start])`
    pub(super) fn tuple_sum(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let kind = self.kind_of(ret)?;
        let mut total = match args.get(1) {
            Some(start) => self.num_as(start, ret)?,
            None => {
                let zero = super::number::Num::real(Scalar::Int64, self.i64(0));
                self.as_kind(zero, kind)
            }
        };
        for item in self.items(&args[0])? {
            let x = self.num_as(&item, ret)?;
            total = self.add_nums(total, x);
        }
        Ok(total.leaves())
    }
}
