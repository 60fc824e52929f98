//! Compiling for argument types: each signature once, whichever threads ask for it.

use super::call::refuse_call;
use super::promotion::Wrapper;
use super::state::{Dispatcher, Entry, Form, Needs};
use crate::cache::{Found, Kept, Outcome, TracingHost};
use crate::captured::{Captured, capturing};
use crate::compiling::{asker, compiling, has_raised};
use crate::entry::Protocol;
use crate::errors;
use crate::host::PythonHost;
use crate::session::session;
use numbra_base::{Diagnostic, ErrorClass};
use numbra_driver::{CompileError, Compiled, Dumps, Request, Tier};
use numbra_ir::{Const, Type, TypeKind, Types};
use numbra_lir::analysis::has_repetition;
use numbra_typeinfer::Host;
use pyo3::exceptions::PyMemoryError;
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock, PoisonError};
use std::thread::ThreadId;
use std::time::Duration;

/// How often a thread that waits for another's compilation looks for signals.
pub(super) const LOOK: Duration = Duration::from_millis(20);

/// A compilation under way.
pub(super) struct InFlight {
    args: Vec<Type>,
    /// Who asked for it. What that compilation asks of Python cannot wait for it.
    asker: ThreadId,
}

/// A typing function, a handler or what else a compilation runs calls the function that is being compiled.
fn re_entrant() -> CompileError {
    let message = "the function is called by what runs while it is compiled for these arguments";
    let class = ErrorClass::NumbaRuntimeError;
    let diagnostic = Diagnostic::error("D009", class, message, numbra_base::Span::NONE)
        .with_numba_phrase("compiler re-entrant to the same function signature".to_owned())
        .with_help("call it before or afterwards");
    CompileError {
        step: None,
        diagnostics: vec![diagnostic],
        force_literal: Vec::new(),
    }
}

/// MemoryError where the system has not the memory that compiling a function of a usual size takes: no stage can do without
/// what it asks for. A larger function, or one that others take memory from meanwhile, finds the allocator's reserve.
fn room_to_compile(tier: Tier) -> PyResult<()> {
    const USUAL: usize = 16 << 20;
    let has_room = match tier {
        Tier::Llvm => crate::llvm::has_room(),
        Tier::Cranelift | Tier::Auto => crate::room::has_room(USUAL),
    };
    match has_room {
        true => Ok(()),
        false => Err(PyMemoryError::new_err("no memory to compile a function")),
    }
}

