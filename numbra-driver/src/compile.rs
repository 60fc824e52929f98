//! One compilation: from untyped IR to loaded machine code.

use crate::dump::Dumps;
use crate::options::Options;
use crate::session::{Session, Source};
use crate::tier2::{GeneratorError, Tier};
use numbra_base::{Diagnostic, ErrorClass, Span};
use numbra_ir::dump::Dump;
use numbra_ir::{DispatcherId, Type, TypedFunc, TypedProgram, Types};
use numbra_lower::artifact::Artifact;
use numbra_lower::jit::LoadedArtifact;
use numbra_lower::lir::{FuncRef, Module};
use numbra_lower::lowering::ParallelLoop;
use numbra_typeinfer::Host;
use std::sync::Arc;
use std::time::Instant;

/// What to compile.
pub struct Request<'a> {
    /// The dispatcher it is for.
    pub id: DispatcherId,
    /// Its function, as [`Session::untyped`] gave it.
    pub source: &'a Arc<Source>,
    /// One type a parameter.
    pub args: &'a [Type],
    /// The view that holds `args`, and from now on the types of this compilation.
    pub types: &'a Types,
    /// The result type that the user asked for.
    pub ret: Option<Type>,
    /// Options.
    pub options: &'a Options,
    /// The world outside.
    pub host: &'a dyn Host,
    /// Adds the caller's entry function to the lowered module and returns its name.
    pub finish: Finish<'a>,
    /// Addresses of the symbols that the entry function refers to.
    pub symbols: &'a (dyn Fn(&str) -> Option<*const u8> + Sync),
    /// Stages to print while they are made.
    pub dumps: Dumps,
    /// Where they are printed.
    pub print: &'a dyn Fn(&str),
}

/// See [`Request::finish`]. The error is the text of a TypeError.
pub type Finish<'a> =
    &'a dyn Fn(&Types, &mut Module, FuncRef, &TypedFunc) -> Result<String, String>;

/// A finished compilation. Machine code lives as long as this does.
pub struct Compiled {
    /// The view that holds its types.
    pub types: Types,
    /// Argument types.
    pub args: Vec<Type>,
    /// Result type.
    pub ret: Type,
    /// The code object and its function before any pass.
    pub source: Arc<Source>,
    /// The inferred program.
    pub program: TypedProgram,
    /// LIR as lowered.
    pub lowered: Module,
    /// LIR as generated from.
    pub module: Module,
    /// Relocatable code.
    pub artifact: Arc<Artifact>,
    /// Loaded code.
    pub loaded: LoadedArtifact,
    /// Name of the entry function.
    pub entry: String,
    /// What became of the `prange` loops of functions compiled with `parallel=True`.
    pub parallel_loops: Vec<ParallelLoop>,
    /// Duration of each stage, in order.
    pub timings: Vec<Timing>,
}

impl Compiled {
    /// Address of the entry function; valid while `self` lives.
    ///
    /// # Panics
    /// Never after a successful compilation: the entry is an exported function of the artifact.
    pub fn entry_address(&self) -> *const u8 {
        self.loaded
            .address(&self.entry)
            .expect("the entry is exported")
    }

    /// Symbol of the entry function.
    pub fn entry_name(&self) -> &str {
        &self.entry
    }
}

/// Duration of one stage.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Timing {
    /// Its name.
    pub stage: &'static str,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// Why a compilation failed.
#[derive(Clone, PartialEq, Debug)]
pub struct CompileError {
    /// Description of the pipeline step, as Numba's first line quotes it.
    pub step: Option<String>,
    /// The cause first.
    pub diagnostics: Vec<Diagnostic>,
    /// Parameters that must be literals for the function to compile; the caller may try again with literal types.
    pub force_literal: Vec<usize>,
}

impl CompileError {
    /// A failure before inference. Numba raises bytecode errors without naming a step.
    pub fn front_end(diagnostic: Diagnostic) -> CompileError {
        let step = match diagnostic.class {
            ErrorClass::UnsupportedBytecodeError => None,
            _ if diagnostic.code.0 == "B006" => Some("Handle with contexts".to_owned()),
            _ => Some("analyzing bytecode".to_owned()),
        };
        CompileError {
            step,
            diagnostics: vec![diagnostic],
            force_literal: Vec::new(),
        }
    }

    pub(crate) fn at(step: &'static str, diagnostics: Vec<Diagnostic>) -> CompileError {
        CompileError {
            step: Some(step.to_owned()),
            diagnostics,
            force_literal: Vec::new(),
        }
    }

