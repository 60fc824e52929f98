//! The table of the kinds of types, and what this crate knows of each.
//!
//! A row of [`type_kinds!`] names a kind and its fields; a file beside this one, that of its family, implements
//! [`Kind`] for it: text, parts, algebra, truth value, iteration. Other crates implement traits of their own for the same
//! rows (data models in lowering, objects in the extension module) and reach them by [`with_kind!`](crate::with_kind), so
//! that nothing but those files names all kinds, and a kind that lacks one of them does not compile.

use super::text::{Reader, Writer};
use super::{ArrayType, BufferClass, DictPart, Flavor, ListClass};
use crate::lattice::{Conversion, Lattice};
use crate::records::RecordType;
use crate::text::Parse;
use crate::{Const, DispatcherId, TimeUnit, Type, Types};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What numbra-ir knows of the types of one kind.
pub(crate) trait Kind: Sized {
    /// True for the words with which texts of such types begin, after their marks. Another kind of the family may read them.
    fn is_word(_word: &str) -> bool {
        false
    }

    /// Reads what follows the word.
    fn read(word: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        r.c.error(format!("`{word}` begins no type"))
    }

    /// Writes the text of the type: Numba's, or the exact one where that says too little.
    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result;

    /// The types that it is made of.
    fn for_each_part(&self, _each: &mut dyn FnMut(Type)) {}

    /// The family by which the library names its attributes and methods: `list` of `list.append`.
    fn family(&self) -> Option<&'static str> {
        None
    }

    /// True for containers that grow: what an empty one holds follows from its uses, and threads must not change it at once.
    fn is_container(&self) -> bool {
        false
    }

    /// The type of the value that it is a view, an iterator or a method of.
    fn view_of(&self) -> Option<Type> {
        None
    }

    /// The type of such containers that stand for no Python object; `None` for others.
    fn unreflected(&self, _types: &Types) -> Option<Type> {
        None
    }

    /// What a user calls a value of it in a message, with its article: `a list`.
    fn noun(&self) -> Option<&'static str> {
        None
    }

    /// True for iterators: what `iter` gives back as it is, and `next` advances.
    fn is_iterator(&self) -> bool {
        false
    }

    /// What `iter(x)` gives for an `x` of this type, which is `ty`.
    fn iterator(&self, _types: &Types, ty: Type) -> Option<Type> {
        self.is_iterator().then_some(ty)
    }

    /// What an iterator of this type yields.
    fn item(&self, _types: &Types) -> Option<Type> {
        None
    }

    /// True for what `bool(x)`, `not x` and `if x:` take.
    fn has_truth(&self) -> bool {
        false
    }

    /// True if a part of the type is not known.
    fn is_imprecise(&self, _types: &Types) -> bool {
        false
    }

    /// The type without its literal value; `None` if it has none.
    fn unliteral(&self, _types: &Types) -> Option<Type> {
        None
    }

    /// The common type of this and another type of the kind, which differ. Without an answer conversion decides.
    fn unify(&self, _other: &Self, _lattice: &Lattice<'_>) -> Unified {
        Unified::ByConversion
    }

    /// The cost of the implicit conversion to another type of the kind.
    fn convert(&self, _to: &Self, _lattice: &Lattice<'_>) -> Option<Conversion> {
        None
    }
}

/// The text of a kind without fields: a word.
macro_rules! word_alone {
    ($kind:ident, $word:literal) => {
        fn is_word(word: &str) -> bool {
            word == $word
        }

        fn read(_: &str, _: &mut Reader<'_, '_>) -> Parse<TypeKind> {
            Ok(TypeKind::$kind)
        }

        fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
            fmt::Write::write_str(w, $word)
        }
    };
}

/// The text and the part of a kind that is made of one type: `word(T)`.
macro_rules! one_part {
    ($kind:ident, $word:literal, $field:ident) => {
        fn is_word(word: &str) -> bool {
            word == $word
        }

        fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
            Ok(TypeKind::$kind(r.one()?))
        }

        fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
            w.one($word, *self.$field)
        }

        fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
            each(*self.$field);
        }
    };
}

/// The text and the part of an iterator over a type, `iter(T)`, which [`super::iterator`] reads.
macro_rules! iterator_over {
    ($field:ident) => {
        fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
            w.one("iter", *self.$field)
        }

        fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
            each(*self.$field);
        }

        fn is_iterator(&self) -> bool {
            true
        }

        fn view_of(&self) -> Option<Type> {
            Some(*self.$field)
        }
    };
}

