//! Strings that are made at run time.
//!
//! The data of their owner are a buffer: how many bytes of characters are written, then the characters, perhaps with room
//! behind them. A string knows its own length, so what is written behind its last character changes no string. Who
//! appends to a string that ends where its buffer is written to takes the next bytes of it, atomically, and has a longer
//! string over the same memory: appending one character after the other takes linear time. Whoever comes second copies.

use super::Text;
use crate::object::{self, Header};
use crate::value::{Arg, Failure, Ret, bad_call, no_memory, type_error, value_error};
use numbra_abi::{TextLayout, header_flags};
use numbra_memory::{Gather, refuse, try_allocate};
use std::sync::atomic::{AtomicUsize, Ordering};

bodies! {
    str_center = center, 3;
    str_chr = chr, 1;
    str_concat = concat, 2;
    str_joined = joined, 1;
    str_ljust = ljust, 3;
    str_repeat = repeat, 2;
    str_repeat_right = repeat_right, 2;
    str_replace = replace, 4;
    str_rjust = rjust, 3;
    str_slice = slice, 2;
    str_zfill = zfill, 2;
}

/// Bytes in front of the characters of a buffer.
const FRONT: usize = 16;
/// Bytes of characters that there is room for at least: what the smallest block has anyway.
const LEAST: usize = 64 - FRONT;

/// Characters with room, which are being written; the owner is a reference of its own.
pub(super) struct Made {
    owner: *mut Header,
    data: *mut u8,
    len: usize,
    width: usize,
    /// How many characters there is room for.
    room: usize,
}

impl Drop for Made {
    fn drop(&mut self) {
        // SAFETY: null, or a reference of this value.
        unsafe { object::release(self.owner) };
    }
}

/// How many bytes of characters a buffer has written.
///
/// # Safety
/// `owner` has the flag of strings that are made, and is alive.
unsafe fn written<'a>(owner: *mut Header) -> &'a AtomicUsize {
    // SAFETY: by contract, the data begin with the number, aligned.
    unsafe { &*object::data_of(owner).cast::<AtomicUsize>() }
}

impl Made {
    /// Room for `room` characters of a width, none of which is written.
    pub(super) fn new(room: usize, width: usize) -> Result<Made, Failure> {
        let bytes = room.checked_mul(width).ok_or_else(no_memory)?.max(LEAST);
        let size = bytes.checked_add(FRONT).and_then(|n| i64::try_from(n).ok());
        let owner = object::numbra_rt_alloc(size.ok_or_else(no_memory)?, 64);
        if owner.is_null() {
            return Err(no_memory());
        }
        // SAFETY: a header made just now, whose data have room for the number.
        unsafe { object::set_flag(owner, header_flags::TEXT) };
        let data = object::data_of(owner);
        // SAFETY: as above, aligned to 64 bytes.
        unsafe { data.cast::<AtomicUsize>().write(AtomicUsize::new(0)) };
        Ok(Made {
            owner,
            data: data.wrapping_add(FRONT),
            len: 0,
            width,
            room: bytes / width,
        })
    }

    /// Writes a character, for which there is room; it fits the width.
    pub(super) fn push(&mut self, code: u32) {
        assert!(self.len < self.room, "a string is longer than its room");
        let at = self.data.wrapping_add(self.len * self.width);
        // SAFETY: there is room at `at` for a character of the width.
        unsafe {
            match self.width {
                1 => at.write(code as u8),
                2 => at.cast::<u16>().write(code as u16),
                _ => at.cast::<u32>().write(code),
            }
        }
        self.len += 1;
    }

    /// Writes the characters of a string, for which there is room; they fit the width.
    pub(super) fn extend(&mut self, text: &Text) {
        assert!(
            text.len <= self.room - self.len,
            "a string is longer than its room"
        );
        if text.width != self.width {
            text.codes().for_each(|code| self.push(code));
            return;
        }
        let at = self.data.wrapping_add(self.len * self.width);
        // SAFETY: the characters are there, and there is room at `at`; what is written is no part of a string yet.
        unsafe { std::ptr::copy_nonoverlapping(text.data, at, text.len * self.width) };
        self.len += text.len;
    }

    /// Says how much is written; the reference to the owner.
    fn keep(mut self) -> *mut Header {
        let bytes = self.len * self.width;
        // SAFETY: a buffer of this value, which nobody else knows yet.
        unsafe { written(self.owner) }.store(bytes, Ordering::Release);
        std::mem::replace(&mut self.owner, std::ptr::null_mut())
    }

