//! `format(x, spec)`: Python's mini-language of format specifications for numbers and strings.

use super::make::{Made, give_str, width_of};
use super::number::number_text;
use super::{Text, make};
use crate::elements::Wide;
use crate::repr::float_repr;
use crate::value::{Arg, Failure, Ret, bad_call, value_error};
use numbra_memory::{Gather, refuse, room, try_allocate};

bodies! {
    str_format = format, 2;
    str_format_bool = format_bool, 2;
    str_format_none = format_none, 2;
    str_percent = percent, 2;
    str_percent_character = percent_character, 2;
}

/// Digits behind the point that are asked of Rust: no `float64` has more that are not 0.
const MOST_DIGITS: usize = 1100;

/// What is formatted, by its class in Python.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Str,
    Bool,
    Int,
    Float,
    Complex,
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Class::Str => "str",
            Class::Bool => "bool",
            Class::Int => "int",
            Class::Float => "float",
            Class::Complex => "complex",
        }
    }
}

/// A format specification: `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`.
#[derive(Clone, Copy)]
struct Spec {
    fill: u32,
    /// One of `<>=^`, if one was written.
    align: Option<u8>,
    sign: Option<u8>,
    no_negative_zero: bool,
    alternate: bool,
    zeros: bool,
    width: usize,
    grouping: Option<u8>,
    precision: Option<usize>,
    /// A character of ASCII, or 0 for none.
    code: u8,
}

fn failure(message: impl Into<String>) -> Failure {
    value_error(message.into())
}

impl Spec {
    fn parse(spec: &Text, class: Class) -> Result<Spec, Failure> {
        let text = make::codes_of(spec);
        let invalid = || {
            failure(format!(
                "Invalid format specifier '{}' for object of type '{}'",
                spec.decoded(),
                class.name()
            ))
        };
        let byte = |at: usize| text.get(at).and_then(|code| u8::try_from(*code).ok());
        let is_align = |c: Option<u8>| c.filter(|c| b"<>=^".contains(c));
        let mut at = 0;
        let mut spec = Spec {
            fill: u32::from(b' '),
            align: None,
            sign: None,
            no_negative_zero: false,
            alternate: false,
            zeros: false,
            width: 0,
            grouping: None,
            precision: None,
            code: 0,
        };
        let mut filled = false;
        if let Some(align) = is_align(byte(1)) {
            (spec.fill, spec.align, filled, at) = (text[0], Some(align), true, 2);
        } else if let Some(align) = is_align(byte(0)) {
            (spec.align, at) = (Some(align), 1);
        }
        if let Some(sign) = byte(at).filter(|c| b" +-".contains(c)) {
            (spec.sign, at) = (Some(sign), at + 1);
        }
        if byte(at) == Some(b'z') {
            (spec.no_negative_zero, at) = (true, at + 1);
        }
        if byte(at) == Some(b'#') {
            (spec.alternate, at) = (true, at + 1);
        }
        if !filled && byte(at) == Some(b'0') {
            spec.fill = u32::from(b'0');
            spec.zeros = spec.align.is_none();
            at += 1;
        }
        let number = |at: &mut usize| -> Result<Option<usize>, Failure> {
            let mut value = None;
            while let Some(digit) = byte(*at).filter(u8::is_ascii_digit) {
                let next = value.unwrap_or(0_usize).checked_mul(10);
                let next = next.and_then(|n| n.checked_add(usize::from(digit - b'0')));
                let next = next.filter(|n| i64::try_from(*n).is_ok());
                value =
                    Some(next.ok_or_else(|| failure("Too many decimal digits in format string"))?);
                *at += 1;
            }
            Ok(value)
        };
        spec.width = number(&mut at)?.unwrap_or(0);
        if let Some(grouping) = byte(at).filter(|c| b",_".contains(c)) {
            (spec.grouping, at) = (Some(grouping), at + 1);
            if byte(at) == Some(b'_') {
                return Err(failure(match grouping {
                    b',' => "Cannot specify both ',' and '_'.",
                    _ => "Cannot specify '_' with '_'.",
                }));
            }
            if byte(at) == Some(b',') && grouping == b'_' {
                return Err(failure("Cannot specify both ',' and '_'."));
            }
        }
        if byte(at) == Some(b'.') {
            at += 1;
            spec.precision = number(&mut at)?;
            if spec.precision.is_some_and(|n| i32::try_from(n).is_err()) {
                return Err(failure("precision too big"));
            }
            if spec.precision.is_none() {
                return Err(failure("Format specifier missing precision"));
            }
        }
        if text.len() - at.min(text.len()) > 1 {
            return Err(invalid());
        }
        if let Some(code) = text.get(at) {
            let known = u8::try_from(*code).ok().filter(u8::is_ascii);
            spec.code = known.ok_or_else(|| unknown_code(*code, class))?;
        }
        spec.check_grouping(class)?;
        Ok(spec)
    }

