//! Sets, and what iterates over them.

use super::kind::{Kind, Unified};
use super::kinds;
use super::text::{Reader, Writer};
use crate::lattice::Lattice;
use crate::text::Parse;
use crate::{Type, TypeKind, Types};
use std::fmt;

impl Kind for kinds::Set<'_> {
    fn is_word(word: &str) -> bool {
        word == "set"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        let reflected = r.takes_mark("reflected");
        let dtype = r.one()?;
        Ok(TypeKind::Set { dtype, reflected })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        w.mark("reflected", *self.reflected)?;
        w.one("set", *self.dtype)
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        each(*self.dtype);
    }

    fn noun(&self) -> Option<&'static str> {
        Some("a set")
    }

    fn iterator(&self, types: &Types, ty: Type) -> Option<Type> {
        Some(types.intern(TypeKind::SetIter(ty)))
    }

    fn has_truth(&self) -> bool {
        true
    }

    fn is_imprecise(&self, types: &Types) -> bool {
        types.is_imprecise(*self.dtype)
    }

    fn unify(&self, other: &Self, lattice: &Lattice<'_>) -> Unified {
        let set = |dtype| TypeKind::Set {
            dtype,
            reflected: *self.reflected || *other.reflected,
        };
        let dtype = lattice.unify(*self.dtype, *other.dtype);
        Unified::To(dtype.map(|dtype| lattice.types.intern(set(dtype))))
    }

    fn family(&self) -> Option<&'static str> {
        Some("set")
    }

    fn unreflected(&self, types: &Types) -> Option<Type> {
        Some(types.set(*self.dtype))
    }

    fn is_container(&self) -> bool {
        true
    }
}

impl Kind for kinds::SetIter<'_> {
    iterator_over!(set);

    fn item(&self, types: &Types) -> Option<Type> {
        Some(types.as_set(*self.set)?.0)
    }
}
