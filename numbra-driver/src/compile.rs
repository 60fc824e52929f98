//! One compilation: from untyped IR to loaded machine code.

use crate::dump::Dumps;
use crate::options::Options;
use crate::pipeline::lowering_options;
use crate::session::{Session, Source};
use crate::tier2::{GeneratorError, Tier};
use crate::watch::watched;
use numbra_base::{Diagnostic, ErrorClass, Span};
use numbra_ir::dump::Dump;
use numbra_ir::{DispatcherId, StmtKind, Type, TypeKind, TypedFunc, TypedProgram, Types};
use numbra_lir::artifact::Artifact;
use numbra_lir::{FuncDecl, FuncRef, Module};
use numbra_lower::jit::LoadedArtifact;
use numbra_lower::lowering::{Lowered, leaves};
use numbra_parallel::{LoopReport, ParallelPlan};
use numbra_typeinfer::Host;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
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
    /// Asked between stages, and while a long one runs: true once nobody wants the code, which ends the compilation with
    /// error D008.
    pub stop: &'a dyn Fn() -> bool,
}

impl Request<'_> {
    fn wanted(&self) -> Result<(), CompileError> {
        match (self.stop)() {
            true => Err(CompileError::given_up()),
            false => Ok(()),
        }
    }
}

/// Code that was kept, and what it needs to run again.
pub struct Restore<'a> {
    /// Argument types.
    pub args: &'a [Type],
    /// Result type.
    pub ret: Type,
    /// The view that holds them.
    pub types: &'a Types,
    /// Symbol of the entry function.
    pub entry: &'a str,
    /// Who made the code.
    pub generator: Tier,
    /// Addresses of the symbols that the code refers to.
    pub symbols: &'a (dyn Fn(&str) -> Option<*const u8> + Sync),
}

/// See [`Request::finish`]. The error is the text of a TypeError.
pub type Finish<'a> =
    &'a dyn Fn(&Types, &mut Module, FuncRef, &TypedFunc) -> Result<String, String>;

/// A finished compilation. Machine code lives as long as this does, unless other code supersedes it.
pub struct Compiled {
    /// The view that holds its types.
    pub types: Types,
    /// Argument types.
    pub args: Vec<Type>,
    /// Result type.
    pub ret: Type,
    /// Relocatable code.
    pub artifact: Arc<Artifact>,
    /// Loaded code.
    loaded: Mutex<Option<Arc<LoadedArtifact>>>,
    /// Name of the entry function.
    pub entry: String,
    /// Who made the code: Cranelift, or the second generator.
    pub generator: Tier,
    /// Duration of each stage, in order.
    pub timings: Vec<Timing>,
    /// What the code was made from; code from the cache gets it when it is asked for.
    pub stages: OnceLock<Box<Stages>>,
}

/// The stages of a compilation before machine code.
pub struct Stages {
    /// The code object and its function before any pass.
    pub source: Arc<Source>,
    /// The inferred program.
    pub program: TypedProgram,
    /// How its loops over `prange` run, in functions compiled with `parallel=True`.
    pub plan: ParallelPlan,
    /// LIR as lowered.
    pub lowered: Module,
    /// LIR as generated from.
    pub module: Module,
    /// Result type.
    pub ret: Type,
    /// Name of the entry function.
    pub entry: String,
    /// The loops over elements of arrays that run in parallel.
    pub element_loops: Vec<LoopReport>,
}

impl Stages {
    /// What became of the loops of functions compiled with `parallel=True`: those over `prange`, then those over elements.
    pub fn parallel_loops(&self) -> Vec<LoopReport> {
        let mut loops = self.plan.report(&self.program);
        loops.extend(self.element_loops.iter().cloned());
        loops
    }
}

