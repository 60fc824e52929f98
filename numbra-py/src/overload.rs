//! Users' overloads: what `numbra.extending` registers, and how inference asks for it.
//!
//! Python code keeps the registered functions and picks one (`numbra.core.extending._implementation`); here are the
//! indexes that keep a compilation without overloads free of Python calls, and the conversion of the answer.

use crate::dispatcher;
use crate::host::Detail;
use crate::recorded;
use crate::session::session;
use crate::types::to_python;
use numbra_driver::cache;
use numbra_ir::binding::{Formal, Given, bind};
use numbra_ir::{ArgSpec, Const, DispatcherId, ObjDesc, ObjKind, Type, TypeKind, Types};
use numbra_typeinfer::{HostError, Overload, OverloadBody, OverloadQuery, OverloadTarget};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Default)]
struct Registry {
    /// Functions with overloads by address, with the name that stands for each.
    functions: HashMap<usize, (Py<PyAny>, String)>,
    names: HashSet<String>,
    /// Those of them that are overloaded for types of Python code only.
    for_objects: HashSet<String>,
    /// Functions that compiled code calls as the jitted function beside them.
    jitables: HashMap<usize, (Py<PyAny>, Py<PyAny>)>,
    methods: HashSet<String>,
    attributes: HashSet<String>,
    /// `_implementation(kind, name, literal, plain, skip, device)`
    resolver: Option<Py<PyAny>>,
}

static REGISTRY: Mutex<Option<Registry>> = Mutex::new(None);
/// False until something is registered.
static ANY: AtomicBool = AtomicBool::new(false);

fn registry<R>(body: impl FnOnce(&mut Registry) -> R) -> R {
    let mut registry = REGISTRY.lock().unwrap_or_else(PoisonError::into_inner);
    body(registry.get_or_insert_with(Registry::default))
}

/// Registers a function; returns the name under which the resolver will be asked for it: for any types, or only where one
/// of Python code is among them.
#[pyfunction]
pub(crate) fn _overload_function(
    function: &Bound<'_, PyAny>,
    resolver: Py<PyAny>,
    for_objects: bool,
) -> PyResult<String> {
    let key = function.as_ptr() as usize;
    let known = registry(|r| {
        let name = r.functions.get(&key).map(|f| f.1.clone())?;
        if !for_objects {
            r.for_objects.remove(&name);
        }
        Some(name)
    });
    if let Some(name) = known {
        return Ok(name);
    }
    let mut name = crate::host::describe(function, "")?.name;
    if let (true, Ok(module), Ok(own)) = (
        name.is_empty(),
        function.getattr("__module__"),
        function.getattr("__qualname__"),
    ) {
        // An object that says where it is, as what `intrinsic` makes.
        name = format!("{module}.{own}");
    }
    if name.is_empty() {
        return Err(pyo3::exceptions::PyTypeError::new_err(format!(
            "{} cannot be overloaded: it has no name",
            function.repr()?
        )));
    }
    let is_library = session().library.lookup(&name).is_some();
    Ok(registry(|r| {
        let mut unique = name.clone();
        let mut number = 1;
        // Local functions may share a name; those of the library are who they say they are.
        while !is_library && r.names.contains(&unique) {
            number += 1;
            unique = format!("{name}#{number}");
        }
        r.names.insert(unique.clone());
        if for_objects {
            r.for_objects.insert(unique.clone());
        }
        r.functions
            .insert(key, (function.clone().unbind(), unique.clone()));
        r.resolver = Some(resolver);
        ANY.store(true, Ordering::Release);
        unique
    }))
}

/// Registers a method or attribute name (`kind` is `method` or `attribute`).
#[pyfunction]
pub(crate) fn _overload_member(kind: &str, name: String, resolver: Py<PyAny>) {
    registry(|r| {
        if kind == "method" {
            r.methods.insert(name)
        } else {
            r.attributes.insert(name)
        };
        r.resolver = Some(resolver);
        ANY.store(true, Ordering::Release);
    });
}

/// From now on compiled code calls `dispatcher` where it names `function`.
#[pyfunction]
pub(crate) fn _register_jitable(function: Py<PyAny>, dispatcher: Py<PyAny>) {
    registry(|r| {
        r.jitables
            .insert(function.as_ptr() as usize, (function, dispatcher));
        ANY.store(true, Ordering::Release);
    });
}

