//! Products of a matrix and a vector: each number of the matrix is read once, so what counts is how fast they arrive.
//!
//! Kernels are loops over lanes that `pulp` has compiled for each level of vector instructions. They know real numbers:
//! a complex matrix is one of pairs, multiplied at once by the real parts of a vector and by its imaginary parts.

use faer::{c32, c64};
use pulp::bytemuck::{self, Pod, Zeroable};
use pulp::{Arch, Simd, WithSimd};
use std::ops::{AddAssign, Mul};

/// A real number of a kernel.
pub(crate) trait Real: Pod + Default + AddAssign + Mul<Output = Self> {
    /// As many as a register holds.
    type Lanes<S: Simd>: Pod;

    /// Whole registers of a slice, and what is left.
    fn lanes<S: Simd>(numbers: &[Self]) -> (&[Self::Lanes<S>], &[Self]);

    /// As [`Real::lanes`], to write.
    fn lanes_mut<S: Simd>(numbers: &mut [Self]) -> (&mut [Self::Lanes<S>], &mut [Self]);

    /// One number in all lanes.
    fn splat<S: Simd>(simd: S, number: Self) -> Self::Lanes<S>;

    /// `a + b`, lane by lane.
    fn add<S: Simd>(simd: S, a: Self::Lanes<S>, b: Self::Lanes<S>) -> Self::Lanes<S>;

    /// `a b + c`, lane by lane.
    fn mul_add<S: Simd>(
        simd: S,
        a: Self::Lanes<S>,
        b: Self::Lanes<S>,
        c: Self::Lanes<S>,
    ) -> Self::Lanes<S>;
}

macro_rules! lanes {
    ($($number:ident $lanes:ident $read:ident $write:ident $splat:ident $add:ident $mul_add:ident;)*) => {
        $(impl Real for $number {
            type Lanes<S: Simd> = S::$lanes;

            #[inline(always)]
            fn lanes<S: Simd>(numbers: &[$number]) -> (&[S::$lanes], &[$number]) {
                S::$read(numbers)
            }

            #[inline(always)]
            fn lanes_mut<S: Simd>(numbers: &mut [$number]) -> (&mut [S::$lanes], &mut [$number]) {
                S::$write(numbers)
            }

            #[inline(always)]
            fn splat<S: Simd>(simd: S, number: $number) -> S::$lanes {
                simd.$splat(number)
            }

            #[inline(always)]
            fn add<S: Simd>(simd: S, a: S::$lanes, b: S::$lanes) -> S::$lanes {
                simd.$add(a, b)
            }

            #[inline(always)]
            fn mul_add<S: Simd>(simd: S, a: S::$lanes, b: S::$lanes, c: S::$lanes) -> S::$lanes {
                simd.$mul_add(a, b, c)
            }
        })*
    };
}

lanes! {
    f32 f32s as_simd_f32s as_mut_simd_f32s splat_f32s add_f32s mul_add_e_f32s;
    f64 f64s as_simd_f64s as_mut_simd_f64s splat_f64s add_f64s mul_add_e_f64s;
}

/// Sums over the numbers at even and at odd places of a row, each times those of `K` vectors.
type Sums<R, const K: usize> = [[R; 2]; K];

