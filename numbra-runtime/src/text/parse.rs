//! Numbers that text says, by Python's grammar.

use super::class::{decimal_digit, is_blank};
use super::number::repr_chars;
use super::{Text, one};
use crate::elements::Wide;
use crate::value::{Arg, Failure, Ret, value_error};
use numbra_memory::{refuse, try_allocate};
use smallvec::SmallVec;

bodies! {
    str_float = float, 1;
    str_int = int, 1;
    str_int_base = int, 2;
}

/// Characters of a number, of ASCII.
type Ascii = SmallVec<[u8; 64]>;

/// The text with decimal digits and blanks as those of ASCII, where it has others; what is neither ends it and is no digit.
fn plain(text: &Text) -> Ascii {
    let mut out = Ascii::new();
    if try_allocate(|| out.try_reserve(text.len)).is_err() {
        refuse()
    }
    for code in text.codes() {
        let digit = || Some(b'0' + decimal_digit(code)? as u8);
        match u8::try_from(code) {
            Ok(byte) if byte < 127 || text.is_bytes => out.push(byte),
            _ if is_blank(code) => out.push(b' '),
            _ => match digit() {
                Some(digit) => out.push(digit),
                None => {
                    out.push(b'?');
                    break;
                }
            },
        }
    }
    out
}

/// Without the blanks of C at both ends.
fn trimmed(text: &[u8]) -> &[u8] {
    let is_blank = |c: &u8| matches!(c, 0x09..=0x0d | 0x20);
    let start = text.iter().take_while(|c| is_blank(c)).count();
    let rest = &text[start..];
    let end = rest.iter().rev().take_while(|c| is_blank(c)).count();
    &rest[..rest.len() - end]
}

/// `(string or bytes[, int64]) -> int64`: by the base, or by the prefix for base 0.
fn int(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let text = one(args)?;
    let base = args.get(1).map_or(Ok(10), Arg::int)?;
    let Some(radix) = u32::try_from(base)
        .ok()
        .filter(|base| matches!(base, 0 | 2..=36))
    else {
        return Err(value_error("int() base must be >= 2 and <= 36, or 0"));
    };
    match integer(trimmed(&plain(&text)), radix) {
        Some(Ok(x)) => ret.scalar(Wide::Int(x)),
        Some(Err(TooLarge)) => Err(crate::value::too_large()),
        None => Err(value_error(format!(
            "invalid literal for int() with base {base}: {}",
            shown(&text, 200)
        ))),
    }
}

/// The number is none of `int64`.
struct TooLarge;

/// The integer that all of a text says; `None` if it says none.
fn integer(text: &[u8], base: u32) -> Option<Result<i64, TooLarge>> {
    let (negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let prefix = match text {
        [b'0', b'x' | b'X', ..] => 16,
        [b'0', b'o' | b'O', ..] => 8,
        [b'0', b'b' | b'B', ..] => 2,
        _ => 0,
    };
    let (base, text, zeros_only) = match (base, prefix) {
        // A number in Python's own form does not begin with a zero.
        (0, 0) => (10, text, text.first() == Some(&b'0')),
        (0, prefix) => (prefix, &text[2..], false),
        (base, prefix) if base == prefix => (base, &text[2..], false),
        (base, _) => (base, text, false),
    };
    // Behind a prefix one may stand as well.
    let mut may_be_underscore = prefix == base;
    let (mut value, mut large) = (0_i128, false);
    let mut ends_with_digit = false;
    for c in text {
        if *c == b'_' && may_be_underscore {
            (may_be_underscore, ends_with_digit) = (false, false);
            continue;
        }
        let digit = char::from(*c).to_digit(base)?;
        if zeros_only && digit > 0 {
            return None;
        }
        value = value * i128::from(base) + i128::from(digit);
        large |= value > 1 << 64;
        value = value.min(1 << 64);
        (may_be_underscore, ends_with_digit) = (true, true);
    }
    if !ends_with_digit {
        return None;
    }
    let value = i64::try_from(if negative { -value } else { value });
    Some(value.ok().filter(|_| !large).ok_or(TooLarge))
}

/// `(string or bytes) -> float64`
fn float(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let text = one(args)?;
    let plain = plain(&text);
    match real(trimmed(&plain)) {
        Some(x) => ret.scalar(Wide::Float(x)),
        None => Err(value_error(format!(
            "could not convert string to float: {}",
            shown(&text, usize::MAX)
        ))),
    }
}

/// The float that all of a text says: Rust reads what Python reads, but for underscores between digits.
fn real(text: &[u8]) -> Option<f64> {
    let mut digits = Ascii::new();
    if try_allocate(|| digits.try_reserve(text.len())).is_err() {
        refuse()
    }
    for (at, c) in text.iter().enumerate() {
        let is_digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
        match c {
            b'_' if at > 0 && is_digit(at - 1) && is_digit(at + 1) => {}
            c => digits.push(*c),
        }
    }
    std::str::from_utf8(&digits).ok()?.parse().ok()
}

/// A text in an error, as `repr` writes it: so many characters of that.
fn shown(text: &Text, most: usize) -> String {
    let mut shown = repr_chars(text);
    let end = shown.char_indices().nth(most);
    shown.truncate(end.map_or(shown.len(), |(at, _)| at));
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `None` for ValueError, a number for OverflowError.
    fn read(text: &str, base: u32) -> Option<i64> {
        integer(text.as_bytes(), base).map(|x| x.unwrap_or(12345))
    }

    /// What CPython 3.12 says.
    #[test]
    fn integers() {
        for (text, base, value) in [
            ("12", 10, Some(12)),
            ("-12", 10, Some(-12)),
            ("+0_1", 10, Some(1)),
            ("0x1f", 16, Some(31)),
            ("0x_1f", 16, Some(31)),
            ("0_x1", 16, None),
            ("0b11", 16, Some(2833)),
            ("0b1", 0, Some(1)),
            ("010", 0, None),
            ("00", 0, Some(0)),
            ("1__2", 10, None),
            ("_1", 10, None),
            ("1_", 10, None),
            ("", 10, None),
            ("-", 10, None),
            ("0x", 16, None),
            ("zz", 36, Some(1295)),
            ("9223372036854775807", 10, Some(i64::MAX)),
            ("-9223372036854775808", 10, Some(i64::MIN)),
            ("9223372036854775808", 10, Some(12345)),
            ("1e3", 10, None),
        ] {
            assert_eq!(read(text, base), value, "{text} {base}");
        }
        assert_eq!(read(&"9".repeat(300), 10), Some(12345));
    }

    #[test]
    fn floats() {
        for (text, value) in [
            ("1", Some(1.0)),
            ("1.", Some(1.0)),
            (".5e-1", Some(0.05)),
            ("1_0.0_1", Some(10.01)),
            ("-Infinity", Some(f64::NEG_INFINITY)),
            ("1e400", Some(f64::INFINITY)),
            ("1_", None),
            ("_1", None),
            ("1_.0", None),
            ("0x1", None),
            ("", None),
            (".", None),
            ("e5", None),
            ("1e", None),
        ] {
            assert_eq!(real(text.as_bytes()), value, "{text}");
        }
        assert!(real(b"+nan").is_some_and(f64::is_nan));
    }
}
