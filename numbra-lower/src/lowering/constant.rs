//! Constants and described objects as values.

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::model::part;
use numbra_abi::small_floats::{bf16_from_f64, bf16_from_int};
use numbra_ir::{Const, ObjDesc, ObjKind, Scalar, Type, TypeKind};
use numbra_lir::{AliasClass, ConvertOp, InstKind, Ty, Value};

impl Fx<'_, '_> {
    /// A constant as a value of type `ty`.
    pub(super) fn constant(&mut self, value: &Const, ty: Type) -> Res<Vec<Value>> {
        let types = self.types;
        if let TypeKind::Optional(inner) = types.kind(ty) {
            if *value == Const::None {
                return self.zeros(ty);
            }
            let mut out = vec![self.bool(true)];
            out.extend(self.constant(value, *inner)?);
            return Ok(out);
        }
        if self.leaf_count(ty)? == 0 {
            return Ok(Vec::new());
        }
        if let Some((dtype, _)) = types.as_enum(ty) {
            return self.constant(value, dtype);
        }
        if let Some(scalar) = types.as_scalar(ty) {
            return self.scalar_constant(value, scalar, ty);
        }
        if let (Some(_), Const::Int(count)) = (types.as_time(ty), value) {
            return Ok(vec![self.i64(*count)]);
        }
        if let (Some(items), Const::Tuple(values)) = (types.tuple_items(ty), value) {
            if items.len() != values.len() {
                return Err(self.no_constant(value, ty));
            }
            let mut out = Vec::new();
            for (value, item) in values.iter().zip(items) {
                out.extend(self.constant(value, item)?);
            }
            return Ok(out);
        }
        match (types.kind(ty), value) {
            (TypeKind::Unicode, Const::Str(text)) => self.text_constant(text),
            (TypeKind::FunctionType { .. }, Const::Int(address)) => {
                self.constant_function(*address, 0, None)
            }
            (TypeKind::FunctionType { .. }, Const::Tuple(parts)) => match parts.as_slice() {
                [
                    Const::Int(address),
                    Const::Int(compiled),
                    Const::Int(handle),
                ] => self.constant_function(*address, *compiled, Some(*handle as u64)),
                _ => Err(self.no_constant(value, ty)),
            },
            (TypeKind::FunctionType { ret, params }, Const::Str(text)) => {
                let func = self.mx.extern_function(text, *ret, params)?;
                let address = self.one(InstKind::FuncAddr(func), Ty::PTR);
                Ok(vec![address, self.i64(0), self.zero(Ty::Ref)])
            }
            (TypeKind::ObjectBlock(_), Const::Int(handle)) => Ok(vec![self.i64(*handle)]),
            (TypeKind::Bytes, Const::Bytes(bytes)) => Ok(self.bytes_constant(bytes)),
            (TypeKind::CharSeq(_), Const::Bytes(bytes)) => {
                let characters = bytes.iter().map(|b| u32::from(*b));
                self.char_seq_constant(characters, ty)
            }
            (TypeKind::UnicodeCharSeq(_), Const::Str(text)) => {
                self.char_seq_constant(text.chars().map(u32::from), ty)
            }
            (TypeKind::Slice2 | TypeKind::Slice3, Const::Slice(parts)) => {
                self.slice_constant(parts, ty)
            }
            _ => Err(self.no_constant(value, ty)),
        }
    }

    fn no_constant(&self, value: &Const, ty: Type) -> Fault {
        Fault::unsupported(format!("the constant {value} as {}", self.show(ty)))
    }

    /// A number as a scalar: integers wrap, floats are truncated, as by a conversion.
    fn scalar_constant(&mut self, value: &Const, scalar: Scalar, ty: Type) -> Res<Vec<Value>> {
        let leaf = part(scalar);
        let as_float = match value {
            Const::Bool(v) => f64::from(u8::from(*v)),
            Const::Int(v) => *v as f64,
            Const::BigInt(v) => v.to_string().parse().unwrap_or(f64::INFINITY),
            Const::Float(bits) | Const::Complex(bits, _) => f64::from_bits(*bits),
            _ => return Err(self.no_constant(value, ty)),
        };
        if scalar.is_complex() {
            let im = match value {
                Const::Complex(_, im) => f64::from_bits(*im),
                _ => 0.0,
            };
            return Ok(vec![self.fconst(leaf, as_float), self.fconst(leaf, im)]);
        }
        if scalar.is_float() {
            return Ok(vec![self.fconst(leaf, as_float)]);
        }
        if scalar == Scalar::BFloat16 {
            let bits = match value {
                Const::Int(v) => bf16_from_int((*v).into()),
                _ => bf16_from_f64(as_float),
            };
            return Ok(vec![self.iconst(leaf, bits.into())]);
        }
        let int: i128 = match value {
            Const::Bool(v) => i128::from(*v),
            Const::Int(v) => i128::from(*v),
            // The low 64 bits decide: every integer type is at most that wide.
            Const::BigInt(v) => {
                let digits = v.iter_u64_digits().next().unwrap_or(0);
                let negative = v.to_string().starts_with('-');
                i128::from(if negative {
                    digits.wrapping_neg()
                } else {
                    digits
                })
            }
            _ if scalar == Scalar::Bool => i128::from(as_float != 0.0),
            _ => as_float as i128,
        };
        let int = if scalar == Scalar::Bool {
            i128::from(int != 0)
        } else {
            int
        };
        Ok(vec![self.iconst(leaf, int)])
    }

    /// A string constant as a value: containers keep it longer than the code, so its owner is the code that it is part of.
    fn text_constant(&mut self, text: &str) -> Res<Vec<Value>> {
        let mut leaves = self.string(text)?;
        if let Some(owner) = leaves.last_mut() {
            *owner = self.code_owner();
        }
        Ok(leaves)
    }

