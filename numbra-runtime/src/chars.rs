//! Characters in memory: those of strings, and of char sequences, NumPy's strings of fixed length, padded with zeros.

use std::cmp::Ordering;

/// Character `index` of characters of `width` bytes: 1, 2 or 4.
///
/// # Safety
/// It stands there.
unsafe fn character(data: *const u8, index: usize, width: usize) -> u32 {
    let at = data.wrapping_add(index * width);
    // SAFETY: by contract; sequences stand at any address.
    unsafe {
        match width {
            1 => u32::from(at.read()),
            2 => u32::from(at.cast::<u16>().read_unaligned()),
            _ => at.cast::<u32>().read_unaligned(),
        }
    }
}

/// `numbra_rt_chars_len(data, count, width)`: number of characters up to the last that is not zero.
///
/// # Safety
/// `count` characters of `width` bytes stand at `data`.
pub(crate) unsafe extern "C" fn numbra_rt_chars_len(
    data: *const u8,
    count: i64,
    width: i64,
) -> i64 {
    let mut length = count.max(0) as usize;
    // SAFETY: `length` is `count` at most.
    while length > 0 && unsafe { character(data, length - 1, width as usize) } == 0 {
        length -= 1;
    }
    length as i64
}

/// `numbra_rt_chars_compare(a, a_length, a_width, b, b_length, b_width)`: below, at or above 0 as the characters at `a` sort
/// before, with or after those at `b`. Code points compare, as in Python.
///
/// # Safety
/// So many characters of so many bytes stand at `a` and at `b`.
pub(crate) unsafe extern "C" fn numbra_rt_chars_compare(
    a: *const u8,
    a_length: i64,
    a_width: i64,
    b: *const u8,
    b_length: i64,
    b_width: i64,
) -> i32 {
    let lengths = [a_length, b_length].map(|length| length.max(0) as usize);
    let both = lengths[0].min(lengths[1]);
    let order = match (a_width, b_width) {
        // SAFETY: so many bytes stand there; none are read from where an empty string may point.
        (1, 1) if both > 8 => unsafe {
            std::slice::from_raw_parts(a, both).cmp(std::slice::from_raw_parts(b, both))
        },
        _ => {
            // SAFETY: `index` is below both lengths.
            let at = |index| unsafe {
                (
                    character(a, index, a_width as usize),
                    character(b, index, b_width as usize),
                )
            };
            let differ = (0..both).map(at).find(|(x, y)| x != y);
            differ.map_or(Ordering::Equal, |(x, y)| x.cmp(&y))
        }
    };
    order.then(lengths[0].cmp(&lengths[1])) as i32
}

/// `numbra_rt_chars_fill(to, count, width, from, length, from_width)`: writes `count` characters of `width` bytes (1 or 4):
/// the first of the `length` at `from`, then zeros. A character that does not fit is cut.
///
/// # Safety
/// There is room for them at `to`, apart from the `length` characters of `from_width` bytes that stand at `from`.
pub(crate) unsafe extern "C" fn numbra_rt_chars_fill(
    to: *mut u8,
    count: i64,
    width: i64,
    from: *const u8,
    length: i64,
    from_width: i64,
) {
    for index in 0..count.max(0) as usize {
        // SAFETY: by contract.
        unsafe {
            let c = match index < length.max(0) as usize {
                true => character(from, index, from_width as usize),
                false => 0,
            };
            match width {
                1 => to.add(index).write(c as u8),
                _ => to.add(4 * index).cast::<u32>().write_unaligned(c),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_at_the_end_do_not_count() {
        let text: [u32; 5] = [97, 0, 0x1_f600, 0, 0];
        let bytes: [u8; 4] = [b'a', b'b', 0, 0];
        // SAFETY: arrays of so many characters.
        unsafe {
            assert_eq!(numbra_rt_chars_len(text.as_ptr().cast(), 5, 4), 3);
            assert_eq!(numbra_rt_chars_len(bytes.as_ptr(), 4, 1), 2);
            assert_eq!(numbra_rt_chars_len(bytes.as_ptr(), 0, 1), 0);
        }
    }

    #[test]
    fn code_points_compare() {
        let bytes = b"a long text of bytes";
        let wide: Vec<u32> = bytes.iter().map(|&c| u32::from(c)).collect();
        let compare = |a: &[u8], b: &[u32]| {
            // SAFETY: slices of so many characters.
            unsafe {
                numbra_rt_chars_compare(
                    a.as_ptr(),
                    a.len() as i64,
                    1,
                    b.as_ptr().cast(),
                    b.len() as i64,
                    4,
                )
            }
        };
        assert_eq!(compare(bytes, &wide), 0);
        assert_eq!(compare(&bytes[..9], &wide), -1);
        assert_eq!(compare(bytes, &wide[..0]), 1);
        assert_eq!(compare(b"\xff", &[0x100]), -1);
        assert_eq!(compare(b"b", &[97, 0x10_ffff]), 1);
        for end in [0, 5, 12, 20] {
            let (a, b) = (bytes.as_ptr(), bytes.as_ptr().wrapping_add(20 - end));
            let length = end as i64;
            // SAFETY: `end` bytes stand at both.
            let order = unsafe { numbra_rt_chars_compare(a, length, 1, b, length, 1) };
            let wanted = bytes[..end].cmp(&bytes[20 - end..]) as i32;
            assert_eq!(order, wanted);
        }
    }

    #[test]
    fn filling_cuts_and_pads() {
        let from: [u16; 3] = [97, 0x1e9, 99];
        let (mut long, mut short) = ([7_u32; 5], [7_u8; 2]);
        // SAFETY: arrays of so many characters.
        unsafe {
            numbra_rt_chars_fill(long.as_mut_ptr().cast(), 5, 4, from.as_ptr().cast(), 3, 2);
            numbra_rt_chars_fill(short.as_mut_ptr(), 2, 1, from.as_ptr().cast(), 3, 2);
        }
        assert_eq!(long, [97, 0x1e9, 99, 0, 0]);
        assert_eq!(short, [97, 0xe9]);
    }
}
