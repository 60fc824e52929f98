//! Diagonals and triangles of matrices.

use super::rearrange::flat;
use crate::array::View;
use crate::elements::{Element, Kind, Wide, with_element};
use crate::strided::{converted, copy, to_vec};
use crate::value::{Arg, Failure, Ret, bad_call, too_big, value_error};
use numbra_memory::Grow;
use smallvec::smallvec;
use std::ops::Range;

bodies! {
    diag = diag, 2;
    diagflat = diagflat, 2;
    fill_diagonal = fill_diagonal, 3;
    tri = tri, 3;
    tril = tril, 2;
    tril_indices = tril_indices, 3;
    triu = triu, 2;
    triu_indices = triu_indices, 3;
}

/// The part of a diagonal that lies in a matrix, as a view.
fn diagonal(view: &View, k: i64) -> View {
    let (rows, columns) = (view.shape[0] as i64, view.shape[1] as i64);
    let (row, column) = (k.saturating_neg().max(0), k.max(0));
    let n = (rows.saturating_sub(row))
        .min(columns.saturating_sub(column))
        .max(0);
    let offset = view.strides[0]
        .wrapping_mul(row as isize)
        .wrapping_add(view.strides[1].wrapping_mul(column as isize));
    View {
        kind: view.kind,
        data: view.data.wrapping_offset(if n == 0 { 0 } else { offset }),
        shape: smallvec![n as usize],
        strides: smallvec![view.strides[0].wrapping_add(view.strides[1])],
    }
}

/// True if an element type has all these numbers: floats may be rounded but not made infinite.
fn fits(values: &View, kind: Kind) -> bool {
    let (least, greatest) = match kind {
        Kind::Int8 => (i8::MIN.into(), i8::MAX.into()),
        Kind::Int16 => (i16::MIN.into(), i16::MAX.into()),
        Kind::Int32 => (i32::MIN.into(), i32::MAX.into()),
        Kind::Int64 => (i64::MIN.into(), i64::MAX.into()),
        Kind::UInt8 => (0, u8::MAX.into()),
        Kind::UInt16 => (0, u16::MAX.into()),
        Kind::UInt32 => (0, u32::MAX.into()),
        Kind::UInt64 => (0, u64::MAX.into()),
        Kind::Float32 => {
            let narrow = |x: &f64| !x.is_finite() || x.abs() <= f32::MAX.into();
            return to_vec::<f64>(values).iter().all(narrow);
        }
        Kind::Bool
        | Kind::Float16
        | Kind::Float64
        | Kind::Complex64
        | Kind::Complex128
        | Kind::Time
        | Kind::Bytes(_) => return true,
    };
    let whole = |x: Wide| match x {
        Wide::Int(x) => (least..=greatest).contains(&i128::from(x)),
        Wide::UInt(x) => (least..=greatest).contains(&i128::from(x)),
        Wide::Float(x) | Wide::Complex(x, _) => {
            x.is_finite() && (least..=greatest).contains(&(x as i128))
        }
    };
    with_element!(values.kind, T => to_vec::<T>(values).into_iter().all(|x| whole(x.wide())))
}

/// `(array, k) -> array`: the matrix with this diagonal, or the diagonal of this matrix.
fn diag(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let view = source.view();
    match view.ndim() {
        1 => on_diagonal(view, args[1].int()?, ret),
        2 => ret.copy_of(&diagonal(view, args[1].int()?)),
        _ => Err(value_error("Input must be 1- or 2-d.")),
    }
}

/// `(array, k) -> array`: the matrix with the elements on this diagonal.
fn diagflat(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    on_diagonal(flat(source.view()).view(), args[1].int()?, ret)
}

fn on_diagonal(view: &View, k: i64, ret: Ret) -> Result<(), Failure> {
    let n = usize::try_from(k.unsigned_abs())
        .ok()
        .and_then(|k| k.checked_add(view.len()))
        .ok_or_else(crate::value::no_memory)?;
    let out = ret.new_array(&[n, n])?;
    copy(view, &diagonal(&out, k));
    Ok(())
}

