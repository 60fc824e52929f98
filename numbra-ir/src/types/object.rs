//! Modules, classes, exceptions and members of enumerations.

use super::kind::{Kind, Unified};
use super::kinds;
use super::text::{Reader, Writer, single_quoted};
use crate::lattice::Lattice;
use crate::text::Parse;
use crate::{Type, TypeKind};
use std::fmt::{self, Write};

impl Kind for kinds::Module<'_> {
    fn is_word(word: &str) -> bool {
        word == "Module"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        Ok(TypeKind::Module(r.only_name("a module name")?))
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        w.write_str("Module(")?;
        w.name(self.name)?;
        w.write_str(")")
    }
}

impl Kind for kinds::TypeRef<'_> {
    fn is_word(word: &str) -> bool {
        word == "typeref"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        Ok(TypeKind::TypeRef(r.between("[", "]")?))
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        let ty = w.show(*self.ty);
        write!(w, "typeref[{ty}]")
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        each(*self.ty);
    }
}

impl Kind for kinds::Class<'_> {
    fn is_word(word: &str) -> bool {
        word == "<class"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        let name = r.c.quoted('\'')?;
        r.c.expect(">")?;
        Ok(TypeKind::Class(name))
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        match w.exact {
            true => write!(w, "<class {}>", single_quoted(self.name)),
            false => write!(w, "<class '{}'>", self.name),
        }
    }
}

impl Kind for kinds::ExceptionClass<'_> {
    fn is_word(word: &str) -> bool {
        word == "<exception"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        r.c.expect("class")?;
        let name = r.c.quoted('\'')?;
        r.c.expect(">")?;
        Ok(TypeKind::ExceptionClass(name))
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        match w.exact {
            true => write!(w, "<exception class {}>", single_quoted(self.name)),
            false => write!(w, "<class '{}'>", self.name),
        }
    }
}

impl Kind for kinds::ExceptionInstance<'_> {
    fn is_word(word: &str) -> bool {
        word == "exception"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        r.c.expect("(")?;
        let name = r.c.quoted('\'')?;
        r.c.expect(")")?;
        Ok(TypeKind::ExceptionInstance(name))
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        match w.exact {
            true => write!(w, "exception({})", single_quoted(self.name)),
            false => write!(w, "{}()", self.name),
        }
    }
}

impl Kind for kinds::EnumMember<'_> {
    fn is_word(word: &str) -> bool {
        matches!(word, "Enum" | "IntEnum")
    }

    fn read(word: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        let dtype = r.between("<", ">")?;
        Ok(TypeKind::EnumMember {
            class: r.only_name("a class name")?,
            dtype,
            is_int: word == "IntEnum",
        })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        let word = if *self.is_int { "IntEnum" } else { "Enum" };
        let dtype = w.show(*self.dtype);
        write!(w, "{word}<{dtype}>(")?;
        match w.exact {
            true => w.name(self.class)?,
            false => w.write_str(self.class.rsplit('.').next().unwrap_or(self.class))?,
        }
        w.write_str(")")
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        each(*self.dtype);
    }

    fn has_truth(&self) -> bool {
        *self.is_int
    }

    fn unify(&self, other: &Self, lattice: &Lattice<'_>) -> Unified {
        match *self.is_int && *other.is_int {
            true => Unified::To(lattice.unify(*self.dtype, *other.dtype)),
            false => Unified::ByConversion,
        }
    }
}
