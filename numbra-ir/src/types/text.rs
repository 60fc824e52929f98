//! Types in text: Numba's printed form where it says everything, else an exact form of ours.
//!
//! Exact forms: `Literal[str]("a b")`, `Function(numpy.sin, "<ufunc 'sin'>")`, `NamedTuple(Point, x: int64)`,
//! `<exception class 'builtins.ValueError'>`, `exception('builtins.ValueError')`, `dispatcher(3, f)`,
//! `make_function(g, 0)`, `ext(2, "key", "Name")`. The parser reads both forms where Numba's is not ambiguous.
//!
//! A text is marks (`readonly`, `unaligned`, `reflected`), a word (`array`, `[char`, `<class`), and what the kind of that
//! word reads: see [`Kind::read`].

use super::kind::{Kind, read_kind};
use crate::text::{Cursor, Parse, ParseError, quote_name};
use crate::{Type, TypeKind, Types};
use std::fmt::{self, Write};

impl Types {
    /// The text of a type, as Numba prints it.
    pub fn display(&self, ty: Type) -> TypeText<'_> {
        TypeText {
            types: self,
            ty,
            exact: false,
        }
    }

    /// The exact text of a type: what [`Types::parse`] reads back as the same type.
    pub fn text(&self, ty: Type) -> TypeText<'_> {
        TypeText {
            types: self,
            ty,
            exact: true,
        }
    }

    /// The type that a text such as `array(float64, 1d, C)` names. Strict: nothing may follow it.
    pub fn parse(&self, text: &str) -> Result<Type, ParseError> {
        let mut cursor = Cursor::new(text, 1);
        let ty = parse_type(&mut cursor, self)?;
        cursor.end()?;
        Ok(ty)
    }
}

/// See [`Types::display`] and [`Types::text`].
#[derive(Clone, Copy)]
pub struct TypeText<'a> {
    types: &'a Types,
    ty: Type,
    exact: bool,
}

impl fmt::Display for TypeText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut writer = Writer {
            types: self.types,
            exact: self.exact,
            out: f,
        };
        with_kind!(self.types.kind(self.ty), kind => kind.write(&mut writer))
    }
}

/// Where the text of a type goes.
pub(crate) struct Writer<'a, 'f> {
    pub(super) types: &'a Types,
    /// The text is for the parser; else it is Numba's.
    pub(super) exact: bool,
    out: &'a mut fmt::Formatter<'f>,
}

impl fmt::Write for Writer<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_str(text)
    }
}

impl<'a> Writer<'a, '_> {
    /// A type that is a part of this one, in the same form.
    pub(super) fn show(&self, ty: Type) -> TypeText<'a> {
        TypeText {
            types: self.types,
            ty,
            exact: self.exact,
        }
    }

    /// `word(T)`
    pub(super) fn one(&mut self, word: &str, ty: Type) -> fmt::Result {
        write!(self, "{word}({})", self.show(ty))
    }

    /// `T, U`
    pub(super) fn list(&mut self, items: &[Type]) -> fmt::Result {
        for (i, item) in items.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            write!(self, "{comma}{}", self.show(*item))?;
        }
        Ok(())
    }

    /// `word(T, U)`
    pub(super) fn many(&mut self, word: &str, items: &[Type]) -> fmt::Result {
        write!(self, "{word}(")?;
        self.list(items)?;
        self.write_str(")")
    }

    /// `word` where it holds, with a space after it.
    pub(super) fn mark(&mut self, word: &str, holds: bool) -> fmt::Result {
        match holds {
            true => write!(self, "{word} "),
            false => Ok(()),
        }
    }

    /// A name: quoted where the parser needs that.
    pub(super) fn name(&mut self, name: &str) -> fmt::Result {
        match self.exact {
            true => write!(self, "{}", quote_name(name)),
            false => self.write_str(name),
        }
    }
}

/// The words that may stand before that of a type.
const MARKS: [&str; 3] = ["readonly", "unaligned", "reflected"];

/// Reads the parts of one type.
pub(crate) struct Reader<'a, 't> {
    pub(super) c: &'a mut Cursor<'t>,
    pub(super) types: &'a Types,
    marks: Vec<&'t str>,
}

