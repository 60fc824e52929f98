//! Types in text. Numba's printed form where it says everything, else an exact form of ours.
//!
//! Exact forms: `Literal[str]("a b")`, `Function(numpy.sin, "<ufunc 'sin'>")`, `NamedTuple(Point, x: int64)`,
//! `<exception class 'builtins.ValueError'>`, `exception('builtins.ValueError')`, `dispatcher(3, f)`,
//! `make_function(g, 0)`, `ext(2, "key", "Name")`. The parser reads both forms where Numba's is not ambiguous.

use super::consts::parse_const;
use super::cursor::{Cursor, Parse, ParseError};
use super::names::quote_name;
use super::records::{char_count, parse_record, parse_shape};
use crate::records::shape_text;
use crate::{
    ArrayType, BufferClass, Const, DispatcherId, Flavor, Layout, Scalar, TimeUnit, Type, TypeKind,
    Types,
};
use std::fmt;

impl Types {
    /// The exact text of a type: what [`Types::parse`] reads back as the same type.
    pub fn text(&self, ty: Type) -> TypeText<'_> {
        TypeText { types: self, ty }
    }

    /// The type that a text such as `array(float64, 1d, C)` names. Strict: nothing may follow it.
    pub fn parse(&self, text: &str) -> Result<Type, ParseError> {
        let mut cursor = Cursor::new(text, 1);
        let ty = parse_type(&mut cursor, self)?;
        cursor.end()?;
        Ok(ty)
    }
}

/// See [`Types::text`].
pub struct TypeText<'a> {
    types: &'a Types,
    ty: Type,
}

