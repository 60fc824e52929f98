//! Sets: lists of distinct items in the order of insertion, with a hash table of their positions.
//!
//! A set has the layout of a list in front, so that compiled code iterates and counts both alike. Removing an item moves
//! the last one to its place. The table has open addressing: [`numbra_abi::SET`] is its layout, which compiled code reads.

use crate::blocks::{self, Block};
use crate::counts;
use crate::elements::{Element, Kind, Wide, with_element};
use crate::error::raise;
use crate::item_text::Chars;
use crate::list::{Detached, List, References};
use crate::object::Header;
use numbra_abi::{SET, SET_HASH, TEXT_PART, status};
use numbra_memory::try_filled;
use smallvec::SmallVec;
use std::mem::offset_of;
use std::ptr;

/// What makes items equal: parts, each with its byte in the item.
type ItemParts = SmallVec<[(Part, usize); 2]>;

/// A part of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Scalar(Kind),
    /// The leaves of a string.
    Text,
}

impl Part {
    /// The part of a number: a position in `Scalar::ALL`, or [`numbra_abi::TEXT_PART`].
    fn of(number: usize) -> Option<Part> {
        match Kind::ALL.get(number) {
            Some(kind) => Some(Part::Scalar(*kind)),
            None => (number as u64 == TEXT_PART).then_some(Part::Text),
        }
    }

    /// Equal for equal parts.
    fn key(self, at: *const u8) -> u64 {
        match self {
            Part::Scalar(kind) => {
                let [first, second] = words(kind, at);
                hash(first).rotate_left(29) ^ second
            }
            // SAFETY: the leaves of a string that is alive stand there.
            Part::Text => unsafe { Chars::at(at) }.hash(),
        }
    }

    fn equal(self, a: *const u8, b: *const u8) -> bool {
        match self {
            Part::Scalar(kind) => words(kind, a) == words(kind, b),
            // SAFETY: as above.
            Part::Text => unsafe { Chars::at(a).equal(&Chars::at(b)) },
        }
    }
}

/// What frees an object whose last reference is gone.
type Drop = unsafe extern "C" fn(*mut Header);

