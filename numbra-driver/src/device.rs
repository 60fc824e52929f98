//! Code for GPUs: the same stages as for the processor, and PTX in the end, or machine code for kernels on the CPU.

use crate::compile::{BACKEND, CompileError, Request, Stages, load};
use crate::dump::Dumps;
use crate::inspect::InspectError;
use crate::session::Session;
use crate::tier2::{DeviceTarget, GeneratorError, GeneratorText};
use numbra_abi::NativeArea;
use numbra_base::{Diagnostic, ErrorClass, Span};
use numbra_ir::{Callee, InstanceOrigin, PrintOptions, Type, TypedProgram, Types, print_program};
use numbra_library::{DeviceFn, Op};
use numbra_lir::analysis::{returns_new_memory, runtime_call};
use numbra_lir::{Module, NativeFn};
use numbra_lower::jit::LoadedArtifact;
use numbra_opt::{HostNeeds, Pass, host_gap, host_needs};
use std::sync::Arc;

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

/// A kernel that runs on the CPU. Machine code lives as long as this does.
pub struct HostKernel {
    /// The view that holds its types.
    pub types: Types,
    /// Argument types.
    pub args: Vec<Type>,
    /// What it was made from; `stages.entry` is the name of the kernel.
    pub stages: Stages,
    /// Loaded code.
    pub loaded: LoadedArtifact,
    /// What its launches need.
    pub needs: HostNeeds,
}

impl Session {
    /// Compiles for a GPU: `request.options.device` is set and `request.finish` adds the entry.
    pub fn compile_device(
        &self,
        request: &Request<'_>,
        target: &DeviceTarget,
    ) -> Result<DeviceCode, CompileError> {
        let stages = self.stages(request)?;
        self.refuse_runtime_calls(&stages)?;
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
    pub fn is_cooperative(&self, stages: &Stages) -> bool {
        let group = Op::Device(DeviceFn::ThisGrid);
        let functions = stages.program.functions.values();
        let mut calls = functions.flat_map(|(_, typed)| typed.calls.values().flatten());
        calls.any(|call| self.library.operation(call.callee) == Some(group))
    }

    /// Compiles a kernel for this machine's processor: as [`Session::compile_device`] up to LIR, and then by Cranelift.
    /// `request.finish` adds an entry with the ABI `HostKernel`.
    pub fn compile_host_kernel(&self, request: &Request<'_>) -> Result<HostKernel, CompileError> {
        let mut stages = self.stages(request)?;
        self.refuse_runtime_calls(&stages)?;
        if let Some(gap) = host_gap(&stages.module) {
            let text = format!("not available on this target: {gap}");
            return Err(refused(GeneratorError::Unsupported(text)));
        }
        Pass::LaunchSafepoints.run(&mut stages.module);
        let needs = host_needs(&stages.module);
        if needs.local > MAX_LOCAL {
            return Err(too_large(needs.local));
        }
        self.optimise_host_threads(&mut stages.module)?;
        let artifact = self.generate(&stages.module, request)?;
        let loaded = load(Arc::new(artifact), request.symbols)?;
        Ok(HostKernel {
            types: request.types.clone(),
            args: request.args.to_vec(),
            stages,
            loaded,
            needs,
        })
    }

    /// Error D006 for code that calls the runtime, at the place that asks for it.
    fn refuse_runtime_calls(&self, stages: &Stages) -> Result<(), CompileError> {
        match self.runtime_refusal(stages, &stages.module) {
            None => Ok(()),
            Some(diagnostic) => Err(CompileError::at(BACKEND, vec![diagnostic])),
        }
    }

    /// What is said of the first call of the runtime in code that is to run on a GPU, at the place that asks for it.
    pub(crate) fn runtime_refusal(&self, stages: &Stages, module: &Module) -> Option<Diagnostic> {
        let call = runtime_call(module)?;
        let what = match returns_new_memory(call.callee) {
            true => "an allocation of memory",
            false => "a call of the runtime",
        };
        let message = format!("not available on this target: {what}");
        let mut diagnostic = gap(message, call.span).with_help(self.instead_of(call.callee));
        if let Some(name) = self.function_at(&stages.program, call.span) {
            diagnostic = diagnostic.with_label(format!("`{name}` needs what GPUs do not have"));
        }
        Some(diagnostic)
    }

    /// What to write instead of a call of the runtime.
    fn instead_of(&self, callee: &NativeFn) -> String {
        let more = match callee {
            NativeFn::Body(symbol) => self.library.instead_of(symbol),
            NativeFn::Runtime(id) => id.area().and_then(instead),
        };
        let more = more.map(|text| format!("; {text}"));
        format!("{WRITE_INTO_ARGUMENTS}{}", more.unwrap_or_default())
    }

    /// The function of the library that is called at a place of the source, the outermost where there are several.
    fn function_at(&self, program: &TypedProgram, span: Span) -> Option<&'static str> {
        let row = |callee: Callee| match callee {
            Callee::Row(row, _) => Some(row),
            Callee::Instance(instance) | Callee::Map(instance) => {
                match program.functions[instance].0 {
                    InstanceOrigin::Prelude(row, _) => Some(row),
                    _ => None,
                }
            }
        };
        let functions = program.functions.values();
        let user = functions.filter(|(origin, _)| !matches!(origin, InstanceOrigin::Prelude(..)));
        let calls = user.flat_map(|(_, typed)| {
            let sites = typed.calls.iter();
            sites.filter_map(|(inst, site)| Some((typed.func.insts[inst].span, site.as_ref()?)))
        });
        let here = calls.filter(|(at, _)| *at == span);
        here.filter_map(|(_, site)| row(site.callee))
            .map(|row| self.library.row(row).name)
            .find(|name| !name.starts_with("iteration."))
    }

