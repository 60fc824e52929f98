//! Python's operators over scalars, `None`, tuples and arrays. Subscripts are in `arrays`.

use super::sigs::{ARITH, BITWISE, EQUAL, FLOORDIV, INVERT, ORDER, POW, SHIFT, SIGN, TRUEDIV};
use super::{
    device_bfloat, dicts, functions, lists, literal_dicts, literal_lists, objects, sets, text,
    tuples, ufuncs,
};
use crate::pattern::plain;
use crate::row_macro::{
    cases, cases_of, guarded, guarded_moving, guarded_prelude, native, on_arrays, prelude, rule,
};
use crate::rules::to_bool;
use crate::{
    CmpOp, DictOp, DivModel, Effects, ListOp, Mismatch, Op, ResultCx, SetOp, TypePattern as P,
};
use numbra_ir::{Const, Signature, Type, TypeKind, Types};

library! {
    /// `a + b`; tuples are joined.
    op operator.add(a, b) {
        bodies: &[device_bfloat::arithmetic(Op::Add), cases(ARITH, Op::Add), on_arrays(&ufuncs::ADD), rule(&[P::Tuple, P::Tuple], tuples::concat, Op::TupleConcat), rule(&[P::List, P::List], lists::concat, Op::List(ListOp::Concat)), prelude(&[P::List, P::List], "list_concat"), native(&[P::AnyText, P::AnyText], text::to_text, "numbra_np_str_concat")],
    }
    /// `a - b`
    op operator.sub(a, b) {
        bodies: &[device_bfloat::arithmetic(Op::Sub), cases(ARITH, Op::Sub), on_arrays(&ufuncs::SUBTRACT), guarded(&[P::Set, P::Set], sets::same_items, sets::copied, Op::Set(SetOp::Without)), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue)],
    }
    /// `a * b`; a tuple is repeated.
    op operator.mul(a, b) {
        bodies: &[device_bfloat::arithmetic(Op::Mul), cases(ARITH, Op::Mul), on_arrays(&ufuncs::MULTIPLY), rule(&[P::Tuple, P::LiteralInt], tuples::repeat, Op::TupleRepeat), rule(&[P::List, P::Int], lists::repeat, Op::List(ListOp::Repeat)), rule(&[P::Int, P::List], lists::repeat_right, Op::List(ListOp::Repeat)), native(&[P::AnyText, P::Int], text::to_text, "numbra_np_str_repeat"), native(&[P::Int, P::AnyText], text::to_text, "numbra_np_str_repeat_right")],
    }
    /// `a / b`, a float for integers; by zero raises ZeroDivisionError under the `python` error model.
    op operator.truediv(a, b) {
        effects: Effects::RAISE,
        bodies: &[device_bfloat::arithmetic(Op::TrueDiv(DivModel::Numpy)), cases(TRUEDIV, Op::TrueDiv(DivModel::Python)), on_arrays(&ufuncs::DIVIDE)],
    }
    /// `a // b`; by zero raises ZeroDivisionError under the `python` error model.
    op operator.floordiv(a, b) {
        effects: Effects::RAISE,
        bodies: &[cases(FLOORDIV, Op::FloorDiv(DivModel::Python)), on_arrays(&ufuncs::FLOOR_DIVIDE)],
    }
    /// `a % b`, with the sign of `b`; by zero raises ZeroDivisionError under the `python` error model. A constant text is a
    /// format: `"%5.2f" % x`.
    op operator.mod(a, b) {
        effects: Effects::RAISE,
        bodies: &[cases(FLOORDIV, Op::Mod(DivModel::Python)), on_arrays(&ufuncs::REMAINDER), rule(&[P::Text, P::Any], text::percent, Op::TextPercent)],
    }
    /// `a ** b`. Integers stay integers and wrap; a negative exponent truncates towards zero.
    op operator.pow(a, b) {
        effects: Effects::RAISE,
        bodies: &[rule(&[P::Scalar, P::LiteralInt], static_pow, Op::PowInt), cases(POW, Op::Pow(DivModel::Python)), on_arrays(&ufuncs::POWER)],
    }
    /// `a << b`; the count is taken modulo 64.
    op operator.lshift(a, b) {
        bodies: &[cases_of(&[P::Integral, P::Integral], SHIFT, Op::Shl), on_arrays(&ufuncs::LEFT_SHIFT)],
    }
    /// `a >> b`, arithmetic for signed `a`; the count is taken modulo 64.
    op operator.rshift(a, b) {
        bodies: &[cases_of(&[P::Integral, P::Integral], SHIFT, Op::Shr), on_arrays(&ufuncs::RIGHT_SHIFT)],
    }
    /// `a & b`; of booleans a boolean.
    op operator.and_(a, b) {
        bodies: &[cases_of(&[P::Integral, P::Integral], BITWISE, Op::BitAnd), on_arrays(&ufuncs::BITWISE_AND), guarded(&[P::Set, P::Set], sets::same_items, sets::copied, Op::Set(SetOp::Both)), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue)],
    }
    /// `a | b`; of booleans a boolean.
    op operator.or_(a, b) {
        bodies: &[cases_of(&[P::Integral, P::Integral], BITWISE, Op::BitOr), on_arrays(&ufuncs::BITWISE_OR), guarded_prelude(&[P::Set, P::Set], sets::same_items, "set_union"), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue)],
    }
    /// `a ^ b`; of booleans a boolean.
    op operator.xor(a, b) {
        bodies: &[cases_of(&[P::Integral, P::Integral], BITWISE, Op::BitXor), on_arrays(&ufuncs::BITWISE_XOR), guarded_prelude(&[P::Set, P::Set], sets::same_items, "set_symmetric_difference"), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue)],
    }
    /// `a += b`: writes into `a` if it is an array, else `a + b`.
    op operator.iadd(a, b) {
        effects: Effects::WRITE.and(Effects::RAISE),
        bodies: &[device_bfloat::arithmetic(Op::Add), cases(ARITH, Op::Add), in_place!(ADD), on_arrays(&ufuncs::ADD), rule(&[P::Tuple, P::Tuple], tuples::concat, Op::TupleConcat), rule(&[P::List, P::List], lists::concat_in_place, Op::List(ListOp::ExtendInPlace)), native(&[P::AnyText, P::AnyText], text::to_text, "numbra_np_str_concat")],
    }
    /// `a -= b`: writes into `a` if it is an array, else `a - b`.
    op operator.isub(a, b) {
        effects: Effects::WRITE.and(Effects::RAISE),
        bodies: &[device_bfloat::arithmetic(Op::Sub), cases(ARITH, Op::Sub), in_place!(SUBTRACT), on_arrays(&ufuncs::SUBTRACT), guarded_prelude(&[P::Set, P::Set], sets::same_items, "set_isub"), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue)],
    }
    /// `a *= b`: writes into `a` if it is an array, else `a * b`.
    op operator.imul(a, b) {
        effects: Effects::WRITE.and(Effects::RAISE),
        bodies: &[device_bfloat::arithmetic(Op::Mul), cases(ARITH, Op::Mul), in_place!(MULTIPLY), on_arrays(&ufuncs::MULTIPLY), rule(&[P::Tuple, P::LiteralInt], tuples::repeat, Op::TupleRepeat), rule(&[P::List, P::Int], lists::repeat, Op::List(ListOp::RepeatInPlace)), native(&[P::AnyText, P::Int], text::to_text, "numbra_np_str_repeat")],
    }
    /// `a /= b`: writes into `a` if it is an array, else `a / b`.
    op operator.itruediv(a, b) {
        effects: Effects::WRITE.and(Effects::RAISE),
        bodies: &[device_bfloat::arithmetic(Op::TrueDiv(DivModel::Numpy)), cases(TRUEDIV, Op::TrueDiv(DivModel::Python)), in_place!(DIVIDE), on_arrays(&ufuncs::DIVIDE)],
    }
    /// `a //= b`: writes into `a` if it is an array, else `a // b`.
    op operator.ifloordiv(a, b) {
        effects: Effects::WRITE.and(Effects::RAISE),
        bodies: &[cases(FLOORDIV, Op::FloorDiv(DivModel::Python)), in_place!(FLOOR_DIVIDE), on_arrays(&ufuncs::FLOOR_DIVIDE)],
    }
    /// `a %= b`: writes into `a` if it is an array, else `a % b`.
    op operator.imod(a, b) {
        effects: Effects::WRITE.and(Effects::RAISE),
        bodies: &[cases(FLOORDIV, Op::Mod(DivModel::Python)), in_place!(REMAINDER), on_arrays(&ufuncs::REMAINDER)],
    }
    /// `a **= b`: writes into `a` if it is an array, else `a ** b`.
    op operator.ipow(a, b) {
        effects: Effects::WRITE.and(Effects::RAISE),
        bodies: &[rule(&[P::Scalar, P::LiteralInt], static_pow, Op::PowInt), cases(POW, Op::Pow(DivModel::Python)), in_place!(POWER), on_arrays(&ufuncs::POWER)],
    }
    /// `a <<= b`: writes into `a` if it is an array, else `a << b`.
    op operator.ilshift(a, b) {
        effects: Effects::WRITE.and(Effects::RAISE),
        bodies: &[cases_of(&[P::Integral, P::Integral], SHIFT, Op::Shl), in_place!(LEFT_SHIFT), on_arrays(&ufuncs::LEFT_SHIFT)],
    }
    /// `a >>= b`: writes into `a` if it is an array, else `a >> b`.
    op operator.irshift(a, b) {
        effects: Effects::WRITE.and(Effects::RAISE),
        bodies: &[cases_of(&[P::Integral, P::Integral], SHIFT, Op::Shr), in_place!(RIGHT_SHIFT), on_arrays(&ufuncs::RIGHT_SHIFT)],
    }
    /// `a &= b`: writes into `a` if it is an array, else `a & b`.
    op operator.iand(a, b) {
        effects: Effects::WRITE.and(Effects::RAISE),
        bodies: &[cases_of(&[P::Integral, P::Integral], BITWISE, Op::BitAnd), in_place!(BITWISE_AND), on_arrays(&ufuncs::BITWISE_AND), guarded_prelude(&[P::Set, P::Set], sets::same_items, "set_iand"), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue)],
    }
    /// `a |= b`: writes into `a` if it is an array, else `a | b`.
    op operator.ior(a, b) {
        effects: Effects::WRITE.and(Effects::RAISE),
        bodies: &[cases_of(&[P::Integral, P::Integral], BITWISE, Op::BitOr), in_place!(BITWISE_OR), on_arrays(&ufuncs::BITWISE_OR), guarded_prelude(&[P::Set, P::Set], sets::same_items, "set_ior"), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue)],
    }
    /// `a ^= b`: writes into `a` if it is an array, else `a ^ b`.
    op operator.ixor(a, b) {
        effects: Effects::WRITE.and(Effects::RAISE),
        bodies: &[cases_of(&[P::Integral, P::Integral], BITWISE, Op::BitXor), in_place!(BITWISE_XOR), on_arrays(&ufuncs::BITWISE_XOR), guarded_prelude(&[P::Set, P::Set], sets::same_items, "set_ixor"), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue)],
    }
    /// `a == b`; exact between signed and unsigned integers, lexicographic for tuples, strings and char sequences.
    op operator.eq(a, b) {
        bodies: &[device_bfloat::comparison(CmpOp::Eq), guarded_prelude(&[P::Any, P::Any], with_optional, "optional_eq"), cases(EQUAL, Op::Cmp(CmpOp::Eq)), on_arrays(&ufuncs::EQUAL), rule(&[P::Tuple, P::Tuple], tuples::equality, Op::TupleCmp(CmpOp::Eq)), rule(&[P::Unicode, P::Unicode], to_bool, Op::CharSeqCmp(CmpOp::Eq)), rule(&[P::Optional, P::None], keep_to_bool, Op::IsNone), rule(&[P::None, P::Optional], keep_to_bool, Op::IsNone), guarded(&[P::Any, P::Any], same_constant, always, Op::Constant), guarded(&[P::Any, P::Any], never_equal, never, Op::Constant), prelude(&[P::List, P::List], "list_eq"), guarded_prelude(&[P::Set, P::Set], sets::same_items, "set_eq"), guarded(&[P::Any, P::Any], char_seqs, to_bool, Op::CharSeqCmp(CmpOp::Eq)), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue), guarded_prelude(&[P::Dict, P::Dict], dicts::comparable, "dict_eq"), rule(&[P::LiteralDict, P::LiteralDict], literal_dicts::equality, Op::TupleCmp(CmpOp::Eq)), guarded_moving(&[P::Any, P::Any], with_array_of_text, text::compare_arrays, "numbra_np_str_array_eq"), guarded_moving(&[P::Any, P::Any], with_array_of_bytes, text::compare_arrays, "numbra_np_str_array_of_bytes_eq")],
    }
    /// `a != b`; exact between signed and unsigned integers, lexicographic for tuples.
    op operator.ne(a, b) {
        bodies: &[device_bfloat::comparison(CmpOp::Ne), guarded_prelude(&[P::Any, P::Any], with_optional, "optional_ne"), cases(EQUAL, Op::Cmp(CmpOp::Ne)), on_arrays(&ufuncs::NOT_EQUAL), rule(&[P::Tuple, P::Tuple], tuples::equality, Op::TupleCmp(CmpOp::Ne)), rule(&[P::Unicode, P::Unicode], to_bool, Op::CharSeqCmp(CmpOp::Ne)), rule(&[P::Optional, P::None], keep_to_bool, Op::IsNotNone), rule(&[P::None, P::Optional], keep_to_bool, Op::IsNotNone), guarded(&[P::Any, P::Any], same_constant, never, Op::Constant), guarded(&[P::Any, P::Any], never_equal, always, Op::Constant), prelude(&[P::List, P::List], "list_ne"), guarded_prelude(&[P::Set, P::Set], sets::same_items, "set_ne"), guarded(&[P::Any, P::Any], char_seqs, to_bool, Op::CharSeqCmp(CmpOp::Ne)), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue), guarded_prelude(&[P::Dict, P::Dict], dicts::comparable, "dict_ne"), rule(&[P::LiteralDict, P::LiteralDict], literal_dicts::equality, Op::TupleCmp(CmpOp::Ne)), guarded_moving(&[P::Any, P::Any], with_array_of_text, text::compare_arrays, "numbra_np_str_array_ne"), guarded_moving(&[P::Any, P::Any], with_array_of_bytes, text::compare_arrays, "numbra_np_str_array_of_bytes_ne")],
    }
    /// `a < b`; exact between signed and unsigned integers, lexicographic for tuples.
    op operator.lt(a, b) {
        bodies: &[device_bfloat::comparison(CmpOp::Lt), cases(ORDER, Op::Cmp(CmpOp::Lt)), on_arrays(&ufuncs::LESS), rule(&[P::Tuple, P::Tuple], tuples::ordering, Op::TupleCmp(CmpOp::Lt)), rule(&[P::Unicode, P::Unicode], to_bool, Op::CharSeqCmp(CmpOp::Lt)), prelude(&[P::List, P::List], "list_lt"), guarded_prelude(&[P::Set, P::Set], sets::same_items, "set_lt"), guarded(&[P::Any, P::Any], char_seqs, to_bool, Op::CharSeqCmp(CmpOp::Lt)), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue), guarded_moving(&[P::Any, P::Any], with_array_of_text, text::compare_arrays, "numbra_np_str_array_lt"), guarded_moving(&[P::Any, P::Any], with_array_of_bytes, text::compare_arrays, "numbra_np_str_array_of_bytes_lt")],
    }
    /// `a <= b`; exact between signed and unsigned integers, lexicographic for tuples.
    op operator.le(a, b) {
        bodies: &[device_bfloat::comparison(CmpOp::Le), cases(ORDER, Op::Cmp(CmpOp::Le)), on_arrays(&ufuncs::LESS_EQUAL), rule(&[P::Tuple, P::Tuple], tuples::ordering, Op::TupleCmp(CmpOp::Le)), rule(&[P::Unicode, P::Unicode], to_bool, Op::CharSeqCmp(CmpOp::Le)), prelude(&[P::List, P::List], "list_le"), guarded_prelude(&[P::Set, P::Set], sets::same_items, "set_le"), guarded(&[P::Any, P::Any], char_seqs, to_bool, Op::CharSeqCmp(CmpOp::Le)), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue), guarded_moving(&[P::Any, P::Any], with_array_of_text, text::compare_arrays, "numbra_np_str_array_le"), guarded_moving(&[P::Any, P::Any], with_array_of_bytes, text::compare_arrays, "numbra_np_str_array_of_bytes_le")],
    }
    /// `a > b`; exact between signed and unsigned integers, lexicographic for tuples.
    op operator.gt(a, b) {
        bodies: &[device_bfloat::comparison(CmpOp::Gt), cases(ORDER, Op::Cmp(CmpOp::Gt)), on_arrays(&ufuncs::GREATER), rule(&[P::Tuple, P::Tuple], tuples::ordering, Op::TupleCmp(CmpOp::Gt)), rule(&[P::Unicode, P::Unicode], to_bool, Op::CharSeqCmp(CmpOp::Gt)), prelude(&[P::List, P::List], "list_gt"), guarded_prelude(&[P::Set, P::Set], sets::same_items, "set_gt"), guarded(&[P::Any, P::Any], char_seqs, to_bool, Op::CharSeqCmp(CmpOp::Gt)), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue), guarded_moving(&[P::Any, P::Any], with_array_of_text, text::compare_arrays, "numbra_np_str_array_gt"), guarded_moving(&[P::Any, P::Any], with_array_of_bytes, text::compare_arrays, "numbra_np_str_array_of_bytes_gt")],
    }
    /// `a >= b`; exact between signed and unsigned integers, lexicographic for tuples.
    op operator.ge(a, b) {
        bodies: &[device_bfloat::comparison(CmpOp::Ge), cases(ORDER, Op::Cmp(CmpOp::Ge)), on_arrays(&ufuncs::GREATER_EQUAL), rule(&[P::Tuple, P::Tuple], tuples::ordering, Op::TupleCmp(CmpOp::Ge)), rule(&[P::Unicode, P::Unicode], to_bool, Op::CharSeqCmp(CmpOp::Ge)), prelude(&[P::List, P::List], "list_ge"), guarded_prelude(&[P::Set, P::Set], sets::same_items, "set_ge"), guarded(&[P::Any, P::Any], char_seqs, to_bool, Op::CharSeqCmp(CmpOp::Ge)), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue), guarded_moving(&[P::Any, P::Any], with_array_of_text, text::compare_arrays, "numbra_np_str_array_ge"), guarded_moving(&[P::Any, P::Any], with_array_of_bytes, text::compare_arrays, "numbra_np_str_array_of_bytes_ge")],
    }
    /// `a is b`: `None` is known by type; numbers and pointers of one type compare by value, arrays by identity.
    op operator.is_(a, b) {
        bodies: &[
            rule(&[P::None, P::None], to_bool, Op::Bool(true)),
            rule(&[P::Optional, P::None], keep_to_bool, Op::IsNone),
            rule(&[P::None, P::Optional], keep_to_bool, Op::IsNone),
            rule(&[P::None, P::Any], to_bool, Op::Bool(false)),
            rule(&[P::Any, P::None], to_bool, Op::Bool(false)),
            guarded(&[P::Scalar, P::Scalar], same_type, to_bool, Op::Cmp(CmpOp::Eq)),
            guarded(&[P::Pointer, P::Pointer], same_type, addresses, Op::Cmp(CmpOp::Eq)),
            guarded(&[P::Array, P::Array], same_type, to_bool, Op::ArrayIs),
            guarded(&[P::List, P::List], same_type, to_bool, Op::List(ListOp::Is)),
            guarded(&[P::Any, P::Any], same_singleton, to_bool, Op::Bool(true)),
            guarded(&[P::Any, P::Any], chosen_functions, functions::same, Op::FunctionIs),
            guarded(&[P::Any, P::Any], objects::of_one_type, keep_to_bool, Op::ObjectIs(true)),
            guarded(&[P::Any, P::Any], other_type, to_bool, Op::Bool(false)),
        ],
    }
    /// `a is not b`: `None` is known by type; numbers and pointers of one type compare by value, arrays by identity.
    op operator.is_not(a, b) {
        bodies: &[
            rule(&[P::None, P::None], to_bool, Op::Bool(false)),
            rule(&[P::Optional, P::None], keep_to_bool, Op::IsNotNone),
            rule(&[P::None, P::Optional], keep_to_bool, Op::IsNotNone),
            rule(&[P::None, P::Any], to_bool, Op::Bool(true)),
            rule(&[P::Any, P::None], to_bool, Op::Bool(true)),
            guarded(&[P::Scalar, P::Scalar], same_type, to_bool, Op::Cmp(CmpOp::Ne)),
            guarded(&[P::Pointer, P::Pointer], same_type, addresses, Op::Cmp(CmpOp::Ne)),
            guarded(&[P::Array, P::Array], same_type, to_bool, Op::ArrayIsNot),
            guarded(&[P::List, P::List], same_type, to_bool, Op::List(ListOp::IsNot)),
            guarded(&[P::Any, P::Any], same_singleton, to_bool, Op::Bool(false)),
            guarded(&[P::Any, P::Any], chosen_functions, functions::same, Op::FunctionIsNot),
            guarded(&[P::Any, P::Any], objects::of_one_type, keep_to_bool, Op::ObjectIs(false)),
            guarded(&[P::Any, P::Any], other_type, to_bool, Op::Bool(true)),
        ],
    }
    /// `-a`
    op operator.neg(a) {
        bodies: &[device_bfloat::unary(Op::Neg), cases(SIGN, Op::Neg), on_arrays(&ufuncs::NEGATIVE)],
    }
    /// `+a`
    op operator.pos(a) {
        bodies: &[device_bfloat::unary(Op::Convert), cases(SIGN, Op::Convert), on_arrays(&ufuncs::POSITIVE)],
    }
    /// `~a`; of a boolean a boolean.
    op operator.invert(a) {
        bodies: &[cases_of(&[P::Integral], INVERT, Op::Invert), on_arrays(&ufuncs::INVERT)],
    }
    /// `not a`
    op operator.not_(a) {
        bodies: &[rule(&[TRUTHY], keep_to_bool, Op::Not)],
    }
    /// `bool(a)`, as conditions take it.
    op operator.truth(a) {
        bodies: &[rule(&[TRUTHY], keep_to_bool, Op::Truth)],
    }
    /// `b in a`; note the order. For ranges, containers and text.
    op operator.contains(a, b) method [str.__contains__] {
        bodies: &[
            rule(&[P::Range, P::Int], to_bool, Op::RangeContains),
            rule(&[P::Tuple, P::Any], tuples::contains, Op::TupleContains),
            prelude(&[P::Array, P::OneOf(&[P::Scalar, P::Time])], "array_contains"), prelude(&[P::List, P::Any], "list_contains"), rule(&[P::Set, P::Any], sets::contains, Op::Set(SetOp::Contains)), rule(&[P::Dict, P::Any], dicts::contains, Op::Dict(DictOp::Contains)), prelude(&[P::Unicode, P::Unicode], "text_contains"), native(&[P::AnyText, P::OneOf(&[P::AnyText, P::Int])], text::contains, "numbra_np_str_contains"),
            rule(&[P::LiteralList, P::Literal], literal_lists::contains_constant, Op::Constant),
            rule(&[P::LiteralList, P::Any], literal_lists::contains, Op::TupleContains),
            rule(&[P::LiteralDict, P::Literal], literal_dicts::contains, Op::Constant)],
    }
}