/// `(matrix, value | array, wrap) -> none`
fn fill_diagonal(args: &[Arg], _: Ret) -> Result<(), Failure> {
    let array = args[0].array()?;
    let ndim = array.ndim();
    let wrap = args[2].flag()?;
    let mut run = array.clone();
    if ndim == 2 {
        let (rows, columns) = (array.shape[0], array.shape[1]);
        let n = if wrap { rows } else { rows.min(columns) };
        run.shape = smallvec![n.min(rows)];
    } else if array.shape.windows(2).any(|w| w[0] != w[1]) {
        return Err(value_error(
            "All dimensions of input must be of equal length",
        ));
    }
    let mut places: Vec<isize> = Vec::new();
    if ndim == 2 && wrap {
        // Every `columns + 1` elements in C order.
        let (step, total) = (array.shape[1] + 1, array.len());
        let columns = array.shape[1].max(1);
        for at in (0..total).step_by(step) {
            let (row, column) = ((at / columns) as isize, (at % columns) as isize);
            places.put(row * array.strides[0] + column * array.strides[1]);
        }
    } else {
        let n = array.shape.iter().copied().min().unwrap_or(0) as isize;
        let step: isize = array.strides.iter().sum();
        places.put_all((0..n).map(|i| i * step));
    }
    let values = args[1].like()?;
    if !fits(values.view(), array.kind) {
        return Err(value_error("Unable to safely conform val to a.dtype"));
    }
    let own = converted(values.view(), array.kind);
    let values = flat(&own.view);
    let values = values.view();
    if values.len() == 0 {
        return Ok(());
    }
    let size = array.kind.size();
    let n = values.len();
    let pairs = places.into_iter().enumerate().map(|(i, at)| {
        let from = values.data.wrapping_add(i % n * size);
        (from.cast_const(), array.data.wrapping_offset(at))
    });
    // SAFETY: elements of the values and the array, which have one type.
    unsafe { crate::strided::move_elements(pairs, size) };
    Ok(())
}

fn side(n: i64) -> Result<usize, Failure> {
    usize::try_from(n).map_err(|_| value_error("negative dimensions are not allowed"))
}

/// `(rows, columns | none, k) -> array`: ones at and below a diagonal.
fn tri(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let rows = args[0].int()?;
    let columns = args[1].optional_int()?.unwrap_or(rows);
    let (rows, columns, k) = (
        side(rows.max(0))?,
        side(columns.max(0))?,
        args[2].int_checked()?,
    );
    let mut out = ret.new_array(&[rows, columns])?;
    with_element!(out.kind, T => {
        let rows = out.elements_mut::<T>().chunks_exact_mut(columns.max(1));
        for (row, places) in rows.enumerate() {
            places[..low_part(row, columns, k)].fill(T::one());
        }
    });
    Ok(())
}

/// How many places of a row are at and below the `k`-th diagonal.
fn low_part(row: usize, columns: usize, k: i64) -> usize {
    let past = (row as i64).saturating_add(k).saturating_add(1);
    usize::try_from(past).map_or(0, |past| past.min(columns))
}

/// How many places of a matrix are at and below the `k`-th diagonal: the sum of [`low_part`] over all rows.
fn low_area(rows: usize, columns: usize, k: i64) -> u128 {
    // Places of the rows before and at the one whose part would have `past` places, if there were no row before it.
    let below = |past: i128| {
        let slope = past.clamp(0, columns as i128);
        (slope * (slope + 1) / 2 + (past - slope).max(0) * columns as i128).unsigned_abs()
    };
    let k = i128::from(k);
    below(rows as i128 + k) - below(k)
}

/// `(array, k) -> array`: zeros above the diagonal of each matrix.
fn tril(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    masked(args, ret, |row, columns, k| {
        low_part(row, columns, k)..columns
    })
}

/// `(array, k) -> array`: zeros below the diagonal of each matrix.
fn triu(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    masked(args, ret, |row, columns, k| {
        0..low_part(row, columns, k.saturating_sub(1))
    })
}

