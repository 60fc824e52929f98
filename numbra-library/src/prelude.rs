//! Prelude bodies: functions written in Python under `prelude/`, stored as IR text.
//!
//! `prelude/generate.py` stores the code objects of each `prelude/*.py`; the test `prelude` compiles them through numbra's
//! own front end, checks that all versions of CPython give one IR, and keeps it in `prelude/*.nir`. Users load the IR only.
//!
//! A source may ask the compiler about types with `static_if("predicate", x)`: a call of a name in [`PREDICATES`] that is
//! decided from the argument's type before inference, so that the branch not taken is never typed.

use crate::TypePattern;
use numbra_base::Origin;
use numbra_ir::parse_func;
use numbra_ir::{Func, ObjDesc, ObjKind, Scalar, Types};

/// A file of the prelude.
#[derive(Clone, Copy, Debug)]
pub struct PreludeFile {
    /// File name without extension.
    pub name: &'static str,
    /// The Python source.
    pub source: &'static str,
    /// The IR text of its functions.
    pub ir: &'static str,
}

macro_rules! files {
    ($($name:literal),*$(,)?) => {
        &[$(PreludeFile {
            name: $name,
            source: include_str!(concat!("../../prelude/", $name, ".py")),
            ir: include_str!(concat!("../../prelude/", $name, ".nir")),
        }),*]
    };
}

mod files;
pub use files::FILES;

/// The IR of a prelude function; `None` if there is none. Positions are unknown: errors inside point at the user's call.
pub fn prelude_func(name: &str, types: &Types) -> Option<Func> {
    let mut func = parse_func(prelude_ir(name)?, types).ok()?;
    for desc in func.objects.values_mut() {
        desc.digest = Some(NO_DIGEST_NEEDED);
    }
    for stmt in func.insts.values_mut() {
        stmt.origin = Origin::Prelude;
    }
    Some(func)
}

/// The build is part of the cache's key, and what the prelude refers to is part of the build.
const NO_DIGEST_NEEDED: u64 = 0;

/// The IR text of a prelude function.
pub fn prelude_ir(name: &str) -> Option<&'static str> {
    FILES.iter().find_map(|file| {
        functions(file.ir).find_map(|text| {
            let rest = text.strip_prefix("function ")?;
            rest.strip_prefix(name)?.starts_with('(').then_some(text)
        })
    })
}

/// The texts of the functions of a file, each from its line `function name(..):` on.
pub fn functions(ir: &'static str) -> impl Iterator<Item = &'static str> {
    let mut starts: Vec<usize> = ir
        .match_indices("function ")
        .map(|(at, _)| at)
        .filter(|at| *at == 0 || ir[..*at].ends_with('\n'))
        .collect();
    starts.push(ir.len());
    (1..starts.len()).map(move |i| ir[starts[i - 1]..starts[i]].trim_end())
}

/// What a global name of the prelude's sources refers to.
pub fn describe_global(name: &str) -> Option<ObjDesc> {
    let (qualified, kind, repr) = match name {
        "np" => (
            "numpy".to_owned(),
            ObjKind::Module,
            "<module 'numpy'>".to_owned(),
        ),
        "math" | "cmath" | "heapq" => (
            name.to_owned(),
            ObjKind::Module,
            format!("<module '{name}'>"),
        ),
        "typed_list" | "typed_set" => (
            name.replacen('_', ".", 1),
            ObjKind::Function,
            format!("<function {name}>"),
        ),
        "unwrapped" => (
            "optional.value".to_owned(),
            ObjKind::Function,
            format!("<function {name}>"),
        ),
        "static_if" => (
            name.to_owned(),
            ObjKind::Function,
            format!("<function {name}>"),
        ),
        "ValueError" | "IndexError" | "TypeError" | "ZeroDivisionError" | "OverflowError"
        | "StopIteration" => (
            format!("builtins.{name}"),
            ObjKind::Class,
            format!("<class '{name}'>"),
        ),
        _ => {
            let qualified = format!("builtins.{name}");
            crate::Library::standard().lookup(&qualified)?;
            if CLASSES.contains(&name) {
                (qualified, ObjKind::Class, format!("<class '{name}'>"))
            } else {
                (
                    qualified,
                    ObjKind::Function,
                    format!("<built-in function {name}>"),
                )
            }
        }
    };
    Some(ObjDesc {
        name: qualified,
        kind,
        repr,
        digest: Some(NO_DIGEST_NEEDED),
    })
}

/// Builtins that are classes.
const CLASSES: &[&str] = &[
    "bool",
    "complex",
    "enumerate",
    "filter",
    "float",
    "int",
    "list",
    "map",
    "range",
    "reversed",
    "set",
    "slice",
    "tuple",
    "type",
    "zip",
];

/// Predicates of `static_if`, by name.
pub const PREDICATES: &[(&str, TypePattern)] = &[
    ("is_array", TypePattern::Array),
    ("is_bool", TypePattern::Bool),
    ("is_complex", TypePattern::Complex),
    ("is_float", TypePattern::Float),
    ("is_int", TypePattern::Int),
    ("is_integral", TypePattern::Integral),
    ("is_none", TypePattern::None),
    ("is_real", TypePattern::Real),
    ("is_scalar", TypePattern::Scalar),
    ("is_tuple", TypePattern::Tuple),
    (
        "is_unsigned",
        TypePattern::OneOf(&[
            TypePattern::Is(Scalar::UInt8),
            TypePattern::Is(Scalar::UInt16),
            TypePattern::Is(Scalar::UInt32),
            TypePattern::Is(Scalar::UInt64),
        ]),
    ),
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
    FILES.iter().find_map(|file| {
        let (start, end, line) = find_function(file.source, name)?;
        Some(PreludeSource {
            file: file.name,
            text: file.source[start..end].trim_end(),
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
