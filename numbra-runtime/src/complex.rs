//! Complex functions: `void symbol(double re, double im, double out[2])`.

/// `double _Complex`: both parts travel in vector registers, as the two fields of this struct do.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Complex {
    pub(crate) re: f64,
    pub(crate) im: f64,
}

/// Defines `symbol(re, im, out)` as the C library's `name`.
macro_rules! library {
    ($($symbol:ident = $name:ident;)*) => {
        mod c {
            use super::Complex;
            unsafe extern "C" {
                $(pub(super) fn $name(z: Complex) -> Complex;)*
            }
        }
        $(
            /// # Safety
            /// `out` points to two floats.
            pub(crate) unsafe extern "C" fn $symbol(re: f64, im: f64, out: *mut Complex) {
                // SAFETY: functions of the mathematics library accept every value.
                let value = unsafe { c::$name(Complex { re, im }) };
                // SAFETY: the caller passes a writable result.
                unsafe { out.write_unaligned(value) };
            }
        )*
    };
}

library! {
    numbra_rt_cacos = cacos;
    numbra_rt_cacosh = cacosh;
    numbra_rt_casin = casin;
    numbra_rt_casinh = casinh;
    numbra_rt_catan = catan;
    numbra_rt_catanh = catanh;
    numbra_rt_ccos = ccos;
    numbra_rt_ccosh = ccosh;
    numbra_rt_clog = clog;
    numbra_rt_csin = csin;
    numbra_rt_csinh = csinh;
    numbra_rt_csqrt = csqrt;
    numbra_rt_ctan = ctan;
    numbra_rt_ctanh = ctanh;
}

/// Defines `symbol(re, im, out)` by a Rust function.
macro_rules! own {
    ($($symbol:ident = $f:ident;)*) => {
        $(
            /// # Safety
            /// `out` points to two floats.
            pub(crate) unsafe extern "C" fn $symbol(re: f64, im: f64, out: *mut Complex) {
                let value = $f(Complex { re, im });
                // SAFETY: the caller passes a writable result.
                unsafe { out.write_unaligned(value) };
            }
        )*
    };
}

own! {
    numbra_rt_cexpm1 = expm1;
    numbra_rt_clog10 = log10;
    numbra_rt_clog1p = log1p;
    numbra_rt_clog2 = log2;
}

fn scale(z: Complex, by: f64) -> Complex {
    Complex {
        re: z.re * by,
        im: z.im * by,
    }
}

fn log(z: Complex) -> Complex {
    // SAFETY: clog accepts every value.
    unsafe { c::clog(z) }
}

fn exp(z: Complex) -> Complex {
    unsafe extern "C" {
        fn cexp(z: Complex) -> Complex;
    }
    // SAFETY: cexp accepts every value.
    unsafe { cexp(z) }
}

/// Without cancellation near 0: `expm1(x) cos(y) - 2 sin(y/2)^2`, as NumPy's `nc_expm1`.
fn expm1(z: Complex) -> Complex {
    let a = (z.im / 2.0).sin();
    Complex {
        re: z.re.exp_m1() * z.im.cos() - 2.0 * a * a,
        im: z.re.exp() * z.im.sin(),
    }
}

/// As NumPy's `nc_log1p`.
fn log1p(z: Complex) -> Complex {
    Complex {
        re: (z.re + 1.0).hypot(z.im).ln(),
        im: z.im.atan2(z.re + 1.0),
    }
}

pub(crate) fn log10(z: Complex) -> Complex {
    scale(log(z), std::f64::consts::LOG10_E)
}

/// `10 ** z`, as NumPy's `nc_pow`: small integers by squaring, else `exp(z log 10)`.
pub(crate) fn power_of_ten(z: Complex) -> Complex {
    let ten = std::f64::consts::LN_10;
    if z.im == 0.0 && z.re.fract() == 0.0 && z.re.abs() < 100.0 {
        let (mut left, mut square, mut power) = (z.re.abs() as u32, 10.0, 1.0);
        while left > 0 {
            if left & 1 == 1 {
                power *= square;
            }
            square *= square;
            left >>= 1;
        }
        let re = if z.re < 0.0 { 1.0 / power } else { power };
        return Complex { re, im: 0.0 };
    }
    exp(scale(z, ten))
}

fn log2(z: Complex) -> Complex {
    scale(log(z), std::f64::consts::LOG2_E)
}

/// `z ** w`, as CPython's `complex_pow` outside small integer exponents: by polar form. `void (re, im, re, im, out)`.
///
/// # Safety
/// `out` points to two floats.
pub(crate) unsafe extern "C" fn numbra_rt_cpow(a: f64, b: f64, c: f64, d: f64, out: *mut Complex) {
    let value = pow(Complex { re: a, im: b }, Complex { re: c, im: d });
    // SAFETY: the caller passes a writable result.
    unsafe { out.write_unaligned(value) };
}

fn pow(z: Complex, w: Complex) -> Complex {
    if w.re == 0.0 && w.im == 0.0 {
        return Complex { re: 1.0, im: 0.0 };
    }
    if z.re == 0.0 && z.im == 0.0 {
        return Complex { re: 0.0, im: 0.0 };
    }
    let magnitude = z.re.hypot(z.im);
    let angle = z.im.atan2(z.re);
    let mut len = magnitude.powf(w.re);
    let mut phase = angle * w.re;
    if w.im != 0.0 {
        len *= (-angle * w.im).exp();
        phase += w.im * magnitude.ln();
    }
    Complex {
        re: len * phase.cos(),
        im: len * phase.sin(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(f: unsafe extern "C" fn(f64, f64, *mut Complex), re: f64, im: f64) -> (f64, f64) {
        let mut out = Complex { re: 0.0, im: 0.0 };
        // SAFETY: the result is a local.
        unsafe { f(re, im, &mut out) };
        (out.re, out.im)
    }

    /// Values of CPython 3.11's cmath.
    #[test]
    fn known_values() {
        assert_eq!(call(numbra_rt_csqrt, -4.0, 0.0), (0.0, 2.0));
        let z = exp(Complex { re: 1.0, im: 2.0 });
        assert_eq!(
            (z.re, z.im),
            (-1.131_204_383_756_813_5, 2.471_726_672_004_818_6)
        );
        let (re, im) = call(numbra_rt_clog, -1.0, 0.0);
        assert_eq!((re, im), (0.0, std::f64::consts::PI));
        assert_eq!(call(numbra_rt_cexpm1, 0.0, 0.0), (0.0, 0.0));
        assert_eq!(call(numbra_rt_clog1p, 0.0, 0.0), (0.0, 0.0));
    }

    #[test]
    fn powers() {
        let z = |re, im| Complex { re, im };
        assert_eq!(pow(z(2.0, 1.0), z(0.0, 0.0)), z(1.0, 0.0));
        assert_eq!(pow(z(0.0, 0.0), z(2.0, 0.0)), z(0.0, 0.0));
        let square = pow(z(0.0, 1.0), z(2.0, 0.0));
        assert!((square.re + 1.0).abs() < 1e-15 && square.im.abs() < 1e-15);
    }
}
