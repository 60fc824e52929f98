//! `docs/supported.md`, from the rows.

use crate::{Body, Code, Library, ResultRule, Row, RowKind, Targets};
use std::fmt::Write;

/// The whole document: one table a module or family, in order of first appearance.
pub fn render_supported(library: &Library) -> String {
    let mut text = String::from(
        "# Supported functions\n\nGenerated from the rows of numbra-library by `cargo xtask bless`; do not edit.\n",
    );
    let mut groups: Vec<(&str, Vec<&'static Row>)> = Vec::new();
    for (_, row) in library.rows() {
        let group = row.name.split('.').next().unwrap_or(row.name);
        match groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, rows)) => rows.push(row),
            None => groups.push((group, vec![row])),
        }
    }
    for (group, mut rows) in groups {
        rows.sort_by_key(|row| row.name);
        let _ = write!(
            text,
            "\n## {group}\n\n| name | meaning | types | effects | targets |\n|---|---|---|---|---|\n"
        );
        for row in rows {
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} |",
                name_cell(row),
                escape(row.doc),
                types_cell(row),
                row.effects.names(),
                match row.targets {
                    Targets::Cpu if row.bodies.iter().any(|b| b.on == Targets::Gpu) => {
                        "CPU, some on GPU"
                    }
                    Targets::All => "all",
                    Targets::Cpu => "CPU",
                    Targets::Gpu => "GPU",
                }
            );
        }
    }
    text
}

fn name_cell(row: &Row) -> String {
    let mut cell = match row.kind {
        RowKind::Attribute => {
            format!("`{}`", row.name.rsplit('.').next().unwrap_or(row.name))
        }
        RowKind::Function | RowKind::Operator | RowKind::Method | RowKind::Protocol => {
            format!("`{}`", row.signature_text())
        }
    };
    for other in row.aliases.iter().chain(row.methods) {
        let _ = write!(cell, " `{other}`");
    }
    cell
}

fn types_cell(row: &Row) -> String {
    let bodies = row.bodies.iter().filter(|body| body.on != Targets::Gpu);
    let mut cells: Vec<String> = bodies.filter_map(body_types).collect();
    // Bodies that differ in their guards only.
    cells.dedup();
    cells.join("; ")
}

fn body_types(body: &Body) -> Option<String> {
    match (body.result, body.code) {
        (ResultRule::Cases(cases), _) => {
            let signatures: Vec<String> = cases
                .iter()
                .map(|case| {
                    let params: Vec<&str> = case.params.iter().map(|s| s.name()).collect();
                    format!("{} -> {}", params.join(", "), case.ret.name())
                })
                .collect();
            Some(signatures.join(", "))
        }
        (_, Code::Elementwise(ufunc)) => {
            let loops: Vec<&str> = ufunc.loops.iter().map(|group| group.types).collect();
            Some(format!("loops `{}`", loops.join(" ")))
        }
        (_, Code::ElementwiseInPlace(_)) => Some("array in place".to_owned()),
        (_, Code::Intrinsic(_) | Code::Native(_) | Code::Prelude(_)) if body.when.is_empty() => {
            None
        }
        (_, Code::Intrinsic(_) | Code::Native(_) | Code::Prelude(_)) => {
            let patterns: Vec<String> = body.when.iter().map(|p| p.describe()).collect();
            Some(patterns.join(", "))
        }
    }
}

fn escape(doc: &str) -> String {
    let joined: Vec<&str> = doc.split_whitespace().collect();
    joined.join(" ").replace('|', "\\|")
}
