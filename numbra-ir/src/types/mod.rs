//! The types: interned, printable, seen through views. [`kind`] has the table of their kinds, and each family of kinds a
//! file that says all that this crate knows of it.

#[macro_use]
mod kind;

mod array;
mod callable;
mod constant;
mod dict;
mod ext;
mod initial;
mod iterator;
mod list;
mod object;
mod optional;
mod polynomial;
mod range;
mod record;
mod record_text;
mod scalar;
mod set;
mod text;
mod text_kinds;
mod time;
mod tuple;

pub use array::{ArrayType, BufferClass, Layout};
pub use dict::DictPart;
pub use ext::{ExtField, ExtModel, ExtShape, ModelSource};
pub(crate) use kind::{Kind, Unified};
pub use kind::{TypeKind, kinds};
pub use list::ListClass;
pub use scalar::{Flavor, Scalar};
pub use text::TypeText;
pub(crate) use text::parse_type;

use crate::Const;
use crate::lattice::{ExtRules, unify_all};
use crate::type_table::{Held, Table};
use numbra_base::FxHashMap;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::BuildHasher;
use std::sync::{Arc, LazyLock};

/// An interned type. Equal ids are equal types within one [`Types`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Type(u32);

impl Type {
    /// The type of this number in some table, such as that of a dump.
    pub(crate) fn from_u32(index: u32) -> Type {
        Type(index)
    }

    /// The number in the table.
    pub(crate) fn as_u32(self) -> u32 {
        self.0
    }
}

impl Type {
    /// The number of this type in its table, for hosts that keep types as plain words.
    pub fn index(self) -> u32 {
        self.0
    }

    /// The type with this number; meaningful only with the table that gave the number out.
    pub fn from_index(index: u32) -> Type {
        Type(index)
    }
}

/// A view of a table of types: what it has interned or looked at lives as long as the view does.
///
/// The views of one table agree on which type is which, so types compare as numbers whichever view gave them out.
/// The Session has a view; each compilation has one of its own, so that the types of its literals, tuples and closures
/// go with its result. A type is used only while some view holds it. Interning takes `&self` and is thread-safe.
///
/// A clone is the same view. Ids depend on the order of interning and never show in output.
#[derive(Clone)]
pub struct Types(Arc<View>);

struct View {
    table: Arc<Table>,
    held: Held,
}

impl Drop for View {
    fn drop(&mut self) {
        self.table.release(&self.held);
    }
}

/// The types of every table.
pub(crate) struct FixedKinds {
    pub(crate) kinds: Vec<TypeKind>,
    pub(crate) by_hash: FxHashMap<u64, Type>,
}

/// See [`FixedKinds`].
pub(crate) fn fixed_kinds() -> &'static FixedKinds {
    static FIXED_KINDS: LazyLock<FixedKinds> = LazyLock::new(|| {
        let kinds: Vec<TypeKind> = FIXED.iter().map(|(_, kind)| kind()).collect();
        let hash = |(index, kind)| (FxBuildHasher.hash_one(kind), Type(index as u32));
        let by_hash = kinds.iter().enumerate().map(hash).collect();
        FixedKinds { kinds, by_hash }
    });
    &FIXED_KINDS
}

