//! Which values of a graph are caught exceptions, and which of them must be kept.

use numbra_bytecode::dfg::{Dfg, DfgBlock, Edge, Terminator, ValueId, ValueKind};

/// By value: those that handlers get, and the parameters of blocks that get one on some edge. Compiled code has no value for
/// them, unless they are kept: what raises one again takes the pending exception.
pub(super) fn caught_values(dfg: &Dfg) -> Vec<bool> {
    let mut caught: Vec<bool> = dfg
        .values
        .iter()
        .map(|value| value.kind == ValueKind::Caught)
        .collect();
    loop {
        let mut more = false;
        for block in &dfg.blocks {
            for edge in edges(block) {
                let params = &dfg.blocks[edge.target.index()].params;
                for (param, arg) in params.iter().zip(&edge.args) {
                    if caught[arg.index()] && !caught[param.index()] {
                        caught[param.index()] = true;
                        more = true;
                    }
                }
            }
        }
        if !more {
            return caught;
        }
    }
}

/// By value: the caught exceptions that become the context of another one, and those that are raised again behind code
/// that may have handled another one.
///
/// ```text
/// try:
///     f()
/// finally:
///     g()    # may leave another exception pending, which it has handled
/// ```
pub(super) fn kept_values(dfg: &Dfg, caught: &[bool]) -> Vec<bool> {
    let mut kept = vec![false; dfg.values.len()];
    for (index, block) in dfg.blocks.iter().enumerate() {
        let Terminator::Reraise { exception, handled } = block.term else {
            continue;
        };
        if let Some(handled) = handled {
            kept[handled.index()] = true;
        }
        let sources = sources(dfg, caught, exception);
        let handlers = dfg
            .blocks
            .iter()
            .enumerate()
            .filter(|(_, block)| block.caught.is_some_and(|value| sources.contains(&value)));
        let mut handlers = handlers.map(|(index, _)| index);
        let replaces = handlers.any(|handler| {
            let behind = reachable(dfg, handler);
            let before = reaching(dfg, index, handler);
            let mut between = dfg.blocks.iter().zip(before.iter().zip(&behind));
            between.any(|(block, (&before, &behind))| before && behind && may_replace(block))
        });
        if replaces {
            for value in sources {
                kept[value.index()] = true;
            }
        }
    }
    spread(dfg, caught, &mut kept);
    kept
}

/// What is kept is no longer pending: so every value that may be it is kept, and whatever that may be instead.
fn spread(dfg: &Dfg, caught: &[bool], kept: &mut [bool]) {
    let mut more = true;
    while more {
        more = false;
        for edge in dfg.blocks.iter().flat_map(edges) {
            let params = &dfg.blocks[edge.target.index()].params;
            for (&param, &arg) in params.iter().zip(&edge.args) {
                let (param, arg) = (param.index(), arg.index());
                if caught[arg] && kept[param] != kept[arg] {
                    (kept[param], kept[arg]) = (true, true);
                    more = true;
                }
            }
        }
    }
}

/// True for blocks that may make another exception pending and go on.
fn may_replace(block: &DfgBlock) -> bool {
    matches!(block.term, Terminator::Raise { .. })
        || block.insts.iter().any(|inst| inst.op.may_raise_anew())
}

/// The values that a caught exception comes from, and itself.
fn sources(dfg: &Dfg, caught: &[bool], value: ValueId) -> Vec<ValueId> {
    let mut found = vec![value];
    let mut at = 0;
    while let Some(&value) = found.get(at) {
        at += 1;
        for edge in dfg.blocks.iter().flat_map(edges) {
            let params = &dfg.blocks[edge.target.index()].params;
            for (&param, &arg) in params.iter().zip(&edge.args) {
                if param == value && caught[arg.index()] && !found.contains(&arg) {
                    found.push(arg);
                }
            }
        }
    }
    found
}

fn edges(block: &DfgBlock) -> Vec<&Edge> {
    let mut edges = block.term.edges();
    edges.extend(&block.handler);
    edges
}

/// The blocks that are reached from a block, and itself.
fn reachable(dfg: &Dfg, from: usize) -> Vec<bool> {
    let mut found = vec![false; dfg.blocks.len()];
    let mut work = vec![from];
    while let Some(at) = work.pop() {
        if !std::mem::replace(&mut found[at], true) {
            work.extend(
                edges(&dfg.blocks[at])
                    .into_iter()
                    .map(|edge| edge.target.index()),
            );
        }
    }
    found
}

/// The blocks from which a block is reached without another start of a handler, and itself.
fn reaching(dfg: &Dfg, to: usize, handler: usize) -> Vec<bool> {
    let mut found = vec![false; dfg.blocks.len()];
    found[to] = true;
    let mut more = true;
    while more {
        more = false;
        for (index, block) in dfg.blocks.iter().enumerate() {
            let reaches = edges(block)
                .iter()
                .map(|edge| edge.target.index())
                .any(|target| found[target] && target != handler);
            if reaches && !found[index] {
                found[index] = true;
                more = true;
            }
        }
    }
    found
}
