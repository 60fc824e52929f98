//! Types across the Python edge.
//!
//! Python sees one instance of a real class for each type, made by `numbra.core.types` on first use and kept here by
//! number. A kind crosses as a tuple: `("array", dtype, ndim, "C", mutable, aligned)`, with types as Python instances.

use crate::convert::constant;
use crate::session::session;
use crate::typeof_::constant_of;
use numbra_ir::lattice::{self, Conversion};
use numbra_ir::{
    ArrayType, BufferClass, Const, Flavor, Layout, RecordField, RecordType, Scalar, TimeType,
    TimeUnit, Type, TypeKind, Types,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple, PyType};
use std::sync::{Mutex, PoisonError};

/// The Python instances by type number.
static INSTANCES: Mutex<Vec<Option<Py<PyAny>>>> = Mutex::new(Vec::new());

/// The type behind a Python type object (an instance of `numbra.types.Type`).
pub(crate) fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Type> {
    match as_type(object)? {
        Some(ty) => Ok(ty),
        None => Err(PyTypeError::new_err(format!(
            "expected a numbra type, got {}",
            object.repr()?
        ))),
    }
}

/// As [`from_python`]; `None` for other objects.
pub(crate) fn as_type(object: &Bound<'_, PyAny>) -> PyResult<Option<Type>> {
    let id = object
        .getattr_opt("_numbra_id")?
        .and_then(|id| id.extract::<u32>().ok());
    Ok(id
        .filter(|id| session().types.contains(*id))
        .map(Type::from_index))
}

