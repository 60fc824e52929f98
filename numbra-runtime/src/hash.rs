//! `hash` of numbers, of text, and of tuples of these, as CPython computes it (`Python/pyhash.c`, `Objects/tupleobject.c`).

use crate::elements::Wide;
use crate::value::{Arg, Failure, Ret, bad_call};
use numbra_memory::gathered_or;
use std::hash::{DefaultHasher, Hasher};
use std::sync::OnceLock;

bodies! {
    hash = hash, 1;
}

/// Hashes of numbers are remainders by this prime.
const MODULUS: u64 = (1 << BITS) - 1;
const BITS: u32 = 61;
/// Hash of positive infinity.
const INFINITY: i64 = 314_159;
/// Multiplier of an imaginary part.
const IMAGINARY: u64 = 1_000_003;

/// The hash of so many bytes at an address.
type HashBytes = unsafe fn(*const u8, usize) -> i64;

/// What this Python hashes bytes with.
static HASH_BYTES: OnceLock<HashBytes> = OnceLock::new();

/// Has text hashed by the key that this process has, which `PYTHONHASHSEED` says. Without it, the key is 0.
pub fn set_hash_of_bytes(hash: HashBytes) {
    // The first one is that of this process.
    let _ = HASH_BYTES.set(hash);
}

/// The hash of the bytes of a text, of which each character takes as few as the widest.
pub(crate) fn of_bytes(bytes: &[u8]) -> i64 {
    if bytes.is_empty() {
        return 0;
    }
    match HASH_BYTES.get() {
        // SAFETY: so many bytes are there.
        Some(hash) => unsafe { hash(bytes.as_ptr(), bytes.len()) },
        None => {
            let mut hasher = DefaultHasher::new();
            hasher.write(bytes);
            never_minus_one(hasher.finish() as i64)
        }
    }
}

/// `(number, text or tuple of such) -> int64`: CPython's hash; that of a NaN is 0.
fn hash(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let [x] = args else { return Err(bad_call()) };
    ret.number(Wide::Int(of(x)?))
}

fn of(x: &Arg) -> Result<i64, Failure> {
    match x {
        Arg::Scalar(number) => Ok(of_number(*number)),
        Arg::Text(_) | Arg::Array(..) => Ok(x.characters()?.hash()),
        Arg::Tuple(items) => {
            let lanes = gathered_or(items.iter().map(of))?;
            Ok(of_lanes(&lanes))
        }
        Arg::Nothing | Arg::Slice(_) | Arg::Ellipsis | Arg::Generator(_) => Err(bad_call()),
    }
}

fn of_number(x: Wide) -> i64 {
    match x {
        Wide::Int(x) => {
            let rest = (x.unsigned_abs() % MODULUS) as i64;
            never_minus_one(if x < 0 { -rest } else { rest })
        }
        Wide::UInt(x) => (x % MODULUS) as i64,
        Wide::Float(x) => of_float(x),
        Wide::Complex(re, im) => {
            let (re, im) = (of_float(re) as u64, of_float(im) as u64);
            never_minus_one(re.wrapping_add(IMAGINARY.wrapping_mul(im)) as i64)
        }
    }
}

/// -1 stands for an error in CPython.
fn never_minus_one(hash: i64) -> i64 {
    if hash == -1 { -2 } else { hash }
}

/// The remainder of a float as if it were an exact fraction; that of a NaN is 0.
fn of_float(x: f64) -> i64 {
    if x.is_nan() {
        return 0;
    }
    if x.is_infinite() {
        return if x > 0.0 { INFINITY } else { -INFINITY };
    }
    let bits = x.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let exponent = ((bits >> 52) & 0x7ff) as i64;
    // `x = mantissa * 2 ** shift`
    let (mantissa, shift) = match exponent {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, exponent - 1075),
    };
    let turn = shift.rem_euclid(i64::from(BITS)) as u32;
    // Multiplying by 2 turns the 61 bits of a remainder.
    let rest = ((mantissa << turn) & MODULUS) | (mantissa >> (BITS - turn));
    let hash = (rest % MODULUS) as i64;
    never_minus_one(if x < 0.0 { -hash } else { hash })
}

/// xxHash over the hashes of the items, as CPython has it since 3.8.
fn of_lanes(lanes: &[i64]) -> i64 {
    const PRIME_1: u64 = 11_400_714_785_074_694_791;
    const PRIME_2: u64 = 14_029_467_366_897_019_727;
    const PRIME_5: u64 = 2_870_177_450_012_600_261;
    let mut acc = PRIME_5;
    for &lane in lanes {
        acc = acc.wrapping_add((lane as u64).wrapping_mul(PRIME_2));
        acc = acc.rotate_left(31).wrapping_mul(PRIME_1);
    }
    acc = acc.wrapping_add(lanes.len() as u64 ^ (PRIME_5 ^ 3_527_539));
    if acc == u64::MAX {
        return 1_546_275_796;
    }
    acc as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What CPython 3.11 gives.
    #[test]
    fn hashes_are_those_of_cpython() {
        assert_eq!(of_number(Wide::Int(-1)), -2);
        assert_eq!(of_number(Wide::Int(i64::MIN)), -4);
        assert_eq!(of_number(Wide::UInt(u64::MAX)), 7);
        assert_eq!(of_float(0.1), 230_584_300_921_369_408);
        assert_eq!(of_float(-1.0), -2);
        assert_eq!(of_float(1e300), 1_224_995_262_755_759_164);
        assert_eq!(of_float(5e-324), 16_777_216);
        assert_eq!(of_number(Wide::Complex(1.0, 2.0)), 2_000_007);
        assert_eq!(of_lanes(&[]), 5_740_354_900_026_072_187);
        assert_eq!(of_lanes(&[1, 2]), -3_550_055_125_485_641_917);
    }
}
