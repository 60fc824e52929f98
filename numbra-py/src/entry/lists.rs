//! Lists and sets as arguments.

use super::builder::Entry;
use numbra_ir::Type;
use numbra_lir::{ConvertOp, GuardKind, InstBuilder, InstKind, IntCc, Ty, Value};

impl Entry<'_> {
    /// A list or set of our own with the items of an exact `list` or `set`; [`Entry::reflect`] writes changes back.
    pub(super) fn unbox_list(
        &mut self,
        ty: Type,
        class: &str,
        object: Value,
        out: &mut Vec<Value>,
    ) -> Result<(), String> {
        let is_list = self.has_type(object, class);
        self.guard_hit(is_list);
        let code = self.type_code(ty);
        let first = self.iconst(Ty::I32, i128::from(self.lists.is_empty()));
        let list = self
            .import_call(
                "numbra_py_unbox_list",
                &[object, code, first],
                Some(Ty::Ref),
            )
            .expect("it has a result");
        let address = self.one(
            InstKind::Convert {
                op: ConvertOp::RefToPtr,
                arg: list,
            },
            Ty::PTR,
        );
        let null = self.one(InstKind::Null, Ty::PTR);
        let hit = self.icmp(IntCc::Ne, address, null);
        self.guard_hit(hit);
        self.lists.push((list, code));
        out.push(list);
        Ok(())
    }

    /// Writes changes of lists back, whether or not the call succeeded.
    pub(super) fn reflect(&mut self) {
        for (list, code) in std::mem::take(&mut self.lists) {
            let status = self
                .import_call("numbra_py_reflect", &[list, code], Some(Ty::I32))
                .expect("it has a result");
            let zero = self.iconst(Ty::I32, 0);
            let done = self.icmp(IntCc::Eq, status, zero);
            let error = self.error;
            self.guard(done, GuardKind::Status, error);
        }
    }
}
