//! Methods of list displays whose items have no common type. Nothing changes such a list.

use crate::row_macro::rule;
use crate::rules::literal_lists as lists;
use crate::{Effects, Op, TypePattern as P};

const READ: Effects = Effects::READ;

library! {
    /// Not possible: the types of the items are the list's type.
    method literal_list.append(list, item) {
        bodies: &[rule(&[P::Any, P::Any], lists::immutable, Op::NoneValue)],
    }
    /// Not possible: the types of the items are the list's type.
    method literal_list.extend(list, iterable) {
        bodies: &[rule(&[P::Any, P::Any], lists::immutable, Op::NoneValue)],
    }
    /// Not possible: the types of the items are the list's type.
    method literal_list.insert(list, index, item) {
        bodies: &[rule(&[P::Any, P::Any, P::Any], lists::immutable, Op::NoneValue)],
    }
    /// Not possible: the types of the items are the list's type.
    method literal_list.remove(list, value) {
        bodies: &[rule(&[P::Any, P::Any], lists::immutable, Op::NoneValue)],
    }
    /// Not possible: the types of the items are the list's type.
    method literal_list.pop(list, index = Unset) {
        bodies: &[rule(&[P::Any, P::Any], lists::immutable, Op::NoneValue)],
    }
    /// Not possible: the types of the items are the list's type.
    method literal_list.clear(list) {
        bodies: &[rule(&[P::Any], lists::immutable, Op::NoneValue)],
    }
    /// Not possible: the types of the items are the list's type.
    method literal_list.sort(list, key = None, reverse = Bool(false)) {
        bodies: &[rule(&[P::Any, P::Any, P::Any], lists::immutable, Op::NoneValue)],
    }
    /// Not possible: the types of the items are the list's type.
    method literal_list.reverse(list) {
        bodies: &[rule(&[P::Any], lists::immutable, Op::NoneValue)],
    }
    /// Not possible, as in Numba.
    method literal_list.index(list, value, start = Int(0), stop = Int(i64::MAX)) {
        bodies: &[rule(&[P::Any, P::Any, P::Any, P::Any], lists::no_index, Op::NoneValue)],
    }
    /// The list itself, which nothing changes.
    method literal_list.copy(list) {
        effects: READ,
        bodies: &[rule(&[P::LiteralList], lists::copy, Op::Identity)],
    }
    /// Number of items that equal a constant, where all items are constants.
    method literal_list.count(list, value) {
        effects: READ,
        bodies: &[rule(&[P::LiteralList, P::Literal], lists::count, Op::Constant)],
    }
}
