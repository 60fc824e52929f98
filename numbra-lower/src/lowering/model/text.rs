//! Strings, bytes, char sequences, and what iterates over them.

use super::array::push_array;
use super::{Leaves, Model};
use crate::lowering::error::Res;
use crate::lowering::function::{Fx, Val};
use crate::lowering::iterate::STATE;
use crate::lowering::owner::Owner;
use numbra_abi::ArrayLayout;
use numbra_ir::{Type, Types, kinds};
use numbra_lir::{IntCc, Ty, Value};

/// The leaf of a string that is its length, by position.
const STR_LENGTH: usize = 1;

/// The leaf of a string that is its owner.
const STR_OWNER: usize = 5;

/// The leaf of a char sequence that is its owner.
const CHARS_OWNER: usize = 1;

impl Model for kinds::Unicode<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.extend([Ty::PTR, Ty::I64, Ty::I32, Ty::I32, Ty::I64, Ty::Ref]);
        Ok(())
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Object { leaf: STR_OWNER })
    }

    fn is_object(&self, _: &Types) -> bool {
        true
    }

    fn truth(&self, fx: &mut Fx<'_, '_>, value: &Val) -> Res<Value> {
        Ok(fx.icmp_imm(IntCc::Ne, value.leaves[STR_LENGTH], 0))
    }

    fn iterate(&self, fx: &mut Fx<'_, '_>, value: &Val, _: Type) -> Res<Vec<Value>> {
        Ok(fx.counted_from_zero(&value.leaves))
    }
}

impl Model for kinds::Bytes<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        push_array(1, leaves);
        Ok(())
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Object {
            leaf: ArrayLayout::OWNER,
        })
    }

    fn is_object(&self, _: &Types) -> bool {
        true
    }

    fn truth(&self, fx: &mut Fx<'_, '_>, value: &Val) -> Res<Value> {
        let length = fx.char_seq_len(value)?;
        Ok(fx.icmp_imm(IntCc::Ne, length, 0))
    }

    fn iterate(&self, fx: &mut Fx<'_, '_>, value: &Val, _: Type) -> Res<Vec<Value>> {
        Ok(fx.counted_from_zero(&value.leaves))
    }
}

impl Model for kinds::CharSeq<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.extend([Ty::PTR, Ty::Ref]);
        Ok(())
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Value { leaf: CHARS_OWNER })
    }

    fn is_object(&self, _: &Types) -> bool {
        true
    }

    fn truth(&self, fx: &mut Fx<'_, '_>, value: &Val) -> Res<Value> {
        let length = fx.char_seq_len(value)?;
        Ok(fx.icmp_imm(IntCc::Ne, length, 0))
    }
}

impl Model for kinds::UnicodeCharSeq<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.extend([Ty::PTR, Ty::Ref]);
        Ok(())
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Value { leaf: CHARS_OWNER })
    }

    fn is_object(&self, _: &Types) -> bool {
        true
    }

    fn truth(&self, fx: &mut Fx<'_, '_>, value: &Val) -> Res<Value> {
        let length = fx.char_seq_len(value)?;
        Ok(fx.icmp_imm(IntCc::Ne, length, 0))
    }

    /// As the string that it is.
    fn iterate(&self, fx: &mut Fx<'_, '_>, value: &Val, _: Type) -> Res<Vec<Value>> {
        let text = fx.char_seq_text(value)?;
        Ok(fx.counted_from_zero(&text))
    }
}

impl Model for kinds::TextIter<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push(Ty::PTR);
        leaves.push_type(Type::UNICODE)
    }

    /// A step over a string, whose characters no one changes.
    fn next(&self, fx: &mut Fx<'_, '_>, iter: &Val) -> Res<Vec<Value>> {
        let leaves = &iter.leaves;
        let (state, text) = (leaves[0], Val::new(Type::UNICODE, leaves[1..].to_vec()));
        let at = fx.load(Ty::I64, state, 0, STATE);
        let length = fx.char_seq_len(&text)?;
        let more = fx.icmp(IntCc::Slt, at, length);
        let step = fx.int_to(more, Ty::I64, false);
        let next = fx.iadd(at, step);
        fx.store(state, 0, next, STATE);
        let mut item = fx.character_at(&text, at)?;
        item.push(more);
        Ok(item)
    }
}
