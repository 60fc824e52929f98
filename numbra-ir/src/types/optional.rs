//! `None`, values that may be it, and types that are not known.

use super::kind::Kind;
use super::kinds;
use super::text::{Reader, Writer};
use crate::text::Parse;
use crate::{Type, TypeKind, Types};
use std::fmt;

impl Kind for kinds::Undefined<'_> {
    word_alone!(Undefined, "undefined");

    fn is_imprecise(&self, _: &Types) -> bool {
        true
    }
}

impl Kind for kinds::PyObject<'_> {
    word_alone!(PyObject, "pyobject");
}

impl Kind for kinds::None<'_> {
    word_alone!(None, "none");

    fn has_truth(&self) -> bool {
        true
    }
}

impl Kind for kinds::Optional<'_> {
    one_part!(Optional, "OptionalType", inner);

    fn has_truth(&self) -> bool {
        true
    }

    fn is_imprecise(&self, _: &Types) -> bool {
        *self.inner == Type::UNDEFINED
    }
}
