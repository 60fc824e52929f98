//! What a loop does with the elements of an array: loads, stores, and updates by an operator.

use super::affine::Candidate;
use super::indices::{Dim, constant_dims, joined};
use numbra_ir::{
    BinOp, CallArg, Callee, Const, Expr, Inst, Rhs, Scalar, StmtKind, Type, TypeKind, Var,
};
use numbra_library::{Effects, Op, Reduce};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Load,
    Store,
    /// Combined with something by an operator.
    Update(Reduce),
    /// Combined by `min(x, y[i])` or `max(x, y[i])` of floats, where a NaN in `x` has what was there forgotten.
    NanReset(Reduce),
}

/// What a statement does with elements of an array.
pub(super) struct Access {
    pub(super) kind: Kind,
    pub(super) path: Vec<Dim>,
    pub(super) inst: Inst,
}

/// The index at which an element or a view is taken and stored.
#[derive(Clone, Copy)]
enum IndexOperand<'a> {
    At(Var),
    Known(&'a Const),
}

/// What a loop does with one array.
#[derive(Default)]
pub(super) struct Uses {
    pub(super) vars: Vec<Var>,
    pub(super) accesses: Vec<Access>,
    /// It is also used in ways of which nothing is known.
    pub(super) escapes: bool,
}

impl Uses {
    /// The operator of an array that is changed by [`Kind::NanReset`], if it is only updated.
    pub(super) fn nan_reset(&self) -> Option<Reduce> {
        let mut found = None;
        for access in &self.accesses {
            match access.kind {
                Kind::Update(_) => {}
                Kind::NanReset(reduce) => found = Some(reduce),
                Kind::Load | Kind::Store => return None,
            }
        }
        found.filter(|_| !self.escapes)
    }

    /// What the user calls the array.
    pub(super) fn name(&self, root: Var, candidate: &Candidate<'_>) -> String {
        let names = self.vars.iter().map(|var| candidate.cx.source_name(*var));
        let own = |name: &String| !name.starts_with('$');
        names
            .into_iter()
            .find(own)
            .unwrap_or_else(|| candidate.cx.source_name(root))
    }
}

