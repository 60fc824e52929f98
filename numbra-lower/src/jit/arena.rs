//! Address space for code. Regions of half a GiB are reserved near the runtime, so that calls between artifacts and into
//! the runtime are direct; artifacts take and give back whole pages of them. Where the address space is limited, regions are
//! smaller.

use std::collections::BTreeMap;
use std::io;
use std::ptr;
use std::sync::{Mutex, PoisonError};

/// Bytes of a region.
const REGION: usize = 512 << 20;
/// Of a limited address space, a region is this part of what could be had at once: the rest is for data.
const SHARE: usize = 8;
/// A pc-relative call reaches less than this.
const REACH: usize = 2 << 30;
/// Bytes of a page; the smallest of the platform.
pub(super) const PAGE: usize = 4096;

static ARENA: Mutex<Arena> = Mutex::new(Arena {
    regions: Vec::new(),
});

struct Arena {
    regions: Vec<Region>,
}

struct Region {
    base: usize,
    size: usize,
    /// Free ranges by offset: lengths. Neighbours are merged.
    free: BTreeMap<usize, usize>,
}

/// Bytes of memory that pages of code and cells take now.
pub fn code_bytes() -> usize {
    let arena = ARENA.lock().unwrap_or_else(PoisonError::into_inner);
    let taken = |r: &Region| r.size - r.free.values().sum::<usize>();
    arena.regions.iter().map(taken).sum()
}

/// Pages of an arena. Writable until [`Pages::seal`]; given back on drop.
pub(super) struct Pages {
    base: usize,
    len: usize,
}

impl Pages {
    /// Zeroed, writable pages for at least `len` bytes; near `hint` when the first region can be there.
    pub(super) fn allocate(len: usize, hint: usize) -> io::Result<Pages> {
        let len = len.max(1).next_multiple_of(PAGE);
        let base = {
            let mut arena = ARENA.lock().unwrap_or_else(PoisonError::into_inner);
            arena.take(len, hint)?
        };
        let pages = Pages { base, len };
        pages.protect(0, len, libc::PROT_READ | libc::PROT_WRITE)?;
        Ok(pages)
    }

