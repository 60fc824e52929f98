//! Numbers as text, and text as Python writes it.

use super::case::is_printable;
use super::make::{give_codes, give_str};
use crate::elements::Wide;
use crate::repr::{complex_str, float_repr, narrow_complex_str, narrow_float_repr};
use crate::value::{Arg, Failure, Ret, bad_call};
use numbra_memory::{refuse, try_allocate};
use smallvec::SmallVec;

bodies! {
    str_of_bool = of_bool, 1;
    str_of_narrow_number = of_narrow_number, 1;
    str_of_none = of_none, 1;
    str_of_number = of_number, 1;
    str_repr = repr, 1;
}

fn number(args: &[Arg]) -> Result<Wide, Failure> {
    args.first().ok_or_else(bad_call)?.number()
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
    let text = super::one(args)?;
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
            _ if is_printable(code) => buffer.push(code),
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
    give_codes(&out, ret)
}
