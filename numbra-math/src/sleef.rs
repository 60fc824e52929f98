//! SLEEF's functions: addresses only, of C functions on scalars and vectors.

use crate::table::Address;
use numbra_abi::MathFn;

/// Instruction sets that SLEEF is compiled for, by the bits of a vector; all use FMA.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Isa {
    Scalar,
    X128,
    X256,
    X512,
}

/// Declares one module of symbols for each instruction set, and [`address`].
macro_rules! functions {
    ($($func:ident $double:ident $single:ident;)*) => {
        functions!(@set scalar $($double $single)*);
        functions!(@set x128 $($double $single)*);
        functions!(@set x256 $($double $single)*);
        functions!(@set x512 $($double $single)*);

        /// The address of a function, whose signature is C's on the set's vectors.
        pub(crate) fn address(func: MathFn, single: bool, isa: Isa) -> Option<Address> {
            let row: [Address; 4] = match (func, single) {
                $(
                    (MathFn::$func, false) => [scalar::$double, x128::$double, x256::$double, x512::$double],
                    (MathFn::$func, true) => [scalar::$single, x128::$single, x256::$single, x512::$single],
                )*
                (MathFn::Gamma | MathFn::Lgamma | MathFn::Fmod | MathFn::NextAfter, _) => return None,
            };
            Some(row[isa as usize])
        }
    };
    (@set $isa:ident $($name:ident)*) => {
        mod $isa {
            unsafe extern "C" {
                $(
                    #[link_name = concat!("numbra_sleef_", stringify!($isa), "_", stringify!($name))]
                    pub(super) fn $name();
                )*
            }
        }
    };
}

functions! {
    Exp exp expf;
    Exp2 exp2 exp2f;
    Expm1 expm1 expm1f;
    Log log logf;
    Log2 log2 log2f;
    Log10 log10 log10f;
    Log1p log1p log1pf;
    Sin sin sinf;
    Cos cos cosf;
    Tan tan tanf;
    Asin asin asinf;
    Acos acos acosf;
    Atan atan atanf;
    Atan2 atan2 atan2f;
    Sinh sinh sinhf;
    Cosh cosh coshf;
    Tanh tanh tanhf;
    Asinh asinh asinhf;
    Acosh acosh acoshf;
    Atanh atanh atanhf;
    Pow pow powf;
    Cbrt cbrt cbrtf;
    Hypot hypot hypotf;
    Erf erf erff;
    Erfc erfc erfcf;
}
