//! Reading one line of text by hand-written recursive descent.

use numbra_base::{FileId, Span};
use std::fmt;

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// 1-based.
    pub line: u32,
    /// 1-based, in characters.
    pub col: u32,
    /// In lower case, without a full stop.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.col, self.message)
    }
}

impl std::error::Error for ParseError {}

/// What was read, or what is wrong.
pub type Parse<T> = Result<T, ParseError>;

/// How deep types, constants and functions may nest in a text: more is an error, not a stack overflow.
pub(crate) const MAX_DEPTH: u32 = 64;

/// A position in one line of a text.
#[derive(Clone)]
pub struct Cursor<'a> {
    text: &'a str,
    pos: usize,
    line: u32,
    depth: u32,
}

impl<'a> Cursor<'a> {
    /// At the beginning of a line, whose number is 1-based.
    pub fn new(text: &'a str, line: u32) -> Cursor<'a> {
        Cursor {
            text,
            pos: 0,
            line,
            depth: 0,
        }
    }

    /// An error at what comes next.
    pub fn error<T>(&self, message: impl Into<String>) -> Parse<T> {
        let at = self.text.len() - self.rest().len();
        Err(ParseError {
            line: self.line,
            col: self.text[..at].chars().count() as u32 + 1,
            message: message.into(),
        })
    }

    fn expected<T>(&self, what: &str) -> Parse<T> {
        match self.rest().split_whitespace().next() {
            Some(found) => {
                let found: String = found.chars().take(20).collect();
                self.error(format!("expected {what}, found `{found}`"))
            }
            None => self.error(format!("expected {what}, found the end of the line")),
        }
    }

    /// Runs `parse` one level deeper.
    pub(crate) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            return self.error("nested too deeply");
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// The number of the line.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The text from here on, without leading blanks.
    pub(crate) fn rest(&self) -> &'a str {
        self.text[self.pos..].trim_start_matches([' ', '\t', '\r'])
    }

    pub(crate) fn skip_space(&mut self) {
        self.pos = self.text.len() - self.rest().len();
    }

    /// True at the end of the line or before a comment.
    pub fn at_end(&self) -> bool {
        let rest = self.rest();
        rest.is_empty() || rest.starts_with(';')
    }

    /// True before `@ 3:4-3:9 bc12`; `x @ y` is a matrix product.
    pub(crate) fn at_provenance(&self) -> bool {
        let Some(rest) = self.rest().strip_prefix('@') else {
            return false;
        };
        let rest = rest.trim_start();
        let file = rest.strip_prefix("file").unwrap_or("");
        let digits = file.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.starts_with(|c: char| c == '?' || c.is_ascii_digit())
            || (digits.len() < file.len() && digits.starts_with(':'))
    }

    /// Checks that nothing but a comment is left.
    pub fn end(&mut self) -> Parse<()> {
        if self.at_end() {
            Ok(())
        } else {
            self.skip_space();
            self.expected("the end of the line")
        }
    }

    /// Takes `token` if it comes next. A word must end where the token ends.
    pub fn eat(&mut self, token: &str) -> bool {
        let rest = self.rest();
        let Some(after) = rest.strip_prefix(token) else {
            return false;
        };
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
        if !token.ends_with('.')
            && token.chars().next_back().is_some_and(is_word)
            && after.chars().next().is_some_and(is_word)
        {
            return false;
        }
        self.pos = self.text.len() - after.len();
        true
    }

    /// Takes `token`, which must come next.
    pub fn expect(&mut self, token: &str) -> Parse<()> {
        if self.eat(token) {
            Ok(())
        } else {
            self.skip_space();
            self.expected(&format!("`{token}`"))
        }
    }

    /// True if `token` comes next.
    pub fn peek(&self, token: &str) -> bool {
        self.rest().starts_with(token)
    }

    /// A plain or back-quoted name.
    pub fn name(&mut self, what: &str) -> Parse<String> {
        self.skip_space();
        if self.rest().starts_with('`') {
            return self.quoted('`');
        }
        match self.word() {
            Some(word) => Ok(word.to_owned()),
            None => self.expected(what),
        }
    }

