//! Tests of native bodies through their symbols. Expected bits are those of NumPy 2.4.

use crate::elements::Kind;
use crate::object::{Header, release};
use crate::value::RawValue;
use crate::{symbol, take_error};
use numbra_abi::{KindWord, Order, Tag};
use std::ptr;

/// An array argument: leaves in memory.
struct Array {
    kind: KindWord,
    words: Vec<u64>,
}

fn of_array(kind: Kind, ndim: usize) -> KindWord {
    KindWord::new(Tag::Array, Some(kind)).with_axes(ndim as u8, Order::C)
}

fn array<T>(kind: Kind, data: &mut [T], offset: usize, shape: &[i64], strides: &[i64]) -> Array {
    let address = data.as_mut_ptr().expose_provenance() + offset;
    let mut words = vec![address as u64, 0];
    words.extend(shape.iter().chain(strides).map(|&w| w as u64));
    Array {
        kind: of_array(kind, shape.len()),
        words,
    }
}

impl Array {
    fn raw(&mut self) -> RawValue {
        RawValue {
            kind: self.kind,
            data: self.words.as_mut_ptr().cast(),
        }
    }
}

const NOTHING: RawValue = RawValue {
    kind: KindWord::new(Tag::Nothing, None),
    data: ptr::null_mut(),
};

fn call(name: &str, args: &[RawValue], ret: RawValue) -> i32 {
    type Body = unsafe extern "C" fn(*const RawValue, *const RawValue) -> i32;
    let address = symbol(name).expect("the symbol exists");
    // SAFETY: native bodies have this signature.
    let body = unsafe { std::mem::transmute::<*const u8, Body>(address) };
    // SAFETY: arguments and result are those of the convention.
    unsafe { body(args.as_ptr(), &ret) }
}

/// A scalar result by its bits.
fn scalar(name: &str, args: &[RawValue], kind: Kind) -> Result<u128, String> {
    let mut out = 0_u128;
    let ret = RawValue {
        kind: KindWord::new(Tag::Scalar, Some(kind)),
        data: (&raw mut out).cast(),
    };
    match call(name, args, ret) {
        0 => Ok(out),
        _ => Err(pending()),
    }
}

/// The words of a contiguous array result of 8-byte elements, and its shape.
fn words(
    name: &str,
    args: &[RawValue],
    kind: Kind,
    ndim: usize,
) -> Result<(Vec<u64>, Vec<u64>), String> {
    let mut leaves = vec![0_u64; 2 + 2 * ndim];
    let ret = RawValue {
        kind: of_array(kind, ndim),
        data: leaves.as_mut_ptr().cast(),
    };
    if call(name, args, ret) != 0 {
        return Err(pending());
    }
    let shape = leaves[2..2 + ndim].to_vec();
    let count = shape.iter().product::<u64>() as usize;
    let data = ptr::with_exposed_provenance::<u64>(leaves[0] as usize);
    // SAFETY: the result array has so many elements of 8 bytes.
    let out = unsafe { std::slice::from_raw_parts(data, count) }.to_vec();
    let owner = ptr::with_exposed_provenance_mut::<Header>(leaves[1] as usize);
    // SAFETY: the result's owner is an owned reference.
    unsafe { release(owner) };
    Ok((out, shape))
}

fn pending() -> String {
    let error = take_error().expect("a failure leaves an exception");
    String::from_utf8_lossy(error.description()).into_owned()
}

fn hash(words: &[u64]) -> u64 {
    words
        .iter()
        .fold(0, |h: u64, &w| h.wrapping_mul(31).wrapping_add(w))
}

/// `1 / np.arange(1, n + 1)`
fn harmonic(n: usize) -> Vec<f64> {
    (0..n).map(|i| 1.0 / (i as f64 + 1.0)).collect()
}

fn axis(value: &mut i64) -> RawValue {
    RawValue {
        kind: KindWord::new(Tag::Scalar, Some(Kind::Int64)),
        data: ptr::from_mut(value).cast(),
    }
}

const F64: Kind = Kind::Float64;

