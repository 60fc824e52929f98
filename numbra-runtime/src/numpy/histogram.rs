//! `np.histogram`.

use super::statistics::spaced;
use crate::simd::widest;
use crate::strided::{run_of, to_vec};
use crate::value::{Arg, Failure, Ret, value_error};
use numbra_memory::filled;

bodies! {
    histogram = histogram, 3;
}

/// `(array, bins, range | none) -> (array(int64), array)`
fn histogram(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let all = run_of::<f64>(source.view());
    if let Arg::Scalar(_) = args[1] {
        let bins = args[1].int()?;
        if bins < 1 {
            return Err(value_error(
                "histogram(): `bins` should be a positive integer",
            ));
        }
        return equal_bins(&all, bins as usize, &args[2], ret);
    }
    let bins = args[1].like()?;
    let edges = to_vec::<f64>(bins.view());
    if edges.windows(2).any(|w| w[0] > w[1]) {
        return Err(value_error(
            "histogram(): `bins` must increase monotonically",
        ));
    }
    let mut counts = filled(edges.len().saturating_sub(1), 0_i64);
    if let (Some(&first), Some(&last)) = (edges.first(), edges.last()) {
        for &x in all.iter() {
            if x >= first && x <= last && !counts.is_empty() {
                let at = edges.partition_point(|&e| e <= x);
                // The last bin holds its upper edge.
                let at = at.saturating_sub(1).min(counts.len() - 1);
                counts[at] += 1;
            }
        }
    }
    ret.item(0)?.vector(&counts)?;
    ret.item(1)?.copy_of(bins.view())
}

/// NumPy's counting in bins of one width: the bin by division, corrected by the edges.
fn equal_bins(all: &[f64], bins: usize, range: &Arg, ret: Ret) -> Result<(), Failure> {
    let (mut first, mut last) = if range.is_nothing() {
        match finite_ends(all) {
            Some((low, high)) if low <= high => (low, high),
            Some(_) => (0.0, 1.0),
            None => return Err(value_error("histogram(): autodetected range is not finite")),
        }
    } else {
        let ends = range.items()?;
        match ends {
            [low, high] => (low.float()?, high.float()?),
            _ => return Err(value_error("range must be a tuple of two numbers")),
        }
    };
    if first > last {
        return Err(value_error(
            "histogram(): max must be larger than min in range parameter",
        ));
    }
    if !first.is_finite() || !last.is_finite() {
        return Err(value_error("histogram(): range must be finite"));
    }
    if first == last {
        (first, last) = (first - 0.5, last + 0.5);
    }
    // Edges, counts and the sides of bins, all at once: none of them may end the process.
    let room = Vec::<[f64; 5]>::new().try_reserve_exact(bins.saturating_add(1));
    if bins > MOST_BINS || room.is_err() {
        let message = format!("histogram(): no memory for {bins} bins");
        return Err(Failure::new("builtins.MemoryError", message));
    }
    let edges = spaced(first, last, bins + 1);
    let counts = counted(all, &edges);
    ret.item(0)?.vector(&counts)?;
    ret.item(1)?.vector(&edges)
}

widest! {
    /// The least and the greatest number, infinity and its negative if there are none; none if one is not finite.
    fn finite_ends(all: &[f64]) -> Option<(f64, f64)> {
        /// So many numbers side by side, as registers hold them.
        const LANES: usize = 16;
        let least = |a: f64, b: f64| if b < a { b } else { a };
        let greatest = |a: f64, b: f64| if b > a { b } else { a };
        let mut low = [f64::INFINITY; LANES];
        let mut high = [f64::NEG_INFINITY; LANES];
        // Becomes NaN by what is not finite.
        let mut zero = [0.0; LANES];
        let (whole, rest) = all.as_chunks::<LANES>();
        for chunk in whole {
            for lane in 0..LANES {
                low[lane] = least(low[lane], chunk[lane]);
                high[lane] = greatest(high[lane], chunk[lane]);
                zero[lane] += chunk[lane] * 0.0;
            }
        }
        for (lane, &x) in rest.iter().enumerate() {
            low[lane] = least(low[lane], x);
            high[lane] = greatest(high[lane], x);
            zero[lane] += x * 0.0;
        }
        let finite = zero.iter().all(|x| !x.is_nan());
        finite.then(|| {
            (
                low.into_iter().fold(f64::INFINITY, least),
                high.into_iter().fold(f64::NEG_INFINITY, greatest),
            )
        })
    }
}

/// The highest number of bins: places among them have 32 bits.
const MOST_BINS: usize = i32::MAX as usize - 1;

/// Bins of one width: how the one of a number is found by division.
struct Division {
    first: f64,
    last: f64,
    width: f64,
    bins: f64,
    /// Whether a product with `bins / width` is as near as the quotient.
    is_normal: bool,
    /// How far division and edges may be apart, in bins: each is rounded a few times.
    apart: f64,
}

