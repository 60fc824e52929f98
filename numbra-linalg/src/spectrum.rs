//! Eigenvalues and singular values with their vectors.

use crate::Matrix;
use faer::linalg::solvers::Eigen;
use faer::traits::ComplexField;
use faer::{Side, c64};

/// What [`crate::Factor::svd`] says.
pub(crate) fn svd<T: ComplexField<Real = f64> + Copy>(
    a: &Matrix<T>,
    full: bool,
) -> Option<(Matrix<T>, Vec<f64>, Matrix<T>)> {
    let factors = if full {
        a.view().svd()
    } else {
        a.view().thin_svd()
    };
    let factors = factors.ok()?;
    let values = factors.S().column_vector().iter().map(real).collect();
    let v = factors.V().adjoint().to_owned();
    Some((Matrix::of(factors.U()), values, Matrix::of(v.as_ref())))
}

/// What [`crate::Factor::eigh`] says.
pub(crate) fn eigh<T: ComplexField<Real = f64> + Copy>(
    a: &Matrix<T>,
) -> Option<(Vec<f64>, Matrix<T>)> {
    let found = a.view().self_adjoint_eigen(Side::Lower).ok()?;
    let values = found.S().column_vector().iter().map(real).collect();
    Some((values, Matrix::of(found.U())))
}

/// What [`crate::Factor::eig`] says.
pub(crate) fn eig(found: Eigen<f64>) -> Option<(Vec<c64>, Matrix<c64>)> {
    let values = found.S().column_vector().iter().copied().collect();
    let mut vectors = Matrix::of(found.U());
    for j in 0..vectors.cols() {
        normalise(vectors.col_mut(j));
    }
    Some((values, vectors))
}

/// Scales to length 1, the largest element of a vector that is not real turned to be real, as LAPACK's `geev`.
fn normalise(vector: &mut [c64]) {
    let largest = vector.iter().fold(0.0, |m: f64, z| m.max(z.re.hypot(z.im)));
    if largest == 0.0 || !largest.is_finite() {
        return;
    }
    let squares: f64 = vector
        .iter()
        .map(|z| (z.re / largest).powi(2) + (z.im / largest).powi(2))
        .sum();
    let length = largest * squares.sqrt();
    let mut turn = c64::new(1.0 / length, 0.0);
    if vector.iter().any(|z| z.im != 0.0) {
        let head = vector
            .iter()
            .copied()
            .find(|z| z.re.hypot(z.im) == largest)
            .unwrap_or(turn);
        turn = head.conj() / (largest * length);
    }
    for z in vector.iter_mut() {
        *z *= turn;
    }
}

fn real<T: ComplexField<Real = f64>>(x: &T) -> f64 {
    T::real_part_impl(x)
}
