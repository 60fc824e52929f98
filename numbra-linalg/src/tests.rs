use crate::{Factor, Matrix, Number, Operand, c32, c64};

/// Numbers between -1 and 1 that look random.
fn numbers(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as f64 / f64::from(1 << 30) - 1.0
    };
    (0..n).map(|_| next()).collect()
}

fn complex(n: usize, seed: u64) -> Vec<c64> {
    let parts = numbers(2 * n, seed);
    parts.chunks(2).map(|z| c64::new(z[0], z[1])).collect()
}

/// `a b` by its definition, column after column.
fn product(a: &Matrix<c64>, b: &Matrix<c64>) -> Matrix<c64> {
    let mut data = Vec::new();
    for j in 0..b.cols() {
        for i in 0..a.rows() {
            data.push((0..a.cols()).map(|k| a.col(k)[i] * b.col(j)[k]).sum());
        }
    }
    Matrix::new(a.rows(), b.cols(), data)
}

fn real(m: &Matrix<f64>) -> Matrix<c64> {
    m.map(|x| c64::new(x, 0.0))
}

fn diagonal(values: &[c64]) -> Matrix<c64> {
    let n = values.len();
    let mut m = Matrix::new(n, n, vec![c64::default(); n * n]);
    for (i, &x) in values.iter().enumerate() {
        m.col_mut(i)[i] = x;
    }
    m
}

#[track_caller]
fn same(a: &Matrix<c64>, b: &Matrix<c64>) {
    assert_eq!((a.rows(), a.cols()), (b.rows(), b.cols()));
    for (x, y) in a.data().iter().zip(b.data()) {
        assert!((x - y).norm() < 1e-11, "{x} {y}");
    }
}

#[test]
fn products_in_any_order_and_by_threads() {
    for (m, k, n) in [
        (1, 1, 1),
        (3, 4, 5),
        (1, 7, 2),
        (40, 1, 9),
        (300, 200, 290),
        (30, 500, 900),
    ] {
        let (a, b) = (numbers(m * k, 1), numbers(k * n, 2));
        for order in 0..4 {
            let left = Operand {
                data: &a,
                rows: m,
                cols: k,
                fortran: order & 1 == 1,
            };
            let right = Operand {
                data: &b,
                rows: k,
                cols: n,
                fortran: order & 2 == 2,
            };
            let mut c = vec![f64::NAN; m * n];
            f64::multiply(&mut c, left, right);
            let at = |x: Operand<'_, f64>, i: usize, j: usize| {
                x.data[if x.fortran {
                    j * x.rows + i
                } else {
                    i * x.cols + j
                }]
            };
            for (i, j) in [(0, 0), (m - 1, n - 1), (m / 2, n / 3)] {
                let want: f64 = (0..k).map(|l| at(left, i, l) * at(right, l, j)).sum();
                assert!((c[i * n + j] - want).abs() < 1e-11);
            }
        }
    }
}

/// `a x` and `x a` by their definition, for a matrix in either order.
fn by_vectors<T: Number>(from: impl Fn(c64) -> T, wide: impl Fn(T) -> c64, tolerance: f64) {
    for (m, n) in [
        (0, 3),
        (3, 0),
        (1, 1),
        (1, 40),
        (40, 1),
        (2, 2),
        (5, 3),
        (4, 16),
        (7, 33),
        (64, 64),
        (33, 131),
    ] {
        let a: Vec<T> = complex(m * n, 1).into_iter().map(&from).collect();
        let x: Vec<T> = complex(n, 2).into_iter().map(&from).collect();
        for fortran in [false, true] {
            let matrix = Operand {
                data: &a,
                rows: m,
                cols: n,
                fortran,
            };
            let column = Operand {
                data: &x,
                rows: n,
                cols: 1,
                fortran,
            };
            let at = |i: usize, j: usize| a[if fortran { j * m + i } else { i * n + j }];
            let want: Vec<c64> = (0..m)
                .map(|i| (0..n).map(|j| wide(at(i, j)) * wide(x[j])).sum())
                .collect();
            let mut c: Vec<T> = vec![from(c64::new(f64::NAN, f64::NAN)); m];
            T::multiply(&mut c, matrix, column);
            let near = |c: &[T]| {
                c.iter()
                    .zip(&want)
                    .all(|(&c, w)| (wide(c) - w).norm() < tolerance)
            };
            assert!(near(&c), "{m} {n} {fortran}");
            // The same numbers: the transposed matrix from the other side.
            let (matrix, row) = (
                Operand {
                    rows: n,
                    cols: m,
                    fortran: !fortran,
                    ..matrix
                },
                Operand {
                    rows: 1,
                    cols: n,
                    ..column
                },
            );
            let mut c: Vec<T> = vec![from(c64::new(f64::NAN, f64::NAN)); m];
            T::multiply(&mut c, row, matrix);
            assert!(near(&c), "{m} {n} {fortran} from the left");
        }
    }
}

