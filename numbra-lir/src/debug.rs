//! What debuggers are told beside positions: names, variables, and the types of variables.
//!
//! Types are described as they stand in memory and not as leaves, so that no generator needs to know a type of the
//! language.

use crate::Slot;
use serde::{Deserialize, Serialize};

/// How much a module tells tools about its source.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub enum DebugInfo {
    /// Nothing.
    #[default]
    None,
    /// Lines of instructions, for profilers and checkers; code is as without.
    Lines,
    /// Lines, variables and their types, for debuggers.
    Full,
}

/// A function of the source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FuncDebug {
    /// Its name in the source.
    pub name: String,
    /// The line of its `def`; decorators stand before it.
    pub line: u32,
    /// Parameters and local variables, with [`DebugInfo::Full`].
    pub variables: Vec<Variable>,
}

/// A variable of the source. Its slot holds the value from the first definition on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Variable {
    /// Its name in the source.
    pub name: String,
    /// What the slot holds.
    pub ty: DebugType,
    /// Where the value is.
    pub slot: Slot,
    /// Position among the parameters, from 0.
    pub parameter: Option<u32>,
    /// The line of the first definition.
    pub line: u32,
}

/// What the bits of a [`DebugType::Base`] mean.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Encoding {
    /// A truth value.
    Boolean,
    /// An integer with a sign.
    Signed,
    /// An integer without a sign.
    Unsigned,
    /// A floating-point number.
    Float,
}

/// A type as it stands in memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum DebugType {
    /// A number or truth value.
    Base {
        /// Its name.
        name: String,
        /// What its bits mean.
        encoding: Encoding,
        /// Its width.
        bits: u32,
    },
    /// An address.
    Pointer(Box<DebugType>),
    /// Items one after the other.
    Array {
        /// Its name.
        name: String,
        /// The type of an item.
        item: Box<DebugType>,
        /// Number of items.
        count: u32,
    },
    /// Members at their offsets.
    Struct {
        /// Its name.
        name: String,
        /// The members by offset.
        members: Vec<Member>,
        /// Bytes.
        size: u32,
    },
    /// One of several types, at different times.
    Union {
        /// Its name.
        name: String,
        /// The members, all at offset 0.
        members: Vec<Member>,
    },
}

/// A member of a struct or union.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Byte at which it stands.
    pub offset: u32,
    /// Its type.
    pub ty: DebugType,
}

impl DebugType {
    /// Bytes.
    pub fn size(&self) -> u32 {
        match self {
            DebugType::Base { bits, .. } => bits.div_ceil(8),
            DebugType::Pointer(_) => 8,
            DebugType::Array { item, count, .. } => item.size().saturating_mul(*count),
            DebugType::Struct { size, .. } => *size,
            DebugType::Union { members, .. } => {
                members.iter().map(|m| m.ty.size()).max().unwrap_or(0)
            }
        }
    }

    /// How many types stand inside of each other.
    pub fn depth(&self) -> usize {
        1 + match self {
            DebugType::Base { .. } => 0,
            DebugType::Pointer(inner) | DebugType::Array { item: inner, .. } => inner.depth(),
            DebugType::Struct { members, .. } | DebugType::Union { members, .. } => {
                members.iter().map(|m| m.ty.depth()).max().unwrap_or(0)
            }
        }
    }

    /// Alignment in bytes.
    pub fn align(&self) -> u32 {
        match self {
            DebugType::Base { .. } => self.size().next_power_of_two().clamp(1, 16),
            DebugType::Pointer(_) => 8,
            DebugType::Array { item, .. } => item.align(),
            DebugType::Struct { members, .. } | DebugType::Union { members, .. } => {
                members.iter().map(|m| m.ty.align()).max().unwrap_or(1)
            }
        }
    }

    /// A struct of members one after the other, each at its alignment.
    pub fn structure(name: String, members: Vec<(String, DebugType)>) -> DebugType {
        let (mut at, mut align) = (0_u32, 1);
        let mut placed = Vec::new();
        for (name, ty) in members {
            at = at.next_multiple_of(ty.align());
            align = align.max(ty.align());
            let size = ty.size();
            placed.push(Member {
                name,
                offset: at,
                ty,
            });
            at += size;
        }
        DebugType::Struct {
            name,
            members: placed,
            size: at.next_multiple_of(align),
        }
    }
}
