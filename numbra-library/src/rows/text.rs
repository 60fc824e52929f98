//! Methods of strings, bytes and char sequences.

use super::builtins::is_written;
use crate::format::{self, Field, Form, Piece};
use crate::pattern::plain;
use crate::row_macro::{guarded_native, moving, native, rule};
use crate::{Effects, Mismatch, Op, ResultCx, Targets, TypePattern as P};
use numbra_ir::{Const, Layout, Scalar, Signature, Type, TypeKind, Types};

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
    /// True if there are letters, of which those behind others are lower case and no others are.
    method str.istitle(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText], to_bool, "numbra_np_str_istitle")],
    }
    /// True if there are characters, all of them letters.
    method str.isalpha(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText], to_bool, "numbra_np_str_isalpha")],
    }
    /// True if there are characters, all of them letters, digits or numbers.
    method str.isalnum(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText], to_bool, "numbra_np_str_isalnum")],
    }
    /// True if there are characters, all of them decimal digits.
    method str.isdecimal(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::Text], to_bool, "numbra_np_str_isdecimal")],
    }
    /// True if there are characters, all of them digits.
    method str.isdigit(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText], to_bool, "numbra_np_str_isdigit")],
    }
    /// True if there are characters, all of them numbers.
    method str.isnumeric(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::Text], to_bool, "numbra_np_str_isnumeric")],
    }
    /// True if it may be a name in Python.
    method str.isidentifier(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::Text], to_bool, "numbra_np_str_isidentifier")],
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
    /// 1 if all characters are below 128.
    attr str._is_ascii(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::Text], ascii_flag, "numbra_np_str_ascii_flag")],
    }
    /// With large letters.
    method str.upper(s) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText], to_text, "numbra_np_str_upper")],
    }
    /// With small letters.
    method str.lower(s) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText], to_text, "numbra_np_str_lower")],
    }
    /// With large letters at the start of words and small ones behind them.
    method str.title(s) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText], to_text, "numbra_np_str_title")],
    }
    /// With a large letter at the start and small ones behind it.
    method str.capitalize(s) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText], to_text, "numbra_np_str_capitalize")],
    }
    /// With small letters for large ones and large ones for small ones.
    method str.swapcase(s) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText], to_text, "numbra_np_str_swapcase")],
    }
    /// As texts are made that compare without regard to case.
    method str.casefold(s) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Text], to_text, "numbra_np_str_casefold")],
    }
    /// With blanks for each tab, up to the next multiple of `tabsize` characters.
    method str.expandtabs(s, tabsize = Int(8)) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::Any], expandtabs, "numbra_np_str_expandtabs")],
    }
    /// Without `prefix`, if it starts with that.
    method str.removeprefix(s, prefix) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::AnyText], to_text, "numbra_np_str_removeprefix")],
    }
    /// Without `suffix`, if it ends with that.
    method str.removesuffix(s, suffix) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::AnyText], to_text, "numbra_np_str_removesuffix")],
    }
    /// Number of places where `sub` stands between `start` and `end`, apart from each other.
    method str.count(s, sub, start = None, end = None) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::Any], count, "numbra_np_str_count")],
    }
    /// Position of the first `sub` between `start` and `end`, -1 if there is none.
    method str.find(s, sub, start = None, end = None) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::Any], find, "numbra_np_str_find")],
    }
    /// Position of the last `sub` between `start` and `end`, -1 if there is none.
    method str.rfind(s, sub, start = None, end = None) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::Any], find, "numbra_np_str_rfind")],
    }
    /// As `find`; ValueError if there is none.
    method str.index(s, sub, start = None, end = None) {
        effects: Effects::READ.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::Any], find, "numbra_np_str_index")],
    }
    /// As `rfind`; ValueError if there is none.
    method str.rindex(s, sub, start = None, end = None) {
        effects: Effects::READ.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::Any], find, "numbra_np_str_rindex")],
    }
    /// True if what is between `start` and `end` starts with `prefix`, or with one of a tuple of such.
    method str.startswith(s, prefix, start = None, end = None) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::Any], startswith, "numbra_np_str_startswith")],
    }
    /// True if what is between `start` and `end` ends with `suffix`, or with one of a tuple of such.
    method str.endswith(s, suffix, start = None, end = None) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::Any], endswith, "numbra_np_str_endswith")],
    }
    /// With `new` where `old` stands: in the first `count` places if that is not negative.
    method str.replace(s, old, new, count = Int(-1)) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::Any], replace, "numbra_np_str_replace")],
    }
    /// The parts between `sep`, or between blanks: at most `maxsplit` of them and the rest, if that is not negative.
    method str.split(s, sep = None, maxsplit = Int(-1)) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::Any], split, "numbra_np_str_split")],
    }
    /// As `split`, from the end on.
    method str.rsplit(s, sep = None, maxsplit = Int(-1)) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::Any], split, "numbra_np_str_rsplit")],
    }
    /// The lines, with what ends them if `keepends`.
    method str.splitlines(s, keepends = Bool(false)) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::Any], splitlines, "numbra_np_str_splitlines")],
    }
    /// What stands before the first `sep`, that, and what stands behind it.
    method str.partition(s, sep) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::Any], partition, "numbra_np_str_partition")],
    }
    /// What stands before the last `sep`, that, and what stands behind it.
    method str.rpartition(s, sep) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::Any], partition, "numbra_np_str_rpartition")],
    }
    /// The strings of a list, a tuple or an array, or the characters of a string, with `s` between each two.
    method str.join(s, parts) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[
            native(&[P::AnyText, P::OneOf(&[P::List, P::Tuple, P::Text])], join, "numbra_np_str_join"),
            moving(&[P::AnyText, P::ArrayNd(1)], join_array, "numbra_np_str_join"),
        ],
    }
    /// At the left of `width` characters, the others `fillchar`.
    method str.ljust(s, width, fillchar = None) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::Any], padded, "numbra_np_str_ljust")],
    }
    /// At the right of `width` characters, the others `fillchar`.
    method str.rjust(s, width, fillchar = None) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::Any], padded, "numbra_np_str_rjust")],
    }
    /// In the middle of `width` characters, the others `fillchar`.
    method str.center(s, width, fillchar = None) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::Any], padded, "numbra_np_str_center")],
    }
    /// The bytes of a text in UTF-8, ASCII or Latin-1; `errors` says what becomes of characters that those have not.
    method str.encode(s, encoding = Str("utf-8"), errors = Str("strict")) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Text, P::Text, P::Text], encode, "numbra_np_str_encode")],
    }
    /// The text that bytes in UTF-8, ASCII or Latin-1 are; `errors` says what becomes of other bytes.
    method str.decode(s, encoding = Str("utf-8"), errors = Str("strict")) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[guarded_native(&[P::AnyText, P::Text, P::Text], takes_bytes, decode, "numbra_np_str_decode")],
    }
    /// Two digits for each of the bytes.
    method str.hex(s) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[guarded_native(&[P::AnyText], takes_bytes, decode, "numbra_np_str_hex")],
    }
    /// The text, which is a constant, with the arguments in place of its fields: `"{:>8.2f} {name}"`.
    method str.format(s, *args) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[rule(&[P::Text, P::Any], braces, Op::TextBraces)],
    }
    /// With zeros behind a sign, to `width` characters.
    method str.zfill(s, width) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::Any], zfill, "numbra_np_str_zfill")],
    }
    /// Without the given characters, by default blanks, at both ends.
    method str.strip(s, chars = None) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[rule(&[P::AnyText, P::Any], strip, Op::TextStrip(true, true))],
    }
    /// Without the given characters, by default blanks, at the start.
    method str.lstrip(s, chars = None) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[rule(&[P::AnyText, P::Any], strip, Op::TextStrip(true, false))],
    }
    /// Without the given characters, by default blanks, at the end.
    method str.rstrip(s, chars = None) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[rule(&[P::AnyText, P::Any], strip, Op::TextStrip(false, true))],
    }
}

