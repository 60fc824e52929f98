//! Array functions: one body a function, in the convention of `numbra_library::native`. Rows of the library declare and
//! document them; the symbol of a body is `numbra_np_` and its name here.

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
mod systems;
mod triangle;
mod views;

pub(crate) use index::clamp;
pub(crate) use join::check_joined;
pub(crate) use shapes::operand_shapes;

use crate::array::View;
use crate::elements::with_element;
use crate::random;
use crate::small_products;
use crate::strided::move_elements;
use crate::table::Row;
use crate::value::{Failure, RawValue, Ret, enter};
use numbra_abi::status;

/// `name = body, number of arguments`, and for some how most calls go; sorted by name.
macro_rules! bodies {
    ($($name:ident = $body:path, $count:literal $(, $short:path)?;)*) => {
        /// Symbols and addresses, sorted.
        pub(crate) const BODIES: &[Row] = &[$(
            (concat!("numbra_np_", stringify!($name)), {
                /// # Safety
                /// `args` points to the arguments and `ret` to the result, as `numbra_library::native` says.
                unsafe extern "C" fn native(args: *const RawValue, ret: *const RawValue) -> i32 {
                    $(
                        // SAFETY: the caller's promise is the same.
                        if unsafe { $short(args, &*ret) } {
                            return status::OK;
                        }
                    )?
                    // SAFETY: the caller's promise is the same.
                    unsafe { enter::<$count>(args, ret, $body) }
                }
                native as *const u8
            }),
        )*];
    };
}