#[test]
fn sums_of_matrices() {
    let mut x = harmonic(24 * 150);
    for (offset, shape, strides, bits) in [
        (0, [24, 150], [1200, 8], 0x4021_8836_e04b_6ab9_u64),
        (0, [150, 24], [8, 1200], 0x4021_8836_e04b_6ab9),
        (0, [12, 50], [2400, 24], 0x4006_62a6_5968_eeb5),
    ] {
        let mut a = array(F64, &mut x, offset, &shape, &strides);
        let sum = scalar("numbra_np_sum", &[a.raw(), NOTHING, NOTHING], F64);
        assert_eq!(sum, Ok(bits.into()), "{shape:?} {strides:?}");
    }
    for (axis_, shape, strides, expected) in [
        (0, [24, 150], [1200, 8], 0xcd83_d6c3_1b8c_aa5e_u64),
        (1, [24, 150], [1200, 8], 0x317d_6f69_057e_ed66),
        (-1, [24, 150], [1200, 8], 0x317d_6f69_057e_ed66),
        (0, [150, 24], [8, 1200], 0x317d_6f69_057e_ed66),
        (1, [12, 50], [2400, 24], 0x1341_9b50_0881_dfb4),
        (0, [12, 50], [2400, 24], 0x0dcb_512c_6de4_aa53),
    ] {
        let mut a = array(F64, &mut x, 0, &shape, &strides);
        let mut k = axis_;
        let got = words("numbra_np_sum", &[a.raw(), axis(&mut k), NOTHING], F64, 1);
        assert_eq!(got.map(|g| hash(&g.0)), Ok(expected), "{axis_} {shape:?}");
    }
}

#[test]
fn sums_of_cubes() {
    let mut x = harmonic(24 * 150);
    for (axis_, expected) in [
        (0, 0xcd83_d6c3_1b8c_aa5e_u64),
        (1, 0x4957_ebf8_b5f4_426f),
        (2, 0x82a1_3823_f070_4440),
    ] {
        let mut a = array(F64, &mut x, 0, &[24, 15, 10], &[1200, 80, 8]);
        let mut k = axis_;
        let got = words("numbra_np_sum", &[a.raw(), axis(&mut k), NOTHING], F64, 2);
        assert_eq!(got.map(|g| hash(&g.0)), Ok(expected), "{axis_}");
    }
    for (shape, strides, bits) in [
        ([24, 8, 10], [1200, 160, 8], 0x4017_0636_8474_31b9_u64),
        ([24, 15, 5], [1200, 80, 16], 0x4012_eb08_dc8a_492b),
    ] {
        let mut a = array(F64, &mut x, 0, &shape, &strides);
        let sum = scalar("numbra_np_sum", &[a.raw(), NOTHING, NOTHING], F64);
        assert_eq!(sum, Ok(bits.into()), "{shape:?}");
    }
}

#[test]
fn moments() {
    let mut x = harmonic(24 * 150);
    let of = |name: &str, x: &mut Vec<f64>| {
        let mut a = array(F64, x, 0, &[24, 150], &[1200, 8]);
        scalar(name, &[a.raw()], F64).map(|bits| bits as u64)
    };
    assert_eq!(of("numbra_np_mean", &mut x), Ok(0x3f63_f297_2efb_ec58));
    assert_eq!(of("numbra_np_var", &mut x), Ok(0x3f3d_8d2d_58c0_51d0));
    assert_eq!(of("numbra_np_std", &mut x), Ok(0x3f95_be97_fd77_2047));
    let mut ints: Vec<i32> = (0..10).collect();
    let mut a = array(Kind::Int32, &mut ints, 0, &[10], &[4]);
    let mean = scalar("numbra_np_mean", &[a.raw()], F64);
    assert_eq!(mean, Ok(4.5_f64.to_bits().into()));
    let mut empty = array(F64, &mut x, 0, &[0], &[8]);
    let mean = scalar("numbra_np_mean", &[empty.raw()], F64).unwrap_or(0);
    assert!(f64::from_bits(mean as u64).is_nan());
}

