//! Indices of arrays in a loop, part by part, in terms of its item.

use super::affine::{Affine, Candidate};
use numbra_ir::{Const, Expr, Rhs, StmtKind, Type, Var};

/// One part of an index.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Dim {
    At(Affine),
    /// A part of the loop's item, which is an index of several axes.
    Component(usize),
    /// A slice, which is the same in each iteration if it has a name.
    Span(Option<String>),
    /// A slice `from:to` or `from:` that differs from iteration to iteration.
    Part(Affine, Option<Affine>),
    /// A mask or an array of indices, which is the same in each iteration if it has a name; `...` among others.
    Other(Option<Var>),
}

impl Candidate<'_> {
    /// The parts of an index.
    pub(super) fn dims(&self, index: Var) -> Vec<Dim> {
        let index = self.original(index);
        if self.is_item(index) && self.axes() > 0 {
            return (0..self.axes()).map(Dim::Component).collect();
        }
        if let Some((_, Rhs::Expr(Expr::BuildTuple(items)))) = self.def(index) {
            return items.iter().map(|item| self.dim(*item)).collect();
        }
        if let Some((_, Rhs::Const(known))) = self.def(index) {
            return constant_dims(known);
        }
        vec![self.dim(index)]
    }

    fn dim(&self, var: Var) -> Dim {
        let var = self.original(var);
        let Some(ty) = self.cx.var_type(var) else {
            return Dim::Other(None);
        };
        if let Some(axis) = self.component(var) {
            return Dim::Component(axis);
        }
        if self
            .cx
            .types
            .as_scalar(ty)
            .is_some_and(|kind| kind.is_int())
        {
            return Dim::At(self.affine(var));
        }
        if ty == Type::SLICE2 || ty == Type::SLICE3 {
            let name = self.span_name(var);
            return match self.def(var) {
                Some((true, Rhs::Expr(Expr::Call { args, .. }))) if name.is_none() => {
                    self.part(args).unwrap_or(Dim::Span(None))
                }
                _ => Dim::Span(name),
            };
        }
        let outside = matches!(self.def(var), Some((false, _))) && self.is_only_read(var);
        Dim::Other(outside.then_some(var))
    }

    /// A slice with step 1.
    fn part(&self, args: &[Var]) -> Option<Dim> {
        let &[from, to] = args else { return None };
        let to = match self.is_integer(to) {
            true => Some(self.affine(to)),
            false => None,
        };
        self.is_integer(from)
            .then(|| Dim::Part(self.affine(from), to))
    }

    /// A name for a slice that is the same in each iteration.
    fn span_name(&self, var: Var) -> Option<String> {
        match self.def(var) {
            Some((true, Rhs::Expr(Expr::Call { args, .. }))) => {
                let mut name = String::from("slice");
                for arg in args {
                    let arg = self.original(*arg);
                    match self.def(arg) {
                        Some((_, Rhs::Const(known))) => name.push_str(&format!(" {known:?}")),
                        Some((false, _)) => name.push_str(&format!(" {arg:?}")),
                        Some((true, _)) | None => {
                            let form = self.affine(arg);
                            if form.item != 0 || !form.others.is_empty() {
                                return None;
                            }
                            name.push_str(&format!(" {}", form.constant));
                        }
                    }
                }
                Some(name)
            }
            Some((true, Rhs::Const(known))) => Some(format!("{known:?}")),
            Some((false, _)) => Some(format!("{var:?}")),
            Some((true, _)) | None => None,
        }
    }

    /// True if two variables have the same value wherever both are known.
    pub(super) fn is_same(&self, a: Var, b: Var) -> bool {
        let (a, b) = (self.original(a), self.original(b));
        if a == b {
            return true;
        }
        let (a, b) = (self.dims(a), self.dims(b));
        a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| self.is_same_dim(a, b))
    }

    /// True if two parts of indices have the same value wherever both are known.
    pub(super) fn is_same_dim(&self, a: &Dim, b: &Dim) -> bool {
        match (a, b) {
            (Dim::At(a), Dim::At(b)) => {
                let rest = |form: &Affine| (form.item, form.constant, form.others.len());
                let mut others = a.others.iter().zip(&b.others);
                rest(a) == rest(b)
                    && others
                        .all(|((x, by), (y, other))| by == other && self.is_same_value(*x, *y, 0))
            }
            (Dim::Component(_) | Dim::Span(Some(_)) | Dim::Other(Some(_)), _) => a == b,
            (Dim::At(_) | Dim::Part(..) | Dim::Span(None) | Dim::Other(None), _) => false,
        }
    }

    /// True if two variables are computed in the same way from the same values: `i % 7`, or `x[i]` of an array that the loop
    /// does not change.
    fn is_same_value(&self, a: Var, b: Var, depth: usize) -> bool {
        let (a, b) = (self.original(a), self.original(b));
        if a == b {
            return true;
        }
        let (Some((_, Rhs::Expr(x))), Some((_, Rhs::Expr(y)))) = (self.def(a), self.def(b)) else {
            return matches!((self.def(a), self.def(b)),
                (Some((_, Rhs::Const(x))), Some((_, Rhs::Const(y)))) if x == y);
        };
        let same = |x: Var, y: Var| depth < 16 && self.is_same_value(x, y, depth + 1);
        match (x, y) {
            (
                Expr::BinOp { op, lhs, rhs, .. },
                Expr::BinOp {
                    op: other,
                    lhs: left,
                    rhs: right,
                    ..
                },
            ) => op == other && same(*lhs, *left) && same(*rhs, *right),
            (
                Expr::GetItem { value, index },
                Expr::GetItem {
                    value: other,
                    index: at,
                },
            ) => {
                let from = self.original(*value);
                from == self.original(*other) && self.is_only_read(from) && same(*index, *at)
            }
            _ => false,
        }
    }

    /// True for arrays from outside that the loop takes elements of, and nothing else.
    pub(super) fn is_only_read(&self, array: Var) -> bool {
        let func = &self.cx.typed.func;
        let outside = matches!(self.def(array), Some((false, _)));
        outside && self.uses.uses(array).iter().all(|user| {
            let number = |var: Var| self.array_type(var).is_none();
            !self.is_inside(*user)
                || matches!(&func.insts[*user].kind, StmtKind::Assign {
                    target,
                    value: Rhs::Expr(Expr::GetItem { .. } | Expr::StaticGetItem { .. } | Expr::GetAttr { .. }),
                } if number(*target))
        })
    }
}

