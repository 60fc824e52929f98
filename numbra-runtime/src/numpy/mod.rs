//! Array functions: one body a function, in the convention of `numbra_library::native`. Rows of the library declare and
//! document them; the symbol of a body is `numbra_np_` and its name here.

mod index;
mod join;
mod rearrange;
mod select;
mod triangle;
mod views;

use crate::array::View;
use crate::elements::with_element;
use crate::table::Row;
use crate::value::{Failure, RawValue, Ret, enter};

/// `name = body, number of arguments`, sorted by name.
macro_rules! bodies {
    ($($name:ident = $body:path, $count:literal;)*) => {
        /// Symbols and addresses, sorted.
        pub(crate) const BODIES: &[Row] = &[$(
            (concat!("numbra_np_", stringify!($name)), {
                /// # Safety
                /// `args` points to the arguments and `ret` to the result, as `numbra_library::native` says.
                unsafe extern "C" fn native(args: *const RawValue, ret: *const RawValue) -> i32 {
                    // SAFETY: the caller's promise is the same.
                    unsafe { enter(args, $count, ret, $body) }
                }
                native as *const u8
            }),
        )*];
    };
}

bodies! {
    append = join::append, 3;
    argwhere = select::argwhere, 1;
    array = join::array, 1;
    atleast_1d = views::atleast_1d, 1;
    atleast_2d = views::atleast_2d, 1;
    atleast_3d = views::atleast_3d, 1;
    broadcast_arrays = views::broadcast_arrays, 1;
    broadcast_shapes = views::broadcast_shapes, 1;
    broadcast_to = views::broadcast_to, 2;
    column_stack = join::column_stack, 1;
    delete = rearrange::delete, 2;
    diag = triangle::diag, 2;
    diagflat = triangle::diagflat, 2;
    dstack = join::dstack, 1;
    expand_dims = views::expand_dims, 2;
    extract = select::extract, 2;
    fill_diagonal = triangle::fill_diagonal, 3;
    flatnonzero = select::flatnonzero, 1;
    flip = views::flip, 1;
    fliplr = views::fliplr, 1;
    flipud = views::flipud, 1;
    get_index = index::get, 2;
    hstack = join::hstack, 1;
    insert = rearrange::insert, 4;
    moveaxis = views::moveaxis, 3;
    nonzero = select::nonzero, 1;
    repeat = rearrange::repeat, 2;
    resize = rearrange::resize, 2;
    roll = rearrange::roll, 2;
    rot90 = views::rot90, 2;
    select = select::select, 3;
    set_index = index::set, 3;
    sliding_window_view = views::sliding_window_view, 3;
    stack = join::stack, 2;
    swapaxes = views::swapaxes, 3;
    take = select::take, 3;
    take_along_axis = select::take_along_axis, 3;
    tri = triangle::tri, 3;
    tril = triangle::tril, 2;
    tril_indices = triangle::tril_indices, 3;
    trim_zeros = rearrange::trim_zeros, 2;
    triu = triangle::triu, 2;
    triu_indices = triangle::triu_indices, 3;
    vstack = join::vstack, 1;
    where = select::choose, 3;
}

/// The shape that all of these broadcast to.
fn broadcast_shape(shapes: &[&[usize]]) -> Option<Vec<usize>> {
    let rank = shapes.iter().map(|s| s.len()).max().unwrap_or(0);
    let mut out = vec![1_usize; rank];
    for shape in shapes {
        let skip = rank - shape.len();
        for (to, &extent) in out[skip..].iter_mut().zip(*shape) {
            if *to == 1 {
                *to = extent;
            } else if extent != 1 && extent != *to {
                return None;
            }
        }
    }
    Some(out)
}

/// The result is the element at a byte offset.
fn scalar_at(ret: Ret, array: &View, offset: isize) -> Result<(), Failure> {
    with_element!(array.kind, T => {
        // SAFETY: the offset is that of an element of the array.
        let x = unsafe { array.read::<T>(offset) };
        ret.scalar(crate::elements::Element::wide(x))
    })
}

/// Copies elements of `size` bytes from the first address of each pair to the second.
///
/// # Safety
/// Each pair is an element that may be read and one that may be written.
unsafe fn move_elements(pairs: impl Iterator<Item = (*const u8, *mut u8)>, size: usize) {
    macro_rules! sizes {
        ($($size:literal)*) => {
            match size {
                $($size => {
                    for (from, to) in pairs {
                        // SAFETY: the caller says that the element may be read.
                        let x = unsafe { from.cast::<[u8; $size]>().read() };
                        // SAFETY: the caller says that the element may be written.
                        unsafe { to.cast::<[u8; $size]>().write(x) };
                    }
                })*
                _ => {
                    for (from, to) in pairs {
                        // SAFETY: the caller says that both elements have `size` bytes.
                        unsafe { std::ptr::copy(from, to, size) };
                    }
                }
            }
        };
    }
    sizes!(1 2 4 8 16)
}
