//! Which reads of a local can use the variable itself, and which instructions only feed another one.

use numbra_base::{FxHashMap, FxHashSet};
use numbra_bytecode::dfg::{Dfg, DfgInst, DfgOp, ValueId, VariableId, VariableKind};

/// Facts about values, found before statements are made.
pub(super) struct Loads {
    aliases: FxHashMap<ValueId, VariableId>,
    /// Where each value is made: block and position.
    made: FxHashMap<ValueId, (usize, usize)>,
    /// Values that blocks read which do not make them, other than through variables.
    elsewhere: FxHashSet<ValueId>,
    /// Displays that a `make_function` or a call takes apart; they are not built.
    parts: FxHashSet<ValueId>,
}

/// Reads of one value.
#[derive(Default)]
struct Reads {
    count: u32,
    block: Option<usize>,
    last: usize,
    elsewhere: bool,
}

impl Reads {
    fn add(&mut self, block: usize, position: usize) {
        self.count += 1;
        self.elsewhere |= self.block.is_some_and(|b| b != block);
        self.block = Some(block);
        self.last = self.last.max(position);
    }
}

impl Loads {
    pub(super) fn of(dfg: &Dfg) -> Loads {
        let mut made = FxHashMap::default();
        let mut reads: FxHashMap<ValueId, Reads> = FxHashMap::default();
        for (b, block) in dfg.blocks.iter().enumerate() {
            for (i, inst) in block.insts.iter().enumerate() {
                made.extend(inst.results.iter().map(|&r| (r, (b, i))));
                inst.operands
                    .iter()
                    .for_each(|&v| reads.entry(v).or_default().add(b, i));
            }
            let end = block.insts.len();
            let args = block
                .term
                .edges()
                .into_iter()
                .flat_map(|e| &e.args)
                .copied();
            for value in block.term.operands().into_iter().chain(args) {
                reads.entry(value).or_default().add(b, end);
            }
            for &value in block.handler.iter().flat_map(|e| &e.args) {
                reads.entry(value).or_default().elsewhere = true;
            }
        }
        let mut parts = FxHashSet::default();
        for (b, block) in dfg.blocks.iter().enumerate() {
            for (i, inst) in block.insts.iter().enumerate() {
                for &value in taken_apart(inst) {
                    let Some(&(at_block, at)) = made.get(&value) else {
                        continue;
                    };
                    let display = &dfg.blocks[at_block].insts[at];
                    let only = reads
                        .get(&value)
                        .is_some_and(|r| r.count == 1 && !r.elsewhere);
                    if at_block == b && only && can_come_apart(&inst.op, &display.op) {
                        parts.insert(value);
                        // The elements are read where the display would have been.
                        display
                            .operands
                            .iter()
                            .for_each(|&v| reads.entry(v).or_default().add(b, i));
                    }
                }
            }
        }
        let aliases = find_aliases(dfg, &reads);
        let is_elsewhere = |value: &ValueId, reads: &Reads| {
            let home = made.get(value).map(|(block, _)| *block);
            reads.elsewhere || reads.block.is_some_and(|block| Some(block) != home)
        };
        let elsewhere = (reads.iter())
            .filter(|(value, reads)| !aliases.contains_key(value) && is_elsewhere(value, reads))
            .map(|(value, _)| *value)
            .collect();
        Loads {
            aliases,
            elsewhere,
            made,
            parts,
        }
    }

    /// The variable to read instead of the value.
    pub(super) fn alias(&self, value: ValueId) -> Option<VariableId> {
        self.aliases.get(&value).copied()
    }

    /// True if another block than the one that makes the value reads it.
    pub(super) fn is_read_elsewhere(&self, value: ValueId) -> bool {
        self.elsewhere.contains(&value)
    }

    /// The instruction that makes a value.
    pub(super) fn maker<'d>(&self, dfg: &'d Dfg, value: ValueId) -> Option<&'d DfgInst> {
        let &(block, at) = self.made.get(&value)?;
        Some(&dfg.blocks[block].insts[at])
    }

    /// The display behind a value, if its only reader takes it apart.
    pub(super) fn part<'d>(&self, dfg: &'d Dfg, value: ValueId) -> Option<&'d DfgInst> {
        if self.parts.contains(&value) {
            self.maker(dfg, value)
        } else {
            None
        }
    }
}

/// Operands that may be displays to take apart.
fn taken_apart(inst: &DfgInst) -> &[ValueId] {
    match inst.op {
        DfgOp::MakeFunction { .. } => &inst.operands,
        DfgOp::CallEx { .. } => inst.operands.get(1..2).unwrap_or(&[]),
        _ => &[],
    }
}

fn can_come_apart(reader: &DfgOp, display: &DfgOp) -> bool {
    match (reader, display) {
        (DfgOp::MakeFunction { .. }, DfgOp::BuildTuple { star } | DfgOp::BuildMap { star }) => {
            star.is_empty()
        }
        // `f(a, b, *c)`: one star, at the end.
        (DfgOp::CallEx { .. }, DfgOp::BuildTuple { star }) => {
            star.last() == Some(&true) && star.iter().filter(|s| **s).count() == 1
        }
        _ => false,
    }
}

/// A load can be the variable itself if nothing assigns the variable between the load and the last read.
fn find_aliases(dfg: &Dfg, reads: &FxHashMap<ValueId, Reads>) -> FxHashMap<ValueId, VariableId> {
    let changes = |inst: &DfgInst| match inst.op {
        DfgOp::StoreVariable(v) | DfgOp::DeleteVariable(v) => Some(v),
        _ => None,
    };
    let mut changed: FxHashSet<VariableId> = FxHashSet::default();
    for inst in dfg.blocks.iter().flat_map(|b| &b.insts) {
        changed.extend(changes(inst));
    }
    let mut aliases = FxHashMap::default();
    for (b, block) in dfg.blocks.iter().enumerate() {
        // Positions of assignments, from the end of the block.
        let mut next_change: FxHashMap<VariableId, usize> = FxHashMap::default();
        for (i, inst) in block.insts.iter().enumerate().rev() {
            if let Some(variable) = changes(inst) {
                next_change.insert(variable, i);
            }
            let (DfgOp::LoadVariable(variable), Some(&value)) = (&inst.op, inst.results.first())
            else {
                continue;
            };
            if matches!(
                dfg.variables[variable.0 as usize].kind,
                VariableKind::Free(_)
            ) {
                continue;
            }
            let Some(read) = reads.get(&value) else {
                continue;
            };
            let here = !read.elsewhere && read.block.is_none_or(|only| only == b);
            // The assignment itself may read: `x = x + 1` ends the use.
            let undisturbed = here && next_change.get(variable).is_none_or(|&at| read.last <= at);
            if !changed.contains(variable) || undisturbed {
                aliases.insert(value, *variable);
            }
        }
    }
    aliases
}
