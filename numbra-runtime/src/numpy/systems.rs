//! Systems of equations, determinants, triangular factors.

use super::matrices::{
    Exact, adjoint, check_not_empty, check_square, converged, epsilon, finite, give,
    give_in_fortran_order, matrix, times, with_exact,
};
use super::shapes::operand_shapes;
use crate::array::View;
use crate::elements::{Element, Wide};
use crate::strided::zeros;
use crate::value::{Arg, Failure, Ret, linalg_error, value_error};
use numbra_linalg::{Factor, Lu, Matrix};
use numbra_memory::Grow;

bodies! {
    cholesky = cholesky, 1;
    det = det, 1;
    inv = inv, 1;
    lstsq = lstsq, 3;
    matrix_power = matrix_power, 2;
    pinv = pinv, 2;
    qr = qr, 1;
    slogdet = slogdet, 1;
    solve = solve, 2;
}

/// Factors of a regular matrix.
fn regular<T: Exact>(a: Matrix<T>) -> Result<Lu<T>, Failure> {
    let lu = T::lu(a);
    if lu.diagonal().any(Element::is_zero) {
        return Err(linalg_error("Matrix is singular to machine precision."));
    }
    Ok(lu)
}

/// The inverse of a square array.
pub(super) fn inverse<T: Exact>(view: &View) -> Result<Matrix<T>, Failure> {
    check_square(view)?;
    let a = finite::<T>(view)?;
    if view.len() == 0 {
        return Ok(a);
    }
    Ok(T::inverse(&regular(a)?))
}

/// `(array) -> array`
fn inv(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let view = args[0].array()?;
    with_exact!(view, T => give(ret, &inverse::<T>(view)?))
}

/// `(array, array) -> array`
fn solve(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (left, right) = (args[0].array()?, args[1].array()?);
    with_exact!(left, T => {
        let (a, mut x) = (finite::<T>(left)?, finite::<T>(right)?);
        check_system(left, right)?;
        check_square(left)?;
        if left.len() > 0 {
            T::solve(&regular(a)?, &mut x);
        }
        give_solution(ret, right, &x)
    })
}

fn check_system(left: &View, right: &View) -> Result<(), Failure> {
    if left.shape.first() == right.shape.first() {
        return Ok(());
    }
    Err(linalg_error(format!(
        "Incompatible array sizes, system is not dimensionally valid. The shapes are {}",
        operand_shapes(&[&left.shape, &right.shape])
    )))
}

/// The result is a solution: a vector for a vector on the right side.
fn give_solution<T: Exact>(ret: Ret, right: &View, x: &Matrix<T>) -> Result<(), Failure> {
    if right.ndim() == 1 {
        return ret.vector(x.data());
    }
    give(ret, x)
}

/// `(array, array, rcond) -> (array, array, int32, array)`
fn lstsq(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (left, right) = (args[0].array()?, args[1].array()?);
    let wanted = args[2].float()?;
    with_exact!(left, T => {
        let (a, b) = (finite::<T>(left)?, finite::<T>(right)?);
        check_not_empty(left)?;
        check_not_empty(right)?;
        check_system(left, right)?;
        let (u, s, vt) = converged(T::svd(&a, false))?;
        // A negative limit asks for the machine's precision; rounding grows with the matrix.
        let longest = a.rows().max(a.cols()) as f64;
        let limit = if wanted < 0.0 { epsilon(left) * longest } else { wanted };
        let rank = s.iter().take_while(|&&x| x > limit * s[0]).count();
        let mut y = times(&adjoint(&u), &b);
        for j in 0..y.cols() {
            for (k, x) in y.col_mut(j).iter_mut().enumerate() {
                *x = if k < rank { x.scaled(1.0 / s[k]) } else { T::default() };
            }
        }
        let x = times(&adjoint(&vt), &y);
        let mut errors = Vec::new();
        if rank == a.cols() && a.rows() > a.cols() {
            let there = times(&a, &x);
            for j in 0..b.cols() {
                let differences = there.col(j).iter().zip(b.col(j));
                errors.put(differences.map(|(p, q)| p.sub(*q).modulus().powi(2)).sum::<f64>());
            }
        }
        give_solution(ret.item(0)?, right, &x)?;
        ret.item(1)?.vector(&errors)?;
        ret.item(2)?.scalar(Wide::Int(rank as i64))?;
        ret.item(3)?.vector(&s)
    })
}

