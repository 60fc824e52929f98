//! Objects of NumPy that compiled code uses as they are: polynomials, generators of random numbers.

use super::kind::Kind;
use super::kinds;
use super::text::{Reader, Writer};
use crate::text::Parse;
use crate::{Type, TypeKind};
use std::fmt::{self, Write};

impl Kind for kinds::Polynomial<'_> {
    fn is_word(word: &str) -> bool {
        word == "PolynomialType"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        match r.many()?.try_into() {
            Ok(parts) => Ok(TypeKind::Polynomial(parts)),
            Err(_) => r.c.error("a polynomial has three parts"),
        }
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        w.write_str("PolynomialType(")?;
        w.list(self.parts)?;
        w.write_str(if w.exact { ")" } else { ", 1)" })
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        self.parts.iter().for_each(|ty| each(*ty));
    }

    fn family(&self) -> Option<&'static str> {
        Some("polynomial")
    }
}

impl Kind for kinds::RandomGenerator<'_> {
    word_alone!(RandomGenerator, "NumPyRandomGeneratorType");

    fn family(&self) -> Option<&'static str> {
        Some("generator")
    }
}
