//! CPython as the compiler's [`Host`]: globals, modules, jitted callees.

use crate::captured::capture;
use crate::classes::{class_named, register_class};
use crate::dispatcher::{self, FunctionRules};
use crate::numpy;
use crate::overload;
use crate::resolved::{Meaning, Resolved};
use crate::session::session;
use crate::typeof_::{constant_of, element_of_dtype, typeof_object};
use numbra_base::nearest_name;
use numbra_ir::lattice::ExtRules;
use numbra_ir::stencil::Stencil;
use numbra_ir::{
    ArgKind, ArgSpec, ArrayType, Const, DispatcherId, Func, ObjDesc, ObjKind, ObjRef, PrimaryMap,
    TupleClass, Type, TypeKind, Types,
};
use numbra_typeinfer::{
    DispatcherInfo, Host, HostError, NamedTupleClass, Overload, OverloadQuery, Reader,
};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyModule, PyTuple, PyType};
use std::collections::HashMap;

/// The one Host of this process.
pub(crate) struct PythonHost;

impl Host for PythonHost {
    fn attribute(
        &self,
        owner: &str,
        attr: &str,
        reader: Option<&Reader>,
        objects: &mut PrimaryMap<ObjRef, ObjDesc>,
    ) -> Option<ObjDesc> {
        let resolved = reader.and_then(Resolved::of_reader);
        crate::python::enter(|py| match resolved {
            Some(resolved) => resolved.attribute(py, (owner, attr), objects),
            None => attribute(py, owner, attr, objects, Detail::Full),
        })
    }

    fn members(&self, owner: &str) -> Vec<String> {
        crate::python::enter(|py| {
            let modules = py.import("sys")?.getattr("modules")?;
            modules.get_item(owner)?.dir()?.extract()
        })
        .unwrap_or_default()
    }

    fn dispatcher(&self, id: DispatcherId) -> Option<DispatcherInfo> {
        dispatcher::with(id, |d| d.info())
    }

    fn overload_dispatcher(&self, id: u64) -> Option<DispatcherInfo> {
        let id = u32::try_from(id).ok()?;
        dispatcher::with(DispatcherId(id), |d| d.info())
    }

    fn dispatcher_func(
        &self,
        id: DispatcherId,
        args: &[Type],
        types: &Types,
    ) -> Result<Func, HostError> {
        let found = dispatcher::with(id, |d| d.source_for_callers(args, types));
        match found {
            Some(Ok(source)) => prepared(&source.func, args, types),
            Some(Err(diagnostic)) => Err(HostError::Diagnostic(diagnostic)),
            None => Err(HostError::Failed("the jitted function is gone".to_owned())),
        }
    }

    fn stencil(&self, id: DispatcherId) -> Result<(Stencil, Func), HostError> {
        let found = dispatcher::with(id, |d| {
            let stencil = d.options.stencil.clone();
            let source = || d.source(Some((&[], &session().types)));
            stencil.map(|stencil| source().map(|source| (stencil, source.func.clone())))
        });
        match found.flatten() {
            Some(found) => found.map_err(HostError::Diagnostic),
            None => Err(HostError::Failed("the stencil is gone".to_owned())),
        }
    }

    fn is_overloaded(&self, name: &str) -> bool {
        overload::is_overloaded(name)
    }

    fn has_method(&self, receiver: Type, name: &str, _types: &Types) -> bool {
        overload::has_method(receiver, name)
    }

    fn overload(
        &self,
        query: &OverloadQuery<'_>,
        types: &Types,
    ) -> Result<Option<Overload>, HostError> {
        overload::resolve(query, types)
    }

    fn external_code(&self, id: u64) -> Option<String> {
        Some(crate::recorded::code(id)?.to_string())
    }

