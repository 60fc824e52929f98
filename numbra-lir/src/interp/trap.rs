//! What the interpreter reports when the LIR it runs is wrong.

use crate::Inst;
use std::fmt;

/// Why execution stopped. Never caused by what a Python program does, only by wrong LIR or by limits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trap {
    /// More instructions than allowed.
    OutOfFuel,
    /// Calls nested deeper than allowed.
    StackOverflow,
    /// Memory that does not exist or no longer does.
    BadAccess {
        address: u64,
        size: u64,
        why: &'static str,
    },
    Misaligned {
        address: u64,
        align: u64,
    },
    /// `memcopy` without `overlap` on overlapping ranges.
    Overlap,
    /// `nsw` or `nuw` on an operation that wrapped, `nonzero` on a division by zero.
    FalseFact(Inst),
    /// A reference count below zero, or an object without header.
    BadReference(u64),
    /// An address that is no function, or one of another signature.
    BadCall(u64),
    /// A function of another artifact, or an unknown native.
    Missing(String),
    /// The function was called with other arguments than it takes.
    BadArguments,
    /// LIR that the verifier rejects.
    Invalid(&'static str),
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trap::OutOfFuel => f.write_str("out of fuel"),
            Trap::StackOverflow => f.write_str("stack overflow"),
            Trap::BadAccess { address, size, why } => {
                write!(f, "access of {size} bytes at {address:#x}: {why}")
            }
            Trap::Misaligned { address, align } => {
                write!(f, "address {address:#x} is not a multiple of {align}")
            }
            Trap::Overlap => f.write_str("memcopy of overlapping ranges"),
            Trap::FalseFact(inst) => write!(f, "{inst} does what its facts say that it does not"),
            Trap::BadReference(address) => write!(f, "no live object at {address:#x}"),
            Trap::BadCall(address) => write!(f, "no function of this signature at {address:#x}"),
            Trap::Missing(name) => write!(f, "`{name}` is not defined here"),
            Trap::BadArguments => f.write_str("arguments differ from the signature's"),
            Trap::Invalid(what) => write!(f, "invalid LIR: {what}"),
        }
    }
}

impl std::error::Error for Trap {}
