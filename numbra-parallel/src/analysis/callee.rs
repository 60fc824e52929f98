//! Elements that functions which stay calls change of arrays that they are given: library bodies, and functions that call
//! themselves.
//!
//! `def add(h, k, x): h[k] += x` changes the element of `h` at its second argument. Only places that are constants and
//! parameters are followed, and only in the function that is called, not in those that it calls.

use super::accesses::{Access, Kind, Uses};
use super::affine::Candidate;
use super::indices::{Dim, constant_dims, joined};
use numbra_ir::analysis::DefUse;
use numbra_ir::{CallArg, Const, Expr, Inst, Instance, Rhs, StmtKind, TypedFunc, Var};

/// A part of a place.
#[derive(Clone)]
enum Part {
    Known(Const),
    Parameter(usize),
}

/// A function that a loop calls.
struct Body<'a> {
    typed: &'a TypedFunc,
    uses: DefUse,
}

impl Body<'_> {
    fn def(&self, var: Var) -> Option<&Rhs> {
        match &self.typed.func.insts[self.uses.only_def(var)?].kind {
            StmtKind::Assign { value, .. } => Some(value),
            _ => None,
        }
    }

    /// The parameter that a variable is.
    fn parameter(&self, var: Var) -> Option<usize> {
        let mut at = var;
        for _ in 0..16 {
            match self.def(at)? {
                Rhs::Var(of) => at = *of,
                Rhs::Arg(index) => return Some(*index as usize),
                _ => return None,
            }
        }
        None
    }

    fn place(&self, index: Var) -> Option<Vec<Part>> {
        if let Some(parameter) = self.parameter(index) {
            return Some(vec![Part::Parameter(parameter)]);
        }
        match self.def(index)? {
            Rhs::Var(of) => self.place(*of),
            Rhs::Const(known) => Some(vec![Part::Known(known.clone())]),
            Rhs::Expr(Expr::BuildTuple(items)) => {
                let parts: Option<Vec<_>> = items.iter().map(|item| self.place(*item)).collect();
                parts.map(|parts| parts.concat())
            }
            _ => None,
        }
    }

    /// True if a stored value is an operator's with an element of the array.
    fn is_update(&self, value: Var, array: usize) -> bool {
        let taken = |var: Var| match self.def(var) {
            Some(Rhs::Expr(Expr::GetItem { value, .. } | Expr::StaticGetItem { value, .. })) => {
                self.parameter(*value) == Some(array)
            }
            _ => false,
        };
        let mut found = false;
        if let Some(Rhs::Expr(expr)) = self.def(value) {
            Rhs::Expr(expr.clone()).for_each_use(|of| found |= taken(of));
        }
        found
    }

    /// The places of a parameter that are changed.
    fn changes(&self, array: usize) -> Vec<Vec<Part>> {
        let mut found = Vec::new();
        for &block in &self.typed.func.layout {
            for &inst in &self.typed.func.blocks[block].insts {
                let (target, place, value) = match &self.typed.func.insts[inst].kind {
                    StmtKind::SetItem {
                        target,
                        index,
                        value,
                    } => (*target, self.place(*index), *value),
                    StmtKind::StaticSetItem {
                        target,
                        index,
                        value,
                        ..
                    } => (*target, Some(vec![Part::Known(index.clone())]), *value),
                    _ => continue,
                };
                if self.parameter(target) == Some(array)
                    && self.is_update(value, array)
                    && let Some(place) = place
                {
                    found.push(place);
                }
            }
        }
        found
    }
}

impl Candidate<'_> {
    /// Adds what a called function of the program changes of the part `path` of an array, which `var` is.
    pub(super) fn callee(
        &self,
        (call, instance): (Inst, Instance),
        var: Var,
        path: &[Dim],
        out: &mut Uses,
    ) {
        let Some((_, typed)) = self.cx.program.functions.get(instance) else {
            return;
        };
        let Some(site) = &self.cx.typed.calls[call] else {
            return;
        };
        let body = Body {
            typed,
            uses: DefUse::new(&typed.func),
        };
        for (array, arg) in site.args.iter().enumerate() {
            if !matches!(arg, CallArg::Var(of) if *of == var) {
                continue;
            }
            for place in body.changes(array) {
                let dims = place.iter().flat_map(|part| match part {
                    Part::Known(known) => constant_dims(known),
                    Part::Parameter(at) => match site.args.get(*at) {
                        Some(CallArg::Var(index)) => self.dims(*index),
                        Some(CallArg::Default(known)) => constant_dims(known),
                        Some(CallArg::Item(..) | CallArg::Tuple(_)) | None => {
                            vec![Dim::Other(None)]
                        }
                    },
                });
                out.accesses.push(Access {
                    kind: Kind::Store,
                    path: joined(path, dims.collect()),
                    inst: call,
                });
            }
        }
    }
}
