//! The stages from untyped IR to optimised LIR, as functions of the Session.

use crate::compile::{CompileError, Request};
use crate::options::Options;
use crate::session::Session;
use crate::tier2::Tier;
use numbra_base::{Diagnostic, ErrorClass, Span};
use numbra_ir::pipeline::{Failure, Pipeline, RunOptions, UNTYPED, UNTYPED_ORDER, Untyped};
use numbra_ir::stencil::stencil_caller;
use numbra_ir::{Func, Instance, InstanceOrigin, Type, TypedFunc, TypedProgram, Types};
use numbra_lir::{DebugInfo, FastMath, Module};
use numbra_lower::lowering::{CalleeOptions, ErrorModel, FunctionOptions, Lowered};
use numbra_lower::{cranelift, lowering};
use numbra_parallel::ParallelPlan;
use numbra_typeinfer::Host;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Numba's untyped pipeline; the table is checked once.
fn nopython() -> &'static Pipeline<Untyped> {
    static PIPELINE: OnceLock<Pipeline<Untyped>> = OnceLock::new();
    PIPELINE.get_or_init(|| {
        Pipeline::new("nopython", UNTYPED, UNTYPED_ORDER).expect("the table keeps its own order")
    })
}

/// Runs the untyped passes for these argument types.
pub(crate) fn untyped(
    session: &Session,
    func: &Func,
    args: &[Type],
    types: &Types,
    options: &Options,
) -> Result<Func, Failure> {
    let mut state = Untyped::new(func.clone(), args.to_vec(), types.clone());
    state.options.rewrites = !options.no_rewrites;
    nopython().run(
        &mut state,
        RunOptions {
            verify: session.verify,
        },
        &mut (),
    )?;
    Ok(state.func)
}

impl Session {
    /// Untyped passes and type inference.
    pub(crate) fn infer(&self, request: &Request<'_>) -> Result<TypedProgram, CompileError> {
        let types = request.types;
        // What runs is a call of the stencil, for which inference asks for the kernel again.
        let called = (request.options.stencil.as_ref())
            .map(|_| stencil_caller(&request.source.func, request.id));
        let func = called.as_ref().unwrap_or(&request.source.func);
        let func =
            untyped(self, func, request.args, types, request.options).map_err(|failure| {
                let mut error = CompileError::from(failure);
                if let Some(first) = error.diagnostics.first() {
                    error.force_literal = self.literal_request(&request.source.func, first);
                }
                error
            })?;
        self.dump_ssa(request, &func);
        let options = numbra_typeinfer::Options {
            locals: request
                .options
                .locals
                .iter()
                .map(|(name, ty)| (name.clone(), *ty))
                .collect(),
            device: request.options.device,
            parallel_stencils: request.options.parallel_stencils,
            ret: request.ret,
            origin: Some(InstanceOrigin::Dispatcher(request.id)),
            ..numbra_typeinfer::Options::default()
        };
        let inference = numbra_typeinfer::infer_full(
            func,
            request.args,
            self.library,
            request.host,
            types,
            &options,
        );
        match inference.program {
            Some(program) => Ok(program),
            None => Err(CompileError {
                force_literal: inference.force_literal,
                ..CompileError::at("nopython frontend", inference.diagnostics)
            }),
        }
    }

    /// How the loops over `prange` of a typed program run.
    pub(crate) fn plan(
        &self,
        program: &TypedProgram,
        types: &Types,
        options: &lowering::Options,
    ) -> Result<ParallelPlan, CompileError> {
        let functions = lowering::parallel_functions(program, options);
        let plan = numbra_parallel::plan(program, types, self.library, &functions);
        if self.verify {
            let broken = numbra_parallel::verify(&plan, program, types, self.library);
            broken.map_err(|errors| {
                let first = errors.first().map(ToString::to_string);
                internal(format!("parallel plan: {}", first.unwrap_or_default()))
            })?;
        }
        Ok(plan)
    }

    /// A typed program as LIR, its loops as the plan has them.
    pub(crate) fn lower(
        &self,
        program: &TypedProgram,
        plan: &ParallelPlan,
        types: &Types,
        options: &lowering::Options,
    ) -> Result<Lowered, CompileError> {
        let mut lowered = lowering::lower(program, plan, types, self.library, options)
            .map_err(|d| CompileError::at("native lowering", vec![*d]))?;
        lowered.module.files = self.files.paths();
        if options.debug != DebugInfo::None {
            self.find_definitions(&mut lowered.module);
        }
        Ok(lowered)
    }

    /// Has functions begin at their `def`: code objects know the line of the first decorator.
    fn find_definitions(&self, module: &mut Module) {
        let sources = self.sources();
        let bodies = module
            .functions
            .values_mut()
            .filter_map(|f| f.body.as_mut());
        for body in bodies {
            if let (Some(debug), Some(text)) = (&mut body.debug, sources.text(body.span.file)) {
                debug.line = definition_line(text, debug.line);
            }
        }
    }

    /// The LIR passes for code that runs on a GPU.
    pub(crate) fn optimise_for_device(&self, module: &mut Module) -> Result<(), CompileError> {
        self.run_passes(&numbra_opt::DEVICE, module)
    }

