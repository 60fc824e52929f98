//! The dispatcher: a type with a vectorcall slot that holds the entry wrapper of the last signature called.
//!
//! A call goes straight to machine code. An entry that does not match its arguments jumps to [`numbra_py_dispatch`],
//! which folds keywords and defaults, finds or compiles the entry for the argument types, and makes it the next one tried.

use crate::convert::{leniently, take_unbox_error};
use crate::errors;
use crate::host::{self, PythonHost};
use crate::session::session;
use crate::typeof_::typeof_object;
use numbra_base::{Diagnostic, ErrorClass};
use numbra_driver::{CompileError, Compiled, Options, Request, Source};
use numbra_ir::lattice::{Conversion, can_convert};
use numbra_ir::{ArgKind, ArgSpec, Const, DispatcherId, ObjKind, Signature, Type, TypeKind};
use numbra_typeinfer::DispatcherInfo;
use pyo3::exceptions::{
    PyOverflowError, PyReferenceError, PyRuntimeError, PySystemError, PyTypeError, PyValueError,
};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple, PyType};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::mem::offset_of;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError, Weak};

/// A compiled signature.
pub(crate) struct Entry {
    /// One type a parameter; `Omitted` for those left to their defaults.
    pub(crate) args: Vec<Type>,
    /// Everything the compiler made for it; keeps the machine code alive.
    pub(crate) compiled: Arc<Compiled>,
    wrapper: ffi::vectorcallfunc,
}

type Forced = (Vec<Type>, Vec<usize>);

/// A parameter with its default as the Python object.
struct Parameter {
    spec: ArgSpec,
    default: Option<Py<PyAny>>,
}

/// What a dispatcher is, apart from its Python object.
pub(crate) struct Dispatcher {
    id: DispatcherId,
    name: String,
    /// The Python object, borrowed; null once it is being freed. Used under the GIL.
    object: AtomicPtr<PyObject>,
    function: Py<PyAny>,
    options: Options,
    /// An option that was given and does not exist yet: the function cannot be compiled.
    unsupported: Option<String>,
    /// Asked to run in parallel, which it cannot yet.
    parallel: bool,
    parameters: Vec<Parameter>,
    entries: Mutex<Vec<Arc<Entry>>>,
    /// Superseded entries: a call may still be running in them.
    retired: Mutex<Vec<Arc<Entry>>>,
    /// Argument types for which the function asks for literals at these positions.
    forced: Mutex<Vec<Forced>>,
    can_compile: AtomicBool,
    /// Signatures being compiled, so that threads compile each once.
    in_flight: Mutex<Vec<Vec<Type>>>,
    landed: Condvar,
    source: OnceLock<Result<Arc<Source>, Box<Diagnostic>>>,
}

/// The Python object. `vectorcall` is what a call runs.
#[repr(C)]
struct DispatcherObject {
    ob_base: PyObject,
    vectorcall: Option<ffi::vectorcallfunc>,
    inner: *const Dispatcher,
    dict: *mut PyObject,
    weakrefs: *mut PyObject,
}

/// A function whose attributes cannot be read.
fn unreadable(error: PyErr) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(
        "D001",
        ErrorClass::InternalError,
        format!("cannot read the function: {error}"),
        numbra_base::Span::NONE,
    ))
}

/// All live dispatchers by id. Ids are never used twice.
static REGISTRY: Mutex<Registry> = Mutex::new(Registry {
    next: 0,
    live: BTreeMap::new(),
});

struct Registry {
    next: u32,
    live: BTreeMap<u32, Weak<Dispatcher>>,
}

impl Drop for Dispatcher {
    fn drop(&mut self) {
        session().forget(self.id);
        REGISTRY
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .live
            .remove(&self.id.0);
    }
}
static TYPE: OnceLock<Py<PyType>> = OnceLock::new();

/// Runs `body` on the dispatcher with this id, if it is alive.
pub(crate) fn with<R>(id: DispatcherId, body: impl FnOnce(&Dispatcher) -> R) -> Option<R> {
    let found = REGISTRY
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .live
        .get(&id.0)?
        .upgrade();
    found.map(|d| body(&d))
}

/// The id of a Python object, if it is a dispatcher.
pub(crate) fn id_of(value: &Bound<'_, PyAny>) -> Option<DispatcherId> {
    inner(value).ok().map(|d| d.id)
}

/// The dispatcher behind a Python object.
pub(crate) fn inner<'a>(value: &'a Bound<'_, PyAny>) -> PyResult<&'a Dispatcher> {
    let class = TYPE
        .get()
        .ok_or_else(|| PyTypeError::new_err("not a dispatcher"))?;
    if !value.is_instance(class.bind(value.py()))? {
        return Err(PyTypeError::new_err("not a dispatcher"));
    }
    let object = value.as_ptr().cast::<DispatcherObject>();
    // SAFETY: an instance of our type; `inner` is set by `tp_new` and lives as long as the object.
    unsafe { (*object).inner.as_ref() }
        .ok_or_else(|| PyTypeError::new_err("not an initialised dispatcher"))
}

/// The type of a jitted function as a value.
pub(crate) fn type_of(value: &Bound<'_, PyAny>) -> PyResult<Type> {
    let d = inner(value)?;
    Ok(session().types.intern(TypeKind::Dispatcher {
        id: d.id,
        name: d.name.clone(),
    }))
}