/// What Numba calls the types of integers, `None` and strings in its messages.
const INTEGER: &str = "<class 'numbra.core.types.scalars.Integer'>";
const NONE: &str = "<class 'numbra.core.types.misc.NoneType'>";
const UNICODE: &str = "<class 'numbra.core.types.misc.UnicodeType'>";
const CHARS: &str = "<class 'numbra.core.types.npytypes.UnicodeCharSeq'>";

/// True for `bytes` and char sequences of bytes.
fn is_bytes(types: &Types, ty: Type) -> bool {
    matches!(types.kind(ty), TypeKind::Bytes | TypeKind::CharSeq(_))
}

/// The type that a text is passed as: a string, or bytes.
pub(crate) fn text_of(cx: &ResultCx<'_>, ty: Type) -> Option<Type> {
    match P::AnyText.matches(cx.types, ty) {
        true if is_bytes(cx.types, plain(cx.types, ty)) => Some(Type::BYTES),
        true => Some(Type::UNICODE),
        false => None,
    }
}

/// The type that the receiver is passed as.
fn receiver(cx: &ResultCx<'_>) -> Result<Type, Mismatch> {
    text_of(cx, cx.arg(0)).ok_or_else(|| Mismatch::rejected("there is no text"))
}

/// An argument that is a text of the receiver's kind, or else an error.
fn part(cx: &ResultCx<'_>, i: usize, error: impl Fn() -> String) -> Result<Type, Mismatch> {
    part_of(cx, cx.arg(i), error)
}

