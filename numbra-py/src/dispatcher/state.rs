//! What a dispatcher is, apart from its Python object: a function, its parameters and options, and what was compiled.

use super::compile::InFlight;
use super::promotion::Wrapper;
use super::value::FunctionValue;
use crate::cache::{Cache, Kept};
use crate::captured::Captured;
use crate::entry::Protocol;
use crate::entry::core_loops::CoreAxes;
use crate::errors;
use crate::host;
use crate::object_mode;
use crate::resolved::Resolved;
use crate::session::session;
use numbra_base::{Diagnostic, ErrorClass};
use numbra_driver::{Compiled, Options, Source};
use numbra_ir::{ArgSpec, DispatcherId, ObjKind, Signature, Type, Types};
use numbra_lower::lowering::ErrorModel;
use numbra_typeinfer::{DispatcherForm, DispatcherInfo};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyString};
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError, Weak};

/// A compiled signature.
pub(crate) struct Entry {
    /// One type a parameter; `Omitted` for those left to their defaults.
    pub(crate) args: Vec<Type>,
    /// How the wrapper finds its arguments.
    pub(super) protocol: Protocol,
    /// Everything the compiler made for it; keeps the machine code alive.
    pub(crate) compiled: Arc<Compiled>,
    pub(super) wrapper: Wrapper,
    /// Its result type was declared.
    pub(super) declared: bool,
    /// The dispatcher that it belongs to.
    pub(super) owner: DispatcherId,
    /// What the cache has of it.
    pub(crate) kept: Option<Kept>,
    /// What its code refers to.
    pub(super) captured: Arc<Captured>,
    /// What its stages refer to, where they were made later: of code from the cache.
    pub(super) captured_by_stages: OnceLock<Arc<Captured>>,
    /// `recompile` has thrown it away: calls that were on their way to it may run it, and no others. Used under the GIL.
    pub(super) discarded: AtomicBool,
}

/// What loaded code of a signature needs as long as anyone keeps it.
pub(crate) struct Needs {
    /// Holds the types that the code names by number.
    pub(super) _types: Types,
    /// The objects that the code refers to.
    pub(crate) captured: Vec<Arc<Captured>>,
    /// The signature, as long as its code may yet be promoted.
    pub(crate) entry: Weak<Entry>,
}

/// Argument types, the positions that must be literals, and what holds the types.
pub(super) type Forced = (Vec<Type>, Vec<usize>, Types);

/// A parameter with its default as the Python object.
pub(crate) struct Parameter {
    pub(crate) spec: ArgSpec,
    /// Its name as calls give it: interned.
    pub(super) name: Py<PyString>,
    pub(crate) default: Option<Py<PyAny>>,
}

/// What the machine code of a signature is entered by.
pub(crate) enum Form {
    /// A call from Python.
    Call,
    /// A call from C.
    Callback,
    /// The inner loop of a ufunc.
    Loop,
    /// The inner loop of a generalised ufunc with these core axes.
    CoreLoop(CoreAxes),
    /// A call from compiled code that knows its signature only. No dispatcher is of this form, but any function may be
    /// compiled in it besides: see [`super::value`].
    Value,
}

impl Form {
    /// It in words, for digests.
    pub(crate) fn text(&self) -> String {
        match self {
            Form::Call => "call".to_owned(),
            Form::Callback => "callback".to_owned(),
            Form::Loop => "loop".to_owned(),
            Form::Value => "value".to_owned(),
            Form::CoreLoop(axes) => format!("core loop {axes:?}"),
        }
    }
}

/// What a dispatcher is, apart from its Python object.
pub(crate) struct Dispatcher {
    pub(crate) id: DispatcherId,
    pub(crate) name: String,
    /// The Python object, borrowed; null once it is being freed. Used under the GIL.
    pub(super) object: AtomicPtr<PyObject>,
    pub(crate) function: Py<PyAny>,
    pub(crate) options: Options,
    /// An option that was given and does not exist yet: the function cannot be compiled.
    pub(crate) unsupported: Option<String>,
    pub(crate) parameters: Vec<Parameter>,
    /// Holds the types of arguments while they are looked up and compiled for. What it has gathered goes when a
    /// compilation fails; entries hold their types themselves.
    pub(super) types: Mutex<Types>,
    pub(crate) form: Form,
    /// Keeps what is compiled, if the decorator asked for it.
    pub(crate) cache: OnceLock<Cache>,
    pub(super) entries: Mutex<Vec<Arc<Entry>>>,
    /// What the entries have captured, for the collector of cycles: locked under the GIL only, and while nothing else can
    /// run.
    pub(super) captured: Mutex<Vec<Arc<Captured>>>,
    /// Discarded entries of a callback: their addresses may be anywhere.
    pub(super) discarded: Mutex<Vec<Arc<Entry>>>,
    /// The function as functions of one signature: each once, and those that `recompile` has thrown away.
    pub(super) values: Mutex<Vec<Arc<FunctionValue>>>,
    pub(super) old_values: Mutex<Vec<Arc<FunctionValue>>>,
    /// What its names stand for in the code that there is.
    pub(crate) resolved: Mutex<Vec<Weak<Resolved>>>,
    /// The type of the objects that it makes: it stands for a class.
    pub(crate) makes: OnceLock<Type>,
    /// The code of another function whose names it shares.
    pub(crate) shared: Mutex<Option<Weak<Resolved>>>,
    /// Argument types for which the function asks for literals at these positions.
    pub(super) forced: Mutex<Vec<Forced>>,
    pub(super) can_compile: AtomicBool,
    /// The signatures that callers choose among, where they were given: those of a device function.
    pub(super) signatures: OnceLock<Vec<Signature>>,
    /// What is being compiled, so that threads compile each signature once.
    pub(super) in_flight: Mutex<Vec<InFlight>>,
    pub(super) landed: Condvar,
    pub(super) source: OnceLock<Result<Arc<Source>, Box<Diagnostic>>>,
}

