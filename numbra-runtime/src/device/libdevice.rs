//! Functions of libdevice that are neither an operation of LIR nor one of numbra's mathematical functions, for kernels on
//! the CPU: operands and results are words, each in its low bytes.

use numbra_abi::small_floats::f16_to_f32;
use std::hint::black_box;
use std::sync::OnceLock;

/// A function: operands, then room for the results.
type Body = fn(&[u64], &mut [u64]);

/// A value as a word.
trait Word: Copy {
    fn of(word: u64) -> Self;
    fn word(self) -> u64;
}

macro_rules! words {
    ($($ty:ty, $of:expr, $word:expr;)*) => {$(
        impl Word for $ty {
            fn of(word: u64) -> Self {
                $of(word)
            }
            fn word(self) -> u64 {
                $word(self)
            }
        }
    )*};
}

words! {
    f64, f64::from_bits, f64::to_bits;
    f32, |w| f32::from_bits(w as u32), |x: f32| u64::from(x.to_bits());
    i64, |w| w as i64, |x| x as u64;
    i32, |w| w as i32, |x| u64::from(x as u32);
    u64, |w| w, |x| x;
    u32, |w| w as u32, u64::from;
    u16, |w| w as u16, u64::from;
}

/// `name (operands) = results`
macro_rules! bodies {
    ($($name:ident($($arg:ident: $ty:ty),*) = $($result:expr),+;)*) => {
        &[$((stringify!($name), |given, results| {
            let mut given = given.iter();
            $(let $arg = <$ty as Word>::of(given.next().copied().unwrap_or(0));)*
            let all = [$(Word::word($result)),+];
            results[..all.len()].copy_from_slice(&all);
        })),*]
    };
}

unsafe extern "C" {
    safe fn fesetround(mode: i32) -> i32;
    safe fn j0(x: f64) -> f64;
    safe fn j1(x: f64) -> f64;
    safe fn jn(n: i32, x: f64) -> f64;
    safe fn y0(x: f64) -> f64;
    safe fn y1(x: f64) -> f64;
    safe fn yn(n: i32, x: f64) -> f64;
    safe fn erfc(x: f64) -> f64;
    safe fn exp10(x: f64) -> f64;
    safe fn exp10f(x: f32) -> f32;
    safe fn tgamma(x: f64) -> f64;
    safe fn tgammaf(x: f32) -> f32;
    safe fn ilogb(x: f64) -> i32;
    safe fn ldexp(x: f64, n: i32) -> f64;
    safe fn ldexpf(x: f32, n: i32) -> f32;
    safe fn logb(x: f64) -> f64;
    safe fn remainder(x: f64, y: f64) -> f64;
    safe fn remainderf(x: f32, y: f32) -> f32;
    safe fn fdim(x: f64, y: f64) -> f64;
    fn frexp(x: f64, exponent: *mut i32) -> f64;
    fn remquo(x: f64, y: f64, quotient: *mut i32) -> f64;
    fn remquof(x: f32, y: f32, quotient: *mut i32) -> f32;
}

/// Rounding modes of x86: to nearest, down, up, to zero.
const MODES: [i32; 4] = [0, 0x400, 0x800, 0xc00];
const RN: usize = 0;
const RD: usize = 1;
const RU: usize = 2;
const RZ: usize = 3;

/// What `compute` gives where results are rounded in this way. Operands go through `black_box`, so that nothing is computed
/// before or after.
fn rounded<T, R>(mode: usize, given: T, compute: impl FnOnce(T) -> R) -> R {
    fesetround(MODES[mode]);
    let result = black_box(compute(black_box(given)));
    fesetround(MODES[RN]);
    result
}

fn frexp_of(x: f64) -> (f64, i32) {
    let mut exponent = 0;
    // SAFETY: writes one integer.
    let fraction = unsafe { frexp(x, &raw mut exponent) };
    (fraction, exponent)
}

