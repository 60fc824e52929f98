//! Tuples of every kind, pairs, and what iterates over them.

use super::kind::{Kind, Unified};
use super::kinds;
use super::text::{Reader, Writer};
use crate::lattice::Lattice;
use crate::text::Parse;
use crate::{Type, TypeKind, Types};
use std::fmt::{self, Write};

/// Most items of a tuple whose text does not list them: they are listed in memory.
pub(super) const MAX_ITEMS: u32 = 1 << 16;

/// The iterator over a tuple whose items are of one type, or which has none.
fn iterator(types: &Types, tuple: Type) -> Option<Type> {
    let is_empty = || {
        types
            .tuple_items(tuple)
            .is_some_and(|items| items.is_empty())
    };
    let iterates = types.uniform_tuple(tuple).is_some() || is_empty();
    iterates.then(|| types.intern(TypeKind::UniTupleIter(tuple)))
}

impl Kind for kinds::UniTuple<'_> {
    fn is_word(word: &str) -> bool {
        word == "UniTuple"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        r.c.expect("(")?;
        let item = r.ty()?;
        r.c.expect("x")?;
        let at = r.c.clone();
        let count = r.c.number("a count")?;
        if count > MAX_ITEMS {
            return at.error(format!("a tuple has at most {MAX_ITEMS} items"));
        }
        r.c.expect(")")?;
        Ok(TypeKind::UniTuple(item, count))
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        let item = w.show(*self.item);
        write!(w, "UniTuple({item} x {})", self.count)
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        each(*self.item);
    }

    fn noun(&self) -> Option<&'static str> {
        Some("a tuple")
    }

    fn iterator(&self, types: &Types, ty: Type) -> Option<Type> {
        iterator(types, ty)
    }

    fn has_truth(&self) -> bool {
        true
    }

    fn is_imprecise(&self, _: &Types) -> bool {
        *self.item == Type::UNDEFINED
    }

    fn unliteral(&self, types: &Types) -> Option<Type> {
        let item = types.unliteral(*self.item);
        Some(types.intern(TypeKind::UniTuple(item, *self.count)))
    }

    fn unify(&self, other: &Self, lattice: &Lattice<'_>) -> Unified {
        let item = (self.count == other.count)
            .then(|| lattice.unify(*self.item, *other.item))
            .flatten();
        let tuple = |item| TypeKind::UniTuple(item, *self.count);
        Unified::To(item.map(|item| lattice.types.intern(tuple(item))))
    }

    fn family(&self) -> Option<&'static str> {
        Some("tuple")
    }
}

impl Kind for kinds::Tuple<'_> {
    many_parts!(Tuple, "Tuple", items);

    fn noun(&self) -> Option<&'static str> {
        Some("a tuple")
    }

    fn iterator(&self, types: &Types, ty: Type) -> Option<Type> {
        iterator(types, ty)
    }

    fn has_truth(&self) -> bool {
        true
    }

    fn is_imprecise(&self, _: &Types) -> bool {
        self.items.contains(&Type::UNDEFINED)
    }

    fn unliteral(&self, types: &Types) -> Option<Type> {
        let items: Vec<Type> = self.items.iter().map(|ty| types.unliteral(*ty)).collect();
        Some(types.tuple(&items))
    }

    fn family(&self) -> Option<&'static str> {
        Some("tuple")
    }
}

impl Kind for kinds::StarArgTuple<'_> {
    many_parts!(StarArgTuple, "StarArgTuple", items);

    fn noun(&self) -> Option<&'static str> {
        Some("a tuple")
    }

    fn iterator(&self, types: &Types, ty: Type) -> Option<Type> {
        iterator(types, ty)
    }

    fn has_truth(&self) -> bool {
        true
    }

    fn family(&self) -> Option<&'static str> {
        Some("tuple")
    }
}

impl Kind for kinds::NamedTuple<'_> {
    fn is_word(word: &str) -> bool {
        word == "NamedTuple"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        r.c.expect("(")?;
        let name = r.c.name("a class name")?;
        let (mut fields, mut items) = (Vec::new(), Vec::new());
        while r.c.eat(",") {
            fields.push(r.c.name("a field name")?);
            r.c.expect(":")?;
            items.push(r.ty()?);
        }
        r.c.expect(")")?;
        Ok(TypeKind::NamedTuple(name, fields, items))
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        let mut comma = "";
        if w.exact {
            w.write_str("NamedTuple(")?;
            w.name(self.name)?;
            comma = ", ";
        } else {
            write!(w, "{}(", self.name)?;
        }
        for (field, item) in self.fields.iter().zip(self.items) {
            w.write_str(comma)?;
            w.name(field)?;
            let item = w.show(*item);
            write!(w, ": {item}")?;
            comma = ", ";
        }
        w.write_str(")")
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        self.items.iter().for_each(|ty| each(*ty));
    }

    fn noun(&self) -> Option<&'static str> {
        Some("a tuple")
    }

    fn iterator(&self, types: &Types, ty: Type) -> Option<Type> {
        iterator(types, ty)
    }

    fn has_truth(&self) -> bool {
        true
    }

    fn family(&self) -> Option<&'static str> {
        Some("tuple")
    }
}

impl Kind for kinds::UniTupleIter<'_> {
    iterator_over!(tuple);

    fn item(&self, types: &Types) -> Option<Type> {
        Some(types.uniform_tuple(*self.tuple)?.0)
    }
}

impl Kind for kinds::Pair<'_> {
    fn is_word(word: &str) -> bool {
        word == "pair"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        r.c.expect("<")?;
        let first = r.ty()?;
        r.c.expect(",")?;
        let second = r.ty()?;
        r.c.expect(">")?;
        Ok(TypeKind::Pair(first, second))
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        let (first, second) = (w.show(*self.first), w.show(*self.second));
        write!(w, "pair<{first}, {second}>")
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        each(*self.first);
        each(*self.second);
    }

    fn unify(&self, other: &Self, lattice: &Lattice<'_>) -> Unified {
        let first = lattice.unify(*self.first, *other.first);
        let second = lattice.unify(*self.second, *other.second);
        let pair = first.zip(second);
        Unified::To(pair.map(|(a, b)| lattice.types.intern(TypeKind::Pair(a, b))))
    }
}