impl Dispatcher {
    /// As its callers see it.
    pub(crate) fn info(&self) -> DispatcherInfo {
        let frozen = (!self.can_compile.load(Ordering::Acquire)).then(|| {
            self.entries()
                .iter()
                .map(|e| Signature {
                    params: e.args.clone(),
                    ret: e.compiled.ret,
                })
                .collect()
        });
        DispatcherInfo {
            name: self.name.clone(),
            args: self.parameters.iter().map(|p| p.spec.clone()).collect(),
            frozen,
        }
    }

    /// Its function in IR, before the passes that depend on argument types, with the globals as they are now.
    pub(crate) fn source(&self) -> Result<Arc<Source>, Box<Diagnostic>> {
        let built = self.built()?;
        if built
            .func
            .objects
            .values()
            .all(|desc| desc.kind != ObjKind::Unresolved)
            && built.func.nested.is_empty()
        {
            return Ok(built);
        }
        let mut source = Source::clone(&built);
        Python::attach(|py| {
            host::resolve_objects(py, &mut source.func, self.function.bind(py), self.id)
        })
        .map_err(unreadable)?;
        Ok(Arc::new(source))
    }

    /// Its function in IR, globals by name only. Built once.
    fn built(&self) -> Result<Arc<Source>, Box<Diagnostic>> {
        self.source
            .get_or_init(|| {
                Python::attach(|py| {
                    let function = self.function.bind(py);
                    let failed = unreadable;
                    let code = function.getattr("__code__").map_err(failed)?;
                    let code = crate::code::code_object(&code).map_err(failed)?;
                    let module = function
                        .getattr("__module__")
                        .and_then(|m| m.extract::<String>())
                        .unwrap_or_default();
                    let mut source =
                        session().untyped(code, &module, &|path| errors::source_of(py, path))?;
                    for (arg, parameter) in source.func.args.iter_mut().zip(&self.parameters) {
                        arg.default = parameter.spec.default.clone();
                    }
                    Ok(Arc::new(source))
                })
            })
            .clone()
    }