impl fmt::Display for TypeText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |ty: &Type| self.types.text(*ty);
        let list = |f: &mut fmt::Formatter<'_>, items: &[Type]| -> fmt::Result {
            for (i, item) in items.iter().enumerate() {
                write!(f, "{}{}", if i > 0 { ", " } else { "" }, show(item))?;
            }
            f.write_str(")")
        };
        match self.types.kind(self.ty) {
            TypeKind::Literal(Const::Str(s)) => write!(f, "Literal[str]({s:?})"),
            TypeKind::Optional(inner) => write!(f, "OptionalType({})", show(inner)),
            TypeKind::UniTuple(item, n) => write!(f, "UniTuple({} x {n})", show(item)),
            TypeKind::Tuple(items) => {
                f.write_str("Tuple(")?;
                list(f, items)
            }
            TypeKind::StarArgTuple(items) => {
                f.write_str("StarArgTuple(")?;
                list(f, items)
            }
            TypeKind::Polynomial(parts) => {
                f.write_str("PolynomialType(")?;
                list(f, parts)
            }
            TypeKind::NamedTuple(name, fields, items) => {
                write!(f, "NamedTuple({}", quote_name(name))?;
                for (field, item) in fields.iter().zip(items) {
                    write!(f, ", {}: {}", quote_name(field), show(item))?;
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
                let layout = a.layout.letter();
                write!(f, "array({}, {}d, {layout})", show(&a.dtype), a.ndim)
            }
            TypeKind::Record(record) => record.display(f, &|f, ty| show(&ty).fmt(f), true),
            TypeKind::NestedArray { dtype, shape } => {
                write!(f, "nestedarray({}, {})", show(dtype), shape_text(shape))
            }
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
                list(f, iters)
            }
            TypeKind::NdIter { ndim, items } => {
                write!(f, "nditer({ndim}, ")?;
                list(f, items)
            }
            TypeKind::FlatIter { array, indexed } => {
                let name = if *indexed { "ndenumerate" } else { "flat_iter" };
                write!(f, "{name}({})", show(array))
            }
            TypeKind::TextIter => f.write_str("iter(unicode_type)"),
            TypeKind::ArrayIter(of)
            | TypeKind::UniTupleIter(of)
            | TypeKind::ListIter(of)
            | TypeKind::SetIter(of) => write!(f, "iter({})", show(of)),
            TypeKind::FunctionType { ret, params } => {
                write!(f, "FunctionType[{}(", show(ret))?;
                list(f, params)?;
                f.write_str("]")
            }
            TypeKind::Pointer(Some(to)) => write!(f, "pointer({})", show(to)),
            TypeKind::Pointer(None) => f.write_str("voidptr"),
            TypeKind::ObjectBlock(outputs) => write!(f, "ObjModeLiftedWith({})", show(outputs)),
            TypeKind::Generator { name, yields, args } => {
                write!(f, "generator({}, {}, ", quote_name(name), show(yields))?;
                list(f, args)
            }
            TypeKind::Function { name, repr } => {
                write!(f, "Function({}, {repr:?})", quote_name(name))
            }
            TypeKind::BoundMethod { receiver, method } => {
                write!(
                    f,
                    "BoundFunction({} for {})",
                    quote_name(method),
                    show(receiver)
                )
            }
            TypeKind::Module(name) => write!(f, "Module({})", quote_name(name)),
            TypeKind::NumberClass(ty) => write!(f, "class({})", show(ty)),
            TypeKind::DType(ty) => write!(f, "dtype({})", show(ty)),
            TypeKind::TypeRef(ty) => write!(f, "typeref[{}]", show(ty)),
            TypeKind::Class(name) => write!(f, "<class {}>", single_quoted(name)),
            TypeKind::ExceptionClass(name) => {
                write!(f, "<exception class {}>", single_quoted(name))
            }
            TypeKind::ExceptionInstance(name) => write!(f, "exception({})", single_quoted(name)),
            TypeKind::Dispatcher { id, name } => {
                write!(f, "dispatcher({}, {})", id.0, quote_name(name))
            }
            TypeKind::Closure { name, index, whole } => {
                let word = if *whole { "closure" } else { "make_function" };
                write!(f, "{word}({}, {index})", quote_name(name))
            }
            TypeKind::List { dtype, reflected } => {
                let mark = if *reflected { "reflected " } else { "" };
                write!(f, "{mark}list({})<iv=None>", show(dtype))
            }
            TypeKind::Set { dtype, reflected } => {
                let mark = if *reflected { "reflected " } else { "" };
                write!(f, "{mark}set({})", show(dtype))
            }
            TypeKind::EnumMember {
                class,
                dtype,
                is_int,
            } => {
                let word = if *is_int { "IntEnum" } else { "Enum" };
                write!(f, "{word}<{}>({})", show(dtype), quote_name(class))
            }
            TypeKind::LiteralList(items) => {
                f.write_str("LiteralList(")?;
                list(f, items)
            }
            TypeKind::Ext { class, key, name } => write!(f, "ext({class}, {key:?}, {name:?})"),
            // Numba's text is exact for these.
            TypeKind::Undefined
            | TypeKind::PyObject
            | TypeKind::None
            | TypeKind::Ellipsis
            | TypeKind::Scalar(..)
            | TypeKind::Datetime(_)
            | TypeKind::Timedelta(_)
            | TypeKind::CharSeq(_)
            | TypeKind::UnicodeCharSeq(_)
            | TypeKind::Buffer { .. }
            | TypeKind::Literal(_)
            | TypeKind::Omitted(_)
            | TypeKind::Unicode
            | TypeKind::Bytes
            | TypeKind::RandomGenerator
            | TypeKind::Slice2
            | TypeKind::Slice3
            | TypeKind::SliceLiteral(_) => self.types.display(self.ty).fmt(f),
        }
    }
}

fn single_quoted(name: &str) -> String {
    format!("'{}'", name.escape_debug())
}

/// Most items of a tuple whose text does not list them: they are listed in memory.
const MAX_ITEMS: u32 = 1 << 16;

/// Reads one type.
pub(super) fn parse_type(c: &mut Cursor<'_>, types: &Types) -> Parse<Type> {
    c.nested(|c| parse_kind(c, types))
        .map(|kind| types.intern(kind))
}

