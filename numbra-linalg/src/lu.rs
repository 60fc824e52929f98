//! Triangular factors by elimination with exchanged rows.

use crate::Matrix;
use crate::workspace::{Zero, scratch};
use faer::dyn_stack::MemStack;
use faer::linalg::cholesky::llt::factor as llt;
use faer::linalg::lu::partial_pivoting::{factor, inverse, solve};
use faer::perm::PermRef;
use faer::traits::ComplexField;
use faer::{Conj, Par};
use numbra_memory::filled;

/// `P A = L U`
#[derive(Debug)]
pub struct Lu<T> {
    /// U, and below its diagonal L, whose diagonal is 1.
    pub(crate) both: Matrix<T>,
    forward: Vec<usize>,
    backward: Vec<usize>,
    odd: bool,
}

impl<T: Copy> Lu<T> {
    /// The diagonal of U.
    pub fn diagonal(&self) -> impl Iterator<Item = T> {
        (0..self.both.rows()).map(|i| self.both.col(i)[i])
    }

    /// True if P exchanges an odd number of rows.
    pub fn is_odd(&self) -> bool {
        self.odd
    }
}

pub(crate) fn new<T: ComplexField + Copy>(mut both: Matrix<T>) -> Lu<T> {
    let n = both.rows();
    let (mut forward, mut backward) = (filled(n, 0), filled(n, 0));
    let need = factor::lu_in_place_scratch::<usize, T>(n, n, Par::Seq, faer::prelude::default());
    let (info, _) = factor::lu_in_place(
        both.view_mut(),
        &mut forward,
        &mut backward,
        Par::Seq,
        MemStack::new(&mut scratch(need)),
        faer::prelude::default(),
    );
    Lu {
        both,
        forward,
        backward,
        odd: info.transposition_count % 2 == 1,
    }
}

impl<T: ComplexField + Copy> Lu<T> {
    fn rows(&self) -> PermRef<'_, usize> {
        PermRef::new_checked(&self.forward, &self.backward, self.both.rows())
    }

    pub(crate) fn solve_in_place(&self, b: &mut Matrix<T>) {
        let n = self.both.rows();
        let need = solve::solve_in_place_scratch::<usize, T>(n, b.cols(), Par::Seq);
        solve::solve_in_place_with_conj(
            self.both.view(),
            self.both.view(),
            self.rows(),
            Conj::No,
            b.view_mut(),
            Par::Seq,
            MemStack::new(&mut scratch(need)),
        );
    }

    pub(crate) fn inverse_of(&self) -> Matrix<T>
    where
        T: Zero,
    {
        let n = self.both.rows();
        let mut out = Matrix::zeros(n, n);
        let need = inverse::inverse_scratch::<usize, T>(n, Par::Seq);
        inverse::inverse(
            out.view_mut(),
            self.both.view(),
            self.both.view(),
            self.rows(),
            Par::Seq,
            MemStack::new(&mut scratch(need)),
        );
        out
    }
}

/// What [`crate::Factor::cholesky`] says.
pub(crate) fn cholesky<T: ComplexField + Zero>(a: &Matrix<T>) -> Option<Matrix<T>> {
    let n = a.rows();
    let mut lower = Matrix::made(n, n, |i, j| if i >= j { a.at(i, j) } else { T::ZERO });
    let need = llt::cholesky_in_place_scratch::<T>(n, Par::Seq, faer::prelude::default());
    let done = llt::cholesky_in_place(
        lower.view_mut(),
        Default::default(),
        Par::Seq,
        MemStack::new(&mut scratch(need)),
        faer::prelude::default(),
    );
    done.ok()?;
    for j in 1..n {
        lower.col_mut(j)[..j].fill(T::ZERO);
    }
    Some(lower)
}
