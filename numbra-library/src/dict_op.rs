//! Operations on dictionaries that the compiler implements itself.

/// An operation on a dictionary `d` with keys of type `K` and values of type `V`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DictOp {
    /// A new empty dictionary of type `ret`.
    New,
    /// `len(d)`, also of a view.
    Len,
    /// `d[k]`; KeyError.
    Get,
    /// `d[k] = v`
    Set,
    /// `del d[k]`; KeyError.
    Del,
    /// `k in d`
    Contains,
    /// `d.popitem()`: the entry that came last; KeyError "dictionary is empty".
    PopItem,
    /// `d.clear()`
    Clear,
    /// A new dictionary of the same entries.
    Copy,
    /// `d.keys()`, `d.values()`, `d.items()`: the dictionary, as its type `ret` shows it.
    View,
}