/// A set.
#[repr(C)]
pub struct Set {
    /// Its items, whose references it owns.
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
    parts: ItemParts,
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

/// The key of an item so far and one part more.
#[inline]
fn joined(key: u64, part: u64) -> u64 {
    (key ^ part).rotate_left(29)
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
    /// A set of items whose memory form has so many bytes, with words that are references (bit `i`: word `i`).
    fn empty(drop: Drop, item_size: usize, refs: u64, parts: ItemParts) -> Set {
        let mut list = List::empty(drop, item_size);
        list.set_refs(refs);
        Set {
            list,
            places: NO_PLACES.as_ptr().cast_mut(),
            shift: NO_SHIFT,
            room: 0,
            table: None,
            word: Word::among(&parts),
            parts,
        }
    }

    /// As [`Set::empty`], with numbers of parts and their bytes.
    pub(crate) fn of_parts(
        drop: Drop,
        item_size: usize,
        refs: u64,
        parts: &[(usize, usize)],
    ) -> Set {
        let parts = parts
            .iter()
            .filter_map(|&(number, at)| Some((Part::of(number)?, at)));
        Set::empty(drop, item_size, refs, parts.collect())
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
        for &(part, at) in &self.parts {
            key = joined(key, part.key(item.wrapping_add(at)));
        }
        key
    }

    /// The hash of the item at `item`.
    fn hash(&self, item: *const u8) -> u64 {
        hash(self.key(item))
    }

    /// The place of an item that equals the one at `item`, whose hash this is, or where one would be put.
    fn find(&self, hash: u64, item: *const u8) -> Result<usize, usize> {
        if let &[(Part::Text, at)] = &self.parts[..] {
            // SAFETY: the leaves of a string that is alive stand in each item.
            let chars = |item: *const u8| unsafe { Chars::at(item.wrapping_add(at)) };
            let wanted = chars(item);
            return self.find_by(hash, |position| chars(self.at(position)).equal(&wanted));
        }
        self.find_by(hash, |position| self.equal(self.at(position), item))
    }

    fn equal(&self, a: *const u8, b: *const u8) -> bool {
        if let Some(word) = self.word {
            return word.of(a) == word.of(b);
        }
        self.parts
            .iter()
            .all(|&(part, at)| part.equal(a.wrapping_add(at), b.wrapping_add(at)))
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

    /// Makes room for so many items and one more at least: the next larger table of those that adding items one by one makes, or
    /// one of these after it; false when memory is exhausted.
    fn grow(&mut self, items: usize) -> bool {
        let mut size = self.size();
        loop {
            size = (size * if size < MANY { 4 } else { 2 }).max(FEWEST);
            if size / 2 >= items || size >= MOST {
                break;
            }
        }
        // Room for as many items as the table takes.
        size <= MOST && self.list.reserve(size / 2) && self.resize(size)
    }

    /// Adds `count` items that are `stride` bytes apart; false when memory is exhausted.
    ///
    /// # Safety
    /// So many items are at `data`, outside the set.
    pub(crate) unsafe fn add_all(&mut self, data: *const u8, count: usize, stride: isize) -> bool {
        // SAFETY: items of the set are such words.
        let bits = |item: *const u8| unsafe { item.cast::<u64>().read_unaligned() };
        match self.word {
            // SAFETY: by contract.
            Some(Word::Bits(8)) => unsafe { self.add_all_by(data, count, stride, bits) },
            // SAFETY: by contract.
            Some(word) => unsafe { self.add_all_by(data, count, stride, |item| word.of(item)) },
            None => (0..count as isize).all(|i| {
                // SAFETY: by contract.
                unsafe { self.add(data.wrapping_offset(i.wrapping_mul(stride))) }
            }),
        }
    }

    /// [`Set::add_all`] of items that are equal if their keys are.
    ///
    /// # Safety
    /// As for [`Set::add_all`].
    #[inline(always)]
    unsafe fn add_all_by(
        &mut self,
        data: *const u8,
        count: usize,
        stride: isize,
        key: impl Fn(*const u8) -> u64,
    ) -> bool {
        let item_size = self.list.size();
        let mut length = self.list.len();
        let before = length;
        for i in 0..count {
            let item = data.wrapping_offset((i as isize).wrapping_mul(stride));
            let wanted = key(item);
            let hash = hash(wanted);
            let found = self.find_by(hash, |at| key(self.at(at)) == wanted);
            let Err(mut place) = found else {
                continue;
            };
            if length as u64 >= self.room {
                // As many of the items to come may be new ones as of those before; the first few say little.
                let share = (length + 1 - before) as f64 / (i + 1) as f64;
                let more = (share * (count - i - 1) as f64) as usize;
                let more = if i < 64 { more.min(1024) } else { more };
                if !self.grow(length + 1 + more) {
                    return false;
                }
                place = self.free(hash);
            }
            // SAFETY: there is room for one more item.
            unsafe { copy_item(item, self.list.item(length), item_size) };
            self.set_place(place, entry(hash, length));
            length += 1;
            // SAFETY: written just now.
            unsafe { self.list.set_len(length) };
        }
        if length > before {
            self.list.set_dirty();
        }
        true
    }

    /// A new set of the items that `other` has, or of those that it has not; none when memory is exhausted.
    fn kept(&self, other: &Set, has: bool) -> Option<Set> {
        // SAFETY: items of both sets are such words.
        let bits = |item: *const u8| unsafe { item.cast::<u64>().read_unaligned() };
        match self.word {
            Some(Word::Bits(8)) => self.kept_by(other, has, bits),
            Some(word) => self.kept_by(other, has, |item| word.of(item)),
            None => self.kept_by(other, has, |item| self.key(item)),
        }
    }

    #[inline(always)]
    fn kept_by(&self, other: &Set, has: bool, key: impl Fn(*const u8) -> u64) -> Option<Set> {
        let (length, item_size) = (self.list.len(), self.list.size());
        let mut kept = Set::empty(drop_set, item_size, self.list.refs(), self.parts.clone());
        if !kept.list.reserve(length) {
            return None;
        }
        // Every item is written where the next one goes: no branch depends on what the other has.
        let Ok(mut hashes) = try_filled(length, 0_u64) else {
            kept.list.free_items();
            return None;
        };
        let mut count = 0;
        for position in 0..length {
            let item = self.at(position);
            let wanted = key(item);
            let hash = hash(wanted);
            let same = |at| match self.word {
                Some(_) => key(other.at(at)) == wanted,
                None => self.equal(other.at(at), item),
            };
            hashes[count] = hash;
            // SAFETY: there is room for all items.
            unsafe { copy_item(item, kept.list.item(count), item_size) };
            count += usize::from(other.find_by(hash, same).is_ok() == has);
        }
        kept.list.clear_moved(count, length - count);
        // SAFETY: written just now.
        unsafe { kept.list.set_len(count) };
        kept.list.retain(0, count);
        if count > 0 && !kept.grow(count) {
            kept.list.free_items();
            return None;
        }
        for (position, &hash) in hashes[..count].iter().enumerate() {
            let place = kept.free(hash);
            kept.set_place(place, entry(hash, position));
        }
        Some(kept)
    }

    /// The place of an item with this hash at a position for which `same` holds, or where it would be put.
    #[inline(always)]
    fn find_by(&self, hash: u64, same: impl Fn(usize) -> bool) -> Result<usize, usize> {
        let mut place = self.home(hash);
        loop {
            let found = self.place(place);
            let Some(position) = position(found) else {
                return Err(place);
            };
            if (found ^ hash) >> 32 == 0 && same(position) {
                return Ok(place);
            }
            place = self.behind(place);
        }
    }

    /// Adds the item at `item` with references of its own, if there is none like it; false when memory is exhausted.
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
            if !self.grow(length + 1) {
                return false;
            }
            place = self.free(hash);
        }
        // SAFETY: there is room for one more item.
        unsafe { copy_item(item, self.list.item(length), self.list.size()) };
        // SAFETY: written just now.
        unsafe { self.list.set_len(length + 1) };
        self.list.own(length, 1);
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

    /// Removes the item at a position, which is less than the number of items; gives what it refers to.
    pub fn take(&mut self, position: usize) -> Option<References> {
        let last = self.list.len() - 1;
        let old = (self.list.refs() != 0).then(|| self.list.held(position));
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
        self.list.clear_moved(last, 1);
        self.list.set_dirty();
        old
    }

    /// The same items at the same positions, with references of their own; none when memory is exhausted.
    pub(crate) fn copied(&self, drop: Drop) -> Option<Set> {
        let refs = self.list.refs();
        let mut copy = Set::empty(drop, self.list.size(), refs, self.parts.clone());
        if !copy.list.reserve(self.room as usize) {
            return None;
        }
        if self.table.is_some() {
            let bytes = self.size() * size_of::<u64>();
            let Some(table) = blocks::allocate(bytes, false) else {
                copy.list.free_items();
                return None;
            };
            // SAFETY: a new table as large as this one's.
            unsafe { ptr::copy_nonoverlapping(self.places.cast(), table.base, bytes) };
            copy.use_table(table, self.size());
        }
        let length = self.list.len();
        let bytes = length * self.list.size();
        // SAFETY: there is room for all items.
        unsafe { ptr::copy_nonoverlapping(self.list.item(0), copy.list.item(0), bytes) };
        // SAFETY: written just now.
        unsafe { copy.list.set_len(length) };
        copy.list.retain(0, length);
        Some(copy)
    }

    /// A new set of the same items, with one reference; none when memory is exhausted.
    pub fn copy(&self) -> Option<*mut Set> {
        let copy = self.copied(drop_set)?;
        counts::count_allocated();
        Some(Box::into_raw(Box::new(copy)))
    }

    /// The position of the item that equals the one at `item`.
    pub fn position_of(&self, item: *const u8) -> Option<usize> {
        let found = match self.parts[..] {
            // As `find` does it, with the leaves read once.
            [(Part::Text, at)] => {
                // SAFETY: the leaves of a string that is alive stand in each item.
                let chars = |item: *const u8| unsafe { Chars::at(item.wrapping_add(at)) };
                let wanted = chars(item);
                let hash = hash(joined(0, wanted.hash()));
                self.find_by(hash, |position| chars(self.at(position)).equal(&wanted))
            }
            _ => self.find(self.hash(item), item),
        };
        position(self.place(found.ok()?))
    }

    /// The position of the item that is an integer of 8 bytes and has these; None where items are anything else.
    pub(crate) fn position_of_word(&self, word: u64) -> Option<usize> {
        let Some(Word::Bits(8)) = self.word else {
            return None;
        };
        // SAFETY: items begin with such a word.
        let bits = |at: usize| unsafe { self.at(at).cast::<u64>().read_unaligned() };
        let found = self.find_by(hash(word), |at| bits(at) == word).ok()?;
        position(self.place(found))
    }

    /// Empties the place of the item at a position, which is found no more.
    pub(crate) fn forget(&mut self, position: usize) {
        self.empty_place(self.place_of(position));
    }

    /// True if one more item needs a larger table.
    pub(crate) fn is_full(&self) -> bool {
        self.list.len() as u64 >= self.room
    }

    /// Empties the table, then puts each item at its place, which were moved.
    pub(crate) fn rebuild(&mut self) {
        for place in 0..self.size() {
            if self.table.is_some() {
                self.set_place(place, 0);
            }
        }
        for position in 0..self.list.len() {
            let hash = self.hash(self.at(position));
            let place = self.free(hash);
            self.set_place(place, entry(hash, position));
        }
    }

    /// Gives up everything but the memory of the set itself.
    pub(crate) fn free_all(&mut self) {
        self.list.free_items();
        free_table(self.table.take());
    }

    /// Removes all items, and gives them.
    pub fn clear(&mut self) -> Detached {
        let items = self.list.detach();
        free_table(self.table.take());
        self.places = NO_PLACES.as_ptr().cast_mut();
        self.shift = NO_SHIFT;
        self.room = 0;
        self.list.set_dirty();
        items
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
    fn among(parts: &[(Part, usize)]) -> Option<Word> {
        let [(Part::Scalar(kind), 0)] = *parts else {
            return None;
        };
        match kind {
            Kind::Float64 => Some(Word::Float),
            Kind::Float16 | Kind::Float32 | Kind::Complex64 | Kind::Complex128 => None,
            Kind::Time | Kind::Bytes(_) => None,
            _ => Some(Word::Bits(kind.size())),
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

/// A new empty set of items of `item_size` bytes, with words that are references (bit `i`: word `i`) and these parts: positions
/// in `Scalar::ALL` and bytes in the item.
pub fn new_set(item_size: usize, refs: u64, parts: &[(usize, usize)]) -> *mut Set {
    counts::count_allocated();
    Box::into_raw(Box::new(Set::of_parts(drop_set, item_size, refs, parts)))
}

/// # Safety
/// `header` is that of a set whose last reference is gone.
unsafe extern "C" fn drop_set(header: *mut Header) {
    // SAFETY: the set came from a box, and this is its last use.
    let mut set = unsafe { Box::from_raw(header.cast::<Set>()) };
    set.free_all();
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
pub(crate) unsafe extern "C" fn numbra_rt_set_new(
    item_size: i64,
    refs: i64,
    parts: *const u64,
) -> *mut Set {
    // SAFETY: by contract.
    let parts = unsafe { crate::sort::read_parts(parts) };
    new_set(usize::try_from(item_size).unwrap_or(0), refs as u64, &parts)
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
/// `set` is a set that is alive; `count` items, `stride` bytes apart, are at `data` and outside it.
pub(crate) unsafe extern "C" fn numbra_rt_set_add_all(
    set: *mut Header,
    data: *const u8,
    count: i64,
    stride: i64,
) -> i32 {
    // SAFETY: by contract.
    let set = unsafe { set_of(set) };
    let count = usize::try_from(count).unwrap_or(0);
    // SAFETY: by contract.
    if unsafe { set.add_all(data, count, stride as isize) } {
        status::OK
    } else {
        raise("builtins.MemoryError", "cannot allocate set");
        status::RAISED
    }
}

/// # Safety
/// Both are sets of one type that are alive.
pub(crate) unsafe extern "C" fn numbra_rt_set_kept(
    set: *mut Header,
    other: *mut Header,
    has: i32,
) -> *mut Set {
    // SAFETY: by contract; the sets are only read.
    let (set, other) = unsafe { (&*set.cast::<Set>(), &*other.cast::<Set>()) };
    let Some(kept) = set.kept(other, has != 0) else {
        return ptr::null_mut();
    };
    counts::count_allocated();
    Box::into_raw(Box::new(kept))
}

/// # Safety
/// `set` is a set that is alive, `item` an item.
pub(crate) unsafe extern "C" fn numbra_rt_set_find(set: *mut Header, item: *const u8) -> i64 {
    // SAFETY: by contract; the set is only read.
    let set = unsafe { &*set.cast::<Set>() };
    set.position_of(item).map_or(-1, |position| position as i64)
}

/// # Safety
/// `set` is a set that is alive and has an item at this position.
pub(crate) unsafe extern "C" fn numbra_rt_set_take(set: *mut Header, position: i64) {
    // SAFETY: by contract.
    let old = unsafe { set_of(set) }.take(usize::try_from(position).unwrap_or(0));
    drop(old);
}

/// # Safety
/// `set` is a set that is alive.
pub(crate) unsafe extern "C" fn numbra_rt_set_clear(set: *mut Header) {
    // SAFETY: by contract.
    let old = unsafe { set_of(set) }.clear();
    drop(old);
}

/// # Safety
/// `set` is a set that is alive.
pub(crate) unsafe extern "C" fn numbra_rt_set_copy(set: *mut Header) -> *mut Set {
    // SAFETY: by contract; the set is only read.
    let source = unsafe { &*set.cast::<Set>() };
    source.copy().unwrap_or(ptr::null_mut())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object;
    use std::collections::BTreeSet;

    #[test]
    fn agrees_with_a_model() {
        let set = new_set(8, 0, &[(Kind::Int64.position(), 0)]);
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
        let set = new_set(8, 0, &[(Kind::Float64.position(), 0)]);
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
