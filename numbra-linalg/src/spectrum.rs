//! Eigenvalues and singular values with their vectors.

use crate::Matrix;
use crate::workspace::{Zero, scratch};
use faer::diag::DiagMut;
use faer::dyn_stack::MemStack;
use faer::linalg::evd::{self, ComputeEigenvectors};
use faer::linalg::svd::{self, ComputeSvdVectors};
use faer::traits::ComplexField;
use faer::{Par, c64};
use numbra_memory::{Gather, filled};

/// `U`, singular values and `V`, with the columns that `vectors` says.
fn singular<T: ComplexField<Real = f64> + Zero>(
    a: &Matrix<T>,
    vectors: ComputeSvdVectors,
) -> Option<(Matrix<T>, Vec<f64>, Matrix<T>)> {
    let (rows, cols) = (a.rows(), a.cols());
    let least = rows.min(cols);
    let width = |all| match vectors {
        ComputeSvdVectors::No => 0,
        ComputeSvdVectors::Thin => least,
        ComputeSvdVectors::Full => all,
    };
    let mut u = Matrix::zeros(rows, width(rows));
    let mut v = Matrix::zeros(cols, width(cols));
    let mut values = filled(least, T::ZERO);
    let wanted = vectors != ComputeSvdVectors::No;
    let settings = faer::prelude::default;
    let need = svd::svd_scratch::<T>(rows, cols, vectors, vectors, Par::Seq, settings());
    let done = svd::svd(
        a.view(),
        DiagMut::from_slice_mut(&mut values),
        wanted.then(|| u.view_mut()),
        wanted.then(|| v.view_mut()),
        Par::Seq,
        MemStack::new(&mut scratch(need)),
        settings(),
    );
    done.ok()?;
    Some((u, values.iter().map(real).gathered(), v))
}

/// What [`crate::Factor::svd`] says.
pub(crate) fn svd<T: ComplexField<Real = f64> + Zero>(
    a: &Matrix<T>,
    full: bool,
) -> Option<(Matrix<T>, Vec<f64>, Matrix<T>)> {
    let vectors = match full {
        true => ComputeSvdVectors::Full,
        false => ComputeSvdVectors::Thin,
    };
    let (u, values, v) = singular(a, vectors)?;
    let vt = Matrix::made(v.cols(), v.rows(), |i, j| T::conj_impl(&v.at(j, i)));
    Some((u, values, vt))
}

/// What [`crate::Factor::singular_values`] says.
pub(crate) fn singular_values<T: ComplexField<Real = f64> + Zero>(
    a: &Matrix<T>,
) -> Option<Vec<f64>> {
    singular(a, ComputeSvdVectors::No).map(|(_, values, _)| values)
}

/// Eigenvalues of a self-adjoint matrix, and their vectors if they are wanted.
fn self_adjoint<T: ComplexField<Real = f64> + Zero>(
    a: &Matrix<T>,
    wanted: bool,
) -> Option<(Vec<f64>, Matrix<T>)> {
    let n = a.rows();
    let mut vectors = Matrix::zeros(n, if wanted { n } else { 0 });
    let mut values = filled(n, T::ZERO);
    let settings = faer::prelude::default;
    let need = evd::self_adjoint_evd_scratch::<T>(n, compute(wanted), Par::Seq, settings());
    let done = evd::self_adjoint_evd(
        a.view(),
        DiagMut::from_slice_mut(&mut values),
        wanted.then(|| vectors.view_mut()),
        Par::Seq,
        MemStack::new(&mut scratch(need)),
        settings(),
    );
    done.ok()?;
    Some((values.iter().map(real).gathered(), vectors))
}

fn compute(wanted: bool) -> ComputeEigenvectors {
    match wanted {
        true => ComputeEigenvectors::Yes,
        false => ComputeEigenvectors::No,
    }
}

/// What [`crate::Factor::eigh`] says.
pub(crate) fn eigh<T: ComplexField<Real = f64> + Zero>(
    a: &Matrix<T>,
) -> Option<(Vec<f64>, Matrix<T>)> {
    self_adjoint(a, true)
}

/// What [`crate::Factor::eigvalsh`] says.
pub(crate) fn eigvalsh<T: ComplexField<Real = f64> + Zero>(a: &Matrix<T>) -> Option<Vec<f64>> {
    self_adjoint(a, false).map(|(values, _)| values)
}

/// Eigenvalues of a matrix of real numbers, and their vectors if they are wanted, not normalised.
pub(crate) fn eig_real(a: &Matrix<f64>, wanted: bool) -> Option<(Vec<c64>, Matrix<c64>)> {
    let n = a.rows();
    let mut parts = Matrix::zeros(n, if wanted { n } else { 0 });
    let (mut re, mut im) = (filled(n, 0.0), filled(n, 0.0));
    let (left, right) = (ComputeEigenvectors::No, compute(wanted));
    let settings = faer::prelude::default;
    let need = evd::evd_scratch::<f64>(n, left, right, Par::Seq, settings());
    let done = evd::evd_real(
        a.view(),
        DiagMut::from_slice_mut(&mut re),
        DiagMut::from_slice_mut(&mut im),
        None,
        wanted.then(|| parts.view_mut()),
        Par::Seq,
        MemStack::new(&mut scratch(need)),
        settings(),
    );
    done.ok()?;
    let values = re.iter().zip(&im).map(|(&re, &im)| c64::new(re, im));
    let values = values.gathered();
    // A pair of conjugate values has the parts of its vectors in two columns.
    let mut second = filled(n, false);
    for j in 1..n {
        second[j] = im[j] != 0.0 && !second[j - 1];
    }
    let vectors = Matrix::made(n, parts.cols(), |i, j| match (im[j] != 0.0, second[j]) {
        (false, _) => c64::new(parts.at(i, j), 0.0),
        (true, false) => c64::new(parts.at(i, j), parts.at(i, j + 1)),
        (true, true) => c64::new(parts.at(i, j - 1), -parts.at(i, j)),
    });
    Some((values, vectors))
}

/// Eigenvalues of a matrix of complex numbers, and their vectors if they are wanted, not normalised.
pub(crate) fn eig_complex(a: &Matrix<c64>, wanted: bool) -> Option<(Vec<c64>, Matrix<c64>)> {
    let n = a.rows();
    let mut vectors = Matrix::zeros(n, if wanted { n } else { 0 });
    let mut values = filled(n, c64::default());
    let (left, right) = (ComputeEigenvectors::No, compute(wanted));
    let settings = faer::prelude::default;
    let need = evd::evd_scratch::<c64>(n, left, right, Par::Seq, settings());
    let done = evd::evd_cplx::<f64>(
        a.view(),
        DiagMut::from_slice_mut(&mut values),
        None,
        wanted.then(|| vectors.view_mut()),
        Par::Seq,
        MemStack::new(&mut scratch(need)),
        settings(),
    );
    done.ok()?;
    Some((values, vectors))
}

/// What [`crate::Factor::eig`] says.
pub(crate) fn normalised(values: Vec<c64>, mut vectors: Matrix<c64>) -> (Vec<c64>, Matrix<c64>) {
    for j in 0..vectors.cols() {
        normalise(vectors.col_mut(j));
    }
    (values, vectors)
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