fn part_of(cx: &ResultCx<'_>, ty: Type, error: impl Fn() -> String) -> Result<Type, Mismatch> {
    match text_of(cx, ty) {
        Some(ty) if ty == receiver(cx)? => Ok(ty),
        Some(_) => Err(Mismatch::rejected("characters and bytes do not mix")),
        None if may_unwrap(cx, ty) => Err(Mismatch::rejected("it may be None")),
        None => Err(Mismatch::error(error())),
    }
}

/// What an optional may hold that is tried next as a value.
fn may_unwrap(cx: &ResultCx<'_>, ty: Type) -> bool {
    P::Optional.matches(cx.types, ty)
}

/// What an argument is passed as that may be `None`: itself, or an optional of what `some` makes of it.
fn or_none(
    cx: &ResultCx<'_>,
    ty: Type,
    some: &dyn Fn(Type) -> Result<Type, Mismatch>,
) -> Result<Type, Mismatch> {
    let ty = plain(cx.types, ty);
    match cx.types.kind(ty) {
        TypeKind::None => Ok(Type::NONE),
        TypeKind::Optional(inner) => Ok(cx.types.optional(some(*inner)?)),
        _ => some(ty),
    }
}

/// A position, or `None`, or else an error.
fn bound(cx: &ResultCx<'_>, i: usize, error: impl Fn() -> String) -> Result<Type, Mismatch> {
    or_none(cx, cx.arg(i), &|ty| match P::Int.matches(cx.types, ty) {
        true => Ok(crate::pattern::count(cx.types, ty)),
        false => Err(Mismatch::error(error())),
    })
}

/// How many, or else an error.
fn number(cx: &ResultCx<'_>, i: usize, error: impl Fn() -> String) -> Result<Type, Mismatch> {
    match cx.arg(i) {
        ty if P::Int.matches(cx.types, ty) => Ok(cx.count(i)),
        ty if may_unwrap(cx, ty) => Err(Mismatch::rejected("it may be None")),
        _ => Err(Mismatch::error(error())),
    }
}

/// Names the type that an argument should have, and the one that it has.
fn must_be(cx: &ResultCx<'_>, i: usize, name: &str, wanted: &str) -> String {
    format!("\"{name}\" must be {wanted}, not {}", cx.show(cx.plain(i)))
}

/// A signature of these parameters.
fn takes(params: Vec<Type>, ret: Type) -> Result<Signature, Mismatch> {
    Ok(Signature { params, ret })
}

/// A function of texts of one kind.
fn of_texts(cx: &ResultCx<'_>, ret: Type) -> Result<Signature, Mismatch> {
    let text = receiver(cx)?;
    for i in 1..cx.args.len() {
        if text_of(cx, cx.arg(i)) != Some(text) {
            return Err(Mismatch::rejected("characters and bytes do not mix"));
        }
    }
    takes(vec![text; cx.args.len()], ret)
}

/// A test of texts.
pub(crate) fn to_bool(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_texts(cx, Type::BOOL)
}

/// `x in y`, of texts, or of a byte in bytes.
pub(crate) fn contains(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match P::Int.matches(cx.types, cx.arg(1)) {
        true if receiver(cx)? == Type::BYTES => takes(vec![Type::BYTES, cx.count(1)], Type::BOOL),
        _ => to_bool(cx),
    }
}

