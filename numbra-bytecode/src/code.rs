//! `CodeObject`: a CPython code object as plain data.

use crate::opcode::Version;
use numbra_base::{FileId, Span};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Everything the compiler reads from one CPython code object (`types.CodeType`, 3.11 to 3.15).
///
/// The JSON form is what `numbra._codeobject.export` writes; numbra-py fills the struct directly.
/// Nothing here is trusted: every index and offset is checked where it is used.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct CodeObject {
    /// `sys.version_info[:2]` of the interpreter that made the code.
    pub version: (u8, u8),
    pub name: String,
    pub qualname: String,
    pub filename: String,
    pub firstlineno: u32,
    /// Positional parameters, positional-only ones included; `*args` and keyword-only ones not.
    pub argcount: u32,
    pub posonlyargcount: u32,
    pub kwonlyargcount: u32,
    pub flags: CodeFlags,
    pub stacksize: u32,
    /// `co_code`: two bytes a code unit. Specialised and instrumented forms are accepted.
    #[serde(with = "hex")]
    pub code: Vec<u8>,
    pub consts: Vec<Const>,
    pub names: Vec<String>,
    /// Parameters first, in order: positional, keyword-only, `*args`, `**kwargs`; then the other locals.
    pub varnames: Vec<String>,
    pub cellvars: Vec<String>,
    pub freevars: Vec<String>,
    /// `co_exceptiontable`, varint coded.
    #[serde(with = "hex")]
    pub exceptiontable: Vec<u8>,
    /// One entry a code unit; shorter (or empty) when the code was compiled without positions.
    #[serde(with = "runs")]
    pub positions: Vec<Position>,
}

impl CodeObject {
    /// True for the code of a generator expression. Its parameter is the iterator.
    pub fn is_generator_expression(&self) -> bool {
        self.name == "<genexpr>" && self.flags.contains(CodeFlags::GENERATOR) && self.argcount == 1
    }

    /// True for generator expressions whose parameter is the iterable instead (3.15 on): they make the iterator themselves,
    /// before the generator is made.
    pub fn takes_iterable(&self) -> bool {
        let version = Version::new(self.version.0, self.version.1);
        version >= Some(Version::Py315) && self.is_generator_expression()
    }
}

bitflags::bitflags! {
    /// `co_flags`.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct CodeFlags: u32 {
        const OPTIMIZED = 0x01;
        const NEWLOCALS = 0x02;
        const VARARGS = 0x04;
        const VARKEYWORDS = 0x08;
        const NESTED = 0x10;
        const GENERATOR = 0x20;
        const COROUTINE = 0x80;
        const ITERABLE_COROUTINE = 0x100;
        const ASYNC_GENERATOR = 0x200;
        const _ = !0;
    }
}

impl Serialize for CodeFlags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.bits().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for CodeFlags {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CodeFlags, D::Error> {
        u32::deserialize(deserializer).map(CodeFlags::from_bits_retain)
    }
}

/// One entry of `co_positions()`; -1 stands for an absent number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pub line: i32,
    pub end_line: i32,
    pub col: i32,
    pub end_col: i32,
}

impl Position {
    /// The position as a span in `file`; a whole line when columns are absent.
    pub fn span(&self, file: FileId) -> Span {
        let known = |n: i32| u32::try_from(n).ok();
        let Some(line) = known(self.line).filter(|&line| line > 0) else {
            return Span::NONE;
        };
        match (known(self.end_line), known(self.col), known(self.end_col)) {
            (Some(end_line), Some(col), Some(end_col)) => Span {
                file,
                line,
                col,
                end_line,
                end_col,
            },
            _ => Span::of_line(file, line),
        }
    }
}

/// A float constant by its bits: NaNs, signs and equality survive any dump.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct F64Bits(pub u64);

impl F64Bits {
    pub fn new(value: f64) -> F64Bits {
        F64Bits(value.to_bits())
    }

    pub fn value(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl std::fmt::Debug for F64Bits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.value())
    }
}

impl Serialize for F64Bits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:016x}", self.0))
    }
}

impl<'de> Deserialize<'de> for F64Bits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<F64Bits, D::Error> {
        let text = String::deserialize(deserializer)?;
        u64::from_str_radix(&text, 16)
            .map(F64Bits)
            .map_err(serde::de::Error::custom)
    }
}

/// An item of `co_consts`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Const {
    None,
    Ellipsis,
    Bool(bool),
    Int(i64),
    /// Decimal digits of an integer outside `i64`.
    BigInt(String),
    Float(F64Bits),
    Complex(F64Bits, F64Bits),
    Str(String),
    Bytes(#[serde(with = "hex")] Vec<u8>),
    Tuple(Vec<Const>),
    FrozenSet(Vec<Const>),
    /// `slice(start, stop, step)`; a constant from 3.14 on.
    Slice(Box<[Const; 3]>),
    Code(Box<CodeObject>),
    /// A constant that numbra does not model, by what it is.
    Opaque(String),
}

impl Const {
    /// The items, if this is a tuple of strings (keyword names).
    pub fn as_names(&self) -> Option<Vec<String>> {
        let Const::Tuple(items) = self else {
            return None;
        };
        items
            .iter()
            .map(|item| {
                if let Const::Str(name) = item {
                    Some(name.clone())
                } else {
                    None
                }
            })
            .collect()
    }
}

