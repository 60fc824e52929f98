//! Strings in parts, and parts as one string.

use super::make::{Form, Made, give_joined};
use super::{Side, Text};
use crate::array::View;
use crate::elements::Kind;
use crate::object::Header;
use crate::value::{Arg, Failure, RawValue, Ret, bad_call, value_error};
use numbra_memory::{Gather, refuse, try_allocate};

bodies! {
    str_join = join, 2, join_list;
    str_partition = partition, 2;
    str_rpartition = rpartition, 2;
    str_rsplit = rsplit, 3;
    str_split = split, 3;
    str_splitlines = splitlines, 2;
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
    let between = between.characters()?;
    if let Arg::Array(view, owner) = parts {
        // Also an empty list of bytes, which looks like an array.
        let elements = Elements::of(view, *owner, between.is_bytes)?;
        let characters: Vec<Arg> = elements.map(Arg::Text).gathered();
        return give_joined(&between, &characters, ret);
    }
    let parts = parts.items()?;
    if let [only] = parts {
        return only.characters_in(between.is_bytes)?.give(ret);
    }
    give_joined(&between, parts, ret)
}

/// Joins the strings of a list, which is what most calls do; false where there is no memory for it, or it is of something else.
///
/// # Safety
/// `args` and `ret` are those of a call with two arguments.
unsafe fn join_list(args: *const RawValue, ret: &RawValue) -> bool {
    // SAFETY: the call has two arguments, which are values of the convention.
    let operands = unsafe { ((*args).as_text(), (*args.add(1)).as_texts()) };
    let (Some(between), Some(parts)) = operands else {
        return false;
    };
    let mut form = Form::default();
    for (at, part) in parts.clone().enumerate() {
        if at > 0 && !form.add(&between) || !form.add(&part) {
            return false;
        }
    }
    // Of one string the body makes no other.
    if parts.len() == 1 {
        return false;
    }
    let Ok(mut made) = Made::new(form.len, form.width()) else {
        return false;
    };
    for (at, part) in parts.enumerate() {
        if at > 0 {
            made.extend(&between);
        }
        made.extend(&part);
    }
    made.give(Ret::of(*ret)).is_ok()
}

/// The texts of an array of char sequences.
struct Elements<'a> {
    view: &'a View,
    owner: *mut Header,
    is_bytes: bool,
    at: usize,
}

impl Elements<'_> {
    fn of(view: &View, owner: *mut Header, is_bytes: bool) -> Result<Elements<'_>, Failure> {
        if !matches!(view.kind, Kind::Bytes(_)) && view.shape.first() != Some(&0) {
            return Err(bad_call());
        }
        Ok(Elements {
            view,
            owner,
            is_bytes,
            at: 0,
        })
    }
}

impl Iterator for Elements<'_> {
    type Item = Text;

    fn next(&mut self) -> Option<Text> {
        let at = self.at;
        if at == self.view.shape[0] {
            return None;
        }
        self.at += 1;
        let element = self.view.at(0, at);
        Text::char_sequence(&element, self.is_bytes, self.owner)
    }
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
    split_from(args, ret, Side::First)
}

/// As [`split`], cut from the end on.
fn rsplit(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    split_from(args, ret, Side::Last)
}

fn split_from(args: &[Arg], ret: Ret, side: Side) -> Result<(), Failure> {
    let [text, separator, most] = args else {
        return Err(bad_call());
    };
    let (text, _kept) = text.characters()?.kept()?;
    let most = usize::try_from(most.int()?).unwrap_or(usize::MAX);
    let parts = match (separator, side) {
        (Arg::Nothing, Side::First) => between_blanks(&text, most),
        (Arg::Nothing, Side::Last) => between_last_blanks(&text, most),
        (separator, Side::First) => between(&text, &separator.characters()?, most)?,
        (separator, Side::Last) => between_last(&text, &separator.characters()?, most)?,
    };
    ret.list_of_texts(&parts.0)
}

fn empty_separator() -> Failure {
    value_error("empty separator")
}