    fn named_tuple(&self, name: &str) -> Option<NamedTupleClass> {
        crate::python::enter(|py| {
            let class = class_named(py, name)?.cast_into::<PyType>().ok()?;
            if !class.is_subclass_of::<PyTuple>().ok()? {
                return None;
            }
            let fields: Vec<String> = class.getattr("_fields").ok()?.extract().ok()?;
            let defaults = class.getattr("_field_defaults").ok()?;
            let spec = |name: String| -> Option<ArgSpec> {
                let default = match defaults.get_item(&name) {
                    // A field whose default is no constant is none that compiled code can make.
                    Ok(value) => Some(constant_of(&value)?),
                    Err(_) => None,
                };
                Some(ArgSpec {
                    name,
                    kind: ArgKind::PositionalOrKeyword,
                    default,
                })
            };
            let short = class.name().ok()?.extract().ok()?;
            Some(NamedTupleClass {
                fields: fields.into_iter().map(spec).collect::<Option<_>>()?,
                name: register_class(py, short, &class),
            })
        })
    }

    fn ext_rules(&self) -> &dyn ExtRules {
        &FunctionRules
    }

    fn numpy_version(&self) -> (u32, u32) {
        crate::python::enter(crate::numpy::version)
    }

    fn is_enum(&self, name: &str) -> bool {
        crate::python::enter(|py| {
            class_named(py, name).is_some_and(|class| crate::enums::is_enum(&class))
        })
    }

    fn is_exception(&self, name: &str) -> bool {
        crate::python::enter(|py| {
            let Some(class) = class_named(py, name) else {
                return false;
            };
            class.cast::<PyType>().is_ok_and(|c| {
                c.is_subclass_of::<pyo3::exceptions::PyBaseException>()
                    .unwrap_or(false)
            })
        })
    }

    fn prepare(&self, func: Func, args: &[Type], types: &Types) -> Result<Func, HostError> {
        session()
            .prepare(&func, args, types)
            .map_err(HostError::Diagnostic)
    }
}

/// What an attribute of a module or class is. Objects that it is made of are added to `objects`.
pub(crate) fn attribute(
    py: Python<'_>,
    owner: &str,
    attr: &str,
    objects: &mut PrimaryMap<ObjRef, ObjDesc>,
    detail: Detail,
) -> Option<ObjDesc> {
    if let Some(known) = crate::lazy::describe(py, owner, attr) {
        return Some(known);
    }
    let modules = py.import("sys").ok()?.getattr("modules").ok()?;
    let object = match modules.get_item(owner) {
        Ok(module) => module,
        Err(_) => class_named(py, owner)?,
    };
    let value = object.getattr(attr).ok()?;
    describe_into(objects, &value, &format!("{owner}.{attr}"), 0, detail).ok()
}

/// A function after the untyped passes; a wish for literal arguments is an answer of its own.
pub(crate) fn prepared(func: &Func, args: &[Type], types: &Types) -> Result<Func, HostError> {
    session().prepare(func, args, types).map_err(|diagnostic| {
        match session().literal_request(func, &diagnostic) {
            positions if positions.is_empty() => HostError::Diagnostic(diagnostic),
            positions => HostError::ForceLiteral(positions),
        }
    })
}

/// Fills in the objects that the IR builder left by name, from the function's globals and closure.
///
/// A name that is bound nowhere yet but is the function's own stands for its dispatcher, `own`: with explicit signatures
/// a recursive function compiles inside its decorator.
pub(crate) fn resolve_objects(
    py: Python<'_>,
    func: &mut Func,
    function: &Bound<'_, PyAny>,
    own: DispatcherId,
) -> PyResult<()> {
    let scope = Scope::of(py, function)?;
    resolve_in(func, &scope)?;
    for (_, desc) in &mut func.objects {
        if desc.kind == ObjKind::Undefined && desc.name == scope.own_name {
            desc.kind = ObjKind::Dispatcher(own);
        }
    }
    Ok(())
}

/// Where the names of a function are looked up.
pub(crate) struct Scope<'py> {
    /// The function's own name.
    pub(crate) own_name: String,
    globals: Bound<'py, PyDict>,
    builtins: Bound<'py, PyModule>,
    cells: HashMap<String, Bound<'py, PyAny>>,
}

