//! Arrays, other buffers, and what iterates over them.

use super::kind::{Kind, Unified};
use super::kinds;
use super::record_text::parse_shape;
use super::text::{Reader, Writer};
use crate::lattice::{Conversion, Lattice};
use crate::records::shape_text;
use crate::text::Parse;
use crate::{Type, TypeKind, Types};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// Memory order of an array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Layout {
    /// Row-major contiguous.
    C,
    /// Column-major contiguous.
    F,
    /// Any strides.
    A,
}

impl Layout {
    /// `C`, `F` or `A`.
    pub fn letter(self) -> char {
        match self {
            Layout::C => 'C',
            Layout::F => 'F',
            Layout::A => 'A',
        }
    }
}

/// `array(dtype, ndim, layout)`
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ArrayType {
    /// Type of the elements.
    pub dtype: Type,
    /// Number of dimensions.
    pub ndim: u8,
    /// Memory order.
    pub layout: Layout,
    /// False prints as `readonly array(..)`.
    pub mutable: bool,
    /// False prints as `unaligned array(..)`.
    pub aligned: bool,
}

/// Which Python class a buffer is of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum BufferClass {
    /// `bytearray`
    ByteArray,
    /// `memoryview`
    MemoryView,
    /// `array.array`
    PyArray,
}

impl BufferClass {
    /// All of them.
    pub const ALL: [BufferClass; 3] = [
        BufferClass::ByteArray,
        BufferClass::MemoryView,
        BufferClass::PyArray,
    ];

    /// The one of this name.
    pub fn named(name: &str) -> Option<BufferClass> {
        BufferClass::ALL
            .into_iter()
            .find(|class| class.name() == name)
    }

    /// Numba's name.
    pub fn name(self) -> &'static str {
        match self {
            BufferClass::ByteArray => "bytearray",
            BufferClass::MemoryView => "memoryview",
            BufferClass::PyArray => "pyarray",
        }
    }
}

impl ArrayType {
    /// `(float64, 2d, C)` after marks and the word.
    fn write(&self, word: &str, w: &mut Writer<'_, '_>) -> fmt::Result {
        w.mark("readonly", !self.mutable)?;
        w.mark("unaligned", !self.aligned)?;
        let (dtype, layout) = (w.show(self.dtype), self.layout.letter());
        write!(w, "{word}({dtype}, {}d, {layout})", self.ndim)
    }

    fn read(r: &mut Reader<'_, '_>) -> Parse<ArrayType> {
        let (mutable, aligned) = (!r.takes_mark("readonly"), !r.takes_mark("unaligned"));
        r.c.expect("(")?;
        let dtype = r.ty()?;
        r.c.expect(",")?;
        let ndim = r.c.number("a number of dimensions")?;
        r.c.expect("d")?;
        r.c.expect(",")?;
        let layout = match r.c.word() {
            Some("C") => Layout::C,
            Some("F") => Layout::F,
            Some("A") => Layout::A,
            _ => return r.c.error("expected a layout: C, F or A"),
        };
        r.c.expect(")")?;
        Ok(ArrayType {
            dtype,
            ndim,
            layout,
            mutable,
            aligned,
        })
    }

    /// What an index along the first axis gives.
    pub fn row(&self, types: &Types) -> Type {
        if self.ndim <= 1 {
            return self.dtype;
        }
        types.intern(TypeKind::Array(ArrayType {
            ndim: self.ndim - 1,
            layout: match self.layout {
                Layout::C => Layout::C,
                Layout::F | Layout::A => Layout::A,
            },
            ..*self
        }))
    }

    /// The iterator over the elements in C order, `indexed` with their indices: over an axis where one step leads from
    /// each element to the next.
    pub fn elements(&self, types: &Types, indexed: bool) -> Type {
        let layout = match (self.ndim, self.layout) {
            (0, _) | (_, Layout::C) => Layout::C,
            (1, layout) => layout,
            _ => {
                let array = types.intern(TypeKind::Array(*self));
                return types.intern(TypeKind::FlatIter { array, indexed });
            }
        };
        let flat = types.intern(TypeKind::Array(ArrayType {
            ndim: 1,
            layout,
            ..*self
        }));
        let elements = types.intern(TypeKind::ArrayIter(flat));
        if !indexed {
            return elements;
        }
        let index = types.tuple(&vec![Type::INT64; usize::from(self.ndim)]);
        let indices = types.intern(TypeKind::RangeIter(index));
        types.intern(TypeKind::Zip(vec![indices, elements]))
    }

    /// The iterator along the first axis; `None` for an array without axes.
    pub(super) fn iterator(&self, types: &Types) -> Option<Type> {
        let array = types.intern(TypeKind::Array(*self));
        (self.ndim > 0).then(|| types.intern(TypeKind::ArrayIter(array)))
    }
}

