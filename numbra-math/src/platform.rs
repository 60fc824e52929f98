//! The platform's C library, as CPython calls it.

use crate::table::Address;
use numbra_abi::MathFn;

/// The address of a function.
pub(crate) fn address(func: MathFn, single: bool) -> Address {
    if func == MathFn::Cbrt {
        // Rust's support library has one of its own, which linkers prefer.
        let name = if single { c"cbrtf" } else { c"cbrt" };
        // SAFETY: the name is a C string; the call runs no code of the object that it finds.
        let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
        if !found.is_null() {
            // SAFETY: a symbol of the mathematics library is a function; who calls it knows its signature.
            return unsafe { std::mem::transmute::<*mut libc::c_void, Address>(found) };
        }
    }
    linked(func, single)
}

/// Declares the functions of C99 and their table.
macro_rules! family {
    ($($func:ident $double:ident $single:ident;)*) => {
        mod c {
            #[link(name = "m")]
            unsafe extern "C" {
                $(
                    pub(super) fn $double();
                    pub(super) fn $single();
                )*
            }
        }

        fn linked(func: MathFn, single: bool) -> Address {
            match (func, single) {
                $(
                    (MathFn::$func, false) => c::$double,
                    (MathFn::$func, true) => c::$single,
                )*
            }
        }
    };
}

family! {
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
    Gamma tgamma tgammaf;
    Lgamma lgamma lgammaf;
    Fmod fmod fmodf;
    NextAfter nextafter nextafterf;
}
