//! Linear algebra: products, factorisations, systems, eigenvalues.

use super::ufuncs::check_output;
use crate::row_macro::{native, on_gpu, prelude_at};
use crate::rules::{
    NEW, Typed, check_mutable, is_array, is_int, is_none, like, new, promoted, want,
};
use crate::{Effects, Few, Inline, Mismatch, ResultCx, Targets, Threads, TypePattern as P};
use numbra_ir::{ArrayType, Layout, Scalar, Signature, Type, TypeKind, Types};

/// What kernels do.
const LOOP: &str = "loop over the products, or take `np.dot` of two vectors";

library! {
    /// Product of matrices and vectors of one float or complex type; into `out` if there is one.
    fn numpy.dot(a, b, out = Unset) method [array.dot] {
        effects: NEW.and(Effects::WRITE), targets: Targets::Cpu, advice: Some(strided_dot),
        bodies: &[on_gpu(&[P::ArrayNd(1), P::ArrayNd(1)], "device_dot"), native(&[P::Any, P::Any], dot, "numbra_np_dot").threads(Threads::Number).inline(Inline::Few(Few::Dot)).instead(LOOP), native(&[P::Any, P::Any, P::Any], dot_into, "numbra_np_dot_into").instead(LOOP)],
    }
    /// `a @ b`: product of matrices and vectors of one float or complex type.
    op operator.matmul(a, b) {
        effects: NEW, targets: Targets::Cpu, advice: Some(strided_matmul),
        bodies: &[native(&[P::Any, P::Any], matmul, "numbra_np_dot").threads(Threads::Number).inline(Inline::Few(Few::Dot)).instead(LOOP)],
    }
    /// `a @= b`: writes `a @ b` into `a`; ValueError if its shape is another.
    op operator.imatmul(a, b) {
        effects: NEW.and(Effects::WRITE), targets: Targets::Cpu, advice: Some(strided_matmul),
        bodies: &[native(&[P::Any, P::Any], matmul_in_place, "numbra_np_matmul_in_place")],
    }
    /// Inner product of vectors, the first one conjugated.
    fn numpy.vdot(a, b) {
        effects: NEW, targets: Targets::Cpu, advice: Some(strided_vdot),
        bodies: &[on_gpu(&[P::ArrayNd(1), P::ArrayNd(1)], "device_vdot"), native(&[P::Any, P::Any], vdot, "numbra_np_vdot")],
    }
    /// Each element of `a` times each of `b`; into `out` if there is one.
    fn numpy.outer(a, b, out = None) {
        effects: NEW.and(Effects::WRITE), targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Any], outer, "numbra_np_outer")],
    }
    /// Sum of a diagonal, in double precision.
    fn numpy.trace(a, offset = Int(0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::ArrayNd(2), P::Int], "trace"), prelude_at(&[P::Any, P::Any], trace, "trace")],
    }
    /// The lower triangular factor of a positive definite matrix, of which the lower triangle is read.
    fn numpy.linalg.cholesky(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], in_c_order, "numbra_np_cholesky")],
    }
    /// Condition number for a norm of the order `p`; infinite where it would be NaN.
    fn numpy.linalg.cond(x, p = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], cond, "numbra_np_cond")],
    }
    /// Determinant, in double precision.
    fn numpy.linalg.det(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], det, "numbra_np_det")],
    }
    /// Eigenvalues and eigenvectors of the matrix's own type: ValueError if those of a real matrix are complex.
    fn numpy.linalg.eig(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], eig, "numbra_np_eig")],
    }
    /// Eigenvalues and eigenvectors of a self-adjoint matrix, of which the lower triangle is read.
    fn numpy.linalg.eigh(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], eigh, "numbra_np_eigh")],
    }
    /// Eigenvalues of the matrix's own type: ValueError if those of a real matrix are complex.
    fn numpy.linalg.eigvals(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], eigvals, "numbra_np_eigvals")],
    }
    /// Eigenvalues of a self-adjoint matrix, of which the lower triangle is read.
    fn numpy.linalg.eigvalsh(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], eigvalsh, "numbra_np_eigvalsh")],
    }
    /// The inverse.
    fn numpy.linalg.inv(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], in_fortran_order, "numbra_np_inv")],
    }
    /// The shortest solution with the least squares of errors; sums of these; rank; singular values. Singular values below
    /// `rcond` times the largest count as 0.
    fn numpy.linalg.lstsq(a, b, rcond = Float(-1.0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Any], lstsq, "numbra_np_lstsq")],
    }
    /// A matrix to an integer power.
    fn numpy.linalg.matrix_power(a, n) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], matrix_power, "numbra_np_matrix_power")],
    }
    /// Number of singular values above `tol`; of a vector 1 unless it is 0.
    fn numpy.linalg.matrix_rank(A, tol = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], matrix_rank, "numbra_np_matrix_rank")],
    }
    /// Norm of a vector or matrix.
    fn numpy.linalg.norm(x, ord = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::ArrayNd(1), P::None], "device_norm_of_vector"), on_gpu(&[P::Array, P::None], "device_norm"), native(&[P::Any, P::Any], norm, "numbra_np_norm").inline(Inline::Few(Few::Norm))],
    }
    /// The pseudo-inverse; singular values up to `rcond` times the largest count as 0.
    fn numpy.linalg.pinv(a, rcond = Float(1e-15)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], pinv, "numbra_np_pinv")],
    }
    /// Orthonormal columns and an upper triangle.
    fn numpy.linalg.qr(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], qr, "numbra_np_qr")],
    }
    /// Roots of a polynomial whose highest coefficient is first, of the coefficients' own type: ValueError if those of real
    /// coefficients are complex.
    fn numpy.roots(p) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], roots, "numbra_np_roots")],
    }
    /// Sign and logarithm of the determinant, in double precision.
    fn numpy.linalg.slogdet(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], slogdet, "numbra_np_slogdet")],
    }
    /// The solution of a system of equations, for one or several right sides.
    fn numpy.linalg.solve(a, b) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], solve, "numbra_np_solve")],
    }
    /// Orthonormal columns, singular values from the largest on, orthonormal rows.
    fn numpy.linalg.svd(a, full_matrices = Int(1)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], svd, "numbra_np_svd")],
    }
    /// Cross products of vectors along the last axis.
    fn numpy.cross(a, b) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], cross, "numbra_np_cross").inline(Inline::Few(Few::Cross))],
    }
    /// The Kronecker product.
    fn numpy.kron(a, b) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], kron, "numbra_np_kron")],
    }
}