impl Reader<'_, '_> {
    /// True if this mark stands before the type. A kind asks for all marks that it knows.
    pub(super) fn takes_mark(&mut self, mark: &str) -> bool {
        let count = self.marks.len();
        self.marks.retain(|found| *found != mark);
        self.marks.len() < count
    }

    /// One type.
    pub(super) fn ty(&mut self) -> Parse<Type> {
        parse_type(self.c, self.types)
    }

    /// A type in brackets.
    pub(super) fn between(&mut self, open: &str, close: &str) -> Parse<Type> {
        self.c.expect(open)?;
        let ty = self.ty()?;
        self.c.expect(close)?;
        Ok(ty)
    }

    /// `(T)`
    pub(super) fn one(&mut self) -> Parse<Type> {
        self.between("(", ")")
    }

    /// `(T, U)`
    pub(super) fn many(&mut self) -> Parse<Vec<Type>> {
        self.c.expect("(")?;
        self.rest()
    }

    /// `T, U)`
    pub(super) fn rest(&mut self) -> Parse<Vec<Type>> {
        let types = self.types;
        self.c.list(")", |c| parse_type(c, types))
    }

    /// `(name)`
    pub(super) fn only_name(&mut self, what: &str) -> Parse<String> {
        self.c.expect("(")?;
        let name = self.c.name(what)?;
        self.c.expect(")")?;
        Ok(name)
    }
}

/// Reads one type.
pub(crate) fn parse_type(c: &mut Cursor<'_>, types: &Types) -> Parse<Type> {
    c.nested(|c| parse_kind(c, types))
        .map(|kind| types.intern(kind))
}

fn parse_kind(c: &mut Cursor<'_>, types: &Types) -> Parse<TypeKind> {
    let mut marks = Vec::new();
    while let Some(mark) = c.peek_word().filter(|word| MARKS.contains(word)) {
        c.word();
        marks.push(mark);
    }
    c.skip_space();
    let start = c.clone();
    let word = match c.take_while(|ch| matches!(ch, '[' | '<')) {
        "" => c.word().map(str::to_owned),
        open => c.word().map(|word| format!("{open}{word}")),
    };
    let Some(word) = word else {
        return start.error("expected a type");
    };
    let mut reader = Reader { c, types, marks };
    let kind = match read_kind(&word, &mut reader) {
        Some(kind) => kind?,
        None => return start.error(format!("unknown type `{word}`")),
    };
    match reader.marks.first() {
        Some(mark) => start.error(format!("`{mark}` says nothing of such a type")),
        None => Ok(kind),
    }
}