/// Sums of `M` rows.
#[inline(always)]
fn along_rows<S: Simd, R: Real, const M: usize, const K: usize>(
    simd: S,
    rows: [&[R]; M],
    vectors: [&[R]; K],
) -> [Sums<R, K>; M] {
    // Two registers of each row, so that no sum waits for the one before.
    let mut sums = [[[R::Lanes::<S>::zeroed(); 2]; K]; M];
    let mut pairs_of_rows = [&[][..]; M];
    let mut ends_of_rows = [&[][..]; M];
    for m in 0..M {
        (pairs_of_rows[m], ends_of_rows[m]) = pairs::<S, R>(rows[m]);
    }
    let mut pairs_of_vectors = [&[][..]; K];
    let mut ends_of_vectors = [&[][..]; K];
    for k in 0..K {
        (pairs_of_vectors[k], ends_of_vectors[k]) = pairs::<S, R>(vectors[k]);
    }
    let count = pairs_of_vectors[0].len();
    for row in &mut pairs_of_rows {
        *row = &row[..count];
    }
    for vector in &mut pairs_of_vectors {
        *vector = &vector[..count];
    }
    for at in 0..count {
        for m in 0..M {
            let numbers = pairs_of_rows[m][at];
            for k in 0..K {
                let times = pairs_of_vectors[k][at];
                for i in 0..2 {
                    sums[m][k][i] = R::mul_add(simd, numbers[i], times[i], sums[m][k][i]);
                }
            }
        }
    }
    let mut out = [[[R::default(); 2]; K]; M];
    for m in 0..M {
        for k in 0..K {
            let both = R::add(simd, sums[m][k][0], sums[m][k][1]);
            let lanes: &[R] = bytemuck::cast_slice(std::slice::from_ref(&both));
            for pair in lanes.chunks_exact(2) {
                out[m][k][0] += pair[0];
                out[m][k][1] += pair[1];
            }
            let ends = ends_of_rows[m].iter().zip(ends_of_vectors[k]);
            for (i, (&x, &y)) in ends.enumerate() {
                out[m][k][i % 2] += x * y;
            }
        }
    }
    out
}

/// Two registers.
type Pair<R, S> = [<R as Real>::Lanes<S>; 2];

/// Whole pairs of registers of a slice, and what is left.
#[inline(always)]
fn pairs<S: Simd, R: Real>(numbers: &[R]) -> (&[Pair<R, S>], &[R]) {
    let (lanes, _) = R::lanes::<S>(numbers);
    let (pairs, _) = lanes.as_chunks::<2>();
    let taken = size_of_val(pairs) / size_of::<R>();
    (pairs, &numbers[taken..])
}

/// Has `give` have the sums of each row of a matrix in C order, in order; `M` rows are computed together.
struct EachRow<'a, R, G, const M: usize, const K: usize> {
    matrix: &'a [R],
    vectors: [&'a [R]; K],
    give: G,
}

impl<R: Real, G: FnMut(usize, Sums<R, K>), const M: usize, const K: usize> WithSimd
    for EachRow<'_, R, G, M, K>
{
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let n = self.vectors[0].len();
        let mut row = 0;
        let mut groups = self.matrix.chunks_exact(M * n);
        for group in &mut groups {
            let mut rows = [&[][..]; M];
            for (row, numbers) in rows.iter_mut().zip(group.chunks_exact(n)) {
                *row = numbers;
            }
            for sums in along_rows(simd, rows, self.vectors) {
                (self.give)(row, sums);
                row += 1;
            }
        }
        for last in groups.remainder().chunks_exact(n) {
            let [sums] = along_rows(simd, [last], self.vectors);
            (self.give)(row, sums);
            row += 1;
        }
    }
}

/// Has `K` results be the columns of a matrix in Fortran order, each times a number of that result's vector, and added.
struct EachColumn<'a, R, const K: usize> {
    matrix: &'a [R],
    vectors: [&'a [R]; K],
    results: [&'a mut [R]; K],
}

impl<R: Real, const K: usize> WithSimd for EachColumn<'_, R, K> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let m = self.results[0].len();
        let (whole, rest) = R::lanes::<S>(&self.matrix[..m]);
        let mut sums = Partial {
            lanes: vec![[R::Lanes::<S>::zeroed(); K]; whole.len()],
            rest: vec![[R::default(); K]; rest.len()],
        };
        let mut column = 0;
        let mut groups = self.matrix.chunks_exact(4 * m);
        for group in &mut groups {
            sums.add::<S, 4>(simd, group, self.vectors, column);
            column += 4;
        }
        for last in groups.remainder().chunks_exact(m) {
            sums.add::<S, 1>(simd, last, self.vectors, column);
            column += 1;
        }
        for (k, result) in self.results.into_iter().enumerate() {
            let (lanes, rest) = R::lanes_mut::<S>(result);
            for (to, sum) in lanes.iter_mut().zip(&sums.lanes) {
                *to = sum[k];
            }
            for (to, sum) in rest.iter_mut().zip(&sums.rest) {
                *to = sum[k];
            }
        }
    }
}

/// `K` results under way: whole registers, and what is left.
struct Partial<R, L, const K: usize> {
    lanes: Vec<[L; K]>,
    rest: Vec<[R; K]>,
}