/// The text and the parts of a kind that is made of a list of types: `word(T, U)`.
macro_rules! many_parts {
    ($kind:ident, $word:literal, $field:ident) => {
        fn is_word(word: &str) -> bool {
            word == $word
        }

        fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
            Ok(TypeKind::$kind(r.many()?))
        }

        fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
            w.many($word, self.$field)
        }

        fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
            self.$field.iter().for_each(|ty| each(*ty));
        }
    };
}

/// What [`Kind::unify`] says.
pub(crate) enum Unified {
    /// To this one, or there is none.
    To(Option<Type>),
    /// To the one that the other converts to without loss.
    ByConversion,
}

/// Declares [`TypeKind`], a view of each of its rows in [`kinds`], and [`with_kind!`](crate::with_kind).
macro_rules! type_kinds {
    ($d:tt $(
        $(#[$doc:meta])*
        $kind:ident $( ( $($at:ident : $at_ty:ty),* ) )? $( { $($field:ident : $field_ty:ty),* $(,)? } )?;
    )*) => {
        /// What a [`Type`] is.
        #[allow(missing_docs, reason = "each row's doc comment shows its fields")]
        #[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        pub enum TypeKind {
            $(
                $(#[$doc])*
                $kind $( ( $($at_ty),* ) )? $( { $($field: $field_ty),* } )?,
            )*
        }

        /// The fields of each kind by reference: what traits over kinds are implemented for.
        #[allow(missing_docs, reason = "each row's doc comment shows its fields")]
        pub mod kinds {
            use super::*;
            $(
                $(#[$doc])*
                #[derive(Clone, Copy, Debug)]
                pub struct $kind<'a> {
                    /// The whole.
                    pub kind: &'a TypeKind,
                    $( $(pub $at: &'a $at_ty,)* )?
                    $( $(pub $field: &'a $field_ty,)* )?
                }
            )*
        }

        /// `with_kind!(kind, k => body)`: the value of `body`, with `k` the view in [`kinds`] of this `&TypeKind`. The body
        /// is compiled for each kind: the way to a trait that is implemented for all of them.
        #[macro_export]
        macro_rules! with_kind {
            ($d kind:expr, $d k:ident => $d body:expr) => {{
                let whole: &$crate::TypeKind = $d kind;
                match whole {
                    $(
                        $crate::TypeKind::$kind $( ( $($at),* ) )? $( { $($field),* } )? => {
                            let $d k = $crate::kinds::$kind {
                                kind: whole,
                                $( $($at,)* )?
                                $( $($field,)* )?
                            };
                            $d body
                        }
                    )*
                }
            }};
        }

        /// The value of `body` with the views of two types of one kind; `None` for types of two kinds.
        macro_rules! with_same_kind {
            ($d one:expr, $d other:expr, ($d a:ident, $d b:ident) => $d body:expr) => {{
                let (one, other): (&TypeKind, &TypeKind) = ($d one, $d other);
                match one {
                    $(
                        TypeKind::$kind $( ( $($at),* ) )? $( { $($field),* } )? => {
                            let $d a = $crate::types::kinds::$kind {
                                kind: one,
                                $( $($at,)* )?
                                $( $($field,)* )?
                            };
                            match other {
                                TypeKind::$kind $( ( $($at),* ) )? $( { $($field),* } )? => {
                                    let $d b = $crate::types::kinds::$kind {
                                        kind: other,
                                        $( $($at,)* )?
                                        $( $($field,)* )?
                                    };
                                    Some($d body)
                                }
                                _ => None,
                            }
                        }
                    )*
                }
            }};
        }

        /// `each_kind!(K => { .. })`: the block once for each kind, with `K` the view in [`kinds`].
        #[macro_export]
        macro_rules! each_kind {
            ($d view:ident => $d body:block) => {
                $(
                    {
                        type $d view<'a> = $crate::kinds::$kind<'a>;
                        $d body
                    }
                )*
            };
        }
    };
}

type_kinds! { $
    /// Not known: Numba's `undefined`; the element of an empty list.
    Undefined;
    /// A Python object that has no native type: `pyobject`.
    PyObject;
    /// `none`
    None;
    /// `ellipsis`
    Ellipsis;
    /// A number or boolean.
    Scalar(scalar: crate::Scalar, flavor: Flavor);
    /// `Literal[int](1)`, `Literal[bool](True)`, `Literal[str](a)`: a type of one value.
    Literal(value: Const);
    /// `omitted(default=1)`: an argument left to its default.
    Omitted(value: Const);
    /// `datetime64[D]`
    Datetime(unit: TimeUnit);
    /// `timedelta64[ms]`
    Timedelta(unit: TimeUnit);
    /// `OptionalType(T)`
    Optional(inner: Type);
    /// `unicode_type`
    Unicode;
    /// `bytes`
    Bytes;
    /// `NumPyRandomGeneratorType`: a `numpy.random.Generator`.
    RandomGenerator;
    /// `PolynomialType(..)`: a `numpy.polynomial.Polynomial`, its coefficients, domain and window, which are arrays.
    Polynomial(parts: [Type; 3]);
    /// `UniTuple(T x n)`
    UniTuple(item: Type, count: u32);
    /// `Tuple(T, U, ..)`; never homogeneous with n >= 1 (that is `UniTuple`), and `Tuple()` for the empty one.
    Tuple(items: Vec<Type>);
    /// `NamedTuple(..)`: class name, fields, types.
    NamedTuple(name: String, fields: Vec<String>, items: Vec<Type>);
    /// `*args` inside the callee: a tuple type with this mark.
    StarArgTuple(items: Vec<Type>);
    /// An array.
    Array(array: ArrayType);
    /// `Record(a[type=int64;offset=0];8;False)`: an element of a structured array, or a structured scalar.
    Record(record: RecordType);
    /// `nestedarray(T, (2, 3))`: an array that is a field of a record. Only fields are of such a type; their values are
    /// arrays.
    NestedArray { dtype: Type, shape: Vec<u32> };
    /// `bytearray(uint8, 1d, C)`: memory of a Python object.
    Buffer { class: BufferClass, array: ArrayType };
    /// `[char x n]`: bytes of a fixed length, NumPy's `S`.
    CharSeq(count: u32);
    /// `[unichr x n]`: characters of a fixed length, NumPy's `U`.
    UnicodeCharSeq(count: u32);
    /// `range_state_int64`
    Range(item: Type);
    /// `range_iter_int64`; with a tuple as item, `range_iter_int64x2`, over every index of a shape.
    RangeIter(item: Type);
    /// `pair<T, bool>`, what `iternext` gives.
    Pair(first: Type, second: Type);
    /// `enumerate(iterator)`
    Enumerate(inner: Type);
    /// `zip(iterators)`
    Zip(inners: Vec<Type>);
    /// `iter(array(..))`
    ArrayIter(array: Type);
    /// `flat_iter(array(..))`: over the elements of an array of any layout, in C order; `ndenumerate(array(..))` with
    /// their indices.
    FlatIter { array: Type, indexed: bool };
    /// `nditer(2, array(..), ..)`: over the elements of arrays that are broadcast to `ndim` axes, as arrays without axes.
    NdIter { ndim: u8, items: Vec<Type> };
    /// `iter(UniTuple(..))`
    UniTupleIter(tuple: Type);
    /// `slice<a:b>`: no step.
    Slice2;
    /// `slice<a:b:c>`
    Slice3;
    /// A slice of constants.
    SliceLiteral(parts: Box<[Const; 3]>);
    /// A library function or class, by qualified name: prints `Function(<built-in function add>)`.
    Function { name: String, repr: String };
    /// A bound method or attribute function: `BoundFunction(array.sum for array(..))`.
    BoundMethod { receiver: Type, method: String };
    /// A module.
    Module(name: String);
    /// `class(int64)`: a scalar class used as a value or callable.
    NumberClass(ty: Type);
    /// `dtype(float64)`
    DType(ty: Type);
    /// `typeref[T]`: a class used as a value (`isinstance(x, int)`, numbra types).
    TypeRef(ty: Type);
    /// A Python class without a native type, by qualified name.
    Class(name: String);
    /// An exception class, by qualified name.
    ExceptionClass(name: String);
    /// An exception instance, by qualified class name.
    ExceptionInstance(name: String);
    /// A jitted function: `type(CPUDispatcher(<function f>))`.
    Dispatcher { id: DispatcherId, name: String };
    /// A local function or lambda. While some captured value is not known: index into the defining function's `nested`.
    /// When all are filled in (`whole`): number among the functions of the program that is being inferred, so that the
    /// value may be called wherever it is passed to.
    Closure { name: String, index: u32, whole: bool };
    /// `list(T)`, `reflected list(T)` or `ListType[T]`
    List { dtype: Type, class: ListClass };
    /// `iter(list(T))`
    ListIter(list: Type);
    /// `set(T)`, `reflected set(T)` or `SetType[T]`
    Set { dtype: Type, class: ListClass };
    /// `iter(set(T))`
    SetIter(set: Type);
    /// `DictType[K,V]`
    Dict { key: Type, value: Type };
    /// `keys[DictType[K,V]]`, `values[..]`, `items[..]`
    DictView { dict: Type, part: DictPart };
    /// An iterator over a view of a dictionary.
    DictIter { dict: Type, part: DictPart };
    /// `iter_unicode`: an iterator over the characters of a string.
    TextIter;
    /// `FunctionType[float64(float64)]`: a function of this signature, compiled or of C, by its address.
    FunctionType { ret: Type, params: Vec<Type> };
    /// `UndefinedFunctionType(type(CPUDispatcher(<function f>)), ..)`: one of several jitted functions, which are ascending. Each
    /// call says at which types they run.
    FunctionChoice(members: Vec<Type>);
    /// `float64*`: an address in memory that no array of ours owns; without a type `void*`.
    Pointer(to: Option<Type>);
    /// The body of a `with objmode` statement as a function; it gives a tuple of its outputs.
    ObjectBlock(outputs: Type);
    /// What calling a generator function gives: name of the function, what it yields, types of its parameters.
    Generator { name: String, yields: Type, args: Vec<Type> };
    /// `Enum<int64>(Color)`, `IntEnum<int64>(Shape)`: a member of an enumeration, kept as its value; `is_int` of an
    /// `IntEnum`, whose members are integers.
    EnumMember { class: String, dtype: Type, is_int: bool };
    /// `LiteralList((Literal[int](1), unicode_type))`: a list display whose items have no common type.
    LiteralList(items: Vec<Type>);
    /// `LiteralStrKey[Dict]({Literal[str](a): Literal[int](1), Literal[str](b): unicode_type})`: a display of a dictionary whose
    /// keys are constant strings, and whose values have no common type.
    LiteralDict { keys: Vec<Type>, items: Vec<Type> };
    /// `list(int64)<iv=[1, 2]>`, `DictType[unicode_type,int64]<iv={'a': 1}>`: a display of constants and what it holds at first, a
    /// tuple of items or of pairs. Only arguments of functions that ask for literals are of such a type, and values in displays.
    Initial { of: Type, value: Const };
    /// A type defined in Python: class number, key and printed name; its hooks are Host calls.
    Ext { class: u32, key: String, name: String };
}

/// Reads the type whose text begins with a word: `None` where no kind has it.
pub(super) fn read_kind(word: &str, r: &mut Reader<'_, '_>) -> Option<Parse<TypeKind>> {
    each_kind!(View => {
        if View::is_word(word) {
            return Some(View::read(word, r));
        }
    });
    None
}

impl TypeKind {
    /// True for the types of iterators: what `iter` gives back as it is, and `next` advances.
    pub fn is_iterator(&self) -> bool {
        with_kind!(self, kind => kind.is_iterator())
    }

    /// The types that this one is made of.
    pub fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        with_kind!(self, kind => kind.for_each_part(each));
    }

    /// The family by which the library names the attributes and methods of values: `list` of `list.append`.
    pub fn family(&self) -> Option<&'static str> {
        with_kind!(self, kind => kind.family())
    }

    /// True for containers that grow: what an empty one holds follows from its uses, and threads must not change it at once.
    pub fn is_container(&self) -> bool {
        with_kind!(self, kind => kind.is_container())
    }

    /// The type of the value that it is a view, an iterator or a method of.
    pub fn view_of(&self) -> Option<Type> {
        with_kind!(self, kind => kind.view_of())
    }

    /// What a user calls a value of this type in a message, with its article: `a list`.
    pub fn noun(&self) -> Option<&'static str> {
        with_kind!(self, kind => kind.noun())
    }
}