fn remquo_of(x: f64, y: f64) -> (f64, i32) {
    let mut quotient = 0;
    // SAFETY: writes one integer.
    let rest = unsafe { remquo(x, y, &raw mut quotient) };
    (rest, quotient)
}

fn remquof_of(x: f32, y: f32) -> (f32, i32) {
    let mut quotient = 0;
    // SAFETY: writes one integer.
    let rest = unsafe { remquof(x, y, &raw mut quotient) };
    (rest, quotient)
}

/// `(sin(pi x), cos(pi x))`, exact where the argument is a multiple of a half.
fn sincospi(x: f64) -> (f64, f64) {
    // The rest is exact, and in -1/4 .. 1/4.
    let halves = (2.0 * x).round_ties_even();
    let rest = std::f64::consts::PI * (x - 0.5 * halves);
    let (sin, cos) = rest.sin_cos();
    match halves.rem_euclid(4.0) as i64 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ if x.is_finite() => (-cos, sin),
        _ => (f64::NAN, f64::NAN),
    }
}

fn sinpi(x: f64) -> f64 {
    let (sin, _) = sincospi(x);
    if !x.is_finite() {
        f64::NAN
    } else if sin == 0.0 {
        0.0_f64.copysign(x)
    } else {
        sin
    }
}

fn cospi(x: f64) -> f64 {
    if x.is_finite() {
        sincospi(x).1 + 0.0
    } else {
        f64::NAN
    }
}

fn norm(all: &[f64]) -> f64 {
    if all.iter().any(|x| x.is_infinite()) {
        return f64::INFINITY;
    }
    let most = all.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let (_, exponent) = frexp_of(most);
    let scaled = all.iter().map(|&x| ldexp(x, -exponent));
    ldexp(scaled.map(|x| x * x).sum::<f64>().sqrt(), exponent)
}

fn norm_f32(all: &[f32]) -> f32 {
    let wide: Vec<f64> = all.iter().copied().map(f64::from).collect();
    norm(&wide) as f32
}

/// The bytes of two words that a selector picks.
fn byte_perm(x: u32, y: u32, selector: u32) -> u32 {
    let bytes = (u64::from(y) << 32 | u64::from(x)).to_le_bytes();
    let pick = |n: u32| bytes[(selector >> (4 * n) & 7) as usize];
    u32::from_le_bytes([0, 1, 2, 3].map(pick))
}

/// `ffs` of C.
fn first_bit(x: u64) -> i32 {
    if x == 0 {
        0
    } else {
        x.trailing_zeros() as i32 + 1
    }
}

fn sign_extended_24(x: i32) -> i32 {
    x << 8 >> 8
}

fn high(x: f64) -> i32 {
    (x.to_bits() >> 32) as i32
}

