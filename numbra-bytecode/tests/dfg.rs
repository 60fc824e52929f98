//! One function gives one data-flow graph on every version; goldens of the graphs.

mod common;

use common::{dfg_text, fixture_names, versions};

/// Functions whose graphs differ by version, and why.
const EXCEPTIONS: &[(&str, &str)] = &[];

#[test]
fn graphs_are_equal_on_all_versions() {
    let mut different = Vec::new();
    for name in fixture_names() {
        let texts: Vec<String> = versions().map(|v| dfg_text(v, &name)).collect();
        let differs = texts.iter().any(|t| *t != texts[0]);
        let expected = EXCEPTIONS.iter().any(|(n, _)| *n == name);
        if differs != expected {
            different.push(name.clone());
            if std::env::var("SHOW").is_ok_and(|s| s == "all" || s == name) {
                for (v, t) in versions().zip(&texts) {
                    println!("==== {} {name}\n{t}", v.name());
                }
            }
        }
    }
    assert!(
        different.is_empty(),
        "different (or listed but equal): {different:?}"
    );
}
