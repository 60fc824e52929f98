//! What instructions do besides computing their results.

use crate::{AliasClass, DeviceEffect, InstKind, KEEP_ALIVE, MemFlags};
use numbra_abi::Effects as NativeEffects;

/// A set of alias classes. Classes from 63 up share one element.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AliasSet(u64);

impl AliasSet {
    pub const NONE: AliasSet = AliasSet(0);
    /// All memory.
    pub const ALL: AliasSet = AliasSet(u64::MAX);

    /// The classes that an access of class `alias` may touch.
    pub fn of(alias: AliasClass) -> AliasSet {
        if alias == AliasClass::ANY {
            AliasSet::ALL
        } else {
            AliasSet(1 << alias.0.min(63))
        }
    }

    pub fn union(self, other: AliasSet) -> AliasSet {
        AliasSet(self.0 | other.0)
    }

    pub fn overlaps(self, other: AliasSet) -> bool {
        self.0 & other.0 != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Effects of one instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effects {
    /// Memory that may be read.
    pub reads: AliasSet,
    /// Memory that may be written.
    pub writes: AliasSet,
    /// May be left out when its results are unused.
    pub removable: bool,
    /// Gives the same results for the same operands anywhere they are available, and cannot fault: may be executed
    /// early, late, or where the program does not.
    pub speculatable: bool,
    /// Never moved over control flow, merged or duplicated.
    pub convergent: bool,
    /// May change reference counts or end an object's life.
    pub counts: bool,
}

impl Effects {
    /// Computes only, faults never.
    pub const PURE: Effects = Effects {
        reads: AliasSet::NONE,
        writes: AliasSet::NONE,
        removable: true,
        speculatable: true,
        convergent: false,
        counts: false,
    };
    /// Anything but convergence.
    pub const ANY: Effects = Effects {
        reads: AliasSet::ALL,
        writes: AliasSet::ALL,
        removable: false,
        speculatable: false,
        convergent: false,
        counts: true,
    };

    /// True for code that a guard may be hoisted over: nothing that an observer outside could see.
    pub fn is_unobservable(&self) -> bool {
        self.writes.is_empty() && self.removable && !self.convergent && !self.counts
    }
}

/// Reads memory of the given class at addresses that may be invalid elsewhere.
fn read(flags: &MemFlags) -> Effects {
    if flags.volatile {
        return Effects {
            reads: AliasSet::of(flags.alias),
            writes: AliasSet::of(flags.alias),
            removable: false,
            speculatable: false,
            ..Effects::PURE
        };
    }
    let constant = flags.readonly || flags.alias == AliasClass::CONST;
    Effects {
        reads: if constant {
            AliasSet::NONE
        } else {
            AliasSet::of(flags.alias)
        },
        speculatable: flags.readonly,
        ..Effects::PURE
    }
}

fn memory(reads: AliasSet, writes: AliasSet) -> Effects {
    Effects {
        reads,
        writes,
        removable: false,
        speculatable: false,
        ..Effects::PURE
    }
}

/// The table. `match` lists every instruction, so a new one has to be given a row.
pub fn effects(kind: &InstKind) -> Effects {
    match kind {
        InstKind::IConst(_)
        | InstKind::FConst(_)
        | InstKind::Null
        | InstKind::Binary { .. }
        | InstKind::Unary { .. }
        | InstKind::Convert { .. }
        | InstKind::Icmp { .. }
        | InstKind::Fcmp { .. }
        | InstKind::Select { .. }
        | InstKind::Overflow { .. }
        | InstKind::Fma { .. }
        | InstKind::Math { .. }
        | InstKind::SlotAddr(_)
        | InstKind::StackPointer
        | InstKind::DataAddr(_)
        | InstKind::FuncAddr(_)
        | InstKind::PtrAdd { .. }
        | InstKind::Splat(_)
        | InstKind::ExtractLane { .. }
        | InstKind::InsertLane { .. } => Effects::PURE,
        InstKind::Load { flags, .. } => read(flags),
        InstKind::Store { flags, .. } => memory(AliasSet::NONE, AliasSet::of(flags.alias)),
        InstKind::MemCopy { alias, .. } => memory(AliasSet::of(*alias), AliasSet::of(*alias)),
        InstKind::MemSet { alias, .. } => memory(AliasSet::NONE, AliasSet::of(*alias)),
        // Atomic operations and fences order all memory.
        InstKind::AtomicLoad { .. }
        | InstKind::AtomicStore { .. }
        | InstKind::AtomicRmw { .. }
        | InstKind::AtomicCas { .. }
        | InstKind::Fence { .. } => memory(AliasSet::ALL, AliasSet::ALL),
        InstKind::Retain(_) => Effects {
            counts: true,
            ..memory(AliasSet::NONE, AliasSet::of(AliasClass::HEADER))
        },
        // Runs the object's drop function.
        InstKind::Release(_) => Effects::ANY,
        // The callee may hold barriers.
        InstKind::Call { .. } | InstKind::CallIndirect { .. } => Effects {
            convergent: true,
            ..Effects::ANY
        },
        InstKind::CallNative { name, .. } => native_effects(name),
        InstKind::SetError { .. } => memory(AliasSet::NONE, AliasSet::of(AliasClass::HEADER)),
        InstKind::Safepoint { id: KEEP_ALIVE, .. } => Effects {
            removable: false,
            speculatable: false,
            counts: true,
            ..Effects::PURE
        },
        InstKind::Safepoint { .. } => Effects {
            convergent: true,
            ..memory(AliasSet::ALL, AliasSet::NONE)
        },
        InstKind::Device { op, .. } => match op.effect() {
            DeviceEffect::Pure => Effects::PURE,
            DeviceEffect::Observe => memory(AliasSet::ALL, AliasSet::ALL),
            DeviceEffect::Synchronise => Effects {
                convergent: true,
                ..memory(AliasSet::ALL, AliasSet::ALL)
            },
            DeviceEffect::Converge => Effects {
                convergent: true,
                ..memory(AliasSet::NONE, AliasSet::NONE)
            },
        },
    }
}

/// Effects of a runtime symbol, from its row.
pub fn native_effects(name: &str) -> Effects {
    let row = match numbra_abi::native(name) {
        Some(row) => row.effects,
        None if name.starts_with("numbra_math_") => NativeEffects::PURE,
        None => return Effects::ANY,
    };
    let NativeEffects {
        reads,
        writes,
        allocates,
        raises,
        python,
    } = row;
    if allocates || ((raises || python) && (reads || writes)) {
        return Effects::ANY;
    }
    Effects {
        reads: if reads { AliasSet::ALL } else { AliasSet::NONE },
        writes: if writes {
            AliasSet::ALL
        } else {
            AliasSet::NONE
        },
        removable: !writes && !raises && !python,
        speculatable: !reads && !writes && !raises && !python,
        convergent: false,
        counts: writes,
    }
}