impl<R: Real, L: Copy, const K: usize> Partial<R, L, K> {
    /// Adds `N` columns, times the numbers of each vector from `first` on.
    #[inline(always)]
    fn add<S: Simd, const N: usize>(
        &mut self,
        simd: S,
        columns: &[R],
        vectors: [&[R]; K],
        first: usize,
    ) where
        R: Real<Lanes<S> = L>,
    {
        let m = columns.len() / N;
        let mut whole = [&[][..]; N];
        let mut rest = [&[][..]; N];
        for (n, column) in columns.chunks_exact(m).enumerate() {
            let (lanes, ends) = R::lanes::<S>(column);
            whole[n] = &lanes[..self.lanes.len()];
            rest[n] = &ends[..self.rest.len()];
        }
        let mut factors = [[R::default(); N]; K];
        let mut splats = [[R::splat(simd, R::default()); N]; K];
        for k in 0..K {
            for n in 0..N {
                factors[k][n] = vectors[k][first + n];
                splats[k][n] = R::splat(simd, factors[k][n]);
            }
        }
        for (at, sums) in self.lanes.iter_mut().enumerate() {
            for n in 0..N {
                let numbers = whole[n][at];
                for k in 0..K {
                    sums[k] = R::mul_add(simd, numbers, splats[k][n], sums[k]);
                }
            }
        }
        for (at, sums) in self.rest.iter_mut().enumerate() {
            for n in 0..N {
                for k in 0..K {
                    sums[k] += rest[n][at] * factors[k][n];
                }
            }
        }
    }
}

/// A number of matrices that vectors are multiplied with.
pub(crate) trait Entry: Sized {
    /// `c = a x` with `a` in C order: as many rows as `c` has numbers.
    fn rows(c: &mut [Self], a: &[Self], x: &[Self]);

    /// `c = a x` with `a` in Fortran order.
    fn columns(c: &mut [Self], a: &[Self], x: &[Self]);
}

macro_rules! real {
    ($($number:ident)*) => {
        $(impl Entry for $number {
            fn rows(c: &mut [$number], a: &[$number], x: &[$number]) {
                Arch::new().dispatch(EachRow::<_, _, 4, 1> {
                    matrix: a,
                    vectors: [x],
                    give: |row: usize, [[even, odd]]: Sums<$number, 1>| c[row] = even + odd,
                });
            }

            fn columns(c: &mut [$number], a: &[$number], x: &[$number]) {
                Arch::new().dispatch(EachColumn {
                    matrix: a,
                    vectors: [x],
                    results: [c],
                });
            }
        })*
    };
}

real!(f32 f64);

macro_rules! complex {
    ($($number:ident of $real:ident)*) => {
        $(impl Entry for $number {
            fn rows(c: &mut [$number], a: &[$number], x: &[$number]) {
                let a: &[$real] = bytemuck::cast_slice(a);
                let twice = |part: fn(&$number) -> $real| -> Vec<$real> {
                    x.iter().flat_map(|z| [part(z); 2]).collect()
                };
                let (re, im) = (twice(|z| z.re), twice(|z| z.im));
                Arch::new().dispatch(EachRow::<_, _, 2, 2> {
                    matrix: a,
                    vectors: [&re[..], &im[..]],
                    give: |row: usize, [by_re, by_im]: Sums<$real, 2>| {
                        c[row] = $number::new(by_re[0] - by_im[1], by_im[0] + by_re[1]);
                    },
                });
            }

            fn columns(c: &mut [$number], a: &[$number], x: &[$number]) {
                let a: &[$real] = bytemuck::cast_slice(a);
                let (re, im): (Vec<$real>, Vec<$real>) = x.iter().map(|z| (z.re, z.im)).unzip();
                let mut turned = vec![$number::default(); c.len()];
                Arch::new().dispatch(EachColumn {
                    matrix: a,
                    vectors: [&re[..], &im[..]],
                    results: [
                        bytemuck::cast_slice_mut(c),
                        bytemuck::cast_slice_mut(&mut turned),
                    ],
                });
                for (to, z) in c.iter_mut().zip(turned) {
                    *to += $number::new(-z.im, z.re);
                }
            }
        })*
    };
}

complex!(c32 of f32 c64 of f64);
