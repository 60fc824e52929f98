//! Strings and bytes: search in them ([`self`]), and those that are made at run time ([`make`]).
//!
//! Bytes are characters below 256, of which only those of ASCII are letters, digits or blanks.

mod case;
mod class;
mod codec;
mod compare;
mod format;
mod make;
mod number;
mod parse;
mod split;

pub(crate) use number::repr_chars;

use crate::array::View;
use crate::bodies::NativeBody;
use crate::elements::{Kind, Wide};
use crate::hash;
use crate::object::Header;
use crate::simd::widest;
use crate::value::{Arg, Failure, Ret, bad_call, type_error, value_error};
use numbra_memory::{Gather, refuse, room, try_allocate};
use smallvec::SmallVec;
use std::borrow::Cow;

/// The tables of native bodies of the modules.
pub(crate) const TABLES: &[&[NativeBody]] = &[
    case::BODIES,
    class::BODIES,
    codec::BODIES,
    compare::BODIES,
    format::BODIES,
    make::BODIES,
    number::BODIES,
    parse::BODIES,
    split::BODIES,
    BODIES,
];

bodies! {
    str_among = among, 2;
    str_contains = contains, 2;
    str_count = count, 4;
    str_endswith = ends_with, 4;
    str_find = find, 4;
    str_index = index, 4;
    str_ord = ord, 1;
    str_rfind = rfind, 4;
    str_rindex = rindex, 4;
    str_startswith = starts_with, 4;
}

/// Every byte, for texts of one.
static ALL_BYTES: [u8; 256] = {
    let mut all = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        all[byte] = byte as u8;
        byte += 1;
    }
    all
};

/// The characters of a string or of bytes of the caller's, 1, 2 or 4 bytes each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text {
    data: *const u8,
    len: usize,
    /// 1, 2 or 4.
    width: usize,
    is_bytes: bool,
    /// Null for characters that only the caller knows how long they live.
    owner: *mut Header,
}

impl Text {
    /// # Safety
    /// `length` characters of `width` bytes are at `data` while this is used, or one of the three is 0. The owner of the
    /// characters is alive, or null.
    pub(crate) unsafe fn new(data: *const u8, length: i64, width: i32, owner: *mut Header) -> Text {
        let len = usize::try_from(length).unwrap_or(0);
        let is_empty = data.is_null() || len == 0 || !matches!(width, 1 | 2 | 4);
        Text {
            data,
            len: if is_empty { 0 } else { len },
            width: if is_empty { 1 } else { width as usize },
            is_bytes: false,
            owner,
        }
    }

    /// The bytes that an array holds, if it is one of bytes without gaps.
    pub(crate) fn of_bytes(view: &View, owner: *mut Header) -> Option<Text> {
        let has_no_gaps = view.shape.len() == 1 && (view.strides[0] == 1 || view.shape[0] < 2);
        (view.kind == Kind::UInt8 && has_no_gaps).then(|| Text {
            data: view.data,
            len: view.shape[0],
            width: 1,
            is_bytes: true,
            owner,
        })
    }

    /// The char sequence that an array without axes holds, without the zeros at its end.
    fn char_sequence(view: &View, is_bytes: bool, owner: *mut Header) -> Option<Text> {
        let Kind::Bytes(size) = view.kind else {
            return None;
        };
        let width = if is_bytes { 1 } else { 4 };
        // SAFETY: an element has so many bytes, which are such characters, and the caller keeps it.
        let text = unsafe { Text::new(view.data, i64::from(size / width), width as i32, owner) };
        let zeros = text.codes().rev().take_while(|code| *code == 0).count();
        Some(Text {
            is_bytes,
            ..text.part(0, text.len - zeros)
        })
    }

    /// One byte.
    fn of_byte(byte: u8) -> Text {
        Text {
            is_bytes: true,
            ..Text::literal(&ALL_BYTES[usize::from(byte)..=usize::from(byte)])
        }
    }

