//! Moves what a loop computes anew each time, with the same result, in front of it.
//!
//! ```text
//! before                                     after
//!   jump block1(v1)                            v4: ptr = load v0+24 header align 8 readonly
//! block1(v2: i64):                             jump block1(v1)
//!   v4: ptr = load v0+24 header .. readonly  block1(v2: i64):
//!   v5 = ptr_add v4, v2                        v5 = ptr_add v4, v2
//! ```
//!
//! - What is speculatable moves from anywhere; expensive operations, and loads of memory that the loop does not write,
//!   only from blocks that every iteration executes, so that nothing is computed or read that the program did not.
//! - Facts go where the operation is no longer reached the same way.
//! - An address `base + (a + b)` of which only `b` changes is computed as `(base + a) + b`.
//!
//! Wants loops that test at the bottom (`rotate_loops`). Creates preheaders. Linear but for the depth of loops.

use crate::analyses::{Analyses, Changed};
use crate::edit::edges::{self, LayoutPosition};
use numbra_lir::analysis::{AliasSet, Cfg, Dominators, InstEffects, LoopId, Loops, effects};
use numbra_lir::{
    AliasClass, BinaryOp, Block, Facts, Func, Inst, InstKind, Module, Terminator, Ty, UnaryOp,
    Value,
};

pub(crate) fn licm(func: &mut Func, _: &Module, known: &mut Analyses) -> Changed {
    let loops = known.loops(func);
    if loops.iter().next().is_none() {
        return Changed::Nothing;
    }
    let split = preheaders(func, &known.cfg(func), &loops);
    known.note(Changed::flow(split));
    let (cfg, doms, loops) = (known.cfg(func), known.doms(func), known.loops(func));
    let mut licm = Licm::new(func, &cfg, &doms, &loops);
    let inner_first: Vec<LoopId> = loops.iter().map(|(id, _)| id).rev().collect();
    for id in inner_first {
        licm.hoist(id);
    }
    known.note(Changed::insts(licm.changed));
    Changed::noted(split | licm.changed)
}

/// Gives each loop a block that only enters it.
pub(crate) fn preheaders(func: &mut Func, cfg: &Cfg, loops: &Loops) -> bool {
    let mut changed = false;
    for (id, data) in loops.iter() {
        let header = data.header;
        let mut entering: Vec<Block> = cfg
            .preds(header)
            .iter()
            .copied()
            .filter(|&p| !loops.contains(id, p))
            .collect();
        entering.dedup();
        if let [only] = entering[..]
            && matches!(func.blocks[only].term, Some(Terminator::Jump(_)))
        {
            continue;
        }
        if entering.is_empty() {
            continue;
        }
        edges::merge_edges(
            func,
            &entering,
            header,
            LayoutPosition::Before(header),
            "licm",
        );
        changed = true;
    }
    changed
}

struct Licm<'a> {
    func: &'a mut Func,
    cfg: &'a Cfg,
    doms: &'a Dominators,
    loops: &'a Loops,
    changed: bool,
}