/// The index `dims` of what the index `path` gives, as one index.
pub(super) fn joined(path: &[Dim], mut dims: Vec<Dim>) -> Vec<Dim> {
    let mut out = path.to_vec();
    // `y[i:][j]` is `y[i + j]`, unless `j` counts from the end.
    if let ([before @ .., Dim::Part(from, _)], Some(Dim::At(form))) = (path, dims.first())
        && before.iter().all(|dim| matches!(dim, Dim::At(_)))
        && form.constant >= 0
        && let Some(sum) = from.plus(1, form)
    {
        out.pop();
        out.push(Dim::At(sum));
        out.extend(dims.drain(..).skip(1));
        return out;
    }
    // Behind a slice the parts of an index count other axes.
    if path
        .iter()
        .any(|dim| matches!(dim, Dim::Span(_) | Dim::Part(..) | Dim::Other(_)))
    {
        for dim in &mut dims {
            *dim = match dim {
                Dim::At(form) if form.item == 0 && form.others.is_empty() => {
                    Dim::Span(Some(format!("{}", form.constant)))
                }
                Dim::Span(name) => Dim::Span(name.clone()),
                Dim::At(_) | Dim::Part(..) | Dim::Component(_) | Dim::Other(_) => Dim::Other(None),
            };
        }
    }
    out.append(&mut dims);
    out
}

/// The parts of an index that is known.
pub(super) fn constant_dims(index: &Const) -> Vec<Dim> {
    match index {
        Const::Int(n) => vec![Dim::At(Affine {
            constant: *n,
            ..Affine::default()
        })],
        // Behind `...` the parts count other axes.
        Const::Tuple(items) if items.contains(&Const::Ellipsis) => vec![Dim::Other(None)],
        Const::Tuple(items) => items.iter().flat_map(constant_dims).collect(),
        Const::Slice(_) | Const::Ellipsis => vec![Dim::Span(Some(format!("{index:?}")))],
        Const::None
        | Const::Bool(_)
        | Const::BigInt(_)
        | Const::Float(_)
        | Const::Complex(..)
        | Const::Str(_)
        | Const::Bytes(_) => vec![Dim::Other(None)],
    }
}
