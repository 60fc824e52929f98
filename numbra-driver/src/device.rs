//! Code for GPUs: the same stages as for the processor, and PTX in the end.

use crate::compile::{BACKEND, CompileError, Request, Stages};
use crate::dump::Dumps;
use crate::inspect::LibraryNames;
use crate::session::Session;
use crate::tier2::{DeviceTarget, GeneratorError, GeneratorText};
use numbra_base::{Diagnostic, ErrorClass, Span};
use numbra_ir::{Callee, PrintOptions, Type, Types, print_program};

/// A finished compilation for a GPU.
pub struct DeviceCode {
    /// The view that holds its types.
    pub types: Types,
    /// Argument types.
    pub args: Vec<Type>,
    /// What it was made for.
    pub target: DeviceTarget,
    /// What it was made from; `stages.entry` is the name of the kernel or function.
    pub stages: Stages,
    /// The code.
    pub ptx: String,
}

impl Session {
    /// Compiles for a GPU: `request.options.device` is set and `request.finish` adds the entry.
    pub fn compile_device(
        &self,
        request: &Request<'_>,
        target: &DeviceTarget,
    ) -> Result<DeviceCode, CompileError> {
        let stages = self.stages(request)?;
        let text = |what| {
            self.second_generator()
                .and_then(|llvm| llvm.device_text(&stages.module, target, what))
        };
        let ptx = text(GeneratorText::Assembly).map_err(refused)?;
        for (dump, what, title) in [
            (Dumps::LLVM, GeneratorText::Emitted, "LLVM DUMP"),
            (Dumps::OPTIMIZED, GeneratorText::Optimised, "OPTIMIZED DUMP"),
        ] {
            if request.dumps.contains(dump) {
                let text = text(what).unwrap_or_else(|error| error.to_string());
                (request.print)(&crate::dump::titled(
                    &format!("{title} {}", request.source.func.name),
                    &text,
                ));
            }
        }
        if request.dumps.contains(Dumps::ASSEMBLY) || request.dumps.contains(Dumps::PTX) {
            let title = format!("ASSEMBLY {}", request.source.func.name);
            (request.print)(&crate::dump::titled(&title, &ptx));
        }
        Ok(DeviceCode {
            types: request.types.clone(),
            args: request.args.to_vec(),
            target: target.clone(),
            stages,
            ptx,
        })
    }

    /// Whether code asks for the group of all threads of its grid, which only a cooperative launch makes.
    pub fn is_cooperative(&self, code: &DeviceCode) -> bool {
        let group = self.library.lookup("numbra.cuda.cg.this_grid");
        let functions = code.stages.program.functions.values();
        let mut calls = functions.flat_map(|(_, typed)| typed.calls.values().flatten());
        calls.any(|call| match call.callee {
            Callee::Row(row, _) => Some(row) == group,
            Callee::Instance(_) | Callee::Map(_) => false,
        })
    }

    /// The typed program.
    pub fn typed_text_of(&self, code: &DeviceCode, options: PrintOptions) -> String {
        let names = LibraryNames(self.library);
        print_program(&code.stages.program, &code.types, &names, options)
    }

    /// The source with the types of its variables.
    pub fn annotation_of(&self, code: &DeviceCode) -> String {
        self.annotation(&code.stages.program, &code.types)
    }

    /// A text that LLVM makes of finished code.
    pub fn inspect_device(&self, code: &DeviceCode, what: GeneratorText) -> Result<String, String> {
        self.second_generator()
            .and_then(|llvm| llvm.device_text(&code.stages.module, &code.target, what))
            .map_err(|error| error.to_string())
    }
}

fn refused(error: GeneratorError) -> CompileError {
    let (code, class, help) = match &error {
        GeneratorError::Unavailable(_) => (
            "D005",
            ErrorClass::UnsupportedError,
            "kernels are compiled by LLVM: install numbra with its LLVM library",
        ),
        GeneratorError::Unsupported(_) => (
            "D006",
            ErrorClass::UnsupportedError,
            "code for GPUs has no allocation and calls nothing of the runtime: write into arrays that are passed in",
        ),
        GeneratorError::Failed(_) => (
            "D002",
            ErrorClass::InternalError,
            "this is a defect of the compiler: please report it",
        ),
    };
    let diagnostic = Diagnostic::error(code, class, error.to_string(), Span::NONE).with_help(help);
    CompileError::at(BACKEND, vec![diagnostic])
}
