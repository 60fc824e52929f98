//! Lists: objects whose data are items of one size, one after the other in their memory form.
//!
//! Compiled code reads and writes items itself (`numbra_abi::LIST`); what moves, copies or frees many is here.

use crate::counts;
use crate::error::raise;
use crate::object::{self, Header};
use numbra_abi::{LIST_IS_CONSTANT, status};
use std::ptr;

/// `numbra_abi::LIST`
#[repr(C)]
pub struct List {
    /// Its data are the items; its object is the Python list that an argument reflects.
    header: Header,
    length: i64,
    capacity: i64,
    item_size: i64,
    /// Bit `i`: 8-byte word `i` of an item is a counted reference.
    refs: u64,
    dirty: u64,
}

/// Lists with fewer items grow to twice the room, longer ones by half.
const SOON_DOUBLED: usize = 1024;

impl List {
    /// Number of items.
    pub fn len(&self) -> usize {
        usize::try_from(self.length).unwrap_or(0)
    }

    /// Number of items there is room for.
    pub fn capacity(&self) -> usize {
        usize::try_from(self.capacity).unwrap_or(0)
    }

    /// True without items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Says which words of items are counted references, of a list that has none yet.
    pub(crate) fn set_refs(&mut self, refs: u64) {
        self.refs = refs;
    }

    /// Which words of items are counted references.
    pub(crate) fn refs(&self) -> u64 {
        self.refs
    }

    /// Bytes of an item.
    pub(crate) fn size(&self) -> usize {
        usize::try_from(self.item_size).unwrap_or(0)
    }

    /// True if the list was changed since it was last compared with the Python list it reflects.
    pub fn is_dirty(&self) -> bool {
        self.dirty != 0
    }

    /// True unless the list may not be changed.
    pub fn is_mutable(&self) -> bool {
        self.dirty != LIST_IS_CONSTANT
    }

    /// Says whether the list may be changed: a typed list, which reflects none.
    pub fn set_mutable(&mut self, mutable: bool) {
        self.dirty = if mutable { 0 } else { LIST_IS_CONSTANT };
    }

    /// Says that the list and the Python list it reflects are equal now.
    pub fn set_clean(&mut self) {
        self.dirty = 0;
    }

    /// Says that the list is no longer what the Python list was.
    pub(crate) fn set_dirty(&mut self) {
        self.dirty = 1;
    }

    /// The front part of an object whose items hold no references.
    pub(crate) fn empty(drop: unsafe extern "C" fn(*mut Header), item_size: usize) -> List {
        List {
            header: Header::outside(Some(drop)),
            length: 0,
            capacity: 0,
            item_size: item_size as i64,
            refs: 0,
            dirty: 0,
        }
    }

    /// Gives up everything but the memory of the list itself.
    pub(crate) fn free_items(&mut self) {
        self.release(0, self.len());
        self.header.release_object();
        // SAFETY: the items came from realloc, or are null.
        unsafe { libc::free(self.header.data().cast()) };
    }

    /// The Python list that this one reflects, or null.
    pub fn object(&self) -> *mut u8 {
        self.header.object()
    }

    /// Makes the list reflect a Python list, a reference to which it owns from now on.
    pub fn set_object(&mut self, object: *mut u8) {
        self.header.set_object(object);
    }

    /// Where item `index` is or would be.
    pub fn item(&self, index: usize) -> *mut u8 {
        self.header.data().wrapping_add(index * self.size())
    }

    /// Says that items up to `length` have been written.
    ///
    /// # Safety
    /// They have, and there is room for them.
    pub unsafe fn set_len(&mut self, length: usize) {
        self.length = length as i64;
    }

    /// The addresses of the references in some items.
    fn references(&self, first: usize, count: usize) -> impl Iterator<Item = *mut *mut Header> {
        let (refs, size, start) = (self.refs, self.size(), self.item(first));
        let count = if refs == 0 { 0 } else { count };
        (0..count).flat_map(move |index| {
            let mut left = refs;
            std::iter::from_fn(move || {
                let word = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(start.wrapping_add(index * size + 8 * word).cast())
            })
        })
    }

    /// Takes a reference to everything that some items refer to.
    pub(crate) fn retain(&self, first: usize, count: usize) {
        for place in self.references(first, count) {
            // SAFETY: items below the length hold references that are alive, or null.
            unsafe { object::retain(*place) };
        }
    }

