//! Dictionaries, their views, and what iterates over them.

use super::kind::{Kind, Unified};
use super::kinds;
use super::text::{Reader, Writer};
use crate::lattice::Lattice;
use crate::text::Parse;
use crate::{Type, TypeKind, Types};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// What of its entries a view of a dictionary shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum DictPart {
    /// `d.keys()`
    Keys,
    /// `d.values()`
    Values,
    /// `d.items()`
    Items,
}

impl DictPart {
    /// All of them.
    pub const ALL: [DictPart; 3] = [DictPart::Keys, DictPart::Values, DictPart::Items];

    /// The name of the method that gives the view.
    pub fn name(self) -> &'static str {
        match self {
            DictPart::Keys => "keys",
            DictPart::Values => "values",
            DictPart::Items => "items",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<DictPart> {
        DictPart::ALL.into_iter().find(|part| part.name() == name)
    }

    /// What iterating over the view yields.
    fn item(self, types: &Types, key: Type, value: Type) -> Type {
        match self {
            DictPart::Keys => key,
            DictPart::Values => value,
            DictPart::Items => types.tuple(&[key, value]),
        }
    }
}

impl Types {
    /// Why a dictionary cannot have values of type `ty`, if it cannot.
    pub fn not_a_value(&self, ty: Type) -> Option<String> {
        let is_none = matches!(self.kind(ty), TypeKind::None | TypeKind::Optional(_));
        is_none.then(|| format!("Dict.value_type cannot be of type {}", self.display(ty)))
    }

    /// Why a dictionary cannot have keys of type `ty`, if it cannot.
    pub fn not_a_key(&self, ty: Type) -> Option<String> {
        let mut todo = vec![ty];
        while let Some(ty) = todo.pop() {
            let ty = self.unliteral(ty);
            if ty == Type::UNDEFINED || ty == Type::UNICODE || self.as_scalar(ty).is_some() {
                continue;
            }
            if let Some(items) = self.tuple_items(ty) {
                todo.extend(items);
                continue;
            }
            let shown = self.display(ty);
            if matches!(self.kind(ty), TypeKind::None | TypeKind::Optional(_)) {
                return Some(format!("Dict.key_type cannot be of type {shown}"));
            }
            return Some(match self.kind(ty).is_container() {
                true => format!(
                    "unhashable type: '{}'",
                    self.kind(ty).family().unwrap_or("object")
                ),
                false => format!(
                    "the keys of a dict are numbers, strings, or tuples of them: {shown} is not supported"
                ),
            });
        }
        None
    }
}

impl Kind for kinds::Dict<'_> {
    fn is_word(word: &str) -> bool {
        word == "DictType"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        r.c.expect("[")?;
        let key = r.ty()?;
        r.c.expect(",")?;
        let value = r.ty()?;
        r.c.expect("]")?;
        r.c.eat("<iv=None>");
        Ok(TypeKind::Dict { key, value })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        let (key, value) = (w.show(*self.key), w.show(*self.value));
        write!(w, "DictType[{key},{value}]<iv=None>")
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        each(*self.key);
        each(*self.value);
    }

    fn noun(&self) -> Option<&'static str> {
        Some("a dict")
    }

    fn family(&self) -> Option<&'static str> {
        Some("dict")
    }

    fn is_container(&self) -> bool {
        true
    }

    /// Over the keys.
    fn iterator(&self, types: &Types, ty: Type) -> Option<Type> {
        Some(types.intern(TypeKind::DictIter {
            dict: ty,
            part: DictPart::Keys,
        }))
    }

    fn has_truth(&self) -> bool {
        true
    }

    fn is_imprecise(&self, types: &Types) -> bool {
        types.is_imprecise(*self.key) || types.is_imprecise(*self.value)
    }

    fn unify(&self, other: &Self, lattice: &Lattice<'_>) -> Unified {
        let key = lattice.unify(*self.key, *other.key);
        let value = lattice.unify(*self.value, *other.value);
        let joined = key.zip(value);
        Unified::To(joined.map(|(key, value)| lattice.types.intern(TypeKind::Dict { key, value })))
    }
}

const LITERAL: &str = "LiteralStrKeyDict";

impl Kind for kinds::LiteralDict<'_> {
    fn is_word(word: &str) -> bool {
        word == LITERAL
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        let mut keys: Vec<Type> = r.many()?;
        let items = keys.split_off(keys.len() / 2);
        Ok(TypeKind::LiteralDict { keys, items })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        if w.exact {
            let all: Vec<Type> = self.keys.iter().chain(self.items).copied().collect();
            return w.many(LITERAL, &all);
        }
        w.write_str("LiteralStrKey[Dict]({")?;
        for (i, (key, item)) in self.keys.iter().zip(self.items).enumerate() {
            let (key, item) = (w.show(*key), w.show(*item));
            let comma = if i == 0 { "" } else { ", " };
            write!(w, "{comma}{key}: {item}")?;
        }
        w.write_str("})")
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        self.keys.iter().chain(self.items).for_each(|ty| each(*ty));
    }

    fn noun(&self) -> Option<&'static str> {
        Some("a dict")
    }

    fn has_truth(&self) -> bool {
        true
    }

    fn unify(&self, other: &Self, lattice: &Lattice<'_>) -> Unified {
        if self.keys != other.keys {
            return Unified::ByConversion;
        }
        let pairs = self.items.iter().zip(other.items);
        let items: Option<Vec<Type>> = pairs.map(|(a, b)| lattice.unify(*a, *b)).collect();
        let keys = self.keys.clone();
        Unified::To(items.map(|items| lattice.types.intern(TypeKind::LiteralDict { keys, items })))
    }

    fn family(&self) -> Option<&'static str> {
        Some("literal_dict")
    }
}

impl Kind for kinds::DictView<'_> {
    fn is_word(word: &str) -> bool {
        DictPart::named(word).is_some()
    }

    fn read(word: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        let Some(part) = DictPart::named(word) else {
            return r.c.error("expected a part of a dict");
        };
        let dict = r.between("[", "]")?;
        Ok(TypeKind::DictView { dict, part })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        let dict = w.show(*self.dict);
        write!(w, "{}[{dict}]", self.part.name())
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        each(*self.dict);
    }

    fn iterator(&self, types: &Types, _: Type) -> Option<Type> {
        Some(types.intern(TypeKind::DictIter {
            dict: *self.dict,
            part: *self.part,
        }))
    }

    fn has_truth(&self) -> bool {
        true
    }

    fn view_of(&self) -> Option<Type> {
        Some(*self.dict)
    }
}

impl Kind for kinds::DictIter<'_> {
    /// As that over the view, from which it reads back.
    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        let dict = w.show(*self.dict);
        write!(w, "iter({}[{dict}])", self.part.name())
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        each(*self.dict);
    }

    fn is_iterator(&self) -> bool {
        true
    }

    fn item(&self, types: &Types) -> Option<Type> {
        let (key, value) = types.as_dict(*self.dict)?;
        Some(self.part.item(types, key, value))
    }

    fn view_of(&self) -> Option<Type> {
        Some(*self.dict)
    }
}
