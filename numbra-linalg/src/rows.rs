//! Products of a matrix with a vector: each row's with it, or the sum of all columns times its numbers.

use crate::product::shared;
use crate::{Number, c32, c64};
use faer::{MatMut, MatRef};
use pulp::{Arch, Simd, WithSimd};

/// A matrix, row after row, the vector, and where the products go.
struct Rows<'a, T> {
    c: &'a mut [T],
    rows: &'a [T],
    x: &'a [T],
}

/// Rows of which the products are summed at once: the sums of one would wait for each other.
const AT_ONCE: usize = 2;
/// Vectors of sums of a row. As many as faer's product of two vectors has, and joined as there: the bits are its.
const SUMS: usize = 4;

/// Lines of a matrix, one after another, their factors, and where the sum of their products goes.
struct Lines<'a, T> {
    c: &'a mut [T],
    lines: &'a [T],
    x: &'a [T],
}

/// Lines that are added at once, one after another.
const ADDED: usize = 4;

/// Products of matrices with a vector that is not empty.
pub(crate) trait Flat: Sized {
    /// Products of all rows with `x`.
    fn by_rows(c: &mut [Self], rows: &[Self], x: &[Self]);

    /// The sum of all lines, each times its number of `x`.
    fn by_lines(c: &mut [Self], lines: &[Self], x: &[Self]);
}

macro_rules! flat {
    ($number:ident: $split:ident $split_mut:ident $part:ident $put:ident $splat:ident $mul_add:ident $add:ident $total:ident) => {
        impl Flat for $number {
            fn by_rows(c: &mut [$number], rows: &[$number], x: &[$number]) {
                Arch::new().dispatch(Rows { c, rows, x });
            }

            fn by_lines(c: &mut [$number], lines: &[$number], x: &[$number]) {
                Arch::new().dispatch(Lines { c, lines, x });
            }
        }

        impl WithSimd for Lines<'_, $number> {
            type Output = ();

            #[inline(always)]
            fn with_simd<S: Simd>(self, simd: S) {
                /// Adds some lines times their numbers.
                #[inline(always)]
                fn add<S: Simd, const N: usize>(
                    simd: S,
                    c: &mut [$number],
                    lines: [&[$number]; N],
                    x: [$number; N],
                ) {
                    let mut factors = [simd.$splat(0.0); N];
                    let mut whole = [S::$split(lines[0]).0; N];
                    let mut ends = [S::$split(lines[0]).1; N];
                    let (c, c_end) = S::$split_mut(c);
                    for line in 0..N {
                        factors[line] = simd.$splat(x[line]);
                        (whole[line], ends[line]) = S::$split(lines[line]);
                        assert_eq!(
                            whole[line].len(),
                            c.len(),
                            "lines are as long as the result"
                        );
                    }
                    for (at, c) in c.iter_mut().enumerate() {
                        let mut sum = *c;
                        for line in 0..N {
                            sum = simd.$mul_add(factors[line], whole[line][at], sum);
                        }
                        *c = sum;
                    }
                    if !c_end.is_empty() {
                        let mut sum = simd.$part(c_end);
                        for line in 0..N {
                            sum = simd.$mul_add(factors[line], simd.$part(ends[line]), sum);
                        }
                        simd.$put(c_end, sum);
                    }
                }

                self.c.fill(0.0);
                let n = self.c.len();
                let (groups, last) = self.x.as_chunks::<ADDED>();
                let mut lines = self.lines;
                for x in groups {
                    let (some, rest) = lines.split_at(ADDED * n);
                    let (low, high) = some.split_at(2 * n);
                    let ((a, b), (c, d)) = (low.split_at(n), high.split_at(n));
                    add(simd, self.c, [a, b, c, d], *x);
                    lines = rest;
                }
                for (x, line) in last.iter().zip(lines.chunks_exact(n)) {
                    add(simd, self.c, [line], [*x]);
                }
            }
        }

        impl WithSimd for Rows<'_, $number> {
            type Output = ();

            #[inline(always)]
            fn with_simd<S: Simd>(self, simd: S) {
                /// The products of some rows.
                #[inline(always)]
                fn products<S: Simd, const N: usize>(
                    simd: S,
                    rows: [&[$number]; N],
                    x: &[$number],
                ) -> [$number; N] {
                    let (x, x_end) = S::$split(x);
                    let (x_groups, x_last) = x.as_chunks::<SUMS>();
                    let mut products = [0.0; N];
                    let mut sums = [[simd.$splat(0.0); SUMS]; N];
                    let mut groups = [x_groups; N];
                    for row in 0..N {
                        groups[row] = S::$split(rows[row]).0.as_chunks::<SUMS>().0;
                        assert_eq!(
                            groups[row].len(),
                            x_groups.len(),
                            "rows are as long as the vector"
                        );
                    }
                    for (at, x) in x_groups.iter().enumerate() {
                        for row in 0..N {
                            for sum in 0..SUMS {
                                let (factor, to) = (groups[row][at][sum], sums[row][sum]);
                                sums[row][sum] = simd.$mul_add(factor, x[sum], to);
                            }
                        }
                    }
                    for row in 0..N {
                        let (whole, end) = S::$split(rows[row]);
                        let last = whole.as_chunks::<SUMS>().1;
                        for sum in 0..x_last.len() {
                            sums[row][sum] = simd.$mul_add(last[sum], x_last[sum], sums[row][sum]);
                        }
                        if !x_end.is_empty() {
                            let sum = x_last.len();
                            let (factor, x) = (simd.$part(end), simd.$part(x_end));
                            sums[row][sum] = simd.$mul_add(factor, x, sums[row][sum]);
                        }
                        let [a, b, c, d] = sums[row];
                        products[row] = simd.$total(simd.$add(simd.$add(a, b), simd.$add(c, d)));
                    }
                    products
                }

                let (two, last) = self.c.as_chunks_mut::<AT_ONCE>();
                let mut rows = self.rows.chunks_exact(self.x.len());
                for c in two {
                    let (Some(a), Some(b)) = (rows.next(), rows.next()) else {
                        return;
                    };
                    *c = products(simd, [a, b], self.x);
                }
                for (c, row) in last.iter_mut().zip(rows) {
                    [*c] = products(simd, [row], self.x);
                }
            }
        }
    };
}

flat!(f32: as_simd_f32s as_mut_simd_f32s partial_load_f32s partial_store_f32s splat_f32s mul_add_e_f32s add_f32s reduce_sum_f32s);
flat!(f64: as_simd_f64s as_mut_simd_f64s partial_load_f64s partial_store_f64s splat_f64s mul_add_e_f64s add_f64s reduce_sum_f64s);

macro_rules! complex {
    ($($number:ident)*) => {
        $(impl Flat for $number {
            fn by_rows(c: &mut [$number], rows: &[$number], x: &[$number]) {
                for (c, row) in c.iter_mut().zip(rows.chunks_exact(x.len())) {
                    *c = $number::inner(row, x, false);
                }
            }

            fn by_lines(c: &mut [$number], lines: &[$number], x: &[$number]) {
                let n = c.len();
                let c = MatMut::from_row_major_slice_mut(c, 1, n);
                let x_row = MatRef::from_row_major_slice(x, 1, x.len());
                shared(c, x_row, MatRef::from_row_major_slice(lines, x.len(), n));
            }
        })*
    };
}

complex!(c32 c64);