    /// Takes the items away: the list is empty, as a new one.
    pub(crate) fn detach(&mut self) -> Detached {
        let items = Detached {
            data: self.header.data(),
            length: self.len(),
            size: self.size(),
            refs: self.refs,
        };
        self.header.set_data(ptr::null_mut(), 0);
        self.length = 0;
        self.capacity = 0;
        items
    }

    /// Some items, whose references are borrowed, own them from now on: as references that may stay.
    pub(crate) fn own(&mut self, first: usize, count: usize) {
        if self.refs == 0 {
            return;
        }
        for place in self.references(first, count) {
            // SAFETY: the items hold references that are alive, or null.
            unsafe {
                let borrowed = place.replace(ptr::null_mut());
                object::numbra_rt_ref_set(place, borrowed);
            }
        }
    }

    /// Gives up what some items refer to; their memory is zero after that if it held references.
    pub(crate) fn release(&mut self, first: usize, count: usize) {
        for place in self.references(first, count) {
            // SAFETY: as above. The place is cleared first: the release may run code that looks at the list.
            let old = unsafe { place.replace(ptr::null_mut()) };
            // SAFETY: the item owned this reference.
            unsafe { object::release(old) };
        }
    }

    /// Clears items whose references have moved elsewhere.
    pub(crate) fn clear_moved(&mut self, first: usize, count: usize) {
        if self.refs != 0 {
            // SAFETY: the items lie below the capacity.
            unsafe { self.item(first).write_bytes(0, count * self.size()) };
        }
    }

    /// Room for `length` items at least; more when the list grows, so that appending is cheap.
    pub(crate) fn reserve(&mut self, length: usize) -> bool {
        let old = usize::try_from(self.capacity).unwrap_or(0);
        if length <= old {
            return true;
        }
        let more = if old < SOON_DOUBLED { old } else { old / 2 };
        self.reserve_exactly(length.max(old.saturating_add(more)).max(8))
    }

    /// Room for so many items, more than there is room for now.
    fn reserve_exactly(&mut self, new: usize) -> bool {
        let old = usize::try_from(self.capacity).unwrap_or(0);
        let size = self.size().max(1);
        let Some(bytes) = new.checked_mul(size).filter(|b| *b <= isize::MAX as usize) else {
            return false;
        };
        // SAFETY: the items are null or came from realloc, and nothing else points to them across this call.
        let items = unsafe { libc::realloc(self.header.data().cast(), bytes) }.cast::<u8>();
        if items.is_null() {
            return false;
        }
        self.header.set_data(items, bytes);
        self.capacity = new as i64;
        self.clear_moved(old, new - old);
        true
    }

    /// Moves items within the list.
    ///
    /// # Safety
    /// Both ranges lie below the capacity.
    unsafe fn shift(&mut self, from: usize, to: usize, count: usize) {
        // SAFETY: the caller says that both ranges are inside.
        unsafe { ptr::copy(self.item(from), self.item(to), count * self.size()) };
    }

    /// Copies items of another list with the same items, and takes references.
    ///
    /// # Safety
    /// Both ranges lie inside, and the target's items own nothing.
    unsafe fn copy_from(&mut self, to: usize, source: &List, from: usize, count: usize) {
        let bytes = count * self.size();
        // SAFETY: by contract. A list may be copied into itself.
        unsafe { ptr::copy(source.item(from), self.item(to), bytes) };
        self.retain(to, count);
    }

    /// Makes place for an item, which is zero; false when memory is exhausted.
    ///
    /// # Panics
    /// If `at` is more than the length.
    pub fn open(&mut self, at: usize) -> bool {
        let length = self.len();
        assert!(at <= length, "a place outside the list");
        if !self.reserve(length + 1) {
            return false;
        }
        // SAFETY: there is room for one more.
        unsafe { self.shift(at, at + 1, length - at) };
        self.length += 1;
        self.clear_moved(at, 1);
        self.dirty = 1;
        true
    }

    /// Makes place for an item behind the last, which owns nothing and is written next, if there is room.
    pub fn open_last(&mut self) -> Option<*mut u8> {
        let length = self.len();
        let place = (length < self.capacity()).then(|| self.item(length))?;
        self.length += 1;
        self.dirty = 1;
        Some(place)
    }

