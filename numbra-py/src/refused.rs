//! Why a Python object has no type in compiled code, and what to pass instead.

use crate::session::session;
use crate::typeof_::{element_of_dtype, typeof_object};
use numbra_ir::Types;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyFrozenSet, PyList, PyModule, PySet, PyTuple, PyType};

/// Why an object is refused.
pub(crate) struct Refusal {
    /// Numba's words.
    pub(crate) phrase: String,
    /// What the object is: `an array of dtype >f8`.
    pub(crate) what: String,
    /// What to pass instead.
    pub(crate) help: String,
}

/// Why an object without a type has none. `name` is what the help calls it.
pub(crate) fn refusal(object: &Bound<'_, PyAny>, name: &str) -> Refusal {
    let types = session().types.view();
    found(&types, object, name, 0).unwrap_or_else(|_| plain(object, String::new()))
}

/// Why an object without a type has none, in Numba's words.
#[pyfunction]
pub(crate) fn _refusal(object: &Bound<'_, PyAny>) -> String {
    refusal(object, "x").phrase
}

fn plain(object: &Bound<'_, PyAny>, help: String) -> Refusal {
    let class = object.get_type();
    let text = class
        .repr()
        .map_or_else(|_| "<class>".to_owned(), |r| r.to_string());
    Refusal {
        phrase: format!("Cannot determine Numba type of {text}"),
        what: format!("a Python object of class `{}`", class_name(&class)),
        help,
    }
}

/// `pandas.DataFrame`: the module, without what is inside of a package, and the class.
fn class_name(class: &Bound<'_, PyType>) -> String {
    let short = class
        .qualname()
        .map_or_else(|_| "object".to_owned(), |n| n.to_string());
    let module = class
        .module()
        .map_or_else(|_| String::new(), |m| m.to_string());
    match module.split('.').next().unwrap_or_default() {
        "builtins" | "__main__" | "" => short,
        package => format!("{package}.{short}"),
    }
}

/// Items of items are looked at down to this depth.
const DEEPEST: usize = 8;

fn found(types: &Types, object: &Bound<'_, PyAny>, name: &str, depth: usize) -> PyResult<Refusal> {
    if let Ok(descr) = object.getattr("dtype")
        && descr.hasattr("isnative")?
    {
        return of_dtype(types, object, &descr, name);
    }
    if let Some(refusal) = of_items(types, object, name, depth)? {
        return Ok(refusal);
    }
    let class = object.get_type();
    let full = class_name(&class);
    let help = if object.is_instance_of::<PyDict>() {
        format!(
            "pass the values that it holds, as `np.array(list({name}.values()))`, or a named tuple of them"
        )
    } else if object.is_instance_of::<PyFrozenSet>() {
        format!("pass `set({name})`")
    } else if object.is_instance_of::<PyModule>() {
        "compiled code uses modules by their global names".to_owned()
    } else if object.is_instance_of::<PyType>() {
        "of classes compiled code takes those of numbers, such as `np.float32`: pass what the class is to be made of"
            .to_owned()
    } else if matches!(full.as_str(), "function" | "builtin_function_or_method") {
        format!("compile it first, `jitted = numbra.njit({name})`, and pass `jitted`")
    } else if full == "functools.partial" || full == "method" {
        "pass a function of `numbra.njit`, and its arguments beside it".to_owned()
    } else if full == "pandas.DataFrame" || full.ends_with(".DataFrame") || full == "DataFrame" {
        format!("pass its columns as arrays: `{name}[\"a\"].to_numpy()`")
    } else if class.hasattr("to_numpy")? {
        format!("pass its values: `{name}.to_numpy()`")
    } else if class.hasattr("toarray")? {
        format!("pass its parts as arrays, as `{name}.data`, or all of it: `{name}.toarray()`")
    } else if matches!(full.as_str(), "decimal.Decimal" | "fractions.Fraction") {
        format!("pass `float({name})`")
    } else if full.starts_with("datetime.") {
        let time = if full == "datetime.timedelta" {
            "timedelta64"
        } else {
            "datetime64"
        };
        format!("pass `np.{time}({name})`")
    } else if class.hasattr("__array__")? {
        format!("pass `np.asarray({name})`")
    } else {
        of_attributes(types, object, name)?
    };
    Ok(plain(object, help))
}

/// Of an object of some class: to pass what it holds.
fn of_attributes(types: &Types, object: &Bound<'_, PyAny>, name: &str) -> PyResult<String> {
    let mut held = Vec::new();
    if let Ok(dict) = object.getattr("__dict__")
        && let Ok(dict) = dict.cast::<PyDict>()
    {
        for (key, value) in dict.iter() {
            if let Ok(key) = key.extract::<String>()
                && held.len() < 3
                && matches!(typeof_object(types, &value), Ok(Some(_)))
            {
                held.push(format!("`{name}.{key}`"));
            }
        }
    }
    Ok(match held.as_slice() {
        [] => "pass numbers, arrays, tuples, lists or strings".to_owned(),
        held => format!("pass what the function uses of it, as {}", held.join(", ")),
    })
}

