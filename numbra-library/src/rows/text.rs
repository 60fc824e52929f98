//! Methods of strings, bytes and char sequences.

use crate::row_macro::{native, rule};
use crate::{Effects, Mismatch, Op, ResultCx, Targets, TypePattern as P};
use numbra_ir::{Signature, Type, TypeKind};

/// The characters to strip: `None` for blanks.
const CHARS: P = P::OneOf(&[P::AnyText, P::None]);

/// What making a string does.
pub(crate) const MAKES: Effects = Effects::READ.and(Effects::ALLOC).and(Effects::RAISE);

library! {
    /// True if all characters are below 128.
    method str.isascii(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText], to_bool, "numbra_np_str_isascii")],
    }
    /// True if there are letters, none of which is lower case.
    method str.isupper(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText], to_bool, "numbra_np_str_isupper")],
    }
    /// True if there are letters, none of which is upper case.
    method str.islower(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText], to_bool, "numbra_np_str_islower")],
    }
    /// True if there are characters, all of them letters.
    method str.isalpha(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::Text], to_bool, "numbra_np_str_isalpha")],
    }
    /// True if there are characters, all of them decimal digits.
    method str.isdecimal(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::Text], to_bool, "numbra_np_str_isdecimal")],
    }
    /// True if there are characters, all of them blanks.
    method str.isspace(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText], to_bool, "numbra_np_str_isspace")],
    }
    /// True if `repr` writes all characters as they are.
    method str.isprintable(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::Text], to_bool, "numbra_np_str_isprintable")],
    }
    /// With large letters.
    method str.upper(s) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Text], to_text, "numbra_np_str_upper")],
    }
    /// With small letters.
    method str.lower(s) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Text], to_text, "numbra_np_str_lower")],
    }
    /// Number of places where `sub` stands, apart from each other.
    method str.count(s, sub) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::AnyText], to_position, "numbra_np_str_count")],
    }
    /// As `find`; ValueError if there is none.
    method str.index(s, sub) {
        effects: Effects::READ.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::AnyText], to_position, "numbra_np_str_index")],
    }
    /// As `rfind`; ValueError if there is none.
    method str.rindex(s, sub) {
        effects: Effects::READ.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::AnyText], to_position, "numbra_np_str_rindex")],
    }
    /// With `new` where `old` stands: in the first `count` places if that is not negative.
    method str.replace(s, old, new, count = Int(-1)) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Text, P::Text, P::Text, P::Int], to_text, "numbra_np_str_replace")],
    }
    /// The parts between `sep`, or between blanks: at most `maxsplit` of them and the rest, if that is not negative.
    method str.split(s, sep = None, maxsplit = Int(-1)) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Text, P::OneOf(&[P::Text, P::None]), P::Int], to_texts, "numbra_np_str_split")],
    }
    /// The strings of a list or tuple, or the characters of a string, with `s` between each two.
    method str.join(s, parts) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Text, P::OneOf(&[P::List, P::Tuple, P::Text])], join, "numbra_np_str_join")],
    }
    /// At the left of `width` characters, the others `fillchar`.
    method str.ljust(s, width, fillchar = Str(" ")) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Text, P::Int, P::Text], to_text, "numbra_np_str_ljust")],
    }
    /// At the right of `width` characters, the others `fillchar`.
    method str.rjust(s, width, fillchar = Str(" ")) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Text, P::Int, P::Text], to_text, "numbra_np_str_rjust")],
    }
    /// In the middle of `width` characters, the others `fillchar`.
    method str.center(s, width, fillchar = Str(" ")) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Text, P::Int, P::Text], to_text, "numbra_np_str_center")],
    }
    /// With zeros behind a sign, to `width` characters.
    method str.zfill(s, width) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Text, P::Int], to_text, "numbra_np_str_zfill")],
    }
    /// Position of the first `sub`, -1 if there is none.
    method str.find(s, sub) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::AnyText], to_position, "numbra_np_str_find")],
    }
    /// Position of the last `sub`, -1 if there is none.
    method str.rfind(s, sub) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::AnyText], to_position, "numbra_np_str_rfind")],
    }
    /// True if `s` starts with `prefix`.
    method str.startswith(s, prefix) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::AnyText], to_bool, "numbra_np_str_startswith")],
    }
    /// True if `s` ends with `suffix`.
    method str.endswith(s, suffix) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::AnyText], to_bool, "numbra_np_str_endswith")],
    }
    /// Without the given characters, by default blanks, at both ends.
    method str.strip(s, chars = None) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[rule(&[P::AnyText, CHARS], strip, Op::TextStrip(true, true))],
    }
    /// Without the given characters, by default blanks, at the start.
    method str.lstrip(s, chars = None) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[rule(&[P::AnyText, CHARS], strip, Op::TextStrip(true, false))],
    }
    /// Without the given characters, by default blanks, at the end.
    method str.rstrip(s, chars = None) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[rule(&[P::AnyText, CHARS], strip, Op::TextStrip(false, true))],
    }
}

