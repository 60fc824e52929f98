//! The type lattice: interned, printable, seen through views.

use crate::records::{RecordType, shape_text};
use crate::type_table::{Held, Table};
use crate::{Const, DispatcherId, TimeUnit};
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

/// A machine scalar of Numba's type system.
#[allow(missing_docs, reason = "the names say what they are")]
// ORDER: the promotion tables are indexed by this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Scalar {
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
    /// The upper half of a `Float32`. Kernels alone know it: NumPy has no such type, so it is not one of [`Scalar::ALL`].
    BFloat16,
}

impl Scalar {
    /// Those of NumPy, in order.
    pub const ALL: [Scalar; 14] = [
        Scalar::Bool,
        Scalar::Int8,
        Scalar::Int16,
        Scalar::Int32,
        Scalar::Int64,
        Scalar::UInt8,
        Scalar::UInt16,
        Scalar::UInt32,
        Scalar::UInt64,
        Scalar::Float16,
        Scalar::Float32,
        Scalar::Float64,
        Scalar::Complex64,
        Scalar::Complex128,
    ];

    /// The one of this name, of NumPy or not.
    pub fn named(name: &str) -> Option<Scalar> {
        let all = Scalar::ALL.into_iter().chain([Scalar::BFloat16]);
        all.into_iter().find(|s| s.name() == name)
    }

    /// Numba's name: `bool`, `int64`, `complex128`.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::Int8 => "int8",
            Scalar::Int16 => "int16",
            Scalar::Int32 => "int32",
            Scalar::Int64 => "int64",
            Scalar::UInt8 => "uint8",
            Scalar::UInt16 => "uint16",
            Scalar::UInt32 => "uint32",
            Scalar::UInt64 => "uint64",
            Scalar::Float16 => "float16",
            Scalar::Float32 => "float32",
            Scalar::Float64 => "float64",
            Scalar::Complex64 => "complex64",
            Scalar::Complex128 => "complex128",
            Scalar::BFloat16 => "__nv_bfloat16",
        }
    }

    /// Size in memory, in bytes.
    pub fn size(self) -> u32 {
        match self {
            Scalar::Bool | Scalar::Int8 | Scalar::UInt8 => 1,
            Scalar::Int16 | Scalar::UInt16 | Scalar::Float16 | Scalar::BFloat16 => 2,
            Scalar::Int32 | Scalar::UInt32 | Scalar::Float32 => 4,
            Scalar::Int64 | Scalar::UInt64 | Scalar::Float64 | Scalar::Complex64 => 8,
            Scalar::Complex128 => 16,
        }
    }

    /// Signed integers. `bool` is not one.
    pub fn is_signed_int(self) -> bool {
        matches!(
            self,
            Scalar::Int8 | Scalar::Int16 | Scalar::Int32 | Scalar::Int64
        )
    }

    /// Unsigned integers. `bool` is not one.
    pub fn is_unsigned_int(self) -> bool {
        matches!(
            self,
            Scalar::UInt8 | Scalar::UInt16 | Scalar::UInt32 | Scalar::UInt64
        )
    }

    /// Signed or unsigned integers. `bool` is not one.
    pub fn is_int(self) -> bool {
        self.is_signed_int() || self.is_unsigned_int()
    }

    /// Real floating-point of NumPy: `BFloat16` is none.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::Float16 | Scalar::Float32 | Scalar::Float64)
    }

    /// Complex.
    pub fn is_complex(self) -> bool {
        matches!(self, Scalar::Complex64 | Scalar::Complex128)
    }
}

/// Whose scalar it is. Under Numba's rules there is one `int64` (`Numpy`); the `nep50` promotion switch keeps
/// Python's `int`, `float`, `bool` and `complex` apart as weakly typed scalars.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub enum Flavor {
    /// NumPy's, and the only one under Numba's rules.
    #[default]
    Numpy,
    /// Python's own, weakly typed under `nep50`.
    Python,
}

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

    /// Numba's name.
    pub fn name(self) -> &'static str {
        match self {
            BufferClass::ByteArray => "bytearray",
            BufferClass::MemoryView => "memoryview",
            BufferClass::PyArray => "pyarray",
        }
    }
}