/// What a registered function is to the compiler.
pub(crate) fn describe(value: &Bound<'_, PyAny>, detail: Detail) -> Option<ObjDesc> {
    if !ANY.load(Ordering::Acquire) {
        return None;
    }
    let py = value.py();
    let key = value.as_ptr() as usize;
    let (jitable, name) = registry(|r| {
        (
            r.jitables.get(&key).map(|j| j.1.clone_ref(py)),
            r.functions.get(&key).map(|f| f.1.clone()),
        )
    });
    if jitable.is_none() && name.is_none() {
        return None;
    }
    let repr = match detail {
        Detail::Full => crate::compiling::quiet(value.py(), value.repr())
            .map(|r| r.to_string())
            .unwrap_or_default(),
        Detail::Bare => String::new(),
    };
    let desc = |name: String, kind: ObjKind| {
        Some(ObjDesc {
            name,
            kind,
            repr,
            digest: None,
        })
    };
    if let Some(jitable) = jitable {
        let id = dispatcher::id_of(jitable.bind(py))?;
        let name = value
            .getattr("__name__")
            .and_then(|n| n.extract())
            .unwrap_or_default();
        return desc(name, ObjKind::Dispatcher(id));
    }
    desc(name?, ObjKind::Function)
}

pub(crate) fn is_overloaded(name: &str) -> bool {
    ANY.load(Ordering::Acquire) && registry(|r| r.names.contains(name))
}

pub(crate) fn has_method(receiver: Type, name: &str) -> bool {
    if !ANY.load(Ordering::Acquire) || !registry(|r| r.methods.contains(name)) {
        return false;
    }
    crate::python::enter(|py| {
        let check = || -> PyResult<bool> {
            py.import("numbra.core.extending")?
                .call_method1("_has_method", (to_python(py, receiver)?, name))?
                .extract()
        };
        check().unwrap_or(false)
    })
}

/// True if users have registered overloads of a name.
pub(crate) fn is_registered(target: cache::OverloadTarget, name: &str) -> bool {
    ANY.load(Ordering::Acquire)
        && registry(|r| match target {
            cache::OverloadTarget::Function => r.names.contains(name),
            cache::OverloadTarget::Method => r.methods.contains(name),
            cache::OverloadTarget::Attribute => r.attributes.contains(name),
        })
}

/// The implementation for a call, if a registered overload gives one.
pub(crate) fn resolve(
    query: &OverloadQuery<'_>,
    types: &Types,
) -> Result<Option<Overload>, HostError> {
    if !ANY.load(Ordering::Acquire) {
        return Ok(None);
    }
    crate::python::enter(|py| {
        let Some((found, literal)) = found(py, query, types)? else {
            return Ok(None);
        };
        let failed = |e: PyErr| HostError::Failed(e.to_string());
        if let Some(recorded) = recorded::of(&found).map_err(failed)? {
            return Ok(Some(recorded.overload(literal)));
        }
        let d = dispatcher::inner(&found).map_err(failed)?;
        let params = d.parameters.iter().map(|p| p.spec.clone());
        let given = folded(&params.collect::<Vec<_>>(), query, types, literal);
        let source = d.source_for_callers(&given, types);
        let source = source.map_err(HostError::Diagnostic)?;
        let func = crate::host::prepared(&source.func, &given, types)?;
        let args = func.args.clone();
        let id = u64::from(dispatcher::id_of(&found).map_or(0, |id| id.0));
        Ok(Some(Overload {
            id,
            args,
            literal,
            body: OverloadBody::Func(Box::new(func)),
        }))
    })
}

/// What a registered overload gives for a call.
pub(crate) enum Implementation {
    Jitted(DispatcherId),
    /// Code that Python has recorded.
    Recorded(Arc<str>),
}

/// The implementation for a call, if a registered overload gives one, and whether it is for literal types.
pub(crate) fn implementation(
    query: &OverloadQuery<'_>,
    types: &Types,
) -> Result<Option<(Implementation, bool)>, HostError> {
    crate::python::enter(|py| {
        let Some((found, literal)) = found(py, query, types)? else {
            return Ok(None);
        };
        if let Some(id) = dispatcher::id_of(&found) {
            return Ok(Some((Implementation::Jitted(id), literal)));
        }
        let recorded = recorded::of(&found).ok().flatten();
        let code = recorded.and_then(|recorded| recorded::code(recorded.id));
        Ok(code.map(|code| (Implementation::Recorded(code), literal)))
    })
}

