//! Memory of objects: malloc for small blocks, mappings with huge pages for large ones, and a few blocks between kept
//! for reuse.
//!
//! malloc returns the end of its heap to the system whenever enough of it is free, so that a program which makes and
//! drops arrays of 100 KB or 10 MB would pay for page faults each time, many times what it computes. Blocks that were
//! freed lately therefore stay here, at most [`KEPT_BYTES`] of them, until an allocation of about their size takes them.

use std::ptr;
use std::sync::{Mutex, MutexGuard, TryLockError};

/// Blocks of this size and more are mapped, and huge pages are asked for: page faults dominate large results otherwise.
pub(crate) const HUGE: usize = 16 << 20;
/// A huge page.
const HUGE_PAGE: usize = 2 << 20;
/// Up to this size zeros are written: calloc takes none of the blocks that the C library keeps for a thread.
const WRITTEN: usize = 1024;
/// Smaller blocks are left to malloc.
const SMALLEST_KEPT: usize = 32 << 10;
/// Larger blocks go back to the system at once.
const LARGEST_KEPT: usize = 32 << 20;
/// What the kept blocks have together at most.
const KEPT_BYTES: usize = 64 << 20;
/// How many blocks are kept at most.
const KEPT_BLOCKS: usize = 16;

/// Memory of our own: from malloc below [`HUGE`] bytes, else a mapping.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    /// Where it begins.
    pub(crate) base: *mut u8,
    /// Its bytes.
    pub(crate) len: usize,
}

// SAFETY: a block is memory that its holder owns, from whichever thread.
unsafe impl Send for Block {}

/// Freed blocks, the oldest first.
static KEPT: Mutex<Kept> = Mutex::new(Kept {
    blocks: Vec::new(),
    bytes: 0,
});

struct Kept {
    blocks: Vec<Block>,
    bytes: usize,
}