    /// What follows [`Session::optimise_for_device`] for kernels that run on the CPU.
    pub(crate) fn optimise_host_threads(&self, module: &mut Module) -> Result<(), CompileError> {
        self.run_passes(&numbra_opt::HOST_THREADS, module)
    }

    /// The LIR passes.
    pub(crate) fn optimise(&self, module: &mut Module) -> Result<(), CompileError> {
        self.run_passes(&numbra_opt::HOST, module)
    }

    /// What this tier's generator wants beyond [`Session::optimise`].
    pub(crate) fn optimise_for(&self, module: &mut Module, tier: Tier) -> Result<(), CompileError> {
        match tier {
            Tier::Cranelift | Tier::Auto => self.run_passes(&numbra_opt::CRANELIFT, module),
            Tier::Llvm => self.run_passes(&numbra_opt::LLVM, module),
        }
    }

    /// Runs passes; verifies after each if this session is to.
    fn run_passes(
        &self,
        list: &numbra_opt::Pipeline,
        module: &mut Module,
    ) -> Result<(), CompileError> {
        if !self.verify {
            list.run(module);
            return Ok(());
        }
        list.run_verified(module)
            .map_err(|error| internal(error.to_string()))
    }

    pub(crate) fn codegen_options(&self, options: &Options) -> cranelift::Options {
        cranelift::Options {
            verify: self.verify,
            frame_pointers: options.debug,
            ..cranelift::Options::default()
        }
    }
}

/// Error D002: a stage made what its verifier refuses.
fn internal(message: String) -> CompileError {
    let diagnostic = Diagnostic::error("D002", ErrorClass::InternalError, message, Span::NONE);
    CompileError::at("native lowering", vec![diagnostic])
}

/// What the options of a compilation, and of the functions that it calls, say to lowering.
pub(crate) fn lowering_options(
    program: &TypedProgram,
    options: &Options,
    host: &dyn Host,
) -> lowering::Options {
    lowering::Options {
        root: FunctionOptions {
            error_model: options.error_model.unwrap_or_default(),
            parallel: options.parallel,
            boundscheck: options.boundscheck,
            fast: options.fastmath.unwrap_or_default(),
        },
        callees: match options.device {
            true => BTreeMap::new(), // One set of options serves all.
            false => callee_options(program, host),
        },
        externals: external_codes(program, host),
        math: options.math,
        device: options.device,
        debug: options.debug_info,
        symbol: None,
    }
}

/// The code of the functions that a program only has types of.
fn external_codes(program: &TypedProgram, host: &dyn Host) -> BTreeMap<Instance, String> {
    let code = |(instance, (origin, typed)): (Instance, &(InstanceOrigin, TypedFunc))| {
        let InstanceOrigin::Overload(id) = origin else {
            return None;
        };
        let is_external = typed.func.layout.is_empty();
        Some((instance, is_external.then(|| host.external_code(*id))??))
    };
    program.functions.iter().filter_map(code).collect()
}

/// What the jitted functions of a program say about their options.
fn callee_options(program: &TypedProgram, host: &dyn Host) -> BTreeMap<Instance, CalleeOptions> {
    let mut out = BTreeMap::new();
    for (instance, (origin, _)) in &program.functions {
        let (info, is_overload) = match origin {
            InstanceOrigin::Dispatcher(id) => (host.dispatcher(*id), false),
            InstanceOrigin::Overload(id) => (host.overload_dispatcher(*id), true),
            InstanceOrigin::Prelude(..) | InstanceOrigin::Closure(_) | InstanceOrigin::Text(_) => {
                continue;
            }
        };
        let Some(info) = info else { continue };
        let model = |numpy| match numpy {
            true => ErrorModel::Numpy,
            false => ErrorModel::Python,
        };
        let says = CalleeOptions {
            error_model: info.numpy_errors.map(model),
            // Loops of overloads run in parallel where those of their callers do.
            parallel: (info.parallel || !is_overload).then_some(info.parallel),
            boundscheck: info.boundscheck,
            fast: info.fastmath.map(FastMath::from_bits_truncate),
            inline_always: info.inline_always,
        };
        out.insert(instance, says);
    }
    out
}

/// The line of the `def` at or behind the line where a function begins.
fn definition_line(text: &str, first: u32) -> u32 {
    let from = (first as usize).saturating_sub(1);
    let mut lines = text.lines().skip(from).map(str::trim_start).peekable();
    if !lines.peek().is_some_and(|line| line.starts_with('@')) {
        return first;
    }
    let is_def = |line: &str| line.starts_with("def ") || line.starts_with("async def ");
    let behind = lines.position(is_def);
    behind.map_or(first, |count| first + count as u32)
}

#[cfg(test)]
mod tests {
    use super::definition_line;

    #[test]
    fn definitions_stand_behind_their_decorators() {
        let text =
            "import x\n@x.jit(\n    debug=True,\n)\n@other\ndef f():\n    pass\ng = lambda: 1\n";
        assert_eq!(definition_line(text, 2), 6);
        assert_eq!(definition_line(text, 6), 6);
        assert_eq!(definition_line(text, 8), 8);
        assert_eq!(definition_line("@x\n", 1), 1);
        assert_eq!(definition_line("", 7), 7);
        assert_eq!(definition_line(text, 0), 0);
    }
}
