//! Constants in text: Python's `repr` where it is exact.

use super::cursor::{Cursor, Parse};
use crate::Const;
use num_bigint::BigInt;

/// Reads what `Display` of [`Const`] prints.
pub(crate) fn parse_const(c: &mut Cursor<'_>) -> Parse<Const> {
    c.skip_space();
    let start = c.clone();
    if c.peek("\"") {
        return Ok(Const::Str(c.quoted('"')?));
    }
    if c.peek("b\"") {
        return bytes(c).map(Const::Bytes);
    }
    if c.eat("(") {
        return c.nested(|c| c.list(")", parse_const)).map(Const::Tuple);
    }
    if let Some(word) = c.word() {
        return match word {
            "None" => Ok(Const::None),
            "Ellipsis" => Ok(Const::Ellipsis),
            "True" => Ok(Const::Bool(true)),
            "False" => Ok(Const::Bool(false)),
            "inf" | "nan" => {
                *c = start;
                float(c).map(Const::Float)
            }
            "complex" => {
                c.expect("(")?;
                let re = float(c)?;
                c.expect(",")?;
                let im = float(c)?;
                c.expect(")")?;
                Ok(Const::Complex(re, im))
            }
            "slice" => {
                c.expect("(")?;
                let parts = c.nested(|c| c.list(")", parse_const))?;
                match <[Const; 3]>::try_from(parts) {
                    Ok(parts) => Ok(Const::Slice(Box::new(parts))),
                    Err(_) => start.error("a slice has three parts"),
                }
            }
            _ => start.error(format!("`{word}` is not a constant")),
        };
    }
    let text = number_text(c);
    if text.is_empty() {
        return start.error("expected a constant");
    }
    if text.ends_with("inf") || text.contains(['.', 'e', 'E']) {
        return match text.parse::<f64>() {
            Ok(value) => Ok(Const::float(value)),
            Err(_) => start.error(format!("`{text}` is not a number")),
        };
    }
    if let Ok(value) = text.parse() {
        return Ok(Const::Int(value));
    }
    match text.parse::<BigInt>() {
        Ok(value) => Ok(Const::BigInt(value)),
        Err(_) => start.error(format!("`{text}` is not a number")),
    }
}

/// Signs, digits and letters of a number: `-1.5e-07`, `-inf`.
fn number_text<'a>(c: &mut Cursor<'a>) -> &'a str {
    if c.peek("-inf") {
        return c.take_while(|c| matches!(c, '-' | 'i' | 'n' | 'f'));
    }
    c.take_while(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'))
}

/// Bits of a float: `0.5`, `inf`, `nan`, `nan:0x7ff8000000000001`.
fn float(c: &mut Cursor<'_>) -> Parse<u64> {
    c.skip_space();
    let start = c.clone();
    if c.eat("nan") {
        if !c.eat(":") {
            return Ok(f64::NAN.to_bits());
        }
        let digits = c.take_while(|c| c.is_ascii_alphanumeric());
        let bits = digits
            .strip_prefix("0x")
            .map(|d| u64::from_str_radix(d, 16));
        return match bits {
            Some(Ok(bits)) if f64::from_bits(bits).is_nan() => Ok(bits),
            _ => start.error("these are not the bits of a nan"),
        };
    }
    if c.eat("inf") {
        return Ok(f64::INFINITY.to_bits());
    }
    let text = number_text(c);
    match text.parse::<f64>() {
        Ok(value) => Ok(value.to_bits()),
        Err(_) => start.error("expected a float"),
    }
}

/// `b"..."` with the escapes of `escape_ascii`.
fn bytes(c: &mut Cursor<'_>) -> Parse<Vec<u8>> {
    let start = c.clone();
    let all = c.rest();
    let body = &all[2..];
    let mut out = Vec::new();
    let mut chars = body.char_indices();
    while let Some((at, ch)) = chars.next() {
        if ch == '"' {
            c.advance(2 + at + 1);
            return Ok(out);
        }
        let byte = if ch != '\\' {
            u8::try_from(ch).ok().filter(u8::is_ascii)
        } else {
            match chars.next().map(|(_, ch)| ch) {
                Some('n') => Some(b'\n'),
                Some('t') => Some(b'\t'),
                Some('r') => Some(b'\r'),
                Some(ch @ ('\\' | '\'' | '"')) => u8::try_from(ch).ok(),
                Some('x') => {
                    let hex = chars.as_str().get(..2).map(str::to_owned);
                    chars.next();
                    chars.next();
                    hex.and_then(|hex| u8::from_str_radix(&hex, 16).ok())
                }
                _ => None,
            }
        };
        match byte {
            Some(byte) => out.push(byte),
            None => return start.error("bytes hold ASCII and escapes only"),
        }
    }
    start.error("bytes without a closing quote")
}