fn parse_kind(c: &mut Cursor<'_>, types: &Types) -> Parse<TypeKind> {
    c.skip_space();
    if c.eat("<exception class ") {
        let name = c.quoted('\'')?;
        c.expect(">")?;
        return Ok(TypeKind::ExceptionClass(name));
    }
    if c.eat("<class ") {
        let name = c.quoted('\'')?;
        c.expect(">")?;
        return Ok(TypeKind::Class(name));
    }
    if c.eat("[unichr x") {
        return Ok(TypeKind::UnicodeCharSeq(char_count(c)?));
    }
    if c.eat("[char x") {
        return Ok(TypeKind::CharSeq(char_count(c)?));
    }
    let start = c.clone();
    let Some(word) = c.word() else {
        return start.error("expected a type");
    };
    if let Some(item) = word.strip_prefix("range_state_") {
        return Ok(TypeKind::Range(scalar_or_error(item, types, &start)?));
    }
    if let Some((item, n)) = word
        .strip_prefix("range_iter_")
        .and_then(|word| word.rsplit_once('x'))
        && let Ok(n) = n.parse()
        && n <= MAX_ITEMS
    {
        let item = scalar_or_error(item, types, &start)?;
        let index = if n == 0 {
            types.tuple(&[])
        } else {
            types.intern(TypeKind::UniTuple(item, n))
        };
        return Ok(TypeKind::RangeIter(index));
    }
    if let Some(item) = word.strip_prefix("range_iter_") {
        return Ok(TypeKind::RangeIter(scalar_or_error(item, types, &start)?));
    }
    if let Some(kind) = scalar_kind(word) {
        return Ok(kind);
    }
    let one = |c: &mut Cursor<'_>, open: &str, close: &str| -> Parse<Type> {
        c.expect(open)?;
        let ty = parse_type(c, types)?;
        c.expect(close)?;
        Ok(ty)
    };
    let many = |c: &mut Cursor<'_>| -> Parse<Vec<Type>> {
        c.expect("(")?;
        c.list(")", |c| parse_type(c, types))
    };
    Ok(match word {
        "undefined" => TypeKind::Undefined,
        "pyobject" => TypeKind::PyObject,
        "none" => TypeKind::None,
        "ellipsis" => TypeKind::Ellipsis,
        "unicode_type" => TypeKind::Unicode,
        "bytes" => TypeKind::Bytes,
        "NumPyRandomGeneratorType" => TypeKind::RandomGenerator,
        "datetime64" => TypeKind::Datetime(unit(c)?),
        "timedelta64" => TypeKind::Timedelta(unit(c)?),
        "Literal" => return literal(c),
        "omitted" => {
            c.expect("(")?;
            c.expect("default")?;
            c.expect("=")?;
            let value = parse_const(c)?;
            c.expect(")")?;
            TypeKind::Omitted(value)
        }
        "OptionalType" => TypeKind::Optional(one(c, "(", ")")?),
        "UniTuple" => {
            c.expect("(")?;
            let item = parse_type(c, types)?;
            c.expect("x")?;
            let at = c.clone();
            let count = c.number("a count")?;
            if count > MAX_ITEMS {
                return at.error(format!("a tuple has at most {MAX_ITEMS} items"));
            }
            c.expect(")")?;
            TypeKind::UniTuple(item, count)
        }
        "Tuple" => TypeKind::Tuple(many(c)?),
        "LiteralList" => TypeKind::LiteralList(many(c)?),
        word @ ("Enum" | "IntEnum") => {
            let is_int = word == "IntEnum";
            let dtype = one(c, "<", ">")?;
            c.expect("(")?;
            let class = c.name("a class name")?;
            c.expect(")")?;
            TypeKind::EnumMember {
                class,
                dtype,
                is_int,
            }
        }
        "StarArgTuple" => TypeKind::StarArgTuple(many(c)?),
        "PolynomialType" => {
            let parts = many(c)?.try_into();
            let parts = parts.or_else(|_| c.error("a polynomial has three parts"))?;
            TypeKind::Polynomial(parts)
        }
        "NamedTuple" => {
            c.expect("(")?;
            let name = c.name("a class name")?;
            let (mut fields, mut items) = (Vec::new(), Vec::new());
            while c.eat(",") {
                fields.push(c.name("a field name")?);
                c.expect(":")?;
                items.push(parse_type(c, types)?);
            }
            c.expect(")")?;
            TypeKind::NamedTuple(name, fields, items)
        }
        "bytearray" | "memoryview" | "pyarray" => {
            *c = start;
            buffer(c, types, true)?
        }
        "Record" => TypeKind::Record(parse_record(c, |c| parse_type(c, types))?),
        "nestedarray" => {
            c.expect("(")?;
            let dtype = parse_type(c, types)?;
            c.expect(",")?;
            let shape = parse_shape(c)?;
            c.expect(")")?;
            TypeKind::NestedArray { dtype, shape }
        }
        "array" => array(c, types, true, true)?,
        "readonly" if buffer_class(c).is_some() => buffer(c, types, false)?,
        "readonly" => {
            let aligned = !c.eat("unaligned");
            c.expect("array")?;
            array(c, types, false, aligned)?
        }
        "unaligned" => {
            c.expect("array")?;
            array(c, types, true, false)?
        }
        "pair" => {
            c.expect("<")?;
            let first = parse_type(c, types)?;
            c.expect(",")?;
            let second = parse_type(c, types)?;
            c.expect(">")?;
            TypeKind::Pair(first, second)
        }
        "enumerate" => TypeKind::Enumerate(one(c, "(", ")")?),
        "zip" => TypeKind::Zip(many(c)?),
        "nditer" => {
            c.expect("(")?;
            let ndim = c.number("a number of dimensions")?;
            c.expect(",")?;
            let items = c.list(")", |c| parse_type(c, types))?;
            TypeKind::NdIter { ndim, items }
        }
        word @ ("flat_iter" | "ndenumerate") => TypeKind::FlatIter {
            array: one(c, "(", ")")?,
            indexed: word == "ndenumerate",
        },
        "iter" => {
            let of = one(c, "(", ")")?;
            match types.kind(of) {
                TypeKind::Array(_) => TypeKind::ArrayIter(of),
                TypeKind::List { .. } => TypeKind::ListIter(of),
                TypeKind::Set { .. } => TypeKind::SetIter(of),
                TypeKind::Unicode => TypeKind::TextIter,
                _ => TypeKind::UniTupleIter(of),
            }
        }
        "FunctionType" => {
            c.expect("[")?;
            let ret = parse_type(c, types)?;
            let params = many(c)?;
            c.expect("]")?;
            TypeKind::FunctionType { ret, params }
        }
        "pointer" => TypeKind::Pointer(Some(one(c, "(", ")")?)),
        "voidptr" => TypeKind::Pointer(None),
        "ObjModeLiftedWith" => {
            c.expect("(")?;
            let outputs = parse_type(c, types)?;
            c.expect(")")?;
            TypeKind::ObjectBlock(outputs)
        }
        "generator" => {
            c.expect("(")?;
            let name = c.name("a function name")?;
            c.expect(",")?;
            let yields = parse_type(c, types)?;
            c.expect(",")?;
            let args = c.list(")", |c| parse_type(c, types))?;
            TypeKind::Generator { name, yields, args }
        }
        "slice" => {
            if c.eat("<a:b:c>") {
                TypeKind::Slice3
            } else {
                c.expect("<a:b>")?;
                TypeKind::Slice2
            }
        }
        "Function" => {
            c.expect("(")?;
            if c.peek("<") {
                // Numba's form says no name; the object's printed form stands in for it.
                let repr = c.until_balanced(')')?.trim().to_owned();
                c.expect(")")?;
                return Ok(TypeKind::Function {
                    name: name_in_repr(&repr),
                    repr,
                });
            }
            let name = c.name("a function name")?;
            let repr = if c.eat(",") {
                c.quoted('"')?
            } else {
                format!("<function {name}>")
            };
            c.expect(")")?;
            TypeKind::Function { name, repr }
        }
        "BoundFunction" => {
            c.expect("(")?;
            let method = c.name("a method name")?;
            c.expect("for")?;
            let receiver = parse_type(c, types)?;
            c.expect(")")?;
            TypeKind::BoundMethod { receiver, method }
        }
        "Module" => {
            c.expect("(")?;
            let name = c.name("a module name")?;
            c.expect(")")?;
            TypeKind::Module(name)
        }
        "class" => TypeKind::NumberClass(one(c, "(", ")")?),
        "dtype" => TypeKind::DType(one(c, "(", ")")?),
        "typeref" => TypeKind::TypeRef(one(c, "[", "]")?),
        "exception" => {
            c.expect("(")?;
            let name = c.quoted('\'')?;
            c.expect(")")?;
            TypeKind::ExceptionInstance(name)
        }
        "dispatcher" => {
            c.expect("(")?;
            let id = DispatcherId(c.number("a dispatcher number")?);
            c.expect(",")?;
            let name = c.name("a function name")?;
            c.expect(")")?;
            TypeKind::Dispatcher { id, name }
        }
        "make_function" | "closure" => {
            let whole = word == "closure";
            c.expect("(")?;
            let name = c.name("a function name")?;
            c.expect(",")?;
            let index = c.number("a number")?;
            c.expect(")")?;
            TypeKind::Closure { name, index, whole }
        }
        "list" | "reflected" => {
            let reflected = word == "reflected";
            if reflected {
                if c.eat("set") {
                    let dtype = one(c, "(", ")")?;
                    return Ok(TypeKind::Set { dtype, reflected });
                }
                c.expect("list")?;
            }
            let dtype = one(c, "(", ")")?;
            c.eat("<iv=None>");
            TypeKind::List { dtype, reflected }
        }
        "set" => TypeKind::Set {
            dtype: one(c, "(", ")")?,
            reflected: false,
        },
        "ext" => {
            c.expect("(")?;
            let class = c.number("a class number")?;
            c.expect(",")?;
            let key = c.quoted('"')?;
            c.expect(",")?;
            let name = c.quoted('"')?;
            c.expect(")")?;
            TypeKind::Ext { class, key, name }
        }
        _ => return start.error(format!("unknown type `{word}`")),
    })
}