/// A copy of matrices with zeros where `clear` says, of a row, the number of columns and the diagonal.
fn masked(
    args: &[Arg],
    ret: Ret,
    clear: fn(usize, usize, i64) -> Range<usize>,
) -> Result<(), Failure> {
    let source = args[0].like()?;
    let k = args[1].int_checked()?;
    // One axis stands for each row of a square matrix.
    let view = match source.view().ndim() {
        1 => {
            let n = source.view().len();
            source.view().broadcast(&[n, n]).ok_or_else(bad_call)?
        }
        _ => source.view().clone(),
    };
    if view.ndim() < 2 {
        return Err(value_error("input array must have at least one axis"));
    }
    let out = ret.new_array(&view.shape)?;
    copy(&view, &out);
    let last = view.ndim() - 1;
    let (rows, columns) = (view.shape[last - 1], view.shape[last]);
    for (i, start) in out.lines().enumerate() {
        let zeros = clear(i % rows, columns, k);
        let step = out.strides[last];
        with_element!(out.kind, T => {
            for column in zeros {
                let at = start.wrapping_add(step.wrapping_mul(column as isize));
                // SAFETY: an element of the result.
                unsafe { out.write(at, T::from_wide(Wide::Int(0))) }
            }
        });
    }
    Ok(())
}

/// `(rows, k, columns | none) -> (array, array)`
fn tril_indices(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (rows, columns, k) = matrix_of(args)?;
    // Rows before these have no place.
    let first = usize::try_from(k.saturating_neg()).unwrap_or(0);
    let area = low_area(rows, columns, k);
    indices(ret, first..rows, area, |row| 0..low_part(row, columns, k))
}

/// `(rows, k, columns | none) -> (array, array)`
fn triu_indices(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (rows, columns, k) = matrix_of(args)?;
    let above = k.saturating_sub(1);
    let area = rows as u128 * columns as u128 - low_area(rows, columns, above);
    // Rows behind these have no place.
    let stop = usize::try_from((columns as i64).saturating_sub(above.saturating_add(1)));
    let rows = rows.min(stop.unwrap_or(0));
    indices(ret, 0..rows, area, |row| {
        low_part(row, columns, above)..columns
    })
}

/// Sides and diagonal of `np.tril_indices` and `np.triu_indices`.
fn matrix_of(args: &[Arg]) -> Result<(usize, usize, i64), Failure> {
    let rows = args[0].int()?;
    let columns = args[2].optional_int()?.unwrap_or(rows);
    Ok((side(rows)?, side(columns)?, args[1].int_checked()?))
}

/// The positions of the columns that `kept` gives for each row, `count` of them in all.
fn indices(
    ret: Ret,
    rows: Range<usize>,
    count: u128,
    kept: impl Fn(usize) -> Range<usize>,
) -> Result<(), Failure> {
    let count = usize::try_from(count).map_err(|_| too_big())?;
    let (mut down, mut along) = (
        ret.item(0)?.new_room(&[count])?,
        ret.item(1)?.new_room(&[count])?,
    );
    if count == 0 {
        return Ok(());
    }
    let (mut down, mut along) = (down.elements_mut(), along.elements_mut());
    for row in rows {
        let columns = kept(row);
        let (here, below) = down.split_at_mut(columns.len());
        let (places, after) = along.split_at_mut(columns.len());
        here.fill(row as i64);
        for (place, column) in places.iter_mut().zip(columns) {
            *place = column as i64;
        }
        (down, along) = (below, after);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_sums_of_rows() {
        for (rows, columns) in [(0, 3), (3, 0), (1, 1), (4, 4), (3, 7), (7, 3)] {
            for k in [i64::MIN, -9, -7, -3, -1, 0, 1, 2, 3, 6, 9, i64::MAX] {
                let sum: usize = (0..rows).map(|row| low_part(row, columns, k)).sum();
                assert_eq!(
                    low_area(rows, columns, k),
                    sum as u128,
                    "{rows} {columns} {k}"
                );
            }
        }
        let side = i64::MAX as usize;
        for k in [i64::MIN, -1, 0, i64::MAX] {
            assert!(low_area(side, side, k) <= side as u128 * side as u128);
        }
    }
}