#[test]
fn products_with_vectors() {
    let double = |z: c32| c64::new(f64::from(z.re), f64::from(z.im));
    by_vectors(|z| z, |z| z, 1e-12);
    by_vectors(|z| c32::new(z.re as f32, z.im as f32), double, 1e-4);
    by_vectors(|z| z.re, |x| c64::new(x, 0.0), 1e-12);
    by_vectors(|z| z.re as f32, |x| c64::new(f64::from(x), 0.0), 1e-4);
}

#[test]
fn inner_products_conjugate_the_first() {
    let (x, y) = (complex(9, 1), complex(9, 2));
    let plain: c64 = x.iter().zip(&y).map(|(a, b)| a * b).sum();
    let conjugate: c64 = x.iter().zip(&y).map(|(a, b)| a.conj() * b).sum();
    assert!((c64::inner(&x, &y, false) - plain).norm() < 1e-13);
    assert!((c64::inner(&x, &y, true) - conjugate).norm() < 1e-13);
    assert_eq!(f32::inner(&[], &[], false), 0.0);
}

#[test]
fn elimination_solves_and_inverts() {
    for n in [1, 2, 5, 33] {
        let a = Matrix::new(n, n, numbers(n * n, 3));
        let lu = f64::lu(a.clone());
        let mut x = Matrix::new(n, 2, numbers(2 * n, 4));
        let b = x.clone();
        f64::solve(&lu, &mut x);
        same(&product(&real(&a), &real(&x)), &real(&b));
        let one = diagonal(&vec![c64::new(1.0, 0.0); n]);
        same(&product(&real(&a), &real(&f64::inverse(&lu))), &one);
    }
    let lu = f64::lu(Matrix::new(2, 2, vec![1.0, 2.0, 2.0, 4.0]));
    assert!(lu.diagonal().any(|x| x == 0.0));
    assert!(f64::lu(Matrix::new(2, 2, vec![0.0, 1.0, 1.0, 0.0])).is_odd());
}

#[test]
fn triangles_give_the_matrix_back() {
    for (m, n) in [(4, 4), (6, 3), (3, 6)] {
        let a = Matrix::new(m, n, complex(m * n, 5));
        let (q, r) = c64::qr(&a);
        same(&product(&q, &r), &a);
        assert!((1..r.rows()).all(|i| r.col(0)[i] == c64::default()));
    }
    let l = f64::cholesky(&Matrix::new(2, 2, vec![4.0, 2.0, f64::NAN, 5.0]));
    assert_eq!(l, Some(Matrix::new(2, 2, vec![2.0, 1.0, 0.0, 2.0])));
    assert_eq!(f64::cholesky(&Matrix::new(1, 1, vec![-1.0])), None);
    assert_eq!(f64::cholesky(&Matrix::new(1, 1, vec![f64::NAN])), None);
}

