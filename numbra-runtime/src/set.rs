//! Sets: lists of distinct items in the order of insertion, with a hash table of their positions.
//!
//! A set has the layout of a list in front, so that compiled code iterates and counts both alike. Removing an item moves
//! the last one to its place. The table has open addressing: [`numbra_abi::SET`] is its layout, which compiled code reads.

use crate::blocks::{self, Block};
use crate::counts;
use crate::elements::{Element, Kind, Wide, with_element};
use crate::error::raise;
use crate::list::List;
use crate::object::Header;
use numbra_abi::{SET, SET_HASH, status};
use std::mem::offset_of;
use std::ptr;

/// A set.
#[repr(C)]
pub struct Set {
    /// Its items hold no references.
    list: List,
    /// `1 << (64 - shift)` places, at most half of them taken: 0, or an [`entry`].
    places: *mut u64,
    /// What is left of a hash behind this many bits is the place to look for an item first.
    shift: u64,
    /// With fewer items than this there is room for one more.
    room: u64,
    /// The memory of the places, if there are some.
    table: Option<Block>,
    /// What makes items equal: scalars, each with its byte in the item.
    parts: Vec<(Kind, usize)>,
    /// What items are that are one word.
    word: Option<Word>,
}

const _: () = assert!(offset_of!(Set, places) == SET.offset(0) as usize);
const _: () = assert!(offset_of!(Set, shift) == SET.offset(1) as usize);
const _: () = assert!(offset_of!(Set, room) == SET.offset(2) as usize);
const _: () = assert!(size_of::<u64>() == size_of::<usize>());

/// The places of a set without items, which nobody writes.
static NO_PLACES: [u64; 2] = [0; 2];
/// Their `shift`.
const NO_SHIFT: u64 = 63;
/// Places of a set with items, at least.
const FEWEST: usize = 16;
/// A table with fewer places grows four times, others twice.
const MANY: usize = 1 << 16;
/// Places at most: the upper half of a hash says which.
const MOST: usize = 1 << 32;

/// The bits of a hash that matter most come first: they are the place.
#[inline]
pub(crate) fn hash(key: u64) -> u64 {
    let product = key.wrapping_mul(SET_HASH);
    (product ^ (product >> 29)).wrapping_mul(SET_HASH)
}

/// What stands at the place of the item at a position: enough of its hash to find another place for it, and to tell most
/// other items from it without a look at them.
fn entry(hash: u64, position: usize) -> u64 {
    hash >> 32 << 32 | (position as u64 + 1)
}

/// The position in an entry; `None` at a free place.
fn position(entry: u64) -> Option<usize> {
    (entry as u32 as usize).checked_sub(1)
}

impl Set {
    /// A set of items whose memory form has so many bytes.
    fn empty(item_size: usize, parts: Vec<(Kind, usize)>) -> Set {
        Set {
            list: List::empty(drop_set, item_size),
            places: NO_PLACES.as_ptr().cast_mut(),
            shift: NO_SHIFT,
            room: 0,
            table: None,
            word: Word::among(&parts),
            parts,
        }
    }

    /// The items.
    pub fn items(&mut self) -> &mut List {
        &mut self.list
    }

    /// The item at a position.
    fn at(&self, position: usize) -> *const u8 {
        self.list.item(position)
    }

    /// Number of places.
    fn size(&self) -> usize {
        1 << (64 - self.shift)
    }

    fn place(&self, place: usize) -> u64 {
        // SAFETY: callers pass one that is less than the number of places.
        unsafe { *self.places.add(place) }
    }

    fn set_place(&mut self, place: usize, entry: u64) {
        // SAFETY: callers pass one that is less than the number of places, of a table that was allocated.
        unsafe { *self.places.add(place) = entry };
    }

    /// The place to look first for an item with this hash, or with this entry.
    fn home(&self, hash: u64) -> usize {
        (hash >> self.shift) as usize
    }

    /// The place behind another one.
    fn behind(&self, place: usize) -> usize {
        (place + 1) & (self.size() - 1)
    }

    /// The first free place for an item with this hash, or with this entry.
    fn free(&self, hash: u64) -> usize {
        let mut place = self.home(hash);
        while self.place(place) != 0 {
            place = self.behind(place);
        }
        place
    }