    fn check_grouping(&self, class: Class) -> Result<(), Failure> {
        let Some(grouping) = self.grouping else {
            return Ok(());
        };
        let code = match (self.code, class) {
            (0, Class::Str) => b's',
            (code, _) => code,
        };
        let fits = match code {
            0 | b'd' | b'e' | b'f' | b'g' | b'E' | b'G' | b'%' | b'F' => true,
            b'b' | b'o' | b'x' | b'X' => grouping == b'_',
            _ => false,
        };
        match fits {
            true => Ok(()),
            false => Err(failure(format!(
                "Cannot specify '{}' with '{}'.",
                char::from(grouping),
                char::from(code)
            ))),
        }
    }
}

fn unknown_code(code: u32, class: Class) -> Failure {
    let shown = match char::from_u32(code).filter(|_| (0x20..0x80).contains(&code)) {
        Some(c) => format!("'{c}'"),
        None => format!("'\\x{code:x}'"),
    };
    failure(format!(
        "Unknown format code {shown} for object of type '{}'",
        class.name()
    ))
}

/// A number as text in parts.
struct Parts {
    sign: &'static str,
    prefix: &'static str,
    /// Before the point: what is grouped.
    whole: String,
    /// The point and what follows it.
    rest: String,
    /// How many digits a group has.
    group: usize,
}

/// Digits in groups with separators between, and zeros before to a width; as CPython's: a group begins with no separator.
/// From the last to the first.
fn grouped(digits: &str, separator: Option<u8>, group: usize, width: usize) -> Vec<u8> {
    let most = width.max(digits.len());
    let mut backwards = room(most.saturating_add(most / group).saturating_add(2));
    let mut left = digits.bytes().rev();
    let (mut remaining, mut width) = (digits.len(), width as i64);
    let group = if separator.is_some() { group } else { most };
    loop {
        // An infinity has no digits to group.
        let least = i64::from(separator.is_some());
        let wanted = (remaining as i64).max(width).max(least);
        let count = (group as i64).min(wanted) as usize;
        backwards.extend((0..count).map(|_| left.next().unwrap_or(b'0')));
        remaining = remaining.saturating_sub(count);
        width -= count as i64;
        let Some(separator) = separator.filter(|_| remaining > 0 || width > 0) else {
            return backwards;
        };
        backwards.push(separator);
        width -= 1;
    }
}

impl Parts {
    /// Without the places of a width.
    fn written(&self, separator: Option<u8>) -> Vec<u8> {
        let whole = grouped(&self.whole, separator, self.group, 0);
        let mut text = room(self.sign.len() + self.prefix.len() + whole.len() + self.rest.len());
        text.extend(self.sign.bytes().chain(self.prefix.bytes()));
        text.extend(whole.into_iter().rev().chain(self.rest.bytes()));
        text
    }
}