/// A text that is made of texts and counts.
pub(crate) fn to_text(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let mut ret = None;
    let mut params = Vec::with_capacity(cx.args.len());
    for i in 0..cx.args.len() {
        let text = text_of(cx, cx.arg(i));
        if text.is_some() && ret.is_some() && text != ret {
            return Err(Mismatch::rejected("characters and bytes do not mix"));
        }
        ret = ret.or(text);
        params.push(match cx.plain(i) {
            _ if text.is_some() => text.unwrap_or(Type::UNICODE),
            ty if P::Int.matches(cx.types, ty) => cx.count(i),
            ty => ty,
        });
    }
    takes(params, ret.unwrap_or(Type::UNICODE))
}

/// A number that is made of a text.
pub(crate) fn to_number(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_texts(cx, Type::INT64)
}

/// `x._is_ascii`
fn ascii_flag(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_texts(cx, cx.types.scalar(Scalar::UInt32))
}

/// What is looked for: a text, of bytes also one of them by its number.
fn sought(cx: &ResultCx<'_>, error: impl Fn() -> String) -> Result<Type, Mismatch> {
    match receiver(cx)? == Type::BYTES && P::Int.matches(cx.types, cx.arg(1)) {
        true => Ok(cx.count(1)),
        false => part(cx, 1, error),
    }
}

/// `x.find(sub, start, end)`
fn find(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let wanted = format!("({INTEGER}, {NONE})");
    let sub = sought(cx, || must_be(cx, 1, "sub", UNICODE))?;
    let start = bound(cx, 2, || must_be(cx, 2, "start", &wanted))?;
    let end = bound(cx, 3, || must_be(cx, 3, "end", &wanted))?;
    takes(vec![receiver(cx)?, sub, start, end], Type::INT64)
}

/// `x.count(sub, start, end)`
fn count(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let bad_bound = || "The slice indices must be an Integer or None".to_owned();
    let sub = sought(cx, || {
        format!(
            "The substring must be a UnicodeType, not {}",
            cx.show(cx.plain(1))
        )
    })?;
    let (start, end) = (bound(cx, 2, bad_bound)?, bound(cx, 3, bad_bound)?);
    takes(vec![receiver(cx)?, sub, start, end], Type::INT64)
}

/// A text or a tuple of texts, or else an error.
fn affix(cx: &ResultCx<'_>, error: impl Fn() -> String) -> Result<Type, Mismatch> {
    let Some(items) = cx.types.tuple_items(cx.plain(1)) else {
        return part(cx, 1, error);
    };
    let items: Result<Vec<Type>, Mismatch> = items
        .iter()
        .map(|item| part_of(cx, *item, &error))
        .collect();
    Ok(cx.types.tuple(&items?))
}

/// `x.startswith(prefix, start, end)`
fn startswith(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let bad_bound = |name| format!("When specified, the arg '{name}' must be an Integer or None");
    let prefix = affix(cx, || {
        "The arg 'prefix' should be a string or a tuple of strings".to_owned()
    })?;
    let (start, end) = (
        bound(cx, 2, || bad_bound("start"))?,
        bound(cx, 3, || bad_bound("end"))?,
    );
    takes(vec![receiver(cx)?, prefix, start, end], Type::BOOL)
}

/// `x.endswith(suffix, start, end)`
fn endswith(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let bad_bound = || "The arg must be a Integer or None".to_owned();
    let suffix = affix(cx, || {
        "The arg 'suffix' should be a string or a tuple of strings".to_owned()
    })?;
    let (start, end) = (bound(cx, 2, bad_bound)?, bound(cx, 3, bad_bound)?);
    takes(vec![receiver(cx)?, suffix, start, end], Type::BOOL)
}

/// `x.replace(old, new, count)`
fn replace(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let text = receiver(cx)?;
    let count = number(cx, 3, || {
        format!(
            "Unsupported parameters. The parameters must be Integer. Given count: {}",
            cx.show(cx.plain(3))
        )
    })?;
    let mut params = vec![text];
    for i in 1..3 {
        params.push(part(cx, i, || {
            format!(
                "The object must be a UnicodeType. Given: {}",
                cx.show(cx.plain(i))
            )
        })?);
    }
    params.push(count);
    takes(params, text)
}

/// `x.split(sep, maxsplit)`
fn split(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let text = receiver(cx)?;
    let separator = or_none(cx, cx.arg(1), &|ty| {
        part_of(cx, ty, || {
            let wanted = format!("({UNICODE}, {CHARS}, {NONE})");
            must_be(cx, 1, "sep", &wanted)
        })
    })?;
    let most = number(cx, 2, || {
        must_be(cx, 2, "maxsplit", &format!("({INTEGER}, <class 'int'>)"))
    })?;
    takes(vec![text, separator, most], cx.types.list(text))
}

