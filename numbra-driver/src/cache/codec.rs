//! The binary form of cache files.
//!
//! Header: 8 bytes magic, u32 version, u64 payload length, u64 checksum of the payload, little-endian. The payload is
//! LEB128 numbers, length-prefixed texts and byte runs.

use super::Digest;
use numbra_lir::artifact::checksum;
use std::fmt;

/// Version of the files of the cache; others are not read.
const VERSION: u32 = 2;

pub(super) const HEADER_LEN: usize = 28;

/// Why bytes are not a file of the cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Damage(pub &'static str);

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Damage {}

/// A payload under its header.
pub(super) fn seal(magic: &[u8; 8], payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(HEADER_LEN + payload.len());
    out.extend_from_slice(magic);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&(payload.len() as u64).to_le_bytes());
    out.extend_from_slice(&checksum(payload).to_le_bytes());
    out.extend_from_slice(payload);
    out
}

/// Whether a file of this length can have this header: asked before the rest of it is read.
pub(super) fn check_length(header: &[u8; HEADER_LEN], file: u64) -> Result<(), Damage> {
    match header[12..20] == (file - HEADER_LEN as u64).to_le_bytes() {
        true => Ok(()),
        false => Err(Damage("it is damaged")),
    }
}

/// The payload of a file.
pub(super) fn open<'a>(magic: &[u8; 8], bytes: &'a [u8]) -> Result<&'a [u8], Damage> {
    let (header, payload) = bytes
        .split_at_checked(HEADER_LEN)
        .ok_or(Damage("it is cut short"))?;
    if header[..8] != *magic {
        return Err(Damage("it is no file of the cache"));
    }
    if header[8..12] != VERSION.to_le_bytes() {
        return Err(Damage("it is of another version"));
    }
    if header[12..20] != (payload.len() as u64).to_le_bytes()
        || header[20..28] != checksum(payload).to_le_bytes()
    {
        return Err(Damage("it is damaged"));
    }
    Ok(payload)
}

#[derive(Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    pub(super) fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub(super) fn digest(&mut self, digest: &Digest) {
        self.0.extend_from_slice(&digest.0);
    }

    pub(super) fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Writer, &T)) {
        self.number(items.len() as u64);
        items.iter().for_each(|item| write(self, item));
    }
}

pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn number(&mut self) -> Result<u64, Damage> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Damage("a number is too long"))
    }

    pub(super) fn u32(&mut self) -> Result<u32, Damage> {
        u32::try_from(self.number()?).map_err(|_| Damage("a number is too large"))
    }

    pub(super) fn bytes(&mut self) -> Result<&'a [u8], Damage> {
        let len = self.number()?;
        self.take(usize::try_from(len).unwrap_or(usize::MAX))
    }

    pub(super) fn text(&mut self) -> Result<String, Damage> {
        let bytes = self.bytes()?;
        let text = std::str::from_utf8(bytes).map_err(|_| Damage("a text is not UTF-8"))?;
        Ok(text.to_owned())
    }

    pub(super) fn digest(&mut self) -> Result<Digest, Damage> {
        let bytes = self.take(32)?;
        Ok(Digest(bytes.try_into().expect("32 bytes were taken")))
    }

    pub(super) fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Reader<'a>) -> Result<T, Damage>,
    ) -> Result<Vec<T>, Damage> {
        let count = self.number()?;
        // Each takes at least one byte.
        if count > self.0.len() as u64 {
            return Err(Damage("a count is too large"));
        }
        (0..count).map(|_| read(self)).collect()
    }

    pub(super) fn end(&self) -> Result<(), Damage> {
        match self.0 {
            [] => Ok(()),
            _ => Err(Damage("bytes follow the end")),
        }
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8], Damage> {
        let (taken, rest) = self
            .0
            .split_at_checked(len)
            .ok_or(Damage("it is cut short"))?;
        self.0 = rest;
        Ok(taken)
    }
}
