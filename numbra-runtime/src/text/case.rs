//! Letters in other cases, by Unicode's tables; of bytes only those of ASCII have a case.

use super::class::{is_cased, is_title};
use super::make::{Made, codes_of, give_changed, give_codes};
use super::{Text, one};
use crate::value::{Arg, Failure, Ret};
use numbra_memory::{refuse, try_allocate};

bodies! {
    str_capitalize = capitalize, 1;
    str_casefold = casefold, 1;
    str_lower = lower, 1;
    str_swapcase = swapcase, 1;
    str_title = title, 1;
    str_upper = upper, 1;
}

const SIGMA: char = '\u{3a3}';

/// Writes what becomes of a character: its lower case, which depends on where it stands.
type Change = fn(&mut Out, char, Place<'_>);

/// Where a character stands.
#[derive(Clone, Copy)]
struct Place<'a> {
    codes: &'a [u32],
    at: usize,
    /// The character before it has a case.
    inside: bool,
}

/// Characters that are written.
#[derive(Default)]
struct Out(Vec<u32>);

impl Out {
    fn push(&mut self, code: u32) {
        if try_allocate(|| self.0.try_reserve(1)).is_err() {
            refuse()
        }
        self.0.push(code);
    }

    fn extend(&mut self, chars: impl Iterator<Item = char>) {
        chars.for_each(|c| self.push(c.into()));
    }
}

/// Gives what a change makes of each character: one for bytes of ASCII, and one for characters, of which lone surrogates stay.
fn changed(
    args: &[Arg],
    ret: Ret,
    byte: impl Fn(u8, bool) -> u8,
    change: Change,
) -> Result<(), Failure> {
    let text = one(args)?;
    if let Some(bytes) = text
        .bytes()
        .filter(|bytes| text.is_bytes || bytes.is_ascii())
    {
        let mut made = Made::new(text.len, 1)?;
        let mut inside = false;
        for c in bytes {
            made.push(byte(*c, inside).into());
            inside = c.is_ascii_alphabetic();
        }
        return made.give(ret);
    }
    changed_characters(&text, ret, change)
}

/// As [`changed`], of bytes each by itself.
fn changed_alone(
    args: &[Arg],
    ret: Ret,
    byte: impl Fn(u8) -> u8,
    change: Change,
) -> Result<(), Failure> {
    let text = one(args)?;
    match text
        .bytes()
        .filter(|bytes| text.is_bytes || bytes.is_ascii())
    {
        Some(bytes) => give_changed(bytes, ret, byte),
        None => changed_characters(&text, ret, change),
    }
}

fn changed_characters(text: &Text, ret: Ret, change: Change) -> Result<(), Failure> {
    let codes = codes_of(text);
    let mut out = Out::default();
    if try_allocate(|| out.0.try_reserve(codes.len())).is_err() {
        refuse()
    }
    let mut inside = false;
    for (at, code) in codes.iter().enumerate() {
        let c = char::from_u32(*code);
        match c {
            Some(c) => {
                let codes = &codes;
                change(&mut out, c, Place { codes, at, inside });
            }
            None => out.push(*code),
        }
        inside = c.is_some_and(is_cased);
    }
    give_codes(&out.0, ret)
}

fn upper_of(out: &mut Out, c: char, _: Place<'_>) {
    out.extend(c.to_uppercase());
}

/// A sigma at the end of a word has a form of its own.
fn lower_of(out: &mut Out, c: char, place: Place<'_>) {
    match c {
        SIGMA if ends_word(place) => out.push(0x3c2),
        _ => out.extend(c.to_lowercase()),
    }
}

/// Whether a letter with case, but for what is ignored between, stands before this place and none behind it. Rust knows what is
/// ignored: a sigma behind such a letter and the character in question is small at the end of a word if that is ignored.
fn ends_word(place: Place<'_>) -> bool {
    let is_ignored = |c: char| {
        let text: String = ['a', c, SIGMA].into_iter().collect();
        !is_plain(c) && text.to_lowercase().ends_with('\u{3c2}')
    };
    let has_letter = |codes: &mut dyn Iterator<Item = &u32>| {
        let mut chars = codes.map(|code| char::from_u32(*code));
        let next = chars.find(|c| !c.is_some_and(is_ignored));
        next.flatten().is_some_and(is_cased)
    };
    let (before, behind) = (&place.codes[..place.at], &place.codes[place.at + 1..]);
    has_letter(&mut before.iter().rev()) && !has_letter(&mut behind.iter())
}

