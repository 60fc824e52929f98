//! Dictionaries: sets of entries that are found by their keys, in the order in which the keys came.
//!
//! An entry that is removed keeps its position, so that those after it do, until the table is full: then the others move up.
//! [`numbra_abi::DICT`] is the layout, which compiled code reads.

use crate::counts;
use crate::error::raise;
use crate::list::{Detached, References};
use crate::object::{self, Header};
use crate::set::Set;
use numbra_abi::{DICT, status};
use std::mem::offset_of;
use std::ptr;

/// A dictionary.
#[repr(C)]
pub struct Dict {
    /// Its items are entries, whose references it owns.
    set: Set,
    /// Entries that were removed.
    dead: u64,
    /// The byte of an entry that says whether it is there.
    alive: usize,
}

const _: () = assert!(offset_of!(Dict, dead) == DICT.offset(0) as usize);
const _: () = assert!(size_of::<Dict>() == DICT.size as usize);

impl Dict {
    /// Number of entries that are there.
    pub fn len(&mut self) -> usize {
        self.set.items().len() - self.dead as usize
    }

    /// True without entries.
    pub fn is_empty(&mut self) -> bool {
        self.len() == 0
    }

    /// The entry at a position.
    pub fn entry(&mut self, position: usize) -> *mut u8 {
        self.set.items().item(position)
    }

    /// The position of the entry with the key of the one at `entry`.
    pub fn find(&self, entry: *const u8) -> Option<usize> {
        self.set.position_of(entry)
    }

    /// The position of the entry whose key is these 8 bytes; None where keys are anything else than a number of 8 bytes.
    pub fn find_word(&self, key: u64) -> Option<usize> {
        self.set.position_of_word(key)
    }

    /// The position of the first entry that is there from this one on.
    pub fn next(&mut self, from: usize) -> Option<usize> {
        (from..self.set.items().len()).find(|position| self.is_alive(*position))
    }

    /// The position of the last entry that is there.
    pub fn last(&mut self) -> Option<usize> {
        self.set.items().len().checked_sub(1)
    }

    fn is_alive(&mut self, position: usize) -> bool {
        let alive = self.alive;
        // SAFETY: a byte of an entry, which is written.
        unsafe { *self.entry(position).add(alive) != 0 }
    }

    /// Adds an entry whose key is not there, with references of its own; its position. None when memory is exhausted.
    ///
    /// # Safety
    /// `entry` points to an entry outside the dictionary.
    pub unsafe fn insert(&mut self, entry: *const u8) -> Option<usize> {
        // Where few were removed the table grows, so that a queue of bounded length moves its entries rarely.
        if self.set.is_full() && self.dead as usize > self.set.items().len() / 4 {
            self.compact();
        }
        let position = self.set.items().len();
        // SAFETY: by contract.
        unsafe { self.set.add(entry) }.then_some(position)
    }

    /// Puts the value of another entry, which begins at a byte, in the place of the one at a position, with references of its
    /// own. The key stays. Gives what the old value refers to.
    ///
    /// # Safety
    /// `entry` points to an entry outside the dictionary; there is one at the position.
    pub unsafe fn replace(
        &mut self,
        position: usize,
        entry: *const u8,
        value: usize,
    ) -> References {
        let (size, refs) = (self.set.items().size(), self.set.items().refs());
        let place = self.entry(position);
        let mut old = References::none();
        let mut at = value;
        while at < size {
            let is_ref = at.is_multiple_of(8) && at / 8 < 64 && refs >> (at / 8) & 1 != 0;
            // SAFETY: bytes of both entries, which do not overlap; a word that is a reference is owned by this one.
            unsafe {
                let (from, to) = (entry.add(at), place.add(at));
                if is_ref {
                    let new = object::numbra_rt_promote(from.cast::<*mut Header>().read());
                    old.push(to.cast::<*mut Header>().replace(new));
                } else {
                    to.write(from.read());
                }
            }
            at += if is_ref { 8 } else { 1 };
        }
        old
    }

    /// Removes the entry at a position; gives what it refers to.
    pub fn take(&mut self, position: usize) -> References {
        self.set.forget(position);
        let (alive, refs) = (self.alive, self.set.items().refs());
        let place = self.entry(position);
        let mut old = References::none();
        for word in (0..64).filter(|word| refs >> word & 1 != 0) {
            // SAFETY: a word of the entry, which owns this reference.
            old.push(unsafe {
                place
                    .cast::<*mut Header>()
                    .add(word)
                    .replace(ptr::null_mut())
            });
        }
        // SAFETY: a byte of an entry.
        unsafe { *place.add(alive) = 0 };
        self.dead += 1;
        // The last entry is one that is there, or there is none.
        while let Some(last) = self.set.items().len().checked_sub(1)
            && !self.is_alive(last)
        {
            // SAFETY: the entries before it are written.
            unsafe { self.set.items().set_len(last) };
            self.dead -= 1;
        }
        old
    }

