//! Strings in lists.

use super::case::is_blank;
use super::make::give_joined;
use super::{Side, Text};
use crate::value::{Arg, Failure, Ret, bad_call, value_error};
use numbra_memory::{Gather, refuse, try_allocate};

bodies! {
    str_join = join, 2;
    str_split = split, 3;
}

/// `(string, list of strings or string) -> string`: the strings of the list, or the characters of the string, with the first
/// between each two.
fn join(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let [between, parts] = args else {
        return Err(bad_call());
    };
    if let Arg::Text(text) = parts {
        let characters: Vec<Arg> = (0..text.len)
            .map(|at| Arg::Text(text.part(at, 1)))
            .gathered();
        return give_joined(&between.characters()?, &characters, ret);
    }
    let parts = parts.items()?;
    if let [only] = parts {
        return only.characters()?.give(ret);
    }
    give_joined(&between.characters()?, parts, ret)
}

/// Parts of a string, in order.
#[derive(Default)]
struct Parts(Vec<Text>);

impl Parts {
    fn push(&mut self, part: Text) {
        if try_allocate(|| self.0.try_reserve(1)).is_err() {
            refuse()
        }
        self.0.push(part);
    }
}

/// `(string, string | none, int64) -> list of strings`: what stands between the second, or between blanks, which is cut so often
/// at most, or wherever it stands if the number is negative.
fn split(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let [text, separator, most] = args else {
        return Err(bad_call());
    };
    let (text, _kept) = text.characters()?.kept()?;
    let most = usize::try_from(most.int()?).unwrap_or(usize::MAX);
    let parts = match separator {
        Arg::Nothing => between_blanks(&text, most),
        separator => between(&text, &separator.characters()?, most)?,
    };
    ret.list_of_texts(&parts.0)
}

fn between(text: &Text, separator: &Text, most: usize) -> Result<Parts, Failure> {
    if separator.len == 0 {
        return Err(value_error("empty separator"));
    }
    let mut parts = Parts::default();
    let mut from = 0;
    while parts.0.len() < most {
        let rest = text.part(from, text.len - from);
        let Some(at) = rest.place_of(separator, Side::First) else {
            break;
        };
        parts.push(rest.part(0, at));
        from += at + separator.len;
    }
    parts.push(text.part(from, text.len - from));
    Ok(parts)
}

fn between_blanks(text: &Text, most: usize) -> Parts {
    let mut parts = Parts::default();
    let blanks = |from: usize, is: bool| {
        let rest = text.part(from, text.len - from);
        rest.codes()
            .take_while(|code| is_blank(*code) == is)
            .count()
    };
    let mut from = blanks(0, true);
    while from < text.len {
        let count = match parts.0.len() < most {
            true => blanks(from, false),
            // What is left, with the blanks at its end.
            false => text.len - from,
        };
        parts.push(text.part(from, count));
        from += count;
        from += blanks(from, true);
    }
    parts
}