/// An array argument; another body or none takes what is no array.
fn array(cx: &ResultCx<'_>, i: usize) -> Result<ArrayType, Mismatch> {
    let ty = cx.plain(i);
    let array = cx.types.as_array(ty);
    array.ok_or_else(|| Mismatch::rejected(format!("{} is no array", cx.show(ty))))
}

/// Float or complex numbers of single or double precision: what BLAS computes.
fn check_blas(cx: &ResultCx<'_>, dtype: Type, function: &str) -> Result<Scalar, Mismatch> {
    let scalar = cx.types.as_scalar(dtype);
    let fits = |s: &Scalar| (s.is_float() && *s != Scalar::Float16) || s.is_complex();
    scalar
        .filter(fits)
        .ok_or_else(|| {
            Mismatch::error(format!(
                "unsupported dtype for {function}(): {} is not float32, float64, complex64 or complex128; convert the array, as \
                 `x.astype(np.float64)`",
                cx.show(dtype)
            ))
        })
}

/// A matrix or vector product of two arrays. `name` as messages have it.
fn product(cx: &ResultCx<'_>, name: &str) -> Result<Type, Mismatch> {
    let (a, b) = (array(cx, 0)?, array(cx, 1)?);
    want(
        a.dtype == b.dtype,
        &format!("{name} arguments must all have the same dtype"),
    )?;
    let ndim = match (a.ndim, b.ndim) {
        (2, 2) => 2,
        (2, 1) | (1, 2) => 1,
        (1, 1) => 0,
        _ => {
            return Err(Mismatch::error(format!(
                "{name}: inputs must have compatible dimensions"
            )));
        }
    };
    check_blas(cx, a.dtype, "<BLAS function>")?;
    Ok(if ndim == 0 {
        a.dtype
    } else {
        new(cx, a.dtype, ndim)
    })
}

/// `np.dot(a, b)`
fn dot(cx: &ResultCx<'_>) -> Typed {
    if cx.args.len() != 2 {
        return Err(Mismatch::rejected("there is a third argument"));
    }
    cx.returns(product(cx, "np.dot()")?)
}

/// `np.dot(a, b, out)`
fn dot_into(cx: &ResultCx<'_>) -> Typed {
    let out = array(cx, 2)?;
    let result = product(cx, "np.dot()")?;
    let (dtype, ndim) = cx
        .types
        .as_array(result)
        .map_or((result, 0), |array| (array.dtype, array.ndim));
    want(
        dtype == out.dtype,
        "np.dot() arguments must all have the same dtype",
    )?;
    if ndim == 0 || ndim != out.ndim {
        return Err(Mismatch::rejected("out is not of the result's rank"));
    }
    check_mutable(cx, cx.plain(2))?;
    cx.returns(cx.plain(2))
}

