//! What LLVM generates code for.

use numbra_lower::artifact::CpuLevel;
use numbra_lower::lir::{MathFnName, MathLib};
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
    /// NVIDIA GPU of compute capability `sm` / 10, as in `sm_90`.
    Gpu {
        /// 75, 80, 90, 100, ...; see [`Target::gpu`].
        sm: u32,
        /// Multiplications and additions may contract to one rounding, as NVIDIA's compilers do unless told otherwise.
        fma: bool,
    },
}

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
        GPUS.contains(&sm).then_some(Target::Gpu { sm, fma: true })
    }

    /// True for GPUs.
    pub fn is_gpu(&self) -> bool {
        matches!(self, Target::Gpu { .. })
    }

    /// LLVM's triple.
    pub fn triple(&self) -> &'static str {
        match self {
            Target::Cpu { .. } => "x86_64-unknown-linux-gnu",
            Target::Gpu { .. } => "nvptx64-nvidia-cuda",
        }
    }

    /// LLVM's CPU name.
    pub fn cpu(&self) -> String {
        match self {
            Target::Cpu { level, .. } => level.name().to_owned(),
            Target::Gpu { sm, .. } => format!("sm_{sm}"),
        }
    }

    /// Attributes of every function definition.
    pub(crate) fn function_attributes(&self) -> String {
        match self {
            // No calls invented from loops and pairs of calls: math keeps to our functions.
            Target::Cpu { tune, .. } if tune.is_empty() => "\"no-builtins\"".to_owned(),
            Target::Cpu { tune, .. } => format!("\"no-builtins\" \"tune-cpu\"=\"{tune}\""),
            // LLVM removes it where no convergent operation is reached.
            Target::Gpu { .. } => "convergent".to_owned(),
        }
    }

    /// The symbol of a mathematical function. Devices have one library.
    pub(crate) fn math_symbol(&self, call: MathFnName, single: bool) -> String {
        let suffix = if single { "f" } else { "" };
        match self {
            Target::Cpu { .. } => call.symbol(single),
            Target::Gpu { .. } => format!("__nv_{}{suffix}", call.func.name()),
        }
    }

    /// The numbers of lanes for which a mathematical function has a vector variant that this target may call: numbra's
    /// own functions need FMA, the widest AVX-512.
    pub(crate) fn math_lanes(&self, call: MathFnName, single: bool) -> &'static [u32] {
        let lanes: &[u32] = if single { &[4, 8, 16] } else { &[2, 4, 8] };
        match (self, call.lib) {
            _ if call.func.is_exact() => &[],
            (Target::Cpu { level, .. }, MathLib::Numbra) => match level {
                CpuLevel::V1 | CpuLevel::V2 => &[],
                CpuLevel::V3 => &lanes[..2],
                CpuLevel::V4 => lanes,
            },
            (Target::Cpu { .. }, MathLib::Libm) | (Target::Gpu { .. }, _) => &[],
        }
    }
}

/// `x86-64-v3`, `x86-64-v4 znver4`, `sm_90`, `sm_90 nofma`: read back by `FromStr`.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Cpu { level, tune } if tune.is_empty() => write!(f, "{level}"),
            Target::Cpu { level, tune } => write!(f, "{level} {tune}"),
            Target::Gpu { sm, fma: true } => write!(f, "sm_{sm}"),
            Target::Gpu { sm, fma: false } => write!(f, "sm_{sm} nofma"),
        }
    }
}

impl FromStr for Target {
    type Err = ();

    fn from_str(text: &str) -> Result<Target, ()> {
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        if let Some(sm) = name.strip_prefix("sm_") {
            let sm = sm.parse().map_err(|_| ())?;
            return match (Target::gpu(sm), rest) {
                (Some(target), "") => Ok(target),
                (Some(_), "nofma") => Ok(Target::Gpu { sm, fma: false }),
                _ => Err(()),
            };
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
