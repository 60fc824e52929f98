//! Sums in NumPy's order, so that the bits agree: pairwise for floats and complex numbers.
//! `pairwise_sum` of `numpy/_core/src/umath/loops_utils.h.src`: blocks of up to 128 in 8 running sums, halves above.

use crate::array::View;
use crate::elements::{Bool, Element, Half, Pair, Time};
use crate::parallel::Threads;
use crate::simd::widest;
use crate::strided::copy_part;
use numbra_abi::small_floats::{f16_from_f32, f16_to_f32};
use std::ops::Range;

/// Longest run that is not halved.
const BLOCK: usize = 128;

/// Elements that can be summed along a run.
pub(crate) trait Sum: Element {
    /// What runs are summed as.
    type Run: Copy + Send + Sync;

    /// The sum of a run, in NumPy's order.
    ///
    /// # Safety
    /// `n` elements of this type are at `data`, `stride` bytes apart.
    unsafe fn run(data: *const u8, n: usize, stride: isize) -> Self::Run;

    /// Where the order halves a run of `n` elements, which are more than a block.
    fn half_of(n: usize) -> usize {
        half_of(n)
    }

    /// The sum of two halves.
    fn joined(low: Self::Run, high: Self::Run) -> Self::Run;

    /// `self` plus the sum of a run, as one step of NumPy's `add.reduce`.
    fn plus(self, run: Self::Run) -> Self;

    /// As `plus(run(..))`.
    ///
    /// # Safety
    /// `n` elements of this type are at `data`, `stride` bytes apart.
    unsafe fn plus_run(self, data: *const u8, n: usize, stride: isize) -> Self {
        // SAFETY: the caller's promise is the same.
        self.plus(unsafe { Self::run(data, n, stride) })
    }

    /// As [`Sum::run`], with the same bits, in several threads if there is enough to do.
    ///
    /// # Safety
    /// `n` elements of this type are at `data`, `stride` bytes apart.
    unsafe fn run_in(threads: Threads, data: *const u8, n: usize, stride: isize) -> Self::Run {
        let address = data.expose_provenance();
        let leaf = |part: Range<usize>| {
            let data = std::ptr::with_exposed_provenance::<u8>(address);
            let first = data.wrapping_offset(part.start as isize * stride);
            // SAFETY: a part of the caller's run.
            unsafe { Self::run(first, part.len(), stride) }
        };
        threads.halves(n, Self::half_of, leaf, Self::joined)
    }
}