impl Dispatcher {
    /// The view in which the types of arguments are looked up.
    pub(super) fn types(&self) -> Types {
        self.types
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The entry for these argument types, which `types` holds, as a Python exception where there is none.
    pub(crate) fn compile(
        &self,
        py: Python<'_>,
        types: &Types,
        args: &[Type],
        ret: Option<Type>,
    ) -> PyResult<Arc<Entry>> {
        if self.find(args).is_none() {
            room_to_compile(self.options.tier)?;
        }
        self.entry_for(py, types, args, ret)?
            .map_err(|error| errors::compile_error(py, &error))
    }

    /// The entry for the types of these arguments; where the function asks for literals, the one for their values.
    pub(super) fn compile_for(
        &self,
        py: Python<'_>,
        lattice: &Types,
        types: &[Type],
        slots: &[*mut PyObject],
    ) -> PyResult<Arc<Entry>> {
        self.check_tuples(lattice, types, py)?;
        room_to_compile(self.options.tier)?;
        let forced = self
            .forced
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .find(|f| f.0 == types)
            .cloned();
        let positions = match forced {
            Some((_, positions, _)) => positions,
            None => match self.entry_for(py, lattice, types, None)? {
                Ok(entry) => return Ok(entry),
                Err(error) if error.force_literal.is_empty() => {
                    return Err(errors::compile_error(py, &error));
                }
                Err(error) => {
                    let mut forced = self.forced.lock().unwrap_or_else(PoisonError::into_inner);
                    forced.push((types.to_vec(), error.force_literal.clone(), lattice.clone()));
                    error.force_literal
                }
            },
        };
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
        self.entry_for(py, lattice, &literal, None)?.map_err(|error| {
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
    fn check_tuples(&self, types: &Types, args: &[Type], py: Python<'_>) -> PyResult<()> {
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

    /// The entry for these argument types, compiled at most once, or what a handler of signals raised meanwhile.
    fn entry_for(
        &self,
        py: Python<'_>,
        types: &Types,
        args: &[Type],
        ret: Option<Type>,
    ) -> PyResult<Result<Arc<Entry>, CompileError>> {
        if let Some(entry) = self.find(args) {
            return Ok(Ok(entry));
        }
        compiling(py, || self.compile_once(types, args, ret))
    }

    /// Waits for the thread that compiles this, or compiles it, without the GIL.
    fn compile_once(
        &self,
        types: &Types,
        args: &[Type],
        ret: Option<Type>,
    ) -> Result<Arc<Entry>, CompileError> {
        let asker = asker();
        let mut in_flight = self
            .in_flight
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        while let Some(other) = in_flight.iter().find(|a| a.args == args) {
            if other.asker == asker {
                return Err(re_entrant());
            }
            in_flight = self
                .landed
                .wait_timeout(in_flight, LOOK)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
            // Handlers of signals run while this waits, and may end it.
            drop(in_flight);
            if has_raised() {
                return Err(CompileError::given_up());
            }
            in_flight = self
                .in_flight
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
        }
        if let Some(entry) = self.find(args) {
            return Ok(entry);
        }
        in_flight.push(InFlight {
            args: args.to_vec(),
            asker,
        });
        drop(in_flight);
        let (made, captured) = capturing(|| self.compile_now(types, args, ret));
        let made = match made {
            Ok(made) => Ok(self.enter(args, made, ret.is_some(), captured)),
            Err(error) => {
                crate::python::enter(|_| drop(captured));
                Err(error)
            }
        };
        if made.is_err() {
            *self.types.lock().unwrap_or_else(PoisonError::into_inner) = session().types.view();
        }
        self.in_flight
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|a| a.args != args);
        self.landed.notify_all();
        made
    }

    fn compile_now(
        &self,
        types: &Types,
        args: &[Type],
        ret: Option<Type>,
    ) -> Result<(Compiled, Option<Kept>), CompileError> {
        self.refuse_unsupported()?;
        let own = types.view();
        for ty in args.iter().chain(&ret) {
            own.hold(*ty);
        }
        let Some(cache) = self.cache.get() else {
            let compiled = self.made(&own, args, ret, &PythonHost, &self.form)?;
            return Ok((compiled, None));
        };
        let found = crate::python::enter(|py| cache.find(py, self, &own, args, ret));
        let (reason, key) = match found {
            Ok(Found { compiled, kept }) => {
                crate::python::enter(|py| self.resolve_as_found(py, args, &own, &kept));
                cache.note(&own, args, Outcome::Hit);
                return Ok((compiled, Some(kept)));
            }
            Err(missed) => missed,
        };
        let host = TracingHost::new(self.id);
        let compiled = self.made(&own, args, ret, &host, &self.form)?;
        let kept = key.map(|key| {
            crate::python::enter(|py| cache.keep(py, self, key, host.into_trace(), &compiled))
        });
        let (kept, reason) = match kept {
            None => (None, reason),
            Some(Ok(kept)) => (Some(kept), reason),
            Some(Err(why)) => (None, why),
        };
        cache.note(&own, args, Outcome::Miss(reason));
        Ok((compiled, kept))
    }

    /// The error of an option that does not exist yet.
    pub(super) fn refuse_unsupported(&self) -> Result<(), CompileError> {
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
        Ok(())
    }

    /// Compiles, and says what there is to say of the code.
    pub(super) fn made(
        &self,
        own: &Types,
        args: &[Type],
        ret: Option<Type>,
        host: &dyn Host,
        form: &Form,
    ) -> Result<Compiled, CompileError> {
        let compiled = self.with_request(own, args, ret, host, form, &|r| session().compile(r))?;
        if self.options.parallel {
            crate::python::enter(|py| errors::warn_not_parallel(py, &compiled));
        }
        let advice = session().advice(&compiled);
        if !advice.is_empty() {
            crate::python::enter(|py| errors::warn_slow(py, &advice));
        }
        Ok(compiled)
    }

    /// Makes the stages of code that came from the cache, if no one has asked for them before.
    pub(crate) fn make_stages(&self, entry: &Entry) -> Result<(), CompileError> {
        self.make_stages_if(entry, || true).map(drop)
    }

    /// As [`Dispatcher::make_stages`], where they are those of the code: nothing that it depends on has changed.
    pub(super) fn make_same_stages(&self, entry: &Entry) -> bool {
        let unchanged = || match (self.cache.get(), &entry.kept) {
            (Some(cache), Some(kept)) => {
                crate::python::enter(|py| cache.still_holds(py, self, &entry.args, kept))
            }
            _ => true,
        };
        self.make_stages_if(entry, unchanged).unwrap_or(false)
    }

    /// Makes them if `wanted`, which runs in the scope that captures what they refer to; true if they are there.
    fn make_stages_if(
        &self,
        entry: &Entry,
        wanted: impl FnOnce() -> bool,
    ) -> Result<bool, CompileError> {
        let compiled = &*entry.compiled;
        if compiled.stages.get().is_some() {
            return Ok(true);
        }
        let (own, args) = (&compiled.types, &compiled.args);
        let (stages, captured) = capturing(|| {
            if !wanted() {
                return Ok(None);
            }
            let (ret, form) = (Some(compiled.ret), &self.form);
            self.with_request(own, args, ret, &PythonHost, form, &|request| {
                session().stages(&Request {
                    dumps: Dumps::default(),
                    ..*request
                })
            })
            .map(Some)
        });
        let Some(stages) = stages? else {
            return Ok(false);
        };
        let stages = Box::new(stages);
        // Another thread may have made them meanwhile.
        if compiled.stages.set(stages).is_ok() {
            let _ = entry.captured_by_stages.set(self.hold(captured));
        }
        Ok(true)
    }

    fn with_request<R>(
        &self,
        own: &Types,
        args: &[Type],
        ret: Option<Type>,
        host: &dyn Host,
        form: &Form,
        run: &dyn Fn(&Request<'_>) -> Result<R, CompileError>,
    ) -> Result<R, CompileError> {
        let source = self.source(Some((args, own)));
        let source = source.map_err(|d| CompileError::front_end(*d))?;
        let nogil = self.options.nogil;
        let auto = self.options.tier == Tier::Auto;
        run(&Request {
            id: self.id,
            source: &source,
            args,
            types: own,
            ret,
            options: &self.options,
            host,
            finish: &|types, module, root, typed| match form {
                Form::Call => {
                    // What runs each instruction once gains nothing.
                    let counted = auto && has_repetition(module);
                    let protocol = Protocol::of(types, args, self.by_position());
                    let ret = typed.ret;
                    crate::entry::build(types, module, root, args, ret, protocol, nogil, counted)
                }
                Form::Loop => crate::entry::loops::build(types, module, root, args, typed.ret),
                Form::Callback => {
                    crate::entry::callback::build(types, module, root, args, typed.ret)
                }
                Form::Value => crate::entry::value::build(types, module, root, args, typed.ret),
                Form::CoreLoop(core) => {
                    crate::entry::core_loops::build(types, module, root, args, typed.ret, core)
                }
            },
            symbols: &|name| crate::symbols::address(own, name),
            dumps: crate::options::dumps(),
            print: &|text| crate::python::enter(|py| crate::print_line(py, text)),
            stop: &has_raised,
        })
    }

    /// Has the collector of cycles see what an entry has captured, and other compilations what names stand for in it.
    pub(super) fn hold(&self, captured: Captured) -> Arc<Captured> {
        let captured = Arc::new(captured);
        captured.publish();
        crate::python::enter(|_| {
            let mut all = self.captured.lock().unwrap_or_else(PoisonError::into_inner);
            all.push(captured.clone());
        });
        captured
    }

    /// Lists an entry for compiled code, `declared`: with a declared result type.
    fn enter(
        &self,
        args: &[Type],
        (compiled, kept): (Compiled, Option<Kept>),
        declared: bool,
        captured: Captured,
    ) -> Arc<Entry> {
        let captured = self.hold(captured);
        let compiled = Arc::new(compiled);
        let auto = self.options.tier == Tier::Auto;
        let wrapper = match self.form {
            Form::Call => Wrapper::of(&compiled),
            Form::Callback | Form::Value => Wrapper::fixed(refuse_call),
            Form::Loop | Form::CoreLoop(_) => Wrapper::of_loop(&compiled, auto),
        };
        let protocol = Protocol::of(&compiled.types, args, self.by_position());
        let entry = Arc::new(Entry {
            args: args.to_vec(),
            protocol,
            compiled,
            wrapper,
            declared,
            owner: self.id,
            kept,
            captured,
            captured_by_stages: OnceLock::new(),
            discarded: AtomicBool::new(false),
        });
        if let Some(code) = entry.compiled.loaded() {
            code.keep(Box::new(Needs {
                _types: entry.compiled.types.clone(),
                captured: vec![entry.captured.clone()],
                entry: Arc::downgrade(&entry),
            }));
        }
        self.entries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(entry.clone());
        entry
    }
}
