//! One function gives one data-flow graph on every version; goldens of the graphs.

mod common;

use common::{dfg_text, fixture, fixture_dir, fixture_names, golden, versions};
use numbra_base::FileId;
use numbra_bytecode::{Dfg, Version};

#[test]
fn graphs_are_equal_on_all_versions() {
    let mut different = Vec::new();
    for name in fixture_names() {
        let texts: Vec<String> = versions().map(|v| dfg_text(v, &name)).collect();
        if texts.iter().any(|t| *t != texts[0]) {
            different.push(name);
        }
    }
    assert!(different.is_empty(), "different: {different:?}");
}

#[test]
fn graphs_match_goldens() {
    let goldens = fixture_dir().join("../tests/goldens/dfg");
    for name in fixture_names() {
        golden(
            &goldens.join(format!("{name}.txt")),
            &dfg_text(Version::Py315, &name),
        );
    }
}

/// Every instruction has a source position, but for what the compiler adds at the end of a function.
#[test]
fn instructions_have_positions() {
    let (mut known, mut total) = (0, 0);
    for version in versions() {
        for name in fixture_names() {
            let Ok(dfg) = Dfg::of_code(&fixture(version, &name), FileId(1)) else {
                continue;
            };
            for inst in dfg.blocks.iter().flat_map(|b| &b.insts) {
                total += 1;
                known += usize::from(inst.span.is_known() && inst.span.end_line >= inst.span.line);
            }
        }
    }
    assert!(known * 1000 >= total * 995, "{known} of {total}");
}

#[test]
fn json_round_trips() {
    for name in fixture_names() {
        let code = fixture(Version::Py312, &name);
        let text = serde_json::to_string(&code).expect("code objects serialise");
        assert_eq!(
            code,
            serde_json::from_str(&text).expect("and come back"),
            "{name}"
        );
        if let Ok(dfg) = Dfg::of_code(&code, FileId(1)) {
            let text = serde_json::to_string(&dfg).expect("graphs serialise");
            assert_eq!(
                dfg,
                serde_json::from_str(&text).expect("and come back"),
                "{name}"
            );
            assert!(dfg.to_dot().starts_with("digraph"), "{name}");
        }
    }
}

/// The graph is well formed: edges fit parameters, and every value is defined once, before its uses.
#[test]
fn graphs_are_well_formed() {
    for version in versions() {
        for name in fixture_names() {
            if let Ok(dfg) = Dfg::of_code(&fixture(version, &name), FileId(1)) {
                common::check_dfg(&dfg).unwrap_or_else(|e| {
                    panic!("{} {name}: {e}\n{}", version.name(), dfg.to_text())
                });
            }
        }
    }
}
