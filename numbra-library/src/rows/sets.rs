//! Methods of sets, and `set` itself. Operators are in `operators`.

use crate::row_macro::{guarded, guarded_prelude, prelude, prelude_at, rule};
use crate::rules::{lists, sets};
use crate::{Effects, Op, SetOp, Targets, TypePattern as P};

const READ: Effects = Effects::READ.and(Effects::RAISE);
const COPY: Effects = READ.and(Effects::ALLOC);
const CHANGE: Effects = COPY.and(Effects::WRITE);
const TWO: &[P] = &[P::Set, P::Set];

library! {
    /// A new set: empty, with a type that follows from what is put in, or of the items of an iterable.
    fn builtins.set(iterable = Unset) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[
            guarded(&[], |_, args| args.is_empty(), sets::empty, Op::Set(SetOp::New)),
            rule(&[P::Set], sets::copied, Op::Set(SetOp::Copy)),
            guarded(&[P::OneOf(&[P::ArrayNd(1), P::List])], sets::holds_numbers, sets::of_items, Op::Set(SetOp::OfItems)),
            prelude(&[P::Iterable], "set_of_iterable"),
        ],
    }
    /// Adds an item.
    method set.add(set, item) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::Set, P::Any], sets::add, Op::Set(SetOp::Add))],
    }
    /// Adds the items of an iterable.
    method set.update(set, iterable) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[prelude_at(&[P::Set, P::Any], sets::update, "set_update")],
    }
    /// Removes an item if it is there.
    method set.discard(set, item) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::Set, P::Any], sets::discard, Op::Set(SetOp::Discard))],
    }
    /// Removes an item; KeyError when it is not there.
    method set.remove(set, item) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::Set, P::Any], sets::discard, Op::Set(SetOp::Remove))],
    }
    /// Removes some item and gives it; KeyError when there is none.
    method set.pop(set) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::Set], sets::item, Op::Set(SetOp::Pop))],
    }
    /// Removes all items.
    method set.clear(set) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::Set], lists::nothing, Op::Set(SetOp::Clear))],
    }
    /// A new set of the same items.
    method set.copy(set) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Set], sets::copied, Op::Set(SetOp::Copy))],
    }
    /// The items of both.
    method set.union(set, other) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[guarded_prelude(TWO, sets::same_items, "set_union"), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue)],
    }
    /// The items that both have.
    method set.intersection(set, other) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[guarded(TWO, sets::same_items, sets::copied, Op::Set(SetOp::Both)), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue)],
    }
    /// The items that the other does not have.
    method set.difference(set, other) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[guarded(TWO, sets::same_items, sets::copied, Op::Set(SetOp::Without)), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue)],
    }
    /// The items that one of both has.
    method set.symmetric_difference(set, other) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[guarded_prelude(TWO, sets::same_items, "set_symmetric_difference"), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue)],
    }
    /// Keeps the items that the other has.
    method set.intersection_update(set, other) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[guarded_prelude(TWO, sets::same_items, "set_intersection_update"), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue)],
    }
    /// Removes the items that the other has.
    method set.difference_update(set, other) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[guarded_prelude(TWO, sets::same_items, "set_difference_update"), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue)],
    }
    /// Keeps the items that the other does not have, and adds its others.
    method set.symmetric_difference_update(set, other) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[guarded_prelude(TWO, sets::same_items, "set_symmetric_difference_update"), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue)],
    }
    /// Whether the other has all items.
    method set.issubset(set, other) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[guarded_prelude(TWO, sets::same_items, "set_le"), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue)],
    }
    /// Whether the set has all items of the other.
    method set.issuperset(set, other) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[guarded_prelude(TWO, sets::same_items, "set_ge"), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue)],
    }
    /// Whether no item is in both.
    method set.isdisjoint(set, other) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[guarded_prelude(TWO, sets::same_items, "set_isdisjoint"), guarded(&[P::Any, P::Any], sets::with_set, sets::other_arguments, Op::NoneValue)],
    }
}
