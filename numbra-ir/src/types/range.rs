//! Ranges and slices.

use super::kind::{Kind, Unified};
use super::kinds;
use super::scalar::scalar_named;
use super::text::{Reader, Writer};
use super::tuple::MAX_ITEMS;
use crate::lattice::Lattice;
use crate::text::Parse;
use crate::{Scalar, Type, TypeKind, Types};
use std::fmt::{self, Write};

/// The words of ranges, before the type of their integers.
const RANGE: &str = "range_state_";
const RANGE_ITER: &str = "range_iter_";

fn read_item(word: &str, r: &Reader<'_, '_>) -> Parse<Type> {
    match scalar_named(word) {
        Some(kind) => Ok(r.types.intern(kind)),
        None => r.c.error(format!("`{word}` is not a scalar type")),
    }
}

/// The integer that bounds become. Signed and unsigned ones of 64 bits would be floats, which ranges do not take.
fn unify_bounds(lattice: &Lattice<'_>, a: Type, b: Type) -> Option<Type> {
    let is_int = |ty: &Type| lattice.types.as_scalar(*ty).is_some_and(Scalar::is_int);
    lattice.unify(a, b).filter(is_int)
}

impl Kind for kinds::Range<'_> {
    fn is_word(word: &str) -> bool {
        word.starts_with(RANGE)
    }

    fn read(word: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        let item = word.strip_prefix(RANGE).unwrap_or(word);
        Ok(TypeKind::Range(read_item(item, r)?))
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        let item = w.show(*self.item);
        write!(w, "{RANGE}{item}")
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        each(*self.item);
    }

    fn iterator(&self, types: &Types, _: Type) -> Option<Type> {
        Some(types.intern(TypeKind::RangeIter(*self.item)))
    }

    fn has_truth(&self) -> bool {
        true
    }

    fn unify(&self, other: &Self, lattice: &Lattice<'_>) -> Unified {
        let item = unify_bounds(lattice, *self.item, *other.item);
        Unified::To(item.map(|item| lattice.types.intern(TypeKind::Range(item))))
    }

    fn family(&self) -> Option<&'static str> {
        Some("range")
    }
}

impl Kind for kinds::RangeIter<'_> {
    fn is_word(word: &str) -> bool {
        word.starts_with(RANGE_ITER)
    }

    fn read(word: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        let item = word.strip_prefix(RANGE_ITER).unwrap_or(word);
        let counted = item
            .rsplit_once('x')
            .and_then(|(item, n)| Some((item, n.parse().ok()?)));
        Ok(TypeKind::RangeIter(match counted {
            Some((item, n)) if n <= MAX_ITEMS => {
                let item = read_item(item, r)?;
                r.types.intern(TypeKind::UniTuple(item, n))
            }
            _ => read_item(item, r)?,
        }))
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        let types = w.types;
        match types.uniform_tuple(*self.item) {
            Some((item, n)) => {
                let item = w.show(item);
                write!(w, "{RANGE_ITER}{item}x{n}")
            }
            None if types.tuple_items(*self.item).is_some() => {
                write!(w, "{RANGE_ITER}int64x0")
            }
            None => {
                let item = w.show(*self.item);
                write!(w, "{RANGE_ITER}{item}")
            }
        }
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        each(*self.item);
    }

    fn is_iterator(&self) -> bool {
        true
    }

    fn item(&self, _: &Types) -> Option<Type> {
        Some(*self.item)
    }

    fn unify(&self, other: &Self, lattice: &Lattice<'_>) -> Unified {
        let item = unify_bounds(lattice, *self.item, *other.item);
        Unified::To(item.map(|item| lattice.types.intern(TypeKind::RangeIter(item))))
    }
}

impl Kind for kinds::Slice2<'_> {
    fn is_word(word: &str) -> bool {
        word == "slice"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        if r.c.eat("<a:b:c>") {
            return Ok(TypeKind::Slice3);
        }
        r.c.expect("<a:b>")?;
        Ok(TypeKind::Slice2)
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        w.write_str("slice<a:b>")
    }

    fn family(&self) -> Option<&'static str> {
        Some("slice")
    }
}

impl Kind for kinds::Slice3<'_> {
    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        w.write_str("slice<a:b:c>")
    }

    fn family(&self) -> Option<&'static str> {
        Some("slice")
    }
}