    /// The text of a literal.
    pub(crate) fn literal(text: &'static [u8]) -> Text {
        Text {
            data: text.as_ptr(),
            len: text.len(),
            width: 1,
            is_bytes: false,
            owner: std::ptr::null_mut(),
        }
    }

    /// `length` characters from `start` on, which are in this.
    fn part(&self, start: usize, length: usize) -> Text {
        debug_assert!(start + length <= self.len, "characters outside a string");
        Text {
            data: self.data.wrapping_add(start * self.width),
            len: length,
            ..*self
        }
    }

    /// The characters, which are of this width: where they are, unless that is not aligned.
    fn run<W: Unit>(&self) -> Cow<'_, [W]> {
        let data = self.data.cast::<W>();
        if self.len == 0 {
            return Cow::Borrowed(&[]);
        }
        if data.is_aligned() {
            // SAFETY: so many characters of this width are there, aligned.
            return Cow::Borrowed(unsafe { std::slice::from_raw_parts(data, self.len) });
        }
        // SAFETY: so many characters of this width are there.
        let unit = |at: usize| unsafe { data.add(at).read_unaligned() };
        Cow::Owned((0..self.len).map(unit).gathered())
    }

    /// The numbers of the characters.
    fn codes(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        (0..self.len).map(|at| {
            // SAFETY: so many characters of this width are there.
            unsafe {
                match self.width {
                    1 => self.data.add(at).read().into(),
                    2 => self.data.cast::<u16>().add(at).read_unaligned().into(),
                    _ => self.data.cast::<u32>().add(at).read_unaligned(),
                }
            }
        })
    }

    /// The characters; a lone surrogate is none and shown as a question mark.
    fn chars(&self) -> impl DoubleEndedIterator<Item = char> + '_ {
        self.codes().map(|code| char::from_u32(code).unwrap_or('?'))
    }

    /// The bytes of characters of one byte.
    fn bytes(&self) -> Option<&[u8]> {
        if self.len == 0 {
            return Some(&[]);
        }
        // SAFETY: so many characters of one byte are there.
        (self.width == 1).then(|| unsafe { std::slice::from_raw_parts(self.data, self.len) })
    }

    /// The characters as Rust keeps them.
    pub(crate) fn decoded(&self) -> String {
        let mut all = String::new();
        // A character of one byte has up to two in UTF-8, any other up to one more than here.
        if try_allocate(|| all.try_reserve(self.len.saturating_mul(self.width + 1))).is_err() {
            refuse()
        }
        all.extend(self.chars());
        all
    }

    /// How many characters from a position on pass a test, one after the other.
    fn span(&self, from: usize, test: impl Fn(u32) -> bool) -> usize {
        fn count<W: Unit>(text: &Text, from: usize, test: impl Fn(u32) -> bool) -> usize {
            let all = text.run::<W>();
            let passes = |unit: &&W| test((**unit).into());
            all[from..].iter().take_while(passes).count()
        }
        match self.width {
            1 => count::<u8>(self, from, test),
            2 => count::<u16>(self, from, test),
            _ => count::<u32>(self, from, test),
        }
    }

    /// How many characters before a position pass a test, from the last one back.
    fn span_back(&self, end: usize, test: impl Fn(u32) -> bool) -> usize {
        fn count<W: Unit>(text: &Text, end: usize, test: impl Fn(u32) -> bool) -> usize {
            let all = text.run::<W>();
            let passes = |unit: &&W| test((**unit).into());
            all[..end].iter().rev().take_while(passes).count()
        }
        match self.width {
            1 => count::<u8>(self, end, test),
            2 => count::<u16>(self, end, test),
            _ => count::<u32>(self, end, test),
        }
    }

    /// Where `part` first stands in this, or last.
    fn place_of(&self, part: &Text, side: Side) -> Option<usize> {
        fn place<W: Unit>(text: &Text, part: &Text, side: Side) -> Option<usize> {
            place_in(&text.run::<W>(), &W::all_of(part)?, side)
        }
        match self.width {
            1 => place::<u8>(self, part, side),
            2 => place::<u16>(self, part, side),
            _ => place::<u32>(self, part, side),
        }
    }

    /// CPython's hash.
    pub(crate) fn hash(&self) -> i64 {
        let width = make::width_of(self.codes());
        if width == self.width && self.len > 0 {
            // SAFETY: so many characters of this width are there.
            let bytes = unsafe { std::slice::from_raw_parts(self.data, self.len * width) };
            return hash::of_bytes(bytes);
        }
        let mut bytes = room(self.len * width);
        for code in self.codes() {
            bytes.extend_from_slice(&code.to_ne_bytes()[..width]);
        }
        hash::of_bytes(&bytes)
    }

    /// Shows the places where `part`, which is not empty, stands in this, apart from each other and from the first to the last,
    /// as long as that wants more.
    fn each_place(&self, part: &Text, show: &mut dyn FnMut(usize) -> bool) {
        fn walk<W: Unit>(text: &Text, part: &Text, show: &mut dyn FnMut(usize) -> bool) {
            let Some(part) = W::all_of(part) else { return };
            let all = text.run::<W>();
            let next = |from: usize| match part[..] {
                [only] => W::position(&all[from..], only),
                _ => place_in(&all[from..], &part, Side::First),
            };
            let mut from = 0;
            while let Some(at) = next(from) {
                if !show(from + at) {
                    return;
                }
                from += at + part.len();
            }
        }
        match self.width {
            1 => walk::<u8>(self, part, show),
            2 => walk::<u16>(self, part, show),
            _ => walk::<u32>(self, part, show),
        }
    }

    /// How often `part`, which is not empty, stands in this, apart from each other.
    fn count_of(&self, part: &Text) -> usize {
        if let (Some(bytes), Some([byte])) = (self.bytes(), part.bytes()) {
            return count_in(bytes, *byte);
        }
        let mut found = 0;
        self.each_place(part, &mut |_| {
            found += 1;
            true
        });
        found
    }

    /// Whether `part` stands at a position of this.
    fn has_at(&self, part: &Text, at: Option<usize>) -> bool {
        let Some(at) = at.filter(|at| at + part.len <= self.len) else {
            return false;
        };
        let here = self.codes().skip(at).take(part.len);
        here.eq(part.codes())
    }
}