impl<'py> Scope<'py> {
    pub(crate) fn of(py: Python<'py>, function: &Bound<'py, PyAny>) -> PyResult<Scope<'py>> {
        let globals = function
            .getattr("__globals__")?
            .cast_into::<PyDict>()
            .map_err(PyErr::from)?;
        let mut cells = HashMap::new();
        let closure = function.getattr("__closure__")?;
        if let Ok(closure) = closure.cast::<PyTuple>() {
            let names: Vec<String> = function
                .getattr("__code__")?
                .getattr("co_freevars")?
                .extract()?;
            for (name, cell) in names.into_iter().zip(closure.iter()) {
                if let Ok(value) = cell.getattr("cell_contents") {
                    cells.insert(name, value);
                }
            }
        }
        Ok(Scope {
            own_name: function.getattr("__name__")?.extract()?,
            globals,
            builtins: py.import("builtins")?,
            cells,
        })
    }

    fn lookup(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        if let Some(value) = self.cells.get(name) {
            return Ok(Some(value.clone()));
        }
        if let Some(value) = self.globals.get_item(name)? {
            return Ok(Some(value));
        }
        Ok(self.builtins.getattr(name).ok())
    }

    /// The name that was probably meant by one that is bound nowhere; empty where none is near.
    fn nearest(&self, name: &str) -> String {
        let globals = self.globals.keys();
        let globals = globals.iter().filter_map(|key| key.extract().ok());
        let builtins = self.builtins.dict().keys();
        let builtins = builtins.iter().filter_map(|key| key.extract().ok());
        let cells = self.cells.keys().cloned();
        let all: Vec<String> = cells.chain(globals).chain(builtins).collect();
        nearest_name(name, all).unwrap_or_default()
    }

    /// What a name stands for; `None` if it is bound nowhere. Objects that it is made of are added to `objects`.
    pub(crate) fn describe(
        &self,
        objects: &mut PrimaryMap<ObjRef, ObjDesc>,
        name: &str,
        detail: Detail,
    ) -> PyResult<Option<ObjDesc>> {
        match self.lookup(name)? {
            Some(value) => describe_into(objects, &value, name, 0, detail).map(Some),
            None => Ok(None),
        }
    }

    /// As [`Scope::describe`], for a name that the IR builder left; undefined if it is bound nowhere.
    fn describe_or_not(
        &self,
        objects: &mut PrimaryMap<ObjRef, ObjDesc>,
        left: &ObjDesc,
    ) -> PyResult<ObjDesc> {
        let found = self.describe(objects, &left.name, Detail::Full)?;
        Ok(found.unwrap_or_else(|| ObjDesc {
            kind: ObjKind::Undefined,
            repr: self.nearest(&left.name),
            ..left.clone()
        }))
    }

    /// What a name that the IR builder left stands for.
    pub(crate) fn meaning(&self, left: &ObjDesc) -> PyResult<Meaning> {
        let mut parts = PrimaryMap::new();
        let desc = self.describe_or_not(&mut parts, left)?;
        Ok(Meaning { desc, parts })
    }
}

fn resolve_in(func: &mut Func, scope: &Scope<'_>) -> PyResult<()> {
    func.describe_objects(|objects, desc| match desc.kind {
        ObjKind::Unresolved => scope.describe_or_not(objects, &desc),
        _ => Ok::<ObjDesc, PyErr>(desc),
    })?;
    for (_, nested) in &mut func.nested {
        resolve_in(nested, scope)?;
    }
    Ok(())
}

/// What a description has beside what the compiler decides by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Detail {
    /// The object's `repr`, for messages and dumps.
    Full,
    /// Nothing.
    Bare,
}

/// How deep tuples of objects are described.
const NESTING: usize = 32;

