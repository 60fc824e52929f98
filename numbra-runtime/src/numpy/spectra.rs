//! Eigenvalues, singular values, and the norms that come of them.

use super::matrices::{
    Exact, check_finite, check_not_empty, check_square, converged, epsilon, finite, give, matrix,
    with_exact,
};
use super::statistics::quotient;
use super::systems::inverse;
use crate::array::View;
use crate::elements::{Element, Kind, Pair, Wide};
use crate::simd::widest;
use crate::strided::to_vec;
use crate::strided::zeros;
use crate::value::{Arg, Failure, Ret, value_error};
use numbra_linalg::{Factor, Matrix, c64};
use numbra_memory::{Gather, Grow};

bodies! {
    cond = cond, 2;
    eig = eig, 1;
    eigh = eigh, 1;
    eigvals = eigvals, 1;
    eigvalsh = eigvalsh, 1;
    matrix_rank = matrix_rank, 2;
    norm = norm, 2;
    roots = roots, 1;
    svd = svd, 2;
}

/// `(array) -> (array, array)`
fn eig(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let view = args[0].array()?;
    check_square(view)?;
    with_exact!(view, T => {
        let a = finite::<T>(view)?;
        if view.len() == 0 {
            ret.item(0)?.vector::<T>(&[])?;
            return give(ret.item(1)?, &a);
        }
        let (values, vectors) = converged(T::eig(&a))?;
        give_values::<T>(ret.item(0)?, "eig", &values)?;
        if T::HAS_PARTS {
            return give(ret.item(1)?, &vectors);
        }
        give(ret.item(1)?, &vectors.map(|z| z.re))
    })
}

/// `(array) -> array`
fn eigvals(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let view = args[0].array()?;
    check_square(view)?;
    with_exact!(view, T => {
        let a = finite::<T>(view)?;
        let found = if view.len() == 0 { Some(Vec::new()) } else { T::eigvals(&a) };
        give_values::<T>(ret, "eigvals", &converged(found)?)
    })
}

/// `(coefficients) -> array`: the roots of a polynomial whose highest coefficient is first.
fn roots(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    match ret.kind()? {
        Kind::Complex64 | Kind::Complex128 => roots_of::<c64>(source.view(), ret),
        _ => roots_of::<f64>(source.view(), ret),
    }
}

/// Eigenvalues of the companion matrix, and 0 for each coefficient of 0 at the end.
fn roots_of<T: Exact>(view: &View, ret: Ret) -> Result<(), Failure> {
    let all = to_vec::<T>(view);
    let is_some = |x: &T| !x.is_zero();
    let (Some(first), Some(last)) = (all.iter().position(is_some), all.iter().rposition(is_some))
    else {
        return ret.vector::<T>(&[]);
    };
    let degree = last - first;
    let mut companion = Matrix::new(degree, degree, zeros(degree * degree));
    for j in 0..degree {
        let quotient = T::from_wide(
            quotient(
                Pair::from_wide(all[first + 1 + j].wide()),
                Pair::from_wide(all[first].wide()),
            )
            .wide(),
        );
        companion.col_mut(j)[0] = quotient.scaled(-1.0);
        if j + 1 < degree {
            companion.col_mut(j)[j + 1] = T::one();
        }
    }
    check_finite(&companion)?;
    let mut values = if degree > 0 {
        converged(T::eigvals(&companion))?
    } else {
        Vec::new()
    };
    let zeros_at_the_end = (all.len() - 1 - first).saturating_sub(values.len());
    values.put_all(std::iter::repeat_n(c64::default(), zeros_at_the_end));
    give_values::<T>(ret, "eigvals", &values)
}

/// Eigenvalues as numbers of the matrix's own type.
fn give_values<T: Exact>(ret: Ret, function: &str, values: &[c64]) -> Result<(), Failure> {
    if T::HAS_PARTS {
        return ret.vector(values);
    }
    if values.iter().any(|z| z.im != 0.0) {
        return Err(value_error(format!(
            "{function}() argument must not cause a domain change."
        )));
    }
    let real: Vec<f64> = values.iter().map(|z| z.re).gathered();
    ret.vector(&real)
}

/// `(array) -> (array, array)`
fn eigh(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let view = args[0].array()?;
    check_square(view)?;
    with_exact!(view, T => {
        let a = finite::<T>(view)?;
        let (values, vectors) = if view.len() == 0 {
            (Vec::new(), a)
        } else {
            converged(T::eigh(&a))?
        };
        ret.item(0)?.vector(&values)?;
        give(ret.item(1)?, &vectors)
    })
}

