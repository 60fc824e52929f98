//! Implicit conversions between types.

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use numbra_ir::{Const, Type, TypeKind};
use numbra_lir::{ConvertOp, GuardKind, Ty, Value};

impl Fx<'_, '_> {
    /// A value as type `to`; its leaves.
    ///
    /// | from | to | how |
    /// |---|---|---|
    /// | member of an enumeration | its value's type | as its value |
    /// | scalar | scalar | [`Fx::to_kind`] |
    /// | date, duration | finer unit | [`Fx::convert_time`] |
    /// | literal, omitted | anything | the constant, converted |
    /// | T, None | Optional | tag and payload |
    /// | Optional | T | guard: TypeError "expected T, got None" |
    /// | tuple | tuple | item by item |
    /// | string, char sequence | char sequence | the first characters, then zeros |
    /// | char sequence, `bytes` | string | without the zeros at the end of the former; bytes as characters below 256 |
    /// | record | record with its first fields | the same leaves |
    /// | jitted function, one of several | one of several | its number |
    /// | jitted function, one of several | function of one signature | [`Fx::as_function`] |
    /// | `array.ctypes` | pointer | the address of the elements |
    /// | integer, pointer | pointer, integer | the address |
    /// | array | array | the same leaves: layouts, mutability and alignment are facts of the type |
    pub(super) fn cast(&mut self, value: &Val, to: Type) -> Res<Vec<Value>> {
        let from = value.ty;
        if from == to {
            return Ok(value.leaves.clone());
        }
        let types = self.types;
        match (types.kind(from), types.kind(to)) {
            // A member is its value.
            (TypeKind::EnumMember { dtype, .. }, _) => {
                self.cast(&Val::new(*dtype, value.leaves.clone()), to)
            }
            (TypeKind::LiteralList(_), TypeKind::LiteralList(items))
            | (TypeKind::LiteralDict { .. }, TypeKind::LiteralDict { items, .. }) => {
                let mut out = Vec::new();
                for (item, ty) in self.items(value)?.iter().zip(items) {
                    out.extend(self.cast(item, *ty)?);
                }
                Ok(out)
            }
            (TypeKind::Initial { of, .. }, _) => {
                self.cast(&Val::new(*of, value.leaves.clone()), to)
            }
            (_, TypeKind::Initial { of, .. }) => self.cast(value, *of),
            // As the tuple of its values, or of pairs of keys, which have no leaves, and values.
            (TypeKind::LiteralDict { .. }, _) if types.tuple_items(to).is_some() => {
                Ok(value.leaves.clone())
            }
            (TypeKind::Optional(a), TypeKind::Optional(b)) => {
                let payload = Val::new(*a, value.leaves[1..].to_vec());
                let mut out = vec![value.leaves[0]];
                out.extend(self.cast(&payload, *b)?);
                Ok(out)
            }
            (
                TypeKind::None | TypeKind::Omitted(Const::None) | TypeKind::Literal(Const::None),
                TypeKind::Optional(_),
            ) => self.zeros(to),
            (_, TypeKind::Optional(inner)) => {
                let mut out = vec![self.bool(true)];
                out.extend(self.cast(value, *inner)?);
                Ok(out)
            }
            (TypeKind::Optional(_), _) if to == Type::BOOL && self.is_not_bool_payload(from) => {
                Ok(vec![self.truth(value)?])
            }
            (TypeKind::Optional(inner), _) => {
                let inner = *inner;
                let payload = self.unwrap_optional(value, inner)?;
                self.cast(&payload, to)
            }
            (TypeKind::Literal(constant) | TypeKind::Omitted(constant), _) => {
                self.constant(constant, to)
            }
            (TypeKind::Scalar(..), TypeKind::Scalar(kind, _)) => {
                let num = self.num(value)?;
                Ok(self.as_kind(num, *kind).leaves())
            }
            (TypeKind::Datetime(_), TypeKind::Datetime(_))
            | (TypeKind::Timedelta(_), TypeKind::Timedelta(_)) => {
                match (types.as_time(from), types.as_time(to)) {
                    (Some(a), Some(b)) => Ok(vec![self.convert_time(value.leaves[0], a, b)?]),
                    _ => Err(Fault::bug("a time without a unit")),
                }
            }
            (TypeKind::Buffer { array: a, .. }, TypeKind::Array(b)) if a == b => {
                Ok(value.leaves.clone())
            }
            (TypeKind::Bytes, TypeKind::Array(b)) if types.as_buffer(from) == Some(*b) => {
                Ok(value.leaves.clone())
            }
            (TypeKind::Array(a), TypeKind::Array(b))
                if a.ndim == b.ndim && self.same_scalar(a.dtype, b.dtype) =>
            {
                Ok(value.leaves.clone())
            }
            (TypeKind::Unicode | TypeKind::UnicodeCharSeq(_), TypeKind::UnicodeCharSeq(_))
            | (TypeKind::CharSeq(_) | TypeKind::Bytes, TypeKind::CharSeq(_)) => {
                self.make_char_seq(value, to)
            }
            (TypeKind::CharSeq(_), TypeKind::Bytes) => self.char_seq_bytes(value),
            (
                TypeKind::UnicodeCharSeq(_) | TypeKind::CharSeq(_) | TypeKind::Bytes,
                TypeKind::Unicode,
            ) => self.char_seq_text(value),
            (TypeKind::Record(a), TypeKind::Record(b)) if a.starts_with(b) => {
                Ok(value.leaves.clone())
            }
            // To compiled code lists of the same items are alike, whatever they are to Python.
            (TypeKind::List { dtype: a, .. }, TypeKind::List { dtype: b, .. })
            | (TypeKind::Set { dtype: a, .. }, TypeKind::Set { dtype: b, .. })
                if a == b =>
            {
                Ok(value.leaves.clone())
            }
            _ if types.unreflected(from) == types.unreflected(to) => Ok(value.leaves.clone()),
            (TypeKind::Range(a), TypeKind::Range(b)) => {
                let (a, b) = (*a, *b);
                self.cast_each(&value.leaves, &[a; 3], &[b; 3])
            }
            (TypeKind::SliceLiteral(parts), TypeKind::Slice2 | TypeKind::Slice3) => {
                self.slice_constant(parts, to)
            }
            (TypeKind::Slice2, TypeKind::Slice3) => {
                let mut out = value.leaves.clone();
                out.push(self.i64(1));
                Ok(out)
            }
            (
                TypeKind::Dispatcher { .. } | TypeKind::FunctionChoice(_),
                TypeKind::FunctionChoice(_),
            ) => self.as_choice(value, to),
            (
                TypeKind::Dispatcher { .. } | TypeKind::FunctionChoice(_),
                TypeKind::FunctionType { .. },
            ) => self.as_function(value, to),
            (TypeKind::BoundMethod { .. }, TypeKind::Pointer(_)) => {
                Ok(vec![self.array(value)?.data])
            }
            (TypeKind::Scalar(..), TypeKind::Pointer(_)) => {
                let address = self.integer_bits(value)?;
                Ok(vec![self.convert(ConvertOp::IntToPtr, address, Ty::PTR)])
            }
            (TypeKind::Pointer(_), TypeKind::Scalar(..)) => {
                let address = self.convert(ConvertOp::PtrToInt, value.leaves[0], Ty::I64);
                let address = Val::new(Type::UINT64, vec![address]);
                self.cast(&address, to)
            }
            (TypeKind::BoundMethod { receiver, .. }, _) => {
                self.cast(&Val::new(*receiver, value.leaves.clone()), to)
            }
            (_, TypeKind::BoundMethod { receiver, .. }) => self.cast(value, *receiver),
            _ => self.cast_other(value, to),
        }
    }

