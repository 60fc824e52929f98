//! Products of matrices.

use crate::rows::Flat;
use crate::workspace::{prepare, product};
use faer::traits::ComplexField;
use faer::{MatMut, MatRef, c32, c64};
use numbra_memory::{Gather, Grow, room};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A factor of a product: numbers in C or Fortran order.
#[derive(Clone, Copy, Debug)]
pub struct Operand<'a, T> {
    /// Its `rows * cols` numbers.
    pub data: &'a [T],
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
    /// Column after column, not row after row.
    pub fortran: bool,
}

impl<'a, T> Operand<'a, T> {
    /// The number in a row and column.
    fn at(self, row: usize, col: usize) -> T
    where
        T: Copy,
    {
        let (outer, width, inner) = match self.fortran {
            true => (col, self.rows, row),
            false => (row, self.cols, col),
        };
        self.data[outer * width + inner]
    }

    fn view(self) -> MatRef<'a, T> {
        if self.fortran {
            MatRef::from_column_major_slice(self.data, self.rows, self.cols)
        } else {
            MatRef::from_row_major_slice(self.data, self.rows, self.cols)
        }
    }
}

/// A matrix whose rows are contiguous, row after row, and the vector that each is multiplied with, if `a b` is such a product.
fn rows_and_vector<'a, T>(a: Operand<'a, T>, b: Operand<'a, T>) -> Option<(&'a [T], &'a [T])> {
    if b.cols == 1 && !a.fortran {
        Some((a.data, b.data))
    } else if a.rows == 1 && b.fortran {
        Some((b.data, a.data))
    } else {
        None
    }
}

/// A matrix of which lines with as many numbers as the product are contiguous, and the vector, if `a b` is such a product.
fn lines_and_vector<'a, T>(a: Operand<'a, T>, b: Operand<'a, T>) -> Option<(&'a [T], &'a [T])> {
    if b.cols == 1 && a.fortran {
        Some((a.data, b.data))
    } else if a.rows == 1 && !b.fortran {
        Some((b.data, a.data))
    } else {
        None
    }
}

/// A number that matrices are multiplied of.
pub trait Number: Copy + Default {
    /// `c = a b`, with `c` in C order.
    ///
    /// # Panics
    /// If the extents do not fit.
    fn multiply(c: &mut [Self], a: Operand<'_, Self>, b: Operand<'_, Self>);

    /// Sum of `x y` over two vectors of one length, with `x` conjugated where asked.
    fn inner(x: &[Self], y: &[Self], conjugate: bool) -> Self;
}

macro_rules! numbers {
    ($($number:ident)*) => {
        $(impl Number for $number {
            fn multiply(c: &mut [$number], a: Operand<'_, $number>, b: Operand<'_, $number>) {
                assert_eq!((c.len(), a.cols), (a.rows * b.cols, b.rows));
                match rows_and_vector(a, b) {
                    Some((rows, x)) if x.len() > SHORT => $number::by_rows(c, rows, x),
                    Some((rows, x)) if !x.is_empty() => {
                        for (c, row) in c.iter_mut().zip(rows.chunks_exact(x.len())) {
                            *c = $number::inner(row, x, false);
                        }
                    }
                    _ if a.data.len().saturating_mul(b.cols) <= SMALL => {
                        for (c, row) in c.chunks_exact_mut(b.cols.max(1)).zip(0..) {
                            for (c, col) in c.iter_mut().zip(0..) {
                                let terms = (0..a.cols).map(|k| a.at(row, k) * b.at(k, col));
                                *c = terms.fold($number::default(), |sum, term| sum + term);
                            }
                        }
                    }
                    _ => match lines_and_vector(a, b) {
                        Some((lines, x)) if !c.is_empty() => $number::by_lines(c, lines, x),
                        _ => {
                        let c = MatMut::from_row_major_slice_mut(c, a.rows, b.cols);
                        shared(c, a.view(), b.view());
                        }
                    }
                }
            }

            fn inner(x: &[$number], y: &[$number], conjugate: bool) -> $number {
                use faer::linalg::matmul::dot::inner_prod;
                use faer::{ColRef, Conj};
                if x.len() <= SHORT && !conjugate {
                    let terms = x.iter().zip(y).map(|(x, y)| x * y);
                    return terms.fold($number::default(), |sum, term| sum + term);
                }
                let conj = if conjugate { Conj::Yes } else { Conj::No };
                let (x, y) = (ColRef::from_slice(x), ColRef::from_slice(y));
                inner_prod(x.transpose(), conj, y, Conj::No)
            }
        })*
    };
}