const FRAC_1_SQRT_2: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// All functions, in the order of their names' first letters.
static BODIES: &[(&str, Body)] = bodies! {
    abs(x: i32) = x.wrapping_abs();
    brev(x: u32) = x.reverse_bits();
    brevll(x: u64) = x.reverse_bits();
    byte_perm(x: u32, y: u32, s: u32) = byte_perm(x, y, s);
    ceil(x: f64) = x.ceil();
    ceilf(x: f32) = x.ceil();
    clz(x: u32) = x.leading_zeros();
    clzll(x: u64) = x.leading_zeros();
    copysign(x: f64, y: f64) = x.copysign(y);
    copysignf(x: f32, y: f32) = x.copysign(y);
    cospi(x: f64) = cospi(x);
    cospif(x: f32) = cospi(f64::from(x)) as f32;
    dadd_rd(x: f64, y: f64) = rounded(RD, (x, y), |(x, y)| x + y);
    dadd_rn(x: f64, y: f64) = x + y;
    dadd_ru(x: f64, y: f64) = rounded(RU, (x, y), |(x, y)| x + y);
    dadd_rz(x: f64, y: f64) = rounded(RZ, (x, y), |(x, y)| x + y);
    ddiv_rd(x: f64, y: f64) = rounded(RD, (x, y), |(x, y)| x / y);
    ddiv_rn(x: f64, y: f64) = x / y;
    ddiv_ru(x: f64, y: f64) = rounded(RU, (x, y), |(x, y)| x / y);
    ddiv_rz(x: f64, y: f64) = rounded(RZ, (x, y), |(x, y)| x / y);
    dmul_rd(x: f64, y: f64) = rounded(RD, (x, y), |(x, y)| x * y);
    dmul_rn(x: f64, y: f64) = x * y;
    dmul_ru(x: f64, y: f64) = rounded(RU, (x, y), |(x, y)| x * y);
    dmul_rz(x: f64, y: f64) = rounded(RZ, (x, y), |(x, y)| x * y);
    double2float_rd(x: f64) = rounded(RD, x, |x| x as f32);
    double2float_rn(x: f64) = x as f32;
    double2float_ru(x: f64) = rounded(RU, x, |x| x as f32);
    double2float_rz(x: f64) = rounded(RZ, x, |x| x as f32);
    double2hiint(x: f64) = high(x);
    double2int_rd(x: f64) = x.floor() as i32;
    double2int_rn(x: f64) = x.round_ties_even() as i32;
    double2int_ru(x: f64) = x.ceil() as i32;
    double2int_rz(x: f64) = x as i32;
    double2ll_rd(x: f64) = x.floor() as i64;
    double2ll_rn(x: f64) = x.round_ties_even() as i64;
    double2ll_ru(x: f64) = x.ceil() as i64;
    double2ll_rz(x: f64) = x as i64;
    double2loint(x: f64) = x.to_bits() as i32;
    double2uint_rd(x: f64) = x.floor() as u32;
    double2uint_rn(x: f64) = x.round_ties_even() as u32;
    double2uint_ru(x: f64) = x.ceil() as u32;
    double2uint_rz(x: f64) = x as u32;
    double2ull_rd(x: f64) = x.floor() as u64;
    double2ull_rn(x: f64) = x.round_ties_even() as u64;
    double2ull_ru(x: f64) = x.ceil() as u64;
    double2ull_rz(x: f64) = x as u64;
    double_as_longlong(x: f64) = x.to_bits();
    drcp_rd(x: f64) = rounded(RD, x, |x| 1.0 / x);
    drcp_rn(x: f64) = 1.0 / x;
    drcp_ru(x: f64) = rounded(RU, x, |x| 1.0 / x);
    drcp_rz(x: f64) = rounded(RZ, x, |x| 1.0 / x);
    dsqrt_rd(x: f64) = rounded(RD, x, f64::sqrt);
    dsqrt_rn(x: f64) = x.sqrt();
    dsqrt_ru(x: f64) = rounded(RU, x, f64::sqrt);
    dsqrt_rz(x: f64) = rounded(RZ, x, f64::sqrt);
    dsub_rd(x: f64, y: f64) = rounded(RD, (x, y), |(x, y)| x - y);
    dsub_rn(x: f64, y: f64) = x - y;
    dsub_ru(x: f64, y: f64) = rounded(RU, (x, y), |(x, y)| x - y);
    dsub_rz(x: f64, y: f64) = rounded(RZ, (x, y), |(x, y)| x - y);
    exp10(x: f64) = exp10(x);
    exp10f(x: f32) = exp10f(x);
    fabs(x: f64) = x.abs();
    fabsf(x: f32) = x.abs();
    fadd_rd(x: f32, y: f32) = rounded(RD, (x, y), |(x, y)| x + y);
    fadd_rn(x: f32, y: f32) = x + y;
    fadd_ru(x: f32, y: f32) = rounded(RU, (x, y), |(x, y)| x + y);
    fadd_rz(x: f32, y: f32) = rounded(RZ, (x, y), |(x, y)| x + y);
    fast_exp10f(x: f32) = exp10f(x);
    fast_fdividef(x: f32, y: f32) = x / y;
    fast_sincosf(x: f32) = x.sin(), x.cos();
    fdim(x: f64, y: f64) = fdim(x, y);
    fdimf(x: f32, y: f32) = fdim(f64::from(x), f64::from(y)) as f32;
    fdiv_rd(x: f32, y: f32) = rounded(RD, (x, y), |(x, y)| x / y);
    fdiv_rn(x: f32, y: f32) = x / y;
    fdiv_ru(x: f32, y: f32) = rounded(RU, (x, y), |(x, y)| x / y);
    fdiv_rz(x: f32, y: f32) = rounded(RZ, (x, y), |(x, y)| x / y);
    ffs(x: u32) = first_bit(u64::from(x));
    ffsll(x: u64) = first_bit(x);
    finitef(x: f32) = i32::from(x.is_finite());
    float2int_rd(x: f32) = x.floor() as i32;
    float2int_rn(x: f32) = x.round_ties_even() as i32;
    float2int_ru(x: f32) = x.ceil() as i32;
    float2int_rz(x: f32) = x as i32;
    float2ll_rd(x: f32) = x.floor() as i64;
    float2ll_rn(x: f32) = x.round_ties_even() as i64;
    float2ll_ru(x: f32) = x.ceil() as i64;
    float2ll_rz(x: f32) = x as i64;
    float2uint_rd(x: f32) = x.floor() as u32;
    float2uint_rn(x: f32) = x.round_ties_even() as u32;
    float2uint_ru(x: f32) = x.ceil() as u32;
    float2uint_rz(x: f32) = x as u32;
    float2ull_rd(x: f32) = x.floor() as u64;
    float2ull_rn(x: f32) = x.round_ties_even() as u64;
    float2ull_ru(x: f32) = x.ceil() as u64;
    float2ull_rz(x: f32) = x as u64;
    float_as_int(x: f32) = x.to_bits();
    float_as_uint(x: f32) = x.to_bits();
    floor(x: f64) = x.floor();
    floorf(x: f32) = x.floor();
    fma(x: f64, y: f64, z: f64) = x.mul_add(y, z);
    fma_rd(x: f64, y: f64, z: f64) = rounded(RD, (x, y, z), |(x, y, z)| x.mul_add(y, z));
    fma_rn(x: f64, y: f64, z: f64) = x.mul_add(y, z);
    fma_ru(x: f64, y: f64, z: f64) = rounded(RU, (x, y, z), |(x, y, z)| x.mul_add(y, z));
    fma_rz(x: f64, y: f64, z: f64) = rounded(RZ, (x, y, z), |(x, y, z)| x.mul_add(y, z));
    fmaf(x: f32, y: f32, z: f32) = x.mul_add(y, z);
    fmaf_ieee_rd(x: f32, y: f32, z: f32) = rounded(RD, (x, y, z), |(x, y, z)| x.mul_add(y, z));
    fmaf_ieee_rn(x: f32, y: f32, z: f32) = x.mul_add(y, z);
    fmaf_ieee_ru(x: f32, y: f32, z: f32) = rounded(RU, (x, y, z), |(x, y, z)| x.mul_add(y, z));
    fmaf_ieee_rz(x: f32, y: f32, z: f32) = rounded(RZ, (x, y, z), |(x, y, z)| x.mul_add(y, z));
    fmaf_rd(x: f32, y: f32, z: f32) = rounded(RD, (x, y, z), |(x, y, z)| x.mul_add(y, z));
    fmaf_rn(x: f32, y: f32, z: f32) = x.mul_add(y, z);
    fmaf_ru(x: f32, y: f32, z: f32) = rounded(RU, (x, y, z), |(x, y, z)| x.mul_add(y, z));
    fmaf_rz(x: f32, y: f32, z: f32) = rounded(RZ, (x, y, z), |(x, y, z)| x.mul_add(y, z));
    fmax(x: f64, y: f64) = x.max(y);
    fmaxf(x: f32, y: f32) = x.max(y);
    fmin(x: f64, y: f64) = x.min(y);
    fminf(x: f32, y: f32) = x.min(y);
    fmul_rd(x: f32, y: f32) = rounded(RD, (x, y), |(x, y)| x * y);
    fmul_rn(x: f32, y: f32) = x * y;
    fmul_ru(x: f32, y: f32) = rounded(RU, (x, y), |(x, y)| x * y);
    fmul_rz(x: f32, y: f32) = rounded(RZ, (x, y), |(x, y)| x * y);
    frcp_rd(x: f32) = rounded(RD, x, |x| 1.0 / x);
    frcp_rn(x: f32) = 1.0 / x;
    frcp_ru(x: f32) = rounded(RU, x, |x| 1.0 / x);
    frcp_rz(x: f32) = rounded(RZ, x, |x| 1.0 / x);
    frexp(x: f64) = frexp_of(x).0, frexp_of(x).1;
    frexpf(x: f32) = frexp_of(f64::from(x)).0 as f32, frexp_of(f64::from(x)).1;
    frsqrt_rn(x: f32) = (1.0 / f64::from(x).sqrt()) as f32;
    fsqrt_rd(x: f32) = rounded(RD, x, f32::sqrt);
    fsqrt_rn(x: f32) = x.sqrt();
    fsqrt_ru(x: f32) = rounded(RU, x, f32::sqrt);
    fsqrt_rz(x: f32) = rounded(RZ, x, f32::sqrt);
    fsub_rd(x: f32, y: f32) = rounded(RD, (x, y), |(x, y)| x - y);
    fsub_rn(x: f32, y: f32) = x - y;
    fsub_ru(x: f32, y: f32) = rounded(RU, (x, y), |(x, y)| x - y);
    fsub_rz(x: f32, y: f32) = rounded(RZ, (x, y), |(x, y)| x - y);
    hadd(x: i32, y: i32) = ((i64::from(x) + i64::from(y)) >> 1) as i32;
    half2float(x: u16) = f16_to_f32(x);
    hiloint2double(h: u32, l: u32) = f64::from_bits(u64::from(h) << 32 | u64::from(l));
    ilogb(x: f64) = ilogb(x);
    ilogbf(x: f32) = ilogb(f64::from(x));
    int2double_rn(x: i32) = f64::from(x);
    int2float_rd(x: i32) = rounded(RD, f64::from(x), |x| x as f32);
    int2float_rn(x: i32) = x as f32;
    int2float_ru(x: i32) = rounded(RU, f64::from(x), |x| x as f32);
    int2float_rz(x: i32) = rounded(RZ, f64::from(x), |x| x as f32);
    int_as_float(x: u32) = f32::from_bits(x);
    isfinited(x: f64) = i32::from(x.is_finite());
    isinfd(x: f64) = i32::from(x.is_infinite());
    isinff(x: f32) = i32::from(x.is_infinite());
    isnand(x: f64) = i32::from(x.is_nan());
    isnanf(x: f32) = i32::from(x.is_nan());
    j0(x: f64) = j0(x);
    j0f(x: f32) = j0(f64::from(x)) as f32;
    j1(x: f64) = j1(x);
    j1f(x: f32) = j1(f64::from(x)) as f32;
    jn(n: i32, x: f64) = jn(n, x);
    jnf(n: i32, x: f32) = jn(n, f64::from(x)) as f32;
    ldexp(x: f64, n: i32) = ldexp(x, n);
    ldexpf(x: f32, n: i32) = ldexpf(x, n);
    ll2double_rd(x: i64) = rounded(RD, x, |x| x as f64);
    ll2double_rn(x: i64) = x as f64;
    ll2double_ru(x: i64) = rounded(RU, x, |x| x as f64);
    ll2double_rz(x: i64) = rounded(RZ, x, |x| x as f64);
    ll2float_rd(x: i64) = rounded(RD, x, |x| x as f32);
    ll2float_rn(x: i64) = x as f32;
    ll2float_ru(x: i64) = rounded(RU, x, |x| x as f32);
    ll2float_rz(x: i64) = rounded(RZ, x, |x| x as f32);
    llabs(x: i64) = x.wrapping_abs();
    llmax(x: i64, y: i64) = x.max(y);
    llmin(x: i64, y: i64) = x.min(y);
    llrint(x: f64) = x.round_ties_even() as i64;
    llrintf(x: f32) = x.round_ties_even() as i64;
    llround(x: f64) = x.round() as i64;
    llroundf(x: f32) = x.round() as i64;
    logb(x: f64) = logb(x);
    logbf(x: f32) = logb(f64::from(x)) as f32;
    longlong_as_double(x: u64) = f64::from_bits(x);
    max(x: i32, y: i32) = x.max(y);
    min(x: i32, y: i32) = x.min(y);
    modf(x: f64) = if x.is_infinite() { 0.0_f64.copysign(x) } else { (x - x.trunc()).copysign(x) }, x.trunc();
    modff(x: f32) = if x.is_infinite() { 0.0_f32.copysign(x) } else { (x - x.trunc()).copysign(x) }, x.trunc();
    mul24(x: i32, y: i32) = sign_extended_24(x).wrapping_mul(sign_extended_24(y));
    mul64hi(x: i64, y: i64) = ((i128::from(x) * i128::from(y)) >> 64) as i64;
    mulhi(x: i32, y: i32) = ((i64::from(x) * i64::from(y)) >> 32) as i32;
    nearbyint(x: f64) = x.round_ties_even();
    nearbyintf(x: f32) = x.round_ties_even();
    norm3d(x: f64, y: f64, z: f64) = norm(&[x, y, z]);
    norm3df(x: f32, y: f32, z: f32) = norm_f32(&[x, y, z]);
    norm4d(x: f64, y: f64, z: f64, t: f64) = norm(&[x, y, z, t]);
    norm4df(x: f32, y: f32, z: f32, t: f32) = norm_f32(&[x, y, z, t]);
    normcdf(x: f64) = 0.5 * erfc(-x * FRAC_1_SQRT_2);
    normcdff(x: f32) = (0.5 * erfc(-f64::from(x) * FRAC_1_SQRT_2)) as f32;
    popc(x: u32) = x.count_ones();
    popcll(x: u64) = x.count_ones();
    powi(x: f64, n: i32) = x.powf(f64::from(n));
    powif(x: f32, n: i32) = f64::from(x).powf(f64::from(n)) as f32;
    rcbrt(x: f64) = 1.0 / x.cbrt();
    rcbrtf(x: f32) = (1.0 / f64::from(x).cbrt()) as f32;
    remainder(x: f64, y: f64) = remainder(x, y);
    remainderf(x: f32, y: f32) = remainderf(x, y);
    remquo(x: f64, y: f64) = remquo_of(x, y).0, remquo_of(x, y).1;
    remquof(x: f32, y: f32) = remquof_of(x, y).0, remquof_of(x, y).1;
    rhadd(x: i32, y: i32) = ((i64::from(x) + i64::from(y) + 1) >> 1) as i32;
    rhypot(x: f64, y: f64) = 1.0 / x.hypot(y);
    rhypotf(x: f32, y: f32) = (1.0 / f64::from(x).hypot(f64::from(y))) as f32;
    rint(x: f64) = x.round_ties_even();
    rintf(x: f32) = x.round_ties_even();
    rnorm3d(x: f64, y: f64, z: f64) = 1.0 / norm(&[x, y, z]);
    rnorm3df(x: f32, y: f32, z: f32) = 1.0 / norm_f32(&[x, y, z]);
    rnorm4d(x: f64, y: f64, z: f64, t: f64) = 1.0 / norm(&[x, y, z, t]);
    rnorm4df(x: f32, y: f32, z: f32, t: f32) = 1.0 / norm_f32(&[x, y, z, t]);
    round(x: f64) = x.round();
    roundf(x: f32) = x.round();
    rsqrt(x: f64) = 1.0 / x.sqrt();
    rsqrtf(x: f32) = (1.0 / f64::from(x).sqrt()) as f32;
    sad(x: i32, y: i32, z: u32) = x.abs_diff(y).wrapping_add(z);
    saturatef(x: f32) = if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) };
    scalbn(x: f64, n: i32) = ldexp(x, n);
    scalbnf(x: f32, n: i32) = ldexpf(x, n);
    signbitd(x: f64) = i32::from(x.is_sign_negative());
    signbitf(x: f32) = i32::from(x.is_sign_negative());
    sincos(x: f64) = x.sin(), x.cos();
    sincosf(x: f32) = x.sin(), x.cos();
    sincospi(x: f64) = sinpi(x), cospi(x);
    sincospif(x: f32) = sinpi(f64::from(x)) as f32, cospi(f64::from(x)) as f32;
    sinpi(x: f64) = sinpi(x);
    sinpif(x: f32) = sinpi(f64::from(x)) as f32;
    sqrt(x: f64) = x.sqrt();
    sqrtf(x: f32) = x.sqrt();
    tgamma(x: f64) = tgamma(x);
    tgammaf(x: f32) = tgammaf(x);
    trunc(x: f64) = x.trunc();
    truncf(x: f32) = x.trunc();
    uhadd(x: u32, y: u32) = ((u64::from(x) + u64::from(y)) >> 1) as u32;
    uint2double_rn(x: u32) = f64::from(x);
    uint2float_rd(x: u32) = rounded(RD, f64::from(x), |x| x as f32);
    uint2float_rn(x: u32) = x as f32;
    uint2float_ru(x: u32) = rounded(RU, f64::from(x), |x| x as f32);
    uint2float_rz(x: u32) = rounded(RZ, f64::from(x), |x| x as f32);
    uint_as_float(x: u32) = f32::from_bits(x);
    ull2double_rn(x: u64) = x as f64;
    ull2float_rn(x: u64) = x as f32;
    ullmax(x: u64, y: u64) = x.max(y);
    ullmin(x: u64, y: u64) = x.min(y);
    umax(x: u32, y: u32) = x.max(y);
    umin(x: u32, y: u32) = x.min(y);
    umul24(x: u32, y: u32) = (x & 0xff_ffff).wrapping_mul(y & 0xff_ffff);
    umul64hi(x: u64, y: u64) = ((u128::from(x) * u128::from(y)) >> 64) as u64;
    umulhi(x: u32, y: u32) = ((u64::from(x) * u64::from(y)) >> 32) as u32;
    urhadd(x: u32, y: u32) = ((u64::from(x) + u64::from(y) + 1) >> 1) as u32;
    usad(x: u32, y: u32, z: u32) = x.abs_diff(y).wrapping_add(z);
    y0(x: f64) = y0(x);
    y0f(x: f32) = y0(f64::from(x)) as f32;
    y1(x: f64) = y1(x);
    y1f(x: f32) = y1(f64::from(x)) as f32;
    yn(n: i32, x: f64) = yn(n, x);
    ynf(n: i32, x: f32) = yn(n, f64::from(x)) as f32;
};

