//! The table of runtime symbols: name, C signature, effects. One row a symbol; numbra-runtime implements each.

/// Type of a parameter or result in the platform C convention.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CType {
    Void,
    I8,
    I16,
    I32,
    I64,
    F32,
    F64,
    /// Any address.
    Ptr,
    /// A counted reference; a parameter is borrowed, a result is owned.
    Ref,
}

/// What a native function does besides computing its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effects {
    /// Reads memory that compiled code can write.
    pub reads: bool,
    /// Writes memory that compiled code can read.
    pub writes: bool,
    /// Allocates; such functions are not available on devices.
    pub allocates: bool,
    /// Returns a status first: see `status`.
    pub raises: bool,
    /// May call into CPython (takes the GIL if needed).
    pub python: bool,
}

impl Effects {
    /// Computes only.
    pub const PURE: Effects = Effects {
        reads: false,
        writes: false,
        allocates: false,
        raises: false,
        python: false,
    };
    /// Reads memory.
    pub const READ: Effects = Effects {
        reads: true,
        ..Effects::PURE
    };
    /// Reads and writes memory.
    pub const WRITE: Effects = Effects {
        reads: true,
        writes: true,
        ..Effects::PURE
    };
    /// Allocates and may fail.
    pub const ALLOC: Effects = Effects {
        allocates: true,
        ..Effects::WRITE
    };
}

/// A runtime symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Native {
    pub name: &'static str,
    pub params: &'static [CType],
    /// `Void` when the only result is the status or nothing.
    pub ret: CType,
    pub effects: Effects,
    pub doc: &'static str,
}

const fn row(
    name: &'static str,
    params: &'static [CType],
    ret: CType,
    effects: Effects,
    doc: &'static str,
) -> Native {
    Native {
        name,
        params,
        ret,
        effects,
        doc,
    }
}

use CType::{I64, Ptr, Ref, Void};

/// All runtime symbols but the `numbra_math_*` family, which [`crate::MathFn`] names. Sorted by name.
pub const NATIVES: &[Native] = &[
    row(
        "numbra_rt_alloc",
        &[I64, I64],
        Ref,
        Effects::ALLOC,
        "`alloc(size, align) -> ref`: a new object with `size` bytes of uninitialised data, count 1; null when memory is exhausted or the size is negative.",
    ),
    row(
        "numbra_rt_alloc_zeroed",
        &[I64, I64],
        Ref,
        Effects::ALLOC,
        "`alloc_zeroed(size, align) -> ref`: as `alloc`, with zeroed data.",
    ),
    row(
        "numbra_rt_promote",
        &[Ref],
        Ref,
        Effects::ALLOC,
        "A reference that may outlive the call: the same object retained, or a heap header for a frame header.",
    ),
    row(
        "numbra_rt_raise",
        &[Ptr, I64],
        Void,
        Effects::WRITE,
        "`raise(description, line)`: makes the exception pending in the thread's error record.",
    ),
    row(
        "numbra_rt_release",
        &[Ref],
        Void,
        Effects::WRITE,
        "Drops one reference; frees at zero. Null is ignored.",
    ),
    row(
        "numbra_rt_retain",
        &[Ref],
        Void,
        Effects::WRITE,
        "Adds one reference. Null is ignored.",
    ),
];

/// The row of a symbol.
pub fn native(name: &str) -> Option<&'static Native> {
    NATIVES.iter().find(|n| n.name == name)
}
