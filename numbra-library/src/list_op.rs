//! Operations on lists that the compiler implements itself.

/// An operation on a list `x` of items of type `T`. Indices are integers that count from the end when negative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ListOp {
    /// A new empty list of type `ret`, with room for as many items as argument 1 says, if there is one; RuntimeError "expecting
    /// *allocated* to be >= 0".
    New,
    /// Number of items there is room for.
    Allocated,
    /// Whether the typed list `x` may be changed.
    IsMutable,
    /// Says whether the typed list `x` may be changed: what changes it raises ValueError "list is immutable".
    SetMutable(bool),
    /// `len(x)`
    Len,
    /// `x[i]`; IndexError "getitem out of range".
    Get,
    /// `x[i] = v`; IndexError "setitem out of range".
    Set,
    /// `del x[i]`; IndexErrors of [`ListOp::Pop`].
    Del,
    /// `x[a:b:c]`, a new list.
    GetSlice,
    /// `x[a:b:c] = y` for a list `y` of the same items; ValueError "cannot resize extended list slice with step != 1".
    SetSlice,
    /// `del x[a:b]`; NotImplementedError "unsupported del list[start:stop:step] with step != 1".
    DelSlice,
    /// `x.append(v)`
    Append,
    /// `x.insert(i, v)`, with `i` clamped into the list.
    Insert,
    /// `x.pop()`, `x.pop(i)`; IndexError "pop from empty list", "pop index out of range".
    Pop,
    /// `x.clear()`
    Clear,
    /// `x.reverse()`
    Reverse,
    /// `x.extend(y)` for a list `y` of the same items.
    Extend,
    /// `x += y` for a list `y` of the same items: `x` itself.
    ExtendInPlace,
    /// `x + y` for a list `y` of the same items, a new list.
    Concat,
    /// `x * n` or `n * x`, a new list.
    Repeat,
    /// `x *= n`: `x` itself.
    RepeatInPlace,
    /// A new list of the same items.
    Copy,
    /// A new list of the items of a tuple.
    OfTuple,
    /// `x` itself; ValueError "not enough values to unpack" unless it has `n` items or more.
    AtLeast,
    /// `x.sort(None, reverse)`, stable; NaN comes last. Items are real numbers or tuples of these.
    Sort,
    /// `x is y`
    Is,
    /// `x is not y`
    IsNot,
}

impl ListOp {
    /// True for what changes the list `x`.
    pub fn changes(self) -> bool {
        match self {
            ListOp::Set
            | ListOp::Del
            | ListOp::SetSlice
            | ListOp::DelSlice
            | ListOp::Append
            | ListOp::Insert
            | ListOp::Pop
            | ListOp::Clear
            | ListOp::Reverse
            | ListOp::Extend
            | ListOp::ExtendInPlace
            | ListOp::RepeatInPlace
            | ListOp::Sort => true,
            ListOp::New
            | ListOp::Allocated
            | ListOp::IsMutable
            | ListOp::SetMutable(_)
            | ListOp::Len
            | ListOp::Get
            | ListOp::GetSlice
            | ListOp::Concat
            | ListOp::Repeat
            | ListOp::Copy
            | ListOp::OfTuple
            | ListOp::AtLeast
            | ListOp::Is
            | ListOp::IsNot => false,
        }
    }
}