/// Gives a number, or a text that stands for one, at its place in the width.
fn give_number(spec: &Spec, parts: &Parts, ret: Ret) -> Result<(), Failure> {
    let align = spec.align.unwrap_or(if spec.zeros { b'=' } else { b'>' });
    let others = parts.sign.len() + parts.prefix.len() + parts.rest.len();
    let least = match spec.fill == u32::from(b'0') && align == b'=' {
        true => spec.width.saturating_sub(others),
        false => 0,
    };
    let whole = grouped(&parts.whole, spec.grouping, parts.group, least);
    let fill = spec.width.saturating_sub(whole.len() + others);
    let left = match align {
        b'<' => 0,
        b'^' => fill / 2,
        _ => fill,
    };
    let before = if align == b'=' { 0 } else { left };
    let width = width_of([spec.fill].into_iter());
    let mut made = Made::new(whole.len() + others + fill, width)?;
    (0..before).for_each(|_| made.push(spec.fill));
    let head = parts.sign.bytes().chain(parts.prefix.bytes());
    head.for_each(|byte| made.push(u32::from(byte)));
    (before..left).for_each(|_| made.push(spec.fill));
    let digits = whole.into_iter().rev().chain(parts.rest.bytes());
    digits.for_each(|byte| made.push(u32::from(byte)));
    (left..fill).for_each(|_| made.push(spec.fill));
    made.give(ret)
}

fn sign_of(spec: &Spec, negative: bool) -> &'static str {
    match (negative, spec.sign) {
        (true, _) => "-",
        (false, Some(b'+')) => "+",
        (false, Some(b' ')) => " ",
        (false, _) => "",
    }
}

fn format_int(spec: &Spec, x: Wide, class: Class, ret: Ret) -> Result<(), Failure> {
    let (negative, size) = match x {
        Wide::Int(x) => (x < 0, x.unsigned_abs()),
        Wide::UInt(x) => (false, x),
        Wide::Float(_) | Wide::Complex(..) => return Err(bad_call()),
    };
    if b"eEfFgG%".contains(&spec.code) {
        let x = if negative {
            -(size as f64)
        } else {
            size as f64
        };
        return format_float(spec, x, ret);
    }
    if !b"\0bcdoxXn".contains(&spec.code) {
        return Err(unknown_code(u32::from(spec.code), class));
    }
    if spec.precision.is_some() {
        return Err(failure("Precision not allowed in integer format specifier"));
    }
    if spec.no_negative_zero {
        return Err(failure(
            "Negative zero coercion (z) not allowed in integer format specifier",
        ));
    }
    if spec.code == b'c' {
        return format_character(spec, negative, size, ret);
    }
    let (digits, prefix, group) = match spec.code {
        0 | b'd' | b'n' => (size.to_string(), "", 3),
        b'b' => (format!("{size:b}"), "0b", 4),
        b'o' => (format!("{size:o}"), "0o", 4),
        b'x' => (format!("{size:x}"), "0x", 4),
        _ => (format!("{size:X}"), "0X", 4),
    };
    let parts = Parts {
        sign: sign_of(spec, negative),
        prefix: if spec.alternate { prefix } else { "" },
        whole: digits,
        rest: String::new(),
        group,
    };
    give_number(spec, &parts, ret)
}

fn format_character(spec: &Spec, negative: bool, size: u64, ret: Ret) -> Result<(), Failure> {
    if spec.sign.is_some() {
        return Err(failure(
            "Sign not allowed with integer format specifier 'c'",
        ));
    }
    if spec.alternate {
        return Err(failure(
            "Alternate form (#) not allowed with integer format specifier 'c'",
        ));
    }
    let code = u32::try_from(size)
        .ok()
        .filter(|code| *code < 0x11_0000 && !negative);
    let Some(code) = code else {
        let message = "%c arg not in range(0x110000)";
        return Err(Failure::new("builtins.OverflowError", message));
    };
    let align = spec.align.unwrap_or(if spec.zeros { b'=' } else { b'>' });
    let align = if align == b'=' { b'>' } else { align };
    place(&[code], spec, align, ret)
}

