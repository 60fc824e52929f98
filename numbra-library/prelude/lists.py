"""Lists."""

import operator

from rows import body, method_body, typed_list


@body(list, when="Iterable")
def list_of_iterable(iterable):
    """A new list of the items."""
    out = []
    for x in iterable:
        out.append(x)
    return out


@body(typed_list, when="Iterable")
def typed_list_of_iterable(iterable):
    """A new typed list of the items."""
    return typed_list(list(iterable))


@body(sorted, when="Iterable, Any, Any")
def sorted_list(iterable, key, reverse):
    """A new sorted list of the items."""
    out = list(iterable)
    out.sort(key, reverse)
    return out


@method_body("list", "extend")
def list_extend(items, iterable):
    """Appends the items one by one."""
    for x in iterable:
        items.append(x)


@method_body("list", "remove")
def list_remove(items, value):
    """Removes the first item that equals ``value``."""
    for i in range(len(items)):
        if items[i] == value:
            items.pop(i)
            return
    raise ValueError("list.remove(x): x not in list")


@method_body("list", "count")
def list_count(items, value):
    """Number of items that equal ``value``."""
    n = 0
    for x in items:
        if x == value:
            n += 1
    return n


@method_body("list", "index")
def list_index(items, value, start, stop):
    """Position of the first item that equals ``value``."""
    n = len(items)
    first = start
    last = stop
    if first < 0:
        first = max(first + n, 0)
    if last < 0:
        last += n
    last = min(last, n)
    for i in range(first, last):
        if items[i] == value:
            return i
    raise ValueError("value not in list")


@method_body("list", "sort")
def list_sort_by_key(items, key, reverse):
    """Sorts by key and, since sorting is stable, by position."""
    keys = []
    n = len(items)
    if reverse:
        for i in range(n):
            keys.append((key(items[i]), -i))
    else:
        for i in range(n):
            keys.append((key(items[i]), i))
    keys.sort(None, reverse)
    out = items.copy()
    for i in range(n):
        at = abs(keys[i][1])
        items[i] = out[at]


@method_body("list", "sort")
def list_sort_by_order(items, key, reverse):
    """Sorts by ``<``, stably: merges sorted runs of twice the length each time."""
    n = len(items)
    source = items.copy()
    target = items.copy()
    width = 1
    while width < n:
        low = 0
        while low < n:
            middle = min(low + width, n)
            high = min(low + 2 * width, n)
            left = low
            right = middle
            for k in range(low, high):
                if left == middle:
                    later = True
                elif right == high:
                    later = False
                elif reverse:
                    later = source[left] < source[right]
                else:
                    later = source[right] < source[left]
                if later:
                    target[k] = source[right]
                    right += 1
                else:
                    target[k] = source[left]
                    left += 1
            low = high
        sorted_runs = target
        target = source
        source = sorted_runs
        width *= 2
    for k in range(n):
        items[k] = source[k]


@body(operator.contains, when="List, Any")
def list_contains(items, value):
    """Whether an item equals ``value``."""
    for x in items:
        if x == value:
            return True
    return False


@body(operator.add, when="List, List")
def list_concat(a, b):
    """The items of both, at their common type."""
    out = []
    out.extend(a)
    out.extend(b)
    return out


@body(operator.eq, when="List, List")
def list_eq(a, b):
    """Whether all items are equal."""
    if len(a) != len(b):
        return False
    for i in range(len(a)):
        if not a[i] == b[i]:
            return False
    return True


@body(operator.ne, when="List, List")
def list_ne(a, b):
    """Whether some items differ."""
    return not a == b


@body(operator.lt, when="List, List")
def list_lt(a, b):
    """Lexicographic order."""
    for i in range(min(len(a), len(b))):
        if not a[i] == b[i]:
            return a[i] < b[i]
    return len(a) < len(b)


@body(operator.le, when="List, List")
def list_le(a, b):
    """Lexicographic order."""
    for i in range(min(len(a), len(b))):
        if not a[i] == b[i]:
            return a[i] <= b[i]
    return len(a) <= len(b)


@body(operator.gt, when="List, List")
def list_gt(a, b):
    """Lexicographic order."""
    return b < a


@body(operator.ge, when="List, List")
def list_ge(a, b):
    """Lexicographic order."""
    return b <= a
