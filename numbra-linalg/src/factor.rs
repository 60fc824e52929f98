//! Factorisations, for each type of double precision.

use crate::{Lu, Matrix, Number, lu, orthogonal, spectrum};
use faer::c64;

/// A number that matrices are factorised of.
///
/// `None` says that an iteration did not converge, or what else is written.
/// Numbers must be finite, except for [`Factor::lu`] and [`Factor::cholesky`].
pub trait Factor: Number {
    /// Factors of a square matrix. Where no pivot is left a diagonal element of U is 0, and later ones may be NaN.
    fn lu(a: Matrix<Self>) -> Lu<Self>;

    /// Solves `A x = b` for each column of `b`.
    fn solve(lu: &Lu<Self>, b: &mut Matrix<Self>);

    /// The inverse of `A`.
    fn inverse(lu: &Lu<Self>) -> Matrix<Self>;

    /// Lower triangular `L` with `L Lᴴ` the matrix whose lower triangle is that of `a`; `None` if it is not positive definite.
    fn cholesky(a: &Matrix<Self>) -> Option<Matrix<Self>>;

    /// Orthonormal columns, and an upper triangle: the first `min(rows, cols)`.
    fn qr(a: &Matrix<Self>) -> (Matrix<Self>, Matrix<Self>);

    /// `U`, singular values from the largest on, `Vᴴ`; all columns of `U` and rows of `Vᴴ`, or the first `min(rows, cols)`.
    fn svd(a: &Matrix<Self>, full: bool) -> Option<(Matrix<Self>, Vec<f64>, Matrix<Self>)>;

    /// Singular values from the largest on.
    fn singular_values(a: &Matrix<Self>) -> Option<Vec<f64>>;

    /// Eigenvalues from the smallest on and orthonormal eigenvectors of the self-adjoint matrix with the lower triangle of `a`.
    fn eigh(a: &Matrix<Self>) -> Option<(Vec<f64>, Matrix<Self>)>;

    /// The eigenvalues of [`Factor::eigh`].
    fn eigvalsh(a: &Matrix<Self>) -> Option<Vec<f64>>;

    /// Eigenvalues and eigenvectors of length 1, whose largest element is real.
    fn eig(a: &Matrix<Self>) -> Option<(Vec<c64>, Matrix<c64>)>;

    /// The eigenvalues of [`Factor::eig`].
    fn eigvals(a: &Matrix<Self>) -> Option<Vec<c64>>;
}

macro_rules! factors {
    ($($number:ident $qr:ident $eig:ident;)*) => {
        $(impl Factor for $number {
            fn lu(a: Matrix<$number>) -> Lu<$number> {
                lu::new(a)
            }

            fn solve(lu: &Lu<$number>, b: &mut Matrix<$number>) {
                lu.solve_in_place(b);
            }

            fn inverse(lu: &Lu<$number>) -> Matrix<$number> {
                lu.inverse_of()
            }

            fn cholesky(a: &Matrix<$number>) -> Option<Matrix<$number>> {
                lu::cholesky(a)
            }

            fn qr(a: &Matrix<$number>) -> (Matrix<$number>, Matrix<$number>) {
                orthogonal::$qr(a)
            }

            fn svd(
                a: &Matrix<$number>,
                full: bool,
            ) -> Option<(Matrix<$number>, Vec<f64>, Matrix<$number>)> {
                spectrum::svd(a, full)
            }

            fn singular_values(a: &Matrix<$number>) -> Option<Vec<f64>> {
                spectrum::singular_values(a)
            }

            fn eigh(a: &Matrix<$number>) -> Option<(Vec<f64>, Matrix<$number>)> {
                spectrum::eigh(a)
            }

            fn eigvalsh(a: &Matrix<$number>) -> Option<Vec<f64>> {
                spectrum::eigvalsh(a)
            }

            fn eig(a: &Matrix<$number>) -> Option<(Vec<c64>, Matrix<c64>)> {
                spectrum::$eig(a, true).map(|(values, vectors)| spectrum::normalised(values, vectors))
            }

            fn eigvals(a: &Matrix<$number>) -> Option<Vec<c64>> {
                spectrum::$eig(a, false).map(|(values, _)| values)
            }
        })*
    };
}

factors! {
    f64 real eig_real;
    c64 complex eig_complex;
}