/// `a @ b`
fn matmul(cx: &ResultCx<'_>) -> Typed {
    cx.returns(product(cx, "'@'")?)
}

/// `a @= b`: the array `a`, of the type that the product has.
fn matmul_in_place(cx: &ResultCx<'_>) -> Typed {
    product(cx, "'@'")?;
    check_mutable(cx, cx.plain(0))?;
    if array(cx, 1)?.ndim < 2 {
        return Err(Mismatch::error(
            "ValueError: inplace matrix multiplication requires the first operand to have at least one and the second at least two dimensions.",
        ));
    }
    cx.returns(cx.plain(0))
}

/// `np.vdot(a, b)`
fn vdot(cx: &ResultCx<'_>) -> Typed {
    let (a, b) = (array(cx, 0)?, array(cx, 1)?);
    want(
        a.ndim == 1 && b.ndim == 1,
        "np.vdot() only supported on 1-D arrays",
    )?;
    want(
        a.dtype == b.dtype,
        "np.vdot() arguments must all have the same dtype",
    )?;
    check_blas(cx, a.dtype, "<BLAS function>")?;
    cx.returns(a.dtype)
}

/// `np.outer(a, b, out)`
fn outer(cx: &ResultCx<'_>) -> Typed {
    for i in 0..2 {
        let fits = array(cx, i).map_or(true, |a| a.ndim <= 2);
        want(fits, "np.outer() only supported on 1 and 2-D arrays ")?;
    }
    let ((a, _), (b, _)) = (like(cx, 0)?, like(cx, 1)?);
    let dtype = promoted(cx, a, b)?;
    if is_none(cx, 2) {
        return cx.returns(new(cx, dtype, 2));
    }
    let out = array(cx, 2)?;
    want(out.ndim == 2, "np.outer(): out must have two axes")?;
    check_output(cx, 2, dtype)?;
    cx.returns(cx.plain(2))
}

/// Numba's warning that an operand is copied.
fn strided(types: &Types, args: &[Type], name: &str) -> Option<String> {
    let is_strided = |ty: &Type| {
        types
            .as_array(crate::pattern::plain(types, *ty))
            .is_some_and(|array| array.layout == Layout::A)
    };
    let operands: Vec<String> = args
        .iter()
        .take(2)
        .map(|ty| types.display(*ty).to_string())
        .collect();
    args.iter().any(is_strided).then(|| {
        format!(
            "{name} is faster on contiguous arrays, called on ({})",
            operands.join(", ")
        )
    })
}

/// Advice for `np.dot`.
fn strided_dot(types: &Types, args: &[Type]) -> Option<String> {
    strided(types, args, "np.dot()")
}

/// Advice for `a @ b`.
fn strided_matmul(types: &Types, args: &[Type]) -> Option<String> {
    strided(types, args, "'@'")
}

/// Advice for `np.vdot`.
fn strided_vdot(types: &Types, args: &[Type]) -> Option<String> {
    strided(types, args, "np.vdot()")
}

/// Argument `i` as a matrix of floats or complex numbers.
fn matrix(cx: &ResultCx<'_>, i: usize) -> Result<Scalar, Mismatch> {
    checked(cx, i, 2..=2, "2-D arrays.")
}

/// Argument `i` as a matrix or vector of floats or complex numbers.
fn matrix_or_vector(cx: &ResultCx<'_>, i: usize) -> Result<Scalar, Mismatch> {
    checked(cx, i, 0..=2, "1 and 2-D arrays ")
}

fn checked(
    cx: &ResultCx<'_>,
    i: usize,
    ranks: std::ops::RangeInclusive<u8>,
    words: &str,
) -> Result<Scalar, Mismatch> {
    let name = cx.row.replace("numpy.", "np.");
    if matches!(cx.types.kind(cx.plain(i)), TypeKind::Optional(_)) {
        return Err(Mismatch::rejected("the array may be None"));
    }
    want(
        is_array(cx, i),
        &format!("{name}() only supported for array types"),
    )?;
    let array = array(cx, i)?;
    want(
        ranks.contains(&array.ndim),
        &format!("{name}() only supported on {words}"),
    )?;
    let scalar = cx.types.as_scalar(array.dtype);
    want(
        scalar.is_some_and(|s| s.is_float() || s.is_complex()),
        &format!("{name}() only supported on float and complex arrays."),
    )?;
    let short = name.rsplit('.').next().unwrap_or(&name);
    check_blas(cx, array.dtype, short)
}