/// Describes an object; tuples of objects that are no plain constants become further objects, before it.
fn describe_into(
    objects: &mut PrimaryMap<ObjRef, ObjDesc>,
    value: &Bound<'_, PyAny>,
    name: &str,
    depth: usize,
    detail: Detail,
) -> PyResult<ObjDesc> {
    if let Ok(tuple) = value.cast::<PyTuple>()
        && depth < NESTING
        && constant_of(value).is_none()
        && !crate::enums::is_enum(&value.get_type())
    {
        let class = crate::typeof_::named_class(tuple)?;
        let mut items = Vec::new();
        for (index, item) in tuple.iter().enumerate() {
            let desc = describe_into(
                objects,
                &item,
                &format!("{name}[{index}]"),
                depth + 1,
                detail,
            )?;
            // The same attribute may be asked for again.
            let known = objects.iter().find(|(_, known)| **known == desc);
            items.push(match known.map(|(obj, _)| obj) {
                Some(obj) => obj,
                None => objects.push(desc),
            });
        }
        let class = class.map(|(name, fields)| TupleClass { name, fields });
        return Ok(described(name, ObjKind::Tuple(items, class), value, detail));
    }
    describe_with(value, name, detail)
}

fn described(name: &str, kind: ObjKind, value: &Bound<'_, PyAny>, detail: Detail) -> ObjDesc {
    ObjDesc {
        name: name.to_owned(),
        kind,
        repr: match detail {
            Detail::Full => stable_repr(value),
            Detail::Bare => String::new(),
        },
        digest: None,
    }
}

/// `repr` without addresses, bounded.
fn stable_repr(value: &Bound<'_, PyAny>) -> String {
    let text = value.repr().and_then(|r| r.extract::<String>());
    let text = crate::compiling::quiet(value.py(), text);
    let text = text.unwrap_or_else(|| "<unprintable>".to_owned());
    let text = match text.find(" at 0x") {
        Some(at) => {
            let rest = &text[at + 6..];
            let end = rest
                .find(|c: char| !c.is_ascii_hexdigit())
                .unwrap_or(rest.len());
            format!("{}{}", &text[..at], &rest[end..])
        }
        None => text,
    };
    if text.chars().count() > 200 {
        text.chars().take(200).chain("...".chars()).collect()
    } else {
        text
    }
}

/// Describes one object.
pub(crate) fn describe(value: &Bound<'_, PyAny>, name: &str) -> PyResult<ObjDesc> {
    describe_with(value, name, Detail::Full)
}

