//! Variables that a loop carries from one iteration to the next.
//!
//! A variable `s` whose value goes through one operator only (`s += x`, `s = min(s, x)`) and is read by nothing else is a
//! *reduction*: each chunk starts with the operator's neutral value and the results are combined in order. A variable that
//! iterations write and none reads from an earlier one has its *last value* after the loop. Any other carries a dependence.
//!
//! `min` and `max` keep their first argument where neither is less, so a NaN in `x` is passed over by `max(s, x)`, while
//! `max(x, s)` takes it, and drops it for the next `x`: what came before the last NaN is forgotten. The results of chunks are
//! combined exactly if it is known whether a chunk forgot: a flag says so.

use super::accesses::reduce_of;
use super::context::Context;
use crate::{Carried, NanReset, SerialReason};
use numbra_base::{FxHashMap, FxHashSet};
use numbra_ir::analysis::DefUse;
use numbra_ir::{Block, CallArg, Expr, Inst, Rhs, StmtKind, Var};
use numbra_library::{Op, Reduce};

/// A variable and the versions of it that hold what earlier iterations made.
pub(super) struct Chain {
    pub(super) kind: Carried,
    /// Phis among them.
    pub(super) phis: Vec<Var>,
    /// Where `min` or `max` replaced the variable: the result, and the version before.
    pub(super) nan_resets: Vec<NanReset>,
}

/// How a variable of the loop comes from the carried one.
enum Link {
    /// The same value.
    Copy(Var),
    /// One of several.
    Phi(Vec<Var>),
    /// Combined with something else.
    Step(Carried, Var),
    /// Something new.
    Other,
}

impl Context<'_> {
    /// Classifies the phi `carried` of the header of a loop of these blocks; an error names the reason against it.
    pub(super) fn carried(
        &self,
        carried: Var,
        inside: &FxHashSet<Block>,
        uses: &DefUse,
    ) -> Result<Chain, SerialReason> {
        let mut search = Search {
            cx: *self,
            inside,
            uses,
            carried,
            holds: FxHashMap::default(),
            steps: FxHashSet::default(),
            nan_resets: Vec::new(),
            found: None,
            conflict: false,
            other: false,
            earlier: false,
        };
        let var = self.source_name(carried);
        let dependence = || SerialReason::LoopCarried { var: var.clone() };
        let back: Vec<Var> = search.back_edges();
        for var in back {
            search.has_carried(var, 0);
        }
        if search.earlier {
            return Err(dependence());
        }
        if search.conflict {
            return Err(SerialReason::MixedOperators { var });
        }
        let held: Vec<Var> = search
            .holds
            .keys()
            .copied()
            .filter(|v| search.holds[v])
            .collect();
        // What holds a value of earlier iterations may be read by the chain alone.
        for &var in held.iter().chain([&carried]) {
            for &user in uses.uses(var) {
                let within = uses.block_of[user].is_some_and(|b| inside.contains(&b));
                if within && !search.steps.contains(&user) {
                    return Err(dependence());
                }
            }
        }
        let kind = match (search.found, search.other) {
            (Some(_), true) => return Err(dependence()),
            (Some(kind), false) => kind,
            (None, _) => Carried::LastValue,
        };
        let mut phis: Vec<Var> = held.into_iter().filter(|v| search.is_phi(*v)).collect();
        phis.push(carried);
        phis.sort_unstable();
        phis.dedup();
        Ok(Chain {
            kind,
            phis,
            nan_resets: search.nan_resets,
        })
    }
}

struct Search<'a> {
    cx: Context<'a>,
    inside: &'a FxHashSet<Block>,
    uses: &'a DefUse,
    carried: Var,
    /// Whether a variable holds a value that may come from earlier iterations.
    holds: FxHashMap<Var, bool>,
    /// Statements of the chain.
    steps: FxHashSet<Inst>,
    nan_resets: Vec<NanReset>,
    found: Option<Carried>,
    conflict: bool,
    /// A value that does not come from earlier iterations goes into the variable.
    other: bool,
    /// A value of an earlier iteration of another variable goes into it.
    earlier: bool,
}

/// Longer chains are given up.
const MAX_DEPTH: usize = 200;

