//! Slices of lists.

use super::super::error::Res;
use super::super::function::{Fx, Val};
use super::super::raise::Raise;
use super::super::slice::SliceParts;
use super::object::ListRef;
use numbra_abi::NativeId;
use numbra_lir::{GuardKind, IntCc, Value};

impl Fx<'_, '_> {
    /// A slice clamped into the list, and the number of its items.
    fn list_span(&mut self, list: &ListRef, slice: &Val) -> Res<(SliceParts, Value)> {
        let length = self.list_len(list);
        let parts = self.slice_parts(slice)?;
        let clamped = self.slice_clamp(parts, length)?;
        let count = self.slice_length(clamped);
        Ok((clamped, count))
    }

    pub(super) fn list_get_slice(&mut self, list: &ListRef, slice: &Val) -> Res<Vec<Value>> {
        let (span, count) = self.list_span(list, slice)?;
        let args = vec![list.owner, span.start, span.step, count];
        Ok(vec![self.list_result(NativeId::ListSlice, args)?])
    }

    pub(super) fn list_set_slice(
        &mut self,
        list: &ListRef,
        slice: &Val,
        source: &ListRef,
    ) -> Res<Vec<Value>> {
        let (span, count) = self.list_span(list, slice)?;
        let rest = vec![span.start, count, span.step, source.owner];
        self.list_run(NativeId::ListAssign, list, rest)
    }

    pub(super) fn list_del_slice(&mut self, list: &ListRef, slice: &Val) -> Res<Vec<Value>> {
        let (span, count) = self.list_span(list, slice)?;
        let plain = self.icmp_imm(IntCc::Eq, span.step, 1);
        let raise = Raise::new(
            "NotImplementedError",
            "unsupported del list[start:stop:step] with step != 1",
        );
        self.guard(plain, GuardKind::Check, raise)?;
        self.list_run(NativeId::ListRemove, list, vec![span.start, count])
    }
}
