//! The handlers around bodies of handlers, which give what leaves the body its context.
//!
//! ```text
//! before                                       after, where the body of bb1 raises nothing itself
//!   bb1 catch v1 handler bb2: .. reraise v1      bb1 catch v1 handler bb3: .. reraise v1
//!   bb2 catch v2 handler bb3:                    bb2: unreachable
//!     reraise v2 while v1
//! ```

use super::branches::{may_raise, substitute};
use super::{Dfg, DfgBlock, DfgOp, Terminator, ValueId};

/// CPython allows 20 statically nested blocks; a cycle is no real table.
const NESTING: usize = 64;

/// Blocks that raise nothing but the exception that is handled pass those handlers by. Parameters that are always one value
/// are gone.
pub(super) fn pass_by(dfg: &mut Dfg) {
    for at in 0..dfg.blocks.len() {
        if raises_anew(&dfg.blocks[at]) {
            continue;
        }
        for _ in 0..NESTING {
            let Some(edge) = &dfg.blocks[at].handler else {
                break;
            };
            let around = &dfg.blocks[edge.target.index()];
            let Some(handled) = handled(around) else {
                break;
            };
            // Other exceptions that it hands on were raised while this one was handled.
            if matches!(dfg.blocks[at].term, Terminator::Reraise { exception, .. } if exception != handled)
            {
                break;
            }
            let outer = around.handler.as_ref();
            let outer = outer.map(|outer| substitute(outer, &around.params, &edge.args));
            dfg.blocks[at].handler = outer;
        }
        if !may_raise(&dfg.blocks[at]) {
            dfg.blocks[at].handler = None;
        }
    }
}

fn raises_anew(block: &DfgBlock) -> bool {
    matches!(block.term, Terminator::Raise { .. })
        || block.insts.iter().any(|inst| inst.op.may_raise_anew())
}

/// What becomes a context in a block that does nothing else.
fn handled(block: &DfgBlock) -> Option<ValueId> {
    let only = block.insts.iter().all(|inst| inst.op == DfgOp::PopExcept);
    match block.term {
        Terminator::Reraise { handled, .. } if only => handled,
        _ => None,
    }
}
