//! Letters: classes and cases by Unicode's tables.

use super::make::{codes_of, give_codes};
use super::{Text, flag, one};
use crate::value::{Arg, Failure, Ret};
use numbra_memory::{refuse, try_allocate};
use unicode_properties::{
    GeneralCategory as Category, GeneralCategoryGroup as Group, UnicodeGeneralCategory as _,
};

bodies! {
    str_isalpha = is_alpha, 1;
    str_isdecimal = is_decimal, 1;
    str_isprintable = is_printable_text, 1;
    str_isspace = is_space, 1;
    str_lower = lower, 1;
    str_upper = upper, 1;
}

/// What Python's `repr` writes as it is: all but controls, formats, surrogates, what is for private use or not assigned, and
/// blanks other than the space.
pub(super) fn is_printable(code: u32) -> bool {
    char::from_u32(code).is_some_and(|c| {
        let group = c.general_category_group();
        c == ' ' || !matches!(group, Group::Other | Group::Separator)
    })
}

/// True for the blanks that Python strips and splits at.
pub(super) fn is_blank(code: u32) -> bool {
    let c = char::from_u32(code);
    c.is_some_and(|c| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c))
}

/// True for letters that are large at the front and small behind, as `\u{1c5}`.
pub(super) fn is_title(c: char) -> bool {
    c.general_category() == Category::TitlecaseLetter
}

/// True if there are characters and `test` holds for all.
fn all(args: &[Arg], ret: Ret, test: impl Fn(u32) -> bool) -> Result<(), Failure> {
    let text = one(args)?;
    flag(ret, text.len > 0 && text.codes().all(test))
}

fn has_category(code: u32, test: impl Fn(char) -> bool) -> bool {
    char::from_u32(code).is_some_and(test)
}

/// `(string) -> bool`: letters only.
fn is_alpha(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    all(args, ret, |code| {
        has_category(code, |c| c.general_category_group() == Group::Letter)
    })
}

/// `(string) -> bool`: decimal digits only.
fn is_decimal(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    all(args, ret, |code| {
        has_category(code, |c| c.general_category() == Category::DecimalNumber)
    })
}

/// `(string) -> bool`: blanks only.
fn is_space(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    all(args, ret, is_blank)
}

/// `(string) -> bool`: what `repr` writes as it is, if anything.
fn is_printable_text(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    flag(ret, one(args)?.codes().all(is_printable))
}

/// Gives what `change` makes of the characters between those that are none of Rust's.
fn changed(text: &Text, ret: Ret, change: impl Fn(&str) -> String) -> Result<(), Failure> {
    let mut out: Vec<u32> = Vec::new();
    let mut put = |codes: &mut dyn Iterator<Item = u32>| {
        for code in codes {
            if try_allocate(|| out.try_reserve(1)).is_err() {
                refuse()
            }
            out.push(code);
        }
    };
    let codes = codes_of(text);
    for run in codes.chunk_by(|a, b| char::from_u32(*a).is_some() == char::from_u32(*b).is_some()) {
        let mut piece = String::new();
        if try_allocate(|| piece.try_reserve(run.len().saturating_mul(4))).is_err() {
            refuse()
        }
        piece.extend(run.iter().filter_map(|code| char::from_u32(*code)));
        match piece.is_empty() {
            true => put(&mut run.iter().copied()),
            false => put(&mut change(&piece).chars().map(u32::from)),
        }
    }
    give_codes(&out, ret)
}

/// `(string) -> string`: with large letters.
fn upper(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    changed(&one(args)?, ret, str::to_uppercase)
}

/// `(string) -> string`: with small letters.
fn lower(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    changed(&one(args)?, ret, str::to_lowercase)
}
