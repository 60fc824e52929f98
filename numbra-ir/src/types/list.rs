//! Lists, displays of lists without an item type, and what iterates over them.

use super::kind::{Kind, Unified};
use super::kinds;
use super::text::{Reader, Writer};
use crate::lattice::Lattice;
use crate::text::Parse;
use crate::{Type, TypeKind, Types};
use std::fmt::{self, Write};

impl Kind for kinds::List<'_> {
    fn is_word(word: &str) -> bool {
        word == "list"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        let reflected = r.takes_mark("reflected");
        let dtype = r.one()?;
        r.c.eat("<iv=None>");
        Ok(TypeKind::List { dtype, reflected })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        w.mark("reflected", *self.reflected)?;
        w.one("list", *self.dtype)?;
        w.write_str("<iv=None>")
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        each(*self.dtype);
    }

    fn noun(&self) -> Option<&'static str> {
        Some("a list")
    }

    fn iterator(&self, types: &Types, ty: Type) -> Option<Type> {
        Some(types.intern(TypeKind::ListIter(ty)))
    }

    fn has_truth(&self) -> bool {
        true
    }

    fn is_imprecise(&self, types: &Types) -> bool {
        types.is_imprecise(*self.dtype)
    }

    fn unify(&self, other: &Self, lattice: &Lattice<'_>) -> Unified {
        let list = |dtype| TypeKind::List {
            dtype,
            reflected: *self.reflected || *other.reflected,
        };
        let dtype = lattice.unify(*self.dtype, *other.dtype);
        Unified::To(dtype.map(|dtype| lattice.types.intern(list(dtype))))
    }

    fn family(&self) -> Option<&'static str> {
        Some("list")
    }

    fn unreflected(&self, types: &Types) -> Option<Type> {
        Some(types.list(*self.dtype))
    }

    fn is_container(&self) -> bool {
        true
    }
}

impl Kind for kinds::ListIter<'_> {
    iterator_over!(list);

    fn item(&self, types: &Types) -> Option<Type> {
        Some(types.as_list(*self.list)?.0)
    }
}

impl Kind for kinds::LiteralList<'_> {
    fn is_word(word: &str) -> bool {
        word == "LiteralList"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        Ok(TypeKind::LiteralList(r.many()?))
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        let (open, close) = if w.exact { ("(", ")") } else { ("((", "))") };
        write!(w, "LiteralList{open}")?;
        w.list(self.items)?;
        w.write_str(close)
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        self.items.iter().for_each(|ty| each(*ty));
    }

    fn noun(&self) -> Option<&'static str> {
        Some("a list")
    }

    fn unify(&self, other: &Self, lattice: &Lattice<'_>) -> Unified {
        if self.items.len() != other.items.len() {
            return Unified::ByConversion;
        }
        let pairs = self.items.iter().zip(other.items);
        let items: Option<Vec<Type>> = pairs.map(|(a, b)| lattice.unify(*a, *b)).collect();
        Unified::To(items.map(|items| lattice.types.intern(TypeKind::LiteralList(items))))
    }

    fn family(&self) -> Option<&'static str> {
        Some("literal_list")
    }
}