/// What has a truth value.
pub(crate) const TRUTHY: P = P::HasTruth;

/// An array of char sequences of characters beside another one or a text.
fn with_array_of_text(types: &Types, args: &[Type]) -> bool {
    with_array_of(types, args, P::Text)
}

/// An array of char sequences of bytes beside another one or bytes.
fn with_array_of_bytes(types: &Types, args: &[Type]) -> bool {
    with_array_of(types, args, P::AnyText) && !with_array_of(types, args, P::Text)
}

fn with_array_of(types: &Types, args: &[Type], items: P) -> bool {
    let item = |ty: &Type| {
        let array = types.as_array(plain(types, *ty))?;
        items.matches(types, array.dtype).then_some(array)
    };
    args.iter().any(|ty| item(ty).is_some())
        && (args.iter()).all(|ty| item(ty).is_some() || items.matches(types, *ty))
}

/// Char sequences and `bytes`, or a char sequence of characters and a string.
fn char_seqs(types: &Types, args: &[Type]) -> bool {
    let [a, b] = args else { return false };
    let matches = |pattern: P| pattern.matches(types, *a) && pattern.matches(types, *b);
    let bytes = |ty: Type| matches!(types.kind(ty), TypeKind::CharSeq(_) | TypeKind::Bytes);
    (bytes(*a) && bytes(*b))
        || (matches(P::Text) && (P::CharSeq.matches(types, *a) || P::CharSeq.matches(types, *b)))
}

