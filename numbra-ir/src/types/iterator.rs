//! Iterators over other iterators, and generators.

use super::kind::Kind;
use super::kinds;
use super::text::{Reader, Writer};
use crate::text::Parse;
use crate::{Type, TypeKind, Types};
use std::fmt::{self, Write};

impl Kind for kinds::Enumerate<'_> {
    one_part!(Enumerate, "enumerate", inner);

    fn is_iterator(&self) -> bool {
        true
    }

    fn item(&self, types: &Types) -> Option<Type> {
        let inner = types.item(*self.inner)?;
        Some(types.tuple(&[Type::INT64, inner]))
    }
}

impl Kind for kinds::Zip<'_> {
    many_parts!(Zip, "zip", inners);

    fn is_iterator(&self) -> bool {
        true
    }

    fn item(&self, types: &Types) -> Option<Type> {
        let items: Option<Vec<Type>> = self.inners.iter().map(|ty| types.item(*ty)).collect();
        Some(types.tuple(&items?))
    }
}

impl Kind for kinds::Generator<'_> {
    /// Generators, and the iterators whose text is `iter(T)`.
    fn is_word(word: &str) -> bool {
        matches!(word, "generator" | "iter")
    }

    fn read(word: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        if word == "iter" {
            let start = r.c.clone();
            let of = r.one()?;
            return match r.types.iterator(of) {
                Some(iterator) => Ok(r.types.kind(iterator).clone()),
                None => start.error(format!("{} is not iterable", r.types.text(of))),
            };
        }
        r.c.expect("(")?;
        let name = r.c.name("a function name")?;
        r.c.expect(",")?;
        let yields = r.ty()?;
        r.c.expect(",")?;
        let args = r.rest()?;
        Ok(TypeKind::Generator { name, yields, args })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        let yields = w.show(*self.yields);
        if w.exact {
            w.write_str("generator(")?;
            w.name(self.name)?;
            write!(w, ", {yields}, ")?;
            w.list(self.args)?;
            return w.write_str(")");
        }
        write!(
            w,
            "{yields} generator(func=<function {}>, args=(",
            self.name
        )?;
        w.list(self.args)?;
        let comma = if self.args.len() == 1 { "," } else { "" };
        write!(w, "{comma}), has_finalizer=True)")
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        each(*self.yields);
        self.args.iter().for_each(|ty| each(*ty));
    }

    fn is_iterator(&self) -> bool {
        true
    }

    fn item(&self, _: &Types) -> Option<Type> {
        Some(*self.yields)
    }
}
