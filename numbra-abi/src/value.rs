//! Described values: how compiled code hands arguments and results to native bodies of library functions.
//!
//! ```c
//! struct numbra_value { uint64_t kind; void *data; };
//! int32_t symbol(const struct numbra_value *args, const struct numbra_value *ret);
//! ```
//!
//! `kind` is a [`KindWord`], `data` points to what it says.

/// Where the words of a described value are.
pub struct ValueLayout;

impl ValueLayout {
    /// Its bytes.
    pub const SIZE: usize = 16;
    /// Byte of the pointer to the data; the kind is the first word.
    pub const DATA: usize = 8;
}

/// What a described value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    /// `None`, a dtype: there are no data.
    Nothing,
    Scalar,
    Array,
    Tuple,
    Slice,
    Ellipsis,
    Text,
    List,
    /// A `Generator` of NumPy.
    Generator,
}

impl Tag {
    /// In the order of their numbers.
    const ALL: [Tag; 9] = [
        Tag::Nothing,
        Tag::Scalar,
        Tag::Array,
        Tag::Tuple,
        Tag::Slice,
        Tag::Ellipsis,
        Tag::Text,
        Tag::List,
        Tag::Generator,
    ];
}

/// The order of the elements that the type of an array says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    C,
    Fortran,
    Any,
}

/// An element of arrays and lists, or the number that a scalar is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float16,
    Float32,
    Float64,
    Complex64,
    Complex128,
    /// A date or a duration: a count, or NaT.
    Time,
    /// So many bytes that are no number: they are only moved.
    Bytes(u32),
}

impl Kind {
    /// All but bytes, in the order of their numbers; the numbers first, in the order of `numbra_ir::Scalar::ALL`.
    pub const ALL: [Kind; 15] = [
        Kind::Bool,
        Kind::Int8,
        Kind::Int16,
        Kind::Int32,
        Kind::Int64,
        Kind::UInt8,
        Kind::UInt16,
        Kind::UInt32,
        Kind::UInt64,
        Kind::Float16,
        Kind::Float32,
        Kind::Float64,
        Kind::Complex64,
        Kind::Complex128,
        Kind::Time,
    ];

    /// Its number, in kind words and where natives take one: that of bytes comes after all others.
    pub const fn position(self) -> usize {
        match self {
            Kind::Bool => 0,
            Kind::Int8 => 1,
            Kind::Int16 => 2,
            Kind::Int32 => 3,
            Kind::Int64 => 4,
            Kind::UInt8 => 5,
            Kind::UInt16 => 6,
            Kind::UInt32 => 7,
            Kind::UInt64 => 8,
            Kind::Float16 => 9,
            Kind::Float32 => 10,
            Kind::Float64 => 11,
            Kind::Complex64 => 12,
            Kind::Complex128 => 13,
            Kind::Time => 14,
            Kind::Bytes(_) => 15,
        }
    }

    /// Bytes of an element.
    pub const fn size(self) -> usize {
        match self {
            Kind::Bool | Kind::Int8 | Kind::UInt8 => 1,
            Kind::Int16 | Kind::UInt16 | Kind::Float16 => 2,
            Kind::Int32 | Kind::UInt32 | Kind::Float32 => 4,
            Kind::Int64 | Kind::UInt64 | Kind::Float64 | Kind::Complex64 | Kind::Time => 8,
            Kind::Complex128 => 16,
            Kind::Bytes(size) => size as usize,
        }
    }
}

/// What the data of a described value are:
///
/// - bits 0-7, the [`Tag`];
/// - bits 8-15, the element ([`Kind`]) of an array or of a list's items, or what a scalar or a dtype is; 255 if there is none;
/// - bits 16-23, the rank of an array;
/// - bits 24-30, the [`Order`] of an array;
/// - bit 31 of a result: the body may use several threads;
/// - bits 32-63, the length of a tuple; of a list the length of its items if they are tuples of one scalar; the size of
///   elements that are bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct KindWord(u64);

const ELEMENT: u32 = 8;
const RANK: u32 = 16;
const ORDER: u32 = 24;
const THREADS: u64 = 1 << 31;
const LENGTH: u32 = 32;
const NO_ELEMENT: u64 = 255;

impl KindWord {
    /// Of a value of elements, or without.
    pub const fn new(tag: Tag, element: Option<Kind>) -> KindWord {
        let element = match element {
            Some(Kind::Bytes(size)) => {
                (Kind::Bytes(size).position() as u64) << ELEMENT | (size as u64) << LENGTH
            }
            Some(kind) => (kind.position() as u64) << ELEMENT,
            None => NO_ELEMENT << ELEMENT,
        };
        KindWord(tag as u64 | element)
    }

    /// Of an array of so many axes.
    #[must_use]
    pub const fn with_axes(self, ndim: u8, order: Order) -> KindWord {
        KindWord(self.0 | (ndim as u64) << RANK | (order as u64) << ORDER)
    }

    /// Of a tuple of so many items, or of a list of such.
    #[must_use]
    pub const fn with_length(self, length: u32) -> KindWord {
        KindWord(self.0 | (length as u64) << LENGTH)
    }

    /// Of a result that may be made by several threads.
    #[must_use]
    pub const fn with_threads(self) -> KindWord {
        KindWord(self.0 | THREADS)
    }

    /// The word.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// What it says the data are.
    #[inline]
    pub fn tag(self) -> Option<Tag> {
        Tag::ALL.get((self.0 & 0xff) as usize).copied()
    }

    /// The type of the elements, of the items of a list, of a scalar, or a dtype.
    #[inline]
    pub fn element(self) -> Option<Kind> {
        let position = (self.0 >> ELEMENT & 0xff) as usize;
        if position == Kind::ALL.len() {
            return Some(Kind::Bytes(self.length()));
        }
        Kind::ALL.get(position).copied()
    }

    /// The number of axes.
    #[inline]
    pub const fn ndim(self) -> usize {
        (self.0 >> RANK & 0xff) as usize
    }

    /// True if the type of an array says that it is in Fortran order.
    #[inline]
    pub const fn is_fortran(self) -> bool {
        self.0 >> ORDER & 0x7f == Order::Fortran as u64
    }

    /// True if several threads may make the result.
    #[inline]
    pub const fn has_threads(self) -> bool {
        self.0 & THREADS != 0
    }

    /// The number of items of a tuple, or of the items of a list.
    #[inline]
    pub const fn length(self) -> u32 {
        (self.0 >> LENGTH) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_what_they_are_made_of() {
        for (number, tag) in Tag::ALL.into_iter().enumerate() {
            assert_eq!(tag as usize, number);
            let word = KindWord::new(tag, None).with_length(7).with_threads();
            assert_eq!(word.tag(), Some(tag));
            assert_eq!(word.element(), None);
            assert_eq!(word.length(), 7);
            assert!(word.has_threads());
        }
        let kinds = Kind::ALL.into_iter().chain([Kind::Bytes(u32::MAX)]);
        for (number, kind) in kinds.enumerate() {
            assert_eq!(kind.position(), number);
            for order in [Order::C, Order::Fortran, Order::Any] {
                let word = KindWord::new(Tag::Array, Some(kind)).with_axes(32, order);
                assert_eq!((word.tag(), word.element()), (Some(Tag::Array), Some(kind)));
                assert_eq!(word.ndim(), 32);
                assert_eq!(word.is_fortran(), order == Order::Fortran);
                assert!(!word.has_threads());
            }
        }
    }
}