/// A Python name in single quotes.
pub(super) fn single_quoted(name: &str) -> String {
    format!("'{}'", name.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ArrayType, BufferClass, Const, DictPart, DispatcherId, Flavor, Layout, ListClass,
        RecordField, RecordType, Scalar, TimeUnit,
    };

    /// One type of every kind; extended by nesting below.
    fn kinds(types: &Types) -> Vec<Type> {
        let s = |s: &str| s.to_owned();
        let arr = types.array(Type::FLOAT64, 2, Layout::F);
        let tuple = types.tuple(&[Type::INT64, Type::FLOAT32]);
        let nested = types.intern(TypeKind::NestedArray {
            dtype: Type::INT16,
            shape: vec![2, 3],
        });
        let field = |name: &str, ty, offset, alignment, title: Option<&str>| RecordField {
            name: s(name),
            ty,
            offset,
            alignment,
            title: title.map(s),
        };
        let mut kinds = vec![
            TypeKind::Undefined,
            TypeKind::PyObject,
            TypeKind::None,
            TypeKind::Ellipsis,
            TypeKind::Literal(Const::Int(-1)),
            TypeKind::Literal(Const::Bool(true)),
            TypeKind::Literal(Const::Str(s("a \"b\")\n`"))),
            TypeKind::Literal(Const::Tuple(vec![Const::None, Const::float(f64::NAN)])),
            TypeKind::Omitted(Const::float(-0.0)),
            TypeKind::Omitted(Const::Bytes(b"\x00\"a\\'\xff".to_vec())),
            TypeKind::Optional(arr),
            TypeKind::Initial {
                of: types.list(Type::INT64),
                value: Const::Tuple(vec![Const::Int(1), Const::Int(-2)]),
            },
            TypeKind::LiteralDict {
                keys: vec![types.intern(TypeKind::Literal(Const::Str(s("a"))))],
                items: vec![arr],
            },
            TypeKind::Unicode,
            TypeKind::Bytes,
            TypeKind::RandomGenerator,
            TypeKind::Polynomial([arr; 3]),
            TypeKind::UniTuple(Type::INT64, 3),
            TypeKind::Tuple(vec![Type::INT64, arr]),
            TypeKind::Tuple(vec![]),
            TypeKind::NamedTuple(s("P"), vec![s("x"), s("in")], vec![Type::INT8, arr]),
            TypeKind::NamedTuple(s("Q"), vec![], vec![]),
            TypeKind::StarArgTuple(vec![Type::INT64, Type::INT64]),
            TypeKind::Range(Type::INT32),
            TypeKind::RangeIter(Type::UINT64),
            TypeKind::Pair(Type::INT64, Type::BOOL),
            TypeKind::Enumerate(types.intern(TypeKind::RangeIter(Type::INT64))),
            TypeKind::Zip(vec![Type::RANGE_ITER_INT64, Type::RANGE_ITER_INT64]),
            TypeKind::Zip(vec![]),
            TypeKind::ArrayIter(arr),
            TypeKind::FlatIter {
                array: arr,
                indexed: false,
            },
            TypeKind::FlatIter {
                array: arr,
                indexed: true,
            },
            TypeKind::UniTupleIter(types.intern(TypeKind::UniTuple(Type::INT64, 2))),
            TypeKind::NdIter {
                ndim: 2,
                items: vec![arr, Type::INT64],
            },
            TypeKind::CharSeq(5),
            TypeKind::Buffer {
                class: BufferClass::MemoryView,
                array: ArrayType {
                    dtype: Type::FLOAT64,
                    ndim: 2,
                    layout: Layout::F,
                    mutable: false,
                    aligned: true,
                },
            },
            TypeKind::Buffer {
                class: BufferClass::ByteArray,
                array: ArrayType {
                    dtype: Type::UINT8,
                    ndim: 1,
                    layout: Layout::C,
                    mutable: true,
                    aligned: true,
                },
            },
            TypeKind::UnicodeCharSeq(0),
            TypeKind::Record(RecordType {
                fields: vec![
                    field("a", Type::INT64, 0, None, None),
                    field(
                        "in ]",
                        types.intern(TypeKind::UnicodeCharSeq(3)),
                        8,
                        Some(4),
                        None,
                    ),
                    field("n", nested, 20, None, Some("a; title")),
                ],
                size: 40,
                aligned: true,
            }),
            TypeKind::Record(RecordType {
                fields: vec![],
                size: 0,
                aligned: false,
            }),
            TypeKind::Datetime(TimeUnit::Day),
            TypeKind::Datetime(TimeUnit::Generic),
            TypeKind::Timedelta(TimeUnit::Millisecond),
            TypeKind::Slice2,
            TypeKind::Slice3,
            TypeKind::SliceLiteral(Box::new([Const::Int(0), Const::None, Const::Int(-1)])),
            TypeKind::Function {
                name: s("numpy.sin"),
                repr: s("<ufunc 'sin'>"),
            },
            TypeKind::BoundMethod {
                receiver: arr,
                method: s("array.sum"),
            },
            TypeKind::Module(s("numpy.random")),
            TypeKind::NumberClass(Type::INT64),
            TypeKind::DType(Type::FLOAT32),
            TypeKind::TypeRef(arr),
            TypeKind::Class(s("a.<locals>.'B")),
            TypeKind::ExceptionClass(s("builtins.ValueError")),
            TypeKind::ExceptionInstance(s("builtins.KeyError")),
            TypeKind::Dispatcher {
                id: DispatcherId(7),
                name: s("f.<locals>.g"),
            },
            TypeKind::Closure {
                name: s("<lambda>"),
                index: 2,
                whole: false,
            },
            TypeKind::Closure {
                name: s("g h"),
                index: 0,
                whole: true,
            },
            TypeKind::Generator {
                name: s("<g>"),
                yields: tuple,
                args: vec![arr, Type::INT64],
            },
            TypeKind::FunctionType {
                ret: Type::NONE,
                params: vec![Type::INT64, tuple],
            },
            TypeKind::FunctionChoice(vec![
                types.intern(TypeKind::Dispatcher {
                    id: DispatcherId(1),
                    name: s("f"),
                }),
                types.intern(TypeKind::Dispatcher {
                    id: DispatcherId(2),
                    name: s("g"),
                }),
            ]),
            TypeKind::Pointer(Some(tuple)),
            TypeKind::Pointer(None),
            TypeKind::ObjectBlock(tuple),
            TypeKind::Generator {
                name: s("g"),
                yields: Type::NONE,
                args: Vec::new(),
            },
            TypeKind::List {
                dtype: tuple,
                class: ListClass::Reflected,
            },
            TypeKind::List {
                dtype: Type::UNDEFINED,
                class: ListClass::Local,
            },
            TypeKind::List {
                dtype: tuple,
                class: ListClass::Typed,
            },
            TypeKind::Dict {
                key: Type::UNICODE,
                value: tuple,
            },
            TypeKind::Ext {
                class: 1,
                key: s("k\""),
                name: s("My[T]"),
            },
        ];
        for layout in [Layout::C, Layout::F, Layout::A] {
            for (mutable, aligned) in [(true, true), (true, false), (false, true), (false, false)] {
                kinds.push(TypeKind::Array(ArrayType {
                    dtype: Type::COMPLEX64,
                    ndim: 3,
                    layout,
                    mutable,
                    aligned,
                }));
            }
        }
        for scalar in Scalar::ALL {
            kinds.push(TypeKind::Scalar(scalar, Flavor::Numpy));
            kinds.push(TypeKind::Scalar(scalar, Flavor::Python));
        }
        kinds.push(TypeKind::Scalar(Scalar::BFloat16, Flavor::Numpy));
        kinds.into_iter().map(|kind| types.intern(kind)).collect()
    }

    #[test]
    fn every_type_reads_back() {
        let types = Types::new();
        let flat = kinds(&types);
        let mut all = flat.clone();
        for ty in flat {
            all.push(types.optional(ty));
            let dict = types.dict(Type::INT64, ty);
            for part in DictPart::ALL {
                let view = types.intern(TypeKind::DictView { dict, part });
                all.extend([view, types.iterator(view).expect("views are iterable")]);
            }
            all.push(types.tuple(&[ty, Type::INT64, ty]));
            all.push(types.intern(TypeKind::UniTuple(ty, 2)));
            all.push(types.intern(TypeKind::Pair(ty, Type::BOOL)));
            all.push(types.list(ty));
        }
        for ty in all {
            let text = types.text(ty).to_string();
            assert_eq!(types.parse(&text), Ok(ty), "{text}");
        }
    }

    #[test]
    fn numba_forms_are_read() {
        let types = Types::new();
        for text in [
            "Literal[str](a)",
            "Literal[int](3)",
            "Function(<built-in function add>)",
            "reflected list(int64)<iv=None>",
            "OptionalType(array(float64, 1d, C))",
            "<class 'dict'>",
        ] {
            let ty = types.parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(types.display(ty).to_string(), text);
        }
    }

    #[test]
    fn errors_have_places() {
        let types = Types::new();
        let error = |text: &str| types.parse(text).map_err(|e| e.to_string()).unwrap_err();
        assert_eq!(
            error("array(float65, 1d, C)"),
            "1:7: unknown type `float65`"
        );
        assert_eq!(
            error("int64 x"),
            "1:7: expected the end of the line, found `x`"
        );
        assert_eq!(error(""), "1:1: expected a type");
        assert_eq!(
            error("UniTuple(int64 x"),
            "1:17: expected a count, found the end of the line"
        );
        assert!(error(&"OptionalType(".repeat(10_000)).contains("nested too deeply"));
        assert_eq!(
            error("UniTuple(int64 x 4294967295)"),
            "1:18: a tuple has at most 65536 items"
        );
        assert!(types.parse("range_iter_int64x4294967295").is_err());
    }
}