/// `bool`, with the arguments as they are: the operation looks at an optional.
fn keep_to_bool(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(Type::BOOL)
}

/// A comparison of pointers by their addresses.
fn addresses(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: vec![Type::UINT64; cx.args.len()],
        ret: Type::BOOL,
    })
}

/// `x ** constant`: the base takes the type that `**` computes in; the exponent stays a literal.
fn static_pow(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let Some(base) = cx.types.as_scalar(cx.plain(0)) else {
        return Err(Mismatch::rejected("the base is no number"));
    };
    let ty = match base {
        s if s.is_float() => cx.types.scalar(s),
        s if s.is_complex() => Type::COMPLEX128,
        _ => Type::INT64,
    };
    Ok(Signature {
        params: vec![ty, cx.arg(1)],
        ret: ty,
    })
}

/// The element types that a dtype and another one, or a class, name.
fn dtypes(types: &Types, args: &[Type]) -> Option<(Type, Type)> {
    let named = |ty: &Type| match types.kind(*ty) {
        TypeKind::DType(item) | TypeKind::NumberClass(item) => Some(*item),
        _ => None,
    };
    let is_dtype = |ty: &Type| matches!(types.kind(*ty), TypeKind::DType(_));
    match args {
        [a, b] if is_dtype(a) || is_dtype(b) => Some((named(a)?, named(b)?)),
        _ => None,
    }
}

