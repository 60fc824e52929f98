"""`numpy.linalg` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def cholesky(a: Any) -> Any:
    r"""The lower triangular factor of a positive definite matrix, of which the lower triangle is read."""

def cond(x: Any, p: Any = None) -> Any:
    r"""Condition number for a norm of the order `p`; infinite where it would be NaN."""

def det(a: Any) -> Any:
    r"""Determinant, in double precision."""

def eig(a: Any) -> Any:
    r"""Eigenvalues and eigenvectors of the matrix's own type: ValueError if those of a real matrix are complex."""

def eigh(a: Any) -> Any:
    r"""Eigenvalues and eigenvectors of a self-adjoint matrix, of which the lower triangle is read."""

def eigvals(a: Any) -> Any:
    r"""Eigenvalues of the matrix's own type: ValueError if those of a real matrix are complex."""

def eigvalsh(a: Any) -> Any:
    r"""Eigenvalues of a self-adjoint matrix, of which the lower triangle is read."""

def inv(a: Any) -> Any:
    r"""The inverse."""

def lstsq(a: Any, b: Any, rcond: Any = -1.0) -> Any:
    r"""The shortest solution with the least squares of errors; sums of these; rank; singular values. Singular values below `rcond` times the largest count as 0."""

def matrix_power(a: Any, n: Any) -> Any:
    r"""A matrix to an integer power."""

def matrix_rank(A: Any, tol: Any = None) -> Any:
    r"""Number of singular values above `tol`; of a vector 1 unless it is 0."""

def norm(x: Any, ord: Any = None) -> Any:
    r"""Norm of a vector or matrix."""

def pinv(a: Any, rcond: Any = 1e-15) -> Any:
    r"""The pseudo-inverse; singular values up to `rcond` times the largest count as 0."""

def qr(a: Any) -> Any:
    r"""Orthonormal columns and an upper triangle."""

def slogdet(a: Any) -> Any:
    r"""Sign and logarithm of the determinant, in double precision."""

def solve(a: Any, b: Any) -> Any:
    r"""The solution of a system of equations, for one or several right sides."""

def svd(a: Any, full_matrices: Any = 1) -> Any:
    r"""Orthonormal columns, singular values from the largest on, orthonormal rows."""

