//! Objects with fields: what types of [`ExtShape::Object`] refer to, and fields of values of [`ExtShape::Value`].
//!
//! An object is laid out as a generator's frame ([`FRAME`], of which `state` and `resume` stay 0): behind its fields come
//! all references among the leaves, then the other leaves, each at its own alignment. Freeing it gives the references up.

use super::emit::flags;
use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::model::{count, leaves};
use numbra_abi::{FRAME, HEADER, NativeId};
use numbra_ir::{Const, ExtModel, ExtShape, Type, TypeKind, Types};
use numbra_library::{ListOp, Op, SetOp};
use numbra_lir::{AliasClass, ConvertOp, GuardKind, IntCc, MemFlags, Ty, Value};
use std::sync::Arc;

/// Field of [`HEADER`] with the address of the data.
const HEADER_DATA: usize = 3;
/// The leaf of a string that is the width of its characters, never 0.
const TEXT_WIDTH: usize = 2;

/// Where the leaves of an object's fields stand in its data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectLayout {
    /// Bytes of the data.
    pub size: u32,
    /// How many leaves are references.
    pub refs: u32,
    /// In order.
    pub fields: Vec<FieldLayout>,
}

/// Where the leaves of a field stand in an object's data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldLayout {
    /// The leaves with the byte at which each stands; `i1` takes one byte.
    pub leaves: Vec<(Ty, u32)>,
    /// The leaves, by position, that are not zero in any value: those of a field that was never set are.
    pub never_zero: Vec<usize>,
}

/// The layout of objects of a type. An error names what has none.
pub fn object_layout(types: &Types, ty: Type) -> Result<ObjectLayout, String> {
    let model = types.ext_model(ty);
    let Some(model) = model.filter(|model| model.shape == ExtShape::Object) else {
        return Err(format!("{} is no type of objects", types.display(ty)));
    };
    let fields = model.fields.iter().map(|field| leaves(types, field.ty));
    let fields: Vec<Vec<Ty>> = fields.collect::<Result<_, _>>()?;
    let refs = fields
        .iter()
        .flatten()
        .filter(|leaf| **leaf == Ty::Ref)
        .count() as u32;
    let (mut next_ref, mut at) = (FRAME.size, FRAME.size + 8 * refs);
    let mut place = |leaf: Ty| {
        if leaf == Ty::Ref {
            next_ref += 8;
            return next_ref - 8;
        }
        let size = leaf.size();
        let start = at.next_multiple_of(size.min(8));
        at = start + size;
        start
    };
    let mut layouts = Vec::with_capacity(fields.len());
    for (field, leaves) in model.fields.iter().zip(fields) {
        let mut nonzero = Vec::new();
        never_zero(types, field.ty, 0, &mut nonzero)?;
        layouts.push(FieldLayout {
            leaves: leaves.iter().map(|leaf| (*leaf, place(*leaf))).collect(),
            never_zero: nonzero,
        });
    }
    let fields = layouts;
    Ok(ObjectLayout {
        size: at.next_multiple_of(8),
        refs,
        fields,
    })
}

/// See [`FieldLayout::never_zero`].
fn never_zero(types: &Types, ty: Type, from: usize, out: &mut Vec<usize>) -> Result<(), String> {
    if let Some(items) = types.tuple_items(ty) {
        let mut at = from;
        for item in items.iter() {
            never_zero(types, *item, at, out)?;
            at += count(types, *item)?;
        }
        return Ok(());
    }
    match types.kind(ty) {
        TypeKind::Unicode => out.push(from + TEXT_WIDTH),
        TypeKind::FunctionType { .. } | TypeKind::Generator { .. } => out.push(from),
        TypeKind::Ext { .. } => match types.ext_model(ty) {
            Some(model) if model.shape == ExtShape::Value => {
                let mut at = from;
                for field in &model.fields {
                    never_zero(types, field.ty, at, out)?;
                    at += count(types, field.ty)?;
                }
            }
            _ => out.push(from),
        },
        kind if kind.is_container() => out.push(from),
        _ => {}
    }
    Ok(())
}

impl Fx<'_, '_> {
    /// A new object; its fields hold zero bits.
    pub(super) fn new_object(&mut self, ty: Type) -> Res<Vec<Value>> {
        let layout = object_layout(self.types, ty).map_err(Fault::unsupported)?;
        let size = self.i64(i64::from(layout.size));
        let refs = self.i64(i64::from(layout.refs));
        let object = self.native_value(NativeId::FrameNew, vec![size, refs])?;
        let header = self.convert(ConvertOp::RefToPtr, object, Ty::PTR);
        self.guard_allocated(header)?;
        Ok(vec![object])
    }

