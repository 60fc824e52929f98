//! One counter for those of a loop that count alike.
//!
//! ```text
//! before                                  after
//!   jump block1(v0, v0)                     jump block1(v0, v0)
//! block1(v1: i64, v2: i64):               block1(v1: i64, v2: i64):
//!   v3 = icmp slt v2, v4                    v3 = icmp slt v1, v4
//!   brif v3, block2, block3                 brif v3, block2, block3
//! block2:                                 block2:
//!   v5 = iadd v1, v6                        v5 = iadd v1, v6
//!   v7 = iadd v2, v6                        v7 = iadd v1, v6
//!   jump block1(v5, v7)                     jump block1(v5, v7)
//! ```
//!
//! `enumerate` counts, and so does each iterator under a `zip`. Once there is one counter, what is known of it is known of
//! all, and a second test may be the first. Linear but for pairs of parameters of a loop, of which there are few.

use crate::analyses::{Analyses, Changed};
use crate::edit::rename::Renames;
use numbra_lir::analysis::Cfg;
use numbra_lir::{Block, Func, InstKind, Module, Value};

pub(crate) fn merge_inductions(func: &mut Func, _: &Module, known: &mut Analyses) -> Changed {
    let (cfg, loops) = (known.cfg(func), known.loops(func));
    let mut renames = Renames::new();
    for (_, one) in loops.iter() {
        let params = &func.blocks[one.header].params;
        let ways = arguments(func, &cfg, one.header);
        let mut counters: Vec<usize> = Vec::new();
        for (n, &param) in params.iter().enumerate() {
            if func.ty(param).int_bits().is_none() {
                continue;
            }
            let alike = |&first: &usize| {
                func.ty(params[first]) == func.ty(param)
                    && ways.iter().all(|args| {
                        let (a, b) = (args[first], args[n]);
                        // An outer loop's counters may be one by now.
                        renames.resolve(a) == renames.resolve(b)
                            || has_equal_step(func, (a, params[first]), (b, param))
                    })
            };
            match counters.iter().copied().find(alike) {
                Some(first) => renames.replace(param, params[first]),
                None => counters.push(n),
            }
        }
    }
    let changed = !renames.is_empty();
    renames.apply(func);
    Changed::insts(changed)
}

/// The arguments of each way into a block.
fn arguments<'a>(func: &'a Func, cfg: &Cfg, block: Block) -> Vec<&'a [Value]> {
    let mut preds = cfg.preds(block).to_vec();
    preds.sort();
    preds.dedup();
    let targets = preds.into_iter().flat_map(|pred| func.term(pred).targets());
    targets
        .filter(|target| target.block == block)
        .map(|target| target.args.as_slice())
        .collect()
}

/// Whether two values are the same operation on their counters with the same other operand, or are the counters.
fn has_equal_step(func: &Func, a: (Value, Value), b: (Value, Value)) -> bool {
    if a.0 == a.1 || b.0 == b.1 {
        return a.0 == a.1 && b.0 == b.1;
    }
    match (func.def(a.0), func.def(b.0)) {
        (
            Some(&InstKind::Binary { op, lhs, rhs }),
            Some(&InstKind::Binary {
                op: other_op,
                lhs: other_lhs,
                rhs: other_rhs,
            }),
        ) => op == other_op && lhs == a.1 && other_lhs == b.1 && is_same(func, rhs, other_rhs),
        _ => false,
    }
}

fn is_same(func: &Func, a: Value, b: Value) -> bool {
    a == b
        || matches!(
            (func.def(a), func.def(b)),
            (Some(InstKind::IConst(a)), Some(InstKind::IConst(b))) if a == b
        )
}
