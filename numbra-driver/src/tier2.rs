//! The second code generator: slower to compile, faster to run, and not always there.
//!
//! The driver knows it as a trait; whoever owns the [`Session`] says how to get it. It is got when it is first needed.

use crate::compile::Stages;
use crate::session::Session;
use numbra_base::ErrorClass;
use numbra_lir::artifact::Artifact;
use numbra_lir::remarks::LoopRemark;
use numbra_lir::{FuncRef, Linkage, Module};
use numbra_lower::jit::LoadedArtifact;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Which generator makes the machine code of a function.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize,
)]
pub enum Tier {
    /// Cranelift: milliseconds to the first call.
    #[default]
    Cranelift,
    /// The second generator, with all its optimisations.
    Llvm,
    /// Cranelift at first; the owner of the session has what turns out to be hot [promoted](Session::promote).
    Auto,
}

impl Tier {
    /// `cranelift`, `llvm` or `auto`.
    pub fn from_name(name: &str) -> Option<Tier> {
        match name {
            "cranelift" => Some(Tier::Cranelift),
            "llvm" => Some(Tier::Llvm),
            "auto" => Some(Tier::Auto),
            _ => None,
        }
    }
}

/// A text that the second generator makes of a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GeneratorText {
    /// Its IR, as emitted.
    Emitted,
    /// Its IR after its passes.
    Optimised,
    /// Assembly; for a GPU, PTX.
    Assembly,
}

/// A GPU to make code for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceTarget {
    /// Architecture and how code is made, in the words of `numbra_abi::tier2`: `sm_90`, `sm_80 nofma maxntid=128`.
    pub text: String,
    /// With all optimisations.
    pub optimised: bool,
}

/// Why the second generator made nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GeneratorError {
    /// It is not there, or is of another build.
    Unavailable(String),
    /// There is too little memory for it now.
    NoMemory,
    /// The target has not what the module uses.
    Unsupported(String),
    /// It failed: a bug of ours.
    Failed(String),
}

impl fmt::Display for GeneratorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GeneratorError::Unavailable(why) => write!(f, "LLVM is not available: {why}"),
            GeneratorError::NoMemory => {
                f.write_str("LLVM is not available: there is no memory for it")
            }
            GeneratorError::Unsupported(what) => f.write_str(what),
            GeneratorError::Failed(what) => write!(f, "code generation failed: {what}"),
        }
    }
}

impl std::error::Error for GeneratorError {}

impl GeneratorError {
    /// Class of the exception that says so.
    pub(crate) fn class(&self) -> ErrorClass {
        match self {
            GeneratorError::Unavailable(_) | GeneratorError::Unsupported(_) => {
                ErrorClass::UnsupportedError
            }
            GeneratorError::NoMemory => ErrorClass::MemoryError,
            GeneratorError::Failed(_) => ErrorClass::InternalError,
        }
    }
}

/// The second code generator.
pub trait Generator: Send + Sync {
    /// Machine code of a verified module for this machine.
    fn compile(&self, module: &Module) -> Result<Artifact, GeneratorError>;

    /// A text of a verified module.
    fn text(&self, module: &Module, what: GeneratorText) -> Result<String, GeneratorError>;

    /// A text of a verified module for a GPU.
    fn device_text(
        &self,
        module: &Module,
        target: &DeviceTarget,
        what: GeneratorText,
    ) -> Result<String, GeneratorError>;

    /// What became of the loops of a verified module.
    fn remarks(&self, module: &Module) -> Result<Vec<LoopRemark>, GeneratorError>;
}

/// How to get the second generator.
pub type GeneratorSource = fn() -> Result<Arc<dyn Generator>, GeneratorError>;

/// The second generator of a session. Where there is none now, for lack of memory or of its library, there may be one later.
#[derive(Default)]
pub(crate) struct SecondTier {
    source: Mutex<Option<GeneratorSource>>,
    got: OnceLock<Arc<dyn Generator>>,
}

/// Code of the second generator for what the first compiled before.
pub struct Promoted {
    /// Relocatable code.
    pub artifact: Arc<Artifact>,
    /// Loaded code.
    pub loaded: Arc<LoadedArtifact>,
}

impl Session {
    /// The second generator's code of a finished compilation. Neither Python nor any symbol is asked for.
    pub fn generate_second(&self, stages: &Stages) -> Result<Arc<Artifact>, GeneratorError> {
        let generator = self.second_generator()?;
        let module = self.module_for_second(stages)?;
        Ok(Arc::new(generator.compile(&module)?))
    }

    /// Loads what [`Session::generate_second`] made.
    pub fn load_second(
        &self,
        artifact: Arc<Artifact>,
        symbols: &(dyn Fn(&str) -> Option<*const u8> + Sync),
    ) -> Result<Promoted, GeneratorError> {
        let symbols = |name: &str| numbra_runtime::symbol(name).or_else(|| symbols(name));
        let loaded = numbra_lower::jit::load(artifact.clone(), &[], &symbols)
            .map_err(|e| GeneratorError::Failed(e.to_string()))?;
        Ok(Promoted {
            artifact,
            loaded: Arc::new(loaded),
        })
    }

    /// LIR as the second generator wants it.
    fn module_for_second(&self, stages: &Stages) -> Result<Module, GeneratorError> {
        let mut module = stages.lowered.clone();
        self.optimise(&mut module)
            .and_then(|()| self.optimise_for(&mut module, Tier::Llvm))
            .map_err(|e| GeneratorError::Failed(format!("{e:?}")))?;
        Ok(module)
    }

    /// What the second generator makes of the loops of a finished compilation, whoever made its code, and the module that
    /// knows their files. The entry wrapper, into which LLVM inlines the function once more, is left out.
    pub fn remarks(&self, stages: &Stages) -> Result<(Vec<LoopRemark>, Module), GeneratorError> {
        let generator = self.second_generator()?;
        let module = without_entry(&self.module_for_second(stages)?, &stages.entry);
        Ok((generator.remarks(&module)?, module))
    }

    /// Says how to get the second generator; it is not got before it is needed.
    pub fn set_second_generator(&self, source: GeneratorSource) {
        *self
            .second
            .source
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(source);
    }

    /// The second generator.
    pub(crate) fn second_generator(&self) -> Result<&Arc<dyn Generator>, GeneratorError> {
        let got = &self.second.got;
        if let Some(generator) = got.get() {
            return Ok(generator);
        }
        // Held, so that one thread loads it.
        let source = self
            .second
            .source
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(generator) = got.get() {
            return Ok(generator);
        }
        let missing = || GeneratorError::Unavailable("this program does not link it".to_owned());
        let made = source.ok_or_else(missing)?()?;
        Ok(got.get_or_init(|| made))
    }
}

/// The module without the body of `entry`: what a device could run of it.
pub(crate) fn without_entry(module: &Module, entry: &str) -> Module {
    let mut module = module.clone();
    let found: Option<FuncRef> = module
        .functions
        .iter()
        .find(|(_, f)| f.name == entry)
        .map(|(func, _)| func);
    if let Some(func) = found {
        module.functions[func].linkage = Linkage::Import;
        module.functions[func].body = None;
    }
    module
}
