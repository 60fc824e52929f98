//! Types that Python code defines.

use super::kind::Kind;
use super::kinds;
use super::text::{Reader, Writer};
use crate::TypeKind;
use crate::text::Parse;
use std::fmt::{self, Write};

impl Kind for kinds::Ext<'_> {
    fn is_word(word: &str) -> bool {
        word == "ext"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        r.c.expect("(")?;
        let class = r.c.number("a class number")?;
        r.c.expect(",")?;
        let key = r.c.quoted('"')?;
        r.c.expect(",")?;
        let name = r.c.quoted('"')?;
        r.c.expect(")")?;
        Ok(TypeKind::Ext { class, key, name })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        match w.exact {
            true => write!(w, "ext({}, {:?}, {:?})", self.class, self.key, self.name),
            false => w.write_str(self.name),
        }
    }
}
