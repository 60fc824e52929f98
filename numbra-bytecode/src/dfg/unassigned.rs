//! Locals that are read where they may have no value.

use super::branches::may_raise;
use super::comprehension::Captured;
use super::{Dfg, DfgInst, DfgOp, VariableId, VariableKind};
use numbra_base::{FxHashSet, Span};

/// Puts a check before each load and deletion that some path reaches without an assignment.
///
/// What CPython's compiler duplicates, a loop's test or a small exit, is merged again later: copies of a load, which
/// stand at the same place of the source, all have a check or none. Checks that paths make superfluous go when the
/// function's branches are known. `captured` tells the reads of comprehensions from the others.
pub(super) fn insert_checks(dfg: &mut Dfg, captured: &Captured) {
    let found = unassigned(dfg);
    if found.is_empty() {
        return;
    }
    for block in &mut dfg.blocks {
        let mut insts: Vec<DfgInst> = Vec::with_capacity(block.insts.len());
        for inst in std::mem::take(&mut block.insts) {
            if let Some(variable) = reads(&inst.op)
                && found.contains(&(variable, inst.span))
            {
                let op = DfgOp::CheckVariable {
                    variable,
                    captured: captured.contains(&(variable, inst.span)),
                };
                if insts.last().is_none_or(|before| before.op != op) {
                    insts.push(DfgInst {
                        op,
                        operands: Vec::new(),
                        results: Vec::new(),
                        span: inst.span,
                        offset: inst.offset,
                    });
                }
            }
            insts.push(inst);
        }
        block.insts = insts;
    }
}

/// The variable that an instruction needs a value of.
fn reads(op: &DfgOp) -> Option<VariableId> {
    match op {
        DfgOp::LoadVariable(variable) | DfgOp::DeleteVariable(variable) => Some(*variable),
        _ => None,
    }
}

/// The reads, by variable and place in the source, of variables that may have no value there. Assignments are followed
/// forwards along all edges; behind a read, its variable has a value.
fn unassigned(dfg: &Dfg) -> FxHashSet<(VariableId, Span)> {
    let mut found = FxHashSet::default();
    let mut open = Open(vec![0; dfg.variables.len().div_ceil(64)]);
    for (index, variable) in dfg.variables.iter().enumerate() {
        if !matches!(variable.kind, VariableKind::Free(_)) {
            open.insert(VariableId(index as u32));
        }
    }
    for param in &dfg.params {
        open.remove(param.variable);
    }
    let mut before: Vec<Option<Open>> = vec![None; dfg.blocks.len()];
    let Some(entry) = before.first_mut() else {
        return found;
    };
    *entry = Some(open);
    let mut todo = vec![0];
    let mut waits = vec![false; dfg.blocks.len()];
    while let Some(number) = todo.pop() {
        waits[number] = false;
        let block = &dfg.blocks[number];
        let Some(mut open) = before[number].clone() else {
            continue;
        };
        // What a handler finds: the states in which the block may raise.
        let mut raised: Option<Open> = None;
        for inst in &block.insts {
            let is_open = reads(&inst.op).is_some_and(|variable| open.contains(variable));
            if block.handler.is_some() && (is_open || inst.op.may_raise()) {
                raised.get_or_insert_with(|| open.clone()).join(&open);
            }
            match inst.op {
                DfgOp::StoreVariable(variable) | DfgOp::CheckVariable { variable, .. } => {
                    open.remove(variable);
                }
                DfgOp::LoadVariable(variable) if is_open => {
                    found.insert((variable, inst.span));
                    open.remove(variable);
                }
                DfgOp::DeleteVariable(variable) => {
                    if is_open {
                        found.insert((variable, inst.span));
                    }
                    open.insert(variable);
                }
                _ => {}
            }
        }
        // A block that cannot raise loses its handler.
        let at_handler = (raised.is_some() || may_raise(block)).then(|| {
            let mut state = raised.unwrap_or_else(|| open.clone());
            state.join(&open);
            state
        });
        let normal = block.term.edges().into_iter().map(|edge| (edge, &open));
        let handled = block.handler.iter().zip(&at_handler);
        for (edge, state) in normal.chain(handled) {
            let target = edge.target.index();
            let changed = match &mut before[target] {
                Some(known) => known.join(state),
                unknown => {
                    *unknown = Some(state.clone());
                    true
                }
            };
            if changed && !std::mem::replace(&mut waits[target], true) {
                todo.push(target);
            }
        }
    }
    found
}

/// Variables without a value on some path: a bit for each.
#[derive(Clone)]
struct Open(Vec<u64>);

impl Open {
    fn insert(&mut self, variable: VariableId) {
        if let Some(word) = self.0.get_mut(variable.0 as usize / 64) {
            *word |= 1 << (variable.0 % 64);
        }
    }

    fn remove(&mut self, variable: VariableId) {
        if let Some(word) = self.0.get_mut(variable.0 as usize / 64) {
            *word &= !(1 << (variable.0 % 64));
        }
    }

    fn contains(&self, variable: VariableId) -> bool {
        let word = self.0.get(variable.0 as usize / 64);
        word.is_some_and(|word| word >> (variable.0 % 64) & 1 != 0)
    }

    /// Adds what is open in `other`; true if that changed anything.
    fn join(&mut self, other: &Open) -> bool {
        let mut changed = false;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            changed |= more & !*word != 0;
            *word |= more;
        }
        changed
    }
}
