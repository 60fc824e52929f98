//! Which values of a graph are caught exceptions.

use numbra_bytecode::dfg::{Dfg, Edge, ValueKind};

/// By value: those that handlers get, and the parameters of blocks that get one on some edge. Compiled code has no value for
/// them: what raises one again takes the pending exception.
pub(super) fn caught_values(dfg: &Dfg) -> Vec<bool> {
    let mut caught: Vec<bool> = dfg
        .values
        .iter()
        .map(|value| value.kind == ValueKind::Caught)
        .collect();
    loop {
        let mut more = false;
        for block in &dfg.blocks {
            let edges: Vec<&Edge> = block
                .term
                .edges()
                .into_iter()
                .chain(&block.handler)
                .collect();
            for edge in edges {
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