/// The text of the size of a float, or of a part of a complex number, in parts: before the point, and the rest.
fn float_parts(spec: &Spec, size: f64, class: Class) -> Result<(String, String), Failure> {
    let of_float = class == Class::Float;
    if !b"\0eEfFgGn%".contains(&spec.code) || (spec.code == b'%' && !of_float) {
        return Err(unknown_code(u32::from(spec.code), class));
    }
    let upper = spec.code.is_ascii_uppercase();
    if !size.is_finite() {
        let text = if size.is_nan() { "nan" } else { "inf" };
        let percent = if spec.code == b'%' { "%" } else { "" };
        let text = if upper {
            text.to_uppercase()
        } else {
            text.to_owned()
        };
        // It is not grouped, and zeros stand before it all the same.
        return Ok((String::new(), text + percent));
    }
    let precision = spec.precision;
    let mut text = match spec.code {
        b'e' | b'E' => exponential(size, precision.unwrap_or(6), spec.alternate),
        b'f' | b'F' => fixed(size, precision.unwrap_or(6), spec.alternate),
        b'%' => fixed(size, precision.unwrap_or(6), spec.alternate) + "%",
        0 => match precision {
            Some(precision) => general(size, precision, spec.alternate, of_float),
            None => {
                let text = float_repr(size);
                let text = match text.strip_suffix(".0").filter(|_| !of_float) {
                    Some(whole) => whole.to_owned(),
                    None => text,
                };
                match spec.alternate {
                    true => with_point(&text),
                    false => text,
                }
            }
        },
        _ => general(size, precision.unwrap_or(6), spec.alternate, false),
    };
    if upper {
        text.make_ascii_uppercase();
    }
    let end = text.bytes().position(|byte| !byte.is_ascii_digit());
    let rest = text.split_off(end.unwrap_or(text.len()));
    Ok((text, rest))
}

/// With a point behind the digits, if there is none.
fn with_point(text: &str) -> String {
    match (text.contains('.'), text.split_once('e')) {
        (true, _) => text.to_owned(),
        (false, Some((digits, exponent))) => format!("{digits}.e{exponent}"),
        (false, None) => format!("{text}."),
    }
}

/// Adds the digits beyond those that Rust was asked for.
fn add_zeros(text: &mut String, precision: usize) {
    let more = precision.saturating_sub(MOST_DIGITS);
    // What is appended to it later is a few characters.
    if try_allocate(|| text.try_reserve(more.saturating_add(16))).is_err() {
        refuse()
    }
    text.extend(std::iter::repeat_n('0', more));
}

/// So many digits behind the point, rounded from the exact value, ties to even.
fn fixed(x: f64, precision: usize, alternate: bool) -> String {
    let mut text = format!("{:.*}", precision.min(MOST_DIGITS), x);
    add_zeros(&mut text, precision);
    match alternate {
        true => with_point(&text),
        false => text,
    }
}

/// One digit, the point and so many digits more, rounded from the exact value, and a decimal exponent.
fn decimal(x: f64, precision: usize) -> (String, i32) {
    let text = format!("{:.*e}", precision.min(MOST_DIGITS), x);
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mut digits = digits.to_owned();
    add_zeros(&mut digits, precision);
    (digits, exponent.parse().unwrap_or(0))
}

fn exponent_text(exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("e{sign}{:02}", exponent.unsigned_abs())
}

fn exponential(x: f64, precision: usize, alternate: bool) -> String {
    let (digits, exponent) = decimal(x, precision);
    let digits = if alternate {
        with_point(&digits)
    } else {
        digits
    };
    digits + &exponent_text(exponent)
}

/// So many digits in all, without zeros at the end unless `alternate`; with an exponent where that is below -4 or the digits
/// do not reach the point. With `point` whole numbers have one digit behind the point.
fn general(x: f64, precision: usize, alternate: bool, point: bool) -> String {
    let precision = precision.max(1);
    let (digits, exponent) = decimal(x, precision - 1);
    let before = i64::from(exponent) + 1;
    let most = precision as i64 - i64::from(point);
    let trimmed = |text: String| match alternate || !text.contains('.') {
        true => text,
        false => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
    };
    if before <= -4 || before > most {
        let digits = trimmed(digits);
        let digits = if alternate {
            with_point(&digits)
        } else {
            digits
        };
        return digits + &exponent_text(exponent);
    }
    let behind = (precision as i64 - before).max(0) as usize;
    let text = trimmed(fixed(x, behind, false));
    match text.contains('.') {
        true => text,
        false if point => text + ".0",
        false if alternate => text + ".",
        false => text,
    }
}

