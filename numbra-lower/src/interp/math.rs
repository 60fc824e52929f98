//! Mathematical functions of the platform's C library.

use crate::lir::MathFn;

macro_rules! libm {
    ($($one:ident $onef:ident),*; $($two:ident $twof:ident),*) => {
        #[link(name = "m")]
        // SAFETY: these are the C99 declarations; the functions read and write nothing but errno.
        unsafe extern "C" {
            $(safe fn $one(x: f64) -> f64; safe fn $onef(x: f32) -> f32;)*
            $(safe fn $two(x: f64, y: f64) -> f64; safe fn $twof(x: f32, y: f32) -> f32;)*
        }
    };
}

libm! {
    exp expf, exp2 exp2f, expm1 expm1f, log logf, log2 log2f, log10 log10f, log1p log1pf,
    sin sinf, cos cosf, tan tanf, asin asinf, acos acosf, atan atanf, sinh sinhf, cosh coshf, tanh tanhf,
    asinh asinhf, acosh acoshf, atanh atanhf, cbrt cbrtf, erf erff, erfc erfcf, tgamma tgammaf, lgamma lgammaf;
    atan2 atan2f, pow powf, hypot hypotf, fmod fmodf, nextafter nextafterf
}

/// Double precision; `y` is ignored by functions of one operand.
pub(super) fn double(func: MathFn, x: f64, y: f64) -> f64 {
    match func {
        MathFn::Exp => exp(x),
        MathFn::Exp2 => exp2(x),
        MathFn::Expm1 => expm1(x),
        MathFn::Log => log(x),
        MathFn::Log2 => log2(x),
        MathFn::Log10 => log10(x),
        MathFn::Log1p => log1p(x),
        MathFn::Sin => sin(x),
        MathFn::Cos => cos(x),
        MathFn::Tan => tan(x),
        MathFn::Asin => asin(x),
        MathFn::Acos => acos(x),
        MathFn::Atan => atan(x),
        MathFn::Atan2 => atan2(x, y),
        MathFn::Sinh => sinh(x),
        MathFn::Cosh => cosh(x),
        MathFn::Tanh => tanh(x),
        MathFn::Asinh => asinh(x),
        MathFn::Acosh => acosh(x),
        MathFn::Atanh => atanh(x),
        MathFn::Pow => pow(x, y),
        MathFn::Cbrt => cbrt(x),
        MathFn::Hypot => hypot(x, y),
        MathFn::Erf => erf(x),
        MathFn::Erfc => erfc(x),
        MathFn::Gamma => tgamma(x),
        MathFn::Lgamma => lgamma(x),
        MathFn::Fmod => fmod(x, y),
        MathFn::NextAfter => nextafter(x, y),
    }
}

/// Single precision.
pub(super) fn single(func: MathFn, x: f32, y: f32) -> f32 {
    match func {
        MathFn::Exp => expf(x),
        MathFn::Exp2 => exp2f(x),
        MathFn::Expm1 => expm1f(x),
        MathFn::Log => logf(x),
        MathFn::Log2 => log2f(x),
        MathFn::Log10 => log10f(x),
        MathFn::Log1p => log1pf(x),
        MathFn::Sin => sinf(x),
        MathFn::Cos => cosf(x),
        MathFn::Tan => tanf(x),
        MathFn::Asin => asinf(x),
        MathFn::Acos => acosf(x),
        MathFn::Atan => atanf(x),
        MathFn::Atan2 => atan2f(x, y),
        MathFn::Sinh => sinhf(x),
        MathFn::Cosh => coshf(x),
        MathFn::Tanh => tanhf(x),
        MathFn::Asinh => asinhf(x),
        MathFn::Acosh => acoshf(x),
        MathFn::Atanh => atanhf(x),
        MathFn::Pow => powf(x, y),
        MathFn::Cbrt => cbrtf(x),
        MathFn::Hypot => hypotf(x, y),
        MathFn::Erf => erff(x),
        MathFn::Erfc => erfcf(x),
        MathFn::Gamma => tgammaf(x),
        MathFn::Lgamma => lgammaf(x),
        MathFn::Fmod => fmodf(x, y),
        MathFn::NextAfter => nextafterf(x, y),
    }
}
