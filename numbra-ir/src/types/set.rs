//! Sets, and what iterates over them.

use super::kind::{Kind, Unified};
use super::kinds;
use super::text::{Reader, Writer};
use crate::lattice::Lattice;
use crate::text::Parse;
use crate::{ListClass, Type, TypeKind, Types};
use std::fmt::{self, Write};

const TYPED: &str = "SetType";

impl Kind for kinds::Set<'_> {
    fn is_word(word: &str) -> bool {
        word == "set" || word == TYPED
    }

    fn read(word: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        if word == TYPED {
            let dtype = r.between("[", "]")?;
            r.c.eat("<iv=None>");
            let class = ListClass::Typed;
            return Ok(TypeKind::Set { dtype, class });
        }
        let class = match r.takes_mark("reflected") {
            true => ListClass::Reflected,
            false => ListClass::Local,
        };
        let dtype = r.one()?;
        Ok(TypeKind::Set { dtype, class })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        if *self.class == ListClass::Typed {
            let dtype = w.show(*self.dtype);
            return write!(w, "{TYPED}[{dtype}]<iv=None>");
        }
        w.mark("reflected", *self.class == ListClass::Reflected)?;
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
        let class = self.class.common(*other.class);
        let dtype = lattice.unify(*self.dtype, *other.dtype);
        let set = class.zip(dtype);
        Unified::To(set.map(|(class, dtype)| lattice.types.set_of(dtype, class)))
    }

    fn family(&self) -> Option<&'static str> {
        Some("set")
    }

    fn unreflected(&self, types: &Types) -> Option<Type> {
        (*self.class == ListClass::Reflected).then(|| types.set(*self.dtype))
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