/// The type of the parts of a complex number; a float itself.
fn part(cx: &ResultCx<'_>, scalar: Scalar) -> Type {
    cx.types.scalar(match scalar {
        Scalar::Complex64 => Scalar::Float32,
        Scalar::Complex128 => Scalar::Float64,
        other => other,
    })
}

/// Of double precision.
fn wide(cx: &ResultCx<'_>, scalar: Scalar) -> Type {
    cx.types.scalar(if scalar.is_complex() {
        Scalar::Complex128
    } else {
        Scalar::Float64
    })
}

/// A new matrix.
fn square(cx: &ResultCx<'_>, scalar: Scalar, layout: Layout) -> Type {
    cx.types.array(cx.types.scalar(scalar), 2, layout)
}

/// A new matrix in C order of the argument's type.
fn in_c_order(cx: &ResultCx<'_>) -> Typed {
    let scalar = matrix(cx, 0)?;
    cx.returns(square(cx, scalar, Layout::C))
}

/// A new matrix in Fortran order of the argument's type.
fn in_fortran_order(cx: &ResultCx<'_>) -> Typed {
    let scalar = matrix(cx, 0)?;
    cx.returns(square(cx, scalar, Layout::F))
}

/// `np.linalg.pinv(a, rcond)`
fn pinv(cx: &ResultCx<'_>) -> Typed {
    check_real(cx, 1)?;
    in_fortran_order(cx)
}

/// A number that is compared with singular values.
fn check_real(cx: &ResultCx<'_>, i: usize) -> Result<(), Mismatch> {
    match cx.types.as_scalar(cx.plain(i)) {
        Some(s) if !s.is_complex() => Ok(()),
        _ => Err(Mismatch::rejected(format!(
            "{} is no real number",
            cx.show(cx.plain(i))
        ))),
    }
}

/// As [`check_real`], or `None`.
fn check_optional_real(cx: &ResultCx<'_>, i: usize) -> Result<(), Mismatch> {
    if is_none(cx, i) {
        return Ok(());
    }
    check_real(cx, i)
}

/// `np.linalg.matrix_power(a, n)`
fn matrix_power(cx: &ResultCx<'_>) -> Typed {
    let scalar = matrix(cx, 0)?;
    want(is_int(cx, 1), "Exponent must be an integer.")?;
    cx.returns(square(cx, scalar, Layout::C))
}

/// `np.linalg.eig(a)`
fn eig(cx: &ResultCx<'_>) -> Typed {
    let scalar = matrix(cx, 0)?;
    let values = new(cx, cx.types.scalar(scalar), 1);
    let vectors = square(cx, scalar, Layout::F);
    cx.returns(cx.types.tuple(&[values, vectors]))
}

/// `np.linalg.eigvals(a)`
fn eigvals(cx: &ResultCx<'_>) -> Typed {
    let scalar = matrix(cx, 0)?;
    cx.returns(new(cx, cx.types.scalar(scalar), 1))
}

/// `np.linalg.eigh(a)`
fn eigh(cx: &ResultCx<'_>) -> Typed {
    let scalar = matrix(cx, 0)?;
    let values = new(cx, part(cx, scalar), 1);
    let vectors = square(cx, scalar, Layout::F);
    cx.returns(cx.types.tuple(&[values, vectors]))
}

/// `np.linalg.eigvalsh(a)`
fn eigvalsh(cx: &ResultCx<'_>) -> Typed {
    let scalar = matrix(cx, 0)?;
    cx.returns(new(cx, part(cx, scalar), 1))
}

/// `np.linalg.svd(a, full_matrices)`
fn svd(cx: &ResultCx<'_>) -> Typed {
    let scalar = matrix(cx, 0)?;
    check_real(cx, 1)?;
    let vectors = square(cx, scalar, Layout::F);
    let values = new(cx, part(cx, scalar), 1);
    cx.returns(cx.types.tuple(&[vectors, values, vectors]))
}

/// `np.linalg.qr(a)`: the first factor is part of a larger matrix.
fn qr(cx: &ResultCx<'_>) -> Typed {
    let scalar = matrix(cx, 0)?;
    let factors = [Layout::A, Layout::F].map(|layout| square(cx, scalar, layout));
    cx.returns(cx.types.tuple(&factors))
}

/// The matrix and right sides of a system.
fn system(cx: &ResultCx<'_>) -> Result<(Scalar, u8), Mismatch> {
    let scalar = matrix(cx, 0)?;
    let other = matrix_or_vector(cx, 1)?;
    let name = cx.row.replace("numpy.", "np.");
    want(
        scalar == other,
        &format!("{name}() only supports inputs that have homogeneous dtypes."),
    )?;
    let ndim = array(cx, 1)?.ndim;
    if ndim == 0 {
        return Err(Mismatch::rejected("the right side has no axis"));
    }
    Ok((scalar, ndim))
}

