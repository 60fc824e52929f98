//! Text as bytes, and back: UTF-8, ASCII and Latin-1.

use super::make::{Made, codes_of, give_codes};
use super::number::repr_chars;
use super::{Text, one};
use crate::error::literal_arg;
use crate::strided::to_vec;
use crate::value::{Arg, Failure, Ret, bad_call, value_error};
use numbra_memory::{refuse, try_allocate};

bodies! {
    str_bytes = bytes, 1;
    str_decode = decode, 3;
    str_decode_strictly = decode, 2;
    str_encode = encode, 3;
    str_encode_strictly = encode, 2;
    str_hex = hex, 1;
}

/// Which bytes stand for a character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Codec {
    Utf8,
    Ascii,
    Latin1,
}

impl Codec {
    fn named(name: &Text) -> Result<Codec, Failure> {
        let mut plain = name.decoded();
        plain.make_ascii_lowercase();
        match plain.replace('_', "-").as_str() {
            "utf-8" | "utf8" | "u8" => Ok(Codec::Utf8),
            "ascii" | "us-ascii" | "646" => Ok(Codec::Ascii),
            "latin-1" | "latin1" | "iso-8859-1" | "iso8859-1" | "8859" | "cp819" | "l1" => {
                Ok(Codec::Latin1)
            }
            _ => Err(lookup(format!("unknown encoding: {}", name.decoded()))),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Codec::Utf8 => "utf-8",
            Codec::Ascii => "ascii",
            Codec::Latin1 => "latin-1",
        }
    }

    /// Whether it has bytes for a character.
    fn has(self, code: u32) -> bool {
        match self {
            Codec::Utf8 => char::from_u32(code).is_some(),
            Codec::Ascii => code < 0x80,
            Codec::Latin1 => code < 0x100,
        }
    }

    fn push(self, code: u32, out: &mut Out<u8>) {
        match char::from_u32(code).filter(|_| self == Codec::Utf8) {
            Some(c) => out.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
            None => out.extend(&[code as u8]),
        }
    }
}

fn lookup(message: String) -> Failure {
    Failure::new("builtins.LookupError", message)
}

/// What becomes of what has no other form.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Errors {
    Strict,
    Ignore,
    Replace,
    Backslash,
    XmlReference,
    SurrogateEscape,
    SurrogatePass,
}

impl Errors {
    fn named(name: &Text) -> Result<Errors, Failure> {
        Ok(match name.decoded().as_str() {
            "strict" => Errors::Strict,
            "ignore" => Errors::Ignore,
            "replace" => Errors::Replace,
            "backslashreplace" => Errors::Backslash,
            "xmlcharrefreplace" => Errors::XmlReference,
            "surrogateescape" => Errors::SurrogateEscape,
            "surrogatepass" => Errors::SurrogatePass,
            name => return Err(lookup(format!("unknown error handler name '{name}'"))),
        })
    }
}

/// What is written.
struct Out<T>(Vec<T>);

impl<T: Copy> Out<T> {
    fn new(room: usize) -> Out<T> {
        let mut out = Out(Vec::new());
        out.reserve(room);
        out
    }

    fn reserve(&mut self, more: usize) {
        if try_allocate(|| self.0.try_reserve(more)).is_err() {
            refuse()
        }
    }

    fn extend(&mut self, items: &[T]) {
        self.reserve(items.len());
        self.0.extend_from_slice(items);
    }
}

/// An error of a codec: where in what it was given, and why.
fn codec_error(
    class: &'static str,
    codec: Codec,
    text: &Text,
    at: (usize, usize),
    why: &str,
) -> Failure {
    let object = repr_chars(text);
    let (start, end) = at;
    let literals = [
        format!("'{}'", codec.name()),
        object,
        start.to_string(),
        end.to_string(),
        format!("'{why}'"),
    ];
    Failure::Literals(class, literals.map(|text| literal_arg(&text)).join(","))
}

/// The text, the codec, and what is done with what has no other form, which is asked for where there is some.
fn coding(args: &[Arg]) -> Result<(Text, Codec, Text), Failure> {
    let [_, codec, errors @ ..] = args else {
        return Err(bad_call());
    };
    let errors = match errors {
        [errors] => errors.characters()?,
        _ => Text::literal(b"strict"),
    };
    Ok((one(args)?, Codec::named(&codec.characters()?)?, errors))
}

/// Gives bytes.
fn give_bytes(bytes: &[u8], ret: Ret) -> Result<(), Failure> {
    let mut made = Made::new(bytes.len(), 1)?;
    made.extend_bytes(bytes);
    made.give(ret)
}

/// `(string, string[, string]) -> bytes`: the text in a codec; the third says what becomes of characters that that has not.
fn encode(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (text, codec, errors) = coding(args)?;
    if let Some(bytes) = text.bytes()
        && (codec == Codec::Latin1 || bytes.is_ascii())
    {
        return text.give(ret);
    }
    let codes = codes_of(&text);
    let mut out = Out::new(codes.len());
    let mut at = 0;
    while at < codes.len() {
        let code = codes[at];
        if codec.has(code) {
            codec.push(code, &mut out);
            at += 1;
            continue;
        }
        let errors = Errors::named(&errors)?;
        let run = codes[at..].iter().take_while(|code| !codec.has(**code));
        let end = at + run.count();
        for code in &codes[at..end] {
            if !replaced(codec, errors, *code, &mut out) {
                let why = match codec {
                    Codec::Utf8 => "surrogates not allowed",
                    Codec::Ascii => "ordinal not in range(128)",
                    Codec::Latin1 => "ordinal not in range(256)",
                };
                let class = "builtins.UnicodeEncodeError";
                return Err(codec_error(class, codec, &text, (at, end), why));
            }
        }
        at = end;
    }
    give_bytes(&out.0, ret)
}

