//! Products of matrices of a few numbers, straight from the caller's values: decoding them, and a library's set-up, take
//! longer than the products.

use crate::elements::Element;
use crate::lines;
use crate::object;
use crate::value::RawValue;
use numbra_abi::ArrayLayout;

/// Multiplications that are done here, at most.
const MOST: usize = 64;

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
unsafe fn product<T: Element>(args: *const RawValue, ret: &RawValue) -> bool {
    let in_c_order = ret.array_rank().filter(|_| !ret.is_fortran());
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
    if inner != also_inner || a_ndim + b_ndim != ndim + 2 || count.is_none_or(|n| n > MOST) {
        return false;
    }
    let size = size_of::<T>();
    // Few, unless there is nothing to add up.
    let Some(bytes) = rows
        .checked_mul(columns)
        .filter(|_| count > Some(0))
        .map(|n| (n * size) as i64)
    else {
        return false;
    };
    let owner = object::numbra_rt_alloc(bytes, 64);
    if owner.is_null() {
        return false;
    }
    let data = object::data_of(owner);
    for row in 0..rows {
        for column in 0..columns {
            let at = |k| {
                // SAFETY: row, column and what is between them are inside the shapes.
                unsafe { a.get::<T>(row, k).mul(b.get::<T>(k, column)) }
            };
            let sum = (1..inner).fold(at(0), |sum, k| sum.add(at(k)));
            // SAFETY: the new memory has room for so many elements.
            unsafe { data.cast::<T>().add(row * columns + column).write(sum) };
        }
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
