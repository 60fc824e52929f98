//! Block parameters: those that are always one value, or unused, go; so do unused loads.

use super::{Dfg, DfgBlock, Edge, ValueId, ValueKind};
use numbra_base::FxHashMap;

/// A substitution of values, followed to its end.
pub(super) struct Substitution {
    to: Vec<ValueId>,
}

impl Substitution {
    pub(super) fn new(values: usize) -> Substitution {
        Substitution {
            to: (0..values as u32).map(ValueId).collect(),
        }
    }

    pub(super) fn find(&mut self, value: ValueId) -> ValueId {
        let mut root = value;
        while self.to[root.index()] != root {
            root = self.to[root.index()];
        }
        let mut at = value;
        while self.to[at.index()] != root {
            at = std::mem::replace(&mut self.to[at.index()], root);
        }
        root
    }

    pub(super) fn set(&mut self, from: ValueId, to: ValueId) {
        let (from, to) = (self.find(from), self.find(to));
        self.to[from.index()] = to;
    }

    /// Rewrites every use.
    pub(super) fn apply(&mut self, blocks: &mut [DfgBlock]) {
        for block in blocks {
            for_each_use(block, |value| *value = self.find(*value));
        }
    }
}

/// Every read of a value in the block: operands, edge arguments, the exception edge's too.
pub(super) fn for_each_use(block: &mut DfgBlock, mut f: impl FnMut(&mut ValueId)) {
    for inst in &mut block.insts {
        inst.operands.iter_mut().for_each(&mut f);
    }
    block.term.operands_mut().into_iter().for_each(&mut f);
    for edge in block.term.edges_mut().into_iter().chain(&mut block.handler) {
        edge.args.iter_mut().for_each(&mut f);
    }
}

/// Edges out of a block, the exception edge last.
pub(super) fn out_edges(block: &DfgBlock) -> Vec<&Edge> {
    block
        .term
        .edges()
        .into_iter()
        .chain(&block.handler)
        .collect()
}

/// Removes parameters that are always one value, parameters that nothing reads, and loads that nothing reads.
/// `live` tells the reachable blocks.
pub(super) fn simplify(dfg: &mut Dfg, live: &[bool]) {
    remove_trivial(dfg, live);
    remove_unused(dfg, live);
}

// Braun et al. 2013, "Simple and Efficient Construction of SSA Form", tryRemoveTrivialPhi.
fn remove_trivial(dfg: &mut Dfg, live: &[bool]) {
    let mut incoming: FxHashMap<ValueId, Vec<ValueId>> = FxHashMap::default();
    let mut readers: FxHashMap<ValueId, Vec<ValueId>> = FxHashMap::default();
    let mut work: Vec<ValueId> = Vec::new();
    for (_, block) in live_blocks(dfg, live) {
        work.extend(&block.params);
        for edge in out_edges(block) {
            for (&param, &arg) in dfg.blocks[edge.target.index()]
                .params
                .iter()
                .zip(&edge.args)
            {
                incoming.entry(param).or_default().push(arg);
                readers.entry(arg).or_default().push(param);
            }
        }
    }
    if work.is_empty() {
        return;
    }
    let mut subst = Substitution::new(dfg.values.len());
    let mut gone = vec![false; dfg.values.len()];
    while let Some(param) = work.pop() {
        if gone[param.index()] {
            continue;
        }
        let mut only = None;
        let trivial = incoming.get(&param).is_some_and(|list| {
            list.iter().all(|&arg| {
                let arg = subst.find(arg);
                arg == param || *only.get_or_insert(arg) == arg
            })
        });
        if let (true, Some(value)) = (trivial, only) {
            gone[param.index()] = true;
            subst.set(param, value);
            let affected = readers.remove(&param).unwrap_or_default();
            work.extend(&affected);
            readers.entry(value).or_default().extend(affected);
        }
    }
    drop_params(dfg, |param| !gone[param.index()]);
    subst.apply(&mut dfg.blocks);
}

fn remove_unused(dfg: &mut Dfg, live: &[bool]) {
    let mut sources: FxHashMap<ValueId, Vec<ValueId>> = FxHashMap::default();
    let mut used = vec![false; dfg.values.len()];
    let mut work: Vec<ValueId> = Vec::new();
    for (_, block) in live_blocks(dfg, live) {
        for inst in &block.insts {
            if inst.op.is_removable() {
                for &result in &inst.results {
                    sources.insert(result, inst.operands.clone());
                }
            } else {
                work.extend(&inst.operands);
            }
        }
        work.extend(block.term.operands());
        for edge in out_edges(block) {
            for (&param, &arg) in dfg.blocks[edge.target.index()]
                .params
                .iter()
                .zip(&edge.args)
            {
                sources.entry(param).or_default().push(arg);
            }
        }
    }
    while let Some(value) = work.pop() {
        if !std::mem::replace(&mut used[value.index()], true)
            && let Some(list) = sources.get(&value)
        {
            work.extend(list);
        }
    }
    drop_params(dfg, |param| used[param.index()]);
    for block in &mut dfg.blocks {
        block
            .insts
            .retain(|inst| !inst.op.is_removable() || inst.results.iter().any(|r| used[r.index()]));
    }
}

/// Keeps the parameters that `keep` accepts, and the arguments for them.
fn drop_params(dfg: &mut Dfg, keep: impl Fn(ValueId) -> bool) {
    let kept: Vec<Option<Vec<bool>>> = dfg
        .blocks
        .iter()
        .map(|block| {
            let flags: Vec<bool> = block.params.iter().map(|&p| keep(p)).collect();
            flags.contains(&false).then_some(flags)
        })
        .collect();
    for block in &mut dfg.blocks {
        for edge in block.term.edges_mut().into_iter().chain(&mut block.handler) {
            if let Some(flags) = &kept[edge.target.index()] {
                filter(&mut edge.args, flags);
            }
        }
    }
    for (block, flags) in dfg.blocks.iter_mut().zip(&kept) {
        if let Some(flags) = flags {
            filter(&mut block.params, flags);
        }
    }
}

fn filter(list: &mut Vec<ValueId>, flags: &[bool]) {
    let mut flags = flags.iter();
    list.retain(|_| flags.next().copied().unwrap_or(false));
}

fn live_blocks<'a>(dfg: &'a Dfg, live: &'a [bool]) -> impl Iterator<Item = (usize, &'a DfgBlock)> {
    dfg.blocks.iter().enumerate().filter(|(i, _)| live[*i])
}

/// How often each value is read in live blocks.
pub(super) fn use_counts(dfg: &mut Dfg, live: &[bool]) -> Vec<u32> {
    let mut counts = vec![0; dfg.values.len()];
    for (block, _) in dfg.blocks.iter_mut().zip(live).filter(|(_, live)| **live) {
        for_each_use(block, |value| counts[value.index()] += 1);
    }
    counts
}

/// Marks a value as a parameter made from `like`.
pub(super) fn new_param(dfg: &mut Dfg, like: ValueId) -> ValueId {
    let id = ValueId(dfg.values.len() as u32);
    let mut value = *dfg.value(like);
    value.kind = ValueKind::Param;
    dfg.values.push(value);
    id
}
