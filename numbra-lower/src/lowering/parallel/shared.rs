//! Elements of arrays that several iterations change.
//!
//! `h[x[i]] += 1`, `y[:] += x[i]`, `y[j] += x[i, j]` with `j` of an inner loop: different iterations may change the same
//! elements. Where all that the loop does with an array is to combine its elements by one operator, each chunk has an array of its
//! own, as in reductions of variables. Else a loop whose iterations certainly depend on each other (`a[i] = a[i - 1]`,
//! `y[0] = x[i]`) runs serially. What cannot be told (`a[x[i]] = b[i]`) is the user's to know: `prange` says that it is so.

use super::linear::{Iteration, Linear};
use numbra_base::FxHashMap;
use numbra_ir::analysis::{Cfg, Dominators};
use numbra_ir::{
    BinOp, Block, CallArg, Callee, Const, Expr, Inst, Rhs, Scalar, StmtKind, Type, Var,
};
use numbra_library::{Effects, Op, Reduce};

/// An array of which each chunk has its own.
#[derive(Clone, Debug)]
pub(in super::super) struct Private {
    /// The variables that stand for it in the loop.
    pub(super) vars: Vec<Var>,
    pub(super) reduce: Reduce,
}

/// One part of an index.
#[derive(Clone, PartialEq, Debug)]
enum Dim {
    At(Linear),
    /// A part of the loop's item, which is an index of several axes.
    Component(usize),
    /// A slice, which is the same in each iteration if it has a name.
    Span(Option<String>),
    /// A mask, an array of indices, `...`.
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Load,
    Store,
    /// Combined with something by an operator.
    Update(Reduce),
}

/// What a statement does with elements of an array.
struct Access {
    kind: Kind,
    path: Vec<Dim>,
    inst: Inst,
}

/// Where an element or a view is taken from, and stored to.
#[derive(Clone, Copy)]
enum Place<'a> {
    At(Var),
    Known(&'a Const),
}

/// What a loop does with one array.
#[derive(Default)]
struct Uses {
    vars: Vec<Var>,
    accesses: Vec<Access>,
    /// It is also used in ways that are not looked into.
    escapes: bool,
}

impl Uses {
    /// What the user calls the array.
    fn name(&self, root: Var, iteration: &Iteration<'_, '_, '_>) -> String {
        let names = self.vars.iter().map(|var| iteration.fx.source_name(*var));
        let own = |name: &String| !name.starts_with('$');
        names
            .into_iter()
            .find(own)
            .unwrap_or_else(|| iteration.fx.source_name(root))
    }
}

/// How sure it is that iterations meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Meeting {
    Unknown,
    Likely,
    Certain,
}

/// The order of blocks.
pub(super) struct Flow<'a> {
    pub(super) cfg: &'a Cfg,
    pub(super) dominators: &'a Dominators,
}