/// `x.splitlines(keepends)`
fn splitlines(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let text = receiver(cx)?;
    let keep = match cx.arg(1) {
        ty if P::Bool.matches(cx.types, ty) => Type::BOOL,
        _ => number(cx, 1, || {
            let boolean = "<class 'numbra.core.types.scalars.Boolean'>, <class 'bool'>";
            must_be(
                cx,
                1,
                "keepends",
                &format!("({INTEGER}, <class 'int'>, {boolean})"),
            )
        })?,
    };
    takes(vec![text, keep], cx.types.list(text))
}

/// `x.partition(sep)`
fn partition(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let text = receiver(cx)?;
    let separator = part(cx, 1, || {
        must_be(cx, 1, "sep", &format!("({UNICODE}, {CHARS})"))
    })?;
    takes(vec![text, separator], cx.types.tuple(&[text; 3]))
}

/// `x.expandtabs(tabsize)`
fn expandtabs(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let text = receiver(cx)?;
    let size = number(cx, 1, || {
        must_be(cx, 1, "tabsize", &format!("({INTEGER}, <class 'int'>)"))
    })?;
    takes(vec![text, size], text)
}

/// `x.center(width, fillchar)` and the like.
fn padded(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let text = receiver(cx)?;
    let width = number(cx, 1, || "The width must be an Integer".to_owned())?;
    let fill = match cx.arg(2) {
        // Left out.
        ty if matches!(cx.types.kind(ty), TypeKind::Omitted(_)) => Type::NONE,
        _ => part(cx, 2, || "The fillchar must be a UnicodeType".to_owned())?,
    };
    takes(vec![text, width, fill], text)
}

/// `x.zfill(width)`
fn zfill(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let text = receiver(cx)?;
    let width = number(cx, 1, || "<width> must be an Integer".to_owned())?;
    takes(vec![text, width], text)
}

/// The constant that a format is.
fn format_of<'a>(cx: &ResultCx<'a>) -> Result<&'a str, Mismatch> {
    match cx.types.kind(cx.arg(0)) {
        TypeKind::Literal(Const::Str(text)) => Ok(text),
        _ => Err(Mismatch::rejected("the format is no constant")),
    }
}

/// Refuses values that a field does not write.
fn check_field(cx: &ResultCx<'_>, field: &Field, values: &[Type]) -> Result<(), Mismatch> {
    let ty = values[field.arg];
    let scalar = cx.types.as_scalar(ty);
    let text = P::Text.matches(cx.types, ty);
    let is_integer = scalar.is_some_and(|s| s.is_int() || s == Scalar::Bool);
    let code = match field.spec.last() {
        Some(Piece::Text(spec)) => spec.chars().last(),
        _ => None,
    };
    let name = |ty| cx.show(ty);
    match field.form {
        Form::Number if matches!(code, Some('x' | 'X' | 'o')) && !is_integer => {
            let code = code.unwrap_or('x');
            return Err(Mismatch::error(format!(
                "%{code} format: an integer is required, not {}",
                name(ty)
            )));
        }
        Form::Number if scalar.is_none_or(Scalar::is_complex) => {
            return Err(Mismatch::error(format!(
                "%{} format: a real number is required, not {}",
                code.unwrap_or('d'),
                name(ty)
            )));
        }
        Form::Character if !is_integer && !text => {
            return Err(Mismatch::error("%c requires int or char"));
        }
        Form::Format if scalar.is_none() && !text && !field.spec.is_empty() => {
            return Err(Mismatch::error(format!(
                "unsupported format string passed to {}.__format__",
                name(ty)
            )));
        }
        Form::Format | Form::Str | Form::Repr if !is_written(cx.types, &[ty]) => {
            return Err(Mismatch::rejected(format!(
                "{} has no text in compiled code",
                name(ty)
            )));
        }
        _ => {}
    }
    for piece in &field.spec {
        if let Piece::Field(inner) = piece {
            check_field(cx, inner, values)?;
        }
    }
    Ok(())
}

fn check_fields(cx: &ResultCx<'_>, pieces: &[Piece], values: &[Type]) -> Result<(), Mismatch> {
    for piece in pieces {
        if let Piece::Field(field) = piece {
            check_field(cx, field, values)?;
        }
    }
    Ok(())
}

