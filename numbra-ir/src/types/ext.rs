//! Types that Python code defines, and what their values are.

use super::kind::Kind;
use super::kinds;
use super::text::{Reader, Writer};
use crate::text::Parse;
use crate::{Type, TypeKind, Types};
use std::fmt::{self, Write};
use std::sync::Arc;

/// What values of a type that Python code defines are made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtModel {
    /// How they are made of it.
    pub shape: ExtShape,
    /// In order.
    pub fields: Vec<ExtField>,
}

/// See [`ExtModel`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExtShape {
    /// A value: the values of the fields one after the other.
    Value,
    /// A reference to an object with these fields, which all who have it share.
    Object,
}

/// A part of such a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtField {
    /// Its name in the model.
    pub name: String,
    /// The type of its values.
    pub ty: Type,
    /// The attribute that reads it; none for fields that programs do not see.
    pub attribute: Option<String>,
    /// Whether the attribute may be written.
    pub is_writable: bool,
}

impl ExtModel {
    /// The field behind an attribute, with its position.
    pub fn attribute(&self, name: &str) -> Option<(usize, &ExtField)> {
        let mut fields = self.fields.iter().enumerate();
        fields.find(|(_, field)| field.attribute.as_deref() == Some(name))
    }
}

/// Who says what values of types that Python code defines are; asked once for each. `None` where nobody said so yet.
pub type ModelSource = fn(&Types, Type) -> Option<ExtModel>;

impl Types {
    /// Has the source asked for models that are not known.
    pub fn set_model_source(&self, source: ModelSource) {
        self.table().set_model_source(source);
    }

    /// Says what values of a type that Python code defines are. The type and those of the fields stay in the table.
    pub fn define_model(&self, ty: Type, model: ExtModel) {
        self.table().define_model(ty, Arc::new(model));
    }

    /// What values of a type that Python code defines are; `None` for other types, and where nobody has said it.
    pub fn ext_model(&self, ty: Type) -> Option<Arc<ExtModel>> {
        if !matches!(self.kind(ty), TypeKind::Ext { .. }) {
            return None;
        }
        if let Some(known) = self.table().model(ty) {
            return Some(known);
        }
        let model = self.table().model_source()?(self, ty)?;
        self.define_model(ty, model);
        self.table().model(ty)
    }

    /// As [`Types::ext_model`], of a kind.
    pub fn model_of_kind(&self, kind: &TypeKind) -> Option<Arc<ExtModel>> {
        self.ext_model(self.intern(kind.clone()))
    }
}

impl Kind for kinds::Ext<'_> {
    fn is_word(word: &str) -> bool {
        word == "ext"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        r.c.expect("(")?;
        let class = r.c.number("a class number")?;
        r.c.expect(",")?;
        let key = r.c.quoted('"')?;
        r.c.expect(",")?;
        let name = r.c.quoted('"')?;
        r.c.expect(")")?;
        Ok(TypeKind::Ext { class, key, name })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        match w.exact {
            true => write!(w, "ext({}, {:?}, {:?})", self.class, self.key, self.name),
            false => w.write_str(self.name),
        }
    }
}
