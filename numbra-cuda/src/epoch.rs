//! Which handles were made before their context was reset.
//!
//! The driver takes a handle for what it points at: one that is gone crashes the process. Whoever keeps a handle keeps
//! the [`Epoch`] of its making and asks it before each use.

use std::sync::atomic::{AtomicU32, Ordering};

/// What makes an epoch of a device end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Freeing what a context's memory manager and modules hold.
    Allocations = 0,
    /// Resetting the device's primary context, which takes everything with it.
    Context = 1,
}

const DEVICES: usize = 64;
const KINDS: usize = 2;

/// How many epochs of each device and kind have ended.
static ENDED: [AtomicU32; DEVICES * KINDS] = [const { AtomicU32::new(0) }; DEVICES * KINDS];

/// A stretch of time between two resets of one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epoch {
    slot: u32,
    count: u32,
}

impl Epoch {
    /// The one that runs now. Devices beyond the sixty-fourth share epochs.
    pub fn now(device: u32, kind: Kind) -> Epoch {
        let slot = device as usize % DEVICES * KINDS + kind as usize;
        Epoch {
            slot: slot as u32,
            count: ENDED[slot].load(Ordering::Acquire),
        }
    }

    /// Whether it still runs.
    #[inline]
    pub fn is_running(self) -> bool {
        ENDED[self.slot as usize].load(Ordering::Acquire) == self.count
    }

    /// Ends the running epoch of a device; that of its context ends the other as well.
    pub fn end(device: u32, kind: Kind) {
        let first = device as usize % DEVICES * KINDS;
        ENDED[first].fetch_add(1, Ordering::AcqRel);
        if kind == Kind::Context {
            ENDED[first + 1].fetch_add(1, Ordering::AcqRel);
        }
    }

    /// As one number, for keeping outside of Rust.
    pub fn to_bits(self) -> u64 {
        u64::from(self.slot) << 32 | u64::from(self.count)
    }

    /// The epoch of such a number; `None` if it is not one.
    pub fn from_bits(bits: u64) -> Option<Epoch> {
        let slot = (bits >> 32) as u32;
        ((slot as usize) < DEVICES * KINDS).then_some(Epoch {
            slot,
            count: bits as u32,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resetting_a_context_ends_both_and_only_of_its_device() {
        let all = |device| [Kind::Allocations, Kind::Context].map(|kind| Epoch::now(device, kind));
        let (mine, other) = (all(40), all(41));
        Epoch::end(40, Kind::Allocations);
        assert_eq!(mine.map(Epoch::is_running), [false, true]);
        let mine = all(40);
        Epoch::end(40, Kind::Context);
        assert_eq!(mine.map(Epoch::is_running), [false, false]);
        assert_eq!(other.map(Epoch::is_running), [true, true]);
        assert_eq!(Epoch::from_bits(other[1].to_bits()), Some(other[1]));
        assert_eq!(Epoch::from_bits(u64::MAX), None);
    }
}