    /// The string is the result.
    pub(super) fn give(self, ret: Ret) -> Result<(), Failure> {
        let (data, len, width) = (self.data, self.len, self.width);
        ret.text(data, len, width, self.keep())
    }
}

impl Text {
    /// The result is this string: over the same characters where they have an owner.
    pub(crate) fn give(&self, ret: Ret) -> Result<(), Failure> {
        if self.owner.is_null() {
            return self.copied()?.give(ret);
        }
        // SAFETY: the owner of an argument is alive.
        unsafe { object::retain(self.owner) };
        ret.text(self.data, self.len, self.width, self.owner)
    }

    /// Whether a buffer is much larger than these characters of it.
    fn keeps_little(&self) -> bool {
        // SAFETY: null or the owner of an argument, which is alive.
        let is_made = unsafe { object::has_flag(self.owner, header_flags::TEXT) };
        is_made && object::data_size(self.owner) / 16 > LEAST.max(self.len * self.width)
    }

    fn copied(&self) -> Result<Made, Failure> {
        let mut copy = Made::new(self.len, self.width)?;
        copy.extend(self);
        Ok(copy)
    }

    /// These characters under an owner that may outlive the call, a reference to which is the caller's.
    pub(super) fn kept(&self) -> Result<(Text, Kept), Failure> {
        // SAFETY: null or the owner of an argument, which is alive.
        let owner = unsafe { object::promote(self.owner) };
        if !owner.is_null() {
            return Ok((Text { owner, ..*self }, Kept(owner)));
        }
        let copy = self.copied()?;
        let (data, owner) = (copy.data, copy.keep());
        Ok((
            Text {
                data,
                owner,
                ..*self
            },
            Kept(owner),
        ))
    }
}

/// A reference to what owns characters.
pub(super) struct Kept(*mut Header);

impl Drop for Kept {
    fn drop(&mut self) {
        // SAFETY: a reference of this value.
        unsafe { object::release(self.0) };
    }
}

/// The bytes that the widest of these characters takes.
pub(super) fn width_of(codes: impl Iterator<Item = u32>) -> usize {
    match codes.max().unwrap_or(0) {
        0..0x100 => 1,
        0x100..0x1_0000 => 2,
        0x1_0000.. => 4,
    }
}

/// Gives a string of these characters.
pub(super) fn give_codes(codes: &[u32], ret: Ret) -> Result<(), Failure> {
    let mut made = Made::new(codes.len(), width_of(codes.iter().copied()))?;
    codes.iter().for_each(|code| made.push(*code));
    made.give(ret)
}

/// Gives a string of the characters of Rust's.
pub(super) fn give_str(text: &str, ret: Ret) -> Result<(), Failure> {
    let codes = || text.chars().map(u32::from);
    let count = if text.is_ascii() {
        text.len()
    } else {
        codes().count()
    };
    let mut made = Made::new(count, width_of(codes()))?;
    codes().for_each(|code| made.push(code));
    made.give(ret)
}

/// Appends to a string whose buffer ends with it and has room: its owner, if that was possible.
fn appended(text: &Text, more: &Text) -> Option<*mut Header> {
    // SAFETY: null or the owner of an argument, which is alive.
    let is_made = unsafe { object::has_flag(text.owner, header_flags::TEXT) };
    if !is_made || more.width > text.width {
        return None;
    }
    let (start, room) = (
        object::data_of(text.owner).wrapping_add(FRONT),
        object::data_size(text.owner),
    );
    let end = (text.data.addr() + text.len * text.width).wrapping_sub(start.addr());
    let bytes = more.len.checked_mul(text.width)?;
    if end.checked_add(bytes)? > room - FRONT {
        return None;
    }
    // SAFETY: the buffer has the flag.
    let written = unsafe { written(text.owner) };
    let take = written.compare_exchange(end, end + bytes, Ordering::AcqRel, Ordering::Relaxed);
    take.ok()?;
    let mut rest = Made {
        owner: std::ptr::null_mut(),
        data: start.wrapping_add(end),
        len: 0,
        width: text.width,
        room: more.len,
    };
    rest.extend(more);
    Some(text.owner)
}

