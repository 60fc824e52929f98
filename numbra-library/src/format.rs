//! Formats of text that are known when code is compiled: those of `%` and of `str.format`.

/// A piece of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Text as it is.
    Text(String),
    /// A value that is written here.
    Field(Field),
}

/// A value that is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Which one of the arguments.
    pub arg: usize,
    /// What is written.
    pub form: Form,
    /// How: a format specification of Python in pieces, whose values are written as `{}` writes them.
    pub spec: Vec<Piece>,
}

/// What a field writes of its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `format(x, spec)`
    Format,
    /// `format(str(x), spec)`
    Str,
    /// `format(repr(x), spec)`
    Repr,
    /// A number by `%`, which takes floats as integers.
    Number,
    /// A character, or the number of one.
    Character,
}

/// Why a format is wrong, or which of Python's is not known here.
pub type FormatError = String;

/// The pieces of a format of `%`, and how many values it takes.
pub fn percent(format: &str) -> Result<(Vec<Piece>, usize), FormatError> {
    let mut pieces = Pieces::default();
    let mut count = 0;
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '%' {
            pieces.push(c);
            continue;
        }
        let mut spec = Spec::default();
        while let Some(flag) = chars.next_if(|c| "-+ #0".contains(*c)) {
            match flag {
                '-' => spec.left = true,
                '0' => spec.zeros = true,
                '#' => spec.alternate = true,
                sign if spec.sign != Some('+') => spec.sign = Some(sign),
                _ => {}
            }
        }
        spec.width = digits(&mut chars);
        if chars.next_if_eq(&'.').is_some() {
            let precision = digits(&mut chars);
            spec.precision = Some(if precision.is_empty() {
                "0".to_owned()
            } else {
                precision
            });
        }
        // A length says nothing in Python.
        chars.next_if(|c| "hlL".contains(*c));
        let Some(code) = chars.next() else {
            return Err("incomplete format".to_owned());
        };
        let form = match code {
            '%' => {
                pieces.push('%');
                continue;
            }
            's' => Form::Str,
            'r' => Form::Repr,
            'c' => Form::Character,
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' if spec.precision.is_some() => {
                return Err("a precision of integers is not known to compiled code".to_owned());
            }
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' => Form::Number,
            '*' => return Err("`*` in formats is not known to compiled code".to_owned()),
            '(' => return Err("names in formats of `%` are not known to compiled code".to_owned()),
            code => return Err(format!("unsupported format character '{code}'")),
        };
        let text = spec.text(form, code);
        let mut pieces_of_spec = Pieces::default();
        text.chars().for_each(|c| pieces_of_spec.push(c));
        pieces.0.push(Piece::Field(Field {
            arg: count,
            form,
            spec: pieces_of_spec.0,
        }));
        count += 1;
    }
    Ok((pieces.0, count))
}

/// What stands between `%` and the character that says what is written.
#[derive(Default)]
struct Spec {
    left: bool,
    zeros: bool,
    alternate: bool,
    sign: Option<char>,
    width: String,
    precision: Option<String>,
}

impl Spec {
    /// As a format specification.
    fn text(&self, form: Form, code: char) -> String {
        let mut out = String::new();
        if !self.width.is_empty() {
            out.push_str(if self.left { "<" } else { ">" });
        }
        if form == Form::Number {
            if self.zeros && !self.left {
                out.clear();
            }
            out.extend(self.sign);
            if self.alternate {
                out.push('#');
            }
            if self.zeros && !self.left {
                out.push('0');
            }
        }
        out.push_str(&self.width);
        if let Some(precision) = self.precision.as_ref().filter(|_| form != Form::Character) {
            out.push('.');
            out.push_str(precision);
        }
        match (form, code) {
            (Form::Number, 'i' | 'u') => out.push('d'),
            (Form::Number, code) => out.push(code),
            _ => {}
        }
        out
    }
}

