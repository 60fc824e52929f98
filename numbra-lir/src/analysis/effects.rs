//! What instructions do besides computing their results.

use crate::{AliasClass, DeviceEffect, MemFlags, NativeFn};
use numbra_abi::NativeEffects;

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

/// What one instruction does besides computing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InstEffects {
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

impl InstEffects {
    /// Computes only, faults never.
    pub const PURE: InstEffects = InstEffects {
        reads: AliasSet::NONE,
        writes: AliasSet::NONE,
        removable: true,
        speculatable: true,
        convergent: false,
        counts: false,
    };
    /// Anything but convergence.
    pub const ANY: InstEffects = InstEffects {
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

impl InstEffects {
    /// Reads memory of the given class at addresses that may be invalid elsewhere.
    pub(crate) fn load(flags: &MemFlags) -> InstEffects {
        let class = AliasSet::of(flags.alias);
        if flags.volatile {
            return InstEffects::memory(class, class);
        }
        let constant = flags.readonly || flags.alias == AliasClass::CONST;
        InstEffects {
            reads: if constant { AliasSet::NONE } else { class },
            speculatable: flags.readonly,
            ..InstEffects::PURE
        }
    }

    /// Reads and writes memory, and is executed exactly where it stands.
    pub(crate) fn memory(reads: AliasSet, writes: AliasSet) -> InstEffects {
        InstEffects {
            reads,
            writes,
            removable: false,
            speculatable: false,
            ..InstEffects::PURE
        }
    }

    /// Of an operation of a GPU thread.
    pub(crate) fn device(effect: DeviceEffect) -> InstEffects {
        let all = InstEffects::memory(AliasSet::ALL, AliasSet::ALL);
        match effect {
            DeviceEffect::Pure => InstEffects::PURE,
            DeviceEffect::Observe => all,
            DeviceEffect::Synchronise => InstEffects {
                convergent: true,
                ..all
            },
            DeviceEffect::Converge => InstEffects {
                convergent: true,
                ..InstEffects::memory(AliasSet::NONE, AliasSet::NONE)
            },
        }
    }
}

/// What a runtime symbol does, from its row.
pub fn native_effects(native: &NativeFn) -> InstEffects {
    let NativeEffects {
        reads,
        writes,
        allocates,
        raises,
        python,
    } = native.row().effects;
    if allocates || ((raises || python) && (reads || writes)) {
        return InstEffects::ANY;
    }
    InstEffects {
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
