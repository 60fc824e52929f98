//! The `numbra_math_*` family: the platform's mathematics library, so that results have the bits that CPython gives.

/// Defines `symbol(x..)` as the C library's `name(x..)`, and the table of addresses.
macro_rules! family {
    ($($symbol:ident = $name:ident($($x:ident),+): $float:ident;)*) => {
        mod c {
            unsafe extern "C" {
                $(pub(super) fn $name($($x: $float),+) -> $float;)*
            }
        }
        $(extern "C" fn $symbol($($x: $float),+) -> $float {
            // SAFETY: functions of the mathematics library accept every value.
            unsafe { c::$name($($x),+) }
        })*
        /// Symbols and addresses, sorted by symbol.
        pub(crate) const MATH: &[(&str, *const u8)] = &[
            $((stringify!($symbol), $symbol as extern "C" fn($(family!(@ty $x $float)),+) -> $float as *const u8),)*
        ];
    };
    (@ty $x:ident $float:ident) => { $float };
}

family! {
    numbra_math_acos = acos(x): f64;
    numbra_math_acosf = acosf(x): f32;
    numbra_math_acosh = acosh(x): f64;
    numbra_math_acoshf = acoshf(x): f32;
    numbra_math_asin = asin(x): f64;
    numbra_math_asinf = asinf(x): f32;
    numbra_math_asinh = asinh(x): f64;
    numbra_math_asinhf = asinhf(x): f32;
    numbra_math_atan = atan(x): f64;
    numbra_math_atan2 = atan2(x, y): f64;
    numbra_math_atan2f = atan2f(x, y): f32;
    numbra_math_atanf = atanf(x): f32;
    numbra_math_atanh = atanh(x): f64;
    numbra_math_atanhf = atanhf(x): f32;
    numbra_math_cbrt = cbrt(x): f64;
    numbra_math_cbrtf = cbrtf(x): f32;
    numbra_math_cos = cos(x): f64;
    numbra_math_cosf = cosf(x): f32;
    numbra_math_cosh = cosh(x): f64;
    numbra_math_coshf = coshf(x): f32;
    numbra_math_erf = erf(x): f64;
    numbra_math_erfc = erfc(x): f64;
    numbra_math_erfcf = erfcf(x): f32;
    numbra_math_erff = erff(x): f32;
    numbra_math_exp = exp(x): f64;
    numbra_math_exp2 = exp2(x): f64;
    numbra_math_exp2f = exp2f(x): f32;
    numbra_math_expf = expf(x): f32;
    numbra_math_expm1 = expm1(x): f64;
    numbra_math_expm1f = expm1f(x): f32;
    numbra_math_fmod = fmod(x, y): f64;
    numbra_math_fmodf = fmodf(x, y): f32;
    numbra_math_hypot = hypot(x, y): f64;
    numbra_math_hypotf = hypotf(x, y): f32;
    numbra_math_lgamma = lgamma(x): f64;
    numbra_math_lgammaf = lgammaf(x): f32;
    numbra_math_log = log(x): f64;
    numbra_math_log10 = log10(x): f64;
    numbra_math_log10f = log10f(x): f32;
    numbra_math_log1p = log1p(x): f64;
    numbra_math_log1pf = log1pf(x): f32;
    numbra_math_log2 = log2(x): f64;
    numbra_math_log2f = log2f(x): f32;
    numbra_math_logf = logf(x): f32;
    numbra_math_nextafter = nextafter(x, y): f64;
    numbra_math_nextafterf = nextafterf(x, y): f32;
    numbra_math_pow = pow(x, y): f64;
    numbra_math_powf = powf(x, y): f32;
    numbra_math_sin = sin(x): f64;
    numbra_math_sinf = sinf(x): f32;
    numbra_math_sinh = sinh(x): f64;
    numbra_math_sinhf = sinhf(x): f32;
    numbra_math_tan = tan(x): f64;
    numbra_math_tanf = tanf(x): f32;
    numbra_math_tanh = tanh(x): f64;
    numbra_math_tanhf = tanhf(x): f32;
    numbra_math_tgamma = tgamma(x): f64;
    numbra_math_tgammaf = tgammaf(x): f32;
}

#[cfg(test)]
mod tests {
    use super::MATH;
    use numbra_abi::MathFn;

    #[test]
    fn every_math_function_has_both_symbols() {
        for func in MathFn::ALL {
            for single in [false, true] {
                let symbol = func.symbol(single);
                let found = MATH.binary_search_by(|(name, _)| name.cmp(&symbol.as_str()));
                assert!(found.is_ok(), "{symbol}");
            }
        }
        assert_eq!(MATH.len(), 2 * MathFn::ALL.len());
        assert!(MATH.is_sorted_by_key(|m| m.0));
    }

    #[test]
    fn values_are_those_of_the_platform() {
        assert_eq!(super::numbra_math_exp(1.0), std::f64::consts::E);
        assert_eq!(super::numbra_math_tgamma(5.0), 24.0);
        assert_eq!(super::numbra_math_fmodf(-5.5, 2.0), -1.5);
        assert!(super::numbra_math_log(-1.0).is_nan());
    }
}