    /// Removes items. What they refer to is given up when they are gone and nothing is borrowed: that may run code that changes
    /// the list.
    ///
    /// # Safety
    /// The list is alive until this ends.
    ///
    /// # Panics
    /// If the items are not there.
    pub unsafe fn remove(list: *mut List, at: usize, count: usize) {
        // SAFETY: by contract; each borrow ends with its line.
        let borrow = || unsafe { &mut *list };
        assert!(
            at + count <= borrow().len(),
            "items that are not in the list"
        );
        if borrow().refs == 0 {
            return borrow().close(at, count);
        }
        let all = if count > 1 {
            borrow().remove_each(at as i64, 1, count)
        } else {
            None
        };
        if all.is_some() {
            return drop(all);
        }
        // One, or no memory for all at once.
        for at in (at..at + count).rev() {
            if at < borrow().len() {
                let old = borrow().remove_one(at);
                drop(old);
            }
        }
    }

    /// Removes an item; gives what it refers to.
    fn remove_one(&mut self, at: usize) -> References {
        let old = self.held(at);
        self.close(at, 1);
        old
    }

    /// What an item refers to, which the caller gives up.
    pub(crate) fn held(&self, at: usize) -> References {
        let mut old = References::none();
        for place in self.references(at, 1) {
            // SAFETY: the item holds references, or null.
            old.push(unsafe { place.read() });
        }
        old
    }

    /// Forgets items, whose references are somebody else's now.
    fn close(&mut self, at: usize, count: usize) {
        let length = self.len();
        // SAFETY: `at + count` is at most the length.
        unsafe { self.shift(at + count, at, length - at - count) };
        self.length = (length - count) as i64;
        self.clear_moved(length - count, count);
        self.dirty = 1;
    }

    /// A copy of `count` items from `start` on, each `step` further, that owns their references from now on; `None` when memory is
    /// exhausted.
    fn lifted(&self, start: i64, step: i64, count: usize) -> Option<Detached> {
        let count = if self.refs == 0 { 0 } else { count };
        let mut items = Detached {
            data: ptr::null_mut(),
            length: 0,
            size: self.size(),
            refs: self.refs,
        };
        if count > 0 {
            // SAFETY: malloc accepts any size.
            items.data = unsafe { libc::malloc(count * self.size()) }.cast();
            if items.data.is_null() {
                return None;
            }
            let size = self.size();
            // One by one, where they do not stand side by side.
            let (pieces, bytes) = if step == 1 {
                (1, count * size)
            } else {
                (count, size)
            };
            for n in 0..pieces {
                let from = self.item(count_of(start.wrapping_add(step.wrapping_mul(n as i64))));
                let to = items.data.wrapping_add(n * size);
                // SAFETY: the items are there, and the block has room for all.
                unsafe { ptr::copy_nonoverlapping(from, to, bytes) };
            }
            items.length = count;
        }
        Some(items)
    }

    /// Turns the order of the items round.
    pub fn reverse(&mut self) {
        let (length, size) = (self.len(), self.size());
        for n in 0..length / 2 {
            // SAFETY: two different items of the list.
            unsafe { ptr::swap_nonoverlapping(self.item(n), self.item(length - 1 - n), size) };
        }
        self.dirty = 1;
    }

    /// A new list of `count` items from `start` on, each `step` further; null when memory is exhausted.
    ///
    /// # Safety
    /// The items are there.
    pub unsafe fn slice(&self, start: i64, step: i64, count: usize) -> *mut List {
        let new = new_list(count, self.size(), self.refs);
        // SAFETY: null, or a list that nobody else knows.
        if let Some(list) = unsafe { new.as_mut() } {
            if step == 1 {
                // SAFETY: the items are there, and there is room.
                unsafe { list.copy_from(0, self, count_of(start), count) };
            } else {
                for n in 0..count {
                    let from = start.wrapping_add(step.wrapping_mul(n as i64));
                    // SAFETY: as above.
                    unsafe { list.copy_from(n, self, count_of(from), 1) };
                }
            }
            list.length = count as i64;
        }
        new
    }

