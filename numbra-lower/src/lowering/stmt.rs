//! Statements.

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use numbra_ir::{Block, Inst, Rhs, StmtKind, Var};

impl Fx<'_, '_> {
    /// Lowers a statement.
    pub(super) fn stmt(&mut self, inst: Inst, kind: &StmtKind) -> Res<()> {
        match kind {
            StmtKind::Assign { target, value } => self.assign(inst, *target, value),
            // Lives end where the last use is; `place_refs` knows.
            StmtKind::Del(_) | StmtKind::PopBlock => Ok(()),
            StmtKind::SetItem { .. }
            | StmtKind::StaticSetItem { .. }
            | StmtKind::StoreMap { .. } => self.run_call(inst, "an item assignment"),
            StmtKind::DelItem { .. } => self.run_call(inst, "`del x[i]`"),
            StmtKind::SetAttr { .. } => self.run_call(inst, "an attribute assignment"),
            StmtKind::DelAttr { .. } => self.run_call(inst, "`del x.y`"),
            StmtKind::CheckAssigned { .. } => Err(Fault::unsupported("unassigned variables")),
            StmtKind::SetFreeVar { .. } => Err(Fault::unsupported("nonlocal variables")),
            StmtKind::Print { args } => {
                if self.typed.calls[inst].is_some() {
                    return self.run_call(inst, "print");
                }
                let values: Vec<Val> = args.iter().map(|arg| self.var(*arg)).collect::<Res<_>>()?;
                self.print(&values)
            }
            StmtKind::EnterWith { .. } => Err(Fault::unsupported("`with` blocks")),
            StmtKind::Return(_) if self.typed.func.is_generator => self.end_generator(),
            StmtKind::Return(value) => {
                let value = self.var(*value)?;
                let leaves = self.cast(&value, self.typed.ret)?;
                self.ret(leaves);
                Ok(())
            }
            StmtKind::Jump(to) => self.jump_to(*to),
            StmtKind::Branch { cond, then, other } => {
                let value = self.var(*cond)?;
                let cond = self.truth(&value)?;
                let then_args = self.phi_args(*then, false)?;
                let other_args = self.phi_args(*other, false)?;
                let is_check = self.raises_unassigned(*other);
                let (then, other) = (self.head(*then)?, self.head(*other)?);
                if is_check {
                    self.check(cond, (then, then_args), (other, other_args));
                } else {
                    self.brif(cond, (then, then_args), (other, other_args));
                }
                Ok(())
            }
            StmtKind::Raise(value) => self.raise_value(*value),
            StmtKind::StaticRaise { class, args } => self.raise_static(*class, args),
            StmtKind::DynamicRaise { class, args } => self.raise_dynamic(*class, args),
        }
    }

    /// True for a block that does nothing but leave the function because a variable has no value. What goes there is a
    /// guard: loops are copied for where all guards pass.
    fn raises_unassigned(&self, block: Block) -> bool {
        let func = &self.typed.func;
        let data = &func.blocks[block];
        let [inst] = data.insts.as_slice() else {
            return false;
        };
        let StmtKind::StaticRaise { class, .. } = &func.insts[*inst].kind else {
            return false;
        };
        let name = func.objects[*class].name.as_str();
        data.handler.is_none()
            && matches!(name, "builtins.UnboundLocalError" | "builtins.NameError")
    }

    /// Runs the call of a statement for its effect.
    fn run_call(&mut self, inst: Inst, what: &str) -> Res<()> {
        let typed = self.typed;
        match &typed.calls[inst] {
            Some(site) => self.call(site).map(|_| ()),
            None => Err(Fault::unsupported(format!("{what} of these types"))),
        }
    }

    fn assign(&mut self, inst: Inst, target: Var, value: &Rhs) -> Res<()> {
        let typed = self.typed;
        let ty = self.var_type(target);
        if let Rhs::Expr(numbra_ir::Expr::Phi(_)) = value {
            self.show_phi(target); // A block parameter already.
            return Ok(());
        }
        if let Some(role) = self.gathers.get(&inst).cloned()
            && self.gather(inst, role)?
        {
            return Ok(());
        }
        if self.fused.contains_key(&target) {
            return Ok(()); // Computed where it is read.
        }
        if let Some(site) = &typed.calls[inst] {
            let result = self.call(site)?;
            if let Some(ty) = ty {
                let leaves = self.cast(&result, ty)?;
                self.define(target, leaves);
            }
            return Ok(());
        }
        // A variable without a type is dead, and its value has no effect.
        let Some(ty) = ty else { return Ok(()) };
        let leaves = self.rhs(value, ty)?;
        self.define(target, leaves);
        Ok(())
    }

    pub(super) fn define(&mut self, var: Var, leaves: Vec<numbra_lir::Value>) {
        self.vars[var] = Some(leaves);
        if self.spilled.contains_key(&var) {
            self.spill_variable(var);
        }
        self.show_variable(var);
    }

    /// Stores a homogeneous tuple that is indexed by a variable, where it is defined.
    fn spill_variable(&mut self, var: Var) {
        let Ok(value) = self.var(var) else { return };
        if self.types.uniform_tuple(value.ty).is_some()
            && let Ok(address) = self.spill(&value)
        {
            self.spilled.insert(var, Some(address));
        }
    }
}
