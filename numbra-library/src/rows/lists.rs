//! Methods of lists, and functions that make lists. Subscripts are in `arrays`, operators in `operators`.

use crate::row_macro::{guarded, guarded_prelude, prelude, prelude_at, rule};
use crate::rules::lists;
use crate::{Effects, ListOp, Op, Targets, TypePattern as P};

const READ: Effects = Effects::READ.and(Effects::RAISE);
const COPY: Effects = READ.and(Effects::ALLOC);
const CHANGE: Effects = COPY.and(Effects::WRITE);

library! {
    /// A new list: empty, with a type that follows from what is put in, or of the items of an iterable.
    fn builtins.list(iterable = Unset) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[
            guarded(&[], |_, args| args.is_empty(), lists::empty, Op::List(ListOp::New)),
            rule(&[P::List], lists::copied, Op::List(ListOp::Copy)),
            rule(&[P::Tuple], lists::of_tuple, Op::List(ListOp::OfTuple)),
            prelude(&[P::Iterable], "list_of_iterable"),
        ],
    }
    /// A new typed list: empty, with a type that follows from what is put in, or of the items of an iterable.
    fn numbra.typed.typedlist.List(iterable = Unset) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[
            guarded(&[], |_, args| args.is_empty(), lists::typed_empty, Op::List(ListOp::New)),
            rule(&[P::List], lists::typed_copied, Op::List(ListOp::Copy)),
            rule(&[P::Tuple], lists::typed_of_tuple, Op::List(ListOp::OfTuple)),
            prelude(&[P::Iterable], "typed_list_of_iterable"),
        ],
    }
    /// An empty typed list of items of this type.
    fn numbra.typed.typedlist.List.empty_list(item_type, allocated = Int(0)) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::Any], lists::typed_of, Op::List(ListOp::New))],
    }
    /// An empty typed list of items of this type.
    fn numbra.typed.listobject.new_list(item, allocated = Int(0)) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::Any], lists::typed_of, Op::List(ListOp::New))],
    }
    /// A list that nobody else has as a typed list.
    step typed.list(list) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[rule(&[P::List], lists::typed_copied, Op::Identity)],
    }
    /// The item at position `i`.
    method list.getitem_unchecked(list, i) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[rule(&[P::List, P::Int], lists::item, Op::List(ListOp::Get))],
    }
    /// The list, whose items go to names of which one is starred: ValueError when there are fewer than `least`.
    step unpack.at_least(list, least) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[rule(&[P::List, P::Int], lists::at_least, Op::List(ListOp::AtLeast))],
    }
    /// The items of the tuple `between` as a list, for a starred name; `whole` says what they are where there are none.
    step unpack.rest(between, whole) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Tuple, P::Tuple], lists::rest, Op::List(ListOp::OfTuple))],
    }
    /// A new sorted list of the items of an iterable.
    fn builtins.sorted(iterable, key = None, reverse = Bool(false)) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[prelude(&[P::Iterable, P::Any, P::Any], "sorted_list")],
    }
    /// Adds an item at the end.
    method list.append(list, item) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::List, P::Any], lists::append, Op::List(ListOp::Append))],
    }
    /// Adds the items of an iterable at the end.
    method list.extend(list, iterable) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[
            rule(&[P::List, P::List], lists::extend_list, Op::List(ListOp::Extend)),
            prelude_at(&[P::List, P::Any], lists::extend, "list_extend"),
        ],
    }
    /// Adds an item in front of position `index`.
    method list.insert(list, index, item) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::List, P::Int, P::Any], lists::insert, Op::List(ListOp::Insert))],
    }
    /// Removes the item at position `index`, by default the last, and gives it; IndexError when it is not there.
    method list.pop(list, index = Unset) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::List, P::Int], lists::item, Op::List(ListOp::Pop))],
    }
    /// Removes the first item that equals `value`; ValueError when there is none.
    method list.remove(list, value) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[prelude(&[P::List, P::Any], "list_remove")],
    }
    /// Removes all items.
    method list.clear(list) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::List], lists::nothing, Op::List(ListOp::Clear))],
    }
    /// Turns the order of the items round.
    method list.reverse(list) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::List], lists::nothing, Op::List(ListOp::Reverse))],
    }
    /// A new list of the same items.
    method list.copy(list) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::List], lists::copy, Op::List(ListOp::Copy))],
    }
    /// Number of items that equal `value`.
    method list.count(list, value) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[prelude(&[P::List, P::Any], "list_count")],
    }
    /// Position of the first item that equals `value`; ValueError when there is none.
    method list.index(list, value, start = Int(0), stop = Int(i64::MAX)) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[
            prelude(&[P::List, P::Any, P::Count, P::Count], "list_index"),
            rule(&[P::List, P::Any, P::Any, P::Any], lists::bad_bounds, Op::NoneValue),
        ],
    }
    /// Sorts the items in place, stably; `key` is a jitted function. NaN comes last.
    method list.sort(list, key = None, reverse = Bool(false)) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[
            rule(&[P::List, P::None, P::Integral], lists::sort, Op::List(ListOp::Sort)),
            guarded_prelude(&[P::List, P::None, P::Integral], lists::has_comparable_items, "list_sort_by_order"),
            guarded_prelude(&[P::List, P::Any, P::Integral], lists::has_key, "list_sort_by_key"),
            guarded(&[P::List, P::Any, P::Any], |types, args| crate::plain(types, args[1]) != numbra_ir::Type::NONE, lists::bad_key, Op::NoneValue),
        ],
    }
}
