"""Sorting and searching."""

import numpy as np

from . import case, njit


@case(lambda r: (r.random(10000),))
@njit
def shell_sort(a):
    gap = a.size // 2
    while gap > 0:
        for i in range(gap, a.size):
            x = a[i]
            j = i
            while j >= gap and a[j - gap] > x:
                a[j] = a[j - gap]
                j -= gap
            a[j] = x
        gap //= 2


@njit
def sift(a, start, end):
    root = start
    while 2 * root + 1 <= end:
        child = 2 * root + 1
        if child + 1 <= end and a[child] < a[child + 1]:
            child += 1
        if a[root] < a[child]:
            a[root], a[child] = a[child], a[root]
            root = child
        else:
            return


@case(lambda r: (r.random(10000),))
@njit
def heap_sort(a):
    n = a.size
    for start in range((n - 2) // 2, -1, -1):
        sift(a, start, n - 1)
    for end in range(n - 1, 0, -1):
        a[0], a[end] = a[end], a[0]
        sift(a, 0, end - 1)


@case(lambda r: (r.integers(0, 100000, 10000),))
@njit
def merge_sort(a):
    n = a.size
    b = np.empty_like(a)
    width = 1
    while width < n:
        for i in range(0, n, 2 * width):
            left, middle, right = i, min(i + width, n), min(i + 2 * width, n)
            l_, r_ = left, middle
            for k in range(left, right):
                if l_ < middle and (r_ >= right or a[l_] <= a[r_]):
                    b[k] = a[l_]
                    l_ += 1
                else:
                    b[k] = a[r_]
                    r_ += 1
        a, b = b, a
        width *= 2
    return a


@njit
def merge_part(a, t, low, high):
    if high - low < 2:
        return
    mid = (low + high) // 2
    merge_part(a, t, low, mid)
    merge_part(a, t, mid, high)
    i, j, k = low, mid, low
    while i < mid and j < high:
        if a[i] <= a[j]:
            t[k] = a[i]
            i += 1
        else:
            t[k] = a[j]
            j += 1
        k += 1
    while i < mid:
        t[k] = a[i]
        i += 1
        k += 1
    while j < high:
        t[k] = a[j]
        j += 1
        k += 1
    for i in range(low, high):
        a[i] = t[i]


@case(lambda r: (r.random(5000), np.zeros(5000)))
@njit
def merge_recursive(a, t):
    merge_part(a, t, 0, a.size)


@case(lambda r: (r.integers(0, 1 << 32, 40000).astype("u4"),))
@njit
def radix_sort(a):
    b = np.empty_like(a)
    for shift in range(0, 32, 8):
        count = np.zeros(257, np.int64)
        for x in a:
            count[((x >> shift) & 255) + 1] += 1
        for i in range(256):
            count[i + 1] += count[i]
        for x in a:
            d = (x >> shift) & 255
            b[count[d]] = x
            count[d] += 1
        a, b = b, a
    return a


@case(lambda r: (r.random(1000),))
@njit
def insertion_sort(a):
    for i in range(1, a.size):
        x = a[i]
        j = i - 1
        while j >= 0 and a[j] > x:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = x


@case(lambda r: (r.random(1500),))
@njit
def bubble_sort(a):
    n = a.size
    for i in range(n):
        swapped = False
        for j in range(n - i - 1):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
                swapped = True
        if not swapped:
            break


@case(lambda r: (r.random(1500),))
@njit
def selection_sort(a):
    n = a.size
    for i in range(n):
        k = i
        for j in range(i + 1, n):
            if a[j] < a[k]:
                k = j
        a[i], a[k] = a[k], a[i]


@case(lambda r: (r.integers(0, 500, 20000),))
@njit
def counting_sort(a):
    count = np.zeros(500, np.int64)
    for x in a:
        count[x] += 1
    out = np.empty_like(a)
    k = 0
    for v in range(500):
        for _ in range(count[v]):
            out[k] = v
            k += 1
    return out


@case(lambda r: (np.sort(r.random(50000)), r.random(10000)))
@njit
def binary_search(a, keys):
    out = np.empty(keys.size, np.int64)
    for k in range(keys.size):
        low = 0
        high = a.size
        while low < high:
            mid = (low + high) // 2
            if a[mid] < keys[k]:
                low = mid + 1
            else:
                high = mid
        out[k] = low
    return out


@case(lambda r: (r.random(40001), 20000))
@njit
def quick_select(a, k):
    low = 0
    high = a.size - 1
    while low < high:
        pivot = a[(low + high) >> 1]
        i, j = low, high
        while i <= j:
            while a[i] < pivot:
                i += 1
            while a[j] > pivot:
                j -= 1
            if i <= j:
                a[i], a[j] = a[j], a[i]
                i += 1
                j -= 1
        if k <= j:
            high = j
        elif k >= i:
            low = i
        else:
            break
    return a[k]


@njit
def partition(a, low, high):
    pivot = a[high]
    i = low - 1
    for j in range(low, high):
        if a[j] <= pivot:
            i += 1
            a[i], a[j] = a[j], a[i]
    a[i + 1], a[high] = a[high], a[i + 1]
    return i + 1


@njit
def quick_part(a, low, high):
    if low < high:
        p = partition(a, low, high)
        quick_part(a, low, p - 1)
        quick_part(a, p + 1, high)


@case(lambda r: (r.random(10000),))
@njit
def quick_sort(a):
    quick_part(a, 0, a.size - 1)


@case(lambda r: (r.random(10000), 10))
@njit
def top_k(a, k):
    best = np.full(k, -np.inf)
    for x in a:
        if x > best[0]:
            i = 0
            while i + 1 < k and best[i + 1] < x:
                best[i] = best[i + 1]
                i += 1
            best[i] = x
    return best


@case(lambda r: (np.sort(r.integers(0, 9000, 3000)), np.sort(r.integers(0, 9000, 3000))))
@njit
def merge_common(a, b):
    out = np.empty(min(a.size, b.size), a.dtype)
    i = j = k = 0
    while i < a.size and j < b.size:
        if a[i] == b[j]:
            out[k] = a[i]
            i += 1
            j += 1
            k += 1
        elif a[i] < b[j]:
            i += 1
        else:
            j += 1
    return out[:k]


@case(lambda r: (np.arange(9),))
@njit
def permutations(p):
    # The lexicographically next one, some thousand times.
    n = p.size
    total = 0
    for _ in range(5000):
        i = n - 2
        while i >= 0 and p[i] >= p[i + 1]:
            i -= 1
        if i < 0:
            break
        j = n - 1
        while p[j] <= p[i]:
            j -= 1
        p[i], p[j] = p[j], p[i]
        low, high = i + 1, n - 1
        while low < high:
            p[low], p[high] = p[high], p[low]
            low += 1
            high -= 1
        total += p[0] * p[n - 1]
    return total
