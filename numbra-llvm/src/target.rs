//! What LLVM generates code for.

use numbra_lir::artifact::CpuLevel;
use numbra_lir::{MathFn, MathFnName, MathLib};
use std::fmt;
use std::str::FromStr;

/// A target of code generation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// x86-64 Linux.
    Cpu {
        /// What the code may assume of the processor.
        level: CpuLevel,
        /// The processor, in LLVM's words (`znver4`), whose costs the code is scheduled for; empty for none in particular.
        tune: String,
    },
    /// NVIDIA GPU.
    Gpu(Gpu),
}

/// An NVIDIA GPU, and how code for it is made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gpu {
    /// Compute capability times ten: 75, 80, 90, 100, ...; see [`Target::gpu`].
    pub sm: u32,
    /// `a` for instructions of this capability alone, `f` for those of its family.
    pub suffix: Option<char>,
    /// Multiplications and additions may contract to one rounding, as NVIDIA's compilers do unless told otherwise.
    pub fma: bool,
    /// Single precision is fast: tiny numbers are zero, divisions and roots approximate, and so are functions.
    pub fast: bool,
    /// What is raised is noted in [`ERROR`](crate::ERROR), for the host to raise it.
    pub errors: bool,
    /// Most threads of a block, least blocks of a multiprocessor, most blocks of a cluster, for which registers are allotted.
    pub bounds: [Option<u32>; 3],
}

/// The bounds of [`Gpu`] in the words of [`Target`]'s text and of LLVM.
const BOUNDS: [(&str, &str); 3] = [
    ("maxntid", "nvvm.maxntid"),
    ("minctasm", "nvvm.minctasm"),
    ("maxclusterrank", "nvvm.maxclusterrank"),
];

/// Compute capabilities that both LLVM 22 and CUDA's present assembler know.
const GPUS: &[u32] = &[75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121];

impl Target {
    /// Any x86-64 CPU of a level.
    pub fn level(level: CpuLevel) -> Target {
        Target::Cpu {
            level,
            tune: String::new(),
        }
    }

    /// A GPU with contraction, or `None` for a compute capability that LLVM would not generate code for: it would warn
    /// and take another.
    pub fn gpu(sm: u32) -> Option<Target> {
        GPUS.contains(&sm).then_some(Target::Gpu(Gpu {
            sm,
            suffix: None,
            fma: true,
            fast: false,
            errors: false,
            bounds: [None; 3],
        }))
    }

    /// True for GPUs.
    pub fn is_gpu(&self) -> bool {
        self.as_gpu().is_some()
    }

    /// The GPU.
    pub(crate) fn as_gpu(&self) -> Option<&Gpu> {
        match self {
            Target::Gpu(gpu) => Some(gpu),
            Target::Cpu { .. } => None,
        }
    }

    /// LLVM's triple.
    pub fn triple(&self) -> &'static str {
        match self {
            Target::Cpu { .. } => "x86_64-unknown-linux-gnu",
            Target::Gpu(_) => "nvptx64-nvidia-cuda",
        }
    }

    /// LLVM's CPU name.
    pub fn cpu(&self) -> String {
        match self {
            Target::Cpu { level, .. } => level.name().to_owned(),
            Target::Gpu(gpu) => gpu.arch(),
        }
    }

    /// Attributes of every function definition of a module; `widest` says that innermost loops call mathematical functions
    /// which have variants of the widest vectors.
    pub(crate) fn function_attributes(&self, widest: bool) -> String {
        match self {
            Target::Cpu { level, tune } => {
                // No calls invented from loops and pairs of calls: math keeps to our functions.
                let mut out = "\"no-builtins\"".to_owned();
                if !tune.is_empty() {
                    out.push_str(&format!(" \"tune-cpu\"=\"{tune}\""));
                }
                // Scattered stores cost more than LLVM reckons: a loop with them is slower in vectors than without.
                if *level >= CpuLevel::V4 {
                    out.push_str(" \"target-features\"=\"+prefer-no-scatter\"");
                }
                // LLVM keeps to half of them on some processors. Arithmetic gains little by more; these functions gain half.
                if widest {
                    out.push_str(" \"prefer-vector-width\"=\"512\"");
                }
                out
            }
            // LLVM removes it where no convergent operation is reached.
            Target::Gpu(gpu) if gpu.fast => {
                "convergent \"denormal-fp-math-f32\"=\"preserve-sign,preserve-sign\"".to_owned()
            }
            Target::Gpu(_) => "convergent".to_owned(),
        }
    }

    /// What LLVM is told of the target beside its CPU: for the oldest GPUs it would write a version of PTX without
    /// instructions that these have, such as that of a hyperbolic tangent. The sections of `debugged` code have differences
    /// of labels, which PTX has from 7.5 on.
    pub(crate) fn features(&self, debugged: bool) -> &'static str {
        match self {
            Target::Gpu(gpu) if debugged && gpu.sm < 88 => "+ptx75",
            Target::Gpu(gpu) if gpu.sm < 80 => "+ptx70",
            Target::Gpu(_) | Target::Cpu { .. } => "",
        }
    }

    /// The symbol of a mathematical function. Devices have one library.
    pub(crate) fn math_symbol(&self, call: MathFnName, single: bool) -> String {
        let suffix = if single { "f" } else { "" };
        match self {
            Target::Cpu { .. } => call.symbol(single),
            Target::Gpu(gpu) => match call.func {
                MathFn::Exp
                | MathFn::Log
                | MathFn::Log2
                | MathFn::Log10
                | MathFn::Sin
                | MathFn::Cos
                | MathFn::Tan
                | MathFn::Tanh
                | MathFn::Pow
                    if gpu.fast && single =>
                {
                    format!("__nv_fast_{}f", call.func.name())
                }
                func => format!("__nv_{}{suffix}", func.name()),
            },
        }
    }

    /// Whether a mathematical function has a variant of this target's widest vectors, of 512 bits.
    pub(crate) fn has_widest(&self, call: MathFnName) -> bool {
        self.math_lanes(call, false).contains(&8)
    }

    /// The numbers of lanes for which a mathematical function has a vector variant that this target may call: numbra's
    /// own functions need FMA, the widest AVX-512.
    pub(crate) fn math_lanes(&self, call: MathFnName, single: bool) -> &'static [u32] {
        let lanes: &[u32] = if single { &[4, 8, 16] } else { &[2, 4, 8] };
        match (self, call.lib) {
            _ if !call.func.has_lanes() => &[],
            (Target::Cpu { level, .. }, MathLib::Numbra) => match level {
                CpuLevel::V1 | CpuLevel::V2 => &[],
                CpuLevel::V3 => &lanes[..2],
                CpuLevel::V4 | CpuLevel::IceLake => lanes,
            },
            (Target::Cpu { .. }, MathLib::Libm) | (Target::Gpu(_), _) => &[],
        }
    }
}