    /// A word that is equal for equal items.
    fn key(&self, item: *const u8) -> u64 {
        if let Some(word) = self.word {
            return word.of(item);
        }
        let mut key = 0_u64;
        for &(kind, at) in &self.parts {
            for word in words(kind, item.wrapping_add(at)) {
                key = (key ^ hash(word)).rotate_left(29);
            }
        }
        key
    }

    /// The hash of the item at `item`.
    fn hash(&self, item: *const u8) -> u64 {
        hash(self.key(item))
    }

    /// The place of an item that equals the one at `item`, whose hash this is, or where one would be put.
    fn find(&self, hash: u64, item: *const u8) -> Result<usize, usize> {
        let mut place = self.home(hash);
        loop {
            let found = self.place(place);
            let Some(position) = position(found) else {
                return Err(place);
            };
            if (found ^ hash) >> 32 == 0 && self.equal(self.at(position), item) {
                return Ok(place);
            }
            place = self.behind(place);
        }
    }

    fn equal(&self, a: *const u8, b: *const u8) -> bool {
        if let Some(word) = self.word {
            return word.of(a) == word.of(b);
        }
        self.parts
            .iter()
            .all(|&(kind, at)| words(kind, a.wrapping_add(at)) == words(kind, b.wrapping_add(at)))
    }

    /// Gives the set a table of so many places, a power of two; false when memory is exhausted.
    fn resize(&mut self, size: usize) -> bool {
        let Some(table) = blocks::allocate(size * size_of::<u64>(), true) else {
            return false;
        };
        let (old, count) = (self.places, self.size());
        let gone = self.table.take();
        self.use_table(table, size);
        // In their order: the new places follow each other almost as the old ones do.
        for place in 0..count {
            // SAFETY: one of the old places.
            let entry = unsafe { *old.add(place) };
            if entry != 0 {
                let free = self.free(entry);
                self.set_place(free, entry);
            }
        }
        free_table(gone);
        true
    }

    /// Has its places, so many of them, in this table.
    fn use_table(&mut self, table: Block, size: usize) {
        self.places = table.base.cast();
        self.shift = 64 - u64::from(size.trailing_zeros());
        self.room = size as u64 / 2;
        self.table = Some(table);
    }

    /// Adds the item at `item`, if there is none like it; false when memory is exhausted.
    ///
    /// # Safety
    /// `item` points to an item outside the set.
    pub unsafe fn add(&mut self, item: *const u8) -> bool {
        let hash = self.hash(item);
        let Err(mut place) = self.find(hash, item) else {
            return true;
        };
        let length = self.list.len();
        if length as u64 >= self.room {
            let growth = if self.size() < MANY { 4 } else { 2 };
            let size = (self.size() * growth).max(FEWEST);
            // Room for as many items as the table takes.
            if size > MOST || !self.list.reserve(size / 2) || !self.resize(size) {
                return false;
            }
            place = self.free(hash);
        }
        // SAFETY: there is room for one more item.
        unsafe { copy_item(item, self.list.item(length), self.list.size()) };
        // SAFETY: written just now.
        unsafe { self.list.set_len(length + 1) };
        self.set_place(place, entry(hash, length));
        self.list.set_dirty();
        true
    }

    /// The place of the item at a position.
    fn place_of(&self, wanted: usize) -> usize {
        let mut place = self.home(self.hash(self.at(wanted)));
        while position(self.place(place)) != Some(wanted) {
            place = self.behind(place);
        }
        place
    }

    /// Empties a place. Items behind it move up, unless they would stand in front of where they are looked for.
    fn empty_place(&mut self, mut empty: usize) {
        let mask = self.size() - 1;
        let mut place = self.behind(empty);
        loop {
            let entry = self.place(place);
            if entry == 0 {
                break;
            }
            let home = self.home(entry);
            if place.wrapping_sub(home) & mask >= place.wrapping_sub(empty) & mask {
                self.set_place(empty, entry);
                empty = place;
            }
            place = self.behind(place);
        }
        self.set_place(empty, 0);
    }

