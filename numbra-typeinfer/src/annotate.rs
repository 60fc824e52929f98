//! Source annotated with statements and types: what `inspect_types` and `NUMBA_DUMP_ANNOTATION` print.

use numbra_ir::{EntityRef, StmtKind, TypedFunc, Types, print_stmt};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The source of a function, above each line the statements that it became, with their types, in Numba's form:
///
/// ```text
/// # --- LINE 4 ---
/// #   t = const(float, 0.0)  :: float64
///
///     t = 0.0
/// ```
///
/// `source` is the text of the whole file. The caller prints Numba's `# File: ..` line, since spans hold no paths.
pub fn annotate(typed: &TypedFunc, types: &Types, source: &str) -> String {
    let func = &typed.func;
    let mut by_line: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    let mut last_line = func.span.line.max(1);
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
    let (Some(first), Some(last)) = (by_line.keys().next(), by_line.keys().next_back()) else {
        return String::new();
    };
    let (first, last) = ((*first).min(func.span.line.max(1)), *last);
    let lines: Vec<&str> = source.lines().collect();
    let mut out = String::new();
    for number in first..=last {
        let line = lines.get(number as usize - 1).copied().unwrap_or("");
        let indent: String = line.chars().take_while(|c| c.is_whitespace()).collect();
        let _ = writeln!(out, "{indent}# --- LINE {number} --- ");
        for statement in by_line.get(&number).into_iter().flatten() {
            let _ = writeln!(out, "{indent}{statement}");
        }
        let _ = write!(out, "\n{line}\n\n");
    }
    out
}
