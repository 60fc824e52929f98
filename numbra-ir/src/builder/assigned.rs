//! Locals that are read where no path has assigned them.

use crate::analysis::Cfg;
use crate::{Block, Const, EntityRef, Func, ObjDesc, ObjKind, SecondaryMap, StmtKind, Var};
use numbra_base::{Diagnostic, ErrorClass, FxHashMap};
use numbra_bytecode::dfg::Dfg;

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
        func.layout.retain(|block| cfg.is_reachable(*block));
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
///
/// Most variables are assigned in the block that reads them. For the others the paths are walked backwards to the next
/// assignment, one variable after another, so that the cost is linear in all but odd functions.
fn first_unassigned(func: &Func) -> Option<(Block, usize, Var)> {
    let cfg = Cfg::new(func);
    let mut reads = reads_of_other_blocks(func);
    let mut assignments: SecondaryMap<Var, Vec<Block>> = SecondaryMap::new();
    if !reads.is_empty() {
        for &block in cfg.rpo() {
            for &inst in &func.blocks[block].insts {
                if let Some(var) = func.insts[inst].kind.def() {
                    assignments[var].push(block);
                }
            }
        }
    }
    let order: Vec<(Block, usize, Var)> = reads.iter().map(|(_, read)| *read).collect();
    reads.sort_by_key(|(_, read)| read.2.index());
    let mut paths = Paths {
        cfg: &cfg,
        known: SecondaryMap::with_default(Known::Nothing),
    };
    let mut first = None;
    for of_one in reads.chunk_by(|a, b| a.1.2 == b.1.2) {
        let (_, (_, _, var)) = of_one[0];
        paths.known.clear();
        for &block in &assignments[var] {
            paths.known[block] = Known::Assigned;
        }
        let unassigned = |(_, (block, _, _)): &&(usize, (Block, usize, Var))| !paths.assign(*block);
        if let Some((number, _)) = of_one.iter().find(unassigned) {
            first = first.min(Some(*number)).or(Some(*number));
        }
    }
    first.map(|number| order[number])
}

/// A numbered read: block, position, variable.
type Read = (usize, (Block, usize, Var));

/// The first read in each block of each variable that the block has not assigned before, in the order of the blocks.
fn reads_of_other_blocks(func: &Func) -> Vec<Read> {
    let mut reads = Vec::new();
    // The last block that assigned or read a variable, by its position.
    let mut seen: SecondaryMap<Var, Option<usize>> = SecondaryMap::new();
    for (number, &block) in func.layout.iter().enumerate() {
        for (at, &inst) in func.blocks[block].insts.iter().enumerate() {
            let kind = &func.insts[inst].kind;
            kind.for_each_use(|var| {
                if seen[var].replace(number) != Some(number) {
                    reads.push((reads.len(), (block, at, var)));
                }
            });
            if let Some(var) = kind.def() {
                seen[var] = Some(number);
            }
        }
    }
    reads
}

/// What is known of one variable and one block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    /// The block assigns it.
    Assigned,
    /// The block does not assign it, but some path to the block does.
    Reached,
    /// The block assigns it, and some path to the block does.
    Both,
}

/// Paths that assign one variable.
struct Paths<'a> {
    cfg: &'a Cfg,
    known: SecondaryMap<Block, Known>,
}

impl Paths<'_> {
    /// True if some path to the start of `block` assigns the variable; the blocks on the path remember it.
    fn assign(&mut self, block: Block) -> bool {
        if self.reaches(block) {
            return true;
        }
        let mut from: FxHashMap<Block, Block> = FxHashMap::default();
        let mut stack = vec![block];
        while let Some(at) = stack.pop() {
            let found = self.reaches(at)
                || self
                    .preds(at)
                    .any(|p| matches!(self.known[p], Known::Assigned | Known::Both));
            if found {
                let mut on_path = Some(at);
                while let Some(at) = on_path {
                    self.known[at] = match self.known[at] {
                        Known::Nothing | Known::Reached => Known::Reached,
                        Known::Assigned | Known::Both => Known::Both,
                    };
                    on_path = (at != block).then(|| from[&at]);
                }
                return true;
            }
            // Forward edges, which lead to the entry without detours, are followed first.
            let mut preds: Vec<Block> = self.preds(at).collect();
            // An exception leaves before its block assigns anything.
            preds.extend(self.cfg.protected(at));
            preds.sort_by_key(|p| std::cmp::Reverse(self.cfg.rpo_index(*p)));
            for pred in preds {
                if pred != block && self.cfg.is_reachable(pred) && !from.contains_key(&pred) {
                    from.insert(pred, at);
                    stack.push(pred);
                }
            }
        }
        false
    }

    fn reaches(&self, block: Block) -> bool {
        matches!(self.known[block], Known::Reached | Known::Both)
    }

    fn preds(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        let preds = self.cfg.preds(block).iter().copied();
        preds.filter(|pred| self.cfg.is_reachable(*pred))
    }
}