/// As [`describe`].
fn describe_with(value: &Bound<'_, PyAny>, name: &str, detail: Detail) -> PyResult<ObjDesc> {
    let py = value.py();
    let plain =
        |name: &str, kind: ObjKind, value: &Bound<'_, PyAny>| described(name, kind, value, detail);
    if let Some(registered) = overload::describe(value, detail) {
        return Ok(registered);
    }
    if let Some(ty) = crate::enums::typeof_member(&session().types, value)?
        && let Some(constant) = constant_of(&value.getattr("value")?)
    {
        return Ok(plain(name, ObjKind::Typed(ty, constant), value));
    }
    if let Some(constant) = constant_of(value) {
        return Ok(plain(name, ObjKind::Value(constant), value));
    }
    if let Some(id) = dispatcher::id_of(value) {
        return Ok(plain(
            &qualified_name(value).unwrap_or_else(|| name.to_owned()),
            ObjKind::Dispatcher(id),
            value,
        ));
    }
    if let Some(loops) = crate::ufunc::loops_of(value) {
        return Ok(plain(
            &qualified_name(value).unwrap_or_else(|| name.to_owned()),
            ObjKind::Dispatcher(loops),
            value,
        ));
    }
    if let Ok(module) = value.cast::<PyModule>() {
        return Ok(plain(
            &module.name()?.extract::<String>()?,
            ObjKind::Module,
            value,
        ));
    }
    if let Ok(Some(ty)) = crate::types::as_type(value) {
        return Ok(plain(name, ObjKind::TypeObject(ty), value));
    }
    if let Ok(class) = value.cast::<PyType>() {
        let qualified = qualified_name(value).unwrap_or_else(|| name.to_owned());
        if class.is_subclass_of::<pyo3::exceptions::PyBaseException>()? {
            let qualified = register_class(py, qualified, class);
            return Ok(plain(&qualified, ObjKind::Class, value));
        }
        let qualified = register_class(py, qualified, class);
        return Ok(plain(&qualified, ObjKind::Class, value));
    }
    if let Some((ty, handle)) = crate::kernels::captured::describe(value)? {
        return Ok(plain(name, ObjKind::Array { ty, handle }, value));
    }
    if let Some((ty, symbol)) = crate::kernels::captured::describe_function(value)? {
        return Ok(plain(name, ObjKind::Typed(ty, symbol), value));
    }
    if let Some(api) = numpy::loaded(value.py())? {
        if api.is_array(value) {
            let types = &session().types;
            let found = typeof_object(types, value)?;
            if let Some(array) = found.and_then(|ty| types.as_array(ty)) {
                let ty = types.intern(TypeKind::Array(ArrayType {
                    mutable: false,
                    ..array
                }));
                let handle = crate::constant_arrays::handle_of(value)?;
                return Ok(plain(name, ObjKind::Array { ty, handle }, value));
            }
            if found.is_none() {
                let class = class_repr(value);
                let mut desc = plain(name, ObjKind::Opaque { class }, value);
                desc.repr = crate::refused::refusal(value, name).what;
                return Ok(desc);
            }
        }
        if api.record_of(value).is_some()
            && let Some(ty) = typeof_object(&session().types, value)?
            && session().types.as_record(ty).is_some()
        {
            let handle = crate::constant_arrays::handle_of_record(value)?;
            return Ok(plain(name, ObjKind::Array { ty, handle }, value));
        }
        if value.hasattr("dtype")?
            && value.hasattr("item")?
            && !value.hasattr("__array_finalize__")?
        {
            // A NumPy scalar; times are their counts.
            let ty = typeof_object(&session().types, value)?;
            let is_time = ty.is_some_and(|ty| session().types.as_time(ty).is_some());
            let number = if is_time {
                value.call_method1("astype", ("i8",))?
            } else {
                value.clone()
            };
            if let (Some(ty), Some(constant)) = (
                ty,
                number
                    .call_method0("item")
                    .ok()
                    .and_then(|v| constant_of(&v)),
            ) {
                return Ok(plain(name, ObjKind::Typed(ty, constant), value));
            }
        }
        if value
            .get_type()
            .name()?
            .extract::<String>()?
            .ends_with("ufunc")
            && value.hasattr("nin")?
        {
            let ufunc: String = value.getattr("__name__")?.extract()?;
            return Ok(plain(&format!("numpy.{ufunc}"), ObjKind::Function, value));
        }
        if value.hasattr("itemsize")? && value.hasattr("isnative")? {
            return Ok(match element_of_dtype(&session().types, value) {
                Some(element) => plain(name, ObjKind::DType(element), value),
                None => plain(
                    name,
                    ObjKind::Opaque {
                        class: class_repr(value),
                    },
                    value,
                ),
            });
        }
    }
    // NumPy scalars have item(); np.bool_ singletons etc. were handled above.
    if value.is_callable()
        && let Some(qualified) = qualified_name(value)
    {
        let class: String = value.get_type().name()?.extract()?;
        let known = matches!(
            class.as_str(),
            "builtin_function_or_method"
                | "function"
                | "_ArrayFunctionDispatcher"
                | "wrapper_descriptor"
                | "method_descriptor"
                | "cython_function_or_method"
        ) || (class == "method" && crate::random::module_of(value).is_some());
        if known {
            return Ok(plain(&qualified, ObjKind::Function, value));
        }
    }
    let known = function_pointer(&session().types, value)?;
    if let Some(KnownFunction::Jitted(id)) = known {
        return Ok(plain(name, ObjKind::Dispatcher(id), value));
    }
    if let Some(KnownFunction::Address(ty, found)) = known {
        let handle = crate::constant_arrays::handle_of_function(value, found)?;
        let parts = [found.address, i64::from(found.compiled), handle as i64].map(Const::Int);
        let constant = Const::Tuple(parts.to_vec());
        return Ok(plain(name, ObjKind::Typed(ty, constant), value));
    }
    Ok(plain(
        name,
        ObjKind::Opaque {
            class: class_repr(value),
        },
        value,
    ))
}

