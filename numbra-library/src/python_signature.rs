//! How Python's own documentation says that its builtin functions are called.

/// CPython's signature of a builtin function, by the qualified name of its row.
pub fn python_signature(name: &str) -> Option<&'static str> {
    let at = SIGNATURES
        .binary_search_by_key(&name, |known| known.0)
        .ok()?;
    Some(SIGNATURES[at].1)
}

/// Sorted by name.
const SIGNATURES: &[(&str, &str)] = &[
    ("builtins.abs", "abs(x)"),
    ("builtins.all", "all(iterable)"),
    ("builtins.any", "any(iterable)"),
    ("builtins.bool", "bool(x=False)"),
    ("builtins.chr", "chr(i)"),
    ("builtins.complex", "complex(real=0, imag=0)"),
    ("builtins.divmod", "divmod(a, b)"),
    ("builtins.enumerate", "enumerate(iterable, start=0)"),
    ("builtins.float", "float(x=0.0)"),
    ("builtins.hash", "hash(object)"),
    ("builtins.int", "int(x=0), int(x, base=10)"),
    ("builtins.isinstance", "isinstance(object, classinfo)"),
    ("builtins.iter", "iter(object)"),
    ("builtins.len", "len(s)"),
    ("builtins.list", "list(iterable=())"),
    ("builtins.map", "map(function, iterable, *iterables)"),
    ("builtins.max", "max(iterable), max(arg1, arg2, *args)"),
    ("builtins.min", "min(iterable), min(arg1, arg2, *args)"),
    ("builtins.next", "next(iterator)"),
    ("builtins.ord", "ord(c)"),
    ("builtins.pow", "pow(base, exp)"),
    (
        "builtins.range",
        "range(stop), range(start, stop), range(start, stop, step)",
    ),
    ("builtins.reversed", "reversed(seq)"),
    ("builtins.round", "round(number, ndigits=None)"),
    ("builtins.set", "set(iterable=())"),
    (
        "builtins.slice",
        "slice(stop), slice(start, stop), slice(start, stop, step)",
    ),
    (
        "builtins.sorted",
        "sorted(iterable, *, key=None, reverse=False)",
    ),
    ("builtins.str", "str(object)"),
    ("builtins.sum", "sum(iterable, start=0)"),
    ("builtins.tuple", "tuple(iterable=())"),
    ("builtins.zip", "zip(*iterables)"),
    ("functools.reduce", "reduce(function, iterable[, initial])"),
    (
        "numbra.prange",
        "prange(stop), prange(start, stop), prange(start, stop, step)",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(SIGNATURES.is_sorted_by_key(|known| known.0));
    }
}