impl Iteration<'_, '_, '_> {
    /// The arrays that chunks have their own of; an error says why the loop must run serially.
    pub(super) fn private_arrays(
        &self,
        body: &[Block],
        step: Option<i64>,
        flow: &Flow<'_>,
    ) -> Result<Vec<Private>, String> {
        let mut arrays: Vec<(Var, Uses)> = Vec::new();
        for (var, _) in self.fx.typed.func.vars.iter() {
            let is_array = self.array_type(var).is_some();
            let outside = self.uses.only_def(var).is_none_or(|def| {
                !self.uses.block_of[def].is_some_and(|block| self.inside.contains(&block))
            });
            let used = self.uses.uses[var].iter().any(|user| self.is_inside(*user));
            if !(is_array && outside && used) {
                continue;
            }
            let root = self.original(var);
            let at = match arrays.iter().position(|(other, _)| *other == root) {
                Some(at) => at,
                None => {
                    arrays.push((root, Uses::default()));
                    arrays.len() - 1
                }
            };
            arrays[at].1.vars.push(var);
            self.collect(var, &[], &mut arrays[at].1, 0);
        }
        let mut private = Vec::new();
        for (root, uses) in &arrays {
            let (meeting, reason) = self.meeting(*root, uses, body, step, flow);
            if meeting == Meeting::Unknown {
                continue;
            }
            let base = self.base(*root);
            let alone = arrays
                .iter()
                .all(|(other, _)| other == root || self.base(*other) != base);
            match self.reduction(uses).filter(|_| alone) {
                Some(reduce) => private.push(Private {
                    vars: uses.vars.clone(),
                    reduce,
                }),
                None if meeting == Meeting::Certain => return Err(reason),
                None => {}
            }
        }
        Ok(private)
    }

    fn is_inside(&self, inst: Inst) -> bool {
        self.uses.block_of[inst].is_some_and(|block| self.inside.contains(&block))
    }

    fn array_type(&self, var: Var) -> Option<Type> {
        let ty = self.fx.var_type(var)?;
        self.fx.types.as_array(ty).map(|array| array.dtype)
    }

    /// The array that a variable is, or is a view of.
    fn base(&self, var: Var) -> Var {
        let mut at = var;
        for _ in 0..64 {
            at = match self.def(at) {
                Some((_, Rhs::Var(of))) => *of,
                Some((
                    _,
                    Rhs::Expr(
                        Expr::GetItem { value, .. }
                        | Expr::StaticGetItem { value, .. }
                        | Expr::GetAttr { value, .. },
                    ),
                )) if self.array_type(*value).is_some() => *value,
                _ => break,
            };
        }
        at
    }

    /// Adds what the loop does with `var`, which is the part `path` of an array.
    fn collect(&self, var: Var, path: &[Dim], out: &mut Uses, depth: usize) {
        let func = &self.fx.typed.func;
        for &inst in &self.uses.uses[var] {
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
                        Expr::GetAttr { .. } if self.array_type(*target).is_none() => {}
                        Expr::InplaceBinOp { op, lhs, rhs, .. } => {
                            let reduce = reduce_of(*op).map(|(reduce, _)| reduce);
                            let kind = match reduce {
                                Some(reduce) if self.fits(reduce, var, *rhs) => {
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
                        Expr::BinOp { .. } | Expr::Unary { .. } => note(Kind::Load, path.to_vec()),
                        Expr::Call { .. } => self.call(inst, path, out),
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
            if path.contains(&Dim::Other) {
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
        // The load of an update is part of it.
        let of_update = match self.uses.uses[target].as_slice() {
            [user] => self.stored_by(*user) == Some(target),
            _ => false,
        };
        if !of_update {
            let kind = Kind::Load;
            out.accesses.push(Access { kind, path, inst });
        }
    }

    fn store_kind(&self, store: Inst) -> Kind {
        let updated = self.updated(store);
        updated.map_or(Kind::Store, |(reduce, _)| Kind::Update(reduce))
    }

    /// The element, or view, that is updated by what a statement computes.
    fn stored_by(&self, inst: Inst) -> Option<Var> {
        let func = &self.fx.typed.func;
        let result = func.insts[inst].kind.def()?;
        self.uses.uses[result].iter().find_map(|user| {
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
    fn updated(&self, store: Inst) -> Option<(Reduce, Var)> {
        match &self.fx.typed.func.insts[store].kind {
            StmtKind::SetItem {
                target,
                index,
                value,
            } => self.update(store, *value, *target, Place::At(*index)),
            StmtKind::StaticSetItem {
                target,
                index,
                value,
                ..
            } => self.update(store, *value, *target, Place::Known(index)),
            _ => None,
        }
    }

    fn call(&self, inst: Inst, path: &[Dim], out: &mut Uses) {
        let Some(site) = &self.fx.typed.calls[inst] else {
            out.escapes = true;
            return;
        };
        if self.fx.intrinsic_of(inst) == Some(Op::ArrayLen) {
            return;
        }
        let elementwise = match site.callee {
            Callee::Row(row, _) => self.fx.mx.library.row_checked(row).is_some_and(|row| {
                let changes = row.effects.has(Effects::WRITE) || row.effects.has(Effects::STATE);
                !changes && row.shape == numbra_library::Shape::Elementwise
            }),
            _ => false,
        };
        match elementwise {
            true => out.accesses.push(Access {
                kind: Kind::Load,
                path: path.to_vec(),
                inst,
            }),
            false => out.escapes = true,
        }
    }

    /// The operator by which a stored value combines the element that was there with something else.
    fn update(
        &self,
        store: Inst,
        value: Var,
        array: Var,
        place: Place<'_>,
    ) -> Option<(Reduce, Var)> {
        let inst = self.uses.only_def(value)?;
        let only = |var: Var, user: Inst| self.uses.uses[var].as_slice() == [user];
        if !self.is_inside(inst) || !only(value, store) {
            return None;
        }
        let is_element = |var: Var| {
            let (from, same) = match (self.def(var), place) {
                (Some((true, Rhs::Expr(Expr::GetItem { value, index }))), Place::At(at)) => {
                    (*value, self.is_same(*index, at))
                }
                (
                    Some((true, Rhs::Expr(Expr::StaticGetItem { value, index, .. }))),
                    Place::Known(known),
                ) => (*value, index == known),
                _ => return false,
            };
            let taken = same && self.original(from) == self.original(array);
            taken && only(var, inst)
        };
        let StmtKind::Assign { value: rhs, .. } = &self.fx.typed.func.insts[inst].kind else {
            return None;
        };
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
                let reduce = match self.fx.intrinsic_of(inst)? {
                    Op::Min => Reduce::Min,
                    Op::Max => Reduce::Max,
                    _ => return None,
                };
                let site = self.fx.typed.calls[inst].as_ref()?;
                match site.args.as_slice() {
                    [CallArg::Var(a), CallArg::Var(b)] if is_element(*a) => (reduce, *a, *b),
                    [CallArg::Var(a), CallArg::Var(b)] if is_element(*b) => (reduce, *b, *a),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let fits = self.fits(reduce, array, other) && self.fits(reduce, array, value);
        fits.then_some((reduce, element))
    }

    /// True if combining elements of `array` with numbers of the type of `other` is the same in any order.
    fn fits(&self, reduce: Reduce, array: Var, other: Var) -> bool {
        let kind = |ty: Type| self.fx.types.as_scalar(ty);
        let Some(element) = self.array_type(array).and_then(kind) else {
            return false;
        };
        let Some(ty) = self.fx.var_type(other) else {
            return false;
        };
        let other = self.fx.types.as_array(ty).map_or(ty, |array| array.dtype);
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

    /// The operator of all that is done with an array.
    fn reduction(&self, uses: &Uses) -> Option<Reduce> {
        if uses.escapes {
            return None;
        }
        let mut found = None;
        for access in &uses.accesses {
            let Kind::Update(reduce) = access.kind else {
                return None;
            };
            if found.is_some_and(|known| known != reduce) {
                return None;
            }
            found = Some(reduce);
        }
        found
    }

    /// The parts of an index.
    fn dims(&self, index: Var) -> Vec<Dim> {
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
        let Some(ty) = self.fx.var_type(var) else {
            return Dim::Other;
        };
        if let Some(axis) = self.component(var) {
            return Dim::Component(axis);
        }
        if self
            .fx
            .types
            .as_scalar(ty)
            .is_some_and(|kind| kind.is_int())
        {
            return Dim::At(self.linear(var));
        }
        if ty == Type::SLICE2 || ty == Type::SLICE3 {
            return Dim::Span(self.span_name(var));
        }
        Dim::Other
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
                            let form = self.linear(arg);
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
    fn is_same(&self, a: Var, b: Var) -> bool {
        let (a, b) = (self.original(a), self.original(b));
        if a == b {
            return true;
        }
        let (a, b) = (self.dims(a), self.dims(b));
        a.len() == b.len()
            && a.iter().zip(&b).all(|(a, b)| match (a, b) {
                (Dim::At(a), Dim::At(b)) => {
                    let rest = |form: &Linear| (form.item, form.constant, form.others.len());
                    let mut others = a.others.iter().zip(&b.others);
                    rest(a) == rest(b)
                        && others.all(|((x, by), (y, other))| {
                            by == other && self.is_same_value(*x, *y, 0)
                        })
                }
                (Dim::Component(_) | Dim::Span(Some(_)), _) => a == b,
                _ => false,
            })
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
    fn is_only_read(&self, array: Var) -> bool {
        let func = &self.fx.typed.func;
        let outside = matches!(self.def(array), Some((false, _)));
        outside && self.uses.uses[array].iter().all(|user| {
            let number = |var: Var| self.array_type(var).is_none();
            !self.is_inside(*user)
                || matches!(&func.insts[*user].kind, StmtKind::Assign {
                    target,
                    value: Rhs::Expr(Expr::GetItem { .. } | Expr::StaticGetItem { .. } | Expr::GetAttr { .. }),
                } if number(*target))
        })
    }

    /// How sure it is that different iterations meet at an element of an array, one of them changing it; and why.
    fn meeting(
        &self,
        root: Var,
        uses: &Uses,
        body: &[Block],
        step: Option<i64>,
        flow: &Flow<'_>,
    ) -> (Meeting, String) {
        let name = uses.name(root, self);
        let mut found = (Meeting::Unknown, String::new());
        for (at, a) in uses.accesses.iter().enumerate() {
            if a.kind == Kind::Load {
                continue;
            }
            let mut known = FxHashMap::default();
            let alone = match self.is_invariant(&a.path) {
                true => Meeting::Certain,
                false
                    if matches!(a.kind, Kind::Update(_)) && self.collides(&a.path, &mut known) =>
                {
                    Meeting::Likely
                }
                false => Meeting::Unknown,
            };
            if alone > found.0 {
                let reason = format!("all its iterations write the same elements of `{name}`");
                found = (alone, reason);
            }
            for (n, b) in uses.accesses.iter().enumerate() {
                let twice = b.kind != Kind::Load && n <= at;
                if twice || !self.meet(a, b, step) {
                    continue;
                }
                let always = |access: &Access| self.runs_in_all(access.inst, body, flow);
                if found.0 < Meeting::Certain && always(a) && always(b) {
                    let reason =
                        format!("its iterations use elements of `{name}` that others write");
                    found = (Meeting::Certain, reason);
                }
            }
        }
        found
    }

    /// True if a linear form without the item has the same values in each iteration: invariant, or counted by inner loops.
    fn is_stable(&self, form: &Linear) -> bool {
        let mut known = FxHashMap::default();
        form.others
            .keys()
            .all(|var| !self.fx.varies(*var, self.inside, self.uses, &mut known, 0))
    }

    fn is_invariant(&self, path: &[Dim]) -> bool {
        path.iter().all(|dim| match dim {
            Dim::At(form) => form.item == 0 && self.is_stable(form),
            Dim::Span(name) => name.is_some(),
            Dim::Component(_) | Dim::Other => false,
        })
    }

    /// True if an index maps different iterations to the same elements as a rule: it is loaded from memory, or rounded.
    fn collides(&self, path: &[Dim], known: &mut FxHashMap<Var, bool>) -> bool {
        let own = path.iter().any(|dim| match dim {
            Dim::At(form) => form.item != 0 && self.is_stable(form),
            Dim::Component(_) | Dim::Span(_) | Dim::Other => false,
        });
        let has = |axis: usize| path.contains(&Dim::Component(axis));
        let axes = self.axes();
        if (0..axes).any(has) {
            return !(0..axes).all(has);
        }
        !own && !self.is_unravelled(path)
            && path.iter().any(|dim| match dim {
                Dim::At(form) => form
                    .others
                    .keys()
                    .any(|var| self.is_many_to_one(*var, known, 0)),
                Dim::Component(_) | Dim::Span(_) | Dim::Other => false,
            })
    }

    /// `[i // n, i % n]`
    fn is_unravelled(&self, path: &[Dim]) -> bool {
        let operands = |dim: &Dim, wanted: BinOp| {
            let Dim::At(form) = dim else { return None };
            let (var, _) = form.others.first_key_value()?;
            match self.def(*var) {
                Some((true, Rhs::Expr(Expr::BinOp { op, lhs, rhs, .. }))) if *op == wanted => {
                    Some((self.linear(*lhs), self.linear(*rhs)))
                }
                _ => None,
            }
        };
        path.iter().any(|dim| {
            operands(dim, BinOp::FloorDiv).is_some_and(|divided| {
                path.iter()
                    .any(|other| operands(other, BinOp::Mod).as_ref() == Some(&divided))
            })
        })
    }

    fn is_many_to_one(&self, var: Var, known: &mut FxHashMap<Var, bool>, depth: usize) -> bool {
        if let Some(&known) = known.get(&var) {
            return known;
        }
        known.insert(var, false);
        let mut varying = FxHashMap::default();
        if depth > 64 || !self.fx.varies(var, self.inside, self.uses, &mut varying, 0) {
            return false;
        }
        let mut any = |vars: &[Var]| {
            vars.iter()
                .any(|of| self.is_many_to_one(*of, known, depth + 1))
        };
        let found = match self.def(var) {
            Some((true, rhs)) => match rhs {
                Rhs::Var(of) => any(&[*of]),
                Rhs::Expr(expr) => match expr {
                    Expr::BinOp { op, lhs, rhs, .. } | Expr::InplaceBinOp { op, lhs, rhs, .. } => {
                        matches!(
                            op,
                            BinOp::FloorDiv | BinOp::Mod | BinOp::And | BinOp::RShift
                        ) || any(&[*lhs, *rhs])
                    }
                    Expr::Unary { value, .. } | Expr::Cast { value, .. } => {
                        let number = self
                            .fx
                            .var_type(*value)
                            .and_then(|ty| self.fx.types.as_scalar(ty));
                        number.is_some_and(|kind| kind.is_float()) || any(&[*value])
                    }
                    Expr::GetItem { value, .. } | Expr::StaticGetItem { value, .. } => {
                        self.array_type(*value).is_some()
                    }
                    Expr::Call { .. } => true,
                    Expr::PairFirst(pair) => match self.def(*pair) {
                        // Ranges of an inner loop are the user's to know; elements of arrays are loads.
                        Some((_, Rhs::Expr(Expr::IterNext(iter)))) => match self.def(*iter) {
                            Some((_, Rhs::Expr(Expr::GetIter(of)))) => {
                                self.array_type(*of).is_some()
                            }
                            _ => false,
                        },
                        _ => false,
                    },
                    Expr::Phi(incoming) => {
                        let vars: Vec<Var> = incoming.iter().filter_map(|(_, var)| *var).collect();
                        any(&vars)
                    }
                    _ => false,
                },
                _ => false,
            },
            Some((false, _)) | None => false,
        };
        known.insert(var, found);
        found
    }

    /// True if two accesses certainly meet in different iterations, where both run.
    fn meet(&self, a: &Access, b: &Access, step: Option<i64>) -> bool {
        let mut apart = false;
        for (x, y) in a.path.iter().zip(&b.path) {
            match (x, y) {
                (Dim::At(f), Dim::At(g)) => {
                    if f.others != g.others || f.item != g.item || !self.is_stable(f) {
                        return false;
                    }
                    let Some(distance) = g.constant.checked_sub(f.constant) else {
                        return false;
                    };
                    if f.item == 0 {
                        if distance != 0 {
                            return false;
                        }
                        continue;
                    }
                    let Some(stride) = step.and_then(|step| step.checked_mul(f.item)) else {
                        return false;
                    };
                    if distance == 0 || stride == 0 || distance.checked_rem(stride) != Some(0) {
                        return false;
                    }
                    apart = true;
                }
                (Dim::Span(Some(x)), Dim::Span(Some(y))) if x == y => {}
                _ => return false,
            }
        }
        apart
    }

    /// True if a statement runs in all iterations but some at the ends: no condition on data decides.
    fn runs_in_all(&self, inst: Inst, body: &[Block], flow: &Flow<'_>) -> bool {
        let Some(block) = self.uses.block_of[inst] else {
            return false;
        };
        body.iter().all(|&from| {
            let Some(StmtKind::Branch { cond, then, other }) = self.fx.typed.func.terminator(from)
            else {
                return true;
            };
            let decides = |to: Block| {
                flow.cfg.all_preds(to).count() == 1 && flow.dominators.dominates(to, block)
            };
            !(decides(*then) || decides(*other)) || self.is_end_test(*cond, 0)
        })
    }

    /// True for conditions that hold in all iterations, in none, or on one side of a bound.
    fn is_end_test(&self, cond: Var, depth: usize) -> bool {
        let mut known = FxHashMap::default();
        if !self.fx.varies(cond, self.inside, self.uses, &mut known, 0) {
            return true;
        }
        match self.def(cond) {
            Some((true, Rhs::Var(of))) if depth < 16 => self.is_end_test(*of, depth + 1),
            Some((true, Rhs::Expr(expr))) => match expr {
                Expr::Unary { value, .. } | Expr::Cast { value, .. } if depth < 16 => {
                    self.is_end_test(*value, depth + 1)
                }
                Expr::Call { args, .. } if depth < 16 => match args.as_slice() {
                    [one] => self.is_end_test(*one, depth + 1),
                    _ => false,
                },
                Expr::BinOp { op, lhs, rhs, .. } => {
                    let compares = matches!(
                        op,
                        BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne
                    );
                    let plain = |form: Linear| self.is_stable(&form);
                    compares && plain(self.linear(*lhs)) && plain(self.linear(*rhs))
                }
                // The end of an inner loop.
                Expr::PairSecond(_) => true,
                _ => false,
            },
            _ => false,
        }
    }
}

fn joined(path: &[Dim], mut dims: Vec<Dim>) -> Vec<Dim> {
    let mut out = path.to_vec();
    // Behind a slice the parts of an index count other axes.
    if path
        .iter()
        .any(|dim| matches!(dim, Dim::Span(_) | Dim::Other))
    {
        for dim in &mut dims {
            *dim = match dim {
                Dim::At(form) if form.item == 0 && form.others.is_empty() => {
                    Dim::Span(Some(format!("{}", form.constant)))
                }
                Dim::Span(name) => Dim::Span(name.clone()),
                Dim::At(_) | Dim::Component(_) | Dim::Other => Dim::Other,
            };
        }
    }
    out.append(&mut dims);
    out
}

fn constant_dims(index: &Const) -> Vec<Dim> {
    match index {
        Const::Int(n) => vec![Dim::At(Linear {
            constant: *n,
            ..Linear::default()
        })],
        Const::Tuple(items) => items.iter().flat_map(constant_dims).collect(),
        Const::Slice(_) => vec![Dim::Span(Some(format!("{index:?}")))],
        Const::None
        | Const::Ellipsis
        | Const::Bool(_)
        | Const::BigInt(_)
        | Const::Float(_)
        | Const::Complex(..)
        | Const::Str(_)
        | Const::Bytes(_) => vec![Dim::Other],
    }
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