/// The kept blocks, unless another thread is at them: nobody waits for memory that may not be there.
fn kept() -> Option<MutexGuard<'static, Kept>> {
    match KEPT.try_lock() {
        Ok(kept) => Some(kept),
        Err(TryLockError::Poisoned(kept)) => Some(kept.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// At least `total` bytes, at least aligned as malloc does; none when memory is exhausted.
pub(crate) fn allocate(total: usize, zeroed: bool) -> Option<Block> {
    let reused = match total {
        SMALLEST_KEPT..=LARGEST_KEPT => kept().and_then(|mut kept| kept.take(total)),
        _ => None,
    };
    if let Some(block) = reused {
        if zeroed {
            // SAFETY: the block is ours and has `total` bytes.
            unsafe { ptr::write_bytes(block.base, 0, total) };
        }
        return Some(block);
    }
    if total >= HUGE {
        return map(total);
    }
    let base = if zeroed && total <= WRITTEN {
        // SAFETY: malloc accepts any size.
        let base = unsafe { libc::malloc(total) };
        // Seen through, the two would be a call of calloc again.
        let base = std::hint::black_box(base);
        if !base.is_null() {
            // SAFETY: `total` bytes, made just now.
            unsafe { ptr::write_bytes(base.cast::<u8>(), 0, total) };
        }
        base
    } else if zeroed {
        // SAFETY: calloc accepts any size.
        unsafe { libc::calloc(total, 1) }
    } else {
        // SAFETY: malloc accepts any size.
        unsafe { libc::malloc(total) }
    };
    let base = base.cast::<u8>();
    (!base.is_null()).then_some(Block { base, len: total })
}

/// Takes back a block.
///
/// # Safety
/// `block` came from [`allocate`] and nobody uses it any more.
pub(crate) unsafe fn free(block: Block) {
    if cfg!(feature = "sanitize") || !(SMALLEST_KEPT..=LARGEST_KEPT).contains(&block.len) {
        // SAFETY: the block is ours, and not kept.
        return unsafe { give_back(block) };
    }
    let mut gone = [None; KEPT_BLOCKS];
    match kept() {
        Some(mut kept) => kept.keep(block, &mut gone),
        None => gone[0] = Some(block),
    }
    for block in gone.into_iter().flatten() {
        // SAFETY: the block is ours, and not kept any more.
        unsafe { give_back(block) };
    }
}

impl Kept {
    /// The least block for `total` bytes that wastes at most a quarter, the newest of several.
    fn take(&mut self, total: usize) -> Option<Block> {
        let fits = |block: &Block| (total..=total + total / 4).contains(&block.len);
        let found = self.blocks.iter().enumerate().rev();
        let (index, _) = found
            .filter(|(_, block)| fits(block))
            .min_by_key(|(_, block)| block.len)?;
        let block = self.blocks.remove(index);
        self.bytes -= block.len;
        Some(block)
    }

    /// Keeps `block`; `gone` gets the oldest ones, which there is no more room for.
    fn keep(&mut self, block: Block, gone: &mut [Option<Block>; KEPT_BLOCKS]) {
        let mut places = gone.iter_mut();
        while self.blocks.len() == KEPT_BLOCKS || self.bytes + block.len > KEPT_BYTES {
            let oldest = self.blocks.remove(0);
            self.bytes -= oldest.len;
            if let Some(place) = places.next() {
                *place = Some(oldest);
            }
        }
        self.bytes += block.len;
        self.blocks.push(block);
    }
}

/// Zeroed memory in huge pages where the system has them.
fn map(total: usize) -> Option<Block> {
    let len = total.checked_next_multiple_of(HUGE_PAGE)?;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: an anonymous mapping at an address of the system's choice touches nothing that exists.
    let base = unsafe { libc::mmap(ptr::null_mut(), len, protection, flags, -1, 0) };
    if base == libc::MAP_FAILED {
        return None;
    }
    // SAFETY: the range is the mapping made above. Advice that is refused changes nothing.
    unsafe { libc::madvise(base, len, libc::MADV_HUGEPAGE) };
    Some(Block {
        base: base.cast(),
        len,
    })
}

/// Returns a block to malloc or to the system.
///
/// # Safety
/// As for [`free`], and the block is not kept.
unsafe fn give_back(block: Block) {
    if block.len >= HUGE {
        // SAFETY: blocks of this size were made by `map` with this length.
        unsafe { libc::munmap(block.base.cast(), block.len) };
    } else {
        // SAFETY: the block came from malloc or calloc and is freed once.
        unsafe { libc::free(block.base.cast()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(len: usize) -> Block {
        Block {
            base: ptr::without_provenance_mut(len),
            len,
        }
    }

    fn empty() -> Kept {
        Kept {
            blocks: Vec::new(),
            bytes: 0,
        }
    }

    #[test]
    fn freed_blocks_serve_the_next_of_about_their_size() {
        let mut kept = empty();
        for total in [100_000, 3_000_000, 20_000_000] {
            kept.keep(block(total), &mut [None; KEPT_BLOCKS]);
        }
        // Much smaller ones do not waste them, larger ones do not fit.
        for total in [2_100_000, 3_000_001, 10_000_000] {
            assert_eq!(kept.take(total), None, "{total}");
        }
        for total in [100_000, 3_000_000, 20_000_000] {
            assert_eq!(kept.take(total - total / 10), Some(block(total)));
            assert_eq!(kept.take(total), None);
        }
    }

    /// Which blocks are reused depends on the other tests of this process; what is in them does not.
    #[test]
    fn zeroed_memory_is_zero_when_reused() {
        for total in [40_000, 7_000_000, 17_000_000] {
            for _ in 0..4 {
                let block = allocate(total, true).expect("there is memory");
                assert!(block.len >= total);
                // SAFETY: the block has `total` bytes, all initialised.
                let bytes = unsafe { std::slice::from_raw_parts_mut(block.base, total) };
                assert!(bytes.iter().all(|b| *b == 0));
                bytes.fill(7);
                // SAFETY: made by `allocate`, and used no more.
                unsafe { free(block) };
            }
        }
    }

    #[test]
    fn few_blocks_of_few_bytes_are_kept() {
        let mut kept = empty();
        for round in 0..100 {
            let mut gone = [None; KEPT_BLOCKS];
            let (before, len) = (kept.bytes, SMALLEST_KEPT << (round % 11));
            kept.keep(block(len), &mut gone);
            let left: usize = gone.iter().flatten().map(|b| b.len).sum();
            assert_eq!(before + len, kept.bytes + left);
            assert_eq!(kept.bytes, kept.blocks.iter().map(|b| b.len).sum::<usize>());
            assert!(kept.bytes <= KEPT_BYTES && kept.blocks.len() <= KEPT_BLOCKS);
        }
        let least = kept.blocks.iter().map(|b| b.len).min().unwrap_or(0);
        assert_eq!(kept.take(least).map(|b| b.len), Some(least));
        assert_eq!(kept.take(LARGEST_KEPT * 2), None);
    }
}