/// Which of several places is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    First,
    Last,
}

/// A character of a width.
trait Unit: Copy + PartialEq + TryFrom<u32> + Into<u32> {
    /// Where one first is among others.
    fn position(all: &[Self], wanted: Self) -> Option<usize> {
        all.iter().position(|unit| *unit == wanted)
    }

    /// The characters of a string at this width; none if one has no such.
    fn all_of(text: &Text) -> Option<SmallVec<[Self; 32]>> {
        let mut all = SmallVec::new();
        if try_allocate(|| all.try_reserve_exact(text.len)).is_err() {
            refuse()
        }
        for code in text.codes() {
            all.push(Self::try_from(code).ok()?);
        }
        Some(all)
    }
}

impl Unit for u8 {
    fn position(all: &[u8], wanted: u8) -> Option<usize> {
        // SAFETY: so many bytes are there.
        let found = unsafe { libc::memchr(all.as_ptr().cast(), wanted.into(), all.len()) };
        (!found.is_null()).then(|| found.addr() - all.as_ptr().addr())
    }
}
impl Unit for u16 {}
impl Unit for u32 {}

widest! {
    /// Where `part` first stands among all, or last. Of so many places at once it is asked whether the first and the last
    /// character fit, and where both do, the others are looked at.
    fn place_in[W: Unit](all: &[W], part: &[W], side: Side) -> Option<usize> {
        const BLOCK: usize = 32;
        let (Some(&first), Some(&last)) = (part.first(), part.last()) else {
            return Some(if side == Side::First { 0 } else { all.len() });
        };
        let count = (all.len() + 1).checked_sub(part.len())?;
        let (heads, tails) = (&all[..count], &all[part.len() - 1..]);
        let is_at = |at: usize| heads[at] == first && tails[at] == last && all[at..].starts_with(part);
        let blocks = count / BLOCK;
        let may_be_in = |block: usize| {
            let range = block * BLOCK..(block + 1) * BLOCK;
            let ends = heads[range.clone()].iter().zip(&tails[range]);
            ends.fold(false, |any, (head, tail)| any | ((*head == first) & (*tail == last)))
        };
        if side == Side::First {
            for block in 0..blocks {
                if may_be_in(block)
                    && let Some(at) = (block * BLOCK..(block + 1) * BLOCK).find(|at| is_at(*at))
                {
                    return Some(at);
                }
            }
            return (blocks * BLOCK..count).find(|at| is_at(*at));
        }
        if let Some(at) = (blocks * BLOCK..count).rev().find(|at| is_at(*at)) {
            return Some(at);
        }
        for block in (0..blocks).rev() {
            if may_be_in(block)
                && let Some(at) = (block * BLOCK..(block + 1) * BLOCK).rev().find(|at| is_at(*at))
            {
                return Some(at);
            }
        }
        None
    }
}