    pub(crate) fn entries(&self) -> Vec<Arc<Entry>> {
        self.entries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn find(&self, args: &[Type]) -> Option<Arc<Entry>> {
        self.entries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .find(|e| e.args == args)
            .cloned()
    }

    /// The entry for these argument types, as a Python exception where there is none.
    pub(crate) fn compile(
        &self,
        py: Python<'_>,
        args: &[Type],
        ret: Option<Type>,
    ) -> PyResult<Arc<Entry>> {
        self.entry_for(py, args, ret)
            .map_err(|error| errors::compile_error(py, &error))
    }

    /// The entry for the types of these arguments; where the function asks for literals, the one for their values.
    fn compile_for(
        &self,
        py: Python<'_>,
        types: &[Type],
        slots: &[*mut PyObject],
    ) -> PyResult<Arc<Entry>> {
        self.check_tuples(types, py)?;
        let forced = self
            .forced
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .find(|f| f.0 == types)
            .cloned();
        let positions = match forced {
            Some((_, positions)) => positions,
            None => match self.entry_for(py, types, None) {
                Ok(entry) => return Ok(entry),
                Err(error) if error.force_literal.is_empty() => {
                    return Err(errors::compile_error(py, &error));
                }
                Err(error) => {
                    let mut forced = self.forced.lock().unwrap_or_else(PoisonError::into_inner);
                    forced.push((types.to_vec(), error.force_literal.clone()));
                    error.force_literal
                }
            },
        };
        let lattice = &session().types;
        let mut literal = types.to_vec();
        for position in positions {
            if let Some(slot) = slots.get(position).filter(|s| !s.is_null()) {
                // SAFETY: arguments are alive under the GIL.
                let object = unsafe { Bound::from_borrowed_ptr(py, *slot) };
                let value = crate::typeof_::constant_of(&object);
                let Some(value @ (Const::Int(_) | Const::Bool(_) | Const::Str(_))) = value else {
                    let text = format!("{} cannot be used as a literal", object.repr()?);
                    return Err(errors::typing_error(py, ErrorClass::TypingError, &text));
                };
                literal[position] = lattice.intern(TypeKind::Literal(value));
            }
        }
        self.entry_for(py, &literal, None).map_err(|error| {
            if error.force_literal.is_empty() {
                return errors::compile_error(py, &error);
            }
            let info: Vec<String> =
                error.force_literal.iter().map(|&i| format!("Arg #{i} is {}", lattice.display(literal[i]))).collect();
            let text = format!(
                "Repeated literal typing request.\n{}.\nThis is likely caused by an error in typing. Please see nested and suppressed exceptions.",
                info.join(", ")
            );
            errors::typing_error(py, ErrorClass::CompilerError, &text)
        })
    }

    /// Refuses tuples so long that their elements, each a value of its own, make a function of endless length.
    fn check_tuples(&self, args: &[Type], py: Python<'_>) -> PyResult<()> {
        let types = &session().types;
        for (parameter, ty) in self.parameters.iter().zip(args) {
            if types
                .tuple_items(*ty)
                .is_some_and(|items| items.len() >= 1000)
            {
                let text = format!(
                    "Tuple '{}' length must be smaller than 1000.\nEach element of a tuple is a value of its own. Use an array instead.",
                    parameter.spec.name
                );
                return Err(errors::typing_error(
                    py,
                    ErrorClass::UnsupportedError,
                    &text,
                ));
            }
        }
        Ok(())
    }

    /// The entry for these argument types, compiled at most once; waiting and compiling release the GIL.
    fn entry_for(
        &self,
        py: Python<'_>,
        args: &[Type],
        ret: Option<Type>,
    ) -> Result<Arc<Entry>, CompileError> {
        if let Some(entry) = self.find(args) {
            return Ok(entry);
        }
        py.detach(|| {
            let mut in_flight = self
                .in_flight
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            while in_flight.iter().any(|a| a == args) {
                in_flight = self
                    .landed
                    .wait(in_flight)
                    .unwrap_or_else(PoisonError::into_inner);
            }
            if let Some(entry) = self.find(args) {
                return Ok(entry);
            }
            in_flight.push(args.to_vec());
            drop(in_flight);
            let made = self.compile_now(args, ret);
            self.in_flight
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .retain(|a| a != args);
            self.landed.notify_all();
            made
        })
    }

    fn compile_now(&self, args: &[Type], ret: Option<Type>) -> Result<Arc<Entry>, CompileError> {
        if let Some(what) = &self.unsupported {
            let message = format!("numbra does not support the option '{what}' yet");
            let class = ErrorClass::UnsupportedError;
            let diagnostic = Diagnostic::error("D004", class, message, numbra_base::Span::NONE);
            return Err(CompileError {
                step: None,
                diagnostics: vec![diagnostic],
                force_literal: Vec::new(),
            });
        }
        let source = self.source().map_err(|d| CompileError::front_end(*d))?;
        let nogil = self.options.nogil;
        let request = Request {
            id: self.id,
            source: &source,
            args,
            ret,
            options: &self.options,
            host: &PythonHost,
            finish: &|types, module, root, typed| {
                crate::entry::build(types, module, root, args, typed.ret, nogil)
            },
            symbols: &crate::symbols::address,
            dumps: crate::options::dumps(),
            print: &|text| Python::attach(|py| crate::print_line(py, text)),
        };
        if self.parallel {
            Python::attach(errors::warn_not_parallel);
        }
        let compiled = Arc::new(session().compile(&request)?);
        let address = compiled.entry_address();
        // SAFETY: the entry wrapper was built with the vectorcall signature.
        let wrapper = unsafe { std::mem::transmute::<*const u8, ffi::vectorcallfunc>(address) };
        let entry = Arc::new(Entry {
            args: args.to_vec(),
            compiled,
            wrapper,
        });
        self.entries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(entry.clone());
        Ok(entry)
    }

    /// The entry that frozen signatures give for these argument types: the least conversion, unique.
    fn best_match(&self, args: &[Type]) -> PyResult<Arc<Entry>> {
        let types = &session().types;
        let entries = self.entries();
        let mut best: Option<([usize; 3], Vec<Arc<Entry>>)> = None;
        for entry in entries {
            if entry.args.len() != args.len() {
                continue;
            }
            let mut cost = [0; 3];
            let fits = args.iter().zip(&entry.args).all(|(from, to)| {
                match can_convert(types, *from, *to) {
                    Some(Conversion::Exact) => true,
                    Some(Conversion::Promote) => {
                        cost[2] += 1;
                        true
                    }
                    Some(Conversion::Safe) => {
                        cost[1] += 1;
                        true
                    }
                    Some(Conversion::Unsafe) => {
                        cost[0] += 1;
                        true
                    }
                    None => false,
                }
            });
            if !fits {
                continue;
            }
            match &mut best {
                Some((least, found)) if *least == cost => found.push(entry),
                Some((least, _)) if *least < cost => {}
                _ => best = Some((cost, vec![entry])),
            }
        }
        let show = |args: &[Type]| {
            args.iter()
                .map(|t| types.display(*t).to_string())
                .collect::<Vec<_>>()
                .join(", ")
        };
        match best {
            None => Err(PyTypeError::new_err(format!(
                "No matching definition for argument type(s) {}",
                show(args)
            ))),
            Some((_, found)) if found.len() == 1 => Ok(found[0].clone()),
            Some((_, found)) => {
                let list: Vec<String> = found
                    .iter()
                    .map(|e| format!("({}) -> {}", show(&e.args), types.display(e.compiled.ret)))
                    .collect();
                Err(PyTypeError::new_err(format!(
                    "Ambiguous overloading for {} ({}):\n{}",
                    Python::attach(|py| self.function.bind(py).repr().map(|r| r.to_string()))?,
                    show(args),
                    list.join("\n")
                )))
            }
        }
    }

    /// Positional and keyword arguments as one object a parameter; null where the default applies.
    fn fold<'py>(
        &self,
        py: Python<'py>,
        positional: &[*mut PyObject],
        keywords: &[(String, *mut PyObject)],
    ) -> PyResult<(Vec<*mut PyObject>, Option<Bound<'py, PyAny>>)> {
        let count = self.parameters.len();
        let mut slots = vec![std::ptr::null_mut(); count];
        let mut rest = None;
        let star = self
            .parameters
            .iter()
            .position(|p| p.spec.kind == ArgKind::VarPositional);
        let positions = star.unwrap_or(count);
        let required = self
            .parameters
            .iter()
            .filter(|p| p.default.is_none() && p.spec.kind != ArgKind::VarPositional)
            .count();
        if positional.len() > positions {
            match star {
                Some(index) => {
                    // SAFETY: the caller's arguments are alive under the GIL.
                    let extra = positional[positions..]
                        .iter()
                        .map(|p| unsafe { Bound::from_borrowed_ptr(py, *p) });
                    let tuple = PyTuple::new(py, extra.collect::<Vec<_>>())?.into_any();
                    slots[index] = tuple.as_ptr();
                    rest = Some(tuple);
                }
                None => {
                    return Err(PyTypeError::new_err(format!(
                        "too many arguments: expected {count}, got {}",
                        positional.len() + keywords.len()
                    )));
                }
            }
        } else if let Some(index) = star {
            let tuple = PyTuple::empty(py).into_any();
            slots[index] = tuple.as_ptr();
            rest = Some(tuple);
        }
        for (slot, object) in slots
            .iter_mut()
            .zip(&positional[..positional.len().min(positions)])
        {
            *slot = *object;
        }
        if star.is_none() && positional.len() + keywords.len() > count {
            return Err(PyTypeError::new_err(format!(
                "too many arguments: expected {count}, got {}",
                positional.len() + keywords.len()
            )));
        }
        if positional.len() + keywords.len() < required {
            let at_least = if required < count { "at least " } else { "" };
            return Err(PyTypeError::new_err(format!(
                "not enough arguments: expected {at_least}{required}, got {}",
                positional.len() + keywords.len()
            )));
        }
        let mut used = 0;
        for (index, parameter) in self.parameters.iter().enumerate() {
            if !slots[index].is_null() {
                continue;
            }
            let given = keywords
                .iter()
                .find(|(name, _)| *name == parameter.spec.name);
            if let Some((_, object)) = given {
                slots[index] = *object;
                used += 1;
            } else if parameter.default.is_none() {
                return Err(PyTypeError::new_err(format!(
                    "missing argument '{}'",
                    parameter.spec.name
                )));
            }
        }
        if used < keywords.len() {
            return Err(PyTypeError::new_err("some keyword arguments unexpected"));
        }
        Ok((slots, rest))
    }

