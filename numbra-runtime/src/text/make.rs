//! Strings and bytes that are made at run time.
//!
//! The data of their owner are a buffer: how many bytes of characters are written, then the characters, perhaps with room
//! behind them. A string knows its own length, so what is written behind its last character changes no string. Who
//! appends to a string that ends where its buffer is written to takes the next bytes of it, atomically, and has a longer
//! string over the same memory: appending one character after the other takes linear time. Whoever comes second copies.

use super::Text;
use crate::object::{self, Header};
use crate::value::{Arg, Failure, RawValue, Ret, bad_call, no_memory, type_error, value_error};
use numbra_abi::{TextLayout, header_flags};
use numbra_memory::{Gather, refuse, try_allocate};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use std::arch::asm;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicUsize, Ordering};

bodies! {
    str_center = center, 3;
    str_chr = chr, 1;
    str_concat = concat, 2, append;
    str_expandtabs = expandtabs, 2;
    str_joined = joined, 1;
    str_ljust = ljust, 3;
    str_removeprefix = removeprefix, 2;
    str_removesuffix = removesuffix, 2;
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

/// Bytes of a vector.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const VECTOR: usize = 16;
/// Bytes that can be read if one of them can.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const PAGE: usize = 4096;

/// Copies so many bytes: words have few, for which a call takes longer than the copy.
///
/// Where there is room for a vector, one is copied whatever the count: lengths of words cannot be predicted. What is read and
/// written too much has no meaning.
///
/// # Safety
/// They are at `from`, there is room for `room` bytes at `to`, as many at least, which nobody else uses, and both do not
/// overlap.
#[inline(always)]
unsafe fn copy(from: *const u8, to: *mut u8, count: usize, room: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if count <= VECTOR && room >= VECTOR && from.addr() % PAGE <= PAGE - VECTOR && count > 0 {
        // SAFETY: one byte at least is at `from`, and what lies in its page can be read. The instruction reads without saying
        // so to the compiler, for which nothing may be read behind the end. There is room at `to`.
        unsafe {
            asm!(
                "movdqu {vector}, [{from}]",
                "movdqu [{to}], {vector}",
                vector = out(xmm_reg) _,
                from = in(reg) from,
                to = in(reg) to,
                options(nostack, preserves_flags),
            );
        }
        return;
    }
    /// The first and the last bytes of `T`'s size, which may be the same ones in part.
    ///
    /// # Safety
    /// As for [`copy`]; there are as many bytes at least.
    #[inline(always)]
    unsafe fn ends<T: Copy>(from: *const u8, to: *mut u8, count: usize) {
        let last = count - size_of::<T>();
        // SAFETY: by contract.
        unsafe {
            let (a, b) = (
                from.cast::<T>().read_unaligned(),
                from.add(last).cast::<T>().read_unaligned(),
            );
            to.cast::<T>().write_unaligned(a);
            to.add(last).cast::<T>().write_unaligned(b);
        }
    }
    // SAFETY: by contract.
    unsafe {
        match count {
            17.. => std::ptr::copy_nonoverlapping(from, to, count),
            8.. => ends::<u64>(from, to, count),
            4.. => ends::<u32>(from, to, count),
            2.. => ends::<u16>(from, to, count),
            1 => to.write(from.read()),
            0 => {}
        }
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

    /// Writes bytes, for which there is room, as characters of one.
    pub(super) fn extend_bytes(&mut self, bytes: &[u8]) {
        let text = Text {
            data: bytes.as_ptr(),
            len: bytes.len(),
            ..Text::literal(b"")
        };
        self.extend(&text);
    }

    /// Writes the characters of a string, for which there is room; they fit the width.
    #[inline]
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
        unsafe {
            copy(
                text.data,
                at,
                text.len * self.width,
                (self.room - self.len) * self.width,
            )
        };
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
    if text.is_ascii() {
        let mut made = Made::new(text.len(), 1)?;
        made.extend_bytes(text.as_bytes());
        return made.give(ret);
    }
    let codes = || text.chars().map(u32::from);
    let mut made = Made::new(codes().count(), width_of(codes()))?;
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

/// Appends where a buffer ends with the first string and has room, which is what loops do most of the time.
///
/// # Safety
/// `args` and `ret` are those of a call with two arguments.
unsafe fn append(args: *const RawValue, ret: &RawValue) -> bool {
    // SAFETY: the call has two arguments, which are values of the convention.
    let texts = unsafe { ((*args).as_text(), (*args.add(1)).as_text()) };
    let (Some(a), Some(b)) = texts else {
        return false;
    };
    if b.len == 0 || a.len == 0 {
        return false;
    }
    let (Some(owner), Some(len)) = (appended(&a, &b), a.len.checked_add(b.len)) else {
        return false;
    };
    // SAFETY: the owner of an argument, which is alive.
    unsafe { object::retain(owner) };
    Ret::of(*ret).text(a.data, len, a.width, owner).is_ok()
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

/// How long a string of several is, and how wide its characters are.
#[derive(Default)]
pub(super) struct Form {
    pub(super) len: usize,
    widest: usize,
}

impl Form {
    /// False where no memory holds that many.
    pub(super) fn add(&mut self, text: &Text) -> bool {
        let (len, is_over) = self.len.overflowing_add(text.len);
        self.len = len;
        self.widest = self.widest.max(text.width);
        !is_over
    }

    pub(super) fn width(&self) -> usize {
        self.widest.max(1)
    }
}

/// Gives strings with another between each two.
pub(super) fn give_joined(between: &Text, parts: &[Arg], ret: Ret) -> Result<(), Failure> {
    let mut form = Form::default();
    for (at, part) in parts.iter().enumerate() {
        let part = part.characters_in(between.is_bytes)?;
        if at > 0 && !form.add(between) || !form.add(&part) {
            return Err(no_memory());
        }
    }
    let mut made = Made::new(form.len, form.width())?;
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            made.extend(between);
        }
        made.extend(&part.characters_in(between.is_bytes)?);
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
        let message = match text.is_bytes {
            true => "repeated bytes are too long",
            false => "repeated string is too long",
        };
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

/// Gives what a change makes of each of a text's bytes.
pub(super) fn give_changed(
    bytes: &[u8],
    ret: Ret,
    change: impl Fn(u8) -> u8,
) -> Result<(), Failure> {
    let mut made = Made::new(bytes.len(), 1)?;
    // SAFETY: there is room for so many bytes, which nobody else knows yet and which are written before they are read.
    let place =
        unsafe { std::slice::from_raw_parts_mut(made.data.cast::<MaybeUninit<u8>>(), bytes.len()) };
    for (to, from) in place.iter_mut().zip(bytes) {
        to.write(change(*from));
    }
    made.len = bytes.len();
    made.give(ret)
}

/// `(string, string, string, int64) -> string`: the first so many parts of the first that are the second, or all if the number
/// is negative, are the third.
fn replace(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let [text, old, new, count] = args else {
        return Err(bad_call());
    };
    let (text, old, new) = (text.characters()?, old.characters()?, new.characters()?);
    let most = usize::try_from(count.int()?).unwrap_or(usize::MAX);
    if let (Some(bytes), Some([from]), Some([to])) = (text.bytes(), old.bytes(), new.bytes())
        && most >= bytes.len()
    {
        return give_changed(bytes, ret, |c| if c == *from { *to } else { c });
    }
    let mut places: Vec<usize> = Vec::new();
    let mut add = |place: usize| {
        let wanted = places.len() < most;
        if wanted {
            if try_allocate(|| places.try_reserve(1)).is_err() {
                refuse()
            }
            places.push(place);
        }
        wanted
    };
    match old.len {
        // An empty part stands before each character and at the end.
        0 => {
            (0..=text.len).all(&mut add);
        }
        _ => text.each_place(&old, &mut add),
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

/// Where the characters that fill a string up stand. `name` is the method's.
fn padded(
    args: &[Arg],
    ret: Ret,
    name: &str,
    left: impl Fn(usize, usize) -> usize,
) -> Result<(), Failure> {
    let [text, width, fill] = args else {
        return Err(bad_call());
    };
    let text = text.characters()?;
    let fill = match fill {
        Arg::Nothing => Text::literal(b" "),
        fill => fill.characters()?,
    };
    if fill.len != 1 {
        return Err(match text.is_bytes {
            true => type_error(format!(
                "{name}() argument 2 must be a byte string of length 1, not bytes"
            )),
            false => type_error("The fill character must be exactly one character long"),
        });
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

/// `(string, int64, string | none) -> string`: at the left of so many characters.
fn ljust(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    padded(args, ret, "ljust", |_, _| 0)
}

/// `(string, int64, string | none) -> string`: at the right of so many characters.
fn rjust(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    padded(args, ret, "rjust", |more, _| more)
}

/// `(string, int64, string | none) -> string`: in the middle of so many characters.
fn center(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    padded(args, ret, "center", |more, width| {
        more / 2 + (more & width & 1)
    })
}

/// `(string, string) -> string`: without the second at the start.
fn removeprefix(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (text, prefix) = super::two(args)?;
    match text.has_at(&prefix, Some(0)) {
        true => text.part(prefix.len, text.len - prefix.len).give(ret),
        false => text.give(ret),
    }
}

/// `(string, string) -> string`: without the second at the end.
fn removesuffix(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (text, suffix) = super::two(args)?;
    let left = text.len.checked_sub(suffix.len);
    match left.filter(|left| text.has_at(&suffix, Some(*left))) {
        Some(left) => text.part(0, left).give(ret),
        None => text.give(ret),
    }
}

/// `(string, int64) -> string`: with blanks for each tab, up to the next multiple of so many characters of the line.
fn expandtabs(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let text = super::one(args)?;
    let size = args.get(1).ok_or_else(bad_call)?.int_checked()?;
    let size = usize::try_from(size).unwrap_or(0);
    const TAB: u32 = 9;
    let blanks = |column: usize| match size {
        0 => 0,
        size => size - column % size,
    };
    let next = |column: usize, code: u32| match code {
        10 | 13 => 0,
        TAB => column.saturating_add(blanks(column)),
        _ => column.saturating_add(1),
    };
    let (mut len, mut column) = (0_usize, 0);
    for code in text.codes() {
        let more = if code == TAB { blanks(column) } else { 1 };
        let total = len.checked_add(more);
        len = total
            .filter(|len| i64::try_from(*len).is_ok())
            .ok_or_else(|| Failure::new("builtins.OverflowError", "new string is too long"))?;
        column = next(column, code);
    }
    let mut made = Made::new(len, text.width)?;
    let mut column = 0;
    for code in text.codes() {
        match code {
            TAB => (0..blanks(column)).for_each(|_| made.push(u32::from(b' '))),
            code => made.push(code),
        }
        column = next(column, code);
    }
    made.give(ret)
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
    /// The result is a string, or bytes, of characters that `owner` keeps, a reference to which goes with it.
    fn text(
        self,
        data: *const u8,
        len: usize,
        width: usize,
        owner: *mut Header,
    ) -> Result<(), Failure> {
        let (data, reference) = (
            data.expose_provenance() as u64,
            owner.expose_provenance() as u64,
        );
        if let Some(place) = self.bytes_place().filter(|_| width == 1) {
            for (leaf, word) in [data, reference, len as u64, 1].into_iter().enumerate() {
                // SAFETY: bytes as a result have room for the leaves of an array with one axis.
                unsafe { place.add(8 * leaf).cast::<u64>().write_unaligned(word) };
            }
            return Ok(());
        }
        let Some(place) = self.text_place() else {
            // SAFETY: the reference that came with the characters.
            unsafe { object::release(owner) };
            return Err(bad_call());
        };
        let words = [
            (TextLayout::DATA, data),
            (TextLayout::LENGTH, len as u64),
            (TextLayout::HASH, u64::MAX),
            (TextLayout::OWNER, reference),
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
