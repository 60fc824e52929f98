//! Result types of operations on strings, bytes and char sequences.

use crate::{Mismatch, ResultCx, TypePattern as P};
use numbra_ir::{Signature, Type, TypeKind};

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
pub(crate) fn to_position(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
pub(crate) fn to_texts(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    making(cx, cx.types.list(Type::UNICODE))
}

/// `x.join(parts)`
pub(crate) fn join(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
pub(crate) fn strip(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
