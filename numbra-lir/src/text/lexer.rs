//! Tokens of LIR text.

use super::TextError;

/// Kind of a token, with the part of the text that matters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Tok<'a> {
    /// `[A-Za-z_][A-Za-z0-9_.]*`
    Ident(&'a str),
    /// Optional sign, then digits, `.`, exponent, or `0x` and hexadecimal digits.
    Number(&'a str),
    /// Between quotes, escapes unread.
    Str(&'a str),
    /// `@name` or `@"name"`, escapes unread.
    Symbol(&'a str),
    /// `$name` or `$"name"`, escapes unread.
    DataName(&'a str),
    Arrow,
    Punct(char),
    /// One or more line ends.
    Newline,
    End,
}

impl Tok<'_> {
    /// How an error message names the token.
    pub(super) fn describe(self) -> String {
        match self {
            Tok::Ident(s) | Tok::Number(s) => format!("`{s}`"),
            Tok::Str(s) => format!("\"{s}\""),
            Tok::Symbol(s) => format!("`@{s}`"),
            Tok::DataName(s) => format!("`${s}`"),
            Tok::Arrow => "`->`".to_owned(),
            Tok::Punct(c) => format!("`{c}`"),
            Tok::Newline => "end of line".to_owned(),
            Tok::End => "end of text".to_owned(),
        }
    }
}

/// A token with its place: 1-based line and column (in bytes).
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) tok: Tok<'a>,
    pub(super) line: u32,
    pub(super) col: u32,
}

/// Splits text into tokens. Comments run from `;` to the end of the line.
pub(super) fn lex(text: &str) -> Result<Vec<Token<'_>>, TextError> {
    let bytes = text.as_bytes();
    let mut out: Vec<Token> = Vec::new();
    let (mut at, mut line, mut line_start) = (0, 1u32, 0);
    while at < bytes.len() {
        let start = at;
        let col = (start - line_start) as u32 + 1;
        let error = |message: String| TextError { line, col, message };
        let c = bytes[at];
        let tok = match c {
            b' ' | b'\t' | b'\r' => {
                at += 1;
                continue;
            }
            b';' => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
                continue;
            }
            b'\n' => {
                at += 1;
                if !matches!(
                    out.last(),
                    None | Some(Token {
                        tok: Tok::Newline,
                        ..
                    })
                ) {
                    out.push(Token {
                        tok: Tok::Newline,
                        line,
                        col,
                    });
                }
                line += 1;
                line_start = at;
                continue;
            }
            b'"' => Tok::Str(quoted(text, &mut at).ok_or_else(|| error(unclosed()))?),
            b'@' | b'$' if next_starts_name(bytes, at + 1) => {
                at += 1;
                let name = if bytes[at] == b'"' {
                    quoted(text, &mut at).ok_or_else(|| error(unclosed()))?
                } else {
                    ident(text, &mut at)
                };
                if c == b'@' {
                    Tok::Symbol(name)
                } else {
                    Tok::DataName(name)
                }
            }
            b'-' if bytes.get(at + 1) == Some(&b'>') => {
                at += 2;
                Tok::Arrow
            }
            b'+' | b'-' if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => {
                at += 1;
                number(bytes, &mut at);
                Tok::Number(&text[start..at])
            }
            b'-' if text[at + 1..].starts_with("inf") => {
                at += 4;
                Tok::Number(&text[start..at])
            }
            b'0'..=b'9' => {
                number(bytes, &mut at);
                Tok::Number(&text[start..at])
            }
            b'_' | b'A'..=b'Z' | b'a'..=b'z' => Tok::Ident(ident(text, &mut at)),
            b'(' | b')' | b'{' | b'}' | b'[' | b']' | b',' | b':' | b'=' | b'@' | b'!' | b'?' => {
                at += 1;
                Tok::Punct(c as char)
            }
            _ => {
                let shown = text[start..].chars().next().unwrap_or('?');
                return Err(error(format!(
                    "unexpected character `{}`",
                    shown.escape_debug()
                )));
            }
        };
        out.push(Token { tok, line, col });
    }
    let col = (at - line_start) as u32 + 1;
    out.push(Token {
        tok: Tok::Newline,
        line,
        col,
    });
    out.push(Token {
        tok: Tok::End,
        line,
        col,
    });
    Ok(out)
}

fn unclosed() -> String {
    "string without closing quote".to_owned()
}

fn next_starts_name(bytes: &[u8], at: usize) -> bool {
    bytes
        .get(at)
        .is_some_and(|&b| b == b'"' || b == b'_' || b.is_ascii_alphabetic())
}

fn ident<'a>(text: &'a str, at: &mut usize) -> &'a str {
    let start = *at;
    let bytes = text.as_bytes();
    while bytes
        .get(*at)
        .is_some_and(|&b| b == b'_' || b == b'.' || b.is_ascii_alphanumeric())
    {
        *at += 1;
    }
    &text[start..*at]
}

fn number(bytes: &[u8], at: &mut usize) {
    let hex = bytes[*at] == b'0' && matches!(bytes.get(*at + 1), Some(b'x'));
    if hex {
        *at += 2;
    }
    while let Some(&b) = bytes.get(*at) {
        let exponent_sign =
            !hex && matches!(b, b'+' | b'-') && matches!(bytes[*at - 1], b'e' | b'E');
        if b.is_ascii_digit()
            || (hex && b.is_ascii_hexdigit())
            || (!hex && matches!(b, b'.' | b'e' | b'E'))
            || exponent_sign
        {
            *at += 1;
        } else {
            break;
        }
    }
}

/// The text between quotes, which may hold `\"`; `None` if the line ends first.
fn quoted<'a>(text: &'a str, at: &mut usize) -> Option<&'a str> {
    let bytes = text.as_bytes();
    *at += 1;
    let start = *at;
    loop {
        match bytes.get(*at)? {
            b'"' => break,
            b'\n' => return None,
            b'\\' => *at += 2,
            _ => *at += 1,
        }
    }
    let inside = text.get(start..*at)?;
    *at += 1;
    Some(inside)
}

/// Writes `text` with quotes, escaping what the lexer could not read back.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Reads what [`escape`] wrote, without the quotes.
pub(super) fn unescape(text: &str) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix("u{") {
            let end = after.find('}').ok_or("escape without `}`")?;
            let code = u32::from_str_radix(&after[..end], 16)
                .ok()
                .and_then(char::from_u32);
            out.push(code.ok_or("escape is not a character")?);
            rest = &after[end + 1..];
        } else {
            let c = rest.chars().next().ok_or("escape at end of string")?;
            out.push(match c {
                'n' => '\n',
                't' => '\t',
                '"' | '\\' => c,
                _ => return Err(format!("unknown escape `\\{c}`")),
            });
            rest = &rest[c.len_utf8()..];
        }
    }
    out.push_str(rest);
    Ok(out)
}

/// True if `name` needs no quotes.
pub(super) fn is_plain(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes
        .next()
        .is_some_and(|b| b == b'_' || b.is_ascii_alphabetic())
        && bytes.all(|b| b == b'_' || b == b'.' || b.is_ascii_alphanumeric())
}