/// A float, or a part of a complex number, in parts, and what separates its groups.
fn signed_parts(spec: &Spec, x: f64, class: Class) -> Result<(Parts, Option<u8>), Failure> {
    let (whole, rest) = float_parts(spec, x.abs(), class)?;
    let is_zero = || {
        whole
            .bytes()
            .chain(rest.bytes().take_while(|c| !c.eq_ignore_ascii_case(&b'e')))
            .all(|c| !c.is_ascii_digit() || c == b'0')
    };
    let negative = x.is_sign_negative() && !x.is_nan();
    let negative = negative && !(spec.no_negative_zero && x.is_finite() && is_zero());
    let parts = Parts {
        sign: sign_of(spec, negative),
        prefix: "",
        whole,
        rest,
        group: 3,
    };
    Ok((parts, spec.grouping.filter(|_| x.is_finite())))
}

fn format_float(spec: &Spec, x: f64, ret: Ret) -> Result<(), Failure> {
    // What is shown in per cent may be too large for a number.
    let x = if spec.code == b'%' { x * 100.0 } else { x };
    let (parts, grouping) = signed_parts(spec, x, Class::Float)?;
    give_number(&Spec { grouping, ..*spec }, &parts, ret)
}

/// Without a type in brackets, as `str` writes it, but for a real part of 0, which is left out then.
fn format_complex(spec: &Spec, re: f64, im: f64, ret: Ret) -> Result<(), Failure> {
    // CPython looks at the type before the rest.
    let real = signed_parts(spec, re, Class::Complex)?;
    if spec.fill == u32::from(b'0') {
        return Err(failure(
            "Zero padding is not allowed in complex format specifier",
        ));
    }
    if spec.align == Some(b'=') {
        return Err(failure(
            "'=' alignment flag is not allowed in complex format specifier",
        ));
    }
    let only_imaginary = spec.code == 0 && re == 0.0 && re.is_sign_positive();
    let brackets = spec.code == 0 && !only_imaginary;
    let sign = match only_imaginary {
        true => spec.sign,
        false => Some(b'+'),
    };
    let imaginary = signed_parts(&Spec { sign, ..*spec }, im, Class::Complex)?;
    let [real, imaginary] = [real, imaginary].map(|(parts, separator)| parts.written(separator));
    let real = if only_imaginary { &[][..] } else { &real };
    let [open, close]: [&[u8]; 2] = if brackets { [b"(", b"j)"] } else { [b"", b"j"] };
    let pieces = [open, real, &imaginary, close];
    let text = pieces.into_iter().flatten().map(|byte| u32::from(*byte));
    place(&text.gathered(), spec, spec.align.unwrap_or(b'>'), ret)
}

/// Gives characters at their place in the width.
fn place(codes: &[u32], spec: &Spec, align: u8, ret: Ret) -> Result<(), Failure> {
    let fill = spec.width.saturating_sub(codes.len());
    let left = match align {
        b'<' => 0,
        b'^' => fill / 2,
        _ => fill,
    };
    let width = width_of(codes.iter().copied().chain((fill > 0).then_some(spec.fill)));
    let mut made = Made::new(codes.len() + fill, width)?;
    (0..left).for_each(|_| made.push(spec.fill));
    codes.iter().for_each(|code| made.push(*code));
    (left..fill).for_each(|_| made.push(spec.fill));
    made.give(ret)
}

fn format_text(spec: &Spec, text: &Text, ret: Ret) -> Result<(), Failure> {
    let refused = [
        (!matches!(spec.code, 0 | b's'), ""),
        (
            spec.sign == Some(b' '),
            "Space not allowed in string format specifier",
        ),
        (
            spec.sign.is_some(),
            "Sign not allowed in string format specifier",
        ),
        (
            spec.no_negative_zero,
            "Negative zero coercion (z) not allowed in string format specifier",
        ),
        (
            spec.alternate,
            "Alternate form (#) not allowed in string format specifier",
        ),
        (
            spec.align == Some(b'='),
            "'=' alignment not allowed in string format specifier",
        ),
    ];
    match refused.into_iter().find(|(is, _)| *is) {
        Some((_, "")) => return Err(unknown_code(u32::from(spec.code), Class::Str)),
        Some((_, message)) => return Err(failure(message)),
        None => {}
    }
    let shown = text.part(0, spec.precision.unwrap_or(usize::MAX).min(text.len));
    let codes: Vec<u32> = make::codes_of(&shown);
    place(&codes, spec, spec.align.unwrap_or(b'<'), ret)
}