/// Both arguments are the same constant, or name the same dtype.
fn same_constant(types: &Types, args: &[Type]) -> bool {
    constants(types, args).is_some_and(|(a, b)| a == b)
        || dtypes(types, args).is_some_and(|(a, b)| a == b)
        || args.iter().all(|ty| plain(types, *ty) == Type::NONE)
}

/// A result that is true whatever the values are.
fn always(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(cx.types.intern(TypeKind::Literal(Const::Bool(true))))
}

/// A result that is false whatever the values are.
fn never(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(cx.types.intern(TypeKind::Literal(Const::Bool(false))))
}

/// The arguments are constants of one type, or dtypes, that differ, or of types no values of which are equal.
fn never_equal(types: &Types, args: &[Type]) -> bool {
    if let Some((a, b)) = constants(types, args) {
        return a != b;
    }
    if let Some((a, b)) = dtypes(types, args) {
        return a != b;
    }
    let none = |ty: &Type| plain(types, *ty) == Type::NONE;
    let optional = |ty: &Type| matches!(types.kind(*ty), TypeKind::Optional(_));
    if args.iter().any(optional) {
        return false;
    }
    if args.iter().any(none) {
        return !args.iter().all(none);
    }
    match args {
        [a, b] => match (family(types, *a), family(types, *b)) {
            (Some(a), Some(b)) => a != b,
            _ => false,
        },
        _ => false,
    }
}