/// `(string, string) -> string`: one after the other.
fn concat(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (a, b) = super::two(args)?;
    if b.len == 0 || a.len == 0 {
        return (if b.len == 0 { a } else { b }).give(ret);
    }
    let len = a.len.checked_add(b.len).ok_or_else(no_memory)?;
    if let Some(owner) = appended(&a, &b) {
        // SAFETY: the owner of an argument, which is alive.
        unsafe { object::retain(owner) };
        return ret.text(a.data, len, a.width, owner);
    }
    let width = a.width.max(b.width);
    // SAFETY: null or the owner of an argument, which is alive.
    let grows = unsafe { object::has_flag(a.owner, header_flags::TEXT) };
    // What has been made here before goes on growing, perhaps.
    let room = if grows { len.saturating_mul(2) } else { len };
    let made = Made::new(room, width).or_else(|_| Made::new(len, width));
    let mut made = made?;
    made.extend(&a);
    made.extend(&b);
    made.give(ret)
}

/// `(tuple of strings) -> string`: one after the other.
fn joined(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let parts = args.first().ok_or_else(bad_call)?.items()?;
    give_joined(&Text::literal(b""), parts, ret)
}

/// Gives strings with another between each two.
pub(super) fn give_joined(between: &Text, parts: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (mut len, mut width) = (0_usize, 1);
    for (at, part) in parts.iter().enumerate() {
        let part = part.characters()?;
        if at > 0 {
            len = len.checked_add(between.len).ok_or_else(no_memory)?;
            width = width.max(between.width);
        }
        len = len.checked_add(part.len).ok_or_else(no_memory)?;
        width = width.max(part.width);
    }
    let mut made = Made::new(len, width)?;
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            made.extend(between);
        }
        made.extend(&part.characters()?);
    }
    made.give(ret)
}

/// `(string, int64) -> string`: so many times.
fn repeat(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    match args {
        [text, count] => repeated(text, count, ret),
        _ => Err(bad_call()),
    }
}

/// `(int64, string) -> string`: as [`repeat`].
fn repeat_right(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    match args {
        [count, text] => repeated(text, count, ret),
        _ => Err(bad_call()),
    }
}

fn repeated(text: &Arg, count: &Arg, ret: Ret) -> Result<(), Failure> {
    let text = text.characters()?;
    let count = count.int_checked()?;
    let count = usize::try_from(count).unwrap_or(0);
    let len = text.len.checked_mul(count);
    let Some(len) = len.filter(|len| i64::try_from(*len).is_ok()) else {
        let message = "repeated string is too long";
        return Err(Failure::new("builtins.OverflowError", message));
    };
    if count == 1 {
        return text.give(ret);
    }
    let mut made = Made::new(len, text.width)?;
    if len > 0 {
        (0..count).for_each(|_| made.extend(&text));
    }
    made.give(ret)
}

/// `(string, slice) -> string`
fn slice(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let text = super::one(args)?;
    let Some(Arg::Slice(parts)) = args.get(1) else {
        return Err(bad_call());
    };
    let (start, count, step) = crate::numpy::clamp(*parts, text.len)?;
    if step == 1 || count == 0 {
        let part = text.part(if count == 0 { 0 } else { start }, count);
        // A few characters do not keep a large buffer.
        return match part.keeps_little() {
            true => part.copied()?.give(ret),
            false => part.give(ret),
        };
    }
    let mut made = Made::new(count, text.width)?;
    for index in 0..count {
        let at = start as i64 + index as i64 * step;
        made.extend(&text.part(at as usize, 1));
    }
    made.give(ret)
}

/// `(int64) -> string`: the character with this number.
fn chr(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let number = args.first().ok_or_else(bad_call)?.int()?;
    match u32::try_from(number).ok().filter(|code| *code < 0x11_0000) {
        Some(code) => give_codes(&[code], ret),
        None => Err(value_error("chr() arg not in range(0x110000)")),
    }
}

/// The place where a part stands in characters from a position on.
fn next_place(text: &Text, part: &Text, from: usize) -> Option<usize> {
    let rest = text.part(from, text.len - from);
    rest.place_of(part, super::Side::First).map(|at| from + at)
}