    /// Puts the items of another list, which has items of the same type, in the place of `count` items from `start` on,
    /// each `step` further; as many, where `step` is not 1. Gives the items that were there: who drops them gives up what they
    /// refer to, which may run code that changes both. None when memory is exhausted.
    ///
    /// # Safety
    /// The items are there.
    pub unsafe fn assign(
        &mut self,
        start: i64,
        count: usize,
        step: i64,
        source: &List,
    ) -> Option<Detached> {
        let (length, new) = (self.len(), source.len());
        if step != 1 {
            let count = count.min(new);
            let old = self.lifted(start, step, count)?;
            for n in 0..count {
                let at = count_of(start.wrapping_add(step.wrapping_mul(n as i64)));
                // SAFETY: both items are there, and what the target's owned is the copy's.
                unsafe { self.copy_from(at, source, n, 1) };
            }
            self.dirty = 1;
            return Some(old);
        }
        if new > count && !self.reserve(length + new - count) {
            return None;
        }
        let old = self.lifted(start, 1, count)?;
        let start = count_of(start);
        // SAFETY: there is room.
        unsafe { self.shift(start + count, start + new, length - start - count) };
        if new < count {
            self.clear_moved(length + new - count, count - new);
        }
        // SAFETY: there is room, and what the items owned is the copy's.
        unsafe { self.copy_from(start, source, 0, new) };
        self.length = (length + new - count) as i64;
        self.dirty = 1;
        Some(old)
    }

    /// Removes `count` items from `start` on, each `step` further. Gives them, as [`List::assign`]; none when memory is
    /// exhausted.
    ///
    /// # Panics
    /// If the items are not there.
    pub fn remove_each(&mut self, start: i64, step: i64, count: usize) -> Option<Detached> {
        let length = self.len();
        if count == 0 {
            return self.lifted(0, 1, 0);
        }
        let last = start.wrapping_add(step.wrapping_mul(count as i64 - 1));
        let (first, last) = (count_of(start.min(last)), count_of(start.max(last)));
        assert!(last < length, "items that are not in the list");
        let old = self.lifted(start, step, count)?;
        if step == 1 {
            self.close(first, count);
            return Some(old);
        }
        let step = step.unsigned_abs() as usize;
        for n in 0..count {
            // Behind each item that goes stand those that stay, up to the next one.
            let from = first + n * step + 1;
            let stay = if n + 1 < count {
                step - 1
            } else {
                length - from
            };
            // SAFETY: both ranges are inside.
            unsafe { self.shift(from, from - n - 1, stay) };
        }
        self.length = (length - count) as i64;
        self.clear_moved(length - count, count);
        self.dirty = 1;
        Some(old)
    }
}

/// What an item referred to. Dropping it gives that up, which may run code that changes the container: who has it drops it when
/// the container is borrowed no more.
#[must_use = "dropped when the container is borrowed no more"]
pub struct References {
    held: [*mut Header; 64],
    count: usize,
}

impl References {
    /// None yet.
    pub(crate) fn none() -> References {
        References {
            held: [ptr::null_mut(); 64],
            count: 0,
        }
    }

    /// One more, of at most 64: an item has no more.
    pub(crate) fn push(&mut self, held: *mut Header) {
        self.held[self.count] = held;
        self.count += 1;
    }
}

impl Drop for References {
    fn drop(&mut self) {
        for held in &self.held[..self.count] {
            // SAFETY: an item owned this reference.
            unsafe { object::release(*held) };
        }
    }
}

/// Items that are in no container any more: as [`References`].
#[must_use = "dropped when the container is borrowed no more"]
pub struct Detached {
    data: *mut u8,
    length: usize,
    size: usize,
    refs: u64,
}

impl Drop for Detached {
    /// Gives up what the items refer to, which may run code that looks at the list, and frees them.
    fn drop(&mut self) {
        for index in 0..if self.refs == 0 { 0 } else { self.length } {
            for word in (0..64).filter(|word| self.refs >> word & 1 != 0) {
                let place = self.data.wrapping_add(index * self.size + 8 * word);
                // SAFETY: the items own these references, or they are null.
                unsafe { object::release(place.cast::<*mut Header>().read()) };
            }
        }
        // SAFETY: the items came from realloc, or are null.
        unsafe { libc::free(self.data.cast()) };
    }
}

/// A new empty list with room for `capacity` items; null when memory is exhausted.
pub fn new_list(capacity: usize, item_size: usize, refs: u64) -> *mut List {
    // SAFETY: malloc accepts any size.
    let list = unsafe { libc::malloc(size_of::<List>()) }.cast::<List>();
    if list.is_null() {
        return list;
    }
    let value = List {
        header: Header::outside(Some(drop_list)),
        length: 0,
        capacity: 0,
        item_size: item_size as i64,
        refs,
        dirty: 0,
    };
    // SAFETY: the block is large enough and nobody else knows it.
    unsafe { list.write(value) };
    counts::count_allocated();
    // SAFETY: written just now.
    if capacity > 0 && !unsafe { &mut *list }.reserve_exactly(capacity) {
        // SAFETY: this owns the only reference.
        unsafe { object::release(list.cast()) };
        return ptr::null_mut();
    }
    list
}

