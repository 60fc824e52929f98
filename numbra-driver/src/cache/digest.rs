//! Digests of content: SHA-256 over parts that are tagged with their lengths.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fmt;

/// The digest of some content: two contents with the same digest are the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The digest of an answer that is yes or no.
    pub fn of_bool(value: bool) -> Digest {
        let mut bytes = [0; 32];
        bytes[0] = 1 + u8::from(value);
        Digest(bytes)
    }

    /// The first 16 hexadecimal digits: a name for files.
    pub fn short(&self) -> String {
        self.0[..8].iter().map(|b| format!("{b:02x}")).collect()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A digest in the making. Each part is written with its length, so that parts do not run together.
#[derive(Clone, Default)]
pub struct Digester(Sha256);

impl Digester {
    /// A part that starts with what kind of thing follows.
    pub fn of(kind: &str) -> Digester {
        let mut digester = Digester::default();
        digester.text(kind);
        digester
    }

    /// Some bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.update(bytes);
    }

    /// A text.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// A number, a tag, a truth value.
    pub fn number(&mut self, number: u64) {
        self.update(&number.to_le_bytes());
    }

    /// Another digest.
    pub fn digest(&mut self, digest: &Digest) {
        self.update(&digest.0);
    }

    /// The digest of what was written.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }

    fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_together() {
        let of = |parts: [&str; 2]| {
            let mut digester = Digester::default();
            parts.iter().for_each(|part| digester.text(part));
            digester.finish()
        };
        assert_ne!(of(["ab", "c"]), of(["a", "bc"]));
    }
}
