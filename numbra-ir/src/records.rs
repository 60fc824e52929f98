//! Records: the elements of NumPy's structured arrays.

use crate::{Scalar, Type, TypeKind, Types};
use serde::{Deserialize, Serialize};

/// A field of a [`RecordType`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct RecordField {
    /// Its name.
    pub name: String,
    /// Type of the value.
    pub ty: Type,
    /// Byte at which the value stands.
    pub offset: u32,
    /// Alignment that was asked for.
    pub alignment: Option<u32>,
    /// NumPy's title, a second name.
    pub title: Option<String>,
}

/// `Record(a[type=int64;offset=0];8;False)`
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct RecordType {
    /// The fields by offset, then by name.
    pub fields: Vec<RecordField>,
    /// Bytes of a record.
    pub size: u32,
    /// True if fields stand where a C compiler puts them.
    pub aligned: bool,
}

impl RecordType {
    /// The field of this name.
    pub fn field(&self, name: &str) -> Option<&RecordField> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// True if the first fields are those of `other`.
    pub fn starts_with(&self, other: &RecordType) -> bool {
        self.fields.starts_with(&other.fields) && self.size >= other.size
    }
}

/// A shape as Python prints it: `(2, 3)`, `(2,)`.
pub(crate) fn shape_text(shape: &[u32]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => {
            let items: Vec<String> = shape.iter().map(u32::to_string).collect();
            format!("({})", items.join(", "))
        }
    }
}

/// How the elements of an array, or the field of a record, stand in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// A number or a time.
    Scalar(Scalar),
    /// This many bytes, which values refer to by address: records, char sequences, nested arrays.
    Bytes(u32),
}

impl Storage {
    /// Bytes of an element.
    pub fn size(self) -> u32 {
        match self {
            Storage::Scalar(scalar) => scalar.size(),
            Storage::Bytes(size) => size,
        }
    }

    /// The scalar, if it is one.
    pub fn scalar(self) -> Option<Scalar> {
        match self {
            Storage::Scalar(scalar) => Some(scalar),
            Storage::Bytes(_) => None,
        }
    }

    /// True for complex numbers.
    pub fn is_complex(self) -> bool {
        self.scalar().is_some_and(Scalar::is_complex)
    }
}

impl Types {
    /// The record behind a record type.
    pub fn as_record(&self, ty: Type) -> Option<&RecordType> {
        match self.kind(ty) {
            TypeKind::Record(record) => Some(record),
            _ => None,
        }
    }

    /// Number of characters and bytes of each of a char sequence.
    pub fn as_char_seq(&self, ty: Type) -> Option<(u32, u32)> {
        match self.kind(ty) {
            TypeKind::CharSeq(n) => Some((*n, 1)),
            TypeKind::UnicodeCharSeq(n) => Some((*n, 4)),
            _ => None,
        }
    }

    /// How a value of this type stands in an array or a record; `None` if it cannot.
    pub fn element(&self, ty: Type) -> Option<Storage> {
        if let Some(scalar) = self.storage(ty) {
            return Some(Storage::Scalar(scalar));
        }
        match self.kind(ty) {
            TypeKind::Record(record) => Some(Storage::Bytes(record.size)),
            TypeKind::CharSeq(n) => Some(Storage::Bytes(*n)),
            TypeKind::UnicodeCharSeq(n) => Some(Storage::Bytes(n.checked_mul(4)?)),
            TypeKind::NestedArray { dtype, shape } => {
                let size = self.element(*dtype)?.size();
                let bytes = shape.iter().try_fold(size, |all, n| all.checked_mul(*n))?;
                Some(Storage::Bytes(bytes))
            }
            _ => None,
        }
    }

    /// Alignment of a value of this type where a C compiler places it.
    pub fn alignment(&self, ty: Type) -> u32 {
        if let Some(scalar) = self.storage(ty) {
            return match scalar.is_complex() {
                true => scalar.size() / 2,
                false => scalar.size(),
            };
        }
        match self.kind(ty) {
            TypeKind::Record(record) if record.aligned => record
                .fields
                .iter()
                .map(|field| self.alignment(field.ty))
                .max()
                .unwrap_or(1),
            TypeKind::UnicodeCharSeq(_) => 4,
            TypeKind::NestedArray { dtype, .. } => self.alignment(*dtype),
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, ty: Type, offset: u32) -> RecordField {
        RecordField {
            name: name.to_owned(),
            ty,
            offset,
            alignment: None,
            title: None,
        }
    }

    #[test]
    fn sizes_and_alignments() {
        let types = Types::new();
        let nested = types.intern(TypeKind::NestedArray {
            dtype: Type::FLOAT32,
            shape: vec![3, 2],
        });
        let record = types.intern(TypeKind::Record(RecordType {
            fields: vec![field("a", Type::INT32, 0), field("b", nested, 4)],
            size: 28,
            aligned: true,
        }));
        assert_eq!(types.element(nested), Some(Storage::Bytes(24)));
        assert_eq!(types.element(record), Some(Storage::Bytes(28)));
        assert_eq!(types.alignment(record), 4);
        assert_eq!(types.alignment(Type::COMPLEX128), 8);
        assert_eq!(
            types.display(record).to_string(),
            "Record(a[type=int32;offset=0],b[type=nestedarray(float32, (3, 2));offset=4];28;True)"
        );
    }

    #[test]
    fn a_longer_record_starts_with_a_shorter_one() {
        let record = |fields: &[RecordField], size| RecordType {
            fields: fields.to_vec(),
            size,
            aligned: false,
        };
        let (a, b) = (field("a", Type::INT64, 0), field("b", Type::INT64, 8));
        let long = record(&[a.clone(), b.clone()], 16);
        assert!(long.starts_with(&record(std::slice::from_ref(&a), 8)));
        assert!(!long.starts_with(&record(&[b], 16)));
        assert!(!record(&[a], 8).starts_with(&long));
    }
}
