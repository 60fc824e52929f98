//! A lane of a vector call has the bits of a scalar call, whatever the width.
#![cfg(target_arch = "x86_64")]
#![allow(
    improper_ctypes,
    improper_ctypes_definitions,
    reason = "the vector types of the platform ABI, which C functions take in registers"
)]

mod points;

use numbra_abi::{MathFn, MathLib};
use numbra_math::{double, has_fma, single, symbol};
use points::{Stream, doubles, pairs, singles};
use std::arch::x86_64::*;

/// Defines a call of a vector function on lanes in memory.
macro_rules! caller {
    ($name:ident, $feature:literal, $lane:ty, $n:literal, $vector:ty, $load:ident, $store:ident) => {
        #[target_feature(enable = $feature)]
        fn $name(
            address: *const u8,
            arity: usize,
            x: &[$lane; $n],
            y: &[$lane; $n],
        ) -> [$lane; $n] {
            let mut out = [0.0; $n];
            // SAFETY: arrays of as many lanes as are loaded.
            let (a, b) = unsafe { ($load(x.as_ptr()), $load(y.as_ptr())) };
            let result = if arity == 2 {
                type Two = unsafe extern "C" fn($vector, $vector) -> $vector;
                // SAFETY: the symbol's name says that it is a function of this signature.
                let f: Two = unsafe { std::mem::transmute(address) };
                // SAFETY: the caller has asked the processor.
                unsafe { f(a, b) }
            } else {
                type One = unsafe extern "C" fn($vector) -> $vector;
                // SAFETY: the symbol's name says that it is a function of this signature.
                let f: One = unsafe { std::mem::transmute(address) };
                // SAFETY: the caller has asked the processor.
                unsafe { f(a) }
            };
            // SAFETY: as many lanes as are stored.
            unsafe { $store(out.as_mut_ptr(), result) };
            out
        }
    };
}

caller!(d2, "avx2,fma", f64, 2, __m128d, _mm_loadu_pd, _mm_storeu_pd);
caller!(
    d4,
    "avx2,fma",
    f64,
    4,
    __m256d,
    _mm256_loadu_pd,
    _mm256_storeu_pd
);
caller!(
    d8,
    "avx512f",
    f64,
    8,
    __m512d,
    _mm512_loadu_pd,
    _mm512_storeu_pd
);
caller!(s4, "avx2,fma", f32, 4, __m128, _mm_loadu_ps, _mm_storeu_ps);
caller!(
    s8,
    "avx2,fma",
    f32,
    8,
    __m256,
    _mm256_loadu_ps,
    _mm256_storeu_ps
);
caller!(
    s16,
    "avx512f",
    f32,
    16,
    __m512,
    _mm512_loadu_ps,
    _mm512_storeu_ps
);

/// Compares all widths that this machine has with the scalar function.
macro_rules! compare {
    ($func:expr, $is_single:literal, $points:expr, $scalar:ident, $(($n:literal, $caller:ident)),+) => {{
        let func: MathFn = $func;
        let points = $points;
        $(if $n * (8 / (1 + usize::from($is_single))) < 64 || is_x86_feature_detected!("avx512f") {
            let address = symbol(&func.vector_symbol($is_single, $n)).expect("a vector function");
            for chunk in points.chunks_exact($n) {
                let x: [_; $n] = std::array::from_fn(|i| chunk[i].0);
                let y: [_; $n] = std::array::from_fn(|i| chunk[i].1);
                // SAFETY: the processor has FMA, and AVX-512 where that is the width.
                let got = unsafe { $caller(address, func.arity(), &x, &y) };
                for i in 0..$n {
                    let want = $scalar(MathLib::Numbra, func, x[i], y[i]);
                    assert!(
                        got[i].to_bits() == want.to_bits() || got[i].is_nan() && want.is_nan(),
                        "{} of {:e}, {:e} in {} lanes: {:e}, scalar {want:e}",
                        func.name(), x[i], y[i], $n, got[i],
                    );
                }
            }
        })+
    }};
}

fn functions() -> impl Iterator<Item = MathFn> {
    MathFn::ALL.into_iter().filter(|f| f.has_lanes())
}

#[test]
fn double_lanes_are_scalars() {
    if !has_fma() {
        return;
    }
    for func in functions() {
        compare!(
            func,
            false,
            pairs(&doubles(func)),
            double,
            (2, d2),
            (4, d4),
            (8, d8)
        );
    }
}

#[test]
fn single_lanes_are_scalars() {
    if !has_fma() {
        return;
    }
    for func in functions() {
        compare!(
            func,
            true,
            pairs(&singles(func)),
            single,
            (4, s4),
            (8, s8),
            (16, s16)
        );
    }
}

/// Quotients of every size, beside one another: remainders are exact, whichever way they are found.
#[test]
fn remainders_are_exact() {
    let same =
        |got: f64, want: f64| got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan();
    let mut stream = Stream::new(1);
    let mut points = pairs(&doubles(MathFn::Fmod));
    for _ in 0..200_000 {
        let y = stream.uniform(1.0, 2.0) * stream.uniform(-60.0, 60.0).exp2();
        let near = y * stream.uniform(0.0, 70.0).exp2().round();
        points.push((near, y));
        points.push((f64::from_bits(near.to_bits() - 1), -y));
    }
    for (x, y) in points {
        let got = double(MathLib::Numbra, MathFn::Fmod, x, y);
        assert!(same(got, x % y), "{x:e} % {y:e}: {got:e}");
        let (x, y) = (x as f32, y as f32);
        let got = single(MathLib::Numbra, MathFn::Fmod, x, y);
        assert!(same(got.into(), (x % y).into()), "{x:e} % {y:e}: {got:e}");
    }
}

#[test]
fn not_every_name_is_a_function() {
    assert!(symbol("numbra_math_nextafter_4").is_none());
    assert!(symbol("numbra_math_exp_3").is_none());
    assert!(symbol("numbra_math_expf_2").is_none());
    assert!(symbol("numbra_math_nothing").is_none());
    assert!(symbol("numbra_math_expf_16").is_some());
}