/// Writes what stands for a character that a codec has not, if something does.
fn replaced(codec: Codec, errors: Errors, code: u32, out: &mut Out<u8>) -> bool {
    match errors {
        Errors::Strict => return false,
        Errors::Ignore => {}
        Errors::Replace => out.extend(b"?"),
        Errors::Backslash => {
            let escape = match code {
                0..0x100 => format!("\\x{code:02x}"),
                0x100..0x1_0000 => format!("\\u{code:04x}"),
                _ => format!("\\U{code:08x}"),
            };
            out.extend(escape.as_bytes());
        }
        Errors::XmlReference => out.extend(format!("&#{code};").as_bytes()),
        Errors::SurrogateEscape => match code {
            0xdc80..0xdd00 => out.extend(&[(code - 0xdc00) as u8]),
            _ => return false,
        },
        Errors::SurrogatePass => {
            if codec != Codec::Utf8 {
                return false;
            }
            let low = |shift: u32| 0x80 | (code >> shift & 0x3f) as u8;
            out.extend(&[0xe0 | (code >> 12) as u8, low(6), low(0)]);
        }
    }
    true
}

/// `(bytes, string[, string]) -> string`: the text that bytes in a codec are; the third says what becomes of other bytes.
fn decode(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    if one(args)?.len == 0 {
        // Python does not look at the rest.
        return Text::literal(b"").give(ret);
    }
    let (text, codec, errors) = coding(args)?;
    let bytes = text.bytes().ok_or_else(bad_call)?;
    if codec == Codec::Latin1 || bytes.is_ascii() {
        return text.give(ret);
    }
    let mut out: Out<u32> = Out::new(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let (good, bad) = match codec {
            Codec::Utf8 => match std::str::from_utf8(rest) {
                Ok(_) => (rest.len(), None),
                Err(error) => {
                    let end = error
                        .error_len()
                        .unwrap_or(rest.len() - error.valid_up_to());
                    let why = match (error.error_len(), rest[error.valid_up_to()]) {
                        (None, _) => "unexpected end of data",
                        (Some(_), 0xc2..0xf5) => "invalid continuation byte",
                        (Some(_), _) => "invalid start byte",
                    };
                    (error.valid_up_to(), Some((end, why)))
                }
            },
            Codec::Ascii | Codec::Latin1 => {
                let good = rest.iter().take_while(|byte| byte.is_ascii()).count();
                let bad = (good < rest.len()).then_some((1, "ordinal not in range(128)"));
                (good, bad)
            }
        };
        let known = std::str::from_utf8(&rest[..good]).unwrap_or_default();
        known.chars().for_each(|c| out.extend(&[c.into()]));
        at += good;
        let Some((count, why)) = bad else { break };
        let here = &bytes[at..];
        let mut count = count;
        match Errors::named(&errors)? {
            Errors::Ignore => {}
            Errors::Replace => out.extend(&[0xfffd]),
            Errors::Backslash => {
                for byte in &here[..count] {
                    let escape = format!("\\x{byte:02x}");
                    escape.bytes().for_each(|byte| out.extend(&[byte.into()]));
                }
            }
            Errors::SurrogateEscape => {
                for byte in &here[..count] {
                    out.extend(&[0xdc00 + u32::from(*byte)]);
                }
            }
            Errors::SurrogatePass if codec == Codec::Utf8 && surrogate(here).is_some() => {
                out.extend(&[surrogate(here).unwrap_or_default()]);
                count = 3;
            }
            Errors::Strict | Errors::XmlReference | Errors::SurrogatePass => {
                let class = "builtins.UnicodeDecodeError";
                return Err(codec_error(class, codec, &text, (at, at + count), why));
            }
        }
        at += count;
    }
    give_codes(&out.0, ret)
}

/// The lone surrogate that bytes begin with, as UTF-8 would write it.
fn surrogate(bytes: &[u8]) -> Option<u32> {
    match bytes {
        [0xed, high @ 0xa0..0xc0, low @ 0x80..0xc0, ..] => {
            Some(0xd000 | u32::from(high & 0x3f) << 6 | u32::from(low & 0x3f))
        }
        _ => None,
    }
}

/// `(integer or integers) -> bytes`: so many zeros, or the bytes that the integers are.
fn bytes(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let [from] = args else {
        return Err(bad_call());
    };
    if let Arg::Scalar(_) = from {
        let Ok(count) = usize::try_from(from.int_checked()?) else {
            return Err(value_error("negative count"));
        };
        let mut made = Made::new(count, 1)?;
        (0..count).for_each(|_| made.push(0));
        return made.give(ret);
    }
    let source = from.like()?;
    let numbers = to_vec::<i64>(source.view());
    let mut made = Made::new(numbers.len(), 1)?;
    for number in numbers {
        match u8::try_from(number) {
            Ok(byte) => made.push(byte.into()),
            Err(_) => return Err(super::byte_range("bytes")),
        }
    }
    made.give(ret)
}

/// `(bytes) -> string`: two digits for each.
fn hex(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let text = one(args)?;
    let mut made = Made::new(text.len.saturating_mul(2), 1)?;
    for code in text.codes() {
        for digit in [code >> 4, code & 15] {
            made.push(char::from_digit(digit, 16).map_or(0, u32::from));
        }
    }
    made.give(ret)
}