/// The sum of `n` values that `at` gives by index. Inlined, so that contiguous runs are vectorised.
#[inline(always)]
fn block_sum<F>(n: usize, zero: F, at: impl Fn(usize) -> F) -> F
where
    F: Copy + std::ops::Add<Output = F>,
{
    if n < 8 {
        return (0..n).fold(zero, |sum, i| sum + at(i));
    }
    let mut sums: [F; 8] = std::array::from_fn(&at);
    let whole = n - n % 8;
    for i in (8..whole).step_by(8) {
        for (lane, sum) in sums.iter_mut().enumerate() {
            *sum = *sum + at(i + lane);
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    let joined = ((a + b) + (c + d)) + ((e + f) + (g + h));
    (whole..n).fold(joined, |sum, i| sum + at(i))
}

/// Where a run is halved.
fn half_of(n: usize) -> usize {
    let half = n / 2;
    half - half % 8
}

/// As [`pairwise`], with the same bits, in several threads if there is enough to do.
pub(crate) fn pairwise_in(
    threads: Threads,
    run: &[f64],
    map: impl Fn(f64) -> f64 + Copy + Sync,
) -> f64 {
    let leaf = |part: Range<usize>| pairwise(&run[part], map);
    threads.halves(run.len(), half_of, leaf, |low, high| low + high)
}

/// As [`pairwise_in`], of the elements of an array in C order, which are copied a few at a time.
pub(crate) fn pairwise_view(
    threads: Threads,
    array: &View,
    map: impl Fn(f64) -> f64 + Copy + Sync,
) -> f64 {
    const FEW: usize = 8 * BLOCK;
    fn halves(
        array: &View,
        part: Range<usize>,
        map: impl Fn(f64) -> f64 + Copy,
        few: &mut [f64; FEW],
    ) -> f64 {
        if let Some(few) = few.get_mut(..part.len()) {
            copy_part(array, part.start, few);
            return pairwise(few, map);
        }
        let middle = part.start + half_of(part.len());
        let low = halves(array, part.start..middle, map, few);
        low + halves(array, middle..part.end, map, few)
    }
    let leaf = |part: Range<usize>| halves(array, part, map, &mut [0.0; FEW]);
    threads.halves(array.len(), half_of, leaf, |low, high| low + high)
}

/// The sum of `map` of each number, in the order of `np.sum` over a run of them.
pub(crate) fn pairwise(run: &[f64], map: impl Fn(f64) -> f64 + Copy) -> f64 {
    #[inline(always)]
    fn block(run: &[f64], map: impl Fn(f64) -> f64 + Copy) -> f64 {
        // SAFETY: `block_sum` asks for indices below the length only.
        block_sum(run.len(), -0.0, |i| map(unsafe { *run.get_unchecked(i) }))
    }
    fn halves(run: &[f64], map: impl Fn(f64) -> f64 + Copy) -> f64 {
        if run.len() <= BLOCK {
            return block(run, map);
        }
        let (low, high) = run.split_at(half_of(run.len()));
        halves(low, map) + halves(high, map)
    }
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        /// # Safety
        /// The processor has AVX2.
        #[target_feature(enable = "avx2")]
        unsafe fn wide(run: &[f64], map: impl Fn(f64) -> f64 + Copy) -> f64 {
            if run.len() <= BLOCK {
                return block(run, map);
            }
            let (low, high) = run.split_at(half_of(run.len()));
            // SAFETY: the caller's promise.
            unsafe { wide(low, map) + wide(high, map) }
        }
        // SAFETY: the processor has AVX2.
        return unsafe { wide(run, map) };
    }
    halves(run, map)
}

macro_rules! floats {
    ($($float:ident $run:ident $wide:ident;)*) => {
        $(
            floats!(@run $float $run);
            floats!(@run $float $wide #[target_feature(enable = "avx2")]);

            impl Sum for $float {
                type Run = $float;

                unsafe fn run(data: *const u8, n: usize, stride: isize) -> $float {
                    if std::is_x86_feature_detected!("avx2") {
                        // SAFETY: the processor has AVX2, and the caller's promise is the same.
                        return unsafe { $wide(data, n, stride) };
                    }
                    // SAFETY: the caller's promise is the same.
                    unsafe { $run(data, n, stride) }
                }

                fn joined(low: $float, high: $float) -> $float {
                    low + high
                }

                fn plus(self, run: $float) -> $float {
                    self + run
                }
            }
        )*
    };
    (@run $float:ident $run:ident $(#[$feature:meta])?) => {
            /// # Safety
            /// `n` floats are at `data`, `stride` bytes apart, and the processor has what is enabled.
            $(#[$feature])?
            unsafe fn $run(data: *const u8, n: usize, stride: isize) -> $float {
                if n > BLOCK {
                    let first = half_of(n);
                    let rest = data.wrapping_offset(stride * first as isize);
                    // SAFETY: the first part of the run.
                    let low = unsafe { $run(data, first, stride) };
                    // SAFETY: the rest of the run.
                    let high = unsafe { $run(rest, n - first, stride) };
                    return low + high;
                }
                let at = |offset: isize| {
                    // SAFETY: `block_sum` asks for indices below `n` only.
                    unsafe { data.offset(offset).cast::<$float>().read_unaligned() }
                };
                const SIZE: isize = size_of::<$float>() as isize;
                if stride == SIZE {
                    block_sum(n, -0.0, |i| at(i as isize * SIZE))
                } else {
                    block_sum(n, -0.0, |i| at(i as isize * stride))
                }
            }
    };
}

floats! {
    f32 run_f32 wide_f32;
    f64 run_f64 wide_f64;
}

/// # Safety
/// `n` halves are at `data`, `stride` bytes apart.
unsafe fn run_half(data: *const u8, n: usize, stride: isize) -> f32 {
    if n > BLOCK {
        let first = half_of(n);
        let rest = data.wrapping_offset(stride * first as isize);
        // SAFETY: the first part of the run.
        let low = unsafe { run_half(data, first, stride) };
        // SAFETY: the rest of the run.
        return low + unsafe { run_half(rest, n - first, stride) };
    }
    block_sum(n, -0.0, |i| {
        let at = data.wrapping_offset(i as isize * stride);
        // SAFETY: `block_sum` asks for indices below `n` only.
        f16_to_f32(unsafe { at.cast::<u16>().read_unaligned() })
    })
}

/// The run is summed in f32 and rounded once.
impl Sum for Half {
    type Run = f32;

    unsafe fn run(data: *const u8, n: usize, stride: isize) -> f32 {
        // SAFETY: the caller's promise is the same.
        unsafe { run_half(data, n, stride) }
    }

    fn joined(low: f32, high: f32) -> f32 {
        low + high
    }

    fn plus(self, run: f32) -> Half {
        Half(f16_from_f32(self.single() + run))
    }
}

macro_rules! complex {
    ($($float:ident $run:ident;)*) => {
        $(
            /// Parts are summed side by side: blocks of up to 64 numbers in 4 running sums.
            ///
            /// # Safety
            /// `n` complex numbers are at `data`, `stride` bytes apart.
            unsafe fn $run(data: *const u8, n: usize, stride: isize) -> Pair<$float> {
                if 2 * n > BLOCK {
                    let first = half_of(2 * n) / 2;
                    let rest = data.wrapping_offset(stride * first as isize);
                    // SAFETY: the first part of the run.
                    let low = unsafe { $run(data, first, stride) };
                    // SAFETY: the rest of the run.
                    return low.add(unsafe { $run(rest, n - first, stride) });
                }
                let at = |i: usize| {
                    let at = data.wrapping_offset(i as isize * stride);
                    // SAFETY: only indices below `n` are asked for.
                    unsafe { at.cast::<Pair<$float>>().read_unaligned() }
                };
                if n < 4 {
                    return (0..n).fold(Pair { re: -0.0, im: -0.0 }, |sum, i| sum.add(at(i)));
                }
                let mut sums = [at(0), at(1), at(2), at(3)];
                let whole = n - n % 4;
                for i in (4..whole).step_by(4) {
                    for (lane, sum) in sums.iter_mut().enumerate() {
                        *sum = sum.add(at(i + lane));
                    }
                }
                let [a, b, c, d] = sums;
                (whole..n).fold(a.add(b).add(c.add(d)), |sum, i| sum.add(at(i)))
            }

            impl Sum for Pair<$float> {
                type Run = Self;

                unsafe fn run(data: *const u8, n: usize, stride: isize) -> Self {
                    // SAFETY: the caller's promise is the same.
                    unsafe { $run(data, n, stride) }
                }

                fn half_of(n: usize) -> usize {
                    half_of(2 * n) / 2
                }

                fn joined(low: Self, high: Self) -> Self {
                    low.add(high)
                }

                fn plus(self, run: Self) -> Self {
                    self.add(run)
                }
            }
        )*
    };
}

complex! {
    f32 run_c64;
    f64 run_c128;
}

/// Integers wrap, so their order does not matter; nor does that of times, of which NaT is the sum with any.
macro_rules! integers {
    ($($int:ty),*) => {
        $(impl Sum for $int {
            type Run = $int;

            unsafe fn run(data: *const u8, n: usize, stride: isize) -> $int {
                if stride == size_of::<$int>() as isize && data.cast::<$int>().is_aligned() {
                    // SAFETY: the caller says that `n` elements are there; they are aligned and without gaps.
                    return sum_of(unsafe { std::slice::from_raw_parts(data.cast::<$int>(), n) });
                }
                (0..n as isize).fold(<$int>::default(), |sum, i| {
                    let at = data.wrapping_offset(i * stride);
                    // SAFETY: the caller says that `n` elements are there.
                    sum.add(unsafe { at.cast::<$int>().read_unaligned() })
                })
            }

            fn joined(low: $int, high: $int) -> $int {
                low.add(high)
            }

            fn plus(self, run: $int) -> $int {
                self.add(run)
            }
        })*
    };
}

widest! {
    /// In any order: integers wrap.
    fn sum_of[T: Element](run: &[T]) -> T {
        run.iter().fold(T::default(), |sum, &x| sum.add(x))
    }
}

integers!(Bool, i8, i16, i32, i64, u8, u16, u32, u64, Time);

#[cfg(test)]
mod tests {
    use super::*;
    use numbra_abi::small_floats::f16_from_f64;

    fn values(n: usize) -> Vec<f64> {
        (0..n).map(|i| 1.0 / (i as f64 + 1.0)).collect()
    }

    /// `np.sum(1 / np.arange(1, n + 1))` of NumPy 2.4 by its bits, in f64, f32 and half.
    #[test]
    fn bits_of_numpy() {
        for (n, double, single, half) in [
            (0_usize, 0_u64, 0_u32, 0_u16),
            (1, 0x3ff0_0000_0000_0000, 0x3f80_0000, 0x3c00),
            (7, 0x4004_be2b_e2be_2be2, 0x4025_f160, 0x412f),
            (8, 0x4005_be2b_e2be_2be2, 0x402d_f160, 0x416f),
            (100, 0x4014_bfdf_e459_1243, 0x40a5_ff01, 0x4530),
            (129, 0x4015_c37b_0914_9ba9, 0x40ae_1bda, 0x4571),
            (1000, 0x401d_f11f_45f4_e61a, 0x40ef_88fc, 0x477c),
            (100_003, 0x4028_2e2b_90cc_21fa, 0x4141_715d, 0x4a0b),
        ] {
            let x = values(n);
            let singles: Vec<f32> = x.iter().map(|&x| x as f32).collect();
            let halves: Vec<u16> = x.iter().map(|&x| f16_from_f64(x)).collect();
            // SAFETY: `n` floats are there.
            let sum = unsafe { 0.0_f64.plus_run(x.as_ptr().cast(), n, 8) };
            assert_eq!(sum.to_bits(), double, "{n}");
            // SAFETY: `n` floats are there.
            let sum = unsafe { 0.0_f32.plus_run(singles.as_ptr().cast(), n, 4) };
            assert_eq!(sum.to_bits(), single, "{n}");
            // SAFETY: `n` halves are there.
            let sum = unsafe { Half(0).plus_run(halves.as_ptr().cast(), n, 2) };
            assert_eq!(sum, Half(half), "{n}");
        }
    }

    /// `np.sum(x + 1j * x[::-1])`
    #[test]
    fn bits_of_numpy_complex() {
        for (n, re, im) in [
            (8, 0x4005_be2b_e2be_2be3_u64, 0x4005_be2b_e2be_2be3_u64),
            (100, 0x4014_bfdf_e459_1242, 0x4014_bfdf_e459_1243),
            (1000, 0x401d_f11f_45f4_e61b, 0x401d_f11f_45f4_e61a),
            (100_003, 0x4028_2e2b_90cc_21fa, 0x4028_2e2b_90cc_21f9),
        ] {
            let x = values(n);
            let pairs = x.iter().zip(x.iter().rev());
            let z: Vec<Pair<f64>> = pairs.map(|(&re, &im)| Pair { re, im }).collect();
            let zero: Pair<f64> = Pair::default();
            // SAFETY: `n` complex numbers are there.
            let sum = unsafe { zero.plus_run(z.as_ptr().cast(), n, 16) };
            assert_eq!((sum.re.to_bits(), sum.im.to_bits()), (re, im), "{n}");
        }
    }

    #[test]
    fn strides_do_not_change_sums() {
        let x = values(1000);
        let spread: Vec<f64> = x.iter().flat_map(|&v| [v, 9.0]).collect();
        // SAFETY: 1000 floats are there.
        let dense = unsafe { 0.0_f64.plus_run(x.as_ptr().cast(), 1000, 8) };
        // SAFETY: 1000 pairs are there.
        let strided = unsafe { 0.0_f64.plus_run(spread.as_ptr().cast(), 1000, 16) };
        assert_eq!(dense.to_bits(), strided.to_bits());
    }
}