bodies! {
    allclose = elementwise::allclose, 5;
    angle = elementwise::angle, 2;
    append = join::append, 3;
    argpartition = order::argpartition, 2;
    argsort = order::argsorted, 2;
    argwhere = places::argwhere, 1;
    array = join::array, 1;
    array_equal = elementwise::array_equal, 2;
    array_like = join::array, 1;
    array_split = views::array_split, 3;
    as_series = polynomial::as_series, 2;
    as_strided = views::as_strided, 3;
    atleast_1d = views::atleast_1d, 1;
    atleast_2d = views::atleast_2d, 1;
    atleast_3d = views::atleast_3d, 1;
    average = statistics::average, 3;
    bartlett = create::bartlett, 1;
    bincount = statistics::bincount, 3;
    blackman = create::blackman, 1;
    broadcast_arrays = views::broadcast_arrays, 1;
    broadcast_shapes = views::broadcast_shapes, 1;
    broadcast_to = views::broadcast_to, 2;
    cholesky = systems::cholesky, 1;
    clip = elementwise::clip, 4;
    column_stack = join::column_stack, 1;
    cond = spectra::cond, 2;
    convolve = statistics::convolve, 3;
    corrcoef = statistics::corrcoef, 3;
    correlate = statistics::correlate, 3;
    cov = statistics::cov, 5;
    cross = statistics::cross, 2;
    delete = rearrange::delete, 2;
    det = systems::det, 1;
    diag = triangle::diag, 2;
    diagflat = triangle::diagflat, 2;
    diff = statistics::diff, 2;
    digitize = sets::digitize, 3;
    dot = products::dot, 2, small_products::dot;
    dot_into = products::dot_into, 3;
    dsplit = views::dsplit, 2;
    dstack = join::dstack, 1;
    ediff1d = statistics::ediff1d, 3;
    eig = spectra::eig, 1;
    eigh = spectra::eigh, 1;
    eigvals = spectra::eigvals, 1;
    eigvalsh = spectra::eigvalsh, 1;
    expand_dims = views::expand_dims, 2;
    extract = select::extract, 2;
    fft = fourier::fft, 4;
    fftfreq = frequencies::fftfreq, 2;
    fftn = fourier::fftn, 4;
    fftshift = frequencies::fftshift, 2;
    fill_diagonal = triangle::fill_diagonal, 3;
    flatnonzero = places::flatnonzero, 1;
    flip = views::flip, 1;
    fliplr = views::fliplr, 1;
    flipud = views::flipud, 1;
    frombuffer = views::frombuffer, 4;
    generator_integers = random::integers, 6;
    generator_permutation = random::permutation_of_generator, 3;
    generator_shuffle = random::shuffle_of_generator, 3;
    geomspace = create::geomspace, 3;
    get_index = index::get, 2;
    hamming = create::hamming, 1;
    hanning = create::hanning, 1;
    hfft = fourier::hfft, 4;
    histogram = histogram::histogram, 3;
    hsplit = views::hsplit, 2;
    hstack = join::hstack, 1;
    ifft = fourier::ifft, 4;
    ifftn = fourier::ifftn, 4;
    ifftshift = frequencies::ifftshift, 2;
    ihfft = fourier::ihfft, 4;
    indices = create::indices, 1;
    insert = rearrange::insert, 4;
    interp = statistics::interp, 3;
    intersect1d = sets::intersect1d, 3;
    inv = systems::inv, 1;
    irfft = fourier::irfft, 4;
    irfftn = fourier::irfftn, 4;
    isclose = elementwise::isclose, 5;
    iscomplex = elementwise::iscomplex, 1;
    isin = sets::isin, 4;
    isneginf = elementwise::isneginf, 2;
    isposinf = elementwise::isposinf, 2;
    isreal = elementwise::isreal, 1;
    kaiser = create::kaiser, 2;
    kron = statistics::kron, 2;
    linspace = create::linspace, 3;
    logspace = create::logspace, 3;
    lstsq = systems::lstsq, 3;
    matmul_in_place = products::matmul_in_place, 2;
    matrix_power = systems::matrix_power, 2;
    matrix_rank = spectra::matrix_rank, 2;
    median = quantiles::median, 1;
    meshgrid = views::meshgrid, 1;
    moveaxis = views::moveaxis, 3;
    nan_to_num = elementwise::nan_to_num, 5;
    nanargmax = nans::nanargmax, 2;
    nanargmin = nans::nanargmin, 2;
    nancumprod = nans::nancumprod, 1;
    nancumsum = nans::nancumsum, 1;
    nanmax = nans::nanmax, 1;
    nanmean = nans::nanmean, 1;
    nanmedian = quantiles::nanmedian, 1;
    nanmin = nans::nanmin, 1;
    nanpercentile = quantiles::nanpercentile, 2;
    nanprod = nans::nanprod, 1;
    nanquantile = quantiles::nanquantile, 2;
    nanstd = nans::nanstd, 5;
    nansum = nans::nansum, 1;
    nanvar = nans::nanvar, 5;
    nonzero = places::nonzero, 1;
    norm = spectra::norm, 2;
    outer = products::outer, 3;
    partition = order::partition, 2;
    percentile = quantiles::percentile, 2;
    pinv = systems::pinv, 2;
    polyadd = polynomial::polyadd, 2;
    polydiv = polynomial::polydiv, 2;
    polyint = polynomial::polyint, 2;
    polymul = polynomial::polymul, 2;
    polynomial = polynomial::polynomial, 3;
    polysub = polynomial::polysub, 2;
    polyval = polynomial::polyval, 3;
    ptp = statistics::ptp, 1;
    python_seed = random::seed_python, 1;
    python_shuffle = random::shuffle_of_python, 1;
    qr = systems::qr, 1;
    quantile = quantiles::quantile, 2;
    random_choice = random::choice, 3;
    random_dirichlet = random::dirichlet, 2;
    random_multinomial = random::multinomial, 3;
    random_permutation = random::permutation, 1;
    random_seed = random::seed, 1;
    random_shuffle = random::shuffle, 1;
    repeat = rearrange::repeat, 2;
    resize = rearrange::resize, 2;
    rfft = fourier::rfft, 4;
    rfftfreq = frequencies::rfftfreq, 2;
    rfftn = fourier::rfftn, 4;
    roll = rearrange::roll, 2;
    roots = spectra::roots, 1;
    rot90 = views::rot90, 2;
    round = elementwise::round, 3;
    searchsorted = sets::searchsorted, 3;
    select = select::select, 3;
    set_index = index::set, 3;
    setdiff1d = sets::setdiff1d, 3;
    setxor1d = sets::setxor1d, 3;
    sinc = elementwise::sinc, 1;
    sliding_window_view = views::sliding_window_view, 3;
    slogdet = systems::slogdet, 1;
    solve = systems::solve, 2;
    sort = order::sorted, 1;
    sort_in_place = order::sort_in_place, 2;
    split = views::split, 3;
    stack = join::stack, 2;
    str_among = crate::text::among, 2;
    str_blanks = crate::text::blanks, 1;
    str_center = crate::text::center, 3;
    str_chr = crate::text::chr, 1;
    str_concat = crate::text::concat, 2;
    str_contains = crate::text::contains, 2;
    str_count = crate::text::count, 2;
    str_endswith = crate::text::ends_with, 2;
    str_find = crate::text::find, 2;
    str_format = crate::text::format, 2;
    str_format_bool = crate::text::format_bool, 2;
    str_format_none = crate::text::format_none, 2;
    str_index = crate::text::index, 2;
    str_isalpha = crate::text::is_alpha, 1;
    str_isascii = crate::text::is_ascii, 1;
    str_isdecimal = crate::text::is_decimal, 1;
    str_islower = crate::text::is_lower, 1;
    str_isprintable = crate::text::is_printable_text, 1;
    str_isspace = crate::text::is_space, 1;
    str_isupper = crate::text::is_upper, 1;
    str_join = crate::text::join, 2;
    str_joined = crate::text::joined, 1;
    str_ljust = crate::text::ljust, 3;
    str_lower = crate::text::lower, 1;
    str_of_bool = crate::text::of_bool, 1;
    str_of_narrow_number = crate::text::of_narrow_number, 1;
    str_of_none = crate::text::of_none, 1;
    str_of_number = crate::text::of_number, 1;
    str_ord = crate::text::ord, 1;
    str_repeat = crate::text::repeat, 2;
    str_repeat_right = crate::text::repeat_right, 2;
    str_replace = crate::text::replace, 4;
    str_repr = crate::text::repr, 1;
    str_rfind = crate::text::rfind, 2;
    str_rindex = crate::text::rindex, 2;
    str_rjust = crate::text::rjust, 3;
    str_slice = crate::text::slice, 2;
    str_split = crate::text::split, 3;
    str_startswith = crate::text::starts_with, 2;
    str_upper = crate::text::upper, 1;
    str_zfill = crate::text::zfill, 2;
    svd = spectra::svd, 2;
    swapaxes = views::swapaxes, 3;
    take = select::take, 3;
    take_along_axis = select::take_along_axis, 3;
    trapezoid = statistics::trapezoid, 3;
    tri = triangle::tri, 3;
    tril = triangle::tril, 2;
    tril_indices = triangle::tril_indices, 3;
    trim_zeros = rearrange::trim_zeros, 2;
    trimseq = polynomial::trimseq, 1;
    triu = triangle::triu, 2;
    triu_indices = triangle::triu_indices, 3;
    union1d = sets::union1d, 2;
    unique = sets::unique, 1;
    unwrap = elementwise::unwrap, 4;
    vander = create::vander, 3;
    vdot = products::vdot, 2;
    vsplit = views::vsplit, 2;
    vstack = join::vstack, 1;
    where = select::choose, 3;
}

/// The result is the element at a byte offset.
fn scalar_at(ret: Ret, array: &View, offset: isize) -> Result<(), Failure> {
    with_element!(array.kind, T => {
        // SAFETY: the offset is that of an element of the array.
        let x = unsafe { array.read::<T>(offset) };
        ret.scalar(crate::elements::Element::wide(x))
    })
}
