//! Orthonormal columns and an upper triangle, with the signs of LAPACK's `geqrf`.

use crate::Matrix;
use faer::c64;

/// By blocks of reflectors.
pub(crate) fn real(a: &Matrix<f64>) -> (Matrix<f64>, Matrix<f64>) {
    let factors = a.view().qr();
    let q = factors.compute_thin_Q();
    (Matrix::of(q.as_ref()), Matrix::of(factors.thin_R()))
}

/// By one reflector after another, each of which makes the diagonal of the triangle real: blocks of faer's do not.
pub(crate) fn complex(a: &Matrix<c64>) -> (Matrix<c64>, Matrix<c64>) {
    let (rows, cols) = (a.rows(), a.cols());
    let least = rows.min(cols);
    let mut work = a.clone();
    let mut reflectors = Vec::with_capacity(least);
    for i in 0..least {
        let (scale, vector) = reflector(&mut work.col_mut(i)[i..]);
        for j in i + 1..cols {
            reflect(&vector, scale.conj(), &mut work.col_mut(j)[i..]);
        }
        reflectors.push((scale, vector));
    }
    let (zero, one) = (c64::default(), c64::new(1.0, 0.0));
    let mut q = Matrix::new(rows, least, vec![zero; rows * least]);
    for (i, (scale, vector)) in reflectors.iter().enumerate().rev() {
        q.col_mut(i)[i] = one;
        for j in i..least {
            reflect(vector, *scale, &mut q.col_mut(j)[i..]);
        }
    }
    let mut r = Matrix::new(least, cols, vec![zero; least * cols]);
    for j in 0..cols {
        let filled = least.min(j + 1);
        r.col_mut(j)[..filled].copy_from_slice(&work.col(j)[..filled]);
    }
    (q, r)
}

/// The scale and vector of a reflector whose adjoint turns `x` into a multiple of the first axis, which `x` becomes: LAPACK's
/// `zlarfg`.
fn reflector(x: &mut [c64]) -> (c64, Vec<c64>) {
    let head = x[0];
    let rest = x[1..].iter().fold(0.0, |n: f64, z| n.hypot(z.norm()));
    let (zero, one) = (c64::default(), c64::new(1.0, 0.0));
    let mut vector = vec![zero; x.len()];
    vector[0] = one;
    if rest == 0.0 && head.im == 0.0 {
        return (zero, vector);
    }
    let turned = -head.norm().hypot(rest).copysign(head.re);
    for (v, z) in vector.iter_mut().zip(&x[..]).skip(1) {
        *v = *z / (head - turned);
    }
    x.fill(zero);
    x[0] = c64::new(turned, 0.0);
    (
        c64::new((turned - head.re) / turned, -head.im / turned),
        vector,
    )
}

/// `x - scale * vector * (vectorᴴ x)`
fn reflect(vector: &[c64], scale: c64, x: &mut [c64]) {
    let along: c64 = vector.iter().zip(&x[..]).map(|(v, z)| v.conj() * z).sum();
    let along = along * scale;
    for (v, z) in vector.iter().zip(x) {
        *z -= along * v;
    }
}
