//! From the body of a `with objmode` statement in bytecode to a Python function and the types of its outputs.

use super::{Block, register};
use crate::session::session;
use numbra_base::{Diagnostic, ErrorClass, FileId, Span};
use numbra_bytecode::{Annotation, CodeObject, Dfg, Error, ObjectBlock};
use numbra_ir::{Const, DispatcherId, Func, ObjKind, ObjRef, Rhs, StmtKind, Type, TypeKind};
use pyo3::exceptions::PySystemError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyDict, PyTuple, PyWeakrefReference};
use std::collections::HashMap;
use std::sync::Mutex;

/// Makes functions of the bodies in `func`, whose Python function is `function`; callees then have types.
pub(crate) fn resolve(
    func: &mut Func,
    function: &Bound<'_, PyAny>,
    id: DispatcherId,
) -> Result<(), Box<Diagnostic>> {
    let blocks: Vec<(ObjRef, u32)> = func
        .objects
        .iter()
        .filter_map(|(obj, desc)| match desc.kind {
            ObjKind::ObjectBlock(index) => Some((obj, index)),
            _ => None,
        })
        .collect();
    if blocks.is_empty() {
        return Ok(());
    }
    let place = EnclosingFunction::of(function).map_err(|error| unreadable(&error))?;
    for (obj, index) in blocks {
        let span = span_of(func, obj);
        let kind = place.block(index, id, span)?;
        func.objects[obj].kind = kind;
    }
    Ok(())
}

fn span_of(func: &Func, wanted: ObjRef) -> Span {
    let uses = func.insts.values().find(|stmt| {
        matches!(stmt.kind, StmtKind::Assign { value: Rhs::Global(obj), .. } if obj == wanted)
    });
    uses.map_or(func.span, |stmt| stmt.span)
}

fn unreadable(error: &PyErr) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(
        "D001",
        ErrorClass::TypingError,
        format!("cannot read the function: {error}"),
        Span::NONE,
    ))
}

/// The function around the bodies.
struct EnclosingFunction<'py> {
    function: Bound<'py, PyAny>,
    globals: Bound<'py, PyDict>,
    cells: HashMap<String, Bound<'py, PyAny>>,
    code: CodeObject,
    blocks: Vec<ObjectBlock>,
}

/// Why an annotation is none, in Numba's words.
enum Wrong {
    Argument(String),
    Reflected(String),
}

impl<'py> EnclosingFunction<'py> {
    fn of(function: &Bound<'py, PyAny>) -> PyResult<EnclosingFunction<'py>> {
        let code = crate::code::code_object(&function.getattr("__code__")?)?;
        let globals = function.getattr("__globals__")?.cast_into::<PyDict>();
        let mut cells = HashMap::new();
        if let Ok(closure) = function.getattr("__closure__")?.cast::<PyTuple>() {
            for (name, cell) in code.freevars.iter().zip(closure.iter()) {
                if let Ok(value) = cell.getattr("cell_contents") {
                    cells.insert(name.clone(), value);
                }
            }
        }
        let dfg = Dfg::of_code(&code, FileId(0))
            .map_err(|error| PySystemError::new_err(error.to_string()))?;
        Ok(EnclosingFunction {
            function: function.clone(),
            globals: globals.map_err(PyErr::from)?,
            cells,
            code,
            blocks: dfg.object_blocks,
        })
    }

    /// What stands for a body in IR.
    fn block(&self, index: u32, id: DispatcherId, span: Span) -> Result<ObjKind, Box<Diagnostic>> {
        let block = &self.blocks[index as usize];
        let refused = |class: ErrorClass, phrase: &str| {
            let help = "types of outputs are strings, or global variables that hold types";
            Box::new(
                Diagnostic::error("B006", class, phrase, span)
                    .with_help(help)
                    .with_numba_phrase(phrase),
            )
        };
        self.check_manager(&block.manager)
            .map_err(|phrase| refused(ErrorClass::CompilerError, phrase))?;
        let mut given: HashMap<&str, Type> = HashMap::new();
        for (name, annotation) in &block.annotations {
            let ty = self.annotation(annotation).map_err(|wrong| {
                let phrase = match wrong {
                    Wrong::Argument(why) => {
                        format!("Error handling objmode argument '{name}'. {why}")
                    }
                    Wrong::Reflected(ty) => format!(
                        "Objmode context failed. Argument '{name}' is declared as an unsupported type: {ty}. Reflected \
                         types are not supported."
                    ),
                };
                refused(ErrorClass::CompilerError, &phrase)
            })?;
            given.insert(name, ty);
        }
        block.check().map_err(|what| {
            Box::new(Error::ObjectBlock { span, what }.to_diagnostic(&self.code.filename))
        })?;
        let types = session().types.view();
        let names = block.output_names.iter();
        let outputs: Vec<Type> = names
            .map(|name| given.get(name.as_str()).copied().unwrap_or(Type::UNDEFINED))
            .collect();
        let exit = (block.exits.len() > 1).then_some(Type::INT64);
        let all: Vec<Type> = exit.into_iter().chain(outputs.iter().copied()).collect();
        let ret = session().types.tuple(&all);
        let ty = session().types.intern(TypeKind::ObjectBlock(ret));
        types.hold(ret);
        let py = self.function.py();
        let (function, arguments) = self.function(block).map_err(|error| unreadable(&error))?;
        let weak = PyWeakrefReference::new(&function).map_err(|error| unreadable(&error))?;
        let made = Block {
            key: (id, index, ret),
            function: weak.unbind(),
            arguments,
            outputs,
            exits: block.exits.iter().map(|exit| exit.live.clone()).collect(),
            types,
            inputs: Mutex::new(HashMap::new()),
        };
        let handle = register(py, made);
        Ok(ObjKind::Typed(ty, Const::Int(handle)))
    }

    fn variable(&self, name: &str) -> Option<Bound<'py, PyAny>> {
        if let Some(value) = self.cells.get(name) {
            return Some(value.clone());
        }
        if let Ok(Some(value)) = self.globals.get_item(name) {
            return Some(value);
        }
        let builtins = self.function.py().import("builtins").ok()?;
        builtins.getattr(name).ok()
    }