/// The Python instance of a type.
pub(crate) fn to_python(py: Python<'_>, ty: Type) -> PyResult<Bound<'_, PyAny>> {
    let index = ty.index() as usize;
    let known = INSTANCES
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get(index)
        .and_then(|i| i.as_ref().map(|i| i.clone_ref(py)));
    if let Some(instance) = known {
        return Ok(instance.into_bound(py));
    }
    let made = py
        .import("numbra.core.types")?
        .getattr("_from_kind")?
        .call1((ty.index(), kind_tuple(py, ty)?))?;
    let mut instances = INSTANCES.lock().unwrap_or_else(PoisonError::into_inner);
    if instances.len() <= index {
        instances.resize_with(index + 1, || None);
    }
    // Another thread may have been first: one instance a type.
    Ok(instances[index]
        .get_or_insert_with(|| made.unbind())
        .clone_ref(py)
        .into_bound(py))
}

/// True if the text of a type means the same in every process: no jitted function, no class of this process is part of it.
pub(crate) fn is_portable(types: &Types, ty: Type) -> bool {
    let kind = types.kind(ty);
    if matches!(
        kind,
        TypeKind::Dispatcher { .. }
            | TypeKind::ObjectBlock(_)
            | TypeKind::Ext { .. }
            | TypeKind::Closure { .. }
    ) {
        return false;
    }
    let mut portable = true;
    kind.for_each_part(&mut |part| portable &= is_portable(types, part));
    portable
}

/// What a type is, as a tuple whose first item names the kind.
fn kind_tuple(py: Python<'_>, ty: Type) -> PyResult<Bound<'_, PyTuple>> {
    let types = &session().types;
    let sub = |ty: Type| to_python(py, ty);
    let subs = |items: &[Type]| -> PyResult<Bound<'_, PyTuple>> {
        PyTuple::new(
            py,
            items
                .iter()
                .map(|t| sub(*t))
                .collect::<PyResult<Vec<_>>>()?,
        )
    };
    match types.kind(ty) {
        TypeKind::Undefined => ("undefined",).into_pyobject(py),
        TypeKind::PyObject => ("pyobject",).into_pyobject(py),
        TypeKind::None => ("none",).into_pyobject(py),
        TypeKind::Ellipsis => ("ellipsis",).into_pyobject(py),
        TypeKind::Scalar(scalar, flavor) => (
            "scalar",
            scalar.name(),
            *flavor == Flavor::Python,
            scalar.size() * 8,
        )
            .into_pyobject(py),
        TypeKind::Datetime(unit) => ("datetime", unit.name()).into_pyobject(py),
        TypeKind::Timedelta(unit) => ("timedelta", unit.name()).into_pyobject(py),
        TypeKind::Literal(value) => ("literal", constant(py, value)?).into_pyobject(py),
        TypeKind::Omitted(value) => ("omitted", constant(py, value)?).into_pyobject(py),
        TypeKind::Optional(inner) => ("optional", sub(*inner)?).into_pyobject(py),
        TypeKind::Unicode => ("unicode",).into_pyobject(py),
        TypeKind::Bytes => ("bytes",).into_pyobject(py),
        TypeKind::RandomGenerator => ("random_generator",).into_pyobject(py),
        TypeKind::Polynomial([coef, domain, window]) => {
            ("polynomial", sub(*coef)?, sub(*domain)?, sub(*window)?).into_pyobject(py)
        }
        TypeKind::UniTuple(item, n) => ("unituple", sub(*item)?, *n).into_pyobject(py),
        TypeKind::Tuple(items) => ("tuple", subs(items)?).into_pyobject(py),
        TypeKind::StarArgTuple(items) => ("starargtuple", subs(items)?).into_pyobject(py),
        TypeKind::NamedTuple(name, fields, items) => {
            let class = crate::classes::class_named(py, name);
            ("namedtuple", class, fields, subs(items)?).into_pyobject(py)
        }
        TypeKind::Array(a) => (
            "array",
            sub(a.dtype)?,
            a.ndim,
            a.layout.letter().to_string(),
            a.mutable,
            a.aligned,
        )
            .into_pyobject(py),
        TypeKind::Record(record) => {
            let fields = record
                .fields
                .iter()
                .map(|field| {
                    let ty = sub(field.ty)?;
                    (&field.name, ty, field.offset, field.alignment, &field.title).into_pyobject(py)
                })
                .collect::<PyResult<Vec<_>>>()?;
            let fields = PyTuple::new(py, fields)?;
            ("record", fields, record.size, record.aligned).into_pyobject(py)
        }
        TypeKind::NestedArray { dtype, shape } => {
            ("nested_array", sub(*dtype)?, PyTuple::new(py, shape)?).into_pyobject(py)
        }
        TypeKind::Buffer { class, array } => (
            "buffer",
            class.name(),
            sub(array.dtype)?,
            array.ndim,
            array.layout.letter().to_string(),
            array.mutable,
        )
            .into_pyobject(py),
        TypeKind::NdIter { ndim, items } => ("nditer", *ndim, subs(items)?).into_pyobject(py),
        TypeKind::CharSeq(n) => ("char_seq", *n).into_pyobject(py),
        TypeKind::UnicodeCharSeq(n) => ("unicode_char_seq", *n).into_pyobject(py),
        TypeKind::Range(item) => ("range", sub(*item)?).into_pyobject(py),
        TypeKind::RangeIter(item) => ("range_iter", sub(*item)?).into_pyobject(py),
        TypeKind::Pair(a, b) => ("pair", sub(*a)?, sub(*b)?).into_pyobject(py),
        TypeKind::Enumerate(item) => ("enumerate", sub(*item)?).into_pyobject(py),
        TypeKind::Zip(items) => ("zip", subs(items)?).into_pyobject(py),
        TypeKind::ArrayIter(item) => ("array_iter", sub(*item)?).into_pyobject(py),
        TypeKind::FlatIter { array, indexed } => {
            ("flat_iter", sub(*array)?, *indexed).into_pyobject(py)
        }
        TypeKind::UniTupleIter(item) => ("unituple_iter", sub(*item)?).into_pyobject(py),
        TypeKind::Slice2 => ("slice2",).into_pyobject(py),
        TypeKind::Slice3 => ("slice3",).into_pyobject(py),
        TypeKind::SliceLiteral(parts) => {
            ("slice_literal", constant(py, &Const::Slice(parts.clone()))?).into_pyobject(py)
        }
        TypeKind::Function { name, repr } => ("function", name, repr).into_pyobject(py),
        TypeKind::BoundMethod { receiver, method } => {
            ("bound_method", sub(*receiver)?, method).into_pyobject(py)
        }
        TypeKind::Module(name) => ("module", name).into_pyobject(py),
        TypeKind::NumberClass(ty) => ("number_class", sub(*ty)?).into_pyobject(py),
        TypeKind::DType(ty) => ("dtype", sub(*ty)?).into_pyobject(py),
        TypeKind::TypeRef(ty) => ("typeref", sub(*ty)?).into_pyobject(py),
        TypeKind::Class(name) => ("class", name).into_pyobject(py),
        TypeKind::ExceptionClass(name) => ("exception_class", name).into_pyobject(py),
        TypeKind::ExceptionInstance(name) => ("exception_instance", name).into_pyobject(py),
        TypeKind::Dispatcher { id, name } => ("dispatcher", id.0, name).into_pyobject(py),
        TypeKind::Closure { name, index, .. } => ("closure", name, *index).into_pyobject(py),
        TypeKind::List { dtype, reflected } => ("list", sub(*dtype)?, *reflected).into_pyobject(py),
        TypeKind::ListIter(item) => ("list_iter", sub(*item)?).into_pyobject(py),
        TypeKind::Set { dtype, reflected } => ("set", sub(*dtype)?, *reflected).into_pyobject(py),
        TypeKind::SetIter(item) => ("set_iter", sub(*item)?).into_pyobject(py),
        TypeKind::TextIter => ("text_iter",).into_pyobject(py),
        TypeKind::FunctionType { ret, params } => {
            ("function_type", sub(*ret)?, subs(params)?).into_pyobject(py)
        }
        TypeKind::Pointer(Some(to)) => ("pointer", sub(*to)?).into_pyobject(py),
        TypeKind::Pointer(None) => ("void_pointer",).into_pyobject(py),
        TypeKind::ObjectBlock(outputs) => ("object_block", sub(*outputs)?).into_pyobject(py),
        TypeKind::Generator { name, yields, args } => {
            ("generator", name, sub(*yields)?, subs(args)?).into_pyobject(py)
        }
        TypeKind::EnumMember {
            class,
            dtype,
            is_int,
        } => {
            let kind = if *is_int {
                "int_enum_member"
            } else {
                "enum_member"
            };
            let class = crate::classes::class_named(py, class);
            (kind, class, sub(*dtype)?).into_pyobject(py)
        }
        TypeKind::LiteralList(items) => ("literal_list", subs(items)?).into_pyobject(py),
        TypeKind::Ext { class, key, name } => ("ext", *class, key, name).into_pyobject(py),
    }
}

/// The type of a kind tuple. Only kinds that Python code constructs.
#[pyfunction]
pub(crate) fn _type_intern<'py>(
    py: Python<'py>,
    kind: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    let types = &session().types;
    let name: String = kind.get_item(0)?.extract()?;
    let ty_at = |index: usize| -> PyResult<Type> { from_python(&kind.get_item(index)?) };
    let tys_at = |index: usize| -> PyResult<Vec<Type>> {
        kind.get_item(index)?
            .try_iter()?
            .map(|item| from_python(&item?))
            .collect()
    };
    let value_at = |index: usize| -> PyResult<Const> {
        let value = kind.get_item(index)?;
        constant_of(&value)
            .ok_or_else(|| PyTypeError::new_err(format!("{} cannot be used as a literal", value)))
    };
    let kind = match name.as_str() {
        "undefined" => TypeKind::Undefined,
        "pyobject" => TypeKind::PyObject,
        "none" => TypeKind::None,
        "ellipsis" => TypeKind::Ellipsis,
        "scalar" => {
            let scalar: String = kind.get_item(1)?.extract()?;
            let found = Scalar::named(&scalar);
            TypeKind::Scalar(
                found.ok_or_else(|| PyValueError::new_err(format!("no scalar type {scalar}")))?,
                Flavor::Numpy,
            )
        }
        "datetime" | "timedelta" => {
            let unit: String = kind.get_item(1)?.extract()?;
            let unit = TimeUnit::from_name(&unit)
                .ok_or_else(|| PyValueError::new_err(format!("no unit of time '{unit}'")))?;
            types
                .kind(types.time(TimeType {
                    is_date: name == "datetime",
                    unit,
                }))
                .clone()
        }
        "literal" => match value_at(1)? {
            value @ (Const::Int(_) | Const::Bool(_) | Const::Str(_)) => TypeKind::Literal(value),
            Const::Slice(parts) => TypeKind::SliceLiteral(parts),
            other => {
                return Err(PyTypeError::new_err(format!(
                    "{other} cannot be used as a literal"
                )));
            }
        },
        "omitted" => TypeKind::Omitted(value_at(1)?),
        "optional" => TypeKind::Optional(ty_at(1)?),
        "unicode" => TypeKind::Unicode,
        "bytes" => TypeKind::Bytes,
        "random_generator" => TypeKind::RandomGenerator,
        "polynomial" => TypeKind::Polynomial([ty_at(1)?, ty_at(2)?, ty_at(3)?]),
        "unituple" => TypeKind::UniTuple(ty_at(1)?, kind.get_item(2)?.extract()?),
        "tuple" => TypeKind::Tuple(tys_at(1)?),
        "starargtuple" => TypeKind::StarArgTuple(tys_at(1)?),
        "namedtuple" => return _named_tuple(py, &kind.get_item(1)?, kind.get_item(3)?.extract()?),
        "array" => {
            let layout: String = kind.get_item(3)?.extract()?;
            let layout = layout_of(&layout)?;
            TypeKind::Array(ArrayType {
                dtype: ty_at(1)?,
                ndim: kind.get_item(2)?.extract()?,
                layout,
                mutable: kind.get_item(4)?.extract()?,
                aligned: kind.get_item(5)?.extract()?,
            })
        }
        "record" => TypeKind::Record(record(kind)?),
        "nested_array" => {
            let (dtype, shape) = (ty_at(1)?, kind.get_item(2)?.extract::<Vec<u32>>()?);
            if shape.len() > MAX_NESTED_RANK {
                return Err(PyValueError::new_err("too many dimensions"));
            }
            TypeKind::NestedArray { dtype, shape }
        }
        "buffer" => {
            let class: String = kind.get_item(1)?.extract()?;
            let class = BufferClass::ALL.into_iter().find(|b| b.name() == class);
            let class = class.ok_or_else(|| PyValueError::new_err("no class of buffers"))?;
            let layout: String = kind.get_item(4)?.extract()?;
            TypeKind::Buffer {
                class,
                array: ArrayType {
                    dtype: ty_at(2)?,
                    ndim: kind.get_item(3)?.extract()?,
                    layout: layout_of(&layout)?,
                    mutable: kind.get_item(5)?.extract()?,
                    aligned: true,
                },
            }
        }
        "char_seq" => TypeKind::CharSeq(kind.get_item(1)?.extract()?),
        "unicode_char_seq" => TypeKind::UnicodeCharSeq(kind.get_item(1)?.extract()?),
        "range" => TypeKind::Range(ty_at(1)?),
        "range_iter" => TypeKind::RangeIter(ty_at(1)?),
        "pair" => TypeKind::Pair(ty_at(1)?, ty_at(2)?),
        "enumerate" => TypeKind::Enumerate(ty_at(1)?),
        "zip" => TypeKind::Zip(tys_at(1)?),
        "array_iter" => TypeKind::ArrayIter(ty_at(1)?),
        "flat_iter" => TypeKind::FlatIter {
            array: ty_at(1)?,
            indexed: kind.get_item(2)?.extract()?,
        },
        "unituple_iter" => TypeKind::UniTupleIter(ty_at(1)?),
        "slice2" => TypeKind::Slice2,
        "slice3" => TypeKind::Slice3,
        "number_class" => TypeKind::NumberClass(ty_at(1)?),
        "dtype" => TypeKind::DType(ty_at(1)?),
        "typeref" => TypeKind::TypeRef(ty_at(1)?),
        "list" => TypeKind::List {
            dtype: ty_at(1)?,
            reflected: kind.get_item(2)?.extract()?,
        },
        "list_iter" => TypeKind::ListIter(ty_at(1)?),
        "set" => TypeKind::Set {
            dtype: ty_at(1)?,
            reflected: kind.get_item(2)?.extract()?,
        },
        "set_iter" => TypeKind::SetIter(ty_at(1)?),
        "text_iter" => TypeKind::TextIter,
        "pointer" => TypeKind::Pointer(Some(ty_at(1)?)),
        "void_pointer" => TypeKind::Pointer(None),
        "function_type" => TypeKind::FunctionType {
            ret: ty_at(1)?,
            params: tys_at(2)?,
        },
        "literal_list" => TypeKind::LiteralList(tys_at(1)?),
        "ext" => TypeKind::Ext {
            class: kind.get_item(1)?.extract()?,
            key: kind.get_item(2)?.extract()?,
            name: kind.get_item(3)?.extract()?,
        },
        other => {
            return Err(PyValueError::new_err(format!(
                "types of kind {other} are made by the compiler only"
            )));
        }
    };
    to_python(py, types.intern(kind))
}

