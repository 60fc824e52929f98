//! Sets: lists of distinct items in the order of insertion, with a hash table of their positions.
//!
//! A set has the layout of a list in front, so that compiled code iterates and counts both alike. Removing an item moves
//! the last one to its place.

use crate::counts;
use crate::elements::{Element, Kind, Wide, with_element};
use crate::error::raise;
use crate::list::List;
use crate::object::Header;
use hashbrown::HashTable;
use numbra_abi::status;
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::ptr;

/// A set.
#[repr(C)]
pub struct Set {
    /// Its items hold no references.
    list: List,
    /// What makes items equal: scalars, each with its byte in the item.
    parts: Vec<(Kind, usize)>,
    /// Items that are a 64-bit integer or a `float64`, as most are: found without a look at the items.
    word: Option<Word>,
    table: HashTable<Entry>,
}

/// Where an item is.
#[derive(Clone, Copy)]
struct Entry {
    /// The item itself where it is one word.
    key: u64,
    at: u32,
}

fn hash(key: u64) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(key);
    hasher.finish()
}

impl Set {
    /// The items.
    pub fn items(&mut self) -> &mut List {
        &mut self.list
    }

    fn at(&self, position: u32) -> *const u8 {
        self.list.item(position as usize)
    }

    /// A word that is equal for equal items.
    fn key(&self, item: *const u8) -> u64 {
        if let Some(word) = self.word {
            return word.of(item);
        }
        let mut hasher = FxHasher::default();
        for &(kind, at) in &self.parts {
            let words = words(kind, item.wrapping_add(at));
            hasher.write_u64(words[0]);
            if words[1] != 0 {
                hasher.write_u64(words[1]);
            }
        }
        hasher.finish()
    }

    /// Position of an item that equals the one at `item`, whose key this is.
    fn find(&self, key: u64, item: *const u8) -> Option<usize> {
        let found = match self.word {
            Some(_) => self.table.find(hash(key), |entry| entry.key == key),
            None => self.table.find(hash(key), |entry| {
                entry.key == key && self.equal(self.at(entry.at), item)
            }),
        };
        found.map(|entry| entry.at as usize)
    }

    fn equal(&self, a: *const u8, b: *const u8) -> bool {
        self.parts
            .iter()
            .all(|&(kind, at)| words(kind, a.wrapping_add(at)) == words(kind, b.wrapping_add(at)))
    }

    /// Adds the item at `item`, if there is none like it; false when memory is exhausted.
    ///
    /// # Safety
    /// `item` points to an item outside the set.
    pub unsafe fn add(&mut self, item: *const u8) -> bool {
        let key = self.key(item);
        if self.find(key, item).is_some() {
            return true;
        }
        let length = self.list.len();
        let Ok(at) = u32::try_from(length) else {
            return false;
        };
        if !self.list.reserve(length + 1) {
            return false;
        }
        // SAFETY: there is room for one more item.
        unsafe { ptr::copy_nonoverlapping(item, self.list.item(length), self.list.size()) };
        // SAFETY: written just now.
        unsafe { self.list.set_len(length + 1) };
        (self.table).insert_unique(hash(key), Entry { key, at }, |entry| hash(entry.key));
        self.list.set_dirty();
        true
    }

    /// Removes the item at a position.
    fn take(&mut self, position: usize) {
        let (at, last) = (position as u32, self.list.len() - 1);
        let key = self.key(self.at(at));
        if let Ok(entry) = self.table.find_entry(hash(key), |entry| entry.at == at) {
            entry.remove();
        }
        if position != last {
            let moved = self.at(last as u32);
            let key = self.key(moved);
            let found = (self.table).find_mut(hash(key), |entry| entry.at == last as u32);
            if let Some(entry) = found {
                entry.at = at;
            }
            // SAFETY: two different items of the set.
            unsafe { ptr::copy_nonoverlapping(moved, self.list.item(position), self.list.size()) };
        }
        // SAFETY: the items in front of it are written.
        unsafe { self.list.set_len(last) };
        self.list.set_dirty();
    }

