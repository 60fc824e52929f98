//! Source annotated with statements and types: what `inspect_types` and `NUMBA_DUMP_ANNOTATION` print.

use numbra_ir::{EntityRef, StmtKind, TypedFunc, Types, print_stmt};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The source of a function, above each line the statements that it became, with their types, in Numba's form:
///
/// ```text
/// # File: wave.py
/// # --- LINE 4 ---
/// #   t = const(float, 0.0)  :: float64
///
///     t = 0.0
/// ```
///
/// `source` is the text from line `first_line` of the file on, at least to the function's end.
pub fn annotate(
    typed: &TypedFunc,
    types: &Types,
    file: &str,
    source: &str,
    first_line: u32,
) -> String {
    let func = &typed.func;
    let mut by_line: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    let mut last_line = func.span.line.max(first_line);
    for &block in &func.layout {
        for (i, &inst) in func.blocks[block].insts.iter().enumerate() {
            let stmt = &func.insts[inst];
            if stmt.span.is_known() {
                last_line = stmt.span.line;
            }
            let lines = by_line.entry(last_line).or_default();
            if i == 0 {
                lines.push(format!("# label {}", block.index()));
            }
            let mut text = format!("#   {}", print_stmt(func, inst, types));
            if let StmtKind::Assign { target, .. } = stmt.kind
                && let Some(ty) = typed.var_types[target]
            {
                // Writing to a string cannot fail.
                let _ = write!(text, "  :: {}", types.display(ty));
            }
            lines.push(text);
        }
    }
    let end = by_line.keys().next_back().copied().unwrap_or(0);
    let mut out = format!("# File: {file}\n");
    for (i, line) in source.lines().enumerate() {
        let number = first_line + i as u32;
        if number > end {
            break;
        }
        let indent: String = line.chars().take_while(|c| c.is_whitespace()).collect();
        let _ = writeln!(out, "{indent}# --- LINE {number} --- ");
        for statement in by_line.get(&number).into_iter().flatten() {
            let _ = writeln!(out, "{indent}{statement}");
        }
        let _ = write!(out, "\n{line}\n\n");
    }
    out
}
