//! What LLVM generates code for.

use numbra_abi::MathFn;

/// A target of code generation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// x86-64 Linux. `cpu` and `features` in LLVM's words; [`Target::host`] fills in this machine's.
    Cpu {
        /// `x86-64`, `znver4`, ...
        cpu: String,
        /// `+avx2,+fma,...`
        features: String,
    },
    /// NVIDIA GPU of compute capability `sm` / 10, as in `sm_90`.
    Gpu {
        /// 75, 80, 90, 100, ...
        sm: u32,
    },
}

impl Target {
    /// Any x86-64 CPU.
    pub fn baseline() -> Target {
        Target::Cpu {
            cpu: "x86-64".into(),
            features: String::new(),
        }
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
            Target::Cpu { cpu, .. } => cpu.clone(),
            Target::Gpu { sm } => format!("sm_{sm}"),
        }
    }

    /// LLVM's feature list.
    pub fn features(&self) -> &str {
        match self {
            Target::Cpu { features, .. } => features,
            Target::Gpu { .. } => "",
        }
    }

    /// Attributes of every function definition.
    pub(crate) fn function_attributes(&self) -> &'static str {
        match self {
            // No calls invented from loops and pairs of calls: math keeps to our functions.
            Target::Cpu { .. } => "\"no-builtins\" \"frame-pointer\"=\"all\"",
            Target::Gpu { .. } => "",
        }
    }

    /// The symbol of a mathematical function.
    pub(crate) fn math_symbol(&self, func: MathFn, single: bool) -> String {
        match self {
            Target::Cpu { .. } => func.symbol(single),
            Target::Gpu { .. } => format!("__nv_{}{}", func.name(), if single { "f" } else { "" }),
        }
    }
}
