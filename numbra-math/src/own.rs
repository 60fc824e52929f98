//! The functions of `own`: addresses only, of C functions on scalars and vectors.

use crate::sleef::Isa;
use crate::table::Address;
use numbra_abi::MathFn;

/// Declares one module of symbols for each instruction set, and [`address`].
macro_rules! functions {
    ($($func:ident $is_single:literal $name:ident;)*) => {
        functions!(@set scalar $($name)*);
        functions!(@set x128 $($name)*);
        functions!(@set x256 $($name)*);
        functions!(@set x512 $($name)*);

        /// The address of a function, whose signature is C's on the set's vectors.
        pub(crate) fn address(func: MathFn, single: bool, isa: Isa) -> Option<Address> {
            let row: [Address; 4] = match (func, single) {
                $((MathFn::$func, $is_single) => [scalar::$name, x128::$name, x256::$name, x512::$name],)*
                _ => return None,
            };
            Some(row[isa as usize])
        }
    };
    (@set $isa:ident $($name:ident)*) => {
        mod $isa {
            unsafe extern "C" {
                $(
                    #[link_name = concat!("numbra_own_", stringify!($isa), "_", stringify!($name))]
                    pub(super) fn $name();
                )*
            }
        }
    };
}

functions! {
    Exp false exp;
    Exp2 false exp2;
    Log false log;
    Log2 false log2;
    Log10 false log10;
    Pow false pow;
    Sin false sin;
    Cos false cos;
    Tan false tan;
    Expm1 false expm1;
    Log1p false log1p;
    Sinh false sinh;
    Cosh false cosh;
    Tanh false tanh;
    Asinh false asinh;
    Acosh false acosh;
    Atanh false atanh;
    Asin false asin;
    Acos false acos;
    Atan false atan;
    Atan2 false atan2;
    Hypot false hypot;
    Erf false erf;
    Erfc false erfc;
    Gamma false tgamma;
    Lgamma false lgamma;
    Fmod false fmod;
    Exp true expf;
    Exp2 true exp2f;
    Log true logf;
    Sin true sinf;
    Cos true cosf;
    Pow true powf;
    Expm1 true expm1f;
    Log2 true log2f;
    Sinh true sinhf;
    Cosh true coshf;
    Tanh true tanhf;
    Asinh true asinhf;
    Acosh true acoshf;
    Atanh true atanhf;
    Hypot true hypotf;
    Erf true erff;
    Erfc true erfcf;
    Gamma true tgammaf;
    Lgamma true lgammaf;
    Fmod true fmodf;
}