    /// The types of folded arguments; a null slot is `Omitted` when its default is a constant, else the default itself.
    fn typeof_slots(&self, py: Python<'_>, slots: &mut [*mut PyObject]) -> PyResult<Vec<Type>> {
        let types = &session().types;
        let mut out = Vec::with_capacity(slots.len());
        let mut unknown = Vec::new();
        for (index, slot) in slots.iter_mut().enumerate() {
            let parameter = &self.parameters[index];
            if slot.is_null() {
                if let Some(value) = &parameter.spec.default {
                    out.push(types.intern(TypeKind::Omitted(value.clone())));
                    continue;
                }
                let default = parameter
                    .default
                    .as_ref()
                    .expect("`fold` leaves only parameters with defaults open");
                *slot = default.as_ptr();
            }
            // SAFETY: arguments and defaults are alive under the GIL.
            let object = unsafe { Bound::from_borrowed_ptr(py, *slot) };
            let ty = match typeof_object(&object) {
                Ok(ty) => ty,
                // An int beyond 64 bits. Entries that are fixed convert it, and say why they cannot.
                Err(error) if error.is_instance_of::<PyValueError>(py) => {
                    if !self.can_compile.load(Ordering::Acquire) {
                        return Err(PyOverflowError::new_err("int too big to convert"));
                    }
                    unknown.push((index, error.value(py).to_string()));
                    out.push(Type::PYOBJECT);
                    continue;
                }
                Err(error) => return Err(error),
            };
            let ty = match (ty, parameter.spec.kind) {
                (Some(ty), ArgKind::VarPositional) => {
                    let items = types.tuple_items(ty).unwrap_or_default();
                    Some(types.intern(TypeKind::StarArgTuple(items)))
                }
                (ty, _) => ty,
            };
            out.push(ty.unwrap_or_else(|| {
                let class = object
                    .get_type()
                    .repr()
                    .map(|r| r.to_string())
                    .unwrap_or_default();
                unknown.push((index, format!("Cannot determine Numba type of {class}")));
                Type::PYOBJECT
            }));
        }
        if unknown.is_empty() {
            Ok(out)
        } else {
            Err(errors::untyped_arguments(py, &self.name, &unknown))
        }
    }
}

thread_local! {
    /// Argument array of a call that must hit: an entry that misses it would otherwise come back here for ever.
    static MUST_HIT: Cell<*const *mut PyObject> = const { Cell::new(std::ptr::null()) };
}