impl Dispatcher {
    /// As its callers see it.
    pub(crate) fn info(&self) -> DispatcherInfo {
        let signature = |e: &Arc<Entry>| Signature {
            params: e.args.clone(),
            ret: e.compiled.ret,
        };
        let can_compile = self.can_compile.load(Ordering::Acquire);
        let (frozen, declared) = match self.signatures.get() {
            // Its code becomes the caller's before anything is typed, so that signatures say nothing.
            _ if self.options.inline_always => (None, Vec::new()),
            Some(given) => (Some(given.clone()), given.clone()),
            None => {
                let entries = self.entries();
                let declared = entries.iter().filter(|e| e.declared).map(signature);
                let frozen = (!can_compile).then(|| entries.iter().map(signature).collect());
                (frozen, declared.collect())
            }
        };
        DispatcherInfo {
            name: self.name.clone(),
            args: self.parameters.iter().map(|p| p.spec.clone()).collect(),
            frozen,
            declared,
            form: match self.form {
                Form::Call if self.options.stencil.is_some() => DispatcherForm::Stencil,
                Form::Call | Form::Callback | Form::Value => DispatcherForm::Function,
                Form::Loop => DispatcherForm::Ufunc,
                Form::CoreLoop(_) => DispatcherForm::CoreUfunc,
            },
            numpy_errors: (self.options.error_model).map(|model| model == ErrorModel::Numpy),
            fastmath: self.options.fastmath.map(|flags| flags.bits()),
            boundscheck: self.options.boundscheck,
            locals: (self.options.locals.iter())
                .map(|(name, ty)| (name.clone(), *ty))
                .collect(),
            parallel: self.options.parallel,
            parallel_stencils: self.options.parallel_stencils,
            inline_always: self.options.inline_always,
        }
    }

    /// Its function in IR for these argument types, before the passes that depend on them. Names stand for what they
    /// stood for when code for these types was first made; where the code becomes its callers', for what they do now.
    pub(crate) fn source_for_callers(
        &self,
        args: &[Type],
        types: &Types,
    ) -> Result<Arc<Source>, Box<Diagnostic>> {
        match self.options.inline_always {
            true => self.source(None),
            false => self.source(Some((args, types))),
        }
    }

    /// Its function in IR, with the names as in code for these argument types, or as they are now.
    pub(crate) fn source(
        &self,
        signature: Option<(&[Type], &Types)>,
    ) -> Result<Arc<Source>, Box<Diagnostic>> {
        if self.unsupported.as_deref() == Some("forceobj") {
            return Err(Box::new(Diagnostic::error(
                "D004",
                ErrorClass::UnsupportedError,
                "a function in object mode (forceobj=True) cannot be called from compiled code",
                numbra_base::Span::NONE,
            )));
        }
        let built = self.built()?;
        if built
            .func
            .objects
            .values()
            .all(|desc| !matches!(desc.kind, ObjKind::Unresolved | ObjKind::ObjectBlock(_)))
            && built.func.nested.is_empty()
        {
            return Ok(built);
        }
        let mut source = Source::clone(&built);
        crate::python::enter(|py| {
            let function = self.function.bind(py);
            object_mode::resolve(&mut source.func, function, self.id)?;
            if let Some((args, types)) = signature {
                let resolved = self.resolved(py, args, types, &source.func);
                resolved.map_err(unreadable)?.resolve(&mut source.func);
            }
            host::resolve_objects(py, &mut source.func, function, self.id).map_err(unreadable)
        })?;
        Ok(Arc::new(source))
    }

    /// Its function in IR, globals by name only. Kept; nobody waits for another that builds it, for what is asked of Python
    /// may come back here.
    pub(crate) fn built(&self) -> Result<Arc<Source>, Box<Diagnostic>> {
        if let Some(built) = self.source.get() {
            return built.clone();
        }
        let built = crate::python::enter(|py| {
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
        });
        self.source.get_or_init(|| built).clone()
    }

    pub(crate) fn entries(&self) -> Vec<Arc<Entry>> {
        self.entries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(super) fn find(&self, args: &[Type]) -> Option<Arc<Entry>> {
        self.entries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .find(|e| e.args == args)
            .cloned()
    }
}

/// A function whose attributes cannot be read.
fn unreadable(error: PyErr) -> Box<Diagnostic> {
    let is_typed = crate::python::enter(|py| error.is_instance_of::<PyTypeError>(py));
    let (class, message) = match is_typed {
        // What an object says of its type is wrong.
        true => (
            ErrorClass::TypeError,
            crate::python::enter(|py| error.value(py).to_string()),
        ),
        false => (
            ErrorClass::TypingError,
            format!("cannot read the function: {error}"),
        ),
    };
    let span = numbra_base::Span::NONE;
    Box::new(Diagnostic::error("D001", class, message, span))
}
