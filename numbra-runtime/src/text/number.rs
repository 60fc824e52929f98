//! Numbers as text, and text as Python writes it.

use super::Text;
use super::class::is_printable;
use super::make::{give_codes, give_str};
use crate::elements::Wide;
use crate::repr::{complex_str, float_repr, narrow_complex_str, narrow_float_repr};
use crate::value::{Arg, Failure, Ret, bad_call};
use numbra_memory::{refuse, room, try_allocate};
use smallvec::SmallVec;

bodies! {
    str_ascii = ascii, 1;
    str_of_bin = of_bin, 1;
    str_of_bool = of_bool, 1;
    str_of_hex = of_hex, 1;
    str_of_narrow_number = of_narrow_number, 1;
    str_of_none = of_none, 1;
    str_of_number = of_number, 1;
    str_of_oct = of_oct, 1;
    str_printed = printed, 0;
    str_repr = repr, 1;
}

fn number(args: &[Arg]) -> Result<Wide, Failure> {
    args.first().ok_or_else(bad_call)?.number()
}

/// `() -> string`: what has been printed since `print_begin`.
fn printed(_: &[Arg], ret: Ret) -> Result<(), Failure> {
    let bytes = crate::print::printed();
    if let Ok(text) = std::str::from_utf8(&bytes) {
        return give_str(text, ret);
    }
    let mut codes = room(bytes.len());
    let mut rest = bytes.iter().map(|byte| u32::from(*byte));
    // As it was written: whole characters, and lone surrogates.
    while let Some(first) = rest.next() {
        let (more, mut code) = match first {
            0..0x80 => (0, first),
            0x80..0xe0 => (1, first & 0x1f),
            0xe0..0xf0 => (2, first & 0xf),
            _ => (3, first & 7),
        };
        for byte in rest.by_ref().take(more) {
            code = code << 6 | byte & 0x3f;
        }
        codes.push(code);
    }
    give_codes(&codes, ret)
}

/// As `str` of Python's number writes it.
pub(super) fn number_text(x: Wide) -> String {
    match x {
        Wide::Int(x) => x.to_string(),
        Wide::UInt(x) => x.to_string(),
        Wide::Float(x) => float_repr(x),
        Wide::Complex(re, im) => complex_str(re, im),
    }
}

/// `(number) -> string`
fn of_number(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    give_str(&number_text(number(args)?), ret)
}

/// `(bool) -> string`
pub(super) fn of_bool(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    give_str(
        if number(args)?.is_zero() {
            "False"
        } else {
            "True"
        },
        ret,
    )
}

/// `(none) -> string`
pub(super) fn of_none(_args: &[Arg], ret: Ret) -> Result<(), Failure> {
    give_str("None", ret)
}

/// `(float32 or complex64) -> string`: the fewest digits that read back as the same number of this width.
fn of_narrow_number(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let text = match number(args)? {
        Wide::Float(x) => narrow_float_repr(x as f32),
        Wide::Complex(re, im) => narrow_complex_str(re as f32, im as f32),
        Wide::Int(_) | Wide::UInt(_) => return Err(bad_call()),
    };
    give_str(&text, ret)
}

/// `(string) -> string`: as Python writes it in a program.
fn repr(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    give_codes(&repr_of(&super::one(args)?), ret)
}

/// `(string) -> string`: as [`repr`], with escapes for characters that are not ASCII.
fn ascii(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    give_codes(&written(&super::one(args)?, true), ret)
}

/// An integer's sign, and its size as `digits` writes that.
fn radix(args: &[Arg], ret: Ret, digits: impl Fn(u64) -> String) -> Result<(), Failure> {
    let (sign, size) = match number(args)? {
        Wide::Int(x) => (if x < 0 { "-" } else { "" }, x.unsigned_abs()),
        Wide::UInt(x) => ("", x),
        Wide::Float(_) | Wide::Complex(..) => return Err(bad_call()),
    };
    give_str(&format!("{sign}{}", digits(size)), ret)
}

/// `(integer) -> string`: to base 16.
fn of_hex(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    radix(args, ret, |x| format!("{x:#x}"))
}

/// `(integer) -> string`: to base 8.
fn of_oct(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    radix(args, ret, |x| format!("{x:#o}"))
}

/// `(integer) -> string`: to base 2.
fn of_bin(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    radix(args, ret, |x| format!("{x:#b}"))
}

/// As [`repr_of`], as Rust keeps it: lone surrogates are escapes there.
pub(crate) fn repr_chars(text: &Text) -> String {
    let codes = repr_of(text);
    let mut out = String::new();
    if try_allocate(|| out.try_reserve(codes.len().saturating_mul(4))).is_err() {
        refuse()
    }
    out.extend(codes.iter().filter_map(|code| char::from_u32(*code)));
    out
}

/// A text as Python writes it in a program.
pub(crate) fn repr_of(text: &Text) -> Vec<u32> {
    written(text, false)
}

fn written(text: &Text, ascii_only: bool) -> Vec<u32> {
    let has = |c: u8| text.codes().any(|code| code == u32::from(c));
    let quote = if has(b'\'') && !has(b'"') {
        b'"'
    } else {
        b'\''
    };
    let quote = u32::from(quote);
    let mut out: Vec<u32> = Vec::new();
    // A character takes ten at most, and most take one.
    let mut put = |pieces: &[u32]| {
        if try_allocate(|| out.try_reserve(pieces.len())).is_err() {
            refuse()
        }
        out.extend_from_slice(pieces);
    };
    if text.is_bytes {
        put(&[u32::from(b'b')]);
    }
    put(&[quote]);
    let mut buffer: SmallVec<[u32; 10]> = SmallVec::new();
    for code in text.codes() {
        buffer.clear();
        match code {
            _ if code == quote || code == u32::from(b'\\') => {
                buffer.extend([u32::from(b'\\'), code]);
            }
            9 => buffer.extend(b"\\t".map(u32::from)),
            10 => buffer.extend(b"\\n".map(u32::from)),
            13 => buffer.extend(b"\\r".map(u32::from)),
            _ if is_printable(code) && (code < 0x80 || !(text.is_bytes || ascii_only)) => {
                buffer.push(code)
            }
            _ => {
                let escape = match code {
                    0..0x100 => format!("\\x{code:02x}"),
                    0x100..0x1_0000 => format!("\\u{code:04x}"),
                    _ => format!("\\U{code:08x}"),
                };
                buffer.extend(escape.bytes().map(u32::from));
            }
        }
        put(&buffer);
    }
    put(&[quote]);
    out
}