/// The functions at their positions in `numbra_abi::libdevice::FUNCTIONS`.
fn table() -> &'static [Option<Body>] {
    static TABLE: OnceLock<Vec<Option<Body>>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let body = |name: &str| BODIES.iter().find(|b| b.0 == name).map(|b| b.1);
        let all = numbra_abi::libdevice::FUNCTIONS.iter();
        all.map(|function| body(function.name)).collect()
    })
}

/// See `numbra_abi::NATIVES`.
///
/// # Safety
/// The position is of a function of `numbra_abi::libdevice::NATIVE`; there is a word for each operand and room for one for
/// each result.
pub(crate) unsafe extern "C" fn numbra_rt_device_library(
    position: i32,
    operands: *const u64,
    results: *mut u64,
) {
    let position = position as usize;
    let (Some(function), Some(Some(body))) = (
        numbra_abi::libdevice::FUNCTIONS.get(position),
        table().get(position),
    ) else {
        return;
    };
    // SAFETY: the caller says so.
    let (operands, results) = unsafe {
        (
            std::slice::from_raw_parts(operands, function.params.len()),
            std::slice::from_raw_parts_mut(results, function.results().count()),
        )
    };
    body(operands, results);
}

#[cfg(test)]
mod tests {
    use super::*;
    use numbra_abi::libdevice::{FUNCTIONS, NATIVE, known};

