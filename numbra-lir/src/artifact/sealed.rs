//! The binary form of artifacts and of the files of the cache.
//!
//! Header: 8 bytes that name the kind, u32 version, u64 payload length, u32 CRC of the payload, little-endian. The
//! payload is the value in the format of `postcard`.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Version of the binary form of every kind; another version is rejected.
pub const FORMAT_VERSION: u32 = 3;

/// Bytes before the payload.
pub const HEADER_LEN: usize = 24;

/// Why bytes are not a sealed value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsealed {
    /// There are fewer bytes than a header has.
    CutShort,
    /// They are of another kind.
    OtherKind,
    /// They were written by another version of numbra.
    Version(u32),
    /// They are not as they were written.
    Damaged(&'static str),
}

/// The binary form of a value.
pub fn seal<T: Serialize>(kind: &[u8; 8], value: &T) -> Vec<u8> {
    let header = vec![0; HEADER_LEN];
    let mut bytes = postcard::to_extend(value, header).expect("plain data grows in memory");
    let len = (bytes.len() - HEADER_LEN) as u64;
    let sum = crc32fast::hash(&bytes[HEADER_LEN..]);
    bytes[..8].copy_from_slice(kind);
    bytes[8..12].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
    bytes[12..20].copy_from_slice(&len.to_le_bytes());
    bytes[20..24].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Whether a file of this length can have this header: asked before the rest of it is read.
pub fn has_length(header: &[u8; HEADER_LEN], file: u64) -> bool {
    file.checked_sub(HEADER_LEN as u64)
        .is_some_and(|len| header[12..20] == len.to_le_bytes())
}

/// The value of a binary form. Any bytes are safe, and take no more memory than a small multiple of their number and
/// a mebibyte.
pub fn open<T: DeserializeOwned>(kind: &[u8; 8], bytes: &[u8]) -> Result<T, Unsealed> {
    let (header, payload) = bytes
        .split_first_chunk::<HEADER_LEN>()
        .ok_or(Unsealed::CutShort)?;
    if header[..8] != *kind {
        return Err(Unsealed::OtherKind);
    }
    let word = |at: usize| header[at..at + 4].try_into().map_or(0, u32::from_le_bytes);
    if word(8) != FORMAT_VERSION {
        return Err(Unsealed::Version(word(8)));
    }
    if !has_length(header, bytes.len() as u64) {
        return Err(Unsealed::Damaged("length"));
    }
    if word(20) != crc32fast::hash(payload) {
        return Err(Unsealed::Damaged("checksum"));
    }
    match postcard::take_from_bytes(payload) {
        Ok((value, [])) => Ok(value),
        Ok(_) => Err(Unsealed::Damaged("bytes after the end")),
        Err(_) => Err(Unsealed::Damaged("payload")),
    }
}

/// The binary form with another payload, for tests: damage that the checksum agrees with.
pub fn forge(bytes: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut forged = bytes.to_vec();
    let mut payload = forged.split_off(HEADER_LEN);
    change(&mut payload);
    forged[12..20].copy_from_slice(&(payload.len() as u64).to_le_bytes());
    forged[20..24].copy_from_slice(&crc32fast::hash(&payload).to_le_bytes());
    forged.extend(payload);
    forged
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: [u8; 8] = *b"numbra\0T";

    #[test]
    fn large_counts_are_damage_and_take_no_memory() {
        let bytes = seal(&KIND, &vec![[1_u64, 2]; 3]);
        assert_eq!(open(&KIND, &bytes), Ok(vec![[1_u64, 2]; 3]));
        let forged = forge(&bytes, |payload| {
            payload.splice(0..1, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f]);
        });
        assert_eq!(
            open::<Vec<[u64; 2]>>(&KIND, &forged),
            Err(Unsealed::Damaged("payload"))
        );
        assert_eq!(
            open::<Vec<u8>>(&KIND, &forged),
            Err(Unsealed::Damaged("payload"))
        );
    }

    #[test]
    fn kinds_and_versions_are_told_apart() {
        let mut bytes = seal(&KIND, &7_u32);
        assert_eq!(open::<u32>(b"numbra\0U", &bytes), Err(Unsealed::OtherKind));
        bytes[8] ^= 1;
        let found = open::<u32>(&KIND, &bytes);
        assert_eq!(found, Err(Unsealed::Version(FORMAT_VERSION ^ 1)));
        assert_eq!(open::<u32>(&KIND, &bytes[..20]), Err(Unsealed::CutShort));
    }
}