    /// The context manager must be ours.
    fn check_manager(&self, path: &[String]) -> Result<(), &'static str> {
        let found = path.split_first().and_then(|(first, attributes)| {
            let mut at = self.variable(first)?;
            for name in attributes {
                at = at.getattr(name.as_str()).ok()?;
            }
            Some(at)
        });
        let Some(found) = found else {
            return Err("Undefined variable used as context manager");
        };
        let module = self.function.py().import("numbra.core.withcontexts");
        let ours = module.and_then(|m| m.getattr("objmode_context"));
        match ours.is_ok_and(|ours| ours.is(&found)) {
            true => Ok(()),
            false => Err("Unsupported context manager in use"),
        }
    }

    fn annotation(&self, annotation: &Annotation) -> Result<Type, Wrong> {
        const UNRESOLVED: &str = "Getattr cannot be resolved at compile-time.";
        const NO_TYPE: &str = "The value must be a compile-time constant either as a non-local variable or a getattr \
                               expression that refers to a Numba type.";
        let wrong = |why: &str| Wrong::Argument(why.to_owned());
        let of_path = |path: &[String], what: &str, first: Option<Bound<'py, PyAny>>| {
            let Some((name, attributes)) = path.split_first() else {
                return Err(wrong(NO_TYPE));
            };
            let mut at = match (first, attributes) {
                (Some(value), _) => value,
                (None, []) => return Err(wrong(&format!("{what} '{name}' is not defined."))),
                (None, _) => return Err(wrong(UNRESOLVED)),
            };
            for name in attributes {
                at = at.getattr(name.as_str()).map_err(|_| wrong(UNRESOLVED))?;
            }
            Ok(at)
        };
        let py = self.function.py();
        let object = match annotation {
            Annotation::Text(text) => {
                let read = || {
                    py.import("numbra.core.sigutils")?
                        .call_method1("_parse_signature_string", (text,))
                };
                read().map_err(|error| wrong(&format!("'{text}' is no type: {error}.")))?
            }
            Annotation::Global(path) => {
                let first = path.first().and_then(|name| {
                    let global = self.globals.get_item(name).ok().flatten();
                    global.or_else(|| self.variable(name))
                });
                of_path(path, "Global", first)?
            }
            Annotation::Free(path) => {
                let first = path.first().and_then(|name| self.cells.get(name).cloned());
                of_path(path, "Freevar", first)?
            }
            Annotation::Other => return Err(wrong(NO_TYPE)),
        };
        let ty = crate::types::from_python(&object).map_err(|_| wrong(NO_TYPE))?;
        if session().types.unreflected(ty) == ty {
            return Ok(ty);
        }
        let text = object.str().map(|text| text.to_string());
        Err(Wrong::Reflected(text.unwrap_or_default()))
    }

    /// The Python function of a body, and which input each of its arguments is.
    fn function(&self, block: &ObjectBlock) -> PyResult<(Bound<'py, PyAny>, Vec<Option<usize>>)> {
        let py = self.function.py();
        let made = block
            .code(&self.code)
            .map_err(|error| PySystemError::new_err(error.to_string()))?;
        let outer = self.function.getattr("__code__")?;
        let lines: Vec<u8> = outer.getattr("co_linetable")?.extract()?;
        let lines = [made.lines_before, lines, made.lines_behind].concat();
        let consts = outer.getattr("co_consts")?;
        let consts = consts.cast::<PyTuple>().map_err(PyErr::from)?;
        let more: Vec<u32> = (0..made.more_consts).collect();
        let parts = PyDict::new(py);
        parts.set_item("co_code", PyBytes::new(py, &made.code))?;
        parts.set_item("co_exceptiontable", PyBytes::new(py, &made.exceptiontable))?;
        parts.set_item("co_linetable", PyBytes::new(py, &lines))?;
        parts.set_item(
            "co_consts",
            consts
                .as_sequence()
                .concat(PyTuple::new(py, more)?.as_sequence())?,
        )?;
        parts.set_item("co_stacksize", made.stacksize)?;
        parts.set_item("co_flags", made.flags.bits())?;
        parts.set_item("co_nlocals", made.varnames.len())?;
        parts.set_item("co_varnames", PyTuple::new(py, &made.varnames)?)?;
        parts.set_item("co_argcount", made.argcount)?;
        parts.set_item("co_posonlyargcount", 0)?;
        parts.set_item("co_kwonlyargcount", 0)?;
        let code = outer.call_method("replace", (), Some(&parts))?;
        let class = py.import("types")?.getattr("FunctionType")?;
        let function = class.call1((
            code,
            &self.globals,
            self.function.getattr("__name__")?,
            py.None(),
            self.function.getattr("__closure__")?,
        ))?;
        Ok((function, made.arguments))
    }
}
