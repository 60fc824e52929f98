//! Digests of content: SHA-256 (FIPS 180-4) over parts that are tagged with their lengths.

use std::fmt;

/// The digest of some content: two contents with the same digest are the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
#[derive(Clone)]
pub struct Digester {
    state: [u32; 8],
    block: [u8; 64],
    filled: usize,
    written: u64,
}

impl Default for Digester {
    fn default() -> Digester {
        Digester {
            state: [
                0x6a09_e667,
                0xbb67_ae85,
                0x3c6e_f372,
                0xa54f_f53a,
                0x510e_527f,
                0x9b05_688c,
                0x1f83_d9ab,
                0x5be0_cd19,
            ],
            block: [0; 64],
            filled: 0,
            written: 0,
        }
    }
}

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
    pub fn finish(mut self) -> Digest {
        let bits = self.written.wrapping_mul(8);
        self.update(&[0x80]);
        while self.filled != 56 {
            self.update(&[0]);
        }
        self.update(&bits.to_be_bytes());
        let mut out = [0; 32];
        for (to, word) in out.chunks_exact_mut(4).zip(self.state) {
            to.copy_from_slice(&word.to_be_bytes());
        }
        Digest(out)
    }

    fn update(&mut self, mut bytes: &[u8]) {
        self.written = self.written.wrapping_add(bytes.len() as u64);
        if self.filled > 0 {
            let take = bytes.len().min(64 - self.filled);
            let (head, rest) = bytes.split_at(take);
            self.block[self.filled..self.filled + take].copy_from_slice(head);
            self.filled += take;
            bytes = rest;
            if self.filled < 64 {
                return;
            }
            compress(&mut self.state, &self.block);
            self.filled = 0;
        }
        let mut blocks = bytes.chunks_exact(64);
        for block in &mut blocks {
            compress(
                &mut self.state,
                block.try_into().expect("chunks of 64 bytes"),
            );
        }
        let rest = blocks.remainder();
        self.block[..rest.len()].copy_from_slice(rest);
        self.filled = rest.len();
    }
}

const ROUNDS: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

fn compress(state: &mut [u32; 8], block: &[u8; 64]) {
    let mut w = [0_u32; 64];
    for (word, bytes) in w.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_be_bytes(bytes.try_into().expect("chunks of 4 bytes"));
    }
    for i in 16..64 {
        let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
        let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16]
            .wrapping_add(s0)
            .wrapping_add(w[i - 7])
            .wrapping_add(s1);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (k, w) in ROUNDS.iter().zip(w) {
        let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let t1 = h
            .wrapping_add(s1)
            .wrapping_add(choice)
            .wrapping_add(*k)
            .wrapping_add(w);
        let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        let t2 = s0.wrapping_add(majority);
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(t2));
    }
    for (old, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *old = old.wrapping_add(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(bytes: &[u8]) -> String {
        let mut digester = Digester::default();
        digester.update(bytes);
        digester.finish().to_string()
    }

    /// The examples of FIPS 180-4, and a length at each side of the padding's edge.
    #[test]
    fn is_sha_256() {
        assert_eq!(
            plain(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(
            plain(b""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        assert_eq!(
            plain(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
        assert_eq!(
            plain(&[b'a'; 1_000_000]),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        );
    }

    #[test]
    fn pieces_do_not_matter_but_parts_do() {
        let bytes: Vec<u8> = (0..=255).cycle().take(1000).collect();
        for cut in [0, 1, 55, 56, 63, 64, 65, 128, 999] {
            let mut digester = Digester::default();
            digester.update(&bytes[..cut]);
            digester.update(&bytes[cut..]);
            assert_eq!(digester.finish().to_string(), plain(&bytes), "cut at {cut}");
        }
        let of = |parts: [&str; 2]| {
            let mut digester = Digester::default();
            parts.iter().for_each(|part| digester.text(part));
            digester.finish()
        };
        assert_ne!(of(["ab", "c"]), of(["a", "bc"]));
    }
}
