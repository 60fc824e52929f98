//! Search of strings.

use crate::elements::Wide;
use crate::value::{Arg, Failure, Ret, bad_call};

fn two(args: &[Arg]) -> Result<(&str, &str), Failure> {
    match args {
        [a, b] => Ok((a.text()?, b.text()?)),
        _ => Err(bad_call()),
    }
}

fn one(args: &[Arg]) -> Result<&str, Failure> {
    args.first().ok_or_else(bad_call)?.text()
}

fn flag(ret: Ret, yes: bool) -> Result<(), Failure> {
    ret.scalar(Wide::Int(yes.into()))
}

/// `(string, string) -> bool`: the second is in the first.
pub(crate) fn contains(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (text, part) = two(args)?;
    flag(ret, text.contains(part))
}

/// `(string, string) -> bool`
pub(crate) fn starts_with(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (text, part) = two(args)?;
    flag(ret, text.starts_with(part))
}

/// `(string, string) -> bool`
pub(crate) fn ends_with(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (text, part) = two(args)?;
    flag(ret, text.ends_with(part))
}

/// A byte of a string as the number of its character, -1 for none.
fn position(ret: Ret, text: &str, at: Option<usize>) -> Result<(), Failure> {
    let at = at.map_or(-1, |at| text[..at].chars().count() as i64);
    ret.scalar(Wide::Int(at))
}

/// `(string, string) -> int64`: where the second first stands in the first, or -1.
pub(crate) fn find(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (text, part) = two(args)?;
    position(ret, text, text.find(part))
}

/// As [`find`], where it last stands.
pub(crate) fn rfind(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (text, part) = two(args)?;
    position(ret, text, text.rfind(part))
}

/// `(string) -> bool`
pub(crate) fn is_ascii(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    flag(ret, one(args)?.is_ascii())
}

/// `(string) -> bool`: there are letters with case, and none is of the other case.
pub(crate) fn is_upper(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let text = one(args)?;
    let upper = text.chars().any(char::is_uppercase);
    flag(ret, upper && !text.chars().any(char::is_lowercase))
}

/// See [`is_upper`].
pub(crate) fn is_lower(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let text = one(args)?;
    let lower = text.chars().any(char::is_lowercase);
    flag(ret, lower && !text.chars().any(char::is_uppercase))
}

/// Numbers of characters at the start and at the end that are to be cut off.
fn cut(ret: Ret, text: &str, test: impl Fn(char) -> bool) -> Result<(), Failure> {
    let start = text.chars().take_while(|c| test(*c)).count() as i64;
    let end = text.chars().rev().take_while(|c| test(*c)).count() as i64;
    ret.item(0)?.scalar(Wide::Int(start))?;
    ret.item(1)?.scalar(Wide::Int(end))
}

/// `(string, string) -> (int64, int64)`: how many characters at the start and at the end are in the second.
pub(crate) fn among(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (text, chars) = two(args)?;
    cut(ret, text, |c| chars.contains(c))
}

/// `(string) -> (int64, int64)`: how many characters at the start and at the end are blanks.
pub(crate) fn blanks(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    cut(ret, one(args)?, |c| {
        c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
    })
}