fn digits(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> String {
    let mut out = String::new();
    while let Some(digit) = chars.next_if(char::is_ascii_digit) {
        out.push(digit);
    }
    out
}

/// Pieces, of which two texts are one.
#[derive(Default)]
struct Pieces(Vec<Piece>);

impl Pieces {
    fn push(&mut self, c: char) {
        match self.0.last_mut() {
            Some(Piece::Text(text)) => text.push(c),
            _ => self.0.push(Piece::Text(c.into())),
        }
    }
}

/// The pieces of a format of `str.format`, whose arguments are counted or named: `names` are those of the last ones.
pub fn braces(format: &str, args: usize, names: &[&str]) -> Result<Vec<Piece>, FormatError> {
    let chars: Vec<char> = format.chars().collect();
    let mut reader = Reader {
        chars: &chars,
        at: 0,
        args,
        names,
        next: Some(0),
    };
    reader.pieces(0)
}

/// A format of `str.format` with numbers only: the named arguments follow the others.
pub fn numbered(format: &str, args: usize, names: &[&str]) -> Result<String, FormatError> {
    fn write(pieces: &[Piece], out: &mut String) {
        for piece in pieces {
            match piece {
                Piece::Text(text) => {
                    out.push_str(&text.replace('{', "{{").replace('}', "}}"));
                }
                Piece::Field(field) => {
                    let form = match field.form {
                        Form::Str => "!s",
                        Form::Repr => "!r",
                        Form::Format | Form::Number | Form::Character => "",
                    };
                    out.push_str(&format!("{{{}{form}:", field.arg));
                    write(&field.spec, out);
                    out.push('}');
                }
            }
        }
    }
    let mut out = String::new();
    write(&braces(format, args, names)?, &mut out);
    Ok(out)
}

struct Reader<'a> {
    chars: &'a [char],
    at: usize,
    args: usize,
    names: &'a [&'a str],
    /// The number of the next field that has none; `None` once one had one.
    next: Option<usize>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn takes(&mut self, c: char) -> bool {
        let is = self.peek() == Some(c);
        self.at += usize::from(is);
        is
    }

    /// Up to the end, or inside a field up to the brace that ends it.
    fn pieces(&mut self, depth: usize) -> Result<Vec<Piece>, FormatError> {
        let mut pieces = Pieces::default();
        while let Some(c) = self.peek() {
            match c {
                '}' if depth > 0 => break,
                '{' if depth == 0 && self.chars.get(self.at + 1) == Some(&'{') => {
                    pieces.push('{');
                    self.at += 2;
                }
                '}' if self.chars.get(self.at + 1) == Some(&'}') => {
                    pieces.push('}');
                    self.at += 2;
                }
                '}' => return Err("Single '}' encountered in format string".to_owned()),
                '{' if depth > 1 => return Err("Max string recursion exceeded".to_owned()),
                '{' => {
                    self.at += 1;
                    let field = self.field(depth)?;
                    pieces.0.push(Piece::Field(field));
                }
                c => {
                    pieces.push(c);
                    self.at += 1;
                }
            }
        }
        Ok(pieces.0)
    }

    /// Behind the brace that begins it.
    fn field(&mut self, depth: usize) -> Result<Field, FormatError> {
        let mut name = String::new();
        while let Some(c) = self.peek().filter(|c| !"!:}{".contains(*c)) {
            name.push(c);
            self.at += 1;
        }
        let arg = self.argument(&name)?;
        let mut form = Form::Format;
        if self.takes('!') {
            form = match self.peek() {
                Some('s') => Form::Str,
                Some('r') => Form::Repr,
                _ => {
                    return Err(
                        "a conversion in a format is `!s` or `!r` in compiled code".to_owned()
                    );
                }
            };
            self.at += 1;
        }
        let spec = match self.takes(':') {
            true => self.pieces(depth + 1)?,
            false => Vec::new(),
        };
        match self.takes('}') {
            true => Ok(Field { arg, form, spec }),
            false => Err("expected '}' before end of string".to_owned()),
        }
    }

    fn argument(&mut self, name: &str) -> Result<usize, FormatError> {
        if name.contains(['.', '[']) {
            let message = "attributes and items in formats are not known to compiled code";
            return Err(message.to_owned());
        }
        let positional = self.args - self.names.len();
        let arg = if name.is_empty() {
            let Some(next) = self.next else {
                let message =
                    "cannot switch from manual field specification to automatic field numbering";
                return Err(message.to_owned());
            };
            self.next = Some(next + 1);
            next
        } else if let Ok(number) = name.parse::<usize>() {
            if self.next.is_some_and(|next| next > 0) {
                let message =
                    "cannot switch from automatic field numbering to manual field specification";
                return Err(message.to_owned());
            }
            self.next = None;
            number
        } else {
            let named = self.names.iter().position(|known| *known == name);
            return named
                .map(|at| positional + at)
                .ok_or_else(|| format!("the format names `{name}`, which is no argument"));
        };
        match arg < positional {
            true => Ok(arg),
            false => Err(format!(
                "Replacement index {arg} out of range for positional args tuple"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[Piece]) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Field(field) => {
                format!("<{} {:?} {}>", field.arg, field.form, shown(&field.spec))
            }
        };
        pieces.iter().map(piece).collect()
    }

    #[test]
    fn formats_of_percent() {
        let read = |text: &str| match percent(text) {
            Ok((pieces, count)) => format!("{count}: {}", shown(&pieces)),
            Err(error) => error,
        };
        assert_eq!(read("a%%b%d"), "1: a%b<0 Number d>");
        assert_eq!(read("%5s|%-5.2s"), "2: <0 Str >5>|<1 Str <5.2>");
        assert_eq!(read("%+08.3f%i"), "2: <0 Number +08.3f><1 Number d>");
        assert_eq!(
            read("%-#6x% d%r"),
            "3: <0 Number <#6x><1 Number  d><2 Repr >"
        );
        assert_eq!(read("%.e"), "1: <0 Number .0e>");
        assert_eq!(read("%"), "incomplete format");
        assert_eq!(read("%y"), "unsupported format character 'y'");
    }

    #[test]
    fn formats_of_braces() {
        let read = |text: &str| match braces(text, 3, &["x"]) {
            Ok(pieces) => shown(&pieces),
            Err(error) => error,
        };
        assert_eq!(read("{{{}}} {:>4}"), "{<0 Format >} <1 Format >4>");
        assert_eq!(read("{:>{}}"), "<0 Format ><1 Format >>");
        assert_eq!(read("{1}{0!r:4}{x}"), "<1 Format ><0 Repr 4><2 Format >");
        assert_eq!(read("}"), "Single '}' encountered in format string");
        assert_eq!(read("{"), "expected '}' before end of string");
        assert!(read("{}{0}").starts_with("cannot switch"));
        assert!(read("{0}{}").starts_with("cannot switch"));
        assert_eq!(
            numbered("{{{x:>{}}|{!r}", 3, &["x"]),
            Ok("{{{2:>{0:}}|{1!r:}".to_owned())
        );
        assert!(read("{2}").starts_with("Replacement index 2"));
    }
}