    /// Moves the entries that are there up to the front.
    fn compact(&mut self) {
        let count = self.set.items().len();
        let size = self.set.items().size();
        let mut to = 0;
        for position in 0..count {
            if self.is_alive(position) {
                if to != position {
                    let (from, place) = (self.entry(position), self.entry(to));
                    // SAFETY: two different entries.
                    unsafe { ptr::copy_nonoverlapping(from, place, size) };
                }
                to += 1;
            }
        }
        // SAFETY: so many entries are written; what stands after them moved, or owns nothing.
        unsafe { self.entry(to).write_bytes(0, (count - to) * size) };
        // SAFETY: as above.
        unsafe { self.set.items().set_len(to) };
        self.dead = 0;
        self.set.rebuild();
    }

    /// Removes all entries, and gives them.
    pub fn clear(&mut self) -> Detached {
        self.dead = 0;
        self.set.clear()
    }
}

/// A new empty dictionary of entries of so many bytes, with words that are references (bit `i`: word `i`), the byte that says
/// that an entry is there, and the parts of keys: see `numbra_rt_set_new`.
pub fn new_dict(entry_size: usize, refs: u64, alive: usize, parts: &[(usize, usize)]) -> *mut Dict {
    let set = Set::of_parts(drop_dict, entry_size, refs, parts);
    boxed(Dict {
        set,
        dead: 0,
        alive,
    })
}

fn boxed(dict: Dict) -> *mut Dict {
    counts::count_allocated();
    Box::into_raw(Box::new(dict))
}

/// # Safety
/// `header` is that of a dictionary whose last reference is gone.
unsafe extern "C" fn drop_dict(header: *mut Header) {
    // SAFETY: the dictionary came from a box, and this is its last use.
    let mut dict = unsafe { Box::from_raw(header.cast::<Dict>()) };
    dict.set.free_all();
    drop(dict);
    counts::count_freed();
}

/// # Safety
/// `dict` is a dictionary that is alive, and no other reference into it is used while this one is.
unsafe fn dict_of<'a>(dict: *mut Header) -> &'a mut Dict {
    // SAFETY: by contract.
    unsafe { &mut *dict.cast::<Dict>() }
}

fn count_of(n: i64) -> usize {
    usize::try_from(n).unwrap_or(0)
}

/// See `numbra_abi::NATIVES`.
///
/// # Safety
/// `parts` points to a number and two words for each part.
pub(crate) unsafe extern "C" fn numbra_rt_dict_new(
    entry_size: i64,
    refs: i64,
    alive: i64,
    parts: *const u64,
) -> *mut Dict {
    // SAFETY: by contract.
    let parts = unsafe { crate::sort::read_parts(parts) };
    new_dict(count_of(entry_size), refs as u64, count_of(alive), &parts)
}

/// # Safety
/// `dict` is a dictionary that is alive, `entry` an entry outside it whose key it has not.
pub(crate) unsafe extern "C" fn numbra_rt_dict_insert(dict: *mut Header, entry: *const u8) -> i32 {
    // SAFETY: by contract.
    if unsafe { dict_of(dict).insert(entry) }.is_some() {
        return status::OK;
    }
    raise("builtins.MemoryError", "cannot allocate dict");
    status::RAISED
}

/// # Safety
/// `dict` is a dictionary that is alive and has an entry at this position, `entry` an entry outside it with the same key.
pub(crate) unsafe extern "C" fn numbra_rt_dict_replace(
    dict: *mut Header,
    position: i64,
    entry: *const u8,
    value: i64,
) {
    // SAFETY: by contract.
    let old = unsafe { dict_of(dict).replace(count_of(position), entry, count_of(value)) };
    drop(old);
}

/// # Safety
/// `dict` is a dictionary that is alive and has an entry at this position.
pub(crate) unsafe extern "C" fn numbra_rt_dict_take(dict: *mut Header, position: i64) {
    // SAFETY: by contract.
    let old = unsafe { dict_of(dict) }.take(count_of(position));
    drop(old);
}