/// The slow path of a call; also the vectorcall of a dispatcher without entries.
///
/// # Safety
/// Called with CPython's vectorcall protocol on an instance of the dispatcher type.
pub(crate) unsafe extern "C" fn numbra_py_dispatch(
    callable: *mut PyObject,
    args: *const *mut PyObject,
    nargsf: usize,
    kwnames: *mut PyObject,
) -> *mut PyObject {
    let run = || {
        // SAFETY: vectorcall runs with the GIL held.
        let py = unsafe { Python::assume_attached() };
        // SAFETY: CPython passes a live callable.
        let this = unsafe { Bound::from_borrowed_ptr(py, callable) };
        // SAFETY: as the vectorcall protocol says.
        match unsafe { dispatch(py, &this, args, nargsf, kwnames) } {
            Ok(result) => result,
            Err(error) => {
                error.restore(py);
                std::ptr::null_mut()
            }
        }
    };
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_or_else(|_| {
        // SAFETY: the GIL is held.
        let py = unsafe { Python::assume_attached() };
        errors::internal(py, "the compiler panicked; this is a bug of numbra").restore(py);
        std::ptr::null_mut()
    })
}

/// # Safety
/// The vectorcall protocol.
unsafe fn dispatch(
    py: Python<'_>,
    this: &Bound<'_, PyAny>,
    args: *const *mut PyObject,
    nargsf: usize,
    kwnames: *mut PyObject,
) -> PyResult<*mut PyObject> {
    if !args.is_null() && MUST_HIT.get() == args {
        MUST_HIT.set(std::ptr::null());
        if let Some(error) = take_unbox_error() {
            return Err(error);
        }
        return Err(PySystemError::new_err(
            "an argument does not unbox as its own type; this is a bug of numbra",
        ));
    }
    let dispatcher = inner(this)?;
    // SAFETY: vectorcall's count and names.
    let (positional, keywords) = unsafe {
        let count = ffi::PyVectorcall_NARGS(nargsf) as usize;
        let all = |index: usize| *args.add(index);
        let positional: Vec<*mut PyObject> = (0..count).map(all).collect();
        let mut keywords = Vec::new();
        if !kwnames.is_null() {
            let names = Bound::from_borrowed_ptr(py, kwnames);
            let names = names.cast::<PyTuple>().map_err(PyErr::from)?;
            for (index, name) in names.iter().enumerate() {
                keywords.push((name.extract::<String>()?, all(count + index)));
            }
        }
        (positional, keywords)
    };
    let (mut slots, rest) = dispatcher.fold(py, &positional, &keywords)?;
    let types = dispatcher.typeof_slots(py, &mut slots)?;
    let result = if let Some(entry) = dispatcher.find(&types) {
        // SAFETY: the slots are alive: arguments, defaults and `rest`.
        unsafe { call(this, &entry, &slots) }
    } else if dispatcher.can_compile.load(Ordering::Acquire) {
        let entry = dispatcher.compile_for(py, &types, &slots)?;
        // SAFETY: as above.
        unsafe { call(this, &entry, &slots) }
    } else {
        let entry = dispatcher.best_match(&types)?;
        // SAFETY: as above.
        leniently(|| unsafe { call(this, &entry, &slots) })
    };
    drop(rest);
    if result.is_null() {
        return Err(PyErr::take(py)
            .unwrap_or_else(|| PySystemError::new_err("a call failed without an exception")));
    }
    Ok(result)
}

/// Calls an entry and makes it the one that the next call tries first.
///
/// # Safety
/// `slots` holds one live object a parameter, null exactly where the entry's type is `Omitted`.
unsafe fn call(this: &Bound<'_, PyAny>, entry: &Entry, slots: &[*mut PyObject]) -> *mut PyObject {
    let given = slots.iter().take_while(|s| !s.is_null()).count();
    let trailing = slots[given..].iter().all(|s| s.is_null());
    let count = if trailing { given } else { slots.len() };
    let object = this.as_ptr().cast::<DispatcherObject>();
    // SAFETY: an instance of our type; writing the slot under the GIL is how calls switch entries.
    unsafe { (*object).vectorcall = Some(entry.wrapper) };
    MUST_HIT.set(slots.as_ptr());
    // What an earlier miss left behind is not about this call.
    take_unbox_error();
    // SAFETY: the wrapper keeps to the vectorcall protocol; the entry keeps its code alive.
    let result =
        unsafe { (entry.wrapper)(this.as_ptr(), slots.as_ptr(), count, std::ptr::null_mut()) };
    MUST_HIT.set(std::ptr::null());
    result
}

unsafe extern "C" fn tp_new(
    class: *mut ffi::PyTypeObject,
    args: *mut PyObject,
    kwargs: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: CPython calls `tp_new` with the GIL held and valid arguments.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: as above.
    let made = unsafe { new(py, class, args, kwargs) };
    made.unwrap_or_else(|error| {
        error.restore(py);
        std::ptr::null_mut()
    })
}