/// Python's `repr`, shortened for dumps; code objects show their name only.
impl std::fmt::Display for Const {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |f: &mut std::fmt::Formatter<'_>, items: &[Const]| {
            for (i, item) in items.iter().enumerate() {
                write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
            }
            Ok(())
        };
        match self {
            Const::None => f.write_str("None"),
            Const::Ellipsis => f.write_str("Ellipsis"),
            Const::Bool(true) => f.write_str("True"),
            Const::Bool(false) => f.write_str("False"),
            Const::Int(n) => write!(f, "{n}"),
            Const::BigInt(digits) => f.write_str(digits),
            Const::Float(x) => f.write_str(&float_repr(x.value())),
            Const::Complex(re, im) => {
                let imaginary = complex_part(im.value());
                if re.0 == 0 {
                    write!(f, "{imaginary}j")
                } else {
                    let sign = if im.value().is_sign_negative() && !im.value().is_nan() {
                        ""
                    } else {
                        "+"
                    };
                    write!(f, "({}{sign}{imaginary}j)", complex_part(re.value()))
                }
            }
            Const::Str(text) => f.write_str(&str_repr(text)),
            Const::Bytes(bytes) => write!(f, "b'{}'", bytes.escape_ascii()),
            Const::Tuple(items) => {
                f.write_str("(")?;
                list(f, items)?;
                f.write_str(if items.len() == 1 { ",)" } else { ")" })
            }
            Const::FrozenSet(items) => {
                f.write_str("frozenset({")?;
                list(f, items)?;
                f.write_str("})")
            }
            Const::Slice(parts) => write!(f, "slice({}, {}, {})", parts[0], parts[1], parts[2]),
            Const::Code(code) => write!(f, "<code {}>", code.name),
            Const::Opaque(what) => write!(f, "<{what}>"),
        }
    }
}

/// Python's `repr` of a float.
pub fn float_repr(x: f64) -> String {
    if x.is_nan() {
        return "nan".to_owned();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    // Rust and Python both print the shortest digits that round-trip; they differ in when the exponent shows.
    let scientific = format!("{x:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        return format!("{x:?}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

fn complex_part(x: f64) -> String {
    let text = float_repr(x);
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Python's `repr` of a string, with non-printing characters escaped.
pub fn str_repr(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if c == quote => {
                out.push('\\');
                out.push(c);
            }
            _ if (c as u32) < 0x20 || c as u32 == 0x7f => {
                out.push_str(&format!("\\x{:02x}", c as u32))
            }
            _ => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// Bytes as a hexadecimal string.
mod hex {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::fmt::Write as _;

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = String::with_capacity(bytes.len() * 2);
        for byte in bytes {
            write!(text, "{byte:02x}").map_err(serde::ser::Error::custom)?;
        }
        serializer.serialize_str(&text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digit = |b: u8| (b as char).to_digit(16).map(|d| d as u8);
        let bytes = text.as_bytes();
        if !bytes.len().is_multiple_of(2) {
            return Err(serde::de::Error::custom("odd number of hexadecimal digits"));
        }
        bytes
            .chunks_exact(2)
            .map(|pair| match (digit(pair[0]), digit(pair[1])) {
                (Some(high), Some(low)) => Ok(high << 4 | low),
                _ => Err(serde::de::Error::custom("not a hexadecimal digit")),
            })
            .collect()
    }
}

/// Positions as runs `[units, line, end_line, col, end_col]`.
mod runs {
    use super::Position;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Longer tables cannot belong to a code object that the decoder accepts.
    const MAX_UNITS: usize = 1 << 24;

    pub(super) fn serialize<S: Serializer>(
        positions: &[Position],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut runs: Vec<(u32, i32, i32, i32, i32)> = Vec::new();
        for p in positions {
            match runs.last_mut() {
                Some(run)
                    if (run.1, run.2, run.3, run.4) == (p.line, p.end_line, p.col, p.end_col) =>
                {
                    run.0 += 1
                }
                _ => runs.push((1, p.line, p.end_line, p.col, p.end_col)),
            }
        }
        runs.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Position>, D::Error> {
        let runs = Vec::<(u32, i32, i32, i32, i32)>::deserialize(deserializer)?;
        let mut positions = Vec::new();
        for (units, line, end_line, col, end_col) in runs {
            if positions.len() + units as usize > MAX_UNITS {
                return Err(serde::de::Error::custom("position table too long"));
            }
            let position = Position {
                line,
                end_line,
                col,
                end_col,
            };
            positions.resize(positions.len() + units as usize, position);
        }
        Ok(positions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_print_as_python() {
        let cases = [
            (0.5, "0.5"),
            (1e16, "1e+16"),
            (1e15, "1000000000000000.0"),
            (1e-5, "1e-05"),
            (-0.0, "-0.0"),
            (1.5e300, "1.5e+300"),
        ];
        for (x, text) in cases {
            assert_eq!(float_repr(x), text);
        }
        assert_eq!(
            Const::Complex(F64Bits::new(0.0), F64Bits::new(2.0)).to_string(),
            "2j"
        );
        assert_eq!(
            Const::Complex(F64Bits::new(1.0), F64Bits::new(-2.5)).to_string(),
            "(1-2.5j)"
        );
    }

    #[test]
    fn strings_print_as_python() {
        assert_eq!(str_repr("it's"), "\"it's\"");
        assert_eq!(str_repr("a\n\u{1}"), "'a\\n\\x01'");
    }
}
