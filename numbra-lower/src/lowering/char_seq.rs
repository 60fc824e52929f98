//! Characters of strings, and of char sequences: those have a fixed number, of which zeros at the end do not count.

use super::compare::int_cc;
use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::raise::Raise;
use numbra_abi::NativeId;
use numbra_ir::{Type, TypeKind};
use numbra_library::CmpOp;
use numbra_library::native::bodies;
use numbra_lir::{AliasClass, BinaryOp, GuardKind, IntCc, Ty, Value};

/// Characters in memory.
struct Characters {
    data: Value,
    length: Value,
    /// Bytes of each, an `i64`.
    width: Value,
    owner: Value,
}

impl Fx<'_, '_> {
    /// The characters of a string or char sequence, without the zeros at the end of the latter.
    fn characters(&mut self, value: &Val) -> Res<Characters> {
        if let Some((count, width)) = self.types.as_char_seq(value.ty) {
            let [data, owner] = *value.leaves else {
                return Err(Fault::bug("a char sequence of other leaves than two"));
            };
            let (count, width) = (self.i64(i64::from(count)), self.i64(i64::from(width)));
            let length = self.native_value(NativeId::CharsLen, vec![data, count, width])?;
            return Ok(Characters {
                data,
                length,
                width,
                owner,
            });
        }
        if value.ty == Type::BYTES {
            let bytes = self.array(value)?;
            return Ok(Characters {
                data: bytes.data,
                length: bytes.shape[0],
                width: self.i64(1),
                owner: bytes.owner,
            });
        }
        if value.ty != Type::UNICODE {
            return Err(Fault::bug(format!("{} is no text", self.show(value.ty))));
        }
        let width = self.int_to(value.leaves[2], Ty::I64, false);
        Ok(Characters {
            data: value.leaves[0],
            length: value.leaves[1],
            width,
            owner: value.leaves[5],
        })
    }

    /// `len(x)`
    pub(super) fn char_seq_len(&mut self, value: &Val) -> Res<Value> {
        Ok(self.characters(value)?.length)
    }

    /// A char sequence as a string over its memory; bytes are characters below 256.
    pub(super) fn char_seq_text(&mut self, value: &Val) -> Res<Vec<Value>> {
        let text = self.characters(value)?;
        let kind = self.int_to(text.width, Ty::I32, false);
        let ascii = self.iconst(Ty::I32, 0);
        let hash = self.i64(-1);
        Ok(vec![text.data, text.length, kind, ascii, hash, text.owner])
    }

    /// A char sequence of bytes as `bytes` over its memory.
    pub(super) fn char_seq_bytes(&mut self, value: &Val) -> Res<Vec<Value>> {
        let text = self.characters(value)?;
        Ok(vec![text.data, text.owner, text.length, text.width])
    }

    /// The characters of a string or bytes that the program has as a constant.
    fn known_characters(&self, value: &Val) -> Option<Vec<u32>> {
        let (length, width) = match value.ty {
            Type::UNICODE => (value.leaves[1], self.const_of(value.leaves[2])?),
            Type::BYTES => (value.leaves[2], 1),
            _ => return None,
        };
        let bytes = &self.mx.module.data[self.data_of(value.leaves[0])?].bytes;
        let length = usize::try_from(self.const_of(length)?).ok()?;
        let character = |c: &[u8]| c.iter().rev().fold(0, |n, b| n << 8 | u32::from(*b));
        let all = bytes.chunks_exact(usize::try_from(width).ok()?.max(1));
        Some(all.take(length).map(character).collect())
    }

