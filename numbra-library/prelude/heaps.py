"""Python's ``heapq``: lists whose item ``i`` is at most items ``2 * i + 1`` and ``2 * i + 2``.

Where items are equal they end where CPython's functions leave them.
"""

import heapq

from rows import body


@body(heapq.heapify, when="List")
def heap_heapify(heap):
    """Sinks every item that has children, the last one first."""
    n = len(heap)
    for start in range(n // 2 - 1, -1, -1):
        item = heap[start]
        at = start
        child = 2 * at + 1
        while child < n:
            if child + 1 < n and not heap[child] < heap[child + 1]:
                child += 1
            heap[at] = heap[child]
            at = child
            child = 2 * at + 1
        while at > start:
            parent = (at - 1) // 2
            if not item < heap[parent]:
                break
            heap[at] = heap[parent]
            at = parent
        heap[at] = item


@body(heapq.heappush, when="List, Any")
def heap_push(heap, item):
    """Raises the new item from the end."""
    heap.append(item)
    at = len(heap) - 1
    while at > 0:
        parent = (at - 1) // 2
        if not item < heap[parent]:
            break
        heap[at] = heap[parent]
        at = parent
    heap[at] = item


@body(heapq.heappop, when="List")
def heap_pop(heap):
    """The first item; the last one sinks from its place."""
    last = heap.pop()
    if len(heap) == 0:
        return last
    return heapq.heapreplace(heap, last)


@body(heapq.heappushpop, when="List, Any")
def heap_pushpop(heap, item):
    """``item`` itself unless the first item is less."""
    if len(heap) > 0 and heap[0] < item:
        return heapq.heapreplace(heap, item)
    return item


@body(heapq.heapreplace, when="List, Any")
def heap_replace(heap, item):
    """The first item; the new one follows the lesser children down and rises from there."""
    first = heap[0]
    n = len(heap)
    at = 0
    child = 1
    while child < n:
        if child + 1 < n and not heap[child] < heap[child + 1]:
            child += 1
        heap[at] = heap[child]
        at = child
        child = 2 * at + 1
    while at > 0:
        parent = (at - 1) // 2
        if not item < heap[parent]:
            break
        heap[at] = heap[parent]
        at = parent
    heap[at] = item
    return first


@body(heapq.nsmallest, when="Int, Iterable")
def heap_nsmallest(n, iterable):
    """The first of the sorted items."""
    return sorted(iterable)[: max(n, 0)]


@body(heapq.nlargest, when="Int, Iterable")
def heap_nlargest(n, iterable):
    """The first of the items sorted the other way."""
    return sorted(iterable, None, True)[: max(n, 0)]