/// `Dispatcher(function, options)`
///
/// # Safety
/// Arguments of `tp_new`.
unsafe fn new(
    py: Python<'_>,
    class: *mut ffi::PyTypeObject,
    args: *mut PyObject,
    _kwargs: *mut PyObject,
) -> PyResult<*mut PyObject> {
    // SAFETY: `args` is a tuple.
    let args = unsafe { Bound::from_borrowed_ptr(py, args) };
    let (function, options): (Bound<'_, PyAny>, Bound<'_, PyDict>) = args.extract()?;
    let inner = Arc::new_cyclic(|weak| {
        let mut registry = REGISTRY.lock().unwrap_or_else(PoisonError::into_inner);
        let id = DispatcherId(registry.next);
        registry.next += 1;
        registry.live.insert(id.0, weak.clone());
        drop(registry);
        Dispatcher {
            id,
            name: function
                .getattr("__name__")
                .and_then(|n| n.extract())
                .unwrap_or_else(|_| "<function>".to_owned()),
            object: AtomicPtr::new(std::ptr::null_mut()),
            function: function.clone().unbind(),
            options: Options::default(),
            unsupported: None,
            parallel: false,
            parameters: Vec::new(),
            entries: Mutex::default(),
            retired: Mutex::default(),
            forced: Mutex::default(),
            can_compile: AtomicBool::new(true),
            in_flight: Mutex::default(),
            landed: Condvar::new(),
            source: OnceLock::new(),
        }
    });
    // Filled in while nobody else can see it.
    let raw = Arc::into_raw(inner).cast_mut();
    // SAFETY: the only strong reference; weak ones in the registry cannot be upgraded to mutable access.
    let inner = unsafe { &mut *raw };
    let filled = crate::options::parse(&options).and_then(|o| Ok((o, parameters(&function)?)));
    let unsupported = options.get_item("unsupported").ok().flatten();
    let parallel = options.contains("parallel").unwrap_or(false);
    match filled {
        Ok((options, parameters)) => {
            inner.options = options;
            inner.parallel = parallel;
            inner.unsupported = unsupported.and_then(|name| name.extract().ok());
            inner.parameters = parameters;
        }
        Err(error) => {
            // SAFETY: gives back the reference that `into_raw` took.
            drop(unsafe { Arc::from_raw(raw) });
            return Err(error);
        }
    }
    // SAFETY: `class` is our type or a subclass; tp_alloc zeroes the object.
    let object = unsafe {
        let alloc = (*class).tp_alloc.unwrap_or(ffi::PyType_GenericAlloc);
        alloc(class, 0).cast::<DispatcherObject>()
    };
    if object.is_null() {
        // SAFETY: as above.
        drop(unsafe { Arc::from_raw(raw) });
        return Err(PyErr::fetch(py));
    }
    // SAFETY: a new object of our layout.
    unsafe {
        (*object).vectorcall = Some(numbra_py_dispatch);
        (*object).inner = raw;
        (*raw).object.store(object.cast(), Ordering::Release);
    }
    Ok(object.cast())
}

/// The parameters of a Python function.
fn parameters(function: &Bound<'_, PyAny>) -> PyResult<Vec<Parameter>> {
    let code = function.getattr("__code__")?;
    let names: Vec<String> = code.getattr("co_varnames")?.extract()?;
    let number = |name: &str| -> PyResult<usize> { code.getattr(name)?.extract() };
    let (argcount, posonly, kwonly, flags) = (
        number("co_argcount")?,
        number("co_posonlyargcount")?,
        number("co_kwonlyargcount")?,
        number("co_flags")?,
    );
    let defaults = function.getattr("__defaults__")?;
    let defaults: Vec<Bound<'_, PyAny>> = defaults
        .cast::<PyTuple>()
        .map(|d| d.iter().collect())
        .unwrap_or_default();
    let kwdefaults = function.getattr("__kwdefaults__")?;
    let mut out = Vec::new();
    let mut push = |name: &str, kind: ArgKind, default: Option<Bound<'_, PyAny>>| {
        let constant = default.as_ref().and_then(host::default_constant);
        out.push(Parameter {
            spec: ArgSpec {
                name: name.to_owned(),
                kind,
                default: constant,
            },
            default: default.map(Bound::unbind),
        });
    };
    for (index, name) in names.iter().take(argcount).enumerate() {
        let kind = if index < posonly {
            ArgKind::PositionalOnly
        } else {
            ArgKind::PositionalOrKeyword
        };
        let default = (index + defaults.len())
            .checked_sub(argcount)
            .map(|d| defaults[d].clone());
        push(name, kind, default);
    }
    // co_varnames holds keyword-only names before `*args`; Numba's dispatcher takes them as further positional ones.
    for name in names.iter().skip(argcount).take(kwonly) {
        let default = kwdefaults
            .cast::<PyDict>()
            .ok()
            .and_then(|d| d.get_item(name).ok().flatten());
        push(name, ArgKind::KeywordOnly, default);
    }
    if flags & 0x04 != 0 {
        push(&names[argcount + kwonly], ArgKind::VarPositional, None);
    }
    if flags & 0x08 != 0 {
        push(
            &names[argcount + kwonly + usize::from(flags & 0x04 != 0)],
            ArgKind::VarKeyword,
            None,
        );
    }
    Ok(out)
}

unsafe extern "C" fn tp_dealloc(object: *mut PyObject) {
    // SAFETY: CPython calls this once for an instance of our type, with the GIL held.
    unsafe {
        ffi::PyObject_GC_UnTrack(object.cast());
        let this = object.cast::<DispatcherObject>();
        if !(*this).weakrefs.is_null() {
            ffi::PyObject_ClearWeakRefs(object);
        }
        ffi::Py_CLEAR(&raw mut (*this).dict);
        let inner = std::mem::replace(&mut (*this).inner, std::ptr::null());
        if !inner.is_null() {
            (*inner)
                .object
                .store(std::ptr::null_mut(), Ordering::Release);
            drop(Arc::from_raw(inner));
        }
        let class = ffi::Py_TYPE(object);
        if let Some(free) = (*class).tp_free {
            free(object.cast());
        }
        ffi::Py_DECREF(class.cast());
    }
}

