//! Indices that count from the end only where the access is undefined anyway: `a[i - w]` behind `w <= i`.
//!
//! The difference is not negative, unless it wraps around; then it is so far below zero that no array's extent makes it a
//! position, and an access without a bounds check may do anything. So nothing is lost where the select between it and its sum
//! with the extent is the difference, if nobody but addresses can tell.

use super::*;

/// No extent, and no position in an array, is larger.
const MAX_EXTENT: i128 = 1 << 61;

impl Walk<'_> {
    /// If `select cond, then, other` is such an index: what it may as well be.
    pub(super) fn position(
        &mut self,
        select: Value,
        cond: Value,
        then: Value,
        other: Value,
    ) -> Option<Value> {
        let extent = match *self.func.def(then)? {
            InstKind::Binary {
                op: BinaryOp::IAdd,
                lhs,
                rhs,
            } if lhs == other => rhs,
            _ => return None,
        };
        let &InstKind::Binary {
            op: BinaryOp::ISub,
            lhs: from,
            rhs: taken,
        } = self.func.def(other)?
        else {
            return None;
        };
        let is_extent =
            |range: Interval| !range.is_empty() && range.lo >= 0 && range.hi <= MAX_EXTENT;
        let holds = self.func.ty(other) == Ty::I64
            && self.negative(cond) == Some(other)
            && is_extent(self.range[extent])
            && is_extent(self.range[from])
            && self.difference(taken, from).is_some_and(|most| most <= 0);
        if !holds {
            return None;
        }
        let func = &*self.func;
        let told = self.told.get_or_insert_with(|| beyond_addresses(func));
        (!told.contains(&select)).then_some(other)
    }
}

/// The values that are more than parts of addresses which are loaded from or stored to.
fn beyond_addresses(func: &Func) -> FxHashSet<Value> {
    let mut told = FxHashSet::default();
    loop {
        let before = told.len();
        // Against the order of the code, so that uses mostly come first.
        for block in func.layout.iter().rev() {
            let data = &func.blocks[block];
            if let Some(term) = &data.term {
                term.visit_operands(|value| {
                    told.insert(value);
                });
            }
            for &inst in data.insts().iter().rev() {
                let data = &func.insts[inst];
                let quiet = match data.kind {
                    InstKind::Load { .. } => true,
                    InstKind::Store { value, .. } => {
                        told.insert(value);
                        true
                    }
                    InstKind::PtrAdd { .. }
                    | InstKind::Binary {
                        op: BinaryOp::IAdd | BinaryOp::ISub | BinaryOp::IMul | BinaryOp::Shl,
                        ..
                    } => data.results.iter().all(|result| !told.contains(result)),
                    _ => false,
                };
                if !quiet {
                    data.kind.visit_operands(|value| {
                        told.insert(value);
                    });
                }
            }
        }
        if told.len() == before {
            return told;
        }
    }
}