/// True for `bytes` and char sequences of bytes.
fn is_bytes(cx: &ResultCx<'_>, ty: Type) -> bool {
    matches!(cx.types.kind(ty), TypeKind::Bytes | TypeKind::CharSeq(_))
}

/// Refuses characters beside bytes.
fn of_one_kind(cx: &ResultCx<'_>) -> Result<(), Mismatch> {
    let texts = (0..cx.args.len()).map(|i| cx.plain(i));
    let mut texts = texts.filter(|ty| P::AnyText.matches(cx.types, *ty));
    let Some(first) = texts.next() else {
        return Err(Mismatch::rejected("there is no text"));
    };
    match texts.all(|ty| is_bytes(cx, ty) == is_bytes(cx, first)) {
        true => Ok(()),
        false => Err(Mismatch::rejected("characters and bytes do not mix")),
    }
}

/// A function of strings, to which other texts convert.
fn of_strings(cx: &ResultCx<'_>, ret: Type) -> Result<Signature, Mismatch> {
    of_one_kind(cx)?;
    Ok(Signature {
        params: vec![Type::UNICODE; cx.args.len()],
        ret,
    })
}

/// A test of strings.
pub(crate) fn to_bool(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_strings(cx, Type::BOOL)
}

/// A position in a string.
fn to_position(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_strings(cx, Type::INT64)
}

/// A function of strings, and of how many, that makes `ret`.
fn making(cx: &ResultCx<'_>, ret: Type) -> Result<Signature, Mismatch> {
    of_one_kind(cx)?;
    let mut params = Vec::with_capacity(cx.args.len());
    for i in 0..cx.args.len() {
        params.push(match cx.plain(i) {
            ty if is_bytes(cx, ty) => return Err(Mismatch::rejected("it is of strings only")),
            ty if P::Text.matches(cx.types, ty) => Type::UNICODE,
            ty if P::Int.matches(cx.types, ty) => cx.count(i),
            ty => ty,
        });
    }
    Ok(Signature { params, ret })
}

/// A string that is made of strings and counts.
pub(crate) fn to_text(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    making(cx, Type::UNICODE)
}

/// A number that is made of strings.
pub(crate) fn to_number(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    making(cx, Type::INT64)
}

/// A list of strings.
fn to_texts(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    making(cx, cx.types.list(Type::UNICODE))
}

/// `x.join(parts)`
fn join(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    if P::Text.matches(cx.types, cx.plain(1)) {
        return to_text(cx);
    }
    let list = cx.types.as_list(cx.plain(1)).map(|list| list.0);
    let of_strings = match cx.types.tuple_items(cx.plain(1)) {
        Some(items) => items
            .iter()
            .all(|item| cx.types.unliteral(*item) == Type::UNICODE),
        None => list.is_some_and(|item| matches!(item, Type::UNICODE | Type::UNDEFINED)),
    };
    match of_strings {
        // Where nothing else says what an empty list holds, this does.
        true if list == Some(Type::UNDEFINED) => Ok(Signature {
            params: vec![Type::UNICODE, cx.types.list(Type::UNICODE)],
            ret: Type::UNICODE,
        }),
        true => making(cx, Type::UNICODE),
        false => Err(Mismatch::rejected(
            "join() takes a list or tuple of strings",
        )),
    }
}

/// `x.strip(chars)`: a string, or bytes.
fn strip(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_one_kind(cx)?;
    cx.returns(match is_bytes(cx, cx.plain(0)) {
        true => Type::BYTES,
        false => Type::UNICODE,
    })
}

/// `x[i]`
pub(crate) fn item(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let ret = match is_bytes(cx, cx.plain(0)) {
        true => Type::UINT8,
        false => Type::UNICODE,
    };
    Ok(Signature {
        params: vec![cx.plain(0), cx.count(1)],
        ret,
    })
}