fn layout_of(letter: &str) -> PyResult<Layout> {
    Ok(match letter {
        "C" => Layout::C,
        "F" => Layout::F,
        "A" => Layout::A,
        other => return Err(PyValueError::new_err(format!("invalid layout '{other}'"))),
    })
}

/// Most dimensions that NumPy gives an array.
const MAX_NESTED_RANK: usize = 64;

/// The record of a kind tuple: `("record", fields, size, aligned)`.
fn record(kind: &Bound<'_, PyTuple>) -> PyResult<RecordType> {
    let types = &session().types;
    let size: u32 = kind.get_item(2)?.extract()?;
    let mut fields = Vec::new();
    for field in kind.get_item(1)?.try_iter()? {
        let field = field?;
        let (name, ty, offset, alignment, title): (
            String,
            Bound<'_, PyAny>,
            u32,
            Option<u32>,
            Option<String>,
        ) = field.extract()?;
        let ty = from_python(&ty)?;
        let Some(stored) = types.element(ty) else {
            return Err(PyTypeError::new_err(format!(
                "a field of a record cannot be of type {}",
                types.display(ty)
            )));
        };
        if offset
            .checked_add(stored.size())
            .is_none_or(|end| end > size)
        {
            return Err(PyValueError::new_err(format!(
                "field '{name}' ends behind the record of {size} bytes"
            )));
        }
        fields.push(RecordField {
            name,
            ty,
            offset,
            alignment,
            title,
        });
    }
    Ok(RecordType {
        fields,
        size,
        aligned: kind.get_item(3)?.extract()?,
    })
}

