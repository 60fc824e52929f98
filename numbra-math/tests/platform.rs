//! Special values are those of the platform's library, and all others lie near its results.

mod points;

use numbra_abi::{MathFn, MathLib};
use numbra_math::{double, single, symbol, symbol_names};
use points::{doubles, pairs, singles};
use std::collections::BTreeMap;

/// Floats between two floats, both of one sign.
fn distance(a: i64, b: i64) -> i64 {
    a.saturating_sub(b).saturating_abs()
}

/// How far two correct libraries may be apart: each has an error of its own, the platform's of up to some units for the
/// gamma functions.
fn apart(func: MathFn) -> i64 {
    match func {
        MathFn::Gamma => 12,
        MathFn::Lgamma | MathFn::Erfc => 6,
        _ => 3,
    }
}

/// What differs, by function: the first points and how many there are.
#[derive(Default)]
struct Failures(BTreeMap<&'static str, Vec<String>>);

impl Failures {
    fn add(&mut self, func: MathFn, text: String) {
        self.0.entry(func.name()).or_default().push(text);
    }

    fn none(self) {
        for (func, all) in &self.0 {
            println!(
                "{func}, {} points: {:#?}",
                all.len(),
                &all[..all.len().min(8)]
            );
        }
        assert!(self.0.is_empty());
    }
}

fn agree(special: bool, same_sign: bool, distance: i64, func: MathFn) -> bool {
    !special && same_sign && distance <= apart(func)
}

#[test]
fn double_precision() {
    let mut failures = Failures::default();
    for func in MathFn::ALL {
        for (x, y) in pairs(&doubles(func)) {
            let got = double(MathLib::Numbra, func, x, y);
            let want = double(MathLib::Libm, func, x, y);
            let special = got.is_nan() || want.is_nan();
            let same = got.is_sign_negative() == want.is_sign_negative();
            let far = distance(got.to_bits() as i64, want.to_bits() as i64);
            let inexact = match func {
                // Near its zeros at negative numbers.
                MathFn::Lgamma => x < 0.0 && want.abs() < 0.5,
                _ => false,
            };
            if !(got.is_nan() && want.is_nan() || inexact || agree(special, same, far, func)) {
                failures.add(func, format!("({x:e}, {y:e}): {got:e}, platform {want:e}"));
            }
        }
    }
    failures.none();
}

#[test]
fn single_precision() {
    let mut failures = Failures::default();
    for func in MathFn::ALL {
        for (x, y) in pairs(&singles(func)) {
            let got = single(MathLib::Numbra, func, x, y);
            let want = single(MathLib::Libm, func, x, y);
            let special = got.is_nan() || want.is_nan();
            let same = got.is_sign_negative() == want.is_sign_negative();
            let far = distance(
                (got.to_bits() as i32).into(),
                (want.to_bits() as i32).into(),
            );
            let inexact = match func {
                // Near its zeros at negative numbers.
                MathFn::Lgamma => x < 0.0 && want.abs() < 0.5,
                _ => false,
            };
            if !(got.is_nan() && want.is_nan() || inexact || agree(special, same, far, func)) {
                failures.add(func, format!("({x:e}, {y:e}): {got:e}, platform {want:e}"));
            }
        }
    }
    failures.none();
}

#[test]
fn symbols_are_found_by_name() {
    let names: Vec<String> = symbol_names().collect();
    assert!(names.iter().all(|name| symbol(name).is_some()));
    for func in MathFn::ALL {
        for is_single in [false, true] {
            for lib in MathLib::ALL {
                assert!(names.contains(&lib.symbol(func, is_single)));
            }
        }
    }
    assert_eq!(symbol("numbra_math_nothing"), None);
    assert_eq!(symbol("numbra_rt_exp"), None);
}

/// The GNU C library and numbra compute these by one algorithm; a million random points and edges each.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn bits_of_the_gnu_c_library() {
    if !numbra_math::has_fma() {
        return;
    }
    let mut stream = points::Stream::new(7);
    for func in [MathFn::Exp, MathFn::Log, MathFn::Pow] {
        let (low, high) = points::range(func);
        let mut all = pairs(&doubles(func));
        for _ in 0..300_000 {
            let near_one = 1.0 + stream.uniform(-1.0, 1.0) * stream.uniform(0.0, 1.0).powi(9);
            all.push((stream.uniform(low, high), stream.uniform(-900.0, 900.0)));
            all.push((f64::from_bits(stream.bits()), stream.uniform(-4.0, 4.0)));
            all.push((near_one, f64::from_bits(stream.bits())));
        }
        // Its pow tells the two kinds of NaN apart.
        for (x, y) in all.into_iter().filter(|p| !p.0.is_nan() && !p.1.is_nan()) {
            let got = double(MathLib::Numbra, func, x, y);
            let want = double(MathLib::Libm, func, x, y);
            assert!(
                got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan(),
                "{} of {x:e}, {y:e}: {got:e}, platform {want:e}",
                func.name()
            );
        }
    }
}