    fn cast_other(&mut self, value: &Val, to: Type) -> Res<Vec<Value>> {
        let (from, types) = (value.ty, self.types);
        if let (Some(a), Some(b)) = (types.tuple_items(from), types.tuple_items(to))
            && a.len() == b.len()
        {
            return self.cast_each(&value.leaves, &a, &b);
        }
        // Types whose values say nothing convert into each other.
        if self.leaf_count(to)? == 0 {
            return Ok(Vec::new());
        }
        Err(Fault::unsupported(format!(
            "the conversion of {} to {}",
            self.show(from),
            self.show(to)
        )))
    }

    fn cast_each(&mut self, leaves: &[Value], from: &[Type], to: &[Type]) -> Res<Vec<Value>> {
        let mut out = Vec::new();
        let mut at = 0;
        for (a, b) in from.iter().zip(to) {
            let count = self.leaf_count(*a)?;
            let item = Val::new(*a, leaves[at..at + count].to_vec());
            at += count;
            out.extend(self.cast(&item, *b)?);
        }
        Ok(out)
    }

    fn same_scalar(&self, a: Type, b: Type) -> bool {
        a == b
            || (self.types.as_scalar(a).is_some()
                && self.types.as_scalar(a) == self.types.as_scalar(b))
    }

    fn is_not_bool_payload(&self, optional: Type) -> bool {
        match self.types.kind(optional) {
            TypeKind::Optional(inner) => self.mx.scalar(*inner) != Some(numbra_ir::Scalar::Bool),
            _ => false,
        }
    }

    /// The value in an optional; TypeError when there is none.
    pub(super) fn unwrap_optional(&mut self, value: &Val, inner: Type) -> Res<Val> {
        let message = format!("expected {}, got None", self.show(inner));
        self.guard_text(
            value.leaves[0],
            GuardKind::Null,
            "TypeError",
            Some(&message),
        )?;
        Ok(Val::new(inner, value.leaves[1..].to_vec()))
    }
}