    fn call(name: &str, operands: &[u64]) -> Vec<u64> {
        let at = FUNCTIONS.iter().position(|f| f.name == name).expect(name);
        let mut results = vec![0; FUNCTIONS[at].results().count()];
        // SAFETY: there are as many words as the function has operands and results.
        unsafe { numbra_rt_device_library(at as i32, operands.as_ptr(), results.as_mut_ptr()) };
        results
    }

    fn of_f64(name: &str, operands: &[f64]) -> f64 {
        let words: Vec<u64> = operands.iter().map(|x| x.to_bits()).collect();
        f64::from_bits(call(name, &words)[0])
    }

    #[test]
    fn the_table_is_what_abi_declares() {
        let here: Vec<&str> = BODIES.iter().map(|b| b.0).collect();
        assert_eq!(here, NATIVE);
        assert_eq!(FUNCTIONS[usize::from(known("rsqrt"))].name, "rsqrt");
    }

    /// Operands and results are as many as the table of abi says: a body that reads or writes others would not do.
    #[test]
    fn all_functions_take_their_operands() {
        for (position, function) in FUNCTIONS.iter().enumerate() {
            if let Some(body) = table()[position] {
                let mut results = vec![0x55; function.results().count()];
                body(&vec![0; function.params.len()], &mut results);
            }
        }
    }

