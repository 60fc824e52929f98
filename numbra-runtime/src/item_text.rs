//! The characters of strings that are items of containers, or parts of them.

use numbra_abi::SET_HASH;
use std::cmp::Ordering;

/// The characters of a string, from its leaves in memory.
pub(crate) struct Chars {
    data: *const u8,
    length: usize,
    /// Bytes of a character: 1, 2 or 4.
    width: u32,
}

impl Chars {
    /// # Safety
    /// The first three leaves of a string that is alive stand there.
    pub(crate) unsafe fn at(leaves: *const u8) -> Chars {
        // SAFETY: by contract.
        unsafe {
            Chars {
                data: leaves.cast::<*const u8>().read_unaligned(),
                length: leaves.add(8).cast::<u64>().read_unaligned() as usize,
                width: leaves.add(16).cast::<u32>().read_unaligned(),
            }
        }
    }

    fn char(&self, n: usize) -> u32 {
        // SAFETY: callers ask for characters that are there.
        unsafe {
            match self.width {
                1 => u32::from(self.data.add(n).read()),
                2 => u32::from(self.data.cast::<u16>().add(n).read_unaligned()),
                _ => self.data.cast::<u32>().add(n).read_unaligned(),
            }
        }
    }

    /// The same whatever the width.
    pub(crate) fn hash(&self) -> u64 {
        let mut key = self.length as u64;
        for n in 0..self.length {
            key = (key ^ u64::from(self.char(n)))
                .wrapping_mul(SET_HASH)
                .rotate_left(23);
        }
        key
    }

    pub(crate) fn equal(&self, other: &Chars) -> bool {
        if self.length != other.length {
            return false;
        }
        if self.width == other.width {
            let bytes = self.length * self.width as usize;
            // SAFETY: so many bytes are at both; an empty string may have no memory.
            return bytes == 0
                || unsafe {
                    std::slice::from_raw_parts(self.data, bytes)
                        == std::slice::from_raw_parts(other.data, bytes)
                };
        }
        (0..self.length).all(|n| self.char(n) == other.char(n))
    }

    /// True if all characters are of one byte.
    pub(crate) fn is_narrow(&self) -> bool {
        self.width == 1
    }

    /// The characters of a string of one byte each.
    fn bytes(&self) -> &[u8] {
        match self.length {
            0 => &[],
            // SAFETY: so many bytes are there.
            length => unsafe { std::slice::from_raw_parts(self.data, length) },
        }
    }

    /// A number with the order of the first characters: of eight bytes, or of three characters of any width.
    pub(crate) fn rank(&self, narrow: bool) -> u64 {
        if narrow {
            let bytes = self.bytes();
            let first = &bytes[..bytes.len().min(8)];
            let mut rank = [0; 8];
            rank[..first.len()].copy_from_slice(first);
            return u64::from_be_bytes(rank);
        }
        // The end of a string comes before each character.
        let char = |n| {
            if n < self.length {
                u64::from(self.char(n)) + 1
            } else {
                0
            }
        };
        char(0) << 42 | char(1) << 21 | char(2)
    }

    /// By code points, as Python compares strings.
    pub(crate) fn compare(&self, other: &Chars) -> Ordering {
        if self.is_narrow() && other.is_narrow() {
            return self.bytes().cmp(other.bytes());
        }
        let shared = self.length.min(other.length);
        (0..shared)
            .map(|n| self.char(n).cmp(&other.char(n)))
            .find(|order| order.is_ne())
            .unwrap_or_else(|| self.length.cmp(&other.length))
    }
}
