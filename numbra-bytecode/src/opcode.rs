//! Opcodes of CPython 3.11 to 3.15: tables as data, and what numbra does with each.

mod class;
mod names;
mod tables;

pub use class::{Class, Unsupported};
pub use names::Opcode;

use serde::{Deserialize, Serialize};

/// A row of an opcode table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// CPython's name of this byte, possibly a specialised or instrumented form.
    pub name: &'static str,
    /// The general form.
    pub opcode: Opcode,
    /// Code units of inline cache that follow.
    pub caches: u8,
    /// Whether the operand byte means anything.
    pub has_arg: bool,
}

/// An interpreter whose code objects are understood.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Version {
    Py311,
    Py312,
    Py313,
    Py314,
    Py315,
}

impl Version {
    /// Every version, oldest first.
    pub const ALL: [Version; 5] = [
        Version::Py311,
        Version::Py312,
        Version::Py313,
        Version::Py314,
        Version::Py315,
    ];

    /// The version of `sys.version_info[:2]`.
    pub fn new(major: u8, minor: u8) -> Option<Version> {
        match (major, minor) {
            (3, 11) => Some(Version::Py311),
            (3, 12) => Some(Version::Py312),
            (3, 13) => Some(Version::Py313),
            (3, 14) => Some(Version::Py314),
            (3, 15) => Some(Version::Py315),
            _ => None,
        }
    }

    /// `3.11` and so on.
    pub fn name(self) -> &'static str {
        match self {
            Version::Py311 => "3.11",
            Version::Py312 => "3.12",
            Version::Py313 => "3.13",
            Version::Py314 => "3.14",
            Version::Py315 => "3.15",
        }
    }

    /// The opcode table, indexed by opcode byte.
    pub fn table(self) -> &'static [Option<Entry>; 256] {
        match self {
            Version::Py311 => &tables::PY311,
            Version::Py312 => &tables::PY312,
            Version::Py313 => &tables::PY313,
            Version::Py314 => &tables::PY314,
            Version::Py315 => &tables::PY315,
        }
    }
}