    /// Whether two values are the same object, or both None: the reference is the last leaf, and null for None.
    pub(super) fn is_same_object(&mut self, x: &Val, y: &Val) -> Value {
        let mut address = |value: &Val| {
            let reference = value.leaves[value.leaves.len() - 1];
            self.convert(ConvertOp::RefToPtr, reference, Ty::PTR)
        };
        let (x, y) = (address(x), address(y));
        self.icmp(IntCc::Eq, x, y)
    }

    fn object_data(&mut self, object: Value) -> Value {
        let header = self.convert(ConvertOp::RefToPtr, object, Ty::PTR);
        let flags = MemFlags {
            readonly: true,
            ..flags(AliasClass::HEADER, 8)
        };
        self.load(Ty::PTR, header, HEADER.offset(HEADER_DATA) as i32, flags)
    }

    /// The field that a constant names, by position.
    fn named_field(&mut self, ty: Type, key: Type) -> Res<(Arc<ExtModel>, usize)> {
        let model = self.types.ext_model(ty);
        let model = model.ok_or_else(|| Fault::bug("a field of what has none"))?;
        let TypeKind::Literal(Const::Str(name)) = self.types.kind(key) else {
            return Err(Fault::bug("the name of a field is no constant"));
        };
        let mut fields = model.fields.iter();
        let at = fields.position(|field| field.name == *name);
        let at = at.ok_or_else(|| Fault::bug(format!("no field {name}")))?;
        Ok((model, at))
    }

    /// `x.name`
    pub(super) fn field_get(&mut self, value: &Val, key: &Val, ret: Type) -> Res<Vec<Value>> {
        let (model, at) = self.named_field(value.ty, key.ty)?;
        let field = &model.fields[at];
        if model.shape == ExtShape::Value {
            let mut start = 0;
            for before in &model.fields[..at] {
                start += self.leaf_count(before.ty)?;
            }
            let end = start + self.leaf_count(field.ty)?;
            let field = Val::new(field.ty, value.leaves[start..end].to_vec());
            return self.cast(&field, ret);
        }
        let layout = object_layout(self.types, value.ty).map_err(Fault::unsupported)?;
        let data = self.object_data(value.leaves[0]);
        let leaves: Vec<Value> = (layout.fields[at].leaves.iter())
            .map(|&(ty, offset)| {
                let flags = flags(AliasClass::field(offset / 8), ty.size().min(8));
                self.load(ty, data, offset as i32, flags)
            })
            .collect();
        for leaf in &layout.fields[at].never_zero {
            let mut leaf = leaves[*leaf];
            if self.ty(leaf) == Ty::Ref {
                leaf = self.convert(ConvertOp::RefToPtr, leaf, Ty::PTR);
            }
            let ty = self.ty(leaf);
            let zero = self.zero(ty);
            let is_set = self.icmp(IntCc::Ne, leaf, zero);
            let message = format!("'{}' was never set", field.name);
            self.guard_text(is_set, GuardKind::Null, "AttributeError", Some(&message))?;
        }
        self.cast(&Val::new(field.ty, leaves), ret)
    }

    /// `x.name = v`
    pub(super) fn field_set(&mut self, args: &[Val]) -> Res<()> {
        let [object, key, value] = args else {
            return Err(Fault::bug(
                "an assignment to a field with another number of operands",
            ));
        };
        let (model, at) = self.named_field(object.ty, key.ty)?;
        let layout = object_layout(self.types, object.ty).map_err(Fault::unsupported)?;
        let ty = model.fields[at].ty;
        let leaves = match self.types.kind(ty) {
            _ if value.ty == ty => value.leaves.clone(),
            TypeKind::List { .. } if self.types.as_list(value.ty).is_some() => {
                self.intrinsic(Op::List(ListOp::Copy), std::slice::from_ref(value), ty)?
            }
            TypeKind::Set { .. } if self.types.as_set(value.ty).is_some() => {
                self.intrinsic(Op::Set(SetOp::Copy), std::slice::from_ref(value), ty)?
            }
            _ => self.cast(value, ty)?,
        };
        let data = self.object_data(object.leaves[0]);
        let places = layout.fields[at].leaves.iter().zip(&leaves);
        for (&(ty, offset), &leaf) in places.clone().filter(|((ty, _), _)| *ty != Ty::Ref) {
            let flags = flags(AliasClass::field(offset / 8), ty.size().min(8));
            self.store(data, offset as i32, leaf, flags);
        }
        for (&(_, offset), &leaf) in places.filter(|((ty, _), _)| *ty == Ty::Ref) {
            let offset = self.i64(i64::from(offset));
            let place = self.ptr_add(data, offset);
            self.native_call(NativeId::RefSet, vec![place, leaf])?;
        }
        Ok(())
    }
}
