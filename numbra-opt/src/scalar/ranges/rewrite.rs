//! What intervals decide about instructions: they become simpler, or get facts.

use super::evaluate::{exact, overflow_of};
use super::*;
use numbra_base::Origin;

impl Walk<'_> {
    pub(super) fn rewrite(&mut self, inst: Inst) {
        let data = &self.func.insts[inst];
        let results = data.results.clone();
        if let [value] = results[..]
            && !matches!(data.kind, InstKind::IConst(_))
            && effects(&data.kind).removable
            && let Some(n) = self.range[value].as_point()
            && let Some(kind) = constant_kind(&LirValue::int(self.func.ty(value), n))
        {
            let data = &mut self.func.insts[inst];
            data.kind = kind;
            data.facts = Facts::empty();
            self.changed = true;
            return;
        }
        match data.kind {
            InstKind::Select { cond, then, other } => {
                let [value] = results[..] else {
                    return;
                };
                let kept = match self.range[cond].as_point() {
                    Some(n) => Some(if n == 0 { other } else { then }),
                    None => self.position(value, cond, then, other),
                };
                if let Some(kept) = kept {
                    self.renames.replace(value, kept);
                }
            }
            InstKind::Binary { op, lhs, rhs } => self.strengthen(inst, op, lhs, rhs),
            InstKind::Icmp {
                cc: cc @ (IntCc::Slt | IntCc::Sge),
                lhs,
                rhs,
            } if self.range[rhs].as_point() == Some(0) => self.simplify_sign(inst, cc, lhs, rhs),
            InstKind::Overflow { op, lhs, rhs } => {
                if let [_, flag] = results[..]
                    && self.range[flag].as_point() == Some(0)
                {
                    self.drop_flag(inst, flag, op, lhs, rhs);
                }
            }
            _ => {}
        }
    }

    /// Puts a constant in the place of a parameter that is one.
    pub(super) fn replace_constant(&mut self, block: Block, param: Value) {
        let ty = self.func.ty(param);
        let range = self.range[param].as_point();
        let Some(kind) = range.and_then(|n| constant_kind(&LirValue::int(ty, n))) else {
            return;
        };
        let span = self.func.blocks[block].term_span;
        let constant = self
            .func
            .make_inst(kind, &[ty], span, Origin::Pass("ranges"));
        self.constants.push(constant);
        self.renames
            .replace(param, self.func.insts[constant].results[0]);
    }

    /// The sign of `a ^ b` with a non-negative `b` is that of `a`.
    fn simplify_sign(&mut self, inst: Inst, cc: IntCc, value: Value, zero: Value) {
        let signed = self.with_sign_of(value);
        if signed != value {
            self.func.insts[inst].kind = InstKind::Icmp {
                cc,
                lhs: signed,
                rhs: zero,
            };
            self.changed = true;
        }
    }

    /// Makes an operation that never overflows a plain one, and its flag a constant.
    fn drop_flag(&mut self, inst: Inst, flag: Value, op: OverflowOp, lhs: Value, rhs: Value) {
        let (op, facts) = match op {
            OverflowOp::SAdd => (BinaryOp::IAdd, Facts::NSW),
            OverflowOp::SSub => (BinaryOp::ISub, Facts::NSW),
            OverflowOp::SMul => (BinaryOp::IMul, Facts::NSW),
            OverflowOp::UAdd => (BinaryOp::IAdd, Facts::NUW),
            OverflowOp::USub => (BinaryOp::ISub, Facts::NUW),
            OverflowOp::UMul => (BinaryOp::IMul, Facts::NUW),
        };
        let (span, origin) = (self.func.insts[inst].span, self.func.insts[inst].origin);
        let constant = self.func.make_inst(InstKind::IConst(0), &[], span, origin);
        self.func.insts[constant].results.push(flag);
        self.func.values[flag].def = ValueDef::Result(constant, 0);
        self.constants.push(constant);
        let data = &mut self.func.insts[inst];
        data.kind = InstKind::Binary { op, lhs, rhs };
        data.results.truncate(1);
        data.facts = facts;
        self.changed = true;
    }

    /// Facts, and unsigned divisions and shifts.
    fn strengthen(&mut self, inst: Inst, op: BinaryOp, lhs: Value, rhs: Value) {
        let ty = self.func.ty(lhs);
        let (Some(full), Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64) = (Interval::full(ty), ty) else {
            return;
        };
        let (x, y) = (self.range[lhs], self.range[rhs]);
        if x.is_empty() || y.is_empty() {
            return;
        }
        let nonnegative = x.is_nonnegative() && y.is_nonnegative();
        let overflow = match op {
            BinaryOp::AShr => {
                if x.is_nonnegative() {
                    let op = BinaryOp::LShr;
                    self.func.insts[inst].kind = InstKind::Binary { op, lhs, rhs };
                    self.changed = true;
                }
                return;
            }
            BinaryOp::SDiv | BinaryOp::SRem | BinaryOp::UDiv | BinaryOp::URem => {
                let mut facts = Facts::empty();
                if !y.contains(Interval::point(0)) || self.nonzero.contains(&rhs) {
                    facts |= Facts::NONZERO;
                }
                let overflows = x.lo == full.lo && y.contains(Interval::point(-1));
                let signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
                if signed && !nonnegative && !overflows {
                    facts |= Facts::NSW;
                }
                self.know(inst, facts);
                if nonnegative && signed {
                    let unsigned = match op {
                        BinaryOp::SDiv => BinaryOp::UDiv,
                        _ => BinaryOp::URem,
                    };
                    let data = &mut self.func.insts[inst];
                    data.kind = InstKind::Binary {
                        op: unsigned,
                        lhs,
                        rhs,
                    };
                    // An earlier run, which knew less, may have said that the signed one does not overflow.
                    data.facts.remove(Facts::NSW);
                    self.changed = true;
                }
                return;
            }
            _ => match overflow_of(op) {
                Some(overflow) => overflow,
                None => return,
            },
        };
        let Some(result) = exact(overflow, x, y) else {
            return;
        };
        if !full.contains(result) && !self.never_wraps(op, lhs, rhs) {
            return;
        }
        let mut facts = Facts::NSW;
        if nonnegative && result.is_nonnegative() {
            facts |= Facts::NUW;
        }
        self.know(inst, facts);
    }

    fn know(&mut self, inst: Inst, facts: Facts) {
        let data = &mut self.func.insts[inst];
        if !data.facts.contains(facts) {
            data.facts |= facts;
            self.changed = true;
        }
    }

    pub(super) fn decide_term(&mut self, block: Block) {
        let Some(Terminator::Brif { cond, .. } | Terminator::Guard { cond, .. }) =
            self.func.blocks[block].term
        else {
            return;
        };
        let Some(n) = self.range[cond].as_point() else {
            return;
        };
        if let Some(term) = &self.func.blocks[block].term {
            let to = term.targets()[usize::from(n == 0)].clone();
            self.func.blocks[block].term = Some(Terminator::Jump(to));
            self.decided = true;
        }
    }
}