/// # Safety
/// `dict` is a dictionary that is alive.
pub(crate) unsafe extern "C" fn numbra_rt_dict_next(dict: *mut Header, from: i64) -> i64 {
    // SAFETY: by contract.
    let next = unsafe { dict_of(dict) }.next(count_of(from));
    next.map_or(-1, |position| position as i64)
}

/// # Safety
/// `dict` is a dictionary that is alive.
pub(crate) unsafe extern "C" fn numbra_rt_dict_clear(dict: *mut Header) {
    // SAFETY: by contract.
    let old = unsafe { dict_of(dict) }.clear();
    drop(old);
}

/// # Safety
/// `dict` is a dictionary that is alive.
pub(crate) unsafe extern "C" fn numbra_rt_dict_copy(dict: *mut Header) -> *mut Dict {
    // SAFETY: by contract.
    let source = unsafe { dict_of(dict) };
    let Some(set) = source.set.copied(drop_dict) else {
        return ptr::null_mut();
    };
    boxed(Dict {
        set,
        dead: source.dead,
        alive: source.alive,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::Kind;

    /// An entry of two words and the byte behind them.
    fn entry(key: i64, value: i64) -> [u8; 24] {
        let mut bytes = [0; 24];
        bytes[..8].copy_from_slice(&key.to_le_bytes());
        bytes[8..16].copy_from_slice(&value.to_le_bytes());
        bytes[16] = 1;
        bytes
    }

    fn new() -> *mut Dict {
        new_dict(24, 0, 16, &[(Kind::Int64.position(), 0)])
    }

    fn pairs(dict: &mut Dict) -> Vec<(i64, i64)> {
        let mut pairs = Vec::new();
        let mut at = 0;
        while let Some(position) = dict.next(at) {
            let place = dict.entry(position).cast::<i64>();
            // SAFETY: an entry of two words.
            pairs.push(unsafe { (place.read(), place.add(1).read()) });
            at = position + 1;
        }
        pairs
    }

    #[test]
    fn keeps_the_order_of_a_model() {
        let header = new();
        // SAFETY: alive, and used by nobody else.
        let dict = unsafe { &mut *header };
        let mut model: Vec<(i64, i64)> = Vec::new();
        let mut state = 1_u64;
        for step in 0..20_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let (key, remove) = ((state >> 33) as i64 % 300, state >> 20 & 3 == 1);
            let wanted = entry(key, step);
            let found = dict.find(wanted.as_ptr());
            let known = model.iter().position(|pair| pair.0 == key);
            assert_eq!(found.is_some(), known.is_some());
            match (found, known) {
                (Some(position), Some(at)) if remove => {
                    drop(dict.take(position));
                    model.remove(at);
                }
                (None, None) if !remove => {
                    // SAFETY: an entry outside the dictionary.
                    assert!(unsafe { dict.insert(wanted.as_ptr()) }.is_some());
                    model.push((key, step));
                }
                _ => {}
            }
            assert_eq!(dict.len(), model.len());
        }
        assert_eq!(pairs(dict), model);
        // SAFETY: alive.
        let copy = unsafe { &mut *numbra_rt_dict_copy(header.cast()) };
        assert_eq!(pairs(copy), model);
        drop(dict.clear());
        assert!(dict.is_empty() && pairs(dict).is_empty());
        assert_eq!(pairs(copy).len(), model.len());
        for dict in [header, ptr::from_mut(copy)] {
            // SAFETY: this owns the only reference.
            unsafe { object::release(dict.cast()) };
        }
    }

    #[test]
    fn references_of_entries_are_its_own() {
        let held = crate::list::new_list(0, 8, 0).cast::<Header>();
        let header = new_dict(24, 0b10, 16, &[(Kind::Int64.position(), 0)]);
        // SAFETY: alive, and used by nobody else.
        let dict = unsafe { &mut *header };
        // SAFETY: alive until the end.
        let count = || unsafe { (*held).count() };
        let before = count();
        for key in 0..3 {
            let wanted = entry(key, held as i64);
            // SAFETY: an entry outside the dictionary, whose reference is alive.
            assert!(unsafe { dict.insert(wanted.as_ptr()) }.is_some());
        }
        assert_eq!(count(), before + 3);
        drop(dict.take(1));
        assert_eq!(count(), before + 2);
        // SAFETY: alive.
        let copy = unsafe { numbra_rt_dict_copy(header.cast()) };
        assert_eq!(count(), before + 4);
        for header in [header.cast(), copy.cast::<Header>()] {
            // SAFETY: this owns the only reference.
            unsafe { object::release(header) };
        }
        assert_eq!(count(), before);
        // SAFETY: as above.
        unsafe { object::release(held) };
    }
}
