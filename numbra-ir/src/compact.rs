//! Renumbering: functions without dead statements and blocks, and canonical names.

use crate::analysis::Cfg;
use crate::{
    Block, EntityRef, Expr, Func, Inst, ObjRef, PrimaryMap, Rhs, SecondaryMap, StmtKind, TypedFunc,
    Var, VarData,
};
use numbra_base::FxHashMap;

/// Drops dead statements and blocks and numbers the rest in layout order. Variables stay.
///
/// A compact function equals what its lossless text reads back as. Returns the new number of each statement.
pub fn compact(func: &mut Func) -> SecondaryMap<Inst, Option<Inst>> {
    let mut new_block: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
    for (i, &block) in func.layout.iter().enumerate() {
        new_block[block] = Some(Block::new(i));
    }
    let mut new_inst: SecondaryMap<Inst, Option<Inst>> = SecondaryMap::new();
    let mut insts = PrimaryMap::new();
    let mut blocks = PrimaryMap::new();
    for &block in &func.layout {
        let mut data = func.blocks[block].clone();
        for inst in &mut data.insts {
            let mut stmt = func.insts[*inst].clone();
            stmt.kind
                .for_each_block_mut(|b| *b = new_block[*b].unwrap_or(*b));
            let new = insts.push(stmt);
            new_inst[*inst] = Some(new);
            *inst = new;
        }
        if let Some(handler) = &mut data.handler {
            handler.block = new_block[handler.block].unwrap_or(handler.block);
        }
        blocks.push(data);
    }
    func.insts = insts;
    func.blocks = blocks;
    func.layout = func.blocks.keys().collect();
    for (_, nested) in &mut func.nested {
        compact(nested);
    }
    new_inst
}

/// As [`compact`], keeping call sites with their statements.
pub fn compact_typed(typed: &mut TypedFunc) {
    let new_inst = compact(&mut typed.func);
    let mut calls = SecondaryMap::new();
    for (old, site) in typed.calls.iter_mut() {
        if let (Some(new), Some(site)) = (new_inst[old], site.take()) {
            calls[new] = Some(site);
        }
    }
    typed.calls = calls;
}

/// Makes the text independent of how the function came about: blocks in reverse post-order, variables in order of
/// appearance (unused ones dropped), temporaries named `$0`, `$1`, ...
pub fn canonicalize(func: &mut Func) {
    let cfg = Cfg::new(func);
    func.layout = cfg.rpo().to_vec();
    for stmt in func.insts.values_mut() {
        if let StmtKind::Assign {
            value: Rhs::Expr(Expr::Phi(incoming)),
            ..
        } = &mut stmt.kind
        {
            incoming.retain(|(from, _)| cfg.is_reachable(*from));
        }
    }
    compact(func);
    let mut order: Vec<Var> = Vec::new();
    let mut new_var: FxHashMap<Var, Var> = FxHashMap::default();
    for stmt in func.insts.values() {
        let mut see = |var: Var| {
            new_var.entry(var).or_insert_with(|| {
                order.push(var);
                Var::new(order.len() - 1)
            });
        };
        stmt.kind.def().into_iter().for_each(&mut see);
        if let StmtKind::Del(var) = stmt.kind {
            see(var);
        }
        stmt.kind.for_each_use(see);
    }
    // A version keeps its base alive.
    for var in order.clone() {
        if let Some(base) = func.vars[var].version_of
            && !new_var.contains_key(&base)
        {
            order.push(base);
            new_var.insert(base, Var::new(order.len() - 1));
        }
    }
    let mut temps = 0;
    let mut vars: PrimaryMap<Var, VarData> = PrimaryMap::new();
    for var in &order {
        let mut data = func.vars[*var].clone();
        if data.is_temp() {
            data.name = format!("${temps}");
            temps += 1;
        }
        data.version_of = data.version_of.map(|base| new_var[&base]);
        vars.push(data);
    }
    func.vars = vars;
    for stmt in func.insts.values_mut() {
        match &mut stmt.kind {
            StmtKind::Assign { target, .. } => *target = new_var[target],
            StmtKind::Del(var) => *var = new_var[var],
            _ => {}
        }
        stmt.kind.for_each_use_mut(|var| *var = new_var[var]);
    }
    for (_, nested) in &mut func.nested {
        canonicalize(nested);
    }
}

impl StmtKind {
    /// Lets `visit` replace each block that the statement names: targets, phi predecessors, `with` regions.
    pub fn for_each_block_mut(&mut self, mut visit: impl FnMut(&mut Block)) {
        match self {
            StmtKind::Jump(to) => visit(to),
            StmtKind::Branch { then, other, .. } => {
                visit(then);
                visit(other);
            }
            StmtKind::EnterWith { begin, end, .. } => {
                visit(begin);
                visit(end);
            }
            StmtKind::Assign {
                value: Rhs::Expr(Expr::Phi(incoming)),
                ..
            } => incoming.iter_mut().for_each(|(block, _)| visit(block)),
            StmtKind::Assign { .. }
            | StmtKind::Del(_)
            | StmtKind::SetItem { .. }
            | StmtKind::StaticSetItem { .. }
            | StmtKind::DelItem { .. }
            | StmtKind::SetAttr { .. }
            | StmtKind::DelAttr { .. }
            | StmtKind::StoreMap { .. }
            | StmtKind::Print { .. }
            | StmtKind::PopBlock
            | StmtKind::CheckAssigned { .. }
            | StmtKind::SetFreeVar { .. }
            | StmtKind::Return(_)
            | StmtKind::Raise(_)
            | StmtKind::StaticRaise { .. }
            | StmtKind::DynamicRaise { .. } => {}
        }
    }
    /// Lets `visit` replace each described object that the statement names.
    pub fn for_each_object_mut(&mut self, mut visit: impl FnMut(&mut ObjRef)) {
        match self {
            StmtKind::StaticRaise { class, .. } | StmtKind::DynamicRaise { class, .. } => {
                visit(class);
            }
            StmtKind::Assign { value, .. } => match value {
                Rhs::Global(obj)
                | Rhs::FreeVar { obj, .. }
                | Rhs::Expr(Expr::MakeFunction { code: obj, .. }) => visit(obj),
                Rhs::Arg(_)
                | Rhs::Const(_)
                | Rhs::Var(_)
                | Rhs::Expr(_)
                | Rhs::Yield { .. }
                | Rhs::Undefined => {}
            },
            StmtKind::Jump(_)
            | StmtKind::Branch { .. }
            | StmtKind::EnterWith { .. }
            | StmtKind::Del(_)
            | StmtKind::SetItem { .. }
            | StmtKind::StaticSetItem { .. }
            | StmtKind::DelItem { .. }
            | StmtKind::SetAttr { .. }
            | StmtKind::DelAttr { .. }
            | StmtKind::StoreMap { .. }
            | StmtKind::Print { .. }
            | StmtKind::PopBlock
            | StmtKind::CheckAssigned { .. }
            | StmtKind::SetFreeVar { .. }
            | StmtKind::Return(_)
            | StmtKind::Raise(_) => {}
        }
    }
}