widest! {
    /// How often a byte is among others.
    fn count_in(bytes: &[u8], wanted: u8) -> usize {
        let mut found = 0;
        // So many that a byte counts them.
        for chunk in bytes.chunks(192) {
            let mut here = 0_u8;
            for byte in chunk {
                here += u8::from(*byte == wanted);
            }
            found += usize::from(here);
        }
        found
    }
}

impl Arg {
    /// A string or bytes, or the char sequence that is one of them.
    fn characters_in(&self, is_bytes: bool) -> Result<Text, Failure> {
        match self {
            Arg::Array(view, owner) if view.shape.is_empty() => {
                Text::char_sequence(view, is_bytes, *owner).ok_or_else(bad_call)
            }
            _ => self.characters(),
        }
    }
}

fn two(args: &[Arg]) -> Result<(Text, Text), Failure> {
    match args {
        [a, b, ..] => Ok((a.characters()?, sought(b)?)),
        _ => Err(bad_call()),
    }
}

fn one(args: &[Arg]) -> Result<Text, Failure> {
    args.first().ok_or_else(bad_call)?.characters()
}

/// What is looked for: a text, or the number of a byte.
fn sought(part: &Arg) -> Result<Text, Failure> {
    if let Arg::Scalar(_) = part {
        let byte = u8::try_from(part.int()?).map_err(|_| byte_range("byte"))?;
        return Ok(Text::of_byte(byte));
    }
    part.characters()
}

/// The number of a byte that there is not.
fn byte_range(what: &str) -> Failure {
    value_error(format!("{what} must be in range(0, 256)"))
}

fn flag(ret: Ret, yes: bool) -> Result<(), Failure> {
    ret.scalar(Wide::Int(yes.into()))
}

/// A part of a text between positions that count from the end when negative, `None` for the ends of the text.
#[derive(Clone, Copy)]
struct Within {
    text: Text,
    start: usize,
}

impl Within {
    /// Nothing where the part ends before it starts, in which not even an empty text is.
    fn of(text: Text, start: &Arg, end: &Arg) -> Result<Option<Within>, Failure> {
        let place = |at: i64| match usize::try_from(at) {
            Ok(at) => at,
            Err(_) => text.len.saturating_sub(at.unsigned_abs() as usize),
        };
        let start = place(start.optional_int()?.unwrap_or(0));
        let end = place(end.optional_int()?.unwrap_or(i64::MAX)).min(text.len);
        Ok((start <= end).then(|| Within {
            text: text.part(start, end - start),
            start,
        }))
    }

    /// The part of `(text, .., start, end)`.
    fn of_args(args: &[Arg]) -> Result<Option<Within>, Failure> {
        match args {
            [text, _, start, end] => Within::of(text.characters()?, start, end),
            _ => Err(bad_call()),
        }
    }
}

/// `(string, string) -> bool`: the second is in the first.
fn contains(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (text, part) = two(args)?;
    flag(ret, text.place_of(&part, Side::First).is_some())
}

