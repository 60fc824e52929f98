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

    /// The same whatever the width: of characters that bytes hold, that of the bytes.
    #[inline]
    pub(crate) fn hash(&self) -> u64 {
        match self.is_narrow() {
            true => hash_of_bytes(self.bytes()),
            false => self.hash_of_wide(),
        }
    }

    #[cold]
    fn hash_of_wide(&self) -> u64 {
        let length = self.length;
        if (0..length).any(|n| self.char(n) > 0xff) {
            let chars = (0..length).map(|n| u64::from(self.char(n)));
            return chars.fold(length as u64, mixed);
        }
        // As `hash_of_bytes`, of bytes that stand apart.
        let word = |from: usize, count: usize| {
            let mut bytes = [0; 8];
            for (n, byte) in bytes.iter_mut().enumerate().take(count) {
                *byte = self.char(from + n) as u8;
            }
            end_of(&bytes[..count])
        };
        let whole = length.saturating_sub(1) / 8;
        let hash = (0..whole).fold(length as u64, |hash, n| mixed(hash, word(8 * n, 8)));
        mixed(hash, word(length.saturating_sub(8), length.min(8)))
    }

    #[inline]
    pub(crate) fn equal(&self, other: &Chars) -> bool {
        if self.length != other.length {
            return false;
        }
        match self.is_narrow() && other.is_narrow() {
            true => same_bytes(self.bytes(), other.bytes()),
            false => self.equal_wide(other),
        }
    }

    /// Of as many characters.
    #[cold]
    fn equal_wide(&self, other: &Chars) -> bool {
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

/// A hash with one more word in it.
#[inline(always)]
fn mixed(hash: u64, word: u64) -> u64 {
    (hash ^ word).wrapping_mul(SET_HASH).rotate_left(23)
}

/// The last eight of bytes as a word; fewer make one in which each of them is.
#[inline(always)]
fn end_of(bytes: &[u8]) -> u64 {
    let half = |four: &[u8; 4]| u64::from(u32::from_le_bytes(*four));
    if let Some(end) = bytes.last_chunk() {
        return u64::from_le_bytes(*end);
    }
    if let (Some(start), Some(end)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return half(start) << 32 | half(end);
    }
    match bytes {
        [] => 0,
        _ => {
            let at = |n: usize| u64::from(bytes[n]);
            at(0) << 16 | at(bytes.len() / 2) << 8 | at(bytes.len() - 1)
        }
    }
}

#[inline(always)]
fn hash_of_bytes(bytes: &[u8]) -> u64 {
    let mut hash = bytes.len() as u64;
    if bytes.len() > 8 {
        for word in bytes[..bytes.len() - 1].chunks_exact(8) {
            hash = mixed(hash, end_of(word));
        }
    }
    mixed(hash, end_of(bytes))
}

/// Whether as many bytes are the same.
#[inline(always)]
fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    // A call of `memcmp` takes longer than most keys.
    end_of(a) == end_of(b) && (a.len() <= 8 || a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chars<T>(all: &[T]) -> Chars {
        Chars {
            data: all.as_ptr().cast(),
            length: all.len(),
            width: size_of::<T>() as u32,
        }
    }

    #[test]
    fn texts_are_equal_by_their_characters_at_any_width() {
        let texts: Vec<Vec<u8>> = (0..40)
            .flat_map(|length| {
                let plain: Vec<u8> = (0..length).map(|n| n * 7 + 60).collect();
                let others = (0..length as usize).map({
                    let plain = plain.clone();
                    move |at| {
                        let mut one = plain.clone();
                        one[at] ^= 0x81;
                        one
                    }
                });
                others.chain([plain]).collect::<Vec<_>>()
            })
            .collect();
        let mut hashes = std::collections::BTreeSet::new();
        for text in &texts {
            let wide: Vec<u16> = text.iter().map(|c| u16::from(*c)).collect();
            let widest: Vec<u32> = text.iter().map(|c| u32::from(*c)).collect();
            let forms = [chars(text), chars(&wide), chars(&widest)];
            for form in &forms {
                assert_eq!(form.hash(), forms[0].hash());
                assert!(form.equal(&forms[0]) && forms[0].equal(form));
            }
            hashes.insert(forms[0].hash());
        }
        assert_eq!(hashes.len(), texts.len(), "each has a hash of its own");
        for a in &texts {
            for b in &texts {
                assert_eq!(chars(a).equal(&chars(b)), a == b, "{a:?} {b:?}");
            }
        }
        let (pair, single): ([u16; 2], [u32; 2]) = ([0x3b1, 65], [0x3b1, 65]);
        assert_eq!(chars(&pair).hash(), chars(&single).hash());
        assert!(chars(&pair).equal(&chars(&single)));
    }
}