/// `x % y`, of a constant text.
pub(crate) fn percent(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (pieces, count) = format::percent(format_of(cx)?).map_err(Mismatch::error)?;
    let values = match cx.types.tuple_items(cx.plain(1)) {
        Some(items) => items,
        None => vec![cx.plain(1)],
    };
    if values.len() < count {
        return Err(Mismatch::error("not enough arguments for format string"));
    }
    if values.len() > count {
        return Err(Mismatch::error(
            "not all arguments converted during string formatting",
        ));
    }
    check_fields(cx, &pieces, &values)?;
    takes(vec![cx.arg(0), cx.plain(1)], Type::UNICODE)
}

/// `x.format(*args)`, of a constant text.
fn braces(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let values: Vec<Type> = (1..cx.args.len()).map(|i| cx.plain(i)).collect();
    let pieces = format::braces(format_of(cx)?, values.len(), &[]).map_err(Mismatch::error)?;
    check_fields(cx, &pieces, &values)?;
    let mut params = vec![cx.arg(0)];
    params.extend(values);
    takes(params, Type::UNICODE)
}

/// `x.encode(encoding, errors)`
pub(crate) fn encode(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_texts(cx, Type::BYTES)
}

/// True for a call on bytes.
pub(crate) fn takes_bytes(types: &Types, args: &[Type]) -> bool {
    args.first()
        .is_some_and(|ty| is_bytes(types, plain(types, *ty)))
}

/// `x.decode(encoding, errors)`
pub(crate) fn decode(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let mut params = vec![Type::UNICODE; cx.args.len()];
    params[0] = Type::BYTES;
    takes(params, Type::UNICODE)
}

/// `x.join(parts)`
fn join(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let text = receiver(cx)?;
    if text == Type::UNICODE && P::Text.matches(cx.types, cx.plain(1)) {
        return to_text(cx);
    }
    let parts = cx.plain(1);
    let param = match (cx.types.tuple_items(parts), cx.types.as_list(parts)) {
        (Some(items), _) if items.iter().all(|item| text_of(cx, *item) == Some(text)) => {
            cx.types.tuple(&vec![text; items.len()])
        }
        // Where nothing else says what an empty list holds, this does.
        (None, Some((Type::UNDEFINED, _))) => cx.types.list(text),
        (None, Some((item, _))) if text_of(cx, item) == Some(text) => parts,
        _ => {
            let what = if text == Type::BYTES {
                "bytes"
            } else {
                "strings"
            };
            return Err(Mismatch::rejected(format!(
                "join() takes an iterable of {what}"
            )));
        }
    };
    takes(vec![text, param], text)
}

/// `x.join(array)` of an array of char sequences.
fn join_array(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let text = receiver(cx)?;
    let item = cx.types.as_array(cx.plain(1)).map(|array| array.dtype);
    match item.is_some_and(|item| text_of(cx, item) == Some(text)) {
        true => takes(vec![text, cx.plain(1)], text),
        false => Err(Mismatch::rejected(
            "join() takes an array of char sequences",
        )),
    }
}

/// `x == y` and the like of arrays of char sequences, or of such an array and a text: element by element.
pub(crate) fn compare_arrays(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (mut params, mut ndim, mut of_bytes) = (Vec::new(), 0, None);
    for i in 0..2 {
        let ty = cx.plain(i);
        let array = cx.types.as_array(ty);
        let item = array.map_or(ty, |array| array.dtype);
        let text = text_of(cx, item).ok_or_else(|| Mismatch::rejected("there is no text"))?;
        if *of_bytes.get_or_insert(text) != text {
            return Err(Mismatch::rejected("characters and bytes do not mix"));
        }
        ndim = ndim.max(array.map_or(0, |array| array.ndim));
        params.push(if array.is_some() { ty } else { text });
    }
    takes(params, cx.types.array(Type::BOOL, ndim, Layout::C))
}

/// `x.strip(chars)`: a string, or bytes.
fn strip(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let text = receiver(cx)?;
    let chars = or_none(cx, cx.arg(1), &|ty| {
        part_of(cx, ty, || {
            "The arg must be a UnicodeType or None".to_owned()
        })
    })?;
    takes(vec![text, chars], text)
}

/// `x[i]`
pub(crate) fn item(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let ret = match receiver(cx)? {
        Type::BYTES => Type::UINT8,
        _ => Type::UNICODE,
    };
    takes(vec![cx.plain(0), cx.count(1)], ret)
}