    /// A string or char sequence as the char sequence type `to`.
    pub(super) fn make_char_seq(&mut self, value: &Val, to: Type) -> Res<Vec<Value>> {
        if let Some(characters) = self.known_characters(value) {
            return self.char_seq_constant(characters.into_iter(), to);
        }
        let Some((count, width)) = self.types.as_char_seq(to) else {
            return Err(Fault::bug(format!("{} is no char sequence", self.show(to))));
        };
        let size = count
            .checked_mul(width)
            .ok_or_else(|| Fault::unsupported(format!("values of type {}", self.show(to))))?;
        let from = self.characters(value)?;
        let (data, owner) = self.new_bytes(size)?;
        let (count, width) = (self.i64(i64::from(count)), self.i64(i64::from(width)));
        let args = vec![data, count, width, from.data, from.length, from.width];
        self.native_call(NativeId::CharsFill, args)?;
        self.keep(vec![from.owner]);
        Ok(vec![data, owner])
    }

    /// A part of a text that is `length` characters from `start` on, as a string or `bytes`.
    fn text_part(
        &mut self,
        text: &Characters,
        start: Value,
        length: Value,
        ret: Type,
    ) -> Vec<Value> {
        let offset = self.imul(start, text.width);
        let data = self.ptr_add(text.data, offset);
        if ret == Type::BYTES {
            return vec![data, text.owner, length, text.width];
        }
        let kind = self.int_to(text.width, Ty::I32, false);
        let ascii = self.iconst(Ty::I32, 0);
        let hash = self.i64(-1);
        vec![data, length, kind, ascii, hash, text.owner]
    }

    /// The string of one character of a string; what it says of a position behind the last is not read.
    pub(super) fn character_at(&mut self, x: &Val, at: Value) -> Res<Vec<Value>> {
        let text = self.characters(x)?;
        let one = self.i64(1);
        Ok(self.text_part(&text, at, one, Type::UNICODE))
    }

    /// `x[i]`
    pub(super) fn text_item(&mut self, x: &Val, at: &Val, ret: Type) -> Res<Vec<Value>> {
        let text = self.characters(x)?;
        let at = self.counted_index(at, text.length)?;
        let inside = self.icmp(IntCc::Ult, at, text.length);
        let message = match ret == Type::UNICODE {
            true => "string index out of range",
            false => "index out of range",
        };
        let raise = Raise::new("IndexError", message);
        self.guard(inside, GuardKind::Bounds, raise)?;
        let one = self.i64(1);
        if ret == Type::UNICODE {
            return Ok(self.text_part(&text, at, one, ret));
        }
        let data = self.ptr_add(text.data, at);
        let flags = super::emit::flags(AliasClass::ARRAY, 1);
        Ok(vec![self.load(Ty::I8, data, 0, flags)])
    }

    /// `x.strip(chars)`, at the start and at the end as `ends` says.
    pub(super) fn text_strip(
        &mut self,
        x: &Val,
        chars: &Val,
        ends: (bool, bool),
        ret: Type,
    ) -> Res<Vec<Value>> {
        let text = self.characters(x)?;
        let pair = self.types.tuple(&[Type::INT64, Type::INT64]);
        let found = self.native(bodies::TEXT_AMONG, &[x.clone(), chars.clone()], pair)?;
        let zero = self.i64(0);
        let start = if ends.0 { found[0] } else { zero };
        let cut = if ends.1 { found[1] } else { zero };
        let left = self.isub(text.length, start);
        let length = self.isub(left, cut);
        let length = self.ibin(BinaryOp::SMax, length, zero);
        Ok(self.text_part(&text, start, length, ret))
    }

    /// `x <op> y` of char sequences or strings.
    pub(super) fn char_seq_compare(&mut self, cmp: CmpOp, x: &Val, y: &Val) -> Res<Vec<Value>> {
        let mut args = Vec::with_capacity(6);
        let mut owners = Vec::with_capacity(2);
        for value in [x, y] {
            let text = match self.types.kind(value.ty) {
                TypeKind::Literal(_) => Val::new(Type::UNICODE, self.cast(value, Type::UNICODE)?),
                _ => value.clone(),
            };
            let text = self.characters(&text)?;
            args.extend([text.data, text.length, text.width]);
            owners.push(text.owner);
        }
        let order = self.native_value(NativeId::CharsCompare, args)?;
        self.keep(owners);
        Ok(vec![self.icmp_imm(int_cc(cmp, true), order, 0)])
    }
}
