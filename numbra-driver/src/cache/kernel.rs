//! Code for GPUs as it is kept: what [`Stored::artifact`](super::Stored::artifact) holds of a kernel or device function.

use super::Damage;
use numbra_lir::artifact::sealed::{open, seal};
use serde::{Deserialize, Serialize};

const KIND: [u8; 8] = *b"numbra\0K";

/// Code for GPUs, and what its host needs of it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct StoredKernel {
    /// The code.
    pub ptx: String,
    /// Machine code that a driver has made of it; empty before one has.
    #[serde(with = "serde_bytes")]
    pub cubin: Vec<u8>,
    /// Whether all threads of the grid meet in it, so that they must all be on the device at once.
    pub cooperative: bool,
    /// What the code raises, in the order of the numbers that it notes.
    pub raises: Vec<StoredRaise>,
}

/// An exception that code for GPUs raises.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StoredRaise {
    /// Qualified name of the class.
    pub class: String,
    /// Texts of the arguments, as in LIR.
    pub args: Vec<Option<String>>,
    /// The function that raises it.
    pub function: String,
    /// Its file.
    pub file: String,
    /// The line.
    pub line: u32,
}

impl StoredKernel {
    /// The binary form.
    pub fn to_bytes(&self) -> Vec<u8> {
        seal(&KIND, self)
    }

    /// Reads the binary form. Any bytes are safe.
    pub fn from_bytes(bytes: &[u8]) -> Result<StoredKernel, Damage> {
        Ok(open(&KIND, bytes)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use numbra_lir::artifact::sealed::{HEADER_LEN, forge};

    fn sample() -> StoredKernel {
        StoredKernel {
            ptx: ".visible .entry f()".to_owned(),
            cubin: (0..200).collect(),
            cooperative: true,
            raises: vec![StoredRaise {
                class: "builtins.ValueError".to_owned(),
                args: vec![Some("'no'".to_owned()), None],
                function: "f".to_owned(),
                file: "f.py".to_owned(),
                line: 3,
            }],
        }
    }

    #[test]
    fn round_trip_and_damage() {
        let bytes = sample().to_bytes();
        assert_eq!(StoredKernel::from_bytes(&bytes), Ok(sample()));
        for at in 0..bytes.len() {
            assert!(
                StoredKernel::from_bytes(&bytes[..at]).is_err(),
                "cut at {at}"
            );
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(
                StoredKernel::from_bytes(&damaged).is_err(),
                "damaged at {at}"
            );
        }
    }

    #[test]
    fn forged_payloads_never_panic() {
        let bytes = sample().to_bytes();
        for at in 0..bytes.len() - HEADER_LEN {
            for value in [0, 1, 2, 0x7f, 0x80, 0xff] {
                let _ = StoredKernel::from_bytes(&forge(&bytes, |payload| payload[at] = value));
            }
        }
    }
}
