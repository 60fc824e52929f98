//! The version of NumPy in this process, where what it does has changed.

use std::sync::atomic::{AtomicU64, Ordering};

/// Major and minor number; 0 before anybody has said it.
static VERSION: AtomicU64 = AtomicU64::new(0);

fn number((major, minor): (u32, u32)) -> u64 {
    u64::from(major) << 32 | u64::from(minor)
}

/// Says which NumPy this process has.
pub fn set_numpy_version(version: (u32, u32)) {
    VERSION.store(number(version), Ordering::Relaxed);
}

/// Whether it is that version or a later one; false without NumPy.
pub(crate) fn numpy_is_at_least(version: (u32, u32)) -> bool {
    VERSION.load(Ordering::Relaxed) >= number(version)
}
