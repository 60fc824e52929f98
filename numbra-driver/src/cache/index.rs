//! The index of one function: its entries and what each of them depends on.

use super::{Damage, Digest, Manifest};
use numbra_lir::artifact::sealed::{open, seal};
use serde::{Deserialize, Serialize};

const KIND: [u8; 8] = *b"numbra\0I";

/// Entries that an index keeps at most, the latest.
const MOST_ENTRIES: usize = 256;
/// Those of them that one key finds: the same function and types with other globals.
const MOST_OF_A_KEY: usize = 16;

/// See the module's documentation. The latest entry is the last.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Index {
    /// The entries.
    pub entries: Vec<IndexEntry>,
}

/// One entry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct IndexEntry {
    /// What finds it.
    pub key: Digest,
    /// What must hold for it.
    pub manifest: Manifest,
    /// Name of the data file.
    pub data: String,
}

impl Index {
    /// The entries under a key, the latest first.
    pub fn find(&self, key: &Digest) -> impl Iterator<Item = &IndexEntry> {
        self.entries.iter().rev().filter(move |e| e.key == *key)
    }

    /// Adds an entry and drops the one that it replaces and those that are too many.
    pub fn insert(&mut self, entry: IndexEntry) {
        self.entries
            .retain(|e| e.key != entry.key || e.manifest != entry.manifest);
        let of_key = self.entries.iter().filter(|e| e.key == entry.key).count();
        let mut surplus = (of_key + 1).saturating_sub(MOST_OF_A_KEY);
        self.entries.retain(|e| {
            let drop = surplus > 0 && e.key == entry.key;
            surplus -= usize::from(drop);
            !drop
        });
        let surplus = (self.entries.len() + 1).saturating_sub(MOST_ENTRIES);
        self.entries.drain(..surplus);
        self.entries.push(entry);
    }

    /// The binary form.
    pub fn to_bytes(&self) -> Vec<u8> {
        seal(&KIND, self)
    }

    /// Reads the binary form. Any bytes are safe.
    pub fn from_bytes(bytes: &[u8]) -> Result<Index, Damage> {
        Ok(open(&KIND, bytes)?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{OverloadTarget, Question};
    use super::*;
    use numbra_lir::artifact::sealed::{HEADER_LEN, forge};

    fn entry(key: u8, answer: u8) -> IndexEntry {
        let text = |t: &str| t.to_owned();
        let questions = [
            Question::Name {
                function: 3,
                name: text("Z"),
            },
            Question::Attribute {
                owner: text("math"),
                name: text("pi"),
            },
            Question::NamedTuple(text("m.Point")),
            Question::IsEnum(text("m.Color")),
            Question::IsException(text("m.Error")),
            Question::IsOverloaded {
                target: OverloadTarget::Function,
                name: text("m.f"),
            },
            Question::HasMethod {
                receiver: text("int64"),
                name: text("half"),
            },
            Question::Overload {
                target: OverloadTarget::Method,
                name: text("half"),
                args: vec![text("int64"), text("float64")],
                kws: vec![(text("axis"), text("none"))],
                skip: 1,
            },
        ];
        let answers = questions.map(|q| (q, Digest([answer; 32]))).to_vec();
        IndexEntry {
            key: Digest([key; 32]),
            manifest: Manifest { answers },
            data: format!("{key}.{answer}.nbc"),
        }
    }

    #[test]
    fn round_trip_and_damage() {
        let mut index = Index::default();
        index.insert(entry(1, 1));
        index.insert(entry(2, 1));
        let bytes = index.to_bytes();
        assert_eq!(Index::from_bytes(&bytes), Ok(index));
        for at in 0..bytes.len() {
            assert!(Index::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
            for flip in [1, 0x80] {
                let mut damaged = bytes.clone();
                damaged[at] ^= flip;
                assert!(Index::from_bytes(&damaged).is_err(), "damaged at {at}");
            }
        }
    }

    /// Damage that the checksum agrees with must not panic.
    #[test]
    fn forged_payloads_never_panic() {
        let mut index = Index::default();
        index.insert(entry(1, 1));
        let bytes = index.to_bytes();
        for at in 0..bytes.len() - HEADER_LEN {
            for value in [0, 1, 2, 0x7f, 0x80, 0xff] {
                let _ = Index::from_bytes(&forge(&bytes, |payload| payload[at] = value));
            }
        }
    }

    #[test]
    fn an_entry_replaces_its_like_and_few_are_kept() {
        let mut index = Index::default();
        index.insert(entry(1, 1));
        index.insert(entry(1, 1));
        assert_eq!(index.entries.len(), 1);
        for answer in 0..40 {
            index.insert(entry(1, answer));
        }
        assert_eq!(index.entries.len(), MOST_OF_A_KEY);
        let latest = index.find(&Digest([1; 32])).next().expect("there are some");
        assert_eq!(latest.data, "1.39.nbc");
        for key in 0..=255 {
            index.insert(entry(key, 0));
            index.insert(entry(key, 1));
        }
        assert_eq!(index.entries.len(), MOST_ENTRIES);
    }
}
