//! Mean, variance, standard deviation.

use crate::array::View;
use crate::elements::{Element, Kind, Pair, Time, Wide};
use crate::lines;
use crate::pairwise::{pairwise_in, pairwise_view};
use crate::parallel::Threads;
use crate::reduce::{elements, total};
use crate::strided::converted_in;
use crate::value::{Arg, Failure, Ret};
use numbra_memory::Gather;
use smallvec::smallvec;

bodies! {
    mean = mean, 1, lines::mean;
    std = std, 1, lines::std;
    var = var, 1, lines::var;
}

/// `(array) -> scalar`: Sum as by numbra_rt_sum at the result's type, divided by the number of elements; NaN when empty.
fn mean(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let array = args[0].array()?;
    if array.kind == Kind::Time {
        return ret.scalar(match total(array, Kind::Time, ret.threads()) {
            Wide::Int(sum) if array.len() > 0 => Wide::Int(sum / array.len() as i64),
            _ => Time::NAT.wide(),
        });
    }
    // NumPy sums halves in f32.
    let kind = match ret.kind()? {
        Kind::Float16 => Kind::Float32,
        kind => kind,
    };
    ret.scalar(divide(total(array, kind, ret.threads()), array.len()))
}

/// Complex numbers by the reciprocal, as NumPy's complex division does for a real divisor.
fn divide(sum: Wide, count: usize) -> Wide {
    let count = count as f64;
    match sum {
        Wide::Int(x) => Wide::Float(x as f64 / count),
        Wide::UInt(x) => Wide::Float(x as f64 / count),
        Wide::Float(x) => Wide::Float(x / count),
        Wide::Complex(re, im) if count == 0.0 => Wide::Complex(re / count, im / count),
        Wide::Complex(re, im) => {
            let scale = 1.0 / count;
            Wide::Complex(re * scale, im * scale)
        }
    }
}

/// `(array) -> float64`: Mean of the squared distances from the mean, of absolute values for complex; NaN when empty.
fn var(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    ret.scalar(Wide::Float(variance(args[0].array()?, ret.threads())))
}

/// `(array) -> float64`: Square root of numbra_rt_var.
fn std(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let variance = variance(args[0].array()?, ret.threads());
    ret.scalar(Wide::Float(variance.sqrt()))
}

/// Mean of the squared distances from the mean, in float64; of absolute values for complex numbers.
fn variance(array: &View, threads: Threads) -> f64 {
    let count = array.len();
    let ordered = array.in_memory_order();
    let mut squares: Vec<f64> = match array.kind {
        Kind::Time | Kind::Bytes(_) => crate::elements::no_number(),
        Kind::Complex64 | Kind::Complex128 => {
            let own = converted_in(threads, &ordered, Kind::Complex128);
            let (re, im) = match divide(total(&own.view, Kind::Complex128, threads), count) {
                Wide::Complex(re, im) => (re, im),
                Wide::Float(x) => (x, 0.0),
                Wide::Int(x) => (x as f64, 0.0),
                Wide::UInt(x) => (x as f64, 0.0),
            };
            elements::<Pair<f64>>(&own.view)
                .map(|z| (z.re - re, z.im - im))
                .map(|(x, y)| x * x + y * y)
                .gathered()
        }
        Kind::Bool
        | Kind::Int8
        | Kind::Int16
        | Kind::Int32
        | Kind::Int64
        | Kind::UInt8
        | Kind::UInt16
        | Kind::UInt32
        | Kind::UInt64
        | Kind::Float16
        | Kind::Float32
        | Kind::Float64 => {
            if let Some(run) = ordered.as_slice::<f64>() {
                return spread(run, threads);
            }
            // A copy, which is read twice, is faster; without memory for it they are read twice where they lie. The room is
            // given back before the copy takes it, so that another thread may be faster.
            if numbra_memory::try_room::<f64>(count).is_err() {
                return spread_of(&ordered, threads);
            }
            let own = converted_in(threads, &ordered, Kind::Float64);
            return spread(own.view.as_slice().unwrap_or_default(), threads);
        }
    };
    let view = View {
        kind: Kind::Float64,
        data: squares.as_mut_ptr().cast(),
        shape: smallvec![count],
        strides: smallvec![8],
    };
    float(divide(total(&view, Kind::Float64, threads), count))
}

/// The variance of a run. The sums have the bits of sums over arrays.
pub(crate) fn spread(values: &[f64], threads: Threads) -> f64 {
    let count = values.len() as f64;
    let mean = (0.0 + pairwise_in(threads, values, |x| x)) / count;
    let squares = pairwise_in(threads, values, |x| (x - mean) * (x - mean));
    (0.0 + squares) / count
}

/// As [`spread`], of elements that are read twice where they lie.
fn spread_of(array: &View, threads: Threads) -> f64 {
    let count = array.len() as f64;
    let mean = (0.0 + pairwise_view(threads, array, |x| x)) / count;
    let squares = pairwise_view(threads, array, |x| (x - mean) * (x - mean));
    (0.0 + squares) / count
}

fn float(x: Wide) -> f64 {
    match x {
        Wide::Float(x) | Wide::Complex(x, _) => x,
        Wide::Int(x) => x as f64,
        Wide::UInt(x) => x as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strided::to_vec;

    #[test]
    fn what_is_read_where_it_lies_has_the_bits_of_a_copy() {
        for (rows, columns) in [(1, 5000), (3, 1), (70, 33), (2, 2049), (0, 4), (1030, 2)] {
            let items: Vec<f64> = (0..2 * rows * columns).map(|i| (i as f64).sin()).collect();
            let mut view = View::of(&items, &[rows, 2 * columns]);
            view.shape[1] = columns;
            view.strides[1] *= 2;
            for array in [view.clone(), view.permuted(&[1, 0]), view.flipped(0)] {
                let copied = spread(&to_vec::<f64>(&array), Threads::One);
                assert_eq!(spread_of(&array, Threads::One).to_bits(), copied.to_bits());
            }
            if rows > 0 {
                let line = view.at(0, rows - 1);
                let copied = spread(&to_vec::<f64>(&line), Threads::One);
                assert_eq!(spread_of(&line, Threads::One).to_bits(), copied.to_bits());
            }
        }
    }
}