/// `np.linalg.solve(a, b)`
fn solve(cx: &ResultCx<'_>) -> Typed {
    let (scalar, ndim) = system(cx)?;
    let layout = if ndim == 1 { Layout::C } else { Layout::F };
    cx.returns(cx.types.array(cx.types.scalar(scalar), ndim, layout))
}

/// `np.linalg.lstsq(a, b, rcond)`: solution, residuals, rank, singular values.
fn lstsq(cx: &ResultCx<'_>) -> Typed {
    let (scalar, ndim) = system(cx)?;
    check_real(cx, 2)?;
    let solution = new(cx, cx.types.scalar(scalar), ndim);
    let real = new(cx, part(cx, scalar), 1);
    let rank = cx.types.scalar(Scalar::Int32);
    cx.returns(cx.types.tuple(&[solution, real, rank, real]))
}

/// `np.linalg.det(a)`
fn det(cx: &ResultCx<'_>) -> Typed {
    let scalar = matrix(cx, 0)?;
    cx.returns(wide(cx, scalar))
}

/// `np.linalg.slogdet(a)`
fn slogdet(cx: &ResultCx<'_>) -> Typed {
    let scalar = matrix(cx, 0)?;
    cx.returns(cx.types.tuple(&[wide(cx, scalar), Type::FLOAT64]))
}

/// `np.trace(a, offset)`: the sum starts from an integer.
fn trace(cx: &ResultCx<'_>) -> Typed {
    let scalar = matrix(cx, 0)?;
    want(
        is_int(cx, 1),
        &format!("integer argument expected, got {}", cx.show(cx.plain(1))),
    )?;
    // In the prelude's body, as an integer of the pattern `Count`.
    Ok(Signature {
        params: vec![cx.plain(0), Type::INT64],
        ret: wide(cx, scalar),
    })
}

/// `np.linalg.norm(x, ord)`: without `ord` of the argument's precision.
fn norm(cx: &ResultCx<'_>) -> Typed {
    let scalar = matrix_or_vector(cx, 0)?;
    check_optional_real(cx, 1)?;
    let array = array(cx, 0)?;
    if array.ndim == 0 {
        return Err(Mismatch::rejected("the array has no axis"));
    }
    // The result for an empty matrix is a double.
    if is_none(cx, 1) && array.ndim == 1 {
        return cx.returns(part(cx, scalar));
    }
    cx.returns(Type::FLOAT64)
}

/// `np.linalg.cond(x, p)`
fn cond(cx: &ResultCx<'_>) -> Typed {
    matrix(cx, 0)?;
    check_optional_real(cx, 1)?;
    cx.returns(Type::FLOAT64)
}

/// `np.linalg.matrix_rank(A, tol)`
fn matrix_rank(cx: &ResultCx<'_>) -> Typed {
    matrix_or_vector(cx, 0)?;
    check_optional_real(cx, 1)?;
    if array(cx, 0)?.ndim == 0 {
        return Err(Mismatch::rejected("the array has no axis"));
    }
    cx.returns(Type::INT64)
}

/// `np.roots(p)`: of integers floats.
fn roots(cx: &ResultCx<'_>) -> Typed {
    let p = array(cx, 0)?;
    if p.ndim != 1 {
        return Err(Mismatch::error("Input must be a 1d array."));
    }
    let dtype = match cx.types.as_scalar(p.dtype) {
        Some(s) if s.is_int() => Type::FLOAT64,
        _ => p.dtype,
    };
    check_blas(cx, dtype, "eigvals")?;
    cx.returns(new(cx, dtype, 1))
}

/// `np.cross(a, b)`
fn cross(cx: &ResultCx<'_>) -> Typed {
    let ((a, n), (b, m)) = (
        like(cx, 0).map_err(|_| Mismatch::error("Inputs must be array-like."))?,
        like(cx, 1).map_err(|_| Mismatch::error("Inputs must be array-like."))?,
    );
    let dtype = promoted(cx, a, b)?;
    cx.returns(new(cx, dtype, n.max(m).max(1)))
}

/// `np.kron(a, b)`
fn kron(cx: &ResultCx<'_>) -> Typed {
    let ((a, n), (b, m)) = (like(cx, 0)?, like(cx, 1)?);
    let dtype = promoted(cx, a, b)?;
    match n.max(m) {
        0 => cx.returns(dtype),
        ndim => cx.returns(new(cx, dtype, ndim)),
    }
}