macro_rules! fixed_types {
    ($($(#[$doc:meta])* $name:ident = $index:literal => $kind:expr;)*) => {
        impl Type {
            $(
                $(#[$doc])*
                #[doc = concat!("A type of every table: ", stringify!($kind), ".")]
                pub const $name: Type = Type($index);
            )*
        }
        const FIXED: &[(u32, fn() -> TypeKind)] = &[$(($index, || $kind)),*];
    };
}

fixed_types! {
    UNDEFINED = 0 => TypeKind::Undefined;
    PYOBJECT = 1 => TypeKind::PyObject;
    NONE = 2 => TypeKind::None;
    ELLIPSIS = 3 => TypeKind::Ellipsis;
    BOOL = 4 => TypeKind::Scalar(Scalar::Bool, Flavor::Numpy);
    INT8 = 5 => TypeKind::Scalar(Scalar::Int8, Flavor::Numpy);
    INT16 = 6 => TypeKind::Scalar(Scalar::Int16, Flavor::Numpy);
    INT32 = 7 => TypeKind::Scalar(Scalar::Int32, Flavor::Numpy);
    INT64 = 8 => TypeKind::Scalar(Scalar::Int64, Flavor::Numpy);
    UINT8 = 9 => TypeKind::Scalar(Scalar::UInt8, Flavor::Numpy);
    UINT16 = 10 => TypeKind::Scalar(Scalar::UInt16, Flavor::Numpy);
    UINT32 = 11 => TypeKind::Scalar(Scalar::UInt32, Flavor::Numpy);
    UINT64 = 12 => TypeKind::Scalar(Scalar::UInt64, Flavor::Numpy);
    FLOAT16 = 13 => TypeKind::Scalar(Scalar::Float16, Flavor::Numpy);
    FLOAT32 = 14 => TypeKind::Scalar(Scalar::Float32, Flavor::Numpy);
    FLOAT64 = 15 => TypeKind::Scalar(Scalar::Float64, Flavor::Numpy);
    COMPLEX64 = 16 => TypeKind::Scalar(Scalar::Complex64, Flavor::Numpy);
    COMPLEX128 = 17 => TypeKind::Scalar(Scalar::Complex128, Flavor::Numpy);
    UNICODE = 18 => TypeKind::Unicode;
    BYTES = 19 => TypeKind::Bytes;
    SLICE2 = 20 => TypeKind::Slice2;
    SLICE3 = 21 => TypeKind::Slice3;
    EMPTY_TUPLE = 22 => TypeKind::Tuple(Vec::new());
    RANGE_INT64 = 23 => TypeKind::Range(Type::INT64);
    RANGE_ITER_INT64 = 24 => TypeKind::RangeIter(Type::INT64);
    BFLOAT16 = 25 => TypeKind::Scalar(Scalar::BFloat16, Flavor::Numpy);
}

impl Default for Types {
    fn default() -> Types {
        Types::new()
    }
}

impl Types {
    /// A view of a new table.
    pub fn new() -> Types {
        debug_assert!(FIXED.iter().enumerate().all(|(n, f)| n == f.0 as usize));
        Types::of(Arc::default())
    }

    /// Another view of the same table, which holds nothing yet.
    pub fn view(&self) -> Types {
        Types::of(Arc::clone(&self.0.table))
    }

    fn of(table: Arc<Table>) -> Types {
        Types(Arc::new(View {
            table,
            held: Held::new(),
        }))
    }

    pub(crate) fn table(&self) -> &Table {
        &self.0.table
    }

    /// The type of this kind. Tuples of equal elements become `UniTuple`.
    pub fn intern(&self, kind: TypeKind) -> Type {
        let kind = match kind {
            TypeKind::Tuple(items) if !items.is_empty() && items.iter().all(|t| *t == items[0]) => {
                TypeKind::UniTuple(items[0], items.len() as u32)
            }
            TypeKind::UniTuple(_, 0) => TypeKind::Tuple(Vec::new()),
            TypeKind::Optional(inner)
                if matches!(self.kind(inner), TypeKind::Optional(_) | TypeKind::None) =>
            {
                return inner;
            }
            kind => kind,
        };
        self.0.table.intern(kind, &self.0.held)
    }

    /// True if some view holds a type of this number.
    pub fn contains(&self, index: u32) -> bool {
        (index as usize) < FIXED.len() || self.0.table.contains(index)
    }

    /// Holds a type that another view holds.
    pub fn hold(&self, ty: Type) {
        self.kind(ty);
    }

    /// How many types the views of this table hold beside the fixed ones.
    pub fn table_len(&self) -> usize {
        self.0.table.len()
    }

    /// What a type is. From now on this view holds it.
    ///
    /// # Panics
    /// If `ty` belongs to another table, or if no view holds it: a bug of the caller.
    pub fn kind(&self, ty: Type) -> &TypeKind {
        if let Some(fixed) = fixed_kinds().kinds.get(ty.0 as usize) {
            return fixed;
        }
        let View { table, held } = &*self.0;
        held.get(&ty.0)
            .or_else(|| {
                table.hold(ty, held);
                held.get(&ty.0)
            })
            .expect("types are used while a view of their table holds them")
    }

    /// The type of a NumPy-flavoured scalar.
    pub fn scalar(&self, scalar: Scalar) -> Type {
        // ORDER: fixed types list the scalars in `Scalar` order from BOOL.
        match scalar {
            Scalar::BFloat16 => Type::BFLOAT16,
            _ => Type(Type::BOOL.0 + scalar as u32),
        }
    }

    /// True for `None`, also where it is an argument that is left out.
    pub fn is_none(&self, ty: Type) -> bool {
        matches!(
            self.kind(ty),
            TypeKind::None | TypeKind::Omitted(Const::None) | TypeKind::Literal(Const::None)
        )
    }

    /// The scalar behind a scalar type; literals count as the type of their value.
    pub fn as_scalar(&self, ty: Type) -> Option<Scalar> {
        match self.kind(ty) {
            TypeKind::Scalar(scalar, _) => Some(*scalar),
            TypeKind::Literal(Const::Int(_)) => Some(Scalar::Int64),
            TypeKind::Literal(Const::Bool(_)) => Some(Scalar::Bool),
            _ => None,
        }
    }

    /// The scalar that a value is kept as: of numbers themselves, of times their count.
    pub fn storage(&self, ty: Type) -> Option<Scalar> {
        match self.kind(ty) {
            TypeKind::Datetime(_) | TypeKind::Timedelta(_) => Some(Scalar::Int64),
            _ => self.as_scalar(ty),
        }
    }

    /// The array behind an array type.
    pub fn as_array(&self, ty: Type) -> Option<ArrayType> {
        match self.kind(ty) {
            TypeKind::Array(array) => Some(*array),
            _ => None,
        }
    }

    /// The array over the memory of an array or buffer: of `bytes` too.
    pub fn as_buffer(&self, ty: Type) -> Option<ArrayType> {
        match self.kind(ty) {
            TypeKind::Array(array) | TypeKind::Buffer { array, .. } => Some(*array),
            TypeKind::Bytes => Some(ArrayType {
                dtype: Type::UINT8,
                ndim: 1,
                layout: Layout::C,
                mutable: false,
                aligned: true,
            }),
            _ => None,
        }
    }

    /// `array(dtype, ndim, layout)`, mutable and aligned. A 1-d contiguous array is `C`.
    pub fn array(&self, dtype: Type, ndim: u8, layout: Layout) -> Type {
        self.intern(TypeKind::Array(ArrayType {
            dtype,
            ndim,
            layout,
            mutable: true,
            aligned: true,
        }))
    }

    /// A tuple type: `UniTuple` if all elements are the same.
    pub fn tuple(&self, items: &[Type]) -> Type {
        self.intern(TypeKind::Tuple(items.to_vec()))
    }

    /// The jitted functions that a value of this type may be, ascending.
    pub fn jitted_functions(&self, ty: Type) -> Vec<Type> {
        match self.kind(ty) {
            TypeKind::FunctionChoice(members) => members.clone(),
            TypeKind::Dispatcher { .. } => vec![ty],
            _ => Vec::new(),
        }
    }

    /// One of these jitted functions, of which there is one at least.
    pub fn function_choice(&self, mut members: Vec<Type>) -> Type {
        let number = |ty: &Type| match self.kind(*ty) {
            TypeKind::Dispatcher { id, .. } => id.0,
            _ => u32::MAX,
        };
        members.sort_by_key(number);
        members.dedup();
        match members.as_slice() {
            [one] => *one,
            _ => self.intern(TypeKind::FunctionChoice(members)),
        }
    }

    /// The homogeneous tuple that a tuple of functions is where one of them is picked, and the type of what is picked.
    pub fn function_tuple(&self, ty: Type, ext: &dyn ExtRules) -> Option<(Type, Type)> {
        let items = self.tuple_items(ty)?;
        let is_function = |item: &Type| self.is_function_value(*item);
        if !items.iter().all(is_function) {
            return None;
        }
        let item = unify_all(self, ext, &items)?;
        let tuple = self.tuple(&vec![item; items.len()]);
        Some((tuple, item))
    }

    /// True for jitted functions and addresses of functions.
    pub fn is_function_value(&self, ty: Type) -> bool {
        matches!(
            self.kind(ty),
            TypeKind::Dispatcher { .. }
                | TypeKind::FunctionChoice(_)
                | TypeKind::FunctionType { .. }
        )
    }

    /// The type without what its value held at first.
    pub fn without_initial(&self, ty: Type) -> Type {
        match self.kind(ty) {
            TypeKind::Initial { of, .. } => *of,
            _ => ty,
        }
    }

    /// The element type of a list and what it is to Python.
    pub fn as_list(&self, ty: Type) -> Option<(Type, ListClass)> {
        match self.kind(ty) {
            TypeKind::List { dtype, class } => Some((*dtype, *class)),
            _ => None,
        }
    }

    /// The type of the items of a list or a set.
    pub fn container_item(&self, ty: Type) -> Option<Type> {
        match self.kind(ty) {
            TypeKind::List { dtype, .. } | TypeKind::Set { dtype, .. } => Some(*dtype),
            _ => None,
        }
    }

    /// `list(dtype)`
    pub fn list(&self, dtype: Type) -> Type {
        self.list_of(dtype, ListClass::Local)
    }

    /// A list of any class.
    pub fn list_of(&self, dtype: Type, class: ListClass) -> Type {
        self.intern(TypeKind::List { dtype, class })
    }

    /// `set(dtype)`
    pub fn set(&self, dtype: Type) -> Type {
        self.set_of(dtype, ListClass::Local)
    }

    /// A set of any class.
    pub fn set_of(&self, dtype: Type, class: ListClass) -> Type {
        self.intern(TypeKind::Set { dtype, class })
    }

    /// `DictType[key,value]`
    pub fn dict(&self, key: Type, value: Type) -> Type {
        self.intern(TypeKind::Dict { key, value })
    }

    /// The types of keys and values of a dictionary.
    pub fn as_dict(&self, ty: Type) -> Option<(Type, Type)> {
        match self.kind(ty) {
            TypeKind::Dict { key, value } => Some((*key, *value)),
            _ => None,
        }
    }

    /// The element type of a set and what it is to Python.
    pub fn as_set(&self, ty: Type) -> Option<(Type, ListClass)> {
        match self.kind(ty) {
            TypeKind::Set { dtype, class } => Some((*dtype, *class)),
            _ => None,
        }
    }

    /// The type of a result of several values: the tuple, or the only one.
    pub fn tuple_or_one(&self, items: &[Type]) -> Type {
        match items {
            [one] => *one,
            many => self.tuple(many),
        }
    }

    /// `OptionalType(inner)`
    pub fn optional(&self, inner: Type) -> Type {
        self.intern(TypeKind::Optional(inner))
    }

    /// True if a part of a type is not known.
    pub fn is_imprecise(&self, ty: Type) -> bool {
        with_kind!(self.kind(ty), kind => kind.is_imprecise(self))
    }

    /// What `iter(x)` gives for an `x` of this type; `None` where it is not iterable.
    pub fn iterator(&self, ty: Type) -> Option<Type> {
        with_kind!(self.kind(ty), kind => kind.iterator(self, ty))
    }

    /// What an iterator yields; `None` for what is none.
    pub fn item(&self, iterator: Type) -> Option<Type> {
        with_kind!(self.kind(iterator), kind => kind.item(self))
    }

    /// The type without the mark that its values stand for Python objects: `list(T)` of `reflected list(T)`.
    pub fn unreflected(&self, ty: Type) -> Type {
        with_kind!(self.kind(ty), kind => kind.unreflected(self)).unwrap_or(ty)
    }

    /// True for types whose values `bool(x)`, `not x` and `if x:` take.
    pub fn has_truth(&self, ty: Type) -> bool {
        with_kind!(self.kind(ty), kind => kind.has_truth())
    }

    /// True for tuples of every kind, named and star tuples included.
    pub fn is_tuple(&self, ty: Type) -> bool {
        matches!(
            self.kind(ty),
            TypeKind::UniTuple(..)
                | TypeKind::Tuple(_)
                | TypeKind::StarArgTuple(_)
                | TypeKind::NamedTuple(..)
        )
    }

    /// Element types of any tuple type, named and star tuples included.
    pub fn tuple_items(&self, ty: Type) -> Option<Vec<Type>> {
        match self.kind(ty) {
            TypeKind::UniTuple(item, n) => Some(vec![*item; *n as usize]),
            TypeKind::Tuple(items)
            | TypeKind::StarArgTuple(items)
            | TypeKind::NamedTuple(_, _, items) => Some(items.clone()),
            _ => None,
        }
    }

    /// The types of what a value holds one after another: the items of a tuple, the arrays of a polynomial.
    pub fn parts(&self, ty: Type) -> Option<Vec<Type>> {
        match self.kind(ty) {
            TypeKind::Polynomial(parts) => Some(parts.to_vec()),
            _ => self.tuple_items(ty),
        }
    }

    /// The member of an enumeration: the type of its value, and whether it is an integer itself.
    pub fn as_enum(&self, ty: Type) -> Option<(Type, bool)> {
        match self.kind(ty) {
            TypeKind::EnumMember { dtype, is_int, .. } => Some((*dtype, *is_int)),
            _ => None,
        }
    }

    /// The one element type and the length of a tuple whose elements are all of one type, star and named tuples included.
    pub fn uniform_tuple(&self, ty: Type) -> Option<(Type, u32)> {
        match self.kind(ty) {
            TypeKind::UniTuple(item, n) => Some((*item, *n)),
            TypeKind::StarArgTuple(items) | TypeKind::NamedTuple(_, _, items) => {
                let (first, rest) = items.split_first()?;
                let same = rest.iter().all(|item| item == first);
                same.then_some((*first, items.len() as u32))
            }
            _ => None,
        }
    }

    /// The type without its literal value: `Literal[int](1)` gives `int64`. Tuples are unliteraled element by element.
    pub fn unliteral(&self, ty: Type) -> Type {
        with_kind!(self.kind(ty), kind => kind.unliteral(self)).unwrap_or(ty)
    }
}

impl fmt::Debug for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Types({} in the table)", self.table_len())
    }
}