/// A specification; an empty one where none is given.
fn given(spec: &Arg) -> Result<Text, Failure> {
    match spec {
        Arg::Nothing => Ok(Text::literal(b"")),
        spec => spec.characters(),
    }
}

/// `(number or string, string | none) -> string`
fn format(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let [value, spec] = args else {
        return Err(bad_call());
    };
    let spec = given(spec)?;
    if let Arg::Text(text) = value {
        return format_text(&Spec::parse(&spec, Class::Str)?, text, ret);
    }
    let number = value.number()?;
    let class = match number {
        Wide::Int(_) | Wide::UInt(_) => Class::Int,
        Wide::Float(_) => Class::Float,
        Wide::Complex(..) => Class::Complex,
    };
    format_number(number, class, &spec, ret)
}

fn format_number(x: Wide, class: Class, spec: &Text, ret: Ret) -> Result<(), Failure> {
    if spec.len == 0 {
        return give_str(&number_text(x), ret);
    }
    let spec = Spec::parse(spec, class)?;
    match x {
        Wide::Float(x) => format_float(&spec, x, ret),
        Wide::Int(_) | Wide::UInt(_) => format_int(&spec, x, class, ret),
        Wide::Complex(re, im) => format_complex(&spec, re, im, ret),
    }
}

/// `(bool, string | none) -> string`: as an integer, but without a specification as the word.
fn format_bool(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let [value, spec] = args else {
        return Err(bad_call());
    };
    let spec = given(spec)?;
    match spec.len {
        0 => super::number::of_bool(std::slice::from_ref(value), ret),
        _ => format_number(value.number()?, Class::Bool, &spec, ret),
    }
}

/// `(none, string | none) -> string`
fn format_none(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let [_, spec] = args else {
        return Err(bad_call());
    };
    match given(spec)?.len {
        0 => super::number::of_none(&[], ret),
        _ => Err(Failure::new(
            "builtins.TypeError",
            "unsupported format string passed to NoneType.__format__",
        )),
    }
}

/// `(number, string) -> string`: as `%` writes a number, of which it takes the integer for `d`.
fn percent(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let [value, spec] = args else {
        return Err(bad_call());
    };
    let spec = Spec::parse(&given(spec)?, Class::Float)?;
    match value.number()? {
        Wide::Float(x) if spec.code == b'd' => {
            let why = match x {
                _ if x.is_nan() => Err(value_error("cannot convert float NaN to integer")),
                _ if x.is_infinite() => Err(Failure::new(
                    "builtins.OverflowError",
                    "cannot convert float infinity to integer",
                )),
                _ => Ok(()),
            };
            why?;
            let parts = Parts {
                // An integer has no negative zero.
                sign: sign_of(&spec, x.trunc() < 0.0),
                prefix: "",
                whole: format!("{:.0}", x.trunc().abs()),
                rest: String::new(),
                group: 3,
            };
            give_number(&spec, &parts, ret)
        }
        Wide::Float(x) => format_float(&spec, x, ret),
        x @ (Wide::Int(_) | Wide::UInt(_)) => format_int(&spec, x, Class::Int, ret),
        Wide::Complex(..) => Err(bad_call()),
    }
}

/// `(number, string | none) -> string`: the character with this number.
fn percent_character(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let [value, spec] = args else {
        return Err(bad_call());
    };
    let spec = Spec::parse(&given(spec)?, Class::Str)?;
    let code = u32::try_from(value.int()?).ok();
    match code.filter(|code| *code < 0x11_0000) {
        Some(code) => place(&[code], &spec, spec.align.unwrap_or(b'>'), ret),
        None => {
            let message = "%c arg not in range(0x110000)";
            Err(Failure::new("builtins.OverflowError", message))
        }
    }
}
