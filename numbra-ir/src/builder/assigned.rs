//! Locals that are read where no path has assigned them.

use crate::analysis::Cfg;
use crate::{Block, Const, EntityRef, Func, ObjDesc, ObjKind, SecondaryMap, StmtKind, Var};
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
///
/// Where only an exception leads, as into the copy of a `finally` block that CPython makes for exceptions out of the
/// handlers, such a read raises `UnboundLocalError` instead.
pub(super) fn check(func: &mut Func, dfg: &Dfg) -> Result<(), Box<Diagnostic>> {
    let normal = reached_without_exceptions(func);
    let mut raises = None;
    while let Some((block, at, var)) = first_unassigned(func) {
        let inst = func.blocks[block].insts[at];
        let name = func.var_name(var).to_owned();
        let span = func.insts[inst].span;
        if normal[block] {
            let message = format!("local variable `{name}` is read before it is assigned");
            return Err(Box::new(
                Diagnostic::error("B005", ErrorClass::CompilerError, message, span)
                    .with_help(format!(
                        "assign `{name}` first; if a global is meant, do not assign it here"
                    ))
                    .with_numba_phrase(format!(
                        "The compiler failed to analyze the bytecode. Variable '{name}' is not defined. Raised from \
                         {} ({})",
                        dfg.filename, span.line
                    )),
            ));
        }
        let class = *raises.get_or_insert_with(|| {
            func.objects.push(ObjDesc {
                name: "builtins.UnboundLocalError".to_owned(),
                kind: ObjKind::Class,
                repr: "<class 'UnboundLocalError'>".to_owned(),
                digest: None,
            })
        });
        let text = format!(
            "cannot access local variable '{name}' where it is not associated with a value"
        );
        func.blocks[block].insts.truncate(at + 1);
        func.insts[inst].kind = StmtKind::StaticRaise {
            class,
            args: vec![Const::Str(text)],
        };
        let cfg = Cfg::new(func);
        let reached: Vec<Block> = cfg.rpo().to_vec();
        func.layout.retain(|block| reached.contains(block));
    }
    if raises.is_some() {
        crate::compact(func);
    }
    Ok(())
}

/// Blocks that the entry reaches by jumps and branches alone.
fn reached_without_exceptions(func: &Func) -> SecondaryMap<Block, bool> {
    let mut seen: SecondaryMap<Block, bool> = SecondaryMap::with_default(false);
    let mut todo: Vec<Block> = func.entry().into_iter().collect();
    while let Some(block) = todo.pop() {
        if !std::mem::replace(&mut seen[block], true) {
            todo.extend(func.successors(block));
        }
    }
    seen
}

/// The first statement that reads a variable which no path to it assigns: block, position, variable.
fn first_unassigned(func: &Func) -> Option<(Block, usize, Var)> {
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
        for (at, &inst) in func.blocks[block].insts.iter().enumerate() {
            let stmt = &func.insts[inst];
            let mut unassigned = None;
            stmt.kind.for_each_use(|var| {
                if !contains(&bits, var) {
                    unassigned.get_or_insert(var);
                }
            });
            if let Some(var) = unassigned {
                return Some((block, at, var));
            }
            if let Some(var) = stmt.kind.def() {
                insert(&mut bits, var);
            }
        }
    }
    None
}