/// The type of a named tuple of this class.
#[pyfunction]
pub(crate) fn _named_tuple<'py>(
    py: Python<'py>,
    class: &Bound<'py, PyAny>,
    items: Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let items = items
        .iter()
        .map(from_python)
        .collect::<PyResult<Vec<_>>>()?;
    to_python(
        py,
        named_tuple(&session().types, class.cast().map_err(PyErr::from)?, items)?,
    )
}

/// As [`_named_tuple`].
pub(crate) fn named_tuple(
    types: &Types,
    class: &Bound<'_, PyType>,
    items: Vec<Type>,
) -> PyResult<Type> {
    let fields: Vec<String> = class.getattr("_fields")?.extract()?;
    if fields.len() != items.len() {
        return Err(PyTypeError::new_err(format!(
            "{} has {} fields, {} types given",
            class.name()?,
            fields.len(),
            items.len()
        )));
    }
    let name = crate::classes::register_class(class.py(), class.name()?.extract()?, class);
    Ok(types.intern(TypeKind::NamedTuple(name, fields, items)))
}

/// Makes `instance`, of a class that the lattice does not know, the one of a new type; returns its number.
#[pyfunction]
pub(crate) fn _type_extension(
    instance: &Bound<'_, PyAny>,
    class: u32,
    key: String,
    name: String,
) -> PyResult<u32> {
    let ty = session().types.intern(TypeKind::Ext { class, key, name });
    let index = ty.index() as usize;
    let mut instances = INSTANCES.lock().unwrap_or_else(PoisonError::into_inner);
    if instances.len() <= index {
        instances.resize_with(index + 1, || None);
    }
    instances[index].get_or_insert_with(|| instance.clone().unbind());
    Ok(ty.index())
}