/// What a [`Type`] is.
#[allow(missing_docs, reason = "each variant's doc comment shows its fields")]
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum TypeKind {
    /// Not known: Numba's `undefined`; the element of an empty list.
    Undefined,
    /// A Python object that has no native type: `pyobject`.
    PyObject,
    /// `none`
    None,
    /// `ellipsis`
    Ellipsis,
    /// A number or boolean.
    Scalar(Scalar, Flavor),
    /// `Literal[int](1)`, `Literal[bool](True)`, `Literal[str](a)`: a type of one value.
    Literal(Const),
    /// `omitted(default=1)`: an argument left to its default.
    Omitted(Const),
    /// `datetime64[D]`
    Datetime(TimeUnit),
    /// `timedelta64[ms]`
    Timedelta(TimeUnit),
    /// `OptionalType(T)`
    Optional(Type),
    /// `unicode_type`
    Unicode,
    /// `bytes`
    Bytes,
    /// `NumPyRandomGeneratorType`: a `numpy.random.Generator`.
    RandomGenerator,
    /// `PolynomialType(..)`: a `numpy.polynomial.Polynomial`, its coefficients, domain and window, which are arrays.
    Polynomial([Type; 3]),
    /// `UniTuple(T x n)`
    UniTuple(Type, u32),
    /// `Tuple(T, U, ..)`; never homogeneous with n >= 1 (that is `UniTuple`), and `Tuple()` for the empty one.
    Tuple(Vec<Type>),
    /// `NamedTuple(..)`: class name, fields, types.
    NamedTuple(String, Vec<String>, Vec<Type>),
    /// `*args` inside the callee: a tuple type with this mark.
    StarArgTuple(Vec<Type>),
    /// An array.
    Array(ArrayType),
    /// `Record(a[type=int64;offset=0];8;False)`: an element of a structured array, or a structured scalar.
    Record(RecordType),
    /// `nestedarray(T, (2, 3))`: an array that is a field of a record. Only fields are of such a type; their values are arrays.
    NestedArray { dtype: Type, shape: Vec<u32> },
    /// `bytearray(uint8, 1d, C)`: memory of a Python object.
    Buffer {
        class: BufferClass,
        array: ArrayType,
    },
    /// `[char x n]`: bytes of a fixed length, NumPy's `S`.
    CharSeq(u32),
    /// `[unichr x n]`: characters of a fixed length, NumPy's `U`.
    UnicodeCharSeq(u32),
    /// `range_state_int64`
    Range(Type),
    /// `range_iter_int64`; with a tuple as item, `range_iter_int64x2`, over every index of a shape.
    RangeIter(Type),
    /// `pair<T, bool>`, what `iternext` gives.
    Pair(Type, Type),
    /// `enumerate(iterator)`
    Enumerate(Type),
    /// `zip(iterators)`
    Zip(Vec<Type>),
    /// `iter(array(..))`
    ArrayIter(Type),
    /// `flat_iter(array(..))`: over the elements of an array of any layout, in C order; `ndenumerate(array(..))` with their
    /// indices.
    FlatIter { array: Type, indexed: bool },
    /// `nditer(2, array(..), ..)`: over the elements of arrays that are broadcast to `ndim` axes, as arrays without axes.
    NdIter { ndim: u8, items: Vec<Type> },
    /// `iter(UniTuple(..))`
    UniTupleIter(Type),
    /// `slice<a:b>`: no step.
    Slice2,
    /// `slice<a:b:c>`
    Slice3,
    /// A slice of constants.
    SliceLiteral(Box<[Const; 3]>),
    /// A library function or class, by qualified name: prints `Function(<built-in function add>)`.
    Function { name: String, repr: String },
    /// A bound method or attribute function: `BoundFunction(array.sum for array(..))`.
    BoundMethod { receiver: Type, method: String },
    /// A module.
    Module(String),
    /// `class(int64)`: a scalar class used as a value or callable.
    NumberClass(Type),
    /// `dtype(float64)`
    DType(Type),
    /// `typeref[T]`: a class used as a value (`isinstance(x, int)`, numbra types).
    TypeRef(Type),
    /// A Python class without a native type, by qualified name.
    Class(String),
    /// An exception class, by qualified name.
    ExceptionClass(String),
    /// An exception instance, by qualified class name.
    ExceptionInstance(String),
    /// A jitted function: `type(CPUDispatcher(<function f>))`.
    Dispatcher { id: DispatcherId, name: String },
    /// A local function or lambda. While some captured value is not known: index into the defining function's `nested`.
    /// When all are filled in (`whole`): number among the functions of the program that is being inferred, so that the
    /// value may be called wherever it is passed to.
    Closure {
        name: String,
        index: u32,
        whole: bool,
    },
    /// `list(T)` or `reflected list(T)`
    List { dtype: Type, reflected: bool },
    /// `iter(list(T))`
    ListIter(Type),
    /// `set(T)` or `reflected set(T)`
    Set { dtype: Type, reflected: bool },
    /// `iter(set(T))`
    SetIter(Type),
    /// `iter_unicode`: an iterator over the characters of a string.
    TextIter,
    /// `FunctionType[float64(float64)]`: the address of a C function.
    FunctionType { ret: Type, params: Vec<Type> },
    /// `float64*`: an address in memory that no array of ours owns; without a type `void*`.
    Pointer(Option<Type>),
    /// The body of a `with objmode` statement as a function; it gives a tuple of its outputs.
    ObjectBlock(Type),
    /// What calling a generator function gives: name of the function, what it yields, types of its parameters.
    Generator {
        name: String,
        yields: Type,
        args: Vec<Type>,
    },
    /// `Enum<int64>(Color)`, `IntEnum<int64>(Shape)`: a member of an enumeration, kept as its value.
    EnumMember {
        class: String,
        dtype: Type,
        /// `IntEnum`: the member is an integer.
        is_int: bool,
    },
    /// `LiteralList((Literal[int](1), unicode_type))`: a list display whose items have no common type.
    LiteralList(Vec<Type>),
    /// A type defined in Python: class number, key and printed name; its hooks are Host calls.
    Ext {
        class: u32,
        key: String,
        name: String,
    },
}