/// # Safety
/// `header` is that of a list whose last reference is gone.
unsafe extern "C" fn drop_list(header: *mut Header) {
    let list = header.cast::<List>();
    // SAFETY: the list is still whole, and nobody else has it.
    unsafe { &mut *list }.free_items();
    // SAFETY: the list came from malloc, and this is its last use.
    unsafe { libc::free(list.cast()) };
    counts::count_freed();
}

/// The list behind a reference.
///
/// # Safety
/// `list` is a list that is alive, and no other reference into it is used while this one is.
unsafe fn list_of<'a>(list: *mut Header) -> &'a mut List {
    // SAFETY: by contract.
    unsafe { &mut *list.cast::<List>() }
}

fn count_of(n: i64) -> usize {
    usize::try_from(n).unwrap_or(0)
}

fn no_memory() -> i32 {
    raise("builtins.MemoryError", "cannot allocate list");
    status::RAISED
}

pub(crate) extern "C" fn numbra_rt_list_new(capacity: i64, item_size: i64, refs: i64) -> *mut List {
    new_list(count_of(capacity), count_of(item_size), refs as u64)
}

/// # Safety
/// `list` is a list that is alive.
pub(crate) unsafe extern "C" fn numbra_rt_list_reserve(list: *mut Header, length: i64) -> i32 {
    // SAFETY: by contract.
    let list = unsafe { list_of(list) };
    if list.reserve(count_of(length)) {
        status::OK
    } else {
        no_memory()
    }
}

/// # Safety
/// `list` is a list that is alive, `at` at most its length.
pub(crate) unsafe extern "C" fn numbra_rt_list_open(list: *mut Header, at: i64) -> i32 {
    // SAFETY: by contract.
    match unsafe { list_of(list) }.open(count_of(at)) {
        true => status::OK,
        false => no_memory(),
    }
}

/// # Safety
/// `list` is a list that is alive and has the items.
pub(crate) unsafe extern "C" fn numbra_rt_list_remove(list: *mut Header, at: i64, count: i64) {
    // SAFETY: by contract.
    unsafe { List::remove(list.cast(), count_of(at), count_of(count)) };
}

/// # Safety
/// `list` is a list that is alive.
pub(crate) unsafe extern "C" fn numbra_rt_list_clear(list: *mut Header) {
    // SAFETY: by contract.
    unsafe { List::remove(list.cast(), 0, list_of(list).len()) };
}

/// # Safety
/// Both are lists with items of one type, alive.
pub(crate) unsafe extern "C" fn numbra_rt_list_extend(
    list: *mut Header,
    source: *mut Header,
) -> i32 {
    // SAFETY: by contract.
    let target = unsafe { list_of(list) };
    // SAFETY: as above; only its length is looked at before the target has moved.
    let (length, count) = (target.len(), unsafe { list_of(source) }.len());
    if !target.reserve(length + count) {
        return no_memory();
    }
    // SAFETY: alive; where it is the target itself, the items read lie below those written.
    let source = unsafe { &*source.cast::<List>() };
    let (items, refs) = (source.item(0), target.refs);
    // SAFETY: there is room behind the target's items.
    unsafe { ptr::copy(items, target.item(length), count * target.size()) };
    if refs != 0 {
        target.retain(length, count);
    }
    target.length = (length + count) as i64;
    target.dirty = 1;
    status::OK
}

/// # Safety
/// Both are lists with items of one type, alive.
pub(crate) unsafe extern "C" fn numbra_rt_list_concat(a: *mut Header, b: *mut Header) -> *mut List {
    // SAFETY: by contract; lists are only read.
    let (a, b) = unsafe { (&*a.cast::<List>(), &*b.cast::<List>()) };
    let new = new_list(a.len() + b.len(), a.size(), a.refs);
    // SAFETY: null, or a list that nobody else knows.
    if let Some(list) = unsafe { new.as_mut() } {
        // SAFETY: there is room for both.
        unsafe { list.copy_from(0, a, 0, a.len()) };
        // SAFETY: as above.
        unsafe { list.copy_from(a.len(), b, 0, b.len()) };
        list.length = a.length + b.length;
    }
    new
}

