//! Types of displays of constants with the value that they have at first.

use super::kind::Kind;
use super::kinds;
use super::text::{Reader, Writer};
use crate::text::{Parse, parse_const};
use crate::{Const, Type, TypeKind, Types};
use std::fmt::{self, Write};

const WORD: &str = "initial";

impl Kind for kinds::Initial<'_> {
    fn is_word(word: &str) -> bool {
        word == WORD
    }

    /// `(list(int64)<iv=None>)((1, 2))`
    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        let of = r.one()?;
        r.c.expect("(")?;
        let value = parse_const(r.c)?;
        r.c.expect(")")?;
        Ok(TypeKind::Initial { of, value })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        if w.exact {
            w.one(WORD, *self.of)?;
            return write!(w, "({})", self.value);
        }
        let of = w.show(*self.of).to_string();
        let of = of.trim_end_matches("<iv=None>");
        let Const::Tuple(items) = self.value else {
            return write!(w, "{of}<iv={}>", self.value);
        };
        let item = |item: &Const| match item {
            Const::Tuple(pair) if pair.len() == 2 => format!("{}: {}", pair[0], pair[1]),
            item => item.to_string(),
        };
        let items: Vec<String> = items.iter().map(item).collect();
        let (open, close) = if of.starts_with("list") {
            ("[", "]")
        } else {
            ("{", "}")
        };
        write!(w, "{of}<iv={open}{}{close}>", items.join(", "))
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        each(*self.of);
    }

    fn unliteral(&self, _: &Types) -> Option<Type> {
        Some(*self.of)
    }

    fn iterator(&self, types: &Types, _: Type) -> Option<Type> {
        types.iterator(*self.of)
    }

    fn has_truth(&self) -> bool {
        true
    }
}
