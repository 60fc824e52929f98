//! Where functions go in the text section. Short loops run up to twice as fast when their code starts a fetch window, and
//! Cranelift does not align loop heads; moving the whole function by a few bytes does it without instructions.

/// Bytes of a cache line, and of the widest window that current processors fetch decoded instructions from.
const LINE: usize = 64;
/// Alignment of functions without loops.
const PLAIN_ALIGN: usize = 16;

/// A loop: offsets of its first byte and of the byte after its last block, and how many loops are around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Loop {
    start: usize,
    end: usize,
    depth: u32,
}

/// The first good offset at or after `end` of a text section for a function with these basic blocks. `align` is what the
/// function's own constants need.
pub(super) fn place(
    end: usize,
    align: usize,
    code_len: usize,
    starts: &[u32],
    edges: &[(u32, u32)],
) -> usize {
    let align = align.max(1);
    let loops = find_loops(code_len, starts, edges);
    if loops.is_empty() {
        return end.next_multiple_of(align.max(PLAIN_ALIGN));
    }
    let first = end.next_multiple_of(align);
    let candidates = (first..first + LINE).step_by(align);
    candidates
        .min_by_key(|&at| cost(at, &loops))
        .unwrap_or(first)
}

/// Windows that the loops spread over beyond need, inner loops first.
fn cost(at: usize, loops: &[Loop]) -> u64 {
    let mut total = 0;
    for l in loops {
        let (start, end) = (at + l.start, at + l.end);
        let windows = |size: usize| (end.div_ceil(size) - start / size) as u64;
        let least = |size: usize| (end - start).div_ceil(size) as u64;
        let excess = 4 * (windows(LINE) - least(LINE)) + (windows(LINE / 2) - least(LINE / 2));
        let off_start = u64::from(!start.is_multiple_of(LINE / 2));
        total += (2 * excess + off_start) << (3 * l.depth.min(8));
    }
    total
}

/// Loops are the ranges of back edges. Only those that fit a few windows matter.
fn find_loops(code_len: usize, starts: &[u32], edges: &[(u32, u32)]) -> Vec<Loop> {
    const MAX_LOOP: usize = 8 * LINE;
    let end_of = |from: u32| {
        let next = starts.partition_point(|&s| s <= from);
        starts.get(next).map_or(code_len, |&s| s as usize)
    };
    let mut ranges: Vec<(usize, usize)> = edges
        .iter()
        .filter(|(from, to)| to <= from)
        .map(|&(from, to)| (to as usize, end_of(from)))
        .filter(|(start, end)| start < end)
        .collect();
    ranges.sort_unstable();
    ranges.dedup();
    let depth = |&(start, end): &(usize, usize)| {
        let around = ranges.iter().filter(|&&(s, e)| s <= start && end <= e);
        around.count() as u32 - 1
    };
    // Counting pairs is quadratic; functions with this many loops have no single hot one.
    if ranges.len() > 256 {
        return Vec::new();
    }
    let small = ranges.iter().filter(|(s, e)| e - s <= MAX_LOOP);
    small
        .map(|range| Loop {
            start: range.0,
            end: range.1,
            depth: depth(range),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_functions_are_packed() {
        assert_eq!(place(5, 1, 40, &[0], &[]), 16);
        assert_eq!(place(64, 1, 40, &[0], &[]), 64);
    }

    #[test]
    fn the_inner_loop_starts_a_window() {
        // Blocks at 0, 7 (outer head), 20 (inner head), 45 (latch); loops 7..60 and 20..45.
        let starts = [0, 7, 20, 45];
        let edges = [(0, 7), (7, 20), (20, 20), (20, 45), (45, 7)];
        let at = place(0, 1, 60, &starts, &edges);
        assert_eq!((at + 20) % 32, 0);
        assert_eq!((at + 20) / 64, (at + 44) / 64);
    }

    #[test]
    fn constants_keep_their_alignment() {
        let at = place(3, 16, 60, &[0, 7], &[(0, 7), (7, 7)]);
        assert_eq!(at % 16, 0);
    }
}
