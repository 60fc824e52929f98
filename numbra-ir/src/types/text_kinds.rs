//! Strings, bytes, char sequences, and what iterates over them.

use super::kind::Kind;
use super::kinds;
use super::text::{Reader, Writer};
use crate::text::Parse;
use crate::{Type, TypeKind, Types};
use std::fmt::{self, Write};

/// ` 5]`: what follows `[char x`.
fn read_count(r: &mut Reader<'_, '_>) -> Parse<u32> {
    r.c.expect("x")?;
    let count = r.c.number("a number of characters")?;
    r.c.expect("]")?;
    Ok(count)
}

impl Kind for kinds::Unicode<'_> {
    word_alone!(Unicode, "unicode_type");

    fn noun(&self) -> Option<&'static str> {
        Some("a string")
    }

    fn iterator(&self, types: &Types, _: Type) -> Option<Type> {
        Some(types.intern(TypeKind::TextIter))
    }

    fn has_truth(&self) -> bool {
        true
    }

    fn family(&self) -> Option<&'static str> {
        Some("str")
    }
}

impl Kind for kinds::Bytes<'_> {
    word_alone!(Bytes, "bytes");

    fn iterator(&self, types: &Types, ty: Type) -> Option<Type> {
        types.as_buffer(ty)?.iterator(types)
    }

    fn has_truth(&self) -> bool {
        true
    }

    fn family(&self) -> Option<&'static str> {
        Some("str")
    }
}

impl Kind for kinds::CharSeq<'_> {
    fn is_word(word: &str) -> bool {
        word == "[char"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        Ok(TypeKind::CharSeq(read_count(r)?))
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        write!(w, "[char x {}]", self.count)
    }

    fn has_truth(&self) -> bool {
        true
    }

    fn family(&self) -> Option<&'static str> {
        Some("str")
    }
}

impl Kind for kinds::UnicodeCharSeq<'_> {
    fn is_word(word: &str) -> bool {
        word == "[unichr"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        Ok(TypeKind::UnicodeCharSeq(read_count(r)?))
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        write!(w, "[unichr x {}]", self.count)
    }

    fn noun(&self) -> Option<&'static str> {
        Some("a string")
    }

    fn iterator(&self, types: &Types, _: Type) -> Option<Type> {
        Some(types.intern(TypeKind::TextIter))
    }

    fn has_truth(&self) -> bool {
        true
    }

    fn family(&self) -> Option<&'static str> {
        Some("str")
    }
}

impl Kind for kinds::TextIter<'_> {
    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        match w.exact {
            true => w.one("iter", Type::UNICODE),
            false => w.write_str("iter_unicode"),
        }
    }

    fn is_iterator(&self) -> bool {
        true
    }

    fn item(&self, _: &Types) -> Option<Type> {
        Some(Type::UNICODE)
    }
}
