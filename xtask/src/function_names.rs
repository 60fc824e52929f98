//! What compiles a call knows the function by its row and the runtime by its table: it names neither.

use crate::source_tree::SourceTree;
use crate::tidy::Findings;

/// Where no name stands.
const CODE: &[&str] = &[
    "numbra-driver/src/",
    "numbra-lower/src/lowering/",
    "numbra-opt/src/",
    "numbra-parallel/src/",
    "numbra-typeinfer/src/",
];

/// What is said of wrong calls of a function.
const MESSAGES: &str = "numbra-typeinfer/src/report/";

/// How the names begin.
const MARKS: &[&str] = &["\"numbra_rt_", "\"numbra_np_", "\"numpy.", "\"np."];

/// Files with such words that are no functions, their number, and what they are.
const OTHER: &[(&str, usize, &str)] = &[
    ("numbra-lower/src/lowering/array/axes.rs", 1, "a message"),
    ("numbra-typeinfer/src/attributes.rs", 1, "modules"),
    ("numbra-typeinfer/src/values.rs", 8, "abstract classes"),
];

/// Compares the names in each file with the table.
pub(crate) fn check(tree: &SourceTree) -> Result<Findings, String> {
    let mut found = Findings::default();
    for file in tree.with_extension("rs") {
        let path = file.path.as_str();
        let compiles = CODE.iter().any(|start| path.starts_with(start));
        if !compiles || path.starts_with(MESSAGES) {
            continue;
        }
        let lines = names(&file.text);
        let other = OTHER.iter().find(|row| row.0 == path);
        if lines.len() != other.map_or(0, |row| row.1) {
            found.errors.push(format!(
                "{path}: names functions (lines {lines:?}): what is special about one is a property of its row, or of \
                 `numbra_abi::NativeId`"
            ));
        }
    }
    Ok(found)
}

/// Lines of code with such names.
fn names(text: &str) -> Vec<usize> {
    text.lines()
        .zip(1..)
        .filter(|(line, _)| !line.trim_start().starts_with("//"))
        .filter(|(line, _)| MARKS.iter().any(|mark| line.contains(mark)))
        .map(|(_, number)| number)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn names_are_found_in_code() {
        let text = "match name {\n\"numpy.sum\" => 1,\n// \"numpy.sum\"\n_ => call(\"numbra_rt_alloc\"),\n}\n";
        assert_eq!(names(text), [2, 4]);
    }
}
