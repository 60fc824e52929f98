//! Where random bits come from.

use std::ffi::c_void;
use std::hint::select_unpredictable;

/// A stream of random bits.
pub(crate) trait Bits {
    /// 32 bits.
    fn u32(&mut self) -> u32;
    /// 64 bits.
    fn u64(&mut self) -> u64;
    /// Uniform in `[0, 1)`, of 53 bits.
    fn f64(&mut self) -> f64;
    /// Uniform in `[0, 1)`, of 24 bits.
    #[inline]
    fn f32(&mut self) -> f32 {
        (self.u32() >> 8) as f32 * (1.0 / 16_777_216.0)
    }

    /// An integer from 0 to `max`: bits under a mask, drawn again while they are more.
    #[inline(always)]
    fn up_to(&mut self, max: u64) -> u64 {
        if max == 0 {
            return 0;
        }
        let mask = u64::MAX >> max.leading_zeros();
        if max <= u64::from(u32::MAX) {
            loop {
                let bits = u64::from(self.u32()) & mask;
                if bits <= max {
                    return bits;
                }
            }
        }
        loop {
            let bits = self.u64() & mask;
            if bits <= max {
                return bits;
            }
        }
    }
}

/// One of two numbers, without a branch where nobody could foresee which: by their bits, for which processors have a move.
#[inline(always)]
pub(super) fn either(is_first: bool, first: f64, second: f64) -> f64 {
    let bits = select_unpredictable(is_first, first.to_bits(), second.to_bits());
    f64::from_bits(bits)
}

/// NumPy's `bitgen_t` (`numpy/random/bitgen.h`).
#[repr(C)]
struct RawBitGenerator {
    state: *mut c_void,
    next_uint64: unsafe extern "C" fn(*mut c_void) -> u64,
    next_uint32: unsafe extern "C" fn(*mut c_void) -> u32,
    next_double: unsafe extern "C" fn(*mut c_void) -> f64,
    next_raw: unsafe extern "C" fn(*mut c_void) -> u64,
}

/// The bit generator of a NumPy `Generator`. Like Numba we do not take its lock: a generator belongs to one thread at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitGenerator {
    raw: *const RawBitGenerator,
}

impl BitGenerator {
    /// # Safety
    /// `raw` points to a `bitgen_t` that lives as long as this is used, by one thread at a time.
    pub(crate) unsafe fn new(raw: *const u8) -> BitGenerator {
        BitGenerator { raw: raw.cast() }
    }
}

impl Bits for BitGenerator {
    #[inline]
    fn u32(&mut self) -> u32 {
        // SAFETY: promised to `new`.
        let raw = unsafe { &*self.raw };
        // SAFETY: the function belongs to the state.
        unsafe { (raw.next_uint32)(raw.state) }
    }

    #[inline]
    fn u64(&mut self) -> u64 {
        // SAFETY: promised to `new`.
        let raw = unsafe { &*self.raw };
        // SAFETY: the function belongs to the state.
        unsafe { (raw.next_uint64)(raw.state) }
    }

    #[inline]
    fn f64(&mut self) -> f64 {
        // SAFETY: promised to `new`.
        let raw = unsafe { &*self.raw };
        // SAFETY: the function belongs to the state.
        unsafe { (raw.next_double)(raw.state) }
    }
}