impl<'a> Licm<'a> {
    fn new(func: &'a mut Func, cfg: &'a Cfg, doms: &'a Dominators, loops: &'a Loops) -> Licm<'a> {
        Licm {
            func,
            cfg,
            doms,
            loops,
            changed: false,
        }
    }

    fn is_invariant(&self, id: LoopId, value: Value) -> bool {
        self.func
            .def_block(value)
            .is_some_and(|block| !self.loops.contains(id, block))
    }

    fn hoist(&mut self, id: LoopId) {
        let data = self.loops.get(id);
        let header = data.header;
        let outside = self
            .cfg
            .preds(header)
            .iter()
            .find(|&&p| !self.loops.contains(id, p));
        let Some(&preheader) = outside else {
            return;
        };
        let mut blocks = data.blocks.clone();
        blocks.sort_by_key(|&b| self.cfg.rpo_index(b));
        let writes = blocks.iter().fold(AliasSet::NONE, |set, &block| {
            self.func.blocks[block]
                .insts()
                .iter()
                .fold(set, |set, &inst| {
                    set.union(effects(&self.func.insts[inst].kind).writes)
                })
        });
        // Where the loop can be left: a block that dominates all of these runs in every iteration.
        let exits: Vec<Block> = blocks
            .iter()
            .copied()
            .filter(|&b| {
                data.latches.contains(&b)
                    || self
                        .cfg
                        .succs(b)
                        .iter()
                        .any(|&s| !self.loops.contains(id, s))
                    || self.cfg.succs(b).is_empty()
            })
            .collect();
        for block in blocks {
            let always = exits.iter().all(|&exit| self.doms.dominates(block, exit));
            let insts = self.func.take_insts(block);
            let mut kept = Vec::with_capacity(insts.len());
            for inst in insts {
                self.reassociate(id, inst, preheader);
                if self.may_move(id, inst, always, writes) {
                    if !always {
                        self.func.insts[inst].facts = Facts::empty();
                    }
                    self.func.append_inst(preheader, inst);
                    self.changed = true;
                } else {
                    kept.push(inst);
                }
            }
            self.func.set_insts(block, kept);
        }
    }

    fn may_move(&self, id: LoopId, inst: Inst, always: bool, writes: AliasSet) -> bool {
        let data = &self.func.insts[inst];
        let does = effects(&data.kind);
        let mut invariant = true;
        data.kind
            .visit_operands(|v| invariant &= self.is_invariant(id, v));
        if !invariant || data.results.is_empty() || !does.removable || does.convergent {
            return false;
        }
        if does.speculatable {
            return always || !is_expensive(&data.kind);
        }
        is_plain_load(&data.kind, &does) && always && !does.reads.overlaps(writes)
    }

    /// Splits the invariant part off an address: `base + (fixed + varying)` and `(base + varying) + fixed` become
    /// `(base + fixed) + varying`, of which the first sum is hoisted at once.
    fn reassociate(&mut self, id: LoopId, inst: Inst, preheader: Block) {
        let Some((base, fixed, varying)) = self.address_parts(id, inst) else {
            return;
        };
        // A constant belongs into the access.
        if crate::scalar::fold::integer(self.func, fixed).is_some() {
            return;
        }
        let (span, origin) = (self.func.insts[inst].span, self.func.insts[inst].origin);
        let ty = self.func.ty(base);
        let kind = InstKind::PtrAdd {
            base,
            offset: fixed,
        };
        let row = self.func.push_inst(preheader, kind, &[ty], span, origin);
        let result = self.func.insts[row].results[0];
        self.func.insts[inst].kind = InstKind::PtrAdd {
            base: result,
            offset: varying,
        };
        self.func.insts[inst].facts = Facts::empty();
        self.changed = true;
    }

    /// Base, invariant offset and varying offset of an address that is not in that order yet.
    fn address_parts(&self, id: LoopId, inst: Inst) -> Option<(Value, Value, Value)> {
        let InstKind::PtrAdd { base, offset } = self.func.insts[inst].kind else {
            return None;
        };
        match (self.is_invariant(id, base), self.is_invariant(id, offset)) {
            (true, false) => {
                let Some(&InstKind::Binary {
                    op: BinaryOp::IAdd,
                    lhs,
                    rhs,
                }) = self.func.def(offset)
                else {
                    return None;
                };
                // A narrower sum wraps around before it is extended.
                if self.func.ty(offset) != Ty::I64 {
                    return None;
                }
                match (self.is_invariant(id, lhs), self.is_invariant(id, rhs)) {
                    (true, false) => Some((base, lhs, rhs)),
                    (false, true) => Some((base, rhs, lhs)),
                    _ => None,
                }
            }
            (false, true) => {
                let Some(&InstKind::PtrAdd {
                    base: inner,
                    offset: varying,
                }) = self.func.def(base)
                else {
                    return None;
                };
                self.is_invariant(id, inner)
                    .then_some((inner, offset, varying))
            }
            _ => None,
        }
    }
}

/// Worth computing only where the program does.
fn is_expensive(kind: &InstKind) -> bool {
    match kind {
        InstKind::Math { .. } | InstKind::CallNative { .. } => true,
        InstKind::Binary { op, .. } => matches!(
            op,
            BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem | BinaryOp::FDiv
        ),
        InstKind::Unary { op, .. } => *op == UnaryOp::Sqrt,
        _ => false,
    }
}

fn is_plain_load(kind: &InstKind, does: &InstEffects) -> bool {
    match kind {
        InstKind::Load { flags, .. } => {
            !flags.volatile && (!does.reads.is_empty() || flags.alias == AliasClass::CONST)
        }
        _ => false,
    }
}
