//! What linear algebra computes with: arguments as matrices, matrices as results, and the checks of both.

use super::shapes::operand_shapes;
use crate::array::View;
use crate::elements::{Element, Kind, Wide};
use crate::strided::zeros;
use crate::strided::{copy, to_vec};
use crate::value::{Failure, Ret, linalg_error, value_error};
use numbra_linalg::{Factor, Matrix, Number, Operand, c32, c64};
use numbra_memory::room;

macro_rules! complex {
    ($($number:ident $float:ident $kind:ident;)*) => {
        $(impl Element for $number {
            const KIND: Kind = Kind::$kind;
            const HAS_PARTS: bool = true;
            fn wide(self) -> Wide {
                Wide::Complex(self.re.into(), self.im.into())
            }
            fn from_wide(x: Wide) -> $number {
                let z = crate::elements::Pair::<$float>::from_wide(x);
                $number::new(z.re, z.im)
            }
            fn add(self, other: $number) -> $number {
                self + other
            }
            fn sub(self, other: $number) -> $number {
                self - other
            }
            fn mul(self, other: $number) -> $number {
                self * other
            }
        })*
    };
}

complex! {
    c32 f32 Complex64;
    c64 f64 Complex128;
}

/// A number that factorisations are computed of.
pub(super) trait Exact: Element + Factor {
    /// Its absolute value.
    fn modulus(self) -> f64;
    /// With the other imaginary part.
    fn conjugate(self) -> Self;
    /// Times a real number.
    fn scaled(self, by: f64) -> Self;
    /// No infinity and no NaN.
    fn is_finite(self) -> bool;
}

impl Exact for f64 {
    fn modulus(self) -> f64 {
        self.abs()
    }
    fn conjugate(self) -> f64 {
        self
    }
    fn scaled(self, by: f64) -> f64 {
        self * by
    }
    fn is_finite(self) -> bool {
        f64::is_finite(self)
    }
}

impl Exact for c64 {
    fn modulus(self) -> f64 {
        self.re.hypot(self.im)
    }
    fn conjugate(self) -> c64 {
        self.conj()
    }
    fn scaled(self, by: f64) -> c64 {
        self * by
    }
    fn is_finite(self) -> bool {
        self.re.is_finite() && self.im.is_finite()
    }
}

/// Runs `$body` with `$T` the type that factorisations of such an array are computed in.
macro_rules! with_exact {
    ($view:expr, $T:ident => $body:expr) => {
        match $view.kind {
            $crate::elements::Kind::Float32 | $crate::elements::Kind::Float64 => {
                type $T = f64;
                $body
            }
            $crate::elements::Kind::Complex64 | $crate::elements::Kind::Complex128 => {
                type $T = numbra_linalg::c64;
                $body
            }
            _ => Err($crate::value::bad_call()),
        }
    };
}
pub(super) use with_exact;

/// The distance of 1 from the next number of an array's precision.
pub(super) fn epsilon(view: &View) -> f64 {
    match view.kind {
        Kind::Float32 | Kind::Complex64 => f32::EPSILON.into(),
        _ => f64::EPSILON,
    }
}

/// The numbers of an array with two axes; a vector is a column.
pub(super) fn matrix<T: Exact>(view: &View) -> Matrix<T> {
    match view.shape[..] {
        [rows, cols] => Matrix::new(rows, cols, to_vec(&view.permuted(&[1, 0]))),
        _ => Matrix::new(view.len(), 1, to_vec(view)),
    }
}

/// As [`matrix`]; LinAlgError where a number is infinite or NaN.
pub(super) fn finite<T: Exact>(view: &View) -> Result<Matrix<T>, Failure> {
    let matrix = matrix::<T>(view);
    check_finite(&matrix)?;
    Ok(matrix)
}

/// LinAlgError where a number is infinite or NaN.
pub(super) fn check_finite<T: Exact>(matrix: &Matrix<T>) -> Result<(), Failure> {
    if matrix.data().iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(linalg_error("Array must not contain infs or NaNs."))
}

/// LinAlgError unless there are as many rows as columns.
pub(super) fn check_square(view: &View) -> Result<(), Failure> {
    if view.shape.first() == view.shape.last() {
        return Ok(());
    }
    Err(linalg_error(format!(
        "Last 2 dimensions of the array must be square. The shape is {}",
        operand_shapes(&[&view.shape])
    )))
}

/// LinAlgError if there are no numbers.
pub(super) fn check_not_empty(view: &View) -> Result<(), Failure> {
    if view.len() > 0 {
        return Ok(());
    }
    Err(linalg_error("Arrays cannot be empty"))
}

/// What an iteration found, if it did.
pub(super) fn converged<T>(found: Option<T>) -> Result<T, Failure> {
    found.ok_or_else(|| value_error("Internal algorithm failed to converge."))
}

/// The result is this matrix, converted to the result's type.
pub(super) fn give<T: Exact>(ret: Ret, matrix: &Matrix<T>) -> Result<(), Failure> {
    let out = ret.new_array(&[matrix.rows(), matrix.cols()])?;
    copy(&seen(matrix), &out);
    Ok(())
}

/// As [`give`], in Fortran order.
pub(super) fn give_in_fortran_order<T: Exact>(ret: Ret, matrix: &Matrix<T>) -> Result<(), Failure> {
    let out = ret.new_array_in(&[matrix.rows(), matrix.cols()], true)?;
    copy(&seen(matrix), &out);
    Ok(())
}

fn seen<T: Exact>(matrix: &Matrix<T>) -> View {
    View::of(matrix.data(), &[matrix.cols(), matrix.rows()]).permuted(&[1, 0])
}

/// `a b`
pub(super) fn times<T: Exact>(a: &Matrix<T>, b: &Matrix<T>) -> Matrix<T> {
    let (rows, cols) = (a.rows(), b.cols());
    let mut out = zeros(rows * cols);
    // The product in Fortran order is that of the transposed matrices in C order, the other way round.
    let turned = |m: &'_ Matrix<T>| (m.cols(), m.rows());
    let operand = |m| {
        let (rows, cols) = turned(m);
        Operand {
            data: m.data(),
            rows,
            cols,
            fortran: false,
        }
    };
    if !out.is_empty() && a.cols() > 0 {
        <T as Number>::multiply(&mut out, operand(b), operand(a));
    }
    Matrix::new(rows, cols, out)
}

/// Rows for columns, each number conjugated.
pub(super) fn adjoint<T: Exact>(a: &Matrix<T>) -> Matrix<T> {
    let mut data = room(a.data().len());
    for i in 0..a.rows() {
        data.extend((0..a.cols()).map(|j| a.col(j)[i].conjugate()));
    }
    Matrix::new(a.cols(), a.rows(), data)
}