/// `(array) -> array`
fn eigvalsh(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let view = args[0].array()?;
    check_square(view)?;
    with_exact!(view, T => {
        let a = finite::<T>(view)?;
        let found = if view.len() == 0 { Some(Vec::new()) } else { T::eigvalsh(&a) };
        ret.vector(&converged(found)?)
    })
}

/// `(array, full_matrices) -> (array, array, array)`
fn svd(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let view = args[0].array()?;
    let full = args[1].flag()?;
    check_not_empty(view)?;
    with_exact!(view, T => {
        let (u, s, vt) = converged(T::svd(&finite::<T>(view)?, full))?;
        give(ret.item(0)?, &u)?;
        ret.item(1)?.vector(&s)?;
        give(ret.item(2)?, &vt)
    })
}

fn singular_values<T: Exact>(view: &View) -> Result<Vec<f64>, Failure> {
    check_not_empty(view)?;
    converged(T::singular_values(&finite::<T>(view)?))
}

/// `(array, tol | none) -> int64`
fn matrix_rank(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let view = args[0].array()?;
    with_exact!(view, T => {
        if view.ndim() == 1 {
            let some = matrix::<T>(view).data().iter().any(|x| x.modulus() != 0.0);
            return ret.scalar(Wide::Int(some.into()));
        }
        let values = singular_values::<T>(view)?;
        let limit = if args[1].is_nothing() {
            let longest = view.shape.iter().max().copied().unwrap_or(0);
            values[0] * longest as f64 * epsilon(view)
        } else {
            args[1].float()?
        };
        let rank = values.iter().take_while(|&&x| x > limit).count();
        ret.scalar(Wide::Int(rank as i64))
    })
}

/// `(array, order | none) -> scalar`
fn norm(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let view = args[0].array()?;
    let order = order(&args[1])?;
    let is_length = match order {
        None => true,
        Some(order) => order == 2.0 && view.ndim() == 1,
    };
    if is_length && let Some(length) = length_of(view) {
        return ret.scalar(Wide::Float(length));
    }
    with_exact!(view, T => {
        let x = matrix::<T>(view);
        let norm = match order {
            None => length(x.data()),
            Some(_) if view.len() == 0 => 0.0,
            Some(order) if view.ndim() == 1 => vector_norm(x.data(), order),
            Some(order) => matrix_norm(view, &x, order)?,
        };
        ret.scalar(Wide::Float(norm))
    })
}

fn order(arg: &Arg) -> Result<Option<f64>, Failure> {
    if arg.is_nothing() {
        return Ok(None);
    }
    arg.float().map(Some)
}

/// [`length`] of numbers, complex ones as their parts, in the order of memory where they are one run.
fn length_of(view: &View) -> Option<f64> {
    fn of<T: Element + Into<f64>>(view: &View) -> f64 {
        match view.as_slice::<T>().or_else(|| view.as_fortran_slice()) {
            Some(run) => length_by(run, squares_of(run), |x| x.into().abs()),
            None => {
                let all = to_vec::<T>(view);
                length_by(&all, squares_of(&all), |x| x.into().abs())
            }
        }
    }
    let parts = |kind, size| {
        let mut parts = View {
            kind,
            ..view.clone()
        };
        parts.shape.push(2);
        parts.strides.push(size);
        parts
    };
    match view.kind {
        Kind::Float32 => Some(of::<f32>(view)),
        Kind::Float64 => Some(of::<f64>(view)),
        Kind::Complex64 => Some(of::<f32>(&parts(Kind::Float32, 4))),
        Kind::Complex128 => Some(of::<f64>(&parts(Kind::Float64, 8))),
        _ => None,
    }
}

widest! {
    /// The sum of squares: of whole blocks in as many sums as a block has numbers, the rest one by one.
    fn squares_of[T: Copy + Into<f64>](x: &[T]) -> f64 {
        const LANES: usize = 32;
        let (blocks, rest) = x.as_chunks::<LANES>();
        let mut sums = [0.0; LANES];
        for block in blocks {
            for (sum, &x) in sums.iter_mut().zip(block) {
                let x: f64 = x.into();
                *sum += x * x;
            }
        }
        let mut n = LANES;
        while n > 1 {
            n /= 2;
            for i in 0..n {
                sums[i] += sums[i + n];
            }
        }
        rest.iter().fold(sums[0], |sum, &x| {
            let x: f64 = x.into();
            sum + x * x
        })
    }
}

