//! Array functions: one body a function, in the convention of `numbra_library::native`. Rows of the library declare and
//! document them; each module has a table of its bodies (`bodies!`).

mod create;
mod elementwise;
mod fourier;
mod frequencies;
mod histogram;
mod index;
mod join;
mod matrices;
mod nans;
mod order;
mod places;
mod polynomial;
mod products;
mod quantiles;
mod rearrange;
mod select;
mod sets;
mod shapes;
mod spectra;
mod statistics;
mod stencil;
mod systems;
mod triangle;
mod views;

pub(crate) use index::clamp;
pub(crate) use join::check_joined;
pub(crate) use shapes::{broadcast_shape, operand_shapes};

use crate::array::View;
use crate::bodies::NativeBody;
use crate::elements::with_element;
use crate::strided::move_elements;
use crate::value::{Failure, Ret};

/// The tables of native bodies of the modules.
pub(crate) const TABLES: &[&[NativeBody]] = &[
    create::BODIES,
    elementwise::BODIES,
    fourier::BODIES,
    frequencies::BODIES,
    histogram::BODIES,
    index::BODIES,
    join::BODIES,
    nans::BODIES,
    order::BODIES,
    places::BODIES,
    polynomial::BODIES,
    products::BODIES,
    quantiles::BODIES,
    rearrange::BODIES,
    select::BODIES,
    sets::BODIES,
    spectra::BODIES,
    statistics::BODIES,
    stencil::BODIES,
    systems::BODIES,
    triangle::BODIES,
    views::BODIES,
];

/// The result is the element at a byte offset.
fn scalar_at(ret: Ret, array: &View, offset: isize) -> Result<(), Failure> {
    with_element!(array.kind, T => {
        // SAFETY: the offset is that of an element of the array.
        let x = unsafe { array.read::<T>(offset) };
        ret.scalar(crate::elements::Element::wide(x))
    })
}
