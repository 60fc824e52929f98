//! Right-hand sides that are not calls.

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use numbra_ir::{Const, Expr, Rhs, Type, TypeKind, Var};
use numbra_library::native::bodies;
use numbra_lir::Value;

impl Fx<'_, '_> {
    /// The leaves of a right-hand side as type `ty`.
    pub(super) fn rhs(&mut self, value: &Rhs, ty: Type) -> Res<Vec<Value>> {
        let typed = self.typed;
        match value {
            Rhs::Arg(n) => {
                let index = *n as usize;
                let from = *typed
                    .args
                    .get(index)
                    .ok_or_else(|| Fault::bug(format!("argument {n} does not exist")))?;
                let mut start = 0;
                for earlier in &typed.args[..index] {
                    start += self.leaf_count(*earlier)?;
                }
                let count = self.leaf_count(from)?;
                let entry = self.func.entry();
                let leaves = self.func.blocks[entry].params[start..start + count].to_vec();
                self.cast(&Val::new(from, leaves), ty)
            }
            Rhs::Const(value) => self.constant(value, ty),
            Rhs::Global(object) | Rhs::FreeVar { obj: object, .. } => {
                let desc = typed.func.objects.get(*object).ok_or_else(|| {
                    Fault::bug("a reference to an object that is not in the table")
                })?;
                self.object(desc, ty)
            }
            Rhs::Var(var) => {
                let value = self.var(*var)?;
                self.cast(&value, ty)
            }
            Rhs::Expr(expr) => self.expr(expr, ty),
            Rhs::Yield { value, .. } => self.yield_value(*value, ty),
            Rhs::Undefined => self.zeros(ty),
        }
    }

    fn expr(&mut self, expr: &Expr, ty: Type) -> Res<Vec<Value>> {
        match expr {
            Expr::BuildTuple(items) => self.build_tuple(items, ty),
            Expr::PairFirst(pair) => self.pair_part(*pair, false, ty),
            Expr::PairSecond(pair) => self.pair_part(*pair, true, ty),
            Expr::ExhaustIter { value, count } => {
                let mut value = self.var(*value)?;
                if let TypeKind::Optional(inner) = *self.types.kind(value.ty) {
                    value = self.unwrap_optional(&value, inner)?;
                }
                match self.types.tuple_items(value.ty) {
                    Some(items) if items.len() == *count as usize => self.cast(&value, ty),
                    Some(items) => Err(Fault::bug(format!(
                        "unpacking {} items into {count}",
                        items.len()
                    ))),
                    None => self.unpack(&value, *count, ty),
                }
            }
            Expr::Cast { value, .. } => {
                let value = self.var(*value)?;
                self.cast(&value, ty)
            }
            Expr::GetAttr { value, .. } => self.attribute(*value, ty),
            Expr::StaticGetItem {
                value,
                index: Const::Int(index),
                ..
            } => {
                let value = self.var(*value)?;
                let item = self.tuple_item(&value, *index)?;
                self.cast(&item, ty)
            }
            Expr::ExceptionMatch { .. } => {
                let yes = self.bool(true);
                self.cast(&Val::new(Type::BOOL, vec![yes]), ty)
            }
            Expr::MakeFunction { .. } | Expr::Null if self.leaf_count(ty)? == 0 => Ok(Vec::new()),
            Expr::BinOp { op, lhs, rhs, .. } | Expr::InplaceBinOp { op, lhs, rhs, .. } => {
                let (lhs, rhs) = (self.var_type(*lhs), self.var_type(*rhs));
                Err(Fault::bug(format!(
                    "operator {} without a callee for {} and {}",
                    op.symbol(),
                    lhs.map_or_else(|| "?".to_owned(), |t| self.show(t)),
                    rhs.map_or_else(|| "?".to_owned(), |t| self.show(t)),
                )))
            }
            Expr::Unary { op, .. } => Err(Fault::bug(format!(
                "operator {} without a callee",
                op.symbol()
            ))),
            Expr::Call { .. } if self.leaf_count(ty)? == 0 && self.is_described(ty) => {
                Ok(Vec::new())
            }
            Expr::Call { .. } => Err(Fault::bug("a call without a callee")),
            Expr::GetIter(_)
            | Expr::IterNext(_)
            | Expr::GetItem { .. }
            | Expr::StaticGetItem { .. } => Err(Fault::bug("an operation without a callee")),
            Expr::BuildList(items) => self.build_list(items, ty),
            Expr::BuildSet(items) => self.build_set(items, ty),
            Expr::BuildMap(entries) => self.build_map(entries, ty),
            Expr::BuildString(parts) => self.build_string(parts),
            Expr::MakeFunction { .. } => Err(Fault::unsupported("functions as values")),
            Expr::Phi(_) | Expr::Null => Err(Fault::bug("a value where none can be")),
        }
    }

    /// True for values that their type says all of: an exception made by a call, a dtype.
    fn is_described(&self, ty: Type) -> bool {
        matches!(
            self.types.kind(ty),
            TypeKind::ExceptionInstance(_)
                | TypeKind::DType(_)
                | TypeKind::NumberClass(_)
                | TypeKind::TypeRef(_)
                | TypeKind::Function { .. }
                | TypeKind::Literal(_)
        )
    }

    /// The strings one after the other.
    fn build_string(&mut self, parts: &[Var]) -> Res<Vec<Value>> {
        let mut leaves = Vec::new();
        for part in parts {
            let part = self.var(*part)?;
            leaves.extend(self.cast(&part, Type::UNICODE)?);
        }
        let all = self.types.tuple(&vec![Type::UNICODE; parts.len()]);
        self.native(bodies::TEXT_JOINED, &[Val::new(all, leaves)], Type::UNICODE)
    }

    fn build_tuple(&mut self, items: &[Var], ty: Type) -> Res<Vec<Value>> {
        let wanted = self.types.tuple_items(ty);
        let mut out = Vec::new();
        for (i, item) in items.iter().enumerate() {
            let value = self.var(*item)?;
            let to = match &wanted {
                Some(tys) if tys.len() == items.len() => tys[i],
                Some(_) => return Err(Fault::bug("a tuple of another length than its type")),
                None => return Err(Fault::bug(format!("a tuple of type {}", self.show(ty)))),
            };
            out.extend(self.cast(&value, to)?);
        }
        Ok(out)
    }

    fn pair_part(&mut self, pair: Var, second: bool, ty: Type) -> Res<Vec<Value>> {
        let pair = self.var(pair)?;
        let TypeKind::Pair(first_ty, second_ty) = *self.types.kind(pair.ty) else {
            return Err(Fault::bug(format!("{} is not a pair", self.show(pair.ty))));
        };
        let cut = self.leaf_count(first_ty)?;
        let part = if second {
            Val::new(second_ty, pair.leaves[cut..].to_vec())
        } else {
            Val::new(first_ty, pair.leaves[..cut].to_vec())
        };
        self.cast(&part, ty)
    }

    /// Attributes that have no callee: members of modules and classes, bound methods, fields of named tuples.
    fn attribute(&mut self, value: Var, ty: Type) -> Res<Vec<Value>> {
        if self.leaf_count(ty)? == 0 {
            return Ok(Vec::new());
        }
        let value = self.var(value)?;
        if let TypeKind::BoundMethod { receiver, .. } = self.types.kind(ty) {
            return self.cast(&value, *receiver);
        }
        Err(Fault::bug(format!(
            "an attribute of {} without a callee",
            self.show(value.ty)
        )))
    }
}
