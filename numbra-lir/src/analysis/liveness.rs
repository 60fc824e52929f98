//! Live values at block boundaries.

use super::{Cfg, DefUse, Use};
use crate::{Block, Func, Value};
use cranelift_entity::SecondaryMap;

/// Values live on entry to each block, in no order. Block parameters are not live on entry to their own block; a block
/// argument is used by the branching block.
#[derive(Clone, Debug, Default)]
pub struct Liveness {
    live_in: SecondaryMap<Block, Vec<Value>>,
    live_out: SecondaryMap<Block, Vec<Value>>,
}

impl Liveness {
    pub fn live_in(&self, block: Block) -> &[Value] {
        &self.live_in[block]
    }

    pub fn live_out(&self, block: Block) -> &[Value] {
        &self.live_out[block]
    }
}

/// Liveness of the values that `wanted` selects.
pub fn liveness(func: &Func, cfg: &Cfg, uses: &DefUse, wanted: impl Fn(Value) -> bool) -> Liveness {
    let mut builder = LivenessBuilder::new();
    for value in func.values.keys() {
        if !wanted(value) {
            continue;
        }
        builder.add(
            cfg,
            value,
            func.def_block(value),
            uses.uses(value).iter().map(|used: &Use| used.block()),
        );
    }
    builder.liveness
}

/// Adds values one by one. Walks back from each use, so the cost is the length of the live ranges (Boissinot et al.
/// 2008, section 4).
#[derive(Default)]
pub struct LivenessBuilder {
    pub liveness: Liveness,
    in_mark: SecondaryMap<Block, Option<Value>>,
    out_mark: SecondaryMap<Block, Option<Value>>,
    work: Vec<Block>,
}

impl LivenessBuilder {
    pub fn new() -> LivenessBuilder {
        LivenessBuilder::default()
    }

    /// Adds a value, defined in `def` and used in these blocks. Each value is added once.
    pub fn add(
        &mut self,
        cfg: &Cfg,
        value: Value,
        def: Option<Block>,
        uses: impl Iterator<Item = Block>,
    ) {
        self.work
            .extend(uses.filter(|&b| Some(b) != def && cfg.is_reachable(b)));
        while let Some(block) = self.work.pop() {
            if self.in_mark[block] == Some(value) {
                continue;
            }
            self.in_mark[block] = Some(value);
            self.liveness.live_in[block].push(value);
            for &pred in cfg.preds(block) {
                if self.out_mark[pred] != Some(value) {
                    self.out_mark[pred] = Some(value);
                    self.liveness.live_out[pred].push(value);
                    if Some(pred) != def {
                        self.work.push(pred);
                    }
                }
            }
        }
    }
}