/// `(string, string, string, int64) -> string`: the first so many parts of the first that are the second, or all if the number
/// is negative, are the third.
fn replace(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let [text, old, new, count] = args else {
        return Err(bad_call());
    };
    let (text, old, new) = (text.characters()?, old.characters()?, new.characters()?);
    let most = usize::try_from(count.int()?).unwrap_or(usize::MAX);
    let mut places: Vec<usize> = Vec::new();
    let mut at = 0;
    // An empty part stands before each character and at the end.
    while places.len() < most
        && at <= text.len
        && let Some(place) = next_place(&text, &old, at)
    {
        if try_allocate(|| places.try_reserve(1)).is_err() {
            refuse()
        }
        places.push(place);
        at = place + old.len.max(1);
    }
    if places.is_empty() {
        return text.give(ret);
    }
    let added = new.len.checked_mul(places.len()).ok_or_else(no_memory)?;
    let kept = text.len - old.len * places.len();
    let len = kept.checked_add(added).ok_or_else(no_memory)?;
    let width = if added > 0 {
        text.width.max(new.width)
    } else {
        text.width
    };
    let mut made = Made::new(len, width)?;
    let mut from = 0;
    for place in places {
        made.extend(&text.part(from, place - from));
        made.extend(&new);
        from = place + old.len;
    }
    made.extend(&text.part(from, text.len - from));
    made.give(ret)
}

/// Where the characters that fill a string up stand.
fn padded(args: &[Arg], ret: Ret, left: impl Fn(usize, usize) -> usize) -> Result<(), Failure> {
    let [text, width, fill] = args else {
        return Err(bad_call());
    };
    let (text, fill) = (text.characters()?, fill.characters()?);
    if fill.len != 1 {
        return Err(type_error(
            "The fill character must be exactly one character long",
        ));
    }
    let width = usize::try_from(width.int_checked()?).unwrap_or(0);
    let more = width.saturating_sub(text.len);
    if more == 0 {
        return text.give(ret);
    }
    let left = left(more, width);
    let mut made = Made::new(width, text.width.max(fill.width))?;
    (0..left).for_each(|_| made.extend(&fill));
    made.extend(&text);
    (left..more).for_each(|_| made.extend(&fill));
    made.give(ret)
}

/// `(string, int64, string) -> string`: at the left of so many characters.
fn ljust(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    padded(args, ret, |_, _| 0)
}

/// `(string, int64, string) -> string`: at the right of so many characters.
fn rjust(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    padded(args, ret, |more, _| more)
}

/// `(string, int64, string) -> string`: in the middle of so many characters.
fn center(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    padded(args, ret, |more, width| more / 2 + (more & width & 1))
}

/// `(string, int64) -> string`: zeros between a sign and what follows, to so many characters.
fn zfill(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let text = super::one(args)?;
    let width = args.get(1).ok_or_else(bad_call)?.int_checked()?;
    let width = usize::try_from(width).unwrap_or(0);
    let more = width.saturating_sub(text.len);
    if more == 0 {
        return text.give(ret);
    }
    let first = text.codes().next();
    let sign = usize::from(first.is_some_and(|c| c == u32::from(b'+') || c == u32::from(b'-')));
    let mut made = Made::new(width, text.width)?;
    made.extend(&text.part(0, sign));
    (0..more).for_each(|_| made.push(u32::from(b'0')));
    made.extend(&text.part(sign, text.len - sign));
    made.give(ret)
}

impl Ret {
    /// The result is a string of characters that `owner` keeps, a reference to which goes with it.
    fn text(
        self,
        data: *const u8,
        len: usize,
        width: usize,
        owner: *mut Header,
    ) -> Result<(), Failure> {
        let Some(place) = self.text_place() else {
            // SAFETY: the reference that came with the characters.
            unsafe { object::release(owner) };
            return Err(bad_call());
        };
        let words = [
            (TextLayout::DATA, data.expose_provenance() as u64),
            (TextLayout::LENGTH, len as u64),
            (TextLayout::HASH, u64::MAX),
            (TextLayout::OWNER, owner.expose_provenance() as u64),
        ];
        for (at, word) in words {
            // SAFETY: a string result has room for the leaves of a string.
            unsafe { place.add(at).cast::<u64>().write_unaligned(word) };
        }
        for (at, word) in [(TextLayout::WIDTH, width as u32), (TextLayout::ASCII, 0)] {
            // SAFETY: as above.
            unsafe { place.add(at).cast::<u32>().write_unaligned(word) };
        }
        Ok(())
    }
}

/// The characters of a text as numbers.
pub(super) fn codes_of(text: &Text) -> Vec<u32> {
    text.codes().gathered()
}