    /// The typed program.
    pub fn typed_text_of(&self, stages: &Stages, types: &Types, options: PrintOptions) -> String {
        print_program(&stages.program, types, self.library, options)
    }

    /// The source with the types of its variables.
    pub fn annotation_of(&self, stages: &Stages, types: &Types) -> String {
        self.annotation(&stages.program, types)
    }

    /// A text that LLVM makes of finished code.
    pub fn inspect_device(
        &self,
        code: &DeviceCode,
        what: GeneratorText,
    ) -> Result<String, InspectError> {
        let llvm = self.second_generator()?;
        Ok(llvm.device_text(&code.stages.module, &code.target, what)?)
    }
}

/// Most bytes of local arrays of a kernel on the CPU: what Cranelift's frames hold.
const MAX_LOCAL: u64 = (1 << 31) - (1 << 20);

fn too_large(local: u64) -> CompileError {
    let text =
        format!("local arrays of {local} bytes, where a thread on the CPU has at most {MAX_LOCAL}");
    let diagnostic = Diagnostic::error("D006", ErrorClass::UnsupportedError, text, Span::NONE)
        .with_help("use an array that is passed in, with a part for each thread");
    CompileError::at(BACKEND, vec![diagnostic])
}

fn refused(error: GeneratorError) -> CompileError {
    let (code, help) = match &error {
        GeneratorError::Unavailable(_) | GeneratorError::NoMemory => (
            "D005",
            "kernels are compiled by LLVM: install numbra with its LLVM library",
        ),
        GeneratorError::Unsupported(_) => {
            let diagnostic = gap(error.to_string(), Span::NONE).with_help(WRITE_INTO_ARGUMENTS);
            return CompileError::at(BACKEND, vec![diagnostic]);
        }
        GeneratorError::Failed(_) => ("D002", "this is a defect of the compiler: please report it"),
    };
    let text = error.to_string();
    let diagnostic = Diagnostic::error(code, error.class(), text, Span::NONE).with_help(help);
    CompileError::at(BACKEND, vec![diagnostic])
}

/// Error D006: something that GPUs do not have.
fn gap(message: String, span: Span) -> Diagnostic {
    Diagnostic::error("D006", ErrorClass::UnsupportedError, message, span)
}

const WRITE_INTO_ARGUMENTS: &str = "code for GPUs has no allocation and calls nothing of the runtime: write into arrays that are passed in";

/// What to write instead of the runtime's functions of an area.
fn instead(area: NativeArea) -> Option<&'static str> {
    Some(match area {
        NativeArea::Lists => "for a list of known length, use a tuple or `cuda.local.array`",
        NativeArea::Sets => "sets are not made in kernels: mark places of an array",
        NativeArea::Memory => {
            "`cuda.local.array(shape, dtype)` is an array of the thread, `cuda.shared.array` one of its block"
        }
        NativeArea::Random => "`numbra.cuda.random` has generators for threads",
    })
}