/// Root of the sum of squares, without overflow on the way.
fn length<T: Exact>(x: &[T]) -> f64 {
    let squares = x.iter().map(|x| x.modulus().powi(2)).sum();
    length_by(x, squares, Exact::modulus)
}

/// [`length`] of numbers with these absolute values and this sum of squares.
fn length_by<T: Copy>(x: &[T], squares: f64, modulus: impl Fn(T) -> f64) -> f64 {
    if squares > f64::MIN_POSITIVE / f64::EPSILON && squares < f64::INFINITY {
        return squares.sqrt();
    }
    let largest = x.iter().fold(0.0, |m: f64, &x| m.max(modulus(x)));
    if squares.is_nan() || largest == 0.0 || largest == f64::INFINITY {
        return if squares.is_nan() { f64::NAN } else { largest };
    }
    let squares: f64 = x.iter().map(|&x| (modulus(x) / largest).powi(2)).sum();
    largest * squares.sqrt()
}

/// The norm of a vector that is not empty. Comparisons with NaN are false, as in a loop over the elements.
fn vector_norm<T: Exact>(x: &[T], order: f64) -> f64 {
    let sizes = x.iter().map(|x| x.modulus());
    if order == 2.0 {
        length(x)
    } else if order == f64::INFINITY {
        greatest(sizes)
    } else if order == f64::NEG_INFINITY {
        least(sizes)
    } else if order == 0.0 {
        sizes.filter(|&x| x != 0.0).count() as f64
    } else if order == 1.0 {
        sizes.sum()
    } else {
        sizes.map(|x| x.powf(order)).sum::<f64>().powf(1.0 / order)
    }
}

fn greatest(values: impl Iterator<Item = f64>) -> f64 {
    let pick = |a: f64, b: f64| if b > a { b } else { a };
    values.reduce(pick).unwrap_or(0.0)
}

fn least(values: impl Iterator<Item = f64>) -> f64 {
    let pick = |a: f64, b: f64| if b < a { b } else { a };
    values.reduce(pick).unwrap_or(0.0)
}

/// The norm of a matrix that is not empty.
fn matrix_norm<T: Exact>(view: &View, x: &Matrix<T>, order: f64) -> Result<f64, Failure> {
    let row = |i: usize| (0..x.cols()).map(|j| x.col(j)[i].modulus()).sum::<f64>();
    let col = |j: usize| x.col(j).iter().map(|x| x.modulus()).sum::<f64>();
    let (rows, cols) = ((0..x.rows()).map(row), (0..x.cols()).map(col));
    // Sums that are NaN never win: the search starts from 0 or from the largest number.
    if order == f64::INFINITY {
        Ok(greatest(std::iter::once(0.0).chain(rows)))
    } else if order == f64::NEG_INFINITY {
        Ok(least(std::iter::once(f64::MAX).chain(rows)))
    } else if order == 1.0 {
        Ok(greatest(std::iter::once(0.0).chain(cols)))
    } else if order == -1.0 {
        Ok(least(std::iter::once(f64::MAX).chain(cols)))
    } else if order == 2.0 {
        Ok(singular_values::<T>(view)?[0])
    } else if order == -2.0 {
        let values = singular_values::<T>(view)?;
        Ok(values[values.len() - 1])
    } else {
        Err(value_error("Invalid norm order for matrices."))
    }
}

/// `(array, order | none) -> float64`
fn cond(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let view = args[0].array()?;
    let order = order(&args[1])?;
    with_exact!(view, T => {
        let number = match order {
            None | Some(2.0 | -2.0) => {
                let values = singular_values::<T>(view)?;
                let ends = (values[0], values[values.len() - 1]);
                if order == Some(-2.0) { ends.1 / ends.0 } else { ends.0 / ends.1 }
            }
            Some(_) if view.len() == 0 => 0.0,
            Some(order) => {
                let here = matrix_norm(view, &matrix::<T>(view), order)?;
                here * matrix_norm(view, &inverse::<T>(view)?, order)?
            }
        };
        let number = if number.is_nan() { f64::INFINITY } else { number };
        ret.scalar(Wide::Float(number))
    })
}