/// How many numbers are in each bin between edges of one distance, the last of which holds its upper edge.
fn counted(all: &[f64], edges: &[f64]) -> Vec<i64> {
    /// So many numbers at once have their bins computed, then corrected and counted: each is a loop of its own, whose
    /// steps do not wait for each other.
    const BLOCK: usize = 256;
    let bins = edges.len() - 1;
    assert!(bins <= MOST_BINS, "places have 32 bits");
    let (first, last) = (edges[0], edges[bins]);
    let (width, scale) = (last - first, bins as f64);
    // Without branches on numbers, which no processor foresees: what is outside is counted behind the last bin.
    let mut counts = filled(bins + 1, 0_i64);
    let largest = first.abs().max(last.abs());
    let is_normal = width / scale > f64::MIN_POSITIVE / f64::EPSILON && width < f64::INFINITY;
    let division = Division {
        first,
        last,
        width,
        bins: scale,
        is_normal,
        apart: match is_normal {
            true => 10.0 * f64::EPSILON * (1.0 + largest / width) * scale,
            // Numbers this small are rounded by more than their size tells.
            false => f64::INFINITY,
        },
    };
    let mut places = [0_i32; BLOCK];
    for block in all.chunks(BLOCK) {
        if division.places(block, &mut places) {
            for (place, &x) in places.iter_mut().zip(block) {
                *place = corrected(*place, x, edges);
            }
        }
        for &place in &places[..block.len()] {
            counts[place as usize] += 1;
        }
    }
    counts.truncate(bins);
    counts
}

/// The bin of a number, or behind the last one, where division gave `place`: the edges decide.
fn corrected(place: i32, x: f64, edges: &[f64]) -> i32 {
    let bins = edges.len() - 1;
    let at = place as usize;
    // No branches, as above.
    let above = (at + 1 < bins) & (x >= edges[bins.min(at + 1)]);
    let below = (at < bins) & (x < edges[at]);
    place + i32::from(above) - i32::from(below)
}

impl Division {
    /// The bins of numbers, the number of bins for those outside; whether one of them is so near to an edge that its bin
    /// may be another.
    fn places(&self, block: &[f64], places: &mut [i32]) -> bool {
        match self.is_normal {
            true => places_by_product(block, places, self),
            false => places_by_quotient(block, places, self),
        }
    }

    #[inline(always)]
    fn place(&self, x: f64, at: f64) -> (i32, bool) {
        let (highest, outside) = (self.bins - 0.5, self.bins + 0.5);
        // No number is what the quotient of infinities is, of the widest range.
        let at = if at.is_nan() { 0.0 } else { at };
        let at = if at < highest { at } else { highest };
        let inside = (x >= self.first) & (x <= self.last);
        let at = if inside { at } else { outside };
        // SAFETY: between 0 and the number of bins and a half, which the caller keeps within 32 bits.
        let place: i32 = unsafe { at.to_int_unchecked() };
        let within = at - f64::from(place);
        let clear = (within > self.apart) & (within < 1.0 - self.apart);
        (place, !clear)
    }
}

widest! {
    fn places_by_product(block: &[f64], places: &mut [i32], by: &Division) -> bool {
        let bins_of_one = by.bins / by.width;
        let mut near = false;
        for (place, &x) in places.iter_mut().zip(block) {
            let found = by.place(x, (x - by.first) * bins_of_one);
            *place = found.0;
            near |= found.1;
        }
        near
    }

    fn places_by_quotient(block: &[f64], places: &mut [i32], by: &Division) -> bool {
        let mut near = false;
        for (place, &x) in places.iter_mut().zip(block) {
            let found = by.place(x, (x - by.first) / by.width * by.bins);
            *place = found.0;
            near |= found.1;
        }
        near
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_what_is_finite() {
        assert_eq!(finite_ends(&[]), Some((f64::INFINITY, f64::NEG_INFINITY)));
        let mut all: Vec<f64> = (0..19).map(|i| f64::from((i * 7) % 19) - 4.0).collect();
        assert_eq!(finite_ends(&all), Some((-4.0, 14.0)));
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for at in [0, 7, 18] {
                let good = std::mem::replace(&mut all[at], bad);
                assert_eq!(finite_ends(&all), None);
                all[at] = good;
            }
        }
    }

    #[test]
    fn edges_decide_where_division_rounds() {
        // 0.7 * 10 and 0.3 * 10 are rounded to the other side of the edges.
        let edges = spaced(0.0, 1.0, 11);
        for (at, &edge) in edges.iter().enumerate() {
            for (x, bin) in [
                (edge, at),
                (edge.next_down(), at.wrapping_sub(1)),
                (edge.next_up(), at),
            ] {
                let counts = counted(&[x], &edges);
                let found = counts.iter().position(|&n| n == 1);
                let want = if x == 1.0 {
                    Some(9)
                } else {
                    Some(bin).filter(|&b| b < 10)
                };
                assert_eq!(found, want, "{x}");
            }
        }
    }

    #[test]
    fn what_is_outside_is_in_no_bin() {
        let edges = spaced(-1.0, 2.0, 4);
        let all = [
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            -1.5,
            2.5,
            2.0,
            -1.0,
            0.5,
        ];
        assert_eq!(counted(&all, &edges), [1, 1, 1]);
        assert_eq!(counted(&[], &edges), [0, 0, 0]);
    }
}