impl TypeKind {
    /// True for the types of iterators: what `iter` gives back as it is, and `next` advances.
    pub fn is_iterator(&self) -> bool {
        matches!(
            self,
            TypeKind::RangeIter(_)
                | TypeKind::Enumerate(_)
                | TypeKind::Zip(_)
                | TypeKind::ArrayIter(_)
                | TypeKind::FlatIter { .. }
                | TypeKind::NdIter { .. }
                | TypeKind::UniTupleIter(_)
                | TypeKind::ListIter(_)
                | TypeKind::SetIter(_)
                | TypeKind::TextIter
                | TypeKind::Generator { .. }
        )
    }

    /// The types that this one is made of.
    pub fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        match self {
            TypeKind::Optional(ty)
            | TypeKind::UniTuple(ty, _)
            | TypeKind::Range(ty)
            | TypeKind::RangeIter(ty)
            | TypeKind::Enumerate(ty)
            | TypeKind::ArrayIter(ty)
            | TypeKind::FlatIter { array: ty, .. }
            | TypeKind::UniTupleIter(ty)
            | TypeKind::ListIter(ty)
            | TypeKind::SetIter(ty)
            | TypeKind::NumberClass(ty)
            | TypeKind::DType(ty)
            | TypeKind::TypeRef(ty)
            | TypeKind::Pointer(Some(ty))
            | TypeKind::Array(ArrayType { dtype: ty, .. })
            | TypeKind::NestedArray { dtype: ty, .. }
            | TypeKind::Buffer {
                array: ArrayType { dtype: ty, .. },
                ..
            }
            | TypeKind::BoundMethod { receiver: ty, .. }
            | TypeKind::EnumMember { dtype: ty, .. }
            | TypeKind::List { dtype: ty, .. }
            | TypeKind::Set { dtype: ty, .. } => each(*ty),
            TypeKind::Pair(a, b) => {
                each(*a);
                each(*b);
            }
            TypeKind::ObjectBlock(outputs) => each(*outputs),
            TypeKind::FunctionType {
                ret: yields,
                params: args,
            }
            | TypeKind::Generator { yields, args, .. } => {
                each(*yields);
                args.iter().for_each(|ty| each(*ty));
            }
            TypeKind::Tuple(items)
            | TypeKind::NamedTuple(_, _, items)
            | TypeKind::StarArgTuple(items)
            | TypeKind::LiteralList(items)
            | TypeKind::NdIter { items, .. }
            | TypeKind::Zip(items) => items.iter().for_each(|ty| each(*ty)),
            TypeKind::Polynomial(parts) => parts.iter().for_each(|ty| each(*ty)),
            TypeKind::Record(record) => record.fields.iter().for_each(|field| each(field.ty)),
            TypeKind::CharSeq(_)
            | TypeKind::UnicodeCharSeq(_)
            | TypeKind::Pointer(None)
            | TypeKind::Undefined
            | TypeKind::PyObject
            | TypeKind::None
            | TypeKind::Ellipsis
            | TypeKind::Scalar(..)
            | TypeKind::Literal(_)
            | TypeKind::Omitted(_)
            | TypeKind::Unicode
            | TypeKind::Bytes
            | TypeKind::RandomGenerator
            | TypeKind::Datetime(_)
            | TypeKind::Timedelta(_)
            | TypeKind::Slice2
            | TypeKind::Slice3
            | TypeKind::SliceLiteral(_)
            | TypeKind::Function { .. }
            | TypeKind::Module(_)
            | TypeKind::Class(_)
            | TypeKind::ExceptionClass(_)
            | TypeKind::ExceptionInstance(_)
            | TypeKind::Dispatcher { .. }
            | TypeKind::Closure { .. }
            | TypeKind::TextIter
            | TypeKind::Ext { .. } => {}
        }
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

