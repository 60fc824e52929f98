//! Operations on sets that the compiler implements itself.

/// An operation on a set `x`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SetOp {
    /// A new empty set of type `ret`.
    New,
    /// `len(x)`
    Len,
    /// `v in x`
    Contains,
    /// `x.add(v)`
    Add,
    /// `x.discard(v)`
    Discard,
    /// `x.remove(v)`; KeyError "set.remove(): key not in set".
    Remove,
    /// `x.pop()`; KeyError "set.pop(): empty set".
    Pop,
    /// `x.clear()`
    Clear,
    /// A new set of the same items.
    Copy,
    /// A new set of the items of an array with one axis, or of a list, `x`.
    OfItems,
    /// A new set of the items of `x` that the set `y` has.
    Both,
    /// A new set of the items of `x` that the set `y` does not have.
    Without,
}
