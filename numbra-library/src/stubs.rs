//! Stub files (`.pyi`) of what compiled code may call, from the rows: one a module, as editors read them.

use crate::{Case, DefaultValue, Library, Param, ParamKind, ResultRule, Row, RowKind};
use numbra_ir::Scalar;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The text of each stub file by its path below the folder of stubs: `numpy/random.pyi`.
///
/// A function without a table of types takes and gives `Any`; one with a table has an overload for each case.
pub fn render_stubs(library: &Library) -> BTreeMap<String, String> {
    let mut modules: BTreeMap<String, BTreeMap<&str, Vec<&'static Row>>> = BTreeMap::new();
    for (_, row) in library.rows() {
        if matches!(row.kind, RowKind::Protocol) {
            continue;
        }
        for name in std::iter::once(&row.name)
            .chain(row.aliases)
            .chain(row.methods)
        {
            let Some((module, short)) = name.rsplit_once('.') else {
                continue;
            };
            let rows = modules.entry(module.to_owned()).or_default();
            rows.entry(short).or_default().push(row);
        }
    }
    modules
        .into_iter()
        .map(|(module, rows)| {
            (
                format!("{}.pyi", module.replace('.', "/")),
                stub(&module, &rows),
            )
        })
        .collect()
}

fn stub(module: &str, rows: &BTreeMap<&str, Vec<&'static Row>>) -> String {
    let mut body = String::new();
    for (name, rows) in rows {
        let listed: usize = rows.iter().map(|row| cases(row).count()).sum();
        let plain = rows.iter().filter(|row| cases_only(row).is_none()).count();
        let overloads = listed + plain > 1;
        for row in rows {
            for case in cases(row) {
                let types: Vec<&str> = case.params.iter().map(|s| named(*s)).collect();
                function(&mut body, name, row, overloads, &types, named(case.ret));
            }
            if cases_only(row).is_none() {
                function(&mut body, name, row, overloads, &[], "Any");
            }
        }
    }
    let mut text = format!(
        "\"\"\"`{module}` as compiled code sees it. Generated from the rows of numbra-library; do not edit.\"\"\"\n\n"
    );
    if body.contains("@overload") {
        text.push_str(OVERLAPS);
    }
    text.push_str(match body.contains("@overload") {
        true => "from typing import Any, overload\n\n",
        false => "from typing import Any\n\n",
    });
    let used: Vec<&str> = SCALARS
        .iter()
        .copied()
        .filter(|name| body.contains(&format!(": {name}")) || body.contains(&format!("-> {name}:")))
        .filter(|name| !body.contains(&format!("def {name}(")))
        .collect();
    if !used.is_empty() {
        let _ = write!(text, "from numpy import {}\n\n", used.join(", "));
    }
    if body.contains(BFLOAT16) {
        let _ = write!(text, "{BFLOAT16} = Any\n\n");
    }
    text + &body
}

/// The name of a scalar: NumPy's, where it has one.
fn named(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::BFloat16 => BFLOAT16,
        other => other.name(),
    }
}

const BFLOAT16: &str = "bfloat16";

/// Scalar types that are not Python's own.
const SCALARS: [&str; 13] = [
    "complex64",
    "complex128",
    "float16",
    "float32",
    "float64",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
];

/// What mypy is told of overloads that overlap for it.
const OVERLAPS: &str = "\
# The first that fits is taken, as by the compiler; to checkers some of NumPy's scalars and `bfloat16` are one class.
# mypy: disable-error-code=\"overload-cannot-match, overload-overlap\"

";

/// The rows of a table of types, over all bodies.
fn cases(row: &'static Row) -> impl Iterator<Item = &'static Case> {
    row.bodies.iter().flat_map(|body| match body.result {
        ResultRule::Cases(cases) => cases,
        _ => &[],
    })
}

/// `Some` if tables say everything about the function.
fn cases_only(row: &Row) -> Option<()> {
    let tables = |body: &crate::Body| matches!(body.result, ResultRule::Cases(_));
    (!row.bodies.is_empty() && row.bodies.iter().all(tables)).then_some(())
}

fn function(out: &mut String, name: &str, row: &Row, overload: bool, types: &[&str], ret: &str) {
    if overload {
        out.push_str("@overload\n");
    }
    let doc: Vec<&str> = row.doc.split_whitespace().collect();
    let doc = doc.join(" ");
    if matches!(row.kind, RowKind::Attribute) {
        let _ = writeln!(out, "{name}: {ret}\nr\"\"\"{doc}\"\"\"\n");
        return;
    }
    let parameters = parameters(row.params, types);
    let _ = writeln!(out, "def {name}({parameters}) -> {ret}:");
    let _ = writeln!(out, "    r\"\"\"{doc}\"\"\"\n");
}

fn parameters(params: &[Param], types: &[&str]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let (mut positional, mut starred) = (false, false);
    for (at, param) in params.iter().enumerate() {
        if positional && param.kind != ParamKind::PositionalOnly {
            parts.push("/".to_owned());
            positional = false;
        }
        match param.kind {
            ParamKind::VarArgs => starred = true,
            ParamKind::KeywordOnly if !starred => {
                parts.push("*".to_owned());
                starred = true;
            }
            ParamKind::PositionalOnly => positional = true,
            ParamKind::Normal | ParamKind::KeywordOnly => {}
        }
        let star = if param.kind == ParamKind::VarArgs {
            "*"
        } else {
            ""
        };
        let ty = types.get(at).copied().unwrap_or("Any");
        let default = match param.default {
            None => String::new(),
            Some(DefaultValue::Unset) => " = ...".to_owned(),
            Some(value) => format!(" = {}", value.to_const()),
        };
        parts.push(format!("{star}{}: {ty}{default}", param.name));
    }
    if positional {
        parts.push("/".to_owned());
    }
    parts.join(", ")
}