#[test]
fn integers_and_truth() {
    let mut x: Vec<i16> = vec![3, -1, 0, 30000, 30000];
    let mut a = array(Kind::Int16, &mut x, 0, &[5], &[2]);
    let sum = scalar("numbra_np_sum", &[a.raw(), NOTHING, NOTHING], Kind::Int64);
    assert_eq!(sum, Ok(60002));
    assert_eq!(scalar("numbra_np_any", &[a.raw()], Kind::Bool), Ok(1));
    assert_eq!(scalar("numbra_np_all", &[a.raw()], Kind::Bool), Ok(0));
    let count = scalar("numbra_np_count_nonzero", &[a.raw(), NOTHING], Kind::Int64);
    assert_eq!(count, Ok(4));
    assert_eq!(scalar("numbra_np_max", &[a.raw()], Kind::Int16), Ok(30000));
    let at = scalar("numbra_np_argmax", &[a.raw(), NOTHING], Kind::Int64);
    assert_eq!(at, Ok(3));
    let sums = words(
        "numbra_np_cumsum",
        &[a.raw(), NOTHING, NOTHING],
        Kind::Int64,
        1,
    )
    .map(|s| s.0);
    assert_eq!(sums, Ok(vec![3, 2, 2, 30002, 60002]));
    let products = words("numbra_np_cumprod", &[a.raw()], Kind::Int64, 1).map(|s| s.0);
    assert_eq!(products, Ok(vec![3, (-3_i64) as u64, 0, 0, 0]));
    let prod = scalar("numbra_np_prod", &[a.raw()], Kind::Int64);
    assert_eq!(prod, Ok(0));
}

#[test]
fn nan_wins() {
    let mut x = vec![2.0, f64::NAN, 1.0, f64::NAN];
    let mut a = array(F64, &mut x, 0, &[4], &[8]);
    for name in ["numbra_np_min", "numbra_np_max"] {
        let found = scalar(name, &[a.raw()], F64).unwrap_or(0);
        assert!(f64::from_bits(found as u64).is_nan());
    }
    for name in ["numbra_np_argmin", "numbra_np_argmax"] {
        assert_eq!(scalar(name, &[a.raw(), NOTHING], Kind::Int64), Ok(1));
    }
}

#[test]
fn failures_are_exceptions() {
    let mut x = vec![0.0; 4];
    let mut empty = array(F64, &mut x, 0, &[0], &[8]);
    let error = scalar("numbra_np_max", &[empty.raw()], F64).unwrap_err();
    assert!(
        error.contains("zero-size array to reduction operation maximum"),
        "{error}"
    );
    let mut a = array(F64, &mut x, 0, &[2, 2], &[16, 8]);
    let mut k = 2;
    let error = words("numbra_np_sum", &[a.raw(), axis(&mut k), NOTHING], F64, 1).unwrap_err();
    assert!(
        error.contains(r#""class":"numpy.exceptions.AxisError","args":["2","2"]"#),
        "{error}"
    );
}

#[test]
fn arrays_are_joined() {
    let mut x: Vec<i32> = (0..6).collect();
    let mut y: Vec<f64> = vec![10.5, 11.5];
    let mut a = array(Kind::Int32, &mut x, 0, &[3, 2], &[8, 4]);
    let mut b = array(F64, &mut y, 0, &[1, 2], &[16, 8]);
    let mut items = [a.raw(), b.raw()];
    let tuple = RawValue {
        kind: KindWord::new(Tag::Tuple, None).with_length(2),
        data: items.as_mut_ptr().cast(),
    };
    let mut k = 0;
    let got = words("numbra_np_concatenate", &[tuple, axis(&mut k)], F64, 2);
    let (bits, shape) = got.expect("shapes agree");
    let values: Vec<f64> = bits.into_iter().map(f64::from_bits).collect();
    assert_eq!(shape, [4, 2]);
    assert_eq!(values, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 10.5, 11.5]);
    let mut k = 1;
    let error = words("numbra_np_concatenate", &[tuple, axis(&mut k)], F64, 2).unwrap_err();
    assert!(
        error.contains("input sizes over dimension 0 do not match"),
        "{error}"
    );
}