/// What is wrong with a dtype and what to convert an array or scalar of it to.
fn of_dtype(
    types: &Types,
    object: &Bound<'_, PyAny>,
    descr: &Bound<'_, PyAny>,
    name: &str,
) -> PyResult<Refusal> {
    if crate::numpy::is_masked(object)? {
        return Ok(Refusal {
            phrase: "Unsupported array type: numpy.ma.MaskedArray.".to_owned(),
            what: "a masked array".to_owned(),
            help: format!("pass `{name}.data` and `{name}.mask`, two arrays"),
        });
    }
    let shown = dtype_text(descr)?;
    let (field, bad) = bad_field(types, descr)?;
    let target = convertible(&bad)?;
    let is_array = object.is_instance(&object.py().import("numpy")?.getattr("ndarray")?)?;
    let help = match (&field, &target) {
        (Some(field), _) => format!(
            "its field `{field}` is {}: pass the fields that are used as arrays of their own, or give the field another dtype",
            dtype_text(&bad)?
        ),
        (None, Some(target)) if is_array => format!("convert it: `{name}.astype({target})`"),
        (None, Some(target)) => match target.strip_prefix("np.") {
            Some(_) => format!("convert it: `{target}({name})`"),
            None => format!("convert it: `np.asarray({name}).astype({target})`"),
        },
        (None, None) => format!("look at its bytes: `{name}.view(np.uint8)`"),
    };
    if !is_array {
        return Ok(Refusal {
            what: format!("a scalar of dtype {shown}"),
            ..plain(object, help)
        });
    }
    Ok(Refusal {
        phrase: format!("Unsupported array dtype: {shown}"),
        what: format!("an array of dtype {shown}"),
        help,
    })
}

/// `>f8` for what is not in the machine's byte order, else NumPy's text.
fn dtype_text(descr: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(descr.str()?.to_string())
}

/// The first field of a record without a type, and its dtype; the dtype itself where it has no fields.
fn bad_field<'py>(
    types: &Types,
    descr: &Bound<'py, PyAny>,
) -> PyResult<(Option<String>, Bound<'py, PyAny>)> {
    let names = descr.getattr("names")?;
    if let Ok(names) = names.cast::<PyTuple>() {
        for name in names.iter() {
            let field = descr.get_item(&name)?.getattr("base")?;
            if element_of_dtype(types, &field).is_none() {
                return Ok((Some(name.extract()?), field));
            }
        }
    }
    Ok((None, descr.clone()))
}

/// What an array of a dtype without a type converts to, as `astype` takes it.
fn convertible(descr: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let kind: String = descr.getattr("kind")?.extract()?;
    let size: usize = descr.getattr("itemsize")?.extract()?;
    let native: bool = descr.getattr("isnative")?.extract()?;
    Ok(match (kind.as_str(), size) {
        ("O", _) => Some("np.float64".to_owned()),
        ("f", 9..) => Some("np.float64".to_owned()),
        ("c", 17..) => Some("np.complex128".to_owned()),
        ("T", _) => Some("\"U\"".to_owned()),
        ("V", _) => None,
        _ if !native => {
            let native = descr.call_method1("newbyteorder", ("=",))?;
            let text = native.str()?.to_string();
            let is_class = text.chars().all(char::is_alphanumeric);
            Some(match is_class {
                true => format!("np.{text}"),
                false => format!("\"{}\"", text.trim_start_matches(['<', '='])),
            })
        }
        _ => Some("np.float64".to_owned()),
    })
}

/// Of a container: what is wrong with its first item that has no type.
fn of_items(
    types: &Types,
    object: &Bound<'_, PyAny>,
    name: &str,
    depth: usize,
) -> PyResult<Option<Refusal>> {
    let container = match object {
        o if o.is_instance_of::<PyTuple>() => "tuple",
        o if o.is_instance_of::<PyList>() => "list",
        o if o.is_instance_of::<PySet>() => "set",
        _ => return Ok(None),
    };
    for (number, item) in object.try_iter()?.enumerate() {
        let item = item?;
        if matches!(typeof_object(types, &item), Ok(Some(_))) {
            // A list or a set is typed by its first item.
            if container == "tuple" {
                continue;
            }
            return Ok(None);
        }
        let at = match container {
            "set" => "the item".to_owned(),
            _ => format!("{name}[{number}]"),
        };
        let inner = match depth < DEEPEST {
            true => found(types, &item, &at, depth + 1)?,
            false => plain(&item, String::new()),
        };
        let class = item.get_type().repr()?.to_string();
        return Ok(Some(Refusal {
            phrase: match container {
                "tuple" => format!(
                    "Cannot determine Numba type of {}",
                    object.get_type().repr()?
                ),
                _ => format!("Cannot type {container} element type {class}"),
            },
            what: match inner.what.contains(", of which ") {
                true => inner.what,
                false => format!("a {container}, of which item {number} is {}", inner.what),
            },
            help: inner.help,
        }));
    }
    Ok(None)
}
