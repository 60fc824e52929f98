//! Products of vectors and matrices.

use super::shapes::operand_shapes;
use crate::array::{Axes, View};
use crate::elements::{Element, Kind, with_element};
use crate::simd::widest;
use crate::small_products;
use crate::strided::zeros;
use crate::strided::{copy, run_of, to_vec};
use crate::value::{Arg, Failure, Ret, bad_call, value_error};
use numbra_linalg::{Number, Operand, c32, c64};

bodies! {
    dot = dot, 2, small_products::dot;
    dot_into = dot_into, 3;
    matmul_in_place = matmul_in_place, 2;
    outer = outer, 3;
    vdot = vdot, 2;
}

/// Runs `$body` with `$T` the type that products of such an array are computed in.
macro_rules! with_number {
    ($view:expr, $T:ident => $body:expr) => {
        match $view.kind {
            Kind::Float32 => {
                type $T = f32;
                $body
            }
            Kind::Float64 => {
                type $T = f64;
                $body
            }
            Kind::Complex64 => {
                type $T = c32;
                $body
            }
            Kind::Complex128 => {
                type $T = c64;
                $body
            }
            _ => Err(bad_call()),
        }
    };
}

/// A matrix, or a vector as one of these extents: where its numbers are in C or Fortran order, or copied.
fn operand<'a, T: Element>(
    view: &'a View,
    (rows, cols): (usize, usize),
    copied: &'a mut Vec<T>,
) -> Operand<'a, T> {
    let (data, fortran) = if let Some(data) = view.as_slice() {
        (data, false)
    } else if let Some(data) = view.as_fortran_slice() {
        (data, true)
    } else {
        *copied = to_vec(view);
        (&copied[..], false)
    };
    Operand {
        data,
        rows,
        cols,
        fortran,
    }
}

/// What is multiplied by what, for messages.
fn sides(a: &View, b: &View) -> &'static str {
    match (a.ndim(), b.ndim()) {
        (1, 1) => "vector * vector",
        (1, _) => "vector * matrix",
        (_, 1) => "matrix * vector",
        _ => "matrix * matrix",
    }
}

/// The shape of a product; ValueError where extents differ that must not.
fn shape_of(a: &View, b: &View) -> Result<Axes<usize>, Failure> {
    let (inner, other) = (a.shape.last(), b.shape.first());
    if inner != other {
        return Err(value_error(format!(
            "incompatible array sizes for np.dot(a, b) ({}): shapes {}",
            sides(a, b),
            operand_shapes(&[&a.shape, &b.shape])
        )));
    }
    let rows = &a.shape[..a.ndim().saturating_sub(1)];
    let rest = b.shape.get(1..).unwrap_or(&[]);
    Ok(rows.iter().chain(rest).copied().collect())
}

/// Writes `a b` to numbers in C order.
fn multiply<T: Element + Number>(a: &View, b: &View, out: &mut [T]) {
    if out.is_empty() || b.len() == 0 {
        return out.fill(T::default());
    }
    let inner = b.shape[0];
    let rows = if a.ndim() == 1 { 1 } else { a.shape[0] };
    let cols = b.shape.get(1).copied().unwrap_or(1);
    let (mut x, mut y) = (Vec::new(), Vec::new());
    T::multiply(
        out,
        operand(a, (rows, inner), &mut x),
        operand(b, (inner, cols), &mut y),
    );
}

/// The sum of the products of two vectors.
fn inner<T: Element + Number>(
    a: &View,
    b: &View,
    conjugate: bool,
    ret: Ret,
) -> Result<(), Failure> {
    shape_of(a, b)?;
    let numbers = |view: &View| view.as_slice::<T>().is_none().then(|| to_vec::<T>(view));
    let (x, y) = (numbers(a), numbers(b));
    let x = x.as_deref().or_else(|| a.as_slice()).unwrap_or(&[]);
    let y = y.as_deref().or_else(|| b.as_slice()).unwrap_or(&[]);
    ret.scalar(T::inner(x, y, conjugate).wide())
}

/// `(array, array) -> array | scalar`
fn dot(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (a, b) = (args[0].array()?, args[1].array()?);
    with_number!(a, T => {
        if a.ndim() == 1 && b.ndim() == 1 {
            return inner::<T>(a, b, false, ret);
        }
        let mut out = ret.new_room(&shape_of(a, b)?)?;
        multiply::<T>(a, b, out.elements_mut());
        Ok(())
    })
}

/// `(array, array, array) -> array`: the last one, with the product.
fn dot_into(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    product_into(&args[0], &args[1], &args[2], ret, |a, b, shapes| {
        format!(
            "incompatible output array size for np.dot(a, b, out) ({}): {} instead of {}",
            sides(a, b),
            operand_shapes(&shapes[..1]),
            operand_shapes(&shapes[1..])
        )
    })
}

/// `(array, array) -> array`: the first one, with the product.
fn matmul_in_place(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    product_into(&args[0], &args[1], &args[0], ret, |a, b, _| {
        let axis = a.shape.len() - 1;
        format!(
            "matmul: Output operand 0 has a mismatch in its core dimension {axis} (size {} is different from {})",
            a.shape[axis], b.shape[1]
        )
    })
}

/// The last one, with the product; ValueError with what `mismatch` says of its shape and the product's where they differ.
fn product_into(
    a: &Arg,
    b: &Arg,
    out: &Arg,
    ret: Ret,
    mismatch: impl Fn(&View, &View, [&[usize]; 2]) -> String,
) -> Result<(), Failure> {
    let (a, b) = (a.array()?, b.array()?);
    let (out, owner) = out.owned_array()?;
    let shape = shape_of(a, b)?;
    if shape != out.shape {
        return Err(value_error(mismatch(a, b, [&out.shape, &shape])));
    }
    with_number!(a, T => {
        // Whatever the order of `out`, and where it is an operand too.
        let mut made = zeros(out.len());
        multiply::<T>(a, b, &mut made);
        copy(&View::of(&made, &shape), out);
        ret.view(out, owner)
    })
}

/// `(array, array) -> scalar`
fn vdot(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (a, b) = (args[0].array()?, args[1].array()?);
    with_number!(a, T => inner::<T>(a, b, true, ret))
}

widest! {
    /// Each number times all of another run.
    fn multiply_each[T: Element](x: &[T], y: &[T], out: &mut [T]) {
        for (row, x) in out.chunks_exact_mut(y.len().max(1)).zip(x) {
            for (to, y) in row.iter_mut().zip(y) {
                *to = x.mul(*y);
            }
        }
    }
}

/// `(array or number, array or number, array | none) -> array`
fn outer(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (a, b) = (args[0].like()?, args[1].like()?);
    let shape = [a.view().len(), b.view().len()];
    with_element!(ret.kind()?, T => {
        let (x, y) = (run_of::<T>(a.view()), run_of::<T>(b.view()));
        let Arg::Array(out, owner) = &args[2] else {
            multiply_each(&x, &y, ret.new_room(&shape)?.elements_mut());
            return Ok(());
        };
        let mut all = zeros(x.len() * y.len());
        multiply_each(&x, &y, &mut all);
        if *out.shape != shape {
            return Err(value_error(format!(
                "unable to broadcast argument 2 to output array: {} instead of {}",
                operand_shapes(&[&out.shape]),
                operand_shapes(&[&shape])
            )));
        }
        copy(&View::of(&all, &shape), out);
        ret.view(out, *owner)
    })
}