numbers!(f32 f64 c32 c64);

/// Up to so many multiplications a loop takes less time than to prepare for vectors: of matrices, of vectors.
const SMALL: usize = 32;
const SHORT: usize = 8;

/// Below so many multiplications a thread costs more than it computes.
const FOR_A_THREAD: usize = 4_000_000;

/// `c = a b`, large products by several threads.
pub(crate) fn shared<T: ComplexField>(c: MatMut<'_, T>, a: MatRef<'_, T>, b: MatRef<'_, T>) {
    let work = a
        .nrows()
        .saturating_mul(a.ncols())
        .saturating_mul(b.ncols());
    // A product with a vector waits for memory, whoever reads it.
    let flat = a.nrows() == 1 || b.ncols() == 1;
    let parts = if flat || work < 2 * FOR_A_THREAD {
        1
    } else {
        threads().min(work / FOR_A_THREAD)
    };
    prepare();
    if parts < 2 {
        return product(c, a, b);
    }
    let mut pieces = room(parts);
    split((c, a, b), parts, &mut pieces);
    let pieces = pieces.into_iter().map(|piece| Mutex::new(Some(piece)));
    let pieces = pieces.gathered();
    // Whoever comes first takes a piece: this thread computes those for which there is no other.
    let compute = |piece: &Mutex<Option<Piece<'_, T>>>| {
        let taken = piece.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((c, a, b)) = taken {
            prepare();
            product(c, a, b);
        }
    };
    let failed = std::thread::scope(|scope| {
        let mut others = room(pieces.len());
        for piece in &pieces[1..] {
            let started = std::thread::Builder::new().spawn_scoped(scope, || compute(piece));
            let Ok(other) = started else { break };
            others.push(other);
        }
        for piece in &pieces {
            compute(piece);
        }
        let ended = others.into_iter().map(|other| other.join().err());
        ended.fold(None, Option::or)
    });
    if let Some(caught) = failed {
        std::panic::resume_unwind(caught);
    }
}

/// A product, and its factors.
type Piece<'a, T> = (MatMut<'a, T>, MatRef<'a, T>, MatRef<'a, T>);

/// Halves the longer side of the product until there is a piece for each thread.
fn split<'a, T: ComplexField>(
    (c, a, b): Piece<'a, T>,
    parts: usize,
    pieces: &mut Vec<Piece<'a, T>>,
) {
    if parts < 2 {
        return pieces.put((c, a, b));
    }
    let here = parts / 2;
    let (mine, other) = if c.nrows() >= c.ncols() {
        let at = boundary(c.nrows(), here, parts);
        let (c0, c1) = c.split_at_row_mut(at);
        let (a0, a1) = a.split_at_row(at);
        ((c0, a0, b), (c1, a1, b))
    } else {
        let at = boundary(c.ncols(), here, parts);
        let (c0, c1) = c.split_at_col_mut(at);
        let (b0, b1) = b.split_at_col(at);
        ((c0, a, b0), (c1, a, b1))
    };
    split(mine, here, pieces);
    split(other, parts - here, pieces);
}

/// Where the first `here` of `parts` end, on a border of the blocks that kernels compute.
fn boundary(extent: usize, here: usize, parts: usize) -> usize {
    const BLOCK: usize = 48;
    (extent * here / parts).next_multiple_of(BLOCK).min(extent)
}

/// Threads of a large product: as many as there are processors for this process, or as the environment says in the words
/// that BLAS libraries read.
fn threads() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| {
        let said = ["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"]
            .iter()
            .find_map(|name| std::env::var(name).ok()?.trim().parse().ok());
        let there = || std::thread::available_parallelism().map_or(1, usize::from);
        said.filter(|&n| n > 0).unwrap_or_else(there)
    })
}
