//! Prelude bodies: functions written in Python under `prelude/`, stored as IR text.
//!
//! `cargo xtask prelude` compiles each `prelude/*.py` through numbra's own front end and writes one `prelude/*.nir` beside
//! it with the functions of that file; both are committed. The text of a function starts at a line `; function: name`.
//!
//! A source may ask the compiler about types with `static_if("predicate", x)`: a call of a name in [`PREDICATES`] that is
//! decided from the argument's type before inference, so that the branch not taken is never typed.

use crate::TypePattern;

/// The sources, by file name without extension.
pub const SOURCES: &[(&str, &str)] = &[
    ("cmath", include_str!("../prelude/cmath.py")),
    ("creation", include_str!("../prelude/creation.py")),
    ("iterables", include_str!("../prelude/iterables.py")),
];

/// Predicates of `static_if`, by name.
pub const PREDICATES: &[(&str, TypePattern)] = &[
    ("is_array", TypePattern::Array),
    ("is_bool", TypePattern::Bool),
    ("is_complex", TypePattern::Complex),
    ("is_float", TypePattern::Float),
    ("is_int", TypePattern::Int),
    ("is_none", TypePattern::None),
    ("is_real", TypePattern::Real),
    ("is_scalar", TypePattern::Scalar),
    ("is_tuple", TypePattern::Tuple),
];

/// A predicate of `static_if`.
pub fn predicate(name: &str) -> Option<TypePattern> {
    PREDICATES.iter().find(|(n, _)| *n == name).map(|(_, p)| *p)
}

/// A prelude function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PreludeSource {
    /// File name without extension.
    pub file: &'static str,
    /// Its text, from the decorator or `def` line to the last line of the body.
    pub text: &'static str,
    /// Line of the text's first line in the file, from 1.
    pub line: u32,
}

/// The Python source of a prelude function.
pub fn prelude_source(name: &str) -> Option<PreludeSource> {
    SOURCES.iter().find_map(|(file, text)| {
        let (start, end, line) = find_function(text, name)?;
        Some(PreludeSource {
            file,
            text: text[start..end].trim_end(),
            line,
        })
    })
}

/// Byte range and first line of `def name(..)` at the top level, with its decorators.
fn find_function(text: &str, name: &str) -> Option<(usize, usize, u32)> {
    let mut at = 0;
    let mut start = None;
    let mut found: Option<(usize, u32)> = None;
    for (line, content) in text.split_inclusive('\n').enumerate() {
        let line = line as u32 + 1;
        let top = !content.starts_with([' ', '\t', '\n', '\r', ')']);
        if top {
            if let Some((from, first)) = found {
                return Some((from, at, first));
            }
            if content.starts_with('@') {
                start.get_or_insert((at, line));
            } else if let Some(rest) = content.strip_prefix("def ") {
                let begin = start.take().unwrap_or((at, line));
                if rest.split_once('(').is_some_and(|(n, _)| n == name) {
                    found = Some(begin);
                }
            } else {
                start = None;
            }
        }
        at += content.len();
    }
    found.map(|(from, first)| (from, text.len(), first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_function_with_its_decorator() {
        let text =
            "import x\n\n@overload(\n    f)\ndef a(x):\n    return 1\n\ndef b(x):\n    return 2\n";
        assert_eq!(find_function(text, "b").map(|f| f.2), Some(8));
        let (start, end, line) = find_function(text, "a").expect("a is there");
        assert_eq!(
            (line, text[start..end].trim_end()),
            (3, "@overload(\n    f)\ndef a(x):\n    return 1")
        );
        assert_eq!(find_function(text, "c"), None);
    }
}