impl Gpu {
    /// Its architecture: `sm_90a`.
    pub fn arch(&self) -> String {
        let suffix = self.suffix.map(String::from).unwrap_or_default();
        format!("sm_{}{suffix}", self.sm)
    }

    /// Attributes of a kernel's definition.
    pub(crate) fn kernel_attributes(&self) -> String {
        let mut out = String::new();
        for ((_, attribute), bound) in BOUNDS.iter().zip(self.bounds) {
            if let Some(bound) = bound {
                out.push_str(&format!(" \"{attribute}\"=\"{bound}\""));
            }
        }
        out
    }
}

/// Reads `90a` and the words behind it.
fn gpu_of(sm: &str, words: &str) -> Option<Gpu> {
    let (digits, suffix) = match sm.strip_suffix(['a', 'f']) {
        Some(digits) => (digits, sm.chars().last()),
        None => (sm, None),
    };
    let Target::Gpu(mut gpu) = Target::gpu(digits.parse().ok()?)? else {
        return None;
    };
    // LLVM would warn and take another.
    let known = match suffix {
        None => true,
        Some('a') => gpu.sm >= 90,
        Some(_) => gpu.sm >= 100,
    };
    gpu.suffix = suffix;
    for word in words.split_ascii_whitespace() {
        match (word, word.split_once('=')) {
            ("nofma", _) => gpu.fma = false,
            ("fast", _) => gpu.fast = true,
            ("errors", _) => gpu.errors = true,
            (_, Some((name, number))) => {
                let at = BOUNDS.iter().position(|(known, _)| *known == name)?;
                gpu.bounds[at] = Some(number.parse().ok()?);
            }
            _ => return None,
        }
    }
    known.then_some(gpu)
}

/// `x86-64-v3`, `x86-64-v4 znver4`, `sm_90`, `sm_90a nofma fast maxntid=128`: read back by `FromStr`.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Cpu { level, tune } if tune.is_empty() => write!(f, "{level}"),
            Target::Cpu { level, tune } => write!(f, "{level} {tune}"),
            Target::Gpu(gpu) => {
                f.write_str(&gpu.arch())?;
                if !gpu.fma {
                    f.write_str(" nofma")?;
                }
                if gpu.fast {
                    f.write_str(" fast")?;
                }
                if gpu.errors {
                    f.write_str(" errors")?;
                }
                for ((word, _), bound) in BOUNDS.iter().zip(gpu.bounds) {
                    if let Some(bound) = bound {
                        write!(f, " {word}={bound}")?;
                    }
                }
                Ok(())
            }
        }
    }
}

impl FromStr for Target {
    type Err = ();

    fn from_str(text: &str) -> Result<Target, ()> {
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        if let Some(sm) = name.strip_prefix("sm_") {
            return gpu_of(sm, rest).map(Target::Gpu).ok_or(());
        }
        let level = CpuLevel::ALL.into_iter().find(|l| l.name() == name);
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        match level {
            Some(level) if rest.chars().all(plain) => Ok(Target::Cpu {
                level,
                tune: rest.to_owned(),
            }),
            _ => Err(()),
        }
    }
}