/// The type of a jitted function.
#[pyfunction]
pub(crate) fn _dispatcher_type<'py>(
    py: Python<'py>,
    dispatcher: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    to_python(
        py,
        crate::dispatcher::type_of(&session().types, dispatcher)?,
    )
}

/// The printed name of a type.
#[pyfunction]
pub(crate) fn _type_name(id: u32) -> PyResult<String> {
    let types = &session().types;
    if !types.contains(id) {
        return Err(PyValueError::new_err("no such type"));
    }
    Ok(types.display(Type::from_index(id)).to_string())
}

/// How many types the process has, beside the ones that it always has: for leak checks.
#[pyfunction]
pub(crate) fn _type_count() -> usize {
    session().types.table_len()
}

/// The type of a value, or None.
#[pyfunction]
pub(crate) fn _typeof<'py>(
    py: Python<'py>,
    value: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    crate::typeof_::typeof_object(&session().types, value)?
        .map(|ty| to_python(py, ty))
        .transpose()
}

/// How one type converts to another: "exact", "promote", "safe", "unsafe", or None.
#[pyfunction]
pub(crate) fn _can_convert(
    from: &Bound<'_, PyAny>,
    to: &Bound<'_, PyAny>,
) -> PyResult<Option<&'static str>> {
    Ok(
        lattice::can_convert(&session().types, from_python(from)?, from_python(to)?).map(
            |c| match c {
                Conversion::Exact => "exact",
                Conversion::Promote => "promote",
                Conversion::Safe => "safe",
                Conversion::Unsafe => "unsafe",
            },
        ),
    )
}

/// The least type that both convert to, or None.
#[pyfunction]
pub(crate) fn _unify<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    lattice::unify(&session().types, from_python(a)?, from_python(b)?)
        .map(|ty| to_python(py, ty))
        .transpose()
}

/// The type without its literal value.
#[pyfunction]
pub(crate) fn _unliteral<'py>(
    py: Python<'py>,
    ty: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    to_python(py, session().types.unliteral(from_python(ty)?))
}