    /// The plain name that comes next, without taking it.
    pub(crate) fn peek_word(&self) -> Option<&'a str> {
        self.clone().word()
    }

    /// A plain name: letters, digits, `_ . $`, not starting with a digit.
    pub(crate) fn word(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let length = super::names::plain_prefix(rest);
        if length == 0 {
            return None;
        }
        self.skip_space();
        self.pos += length;
        Some(&rest[..length])
    }

    /// Decimal digits.
    pub(crate) fn number<N: std::str::FromStr>(&mut self, what: &str) -> Parse<N> {
        self.skip_space();
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        match rest[..length].parse() {
            Ok(value) => {
                self.pos += length;
                Ok(value)
            }
            Err(_) => self.expected(what),
        }
    }

    /// An entity such as `bb12`: `prefix` and a number.
    pub fn entity(&mut self, prefix: &str, what: &str) -> Parse<u32> {
        self.skip_space();
        let start = self.pos;
        match self
            .word()
            .and_then(|w| w.strip_prefix(prefix)?.parse().ok())
        {
            // The bound keeps a hostile file from making huge tables.
            Some(number) if number < 1 << 20 => Ok(number),
            _ => {
                self.pos = start;
                self.expected(what)
            }
        }
    }

    /// A span, in the file `home` unless it names another.
    pub fn span(&mut self, home: FileId) -> Parse<Span> {
        let start = self.clone();
        if self.eat("?") {
            return Ok(Span::NONE);
        }
        let mut file = home;
        if self.peek("file") {
            file = FileId(self.entity("file", "a file such as `file1`")?);
            self.expect(":")?;
        }
        let digits = self.take_while(|c| c.is_ascii_digit() || matches!(c, ':' | '-'));
        match digits.parse::<Span>() {
            Ok(span) => Ok(Span { file, ..span }),
            Err(message) => start.error(message),
        }
    }

    /// Characters up to (not including) `end` at bracket depth 0. For free text such as a Python repr.
    pub(crate) fn until_balanced(&mut self, end: char) -> Parse<&'a str> {
        let rest = &self.text[self.pos..];
        let mut depth = 0i32;
        for (at, c) in rest.char_indices() {
            if depth == 0 && c == end {
                self.pos += at;
                return Ok(&rest[..at]);
            }
            match c {
                '(' | '[' | '<' | '{' => depth += 1,
                ')' | ']' | '>' | '}' => depth -= 1,
                _ => {}
            }
        }
        self.expected(&format!("`{end}`"))
    }

    /// Moves on by bytes that the caller has examined through `rest`.
    pub(crate) fn advance(&mut self, bytes: usize) {
        self.skip_space();
        self.pos += bytes;
    }

    /// Takes characters while `test` holds.
    pub(crate) fn take_while(&mut self, test: impl Fn(char) -> bool) -> &'a str {
        self.skip_space();
        let rest = self.rest();
        let length = rest.find(|c| !test(c)).unwrap_or(rest.len());
        self.pos += length;
        &rest[..length]
    }

    /// A string between `quote` characters, with Rust's escapes.
    pub fn quoted(&mut self, quote: char) -> Parse<String> {
        self.skip_space();
        if !self.rest().starts_with(quote) {
            return self.expected(if quote == '"' {
                "a string"
            } else {
                "a quoted name"
            });
        }
        let mut out = String::new();
        let mut chars = self.text[self.pos + 1..].char_indices();
        let base = self.pos + 1;
        while let Some((at, c)) = chars.next() {
            if c == quote {
                self.pos = base + at + 1;
                return Ok(out);
            }
            if c != '\\' {
                out.push(c);
                continue;
            }
            let bad = |cursor: &mut Self| {
                cursor.pos = base + at;
                cursor.error("unknown escape sequence")
            };
            match chars.next().map(|(_, c)| c) {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('r') => out.push('\r'),
                Some('0') => out.push('\0'),
                Some(c @ ('\\' | '\'' | '"' | '`')) => out.push(c),
                Some('u') => {
                    let tail = chars.as_str();
                    let Some((hex, _)) = tail.strip_prefix('{').and_then(|t| t.split_once('}'))
                    else {
                        return bad(self);
                    };
                    match u32::from_str_radix(hex, 16).ok().and_then(char::from_u32) {
                        Some(c) => out.push(c),
                        None => return bad(self),
                    }
                    for _ in 0..hex.chars().count() + 2 {
                        chars.next();
                    }
                }
                _ => return bad(self),
            }
        }
        self.expected("a closing quote")
    }

    /// A comma-separated list up to `close`, whose opening bracket has been read.
    pub(crate) fn list<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        let mut items = Vec::new();
        loop {
            if self.eat(close) {
                return Ok(items);
            }
            if !items.is_empty() {
                self.expect(",")?;
                // A trailing comma, as in `(1,)`.
                if self.eat(close) {
                    return Ok(items);
                }
            }
            items.push(item(self)?);
        }
    }
}
