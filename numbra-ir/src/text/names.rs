//! Which names print plainly, and names of library rows.

use crate::{BodyIx, RowId};
use std::borrow::Cow;

/// Names of library rows, supplied by whoever prints or parses typed text.
pub trait RowNames {
    /// The name of a row, if it has one; else `row12` is printed.
    fn row_name(&self, row: RowId) -> Option<Cow<'_, str>>;
    /// The row of a name.
    fn row_of_name(&self, name: &str) -> Option<RowId>;

    /// True if there is such a body of a row, as far as is known.
    fn has_body(&self, _row: RowId, _body: BodyIx) -> bool {
        true
    }
}

/// No names: rows print as `row12`.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoRows;

impl RowNames for NoRows {
    fn row_name(&self, _: RowId) -> Option<Cow<'_, str>> {
        None
    }

    fn row_of_name(&self, _: &str) -> Option<RowId> {
        None
    }
}

/// Words that start statements or right-hand sides; variables of these names are quoted.
const KEYWORDS: &[&str] = &[
    "arg",
    "branch",
    "build_list",
    "build_map",
    "build_set",
    "build_string",
    "build_tuple",
    "call",
    "cast",
    "check_assigned",
    "const",
    "del",
    "dynamic_raise",
    "end",
    "enter_with",
    "exception_match",
    "exhaust_iter",
    "freevar",
    "function",
    "getattr",
    "getitem",
    "getiter",
    "global",
    "in",
    "inplace",
    "is",
    "iternext",
    "jump",
    "make_function",
    "nested",
    "not",
    "null",
    "pair_first",
    "pair_second",
    "phi",
    "pop_block",
    "print",
    "raise",
    "return",
    "static",
    "static_getitem",
    "static_setitem",
    "store_map",
    "undef",
    "undefined",
    "var",
    "yield",
];

/// Length in bytes of the plain name that `text` starts with.
pub(super) fn plain_prefix(text: &str) -> usize {
    if text.starts_with(|c: char| c.is_numeric()) {
        return 0;
    }
    text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '$')))
        .unwrap_or(text.len())
}

/// True for `bb12` and the like.
fn is_entity(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix)
        .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// A name as text, in back quotes where it would be misread.
pub fn quote_name(name: &str) -> Cow<'_, str> {
    let plain = !name.is_empty()
        && plain_prefix(name) == name.len()
        && KEYWORDS.binary_search(&name).is_err()
        && !["bb", "obj", "fn", "row"]
            .iter()
            .any(|p| is_entity(name, p));
    if plain {
        return Cow::Borrowed(name);
    }
    let mut text = String::from("`");
    for c in name.chars() {
        match c {
            '`' => text.push_str("\\`"),
            '"' | '\'' => text.push(c),
            c => text.extend(c.escape_debug()),
        }
    }
    text.push('`');
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted() {
        assert!(KEYWORDS.is_sorted());
    }

    #[test]
    fn names_are_quoted_only_where_needed() {
        assert_eq!(quote_name("x.1"), "x.1");
        assert_eq!(quote_name("$3"), "$3");
        assert_eq!(quote_name(".0"), ".0");
        assert_eq!(quote_name("bb1"), "`bb1`");
        assert_eq!(quote_name("call"), "`call`");
        assert_eq!(quote_name("f.<locals>.g"), "`f.<locals>.g`");
    }
}
