//! Native bodies allocate what their data decide through `numbra_memory`, so that memory that runs out is a MemoryError.

use crate::source_tree::SourceTree;
use crate::tidy::Findings;

/// Crates whose code runs for compiled code.
const CRATES: &[&str] = &["numbra-runtime/src/", "numbra-linalg/src/"];

/// Kernels on the CPU: who launches them allocates for their threads.
const OTHER: &[&str] = &["numbra-runtime/src/device/"];

/// What ends the process where there is no memory.
const MARKS: &[&str] = &[
    "Vec::with_capacity(",
    "vec![",
    ".collect()",
    ".collect::<",
    ".to_vec()",
    ".concat()",
    "Box::new(",
    ".sort()",
    ".sort_by(",
    ".sort_by_key(",
    ".repeat(",
];

/// Files with such calls whose sizes no data decide, their number, and what they hold.
const BOUNDED: &[(&str, usize, &str)] = &[
    ("numbra-runtime/src/array.rs", 1, "axes"),
    ("numbra-runtime/src/counts.rs", 1, "a counter of a thread"),
    (
        "numbra-runtime/src/dict.rs",
        1,
        "a dictionary without its entries",
    ),
    ("numbra-runtime/src/handled.rs", 1, "an exception"),
    ("numbra-runtime/src/numpy/create.rs", 2, "one number, axes"),
    ("numbra-runtime/src/numpy/fourier.rs", 1, "axes"),
    ("numbra-runtime/src/numpy/index.rs", 4, "axes"),
    (
        "numbra-runtime/src/numpy/polynomial.rs",
        4,
        "axes, one item",
    ),
    ("numbra-runtime/src/numpy/products.rs", 1, "axes"),
    ("numbra-runtime/src/numpy/select.rs", 1, "axes"),
    ("numbra-runtime/src/numpy/shapes.rs", 2, "axes in a message"),
    (
        "numbra-runtime/src/numpy/statistics.rs",
        3,
        "axes, one number",
    ),
    ("numbra-runtime/src/numpy/views.rs", 4, "axes, one bound"),
    (
        "numbra-runtime/src/parallel/parts.rs",
        2,
        "parts for threads",
    ),
    ("numbra-runtime/src/parallel/pool.rs", 1, "the pool"),
    ("numbra-runtime/src/print.rs", 1, "a piece of a string"),
    ("numbra-runtime/src/random/choose.rs", 1, "axes"),
    ("numbra-runtime/src/round.rs", 3, "digits of a number"),
    (
        "numbra-runtime/src/set.rs",
        4,
        "a set without its items, parts of an item",
    ),
    ("numbra-runtime/src/sort.rs", 1, "parts of an item"),
    ("numbra-runtime/src/table.rs", 1, "the table of bodies"),
    ("numbra-runtime/src/text/case.rs", 2, "three characters"),
    (
        "numbra-runtime/src/text/compare.rs",
        2,
        "what walks over an array",
    ),
    ("numbra-runtime/src/value.rs", 1, "kinds of items"),
];

/// Compares the calls of each file with the table.
pub(crate) fn check(tree: &SourceTree) -> Result<Findings, String> {
    let mut found = Findings::default();
    for file in tree.with_extension("rs") {
        let path = file.path.as_str();
        let within = |all: &[&str]| all.iter().any(|start| path.starts_with(start));
        if !within(CRATES) || within(OTHER) || path.ends_with("tests.rs") {
            continue;
        }
        let lines = calls(&file.text);
        let allowed = BOUNDED.iter().find(|row| row.0 == path);
        let allowed = allowed.map_or(0, |row| row.1);
        if lines.len() != allowed {
            found.errors.push(format!(
                "{path}: {} calls that end the process where memory runs out, {allowed} known to be of bounded size: use \
                 `numbra_memory`, or add to the table what they hold (lines {lines:?})",
                lines.len()
            ));
        }
    }
    Ok(found)
}

/// Lines with such calls, before the tests.
fn calls(text: &str) -> Vec<usize> {
    let code = text.lines().zip(1..);
    let code = code.take_while(|(line, _)| *line != "mod tests {");
    code.filter(|(line, _)| !line.trim_start().starts_with("//"))
        .filter(|(line, _)| {
            let small = line.replace("smallvec![", "");
            MARKS.iter().any(|mark| small.contains(mark))
        })
        .map(|(_, number)| number)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::calls;

    #[test]
    fn calls_are_found_before_the_tests() {
        let text = "let a = vec![0; n];\n// vec![0; n]\nlet s = smallvec![0; n];\nx.collect()\nmod tests {\nvec![1]\n";
        assert_eq!(calls(text), [1, 4]);
    }
}