impl Kind for kinds::Array<'_> {
    fn is_word(word: &str) -> bool {
        word == "array"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        Ok(TypeKind::Array(ArrayType::read(r)?))
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        self.array.write("array", w)
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        each(self.array.dtype);
    }

    fn noun(&self) -> Option<&'static str> {
        Some("an array")
    }

    fn iterator(&self, types: &Types, _: Type) -> Option<Type> {
        self.array.iterator(types)
    }

    fn has_truth(&self) -> bool {
        true
    }

    fn is_imprecise(&self, _: &Types) -> bool {
        self.array.dtype == Type::UNDEFINED
    }

    fn unify(&self, other: &Self, lattice: &Lattice<'_>) -> Unified {
        let (a, b) = (*self.array, *other.array);
        let dtype = match (a.dtype, b.dtype) {
            (Type::UNDEFINED, dtype) | (dtype, Type::UNDEFINED) => Some(dtype),
            (a, b) => (a == b).then_some(a),
        };
        let joined = dtype.filter(|_| a.ndim == b.ndim).map(|dtype| ArrayType {
            dtype,
            ndim: a.ndim,
            layout: if a.layout == b.layout {
                a.layout
            } else {
                Layout::A
            },
            mutable: a.mutable && b.mutable,
            aligned: a.aligned && b.aligned,
        });
        Unified::To(joined.map(|array| lattice.types.intern(TypeKind::Array(array))))
    }

    fn convert(&self, to: &Self, _: &Lattice<'_>) -> Option<Conversion> {
        let (a, b) = (self.array, to.array);
        let fits = a.dtype == b.dtype
            && a.ndim == b.ndim
            && (a.layout == b.layout || b.layout == Layout::A)
            && (a.mutable || !b.mutable)
            && (a.aligned || !b.aligned);
        fits.then_some(Conversion::Safe)
    }

    fn family(&self) -> Option<&'static str> {
        Some("array")
    }
}

impl Kind for kinds::NestedArray<'_> {
    fn is_word(word: &str) -> bool {
        word == "nestedarray"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        r.c.expect("(")?;
        let dtype = r.ty()?;
        r.c.expect(",")?;
        let shape = parse_shape(r.c)?;
        r.c.expect(")")?;
        Ok(TypeKind::NestedArray { dtype, shape })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        let dtype = w.show(*self.dtype);
        write!(w, "nestedarray({dtype}, {})", shape_text(self.shape))
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        each(*self.dtype);
    }
}

impl Kind for kinds::Buffer<'_> {
    fn is_word(word: &str) -> bool {
        BufferClass::named(word).is_some()
    }

    fn read(word: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        let Some(class) = BufferClass::named(word) else {
            return r.c.error("expected a class of buffers");
        };
        let array = ArrayType::read(r)?;
        Ok(TypeKind::Buffer { class, array })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        self.array.write(self.class.name(), w)
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        each(self.array.dtype);
    }

    fn iterator(&self, types: &Types, _: Type) -> Option<Type> {
        self.array.iterator(types)
    }

    fn family(&self) -> Option<&'static str> {
        Some("buffer")
    }
}

impl Kind for kinds::ArrayIter<'_> {
    iterator_over!(array);

    fn item(&self, types: &Types) -> Option<Type> {
        Some(types.as_array(*self.array)?.row(types))
    }
}

impl Kind for kinds::FlatIter<'_> {
    fn is_word(word: &str) -> bool {
        matches!(word, "flat_iter" | "ndenumerate")
    }

    fn read(word: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        Ok(TypeKind::FlatIter {
            array: r.one()?,
            indexed: word == "ndenumerate",
        })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        let word = match self.indexed {
            true => "ndenumerate",
            false => "flat_iter",
        };
        w.one(word, *self.array)
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        each(*self.array);
    }

    fn is_iterator(&self) -> bool {
        true
    }

    fn item(&self, types: &Types) -> Option<Type> {
        let array = types.as_array(*self.array)?;
        if !self.indexed {
            return Some(array.dtype);
        }
        let index = vec![Type::INT64; usize::from(array.ndim)];
        Some(types.tuple(&[types.tuple(&index), array.dtype]))
    }
}

impl Kind for kinds::NdIter<'_> {
    fn is_word(word: &str) -> bool {
        word == "nditer"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        r.c.expect("(")?;
        let ndim = r.c.number("a number of dimensions")?;
        r.c.expect(",")?;
        let items = r.rest()?;
        Ok(TypeKind::NdIter { ndim, items })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        write!(w, "nditer({}, ", self.ndim)?;
        w.list(self.items)?;
        w.write_str(")")
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        self.items.iter().for_each(|ty| each(*ty));
    }

    fn is_iterator(&self) -> bool {
        true
    }

    fn item(&self, types: &Types) -> Option<Type> {
        Some(types.tuple_or_one(self.items))
    }
}