/// `f` of `<function f>` and `<built-in function f>`.
fn name_in_repr(repr: &str) -> String {
    let inner = repr.trim_start_matches('<').trim_end_matches('>');
    let last = inner.split_whitespace().next_back().unwrap_or(inner);
    last.trim_matches('\'').to_owned()
}

/// `int64`, or `py_int` flavoured.
fn scalar_kind(word: &str) -> Option<TypeKind> {
    let (word, flavor) = match word.strip_prefix("py_") {
        Some(word) => (word, Flavor::Python),
        None => (word, Flavor::Numpy),
    };
    let scalar = Scalar::named(word)?;
    Some(TypeKind::Scalar(scalar, flavor))
}

fn scalar_or_error(word: &str, types: &Types, at: &Cursor<'_>) -> Parse<Type> {
    match scalar_kind(word) {
        Some(kind) => Ok(types.intern(kind)),
        None => at.error(format!("`{word}` is not a scalar type")),
    }
}

/// `[D]`, `[]`
fn unit(c: &mut Cursor<'_>) -> Parse<TimeUnit> {
    c.expect("[")?;
    let start = c.clone();
    let name = c.word().unwrap_or("");
    let Some(unit) = TimeUnit::from_name(name) else {
        return start.error(format!("`{name}` is not a unit of time"));
    };
    c.expect("]")?;
    Ok(unit)
}

