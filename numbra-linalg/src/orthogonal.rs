//! Orthonormal columns and an upper triangle, with the signs of LAPACK's `geqrf`.

use crate::Matrix;
use crate::workspace::scratch;
use faer::dyn_stack::MemStack;
use faer::linalg::householder::{
    apply_block_householder_sequence_on_the_left_in_place_scratch,
    apply_block_householder_sequence_on_the_left_in_place_with_conj,
};
use faer::linalg::qr::no_pivoting::factor;
use faer::{Conj, Par, c64};
use numbra_memory::{filled, room};

/// By blocks of reflectors.
pub(crate) fn real(a: &Matrix<f64>) -> (Matrix<f64>, Matrix<f64>) {
    let (rows, cols) = (a.rows(), a.cols());
    let least = rows.min(cols);
    let mut both = a.clone();
    let block = factor::recommended_block_size::<f64>(rows, cols);
    let mut scales = Matrix::zeros(block, least);
    let need =
        factor::qr_in_place_scratch::<f64>(rows, cols, block, Par::Seq, faer::prelude::default());
    factor::qr_in_place(
        both.view_mut(),
        scales.view_mut(),
        Par::Seq,
        MemStack::new(&mut scratch(need)),
        faer::prelude::default(),
    );
    // The triangle lies on and above the diagonal, the reflectors below it; their first number, 1, is not written.
    let r = Matrix::made(least, cols, |i, j| if i <= j { both.at(i, j) } else { 0.0 });
    for j in 0..least {
        let reflector = both.col_mut(j);
        reflector[..j].fill(0.0);
        reflector[j] = 1.0;
    }
    let mut q = Matrix::made(rows, least, |i, j| f64::from(u8::from(i == j)));
    let need =
        apply_block_householder_sequence_on_the_left_in_place_scratch::<f64>(rows, block, least);
    apply_block_householder_sequence_on_the_left_in_place_with_conj(
        both.view().get(.., ..least),
        scales.view(),
        Conj::No,
        q.view_mut(),
        Par::Seq,
        MemStack::new(&mut scratch(need)),
    );
    (q, r)
}

/// By one reflector after another, each of which makes the diagonal of the triangle real: blocks of faer's do not.
pub(crate) fn complex(a: &Matrix<c64>) -> (Matrix<c64>, Matrix<c64>) {
    let (rows, cols) = (a.rows(), a.cols());
    let least = rows.min(cols);
    let mut work = a.clone();
    let mut reflectors = room(least);
    for i in 0..least {
        let (scale, vector) = reflector(&mut work.col_mut(i)[i..]);
        for j in i + 1..cols {
            reflect(&vector, scale.conj(), &mut work.col_mut(j)[i..]);
        }
        reflectors.push((scale, vector));
    }
    let one = c64::new(1.0, 0.0);
    let mut q = Matrix::<c64>::zeros(rows, least);
    for (i, (scale, vector)) in reflectors.iter().enumerate().rev() {
        q.col_mut(i)[i] = one;
        for j in i..least {
            reflect(vector, *scale, &mut q.col_mut(j)[i..]);
        }
    }
    let mut r = Matrix::zeros(least, cols);
    for j in 0..cols {
        let filled = least.min(j + 1);
        r.col_mut(j)[..filled].copy_from_slice(&work.col(j)[..filled]);
    }
    (q, r)
}

/// The scale and vector of a reflector whose adjoint turns `x` into a multiple of the first axis, which `x` becomes: LAPACK's
/// `zlarfg`.
fn reflector(x: &mut [c64]) -> (c64, Vec<c64>) {
    let head = x[0];
    let rest = x[1..].iter().fold(0.0, |n: f64, z| n.hypot(z.norm()));
    let (zero, one) = (c64::default(), c64::new(1.0, 0.0));
    let mut vector = filled(x.len(), zero);
    vector[0] = one;
    if rest == 0.0 && head.im == 0.0 {
        return (zero, vector);
    }
    let turned = -head.norm().hypot(rest).copysign(head.re);
    for (v, z) in vector.iter_mut().zip(&x[..]).skip(1) {
        *v = *z / (head - turned);
    }
    x.fill(zero);
    x[0] = c64::new(turned, 0.0);
    (
        c64::new((turned - head.re) / turned, -head.im / turned),
        vector,
    )
}

/// `x - scale * vector * (vectorᴴ x)`
fn reflect(vector: &[c64], scale: c64, x: &mut [c64]) {
    let along: c64 = vector.iter().zip(&x[..]).map(|(v, z)| v.conj() * z).sum();
    let along = along * scale;
    for (v, z) in vector.iter().zip(x) {
        *z -= along * v;
    }
}
