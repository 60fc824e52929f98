//! Linear algebra: products, factorisations, systems, eigenvalues.

use crate::row_macro::{native, on_gpu, prelude_at};
use crate::rules::linalg as la;
use crate::{Effects, Few, Inline, Targets, Threads, TypePattern as P};

const NEW: Effects = Effects::READ.and(Effects::ALLOC).and(Effects::RAISE);

library! {
    /// Product of matrices and vectors of one float or complex type; into `out` if there is one.
    fn numpy.dot(a, b, out = Unset) method [array.dot] {
        effects: NEW.and(Effects::WRITE), targets: Targets::Cpu, advice: Some(la::strided_dot),
        bodies: &[on_gpu(&[P::ArrayNd(1), P::ArrayNd(1)], "device_dot"), native(&[P::Any, P::Any], la::dot, "numbra_np_dot").threads(Threads::Number).inline(Inline::Few(Few::Dot)), native(&[P::Any, P::Any, P::Any], la::dot_into, "numbra_np_dot_into")],
    }
    /// `a @ b`: product of matrices and vectors of one float or complex type.
    op operator.matmul(a, b) {
        effects: NEW, targets: Targets::Cpu, advice: Some(la::strided_matmul),
        bodies: &[native(&[P::Any, P::Any], la::matmul, "numbra_np_dot").threads(Threads::Number).inline(Inline::Few(Few::Dot))],
    }
    /// `a @= b`: writes `a @ b` into `a`; ValueError if its shape is another.
    op operator.imatmul(a, b) {
        effects: NEW.and(Effects::WRITE), targets: Targets::Cpu, advice: Some(la::strided_matmul),
        bodies: &[native(&[P::Any, P::Any], la::matmul_in_place, "numbra_np_matmul_in_place")],
    }
    /// Inner product of vectors, the first one conjugated.
    fn numpy.vdot(a, b) {
        effects: NEW, targets: Targets::Cpu, advice: Some(la::strided_vdot),
        bodies: &[on_gpu(&[P::ArrayNd(1), P::ArrayNd(1)], "device_vdot"), native(&[P::Any, P::Any], la::vdot, "numbra_np_vdot")],
    }
    /// Each element of `a` times each of `b`; into `out` if there is one.
    fn numpy.outer(a, b, out = None) {
        effects: NEW.and(Effects::WRITE), targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Any], la::outer, "numbra_np_outer")],
    }
    /// Sum of a diagonal, in double precision.
    fn numpy.trace(a, offset = Int(0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::ArrayNd(2), P::Int], "trace"), prelude_at(&[P::Any, P::Any], la::trace, "trace")],
    }
    /// The lower triangular factor of a positive definite matrix, of which the lower triangle is read.
    fn numpy.linalg.cholesky(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], la::in_c_order, "numbra_np_cholesky")],
    }
    /// Condition number for a norm of the order `p`; infinite where it would be NaN.
    fn numpy.linalg.cond(x, p = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], la::cond, "numbra_np_cond")],
    }
    /// Determinant, in double precision.
    fn numpy.linalg.det(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], la::det, "numbra_np_det")],
    }
    /// Eigenvalues and eigenvectors of the matrix's own type: ValueError if those of a real matrix are complex.
    fn numpy.linalg.eig(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], la::eig, "numbra_np_eig")],
    }
    /// Eigenvalues and eigenvectors of a self-adjoint matrix, of which the lower triangle is read.
    fn numpy.linalg.eigh(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], la::eigh, "numbra_np_eigh")],
    }
    /// Eigenvalues of the matrix's own type: ValueError if those of a real matrix are complex.
    fn numpy.linalg.eigvals(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], la::eigvals, "numbra_np_eigvals")],
    }
    /// Eigenvalues of a self-adjoint matrix, of which the lower triangle is read.
    fn numpy.linalg.eigvalsh(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], la::eigvalsh, "numbra_np_eigvalsh")],
    }
    /// The inverse.
    fn numpy.linalg.inv(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], la::in_fortran_order, "numbra_np_inv")],
    }
    /// The shortest solution with the least squares of errors; sums of these; rank; singular values. Singular values below
    /// `rcond` times the largest count as 0.
    fn numpy.linalg.lstsq(a, b, rcond = Float(-1.0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Any], la::lstsq, "numbra_np_lstsq")],
    }
    /// A matrix to an integer power.
    fn numpy.linalg.matrix_power(a, n) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], la::matrix_power, "numbra_np_matrix_power")],
    }
    /// Number of singular values above `tol`; of a vector 1 unless it is 0.
    fn numpy.linalg.matrix_rank(A, tol = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], la::matrix_rank, "numbra_np_matrix_rank")],
    }
    /// Norm of a vector or matrix.
    fn numpy.linalg.norm(x, ord = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::ArrayNd(1), P::None], "device_norm_of_vector"), on_gpu(&[P::Array, P::None], "device_norm"), native(&[P::Any, P::Any], la::norm, "numbra_np_norm").inline(Inline::Few(Few::Norm))],
    }
    /// The pseudo-inverse; singular values up to `rcond` times the largest count as 0.
    fn numpy.linalg.pinv(a, rcond = Float(1e-15)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], la::pinv, "numbra_np_pinv")],
    }
    /// Orthonormal columns and an upper triangle.
    fn numpy.linalg.qr(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], la::qr, "numbra_np_qr")],
    }
    /// Roots of a polynomial whose highest coefficient is first, of the coefficients' own type: ValueError if those of real
    /// coefficients are complex.
    fn numpy.roots(p) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], la::roots, "numbra_np_roots")],
    }
    /// Sign and logarithm of the determinant, in double precision.
    fn numpy.linalg.slogdet(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], la::slogdet, "numbra_np_slogdet")],
    }
    /// The solution of a system of equations, for one or several right sides.
    fn numpy.linalg.solve(a, b) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], la::solve, "numbra_np_solve")],
    }
    /// Orthonormal columns, singular values from the largest on, orthonormal rows.
    fn numpy.linalg.svd(a, full_matrices = Int(1)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], la::svd, "numbra_np_svd")],
    }
}
