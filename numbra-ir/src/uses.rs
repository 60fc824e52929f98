//! The variables that statements read and write.

use crate::{Expr, Rhs, StmtKind, Var};

impl StmtKind {
    /// The variable that an assignment defines.
    pub fn def(&self) -> Option<Var> {
        match self {
            StmtKind::Assign { target, .. } => Some(*target),
            StmtKind::Del(_)
            | StmtKind::SetItem { .. }
            | StmtKind::StaticSetItem { .. }
            | StmtKind::DelItem { .. }
            | StmtKind::SetAttr { .. }
            | StmtKind::DelAttr { .. }
            | StmtKind::StoreMap { .. }
            | StmtKind::Print { .. }
            | StmtKind::EnterWith { .. }
            | StmtKind::PopBlock
            | StmtKind::CheckAssigned { .. }
            | StmtKind::SetFreeVar { .. }
            | StmtKind::Return(_)
            | StmtKind::Jump(_)
            | StmtKind::Branch { .. }
            | StmtKind::Raise(_)
            | StmtKind::StaticRaise { .. }
            | StmtKind::DynamicRaise { .. } => None,
        }
    }

    /// Calls `visit` for each variable read, in order of the text; a variable read twice is visited twice.
    ///
    /// `del x` is not a read. A phi reads its incoming variables at the ends of its predecessors.
    pub fn for_each_use(&self, mut visit: impl FnMut(Var)) {
        self.walk(&mut |var| visit(*var));
    }

    /// Lets `visit` replace each variable read.
    pub fn for_each_use_mut(&mut self, mut visit: impl FnMut(&mut Var)) {
        self.walk_mut(&mut visit);
    }
}

impl Rhs {
    /// Calls `visit` for each variable read, in order.
    pub fn for_each_use(&self, mut visit: impl FnMut(Var)) {
        self.walk(&mut |var| visit(*var));
    }

    /// Lets `visit` replace each variable read.
    pub fn for_each_use_mut(&mut self, mut visit: impl FnMut(&mut Var)) {
        self.walk_mut(&mut visit);
    }
}

/// One body for shared and exclusive walks: `match` on a reference gives references of the same kind.
macro_rules! walks {
    ($name:ident, $($mutability:tt)?) => {
        impl StmtKind {
            fn $name(&$($mutability)? self, visit: &mut dyn FnMut(&$($mutability)? Var)) {
                match self {
                    StmtKind::Assign { target: _, value } => value.$name(visit),
                    StmtKind::Del(_) | StmtKind::PopBlock | StmtKind::Jump(_) => {}
                    StmtKind::SetItem { target, index, value } => {
                        visit(target);
                        visit(index);
                        visit(value);
                    }
                    StmtKind::StaticSetItem { target, index: _, index_var, value } => {
                        visit(target);
                        if let Some(var) = index_var {
                            visit(var);
                        }
                        visit(value);
                    }
                    StmtKind::DelItem { target, index } => {
                        visit(target);
                        visit(index);
                    }
                    StmtKind::SetAttr { target, attr: _, value } => {
                        visit(target);
                        visit(value);
                    }
                    StmtKind::DelAttr { target, attr: _ } => visit(target),
                    StmtKind::StoreMap { dict, key, value } => {
                        visit(dict);
                        visit(key);
                        visit(value);
                    }
                    StmtKind::EnterWith { manager, begin: _, end: _ } => visit(manager),
                    StmtKind::CheckAssigned { var, name: _, captured: _ } => visit(var),
                    StmtKind::SetFreeVar { index: _, name: _, value } | StmtKind::Return(value) => {
                        visit(value);
                    }
                    StmtKind::Branch { cond, then: _, other: _ } => visit(cond),
                    StmtKind::Raise(exception) => {
                        if let Some(var) = exception {
                            visit(var);
                        }
                    }
                    StmtKind::StaticRaise { class: _, args: _ } => {}
                    StmtKind::Print { args } | StmtKind::DynamicRaise { class: _, args } => {
                        for var in args {
                            visit(var);
                        }
                    }
                }
            }
        }

        impl Rhs {
            fn $name(&$($mutability)? self, visit: &mut dyn FnMut(&$($mutability)? Var)) {
                match self {
                    Rhs::Arg(_)
                    | Rhs::Const(_)
                    | Rhs::Global(_)
                    | Rhs::FreeVar { .. }
                    | Rhs::Undefined => {}
                    Rhs::Var(var) => visit(var),
                    Rhs::Yield { value, index: _ } => visit(value),
                    Rhs::Expr(expr) => expr.$name(visit),
                }
            }
        }

        impl Expr {
            fn $name(&$($mutability)? self, visit: &mut dyn FnMut(&$($mutability)? Var)) {
                match self {
                    Expr::BinOp { op: _, lhs, rhs, static_rhs: _ }
                    | Expr::InplaceBinOp { op: _, lhs, rhs, static_rhs: _ } => {
                        visit(lhs);
                        visit(rhs);
                    }
                    Expr::Unary { op: _, value }
                    | Expr::PairFirst(value)
                    | Expr::PairSecond(value)
                    | Expr::GetIter(value)
                    | Expr::IterNext(value)
                    | Expr::ExhaustIter { value, count: _ }
                    | Expr::GetAttr { value, attr: _ }
                    | Expr::Cast { value, to: _ } => visit(value),
                    Expr::Call { func, args, kws, vararg } => {
                        visit(func);
                        for var in args {
                            visit(var);
                        }
                        for (_, var) in kws {
                            visit(var);
                        }
                        if let Some(var) = vararg {
                            visit(var);
                        }
                    }
                    Expr::BuildTuple(items)
                    | Expr::BuildList(items)
                    | Expr::BuildSet(items)
                    | Expr::BuildString(items) => {
                        for var in items {
                            visit(var);
                        }
                    }
                    Expr::BuildMap(items) => {
                        for (key, value) in items {
                            visit(key);
                            visit(value);
                        }
                    }
                    Expr::GetItem { value, index } => {
                        visit(value);
                        visit(index);
                    }
                    Expr::StaticGetItem { value, index: _, index_var } => {
                        visit(value);
                        if let Some(var) = index_var {
                            visit(var);
                        }
                    }
                    Expr::Phi(incoming) => {
                        for (_, var) in incoming {
                            if let Some(var) = var {
                                visit(var);
                            }
                        }
                    }
                    Expr::MakeFunction { name: _, code: _, closure, defaults, kwdefaults } => {
                        for var in closure {
                            visit(var);
                        }
                        for var in defaults {
                            visit(var);
                        }
                        for (_, var) in kwdefaults {
                            visit(var);
                        }
                    }
                    Expr::ExceptionMatch { class } => {
                        if let Some(var) = class {
                            visit(var);
                        }
                    }
                    Expr::Null => {}
                }
            }
        }
    };
}
walks!(walk,);
walks!(walk_mut, mut);