    pub(super) fn base(&self) -> usize {
        self.base
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Makes the first `code` bytes readable and executable; the rest stays readable and writable.
    pub(super) fn seal(&self, code: usize) -> io::Result<()> {
        self.protect(
            0,
            code.next_multiple_of(PAGE),
            libc::PROT_READ | libc::PROT_EXEC,
        )
    }

    fn protect(&self, offset: usize, len: usize, protection: i32) -> io::Result<()> {
        let at = ptr::with_exposed_provenance_mut(self.base + offset);
        // SAFETY: the range is made of whole pages that `self` owns; no Rust reference points into them.
        match unsafe { libc::mprotect(at, len, protection) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // A fresh reservation over the pages gives their memory back.
        if reserve(Some(self.base), self.len).is_ok() {
            let mut arena = ARENA.lock().unwrap_or_else(PoisonError::into_inner);
            arena.give_back(self.base, self.len);
        }
    }
}

impl Arena {
    fn take(&mut self, len: usize, hint: usize) -> io::Result<usize> {
        if let Some(base) = self.regions.iter_mut().find_map(|r| r.take(len)) {
            return Ok(base);
        }
        let (base, size) = region(len, |size| reserve_near(hint, size), shrink)?;
        let mut region = Region {
            base,
            size,
            free: BTreeMap::from([(0, size)]),
        };
        let taken = region.take(len);
        self.regions.push(region);
        taken.ok_or_else(|| io::ErrorKind::OutOfMemory.into())
    }

    fn give_back(&mut self, base: usize, len: usize) {
        let owner = self
            .regions
            .iter_mut()
            .find(|r| base >= r.base && base - r.base < r.size);
        if let Some(region) = owner {
            region.give_back(base - region.base, len);
        }
    }
}

impl Region {
    /// First fit.
    fn take(&mut self, len: usize) -> Option<usize> {
        let (&offset, &room) = self.free.iter().find(|&(_, &room)| room >= len)?;
        self.free.remove(&offset);
        if room > len {
            self.free.insert(offset + len, room - len);
        }
        Some(self.base + offset)
    }

    fn give_back(&mut self, mut offset: usize, mut len: usize) {
        if let Some(next) = self.free.remove(&(offset + len)) {
            len += next;
        }
        if let Some((&before, &room)) = self.free.range(..offset).next_back()
            && before + room == offset
        {
            self.free.remove(&before);
            offset = before;
            len += room;
        }
        self.free.insert(offset, len);
    }
}

/// Reserves a region for at least `len` bytes, half as large for as long as the system refuses; where it is.
fn region(
    len: usize,
    reserve: impl Fn(usize) -> io::Result<usize>,
    shrink: impl Fn(usize, usize, usize),
) -> io::Result<(usize, usize)> {
    let mut size = REGION.max(len);
    loop {
        match reserve(size) {
            Ok(base) if size >= REGION => return Ok((base, size)),
            Ok(base) => {
                let kept = (size / SHARE).next_multiple_of(PAGE).max(len);
                shrink(base, size, kept);
                return Ok((base, kept));
            }
            Err(refused) if size <= len => return Err(refused),
            Err(_) => size = (size / 2).next_multiple_of(PAGE).max(len),
        }
    }
}

/// Gives back all of a reservation but its first `kept` bytes.
fn shrink(base: usize, size: usize, kept: usize) {
    let end = ptr::without_provenance_mut(base + kept);
    // SAFETY: the range was reserved just now, and nobody knows it.
    unsafe { libc::munmap(end, size - kept) };
}

/// Reserves address space within reach of `hint`, or anywhere when that is taken.
fn reserve_near(hint: usize, len: usize) -> io::Result<usize> {
    /// Distance between tries.
    const STEP: usize = 32 << 20;
    let hint = hint & !(PAGE - 1);
    for step in 1..(REACH - len).min(REACH) / STEP {
        let below = hint.checked_sub(len + step * STEP);
        let above = hint.checked_add(step * STEP);
        for at in [below, above].into_iter().flatten() {
            if at + len > hint.saturating_sub(REACH) && reserve_free(at, len)? {
                return Ok(at);
            }
        }
    }
    reserve(None, len)
}

/// Reserves exactly this range if nothing is mapped there; an error where no range of this size can be had.
fn reserve_free(at: usize, len: usize) -> io::Result<bool> {
    let flags =
        libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
    let address = ptr::without_provenance_mut(at);
    // SAFETY: with MAP_FIXED_NOREPLACE the call touches no existing mapping.
    let got = unsafe { libc::mmap(address, len, libc::PROT_NONE, flags, -1, 0) };
    if got == libc::MAP_FAILED {
        let refused = io::Error::last_os_error();
        return match refused.raw_os_error() {
            Some(libc::ENOMEM) => Err(refused),
            _ => Ok(false),
        };
    }
    if got.expose_provenance() == at {
        return Ok(true);
    }
    // Kernels before 4.17 take the address as a hint only.
    // SAFETY: the mapping was made above and nobody knows it.
    unsafe { libc::munmap(got, len) };
    Ok(false)
}

/// Reserves address space: at `at`, whose pages the caller owns and gives up, or anywhere.
fn reserve(at: Option<usize>, len: usize) -> io::Result<usize> {
    let mut flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let address = match at {
        Some(at) => {
            flags |= libc::MAP_FIXED;
            ptr::without_provenance_mut(at)
        }
        None => ptr::null_mut(),
    };
    // SAFETY: a fixed address replaces only pages that the caller owns and no longer uses.
    let got = unsafe { libc::mmap(address, len, libc::PROT_NONE, flags, -1, 0) };
    if got == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    Ok(got.expose_provenance())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freed_ranges_merge() {
        let mut region = Region {
            base: 0,
            size: 16 * PAGE,
            free: BTreeMap::from([(0, 16 * PAGE)]),
        };
        let taken: Vec<usize> = (0..4).filter_map(|_| region.take(4 * PAGE)).collect();
        assert_eq!(taken, [0, 4 * PAGE, 8 * PAGE, 12 * PAGE]);
        assert_eq!(region.take(PAGE), None);
        for at in [4 * PAGE, 12 * PAGE, 8 * PAGE, 0] {
            region.give_back(at, 4 * PAGE);
        }
        assert_eq!(region.free, BTreeMap::from([(0, 16 * PAGE)]));
    }

    #[test]
    fn regions_are_smaller_where_address_space_is_limited() {
        for (most, len, size) in [
            (usize::MAX, PAGE, REGION),
            (REGION - 1, PAGE, REGION / 2 / SHARE),
            (40 << 20, PAGE, (32 << 20) / SHARE),
            (40 << 20, 20 << 20, 20 << 20),
            (40 * PAGE, 39 * PAGE, 39 * PAGE),
            (usize::MAX, 2 * REGION, 2 * REGION),
        ] {
            let reserve = |size| match size <= most {
                true => Ok(PAGE),
                false => Err(io::ErrorKind::OutOfMemory.into()),
            };
            let shrink = |_, from, to| assert!(to <= from, "{to} of {from}");
            let found = region(len, reserve, shrink).expect("it fits");
            assert_eq!(found, (PAGE, size), "{most} {len}");
        }
        let none = |_| Err(io::ErrorKind::OutOfMemory.into());
        assert!(region(PAGE, none, |_, _, _| ()).is_err());
    }

    #[test]
    fn pages_are_near_the_hint() {
        let hint = std::ptr::from_ref(&ARENA).expose_provenance();
        let pages = Pages::allocate(10, hint).expect("a page");
        assert!(pages.base().abs_diff(hint) < REACH);
    }
}