unsafe extern "C" fn tp_traverse(
    object: *mut PyObject,
    visit: ffi::visitproc,
    arg: *mut c_void,
) -> c_int {
    // SAFETY: CPython's cycle collector visits an instance of our type.
    unsafe {
        let this = object.cast::<DispatcherObject>();
        let class = ffi::Py_TYPE(object);
        let mut referents = vec![class.cast::<PyObject>(), (*this).dict];
        if let Some(inner) = (*this).inner.as_ref() {
            referents.push(inner.function.as_ptr());
            referents.extend(
                inner
                    .parameters
                    .iter()
                    .filter_map(|p| p.default.as_ref().map(|d| d.as_ptr())),
            );
        }
        for referent in referents {
            if !referent.is_null() {
                let status = visit(referent, arg);
                if status != 0 {
                    return status;
                }
            }
        }
    }
    0
}

unsafe extern "C" fn tp_clear(object: *mut PyObject) -> c_int {
    // SAFETY: CPython's cycle collector clears an instance of our type; the function goes with `tp_dealloc`.
    unsafe {
        let this = object.cast::<DispatcherObject>();
        ffi::Py_CLEAR(&raw mut (*this).dict);
    }
    0
}

/// Makes the type `_numbra.Dispatcher`.
pub(crate) fn make_type(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    if let Some(class) = TYPE.get() {
        return Ok(class.bind(py).clone());
    }
    let member = |name: &'static std::ffi::CStr, offset: usize| ffi::PyMemberDef {
        name: name.as_ptr(),
        type_code: ffi::Py_T_PYSSIZET,
        offset: offset as isize,
        flags: ffi::Py_READONLY,
        doc: std::ptr::null(),
    };
    let members = Box::leak(Box::new([
        member(
            c"__vectorcalloffset__",
            offset_of!(DispatcherObject, vectorcall),
        ),
        member(c"__dictoffset__", offset_of!(DispatcherObject, dict)),
        member(
            c"__weaklistoffset__",
            offset_of!(DispatcherObject, weakrefs),
        ),
        // SAFETY: the all-zero member ends the table.
        unsafe { std::mem::zeroed() },
    ]));
    let slot = |slot: c_int, pfunc: *mut c_void| ffi::PyType_Slot { slot, pfunc };
    let slots = Box::leak(Box::new([
        slot(ffi::Py_tp_new, tp_new as *mut c_void),
        slot(ffi::Py_tp_dealloc, tp_dealloc as *mut c_void),
        slot(ffi::Py_tp_traverse, tp_traverse as *mut c_void),
        slot(ffi::Py_tp_clear, tp_clear as *mut c_void),
        slot(ffi::Py_tp_call, ffi::PyVectorcall_Call as *mut c_void),
        slot(ffi::Py_tp_members, members.as_mut_ptr().cast()),
        slot(0, std::ptr::null_mut()),
    ]));
    let mut spec = ffi::PyType_Spec {
        name: c"numbra._numbra.Dispatcher".as_ptr(),
        basicsize: size_of::<DispatcherObject>() as c_int,
        itemsize: 0,
        flags: (ffi::Py_TPFLAGS_DEFAULT
            | ffi::Py_TPFLAGS_BASETYPE
            | ffi::Py_TPFLAGS_HAVE_GC
            | ffi::Py_TPFLAGS_HAVE_VECTORCALL) as u32,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the spec and what it points to are valid; the tables are leaked on purpose, as the type lives for ever.
    let class = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyType_FromSpec(&raw mut spec)) }?;
    let class = class.cast_into::<PyType>().map_err(PyErr::from)?;
    let _ = TYPE.set(class.clone().unbind());
    Ok(class)
}

/// Gives a Python subclass of the dispatcher type the vectorcall flag, which CPython 3.11 does not inherit.
#[pyfunction]
pub(crate) fn _enable_vectorcall(py: Python<'_>, class: &Bound<'_, PyType>) -> PyResult<()> {
    let base = make_type(py)?;
    if !class.is_subclass(&base)? {
        return Err(PyTypeError::new_err("not a dispatcher class"));
    }
    // SAFETY: a heap type that inherits our vectorcall offset and does not override `__call__`.
    unsafe { (*class.as_type_ptr()).tp_flags |= ffi::Py_TPFLAGS_HAVE_VECTORCALL };
    Ok(())
}