/// Where a function is, and whether it is compiled code, which has a status, or one of C.
#[derive(Clone, Copy)]
pub(crate) struct FunctionAddress {
    pub(crate) address: i64,
    pub(crate) compiled: bool,
}

/// A function that is no jitted one, whose signature Python knows.
pub(crate) enum KnownFunction {
    /// Its type, and where it is.
    Address(Type, FunctionAddress),
    /// It takes objects of Python: the jitted function that calls it.
    Jitted(DispatcherId),
}

/// What Python says of a function: address, whether it is compiled code, types of result and parameters.
type Described<'py> = (i64, bool, Bound<'py, PyAny>, Vec<Bound<'py, PyAny>>);

/// A function whose signature Python knows; `None` for other objects.
pub(crate) fn function_pointer(
    types: &Types,
    value: &Bound<'_, PyAny>,
) -> PyResult<Option<KnownFunction>> {
    let found = value
        .py()
        .import("numbra.core.function_pointers")?
        .call_method1("describe", (value,))?;
    if found.is_none() {
        return Ok(None);
    }
    // The code behind the address is that of the object.
    capture(value);
    if let Some(id) = dispatcher::id_of(&found) {
        return Ok(Some(KnownFunction::Jitted(id)));
    }
    let (address, compiled, ret, params): Described<'_> = found.extract()?;
    let ret = crate::types::from_python(&ret)?;
    let params = params
        .iter()
        .map(crate::types::from_python)
        .collect::<PyResult<Vec<Type>>>()?;
    let ty = types.intern(TypeKind::FunctionType { ret, params });
    let found = FunctionAddress { address, compiled };
    Ok(Some(KnownFunction::Address(ty, found)))
}

fn class_repr(value: &Bound<'_, PyAny>) -> String {
    value
        .get_type()
        .repr()
        .and_then(|r| r.extract())
        .unwrap_or_else(|_| "<class 'object'>".to_owned())
}

/// `module.qualname` under the names that the library uses: private C modules count as their public ones, methods of the
/// generators behind `random` and `numpy.random` as functions of these modules.
fn qualified_name(value: &Bound<'_, PyAny>) -> Option<String> {
    if let Some(module) = crate::random::module_of(value) {
        let name: String = value.getattr("__name__").ok()?.extract().ok()?;
        return Some(format!("{module}.{name}"));
    }
    let name: String = value
        .getattr("__qualname__")
        .or_else(|_| value.getattr("__name__"))
        .ok()?
        .extract()
        .ok()?;
    let module: Option<String> = value
        .getattr("__module__")
        .ok()
        .and_then(|m| m.extract().ok());
    let module = match module.as_deref() {
        Some("_operator") => "operator",
        Some("_functools") => "functools",
        Some(
            "numpy._core.multiarray" | "numpy.core.multiarray" | "numpy._core._multiarray_umath",
        ) => "numpy",
        Some("numpy.random.mtrand") => "numpy.random",
        Some("numbra.misc.special" | "numbra.special" | "numbra.np.ufunc.parallel") => "numbra",
        Some(module) => module,
        None => "builtins",
    };
    Some(format!("{module}.{name}"))
}

/// A constant default of a parameter.
pub(crate) fn default_constant(value: &Bound<'_, PyAny>) -> Option<Const> {
    constant_of(value)
}
