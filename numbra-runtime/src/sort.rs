//! Stable sorting of items in memory.

use crate::elements::{Element, Kind, Wide, with_element};
use std::cmp::Ordering;

/// Parts of items as compiled code describes them: their number, then scalar and byte of each, a word each.
///
/// # Safety
/// `words` points to such a description.
pub(crate) unsafe fn read_parts(words: *const u64) -> Vec<(usize, usize)> {
    // SAFETY: by contract.
    let count = unsafe { words.read_unaligned() } as usize;
    let word = |n: usize| {
        // SAFETY: two words follow for each part.
        unsafe { words.add(n).read_unaligned() as usize }
    };
    (0..count)
        .map(|n| (word(1 + 2 * n), word(2 + 2 * n)))
        .collect()
}

/// Sorts the items of `size` bytes in `memory` by their `parts` (scalar and byte of each), the first that differs. NaN
/// comes last; complex numbers are ordered by real, then imaginary part.
pub(crate) fn sort_items(
    (memory, size): (&mut [u8], usize),
    parts: &[(usize, usize)],
    reverse: bool,
) {
    if size == 0 || parts.is_empty() {
        return;
    }
    if let [(kind, 0)] = parts
        && let Some(&kind) = Kind::ALL.get(*kind)
        && kind.size() == size
        && kind != Kind::Float16
    {
        with_element!(kind, T => sort_elements::<T>(memory, reverse));
        return;
    }
    let count = memory.len() / size;
    let mut order: Vec<usize> = (0..count).collect();
    let item = |n: usize| &memory[n * size..(n + 1) * size];
    order.sort_by(|a, b| {
        let found = compare(item(*a), item(*b), parts);
        if reverse { found.reverse() } else { found }
    });
    let sorted: Vec<u8> = order.into_iter().flat_map(item).copied().collect();
    memory.copy_from_slice(&sorted);
}

/// Sorts numbers; memory is aligned for them, since lists allocate it.
fn sort_elements<T: Element>(memory: &mut [u8], reverse: bool) {
    // SAFETY: elements are plain numbers, for which any bits are valid.
    let (before, numbers, after) = unsafe { memory.align_to_mut::<T>() };
    debug_assert!(before.is_empty() && after.is_empty());
    if reverse {
        numbers.sort_by(|a, b| wide_order(b.wide(), a.wide()));
    } else {
        numbers.sort_by(|a, b| wide_order(a.wide(), b.wide()));
    }
}

fn compare(a: &[u8], b: &[u8], parts: &[(usize, usize)]) -> Ordering {
    parts
        .iter()
        .map(|&(kind, at)| wide_order(read(kind, a, at), read(kind, b, at)))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// The number at byte `at` of an item.
fn read(kind: usize, item: &[u8], at: usize) -> Wide {
    let Some(&kind) = Kind::ALL.get(kind) else {
        return Wide::Int(0);
    };
    let Some(bytes) = item.get(at..at + kind.size()) else {
        return Wide::Int(0);
    };
    // SAFETY: the bytes are as many as the element has, and any bits are valid.
    with_element!(kind, T => unsafe { bytes.as_ptr().cast::<T>().read_unaligned() }.wide())
}

fn wide_order(a: Wide, b: Wide) -> Ordering {
    match (a, b) {
        (Wide::Int(a), Wide::Int(b)) => a.cmp(&b),
        (Wide::UInt(a), Wide::UInt(b)) => a.cmp(&b),
        (Wide::Complex(x, i), Wide::Complex(y, j)) => float_order(x, y).then(float_order(i, j)),
        (Wide::Float(a), Wide::Float(b)) => float_order(a, b),
        (Wide::Int(_) | Wide::UInt(_) | Wide::Float(_) | Wide::Complex(..), _) => Ordering::Equal,
    }
}

/// By value, with all NaNs equal and after everything else.
fn float_order(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b)
        .unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_sorted_with_nan_last() {
        let mut numbers = [2.0, f64::NAN, -1.0, 0.5];
        // SAFETY: floats are bytes.
        let memory =
            unsafe { std::slice::from_raw_parts_mut(numbers.as_mut_ptr().cast::<u8>(), 32) };
        sort_items((memory, 8), &[(Kind::Float64.position(), 0)], false);
        assert_eq!(numbers[..3], [-1.0, 0.5, 2.0]);
        assert!(numbers[3].is_nan());
    }

    #[test]
    fn items_are_compared_part_by_part_and_stay_in_order() {
        let items: [(i64, i32, u8); 4] = [(1, 2, 0), (0, 5, 1), (1, -2, 2), (1, 2, 3)];
        let pack = |items: &[(i64, i32, u8)]| -> Vec<u8> {
            items
                .iter()
                .flat_map(|(a, b, tag)| {
                    let mut bytes = a.to_le_bytes().to_vec();
                    bytes.extend(b.to_le_bytes());
                    bytes.extend([*tag, 0, 0, 0]);
                    bytes
                })
                .collect()
        };
        let parts = [(Kind::Int64.position(), 0), (Kind::Int32.position(), 8)];
        for (reverse, order) in [(false, [1, 2, 0, 3]), (true, [0, 3, 2, 1])] {
            let mut memory = pack(&items);
            sort_items((&mut memory, 16), &parts, reverse);
            assert_eq!(memory, pack(&order.map(|n: usize| items[n])));
        }
    }
}