/// # Safety
/// `list` is a list that is alive.
pub(crate) unsafe extern "C" fn numbra_rt_list_repeat(list: *mut Header, times: i64) -> *mut List {
    // SAFETY: by contract; the list is only read.
    let source = unsafe { &*list.cast::<List>() };
    let (times, each) = (count_of(times), source.len());
    let Some(total) = times.checked_mul(each) else {
        return ptr::null_mut();
    };
    let new = new_list(total, source.size(), source.refs);
    // SAFETY: null, or a list that nobody else knows.
    if let Some(list) = unsafe { new.as_mut() } {
        for n in 0..if each == 0 { 0 } else { times } {
            // SAFETY: there is room for all.
            unsafe { list.copy_from(n * each, source, 0, each) };
        }
        list.length = total as i64;
    }
    new
}

/// # Safety
/// `list` is a list that is alive and has the items.
pub(crate) unsafe extern "C" fn numbra_rt_list_slice(
    list: *mut Header,
    start: i64,
    step: i64,
    count: i64,
) -> *mut List {
    // SAFETY: by contract; the list is only read.
    unsafe { (*list.cast::<List>()).slice(start, step, count_of(count)) }
}

/// # Safety
/// Both are lists with items of one type, alive; the positions are there.
pub(crate) unsafe extern "C" fn numbra_rt_list_assign(
    list: *mut Header,
    start: i64,
    count: i64,
    step: i64,
    source: *mut Header,
) -> i32 {
    // A list that is assigned to a part of itself is copied first.
    let copy = if list == source {
        // SAFETY: by contract.
        let length = unsafe { list_of(source) }.length;
        // SAFETY: all items are there.
        let copy = unsafe { numbra_rt_list_slice(source, 0, 1, length) };
        if copy.is_null() {
            return no_memory();
        }
        copy
    } else {
        ptr::null_mut()
    };
    let from = if copy.is_null() { source.cast() } else { copy };
    // SAFETY: by contract, and the lists are two.
    let (target, from) = unsafe { (list_of(list), &*from) };
    let count = count_of(count);
    let done = if step != 1 && from.len() != count {
        raise(
            "builtins.ValueError",
            "cannot resize extended list slice with step != 1",
        );
        status::RAISED
    // SAFETY: by contract.
    } else if let Some(old) = unsafe { target.assign(start, count, step, from) } {
        drop(old);
        status::OK
    } else {
        no_memory()
    };
    // SAFETY: null, or a list of which this owns the only reference.
    unsafe { object::release(copy.cast()) };
    done
}

/// # Safety
/// `list` is a list that is alive.
pub(crate) unsafe extern "C" fn numbra_rt_list_reverse(list: *mut Header) {
    // SAFETY: by contract.
    unsafe { list_of(list) }.reverse();
}

/// The memory of all items.
pub(crate) fn bytes_of(list: &mut List) -> (&mut [u8], usize) {
    list.dirty = 1;
    let (length, size) = (list.len() * list.size(), list.size());
    if length == 0 {
        return (&mut [], size);
    }
    // SAFETY: the items are initialised memory of this list, which is borrowed as a whole.
    (
        unsafe { std::slice::from_raw_parts_mut(list.item(0), length) },
        size,
    )
}

/// See `numbra_abi::NATIVES`.
///
/// # Safety
/// `list` is a list that is alive, `order` points to its parts.
pub(crate) unsafe extern "C" fn numbra_rt_list_sort(
    list: *mut Header,
    order: *const u64,
    reverse: i8,
) -> i32 {
    // SAFETY: by contract.
    let parts = unsafe { crate::sort::read_parts(order) };
    // SAFETY: by contract.
    let list = unsafe { list_of(list) };
    // An order is total, so that nothing panics; what may be missing is memory.
    let sorted = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        // SAFETY: the items are alive.
        unsafe { crate::sort::sort_items(bytes_of(list), &parts, reverse != 0) };
    }));
    if sorted.is_ok() {
        return status::OK;
    }
    raise("builtins.MemoryError", "cannot sort list");
    status::RAISED
}

#[cfg(test)]
mod tests {
    use super::*;
    use numbra_abi::LIST;

