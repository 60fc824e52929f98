//! Stable sorting of items in memory.

use crate::elements::{Element, Kind, Wide, with_element};
use crate::item_text::Chars;
use numbra_abi::TEXT_PART;
use numbra_memory::{Gather, room, sort_stable};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// Parts of items as compiled code describes them: their number, then scalar and byte of each, a word each.
///
/// # Safety
/// `words` points to such a description.
pub(crate) unsafe fn read_parts(words: *const u64) -> SmallVec<[(usize, usize); 2]> {
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
/// comes last; complex numbers are ordered by real, then imaginary part, strings by code points.
///
/// # Safety
/// Strings among the items are alive.
pub(crate) unsafe fn sort_items(
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
    let item = |n: usize| &memory[n * size..(n + 1) * size];
    // The first part decides about most pairs.
    let count = memory.len() / size;
    let (first, at) = parts[0];
    let text = |n: usize| {
        // SAFETY: by contract.
        unsafe { chars(item(n), at) }
    };
    let mut order: Vec<(u64, usize)> = if first as u64 == TEXT_PART {
        let narrow = (0..count).all(|n| text(n).is_narrow());
        (0..count).map(|n| (text(n).rank(narrow), n)).gathered()
    } else {
        (0..count)
            .map(|n| (rank(read(first, item(n), at)), n))
            .gathered()
    };
    // Numbers of items tell equal ones apart: no memory is needed to keep their order.
    if reverse {
        order.sort_unstable_by_key(|one| (std::cmp::Reverse(one.0), one.1));
    } else {
        order.sort_unstable_by_key(|one| *one);
    }
    for alike in order.chunk_by_mut(|a, b| a.0 == b.0) {
        if alike.len() > 1 {
            alike.sort_unstable_by(|a, b| {
                // SAFETY: by contract.
                let found = unsafe { compare(item(a.1), item(b.1), parts) };
                if reverse { found.reverse() } else { found }.then(a.1.cmp(&b.1))
            });
        }
    }
    let mut sorted = room(memory.len());
    for (_, n) in order {
        sorted.extend_from_slice(item(n));
    }
    memory.copy_from_slice(&sorted);
}

/// A number with the order of [`wide_order`]: of a complex number that of its real part.
fn rank(value: Wide) -> u64 {
    const SIGN: u64 = 1 << 63;
    match value {
        Wide::Int(x) => x as u64 ^ SIGN,
        Wide::UInt(x) => x,
        Wide::Float(x) | Wide::Complex(x, _) if x.is_nan() => u64::MAX,
        Wide::Float(x) | Wide::Complex(x, _) => {
            // The sum makes one zero of two.
            let bits = (x + 0.0).to_bits();
            if bits & SIGN == 0 { bits | SIGN } else { !bits }
        }
    }
}

/// Sorts numbers; memory is aligned for them, since lists allocate it.
fn sort_elements<T: Element>(memory: &mut [u8], reverse: bool) {
    // SAFETY: elements are plain numbers, for which any bits are valid.
    let (before, numbers, after) = unsafe { memory.align_to_mut::<T>() };
    debug_assert!(before.is_empty() && after.is_empty());
    if reverse {
        sort_stable(numbers, |a, b| wide_order(b.wide(), a.wide()));
    } else {
        sort_stable(numbers, |a, b| wide_order(a.wide(), b.wide()));
    }
}

/// # Safety
/// Strings in the items are alive.
unsafe fn compare(a: &[u8], b: &[u8], parts: &[(usize, usize)]) -> Ordering {
    let part = |&(kind, at): &(usize, usize)| {
        if kind as u64 == TEXT_PART {
            // SAFETY: by contract.
            return unsafe { chars(a, at).compare(&chars(b, at)) };
        }
        wide_order(read(kind, a, at), read(kind, b, at))
    };
    parts
        .iter()
        .map(part)
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// The string at byte `at` of an item.
///
/// # Safety
/// There is one, which is alive.
unsafe fn chars(item: &[u8], at: usize) -> Chars {
    // SAFETY: by contract.
    unsafe { Chars::at(item.as_ptr().add(at)) }
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
        // SAFETY: there are no strings.
        unsafe { sort_items((memory, 8), &[(Kind::Float64.position(), 0)], false) };
        assert_eq!(numbers[..3], [-1.0, 0.5, 2.0]);
        assert!(numbers[3].is_nan());
    }

    #[test]
    fn ranks_have_the_order_of_numbers() {
        let floats = [
            f64::NEG_INFINITY,
            -2.5,
            -f64::MIN_POSITIVE / 2.0,
            0.0,
            1e-300,
            7.0,
            f64::INFINITY,
            f64::NAN,
        ];
        let ranks = floats.map(|x| rank(Wide::Float(x)));
        assert!(ranks.is_sorted_by(|a, b| a < b));
        assert_eq!(rank(Wide::Float(-0.0)), rank(Wide::Float(0.0)));
        assert_eq!(rank(Wide::Float(-f64::NAN)), rank(Wide::Float(f64::NAN)));
        let ints = [i64::MIN, -1, 0, 1, i64::MAX].map(|n| rank(Wide::Int(n)));
        assert!(ints.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn strings_are_sorted_by_code_points() {
        let wide: Vec<u32> = vec![0x1F600, 0x61];
        let with_zero = [b'a', 0];
        let texts: [(*const u8, u64, u32); 6] = [
            (b"banana".as_ptr(), 6, 1),
            (b"".as_ptr(), 0, 1),
            (b"a-long-text 2".as_ptr(), 13, 1),
            (b"a-long-text 1".as_ptr(), 13, 1),
            (with_zero.as_ptr(), 2, 1),
            (b"a".as_ptr(), 1, 1),
        ];
        let pack = |texts: &[(*const u8, u64, u32)]| -> Vec<u8> {
            let leaves = texts.iter().enumerate().flat_map(|(n, text)| {
                let words = [text.0.addr() as u64, text.1, u64::from(text.2), n as u64];
                words.into_iter().flat_map(u64::to_le_bytes)
            });
            leaves.collect()
        };
        let parts = [(TEXT_PART as usize, 0)];
        let sorted = |texts: &[(*const u8, u64, u32)], reverse| -> Vec<u64> {
            let mut memory = pack(texts);
            // SAFETY: the texts are alive.
            unsafe { sort_items((&mut memory, 32), &parts, reverse) };
            let number = |item: &[u8]| u64::from_le_bytes(item[24..].try_into().expect("8 bytes"));
            memory.chunks(32).map(number).collect()
        };
        assert_eq!(sorted(&texts, false), [1, 5, 4, 3, 2, 0]);
        assert_eq!(sorted(&texts, true), [0, 2, 3, 4, 5, 1]);
        let mut mixed = texts.to_vec();
        mixed.push((wide.as_ptr().cast(), 2, 4));
        mixed.push((wide[1..].as_ptr().cast(), 1, 4));
        assert_eq!(sorted(&mixed, false), [1, 5, 7, 4, 3, 2, 0, 6]);
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
            // SAFETY: there are no strings.
            unsafe { sort_items((&mut memory, 16), &parts, reverse) };
            assert_eq!(memory, pack(&order.map(|n: usize| items[n])));
        }
    }
}
