//! Products of small matrices straight from the caller's values: decoding them takes longer than the products. So does a
//! library's set-up for a few numbers, which are multiplied here.

use crate::elements::Element;
use crate::lines;
use crate::object;
use crate::value::RawValue;
use numbra_abi::ArrayLayout;
use numbra_linalg::{Number, Operand};

/// Multiplications that are done here, at most.
const MOST: usize = 64;
/// Multiplications of what is small, at most: one thread does them.
const MOST_OF_SMALL: usize = 1 << 16;

/// An array of one or two axes as the caller passes it.
struct Matrix {
    data: *const u8,
    shape: [usize; 2],
    /// In bytes.
    strides: [isize; 2],
}

impl Matrix {
    /// The array behind a value if its elements are of type `T`; a vector is a row, or a column.
    ///
    /// # Safety
    /// `raw` is a value of the convention.
    unsafe fn new<T: Element>(raw: &RawValue, vector_is_row: bool) -> Option<(Matrix, u32)> {
        let ndim = raw
            .array_rank()
            .filter(|_| raw.element() == Some(T::KIND))?;
        let layout = ArrayLayout { ndim };
        let word = |leaf: usize| {
            // SAFETY: an array's data are its leaves.
            unsafe { raw.data.cast::<u64>().add(leaf).read_unaligned() }
        };
        let axis = |axis: u32| {
            let extent = usize::try_from(word(layout.shape(axis)) as i64).ok()?;
            Some((extent, word(layout.stride(axis)) as isize))
        };
        let (rows, columns) = match (ndim, vector_is_row) {
            (1, true) => ((1, 0), axis(0)?),
            (1, false) => (axis(0)?, (1, 0)),
            (2, _) => (axis(0)?, axis(1)?),
            _ => return None,
        };
        let matrix = Matrix {
            data: std::ptr::with_exposed_provenance(word(ArrayLayout::DATA) as usize),
            shape: [rows.0, columns.0],
            strides: [rows.1, columns.1],
        };
        Some((matrix, ndim))
    }

    /// The matrix as an operand, if its numbers, of which there are some, are aligned and without gaps.
    ///
    /// # Safety
    /// Numbers of type `T` are there, for as long as the result is used.
    unsafe fn operand<'a, T: Element>(&self) -> Option<Operand<'a, T>> {
        let size = size_of::<T>() as isize;
        let [rows, cols] = self.shape;
        let lies = |axis: usize, step: usize| {
            self.shape[axis] == 1 || self.strides[axis] == size.wrapping_mul(step as isize)
        };
        let fortran = !(lies(0, cols) && lies(1, 1));
        let fits = !fortran || (lies(0, 1) && lies(1, rows));
        let data = self.data.cast::<T>();
        if !fits || !data.is_aligned() {
            return None;
        }
        Some(Operand {
            // SAFETY: so many numbers follow each other.
            data: unsafe { std::slice::from_raw_parts(data, rows * cols) },
            rows,
            cols,
            fortran,
        })
    }

    /// # Safety
    /// The row and the column are there.
    unsafe fn get<T: Element>(&self, row: usize, column: usize) -> T {
        let [down, along] = self.strides;
        let offset = down.wrapping_mul(row as isize) + along.wrapping_mul(column as isize);
        // SAFETY: the caller says that it is there.
        unsafe {
            self.data
                .wrapping_offset(offset)
                .cast::<T>()
                .read_unaligned()
        }
    }
}

/// `dot`, of vectors of one length or of a few numbers; false if the call is of other values, and nothing has happened.
///
/// # Safety
/// `args` and `ret` are those of a call with two arguments.
pub(crate) unsafe fn dot(args: *const RawValue, ret: &RawValue) -> bool {
    // SAFETY: the caller's promise.
    unsafe { product::<f64>(args, ret) || lines::dot(args, ret) || product::<f32>(args, ret) }
}

/// # Safety
/// As for [`dot`].
unsafe fn product<T: Element + Number>(args: *const RawValue, ret: &RawValue) -> bool {
    let in_c_order = ret.array_rank().filter(|_| !ret.kind.is_fortran());
    let Some(ndim) = in_c_order.filter(|_| ret.element() == Some(T::KIND)) else {
        return false;
    };
    // SAFETY: the call has two arguments, which are values of the convention.
    let operands = unsafe {
        let first = Matrix::new::<T>(&*args, true);
        first.zip(Matrix::new::<T>(&*args.add(1), false))
    };
    let Some(((a, a_ndim), (b, b_ndim))) = operands else {
        return false;
    };
    let ([rows, inner], [also_inner, columns]) = (a.shape, b.shape);
    let count = [rows, inner, columns]
        .into_iter()
        .try_fold(1, usize::checked_mul);
    let fits = inner == also_inner && a_ndim + b_ndim == ndim + 2;
    let Some(count) = count.filter(|&n| fits && n <= MOST_OF_SMALL) else {
        return false;
    };
    // SAFETY: the operands are arrays of such numbers, which the call keeps alive.
    let large = (count > MOST).then(|| unsafe { a.operand::<T>().zip(b.operand::<T>()) });
    if large.as_ref().is_some_and(Option::is_none) {
        return false;
    }
    let size = size_of::<T>();
    // Few, unless there is nothing to add up.
    let Some(bytes) = rows
        .checked_mul(columns)
        .filter(|_| count > 0)
        .map(|n| (n * size) as i64)
    else {
        return false;
    };
    let owner = object::numbra_rt_alloc(bytes, 64);
    if owner.is_null() {
        return false;
    }
    let data = object::data_of(owner);
    if let Some((a, b)) = large.flatten() {
        // SAFETY: room for so many numbers, which are zeros until they are written.
        let c = unsafe {
            data.write_bytes(0, rows * columns * size);
            std::slice::from_raw_parts_mut(data.cast::<T>(), rows * columns)
        };
        T::multiply(c, a, b);
    } else {
        // SAFETY: the shapes are those of the operands, and there is room for the result.
        unsafe { multiply(&a, &b, data.cast::<T>()) };
    }
    let layout = ArrayLayout { ndim };
    let put = |leaf: usize, word: u64| {
        // SAFETY: an array result has room for its leaves, and `leaf` is one of them.
        unsafe { ret.data.cast::<u64>().add(leaf).write_unaligned(word) };
    };
    put(ArrayLayout::DATA, data.expose_provenance() as u64);
    put(ArrayLayout::OWNER, owner.expose_provenance() as u64);
    let (a_axis, b_axis) = ((rows, columns * size), (columns, size));
    let axes = [(a_ndim, a_axis), (b_ndim, b_axis)];
    let axes = axes.into_iter().filter(|(ndim, _)| *ndim == 2);
    for (axis, (_, (extent, stride))) in (0..).zip(axes) {
        put(layout.shape(axis), extent as u64);
        put(layout.stride(axis), stride as u64);
    }
    true
}

/// Writes a product of a few numbers.
///
/// # Safety
/// The operands have numbers of type `T` and one inner extent, which is not 0; `to` has room for the product.
unsafe fn multiply<T: Element>(a: &Matrix, b: &Matrix, to: *mut T) {
    let ([rows, inner], [_, columns]) = (a.shape, b.shape);
    for row in 0..rows {
        for column in 0..columns {
            let at = |k| {
                // SAFETY: row, column and what is between them are inside the shapes.
                unsafe { a.get::<T>(row, k).mul(b.get::<T>(k, column)) }
            };
            let sum = (1..inner).fold(at(0), |sum, k| sum.add(at(k)));
            // SAFETY: one of the numbers of the product.
            unsafe { to.add(row * columns + column).write(sum) };
        }
    }
}