    fn list_of_words(words: &[i64]) -> *mut Header {
        let list = new_list(words.len(), 8, 0);
        for (n, word) in words.iter().enumerate() {
            // SAFETY: the list has room for the words.
            unsafe { (*list).item(n).cast::<i64>().write(*word) };
        }
        // SAFETY: written above.
        unsafe { (*list).set_len(words.len()) };
        list.cast()
    }

    fn words(list: *mut Header) -> Vec<i64> {
        // SAFETY: tests pass lists that are alive.
        let list = unsafe { &*list.cast::<List>() };
        (0..list.len())
            // SAFETY: the items are words.
            .map(|n| unsafe { list.item(n).cast::<i64>().read() })
            .collect()
    }

    fn release(lists: &[*mut Header]) {
        for list in lists {
            // SAFETY: tests own their lists.
            unsafe { object::release(*list) };
        }
    }

    #[test]
    fn layout_is_that_of_the_abi() {
        let offsets = [
            std::mem::offset_of!(List, length),
            std::mem::offset_of!(List, capacity),
            std::mem::offset_of!(List, item_size),
            std::mem::offset_of!(List, refs),
            std::mem::offset_of!(List, dirty),
        ];
        let expected: Vec<usize> = LIST.fields[2..].iter().map(|f| f.offset as usize).collect();
        assert_eq!(offsets.as_slice(), expected);
        assert_eq!(size_of::<List>(), LIST.size as usize);
        assert_eq!(LIST.offset(0), numbra_abi::HEADER.offset(3));
        assert_eq!(LIST.offset(1), numbra_abi::HEADER.offset(5));
    }

    #[test]
    fn slices_are_read_and_assigned() {
        let list = list_of_words(&[0, 1, 2, 3, 4, 5]);
        // SAFETY: the lists are alive and have the items.
        unsafe {
            let back = numbra_rt_list_slice(list, 5, -2, 3).cast();
            assert_eq!(words(back), [5, 3, 1]);
            assert_eq!(numbra_rt_list_assign(list, 1, 2, 1, back), status::OK);
            assert_eq!(words(list), [0, 5, 3, 1, 3, 4, 5]);
            assert_eq!(numbra_rt_list_assign(list, 1, 5, 1, back), status::OK);
            assert_eq!(words(list), [0, 5, 3, 1, 5]);
            assert_eq!(numbra_rt_list_assign(list, 4, 3, -2, back), status::OK);
            assert_eq!(words(list), [1, 5, 3, 1, 5]);
            assert_eq!(numbra_rt_list_assign(list, 0, 2, 2, back), status::RAISED);
            assert!(crate::take_error().is_some());
            assert_eq!(numbra_rt_list_assign(list, 1, 1, 1, list), status::OK);
            assert_eq!(words(list), [1, 1, 5, 3, 1, 5, 3, 1, 5]);
            assert_eq!(numbra_rt_list_extend(back, back), status::OK);
            numbra_rt_list_reverse(back);
            assert_eq!(words(back), [1, 3, 5, 1, 3, 5]);
            release(&[back, list]);
        }
    }

    #[test]
    fn references_are_counted() {
        let before = object::numbra_rt_live_objects();
        let items: Vec<*mut Header> = (0..3).map(|n| list_of_words(&[n])).collect();
        let outer = new_list(0, 8, 1);
        for (n, item) in items.iter().enumerate() {
            // SAFETY: the list is alive; the opened item is null.
            unsafe {
                assert_eq!(numbra_rt_list_open(outer.cast(), n as i64), status::OK);
                object::numbra_rt_ref_set((*outer).item(n).cast(), *item);
            }
        }
        release(&items);
        // SAFETY: the lists are alive and have the items.
        unsafe {
            let twice = numbra_rt_list_repeat(outer.cast(), 2).cast::<Header>();
            numbra_rt_list_remove(twice, 1, 3);
            let joined = numbra_rt_list_concat(twice, outer.cast()).cast::<Header>();
            assert_eq!((*joined.cast::<List>()).len(), 6);
            assert_eq!(numbra_rt_list_assign(joined, 0, 6, 1, twice), status::OK);
            numbra_rt_list_clear(outer.cast());
            assert_eq!(words(*(*joined.cast::<List>()).item(2).cast()), [2]);
            release(&[twice, joined, outer.cast()]);
        }
        assert!(
            object::numbra_rt_live_objects() <= before + 64,
            "tests run at the same time"
        );
    }
}
