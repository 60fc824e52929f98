//! Strings: search in them ([`self`]), and those that are made at run time ([`make`]).

mod case;
mod format;
mod make;
mod number;
mod split;

use crate::bodies::NativeBody;
use crate::elements::Wide;
use crate::object::Header;
use crate::simd::widest;
use crate::value::{Arg, Failure, Ret, bad_call, type_error, value_error};
use numbra_memory::{Gather, refuse, try_allocate};
use smallvec::SmallVec;
use std::borrow::Cow;

/// The tables of native bodies of the modules.
pub(crate) const TABLES: &[&[NativeBody]] = &[
    case::BODIES,
    format::BODIES,
    make::BODIES,
    number::BODIES,
    split::BODIES,
    BODIES,
];

bodies! {
    str_among = among, 2;
    str_blanks = blanks, 1;
    str_contains = contains, 2;
    str_count = count, 2;
    str_endswith = ends_with, 2;
    str_find = find, 2;
    str_index = index, 2;
    str_isascii = is_ascii, 1;
    str_islower = is_lower, 1;
    str_isupper = is_upper, 1;
    str_ord = ord, 1;
    str_rfind = rfind, 2;
    str_rindex = rindex, 2;
    str_startswith = starts_with, 2;
}

/// The characters of a string of the caller's, 1, 2 or 4 bytes each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text {
    data: *const u8,
    len: usize,
    /// 1, 2 or 4.
    width: usize,
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
            owner,
        }
    }

    /// The text of a literal.
    pub(crate) fn literal(text: &'static [u8]) -> Text {
        Text {
            data: text.as_ptr(),
            len: text.len(),
            width: 1,
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
trait Unit: Copy + PartialEq + TryFrom<u32> {
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

impl Unit for u8 {}
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

fn two(args: &[Arg]) -> Result<(Text, Text), Failure> {
    match args {
        [a, b] => Ok((a.characters()?, b.characters()?)),
        _ => Err(bad_call()),
    }
}

fn one(args: &[Arg]) -> Result<Text, Failure> {
    args.first().ok_or_else(bad_call)?.characters()
}

fn flag(ret: Ret, yes: bool) -> Result<(), Failure> {
    ret.scalar(Wide::Int(yes.into()))
}

/// `(string, string) -> bool`: the second is in the first.
fn contains(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (text, part) = two(args)?;
    flag(ret, text.place_of(&part, Side::First).is_some())
}

/// `(string, string) -> bool`
fn starts_with(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (text, part) = two(args)?;
    flag(ret, text.has_at(&part, Some(0)))
}

/// `(string, string) -> bool`
fn ends_with(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (text, part) = two(args)?;
    flag(ret, text.has_at(&part, text.len.checked_sub(part.len)))
}

/// The number of a character, -1 for none.
fn position(ret: Ret, at: Option<usize>) -> Result<(), Failure> {
    ret.scalar(Wide::Int(at.map_or(-1, |at| at as i64)))
}

/// `(string, string) -> int64`: where the second first stands in the first, or -1.
fn find(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (text, part) = two(args)?;
    position(ret, text.place_of(&part, Side::First))
}

/// As [`find`], where it last stands.
fn rfind(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (text, part) = two(args)?;
    position(ret, text.place_of(&part, Side::Last))
}

/// `(string) -> bool`
fn is_ascii(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    flag(ret, one(args)?.codes().all(|code| code < 128))
}

/// `(string) -> bool`: there are letters with case, and none is of the other case, or the first letter of a title.
fn is_upper(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let text = one(args)?;
    let upper = text.chars().any(char::is_uppercase);
    let other = |c: char| c.is_lowercase() || case::is_title(c);
    flag(ret, upper && !text.chars().any(other))
}

/// See [`is_upper`].
fn is_lower(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let text = one(args)?;
    let lower = text.chars().any(char::is_lowercase);
    let other = |c: char| c.is_uppercase() || case::is_title(c);
    flag(ret, lower && !text.chars().any(other))
}

/// Numbers of characters at the start and at the end that are to be cut off.
fn cut(ret: Ret, text: &Text, test: impl Fn(u32) -> bool) -> Result<(), Failure> {
    let start = text.codes().take_while(|code| test(*code)).count() as i64;
    let end = text.codes().rev().take_while(|code| test(*code)).count() as i64;
    ret.item(0)?.scalar(Wide::Int(start))?;
    ret.item(1)?.scalar(Wide::Int(end))
}

/// `(string, string) -> (int64, int64)`: how many characters at the start and at the end are in the second.
fn among(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (text, chars) = two(args)?;
    let mut wanted: SmallVec<[u32; 32]> = SmallVec::new();
    if try_allocate(|| wanted.try_reserve(chars.len)).is_err() {
        refuse()
    }
    wanted.extend(chars.codes());
    cut(ret, &text, |code| wanted.contains(&code))
}

/// `(string) -> (int64, int64)`: how many characters at the start and at the end are blanks.
fn blanks(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    cut(ret, &one(args)?, case::is_blank)
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

/// `(string, string) -> int64`: how often the second stands in the first, apart from each other.
fn count(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (text, part) = two(args)?;
    let mut found = if part.len == 0 {
        text.len as i64 + 1
    } else {
        0
    };
    let mut rest = text;
    while part.len > 0
        && let Some(at) = rest.place_of(&part, Side::First)
    {
        found += 1;
        let from = at + part.len;
        rest = rest.part(from, rest.len - from);
    }
    ret.scalar(Wide::Int(found))
}

fn index_on(args: &[Arg], ret: Ret, side: Side) -> Result<(), Failure> {
    let (text, part) = two(args)?;
    match text.place_of(&part, side) {
        Some(at) => ret.scalar(Wide::Int(at as i64)),
        None => Err(value_error("substring not found")),
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