    /// Removes all items.
    pub fn clear(&mut self) {
        self.table.clear();
        // SAFETY: no item is claimed to be there.
        unsafe { self.list.set_len(0) };
        self.list.set_dirty();
    }
}

/// An item that is one word.
#[derive(Clone, Copy)]
enum Word {
    Integer,
    Float,
}

impl Word {
    /// What parts are no more than.
    fn among(parts: &[(Kind, usize)]) -> Option<Word> {
        match parts {
            [(Kind::Int64 | Kind::UInt64, 0)] => Some(Word::Integer),
            [(Kind::Float64, 0)] => Some(Word::Float),
            _ => None,
        }
    }

    /// Equal for equal items.
    fn of(self, item: *const u8) -> u64 {
        // SAFETY: callers pass the address of an item, which is such a word.
        let bits = unsafe { item.cast::<u64>().read_unaligned() };
        match self {
            Word::Integer => bits,
            Word::Float => float_word(f64::from_bits(bits)),
        }
    }
}

/// Equal for equal numbers: both zeros are one, and so are all NaNs.
fn float_word(x: f64) -> u64 {
    if x == 0.0 {
        0
    } else if x.is_nan() {
        f64::NAN.to_bits()
    } else {
        x.to_bits()
    }
}

/// A scalar as words that are equal for equal numbers.
fn words(kind: Kind, at: *const u8) -> [u64; 2] {
    // SAFETY: callers pass the address of a part of an item.
    match with_element!(kind, T => unsafe { at.cast::<T>().read_unaligned() }.wide()) {
        Wide::Int(x) => [x as u64, 0],
        Wide::UInt(x) => [x, 0],
        Wide::Float(x) => [float_word(x), 0],
        Wide::Complex(re, im) => [float_word(re), float_word(im)],
    }
}

/// A new empty set of items of `item_size` bytes with these parts: positions in `Scalar::ALL` and bytes in the item.
pub fn new_set(item_size: usize, parts: &[(usize, usize)]) -> *mut Set {
    let parts: Vec<(Kind, usize)> = parts
        .iter()
        .filter_map(|&(kind, at)| Some((*Kind::ALL.get(kind)?, at)))
        .collect();
    counts::count_allocated();
    Box::into_raw(Box::new(Set {
        list: List::empty(drop_set, item_size),
        word: Word::among(&parts),
        parts,
        table: HashTable::new(),
    }))
}

/// # Safety
/// `header` is that of a set whose last reference is gone.
unsafe extern "C" fn drop_set(header: *mut Header) {
    // SAFETY: the set came from a box, and this is its last use.
    let mut set = unsafe { Box::from_raw(header.cast::<Set>()) };
    set.list.free_items();
    drop(set);
    counts::count_freed();
}

/// # Safety
/// `set` is a set that is alive, and no other reference into it is used while this one is.
unsafe fn set_of<'a>(set: *mut Header) -> &'a mut Set {
    // SAFETY: by contract.
    unsafe { &mut *set.cast::<Set>() }
}

/// See `numbra_abi::NATIVES`.
///
/// # Safety
/// `parts` points to a number and two words for each part.
pub(crate) unsafe extern "C" fn numbra_rt_set_new(item_size: i64, parts: *const u64) -> *mut Set {
    // SAFETY: by contract.
    let parts = unsafe { crate::sort::read_parts(parts) };
    new_set(usize::try_from(item_size).unwrap_or(0), &parts)
}

/// # Safety
/// `set` is a set that is alive, `item` an item outside it.
pub(crate) unsafe extern "C" fn numbra_rt_set_add(set: *mut Header, item: *const u8) -> i32 {
    // SAFETY: by contract.
    let set = unsafe { set_of(set) };
    // SAFETY: by contract.
    if unsafe { set.add(item) } {
        status::OK
    } else {
        raise("builtins.MemoryError", "cannot allocate set");
        status::RAISED
    }
}