/// Whether a text, or one of a tuple, stands at the start or the end of the part of another.
fn stands_at(args: &[Arg], ret: Ret, side: Side) -> Result<(), Failure> {
    let within = Within::of_args(args)?;
    let stands = |part: &Arg| -> Result<bool, Failure> {
        let part = part.characters()?;
        Ok(within.is_some_and(|within| {
            let text = within.text;
            let at = match side {
                Side::First => Some(0),
                Side::Last => text.len.checked_sub(part.len),
            };
            text.has_at(&part, at)
        }))
    };
    let mut found = false;
    match &args[1] {
        Arg::Tuple(parts) => {
            for part in parts {
                found = found || stands(part)?;
            }
        }
        part => found = stands(part)?,
    }
    flag(ret, found)
}

/// `(string, string or tuple of strings, int64 | none, int64 | none) -> bool`
fn starts_with(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    stands_at(args, ret, Side::First)
}

/// As [`starts_with`], at the end.
fn ends_with(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    stands_at(args, ret, Side::Last)
}

/// Where the second argument stands in the part of the first.
fn place(args: &[Arg], side: Side) -> Result<Option<usize>, Failure> {
    let within = Within::of_args(args)?;
    let part = sought(&args[1])?;
    Ok(within.and_then(|within| {
        let at = within.text.place_of(&part, side)?;
        Some(within.start + at)
    }))
}

/// The number of a character, -1 for none.
fn position(ret: Ret, at: Option<usize>) -> Result<(), Failure> {
    ret.scalar(Wide::Int(at.map_or(-1, |at| at as i64)))
}

/// `(string, string, int64 | none, int64 | none) -> int64`: where the second first stands in the first, or -1.
fn find(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    position(ret, place(args, Side::First)?)
}

/// As [`find`], where it last stands.
fn rfind(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    position(ret, place(args, Side::Last)?)
}

/// Numbers of characters at the start and at the end that are to be cut off.
fn cut(ret: Ret, text: &Text, test: impl Fn(u32) -> bool) -> Result<(), Failure> {
    let start = text.span(0, &test) as i64;
    let end = text.span_back(text.len, &test) as i64;
    ret.item(0)?.scalar(Wide::Int(start))?;
    ret.item(1)?.scalar(Wide::Int(end))
}

/// `(string, string | none) -> (int64, int64)`: how many characters at the start and at the end are in the second, or blanks.
fn among(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let text = one(args)?;
    let chars = match args.get(1) {
        None | Some(Arg::Nothing) => return cut(ret, &text, |code| text.is_blank(code)),
        Some(chars) => chars.characters()?,
    };
    let mut wanted: SmallVec<[u32; 32]> = SmallVec::new();
    if try_allocate(|| wanted.try_reserve(chars.len)).is_err() {
        refuse()
    }
    wanted.extend(chars.codes());
    cut(ret, &text, |code| wanted.contains(&code))
}

/// `(string) -> int64`: the number of its only character.
fn ord(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let text = one(args)?;
    match text.codes().next().filter(|_| text.len == 1) {
        Some(code) => ret.scalar(Wide::Int(code.into())),
        None => Err(type_error(format!(
            "ord() expected a character, but string of length {} found",
            text.len
        ))),
    }
}

/// `(string, string, int64 | none, int64 | none) -> int64`: how often the second stands in the first, apart from each other.
fn count(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let within = Within::of_args(args)?;
    let part = sought(&args[1])?;
    let found = match within {
        None => 0,
        Some(within) if part.len == 0 => within.text.len + 1,
        Some(within) => within.text.count_of(&part),
    };
    ret.scalar(Wide::Int(found as i64))
}

fn index_on(args: &[Arg], ret: Ret, side: Side) -> Result<(), Failure> {
    match place(args, side)? {
        Some(at) => ret.scalar(Wide::Int(at as i64)),
        None => Err(value_error(match one(args)?.is_bytes {
            true => "subsection not found",
            false => "substring not found",
        })),
    }
}

/// As [`find`]; ValueError where there is none.
fn index(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    index_on(args, ret, Side::First)
}

/// As [`rfind`]; ValueError where there is none.
fn rindex(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    index_on(args, ret, Side::Last)
}