/// The dispatcher that the registered overloads of a name give for a call, and whether it is for literal types.
fn found<'py>(
    py: Python<'py>,
    query: &OverloadQuery<'_>,
    types: &Types,
) -> Result<Option<(Bound<'py, PyAny>, bool)>, HostError> {
    let (target, kind, name) = match query.target {
        OverloadTarget::Function(name) => (cache::OverloadTarget::Function, "function", name),
        OverloadTarget::Method(name) => (cache::OverloadTarget::Method, "method", name),
        OverloadTarget::Attribute(name) => (cache::OverloadTarget::Attribute, "attribute", name),
    };
    if !is_registered(target, name) {
        return Ok(None);
    }
    let is_object = |ty: &Type| {
        let ty = match types.kind(*ty) {
            TypeKind::Optional(inner) => *inner,
            _ => *ty,
        };
        matches!(types.kind(ty), TypeKind::Ext { .. })
    };
    let asks_all = target != cache::OverloadTarget::Function
        || registry(|r| !r.for_objects.contains(name))
        || query.args.iter().any(is_object);
    if !asks_all {
        return Ok(None);
    }
    let Some(resolver) = registry(|r| r.resolver.as_ref().map(|f| f.clone_ref(py))) else {
        return Ok(None);
    };
    let arguments = |literal: bool| -> PyResult<(Bound<'_, PyTuple>, Bound<'_, PyDict>)> {
        let shown = |ty: Type| to_python(py, if literal { ty } else { types.unliteral(ty) });
        let args = query.args.iter().map(|ty| shown(*ty));
        let args = args.collect::<PyResult<Vec<_>>>()?;
        let kws = PyDict::new(py);
        for (name, ty) in query.kws {
            kws.set_item(name, shown(*ty)?)?;
        }
        Ok((PyTuple::new(py, args)?, kws))
    };
    let ask = || {
        let resolver = resolver.bind(py);
        let device = crate::kernels::for_device();
        let (literal, plain) = (arguments(true)?, arguments(false)?);
        resolver
            .call1((kind, name, literal, plain, query.skip, device))?
            .extract()
    };
    ask().map_err(|error| host_error(py, &error))
}

/// One type a parameter of the implementation, `literal` or plain.
fn folded(
    params: &[ArgSpec],
    query: &OverloadQuery<'_>,
    types: &Types,
    literal: bool,
) -> Vec<Type> {
    let given = |ty: Type| if literal { ty } else { types.unliteral(ty) };
    let formals: Vec<Formal<'_>> = params.iter().map(ArgSpec::formal).collect();
    let names: Vec<&str> = query.kws.iter().map(|(name, _)| name.as_str()).collect();
    // Arguments that do not fit are refused where the call is resolved.
    let Ok(taken) = bind(&formals, query.args.len(), &names) else {
        return vec![Type::UNDEFINED; params.len()];
    };
    let type_of = |(param, taken): (&ArgSpec, Given)| match taken {
        Given::Positional(at) => given(query.args[at]),
        Given::Keyword(at) => given(query.kws[at].1),
        Given::Rest(from) => {
            let rest = query.args[from..].iter().map(|ty| given(*ty)).collect();
            types.intern(TypeKind::StarArgTuple(rest))
        }
        Given::Default => {
            let value = param.default.clone().unwrap_or(Const::None);
            types.intern(TypeKind::Omitted(value))
        }
    };
    params.iter().zip(taken).map(type_of).collect()
}

/// An exception of a user's overload function.
fn host_error(py: Python<'_>, error: &PyErr) -> HostError {
    let value = error.value(py);
    if let Ok(positions) = value.getattr("requested_args")
        && let Ok(positions) = positions.try_iter()
    {
        let mut positions: Vec<usize> = positions
            .flatten()
            .filter_map(|p| p.extract().ok())
            .collect();
        positions.sort_unstable();
        return HostError::ForceLiteral(positions);
    }
    // A mistake in the function itself comes out as it is; what says that the types do not fit is one reason among others.
    if !is_numba_error(value) {
        crate::compiling::keep(py, error.clone_ref(py));
    }
    HostError::Failed(value.str().map(|s| s.to_string()).unwrap_or_default())
}

fn is_numba_error(value: &Bound<'_, PyAny>) -> bool {
    let errors = value.py().import("numbra.core.errors");
    let class = errors.and_then(|errors| errors.getattr("NumbaError"));
    class.is_ok_and(|class| value.is_instance(&class).unwrap_or(false))
}
