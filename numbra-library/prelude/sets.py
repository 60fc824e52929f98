"""Sets."""

import operator

from rows import body, method_body, typed_set


@body(set, when="Iterable")
def set_of_iterable(iterable):
    """A new set of the items."""
    out = set()
    for x in iterable:
        out.add(x)
    return out


@body(typed_set, when="Iterable")
def typed_set_of_iterable(iterable):
    """A new typed set of the items."""
    return typed_set(set(iterable))


@method_body("set", "update")
def set_update(items, iterable):
    """Adds the items one by one."""
    for x in iterable:
        items.add(x)


@body(operator.or_, when="Set, Set")
def set_union(a, b):
    """The items of both."""
    out = a.copy()
    for x in b:
        out.add(x)
    return out


@body(operator.and_, when="Set, Set")
def set_intersection(a, b):
    """The items that both have."""
    out = a.copy()
    for x in a:
        if x not in b:
            out.discard(x)
    return out


@body(operator.sub, when="Set, Set")
def set_difference(a, b):
    """The items of ``a`` that ``b`` does not have."""
    out = a.copy()
    for x in b:
        out.discard(x)
    return out


@body(operator.xor, when="Set, Set")
def set_symmetric_difference(a, b):
    """The items that one of both has."""
    out = a.copy()
    for x in b:
        if x in a:
            out.discard(x)
        else:
            out.add(x)
    return out


@body(operator.ior, when="Set, Set")
def set_ior(a, b):
    """Adds the items of ``b``."""
    a.update(b)
    return a


@body(operator.iand, when="Set, Set")
def set_iand(a, b):
    """Keeps the items that ``b`` has."""
    for x in a.copy():
        if x not in b:
            a.discard(x)
    return a


@body(operator.isub, when="Set, Set")
def set_isub(a, b):
    """Removes the items of ``b``."""
    for x in b.copy():
        a.discard(x)
    return a


@body(operator.ixor, when="Set, Set")
def set_ixor(a, b):
    """Keeps the items that one of both has."""
    for x in b.copy():
        if x in a:
            a.discard(x)
        else:
            a.add(x)
    return a


@method_body("set", "intersection_update")
def set_intersection_update(a, b):
    """Keeps the items that ``b`` has."""
    a &= b


@method_body("set", "difference_update")
def set_difference_update(a, b):
    """Removes the items of ``b``."""
    a -= b


@method_body("set", "symmetric_difference_update")
def set_symmetric_difference_update(a, b):
    """Keeps the items that one of both has."""
    a ^= b


@method_body("set", "isdisjoint")
def set_isdisjoint(a, b):
    """Whether no item is in both."""
    for x in a:
        if x in b:
            return False
    return True


@body(operator.le, when="Set, Set")
def set_le(a, b):
    """Whether ``b`` has all items."""
    for x in a:
        if x not in b:
            return False
    return True


@body(operator.ge, when="Set, Set")
def set_ge(a, b):
    """Whether ``a`` has all items."""
    return b <= a


@body(operator.eq, when="Set, Set")
def set_eq(a, b):
    """Whether the items are the same."""
    return len(a) == len(b) and a <= b


@body(operator.ne, when="Set, Set")
def set_ne(a, b):
    """Whether the items differ."""
    return not a == b


@body(operator.lt, when="Set, Set")
def set_lt(a, b):
    """Whether ``b`` has all items and more."""
    return len(a) < len(b) and a <= b


@body(operator.gt, when="Set, Set")
def set_gt(a, b):
    """Whether ``a`` has all items and more."""
    return b < a
