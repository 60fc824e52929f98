//! The data file of one entry: machine code, and what loading it in another process takes.

use super::Digest;
use super::codec::{self, Damage, Reader, Writer};
use crate::tier2::Tier;

const MAGIC: [u8; 8] = *b"numbra\0D";

/// A compiled signature as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
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
    pub artifact: Vec<u8>,
}

/// Where a function stands.
#[derive(Clone, PartialEq, Eq, Debug)]
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
        let mut writer = Writer::default();
        writer.digest(&self.key);
        writer.digest(&self.manifest);
        writer.number(match self.generator {
            Tier::Cranelift | Tier::Auto => 0,
            Tier::Llvm => 1,
        });
        writer.text(&self.entry);
        writer.text(&self.ret);
        writer.list(&self.positions, |writer, position| {
            writer.text(&position.file);
            writer.number(u64::from(position.first));
            writer.number(u64::from(position.last));
        });
        writer.bytes(&self.artifact);
        codec::seal(&MAGIC, &writer.0)
    }

    /// Reads the binary form. Any bytes are safe.
    pub fn from_bytes(bytes: &[u8]) -> Result<Stored, Damage> {
        let mut reader = Reader(codec::open(&MAGIC, bytes)?);
        let stored = Stored {
            key: reader.digest()?,
            manifest: reader.digest()?,
            generator: match reader.number()? {
                0 => Tier::Cranelift,
                1 => Tier::Llvm,
                _ => return Err(Damage("an unknown generator")),
            },
            entry: reader.text()?,
            ret: reader.text()?,
            positions: reader.list(|reader| {
                Ok(Position {
                    file: reader.text()?,
                    first: reader.u32()?,
                    last: reader.u32()?,
                })
            })?,
            artifact: reader.bytes()?.to_vec(),
        };
        reader.end()?;
        Ok(stored)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let payload = codec::open(&MAGIC, &bytes).expect("as written");
        for at in 0..payload.len() {
            for value in [0, 1, 2, 0x7f, 0x80, 0xff] {
                let mut forged = payload.to_vec();
                forged[at] = value;
                let _ = Stored::from_bytes(&codec::seal(&MAGIC, &forged));
            }
        }
    }
}
