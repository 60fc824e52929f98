//! The data file of one entry: machine code, and what loading it in another process takes.

use super::{Damage, Digest};
use crate::tier2::Tier;
use numbra_lir::artifact::sealed::{open, seal};
use serde::{Deserialize, Serialize};

const KIND: [u8; 8] = *b"numbra\0D";

/// A compiled signature as it is kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stored {
    /// The key of its entry.
    pub key: Digest,
    /// The digest of the manifest of its entry.
    pub manifest: Digest,
    /// Who generated the code: never [`Tier::Auto`].
    pub generator: Tier,
    /// Symbol of the entry function.
    pub entry: String,
    /// Text of the result type.
    pub ret: String,
    /// Where the functions of the manifest stood, by number.
    pub positions: Vec<Position>,
    /// The binary form of the artifact. Functions and arrays that it names have their numbers in the manifest.
    #[serde(with = "serde_bytes")]
    pub artifact: Vec<u8>,
}

/// Where a function stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Position {
    /// Its file.
    pub file: String,
    /// Its first line.
    pub first: u32,
    /// Its last line.
    pub last: u32,
}

impl Stored {
    /// The binary form.
    pub fn to_bytes(&self) -> Vec<u8> {
        seal(&KIND, self)
    }

    /// Reads the binary form. Any bytes are safe.
    pub fn from_bytes(bytes: &[u8]) -> Result<Stored, Damage> {
        let stored: Stored = open(&KIND, bytes)?;
        match stored.generator {
            Tier::Cranelift | Tier::Llvm => Ok(stored),
            Tier::Auto => Err(Damage("an unknown generator")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use numbra_lir::artifact::sealed::{HEADER_LEN, forge};

    fn sample() -> Stored {
        Stored {
            key: Digest([7; 32]),
            manifest: Digest([9; 32]),
            generator: Tier::Llvm,
            entry: "f.entry".to_owned(),
            ret: "float64".to_owned(),
            positions: vec![Position {
                file: "f.py".to_owned(),
                first: 10,
                last: 12,
            }],
            artifact: (0..200).collect(),
        }
    }

    #[test]
    fn round_trip_and_damage() {
        let bytes = sample().to_bytes();
        assert_eq!(Stored::from_bytes(&bytes), Ok(sample()));
        for at in 0..bytes.len() {
            assert!(Stored::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                assert!(Stored::from_bytes(&damaged).is_err(), "damaged at {at}");
            }
        }
    }

    #[test]
    fn forged_payloads_never_panic() {
        let bytes = sample().to_bytes();
        for at in 0..bytes.len() - HEADER_LEN {
            for value in [0, 1, 2, 0x7f, 0x80, 0xff] {
                let _ = Stored::from_bytes(&forge(&bytes, |payload| payload[at] = value));
            }
        }
    }
}