    /// The owner of what is part of the code.
    fn code_owner(&mut self) -> Value {
        if self.mx.options.device {
            return self.zero(Ty::Ref);
        }
        let header = self.mx.code_header();
        let header = self.one(InstKind::DataAddr(header), Ty::PTR);
        self.convert(ConvertOp::Bitcast, header, Ty::Ref)
    }

    /// A string constant without an owner: its characters in the narrowest of 1, 2 or 4 bytes each.
    pub(super) fn string(&mut self, text: &str) -> Res<Vec<Value>> {
        let widest = text.chars().map(|c| c as u32).max().unwrap_or(0);
        let kind = match widest {
            0..=0xff => 1,
            0x100..=0xffff => 2,
            _ => 4,
        };
        let mut bytes = Vec::new();
        for c in text.chars() {
            bytes.extend_from_slice(&(c as u32).to_le_bytes()[..kind]);
        }
        let length = text.chars().count() as i64;
        bytes.extend_from_slice(&[0; 4][..kind]);
        let id = self.mx.bytes(bytes);
        let data = self.one(InstKind::DataAddr(id), Ty::PTR);
        let length = self.i64(length);
        let kind = self.iconst(Ty::I32, kind as i128);
        let ascii = self.iconst(Ty::I32, i128::from(widest < 128));
        let hash = self.i64(-1);
        let owner = self.zero(Ty::Ref);
        Ok(vec![data, length, kind, ascii, hash, owner])
    }

    /// A char sequence constant: cut, or filled with zeros.
    pub(super) fn char_seq_constant(
        &mut self,
        characters: impl Iterator<Item = u32>,
        ty: Type,
    ) -> Res<Vec<Value>> {
        let Some((count, width)) = self.types.as_char_seq(ty) else {
            return Err(Fault::bug(format!("{} is no char sequence", self.show(ty))));
        };
        let size = count
            .checked_mul(width)
            .ok_or_else(|| Fault::unsupported(format!("values of type {}", self.show(ty))))?;
        let mut bytes = Vec::new();
        for c in characters.take(count as usize) {
            bytes.extend_from_slice(&c.to_le_bytes()[..width as usize]);
        }
        bytes.resize(size as usize, 0);
        let id = self.mx.bytes(bytes);
        let data = self.one(InstKind::DataAddr(id), Ty::PTR);
        Ok(vec![data, self.zero(Ty::Ref)])
    }

    /// Constant bytes. Arrays may be made over them, and outlive the code: their owner is the code that they are part of.
    fn bytes_constant(&mut self, bytes: &[u8]) -> Vec<Value> {
        let id = self.mx.bytes(bytes.to_vec());
        let data = self.one(InstKind::DataAddr(id), Ty::PTR);
        let owner = self.code_owner();
        vec![data, owner, self.i64(bytes.len() as i64), self.i64(1)]
    }

    /// A described object as a value of type `ty`.
    pub(super) fn object(&mut self, desc: &ObjDesc, ty: Type) -> Res<Vec<Value>> {
        match &desc.kind {
            ObjKind::Value(value) => self.constant(value, ty),
            ObjKind::Typed(from, value) => {
                let leaves = self.constant(value, *from)?;
                self.cast(&Val::new(*from, leaves), ty)
            }
            ObjKind::Array { ty: from, handle } => {
                let mut value = self.constant_array(*from, *handle)?;
                // Whoever gets a record may write its fields. A kernel has no memory for a copy.
                if self.types.as_record(*from).is_some()
                    && !self.target.is_some_and(|var| self.only_read.contains(&var))
                    && !self.mx.options.device
                {
                    value = self.copied_record(&value)?;
                }
                self.cast(&value, ty)
            }
            ObjKind::Tuple(refs, _) => {
                let items = self.types.tuple_items(ty).unwrap_or_default();
                if items.len() != refs.len() {
                    return Err(Fault::bug(format!(
                        "the object `{}` as {}",
                        desc.name,
                        self.show(ty)
                    )));
                }
                let typed = self.typed;
                let mut out = Vec::new();
                for (item, ty) in refs.iter().zip(items) {
                    let desc = typed.func.objects.get(*item).ok_or_else(|| {
                        Fault::bug("a reference to an object that is not in the table")
                    })?;
                    out.extend(self.object(desc, ty)?);
                }
                Ok(out)
            }
            ObjKind::Unresolved
            | ObjKind::Undefined
            | ObjKind::Module
            | ObjKind::Function
            | ObjKind::Class
            | ObjKind::DType(_)
            | ObjKind::TypeObject(_)
            | ObjKind::Dispatcher(_)
            | ObjKind::ObjectBlock(_)
            | ObjKind::Opaque { .. } => {
                if self.leaf_count(ty)? == 0 {
                    return Ok(Vec::new());
                }
                Err(Fault::unsupported(format!(
                    "the object `{}` as a value of type {}",
                    desc.name,
                    self.show(ty)
                )))
            }
        }
    }

    /// A constant array, or a record, whose leaves are the first two of one.
    fn constant_array(&mut self, ty: Type, handle: u64) -> Res<Val> {
        let id = self.mx.constant_array(handle);
        let flags = super::emit::flags(AliasClass::CONST, 8);
        let flags = numbra_lir::MemFlags {
            readonly: true,
            ..flags
        };
        let cell = self.one(InstKind::DataAddr(id), Ty::PTR);
        let block = self.load(Ty::PTR, cell, 0, flags);
        let leaves = self
            .leaf_types(ty)?
            .into_iter()
            .enumerate()
            .map(|(i, leaf)| self.load(leaf, block, 16 * i as i32, flags))
            .collect();
        Ok(Val::new(ty, leaves))
    }
}