    /// Removes the item at a position, which is less than the number of items.
    fn take(&mut self, position: usize) {
        let last = self.list.len() - 1;
        self.empty_place(self.place_of(position));
        if position != last {
            let place = self.place_of(last);
            self.set_place(place, entry(self.place(place), position));
            let moved = self.at(last);
            // SAFETY: two different items of the set.
            unsafe { ptr::copy_nonoverlapping(moved, self.list.item(position), self.list.size()) };
        }
        // SAFETY: the items in front of it are written.
        unsafe { self.list.set_len(last) };
        self.list.set_dirty();
    }

    /// Removes all items.
    pub fn clear(&mut self) {
        free_table(self.table.take());
        self.places = NO_PLACES.as_ptr().cast_mut();
        self.shift = NO_SHIFT;
        self.room = 0;
        // SAFETY: no item is claimed to be there.
        unsafe { self.list.set_len(0) };
        self.list.set_dirty();
    }
}

/// Frees what was the table of a set.
fn free_table(table: Option<Block>) {
    if let Some(table) = table {
        // SAFETY: allocated by `resize` or `numbra_rt_set_copy`, and forgotten now.
        unsafe { blocks::free(table) };
    }
}

/// Copies an item of so many bytes.
///
/// # Safety
/// There is one at `from`, room for one at `to`, and they do not overlap.
unsafe fn copy_item(from: *const u8, to: *mut u8, size: usize) {
    // SAFETY: by contract.
    unsafe {
        match size {
            // As most are: no call.
            8 => to.cast::<[u8; 8]>().write(from.cast::<[u8; 8]>().read()),
            _ => ptr::copy_nonoverlapping(from, to, size),
        }
    }
}

/// An item that is one word.
#[derive(Clone, Copy)]
enum Word {
    /// A `bool` or an integer of so many bytes: equal if its bits are.
    Bits(usize),
    Float,
}

impl Word {
    /// What parts are no more than.
    fn among(parts: &[(Kind, usize)]) -> Option<Word> {
        match *parts {
            [(Kind::Float64, 0)] => Some(Word::Float),
            [(Kind::Float16 | Kind::Float32 | Kind::Complex64 | Kind::Complex128, _)] => None,
            [(Kind::Bytes(_), _)] => None,
            [(kind, 0)] => Some(Word::Bits(kind.size())),
            _ => None,
        }
    }

    /// Equal for equal items.
    fn of(self, item: *const u8) -> u64 {
        // SAFETY: callers pass the address of an item, which is such a word.
        unsafe {
            match self {
                Word::Bits(1) => u64::from(item.read()),
                Word::Bits(2) => u64::from(item.cast::<u16>().read_unaligned()),
                Word::Bits(4) => u64::from(item.cast::<u32>().read_unaligned()),
                Word::Bits(_) => item.cast::<u64>().read_unaligned(),
                Word::Float => float_word(item.cast::<f64>().read_unaligned()),
            }
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
    Box::into_raw(Box::new(Set::empty(item_size, parts)))
}

/// # Safety
/// `header` is that of a set whose last reference is gone.
unsafe extern "C" fn drop_set(header: *mut Header) {
    // SAFETY: the set came from a box, and this is its last use.
    let mut set = unsafe { Box::from_raw(header.cast::<Set>()) };
    set.list.free_items();
    free_table(set.table.take());
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
    let found = set.find(set.hash(item), item);
    let at = found.ok().and_then(|place| position(set.place(place)));
    at.map_or(-1, |position| position as i64)
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
    let mut copy = Set::empty(source.list.size(), source.parts.clone());
    let length = source.list.len();
    if !copy.list.reserve(source.room as usize) {
        return ptr::null_mut();
    }
    if source.table.is_some() {
        let bytes = source.size() * size_of::<u64>();
        let Some(table) = blocks::allocate(bytes, false) else {
            copy.list.free_items();
            return ptr::null_mut();
        };
        // SAFETY: a new table as large as the source's.
        unsafe { ptr::copy_nonoverlapping(source.places.cast(), table.base, bytes) };
        copy.use_table(table, source.size());
    }
    let bytes = length * source.list.size();
    // SAFETY: there is room for all items.
    unsafe { ptr::copy_nonoverlapping(source.list.item(0), copy.list.item(0), bytes) };
    // SAFETY: written just now.
    unsafe { copy.list.set_len(length) };
    counts::count_allocated();
    Box::into_raw(Box::new(copy))
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