/// The class of the buffer type that comes next.
fn buffer_class(c: &Cursor<'_>) -> Option<BufferClass> {
    let word = c.peek_word()?;
    BufferClass::ALL.into_iter().find(|b| b.name() == word)
}

/// `memoryview(dtype, 2d, C)`
fn buffer(c: &mut Cursor<'_>, types: &Types, mutable: bool) -> Parse<TypeKind> {
    let Some(class) = buffer_class(c) else {
        return c.error("expected a class of buffers");
    };
    c.word();
    match array(c, types, mutable, true)? {
        TypeKind::Array(array) => Ok(TypeKind::Buffer { class, array }),
        kind => Ok(kind),
    }
}

/// `(dtype, 2d, C)`
fn array(c: &mut Cursor<'_>, types: &Types, mutable: bool, aligned: bool) -> Parse<TypeKind> {
    c.expect("(")?;
    let dtype = parse_type(c, types)?;
    c.expect(",")?;
    let ndim = c.number("a number of dimensions")?;
    c.expect("d")?;
    c.expect(",")?;
    let layout = match c.word() {
        Some("C") => Layout::C,
        Some("F") => Layout::F,
        Some("A") => Layout::A,
        _ => return c.error("expected a layout: C, F or A"),
    };
    c.expect(")")?;
    Ok(TypeKind::Array(ArrayType {
        dtype,
        ndim,
        layout,
        mutable,
        aligned,
    }))
}

/// `[int](1)`, `[str](a)`, `[str]("a")`, `[slice](slice(0, 1, None))`
fn literal(c: &mut Cursor<'_>) -> Parse<TypeKind> {
    c.expect("[")?;
    let start = c.clone();
    let class = c.word().unwrap_or("");
    c.expect("]")?;
    c.expect("(")?;
    if class == "str" && !c.peek("\"") {
        let text = c.until_balanced(')')?.to_owned();
        c.expect(")")?;
        return Ok(TypeKind::Literal(Const::Str(text)));
    }
    let value = parse_const(c)?;
    c.expect(")")?;
    if value.type_name() != class {
        return start.error(format!("a {} is not a literal {class}", value.type_name()));
    }
    Ok(match value {
        Const::Slice(parts) => TypeKind::SliceLiteral(parts),
        value => TypeKind::Literal(value),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RecordField, RecordType};

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
                reflected: true,
            },
            TypeKind::List {
                dtype: Type::UNDEFINED,
                reflected: false,
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
            all.push(types.tuple(&[ty, Type::INT64, ty]));
            all.push(types.intern(TypeKind::UniTuple(ty, 2)));
            all.push(types.intern(TypeKind::Pair(ty, Type::BOOL)));
            all.push(types.intern(TypeKind::List {
                dtype: ty,
                reflected: false,
            }));
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