/// An argument is optional, and none is `None` or compares element by element.
fn with_optional(types: &Types, args: &[Type]) -> bool {
    let compares = |ty: &Type| {
        let ty = match types.kind(*ty) {
            TypeKind::Optional(inner) => *inner,
            _ => plain(types, *ty),
        };
        ty != Type::NONE && !P::OneOf(&[P::Array, P::Buffer]).matches(types, ty)
    };
    args.iter()
        .any(|ty| matches!(types.kind(*ty), TypeKind::Optional(_)))
        && args.iter().all(compares)
}

/// The family of types whose values may be equal to each other, but to no others.
fn family(types: &Types, ty: Type) -> Option<&'static str> {
    let ty = plain(types, ty);
    match types.kind(ty) {
        TypeKind::Scalar(..) => Some("number"),
        kind @ (TypeKind::Unicode | TypeKind::List { .. } | TypeKind::Dict { .. }) => kind.family(),
        kind if types.is_tuple(ty) => kind.family(),
        _ => None,
    }
}

fn constants<'a>(types: &'a Types, args: &[Type]) -> Option<(&'a Const, &'a Const)> {
    let text = |ty: &Type| match types.kind(*ty) {
        TypeKind::Literal(value @ Const::Str(_)) | TypeKind::Omitted(value @ Const::Str(_)) => {
            Some(value)
        }
        _ => None,
    };
    match args {
        [a, b] => Some((text(a)?, text(b)?)),
        _ => None,
    }
}

