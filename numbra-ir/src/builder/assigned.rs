//! Locals that are read where they may have no value.

use crate::analysis::VarSet;
use crate::{Func, StmtKind};
use numbra_base::{Diagnostic, ErrorClass, FxHashSet};
use numbra_bytecode::dfg::{Dfg, VariableId};

/// What the source calls a variable.
pub(super) fn name_in_source(dfg: &Dfg, variable: VariableId) -> String {
    // A comprehension's `x$comp` is `x`.
    let name = &dfg.variables[variable.0 as usize].name;
    name.split('$').next().unwrap_or(name).to_owned()
}

/// Refuses a function that reads a variable on the way that every call takes, before any branch, where nothing has
/// assigned it.
pub(super) fn check(func: &Func, dfg: &Dfg) -> Result<(), Box<Diagnostic>> {
    let mut assigned = VarSet::new(func.vars.len());
    let mut seen = FxHashSet::default();
    let mut next = func.entry();
    while let Some(block) = next.take() {
        // What is raised under a handler is not the end.
        if func.blocks[block].handler.is_some() || !seen.insert(block) {
            break;
        }
        for &inst in &func.blocks[block].insts {
            let stmt = &func.insts[inst];
            match &stmt.kind {
                StmtKind::Assign { target, .. } => {
                    assigned.insert(*target);
                }
                StmtKind::CheckAssigned { var, name, .. } if !assigned.contains(*var) => {
                    let message = format!("local variable `{name}` is read before it is assigned");
                    let span = stmt.span;
                    return Err(Box::new(
                        Diagnostic::error("B005", ErrorClass::CompilerError, message, span)
                            .with_help(format!(
                                "assign `{name}` first; if a global is meant, do not assign it here"
                            ))
                            .with_numba_phrase(format!(
                                "The compiler failed to analyze the bytecode. Variable '{name}' is not defined. \
                                 Raised from {} ({})",
                                dfg.filename, span.line
                            )),
                    ));
                }
                StmtKind::Jump(to) => next = Some(*to),
                _ => {}
            }
        }
    }
    Ok(())
}
