//! Fixtures: code objects made by real interpreters.
#![allow(dead_code, reason = "each test file uses a part")]

pub(crate) mod mutate;

use numbra_base::FileId;
use numbra_bytecode::dfg::{ValueId, ValueKind};
use numbra_bytecode::{CodeObject, Dfg, Error, Version};
use std::path::{Path, PathBuf};

pub(crate) fn fixture_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

pub(crate) fn versions() -> impl Iterator<Item = Version> {
    Version::ALL.into_iter()
}

/// Names of all fixtures, sorted.
pub(crate) fn fixture_names() -> Vec<String> {
    let entries = std::fs::read_dir(fixture_dir().join("3.11")).expect("fixtures are committed");
    let mut names: Vec<String> = entries
        .filter_map(|e| {
            Some(
                e.ok()?
                    .file_name()
                    .to_str()?
                    .strip_suffix(".json")?
                    .to_owned(),
            )
        })
        .collect();
    names.sort();
    assert!(names.len() > 100, "fixtures are missing");
    names
}

pub(crate) fn fixture(version: Version, name: &str) -> CodeObject {
    let path = fixture_dir()
        .join(version.name())
        .join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The graph's text, or the error.
pub(crate) fn dfg_text(version: Version, name: &str) -> String {
    match Dfg::of_code(&fixture(version, name), FileId(1)) {
        Ok(dfg) => dfg.to_text(),
        Err(Error::Unsupported { reason, .. }) => format!("unsupported: {}\n", reason.message()),
        Err(error) => format!("error: {error}\n"),
    }
}

/// Compares with a golden file; `BLESS=1` rewrites it.
pub(crate) fn golden(path: &Path, actual: &str) {
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("golden files are in a folder"))
            .expect("golden folder");
        std::fs::write(path, actual).expect("golden file");
        return;
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        expected == actual,
        "{} differs (BLESS=1 rewrites it); now:\n{actual}",
        path.display()
    );
}

/// Checks what every data-flow graph promises.
pub(crate) fn check_dfg(dfg: &Dfg) -> Result<(), String> {
    let mut defined_in = vec![None; dfg.values.len()];
    let mut define = |value: ValueId, block: usize, at: usize| match defined_in[value.index()]
        .replace((block, at))
    {
        Some(_) => Err(format!("{value} is defined twice")),
        None => Ok(()),
    };
    for (b, block) in dfg.blocks.iter().enumerate() {
        for &param in block.params.iter().chain(&block.caught) {
            define(param, b, 0)?;
        }
        for (i, inst) in block.insts.iter().enumerate() {
            for &result in &inst.results {
                define(result, b, i + 1)?;
            }
        }
        for edge in block.term.edges().into_iter().chain(&block.handler) {
            let target = dfg
                .blocks
                .get(edge.target.index())
                .ok_or("edge to nowhere")?;
            if edge.target.index() == 0 || target.params.len() != edge.args.len() {
                return Err(format!("bb{b}: edge to {} does not fit", edge.target));
            }
        }
    }
    let flow = dfg.flow();
    let tree = flow.dominator_tree();
    let check = |value: ValueId, block: usize, at: usize| match (
        dfg.value(value).kind,
        defined_in[value.index()],
    ) {
        (ValueKind::Const(_), None) => Ok(()),
        (_, Some((b, i)))
            if if b == block {
                i <= at
            } else {
                tree.dominates(b, block)
            } =>
        {
            Ok(())
        }
        _ => Err(format!("bb{block}: {value} is not defined here")),
    };
    for (b, block) in dfg.blocks.iter().enumerate() {
        if !flow.is_reachable(b) {
            return Err(format!("bb{b} is not reachable"));
        }
        for (i, inst) in block.insts.iter().enumerate() {
            inst.operands.iter().try_for_each(|&v| check(v, b, i))?;
        }
        let end = block.insts.len();
        block
            .term
            .operands()
            .into_iter()
            .try_for_each(|v| check(v, b, end))?;
        for edge in block.term.edges() {
            edge.args.iter().try_for_each(|&v| check(v, b, end))?;
        }
        // Exceptions may fly before the first instruction.
        block
            .handler
            .iter()
            .flat_map(|e| &e.args)
            .try_for_each(|&v| check(v, b, 0))?;
    }
    Ok(())
}