/// The arguments have one type.
fn same_type(types: &Types, args: &[Type]) -> bool {
    matches!(args, [a, b] if plain(types, *a) == plain(types, *b))
}

/// The arguments have one type, which has a single value: classes, dtypes, functions, modules.
fn same_singleton(types: &Types, args: &[Type]) -> bool {
    same_type(types, args)
        && args.iter().all(|ty| {
            matches!(
                types.kind(*ty),
                TypeKind::Ellipsis
                    | TypeKind::Function { .. }
                    | TypeKind::Module(_)
                    | TypeKind::NumberClass(_)
                    | TypeKind::DType(_)
                    | TypeKind::TypeRef(_)
                    | TypeKind::Class(_)
                    | TypeKind::ExceptionClass(_)
                    | TypeKind::Dispatcher { .. }
            )
        })
}

/// The arguments are functions, which of several the values say of one at least.
fn chosen_functions(types: &Types, args: &[Type]) -> bool {
    let is_chosen = |ty: &Type| {
        matches!(
            types.kind(*ty),
            TypeKind::FunctionChoice(_) | TypeKind::FunctionType { .. }
        )
    };
    args.iter().all(|ty| types.is_function_value(*ty)) && args.iter().any(is_chosen)
}

/// The arguments have different types, neither of which is optional.
fn other_type(types: &Types, args: &[Type]) -> bool {
    let optional = |ty: &Type| matches!(types.kind(*ty), TypeKind::Optional(_));
    !same_type(types, args) && !args.iter().any(optional)
}