/// # Safety
/// `set` is a set that is alive, `item` an item.
pub(crate) unsafe extern "C" fn numbra_rt_set_find(set: *mut Header, item: *const u8) -> i64 {
    // SAFETY: by contract; the set is only read.
    let set = unsafe { &*set.cast::<Set>() };
    set.find(set.key(item), item).map_or(-1, |at| at as i64)
}

/// # Safety
/// `set` is a set that is alive and has an item at this position.
pub(crate) unsafe extern "C" fn numbra_rt_set_take(set: *mut Header, position: i64) {
    // SAFETY: by contract.
    unsafe { set_of(set) }.take(usize::try_from(position).unwrap_or(0));
}

/// # Safety
/// `set` is a set that is alive.
pub(crate) unsafe extern "C" fn numbra_rt_set_clear(set: *mut Header) {
    // SAFETY: by contract.
    unsafe { set_of(set) }.clear();
}

/// # Safety
/// `set` is a set that is alive.
pub(crate) unsafe extern "C" fn numbra_rt_set_copy(set: *mut Header) -> *mut Set {
    // SAFETY: by contract; the set is only read.
    let source = unsafe { &*set.cast::<Set>() };
    let mut list = List::empty(drop_set, source.list.size());
    let length = source.list.len();
    if !list.reserve(length) {
        return ptr::null_mut();
    }
    let bytes = length * source.list.size();
    // SAFETY: there is room for all items.
    unsafe { ptr::copy_nonoverlapping(source.list.item(0), list.item(0), bytes) };
    // SAFETY: written just now.
    unsafe { list.set_len(length) };
    counts::count_allocated();
    Box::into_raw(Box::new(Set {
        list,
        word: source.word,
        parts: source.parts.clone(),
        table: source.table.clone(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object;
    use std::collections::BTreeSet;

    #[test]
    fn agrees_with_a_model() {
        let set = new_set(8, &[(Kind::Int64.position(), 0)]);
        let mut model = BTreeSet::new();
        let mut state = 1_u64;
        for _ in 0..5000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let (value, remove) = ((state >> 33) as i64 % 200, state >> 20 & 1 == 1);
            let item = value.to_le_bytes();
            // SAFETY: the set is alive and its items are words.
            unsafe {
                let at = numbra_rt_set_find(set.cast(), item.as_ptr());
                assert_eq!(at >= 0, model.contains(&value));
                if remove && at >= 0 {
                    numbra_rt_set_take(set.cast(), at);
                    model.remove(&value);
                } else {
                    assert_eq!(numbra_rt_set_add(set.cast(), item.as_ptr()), status::OK);
                    model.insert(value);
                }
                assert_eq!((*set).list.len(), model.len());
            }
        }
        // SAFETY: as above.
        let copy = unsafe { numbra_rt_set_copy(set.cast()) };
        for value in &model {
            // SAFETY: as above.
            let at = unsafe { numbra_rt_set_find(copy.cast(), value.to_le_bytes().as_ptr()) };
            assert!(at >= 0);
        }
        for object in [set, copy] {
            // SAFETY: this owns the only reference.
            unsafe { object::release(object.cast()) };
        }
    }

    #[test]
    fn equal_numbers_are_one_item() {
        let set = new_set(8, &[(Kind::Float64.position(), 0)]);
        for value in [0.0, -0.0, f64::NAN, -f64::NAN, 1.5] {
            // SAFETY: the set is alive and its items are floats.
            unsafe { assert!((*set).add(value.to_le_bytes().as_ptr())) };
        }
        // SAFETY: as above.
        assert_eq!(unsafe { &*set }.list.len(), 3);
        // SAFETY: this owns the only reference.
        unsafe { object::release(set.cast()) };
    }
}