impl Compiled {
    /// Loaded code, unless it was superseded.
    pub fn loaded(&self) -> Option<Arc<LoadedArtifact>> {
        self.loaded
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Takes the loaded code out: other code is entered from now on. What it was made from stays.
    pub fn supersede(&self) -> Option<Arc<LoadedArtifact>> {
        self.loaded
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    /// Address of the entry function; valid while `self` lives and its code is not superseded. `None` if it was.
    pub fn entry_address(&self) -> Option<*const u8> {
        self.loaded()?.address(&self.entry)
    }

    /// Symbol of the entry function.
    pub fn entry_name(&self) -> &str {
        &self.entry
    }

    /// What the code was made from.
    ///
    /// # Panics
    /// For code from the cache whose stages nobody has made.
    pub fn made_from(&self) -> &Stages {
        self.stages
            .get()
            .expect("code from the cache gets its stages before anyone reads them")
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

    /// Error D008: the caller wants the code no more.
    pub fn given_up() -> CompileError {
        let message = "the compilation was given up".to_owned();
        let class = ErrorClass::CompilerError;
        let diagnostic = Diagnostic::error("D008", class, message, Span::NONE).with_help(
            "what ended it is the error to look at; call the function again to compile it",
        );
        CompileError {
            step: None,
            diagnostics: vec![diagnostic],
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

/// The step in which machine code is made and loaded.
pub(crate) const BACKEND: &str = "nopython mode backend";

/// Modules of more instructions take Cranelift more than some 10 ms.
const LARGE: usize = 8192;

pub(crate) fn load(
    artifact: Arc<Artifact>,
    symbols: &(dyn Fn(&str) -> Option<*const u8> + Sync),
) -> Result<LoadedArtifact, CompileError> {
    let symbols = |name: &str| numbra_runtime::symbol(name).or_else(|| symbols(name));
    numbra_lower::jit::load(artifact, &[], &symbols)
        .map_err(|e| CompileError::internal(BACKEND, e.to_string()))
}

impl Session {
    /// Compiles and loads. Pure of Python but for what `request.host` does.
    pub fn compile(&self, request: &Request<'_>) -> Result<Compiled, CompileError> {
        let mut clock = Clock::start();
        let stages = self.staged(request, &mut clock)?;
        let artifact = Arc::new(self.generate(&stages.module, request)?);
        clock.lap("nopython_backend");
        let loaded = load(artifact.clone(), request.symbols)?;
        clock.lap("load");
        let compiled = Compiled {
            types: request.types.clone(),
            args: request.args.to_vec(),
            ret: stages.ret,
            artifact,
            loaded: Mutex::new(Some(Arc::new(loaded))),
            entry: stages.entry.clone(),
            generator: match request.options.tier {
                Tier::Cranelift | Tier::Auto => Tier::Cranelift,
                Tier::Llvm => Tier::Llvm,
            },
            timings: clock.timings,
            stages: OnceLock::from(Box::new(stages)),
        };
        self.dump_code(request, &compiled);
        Ok(compiled)
    }

    /// Loads code that was kept; its stages are made when they are asked for. `ret` is held by `request.types`.
    pub fn restore(
        &self,
        request: &Restore<'_>,
        artifact: Artifact,
    ) -> Result<Compiled, CompileError> {
        let mut clock = Clock::start();
        let artifact = Arc::new(artifact);
        let loaded = load(artifact.clone(), request.symbols)?;
        if loaded.address(request.entry).is_none() {
            let missing = "the entry is not in the artifact".to_owned();
            return Err(CompileError::internal(BACKEND, missing));
        }
        clock.lap("cache");
        Ok(Compiled {
            types: request.types.clone(),
            args: request.args.to_vec(),
            ret: request.ret,
            artifact,
            loaded: Mutex::new(Some(Arc::new(loaded))),
            entry: request.entry.to_owned(),
            generator: request.generator,
            timings: clock.timings,
            stages: OnceLock::new(),
        })
    }

    /// Everything before machine code.
    pub fn stages(&self, request: &Request<'_>) -> Result<Stages, CompileError> {
        self.staged(request, &mut Clock::start())
    }

    fn staged(&self, request: &Request<'_>, clock: &mut Clock) -> Result<Stages, CompileError> {
        self.dump_untyped(request, &request.source.func.name);
        let inferred = self.infer(request);
        let mut program = inferred.map_err(|error| without_values(request, error))?;
        // The program holds all its types, whoever made them.
        program.map_types(&mut |ty| {
            request.types.hold(ty);
            ty
        });
        self.dump_typed(request, &program);
        clock.lap("nopython_type_inference");
        request.wanted()?;
        let options = lowering_options(&program, request.options, request.host);
        let plan = self.plan(&program, request.types, &options)?;
        self.dump_plan(request, &plan, &program);
        let lowered = self.lower(&program, &plan, request.types, &options)?;
        let Lowered {
            module: mut lowered,
            element_loops,
        } = lowered;
        let root = self.root_of(&lowered, &program)?;
        let typed = &program.functions[program.root].1;
        let ret = typed.ret;
        let entry =
            (request.finish)(request.types, &mut lowered, root, typed).map_err(|message| {
                CompileError {
                    step: None,
                    diagnostics: vec![no_python_form(request.types, typed, message)],
                    force_literal: Vec::new(),
                }
            })?;
        clock.lap("native_lowering");
        request.wanted()?;
        let mut module = lowered.clone();
        self.dump_lir(request, &module, false);
        if request.options.device {
            self.optimise_for_device(&mut module)?;
        } else {
            self.optimise(&mut module)?;
            self.optimise_for(&mut module, request.options.tier)?;
        }
        self.dump_lir(request, &module, true);
        clock.lap("lir_passes");
        request.wanted()?;
        Ok(Stages {
            source: Arc::clone(request.source),
            program,
            plan,
            lowered,
            module,
            ret,
            entry,
            element_loops,
        })
    }

    /// Machine code by the generator that the options name.
    pub(crate) fn generate(
        &self,
        module: &Module,
        request: &Request<'_>,
    ) -> Result<Artifact, CompileError> {
        let insts = |f: &FuncDecl| f.body.as_ref().map_or(0, |body| body.insts.len());
        match request.options.tier {
            Tier::Cranelift | Tier::Auto => {
                let options = self.codegen_options(request.options);
                let made = match module.functions.values().map(insts).sum::<usize>() {
                    0..LARGE => Some(numbra_lower::cranelift::compile(module, &options)),
                    _ => {
                        let module = module.clone();
                        let compile = move || numbra_lower::cranelift::compile(&module, &options);
                        watched(request.stop, compile)
                    }
                };
                made.ok_or_else(CompileError::given_up)?
                    .map_err(|e| CompileError::internal(BACKEND, e.to_string()))
            }
            Tier::Llvm => {
                let llvm = Arc::clone(self.second_generator().map_err(no_code)?);
                let module = module.clone();
                watched(request.stop, move || llvm.compile(&module))
                    .ok_or_else(CompileError::given_up)?
                    .map_err(no_code)
            }
        }
    }

    fn root_of(&self, module: &Module, program: &TypedProgram) -> Result<FuncRef, CompileError> {
        let _ = program;
        let root = module
            .functions
            .iter()
            .find(|(_, f)| f.linkage == numbra_lir::Linkage::Export && f.body.is_some());
        root.map(|(func, _)| func).ok_or_else(|| {
            CompileError::internal(
                "native lowering",
                "the lowered module exports no function".to_owned(),
            )
        })
    }
}

/// Why the second generator made no machine code.
fn no_code(error: GeneratorError) -> CompileError {
    match error {
        GeneratorError::Unavailable(_) | GeneratorError::NoMemory => {
            let missing = Diagnostic::error("D005", error.class(), error.to_string(), Span::NONE)
                .with_help("leave out tier='llvm' and NUMBRA_TIER=llvm");
            CompileError::at(BACKEND, vec![missing])
        }
        GeneratorError::Unsupported(_) | GeneratorError::Failed(_) => {
            CompileError::internal(BACKEND, error.to_string())
        }
    }
}

/// Error D003 for a result that has no form in Python, at the first statement that returns it.
fn no_python_form(types: &Types, typed: &TypedFunc, message: String) -> Diagnostic {
    let insts = typed
        .func
        .layout
        .iter()
        .flat_map(|&block| &typed.func.blocks[block].insts);
    let mut returns =
        insts.filter(|&&inst| matches!(typed.func.insts[inst].kind, StmtKind::Return(_)));
    let span = returns.next().map(|&inst| typed.func.insts[inst].span);
    let span = span
        .filter(|span| span.is_known())
        .unwrap_or(typed.func.span);
    let said = match types.kind(typed.ret) {
        TypeKind::LiteralList(_) => {
            "a list of items of several types cannot be returned to Python".to_owned()
        }
        TypeKind::LiteralDict { .. } => {
            "a dict of values of several types cannot be returned to Python".to_owned()
        }
        TypeKind::BoundMethod { receiver, method } => format!(
            "the method `{method}` of {} cannot be returned to Python",
            types.display(*receiver)
        ),
        _ => format!("{} cannot be returned to Python", types.display(typed.ret)),
    };
    let diagnostic =
        Diagnostic::error("D003", ErrorClass::TypeError, said, span).with_numba_phrase(message);
    match types.kind(typed.ret) {
        TypeKind::LiteralList(_) => diagnostic.with_help("return a tuple, `(a, b)`: its items may be of several types; those of a list are of one"),
        TypeKind::LiteralDict { .. } => {
            diagnostic.with_help("return a tuple of its values: those may be of several types")
        }
        TypeKind::BoundMethod { method, .. } => {
            diagnostic.with_help(format!("call it: `x.{method}()`"))
        }
        TypeKind::Slice2 | TypeKind::Slice3 | TypeKind::SliceLiteral(_) => diagnostic
            .with_help("return the start, stop and step as a tuple"),
        _ => diagnostic.with_help("return numbers, arrays, tuples, lists or strings"),
    }
}

/// Where a parameter is of a type of which there are no values yet, that is why its function has no types.
fn without_values(request: &Request<'_>, error: CompileError) -> CompileError {
    let types = request.types;
    let lacking = |ty: &&Type| leaves(types, **ty).is_err();
    let Some(ty) = request.args.iter().find(lacking) else {
        return error;
    };
    let message = format!("numbra has no values of type {} yet", types.display(*ty));
    let class = ErrorClass::UnsupportedError;
    let mut diagnostic = Diagnostic::error("L001", class, message, request.source.func.span);
    let first = error.diagnostics.first();
    diagnostic
        .notes
        .extend(first.map(|first| first.message.clone()));
    CompileError {
        diagnostics: vec![diagnostic],
        ..error
    }
}