#[test]
fn singular_values_give_the_matrix_back() {
    for (m, n) in [(4, 4), (6, 3), (3, 6)] {
        let a = Matrix::new(m, n, complex(m * n, 6));
        let (u, s, vt) = c64::svd(&a, false).expect("converges");
        let middle = diagonal(&s.iter().map(|&x| c64::new(x, 0.0)).collect::<Vec<_>>());
        same(&product(&product(&u, &middle), &vt), &a);
        let (u, _, vt) = c64::svd(&a, true).expect("converges");
        assert_eq!((u.cols(), vt.rows()), (m, n));
        let alone = c64::singular_values(&a).expect("converges");
        assert!(alone.iter().zip(&s).all(|(a, b)| (a - b).abs() < 1e-12));
    }
}

#[test]
fn eigenvectors_are_turned_into_multiples() {
    let a = Matrix::new(5, 5, numbers(25, 7));
    let (values, vectors) = f64::eig(&a).expect("converges");
    let turned = product(&real(&a), &vectors);
    same(&turned, &product(&vectors, &diagonal(&values)));
    let (values, vectors) = f64::eigh(&a).expect("converges");
    let mut mirrored = a.clone();
    for i in 0..5 {
        for j in i + 1..5 {
            mirrored.col_mut(j)[i] = a.col(i)[j];
        }
    }
    let values: Vec<c64> = values.iter().map(|&x| c64::new(x, 0.0)).collect();
    let turned = product(&real(&mirrored), &real(&vectors));
    same(&turned, &product(&real(&vectors), &diagonal(&values)));
}

/// A product of a matrix with a vector has, row by row, the bits of a product of two vectors.
#[test]
fn rows_have_the_bits_of_inner_products() {
    macro_rules! check {
        ($($number:ident)*) => {
            $(for rows in [1, 2, 3, 8] {
                for inner in 0..100 {
                    let of = |n, seed| numbers(n, seed).into_iter().map(|x| x as $number);
                    let data: Vec<$number> = of(rows * inner, 3).collect();
                    let x: Vec<$number> = of(inner, 4).collect();
                    let a = Operand { data: &data, rows, cols: inner, fortran: false };
                    let b = Operand { data: &x, rows: inner, cols: 1, fortran: false };
                    let mut c = vec![$number::NAN; rows];
                    $number::multiply(&mut c, a, b);
                    for (row, c) in c.iter().enumerate() {
                        let row = &data[row * inner..][..inner];
                        let expected = $number::inner(row, &x, false);
                        assert_eq!(c.to_bits(), expected.to_bits(), "{rows} {inner}");
                    }
                }
            })*
        };
    }
    check!(f32 f64);
}

/// A sum of lines times numbers has the bits of a row of a product of matrices.
#[test]
fn sums_of_lines_have_the_bits_of_products_of_matrices() {
    macro_rules! check {
        ($($number:ident)*) => {
            $(for (inner, columns) in
                [(1, 40), (2, 17), (3, 64), (4, 33), (9, 5), (64, 64), (130, 31), (7, 300)]
            {
                let of = |n, seed| numbers(n, seed).into_iter().map(|x| x as $number);
                let data: Vec<$number> = of(inner * columns, 5).collect();
                let x: Vec<$number> = of(inner, 6).collect();
                let twice = [&x[..], &x[..]].concat();
                let operand = |data, rows, cols, fortran| Operand { data, rows, cols, fortran };
                let product = |a: Operand<'_, $number>, b: Operand<'_, $number>| {
                    let mut c = vec![$number::NAN; a.rows * b.cols];
                    $number::multiply(&mut c, a, b);
                    c
                };
                let matrix = operand(&data, inner, columns, false);
                let expected = product(operand(&twice, 2, inner, false), matrix);
                let row = product(operand(&x, 1, inner, false), matrix);
                assert_eq!(row, expected[..columns], "{inner} {columns}");
                let turned = operand(&data, columns, inner, true);
                let column = product(turned, operand(&x, inner, 1, false));
                assert_eq!(column, row, "{inner} {columns}");
            })*
        };
    }
    check!(f32 f64);
}
