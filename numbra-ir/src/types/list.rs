//! Lists, displays of lists without an item type, and what iterates over them.

use super::kind::{Kind, Unified};
use super::kinds;
use super::text::{Reader, Writer};
use crate::lattice::Lattice;
use crate::text::Parse;
use crate::{Type, TypeKind, Types};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// What a list or a set is to Python.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum ListClass {
    /// `list(T)`, `set(T)`: made by compiled code; Python gets a list or a set with the same items.
    Local,
    /// `reflected list(T)`: stands for a Python list or set, which gets the changes when the call ends.
    Reflected,
    /// `ListType[T]`, `SetType[T]`: a `typed.List` or a `typed.Set`, which Python and compiled code share.
    Typed,
}

impl ListClass {
    /// The one of a list that may be either; `None` for a typed one and another.
    pub fn common(self, other: ListClass) -> Option<ListClass> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (ListClass::Typed, _) | (_, ListClass::Typed) => None,
            _ => Some(ListClass::Reflected),
        }
    }
}

const TYPED: &str = "ListType";

impl Kind for kinds::List<'_> {
    fn is_word(word: &str) -> bool {
        word == "list" || word == TYPED
    }

    fn read(word: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        if word == TYPED {
            let dtype = r.between("[", "]")?;
            let class = ListClass::Typed;
            return Ok(TypeKind::List { dtype, class });
        }
        let class = match r.takes_mark("reflected") {
            true => ListClass::Reflected,
            false => ListClass::Local,
        };
        let dtype = r.one()?;
        r.c.eat("<iv=None>");
        Ok(TypeKind::List { dtype, class })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        if *self.class == ListClass::Typed {
            let dtype = w.show(*self.dtype);
            return write!(w, "{TYPED}[{dtype}]");
        }
        w.mark("reflected", *self.class == ListClass::Reflected)?;
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
        let class = self.class.common(*other.class);
        let dtype = lattice.unify(*self.dtype, *other.dtype);
        let list = class.zip(dtype);
        Unified::To(
            list.map(|(class, dtype)| lattice.types.intern(TypeKind::List { dtype, class })),
        )
    }

    fn family(&self) -> Option<&'static str> {
        Some("list")
    }

    fn unreflected(&self, types: &Types) -> Option<Type> {
        (*self.class == ListClass::Reflected).then(|| types.list(*self.dtype))
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