impl Candidate<'_> {
    pub(super) fn is_inside(&self, inst: Inst) -> bool {
        self.uses.block_of[inst].is_some_and(|block| self.inside.contains(&block))
    }

    pub(super) fn array_type(&self, var: Var) -> Option<Type> {
        let ty = self.cx.var_type(var)?;
        self.cx.types.as_array(ty).map(|array| array.dtype)
    }

    /// Adds what the loop does with `var`, which is the part `path` of an array.
    pub(super) fn collect(&self, var: Var, path: &[Dim], out: &mut Uses, depth: usize) {
        let func = &self.cx.typed.func;
        for &inst in self.uses.uses(var) {
            if !self.is_inside(inst) {
                continue;
            }
            let mut note = |kind: Kind, path: Vec<Dim>| {
                out.accesses.push(Access { kind, path, inst });
            };
            match &func.insts[inst].kind {
                StmtKind::SetItem {
                    target,
                    index,
                    value,
                } if *target == var && *value != var && *index != var => {
                    let path = joined(path, self.dims(*index));
                    note(self.store_kind(inst), path);
                }
                StmtKind::StaticSetItem {
                    target,
                    index,
                    value,
                    ..
                } if *target == var && *value != var => {
                    let path = joined(path, constant_dims(index));
                    note(self.store_kind(inst), path);
                }
                StmtKind::Assign { target, value } => match value {
                    Rhs::Var(_) if depth < 16 => self.collect(*target, path, out, depth + 1),
                    Rhs::Expr(expr) => match expr {
                        Expr::GetItem { value, index } if *value == var && *index != var => {
                            let path = joined(path, self.dims(*index));
                            self.item(*target, inst, path, out, depth);
                        }
                        Expr::StaticGetItem { value, index, .. } if *value == var => {
                            let path = joined(path, constant_dims(index));
                            self.item(*target, inst, path, out, depth);
                        }
                        Expr::GetAttr { .. } if self.array_type(*target).is_none() => {
                            self.attribute(*target, var, path, out, depth);
                        }
                        Expr::GetAttr { attr, .. } if depth < 16 => {
                            self.other_view(*target, attr, path, out, depth);
                        }
                        Expr::InplaceBinOp { op, lhs, rhs, .. } => {
                            let reduce = reduce_of(*op).map(|(reduce, _)| reduce);
                            let kind = match reduce {
                                Some(reduce) if self.is_combinable(reduce, var, *rhs) => {
                                    Kind::Update(reduce)
                                }
                                Some(_) | None => Kind::Store,
                            };
                            let mutates = *lhs == var && *rhs != var && !path.is_empty();
                            match mutates {
                                // What it gives is the same array.
                                true if self.stored_by(inst).is_none() => note(kind, path.to_vec()),
                                true => {}
                                false => note(Kind::Load, path.to_vec()),
                            }
                        }
                        Expr::BinOp {
                            op: BinOp::Is | BinOp::IsNot,
                            ..
                        } => {}
                        Expr::BinOp { .. } | Expr::Unary { .. } => note(Kind::Load, path.to_vec()),
                        Expr::Call { .. } => self.call(inst, var, path, out, depth),
                        _ => out.escapes = true,
                    },
                    _ => out.escapes = true,
                },
                _ => out.escapes = true,
            }
        }
    }

    /// A part that was taken of an array: an element, or a view.
    fn item(&self, target: Var, inst: Inst, path: Vec<Dim>, out: &mut Uses, depth: usize) {
        if self.array_type(target).is_some() {
            if path.iter().any(|dim| matches!(dim, Dim::Other(_))) {
                // A copy.
                let kind = Kind::Load;
                out.accesses.push(Access { kind, path, inst });
            } else if depth < 16 {
                self.collect(target, &path, out, depth + 1);
            } else {
                out.escapes = true;
            }
            return;
        }
        let ty = self.cx.var_type(target);
        if ty.is_some_and(|ty| self.cx.types.as_record(ty).is_some()) {
            self.fields(target, &path, out);
            return;
        }
        // The load of an update is part of it.
        let of_update = match self.uses.uses(target) {
            [user] => self.stored_by(*user) == Some(target),
            _ => false,
        };
        if !of_update {
            let kind = Kind::Load;
            out.accesses.push(Access { kind, path, inst });
        }
    }

    /// What the loop does with a record that is an element: its fields are in the array.
    fn fields(&self, record: Var, path: &[Dim], out: &mut Uses) {
        for &inst in self.uses.uses(record) {
            let attribute = |attr: &str| Some(Dim::Span(Some(format!(".{attr}"))));
            let item = |index: &Const| match index {
                Const::Str(field) => attribute(field),
                _ => None,
            };
            let (kind, field) = match &self.cx.typed.func.insts[inst].kind {
                StmtKind::SetAttr { target, attr, .. } if *target == record => {
                    (Kind::Store, attribute(attr))
                }
                StmtKind::StaticSetItem { target, index, .. } if *target == record => {
                    (Kind::Store, item(index))
                }
                StmtKind::Assign { value, .. } => match value {
                    Rhs::Var(_) => {
                        out.escapes = true;
                        continue;
                    }
                    Rhs::Expr(Expr::GetAttr { attr, .. }) => (Kind::Load, attribute(attr)),
                    Rhs::Expr(Expr::StaticGetItem { index, .. }) => (Kind::Load, item(index)),
                    _ => (Kind::Load, None),
                },
                _ => (Kind::Load, None),
            };
            let mut path = path.to_vec();
            match field {
                Some(field) => path.push(field),
                None => out.escapes = true,
            }
            out.accesses.push(Access { kind, path, inst });
        }
    }

    /// What the loop does with an attribute of `var` that is no array: methods are called, and `y.flat` has elements.
    fn attribute(&self, attribute: Var, var: Var, path: &[Dim], out: &mut Uses, depth: usize) {
        for &inst in self.uses.uses(attribute) {
            let dims = match &self.cx.typed.func.insts[inst].kind {
                StmtKind::Assign {
                    value: Rhs::Expr(Expr::Call { func, .. }),
                    ..
                } if *func == attribute => {
                    self.call(inst, var, path, out, depth);
                    continue;
                }
                StmtKind::SetItem { target, index, .. } if *target == attribute => {
                    self.dims(*index)
                }
                StmtKind::StaticSetItem { target, index, .. } if *target == attribute => {
                    constant_dims(index)
                }
                _ => continue,
            };
            out.escapes = true;
            let path = joined(&renamed(path, "flat"), dims);
            let kind = Kind::Store;
            out.accesses.push(Access { kind, path, inst });
        }
    }

    /// A view whose axes are others than those of the array: it is known only whether iterations use the same elements of it.
    fn other_view(&self, view: Var, name: &str, path: &[Dim], out: &mut Uses, depth: usize) {
        out.escapes = true;
        self.collect(view, &renamed(path, name), out, depth + 1);
    }

    fn store_kind(&self, store: Inst) -> Kind {
        let updated = self.updated(store);
        updated.map_or(Kind::Store, |(kind, _)| kind)
    }

    /// The element, or view, that is updated by what a statement computes.
    fn stored_by(&self, inst: Inst) -> Option<Var> {
        let func = &self.cx.typed.func;
        let result = func.insts[inst].kind.def()?;
        self.uses.uses(result).iter().find_map(|user| {
            let value = match &func.insts[*user].kind {
                StmtKind::SetItem { value, .. } | StmtKind::StaticSetItem { value, .. } => *value,
                _ => return None,
            };
            self.updated(*user)
                .filter(|_| value == result)
                .map(|(_, element)| element)
        })
    }

    /// The operator by which a store combines what was there with something else, and what was there.
    fn updated(&self, store: Inst) -> Option<(Kind, Var)> {
        match &self.cx.typed.func.insts[store].kind {
            StmtKind::SetItem {
                target,
                index,
                value,
            } => self.update(store, *value, *target, IndexOperand::At(*index)),
            StmtKind::StaticSetItem {
                target,
                index,
                value,
                ..
            } => self.update(store, *value, *target, IndexOperand::Known(index)),
            _ => None,
        }
    }

    /// A call that takes `var`, which is the part `path` of an array or a method of it.
    fn call(&self, inst: Inst, var: Var, path: &[Dim], out: &mut Uses, depth: usize) {
        let Some(site) = &self.cx.typed.calls[inst] else {
            out.escapes = true;
            return;
        };
        if self.cx.intrinsic_of(inst) == Some(Op::ArrayLen) {
            return;
        }
        let row = match site.callee {
            Callee::Row(row, _) => self.cx.row(row),
            Callee::Instance(instance) => {
                self.callee((inst, instance), var, path, out);
                None
            }
            Callee::Map(_) => None,
        };
        let Some(row) = row.filter(|row| !row.effects.has(Effects::STATE)) else {
            out.escapes = true;
            return;
        };
        let is_var = |arg: &CallArg| matches!(arg, CallArg::Var(of) if *of == var);
        // Functions write what they call `out`; those that have none, their first array.
        let place = row.params.iter().position(|param| param.name == "out");
        let written = match place {
            Some(at) => site.args.get(at),
            None => site.args.iter().find(|arg| match arg {
                CallArg::Var(of) => self.is_array_or_method(*of),
                CallArg::Item(..) | CallArg::Default(_) | CallArg::Tuple(_) => false,
            }),
        };
        let writes = row.effects.has(Effects::WRITE) && written.is_some_and(is_var);
        let mut note = |kind: Kind| {
            out.accesses.push(Access {
                kind,
                path: path.to_vec(),
                inst,
            });
        };
        if writes {
            note(Kind::Store);
        }
        if site.args.iter().filter(|arg| is_var(arg)).count() > usize::from(writes) {
            note(Kind::Load);
        }
        let result = self.cx.typed.func.insts[inst].kind.def();
        if let Some(view) = result.filter(|_| self.is_view(inst) && depth < 16) {
            self.other_view(view, row.name, path, out, depth);
            return;
        }
        // What is no array keeps nothing of it.
        let number = result
            .and_then(|result| self.cx.var_type(result))
            .is_some_and(|ty| self.cx.types.as_scalar(ty).is_some() || ty == Type::NONE);
        out.escapes |= !(number || row.is_elementwise() && !writes);
    }

    fn is_array_or_method(&self, var: Var) -> bool {
        let Some(ty) = self.cx.var_type(var) else {
            return false;
        };
        let receiver = match self.cx.types.kind(ty) {
            TypeKind::BoundMethod { receiver, .. } => *receiver,
            _ => ty,
        };
        self.cx.types.as_array(receiver).is_some()
    }

    /// The operator by which a stored value combines the element that was there with something else.
    fn update(
        &self,
        store: Inst,
        value: Var,
        array: Var,
        place: IndexOperand<'_>,
    ) -> Option<(Kind, Var)> {
        let inst = self.uses.only_def(value)?;
        let only = |var: Var, user: Inst| self.uses.uses(var) == [user];
        if !self.is_inside(inst) || !only(value, store) {
            return None;
        }
        let is_element = |var: Var| {
            let (from, same) = match (self.def(var), place) {
                (Some((true, Rhs::Expr(Expr::GetItem { value, index }))), IndexOperand::At(at)) => {
                    (*value, self.is_same(*index, at))
                }
                (
                    Some((true, Rhs::Expr(Expr::StaticGetItem { value, index, .. }))),
                    IndexOperand::Known(known),
                ) => (*value, index == known),
                _ => return false,
            };
            let taken = same && self.original(from) == self.original(array);
            taken && only(var, inst)
        };
        let StmtKind::Assign { value: rhs, .. } = &self.cx.typed.func.insts[inst].kind else {
            return None;
        };
        let mut kind: fn(Reduce) -> Kind = Kind::Update;
        let (reduce, element, other) = match rhs {
            Rhs::Expr(
                Expr::BinOp { op, lhs, rhs, .. } | Expr::InplaceBinOp { op, lhs, rhs, .. },
            ) => {
                let (reduce, either) = reduce_of(*op)?;
                if is_element(*lhs) {
                    (reduce, *lhs, *rhs)
                } else if either && is_element(*rhs) {
                    (reduce, *rhs, *lhs)
                } else {
                    return None;
                }
            }
            Rhs::Expr(Expr::Call { .. }) => {
                let reduce = match self.cx.intrinsic_of(inst)? {
                    Op::Min => Reduce::Min,
                    Op::Max => Reduce::Max,
                    _ => return None,
                };
                let site = self.cx.typed.calls[inst].as_ref()?;
                match site.args.as_slice() {
                    [CallArg::Var(a), CallArg::Var(b)] if is_element(*a) => (reduce, *a, *b),
                    [CallArg::Var(a), CallArg::Var(b)] if is_element(*b) => {
                        if self
                            .cx
                            .var_type(value)
                            .is_some_and(|ty| self.cx.has_nan(ty))
                        {
                            kind = Kind::NanReset;
                        }
                        (reduce, *b, *a)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        let fits =
            self.is_combinable(reduce, array, other) && self.is_combinable(reduce, array, value);
        fits.then_some((kind(reduce), element))
    }

    /// True if combining elements of `array` with numbers of the type of `other` is the same in any order.
    fn is_combinable(&self, reduce: Reduce, array: Var, other: Var) -> bool {
        let kind = |ty: Type| self.cx.types.as_scalar(ty);
        let Some(element) = self.array_type(array).and_then(kind) else {
            return false;
        };
        let Some(ty) = self.cx.var_type(other) else {
            return false;
        };
        let other = self.cx.types.as_array(ty).map_or(ty, |array| array.dtype);
        let Some(other) = kind(other) else {
            return false;
        };
        let exact = |kind: Scalar| kind.is_int() || kind == Scalar::Bool;
        match reduce {
            Reduce::Sum | Reduce::Product => {
                element != Scalar::Bool && (!exact(element) || exact(other))
            }
            Reduce::And | Reduce::Or | Reduce::Xor => exact(element) && exact(other),
            Reduce::Min | Reduce::Max => element == other && element != Scalar::Bool,
        }
    }
}

/// The path of a view with other axes.
fn renamed(path: &[Dim], name: &str) -> Vec<Dim> {
    let mut path = path.to_vec();
    path.push(Dim::Span(Some(format!(".{name}"))));
    path
}

/// The operator that combines what `op` is applied to in turn, and whether its operands may change places.
pub(super) fn reduce_of(op: BinOp) -> Option<(Reduce, bool)> {
    Some(match op {
        BinOp::Add => (Reduce::Sum, true),
        BinOp::Sub => (Reduce::Sum, false),
        BinOp::Mul => (Reduce::Product, true),
        BinOp::TrueDiv => (Reduce::Product, false),
        BinOp::And => (Reduce::And, true),
        BinOp::Or => (Reduce::Or, true),
        BinOp::Xor => (Reduce::Xor, true),
        _ => return None,
    })
}