/// `(array, rcond) -> array`
fn pinv(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let view = args[0].array()?;
    let limit = args[1].float()?;
    with_exact!(view, T => {
        let a = finite::<T>(view)?;
        if view.len() == 0 {
            return give(ret, &Matrix::<T>::new(a.cols(), a.rows(), Vec::new()));
        }
        let (u, s, vt) = converged(T::svd(&a, false))?;
        let mut v = adjoint(&vt);
        for (j, &x) in s.iter().enumerate() {
            let by = if x > limit * s[0] { 1.0 / x } else { 0.0 };
            for element in v.col_mut(j) {
                *element = element.scaled(by);
            }
        }
        give(ret, &times(&v, &adjoint(&u)))
    })
}

/// Sign and logarithm of the absolute value of a determinant.
fn signed_logarithm<T: Exact>(view: &View) -> Result<(T, f64), Failure> {
    check_square(view)?;
    if view.len() == 0 {
        return Ok((T::one(), 0.0));
    }
    let lu = T::lu(finite::<T>(view)?);
    let mut sign = T::one().scaled(if lu.is_odd() { -1.0 } else { 1.0 });
    let mut logarithm = 0.0;
    for x in lu.diagonal() {
        let size = x.modulus();
        if size == 0.0 {
            return Ok((T::default(), f64::NEG_INFINITY));
        }
        sign = sign.mul(x.scaled(1.0 / size));
        logarithm += size.ln();
    }
    Ok((sign, logarithm))
}

/// `(array) -> scalar`
fn det(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let view = args[0].array()?;
    with_exact!(view, T => {
        let (sign, logarithm) = signed_logarithm::<T>(view)?;
        ret.scalar(sign.scaled(logarithm.exp()).wide())
    })
}

/// `(array) -> (scalar, float64)`
fn slogdet(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let view = args[0].array()?;
    with_exact!(view, T => {
        let (sign, logarithm) = signed_logarithm::<T>(view)?;
        ret.item(0)?.scalar(sign.wide())?;
        ret.item(1)?.scalar(Wide::Float(logarithm))
    })
}

/// `(array) -> array`
fn cholesky(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let view = args[0].array()?;
    check_square(view)?;
    with_exact!(view, T => {
        let a = matrix::<T>(view);
        if view.len() == 0 {
            return give(ret, &a);
        }
        let factor = T::cholesky(&a);
        give(ret, &factor.ok_or_else(|| linalg_error("Matrix is not positive definite."))?)
    })
}

/// `(array) -> (array, array)`
fn qr(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let view = args[0].array()?;
    check_not_empty(view)?;
    with_exact!(view, T => {
        let (q, r) = T::qr(&finite::<T>(view)?);
        give_in_fortran_order(ret.item(0)?, &q)?;
        give(ret.item(1)?, &r)
    })
}

/// `(array, n) -> array`
fn matrix_power(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let view = args[0].array()?;
    let exponent = args[1].int()?;
    with_exact!(view, T => {
        let [rows, cols] = view.shape[..] else {
            return Err(crate::value::bad_call());
        };
        if exponent == 0 {
            return give(ret, &identity::<T>(rows, cols));
        }
        if rows != cols {
            return Err(value_error(format!(
                "input must be a square array, its shape is {}",
                operand_shapes(&[&view.shape])
            )));
        }
        let mut square = if exponent < 0 && rows > 0 {
            inverse::<T>(view)?
        } else {
            matrix::<T>(view)
        };
        let mut left = exponent.unsigned_abs();
        let mut power: Option<Matrix<T>> = None;
        loop {
            if left & 1 == 1 {
                power = Some(match power {
                    Some(power) => times(&power, &square),
                    None => square.clone(),
                });
            }
            left >>= 1;
            match power {
                Some(power) if left == 0 => return give(ret, &power),
                _ => square = times(&square, &square),
            }
        }
    })
}

fn identity<T: Exact>(rows: usize, cols: usize) -> Matrix<T> {
    let mut out = Matrix::new(rows, cols, zeros(rows * cols));
    for j in 0..rows.min(cols) {
        out.col_mut(j)[j] = T::one();
    }
    out
}