    #[test]
    fn rounding_is_directed() {
        let third = |name| of_f64(name, &[1.0, 3.0]);
        assert!(third("ddiv_rd") < third("ddiv_ru"));
        assert_eq!(third("ddiv_rz"), third("ddiv_rd"));
        assert_eq!(third("ddiv_rn"), 1.0 / 3.0);
        // The nearest number is above the root.
        assert_eq!(of_f64("dsqrt_ru", &[2.0]), 2.0_f64.sqrt());
        assert_eq!(of_f64("dsqrt_rd", &[2.0]), 2.0_f64.sqrt().next_down());
        assert_eq!(1.0_f64 / 3.0, black_box(1.0) / black_box(3.0));
    }

    #[test]
    fn special_values() {
        assert_eq!(of_f64("sinpi", &[1e15]), 0.0);
        assert_eq!(of_f64("cospi", &[0.5]), 0.0);
        assert_eq!(of_f64("cospi", &[1.0]), -1.0);
        assert!(of_f64("cospi", &[f64::INFINITY]).is_nan());
        assert_eq!(of_f64("norm3d", &[3e300, 4e300, 0.0]), 5e300);
        assert_eq!(of_f64("normcdf", &[0.0]), 0.5);
        assert_eq!(
            call("byte_perm", &[0x0302_0100, 0x0706_0504, 0x0627]),
            [0x0006_0207]
        );
        assert_eq!(
            call("mulhi", &[u64::from(u32::MAX), 2]),
            [u64::from(u32::MAX)]
        );
        assert_eq!(call("ffs", &[8]), [4]);
        assert_eq!(call("frexp", &[8.0_f64.to_bits()]), [0.5_f64.to_bits(), 4]);
    }
}
