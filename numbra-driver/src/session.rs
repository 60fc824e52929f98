//! The Session: all state of one compiler.

use crate::compile::CompileError;
use crate::options::Options;
use crate::pipeline;
use crate::sources::Sources;
use crate::tier2::SecondTier;
use numbra_base::{Diagnostic, ErrorClass, SourceCache, Span};
use numbra_bytecode::CodeObject;
use numbra_ir::pipeline::{Cause, Failure};
use numbra_ir::{DispatcherId, Func, Type, Types};
use numbra_library::{Library, RowKind};
use std::sync::Arc;

/// A function as it enters the compiler.
#[derive(Clone, PartialEq, Debug)]
pub struct Source {
    /// Its code object.
    pub code: Arc<CodeObject>,
    /// Its IR before any pass.
    pub func: Func,
}

/// Types, files and options that compilations share. Thread-safe; no lock is held while a Host is called.
pub struct Session {
    /// The types that live as long as the session. Compilations have views of their own.
    pub types: Types,
    /// The function library.
    pub library: &'static Library,
    pub(crate) files: Sources,
    pub(crate) second: SecondTier,
    /// Verify after every pass: `NUMBRA_VERIFY=1`, and always in debug builds.
    pub(crate) verify: bool,
}

impl Default for Session {
    fn default() -> Session {
        Session::new()
    }
}

impl Session {
    /// A session with the standard library.
    pub fn new() -> Session {
        let verify =
            cfg!(debug_assertions) || std::env::var_os("NUMBRA_VERIFY").is_some_and(|v| v == "1");
        Session {
            types: Types::new(),
            library: Library::standard(),
            files: Sources::default(),
            second: SecondTier::default(),
            verify,
        }
    }

    /// What is known of source files, for rendering diagnostics.
    pub fn sources(&self) -> SourceCache {
        self.files.cache()
    }

    /// A code object as Numba IR, before any pass. `text` reads a source file for diagnostics.
    pub fn untyped(
        &self,
        code: CodeObject,
        module: &str,
        text: &dyn Fn(&str) -> Option<Arc<str>>,
    ) -> Result<Source, Box<Diagnostic>> {
        let file = self.files.file(&code.filename, text);
        let func = numbra_ir::builder::build_code(&code, file, module)?;
        Ok(Source {
            code: Arc::new(code),
            func,
        })
    }

    /// The untyped passes for these argument types, which `types` holds.
    pub fn prepare(
        &self,
        func: &Func,
        args: &[Type],
        types: &Types,
    ) -> Result<Func, Box<Diagnostic>> {
        pipeline::untyped(self, func, args, types, &Options::default()).map_err(first_diagnostic)
    }

    /// The parameters that `literally` asks to be literal, if that is what `cause` complains of.
    pub fn literal_request(&self, func: &Func, cause: &Diagnostic) -> Vec<usize> {
        if cause.code.0 != "I007" {
            return Vec::new();
        }
        let (positions, _) = numbra_ir::passes::literally_args(func);
        positions.into_iter().map(|n| n as usize).collect()
    }

    /// The universal functions of the library: qualified name, and its loops in NumPy's letters.
    pub fn ufunc_loops(&self) -> Vec<(&'static str, Vec<&'static str>)> {
        let rows = self.library.rows().map(|(_, row)| row);
        rows.filter(|row| row.kind == RowKind::Function)
            .filter_map(|row| {
                let ufunc = row.bodies.iter().find_map(|body| body.code.elementwise())?;
                let texts = ufunc.loops.iter();
                let loops = texts.flat_map(|group| group.types.split_ascii_whitespace());
                Some((row.name, loops.collect()))
            })
            .collect()
    }

    /// A dispatcher is gone: nothing compiled for it will be asked for again.
    pub fn forget(&self, _id: DispatcherId) {}
}

/// The cause of a failed pipeline as one diagnostic.
fn first_diagnostic(failure: Failure) -> Box<Diagnostic> {
    let text = failure.to_string();
    let first = match failure.cause {
        Cause::Diagnostics(list) => list.into_iter().next(),
        Cause::Verify(_) | Cause::Panic(_) => None,
    };
    Box::new(
        first.unwrap_or_else(|| {
            Diagnostic::error("D002", ErrorClass::InternalError, text, Span::NONE)
        }),
    )
}

impl From<Failure> for CompileError {
    fn from(failure: Failure) -> CompileError {
        let step = Some(failure.description.clone());
        let text = failure.to_string();
        let diagnostics = match failure.cause {
            Cause::Diagnostics(list) if !list.is_empty() => list,
            Cause::Diagnostics(_) | Cause::Verify(_) | Cause::Panic(_) => {
                vec![Diagnostic::error(
                    "D002",
                    ErrorClass::InternalError,
                    text,
                    Span::NONE,
                )]
            }
        };
        CompileError {
            step,
            diagnostics,
            force_literal: Vec::new(),
        }
    }
}
