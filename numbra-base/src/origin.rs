//! Where an item of a stage came from, beside its source position.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

/// Why an item exists: the step that made it. With a [`crate::Span`] it is the provenance that the
/// explorer and the diagnostics show. Text form: `bc12`, `prelude`, `compiler`, `text`, or a pass name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Origin {
    /// Written by the user: the bytecode instruction at this offset.
    Bytecode(u32),
    /// Made by the pass of this name, from what the span says.
    Pass(&'static str),
    /// Part of a library body (prelude); the span is the user's call.
    Prelude,
    /// Clean-up, guards and boxing that the compiler adds.
    #[default]
    Compiler,
    /// Read from a text or JSON file.
    Text,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Bytecode(offset) => write!(f, "bc{offset}"),
            Origin::Pass(name) => f.write_str(name),
            Origin::Prelude => f.write_str("prelude"),
            Origin::Compiler => f.write_str("compiler"),
            Origin::Text => f.write_str("text"),
        }
    }
}

/// Never fails on a well-formed name; a malformed or excessive one reads as [`Origin::Text`].
impl FromStr for Origin {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Origin, Self::Err> {
        Ok(match text {
            "prelude" => Origin::Prelude,
            "compiler" => Origin::Compiler,
            "text" => Origin::Text,
            _ => match text.strip_prefix("bc").and_then(|n| n.parse().ok()) {
                Some(offset) => Origin::Bytecode(offset),
                None => pass_name(text).map_or(Origin::Text, Origin::Pass),
            },
        })
    }
}

/// Pass names read from files live as long as the process; their number is bounded, since files are not trusted.
fn pass_name(text: &str) -> Option<&'static str> {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    if text.is_empty()
        || text.len() > 64
        || !text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    {
        return None;
    }
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(name) = names.get(text) {
        return Some(name);
    }
    if names.len() >= 1024 {
        return None;
    }
    let name: &'static str = Box::leak(text.to_owned().into_boxed_str());
    names.insert(name);
    Some(name)
}

impl Serialize for Origin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Origin {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Origin, D::Error> {
        let text = String::deserialize(deserializer)?;
        let Ok(origin) = text.parse();
        Ok(origin)
    }
}