fn between(text: &Text, separator: &Text, most: usize) -> Result<Parts, Failure> {
    if separator.len == 0 {
        return Err(empty_separator());
    }
    let mut parts = Parts::default();
    let mut from = 0;
    text.each_place(separator, &mut |at| {
        let wanted = parts.0.len() < most;
        if wanted {
            parts.push(text.part(from, at - from));
            from = at + separator.len;
        }
        wanted
    });
    parts.push(text.part(from, text.len - from));
    Ok(parts)
}

fn between_last(text: &Text, separator: &Text, most: usize) -> Result<Parts, Failure> {
    if separator.len == 0 {
        return Err(empty_separator());
    }
    let mut parts = Parts::default();
    let mut rest = *text;
    while parts.0.len() < most {
        let Some(at) = rest.place_of(separator, Side::Last) else {
            break;
        };
        let from = at + separator.len;
        parts.push(rest.part(from, rest.len - from));
        rest = rest.part(0, at);
    }
    parts.push(rest);
    parts.0.reverse();
    Ok(parts)
}

fn between_blanks(text: &Text, most: usize) -> Parts {
    let mut parts = Parts::default();
    let blanks = |from: usize, is: bool| text.span(from, |code| text.is_blank(code) == is);
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

fn between_last_blanks(text: &Text, most: usize) -> Parts {
    let mut parts = Parts::default();
    let blanks = |end: usize, is: bool| text.span_back(end, |code| text.is_blank(code) == is);
    let mut end = text.len - blanks(text.len, true);
    while end > 0 {
        let count = match parts.0.len() < most {
            true => blanks(end, false),
            // What is left, with the blanks at its start.
            false => end,
        };
        parts.push(text.part(end - count, count));
        end -= count;
        end -= blanks(end, true);
    }
    parts.0.reverse();
    parts
}

/// Characters that end a line; a carriage return before a new line is a part of it.
fn ends_line(text: &Text, code: u32) -> bool {
    match text.is_bytes {
        true => matches!(code, 0x0a | 0x0d),
        false => matches!(code, 0x0a..=0x0d | 0x1c..=0x1e | 0x85 | 0x2028 | 0x2029),
    }
}

/// `(string, number) -> list of strings`: its lines, with what ends them if the number is not zero.
fn splitlines(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let [text, keep] = args else {
        return Err(bad_call());
    };
    let (text, _kept) = text.characters()?.kept()?;
    let keep = keep.flag()?;
    let mut parts = Parts::default();
    let mut from = 0;
    while from < text.len {
        let line = text.span(from, |code| !ends_line(&text, code));
        let rest = text.part(from, text.len - from);
        let end = text.part(from + line, (rest.len - line).min(2));
        let mut codes = end.codes();
        let end = match (codes.next(), codes.next()) {
            (Some(0x0d), Some(0x0a)) => 2,
            (Some(_), _) => 1,
            (None, _) => 0,
        };
        parts.push(rest.part(0, if keep { line + end } else { line }));
        from += line + end;
    }
    ret.list_of_texts(&parts.0)
}

/// Gives what stands before and behind a part, and that; the text at one side if it has none.
fn parted(args: &[Arg], ret: Ret, side: Side) -> Result<(), Failure> {
    let (text, separator) = super::two(args)?;
    if separator.len == 0 {
        return Err(empty_separator());
    }
    let nothing = text.part(0, 0);
    let parts = match text.place_of(&separator, side) {
        Some(at) => {
            let from = at + separator.len;
            let rest = text.part(from, text.len - from);
            [text.part(0, at), separator, rest]
        }
        None if side == Side::First => [text, nothing, nothing],
        None => [nothing, nothing, text],
    };
    for (i, part) in parts.iter().enumerate() {
        part.give(ret.item(i)?)?;
    }
    Ok(())
}

/// `(string, string) -> (string, string, string)`: what stands before the first place of the second, that, and what stands behind.
fn partition(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    parted(args, ret, Side::First)
}

/// As [`partition`], at the last place.
fn rpartition(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    parted(args, ret, Side::Last)
}
