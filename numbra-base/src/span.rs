//! Source positions.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A source file, as an index into the Session's list of paths. File 0 is "unknown".
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub struct FileId(pub u32);

/// A range of source text as CPython's `co_positions()` gives it: lines are 1-based, columns are
/// 0-based UTF-8 byte offsets. Line 0 means "no position".
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub struct Span {
    pub file: FileId,
    pub line: u32,
    pub col: u32,
    pub end_line: u32,
    pub end_col: u32,
}

impl Span {
    /// The absent position.
    pub const NONE: Span = Span {
        file: FileId(0),
        line: 0,
        col: 0,
        end_line: 0,
        end_col: 0,
    };

    /// True if this span points at source text.
    pub fn is_known(&self) -> bool {
        self.line != 0
    }

    /// A span covering a whole line, for code objects that carry no columns.
    pub fn of_line(file: FileId, line: u32) -> Span {
        Span {
            file,
            line,
            col: 0,
            end_line: line,
            end_col: 0,
        }
    }

    /// The smallest span that covers both; unknown spans are ignored.
    pub fn to(self, other: Span) -> Span {
        if !self.is_known() {
            return other;
        }
        if !other.is_known() || other.file != self.file {
            return self;
        }
        let (start, end) = (
            (self.line, self.col).min((other.line, other.col)),
            (self.end_line, self.end_col).max((other.end_line, other.end_col)),
        );
        Span {
            file: self.file,
            line: start.0,
            col: start.1,
            end_line: end.0,
            end_col: end.1,
        }
    }
}

/// Prints `line:col-end_line:end_col`, or `?` when unknown. The form the textual IRs use after `@`.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_known() {
            return f.write_str("?");
        }
        write!(
            f,
            "{}:{}-{}:{}",
            self.line, self.col, self.end_line, self.end_col
        )
    }
}

impl std::str::FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Span, String> {
        if text == "?" {
            return Ok(Span::NONE);
        }
        let bad = || format!("`{text}` is not a span `line:col-line:col`");
        let (a, b) = text.split_once('-').ok_or_else(bad)?;
        let point = |s: &str| -> Result<(u32, u32), String> {
            let (line, col) = s.split_once(':').ok_or_else(bad)?;
            Ok((
                line.parse().map_err(|_| bad())?,
                col.parse().map_err(|_| bad())?,
            ))
        };
        let ((line, col), (end_line, end_col)) = (point(a)?, point(b)?);
        Ok(Span {
            file: FileId(0),
            line,
            col,
            end_line,
            end_col,
        })
    }
}
