//! Dense matrices that own their numbers.

use crate::workspace::Zero;
use faer::{MatMut, MatRef};
use numbra_memory::{Gather, copied, filled, room};

/// A matrix in Fortran order: column after column.
#[derive(PartialEq, Debug)]
pub struct Matrix<T> {
    rows: usize,
    cols: usize,
    data: Vec<T>,
}

impl<T: Copy> Clone for Matrix<T> {
    fn clone(&self) -> Matrix<T> {
        Matrix {
            data: copied(&self.data),
            ..*self
        }
    }
}

impl<T: Copy> Matrix<T> {
    /// A matrix of these numbers, column after column; there are `rows * cols` of them.
    pub fn new(rows: usize, cols: usize, data: Vec<T>) -> Matrix<T> {
        assert_eq!(data.len(), rows * cols, "as many numbers as places");
        Matrix { rows, cols, data }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The numbers, column after column.
    pub fn data(&self) -> &[T] {
        &self.data
    }

    /// Column `j`.
    pub fn col(&self, j: usize) -> &[T] {
        &self.data[j * self.rows..(j + 1) * self.rows]
    }

    /// Column `j`.
    pub fn col_mut(&mut self, j: usize) -> &mut [T] {
        &mut self.data[j * self.rows..(j + 1) * self.rows]
    }

    /// Another matrix with a number for each number.
    pub fn map<U: Copy>(&self, f: impl Fn(T) -> U) -> Matrix<U> {
        Matrix {
            rows: self.rows,
            cols: self.cols,
            data: self.data.iter().map(|&x| f(x)).gathered(),
        }
    }

    pub(crate) fn view(&self) -> MatRef<'_, T> {
        MatRef::from_column_major_slice(&self.data, self.rows, self.cols)
    }

    pub(crate) fn view_mut(&mut self) -> MatMut<'_, T> {
        MatMut::from_column_major_slice_mut(&mut self.data, self.rows, self.cols)
    }

    /// A matrix of what `at` gives for each row and column.
    pub(crate) fn made(rows: usize, cols: usize, at: impl Fn(usize, usize) -> T) -> Matrix<T> {
        let mut data = room(rows * cols);
        for j in 0..cols {
            data.extend((0..rows).map(|i| at(i, j)));
        }
        Matrix { rows, cols, data }
    }

    pub(crate) fn zeros(rows: usize, cols: usize) -> Matrix<T>
    where
        T: Zero,
    {
        Matrix::new(rows, cols, filled(rows * cols, T::ZERO))
    }

    /// The number in a row and column.
    pub(crate) fn at(&self, row: usize, col: usize) -> T {
        self.data[col * self.rows + row]
    }
}