/// True for most letters with case: those that are not ignored between others.
fn is_plain(c: char) -> bool {
    is_cased(c) && {
        let text: String = ['.', c, SIGMA].into_iter().collect();
        text.to_lowercase().ends_with('\u{3c2}')
    }
}

/// The case of the first letter of a word in a title, which only a few letters have of their own.
fn title_of(out: &mut Out, c: char) {
    match c {
        '\u{1c4}'..='\u{1cc}' => {
            let first = 0x1c5 + (u32::from(c) - 0x1c4) / 3 * 3;
            out.push(first);
        }
        '\u{1f1}'..='\u{1f3}' => out.push(0x1f2),
        // Georgian has large letters for words in large letters only.
        '\u{10d0}'..='\u{10fa}' | '\u{10fd}'..='\u{10ff}' => out.push(c.into()),
        '\u{149}' => out.extend(c.to_uppercase()),
        '\u{1f80}'..='\u{1f87}' | '\u{1f90}'..='\u{1f97}' | '\u{1fa0}'..='\u{1fa7}' => {
            out.push(u32::from(c) + 8);
        }
        '\u{1fb3}' | '\u{1fc3}' | '\u{1ff3}' => out.push(u32::from(c) + 9),
        _ if is_title(c) => out.push(c.into()),
        _ => {
            let mut all = c.to_uppercase();
            out.extend(all.by_ref().take(1));
            // What is one letter in Greek is an iota below another at the front.
            for c in all {
                match c {
                    '\u{399}' => out.push(0x345),
                    c => out.extend(c.to_lowercase()),
                }
            }
        }
    }
}

/// `(string) -> string`: with large letters.
fn upper(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    changed_alone(args, ret, |c| c.to_ascii_uppercase(), upper_of)
}

/// `(string) -> string`: with small letters.
fn lower(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    changed_alone(args, ret, |c| c.to_ascii_lowercase(), lower_of)
}

/// `(string) -> string`: with small letters behind others, and large ones elsewhere.
fn title(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let byte = |c: u8, inside: bool| match inside {
        true => c.to_ascii_lowercase(),
        false => c.to_ascii_uppercase(),
    };
    changed(args, ret, byte, |out, c, place| match place.inside {
        true => lower_of(out, c, place),
        false => title_of(out, c),
    })
}

/// `(string) -> string`: small letters for large ones and large ones for small ones.
fn swapcase(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let byte = |c: u8| match c.is_ascii_uppercase() {
        true => c.to_ascii_lowercase(),
        false => c.to_ascii_uppercase(),
    };
    changed_alone(args, ret, byte, |out, c, place| match c {
        c if c.is_uppercase() => lower_of(out, c, place),
        c if c.is_lowercase() => upper_of(out, c, place),
        c => out.push(c.into()),
    })
}

/// `(string) -> string`: with one large letter, the first character.
fn capitalize(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let text = one(args)?;
    if let Some(bytes) = text
        .bytes()
        .filter(|bytes| text.is_bytes || bytes.is_ascii())
    {
        let mut made = Made::new(text.len, 1)?;
        for (at, c) in bytes.iter().enumerate() {
            let changed = match at {
                0 => c.to_ascii_uppercase(),
                _ => c.to_ascii_lowercase(),
            };
            made.push(changed.into());
        }
        return made.give(ret);
    }
    changed_characters(&text, ret, |out, c, place| match place.at {
        0 => title_of(out, c),
        _ => lower_of(out, c, place),
    })
}

/// `(string) -> string`: as texts are made that compare without regard to case.
fn casefold(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    changed_alone(
        args,
        ret,
        |c| c.to_ascii_lowercase(),
        |out, c, _| match c {
            '\u{131}' => out.push(c.into()),
            // Cherokee had large letters only, once.
            '\u{13a0}'..='\u{13ff}' | '\u{ab70}'..='\u{abbf}' => out.extend(c.to_uppercase()),
            '\u{1e9e}' => out.extend(['s', 's'].into_iter()),
            _ => out.extend(c.to_uppercase().flat_map(char::to_lowercase)),
        },
    )
}
