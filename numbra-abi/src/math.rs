//! Mathematical functions that stay operations down to the code generators, so that each picks its implementation.

/// A function of one or two floats (f32 or f64), total and without side effects; domain errors give NaN or infinity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MathFn {
    Exp,
    Exp2,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Pow,
    Cbrt,
    Hypot,
    Erf,
    Erfc,
    Gamma,
    Lgamma,
    /// C `fmod`: exact, sign of the dividend.
    Fmod,
    NextAfter,
}

impl MathFn {
    pub const ALL: [MathFn; 29] = [
        MathFn::Exp,
        MathFn::Exp2,
        MathFn::Expm1,
        MathFn::Log,
        MathFn::Log2,
        MathFn::Log10,
        MathFn::Log1p,
        MathFn::Sin,
        MathFn::Cos,
        MathFn::Tan,
        MathFn::Asin,
        MathFn::Acos,
        MathFn::Atan,
        MathFn::Atan2,
        MathFn::Sinh,
        MathFn::Cosh,
        MathFn::Tanh,
        MathFn::Asinh,
        MathFn::Acosh,
        MathFn::Atanh,
        MathFn::Pow,
        MathFn::Cbrt,
        MathFn::Hypot,
        MathFn::Erf,
        MathFn::Erfc,
        MathFn::Gamma,
        MathFn::Lgamma,
        MathFn::Fmod,
        MathFn::NextAfter,
    ];

    /// Lower-case name in LIR text.
    pub const fn name(self) -> &'static str {
        match self {
            MathFn::Exp => "exp",
            MathFn::Exp2 => "exp2",
            MathFn::Expm1 => "expm1",
            MathFn::Log => "log",
            MathFn::Log2 => "log2",
            MathFn::Log10 => "log10",
            MathFn::Log1p => "log1p",
            MathFn::Sin => "sin",
            MathFn::Cos => "cos",
            MathFn::Tan => "tan",
            MathFn::Asin => "asin",
            MathFn::Acos => "acos",
            MathFn::Atan => "atan",
            MathFn::Atan2 => "atan2",
            MathFn::Sinh => "sinh",
            MathFn::Cosh => "cosh",
            MathFn::Tanh => "tanh",
            MathFn::Asinh => "asinh",
            MathFn::Acosh => "acosh",
            MathFn::Atanh => "atanh",
            MathFn::Pow => "pow",
            MathFn::Cbrt => "cbrt",
            MathFn::Hypot => "hypot",
            MathFn::Erf => "erf",
            MathFn::Erfc => "erfc",
            MathFn::Gamma => "tgamma",
            MathFn::Lgamma => "lgamma",
            MathFn::Fmod => "fmod",
            MathFn::NextAfter => "nextafter",
        }
    }

    /// Number of operands.
    pub const fn arity(self) -> usize {
        match self {
            MathFn::Atan2 | MathFn::Pow | MathFn::Hypot | MathFn::Fmod | MathFn::NextAfter => 2,
            _ => 1,
        }
    }

    /// True for functions of which numbra's library has variants on vectors.
    pub const fn has_lanes(self) -> bool {
        !matches!(self, MathFn::NextAfter)
    }

    /// The runtime symbol of numbra's library for f64, or for f32 when `single`: `numbra_math_exp`, `numbra_math_expf`.
    pub fn symbol(self, single: bool) -> String {
        MathLib::Numbra.symbol(self, single)
    }

    /// The runtime symbol for vectors, all lanes in one register: `numbra_math_exp_8`, `numbra_math_expf_16`.
    pub fn vector_symbol(self, single: bool, lanes: u32) -> String {
        format!("{}_{lanes}", self.symbol(single))
    }

    /// The numbers of lanes that a library has, for vectors of 128, 256 and 512 bits.
    pub const fn lanes(single: bool) -> [u32; 3] {
        if single { [4, 8, 16] } else { [2, 4, 8] }
    }

    /// The function and the width of a runtime symbol's name: `expf` gives `(Exp, true)`.
    pub fn from_c_name(name: &str) -> Option<(MathFn, bool)> {
        let find = |name: &str| MathFn::ALL.into_iter().find(|f| f.name() == name);
        match find(name) {
            Some(func) => Some((func, false)),
            None => Some((find(name.strip_suffix('f')?)?, true)),
        }
    }
}

/// Who computes mathematical functions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum MathLib {
    /// numbra's own library, numbra-math: scalar and vector, the same bits.
    #[default]
    Numbra,
    /// The platform's, whose bits CPython gives.
    Libm,
}

impl MathLib {
    pub const ALL: [MathLib; 2] = [MathLib::Numbra, MathLib::Libm];

    /// Prefix of operations in LIR text: `math.exp`, `libm.exp`.
    pub const fn prefix(self) -> &'static str {
        match self {
            MathLib::Numbra => "math",
            MathLib::Libm => "libm",
        }
    }

    /// What starts the library's runtime symbols.
    pub const fn symbol_prefix(self) -> &'static str {
        match self {
            MathLib::Numbra => "numbra_math_",
            MathLib::Libm => "numbra_libm_",
        }
    }

    /// The runtime symbol of a function.
    pub fn symbol(self, func: MathFn, single: bool) -> String {
        let suffix = if single { "f" } else { "" };
        format!("{}{}{suffix}", self.symbol_prefix(), func.name())
    }
}