    fn internal(step: &'static str, message: String) -> CompileError {
        CompileError::at(
            step,
            vec![Diagnostic::error(
                "D002",
                ErrorClass::InternalError,
                message,
                Span::NONE,
            )],
        )
    }
}

/// Times stages in order.
struct Clock {
    last: Instant,
    timings: Vec<Timing>,
}

impl Clock {
    fn start() -> Clock {
        Clock {
            last: Instant::now(),
            timings: Vec::new(),
        }
    }

    fn lap(&mut self, stage: &'static str) {
        let now = Instant::now();
        self.timings.push(Timing {
            stage,
            seconds: (now - self.last).as_secs_f64(),
        });
        self.last = now;
    }
}

impl Session {
    /// Compiles and loads. Pure of Python but for what `request.host` does.
    pub fn compile(&self, request: &Request<'_>) -> Result<Compiled, CompileError> {
        let mut clock = Clock::start();
        self.dump_untyped(request, &request.source.func.name);
        let mut program = self.infer(request)?;
        // The program holds all its types, whoever made them.
        program.map_types(&mut |ty| {
            request.types.hold(ty);
            ty
        });
        self.dump_typed(request, &program);
        clock.lap("nopython_type_inference");
        let (mut lowered, parallel_loops) =
            self.lower(&program, request.types, request.options, request.host)?;
        let root = self.root_of(&lowered, &program)?;
        let typed = &program.functions[program.root].1;
        let ret = typed.ret;
        let entry =
            (request.finish)(request.types, &mut lowered, root, typed).map_err(|message| {
                CompileError {
                    step: None,
                    diagnostics: vec![Diagnostic::error(
                        "D003",
                        ErrorClass::TypeError,
                        message,
                        request.source.func.span,
                    )],
                    force_literal: Vec::new(),
                }
            })?;
        clock.lap("native_lowering");
        let mut module = lowered.clone();
        self.dump_lir(request, &module, false);
        self.optimise(&mut module)?;
        self.optimise_for(&mut module, request.options.tier)?;
        self.dump_lir(request, &module, true);
        clock.lap("lir_passes");
        let artifact = self.generate(&module, request.options)?;
        clock.lap("nopython_backend");
        let artifact = Arc::new(artifact);
        let symbols = |name: &str| numbra_runtime::symbol(name).or_else(|| (request.symbols)(name));
        let loaded = numbra_lower::jit::load(artifact.clone(), &[], &symbols)
            .map_err(|e| CompileError::internal("nopython mode backend", e.to_string()))?;
        clock.lap("load");
        let compiled = Compiled {
            types: request.types.clone(),
            args: request.args.to_vec(),
            ret,
            source: Arc::clone(request.source),
            program,
            lowered,
            module,
            artifact,
            loaded,
            entry,
            parallel_loops,
            timings: clock.timings,
        };
        self.dump_code(request, &compiled);
        Ok(compiled)
    }

    /// Machine code by the generator that the options name.
    fn generate(&self, module: &Module, options: &Options) -> Result<Artifact, CompileError> {
        const STEP: &str = "nopython mode backend";
        match options.tier {
            Tier::Cranelift | Tier::Auto => {
                numbra_lower::cranelift::compile(module, &self.codegen_options(options))
                    .map_err(|e| CompileError::internal(STEP, e.to_string()))
            }
            Tier::Llvm => self
                .second_generator()
                .and_then(|llvm| llvm.compile(module))
                .map_err(|error| match error {
                    GeneratorError::Unavailable(_) => {
                        let class = ErrorClass::UnsupportedError;
                        let missing =
                            Diagnostic::error("D005", class, error.to_string(), Span::NONE)
                                .with_help("leave out tier='llvm' and NUMBRA_TIER=llvm");
                        CompileError::at(STEP, vec![missing])
                    }
                    GeneratorError::Unsupported(_) | GeneratorError::Failed(_) => {
                        CompileError::internal(STEP, error.to_string())
                    }
                }),
        }
    }

    fn root_of(&self, module: &Module, program: &TypedProgram) -> Result<FuncRef, CompileError> {
        let _ = program;
        let root = module
            .functions
            .iter()
            .find(|(_, f)| f.linkage == numbra_lower::lir::Linkage::Export && f.body.is_some());
        root.map(|(func, _)| func).ok_or_else(|| {
            CompileError::internal(
                "native lowering",
                "the lowered module exports no function".to_owned(),
            )
        })
    }
}