    /// The element type of a list and whether it is reflected.
    pub fn as_list(&self, ty: Type) -> Option<(Type, bool)> {
        match self.kind(ty) {
            TypeKind::List { dtype, reflected } => Some((*dtype, *reflected)),
            _ => None,
        }
    }

    /// `list(dtype)`
    pub fn list(&self, dtype: Type) -> Type {
        self.intern(TypeKind::List {
            dtype,
            reflected: false,
        })
    }

    /// `set(dtype)`
    pub fn set(&self, dtype: Type) -> Type {
        self.intern(TypeKind::Set {
            dtype,
            reflected: false,
        })
    }

    /// The element type of a set and whether it is reflected.
    pub fn as_set(&self, ty: Type) -> Option<(Type, bool)> {
        match self.kind(ty) {
            TypeKind::Set { dtype, reflected } => Some((*dtype, *reflected)),
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
        match self.kind(ty) {
            TypeKind::Undefined => true,
            TypeKind::Array(array) => array.dtype == Type::UNDEFINED,
            TypeKind::List { dtype, .. } | TypeKind::Set { dtype, .. } => self.is_imprecise(*dtype),
            TypeKind::Optional(inner) => *inner == Type::UNDEFINED,
            TypeKind::UniTuple(item, _) => *item == Type::UNDEFINED,
            TypeKind::Tuple(items) => items.contains(&Type::UNDEFINED),
            _ => false,
        }
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
        match self.kind(ty) {
            TypeKind::Literal(Const::Int(_)) => Type::INT64,
            TypeKind::Literal(Const::Bool(_)) => Type::BOOL,
            TypeKind::Literal(Const::Str(_)) => Type::UNICODE,
            TypeKind::SliceLiteral(parts) => {
                if parts[2] == Const::None {
                    Type::SLICE2
                } else {
                    Type::SLICE3
                }
            }
            TypeKind::Tuple(items) => {
                let items: Vec<Type> = items.iter().map(|t| self.unliteral(*t)).collect();
                self.tuple(&items)
            }
            TypeKind::UniTuple(item, n) => {
                let item = self.unliteral(*item);
                self.intern(TypeKind::UniTuple(item, *n))
            }
            _ => ty,
        }
    }

    /// The text of a type, as Numba prints it.
    pub fn display(&self, ty: Type) -> DisplayType<'_> {
        DisplayType { types: self, ty }
    }
}

