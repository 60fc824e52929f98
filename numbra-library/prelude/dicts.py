"""Dictionaries."""

import operator

from rows import body, method_body


@body(dict, when="Iterable")
def dict_of_pairs(pairs):
    """A new dictionary of pairs."""
    made = {}
    for key, value in pairs:
        made[key] = value
    return made


@method_body("dict", "get", when="Dict, Any")
def dict_get(entries, key):
    """The value of a key, or None."""
    if key in entries:
        return entries[key]
    return None


@method_body("dict", "get", when="Dict, Any, Any")
def dict_get_or(entries, key, default):
    """The value of a key, or the default."""
    if key in entries:
        return entries[key]
    return default


@method_body("dict", "setdefault")
def dict_setdefault(entries, key, default):
    """The value of a key, which is the default if there was none."""
    if key not in entries:
        entries[key] = default
    return entries[key]


@method_body("dict", "pop", when="Dict, Any")
def dict_pop(entries, key):
    """Removes a key; its value."""
    value = entries[key]
    del entries[key]
    return value


@method_body("dict", "pop", when="Dict, Any, Any")
def dict_pop_or(entries, key, default):
    """Removes a key; its value, or the default."""
    if key in entries:
        value = entries[key]
        del entries[key]
        return value
    return default


@method_body("dict", "update")
def dict_update(entries, other):
    """Takes the entries of the other one."""
    for key, value in other.items():
        entries[key] = value


@body(operator.eq, when="Dict, Dict")
def dict_eq(a, b):
    """Whether both have the same keys with equal values."""
    if len(a) != len(b):
        return False
    for key, value in a.items():
        if key not in b:
            return False
        if b[key] != value:
            return False
    return True


@body(operator.ne, when="Dict, Dict")
def dict_ne(a, b):
    """Whether a key or a value differs."""
    return not a == b