impl Search<'_> {
    fn def(&self, var: Var) -> Option<(Inst, &Rhs)> {
        let inst = self.uses.only_def(var)?;
        match &self.cx.typed.func.insts[inst].kind {
            StmtKind::Assign { value, .. } => Some((inst, value)),
            _ => None,
        }
    }

    fn is_phi(&self, var: Var) -> bool {
        matches!(self.def(var), Some((_, Rhs::Expr(Expr::Phi(_)))))
    }

    fn is_inside(&self, inst: Inst) -> bool {
        self.uses.block_of[inst].is_some_and(|b| self.inside.contains(&b))
    }

    /// True for statements of the header of the loop, whose phis have what the iteration before left.
    fn is_of_header(&self, inst: Inst) -> bool {
        let header = self.uses.only_def(self.carried);
        header.is_some_and(|header| self.uses.block_of[header] == self.uses.block_of[inst])
    }

    /// What the header's phi gets at the end of an iteration. The phi itself is a step of the chain.
    fn back_edges(&mut self) -> Vec<Var> {
        let Some((inst, Rhs::Expr(Expr::Phi(incoming)))) = self.def(self.carried) else {
            return Vec::new();
        };
        let vars = incoming
            .iter()
            .filter(|(block, _)| self.inside.contains(block))
            .filter_map(|(_, var)| *var)
            .collect();
        self.steps.insert(inst);
        self.holds.insert(self.carried, true);
        vars
    }

    /// True if the variable holds what comes from the carried one; follows its definition.
    fn has_carried(&mut self, var: Var, depth: usize) -> bool {
        if let Some(&known) = self.holds.get(&var) {
            return known;
        }
        let Some((inst, _)) = self.def(var) else {
            self.other = true;
            return false;
        };
        if !self.is_inside(inst) || depth > MAX_DEPTH {
            self.other = true;
            return false;
        }
        let link = self.link(inst);
        let held = match link {
            Link::Copy(of) => self.has_carried(of, depth + 1),
            Link::Phi(_) if self.is_of_header(inst) => {
                self.earlier = true;
                false
            }
            Link::Phi(vars) => {
                // Loops inside lead back here.
                self.holds.insert(var, true);
                let mut any = false;
                for of in vars {
                    any |= self.has_carried(of, depth + 1);
                }
                any
            }
            Link::Step(kind, of) => {
                let held = self.has_carried(of, depth + 1);
                if held {
                    self.conflict |= self.found.is_some_and(|known| known != kind);
                    self.found = Some(kind);
                    if matches!(kind, Carried::NanReset(_)) {
                        self.nan_resets.push(NanReset {
                            result: var,
                            before: of,
                        });
                    }
                } else {
                    self.other = true;
                }
                held
            }
            Link::Other => {
                self.other = true;
                false
            }
        };
        self.holds.insert(var, held);
        if held {
            self.steps.insert(inst);
        }
        held
    }

    /// True if a variable leads back to the carried one through copies, phis and operators: decides which operand of an
    /// operator is the chain's.
    fn is_reaching(&self, var: Var, seen: &mut FxHashSet<Var>) -> bool {
        if var == self.carried {
            return true;
        }
        if seen.len() > MAX_DEPTH || !seen.insert(var) {
            return false;
        }
        let Some((inst, rhs)) = self.def(var) else {
            return false;
        };
        if !self.is_inside(inst) {
            return false;
        }
        match rhs {
            Rhs::Var(of) => self.is_reaching(*of, seen),
            Rhs::Expr(Expr::Phi(incoming)) => incoming
                .iter()
                .filter_map(|(_, var)| *var)
                .any(|of| self.is_reaching(of, seen)),
            Rhs::Expr(Expr::BinOp { lhs, rhs, .. } | Expr::InplaceBinOp { lhs, rhs, .. }) => {
                self.is_reaching(*lhs, seen) || self.is_reaching(*rhs, seen)
            }
            Rhs::Expr(Expr::Call { args, .. }) => args.iter().any(|of| self.is_reaching(*of, seen)),
            _ => false,
        }
    }

    fn link(&self, inst: Inst) -> Link {
        let StmtKind::Assign { value, .. } = &self.cx.typed.func.insts[inst].kind else {
            return Link::Other;
        };
        let reaches = |var: Var| self.is_reaching(var, &mut FxHashSet::default());
        match value {
            Rhs::Var(of) => Link::Copy(*of),
            Rhs::Expr(Expr::Phi(incoming)) => {
                Link::Phi(incoming.iter().filter_map(|(_, var)| *var).collect())
            }
            Rhs::Expr(
                Expr::BinOp { op, lhs, rhs, .. } | Expr::InplaceBinOp { op, lhs, rhs, .. },
            ) => {
                let Some((reduce, either)) = reduce_of(*op) else {
                    return Link::Other;
                };
                match (reaches(*lhs), reaches(*rhs)) {
                    (true, false) => Link::Step(Carried::Reduction(reduce), *lhs),
                    (false, true) if either => Link::Step(Carried::Reduction(reduce), *rhs),
                    _ => Link::Other,
                }
            }
            Rhs::Expr(Expr::Call { .. }) => self.extreme(inst, &reaches),
            _ => Link::Other,
        }
    }

    /// `min(s, x)` and `max(s, x)`, with any number of `x`, on either side.
    fn extreme(&self, inst: Inst, reaches: &dyn Fn(Var) -> bool) -> Link {
        let reduce = match self.cx.intrinsic_of(inst) {
            Some(Op::Min) => Reduce::Min,
            Some(Op::Max) => Reduce::Max,
            _ => return Link::Other,
        };
        let Some(site) = &self.cx.typed.calls[inst] else {
            return Link::Other;
        };
        let mut chain = Vec::new();
        for (at, arg) in site.args.iter().enumerate() {
            match arg {
                CallArg::Var(var) if reaches(*var) => chain.push((at, *var)),
                CallArg::Var(_) | CallArg::Item(..) | CallArg::Default(_) | CallArg::Tuple(_) => {}
            }
        }
        let [(at, of)] = chain[..] else {
            return Link::Other;
        };
        let result = self.cx.typed.func.insts[inst].kind.def();
        let ty = result.and_then(|var| self.cx.var_type(var));
        if at == 0 || !ty.is_some_and(|ty| self.cx.has_nan(ty)) {
            return Link::Step(Carried::Reduction(reduce), of);
        }
        // Between others it is both passed over and replaced.
        match at + 1 == site.args.len() {
            true => Link::Step(Carried::NanReset(reduce), of),
            false => Link::Other,
        }
    }
}
