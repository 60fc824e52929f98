//! Locals that are read where no path has assigned them.

use crate::analysis::Cfg;
use crate::{Block, EntityRef, Func, SecondaryMap, Var};
use numbra_base::{Diagnostic, ErrorClass};
use numbra_bytecode::dfg::Dfg;

/// A set of variables, one bit each.
type Bits = Vec<u64>;

fn insert(bits: &mut Bits, var: Var) {
    bits[var.index() / 64] |= 1 << (var.index() % 64);
}

fn contains(bits: &Bits, var: Var) -> bool {
    bits[var.index() / 64] >> (var.index() % 64) & 1 == 1
}

/// Adds `from`; true if that changed something.
fn unite(bits: &mut Bits, from: &Bits) -> bool {
    let mut changed = false;
    for (word, other) in bits.iter_mut().zip(from) {
        changed |= *word | other != *word;
        *word |= other;
    }
    changed
}

/// Refuses a function that reads a variable before any assignment can have run.
pub(super) fn check(func: &Func, dfg: &Dfg) -> Result<(), Box<Diagnostic>> {
    let cfg = Cfg::new(func);
    let empty: Bits = vec![0; func.vars.len().div_ceil(64)];
    let mut at_start: SecondaryMap<Block, Bits> = SecondaryMap::with_default(empty);
    let mut work: Vec<Block> = cfg.rpo().iter().rev().copied().collect();
    while let Some(block) = work.pop() {
        let mut bits = at_start[block].clone();
        if let Some(handler) = func.blocks[block].handler
            && unite(&mut at_start[handler.block], &bits)
        {
            work.push(handler.block);
        }
        for &inst in &func.blocks[block].insts {
            if let Some(var) = func.insts[inst].kind.def() {
                insert(&mut bits, var);
            }
        }
        for next in func.successors(block) {
            if unite(&mut at_start[next], &bits) {
                work.push(next);
            }
        }
    }
    for &block in &func.layout {
        let mut bits = at_start[block].clone();
        for &inst in &func.blocks[block].insts {
            let stmt = &func.insts[inst];
            let mut unassigned = None;
            stmt.kind.for_each_use(|var| {
                if !contains(&bits, var) {
                    unassigned.get_or_insert(var);
                }
            });
            if let Some(var) = unassigned {
                let name = func.var_name(var);
                let message = format!("local variable `{name}` is read before it is assigned");
                return Err(Box::new(Diagnostic::error("B005", ErrorClass::CompilerError, message, stmt.span)
                    .with_help(format!("assign `{name}` first; if a global is meant, do not assign it here"))
                    .with_numba_phrase(format!(
                        "The compiler failed to analyze the bytecode. Variable '{name}' is not defined. Raised from \
                         {} ({})",
                        dfg.filename, stmt.span.line
                    ))));
            }
            if let Some(var) = stmt.kind.def() {
                insert(&mut bits, var);
            }
        }
    }
    Ok(())
}