/// Compiles for argument types (and a return type) given as type numbers; returns the index of the entry.
#[pyfunction]
pub(crate) fn _compile(
    py: Python<'_>,
    dispatcher: &Bound<'_, PyAny>,
    args: Vec<Bound<'_, PyAny>>,
    ret: Option<Bound<'_, PyAny>>,
) -> PyResult<usize> {
    let d = inner(dispatcher)?;
    let mut args = args
        .iter()
        .map(crate::types_py::from_python)
        .collect::<PyResult<Vec<_>>>()?;
    let ret = ret.map(|r| crate::types_py::from_python(&r)).transpose()?;
    let types = &session().types;
    // The types of extra arguments as one tuple, unless the tuple itself is given.
    if let Some(star) = d
        .parameters
        .iter()
        .position(|p| p.spec.kind == ArgKind::VarPositional)
        && args.len() >= star
    {
        let rest = args.split_off(star);
        let items = match rest.as_slice() {
            [one] => types.tuple_items(*one).unwrap_or(rest),
            _ => rest,
        };
        args.push(types.intern(TypeKind::StarArgTuple(items)));
    }
    while args.len() < d.parameters.len() {
        match &d.parameters[args.len()].spec.default {
            Some(value) => args.push(types.intern(TypeKind::Omitted(value.clone()))),
            None => break,
        }
    }
    if args.len() != d.parameters.len() {
        return Err(PyTypeError::new_err(format!(
            "Signature mismatch: {} argument types given, but function takes {} arguments",
            args.len(),
            d.parameters.len()
        )));
    }
    if !d.can_compile.load(Ordering::Acquire) && d.find(&args).is_none() {
        return Err(PyRuntimeError::new_err("compilation disabled"));
    }
    let entry = d.compile(py, &args, ret)?;
    Ok(d.entries()
        .iter()
        .position(|e| Arc::ptr_eq(e, &entry))
        .expect("compiled entries are listed"))
}

/// Stops (or allows again) compiling for new argument types.
#[pyfunction]
pub(crate) fn _disable_compile(dispatcher: &Bound<'_, PyAny>, disabled: bool) -> PyResult<()> {
    inner(dispatcher)?
        .can_compile
        .store(!disabled, Ordering::Release);
    Ok(())
}

/// True while new argument types are compiled.
#[pyfunction]
pub(crate) fn _can_compile(dispatcher: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(inner(dispatcher)?.can_compile.load(Ordering::Acquire))
}

/// The compiled signatures: list of (argument types, return type).
#[pyfunction]
pub(crate) fn _signatures<'py>(
    py: Python<'py>,
    dispatcher: &Bound<'py, PyAny>,
) -> PyResult<Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
    let mut out = Vec::new();
    for entry in inner(dispatcher)?.entries() {
        // `*args` shows as the tuple that it is.
        let types = &session().types;
        let shown = entry.args.iter().map(|&t| match types.kind(t) {
            TypeKind::StarArgTuple(items) => types.tuple(items),
            _ => t,
        });
        let args = shown
            .map(|t| crate::types_py::to_python(py, t))
            .collect::<PyResult<Vec<_>>>()?;
        out.push((
            PyTuple::new(py, args)?.into_any(),
            crate::types_py::to_python(py, entry.compiled.ret)?,
        ));
    }
    Ok(out)
}

/// Forgets all compiled signatures.
#[pyfunction]
pub(crate) fn _reset(dispatcher: &Bound<'_, PyAny>) -> PyResult<()> {
    let object = dispatcher.as_ptr().cast::<DispatcherObject>();
    let d = inner(dispatcher)?;
    // SAFETY: `inner` checked the type; the GIL is held.
    unsafe { (*object).vectorcall = Some(numbra_py_dispatch) };
    let old = std::mem::take(&mut *d.entries.lock().unwrap_or_else(PoisonError::into_inner));
    d.retired
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .extend(old);
    d.forced
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clear();
    Ok(())
}

/// The live dispatcher with this number.
#[pyfunction]
pub(crate) fn _dispatcher_object(py: Python<'_>, id: u32) -> PyResult<Py<PyAny>> {
    let gone = || PyReferenceError::new_err("underlying object has vanished");
    let found = with(DispatcherId(id), |d| d.object.load(Ordering::Acquire)).ok_or_else(gone)?;
    if found.is_null() {
        return Err(gone());
    }
    // SAFETY: the registry holds only live dispatchers, and the object clears the pointer before it goes.
    Ok(unsafe { Bound::from_borrowed_ptr(py, found.cast()) }.unbind())
}

/// The Python function.
#[pyfunction]
pub(crate) fn _py_func<'py>(
    py: Python<'py>,
    dispatcher: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(inner(dispatcher)?.function.bind(py).clone())
}

/// Text of one stage of one compiled signature (by index).
#[pyfunction]
pub(crate) fn _inspect(
    py: Python<'_>,
    dispatcher: &Bound<'_, PyAny>,
    index: usize,
    stage: &str,
) -> PyResult<String> {
    let entries = inner(dispatcher)?.entries();
    let entry = entries
        .get(index)
        .ok_or_else(|| PyTypeError::new_err("no such signature"))?;
    let compiled = entry.compiled.clone();
    let stage = stage.to_owned();
    py.detach(|| session().inspect(&compiled, &stage))
        .map_err(pyo3::exceptions::PyValueError::new_err)
}

/// Times of the pipeline's stages in seconds, by name, in order.
#[pyfunction]
pub(crate) fn _timings(
    dispatcher: &Bound<'_, PyAny>,
    index: usize,
) -> PyResult<Vec<(String, f64)>> {
    let entries = inner(dispatcher)?.entries();
    let entry = entries
        .get(index)
        .ok_or_else(|| PyTypeError::new_err("no such signature"))?;
    Ok(entry
        .compiled
        .timings
        .iter()
        .map(|t| (t.stage.to_owned(), t.seconds))
        .collect())
}