impl fmt::Debug for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Types({} in the table)", self.table_len())
    }
}

/// See [`Types::display`].
pub struct DisplayType<'a> {
    types: &'a Types,
    ty: Type,
}

impl fmt::Display for DisplayType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |ty: &Type| self.types.display(*ty);
        let list = |f: &mut fmt::Formatter<'_>, items: &[Type]| -> fmt::Result {
            for (i, item) in items.iter().enumerate() {
                write!(
                    f,
                    "{}{}",
                    if i > 0 { ", " } else { "" },
                    self.types.display(*item)
                )?;
            }
            Ok(())
        };
        match self.types.kind(self.ty) {
            TypeKind::Undefined => f.write_str("undefined"),
            TypeKind::PyObject => f.write_str("pyobject"),
            TypeKind::None => f.write_str("none"),
            TypeKind::Ellipsis => f.write_str("ellipsis"),
            TypeKind::Scalar(scalar, Flavor::Numpy) => f.write_str(scalar.name()),
            TypeKind::Scalar(scalar, Flavor::Python) => write!(f, "py_{}", scalar.name()),
            TypeKind::Datetime(unit) => write!(f, "datetime64[{}]", unit.name()),
            TypeKind::Timedelta(unit) => write!(f, "timedelta64[{}]", unit.name()),
            TypeKind::Literal(Const::Str(s)) => write!(f, "Literal[str]({s})"),
            TypeKind::Literal(value) => write!(f, "Literal[{}]({value})", value.type_name()),
            TypeKind::Omitted(value) => write!(f, "omitted(default={value})"),
            TypeKind::Optional(inner) => write!(f, "OptionalType({})", show(inner)),
            TypeKind::Unicode => f.write_str("unicode_type"),
            TypeKind::Bytes => f.write_str("bytes"),
            TypeKind::RandomGenerator => f.write_str("NumPyRandomGeneratorType"),
            TypeKind::Polynomial(parts) => {
                f.write_str("PolynomialType(")?;
                list(f, parts)?;
                f.write_str(", 1)")
            }
            TypeKind::UniTuple(item, n) => write!(f, "UniTuple({} x {n})", show(item)),
            TypeKind::Tuple(items) => {
                f.write_str("Tuple(")?;
                list(f, items)?;
                f.write_str(")")
            }
            TypeKind::StarArgTuple(items) => {
                f.write_str("StarArgTuple(")?;
                list(f, items)?;
                f.write_str(")")
            }
            TypeKind::NamedTuple(name, fields, items) => {
                write!(f, "{name}(")?;
                for (i, (field, item)) in fields.iter().zip(items).enumerate() {
                    write!(
                        f,
                        "{}{field}: {}",
                        if i > 0 { ", " } else { "" },
                        show(item)
                    )?;
                }
                f.write_str(")")
            }
            TypeKind::Array(a) => {
                if !a.mutable {
                    f.write_str("readonly ")?;
                }
                if !a.aligned {
                    f.write_str("unaligned ")?;
                }
                write!(
                    f,
                    "array({}, {}d, {})",
                    show(&a.dtype),
                    a.ndim,
                    a.layout.letter()
                )
            }
            TypeKind::Record(record) => record.display(f, &|f, ty| show(&ty).fmt(f), false),
            TypeKind::NestedArray { dtype, shape } => {
                write!(f, "nestedarray({}, {})", show(dtype), shape_text(shape))
            }
            TypeKind::Buffer { class, array } => {
                if !array.mutable {
                    f.write_str("readonly ")?;
                }
                write!(
                    f,
                    "{}({}, {}d, {})",
                    class.name(),
                    show(&array.dtype),
                    array.ndim,
                    array.layout.letter()
                )
            }
            TypeKind::CharSeq(n) => write!(f, "[char x {n}]"),
            TypeKind::UnicodeCharSeq(n) => write!(f, "[unichr x {n}]"),
            TypeKind::Range(item) => write!(f, "range_state_{}", show(item)),
            TypeKind::RangeIter(item) => match self.types.uniform_tuple(*item) {
                Some((item, n)) => write!(f, "range_iter_{}x{n}", show(&item)),
                None if self.types.tuple_items(*item).is_some() => {
                    f.write_str("range_iter_int64x0")
                }
                None => write!(f, "range_iter_{}", show(item)),
            },
            TypeKind::Pair(a, b) => write!(f, "pair<{}, {}>", show(a), show(b)),
            TypeKind::Enumerate(iter) => write!(f, "enumerate({})", show(iter)),
            TypeKind::Zip(iters) => {
                f.write_str("zip(")?;
                list(f, iters)?;
                f.write_str(")")
            }
            TypeKind::NdIter { ndim, items } => {
                write!(f, "nditer({ndim}, ")?;
                list(f, items)?;
                f.write_str(")")
            }
            TypeKind::FlatIter { array, indexed } => {
                let name = if *indexed { "ndenumerate" } else { "flat_iter" };
                write!(f, "{name}({})", show(array))
            }
            TypeKind::TextIter => f.write_str("iter_unicode"),
            TypeKind::ArrayIter(of)
            | TypeKind::UniTupleIter(of)
            | TypeKind::ListIter(of)
            | TypeKind::SetIter(of) => {
                write!(f, "iter({})", show(of))
            }
            TypeKind::FunctionType { ret, params } => {
                write!(f, "FunctionType[{}(", show(ret))?;
                list(f, params)?;
                f.write_str(")]")
            }
            TypeKind::Pointer(Some(to)) => write!(f, "{}*", show(to)),
            TypeKind::Pointer(None) => f.write_str("void*"),
            TypeKind::ObjectBlock(outputs) => {
                write!(f, "type(ObjModeLiftedWith({}))", show(outputs))
            }
            TypeKind::Generator { name, yields, args } => {
                write!(
                    f,
                    "{} generator(func=<function {name}>, args=(",
                    show(yields)
                )?;
                list(f, args)?;
                let comma = if args.len() == 1 { "," } else { "" };
                write!(f, "{comma}), has_finalizer=True)")
            }
            TypeKind::Slice2 => f.write_str("slice<a:b>"),
            TypeKind::Slice3 => f.write_str("slice<a:b:c>"),
            TypeKind::SliceLiteral(parts) => write!(
                f,
                "Literal[slice](slice({}, {}, {}))",
                parts[0], parts[1], parts[2]
            ),
            TypeKind::Function { repr, .. } => write!(f, "Function({repr})"),
            TypeKind::BoundMethod { receiver, method } => {
                write!(f, "BoundFunction({method} for {})", show(receiver))
            }
            TypeKind::Module(name) => write!(f, "Module({name})"),
            TypeKind::NumberClass(ty) => write!(f, "class({})", show(ty)),
            TypeKind::DType(ty) => write!(f, "dtype({})", show(ty)),
            TypeKind::TypeRef(ty) => write!(f, "typeref[{}]", show(ty)),
            TypeKind::Class(name) => write!(f, "<class '{name}'>"),
            TypeKind::ExceptionClass(name) => write!(f, "<class '{name}'>"),
            TypeKind::ExceptionInstance(name) => write!(f, "{name}()"),
            TypeKind::Dispatcher { name, .. } => {
                write!(f, "type(CPUDispatcher(<function {name}>))")
            }
            TypeKind::Closure { name, .. } => write!(f, "make_function({name})"),
            TypeKind::List { dtype, reflected } => {
                write!(
                    f,
                    "{}list({})<iv=None>",
                    if *reflected { "reflected " } else { "" },
                    show(dtype)
                )
            }
            TypeKind::Set { dtype, reflected } => {
                write!(
                    f,
                    "{}set({})",
                    if *reflected { "reflected " } else { "" },
                    show(dtype)
                )
            }
            TypeKind::EnumMember {
                class,
                dtype,
                is_int,
            } => {
                let word = if *is_int { "IntEnum" } else { "Enum" };
                let short = class.rsplit('.').next().unwrap_or(class);
                write!(f, "{word}<{}>({short})", show(dtype))
            }
            TypeKind::LiteralList(items) => {
                f.write_str("LiteralList((")?;
                list(f, items)?;
                f.write_str("))")
            }
            TypeKind::Ext { name, .. } => f.write_str(name),
        }
    }
}
